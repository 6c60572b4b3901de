//! Hierarchical machines (thesis, §6.4): components that are never called from below themselves
//! are closed one after the other, callees first.

use crate::{
    Machine, Summary,
    closure::{Arrows, Condensed, LANES, Pass, bits},
    meter::{Halt, Held, Meter, Tally, push},
};

/// The summaries of a machine without recursion; `None` if it has some.
pub(crate) fn hierarchical(
    machine: &Machine,
    meter: &Meter<'_>,
) -> Result<Option<(Vec<Summary>, Held)>, Halt> {
    let both = parts(machine, meter)?;
    let (of_node, count) = (&both.of_node, both.len());
    let calls = Arrows::new(count, meter, |add| {
        machine.call_edges(|from, entry| add(of_node[from as usize], of_node[entry as usize]));
    })?;
    let order = Condensed::new(&calls, 0..count, meter)?;
    let recursive = |part: u32| calls.from(part).contains(&part);
    if order.len() < count || (0..count).any(recursive) {
        return Ok(None);
    }
    let members = &both.members;
    let mut held = meter.hold(0)?;
    let mut local = held.list(0, machine.nodes as usize)?;
    for part in 0..count {
        for (number, &node) in members.from(part).iter().enumerate() {
            local[node as usize] = number as u32;
        }
    }
    let (mut summaries, mut summaries_held) = (Vec::new(), meter.hold(0)?);
    // The edges of the summaries that are known, by where they start.
    let mut more: Vec<Vec<u32>> = held.list(Vec::new(), machine.nodes as usize)?;
    let mut tally = Tally::new(meter);
    for number in (0..order.len()).rev() {
        let part = order.members.from(number)[0];
        let (found, _held) = close(machine, members.from(part), &local, &more, meter)?;
        for &summary in &found {
            for (from, to) in machine.edges_of(summary) {
                push(&mut more[from as usize], to, &mut tally.bytes);
            }
            tally.tell()?;
        }
        summaries_held.room_for(&mut summaries, found.len())?;
        summaries.extend(found);
    }
    Ok(Some((summaries, summaries_held)))
}

/// The parts of a machine: what is connected by edges, and by calls with their returns.
fn parts(machine: &Machine, meter: &Meter<'_>) -> Result<Condensed, Halt> {
    let nodes = machine.nodes;
    let mut held = meter.hold(0)?;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    held.room_for(&mut pairs, machine.edges.edges())?;
    for from in 0..nodes {
        pairs.extend(machine.edges.from(from).iter().map(|&to| (from, to)));
    }
    let mut tally = Tally::new(meter);
    // All places with the same key and the same move belong together.
    let mut first: Vec<Vec<u32>> = held.list(Vec::new(), machine.group_of_key.len())?;
    let calls = machine
        .calls
        .iter()
        .map(|call| (call.key, call.site, false));
    let returns = machine.returns.iter().map(|it| (it.key, it.site, true));
    for (key, site, is_return) in calls.chain(returns) {
        let moves = &machine.moves[machine.group_of_key[key as usize] as usize];
        let list = &mut first[key as usize];
        for (number, &(from, to)) in moves.iter().enumerate() {
            let node = site + if is_return { to } else { from };
            match list.get(number) {
                Some(&other) => {
                    held.room(&mut pairs)?;
                    pairs.push((node, other));
                }
                None => push(list, node, &mut tally.bytes),
            }
        }
        tally.tell()?;
    }
    meter.work(pairs.len() as u64)?;
    let more = pairs.len();
    held.room_for(&mut pairs, more)?;
    pairs.extend_from_within(..);
    let half = pairs.len() / 2;
    for pair in &mut pairs[half..] {
        *pair = (pair.1, pair.0);
    }
    Condensed::new(&Arrows::of_pairs(nodes, meter, &pairs)?, 0..nodes, meter)
}

/// The summaries of all calls into a part.
fn close(
    machine: &Machine,
    nodes: &[u32],
    local: &[u32],
    more: &[Vec<u32>],
    meter: &Meter<'_>,
) -> Result<(Vec<Summary>, Held), Halt> {
    let (mut found, mut held) = (Vec::new(), meter.hold(0)?);
    let is_entry = |node: &&u32| !machine.calls_of(**node).is_empty();
    let entries: Vec<u32> = nodes.iter().filter(is_entry).copied().collect();
    let _entries = meter.hold(4 * entries.capacity())?;
    if entries.is_empty() {
        return Ok((found, held));
    }
    let arrows = Arrows::new(nodes.len() as u32, meter, |add| {
        for &node in nodes {
            for &to in machine.edges.from(node).iter().chain(&more[node as usize]) {
                add(local[node as usize], local[to as usize]);
            }
        }
    })?;
    let roots = entries.iter().map(|&entry| local[entry as usize]);
    let graph = Condensed::new(&arrows, roots, meter)?;
    let mut pass = Pass::new(&graph, meter)?;
    for team in entries.chunks(LANES) {
        let component = |&entry: &u32| graph.of_node[local[entry as usize] as usize];
        let sources: Vec<u32> = team.iter().map(component).collect();
        pass.run(&graph, &sources, meter, |component, row| {
            for &member in graph.members.from(component) {
                for it in machine.returns_of(nodes[member as usize]) {
                    meter.work(1)?;
                    for lane in bits(row) {
                        for call in machine.calls_with(team[lane], it.key) {
                            held.room(&mut found)?;
                            found.push(Summary {
                                group: machine.group_of_key[it.key as usize],
                                from: call.site,
                                to: it.site,
                            });
                        }
                    }
                }
            }
            Ok(())
        })?;
    }
    found.sort_unstable();
    found.dedup();
    Ok((found, held))
}
