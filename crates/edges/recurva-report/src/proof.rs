//! A proof as text: what holds of each function and each loop, beside its line.

use std::{fmt::Write, sync::Arc};

use recurva_check::{
    Answer, Certified, Context, Evidence, LoopKind, LoopRanks, Statement, StatementKind,
};
use recurva_model::Point;

use crate::lines::Lines;

/// As many statements are printed; all are in the certificate.
const MOST: usize = 40;

/// Longer formulas are cut.
const WIDTH: usize = 200;

/// What a statement is about, in a word as ACSL has it.
pub(crate) fn word(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Requires => "requires",
        StatementKind::Ensures => "ensures",
        StatementKind::Invariant => "loop invariant",
        StatementKind::Holds => "holds",
    }
}

/// What a proof says about functions and loops.
pub(crate) fn write_proof(out: &mut String, context: &Context<'_>, proof: &Certified) {
    if let Some(ranks) = &proof.ranks {
        write_ranks(out, context, ranks);
    }
    let lines = Lines::in_context(context);
    let shown = |it: &&Statement| {
        let is_made_up = it.place.is_none();
        it.kind != StatementKind::Holds && it.formula != "\\true" && !is_made_up
    };
    let all: Vec<&Statement> = proof.statements.iter().filter(shown).collect();
    if all.is_empty() {
        return;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\nProof:");
    let labels = all.iter().filter_map(|it| lines.label(it.place));
    let width = labels
        .map(|it| it.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    let mut function = "";
    for statement in all.iter().take(MOST) {
        if statement.function != function {
            function = &statement.function;
            let _ = writeln!(out, "  {:>width$}  {function}", "");
        }
        let label = lines.label(statement.place).unwrap_or_default();
        let kind = word(statement.kind);
        let formula = cut(&statement.formula);
        let _ = writeln!(out, "  {label:>width$}    {kind} {formula}");
    }
    if let Some(more @ 1..) = all.len().checked_sub(MOST) {
        let _ = writeln!(
            out,
            "  {:>width$}  … and {more} more: --certificate FILE keeps all",
            ""
        );
    }
    out.push('\n');
}

/// What falls in the loops in which a run could stay for ever.
fn write_ranks(out: &mut String, context: &Context<'_>, ranks: &[LoopRanks]) {
    if ranks.is_empty() {
        return;
    }
    let lines = Lines::in_context(context);
    let labels = ranks.iter().map(|it| lines.label(it.place));
    let labels: Vec<String> = labels.map(Option::unwrap_or_default).collect();
    let width = labels.iter().map(|it| it.chars().count()).max();
    let width = width.unwrap_or(0).max(5);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\nEach time round:");
    for (it, label) in ranks.iter().zip(&labels).take(MOST) {
        let what = match it.kind {
            LoopKind::Recursion => "recursion",
            LoopKind::Loop => "loop",
            LoopKind::End => {
                let _ = writeln!(out, "  {:>width$}  no run ends as it must not", "");
                continue;
            }
        };
        let numbers = it.numbers.iter().map(|number| {
            let condition = number.condition.and_then(|place| lines.number(place));
            match condition {
                Some(line) => format!("{} of line {line}", number.text),
                None => number.text.clone(),
            }
        });
        let numbers: Vec<String> = numbers.collect();
        let falls = match &numbers[..] {
            [] => "does not come round".to_owned(),
            [one] => format!("{} falls", cut(one)),
            several => format!("the first to change falls of {}", cut(&several.join(", "))),
        };
        let function = &it.function;
        let _ = writeln!(out, "  {label:>width$}  {what} in {function}: {falls}");
    }
    if let Some(more @ 1..) = ranks.len().checked_sub(MOST) {
        let _ = writeln!(out, "  {:>width$}  … and {more} more", "");
    }
    out.push('\n');
}

fn cut(formula: &str) -> String {
    let mut characters = formula.char_indices();
    match characters.nth(WIDTH) {
        Some((end, _)) => format!("{}…", &formula[..end]),
        None => formula.to_owned(),
    }
}

/// The lines of the nodes that a proof speaks of.
pub fn node_line<'a>(
    context: &Context<'a>,
    answer: &Answer<'_>,
) -> impl Fn(Point) -> Option<u32> + use<'a> {
    let lines = Lines::in_context(context);
    let program = match &answer.evidence {
        Some(Evidence::Proof(proof)) => Some(Arc::clone(&proof.program)),
        _ => None,
    };
    move |point| {
        let procedure = program
            .as_ref()?
            .procedures()
            .get(point.procedure.index())?;
        let origin = procedure.nodes.get(point.node.index())?.origin;
        u32::try_from(lines.number(origin)?).ok()
    }
}
