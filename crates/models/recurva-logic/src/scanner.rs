//! What the token readers of all formulas share.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, Token};

/// A place in a part of a source, which moves forward.
#[derive(Debug)]
pub(crate) struct Scanner<'s> {
    text: &'s str,
    at: usize,
    end: usize,
}

impl<'s> Scanner<'s> {
    /// The beginning of a part of a source, which begins and ends at characters.
    pub(crate) fn new(source: &'s Source, part: Span) -> Self {
        let text = source.text();
        let end = (part.end as usize).min(text.len());
        Scanner {
            text,
            at: (part.start as usize).min(end),
            end,
        }
    }

    /// What is still to be read.
    pub(crate) fn rest(&self) -> &'s str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// Passes so many bytes, and says where they are.
    pub(crate) fn pass(&mut self, length: usize) -> Span {
        let start = self.at as u32;
        self.at += length;
        Span::new(start, self.at as u32)
    }

    /// Makes a token of so many bytes.
    pub(crate) fn token<K>(&mut self, kind: K, length: usize) -> Token<K> {
        let span = self.pass(length);
        Token { kind, span }
    }

    /// Passes blanks and comments, which begin with `#`.
    pub(crate) fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            let rest = &rest[blanks..];
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Makes a token of the text in quotes that begins here; a backslash escapes what follows.
    pub(crate) fn quoted<K>(&mut self, kind: K, diagnostics: &mut Diagnostics) -> Token<K> {
        let rest = self.rest();
        let mut escaped = false;
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return self.token(kind, at + 1),
                b'\n' => break,
                _ => {}
            }
        }
        let line = rest.find('\n').unwrap_or(rest.len());
        let token = self.token(kind, line);
        let quote = Span::new(token.span.start, token.span.start + 1);
        diagnostics.report(|| {
            Diagnostic::error("this quote is not closed on its line", quote)
                .help("close it with `\"`")
        });
        token
    }
}
