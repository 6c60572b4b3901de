//! Terms over booleans, bit vectors, integers and arrays, and solvers for them.
//!
//! A [`Terms`] makes terms: equal terms are one term, and what can be simplified at once is. A
//! [`Term`] is a number that only its own `Terms` can read. Nothing here knows of programs.
//!
//! ```
//! use recurva_smt::{Sort, Terms, Value};
//!
//! let mut terms = Terms::default();
//! let x = terms.variable("x", Sort::Bits(8));
//! let one = terms.bits(1, 8);
//! let sum = terms.add(x, one);
//! let value = terms.evaluate(sum, &|_| Some(Value::Bits(255)));
//! assert_eq!(value, Some(Value::Bits(0)));
//! ```

mod term;

pub use term::{ArrayValue, Node, Op, Scalar, Sort, Term, Terms, Value};
