//! The smallest deterministic automaton, in a form of which there is only one.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::{Classes, Dfa, Meter, Stop};

/// The minimal automaton of a partial deterministic one whose state 0 is initial. `table` has a
/// target, or [`Dfa::NONE`], for each state and class. It is held already; what is made here comes
/// on top.
pub(crate) fn minimal(
    classes: &Classes,
    table: &[u32],
    accepting: &[bool],
    meter: &mut Meter<'_>,
) -> Result<Dfa, Stop> {
    let width = classes.count();
    let states = accepting.len();
    let level = meter.level();
    // Three lists with an entry for each edge, which go before as many columns are compared.
    meter.hold(level, 12 * (states + 1) * width + 48 * (states + 1))?;
    let block = hopcroft(table, accepting, width, meter)?;
    meter.pass(table.len() as u64)?;
    let dead = block[states];
    // One state of each block speaks for it.
    let mut speaker: Vec<Option<usize>> = vec![None; states + 1];
    for state in (0..states).rev() {
        speaker[block[state] as usize] = Some(state);
    }
    let target = |state: usize, class: usize| -> u32 {
        match table[state * width + class] {
            Dfa::NONE => dead,
            to => block[to as usize],
        }
    };
    if block[0] == dead {
        meter.release(level);
        return Ok(Dfa::empty());
    }
    // Classes with the same column are one class; those that lead nowhere are none.
    let live: Vec<usize> = reachable(block[0], width, dead, &speaker, &target);
    let mut columns: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut column_of: Vec<Option<u32>> = Vec::with_capacity(width);
    for class in 0..width {
        let column: Vec<u32> = live.iter().map(|&state| target(state, class)).collect();
        if column.iter().all(|&block| block == dead) {
            column_of.push(None);
            continue;
        }
        let next = columns.len() as u32;
        column_of.push(Some(*columns.entry(column).or_insert(next)));
    }
    let (merged, new) = classes.merged(|class| column_of[class as usize]);
    let mut old: Vec<usize> = vec![0; merged.count()];
    for (class, number) in new.iter().enumerate().rev() {
        if let Some(number) = number {
            old[*number as usize] = class;
        }
    }
    // States are numbered as they are met, class by class.
    let mut numbers: Vec<u32> = vec![Dfa::NONE; states + 1];
    let mut order: VecDeque<u32> = VecDeque::from([block[0]]);
    numbers[block[0] as usize] = 0;
    let mut count = 1;
    let (mut next, mut accepts) = (Vec::new(), Vec::new());
    while let Some(now) = order.pop_front() {
        let Some(state) = speaker[now as usize] else {
            continue;
        };
        accepts.push(accepting[state]);
        for &class in &old {
            let to = target(state, class);
            if to == dead {
                next.push(Dfa::NONE);
                continue;
            }
            if numbers[to as usize] == Dfa::NONE {
                numbers[to as usize] = count;
                count += 1;
                order.push_back(to);
            }
            next.push(numbers[to as usize]);
        }
    }
    meter.release(level);
    Ok(Dfa::from_parts(merged, next, accepts))
}

/// One state for each block met from the first, the dead one left out.
fn reachable(
    first: u32,
    width: usize,
    dead: u32,
    speaker: &[Option<usize>],
    target: &impl Fn(usize, usize) -> u32,
) -> Vec<usize> {
    let mut met = vec![false; speaker.len()];
    met[first as usize] = true;
    let mut todo = vec![first];
    let mut list = Vec::new();
    while let Some(now) = todo.pop() {
        let Some(state) = speaker[now as usize] else {
            continue;
        };
        list.push(state);
        for class in 0..width {
            let to = target(state, class);
            if to != dead && !std::mem::replace(&mut met[to as usize], true) {
                todo.push(to);
            }
        }
    }
    list
}

/// Hopcroft's algorithm: the block of each state; the last entry is that of a dead state that all
/// missing edges lead to.
fn hopcroft(
    table: &[u32],
    accepting: &[bool],
    width: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<u32>, Stop> {
    let states = accepting.len();
    let dead = states as u32;
    let total = states + 1;
    // Edges backwards: by class and target.
    let to = |state: usize, class: usize| match table.get(state * width + class) {
        Some(&to) if to != Dfa::NONE => to,
        _ => dead,
    };
    let mut start = vec![0u32; width * total + 1];
    for class in 0..width {
        for state in 0..total {
            start[class * total + to(state, class) as usize + 1] += 1;
        }
    }
    for at in 1..start.len() {
        start[at] += start[at - 1];
    }
    let mut fill = start.clone();
    let mut sources = vec![0u32; width * total];
    for class in 0..width {
        for state in 0..total {
            let slot = &mut fill[class * total + to(state, class) as usize];
            sources[*slot as usize] = state as u32;
            *slot += 1;
        }
    }
    meter.pass(2 * sources.len() as u64)?;
    // Blocks are ranges of `order`.
    let is_accepting = |state: usize| state < states && accepting[state];
    let mut order: Vec<u32> = (0..total as u32).collect();
    order.sort_by_key(|&state| is_accepting(state as usize));
    let first = order
        .iter()
        .position(|&state| is_accepting(state as usize))
        .unwrap_or(total);
    let mut place = vec![0u32; total];
    for (at, &state) in order.iter().enumerate() {
        place[state as usize] = at as u32;
    }
    let mut block = vec![0u32; total];
    let mut ranges = vec![(0usize, first)];
    if first < total {
        for &state in &order[first..] {
            block[state as usize] = 1;
        }
        ranges.push((first, total));
    }
    let all = (0..ranges.len() as u32).flat_map(|number| (0..width).map(move |c| (number, c)));
    let mut todo: Vec<(u32, usize)> = all.collect();
    let mut marked: Vec<usize> = vec![0; ranges.len()];
    while let Some((splitter, class)) = todo.pop() {
        let (from, end) = ranges[splitter as usize];
        let mut touched: Vec<u32> = Vec::new();
        let mut before: Vec<u32> = Vec::new();
        meter.pass(1 + (end - from) as u64)?;
        for &state in &order[from..end] {
            let at = class * total + state as usize;
            before.extend(&sources[start[at] as usize..start[at + 1] as usize]);
        }
        meter.pass(before.len() as u64)?;
        for state in before {
            let number = block[state as usize] as usize;
            let (low, _) = ranges[number];
            // Marked states move to the front of their block.
            let at = place[state as usize] as usize;
            let front = low + marked[number];
            if at < front {
                continue;
            }
            order.swap(at, front);
            place[order[at] as usize] = at as u32;
            place[order[front] as usize] = front as u32;
            if marked[number] == 0 {
                touched.push(number as u32);
            }
            marked[number] += 1;
        }
        for number in touched {
            let number = number as usize;
            let (low, high) = ranges[number];
            let split = low + std::mem::take(&mut marked[number]);
            if split == high {
                continue;
            }
            // The smaller part becomes the new block.
            let fresh = ranges.len() as u32;
            let part = if split - low <= high - split {
                ranges[number] = (split, high);
                (low, split)
            } else {
                ranges[number] = (low, split);
                (split, high)
            };
            ranges.push(part);
            marked.push(0);
            for &state in &order[part.0..part.1] {
                block[state as usize] = fresh;
            }
            // Whether or not the larger part is still to come, the smaller one is enough.
            todo.extend((0..width).map(|class| (fresh, class)));
        }
    }
    Ok(block)
}
