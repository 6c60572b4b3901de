//! Monitors in real C, compiled by a real compiler and run.

#![allow(clippy::print_stderr, reason = "tests that are skipped say so")]

mod build;
mod cases;
mod differential;
mod golden;
mod positions;
#[cfg(target_os = "linux")]
mod privileged;
mod run_time;
