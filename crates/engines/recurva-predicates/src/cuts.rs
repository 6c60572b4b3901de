//! The nodes where the abstraction looks at the values of variables, and the code between them.
//!
//! Between cuts a program is acyclic and makes no calls but at its ends, so that one formula says all that
//! happens there. Cuts are the entries and exits of procedures, the heads of loops, the nodes that calls
//! return to, targets, and the last node before a call where ways join.

use recurva_encode::Joints;
use recurva_model::{Action, EdgeId, NodeId, Point, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CutId(pub(crate) u32);

/// The number of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SegmentId(pub(crate) u32);

impl CutId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl SegmentId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a segment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// At a cut.
    Cut(CutId),
    /// With a call along this edge.
    Call(EdgeId),
}

/// All code from a cut to one of the next cuts, or to a call.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) from: CutId,
    pub(crate) end: End,
    /// The nodes on the way, the end left out, each before those it leads to.
    pub(crate) nodes: Vec<NodeId>,
}

/// Cuts and segments of a program.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    pub(crate) points: Vec<Point>,
    numbers: FxHashMap<Point, CutId>,
    pub(crate) segments: Vec<Segment>,
    /// The segments that start at each cut.
    pub(crate) starting: Vec<Vec<SegmentId>>,
    pub(crate) is_target: Vec<bool>,
}

impl Cuts {
    /// The cuts of a program, with `more` besides those that are needed.
    pub(crate) fn new(program: &Program, targets: &[Point], more: &[Point]) -> Self {
        let joints = Joints::new(program);
        let mut cuts = Cuts {
            points: Vec::new(),
            numbers: FxHashMap::default(),
            segments: Vec::new(),
            starting: Vec::new(),
            is_target: Vec::new(),
        };
        for (index, procedure) in program.procedures().iter().enumerate() {
            let at = |node| Point {
                procedure: ProcId(index as u32),
                node,
            };
            cuts.add(at(procedure.entry));
            cuts.add(at(procedure.exit));
            for node in 0..procedure.nodes.len() as u32 {
                if joints.is_loop_head(at(NodeId(node))) {
                    cuts.add(at(NodeId(node)));
                }
            }
            let calls = procedure.edges.iter();
            let calls = calls.filter(|it| matches!(it.action, Action::Call { .. }));
            calls.for_each(|it| cuts.add(at(it.to)));
        }
        targets.iter().chain(more).for_each(|&it| cuts.add(it));
        for (index, procedure) in program.procedures().iter().enumerate() {
            let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); procedure.nodes.len()];
            for edge in &procedure.edges {
                before[edge.to.index()].push(edge.from);
            }
            for edge in &procedure.edges {
                if let Action::Call { .. } = edge.action {
                    let mut node = edge.from;
                    let mut seen = FxHashSet::default();
                    let at = |node| Point {
                        procedure: ProcId(index as u32),
                        node,
                    };
                    while !cuts.numbers.contains_key(&at(node)) {
                        match before[node.index()][..] {
                            // A loop that nothing leads to has no head: it is cut where it closes.
                            [one] if seen.insert(one) => node = one,
                            _ => cuts.add(at(node)),
                        }
                    }
                }
            }
        }
        cuts.is_target = cuts.points.iter().map(|it| targets.contains(it)).collect();
        for index in 0..cuts.points.len() {
            let segments = cuts.segments_from(program, CutId(index as u32));
            cuts.starting.push(segments);
        }
        cuts
    }

    fn add(&mut self, point: Point) {
        let next = CutId(self.points.len() as u32);
        self.numbers.entry(point).or_insert_with(|| {
            self.points.push(point);
            next
        });
    }

    /// The cut at a point.
    pub(crate) fn at(&self, point: Point) -> Option<CutId> {
        self.numbers.get(&point).copied()
    }

    /// The entry of a procedure.
    pub(crate) fn entry(&self, program: &Program, procedure: ProcId) -> CutId {
        let node = program.procedure(procedure).entry;
        self.numbers[&Point { procedure, node }]
    }

    /// The exit of a procedure.
    pub(crate) fn exit(&self, program: &Program, procedure: ProcId) -> CutId {
        let node = program.procedure(procedure).exit;
        self.numbers[&Point { procedure, node }]
    }

    /// Where a call along an edge returns to, in the procedure of a cut.
    pub(crate) fn after(&self, program: &Program, from: CutId, edge: EdgeId) -> CutId {
        let procedure = self.procedure(from);
        let node = program.edge(procedure, edge).to;
        self.numbers[&Point { procedure, node }]
    }

    /// The procedure of a cut.
    pub(crate) fn procedure(&self, cut: CutId) -> ProcId {
        self.points[cut.index()].procedure
    }

    /// The segments from a cut to a cut that are calls, or not.
    fn segments_from(&mut self, program: &Program, from: CutId) -> Vec<SegmentId> {
        let point = self.points[from.index()];
        if self.is_target[from.index()] {
            return Vec::new();
        }
        let order = self.order(program, point);
        let mut ends: Vec<End> = Vec::new();
        let at = |node| Point {
            procedure: point.procedure,
            node,
        };
        for &node in &order {
            for (id, edge) in program.edges_from(at(node)) {
                let end = match edge.action {
                    Action::Call { .. } => End::Call(id),
                    Action::Assign { .. } => match self.at(at(edge.to)) {
                        Some(cut) => End::Cut(cut),
                        None => continue,
                    },
                };
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
        let mut found = Vec::new();
        for end in ends {
            let mut leads = vec![false; program.procedure(point.procedure).nodes.len()];
            for &node in order.iter().rev() {
                leads[node.index()] =
                    program
                        .edges_from(at(node))
                        .any(|(id, edge)| match (&edge.action, end) {
                            (Action::Call { .. }, End::Call(call)) => id == call,
                            (Action::Assign { .. }, end) => match self.at(at(edge.to)) {
                                Some(cut) => End::Cut(cut) == end,
                                None => leads[edge.to.index()],
                            },
                            _ => false,
                        });
            }
            let nodes = order.iter().copied().filter(|it| leads[it.index()]);
            found.push(SegmentId(self.segments.len() as u32));
            self.segments.push(Segment {
                from,
                end,
                nodes: nodes.collect(),
            });
        }
        found
    }

    /// A cut and the nodes that are reached from it before the next cut, each before those it leads to.
    pub(crate) fn order(&self, program: &Program, from: Point) -> Vec<NodeId> {
        let successors = |node: NodeId| -> Vec<NodeId> {
            let point = Point { node, ..from };
            let edges = program.edges_from(point).map(|(_, edge)| edge);
            edges
                .filter(|it| matches!(it.action, Action::Assign { .. }))
                .map(|it| it.to)
                .filter(|&node| self.at(Point { node, ..from }).is_none())
                .collect()
        };
        let mut seen = vec![false; program.procedure(from.procedure).nodes.len()];
        let mut order = Vec::new();
        let mut stack = vec![(from.node, successors(from.node))];
        seen[from.node.index()] = true;
        while let Some((node, left)) = stack.last_mut() {
            match left.pop() {
                Some(next) if !seen[next.index()] => {
                    seen[next.index()] = true;
                    stack.push((next, successors(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}
