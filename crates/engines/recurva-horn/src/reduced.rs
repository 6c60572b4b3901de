//! The part of a program that matters: what a run to a target may pass.

use recurva_model::{Action, Edge, NodeId, Point, ProcId, Program};

/// For each procedure and node, something about it.
pub(crate) type PerNode = Vec<Vec<bool>>;

/// A program without the edges that no run to a target takes. Its nodes are those of the whole program.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) program: Program,
    /// The nodes that a run may come to, guards aside.
    pub(crate) is_reached: PerNode,
    /// Of those, the ones from where a run may come to a target, guards aside.
    pub(crate) is_relevant: PerNode,
    pub(crate) is_target: PerNode,
    /// The procedures whose summaries matter: they are called, and a target may follow.
    pub(crate) is_summarised: Vec<bool>,
}

impl Reduced {
    pub(crate) fn new(program: &Program, targets: &[Point]) -> Self {
        let mut is_target = none(program);
        for &target in targets {
            mark(&mut is_target, target);
        }
        let is_reached = reached(program);
        let is_relevant = relevant(program, &is_reached, &is_target);
        let mut parts = program.parts().clone();
        for (index, procedure) in parts.procedures.iter_mut().enumerate() {
            let procedure_id = ProcId(index as u32);
            let at = |node| is_relevant[index][NodeId::index(node)];
            procedure.edges.retain(|edge| {
                let is_entered =
                    called(edge).is_some_and(|callee| holds(&is_relevant, entry(program, callee)));
                // Nothing goes on behind a target.
                let from = Point {
                    procedure: procedure_id,
                    node: edge.from,
                };
                at(edge.from) && !holds(&is_target, from) && (at(edge.to) || is_entered)
            });
        }
        let is_summarised = (0..program.procedures().len() as u32)
            .map(|index| holds(&is_relevant, exit(program, ProcId(index))))
            .collect();
        Reduced {
            // Fewer edges of a program that was accepted.
            program: Program::new(parts).unwrap_or_else(|_| program.clone()),
            is_reached,
            is_relevant,
            is_target,
            is_summarised,
        }
    }
}

pub(crate) fn holds(set: &PerNode, point: Point) -> bool {
    set[point.procedure.index()][point.node.index()]
}

fn mark(set: &mut PerNode, point: Point) -> bool {
    !std::mem::replace(&mut set[point.procedure.index()][point.node.index()], true)
}

fn none(program: &Program) -> PerNode {
    let nodes = program.procedures().iter().map(|it| it.nodes.len());
    nodes.map(|nodes| vec![false; nodes]).collect()
}

fn entry(program: &Program, procedure: ProcId) -> Point {
    let node = program.procedure(procedure).entry;
    Point { procedure, node }
}

fn exit(program: &Program, procedure: ProcId) -> Point {
    let node = program.procedure(procedure).exit;
    Point { procedure, node }
}

fn called(edge: &Edge) -> Option<ProcId> {
    match edge.action {
        Action::Call { callee, .. } => Some(callee),
        Action::Assign { .. } => None,
    }
}

/// For each procedure, the calls of it: from where and to where.
fn calls(program: &Program) -> Vec<Vec<(Point, Point)>> {
    let mut calls = vec![Vec::new(); program.procedures().len()];
    for (index, procedure) in program.procedures().iter().enumerate() {
        let point = |node| Point {
            procedure: ProcId(index as u32),
            node,
        };
        for edge in &procedure.edges {
            if let Some(callee) = called(edge) {
                calls[callee.index()].push((point(edge.from), point(edge.to)));
            }
        }
    }
    calls
}

/// The nodes that a run may come to, guards aside.
fn reached(program: &Program) -> PerNode {
    let calls = calls(program);
    let mut set = none(program);
    let mut work = vec![entry(program, program.main())];
    while let Some(point) = work.pop() {
        if !mark(&mut set, point) {
            continue;
        }
        if point == exit(program, point.procedure) {
            let returns = &calls[point.procedure.index()];
            let open = returns.iter().filter(|(from, _)| holds(&set, *from));
            work.extend(open.map(|it| it.1));
        }
        for (_, edge) in program.edges_from(point) {
            let to = Point {
                node: edge.to,
                ..point
            };
            match called(edge) {
                None => work.push(to),
                Some(callee) => {
                    work.push(entry(program, callee));
                    if holds(&set, exit(program, callee)) {
                        work.push(to);
                    }
                }
            }
        }
    }
    set
}

/// From where an edge leads to a node, and what it calls.
type Way = (NodeId, Option<ProcId>);

/// The nodes among those reached from where a target may be reached.
fn relevant(program: &Program, is_reached: &PerNode, is_target: &PerNode) -> PerNode {
    let calls = calls(program);
    let mut before: Vec<Vec<Vec<Way>>> = program
        .procedures()
        .iter()
        .map(|it| vec![Vec::new(); it.nodes.len()])
        .collect();
    for (procedure, before) in program.procedures().iter().zip(&mut before) {
        for edge in &procedure.edges {
            before[edge.to.index()].push((edge.from, called(edge)));
        }
    }
    let mut set = none(program);
    let mut work: Vec<Point> = Vec::new();
    for (index, nodes) in is_target.iter().enumerate() {
        let targets = (0..).zip(nodes).filter(|it| *it.1);
        work.extend(targets.map(|(node, _)| Point {
            procedure: ProcId(index as u32),
            node: NodeId(node),
        }));
    }
    while let Some(point) = work.pop() {
        if !holds(is_reached, point) || !mark(&mut set, point) {
            continue;
        }
        if point == entry(program, point.procedure) {
            work.extend(calls[point.procedure.index()].iter().map(|it| it.0));
        }
        for &(from, callee) in &before[point.procedure.index()][point.node.index()] {
            let from = Point {
                node: from,
                ..point
            };
            match callee {
                None => work.push(from),
                Some(callee) => {
                    // What is called has to end for a run to go on.
                    let end = exit(program, callee);
                    if holds(is_reached, end) {
                        work.extend([from, end]);
                    }
                }
            }
        }
    }
    set
}
