//! States for a file without a server behind it.

use std::collections::{BTreeMap, VecDeque};

use recurva_evidence::Part;
use recurva_model::semantics::Configuration;
use rustc_hash::FxHashMap;

use super::Free;
use crate::{document::FreeEntry, run::Cut};

/// How many states are stored in a file, and how many values in all of them.
const STORED: usize = 500;
const STORED_VALUES: usize = 50_000;

impl Free<'_, '_> {
    /// States for a file without a server behind it: those near the start and along the runs,
    /// each once.
    pub(crate) fn table(&self) -> BTreeMap<String, FreeEntry> {
        let hasty = self.hasty();
        let mut table = BTreeMap::new();
        let mut known: FxHashMap<Configuration, String> = FxHashMap::default();
        let mut queue = VecDeque::from(["i".to_owned()]);
        for (question, run) in self.runs.iter().enumerate() {
            let Some(run) = run else { continue };
            let mut walk = run.walk();
            let stem = Cut::of(run.trace(), Part::Stem).stored();
            let mut names = Vec::new();
            while names.len() < STORED / 4 {
                let path = walk.path();
                if walk.position().part == Part::Turn || path[0] >= stem {
                    break;
                }
                let path: Vec<String> = path.iter().map(usize::to_string).collect();
                names.push(format!("@{question}:{}", path.join(".")));
                if !walk.step_in() {
                    break;
                }
            }
            queue.extend(names);
        }
        let mut values = 0;
        while let Some(picks) = queue.pop_front() {
            let Ok(configuration) = hasty.configuration(&picks) else {
                continue;
            };
            if let Some(first) = known.get(&configuration) {
                table.insert(picks, FreeEntry::Same(first.clone()));
                continue;
            }
            let size = configuration.globals.len()
                + configuration
                    .stack
                    .iter()
                    .map(|frame| frame.locals.len() + 1)
                    .sum::<usize>();
            if known.len() == STORED || values + size > STORED_VALUES {
                break;
            }
            values += size;
            let state = hasty.describe(&picks, &configuration);
            known.insert(configuration, picks.clone());
            let next = state.choices.iter();
            queue.extend(next.map(|choice| format!("{picks}/{}", choice.pick)));
            table.insert(picks, FreeEntry::State(Box::new(state)));
        }
        table
    }
}
