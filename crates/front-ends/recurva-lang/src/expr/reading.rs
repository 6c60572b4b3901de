//! The two ways to read `a & b = c`.
//!
//! Boolean programs come in dialects that agree on everything but the rank of `=` and `!=`:
//!
//! | binds | Boppo, SATABS | Moped, Getafix |
//! |---|---|---|
//! | weakest | `=>` `=` `!=`, to the right | `=>`, to the right |
//! | | `^` | `^` |
//! | | `\|` | `\|` |
//! | | `&` | `&` |
//! | | | `=` `!=` |
//! | | `<` `<=` `>` `>=` | `<` `<=` `>` `>=` |
//! | | `<<` `>>` | `<<` `>>` |
//! | | `+` `-` | `+` `-` |
//! | | `*` `/` `%` | `*` `/` `%` |
//! | tightest | `!` `~` `-` | `!` `~` `-` |
//!
//! Only booleans have a history in both; where the types leave one reading, there is no doubt.

use recurva_model::Binary;
use recurva_syntax::{Postfix, Power, Source};

use super::{Item, What};

/// How tightly `=` and `!=` bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// As Boppo and SATABS read it: weaker than `&`, `|` and `^`.
    #[default]
    Boppo,
    /// As Moped and Getafix read it: tighter than `&`, `|` and `^`.
    Moped,
}

impl Dialect {
    pub(crate) const fn other(self) -> Dialect {
        match self {
            Dialect::Boppo => Dialect::Moped,
            Dialect::Moped => Dialect::Boppo,
        }
    }

    pub(crate) const fn readers(self) -> &'static str {
        match self {
            Dialect::Boppo => "Boppo and SATABS",
            Dialect::Moped => "Moped and Getafix",
        }
    }

    const fn power(self, operator: Binary) -> Power {
        use Binary::*;
        match operator {
            Implies => Power::right(1),
            Equal | NotEqual => match self {
                Dialect::Boppo => Power::right(1),
                Dialect::Moped => Power::right(5),
            },
            Xor => Power::left(2),
            Or => Power::left(3),
            And => Power::left(4),
            Less | LessEqual | Greater | GreaterEqual => Power::left(6),
            ShiftLeft | ShiftRight => Power::left(7),
            Add | Subtract => Power::left(8),
            Multiply | Divide | Remainder => Power::left(9),
        }
    }
}

/// One step of an expression in the order of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Operand(Item),
    Prefix(Item),
    Infix(Item, Binary),
    Open(Item),
    Separate,
    Close,
}

/// The expression in postfix order, as a dialect reads it.
pub(crate) fn read(events: &[Event], dialect: Dialect) -> Box<[Item]> {
    let mut postfix = Postfix::default();
    for &event in events {
        match event {
            Event::Operand(item) => postfix.operand(item),
            Event::Prefix(item) => postfix.prefix(item, 10),
            Event::Infix(item, operator) => postfix.infix(item, dialect.power(operator)),
            Event::Open(item) => postfix.open(item),
            Event::Separate => postfix.separate(),
            Event::Close => {
                if let Some(item) = postfix
                    .close()
                    .filter(|item| item.what != What::Parenthesis)
                {
                    postfix.operand(item);
                }
            }
        }
    }
    postfix.finish().into_boxed_slice()
}

/// Whether the dialects may disagree: `=` or `!=` beside one of the operators it changes
/// places with.
pub(crate) fn may_differ(events: &[Event]) -> bool {
    use Binary::*;
    let has = |wanted: fn(Binary) -> bool| {
        events
            .iter()
            .any(|event| matches!(event, Event::Infix(_, op) if wanted(*op)))
    };
    has(|op| matches!(op, Equal | NotEqual)) && has(|op| matches!(op, Implies | Xor | Or | And))
}

/// A reading with all the parentheses that show it, if it is short enough to be shown.
pub(crate) fn show(source: &Source, items: &[Item]) -> Option<String> {
    const LONGEST: usize = 24;
    if items.len() > LONGEST {
        return None;
    }
    let text = |item: &Item| source.slice(item.span).to_owned();
    let mut stack: Vec<(String, Option<Binary>)> = Vec::new();
    let bracket = |(text, operator): (String, Option<Binary>), outer: Option<Binary>| {
        if operator.is_some() && operator != outer {
            format!("({text})")
        } else {
            text
        }
    };
    for item in items {
        let shown = match item.what {
            What::Number(_) | What::Truth(_) | What::Any | What::Leaf(_) => (text(item), None),
            What::Element(_) => (format!("{}[{}]", text(item), stack.pop()?.0), None),
            What::Convert(ty) => (format!("{ty}({})", stack.pop()?.0), None),
            What::Not | What::Negate => (
                format!("{}{}", text(item), bracket(stack.pop()?, None)),
                None,
            ),
            What::Schoose => {
                let (right, left) = (stack.pop()?.0, stack.pop()?.0);
                (format!("schoose[{left}, {right}]"), None)
            }
            What::Binary(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                let (left, right) = (
                    bracket(left, Some(operator)),
                    bracket(right, Some(operator)),
                );
                (format!("{left} {} {right}", text(item)), Some(operator))
            }
            What::Parenthesis => return None,
        };
        stack.push(shown);
    }
    let shown = stack.pop()?.0;
    (shown.len() <= 120 && !shown.contains('\n')).then_some(shown)
}
