//! Shortest facts.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashMap;

use super::label::Labels;
use crate::{
    Machine, Summary,
    meter::{Halt, Held, Meter, Tally, heap, push},
};

/// How a fact was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    /// It is where the origin is.
    Start,
    /// Along an edge.
    Edge { before: u32 },
    /// By a call that does not return.
    Pending { before: u32, call: u32 },
    /// By a call, a fact about what is called, and a return.
    Call {
        before: u32,
        call: u32,
        /// The origin of what is called.
        callee: u32,
        exit: u32,
        arc: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) distance: u64,
    pub(super) why: Why,
    is_final: bool,
}

/// What is known about how far origins are from nodes. Origin 0 is the source, the others are
/// entries.
pub(super) struct Facts {
    table: FxHashMap<(u32, u32), Fact>,
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// The table.
    held: Held,
    /// The heap.
    open_held: Held,
}

impl Facts {
    pub(super) fn get(&self, origin: u32, node: u32) -> Option<Fact> {
        self.table.get(&(origin, node)).copied()
    }

    fn new(meter: &Meter<'_>) -> Result<Self, Halt> {
        Ok(Facts {
            table: FxHashMap::default(),
            heap: BinaryHeap::new(),
            held: meter.hold(0)?,
            open_held: meter.hold(0)?,
        })
    }

    fn relax(&mut self, origin: u32, node: u32, distance: u64, why: Why) -> Result<(), Halt> {
        let fact = Fact {
            distance,
            why,
            is_final: false,
        };
        let known = self.table.get(&(origin, node));
        if known.is_none_or(|known| !known.is_final && distance < known.distance) {
            self.held.room_in_map(&mut self.table)?;
            self.table.insert((origin, node), fact);
            if self.heap.len() == self.heap.capacity() {
                let more = self.heap.capacity().max(16);
                let bytes = (self.heap.capacity() + more) * size_of::<(u64, u32, u32)>();
                self.open_held.set(heap(bytes))?;
                self.heap.reserve_exact(more);
            }
            self.heap.push(Reverse((distance, origin, node)));
        }
        Ok(())
    }
}

pub(super) struct Problem<'m, 't> {
    pub(super) machine: &'m Machine,
    pub(super) labels: &'m Labels<'m>,
    /// Whether calls may be left pending.
    pub(super) pending: bool,
    pub(super) meter: &'m Meter<'t>,
}

impl Problem<'_, '_> {
    /// Facts until the one from the source to the target is final; `None` if there is no such.
    pub(super) fn solve(
        &self,
        summaries: &[Summary],
        source: u32,
        target: u32,
    ) -> Result<Option<Facts>, Halt> {
        let (machine, meter) = (self.machine, self.meter);
        let mut held = meter.hold(0)?;
        let entries = self.demanded(summaries, source, &mut held)?;
        held.add(crate::meter::table(entries.len(), 8))?;
        let number: FxHashMap<u32, u32> = entries.iter().copied().zip(1..).collect();
        let mut tally = Tally::new(meter);
        // For each node the calls it makes: a place in the list, and what to add to a return.
        let mut made: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        for (place, call) in machine.calls.iter().enumerate() {
            meter.work(1)?;
            if number.contains_key(&call.entry) {
                let group = machine.group_of_key[call.key as usize];
                for &(from, to) in &machine.moves[group as usize] {
                    held.room_in_map(&mut made)?;
                    let list = made.entry(from + call.site).or_default();
                    push(list, (place as u32, to), &mut tally.bytes);
                    tally.tell()?;
                }
            }
        }
        // For each node with calls the origins that came there, and for each entry the exits.
        let mut came: FxHashMap<u32, Vec<(u32, u64)>> = FxHashMap::default();
        let mut exits: Vec<Vec<(u32, u64)>> = held.list(Vec::new(), entries.len() + 1)?;
        let mut facts = Facts::new(meter)?;
        facts.relax(0, source, 0, Why::Start)?;
        for (&entry, origin) in entries.iter().zip(1..) {
            facts.relax(origin, entry, 0, Why::Start)?;
        }
        while let Some(Reverse((distance, origin, node))) = facts.heap.pop() {
            match facts.table.get_mut(&(origin, node)) {
                Some(fact) if !fact.is_final && fact.distance == distance => fact.is_final = true,
                _ => continue,
            }
            if (origin, node) == (0, target) {
                return Ok(Some(facts));
            }
            meter.found(1);
            meter.work(1 + machine.edges.from(node).len() as u64)?;
            tally.tell()?;
            for &to in machine.edges.from(node) {
                let longer = distance.saturating_add(self.labels.weight(node, to));
                facts.relax(origin, to, longer, Why::Edge { before: node })?;
            }
            if let Some(calls) = made.get(&node) {
                held.room_in_map(&mut came)?;
                let list = came.entry(node).or_default();
                push(list, (origin, distance), &mut tally.bytes);
                for &(call, base) in calls {
                    let arc = machine.calls[call as usize];
                    if self.pending && origin == 0 {
                        let why = Why::Pending { before: node, call };
                        facts.relax(0, arc.entry, distance.saturating_add(1), why)?;
                    }
                    let callee = number[&arc.entry];
                    for &(exit, inside) in &exits[callee as usize] {
                        let at = (origin, node, distance);
                        self.come_back(&mut facts, at, (call, base), callee, (exit, inside))?;
                    }
                }
            }
            if origin > 0 && !machine.returns_of(node).is_empty() {
                let list = &mut exits[origin as usize];
                push(list, (node, distance), &mut tally.bytes);
                for call in machine.calls_of(entries[origin as usize - 1]) {
                    let group = machine.group_of_key[call.key as usize];
                    for &(from, to) in &machine.moves[group as usize] {
                        let caller = from + call.site;
                        // The place of the call in the list: calls are sorted.
                        let Ok(place) = machine.calls.binary_search(call) else {
                            continue;
                        };
                        let call = (place as u32, to);
                        for &(other, before) in came.get(&caller).map_or(&[][..], Vec::as_slice) {
                            let at = (other, caller, before);
                            self.come_back(&mut facts, at, call, origin, (node, distance))?;
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// A call is put together with a fact about what it calls.
    fn come_back(
        &self,
        facts: &mut Facts,
        (origin, node, distance): (u32, u32, u64),
        (call, base): (u32, u32),
        callee: u32,
        (exit, inside): (u32, u64),
    ) -> Result<(), Halt> {
        let machine = self.machine;
        let key = machine.calls[call as usize].key;
        let weight = self.labels.call_weight(machine.group_of_key[key as usize]);
        let length = distance.saturating_add(inside).saturating_add(weight);
        let returns = machine.returns_of(exit);
        self.meter.work(1 + returns.len() as u64)?;
        for it in returns.iter().filter(|it| it.key == key) {
            let Ok(arc) = machine.returns.binary_search(it) else {
                continue;
            };
            let why = Why::Call {
                before: node,
                call,
                callee,
                exit,
                arc: arc as u32,
            };
            facts.relax(origin, base + it.site, length, why)?;
        }
        Ok(())
    }

    /// The entries that the source leads to.
    fn demanded(
        &self,
        summaries: &[Summary],
        source: u32,
        held: &mut Held,
    ) -> Result<Vec<u32>, Halt> {
        let arrows = self.machine.with_calls(summaries, self.meter)?;
        let mut scratch = self.meter.hold(0)?;
        let mut seen = scratch.list(false, self.machine.nodes as usize)?;
        let mut open = vec![source];
        seen[source as usize] = true;
        while let Some(node) = open.pop() {
            self.meter.work(1 + arrows.from(node).len() as u64)?;
            for &to in arrows.from(node) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    scratch.room(&mut open)?;
                    open.push(to);
                }
            }
        }
        let mut entries = self.machine.entries(held)?;
        entries.retain(|&entry| seen[entry as usize]);
        Ok(entries)
    }
}
