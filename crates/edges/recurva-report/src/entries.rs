//! Answers for many functions at which runs begin, as a table.

use std::fmt::Write;

use recurva_check::{Answer, Context, Verdict};

use crate::{
    found::{found, place},
    limit::explain,
    numbers::{counted, seconds},
};

/// A line of the table.
#[derive(Clone, Debug)]
pub struct EntryRow {
    /// The function.
    pub entry: String,
    /// The verdict in one word.
    pub verdict: &'static str,
    /// What was found and where, or why it is not known.
    pub what: String,
    /// What is known of it besides: that it was known before.
    pub mark: Option<&'static str>,
    /// The time that it took.
    pub seconds: f64,
}

impl EntryRow {
    /// The answer to a question about runs that begin at a function.
    pub fn new(entry: &str, context: &Context<'_>, answer: &Answer<'_>) -> Self {
        let what = match answer.verdict {
            Verdict::Holds => found(context, answer),
            Verdict::Violated => format!("{} ({})", found(context, answer), place(context, answer)),
            Verdict::Unknown(limit) => explain(limit).0,
        };
        EntryRow {
            entry: entry.to_owned(),
            verdict: answer.verdict.word(),
            what,
            mark: None,
            seconds: answer.stats.seconds,
        }
    }
}

/// All lines, and how many of each verdict there are.
pub fn entries_table(rows: &[EntryRow]) -> String {
    let width = |of: &dyn Fn(&EntryRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let entries = width(&|row| row.entry.chars().count());
    let times = width(&|row| seconds(row.seconds).chars().count());
    let mut text = String::new();
    for row in rows {
        let mark = row.mark.map_or(String::new(), |mark| format!(" [{mark}]"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<entries$}  {:<8}  {:>times$}  {}{mark}",
            row.entry,
            row.verdict,
            seconds(row.seconds),
            row.what,
        );
    }
    let count = |word: &str| rows.iter().filter(|row| row.verdict == word).count();
    let _ = writeln!(
        text,
        "{}: {} hold, {} violated, {} unknown",
        counted(rows.len() as u64, "entry point"),
        count("holds"),
        count("violated"),
        count("unknown"),
    );
    text
}
