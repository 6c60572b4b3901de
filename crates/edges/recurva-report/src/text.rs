//! Answers as text.

use std::fmt::Write;

use recurva_check::{Answer, Context, Evidence};

use crate::{
    Layout,
    figures::statistics,
    found::{asked, shown_run, summary},
    message::{notes, sentences},
    proof::write_proof,
    run::write_run,
    strategy::write_strategy,
    words::write_words,
};

/// An answer as text, for people.
pub fn text(context: &Context<'_>, answer: &Answer<'_>, layout: Layout) -> String {
    let mut out = head(context, answer);
    match (&answer.evidence, shown_run(context, answer)) {
        (_, Some((run, replayed))) => {
            write_run(&mut out, &run, replayed, answer.c_run.as_ref(), layout);
        }
        (Some(Evidence::Strategy(refutation)), None) => {
            write_strategy(&mut out, context.source, refutation, layout);
        }
        (Some(Evidence::Words(words)), None) => write_words(&mut out, words, layout),
        (Some(Evidence::Proof(proof)), None) => write_proof(&mut out, context, proof),
        // All there is to say of these is in the head.
        (
            Some(Evidence::Invariant(_) | Evidence::NoFairLoop(_) | Evidence::Run(_)) | None,
            None,
        ) => {}
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", statistics(answer));
    if let Some(dropped) = answer.dropped.as_ref().filter(|_| layout.dropped) {
        let _ = writeln!(out, "dropped before the search: {dropped}");
    }
    out
}

/// The first lines: what was found, what was asked, what else is to be said.
pub(crate) fn head(context: &Context<'_>, answer: &Answer<'_>) -> String {
    let mut out = format!("{}\n", summary(context, answer));
    if let Some(asked) = asked(context, answer) {
        let _ = writeln!(out, "  asked: {asked}");
    }
    for sentence in sentences(context, answer) {
        let _ = writeln!(out, "  {sentence}");
    }
    for note in notes(context, answer) {
        let _ = writeln!(out, "  note: {note}");
    }
    out
}
