//! Pushdown parity games.
//!
//! A position is a control and a stack of frames. Moves depend on the control and the frame on
//! top. Player [`Player::Even`] wants the largest priority that counts infinitely often to be
//! even; whoever cannot move loses. What counts are the priorities of *stairs*: positions below
//! whose stack the play never comes again. [`AllCount`] makes such a game of one in which all
//! positions count.

use std::{fmt::Debug, hash::Hash};

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Wins if the priority is even: the automaton.
    Even,
    /// Wins if it is odd: the opponent.
    Odd,
}

impl Player {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Player::Even => Player::Odd,
            Player::Odd => Player::Even,
        }
    }

    /// Who likes a priority.
    pub const fn of(priority: u32) -> Self {
        match priority % 2 {
            0 => Player::Even,
            _ => Player::Odd,
        }
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move<C, F> {
    /// To another control with the same stack.
    Stay(C),
    /// To another control with a frame pushed.
    Push(C, F),
    /// To another control with the frame on top popped.
    Pop(C),
}

/// The moves of a pushdown game.
pub trait Arena {
    /// A control.
    type Control: Copy + Debug + Eq + Hash;
    /// What is on the stack.
    type Frame: Copy + Debug + Eq + Hash;

    /// Where the game begins, with an empty stack.
    fn start(&self) -> Self::Control;

    /// Who moves at a control.
    fn owner(&self, control: Self::Control) -> Player;

    /// The priority of a control.
    fn priority(&self, control: Self::Control) -> u32;

    /// Adds the moves from a control with that frame on top. With an empty stack there is no
    /// [`Move::Pop`].
    fn moves(
        &self,
        control: Self::Control,
        top: Option<Self::Frame>,
        out: &mut Vec<Move<Self::Control, Self::Frame>>,
    );
}

/// The same game from the other side: who won loses.
#[derive(Clone, Copy, Debug)]
pub struct Dual<A>(
    /// The game.
    pub A,
);

impl<A: Arena> Arena for Dual<A> {
    type Control = A::Control;
    type Frame = A::Frame;

    fn start(&self) -> A::Control {
        self.0.start()
    }

    fn owner(&self, control: A::Control) -> Player {
        self.0.owner(control).other()
    }

    fn priority(&self, control: A::Control) -> u32 {
        self.0.priority(control) + 1
    }

    fn moves(
        &self,
        control: A::Control,
        top: Option<A::Frame>,
        out: &mut Vec<Move<A::Control, A::Frame>>,
    ) {
        self.0.moves(control, top, out);
    }
}

/// A game in which all positions count, as one in which stairs do: a control carries the
/// largest priority since its frame was pushed, and where a frame is popped the largest above
/// it counts.
#[derive(Clone, Copy, Debug)]
pub struct AllCount<A>(
    /// The game in which all positions count.
    pub A,
);

/// A control with what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Carrier<C> {
    /// The control.
    pub control: C,
    /// The largest priority since the frame on top was pushed, this control's included.
    most: u32,
    /// The priority that counts here.
    counts: u32,
}

/// A frame with what was carried when it was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Carried<F> {
    /// The frame.
    pub frame: F,
    most: u32,
}

impl<A: Arena> Arena for AllCount<A> {
    type Control = Carrier<A::Control>;
    type Frame = Carried<A::Frame>;

    fn start(&self) -> Self::Control {
        let control = self.0.start();
        let own = self.0.priority(control);
        Carrier {
            control,
            most: own,
            counts: own,
        }
    }

    fn owner(&self, control: Self::Control) -> Player {
        self.0.owner(control.control)
    }

    fn priority(&self, control: Self::Control) -> u32 {
        control.counts
    }

    fn moves(
        &self,
        from: Self::Control,
        top: Option<Self::Frame>,
        out: &mut Vec<Move<Self::Control, Self::Frame>>,
    ) {
        let mut moves = Vec::new();
        self.0
            .moves(from.control, top.map(|carried| carried.frame), &mut moves);
        out.extend(moves.into_iter().filter_map(|step| {
            Some(match step {
                Move::Stay(control) => {
                    let own = self.0.priority(control);
                    Move::Stay(Carrier {
                        control,
                        most: from.most.max(own),
                        counts: own,
                    })
                }
                Move::Push(control, frame) => {
                    let own = self.0.priority(control);
                    let to = Carrier {
                        control,
                        most: own,
                        counts: own,
                    };
                    let most = from.most;
                    Move::Push(to, Carried { frame, most })
                }
                Move::Pop(control) => {
                    let counts = from.most.max(self.0.priority(control));
                    let most = counts.max(top?.most);
                    Move::Pop(Carrier {
                        control,
                        most,
                        counts,
                    })
                }
            })
        }));
    }
}
