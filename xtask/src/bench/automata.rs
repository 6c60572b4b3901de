//! Automata on nested trees: the acceptance game of the automata that patterns of NT-µ become,
//! against the number of states, beside the engine for formulas.

use std::{ops::ControlFlow, time::Instant};

use recurva_automata::{Limits, accepts};
use recurva_logic::nta;
use recurva_nested::{Options, Reduction, check};

use super::{
    Size,
    nested::{PATTERNS, formula, procedures},
};

pub(crate) fn run(size: Size) -> Result<(), String> {
    let doublings = if size == Size::Quick { 3 } else { 10 };
    for (text, expected) in PATTERNS {
        let formula = formula(text)?;
        let automaton = nta::of_formula(&formula);
        println!(
            "\n{text}: {} states of the automaton",
            automaton.states().len()
        );
        println!(
            "{:>8} {:>10} {:>12} {:>9} {:>11} {:>9} {:>8}",
            "states", "positions", "evaluations", "game s", "formula s", "eval/pos", "growth"
        );
        let mut before: Option<u64> = None;
        for doubling in 0..=doublings {
            let machine = procedures(10 << doubling)?;
            let started = Instant::now();
            let limits = Limits::default();
            let go_on = |_: &_| ControlFlow::Continue(());
            let outcome = accepts(&machine, &automaton, Reduction::None, &limits, go_on);
            let outcome = outcome.map_err(|error| error.to_string())?;
            let game = started.elapsed().as_secs_f64();
            let started = Instant::now();
            let options = Options {
                reduction: Reduction::None,
                ..Options::default()
            };
            let go_on = |_: &_| ControlFlow::Continue(());
            let other = check(&machine, &formula, &options, go_on);
            let other = other.map_err(|error| error.to_string())?;
            let by_formula = started.elapsed().as_secs_f64();
            if outcome.accepted() != expected || other.holds != expected {
                return Err(format!("{text}: not the expected answer"));
            }
            let (cells, work) = (outcome.work.cells, outcome.work.evaluations);
            println!(
                "{:>8} {cells:>10} {work:>12} {game:>9.3} {by_formula:>11.3} {:>9.2} {:>8}",
                machine.states().len(),
                work as f64 / cells as f64,
                before.map_or("-".to_owned(), |before| format!(
                    "{:.2}",
                    work as f64 / before as f64
                )),
            );
            before = Some(work);
        }
    }
    Ok(())
}
