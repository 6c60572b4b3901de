//! From an expression in postfix order to its parts, and chains of comparisons to conjunctions.

use recurva_syntax::{Diagnostic, Span};

use crate::tree::{
    BinaryOperator, CastType, Expression, Label, Notation, Term, TermId, TermKind, UnaryOperator,
};

/// What an expression consists of, operands before what uses them.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Something without operands.
    Operand(TermKind),
    /// Brackets, which end a chain; as an opening one that waits for its end, too.
    Paren,
    /// The brackets of `\old` and `\at`.
    At(Label),
    Index,
    Field(Box<str>),
    Arrow(Box<str>),
    Unary(UnaryOperator),
    Cast(CastType),
    Binary(BinaryOperator),
    Conditional,
    /// The bracket that `?` opens and `:` closes.
    Question,
}

/// A part on the stack.
struct Built {
    term: TermId,
    /// If it is a chain of comparisons: its last operand, and where it goes.
    chain: Option<(TermId, Option<Direction>)>,
}

/// Which comparisons a chain has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Equal,
    Up,
    Down,
}

/// The expression of items in postfix order, with their places.
pub(crate) fn build(
    notation: Notation,
    items: Vec<(Item, Span)>,
) -> Result<Option<Expression>, Box<Diagnostic>> {
    let mut builder = Builder {
        notation,
        terms: Vec::with_capacity(items.len()),
        stack: Vec::new(),
    };
    for (item, span) in items {
        if builder.add(item, span)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Expression::new(notation, builder.terms))
}

struct Builder {
    notation: Notation,
    terms: Vec<Term>,
    stack: Vec<Built>,
}

impl Builder {
    fn span(&self, id: TermId) -> Span {
        self.terms[id.index()].span
    }

    fn term(&mut self, kind: TermKind, span: Span) -> TermId {
        self.terms.push(Term { kind, span });
        TermId(self.terms.len() as u32 - 1)
    }

    fn push(&mut self, kind: TermKind, span: Span) {
        let term = self.term(kind, span);
        self.stack.push(Built { term, chain: None });
    }

    /// Adds an item; `None` if an operand is missing, which the parser does not let happen.
    fn add(&mut self, item: Item, span: Span) -> Result<Option<()>, Box<Diagnostic>> {
        let mut pop = || self.stack.pop().map(|built| built.term);
        match item {
            Item::Operand(kind) => self.push(kind, span),
            Item::Question => {}
            Item::Paren => {
                let Some(built) = self.stack.last_mut() else {
                    return Ok(None);
                };
                built.chain = None;
                let term = &mut self.terms[built.term.index()];
                term.span = term.span.to(span);
            }
            Item::Binary(operator) => return self.binary(operator),
            Item::Conditional => {
                let (Some(no), Some(yes), Some(condition)) = (pop(), pop(), pop()) else {
                    return Ok(None);
                };
                let span = self.span(condition).to(self.span(no));
                self.push(TermKind::Conditional(condition, yes, no), span);
            }
            Item::Index => {
                let (Some(index), Some(array)) = (pop(), pop()) else {
                    return Ok(None);
                };
                let span = self.span(array).to(span);
                self.push(TermKind::Index(array, index), span);
            }
            Item::At(_) | Item::Field(_) | Item::Arrow(_) | Item::Unary(_) | Item::Cast(_) => {
                let Some(operand) = pop() else {
                    return Ok(None);
                };
                let span = self.span(operand).to(span);
                let kind = match item {
                    Item::At(label) => TermKind::At(operand, label),
                    Item::Field(name) => TermKind::Field(operand, name),
                    Item::Arrow(name) => TermKind::Arrow(operand, name),
                    Item::Cast(ty) => TermKind::Cast(ty, operand),
                    Item::Unary(operator) => TermKind::Unary(operator, operand),
                    _ => return Ok(None),
                };
                self.push(kind, span);
            }
        }
        Ok(Some(()))
    }

    fn binary(&mut self, operator: BinaryOperator) -> Result<Option<()>, Box<Diagnostic>> {
        let (Some(right), Some(left)) = (self.stack.pop(), self.stack.pop()) else {
            return Ok(None);
        };
        let right = right.term;
        let is_chained = operator.is_comparison() && self.notation == Notation::Acsl;
        let span = self.span(left.term).to(self.span(right));
        let (chain, term) = match (is_chained, left.chain) {
            (false, _) => {
                let term = self.term(TermKind::Binary(operator, left.term, right), span);
                (None, term)
            }
            (true, None) => {
                let term = self.term(TermKind::Binary(operator, left.term, right), span);
                (Some((right, direction(operator))), term)
            }
            (true, Some((last, before))) => {
                let both = before.zip(direction(operator));
                let Some(joined) = both.and_then(|(before, it)| join(before, it)) else {
                    return Err(Box::new(no_chain(span)));
                };
                let own = self.span(last).to(self.span(right));
                let next = self.term(TermKind::Binary(operator, last, right), own);
                let both = TermKind::Binary(BinaryOperator::And, left.term, next);
                (Some((right, Some(joined))), self.term(both, span))
            }
        };
        self.stack.push(Built { term, chain });
        Ok(Some(()))
    }
}

fn no_chain(span: Span) -> Diagnostic {
    Diagnostic::error("these comparisons are no chain", span).help(
        "a chain goes up, as in `0 <= i < n`, or down; `!=` is in none: use `&&`, or brackets",
    )
}

/// Where a chain goes with a comparison; `None` if there is no chain with it.
fn direction(operator: BinaryOperator) -> Option<Direction> {
    Some(match operator {
        BinaryOperator::Equal => Direction::Equal,
        BinaryOperator::Less | BinaryOperator::LessEqual => Direction::Up,
        BinaryOperator::Greater | BinaryOperator::GreaterEqual => Direction::Down,
        _ => return None,
    })
}

fn join(left: Direction, right: Direction) -> Option<Direction> {
    match (left, right) {
        (Direction::Equal, other) | (other, Direction::Equal) => Some(other),
        _ => (left == right).then_some(left),
    }
}
