//! Words: silent edges, letters without end, and automata that fit nothing.

mod common;

use common::{go_on, runs};
use recurva_flat::{
    Acceptance, Analysis, LetterAutomaton, LetterEdge, Letters, Marks, Move, Product, Stack, Unfit,
};
use recurva_model::rsm::{Letter, Rsm};
use recurva_syntax::Source;

fn machine(text: &str) -> Rsm {
    let source = Source::new("machine.rsm", text).expect("a source");
    recurva_lang::rsm::parse(&source).rsm.expect("no errors")
}

fn edge(from: u32, letters: impl Into<Letters>, to: u32, marks: u32) -> LetterEdge {
    LetterEdge {
        from,
        letters: letters.into(),
        to,
        marks: Marks(marks),
    }
}

/// Accepts every infinite word.
fn anything() -> LetterAutomaton {
    LetterAutomaton::new(1, vec![0], vec![edge(0, Letters::All, 0, 0)], 0).expect("an automaton")
}

fn product_runs(rsm: &Rsm, automaton: &LetterAutomaton) -> [bool; 3] {
    let product = Product::new(rsm, &Acceptance::of(rsm), automaton).expect("a product");
    runs(&product.rsm, &product.acceptance)
}

/// Three ways to go on for ever: silently, with a letter, and with a letter in each of ever
/// more invocations.
const THREE: &str = "
component A
  entry e
  exit x
  node s t
  box b : A
  e -> s : a
  s -> s
  e -> t
  t -> t : b
  e -> b.e : a
  b.x -> x
init A.e
";

#[test]
fn a_silent_suffix_is_no_word() {
    let rsm = machine(THREE);
    assert_eq!(runs(&rsm, &Acceptance::every_run()), [true, true, true]);
    assert_eq!(product_runs(&rsm, &anything()), [true, true, true]);
    let only = |letter| {
        LetterAutomaton::new(1, vec![0], vec![edge(0, Letter(letter), 0, 1)], 1).expect("fits")
    };
    // Only a: calls for ever; the cycle at s reads nothing.
    assert_eq!(product_runs(&rsm, &only(0)), [true, false, true]);
    // Only b: at once to t.
    assert_eq!(product_runs(&rsm, &only(1)), [true, true, false]);
    let silent = machine("component A\nentry e\nnode s\ne -> s : a\ns -> s\ninit A.e");
    assert_eq!(runs(&silent, &Acceptance::every_run()), [true, true, false]);
    assert_eq!(product_runs(&silent, &anything()), [false; 3]);
}

#[test]
fn both_conditions_hold() {
    // a and b again and again, and u again and again; v alone reads both letters.
    let text = "
component A
  entry e
  node u v w
  e -> v
  v -> v : a
  v -> v : b
  u -> w : a
  w -> u : b
  accept_edge
init A.e
accept A.u
";
    let both = LetterAutomaton::new(
        1,
        vec![0],
        vec![edge(0, Letter(0), 0, 1), edge(0, Letter(1), 0, 2)],
        2,
    )
    .expect("an automaton");
    let apart = machine(&text.replace("accept_edge", "w -> v"));
    assert_eq!(product_runs(&apart, &both), [false; 3]);
    let joined = machine(&text.replace("accept_edge", "v -> w"));
    assert_eq!(product_runs(&joined, &both), [true, true, false]);
    let product = Product::new(&joined, &Acceptance::of(&joined), &both).expect("a product");
    assert_eq!(product.acceptance.count(), 3);
    let analysis = Analysis::new(&product.rsm, &product.acceptance, go_on).expect("not stopped");
    let lasso = analysis.run(Stack::Any, go_on).expect("not stopped");
    let lasso = lasso.expect("a run");
    let word: String = product
        .project(lasso.turn().moves())
        .filter_map(|item| match item {
            Move::Step(arc) => Some(joined.letter(arc.letter?)),
            _ => None,
        })
        .collect();
    assert!(word.contains('a') && word.contains('b'), "{word}");
}

#[test]
fn no_initial_state_no_run() {
    let rsm = machine(THREE);
    let edges = vec![edge(0, Letters::All, 0, 0)];
    let none = LetterAutomaton::new(1, Vec::new(), edges, 0).expect("an automaton");
    assert_eq!(product_runs(&rsm, &none), [false; 3]);
}

#[test]
fn what_does_not_fit_is_said() {
    let new = |edges, marks| LetterAutomaton::new(2, vec![0], edges, marks).err();
    assert_eq!(
        new(vec![edge(0, Letters::All, 2, 0)], 0),
        Some(Unfit::State(2))
    );
    assert_eq!(new(vec![edge(0, Letters::All, 1, 2)], 1), Some(Unfit::Mark));
    assert_eq!(new(Vec::new(), 33), Some(Unfit::TooManyMarks(33)));
    let many = LetterAutomaton::new(1, vec![0], Vec::new(), 32).expect("an automaton");
    let rsm = machine(&format!("{THREE}accept A.s"));
    let product = Product::new(&rsm, &Acceptance::of(&rsm), &many);
    assert_eq!(product.err(), Some(Unfit::TooManyMarks(33)));
}
