//! Classical Büchi automata: one acceptance set, on states.

use rustc_hash::FxHashMap;

use super::{
    Marks, Tgba,
    graph::{Arc, Components, Graph},
    letters::Letters,
    reduce::{Marking, reduce},
    translate::{Config, TooLarge},
};

/// How many orders of the acceptance sets are tried.
const ORDERS: usize = 6;

impl Tgba {
    /// A Büchi automaton with marks on states that accepts the same words: one acceptance set,
    /// and [`Tgba::is_state_based`] holds.
    ///
    /// A state is one of this automaton's with the number of sets it has seen since it last saw
    /// all of them. The count begins anew where a component is entered, is not kept where no
    /// run stays, and what all ways on have in common is counted on arrival.
    pub fn degeneralise(&self, config: &Config<'_>) -> Result<Tgba, TooLarge> {
        let mut letters = Letters::default();
        let graph = Graph::of(self, &mut letters);
        let mut best: Option<Graph> = None;
        for order in orders(self.sets) {
            let flat = flatten(&graph, &order, config)?;
            let flat = if config.reduce {
                reduce(flat, &mut letters, Marking::States, config)?
            } else {
                flat
            };
            let size = |graph: &Graph| (graph.states(), graph.arc_count());
            if best.as_ref().is_none_or(|best| size(&flat) < size(best)) {
                best = Some(flat);
            }
        }
        let best = best.unwrap_or_else(|| Graph::empty(1));
        best.automaton(self.atoms.clone(), &mut letters, config.edges)
    }
}

/// Automata with more states are not counted out to see whether that makes them smaller.
const MOST_COUNTED: usize = 64;

/// A smaller automaton with one set instead of several, if there is one: with fewer marks more
/// states are as good as each other.
pub(super) fn count_out(
    graph: Graph,
    letters: &mut Letters,
    config: &Config<'_>,
) -> Result<Graph, TooLarge> {
    if graph.sets == 0 || graph.states() < 2 || graph.states() > MOST_COUNTED {
        return Ok(graph);
    }
    let forward: Vec<u32> = (0..graph.sets).collect();
    let flat = flatten(&graph, &forward, config)?;
    let mut best = graph;
    for candidate in [flat.clone(), flat.with_marks_on_entry()] {
        let small = reduce(candidate, letters, Marking::Transitions, config)?;
        if small.states() < best.states() {
            best = small;
        }
    }
    Ok(best)
}

/// Some orders of the sets: all rotations, forwards and backwards, as far as there is room.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    let forward: Vec<u32> = (0..sets).collect();
    let mut list: Vec<Vec<u32>> = Vec::new();
    for start in 0..sets.max(1) as usize {
        let mut order = forward.clone();
        order.rotate_left(start.min(forward.len()));
        let mut backward = order.clone();
        backward.reverse();
        for order in [order, backward] {
            if list.len() < ORDERS && !list.contains(&order) {
                list.push(order);
            }
        }
    }
    list
}

/// The marks that all arcs from a state that stay in its component have in common.
fn common_marks(graph: &Graph, components: &Components, state: u32) -> Marks {
    graph.arcs[state as usize]
        .iter()
        .filter(|arc| components.inside(state, arc.target))
        .fold(graph.all_marks(), |common, arc| common & arc.marks)
}

fn flatten(graph: &Graph, order: &[u32], config: &Config<'_>) -> Result<Graph, TooLarge> {
    let components = graph.components();
    let last = order.len() as u32;
    let common: Vec<Marks> = (0..graph.states() as u32)
        .map(|state| common_marks(graph, &components, state))
        .collect();
    // How far the count is at a state that is reached with some count and marks.
    let arrive = |state: u32, count: u32, marks: Marks| {
        if !components.accepts(state) {
            return 0;
        }
        let marks = marks | common[state as usize];
        let seen = order[count as usize..]
            .iter()
            .take_while(|&&set| marks >> set & 1 == 1);
        count + seen.count() as u32
    };
    let mut ids: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut states = vec![(graph.initial, arrive(graph.initial, 0, 0))];
    ids.insert(states[0], 0);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    while let Some(&(state, count)) = states.get(arcs.len()) {
        config.check()?;
        let accepts = count == last && components.accepts(state);
        let count = if count == last { 0 } else { count };
        let mut list = Vec::new();
        for arc in &graph.arcs[state as usize] {
            let key = if components.inside(state, arc.target) {
                (arc.target, arrive(arc.target, count, arc.marks))
            } else {
                (arc.target, arrive(arc.target, 0, 0))
            };
            let fresh = states.len() as u32;
            let target = *ids.entry(key).or_insert(fresh);
            if target == fresh {
                if states.len() >= config.states {
                    return Err(TooLarge::States(config.states));
                }
                states.push(key);
            }
            list.push(Arc {
                target,
                marks: Marks::from(accepts),
                label: arc.label,
            });
        }
        arcs.push(list);
    }
    Ok(Graph {
        initial: 0,
        sets: 1,
        arcs,
    })
}
