//! Arrays: what is wrong with the reads of a model, as formulas that are always true.
//!
//! Values of words come from the solver, those of arrays are put together from reads of variables. A
//! read is followed through stores and choices down to a variable or a constant; if it has another
//! value there, all steps of the way become lemmas. An equality that does not hold though it is said to gets
//! lemmas at a place where the arrays differ; one that holds though it is said not to, at a place of
//! its own at which they have to differ.
//!
//! Two arrays may differ at no place that anybody names: everywhere else. So each variable that is compared has
//! one more word, its value everywhere else, and equal arrays have the same there. That is right as
//! long as there is a place that nobody names; where there are few places, they are all named instead.

use rustc_hash::{FxHashMap, FxHashSet};

use super::blast::{Blaster, Patience};
use crate::{ArrayValue, Node, Op, Scalar, Sort, Term, Terms, Unknown, Value};

/// Arrays with indices of so many bits or fewer are compared place by place.
const FEW: u32 = 8;

/// What is known about arrays, from one check to the next.
#[derive(Default)]
pub(super) struct Arrays {
    /// How much of what the blaster has has been looked at.
    seen: usize,
    reads: Vec<Term>,
    equalities: Vec<Term>,
    /// All terms at which something is read or written, by sort.
    indices: FxHashMap<Scalar, Vec<Term>>,
    known: FxHashSet<Term>,
    /// Where equal arrays were told to be equal everywhere else.
    elsewhere: FxHashSet<Scalar>,
    /// The value of an array everywhere else.
    others: FxHashMap<Term, Term>,
}

/// Values of terms, as the solver has them; of variables that are arrays, as far as they are read.
type Found = FxHashMap<Term, Value>;

/// A value at a place of a variable, and the read that says so.
type Places = FxHashMap<(Term, i128), (i128, Term)>;

impl Arrays {
    /// Whether there still is a place that nobody names, where that is needed.
    pub(super) fn is_possible(&mut self, terms: &Terms, blaster: &Blaster) -> Result<(), Unknown> {
        self.look(terms, blaster);
        for &index in &self.elsewhere {
            let named = self.indices.get(&index).map_or(0, Vec::len) as u128;
            if let Scalar::Bits(width) = index
                && width < 64
                && named >= 1 << width
            {
                let what = format!("equality of arrays that are read at all of {named} places");
                return Err(Unknown::Unsupported(what));
            }
        }
        Ok(())
    }

    fn look(&mut self, terms: &Terms, blaster: &Blaster) {
        for &term in &blaster.about_arrays[self.seen..] {
            let of = terms.operands(term);
            match terms.node(term) {
                Node::Apply(Op::Select, _) => self.reads.push(term),
                Node::Apply(Op::Equal, _) => {
                    self.equalities.push(term);
                    continue;
                }
                _ => {}
            }
            if let Some(scalar) = terms.sort(of[1]).scalar()
                && self.known.insert(of[1])
            {
                self.indices.entry(scalar).or_default().push(of[1]);
            }
        }
        self.seen = blaster.about_arrays.len();
    }

    /// The values of all variables, and what has to be added as they cannot be so; nothing if they can.
    pub(super) fn refine(
        &mut self,
        terms: &mut Terms,
        blaster: &Blaster,
        patience: &mut Patience<'_>,
    ) -> Result<(Found, Vec<Term>), Unknown> {
        let mut found = Found::default();
        for &variable in &blaster.variables {
            if let Some(value) = blaster.value(terms, variable) {
                found.insert(variable, value);
            }
        }
        if self.reads.is_empty() && self.equalities.is_empty() {
            return Ok((found, Vec::new()));
        }
        self.fill(terms, blaster, &mut found);
        let mut lemmas = self.wrong_reads(terms, &mut found, patience)?;
        if lemmas.is_empty() {
            lemmas = self.wrong_equalities(terms, &found, patience)?;
        }
        found.retain(|&it, _| matches!(terms.node(it), Node::Variable(_)));
        Ok((found, lemmas))
    }

    /// The values of all words that arrays are made of, and of variables that are arrays as far as they
    /// are read directly.
    fn fill(&self, terms: &Terms, blaster: &Blaster, found: &mut Found) {
        for &term in &blaster.about_arrays {
            let own = std::iter::once(&term);
            for &it in own.chain(terms.operands(term)) {
                if let Some(value) = blaster.value(terms, it) {
                    found.insert(it, value);
                }
            }
        }
        // What choices between arrays depend on, and constant arrays are filled with.
        for part in self.array_parts(terms, blaster) {
            for &it in terms.operands(part) {
                if let Some(value) = blaster.value(terms, it) {
                    found.insert(it, value);
                }
            }
        }
        for &variable in &blaster.variables {
            if let Sort::Array(..) = terms.sort(variable) {
                let other = self.others.get(&variable);
                let otherwise = other
                    .and_then(|&it| blaster.value(terms, it)?.code())
                    .unwrap_or(0);
                let value = Value::Array(ArrayValue::constant(otherwise));
                found.insert(variable, value);
            }
        }
    }

    /// All arrays that are read or compared, and those they are made of.
    fn array_parts(&self, terms: &Terms, blaster: &Blaster) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut all = Vec::new();
        let mut stack: Vec<Term> = Vec::new();
        for &term in &blaster.about_arrays {
            stack.extend(terms.operands(term));
            while let Some(term) = stack.pop() {
                if matches!(terms.sort(term), Sort::Array(..)) && seen.insert(term) {
                    all.push(term);
                    stack.extend(terms.operands(term));
                }
            }
        }
        all
    }

    fn wrong_reads(
        &self,
        terms: &mut Terms,
        found: &mut Found,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Term>, Unknown> {
        let mut places: Places = FxHashMap::default();
        let mut lemmas = Vec::new();
        // Those of variables first: they say what is there.
        let is_direct = |terms: &Terms, read: Term| {
            let array = terms.operands(read)[0];
            matches!(terms.node(array), Node::Variable(_))
        };
        let mut reads = self.reads.clone();
        reads.sort_by_key(|&it| !is_direct(terms, it));
        for read in reads {
            let (Some(index), Some(value)) =
                (code(found, terms.operands(read)[1]), code(found, read))
            else {
                continue;
            };
            match end(terms, found, read, index) {
                End::Value(there) if there == value => {}
                End::Value(_) => lemmas.extend(way(terms, found, read, index).0),
                End::Variable(array) => match places.get(&(array, index)) {
                    None => {
                        places.insert((array, index), (value, read));
                    }
                    Some(&(there, _)) if there == value => {}
                    Some(&(_, other)) => {
                        let (steps, one) = way(terms, found, read, index);
                        let (more_steps, another) = way(terms, found, other, index);
                        lemmas.extend(steps);
                        lemmas.extend(more_steps);
                        lemmas.push(same_place(terms, one, another));
                    }
                },
                End::Nowhere => {}
            }
            patience.check(0)?;
        }
        for ((array, index), (value, _)) in places {
            if let Some(Value::Array(known)) = found.get_mut(&array) {
                known.set(index, value);
            }
        }
        Ok(lemmas)
    }

    fn wrong_equalities(
        &mut self,
        terms: &mut Terms,
        found: &Found,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Term>, Unknown> {
        let mut lemmas = Vec::new();
        for equality in self.equalities.clone() {
            patience.check(0)?;
            let (left, right) = (terms.operands(equality)[0], terms.operands(equality)[1]);
            let (Sort::Array(index, _), Some(Value::Bool(is_said))) =
                (terms.sort(left), found.get(&equality))
            else {
                continue;
            };
            let (Some(a), Some(b)) = (
                terms.array_value(left, found),
                terms.array_value(right, found),
            ) else {
                continue;
            };
            match (is_said, a.difference(&b, index)) {
                (false, None) => {
                    let place = terms.fresh("difference", index.into());
                    let (one, other) = (terms.select(left, place), terms.select(right, place));
                    let same = terms.equal(one, other);
                    let differs = terms.not(same);
                    lemmas.push(terms.or(&[equality, differs]));
                }
                (true, Some(place)) => {
                    let lemma = self.same_at(terms, found, (left, right), index, place);
                    lemmas.push(terms.implies(equality, lemma));
                }
                _ => {}
            }
        }
        Ok(lemmas)
    }

    /// That two arrays are equal at a place where they are not.
    fn same_at(
        &mut self,
        terms: &mut Terms,
        found: &Found,
        (left, right): (Term, Term),
        index: Scalar,
        place: i128,
    ) -> Term {
        let named = self.indices.get(&index).and_then(|all| {
            let is_there = |it: &&Term| code(found, **it) == Some(place);
            all.iter().find(is_there).copied()
        });
        let place = match (named, index) {
            (Some(term), _) => term,
            (None, Scalar::Bits(width)) if width <= FEW => terms.bits(place as u128, width),
            _ => {
                self.elsewhere.insert(index);
                let (one, other) = (self.other(terms, left), self.other(terms, right));
                return terms.equal(one, other);
            }
        };
        let (one, other) = (terms.select(left, place), terms.select(right, place));
        terms.equal(one, other)
    }

    /// The value of an array everywhere else.
    fn other(&mut self, terms: &mut Terms, array: Term) -> Term {
        let mut stack = vec![array];
        while let Some(&part) = stack.last() {
            if self.others.contains_key(&part) {
                stack.pop();
                continue;
            }
            let of: Vec<Term> = terms.operands(part).to_vec();
            let below: Vec<Term> = match terms.node(part) {
                Node::Apply(Op::Store, _) => vec![of[0]],
                Node::Apply(Op::If, _) => vec![of[1], of[2]],
                _ => Vec::new(),
            };
            let open: Vec<Term> = below
                .iter()
                .copied()
                .filter(|it| !self.others.contains_key(it))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let other = match (&below[..], terms.sort(part)) {
                (&[array], _) => self.others[&array],
                (&[then, otherwise], _) => {
                    let (then, otherwise) = (self.others[&then], self.others[&otherwise]);
                    terms.if_then_else(of[0], then, otherwise)
                }
                (_, Sort::Array(_, element)) => match *terms.node(part) {
                    Node::Constant(value, _) => value,
                    _ => terms.fresh("elsewhere", element.into()),
                },
                _ => part,
            };
            self.others.insert(part, other);
            stack.pop();
        }
        self.others[&array]
    }
}

/// Where a read ends.
enum End {
    /// At a store or a constant, with this value.
    Value(i128),
    /// At a variable.
    Variable(Term),
    /// Nowhere: something has no value.
    Nowhere,
}

fn code(found: &Found, term: Term) -> Option<i128> {
    match found.get(&term)? {
        Value::Bool(_) | Value::Array(_) => None,
        value => value.code(),
    }
}

/// Where a read ends in the model.
fn end(terms: &Terms, found: &Found, read: Term, index: i128) -> End {
    let mut array = terms.operands(read)[0];
    loop {
        let of = terms.operands(array);
        match step(terms, found, array, index) {
            Step::There => return code(found, of[2]).map_or(End::Nowhere, End::Value),
            Step::Down(place) => array = of[place],
            Step::Everywhere => return code(found, of[0]).map_or(End::Nowhere, End::Value),
            Step::Bottom => return End::Variable(array),
        }
    }
}

/// Where to look for what an array has at a place.
enum Step {
    /// It was stored here.
    There,
    /// In that operand.
    Down(usize),
    /// It is the same everywhere.
    Everywhere,
    /// It is a variable.
    Bottom,
}

fn step(terms: &Terms, found: &Found, array: Term, index: i128) -> Step {
    match terms.node(array) {
        Node::Apply(Op::Store, of) if code(found, of[1]) == Some(index) => Step::There,
        Node::Apply(Op::Store, _) => Step::Down(0),
        Node::Apply(Op::If, of) => match found.get(&of[0]) {
            Some(Value::Bool(true)) => Step::Down(1),
            _ => Step::Down(2),
        },
        Node::Constant(..) => Step::Everywhere,
        _ => Step::Bottom,
    }
}

/// The lemmas of all steps that a read takes, and the read at their end.
fn way(terms: &mut Terms, found: &Found, read: Term, index: i128) -> (Vec<Term>, Term) {
    let mut lemmas = Vec::new();
    let (mut array, place) = (terms.operands(read)[0], terms.operands(read)[1]);
    // Also where the term of the read was simplified, it is the value of this array there.
    let mut read = read;
    loop {
        let of: Vec<Term> = terms.operands(array).to_vec();
        let (condition, next, below) = match step(terms, found, array, index) {
            Step::There => (terms.equal(of[1], place), of[2], None),
            Step::Down(0) => {
                let here = terms.equal(of[1], place);
                let condition = terms.not(here);
                (condition, terms.select(of[0], place), Some(of[0]))
            }
            Step::Down(at) => {
                let condition = match at {
                    1 => of[0],
                    _ => terms.not(of[0]),
                };
                (condition, terms.select(of[at], place), Some(of[at]))
            }
            Step::Everywhere => (terms.truth(), of[0], None),
            Step::Bottom => return (lemmas, read),
        };
        let same = terms.equal(read, next);
        lemmas.push(terms.implies(condition, same));
        read = next;
        match below {
            Some(below) => array = below,
            None => return (lemmas, read),
        }
    }
}

/// Reads of one variable at the same place are equal.
fn same_place(terms: &mut Terms, one: Term, other: Term) -> Term {
    let (Some(&left), Some(&right)) = (terms.operands(one).get(1), terms.operands(other).get(1))
    else {
        return terms.truth();
    };
    let place = terms.equal(left, right);
    let same = terms.equal(one, other);
    terms.implies(place, same)
}
