//! What may hold at a node: all of some simple kinds that no run has refuted.

use std::collections::BTreeSet;

use recurva_certificate::{
    Builder, Formula,
    formula::{Arithmetic, Part, When},
};
use recurva_model::{Point, Program, Type, VarRef};

use super::{
    relations::{self, Relations},
    samples::{Read, Samples},
};
use crate::live::Live;
use recurva_certificate::formula::Values as _;

/// So many numbers, and so many truth values and small numbers, are compared with each other.
const NUMBERS: usize = 22;
const FLAGS: usize = 40;

/// A variable at one of the two moments.
pub(super) type Column = (VarRef, When);

/// So many values of all variables together are listed one by one, and so many parts are in such a list.
const LISTED: usize = 64;
const PARTS: usize = 1_000;

/// What is being looked at.
pub(super) struct Guess<'a> {
    pub(super) builder: Builder,
    pub(super) found: Vec<Formula>,
    reads: Vec<Read<'a, 'a>>,
}

/// What may hold at a node.
pub(crate) fn candidates(
    program: &Program,
    samples: &Samples<'_>,
    live: &Live,
    point: Point,
) -> Vec<Formula> {
    let reads = samples.at(point);
    if reads.is_empty() {
        return unseen(program, point);
    }
    let mut guess = Guess {
        builder: Builder::default(),
        found: Vec::new(),
        reads,
    };
    let procedure = program.procedure(point.procedure);
    let mut columns: Vec<(Column, Type)> = Vec::new();
    let is_entry = point.node == procedure.entry;
    for (index, variable) in program.globals().iter().enumerate() {
        let reference = VarRef::Global(index as u32);
        if variable.len.is_none() && live.is_read(reference) {
            columns.push(((reference, When::Now), variable.ty));
            if !is_entry && live.is_written_in(point.procedure, reference) {
                columns.push(((reference, When::Entry), variable.ty));
            }
        }
    }
    for (index, variable) in procedure.locals.iter().enumerate() {
        let reference = VarRef::Local(index as u32);
        if variable.len.is_some() {
            continue;
        }
        if live.is_live(point, index) {
            columns.push(((reference, When::Now), variable.ty));
        }
        if !is_entry && index < procedure.parameters {
            columns.push(((reference, When::Entry), variable.ty));
        }
    }
    guess.flags(&columns);
    guess.ranges(&columns, samples.constants());
    guess.low_bits(&columns);
    guess.pairs(&columns);
    let numbers = guess.numbers(&columns);
    guess.differences(&numbers, samples.constants());
    guess.equations(&columns);
    guess.implications(&columns, samples.constants());
    guess.all_seen(&columns);
    match is_entry {
        true => guess.bounds_in_cases(&columns, samples.constants()),
        false => guess.unchanged(program, live, point),
    }
    guess.found
}

/// What may hold at a node where no run came: that none does; of parameters that they are zero, one, or
/// not zero.
fn unseen(program: &Program, point: Point) -> Vec<Formula> {
    let mut found = vec![Formula::falsity()];
    let procedure = program.procedure(point.procedure);
    if point.node != procedure.entry {
        return found;
    }
    let mut builder = Builder::default();
    for (index, variable) in procedure.locals[..procedure.parameters].iter().enumerate() {
        let part = builder.variable(VarRef::Local(index as u32), When::Now);
        let parts = match variable.ty {
            Type::Bool => vec![part, builder.not(part)],
            Type::Int { .. } => {
                let [zero, one] = [0, 1].map(|it| builder.int(it));
                let [zero, one] = [zero, one].map(|it| builder.equal(part, it));
                vec![zero, one, builder.not(zero)]
            }
        };
        found.extend(parts.into_iter().map(|it| builder.finish(it)));
    }
    found
}

impl Guess<'_> {
    pub(super) fn column(&mut self, (variable, when): Column) -> Part {
        self.builder.variable(variable, when)
    }

    pub(super) fn values(&self, (variable, when): Column) -> Vec<i128> {
        let values = self.reads.iter();
        values
            .map(|it| it.value(variable, when, 0).unwrap_or(0))
            .collect()
    }

    pub(super) fn distinct(&self, column: Column) -> Vec<i128> {
        let values: BTreeSet<i128> = self.values(column).into_iter().collect();
        values.into_iter().collect()
    }

    /// Keeps a formula that no sample refutes.
    pub(super) fn keep(&mut self, part: Part) {
        let formula = self.builder.finish(part);
        if !formula.is_truth() && self.reads.iter().all(|it| formula.holds(it) == Some(true)) {
            self.found.push(formula);
        }
    }

    fn flags(&mut self, columns: &[(Column, Type)]) {
        for &(column, ty) in columns {
            let values = self.distinct(column);
            if let (Type::Bool, [value]) = (ty, &values[..]) {
                let mut part = self.column(column);
                if *value == 0 {
                    part = self.builder.not(part);
                }
                self.keep(part);
            }
        }
        let flags: Vec<Column> = of_type(columns, |it| it == Type::Bool);
        for (number, &left) in flags.iter().enumerate().take(FLAGS) {
            for &right in flags.iter().take(number) {
                let (left, right) = (self.column(left), self.column(right));
                let same = self.builder.equal(left, right);
                let differs = self.builder.not(same);
                self.keep(same);
                self.keep(differs);
            }
        }
    }

    fn ranges(&mut self, columns: &[(Column, Type)], constants: &[i128]) {
        for &(column, ty) in columns {
            let values = self.distinct(column);
            let (Some(&least), Some(&most), Type::Int { .. }) = (values.first(), values.last(), ty)
            else {
                continue;
            };
            let part = self.column(column);
            if let [value] = values[..] {
                let value = self.builder.int(value);
                let same = self.builder.equal(part, value);
                self.keep(same);
            }
            let near = constants.iter().flat_map(|&it| [it - 1, it, it + 1]);
            let mut low: Vec<i128> = near
                .clone()
                .chain([least])
                .filter(|&it| it <= least)
                .collect();
            let mut high: Vec<i128> = near.chain([most]).filter(|&it| it >= most).collect();
            low.sort_unstable();
            low.dedup();
            high.sort_unstable();
            high.dedup();
            for &bound in low.iter().rev().take(5) {
                let bound = self.builder.int(bound);
                let above = self.builder.less_equal(bound, part);
                self.keep(above);
            }
            for &bound in high.iter().take(5) {
                let bound = self.builder.int(bound);
                let below = self.builder.less_equal(part, bound);
                self.keep(below);
            }
            if (2..=8).contains(&values.len()) {
                let mut all = Vec::new();
                for &value in &values {
                    let value = self.builder.int(value);
                    all.push(self.builder.equal(part, value));
                }
                let any = self.builder.or_all(all);
                self.keep(any);
            }
            for &constant in constants {
                if least < constant && constant < most && !values.contains(&constant) {
                    let constant = self.builder.int(constant);
                    let same = self.builder.equal(part, constant);
                    let differs = self.builder.not(same);
                    self.keep(differs);
                }
            }
            let turn = values.iter().fold(0, |turn, it| gcd(turn, it - least));
            for modulus in [turn, 2] {
                if (2..=64).contains(&modulus) && values.len() > 1 {
                    let rest = self.builder.int(least % modulus);
                    let modulus = self.builder.int(modulus);
                    let of = self
                        .builder
                        .arithmetic(Arithmetic::Remainder, part, modulus);
                    let same = self.builder.equal(of, rest);
                    self.keep(same);
                }
            }
        }
    }

    /// The numbers that differ from run to run.
    fn numbers(&self, columns: &[(Column, Type)]) -> Vec<Column> {
        let numbers: Vec<Column> = of_type(columns, |it| it != Type::Bool);
        let varies = numbers
            .into_iter()
            .filter(|&it| self.distinct(it).len() > 1);
        varies.take(NUMBERS).collect()
    }

    fn pairs(&mut self, columns: &[(Column, Type)]) {
        let numbers = self.numbers(columns);
        for (number, &left) in numbers.iter().enumerate() {
            for &right in &numbers[..number] {
                let values = self.values(left).into_iter().zip(self.values(right));
                let differences: Vec<i128> = values.map(|(a, b)| a - b).collect();
                let (Some(&least), Some(&most)) =
                    (differences.iter().min(), differences.iter().max())
                else {
                    continue;
                };
                let (left, right) = (self.column(left), self.column(right));
                let difference = self.builder.arithmetic(Arithmetic::Subtract, left, right);
                if least == most {
                    let same = match least {
                        0 => self.builder.equal(left, right),
                        _ => {
                            let value = self.builder.int(least);
                            self.builder.equal(difference, value)
                        }
                    };
                    self.keep(same);
                    continue;
                }
                for (bound, is_low) in [(least, true), (0, true), (0, false), (most, false)] {
                    if !(-2..=2).contains(&bound)
                        || is_low && bound > least
                        || !is_low && bound < most
                    {
                        continue;
                    }
                    let part = match (bound, is_low) {
                        (0, true) => self.builder.less_equal(right, left),
                        (0, false) => self.builder.less_equal(left, right),
                        _ => {
                            let bound = self.builder.int(bound);
                            match is_low {
                                true => self.builder.less_equal(bound, difference),
                                false => self.builder.less_equal(difference, bound),
                            }
                        }
                    };
                    self.keep(part);
                }
                if !differences.contains(&0) {
                    let same = self.builder.equal(left, right);
                    let differs = self.builder.not(same);
                    self.keep(differs);
                }
            }
        }
    }

    /// Equations between numbers.
    fn equations(&mut self, columns: &[(Column, Type)]) {
        let numbers = self.numbers(columns);
        let with_type = |it: &Column| {
            let ty = columns.iter().find(|other| other.0 == *it)?.1;
            Some((it.0, it.1, ty))
        };
        let numbers: Vec<relations::Column> = numbers.iter().filter_map(with_type).collect();
        let found = Relations::find(&mut self.builder, &self.reads, &numbers);
        self.found.extend(found);
    }

    /// That all values are among those that were seen, if those are few.
    fn all_seen(&mut self, columns: &[(Column, Type)]) {
        let varying: Vec<&(Column, Type)> = columns
            .iter()
            .filter(|it| self.distinct(it.0).len() > 1)
            .collect();
        let values: Vec<Vec<i128>> = varying.iter().map(|it| self.values(it.0)).collect();
        let row = |sample: usize| -> Vec<i128> { values.iter().map(|it| it[sample]).collect() };
        let rows: BTreeSet<Vec<i128>> = (0..self.reads.len()).map(row).collect();
        if rows.len() > LISTED || rows.len() * varying.len() > PARTS || rows.len() < 2 {
            return;
        }
        let mut all = Vec::new();
        for row in rows {
            let mut parts = Vec::new();
            for (&&(column, ty), value) in varying.iter().zip(row) {
                parts.push(self.has_value(column, ty, value));
            }
            all.push(self.builder.and_all(parts));
        }
        let any = self.builder.or_all(all);
        self.keep(any);
    }

    pub(super) fn has_value(&mut self, column: Column, ty: Type, value: i128) -> Part {
        let part = self.column(column);
        match (ty, value) {
            (Type::Bool, 0) => self.builder.not(part),
            (Type::Bool, _) => part,
            _ => {
                let value = self.builder.int(value);
                self.builder.equal(part, value)
            }
        }
    }

    /// That something is so when a flag or a number has some value, or has it not.
    fn implications(&mut self, columns: &[(Column, Type)], constants: &[i128]) {
        let mut facts: Vec<(Column, Part, Vec<bool>)> = Vec::new();
        for &(column, ty) in columns {
            let distinct = self.distinct(column);
            if distinct.len() < 2 {
                continue;
            }
            let values = self.values(column);
            let is_flag = ty == Type::Bool || distinct.len() <= 5;
            let of_interest: Vec<i128> = match is_flag {
                true => distinct,
                false => {
                    let seen = constants.iter().filter(|it| distinct.contains(it));
                    let mut seen: Vec<i128> = seen.copied().collect();
                    seen.sort_by_key(|it| it.abs());
                    seen.truncate(2);
                    seen
                }
            };
            for value in of_interest {
                let part = self.has_value(column, ty, value);
                let holds: Vec<bool> = values.iter().map(|&it| it == value).collect();
                if !is_flag {
                    let differs = self.builder.not(part);
                    let otherwise = holds.iter().map(|it| !it).collect();
                    facts.push((column, differs, otherwise));
                }
                facts.push((column, part, holds));
            }
            if facts.len() > 4 * FLAGS {
                break;
            }
        }
        for (left, if_so, when) in &facts {
            for (right, then, holds) in &facts {
                if left == right || when.iter().zip(holds).any(|(when, holds)| *when && !holds) {
                    continue;
                }
                let part = self.builder.implies(*if_so, *then);
                self.keep(part);
            }
        }
    }
}

fn of_type(columns: &[(Column, Type)], is_it: impl Fn(Type) -> bool) -> Vec<Column> {
    let all = columns.iter().filter(|it| is_it(it.1));
    all.map(|it| it.0).collect()
}

fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.abs(), right.abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
