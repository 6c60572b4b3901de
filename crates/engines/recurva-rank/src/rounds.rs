//! Rounds of loops that were seen: what ranks were at their beginning and at their end.

use recurva_evidence::{Claim, Trace, replay_with_patience};
use recurva_model::{
    Expr, Op, Patience, Point, ProcId, Stop, Type, VarRef,
    semantics::{Configuration, Machine},
};

use crate::{Pool, Ranked};

/// One round of a loop: the values of all ranks of its pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// When ranks were kept.
    pub before: Vec<i128>,
    /// When they were compared with those.
    pub after: Vec<i128>,
}

/// How many rounds of one loop are kept.
const MOST: usize = 200;

/// How many runs are tried, and how many steps each may have.
const RUNS: usize = 400;
const STEPS: usize = 600;
const DEPTH: usize = 60;

/// Watches configurations of a ranked program go by.
struct Watch<'a> {
    ranked: &'a Ranked,
    pools: &'a [Pool],
    machine: &'a Machine<'a>,
    /// For each loop the ranks that were kept.
    kept: Vec<Option<Vec<i128>>>,
    seen: Vec<Vec<Seen>>,
}

impl<'a> Watch<'a> {
    fn new(ranked: &'a Ranked, pools: &'a [Pool], machine: &'a Machine<'a>) -> Self {
        Watch {
            ranked,
            pools,
            machine,
            kept: vec![None; pools.len()],
            seen: vec![Vec::new(); pools.len()],
        }
    }

    fn look(&mut self, configuration: &Configuration) {
        let top = configuration.top();
        if top.procedure != ProcId(0) {
            return;
        }
        let here = top.point();
        let rounds = self.ranked.rounds.iter().zip(self.pools).enumerate();
        for (index, (round, pool)) in rounds {
            let holds = |(variable, wanted): (VarRef, u64)| {
                let slot = self.machine.slot(ProcId(0), variable);
                top.locals.get(slot) == Some(&wanted)
            };
            let is_fresh = round.fresh.is_some_and(|it| holds((it, 1)));
            let begins = here == round.enter || here == round.check && is_fresh;
            let is_due = here == round.check && !is_fresh && round.due.is_none_or(holds);
            if !begins && !is_due {
                continue;
            }
            let values = pool.values(
                self.ranked,
                self.machine,
                &configuration.globals,
                &top.locals,
            );
            let before = self.kept[index].replace(values.clone());
            let (true, Some(before)) = (is_due, before) else {
                continue;
            };
            let seen = Seen {
                before,
                after: values,
            };
            let list = &mut self.seen[index];
            if list.len() < MOST && !list.contains(&seen) {
                list.push(seen);
            }
        }
    }
}

impl Ranked {
    /// The rounds of each loop along a run of this program. The last round of a run to a failure is
    /// among them.
    ///
    /// # Errors
    ///
    /// If patience ends.
    pub fn rounds_of(
        &self,
        trace: Trace,
        pools: &[Pool],
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Vec<Seen>>, Stop> {
        let claim = Claim::Reaches(self.targets.clone());
        let Ok(replayed) = replay_with_patience(&self.program, trace, &claim, patience) else {
            return Ok(vec![Vec::new(); pools.len()]);
        };
        let machine = Machine::new(&self.program);
        let mut watch = Watch::new(self, pools, &machine);
        let mut walk = replayed.walk();
        loop {
            patience.work(4)?;
            watch.look(walk.configuration());
            if !walk.step_over() {
                return Ok(watch.seen);
            }
        }
    }

    /// The loop that a run to a target fails in, if it does not come to a limit.
    pub fn failing(&self, end: Point) -> Option<usize> {
        self.rounds.iter().position(|it| it.fail == end)
    }
}

/// Tries out some runs of a program whose loops have no ranks, and gives the rounds that were seen of each.
///
/// # Errors
///
/// If patience ends.
pub fn simulate(
    ranked: &Ranked,
    pools: &[Pool],
    patience: &mut Patience<'_>,
) -> Result<Vec<Vec<Seen>>, Stop> {
    let machine = Machine::new(&ranked.program);
    let mut watch = Watch::new(ranked, pools, &machine);
    let mut dice = Dice::new(ranked);
    for _ in 0..RUNS {
        watch.follow(None, &mut dice, patience)?;
    }
    Ok(watch.seen)
}

/// The same for runs that begin at the head of a loop, with any values: rounds that may be none of the
/// program, but show what its loops do.
///
/// # Errors
///
/// If patience ends.
pub fn simulate_loops(
    ranked: &Ranked,
    pools: &[Pool],
    patience: &mut Patience<'_>,
) -> Result<Vec<Vec<Seen>>, Stop> {
    let machine = Machine::new(&ranked.program);
    let mut watch = Watch::new(ranked, pools, &machine);
    let mut dice = Dice::new(ranked);
    for round in &ranked.rounds {
        for _ in 0..RUNS {
            watch.follow(Some(round.enter), &mut dice, patience)?;
        }
    }
    Ok(watch.seen)
}

impl Watch<'_> {
    /// Watches a run at random, from the beginning or from a node.
    fn follow(
        &mut self,
        from: Option<Point>,
        dice: &mut Dice,
        patience: &mut Patience<'_>,
    ) -> Result<(), Stop> {
        self.kept.fill(None);
        let globals = dice.values(self.machine.global_types());
        let locals = dice.values(self.machine.local_types(ProcId(0)));
        let Ok(mut now) = self.machine.start(&globals, &locals) else {
            return Ok(());
        };
        if let (Some(from), Some(top)) = (from, now.stack.last_mut()) {
            top.node = from.node;
        }
        for _ in 0..STEPS {
            patience.work(16)?;
            self.look(&now);
            let mut rounds = self.ranked.rounds.iter();
            let failed = rounds.find(|it| now.top().point() == it.fail);
            if let Some(round) = failed {
                // It goes on as if ranks had fallen.
                if let Some(top) = now.stack.last_mut() {
                    top.node = round.enter.node;
                }
            } else if !step(self.machine, &mut now, dice) || now.stack.len() > DEPTH {
                break;
            }
        }
        Ok(())
    }
}

/// Takes any step that is possible. Whether one was found.
fn step(machine: &Machine<'_>, now: &mut Configuration, dice: &mut Dice) -> bool {
    if machine.at_exit(now) {
        return machine.step_return(now).is_ok();
    }
    let point = now.top().point();
    let edges = machine.program().edges_from(point);
    let edges: Vec<_> = edges.map(|(id, _)| id).collect();
    if edges.is_empty() {
        return false;
    }
    let first = dice.below(edges.len() as u64) as usize;
    for round in 0..3 {
        for place in 0..edges.len() {
            let edge = edges[(first + place) % edges.len()];
            let types = machine.choices(point.procedure, edge);
            // Without choices it is as it was the first time.
            if round > 0 && types.is_empty() {
                continue;
            }
            let choices = dice.values(&types);
            if machine.step(now, edge, &choices).is_ok() {
                return true;
            }
        }
    }
    false
}

/// Values for what is open: small ones, those of the program's own constants, and any.
struct Dice {
    state: u64,
    constants: Vec<u64>,
}

impl Dice {
    fn new(ranked: &Ranked) -> Self {
        let procedures = ranked.program.procedures().iter();
        let edges = procedures.flat_map(|it| &it.edges);
        let ops = edges.flat_map(|it| it.expressions().flat_map(Expr::ops));
        let mut constants: Vec<u64> = ops
            .filter_map(|op| match op {
                Op::Const(value, Type::Int { .. }) => Some(*value),
                _ => None,
            })
            .collect();
        constants.sort_unstable();
        constants.dedup();
        Dice {
            state: 0x9e37_79b9_7f4a_7c15,
            constants,
        }
    }

    /// The next number of a fixed sequence (xorshift).
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn values(&mut self, types: &[Type]) -> Vec<u64> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    fn value(&mut self, ty: Type) -> u64 {
        let raw = match self.below(16) {
            0..=7 => self.below(10),
            8..=9 => self.below(4).wrapping_neg(),
            10..=12 if !self.constants.is_empty() => {
                let place = self.below(self.constants.len() as u64) as usize;
                self.constants[place]
                    .wrapping_add(self.below(3))
                    .wrapping_sub(1)
            }
            13 => self.below(1000),
            // The largest and the smallest signed numbers, and what is next to them.
            14 => (ty.mask() >> 1).wrapping_add(self.below(4)).wrapping_sub(1),
            _ => self.next(),
        };
        ty.wrap(raw)
    }
}
