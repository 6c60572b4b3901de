//! Single cases: some that once went wrong, and some that say what words mean.

use recurva_check::{Engine, Never, Options, Property, Runs, Stack, Verdict, check, spec};
use recurva_lang::bp;
use recurva_logic::automaton::{Edge, Label, Tgba};
use recurva_model::{Cube, Guard, GuardOp, Program};
use recurva_syntax::Source;

fn parse(text: &str) -> Program {
    let source = Source::new("small.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("no errors")
}

/// Whether a property is violated, by the word of all engines.
fn is_violated(program: &Program, property: &Property, stack: Stack, runs: Runs) -> bool {
    let answers = [Engine::Explicit, Engine::Symbolic, Engine::Auto].map(|engine| {
        let options = Options {
            engine,
            stack,
            runs,
            ..Options::default()
        };
        let outcome = check(program, property, &options, &mut ()).expect("it replays");
        match outcome.verdict {
            Verdict::Holds => false,
            Verdict::Violated => true,
            Verdict::Unknown(limit) => panic!("no limit was set: {limit:?}"),
        }
    });
    assert_eq!(answers, [answers[0]; 3]);
    answers[0]
}

/// No letter is as a cube says that wants a condition both to hold and not to hold.
#[test]
fn a_cube_that_contradicts_itself_is_never_open() {
    let program = parse("void main() begin while (T) do skip; od end");
    let edge = |cubes: Vec<Cube>| Edge {
        target: 0,
        marks: 0,
        label: Label::new(cubes),
    };
    let never = |cubes: Vec<Cube>| {
        Property::Never(Never {
            name: "never".into(),
            automaton: Tgba::new(["main".into()], 0, 0, vec![vec![edge(cubes)]]).unwrap(),
            guards: vec![Guard::new([GuardOp::In(program.main())])],
            positions: None,
        })
    };
    let cube = |positive, negative| Cube { positive, negative };
    let asked = |cubes| is_violated(&program, &never(cubes), Stack::Any, Runs::Infinite);
    assert!(!asked(vec![cube(1, 1)]));
    assert!(!asked(vec![]));
    assert!(asked(vec![cube(1, 1), cube(1, 0)]));
}

/// A stack diverges if more and more calls never return. It does not if it only reaches
/// further and further up and comes back to the same depth again and again: here `A` is passed
/// at depth 1 only, though `f` may go deeper every time.
#[test]
fn excursions_of_growing_depth_do_not_diverge() {
    let program = parse(
        "void main() begin while (T) do A: f(); od end
         void f() begin B: if (*) then f(); fi end",
    );
    let repeat = |label| Property::repeat(&program, label).expect("the label exists");
    for runs in [Runs::Stutter, Runs::Infinite] {
        assert!(is_violated(&program, &repeat("A"), Stack::Any, runs));
        assert!(is_violated(&program, &repeat("A"), Stack::Finite, runs));
        assert!(!is_violated(&program, &repeat("A"), Stack::Diverging, runs));
        assert!(is_violated(&program, &repeat("B"), Stack::Diverging, runs));
    }
}

/// Only the outermost invocation of `main` ends a run: an inner one returns to its caller.
#[test]
fn a_run_ends_with_the_outermost_main() {
    let program = parse(
        "decl g;
         void main() begin
           if (!g) then g := T; main(); A: while (T) do skip; od fi
         end",
    );
    let ask = |formula: &str, stack| {
        let source = Source::new("formula", formula).expect("a short text");
        let reader = spec::Reader::new(&program, spec::Vocabulary::Program);
        let read = reader.formula(&source).properties.expect("a formula");
        is_violated(&program, &read[0].property, stack, Runs::Stutter)
    };
    assert!(!ask("g | F @A", Stack::Any));
    assert!(ask("F @A", Stack::Finite));
    assert!(!ask("F @A", Stack::Diverging));
}
