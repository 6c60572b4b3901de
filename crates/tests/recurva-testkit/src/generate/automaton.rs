//! Random Büchi automata.

use recurva_model::{Automaton, AutomatonEdge, Cube, Guard, Letter, Malformed, Program};

use super::monitor::guard;
use crate::rng::Rng;

/// A random generalised Büchi automaton for a program: up to four states, up to two acceptance
/// sets, and one to three conditions over labels, procedures, boolean globals and boolean
/// locals. Some of its edges can never be taken, some always. The same seed and program give
/// the same automaton.
///
/// # Errors
///
/// None for a checked program: an error is a mistake of this function.
pub fn automaton(seed: u64, program: &Program) -> Result<Automaton, Malformed> {
    let mut rng = Rng::new(seed ^ 0x6175_746f_6d61_746f);
    let conditions: Vec<Guard> = (0..1 + rng.below(3))
        .map(|_| guard(&mut rng, program))
        .collect();
    let states = 1 + rng.below(4) as u32;
    let sets = rng.below(3) as u32;
    let mut edges = Vec::new();
    for from in 0..states {
        for _ in 0..1 + rng.below(3) {
            edges.push(AutomatonEdge {
                from,
                to: rng.below(states as usize) as u32,
                cubes: cubes(&mut rng, conditions.len()),
                marks: rng.below(1 << sets) as u32 & rng.below(1 << sets) as u32,
            });
        }
    }
    let initial = rng.below(states as usize) as u32;
    let acceptance = (1 << sets) - 1;
    Automaton::new(program, conditions, states, initial, acceptance, edges)
}

fn cubes(rng: &mut Rng, conditions: usize) -> Box<[Cube]> {
    if rng.chance(25) {
        return [Cube::default()].into();
    }
    let count = [1, 1, 1, 2, 2, 0][rng.below(6)];
    let mut cube = || {
        let mut bits = || rng.bits() & rng.bits() & ((1 << conditions) - 1) as Letter;
        let (positive, negative) = (bits(), bits());
        // Both at once are rare, but allowed: no letter is like that.
        let keep = if rng.chance(5) { 0 } else { positive };
        Cube {
            positive,
            negative: negative & !keep,
        }
    };
    (0..count).map(|_| cube()).collect()
}
