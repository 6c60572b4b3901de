//! From tokens to statements.

use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    ast::{Branch, Statement, StatementKind, Target},
    parse::{Parser, begins_procedure, ends_block},
};
use crate::{
    names::Name,
    parsing::{DEEPEST, keyword, symbol, too_deep},
    token::{Keyword, Kind, Symbol, clip},
};

impl Parser<'_> {
    /// Statements up to the end of the block, or to something that is no statement.
    pub(crate) fn block(&mut self, statements: &mut Vec<Statement>) {
        loop {
            let labels = self.labels();
            let token = self.cursor.peek();
            let at_end = ends_block(token.kind)
                || begins_procedure(token.kind)
                || matches!(token.kind, Kind::Keyword(Keyword::Decl | Keyword::Enforce));
            if at_end {
                if let (Some(first), Some(last)) = (labels.first(), labels.last()) {
                    let span = first.span.to(last.span);
                    statements.push(Statement {
                        labels,
                        kind: StatementKind::Skip,
                        span,
                    });
                }
                return;
            }
            if token.kind == symbol(Symbol::Semicolon) {
                // An empty statement: harmless, and some generators write them.
                self.cursor.bump();
                if !labels.is_empty() {
                    let kind = StatementKind::Skip;
                    statements.push(Statement {
                        labels,
                        kind,
                        span: token.span,
                    });
                }
                continue;
            }
            let statement = self.statement(labels);
            let compound = matches!(
                statement.kind,
                StatementKind::If { .. } | StatementKind::While(_)
            );
            let broken = matches!(statement.kind, StatementKind::Broken);
            statements.push(statement);
            let next = self.cursor.peek().kind;
            let optional = broken || compound || ends_block(next);
            if self.cursor.eat(symbol(Symbol::Semicolon)).is_none() && !optional {
                self.expect_semicolon();
                // On a new line another statement begins; else an operator may be missing.
                let between = Span::new(self.cursor.previous().end, self.cursor.peek().span.start);
                if !begins_statement(next) || !self.cursor.text(between).contains('\n') {
                    self.recover();
                }
            }
        }
    }

    fn labels(&mut self) -> Vec<Name> {
        let mut labels = Vec::new();
        while self.cursor.at(Kind::Name) && self.cursor.second() == symbol(Symbol::Colon) {
            labels.push(self.name());
            self.cursor.bump();
        }
        labels
    }

    fn statement(&mut self, labels: Vec<Name>) -> Statement {
        let start = self.cursor.peek().span;
        let thread = labels
            .iter()
            .find(|label| self.cursor.text(label.span).starts_with("ASYNC_"))
            .map(|label| label.span);
        let (kind, head) = match self.statement_kind() {
            Some(found) => found,
            None => {
                self.recover();
                (StatementKind::Broken, None)
            }
        };
        let span = head.unwrap_or_else(|| start.to(self.cursor.previous()));
        if let (Some(label), StatementKind::Call { .. }) = (thread, &kind) {
            self.no_threads(label, "a label `ASYNC_n` makes this call start a thread");
        }
        Statement { labels, kind, span }
    }

    /// A statement, and its place where that is less than all of it.
    fn statement_kind(&mut self) -> Option<(StatementKind, Option<Span>)> {
        let token = self.cursor.peek();
        let Kind::Keyword(word) = token.kind else {
            return self.named_statement().map(|kind| (kind, None));
        };
        if let Keyword::If | Keyword::While = word {
            if self.depth >= DEEPEST {
                self.too_deep();
                return Some((StatementKind::Broken, Some(token.span)));
            }
            self.depth += 1;
            let statement = match word {
                Keyword::If => self.if_statement(),
                _ => self.while_statement(),
            };
            self.depth -= 1;
            return statement.map(|(kind, head)| (kind, Some(head)));
        }
        self.simple_statement(word).map(|kind| (kind, None))
    }

    fn simple_statement(&mut self, word: Keyword) -> Option<StatementKind> {
        let token = self.cursor.peek();
        match word {
            Keyword::Skip => {
                self.cursor.bump();
                Some(StatementKind::Skip)
            }
            Keyword::Goto => {
                self.cursor.bump();
                self.names_with_commas("a label").map(StatementKind::Goto)
            }
            Keyword::Return => {
                self.cursor.bump();
                let next = self.cursor.peek().kind;
                let bare = next == symbol(Symbol::Semicolon) || ends_block(next);
                let values = if bare {
                    Vec::new()
                } else {
                    self.expressions()?
                };
                Some(StatementKind::Return(values))
            }
            Keyword::Assert => {
                self.cursor.bump();
                self.expression().map(StatementKind::Assert)
            }
            Keyword::Assume | Keyword::Constrain => {
                self.cursor.bump();
                self.expression().map(StatementKind::Assume)
            }
            Keyword::AbortIf => {
                self.cursor.bump();
                self.expression().map(StatementKind::AbortIf)
            }
            Keyword::Dead => {
                self.cursor.bump();
                self.names_with_commas("the name of a variable")
                    .map(StatementKind::Dead)
            }
            Keyword::Print => {
                self.cursor.bump();
                self.arguments().map(StatementKind::Print)
            }
            Keyword::StartThread
            | Keyword::EndThread
            | Keyword::Sync
            | Keyword::AtomicBegin
            | Keyword::AtomicEnd => {
                self.cursor.skip_until(|kind| {
                    kind == symbol(Symbol::Semicolon) || ends_block(kind) || begins_procedure(kind)
                });
                let text = self.cursor.text(token.span);
                self.no_threads(
                    token.span.to(self.cursor.previous()),
                    &format!("`{text}` is for programs with threads"),
                );
                Some(StatementKind::Broken)
            }
            _ => {
                let text = self.cursor.text(token.span);
                self.cursor.unexpected("a statement", |diagnostic| {
                    diagnostic.help(format!("`{text}` cannot begin a statement"))
                });
                // Otherwise recovery would stop at the same token again.
                self.cursor.bump();
                None
            }
        }
    }

    fn no_threads(&mut self, span: Span, label: &str) {
        self.cursor.diagnostics().report(|| {
            Diagnostic::error(
                "threads are not supported: only sequential programs can be checked",
                span,
            )
            .label(label)
        });
    }

    /// An assignment or a call.
    fn named_statement(&mut self) -> Option<StatementKind> {
        if !self.cursor.at(Kind::Name) {
            self.cursor
                .unexpected("a statement", |diagnostic| diagnostic);
            self.cursor.bump();
            return None;
        }
        if self.cursor.second() == symbol(Symbol::Open) {
            let callee = self.name();
            let arguments = self.arguments()?;
            return Some(StatementKind::Call {
                targets: Vec::new(),
                callee,
                arguments,
            });
        }
        let first = self.cursor.peek().span;
        let mut targets = vec![self.target()?];
        while self.cursor.eat(symbol(Symbol::Comma)).is_some() {
            targets.push(self.target()?);
        }
        self.assignment_sign(first, targets.len())?;
        if self.cursor.at(Kind::Name) && self.cursor.second() == symbol(Symbol::Open) {
            return self.call_with_results(targets);
        }
        let values = self.expressions()?;
        let constraint = match self.cursor.eat(keyword(Keyword::Constrain)) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Some(StatementKind::Assign {
            targets,
            values,
            constraint,
        })
    }

    fn call_with_results(&mut self, targets: Vec<Target>) -> Option<StatementKind> {
        let callee = self.name();
        let arguments = self.arguments()?;
        let next = self.cursor.peek();
        let message = match next.kind {
            Kind::Keyword(Keyword::Constrain) => "a call cannot have a `constrain` clause",
            Kind::Symbol(Symbol::Comma) => "a call cannot be one of several values",
            Kind::Symbol(Symbol::Semicolon) => {
                return Some(StatementKind::Call {
                    targets,
                    callee,
                    arguments,
                });
            }
            Kind::Symbol(_) => "a call cannot be part of an expression",
            _ => {
                return Some(StatementKind::Call {
                    targets,
                    callee,
                    arguments,
                });
            }
        };
        self.cursor.diagnostics().report(|| {
            Diagnostic::error(message, next.span)
                .note(callee.span, "the call")
                .help("store the result in a variable, then go on in a statement of its own")
        });
        None
    }

    /// `:=`, or what is often written in its place.
    fn assignment_sign(&mut self, first: Span, targets: usize) -> Option<()> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Symbol(Symbol::Assign) => {}
            Kind::Symbol(Symbol::Equal | Symbol::EqualEqual) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("assignment is written `:=`", token.span)
                        .label("this compares")
                        .help("write `:=`")
                });
            }
            _ => {
                let text = self.cursor.text(first);
                self.cursor.unexpected("`:=`", |diagnostic| {
                    let words = [
                        "skip", "goto", "return", "while", "assert", "assume", "dead", "print",
                    ];
                    let word = did_you_mean(text, words);
                    match word {
                        Some(help) if targets == 1 => diagnostic.help(help),
                        _ if targets == 1 && !text.starts_with('{') => {
                            diagnostic.help(format!("a call needs parentheses: `{}()`", clip(text)))
                        }
                        _ => diagnostic,
                    }
                });
                return None;
            }
        }
        self.cursor.bump();
        Some(())
    }

    fn target(&mut self) -> Option<Target> {
        let name = self.expect_name("the name of a variable")?;
        let Some(bracket) = self.cursor.eat(symbol(Symbol::OpenIndex)) else {
            return Some(match self.cursor.text(name.span) {
                "_" => Target::Nothing,
                _ => Target::Scalar(name),
            });
        };
        let index = self.expression()?;
        self.cursor
            .expect_closing(symbol(Symbol::CloseIndex), bracket.span)?;
        Some(Target::Element(name, index))
    }

    /// `(a, b, …)`
    fn arguments(&mut self) -> Option<Vec<crate::expr::Expr>> {
        let bracket = self.cursor.expect(symbol(Symbol::Open))?;
        if self.cursor.eat(symbol(Symbol::Close)).is_some() {
            return Some(Vec::new());
        }
        let list = self.expressions()?;
        self.cursor
            .expect_closing(symbol(Symbol::Close), bracket.span)?;
        Some(list)
    }

    fn names_with_commas(&mut self, expected: &str) -> Option<Vec<Name>> {
        let mut list = vec![self.expect_name(expected)?];
        while self.cursor.eat(symbol(Symbol::Comma)).is_some() {
            list.push(self.expect_name(expected)?);
        }
        Some(list)
    }

    fn if_statement(&mut self) -> Option<(StatementKind, Span)> {
        let opener = self.cursor.peek().span;
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            // `if` or `elsif`
            branches.push(self.branch(Keyword::Then)?);
            if !self.cursor.at(keyword(Keyword::Elsif)) {
                break;
            }
        }
        if self.cursor.eat(keyword(Keyword::Else)).is_some() {
            self.block(&mut otherwise);
        }
        self.close_block(Keyword::Fi, opener);
        let head = branches.first().map_or(opener, |branch| branch.head);
        Some((
            StatementKind::If {
                branches,
                otherwise,
            },
            head,
        ))
    }

    fn while_statement(&mut self) -> Option<(StatementKind, Span)> {
        let opener = self.cursor.peek().span;
        let branch = self.branch(Keyword::Do)?;
        self.close_block(Keyword::Od, opener);
        let head = branch.head;
        Some((StatementKind::While(branch), head))
    }

    /// A word, a condition, `then` or `do`, and a block.
    fn branch(&mut self, then: Keyword) -> Option<Branch> {
        let word = self.cursor.bump();
        let condition = match self.expression() {
            Some(condition) => condition,
            None => {
                // A broken condition hides nothing in the block behind it.
                self.incomplete = true;
                self.cursor.skip_until(|kind| {
                    kind == keyword(then) || kind == symbol(Symbol::Semicolon) || ends_block(kind)
                });
                if !self.cursor.at(keyword(then)) {
                    return None;
                }
                crate::expr::Expr::default()
            }
        };
        let head = word.span.to(self.cursor.previous());
        if self.cursor.eat(keyword(then)).is_none() {
            let text = self.cursor.text(word.span);
            self.cursor.unexpected(super::describe(then), |diagnostic| {
                diagnostic.note(
                    word.span,
                    format!("this `{text}` needs it behind its condition"),
                )
            });
            if !begins_statement(self.cursor.peek().kind) {
                return None;
            }
        }
        let mut body = Vec::new();
        self.block(&mut body);
        Some(Branch {
            condition,
            head,
            body,
        })
    }

    /// Passes `fi` or `od`. If something else ends the block, it is left to the outer block.
    fn close_block(&mut self, closer: Keyword, opener: Span) {
        if self
            .cursor
            .expect_closing(keyword(closer), opener)
            .is_none()
        {
            self.incomplete = true;
            // The wrong one of `fi` and `od` was meant for this block all the same.
            let wrong = matches!(
                self.cursor.peek().kind,
                Kind::Keyword(Keyword::Fi | Keyword::Od)
            );
            if wrong {
                self.cursor.bump();
            }
        }
    }

    /// Reports a block nested too deep and passes it, however deep it is.
    fn too_deep(&mut self) {
        too_deep(&mut self.cursor, "procedure");
        self.incomplete = true;
        let mut open = 0usize;
        loop {
            match self.cursor.peek().kind {
                Kind::Keyword(Keyword::If | Keyword::While) => open += 1,
                Kind::Keyword(Keyword::Fi | Keyword::Od) => open = open.saturating_sub(1),
                Kind::Keyword(Keyword::End) | Kind::End => return,
                _ => {}
            }
            self.cursor.bump();
            if open == 0 {
                return;
            }
        }
    }
}

pub(crate) fn begins_statement(kind: Kind) -> bool {
    use Keyword::*;
    match kind {
        Kind::Name => true,
        Kind::Keyword(word) => matches!(
            word,
            AbortIf
                | Assert
                | Assume
                | AtomicBegin
                | AtomicEnd
                | Constrain
                | Dead
                | EndThread
                | Goto
                | If
                | Print
                | Return
                | Skip
                | StartThread
                | Sync
                | While
        ),
        _ => false,
    }
}
