//! Summaries in rounds.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Known, Way};
use crate::{
    Machine, Summary,
    closure::{Arrows, Condensed, Extra, LANES, Pass, Row, bits, parallel},
    meter::{Halt, Held, Meter, heap},
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
    held: Held,
}

impl Team {
    fn new(
        machine: &Machine,
        entries: &[u32],
        callers: usize,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut held = meter.hold(heap(4 * entries.len()))?;
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        let mut keys: Vec<(u32, Row)> = Vec::new();
        for (lane, &entry) in entries.iter().enumerate() {
            for call in machine.calls_of(entry) {
                let slot = *index.entry(call.key).or_insert(keys.len());
                if slot == keys.len() {
                    held.room(&mut keys)?;
                    keys.push((call.key, [0; LANES / 64]));
                }
                keys[slot].1[lane / 64] |= 1 << (lane % 64);
            }
        }
        meter.work(entries.len() as u64)?;
        Ok(Team {
            entries: entries.to_vec(),
            keys,
            done: FxHashMap::default(),
            visited: held.list(0, callers.div_ceil(64))?,
            due: true,
            held,
        })
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
    fn new(
        machine: &Machine,
        summaries: &[Summary],
        roots: &[u32],
        caller: &[u32],
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let arrows = machine.with(summaries, meter)?;
        let graph = Condensed::new(&arrows, roots.iter().copied(), meter)?;
        let (mut exits, mut callers) = (
            Arrows::begin(graph.len() as usize, meter)?,
            Arrows::begin(graph.len() as usize, meter)?,
        );
        for component in 0..graph.len() {
            for &node in graph.members.from(component) {
                if !machine.returns_of(node).is_empty() {
                    exits.push(node)?;
                }
                if caller[node as usize] != u32::MAX {
                    callers.push(caller[node as usize])?;
                }
            }
            exits.end_node();
            callers.end_node();
        }
        Ok(Ground {
            extra: Extra::new(graph.len(), meter)?,
            graph,
            exits,
            callers,
        })
    }
}

/// What a thread has found in a round.
struct Found {
    pass: Pass,
    /// Where a key is in the team's list; `u32::MAX` if it is not there.
    slot_of_key: Vec<u32>,
    new: Vec<Summary>,
    facts: u64,
    held: Held,
}

impl Found {
    fn new(machine: &Machine, ground: &Ground, meter: &Meter<'_>) -> Result<Self, Halt> {
        let mut held = meter.hold(0)?;
        Ok(Found {
            pass: Pass::new(&ground.graph, meter)?,
            slot_of_key: held.list(u32::MAX, machine.group_of_key.len())?,
            new: Vec::new(),
            facts: 0,
            held,
        })
    }
}

/// Adds all summaries; `false` if it gave up for the other way.
pub(super) fn rounds(
    machine: &Machine,
    way: Way,
    threads: usize,
    known: &mut Known,
    meter: &Meter<'_>,
) -> Result<bool, Halt> {
    let mut held = meter.hold(0)?;
    let entries = machine.entries(&mut held)?;
    let (caller, callers) = number_callers(machine, &mut held)?;
    // Whatever a summary may ever lead to is in the graph from the beginning.
    let mut roots: Vec<u32> = Vec::new();
    held.room_for(&mut roots, entries.len())?;
    roots.extend(&entries);
    for it in &machine.returns {
        let moves = &machine.moves[machine.group_of_key[it.key as usize] as usize];
        held.room_for(&mut roots, moves.len())?;
        roots.extend(moves.iter().map(|&(_, to)| to + it.site));
    }
    let mut ground = Ground::new(machine, &known.list, &roots, &caller, meter)?;
    let mut order = entries;
    order.sort_unstable_by_key(|&entry| ground.graph.of_node[entry as usize]);
    let teams = order.chunks(LANES);
    let teams = teams.map(|entries| Team::new(machine, entries, callers, meter).map(Mutex::new));
    let mut teams: Vec<Mutex<Team>> = teams.collect::<Result<_, _>>()?;
    let (mut work, mut added) = (0, 0);
    loop {
        let due: Vec<&Mutex<Team>> = teams.iter().filter(|team| lock(team).due).collect();
        let states = parallel(
            threads,
            due.len(),
            meter,
            |meter| Found::new(machine, &ground, meter),
            |found, job, meter| go(machine, &ground, &mut lock(due[job]), found, meter),
        )?;
        let before = known.list.len();
        let mut facts = 0;
        for found in states {
            work += found.pass.work;
            facts += found.facts;
            for &summary in &found.new {
                meter.work(1)?;
                known.insert(summary)?;
            }
        }
        meter.found(facts);
        let mut any = false;
        let mut touched = vec![0u64; callers.div_ceil(64)];
        for &summary in &known.list[before..] {
            for (from, to) in machine.edges_of(summary) {
                meter.work(1)?;
                let caller = caller[from as usize];
                touched[caller as usize / 64] |= 1 << (caller % 64);
                let (from, to) = (
                    ground.graph.of_node[from as usize],
                    ground.graph.of_node[to as usize],
                );
                // No team comes to a node outside of the graph.
                if from != u32::MAX && from != to {
                    ground.extra.add(from, to)?;
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
        if way == Way::Both && work > SMALL_WORK && work > WORK_FOR_A_FACT * facts {
            return Ok(false);
        }
        // Edges put in on the way may lead backwards. Sort anew when they have become many.
        if added > ground.graph.arrows.edges() / 4 {
            ground = Ground::new(machine, &known.list, &roots, &caller, meter)?;
            added = 0;
        }
    }
}

/// No thread panics while it holds a team, and if one did the panic would go on.
fn lock(team: &Mutex<Team>) -> std::sync::MutexGuard<'_, Team> {
    team.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number for each node that makes calls, and how many there are.
fn number_callers(machine: &Machine, held: &mut Held) -> Result<(Vec<u32>, usize), Halt> {
    let mut number = held.list(u32::MAX, machine.nodes as usize)?;
    let mut count = 0;
    machine.call_edges(|from, _| {
        if number[from as usize] == u32::MAX {
            number[from as usize] = count;
            count += 1;
        }
    });
    Ok((number, count as usize))
}

/// A team goes through the graph.
fn go(
    machine: &Machine,
    ground: &Ground,
    team: &mut Team,
    found: &mut Found,
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    let Team {
        entries,
        keys,
        done,
        visited,
        held: team_held,
        ..
    } = team;
    let Found {
        pass,
        slot_of_key,
        new,
        facts,
        held,
    } = found;
    let component = |&entry: &u32| ground.graph.of_node[entry as usize];
    let sources: Vec<u32> = entries.iter().map(component).collect();
    for (slot, &(key, _)) in keys.iter().enumerate() {
        slot_of_key[key as usize] = slot as u32;
    }
    let visit = |component: u32, row: &Row| {
        *facts += u64::from(row.iter().map(|word| word.count_ones()).sum::<u32>());
        for &caller in ground.callers.from(component) {
            visited[caller as usize / 64] |= 1 << (caller % 64);
        }
        for &exit in ground.exits.from(component) {
            team_held.room_in_map(done)?;
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
                    for call in machine.calls_with(entries[lane], it.key) {
                        held.room(new)?;
                        new.push(Summary {
                            group,
                            from: call.site,
                            to: it.site,
                        });
                    }
                }
            }
        }
        Ok(())
    };
    pass.run_with(&ground.graph, &ground.extra, &sources, meter, visit)?;
    for (key, _) in keys {
        slot_of_key[*key as usize] = u32::MAX;
    }
    Ok(())
}
