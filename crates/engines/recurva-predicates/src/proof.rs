//! What was explored, as a proof: formulas at cuts, and at the joints between them.
//!
//! At a cut one of the valuations holds that were reached there. At a joint between cuts whatever happens
//! next leads to what holds at the next cuts.

use recurva_certificate::{
    Builder, Proof,
    formula::{Node, Part, When},
};
use recurva_encode::Joints;
use recurva_model::{Edge, Expr, NodeId, Point, ProcId, Program, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    abstraction::{Abstraction, State},
    cuts::CutId,
    formula,
};

/// A proof, or the joints of which nothing can be said: they should be cuts.
pub(crate) fn proof(
    abstraction: &Abstraction<'_>,
    reached: &FxHashSet<State>,
) -> Result<Proof, Vec<Point>> {
    let program = abstraction.program;
    let mut proof = Proof::default();
    let mut unsaid = Vec::new();
    let mut states: Vec<Vec<State>> = vec![Vec::new(); abstraction.cuts.points.len()];
    for &state in reached {
        states[state.cut.index()].push(state);
    }
    let joints = Joints::new(program);
    let known = read_variables(abstraction);
    for (index, procedure) in program.procedures().iter().enumerate() {
        let id = ProcId(index as u32);
        let mut maker = Maker {
            abstraction,
            procedure: id,
            builder: Builder::default(),
            at_cuts: FxHashMap::default(),
            choices: 0,
        };
        for (cut, states) in states.iter().enumerate() {
            let cut = CutId(cut as u32);
            if abstraction.cuts.procedure(cut) == id {
                let made = maker.at_cut(cut, states, &known[index]);
                maker.at_cuts.insert(cut, made);
            }
        }
        for node in 0..procedure.nodes.len() as u32 {
            let point = Point {
                procedure: id,
                node: NodeId(node),
            };
            let formula = match abstraction.cuts.at(point) {
                Some(cut) => Some(maker.builder.finish(maker.at_cuts[&cut])),
                None if joints.contains(point) => match maker.between(point) {
                    Some(formula) => Some(formula),
                    None => {
                        unsaid.push(point);
                        None
                    }
                },
                None => None,
            };
            if let Some(formula) = formula {
                proof.formulas.insert(point, formula);
            }
        }
    }
    match unsaid.is_empty() {
        true => Ok(proof),
        false => Err(unsaid),
    }
}

/// For each procedure the globals and parameters that it does not change and somebody reads.
fn read_variables(abstraction: &Abstraction<'_>) -> Vec<Vec<VarRef>> {
    let program = abstraction.program;
    let mut globals: FxHashSet<VarRef> = FxHashSet::default();
    let mut found = Vec::new();
    for procedure in program.procedures() {
        let mut here: FxHashSet<VarRef> = FxHashSet::default();
        for expression in procedure.edges.iter().flat_map(Edge::expressions) {
            here.extend(crate::expression::reads(expression).map(|it| it.0));
        }
        globals.extend(here.iter().filter(|it| matches!(it, VarRef::Global(_))));
        found.push(here);
    }
    found
        .into_iter()
        .enumerate()
        .map(|(index, here)| {
            let mut all: Vec<VarRef> = here.union(&globals).copied().collect();
            all.sort_unstable();
            all.retain(|&it| abstraction.fixed.contains(ProcId(index as u32), it));
            all
        })
        .collect()
}

/// Makes the formulas of a procedure.
pub(crate) struct Maker<'m, 'a> {
    pub(crate) abstraction: &'m Abstraction<'a>,
    pub(crate) procedure: ProcId,
    pub(crate) builder: Builder,
    /// What holds at each cut.
    pub(crate) at_cuts: FxHashMap<CutId, Part>,
    /// How many choices were met.
    pub(crate) choices: u32,
}

impl Maker<'_, '_> {
    pub(crate) fn program(&self) -> &Program {
        self.abstraction.program
    }

    /// What holds at a cut: one of the valuations that were reached.
    fn at_cut(&mut self, cut: CutId, states: &[State], fixed: &[VarRef]) -> Part {
        let cuts = &self.abstraction.cuts;
        let entry = cuts.entry(self.program(), self.procedure);
        let mut parts: Vec<Part> = Vec::new();
        for predicate in &self.abstraction.predicates[entry.index()] {
            let when = if cut == entry { When::Now } else { When::Entry };
            parts.push(self.predicate(predicate, when));
        }
        if cut != entry {
            for predicate in &self.abstraction.predicates[cut.index()] {
                parts.push(self.predicate(predicate, When::Now));
            }
        }
        let mut rows: Vec<Vec<bool>> = states
            .iter()
            .map(|state| {
                let mut row = self.abstraction.valuation(state.entry).into_vec();
                if cut != entry {
                    row.extend(self.abstraction.valuation(state.here));
                }
                row
            })
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let diagram = self.diagram(&parts, rows);
        if cut == entry {
            return diagram;
        }
        let mut all = vec![diagram];
        for &variable in fixed {
            all.extend(self.unchanged(variable));
        }
        self.builder.and_all(all)
    }

    fn predicate(&mut self, predicate: &Expr, now: When) -> Part {
        let (program, procedure) = (self.abstraction.program, self.procedure);
        let made = formula::predicate(&mut self.builder, program, procedure, predicate, now);
        // Only what has a formula becomes a predicate.
        made.unwrap_or_else(|| self.builder.bool(true))
    }

    /// That the parts have one of some rows of truth values, as decisions one after the other.
    fn diagram(&mut self, parts: &[Part], rows: Vec<Vec<bool>>) -> Part {
        let falsity = self.builder.bool(false);
        let truth = self.builder.bool(true);
        let mut level: FxHashMap<Vec<bool>, Part> =
            rows.into_iter().map(|it| (it, truth)).collect();
        for &part in parts.iter().rev() {
            let mut above: FxHashMap<Vec<bool>, [Part; 2]> = FxHashMap::default();
            for (mut row, below) in level {
                let last = row.pop().unwrap_or(false);
                above.entry(row).or_insert([falsity; 2])[usize::from(last)] = below;
            }
            level = above
                .into_iter()
                .map(|(row, [no, yes])| (row, self.decide(part, yes, no)))
                .collect();
        }
        level.into_values().next().unwrap_or(falsity)
    }

    /// One of two truth values.
    fn decide(&mut self, condition: Part, yes: Part, no: Part) -> Part {
        let builder = &mut self.builder;
        match (builder.node(yes), builder.node(no)) {
            _ if yes == no => yes,
            (_, Node::Bool(false)) => builder.and(condition, yes),
            (Node::Bool(true), _) => builder.or(condition, no),
            (Node::Bool(false), _) => {
                let not = builder.not(condition);
                builder.and(not, no)
            }
            (_, Node::Bool(true)) => builder.implies(condition, yes),
            _ => builder.if_then_else(condition, yes, no),
        }
    }

    /// That a variable has the value that it had at the entry.
    fn unchanged(&mut self, variable: VarRef) -> Vec<Part> {
        let declared = self.abstraction.program.variable(self.procedure, variable);
        let builder = &mut self.builder;
        match declared.len {
            None => {
                let now = builder.variable(variable, When::Now);
                let entry = builder.variable(variable, When::Entry);
                vec![builder.equal(now, entry)]
            }
            Some(len) => (0..len)
                .map(|at| {
                    let at = builder.int(i128::from(at));
                    let now = builder.element(variable, When::Now, at);
                    let entry = builder.element(variable, When::Entry, at);
                    builder.equal(now, entry)
                })
                .collect(),
        }
    }
}
