//! Tables of values as formulas.
//!
//! A table has a column for each variable, and its rows are what the variables can be together. The
//! formula says the same: what all rows have in common first, then what does not depend on the rest, what
//! is a function of another variable; rows that differ in one value only are made one row with a range;
//! and when nothing of this helps, there is a case for each value of one variable.

use recurva_certificate::{Builder, formula::Part};
use recurva_model::{Patience, Stop, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    ranges::{ANY, SetId, Sets},
    relation::{Band, Line, is_integer, truth_values},
};

/// A variable, or an element, as a part of the formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) part: Part,
    pub(crate) ty: Type,
}

/// What some variables can be together. A row has a set for each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Box<[SetId]>>,
}

/// So often cases are put into cases. What is left then is written row by row.
const DEEPEST: u32 = 64;

/// Makes formulas of tables.
#[derive(Debug, Default)]
pub(crate) struct Factory {
    pub(crate) builder: Builder,
    pub(crate) sets: Sets,
}

impl Factory {
    /// What a table says.
    pub(crate) fn formula(
        &mut self,
        table: Table,
        patience: &mut Patience<'_>,
    ) -> Result<Part, Stop> {
        self.factor(table, 0, patience)
    }

    /// Recursion is no deeper than [`DEEPEST`].
    fn factor(
        &mut self,
        mut table: Table,
        depth: u32,
        patience: &mut Patience<'_>,
    ) -> Result<Part, Stop> {
        let mut parts = Vec::new();
        let rest = loop {
            patience.work((table.rows.len() * (table.columns.len() + 1)) as u64 * 4)?;
            table.rows.sort_unstable();
            table.rows.dedup();
            if table.rows.is_empty() {
                break self.builder.bool(false);
            }
            if (table.rows.iter()).any(|row| row.iter().all(|&set| set == ANY)) {
                break self.builder.bool(true);
            }
            if self.take_common(&mut table, &mut parts)
                || self.take_independent(&mut table, &mut parts)
                || self.take_lines(&mut table, &mut parts)
            {
                continue;
            }
            if let Some(band) = self.band(&table) {
                break band;
            }
            if self.merge(&mut table) {
                continue;
            }
            break self.cases(&table, depth, patience)?;
        };
        parts.push(rest);
        Ok(self.builder.and_all(parts))
    }

    /// What is the same in all rows.
    fn take_common(&mut self, table: &mut Table, parts: &mut Vec<Part>) -> bool {
        let first = table.rows[0].clone();
        let is_common = |&index: &usize| table.rows.iter().all(|row| row[index] == first[index]);
        let common: Vec<usize> = (0..table.columns.len()).filter(is_common).collect();
        for &index in &common {
            parts.push(self.contains(table.columns[index], first[index]));
        }
        table.remove(&common);
        !common.is_empty()
    }

    /// What is in any of its sets whatever the rest is.
    fn take_independent(&mut self, table: &mut Table, parts: &mut Vec<Part>) -> bool {
        let keys = table.keys();
        let independent: Vec<usize> = (0..table.columns.len())
            .filter(|&index| {
                let count = table.values(index).len();
                let rows = table.rows.len();
                rows.is_multiple_of(count) && rows / count == keys.count_without(table, index)
            })
            .collect();
        for &index in &independent {
            let union = (self.sets).union(table.columns[index].ty, table.values(index));
            parts.push(self.contains(table.columns[index], union));
        }
        table.remove(&independent);
        !independent.is_empty()
    }

    /// What is a function of another column.
    fn take_lines(&mut self, table: &mut Table, parts: &mut Vec<Part>) -> bool {
        let values: Vec<Option<Vec<i128>>> = (0..table.columns.len())
            .map(|index| {
                let values = table.rows.iter().map(|row| self.sets.value(row[index]));
                values.collect()
            })
            .collect();
        let mut gone = Vec::new();
        for (index, ys) in values.iter().enumerate() {
            let Some(ys) = ys else { continue };
            let y = table.columns[index];
            let found = (0..index).rev().find_map(|other| {
                let xs = values[other].as_ref()?;
                if gone.contains(&other) {
                    return None;
                }
                let x = table.columns[other];
                let points = xs.iter().copied().zip(ys.iter().copied());
                match (is_integer(x), is_integer(y)) {
                    (true, true) => {
                        Line::through(points).map(|line| line.formula(&mut self.builder, x, y))
                    }
                    (false, false) => truth_values(&mut self.builder, x, y, points),
                    _ => None,
                }
            });
            if let Some(part) = found {
                parts.push(part);
                gone.push(index);
            }
        }
        table.remove(&gone);
        !gone.is_empty()
    }

    /// The points of two columns between bounds on both and on their difference.
    fn band(&mut self, table: &Table) -> Option<Part> {
        let &[x, y] = &table.columns[..] else {
            return None;
        };
        if !is_integer(x) || !is_integer(y) {
            return None;
        }
        let points = table.rows.iter().map(|row| {
            let (x, y) = (self.sets.value(row[0])?, self.sets.value(row[1])?);
            Some((x, y))
        });
        let points: Vec<(i128, i128)> = points.collect::<Option<_>>()?;
        let band = Band::of(&points)?;
        Some(band.formula(&mut self.builder, x, y))
    }

    /// Makes one row of those that differ in one column only: in the column where that helps most.
    fn merge(&mut self, table: &mut Table) -> bool {
        let keys = table.keys();
        let best = (0..table.columns.len())
            .map(|index| (keys.count_without(table, index), index))
            .min();
        let Some((count, index)) = best.filter(|best| best.0 < table.rows.len()) else {
            return false;
        };
        let mut groups: FxHashMap<Box<[SetId]>, Vec<SetId>> = FxHashMap::default();
        groups.reserve(count);
        for mut row in std::mem::take(&mut table.rows) {
            let set = std::mem::replace(&mut row[index], ANY);
            groups.entry(row).or_default().push(set);
        }
        let ty = table.columns[index].ty;
        table.rows.extend(groups.into_iter().map(|(mut row, sets)| {
            row[index] = self.sets.union(ty, sets);
            row
        }));
        true
    }

    /// A case for each set of the column that has the fewest.
    fn cases(
        &mut self,
        table: &Table,
        depth: u32,
        patience: &mut Patience<'_>,
    ) -> Result<Part, Stop> {
        if depth == DEEPEST {
            let rows = table.rows.iter().map(|row| {
                let columns = table.columns.iter().zip(row);
                let parts: Vec<Part> = columns
                    .map(|(&column, &set)| self.contains(column, set))
                    .collect();
                self.builder.and_all(parts)
            });
            let rows: Vec<Part> = rows.collect();
            return Ok(self.builder.or_all(rows));
        }
        let counts = (0..table.columns.len()).map(|index| (table.values(index).len(), index));
        let column = counts.min().map_or(0, |(_, index)| index);
        let mut rows: std::collections::BTreeMap<SetId, Table> = std::collections::BTreeMap::new();
        for row in &table.rows {
            let group = rows.entry(row[column]).or_default();
            group.rows.push(row.clone());
        }
        // Cases with the same rest are one case.
        let mut cases: Vec<(Part, Vec<SetId>)> = Vec::new();
        for (set, mut group) in rows {
            group.columns.clone_from(&table.columns);
            group.remove(&[column]);
            let rest = self.factor(group, depth + 1, patience)?;
            match cases.iter_mut().find(|case| case.0 == rest) {
                Some((_, sets)) => sets.push(set),
                None => cases.push((rest, vec![set])),
            }
        }
        let mut parts = Vec::with_capacity(cases.len());
        for (rest, sets) in cases {
            let union = self.sets.union(table.columns[column].ty, sets);
            let here = self.contains(table.columns[column], union);
            parts.push(self.builder.and(here, rest));
        }
        Ok(self.builder.or_all(parts))
    }

    fn contains(&mut self, column: Column, set: SetId) -> Part {
        (self.sets).contains(&mut self.builder, column.ty, column.part, set)
    }
}

impl Table {
    /// Takes out columns, whose positions ascend.
    fn remove(&mut self, gone: &[usize]) {
        if gone.is_empty() {
            return;
        }
        let stays: Vec<usize> = (0..self.columns.len())
            .filter(|index| gone.binary_search(index).is_err())
            .collect();
        self.columns = stays.iter().map(|&index| self.columns[index]).collect();
        for row in &mut self.rows {
            *row = stays.iter().map(|&index| row[index]).collect();
        }
    }

    /// The different sets in a column.
    fn values(&self, index: usize) -> FxHashSet<SetId> {
        self.rows.iter().map(|row| row[index]).collect()
    }

    fn keys(&self) -> Keys {
        let row = |row: &[SetId]| {
            let cells = row.iter().enumerate();
            cells.fold(0, |key, (index, &set)| key ^ cell(index, set))
        };
        Keys {
            keys: self.rows.iter().map(|it| row(it)).collect(),
        }
    }
}

/// A number for each row, made so that the number of a row without a column is found at once. That two
/// rows have the same by chance is as good as impossible; the formula would be refused then.
struct Keys {
    keys: Vec<u128>,
}

impl Keys {
    /// How many different rows there are without a column.
    fn count_without(&self, table: &Table, index: usize) -> usize {
        let keys = self.keys.iter().zip(&table.rows);
        let keys: FxHashSet<u128> = keys
            .map(|(key, row)| key ^ cell(index, row[index]))
            .collect();
        keys.len()
    }
}

fn cell(index: usize, set: SetId) -> u128 {
    let mix = |mut bits: u64| {
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    };
    let bits = (index as u64) << 32 | u64::from(set);
    let high = mix(bits.wrapping_add(0x9e37_79b9_7f4a_7c15));
    let low = mix(bits.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ 0x5851_f42d_4c95_7f2d);
    u128::from(high) << 64 | u128::from(low)
}

#[cfg(test)]
mod tests {
    use recurva_certificate::formula::{Values, When};
    use recurva_model::VarRef;

    use super::*;

    const TYPES: [Type; 4] = [
        Type::Bool,
        Type::unsigned(2),
        Type::signed(3),
        Type::unsigned(3),
    ];

    struct Assignment([i128; 4]);

    impl Values for Assignment {
        fn value(&self, variable: VarRef, _: When, _: u64) -> Option<i128> {
            match variable {
                VarRef::Local(index) => Some(self.0[index as usize]),
                VarRef::Global(_) => None,
            }
        }

        fn is_bool(&self, variable: VarRef) -> bool {
            variable == VarRef::Local(0)
        }
    }

    fn all() -> Vec<[i128; 4]> {
        let values = |index: usize| {
            let ty: Type = TYPES[index];
            (0..=ty.mask()).map(move |it| ty.to_number(it))
        };
        let mut found = Vec::new();
        for a in values(0) {
            for b in values(1) {
                for c in values(2) {
                    found.extend(values(3).map(|d| [a, b, c, d]));
                }
            }
        }
        found
    }

    /// Rows of values, `None` being any, as a formula that is evaluated everywhere.
    fn compare(rows: &[[Option<i128>; 4]]) -> usize {
        let mut factory = Factory::default();
        let columns = (0..).zip(TYPES).map(|(index, ty)| Column {
            part: (factory.builder).variable(VarRef::Local(index), When::Now),
            ty,
        });
        let table = Table {
            columns: columns.collect(),
            rows: rows
                .iter()
                .map(|row| {
                    let sets = row.map(|it| it.map_or(ANY, |value| factory.sets.single(value)));
                    sets.into()
                })
                .collect(),
        };
        let part = factory.formula(table, &mut Patience::endless());
        let formula = factory.builder.finish(part.expect("patience has no end"));
        for values in all() {
            let fits = |row: &[Option<i128>; 4]| {
                let mut pairs = row.iter().zip(values);
                pairs.all(|(row, value)| row.is_none_or(|it| it == value))
            };
            let expected = rows.iter().any(fits);
            assert_eq!(
                formula.holds(&Assignment(values)),
                Some(expected),
                "{values:?} in {rows:?}: {formula:?}"
            );
        }
        formula.nodes().len()
    }

    #[test]
    fn formulas_say_what_tables_say() {
        let mut state = 7u64;
        let mut below = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        };
        let all = all();
        for round in 0..3000 {
            // Some points of a few lines, bands and boxes, some variables of which are open.
            let (kind, bound) = (below(6), 1 + below(4) as i128);
            let share = 1 + below(4);
            let mut rows = Vec::new();
            for &values in &all {
                let [a, b, c, d] = values;
                let fits = match kind {
                    0 => below(60) == 0,
                    1 => d == 2 * b + a,
                    2 => c + d == bound,
                    3 => b <= d && d <= b + bound,
                    4 => (a == 1) == (d > bound) && c % 2 == 0,
                    _ => b < bound || c > 0 && d != bound,
                };
                if fits && (round % 2 == 0 || below(share) == 0) {
                    let open = if round % 3 == 0 { below(12) } else { 9 };
                    let keep = |(index, value)| (index != open).then_some(value);
                    let mut row = [None; 4];
                    for (to, from) in row.iter_mut().zip((0..).zip(values).map(keep)) {
                        *to = from;
                    }
                    rows.push(row);
                }
            }
            compare(&rows);
        }
    }

    #[test]
    fn what_is_regular_is_said_shortly() {
        let points = |fits: fn([i128; 4]) -> bool| -> Vec<[Option<i128>; 4]> {
            let all = all().into_iter().filter(|&it| fits(it));
            all.map(|row| row.map(Some)).collect()
        };
        // A bound on each of two variables.
        assert!(compare(&points(|[_, b, _, d]| b < 2 && d > 3)) <= 9);
        // An equation, and the bound that follows from it.
        assert!(compare(&points(|[_, b, _, d]| d == 2 * b)) <= 12);
        // A case for each value of a flag.
        assert!(compare(&points(|[a, _, c, d]| if a == 1 { c == d } else { d == 7 })) <= 20);
        // A triangle.
        assert!(compare(&points(|[_, b, _, d]| b <= d && d <= 3)) <= 16);
    }
}
