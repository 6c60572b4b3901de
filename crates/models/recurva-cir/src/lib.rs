//! `cir`: C programs as control-flow graphs.
//!
//! A [`Module`] is a whole program: units are linked, names resolved, layouts fixed, and all that an
//! expression does besides having a value has become an edge of its own. Expressions are pure.
//! Every variable is an object in memory of a known size; a [`Place`] is a part of one, named by
//! fields and indices as the source names it, so that later stages can do without memory where
//! nobody looks at bytes.
//!
//! [`interpret`] is the definition of what a program means: byte by byte, with a real stack.
//! [`validate`] says whether a module is well formed; all that works on modules relies on that. A
//! module is displayed as text, one edge per line, and values are shown in C's terms.
//!
//! ```
//! use recurva_cir::interpret::{Machine, Options, Outcome, Replay};
//! use recurva_cir::*;
//!
//! let (origin, int) = (Origin::default(), Scalar::Int(Int::INT));
//! let code = Expr::constant(3, int);
//! let main = Function {
//!     name: "main".into(),
//!     locals: vec![],
//!     parameters: 0,
//!     is_variadic: false,
//!     result: None,
//!     result_type: None,
//!     nodes: vec![origin; 2],
//!     edges: vec![Edge {
//!         from: NodeId(0),
//!         to: NodeId(1),
//!         operation: Operation::Exit(code),
//!         origin,
//!     }],
//!     entry: NodeId(0),
//!     exit: NodeId(1),
//!     labels: vec![],
//!     origin,
//! };
//! let types = Types {
//!     pointer_bytes: 8,
//!     extended_bytes: 16,
//!     ..Types::default()
//! };
//! let module = Module {
//!     sources: vec![],
//!     types,
//!     globals: vec![],
//!     functions: vec![main],
//!     entry: FunctionId(0),
//! };
//! validate(&module)?;
//! let mut world = Replay::default();
//! let mut machine = Machine::new(&module, &mut world, Options::default());
//! assert_eq!(machine.run(), Outcome::Exited(3));
//! # Ok::<(), Malformed>(())
//! ```

mod expression;
pub mod interpret;
mod module;
mod operation;
mod show;
mod text;
mod types;
mod validate;
mod walk;

pub use expression::{Base, Binary, Expr, ExprKind, Place, Step, Unary, Var};
pub use module::{
    Edge, Function, FunctionId, Global, GlobalId, InitialValue, Label, Local, LocalId, LocalKind,
    Module, NodeId, Origin, SourceId, SourceText,
};
pub use operation::{
    Argument, Callee, Check, Choice, ErrorKind, External, Operation, Storage, Unknown,
};
pub use show::{show_scalar, show_string};
pub use types::{
    Bits, EnumId, Enumeration, Field, Float, Int, Record, RecordId, Scalar, Type, TypeId, Types,
};
pub use validate::{Malformed, validate};
pub use walk::Part;
