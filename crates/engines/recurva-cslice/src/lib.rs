//! C programs without what a question does not need.
//!
//! A program of many thousand lines is too much for a search, and most of it has nothing to do with what
//! is asked. [`Slice::new`] keeps the functions from which a target can be reached, or that change what
//! decides about it; of these the branches on which that depends; and the variables that they look
//! at. Everything else is left out, before anything is known about memory.
//!
//! # What is kept
//!
//! - **Followed variables** (`followed.rs`) are integers, arrays and records of integers whose address is never
//!   taken. Nobody but the edges that name them can change them, so no analysis of pointers is relied on.
//! - **Relevant** (`relevance.rs`) are targets, calls that may lead to one or change a relevant variable, assignments
//!   to relevant variables, ends of the program, all branches that decide which of these comes
//!   next, and the followed variables that any of them reads.
//! - What is kept and reads something that is not followed (a pointer, memory behind one, a floating-point
//!   number, a large array) gets **any value** instead (`build.rs`). A branch that depends on it goes any way. A
//!   call through a pointer goes to any function whose address is taken and that takes so many arguments.
//!
//! # What it is worth
//!
//! *If no target can be reached in the slice, none can be reached in the program.* Take a run of the program to a
//! target, and leave out the steps that are not kept. By induction, the run of the slice that takes the
//! same branches and gets the values that the run had wherever the slice takes any value agrees with it on all
//! relevant variables:
//!
//! - a kept step reads relevant variables only, which agree, and values that are chosen to agree;
//! - a step that is left out changes no relevant variable: they have no address, and all edges that name one as
//!   what they write are kept, in calls that are left out too;
//! - between two kept steps the program is at nodes that have at most one kept node in front of them: the
//!   one that the slice goes on with. A call that is left out comes to no target, and has come
//!   back if the run goes on.
//!
//! So a loop that does not end, a check that fails and that nobody asked for, or an end of the program inside a call that is
//! left out only take runs away from the program. They may be missing in the slice: **a target that is
//! reached in the slice need not be one of the program**, and counts only once a run of the whole program has
//! come to it.
//!
//! An operation without a meaning is a target too, as nobody knows what comes after it. What is not promised: that
//! memory is changed by the program alone, and that a variable is changed only by its name or its
//! address, not by an index that is outside of another variable.

mod build;
mod calls;
mod followed;
mod next;
mod relevance;
mod rewrite;
mod targets;

use recurva_cir::{FunctionId, Module};
use recurva_model::{Patience, Stop};

pub use targets::Targets;

/// A slice of a program. Functions and variables have the numbers that they have there.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The slice, as a program of its own.
    pub module: Module,
    /// What it is made of.
    pub kept: Kept,
}

/// What was kept of a program.
#[derive(Clone, Debug)]
pub struct Kept {
    /// How much that is.
    pub figures: Figures,
    /// Of each function's edges: those of the program that they come from.
    edges: Vec<Vec<Option<u32>>>,
}

/// How much of a program was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Functions with a body.
    pub functions: usize,
    /// Those that were kept.
    pub kept_functions: usize,
    /// Edges.
    pub edges: usize,
    /// Those of the slice.
    pub kept_edges: usize,
}

impl Slice {
    /// The slice for some targets; `None` if what is asked is about memory as a whole.
    ///
    /// # Errors
    ///
    /// If patience ends.
    pub fn new(
        module: &Module,
        targets: &Targets<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Self>, Stop> {
        if targets.are_about_memory() {
            return Ok(None);
        }
        let followed = followed::Followed::new(module, patience)?;
        let calls = calls::Calls::new(module, patience)?;
        let scene = relevance::Scene {
            module,
            targets,
            followed: &followed,
            calls: &calls,
        };
        let relevant = relevance::Relevant::new(scene, patience)?;
        build::build(scene, &relevant, patience).map(Some)
    }
}

impl Kept {
    /// The edge of the program that an edge of the slice comes from; `None` if it was made up.
    pub fn edge(&self, function: FunctionId, edge: usize) -> Option<usize> {
        let edges = self.edges.get(function.0 as usize)?;
        edges.get(edge).copied().flatten().map(|it| it as usize)
    }
}
