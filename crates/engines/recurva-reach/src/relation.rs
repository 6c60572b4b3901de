//! A relation between nodes that is never stored: a graph, its sources and its targets.

use crate::closure::{Arrows, Condensed, LANES, Pass, Row, bits, parallel};

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
    ) -> Self {
        Paths {
            reflexive,
            graph: Condensed::new(arrows, start..start + width),
            width,
            start,
            end,
        }
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

    pub(crate) fn count(&self, threads: usize) -> Count {
        let components = self.graph.len() as usize;
        let mut sources = vec![0u32; components];
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
            || (Pass::new(&self.graph), 0u64, 0u64),
            |(pass, all, diagonal), job| {
                let weights = Weights::new(teams[job], &sources);
                pass.run(&self.graph, teams[job], |component, row| {
                    let size = u64::from(targets[component as usize]);
                    if size > 0 {
                        *all += size * weights.sum(row);
                        if !self.reflexive {
                            *diagonal += self.on_diagonal(component, teams[job], row);
                        }
                    }
                });
            },
        );
        let all = states.iter().map(|state| state.1).sum::<u64>();
        let diagonal = match self.reflexive {
            true => self.width.into(),
            false => states.iter().map(|state| state.2).sum(),
        };
        Count {
            pairs: all - diagonal,
            diagonal,
        }
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
    ) -> Result<(), E> {
        let mut pass = Pass::new(&self.graph);
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); LANES];
        let mut begin = 0;
        while begin < self.width {
            let end = self.width.min(begin + LANES as u32);
            let sources: Vec<u32> = (begin..end).map(|node| self.source(node)).collect();
            pass.run(&self.graph, &sources, |component, row| {
                let mut targets = self.targets(component);
                let Some(first) = targets.next() else {
                    return;
                };
                let rest: Vec<u32> = targets.collect();
                for lane in bits(row) {
                    lists[lane].push(first);
                    lists[lane].extend_from_slice(&rest);
                }
            });
            for (lane, node) in (begin..end).enumerate() {
                lists[lane].sort_unstable();
                give(node, &lists[lane])?;
                lists[lane].clear();
            }
            begin = end;
        }
        Ok(())
    }

    /// The targets of a node, in order.
    pub(crate) fn targets_of(&self, node: u32) -> Vec<u32> {
        let mut list = Vec::new();
        let source = [self.source(node)];
        let mut pass = Pass::new(&self.graph);
        pass.run(&self.graph, &source, |component, _| {
            list.extend(self.targets(component));
        });
        list.sort_unstable();
        list
    }

    /// The nodes that have a target, in order.
    pub(crate) fn sources_of(&self, node: u32) -> Vec<u32> {
        let target = self.graph.of_node[(self.end + node) as usize];
        if target == u32::MAX {
            return Vec::new();
        }
        let back = self.graph.arrows.reversed();
        let mut seen = vec![false; self.graph.len() as usize];
        let mut open = vec![target];
        seen[target as usize] = true;
        while let Some(component) = open.pop() {
            for &before in back.from(component) {
                if !std::mem::replace(&mut seen[before as usize], true) {
                    open.push(before);
                }
            }
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

    pub(crate) fn bytes(&self) -> usize {
        self.graph.bytes()
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
