//! Formulas of CaRet and what they mean, from the definition: along a run, along what an
//! invocation does itself, and up the open calls.

use std::fmt;

use recurva_testkit::rng::Rng;

use super::run::{Machine, Run};

/// Which positions an operator goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    All,
    Local,
    Callers,
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Atom(String),
    Not(Box<Formula>),
    And(Box<[Formula; 2]>),
    Or(Box<[Formula; 2]>),
    /// There is a next position, and there it holds.
    Next(Chain, Box<Formula>),
    /// It holds at the next position, if there is one.
    IfNext(Chain, Box<Formula>),
    Finally(Chain, Box<Formula>),
    Globally(Chain, Box<Formula>),
    Until(Chain, Box<[Formula; 2]>),
    WeakUntil(Chain, Box<[Formula; 2]>),
    Release(Chain, Box<[Formula; 2]>),
}

impl Formula {
    /// A formula with so many operators and atoms.
    pub(crate) fn random(rng: &mut Rng, size: usize, atoms: &[String]) -> Self {
        let chains = [Chain::All, Chain::Local, Chain::Local, Chain::Callers];
        part(rng, size, atoms, &chains)
    }

    /// The same without anything about calls.
    pub(crate) fn random_plain(rng: &mut Rng, size: usize, atoms: &[String]) -> Self {
        part(rng, size, atoms, &[Chain::All])
    }

    /// Whether it holds at the beginning of a run.
    pub(crate) fn holds_on(&self, machine: &Machine, run: &Run) -> bool {
        // With each turn what is said of callers may change, but no more often than there are
        // operators; behind that, all turns are the same.
        let turns = 2 * self.size() + 2;
        let word = Word::new(machine, run, turns);
        let values = word.values(self);
        word.assert_settled(&values);
        values[0]
    }

    fn size(&self) -> usize {
        match self {
            Formula::Atom(_) => 1,
            Formula::Not(inner)
            | Formula::Next(_, inner)
            | Formula::IfNext(_, inner)
            | Formula::Finally(_, inner)
            | Formula::Globally(_, inner) => 1 + inner.size(),
            Formula::And(both)
            | Formula::Or(both)
            | Formula::Until(_, both)
            | Formula::WeakUntil(_, both)
            | Formula::Release(_, both) => 1 + both[0].size() + both[1].size(),
        }
    }
}

fn part(rng: &mut Rng, size: usize, atoms: &[String], chains: &[Chain]) -> Formula {
    if size <= 1 {
        return Formula::Atom(atoms[rng.below(atoms.len())].clone());
    }
    let chain = chains[rng.below(chains.len())];
    if size == 2 || rng.chance(55) {
        let inner = Box::new(part(rng, size - 1, atoms, chains));
        return match rng.below(6) {
            0 => Formula::Not(inner),
            1 => Formula::Next(chain, inner),
            // Along all positions there always is a next one.
            2 if chain == Chain::All => Formula::Next(chain, inner),
            2 => Formula::IfNext(chain, inner),
            3 => Formula::Finally(chain, inner),
            _ => Formula::Globally(chain, inner),
        };
    }
    let left = 1 + rng.below(size - 2);
    let both = Box::new([
        part(rng, left, atoms, chains),
        part(rng, size - 1 - left, atoms, chains),
    ]);
    match rng.below(5) {
        0 => Formula::And(both),
        1 => Formula::Or(both),
        2 => Formula::Until(chain, both),
        3 => Formula::WeakUntil(chain, both),
        _ => Formula::Release(chain, both),
    }
}

/// A run that is spelled out for some turns, the last of which stands for all that follow.
struct Word<'m> {
    machine: &'m Machine,
    /// The state at each position.
    states: Vec<usize>,
    /// How long a turn is.
    turn: usize,
    /// The next position of each chain.
    next: Vec<Option<usize>>,
    local: Vec<Option<usize>>,
    caller: Vec<Option<usize>>,
}

impl<'m> Word<'m> {
    fn new(machine: &'m Machine, run: &Run, turns: usize) -> Self {
        let turn = run.positions.len() - run.back;
        let count = run.back + turns * turn;
        let at = |index: usize| match index.checked_sub(run.back) {
            None => run.positions[index],
            Some(behind) => {
                let mut position = run.positions[run.back + behind % turn];
                position.depth += behind / turn * run.rise;
                position
            }
        };
        let next = |index: usize| match index + 1 == count {
            true => count - turn,
            false => index + 1,
        };
        let mut word = Word {
            machine,
            states: (0..count).map(|index| at(index).state).collect(),
            turn,
            next: (0..count).map(|index| Some(next(index))).collect(),
            local: vec![None; count],
            caller: vec![None; count],
        };
        for here in 0..count {
            let depth = at(here).depth;
            // The last position before with fewer open calls is where the call was made.
            let caller = (0..here).rev().find(|&before| at(before).depth < depth);
            word.caller[here] = caller;
            // The next position with as many; it is in the same invocation unless there are
            // fewer before. Two turns are enough to look at.
            let ahead = here + 1..=here + 2 * turn.max(run.back) + 2 * run.positions.len();
            let there = ahead.into_iter().find(|&ahead| at(ahead).depth <= depth);
            let there = there.filter(|&there| at(there).depth == depth);
            word.local[here] = there.map(|there| match there < count {
                true => there,
                false => count - turn + (there - count) % turn,
            });
        }
        word
    }

    fn chain(&self, chain: Chain) -> &[Option<usize>] {
        match chain {
            Chain::All => &self.next,
            Chain::Local => &self.local,
            Chain::Callers => &self.caller,
        }
    }

    /// Where a formula holds.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let count = self.states.len();
        let each = |value: &dyn Fn(usize) -> bool| (0..count).map(value).collect();
        match formula {
            Formula::Atom(name) => each(&|at| self.machine.holds(self.states[at], name)),
            Formula::Not(inner) => self.values(inner).into_iter().map(|value| !value).collect(),
            Formula::And(both) => {
                let [left, right] = both.each_ref().map(|part| self.values(part));
                each(&|at| left[at] && right[at])
            }
            Formula::Or(both) => {
                let [left, right] = both.each_ref().map(|part| self.values(part));
                each(&|at| left[at] || right[at])
            }
            Formula::Next(chain, inner) => {
                let (inner, next) = (self.values(inner), self.chain(*chain));
                each(&|at| next[at].is_some_and(|next| inner[next]))
            }
            Formula::IfNext(chain, inner) => {
                let (inner, next) = (self.values(inner), self.chain(*chain));
                each(&|at| next[at].is_none_or(|next| inner[next]))
            }
            Formula::Finally(chain, inner) => {
                let inner = self.values(inner);
                self.least(*chain, |at, later| inner[at] || later)
            }
            Formula::Globally(chain, inner) => {
                let inner = self.values(inner);
                self.greatest(*chain, |at, later| inner[at] && later)
            }
            Formula::Until(chain, both) => {
                let [left, right] = both.each_ref().map(|part| self.values(part));
                self.least(*chain, |at, later| right[at] || left[at] && later)
            }
            Formula::WeakUntil(chain, both) => {
                let [left, right] = both.each_ref().map(|part| self.values(part));
                self.greatest(*chain, |at, later| right[at] || left[at] && later)
            }
            Formula::Release(chain, both) => {
                let [left, right] = both.each_ref().map(|part| self.values(part));
                self.greatest(*chain, |at, later| right[at] && (left[at] || later))
            }
        }
    }

    /// What can be put off, but not for ever and not beyond the end of the chain.
    fn least(&self, chain: Chain, holds: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        self.fixpoint(chain, false, holds)
    }

    /// What may be put off for ever, and up to the end of the chain.
    fn greatest(&self, chain: Chain, holds: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        self.fixpoint(chain, true, holds)
    }

    fn fixpoint(
        &self,
        chain: Chain,
        start: bool,
        holds: impl Fn(usize, bool) -> bool,
    ) -> Vec<bool> {
        let next = self.chain(chain);
        let mut values = vec![start; self.states.len()];
        loop {
            let mut changed = false;
            for at in (0..values.len()).rev() {
                let later = next[at].map_or(start, |next| values[next]);
                let value = holds(at, later);
                changed |= value != values[at];
                values[at] = value;
            }
            if !changed {
                return values;
            }
        }
    }

    /// The last turn can only stand for the rest if the one before was the same.
    fn assert_settled(&self, values: &[bool]) {
        let (before, last) = values.split_at(values.len() - self.turn);
        assert_eq!(&before[before.len() - self.turn..], last);
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = |chain: &Chain| match chain {
            Chain::All => "",
            Chain::Local => "_a",
            Chain::Callers => "_c",
        };
        match self {
            Formula::Atom(name) => f.write_str(name),
            Formula::Not(inner) => write!(f, "!({inner})"),
            Formula::And(both) => write!(f, "({}) & ({})", both[0], both[1]),
            Formula::Or(both) => write!(f, "({}) | ({})", both[0], both[1]),
            Formula::Next(chain, inner) => write!(f, "X{} ({inner})", ending(chain)),
            Formula::IfNext(chain, inner) => write!(f, "N{} ({inner})", ending(chain)),
            Formula::Finally(chain, inner) => write!(f, "F{} ({inner})", ending(chain)),
            Formula::Globally(chain, inner) => write!(f, "G{} ({inner})", ending(chain)),
            Formula::Until(chain, both) => {
                write!(f, "({}) U{} ({})", both[0], ending(chain), both[1])
            }
            Formula::WeakUntil(chain, both) => {
                write!(f, "({}) W{} ({})", both[0], ending(chain), both[1])
            }
            Formula::Release(chain, both) => {
                write!(f, "({}) R{} ({})", both[0], ending(chain), both[1])
            }
        }
    }
}
