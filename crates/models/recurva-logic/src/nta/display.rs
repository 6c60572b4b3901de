//! Automata as text.

use std::fmt;

use super::{
    Alternating, Automaton, Child, Counting, Nondeterministic, Push, StateId, Term, TermId,
    token::{Kind, is_one},
};
use crate::{ltl::write_quoted, ntmu::Modality};

enum Piece {
    Text(&'static str),
    /// A term whose surroundings bind at that level.
    Term(TermId, u8),
}

impl Alternating {
    /// What a state does, as it is written.
    pub fn show_term(&self, root: TermId) -> String {
        struct Shown<'a>(&'a Alternating, TermId);

        impl fmt::Display for Shown<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write_term(f, self.1)
            }
        }

        Shown(self, root).to_string()
    }

    fn write_term(&self, f: &mut fmt::Formatter<'_>, root: TermId) -> fmt::Result {
        let name = |state: StateId| &*self.states()[state.index()].name;
        let brackets = |modality: Modality| match modality {
            Modality::Some => ('<', '>'),
            Modality::All => ('[', ']'),
        };
        let mut stack = vec![Piece::Term(root, 0)];
        while let Some(piece) = stack.pop() {
            let (id, outer) = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Term(id, outer) => (id, outer),
            };
            let term = self.term(id);
            match term {
                Term::True => f.write_str("true")?,
                Term::False => f.write_str("false")?,
                Term::Proposition(p) => {
                    write_proposition(f, &self.propositions()[p.0 as usize].0)?;
                }
                Term::NotProposition(p) => {
                    f.write_str("!")?;
                    write_proposition(f, &self.propositions()[p.0 as usize].0)?;
                }
                Term::And(left, right) | Term::Or(left, right) => {
                    let (symbol, level) = match term {
                        Term::And(..) => (" & ", 2),
                        _ => (" | ", 1),
                    };
                    if level < outer {
                        f.write_str("(")?;
                        stack.push(Piece::Text(")"));
                    }
                    // Operators group to the left.
                    stack.push(Piece::Term(right, level + 1));
                    stack.push(Piece::Text(symbol));
                    stack.push(Piece::Term(left, level));
                }
                Term::Silent(q) => write!(f, "go {}", name(q))?,
                Term::Local(modality, q) => {
                    let (open, close) = brackets(modality);
                    write!(f, "{open}loc{close} {}", name(q))?;
                }
                Term::Call(modality, q) => {
                    let (open, close) = brackets(modality);
                    write!(f, "{open}call{close} {}", name(q))?;
                }
                Term::Return(modality, push, q) => {
                    let (open, close) = brackets(modality);
                    match push {
                        Push::Any => write!(f, "{open}ret{close} {}", name(q))?,
                        Push::Only(p) => write!(f, "{open}ret, {}{close} {}", name(p), name(q))?,
                    }
                }
            }
        }
        Ok(())
    }
}

fn write_proposition(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    match is_one(text, Kind::Name) || is_one(text, Kind::At) {
        true => f.write_str(text),
        false => write_quoted(f, text),
    }
}

impl fmt::Display for Alternating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.counting() {
            Counting::All => "alternating\n",
            Counting::Stairs => "alternating stairs\n",
        })?;
        writeln!(f, "init {}", self.states()[self.init().index()].name)?;
        for state in self.states() {
            write!(f, "state {} {} =\n  ", state.name, state.priority)?;
            self.write_term(f, state.term)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Nondeterministic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nondeterministic\n")?;
        writeln!(f, "init {}", self.name(self.init()))?;
        for (name, priority) in &self.states {
            writeln!(f, "state {name} {priority}")?;
        }
        for transition in self.transitions() {
            f.write_str(self.name(transition.from))?;
            for (index, (text, value)) in self.literals(transition).enumerate() {
                f.write_str(if index == 0 { " (" } else { ", " })?;
                f.write_str(if value { "" } else { "!" })?;
                write_proposition(f, text)?;
            }
            f.write_str(if transition.guard.is_empty() {
                " -> "
            } else {
                ") -> "
            })?;
            for (index, child) in transition.children.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                match *child {
                    Child::None => f.write_str("-")?,
                    Child::Down(state) => f.write_str(self.name(state))?,
                    Child::Back { pushed, state } => {
                        write!(f, "({}, {})", self.name(pushed), self.name(state))?;
                    }
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Automaton::Alternating(automaton) => automaton.fmt(f),
            Automaton::Nondeterministic(automaton) => automaton.fmt(f),
        }
    }
}
