//! Strategies as text.

use std::{collections::HashMap, fmt::Write};

use recurva_check::branching::{
    Refutation,
    proof::{Called, ClaimId},
};
use recurva_logic::ntmu::FormulaId;
use recurva_syntax::Source;

use super::{MoveKind, Strategy};
use crate::{Detail, Layout, lines::Lines, numbers::counted};

/// Where the right-hand side begins.
const COLUMN: usize = 44;

/// Deeper positions are not indented further.
const DEEPEST: usize = 20;

/// Appends a strategy.
pub(crate) fn write_strategy(
    out: &mut String,
    source: &Source,
    refutation: &Refutation<'_>,
    layout: Layout,
) {
    let lines = Lines::new(source);
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
