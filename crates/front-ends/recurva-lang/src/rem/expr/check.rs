//! Expressions where they are used: conditions, indices and values for something declared.

use recurva_model::{Binary, Op, Type};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

use super::{
    Expr,
    emit::{TooLarge, emit},
    range::Range,
    typing::{Kept, Known, Operand, Typing, WIDE},
};
use crate::{
    expr::check::For,
    rem::scope::{Found, Scope},
    token::clip,
};

/// What a value is for: its type, its name, its declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    pub(crate) ty: Type,
    pub(crate) of: For<'w>,
    pub(crate) declared: Span,
}

/// A value, and when it fits in what it is for.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) value: Vec<Op>,
    /// The condition under which it fits; empty if it always does.
    pub(crate) fits: Vec<Op>,
}

/// Checks expressions of a module.
pub(crate) struct Checker<'c, 'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) diagnostics: &'c mut Diagnostics,
}

impl Checker<'_, '_> {
    /// A boolean expression.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Option<Vec<Op>> {
        let mut typing = Typing::new(&self.scope, self.diagnostics, &expr.items);
        let (whole, notes) = typing.run();
        match whole.known {
            Known::Bool => self.emit(expr, &notes),
            Known::Wrong => None,
            Known::Int(..) => {
                self.not_a_condition(whole);
                None
            }
        }
    }

    /// An index into an array of a length.
    pub(crate) fn index(&mut self, expr: &Expr, array: (u32, Span)) -> Option<Vec<Op>> {
        let mut typing = Typing::new(&self.scope, self.diagnostics, &expr.items);
        let (whole, notes) = typing.run();
        match typing.index(whole, array) {
            true => self.emit(expr, &notes),
            false => None,
        }
    }

    /// Only looks for what is wrong.
    pub(crate) fn anything(&mut self, expr: &Expr) {
        Typing::new(&self.scope, self.diagnostics, &expr.items).run();
    }

    /// A value for something.
    pub(crate) fn value(&mut self, expr: &Expr, wanted: Wanted<'_>) -> Option<Fitted> {
        let mut typing = Typing::new(&self.scope, self.diagnostics, &expr.items);
        let (whole, notes) = typing.run();
        let bits = match (whole.known, wanted.ty) {
            (Known::Wrong, _) => return None,
            (Known::Bool, Type::Bool) => {
                let value = self.emit(expr, &notes)?;
                let fits = Vec::new();
                return Some(Fitted { value, fits });
            }
            (Known::Int(..), Type::Int { bits, .. }) => bits,
            _ => {
                self.unfit(whole, wanted);
                return None;
            }
        };
        let Known::Int(kept, range) = whole.known else {
            return None;
        };
        let value = self.emit(expr, &notes)?;
        if range.misses(Range::bits(bits)) {
            self.never_fits(whole, wanted);
        }
        let from = match kept {
            Kept::Bits(own) => Type::unsigned(own),
            Kept::Constant(_) | Kept::Wide => WIDE,
        };
        let mut fitted = convert(value, from, wanted.ty);
        if range.within(Range::bits(bits)) {
            fitted.fits.clear();
        }
        if let Kept::Constant(number) = kept {
            fitted.value = vec![Op::Const(wanted.ty.wrap(number as u64), wanted.ty)];
        }
        Some(fitted)
    }

    fn emit(&mut self, expr: &Expr, notes: &[super::typing::Note]) -> Option<Vec<Op>> {
        match emit(&expr.items, notes) {
            Ok(ops) => Some(ops),
            Err(TooLarge(quantifier)) => {
                self.diagnostics.report(|| {
                    Diagnostic::error("this quantifier has too many cases", quantifier.span)
                        .label(format!("{} values", quantifier.count()))
                        .help("quantifiers are written out, and this becomes too large")
                });
                None
            }
        }
    }

    fn text(&self, operand: Operand) -> String {
        clip(self.scope.shared.source.slice(operand.span))
    }

    fn not_a_condition(&mut self, whole: Operand) {
        let text = self.text(whole);
        self.diagnostics.report(|| {
            Diagnostic::error("a condition must be a bool, this is an integer", whole.span)
                .help(compare(&text))
        });
    }

    fn unfit(&mut self, whole: Operand, wanted: Wanted<'_>) {
        let text = self.text(whole);
        self.diagnostics.report(|| {
            let ty = wanted.ty;
            let (is, help) = match whole.known {
                Known::Bool => (
                    "a bool",
                    "choose the number: `if :: b -> x = 1; :: else -> x = 0; fi;`".to_owned(),
                ),
                _ if text.bytes().all(|b| b.is_ascii_digit()) => (
                    "an integer",
                    "the booleans are `true` and `false`".to_owned(),
                ),
                _ => ("an integer", compare(&text)),
            };
            let (message, note) = match wanted.of {
                For::Variable(name) => (
                    format!("`{name}` is of type {ty}, the value is {is}"),
                    format!("`{name}` is declared here"),
                ),
                For::Parameter(name) => (
                    format!("parameter `{name}` is of type {ty}, the argument is {is}"),
                    format!("`{name}` is declared here"),
                ),
                For::Result(_) => (
                    format!("the result is of type {ty}, the value is {is}"),
                    "the result is declared here".to_owned(),
                ),
            };
            Diagnostic::error(message, whole.span)
                .note(wanted.declared, note)
                .help(help)
        });
    }

    fn never_fits(&mut self, whole: Operand, wanted: Wanted<'_>) {
        self.diagnostics.warn(|| {
            let (ty, most) = (wanted.ty, wanted.ty.mask());
            Diagnostic::warning(format!("this value never fits in {ty}"), whole.span)
                .label(format!("only 0 to {most} does: the step is never possible"))
                .note(wanted.declared, "declared here")
        });
    }
}

/// A value of one type as one of another, if it fits. Both are booleans or both integers.
pub(crate) fn convert(mut value: Vec<Op>, from: Type, to: Type) -> Fitted {
    let mut fits = Vec::new();
    if from.is_signed() || from.bits() > to.bits() {
        fits.clone_from(&value);
        // A negative number is a very large one without its sign.
        let unsigned = Type::unsigned(from.bits());
        if from != unsigned {
            fits.push(Op::Convert(from, unsigned));
        }
        fits.push(Op::Const(to.mask(), unsigned));
        fits.push(Op::Binary(Binary::LessEqual, unsigned));
    }
    if from != to {
        value.push(Op::Convert(from, to));
    }
    Fitted { value, fits }
}

fn compare(text: &str) -> String {
    let word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let text = if word {
        text.to_owned()
    } else {
        format!("({text})")
    };
    format!("compare an integer to get a bool, as in `{text} != 0`")
}

impl Typing<'_, '_> {
    /// A boolean operand.
    pub(super) fn boolean(&mut self, operator: Span, operand: Operand) -> Known {
        let Known::Int(..) = operand.known else {
            return operand.known;
        };
        let source = self.scope.shared.source;
        let (sign, text) = (source.slice(operator), clip(source.slice(operand.span)));
        self.diagnostics.report(|| {
            Diagnostic::error(format!("`{}` is for booleans", clip(sign)), operator)
                .note(operand.span, "this is an integer")
                .help(compare(&text))
        });
        Known::Wrong
    }

    /// An integer operand.
    pub(super) fn integer(&mut self, operator: Span, operand: Operand) -> Option<Range> {
        match operand.known {
            Known::Int(_, range) => return Some(range),
            Known::Wrong => return None,
            Known::Bool => {}
        }
        let text = clip(self.scope.shared.source.slice(operator));
        self.diagnostics.report(|| {
            Diagnostic::error(format!("`{text}` is for integers"), operator)
                .note(operand.span, "this is a bool")
        });
        None
    }

    pub(super) fn mixed(&mut self, operator: Span, left: Operand, right: Operand) -> Known {
        let text = clip(self.scope.shared.source.slice(operator));
        let is = |operand: Operand| match operand.known {
            Known::Bool => "this is a bool",
            _ => "this is an integer",
        };
        self.diagnostics.report(|| {
            let message = format!("the operands of `{text}` have different types");
            Diagnostic::error(message, operator)
                .note(left.span, is(left))
                .note(right.span, is(right))
        });
        Known::Wrong
    }

    pub(super) fn doubtful(&mut self, operator: Span, left: Operand, right: Operand) -> Known {
        self.diagnostics.report(|| {
            Diagnostic::error(
                "is the quantifier about this comparison or about its left side?",
                operator,
            )
            .note(
                left.span.to(right.span),
                "Moped compares what the quantifier gives",
            )
            .help("put the comparison, or the quantifier and its left side, in parentheses")
        });
        Known::Wrong
    }

    /// The variable of a quantifier, behind the end of its body.
    pub(super) fn out_of_reach(&mut self, span: Span) -> Known {
        let text = clip(self.scope.shared.source.slice(span));
        self.diagnostics.report(|| {
            let message = format!("the quantifier of `{text}` does not reach so far");
            Diagnostic::error(message, span)
                .help("its body ends before `&&`, `||`, `&`, `|` and `^`: put it in parentheses")
        });
        Known::Wrong
    }

    pub(super) fn index_is_bool(&mut self, index: Operand) -> bool {
        self.diagnostics.report(|| {
            Diagnostic::error("an index must be an integer", index.span).label("this is a bool")
        });
        false
    }

    pub(super) fn never_inside(&mut self, index: Operand, (len, declared): (u32, Span)) {
        self.diagnostics.warn(|| {
            Diagnostic::warning("this index is always out of range", index.span)
                .label(format!("only 0 to {} is not", len - 1))
                .note(declared, "declared here")
        });
    }

    pub(super) fn not_an_array(&mut self, span: Span, ty: Type, declared: Span) -> Known {
        let text = clip(self.scope.shared.source.slice(span));
        self.diagnostics.report(|| {
            Diagnostic::error(format!("`{text}` is not an array"), span)
                .label(format!("it is of type {ty}"))
                .note(declared, "declared here")
        });
        Known::Wrong
    }

    /// An array or a struct where a number or a bool is wanted.
    pub(super) fn not_scalar(&mut self, found: Found, span: Span) -> Known {
        let shared = self.scope.shared;
        let text = clip(shared.source.slice(span));
        self.diagnostics.report(|| match found {
            Found::Variable { len, declared, .. } => {
                let last = len.unwrap_or(1) - 1;
                Diagnostic::error(format!("`{text}` is an array"), span)
                    .label("an array is no value")
                    .note(declared, "declared here")
                    .help(format!("name an element: `{text}[0]` to `{text}[{last}]`"))
            }
            Found::Struct { id, declared, .. } => {
                let fields = &shared.structs.get(id).fields;
                let field = fields.first().map_or("f", |f| shared.names.text(f.name.id));
                Diagnostic::error(format!("`{text}` is a struct"), span)
                    .label("a struct is no value")
                    .note(declared, "declared here")
                    .help(format!("name a field, as in `{text}.{}`", clip(field)))
            }
        });
        Known::Wrong
    }
}
