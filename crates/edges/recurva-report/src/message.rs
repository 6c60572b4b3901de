//! What there is to say of an answer besides what was found and what shows it.

use recurva_check::{
    Answer, Context, Direction, Evidence, Kinds, Limit, Note, SolverMark, Stack, Verdict,
};

use crate::{
    found::{kind_of_run, shown_run},
    limit::{explain, learned},
    lines::Lines,
    numbers::counted,
};

/// What there is to say of an answer besides its [summary](crate::summary()): what the evidence is
/// like, which limit was hit and what can be done about it.
pub fn message(context: &Context<'_>, answer: &Answer<'_>) -> String {
    sentences(context, answer).join(" ")
}

/// The same, a line each.
pub(crate) fn sentences(context: &Context<'_>, answer: &Answer<'_>) -> Vec<String> {
    let mut list = Vec::new();
    match answer.verdict {
        Verdict::Unknown(limit) => {
            let (cause, advice) = explain(limit);
            list.push(format!("{}.", capital(&cause)));
            list.extend(learned(context, answer));
            list.push(advice.to_owned());
        }
        Verdict::Violated => {
            let advice = answer.unfinished.map(|limit: Limit| explain(limit).1);
            list.extend(advice.map(str::to_owned));
        }
        Verdict::Holds => {}
    }
    match &answer.evidence {
        None => {}
        Some(Evidence::Run(_)) => {
            let run = shown_run(context, answer);
            list.extend(run.and_then(|(run, replayed)| kind_of_run(&run, replayed)));
            let others = answer.kinds.map(|kinds| others(kinds, answer.stack));
            list.extend(others.filter(|text| !text.is_empty()).map(str::to_owned));
        }
        Some(Evidence::Strategy(refutation)) => {
            let claims = counted(refutation.proof.claims.len() as u64, "claim");
            list.push(format!(
                "A strategy of {claims} refutes it, and was checked."
            ));
        }
        Some(Evidence::Words(words)) => {
            let mut text = match (&words.turn, words.process) {
                (Some(_), Some(process)) => format!("It is about process {process}."),
                (Some(_), None) => String::new(),
                (None, _) => {
                    let steps = words.stem.len().saturating_sub(1) as u64;
                    format!("The run has {}.", counted(steps, "step"))
                }
            };
            if words.is_smallest {
                text += " No smaller size has such a run.";
            }
            list.extend((!text.is_empty()).then(|| text.trim_start().to_owned()));
        }
        Some(Evidence::Invariant(invariant)) => {
            let states = counted(invariant.states as u64, "state");
            let exactly = match (invariant.direction, invariant.exact) {
                (Direction::Forward, true) => "; it is exactly what can be reached",
                (Direction::Backward, true) => "; it is all that cannot reach a bad word",
                (_, false) => "",
            };
            list.push(format!(
                "An inductive invariant of {states} was found and checked{exactly}."
            ));
            list.extend(invariant.expression.clone());
        }
        Some(Evidence::Proof(proof)) => list.push(format!(
            "The proof has {}, which {} confirmed.",
            counted(proof.obligations as u64, "obligation"),
            solvers(&proof.solvers),
        )),
        Some(Evidence::NoFairLoop(proof)) => list.push(format!(
            "The proof was checked: {} for what can be reached, {} for what may become a loop.",
            counted(proof.reachable as u64, "state"),
            counted(proof.loops as u64, "state"),
        )),
    }
    list
}

/// Solvers by their names.
fn solvers(marks: &[SolverMark]) -> String {
    let names = marks.iter().map(|it| match &*it.version {
        "" => "the built-in solver".to_owned(),
        version => format!("{} {version}", it.name),
    });
    let names: Vec<String> = names.collect();
    names.join(" and ")
}

/// What is known of violating runs of the other kind.
fn others(kinds: Kinds, asked: Option<Stack>) -> &'static str {
    match (kinds.finite, kinds.diverging) {
        (Some(true), Some(true)) => "Runs whose stack grows for ever violate it too.",
        (Some(false), Some(true)) => {
            "Only runs whose stack grows for ever violate it: with --stack finite it holds."
        }
        (None, Some(true)) if asked == Some(Stack::Any) => {
            "Whether runs whose stack stays finite violate it too takes a longer search: ask with \
             --stack finite."
        }
        _ => "",
    }
}

/// What else should be known, each with its place: `model.bp:7: …`.
pub fn notes(context: &Context<'_>, answer: &Answer<'_>) -> Vec<String> {
    let lines = Lines::in_context(context);
    let told = |note: &Note| {
        let mut text = match note.place {
            Some(place) => format!("{}: {}", lines.place(place), note.text),
            None => note.text.clone(),
        };
        if let Some(help) = &note.help {
            text += &format!(" (help: {help})");
        }
        text
    };
    answer.notes.iter().map(told).collect()
}

/// A text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
