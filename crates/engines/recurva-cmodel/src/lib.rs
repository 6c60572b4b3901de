//! C programs as programs that the engines can search.
