//! Where the unrolled program is, and what was made up there: the same in each attempt.

use recurva_encode::{Encoder, Held};
use recurva_model::{EdgeId, ProcId, Program, Type};
use recurva_smt::Term;
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
}

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
}
