//! Automata on nested trees (*Logics and Algorithms for Software Model Checking*, chapter 4).
//!
//! A nested tree is the branching behaviour of a program, with calls linked to their returns.
//! An automaton walks down such a tree. When it takes a call it pushes its state; when it
//! returns it sees, and pops, the state in which it was at the call.
//!
//! - [`Alternating`] automata send copies of themselves along some or all edges. They have
//!   complements, unions and intersections, and say what [NT-µ](crate::ntmu) says:
//!   [`of_formula`] and [`to_formula`] translate; [`modal`] is for the µ-calculus and CTL.
//! - [`Nondeterministic`] automata label ordered binary trees with their states.
//! - [`parse`], [`Automaton`]: the text format `.nta`, which `docs/src/reference/nta.md` describes.
//!
//! ```
//! use recurva_logic::nta;
//! use recurva_syntax::Source;
//!
//! // Somewhere, in any procedure, `p` holds.
//! let text = "alternating\ninit look\nstate look 1 = p | <loc> look | <call> look | <ret> look\n";
//! let automaton = nta::parse(&Source::new("some.nta", text)?).automaton.expect("no errors");
//! let nta::Automaton::Alternating(automaton) = automaton else { unreachable!() };
//! let everywhere_not = automaton.complement();
//! assert!(everywhere_not.to_string().contains(
//!     "state look 2 =\n  !p & [loc] look & [call] look & [ret] look\n"
//! ));
//! let formula = nta::to_formula(&automaton, 1_000).expect("it is small");
//! assert_eq!(formula.formulas().arity(formula.root()), 1);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod alternating;
mod boolean;
mod display;
mod intersection;

pub mod modal;
mod nondeterministic;
mod of_formula;
mod parse;
mod priorities;
mod read;
mod stairs;
mod to_formula;
mod token;

pub use alternating::{Alternating, Counting, Push, State, StateId, Term, TermId};
pub use nondeterministic::{Child, Guard, Nondeterministic, Transition};
pub use of_formula::of_formula;
pub use read::{Automaton, Parsed, parse};
pub use to_formula::to_formula;
