//! Reads expressions: an operand, an operator, an operand, on an explicit stack.

mod operators;
mod words;

use recurva_syntax::{Cursor, Diagnostic, Postfix, Power, Span};

use self::{
    operators::{infix, prefix},
    words::{cast_type, character, number},
};

use crate::{
    build::{Item, build},
    token::{AcslLexer, Kind, Symbol},
    tree::{CastType, Expression, Label, Notation, Number, TermKind},
};

/// Something is wrong or not supported, and has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong;

pub(crate) type Outcome<T> = Result<T, Wrong>;

/// Operators before an operand bind tighter than those between operands.
const PREFIX: u8 = 17;

pub(crate) struct Parser<'s> {
    pub(crate) cursor: Cursor<'s, AcslLexer<'s>>,
    pub(crate) notation: Notation,
    /// What ends where the text does: "the annotation".
    pub(crate) whole: &'static str,
}

impl<'s> Parser<'s> {
    /// Reports an error.
    pub(crate) fn error<T>(&mut self, error: impl FnOnce() -> Diagnostic) -> Outcome<T> {
        self.cursor.diagnostics().report(error);
        Err(Wrong)
    }

    /// Says that something is not supported.
    pub(crate) fn unsupported<T>(&mut self, what: &str, span: Span) -> Outcome<T> {
        self.cursor.diagnostics().warn(|| {
            let text = format!("{what} not supported: this clause is left out");
            Diagnostic::warning(text, span)
        });
        Err(Wrong)
    }

    /// Reports that the token in front is not what should stand here.
    pub(crate) fn unexpected<T>(
        &mut self,
        expected: &str,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Outcome<T> {
        let token = self.cursor.peek();
        // What is no token has been reported.
        if token.kind == Kind::Stray {
            return Err(Wrong);
        }
        let found = match token.kind {
            Kind::End => format!("the end of {}", self.whole),
            _ => self.cursor.found(),
        };
        let text = format!("expected {expected}, found {found}");
        self.error(|| {
            more(Diagnostic::error(text, token.span).label(format!("expected {expected}")))
        })
    }

    fn at(&self, symbol: Symbol) -> bool {
        self.cursor.at(Kind::Symbol(symbol))
    }

    pub(crate) fn eat(&mut self, symbol: Symbol) -> Option<Span> {
        let token = self.cursor.eat(Kind::Symbol(symbol))?;
        Some(token.span)
    }

    /// An expression, up to a token that cannot belong to it.
    pub(crate) fn expression(&mut self) -> Outcome<Expression> {
        let mut reader = Reader {
            postfix: Postfix::default(),
            open: Vec::new(),
        };
        let start = self.cursor.peek().span;
        loop {
            self.operand(&mut reader)?;
            if !self.operator(&mut reader)? {
                break;
            }
        }
        match build(self.notation, reader.postfix.finish()) {
            Ok(Some(expression)) => Ok(expression),
            Ok(None) => self.error(|| Diagnostic::error("an expression is missing", start)),
            Err(wrong) => self.error(|| *wrong),
        }
    }

    /// Passes what stands before an operand, and the operand.
    fn operand(&mut self, reader: &mut Reader) -> Outcome<()> {
        loop {
            let token = self.cursor.peek();
            let span = token.span;
            match token.kind {
                Kind::Symbol(symbol) => {
                    if let Some(operator) = prefix(symbol) {
                        self.cursor.bump();
                        reader.postfix.prefix((Item::Unary(operator), span), PREFIX);
                        continue;
                    }
                    if symbol == Symbol::Open {
                        self.cursor.bump();
                        match self.cursor.at(Kind::Type) {
                            true => {
                                let cast = self.cast(span)?;
                                reader.postfix.prefix((Item::Cast(cast), span), PREFIX);
                            }
                            false => reader.open(Item::Paren, span),
                        }
                        continue;
                    }
                    return self.unexpected("an expression", |it| it);
                }
                Kind::Builtin => {
                    if self.builtin(reader)? {
                        return Ok(());
                    }
                }
                Kind::Name => {
                    self.cursor.bump();
                    let text = self.cursor.text(span);
                    let is_named = self.at(Symbol::Colon) && !reader.is_conditional();
                    if is_named && self.notation == Notation::Acsl {
                        self.cursor.bump();
                        continue;
                    }
                    if self.at(Symbol::Open) {
                        let what = match text {
                            "sizeof" => "`sizeof` is",
                            _ => "functions and predicates are",
                        };
                        return self.unsupported(what, span);
                    }
                    reader.operand(TermKind::Name(text.into()), span);
                    return Ok(());
                }
                Kind::Number => {
                    self.cursor.bump();
                    let number = self.number(span)?;
                    reader.operand(TermKind::Number(number), span);
                    return Ok(());
                }
                Kind::Char => {
                    self.cursor.bump();
                    let Some(value) = character(self.cursor.text(span)) else {
                        return self.unsupported("this character is", span);
                    };
                    reader.operand(TermKind::Number(Number::plain(value)), span);
                    return Ok(());
                }
                Kind::Text => return self.unsupported("strings are", span),
                Kind::Type | Kind::Stray | Kind::End => {
                    return self.unexpected("an expression", |it| it);
                }
            }
        }
    }

    /// A word that begins with a backslash; whether it was a whole operand.
    fn builtin(&mut self, reader: &mut Reader) -> Outcome<bool> {
        let span = self.cursor.bump().span;
        let text = self.cursor.text(span);
        let kind = match text {
            _ if self.notation == Notation::C => {
                let text = format!("`{text}` is no C");
                return self.error(|| Diagnostic::error(text, span));
            }
            "\\true" => TermKind::Truth(true),
            "\\false" => TermKind::Truth(false),
            "\\null" => TermKind::Null,
            "\\result" => TermKind::Result,
            "\\old" | "\\at" => {
                let item = match text {
                    "\\old" => Item::At(Label::Old),
                    // Its label comes behind.
                    _ => Item::At(Label::Here),
                };
                return match self.eat(Symbol::Open) {
                    Some(open) => {
                        reader.open(item, span.to(open));
                        reader.set_label(text == "\\at");
                        Ok(false)
                    }
                    None => self.unexpected("`(`", |it| it),
                };
            }
            _ => {
                if let Some(known) = SUPPORTED_NOT.iter().find(|it| **it == text) {
                    if BINDERS.contains(known) {
                        // The clause goes on behind the variables.
                        let semicolon = Kind::Symbol(Symbol::Semicolon);
                        self.cursor.skip_until(|kind| kind == semicolon);
                        self.cursor.bump();
                    }
                    return self.unsupported(&format!("`{known}` is"), span);
                }
                let names = SUPPORTED.iter().chain(&SUPPORTED_NOT).copied();
                let near = recurva_syntax::did_you_mean(text, names);
                let text = format!("there is no `{text}` in ACSL");
                return self.error(|| Diagnostic::error(text, span).help_if(near));
            }
        };
        reader.operand(kind, span);
        Ok(true)
    }

    /// Passes what stands behind an operand; whether another operand has to follow.
    fn operator(&mut self, reader: &mut Reader) -> Outcome<bool> {
        loop {
            let token = self.cursor.peek();
            let span = token.span;
            let Kind::Symbol(symbol) = token.kind else {
                return self.end(reader);
            };
            match symbol {
                Symbol::OpenIndex => {
                    self.cursor.bump();
                    reader.open(Item::Index, span);
                    return Ok(true);
                }
                Symbol::Dot | Symbol::Arrow => {
                    self.cursor.bump();
                    let Some(name) = self.cursor.eat(Kind::Name) else {
                        return self.unexpected("the name of a field", |it| it);
                    };
                    let text = self.cursor.text(name.span).into();
                    let item = match symbol {
                        Symbol::Dot => Item::Field(text),
                        _ => Item::Arrow(text),
                    };
                    reader.postfix.operand((item, name.span));
                }
                Symbol::Open => {
                    return self.unsupported("calls are", span);
                }
                Symbol::Close | Symbol::CloseIndex | Symbol::Colon | Symbol::Comma => {
                    if !self.close(reader, symbol)? {
                        return self.end(reader);
                    }
                    if symbol == Symbol::Colon {
                        return Ok(true);
                    }
                }
                Symbol::Question => {
                    self.cursor.bump();
                    let item = (Item::Conditional, span);
                    reader.postfix.infix(item, Power::right(1));
                    reader.open(Item::Question, span);
                    return Ok(true);
                }
                Symbol::Assign => {
                    return self.error(|| {
                        Diagnostic::error("nothing is assigned here", span).help("equality is `==`")
                    });
                }
                Symbol::Dots | Symbol::BitEquivalent | Symbol::BitImplies => {
                    let text = format!("`{}` is", self.cursor.text(span));
                    return self.unsupported(&text, span);
                }
                _ => match infix(symbol, self.notation) {
                    Some((operator, power)) => {
                        self.cursor.bump();
                        reader.postfix.infix((Item::Binary(operator), span), power);
                        return Ok(true);
                    }
                    None => return self.end(reader),
                },
            }
        }
    }

    /// Closes the innermost bracket with the token in front; `false` if it closes none of this expression.
    fn close(&mut self, reader: &mut Reader, symbol: Symbol) -> Outcome<bool> {
        let Some(&Open { span: opener, .. }) = reader.open.last() else {
            return Ok(false);
        };
        let (expected, describe) = reader.expected();
        if symbol != expected {
            let note = format!("to match this `{}`", self.cursor.text(opener));
            return self.unexpected(describe, |it| it.note(opener, note));
        }
        let mut span = self.cursor.bump().span;
        let mut item = reader.close();
        if symbol == Symbol::Comma {
            item = Some(Item::At(self.label()?));
            let Some(end) = self.eat(Symbol::Close) else {
                return self.unexpected("`)`", |it| it.note(opener, "to match this"));
            };
            span = end;
        }
        if let Some(item) = item {
            reader.postfix.operand((item, opener.to(span)));
        }
        Ok(true)
    }

    /// The label of `\at`.
    fn label(&mut self) -> Outcome<Label> {
        let Some(name) = self.cursor.eat(Kind::Name) else {
            return self.unexpected("a label", |it| it.help("labels are Pre, Here, Old, Post"));
        };
        match self.cursor.text(name.span) {
            "Pre" => Ok(Label::Pre),
            "Here" => Ok(Label::Here),
            "Old" => Ok(Label::Old),
            "Post" => Ok(Label::Post),
            _ => self.unsupported("labels but Pre, Here, Old and Post are", name.span),
        }
    }

    /// The expression is over: all brackets have to be closed.
    fn end(&mut self, reader: &Reader) -> Outcome<bool> {
        let Some(&Open { span: opener, .. }) = reader.open.last() else {
            return Ok(false);
        };
        let note = format!("to match this `{}`", self.cursor.text(opener));
        let (_, expected) = reader.expected();
        self.unexpected(expected, |it| it.note(opener, note))
    }

    /// The type of a cast and its closing bracket.
    fn cast(&mut self, open: Span) -> Outcome<CastType> {
        let mut words = Vec::new();
        while matches!(self.cursor.peek().kind, Kind::Type | Kind::Name) {
            let span = self.cursor.bump().span;
            words.push(self.cursor.text(span));
        }
        let whole = open.to(self.cursor.previous());
        if self.at(Symbol::Times) {
            return self.unsupported("casts to pointers are", whole);
        }
        if self.eat(Symbol::Close).is_none() {
            return self.unexpected("`)`", |it| it.note(open, "to match this `(`"));
        }
        match cast_type(&words) {
            Some(ty) => Ok(ty),
            None => self.unsupported("casts to this type are", whole),
        }
    }

    fn number(&mut self, span: Span) -> Outcome<Number> {
        let text = self.cursor.text(span);
        let is_float = self.at(Symbol::Dot) && self.cursor.peek().span.start == span.end;
        let wrong = || Diagnostic::error("this is no integer that can be represented", span);
        match number(text) {
            _ if is_float => self.unsupported("floating-point numbers are", span),
            Some(number) => Ok(number),
            None => self.error(wrong),
        }
    }
}

/// An open bracket.
struct Open {
    span: Span,
    /// What closes it.
    closing: Symbol,
}

/// The expression that is being read.
struct Reader {
    postfix: Postfix<(Item, Span)>,
    open: Vec<Open>,
}

impl Reader {
    fn operand(&mut self, kind: TermKind, span: Span) {
        self.postfix.operand((Item::Operand(kind), span));
    }

    fn open(&mut self, item: Item, span: Span) {
        let closing = match item {
            Item::Index => Symbol::CloseIndex,
            Item::Question => Symbol::Colon,
            _ => Symbol::Close,
        };
        self.postfix.open((item, span));
        self.open.push(Open { span, closing });
    }

    /// Whether a label follows before the innermost bracket is closed.
    fn set_label(&mut self, follows: bool) {
        if let (Some(open), true) = (self.open.last_mut(), follows) {
            open.closing = Symbol::Comma;
        }
    }

    /// Whether the innermost bracket is that of `?`.
    fn is_conditional(&self) -> bool {
        self.open
            .last()
            .is_some_and(|it| it.closing == Symbol::Colon)
    }

    /// What closes the innermost bracket, also in words.
    fn expected(&self) -> (Symbol, &'static str) {
        match self.open.last().map(|it| it.closing) {
            Some(Symbol::CloseIndex) => (Symbol::CloseIndex, "`]`"),
            Some(Symbol::Colon) => (Symbol::Colon, "`:`"),
            Some(Symbol::Comma) => (Symbol::Comma, "`,` and a label"),
            _ => (Symbol::Close, "`)`"),
        }
    }

    /// Closes the innermost bracket; what it means.
    fn close(&mut self) -> Option<Item> {
        self.open.pop();
        self.postfix.close().map(|(item, _)| item)
    }
}

/// Words that begin with a backslash.
const SUPPORTED: [&str; 6] = ["\\true", "\\false", "\\null", "\\result", "\\old", "\\at"];

/// Those behind which variables stand, and a semicolon.
const BINDERS: [&str; 4] = ["\\forall", "\\exists", "\\let", "\\lambda"];

/// Those of ACSL that are not read.
const SUPPORTED_NOT: [&str; 30] = [
    "\\forall",
    "\\exists",
    "\\let",
    "\\lambda",
    "\\valid",
    "\\valid_read",
    "\\separated",
    "\\sum",
    "\\product",
    "\\max",
    "\\min",
    "\\abs",
    "\\block_length",
    "\\base_addr",
    "\\offset",
    "\\allocable",
    "\\freeable",
    "\\fresh",
    "\\initialized",
    "\\dangling",
    "\\nothing",
    "\\everything",
    "\\empty",
    "\\union",
    "\\subset",
    "\\in",
    "\\pow",
    "\\is_finite",
    "\\exit_status",
    "\\valid_function",
];
