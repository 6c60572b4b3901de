//! Slices: programs without what cannot influence a property.
//!
//! A [`Slice`] is made for what is [`Observed`]. It takes the same steps as the program, one for
//! one: the slice of a shortest run is a shortest run, and formulas that count positions keep
//! their meaning. What goes:
//!
//! - procedures that are not called, nodes that control never comes to, edges whose guard is
//!   constantly false. Values that are the same whenever control comes to a node are replaced
//!   by constants, across procedures.
//! - if the question is which points are reached: all edges that cannot be part of a run to one
//!   of them.
//! - variables that no guard, no constraint and no observed condition depends on, with all
//!   assignments to them; so also parameters and results. Where an assignment that goes could
//!   block a step (a division by zero, an index out of range), the guard says so instead.
//!
//! No step is left out: a call whose effect does not matter may still not return, and a run that
//! is blocked there is no run.
//!
//! [`Slice::trace`] turns a run of the slice into one of the whole program, to be replayed
//! there. The time for all of it is close to linear in the size of the program.
//!
//! ```
//! use recurva_lang::bp;
//! use recurva_slice::{Observed, Slice};
//! use recurva_syntax::Source;
//!
//! let text = "decl debug, n;
//!     void log() begin n := !n; end
//!     void main() begin
//!       debug := F;
//!       if (debug) then log(); fi
//!       n := *;
//!       assert(F);
//!     end";
//! let source = Source::new("model.bp", text)?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//! let targets: Vec<_> = program.failures().iter().map(|failure| failure.point).collect();
//! let slice = Slice::new(&program, &Observed::Points(&targets));
//! assert_eq!(slice.program().procedures().len(), 1);
//! assert!(slice.program().globals().is_empty());
//! assert_eq!(*slice.dropped().procedure_names, ["log".into()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backward;
mod build;
mod constants;
mod domains;
mod dropped;
mod fold;
mod map;
mod numbers;
mod relevance;

pub use dropped::{Count, Dropped};

use std::sync::Arc;

use recurva_evidence::Trace;
use recurva_model::{
    Action, Edge, EdgeId, Expr, Guard, Patience, Place, Point, ProcId, Program, Stop, VarRef,
};

use crate::{
    build::{Kept, KeptEdge},
    constants::Constants,
    map::Map,
    numbers::{Numbers, procedures},
    relevance::Relevance,
};

/// What is asked of a program.
#[derive(Clone, Debug)]
pub enum Observed<'a> {
    /// Which of these nodes are reached, and by which runs.
    Points(&'a [Point]),
    /// All that these conditions tell about finite and infinite runs, position by position.
    Conditions(Vec<&'a Guard>),
}

/// A smaller program for one question about a program.
#[derive(Clone, Debug)]
pub struct Slice<'p> {
    whole: &'p Program,
    program: Arc<Program>,
    map: Map,
    dropped: Dropped,
}

impl<'p> Slice<'p> {
    /// The slice of a program for what is observed.
    pub fn new(whole: &'p Program, observed: &Observed<'_>) -> Self {
        let slice = Self::with_patience(whole, observed, &mut Patience::endless());
        slice.expect("patience has no end")
    }

    /// The same for those who may not want to wait for it.
    ///
    /// # Errors
    ///
    /// If patience ends before the slice is made.
    pub fn with_patience(
        whole: &'p Program,
        observed: &Observed<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        patience.step()?;
        let numbers = Numbers::new(whole);
        let constants = Constants::new(whole, &numbers, patience)?;
        let stays: Vec<Vec<bool>> = match observed {
            Observed::Points(targets) => {
                backward::edges_towards(whole, &numbers, &constants, targets, patience)?
            }
            Observed::Conditions(_) => open_edges(whole, &constants, patience)?,
        };
        let edges = kept_edges(whole, &constants, &stays, patience)?;
        let mut relevance = Relevance::new(whole, &numbers);
        if let Observed::Conditions(guards) = observed {
            guards.iter().for_each(|guard| relevance.observe(guard));
        }
        for (id, edges) in procedures(whole).zip(&edges) {
            for (_, edge) in edges.iter().flatten() {
                patience.step()?;
                relevance.add(id, edge);
            }
        }
        let kept = Kept {
            program: whole,
            numbers: &numbers,
            edges,
            relevant: relevance.close(patience)?,
        };
        let (program, map, dropped) = kept.build(patience)?;
        Ok(Slice {
            whole,
            program: Arc::new(program),
            map,
            dropped,
        })
    }

    /// The smaller program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What is not in it.
    pub fn dropped(&self) -> &Dropped {
        &self.dropped
    }

    /// A node of the whole program in the slice; `None` if it is not there, which of an observed
    /// node means that control never comes to it.
    pub fn point(&self, point: Point) -> Option<Point> {
        self.map.point(point)
    }

    /// An observed condition as it reads in the slice.
    ///
    /// # Panics
    ///
    /// If a variable of it was dropped: the slice must have been made for this condition.
    pub fn guard(&self, guard: &Guard) -> Guard {
        self.map.guard(guard)
    }

    /// A run of the slice as a run of the whole program: the same steps, with a value for every
    /// choice that the slice does not have.
    ///
    /// # Errors
    ///
    /// If patience ends before the end of the trace.
    ///
    /// # Panics
    ///
    /// If the trace is not one of the slice.
    pub fn trace(&self, trace: Trace, patience: &mut Patience<'_>) -> Result<Trace, Stop> {
        self.map.trace(self.whole, &self.program, trace, patience)
    }
}

/// For each procedure, which of its edges can be taken.
fn open_edges(
    program: &Program,
    constants: &Constants<'_>,
    patience: &mut Patience<'_>,
) -> Result<Vec<Vec<bool>>, Stop> {
    let mut open = Vec::with_capacity(program.procedures().len());
    for id in procedures(program) {
        let mut own = Vec::with_capacity(program.procedure(id).edges.len());
        for edge in &program.procedure(id).edges {
            patience.work(8)?;
            own.push(constants.is_open(id, edge));
        }
        open.push(own);
    }
    Ok(open)
}

/// The edges that stay in the procedures that are called, with known variables replaced.
fn kept_edges(
    program: &Program,
    constants: &Constants<'_>,
    stays: &[Vec<bool>],
    patience: &mut Patience<'_>,
) -> Result<Vec<Option<Vec<KeptEdge>>>, Stop> {
    let mut edges: Vec<Option<Vec<KeptEdge>>> = vec![None; program.procedures().len()];
    let mut called = vec![false; program.procedures().len()];
    called[program.main().index()] = true;
    let mut work = vec![program.main()];
    while let Some(id) = work.pop() {
        let mut kept = Vec::new();
        for (index, edge) in program.procedure(id).edges.iter().enumerate() {
            if !stays[id.index()][index] {
                continue;
            }
            patience.step()?;
            kept.push((EdgeId(index as u32), folded(program, constants, id, edge)));
            if let Action::Call { callee, .. } = edge.action
                && !std::mem::replace(&mut called[callee.index()], true)
            {
                work.push(callee);
            }
        }
        edges[id.index()] = Some(kept);
    }
    Ok(edges)
}

/// An edge with the variables that have one value where it starts replaced.
fn folded(program: &Program, constants: &Constants<'_>, procedure: ProcId, edge: &Edge) -> Edge {
    let node = edge.from;
    let point = Point { procedure, node };
    let value = |variable: VarRef| constants.value(point, variable);
    let variable = |variable: VarRef| program.variable(procedure, variable);
    let fold = |expr: &Expr| fold::fold(expr, &value, &variable);
    let action = match &edge.action {
        Action::Assign {
            assigns,
            constraint,
        } => Action::Assign {
            assigns: (assigns.iter())
                .map(|(place, value)| {
                    let place = match place {
                        Place::Scalar(target) => Place::Scalar(*target),
                        Place::Element(array, index) => Place::Element(*array, fold(index)),
                    };
                    (place, fold(value))
                })
                .collect(),
            constraint: constraint.as_ref().map(fold),
        },
        Action::Call {
            callee,
            arguments,
            results,
        } => Action::Call {
            callee: *callee,
            arguments: arguments.iter().map(fold).collect(),
            results: results.clone(),
        },
    };
    Edge {
        guard: fold(&edge.guard),
        action,
        ..edge.clone()
    }
}
