//! Conditions and what they lead to, as one step.
//!
//! A step of C becomes several edges: checks, tests, then what is done. Each node between them is a state
//! that a search has to keep. Where the only way to a node is an edge that does nothing but test, the test is
//! added to the edges that start there; where edges do nothing but test what the only way to them has
//! just assigned, that is done with the new values in place. Two edges that both change something stay
//! apart, so that a run still shows every change where it is made.
//!
//! A node with a name, an error or a limit stays, as do those where procedures begin and end.

use recurva_model::{
    Action, Edge, Expr, NodeId, Op, Parts, Patience, Place, Procedure, Stop, VarRef,
};

use crate::lowered::EdgeInfo;

/// Conditions do not grow longer than this many operators.
const LONGEST: usize = 96;

/// Joins steps where that is cheap.
///
/// # Errors
///
/// If patience ends.
pub(crate) fn merge(
    parts: &mut Parts,
    edges: &mut [Vec<EdgeInfo>],
    patience: &mut Patience<'_>,
) -> Result<(), Stop> {
    for (number, procedure) in parts.procedures.iter_mut().enumerate() {
        let mut is_kept = vec![false; procedure.nodes.len()];
        is_kept[procedure.entry.index()] = true;
        is_kept[procedure.exit.index()] = true;
        for label in &parts.labels {
            if label.point.procedure.index() == number {
                is_kept[label.point.node.index()] = true;
            }
        }
        let infos = std::mem::take(&mut edges[number]);
        edges[number] = joined(procedure, infos, &is_kept, patience)?;
    }
    Ok(())
}

/// Edges under change: those that are gone are `None`.
struct Graph {
    edges: Vec<Option<(Edge, EdgeInfo)>>,
    incoming: Vec<Vec<usize>>,
    outgoing: Vec<Vec<usize>>,
}

fn joined(
    procedure: &mut Procedure,
    infos: Vec<EdgeInfo>,
    is_kept: &[bool],
    patience: &mut Patience<'_>,
) -> Result<Vec<EdgeInfo>, Stop> {
    let count = procedure.nodes.len();
    let mut graph = Graph {
        edges: Vec::new(),
        incoming: vec![Vec::new(); count],
        outgoing: vec![Vec::new(); count],
    };
    for pair in procedure.edges.drain(..).zip(infos) {
        graph.add(pair);
    }
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(node) = work.pop() {
        patience.step()?;
        if is_kept[node] {
            continue;
        }
        if let Some(around) = graph.join_at(node) {
            work.extend(around.into_iter().map(NodeId::index));
        }
    }
    let mut pairs: Vec<(Edge, EdgeInfo)> = graph.edges.into_iter().flatten().collect();
    pairs.sort_by_key(|(edge, _)| edge.from);
    let (edges, infos): (Vec<Edge>, Vec<EdgeInfo>) = pairs.into_iter().unzip();
    procedure.edges = edges;
    Ok(infos)
}

impl Graph {
    fn add(&mut self, pair: (Edge, EdgeInfo)) {
        let index = self.edges.len();
        self.outgoing[pair.0.from.index()].push(index);
        self.incoming[pair.0.to.index()].push(index);
        self.edges.push(Some(pair));
    }

    fn remove(&mut self, index: usize) {
        if let Some((edge, _)) = self.edges[index].take() {
            self.outgoing[edge.from.index()].retain(|&it| it != index);
            self.incoming[edge.to.index()].retain(|&it| it != index);
        }
    }

    /// Joins the only edge to a node with those from it. The nodes around it, if that was possible.
    fn join_at(&mut self, node: usize) -> Option<Vec<NodeId>> {
        let [first] = self.incoming[node][..] else {
            return None;
        };
        let outgoing = self.outgoing[node].clone();
        let before = self.edges[first].as_ref()?;
        if outgoing.is_empty() || before.0.from.index() == node {
            return None;
        }
        let made: Option<Vec<(Edge, EdgeInfo)>> = outgoing
            .iter()
            .map(|&second| join(before, self.edges[second].as_ref()?))
            .collect();
        let made = made?;
        let mut around = vec![before.0.from];
        around.extend(made.iter().map(|(edge, _)| edge.to));
        self.remove(first);
        for second in outgoing {
            self.remove(second);
        }
        for pair in made {
            self.add(pair);
        }
        Some(around)
    }
}

/// Two edges as one, if one of them only tests.
fn join(first: &(Edge, EdgeInfo), second: &(Edge, EdgeInfo)) -> Option<(Edge, EdgeInfo)> {
    let ((before, before_info), (after, after_info)) = (first, second);
    // Choices are numbered by edge, and what a run chose is told in order.
    if has_choices(&before.guard) || has_choices(&after.guard) {
        return None;
    }
    let mut info = EdgeInfo {
        edge: None,
        chosen: [&before_info.chosen[..], &after_info.chosen[..]].concat(),
    };
    let made = if is_test(before) {
        info.edge = after_info.edge;
        Edge {
            from: before.from,
            guard: before.guard.clone().and(after.guard.clone()),
            ..after.clone()
        }
    } else if is_test(after) {
        info.edge = before_info.edge;
        let Action::Assign { assigns, .. } = &before.action else {
            return None;
        };
        Edge {
            to: after.to,
            guard: (before.guard.clone()).and(replaced(&after.guard, assigns)?),
            ..before.clone()
        }
    } else {
        return None;
    };
    (made.guard.ops().len() <= LONGEST).then_some((made, info))
}

/// Whether an edge changes nothing.
fn is_test(edge: &Edge) -> bool {
    match &edge.action {
        Action::Assign {
            assigns,
            constraint,
        } => assigns.is_empty() && constraint.is_none(),
        Action::Call { .. } => false,
    }
}

fn has_choices(expr: &Expr) -> bool {
    expr.ops().iter().any(|op| matches!(op, Op::Any(..)))
}

/// An expression with new values in place of what is read, if that can be told.
fn replaced(expr: &Expr, assigns: &[(Place, Expr)]) -> Option<Expr> {
    let writes_array = |array: VarRef| {
        assigns
            .iter()
            .any(|(place, _)| matches!(place, Place::Element(..)) && place.variable() == array)
    };
    let mut ops = Vec::with_capacity(expr.ops().len());
    for &op in expr.ops() {
        match op {
            Op::Read(variable) => {
                let written = |it: &&(Place, Expr)| it.0.variable() == variable;
                match assigns.iter().rfind(written) {
                    // An unknown value stays unknown for longer where it is not looked at at once.
                    Some((_, value)) if has_choices(value) => return None,
                    Some((_, value)) => ops.extend_from_slice(value.ops()),
                    None => ops.push(op),
                }
            }
            Op::Index(array) if writes_array(array) => return None,
            _ => ops.push(op),
        }
        if ops.len() > LONGEST {
            return None;
        }
    }
    Some(Expr::new(ops))
}

#[cfg(test)]
mod tests {
    use recurva_model::{Binary, Node, Origin, Type};

    use super::*;

    const X: VarRef = VarRef::Local(0);
    const NUMBER: Type = Type::unsigned(8);

    fn less(limit: u64) -> Expr {
        Expr::read(X).join(Binary::Less, NUMBER, &Expr::constant(limit, NUMBER))
    }

    fn set(value: Expr) -> Action {
        Action::Assign {
            assigns: vec![(Place::Scalar(X), value)],
            constraint: None,
        }
    }

    fn edge(from: u32, to: u32, guard: Expr, action: Action) -> Edge {
        Edge {
            from: NodeId(from),
            to: NodeId(to),
            guard,
            action,
            origin: Origin::default(),
        }
    }

    fn merged(nodes: u32, edges: Vec<Edge>) -> Vec<Edge> {
        let mut procedure = Procedure {
            name: "f".into(),
            locals: vec![recurva_model::Variable::scalar("x", NUMBER)],
            parameters: 0,
            results: Vec::new(),
            nodes: vec![Node::default(); nodes as usize],
            edges,
            entry: NodeId(0),
            exit: NodeId(nodes - 1),
            origin: Origin::default(),
        };
        let infos = vec![EdgeInfo::default(); procedure.edges.len()];
        let mut is_kept = vec![false; nodes as usize];
        is_kept[0] = true;
        is_kept[nodes as usize - 1] = true;
        let patience = &mut Patience::endless();
        let infos = joined(&mut procedure, infos, &is_kept, patience).expect("endless");
        assert_eq!(infos.len(), procedure.edges.len());
        procedure.edges
    }

    #[test]
    fn tests_join_what_they_lead_to() {
        let edges = merged(
            4,
            vec![
                edge(0, 1, less(9), Action::skip()),
                edge(1, 2, less(5), Action::skip()),
                edge(2, 3, Expr::truth(), set(Expr::constant(1, NUMBER))),
            ],
        );
        let guard = less(9).and(less(5));
        let wanted = edge(0, 3, guard, set(Expr::constant(1, NUMBER)));
        assert_eq!(edges, [wanted]);
    }

    #[test]
    fn tests_of_new_values_are_done_with_them() {
        let one = Expr::constant(1, NUMBER);
        let next = Expr::read(X).join(Binary::Add, NUMBER, &one);
        let edges = merged(
            4,
            vec![
                edge(0, 1, Expr::truth(), set(next.clone())),
                edge(1, 2, less(5), Action::skip()),
                edge(1, 3, less(5).negate(), Action::skip()),
            ],
        );
        let tested = next
            .clone()
            .join(Binary::Less, NUMBER, &Expr::constant(5, NUMBER));
        let wanted = [
            edge(0, 2, tested.clone(), set(next.clone())),
            edge(0, 3, tested.negate(), set(next)),
        ];
        assert_eq!(edges, wanted);
    }

    #[test]
    fn unknown_values_and_two_changes_stay_apart() {
        let any = Expr::new([Op::Any(NUMBER, 0)]);
        let edges = vec![
            edge(0, 1, Expr::truth(), set(any)),
            edge(1, 2, less(5), Action::skip()),
            edge(2, 3, Expr::truth(), set(Expr::constant(1, NUMBER))),
            edge(3, 4, Expr::truth(), set(Expr::constant(2, NUMBER))),
        ];
        let made = merged(5, edges);
        let ways: Vec<(u32, u32)> = made.iter().map(|it| (it.from.0, it.to.0)).collect();
        assert_eq!(ways, [(0, 1), (1, 3), (3, 4)]);
    }
}
