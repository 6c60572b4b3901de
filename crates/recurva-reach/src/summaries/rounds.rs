//! Summaries in rounds.

use rustc_hash::FxHashSet;

use super::Way;
use crate::{
    Machine, Summary,
    closure::{Condensed, LANES, Pass, Row, bits, parallel},
};

/// Edges followed by 512 sources at once for each fact found, beyond which facts are cheaper
/// one by one.
const WORK_FOR_A_FACT: u64 = 8;
/// Work that is never worth a change.
const SMALL_WORK: u64 = 1 << 20;

/// Some entries that go through the graph together.
struct Team {
    entries: Vec<u32>,
    /// Whether something may have changed for them since they last went.
    due: bool,
}

/// What a thread has found in a round.
struct Found {
    pass: Pass,
    /// Where the mask of a key is; `u32::MAX` if no entry of the team is called with that key.
    slot_of_key: Vec<u32>,
    new: FxHashSet<Summary>,
    facts: u64,
    /// Which team came to which call site.
    came: Vec<(u32, u32)>,
}

/// Adds all summaries; `false` if it gave up for the other way.
pub(super) fn rounds(
    machine: &Machine,
    way: Way,
    threads: usize,
    summaries: &mut Vec<Summary>,
) -> bool {
    let entries = machine.entries();
    let mut teams: Vec<Team> = Vec::new();
    let mut known: FxHashSet<Summary> = FxHashSet::default();
    // For each node that makes calls, the teams that came by.
    let mut is_caller = vec![false; machine.nodes as usize];
    machine.call_edges(|from, _| is_caller[from as usize] = true);
    let mut visitors: Vec<Vec<u32>> = vec![Vec::new(); machine.nodes as usize];
    let mut work = 0;
    loop {
        let arrows = machine.with(summaries);
        let graph = Condensed::new(&arrows, entries.iter().copied());
        drop(arrows);
        if teams.is_empty() {
            let mut order = entries.clone();
            order.sort_unstable_by_key(|&entry| graph.of_node[entry as usize]);
            let team = |entries: &[u32]| Team {
                entries: entries.to_vec(),
                due: true,
            };
            teams = order.chunks(LANES).map(team).collect();
        }
        let due: Vec<u32> = (0..teams.len() as u32)
            .filter(|&team| teams[team as usize].due)
            .collect();
        let states = parallel(
            threads,
            due.len(),
            || Found {
                pass: Pass::new(&graph),
                slot_of_key: vec![u32::MAX; machine.group_of_key.len()],
                new: FxHashSet::default(),
                facts: 0,
                came: Vec::new(),
            },
            |found, job| {
                let team = due[job];
                let entries = &teams[team as usize].entries;
                go(machine, &graph, &is_caller, &known, entries, team, found);
            },
        );
        let mut facts = 0;
        let before = summaries.len();
        for found in states {
            work += found.pass.work;
            facts += found.facts;
            for (site, team) in found.came {
                let list = &mut visitors[site as usize];
                if !list.contains(&team) {
                    list.push(team);
                }
            }
            for summary in found.new {
                if known.insert(summary) {
                    summaries.push(summary);
                }
            }
        }
        for team in &mut teams {
            team.due = false;
        }
        let mut any = false;
        for &summary in &summaries[before..] {
            for (from, _) in machine.edges_of(summary) {
                for &team in &visitors[from as usize] {
                    teams[team as usize].due = true;
                    any = true;
                }
            }
        }
        if !any {
            summaries.sort_unstable();
            return true;
        }
        if way == Way::Both && work > SMALL_WORK && work > WORK_FOR_A_FACT * facts {
            return false;
        }
    }
}

/// A team goes through the graph.
fn go(
    machine: &Machine,
    graph: &Condensed,
    is_caller: &[bool],
    known: &FxHashSet<Summary>,
    entries: &[u32],
    team: u32,
    found: &mut Found,
) {
    let sources: Vec<u32> = entries.iter().map(|&it| graph.of_node[it as usize]).collect();
    // For each key the entries that are called with it.
    let mut masks: Vec<Row> = Vec::new();
    let mut keys: Vec<u32> = Vec::new();
    for (lane, &entry) in entries.iter().enumerate() {
        for call in machine.calls_of(entry) {
            let slot = &mut found.slot_of_key[call.key as usize];
            if *slot == u32::MAX {
                *slot = masks.len() as u32;
                masks.push([0; LANES / 64]);
                keys.push(call.key);
            }
            masks[*slot as usize][lane / 64] |= 1 << (lane % 64);
        }
    }
    let Found {
        pass,
        slot_of_key,
        new,
        facts,
        came,
    } = found;
    pass.run(graph, &sources, |component, row| {
        *facts += u64::from(row.iter().map(|word| word.count_ones()).sum::<u32>());
        for &node in graph.members.from(component) {
            if is_caller[node as usize] {
                came.push((node, team));
            }
            for it in machine.returns_of(node) {
                let slot = slot_of_key[it.key as usize];
                if slot == u32::MAX {
                    continue;
                }
                let mut both = *row;
                for (both, mask) in both.iter_mut().zip(&masks[slot as usize]) {
                    *both &= mask;
                }
                let group = machine.group_of_key[it.key as usize];
                for lane in bits(&both) {
                    let calls = machine.calls_of(entries[lane]);
                    let begin = calls.partition_point(|call| call.key < it.key);
                    for call in calls[begin..].iter().take_while(|call| call.key == it.key) {
                        let summary = Summary {
                            group,
                            from: call.site,
                            to: it.site,
                        };
                        if !known.contains(&summary) {
                            new.insert(summary);
                        }
                    }
                }
            }
        }
    });
    for key in keys {
        slot_of_key[key as usize] = u32::MAX;
    }
}
