//! Formulas, every one stored once.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use hashbrown::HashTable;
use recurva_syntax::Span;
use rustc_hash::{FxHashMap, FxHasher};

use super::sugar::Abbreviations;

/// A formula of a [`Formulas`] arena. Equal formulas have equal ids, and the parts of a formula
/// have smaller ids than the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(u32);

impl FormulaId {
    /// The position among the formulas of the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A proposition of a [`Formulas`] arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropositionId(pub u32);

/// A variable of a [`Formulas`] arena. It is bound by one fixpoint only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// Whether some move is meant or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modality {
    /// `<…>`: there is a move.
    Some,
    /// `[…]`: for all moves.
    All,
}

impl Modality {
    pub(crate) const fn dual(self) -> Self {
        match self {
            Modality::Some => Modality::All,
            Modality::All => Modality::Some,
        }
    }
}

/// Which fixpoint is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixpoint {
    /// `mu`
    Least,
    /// `nu`
    Greatest,
}

impl Fixpoint {
    pub(crate) const fn dual(self) -> Self {
        match self {
            Fixpoint::Least => Fixpoint::Greatest,
            Fixpoint::Greatest => Fixpoint::Least,
        }
    }
}

/// What a formula does with its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `true`
    True,
    /// `false`
    False,
    /// `p`
    Proposition(PropositionId),
    /// `!p`
    NotProposition(PropositionId),
    /// `X`
    Variable(VariableId),
    /// `f & g`
    And,
    /// `f | g`
    Or,
    /// `mu X. f` or `nu X. f`
    Fixpoint(Fixpoint, VariableId),
    /// `<call> f {g, …}`: the first part is about the callee, the others about where it
    /// returns.
    Call(Modality),
    /// `<loc> f`
    Local(Modality),
    /// `<ret> Ri`, with `i` from 1
    Return(Modality, u32),
    /// `<ret> true`: the invocation can end here.
    MayReturn,
    /// `[ret] false`: it cannot. The same as `[ret] Ri` for a marker that no return has.
    NoReturn,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    operator: Operator,
    start: u32,
    len: u32,
    /// The largest marker that no call in the formula binds.
    marker: u32,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Box<str>,
    binder: Option<FormulaId>,
    /// A second fixpoint bound it.
    rebound: bool,
    /// What stands for it in a negation.
    dual: Option<VariableId>,
}

/// An arena of formulas. A formula is only made of earlier ones, so whatever walks one needs a
/// list and no recursion, however deep the formula is.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    parts: Vec<FormulaId>,
    table: HashTable<FormulaId>,
    propositions: Vec<(Box<str>, Span)>,
    proposition_ids: FxHashMap<Box<str>, PropositionId>,
    variables: Vec<Variable>,
    names: FxHashMap<Box<str>, u32>,
    pub(super) negations: FxHashMap<FormulaId, FormulaId>,
    pub(super) abbreviations: Abbreviations,
}

impl Formulas {
    /// An arena without formulas.
    pub fn new() -> Self {
        Formulas::default()
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

    /// The largest marker that is not bound by a call inside the formula; 0 if there is none.
    pub fn marker(&self, id: FormulaId) -> u32 {
        self.nodes[id.index()].marker
    }

    /// The propositions: their texts, and where each was first read.
    pub fn propositions(&self) -> &[(Box<str>, Span)] {
        &self.propositions
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The name of a variable, which no other has.
    pub fn variable_name(&self, variable: VariableId) -> &str {
        &self.variables[variable.0 as usize].name
    }

    /// The fixpoint formula that binds a variable, if one does.
    pub fn binder(&self, variable: VariableId) -> Option<FormulaId> {
        self.variables[variable.0 as usize].binder
    }

    pub(super) fn is_variable_name(&self, text: &str) -> bool {
        self.names.contains_key(text)
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

    /// The largest number of return conditions of any call in a formula.
    pub fn arity(&self, root: FormulaId) -> usize {
        let all = self.subformulas(root).into_iter();
        let calls = all.filter(|&id| matches!(self.operator(id), Operator::Call(_)));
        calls.map(|id| self.parts(id).len() - 1).max().unwrap_or(0)
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        match value {
            true => self.intern(Operator::True, &[]),
            false => self.intern(Operator::False, &[]),
        }
    }

    /// A proposition that stands at a place of a source.
    pub fn proposition_at(&mut self, text: &str, span: Span) -> FormulaId {
        let id = match self.proposition_ids.get(text) {
            Some(&id) => id,
            None => {
                let id = PropositionId(self.propositions.len() as u32);
                self.proposition_ids.insert(text.into(), id);
                self.propositions.push((text.into(), span));
                id
            }
        };
        self.intern(Operator::Proposition(id), &[])
    }

    /// A proposition that stands in no source.
    pub fn proposition(&mut self, text: &str) -> FormulaId {
        self.proposition_at(text, Span::default())
    }

    /// A variable of that name, or of a name like it if there is one already.
    pub fn new_variable(&mut self, name: &str) -> VariableId {
        let base: Box<str> = name.into();
        let mut name = base.clone();
        while self.names.contains_key(&name) {
            let count = self.names.entry(base.clone()).or_insert(1);
            *count += 1;
            name = format!("{base}{count}").into();
        }
        self.names.insert(name.clone(), 1);
        self.variables.push(Variable {
            name,
            binder: None,
            rebound: false,
            dual: None,
        });
        VariableId(self.variables.len() as u32 - 1)
    }

    /// A variable as a formula.
    pub fn variable(&mut self, variable: VariableId) -> FormulaId {
        self.intern(Operator::Variable(variable), &[])
    }

    /// `mu X. f` or `nu X. f`. A variable is bound once only.
    pub fn fixpoint(
        &mut self,
        fixpoint: Fixpoint,
        variable: VariableId,
        body: FormulaId,
    ) -> FormulaId {
        let id = self.intern(Operator::Fixpoint(fixpoint, variable), &[body]);
        let variable = &mut self.variables[variable.0 as usize];
        variable.rebound |= *variable.binder.get_or_insert(id) != id;
        id
    }

    /// `f & g`; constants are left out.
    pub fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        use Operator::{False, True};
        match (self.operator(left), self.operator(right)) {
            (True, _) | (_, False) => right,
            (_, True) | (False, _) => left,
            _ if left == right => left,
            _ => self.intern(Operator::And, &[left, right]),
        }
    }

    /// `f | g`; constants are left out.
    pub fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        use Operator::{False, True};
        match (self.operator(left), self.operator(right)) {
            (False, _) | (_, True) => right,
            (_, False) | (True, _) => left,
            _ if left == right => left,
            _ => self.intern(Operator::Or, &[left, right]),
        }
    }

    /// `<call> f {g, …}` or `[call] f {g, …}`.
    pub fn call(
        &mut self,
        modality: Modality,
        body: FormulaId,
        returns: &[FormulaId],
    ) -> FormulaId {
        let parts: Vec<FormulaId> = [body].into_iter().chain(returns.iter().copied()).collect();
        self.intern(Operator::Call(modality), &parts)
    }

    /// `<loc> f` or `[loc] f`.
    pub fn local(&mut self, modality: Modality, body: FormulaId) -> FormulaId {
        self.intern(Operator::Local(modality), &[body])
    }

    /// `<ret> Ri` or `[ret] Ri`, with `i` from 1.
    pub fn ret(&mut self, modality: Modality, marker: u32) -> FormulaId {
        self.intern(Operator::Return(modality, marker.max(1)), &[])
    }

    /// `<ret> true` or `[ret] true` or the same of `false`: the first and the last of them say
    /// whether the invocation can end here.
    pub fn ret_constant(&mut self, modality: Modality, value: bool) -> FormulaId {
        match (modality, value) {
            (Modality::Some, true) => self.intern(Operator::MayReturn, &[]),
            (Modality::All, false) => self.intern(Operator::NoReturn, &[]),
            (_, constant) => self.constant(constant),
        }
    }

    /// What stands for a variable in a negation, if that has been made.
    pub(super) fn known_dual(&self, variable: VariableId) -> Option<VariableId> {
        self.variables[variable.0 as usize].dual
    }

    pub(super) fn set_duals(&mut self, one: VariableId, other: VariableId) {
        self.variables[one.0 as usize].dual = Some(other);
        self.variables[other.0 as usize].dual = Some(one);
    }

    pub(super) fn intern(&mut self, operator: Operator, parts: &[FormulaId]) -> FormulaId {
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
        let visible = match operator {
            Operator::Call(_) => &parts[1..],
            _ => parts,
        };
        let inner = visible.iter().map(|part| nodes[part.index()].marker).max();
        let marker = match operator {
            Operator::Return(_, marker) => marker,
            _ => inner.unwrap_or(0),
        };
        let rehash = |&id: &FormulaId| hash_of(nodes[id.index()].operator, parts_of(id));
        table.insert_unique(hash, id, rehash);
        nodes.push(Node {
            operator,
            start: pool.len() as u32,
            len: parts.len() as u32,
            marker,
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

/// Why a formula is not closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotClosed(String);

impl fmt::Display for NotClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotClosed {}

/// A closed formula with the arena it lives in.
#[derive(Clone, Debug)]
pub struct Formula {
    formulas: Formulas,
    root: FormulaId,
}

impl Formula {
    /// Checks that a formula is closed: every variable is bound by one fixpoint around it, and
    /// every marker by the return conditions of a call around it.
    pub fn new(formulas: Formulas, root: FormulaId) -> Result<Self, NotClosed> {
        let mut free: FxHashMap<FormulaId, Vec<VariableId>> = FxHashMap::default();
        for id in formulas.subformulas(root) {
            let parts = formulas.parts(id);
            let mut variables: Vec<VariableId> =
                parts.iter().flat_map(|part| free[part].clone()).collect();
            match formulas.operator(id) {
                Operator::Variable(variable) => variables.push(variable),
                Operator::Fixpoint(_, variable) => {
                    if formulas.variables[variable.0 as usize].rebound {
                        let name = formulas.variable_name(variable);
                        return Err(NotClosed(format!("two fixpoints bind `{name}`")));
                    }
                    variables.retain(|&other| other != variable);
                }
                Operator::Call(_) if formulas.marker(parts[0]) as usize >= parts.len() => {
                    let marker = formulas.marker(parts[0]);
                    let message = format!("a call has no return condition for `R{marker}`");
                    return Err(NotClosed(message));
                }
                _ => {}
            }
            variables.sort_unstable();
            variables.dedup();
            free.insert(id, variables);
        }
        if let Some(&variable) = free[&root].first() {
            let name = formulas.variable_name(variable);
            return Err(NotClosed(format!("no fixpoint binds `{name}`")));
        }
        match formulas.marker(root) {
            0 => Ok(Formula { formulas, root }),
            marker => Err(NotClosed(format!("no call binds `R{marker}`"))),
        }
    }

    /// A formula that is known to be closed.
    pub(crate) fn closed(formulas: Formulas, root: FormulaId) -> Self {
        Formula { formulas, root }
    }

    /// The arena.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// The formula.
    pub fn root(&self) -> FormulaId {
        self.root
    }

    /// The negation.
    #[must_use]
    pub fn negation(mut self) -> Self {
        self.root = self.formulas.negate(self.root);
        self
    }
}
