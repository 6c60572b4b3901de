//! Monitors in real C, compiled by a real compiler and run.

mod build;
mod cases;
mod differential;
mod golden;
mod positions;
mod run_time;
