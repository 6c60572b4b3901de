//! Relations between two columns of a table that hold in all its rows.

use recurva_certificate::{
    Builder,
    formula::{Arithmetic, Part},
};
use recurva_model::Type;

use crate::factor::Column;

/// One value as a function of another: so many times the other, and so much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    factor: i128,
    offset: i128,
}

impl Line {
    /// The line on which all these points are. They are not all the same on either side.
    pub(crate) fn through(mut points: impl Iterator<Item = (i128, i128)> + Clone) -> Option<Self> {
        let (x, y) = points.clone().next()?;
        let (other_x, other_y) = points.clone().find(|it| it.0 != x)?;
        let (run, rise) = (other_x - x, other_y - y);
        if rise % run != 0 {
            return None;
        }
        let factor = rise / run;
        let line = Line {
            factor,
            offset: y.checked_sub(factor.checked_mul(x)?)?,
        };
        let fits = |(x, y)| line.at(x) == Some(y);
        let has_three = || points.clone().any(|it| it.0 != x && it.0 != other_x);
        // Through two points there is always a line.
        let is_telling = factor == 1 || has_three();
        (is_telling && points.all(fits)).then_some(line)
    }

    fn at(self, x: i128) -> Option<i128> {
        self.factor.checked_mul(x)?.checked_add(self.offset)
    }

    /// `y` is that function of `x`.
    pub(crate) fn formula(self, builder: &mut Builder, x: Column, y: Column) -> Part {
        let factor = builder.int(self.factor);
        let value = match self.factor {
            // Of the other: `offset - x`.
            -1 => {
                let offset = builder.int(self.offset);
                builder.arithmetic(Arithmetic::Subtract, offset, x.part)
            }
            _ => {
                let product = builder.arithmetic(Arithmetic::Multiply, factor, x.part);
                let (operator, offset) = match self.offset < 0 {
                    true => (Arithmetic::Subtract, -self.offset),
                    false => (Arithmetic::Add, self.offset),
                };
                let offset = builder.int(offset);
                builder.arithmetic(operator, product, offset)
            }
        };
        builder.equal(y.part, value)
    }
}

/// Of two truth values: whether they are equal in all rows, or different in all.
pub(crate) fn truth_values(
    builder: &mut Builder,
    x: Column,
    y: Column,
    mut points: impl Iterator<Item = (i128, i128)> + Clone,
) -> Option<Part> {
    if points.clone().all(|(x, y)| x == y) {
        return Some(builder.equal(x.part, y.part));
    }
    points.all(|(x, y)| x != y).then(|| {
        let other = builder.not(y.part);
        builder.equal(x.part, other)
    })
}

/// All points between bounds on both values and on their difference, if these are no others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    x: (i128, i128),
    y: (i128, i128),
    /// Of `y - x`.
    difference: (i128, i128),
}

impl Band {
    /// The band of these points, which are all different.
    pub(crate) fn of(points: &[(i128, i128)]) -> Option<Self> {
        let bounds = |value: fn(&(i128, i128)) -> i128| {
            let values = || points.iter().map(value);
            Some((values().min()?, values().max()?))
        };
        let band = Band {
            x: bounds(|it| it.0)?,
            y: bounds(|it| it.1)?,
            difference: bounds(|it| it.1 - it.0)?,
        };
        let width = band.x.1 - band.x.0 + 1;
        // Each column of the band has a point.
        if points.len() < 3 || width > points.len() as i128 {
            return None;
        }
        let in_column = |x: i128| {
            let from = band.y.0.max(x + band.difference.0);
            let to = band.y.1.min(x + band.difference.1);
            (to - from + 1).max(0)
        };
        let count: i128 = (band.x.0..=band.x.1).map(in_column).sum();
        (count == points.len() as i128).then_some(band)
    }

    pub(crate) fn formula(self, builder: &mut Builder, x: Column, y: Column) -> Part {
        let mut parts = Vec::new();
        for (column, (from, to)) in [(x, self.x), (y, self.y)] {
            let (from, to) = (builder.int(from), builder.int(to));
            parts.push(builder.less_equal(from, column.part));
            parts.push(builder.less_equal(column.part, to));
        }
        let (least, greatest) = self.difference;
        // Only what does not follow from the bounds.
        if least > self.y.0 - self.x.1 {
            let bound = sum(builder, x.part, least);
            parts.push(builder.less_equal(bound, y.part));
        }
        if greatest < self.y.1 - self.x.0 {
            let bound = sum(builder, x.part, greatest);
            parts.push(builder.less_equal(y.part, bound));
        }
        builder.and_all(parts)
    }
}

fn sum(builder: &mut Builder, part: Part, more: i128) -> Part {
    let (operator, more) = match more < 0 {
        true => (Arithmetic::Subtract, -more),
        false => (Arithmetic::Add, more),
    };
    let more = builder.int(more);
    builder.arithmetic(operator, part, more)
}

/// Whether a column holds integers.
pub(crate) fn is_integer(column: Column) -> bool {
    column.ty != Type::Bool
}
