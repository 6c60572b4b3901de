//! Proves that a preprocessed C program never comes to an error.

use std::{
    io::Write,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_cbuild::{BuildOptions, read};
use recurva_certificate::{
    formula::Scope,
    text::{ProgramNames, print},
};
use recurva_cmodel::{LowerOptions, Wanted, lower};
use recurva_horn::{Config, Outcome, prove};
use recurva_model::Patience;
use recurva_smt::process::{Tool, ToolKind};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which file?")?;
    let seconds: u64 = arguments.next().unwrap_or("20".to_owned()).parse()?;
    let is_quiet = arguments.next().is_some();
    let source = recurva_cir::SourceText {
        name: name.as_str().into(),
        text: std::fs::read(&name)?,
        is_library: false,
    };
    let target = recurva_ctype::Target::ilp32();
    let built = read(vec![source], target, &BuildOptions::default())
        .map_err(|errors| format!("{errors:?}"))?;
    let options = LowerOptions {
        classes: false,
        ..LowerOptions::default()
    };
    let lowered = lower(
        &built.module,
        &Wanted::errors(),
        &options,
        &mut Patience::endless(),
    )?;
    let targets = [lowered.error_points(), lowered.limit_points()].concat();
    let begin = Instant::now();
    let solver = Tool::find(ToolKind::Z3).ok_or("there is no z3")?;
    let config = Config {
        time: Duration::from_secs(seconds),
        second: Tool::find(ToolKind::Cvc5),
        ..Config::new(solver)
    };
    let deadline = begin + config.time;
    let mut ask = || match Instant::now() < deadline {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let outcome = prove(&lowered.program, &targets, &config, &mut ask);
    let took = begin.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    match outcome {
        Outcome::Proof(proof, stage) => {
            writeln!(
                out,
                "proved {took:.2} {:?} {}",
                stage.numbers, stage.has_ranges
            )?;
            let names = ProgramNames::new(&lowered.program);
            for (&point, formula) in proof.formulas.iter().filter(|_| !is_quiet) {
                let procedure = lowered.program.procedure(point.procedure);
                let scope = Scope {
                    program: &lowered.program,
                    procedure: point.procedure,
                };
                let formula = print(formula, scope, &names, 1 << 12);
                let formula = formula.unwrap_or_else(|error| error.to_string());
                writeln!(out, "{} {}: {formula}", procedure.name, point.node.0)?;
            }
        }
        Outcome::Reachable(stage) => writeln!(out, "reachable {took:.2} {stage:?}")?,
        Outcome::Unknown(why) => writeln!(out, "unknown {took:.2} {why}")?,
        Outcome::Stopped => writeln!(out, "stopped {took:.2}")?,
    }
    Ok(())
}
