//! What watches a run: a finite automaton whose state is one more variable.
//!
//! The observer reads every configuration once. Its state goes along like a global that
//! every procedure changes: a procedure's summary relates the state before its entry is read
//! to the state after its exit is read.

use recurva_model::{Binary, Expr, Guard, Monitor, MonitorEdge, Op, Point, Type};

use crate::{
    eval::{Evaluator, Known, Values, Written},
    layout::{Copy, Layout},
    space::{Bdd, Res, Space},
    steps::{Steps, rename},
};

/// A finite automaton that reads every configuration of a run.
pub(crate) struct Observer<'p> {
    /// How many states it has.
    states: u32,
    /// The states before the first configuration is read.
    pub(crate) initial: Vec<u32>,
    /// The states that are asked for.
    pub(crate) targets: Vec<u32>,
    edges: &'p [MonitorEdge],
}

impl<'p> Observer<'p> {
    /// A monitor as an observer.
    pub(crate) fn of_monitor(monitor: &'p Monitor) -> Self {
        let targets = monitor.states().iter().zip(0..);
        Observer {
            states: monitor.states().len() as u32,
            initial: vec![monitor.initial()],
            targets: targets
                .filter_map(|(state, number)| state.target.then_some(number))
                .collect(),
            edges: monitor.edges(),
        }
    }

    /// The observer of nothing: one state and no way out of it.
    pub(crate) fn blind() -> Self {
        Observer {
            states: 1,
            initial: vec![0],
            targets: Vec::new(),
            edges: &[],
        }
    }

    /// The number of states.
    pub(crate) fn states(&self) -> u32 {
        self.states
    }

    /// How many bits hold its state.
    pub(crate) fn bits(&self) -> u8 {
        (u32::BITS - (self.states.saturating_sub(1)).leading_zeros()) as u8
    }

    /// The guards that it reads.
    pub(crate) fn guards(&self) -> Vec<&'p Guard> {
        self.edges.iter().map(|edge| &edge.guard).collect()
    }

    /// Whether it may move at a node, as far as can be told without any values.
    pub(crate) fn may_move(&self, point: Point) -> bool {
        self.edges
            .iter()
            .any(|edge| edge.from != edge.to && may_hold(&edge.guard.at(point)))
    }

    /// The valuations in which a copy of its state is one of these.
    pub(crate) fn any_of(
        &self,
        space: &Space,
        layout: &Layout,
        copy: Copy,
        states: &[u32],
    ) -> Res<Bdd> {
        let mut any = space.falsity();
        for &state in states {
            let values = layout.observer().enumerate();
            let values = values.map(|(bit, no)| (layout.var(no, copy), state >> bit & 1 == 1));
            any = space.or(&any, &space.literals(values.collect())?)?;
        }
        Ok(any)
    }

    /// What it does when it reads a configuration at a node: the relation between the values
    /// there, its state before and its state after (the next copy). `None` if it stays.
    pub(crate) fn relation(&self, space: &Space, layout: &Layout, at: Point) -> Res<Option<Bdd>> {
        if !self.may_move(at) {
            return Ok(None);
        }
        let evaluator = Evaluator {
            space,
            layout,
            procedure: at.procedure,
            known: &Known::default(),
        };
        let nothing = Written::default();
        let values = Values {
            now: &nothing,
            next: &nothing,
            choices: &[],
        };
        let mut relation = space.falsity();
        for state in 0..self.states {
            let mut moves = space.falsity();
            let mut stays = space.truth();
            for edge in self.edges.iter().filter(|edge| edge.from == state) {
                let guard = evaluator.eval(&edge.guard.at(at), &values)?.holds(space)?;
                let to = self.any_of(space, layout, Copy::Next, &[edge.to])?;
                moves = space.or(&moves, &space.and(&guard, &to)?)?;
                stays = space.minus(&stays, &guard)?;
            }
            let here = self.any_of(space, layout, Copy::Now, &[state])?;
            let same = self.any_of(space, layout, Copy::Next, &[state])?;
            moves = space.or(&moves, &space.and(&stays, &same)?)?;
            relation = space.or(&relation, &space.and(&here, &moves)?)?;
        }
        Ok(Some(relation))
    }

    /// The image under [`Self::relation`].
    pub(crate) fn steps(space: &Space, layout: &Layout, relation: &Bdd) -> Res<Steps> {
        let now = layout.observer().map(|bit| layout.var(bit, Copy::Now));
        let cube = space.cube(now.collect())?;
        let pairs = layout
            .observer()
            .map(|bit| (layout.var(bit, Copy::Next), layout.var(bit, Copy::Now)));
        let back = rename(space, &pairs.collect::<Vec<_>>())?;
        Ok(Steps::from(vec![(relation.clone(), cube), back]))
    }
}

/// What is known about a value without knowing any variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guess {
    Value(u64),
    Fault,
    Nothing,
}

/// Whether a guard may hold at all.
fn may_hold(guard: &Expr) -> bool {
    let mut stack: Vec<Guess> = Vec::new();
    for &op in guard.ops() {
        let mut pop = || stack.pop().unwrap_or(Guess::Nothing);
        let map = |known, f: &dyn Fn(u64) -> u64| match known {
            Guess::Value(value) => Guess::Value(f(value)),
            other => other,
        };
        let known = match op {
            Op::Const(value, _) => Guess::Value(value),
            Op::Read(_) | Op::ReadNext(_) | Op::Any(..) => Guess::Nothing,
            Op::Index(_) | Op::IndexNext(_) => match pop() {
                Guess::Fault => Guess::Fault,
                _ => Guess::Nothing,
            },
            Op::Unary(operator, ty) => map(pop(), &|value| operator.apply(ty, value)),
            Op::Convert(from, to) => map(pop(), &|value| recurva_model::convert(from, to, value)),
            Op::Faults => match pop() {
                Guess::Value(_) => Guess::Value(0),
                Guess::Fault => Guess::Value(1),
                Guess::Nothing => Guess::Nothing,
            },
            Op::Undefined(_) => Guess::Fault,
            Op::UndefinedElement(_) => {
                pop();
                Guess::Fault
            }
            Op::Binary(operator, ty) => {
                let (right, left) = (pop(), pop());
                join(operator, ty, left, right)
            }
        };
        stack.push(known);
    }
    !matches!(stack.pop(), Some(Guess::Value(0) | Guess::Fault))
}

fn join(operator: Binary, ty: Type, left: Guess, right: Guess) -> Guess {
    let early = operator.early(ty);
    match (left, right) {
        (Guess::Fault, _) => Guess::Fault,
        (Guess::Value(value), _) if early.is_some_and(|(decides, _)| decides == value) => {
            Guess::Value(early.map_or(0, |(_, result)| result))
        }
        (Guess::Value(a), Guess::Value(b)) => {
            operator.apply(ty, a, b).map_or(Guess::Fault, Guess::Value)
        }
        (Guess::Value(_), Guess::Fault) => Guess::Fault,
        (Guess::Nothing, Guess::Fault) if early.is_none() => Guess::Fault,
        _ => Guess::Nothing,
    }
}
