//! Terms over booleans, bit vectors, integers and arrays, and solvers for them.
//!
//! A [`Terms`] makes terms: equal terms are one term, and what can be simplified at once is. A
//! [`Term`] is a number that only its own `Terms` can read. Nothing here knows of programs.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_smt::{Answer, Embedded, EmbeddedLimits, Sort, Terms, Value};
//!
//! let mut terms = Terms::default();
//! let x = terms.variable("x", Sort::Bits(8));
//! let one = terms.bits(1, 8);
//! let sum = terms.add(x, one);
//! let value = terms.evaluate(sum, &|_| Some(Value::Bits(255)));
//! assert_eq!(value, Some(Value::Bits(0)));
//!
//! let zero = terms.bits(0, 8);
//! let wraps = terms.equal(sum, zero);
//! let mut solver = Embedded::new(EmbeddedLimits::default());
//! solver.assert(&mut terms, wraps);
//! let mut ask = || ControlFlow::Continue(());
//! let Answer::Satisfiable(model) = solver.check(&mut terms, &[], &mut ask) else {
//!     panic!("255 + 1 is 0");
//! };
//! assert_eq!(model.value(&terms, x), Some(Value::Bits(255)));
//! ```

mod answer;
mod embedded;
mod equations;
pub mod process;
pub mod smtlib;
mod term;

pub use answer::{Answer, Model, Unknown};
pub use embedded::{Embedded, EmbeddedLimits};
pub use equations::Equations;
pub use term::{ArrayValue, Node, Op, Scalar, Sort, Term, Terms, Value};
