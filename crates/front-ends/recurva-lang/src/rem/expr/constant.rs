//! Constant expressions, which are computed while they are read.

use recurva_model::Binary;
use recurva_syntax::{Diagnostic, Postfix, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::grammar::Infix;
use crate::{
    names::{NameId, Names},
    parsing::{Tokens, symbol},
    token::{Kind, Symbol, clip, number_value},
};

/// The constants of a file.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    values: FxHashMap<NameId, (i64, Span)>,
}

impl Constants {
    /// The value of a constant and where it is defined.
    pub(crate) fn get(&self, name: NameId) -> Option<(i64, Span)> {
        self.values.get(&name).copied()
    }

    /// Defines a constant, or gives the place where it is defined already.
    pub(crate) fn define(&mut self, name: NameId, value: i64, place: Span) -> Result<(), Span> {
        match self.values.insert(name, (value, place)) {
            Some((_, first)) => Err(first),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy)]
enum Item {
    Number(i64),
    Operator(Binary, Span),
    Bracket,
}

/// Reads a constant expression; `None` if it is wrong, which has been reported.
pub(crate) fn constant<'s>(
    cursor: &mut Tokens<'s>,
    names: &mut Names<'s>,
    constants: &Constants,
) -> Option<(i64, Span)> {
    let start = cursor.peek().span;
    let mut postfix = Postfix::default();
    let mut brackets: Vec<Span> = Vec::new();
    loop {
        while let Some(open) = cursor.eat(symbol(Symbol::Open)) {
            brackets.push(open.span);
            postfix.open(Item::Bracket);
        }
        postfix.operand(Item::Number(operand(cursor, names, constants)?));
        while let Some(&opener) = brackets.last() {
            if operator(cursor.peek().kind).is_some() {
                break;
            }
            cursor.expect_closing(symbol(Symbol::Close), opener)?;
            brackets.pop();
            postfix.close();
        }
        let token = cursor.peek();
        let Some((infix, operator)) = operator(token.kind) else {
            break;
        };
        postfix.infix(Item::Operator(operator, token.span), infix.power());
        cursor.bump();
    }
    let span = start.to(cursor.previous());
    let mut stack: Vec<i64> = Vec::new();
    for item in postfix.finish() {
        let (operator, place) = match item {
            Item::Number(value) => {
                stack.push(value);
                continue;
            }
            Item::Operator(operator, place) => (operator, place),
            Item::Bracket => continue,
        };
        let (right, left) = (stack.pop()?, stack.pop()?);
        let Some(value) = apply(operator, left, right) else {
            cursor.diagnostics().report(|| {
                let message = match operator {
                    Binary::Divide | Binary::Remainder => "division by zero",
                    _ => "this constant is too large",
                };
                Diagnostic::error(message, place)
            });
            return None;
        };
        stack.push(value);
    }
    stack.pop().map(|value| (value, span))
}

fn operand<'s>(
    cursor: &mut Tokens<'s>,
    names: &mut Names<'s>,
    constants: &Constants,
) -> Option<i64> {
    let token = cursor.peek();
    let text = cursor.text(token.span);
    match token.kind {
        Kind::Number => {
            cursor.bump();
            number(text, token.span, cursor)
        }
        Kind::Name => {
            cursor.bump();
            if let Some((value, _)) = constants.get(names.id(text)) {
                return Some(value);
            }
            cursor.diagnostics().report(|| {
                let known = constants.values.keys().map(|&id| names.text(id));
                Diagnostic::error(format!("there is no constant `{}`", clip(text)), token.span)
                    .help_if(did_you_mean(text, known))
                    .help("constants are defined before they are used: `define N 3`")
            });
            None
        }
        _ => {
            cursor.unexpected("a number or a constant", |diagnostic| diagnostic);
            None
        }
    }
}

/// The value of a number token. What is no number has been reported by the lexer.
pub(crate) fn number(text: &str, place: Span, cursor: &mut Tokens<'_>) -> Option<i64> {
    let value = number_value(text)?;
    let number = i64::try_from(value).ok();
    if number.is_none() {
        cursor.diagnostics().report(|| {
            Diagnostic::error("this number is too large", place)
                .help(format!("the largest number is {}", i64::MAX))
        });
    }
    number
}

/// The operator that a token stands for, if it is one for constants.
fn operator(kind: Kind) -> Option<(Infix, Binary)> {
    let infix = Infix::of(kind)?;
    Some((infix, infix.arithmetic()?))
}

fn apply(operator: Binary, left: i64, right: i64) -> Option<i64> {
    let amount = || u32::try_from(right).ok().filter(|&amount| amount < 63);
    match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        Binary::Remainder => left.checked_rem(right),
        Binary::ShiftLeft => left.checked_mul(1 << amount()?),
        Binary::ShiftRight => Some(left >> amount()?),
        Binary::And => Some(left & right),
        Binary::Or => Some(left | right),
        Binary::Xor => Some(left ^ right),
        _ => None,
    }
}
