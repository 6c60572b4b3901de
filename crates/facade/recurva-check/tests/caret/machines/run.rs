//! Small nested state machines as texts, and the run of one that has no choice.

use std::fmt;

use recurva_testkit::rng::Rng;

/// What a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Local,
    Call,
    Return,
}

#[derive(Clone, Debug)]
struct State {
    kind: Kind,
    /// Whether `p` holds there, and whether `q` does.
    marks: [bool; 2],
    /// Where a step or a call leads.
    next: Vec<usize>,
    /// Which call returns where from here.
    returns: Vec<(usize, usize)>,
}

/// A machine: the states have numbers, and `s0` is the first.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    states: Vec<State>,
    init: usize,
}

/// What happens at a position of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) state: usize,
    /// How many calls are open.
    pub(crate) depth: usize,
}

/// An infinite run: from `back` on it goes on for ever as it did from there to the end, perhaps
/// with more and more calls open.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) positions: Vec<Position>,
    pub(crate) back: usize,
    /// How many more calls are open after a turn.
    pub(crate) rise: usize,
}

impl Run {
    pub(crate) fn diverges(&self) -> bool {
        self.rise > 0
    }
}

/// A run is looked at as far as this.
const STEPS: usize = 5_000;

impl Machine {
    fn states(rng: &mut Rng) -> Self {
        let counts = [1 + rng.below(4), 1 + rng.below(3), 1 + rng.below(3)];
        let kinds = [Kind::Local, Kind::Call, Kind::Return];
        let mut states = Vec::new();
        for (kind, count) in kinds.into_iter().zip(counts) {
            for _ in 0..count {
                states.push(State {
                    kind,
                    marks: [rng.chance(40), rng.chance(40)],
                    next: Vec::new(),
                    returns: Vec::new(),
                });
            }
        }
        let init = rng.below(counts[0] + counts[1]);
        Machine { states, init }
    }

    fn of_kind(&self, wanted: impl Fn(Kind) -> bool) -> Vec<usize> {
        let all = 0..self.states.len();
        all.filter(|&state| wanted(self.states[state].kind))
            .collect()
    }

    /// A machine in which there is never more than one way to go on.
    pub(crate) fn with_one_run(rng: &mut Rng) -> Self {
        let mut machine = Self::states(rng);
        let enterable = machine.of_kind(|kind| kind != Kind::Return);
        let calls = machine.of_kind(|kind| kind == Kind::Call);
        let returns = machine.of_kind(|kind| kind == Kind::Return);
        for state in &mut machine.states {
            // Either it goes on, or it returns whichever call it was.
            if state.kind == Kind::Call || rng.chance(65) {
                state.next.push(enterable[rng.below(enterable.len())]);
            } else {
                let back = calls
                    .iter()
                    .map(|&call| (call, returns[rng.below(returns.len())]));
                state.returns = back.collect();
            }
        }
        machine
    }

    /// Any machine.
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let mut machine = Self::states(rng);
        let enterable = machine.of_kind(|kind| kind != Kind::Return);
        let calls = machine.of_kind(|kind| kind == Kind::Call);
        let returns = machine.of_kind(|kind| kind == Kind::Return);
        for state in &mut machine.states {
            for _ in 0..1 + rng.below(2) {
                state.next.push(enterable[rng.below(enterable.len())]);
            }
            state.next.dedup();
            for &call in calls.iter().filter(|_| state.kind != Kind::Call) {
                if rng.chance(35) {
                    let to = returns[rng.below(returns.len())];
                    state.returns.push((call, to));
                }
            }
        }
        machine
    }

    /// What formulas can ask of a state.
    pub(crate) fn atoms(&self) -> Vec<String> {
        let kinds = ["call", "ret", "loc", "call", "ret"].map(str::to_owned);
        let names = (0..self.states.len()).map(|state| format!("s{state}"));
        let marks = (0..2).filter(|&mark| self.states.iter().any(|state| state.marks[mark]));
        let marks = marks.map(|mark| ["p", "q"][mark].to_owned());
        kinds.into_iter().chain(names).chain(marks).collect()
    }

    /// Whether an atom holds in a state.
    pub(crate) fn holds(&self, state: usize, atom: &str) -> bool {
        let State { kind, marks, .. } = &self.states[state];
        match atom {
            "call" => *kind == Kind::Call,
            "ret" => *kind == Kind::Return,
            "loc" => *kind == Kind::Local,
            "p" => marks[0],
            "q" => marks[1],
            name => name == format!("s{state}"),
        }
    }

    /// The only run, if it is infinite. It has to be found within some steps.
    pub(crate) fn run(&self) -> Option<Run> {
        let mut positions: Vec<Position> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut state = self.init;
        loop {
            positions.push(Position {
                state,
                depth: open.len(),
            });
            if let Some(back) = self.repeats(&positions) {
                let last = positions.pop()?;
                let rise = last.depth - positions[back].depth;
                return Some(Run {
                    positions,
                    back,
                    rise,
                });
            }
            let here = &self.states[state];
            state = match here.next.first() {
                Some(&next) => {
                    if here.kind == Kind::Call {
                        open.push(state);
                    }
                    next
                }
                None => {
                    let call = open.pop()?;
                    let back = here.returns.iter().find(|(of, _)| *of == call);
                    back?.1
                }
            };
            assert!(positions.len() < STEPS, "no turn of a small machine");
        }
    }

    /// Where a turn began that ends with the last position: in the same state, and with no call
    /// that was open there returned since.
    fn repeats(&self, positions: &[Position]) -> Option<usize> {
        let (last, before) = positions.split_last()?;
        let mut least = last.depth;
        for (at, position) in before.iter().enumerate().rev() {
            least = least.min(position.depth);
            if position.state == last.state && position.depth <= least {
                return Some(at);
            }
        }
        None
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, state) in self.states.iter().enumerate() {
            let kind = match state.kind {
                Kind::Local => "local",
                Kind::Call => "call",
                Kind::Return => "return",
            };
            write!(f, "{kind} s{number}")?;
            match state.marks {
                [true, true] => writeln!(f, " : p, q")?,
                [true, false] => writeln!(f, " : p")?,
                [false, true] => writeln!(f, " : q")?,
                [false, false] => writeln!(f)?,
            }
        }
        writeln!(f, "init s{}", self.init)?;
        for (number, state) in self.states.iter().enumerate() {
            let arrow = match state.kind {
                Kind::Call => "-call->",
                Kind::Local | Kind::Return => "->",
            };
            for next in &state.next {
                writeln!(f, "s{number} {arrow} s{next}")?;
            }
            for (call, to) in &state.returns {
                writeln!(f, "(s{number}, s{call}) -ret-> s{to}")?;
            }
        }
        Ok(())
    }
}
