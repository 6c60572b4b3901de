//! Formulas as text.

use std::fmt;

use super::{Chain, Formula, FormulaId, Formulas, Modality, Operator, token::is_plain};

/// How tightly an operator binds; see the parser.
pub(super) const fn level(operator: Operator) -> u8 {
    use Operator::*;
    match operator {
        Implies | Equivalent => 1,
        Or => 2,
        Xor => 3,
        And => 4,
        Until | Release | WeakUntil | StrongRelease => 5,
        Not | Next | Finally | Globally => 6,
        Along(_, modality) => 6 - !modality.is_unary() as u8,
        True | False | Atom(_) => 7,
    }
}

const fn symbol(operator: Operator) -> &'static str {
    use Operator::*;
    match operator {
        True => "1",
        False => "0",
        Atom(_) => "",
        Not => "!",
        And => " & ",
        Or => " | ",
        Implies => " -> ",
        Equivalent => " <-> ",
        Xor => " ^ ",
        Next => "X",
        Finally => "F",
        Globally => "G",
        Until => " U ",
        Release => " R ",
        WeakUntil => " W ",
        StrongRelease => " M ",
        Along(chain, modality) => along(chain, modality),
    }
}

const fn along(chain: Chain, modality: Modality) -> &'static str {
    use Modality::*;
    match (chain, modality) {
        (Chain::Local, Next) => "X_a",
        (Chain::Local, WeakNext) => "N_a",
        (Chain::Local, Finally) => "F_a",
        (Chain::Local, Globally) => "G_a",
        (Chain::Local, Until) => " U_a ",
        (Chain::Local, Release) => " R_a ",
        (Chain::Local, WeakUntil) => " W_a ",
        (Chain::Local, StrongRelease) => " M_a ",
        (Chain::Callers, Next) => "X_c",
        (Chain::Callers, WeakNext) => "N_c",
        (Chain::Callers, Finally) => "F_c",
        (Chain::Callers, Globally) => "G_c",
        (Chain::Callers, Until) => " U_c ",
        (Chain::Callers, Release) => " R_c ",
        (Chain::Callers, WeakUntil) => " W_c ",
        (Chain::Callers, StrongRelease) => " M_c ",
    }
}

/// An atom as it is written in a formula: in quotes unless it is a name.
fn write_atom(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    if is_plain(text) {
        return f.write_str(text);
    }
    write_quoted(f, text)
}

/// A text in quotes.
pub(crate) fn write_quoted(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(character)?;
    }
    f.write_char('"')
}

/// A formula to be printed. What is printed reads back as the same formula.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'f> {
    formulas: &'f Formulas,
    id: FormulaId,
}

impl Formulas {
    /// The formula as text.
    pub fn show(&self, id: FormulaId) -> Shown<'_> {
        Shown { formulas: self, id }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formulas.show(self.root).fmt(f)
    }
}

enum Item {
    Text(&'static str),
    /// A part of a formula whose operator binds at that level.
    Part(FormulaId, u8),
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formulas = self.formulas;
        let mut stack = vec![Item::Part(self.id, 0)];
        while let Some(item) = stack.pop() {
            let (id, outer) = match item {
                Item::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Item::Part(id, outer) => (id, outer),
            };
            let operator = formulas.operator(id);
            let inner = level(operator);
            // Unary operators need no parentheses in one another.
            let bracketed = inner < outer || (inner == outer && inner < 6);
            if bracketed {
                f.write_str("(")?;
                stack.push(Item::Text(")"));
            }
            match (operator, formulas.parts(id)) {
                (Operator::Atom(atom), _) => {
                    write_atom(f, &formulas.atoms()[atom.0 as usize].text)?;
                }
                (_, []) => f.write_str(symbol(operator))?,
                (_, &[part]) => {
                    f.write_str(symbol(operator))?;
                    let opens = level(formulas.operator(part)) < inner;
                    if operator != Operator::Not && !opens {
                        f.write_str(" ")?;
                    }
                    stack.push(Item::Part(part, inner));
                }
                (_, parts) => {
                    for (index, &part) in parts.iter().enumerate().rev() {
                        stack.push(Item::Part(part, inner));
                        if index > 0 {
                            stack.push(Item::Text(symbol(operator)));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
