//! Models of recursive programs.
//!
//! - [`Program`]: procedures with typed variables, the extended recursive state machines of
//!   *On-the-fly Reachability and Cycle Detection for Recursive State Machines*.
//! - [`RecursiveSystem`]: what every pushdown search works on. Stacks never appear in it.
//! - [`semantics`]: configurations with a real stack, by the definition.
//! - [`liveness`]: which variables can still matter at a node.
//! - [`Monitor`]: finite automata that watch a program.
//! - [`Rsm`], [`Pds`]: flat recursive state machines and pushdown systems, without variables,
//!   and the translations between them and to programs.
//! - [`Nsm`]: nested state machines, whose branching behaviour links calls to their returns.
//!
//! This crate knows nothing of source text beyond byte offsets, nothing of engines and
//! nothing of properties beyond what can be observed at a node.
//!
//! ```
//! use recurva_model::{semantics::Machine, *};
//!
//! // main: x := !x, then return.
//! let flip = Edge {
//!     from: NodeId(0),
//!     to: NodeId(1),
//!     guard: Expr::truth(),
//!     action: Action::Assign {
//!         assigns: vec![(
//!             Place::Scalar(VarRef::Global(0)),
//!             Expr::read(VarRef::Global(0)).negate(),
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
//!     edges: vec![flip],
//!     entry: NodeId(0),
//!     exit: NodeId(1),
//!     origin: Origin::default(),
//! };
//! let program = Program::new(Parts {
//!     globals: vec![Variable::scalar("x", Type::Bool)],
//!     procedures: vec![main],
//!     main: ProcId(0),
//!     labels: vec![],
//!     failures: vec![],
//! })?;
//!
//! let machine = Machine::new(&program);
//! let mut configuration = machine.start(&[1], &[]).unwrap();
//! machine.step(&mut configuration, EdgeId(0), &[]).unwrap();
//! assert_eq!(*configuration.globals, [0]);
//! # Ok::<(), Malformed>(())
//! ```

mod automaton;
mod expr;
mod failure;
mod faults;
pub mod liveness;
mod nested;
pub mod nsm;
mod observe;
mod patience;
pub mod pds;
mod plain_names;
mod program;
pub mod rsm;
mod runs;
pub mod semantics;
mod system;
mod ty;
mod validate;
mod word;

pub use automaton::{Automaton, AutomatonEdge, Cube, Letter};
pub use expr::{Binary, Expr, Moment, Op, Unary, convert};
pub use failure::FailureKind;
pub use nested::{NestedAutomaton, NestedEdge, NestedParts, NestedState};
pub use nsm::Nsm;
pub use observe::{Guard, GuardOp, Monitor, MonitorEdge, MonitorState};
pub use patience::{Patience, Stop};
pub use pds::Pds;
pub use plain_names::PlainNames;
pub use program::{
    Action, Edge, EdgeId, Failure, Label, Node, NodeId, Origin, Parts, Place, Point, ProcId,
    Procedure, Program, VarRef, Variable,
};
pub use rsm::Rsm;
pub use runs::{Ending, Stack};
pub use system::{Move, Moves, RecursiveSystem, Site};
pub use ty::Type;
pub use validate::Malformed;
pub use word::{Item, PieceId, Word};
