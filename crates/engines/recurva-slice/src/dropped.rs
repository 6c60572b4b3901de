//! What a slice leaves out, for people.

use std::fmt;

/// So many names are listed.
const NAMED: usize = 8;

/// How many there were, and how many of them are gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Before.
    pub of: usize,
    /// Left out.
    pub dropped: usize,
}

impl Count {
    pub(crate) fn add(&mut self, kept: bool) {
        self.of += 1;
        self.dropped += usize::from(!kept);
    }
}

/// What a slice leaves out of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Procedures.
    pub procedures: Count,
    /// Global variables, and local ones of the procedures that stay.
    pub variables: Count,
    /// Nodes, those of dropped procedures included.
    pub nodes: Count,
    /// Edges, those of dropped procedures included.
    pub edges: Count,
    /// Assignments on the edges that stay.
    pub assignments: Count,
    /// Guards, on the edges that stay, that are not simply true; those that became so.
    pub guards: Count,
    /// The names of the procedures.
    pub procedure_names: Vec<Box<str>>,
    /// The names of the variables; locals as `procedure::name`. Those that a translation has
    /// made are not among them.
    pub variable_names: Vec<Box<str>>,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.procedures, "procedures", &self.procedure_names[..]),
            (self.variables, "variables", &self.variable_names[..]),
            (self.nodes, "nodes", &[]),
            (self.edges, "edges", &[]),
            (self.assignments, "assignments", &[]),
            (self.guards, "guards", &[]),
        ];
        let mut first = true;
        for (Count { of, dropped }, what, names) in counts {
            if dropped == 0 {
                continue;
            }
            let separator = if first { "" } else { "; " };
            first = false;
            write!(f, "{separator}{dropped} of {of} {what}")?;
            if !names.is_empty() {
                let more = if names.len() > NAMED { ", …" } else { "" };
                let listed = names[..names.len().min(NAMED)].join(", ");
                write!(f, " ({listed}{more})")?;
            }
        }
        if first {
            f.write_str("nothing")?;
        }
        Ok(())
    }
}
