//! Labels and acceptance conditions: expressions over numbers.

use recurva_syntax::{Cursor, Diagnostic, Postfix, Power, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::token::{Kind, Words};
use crate::automaton::{Letters, MAX_ATOMS, Set};

/// An item of an expression in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Constant(bool),
    /// Atom 0, 1, …
    Atom(u32),
    Not,
    And,
    Or,
    Bracket,
    /// What an alias stands for.
    Alias(Set),
}

/// Reads a label expression. `None` if it is wrong, which has been reported.
pub(super) fn expression<'s>(
    cursor: &mut Cursor<'s, Words<'s>>,
    atoms: Option<usize>,
    aliases: &FxHashMap<&'s str, Set>,
) -> Option<Vec<Item>> {
    let mut postfix = Postfix::default();
    let mut brackets: Vec<Span> = Vec::new();
    loop {
        loop {
            let token = cursor.peek();
            let text = cursor.text(token.span);
            let item = match token.kind {
                Kind::Not => {
                    cursor.bump();
                    postfix.prefix(Item::Not, 3);
                    continue;
                }
                Kind::Open => {
                    cursor.bump();
                    brackets.push(token.span);
                    postfix.open(Item::Bracket);
                    continue;
                }
                Kind::Number => {
                    let atom: Option<u32> = text.parse().ok();
                    let known = atom.filter(|&atom| {
                        atoms.is_none_or(|count| (atom as usize) < count)
                            && (atom as usize) < MAX_ATOMS
                    });
                    let Some(atom) = known else {
                        cursor.diagnostics().report(|| {
                            let count = atoms.unwrap_or_default();
                            Diagnostic::error(format!("there is no atom {text}"), token.span)
                                .help(format!("`AP:` lists {count} atoms, from 0 on"))
                        });
                        return None;
                    };
                    Item::Atom(atom)
                }
                Kind::Word if text == "t" => Item::Constant(true),
                Kind::Word if text == "f" => Item::Constant(false),
                Kind::Alias => match aliases.get(text) {
                    Some(&set) => Item::Alias(set),
                    None => {
                        cursor.diagnostics().report(|| {
                            let message = format!("there is no alias `{text}` before this");
                            Diagnostic::error(message, token.span)
                                .help_if(did_you_mean(text, aliases.keys().copied()))
                        });
                        return None;
                    }
                },
                _ => {
                    cursor.unexpected("an atom's number, `t`, `f` or an alias", |d| d);
                    return None;
                }
            };
            cursor.bump();
            postfix.operand(item);
            break;
        }
        while cursor.at(Kind::Close) && !brackets.is_empty() {
            cursor.bump();
            brackets.pop();
            postfix.close();
        }
        match cursor.peek().kind {
            Kind::And => postfix.infix(Item::And, Power::left(2)),
            Kind::Or => postfix.infix(Item::Or, Power::left(1)),
            _ => match brackets.last() {
                None => return Some(postfix.finish()),
                Some(&opener) => {
                    cursor.expect_closing(Kind::Close, opener);
                    return None;
                }
            },
        }
        cursor.bump();
    }
}

/// The letters on which an expression holds; `None` if there are too many sets of letters.
pub(super) fn set(items: Vec<Item>, letters: &mut Letters) -> Option<Set> {
    let mut stack: Vec<Set> = Vec::new();
    for item in items {
        let value = match item {
            Item::Bracket => continue,
            Item::Constant(true) => Set::ALL,
            Item::Constant(false) => Set::NONE,
            Item::Atom(atom) => letters.with(atom),
            Item::Alias(set) => set,
            Item::Not => {
                let set = stack.pop()?;
                letters.not(set)
            }
            Item::And | Item::Or => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                match item {
                    Item::And => letters.and(a, b),
                    _ => letters.or(a, b),
                }
            }
        };
        stack.push(value);
    }
    stack.pop().filter(|_| !letters.overflowed())
}
