//! Automata on nested trees against the formulas that say the same, on programs and on machines
//! with one or several initial states. Every rejection has a strategy.

use recurva_check::{Asked, Evidence, Limits, Model, Options, ReadOptions};
use recurva_lang::rsm;
use recurva_logic::{
    nta::{self, Automaton},
    ntmu,
};
use recurva_syntax::{Source, Style};
use recurva_testkit::{generate, rng::Rng};

use crate::random::{config, random_formula};

#[path = "../machines/random.rs"]
#[allow(dead_code, reason = "pushdown systems are for other tests")]
mod random;

/// A formula of more parts than this is not asked about: fixpoints would be nested too deeply.
const LARGE: usize = 150;

fn source(name: &str, text: &str) -> Source {
    Source::new(name, text).expect("a short text")
}

fn read(name: &str, text: &str) -> Model {
    let source = source(name, text);
    let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ());
    model.unwrap_or_else(|refused| panic!("{refused:?}\n{text}"))
}

/// Whether a model has a property; a strategy against it has been checked, and there is one.
fn holds(model: &Model, asked: &Asked) -> bool {
    let questions = model.questions(asked);
    let questions = questions.unwrap_or_else(|refused| panic!("{asked:?}: {refused:?}"));
    let [question] = &questions.list[..] else {
        panic!("one question");
    };
    let answer = question.answer(&Options::default(), &mut ());
    let answer = answer.unwrap_or_else(|error| panic!("{asked:?}: {error}"));
    assert_eq!(answer.limit(), None);
    if let Some(Evidence::Strategy(refutation)) = &answer.evidence {
        let proof = &refutation.proof;
        let checked = proof.check(&refutation.nsm, &refutation.negation);
        checked.unwrap_or_else(|flaw| panic!("{asked:?}: {flaw}"));
    } else {
        assert!(answer.holds(), "{asked:?}: no strategy");
    }
    answer.holds()
}

fn by_formula(model: &Model, text: &str) -> bool {
    let asked = Asked {
        ntmu: vec![text.to_owned()],
        ..Asked::default()
    };
    holds(model, &asked)
}

fn by_automaton(model: &Model, text: &str) -> bool {
    let asked = Asked {
        spec: Some(source("random.nta", text)),
        ..Asked::default()
    };
    holds(model, &asked)
}

/// A formula, its automaton, and if it is small the formula of that automaton.
fn compare_formula(model: &Model, text: &str) -> bool {
    let written = source("formula", text);
    let parsed = ntmu::parse(&written);
    let errors = parsed.diagnostics.render(&written, Style::Plain);
    let formula = parsed.formula.unwrap_or_else(|| panic!("{text}\n{errors}"));
    let automaton = nta::of_formula(&formula);
    let expected = by_formula(model, text);
    let told = || format!("{text}\n{automaton}\n{}", model.source().text());
    let found = by_automaton(model, &automaton.to_string());
    assert_eq!(found, expected, "{}", told());
    if let Some(back) = nta::to_formula(&automaton, LARGE) {
        assert_eq!(
            by_formula(model, &back.to_string()),
            expected,
            "{back}\n{}",
            told()
        );
    }
    expected
}

#[test]
fn formulas_on_random_programs() {
    let (mut done, mut held) = (0, 0);
    for seed in 0..150 {
        let text = generate::generate(seed + 90_000, &config());
        let model = read("random.bp", &text);
        let program = model.program().expect("it is a program");
        let rng = &mut Rng::new(seed ^ 0x7472_6565);
        let size = 1 + rng.below(4);
        let formula = random_formula(rng, program, size);
        held += usize::from(compare_formula(&model, &formula));
        done += 1;
    }
    assert!(held * 5 > done && held * 5 < done * 4, "{held} of {done}");
}

/// A term of an automaton with so many states.
fn term(rng: &mut Rng, size: usize, states: usize, atoms: &[&str]) -> String {
    if size > 1 {
        let left = term(rng, size / 2, states, atoms);
        let right = term(rng, size - size / 2, states, atoms);
        let operator = if rng.chance(50) { "&" } else { "|" };
        return format!("({left} {operator} {right})");
    }
    let (target, popped) = (rng.below(states), rng.below(states));
    let bracket = |inside: &str, some: bool| match some {
        true => format!("<{inside}> q{target}"),
        false => format!("[{inside}] q{target}"),
    };
    let some = rng.chance(50);
    match rng.below(8) {
        0 => atoms[rng.below(atoms.len())].to_owned(),
        1 => format!("!{}", atoms[rng.below(atoms.len())]),
        2 => bracket("loc", some),
        3 => bracket("call", some),
        4 => bracket("ret", some),
        5 => bracket(&format!("ret, q{popped}"), some),
        _ => bracket("", some),
    }
}

/// The text of an automaton.
fn automaton(rng: &mut Rng, atoms: &[&str]) -> String {
    let states = 1 + rng.below(3);
    let mut text = String::from(["alternating\n", "alternating stairs\n"][rng.below(2)]);
    text += "init q0\n";
    for state in 0..states {
        let size = 1 + rng.below(4);
        let term = term(rng, size, states, atoms);
        text += &format!("state q{state} {} = {term}\n", rng.below(3));
    }
    text
}

/// An automaton and its formula, if that is small; whether it accepts the model.
fn compare_automaton(model: &Model, text: &str) -> Option<bool> {
    let written = source("random.nta", text);
    let parsed = nta::parse(&written);
    let errors = parsed.diagnostics.render(&written, Style::Plain);
    let Some(Automaton::Alternating(automaton)) = parsed.automaton else {
        panic!("{text}\n{errors}");
    };
    let formula = nta::to_formula(&automaton, LARGE)?;
    let expected = by_formula(model, &formula.to_string());
    let found = by_automaton(model, text);
    assert_eq!(
        found,
        expected,
        "{text}\n{formula}\n{}",
        model.source().text()
    );
    Some(found)
}

#[test]
fn automata_on_random_programs() {
    let (mut done, mut held, mut seed) = (0, 0, 0);
    while done < 150 {
        seed += 1;
        let text = generate::generate(seed + 70_000, &config());
        let model = read("random.bp", &text);
        let rng = &mut Rng::new(seed ^ 0x6e7461);
        let label = model.program().and_then(|it| it.labels().last());
        let label = label.map_or("ret".to_owned(), |label| format!("@{}", label.name));
        let text = automaton(rng, &[&label, "call", "blocked", "\"in(main)\""]);
        if let Some(found) = compare_automaton(&model, &text) {
            done += 1;
            held += usize::from(found);
        }
    }
    assert!(held * 8 > done && held * 8 < done * 7, "{held} of {done}");
}

#[test]
fn automata_and_formulas_on_random_machines() {
    let (mut done, mut held, mut seed) = (0, 0, 0);
    let mut several = [0; 2];
    while done < 250 {
        seed += 1;
        let machine = random::machine(seed);
        let model = read("random.rsm", &rsm::write(&machine));
        let rng = &mut Rng::new(seed ^ 0x6d6163);
        let text = automaton(rng, &["accept", "\"in(A0)\"", "call", "ret"]);
        if let Some(found) = compare_automaton(&model, &text) {
            done += 1;
            held += usize::from(found);
            if machine.init().len() > 1 {
                several[usize::from(found)] += 1;
            }
        }
        for formula in [
            "EF accept",
            "AG(call -> [jump] !accept)",
            "AF_l (ret | accept)",
        ] {
            compare_formula(&model, formula);
        }
    }
    assert!(held * 8 > done && held * 8 < done * 7, "{held} of {done}");
    assert!(several[0] > 5 && several[1] > 5, "{several:?}");
}
