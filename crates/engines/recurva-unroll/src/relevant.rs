//! From where a target may be reached at all.

use recurva_model::{Action, NodeId, Point, ProcId, Program};

/// From where a target may be reached, by the edges alone.
#[derive(Debug)]
pub(crate) struct Relevant {
    targets: Vec<Vec<bool>>,
    /// Nodes from which a target can be reached before the procedure returns.
    hits: Vec<Vec<bool>>,
    /// Nodes from which the procedure can return.
    returns: Vec<Vec<bool>>,
    /// Procedures that may call themselves.
    recursive: Vec<bool>,
}

impl Relevant {
    pub(crate) fn new(program: &Program, targets: &[Point]) -> Self {
        let sized = || -> Vec<Vec<bool>> {
            let procedures = program.procedures().iter();
            procedures.map(|it| vec![false; it.nodes.len()]).collect()
        };
        let mut found = Relevant {
            targets: sized(),
            hits: sized(),
            returns: sized(),
            recursive: recursive(program),
        };
        for target in targets {
            found.targets[target.procedure.index()][target.node.index()] = true;
            found.hits[target.procedure.index()][target.node.index()] = true;
        }
        for (index, procedure) in program.procedures().iter().enumerate() {
            found.returns[index][procedure.exit.index()] = true;
        }
        while found.round(program) {}
        found
    }

    /// The same for all calls of a procedure: where a target may be reached after one of them, that counts
    /// for all.
    pub(crate) fn in_any_call(program: &Program, targets: &[Point]) -> Self {
        let mut found = Relevant::new(program, targets);
        for nodes in &mut found.returns {
            nodes.fill(false);
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (index, procedure) in program.procedures().iter().enumerate() {
                for edge in procedure.edges.iter().rev() {
                    let is_after = found.hits[index][edge.to.index()];
                    let is_before = match edge.action {
                        Action::Assign { .. } => is_after,
                        Action::Call { callee, .. } => {
                            let called = program.procedure(callee);
                            let hits = &mut found.hits[callee.index()];
                            has_changed |= is_after && !hits[called.exit.index()];
                            hits[called.exit.index()] |= is_after;
                            hits[called.entry.index()]
                        }
                    };
                    let before = &mut found.hits[index][edge.from.index()];
                    has_changed |= is_before && !*before;
                    *before |= is_before;
                }
            }
        }
        found
    }

    /// Goes over all edges once. Whether anything changed.
    fn round(&mut self, program: &Program) -> bool {
        let mut has_changed = false;
        for (index, procedure) in program.procedures().iter().enumerate() {
            for edge in procedure.edges.iter().rev() {
                let to = edge.to.index();
                let (hits, returns) = match edge.action {
                    Action::Assign { .. } => (self.hits[index][to], self.returns[index][to]),
                    Action::Call { callee, .. } => {
                        let entry = program.procedure(callee).entry.index();
                        let returns = self.returns[callee.index()][entry];
                        (
                            self.hits[callee.index()][entry] || returns && self.hits[index][to],
                            returns && self.returns[index][to],
                        )
                    }
                };
                let from = edge.from.index();
                has_changed |= hits && !self.hits[index][from];
                has_changed |= returns && !self.returns[index][from];
                self.hits[index][from] |= hits;
                self.returns[index][from] |= returns;
            }
        }
        has_changed
    }

    pub(crate) fn is_target(&self, point: Point) -> bool {
        self.targets[point.procedure.index()][point.node.index()]
    }

    /// Whether a target may be reached from a node, where `after` says whether it may once the procedure
    /// has returned.
    pub(crate) fn is_relevant(&self, procedure: ProcId, node: NodeId, after: After) -> bool {
        let (procedure, node) = (procedure.index(), node.index());
        self.hits[procedure][node] || after == After::Relevant && self.returns[procedure][node]
    }

    /// The same, where that does not depend on the call: see [`Self::in_any_call`].
    pub(crate) fn is_relevant_in_any_call(&self, point: Point) -> bool {
        self.is_relevant(point.procedure, point.node, After::Irrelevant)
    }

    pub(crate) fn is_recursive(&self, procedure: ProcId) -> bool {
        self.recursive[procedure.index()]
    }
}

/// Whether a target may be reached after a procedure has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Relevant,
    Irrelevant,
}

/// Which procedures may call themselves, also by way of others.
fn recursive(program: &Program) -> Vec<bool> {
    let count = program.procedures().len();
    let callees: Vec<Vec<usize>> = program
        .procedures()
        .iter()
        .map(|procedure| {
            let edges = procedure.edges.iter();
            let called = edges.filter_map(|edge| match edge.action {
                Action::Call { callee, .. } => Some(callee.index()),
                Action::Assign { .. } => None,
            });
            called.collect()
        })
        .collect();
    (0..count)
        .map(|start| {
            let mut seen = vec![false; count];
            let mut stack = callees[start].clone();
            while let Some(next) = stack.pop() {
                if next == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[next], true) {
                    stack.extend(&callees[next]);
                }
            }
            false
        })
        .collect()
}
