//! Formulas, every one stored once.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use recurva_syntax::Span;
use rustc_hash::{FxHashMap, FxHasher};

/// A formula of a [`Formulas`] arena. Equal formulas have equal ids, and the parts of a formula
/// have smaller ids than the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub(crate) u32);

impl FormulaId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An atom of a [`Formulas`] arena: bit `0`, `1`, … of the letters of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// An atom as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The text, without the quotes around it.
    pub text: Box<str>,
    /// Where the text stands, without the quotes; empty if the atom was not read from a source.
    pub span: Span,
}

/// What a formula does with its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `1`
    True,
    /// `0`
    False,
    /// An atom.
    Atom(AtomId),
    /// `!a`
    Not,
    /// `a & b & …`, two or more different parts in the order of their ids.
    And,
    /// `a | b | …`, two or more different parts in the order of their ids.
    Or,
    /// `a -> b`
    Implies,
    /// `a <-> b`
    Equivalent,
    /// `a ^ b`
    Xor,
    /// `X a`: at the next position.
    Next,
    /// `F a`: now or later.
    Finally,
    /// `G a`: now and always.
    Globally,
    /// `a U b`: `b` comes, and `a` holds up to there.
    Until,
    /// `a R b`: `b` holds up to and including where `a` does, or for ever.
    Release,
    /// `a W b`: `a` holds up to where `b` does, or for ever.
    WeakUntil,
    /// `a M b`: `b` holds up to and including where `a` does, which comes.
    StrongRelease,
    /// An operator of CaRet, which looks along some positions only: `X_a a`, `a U_c b`. On words
    /// without calls all later positions are local, and no position has a caller.
    Along(Chain, Modality),
}

/// The positions that an operator of CaRet looks along. See [`caret`](crate::caret).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// Those of the same invocation from here on, calls and all that happens in them left out.
    Local,
    /// This one, the one where the running procedure was called, and so on.
    Callers,
}

/// What an operator of CaRet says about the positions of its [`Chain`], which may come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modality {
    /// `X`: there is a next one, and there it holds.
    Next,
    /// `N`: it holds at the next one if there is one.
    WeakNext,
    /// `F`: here or at a later one.
    Finally,
    /// `G`: here and at all later ones.
    Globally,
    /// `U`, as [`Operator::Until`].
    Until,
    /// `R`, as [`Operator::Release`]; for ever means to the end.
    Release,
    /// `W`, as [`Operator::WeakUntil`]; for ever means to the end.
    WeakUntil,
    /// `M`, as [`Operator::StrongRelease`].
    StrongRelease,
}

impl Modality {
    /// What the negation says about the negated parts.
    pub(crate) const fn dual(self) -> Self {
        use Modality::*;
        match self {
            Next => WeakNext,
            WeakNext => Next,
            Finally => Globally,
            Globally => Finally,
            Until => Release,
            Release => Until,
            WeakUntil => StrongRelease,
            StrongRelease => WeakUntil,
        }
    }

    /// Whether it takes one part.
    pub(crate) const fn is_unary(self) -> bool {
        use Modality::*;
        matches!(self, Next | WeakNext | Finally | Globally)
    }
}

/// One formula: its operator and where its parts are listed.
#[derive(Clone, Copy, Debug)]
struct Node {
    operator: Operator,
    start: u32,
    len: u32,
    traits: Traits,
}

/// What the shape of a formula says about all its models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Traits {
    /// No temporal operator.
    pub(crate) boolean: bool,
    /// If it holds somewhere it held everywhere before: a pure eventuality.
    pub(crate) eventual: bool,
    /// If it holds somewhere it holds everywhere behind.
    pub(crate) universal: bool,
}

/// An arena of formulas. A formula is only made of earlier ones, so whatever walks one needs a
/// list and no recursion, however deep the formula is.
///
/// The functions that make formulas change nothing about them but what costs nothing: `!!a`
/// stays, `a & (b & a)` is `a & b`, and `a & 1` stays.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    parts: Vec<FormulaId>,
    table: HashTable<FormulaId>,
    atoms: Vec<Atom>,
    atom_ids: FxHashMap<Box<str>, AtomId>,
}

impl Formulas {
    /// An arena without formulas.
    pub fn new() -> Self {
        Formulas::default()
    }

    /// The atoms, in the order they were first made.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no formula yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The outermost operator of a formula.
    pub fn operator(&self, id: FormulaId) -> Operator {
        self.nodes[id.index()].operator
    }

    /// The parts of a formula, from left to right.
    pub fn parts(&self, id: FormulaId) -> &[FormulaId] {
        let node = &self.nodes[id.index()];
        &self.parts[node.start as usize..(node.start + node.len) as usize]
    }

    pub(crate) fn traits(&self, id: FormulaId) -> Traits {
        self.nodes[id.index()].traits
    }

    /// The first part and the last: both parts of a formula that has two, twice the part of one
    /// that has one, twice the formula itself where there is none.
    pub(crate) fn pair(&self, id: FormulaId) -> (FormulaId, FormulaId) {
        match *self.parts(id) {
            [] => (id, id),
            [only] => (only, only),
            [first, .., last] => (first, last),
        }
    }

    /// The formula and all parts of it, each once, parts first.
    pub fn subformulas(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut seen = vec![false; root.index() + 1];
        let mut list = vec![root];
        seen[root.index()] = true;
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            for &part in self.parts(id) {
                if !std::mem::replace(&mut seen[part.index()], true) {
                    list.push(part);
                }
            }
        }
        list.sort_unstable();
        list
    }

    /// How many operators, atoms and constants the formula is written with; at most `u64::MAX`.
    pub fn size(&self, root: FormulaId) -> u64 {
        let mut sizes: FxHashMap<FormulaId, u64> = FxHashMap::default();
        for id in self.subformulas(root) {
            let parts = self.parts(id);
            let operators = match self.operator(id) {
                Operator::And | Operator::Or => parts.len() as u64 - 1,
                _ => 1,
            };
            let size = parts
                .iter()
                .fold(operators, |sum, part| sum.saturating_add(sizes[part]));
            sizes.insert(id, size);
        }
        sizes.get(&root).copied().unwrap_or_default()
    }

    /// Makes an atom, or finds the one with that text.
    pub fn atom_at(&mut self, text: &str, span: Span) -> FormulaId {
        let atom = match self.atom_ids.get(text) {
            Some(&atom) => atom,
            None => {
                let atom = AtomId(self.atoms.len() as u32);
                self.atom_ids.insert(text.into(), atom);
                self.atoms.push(Atom {
                    text: text.into(),
                    span,
                });
                atom
            }
        };
        self.intern(Operator::Atom(atom), &[])
    }

    /// Makes an atom that stands in no source.
    pub fn atom(&mut self, text: &str) -> FormulaId {
        self.atom_at(text, Span::default())
    }

    /// `1` or `0`.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        let operator = if value {
            Operator::True
        } else {
            Operator::False
        };
        self.intern(operator, &[])
    }

    /// A formula with one part: `!`, `X`, `F`, `G` and those of CaRet. With any other operator,
    /// the part.
    pub fn unary(&mut self, operator: Operator, part: FormulaId) -> FormulaId {
        use Operator::*;
        match operator {
            Not | Next | Finally | Globally => self.intern(operator, &[part]),
            Along(_, modality) if modality.is_unary() => self.intern(operator, &[part]),
            _ => part,
        }
    }

    /// A formula with two parts. With an operator that takes one, that operator on the second.
    pub fn binary(&mut self, operator: Operator, left: FormulaId, right: FormulaId) -> FormulaId {
        use Operator::*;
        match operator {
            And | Or => self.nary(operator, vec![left, right]),
            Implies | Equivalent | Xor | Until | Release | WeakUntil | StrongRelease => {
                self.intern(operator, &[left, right])
            }
            Along(_, modality) if !modality.is_unary() => self.intern(operator, &[left, right]),
            _ => self.unary(operator, right),
        }
    }

    /// A conjunction (`Operator::And`) or disjunction of any number of formulas. Parts that are
    /// of the same kind are taken apart.
    pub fn nary(&mut self, operator: Operator, mut parts: Vec<FormulaId>) -> FormulaId {
        let operator = match operator {
            Operator::And => Operator::And,
            _ => Operator::Or,
        };
        if parts.iter().any(|&part| self.operator(part) == operator) {
            let mut flat = Vec::with_capacity(parts.len() + 2);
            for part in parts {
                if self.operator(part) == operator {
                    flat.extend_from_slice(self.parts(part));
                } else {
                    flat.push(part);
                }
            }
            parts = flat;
        }
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [] => self.constant(operator == Operator::And),
            [only] => only,
            _ => self.intern(operator, &parts),
        }
    }

    fn intern(&mut self, operator: Operator, parts: &[FormulaId]) -> FormulaId {
        let hash = hash_of(operator, parts);
        let Formulas {
            nodes,
            parts: pool,
            table,
            ..
        } = self;
        let parts_of = |id: FormulaId| {
            let node = &nodes[id.index()];
            &pool[node.start as usize..(node.start + node.len) as usize]
        };
        let same =
            |&id: &FormulaId| nodes[id.index()].operator == operator && parts_of(id) == parts;
        if let Some(&found) = table.find(hash, same) {
            return found;
        }
        let id = FormulaId(nodes.len() as u32);
        let traits = traits(
            operator,
            &parts.iter().map(|part| nodes[part.index()].traits),
        );
        let rehash = |&id: &FormulaId| hash_of(nodes[id.index()].operator, parts_of(id));
        table.insert_unique(hash, id, rehash);
        nodes.push(Node {
            operator,
            start: pool.len() as u32,
            len: parts.len() as u32,
            traits,
        });
        pool.extend_from_slice(parts);
        id
    }
}

fn hash_of(operator: Operator, parts: &[FormulaId]) -> u64 {
    let mut hasher = FxHasher::default();
    operator.hash(&mut hasher);
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The traits of a formula from those of its parts. `!` of anything but an atom has none that
/// are known: formulas in negation normal form do not have it.
fn traits(operator: Operator, parts: &(impl Iterator<Item = Traits> + Clone)) -> Traits {
    use Operator::*;
    let all = |wanted: fn(Traits) -> bool| parts.clone().all(wanted);
    let last = parts.clone().last().unwrap_or_default();
    let first = parts.clone().next().unwrap_or_default();
    let boolean = all(|part| part.boolean)
        && matches!(
            operator,
            True | False | Atom(_) | Not | And | Or | Implies | Equivalent | Xor
        );
    let (eventual, universal) = match operator {
        True | False => (true, true),
        Atom(_) | Implies | Equivalent | Xor | Along(..) => (false, false),
        Not => (first.universal, first.eventual),
        And | Or | Next => (all(|part| part.eventual), all(|part| part.universal)),
        Finally => (true, first.universal),
        Globally => (first.eventual, true),
        Until | StrongRelease | Release | WeakUntil => (
            first.eventual && last.eventual,
            first.universal && last.universal,
        ),
    };
    Traits {
        boolean,
        eventual,
        universal,
    }
}

/// A formula with the arena it lives in.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The arena.
    pub formulas: Formulas,
    /// The formula.
    pub root: FormulaId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_are_one() {
        let mut f = Formulas::new();
        let (a, b) = (f.atom("a"), f.atom("b"));
        let ab = f.binary(Operator::And, a, b);
        let ba = f.binary(Operator::And, b, a);
        assert_eq!(ab, ba);
        assert_eq!(f.binary(Operator::And, ab, b), ab);
        assert_eq!(f.atom("a"), a);
        let until = f.binary(Operator::Until, a, b);
        assert_ne!(until, f.binary(Operator::Until, b, a));
        assert_eq!(f.size(until), 3);
        assert_eq!(f.subformulas(until), [a, b, until]);
        assert_eq!(f.nary(Operator::And, vec![]), f.constant(true));
    }
}
