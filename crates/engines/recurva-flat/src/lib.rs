//! Reachability and emptiness for flat recursive state machines, in time linear in the
//! machine: *Analysis of Recursive State Machines* (Alur, Etessami, Yannakakis), §3.
//!
//! Use this crate for a machine that is given as a whole, an [`Rsm`](recurva_model::rsm::Rsm):
//! components without variables, however many. The time is O(n·θ²) for a machine of size n
//! whose components all have at most θ entries or at most θ exits, and the memory O(n·θ). For
//! programs with variables, or machines that come into being while they are searched, use
//! `recurva-explicit`.
//!
//! It answers whether a vertex can be reached, and whether there is an infinite run that
//! sees every one of up to 32 acceptance marks again and again ([`Acceptance`]): any such
//! run, one whose stack stays bounded, or one whose stack grows for ever ([`Stack`]). Every
//! "yes" comes with the run ([`Path`], [`Lasso`]), move by move.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_flat::{Acceptance, Analysis, Stack};
//! use recurva_model::rsm::{
//!     Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts, Vertex,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let node = |name: &str, role| RsmNode { name: name.into(), role, origin: Default::default() };
//! let edge = |from, to| RsmEdge { from, to, letter: None, origin: Default::default() };
//! // component A: entry e, exit x, box b : A, edges e -> x, e -> b.e, b.x -> x
//! let rsm = Rsm::new(RsmParts {
//!     components: vec![Component {
//!         name: "A".into(),
//!         nodes: vec![node("e", Role::Entry), node("x", Role::Exit)],
//!         boxes: vec![RsmBox {
//!             name: "b".into(),
//!             component: ComponentId(0),
//!             origin: Default::default(),
//!         }],
//!         edges: vec![
//!             edge(Vertex::Node(0), Vertex::Node(1)),
//!             edge(Vertex::Node(0), Vertex::Port { in_box: 0, node: 0 }),
//!             edge(Vertex::Port { in_box: 0, node: 1 }, Vertex::Node(1)),
//!         ],
//!         labels: Vec::new(),
//!         origin: Default::default(),
//!     }],
//!     init: vec![Place { component: ComponentId(0), vertex: Vertex::Node(0) }],
//!     ..RsmParts::default()
//! })?;
//!
//! let go_on = |_: &_| ControlFlow::Continue(());
//! let analysis = Analysis::new(&rsm, &Acceptance::of(&rsm), go_on)?;
//! assert_eq!(analysis.reachable().count(), rsm.len());
//! // Every infinite run calls for ever.
//! assert!(analysis.run(Stack::Bounded, go_on)?.is_none());
//! let lasso = analysis.run(Stack::Any, go_on)?.expect("there is a run");
//! assert!(lasso.diverges());
//! assert_eq!(lasso.turn().moves().count(), 2); // a step to the port, and the call
//! # Ok(())
//! # }
//! ```

mod acceptance;
mod analysis;
mod components;
mod evidence;
mod layout;
mod letters;
mod meter;
mod product;
pub mod resource;
mod saturate;
mod strong;

pub use acceptance::{Acceptance, Marks};
pub use analysis::{Analysis, Choice};
pub use evidence::{Lasso, Move, Moves, Path, Stack};
pub use layout::Bound;
pub use letters::{LetterAutomaton, LetterEdge, Letters, Unfit};
pub use meter::{Progress, Stopped};
pub use product::{Product, ProductVertex};
