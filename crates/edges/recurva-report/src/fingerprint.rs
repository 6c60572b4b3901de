//! Findings told apart from each other, in a way that survives changes elsewhere in a file.

use recurva_check::{About, Answer, Context, Property};
use recurva_trace::sha256;

use crate::{found::shown_run, lines::Lines, sarif::Rule, verdict::failing};

/// What a finding is known by: the kind of question, where runs begin, what was asked, and, of a run, in which file and
/// function it ends and what is said there. No numbers of lines.
pub fn fingerprint(context: &Context<'_>, answer: &Answer<'_>) -> String {
    let mut parts = vec![
        Rule::of(context).id().to_owned(),
        context.entry.unwrap_or_default().to_owned(),
    ];
    // What errors are looked for besides does not matter to one that was found.
    let is_error = match &context.about {
        About::Runs(run) => matches!(run.property, Property::Unreachable { .. }),
        About::Branching { .. } | About::System => false,
    };
    if !(is_error && answer.is_violated()) {
        parts.push(context.name.clone());
    }
    match shown_run(context, answer) {
        Some((run, replayed)) => {
            let lines = Lines::of(&run);
            let failing = failing(&run, replayed, &lines);
            let file = lines.file(failing.origin).unwrap_or(context.source.name());
            let procedure = replayed.end().top().procedure;
            parts.push(file.to_owned());
            parts.push(replayed.program().procedure(procedure).name.to_string());
            parts.push(failing.what);
        }
        None => parts.push(context.source.name().to_owned()),
    }
    sha256(parts.join("\n").as_bytes())
}
