//! Trial runs: a program is run with made-up inputs, in the hope that it fails.
//!
//! A search keeps every state that it has seen, which is too much for a program with an array of a
//! hundred thousand numbers or a loop of a million rounds; one run keeps one state. Nothing follows
//! from runs that do not fail.

use recurva_cir::interpret::RandomNumbers;
use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::{
    Action, Binary, EdgeId, Op, Patience, Point, ProcId, Program, Stop, Type,
    semantics::{Blocked, Configuration, Machine},
};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// How many runs at most.
    pub runs: u32,
    /// How many steps all of them may have together. Each run may have half of what is left.
    pub steps: u64,
    /// The same number makes the same choices.
    pub seed: u64,
}

impl Default for Trials {
    fn default() -> Self {
        Trials {
            runs: 1 << 12,
            steps: 1 << 18,
            seed: 1,
        }
    }
}

/// So many calls may be under way at once in a trial.
const DEPTH: usize = 1 << 16;

/// A run to one of the points, if one was met with. The trace is a claim like any engine's: it is to be
/// replayed.
///
/// # Errors
///
/// If patience ends.
pub fn trial_runs(
    program: &Program,
    points: &[Point],
    trials: Trials,
    patience: &mut Patience<'_>,
) -> Result<Option<Trace>, Stop> {
    let machine = Machine::new(program);
    let mut is_target: Vec<Vec<bool>> = (program.procedures().iter())
        .map(|procedure| vec![false; procedure.nodes.len()])
        .collect();
    for point in points {
        is_target[point.procedure.index()][point.node.index()] = true;
    }
    let mut dice = Dice {
        numbers: RandomNumbers::new(trials.seed),
        constants: constants(program),
        habit: Habit::Zero,
    };
    let mut left = trials.steps;
    for number in 0..trials.runs {
        dice.habit = Habit::of(number);
        let mut trial = Trial {
            machine: &machine,
            dice: &mut dice,
            is_target: &is_target,
            open: vec![Vec::new()],
            bodies: Vec::new(),
            steps: 0,
        };
        let found = trial.run(left / 2, patience)?;
        left = left.saturating_sub(trial.steps.max(1));
        if found.is_some() || left < 2 {
            return Ok(found);
        }
    }
    Ok(None)
}

/// How inputs are made up during one run.
#[derive(Clone, Copy, Debug)]
enum Habit {
    /// All are 0.
    Zero,
    /// All are 1.
    One,
    /// Small numbers.
    Small,
    /// Numbers that the program compares something with, and their neighbours.
    Known,
    /// Any of these, and any numbers at all.
    Mixed,
}

impl Habit {
    fn of(run: u32) -> Self {
        match run {
            0 => Habit::Zero,
            1 => Habit::One,
            _ => match run % 3 {
                0 => Habit::Small,
                1 => Habit::Known,
                _ => Habit::Mixed,
            },
        }
    }
}

struct Dice {
    numbers: RandomNumbers,
    /// The constants of the program, by which numbers are made up.
    constants: Vec<u64>,
    habit: Habit,
}

impl Dice {
    fn number(&mut self) -> u64 {
        self.numbers.number()
    }

    fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    fn value(&mut self, ty: Type) -> u64 {
        let habit = match self.habit {
            Habit::Mixed => [Habit::Zero, Habit::Small, Habit::Known, Habit::Mixed][self.below(4)],
            habit => habit,
        };
        let value = match habit {
            Habit::Zero => 0,
            Habit::One => 1,
            Habit::Small => self.number() % 8,
            Habit::Known if self.constants.is_empty() => self.number() % 8,
            Habit::Known => {
                let at = self.below(self.constants.len());
                let near = self.number() % 3;
                self.constants[at].wrapping_add(near).wrapping_sub(1)
            }
            Habit::Mixed => self.number(),
        };
        ty.wrap(value)
    }
}

/// The constants that a program compares something with.
fn constants(program: &Program) -> Vec<u64> {
    let mut found = Vec::new();
    for edge in program.procedures().iter().flat_map(|it| &it.edges) {
        for expr in edge.expressions() {
            let is_compared =
                |op: &Op| matches!(op, Op::Binary(it, _) if Binary::is_comparison(*it));
            if !expr.ops().iter().any(is_compared) {
                continue;
            }
            found.extend(expr.ops().iter().filter_map(|op| match *op {
                // As wide as it may be needed elsewhere.
                Op::Const(value, ty) if ty.is_signed() => Some(ty.sign_extend(value) as u64),
                Op::Const(value, ty) if ty != Type::Bool => Some(value),
                _ => None,
            }));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// One run.
struct Trial<'t, 'p> {
    machine: &'t Machine<'p>,
    dice: &'t mut Dice,
    is_target: &'t [Vec<bool>],
    /// The steps of each call that is under way.
    open: Vec<Vec<Step>>,
    bodies: Vec<Body>,
    steps: u64,
}

impl Trial<'_, '_> {
    fn run(&mut self, most: u64, patience: &mut Patience<'_>) -> Result<Option<Trace>, Stop> {
        let main = self.machine.program().main();
        let globals = self.values(self.machine.global_types());
        let locals = self.values(self.machine.local_types(main));
        let Ok(mut now) = self.machine.start(&globals, &locals) else {
            return Ok(None);
        };
        while self.steps < most {
            patience.step()?;
            self.steps += 1;
            let point = now.top().point();
            if self.is_target[point.procedure.index()][point.node.index()] {
                return Ok(Some(self.trace(globals, locals)));
            }
            let goes_on = match self.machine.at_exit(&now) {
                true => self.leave(&mut now, point.procedure),
                false => now.stack.len() < DEPTH && self.take(&mut now, point),
            };
            if !goes_on {
                break;
            }
        }
        Ok(None)
    }

    fn values(&mut self, types: &[Type]) -> Box<[u64]> {
        types.iter().map(|&ty| self.dice.value(ty)).collect()
    }

    /// Takes one of the edges that can be taken, if there is one.
    fn take(&mut self, now: &mut Configuration, point: Point) -> bool {
        let program = self.machine.program();
        let count = program.edges_from(point).count();
        if count == 0 {
            return false;
        }
        let first = match count {
            1 => 0,
            _ => self.dice.below(count),
        };
        let edges = || program.edges_from(point).map(|(id, _)| id);
        for id in edges().skip(first).chain(edges().take(first)) {
            let types = self.machine.choices(point.procedure, id);
            let choices = self.values(&types);
            match self.machine.step(now, id, &choices) {
                Ok(()) => {
                    self.took(point.procedure, id, choices);
                    return true;
                }
                Err(Blocked::Guard | Blocked::Fault) => {}
                Err(_) => return false,
            }
        }
        false
    }

    fn took(&mut self, procedure: ProcId, edge: EdgeId, choices: Box<[u64]>) {
        let action = &self.machine.program().edge(procedure, edge).action;
        let is_call = matches!(action, Action::Call { .. });
        let via = match is_call {
            true => Via::Into,
            false => Via::Internal,
        };
        if let Some(steps) = self.open.last_mut() {
            steps.push(Step { edge, choices, via });
        }
        if is_call {
            self.open.push(Vec::new());
        }
    }

    /// Returns from a call, whose steps become a body. Whether there is a caller.
    fn leave(&mut self, now: &mut Configuration, procedure: ProcId) -> bool {
        if self.machine.step_return(now).is_err() {
            return false;
        }
        let steps = self.open.pop().unwrap_or_default();
        self.bodies.push(Body { procedure, steps });
        let call = self.open.last_mut().and_then(|steps| steps.last_mut());
        if let Some(call) = call {
            call.via = Via::Through(BodyId(self.bodies.len() as u32 - 1));
        }
        true
    }

    fn trace(&mut self, globals: Box<[u64]>, locals: Box<[u64]>) -> Trace {
        Trace {
            globals,
            locals,
            bodies: std::mem::take(&mut self.bodies),
            stem: std::mem::take(&mut self.open)
                .into_iter()
                .flatten()
                .collect(),
            turn: None,
        }
    }
}
