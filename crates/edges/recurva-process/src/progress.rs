//! The progress line.

use std::{
    io::{IsTerminal, stderr},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_check::{ExplicitProgress, Limit, Progress, Watch};

use crate::{interrupt, output, watchdog};

/// How often the line is written.
const EVERY: Duration = Duration::from_millis(100);

/// Nothing is written about searches that are done by then.
const AT_FIRST: Duration = Duration::from_millis(400);

/// Watches a search: shows how far it is, and stops it when the user says so.
#[derive(Debug)]
pub struct Line {
    shown: bool,
    terminal: bool,
    due: Instant,
    /// When the line was last written, and the path edges then.
    last: (Instant, u64),
}

impl Line {
    /// A line for a terminal, unless the user wants to be left alone.
    pub fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let terminal = !quiet && stderr().is_terminal();
        Line {
            shown: false,
            terminal,
            due: now + AT_FIRST,
            last: (now, 0),
        }
    }

    fn write(&mut self, progress: &Progress, now: Instant) {
        let mut parts = Vec::new();
        if let Some(explicit) = &progress.explicit {
            parts.push(self.explicit(explicit, now));
            self.last = (now, explicit.path_edges);
        }
        if let Some(symbolic) = &progress.symbolic {
            let nodes = short(symbolic.nodes as f64);
            let steps = short(symbolic.iterations as f64);
            parts.push(format!("{nodes} decision nodes, {steps} steps"));
        }
        if let Some(work) = &progress.work {
            parts.push(work.to_string());
        }
        let mebibytes = progress.bytes() as f64 / f64::from(1 << 20);
        let line = format!("{}; {mebibytes:.0} MiB", parts.join(" | "));
        output::stderr(&format!("\r\x1b[K{line}"));
        self.shown = true;
        self.due = now + EVERY;
    }

    fn explicit(&self, progress: &ExplicitProgress, now: Instant) -> String {
        let (then, before) = self.last;
        let elapsed = now.duration_since(then).as_secs_f64().max(1e-9);
        let rate = (progress.path_edges.saturating_sub(before)) as f64 / elapsed;
        format!(
            "{} states, {} path edges ({}/s), {} waiting",
            short(progress.states as f64),
            short(progress.path_edges as f64),
            short(rate),
            short(progress.waiting as f64),
        )
    }
}

impl Watch for Line {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        if interrupt::requested() {
            return ControlFlow::Break(Limit::Interrupted);
        }
        if let Some(bytes) = watchdog::out_of_memory() {
            return ControlFlow::Break(Limit::Memory(bytes));
        }
        if self.terminal {
            let now = Instant::now();
            if now >= self.due {
                self.write(progress, now);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whatever ends the search, the line is wiped before anything else is printed.
impl Drop for Line {
    fn drop(&mut self) {
        if self.shown {
            output::stderr("\r\x1b[K");
        }
    }
}

/// A number in three or four characters: `950`, `12k`, `3.4M`.
fn short(number: f64) -> String {
    for (scale, unit) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if number >= scale {
            let scaled = number / scale;
            let digits = usize::from(scaled < 10.0);
            return format!("{scaled:.digits$}{unit}");
        }
    }
    format!("{number:.0}")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_kept_short() {
        assert_eq!(short(950.0), "950");
        assert_eq!(short(1234.0), "1.2k");
        assert_eq!(short(12_345.0), "12k");
        assert_eq!(short(3_400_000.0), "3.4M");
    }
}
