//! New predicates that rule out an abstract run.
//!
//! The run is cut apart at its cuts ([`crate::chain`]). What goes from one part to the next is only which of
//! some predicates hold; so if the whole is still impossible, these predicates rule the run out, whatever
//! else the abstraction does. Many are tried at once, and as few as can be are kept.

use std::ops::ControlFlow;

use recurva_certificate::{Builder, formula::When};
use recurva_encode::{Encoder, Numbers};
use recurva_model::{Binary, Expr, Op, ProcId, Program, VarRef};
use recurva_smt::{Answer, Embedded, EmbeddedLimits, Model, Sort, Term, Terms, Unknown, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    abstraction::Abstraction,
    block::variables,
    chain::{Chain, chain},
    cuts::CutId,
    expression::{positive, reads, simplified},
    formula,
    pool::{Pool, cells, comparison},
    post::encoded,
    run::Move,
    wanted::wanted,
};

/// As many pairs of variables are compared at one cut.
const MOST_PAIRED: usize = 10;

/// How often values of a run that is still possible become predicates.
const MOST_VALUES: usize = 24;

/// A variable now, or when the procedure was entered.
type Read = (VarRef, bool);

/// Predicates that rule a run out, by cut; none if there are none to be found.
pub(crate) fn refine(
    abstraction: &Abstraction<'_>,
    pool: &Pool,
    moves: &[Move],
    memory: u64,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Vec<(CutId, Expr)>, Unknown> {
    let mut terms = Terms::default();
    let chain = chain(abstraction, &mut terms, moves);
    let mut refinement = Refinement {
        abstraction,
        pool,
        moves,
        chain,
        terms,
        solver: Embedded::new(EmbeddedLimits { memory, time: None }),
        tried: FxHashMap::default(),
        matters: FxHashSet::default(),
        ask,
    };
    refinement.prepare();
    let needed = refinement.needed()?;
    for needed in [needed, None] {
        if let Some(found) = refinement.attempt(needed.as_ref())? {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// What each cut has to know, by the reads that matter there; everything if it is not known.
type Needed = FxHashMap<CutId, FxHashSet<Read>>;

struct Refinement<'r, 'a> {
    abstraction: &'r Abstraction<'a>,
    pool: &'r Pool,
    moves: &'r [Move],
    chain: Chain,
    terms: Terms,
    solver: Embedded,
    /// The literal that says that a cut knows a predicate.
    tried: FxHashMap<Term, (CutId, Expr)>,
    /// The variables of terms on which anything that happens depends.
    matters: FxHashSet<Term>,
    ask: &'r mut dyn FnMut() -> ControlFlow<()>,
}

impl Refinement<'_, '_> {
    fn program(&self) -> &Program {
        self.abstraction.program
    }

    /// What happens in the parts, and what the abstraction knows already.
    fn prepare(&mut self) {
        self.find_what_matters();
        let condition = self.terms.and(&self.chain.conditions);
        self.solver.assert(&mut self.terms, condition);
        for at in 0..self.chain.links.len() {
            let cut = self.chain.links[at].cut;
            for predicate in &self.abstraction.predicates[cut.index()] {
                if self.reads_what_matters(at, predicate) {
                    let same = self.same(at, predicate);
                    self.solver.assert(&mut self.terms, same);
                }
            }
        }
    }

    /// Follows what conditions depend on back through the links.
    fn find_what_matters(&mut self) {
        let first = self.terms.variables_of(&self.chain.conditions);
        self.matters.extend(first);
        loop {
            let before = self.matters.len();
            for link in self.chain.links.iter().rev() {
                let [from, to] = &link.sides;
                for (from, to) in [(&from.now, &to.now), (&from.entry, &to.entry)] {
                    for variable in variables(to) {
                        let pairs = from.get(variable).terms().iter();
                        for (&from, &to) in pairs.zip(to.get(variable).terms()) {
                            if from != to && self.matters.contains(&to) {
                                let all = self.terms.variables_of(&[from]);
                                self.matters.extend(all);
                            }
                        }
                    }
                }
            }
            if self.matters.len() == before {
                break;
            }
        }
    }

    /// Whether a predicate is about something that matters after a link.
    fn reads_what_matters(&self, at: usize, predicate: &Expr) -> bool {
        let after = &self.chain.links[at].sides[1];
        reads(predicate).any(|(variable, is_entry)| {
            let store = if is_entry { &after.entry } else { &after.now };
            let terms = store.get(variable).terms();
            terms.iter().any(|it| self.matters.contains(it))
        })
    }

    /// That a predicate is the same on both sides of a link.
    fn same(&mut self, at: usize, predicate: &Expr) -> Term {
        let link = &self.chain.links[at];
        let program = self.abstraction.program;
        let mut encoder = Encoder::new(&mut self.terms, Numbers::Bits);
        let [left, right] = [0, 1].map(|side| {
            let values = &link.sides[side];
            encoded(&mut encoder, program, link.procedure, values, predicate)
        });
        self.terms.equal(left, right)
    }

    /// The values that have to be the same on both sides of links so that the run is impossible.
    fn needed(&mut self) -> Result<Option<Needed>, Unknown> {
        let mut literals: Vec<Term> = Vec::new();
        let mut meaning: FxHashMap<Term, (CutId, Read)> = FxHashMap::default();
        for at in 0..self.chain.links.len() {
            let link = self.chain.links[at].clone();
            let [before, after] = &link.sides;
            for (is_entry, [left, right]) in [
                (false, [&before.now, &after.now]),
                (true, [&before.entry, &after.entry]),
            ] {
                for variable in variables(left) {
                    let after = right.get(variable).terms();
                    if !after.iter().any(|it| self.matters.contains(it)) {
                        continue;
                    }
                    let pairs = left.get(variable).terms().iter();
                    let pairs = pairs.zip(after);
                    let equal: Vec<Term> = pairs.map(|(&a, &b)| self.terms.equal(a, b)).collect();
                    let equal = self.terms.and(&equal);
                    if equal == self.terms.truth() {
                        continue;
                    }
                    let literal = self.terms.fresh("same", Sort::Bool);
                    let implied = self.terms.implies(literal, equal);
                    self.solver.assert(&mut self.terms, implied);
                    literals.push(literal);
                    meaning.insert(literal, (link.cut, (variable, is_entry)));
                }
            }
        }
        for _ in 0..4 {
            let asked = literals.len();
            match self.solver.check(&mut self.terms, &literals, self.ask) {
                Answer::Unsatisfiable(core) => literals = core,
                Answer::Satisfiable(_) => return Ok(None),
                Answer::Unknown(why) => return Err(why),
            }
            if literals.len() == asked {
                break;
            }
        }
        let mut needed = Needed::default();
        for literal in literals {
            if let Some(&(cut, read)) = meaning.get(&literal) {
                needed.entry(cut).or_default().insert(read);
            }
        }
        Ok(Some(needed))
    }

    /// Tries predicates over what is needed, those that generalise best first.
    fn attempt(&mut self, needed: Option<&Needed>) -> Result<Option<Vec<(CutId, Expr)>>, Unknown> {
        self.suggest_conditions(needed);
        if self.is_ruled_out()?.is_none() {
            return self.smallest().map(Some);
        }
        self.suggest_wanted(needed);
        if self.is_ruled_out()?.is_none() {
            return self.smallest().map(Some);
        }
        self.suggest_pairs(needed);
        for _ in 0..MOST_VALUES {
            let Some(model) = self.is_ruled_out()? else {
                return self.smallest().map(Some);
            };
            if !self.suggest_values(needed, &model) {
                break;
            }
        }
        Ok(None)
    }

    /// A model in which the run is still possible, though all that was tried is known.
    fn is_ruled_out(&mut self) -> Result<Option<Model>, Unknown> {
        let all: Vec<Term> = self.tried.keys().copied().collect();
        match self.solver.check(&mut self.terms, &all, self.ask) {
            Answer::Unsatisfiable(_) => Ok(None),
            Answer::Satisfiable(model) => Ok(Some(model)),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// As few of the predicates as can be.
    fn smallest(&mut self) -> Result<Vec<(CutId, Expr)>, Unknown> {
        let mut all: Vec<Term> = self.tried.keys().copied().collect();
        all.sort_by_key(|it| cost(&self.tried[it].1));
        let core = match self.solver.check(&mut self.terms, &all, self.ask) {
            Answer::Unsatisfiable(core) => core,
            Answer::Satisfiable(_) => all,
            Answer::Unknown(why) => return Err(why),
        };
        let core = self.reduced(core)?;
        if (self.ask)().is_break() {
            return Err(Unknown::Stopped);
        }
        Ok(core.iter().map(|it| self.tried[it].clone()).collect())
    }

    /// As few as can be of some literals that together rule the run out. Those at the end go first.
    fn reduced(&mut self, core: Vec<Term>) -> Result<Vec<Term>, Unknown> {
        let mut needed: Vec<Term> = Vec::new();
        let mut open = core;
        while let Some(left_out) = open.pop() {
            let rest: Vec<Term> = needed.iter().chain(&open).copied().collect();
            match self.solver.check(&mut self.terms, &rest, self.ask) {
                Answer::Unsatisfiable(fewer) => open.retain(|it| fewer.contains(it)),
                Answer::Satisfiable(_) => needed.push(left_out),
                Answer::Unknown(Unknown::Time) => needed.push(left_out),
                Answer::Unknown(why) => return Err(why),
            }
        }
        Ok(needed)
    }

    /// The cuts of the run.
    fn cuts(&self) -> Vec<CutId> {
        let mut found: Vec<CutId> = self.chain.links.iter().map(|it| it.cut).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a cut may know what some expression reads.
    fn fits(&self, needed: Option<&Needed>, cut: CutId, predicate: &Expr) -> bool {
        if !self.abstraction.can_know(cut, predicate) {
            return false;
        }
        let procedure = self.abstraction.cuts.procedure(cut);
        let is_entry = self.abstraction.cuts.entry(self.program(), procedure) == cut;
        let here = needed.map(|it| it.get(&cut));
        reads(predicate).all(|(variable, at_entry)| match here {
            None => true,
            Some(None) => false,
            Some(Some(reads)) => {
                let is_fixed = self.abstraction.fixed.contains(procedure, variable);
                reads.contains(&(variable, at_entry))
                    || is_fixed && reads.contains(&(variable, !at_entry))
                    || is_entry && reads.contains(&(variable, true))
            }
        })
    }

    /// A cut might know a predicate.
    fn suggest(&mut self, needed: Option<&Needed>, cut: CutId, predicate: &Expr) -> bool {
        if !self.fits(needed, cut, predicate)
            || self.abstraction.predicates[cut.index()].contains(predicate)
            || self
                .tried
                .values()
                .any(|it| it.0 == cut && it.1 == *predicate)
        {
            return false;
        }
        let (program, procedure) = (self.program(), self.abstraction.cuts.procedure(cut));
        let builder = &mut Builder::default();
        let formula = formula::predicate(builder, program, procedure, predicate, When::Now);
        if formula.is_none() {
            return false;
        }
        let literal = self.terms.fresh("known", Sort::Bool);
        for at in 0..self.chain.links.len() {
            if self.chain.links[at].cut == cut && self.reads_what_matters(at, predicate) {
                let same = self.same(at, predicate);
                let implied = self.terms.implies(literal, same);
                self.solver.assert(&mut self.terms, implied);
            }
        }
        self.tried.insert(literal, (cut, predicate.clone()));
        true
    }

    /// Conditions of the program, comparisons with its constants, and what is known elsewhere.
    fn suggest_conditions(&mut self, needed: Option<&Needed>) {
        let pool = self.pool;
        for cut in self.cuts() {
            let procedure = self.abstraction.cuts.procedure(cut);
            for condition in pool.conditions(procedure) {
                self.suggest(needed, cut, condition);
            }
            for variable in self.all_variables(procedure) {
                for condition in pool.comparisons(procedure, variable) {
                    self.suggest(needed, cut, condition);
                }
            }
            for other in 0..self.abstraction.predicates.len() {
                let there = self.abstraction.cuts.procedure(CutId(other as u32));
                for predicate in &self.abstraction.predicates[other] {
                    let is_global = reads(predicate).all(|(variable, is_entry)| {
                        matches!(variable, VarRef::Global(_)) && !is_entry
                    });
                    if there == procedure || is_global {
                        self.suggest(needed, cut, predicate);
                    }
                }
            }
        }
    }

    fn all_variables(&self, procedure: ProcId) -> impl Iterator<Item = VarRef> + use<> {
        let globals = 0..self.program().globals().len() as u32;
        let locals = 0..self.program().procedure(procedure).locals.len() as u32;
        let locals = locals.map(VarRef::Local);
        globals.map(VarRef::Global).chain(locals)
    }

    /// What later parts of the run ask.
    fn suggest_wanted(&mut self, needed: Option<&Needed>) {
        for (cut, conditions) in wanted(self.abstraction, self.moves) {
            for condition in &conditions {
                self.suggest(needed, cut, condition);
            }
        }
    }

    /// Variables compared with each other.
    fn suggest_pairs(&mut self, needed: Option<&Needed>) {
        for cut in self.cuts() {
            let procedure = self.abstraction.cuts.procedure(cut);
            let mut reads: Vec<(Op, recurva_model::Type)> = Vec::new();
            for variable in self.all_variables(procedure) {
                let declared = self.program().variable(procedure, variable);
                let (ty, None) = (declared.ty, declared.len) else {
                    continue;
                };
                for op in [Op::Read(variable), Op::ReadNext(variable)] {
                    if needed.is_some() && self.fits(needed, cut, &Expr::new([op])) {
                        reads.push((op, ty));
                    }
                }
            }
            reads.truncate(MOST_PAIRED);
            for (at, &(left, ty)) in reads.iter().enumerate() {
                for &(right, other) in &reads[at + 1..] {
                    if ty != other {
                        continue;
                    }
                    for [left, right, operator] in [
                        [left, right, Op::Binary(Binary::Equal, ty)],
                        [left, right, Op::Binary(Binary::Less, ty)],
                        [right, left, Op::Binary(Binary::Less, ty)],
                    ] {
                        let whole = Expr::new([left, right, operator]);
                        if let Some(whole) = simplified(&whole, |_| 1) {
                            self.suggest(needed, cut, &positive(whole));
                        }
                    }
                }
            }
        }
    }

    /// The values that are not the same on both sides of a link. Whether there is something new.
    fn suggest_values(&mut self, needed: Option<&Needed>, model: &Model) -> bool {
        let mut is_new = false;
        for at in 0..self.chain.links.len() {
            let link = self.chain.links[at].clone();
            for variable in variables(&link.sides[0].now) {
                let program = self.abstraction.program;
                let declared = program.variable(link.procedure, variable);
                let sides = [0, 1].map(|side| link.sides[side].now.get(variable).terms());
                let cells = cells(declared, variable);
                for (cell, terms) in cells.iter().zip(sides[0].iter().zip(sides[1])) {
                    let values =
                        [*terms.0, *terms.1].map(|term| number(model.value(&self.terms, term)));
                    if values[0] == values[1] {
                        continue;
                    }
                    for value in values.into_iter().flatten() {
                        let constant = declared.ty.to_number(value);
                        for operator in [Binary::Equal, Binary::Less] {
                            if let Some(whole) = comparison(declared, cell, operator, constant) {
                                is_new |= self.suggest(needed, link.cut, &whole);
                            }
                        }
                    }
                }
            }
        }
        is_new
    }
}

fn number(value: Option<Value>) -> Option<u64> {
    match value? {
        Value::Bool(value) => Some(u64::from(value)),
        Value::Bits(bits) => u64::try_from(bits).ok(),
        _ => None,
    }
}

/// Predicates with less of that are kept rather.
fn cost(predicate: &Expr) -> (usize, usize) {
    let entries = reads(predicate).filter(|it| it.1).count();
    (predicate.ops().len(), entries)
}
