//! CaRet: formulas, their meaning on nested words, and automata.

mod automata;
mod member;
mod pieces;
mod random;
mod texts;
