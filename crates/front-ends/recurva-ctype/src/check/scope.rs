//! Names and what they mean where the checker is.

use recurva_c::ast::{Ident, Name};
use recurva_syntax::Span;

use crate::{
    EnumId, Qualified, RecordId, TypeId,
    typed::{FunctionId, LocalId, ObjectId},
};

/// What an ordinary name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol {
    /// A type, with the alignment that its declaration asks for.
    Typedef(Qualified, Option<u64>),
    /// A variable with static storage.
    Object(ObjectId),
    /// A variable of the function.
    Local(LocalId),
    /// A parameter of a prototype: it has a type, and no value.
    Parameter(Qualified),
    /// A function.
    Function(FunctionId),
    /// A constant of an enumeration.
    Enumerator(i128, TypeId),
    /// Something whose declaration is wrong, which has been said.
    Wrong,
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// A declaration that is in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<T> {
    pub(crate) what: T,
    pub(crate) ident: Ident,
    /// How deep its scope is; 0 is the unit.
    pub(crate) depth: u32,
}

/// A name space: for each name, the innermost declaration.
#[derive(Debug)]
pub(crate) struct Space<T> {
    /// By the numbers of names.
    entries: Vec<Option<Entry<T>>>,
    /// What was hidden since the unit began, to be shown again.
    hidden: Vec<(usize, Option<Entry<T>>)>,
    /// How many had been hidden when each open scope began.
    marks: Vec<usize>,
}

impl<T: Copy> Space<T> {
    fn new() -> Self {
        Space {
            entries: Vec::new(),
            hidden: Vec::new(),
            marks: Vec::new(),
        }
    }

    fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// What a name means.
    pub(crate) fn get(&self, name: Name) -> Option<Entry<T>> {
        self.entries.get(name.index()).copied().flatten()
    }

    /// What a name means if it is declared in the innermost scope.
    pub(crate) fn get_here(&self, name: Name) -> Option<Entry<T>> {
        self.get(name).filter(|it| it.depth == self.depth())
    }

    /// Declares a name in the innermost scope.
    pub(crate) fn declare(&mut self, ident: Ident, what: T) {
        let index = ident.name.index();
        if self.entries.len() <= index {
            self.entries.resize_with(index + 1, || None);
        }
        let entry = Entry {
            what,
            ident,
            depth: self.depth(),
        };
        let before = self.entries[index].replace(entry);
        if !self.marks.is_empty() && before.is_none_or(|it| it.depth != entry.depth) {
            self.hidden.push((index, before));
        }
    }

    /// Declares a name at the outermost level, from within a scope that may hide it.
    pub(crate) fn declare_outermost(&mut self, ident: Ident, what: T) {
        let index = ident.name.index();
        if self.entries.len() <= index {
            self.entries.resize_with(index + 1, || None);
        }
        let entry = Entry {
            what,
            ident,
            depth: 0,
        };
        // What the first scope to hide the name has put away is its outermost meaning.
        let hidden = self.hidden.iter_mut().find(|it| it.0 == index);
        match hidden {
            Some((_, before)) => *before = Some(entry),
            None => self.entries[index] = Some(entry),
        }
    }

    /// What a name means at the outermost level.
    pub(crate) fn get_outermost(&self, name: Name) -> Option<Entry<T>> {
        let hidden = self.hidden.iter().find(|it| it.0 == name.index());
        match hidden {
            Some((_, before)) => *before,
            None => self.get(name),
        }
    }

    fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }

    fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (index, before) in self.hidden.drain(mark..).rev() {
            self.entries[index] = before;
        }
    }

    /// All names that are declared.
    pub(crate) fn names(&self) -> impl Iterator<Item = Entry<T>> {
        self.entries.iter().copied().flatten()
    }
}

/// The name spaces of scopes.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// Variables, functions, types and enumerators.
    pub(crate) ordinary: Space<Symbol>,
    /// `struct`, `union` and `enum`.
    pub(crate) tags: Space<Tag>,
}

impl Scopes {
    pub(crate) fn new() -> Self {
        Scopes {
            ordinary: Space::new(),
            tags: Space::new(),
        }
    }

    /// Whether this is the outermost level.
    pub(crate) fn is_outermost(&self) -> bool {
        self.ordinary.marks.is_empty()
    }

    pub(crate) fn enter(&mut self) {
        self.ordinary.enter();
        self.tags.enter();
    }

    pub(crate) fn leave(&mut self) {
        self.ordinary.leave();
        self.tags.leave();
    }
}

impl<T> Entry<T> {
    /// Where it is declared.
    pub(crate) fn span(&self) -> Span {
        self.ident.span
    }
}
