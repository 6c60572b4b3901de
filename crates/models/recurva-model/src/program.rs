//! Programs: extended recursive state machines (Vera paper, §2).
//!
//! A [`Program`] has typed global variables and procedures; a procedure has local variables,
//! nodes and edges. An edge is internal (guard, parallel assignment) or a call (guard,
//! arguments, places for the results). As in the paper each procedure has one entry node
//! without incoming edges and one exit node without outgoing ones: several entries and exits
//! are modelled by parameters and results.
//!
//! Beyond the paper: `*` may stand anywhere in an expression, an assignment may carry a
//! constraint between old and new values, arguments are expressions, and results may go to
//! globals.

use std::ops::Range;

use crate::{
    Expr, FailureKind, Op, Type,
    validate::{Malformed, validate},
};

/// Index of a procedure in [`Program::procedures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(pub u32);

/// Index of a node within its procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Index of an edge within its procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

impl ProcId {
    /// The position in [`Program::procedures`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl NodeId {
    /// The position in [`Procedure::nodes`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// The position in [`Procedure::edges`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a program: a procedure and a node in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The procedure.
    pub procedure: ProcId,
    /// The node in that procedure.
    pub node: NodeId,
}

/// A variable as seen from inside a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    /// Index into [`Program::globals`].
    Global(u32),
    /// Index into the current procedure's [`Procedure::locals`].
    Local(u32),
}

/// Where in the source text something came from: a range of bytes. Empty when it was made
/// up by a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Origin {
    /// The range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether there is no source text behind it.
    pub const fn is_none(self) -> bool {
        self.start == self.end
    }
}

/// A declared variable: a scalar or an array of scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source; braces of `{x==0}` included.
    pub name: Box<str>,
    /// The type of the variable or of an array's elements.
    pub ty: Type,
    /// The number of elements of an array.
    pub len: Option<u32>,
    /// Made by a translation, not written by the user: left out of reports.
    pub hidden: bool,
    /// The declaration.
    pub origin: Origin,
}

impl Variable {
    /// A scalar with that name and type.
    pub fn scalar(name: impl Into<Box<str>>, ty: Type) -> Self {
        Variable {
            name: name.into(),
            ty,
            len: None,
            hidden: false,
            origin: Origin::default(),
        }
    }

    /// An array with that name, element type and length.
    pub fn array(name: impl Into<Box<str>>, ty: Type, len: u32) -> Self {
        Variable {
            len: Some(len),
            ..Variable::scalar(name, ty)
        }
    }

    /// How many scalar values it holds.
    pub fn slots(&self) -> usize {
        self.len.unwrap_or(1) as usize
    }
}

/// What an assignment writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A scalar variable.
    Scalar(VarRef),
    /// An element of an array; the index is evaluated before the step. Out of range, the
    /// step faults.
    Element(VarRef, Expr),
}

impl Place {
    /// The variable that is written, wholly or in part.
    pub fn variable(&self) -> VarRef {
        match *self {
            Place::Scalar(variable) | Place::Element(variable, _) => variable,
        }
    }
}

/// What an edge does once its guard is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Assigns in parallel: all values and indices are computed before the first write, then
    /// written from left to right.
    Assign {
        /// Places and their new values.
        assigns: Vec<(Place, Expr)>,
        /// Must hold between the values before and after the step, else there is no step.
        constraint: Option<Expr>,
    },
    /// Calls a procedure. Control goes on at the edge's target when it returns.
    Call {
        /// The procedure.
        callee: ProcId,
        /// One value for each parameter.
        arguments: Vec<Expr>,
        /// Where each result goes (distinct scalar variables); `None` drops it.
        results: Vec<Option<VarRef>>,
    },
}

impl Action {
    /// The action that does nothing.
    pub fn skip() -> Self {
        Action::Assign {
            assigns: Vec::new(),
            constraint: None,
        }
    }
}

/// An edge of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads; for a call, where control returns to.
    pub to: NodeId,
    /// A boolean expression: the edge can be taken where it holds.
    pub guard: Expr,
    /// What it does.
    pub action: Action,
    /// The statement it came from.
    pub origin: Origin,
}

impl Edge {
    /// An internal edge without guard or effect.
    pub fn skip(from: NodeId, to: NodeId, origin: Origin) -> Self {
        Edge {
            from,
            to,
            guard: Expr::truth(),
            action: Action::skip(),
            origin,
        }
    }

    /// Every expression on the edge, in the order of evaluation.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (assigns, constraint, arguments) = match &self.action {
            Action::Assign {
                assigns,
                constraint,
            } => (&assigns[..], constraint.as_ref(), &[][..]),
            Action::Call { arguments, .. } => (&[][..], None, &arguments[..]),
        };
        let values = assigns.iter().flat_map(|(place, value)| {
            let index = match place {
                Place::Element(_, index) => Some(index),
                Place::Scalar(_) => None,
            };
            index.into_iter().chain([value])
        });
        [&self.guard]
            .into_iter()
            .chain(values)
            .chain(constraint)
            .chain(arguments)
    }

    /// The types of the edge's choices (`*`), by their number.
    pub fn choices(&self) -> Vec<Type> {
        let mut types = Vec::new();
        for op in self.expressions().flat_map(Expr::ops) {
            if let Op::Any(ty, which) = *op {
                let which = which as usize;
                types.resize(types.len().max(which + 1), Type::Bool);
                types[which] = ty;
            }
        }
        types
    }
}

/// A node: a control location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The statement that starts here.
    pub origin: Origin,
}

/// A procedure: a component of the recursive state machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The name in the source.
    pub name: Box<str>,
    /// The local variables; the first [`Self::parameters`] are the inputs. The others are
    /// arbitrary at the entry.
    pub locals: Vec<Variable>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// The locals that hold the results at the exit.
    pub results: Vec<u32>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges; [`Program::new`] sorts them by where they start.
    pub edges: Vec<Edge>,
    /// The entry node; no edge leads there.
    pub entry: NodeId,
    /// The exit node; no edge starts there.
    pub exit: NodeId,
    /// The declaration's head.
    pub origin: Origin,
}

/// A name for a node, by which properties refer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: Box<str>,
    /// The node.
    pub point: Point,
    /// Where the label stands.
    pub origin: Origin,
}

/// A node whose reachability is an error by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// The node reached when it happens; it has no outgoing edges.
    pub point: Point,
    /// The statement or expression that fails.
    pub origin: Origin,
}

/// The parts of a [`Program`], as a front end assembles them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The global variables, arbitrary at the start.
    pub globals: Vec<Variable>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
    /// Where runs begin. Parameters of this procedure are arbitrary.
    pub main: ProcId,
    /// Names for nodes; several nodes may share one.
    pub labels: Vec<Label>,
    /// Nodes that are errors.
    pub failures: Vec<Failure>,
}

/// A checked program: an extended recursive state machine (Vera paper, §2), with `*` anywhere
/// in expressions, constraints on assignments, and results that may go to globals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    parts: Parts,
    /// For each procedure and node, the range of its outgoing edges.
    outgoing: Vec<Vec<Range<u32>>>,
    constants: Vec<(Box<str>, i64)>,
}

impl Program {
    /// Sorts the edges and checks that all parts fit together: indices, types, entry and exit
    /// nodes. Every later stage relies on this and does not check again.
    pub fn new(mut parts: Parts) -> Result<Self, Malformed> {
        validate(&parts)?;
        let mut outgoing = Vec::with_capacity(parts.procedures.len());
        for procedure in &mut parts.procedures {
            procedure.edges.sort_by_key(|edge| edge.from);
            let mut ranges = Vec::with_capacity(procedure.nodes.len());
            let mut start = 0;
            for node in 0..procedure.nodes.len() as u32 {
                let here = procedure.edges[start..]
                    .iter()
                    .take_while(|e| e.from.0 == node);
                let end = start + here.count();
                ranges.push(start as u32..end as u32);
                start = end;
            }
            outgoing.push(ranges);
        }
        Ok(Program {
            parts,
            outgoing,
            constants: Vec::new(),
        })
    }

    /// Gives numbers names, for those who write conditions about the program. They are not among its
    /// parts: a program that is built of those anew has none.
    #[must_use]
    pub fn with_constants(mut self, constants: Vec<(Box<str>, i64)>) -> Self {
        self.constants = constants;
        self
    }

    /// The numbers that have names.
    pub fn constants(&self) -> &[(Box<str>, i64)] {
        &self.constants
    }

    /// The parts back, to change them and build another program.
    pub fn into_parts(self) -> Parts {
        self.parts
    }

    /// The parts, to look at.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The global variables.
    pub fn globals(&self) -> &[Variable] {
        &self.parts.globals
    }

    /// The procedures.
    pub fn procedures(&self) -> &[Procedure] {
        &self.parts.procedures
    }

    /// The procedure where runs begin.
    pub fn main(&self) -> ProcId {
        self.parts.main
    }

    /// The names of nodes.
    pub fn labels(&self) -> &[Label] {
        &self.parts.labels
    }

    /// The nodes that are errors.
    pub fn failures(&self) -> &[Failure] {
        &self.parts.failures
    }

    /// A procedure.
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.parts.procedures[id.index()]
    }

    /// An edge of a procedure.
    pub fn edge(&self, procedure: ProcId, edge: EdgeId) -> &Edge {
        &self.procedure(procedure).edges[edge.index()]
    }

    /// The edges that start at a node, with their ids.
    pub fn edges_from(&self, point: Point) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let range = self.outgoing[point.procedure.index()][point.node.index()].clone();
        let edges = &self.procedure(point.procedure).edges;
        range.map(move |index| (EdgeId(index), &edges[index as usize]))
    }

    /// The declaration of a variable as seen from a procedure.
    pub fn variable(&self, procedure: ProcId, variable: VarRef) -> &Variable {
        match variable {
            VarRef::Global(index) => &self.parts.globals[index as usize],
            VarRef::Local(index) => &self.procedure(procedure).locals[index as usize],
        }
    }

    /// The procedure of that name.
    pub fn find_procedure(&self, name: &str) -> Option<ProcId> {
        let position = self
            .parts
            .procedures
            .iter()
            .position(|p| &*p.name == name)?;
        Some(ProcId(position as u32))
    }
}
