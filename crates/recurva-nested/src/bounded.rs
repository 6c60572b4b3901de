//! The algorithm of the thesis, §3.4: sets of bounded summaries, one by one.
//!
//! A bounded summary is a state, the pending call, and for each colour the set of return states
//! that have it, out of those to which the current invocation may return. There are
//! exponentially many; this is for small machines, and shares nothing with
//! [`check`](crate::check()) but what propositions mean.
//!
//! Two things differ from the text of the thesis. The callee's pending call is the state that
//! calls, not the callee itself; and colours that a summary does not have count as empty.

use recurva_logic::ntmu::{Fixpoint, Formula, FormulaId, Formulas, Modality, Operator};
use recurva_model::nsm::{Nsm, StateId};
use rustc_hash::FxHashMap;

use crate::{UnknownProposition, propositions::Propositions};

/// A bounded summary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Summary {
    /// The state.
    pub state: StateId,
    /// The pending call, if there is one.
    pub pending: Option<StateId>,
    /// For each colour the return states that have it, in order.
    pub colours: Vec<Vec<StateId>>,
}

/// A state with a pending call, and where the invocation may return to.
#[derive(Debug)]
struct Pair {
    state: StateId,
    pending: Option<StateId>,
    exits: Vec<StateId>,
    /// Where the summaries with 0, 1, … colours begin in a set.
    starts: Vec<usize>,
}

/// The bounded summaries of a machine.
#[derive(Debug)]
struct Summaries {
    pairs: Vec<Pair>,
    numbers: FxHashMap<(StateId, Option<StateId>), usize>,
    colours: usize,
    total: usize,
}

/// A set of bounded summaries.
type Set = Vec<bool>;

/// Whether a machine satisfies a closed formula.
pub fn satisfies(nsm: &Nsm, formula: &Formula) -> Result<bool, UnknownProposition> {
    let (formulas, root) = (formula.formulas(), formula.root());
    let propositions = Propositions::new(nsm, formulas, root)?;
    let summaries = Summaries::new(nsm, formulas.arity(root));
    let set = Evaluator::new(nsm, formulas, &propositions, &summaries).evaluate(root);
    let initial = summaries.numbers[&(nsm.init(), None)];
    Ok(set[summaries.pairs[initial].starts[0]])
}

/// The bounded summaries of a machine with so many colours that satisfy a formula, in order.
/// The formula may have markers that no call in it binds, but no free variables. Machines with
/// more than a few return states have too many.
pub fn summaries(
    nsm: &Nsm,
    formulas: &Formulas,
    id: FormulaId,
    colours: usize,
) -> Result<Vec<Summary>, UnknownProposition> {
    let propositions = Propositions::new(nsm, formulas, id)?;
    let arity = formulas.arity(id).max(colours);
    let summaries = Summaries::new(nsm, arity);
    let set = Evaluator::new(nsm, formulas, &propositions, &summaries).evaluate(id);
    let mut list = Vec::new();
    for pair in &summaries.pairs {
        let width = pair.exits.len();
        for code in 0..1usize << (width * colours) {
            if set[pair.starts[colours] + code] {
                let members = |colour: usize| {
                    let bits = code >> (colour * width);
                    let exits = pair.exits.iter().enumerate();
                    let exits = exits.filter(move |(bit, _)| bits >> bit & 1 == 1);
                    exits.map(|(_, &exit)| exit).collect()
                };
                list.push(Summary {
                    state: pair.state,
                    pending: pair.pending,
                    colours: (0..colours).map(members).collect(),
                });
            }
        }
    }
    list.sort();
    Ok(list)
}

impl Summaries {
    fn new(nsm: &Nsm, colours: usize) -> Self {
        let reach = same_context(nsm);
        let mut found = Summaries {
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            colours,
            total: 0,
        };
        let mut waiting = vec![(nsm.init(), None)];
        while let Some((state, pending)) = waiting.pop() {
            if found.numbers.contains_key(&(state, pending)) {
                continue;
            }
            let inside = &reach[&(state, pending)];
            let exits = inside.iter().flat_map(|&x| {
                let pending = pending.into_iter();
                pending.flat_map(move |call| nsm.returns_to(x, call))
            });
            let mut exits: Vec<StateId> = exits.collect();
            exits.sort_unstable();
            exits.dedup();
            let mut starts = Vec::new();
            for count in 0..=colours {
                starts.push(found.total);
                found.total += 1 << (count * exits.len());
            }
            found.numbers.insert((state, pending), found.pairs.len());
            found.pairs.push(Pair {
                state,
                pending,
                exits,
                starts,
            });
            waiting.extend(inside.iter().map(|&x| (x, pending)));
            for &call in inside {
                waiting.extend(nsm.calls(call).iter().map(|&to| (to, Some(call))));
            }
        }
        found
    }

    /// The number of the summary of a pair with such colours, each a set of bits over the exits
    /// of another pair; exits that this pair does not have are left out.
    fn restrict(&self, to: usize, from: usize, code: usize, count: usize) -> usize {
        let (to, from) = (&self.pairs[to], &self.pairs[from]);
        let mut result = 0;
        for colour in 0..count {
            for (bit, exit) in to.exits.iter().enumerate() {
                let old = from.exits.iter().position(|other| other == exit);
                let set = old.is_some_and(|old| code >> (colour * from.exits.len() + old) & 1 == 1);
                result |= usize::from(set) << (colour * to.exits.len() + bit);
            }
        }
        to.starts[count] + result
    }
}

/// For each state and pending call the states that can be reached in the same invocation.
fn same_context(nsm: &Nsm) -> FxHashMap<(StateId, Option<StateId>), Vec<StateId>> {
    let calls = nsm.ids().filter(|&state| !nsm.calls(state).is_empty());
    let pendings: Vec<Option<StateId>> = calls.map(Some).chain([None]).collect();
    let mut reach: FxHashMap<_, Vec<StateId>> = FxHashMap::default();
    for state in nsm.ids() {
        for &pending in &pendings {
            reach.insert((state, pending), vec![state]);
        }
    }
    loop {
        let mut changed = false;
        for state in nsm.ids() {
            for &pending in &pendings {
                let mut list = reach[&(state, pending)].clone();
                let mut next = 0;
                while let Some(&x) = list.get(next) {
                    next += 1;
                    let mut targets = nsm.locals(x).to_vec();
                    for &callee in nsm.calls(x) {
                        let inside = reach[&(callee, Some(x))].iter();
                        targets.extend(inside.flat_map(|&end| nsm.returns_to(end, x)));
                    }
                    for target in targets {
                        if !list.contains(&target) {
                            list.push(target);
                            changed = true;
                        }
                    }
                }
                reach.insert((state, pending), list);
            }
        }
        if !changed {
            return reach;
        }
    }
}

struct Evaluator<'e> {
    nsm: &'e Nsm,
    formulas: &'e Formulas,
    propositions: &'e Propositions,
    summaries: &'e Summaries,
    values: FxHashMap<FormulaId, Set>,
    variables: Vec<Set>,
}

/// A fixpoint being computed, or the formula itself: the formulas to evaluate in each turn, up
/// to the fixpoints inside.
struct Frame {
    fixpoint: Option<FormulaId>,
    list: Vec<FormulaId>,
    next: usize,
}

impl<'e> Evaluator<'e> {
    fn new(
        nsm: &'e Nsm,
        formulas: &'e Formulas,
        propositions: &'e Propositions,
        summaries: &'e Summaries,
    ) -> Self {
        Evaluator {
            nsm,
            formulas,
            propositions,
            summaries,
            values: FxHashMap::default(),
            variables: vec![Vec::new(); formulas.variables()],
        }
    }

    fn evaluate(mut self, root: FormulaId) -> Set {
        let mut frames = vec![self.frame(None, root)];
        while let Some(frame) = frames.last_mut() {
            if let Some(&id) = frame.list.get(frame.next) {
                frame.next += 1;
                match self.formulas.operator(id) {
                    Operator::Fixpoint(fixpoint, variable) => {
                        let start = vec![fixpoint == Fixpoint::Greatest; self.summaries.total];
                        self.variables[variable.0 as usize] = start;
                        let body = self.formulas.parts(id)[0];
                        frames.push(self.frame(Some(id), body));
                    }
                    _ => {
                        let set = self.set(id);
                        self.values.insert(id, set);
                    }
                }
                continue;
            }
            if let Some(id) = frame.fixpoint
                && let Operator::Fixpoint(_, variable) = self.formulas.operator(id)
            {
                let value = self.values[&self.formulas.parts(id)[0]].clone();
                let last = &mut self.variables[variable.0 as usize];
                if *last != value {
                    *last = value;
                    frame.next = 0;
                    continue;
                }
                self.values.insert(id, value);
            }
            frames.pop();
        }
        self.values.remove(&root).unwrap_or_default()
    }

    /// The formulas inside, parts first; fixpoints inside are not entered.
    fn frame(&self, fixpoint: Option<FormulaId>, root: FormulaId) -> Frame {
        let mut list = vec![root];
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            if !matches!(self.formulas.operator(id), Operator::Fixpoint(..)) {
                for &part in self.formulas.parts(id) {
                    if !list.contains(&part) {
                        list.push(part);
                    }
                }
            }
        }
        list.sort_unstable();
        Frame {
            fixpoint,
            list,
            next: 0,
        }
    }

    /// The summaries that satisfy a formula whose parts have been evaluated.
    fn set(&self, id: FormulaId) -> Set {
        let mut set = vec![false; self.summaries.total];
        if let Operator::Variable(variable) = self.formulas.operator(id) {
            return self.variables[variable.0 as usize].clone();
        }
        for at in 0..self.summaries.pairs.len() {
            let pair = &self.summaries.pairs[at];
            for count in 0..=self.summaries.colours {
                for code in 0..1usize << (count * pair.exits.len()) {
                    set[pair.starts[count] + code] = self.holds(id, at, count, code);
                }
            }
        }
        set
    }

    fn holds(&self, id: FormulaId, at: usize, count: usize, code: usize) -> bool {
        let pair = &self.summaries.pairs[at];
        let parts = self.formulas.parts(id);
        let here = |part: FormulaId| self.values[&part][pair.starts[count] + code];
        match self.formulas.operator(id) {
            Operator::True => true,
            Operator::Proposition(p) => self.propositions.holds(p, pair.state),
            Operator::NotProposition(p) => !self.propositions.holds(p, pair.state),
            Operator::And => parts.iter().all(|&part| here(part)),
            Operator::Or => parts.iter().any(|&part| here(part)),
            Operator::False | Operator::Variable(_) | Operator::Fixpoint(..) => false,
            Operator::Local(modality) => {
                let targets = self.nsm.locals(pair.state).iter().map(|&to| {
                    let to = self.summaries.numbers[&(to, pair.pending)];
                    let summary = self.summaries.restrict(to, at, code, count);
                    self.values[&parts[0]][summary]
                });
                quantify(modality, targets)
            }
            Operator::Return(modality, marker) => {
                let call = pair.pending.into_iter();
                let targets = call.flat_map(|call| self.nsm.returns_to(pair.state, call));
                let colour = marker as usize - 1;
                let coloured = targets.map(|to| {
                    let bit = pair.exits.iter().position(|&exit| exit == to);
                    let bit = bit.map(|bit| colour * pair.exits.len() + bit);
                    colour < count && bit.is_some_and(|bit| code >> bit & 1 == 1)
                });
                quantify(modality, coloured)
            }
            operator @ (Operator::MayReturn | Operator::NoReturn) => {
                let mut call = pair.pending.into_iter();
                let may = call.any(|call| self.nsm.returns_to(pair.state, call).next().is_some());
                may == (operator == Operator::MayReturn)
            }
            Operator::Call(modality) => {
                let callees = self.nsm.calls(pair.state).iter().map(|&callee| {
                    let callee = self.summaries.numbers[&(callee, Some(pair.state))];
                    let summary = self.enter(callee, at, count, code, &parts[1..]);
                    self.values[&parts[0]][summary]
                });
                quantify(modality, callees)
            }
        }
    }

    /// The summary of a callee in which the exits are coloured where the return conditions hold.
    fn enter(
        &self,
        callee: usize,
        caller: usize,
        count: usize,
        code: usize,
        conditions: &[FormulaId],
    ) -> usize {
        let (inside, outside) = (&self.summaries.pairs[callee], &self.summaries.pairs[caller]);
        let mut colours = 0;
        for (colour, condition) in conditions.iter().enumerate() {
            for (bit, &exit) in inside.exits.iter().enumerate() {
                let back = self.summaries.numbers[&(exit, outside.pending)];
                let summary = self.summaries.restrict(back, caller, code, count);
                let holds = self.values[condition][summary];
                colours |= usize::from(holds) << (colour * inside.exits.len() + bit);
            }
        }
        inside.starts[conditions.len()] + colours
    }
}

fn quantify(modality: Modality, mut list: impl Iterator<Item = bool>) -> bool {
    match modality {
        Modality::Some => list.any(|holds| holds),
        Modality::All => list.all(|holds| holds),
    }
}
