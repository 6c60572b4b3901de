//! Whether an alternating automaton accepts the tree of a machine (§4.1).

use std::ops::ControlFlow;

use recurva_logic::{
    nta::{Alternating, Counting, Push, StateId, Term, TermId},
    ntmu::Modality,
};
use recurva_model::nsm::{self, Nsm};
use recurva_nested::{Propositions, Reduction, UnknownProposition};

use crate::{
    Limits, Outcome, Progress, SolveError,
    arena::{AllCount, Arena, Move, Player},
    solve,
};

/// The acceptance game of an automaton on a machine. The stack of the machine and that of the
/// automaton grow and shrink together: a frame is a call with the state that was pushed there.
#[derive(Debug)]
pub struct Acceptance<'a> {
    nsm: &'a Nsm,
    automaton: &'a Alternating,
    propositions: Propositions,
}

/// A state of the machine, one of the automaton, and the part of its term that is to be shown.
pub type Position = (nsm::StateId, StateId, TermId);

impl<'a> Acceptance<'a> {
    /// The game, if the machine has the propositions of the automaton.
    pub fn new(nsm: &'a Nsm, automaton: &'a Alternating) -> Result<Self, UnknownProposition> {
        Ok(Acceptance {
            nsm,
            automaton,
            propositions: propositions(nsm, automaton)?,
        })
    }

    fn at(&self, node: nsm::StateId, state: StateId) -> Position {
        (node, state, self.automaton.states()[state.index()].term)
    }
}

fn propositions(nsm: &Nsm, automaton: &Alternating) -> Result<Propositions, UnknownProposition> {
    let texts = automaton.propositions().iter();
    Propositions::of(nsm, texts.map(|(text, _)| Some(&**text)))
}

impl Arena for Acceptance<'_> {
    type Control = Position;
    type Frame = (nsm::StateId, StateId);

    fn start(&self) -> Position {
        self.at(self.nsm.init(), self.automaton.init())
    }

    fn owner(&self, (node, _, term): Position) -> Player {
        let prover = |shown: bool| match shown {
            // Whoever has to move cannot, and loses.
            true => Player::Odd,
            false => Player::Even,
        };
        match self.automaton.term(term) {
            Term::True => prover(true),
            Term::False => prover(false),
            Term::Proposition(p) => prover(self.propositions.holds(p, node)),
            Term::NotProposition(p) => prover(!self.propositions.holds(p, node)),
            Term::And(..) => Player::Odd,
            Term::Or(..) | Term::Silent(_) => Player::Even,
            Term::Local(modality, _) | Term::Call(modality, _) | Term::Return(modality, ..) => {
                match modality {
                    Modality::Some => Player::Even,
                    Modality::All => Player::Odd,
                }
            }
        }
    }

    fn priority(&self, (_, state, _): Position) -> u32 {
        self.automaton.states()[state.index()].priority
    }

    fn moves(
        &self,
        (node, state, term): Position,
        top: Option<Self::Frame>,
        out: &mut Vec<Move<Position, Self::Frame>>,
    ) {
        match self.automaton.term(term) {
            Term::True | Term::False | Term::Proposition(_) | Term::NotProposition(_) => {}
            Term::And(left, right) | Term::Or(left, right) => {
                out.extend([left, right].map(|part| Move::Stay((node, state, part))));
            }
            Term::Silent(target) => out.push(Move::Stay(self.at(node, target))),
            Term::Local(_, target) => {
                let nodes = self.nsm.locals(node).iter();
                out.extend(nodes.map(|&node| Move::Stay(self.at(node, target))));
            }
            Term::Call(_, target) => {
                let nodes = self.nsm.calls(node).iter();
                let frame = (node, state);
                out.extend(nodes.map(|&node| Move::Push(self.at(node, target), frame)));
            }
            Term::Return(_, push, target) => {
                let Some((call, pushed)) = top else { return };
                if push == Push::Any || push == Push::Only(pushed) {
                    let nodes = self.nsm.returns_to(node, call);
                    out.extend(nodes.map(|node| Move::Pop(self.at(node, target))));
                }
            }
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberError {
    /// The automaton speaks of what the machine does not have.
    Unknown(UnknownProposition),
    /// The game could not be solved.
    Solve(SolveError),
}

impl std::fmt::Display for MemberError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MemberError::Unknown(unknown) => unknown.fmt(f),
            MemberError::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MemberError {}

/// Whether an automaton accepts the tree of a machine: whether [`Player::Even`] wins the
/// acceptance game. Propositions mean what they mean in formulas. `go_on` is asked from time to
/// time.
pub fn accepts(
    nsm: &Nsm,
    automaton: &Alternating,
    reduction: Reduction,
    limits: &Limits,
    go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome, MemberError> {
    let propositions = propositions(nsm, automaton).map_err(MemberError::Unknown)?;
    let reduced = match reduction {
        Reduction::None => None,
        Reduction::Bisimulation => {
            let seen = propositions.observations(nsm);
            Some(nsm.quotient(|state| seen[state.index()]))
        }
    };
    let game = match &reduced {
        None => Acceptance {
            nsm,
            automaton,
            propositions,
        },
        Some(reduced) => Acceptance {
            nsm: &reduced.nsm,
            automaton,
            propositions: propositions.of_quotient(nsm, reduced),
        },
    };
    let outcome = match automaton.counting() {
        Counting::Stairs => solve(&game, limits, go_on),
        Counting::All => solve(&AllCount(game), limits, go_on),
    };
    outcome.map_err(MemberError::Solve)
}
