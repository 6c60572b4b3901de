//! Summaries in rounds.

use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Way;
use crate::{
    Machine, Summary,
    closure::{Arrows, Condensed, Extra, LANES, Pass, Row, bits, parallel},
    limits::{Limits, OutOfMemory},
};

/// Edges followed by 512 sources at once for each fact found, beyond which facts are cheaper
/// one by one.
const WORK_FOR_A_FACT: u64 = 8;
/// Work that is never worth a change.
const SMALL_WORK: u64 = 1 << 20;

/// Some entries that go through the graph together.
struct Team {
    entries: Vec<u32>,
    /// The keys they are called with, and which of them are called with each.
    keys: Vec<(u32, Row)>,
    /// Which of them came to an exit before: their summaries are known.
    done: FxHashMap<u32, Row>,
    /// The nodes with calls that they came to.
    visited: Vec<u64>,
    /// Whether something may have changed for them since they last went.
    due: bool,
}

impl Team {
    fn new(machine: &Machine, entries: &[u32], callers: usize) -> Self {
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        let mut keys: Vec<(u32, Row)> = Vec::new();
        for (lane, &entry) in entries.iter().enumerate() {
            for call in machine.calls_of(entry) {
                let slot = *index.entry(call.key).or_insert(keys.len());
                if slot == keys.len() {
                    keys.push((call.key, [0; LANES / 64]));
                }
                keys[slot].1[lane / 64] |= 1 << (lane % 64);
            }
        }
        Team {
            entries: entries.to_vec(),
            keys,
            done: FxHashMap::default(),
            visited: vec![0; callers.div_ceil(64)],
            due: true,
        }
    }
}

/// A graph that teams go through, with what is of interest in each component.
struct Ground {
    graph: Condensed,
    extra: Extra,
    exits: Arrows,
    /// Numbers of the nodes with calls.
    callers: Arrows,
}

impl Ground {
    fn new(machine: &Machine, summaries: &[Summary], roots: &[u32], caller: &[u32]) -> Self {
        let graph = Condensed::new(&machine.with(summaries), roots.iter().copied());
        let (mut exits, mut callers) = (
            Arrows::begin(graph.len() as usize),
            Arrows::begin(graph.len() as usize),
        );
        for component in 0..graph.len() {
            for &node in graph.members.from(component) {
                if !machine.returns_of(node).is_empty() {
                    exits.push(node);
                }
                if caller[node as usize] != u32::MAX {
                    callers.push(caller[node as usize]);
                }
            }
            exits.end_node();
            callers.end_node();
        }
        Ground {
            extra: Extra::new(graph.len()),
            graph,
            exits,
            callers,
        }
    }
}

/// What a thread has found in a round.
struct Found {
    pass: Pass,
    /// Where a key is in the team's list; `u32::MAX` if it is not there.
    slot_of_key: Vec<u32>,
    new: Vec<Summary>,
    facts: u64,
}

/// Adds all summaries; `false` if it gave up for the other way.
pub(super) fn rounds(
    machine: &Machine,
    way: Way,
    limits: &Limits,
    summaries: &mut Vec<Summary>,
) -> Result<bool, OutOfMemory> {
    let entries = machine.entries();
    let (caller, callers) = number_callers(machine);
    // Whatever a summary may ever lead to is in the graph from the beginning.
    let mut roots = entries.clone();
    for it in &machine.returns {
        let moves = &machine.moves[machine.group_of_key[it.key as usize] as usize];
        roots.extend(moves.iter().map(|&(_, to)| to + it.site));
    }
    let mut ground = Ground::new(machine, summaries, &roots, &caller);
    let mut order = entries;
    order.sort_unstable_by_key(|&entry| ground.graph.of_node[entry as usize]);
    let teams = order.chunks(LANES);
    let teams = teams.map(|entries| Mutex::new(Team::new(machine, entries, callers)));
    let mut teams: Vec<Mutex<Team>> = teams.collect();
    let mut known: FxHashSet<Summary> = summaries.iter().copied().collect();
    let (mut work, mut added) = (0, 0);
    loop {
        let due: Vec<&Mutex<Team>> = teams.iter().filter(|team| lock(team).due).collect();
        let states = parallel(
            limits.threads,
            due.len(),
            || Found {
                pass: Pass::new(&ground.graph),
                slot_of_key: vec![u32::MAX; machine.group_of_key.len()],
                new: Vec::new(),
                facts: 0,
            },
            |found, job| go(machine, &ground, &mut lock(due[job]), found),
        );
        let before = summaries.len();
        let mut facts = 0;
        for found in states {
            work += found.pass.work;
            facts += found.facts;
            summaries.extend(
                found
                    .new
                    .into_iter()
                    .filter(|&summary| known.insert(summary)),
            );
        }
        let mut any = false;
        let mut touched = vec![0u64; callers.div_ceil(64)];
        for &summary in &summaries[before..] {
            for (from, to) in machine.edges_of(summary) {
                let caller = caller[from as usize];
                touched[caller as usize / 64] |= 1 << (caller % 64);
                let (from, to) = (
                    ground.graph.of_node[from as usize],
                    ground.graph.of_node[to as usize],
                );
                // No team comes to a node outside of the graph.
                if from != u32::MAX && from != to {
                    ground.extra.add(from, to);
                    added += 1;
                }
            }
        }
        for team in &mut teams {
            let team = team.get_mut().unwrap_or_else(PoisonError::into_inner);
            let mut both = team.visited.iter().zip(&touched);
            team.due = both.any(|(visited, touched)| visited & touched != 0);
            any |= team.due;
        }
        if !any {
            return Ok(true);
        }
        let rows = teams
            .iter()
            .map(|team| lock(team).done.capacity())
            .sum::<usize>();
        let lists = 2 * (summaries.capacity() + known.capacity()) * size_of::<Summary>();
        let passes = limits.threads * ground.graph.len() as usize * LANES / 8;
        limits.check(lists + rows * LANES / 8 + passes + ground.graph.bytes())?;
        if way == Way::Both && work > SMALL_WORK && work > WORK_FOR_A_FACT * facts {
            return Ok(false);
        }
        // Edges put in on the way may lead backwards. Sort anew when they have become many.
        if added > ground.graph.arrows.edges() / 4 {
            ground = Ground::new(machine, summaries, &roots, &caller);
            added = 0;
        }
    }
}

/// No thread panics while it holds a team, and if one did the panic would go on.
fn lock(team: &Mutex<Team>) -> std::sync::MutexGuard<'_, Team> {
    team.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number for each node that makes calls, and how many there are.
fn number_callers(machine: &Machine) -> (Vec<u32>, usize) {
    let mut number = vec![u32::MAX; machine.nodes as usize];
    let mut count = 0;
    machine.call_edges(|from, _| {
        if number[from as usize] == u32::MAX {
            number[from as usize] = count;
            count += 1;
        }
    });
    (number, count as usize)
}

/// A team goes through the graph.
fn go(machine: &Machine, ground: &Ground, team: &mut Team, found: &mut Found) {
    let Team {
        entries,
        keys,
        done,
        visited,
        ..
    } = team;
    let Found {
        pass,
        slot_of_key,
        new,
        facts,
    } = found;
    let component = |&entry: &u32| ground.graph.of_node[entry as usize];
    let sources: Vec<u32> = entries.iter().map(component).collect();
    for (slot, &(key, _)) in keys.iter().enumerate() {
        slot_of_key[key as usize] = slot as u32;
    }
    pass.run_with(&ground.graph, &ground.extra, &sources, |component, row| {
        *facts += u64::from(row.iter().map(|word| word.count_ones()).sum::<u32>());
        for &caller in ground.callers.from(component) {
            visited[caller as usize / 64] |= 1 << (caller % 64);
        }
        for &exit in ground.exits.from(component) {
            let before = done.entry(exit).or_default();
            let mut fresh = *row;
            for (fresh, before) in fresh.iter_mut().zip(before) {
                *fresh &= !*before;
                *before |= *fresh;
            }
            if fresh == [0; LANES / 64] {
                continue;
            }
            for it in machine.returns_of(exit) {
                let slot = slot_of_key[it.key as usize];
                if slot == u32::MAX {
                    continue;
                }
                let mut both = fresh;
                for (both, mask) in both.iter_mut().zip(&keys[slot as usize].1) {
                    *both &= mask;
                }
                let group = machine.group_of_key[it.key as usize];
                for lane in bits(&both) {
                    let calls = machine.calls_with(entries[lane], it.key);
                    new.extend(calls.map(|call| Summary {
                        group,
                        from: call.site,
                        to: it.site,
                    }));
                }
            }
        }
    });
    for (key, _) in keys {
        slot_of_key[*key as usize] = u32::MAX;
    }
}
