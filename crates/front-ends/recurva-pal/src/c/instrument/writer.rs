//! Text with line markers: whatever is put in, what was there keeps its file, line and column.

use recurva_c::{Kind, Place, Places, tokens};
use recurva_syntax::Span;

use crate::c::prepare::hole;

pub(crate) struct Writer<'t> {
    text: &'t [u8],
    places: &'t Places<'t>,
    out: Vec<u8>,
    /// Where the compiler thinks it is; unknown behind text of our own with lines in it.
    now: Option<Place<'t>>,
}

impl<'t> Writer<'t> {
    pub(crate) fn new(text: &'t [u8], places: &'t Places<'t>) -> Self {
        Writer {
            text,
            places,
            out: Vec::with_capacity(text.len() * 2),
            now: Some(places.of(0)),
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.out
    }

    /// Text of our own, on the line that is being written.
    pub(crate) fn glue(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Lines of our own.
    pub(crate) fn lines(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
        self.now = None;
    }

    /// A fragment of the monitor with its own line markers and its holes filled. Behind it, the
    /// compiler is back at a place of the program.
    pub(crate) fn fragment(&mut self, text: &[u8], back: u32, fill: impl Fn(u32) -> String) {
        let mut last = 0;
        for token in tokens(text) {
            let number = match token.kind {
                Kind::Name => hole(token.of(text)),
                _ => None,
            };
            if let Some(number) = number {
                self.out
                    .extend_from_slice(&text[last..token.span.start as usize]);
                self.glue(&fill(number));
                last = token.span.end as usize;
            }
        }
        self.lines(&text[last..]);
        self.go_to(back);
    }

    /// Text of the program.
    pub(crate) fn source(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        self.go_to(span.start);
        self.out.extend_from_slice(&self.text[span.range()]);
        self.now = Some(self.places.of(span.end));
    }

    /// Makes the compiler believe that what follows is where it was.
    fn go_to(&mut self, offset: u32) {
        let place = self.places.of(offset);
        if self.now == Some(place) {
            return;
        }
        let line = format!("\n# {} \"", place.line);
        self.out.extend_from_slice(line.as_bytes());
        self.out.extend_from_slice(place.file);
        self.out.push(b'"');
        if !place.flags.is_empty() {
            self.out.push(b' ');
            self.out.extend_from_slice(place.flags);
        }
        self.out.push(b'\n');
        let before = &self.text[..offset as usize];
        let start = before.iter().rposition(|byte| *byte == b'\n');
        let column = &before[start.map_or(0, |at| at + 1)..];
        let blanks = column.iter().map(|byte| match byte {
            b'\t' => b'\t',
            _ => b' ',
        });
        self.out.extend(blanks);
        self.now = Some(place);
    }
}
