//! Names as small numbers.

use rustc_hash::FxHashMap;

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
