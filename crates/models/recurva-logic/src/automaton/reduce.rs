//! Smaller automata that accept the same words.

use super::{
    Marks,
    graph::{Components, Graph},
    letters::Letters,
    quotient::{bisimulation, comparable, fingerprint, reverse_simulation, simulation},
    translate::{Config, TooLarge},
};

/// Where marks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marking {
    /// On transitions, as they come.
    Transitions,
    /// On states: all arcs that leave a state have the same marks.
    States,
}

/// What marks arcs get that no run passes twice: any will do, but what can be joined depends on
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transient {
    None,
    All,
}

/// Above this many states only states that no accepting run passes are removed.
const MOST_STATES: usize = 20_000;

/// Applies all reductions until none of them finds anything.
pub(super) fn reduce(
    mut graph: Graph,
    letters: &mut Letters,
    marking: Marking,
    config: &Config<'_>,
) -> Result<Graph, TooLarge> {
    trim(&mut graph);
    if graph.states() > MOST_STATES {
        return Ok(graph);
    }
    let mut best = None;
    for transient in [Transient::All, Transient::None] {
        let mut candidate = graph.clone();
        settle(&mut candidate, letters, (marking, transient), config)?;
        if marking == Marking::Transitions {
            renumber(&mut candidate);
            settle(&mut candidate, letters, (marking, transient), config)?;
        }
        let size = |graph: &Graph| (graph.states(), graph.arc_count(), graph.sets);
        if best
            .as_ref()
            .is_none_or(|best| size(&candidate) < size(best))
        {
            best = Some(candidate);
        }
    }
    let mut graph = best.unwrap_or(graph);
    tidy(&mut graph, marking);
    Ok(graph)
}

fn settle(
    graph: &mut Graph,
    letters: &mut Letters,
    (marking, transient): (Marking, Transient),
    config: &Config<'_>,
) -> Result<(), TooLarge> {
    // Each round makes the graph smaller or leaves it alone but for marks; the bound is there
    // in case marks go back and forth.
    for _ in 0..32 {
        let before = (graph.states(), graph.arc_count(), fingerprint(graph));
        trim(graph);
        clean_marks(graph, marking, transient);
        bisimulation(graph, letters, config)?;
        trim(graph);
        if comparable(graph) {
            clean_marks(graph, marking, transient);
            simulation(graph, letters, config)?;
            trim(graph);
            clean_marks(graph, marking, transient);
            reverse_simulation(graph, letters, marking, config)?;
            trim(graph);
        }
        clean_marks(graph, marking, transient);
        graph.join(letters);
        if before == (graph.states(), graph.arc_count(), fingerprint(graph)) {
            break;
        }
    }
    Ok(())
}

/// Removes states that no accepting run passes.
fn trim(graph: &mut Graph) {
    let components = graph.components();
    // Components are numbered so that arcs lead to earlier ones or stay.
    let mut order: Vec<u32> = (0..graph.states() as u32)
        .filter(|&state| components.of[state as usize] != u32::MAX)
        .collect();
    order.sort_by_key(|&state| components.of[state as usize]);
    let mut live = components.accepting.clone();
    for &state in &order {
        let component = components.of[state as usize] as usize;
        let leads = graph.arcs[state as usize]
            .iter()
            .any(|arc| live[components.of[arc.target as usize] as usize]);
        live[component] |= leads;
    }
    let keep: Vec<bool> = components
        .of
        .iter()
        .map(|&component| live.get(component as usize).is_some_and(|&live| live))
        .collect();
    if keep.contains(&false) {
        graph.retain(&keep);
    }
}

/// Gives arcs that are not part of accepting runs' loops the same marks.
fn clean_marks(graph: &mut Graph, marking: Marking, transient: Transient) {
    let components = graph.components();
    let all = graph.all_marks();
    let free = match transient {
        Transient::None => 0,
        Transient::All => all,
    };
    for state in 0..graph.states() as u32 {
        let arcs = &mut graph.arcs[state as usize];
        let loops = arcs.iter().any(|arc| components.inside(state, arc.target));
        match marking {
            // A loop through this state may still be one: the others of its component tell.
            Marking::States => {
                let marks = match (components.accepts(state), loops) {
                    (true, _) => continue,
                    (false, true) => 0,
                    (false, false) => free,
                };
                arcs.iter_mut().for_each(|arc| arc.marks = marks);
            }
            Marking::Transitions => {
                for arc in arcs {
                    if !components.inside(state, arc.target) {
                        arc.marks = free;
                    } else if !components.accepts(state) {
                        arc.marks = 0;
                    }
                }
            }
        }
    }
}

/// In its final form an automaton has marks only where they matter.
fn tidy(graph: &mut Graph, marking: Marking) {
    clean_marks(graph, marking, Transient::None);
    let components = graph.components();
    let rejecting = (0..graph.states() as u32).any(|state| {
        !components.accepts(state)
            && graph.arcs[state as usize]
                .iter()
                .any(|arc| components.inside(state, arc.target))
    });
    // If every loop accepts there is nothing to mark.
    let full = |state: usize, graph: &Graph| {
        graph.arcs[state].iter().all(|arc| {
            !components.inside(state as u32, arc.target) || arc.marks == graph.all_marks()
        })
    };
    if marking == Marking::Transitions
        && !rejecting
        && (0..graph.states()).all(|state| full(state, graph))
    {
        graph.sets = 0;
        for arc in graph.arcs.iter_mut().flatten() {
            arc.marks = 0;
        }
    }
}

/// Gives every accepting component as few acceptance sets as it needs, and the automaton as
/// many as the most needy one.
fn renumber(graph: &mut Graph) {
    let components = graph.components();
    let needs: Vec<Vec<u32>> = (0..components.accepting.len())
        .map(|component| {
            if components.accepting[component] {
                needed_sets(graph, &components, component as u32)
            } else {
                Vec::new()
            }
        })
        .collect();
    let most = needs.iter().map(Vec::len).max().unwrap_or_default() as u32;
    // Loops that do not accept need a mark that they can lack.
    let sets = most.max(1).min(graph.sets);
    for (state, arcs) in graph.arcs.iter_mut().enumerate() {
        for arc in arcs {
            let accepts = components.accepts(state as u32);
            if !accepts || !components.inside(state as u32, arc.target) {
                arc.marks = 0;
                continue;
            }
            let needed = &needs[components.of[state] as usize];
            let mut marks: Marks = 0;
            for set in 0..sets {
                let has = match needed.get(set as usize) {
                    Some(old) => arc.marks >> old & 1,
                    None => 1,
                };
                marks |= has << set;
            }
            arc.marks = marks;
        }
    }
    graph.sets = sets;
}

/// The sets of a component whose marks are not implied by those of another one.
fn needed_sets(graph: &Graph, components: &Components, component: u32) -> Vec<u32> {
    let inside = |state: &usize| components.of[*state] == component;
    let arcs: Vec<Marks> = (0..graph.states())
        .filter(inside)
        .flat_map(|state| &graph.arcs[state])
        .filter(|arc| components.of[arc.target as usize] == component)
        .map(|arc| arc.marks)
        .collect();
    let has = |marks: Marks, set: u32| marks >> set & 1 == 1;
    let implied = |by: u32, set: u32| arcs.iter().all(|&m| !has(m, by) || has(m, set));
    let mut needed: Vec<u32> = (0..graph.sets)
        .filter(|&set| !arcs.iter().all(|&marks| has(marks, set)))
        .collect();
    let mut index = 0;
    while index < needed.len() {
        let set = needed[index];
        if needed.iter().any(|&by| by != set && implied(by, set)) {
            needed.remove(index);
        } else {
            index += 1;
        }
    }
    needed
}
