//! Grammars in EBNF.
//!
//! ```text
//! grammar = { rule } ;  rule = name "=" choice ";" ;  choice = sequence { "|" sequence } ;
//! sequence = { part [ "*" | "+" | "?" ] } ;  part = [ "^" ] name | "(" choice ")" ;
//! ```
//! A group, and what `*`, `+` or `?` stands behind, becomes a symbol of its own; the structure
//! is found again later. Groups are kept on a stack of our own, so none is nested too deeply.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{Draft, Symbol};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Name(&'t str),
    Equals,
    Mark(char),
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn next(&mut self, diagnostics: &mut Diagnostics) -> Option<(Token<'t>, Span)> {
        self.skip();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let (token, length) = if rest.starts_with("::=") {
            (Token::Equals, 3)
        } else if rest.starts_with("->") || rest.starts_with(":=") {
            (Token::Equals, 2)
        } else if first == '=' {
            (Token::Equals, 1)
        } else if is_name(first) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            (Token::Name(&rest[..end]), end)
        } else if first == '"' || first == '\'' {
            match rest[1..].find(first) {
                Some(end) => (Token::Name(&rest[1..=end]), end + 2),
                None => {
                    let span = Span::new(self.at as u32, self.at as u32 + 1);
                    diagnostics
                        .report(|| Diagnostic::error("this quotation mark is never closed", span));
                    (Token::Name(&rest[1..]), rest.len())
                }
            }
        } else {
            (Token::Mark(first), first.len_utf8())
        };
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        self.at += length;
        Some((token, span))
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') && !trimmed.starts_with("//") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

/// A choice that is being read: a rule's, or a group's.
struct Open {
    alternatives: Vec<Vec<Symbol>>,
    current: Vec<Symbol>,
    /// An indexed symbol of the current sequence.
    index: Option<Span>,
    /// A part of the current sequence whose index is its own.
    inner_index: Option<Span>,
    /// Whether any sequence so far has an index.
    any_index: bool,
    span: Span,
}

impl Open {
    fn new(span: Span) -> Self {
        Open {
            alternatives: Vec::new(),
            current: Vec::new(),
            index: None,
            inner_index: None,
            any_index: false,
            span,
        }
    }

    /// Ends the current sequence.
    fn end_sequence(&mut self, diagnostics: &mut Diagnostics) {
        if let (Some(outer), Some(inner)) = (self.index, self.inner_index) {
            diagnostics.report(|| {
                Diagnostic::error("an index has to be the same inside and outside", inner)
                    .note(outer, "the index outside")
                    .help("inside of ( ) and before * + ? an index is a new one each time: give this part a rule of its own, `X_i = …`")
            });
        }
        self.any_index |= self.index.is_some() || self.inner_index.is_some();
        (self.index, self.inner_index) = (None, None);
        self.alternatives.push(std::mem::take(&mut self.current));
    }
}

pub(super) fn read(source: &Source, diagnostics: &mut Diagnostics) -> Draft {
    let mut reader = Reader {
        scanner: Scanner {
            text: source.text(),
            at: 0,
        },
        draft: Draft::default(),
    };
    while let Some((token, span)) = reader.scanner.next(diagnostics) {
        match token {
            Token::Name(name) => reader.rule(name, span, diagnostics),
            Token::Mark(';') => {}
            _ => {
                diagnostics.report(|| {
                    Diagnostic::error("expected a rule", span).label("expected `Name = … ;`")
                });
                reader.skip_rule(diagnostics);
            }
        }
    }
    if reader.draft.start.is_none() && !diagnostics.has_errors() {
        diagnostics.report(|| {
            Diagnostic::error("there is no rule", source.end()).help("write `S = a S b | ;`")
        });
    }
    reader.draft
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    draft: Draft,
}

impl<'t> Reader<'t> {
    fn skip_rule(&mut self, diagnostics: &mut Diagnostics) {
        while let Some((token, _)) = self.scanner.next(diagnostics) {
            if token == Token::Mark(';') {
                return;
            }
        }
    }

    fn rule(&mut self, name: &str, span: Span, diagnostics: &mut Diagnostics) {
        let left = self.draft.symbol(name, false, span);
        match self.scanner.next(diagnostics) {
            Some((Token::Equals, _)) => {}
            other => {
                let at = other.map_or(span.behind(), |(_, span)| span);
                diagnostics
                    .report(|| Diagnostic::error(format!("expected `=` behind `{name}`"), at));
                if !matches!(other, Some((Token::Mark(';'), _))) {
                    self.skip_rule(diagnostics);
                }
                return;
            }
        }
        self.draft.start.get_or_insert((left, span));
        let mut stack = vec![Open::new(span)];
        let mut reversed: Option<Span> = None;
        loop {
            let token = self.scanner.next(diagnostics);
            if let (Some(at), false) = (reversed, matches!(token, Some((Token::Name(_), _)))) {
                diagnostics.report(|| {
                    Diagnostic::error("`^` stands before a label", at)
                        .help("only single edges can be walked backwards")
                });
                reversed = None;
            }
            let Some(open) = stack.last_mut() else {
                return;
            };
            match token {
                Some((Token::Name(name), span)) => {
                    let is_empty = name == "ε" || name.is_empty();
                    if !is_empty {
                        let symbol = self.draft.symbol(name, reversed.is_some(), span);
                        if self.draft.symbols[symbol as usize].indexed {
                            open.index = Some(span);
                        }
                        open.current.push(symbol);
                    }
                    reversed = None;
                }
                Some((Token::Mark('^'), span)) => reversed = Some(span),
                Some((Token::Mark('('), span)) => stack.push(Open::new(span)),
                Some((Token::Mark('|'), _)) => open.end_sequence(diagnostics),
                Some((Token::Mark(mark @ ('*' | '+' | '?')), span)) => {
                    self.repeat(mark, span, open, diagnostics);
                }
                Some((Token::Mark(')'), span)) if stack.len() > 1 => {
                    self.close(&mut stack, span, diagnostics);
                }
                Some((Token::Mark(';'), _)) | None => {
                    if token.is_none() {
                        let at = Span::at(self.scanner.at as u32);
                        diagnostics.report(|| {
                            Diagnostic::error("this rule is not ended", at)
                                .note(span, "the rule")
                                .help("end it with `;`")
                        });
                    }
                    for open in &stack[1..] {
                        diagnostics
                            .report(|| Diagnostic::error("this `(` is never closed", open.span));
                    }
                    if let Some(mut open) = stack.into_iter().next() {
                        open.end_sequence(diagnostics);
                        for right in open.alternatives {
                            self.draft.rule(left, right, span);
                        }
                    }
                    return;
                }
                Some((token, span)) => {
                    diagnostics.report(|| {
                        let text = match token {
                            Token::Mark(')') => "there is no `(` before this `)`",
                            Token::Equals => "the rule before this one is not ended",
                            _ => "this means nothing in a rule",
                        };
                        Diagnostic::error(text, span)
                            .help_if((token == Token::Equals).then(|| "end rules with `;`".into()))
                    });
                    self.skip_rule(diagnostics);
                    return;
                }
            }
        }
    }

    /// A group ends: it becomes a symbol of its own.
    fn close(&mut self, stack: &mut Vec<Open>, span: Span, diagnostics: &mut Diagnostics) {
        let Some(mut group) = stack.pop() else {
            return;
        };
        group.end_sequence(diagnostics);
        let whole = group.span.to(span);
        let symbol = self.draft.fresh(whole);
        for right in group.alternatives {
            self.draft.rule(symbol, right, whole);
        }
        if let Some(open) = stack.last_mut() {
            open.current.push(symbol);
            if group.any_index {
                open.inner_index = Some(whole);
            }
        }
    }

    /// `*`, `+` or `?` behind the last part of a sequence.
    fn repeat(&mut self, mark: char, span: Span, open: &mut Open, diagnostics: &mut Diagnostics) {
        let Some(part) = open.current.pop() else {
            diagnostics.report(|| {
                Diagnostic::error(format!("there is nothing to repeat before `{mark}`"), span)
            });
            return;
        };
        let info = &self.draft.symbols[part as usize];
        let whole = info.span.to(span);
        if info.indexed {
            // Each time round has an index of its own.
            open.inner_index = Some(whole);
            let others = &open.current;
            let still = others
                .iter()
                .any(|&it| self.draft.symbols[it as usize].indexed);
            open.index = open.index.filter(|_| still);
        }
        let symbol = self.draft.fresh(whole);
        match mark {
            '+' => self.draft.rule(symbol, vec![part], whole),
            _ => self.draft.rule(symbol, Vec::new(), whole),
        }
        match mark {
            '?' => self.draft.rule(symbol, vec![part], whole),
            _ => self.draft.rule(symbol, vec![symbol, part], whole),
        }
        open.current.push(symbol);
    }
}
