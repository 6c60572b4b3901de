//! Where the unrolled program is, and what was made up there: the same in each attempt.

use recurva_encode::{Encoder, Held};
use recurva_model::{EdgeId, ProcId, Program, Type};
use recurva_smt::{Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::order::Key;

/// An invocation in the unrolled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FrameId(u32);

/// A node in an invocation, in one round of the loops around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlaceId(u32);

/// The places of the unrolled program and the values that were made up there.
#[derive(Debug, Default)]
pub(crate) struct Places {
    places: FxHashMap<(FrameId, Key), PlaceId>,
    frames: FxHashMap<(PlaceId, EdgeId), FrameId>,
    choices: FxHashMap<(PlaceId, EdgeId), Box<[Term]>>,
    selectors: FxHashMap<(PlaceId, u32), Term>,
    locals: FxHashMap<FrameId, Vec<Held>>,
    globals: Vec<Held>,
    /// The names that values were given, and what each name stands for.
    names: FxHashMap<Term, Term>,
    definitions: Definitions,
    /// Terms with values in place of names.
    expanded: FxHashMap<Term, Term>,
}

/// What names stand for. It speaks only of names that were given before.
pub(crate) type Definitions = FxHashMap<Term, Term>;

impl Places {
    /// The first invocation.
    pub(crate) const MAIN: FrameId = FrameId(0);

    pub(crate) fn place(&mut self, frame: FrameId, key: &Key) -> PlaceId {
        if let Some(&place) = self.places.get(&(frame, key.clone())) {
            return place;
        }
        let place = PlaceId(self.places.len() as u32);
        self.places.insert((frame, key.clone()), place);
        place
    }

    /// The invocation that a call from a place begins.
    pub(crate) fn frame(&mut self, place: PlaceId, edge: EdgeId) -> FrameId {
        let new = FrameId(self.frames.len() as u32 + 1);
        *self.frames.entry((place, edge)).or_insert(new)
    }

    pub(crate) fn choices(
        &mut self,
        encoder: &mut Encoder<'_>,
        place: PlaceId,
        edge: EdgeId,
        types: &[Type],
    ) -> &[Term] {
        self.choices
            .entry((place, edge))
            .or_insert_with(|| types.iter().map(|&ty| encoder.any(ty, "any")).collect())
    }

    /// One of the truth values that decide between edges.
    pub(crate) fn selector(
        &mut self,
        encoder: &mut Encoder<'_>,
        place: PlaceId,
        number: u32,
    ) -> Term {
        *self
            .selectors
            .entry((place, number))
            .or_insert_with(|| encoder.any(Type::Bool, "way"))
    }

    /// The values of an invocation's locals at its beginning that nobody gave: all from that one on.
    pub(crate) fn locals(
        &mut self,
        encoder: &mut Encoder<'_>,
        program: &Program,
        frame: FrameId,
        (procedure, from): (ProcId, usize),
    ) -> &[Held] {
        self.locals
            .entry(frame)
            .or_insert_with(|| encoder.any_values(&program.procedure(procedure).locals[from..]))
    }

    /// The values of the globals at the beginning.
    pub(crate) fn globals(&mut self, encoder: &mut Encoder<'_>, program: &Program) -> &[Held] {
        if self.globals.len() != program.globals().len() {
            self.globals = encoder.any_values(program.globals());
        }
        &self.globals
    }

    /// Gives names to values, so that what is said of a call speaks of these and not of what led to them.
    pub(crate) fn name_all(&mut self, terms: &mut Terms, values: &mut [Held]) {
        for held in values {
            *held = held.map(|it| self.named(terms, it));
        }
    }

    /// A name for a value, or the value itself if it is as short as a name, or an array.
    fn named(&mut self, terms: &mut Terms, value: Term) -> Term {
        let is_array = matches!(terms.sort(value), Sort::Array(..));
        if is_array || terms.operands(value).is_empty() {
            return value;
        }
        if let Some(&name) = self.names.get(&value) {
            return name;
        }
        let name = terms.fresh("value", terms.sort(value));
        self.names.insert(value, name);
        self.definitions.insert(name, value);
        name
    }

    pub(crate) fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// A term with values in place of all names.
    pub(crate) fn expanded(&mut self, terms: &mut Terms, term: Term) -> Term {
        match self.definitions.is_empty() {
            true => term,
            false => expanded(terms, term, &self.definitions, &mut self.expanded),
        }
    }
}

/// A term with values in place of names. What is already `made` of some terms stays.
pub(crate) fn expanded(
    terms: &mut Terms,
    root: Term,
    definitions: &Definitions,
    made: &mut FxHashMap<Term, Term>,
) -> Term {
    let mut stack = vec![(root, false)];
    while let Some((term, is_open)) = stack.pop() {
        if made.contains_key(&term) {
            continue;
        }
        let definition = definitions.get(&term).copied();
        if !is_open {
            stack.push((term, true));
            match definition {
                Some(definition) => stack.push((definition, false)),
                None => stack.extend(terms.operands(term).iter().map(|&it| (it, false))),
            }
            continue;
        }
        let new = match (definition, terms.node(term).clone()) {
            (Some(definition), _) => made[&definition],
            (None, Node::Apply(op, operands)) => {
                let operands: Vec<Term> = operands.iter().map(|it| made[it]).collect();
                terms.apply(op, &operands)
            }
            (None, Node::Constant(value, index)) => terms.constant_array(made[&value], index),
            (None, _) => term,
        };
        made.insert(term, new);
    }
    made[&root]
}
