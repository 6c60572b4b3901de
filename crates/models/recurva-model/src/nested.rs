//! Büchi automata over nested words that watch a program: at a return they also look back at
//! the state in which the call was made.

use std::collections::HashMap;

use crate::{Cube, Guard, Letter, Malformed, Program, observe::check_guard};

/// An edge of a [`NestedAutomaton`], from a head to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedEdge {
    /// The state it leads to.
    pub to: u32,
    /// It may be taken on the letters of any of these.
    pub cubes: Box<[Cube]>,
}

/// A state of a [`NestedAutomaton`]: a position has been read. It says which steps may follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NestedState {
    /// Its acceptance marks, as bits.
    pub marks: u32,
    /// The head after a step within the procedure.
    pub step: Option<u32>,
    /// The head after a call, in the procedure called.
    pub call: Option<u32>,
    /// What a return from that call finds here; if nothing, the call must not return.
    pub frame: Option<u32>,
    /// What a return takes along from here; if nothing, there must not be one.
    pub exit: Option<u32>,
}

/// The parts of a [`NestedAutomaton`] that know no program: its conditions are the bits of
/// letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedParts {
    /// The states.
    pub states: Vec<NestedState>,
    /// For each head the edges that leave it. A head is where a position is about to be read.
    pub heads: Vec<Vec<NestedEdge>>,
    /// The head where runs begin.
    pub initial: u32,
    /// The marks that an accepting run passes again and again, as bits.
    pub acceptance: u32,
    /// The head after a return, for what it takes along ([`NestedState::exit`]) and what it
    /// finds ([`NestedState::frame`]). Where there is none, there must not be such a return.
    pub returns: HashMap<(u32, u32), u32>,
}

impl NestedParts {
    /// The edges that leave a head.
    pub fn edges_from(&self, head: u32) -> &[NestedEdge] {
        self.heads.get(head as usize).map_or(&[], |edges| edges)
    }

    /// The head after a return, if there may be one: from the state at the end of the callee to
    /// the state in which the call was made.
    pub fn returned(&self, exit: NestedState, call: NestedState) -> Option<u32> {
        self.returns.get(&(exit.exit?, call.frame?)).copied()
    }

    /// The automaton that reads only positions where one more condition holds, with that bit,
    /// and passes all others by. It accepts no run that has only finitely many such positions.
    /// Where a call is made without a position before it in its
    /// procedure, the call does not count as one.
    #[must_use]
    pub fn skipping(mut self, bit: u32) -> Self {
        let bit: Letter = 1 << bit;
        for cube in self
            .heads
            .iter_mut()
            .flatten()
            .flat_map(|edge| &mut edge.cubes)
        {
            cube.positive |= bit;
        }
        let pass = |to: usize| NestedEdge {
            to: to as u32,
            cubes: [Cube {
                positive: 0,
                negative: bit,
            }]
            .into(),
        };
        // Without a mark of its own it would accept by passing by for ever.
        if self.acceptance == 0 {
            self.acceptance = 1;
            self.states.iter_mut().for_each(|state| state.marks = 1);
        }
        let (states, heads) = (self.states.len(), self.heads.len());
        // After a position that counts the state stays what it is, whatever comes then.
        for state in 0..states {
            let step = self.states[state].step;
            let mut edges = step.map_or(Vec::new(), |head| self.heads[head as usize].clone());
            edges.push(pass(states + state));
            self.states[state].step = Some(self.heads.len() as u32);
            self.heads.push(edges);
        }
        self.states.extend_from_within(..);
        for state in &mut self.states[states..] {
            state.marks = 0;
        }
        // Behind a call or a return the position to be read is still to come.
        for head in 0..heads {
            let to = self.states.len();
            self.heads[head].push(pass(to));
            self.states.push(NestedState {
                step: Some(head as u32),
                call: Some(head as u32),
                ..NestedState::default()
            });
        }
        self
    }
}

/// A generalised Büchi automaton over nested words, with marks on its states, that watches a
/// program. It reads every configuration once, the first one included; the step from one to the
/// next is within a procedure, a call, or a return, and a return looks back at the state in which
/// its call was made. A run that cannot go on is no run. It accepts if each mark is passed again
/// and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedAutomaton {
    conditions: Vec<Guard>,
    parts: NestedParts,
}

impl NestedAutomaton {
    /// Checks that the parts fit each other and the program. The first condition is bit 0 of
    /// letters.
    pub fn new(
        program: &Program,
        conditions: Vec<Guard>,
        parts: NestedParts,
    ) -> Result<Self, Malformed> {
        let bad = |reason: &str| Err(Malformed::new("automaton", reason));
        if conditions.len() > Letter::BITS as usize {
            return bad("there are more than 64 conditions");
        }
        let is_head = |&head: &u32| (head as usize) < parts.heads.len();
        let steps = |state: &NestedState| [state.step, state.call].into_iter().flatten();
        let mut edges = parts.heads.iter().flatten();
        let fits = is_head(&parts.initial)
            && parts
                .states
                .iter()
                .flat_map(steps)
                .all(|head| is_head(&head))
            && parts.returns.values().all(is_head)
            && edges.all(|edge| (edge.to as usize) < parts.states.len());
        if !fits {
            return bad("there is no such state");
        }
        let known = match conditions.len() as u32 {
            Letter::BITS => Letter::MAX,
            count => (1 << count) - 1,
        };
        let mut cubes = parts.heads.iter().flatten().flat_map(|edge| &*edge.cubes);
        if cubes.any(|cube| (cube.positive | cube.negative) & !known != 0) {
            return bad("there is no such condition");
        }
        for guard in &conditions {
            check_guard(program, guard)?;
        }
        Ok(NestedAutomaton { conditions, parts })
    }

    /// The conditions: the first is bit 0 of letters.
    pub fn conditions(&self) -> &[Guard] {
        &self.conditions
    }

    /// The states, heads and edges.
    pub fn parts(&self) -> &NestedParts {
        &self.parts
    }
}
