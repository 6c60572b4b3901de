//! From tokens to expressions, without recursion.

use recurva_model::{Binary, Type};
use recurva_syntax::{Cursor, Diagnostic, Span, Token};

use super::{
    Expr, Item, Leaf, What,
    reading::{Dialect, Event, may_differ, read},
};
use crate::{
    names::{NameId, Names},
    token::{Keyword, Kind, Symbol, Words, clip, number_value},
};

/// Where expressions stand, which decides what may occur in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// In a program.
    Program,
    /// In an observation of a program: `f::x`, `@L` and `in(f)` are operands too.
    Observation,
}

/// A parser that can read expressions.
pub(crate) struct ParseExpr<'p, 's> {
    pub(crate) cursor: &'p mut Cursor<'s, Words<'s>>,
    pub(crate) names: &'p mut Names<'s>,
    pub(crate) dialect: Dialect,
    pub(crate) grammar: Grammar,
}

/// An open bracket.
struct Bracket {
    opener: Span,
    closer: Symbol,
    /// How many commas must still come.
    commas: u8,
}

/// What comes behind an operand.
enum After {
    Operator,
    Operand,
    End,
}

impl<'s> ParseExpr<'_, 's> {
    /// Reads an expression; `None` if it is broken, which has been reported.
    pub(crate) fn parse(&mut self) -> Option<Expr> {
        let start = self.cursor.peek().span;
        let mut events = Vec::new();
        let mut brackets: Vec<Bracket> = Vec::new();
        loop {
            self.operand(&mut events, &mut brackets)?;
            let mut after = After::Operator;
            while let After::Operator = after {
                after = self.after_operand(&mut events, &mut brackets)?;
            }
            if let After::End = after {
                break;
            }
        }
        let items = read(&events, self.dialect);
        let other = may_differ(&events)
            .then(|| read(&events, self.dialect.other()))
            .filter(|other| *other != items);
        Some(Expr {
            items,
            other,
            span: start.to(self.cursor.previous()),
        })
    }

    /// Passes prefix operators, opening brackets and one operand.
    fn operand(&mut self, events: &mut Vec<Event>, brackets: &mut Vec<Bracket>) -> Option<()> {
        loop {
            let token = self.cursor.peek();
            let item = |what| Item {
                what,
                span: token.span,
            };
            let open = |closer| Bracket {
                opener: token.span,
                closer,
                commas: 0,
            };
            match token.kind {
                Kind::Symbol(Symbol::Not | Symbol::Tilde) => {
                    events.push(Event::Prefix(item(What::Not)));
                    self.cursor.bump();
                }
                Kind::Symbol(Symbol::Minus) => {
                    events.push(Event::Prefix(item(What::Negate)));
                    self.cursor.bump();
                }
                Kind::Symbol(Symbol::Open) => {
                    events.push(Event::Open(item(What::Parenthesis)));
                    brackets.push(open(Symbol::Close));
                    self.cursor.bump();
                }
                Kind::Keyword(Keyword::Schoose) => {
                    self.cursor.bump();
                    let bracket = self.cursor.expect(Kind::Symbol(Symbol::OpenIndex))?;
                    events.push(Event::Open(item(What::Schoose)));
                    brackets.push(Bracket {
                        opener: bracket.span,
                        closer: Symbol::CloseIndex,
                        commas: 1,
                    });
                }
                Kind::Keyword(Keyword::Int | Keyword::Sint) => {
                    let (ty, span) = type_name(self.cursor)?;
                    let bracket = self.cursor.expect(Kind::Symbol(Symbol::Open))?;
                    events.push(Event::Open(Item {
                        what: What::Convert(ty),
                        span,
                    }));
                    brackets.push(Bracket {
                        opener: bracket.span,
                        closer: Symbol::Close,
                        commas: 0,
                    });
                }
                Kind::Number => {
                    let value = number_value(self.cursor.text(token.span)).unwrap_or_default();
                    events.push(Event::Operand(item(What::Number(value))));
                    self.cursor.bump();
                    return Some(());
                }
                Kind::Keyword(Keyword::True) => {
                    return self.simple(events, item(What::Truth(true)));
                }
                Kind::Keyword(Keyword::False) => {
                    return self.simple(events, item(What::Truth(false)));
                }
                Kind::Symbol(Symbol::Star | Symbol::Question) => {
                    return self.simple(events, item(What::Any));
                }
                Kind::Name | Kind::Symbol(Symbol::Tick | Symbol::At) => {
                    let (leaf, span) = self.leaf()?;
                    if !self.cursor.at(Kind::Symbol(Symbol::OpenIndex)) {
                        events.push(Event::Operand(Item {
                            what: What::Leaf(leaf),
                            span,
                        }));
                        return Some(());
                    }
                    let bracket = self.cursor.bump();
                    events.push(Event::Open(Item {
                        what: What::Element(leaf),
                        span,
                    }));
                    brackets.push(Bracket {
                        opener: bracket.span,
                        closer: Symbol::CloseIndex,
                        commas: 0,
                    });
                }
                _ => {
                    self.cursor
                        .unexpected("an expression", |diagnostic| match token.kind {
                            Kind::Symbol(Symbol::EqualEqual | Symbol::Equal | Symbol::NotEqual) => {
                                diagnostic.help("a comparison needs an operand on each side")
                            }
                            Kind::Keyword(_) => diagnostic.help("this word is reserved"),
                            _ => diagnostic,
                        });
                    return None;
                }
            }
        }
    }

    fn simple(&mut self, events: &mut Vec<Event>, item: Item) -> Option<()> {
        events.push(Event::Operand(item));
        self.cursor.bump();
        Some(())
    }

    /// Passes an operator, a comma or a closing bracket, or finds that the expression is over.
    fn after_operand(
        &mut self,
        events: &mut Vec<Event>,
        brackets: &mut Vec<Bracket>,
    ) -> Option<After> {
        let token = self.cursor.peek();
        if let Some(operator) = infix(token.kind) {
            let item = Item {
                what: What::Binary(operator),
                span: token.span,
            };
            events.push(Event::Infix(item, operator));
            self.cursor.bump();
            return Some(After::Operand);
        }
        let Some(bracket) = brackets.last_mut() else {
            return Some(After::End);
        };
        if bracket.commas > 0 {
            self.cursor.expect(Kind::Symbol(Symbol::Comma))?;
            bracket.commas -= 1;
            events.push(Event::Separate);
            return Some(After::Operand);
        }
        self.cursor
            .expect_closing(Kind::Symbol(bracket.closer), bracket.opener)?;
        brackets.pop();
        events.push(Event::Close);
        Some(After::Operator)
    }

    /// A name in one of its forms.
    fn leaf(&mut self) -> Option<(Leaf, Span)> {
        let first = self.cursor.bump();
        match first.kind {
            Kind::Symbol(Symbol::Tick) => {
                let name = self.cursor.expect(Kind::Name)?;
                Some((Leaf::Next(self.name(name)), first.span.to(name.span)))
            }
            Kind::Symbol(Symbol::At) => {
                if self.grammar == Grammar::Program {
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error("`@` has no meaning in a program", first.span)
                            .help("labels can be asked for in properties only")
                    });
                    return None;
                }
                let name = self.cursor.expect(Kind::Name)?;
                let id = self.name(name);
                if self.cursor.eat(Kind::Symbol(Symbol::Scope)).is_none() {
                    return Some((Leaf::Label(id), first.span.to(name.span)));
                }
                let label = self.cursor.expect(Kind::Name)?;
                Some((
                    Leaf::LabelIn(id, self.name(label)),
                    first.span.to(label.span),
                ))
            }
            _ => self.plain_name(first),
        }
    }

    fn plain_name(&mut self, first: Token<Kind>) -> Option<(Leaf, Span)> {
        let observation = self.grammar == Grammar::Observation;
        if self.cursor.at(Kind::Symbol(Symbol::Open)) {
            if observation && self.cursor.text(first.span) == "in" {
                let bracket = self.cursor.bump();
                let procedure = self.cursor.expect(Kind::Name)?;
                let close = self
                    .cursor
                    .expect_closing(Kind::Symbol(Symbol::Close), bracket.span)?;
                return Some((Leaf::In(self.name(procedure)), first.span.to(close.span)));
            }
            let name = self.cursor.text(first.span);
            self.cursor.diagnostics().report(|| {
                let help = if observation {
                    "in a guard only `in(procedure)` is written with parentheses"
                } else {
                    "a call is a statement of its own: store its result in a variable first"
                };
                Diagnostic::error("a call cannot be part of an expression", first.span)
                    .label(format!("`{}` is called here", clip(name)))
                    .help(help)
            });
            return None;
        }
        let id = self.name(first);
        if observation && self.cursor.eat(Kind::Symbol(Symbol::Scope)).is_some() {
            let local = self.cursor.expect(Kind::Name)?;
            return Some((Leaf::Local(id, self.name(local)), first.span.to(local.span)));
        }
        Some((Leaf::Name(id), first.span))
    }

    fn name(&mut self, token: Token<Kind>) -> NameId {
        self.names.id(self.cursor.text(token.span))
    }
}

/// Reads `bool`, `int(n)` or `sint(n)`.
pub(crate) fn type_name(cursor: &mut Cursor<'_, Words<'_>>) -> Option<(Type, Span)> {
    let word = cursor.bump();
    let signed = match word.kind {
        Kind::Keyword(Keyword::Bool) => return Some((Type::Bool, word.span)),
        Kind::Keyword(Keyword::Sint) => true,
        _ => false,
    };
    let Some(bracket) = cursor.eat(Kind::Symbol(Symbol::Open)) else {
        let text = cursor.text(word.span);
        cursor.unexpected("`(`", |diagnostic| {
            diagnostic.help(format!(
                "a type needs its number of bits, as in `{text}(8)`"
            ))
        });
        return None;
    };
    let number = cursor.expect(Kind::Number)?;
    let close = cursor.expect_closing(Kind::Symbol(Symbol::Close), bracket.span)?;
    let span = word.span.to(close.span);
    let value = number_value(cursor.text(number.span));
    let bits = value
        .and_then(|bits| u8::try_from(bits).ok())
        .filter(|bits| (1..=64).contains(bits));
    match bits {
        Some(bits) => Some((Type::Int { bits, signed }, span)),
        None => {
            let text = cursor.text(number.span);
            cursor.diagnostics().report(|| {
                Diagnostic::error(
                    format!("there is no integer of {} bits", clip(text)),
                    number.span,
                )
                .help("an integer has 1 to 64 bits")
            });
            // The rest is checked as if the width were right.
            Some((Type::Int { bits: 64, signed }, span))
        }
    }
}

fn infix(kind: Kind) -> Option<Binary> {
    let Kind::Symbol(symbol) = kind else {
        return None;
    };
    Some(match symbol {
        Symbol::Implies => Binary::Implies,
        Symbol::Equal | Symbol::EqualEqual => Binary::Equal,
        Symbol::NotEqual => Binary::NotEqual,
        Symbol::Xor => Binary::Xor,
        Symbol::Or | Symbol::OrOr => Binary::Or,
        Symbol::And | Symbol::AndAnd => Binary::And,
        Symbol::Less => Binary::Less,
        Symbol::LessEqual => Binary::LessEqual,
        Symbol::Greater => Binary::Greater,
        Symbol::GreaterEqual => Binary::GreaterEqual,
        Symbol::ShiftLeft => Binary::ShiftLeft,
        Symbol::ShiftRight => Binary::ShiftRight,
        Symbol::Plus => Binary::Add,
        Symbol::Minus => Binary::Subtract,
        Symbol::Star => Binary::Multiply,
        Symbol::Slash => Binary::Divide,
        Symbol::Percent => Binary::Remainder,
        _ => return None,
    })
}
