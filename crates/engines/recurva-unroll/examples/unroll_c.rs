//! Looks for runs to the errors of C programs, or for proofs that there are none: `unroll_c search FILE...`,
//! `unroll_c prove FILE...` by guesses, `unroll_c unfold FILE...` by unrolling, each preprocessed. How many seconds each may take stands in `RECURVA_SECONDS`.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use recurva_cbuild::{BuildOptions, read};
use recurva_certificate::check::{EmbeddedJudge, check};
use recurva_cir::SourceText;
use recurva_cmodel::{LowerOptions, Lowered, Wanted, lower};
use recurva_ctype::Target;
use recurva_evidence::{Claim, replay};
use recurva_model::Patience;
use recurva_unroll::{
    Config, GuessConfig, GuessProgress, Outcome, Progress, Proved, prove, search, search_and_prove,
};

#[allow(clippy::print_stdout)]
fn main() {
    let seconds = std::env::var("RECURVA_SECONDS").ok();
    let seconds = seconds.and_then(|it| it.parse().ok()).unwrap_or(10);
    let mode = std::env::args().nth(1).unwrap_or_default();
    for file in std::env::args().skip(2) {
        let start = Instant::now();
        let said = match lowered(Path::new(&file)) {
            Ok(lowered) if mode == "prove" => proved(&lowered, Duration::from_secs(seconds)),
            Ok(lowered) if mode == "unfold" => unfolded(&lowered, Duration::from_secs(seconds)),
            Ok(lowered) => said(&lowered, Duration::from_secs(seconds)),
            Err(why) => why,
        };
        println!("{file}\t{said}\t{:.2}", start.elapsed().as_secs_f64());
    }
}

fn lowered(file: &Path) -> Result<Lowered, String> {
    let text = std::fs::read(file).map_err(|it| it.to_string())?;
    let source = SourceText {
        name: file.display().to_string().into(),
        text,
        is_library: false,
    };
    let built = read(vec![source], Target::ilp32(), &BuildOptions::default());
    let built = built.map_err(|_| "not C".to_owned())?;
    let options = LowerOptions {
        classes: false,
        ..LowerOptions::default()
    };
    let mut patience = Patience::endless();
    lower(&built.module, &Wanted::errors(), &options, &mut patience).map_err(|it| it.to_string())
}

fn said(lowered: &Lowered, time: Duration) -> String {
    let start = Instant::now();
    let targets = lowered.error_points();
    let mut last = Progress::default();
    let mut ask = |progress: &Progress| {
        last = *progress;
        match start.elapsed() > time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let precision = lowered.precision();
    let outcome = search(&lowered.program, &targets, &Config::default(), &mut ask);
    let said = match outcome {
        Outcome::Run(trace) => {
            let length = trace.length();
            match replay(&lowered.program, *trace, &Claim::Reaches(targets)) {
                Ok(_) => format!("run of {length}"),
                Err(mismatch) => format!("WRONG run: {mismatch:?}"),
            }
        }
        // Whether the model ends somewhere on the way.
        Outcome::Bounded(_) | Outcome::Proof(_) => {
            let limits = lowered.limit_points();
            match search(&lowered.program, &limits, &Config::default(), &mut ask) {
                Outcome::Bounded(_) | Outcome::Proof(_) => "bounded".to_owned(),
                Outcome::Run(_) => "bounded, but the model ends".to_owned(),
                Outcome::Unknown(reason) => format!("bounded, limits {reason:?}"),
            }
        }
        Outcome::Unknown(reason) => format!("{reason:?}"),
    };
    format!(
        "{said}\t{precision:?} depth {} places {} frontier {} terms {} checks {}",
        last.depth, last.places, last.frontier, last.terms, last.checks
    )
}

fn unfolded(lowered: &Lowered, time: Duration) -> String {
    let start = Instant::now();
    let errors = lowered.error_points();
    let mut targets = errors.clone();
    targets.extend(lowered.limit_points());
    let is_over = || match start.elapsed() > time {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut ask = |_: &Progress| is_over();
    let points = (&errors[..], &targets[..]);
    let program = &lowered.program;
    let proof = match search_and_prove(program, points, &Config::default(), &mut ask) {
        Outcome::Proof(proof) => proof,
        other => return format!("{other:?}"),
    };
    let found = start.elapsed();
    let mut judge = EmbeddedJudge::default();
    let size: usize = proof.formulas.values().map(|it| it.nodes().len()).sum();
    let said = match check(program, &targets, &proof, &mut judge, &mut || is_over()) {
        Ok(checked) => format!("proof of {} obligations", checked.obligations),
        Err(rejected) => format!("rejected: {rejected:?}"),
    };
    format!("{said}\tfound {:.2} nodes {size}", found.as_secs_f64())
}

fn proved(lowered: &Lowered, time: Duration) -> String {
    let start = Instant::now();
    let mut targets = lowered.error_points();
    targets.extend(lowered.limit_points());
    let mut last = GuessProgress::default();
    let mut ask = |progress: &GuessProgress| {
        last = *progress;
        match start.elapsed() > time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let proved = prove(
        &lowered.program,
        &targets,
        &GuessConfig::default(),
        &mut ask,
    );
    let said = match proved {
        Proved::Proof(proof) => format!("proof with {} formulas", proof.formulas.len()),
        Proved::Unknown => "unknown".to_owned(),
        Proved::Stopped => "stopped".to_owned(),
    };
    format!("{said}\t{last:?}")
}
