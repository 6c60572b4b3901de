//! Generalised Büchi acceptance on the vertices of a machine.

use recurva_model::rsm::{Rsm, VertexId};

/// A set of acceptance marks, by number from 0 to 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(pub u32);

impl Marks {
    /// How many marks there can be.
    pub const MOST: u32 = 32;

    /// The first `count` marks; all 32 if `count` is larger.
    pub const fn all(count: u32) -> Self {
        if count >= Self::MOST {
            Marks(u32::MAX)
        } else {
            Marks((1 << count) - 1)
        }
    }

    /// One mark.
    pub const fn one(mark: u32) -> Self {
        Marks(1 << mark)
    }

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn both(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// Whether all of another set's marks are in this one.
    pub const fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest mark.
    pub const fn first(self) -> Option<u32> {
        if self.0 == 0 {
            None
        } else {
            Some(self.0.trailing_zeros())
        }
    }
}

/// Which infinite runs are accepted: those that see every one of so many marks again and
/// again. Without marks that is every infinite run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    count: u32,
    /// For each vertex; may be shorter than the list of vertices.
    marks: Vec<Marks>,
}

impl Acceptance {
    /// Every infinite run.
    pub fn every_run() -> Self {
        Acceptance {
            count: 0,
            marks: Vec::new(),
        }
    }

    /// The machine's own: one mark at the accepting vertices, or, where none are given, every
    /// infinite run.
    pub fn of(rsm: &Rsm) -> Self {
        if rsm.accept().is_empty() {
            return Acceptance::every_run();
        }
        let mut acceptance = Acceptance::new(1);
        for &vertex in rsm.accept() {
            acceptance.mark(vertex, Marks::one(0));
        }
        acceptance
    }

    /// So many marks, at most 32, none of them anywhere yet.
    pub fn new(count: u32) -> Self {
        Acceptance {
            count: count.min(Marks::MOST),
            marks: Vec::new(),
        }
    }

    /// Adds marks to a vertex; those that the condition does not have are ignored.
    pub fn mark(&mut self, vertex: VertexId, marks: Marks) {
        if self.marks.len() <= vertex.index() {
            self.marks.resize(vertex.index() + 1, Marks::default());
        }
        let here = &mut self.marks[vertex.index()];
        *here = here.union(marks.both(Marks::all(self.count)));
    }

    /// How many marks there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// All marks.
    pub fn all(&self) -> Marks {
        Marks::all(self.count)
    }

    /// The marks of a vertex.
    pub fn marks(&self, vertex: VertexId) -> Marks {
        let marks = self.marks.get(vertex.index());
        marks.copied().unwrap_or_default()
    }
}
