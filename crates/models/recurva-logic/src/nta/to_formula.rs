//! From alternating automata to NT-µ (Theorem 13).
//!
//! The automaton is a system of equations: one variable for each state with the state that was
//! pushed last. Marker `Ri` stands for a return to the i-th state that returns with that state
//! on top lead to. The system becomes one formula as in Lemma 5: of the variables that depend
//! on each other one with the largest priority is bound by a fixpoint; the others are what they
//! are without it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Alternating, Push, StateId, Term, TermId};
use crate::ntmu::{Fixpoint, Formula, FormulaId, Formulas, Modality, VariableId};

/// A formula that holds for the trees that the automaton accepts, or nothing if it has more
/// than so many subformulas. An automaton whose priorities all count is
/// [turned](Alternating::to_stairs) into one in which stairs count first.
///
/// States that depend on each other in many ways need many fixpoints: the formula can be
/// exponentially larger than the automaton.
pub fn to_formula(automaton: &Alternating, limit: usize) -> Option<Formula> {
    let automaton = automaton.to_stairs();
    let mut solver = Solver::new(&automaton, limit);
    let root = solver.solve()?;
    Some(Formula::closed(solver.formulas, root))
}

/// A state and the one pushed last, if there is one.
type Pair = (StateId, Option<StateId>);

/// What a variable stands for: a bound variable, or the formula for it.
type Known = Vec<(usize, FormulaId)>;

struct Solver<'a> {
    automaton: &'a Alternating,
    limit: usize,
    /// For each state the targets of the returns that may find it on top.
    colours: Vec<Vec<StateId>>,
    pairs: Vec<Pair>,
    numbers: FxHashMap<Pair, usize>,
    /// The pairs that the equation of a pair mentions.
    mentions: Vec<Vec<usize>>,
    formulas: Formulas,
    done: FxHashMap<(usize, Known), FormulaId>,
    variables: FxHashMap<(usize, Known), VariableId>,
}

/// What to do for a pair.
enum Step {
    /// It is what it is with one more pair known.
    Without,
    /// It is bound by a fixpoint.
    Bind,
    /// Nothing it depends on depends on it.
    Expand,
}

impl<'a> Solver<'a> {
    fn new(automaton: &'a Alternating, limit: usize) -> Self {
        let mut solver = Solver {
            automaton,
            limit,
            colours: colours(automaton),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            mentions: Vec::new(),
            formulas: Formulas::new(),
            done: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        solver.number((automaton.init(), None));
        while let Some(&pair) = solver.pairs.get(solver.mentions.len()) {
            let mut list = Vec::new();
            for leaf in solver.leaves(pair.0) {
                let pairs = solver.pairs_of(pair, leaf);
                list.extend(pairs.into_iter().map(|pair| solver.number(pair)));
            }
            list.sort_unstable();
            list.dedup();
            solver.mentions.push(list);
        }
        solver
    }

    fn number(&mut self, pair: Pair) -> usize {
        let next = self.pairs.len();
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
        }
        number
    }

    fn leaves(&self, state: StateId) -> Vec<Term> {
        let root = self.automaton.states()[state.index()].term;
        let terms = self.automaton.subterms(root).into_iter();
        terms.map(|term| self.automaton.term(term)).collect()
    }

    /// The pairs that a leaf of a pair's term mentions.
    fn pairs_of(&self, (state, below): Pair, leaf: Term) -> Vec<Pair> {
        match leaf {
            Term::Silent(q) | Term::Local(_, q) => vec![(q, below)],
            Term::Call(_, q) => {
                let returns = self.colours[state.index()].iter();
                let returns = returns.map(|&target| (target, below));
                [(q, Some(state))].into_iter().chain(returns).collect()
            }
            _ => Vec::new(),
        }
    }

    fn priority(&self, pair: usize) -> u32 {
        self.automaton.states()[self.pairs[pair].0.index()].priority
    }

    /// The formula of the initial pair, if it is small enough.
    fn solve(&mut self) -> Option<FormulaId> {
        let goal = (0, Known::new());
        let mut stack = vec![goal.clone()];
        while let Some((pair, known)) = stack.last().cloned() {
            if self.formulas.len() + self.done.len() + stack.len() > self.limit {
                return None;
            }
            if self.done.contains_key(&(pair, known.clone())) {
                stack.pop();
                continue;
            }
            let (inner, step) = self.step(pair, &known, &mut stack);
            let Some(inner) = inner else { continue };
            let needed: Vec<(usize, Known)> = match step {
                Step::Without => vec![(pair, self.relevant(pair, &inner))],
                Step::Bind | Step::Expand => {
                    let mentions = self.mentions[pair].iter().copied();
                    let open = mentions.filter(|&next| lookup(&inner, next).is_none());
                    open.map(|next| (next, self.relevant(next, &inner)))
                        .collect()
                }
            };
            let before = stack.len();
            stack.extend(
                needed
                    .into_iter()
                    .filter(|key| !self.done.contains_key(key)),
            );
            if stack.len() > before {
                continue;
            }
            let made = match step {
                Step::Without => self.value_without(pair, &inner),
                Step::Expand => self.equation(pair, &inner),
                Step::Bind => {
                    let body = self.equation(pair, &inner);
                    let variable = self.variables[&(pair, known.clone())];
                    let kind = match self.priority(pair) % 2 {
                        0 => Fixpoint::Greatest,
                        _ => Fixpoint::Least,
                    };
                    self.formulas.fixpoint(kind, variable, body)
                }
            };
            self.done.insert((pair, known), made);
            stack.pop();
        }
        self.done.get(&goal).copied()
    }

    /// What to do for a pair, and what is known then; nothing if another pair must be done
    /// first, which is put on the stack.
    fn step(
        &mut self,
        pair: usize,
        known: &Known,
        stack: &mut Vec<(usize, Known)>,
    ) -> (Option<Known>, Step) {
        let Some(chosen) = self.chosen(pair, known) else {
            return (Some(known.clone()), Step::Expand);
        };
        if chosen == pair {
            let key = (pair, known.clone());
            let variable = match self.variables.get(&key) {
                Some(&variable) => variable,
                None => {
                    let variable = self.formulas.new_variable("X");
                    self.variables.insert(key, variable);
                    variable
                }
            };
            let variable = self.formulas.variable(variable);
            return (Some(with(known, pair, variable)), Step::Bind);
        }
        let key = (chosen, self.relevant(chosen, known));
        match self.done.get(&key) {
            Some(&formula) => (Some(with(known, chosen, formula)), Step::Without),
            None => {
                stack.push(key);
                (None, Step::Without)
            }
        }
    }

    /// The pair to be bound first of those that depend on each other with this one, if any do.
    fn chosen(&self, pair: usize, known: &Known) -> Option<usize> {
        let open = |next: &usize| lookup(known, *next).is_none();
        let ahead = reachable(pair, |from| {
            let mentions = self.mentions[from].iter().copied();
            mentions.filter(open).collect()
        });
        if !ahead.contains(&pair) {
            return None;
        }
        let mut users: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &from in &ahead {
            for &to in self.mentions[from].iter().filter(|to| ahead.contains(to)) {
                users.entry(to).or_default().push(from);
            }
        }
        let behind = reachable(pair, |to| users.get(&to).cloned().unwrap_or_default());
        // All that are larger than any of the other kind may come first: the one on the most
        // paths leaves the least behind.
        let most = behind.iter().map(|&other| self.priority(other)).max()?;
        let others = behind.iter().map(|&other| self.priority(other));
        let limit = others.filter(|priority| priority % 2 != most % 2).max();
        let paths = |pair: usize| {
            let inside = self.mentions[pair].iter().filter(|to| behind.contains(to));
            inside.count() * users.get(&pair).map_or(0, Vec::len)
        };
        let first = behind.iter().copied();
        let first = first.filter(|&other| limit.is_none_or(|limit| self.priority(other) > limit));
        first.max_by_key(|&other| (paths(other), std::cmp::Reverse(other)))
    }

    /// What is known without what a pair cannot depend on.
    fn relevant(&self, pair: usize, known: &Known) -> Known {
        let reach = reachable(pair, |from| match lookup(known, from) {
            Some(_) if from != pair => Vec::new(),
            _ => self.mentions[from].clone(),
        });
        let list = known.iter().copied();
        list.filter(|(other, _)| reach.contains(other)).collect()
    }

    /// The right side of a pair's equation.
    fn equation(&mut self, pair: usize, known: &Known) -> FormulaId {
        let (state, below) = self.pairs[pair];
        let root = self.automaton.states()[state.index()].term;
        let mut made: FxHashMap<TermId, FormulaId> = FxHashMap::default();
        for id in self.automaton.subterms(root) {
            let term = self.automaton.term(id);
            let parts: Vec<FormulaId> = self
                .pairs_of((state, below), term)
                .into_iter()
                .map(|pair| self.value(self.numbers[&pair], known))
                .collect();
            let formula = match term {
                Term::True => self.formulas.constant(true),
                Term::False => self.formulas.constant(false),
                Term::Proposition(p) => self.proposition(p.0),
                Term::NotProposition(p) => {
                    let positive = self.proposition(p.0);
                    self.formulas.negate(positive)
                }
                Term::And(left, right) => self.formulas.and(made[&left], made[&right]),
                Term::Or(left, right) => self.formulas.or(made[&left], made[&right]),
                Term::Silent(_) => parts[0],
                Term::Local(modality, _) => self.formulas.local(modality, parts[0]),
                Term::Call(modality, _) => self.formulas.call(modality, parts[0], &parts[1..]),
                Term::Return(modality, push, target) => self.ret(modality, push, target, below),
            };
            made.insert(id, formula);
        }
        made[&root]
    }

    fn value(&self, pair: usize, known: &Known) -> FormulaId {
        match lookup(known, pair) {
            Some(formula) => formula,
            None => self.value_without(pair, known),
        }
    }

    fn value_without(&self, pair: usize, known: &Known) -> FormulaId {
        self.done[&(pair, self.relevant(pair, known))]
    }

    fn proposition(&mut self, index: u32) -> FormulaId {
        let (text, span) = &self.automaton.propositions()[index as usize];
        self.formulas.proposition_at(text, *span)
    }

    fn ret(
        &mut self,
        modality: Modality,
        push: Push,
        target: StateId,
        below: Option<StateId>,
    ) -> FormulaId {
        let fits = match (push, below) {
            (Push::Any, Some(below)) => Some(below),
            (Push::Only(only), Some(below)) if only == below => Some(below),
            _ => None,
        };
        let colour = fits.and_then(|below| {
            let colours = &self.colours[below.index()];
            colours.iter().position(|&colour| colour == target)
        });
        match colour {
            Some(colour) => self.formulas.ret(modality, colour as u32 + 1),
            None => self.formulas.constant(modality == Modality::All),
        }
    }
}

fn lookup(known: &Known, pair: usize) -> Option<FormulaId> {
    let at = known.binary_search_by_key(&pair, |&(other, _)| other);
    at.ok().map(|at| known[at].1)
}

fn with(known: &Known, pair: usize, formula: FormulaId) -> Known {
    let mut more = known.clone();
    more.push((pair, formula));
    more.sort_unstable();
    more
}

/// What can be reached from a place, the place itself only if it is on a cycle.
fn reachable(start: usize, next: impl Fn(usize) -> Vec<usize>) -> FxHashSet<usize> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![start];
    while let Some(from) = stack.pop() {
        stack.extend(next(from).into_iter().filter(|&to| seen.insert(to)));
    }
    seen
}

/// For each state, what returns that find it on top lead to.
fn colours(automaton: &Alternating) -> Vec<Vec<StateId>> {
    let mut colours: Vec<Vec<StateId>> = vec![Vec::new(); automaton.states().len()];
    for state in automaton.states() {
        for term in automaton.subterms(state.term) {
            if let Term::Return(_, push, target) = automaton.term(term) {
                for below in automaton.ids() {
                    let fits = push == Push::Any || push == Push::Only(below);
                    if fits && !colours[below.index()].contains(&target) {
                        colours[below.index()].push(target);
                    }
                }
            }
        }
    }
    colours
}
