//! From tokens to statements.

use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    ast::{Assign, Branch, Choice, Otherwise, Statement, StatementKind, Target, Value},
    expr::{
        Expr, Infix, Quantifier, Reference, at_quantifier, field, no_comparison, one_index,
        quantifier,
    },
    parse::{Parser, begins_declaration, begins_item, ends_block},
};
use crate::{
    names::Name,
    parsing::{DEEPEST, keyword, symbol, too_deep},
    token::{Keyword, Kind, Symbol, clip},
};

/// Which of the two blocks of branches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    If,
    Do,
}

impl Parser<'_> {
    /// Statements up to the end of the block, or to something that is no statement.
    pub(crate) fn block(&mut self, statements: &mut Vec<Statement>) {
        loop {
            let labels = self.labels();
            let token = self.cursor.peek();
            if ends_block(token.kind) || begins_item(token.kind) || begins_declaration(token.kind) {
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
                self.cursor.bump();
                if !labels.is_empty() {
                    statements.push(Statement {
                        labels,
                        kind: StatementKind::Skip,
                        span: token.span,
                    });
                }
                continue;
            }
            let statement = self.statement(labels);
            let optional = matches!(
                statement.kind,
                StatementKind::If(_) | StatementKind::Do(_) | StatementKind::Broken
            );
            statements.push(statement);
            if self.cursor.eat(symbol(Symbol::Semicolon)).is_none() && !optional {
                self.expect_semicolon();
                // On a new line another statement begins; else an operator may be missing.
                let next = self.cursor.peek();
                let between = Span::new(self.cursor.previous().end, next.span.start);
                let new_line = self.cursor.text(between).contains('\n');
                let goes_on = new_line && begins_statement(next.kind);
                if !goes_on && !ends_block(next.kind) {
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
        let compound = match self.cursor.peek().kind {
            Kind::Keyword(Keyword::If) => Some(Word::If),
            Kind::Keyword(Keyword::Do) => Some(Word::Do),
            _ => None,
        };
        let kind = match compound {
            Some(word) => Some(self.compound(word)),
            None => self.simple(),
        };
        let kind = kind.unwrap_or_else(|| {
            self.recover();
            StatementKind::Broken
        });
        let span = match compound {
            Some(_) => start,
            None => start.to(self.cursor.previous()),
        };
        Statement { labels, kind, span }
    }

    fn simple(&mut self) -> Option<StatementKind> {
        let token = self.cursor.peek();
        let Kind::Keyword(word) = token.kind else {
            return self.named();
        };
        match word {
            Keyword::Skip => {
                self.cursor.bump();
                let Some(bracket) = self.cursor.eat(symbol(Symbol::Open)) else {
                    return Some(StatementKind::Skip);
                };
                let condition = self.expression()?;
                self.cursor
                    .expect_closing(symbol(Symbol::Close), bracket.span)?;
                Some(StatementKind::Assume(condition))
            }
            Keyword::Goto => {
                self.cursor.bump();
                self.expect_name("a label").map(StatementKind::Goto)
            }
            Keyword::Break => {
                self.cursor.bump();
                if self.loops == 0 {
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error("`break` outside of `do`", token.span)
                            .help("it leaves the innermost `do … od`")
                    });
                }
                Some(StatementKind::Break)
            }
            Keyword::Return => {
                self.cursor.bump();
                let next = self.cursor.peek().kind;
                let bare = next == symbol(Symbol::Semicolon) || ends_block(next);
                let value = if bare { None } else { Some(self.value()?) };
                Some(StatementKind::Return(value))
            }
            Keyword::Fork => {
                self.cursor.diagnostics().report(|| {
                    let message =
                        "threads are not supported: only sequential programs can be checked";
                    Diagnostic::error(message, token.span).label("`fork` starts a thread")
                });
                None
            }
            _ => {
                let text = self.cursor.text(token.span);
                self.cursor.unexpected("a statement", |diagnostic| {
                    diagnostic.help(match text {
                        "else" => "`else` stands in place of a guard: `:: else -> …`".to_owned(),
                        _ => format!("`{text}` cannot begin a statement"),
                    })
                });
                // Otherwise recovery would stop at the same token again.
                self.cursor.bump();
                None
            }
        }
    }

    /// Assignments or a call.
    fn named(&mut self) -> Option<StatementKind> {
        if !self.cursor.at(Kind::Name) {
            self.cursor
                .unexpected("a statement", |diagnostic| diagnostic);
            self.cursor.bump();
            return None;
        }
        if self.cursor.second() == symbol(Symbol::Open) {
            return self.call(None);
        }
        let mut list = Vec::new();
        loop {
            let mut all = Vec::new();
            while at_quantifier(&self.cursor) {
                all.push(self.all()?);
            }
            let first = self.cursor.peek().span;
            let target = self.target()?;
            self.assignment_sign(first)?;
            if self.cursor.at(Kind::Name) && self.cursor.second() == symbol(Symbol::Open) {
                if !list.is_empty() || !all.is_empty() {
                    self.call_among_others();
                    return None;
                }
                return self.call(Some(target));
            }
            let value = self.value()?;
            list.push(Assign { all, target, value });
            if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                return Some(StatementKind::Assign(list));
            }
        }
    }

    /// `A i (low,high)` before an assignment.
    fn all(&mut self) -> Option<Quantifier> {
        let found = quantifier(&mut self.cursor, &mut self.names, &self.constants)?;
        if !found.all {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("`E` cannot stand before an assignment", found.span)
                    .help("choose the index first: `i = undef;`, then assign")
            });
            return None;
        }
        Some(found)
    }

    fn call(&mut self, target: Option<Target>) -> Option<StatementKind> {
        let callee = self.name();
        let bracket = self.cursor.expect(symbol(Symbol::Open))?;
        let mut arguments = Vec::new();
        if self.cursor.eat(symbol(Symbol::Close)).is_none() {
            loop {
                arguments.push(self.value()?);
                if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                    break;
                }
            }
            self.cursor
                .expect_closing(symbol(Symbol::Close), bracket.span)?;
        }
        let next = self.cursor.peek();
        match next.kind {
            Kind::Symbol(Symbol::Comma) => {
                self.call_among_others();
                None
            }
            Kind::Symbol(sign) if sign != Symbol::Semicolon && !ends_block(next.kind) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("a call cannot be part of an expression", next.span)
                        .note(callee.span, "the call")
                        .help(
                            "store the result in a variable, then go on in a statement of its own",
                        )
                });
                None
            }
            _ => Some(StatementKind::Call {
                target,
                callee,
                arguments,
            }),
        }
    }

    fn call_among_others(&mut self) {
        let place = self.cursor.peek().span;
        self.cursor.diagnostics().report(|| {
            Diagnostic::error(
                "a call and assignments in one statement are not supported",
                place,
            )
            .help("make them statements of their own")
        });
    }

    /// `=`, or what is often written in its place.
    fn assignment_sign(&mut self, first: Span) -> Option<()> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Symbol(Symbol::Equal) => {}
            Kind::Symbol(Symbol::Assign | Symbol::EqualEqual) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("assignment is written `=`", token.span).help("write `=`")
                });
            }
            Kind::Symbol(Symbol::Less) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error(
                        "rules of pushdown systems are not supported here",
                        token.span,
                    )
                    .help("a pushdown system has its own format, `.pds`")
                });
                return None;
            }
            Kind::Symbol(Symbol::Tick) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("primed variables are not supported", token.span)
                        .help("assign the new value: `x = e;`, or any value: `x = undef;`")
                });
                return None;
            }
            _ => {
                let text = self.cursor.text(first);
                self.cursor.unexpected("`=`", |diagnostic| {
                    let words = ["skip", "goto", "return", "break", "undef"];
                    match did_you_mean(text, words) {
                        Some(help) => diagnostic.help(help),
                        None => {
                            diagnostic.help(format!("a call needs parentheses: `{}()`", clip(text)))
                        }
                    }
                });
                return None;
            }
        }
        self.cursor.bump();
        Some(())
    }

    fn target(&mut self) -> Option<Target> {
        let base = self.expect_name("the name of a variable")?;
        if let Some((_, place)) = self.constants.get(base.id) {
            let text = self.cursor.text(base.span);
            self.cursor.diagnostics().report(|| {
                Diagnostic::error(format!("`{}` is a constant", clip(text)), base.span)
                    .label("it cannot be assigned to")
                    .note(place, "defined here")
            });
            return None;
        }
        let mut reference = Reference {
            base,
            field: field(&mut self.cursor, &mut self.names)?,
        };
        let mut index = None;
        if let Some(bracket) = self.cursor.eat(symbol(Symbol::OpenIndex)) {
            index = Some(self.expression()?);
            self.cursor
                .expect_closing(symbol(Symbol::CloseIndex), bracket.span)?;
            if reference.field.is_none() {
                reference.field = field(&mut self.cursor, &mut self.names)?;
            }
            one_index(&mut self.cursor)?;
        }
        Some(Target {
            reference,
            index,
            span: base.span.to(self.cursor.previous()),
        })
    }

    /// An expression or `undef`.
    fn value(&mut self) -> Option<Value> {
        let Some(word) = self.cursor.eat(keyword(Keyword::Undef)) else {
            return self.expression().map(Value::Expr);
        };
        if Infix::of(self.cursor.peek().kind).is_some() {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("`undef` cannot be computed with", word.span)
                    .help("assign it to a variable first, as in `x = undef;`")
            });
            return None;
        }
        Some(Value::Undef)
    }

    /// `if … fi` or `do … od`.
    fn compound(&mut self, word: Word) -> StatementKind {
        if self.depth >= DEEPEST {
            too_deep(&mut self.cursor, "module");
            self.pass_compound();
            return StatementKind::Broken;
        }
        let opener = self.cursor.bump().span;
        self.depth += 1;
        self.loops += usize::from(word == Word::Do);
        let choice = self.branches(opener);
        self.loops -= usize::from(word == Word::Do);
        self.depth -= 1;
        let closer = match word {
            Word::If => Keyword::Fi,
            Word::Do => Keyword::Od,
        };
        if self
            .cursor
            .expect_closing(keyword(closer), opener)
            .is_none()
        {
            self.incomplete = true;
            // The wrong one of `fi` and `od` was meant for this block all the same.
            if let Kind::Keyword(Keyword::Fi | Keyword::Od) = self.cursor.peek().kind {
                self.cursor.bump();
            }
        }
        match word {
            Word::If => StatementKind::If(choice),
            Word::Do => StatementKind::Do(choice),
        }
    }

    fn branches(&mut self, opener: Span) -> Choice {
        let mut choice = Choice::default();
        if !self.cursor.at(symbol(Symbol::Scope)) {
            self.incomplete = true;
            let text = self.cursor.text(opener);
            self.cursor.unexpected("`::`", |diagnostic| {
                diagnostic.help(format!(
                    "`{text}` has branches: `:: condition -> statements`"
                ))
            });
            let stop = |kind| ends_block(kind) || begins_item(kind);
            self.cursor.skip_until(stop);
        }
        while let Some(colons) = self.cursor.eat(symbol(Symbol::Scope)) {
            let word = self.cursor.eat(keyword(Keyword::Else));
            let guard = match word {
                Some(_) => Some(Expr::default()),
                None => self.guard(),
            };
            // A broken guard hides nothing in the statements behind it.
            if guard.is_none() {
                self.incomplete = true;
                let arrow = symbol(Symbol::Arrow);
                let stop = |kind| kind == arrow || ends_block(kind) || begins_item(kind);
                self.cursor.skip_until(stop);
            }
            if self.cursor.eat(symbol(Symbol::Arrow)).is_none() && guard.is_some() {
                self.cursor.unexpected("`->`", |diagnostic| {
                    diagnostic.note(colons.span, "this branch needs it behind its condition")
                });
                self.incomplete = true;
            }
            let mut body = Vec::new();
            self.block(&mut body);
            match word {
                None => choice.branches.push(Branch {
                    guard: guard.unwrap_or_default(),
                    body,
                }),
                Some(word) => self.otherwise(&mut choice, word.span, body),
            }
        }
        choice
    }

    fn guard(&mut self) -> Option<Expr> {
        let guard = self.expression()?;
        if self.cursor.at(symbol(Symbol::Equal)) {
            no_comparison(&mut self.cursor);
            return None;
        }
        Some(guard)
    }

    fn otherwise(&mut self, choice: &mut Choice, word: Span, body: Vec<Statement>) {
        if let Some(first) = &choice.otherwise {
            let first = first.word;
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("there can be only one `else`", word)
                    .note(first, "the first one is here")
            });
            return;
        }
        choice.otherwise = Some(Otherwise { word, body });
    }

    /// Passes a block with all that is in it, however deep it is.
    fn pass_compound(&mut self) {
        self.incomplete = true;
        let mut open = 0usize;
        loop {
            match self.cursor.peek().kind {
                Kind::Keyword(Keyword::If | Keyword::Do) => open += 1,
                Kind::Keyword(Keyword::Fi | Keyword::Od) => open = open.saturating_sub(1),
                Kind::Symbol(Symbol::CloseBlock) | Kind::End => return,
                _ => {}
            }
            self.cursor.bump();
            if open == 0 {
                return;
            }
        }
    }
}

fn begins_statement(kind: Kind) -> bool {
    use Keyword::{Break, Do, Fork, Goto, If, Return, Skip};
    match kind {
        Kind::Name => true,
        Kind::Keyword(word) => {
            matches!(word, Break | Do | Fork | Goto | If | Return | Skip)
        }
        _ => false,
    }
}
