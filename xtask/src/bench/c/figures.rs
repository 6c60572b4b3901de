//! What other tools came to at the same tasks, measured once, with 2 GB and two processors that had
//! other work, too.

/// A tool and how it was measured.
pub(super) struct Peer {
    /// Its name and version.
    pub(super) name: &'static str,
    /// How long it was given.
    pub(super) limits: &'static str,
}

/// The tools, in the order of the columns.
pub(super) const PEERS: [Peer; 3] = [
    Peer {
        name: "CBMC 6.6",
        limits: "5 s CPU, recursive 30 s; unwound up to 2049 times, with unwinding assertions",
    },
    Peer {
        name: "Korn 0.7",
        limits: "10 s CPU, with Spacer; tasks without goto only",
    },
    Peer {
        name: "EVA 25",
        limits: "30 s CPU; proved if it has no alarm at all, never refuted",
    },
];

/// How a tool came out at a category.
#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    /// It was run.
    Run(Score),
    /// It was not run.
    NotRun,
    /// It cannot be asked any of so many tasks.
    Unable(usize),
}

/// Answers of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    pub(super) right: usize,
    pub(super) wrong: usize,
    pub(super) unknown: usize,
    /// Seconds of CPU.
    pub(super) seconds: f64,
    /// Tasks that it cannot be asked.
    pub(super) unable: usize,
}

use Figure::{NotRun, Unable};

/// A tool that was asked all tasks of a category. None had a wrong answer.
const fn run(right: usize, unknown: usize, seconds: u32) -> Figure {
    part(right, unknown, seconds, 0)
}

/// A tool that cannot be asked all of them.
const fn part(right: usize, unknown: usize, seconds: u32, unable: usize) -> Figure {
    Figure::Run(Score {
        right,
        wrong: 0,
        unknown,
        seconds: seconds as f64,
        unable,
    })
}

/// A line for each category.
const FIGURES: &[(&str, [Figure; 3])] = &[
    ("arrays-lite", [run(0, 8, 44), run(0, 8, 81), run(0, 8, 46)]),
    (
        "bitvector",
        [run(14, 7, 41), part(5, 5, 18, 11), run(9, 12, 10)],
    ),
    ("controlflow-full", [run(1, 5, 28), NotRun, run(0, 6, 5)]),
    ("locks", [run(2, 11, 59), NotRun, run(0, 13, 6)]),
    (
        "loops",
        [run(17, 22, 123), part(19, 12, 92, 8), run(7, 32, 16)],
    ),
    ("ltl", [Unable(22), NotRun, Unable(22)]),
    ("ntdrivers-simplified", [run(4, 1, 6), NotRun, run(0, 5, 4)]),
    (
        "pointers-lite",
        [run(13, 0, 2), part(2, 6, 6, 5), run(9, 4, 5)],
    ),
    ("product-lines", [run(2, 4, 21), NotRun, run(3, 3, 3)]),
    (
        "recursive",
        [run(12, 15, 430), part(20, 4, 66, 3), part(2, 22, 100, 3)],
    ),
    (
        "recursive-simple",
        [run(63, 14, 97), part(65, 7, 167, 5), part(28, 44, 42, 5)],
    ),
    ("ssh-simplified", [run(5, 8, 47), NotRun, run(0, 13, 15)]),
    ("switch", [run(0, 5, 27), NotRun, run(0, 5, 2)]),
    ("systemc", [run(2, 4, 22), NotRun, run(0, 6, 7)]),
    (
        "termination-recursive",
        [run(0, 14, 72), NotRun, Unable(14)],
    ),
];

/// The figures of all tools at a category.
pub(super) fn of(category: &str) -> [Figure; 3] {
    let line = FIGURES.iter().find(|line| line.0 == category);
    line.map_or([NotRun; 3], |line| line.1)
}

#[cfg(test)]
mod tests {
    use super::{FIGURES, Figure, Score};

    /// The sums as they were measured.
    #[test]
    fn the_figures_add_up() {
        let expected = [(135, 118, 22), (111, 42, 32), (58, 173, 44)];
        for (tool, (right, unknown, unable)) in expected.into_iter().enumerate() {
            let mut sum = Score::default();
            for (_, figures) in FIGURES {
                match figures[tool] {
                    Figure::Run(score) => {
                        sum.right += score.right;
                        sum.unknown += score.unknown;
                        sum.unable += score.unable;
                    }
                    Figure::Unable(tasks) => sum.unable += tasks,
                    Figure::NotRun => {}
                }
            }
            assert_eq!(
                (sum.right, sum.unknown, sum.unable),
                (right, unknown, unable)
            );
        }
    }
}
