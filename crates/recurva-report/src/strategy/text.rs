//! Outcomes about branching as text.

use std::{collections::HashMap, fmt::Write};

use recurva_check::nested::{
    NestedLimit, NestedOutcome, NestedStats, NestedVerdict, Refutation,
    proof::{Called, ClaimId},
};
use recurva_logic::ntmu::FormulaId;

use super::{MoveKind, NestedQuestion, Strategy};
use crate::{
    Detail, Layout, Question,
    lines::Lines,
    numbers::{bytes, counted, grouped, seconds},
    text::write_violation,
};

/// An outcome as text, for people. `program` is the program that was asked about, if it was
/// one.
pub fn nested_text(
    question: &NestedQuestion<'_>,
    program: Option<&recurva_model::Program>,
    outcome: &NestedOutcome<'_>,
    layout: Layout,
) -> String {
    let mut out = String::new();
    let (property, model) = (&question.property.name, question.source.name());
    // Writing to a string cannot fail.
    match &outcome.verdict {
        NestedVerdict::Holds => {
            let _ = writeln!(out, "holds: {property} ({model})");
        }
        NestedVerdict::Violated(refutation) => {
            let _ = writeln!(out, "violated: {property} ({model})");
            let run = refutation.run.as_deref().zip(program);
            match run {
                Some(((property, outcome), program)) => {
                    let question = Question::new(question.source, program, property);
                    if let recurva_check::Verdict::Violated(violation) = &outcome.verdict {
                        write_violation(&mut out, &question, violation, None, layout);
                    }
                }
                None => write_strategy(&mut out, question, refutation, layout),
            }
        }
        NestedVerdict::Unfinished(limit) => {
            let _ = writeln!(out, "violated: {property} ({model})");
            let (cause, advice) = explain(*limit);
            let _ = writeln!(out, "  Its strategy was not finished: {cause}.\n  {advice}");
        }
        NestedVerdict::Unknown(limit) => {
            let _ = writeln!(out, "unknown: {property} ({model})");
            let (cause, advice) = explain(*limit);
            let _ = writeln!(out, "  {cause}.\n  {advice}");
        }
    }
    let _ = writeln!(out, "{}", statistics(&outcome.stats));
    out
}

fn statistics(stats: &NestedStats) -> String {
    let merged = match (1..stats.states).contains(&stats.merged) {
        true => format!(" ({} after merging)", grouped(stats.merged)),
        false => String::new(),
    };
    format!(
        "{}{merged}, {}, {}; {} (nested)",
        counted(stats.states, "state"),
        counted(stats.pairs, "pair"),
        counted(stats.functions, "diagram node"),
        seconds(stats.seconds),
    )
}

/// What there is to say of a verdict besides the strategy that shows it.
pub fn nested_message(outcome: &NestedOutcome<'_>) -> String {
    match &outcome.verdict {
        NestedVerdict::Holds => String::new(),
        NestedVerdict::Violated(refutation) => {
            let claims = counted(refutation.proof.claims.len() as u64, "claim");
            format!("A strategy refutes it, in {claims}, and was checked.")
        }
        NestedVerdict::Unfinished(limit) => {
            let (cause, advice) = explain(*limit);
            format!("Its strategy was not finished: {cause}. {advice}")
        }
        NestedVerdict::Unknown(limit) => {
            let (cause, advice) = explain(*limit);
            format!("{cause}. {advice}")
        }
    }
}

/// What a check did, as names and numbers.
pub fn nested_figures(stats: &NestedStats) -> Vec<(&'static str, String)> {
    vec![
        ("states", grouped(stats.states)),
        ("merged", grouped(stats.merged)),
        ("pairs", grouped(stats.pairs)),
        ("cells", grouped(stats.cells)),
        ("decision nodes", grouped(stats.functions)),
        ("time", seconds(stats.seconds)),
    ]
}

/// Which limit was hit, and what could be raised.
fn explain(limit: NestedLimit) -> (String, &'static str) {
    match limit {
        NestedLimit::Time(time) => (
            format!(
                "the time limit of {} was reached",
                seconds(time.as_secs_f64())
            ),
            "Raise it with --timeout.",
        ),
        NestedLimit::Memory(most) => (
            format!("the states need more than the {} allowed", bytes(most)),
            "Raise the limit with --memory, or make the variables narrower.",
        ),
        NestedLimit::States(most) => (
            format!("the program has more than {}", counted(most, "state")),
            "Raise the limit with --max-states, or make the variables narrower.",
        ),
        NestedLimit::Functions(most) => (
            format!(
                "the decision diagrams need more than {}",
                counted(most, "node")
            ),
            "Raise the limit with --memory, or use fewer return conditions.",
        ),
        NestedLimit::Claims(most) => (
            format!("the strategy has more than {}", counted(most, "claim")),
            "Raise the limit with --memory.",
        ),
        NestedLimit::Interrupted => (
            "interrupted".to_owned(),
            "Run it again to search to the end.",
        ),
    }
}

/// Where the right-hand side begins.
const COLUMN: usize = 44;

/// Deeper positions are not indented further.
const DEEPEST: usize = 20;

fn write_strategy(
    out: &mut String,
    question: &NestedQuestion<'_>,
    refutation: &Refutation<'_>,
    layout: Layout,
) {
    let lines = Lines::new(question.source);
    let strategy = Strategy {
        refutation,
        lines: &lines,
    };
    let first = strategy.position(ClaimId::FIRST);
    if layout.detail == Detail::None {
        let fails = first
            .fails
            .unwrap_or_else(|| strategy.failing(refutation.negation.root()));
        let _ = writeln!(out, "  Initially this fails: {}\n", strategy.formula(fails));
        return;
    }
    let most = match layout.detail {
        Detail::Full => layout.full_lines,
        _ => layout.lines,
    };
    let mut tree = Tree {
        strategy,
        entries: Vec::new(),
        known: HashMap::new(),
        waiting: vec![Task {
            claim: ClaimId::FIRST,
            depth: 0,
            way: Way::Step,
            shown: Shown::default(),
        }],
    };
    while let Some(task) = tree.waiting.pop() {
        if tree.entries.len() >= most {
            tree.waiting.push(task);
            break;
        }
        tree.visit(&task);
    }
    out.push_str("\nStrategy (✗ is what fails, each line for the reason that follows):\n");
    tree.write(out);
    if !tree.waiting.is_empty() {
        let more = counted(tree.waiting.len() as u64, "branch").replace("branchs", "branches");
        let advice = match layout.detail {
            Detail::Full => "",
            _ => "; --trace full shows more",
        };
        let _ = writeln!(out, "        … {more} cut off{advice}");
    }
    out.push('\n');
}

/// How a position is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Step,
    /// One of several ways that all fail.
    Branch,
    Call,
    Return,
}

/// What was said last on the way to a position.
#[derive(Clone, Debug, Default)]
struct Shown {
    fails: Option<FormulaId>,
    values: Vec<String>,
}

/// A position that is to be shown.
struct Task {
    claim: ClaimId,
    depth: usize,
    way: Way,
    shown: Shown,
}

/// A line.
struct Entry {
    line: Option<usize>,
    depth: usize,
    way: Way,
    place: String,
    remarks: Vec<String>,
    /// Whether another line refers to it.
    named: bool,
    /// It was shown before, there.
    again: Option<usize>,
}

struct Tree<'a> {
    strategy: Strategy<'a>,
    entries: Vec<Entry>,
    /// Where claims have been shown.
    known: HashMap<ClaimId, usize>,
    waiting: Vec<Task>,
}

impl Tree<'_> {
    fn visit(&mut self, task: &Task) {
        let Task {
            claim, depth, way, ..
        } = *task;
        let strategy = self.strategy;
        let state = strategy.state(claim);
        let mut entry = Entry {
            line: strategy.line(state),
            depth,
            way,
            place: strategy.place(state),
            remarks: Vec::new(),
            named: false,
            again: None,
        };
        if let Some(&before) = self.known.get(&claim) {
            self.entries[before].named = true;
            entry.again = Some(before);
            self.entries.push(entry);
            return;
        }
        self.known.insert(claim, self.entries.len());
        let position = strategy.position(claim);
        let values = strategy.values(state);
        let news = values
            .iter()
            .filter(|value| !task.shown.values.contains(value));
        let news: Vec<&str> = news.map(String::as_str).collect();
        if !news.is_empty() {
            entry.remarks.push(news.join(", "));
        }
        if position.fails.is_some() && position.fails != task.shown.fails {
            let fails = position.fails.map(|fails| strategy.formula(fails));
            entry
                .remarks
                .extend(fails.map(|fails| format!("✗ {fails}")));
        }
        entry.remarks.extend(position.facts.iter().cloned());
        let shown = Shown {
            fails: position.fails.or(task.shown.fails),
            values: values.to_vec(),
        };
        let mut tasks = Vec::new();
        let ways = position
            .moves
            .iter()
            .map(|next| next.kind.ways())
            .sum::<usize>();
        let branches = ways > 1;
        let depth = depth + usize::from(branches);
        for next in &position.moves {
            match &next.kind {
                MoveKind::Steps(claims) => tasks.extend(claims.iter().map(|&claim| Task {
                    claim,
                    depth,
                    way: if branches { Way::Branch } else { Way::Step },
                    shown: shown.clone(),
                })),
                MoveKind::Calls(calls) => {
                    for call in calls {
                        self.call(call, depth, &shown, &mut tasks);
                    }
                }
                MoveKind::Returns(_, states) => {
                    let names: Vec<String> = states.iter().map(|&to| strategy.place(to)).collect();
                    entry
                        .remarks
                        .push(format!("returns to {}", names.join(" or ")));
                }
            }
        }
        if branches {
            entry.remarks.push(format!("{ways} ways, none will do"));
        }
        self.entries.push(entry);
        tasks.reverse();
        self.waiting.append(&mut tasks);
    }

    /// The callee first, then what is behind its returns.
    fn call(&self, call: &Called, depth: usize, shown: &Shown, tasks: &mut Vec<Task>) {
        tasks.push(Task {
            claim: call.callee,
            depth: depth + 1,
            way: Way::Call,
            shown: shown.clone(),
        });
        let returns = call.returns.iter();
        tasks.extend(returns.map(|&(_, claim)| Task {
            claim,
            depth,
            way: Way::Return,
            shown: shown.clone(),
        }));
    }

    fn write(&self, out: &mut String) {
        let mut names = HashMap::new();
        let named = (0..self.entries.len()).filter(|&index| self.entries[index].named);
        for (number, index) in named.enumerate() {
            names.insert(index, number + 1);
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let line = entry.line.map_or(String::new(), |line| line.to_string());
            let deep = match entry.depth > DEEPEST {
                true => format!("({}) ", entry.depth),
                false => String::new(),
            };
            let way = match entry.way {
                Way::Step => "",
                Way::Branch => "- ",
                Way::Call => "→ ",
                Way::Return => "← ",
            };
            let mut text = format!(
                "{line:>6}  {}{deep}{way}{}",
                "  ".repeat(entry.depth.min(DEEPEST)),
                entry.place
            );
            let mut remarks = entry.remarks.clone();
            if let Some(number) = names.get(&index) {
                remarks.insert(0, format!("({number})"));
            }
            if let Some(number) = entry.again.and_then(|again| names.get(&again)) {
                remarks.push(format!("as at ({number})"));
            }
            if !remarks.is_empty() {
                let width = text.chars().count();
                text.push_str(&" ".repeat(COLUMN.saturating_sub(width).max(2)));
                text.push_str(&remarks.join("; "));
            }
            let _ = writeln!(out, "{text}");
        }
    }
}

impl MoveKind {
    /// How many ways to go on there are.
    fn ways(&self) -> usize {
        match self {
            MoveKind::Steps(claims) => claims.len(),
            MoveKind::Calls(calls) => calls.len(),
            MoveKind::Returns(_, states) => states.len().min(1),
        }
    }
}
