//! Runs of systems of any size as the page walks through them.

use recurva_check::Words as Found;

use crate::document::Words;

/// A run, finite or with a turn.
pub(crate) fn words(found: &Found) -> Words {
    let turn = found.turn.iter().flatten();
    Words {
        words: found.stem.iter().chain(turn).cloned().collect(),
        actions: found.actions.clone(),
        turn: found.turn.as_ref().map(|_| found.stem.len()),
        // Reports count processes from 1.
        process: found.process.and_then(|process| process.checked_sub(1)),
    }
}
