//! The explorer.
