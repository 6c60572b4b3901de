//! Strongly connected components, in topological order.

use super::Arrows;
use crate::meter::{Halt, Held, Meter};

/// A graph whose cycles are contracted. Edges lead from smaller numbers to larger ones.
#[derive(Clone, Debug)]
pub(crate) struct Condensed {
    /// The component of each node; `u32::MAX` if the roots do not lead to it.
    pub(crate) of_node: Vec<u32>,
    /// The edges between components, each once.
    pub(crate) arrows: Arrows,
    /// The nodes of each component.
    pub(crate) members: Arrows,
    _held: Held,
}

const NEVER: u32 = u32::MAX;

impl Condensed {
    /// The components that some roots lead to.
    pub(crate) fn new(
        graph: &Arrows,
        roots: impl Iterator<Item = u32>,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut held = meter.hold(0)?;
        let mut of_node = held.list(NEVER, graph.nodes() as usize)?;
        let count = tarjan(graph, roots, &mut of_node, meter)?;
        // Tarjan's algorithm finds the last component first.
        for component in of_node.iter_mut().filter(|it| **it != NEVER) {
            *component = count - 1 - *component;
        }
        let members = Arrows::new(count, meter, |add| {
            for (node, &component) in of_node.iter().enumerate() {
                if component != NEVER {
                    add(component, node as u32);
                }
            }
        })?;
        let mut arrows = Arrows::begin(count as usize, meter)?;
        let mut scratch = meter.hold(0)?;
        let mut last = scratch.list(NEVER, count as usize)?;
        for component in 0..count {
            last[component as usize] = component;
            for &node in members.from(component) {
                let targets = graph.from(node);
                meter.work(1 + targets.len() as u64)?;
                for &to in targets {
                    let target = of_node[to as usize];
                    if std::mem::replace(&mut last[target as usize], component) != component {
                        arrows.push(target)?;
                    }
                }
            }
            arrows.end_node();
        }
        Ok(Condensed {
            of_node,
            arrows,
            members,
            _held: held,
        })
    }

    /// How many components there are.
    pub(crate) fn len(&self) -> u32 {
        self.arrows.nodes()
    }
}

/// Numbers components in the order in which they are completed; how many there are.
fn tarjan(
    graph: &Arrows,
    roots: impl Iterator<Item = u32>,
    of_node: &mut [u32],
    meter: &Meter<'_>,
) -> Result<u32, Halt> {
    let mut held = meter.hold(0)?;
    // When a node was found, and the earliest node on the stack that it is known to reach.
    let mut low = held.list(NEVER, of_node.len())?;
    let mut found = 0;
    let mut count = 0;
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32, u32)> = Vec::new();
    for root in roots {
        if low[root as usize] != NEVER {
            continue;
        }
        low[root as usize] = found;
        held.room(&mut path)?;
        path.push((root, found, 0));
        found += 1;
        held.room(&mut stack)?;
        stack.push(root);
        while let Some((node, number, next)) = path.last_mut() {
            let node = *node;
            meter.work(1)?;
            if let Some(&to) = graph.from(node).get(*next as usize) {
                *next += 1;
                if low[to as usize] == NEVER {
                    low[to as usize] = found;
                    held.room(&mut path)?;
                    path.push((to, found, 0));
                    found += 1;
                    held.room(&mut stack)?;
                    stack.push(to);
                } else if of_node[to as usize] == NEVER {
                    low[node as usize] = low[node as usize].min(low[to as usize]);
                }
                continue;
            }
            if low[node as usize] == *number {
                while let Some(member) = stack.pop() {
                    of_node[member as usize] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
            path.pop();
            if let Some(&(parent, ..)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[node as usize]);
            }
        }
    }
    Ok(count)
}
