//! `cir`: C programs as control-flow graphs.
//!
//! A [`Module`] is a whole program: units are linked, names resolved, layouts fixed, and all that an
//! expression does besides having a value has become an edge of its own. Expressions are pure.
//! Every variable is an object in memory of a known size; a [`Place`] is a part of one, named by
//! fields and indices as the source names it, so that later stages can do without memory where
//! nobody looks at bytes.
//!
//! The interpreter is the definition of what a program means: byte by byte, with a real stack.

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
