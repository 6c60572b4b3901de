//! From tokens to formulas, without recursion.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Postfix, Power, Source, Span, did_you_mean};

use super::{
    Formula, FormulaId, Formulas, Operator,
    display::level,
    token::{Kind, Language, Words, along},
};

/// What reading a formula gives.
#[derive(Debug)]
pub struct Parsed {
    /// The formula, if nothing is wrong with it.
    pub formula: Option<Formula>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads the formula that a whole source is.
pub fn parse(source: &Source) -> Parsed {
    parse_in(Language::Ltl, source)
}

/// The same in any language.
pub(crate) fn parse_in(language: Language, source: &Source) -> Parsed {
    let mut diagnostics = Diagnostics::default();
    let mut formulas = Formulas::new();
    let whole = Span::new(0, source.end().end);
    let root = read_into(&mut formulas, language, source, whole, &mut diagnostics);
    diagnostics.sort();
    Parsed {
        formula: root.map(|root| Formula { formulas, root }),
        diagnostics,
    }
}

/// Reads the formula at a place of a source into an arena; `None` if it is wrong, which is
/// reported. Names of atoms are not looked up.
pub fn parse_into(
    formulas: &mut Formulas,
    source: &Source,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Option<FormulaId> {
    read_into(formulas, Language::Ltl, source, place, diagnostics)
}

/// The same in any language.
pub(crate) fn read_into(
    formulas: &mut Formulas,
    language: Language,
    source: &Source,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Option<FormulaId> {
    let mut parser = Parser {
        cursor: Cursor::new(source, Words::new(source, place, language)),
        formulas,
        postfix: Postfix::default(),
        brackets: Vec::new(),
    };
    let read = parser.formula();
    let Parser {
        mut cursor,
        postfix,
        ..
    } = parser;
    let broken = read.is_none() || cursor.diagnostics().has_errors();
    diagnostics.append(cursor.into_diagnostics());
    if broken {
        return None;
    }
    Builder::default().build(formulas, postfix.finish())
}

/// An item of a formula in postfix order.
#[derive(Clone, Copy, Debug)]
enum Item {
    Operand(FormulaId),
    Operator(Operator),
    Bracket,
}

struct Parser<'p, 's> {
    cursor: Cursor<'s, Words<'s>>,
    formulas: &'p mut Formulas,
    postfix: Postfix<Item>,
    brackets: Vec<Span>,
}

/// How an infix operator binds: as in Spot, from weakest to tightest `->` and `<->`, `|`, `^`,
/// `&`, then `U`, `R`, `W` and `M`; those and the arrows group to the right.
const fn power(operator: Operator) -> Power {
    use Operator::*;
    match operator {
        Or | Xor | And => Power::left(level(operator)),
        _ => Power::right(level(operator)),
    }
}

impl Parser<'_, '_> {
    fn formula(&mut self) -> Option<()> {
        loop {
            self.operand()?;
            while self.cursor.at(Kind::Close) && !self.brackets.is_empty() {
                self.cursor.bump();
                self.brackets.pop();
                self.postfix.close();
            }
            match self.cursor.peek().kind {
                Kind::Infix(operator) => {
                    self.cursor.bump();
                    self.postfix
                        .infix(Item::Operator(operator), power(operator));
                }
                Kind::End => match self.brackets.last() {
                    None => return Some(()),
                    Some(&opener) => {
                        self.cursor.expect_closing(Kind::Close, opener);
                        return None;
                    }
                },
                _ => return self.no_operator(),
            }
        }
    }

    /// Passes prefix operators, opening brackets and one operand.
    fn operand(&mut self) -> Option<()> {
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Prefix(operator) => {
                    self.cursor.bump();
                    self.postfix
                        .prefix(Item::Operator(operator), level(operator));
                }
                Kind::Open => {
                    self.cursor.bump();
                    self.brackets.push(token.span);
                    self.postfix.open(Item::Bracket);
                }
                Kind::Constant(value) => {
                    self.cursor.bump();
                    let constant = self.formulas.constant(value);
                    self.postfix.operand(Item::Operand(constant));
                    return Some(());
                }
                Kind::Quoted => {
                    self.cursor.bump();
                    return self.quoted(token.span);
                }
                Kind::Label => {
                    self.cursor.bump();
                    return self.atom(self.cursor.text(token.span), token.span);
                }
                Kind::Word
                    if self.cursor.text(token.span) == "in"
                        && self.cursor.second() == Kind::Open =>
                {
                    return self.inside(token.span);
                }
                Kind::Word | Kind::Number | Kind::Arithmetic => return self.comparison(),
                _ => {
                    self.cursor.unexpected("a formula", |diagnostic| diagnostic);
                    return None;
                }
            }
        }
    }

    fn atom(&mut self, text: &str, span: Span) -> Option<()> {
        let atom = self.formulas.atom_at(text, span);
        self.postfix.operand(Item::Operand(atom));
        Some(())
    }

    fn quoted(&mut self, span: Span) -> Option<()> {
        let inside = Span::new(span.start + 1, (span.end - 1).max(span.start + 1));
        let written = self.cursor.text(inside);
        let mut text = String::with_capacity(written.len());
        let mut characters = written.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => text.extend(characters.next()),
                other => text.push(other),
            }
        }
        if text.trim().is_empty() {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("an atom is not empty", span).help("write a name in the quotes")
            });
            return None;
        }
        self.atom(&text, inside)
    }

    /// `in(procedure)`.
    fn inside(&mut self, start: Span) -> Option<()> {
        self.cursor.bump();
        let opener = self.cursor.bump();
        let name = self.cursor.expect(Kind::Word)?;
        let close = self.cursor.expect_closing(Kind::Close, opener.span)?;
        let text = format!("in({})", self.cursor.text(name.span));
        self.atom(&text, start.to(close.span))
    }

    /// A name, or a comparison of arithmetic expressions without parentheses.
    fn comparison(&mut self) -> Option<()> {
        let first = self.cursor.peek();
        let mut text = String::new();
        let (mut compared, mut calculated) = (false, false);
        loop {
            self.term(&mut text)?;
            let operator = self.cursor.peek();
            match operator.kind {
                Kind::Compare if compared => {
                    self.cursor.unexpected("a logical operator", |diagnostic| {
                        diagnostic.help("compare two things at a time, or quote the whole atom")
                    });
                    return None;
                }
                Kind::Compare => compared = true,
                Kind::Arithmetic => calculated = true,
                _ => break,
            }
            self.cursor.bump();
            text.push(' ');
            text.push_str(self.cursor.text(operator.span));
            text.push(' ');
        }
        let span = first.span.to(self.cursor.previous());
        if calculated && !compared {
            self.cursor.unexpected("a comparison", |diagnostic| {
                diagnostic.note(span, "this is a number, not a condition")
            });
            return None;
        }
        if !compared && first.kind == Kind::Number {
            let value = match &*text {
                "1" => true,
                "0" => false,
                _ => {
                    self.cursor.unexpected("a comparison", |diagnostic| {
                        diagnostic
                            .note(span, "this is a number, not a condition")
                            .help("the constants are `1` or `true` and `0` or `false`")
                    });
                    return None;
                }
            };
            let constant = self.formulas.constant(value);
            self.postfix.operand(Item::Operand(constant));
            return Some(());
        }
        self.atom(&text, span)
    }

    /// A number or a variable, with signs before it and an index behind it.
    fn term(&mut self, text: &mut String) -> Option<()> {
        while self.cursor.at(Kind::Arithmetic) && self.cursor.text(self.cursor.peek().span) == "-" {
            self.cursor.bump();
            text.push('-');
        }
        let token = self.cursor.peek();
        if !matches!(token.kind, Kind::Word | Kind::Number) {
            self.cursor
                .unexpected("a variable or a number", |diagnostic| {
                    diagnostic.help("anything more than names and numbers is written in quotes: `\"(n + 1) * 2 > m\"`")
                });
            return None;
        }
        self.cursor.bump();
        text.push_str(self.cursor.text(token.span));
        if token.kind == Kind::Number || !self.cursor.at(Kind::OpenIndex) {
            return Some(());
        }
        let opener = self.cursor.bump().span;
        let mut depth = 1;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::OpenIndex => depth += 1,
                Kind::CloseIndex => depth -= 1,
                Kind::End => {
                    self.cursor.expect_closing(Kind::CloseIndex, opener);
                    return None;
                }
                _ => {}
            }
            self.cursor.bump();
            if depth == 0 {
                let index = opener.to(token.span);
                text.push_str(self.cursor.text(index));
                return Some(());
            }
        }
    }

    /// Reports that something else stands where an infix operator should.
    fn no_operator(&mut self) -> Option<()> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token.span).to_owned();
        let before = self.cursor.text(self.cursor.previous()).to_owned();
        let help = match token.kind {
            _ if along(&word).is_some() => Some(of_caret(&word)),
            _ if along(&before).is_some() => Some(of_caret(&before)),
            Kind::Close => Some("there is no `(` for this `)`".to_owned()),
            Kind::Compare | Kind::Arithmetic => {
                Some("quote an atom that has parentheses: `\"(n + 1) > m\"`".to_owned())
            }
            Kind::Word => match &*word.to_lowercase() {
                "and" => Some("conjunction is written `&`".to_owned()),
                "or" => Some("disjunction is written `|`".to_owned()),
                "implies" => Some("implication is written `->`".to_owned()),
                "iff" => Some("equivalence is written `<->`".to_owned()),
                "until" => Some("`until` is written `U`".to_owned()),
                "release" | "releases" => Some("`release` is written `R`".to_owned()),
                _ => did_you_mean(&word, ["U", "R", "W", "M", "xor"]),
            },
            _ => None,
        };
        self.cursor
            .unexpected("an operator", |diagnostic| diagnostic.help_if(help));
        None
    }
}

/// Says of what language an operator is that this one does not have.
fn of_caret(word: &str) -> String {
    format!("`{word}` is an operator of CaRet: give the formula with --caret or in a .caret file")
}

/// Makes formulas from postfix order. Conjunctions and disjunctions are collected before they
/// are made: a chain of them costs what its length says.
#[derive(Default)]
struct Builder {
    stack: Vec<Value>,
}

enum Value {
    Made(FormulaId),
    Chain(Operator, Vec<FormulaId>),
}

impl Builder {
    fn build(mut self, formulas: &mut Formulas, items: Vec<Item>) -> Option<FormulaId> {
        for item in items {
            match item {
                Item::Bracket => {}
                Item::Operand(id) => self.stack.push(Value::Made(id)),
                Item::Operator(operator @ (Operator::And | Operator::Or)) => {
                    let (right, left) = (self.stack.pop()?, self.stack.pop()?);
                    let mut left = chain(formulas, operator, left);
                    let mut right = chain(formulas, operator, right);
                    if left.len() < right.len() {
                        std::mem::swap(&mut left, &mut right);
                    }
                    left.append(&mut right);
                    self.stack.push(Value::Chain(operator, left));
                }
                Item::Operator(operator) => {
                    let right = self.stack.pop()?;
                    let right = made(formulas, right);
                    let made = match level(operator) {
                        6 => formulas.unary(operator, right),
                        _ => {
                            let left = self.stack.pop()?;
                            let left = made(formulas, left);
                            formulas.binary(operator, left, right)
                        }
                    };
                    self.stack.push(Value::Made(made));
                }
            }
        }
        let value = self.stack.pop()?;
        Some(made(formulas, value))
    }
}

fn made(formulas: &mut Formulas, value: Value) -> FormulaId {
    match value {
        Value::Made(id) => id,
        Value::Chain(operator, parts) => formulas.nary(operator, parts),
    }
}

fn chain(formulas: &mut Formulas, operator: Operator, value: Value) -> Vec<FormulaId> {
    match value {
        Value::Chain(other, parts) if other == operator => parts,
        other => vec![made(formulas, other)],
    }
}
