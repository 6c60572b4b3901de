//! YAML with the places of its values.

use recurva_syntax::{Diagnostic, Source, Span};
use yaml_rust2::{
    Event,
    parser::Parser,
    scanner::{Marker, TScalarStyle},
};

/// Documents of people and tools are not deeper.
const DEEPEST: usize = 64;

/// A value and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    /// Of a scalar its text, as far as it is written as it is.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ValueKind {
    /// A text, and whether its place has exactly that text.
    Scalar(String, Literal),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

/// Whether a scalar stands in the source letter by letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Yes,
    No,
}

impl Value {
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Value]> {
        match &self.kind {
            ValueKind::List(list) => Some(list),
            _ => None,
        }
    }

    /// What a map has under a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        match &self.kind {
            ValueKind::Map(pairs) => {
                let found = pairs.iter().find(|(own, _)| own.text() == Some(key));
                found.map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<u32> {
        self.text()?.parse().ok()
    }
}

/// A list or a map that is not complete.
struct Open {
    span: Span,
    is_map: bool,
    values: Vec<Value>,
}

impl Open {
    fn close(self) -> Value {
        let kind = match self.is_map {
            false => ValueKind::List(self.values),
            true => {
                let mut values = self.values.into_iter();
                let mut pairs = Vec::new();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    pairs.push((key, value));
                }
                ValueKind::Map(pairs)
            }
        };
        Value {
            kind,
            span: self.span,
        }
    }
}

/// The first document of a text; nothing if there is none.
pub(crate) fn load(source: &Source) -> Result<Option<Value>, Diagnostic> {
    let lines = line_starts(source.text());
    let place = |marker: &Marker| Span::at(offset(source.text(), &lines, marker));
    let mut parser = Parser::new_from_str(source.text());
    let mut open: Vec<Open> = Vec::new();
    loop {
        let (event, marker) = parser.next_token().map_err(|wrong| {
            let text = format!("this is no YAML: {}", wrong.info());
            Diagnostic::error(text, place(wrong.marker()))
        })?;
        let span = place(&marker);
        let value = match event {
            Event::StreamEnd | Event::DocumentEnd => return Ok(None),
            Event::Nothing | Event::StreamStart | Event::DocumentStart => continue,
            Event::Alias(_) => {
                return Err(Diagnostic::error("references are not supported", span));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() >= DEEPEST {
                    return Err(Diagnostic::error("this is nested too deeply", span));
                }
                open.push(Open {
                    span,
                    is_map: matches!(event, Event::MappingStart(..)),
                    values: Vec::new(),
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(done) => done.close(),
                None => return Ok(None),
            },
            Event::Scalar(text, style, ..) => scalar(source, text, style, span),
        };
        match open.last_mut() {
            Some(around) => around.values.push(value),
            None => return Ok(Some(value)),
        }
    }
}

fn scalar(source: &Source, text: String, style: TScalarStyle, span: Span) -> Value {
    let quote = match style {
        TScalarStyle::SingleQuoted | TScalarStyle::DoubleQuoted => 1,
        _ => 0,
    };
    let start = span.start + quote;
    let exact = Span::new(start, start.saturating_add(text.len() as u32));
    let is_literal = !text.is_empty() && source.slice(exact) == text;
    let (span, literal) = match is_literal {
        true => (exact, Literal::Yes),
        false => {
            let rest = source.text().get(span.range().start..).unwrap_or("");
            let line = rest.lines().next().unwrap_or("");
            (
                Span::new(span.start, span.start + line.trim_end().len() as u32),
                Literal::No,
            )
        }
    };
    Value {
        kind: ValueKind::Scalar(text, literal),
        span,
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

/// The offset of a marker, whose column counts characters.
fn offset(text: &str, lines: &[usize], marker: &Marker) -> u32 {
    let start = lines.get(marker.line().saturating_sub(1)).copied();
    let start = start.unwrap_or(text.len());
    let line = &text[start..];
    let column = line.char_indices().nth(marker.col()).map(|(at, _)| at);
    (start + column.unwrap_or(line.len())) as u32
}
