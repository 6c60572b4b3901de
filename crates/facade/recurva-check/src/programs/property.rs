//! What can be asked about a program.

use recurva_logic::{
    automaton::{Tgba, Unfit},
    ltl::{Formula, Formulas, Operator},
};
use recurva_model::{FailureKind, Guard, GuardOp, Monitor, Point, Program};

use crate::QuestionKind;

/// A question about a program.
#[derive(Clone, Debug)]
pub enum Property {
    /// "None of these nodes is reached."
    Unreachable {
        /// How the user named it, for reports.
        name: String,
        /// The nodes.
        points: Vec<Point>,
    },
    /// "The monitor never reaches one of its target states."
    Monitor(Monitor),
    /// "Every infinite run satisfies the formula."
    Ltl(Ltl),
    /// "Every infinite run satisfies the formula", which may have the operators of CaRet.
    Caret(Ltl),
    /// "No infinite run is accepted by the automaton."
    Never(Never),
}

/// A formula that every infinite run has to satisfy.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// How the user named it, for reports.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// What its atoms mean, in their order.
    pub guards: Vec<Guard>,
    /// Which positions of a run count, if not all do. Then only runs with infinitely many of
    /// them are asked about.
    pub positions: Option<Guard>,
}

/// An automaton that must not accept any infinite run.
#[derive(Clone, Debug)]
pub struct Never {
    /// How the user named it, for reports.
    pub name: String,
    /// The automaton.
    pub automaton: Tgba,
    /// What its atoms mean, in their order.
    pub guards: Vec<Guard>,
    /// Which positions of a run count, if not all do. Then only runs with infinitely many of
    /// them are asked about.
    pub positions: Option<Guard>,
}

/// Labels that mark an error by convention.
const ERROR_LABELS: [&str; 2] = ["ERROR", "SLIC_ERROR"];

/// The label of accepting positions of flat machines.
const ACCEPT: &str = "accept";

impl Property {
    /// That no node with this label is reached; `procedure::label` picks one procedure's.
    pub fn label(program: &Program, label: &str) -> Result<Self, UnknownLabel> {
        Ok(Property::Unreachable {
            name: format!("label {label} is unreachable"),
            points: points(program, label)?,
        })
    }

    /// That no run comes to nodes with this label again and again.
    pub fn repeat(program: &Program, label: &str) -> Result<Self, UnknownLabel> {
        let points = points(program, label)?;
        let mut formulas = Formulas::new();
        let atom = formulas.atom(&format!("@{label}"));
        let mut root = formulas.unary(Operator::Not, atom);
        for operator in [Operator::Globally, Operator::Finally] {
            root = formulas.unary(operator, root);
        }
        Ok(Property::Ltl(Ltl {
            name: format!("label {label} does not come again and again"),
            formula: Formula { formulas, root },
            guards: vec![Guard::new([GuardOp::At(points.into())])],
            positions: None,
        }))
    }

    /// That a monitor is not in its repeating states again and again.
    pub fn repeating(monitor: &Monitor) -> Result<Self, Unfit> {
        let (automaton, guards) = Tgba::of_monitor(monitor)?;
        let name = monitor.name();
        Ok(Property::Never(Never {
            name: format!("monitor {name} is not in a repeating state again and again"),
            automaton,
            guards,
            positions: None,
        }))
    }

    /// Whether it is about infinite runs.
    pub fn is_liveness(&self) -> bool {
        matches!(
            self,
            Property::Ltl(_) | Property::Caret(_) | Property::Never(_)
        )
    }

    /// The program's own property: no assertion fails (nor, if they were added, arithmetic
    /// checks), and no label `ERROR` or `SLIC_ERROR` is reached.
    pub fn own(program: &Program) -> Self {
        let mut points: Vec<Point> = program.failures().iter().map(|f| f.point).collect();
        let mut kinds: Vec<FailureKind> = program.failures().iter().map(|f| f.kind).collect();
        // Said whether there are any or not, as most programs have some.
        kinds.push(FailureKind::Assertion);
        kinds.sort_unstable();
        kinds.dedup();
        let before = points.len();
        points.extend(
            program
                .labels()
                .iter()
                .filter(|label| ERROR_LABELS.contains(&&*label.name))
                .map(|label| label.point),
        );
        let mut names: Vec<&str> = kinds.iter().map(|kind| kind.property()[0]).collect();
        if points.len() > before {
            names.push("no error label is reached");
        }
        let name = names.join(", ");
        Property::Unreachable { name, points }
    }

    /// The own property of a program that was made from a flat machine: nothing labelled
    /// `accept` is reached, nor `ERROR` or `SLIC_ERROR`.
    pub fn accepting(program: &Program) -> Self {
        let labels = program.labels().iter();
        let is_error = |name: &str| ERROR_LABELS.contains(&name);
        let wanted = labels.filter(|label| &*label.name == ACCEPT || is_error(&label.name));
        let mut points: Vec<Point> = wanted.map(|label| label.point).collect();
        points.sort_unstable();
        points.dedup();
        Property::Unreachable {
            name: "nothing accepting is reached".to_owned(),
            points,
        }
    }

    /// The kind of question that it is, as far as the property tells.
    pub fn kind(&self) -> QuestionKind {
        match self {
            Property::Unreachable { .. } => QuestionKind::Own,
            Property::Monitor(_) => QuestionKind::Monitor,
            Property::Ltl(_) => QuestionKind::Ltl,
            Property::Caret(_) => QuestionKind::Caret,
            Property::Never(_) => QuestionKind::Automaton,
        }
    }

    /// The property in words.
    pub fn name(&self) -> String {
        match self {
            Property::Unreachable { name, .. } => name.clone(),
            Property::Monitor(monitor) => format!("monitor {} is never violated", monitor.name()),
            Property::Ltl(Ltl { name, .. })
            | Property::Caret(Ltl { name, .. })
            | Property::Never(Never { name, .. }) => name.clone(),
        }
    }
}

/// The nodes with a label, in order.
fn points(program: &Program, label: &str) -> Result<Vec<Point>, UnknownLabel> {
    let (procedure, name) = match label.split_once("::") {
        Some((procedure, name)) => (Some(procedure), name),
        None => (None, label),
    };
    let fits = |point: Point| {
        procedure.is_none_or(|wanted| *program.procedure(point.procedure).name == *wanted)
    };
    let mut points: Vec<Point> = program
        .labels()
        .iter()
        .filter(|found| *found.name == *name && fits(found.point))
        .map(|found| found.point)
        .collect();
    points.sort_unstable();
    points.dedup();
    if points.is_empty() {
        return Err(UnknownLabel {
            name: label.to_owned(),
        });
    }
    Ok(points)
}

/// No node has that label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no label `{name}` in the program")]
pub struct UnknownLabel {
    /// The label asked for.
    pub name: String,
}
