//! Never claims, as SPIN reads them.

use std::fmt::{self, Write};

use super::{Cube, Label, Tgba};

impl Tgba {
    /// The automaton as a never claim, for one that [is state based](Self::is_state_based) and
    /// has at most one acceptance set, as [degeneralised](Self::degeneralise) ones are. `title`
    /// is put into a comment.
    pub fn write_never(&self, out: &mut impl Write, title: &str) -> fmt::Result {
        let title = title.replace("*/", "* /").replace(['\n', '\r'], " ");
        writeln!(out, "never {{ /* {title} */")?;
        // The claim begins in its first state, and ends behind its last.
        let end = self.end();
        let others = (0..self.states() as u32)
            .filter(|&state| state != self.initial && Some(state) != end)
            .chain(end.filter(|&end| end != self.initial));
        let others = others.filter(|_| end != Some(self.initial));
        for state in std::iter::once(self.initial).chain(others) {
            writeln!(out, "{}:", self.never_name(state))?;
            let edges = self.edges_from(state);
            if Some(state) == end {
                writeln!(out, "  skip")?;
            } else if edges.is_empty() {
                writeln!(out, "  false;")?;
            } else {
                writeln!(out, "  if")?;
                for edge in edges {
                    write!(out, "  :: ")?;
                    self.write_condition(out, &edge.label)?;
                    writeln!(out, " -> goto {}", self.never_name(edge.target))?;
                }
                writeln!(out, "  fi;")?;
            }
        }
        writeln!(out, "}}")
    }

    fn never_name(&self, state: u32) -> String {
        let edges = self.edges_from(state);
        let accepting = edges.first().is_some_and(|edge| edge.marks != 0) || self.sets() == 0;
        match (accepting && !edges.is_empty(), state == self.initial) {
            // SPIN takes the name to mean that the rest of the run does not matter.
            _ if Some(state) == self.end() && state != self.initial => "accept_all".to_owned(),
            (true, true) => "accept_init".to_owned(),
            (false, true) => "T0_init".to_owned(),
            (true, false) => format!("accept_S{state}"),
            (false, false) => format!("T0_S{state}"),
        }
    }

    /// The first state that accepts everything by itself.
    fn end(&self) -> Option<u32> {
        (0..self.states() as u32).find(|&state| self.is_true_loop(state))
    }

    /// Whether the state accepts everything.
    fn is_true_loop(&self, state: u32) -> bool {
        match self.edges_from(state) {
            [edge] => {
                edge.target == state
                    && edge.marks == self.all_marks()
                    && edge.label.cubes() == [Cube::default()]
            }
            _ => false,
        }
    }

    fn write_condition(&self, out: &mut impl Write, label: &Label) -> fmt::Result {
        out.write_char('(')?;
        for (index, cube) in label.cubes().iter().enumerate() {
            if index > 0 {
                out.write_str(" || ")?;
            }
            if *cube == Cube::default() {
                out.write_char('1')?;
            }
            let mut first = true;
            for (atom, text) in self.atoms().iter().enumerate() {
                let bit = 1 << atom;
                let sign = match (cube.positive & bit != 0, cube.negative & bit != 0) {
                    (true, _) => "",
                    (_, true) => "!",
                    _ => continue,
                };
                if !first {
                    out.write_str(" && ")?;
                }
                first = false;
                write!(out, "{sign}({text})")?;
            }
        }
        out.write_char(')')
    }
}
