//! Summaries one fact at a time, with set differences (thesis, §6.2.1).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Machine, Summary, sets::Set};

/// Adds all summaries to those that are known.
pub(crate) fn facts(machine: &Machine, summaries: &mut Vec<Summary>) {
    let entries = machine.entries();
    let universe = entries.len() as u32;
    // For each node the entries that reach it.
    let mut reached: Vec<Set> = vec![Set::default(); machine.nodes as usize];
    let mut more: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut known: FxHashSet<Summary> = summaries.iter().copied().collect();
    for &summary in summaries.iter() {
        for (from, to) in machine.edges_of(summary) {
            more.entry(from).or_default().push(to);
        }
    }
    let mut work: Vec<(u32, u32)> = Vec::new();
    let mut difference = Vec::new();
    for first in 0..universe {
        let entry = entries[first as usize];
        if reached[entry as usize].insert(first, universe) {
            work.push((first, entry));
        }
        while let Some((number, node)) = work.pop() {
            let summary_edges = more.get(&node).map_or(&[][..], Vec::as_slice);
            for &to in machine.edges.from(node).iter().chain(summary_edges) {
                if reached[to as usize].insert(number, universe) {
                    work.push((number, to));
                }
            }
            let returns = machine.returns_of(node);
            if returns.is_empty() {
                continue;
            }
            let calls = machine.calls_of(entries[number as usize]);
            for it in returns {
                let begin = calls.partition_point(|call| call.key < it.key);
                for call in calls[begin..].iter().take_while(|call| call.key == it.key) {
                    let summary = Summary {
                        group: machine.group_of_key[it.key as usize],
                        from: call.site,
                        to: it.site,
                    };
                    if !known.insert(summary) {
                        continue;
                    }
                    summaries.push(summary);
                    for (from, to) in machine.edges_of(summary) {
                        more.entry(from).or_default().push(to);
                        difference.clear();
                        reached[from as usize].difference(&reached[to as usize], &mut difference);
                        for &number in &difference {
                            reached[to as usize].insert(number, universe);
                            work.push((number, to));
                        }
                    }
                }
            }
        }
    }
}
