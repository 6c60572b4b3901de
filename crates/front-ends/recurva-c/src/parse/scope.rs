//! Which names are types: C cannot be read without knowing.

use crate::ast::Name;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A variable, a function, an enumerator, or nothing yet.
    Value,
    /// A type that is no array.
    Type,
    /// A type of arrays.
    ArrayType,
    /// A type that the compiler knows without a declaration.
    Builtin,
}

/// The meanings of names in the innermost scope, and how to get back to those around it.
#[derive(Default)]
pub(crate) struct Scopes {
    meanings: Vec<Meaning>,
    /// What names meant before they were declared in the scopes that are open.
    hidden: Vec<(Name, Meaning)>,
}

/// The beginning of a scope.
pub(crate) struct Mark(usize);

impl Scopes {
    pub(crate) fn meaning(&self, name: Name) -> Meaning {
        let known = self.meanings.get(name.index());
        known.copied().unwrap_or(Meaning::Value)
    }

    pub(crate) fn declare(&mut self, name: Name, meaning: Meaning) {
        let before = self.meaning(name);
        if before == meaning {
            return;
        }
        self.hidden.push((name, before));
        if self.meanings.len() <= name.index() {
            self.meanings.resize(name.index() + 1, Meaning::Value);
        }
        self.meanings[name.index()] = meaning;
    }

    pub(crate) fn open(&self) -> Mark {
        Mark(self.hidden.len())
    }

    pub(crate) fn close(&mut self, Mark(begin): Mark) {
        while self.hidden.len() > begin
            && let Some((name, before)) = self.hidden.pop()
        {
            self.meanings[name.index()] = before;
        }
    }
}
