//! CaRet on nested state machines.
//!
//! - Machines with a single run: the verdict is what the meaning of the formula says of that run.
//!   The run is made and the formula evaluated here, by code that shares nothing with the library:
//!   by that of the run itself, whose calls and returns are matched, and spelled out as far as
//!   anything can change.
//! - Of a formula and its negation just one is violated there, and by a run that was replayed.
//! - Formulas without calls: the same verdicts as linear-time temporal logic, on any machine.

mod along;
mod run;

use recurva_check::{Answer, Asked, Limits, Model, Options, Question, ReadOptions, Stack, Verdict};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use along::Formula;
use run::Machine;

/// Reads a machine.
fn model(text: &str) -> Model {
    let source = Source::new("random.nsm", text).expect("a short text");
    let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ());
    model.unwrap_or_else(|refused| panic!("{refused:?}\n{text}"))
}

/// Asks about a formula.
fn ask<T>(
    model: &Model,
    asked: &Asked,
    stack: Stack,
    look: impl Fn(&Question<'_>, &Answer<'_>) -> T,
) -> T {
    let questions = model.questions(asked);
    let questions = questions.unwrap_or_else(|refused| panic!("{asked:?}: {refused:?}"));
    let [question] = &questions.list[..] else {
        panic!("one question");
    };
    let options = Options {
        stack,
        ..Options::default()
    };
    let answer = question.answer(&options, &mut ());
    let answer = answer.unwrap_or_else(|error| panic!("{asked:?}: {error}"));
    assert!(answer.limit().is_none(), "no limit was set");
    look(question, &answer)
}

fn caret(text: &str) -> Asked {
    Asked {
        caret: vec![text.to_owned()],
        ..Asked::default()
    }
}

fn is_violated(_: &Question<'_>, answer: &Answer<'_>) -> bool {
    answer.is_violated()
}

#[test]
fn formulas_mean_on_a_single_run_what_they_say() {
    let wanted = crate::wanted(300);
    let (mut compared, mut seed) = (0, 0);
    let (mut diverging, mut violated, mut endings) = (0, 0, 0);
    while compared < wanted {
        seed += 1;
        let rng = &mut Rng::new(seed ^ 0x6e_736d);
        let machine = Machine::with_one_run(rng);
        let text = machine.to_string();
        let model = model(&text);
        let Some(run) = machine.run() else {
            // A run that ends is not asked about: whatever is said of the others is true.
            endings += 1;
            let holds = |formula: &str| !ask(&model, &caret(formula), Stack::Any, is_violated);
            assert!(holds("0") && holds("1"), "{text}");
            continue;
        };
        for _ in 0..4 {
            let size = 2 + rng.below(6);
            let formula = Formula::random(rng, size, &machine.atoms());
            let holds = formula.holds_on(&machine, &run);
            let shown = formula.to_string();
            let told = || format!("seed {seed}: {shown}\n{text}\n{run:?}");
            let expected = [(shown.clone(), holds), (format!("!({shown})"), !holds)];
            for (formula, holds) in expected {
                let asked = caret(&formula);
                let found = ask(&model, &asked, Stack::Any, |_, answer| {
                    if let Some(replayed) = answer.run() {
                        assert_eq!(replayed.trace().diverges(), run.diverges(), "{}", told());
                    }
                    answer.verdict
                });
                let expected = match holds {
                    true => Verdict::Holds,
                    false => Verdict::Violated,
                };
                assert_eq!(found, expected, "{formula}, {}", told());
                // The only run is of one kind.
                for (stack, is_asked) in [
                    (Stack::Finite, !run.diverges()),
                    (Stack::Diverging, run.diverges()),
                ] {
                    let found = ask(&model, &asked, stack, is_violated);
                    assert_eq!(found, is_asked && !holds, "{stack:?}, {}", told());
                }
            }
            violated += usize::from(!holds);
            diverging += usize::from(run.diverges());
            compared += 1;
        }
    }
    let few = wanted / 10;
    assert!(
        violated > few && violated < wanted - few && diverging > few && diverging < wanted - few,
        "{violated} {diverging} of {wanted}"
    );
    assert!(endings > 0);
}

#[test]
fn without_calls_it_is_linear_time() {
    let wanted = crate::wanted(400);
    let mut violated = 0;
    for seed in 0..wanted as u64 {
        let rng = &mut Rng::new(seed ^ 0x6c_746c);
        let machine = Machine::random(rng);
        let text = machine.to_string();
        let model = model(&text);
        let size = 2 + rng.below(6);
        let formula = Formula::random_plain(rng, size, &machine.atoms()).to_string();
        let plain = Asked {
            ltl: vec![formula.clone()],
            ..Asked::default()
        };
        for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
            let expected = ask(&model, &plain, stack, is_violated);
            let found = ask(&model, &caret(&formula), stack, is_violated);
            assert_eq!(found, expected, "seed {seed}: {formula}, {stack:?}\n{text}");
            violated += usize::from(found);
        }
    }
    assert!(violated > wanted / 4 && violated < wanted * 2, "{violated}");
}

/// The positions of a nested state machine are its states, which say of themselves whether they
/// call, return or neither.
#[test]
fn states_are_calls_and_returns() {
    let model = model(
        "local start work\ncall c\nreturn back\ninit start\nstart -> c\nc -call-> work\n\
         (work, c) -ret-> back\nback -> start\n",
    );
    for (formula, holds) in [
        ("G(c <-> call)", true),
        ("G(back <-> ret)", true),
        ("G(start | work <-> loc)", true),
        ("G(call -> X_a ret)", true),
        ("G(call -> X work)", true),
        ("G(call -> X_a start)", false),
        ("G F call", true),
        ("G(work -> X_c call)", true),
        ("G(!work -> !X_c 1)", true),
        ("G !call", false),
        ("F ret", true),
        ("G_a !work", true),
    ] {
        let found = ask(&model, &caret(formula), Stack::Any, is_violated);
        assert_eq!(!found, holds, "{formula}");
    }
}
