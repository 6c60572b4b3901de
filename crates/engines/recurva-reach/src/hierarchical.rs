//! Hierarchical machines (thesis, §6.4): components that are never called from below themselves
//! are closed one after the other, callees first.

use crate::{
    Machine, Summary,
    closure::{Arrows, Condensed, LANES, Pass, bits},
};

/// The summaries of a machine without recursion; `None` if it has some.
pub(crate) fn hierarchical(machine: &Machine) -> Option<Vec<Summary>> {
    let (of_node, count) = parts(machine);
    let calls = Arrows::new(count, |add| {
        machine.call_edges(|from, entry| add(of_node[from as usize], of_node[entry as usize]));
    });
    let order = Condensed::new(&calls, 0..count);
    let recursive = |part: u32| calls.from(part).contains(&part);
    if order.len() < count || (0..count).any(recursive) {
        return None;
    }
    let members = Arrows::new(count, |add| {
        for (node, &part) in of_node.iter().enumerate() {
            add(part, node as u32);
        }
    });
    let mut local = vec![0; machine.nodes as usize];
    for part in 0..count {
        for (number, &node) in members.from(part).iter().enumerate() {
            local[node as usize] = number as u32;
        }
    }
    let mut summaries = Vec::new();
    // The edges of the summaries that are known, by where they start.
    let mut more: Vec<Vec<u32>> = vec![Vec::new(); machine.nodes as usize];
    for number in (0..order.len()).rev() {
        let part = order.members.from(number)[0];
        let found = close(machine, members.from(part), &local, &more);
        for &summary in &found {
            for (from, to) in machine.edges_of(summary) {
                more[from as usize].push(to);
            }
        }
        summaries.extend(found);
    }
    Some(summaries)
}

/// The parts of a machine: what is connected by edges, and by calls with their returns.
fn parts(machine: &Machine) -> (Vec<u32>, u32) {
    let nodes = machine.nodes;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for from in 0..nodes {
        pairs.extend(machine.edges.from(from).iter().map(|&to| (from, to)));
    }
    // All places with the same key and the same move belong together.
    let mut first: Vec<Vec<u32>> = vec![Vec::new(); machine.group_of_key.len()];
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
                Some(&other) => pairs.push((node, other)),
                None => list.push(node),
            }
        }
    }
    pairs.extend_from_within(..);
    let half = pairs.len() / 2;
    for pair in &mut pairs[half..] {
        *pair = (pair.1, pair.0);
    }
    let both = Condensed::new(&Arrows::of_pairs(nodes, &pairs), 0..nodes);
    let count = both.len();
    (both.of_node, count)
}

/// The summaries of all calls into a part.
fn close(machine: &Machine, nodes: &[u32], local: &[u32], more: &[Vec<u32>]) -> Vec<Summary> {
    let entries: Vec<u32> = {
        let is_entry = |node: &&u32| !machine.calls_of(**node).is_empty();
        nodes.iter().filter(is_entry).copied().collect()
    };
    if entries.is_empty() {
        return Vec::new();
    }
    let arrows = Arrows::new(nodes.len() as u32, |add| {
        for &node in nodes {
            for &to in machine.edges.from(node).iter().chain(&more[node as usize]) {
                add(local[node as usize], local[to as usize]);
            }
        }
    });
    let roots = entries.iter().map(|&entry| local[entry as usize]);
    let graph = Condensed::new(&arrows, roots);
    let mut pass = Pass::new(&graph);
    let mut found = Vec::new();
    for team in entries.chunks(LANES) {
        let component = |&entry: &u32| graph.of_node[local[entry as usize] as usize];
        let sources: Vec<u32> = team.iter().map(component).collect();
        pass.run(&graph, &sources, |component, row| {
            for &member in graph.members.from(component) {
                for it in machine.returns_of(nodes[member as usize]) {
                    for lane in bits(row) {
                        let calls = machine.calls_with(team[lane], it.key);
                        found.extend(calls.map(|call| Summary {
                            group: machine.group_of_key[it.key as usize],
                            from: call.site,
                            to: it.site,
                        }));
                    }
                }
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}
