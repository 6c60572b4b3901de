//! What is said of operands whose types do not fit.

use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span};

use super::{
    check::{For, Found, Scope, Want},
    typing::{Known, Operand, Typing},
};
use crate::token::clip;

impl<S: Scope> Typing<'_, S> {
    /// The whole expression is of type `found` where `ty` is wanted.
    pub(super) fn unfit(&mut self, whole: Operand, found: Type, ty: Type, want: Want<'_>) {
        let text = self.source.slice(whole.span);
        let (of, declared) = match want {
            Want::Value { of, declared, .. } => (Some(of), declared),
            _ => (None, None),
        };
        self.diagnostics.report(|| {
            let (message, note) = match of {
                None => (
                    format!("a condition must be a bool, this is a value of type {found}"),
                    String::new(),
                ),
                Some(For::Variable(name)) => (
                    format!("`{name}` is of type {ty}, the value of type {found}"),
                    format!("`{name}` is declared here"),
                ),
                Some(For::Parameter(name)) => (
                    format!("parameter `{name}` is of type {ty}, the argument of type {found}"),
                    format!("`{name}` is declared here"),
                ),
                Some(For::Result(position)) => (
                    format!("result {position} is of type {ty}, the value of type {found}"),
                    "the results are declared here".to_owned(),
                ),
            };
            let error = Diagnostic::error(message, whole.span)
                .label(format!("expected {ty}, found {found}"))
                .help(conversion(text, found, ty));
            match declared {
                Some(place) => error.note(place, note),
                None => error,
            }
        });
    }

    /// A boolean operand of an operator on booleans.
    pub(super) fn boolean(&mut self, operand: Operand, operator: &str) -> Known {
        let ty = match operand.known {
            Known::Open(_) => return self.settle(operand, Type::Bool),
            Known::Type(ty @ Type::Int { .. }) => ty,
            known => return known,
        };
        let text = self.source.slice(operand.span);
        self.diagnostics.report(|| {
            Diagnostic::error(format!("{operator} is between booleans"), operand.span)
                .label(format!("this is a value of type {ty}"))
                .help(conversion(text, ty, Type::Bool))
        });
        Known::Wrong
    }

    /// An open operand is wanted as a boolean, but something makes it an integer.
    pub(super) fn not_boolean(&mut self, operand: Operand, integer: Span) -> Known {
        let text = clip(self.source.slice(operand.span));
        self.diagnostics.report(|| {
            let error = Diagnostic::error(format!("`{text}` is not a boolean"), operand.span)
                .help("the booleans are `T` or `1` and `F` or `0`");
            if integer == operand.span {
                error
            } else {
                error.note(integer, "this makes it an integer")
            }
        });
        Known::Wrong
    }

    pub(super) fn not_integer(&mut self, operator: Span, operand: Operand) -> Known {
        let text = self.source.slice(operator);
        self.diagnostics.report(|| {
            Diagnostic::error(format!("`{text}` is for integers"), operator)
                .note(operand.span, "this is a bool")
        });
        Known::Wrong
    }

    pub(super) fn index_is_bool(&mut self, index: Operand) -> Known {
        self.diagnostics.report(|| {
            Diagnostic::error("an index must be an integer", index.span)
                .label("this is a bool")
                .help("convert it, as in `int(1)(b)`")
        });
        Known::Wrong
    }

    pub(super) fn no_type(&mut self, operand: Operand) -> Known {
        self.diagnostics.report(|| {
            Diagnostic::error("nothing here tells the type of `*`", operand.span)
                .help("say it with a conversion, as in `int(8)(*)`")
        });
        Known::Wrong
    }

    pub(super) fn an_array(&mut self, found: &Found<S::Op>, span: Span) -> Known {
        let text = clip(self.source.slice(span));
        let last = found.len.unwrap_or(1) - 1;
        self.diagnostics.report(|| {
            declared(
                found,
                Diagnostic::error(format!("`{text}` is an array"), span),
            )
            .label("an array is no value")
            .help(format!("name an element: `{text}[0]` to `{text}[{last}]`"))
        });
        Known::Wrong
    }

    pub(super) fn not_an_array(&mut self, found: &Found<S::Op>, span: Span) -> Known {
        let text = clip(self.source.slice(span));
        self.diagnostics.report(|| {
            declared(
                found,
                Diagnostic::error(format!("`{text}` is not an array"), span),
            )
            .label(format!("it is of type {}", found.ty))
        });
        Known::Wrong
    }

    pub(super) fn mismatch(
        &mut self,
        operator: Span,
        left: (Operand, Type),
        right: (Operand, Type),
    ) -> Known {
        let source = self.source;
        self.diagnostics.report(|| {
            let ((from, from_type), to) = match (left.1, right.1) {
                (_, Type::Bool) => (left, Type::Bool),
                (Type::Bool, _) => (right, Type::Bool),
                // The narrower operand is converted: no bit is lost.
                (l, r) if l.bits() < r.bits() => (left, r),
                (l, _) => (right, l),
            };
            let text = source.slice(operator);
            Diagnostic::error(
                format!("the operands of `{text}` have different types"),
                operator,
            )
            .note(left.0.span, format!("this is of type {}", left.1))
            .note(right.0.span, format!("this is of type {}", right.1))
            .help(conversion(source.slice(from.span), from_type, to))
        });
        Known::Wrong
    }

    pub(super) fn too_large(&mut self, span: Span, ty: Type) {
        self.diagnostics.report(|| {
            let (low, high) = if ty.is_signed() {
                (
                    ty.to_number(ty.wrap(1 << (ty.bits() - 1))),
                    ty.to_number(ty.mask() >> 1),
                )
            } else {
                (0, ty.to_number(ty.mask()))
            };
            Diagnostic::error(format!("this number does not fit in {ty}"), span)
                .label(format!("expected {low} to {high}"))
        });
    }
}

fn declared<O>(found: &Found<O>, diagnostic: Diagnostic) -> Diagnostic {
    match found.declared {
        Some(place) => diagnostic.note(place, "declared here"),
        None => diagnostic,
    }
}

/// Advice on how to make a value of one type into one of another.
fn conversion(text: &str, from: Type, to: Type) -> String {
    let text = if text.is_empty() || text.len() > 40 || text.contains('\n') {
        "…"
    } else {
        text
    };
    match (from, to) {
        (Type::Int { .. }, Type::Bool) => {
            let word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let text = if word {
                text.to_owned()
            } else {
                format!("({text})")
            };
            format!("compare an integer to get a bool, as in `{text} != 0`")
        }
        _ => format!("convert it: `{to}({text})`"),
    }
}
