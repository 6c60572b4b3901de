//! Fair components of the graph H (Lemmas 4 and 5), and a turn round one.

use std::collections::VecDeque;

use crate::{
    Analysis, Marks,
    evidence::Hop,
    meter::{Meter, Stopped},
    saturate::NEVER,
    strong::strong_components,
};

/// A vertex and a closed walk from it that passes all marks: without calls, or with at least
/// one if `diverging`.
pub(crate) fn fair_turn(
    analysis: &Analysis<'_>,
    diverging: bool,
    meter: &mut Meter<'_>,
) -> Result<Option<(u32, Vec<Hop>)>, Stopped> {
    let graph = Graph {
        analysis,
        calls: diverging,
    };
    let vertices = analysis.layout().sites.len();
    let hop = |vertex, index| graph.hop(vertex, index);
    let component = strong_components(vertices, analysis.order(), hop, meter)?;
    let Some(start) = graph.fair_start(&component, meter)? else {
        return Ok(None);
    };
    let turn = graph.turn(&component, start, meter)?;
    Ok(Some((start, turn)))
}

/// What is inside a component.
#[derive(Clone, Copy, Default)]
struct Sum {
    marks: Marks,
    has_edge: bool,
    has_call: bool,
}

/// The reachable part of H, with calls or without.
struct Graph<'a, 'm> {
    analysis: &'a Analysis<'m>,
    calls: bool,
}

impl Graph<'_, '_> {
    fn hop(&self, vertex: u32, index: u32) -> Option<Option<u32>> {
        let hop = self.analysis.hop(vertex, index)?;
        Some(hop.filter(|&to| self.calls || !self.analysis.is_call(vertex, to)))
    }

    fn hops(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        (0..).map_while(move |i| self.hop(vertex, i)).flatten()
    }

    /// The nearest vertex of a fair component.
    fn fair_start(&self, component: &[u32], meter: &mut Meter<'_>) -> Result<Option<u32>, Stopped> {
        let mut sums = vec![Sum::default(); self.analysis.order().len()];
        for (from, &number) in (0..).zip(component) {
            if number == NEVER {
                continue;
            }
            let sum = &mut sums[number as usize];
            let mut work = 1;
            for to in self.hops(from) {
                work += 1;
                if component[to as usize] == number {
                    sum.has_edge = true;
                    sum.has_call |= self.analysis.is_call(from, to);
                    sum.marks = sum.marks.union(self.gain(from, to));
                }
            }
            meter.add(work)?;
        }
        let all = self.analysis.all();
        let is_fair =
            |sum: &Sum| sum.has_edge && sum.marks.contains(all) && (sum.has_call || !self.calls);
        if !sums.iter().any(is_fair) {
            return Ok(None);
        }
        let in_fair = |vertex: u32| is_fair(&sums[component[vertex as usize] as usize]);
        let mut order = self.analysis.order().iter().copied();
        Ok(order.find(|&vertex| in_fair(vertex)))
    }

    /// The marks that a hop can add: those on the way and those of its end.
    fn gain(&self, from: u32, to: u32) -> Marks {
        let way = self.analysis.passing(from, to);
        way.union(self.analysis.marks(to))
    }

    /// A closed walk from `start` within its fair component. A summary passes one mark at a
    /// time: the walk takes it again where it needs more.
    fn turn(
        &self,
        component: &[u32],
        start: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Hop>, Stopped> {
        let mut turn: Vec<Hop> = Vec::new();
        let mut missing = self.analysis.all();
        let mut wants_call = self.calls;
        let mut at = start;
        let mut walker = Walker {
            graph: self,
            component,
            before: vec![NEVER; component.len()],
        };
        loop {
            let done = missing.is_empty() && !wants_call;
            if done && at == start && !turn.is_empty() {
                return Ok(turn);
            }
            let way = walker.walk(at, meter, |from, to| {
                let hop = Hop::plain(to);
                if done {
                    return (to == start).then_some(hop);
                }
                let is_wanted_call = wants_call && self.analysis.is_call(from, to);
                let here = self.analysis.marks(to).both(missing);
                if is_wanted_call || !here.is_empty() {
                    return Some(hop);
                }
                let mark = self.analysis.passing(from, to).both(missing).first()?;
                Some(Hop::with_mark(to, mark))
            })?;
            // What is wanted is in the component, so there is a way.
            let Some(way) = way else { return Ok(turn) };
            for hop in way {
                wants_call &= !self.analysis.is_call(at, hop.to);
                missing = missing.without(self.analysis.marks(hop.to).union(hop.marks()));
                at = hop.to;
                turn.push(hop);
            }
        }
    }
}

/// Shortest walks within a component.
struct Walker<'g, 'a, 'm> {
    graph: &'g Graph<'a, 'm>,
    component: &'g [u32],
    /// How each vertex was reached; all [`NEVER`] between two walks.
    before: Vec<u32>,
}

impl Walker<'_, '_, '_> {
    /// The shortest walk to a wanted hop, that hop included.
    fn walk(
        &mut self,
        from: u32,
        meter: &mut Meter<'_>,
        wanted: impl Fn(u32, u32) -> Option<Hop>,
    ) -> Result<Option<Vec<Hop>>, Stopped> {
        let mut queue = VecDeque::from([from]);
        let mut touched = vec![from];
        self.before[from as usize] = from;
        let mut found = None;
        'search: while let Some(vertex) = queue.pop_front() {
            for to in self.graph.hops(vertex) {
                meter.add(1)?;
                if self.component[to as usize] != self.component[from as usize] {
                    continue;
                }
                if let Some(hop) = wanted(vertex, to) {
                    found = Some((vertex, hop));
                    break 'search;
                }
                if self.before[to as usize] == NEVER {
                    self.before[to as usize] = vertex;
                    touched.push(to);
                    queue.push_back(to);
                }
            }
        }
        let way = found.map(|(last, hop)| {
            let mut way = vec![hop];
            let mut at = last;
            while at != from {
                way.push(Hop::plain(at));
                at = self.before[at as usize];
            }
            way.reverse();
            way
        });
        for vertex in touched {
            self.before[vertex as usize] = NEVER;
        }
        Ok(way)
    }
}
