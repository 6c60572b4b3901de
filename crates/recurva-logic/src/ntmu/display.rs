//! Formulas as text.

use std::fmt;

use super::{Fixpoint, Formula, FormulaId, Formulas, Modality, Operator, token::is_plain};
use crate::ltl::write_quoted;

/// A formula to be printed. What is printed reads back as the same formula, with other
/// variables. Parts that are shared in the arena are printed wherever they occur: the text can
/// be far larger than what is stored.
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
        self.formulas().show(self.root()).fmt(f)
    }
}

/// How tightly an operator binds.
const fn level(operator: Operator) -> u8 {
    match operator {
        Operator::Fixpoint(..) => 0,
        Operator::Or => 2,
        Operator::And => 3,
        Operator::Call(_) | Operator::Local(_) => 4,
        _ => 5,
    }
}

enum Item {
    Text(&'static str),
    /// A part whose surroundings bind at that level.
    Part(FormulaId, u8),
}

fn modality(modality: Modality, some: &'static str, all: &'static str) -> &'static str {
    match modality {
        Modality::Some => some,
        Modality::All => all,
    }
}

impl Shown<'_> {
    fn proposition(&self, f: &mut fmt::Formatter<'_>, index: u32) -> fmt::Result {
        let text = &self.formulas.propositions()[index as usize].0;
        if is_plain(text) && !self.formulas.is_variable_name(text) {
            f.write_str(text)
        } else {
            write_quoted(f, text)
        }
    }
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
            if inner < outer || (inner == outer && matches!(inner, 2 | 3)) {
                f.write_str("(")?;
                stack.push(Item::Text(")"));
            }
            match (operator, formulas.parts(id)) {
                (Operator::True, _) => f.write_str("true")?,
                (Operator::False, _) => f.write_str("false")?,
                (Operator::Proposition(p), _) => self.proposition(f, p.0)?,
                (Operator::NotProposition(p), _) => {
                    f.write_str("!")?;
                    self.proposition(f, p.0)?;
                }
                (Operator::Variable(variable), _) => {
                    f.write_str(formulas.variable_name(variable))?;
                }
                (Operator::Return(some, marker), _) => {
                    write!(f, "{} R{marker}", modality(some, "<ret>", "[ret]"))?;
                }
                (Operator::Fixpoint(fixpoint, variable), parts) => {
                    let word = match fixpoint {
                        Fixpoint::Least => "mu",
                        Fixpoint::Greatest => "nu",
                    };
                    write!(f, "{word} {}. ", formulas.variable_name(variable))?;
                    stack.extend(parts.iter().map(|&part| Item::Part(part, 0)));
                }
                (Operator::Local(some), parts) => {
                    f.write_str(modality(some, "<loc> ", "[loc] "))?;
                    stack.extend(parts.iter().map(|&part| Item::Part(part, inner)));
                }
                (Operator::Call(some), parts) => {
                    f.write_str(modality(some, "<call> ", "[call] "))?;
                    stack.push(Item::Text("}"));
                    for (index, &part) in parts.iter().enumerate().skip(1).rev() {
                        stack.push(Item::Part(part, 0));
                        stack.push(Item::Text(if index == 1 { " {" } else { ", " }));
                    }
                    if parts.len() == 1 {
                        stack.push(Item::Text(" {"));
                    }
                    stack.push(Item::Part(parts[0], inner));
                }
                (Operator::And | Operator::Or, parts) => {
                    let symbol = match operator {
                        Operator::And => " & ",
                        _ => " | ",
                    };
                    for (index, &part) in parts.iter().enumerate().rev() {
                        // A fixpoint reaches as far as it can: it needs parentheses.
                        stack.push(Item::Part(part, inner));
                        if index > 0 {
                            stack.push(Item::Text(symbol));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
