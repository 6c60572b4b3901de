//! The part of C that monitors of models are written in.

use recurva_model::Binary;
use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Postfix, Power, Source, Span};

use crate::lang::{Bracket, CTokens, Fragment, Kind};

/// Blocks may be nested so deep.
const DEEPEST: usize = 100;

/// Expressions may have so many operands and operators.
const LONGEST: usize = 10_000;

/// An operand or operator of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Number(i128),
    Name(Box<str>),
    /// `$1`
    Variable(u32),
    Not,
    Complement,
    Negate,
    Binary(Binary),
    /// `&&` and `||` are about whether their operands are zero.
    Both,
    Either,
}

/// An expression, operands first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) items: Vec<(Item, Span)>,
    pub(super) span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// `x = e;`, `x += e;`, `x++;`
    Assign {
        name: (Box<str>, Span),
        value: Expression,
        span: Span,
    },
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        span: Span,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
        span: Span,
    },
    /// `assert(e);`, and `abort();` without a condition.
    Assert {
        condition: Option<Expression>,
        span: Span,
    },
}

/// Functions whose calls print something and do nothing else.
const PRINTING: [&str; 7] = [
    "printf", "fprintf", "puts", "fputs", "putchar", "perror", "fflush",
];

/// Reads the expression that a fragment is. What is wrong is reported.
pub(super) fn expression(
    source: &Source,
    fragment: &Fragment,
    diagnostics: &mut Diagnostics,
) -> Option<Expression> {
    let mut reader = Reader::new(source, fragment.span);
    let read = reader.expression();
    if read.is_some() && !reader.cursor.at(Kind::End) {
        reader.unsupported::<()>("an operator");
    }
    reader.finish(read, diagnostics)
}

/// Reads the statements that a fragment is. What is wrong is reported.
pub(super) fn statements(
    source: &Source,
    fragment: &Fragment,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Statement>> {
    let mut reader = Reader::new(source, fragment.span);
    let mut list = Vec::new();
    let mut read = Some(());
    while read.is_some() && !reader.cursor.at(Kind::End) {
        read = reader.statement(&mut list, 0);
    }
    reader.finish(read.map(|()| list), diagnostics)
}

/// A number of type `int` as C writes it, or a character.
pub(super) fn number(text: &str) -> Option<i128> {
    if let Some(inner) = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
        let mut characters = inner.chars();
        let character = match (characters.next()?, characters.next()) {
            ('\\', Some('0')) => '\0',
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some('r')) => '\r',
            ('\\', Some(escaped @ ('\\' | '\'' | '"'))) => escaped,
            (character, None) if character.is_ascii() && character != '\\' => character,
            _ => return None,
        };
        return characters.next().is_none().then_some(character as i128);
    }
    let radix = |prefix: &[&str]| prefix.iter().find_map(|it| text.strip_prefix(it));
    let (digits, radix) = match (radix(&["0x", "0X"]), radix(&["0b", "0B"])) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        _ => (text, 10),
    };
    let number = i128::from_str_radix(digits, radix).ok()?;
    (0..=i128::from(i32::MAX))
        .contains(&number)
        .then_some(number)
}

struct Reader<'s> {
    cursor: Cursor<'s, CTokens<'s>>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source, part: Span) -> Self {
        Reader {
            cursor: Cursor::new(source, CTokens::new(source, part)),
        }
    }

    fn finish<T>(self, read: Option<T>, diagnostics: &mut Diagnostics) -> Option<T> {
        let messages = self.cursor.into_diagnostics();
        let broken = messages.has_errors();
        diagnostics.append(messages);
        read.filter(|_| !broken)
    }

    fn text(&self) -> &'s str {
        self.cursor.text(self.cursor.peek().span)
    }

    fn unsupported<T>(&mut self, expected: &str) -> Option<T> {
        self.cursor.unexpected(expected, |it| {
            it.help("monitors of models are written in a part of C: see docs/src/reference/pal.md")
        });
        None
    }

    fn statement(&mut self, out: &mut Vec<Statement>, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            let place = self.cursor.peek().span;
            self.cursor.diagnostics().report(|| {
                Diagnostic::error(
                    format!("statements are nested more than {DEEPEST} deep"),
                    place,
                )
            });
            return None;
        }
        let start = self.cursor.peek();
        match start.kind {
            Kind::Semicolon => {
                self.cursor.bump();
            }
            Kind::Open(Bracket::Curly) => {
                self.cursor.bump();
                while !matches!(
                    self.cursor.peek().kind,
                    Kind::Close(Bracket::Curly) | Kind::End
                ) {
                    self.statement(out, depth + 1)?;
                }
                self.cursor
                    .expect_closing(Kind::Close(Bracket::Curly), start.span)?;
            }
            Kind::Word => match self.text() {
                "if" => return self.condition(out, depth),
                "while" => {
                    self.cursor.bump();
                    let (condition, end) = self.in_brackets()?;
                    let mut body = Vec::new();
                    self.statement(&mut body, depth + 1)?;
                    out.push(Statement::While {
                        condition,
                        body,
                        span: start.span.to(end),
                    });
                }
                "for" => return self.counting(out, depth),
                _ if self.cursor.second() == Kind::Open(Bracket::Round) => self.call(out)?,
                _ => self.assignment(out)?,
            },
            _ if matches!(self.text(), "++" | "--") => self.assignment(out)?,
            _ => return self.unsupported("a statement"),
        }
        Some(())
    }

    /// `if` with its `else`.
    fn condition(&mut self, out: &mut Vec<Statement>, depth: usize) -> Option<()> {
        let word = self.cursor.bump();
        let (condition, end) = self.in_brackets()?;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        self.statement(&mut then, depth + 1)?;
        if self.cursor.at(Kind::Word) && self.text() == "else" {
            self.cursor.bump();
            self.statement(&mut otherwise, depth + 1)?;
        }
        out.push(Statement::If {
            condition,
            then,
            otherwise,
            span: word.span.to(end),
        });
        Some(())
    }

    /// `for (x = 0; x < 3; x++) …`, as the `while` that it stands for.
    fn counting(&mut self, out: &mut Vec<Statement>, depth: usize) -> Option<()> {
        let word = self.cursor.bump();
        let opener = self.cursor.expect(Kind::Open(Bracket::Round))?;
        if !self.cursor.at(Kind::Semicolon) {
            self.change(out)?;
        }
        let first = self.cursor.expect(Kind::Semicolon)?;
        let condition = match self.cursor.at(Kind::Semicolon) {
            true => Expression {
                items: vec![(Item::Number(1), first.span)],
                span: first.span,
            },
            false => self.expression()?,
        };
        self.cursor.expect(Kind::Semicolon)?;
        let mut step = Vec::new();
        if !self.cursor.at(Kind::Close(Bracket::Round)) {
            self.change(&mut step)?;
        }
        let closer = Kind::Close(Bracket::Round);
        let end = self.cursor.expect_closing(closer, opener.span)?;
        let mut body = Vec::new();
        self.statement(&mut body, depth + 1)?;
        body.append(&mut step);
        out.push(Statement::While {
            condition,
            body,
            span: word.span.to(end.span),
        });
        Some(())
    }

    /// `(e)`, and where it ends.
    fn in_brackets(&mut self) -> Option<(Expression, Span)> {
        let opener = self.cursor.expect(Kind::Open(Bracket::Round))?;
        let inner = self.expression()?;
        let closer = self
            .cursor
            .expect_closing(Kind::Close(Bracket::Round), opener.span)?;
        Some((inner, closer.span))
    }

    fn call(&mut self, out: &mut Vec<Statement>) -> Option<()> {
        let name = self.cursor.bump();
        match self.cursor.text(name.span) {
            "assert" => {
                let (condition, end) = self.in_brackets()?;
                self.cursor.expect(Kind::Semicolon)?;
                out.push(Statement::Assert {
                    condition: Some(condition),
                    span: name.span.to(end),
                });
            }
            "abort" => {
                let opener = self.cursor.bump();
                let end = self
                    .cursor
                    .expect_closing(Kind::Close(Bracket::Round), opener.span)?;
                self.cursor.expect(Kind::Semicolon)?;
                out.push(Statement::Assert {
                    condition: None,
                    span: name.span.to(end.span),
                });
            }
            // What is printed does not matter to a model.
            printing if PRINTING.contains(&printing) => {
                self.cursor.skip_until(|kind| kind == Kind::Semicolon);
                self.cursor.expect(Kind::Semicolon)?;
            }
            other => {
                self.cursor.diagnostics().report(|| {
                    let message = format!("what `{other}` does is not known on a model");
                    Diagnostic::error(message, name.span).help(
                        "besides assignments, conditions and loops there are `assert`, `abort` and \
                         calls that print",
                    )
                });
                return None;
            }
        }
        Some(())
    }

    fn assignment(&mut self, out: &mut Vec<Statement>) -> Option<()> {
        self.change(out)?;
        self.cursor.expect(Kind::Semicolon).map(|_| ())
    }

    /// `x = e`, `x += e`, `x++` or `++x`
    fn change(&mut self, out: &mut Vec<Statement>) -> Option<()> {
        let start = self.cursor.peek().span;
        let early = matches!(self.text(), "++" | "--").then(|| self.cursor.bump().span);
        if !self.cursor.at(Kind::Word) {
            return self.unsupported("the name of a monitor variable");
        }
        let name = self.cursor.bump().span;
        let own = (Item::Name(self.cursor.text(name).into()), name);
        let operator = match early {
            Some(place) => place,
            None => self.cursor.bump().span,
        };
        let one = (Item::Number(1), operator);
        let text = self.cursor.text(operator);
        let mut value = match text {
            "=" => self.expression()?,
            "++" | "--" => Expression {
                items: vec![one],
                span: operator,
            },
            _ if text.ends_with('=') && binary(&text[..text.len() - 1]).is_some() => {
                self.expression()?
            }
            _ => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("this is no statement that a model can take", start.to(name))
                        .help("a monitor variable is changed with `x = e;`, `x += e;` or `x++;`")
                });
                return None;
            }
        };
        let changes = match text {
            "=" => None,
            "++" => Some(Item::Binary(Binary::Add)),
            "--" => Some(Item::Binary(Binary::Subtract)),
            _ => binary(&text[..text.len() - 1]).map(|(item, _)| item),
        };
        if let Some(operator_item) = changes {
            value.items.insert(0, own);
            value.items.push((operator_item, operator));
        }
        let end = self.cursor.previous();
        out.push(Statement::Assign {
            name: (self.cursor.text(name).into(), name),
            value,
            span: start.to(end),
        });
        Some(())
    }

    /// Reads an expression as far as it goes.
    fn expression(&mut self) -> Option<Expression> {
        let start = self.cursor.peek().span;
        let mut postfix: Postfix<(Item, Span)> = Postfix::default();
        let mut open: Vec<Span> = Vec::new();
        let mut length = 0;
        loop {
            length += 1;
            if length > LONGEST {
                self.cursor
                    .diagnostics()
                    .report(|| Diagnostic::error("this expression is too long", start));
                return None;
            }
            // An operand is due.
            let token = self.cursor.peek();
            let text = self.text();
            let prefix = match text {
                "!" => Some(Item::Not),
                "~" => Some(Item::Complement),
                "-" => Some(Item::Negate),
                _ => None,
            };
            match token.kind {
                _ if prefix.is_some() => {
                    self.cursor.bump();
                    postfix.prefix((prefix?, token.span), UNARY);
                    continue;
                }
                Kind::Operator if text == "+" => {
                    self.cursor.bump();
                    continue;
                }
                Kind::Open(Bracket::Round) => {
                    self.cursor.bump();
                    open.push(token.span);
                    postfix.open((Item::Not, token.span));
                    continue;
                }
                Kind::Variable(number) => postfix.operand((Item::Variable(number), token.span)),
                Kind::Number | Kind::Literal => match number(text) {
                    Some(value) => postfix.operand((Item::Number(value), token.span)),
                    None => {
                        self.cursor.diagnostics().report(|| {
                            Diagnostic::error("this is no number of a model", token.span)
                                .help("numbers are whole, at most 2147483647, and without a suffix")
                        });
                        return None;
                    }
                },
                Kind::Word if self.cursor.second() == Kind::Open(Bracket::Round) => {
                    self.cursor.diagnostics().report(|| {
                        let message = format!("what `{text}` gives is not known on a model");
                        Diagnostic::error(message, token.span)
                    });
                    return None;
                }
                Kind::Word => {
                    let item = match text {
                        "true" => Item::Number(1),
                        "false" => Item::Number(0),
                        _ => Item::Name(text.into()),
                    };
                    postfix.operand((item, token.span));
                }
                _ => return self.unsupported("an expression"),
            }
            self.cursor.bump();
            // An operator is due, or a closing bracket.
            loop {
                let token = self.cursor.peek();
                if token.kind == Kind::Close(Bracket::Round) && open.pop().is_some() {
                    self.cursor.bump();
                    postfix.close();
                    continue;
                }
                break;
            }
            let token = self.cursor.peek();
            match binary(self.text()).filter(|_| token.kind == Kind::Operator) {
                Some((item, power)) => {
                    self.cursor.bump();
                    postfix.infix((item, token.span), power);
                }
                None => break,
            }
        }
        if let Some(&opener) = open.last() {
            let expected = Kind::Close(Bracket::Round);
            self.cursor.expect_closing(expected, opener)?;
        }
        Some(Expression {
            items: postfix.finish(),
            span: start.to(self.cursor.previous()),
        })
    }
}

const UNARY: u8 = 12;

/// A binary operator and how it binds.
fn binary(text: &str) -> Option<(Item, Power)> {
    let (item, level) = match text {
        "||" => (Item::Either, 1),
        "&&" => (Item::Both, 2),
        "|" => (Item::Binary(Binary::Or), 3),
        "^" => (Item::Binary(Binary::Xor), 4),
        "&" => (Item::Binary(Binary::And), 5),
        "==" => (Item::Binary(Binary::Equal), 6),
        "!=" => (Item::Binary(Binary::NotEqual), 6),
        "<" => (Item::Binary(Binary::Less), 7),
        "<=" => (Item::Binary(Binary::LessEqual), 7),
        ">" => (Item::Binary(Binary::Greater), 7),
        ">=" => (Item::Binary(Binary::GreaterEqual), 7),
        "<<" => (Item::Binary(Binary::ShiftLeft), 8),
        ">>" => (Item::Binary(Binary::ShiftRight), 8),
        "+" => (Item::Binary(Binary::Add), 9),
        "-" => (Item::Binary(Binary::Subtract), 9),
        "*" => (Item::Binary(Binary::Multiply), 10),
        "/" => (Item::Binary(Binary::Divide), 10),
        "%" => (Item::Binary(Binary::Remainder), 10),
        _ => return None,
    };
    Some((item, Power::left(level)))
}
