//! Whether a nondeterministic automaton accepts any tree, and a machine whose tree it accepts.
//!
//! The player builds a tree and a run on it: at a node the label, the transition, and whether
//! the node is a call. The opponent chooses the child at which that goes on.

use std::ops::ControlFlow;

use recurva_logic::nta::{Child, Nondeterministic, StateId, Transition};
use recurva_model::nsm::{Kind, Nsm, NsmBuilder, StateId as MachineState};
use rustc_hash::FxHashMap;

use crate::{
    Limits, Meter, Progress, SolveError,
    arena::{AllCount, Arena, Move, Player},
    cells::{Cells, Step},
    saturate::saturate,
    summary::{Claims, Place, Summaries},
};

/// The game for an automaton.
#[derive(Debug)]
struct Building<'a> {
    automaton: &'a Nondeterministic,
}

/// Where the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// A node that is no return node, in that state: how it goes on is open.
    Open(StateId),
    /// A return node, which is no call.
    Returned(StateId),
    /// The transition of that number has been chosen at a local or return node.
    Inner(u32),
    /// It has been chosen at a call.
    Calling(u32),
}

impl Building<'_> {
    fn transition(&self, index: u32) -> &Transition {
        &self.automaton.transitions()[index as usize]
    }

    fn state(&self, node: Node) -> StateId {
        match node {
            Node::Open(state) | Node::Returned(state) => state,
            Node::Inner(index) | Node::Calling(index) => self.transition(index).from,
        }
    }
}

/// Whether some label fits the guard of a transition.
fn possible(transition: &Transition) -> bool {
    let guard = &transition.guard;
    !guard.iter().any(|&(p, value)| guard.contains(&(p, !value)))
}

impl Arena for Building<'_> {
    type Control = Node;
    type Frame = StateId;

    fn start(&self) -> Node {
        Node::Open(self.automaton.init())
    }

    fn owner(&self, node: Node) -> Player {
        match node {
            Node::Open(_) | Node::Returned(_) => Player::Even,
            Node::Inner(_) | Node::Calling(_) => Player::Odd,
        }
    }

    fn priority(&self, node: Node) -> u32 {
        self.automaton.priority(self.state(node))
    }

    fn moves(&self, node: Node, top: Option<StateId>, out: &mut Vec<Move<Node, StateId>>) {
        let state = self.state(node);
        match node {
            Node::Open(_) | Node::Returned(_) => {
                for (index, transition) in self.automaton.transitions().iter().enumerate() {
                    if transition.from != state || !possible(transition) {
                        continue;
                    }
                    let fits = |child: &Child| match *child {
                        Child::Back { pushed, .. } => top == Some(pushed),
                        _ => true,
                    };
                    if transition.children.iter().all(fits) {
                        out.push(Move::Stay(Node::Inner(index as u32)));
                    }
                    let back = |child: &Child| matches!(child, Child::Back { .. });
                    let down = |child: &Child| matches!(child, Child::Down(_));
                    let children = &transition.children;
                    let calls = !children.iter().any(back) && children.iter().any(down);
                    if calls && matches!(node, Node::Open(_)) {
                        out.push(Move::Stay(Node::Calling(index as u32)));
                    }
                }
            }
            Node::Inner(index) | Node::Calling(index) => {
                for child in self.transition(index).children {
                    match (child, node) {
                        (Child::None, _) => {}
                        (Child::Down(q), Node::Calling(_)) => {
                            out.push(Move::Push(Node::Open(q), state));
                        }
                        (Child::Down(q), _) => out.push(Move::Stay(Node::Open(q))),
                        (Child::Back { state: q, .. }, _) => {
                            out.push(Move::Pop(Node::Returned(q)));
                        }
                    }
                }
            }
        }
    }
}

/// The propositions of a [witness](empty) that tell left and right children.
pub const SIDES: [&str; 2] = ["left", "right"];

/// A machine whose tree a nondeterministic automaton accepts, or nothing if it accepts no tree.
/// The machine has the propositions of the automaton, and [`SIDES`] at its left and right
/// children: its tree is accepted by what [`Nondeterministic::to_alternating`] makes of the
/// automaton.
pub fn empty(
    automaton: &Nondeterministic,
    limits: &Limits,
    mut go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Option<Nsm>, SolveError> {
    let building = Building { automaton };
    let cells = Cells::new(&AllCount(building), limits)?;
    let mut meter = Meter::new(cells.len(), &mut go_on);
    let mut claims = Claims::new(cells.len());
    let seen = |cell, value: &_| claims.add(cell, value);
    let values = saturate(&cells, limits, &mut meter, seen)?;
    if !values[0].is_true() {
        return Ok(None);
    }
    let summaries = Summaries::new(&cells, &claims, limits)?;
    Ok(Witness::new(automaton, &cells, &summaries).machine())
}

/// A state of the machine: a position of the finite game, and which child it is.
type Key = (u32, Option<usize>);

/// A frame, and the exits that are claimed for it.
type Claimed = (u32, Vec<u32>);

/// The machine that follows the strategy.
struct Witness<'a> {
    automaton: &'a Nondeterministic,
    cells: &'a Cells<AllCount<Building<'a>>>,
    summaries: &'a Summaries,
    builder: NsmBuilder,
    numbers: FxHashMap<Key, MachineState>,
    todo: Vec<Key>,
    /// For each frame and claim the calls that made them: the state, the frame below and its
    /// exits.
    calls: FxHashMap<Claimed, Vec<Caller>>,
    /// For each frame and claim the returns: the state, the exit, and which child is returned
    /// to.
    returns: FxHashMap<Claimed, Vec<(MachineState, u32, usize)>>,
}

#[derive(Clone, Debug)]
struct Caller {
    state: MachineState,
    below: Option<u32>,
    exits: Vec<u32>,
}

impl<'a> Witness<'a> {
    fn new(
        automaton: &'a Nondeterministic,
        cells: &'a Cells<AllCount<Building<'a>>>,
        summaries: &'a Summaries,
    ) -> Self {
        Witness {
            automaton,
            cells,
            summaries,
            builder: NsmBuilder::default(),
            numbers: FxHashMap::default(),
            todo: Vec::new(),
            calls: FxHashMap::default(),
            returns: FxHashMap::default(),
        }
    }

    fn machine(mut self) -> Option<Nsm> {
        let init = self.state((0, None))?;
        while let Some(key) = self.todo.pop() {
            self.leave(key)?;
        }
        let mut parts = self.builder.finish(init).ok()?.into_parts();
        // Those that hold nowhere are known too.
        let own = self
            .automaton
            .propositions()
            .iter()
            .map(|(text, _)| &**text);
        for text in own.chain(SIDES) {
            if !parts.propositions.iter().any(|known| **known == *text) {
                parts.propositions.push(text.into());
            }
        }
        Nsm::new(parts).ok()
    }

    /// Where the strategy leads.
    fn chosen(&self, position: u32) -> Option<u32> {
        self.summaries.solution.strategy[position as usize]
    }

    /// The cell and the exits of a position in the game.
    fn play(&self, position: u32) -> Option<(u32, &'a Vec<u32>)> {
        match &self.summaries.places[position as usize] {
            Place::Play { cell, exits } => Some((*cell, exits)),
            _ => None,
        }
    }

    /// The state of the machine for a position at which the player chooses.
    fn state(&mut self, key: Key) -> Option<MachineState> {
        if let Some(&known) = self.numbers.get(&key) {
            return Some(known);
        }
        let (cell, _) = self.play(key.0)?;
        let (next, _) = self.play(self.chosen(key.0)?)?;
        let node = |cell: u32| self.cells.list[cell as usize].control.control;
        let (kind, index) = match (node(cell), node(next)) {
            (Node::Returned(_), Node::Inner(index)) => (Kind::Return, index),
            (_, Node::Inner(index)) => (Kind::Local, index),
            (_, Node::Calling(index)) => (Kind::Call, index),
            _ => return None,
        };
        let automaton = self.automaton;
        let transition = &automaton.transitions()[index as usize];
        let literals = automaton.literals(transition);
        let mut labels: Vec<&str> = literals.filter(|l| l.1).map(|l| l.0).collect();
        labels.extend(key.1.map(|side| SIDES[side]));
        let name = format!("{}_{}", automaton.name(transition.from), self.numbers.len());
        let state = self.builder.state(&name, kind, &labels);
        self.numbers.insert(key, state);
        self.todo.push(key);
        Some(state)
    }

    fn leave(&mut self, key: Key) -> Option<()> {
        let from = self.numbers[&key];
        let (next, exits) = self.play(self.chosen(key.0)?)?;
        let cells = self.cells;
        let cell = &cells.list[next as usize];
        let index = match cell.control.control {
            Node::Inner(index) | Node::Calling(index) => index,
            Node::Open(_) | Node::Returned(_) => return None,
        };
        let children = self.automaton.transitions()[index as usize].children;
        let there = |side: &usize| children[*side] != Child::None;
        for (step, side) in [0, 1].into_iter().filter(there).enumerate() {
            match cell.steps[step] {
                Step::Stay(to) => {
                    let to = self.position(to, exits)?;
                    let to = self.state((to, Some(side)))?;
                    self.builder.local(from, to);
                }
                Step::Push { frame, .. } => {
                    let call = Place::Call {
                        from: next,
                        step,
                        exits: exits.clone(),
                    };
                    let claim = self.chosen(self.summaries.find(&call)?)?;
                    let Place::Claim { claimed, .. } = &self.summaries.places[claim as usize]
                    else {
                        return None;
                    };
                    // The first move of a claim goes into the frame.
                    let entry = self.summaries.game.moves(claim)[0];
                    let to = self.state((entry, Some(side)))?;
                    self.builder.call(from, to);
                    let caller = Caller {
                        state: from,
                        below: cell.top,
                        exits: exits.clone(),
                    };
                    let key = (frame, claimed.clone());
                    self.calls
                        .entry(key.clone())
                        .or_default()
                        .push(caller.clone());
                    for (back, exit, side) in self.returns.get(&key).cloned().unwrap_or_default() {
                        self.connect(back, &caller, frame, exit, side)?;
                    }
                }
                Step::Pop(exit) => {
                    let frame = cell.top?;
                    let key = (frame, exits.clone());
                    self.returns
                        .entry(key.clone())
                        .or_default()
                        .push((from, exit, side));
                    for caller in self.calls.get(&key).cloned().unwrap_or_default() {
                        self.connect(from, &caller, frame, exit, side)?;
                    }
                }
            }
        }
        Some(())
    }

    /// The position of a cell with those exits.
    fn position(&self, cell: u32, exits: &[u32]) -> Option<u32> {
        self.summaries.find(&Place::Play {
            cell,
            exits: exits.to_vec(),
        })
    }

    /// Adds a return to a caller.
    fn connect(
        &mut self,
        from: MachineState,
        caller: &Caller,
        frame: u32,
        exit: u32,
        side: usize,
    ) -> Option<()> {
        let cell = self.cells.exits(frame, caller.below)[exit as usize];
        let to = self.position(cell, &caller.exits)?;
        let to = self.state((to, Some(side)))?;
        self.builder.ret(from, caller.state, to);
        Some(())
    }
}
