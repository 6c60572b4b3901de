//! Random expressions.

use super::scope::{Kind, Name, Scope};
use crate::rng::Rng;

impl Scope {
    /// A boolean expression. `budget` is how many bits the `*` in it may still have.
    pub(super) fn boolean(&self, rng: &mut Rng, depth: usize, budget: &mut usize) -> String {
        self.expression(rng, Kind::Bool, depth, budget)
    }

    /// An expression of a type.
    pub(super) fn expression(
        &self,
        rng: &mut Rng,
        kind: Kind,
        depth: usize,
        budget: &mut usize,
    ) -> String {
        if depth == 0 || rng.chance(30) {
            return self.leaf(rng, kind, budget);
        }
        match kind {
            Kind::Bool => self.compound_boolean(rng, depth - 1, budget),
            _ => self.compound_integer(rng, kind, depth - 1, budget),
        }
    }

    fn leaf(&self, rng: &mut Rng, kind: Kind, budget: &mut usize) -> String {
        if *budget >= kind.bits() && rng.chance(20) {
            *budget -= kind.bits();
            return "*".into();
        }
        if rng.chance(15)
            && let Some(&array) = rng.pick(&self.arrays(kind))
        {
            return self.element(rng, array);
        }
        // A program has few integers: without literals most comparisons would be of a
        // variable with itself.
        let variable = if kind == Kind::Bool { 85 } else { 50 };
        if rng.chance(variable)
            && let Some(name) = rng.pick(&self.scalars(kind))
        {
            return name.name.clone();
        }
        match kind {
            Kind::Bool => if rng.chance(50) { "T" } else { "F" }.into(),
            _ => rng.below(kind.largest() + 1).to_string(),
        }
    }

    /// An element of an array; the index is in range unless faults are wanted.
    pub(super) fn element(&self, rng: &mut Rng, array: &Name) -> String {
        let len = array.len.unwrap_or(1);
        let indices: Vec<&Name> = self
            .integers()
            .into_iter()
            .filter(|i| self.faults || matches!(i.kind, Kind::Unsigned(1)))
            .collect();
        match rng.pick(&indices) {
            Some(index) if rng.chance(70) => format!("{}[{}]", array.name, index.name),
            _ => format!("{}[{}]", array.name, rng.below(len)),
        }
    }

    fn compound_boolean(&self, rng: &mut Rng, depth: usize, budget: &mut usize) -> String {
        if rng.chance(45)
            && let Some(&first) = rng.pick(&self.integers())
        {
            let operator = ["==", "!=", "<", "<=", ">", ">="][rng.below(6)];
            // A variable on the left fixes the type of the literals.
            let left = self.rooted(rng, first, budget);
            let right = self.expression(rng, first.kind, depth, budget);
            return format!("({left} {operator} {right})");
        }
        if rng.chance(25) {
            return format!("!{}", parenthesised(&self.boolean(rng, depth, budget)));
        }
        if *budget == 0 || rng.chance(92) {
            let operator = ["&", "|", "^", "=", "!=", "=>"][rng.below(6)];
            let left = self.boolean(rng, depth, budget);
            let right = self.boolean(rng, depth, budget);
            return format!("({left} {operator} {right})");
        }
        *budget -= 1;
        let positive = self.boolean(rng, depth.min(1), budget);
        let negative = self.boolean(rng, depth.min(1), budget);
        format!("schoose[{positive}, {negative}]")
    }

    /// An integer expression that begins with a variable of its type.
    fn rooted(&self, rng: &mut Rng, first: &Name, budget: &mut usize) -> String {
        if rng.chance(60) {
            return first.name.clone();
        }
        let operator = self.operator(rng);
        let right = self.leaf(rng, first.kind, budget);
        format!("({} {operator} {right})", first.name)
    }

    fn compound_integer(
        &self,
        rng: &mut Rng,
        kind: Kind,
        depth: usize,
        budget: &mut usize,
    ) -> String {
        if rng.chance(20) {
            let operator = if rng.chance(50) { "-" } else { "~" };
            let operand = self.expression(rng, kind, depth, budget);
            return format!("({operator}{})", parenthesised(&operand));
        }
        let Some(first) = rng.pick(&self.scalars(kind)).copied() else {
            return self.leaf(rng, kind, budget);
        };
        if rng.chance(10) {
            let operator = if rng.chance(50) { "<<" } else { ">>" };
            let amount = rng.below(kind.largest().min(3) + 1);
            return format!("({} {operator} {amount})", first.name);
        }
        let operator = self.operator(rng);
        let right = self.expression(rng, kind, depth, budget);
        format!("({} {operator} {right})", first.name)
    }

    fn operator(&self, rng: &mut Rng) -> &'static str {
        if self.faults && rng.chance(30) {
            return if rng.chance(50) { "/" } else { "%" };
        }
        ["+", "-", "*", "&", "|", "^"][rng.below(6)]
    }
}

fn parenthesised(text: &str) -> String {
    if text.starts_with('(') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}
