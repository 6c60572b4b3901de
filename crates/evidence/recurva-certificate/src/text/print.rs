//! Formulas out.

use std::{borrow::Cow, fmt};

use recurva_model::VarRef;

use super::{ATOM, CHOICE, Infix, Names, PREFIX, as_integer, names, token, type_text};
use crate::formula::{Arithmetic, Formula, IllFormed, Node, Part, Scope, Sort, When};

/// Why a formula has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintError {
    /// The text would be longer than that. Parts that are there once in the formula are in the text as
    /// often as they are used.
    TooLong {
        /// The most bytes it may have.
        limit: usize,
    },
    /// It means nothing.
    IllFormed(IllFormed),
    /// A variable has no name, or one that means another variable, or one that cannot be written.
    Nameless(VarRef),
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrintError::TooLong { limit } => {
                write!(f, "the formula has more than {limit} bytes as text")
            }
            PrintError::IllFormed(error) => error.fmt(f),
            PrintError::Nameless(variable) => write!(f, "{variable:?} has no name of its own"),
        }
    }
}

impl std::error::Error for PrintError {}

/// The text of a formula, of at most `limit` bytes. Equal formulas have equal texts.
///
/// # Errors
///
/// If the text would be too long, or there is none.
pub fn print(
    formula: &Formula,
    scope: Scope<'_>,
    names: &dyn Names,
    limit: usize,
) -> Result<String, PrintError> {
    let sorts = formula.sorts(scope).map_err(PrintError::IllFormed)?;
    let mut printer = Printer {
        formula,
        sorts,
        scope,
        names,
        waiting: vec![Piece::Part(formula.root(), CHOICE)],
        text: String::new(),
    };
    while let Some(piece) = printer.waiting.pop() {
        match piece {
            Piece::Text(text) => printer.text.push_str(&text),
            Piece::Part(part, least) => printer.part(part, least)?,
        }
        if printer.text.len() > limit {
            return Err(PrintError::TooLong { limit });
        }
    }
    Ok(printer.text)
}

/// What is still to be written.
enum Piece {
    Text(Cow<'static, str>),
    /// A part, in parentheses if it binds less tightly than that.
    Part(Part, u8),
}

struct Printer<'a> {
    formula: &'a Formula,
    sorts: Vec<Sort>,
    scope: Scope<'a>,
    names: &'a dyn Names,
    /// The next one is the last one.
    waiting: Vec<Piece>,
    text: String,
}

/// A part with the pieces it is written as.
struct Written {
    level: u8,
    pieces: Vec<Piece>,
}

impl Written {
    fn atom(text: impl Into<Cow<'static, str>>) -> Self {
        Written {
            level: ATOM,
            pieces: vec![Piece::Text(text.into())],
        }
    }

    fn prefix(text: impl Into<Cow<'static, str>>, part: Part) -> Self {
        Written {
            level: PREFIX,
            pieces: vec![Piece::Text(text.into()), Piece::Part(part, PREFIX)],
        }
    }

    fn infix(left: Part, operator: Infix, right: Part) -> Self {
        let level = operator.level();
        // Chains of these mean the same however they are grouped.
        let right_level = match operator {
            Infix::And | Infix::Or | Infix::Implies => level,
            _ => level + 1,
        };
        let is_chain = operator.power() == recurva_syntax::Power::left(level);
        let is_comparison = matches!(operator.level(), 8 | 9);
        let left_level = if is_chain && !is_comparison {
            level
        } else {
            level + 1
        };
        Written {
            level,
            pieces: vec![
                Piece::Part(left, left_level),
                Piece::Text(format!(" {} ", operator.text()).into()),
                Piece::Part(right, right_level),
            ],
        }
    }
}

impl Printer<'_> {
    fn node(&self, part: Part) -> Node {
        self.formula.nodes()[part.index()]
    }

    fn number(&self, part: Part) -> Option<i128> {
        match self.node(part) {
            Node::Int(number) => Some(number),
            _ => None,
        }
    }

    fn is_constant(&self, part: Part) -> bool {
        let part = self.without_double_negation(part);
        matches!(self.node(part), Node::Int(_) | Node::Bool(_))
    }

    fn part(&mut self, part: Part, least: u8) -> Result<(), PrintError> {
        let written = self.written(part)?;
        let parentheses = written.level < least;
        if parentheses {
            self.waiting.push(Piece::Text(")".into()));
        }
        self.waiting.extend(written.pieces.into_iter().rev());
        if parentheses {
            self.waiting.push(Piece::Text("(".into()));
        }
        Ok(())
    }

    /// A part without what is denied twice in it.
    fn without_double_negation(&self, part: Part) -> Part {
        let mut part = part;
        while let Node::Not(inner) = self.node(part)
            && let Node::Not(innermost) = self.node(inner)
        {
            part = innermost;
        }
        part
    }

    fn written(&self, part: Part) -> Result<Written, PrintError> {
        let part = self.without_double_negation(part);
        Ok(match self.node(part) {
            Node::Bool(true) => Written::atom("\\true"),
            Node::Bool(false) => Written::atom("\\false"),
            Node::Int(number) => Written {
                level: if number < 0 { PREFIX } else { ATOM },
                ..Written::atom(number.to_string())
            },
            Node::Variable(variable, when) => Written::atom(self.variable(variable, when)?),
            Node::Element(array, when, index) => Written {
                level: ATOM,
                pieces: vec![
                    Piece::Text(format!("{}[", self.variable(array, when)?).into()),
                    Piece::Part(index, CHOICE),
                    Piece::Text("]".into()),
                ],
            },
            Node::Not(inner) => match self.node(inner) {
                Node::Less(left, right) => self.comparison(left, Infix::GreaterEqual, right),
                Node::LessEqual(left, right) => self.comparison(left, Infix::Greater, right),
                Node::Equal(left, right) if self.sorts[left.index()] == Sort::Int => {
                    self.comparison(left, Infix::NotEqual, right)
                }
                _ => Written::prefix("!", inner),
            },
            Node::And(left, right) => Written::infix(left, Infix::And, right),
            Node::Or(left, right) => Written::infix(left, Infix::Or, right),
            Node::Implies(left, right) => Written::infix(left, Infix::Implies, right),
            Node::Equal(left, right) => match self.sorts[left.index()] {
                Sort::Bool => self.comparison(left, Infix::Equivalent, right),
                Sort::Int => self.comparison(left, Infix::Equal, right),
            },
            Node::Less(left, right) => self.comparison(left, Infix::Less, right),
            Node::LessEqual(left, right) => self.comparison(left, Infix::LessEqual, right),
            Node::If(condition, then, otherwise) => Written {
                level: CHOICE,
                pieces: vec![
                    Piece::Part(condition, CHOICE + 1),
                    Piece::Text(" ? ".into()),
                    Piece::Part(then, CHOICE),
                    Piece::Text(" : ".into()),
                    Piece::Part(otherwise, CHOICE),
                ],
            },
            Node::Arithmetic(operator, left, right) => self.arithmetic(operator, left, right),
            Node::Wrap(ty, inner) => Written::prefix(format!("({})", type_text(ty)), inner),
            Node::Bits(operator, ty, left, right) => {
                let mut written = Written::infix(left, Infix::Bits(operator), right);
                let tells_type = match self.node(left) {
                    Node::Wrap(own, _) | Node::Bits(_, own, ..) => {
                        as_integer(own) == as_integer(ty)
                    }
                    _ => false,
                };
                if !tells_type {
                    written.pieces[0] = Piece::Part(left, PREFIX);
                    let cast = Piece::Text(format!("({})", type_text(ty)).into());
                    written.pieces.insert(0, cast);
                }
                written
            }
        })
    }

    /// Constants stand on the right.
    fn comparison(&self, left: Part, operator: Infix, right: Part) -> Written {
        if !self.is_constant(left) || self.is_constant(right) {
            return Written::infix(left, operator, right);
        }
        let turned = match operator {
            Infix::Less => Infix::Greater,
            Infix::LessEqual => Infix::GreaterEqual,
            Infix::Greater => Infix::Less,
            Infix::GreaterEqual => Infix::LessEqual,
            other => other,
        };
        Written::infix(right, turned, left)
    }

    /// `x + 1`, `x - 1`, `2 * x`, `-x`: constants where one expects them.
    fn arithmetic(&self, operator: Arithmetic, left: Part, right: Part) -> Written {
        let (mut left, mut right) = (left, right);
        let one_is_constant = self.number(left).is_some() != self.number(right).is_some();
        let exchange = match operator {
            Arithmetic::Add => self.number(left).is_some(),
            Arithmetic::Multiply => self.number(right).is_some(),
            _ => false,
        };
        if one_is_constant && exchange {
            (left, right) = (right, left);
        }
        let opposite = match operator {
            Arithmetic::Add => Some(Arithmetic::Subtract),
            Arithmetic::Subtract => Some(Arithmetic::Add),
            _ => None,
        };
        let negative = self.number(right).filter(|it| *it < 0);
        if let (Some(opposite), Some(number)) = (opposite, negative.and_then(i128::checked_neg)) {
            let mut written = Written::infix(left, Infix::Arithmetic(opposite), right);
            written.pieces[2] = Piece::Text(number.to_string().into());
            return written;
        }
        let is_negation = operator == Arithmetic::Subtract && self.number(left) == Some(0);
        if is_negation && self.number(right).is_none() {
            return Written::prefix("-", right);
        }
        Written::infix(left, Infix::Arithmetic(operator), right)
    }

    fn variable(&self, variable: VarRef, when: When) -> Result<String, PrintError> {
        let procedure = self.scope.procedure;
        let name = self
            .names
            .name(procedure, variable)
            .filter(|it| names::is_possible(it))
            .filter(|it| self.names.find(procedure, it) == Some(variable))
            .ok_or(PrintError::Nameless(variable))?;
        let name = match token::is_plain(&name) {
            true => name.into_owned(),
            false => format!("`{name}`"),
        };
        Ok(match when {
            When::Now => name,
            When::Entry => format!("\\old({name})"),
        })
    }
}
