//! From tokens to the pieces of a formula, without recursion.

use recurva_syntax::{Cursor, Diagnostic, Postfix, Power, Span, did_you_mean};

use super::{
    Modality, Path, Quantifier, Scope,
    items::{Item, ItemKind},
    token::{Kind, Move, Words},
};

/// How tightly things bind: fixpoints reach as far as they can.
const FIXPOINT: u8 = 0;
const IMPLIES: Power = Power::right(1);
const OR: Power = Power::left(2);
const AND: Power = Power::left(3);
const PREFIX: u8 = 4;

/// A bracket that is open, and where it was opened.
#[derive(Debug)]
struct Open {
    bracket: Bracket,
    span: Span,
}

#[derive(Debug)]
enum Bracket {
    Parenthesis,
    /// Behind `<call>`, up to the `{`.
    Body(Modality),
    /// Behind the `{`, with the number of conditions so far.
    Returns(Modality, usize),
    /// Behind `E[`, with the operator once it has come.
    Path(Quantifier, Option<(Path, Scope)>),
    /// The arguments of a definition.
    Arguments(Box<str>, usize),
}

/// Reads a formula up to the end of the tokens; `None` if it is wrong, which is reported.
pub(super) fn formula(cursor: &mut Cursor<'_, Words<'_>>) -> Option<Vec<Item>> {
    let mut parser = Parser {
        cursor,
        postfix: Postfix::default(),
        open: Vec::new(),
    };
    parser.formula()?;
    let mut items = parser.postfix.finish();
    items.retain(|item| !matches!(item.kind, ItemKind::Bracket));
    Some(items)
}

struct Parser<'c, 's, 't> {
    cursor: &'c mut Cursor<'s, Words<'t>>,
    postfix: Postfix<Item>,
    open: Vec<Open>,
}

impl Parser<'_, '_, '_> {
    fn formula(&mut self) -> Option<()> {
        loop {
            if !self.operand()? {
                continue;
            }
            if self.behind_operand()? {
                return Some(());
            }
        }
    }

    fn put(&mut self, kind: ItemKind, span: Span) {
        self.postfix.operand(Item { kind, span });
    }

    fn opened(&mut self, bracket: Bracket, span: Span) {
        self.postfix.open(Item {
            kind: ItemKind::Bracket,
            span,
        });
        self.open.push(Open { bracket, span });
    }

    fn closed(&mut self) {
        self.postfix.close();
        self.open.pop();
    }

    /// Passes one token of what may stand where an operand is due; whether the operand is
    /// complete.
    fn operand(&mut self) -> Option<bool> {
        let token = self.cursor.peek();
        let span = token.span;
        let text = self.cursor.text(span);
        match token.kind {
            Kind::Constant(value) => self.put(ItemKind::Constant(value), span),
            Kind::Terminates => self.put(ItemKind::Terminates, span),
            Kind::State => self.put(ItemKind::Proposition(text.into()), span),
            Kind::Quoted => return self.quoted(span),
            Kind::Name => return self.name(text, span),
            Kind::Modal(modality, Move::Return) => {
                self.cursor.bump();
                return self.marker(modality, span);
            }
            Kind::CloseReturns
                if matches!(
                    self.open.last(),
                    Some(Open {
                        bracket: Bracket::Returns(_, 0),
                        ..
                    })
                ) =>
            {
                self.cursor.bump();
                self.end_returns(span, 0);
                return Some(true);
            }
            _ => {
                self.opening(token.kind, span)?;
                return Some(false);
            }
        }
        self.cursor.bump();
        Some(true)
    }

    /// Passes what stands before an operand.
    fn opening(&mut self, kind: Kind, span: Span) -> Option<()> {
        let mut prefix = |kind| self.postfix.prefix(Item { kind, span }, PREFIX);
        match kind {
            Kind::Not => prefix(ItemKind::Not),
            Kind::Modal(modality, Move::Local) => prefix(ItemKind::Local(modality)),
            Kind::Modal(modality, Move::Jump) => prefix(ItemKind::Jump(modality)),
            Kind::Temporal(quantifier, path, scope) => {
                prefix(ItemKind::Temporal(quantifier, path, scope));
            }
            Kind::Modal(modality, _) => self.opened(Bracket::Body(modality), span),
            Kind::Open => self.opened(Bracket::Parenthesis, span),
            Kind::OpenPath(quantifier) => self.opened(Bracket::Path(quantifier, None), span),
            Kind::Fixpoint(fixpoint) => {
                self.cursor.bump();
                let name = self.cursor.expect(Kind::Name)?;
                self.cursor.expect(Kind::Dot)?;
                let text = self.cursor.text(name.span);
                self.put(ItemKind::Bind(text.into()), name.span);
                let kind = ItemKind::Fixpoint(fixpoint);
                self.postfix.prefix(Item { kind, span }, FIXPOINT);
                return Some(());
            }
            _ => {
                self.cursor.unexpected("a formula", |diagnostic| diagnostic);
                return None;
            }
        }
        self.cursor.bump();
        Some(())
    }

    /// Passes what stands behind an operand; whether the formula is over.
    fn behind_operand(&mut self) -> Option<bool> {
        loop {
            let token = self.cursor.peek();
            let span = token.span;
            if let Some(Open {
                bracket: Bracket::Body(modality),
                span: call,
            }) = self.open.last()
            {
                let (modality, call) = (*modality, *call);
                self.returns(modality, call)?;
                return Some(false);
            }
            let infix = match token.kind {
                Kind::Implies => Some((ItemKind::Implies, IMPLIES)),
                Kind::Or => Some((ItemKind::Or, OR)),
                Kind::And => Some((ItemKind::And, AND)),
                _ => None,
            };
            if let Some((kind, power)) = infix {
                self.cursor.bump();
                self.postfix.infix(Item { kind, span }, power);
                return Some(false);
            }
            match (
                token.kind,
                self.open.last_mut().map(|open| &mut open.bracket),
            ) {
                (Kind::End, None) => return Some(true),
                (Kind::Close, Some(Bracket::Parenthesis)) => self.closed(),
                (Kind::Close, Some(Bracket::Arguments(name, count))) => {
                    let (kind, place) = (ItemKind::Use(std::mem::take(name), *count + 1), span);
                    let start = self.open.last().map_or(place, |open| open.span);
                    self.closed();
                    self.put(kind, start.to(place));
                }
                (Kind::CloseReturns, Some(Bracket::Returns(_, count))) => {
                    let count = *count + 1;
                    self.end_returns(span, count);
                }
                (Kind::Comma, Some(Bracket::Returns(_, count) | Bracket::Arguments(_, count))) => {
                    *count += 1;
                    self.postfix.separate();
                    self.cursor.bump();
                    return Some(false);
                }
                (Kind::Path(path, scope), Some(Bracket::Path(_, operator @ None))) => {
                    *operator = Some((path, scope));
                    self.postfix.separate();
                    self.cursor.bump();
                    return Some(false);
                }
                (Kind::ClosePath, Some(&mut Bracket::Path(quantifier, Some((path, scope))))) => {
                    let start = self.open.last().map_or(span, |open| open.span);
                    self.closed();
                    self.put(ItemKind::Path(quantifier, path, scope), start.to(span));
                }
                _ => return self.no_operator(),
            }
            self.cursor.bump();
        }
    }

    /// The call is complete.
    fn end_returns(&mut self, end: Span, count: usize) {
        if let Some(Open {
            bracket: Bracket::Returns(modality, _),
            span,
        }) = self.open.last()
        {
            let (modality, span) = (*modality, *span);
            self.closed();
            self.put(ItemKind::Call(modality, count), span.to(end));
        }
    }

    /// The body of a call is complete: its return conditions follow.
    fn returns(&mut self, modality: Modality, call: Span) -> Option<()> {
        if self.cursor.eat(Kind::OpenReturns).is_none() {
            self.cursor.unexpected("`{`", |diagnostic| {
                diagnostic
                    .note(call, "the return conditions of this call")
                    .help(
                        "write `{}` if nothing is said about returns, and put the formula about \
                         the callee in parentheses if it has an operator",
                    )
            });
            return None;
        }
        self.postfix.separate();
        if let Some(open) = self.open.last_mut() {
            open.bracket = Bracket::Returns(modality, 0);
        }
        Some(())
    }

    fn marker(&mut self, modality: Modality, start: Span) -> Option<bool> {
        let token = self.cursor.peek();
        if let Kind::Constant(value) = token.kind {
            self.cursor.bump();
            let kind = ItemKind::ReturnConstant(modality, value);
            self.put(kind, start.to(token.span));
            return Some(true);
        }
        let text = self.cursor.text(token.span);
        let index = text.strip_prefix('R').and_then(|n| n.parse::<u32>().ok());
        match index {
            Some(index @ 1..) if token.kind == Kind::Name => {
                self.cursor.bump();
                let kind = ItemKind::Return(modality, index);
                self.put(kind, start.to(token.span));
                Some(true)
            }
            _ => {
                self.cursor.unexpected("a marker", |diagnostic| {
                    diagnostic.help(
                        "`R1` is at the returns where the first condition of the call holds, \
                         `R2` where the second does",
                    )
                });
                None
            }
        }
    }

    /// A name, with arguments if there are any.
    fn name(&mut self, text: &str, span: Span) -> Option<bool> {
        self.cursor.bump();
        if !self.cursor.at(Kind::Open) {
            self.put(ItemKind::Name(text.into()), span);
            return Some(true);
        }
        if matches!(text, "in" | "calls" | "on_stack") {
            let opener = self.cursor.bump().span;
            let name = self.cursor.expect(Kind::Name)?;
            let close = self.cursor.expect_closing(Kind::Close, opener)?;
            let name = self.cursor.text(name.span);
            let kind = ItemKind::Proposition(format!("{text}({name})").into());
            self.put(kind, span.to(close.span));
            return Some(true);
        }
        self.opened(Bracket::Arguments(text.into(), 0), span);
        self.cursor.bump();
        Some(false)
    }

    fn quoted(&mut self, span: Span) -> Option<bool> {
        self.cursor.bump();
        let inside = Span::new(span.start + 1, (span.end - 1).max(span.start + 1));
        let mut text = String::new();
        let mut characters = self.cursor.text(inside).chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => text.extend(characters.next()),
                other => text.push(other),
            }
        }
        if text.trim().is_empty() {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a proposition is not empty", span)
                    .help("write a name in the quotes")
            });
            return None;
        }
        self.put(ItemKind::Proposition(text.into()), span);
        Some(true)
    }

    /// Reports that something else stands where an infix operator or a bracket should.
    fn no_operator(&mut self) -> Option<bool> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token.span).to_owned();
        let help = match token.kind {
            Kind::Path(..) => Some("a path is written `E[f U g]` or `A[f U g]`".to_owned()),
            Kind::OpenReturns => Some("return conditions stand behind `<call> f`".to_owned()),
            Kind::Name => match &*word.to_lowercase() {
                "and" => Some("conjunction is written `&`".to_owned()),
                "or" => Some("disjunction is written `|`".to_owned()),
                "implies" => Some("implication is written `->`".to_owned()),
                _ => did_you_mean(&word, ["U", "W", "U_l", "W_l"]),
            },
            _ => None,
        };
        let open = self.open.last().map(|open| {
            let closing = match open.bracket {
                Bracket::Parenthesis | Bracket::Arguments(..) => " or `)`",
                Bracket::Path(_, None) => ", `U` or `W`",
                Bracket::Path(..) => " or `]`",
                Bracket::Body(_) | Bracket::Returns(..) => " or `}`",
            };
            (closing, open.span)
        });
        match open {
            Some((closing, span)) => {
                let expected = format!("an operator{closing}");
                let note = format!("to match this `{}`", self.cursor.text(span));
                self.cursor.unexpected(&expected, |diagnostic| {
                    diagnostic.note(span, note).help_if(help)
                });
            }
            None => self
                .cursor
                .unexpected("an operator", |diagnostic| diagnostic.help_if(help)),
        }
        None
    }
}
