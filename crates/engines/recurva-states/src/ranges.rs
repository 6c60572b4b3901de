//! Sets of values, as ranges.

use rustc_hash::FxHashMap;

use recurva_certificate::{Builder, formula::Arithmetic, formula::Part};
use recurva_model::Type;

/// A set of values of a type: ranges in ascending order with gaps between them.
pub(crate) type Ranges = Box<[(i128, i128)]>;

/// Number of a set in [`Sets`].
pub(crate) type SetId = u32;

/// All values.
pub(crate) const ANY: SetId = 0;

/// Sets of values, numbered: equal sets have equal numbers.
#[derive(Debug)]
pub(crate) struct Sets {
    all: Vec<Ranges>,
    known: FxHashMap<Ranges, SetId>,
}

impl Default for Sets {
    fn default() -> Self {
        // What stands for all values is no list of ranges.
        Sets {
            all: vec![Box::new([])],
            known: FxHashMap::default(),
        }
    }
}

impl Sets {
    /// The set of one value.
    pub(crate) fn single(&mut self, value: i128) -> SetId {
        self.number([(value, value)].into())
    }

    fn number(&mut self, ranges: Ranges) -> SetId {
        let all = &mut self.all;
        *self.known.entry(ranges).or_insert_with_key(|ranges| {
            all.push(ranges.clone());
            all.len() as SetId - 1
        })
    }

    /// The only value in a set.
    pub(crate) fn value(&self, set: SetId) -> Option<i128> {
        match *self.all[set as usize] {
            [(from, to)] if from == to => Some(from),
            _ => None,
        }
    }

    /// All values that are in one of the sets.
    pub(crate) fn union(&mut self, ty: Type, sets: impl IntoIterator<Item = SetId>) -> SetId {
        let mut ranges = Vec::new();
        for set in sets {
            if set == ANY {
                return ANY;
            }
            ranges.extend_from_slice(&self.all[set as usize]);
        }
        ranges.sort_unstable();
        let mut merged: Vec<(i128, i128)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match merged.last_mut() {
                Some((_, end)) if from <= *end + 1 => *end = to.max(*end),
                _ => merged.push((from, to)),
            }
        }
        match merged.first() {
            Some(&range) if range == (least(ty), greatest(ty)) => ANY,
            _ => self.number(merged.into()),
        }
    }

    /// A formula: a value is in a set.
    pub(crate) fn contains(
        &self,
        builder: &mut Builder,
        ty: Type,
        value: Part,
        set: SetId,
    ) -> Part {
        if set == ANY {
            return builder.bool(true);
        }
        let ranges = &self.all[set as usize];
        if ty == Type::Bool {
            return match ranges.first() {
                Some((0, _)) => builder.not(value),
                _ => value,
            };
        }
        if let Some(step) = step(ranges) {
            let (from, to) = (ranges[0].0, ranges[ranges.len() - 1].1);
            let within = between(builder, ty, value, from, to);
            let (first, step) = (builder.int(from), builder.int(step));
            let offset = builder.arithmetic(Arithmetic::Subtract, value, first);
            let rest = builder.arithmetic(Arithmetic::Remainder, offset, step);
            let zero = builder.int(0);
            let fits = builder.equal(rest, zero);
            return builder.and(within, fits);
        }
        let parts: Vec<Part> = ranges
            .iter()
            .map(|&(from, to)| between(builder, ty, value, from, to))
            .collect();
        builder.or_all(parts)
    }
}

fn between(builder: &mut Builder, ty: Type, value: Part, from: i128, to: i128) -> Part {
    let (low, high) = (builder.int(from), builder.int(to));
    if from == to {
        return builder.equal(value, low);
    }
    let above = match from == least(ty) {
        true => builder.bool(true),
        false => builder.less_equal(low, value),
    };
    let below = match to == greatest(ty) {
        true => builder.bool(true),
        false => builder.less_equal(value, high),
    };
    builder.and(above, below)
}

/// The distance of values that are all equally far from the next, if there are many.
fn step(ranges: &[(i128, i128)]) -> Option<i128> {
    let distance = ranges.get(1)?.0 - ranges[0].0;
    let is_regular = ranges.len() > 3
        && ranges.iter().all(|(from, to)| from == to)
        && ranges
            .windows(2)
            .all(|pair| pair[1].0 - pair[0].0 == distance);
    is_regular.then_some(distance)
}

fn least(ty: Type) -> i128 {
    match ty {
        Type::Int { bits, signed: true } => -(1i128 << (bits - 1)),
        _ => 0,
    }
}

fn greatest(ty: Type) -> i128 {
    let all = i128::from(ty.mask());
    match ty.is_signed() {
        true => all / 2,
        false => all,
    }
}
