//! Arithmetic checks: faults made into errors that can be reached.
//!
//! By the semantics a division by zero or an index out of range blocks the step. Here every
//! edge that may fault gets a companion to a failure node, open exactly when it does fault.

use crate::{
    Binary, Expr, FailureKind, Op, Type, Unary,
    program::{
        Action, Edge, Failure, Node, NodeId, Origin, Parts, Place, Point, ProcId, Procedure,
        Program, VarRef, Variable,
    },
};

impl Program {
    /// The same program with a [`FailureKind::Arithmetic`] node behind every step that can
    /// divide by zero or leave an array's range.
    pub fn with_arithmetic_checks(self) -> Program {
        let mut parts = self.into_parts();
        let Parts {
            globals,
            procedures,
            failures,
            ..
        } = &mut parts;
        for (index, procedure) in procedures.iter_mut().enumerate() {
            for (node, origin) in add_fault_edges(globals, procedure) {
                let point = Point {
                    procedure: ProcId(index as u32),
                    node,
                };
                failures.push(Failure {
                    kind: FailureKind::Arithmetic,
                    point,
                    origin,
                });
            }
        }
        Program::new(parts).expect("fault edges are as well-typed as the edges they come from")
    }
}

/// Adds the companions to one procedure; returns their failure nodes.
fn add_fault_edges(globals: &[Variable], procedure: &mut Procedure) -> Vec<(NodeId, Origin)> {
    let scope = Scope {
        globals,
        locals: &procedure.locals,
    };
    let mut added: Vec<Edge> = Vec::new();
    let mut nodes = Vec::new();
    // Both branches of a condition fault together: one companion is enough. Edges of one
    // node stand side by side, so only the companions since that node began are compared.
    let mut start_of_node = 0;
    for edge in &procedure.edges {
        if added.last().is_some_and(|last| last.from != edge.from) {
            start_of_node = added.len();
        }
        for (guard, action) in scope.companions(edge) {
            let known = added[start_of_node..].iter().any(|other| {
                other.from == edge.from && other.guard == guard && other.action == action
            });
            if known {
                continue;
            }
            let to = NodeId((procedure.nodes.len() + nodes.len()) as u32);
            nodes.push((to, edge.origin));
            added.push(Edge {
                from: edge.from,
                to,
                guard,
                action,
                origin: edge.origin,
            });
        }
    }
    procedure
        .nodes
        .extend(nodes.iter().map(|&(_, origin)| Node { origin }));
    procedure.edges.append(&mut added);
    nodes
}

/// The variables that the expressions of a procedure may read.
struct Scope<'a> {
    globals: &'a [Variable],
    locals: &'a [Variable],
}

impl Scope<'_> {
    /// The guards and actions of the edges to a failure that belong to one edge: one for all
    /// that is evaluated before the step, one for the constraint, which reads the new values.
    fn companions(&self, edge: &Edge) -> Vec<(Expr, Action)> {
        let mut before = faults(&edge.guard);
        let evaluated: Vec<Expr> = match &edge.action {
            Action::Call { arguments, .. } => arguments.iter().filter_map(faults).collect(),
            Action::Assign { assigns, .. } => {
                let faults_of = |(place, value): &(Place, Expr)| {
                    let element = match place {
                        Place::Element(array, index) => self.out_of_range(*array, index),
                        Place::Scalar(_) => None,
                    };
                    either(element, faults(value))
                };
                assigns.iter().filter_map(faults_of).collect()
            }
        };
        if let Some(any) = evaluated
            .into_iter()
            .reduce(|a, b| a.join(Binary::Or, Type::Bool, &b))
        {
            before = either(before, Some(edge.guard.clone().and(any)));
        }
        let mut found: Vec<(Expr, Action)> = before
            .into_iter()
            .map(|guard| (guard, Action::skip()))
            .collect();
        if let Action::Assign {
            assigns,
            constraint: Some(constraint),
        } = &edge.action
            && let Some(constraint) = faults(constraint)
        {
            let action = Action::Assign {
                assigns: assigns.clone(),
                constraint: Some(constraint),
            };
            found.push((edge.guard.clone(), action));
        }
        found
    }

    /// Whether an index is outside an array that is written, as an expression; `None` if it
    /// never is. The element is not read: its old value does not matter.
    fn out_of_range(&self, array: VarRef, index: &Expr) -> Option<Expr> {
        let len = self.variable(array).slots() as u64;
        let ty = index.type_with(|v| self.variable(v).ty);
        let always_inside = match *index.ops() {
            [Op::Const(value, _)] => value < len,
            _ => !ty.is_signed() && ty.mask() < len,
        };
        let wide = Type::unsigned(64);
        let outside = (!always_inside).then(|| {
            index.clone().then(Op::Convert(ty, wide)).join(
                Binary::GreaterEqual,
                wide,
                &Expr::constant(len, wide),
            )
        });
        either(faults(index), outside)
    }

    fn variable(&self, variable: VarRef) -> &Variable {
        match variable {
            VarRef::Global(index) => &self.globals[index as usize],
            VarRef::Local(index) => &self.locals[index as usize],
        }
    }
}

/// Whether an expression faults, as an expression; `None` if it never does.
fn faults(expr: &Expr) -> Option<Expr> {
    // A negation faults where its operand does: the two branches of an `if` look the same.
    let stripped = match expr.ops() {
        [operand @ .., Op::Unary(Unary::Not, Type::Bool)] => Expr::new(operand),
        _ => expr.clone(),
    };
    expr.can_fault().then(|| stripped.then(Op::Faults))
}

fn either(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.join(Binary::Or, Type::Bool, &right)),
        (left, right) => left.or(right),
    }
}
