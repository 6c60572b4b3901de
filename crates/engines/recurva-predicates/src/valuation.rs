//! Truth values of predicates, by number.

use rustc_hash::FxHashMap;

/// The number of a valuation: equal ones have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ValuationId(u32);

/// Gives valuations numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valuations {
    all: Vec<Box<[bool]>>,
    numbers: FxHashMap<Box<[bool]>, ValuationId>,
}

impl Valuations {
    /// The number of a valuation.
    pub(crate) fn number(&mut self, valuation: &[bool]) -> ValuationId {
        if let Some(&known) = self.numbers.get(valuation) {
            return known;
        }
        let number = ValuationId(self.all.len() as u32);
        self.all.push(valuation.into());
        self.numbers.insert(valuation.into(), number);
        number
    }

    /// The truth values.
    pub(crate) fn get(&self, number: ValuationId) -> &[bool] {
        &self.all[number.0 as usize]
    }
}
