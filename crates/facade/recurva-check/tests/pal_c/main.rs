//! Monitors of PAL on C programs: what is said without running them, and what their run-time sees.
//!
//! The program that is run is made by `recurva pal cc`'s own toolchain; what both share is where an event
//! matches. `RECURVA_PAL_PROGRAMS` says how many random programs are tried, `RECURVA_PAL_FIRST` from
//! which one on.

#![allow(clippy::print_stderr)]

mod blast;
mod cases;
mod programs;
mod random;
mod rules;
mod workshop;
