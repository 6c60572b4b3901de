//! Sets of words and relations as regular expressions: they are read operands first, without
//! recursion, and put together while a meter counts.

use recurva_syntax::{Diagnostic, Postfix, Power, Span};

use super::{
    reading::{Change, Read, Reader, changed, changes, condition, count, letters_of},
    token::Kind,
    variables::{Set, Values, Variables},
};
use crate::{Letter, Meter, Nfa, Stop, pair};

/// What a regular expression is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Words,
    Steps,
}

enum Part {
    Nfa(Nfa),
    Sequence,
    Choice,
    Star,
    Plus,
    Question,
    Group,
}

/// Reads a regular expression over letters, or over pairs of letters.
///
/// # Errors
///
/// If the meter says stop.
pub(super) fn regular(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    over: Over,
    meter: &mut Meter<'_>,
) -> Result<Read<Nfa>, Stop> {
    match parts(cursor, variables, over) {
        Some(parts) => put_together(parts, meter),
        None => Ok(None),
    }
}

/// The parts of a regular expression, operands first.
fn parts(cursor: &mut Reader<'_>, variables: &Variables, over: Over) -> Read<Vec<Part>> {
    let mut postfix = Postfix::default();
    let mut open: Vec<Span> = Vec::new();
    let mut operands = 0;
    loop {
        count(cursor, &mut operands)?;
        while let Some(token) = cursor.eat(Kind::Open) {
            postfix.open(Part::Group);
            open.push(token.span);
        }
        postfix.operand(Part::Nfa(atom(cursor, variables, over)?));
        loop {
            let part = match cursor.peek().kind {
                Kind::Star => Part::Star,
                Kind::Plus => Part::Plus,
                Kind::Question => Part::Question,
                Kind::Close if !open.is_empty() => {
                    cursor.bump();
                    open.pop();
                    postfix.close();
                    continue;
                }
                _ => break,
            };
            cursor.bump();
            postfix.operand(part);
        }
        if cursor.eat(Kind::Or).is_some() {
            postfix.infix(Part::Choice, Power::left(1));
        } else if matches!(
            cursor.peek().kind,
            Kind::Name | Kind::Number | Kind::Dot | Kind::OpenSet | Kind::Open
        ) {
            postfix.infix(Part::Sequence, Power::left(2));
        } else if let Some(opener) = open.last() {
            cursor.expect_closing(Kind::Close, *opener)?;
        } else {
            break;
        }
    }
    Some(postfix.finish().into_iter().collect())
}

fn put_together(parts: Vec<Part>, meter: &mut Meter<'_>) -> Result<Read<Nfa>, Stop> {
    let level = meter.level();
    let mut stack: Vec<Nfa> = Vec::new();
    for part in parts {
        // Operators have as many operands as they need: the reader has seen to that.
        let mut pop = || stack.pop().unwrap_or_default();
        let nfa = match part {
            Part::Nfa(nfa) => nfa,
            Part::Group => continue,
            Part::Sequence => {
                let (b, a) = (pop(), pop());
                a.concat(&b)
            }
            Part::Choice => {
                let (b, a) = (pop(), pop());
                a.union(&b)
            }
            Part::Star => pop().star(),
            Part::Plus => pop().plus(),
            Part::Question => {
                let a = pop();
                if a.accepts_empty() {
                    a
                } else {
                    a.union(&Nfa::epsilon())
                }
            }
        };
        let bytes = nfa.bytes();
        meter.pass(bytes as u64 / 8)?;
        meter.hold(level, 2 * bytes)?;
        stack.push(nfa.trim());
    }
    meter.release(level);
    Ok(stack.pop())
}

/// `a`, `.`, `[x = 1 & y]`; for steps also `a/b`, `a/.`, `[x]/[x := false]`.
fn atom(cursor: &mut Reader<'_>, variables: &Variables, over: Over) -> Read<Nfa> {
    let letters = variables.letters().unwrap_or(0);
    let set = if cursor.eat(Kind::Dot).is_some() {
        vec![true; letters as usize]
    } else if let Some(opener) = cursor.eat(Kind::OpenSet) {
        let set = condition(cursor, variables)?;
        cursor.expect_closing(Kind::CloseSet, opener.span)?;
        set
    } else if matches!(cursor.peek().kind, Kind::Name | Kind::Number) {
        let token = cursor.bump();
        named(cursor, variables, token.span)?
    } else {
        cursor.unexpected("a letter", |d| {
            d.help("a letter is a value, `.` for any, or a condition in brackets")
        });
        return None;
    };
    if over == Over::Words {
        if cursor.at(Kind::Slash) {
            cursor.unexpected("a set of words, without steps", |d| {
                d.help("`a/b` is for transitions")
            });
            return None;
        }
        return Some(Nfa::letter(&letters_of(&set).collect::<Vec<_>>()));
    }
    let mut pairs: Vec<Letter> = Vec::new();
    if cursor.eat(Kind::Slash).is_none() {
        pairs.extend(letters_of(&set).map(|a| pair(a, a)));
    } else if cursor.eat(Kind::Dot).is_some() {
        let all = letters_of(&set).flat_map(|a| (0..letters).map(move |b| pair(a, b)));
        pairs.extend(all);
    } else {
        let changes = if let Some(opener) = cursor.eat(Kind::OpenSet) {
            let list = changes(cursor, variables)?;
            cursor.expect_closing(Kind::CloseSet, opener.span)?;
            list
        } else {
            let token = cursor.bump();
            let text = cursor.text(token.span);
            let Some((variable, value)) = variables.find_value(text) else {
                unknown_value(cursor, variables, token.span);
                return None;
            };
            vec![Change::Value(variable, value)]
        };
        for a in letters_of(&set) {
            pairs.extend(
                changed(variables, &changes, a)
                    .into_iter()
                    .map(|b| pair(a, b)),
            );
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Some(Nfa::letter(&pairs))
}

/// A value that stands for all letters that have it, or a variable that is true.
fn named(cursor: &mut Reader<'_>, variables: &Variables, span: Span) -> Read<Set> {
    let text = cursor.text(span);
    let letters = variables.letters().unwrap_or(0);
    let variable = variables
        .find(text)
        .filter(|&at| matches!(variables.list[at].values, Values::Bool));
    let found = variable
        .map(|at| (at, 1))
        .or_else(|| variables.find_value(text));
    let Some((variable, value)) = found else {
        unknown_value(cursor, variables, span);
        return None;
    };
    let has = |letter| variables.value(letter, variable) == value;
    Some((0..letters).map(has).collect())
}

fn unknown_value(cursor: &mut Reader<'_>, variables: &Variables, span: Span) {
    let text = cursor.text(span);
    let near = variables.near(text);
    let message = format!("there is no value `{text}`");
    cursor
        .diagnostics()
        .report(|| Diagnostic::error(message, span).help_if(near));
}
