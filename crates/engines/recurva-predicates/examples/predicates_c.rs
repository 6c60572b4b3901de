//! Proves C tasks, as listed in a manifest, or single files: verdicts and figures.
//!
//! `predicates_c MANIFEST.tsv SECONDS [CATEGORY…]`, or `predicates_c FILE.c SECONDS`.

#![allow(clippy::print_stdout)]

use std::{ops::ControlFlow, path::Path, process::Command, time::Duration};

use recurva_cbuild::BuildOptions;
use recurva_cir::SourceText;
use recurva_cmodel::{LowerOptions, Note, Wanted};
use recurva_ctype::Target;
use recurva_evidence::{Claim, replay};
use recurva_model::Patience;
use recurva_predicates::{Config, Outcome, Progress, prove};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().ok_or("a manifest or a file is needed")?;
    let seconds: u64 = arguments.next().map_or(Ok(30), |it| it.parse())?;
    let categories: Vec<String> = arguments.collect();
    let limit = Duration::from_secs(seconds);
    if !list.ends_with(".tsv") {
        let (verdict, figures) = answer(Path::new(&list), limit)?;
        println!("{verdict} {figures}");
        return Ok(());
    }
    let folder = Path::new(&list).parent().ok_or("a file")?;
    for line in std::fs::read_to_string(&list)?.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, property, expected, category, _, "primary", ..] = columns[..] else {
            continue;
        };
        if property != "unreach-call" || !categories.iter().any(|it| it == category) {
            continue;
        }
        let found = answer(&folder.join(file), limit);
        let (verdict, figures) = found.unwrap_or_else(|why| ("error", why.to_string()));
        println!("{category}\t{file}\t{expected}\t{verdict}\t{figures}");
    }
    Ok(())
}

fn answer(
    file: &Path,
    limit: Duration,
) -> Result<(&'static str, String), Box<dyn std::error::Error>> {
    let begin = cpu();
    let output = Command::new("cc")
        .args(["-E", "-x", "c"])
        .arg(file)
        .output()?;
    let text = SourceText {
        name: file.to_string_lossy().into(),
        text: output.stdout,
        is_library: false,
    };
    let built = recurva_cbuild::read(vec![text], Target::ilp32(), &BuildOptions::default());
    let built = built.map_err(|errors| format!("{} errors", errors.len()))?;
    let options = LowerOptions {
        classes: false,
        ..LowerOptions::default()
    };
    let patience = &mut Patience::endless();
    let lowered = recurva_cmodel::lower(&built.module, &Wanted::errors(), &options, patience)?;
    let mut targets = lowered.error_points();
    targets.extend(lowered.limit_points());
    let mut last = Progress::default();
    let mut ask = |progress: &Progress| {
        last = *progress;
        match cpu().saturating_sub(begin) < limit {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let outcome = prove(&lowered.program, &targets, &Config::default(), &mut ask);
    let (verdict, why) = match outcome {
        Outcome::Proof(proof) => {
            let is_whole = !lowered.notes.iter().any(Note::leaves_out_runs);
            let verdict = if is_whole { "true" } else { "left out" };
            (verdict, format!("{} formulas", proof.formulas.len()))
        }
        Outcome::Run(trace) => {
            let length = trace.length();
            match replay(&lowered.program, trace, &Claim::Reaches(targets.clone())) {
                Ok(replayed) => {
                    let end = replayed.end().top().point();
                    let is_error = lowered.error_points().contains(&end);
                    let verdict = if is_error { "false" } else { "limit" };
                    (verdict, format!("{length} steps"))
                }
                Err(why) => ("wrong", format!("{why}")),
            }
        }
        Outcome::Unknown(why) => ("unknown", why),
        Outcome::Stopped => ("stopped", String::new()),
    };
    let time = cpu().saturating_sub(begin).as_secs_f64();
    let Progress {
        rounds,
        predicates,
        calls,
        states,
    } = last;
    let figures = format!(
        "{time:.2} s, {rounds} rounds, {predicates} predicates, {calls} calls, {states} states; {why}"
    );
    Ok((verdict, figures))
}

/// The time that this process has had on a processor.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|it| it.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}
