//! States for a file without a server behind it.

use std::collections::{BTreeMap, VecDeque};

use recurva_evidence::Part;
use rustc_hash::FxHashMap;

use super::{Free, Reached};
use crate::{document::FreeEntry, run::Cut};

/// How many states are stored in a file, and how many values in all of them.
const STORED: usize = 500;
const STORED_VALUES: usize = 50_000;

impl Free<'_> {
    /// States for a file without a server behind it: those near the starts and along the runs,
    /// each once.
    pub(crate) fn table(&self) -> BTreeMap<String, FreeEntry> {
        let mut table = BTreeMap::new();
        let mut known: FxHashMap<Reached, String> = FxHashMap::default();
        let starts = (0..self.programs.len()).map(|number| match number {
            0 => "i".to_owned(),
            _ => format!("i{number}"),
        });
        let mut queue: VecDeque<String> = starts.collect();
        for (question, run) in self.runs.iter().enumerate() {
            let Some((_, run)) = run else { continue };
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
            let Ok(reached) = self.reach(&picks) else {
                continue;
            };
            if let Some(first) = known.get(&reached) {
                table.insert(picks, FreeEntry::Same(first.clone()));
                continue;
            }
            let frames = reached.1.stack.iter();
            let locals: usize = frames.map(|frame| frame.locals.len() + 1).sum();
            let size = reached.1.globals.len() + locals;
            if known.len() == STORED || values + size > STORED_VALUES {
                break;
            }
            values += size;
            let state = self.describe(&picks, &reached);
            known.insert(reached, picks.clone());
            let next = state.choices.iter();
            queue.extend(next.map(|choice| format!("{picks}/{}", choice.pick)));
            table.insert(picks, FreeEntry::State(Box::new(state)));
        }
        table
    }
}
