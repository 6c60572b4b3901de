//! What has to be shown of a proof, and why it was not.

use std::fmt::{self, Write as _};

use recurva_model::{EdgeId, Point, ProcId, Program, VarRef};
use recurva_smt::Unknown;

use crate::{
    Formula,
    formula::{IllFormed, Scope, When},
    place::NodeKind,
};

/// What kind of thing has to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObligationKind {
    /// That formulas are where they have to be, and mean something.
    Form,
    /// What is said of the entry of the main procedure holds for any values.
    Start,
    /// What is said of a node holds when it is reached.
    Step,
    /// What is said of a procedure's entry holds when it is called.
    Call(ProcId),
    /// A node is not reached: a target, or an exit of which nothing is said.
    Unreached,
}

/// Something that has to be shown, so that a proof is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What kind of thing.
    pub kind: ObligationKind,
    /// The node whose formula is what is known; none at the start of the program.
    pub from: Option<Point>,
    /// The node that is reached.
    pub to: Point,
    /// The edges from the one to the other. Calls on the way return, but for the last one if the
    /// obligation is about a call.
    pub edges: Vec<EdgeId>,
}

impl Obligation {
    /// What has to be shown, in words.
    pub fn describe(&self, program: &Program) -> String {
        let name = |it: ProcId| match program.procedures().get(it.index()) {
            Some(procedure) => format!("`{}`", procedure.name),
            None => format!("procedure {}", it.0),
        };
        let node = |it: Point| format!("node {} of {}", it.node.0, name(it.procedure));
        let to_kind = NodeKind::of(program, self.to);
        let mut text = match (self.kind, to_kind) {
            (ObligationKind::Form, _) => format!("there is a formula that fits {}", node(self.to)),
            (ObligationKind::Start, _) => {
                format!(
                    "what is said of the entry of {} holds at the start",
                    name(self.to.procedure)
                )
            }
            (ObligationKind::Call(callee), _) => match self.edges.len() {
                0 => format!("the entry of {} is as is said of it", name(callee)),
                _ => format!("the call of {} is as its entry says", name(callee)),
            },
            (ObligationKind::Unreached, Some(NodeKind::Exit)) => {
                format!("{} does not come to its end", name(self.to.procedure))
            }
            (ObligationKind::Unreached, _) => format!("{} is not reached", node(self.to)),
            (ObligationKind::Step, Some(NodeKind::Exit)) => {
                format!(
                    "what is said of the end of {} holds there",
                    name(self.to.procedure)
                )
            }
            (ObligationKind::Step, Some(NodeKind::Loop)) if self.from == Some(self.to) => {
                format!("the loop at {} keeps its invariant", node(self.to))
            }
            (ObligationKind::Step, Some(NodeKind::Loop)) => {
                format!(
                    "the invariant of the loop at {} holds when it is reached",
                    node(self.to)
                )
            }
            (ObligationKind::Step, _) => format!("what is said of {} holds there", node(self.to)),
        };
        if let Some(from) = self.from.filter(|it| *it != self.to) {
            // Writing to a string cannot fail.
            let _ = write!(text, ", from {}", node(from));
        }
        text
    }
}

/// The value of a variable, or of an element of an array, of a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The variable.
    pub variable: VarRef,
    /// When it has that value.
    pub when: When,
    /// Which element, if it is an array.
    pub element: Option<u32>,
    /// The value; a truth value is 0 or 1.
    pub value: i128,
}

/// Values for which what has to be shown is wrong. That does not mean that the program ever has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// Those at the obligation's first node; empty if it has none.
    pub from: Vec<Reading>,
    /// Those at its last node, of the variables of the procedure that has it.
    pub to: Vec<Reading>,
}

impl Counterexample {
    /// Values in words: `x = 3, \old(y) = 4`.
    pub fn describe(readings: &[Reading], scope: Scope<'_>) -> String {
        let mut text = String::new();
        for reading in readings {
            if !text.is_empty() {
                text.push_str(", ");
            }
            let name = scope.variable(reading.variable);
            let name = name.map_or_else(|| "?".into(), |it| it.name.clone());
            // Writing to a string cannot fail.
            let _ = match reading.when {
                When::Now => write!(text, "{name}"),
                When::Entry => write!(text, "\\old({name})"),
            };
            if let Some(element) = reading.element {
                let _ = write!(text, "[{element}]");
            }
            let _ = write!(text, " = {}", reading.value);
        }
        text
    }
}

/// Why something was not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is wrong for some values.
    Refuted(Counterexample),
    /// The solver does not know.
    Unknown(Unknown),
    /// A number may need more than 128 bits.
    TooLarge,
    /// Two or more edges lead to a node of which nothing is said, or nothing is said of the entry of
    /// the main procedure.
    Missing,
    /// A formula means nothing where it stands.
    IllFormed(IllFormed),
    /// There is no such node.
    NoNode,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Refuted(_) => f.write_str("it is wrong for some values"),
            Why::Unknown(unknown) => write!(f, "the solver does not know: {unknown}"),
            Why::TooLarge => f.write_str("a number may need more than 128 bits"),
            Why::Missing => f.write_str("there is no formula"),
            Why::IllFormed(error) => error.fmt(f),
            Why::NoNode => f.write_str("there is no such node"),
        }
    }
}

/// A proof was not accepted: the first thing that was not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// What had to be shown.
    pub obligation: Obligation,
    /// Why it was not.
    pub why: Why,
}

/// A part of something that was not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What had to be shown.
    pub obligation: Obligation,
    /// Which of the [conjuncts](Formula::conjuncts) of the formula at its last node was not; none if it
    /// is not about a formula.
    pub conjunct: Option<(usize, Formula)>,
    /// Why.
    pub why: Why,
}

/// A proof was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many things were shown.
    pub obligations: usize,
}
