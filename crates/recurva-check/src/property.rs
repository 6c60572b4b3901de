//! What can be asked about a program.

use recurva_model::{FailureKind, Monitor, Point, Program};

/// A question about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

/// Labels that mark an error by convention.
const ERROR_LABELS: [&str; 2] = ["ERROR", "SLIC_ERROR"];

/// The label of accepting positions of flat machines.
const ACCEPT: &str = "accept";

impl Property {
    /// That no node with this label is reached; `procedure::label` picks one procedure's.
    pub fn label(program: &Program, label: &str) -> Result<Self, UnknownLabel> {
        let (procedure, name) = match label.split_once("::") {
            Some((procedure, name)) => (Some(procedure), name),
            None => (None, label),
        };
        let fits = |point: Point| {
            procedure.is_none_or(|wanted| *program.procedure(point.procedure).name == *wanted)
        };
        let points: Vec<Point> = program
            .labels()
            .iter()
            .filter(|found| *found.name == *name && fits(found.point))
            .map(|found| found.point)
            .collect();
        if points.is_empty() {
            return Err(UnknownLabel {
                name: label.to_owned(),
            });
        }
        Ok(Property::Unreachable {
            name: format!("label {label} is unreachable"),
            points,
        })
    }

    /// The program's own property: no assertion fails (nor, if they were added, arithmetic
    /// checks), and no label `ERROR` or `SLIC_ERROR` is reached.
    pub fn own(program: &Program) -> Self {
        let mut points: Vec<Point> = program.failures().iter().map(|f| f.point).collect();
        let arithmetic = program
            .failures()
            .iter()
            .any(|f| f.kind == FailureKind::Arithmetic);
        let before = points.len();
        points.extend(
            program
                .labels()
                .iter()
                .filter(|label| ERROR_LABELS.contains(&&*label.name))
                .map(|label| label.point),
        );
        let mut name = "no assertion fails".to_owned();
        if arithmetic {
            name += ", no division by zero or index out of range";
        }
        if points.len() > before {
            name += ", no error label is reached";
        }
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

    /// The property in words.
    pub fn name(&self) -> String {
        match self {
            Property::Unreachable { name, .. } => name.clone(),
            Property::Monitor(monitor) => format!("monitor {} is never violated", monitor.name()),
        }
    }
}

/// No node has that label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no label `{name}` in the program")]
pub struct UnknownLabel {
    /// The label asked for.
    pub name: String,
}
