//! Formulas as text.

use std::fmt;

use super::{
    Fixpoint, Formula, FormulaId, Formulas, Modality, Operator, Path, Quantifier, Scope, Written,
    token::is_plain,
};
use crate::ltl::write_quoted;

/// A formula to be printed. What is printed reads back as the same formula, with other
/// variables. Parts that are shared in the arena are printed wherever they occur: the text can
/// be far larger than what is stored.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'f> {
    formulas: &'f Formulas,
    id: FormulaId,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// In terms of the logic's own operators.
    Plain,
    /// As it was written, where that is known.
    Written,
}

impl Formulas {
    /// The formula as text.
    pub fn show(&self, id: FormulaId) -> Shown<'_> {
        Shown {
            formulas: self,
            id,
            style: Style::Plain,
        }
    }

    /// The formula as text with the abbreviations and names that it was written with; a variable
    /// as what it stands for. What cannot be put that way is put in the logic's own operators.
    pub fn show_written(&self, id: FormulaId) -> Shown<'_> {
        Shown {
            formulas: self,
            id,
            style: Style::Written,
        }
    }
}

impl Shown<'_> {
    /// The text, or so many characters of it and `…`. No more than that is written, however
    /// large the formula is.
    pub fn clipped(&self, characters: usize) -> String {
        let mut short = Clipped {
            text: String::new(),
            left: characters,
        };
        if fmt::write(&mut short, format_args!("{self}")).is_err() {
            short.text.push('…');
        }
        short.text
    }
}

/// Takes so many characters and no more.
struct Clipped {
    text: String,
    left: usize,
}

impl fmt::Write for Clipped {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
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

/// How tightly what stands behind a prefix operator binds at least.
const PREFIX: u8 = 4;

enum Item<'f> {
    Text(&'f str),
    /// A part whose surroundings bind at that level.
    Part(FormulaId, u8),
}

fn modality(modality: Modality, some: &'static str, all: &'static str) -> &'static str {
    match modality {
        Modality::Some => some,
        Modality::All => all,
    }
}

impl<'f> Shown<'f> {
    /// How a formula was written, and whether that is its negation.
    fn written(&self, id: FormulaId) -> Option<(&'f Written, bool)> {
        if self.style == Style::Plain {
            return None;
        }
        let id = match self.formulas.operator(id) {
            Operator::Variable(variable) => self.formulas.binder(variable)?,
            _ => id,
        };
        if let Some(written) = self.formulas.written(id) {
            return Some((written, false));
        }
        let written = self.formulas.written(self.formulas.negation_of(id)?)?;
        Some((written, true))
    }

    /// Puts what was written on the stack, last piece first.
    fn push_written(&self, written: &'f Written, stack: &mut Vec<Item<'f>>) {
        let mut pieces = match written {
            Written::Terminates => vec![Item::Text("terminates")],
            &Written::Jump(some, f) => {
                let word = modality(some, "<jump> ", "[jump] ");
                vec![Item::Text(word), Item::Part(f, PREFIX)]
            }
            &Written::Path(quantifier, path, scope, f, g) => {
                self.path(quantifier, path, scope, f, g)
            }
            Written::Named(name, arguments) => {
                let mut pieces = vec![Item::Text(name)];
                for (index, &argument) in arguments.iter().enumerate() {
                    pieces.push(Item::Text(if index == 0 { "(" } else { ", " }));
                    pieces.push(Item::Part(argument, 0));
                }
                if !arguments.is_empty() {
                    pieces.push(Item::Text(")"));
                }
                pieces
            }
        };
        pieces.reverse();
        stack.append(&mut pieces);
    }

    fn path(
        &self,
        quantifier: Quantifier,
        path: Path,
        scope: Scope,
        f: FormulaId,
        g: FormulaId,
    ) -> Vec<Item<'f>> {
        let operator = |id| self.formulas.operator(id);
        let short = match path {
            Path::Until if operator(f) == Operator::True => Some(("EF", "AF", g)),
            Path::WeakUntil if operator(g) == Operator::False => Some(("EG", "AG", f)),
            _ => None,
        };
        let local = scope == Scope::Local;
        if let Some((some, all, body)) = short {
            let word = match quantifier {
                Quantifier::Some => some,
                Quantifier::All => all,
            };
            let behind = if local { "_l " } else { " " };
            return vec![
                Item::Text(word),
                Item::Text(behind),
                Item::Part(body, PREFIX),
            ];
        }
        let open = match quantifier {
            Quantifier::Some => "E[",
            Quantifier::All => "A[",
        };
        let word = match (path, local) {
            (Path::Until, false) => " U ",
            (Path::Until, true) => " U_l ",
            (Path::WeakUntil, false) => " W ",
            (Path::WeakUntil, true) => " W_l ",
        };
        vec![
            Item::Text(open),
            Item::Part(f, 0),
            Item::Text(word),
            Item::Part(g, 0),
            Item::Text("]"),
        ]
    }

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
            if let Some((written, negated)) = self.written(id) {
                if negated {
                    f.write_str("!")?;
                }
                self.push_written(written, &mut stack);
                continue;
            }
            let operator = formulas.operator(id);
            let inner = level(operator);
            // What is read back is grouped to the left; for people the groups do not matter.
            let grouped = self.style == Style::Plain && matches!(inner, 2 | 3);
            if inner < outer || (inner == outer && grouped) {
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
                (Operator::MayReturn, _) => f.write_str("<ret> true")?,
                (Operator::NoReturn, _) => f.write_str("[ret] false")?,
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
