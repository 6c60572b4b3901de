//! `--engine flat`: the verdict on a flat machine from the machine as a whole.

use std::ops::ControlFlow;

use recurva_check::{Options, Outcome, Progress, Property, Stats, Verdict, Watch, flat::decide};

use crate::{args::QuestionArguments, exit::Exit, load::Model, output};

/// What the engine found out.
pub(crate) enum Decided<'p> {
    /// It was not asked.
    Not,
    /// The property holds.
    Holds(Box<Outcome<'p>>),
    /// The property is violated: a run is to be found.
    Violated,
}

impl Decided<'_> {
    /// Whether another engine says something else.
    pub(crate) fn contradicts(&self, outcome: &Outcome<'_>) -> bool {
        matches!(
            (self, &outcome.verdict),
            (Decided::Violated, Verdict::Holds)
        )
    }
}

/// Asks the engine. On an error everything has been said.
pub(crate) fn holds<'p>(
    arguments: &QuestionArguments,
    model: &Model,
    property: &Property,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Decided<'p>, Exit> {
    let started = std::time::Instant::now();
    let letters = model.letter_nodes();
    let Some(machine) = model.flat(arguments, &letters) else {
        output::error("--engine flat is for flat machines (.rsm and .pds)");
        return Err(Exit::BadInput);
    };
    let mut tick = || match options.limits.time {
        Some(time) if started.elapsed() >= time => ControlFlow::Break(()),
        _ => watch.progress(&Progress::default()),
    };
    let answer = match decide(&machine, property, options.stack, &mut tick) {
        Ok(Some(answer)) => answer,
        Ok(None) => {
            output::error("--engine flat knows neither monitors nor CaRet");
            output::help("leave out --engine flat");
            return Err(Exit::BadInput);
        }
        // The other engine will hit the same limit, and says which.
        Err(_) => return Ok(Decided::Not),
    };
    if answer.violated {
        return Ok(Decided::Violated);
    }
    Ok(Decided::Holds(Box::new(Outcome {
        verdict: Verdict::Holds,
        stats: Stats {
            states: answer.vertices,
            path_edges: answer.work,
            seconds: started.elapsed().as_secs_f64(),
            peak_bytes: answer.bytes,
            ..Stats::default()
        },
        engine: "flat",
        stack: property.is_liveness().then_some(options.stack),
        dropped: None,
    })))
}
