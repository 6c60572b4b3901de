//! What evidence comes to, and why evidence from elsewhere shows nothing.

use recurva_check::{About, Answer, Context, End, Evidence, Rejected};

use crate::{
    found::{found, shown_run},
    lines::Lines,
    verdict::failing,
};

/// What the evidence of an answer comes to, and where, as trace files have it for people.
pub fn ending(context: &Context<'_>, answer: &Answer<'_>) -> End {
    let mut end = End {
        what: match &answer.evidence {
            Some(Evidence::Words(words)) => match words.turn {
                Some(_) => "a fair run violates it".to_owned(),
                None => "a bad word is reached".to_owned(),
            },
            _ => found(context, answer),
        },
        file: Some(context.source.name().to_owned()),
        line: None,
    };
    if let Some((run, replayed)) = shown_run(context, answer) {
        let lines = Lines::of(&run);
        let failing = failing(&run, replayed, &lines);
        let line = lines.number(failing.origin);
        end.line = line.and_then(|line| u32::try_from(line).ok());
        if let Some(file) = lines.file(failing.origin) {
            end.file = Some(file.to_owned());
        }
        if let About::Runs(_) = context.about {
            end.what = failing.what;
        }
    }
    end
}

/// The first line about evidence from elsewhere that shows nothing.
pub(crate) fn rejected_summary(context: &Context<'_>) -> String {
    format!(
        "not confirmed: {} ({})",
        context.name,
        context.source.name()
    )
}

/// Why evidence from elsewhere shows nothing, in words.
pub(crate) fn why(context: &Context<'_>, rejected: &Rejected) -> String {
    match context.about {
        About::System => format!(
            "the trace is not a run of {} that violates it: {}",
            context.source.name(),
            rejected.why
        ),
        About::Runs(_) | About::Branching { .. } => rejected.why.clone(),
    }
}

/// Why evidence from elsewhere shows nothing, for people.
pub fn rejected_text(context: &Context<'_>, rejected: &Rejected) -> String {
    let lines = Lines::in_context(context);
    let why = why(context, rejected);
    let origin = rejected.place.unwrap_or_default();
    let statement = lines.excerpt(origin).filter(|text| !text.is_empty());
    let statement = statement.map_or_else(String::new, |text| format!("    {text}\n"));
    format!(
        "{}\n  {}: {why}\n{statement}",
        rejected_summary(context),
        lines.place(origin)
    )
}

/// The same for programs: an object on one line, like that of an answer. `by` stands for the engine.
pub fn rejected_json(context: &Context<'_>, rejected: &Rejected, by: &str) -> String {
    let lines = Lines::in_context(context);
    let origin = rejected.place.unwrap_or_default();
    let model = context.source.name();
    let report = serde_json::json!({
        "verdict": "unknown",
        "summary": rejected_summary(context),
        "property": context.name,
        "model": model,
        "engine": by,
        "limit": {
            "kind": by,
            "reason": why(context, rejected),
            "file": lines.file(origin).unwrap_or(model),
            "line": lines.number(origin),
        },
    });
    format!("{report}\n")
}
