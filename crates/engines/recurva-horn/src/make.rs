//! What clauses are made of: predicates, and the values at nodes.

use std::collections::BTreeMap;

use recurva_certificate::formula::When;
use recurva_encode::{Call, Encoder, Held, Joints, Meaning, Step, Store};
use recurva_model::{Edge, EdgeId, Patience, Point, ProcId, Program, Stop, VarRef};
use recurva_smt::Term;

use crate::{
    clause::{Application, Clause, Predicate, PredicateId, Reason, System},
    reduced::Reduced,
    scope::{Scopes, Slot},
};

/// Which facts about the values that predicates speak of are added to the clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ranges {
    /// None: solutions get simpler.
    Left,
    /// That they are values of their types.
    Stated,
}

/// A program, and what is known of it before anything is solved.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) reduced: Reduced,
    pub(crate) scopes: Scopes,
    pub(crate) joints: Joints,
    /// The nodes where calls begin, and those where they return to.
    is_at_call: Vec<Vec<bool>>,
}

impl Prepared {
    pub(crate) fn new(
        program: &Program,
        targets: &[Point],
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let reduced = Reduced::new(program, targets);
        let scopes = Scopes::new(&reduced, patience)?;
        let mut is_at_call: Vec<Vec<bool>> = Vec::new();
        for procedure in program.procedures() {
            let mut nodes = vec![false; procedure.nodes.len()];
            for edge in &procedure.edges {
                if matches!(edge.action, recurva_model::Action::Call { .. }) {
                    nodes[edge.from.index()] = true;
                    nodes[edge.to.index()] = true;
                }
            }
            is_at_call.push(nodes);
        }
        Ok(Prepared {
            // All joints of the whole program: the proof has to say something at each.
            joints: Joints::new(program),
            is_at_call,
            reduced,
            scopes,
        })
    }

    pub(crate) fn program(&self) -> &Program {
        &self.reduced.program
    }

    /// Whether there is a predicate at a node: there is one for each loop, entry and exit, and before and
    /// behind each call.
    pub(crate) fn is_cut(&self, point: Point) -> bool {
        let procedure = self.program().procedure(point.procedure);
        point.node == procedure.entry
            || point.node == procedure.exit
            || self.joints.is_loop_head(point)
            || self.is_at_call[point.procedure.index()][point.node.index()]
    }
}

/// The values where a predicate holds.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) entry: Store,
    pub(crate) now: Store,
}

impl Place {
    fn held(&self, slot: Slot) -> &Held {
        let store = match slot.when {
            When::Entry => &self.entry,
            When::Now => &self.now,
        };
        store.get(slot.variable)
    }
}

/// Makes a system of clauses.
pub(crate) struct Maker<'a, 't> {
    pub(crate) prepared: &'a Prepared,
    pub(crate) encoder: Encoder<'t>,
    ranges: Ranges,
    pub(crate) system: System,
    known: BTreeMap<Point, PredicateId>,
}

impl<'a, 't> Maker<'a, 't> {
    pub(crate) fn new(prepared: &'a Prepared, encoder: Encoder<'t>, ranges: Ranges) -> Self {
        Maker {
            prepared,
            encoder,
            ranges,
            system: System::default(),
            known: BTreeMap::new(),
        }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.prepared.program()
    }

    fn exit(&self, procedure: ProcId) -> Point {
        let node = self.program().procedure(procedure).exit;
        Point { procedure, node }
    }

    fn entry(&self, procedure: ProcId) -> Point {
        let node = self.program().procedure(procedure).entry;
        Point { procedure, node }
    }

    /// What is known of values that were made up for a place, to be added to a clause.
    fn range_facts(&mut self) -> Vec<Term> {
        let facts = self.encoder.take_facts();
        match self.ranges {
            Ranges::Left => Vec::new(),
            Ranges::Stated => facts,
        }
    }

    /// Any values at a node.
    pub(crate) fn place(&mut self, point: Point) -> (Place, Vec<Term>) {
        let program = self.program();
        let now = self.encoder.any_store(program, point.procedure);
        let mut entry = now.clone();
        for variable in self
            .prepared
            .scopes
            .at_entry(&self.prepared.reduced, point.procedure)
        {
            if self.prepared.scopes.changes(point.procedure, variable) {
                let declared = program.variable(point.procedure, variable);
                let held = self.encoder.any_value(declared);
                entry.set(variable, held);
            }
        }
        let is_entry = point.node == program.procedure(point.procedure).entry;
        let entry = if is_entry { now.clone() } else { entry };
        let facts = self.range_facts();
        let place = Place { entry, now };
        let facts = self.about(point, &place, facts);
        (place, facts)
    }

    /// Of some facts, those about what the predicate of a node speaks of.
    fn about(&self, point: Point, place: &Place, facts: Vec<Term>) -> Vec<Term> {
        if facts.is_empty() {
            return facts;
        }
        let slots = self.prepared.scopes.slots(&self.prepared.reduced, point);
        let mut said: Vec<Term> = slots.iter().flat_map(|&it| arguments(it, place)).collect();
        said.sort_unstable();
        let is_said = |fact: Term| {
            let variables = self.encoder.terms.variables_of(&[fact]);
            variables.iter().all(|it| said.binary_search(it).is_ok())
        };
        facts.into_iter().filter(|&it| is_said(it)).collect()
    }

    fn predicate(&mut self, point: Point) -> PredicateId {
        if let Some(&known) = self.known.get(&point) {
            return known;
        }
        let slots = self.prepared.scopes.slots(&self.prepared.reduced, point);
        let (place, _) = self.place(point);
        let parameters = slots.iter().flat_map(|&it| arguments(it, &place)).collect();
        let program = self.program();
        let meanings = slots.iter().flat_map(|&it| {
            let ty = program.variable(point.procedure, it.variable).ty;
            Meaning::of_held(it.variable, it.when, ty, place.held(it))
        });
        let id = self.system.predicates.len();
        self.system.predicates.push(Predicate {
            point,
            meanings: meanings.collect(),
            slots,
            parameters,
        });
        self.known.insert(point, id);
        id
    }

    /// The predicate of a node for some values.
    pub(crate) fn apply(&mut self, point: Point, place: &Place) -> Application {
        let predicate = self.predicate(point);
        let slots = self.system.predicates[predicate].slots.clone();
        Application {
            predicate,
            arguments: slots.iter().flat_map(|&it| arguments(it, place)).collect(),
        }
    }

    pub(crate) fn clause(
        &mut self,
        body: &[Application],
        conditions: &[Term],
        head: Option<Application>,
        reason: Reason,
    ) {
        let condition = self.encoder.terms.and(conditions);
        if condition == self.encoder.terms.falsity() {
            return;
        }
        self.system.clauses.push(Clause {
            body: body.to_vec(),
            condition,
            head,
            reason,
        });
    }

    /// The clause for the beginning of a run.
    pub(crate) fn start(&mut self) {
        let point = self.entry(self.program().main());
        let (place, facts) = self.place(point);
        let head = self.apply(point, &place);
        self.clause(&[], &facts, Some(head), Reason::Start);
    }

    /// The clause for the beginning of a call, if that matters.
    pub(crate) fn call(
        &mut self,
        call: &Call,
        now: &Store,
        body: &[Application],
        conditions: &[Term],
        (from, edge): (Point, EdgeId),
    ) {
        let target = self.entry(call.callee);
        if !Scopes::is_wanted(&self.prepared.reduced, target)
            && !self.prepared.reduced.is_target[target.procedure.index()][target.node.index()]
        {
            return;
        }
        let entered = self.encoder.entered(self.program(), call, now);
        let mut conditions = conditions.to_vec();
        conditions.extend(self.range_facts());
        let place = Place {
            entry: entered.clone(),
            now: entered,
        };
        let reason = Reason::Call(from, edge);
        match Scopes::is_wanted(&self.prepared.reduced, target) {
            true => {
                let head = self.apply(target, &place);
                self.clause(body, &conditions, Some(head), reason);
            }
            false => self.clause(body, &conditions, None, Reason::Target(from, target)),
        }
    }

    /// The values after a call, what the summary says of them, and more that is known of them; nothing if
    /// it never ends or that does not matter.
    pub(crate) fn after(
        &mut self,
        call: &Call,
        now: &Store,
    ) -> Option<(Store, Application, Vec<Term>)> {
        if !self.prepared.reduced.is_summarised[call.callee.index()] {
            return None;
        }
        let program = self.program();
        let exit = self.exit(call.callee);
        let mut end = self.encoder.any_store(program, call.callee);
        for (index, global) in (0..).zip(&now.globals) {
            if !self
                .prepared
                .scopes
                .changes(call.callee, VarRef::Global(index))
            {
                end.globals[index as usize] = global.clone();
            }
        }
        for (index, argument) in (0..).zip(&call.arguments) {
            if !self
                .prepared
                .scopes
                .changes(call.callee, VarRef::Local(index))
            {
                end.locals[index as usize] = argument.clone();
            }
        }
        let mut entry = end.clone();
        entry.globals.clone_from(&now.globals);
        entry.locals[..call.arguments.len()].clone_from_slice(&call.arguments);
        let facts = self.range_facts();
        let place = Place { entry, now: end };
        let facts = self.about(exit, &place, facts);
        let summary = self.apply(exit, &place);
        let after = self.encoder.returned(program, call, now, &place.now);
        Some((after, summary, facts))
    }

    /// A step along an edge, and what is known of the values that it chooses.
    pub(crate) fn step(&mut self, from: Point, edge: &Edge, now: &Store) -> (Step, Vec<Term>) {
        let program = self.program();
        let step = self.encoder.step(program, from.procedure, edge, now);
        let mut facts = self.encoder.take_facts();
        if self.ranges == Ranges::Left {
            let zero = self.encoder.terms.int(0);
            // That a value is not negative is worth knowing, that it is far from infinite is not.
            facts.retain(|&fact| self.encoder.terms.parts(&[fact]).contains(&zero));
        }
        (step, facts)
    }
}

/// The terms of a slot's value.
fn arguments(slot: Slot, place: &Place) -> Vec<Term> {
    place.held(slot).terms().to_vec()
}
