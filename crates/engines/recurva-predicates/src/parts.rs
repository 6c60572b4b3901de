//! Questions about valuations, taken apart: what shares no variable is asked by itself, so that few
//! different questions are asked.

use recurva_smt::{Node, Op, Term, Terms};
use rustc_hash::FxHashMap;

/// A part of a question that has nothing to do with the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The places of what is given, among all that is, and the literals.
    pub(crate) sources: Vec<usize>,
    pub(crate) source_terms: Vec<Term>,
    /// The same of what is asked.
    pub(crate) targets: Vec<usize>,
    pub(crate) target_terms: Vec<Term>,
    /// The answers for each valuation of what is given.
    pub(crate) answers: FxHashMap<Box<[bool]>, Vec<Box<[bool]>>>,
}

/// Sets of variables that occur together.
#[derive(Default)]
struct Groups {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
}

impl Groups {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    /// The set of the variables of a term, which is now one.
    fn join(&mut self, terms: &Terms, term: Term) -> usize {
        let mut whole = None;
        for variable in terms.variables_of(&[term]) {
            let number = match self.numbers.get(&variable) {
                Some(&known) => self.root(known),
                None => {
                    let number = self.add();
                    self.numbers.insert(variable, number);
                    number
                }
            };
            let first = *whole.get_or_insert(number);
            let (first, number) = (self.root(first), self.root(number));
            self.parents[number] = first;
        }
        match whole {
            Some(number) => number,
            None => self.add(),
        }
    }
}

/// The parts of a question: whether a condition can be true together with the values of some literals,
/// and which values others have then. What is known of old parts is kept.
pub(crate) fn separated(
    terms: &Terms,
    condition: Term,
    sources: &[Term],
    targets: &[Term],
    old: Vec<Part>,
) -> Vec<Part> {
    let mut groups = Groups::default();
    let conjuncts: &[Term] = match terms.node(condition) {
        Node::Apply(Op::And, of) => of,
        _ => &[condition],
    };
    let mut join =
        |list: &[Term]| -> Vec<usize> { list.iter().map(|&it| groups.join(terms, it)).collect() };
    let (conditions, of_sources, of_targets) = (join(conjuncts), join(sources), join(targets));
    let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
    for number in conditions {
        parts.entry(groups.root(number)).or_default();
    }
    // What is given by several states may not fit together, even if nothing else has to do with it.
    for (at, &number) in of_sources.iter().enumerate() {
        let part = parts.entry(groups.root(number)).or_default();
        part.sources.push(at);
        part.source_terms.push(sources[at]);
    }
    for (at, &number) in of_targets.iter().enumerate() {
        let part = parts.entry(groups.root(number)).or_default();
        part.targets.push(at);
        part.target_terms.push(targets[at]);
    }
    let known: FxHashMap<(Vec<Term>, Vec<Term>), FxHashMap<_, _>> = old
        .into_iter()
        .map(|it| ((it.source_terms, it.target_terms), it.answers))
        .collect();
    let mut parts: Vec<Part> = parts.into_values().collect();
    // Those that only say whether there is an answer come first, the others in an order of their own.
    parts.sort_by(|left, right| left.targets.cmp(&right.targets));
    for part in &mut parts {
        let key = (part.source_terms.clone(), part.target_terms.clone());
        if let Some(answers) = known.get(&key) {
            part.answers.clone_from(answers);
        }
    }
    parts
}

/// Valuations of which each is completed in several ways.
pub(crate) fn product(
    found: &[Box<[bool]>],
    places: &[usize],
    answers: &[Box<[bool]>],
) -> Vec<Box<[bool]>> {
    let mut all = Vec::with_capacity(found.len() * answers.len());
    for one in found {
        for answer in answers {
            let mut whole = one.clone();
            for (&place, &value) in places.iter().zip(answer) {
                whole[place] = value;
            }
            all.push(whole);
        }
    }
    all
}
