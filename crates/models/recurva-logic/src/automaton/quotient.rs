//! One state for several that are as good as each other.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{
    graph::{Arc, Graph},
    letters::Letters,
    reduce::Marking,
    translate::{Config, TooLarge},
};

/// Joins states with the same arcs up to states that were joined (bisimulation, by refining a
/// partition).
pub(super) fn bisimulation(
    graph: &mut Graph,
    letters: &mut Letters,
    config: &Config<'_>,
) -> Result<(), TooLarge> {
    let mut class = vec![0u32; graph.states()];
    let mut classes = 1;
    // A chain takes as many rounds as it has states: give up on very long ones.
    for _ in 0..2_000 {
        config.check()?;
        let mut ids: FxHashMap<(u32, Vec<Arc>), u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(class.len());
        for (state, arcs) in graph.arcs.iter().enumerate() {
            let mut signature: Vec<Arc> = arcs
                .iter()
                .map(|arc| Arc {
                    target: class[arc.target as usize],
                    ..*arc
                })
                .collect();
            join(&mut signature, letters);
            let fresh = ids.len() as u32;
            refined.push(*ids.entry((class[state], signature)).or_insert(fresh));
        }
        let count = ids.len();
        class = refined;
        if count == classes {
            let mut representative = vec![u32::MAX; count];
            for (state, &class) in class.iter().enumerate().rev() {
                representative[class as usize] = state as u32;
            }
            let of = class.iter().map(|&class| representative[class as usize]);
            forward_quotient(graph, &of.collect::<Vec<_>>(), letters);
            return Ok(());
        }
        classes = count;
    }
    Ok(())
}

fn join(arcs: &mut Vec<Arc>, letters: &mut Letters) {
    arcs.sort_unstable();
    arcs.dedup_by(|arc, kept| {
        let same = (arc.target, arc.marks) == (kept.target, kept.marks);
        if same {
            kept.label = letters.or(kept.label, arc.label);
        }
        same
    });
}

/// A relation between states: row `q` has the states that do whatever `q` does.
struct Relation {
    rows: Vec<Vec<bool>>,
}

impl Relation {
    fn get(&self, q: u32, r: u32) -> bool {
        self.rows[q as usize][r as usize]
    }

    /// The first of the states that are equal to each state both ways.
    fn representatives(&self) -> Vec<u32> {
        let count = self.rows.len() as u32;
        (0..count)
            .map(|q| {
                (0..q)
                    .find(|&r| self.get(q, r) && self.get(r, q))
                    .unwrap_or(q)
            })
            .collect()
    }

    /// The greatest simulation below a relation. `arcs[q]` lists the arcs to be matched.
    fn refine(
        &mut self,
        arcs: &[Vec<Arc>],
        letters: &mut Letters,
        config: &Config<'_>,
    ) -> Result<(), TooLarge> {
        let count = arcs.len() as u32;
        let mut changed = true;
        while changed {
            changed = false;
            for q in 0..count {
                config.check()?;
                for r in 0..count {
                    if q != r
                        && self.get(q, r)
                        && !self.matches(&arcs[q as usize], &arcs[r as usize], letters)
                    {
                        self.rows[q as usize][r as usize] = false;
                        changed = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether for every arc and letter there is an arc among `others` that is at least as good.
    fn matches(&self, arcs: &[Arc], others: &[Arc], letters: &mut Letters) -> bool {
        arcs.iter().all(|arc| {
            let mut rest = arc.label;
            for other in others {
                if arc.marks & !other.marks == 0 && self.get(arc.target, other.target) {
                    rest = letters.minus(rest, other.label);
                    if rest.is_empty() {
                        return true;
                    }
                }
            }
            rest.is_empty()
        })
    }
}

/// Whether a graph is small enough to compare all pairs of states.
pub(super) fn comparable(graph: &Graph) -> bool {
    let (states, arcs) = (graph.states() as u64, graph.arc_count() as u64);
    states <= 1_000 && states * states + arcs * arcs <= 4_000_000
}

/// Joins states that simulate each other, and drops arcs that a better one makes superfluous.
pub(super) fn simulation(
    graph: &mut Graph,
    letters: &mut Letters,
    config: &Config<'_>,
) -> Result<(), TooLarge> {
    let count = graph.states();
    let mut relation = Relation {
        rows: vec![vec![true; count]; count],
    };
    relation.refine(&graph.arcs, letters, config)?;
    forward_quotient(graph, &relation.representatives(), letters);
    for arcs in &mut graph.arcs {
        let before = arcs.clone();
        for (index, arc) in arcs.iter_mut().enumerate() {
            for (other, better) in before.iter().enumerate() {
                if index != other
                    && arc.marks & !better.marks == 0
                    && relation.get(arc.target, better.target)
                {
                    arc.label = letters.minus(arc.label, better.label);
                }
            }
        }
        arcs.retain(|arc| !arc.label.is_empty());
    }
    Ok(())
}

/// Lets the arcs of representatives lead to representatives. The others cannot be reached then.
fn forward_quotient(graph: &mut Graph, representative: &[u32], letters: &mut Letters) {
    for (state, arcs) in graph.arcs.iter_mut().enumerate() {
        if representative[state] != state as u32 {
            arcs.clear();
        }
        for arc in arcs {
            arc.target = representative[arc.target as usize];
        }
    }
    graph.initial = representative[graph.initial as usize];
    graph.join(letters);
}

/// Joins states that can be reached in the same ways: simulation along reversed arcs.
pub(super) fn reverse_simulation(
    graph: &mut Graph,
    letters: &mut Letters,
    marking: Marking,
    config: &Config<'_>,
) -> Result<(), TooLarge> {
    let count = graph.states();
    let mut reversed: Vec<Vec<Arc>> = vec![Vec::new(); count];
    for (state, arcs) in graph.arcs.iter().enumerate() {
        for arc in arcs {
            reversed[arc.target as usize].push(Arc {
                target: state as u32,
                ..*arc
            });
        }
    }
    let marks_of = |state: usize| match marking {
        Marking::Transitions => 0,
        Marking::States => graph.arcs[state].iter().fold(0, |all, arc| all | arc.marks),
    };
    let initial = graph.initial as usize;
    let fits =
        |q: usize, r: usize| (q != initial || r == initial) && marks_of(q) & !marks_of(r) == 0;
    let mut relation = Relation {
        rows: (0..count)
            .map(|q| (0..count).map(|r| fits(q, r)).collect())
            .collect(),
    };
    relation.refine(&reversed, letters, config)?;
    let representative = relation.representatives();
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); count];
    for (state, list) in graph.arcs.iter().enumerate() {
        for &arc in list {
            if representative[arc.target as usize] == arc.target {
                arcs[representative[state] as usize].push(arc);
            }
        }
    }
    graph.arcs = arcs;
    graph.initial = representative[initial];
    graph.join(letters);
    Ok(())
}

/// A number that is the same for graphs that are the same.
pub(super) fn fingerprint(graph: &Graph) -> u64 {
    let mut hasher = FxHasher::default();
    (graph.initial, graph.sets, &graph.arcs).hash(&mut hasher);
    hasher.finish()
}
