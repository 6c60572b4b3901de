//! Which valuations of predicates a segment, or a call that comes back, leads to: by all models of a
//! formula.

use std::ops::ControlFlow;

use recurva_encode::{Encoder, Numbers, Scope, Store};
use recurva_model::{Expr, ProcId, Program};
use recurva_smt::{Answer, Embedded, EmbeddedLimits, Sort, Term, Terms, Unknown, Value};

use crate::{
    block::{Values, any_values, block},
    cuts::{CutId, Cuts, End, Segment},
    fixed::Fixed,
    parts::{Part, product, separated},
};

/// What is asked of a [`Post`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Way {
    /// To the end of the segment: a cut, or the entry of the callee.
    Forward,
    /// Through the call at its end, to the cut it returns to.
    Through,
}

/// Predicates at a cut, over some values, as literals. Predicates that are added later follow.
#[derive(Clone, Debug)]
struct Literals {
    cut: CutId,
    procedure: ProcId,
    values: Values,
    literals: Vec<Term>,
    /// Whether nothing is known of the predicates.
    is_silent: bool,
}

impl Literals {
    fn new(cut: CutId, procedure: ProcId, now: Store, entry: Store) -> Self {
        Literals {
            cut,
            procedure,
            values: Values { now, entry },
            literals: Vec::new(),
            is_silent: false,
        }
    }

    fn follow(&mut self, terms: &mut Terms, program: &Program, predicates: &[Vec<Expr>]) {
        if self.is_silent {
            return;
        }
        let here = &predicates[self.cut.index()];
        let mut encoder = Encoder::new(terms, Numbers::Bits);
        for predicate in &here[self.literals.len().min(here.len())..] {
            let value = encoded(
                &mut encoder,
                program,
                self.procedure,
                &self.values,
                predicate,
            );
            self.literals.push(value);
        }
    }
}

/// A predicate over some values.
pub(crate) fn encoded(
    encoder: &mut Encoder<'_>,
    program: &Program,
    procedure: ProcId,
    values: &Values,
    predicate: &Expr,
) -> Term {
    let place = Scope {
        program,
        procedure,
        now: &values.now,
        next: Some(&values.entry),
        choices: &[],
    };
    encoder.expression(place, predicate).value
}

/// A segment with a solver.
pub(crate) struct Post {
    pub(crate) terms: Terms,
    solver: Embedded,
    /// At its beginning: what holds at the entry of the procedure, and there.
    before: [Literals; 2],
    /// Of the callee: what holds at its entry and its exit.
    callee: Option<[Literals; 2]>,
    after: Literals,
    /// What happens.
    condition: Term,
    /// What can be asked by itself.
    parts: Vec<Part>,
    /// Whether nothing ever gets to the end.
    is_dead: bool,
}

/// The valuations that a question is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) entry: &'a [bool],
    pub(crate) here: &'a [bool],
    /// Of the callee, when it returns.
    pub(crate) callee: Option<[&'a [bool]; 2]>,
}

impl Post {
    pub(crate) fn new(
        program: &Program,
        fixed: &Fixed,
        cuts: &Cuts,
        segment: &Segment,
        way: Way,
        memory: u64,
    ) -> Self {
        let mut terms = Terms::default();
        let mut encoder = Encoder::new(&mut terms, Numbers::Bits);
        let procedure = cuts.procedure(segment.from);
        let start = any_values(&mut encoder, program, fixed, cuts, segment.from);
        let made = block(&mut encoder, program, cuts, segment, &start.now);
        let mut callee = None;
        let after = match (segment.end, &made.call, way) {
            (End::Call(edge), Some(call), Way::Through) => {
                let entered = encoder.entered(program, call, &made.store);
                let exit = left(&mut encoder, program, fixed, call.callee, &entered);
                let store = encoder.returned(program, call, &made.store, &exit);
                let entry = cuts.entry(program, call.callee);
                let literals = |cut, now| Literals::new(cut, call.callee, now, entered.clone());
                callee = Some([
                    literals(entry, entered.clone()),
                    literals(cuts.exit(program, call.callee), exit),
                ]);
                let to = cuts.after(program, segment.from, edge);
                Literals::new(to, procedure, store, start.entry.clone())
            }
            (End::Call(_), Some(call), Way::Forward) => {
                let entered = encoder.entered(program, call, &made.store);
                let entry = cuts.entry(program, call.callee);
                Literals::new(entry, call.callee, entered.clone(), entered)
            }
            (End::Cut(to), ..) => Literals::new(to, procedure, made.store, start.entry.clone()),
            (End::Call(_), None, _) => Literals::new(
                segment.from,
                procedure,
                start.now.clone(),
                start.entry.clone(),
            ),
        };
        let mut all = encoder.take_facts();
        all.push(made.condition);
        let entry = cuts.entry(program, procedure);
        let before = [
            Literals::new(entry, procedure, start.entry.clone(), start.entry.clone()),
            Literals::new(segment.from, procedure, start.now, start.entry),
        ];
        let condition = terms.and(&all);
        let is_dead = condition == terms.falsity();
        let mut solver = Embedded::new(EmbeddedLimits { memory, time: None });
        solver.assert(&mut terms, condition);
        Post {
            terms,
            solver,
            before,
            callee,
            after,
            condition,
            parts: Vec::new(),
            is_dead,
        }
    }

    /// Which valuations there are at the entry of a procedure that is entered in any way.
    pub(crate) fn anywhere(program: &Program, fixed: &Fixed, cuts: &Cuts, cut: CutId) -> Self {
        let mut terms = Terms::default();
        let mut encoder = Encoder::new(&mut terms, Numbers::Bits);
        let procedure = cuts.procedure(cut);
        let values = any_values(&mut encoder, program, fixed, cuts, cut);
        let literals = Literals::new(cut, procedure, values.now, values.entry);
        let condition = terms.truth();
        let nothing = || Literals {
            is_silent: true,
            ..literals.clone()
        };
        Post {
            terms,
            solver: Embedded::new(EmbeddedLimits::default()),
            before: [nothing(), nothing()],
            callee: None,
            after: literals,
            condition,
            parts: Vec::new(),
            is_dead: false,
        }
    }

    /// All valuations at the end, from given ones: one for each way to combine the answers of the parts.
    pub(crate) fn all(
        &mut self,
        program: &Program,
        predicates: &[Vec<Expr>],
        given: Given<'_>,
        calls: &mut u64,
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<Box<[bool]>>, Unknown> {
        if self.is_dead {
            return Ok(Vec::new());
        }
        self.follow(program, predicates);
        let valuations = [given.entry, given.here].into_iter();
        let valuations = valuations.chain(given.callee.into_iter().flatten());
        let known: Vec<bool> = valuations.flatten().copied().collect();
        let mut found = vec![vec![false; self.after.literals.len()].into_boxed_slice()];
        for part in &mut self.parts {
            let key: Box<[bool]> = part.sources.iter().map(|&it| known[it]).collect();
            let answers = match part.answers.get(&key) {
                Some(known) => known,
                None => {
                    let answers = solve(&mut self.solver, &mut self.terms, part, &key, calls, ask)?;
                    part.answers.entry(key).or_insert(answers)
                }
            };
            found = product(&found, &part.targets, answers);
            if found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Predicates that are new become literals, and the parts are told apart again.
    fn follow(&mut self, program: &Program, predicates: &[Vec<Expr>]) {
        let callee = self.callee.iter_mut().flatten();
        let all = self.before.iter_mut().chain(callee);
        let mut is_new = self.parts.is_empty();
        for literals in all.chain([&mut self.after]) {
            let before = literals.literals.len();
            literals.follow(&mut self.terms, program, predicates);
            is_new |= literals.literals.len() > before;
        }
        if is_new {
            let callee = self.callee.iter().flatten();
            let sources = self.before.iter().chain(callee);
            let sources: Vec<Term> = sources.flat_map(|it| &it.literals).copied().collect();
            let old = std::mem::take(&mut self.parts);
            let after = &self.after.literals;
            self.parts = separated(&self.terms, self.condition, &sources, after, old);
        }
    }
}

/// All answers to a part, for given values of its sources.
fn solve(
    solver: &mut Embedded,
    terms: &mut Terms,
    part: &Part,
    given: &[bool],
    calls: &mut u64,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Vec<Box<[bool]>>, Unknown> {
    let mut found = Vec::new();
    let mut assumed: Vec<Term> = Vec::new();
    for (&literal, &is_true) in part.source_terms.iter().zip(given) {
        let literal = match is_true {
            true => literal,
            false => terms.not(literal),
        };
        if literal == terms.falsity() {
            return Ok(found);
        }
        if literal != terms.truth() && !assumed.contains(&literal) {
            assumed.push(literal);
        }
    }
    let is_open = terms.fresh("open", Sort::Bool);
    assumed.push(is_open);
    loop {
        *calls += 1;
        let model = match solver.check(terms, &assumed, ask) {
            Answer::Unsatisfiable(_) => break,
            Answer::Unknown(why) => return Err(why),
            Answer::Satisfiable(model) => model,
        };
        let is_true = |&it: &Term| model.value(terms, it) == Some(Value::Bool(true));
        let valuation: Box<[bool]> = part.target_terms.iter().map(is_true).collect();
        let mut other = vec![terms.not(is_open)];
        for (&literal, &is_true) in part.target_terms.iter().zip(&valuation) {
            other.push(match is_true {
                true => terms.not(literal),
                false => literal,
            });
        }
        let is_last = valuation.is_empty();
        found.push(valuation);
        if is_last {
            break;
        }
        let other = terms.or(&other);
        solver.assert(terms, other);
    }
    let is_closed = terms.not(is_open);
    solver.assert(terms, is_closed);
    Ok(found)
}

/// Any values at the exit of a procedure that was entered with some.
pub(crate) fn left(
    encoder: &mut Encoder<'_>,
    program: &Program,
    fixed: &Fixed,
    procedure: ProcId,
    entered: &Store,
) -> Store {
    let mut exit = encoder.any_store(program, procedure);
    for variable in crate::block::variables(entered) {
        if fixed.contains(procedure, variable) {
            exit.set(variable, entered.get(variable).clone());
        }
    }
    exit
}
