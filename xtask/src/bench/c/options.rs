//! What is to be run, and with how much.

use std::{path::PathBuf, time::Duration};

use crate::{
    bench::Size,
    c_tasks::{Row, Task},
};

/// What one answer may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// The time of all processors together.
    pub(super) cpu: Duration,
    /// The time on the clock, which is what a command is told.
    pub(super) wall: Duration,
    /// The memory of a process.
    pub(super) memory_bytes: u64,
}

/// The words behind `bench c`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    pub(super) limits: Limits,
    /// How many tasks run at a time.
    pub(super) jobs: usize,
    /// Where the results go for other programs.
    pub(super) json: Option<PathBuf>,
    /// The only category that is run.
    category: Option<String>,
    /// The rows that are run; all if there is none.
    row: Option<Row>,
    /// Whether all tasks are run, or the shortest of each category.
    pub(super) size: Size,
}

const MEBIBYTE: u64 = 1 << 20;

impl Options {
    /// Reads the words; `None` if they are no options.
    pub(super) fn parse(words: &[&str]) -> Option<Options> {
        let (mut seconds, mut wall, mut mebibytes, mut jobs) = (None, None, 2048, 1);
        let (mut category, mut row, mut json) = (None, Some(Row::Primary), None);
        let mut size = Size::Full;
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "--quick" => size = Size::Quick,
                "--timeout" => seconds = Some(positive(words.next()?)?),
                "--wall" => wall = Some(positive(words.next()?)?),
                "--memory" => mebibytes = positive(words.next()?)?,
                "--jobs" => jobs = usize::try_from(positive(words.next()?)?).ok()?,
                "--only" => category = Some(words.next()?.to_owned()),
                "--json" => json = Some(words.next()?.into()),
                "--row" => {
                    row = match words.next()? {
                        "primary" => Some(Row::Primary),
                        "extra" => Some(Row::Extra),
                        "all" => None,
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        let seconds = seconds.unwrap_or(match size {
            Size::Quick => 5,
            Size::Full => 30,
        });
        Some(Options {
            limits: Limits {
                cpu: Duration::from_secs(seconds),
                wall: Duration::from_secs(wall.unwrap_or(seconds)),
                memory_bytes: mebibytes.checked_mul(MEBIBYTE)?,
            },
            jobs,
            json,
            category,
            row,
            size,
        })
    }

    /// The tasks that are to be run.
    pub(super) fn pick<'a>(&self, tasks: &'a [Task]) -> Vec<&'a Task> {
        let is_asked = |task: &&Task| {
            self.row.is_none_or(|row| row == task.row)
                && (self.category.as_ref()).is_none_or(|category| *category == task.category)
        };
        let asked = || tasks.iter().filter(is_asked);
        match self.size {
            Size::Full => asked().collect(),
            Size::Quick => {
                let mut shortest: Vec<&Task> = Vec::new();
                for task in asked() {
                    match shortest.iter_mut().find(|it| it.category == task.category) {
                        Some(known) if task.lines < known.lines => *known = task,
                        Some(_) => {}
                        None => shortest.push(task),
                    }
                }
                shortest
            }
        }
    }

    /// Whether these are all tasks that the figures of others are about.
    pub(super) fn is_all(&self) -> bool {
        self.size == Size::Full && self.row == Some(Row::Primary)
    }
}

fn positive(word: &str) -> Option<u64> {
    word.parse().ok().filter(|&number| number > 0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Limits, Options};
    use crate::c_tasks::{Row, Task};

    fn task(file: &str, category: &str, lines: usize, row: Row) -> Task {
        Task {
            file: file.into(),
            property: "unreach-call".into(),
            stated: true,
            category: category.into(),
            lines,
            row,
        }
    }

    fn picked(words: &[&str]) -> Option<Vec<String>> {
        let tasks = [
            task("a", "x", 9, Row::Primary),
            task("b", "x", 5, Row::Primary),
            task("c", "y", 7, Row::Primary),
            task("d", "y", 1, Row::Extra),
        ];
        let options = Options::parse(words)?;
        let picked = options.pick(&tasks).into_iter();
        Some(picked.map(|task| task.file.display().to_string()).collect())
    }

    #[test]
    fn tasks_are_picked() {
        let expect = |words: &[&str], files: &str| {
            let picked = picked(words).map(|files| files.concat());
            assert_eq!(picked.as_deref(), Some(files), "{words:?}");
        };
        expect(&[], "abc");
        expect(&["--row", "all"], "abcd");
        expect(&["--row", "extra"], "d");
        expect(&["--only", "x"], "ab");
        expect(&["--only", "z"], "");
        expect(&["--quick"], "bc");
        expect(&["--quick", "--row", "all"], "bd");
    }

    #[test]
    fn limits_are_read() {
        let limits = |words: &[&str]| Options::parse(words).map(|options| options.limits);
        let seconds = Duration::from_secs;
        let expected = |cpu, wall, memory_bytes| {
            Some(Limits {
                cpu: seconds(cpu),
                wall: seconds(wall),
                memory_bytes,
            })
        };
        assert_eq!(limits(&[]), expected(30, 30, 2 << 30));
        assert_eq!(limits(&["--quick"]), expected(5, 5, 2 << 30));
        assert_eq!(
            limits(&["--timeout", "7", "--quick"]),
            expected(7, 7, 2 << 30)
        );
        let words = ["--timeout", "7", "--wall", "20", "--memory", "512"];
        assert_eq!(limits(&words), expected(7, 20, 512 << 20));
    }

    #[test]
    fn wrong_words_are_none() {
        for words in [
            &["--timeout"][..],
            &["--timeout", "0"],
            &["--timeout", "x"],
            &["--row", "both"],
            &["--jobs", "-1"],
            &["--memory", "18446744073709551615"],
            &["quick"],
        ] {
            assert_eq!(Options::parse(words), None, "{words:?}");
        }
    }
}
