//! Test support: what the tests of all engines share.
//!
//! - [`generate`]: random small programs as source text; [`c`]: random C programs; [`small_c`]: such
//!   whose variables have few values, with the truth about them.
//! - [`brute`]: a search over configurations with the real stack.
//! - [`oracle`]: a naive fixpoint over states without a stack.
//! - [`wrong`]: files with mistakes, and what the user is told.
//! - [`live`]: two references for infinite runs that a Büchi automaton accepts.
//!
//! All references are written for being right, not for speed. They use the step semantics of
//! [`recurva_model::semantics`] and share no code with any engine. The two searches, and the
//! two references for infinite runs, agree with each other on random programs (see this
//! crate's tests), by different arguments.
//!
//! ```
//! use recurva_model::*;
//! use recurva_testkit::{brute, oracle};
//!
//! let main = Procedure {
//!     name: "main".into(),
//!     locals: vec![],
//!     parameters: 0,
//!     results: vec![],
//!     nodes: vec![Node::default(); 2],
//!     edges: vec![Edge::skip(NodeId(0), NodeId(1), Origin::default())],
//!     entry: NodeId(0),
//!     exit: NodeId(1),
//!     origin: Origin::default(),
//! };
//! let program = Program::new(Parts {
//!     globals: vec![],
//!     procedures: vec![main],
//!     main: ProcId(0),
//!     labels: vec![],
//!     failures: vec![],
//! })?;
//! let by_force = brute::reachable(&program, &brute::Limits::default());
//! let by_fixpoint = oracle::reachable(&program, &oracle::Limits::default()).unwrap();
//! assert!(by_force.exhaustive);
//! assert_eq!(by_force.nodes, by_fixpoint.nodes);
//! # Ok::<(), Malformed>(())
//! ```

pub mod brute;
pub mod c;
pub mod generate;
pub mod live;
pub mod oracle;
pub mod rng;
pub mod small_c;
pub mod values;
mod watch;
pub mod wrong;
