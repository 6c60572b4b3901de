//! `spin -f` and `lbt` as second opinions. Where they are not installed the tests say so.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use recurva_logic::{
    automaton::{Config, translate},
    ltl::{Formula, FormulaId, Formulas, Operator, evaluate},
};
use recurva_testkit::rng::Rng;

use crate::{lbt, never::Claim, random};

/// What another tool says to a formula.
pub(crate) enum Opinion {
    /// The tool is not installed.
    Missing,
    /// It took too long.
    None,
    /// What it printed.
    Text(String),
}

/// Asks a tool, for at most a quarter of a second.
fn run(mut command: Command, input: &str) -> Opinion {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Opinion::Missing;
    };
    let (mut stdin, mut stdout) = (
        child.stdin.take().expect("a pipe"),
        child.stdout.take().expect("a pipe"),
    );
    stdin.write_all(input.as_bytes()).expect("the tool reads");
    drop(stdin);
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    while child.try_wait().expect("a child of ours").is_none() {
        if start.elapsed() > Duration::from_millis(250) {
            child.kill().expect("a child of ours");
            child.wait().expect("a child of ours");
            return Opinion::None;
        }
        thread::sleep(Duration::from_micros(500));
    }
    Opinion::Text(reader.join().expect("no panic").expect("text"))
}

pub(crate) fn spin(formula: &Formula) -> Opinion {
    let text = spin_text(&formula.formulas, formula.root);
    let mut command = Command::new("spin");
    command
        .arg("-f")
        .arg(text)
        .current_dir(std::env::temp_dir());
    run(command, "")
}

pub(crate) fn lbt(formula: &Formula) -> Opinion {
    let text = lbt_text(&formula.formulas, formula.root);
    run(Command::new("lbt"), &format!("{text}\n"))
}

/// In SPIN's syntax, which has neither `W` nor `M` nor `^` everywhere.
fn spin_text(formulas: &Formulas, id: FormulaId) -> String {
    use Operator::*;
    let parts: Vec<String> = formulas
        .parts(id)
        .iter()
        .map(|&part| spin_text(formulas, part))
        .collect();
    let join = |symbol: &str| format!("({})", parts.join(symbol));
    match formulas.operator(id) {
        True => "true".into(),
        False => "false".into(),
        Atom(atom) => formulas.atoms()[atom.0 as usize].text.to_string(),
        Not => format!("!({})", parts[0]),
        And => join(" && "),
        Or => join(" || "),
        Implies => join(" -> "),
        Equivalent => join(" <-> "),
        Xor => format!("!({})", join(" <-> ")),
        Next => format!("X({})", parts[0]),
        Finally => format!("<>({})", parts[0]),
        Globally => format!("[]({})", parts[0]),
        Until => join(" U "),
        Release => join(" V "),
        WeakUntil => format!("(({1}) V (({0}) || ({1})))", parts[0], parts[1]),
        StrongRelease => format!("(({1}) U (({0}) && ({1})))", parts[0], parts[1]),
        Along(..) => unreachable!("an operator of CaRet"),
    }
}

/// In LBT's prefix syntax; atoms are `p0`, `p1`, ….
fn lbt_text(formulas: &Formulas, id: FormulaId) -> String {
    use Operator::*;
    let parts: Vec<String> = formulas
        .parts(id)
        .iter()
        .map(|&part| lbt_text(formulas, part))
        .collect();
    let fold = |symbol: &str| {
        let last = parts.last().cloned().unwrap_or_default();
        let others = parts[..parts.len() - 1].iter().rev();
        others.fold(last, |all, part| format!("{symbol} {part} {all}"))
    };
    match formulas.operator(id) {
        True => "t".into(),
        False => "f".into(),
        Atom(atom) => format!("p{}", atom.0),
        Not => format!("! {}", parts[0]),
        And => fold("&"),
        Or => fold("|"),
        Implies => fold("i"),
        Equivalent => fold("e"),
        Xor => fold("^"),
        Next => format!("X {}", parts[0]),
        Finally => format!("F {}", parts[0]),
        Globally => format!("G {}", parts[0]),
        Until => fold("U"),
        Release => fold("V"),
        WeakUntil => format!("V {1} | {0} {1}", parts[0], parts[1]),
        StrongRelease => format!("U {1} & {0} {1}", parts[0], parts[1]),
        Along(..) => unreachable!("an operator of CaRet"),
    }
}

fn names(formula: &Formula) -> Vec<Box<str>> {
    let atoms = formula.formulas.atoms().iter();
    atoms.map(|atom| atom.text.clone()).collect()
}

/// How many random formulas are compared with each tool: starting a process for each takes
/// time, so all 20,000 are asked for by the environment.
fn formulas() -> u64 {
    let asked = std::env::var("RECURVA_PEER_FORMULAS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(1_500)
}

#[test]
fn spin_accepts_the_same_words() {
    let mut compared = 0;
    for seed in 0..formulas() {
        let rng = &mut Rng::new(seed + 2_000_000);
        // SPIN as Debian builds it has no `X`.
        let formula = random::formula_without_next(rng, 9, 2);
        let text = match spin(&formula) {
            Opinion::Text(text) => text,
            Opinion::None => continue,
            Opinion::Missing => {
                eprintln!("spin is not installed: nothing was compared with it");
                return;
            }
        };
        let claim = Claim::read(&text);
        if claim.states.is_empty() {
            continue;
        }
        compared += 1;
        let automaton = translate(&formula, &Config::default()).expect("a small formula");
        let atoms = names(&formula);
        for _ in 0..10 {
            let (stem, cycle) = random::word(rng, 2);
            let ours = automaton.accepts(&stem, &cycle);
            assert_eq!(
                claim.accepts(&atoms, &stem, &cycle),
                ours,
                "{formula}\n{text}"
            );
        }
    }
    assert!(
        compared > formulas() / 8,
        "only {compared} formulas were compared"
    );
}

#[test]
fn lbt_accepts_the_same_words() {
    let mut compared = 0;
    for seed in 0..formulas() {
        let rng = &mut Rng::new(seed + 3_000_000);
        let formula = random::formula(rng, 9, 2);
        let text = match lbt(&formula) {
            Opinion::Text(text) => text,
            Opinion::None => continue,
            Opinion::Missing => {
                eprintln!("lbt is not installed: nothing was compared with it");
                return;
            }
        };
        let atoms = names(&formula);
        let theirs = lbt::read(&text, &atoms);
        let automaton = translate(&formula, &Config::default()).expect("a small formula");
        compared += 1;
        for _ in 0..10 {
            let (stem, cycle) = random::word(rng, 2);
            let ours = automaton.accepts(&stem, &cycle);
            assert_eq!(theirs.accepts(&stem, &cycle), ours, "{formula}\n{text}");
        }
    }
    assert!(
        compared > formulas() / 2,
        "only {compared} formulas were compared"
    );
}

#[test]
fn our_never_claims_accept_the_same_words() {
    for seed in 0..3_000 {
        let rng = &mut Rng::new(seed + 4_000_000);
        let formula = random::formula(rng, 10, 2);
        let config = Config {
            reduce: seed.is_multiple_of(2),
            ..Config::default()
        };
        let automaton = translate(&formula, &config).expect("a small formula");
        let classical = automaton.degeneralise(&config).expect("a small automaton");
        let mut text = String::new();
        classical.write_never(&mut text, "x").expect("a string");
        let claim = Claim::read(&text);
        let atoms = names(&formula);
        for _ in 0..10 {
            let (stem, cycle) = random::word(rng, 2);
            let holds = evaluate(&formula.formulas, formula.root, &stem, &cycle);
            let accepts = claim.accepts(&atoms, &stem, &cycle);
            assert_eq!(Some(accepts), holds, "{formula}\n{text}");
        }
    }
}
