//! Which parts of a formula hold at each step of the run that violates it, as a table.

use std::fmt::Write;

use recurva_check::{Ltl, Property};
use recurva_evidence::{Lasso, Replayed};
use recurva_logic::ltl::{Operator, WordEvaluation};
use recurva_model::{Item, Letter, Word};

use crate::{Question, lines::Lines, numbers::counted};

/// Runs with at most so many positions are shown with every step of every call.
const SPELLED_OUT: u64 = 300;

/// At most this many rows for the stem, and for the turn.
const ROWS: usize = 200;

/// At most this many columns.
const COLUMNS: usize = 40;

/// Appends the table, if the property is a formula.
pub(crate) fn write_table(
    out: &mut String,
    question: &Question<'_>,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
) {
    let (Property::Ltl(property) | Property::Caret(property), Some(lasso)) =
        (question.property, replayed.lasso())
    else {
        return;
    };
    let Ltl {
        formula, guards, ..
    } = property;
    let flat = match question.property {
        // Spelled out, a run does not tell calls from steps.
        Property::Caret(_) => None,
        _ => spelled_out(lasso),
    };
    let word = flat.as_ref().unwrap_or(lasso.word());
    // The positions that count, if not all do, are those where one more condition holds.
    let counts: Option<Letter> = property.positions.as_ref().map(|_| 1 << guards.len());
    let Some(read) = counts.map_or_else(|| Some(word.clone()), |bit| word.filtered(bit)) else {
        return;
    };
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
    out.push_str("\nWhat holds at each step (█) and what does not (·):\n");
    for (number, &at) in columns.iter().enumerate() {
        let shown = formula.formulas.show(evaluation.formulas()[at]);
        let _ = writeln!(out, "{:>6}  {shown}", number + 1);
    }
    let mut head = String::from("  step    line  ");
    for number in 1..=columns.len() {
        let _ = write!(head, "{number:>3}");
    }
    out.push_str(&head);
    out.push('\n');
    let (stem, turn) = evaluation.rows();
    let mut walk = replayed.walk();
    let mut step = 0;
    let parts = [(word.stem(), stem), (word.turn(), turn)];
    for (index, (items, rows)) in parts.into_iter().enumerate() {
        if index == 1 {
            out.push_str("  repeated for ever:\n");
        }
        let mut rows = rows.into_iter();
        let (mut shown, mut hidden) = (0, 0);
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
                let point = walk.configuration().top().point();
                let node = &question.program.procedure(point.procedure).nodes[point.node.index()];
                let line = lines.number(node.origin);
                let line = line.map_or_else(String::new, |line| line.to_string());
                let _ = write!(out, "{step:>6}  {line:>6}  ");
                for &at in columns {
                    out.push_str(if row[at] { "  █" } else { "  ·" });
                }
                out.push('\n');
                shown += 1;
            } else if row.is_some() {
                hidden += 1;
            }
            step += 1;
            if flat.is_some() {
                walk.step_in();
            } else {
                walk.step_over();
            }
        }
        if hidden > 0 {
            let _ = writeln!(out, "        … {}", counted(hidden, "step"));
        }
    }
    if flat.is_none() {
        let why = match question.property {
            Property::Caret(_) => "",
            _ => ": the run is long",
        };
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
