//! Evidence: traces of recursive programs, and the replay that checks them.
//!
//! A [`Trace`] stores decisions: which edges a run takes and what it chooses. [`replay`]
//! executes it on [`recurva_model::semantics`], with a real stack, and gives a [`Replayed`]
//! only when every step is possible and the run ends as the [`Claim`] says. A [`Replayed`]
//! can be [walked](Replayed::walk) like a program in a debugger: into calls, over them and
//! out of them. A trace may have a turn: then it stands for an infinite run, and the replay
//! shows that the turn can be repeated for ever.
//!
//! Calls that share a [`Body`] are executed once for each distinct start, so a trace of 2^40
//! steps replays in no time; nothing here recurses, so neither does a call stack of ten
//! million frames overflow ours.
//!
//! This crate knows the model and nothing else: no engine, no source text, no output. It
//! shares no code with any search, so a search cannot lead it astray.
//!
//! ```
//! use recurva_evidence::*;
//! use recurva_model::*;
//!
//! // main: one step, which chooses the value of the global x.
//! let choose = Edge {
//!     from: NodeId(0),
//!     to: NodeId(1),
//!     guard: Expr::truth(),
//!     action: Action::Assign {
//!         assigns: vec![(
//!             Place::Scalar(VarRef::Global(0)),
//!             Expr::new([Op::Any(Type::unsigned(8), 0)]),
//!         )],
//!         constraint: None,
//!     },
//!     origin: Origin::default(),
//! };
//! let main = Procedure {
//!     name: "main".into(),
//!     locals: vec![],
//!     parameters: 0,
//!     results: vec![],
//!     nodes: vec![Node::default(); 2],
//!     edges: vec![choose],
//!     entry: NodeId(0),
//!     exit: NodeId(1),
//!     origin: Origin::default(),
//! };
//! let program = Program::new(Parts {
//!     globals: vec![Variable::scalar("x", Type::unsigned(8))],
//!     procedures: vec![main],
//!     main: ProcId(0),
//!     labels: vec![],
//!     failures: vec![],
//! })?;
//!
//! let step = Step { edge: EdgeId(0), choices: [42].into(), via: Via::Internal };
//! let trace =
//!     Trace { globals: [7].into(), locals: [].into(), bodies: vec![], stem: vec![step], turn: None };
//! let end = Point { procedure: ProcId(0), node: NodeId(1) };
//! let replayed = replay(&program, trace, &Claim::Reaches(vec![end]))?;
//! assert_eq!(*replayed.end().globals, [42]);
//!
//! let mut walk = replayed.walk();
//! assert_eq!(*walk.configuration().globals, [7]);
//! walk.step_in();
//! assert_eq!(walk.next(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod footprint;
mod memo;
mod mismatch;
mod needs;
mod record;
mod replay;
mod run;
mod trace;
mod walk;

pub use claim::Claim;
pub use mismatch::{Mismatch, Part, Reason, Unreplayed};
pub use replay::{Lasso, Replayed, replay, replay_with_patience};
pub use trace::{Body, BodyId, Step, Trace, Via};
pub use walk::{Next, Position, Walk};
