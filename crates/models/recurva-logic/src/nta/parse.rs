//! From tokens to the items of an automaton, without recursion.

use recurva_syntax::{Cursor, Diagnostic, Postfix, Power, Source, Span, did_you_mean};

use super::token::{Kind, WORDS, Words};
use crate::ntmu::Modality;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub(super) text: &'s str,
    pub(super) span: Span,
}

/// A piece of a term, operands first.
#[derive(Clone, Debug)]
pub(super) enum Item<'s> {
    Constant(bool),
    Proposition(Box<str>),
    Go(Name<'s>),
    Local(Modality, Name<'s>),
    Call(Modality, Name<'s>),
    Return(Modality, Option<Name<'s>>, Name<'s>),
    Any(Modality, Name<'s>),
    Not,
    And,
    Or,
    Implies,
    Bracket,
}

/// A piece of a term and where it stands.
pub(super) type Placed<'s> = (Item<'s>, Span);

/// `state q 1 = term`
#[derive(Debug)]
pub(super) struct StateLine<'s> {
    pub(super) name: Name<'s>,
    pub(super) priority: u32,
    /// The `=` and the term behind it, if there are any.
    pub(super) term: Option<(Span, Vec<Placed<'s>>)>,
}

/// A child of a transition.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChildItem<'s> {
    None,
    Down(Name<'s>),
    Back(Name<'s>, Name<'s>),
}

/// `q (p, !r) -> left, right`
#[derive(Debug)]
pub(super) struct TransitionLine<'s> {
    pub(super) from: Name<'s>,
    pub(super) guard: Vec<(Box<str>, bool, Span)>,
    pub(super) children: [ChildItem<'s>; 2],
}

/// What the first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Alternating,
    Stairs,
    Nondeterministic,
}

/// A file. What could not be read has been reported and is left out.
#[derive(Debug, Default)]
pub(super) struct File<'s> {
    pub(super) head: Option<Head>,
    pub(super) init: Vec<Name<'s>>,
    pub(super) states: Vec<StateLine<'s>>,
    pub(super) transitions: Vec<TransitionLine<'s>>,
    /// Something could not be read: do not complain about what is missing.
    pub(super) broken: bool,
}

/// The largest priority. More would be a mistake.
const LARGEST: u32 = 65_535;

const IMPLIES: Power = Power::right(1);
const OR: Power = Power::left(2);
const AND: Power = Power::left(3);
const PREFIX: u8 = 4;

/// Reads a file.
pub(super) fn parse<'s>(source: &'s Source) -> (File<'s>, recurva_syntax::Diagnostics) {
    let mut parser = Parser {
        cursor: Cursor::new(source, Words::new(source)),
        file: File::default(),
    };
    parser.head();
    while !parser.cursor.at(Kind::End) {
        if parser.item().is_none() {
            parser.file.broken = true;
            parser
                .cursor
                .skip_until(|kind| matches!(kind, Kind::State | Kind::Init));
        }
    }
    (parser.file, parser.cursor.into_diagnostics())
}

struct Parser<'s> {
    cursor: Cursor<'s, Words<'s>>,
    file: File<'s>,
}

impl<'s> Parser<'s> {
    fn head(&mut self) {
        let head = if self.cursor.eat(Kind::Alternating).is_some() {
            let next = self.cursor.peek();
            match self.cursor.text(next.span) {
                "stairs" => {
                    self.cursor.bump();
                    Head::Stairs
                }
                _ => Head::Alternating,
            }
        } else if self.cursor.eat(Kind::Nondeterministic).is_some() {
            Head::Nondeterministic
        } else {
            let word = self.cursor.text(self.cursor.peek().span).to_owned();
            let help = did_you_mean(&word, WORDS.iter().take(2).map(|word| word.0));
            self.cursor
                .unexpected("`alternating` or `nondeterministic`", |diagnostic| {
                    diagnostic.help_if(help).help(
                        "the first word says what kind of automaton it is; `alternating stairs` \
                     does not count priorities in calls that have returned",
                    )
                });
            self.file.broken = true;
            self.cursor
                .skip_until(|kind| matches!(kind, Kind::State | Kind::Init));
            return;
        };
        self.file.head = Some(head);
    }

    fn item(&mut self) -> Option<()> {
        match self.cursor.peek().kind {
            Kind::Init => {
                self.cursor.bump();
                let name = self.name("the name of a state")?;
                self.file.init.push(name);
                Some(())
            }
            Kind::State => self.state(),
            Kind::Name | Kind::Number if self.file.head == Some(Head::Nondeterministic) => {
                self.transition()
            }
            _ => {
                let word = self.cursor.text(self.cursor.peek().span).to_owned();
                let help = did_you_mean(&word, WORDS.iter().take(4).map(|word| word.0));
                self.cursor.unexpected("`state` or `init`", |diagnostic| {
                    diagnostic
                        .help_if(help)
                        .help("a state is written `state q 1 = <loc> q | p`")
                });
                None
            }
        }
    }

    fn name(&mut self, what: &str) -> Option<Name<'s>> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Name | Kind::Number => {
                self.cursor.bump();
                Some(Name {
                    text: self.cursor.text(token.span),
                    span: token.span,
                })
            }
            _ => {
                self.cursor.unexpected(what, |diagnostic| diagnostic);
                None
            }
        }
    }

    /// `state q 1 = term`
    fn state(&mut self) -> Option<()> {
        self.cursor.bump();
        let name = self.name("the name of a state")?;
        let priority = self.priority()?;
        let mut term = None;
        if let Some(equals) = self.cursor.eat(Kind::Equals) {
            // The state is known even if its term cannot be read.
            let items = self.term();
            let failed = items.is_none();
            term = Some((equals.span, items.unwrap_or_default()));
            if failed {
                self.file.states.push(StateLine {
                    name,
                    priority,
                    term,
                });
                return None;
            }
        }
        self.file.states.push(StateLine {
            name,
            priority,
            term,
        });
        Some(())
    }

    fn priority(&mut self) -> Option<u32> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        if token.kind != Kind::Number {
            self.cursor.unexpected("a priority", |diagnostic| {
                diagnostic.help(
                    "every state has one: the largest that comes infinitely often must be even",
                )
            });
            return None;
        }
        self.cursor.bump();
        match text.parse() {
            Ok(priority) if priority <= LARGEST => Some(priority),
            _ => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("this priority is too large", token.span)
                        .label(format!("the largest is {LARGEST}"))
                });
                // It was read, only its value is wrong.
                self.file.broken = true;
                Some(LARGEST)
            }
        }
    }

    /// A term up to the next item.
    fn term(&mut self) -> Option<Vec<Placed<'s>>> {
        let mut postfix: Postfix<Placed<'s>> = Postfix::default();
        let mut open: Vec<Span> = Vec::new();
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Not => {
                    self.cursor.bump();
                    postfix.prefix((Item::Not, token.span), PREFIX);
                    continue;
                }
                Kind::Open => {
                    self.cursor.bump();
                    postfix.open((Item::Bracket, token.span));
                    open.push(token.span);
                    continue;
                }
                _ => postfix.operand(self.operand()?),
            }
            loop {
                let token = self.cursor.peek();
                let infix = match token.kind {
                    Kind::Implies => Some((Item::Implies, IMPLIES)),
                    Kind::Or => Some((Item::Or, OR)),
                    Kind::And => Some((Item::And, AND)),
                    _ => None,
                };
                if let Some((item, power)) = infix {
                    self.cursor.bump();
                    postfix.infix((item, token.span), power);
                    break;
                }
                if let Some(&opener) = open.last() {
                    self.cursor.expect_closing(Kind::Close, opener)?;
                    postfix.close();
                    open.pop();
                    continue;
                }
                match token.kind {
                    Kind::State | Kind::Init | Kind::End => return Some(postfix.finish()),
                    _ => {
                        self.cursor
                            .unexpected("an operator or the next state", |diagnostic| {
                                diagnostic.help("terms are joined by `&`, `|` and `->`")
                            });
                        return None;
                    }
                }
            }
        }
    }

    fn operand(&mut self) -> Option<Placed<'s>> {
        let start = self.cursor.peek();
        let target = "the name of a state";
        let item = match start.kind {
            Kind::Constant(value) => {
                self.cursor.bump();
                Item::Constant(value)
            }
            Kind::Name | Kind::At | Kind::Quoted => Item::Proposition(self.proposition()?),
            Kind::Go => {
                self.cursor.bump();
                Item::Go(self.name(target)?)
            }
            Kind::Local(modality) => {
                self.cursor.bump();
                Item::Local(modality, self.name(target)?)
            }
            Kind::Call(modality) => {
                self.cursor.bump();
                Item::Call(modality, self.name(target)?)
            }
            Kind::Any(modality) => {
                self.cursor.bump();
                Item::Any(modality, self.name(target)?)
            }
            Kind::Return(modality) => {
                self.cursor.bump();
                let pushed = match self.cursor.eat(Kind::Comma) {
                    Some(_) => Some(self.name("the state at the call")?),
                    None => None,
                };
                self.cursor
                    .expect_closing(Kind::EndReturn(modality), start.span)?;
                Item::Return(modality, pushed, self.name(target)?)
            }
            _ => {
                self.cursor.unexpected("a term", |diagnostic| diagnostic);
                return None;
            }
        };
        Some((item, start.span.to(self.cursor.previous())))
    }

    /// A proposition: a name, `@state`, or any text in quotes.
    fn proposition(&mut self) -> Option<Box<str>> {
        let token = self.cursor.bump();
        let text = self.cursor.text(token.span);
        if token.kind != Kind::Quoted {
            return Some(text.into());
        }
        let inside = text
            .get(1..text.len().saturating_sub(1))
            .unwrap_or_default();
        let mut plain = String::new();
        let mut characters = inside.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => plain.extend(characters.next()),
                other => plain.push(other),
            }
        }
        if plain.trim().is_empty() {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a proposition is not empty", token.span)
                    .help("write a name in the quotes")
            });
            return None;
        }
        Some(plain.into())
    }

    /// `q (p, !r) -> left, right`
    fn transition(&mut self) -> Option<()> {
        let from = self.name("the name of a state")?;
        let mut guard = Vec::new();
        if let Some(open) = self.cursor.eat(Kind::Open) {
            loop {
                let value = self.cursor.eat(Kind::Not).is_none();
                let span = self.cursor.peek().span;
                match self.cursor.peek().kind {
                    Kind::Name | Kind::At | Kind::Quoted => {
                        guard.push((self.proposition()?, value, span));
                    }
                    _ => {
                        self.cursor
                            .unexpected("a proposition", |diagnostic| diagnostic);
                        return None;
                    }
                }
                if self.cursor.eat(Kind::Comma).is_none() {
                    break;
                }
            }
            self.cursor.expect_closing(Kind::Close, open.span)?;
        }
        self.cursor.expect(Kind::Implies)?;
        let left = self.child()?;
        self.cursor.expect(Kind::Comma)?;
        let right = self.child()?;
        self.file.transitions.push(TransitionLine {
            from,
            guard,
            children: [left, right],
        });
        Some(())
    }

    fn child(&mut self) -> Option<ChildItem<'s>> {
        if self.cursor.eat(Kind::Missing).is_some() {
            return Some(ChildItem::None);
        }
        if let Some(open) = self.cursor.eat(Kind::Open) {
            let pushed = self.name("the state at the call")?;
            self.cursor.expect(Kind::Comma)?;
            let state = self.name("the name of a state")?;
            self.cursor.expect_closing(Kind::Close, open.span)?;
            return Some(ChildItem::Back(pushed, state));
        }
        let state = self.name("a state, `(p, q)` for a return, or `-`")?;
        Some(ChildItem::Down(state))
    }
}
