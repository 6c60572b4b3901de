//! Which parts of a formula hold at each step of the run that violates it, as a table.

use std::fmt::Write;

use recurva_check::{Ltl, Property, RunContext};
use recurva_evidence::{Lasso, Replayed};
use recurva_logic::ltl::{Operator, WordEvaluation};
use recurva_model::{Item, Letter, Point, Word};

use crate::{lines::Lines, numbers::counted};

/// Runs with at most so many positions are shown with every step of every call.
const SPELLED_OUT: u64 = 300;

/// At most this many rows for the stem, and for the turn.
const ROWS: usize = 200;

/// At most this many columns.
const COLUMNS: usize = 40;

/// Which parts of a formula hold where, on a run that violates it.
#[derive(Clone, Debug)]
pub struct Table {
    /// The parts; the formula itself comes last.
    pub formulas: Vec<String>,
    /// One row for each position that is shown.
    pub rows: Vec<Row>,
    /// How many positions of the stem and of the turn are not shown.
    pub hidden: [u64; 2],
    /// If calls that return are one step: why.
    pub folded: Option<&'static str>,
}

/// A position of the run.
#[derive(Clone, Debug)]
pub struct Row {
    /// How many positions there are before it.
    pub step: u64,
    /// Whether it is in the turn.
    pub in_turn: bool,
    /// The way into the trace, see [`recurva_evidence::Walk::path`].
    pub path: Vec<usize>,
    /// Where control is.
    pub point: Point,
    /// Which of the formulas hold.
    pub holds: Vec<bool>,
}

/// Which parts of the property hold where, if it is a formula.
pub fn table(property: &Property, replayed: &Replayed<'_>) -> Option<Table> {
    let is_caret = matches!(property, Property::Caret(_));
    let (Property::Ltl(property) | Property::Caret(property), Some(lasso)) =
        (property, replayed.lasso())
    else {
        return None;
    };
    let Ltl {
        formula, guards, ..
    } = property;
    // Spelled out, a run does not tell calls from steps.
    let flat = match is_caret {
        true => None,
        false => spelled_out(lasso),
    };
    let word = flat.as_ref().unwrap_or(lasso.word());
    // The positions that count, if not all do, are those where one more condition holds.
    let counts: Option<Letter> = property.positions.as_ref().map(|_| 1 << guards.len());
    let read = counts.map_or_else(|| Some(word.clone()), |bit| word.filtered(bit))?;
    let evaluation = WordEvaluation::new(&formula.formulas, formula.root, &read);
    let constant = |id| {
        let operator = formula.formulas.operator(id);
        matches!(operator, Operator::True | Operator::False)
    };
    let columns: Vec<usize> = (0..evaluation.formulas().len())
        .filter(|&at| !constant(evaluation.formulas()[at]))
        .collect();
    // The formula itself comes last and is what it is all about.
    let columns = &columns[columns.len().saturating_sub(COLUMNS)..];
    let shown = |&at: &usize| formula.formulas.show(evaluation.formulas()[at]).to_string();
    let mut table = Table {
        formulas: columns.iter().map(shown).collect(),
        rows: Vec::new(),
        hidden: [0; 2],
        folded: match (is_caret, &flat) {
            (_, Some(_)) => None,
            (true, None) => Some(""),
            (false, None) => Some(": the run is long"),
        },
    };
    let (stem, turn) = evaluation.rows();
    let mut walk = replayed.walk();
    let mut step = 0;
    let parts = [(word.stem(), stem), (word.turn(), turn)];
    for (index, (items, rows)) in parts.into_iter().enumerate() {
        let mut rows = rows.into_iter();
        let mut shown = 0;
        for item in items {
            let row = match item {
                // A call: the row would tell what holds at its beginning, inside.
                Item::Piece(_) | Item::Into => {
                    rows.next();
                    continue;
                }
                Item::Letter(letter) if counts.is_some_and(|bit| letter & bit == 0) => None,
                Item::Letter(_) => rows.next(),
            };
            if let Some(row) = row.as_ref().filter(|_| shown < ROWS) {
                table.rows.push(Row {
                    step,
                    in_turn: index == 1,
                    path: walk.path(),
                    point: walk.configuration().top().point(),
                    holds: columns.iter().map(|&at| row[at]).collect(),
                });
                shown += 1;
            } else if row.is_some() {
                table.hidden[index] += 1;
            }
            step += 1;
            if flat.is_some() {
                walk.step_in();
            } else {
                walk.step_over();
            }
        }
    }
    Some(table)
}

/// Appends the table, if the property is a formula.
pub(crate) fn write_table(
    out: &mut String,
    run: &RunContext<'_>,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
) {
    let Some(table) = table(run.property, replayed) else {
        return;
    };
    out.push_str("\nWhat holds at each step (█) and what does not (·):\n");
    for (number, formula) in table.formulas.iter().enumerate() {
        let _ = writeln!(out, "{:>6}  {formula}", number + 1);
    }
    let mut head = String::from("  step    line  ");
    for number in 1..=table.formulas.len() {
        let _ = write!(head, "{number:>3}");
    }
    out.push_str(&head);
    out.push('\n');
    for in_turn in [false, true] {
        if in_turn {
            out.push_str("  repeated for ever:\n");
        }
        for row in table.rows.iter().filter(|row| row.in_turn == in_turn) {
            let procedure = run.program.procedure(row.point.procedure);
            let line = lines.number(procedure.nodes[row.point.node.index()].origin);
            let line = line.map_or_else(String::new, |line| line.to_string());
            let _ = write!(out, "{:>6}  {line:>6}  ", row.step);
            for &holds in &row.holds {
                out.push_str(if holds { "  █" } else { "  ·" });
            }
            out.push('\n');
        }
        let hidden = table.hidden[usize::from(in_turn)];
        if hidden > 0 {
            let _ = writeln!(out, "        … {}", counted(hidden, "step"));
        }
    }
    if let Some(why) = table.folded {
        let _ = writeln!(out, "  (Calls that return are one step here{why}.)");
    }
}

/// A short word without pieces.
fn spelled_out(lasso: &Lasso) -> Option<Word> {
    let word = lasso.word();
    let (stem, turn) = word.lengths();
    if stem.saturating_add(turn) > SPELLED_OUT {
        return None;
    }
    let letters = |items| word.letters(items).map(Item::Letter).collect::<Vec<_>>();
    Word::new(Vec::new(), letters(word.stem()), letters(word.turn())).ok()
}
