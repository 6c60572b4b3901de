//! DOT, as far as edges with labels need it. The braces of `digraph { … }` may be left out.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{Word, index_of, nodes::Builder};
use crate::{
    Edge, Graph,
    meter::{Halt, Meter},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Arrow,
    Line,
    Mark(char),
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// The next token and where it is; `None` at the end.
    fn next(&mut self) -> Option<(Token<'t>, Span)> {
        self.skip();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let (token, length) = if rest.starts_with("->") {
            (Token::Arrow, 2)
        } else if rest.starts_with("--") {
            (Token::Line, 2)
        } else if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 1);
            (Token::Word(&rest[1..end]), (end + 1).min(rest.len()))
        } else if is_word(first) || first == '-' {
            let skip = first.len_utf8();
            let end = rest[skip..]
                .find(|c| !is_word(c))
                .map_or(rest.len(), |end| end + skip);
            (Token::Word(&rest[..end]), end)
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
            let comment = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                0
            };
            self.at += rest.len() - trimmed.len() + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn peek(&mut self) -> Option<Token<'t>> {
        let at = self.at;
        let token = self.next().map(|(token, _)| token);
        self.at = at;
        token
    }
}

pub(super) fn read(
    source: &Source,
    diagnostics: &mut Diagnostics,
    meter: &Meter<'_>,
) -> Result<Graph, Halt> {
    let mut reader = Reader {
        scanner: Scanner {
            text: source.text(),
            at: 0,
        },
        builder: Builder::new(meter)?,
        end: source.end(),
    };
    while let Some((token, span)) = reader.scanner.next() {
        reader.builder.fits(meter)?;
        reader.statement(token, span, diagnostics);
    }
    reader.builder.finish(meter)
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    builder: Builder,
    end: Span,
}

impl<'t> Reader<'t> {
    fn statement(&mut self, token: Token<'t>, span: Span, diagnostics: &mut Diagnostics) {
        match token {
            Token::Mark('{' | '}' | ';' | ',') => {}
            Token::Word("strict" | "digraph") => {
                if let Some(Token::Word(_)) = self.scanner.peek() {
                    self.scanner.next();
                }
            }
            Token::Word("graph" | "node" | "edge")
                if self.scanner.peek() == Some(Token::Mark('[')) =>
            {
                self.attributes(diagnostics);
            }
            Token::Word(word @ ("graph" | "subgraph")) => diagnostics.report(|| {
                Diagnostic::error(format!("a `{word}` cannot be read"), span)
                    .help("write a `digraph` whose edges are `a -> b`")
            }),
            Token::Word(word) => self.edges(word, span, diagnostics),
            Token::Arrow | Token::Line | Token::Mark(_) => diagnostics.report(|| {
                Diagnostic::error("expected an edge", span).label("expected `a -> b [label=\"x\"]`")
            }),
        }
    }

    /// A node, an edge or a chain of edges, with its attributes.
    fn edges(&mut self, first: &'t str, span: Span, diagnostics: &mut Diagnostics) {
        let mut chain = vec![(first, span)];
        loop {
            match self.scanner.peek() {
                Some(Token::Arrow) => {
                    self.scanner.next();
                    match self.scanner.next() {
                        Some((Token::Word(word), span)) => chain.push((word, span)),
                        other => {
                            let at = other.map_or(self.end, |(_, span)| span);
                            diagnostics
                                .report(|| Diagnostic::error("expected a node behind `->`", at));
                            return;
                        }
                    }
                }
                Some(Token::Line) => {
                    let at = self.scanner.next().map_or(self.end, |(_, span)| span);
                    diagnostics.report(|| {
                        Diagnostic::error("an edge needs a direction", at).help("write `->`")
                    });
                    return;
                }
                Some(Token::Mark('=')) if chain.len() == 1 => {
                    // An attribute of the graph: `rankdir = LR`.
                    self.scanner.next();
                    self.scanner.next();
                    return;
                }
                _ => break,
            }
        }
        let attributes = match self.scanner.peek() {
            Some(Token::Mark('[')) => self.attributes(diagnostics),
            _ => Attributes::default(),
        };
        if chain.len() == 1 {
            if let Some(node) = self.builder.node(first, span, diagnostics) {
                self.builder.alone(node);
            }
            return;
        }
        let Some(label) = attributes.label else {
            let whole = span.to(chain[chain.len() - 1].1);
            diagnostics.report(|| {
                Diagnostic::error("this edge has no label", whole).help("add `[label=\"x\"]`")
            });
            return;
        };
        let how = "has an attribute such as `index=3`";
        let Some(index) = index_of(label, attributes.index, how, diagnostics) else {
            return;
        };
        let label = self.builder.label(label.0);
        for pair in chain.windows(2) {
            self.edge(pair, label, index, diagnostics);
        }
    }

    fn edge(
        &mut self,
        pair: &[(&str, Span)],
        label: u32,
        index: u32,
        diagnostics: &mut Diagnostics,
    ) -> Option<()> {
        let mut from = self.builder.node(pair[0].0, pair[0].1, diagnostics)?;
        let numbers = self.builder.all_numbers();
        let to = self.builder.node(pair[1].0, pair[1].1, diagnostics)?;
        if numbers && !self.builder.all_numbers() {
            from = self.builder.node(pair[0].0, pair[0].1, diagnostics)?;
        }
        self.builder.edge(Edge {
            from,
            to,
            label,
            index,
        });
        Some(())
    }

    /// Reads `[a=b, …]`.
    fn attributes(&mut self, diagnostics: &mut Diagnostics) -> Attributes<'t> {
        let open = self.scanner.next().map_or(self.end, |(_, span)| span);
        let mut found = Attributes::default();
        let mut name = None;
        loop {
            match self.scanner.next() {
                None => {
                    diagnostics.report(|| Diagnostic::error("this `[` is never closed", open));
                    return found;
                }
                Some((Token::Mark(']'), _)) => return found,
                Some((Token::Mark('='), _)) => {
                    if let Some((Token::Word(value), span)) = self.scanner.next() {
                        match name {
                            Some("label") => found.label = Some((value, span)),
                            Some("index") => found.index = Some((value, span)),
                            _ => {}
                        }
                    }
                }
                Some((Token::Word(word), _)) => name = Some(word),
                Some(_) => {}
            }
        }
    }
}

/// The attributes of an edge that matter, and where they are.
#[derive(Clone, Copy, Debug, Default)]
struct Attributes<'t> {
    label: Option<Word<'t>>,
    index: Option<Word<'t>>,
}
