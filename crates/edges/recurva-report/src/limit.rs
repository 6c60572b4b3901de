//! Which limit was hit, and what could be raised.

use recurva_check::{About, Answer, Context, Limit, Stats};

use crate::numbers::{bytes, counted, grouped, whole_seconds};

/// Which limit was hit, in words.
pub fn limit(limit: Limit) -> String {
    explain(limit).0
}

/// What happened, and what can be done about it.
pub(crate) fn explain(limit: Limit) -> (String, &'static str) {
    const SMALLER: &str = "No option helps: make the automaton or the model smaller.";
    match limit {
        Limit::Time(time) => (
            format!("the time limit of {} was reached", whole_seconds(time)),
            "Raise it with --timeout.",
        ),
        Limit::Memory(most) => (
            format!("the search needs more than the {} it may use", bytes(most)),
            "Raise the limit with --memory, or make the variables narrower.",
        ),
        Limit::PathEdges => (
            "the search has used all its 32-bit numbers for path edges".to_owned(),
            "No option helps: make the variables narrower or the model smaller.",
        ),
        Limit::Nodes => (
            "the decision diagrams have used all numbers for their nodes".to_owned(),
            "Try --engine explicit, or make the variables narrower.",
        ),
        Limit::Bits => (
            "the variables have more bits than decision diagrams can have variables".to_owned(),
            "Try --engine explicit, or make the variables narrower.",
        ),
        Limit::Automaton(cause) => (
            cause.to_string(),
            "No option helps: make the formula simpler, or check its parts one by one.",
        ),
        Limit::States(most) => (
            format!("the program has more than {}", counted(most, "state")),
            "Raise the limit with --max-states, or make the variables narrower.",
        ),
        Limit::Functions(most) => (
            format!(
                "the decision diagrams need more than {}",
                counted(most, "node")
            ),
            "Raise the limit with --memory, or use fewer return conditions.",
        ),
        Limit::Claims(most) => (
            format!(
                "the strategy that shows it has more than {}",
                counted(most, "claim")
            ),
            "Raise the limit with --memory.",
        ),
        Limit::Positions(most) => (
            format!("the game has more than {}", counted(most, "position")),
            SMALLER,
        ),
        Limit::Sets(most) => (
            format!(
                "a position of the game depends on more than {} of exits",
                counted(most, "set")
            ),
            SMALLER,
        ),
        Limit::Work(most) => (
            format!(
                "every technique used up its {} of work",
                counted(most, "step")
            ),
            "No option helps: make the system simpler, with fewer letters or rules.",
        ),
        Limit::Letters(most) => (
            format!(
                "a proof would need more than {}",
                counted(u64::from(most), "letter")
            ),
            "No option helps: make the system simpler, with fewer letters or rules.",
        ),
        Limit::NotProved => (
            "no run was found, and no proof".to_owned(),
            "Give it more time with --timeout, or a loop invariant to start from: see the notes.",
        ),
        Limit::NotModelled => (
            "the program does something that is not modelled exactly".to_owned(),
            "The notes say what, and where.",
        ),
        Limit::Interrupted => (
            "it was interrupted".to_owned(),
            "Run it again to search to the end.",
        ),
    }
}

/// What is known all the same when a limit was hit before the verdict.
pub(crate) fn learned(context: &Context<'_>, answer: &Answer<'_>) -> Option<String> {
    match context.about {
        About::Runs(_) => of_runs(&answer.stats),
        About::Branching { .. } => None,
        About::System => {
            let mut more = answer.stats.more.iter();
            let searched = more.find(|(name, _)| *name == "searched");
            let largest = searched.and_then(|(_, sizes)| sizes.checked_sub(1));
            Some(match largest {
                Some(largest) => format!(
                    "It holds up to size {}: all those runs were searched.",
                    grouped(largest)
                ),
                None => "No size was searched to the end.".to_owned(),
            })
        }
    }
}

fn of_runs(stats: &Stats) -> Option<String> {
    let searched = format!(
        "among the {} searched so far",
        counted(stats.path_edges, "path edge")
    );
    let nodes = counted(stats.nodes, "node");
    match (stats.path_edges, stats.nodes) {
        (0, 0) => None,
        (_, 0) => Some(format!("No violation {searched}.")),
        (0, _) => Some(format!(
            "No violation so far, with {nodes} of decision diagrams."
        )),
        _ => Some(format!(
            "No violation {searched}, nor with {nodes} of decision diagrams."
        )),
    }
}
