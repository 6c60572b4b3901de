//! The check of a trace against the semantics, and its result.

use recurva_model::{
    Letter, Patience, Point, Program, Stop, VarRef, Word,
    semantics::{Configuration, Machine},
};

use crate::{
    Claim, Mismatch, Part, Reason, Trace, Unreplayed, Walk,
    memo::Memo,
    needs::needs,
    run::{Run, Setting},
    trace::spelled_out,
};

/// Executes a trace on the program's semantics and checks that it shows what it claims.
///
/// Of an infinite run the stem and two turns are executed. Each turn has to come back to where
/// it started: to the same node in all, and to the same values in all variables on which going
/// round depends; above a stack that was not touched, which may have grown.
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
    let replayed = replay_with_patience(program, trace, claim, &mut Patience::endless());
    replayed.map_err(|cause| match cause {
        Unreplayed::Mismatch(mismatch) => mismatch,
        Unreplayed::Stopped(_) => unreachable!("patience has no end"),
    })
}

/// [`replay`] for those who may not want to wait for it.
///
/// # Errors
///
/// A trace that does not replay, or the end of patience.
pub fn replay_with_patience<'p>(
    program: &'p Program,
    trace: Trace,
    claim: &Claim,
    patience: &mut Patience<'_>,
) -> Result<Replayed<'p>, Unreplayed> {
    patience.step()?;
    let setting = Setting::new(Machine::new(program), trace, claim.clone(), patience)?;
    let mut memo = Memo::default();
    let unmet = Mismatch {
        part: Part::Stem,
        step: setting.trace.stem.len(),
        reason: Reason::Claim,
    };
    let infinite = matches!(setting.claim, Claim::Repeats(_));
    // A letter has a bit for each condition, and no more.
    let too_many = setting.claim.observed().len() > Letter::BITS as usize;
    if infinite != setting.trace.turn.is_some() || too_many {
        return Err(unmet.into());
    }
    let mut run = Run::new(&setting, infinite)?;
    while run.in_stem() {
        patience.step()?;
        run.go_on(&mut memo)?;
    }
    let lasso = if infinite {
        Some(replay_turn(&setting, &mut run, &mut memo, patience)?)
    } else {
        None
    };
    let (end, states) = run.into_end();
    if !setting.claim.is_met(&end, &states) {
        return Err(unmet.into());
    }
    let lengths = setting.trace.body_lengths_with_patience(patience)?;
    let length = spelled_out(&setting.trace.stem, &lengths, patience)?;
    Ok(Replayed {
        setting,
        memo,
        lengths,
        length,
        end,
        states,
        lasso,
    })
}

/// Two turns of an infinite run that is where its turn starts. The execution is left at the
/// end of the first.
fn replay_turn<'a>(
    setting: &'a Setting<'_>,
    run: &mut Run<'a, '_>,
    memo: &mut Memo,
    patience: &mut Patience<'_>,
) -> Result<Lasso, Unreplayed> {
    let steps = setting.trace.turn_steps();
    let fail = |reason| Mismatch {
        part: Part::Turn,
        step: steps.len(),
        reason,
    };
    let depth = run.configuration().stack.len();
    if steps.is_empty() {
        let over = depth == 1 && setting.machine.at_exit(run.configuration());
        if !over {
            return Err(fail(Reason::NotOver).into());
        }
    }
    // What goes round is looked at only when it is known to be there: all its edges exist then.
    let began = Configuration {
        globals: run.configuration().globals.clone(),
        stack: vec![run.configuration().top().clone()],
    };
    while !run.at_end() {
        patience.step()?;
        run.go_on(memo)?;
    }
    let start = Start::of(setting, &began, patience)?;
    if !start.is_met_by(&setting.machine, run.configuration()) {
        return Err(fail(Reason::NoTurn).into());
    }
    let word = run.take_record().and_then(crate::record::Record::into_word);
    let mut second = run.above();
    second.turn_again();
    while !second.at_end() {
        patience.step()?;
        second.go_on(memo)?;
    }
    if !start.is_met_by(&setting.machine, second.configuration()) {
        return Err(fail(Reason::NoTurn).into());
    }
    let lengths = setting.trace.body_lengths_with_patience(patience)?;
    Ok(Lasso {
        word: word.ok_or_else(|| fail(Reason::NoTurn))?,
        depth,
        frames: run.configuration().stack.len() - depth,
        length: spelled_out(steps, &lengths, patience)?,
    })
}

/// Where a turn starts, as far as it matters.
struct Start {
    point: Point,
    values: Vec<(VarRef, Box<[u64]>)>,
}

impl Start {
    fn of(
        setting: &Setting<'_>,
        configuration: &Configuration,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let Setting {
            machine,
            trace,
            claim,
            ..
        } = setting;
        let point = configuration.top().point();
        let (program, start) = (machine.program(), point.procedure);
        let needed = needs(program, trace, claim.observed(), start, patience)?;
        let values = needed
            .into_iter()
            .map(|variable| (variable, values(machine, configuration, variable).into()))
            .collect();
        Ok(Start { point, values })
    }

    fn is_met_by(&self, machine: &Machine<'_>, end: &Configuration) -> bool {
        let same = |(variable, before): &(VarRef, Box<[u64]>)| {
            values(machine, end, *variable) == &**before
        };
        end.top().point() == self.point && self.values.iter().all(same)
    }
}

/// The values of a variable in scope.
fn values<'c>(
    machine: &Machine<'_>,
    configuration: &'c Configuration,
    variable: VarRef,
) -> &'c [u64] {
    let frame = configuration.top();
    let all = match variable {
        VarRef::Global(_) => &configuration.globals,
        VarRef::Local(_) => &frame.locals,
    };
    let start = machine.slot(frame.procedure, variable);
    let program = machine.program();
    &all[start..start + program.variable(frame.procedure, variable).slots()]
}

/// What is known of an infinite run that has been replayed.
#[derive(Debug)]
pub struct Lasso {
    word: Word,
    depth: usize,
    frames: usize,
    length: u64,
}

impl Lasso {
    /// What was observed: a letter for each configuration, with a bit for each condition of
    /// the claim. The turn begins with the configuration in which the trace's turn begins.
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// How many frames the stack has where the turn starts.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many frames each turn leaves on the stack: in the configuration after one turn,
    /// those from the one in which the turn began. None if the stack stays finite.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The number of steps of a turn when all calls are spelled out; saturating. None if the
    /// run has returned from the main procedure and stays there.
    pub fn length(&self) -> u64 {
        self.length
    }
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
    lasso: Option<Lasso>,
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

    /// The number of steps of the stem when all calls are spelled out; saturating.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of steps of each body when all calls in it are spelled out; saturating.
    pub fn body_lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// The last configuration; of an infinite run the one after the first turn.
    pub fn end(&self) -> &Configuration {
        &self.end
    }

    /// What is known of the turn, if the run is infinite.
    pub fn lasso(&self) -> Option<&Lasso> {
        self.lasso.as_ref()
    }

    /// The states the monitor can be in at the end (sorted), if there is a monitor.
    pub fn end_states(&self) -> Option<&[u32]> {
        self.setting.claim.monitor().map(|_| &self.states[..])
    }

    /// A walk along the run, at its beginning. It ends after one turn of an infinite run.
    pub fn walk(&self) -> Walk<'_, 'p> {
        Walk::new(
            Run::new(&self.setting, false).expect("it has started before"),
            &self.memo,
            self,
        )
    }
}
