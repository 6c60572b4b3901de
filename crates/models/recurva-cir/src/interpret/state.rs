//! Where a run has got to: memory and the frames of the calls that have not returned.

use super::layout::{FunctionLayout, Layout, LocalLayout};
use super::memory::{Full, Memory, Role, StackObject};
use super::values::Slot;
use crate::{Edge, Function, FunctionId, LocalId, Module, NodeId, Origin};

/// Where in a program something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The function.
    pub function: FunctionId,
    /// The node.
    pub node: NodeId,
    /// The edge that was to be taken, as an index of the function's edges.
    pub edge: Option<u32>,
    /// The text that it comes from.
    pub origin: Origin,
}

/// A call that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) node: NodeId,
    /// The edge of the call that is under way.
    pub(crate) edge: u32,
    /// How many objects on the stack there were before it.
    pub(crate) objects: u32,
    /// Where its bytes begin in those of the stack.
    pub(crate) bytes: usize,
    /// The address of its first variable that has one.
    pub(crate) address: u64,
    /// The address of the arguments behind the parameters, if it has any.
    pub(crate) arguments: u64,
}

#[derive(Debug)]
pub(crate) struct State<'m> {
    pub(crate) module: &'m Module,
    pub(crate) layout: Layout,
    pub(crate) memory: Memory,
    /// The frame at hand.
    pub(crate) top: Frame,
    /// Those below it.
    pub(crate) below: Vec<Frame>,
    /// The arguments behind parameters, of all frames, by their addresses.
    pub(crate) slots: Vec<(u64, Slot)>,
    /// Whether the first function has returned.
    pub(crate) has_returned: bool,
    /// How many frames there may be.
    pub(crate) frame_limit: usize,
}

impl<'m> State<'m> {
    /// The function at hand.
    pub(crate) fn function(&self) -> &'m Function {
        self.module.function(self.top.function)
    }

    pub(crate) fn function_layout(&self) -> &FunctionLayout {
        &self.layout.functions[self.top.function.0 as usize]
    }

    pub(crate) fn local(&self, frame: &Frame, local: LocalId) -> LocalLayout {
        self.layout.functions[frame.function.0 as usize].locals[local.0 as usize]
    }

    /// The frame of a call: 0 is the first.
    pub(crate) fn frame(&self, depth: usize) -> &Frame {
        self.below.get(depth).unwrap_or(&self.top)
    }

    pub(crate) fn depth(&self) -> usize {
        self.below.len()
    }

    /// A frame for a function, with all variables unset, below nothing yet.
    pub(crate) fn make_frame(&mut self, function: FunctionId, depth: usize) -> Result<Frame, Full> {
        if depth >= self.frame_limit {
            return Err(Full);
        }
        let layout = &self.layout.functions[function.0 as usize];
        let memory = &mut self.memory;
        let objects = memory.stack_objects.len() as u32;
        let bytes = memory.push_stack(layout.bytes)?;
        let mut address = 0;
        if !layout.addressed.is_empty() {
            address = memory.stack_addresses(layout.span)?;
            for &local in &layout.addressed {
                let place = layout.locals[local as usize];
                memory.stack_objects.push(StackObject {
                    address: address + place.address,
                    size: place.size,
                    offset: bytes + place.offset,
                    depth: depth as u32,
                    role: Role::Local(LocalId(local)),
                });
            }
        }
        Ok(Frame {
            function,
            node: self.module.function(function).entry,
            edge: 0,
            objects,
            bytes,
            address,
            arguments: 0,
        })
    }

    pub(crate) fn position(&self, edge: Option<usize>) -> Position {
        let function = self.function();
        let node = self.top.node;
        Position {
            function: self.top.function,
            node,
            edge: edge.map(|it| it as u32),
            origin: match edge {
                Some(edge) => function.edges[edge].origin,
                None => function.nodes[node.0 as usize],
            },
        }
    }

    /// The edge of the call that is under way in a frame.
    pub(crate) fn call_edge(&self, frame: &Frame) -> &'m Edge {
        &self.module.function(frame.function).edges[frame.edge as usize]
    }
}
