//! Builds whole C programs.
