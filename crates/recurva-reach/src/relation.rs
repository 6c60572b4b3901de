//! A relation between nodes that is never stored: a graph, its sources and its targets.

use crate::{
    closure::{Arrows, Condensed, LANES, Pass, Row, bits, parallel},
    meter::{Halt, Meter, Tally, heap},
};

/// How many pairs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pairs of different nodes.
    pub pairs: u64,
    /// Nodes that are related to themselves.
    pub diagonal: u64,
}

impl Count {
    /// All pairs.
    pub fn with_diagonal(self) -> u64 {
        self.pairs + self.diagonal
    }
}

/// Pairs of nodes `u`, `v` such that a path leads from `start + u` to `end + v`.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub(crate) graph: Condensed,
    pub(crate) width: u32,
    start: u32,
    end: u32,
    /// Whether every node is known to be related to itself.
    reflexive: bool,
}

impl Paths {
    pub(crate) fn new(
        arrows: &Arrows,
        width: u32,
        (start, end): (u32, u32),
        reflexive: bool,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        Ok(Paths {
            reflexive,
            graph: Condensed::new(arrows, start..start + width, meter)?,
            width,
            start,
            end,
        })
    }

    fn source(&self, node: u32) -> u32 {
        self.graph.of_node[(self.start + node) as usize]
    }

    /// The nodes that are targets in a component.
    fn targets(&self, component: u32) -> impl Iterator<Item = u32> {
        let members = self.graph.members.from(component).iter();
        let (end, width) = (self.end, self.width);
        members.filter_map(move |&it| it.checked_sub(end).filter(|&node| node < width))
    }

    pub(crate) fn count(&self, threads: usize, meter: &Meter<'_>) -> Result<Count, Halt> {
        let components = self.graph.len() as usize;
        let mut held = meter.hold(2 * heap(4 * components))?;
        let mut sources = held.list(0u32, components)?;
        for node in 0..self.width {
            sources[self.source(node) as usize] += 1;
        }
        let targets: Vec<u32> = (0..components as u32)
            .map(|component| self.targets(component).count() as u32)
            .collect();
        let heads: Vec<u32> = (0..components as u32)
            .filter(|&component| sources[component as usize] > 0)
            .collect();
        let teams: Vec<&[u32]> = heads.chunks(LANES).collect();
        let states = parallel(
            threads,
            teams.len(),
            meter,
            |meter| Ok((Pass::new(&self.graph, meter)?, 0u64, 0u64)),
            |(pass, all, diagonal), job, meter| {
                let weights = Weights::new(teams[job], &sources);
                let before = *all;
                pass.run(&self.graph, teams[job], meter, |component, row| {
                    let size = u64::from(targets[component as usize]);
                    if size > 0 {
                        *all += size * weights.sum(row);
                        if !self.reflexive {
                            *diagonal += self.on_diagonal(component, teams[job], row);
                        }
                    }
                    Ok(())
                })?;
                meter.found(*all - before);
                Ok(())
            },
        )?;
        let all = states.iter().map(|state| state.1).sum::<u64>();
        let diagonal = match self.reflexive {
            true => self.width.into(),
            false => states.iter().map(|state| state.2).sum(),
        };
        Ok(Count {
            pairs: all - diagonal,
            diagonal,
        })
    }

    /// The targets in a component whose own sources are in a team and reach it.
    fn on_diagonal(&self, component: u32, team: &[u32], row: &Row) -> u64 {
        let mut count = 0;
        for node in self.targets(component) {
            let source = self.source(node);
            if let Ok(lane) = team.binary_search(&source) {
                count += row[lane / 64] >> (lane % 64) & 1;
            }
        }
        count
    }

    /// Gives out the targets of every node in order; stops when `give` says so.
    pub(crate) fn rows<E>(
        &self,
        mut give: impl FnMut(u32, &[u32]) -> Result<(), E>,
        meter: &Meter<'_>,
    ) -> Result<Result<(), E>, Halt> {
        let mut pass = Pass::new(&self.graph, meter)?;
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); LANES];
        let mut tally = Tally::new(meter);
        let mut begin = 0;
        while begin < self.width {
            let end = self.width.min(begin + LANES as u32);
            let sources: Vec<u32> = (begin..end).map(|node| self.source(node)).collect();
            pass.run(&self.graph, &sources, meter, |component, row| {
                let mut targets = self.targets(component);
                let Some(first) = targets.next() else {
                    return Ok(());
                };
                let rest: Vec<u32> = targets.collect();
                for lane in bits(row) {
                    let list = &mut lists[lane];
                    let before = list.capacity();
                    list.push(first);
                    list.extend_from_slice(&rest);
                    tally.bytes += heap(4 * list.capacity()) - heap(4 * before);
                    tally.tell()?;
                }
                meter.work(rest.len() as u64)
            })?;
            for (lane, node) in (begin..end).enumerate() {
                lists[lane].sort_unstable();
                if let Err(error) = give(node, &lists[lane]) {
                    return Ok(Err(error));
                }
                lists[lane].clear();
            }
            begin = end;
        }
        Ok(Ok(()))
    }

    /// The targets of a node, in order.
    pub(crate) fn targets_of(&self, node: u32) -> Vec<u32> {
        let mut list = Vec::new();
        let source = self.source(node);
        let mut seen = vec![false; self.graph.len() as usize];
        let mut open = vec![source];
        seen[source as usize] = true;
        while let Some(component) = open.pop() {
            list.extend(self.targets(component));
            for &next in self.graph.arrows.from(component) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            }
        }
        list.sort_unstable();
        list
    }

    /// The nodes that have a target, in order.
    pub(crate) fn sources_of(&self, node: u32) -> Vec<u32> {
        let target = self.graph.of_node[(self.end + node) as usize];
        if target == u32::MAX {
            return Vec::new();
        }
        // Numbers only grow along edges: what a component leads to is known before it.
        let mut seen = vec![false; self.graph.len() as usize];
        seen[target as usize] = true;
        for component in (0..target).rev() {
            let next = self.graph.arrows.from(component);
            seen[component as usize] = next.iter().any(|&it| seen[it as usize]);
        }
        let nodes = 0..self.width;
        nodes
            .filter(|&node| seen[self.source(node) as usize])
            .collect()
    }

    pub(crate) fn contains(&self, from: u32, to: u32) -> bool {
        let (source, target) = (
            self.source(from),
            self.graph.of_node[(self.end + to) as usize],
        );
        let mut seen = vec![false; self.graph.len() as usize];
        let mut open = vec![source];
        while let Some(component) = open.pop() {
            if component == target {
                return true;
            }
            for &next in self.graph.arrows.from(component) {
                // Numbers only grow along edges.
                if next <= target && !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            }
        }
        false
    }
}

/// Weights of the sources of a team, bit by bit: the sum over a row is a few counts of bits.
struct Weights {
    digits: Vec<Row>,
    plain: bool,
}

impl Weights {
    fn new(team: &[u32], weights: &[u32]) -> Self {
        let most = team
            .iter()
            .map(|&it| weights[it as usize])
            .max()
            .unwrap_or(0);
        let count = 32 - most.leading_zeros();
        let digits = (0..count).map(|digit| {
            let mut row = [0; LANES / 64];
            for (lane, &source) in team.iter().enumerate() {
                row[lane / 64] |= u64::from(weights[source as usize] >> digit & 1) << (lane % 64);
            }
            row
        });
        Weights {
            digits: digits.collect(),
            plain: most == 1,
        }
    }

    #[inline]
    fn sum(&self, row: &Row) -> u64 {
        if self.plain {
            return row.iter().map(|word| u64::from(word.count_ones())).sum();
        }
        let mut sum = 0;
        for (digit, mask) in self.digits.iter().enumerate() {
            let both = row
                .iter()
                .zip(mask)
                .map(|(row, mask)| (row & mask).count_ones());
            sum += u64::from(both.sum::<u32>()) << digit;
        }
        sum
    }
}
