//! Properties of recursive programs.
//!
//! - [`monitor`]: finite automata that watch a run, from `.mon` files.
//! - [`ltl`]: linear-time temporal logic, its meaning on words, `.ltl` files.
//! - [`caret`]: CaRet, the same with calls linked to their returns, `.caret` files.
//! - [`ntmu`]: NT-µ, branching time with calls linked to their returns, `.ntmu` files.
//! - [`nta`]: automata on nested trees, `.nta` files.
//! - [`automaton`]: generalised Büchi automata, made from formulas and made smaller.
//! - [`hoa`]: automata in the Hanoi Omega-Automata format.
//!
//! ```
//! use recurva_lang::bp;
//! use recurva_logic::monitor;
//! use recurva_syntax::Source;
//!
//! let text = "void main() begin A: skip; B: skip; end";
//! let source = Source::new("model.bp", text)?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//!
//! let source = Source::new(
//!     "order.mon",
//!     "monitor order
//!        init start
//!        target wrong
//!        start -> done when @A
//!        start -> wrong when @B",
//! )?;
//! let parsed = monitor::parse(&source, &program);
//! let monitors = parsed.monitors.expect("no errors");
//! assert_eq!(monitors[0].states().len(), 3);
//!
//! // A formula about the same program, and the automaton of the runs that violate it.
//! use recurva_logic::{automaton, ltl};
//!
//! let source = Source::new("formula", "G(@A -> F @B)")?;
//! let mut formula = ltl::parse(&source).formula.expect("no errors");
//! let mut diagnostics = Default::default();
//! let resolver = ltl::Resolver::new(&program, ltl::Atoms::Program);
//! let guards = resolver.all(&formula.formulas, &source, &mut diagnostics);
//! assert_eq!(guards.expect("the labels exist").len(), 2);
//! formula.root = formula.formulas.simplify_negation(formula.root);
//! assert_eq!(formula.to_string(), "F(@A & G !@B)");
//! let automaton = automaton::translate(&formula, &automaton::Config::default());
//! assert_eq!(automaton.expect("it is small").states(), 2);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

pub mod automaton;
pub mod caret;
pub mod hoa;
mod lines;
pub mod ltl;
pub mod monitor;
pub mod nta;
pub mod ntmu;
mod scanner;
