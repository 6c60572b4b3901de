//! The language of monitors: `.pal`, and BLAST's `.spc`.
//!
//! ```text
//! monitor  ::= ( '#include' "f.h" | threads | 'global' declaration ';' | event )*
//! threads  ::= 'monitor' ( 'per' 'thread' | 'per' 'process' | 'locked' ) ';'
//! event    ::= 'event' [name] '{' item* '}'  |  item*, the first one a pattern
//! item     ::= ['before' | 'after'] 'pattern' '{' statement ';' '}'
//!            | 'local' declaration ';' | part
//!            | 'before' '{' part* '}' | 'after' '{' part* '}'
//! part     ::= 'guard' '{' C expression '}' | 'action' '{' C statements '}'
//! ```
//!
//! The words are only special where they may stand: a monitor variable can be called `event`. C
//! fragments are taken as they are, split where something may be put in: at names and at the
//! variables of patterns. `docs/src/reference/pal.md` says what all of it means.

mod ast;
mod check;
mod declaration;
mod fragment;
mod index;
mod item;
mod parse;
mod pattern;
mod token;

pub use ast::{
    Arguments, Decl, Declared, Event, Fragment, Hole, Include, Monitor, Name, Operand, OperandKind,
    Part, Pattern, PatternKind, Piece, PieceKind, Threads,
};
pub use index::index;
pub use parse::{Parsed, parse};
pub use token::{Bracket, CTokens, Kind};
