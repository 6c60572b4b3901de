//! The check of a trace against the semantics, and its result.

use recurva_model::{
    Program,
    semantics::{Configuration, Machine},
};

use crate::{
    Claim, Mismatch, Part, Reason, Trace, Walk,
    memo::Memo,
    run::{Run, Setting},
};

/// Executes a trace on the program's semantics and checks that it shows what it claims.
///
/// # Errors
///
/// A trace of which some step is not possible, or that does not end as claimed, whatever
/// else is in it.
pub fn replay<'p>(
    program: &'p Program,
    trace: Trace,
    claim: &Claim,
) -> Result<Replayed<'p>, Mismatch> {
    let setting = Setting::new(Machine::new(program), trace, claim.clone())?;
    let mut memo = Memo::default();
    let mut run = Run::new(&setting)?;
    while !run.at_end() {
        run.go_on(&mut memo)?;
    }
    let (end, states) = run.into_end();
    if !setting.claim.is_met(&end, &states) {
        let step = setting.trace.stem.len();
        return Err(Mismatch {
            part: Part::Stem,
            step,
            reason: Reason::Claim,
        });
    }
    let lengths = setting.trace.body_lengths();
    let length = setting.trace.length_with(&lengths);
    Ok(Replayed {
        setting,
        memo,
        lengths,
        length,
        end,
        states,
    })
}

/// A trace that has been executed. Only [`replay`] makes one.
#[derive(Debug)]
pub struct Replayed<'p> {
    setting: Setting<'p>,
    memo: Memo,
    lengths: Vec<u64>,
    length: u64,
    end: Configuration,
    states: Vec<u32>,
}

impl<'p> Replayed<'p> {
    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.setting.trace
    }

    /// The program it is a run of.
    pub fn program(&self) -> &'p Program {
        self.setting.machine.program()
    }

    /// The program's semantics, to ask for the layout of variables.
    pub fn machine(&self) -> &Machine<'p> {
        &self.setting.machine
    }

    /// What the trace has been shown to show.
    pub fn claim(&self) -> &Claim {
        &self.setting.claim
    }

    /// The number of steps when all calls are spelled out; saturating.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of steps of each body when all calls in it are spelled out; saturating.
    pub fn body_lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// The last configuration.
    pub fn end(&self) -> &Configuration {
        &self.end
    }

    /// The states the monitor can be in at the end (sorted), if there is a monitor.
    pub fn end_states(&self) -> Option<&[u32]> {
        self.setting.claim.monitor().map(|_| &self.states[..])
    }

    /// A walk along the run, at its beginning.
    pub fn walk(&self) -> Walk<'_, 'p> {
        Walk::new(
            Run::new(&self.setting).expect("it has started before"),
            &self.memo,
            self,
        )
    }
}
