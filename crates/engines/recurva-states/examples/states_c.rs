//! How many C tasks have a proof by their states: for each task of a manifest that is said to hold, the
//! outcome, what the proof says and how long its check takes.
//!
//! Arguments: a folder with `MANIFEST.tsv`, seconds for each task, and perhaps part of the names of the
//! tasks, whose proofs are then printed.
#![allow(clippy::print_stdout)]

use std::{
    collections::BTreeMap,
    env, fs,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use recurva_cbuild::{BuildOptions, read};
use recurva_certificate::{
    Proof,
    check::{EmbeddedJudge, check},
    formula::Scope,
    text::{ProgramNames, print},
};
use recurva_cir::SourceText;
use recurva_cmodel::{LowerOptions, Lowered, Wanted, lower};
use recurva_ctype::Target;
use recurva_model::{Patience, Point, Program};
use recurva_states::{Config, Outcome, prove};

/// Texts longer than this are as good as none.
const LONGEST: usize = 1 << 20;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, seconds, names @ ..] = &arguments[..] else {
        println!("states_c FOLDER SECONDS [NAME]");
        return;
    };
    let seconds: f64 = seconds.parse().unwrap_or(5.0);
    let manifest = fs::read_to_string(Path::new(folder).join("MANIFEST.tsv")).unwrap_or_default();
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for line in manifest.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, "unreach-call", "true", category, _, "primary", ..] = fields[..] else {
            continue;
        };
        if !names.iter().all(|it| file.contains(&**it)) {
            continue;
        }
        let text = fs::read_to_string(Path::new(folder).join(file)).unwrap_or_default();
        let limit = Duration::from_secs_f64(seconds);
        let said = match built(text) {
            Err(why) => why,
            Ok(lowered) => told(&lowered, limit, names.is_empty()),
        };
        let word = said.split([' ', ':']).next().unwrap_or_default().to_owned();
        println!("{file}: {said}");
        let of_category = counts.entry(category.to_owned()).or_default();
        *of_category.entry(word).or_default() += 1;
    }
    for (category, words) in counts {
        println!("{category}: {words:?}");
    }
}

fn built(text: String) -> Result<Lowered, String> {
    let source = SourceText {
        name: "task.c".into(),
        text: text.into(),
        is_library: false,
    };
    let built = read(vec![source], Target::ilp32(), &BuildOptions::default())
        .map_err(|_| "unreadable".to_owned())?;
    let options = LowerOptions {
        classes: false,
        ..LowerOptions::default()
    };
    let patience = &mut Patience::endless();
    lower(&built.module, &Wanted::errors(), &options, patience)
        .map_err(|it| format!("refused: {it}"))
}

fn told(lowered: &Lowered, limit: Duration, is_short: bool) -> String {
    let mut targets = lowered.error_points();
    targets.extend(lowered.limit_points());
    let start = Instant::now();
    let mut ask = || match start.elapsed() < limit {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let config = Config {
        max_bytes: Some(1 << 30),
        ..Config::default()
    };
    let outcome = prove(&lowered.program, &targets, &config, &mut ask);
    let searched = start.elapsed();
    let proof = match outcome {
        Outcome::Proof(proof) => proof,
        Outcome::Reachable => return "reachable".into(),
        Outcome::TooLarge(limit) => return format!("{limit:?} after {searched:.2?}"),
        Outcome::Stopped => return "stopped".into(),
    };
    if !is_short {
        show(&lowered.program, &proof);
    }
    let length = length(&lowered.program, &proof);
    let count = proof.formulas.len();
    let checked = checked(&lowered.program, &targets, &proof, limit);
    format!("proof of {count} formulas, {length} bytes, in {searched:.2?}; {checked}")
}

/// The length of all formulas as text.
fn length(program: &Program, proof: &Proof) -> usize {
    texts(program, proof)
        .iter()
        .map(|(_, text)| text.len())
        .sum()
}

fn show(program: &Program, proof: &Proof) {
    for (point, text) in texts(program, proof) {
        let name = &program.procedure(point.procedure).name;
        println!("  {name}, node {}: {text}", point.node.0);
    }
}

fn texts(program: &Program, proof: &Proof) -> Vec<(Point, String)> {
    let names = ProgramNames::new(program);
    let text = |(&point, formula): (&Point, _)| {
        let procedure = point.procedure;
        let text = print(formula, Scope { program, procedure }, &names, LONGEST);
        (point, text.unwrap_or_else(|error| error.to_string()))
    };
    proof.formulas.iter().map(text).collect()
}

fn checked(program: &Program, targets: &[Point], proof: &Proof, limit: Duration) -> String {
    let start = Instant::now();
    let mut ask = || match start.elapsed() < 4 * limit {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let mut judge = EmbeddedJudge::default();
    match check(program, targets, proof, &mut judge, &mut ask) {
        Ok(checked) => format!(
            "accepted, {} questions in {:.2?}",
            checked.obligations,
            start.elapsed()
        ),
        Err(rejected) => format!("NOT ACCEPTED after {:.2?}: {rejected:?}", start.elapsed()),
    }
}
