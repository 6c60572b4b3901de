//! Reads one item a line.

use recurva_model::{Origin, rsm::Letter};
use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span};
use rustc_hash::FxHashMap;

use super::token::{Dots, Kind, Tokens};

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    pub(crate) text: &'s str,
    pub(crate) span: Span,
}

impl Name<'_> {
    pub(crate) fn origin(&self) -> Origin {
        origin(self.span)
    }
}

fn origin(span: Span) -> Origin {
    Origin {
        start: span.start,
        end: span.end,
    }
}

/// A place in the text of a flat machine.
pub(crate) struct Reader<'s> {
    cursor: Cursor<'s, Tokens<'s>>,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(source: &'s Source, dots: Dots) -> Self {
        Reader {
            cursor: Cursor::new(source, Tokens::new(source, dots)),
        }
    }

    pub(crate) fn at(&self, kind: Kind) -> bool {
        self.cursor.at(kind)
    }

    /// The kind of the token behind the one in front.
    pub(crate) fn second(&self) -> Kind {
        self.cursor.second()
    }

    /// The text of the token in front.
    pub(crate) fn text(&self) -> &'s str {
        self.cursor.text(self.cursor.peek().span)
    }

    /// The place of the token in front.
    pub(crate) fn span(&self) -> Span {
        self.cursor.peek().span
    }

    /// The place of the token last passed.
    pub(crate) fn previous(&self) -> Span {
        self.cursor.previous()
    }

    /// From a place to the token last passed.
    pub(crate) fn since(&self, start: Span) -> Origin {
        origin(start.to(self.cursor.previous()))
    }

    pub(crate) fn bump(&mut self) -> Name<'s> {
        let span = self.cursor.bump().span;
        Name {
            text: self.cursor.text(span),
            span,
        }
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> Option<Name<'s>> {
        self.at(kind).then(|| self.bump())
    }

    pub(crate) fn expect(&mut self, kind: Kind, expected: &str) -> Option<Name<'s>> {
        let token = self.eat(kind);
        if token.is_none() {
            self.unexpected(expected, |diagnostic| diagnostic);
        }
        token
    }

    /// A name or a text in quotes, without the quotes.
    pub(crate) fn word(&mut self, expected: &str) -> Option<Name<'s>> {
        if let Some(text) = self.eat(Kind::Text) {
            let inner = text.text.trim_matches('"');
            return Some(Name {
                text: inner,
                ..text
            });
        }
        self.expect(Kind::Name, expected)
    }

    /// Reports that the token in front is not what should stand here.
    pub(crate) fn unexpected(
        &mut self,
        expected: &str,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        // The end of a line has no text to show: point behind the last token.
        if self.at(Kind::Line) {
            let place = self.cursor.previous().behind();
            let message = format!("expected {expected}, found the end of the line");
            self.diagnostics().report(|| {
                more(Diagnostic::error(message, place).label(format!("expected {expected}")))
            });
        } else {
            self.cursor.unexpected(expected, more);
        }
    }

    /// The item is over: so must be the line.
    pub(crate) fn end_of_line(&mut self) {
        if !self.at(Kind::Line) && !self.at(Kind::End) {
            self.unexpected("the end of the line", |d| {
                d.help("each item stands on a line of its own")
            });
        }
        self.skip_line();
    }

    /// Goes on at the next line.
    pub(crate) fn skip_line(&mut self) {
        self.cursor.skip_until(|kind| kind == Kind::Line);
        self.cursor.eat(Kind::Line);
    }

    pub(crate) fn diagnostics(&mut self) -> &mut Diagnostics {
        self.cursor.diagnostics()
    }

    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        self.cursor.into_diagnostics()
    }
}

/// The letters met so far.
#[derive(Debug, Default)]
pub(crate) struct Alphabet<'s> {
    known: FxHashMap<&'s str, Letter>,
    list: Vec<Box<str>>,
}

impl<'s> Alphabet<'s> {
    /// The letter of that name; the empty name is no letter.
    pub(crate) fn letter(&mut self, name: &'s str) -> Option<Letter> {
        if name.is_empty() {
            return None;
        }
        let next = Letter(self.list.len() as u32);
        let letter = *self.known.entry(name).or_insert(next);
        if letter == next {
            self.list.push(name.into());
        }
        Some(letter)
    }

    pub(crate) fn into_list(self) -> Vec<Box<str>> {
        self.list
    }
}

/// Whether a text can be read back as a name in either format.
pub(crate) fn plain(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\'' | b'$' | b'@'))
}

/// A text in quotes; what quotes cannot hold is left out.
pub(crate) fn quoted(text: &str) -> String {
    let inner: String = text
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    format!("\"{inner}\"")
}
