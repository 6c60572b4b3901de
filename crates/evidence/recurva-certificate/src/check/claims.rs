//! What a proof says of each node, and whether it says something wherever it has to.

use std::collections::BTreeSet;

use recurva_model::{Action, Edge, Point, ProcId, Program};

use super::obligation::{Obligation, ObligationKind, Rejected, Why};
use crate::{Formula, Proof, formula::Scope, place::incoming};

/// What is said of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Claim<'a> {
    /// A formula holds there.
    Holds(&'a Formula),
    /// It is not reached.
    Unreached,
    /// Nothing: what holds there follows from where control was before.
    Nothing,
    /// Nothing, though something has to be said.
    Missing,
}

/// A program and what is said of it.
pub(super) struct Claims<'a> {
    pub(super) program: &'a Program,
    proof: &'a Proof,
    targets: BTreeSet<Point>,
    /// For each procedure and node, how many edges lead there.
    incoming: Vec<Vec<u32>>,
    /// The procedures that are called anywhere.
    called: BTreeSet<ProcId>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(program: &'a Program, targets: &[Point], proof: &'a Proof) -> Self {
        let edges = program.procedures().iter().flat_map(|it| &it.edges);
        Claims {
            program,
            proof,
            targets: targets.iter().copied().collect(),
            incoming: program.procedures().iter().map(incoming).collect(),
            called: edges.filter_map(callee).collect(),
        }
    }

    /// All formulas, with where they stand.
    pub(super) fn formulas(&self) -> impl Iterator<Item = (Point, &'a Formula)> + use<'a> {
        self.proof.formulas.iter().map(|(&point, it)| (point, it))
    }

    /// The nodes that are not to be reached.
    pub(super) fn targets(&self) -> &BTreeSet<Point> {
        &self.targets
    }

    pub(super) fn main_entry(&self) -> Point {
        self.entry(self.program.main())
    }

    pub(super) fn entry(&self, procedure: ProcId) -> Point {
        let node = self.program.procedure(procedure).entry;
        Point { procedure, node }
    }

    pub(super) fn exit(&self, procedure: ProcId) -> Point {
        let node = self.program.procedure(procedure).exit;
        Point { procedure, node }
    }

    /// What is said of a node.
    pub(super) fn of(&self, point: Point) -> Claim<'a> {
        if let Some(formula) = self.proof.formulas.get(&point) {
            return Claim::Holds(formula);
        }
        if self.targets.contains(&point) {
            return Claim::Unreached;
        }
        if point == self.main_entry() {
            return Claim::Missing;
        }
        let procedure = self.program.procedure(point.procedure);
        if point.node == procedure.entry {
            return Claim::Unreached;
        }
        if point.node == procedure.exit {
            return match self.called.contains(&point.procedure) {
                true => Claim::Unreached,
                false => Claim::Nothing,
            };
        }
        match self.incoming[point.procedure.index()][point.node.index()] {
            0 | 1 => Claim::Nothing,
            _ => Claim::Missing,
        }
    }

    /// Whether anything can come after a call, as far as what is said tells.
    pub(super) fn returns(&self, callee: ProcId) -> bool {
        let is_unreached = |it| matches!(self.of(it), Claim::Unreached);
        !is_unreached(self.entry(callee)) && !is_unreached(self.exit(callee))
    }

    /// What is wrong with a proof's form.
    pub(super) fn misformed(&self) -> Vec<Rejected> {
        let mut found = Vec::new();
        let mut wrong = |to: Point, why: Why| {
            let kind = ObligationKind::Form;
            let obligation = Obligation {
                kind,
                from: None,
                to,
                edges: Vec::new(),
            };
            found.push(Rejected { obligation, why });
        };
        let is_node = |point: Point| {
            let procedure = self.program.procedures().get(point.procedure.index());
            procedure.is_some_and(|it| point.node.index() < it.nodes.len())
        };
        for &target in self.targets.iter().filter(|it| !is_node(**it)) {
            wrong(target, Why::NoNode);
        }
        for (point, formula) in self.formulas() {
            if !is_node(point) {
                wrong(point, Why::NoNode);
                continue;
            }
            if let Err(error) = formula.sorts(self.scope(point.procedure)) {
                wrong(point, Why::IllFormed(error));
            }
        }
        for missing in self.missing() {
            wrong(missing, Why::Missing);
        }
        found
    }

    pub(super) fn scope(&self, procedure: ProcId) -> Scope<'a> {
        Scope {
            program: self.program,
            procedure,
        }
    }

    /// The nodes of which something should be said, and is not.
    fn missing(&self) -> BTreeSet<Point> {
        let mut missing = BTreeSet::new();
        if matches!(self.of(self.main_entry()), Claim::Missing) {
            missing.insert(self.main_entry());
        }
        let points = self.formulas().map(|(point, _)| point);
        let is_node = |it: &Point| {
            let procedure = self.program.procedures().get(it.procedure.index());
            procedure.is_some_and(|procedure| it.node.index() < procedure.nodes.len())
        };
        // Each node of which nothing is said is met once at most: one edge leads there.
        let mut open: Vec<Point> = points.filter(is_node).collect();
        while let Some(point) = open.pop() {
            for (_, edge) in self.program.edges_from(point) {
                if callee(edge).is_some_and(|it| !self.returns(it)) {
                    continue;
                }
                let to = Point {
                    node: edge.to,
                    ..point
                };
                match self.of(to) {
                    Claim::Nothing => open.push(to),
                    Claim::Missing => {
                        missing.insert(to);
                    }
                    Claim::Holds(_) | Claim::Unreached => {}
                }
            }
        }
        missing
    }
}

fn callee(edge: &Edge) -> Option<ProcId> {
    match edge.action {
        Action::Call { callee, .. } => Some(callee),
        Action::Assign { .. } => None,
    }
}
