//! What a check took, in numbers.

use recurva_check::{Answer, REPLAY, Stats, VERIFY};

use crate::numbers::{bytes, counted, grouped, seconds};

/// What a check took, as names and numbers. What an engine does not count is left out.
pub fn figures(answer: &Answer<'_>) -> Vec<(&'static str, String)> {
    let stats = &answer.stats;
    let mut list = Vec::new();
    if stats.states > 0 {
        list.push(("states", grouped(stats.states)));
    }
    if stats.path_edges > 0 {
        list.push(("path edges", grouped(stats.path_edges)));
        list.push(("summaries", grouped(stats.summaries)));
    }
    if stats.nodes > 0 {
        list.push(("decision nodes", grouped(stats.nodes)));
    }
    let more = stats.more.iter().filter(|(_, number)| *number > 0);
    list.extend(more.map(|&(name, number)| (name, grouped(number))));
    list.push(("time", seconds(stats.seconds)));
    if stats.peak_bytes > 0 {
        list.push(("memory", bytes(stats.peak_bytes)));
    }
    list
}

/// The same as a line of text.
pub(crate) fn statistics(answer: &Answer<'_>) -> String {
    let (stats, engine) = (&answer.stats, answer.engine);
    if engine == VERIFY {
        return format!("verified in {}", seconds(stats.seconds));
    }
    if engine == REPLAY {
        return format!("replayed in {}", seconds(stats.seconds));
    }
    let counts = counts(stats);
    let counts = match counts.is_empty() {
        true => String::new(),
        false => format!("{}; ", counts.join(", ")),
    };
    let memory = match stats.peak_bytes {
        0 => String::new(),
        most => format!(", {}", bytes(most)),
    };
    format!("{counts}{}{memory} ({engine})", seconds(stats.seconds))
}

fn counts(stats: &Stats) -> Vec<String> {
    let mut parts = Vec::new();
    if stats.states > 0 {
        parts.push(counted(stats.states, "state"));
    }
    if stats.path_edges > 0 {
        parts.push(counted(stats.path_edges, "path edge"));
        parts.push(match stats.summaries {
            1 => "1 summary".to_owned(),
            many => format!("{} summaries", grouped(many)),
        });
    }
    if stats.nodes > 0 {
        parts.push(format!("{} at most", counted(stats.nodes, "decision node")));
    }
    let more = stats.more.iter().filter(|(_, number)| *number > 0);
    parts.extend(
        more.map(|&(name, number)| match (name, name.strip_suffix('s')) {
            ("merged", _) => format!("{} after merging", grouped(number)),
            ("work", _) => format!("{} of work", counted(number, "step")),
            ("searched", _) => format!("searched below size {}", grouped(number)),
            (_, Some(one)) => counted(number, one),
            (_, None) => format!("{} {name}", grouped(number)),
        }),
    );
    parts
}
