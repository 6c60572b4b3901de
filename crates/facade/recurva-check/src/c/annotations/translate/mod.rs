//! From an expression of ACSL or C to a formula.

mod operators;
mod places;
mod types;

use recurva_acsl::{Expression, Label, Notation, Term, TermId, TermKind, UnaryOperator};
use recurva_certificate::{Builder, Formula, formula::Part};
use recurva_cir::TypeId;
use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span};

use self::types::{INT, number_type};
use super::{
    memory::{Lvalue, Memory, Moment},
    names::Scope,
};

/// Why an expression is not a formula.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// It is wrong.
    Error(Diagnostic),
    /// It is right, and cannot be said.
    Unsupported(Diagnostic),
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
enum Value {
    /// A truth value.
    Truth(Part),
    /// A number; of a type of C, if it is known to be of one.
    Number(Part, Option<Type>),
    /// A pointer: a number of the model, and what it points to.
    Pointer(Part, TypeId),
    /// Null.
    Null,
    /// A part of a variable, an array or a record.
    Place(Lvalue),
}

/// Where a value is needed, there is one or a trouble has been noted.
type Found<T> = Option<T>;

/// The formula of an expression.
pub(super) fn translate(
    expression: &Expression,
    scope: Scope<'_>,
    memory: Memory<'_>,
    troubles: &mut Vec<Trouble>,
) -> Option<Formula> {
    let mut translation = Translation {
        expression,
        scope,
        memory,
        builder: Builder::default(),
        values: Vec::with_capacity(expression.terms().len()),
        troubles,
    };
    let when = moments(expression);
    for (term, when) in expression.terms().iter().zip(when) {
        let value = translation.term(term, when);
        let value = value.and_then(|value| translation.loaded(value, term.span));
        translation.values.push(value);
    }
    let root = translation.truth_of(expression.root())?;
    Some(translation.builder.finish(root))
}

/// The label under which each part is evaluated; none where there is no other than that of the whole.
fn moments(expression: &Expression) -> Vec<Option<Label>> {
    let mut when: Vec<Option<Label>> = vec![None; expression.terms().len()];
    for (number, term) in expression.terms().iter().enumerate().rev() {
        let own = match term.kind {
            TermKind::At(_, label) => Some(label),
            _ => when[number],
        };
        let mut set = |id: TermId| when[id.index()] = own;
        match term.kind {
            TermKind::At(it, _)
            | TermKind::Unary(_, it)
            | TermKind::Field(it, _)
            | TermKind::Arrow(it, _)
            | TermKind::Cast(_, it) => set(it),
            TermKind::Binary(_, left, right) | TermKind::Index(left, right) => {
                set(left);
                set(right);
            }
            TermKind::Conditional(condition, yes, no) => {
                set(condition);
                set(yes);
                set(no);
            }
            TermKind::Number(_)
            | TermKind::Truth(_)
            | TermKind::Null
            | TermKind::Name(_)
            | TermKind::Result => {}
        }
    }
    when
}

struct Translation<'a, 'b> {
    expression: &'a Expression,
    scope: Scope<'a>,
    memory: Memory<'a>,
    builder: Builder,
    /// The values of the parts so far; none for what is wrong.
    values: Vec<Option<Value>>,
    troubles: &'b mut Vec<Trouble>,
}

impl Translation<'_, '_> {
    fn error<T>(&mut self, text: impl Into<String>, span: Span) -> Found<T> {
        self.wrong(Diagnostic::error(text, span))
    }

    fn wrong<T>(&mut self, wrong: Diagnostic) -> Found<T> {
        self.troubles.push(Trouble::Error(wrong));
        None
    }

    fn unsupported<T>(&mut self, text: impl Into<String>, span: Span) -> Found<T> {
        let wrong = Diagnostic::error(text, span);
        self.troubles.push(Trouble::Unsupported(wrong));
        None
    }

    fn is_c(&self) -> bool {
        self.expression.notation == Notation::C
    }

    fn span(&self, id: TermId) -> Span {
        self.expression.term(id).span
    }

    /// The value of a part, once; a part is used once.
    fn value(&mut self, id: TermId) -> Found<Value> {
        self.values[id.index()].clone()
    }

    fn int(&mut self, value: i128) -> Part {
        self.builder.int(value)
    }

    fn term(&mut self, term: &Term, label: Option<Label>) -> Found<Value> {
        let span = term.span;
        match &term.kind {
            TermKind::Number(number) => {
                let ty = number_type(*number, self.long());
                Some(Value::Number(self.int(number.value), Some(ty)))
            }
            TermKind::Truth(truth) => Some(Value::Truth(self.builder.bool(*truth))),
            TermKind::Null => Some(Value::Null),
            TermKind::Name(name) => self.name(name, span, label),
            TermKind::Result => self.result(span),
            TermKind::At(inner, label) => {
                if *label == Label::Post && self.memory.moment != Moment::Exit {
                    return self.error("`Post` has no meaning but in `ensures`", span);
                }
                self.value(*inner)
            }
            TermKind::Unary(UnaryOperator::Dereference, operand) => {
                Some(Value::Place(self.pointee(*operand, label)?))
            }
            TermKind::Unary(operator, operand) => self.unary(*operator, *operand, span),
            TermKind::Binary(operator, left, right) => self.binary(*operator, *left, *right, span),
            TermKind::Conditional(condition, yes, no) => self.conditional(*condition, *yes, *no),
            TermKind::Index(array, index) => self.index(*array, *index, label),
            TermKind::Field(record, name) => match self.value(*record)? {
                Value::Place(place) => self.field(place, name, span),
                _ => self.error("this is no structure", self.span(*record)),
            },
            TermKind::Arrow(pointer, name) => {
                let place = self.pointee(*pointer, label)?;
                self.field(place, name, span)
            }
            TermKind::Cast(ty, operand) => self.cast(*ty, *operand, span),
        }
    }

    /// The bits of `long`.
    fn long(&self) -> u8 {
        self.scope.module.types.pointer_bytes as u8 * 8
    }

    fn truth_of(&mut self, id: TermId) -> Found<Part> {
        let value = self.value(id)?;
        let zero = self.int(0);
        let is_zero = match value {
            Value::Truth(part) => return Some(part),
            Value::Null => return Some(self.builder.bool(false)),
            Value::Number(part, _) | Value::Pointer(part, _) => self.builder.equal(part, zero),
            Value::Place(_) => return self.error("this is neither true nor false", self.span(id)),
        };
        Some(self.builder.not(is_zero))
    }

    /// A number, and its type of C if it has one.
    fn number_of(&mut self, id: TermId) -> Found<(Part, Option<Type>)> {
        match self.value(id)? {
            Value::Number(part, ty) => Some((part, ty)),
            Value::Truth(truth) if self.is_c() => {
                let (one, zero) = (self.int(1), self.int(0));
                let part = self.builder.if_then_else(truth, one, zero);
                Some((part, Some(INT)))
            }
            Value::Truth(_) => self.error(
                "a number is needed here, and this is true or false",
                self.span(id),
            ),
            Value::Null | Value::Pointer(..) => {
                self.unsupported("computing with pointers is not supported", self.span(id))
            }
            Value::Place(_) => self.error("a number is needed here", self.span(id)),
        }
    }
}
