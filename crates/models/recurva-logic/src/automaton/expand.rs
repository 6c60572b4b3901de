//! What a formula asks of the present letter, and what it leaves to the rest of the word.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{
    MAX_SETS, Marks,
    letters::{Letters, Set},
    translate::{Config, TooLarge},
};
use crate::ltl::{FormulaId, Formulas, Operator};

/// One way for a formula to hold: the letter is in a set, some formulas hold from the next
/// position on, and some that were promised to hold one day do not hold yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    /// Formulas for the next position, sorted.
    pub(crate) next: Rc<[FormulaId]>,
    /// Promises that are not kept here, as bits.
    pub(crate) promises: Marks,
    pub(crate) label: Set,
}

/// All ways for a formula to hold, none of them asking more than another.
pub(crate) type Terms = Rc<[Term]>;

/// Expands formulas in negation normal form.
pub(crate) struct Expander<'f> {
    formulas: &'f Formulas,
    config: &'f Config<'f>,
    known: FxHashMap<FormulaId, Terms>,
    /// The formulas that are promised; those with the same goal share a promise.
    promised: FxHashMap<FormulaId, u32>,
}

/// Above this many terms they are not compared with each other.
const MOST_COMPARED: usize = 2_000;

impl<'f> Expander<'f> {
    pub(crate) fn new(formulas: &'f Formulas, config: &'f Config<'f>) -> Self {
        Expander {
            formulas,
            config,
            known: FxHashMap::default(),
            promised: FxHashMap::default(),
        }
    }

    /// How many promises there are.
    pub(crate) fn promises(&self) -> u32 {
        self.promised.len() as u32
    }

    /// The terms of a conjunction.
    pub(crate) fn conjunction(
        &mut self,
        parts: &[FormulaId],
        letters: &mut Letters,
    ) -> Result<Terms, TooLarge> {
        let mut all = holds_on(Set::ALL);
        for &part in parts {
            let terms = self.expand(part, letters)?;
            all = self.product(&all, &terms, letters)?;
        }
        Ok(all)
    }

    fn expand(&mut self, root: FormulaId, letters: &mut Letters) -> Result<Terms, TooLarge> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if self.formulas.operator(id) != Operator::Next {
                let missing = self.formulas.parts(id).iter();
                stack.extend(missing.filter(|part| !self.known.contains_key(part)));
            }
            if stack.len() == before {
                let terms = self.terms(id, letters)?;
                self.known.insert(id, terms);
                stack.pop();
            }
        }
        Ok(self.get(root))
    }

    fn get(&self, id: FormulaId) -> Terms {
        self.known.get(&id).cloned().unwrap_or_default()
    }

    /// The terms of a formula whose parts are expanded.
    fn terms(&mut self, id: FormulaId, letters: &mut Letters) -> Result<Terms, TooLarge> {
        use Operator::*;
        let (a, b) = self.formulas.pair(id);
        Ok(match self.formulas.operator(id) {
            True => holds_on(Set::ALL),
            False => Rc::default(),
            Atom(atom) => holds_on(letters.with(atom.0)),
            // Negation normal form: this is `!` of an atom.
            Not => match self.formulas.operator(a) {
                Atom(atom) => holds_on(letters.without(atom.0)),
                _ => Rc::default(),
            },
            And => {
                let parts = self.formulas.parts(id);
                self.conjunction(parts, letters)?
            }
            Or => {
                let parts = self.formulas.parts(id);
                let all = parts.iter().flat_map(|&part| self.get(part).to_vec());
                self.reduce(all.collect(), letters)?
            }
            Next => {
                let next = match self.formulas.operator(a) {
                    And => self.formulas.parts(a).into(),
                    _ => [a].into(),
                };
                [later(next, 0)].into()
            }
            Globally => self.product(&self.get(a), &[later([id].into(), 0)], letters)?,
            Finally => {
                let wait = later([id].into(), self.promise(a)?);
                self.either(&self.get(a), &[wait], letters)?
            }
            Until | WeakUntil => {
                let promise = match self.formulas.operator(id) {
                    Until => self.promise(b)?,
                    _ => 0,
                };
                let wait = later([id].into(), promise);
                let wait = self.product(&self.get(a), &[wait], letters)?;
                self.either(&self.get(b), &wait, letters)?
            }
            Release | StrongRelease => {
                let promise = match self.formulas.operator(id) {
                    StrongRelease => self.promise(a)?,
                    _ => 0,
                };
                let wait = later([id].into(), promise);
                let done = self.either(&self.get(a), &[wait], letters)?;
                self.product(&self.get(b), &done, letters)?
            }
            // Not in negation normal form; of CaRet, which `caret` takes apart before.
            Implies | Equivalent | Xor | Along(..) => Rc::default(),
        })
    }

    fn promise(&mut self, goal: FormulaId) -> Result<Marks, TooLarge> {
        let count = self.promised.len() as u32;
        let promise = *self.promised.entry(goal).or_insert(count);
        if promise < MAX_SETS {
            Ok(1 << promise)
        } else {
            Err(TooLarge::Sets(MAX_SETS))
        }
    }

    fn either(
        &self,
        left: &[Term],
        right: &[Term],
        letters: &mut Letters,
    ) -> Result<Terms, TooLarge> {
        self.reduce(left.iter().chain(right).cloned().collect(), letters)
    }

    fn product(
        &self,
        left: &[Term],
        right: &[Term],
        letters: &mut Letters,
    ) -> Result<Terms, TooLarge> {
        let mut all = Vec::new();
        for a in left {
            for b in right {
                let label = letters.and(a.label, b.label);
                if label.is_empty() {
                    continue;
                }
                all.push(Term {
                    next: union(&a.next, &b.next),
                    promises: a.promises | b.promises,
                    label,
                });
            }
            if all.len() > self.config.edges {
                return Err(TooLarge::Edges(self.config.edges));
            }
            self.config.check()?;
        }
        self.reduce(all, letters)
    }

    /// Joins terms that differ only in their letters, and takes from each the letters on which
    /// another one asks less.
    fn reduce(&self, terms: Vec<Term>, letters: &mut Letters) -> Result<Terms, TooLarge> {
        let mut list: Vec<Term> = Vec::with_capacity(terms.len());
        let mut places: FxHashMap<(Rc<[FormulaId]>, Marks), usize> = FxHashMap::default();
        for term in terms {
            let place = places
                .entry((term.next.clone(), term.promises))
                .or_insert(list.len());
            match list.get_mut(*place) {
                Some(same) => same.label = letters.or(same.label, term.label),
                None => list.push(term),
            }
        }
        if list.len() <= MOST_COMPARED {
            for index in 0..list.len() {
                let term = &list[index];
                let mut label = term.label;
                for (other, less) in list.iter().enumerate() {
                    if other != index && less.asks_less(term) && !label.is_empty() {
                        label = letters.minus(label, less.label);
                    }
                }
                list[index].label = label;
            }
        }
        self.config.check()?;
        list.retain(|term| !term.label.is_empty());
        list.sort_unstable_by(|a, b| (&a.next, a.promises).cmp(&(&b.next, b.promises)));
        Ok(list.into())
    }
}

impl Term {
    /// Whether this asks no more than another term that is not the same.
    fn asks_less(&self, other: &Term) -> bool {
        self.promises & !other.promises == 0
            && self.next.len() <= other.next.len()
            && is_subset(&self.next, &other.next)
    }
}

fn holds_on(label: Set) -> Terms {
    [Term {
        next: Rc::default(),
        promises: 0,
        label,
    }]
    .into()
}

fn later(next: Rc<[FormulaId]>, promises: Marks) -> Term {
    Term {
        next,
        promises,
        label: Set::ALL,
    }
}

/// Whether all of a sorted list is in another.
fn is_subset(small: &[FormulaId], large: &[FormulaId]) -> bool {
    let mut large = large.iter();
    small
        .iter()
        .all(|wanted| large.any(|found| found == wanted))
}

fn union(a: &Rc<[FormulaId]>, b: &Rc<[FormulaId]>) -> Rc<[FormulaId]> {
    if a.is_empty() || is_subset(a, b) {
        return b.clone();
    }
    if is_subset(b, a) {
        return a.clone();
    }
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all.into()
}
