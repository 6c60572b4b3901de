//! Correctness witnesses of the software verification competition, in version 2.0 of their format.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};

use crate::{
    parse::Parser,
    token::{AcslLexer, Kind},
    tree::{Expression, Notation},
    yaml::{Literal, Value, ValueKind, load},
};

/// What a witness says.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// Its invariants, in the order of the text.
    pub invariants: Vec<Invariant>,
    /// What is wrong with others.
    pub diagnostics: Diagnostics,
}

/// An invariant of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// What it is about.
    pub kind: InvariantKind,
    /// The file of the program, as the witness names it.
    pub file: Box<str>,
    /// The line in it, from 1.
    pub line: u32,
    /// The column, from 1, if it is given.
    pub column: Option<u32>,
    /// The function, if it is given.
    pub function: Option<Box<str>>,
    /// What holds.
    pub expression: Expression,
    /// The text of that in the witness.
    pub span: Span,
}

/// What an invariant is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvariantKind {
    /// It holds at the head of a loop.
    Loop,
    /// It holds before a statement.
    Location,
}

/// Reads a witness.
pub fn witness(source: &Source) -> Witness {
    let mut reader = Reader {
        source,
        read: Witness::default(),
    };
    match load(source) {
        Ok(Some(document)) => reader.entries(&document),
        Ok(None) => reader.error(Diagnostic::error("the file is empty", Span::at(0))),
        Err(wrong) => reader.error(wrong),
    }
    reader.read.diagnostics.sort();
    reader.read
}

struct Reader<'s> {
    source: &'s Source,
    read: Witness,
}

impl Reader<'_> {
    fn error(&mut self, wrong: Diagnostic) {
        self.read.diagnostics.report(|| wrong);
    }

    fn warn(&mut self, text: String, span: Span) {
        let warning = || Diagnostic::warning(text, span);
        self.read.diagnostics.warn(warning);
    }

    fn entries(&mut self, document: &Value) {
        let Some(entries) = document.list() else {
            return self.error(Diagnostic::error(
                "a witness is a list of entries, each of which begins with `-`",
                document.span,
            ));
        };
        for entry in entries {
            let Some(ty) = self.member(entry, "entry_type") else {
                continue;
            };
            match ty.text() {
                Some("invariant_set") => {
                    let Some(content) = self.member(entry, "content") else {
                        continue;
                    };
                    match content.list() {
                        Some(list) => list.iter().for_each(|it| self.invariant(it)),
                        None => self.error(Diagnostic::error("this is no list", content.span)),
                    }
                }
                Some("violation_sequence") => self.error(
                    Diagnostic::error("this witness tells of a violation", ty.span)
                        .help("invariants are in a correctness witness: `invariant_set`"),
                ),
                Some(text @ ("loop_invariant" | "location_invariant")) => {
                    let text = format!("`{text}` is an entry of version 0.1, which is not read");
                    let wrong = Diagnostic::error(text, ty.span);
                    self.error(wrong.help("version 2.0 has `invariant_set`"));
                }
                other => {
                    let near = other.and_then(|it| did_you_mean(it, ["invariant_set"]));
                    let text = "this entry is not known: entries are of type `invariant_set`";
                    self.error(Diagnostic::error(text, ty.span).help_if(near));
                }
            }
        }
    }

    /// What a map has under a key, which must be there.
    fn member<'v>(&mut self, map: &'v Value, key: &str) -> Option<&'v Value> {
        let found = map.get(key);
        if found.is_none() {
            let keys = match &map.kind {
                ValueKind::Map(pairs) => pairs.iter().filter_map(|(key, _)| key.text()).collect(),
                _ => Vec::new(),
            };
            let near = did_you_mean(key, keys).map(|_| format!("it is called `{key}`"));
            let text = format!("`{key}` is missing");
            self.error(Diagnostic::error(text, map.span).help_if(near));
        }
        found
    }

    fn text<'v>(&mut self, map: &'v Value, key: &str) -> Option<(&'v str, Span)> {
        let value = self.member(map, key)?;
        let text = value.text();
        if text.is_none() {
            let text = format!("`{key}` is no text");
            self.error(Diagnostic::error(text, value.span));
        }
        Some((text?, value.span))
    }

    fn invariant(&mut self, item: &Value) {
        let Some(invariant) = self.member(item, "invariant") else {
            return;
        };
        let kind = self.text(invariant, "type").and_then(|(text, span)| {
            let known = match text {
                "loop_invariant" => Some(InvariantKind::Loop),
                "location_invariant" => Some(InvariantKind::Location),
                _ => None,
            };
            if known.is_none() {
                self.warn(format!("`{text}` is not supported: it is left out"), span);
            }
            known
        });
        let Some(kind) = kind else { return };
        let format = self.text(invariant, "format").filter(|&(text, span)| {
            let is_known = text == "c_expression";
            if !is_known {
                let text = format!("format `{text}` is not supported: the invariant is left out");
                self.warn(text, span);
            }
            is_known
        });
        let place = self.member(invariant, "location").and_then(|location| {
            let file = self.text(location, "file_name")?.0.into();
            let line = self.member(location, "line")?;
            let Some(number) = line.number().filter(|&it| it > 0) else {
                self.error(Diagnostic::error("a line is a number from 1", line.span));
                return None;
            };
            let column = location.get("column").and_then(Value::number);
            let function = location.get("function").and_then(Value::text);
            Some((file, number, column, function.map(Into::into)))
        });
        let value = self.member(invariant, "value");
        let (Some(_), Some((file, line, column, function)), Some(value)) = (format, place, value)
        else {
            return;
        };
        if let Some(expression) = self.expression(value) {
            self.read.invariants.push(Invariant {
                kind,
                file,
                line,
                column,
                function,
                expression,
                span: value.span,
            });
        }
    }

    fn expression(&mut self, value: &Value) -> Option<Expression> {
        let ValueKind::Scalar(text, literal) = &value.kind else {
            self.error(Diagnostic::error("`value` is no text", value.span));
            return None;
        };
        if *literal == Literal::Yes {
            let (expression, diagnostics) = c_expression(self.source, value.span);
            self.read.diagnostics.append(diagnostics);
            return expression;
        }
        // A text that is written with escapes or on several lines has no places of its own.
        let source = Source::new(self.source.name(), text.as_str()).ok()?;
        let (expression, diagnostics) = c_expression(&source, Span::new(0, source.end().end));
        for wrong in diagnostics.iter() {
            let text = wrong.message().to_owned();
            match diagnostics.has_errors() {
                true => self.error(Diagnostic::error(text, value.span)),
                false => self.warn(text, value.span),
            }
        }
        expression.map(|it| it.moved(value.span))
    }
}

/// An expression of C.
fn c_expression(source: &Source, place: Span) -> (Option<Expression>, Diagnostics) {
    let mut parser = Parser {
        cursor: Cursor::new(source, AcslLexer::new(source, place)),
        notation: Notation::C,
        whole: "the expression",
    };
    let read = parser
        .expression()
        .and_then(|expression| match parser.cursor.at(Kind::End) {
            true => Ok(expression),
            false => parser.unexpected("an operator", |it| it),
        });
    (read.ok(), parser.cursor.into_diagnostics())
}
