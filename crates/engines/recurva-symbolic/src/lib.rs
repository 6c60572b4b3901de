//! Symbolic search of recursive programs with binary decision diagrams.
//!
//! [`reach`] decides whether a run of a [`Program`](recurva_model::Program), perhaps watched
//! by a [`Monitor`](recurva_model::Monitor), reaches one of a set of nodes, and gives a
//! [`Trace`](recurva_evidence::Trace) of such a run. [`explore`] finds all nodes that runs
//! reach. [`fair`] decides whether a Büchi [`Automaton`](recurva_model::Automaton) accepts an
//! infinite run, for each kind of stack, and gives a stem and a turn.
//!
//! Sets of valuations are never spelled out: for each node there is one relation between the
//! values at the procedure's entry and the values here, so variables without a value cost
//! nothing until something depends on them.
//!
//! # Should I use this crate?
//!
//! Yes, if the whole space has to be searched and there is much data: many flags, counters,
//! variables that are not initialised. If there is a bug close to the start, or if wide
//! integers are multiplied and divided, `recurva-explicit` is better. The façade
//! `recurva-check` knows about limits and has traces replayed.
//!
//! # Limits
//!
//! Running out of nodes or memory is an [`Answer`], and so is being told to stop. One
//! operation on diagrams is not interrupted, though, and may take long when they are large:
//! [`Config::max_nodes`] bounds that, too. Variables are put in order by what occurs together
//! in the program, and in a better order when there are too many nodes.
//!
//! How it works, with the map from the papers to the code, is told in the crate's README.
//!
//! # Example
//!
//! Two arbitrary 32-bit numbers are swapped without a third one. Can they be other than they
//! should be?
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_model::*;
//! use recurva_symbolic::{Answer, Config, reach};
//!
//! let ty = Type::unsigned(32);
//! let [a, b, x, y] = [0, 1, 2, 3].map(VarRef::Global);
//! let read = Expr::read;
//! let edge = |from, guard, assigns: Vec<(VarRef, Expr)>| Edge {
//!     from: NodeId(from),
//!     to: NodeId(from + 1),
//!     guard,
//!     action: Action::Assign {
//!         assigns: assigns.into_iter().map(|(v, e)| (Place::Scalar(v), e)).collect(),
//!         constraint: None,
//!     },
//!     origin: Origin::default(),
//! };
//! let xor = |left, right| read(left).join(Binary::Xor, ty, &read(right));
//! let equal = |left, right| read(left).join(Binary::Equal, ty, &read(right));
//! let swapped = equal(a, y).and(equal(b, x));
//! let main = Procedure {
//!     name: "main".into(),
//!     locals: vec![],
//!     parameters: 0,
//!     results: vec![],
//!     nodes: vec![Node::default(); 6],
//!     edges: vec![
//!         edge(0, Expr::truth(), vec![(x, read(a)), (y, read(b))]),
//!         edge(1, Expr::truth(), vec![(a, xor(a, b))]),
//!         edge(2, Expr::truth(), vec![(b, xor(a, b))]),
//!         edge(3, Expr::truth(), vec![(a, xor(a, b))]),
//!         edge(4, swapped.negate(), vec![]),
//!     ],
//!     entry: NodeId(0),
//!     exit: NodeId(5),
//!     origin: Origin::default(),
//! };
//! let program = Program::new(Parts {
//!     globals: ["a", "b", "x", "y"].map(|name| Variable::scalar(name, ty)).into(),
//!     procedures: vec![main],
//!     main: ProcId(0),
//!     labels: vec![],
//!     failures: vec![],
//! })?;
//!
//! let wrong = Point { procedure: ProcId(0), node: NodeId(5) };
//! let finished = reach(&program, None, &[wrong], &Config::default(), |_| {
//!     ControlFlow::Continue(())
//! });
//! assert!(matches!(finished.answer, Answer::Unreachable));
//! # Ok::<(), Malformed>(())
//! ```

mod answer;
mod back;
mod bits;
mod call;
mod earliest;
mod effect;
mod eval;
mod explain;
mod fair;
mod guess;
mod heads;
mod lasso;
mod layout;
mod marking;
mod observer;
mod order;
mod plan;
mod rank;
mod room;
mod run;
mod scope;
mod search;
mod setting;
mod sift;
mod space;
mod steps;
mod strong;
mod swap;

pub use answer::{
    Answer, Config, Explored, FairAnswer, FairFinished, Finished, Progress, Sizes, Stopped,
};
pub use fair::fair;
pub use run::{explore, reach};
