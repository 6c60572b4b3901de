//! Values seen in random runs.

use std::collections::BTreeMap;

use recurva_certificate::formula::{Values, When};
use recurva_encode::Joints;
use recurva_model::{
    Action, Edge, EdgeId, Expr, Op, Patience, Point, ProcId, Program, Stop, Type, VarRef,
    semantics::{Configuration, Machine},
};
use rustc_hash::FxHashSet;

/// So many runs are made, of so many steps each and so many together; fewer if so many in a row show
/// nothing new.
const RUNS: usize = 300;
const STEPS: usize = 20_000;
const ALL_STEPS: usize = 300_000;
const IN_VAIN: usize = 30;

/// So many different values are kept of a node, and so many of one run, which may be long; and a few more
/// of invocations near the main procedure, which are rare where deep ones are many.
const KEPT: usize = 250;
const OF_A_RUN: usize = 40;
const NEAR_MAIN: usize = 100;
const NEAR: usize = 8;

/// The values at a node, and those when its invocation began.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sample {
    entry: (Box<[u64]>, Box<[u64]>),
    now: (Box<[u64]>, Box<[u64]>),
}

/// All that was seen.
pub(crate) struct Samples<'p> {
    machine: Machine<'p>,
    seen: BTreeMap<Point, Vec<Sample>>,
    /// Numbers that stand in the program, for each type.
    constants: Vec<i128>,
}

/// A sample as values for a formula.
pub(crate) struct Read<'a, 'p> {
    machine: &'a Machine<'p>,
    procedure: ProcId,
    sample: &'a Sample,
}

impl Values for Read<'_, '_> {
    fn value(&self, variable: VarRef, when: When, element: u64) -> Option<i128> {
        let declared = self.machine.program().variable(self.procedure, variable);
        if element >= declared.slots() as u64 {
            return None;
        }
        let (globals, locals) = match when {
            When::Entry => &self.sample.entry,
            When::Now => &self.sample.now,
        };
        let slot = self.machine.slot(self.procedure, variable) + element as usize;
        let value = match variable {
            VarRef::Global(_) => globals.get(slot),
            VarRef::Local(_) => locals.get(slot),
        };
        value.map(|&it| declared.ty.to_number(it))
    }

    fn is_bool(&self, variable: VarRef) -> bool {
        self.machine.program().variable(self.procedure, variable).ty == Type::Bool
    }
}

/// What earlier runs did.
#[derive(Default)]
struct History {
    known: FxHashSet<(Point, Sample)>,
    /// How often each edge was taken.
    visits: BTreeMap<(ProcId, EdgeId), u32>,
}

impl<'p> Samples<'p> {
    /// Runs the program.
    pub(crate) fn new(
        program: &'p Program,
        joints: &Joints,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let mut constants: Vec<i128> = program
            .procedures()
            .iter()
            .flat_map(|it| &it.edges)
            .flat_map(Edge::expressions)
            .flat_map(Expr::ops)
            .filter_map(|op| match *op {
                Op::Const(value, ty @ Type::Int { .. }) => Some(ty.to_number(value)),
                _ => None,
            })
            .chain([0, 1])
            .collect();
        constants.sort_unstable();
        constants.dedup();
        let mut samples = Samples {
            machine: Machine::new(program),
            seen: BTreeMap::new(),
            constants,
        };
        let mut random = Random(0x5eed);
        let mut history = History::default();
        let mut left = ALL_STEPS;
        let mut in_vain = 0;
        for _ in 0..RUNS {
            let before = history.known.len();
            let most = left.min(STEPS);
            left -= samples.run(joints, &mut random, &mut history, most, patience)?;
            in_vain = match history.known.len() == before {
                true => in_vain + 1,
                false => 0,
            };
            if left == 0 || in_vain == IN_VAIN {
                break;
            }
        }
        Ok(samples)
    }

    pub(crate) fn constants(&self) -> &[i128] {
        &self.constants
    }

    pub(crate) fn at(&self, point: Point) -> Vec<Read<'_, 'p>> {
        let seen = self.seen.get(&point).map_or(&[][..], |it| it);
        let read = |sample| Read {
            machine: &self.machine,
            procedure: point.procedure,
            sample,
        };
        seen.iter().map(read).collect()
    }

    /// Makes a run of at most so many steps. How many it has.
    fn run(
        &mut self,
        joints: &Joints,
        random: &mut Random,
        history: &mut History,
        most: usize,
        patience: &mut Patience<'_>,
    ) -> Result<usize, Stop> {
        let program = self.machine.program();
        let globals = self.values(random, self.machine.global_types());
        let locals = self.values(random, self.machine.local_types(program.main()));
        let Ok(mut configuration) = self.machine.start(&globals, &locals) else {
            return Ok(1.min(most));
        };
        let entered = |configuration: &Configuration| {
            let locals = configuration.top().locals.clone();
            (configuration.globals.clone(), locals)
        };
        let mut entries = vec![entered(&configuration)];
        let mut of_this_run: BTreeMap<Point, usize> = BTreeMap::new();
        for step in 0..most {
            patience.step()?;
            let point = configuration.top().point();
            if joints.contains(point)
                && let Some(entry) = entries.last()
            {
                let list = self.seen.entry(point).or_default();
                let of_this_run = of_this_run.entry(point).or_default();
                let (of_one, of_all) = match (2..=NEAR).contains(&entries.len()) {
                    true => (NEAR_MAIN, KEPT + NEAR_MAIN),
                    false => (OF_A_RUN, KEPT),
                };
                if *of_this_run < of_one && list.len() < of_all {
                    let sample = Sample {
                        entry: entry.clone(),
                        now: entered(&configuration),
                    };
                    if history.known.insert((point, sample.clone())) {
                        list.push(sample);
                        *of_this_run += 1;
                    }
                }
            }
            if self.machine.at_exit(&configuration) {
                if self.machine.step_return(&mut configuration).is_err() {
                    return Ok(step + 1);
                }
                entries.pop();
                continue;
            }
            let mut edges: Vec<(u32, u32, EdgeId)> = program
                .edges_from(point)
                .map(|(edge, _)| {
                    let count = history
                        .visits
                        .get(&(point.procedure, edge))
                        .copied()
                        .unwrap_or(0);
                    let rank = if random.below(3) == 0 { count } else { 0 };
                    (rank, random.below(1 << 16) as u32, edge)
                })
                .collect();
            edges.sort_unstable();
            let mut has_gone = false;
            'edges: for _ in 0..4 {
                for &(_, _, edge) in &edges {
                    let types = self.machine.choices(point.procedure, edge);
                    let choices = self.values(random, &types);
                    if self
                        .machine
                        .step(&mut configuration, edge, &choices)
                        .is_ok()
                    {
                        *history.visits.entry((point.procedure, edge)).or_default() += 1;
                        let action = &program.edge(point.procedure, edge).action;
                        if let Action::Call { .. } = action {
                            entries.push(entered(&configuration));
                        }
                        has_gone = true;
                        break 'edges;
                    }
                }
            }
            if !has_gone {
                return Ok(step + 1);
            }
        }
        Ok(most)
    }

    fn values(&self, random: &mut Random, types: &[Type]) -> Vec<u64> {
        let value = |&ty: &Type| {
            let number = match random.below(8) {
                0 => random.next() as i128,
                1..=3 => i128::from(random.below(12)) - 2,
                _ => {
                    let at = random.below(self.constants.len() as u64) as usize;
                    self.constants[at] + i128::from(random.below(3)) - 1
                }
            };
            ty.wrap(number as u64)
        };
        types.iter().map(value).collect()
    }
}

/// Numbers that are the same each time (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
