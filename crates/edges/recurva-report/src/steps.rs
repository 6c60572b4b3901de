//! The steps of a trace as lines of text.

use std::fmt::Write;

use recurva_evidence::Lasso;

use crate::{
    Detail,
    lines::Lines,
    numbers::{counted, grouped},
    trace::{Show, Shown},
};

/// Calls nested deeper are not indented: their depth is given as a number.
const INDENTED: usize = 20;

/// The column where values begin.
const COLUMN: usize = 44;

/// At most this many characters of values on a line.
const VALUES: usize = 240;

/// Appends a line for each step.
pub(crate) struct TextSteps<'a> {
    pub(crate) out: &'a mut String,
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) detail: Detail,
}

impl Show for TextSteps<'_> {
    fn step(&mut self, shown: &Shown<'_>) {
        let mut line = match self.lines.label(shown.origin) {
            Some(label) => format!("{label:>6}  "),
            None => " ".repeat(8),
        };
        if shown.depth <= INDENTED {
            line.extend(std::iter::repeat_n("  ", shown.depth));
        } else {
            let _ = write!(line, "[{}] ", grouped(shown.depth as u64 - 1));
        }
        line.push_str(shown.text);
        let values = joined(shown.notes, shown.changes);
        if !values.is_empty() || !shown.monitor.is_empty() {
            let width = line.chars().count();
            line.extend(std::iter::repeat_n(
                ' ',
                COLUMN.saturating_sub(width).max(2),
            ));
            line.push_str(&values);
            if !values.is_empty() && !shown.monitor.is_empty() {
                line.push_str("  ");
            }
            line.push_str(shown.monitor);
        }
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn turn(&mut self, lasso: &Lasso) {
        let steps = counted(lasso.length(), "step");
        let _ = writeln!(self.out, "\nTurn, {steps}, repeated for ever:");
    }

    fn cut(&mut self, steps: u64) {
        if steps > 0 && self.detail == Detail::Full {
            let steps = counted(steps, "step");
            let _ = writeln!(self.out, "  (cut: {steps} not shown)");
        }
    }
}

/// Two lists of values one after the other, cut if they are long.
pub(crate) fn joined(notes: &[String], changes: &[String]) -> String {
    let mut out = String::new();
    for (index, value) in notes.iter().chain(changes).enumerate() {
        if index > 0 {
            out.push_str(", ");
            if out.len() + value.len() > VALUES {
                let _ = write!(out, "… {} more", notes.len() + changes.len() - index);
                break;
            }
        }
        out.push_str(value);
    }
    out
}
