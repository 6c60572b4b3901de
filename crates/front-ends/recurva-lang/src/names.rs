//! Names as small numbers.

use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use crate::token::clip;

/// A name, as a number into [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// Every name of a text once.
#[derive(Debug, Default)]
pub(crate) struct Names<'s> {
    ids: FxHashMap<&'s str, NameId>,
    list: Vec<&'s str>,
}

impl<'s> Names<'s> {
    pub(crate) fn id(&mut self, name: &'s str) -> NameId {
        *self.ids.entry(name).or_insert_with(|| {
            self.list.push(name);
            NameId(self.list.len() as u32 - 1)
        })
    }

    pub(crate) fn text(&self, id: NameId) -> &'s str {
        self.list.get(id.0 as usize).copied().unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

/// A map from names to indices that is cheap to empty: a procedure with many locals does not
/// slow down all those behind it.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<u32>,
    used: Vec<NameId>,
}

impl Table {
    pub(crate) fn new(names: &Names<'_>) -> Self {
        Table {
            slots: vec![u32::MAX; names.len()],
            used: Vec::new(),
        }
    }

    pub(crate) fn get(&self, name: NameId) -> Option<u32> {
        self.slots
            .get(name.0 as usize)
            .copied()
            .filter(|&index| index != u32::MAX)
    }

    /// Enters a name; if it is there already, gives its index and changes nothing.
    pub(crate) fn insert(&mut self, name: NameId, index: u32) -> Result<(), u32> {
        match self.slots.get_mut(name.0 as usize) {
            Some(slot) if *slot == u32::MAX => {
                *slot = index;
                self.used.push(name);
                Ok(())
            }
            Some(slot) => Err(*slot),
            None => Ok(()),
        }
    }

    pub(crate) fn clear(&mut self) {
        for name in self.used.drain(..) {
            self.slots[name.0 as usize] = u32::MAX;
        }
    }

    /// The names in the table, in the order they were entered.
    pub(crate) fn names(&self) -> &[NameId] {
        &self.used
    }
}

/// A name at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) id: NameId,
    pub(crate) span: Span,
}

/// Reports a name that is declared again.
pub(crate) fn twice(
    diagnostics: &mut Diagnostics,
    names: &Names<'_>,
    what: &str,
    name: Name,
    first: Span,
) {
    diagnostics.report(|| {
        let text = clip(names.text(name.id));
        Diagnostic::error(format!("{what} `{text}` is declared twice"), name.span)
            .label("declared again here")
            .note(first, "first declared here")
    });
}

/// Warns of a local that hides a global variable.
pub(crate) fn hides(diagnostics: &mut Diagnostics, names: &Names<'_>, name: Name, global: Span) {
    diagnostics.warn(|| {
        let text = clip(names.text(name.id));
        Diagnostic::warning(format!("`{text}` hides a global variable"), name.span)
            .note(global, "the global variable")
    });
}
