//! What is watched for along an infinite run, in one form for all kinds of automata.

use std::collections::HashMap;

use recurva_model::{Automaton, Cube, Guard, NestedAutomaton};

/// An automaton that reads the configurations of a run one by one. Before it reads one it is in a
/// *head*, afterwards in a *state*, which says how it goes on after a step, a call or a return.
///
/// It accepts if it never gets stuck and passes each of its marks again and again.
#[derive(Clone, Debug)]
pub struct Watcher {
    pub(crate) conditions: Vec<Guard>,
    pub(crate) initial: u32,
    /// The marks that must come again and again, as bits.
    pub(crate) acceptance: u32,
    /// For each head how it may be left.
    pub(crate) heads: Vec<Vec<Read>>,
    pub(crate) states: Vec<State>,
    /// The head after a return: for [`State::exit`] of where the callee ends, and
    /// [`State::frame`] of where the call was made.
    pub(crate) returns: HashMap<(u32, u32), u32>,
}

/// A way to read one configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    /// The letters it can be taken on.
    pub(crate) cube: Cube,
    /// The state it leads to.
    pub(crate) to: u32,
    /// The marks that are passed, as bits.
    pub(crate) marks: u32,
}

/// A state: a configuration has been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The head after a step within the procedure.
    pub(crate) step: Option<u32>,
    /// The head after a call, in the procedure called.
    pub(crate) call: Option<u32>,
    /// What a return to here is told; if nothing, the call must not return.
    pub(crate) frame: Option<u32>,
    /// What a return from here takes along; if nothing, there must be none.
    pub(crate) exit: Option<u32>,
}

impl Watcher {
    /// It accepts every infinite run.
    pub fn of_everything() -> Self {
        Watcher {
            conditions: Vec::new(),
            initial: 0,
            acceptance: 0,
            heads: vec![vec![Read {
                cube: Cube::default(),
                to: 0,
                marks: 0,
            }]],
            states: vec![State {
                step: Some(0),
                call: Some(0),
                frame: Some(0),
                exit: Some(0),
            }],
            returns: HashMap::from([((0, 0), 0)]),
        }
    }

    /// It accepts what an automaton on plain words accepts: calls and returns are steps like all
    /// others.
    pub fn of_automaton(automaton: &Automaton) -> Self {
        let states = 0..automaton.states();
        let mut heads: Vec<Vec<Read>> = states.clone().map(|_| Vec::new()).collect();
        for edge in automaton.edges() {
            heads[edge.from as usize].extend(edge.cubes.iter().map(|&cube| Read {
                cube,
                to: edge.to,
                marks: edge.marks & automaton.acceptance(),
            }));
        }
        Watcher {
            conditions: automaton.conditions().to_vec(),
            initial: automaton.initial(),
            acceptance: automaton.acceptance(),
            heads,
            states: states
                .clone()
                .map(|state| State {
                    step: Some(state),
                    call: Some(state),
                    frame: Some(0),
                    exit: Some(state),
                })
                .collect(),
            returns: states.map(|state| ((state, 0), state)).collect(),
        }
    }

    /// It accepts what an automaton over nested words accepts.
    pub fn of_nested(automaton: &NestedAutomaton) -> Self {
        let parts = automaton.parts();
        let reads = |edges: &Vec<recurva_model::NestedEdge>| -> Vec<Read> {
            let reads = edges.iter().flat_map(|edge| {
                let marks = parts.states[edge.to as usize].marks & parts.acceptance;
                edge.cubes.iter().map(move |&cube| Read {
                    cube,
                    to: edge.to,
                    marks,
                })
            });
            reads.collect()
        };
        Watcher {
            conditions: automaton.conditions().to_vec(),
            initial: parts.initial,
            acceptance: parts.acceptance,
            heads: parts.heads.iter().map(reads).collect(),
            states: parts
                .states
                .iter()
                .map(|state| State {
                    step: state.step,
                    call: state.call,
                    frame: state.frame,
                    exit: state.exit,
                })
                .collect(),
            returns: parts.returns.clone(),
        }
    }

    /// Whether there is nothing to be kept in mind: one state, which reads anything.
    pub(crate) fn is_trivial(&self) -> bool {
        let reads_anything = |reads: &Vec<Read>| {
            reads.len() == 1 && reads[0].cube == Cube::default() && reads[0].marks == 0
        };
        self.states.len() == 1 && self.heads.len() == 1 && self.heads.iter().all(reads_anything)
    }

    /// The head after a return, if there may be one.
    pub(crate) fn returned(&self, end: u32, call: u32) -> Option<u32> {
        let exit = self.states[end as usize].exit?;
        let frame = self.states[call as usize].frame?;
        self.returns.get(&(exit, frame)).copied()
    }
}
