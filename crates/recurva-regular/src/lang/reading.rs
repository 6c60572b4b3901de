//! Expressions over one process: they are evaluated while they are read, operands first, without
//! recursion.

use recurva_syntax::{Cursor, Diagnostic, Postfix, Power, Span};

use super::{
    token::{Kind, Tokens},
    variables::{Set, Values, Variables},
};
use crate::Letter;

pub(super) type Reader<'s> = Cursor<'s, Tokens<'s>>;

/// What a reader can fail with: it has been reported.
pub(super) type Read<T> = Option<T>;

/// How many operands an expression may have.
const MAX_OPERANDS: usize = 1000;

/// Counts operands; one too many is reported.
pub(super) fn count(cursor: &mut Reader<'_>, operands: &mut usize) -> Read<()> {
    *operands += 1;
    if *operands <= MAX_OPERANDS {
        return Some(());
    }
    let place = cursor.peek().span;
    cursor.diagnostics().report(|| {
        let message = format!("an expression has at most {MAX_OPERANDS} operands");
        Diagnostic::error(message, place)
    });
    None
}

enum Item {
    Set(Set),
    Not,
    And,
    Or,
    Group,
}

/// Reads an expression: the letters for which it holds.
pub(super) fn condition(cursor: &mut Reader<'_>, variables: &Variables) -> Read<Set> {
    let mut postfix = Postfix::default();
    let mut open: Vec<Span> = Vec::new();
    let mut operands = 0;
    loop {
        count(cursor, &mut operands)?;
        // An operand is due.
        loop {
            if cursor.eat(Kind::Not).is_some() {
                postfix.prefix(Item::Not, 3);
            } else if let Some(token) = cursor.eat(Kind::Open) {
                postfix.open(Item::Group);
                open.push(token.span);
            } else {
                break;
            }
        }
        postfix.operand(Item::Set(comparison(cursor, variables)?));
        while !open.is_empty() && cursor.at(Kind::Close) {
            cursor.bump();
            open.pop();
            postfix.close();
        }
        if cursor.eat(Kind::And).is_some() {
            postfix.infix(Item::And, Power::left(2));
        } else if cursor.eat(Kind::Or).is_some() {
            postfix.infix(Item::Or, Power::left(1));
        } else if let Some(opener) = open.last() {
            cursor.expect_closing(Kind::Close, *opener)?;
        } else {
            break;
        }
    }
    let mut stack: Vec<Set> = Vec::new();
    for item in postfix.finish() {
        match item {
            Item::Set(set) => stack.push(set),
            Item::Not => {
                let set = stack.pop()?;
                stack.push(set.into_iter().map(|x| !x).collect());
            }
            Item::And | Item::Or => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                let both = a.into_iter().zip(b);
                let is_and = matches!(item, Item::And);
                stack.push(
                    both.map(|(x, y)| if is_and { x && y } else { x || y })
                        .collect(),
                );
            }
            Item::Group => {}
        }
    }
    stack.pop()
}

/// `true`, `x`, `x = v`, `x < 3`, or a value that only one variable has.
fn comparison(cursor: &mut Reader<'_>, variables: &Variables) -> Read<Set> {
    let token = cursor.peek();
    if !matches!(token.kind, Kind::Name | Kind::Number | Kind::Item) {
        cursor.unexpected("a variable or a value", |d| d);
        return None;
    }
    cursor.bump();
    let text = cursor.text(token.span);
    let letters = variables.letters().unwrap_or(0);
    if text == "true" || text == "false" {
        return Some(vec![text == "true"; letters as usize]);
    }
    let test = |variable: usize, holds: &dyn Fn(u32) -> bool| -> Set {
        let values = (0..letters).map(|letter| holds(variables.value(letter, variable)));
        values.collect()
    };
    if let Some(variable) = variables.find(text) {
        let operator = cursor.peek().kind;
        let order: fn(u32, u32) -> bool = match operator {
            Kind::Equal => |a, b| a == b,
            Kind::NotEqual => |a, b| a != b,
            Kind::Less => |a, b| a < b,
            Kind::AtMost => |a, b| a <= b,
            Kind::Greater => |a, b| a > b,
            Kind::AtLeast => |a, b| a >= b,
            _ if matches!(variables.list[variable].values, Values::Bool) => {
                return Some(test(variable, &|value| value == 1));
            }
            _ => {
                cursor.unexpected("a comparison", |d| d.help(format!("write `{text} = …`")));
                return None;
            }
        };
        cursor.bump();
        let value = value(cursor, variables, variable)?;
        return Some(test(variable, &|other| order(other, value)));
    }
    if let Some((variable, value)) = variables.find_value(text) {
        return Some(test(variable, &|other| other == value));
    }
    let near = variables.near(text);
    let message = format!("there is no variable and no value `{text}`");
    cursor
        .diagnostics()
        .report(|| Diagnostic::error(message, token.span).help_if(near));
    None
}

/// A part of a rule that may be there once; `seen` are the earlier ones.
pub(super) fn once<'w>(
    cursor: &mut Reader<'_>,
    seen: &mut Vec<(&'w str, Span)>,
    word: &'w str,
    span: Span,
) -> Read<()> {
    let Some(&(_, other)) = seen.iter().find(|(earlier, _)| *earlier == word) else {
        seen.push((word, span));
        return Some(());
    };
    let help = match word {
        "do" => "separate assignments by commas",
        _ => "join conditions by `&`",
    };
    cursor.diagnostics().report(|| {
        Diagnostic::error(format!("there are two parts for `{word}`"), span)
            .note(other, "the first one")
            .help(help)
    });
    None
}

/// A value of a variable.
pub(super) fn value(cursor: &mut Reader<'_>, variables: &Variables, variable: usize) -> Read<u32> {
    let token = cursor.bump();
    let text = cursor.text(token.span);
    let declared = &variables.list[variable];
    let found = declared.values.find(text);
    if found.is_none() {
        let message = format!("`{text}` is no value of `{}`", declared.name);
        let near = match &declared.values {
            Values::Names(names) => {
                recurva_syntax::did_you_mean(text, names.iter().map(String::as_str))
                    .or_else(|| Some(format!("its values are {}", names.join(", "))))
            }
            Values::Bool => Some("its values are false and true".to_owned()),
            Values::Numbers(low, high) => Some(format!("its values are {low} to {high}")),
        };
        let place = declared.span;
        cursor.diagnostics().report(|| {
            Diagnostic::error(message, token.span)
                .note(place, "declared here")
                .help_if(near)
        });
    }
    found
}

/// What one letter may become.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// A variable gets a value.
    Value(usize, u32),
    /// A variable gets the value of another; which of its own each of the other's values is.
    Copy(usize, usize, Vec<u32>),
    /// A variable gets any value.
    Any(usize),
}

impl Change {
    fn variable(&self) -> usize {
        match *self {
            Change::Value(variable, _) | Change::Copy(variable, _, _) | Change::Any(variable) => {
                variable
            }
        }
    }
}

/// Reads `x := v, y := *`.
pub(super) fn changes(cursor: &mut Reader<'_>, variables: &Variables) -> Read<Vec<Change>> {
    let mut list = Vec::new();
    loop {
        change(cursor, variables, &mut list)?;
        if cursor.eat(Kind::Comma).is_none() {
            return Some(list);
        }
    }
}

/// Reads one assignment more.
pub(super) fn change(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    list: &mut Vec<Change>,
) -> Read<()> {
    let place = cursor.peek().span;
    let change = assignment(cursor, variables)?;
    if list
        .iter()
        .any(|other| other.variable() == change.variable())
    {
        assigned_twice(cursor, place);
        return None;
    }
    list.push(change);
    Some(())
}

/// Says that what is at a place has a new value already.
pub(super) fn assigned_twice(cursor: &mut Reader<'_>, place: Span) {
    let message = format!("`{}` is assigned twice", cursor.text(place));
    cursor.diagnostics().report(|| {
        Diagnostic::error(message, place).help("a step reads all values before it changes any")
    });
}

fn assignment(cursor: &mut Reader<'_>, variables: &Variables) -> Read<Change> {
    let name = cursor.peek();
    if !matches!(name.kind, Kind::Name | Kind::Item) {
        cursor.unexpected("a variable", |d| d);
        return None;
    }
    cursor.bump();
    let text = cursor.text(name.span);
    let Some(variable) = variables.find(text) else {
        let near = variables.near(text);
        let message = format!("there is no variable `{text}`");
        cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, name.span).help_if(near));
        return None;
    };
    if cursor.at(Kind::Equal) {
        cursor.unexpected("`:=`", |d| d.help("assignment is written `:=`"));
        return None;
    }
    cursor.expect(Kind::Assign)?;
    if cursor.eat(Kind::Star).is_some() {
        return Some(Change::Any(variable));
    }
    let other = variables.find(cursor.text(cursor.peek().span));
    if let Some(other) = other.filter(|_| cursor.at(Kind::Name)) {
        return copy(cursor, variables, variable, other);
    }
    value(cursor, variables, variable).map(|value| Change::Value(variable, value))
}

/// The rest of `x := y`, where both are variables.
fn copy(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    variable: usize,
    other: usize,
) -> Read<Change> {
    let token = cursor.bump();
    let (to, from) = (&variables.list[variable], &variables.list[other]);
    let mut same = Vec::new();
    for value in 0..from.values.count() {
        let text = from.values.text(value);
        let Some(found) = to.values.find(&text) else {
            let message = format!("`{}` cannot hold each value of `{}`", to.name, from.name);
            let help = format!("`{text}` is no value of `{}`", to.name);
            cursor.diagnostics().report(|| {
                Diagnostic::error(message, token.span)
                    .note(to.span, "declared here")
                    .help(help)
            });
            return None;
        };
        same.push(found);
    }
    Some(Change::Copy(variable, other, same))
}

/// The letters that a letter may become. All values are read before any is changed.
pub(super) fn changed(variables: &Variables, changes: &[Change], letter: Letter) -> Vec<Letter> {
    let mut list = vec![letter];
    for change in changes {
        list = match *change {
            Change::Value(variable, value) => list
                .iter()
                .map(|&l| variables.with(l, variable, value))
                .collect(),
            Change::Copy(variable, other, ref same) => {
                let value = same[variables.value(letter, other) as usize];
                list.iter()
                    .map(|&l| variables.with(l, variable, value))
                    .collect()
            }
            Change::Any(variable) => {
                let values = 0..variables.list[variable].values.count();
                let each = |&l: &Letter| {
                    let values = values.clone();
                    values.map(move |value| variables.with(l, variable, value))
                };
                list.iter().flat_map(each).collect()
            }
        };
    }
    list
}

/// The letters of a set.
pub(super) fn letters_of(set: &Set) -> impl Iterator<Item = Letter> {
    (0..set.len() as Letter).filter(|&letter| set[letter as usize])
}
