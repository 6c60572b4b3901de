//! Summaries one fact at a time, with set differences (thesis, §6.2.1).

use crate::{
    Machine, Summary,
    limits::{Limits, OutOfMemory},
    sets::Set,
};

/// Adds all summaries to those that are known; `false` if that takes more than so many steps.
pub(super) fn facts(
    machine: &Machine,
    limits: &Limits,
    most_steps: u64,
    summaries: &mut Vec<Summary>,
) -> Result<bool, OutOfMemory> {
    let entries = machine.entries();
    let universe = entries.len() as u32;
    // For each node the entries that reach it.
    let mut reached: Vec<Set> = vec![Set::default(); machine.nodes as usize];
    let mut known = Known::new(machine);
    let mut more: Vec<Vec<u32>> = vec![Vec::new(); machine.nodes as usize];
    for &summary in summaries.iter() {
        known.insert(summary);
        for (from, to) in machine.edges_of(summary) {
            more[from as usize].push(to);
        }
    }
    let mut work: Vec<(u32, u32)> = Vec::new();
    let mut difference = Vec::new();
    let mut steps = 0u64;
    let mut next_check = 1 << 21;
    for first in 0..universe {
        let entry = entries[first as usize];
        if reached[entry as usize].insert(first, universe) {
            work.push((first, entry));
        }
        while let Some((number, node)) = work.pop() {
            steps += 1 + (machine.edges.from(node).len() + more[node as usize].len()) as u64;
            if steps > most_steps {
                return Ok(false);
            }
            if steps > next_check {
                next_check = steps + (1 << 21);
                let sets: usize = reached.iter().map(Set::bytes).sum();
                let lists = (work.capacity() + 4 * summaries.capacity()) * 8;
                limits.check(sets + lists)?;
            }
            for &to in machine.edges.from(node).iter().chain(&more[node as usize]) {
                if reached[to as usize].insert(number, universe) {
                    work.push((number, to));
                }
            }
            for it in machine.returns_of(node) {
                for call in machine.calls_with(entries[number as usize], it.key) {
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
                        more[from as usize].push(to);
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
    Ok(true)
}

/// The summaries that are known: for each group and site, the sites that they lead to.
struct Known {
    sites: u32,
    rows: Vec<Vec<Set>>,
}

impl Known {
    fn new(machine: &Machine) -> Self {
        let calls = machine.calls.iter().map(|call| call.site);
        let returns = machine.returns.iter().map(|it| it.site);
        let sites = calls.chain(returns).max().map_or(0, |site| site + 1);
        let rows = vec![Set::default(); sites as usize];
        Known {
            sites,
            rows: vec![rows; machine.moves.len()],
        }
    }

    fn insert(&mut self, summary: Summary) -> bool {
        let rows = &mut self.rows[summary.group as usize];
        rows[summary.from as usize].insert(summary.to, self.sites)
    }
}
