//! What formulas of NT-µ mean, said once more in terms of paths: machines and formulas of its
//! own, which know nothing of the logic's operators, of how abbreviations are written out, of an
//! engine or of proofs. Only texts go from here to them.

mod grow;
mod meaning;
mod moves;
mod patterns;
mod runs;

use std::fmt;

pub(crate) use grow::{PATTERNS, grow_formula, grow_machine};
pub(crate) use meaning::Meaning;
pub(crate) use runs::runs_agree;

/// A state, by number.
pub(crate) type State = usize;

/// The call whose callee is running, if there is one.
pub(crate) type Pending = Option<State>;

/// A set of states, one bit each.
pub(crate) type Set = u32;

pub(crate) fn has(set: Set, state: State) -> bool {
    set >> state & 1 == 1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Local,
    Call,
    Return,
}

/// A machine. Local moves and calls are both in `next`.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) kinds: Vec<Kind>,
    /// Whether `p` and `q` hold.
    pub(crate) labels: Vec<[bool; 2]>,
    pub(crate) next: Vec<Vec<State>>,
    /// From, pending call, to.
    pub(crate) returns: Vec<(State, State, State)>,
    pub(crate) init: State,
}

impl Machine {
    pub(crate) fn steps(&self, state: State) -> &[State] {
        match self.kinds[state] {
            Kind::Call => &[],
            _ => &self.next[state],
        }
    }

    pub(crate) fn callees(&self, state: State) -> &[State] {
        match self.kinds[state] {
            Kind::Call => &self.next[state],
            _ => &[],
        }
    }

    pub(crate) fn returns(&self, state: State, pending: Pending) -> Vec<State> {
        let all = self.returns.iter();
        let here = all.filter(|&&(from, call, _)| from == state && Some(call) == pending);
        here.map(|&(_, _, to)| to).collect()
    }

    /// All states, with nothing on the stack and with each pending call.
    pub(crate) fn positions(&self) -> Vec<(State, Pending)> {
        let states = 0..self.kinds.len();
        let calls = states.clone().filter(|&s| self.kinds[s] == Kind::Call);
        let pendings: Vec<Pending> = calls.map(Some).chain([None]).collect();
        states
            .flat_map(|state| pendings.iter().map(move |&pending| (state, pending)))
            .collect()
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every proposition is known, wherever it holds.
        writeln!(f, "local unused : p, q")?;
        for (state, kind) in self.kinds.iter().enumerate() {
            let kind = match kind {
                Kind::Local => "local",
                Kind::Call => "call",
                Kind::Return => "return",
            };
            let labels = match self.labels[state] {
                [false, false] => "",
                [true, false] => " : p",
                [false, true] => " : q",
                [true, true] => " : p, q",
            };
            writeln!(f, "{kind} s{state}{labels}")?;
        }
        writeln!(f, "init s{}", self.init)?;
        for (from, list) in self.next.iter().enumerate() {
            let arrow = match self.kinds[from] {
                Kind::Call => "-call->",
                _ => "->",
            };
            for to in list {
                writeln!(f, "s{from} {arrow} s{to}")?;
            }
        }
        for (from, pending, to) in &self.returns {
            writeln!(f, "(s{from}, s{pending}) -ret-> s{to}")?;
        }
        Ok(())
    }
}

/// Whether some are meant or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Some,
    All,
}

impl Which {
    pub(crate) fn of(self, mut list: impl Iterator<Item = bool>) -> bool {
        match self {
            Which::Some => list.any(|holds| holds),
            Which::All => list.all(|holds| holds),
        }
    }

    fn modal(self, name: &str) -> String {
        match self {
            Which::Some => format!("<{name}>"),
            Which::All => format!("[{name}]"),
        }
    }
}

/// A formula as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Constant(bool),
    /// `p` or `q`
    Label(usize),
    Not(Box<Formula>),
    And(Box<[Formula; 2]>),
    Or(Box<[Formula; 2]>),
    Local(Which, Box<Formula>),
    Call(Which, Box<Formula>, Vec<Formula>),
    /// With the marker, from 0.
    Return(Which, usize),
    ReturnConstant(Which, bool),
    Jump(Which, Box<Formula>),
    Terminates,
    /// `E[f U g]` or, weak, `E[f W g]`; local or global.
    Path {
        which: Which,
        weak: bool,
        local: bool,
        parts: Box<[Formula; 2]>,
    },
    /// `EF f`, or `EG f`.
    Short {
        which: Which,
        always: bool,
        local: bool,
        part: Box<Formula>,
    },
    Pattern(&'static str, Vec<Formula>),
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = |local: &bool| if *local { "_l" } else { "" };
        let letter = |which: &Which| match which {
            Which::Some => "E",
            Which::All => "A",
        };
        match self {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Label(label) => f.write_str(["p", "q"][*label]),
            Formula::Not(part) => write!(f, "!({part})"),
            Formula::And(parts) => write!(f, "({} & {})", parts[0], parts[1]),
            Formula::Or(parts) => write!(f, "({} | {})", parts[0], parts[1]),
            Formula::Local(which, part) => write!(f, "{} ({part})", which.modal("loc")),
            Formula::Call(which, body, returns) => {
                let returns: Vec<String> = returns.iter().map(Formula::to_string).collect();
                let returns = returns.join(", ");
                write!(f, "{} ({body}) {{{returns}}}", which.modal("call"))
            }
            Formula::Return(which, marker) => {
                write!(f, "{} R{}", which.modal("ret"), marker + 1)
            }
            Formula::ReturnConstant(which, value) => write!(f, "{} {value}", which.modal("ret")),
            Formula::Jump(which, part) => write!(f, "{} ({part})", which.modal("jump")),
            Formula::Terminates => f.write_str("terminates"),
            Formula::Path {
                which,
                weak,
                local,
                parts,
            } => {
                let operator = if *weak { "W" } else { "U" };
                let (letter, suffix) = (letter(which), suffix(local));
                write!(f, "{letter}[{} {operator}{suffix} {}]", parts[0], parts[1])
            }
            Formula::Short {
                which,
                always,
                local,
                part,
            } => {
                let operator = if *always { "G" } else { "F" };
                write!(f, "{}{operator}{} ({part})", letter(which), suffix(local))
            }
            Formula::Pattern(name, arguments) if arguments.is_empty() => f.write_str(name),
            Formula::Pattern(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Formula::to_string).collect();
                write!(f, "{name}({})", arguments.join(", "))
            }
        }
    }
}
