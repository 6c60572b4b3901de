//! Formulas as they are written, operands first.

use recurva_syntax::Span;

use super::{Fixpoint, Modality, Path, Quantifier, Scope};

/// A piece of a formula and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) span: Span,
}

/// What a piece is. Operators stand behind their operands.
#[derive(Clone, Debug)]
pub(super) enum ItemKind {
    Constant(bool),
    /// A variable, a parameter, a definition or a proposition.
    Name(Box<str>),
    /// Text that can only be a proposition.
    Proposition(Box<str>),
    /// A definition with so many arguments.
    Use(Box<str>, usize),
    Terminates,
    Return(Modality, u32),
    /// `<ret> true` and its like.
    ReturnConstant(Modality, bool),
    Not,
    And,
    Or,
    Implies,
    Local(Modality),
    Jump(Modality),
    /// With so many return conditions.
    Call(Modality, usize),
    Path(Quantifier, Path, Scope),
    /// `EF f` or `EG f`: one operand.
    Temporal(Quantifier, Path, Scope),
    /// What follows up to the matching [`ItemKind::Fixpoint`] is in the scope of the name.
    Bind(Box<str>),
    Fixpoint(Fixpoint),
    Bracket,
}

/// A named formula, with parameters or without.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: Box<str>,
    /// Where the name stands, if that is in the text that is read.
    pub(super) place: Option<Span>,
    pub(super) parameters: Vec<Box<str>>,
    pub(super) items: Vec<Item>,
}
