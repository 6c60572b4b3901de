//! Backward: the edges that can be part of a run to one of the targets.
//!
//! In two rounds, as calls and returns have to match. First the nodes from which a target can be
//! reached without returning to a caller; then, from those on, the nodes that matter only
//! because their procedure returns to one that does.

use recurva_model::{Action, Edge, Patience, Point, ProcId, Program, Stop};

use crate::{
    constants::Constants,
    numbers::{Numbers, entry, exit, procedures},
};

/// For each procedure, which of its edges matter if only runs to `targets` do.
pub(crate) fn edges_towards(
    program: &Program,
    numbers: &Numbers,
    constants: &Constants<'_>,
    targets: &[Point],
    patience: &mut Patience<'_>,
) -> Result<Vec<Vec<bool>>, Stop> {
    let graph = Graph::new(program, numbers, constants, patience)?;
    let mut inside = vec![false; numbers.nodes()];
    let mut work = Vec::new();
    let mark = |marks: &mut Vec<bool>, work: &mut Vec<Point>, point: Point| {
        if !std::mem::replace(&mut marks[numbers.node(point)], true) {
            work.push(point);
        }
    };
    for &target in targets {
        if constants.is_reached(target) {
            mark(&mut inside, &mut work, target);
        }
    }
    let mut found = Vec::new();
    while let Some(point) = work.pop() {
        found.push(point);
        for (from, _) in graph.incoming(point) {
            patience.work(4)?;
            mark(&mut inside, &mut work, from);
        }
        if point == entry(program, point.procedure) {
            for &caller in &graph.callers[point.procedure.index()] {
                patience.work(4)?;
                mark(&mut inside, &mut work, caller);
            }
        }
    }
    let mut useful = inside.clone();
    work = found;
    while let Some(point) = work.pop() {
        for (from, callee) in graph.incoming(point) {
            patience.work(4)?;
            mark(&mut useful, &mut work, from);
            if let Some(callee) = callee {
                mark(&mut useful, &mut work, exit(program, callee));
            }
        }
    }
    let matters = |procedure: ProcId, edge: &Edge| {
        let node = edge.to;
        let useful = useful[numbers.node(Point { procedure, node })];
        let matters = match edge.action {
            Action::Assign { .. } => useful,
            Action::Call { callee, .. } => {
                inside[numbers.node(entry(program, callee))] || useful && constants.returns(callee)
            }
        };
        matters && constants.is_open(procedure, edge)
    };
    let all = procedures(program).map(|id| {
        let edges = program.procedure(id).edges.iter();
        let own = edges.map(|edge| {
            patience.work(8)?;
            Ok(matters(id, edge))
        });
        own.collect()
    });
    all.collect()
}

/// The open edges, by where they lead.
struct Graph<'a> {
    numbers: &'a Numbers,
    /// For each node, where those that lead to it begin in `ends`.
    starts: Vec<usize>,
    /// Where an edge starts, and whom it calls; calls that cannot return are left out.
    ends: Vec<(Point, Option<ProcId>)>,
    /// The nodes from which each procedure is called.
    callers: Vec<Vec<Point>>,
}

impl<'a> Graph<'a> {
    fn new(
        program: &Program,
        numbers: &'a Numbers,
        constants: &Constants<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let mut callers = vec![Vec::new(); program.procedures().len()];
        let mut edges: Vec<(usize, Point, Option<ProcId>)> = Vec::new();
        for procedure in procedures(program) {
            for edge in &program.procedure(procedure).edges {
                patience.work(8)?;
                if !constants.is_open(procedure, edge) {
                    continue;
                }
                let at = |node| Point { procedure, node };
                let callee = match edge.action {
                    Action::Assign { .. } => None,
                    Action::Call { callee, .. } => {
                        callers[callee.index()].push(at(edge.from));
                        Some(callee)
                    }
                };
                if callee.is_none_or(|callee| constants.returns(callee)) {
                    edges.push((numbers.node(at(edge.to)), at(edge.from), callee));
                }
            }
        }
        // Sorted by target, by counting.
        let mut starts = vec![0; numbers.nodes() + 1];
        for &(to, ..) in &edges {
            starts[to] += 1;
        }
        let mut sum = 0;
        for count in &mut starts {
            sum += *count;
            *count = sum;
        }
        let nowhere = entry(program, program.main());
        let mut ends = vec![(nowhere, None); edges.len()];
        for (to, from, callee) in edges {
            starts[to] -= 1;
            ends[starts[to]] = (from, callee);
        }
        Ok(Graph {
            numbers,
            starts,
            ends,
            callers,
        })
    }

    /// Where the edges to a node start, and whom they call.
    fn incoming(&self, point: Point) -> impl Iterator<Item = (Point, Option<ProcId>)> {
        let number = self.numbers.node(point);
        let range = self.starts[number]..self.starts[number + 1];
        self.ends[range].iter().copied()
    }
}
