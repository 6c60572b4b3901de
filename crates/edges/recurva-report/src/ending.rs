//! What evidence comes to, and why evidence from elsewhere shows nothing.

use recurva_check::{About, Answer, Context, End, Evidence, REPLAY, Rejected};

use crate::{found::found, found::shown_run, lines::Lines, verdict::failing};

/// What the evidence of an answer comes to, and where, as trace files have it for people.
pub fn ending(context: &Context<'_>, answer: &Answer<'_>) -> End {
    if let (About::Runs(_), Some((run, replayed))) = (&context.about, shown_run(context, answer)) {
        let lines = Lines::of(&run);
        let failing = failing(&run, replayed, &lines);
        let file = lines.file(failing.origin).unwrap_or(run.source.name());
        let line = lines.number(failing.origin);
        return End {
            what: failing.what,
            file: Some(file.to_owned()),
            line: line.and_then(|line| u32::try_from(line).ok()),
        };
    }
    let what = match &answer.evidence {
        Some(Evidence::Words(words)) => match words.turn {
            Some(_) => "a fair run violates it".to_owned(),
            None => "a bad word is reached".to_owned(),
        },
        _ => found(context, answer),
    };
    End {
        what,
        file: Some(context.source.name().to_owned()),
        line: None,
    }
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
    let (property, model) = (&context.name, context.source.name());
    let why = why(context, rejected);
    let origin = rejected.place.unwrap_or_default();
    let statement = lines.excerpt(origin).filter(|text| !text.is_empty());
    let statement = statement.map_or_else(String::new, |text| format!("    {text}\n"));
    format!(
        "not confirmed: {property} ({model})\n  {}: {why}\n{statement}",
        lines.place(origin)
    )
}

/// The same for programs: an object on one line, like that of an answer.
pub fn rejected_json(context: &Context<'_>, rejected: &Rejected) -> String {
    let lines = Lines::in_context(context);
    let origin = rejected.place.unwrap_or_default();
    let model = context.source.name();
    let report = serde_json::json!({
        "verdict": "unknown",
        "summary": format!("not confirmed: {} ({})", context.name, lines.place(origin)),
        "property": context.name,
        "model": model,
        "engine": REPLAY,
        "limit": {
            "kind": "replay",
            "reason": why(context, rejected),
            "file": lines.file(origin).unwrap_or(model),
            "line": lines.number(origin),
        },
    });
    format!("{report}\n")
}
