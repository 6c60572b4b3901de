//! Monitors as they are written.

use recurva_syntax::Span;

/// A monitor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Monitor {
    /// Headers that its C code needs.
    pub includes: Vec<Include>,
    /// How several threads share it.
    pub threads: Threads,
    /// Variables that all events see.
    pub globals: Vec<Decl>,
    /// The events; of those that match, the first one counts.
    pub events: Vec<Event>,
}

/// How the threads of a program share a monitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Threads {
    /// One monitor for the process, for programs with one thread.
    #[default]
    None,
    /// `monitor per thread;`: each thread has variables of its own.
    PerThread,
    /// `monitor locked;`: one monitor for the process, used by one thread at a time.
    Locked,
}

/// A header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// What stands behind `#include`: `"f.h"` or `<f.h>`.
    pub text: Box<str>,
    /// The whole line.
    pub span: Span,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Box<str>,
    /// Where.
    pub span: Span,
}

/// A declaration in C, without the word before it and the semicolon behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// The declaration as written; the declared names are among its names.
    pub text: Fragment,
    /// The variables it declares, one or more.
    pub variables: Vec<Declared>,
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: Name,
    /// Its initial value.
    pub initialiser: Option<Fragment>,
}

/// What to do where a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name, if it was given one.
    pub name: Option<Name>,
    /// Its place among the events, from 1.
    pub number: usize,
    /// Variables that live as long as the matched call or assignment.
    pub locals: Vec<Decl>,
    /// What it waits for.
    pub pattern: Pattern,
    /// What to check and do just before. Parts written outside `before` and `after` are here,
    /// unless `after` stands before the word `pattern`.
    pub before: Part,
    /// What to check and do just after.
    pub after: Part,
    /// All of it.
    pub span: Span,
}

impl Event {
    /// How messages call it: `event 2`, or `event 2 (open)` with a name.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("event {} ({})", self.number, name.text),
            None => format!("event {}", self.number),
        }
    }
}

/// A guard and an action, both optional. The guard must hold, or the rule is violated; then the
/// action is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// A C expression.
    pub guard: Option<Fragment>,
    /// C statements.
    pub action: Option<Fragment>,
}

impl Part {
    /// Whether there is nothing to check nor to do.
    pub fn is_empty(&self) -> bool {
        self.guard.is_none() && self.action.is_none()
    }

    /// The guard and the action, those that there are.
    pub fn fragments(&self) -> impl Iterator<Item = &Fragment> {
        self.guard.iter().chain(&self.action)
    }
}

/// What an event waits for: a call or an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What is assigned to. A call without one, or with `$?`, matches whatever becomes of its
    /// result; with a variable, where the result is used; with an expression, where it is stored
    /// in that.
    pub target: Option<Operand>,
    /// The call, or the value that is assigned.
    pub kind: PatternKind,
    /// The statement, without its semicolon.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// A call.
    Call {
        /// The function.
        callee: Name,
        /// Its arguments.
        arguments: Arguments,
    },
    /// An assignment; then there is a target.
    Assign {
        /// The value.
        value: Operand,
    },
}

impl Pattern {
    /// The operands: target, then arguments or the value.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        let rest = match &self.kind {
            PatternKind::Call {
                arguments: Arguments::List(list),
                ..
            } => &list[..],
            PatternKind::Call { .. } => &[],
            PatternKind::Assign { value } => std::slice::from_ref(value),
        };
        self.target.iter().chain(rest)
    }
}

/// The arguments of a call in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `f($?)`: any, however many.
    Any,
    /// These, and no others.
    List(Vec<Operand>),
}

/// Something that a pattern matches an expression with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it matches.
    pub kind: OperandKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `$?`: any expression.
    Any,
    /// `$1`, `$2`, …: any expression, which can be used by that name; where it stands twice,
    /// both must be the same.
    Bind(u32),
    /// An expression with that text, its holes filled with any expressions.
    Expr(Fragment),
}

impl Operand {
    /// The variables that it binds, one or more times.
    pub fn binds(&self) -> impl Iterator<Item = u32> {
        let (own, fragment) = match &self.kind {
            OperandKind::Any => (None, None),
            OperandKind::Bind(number) => (Some(*number), None),
            OperandKind::Expr(fragment) => (None, Some(fragment)),
        };
        let holes = fragment.into_iter().flat_map(Fragment::holes);
        let holes = holes.filter_map(|(hole, _)| match hole {
            Hole::Variable(number) => Some(number),
            Hole::Any => None,
        });
        own.into_iter().chain(holes)
    }
}

/// A text in C, in pieces that follow each other without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// All of it.
    pub span: Span,
}

impl Fragment {
    /// The names that may be those of variables or functions, with their places: no keywords,
    /// members nor tags.
    pub fn names(&self) -> impl Iterator<Item = (&str, Span)> {
        let names = self.pieces.iter();
        let names = names.filter(|piece| piece.kind == PieceKind::Name);
        names.map(|piece| (&*piece.text, piece.span))
    }

    /// The holes with their places.
    pub fn holes(&self) -> impl Iterator<Item = (Hole, Span)> {
        self.pieces.iter().filter_map(|piece| match piece.kind {
            PieceKind::Hole(hole) => Some((hole, piece.span)),
            PieceKind::Text | PieceKind::Name => None,
        })
    }

    /// The text as C, without blanks around it; holes as written.
    pub fn text(&self) -> String {
        let text: String = self.pieces.iter().map(|piece| &*piece.text).collect();
        text.trim().to_owned()
    }
}

/// A piece of a text in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// The text. As in the source, but that strings between `''` and `''`, as the thesis prints
    /// them, are strings here.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Text to be taken as it is.
    Text,
    /// A name that may be that of a variable or function: no keyword, member or tag.
    Name,
    /// A place where a pattern's variable goes.
    Hole(Hole),
}

/// What goes into a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hole {
    /// `$1`, `$2`, …
    Variable(u32),
    /// `$?`, only in patterns.
    Any,
}
