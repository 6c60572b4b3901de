//! What was asserted is evaluated in each model before it is given out.

use crate::{Model, Sort, Term, Terms, Value, term::Values};

/// The formulas, and all that they are made of, operands first.
#[derive(Default)]
pub(super) struct Checked {
    formulas: Vec<Term>,
    parts: Vec<Term>,
    /// The place of a term among the parts, one up; by the term's index.
    places: Vec<u32>,
}

struct Evaluated<'a> {
    values: Vec<Option<Value>>,
    places: &'a [u32],
}

impl Values for Evaluated<'_> {
    fn get(&self, term: Term) -> Option<&Value> {
        let place = self.places.get(term.index()).copied()?.checked_sub(1)?;
        self.values.get(place as usize)?.as_ref()
    }
}

impl Checked {
    pub(super) fn add(&mut self, terms: &Terms, formula: Term) {
        self.formulas.push(formula);
        if self.places.len() < terms.count() {
            self.places.resize(terms.count(), 0);
        }
        let mut stack = vec![(formula, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.places[term.index()] != 0 {
                continue;
            }
            if is_ready {
                self.parts.push(term);
                self.places[term.index()] = self.parts.len() as u32;
            } else {
                stack.push((term, true));
                stack.extend(terms.operands(term).iter().map(|&it| (it, false)));
            }
        }
    }

    /// A formula that is not true in a model.
    pub(super) fn refuted(&self, terms: &Terms, model: &Model) -> Option<Term> {
        let variable = |it: Term| Some(model.variable(terms, it));
        let mut evaluated = Evaluated {
            values: Vec::with_capacity(self.parts.len()),
            places: &self.places,
        };
        for &part in &self.parts {
            let value = terms.part_value(part, &evaluated, &variable);
            evaluated.values.push(value);
        }
        let is_true = |it: Term| {
            debug_assert_eq!(terms.sort(it), Sort::Bool);
            evaluated.get(it).is_some_and(Value::is_true)
        };
        self.formulas.iter().copied().find(|&it| !is_true(it))
    }
}
