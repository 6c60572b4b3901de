//! Runs with a stack, one after the other up to a length: what a path is, taken literally. Too
//! short to find every path, so it can only confirm that there is one.

use super::{Formula, Machine, Meaning, Pending, State, Which};

/// How many positions a run may have.
const LONG: usize = 9;

/// How many runs are looked at.
const MANY: usize = 3_000;

/// A position of a run.
#[derive(Clone, Copy, Debug)]
struct Place {
    state: State,
    pending: Pending,
    /// The calls that are pending, from the position where the run began.
    depth: usize,
}

/// What a run shows about `f` and `g` if it is one that is looked for.
#[derive(Clone, Copy, Debug)]
struct Wanted<'f> {
    which: Which,
    weak: bool,
    local: bool,
    parts: &'f [Formula; 2],
}

struct Search<'s> {
    meaning: &'s Meaning<'s>,
    wanted: Wanted<'s>,
    left: usize,
}

/// Looks for a run that decides a path formula at a position: one that shows that `E` holds, or
/// that `A` does not. `None` if the formula is none, or no such run is short enough.
///
/// # Panics
///
/// If there is a run, and the formula is said to be otherwise.
pub(crate) fn runs_agree(
    meaning: &Meaning<'_>,
    formula: &Formula,
    state: State,
    pending: Pending,
    holds: bool,
) -> Option<bool> {
    let Formula::Path {
        which,
        weak,
        local,
        parts,
    } = formula
    else {
        return None;
    };
    let wanted = Wanted {
        which: *which,
        weak: *weak,
        local: *local,
        parts,
    };
    let mut search = Search {
        meaning,
        wanted,
        left: MANY,
    };
    let first = Place {
        state,
        pending,
        depth: 0,
    };
    let found = search.extend(&mut vec![first], &mut Vec::new());
    let decided = holds == (*which == Which::Some);
    assert!(
        !found || decided,
        "{formula} at s{state}, called from {pending:?}, in\n{}",
        meaning.machine
    );
    decided.then_some(found)
}

impl Search<'_> {
    /// Whether the run, or a longer one, is looked for. The stack has the calls since it began.
    fn extend(&mut self, run: &mut Vec<Place>, stack: &mut Vec<State>) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return false;
        }
        if self.decides(run, false) {
            return true;
        }
        let place = run[run.len() - 1];
        let machine: &Machine = self.meaning.machine;
        let returns = machine.returns(place.state, place.pending);
        let blocked = machine.next[place.state].is_empty() && returns.is_empty();
        let over = place.depth == 0 && !returns.is_empty();
        if (blocked || over || repeats(run)) && self.decides(run, true) {
            return true;
        }
        if run.len() == LONG {
            return false;
        }
        for &state in machine.steps(place.state) {
            if self.then(run, stack, Place { state, ..place }) {
                return true;
            }
        }
        for &state in machine.callees(place.state) {
            stack.push(place.state);
            let inside = Place {
                state,
                pending: Some(place.state),
                depth: place.depth + 1,
            };
            if self.then(run, stack, inside) {
                return true;
            }
            stack.pop();
        }
        if place.depth > 0 {
            let call = stack.pop();
            for state in returns {
                let pending = match stack.last() {
                    Some(&call) => Some(call),
                    None => run[0].pending,
                };
                let depth = place.depth - 1;
                let back = Place {
                    state,
                    pending,
                    depth,
                };
                if self.then(run, stack, back) {
                    return true;
                }
            }
            stack.extend(call);
        }
        false
    }

    fn then(&mut self, run: &mut Vec<Place>, stack: &mut Vec<State>, place: Place) -> bool {
        run.push(place);
        let found = self.extend(run, stack);
        run.pop();
        found
    }

    /// Whether what has been seen of a run, or all of it, is enough.
    fn decides(&self, run: &[Place], whole: bool) -> bool {
        let Wanted {
            which,
            weak,
            local,
            parts,
        } = self.wanted;
        let is = |index: usize, place: &Place| {
            self.meaning
                .closed(&parts[index], place.state, place.pending)
        };
        let mut places = run.iter().filter(|place| !local || place.depth == 0);
        // The first position where `g` holds, or `f` does not.
        match (places.find(|place| is(1, place) || !is(0, place)), which) {
            (Some(place), Which::Some) => is(1, place),
            (Some(place), Which::All) => !is(1, place),
            (None, Which::Some) => whole && weak,
            (None, Which::All) => whole && !weak,
        }
    }
}

/// Whether the last position can be gone on from as from an earlier one for ever: the run has not
/// gone below that since.
fn repeats(run: &[Place]) -> bool {
    let (last, before) = (run[run.len() - 1], &run[..run.len() - 1]);
    let mut lowest = last.depth;
    before.iter().rev().any(|place| {
        lowest = lowest.min(place.depth);
        place.state == last.state && place.pending == last.pending && lowest == place.depth
    })
}
