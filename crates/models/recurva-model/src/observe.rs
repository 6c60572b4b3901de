//! Observations of a program from outside: guards over variables, labels and procedures, and
//! the monitors made of them (Vera paper, §5, "Specifying properties").

use crate::{
    Expr, Malformed, Op, Program, Type,
    program::{Origin, Point, ProcId, VarRef},
    validate::validate_observation,
};

/// A boolean expression that can be read at every node of a program. Postfix, as [`Expr`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    ops: Box<[GuardOp]>,
}

/// One operator or operand of a [`Guard`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GuardOp {
    /// An operator, constant or global variable.
    Plain(Op),
    /// `@label`: control is at one of these nodes (sorted).
    At(Box<[Point]>),
    /// `in(proc)`: the current frame is that procedure's.
    In(ProcId),
    /// `proc::local`, of that type. A fault while another procedure is running.
    Local(ProcId, u32, Type),
    /// `proc::local[index]`: pops the index. A fault while another procedure is running.
    LocalIndex(ProcId, u32, Type),
}

impl Guard {
    /// A guard from its postfix form. [`Monitor::new`] checks it.
    pub fn new(ops: impl Into<Box<[GuardOp]>>) -> Self {
        Guard { ops: ops.into() }
    }

    /// The operators, operands first.
    pub fn ops(&self) -> &[GuardOp] {
        &self.ops
    }

    /// The guard as it reads at one node: an expression over the variables in scope there.
    /// Where the expression faults the guard does not hold.
    pub fn at(&self, point: Point) -> Expr {
        let mut ops = Vec::with_capacity(self.ops.len());
        for op in &*self.ops {
            ops.push(match *op {
                GuardOp::Plain(op) => op,
                GuardOp::At(ref points) => {
                    Op::Const(u64::from(points.binary_search(&point).is_ok()), Type::Bool)
                }
                GuardOp::In(procedure) => {
                    Op::Const(u64::from(procedure == point.procedure), Type::Bool)
                }
                GuardOp::Local(procedure, local, _) if procedure == point.procedure => {
                    Op::Read(VarRef::Local(local))
                }
                GuardOp::LocalIndex(procedure, local, _) if procedure == point.procedure => {
                    Op::Index(VarRef::Local(local))
                }
                GuardOp::Local(_, _, ty) => Op::Undefined(ty),
                GuardOp::LocalIndex(_, _, ty) => Op::UndefinedElement(ty),
            });
        }
        Expr::new(ops)
    }
}

/// Checks that a guard can be read at every node of a program.
pub(crate) fn check_guard(program: &Program, guard: &Guard) -> Result<(), Malformed> {
    for (index, procedure) in program.procedures().iter().enumerate() {
        let point = Point {
            procedure: ProcId(index as u32),
            node: procedure.entry,
        };
        validate_observation(program.parts(), procedure, &guard.at(point))?;
    }
    Ok(())
}

/// An edge of a [`Monitor`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorEdge {
    /// The state it leaves.
    pub from: u32,
    /// The state it leads to.
    pub to: u32,
    /// When it may be taken.
    pub guard: Guard,
    /// Where it is written.
    pub origin: Origin,
}

/// A state of a [`Monitor`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorState {
    /// The name.
    pub name: Box<str>,
    /// Reaching this state is what the monitor warns of.
    pub target: bool,
    /// Being in this state infinitely often is what the monitor warns of.
    pub repeating: bool,
}

/// A finite automaton that watches a run. It reads every configuration once, the first one
/// included: on each it takes an edge whose guard holds there, any one of several, or stays
/// where it is if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    name: Box<str>,
    states: Vec<MonitorState>,
    initial: u32,
    edges: Vec<MonitorEdge>,
}

impl Monitor {
    /// Sorts the edges by where they start and checks that the parts fit each other and the
    /// program.
    pub fn new(
        program: &Program,
        name: impl Into<Box<str>>,
        states: Vec<MonitorState>,
        initial: u32,
        mut edges: Vec<MonitorEdge>,
    ) -> Result<Self, Malformed> {
        let bad = |reason: &str| Malformed::new("monitor", reason);
        let exists = |state: u32| (state as usize) < states.len();
        if !exists(initial) || !edges.iter().all(|e| exists(e.from) && exists(e.to)) {
            return Err(bad("there is no such state"));
        }
        for edge in &edges {
            check_guard(program, &edge.guard)?;
        }
        edges.sort_by_key(|edge| edge.from);
        Ok(Monitor {
            name: name.into(),
            states,
            initial,
            edges,
        })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The states.
    pub fn states(&self) -> &[MonitorState] {
        &self.states
    }

    /// The state before the first configuration is read.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The edges, sorted by the state they leave.
    pub fn edges(&self) -> &[MonitorEdge] {
        &self.edges
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: u32) -> &[MonitorEdge] {
        let start = self.edges.partition_point(|edge| edge.from < state);
        let count = self.edges[start..].partition_point(|edge| edge.from == state);
        &self.edges[start..start + count]
    }
}
