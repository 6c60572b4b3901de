//! Summaries one fact at a time, with set differences (thesis, §6.2.1).

use super::Known;
use crate::{
    Machine, Summary,
    meter::{Halt, Meter, Tally, push},
    sets::Set,
};

/// Adds all summaries to those that are known; `false` if that takes more than so many steps.
pub(super) fn facts(
    machine: &Machine,
    most_steps: u64,
    known: &mut Known,
    meter: &Meter<'_>,
) -> Result<bool, Halt> {
    let mut held = meter.hold(0)?;
    let entries = machine.entries(&mut held)?;
    let universe = entries.len() as u32;
    let nodes = machine.nodes as usize;
    // For each node the entries that reach it.
    let mut reached: Vec<Set> = held.list(Set::default(), nodes)?;
    let mut more: Vec<Vec<u32>> = held.list(Vec::new(), nodes)?;
    let mut tally = Tally::new(meter);
    for &summary in &known.list {
        for (from, to) in machine.edges_of(summary) {
            push(&mut more[from as usize], to, &mut tally.bytes);
            tally.tell()?;
        }
    }
    let mut work: Vec<(u32, u32)> = Vec::new();
    let mut difference = Vec::new();
    let mut steps = 0u64;
    for first in 0..universe {
        let entry = entries[first as usize];
        if reached[entry as usize].insert(first, universe, &mut tally.bytes) {
            held.room(&mut work)?;
            work.push((first, entry));
        }
        while let Some((number, node)) = work.pop() {
            let step = 1 + (machine.edges.from(node).len() + more[node as usize].len()) as u64;
            steps += step;
            if steps > most_steps {
                return Ok(false);
            }
            meter.work(step)?;
            meter.found(1);
            for &to in machine.edges.from(node).iter().chain(&more[node as usize]) {
                if reached[to as usize].insert(number, universe, &mut tally.bytes) {
                    held.room(&mut work)?;
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
                    if !known.insert(summary)? {
                        continue;
                    }
                    for (from, to) in machine.edges_of(summary) {
                        push(&mut more[from as usize], to, &mut tally.bytes);
                        difference.clear();
                        meter.work(1 + reached[from as usize].words())?;
                        reached[from as usize].difference(&reached[to as usize], &mut difference);
                        held.room_for(&mut work, difference.len())?;
                        for &number in &difference {
                            reached[to as usize].insert(number, universe, &mut tally.bytes);
                            work.push((number, to));
                        }
                    }
                }
            }
            tally.tell()?;
        }
    }
    Ok(true)
}
