//! Patterns.

use recurva_syntax::{Diagnostic, Span, Token};

use super::{
    ast::{Arguments, Name, Operand, OperandKind, Pattern, PatternKind},
    fragment::{Tokens, fragment, is_keyword, span_of, split},
    token::{Bracket, Kind},
};

const FORMS: &str = "a pattern is a call, `f($1)` or `$1 = f($?)`, or an assignment, `x = $1`";

/// Reads the pattern that these tokens, between the braces at `place`, are. What is wrong is
/// reported.
pub(super) fn pattern(
    cursor: &mut Tokens<'_>,
    tokens: &[Token<Kind>],
    place: Span,
) -> Option<Pattern> {
    let statements = split(tokens, Kind::Semicolon);
    let tokens = statements[0];
    if let Some(more) = statements[1..].iter().find(|tokens| !tokens.is_empty()) {
        let more = span_of(more, place);
        return report(cursor, "a pattern is one statement", more, FORMS);
    }
    if tokens.is_empty() {
        return report(cursor, "this pattern is empty", place, FORMS);
    }
    let span = span_of(tokens, place);
    if let Some(operator) = changing_operator(cursor, tokens) {
        let message = format!("`{}` cannot stand in a pattern", cursor.text(operator));
        return report(cursor, &message, operator, FORMS);
    }
    let sides = split(tokens, Kind::Assign);
    let (target, value) = match sides[..] {
        [call] => (None, call),
        [target, value] => (Some(operand(cursor, target, place)?), value),
        _ => return report(cursor, "a pattern has one assignment", span, FORMS),
    };
    let kind = match call(cursor, value)? {
        Some((callee, arguments)) => PatternKind::Call { callee, arguments },
        None if target.is_some() => PatternKind::Assign {
            value: operand(cursor, value, span.behind())?,
        },
        None => {
            let message = "this is neither a call nor an assignment";
            return report(cursor, message, span, FORMS);
        }
    };
    Some(Pattern { target, kind, span })
}

fn report<T>(cursor: &mut Tokens<'_>, message: &str, place: Span, help: &str) -> Option<T> {
    cursor
        .diagnostics()
        .report(|| Diagnostic::error(message, place).help(help));
    None
}

/// An operator that changes a variable, other than `=`, outside of all brackets.
fn changing_operator(cursor: &Tokens<'_>, tokens: &[Token<Kind>]) -> Option<Span> {
    let mut depth = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Operator if depth == 0 => {
                let text = cursor.text(token.span);
                let compares = matches!(text, "==" | "!=" | "<=" | ">=");
                if !compares && (text.ends_with('=') || text == "++" || text == "--") {
                    return Some(token.span);
                }
            }
            _ => {}
        }
    }
    None
}

/// The call that tokens are, if they are one.
fn call(cursor: &mut Tokens<'_>, tokens: &[Token<Kind>]) -> Option<Option<(Name, Arguments)>> {
    let [callee, opener, inner @ .., closer] = tokens else {
        return Some(None);
    };
    let round = (
        opener.kind == Kind::Open(Bracket::Round),
        closer.kind == Kind::Close(Bracket::Round),
    );
    if round != (true, true) || !closes_at_end(inner) {
        return Some(None);
    }
    match callee.kind {
        Kind::Word if !is_keyword(cursor.text(callee.span)) => {}
        Kind::Variable(_) | Kind::Any => {
            let message = "the function of a call has to be named";
            return report(cursor, message, callee.span, FORMS);
        }
        _ => return Some(None),
    }
    let name = Name {
        text: cursor.text(callee.span).into(),
        span: callee.span,
    };
    let arguments = match inner {
        [] => Arguments::List(Vec::new()),
        [any] if any.kind == Kind::Any => Arguments::Any,
        _ => {
            let mut list = Vec::new();
            let mut place = opener.span.behind();
            for argument in split(inner, Kind::Comma) {
                list.push(operand(cursor, argument, place)?);
                place = span_of(argument, place).behind();
            }
            Arguments::List(list)
        }
    };
    Some(Some((name, arguments)))
}

/// Whether the bracket before these tokens is closed behind them.
fn closes_at_end(inner: &[Token<Kind>]) -> bool {
    let mut depth = 0_usize;
    inner.iter().all(|token| {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) if depth == 0 => return false,
            Kind::Close(_) => depth -= 1,
            _ => {}
        }
        true
    })
}

fn operand(cursor: &mut Tokens<'_>, tokens: &[Token<Kind>], place: Span) -> Option<Operand> {
    let span = span_of(tokens, place);
    let kind = match tokens {
        [] => {
            let help = "`$?` stands for any expression";
            return report(cursor, "an expression is missing here", span, help);
        }
        [token] if cursor.text(token.span) == "..." => {
            let help = "`f($?)` matches a call with any arguments";
            return report(cursor, "`...` cannot stand in a pattern", span, help);
        }
        [token] if token.kind == Kind::Any => OperandKind::Any,
        [token] => match token.kind {
            Kind::Variable(number) => OperandKind::Bind(number),
            _ => OperandKind::Expr(fragment(cursor.source(), tokens, span)),
        },
        _ => OperandKind::Expr(fragment(cursor.source(), tokens, span)),
    };
    Some(Operand { kind, span })
}
