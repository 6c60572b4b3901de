//! Watching a run step by step.

use super::memory::Location;
use super::state::{Position, State};
use crate::{Bits, Expr, FunctionId, GlobalId, LocalId, Module, Place, TypeId};

/// Is told of every step after it was taken.
pub trait Observer {
    /// A step was taken.
    fn step(&mut self, event: &Event<'_>, view: &View<'_, '_>);
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// How many calls were under way, below the frame that took the step.
    pub depth: usize,
    /// The function.
    pub function: FunctionId,
    /// The edge, as an index of the function's edges; `None` for a return.
    pub edge: Option<u32>,
    /// What happened.
    pub happened: Happened,
    /// What was changed.
    pub changes: &'a [Change],
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// Control moved along an edge.
    Moved,
    /// A function was called: its first step comes next.
    Called(FunctionId),
    /// A function without a body was called, and has returned.
    CalledOutside(FunctionId),
    /// The function returned. The changes are to what the caller does with the result.
    Returned,
}

/// Bytes that were changed.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub(crate) location: Location,
    /// How many.
    pub count: u64,
    /// What they are taken as; `None` for bytes that were copied or filled as such.
    pub ty: Option<TypeId>,
    /// If it is a bit-field: its bits.
    pub bits: Option<Bits>,
    /// If they were changed through a pointer: what that points to.
    pub base: Option<TypeId>,
}

/// Whose bytes they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A variable with static storage.
    Global(GlobalId),
    /// A variable of a call; 0 is the first.
    Local(usize, LocalId),
    /// An object that the program has made.
    Allocated,
}

/// Where a run has got to.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, 'm> {
    pub(crate) state: &'a State<'m>,
}

impl<'m> View<'_, 'm> {
    /// The module.
    pub fn module(&self) -> &'m Module {
        self.state.module
    }

    /// The bytes of a place in a call; 0 is the first. `None` if there is nothing.
    pub fn bytes(&self, depth: usize, place: &Place) -> Option<&[u8]> {
        let state = self.state;
        let (location, count) = state.extent(state.frame(depth), place).ok()?;
        let bytes = state.memory.bytes(location.area);
        Some(bytes.data(location.offset, count as usize))
    }

    /// The value of an expression in a call; 0 is the first. `None` if it has none.
    pub fn value(&self, depth: usize, expr: &Expr) -> Option<u64> {
        self.state.value(self.state.frame(depth), expr).ok()
    }

    /// The address and the bytes of the object that an address points into.
    pub fn object(&self, address: u64) -> Option<(u64, &[u8])> {
        let memory = &self.state.memory;
        let found = memory.find(address)?;
        let bytes = memory.bytes(found.start.area);
        let bytes = bytes.data(found.start.offset, found.size as usize);
        Some((address - found.offset, bytes))
    }

    /// Whose bytes were changed.
    pub fn owner(&self, change: &Change) -> Owner {
        self.state.owner(change.location)
    }

    /// How many calls are under way below the function at hand.
    pub fn depth(&self) -> usize {
        self.state.depth()
    }

    /// Where control is in a call: 0 is the first one. Of those below the function at hand, at the
    /// edge of the call.
    pub fn position(&self, depth: usize) -> Position {
        let frame = self.state.frame(depth);
        let function = self.state.module.function(frame.function);
        let is_below = depth < self.state.depth();
        Position {
            function: frame.function,
            node: frame.node,
            edge: is_below.then_some(frame.edge),
            origin: match is_below {
                true => function.edges[frame.edge as usize].origin,
                false => function.nodes[frame.node.0 as usize],
            },
        }
    }
}
