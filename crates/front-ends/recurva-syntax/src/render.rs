//! Messages as text.
//!
//! The renderer is shown only the lines that matter, cut to a bounded width around the place:
//! a file that is one line of 100 MB costs one scan per message and no more.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::{Diagnostic, Label, Severity, Source, Span};

/// How messages are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// With terminal colours.
    Colour,
}

/// Longer lines are cut around the place.
const WIDE: usize = 400;
/// How much is shown on each side of a place in a line that is cut.
const MARGIN: usize = 60;
/// How much of a place is shown in a line that is cut.
const SHOWN: usize = 200;
/// Places of one message that are at most this many lines apart share an excerpt.
const NEAR: usize = 8;
/// How many characters of a message are shown.
const LONGEST_TEXT: usize = 400;
/// A place of more lines is cut to its first one.
const TALL: usize = 6;

pub(crate) fn render(source: &Source, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut lines = Lines {
        text: source.text(),
        offset: 0,
        line: 1,
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let excerpts = excerpts(&mut lines, diagnostic);
        let mut group = Group::with_title(level.primary_title(short(diagnostic.message())));
        for (position, excerpt) in excerpts.iter().enumerate() {
            let snippet = snippet(excerpt);
            group = if position > 0 {
                group.element(snippet)
            } else if excerpt.cut {
                // The excerpt does not know its columns.
                let (line, column) = source.line_column(diagnostic.primary().span.start);
                let origin = Origin::path(source.name()).line(line).char_column(column);
                group.element(origin).element(snippet)
            } else {
                group.element(snippet.path(source.name()))
            };
        }
        for help in diagnostic.helps() {
            group = group.element(Level::HELP.message(short(help)));
        }
        let text = renderer.render(&[group]);
        for line in text.lines().filter(|line| !is_bare_mark(line)) {
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// Whether a line has nothing but the mark for "another file", colours aside. The renderer
/// puts it before every excerpt without a path; all excerpts here are of one file.
fn is_bare_mark(line: &str) -> bool {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default();
    // Each colour ends with an `m`.
    let others = parts.filter_map(|part| part.split_once('m'));
    let text: String = [first]
        .into_iter()
        .chain(others.map(|(_, text)| text))
        .collect();
    text.trim() == ":::"
}

fn snippet<'a>(excerpt: &'a Excerpt<'_>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let annotations = excerpt.places.iter().map(|place| {
        let kind = if place.primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let text = (!place.text.is_empty()).then(|| short(place.text));
        kind.span(place.start..place.end).label(text)
    });
    // Line ends of other systems are no text; a blank keeps the offsets.
    Snippet::source(excerpt.text.replace('\r', " "))
        .line_start(excerpt.line)
        .annotations(annotations)
}

/// A text that is cut where it is too long to be read: names can have any length.
fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((cut, _)) => Cow::Owned(format!("{}…", &text[..cut])),
        None => Cow::Borrowed(text),
    }
}

/// Finds line numbers; fast when asked in rising order.
struct Lines<'s> {
    text: &'s str,
    offset: usize,
    line: usize,
}

impl Lines<'_> {
    fn number_at(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        if offset < self.offset {
            (self.offset, self.line) = (0, 1);
        }
        let between = &self.text.as_bytes()[self.offset..offset];
        self.line += between.iter().filter(|&&b| b == b'\n').count();
        self.offset = offset;
        self.line
    }

    /// The bounds of the line that holds an offset, without the line end.
    fn bounds(&self, offset: usize) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let start = bytes[..offset]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let end = bytes[offset..].iter().position(|&b| b == b'\n');
        (start, end.map_or(bytes.len(), |at| offset + at))
    }
}

/// Some lines of the source and the places in them.
struct Excerpt<'d> {
    text: String,
    line: usize,
    places: Vec<Place<'d>>,
    /// Whether parts of the line were left out.
    cut: bool,
}

/// A place, as offsets into the excerpt's text.
struct Place<'d> {
    start: usize,
    end: usize,
    primary: bool,
    text: &'d str,
}

fn excerpts<'d>(lines: &mut Lines<'_>, diagnostic: &'d Diagnostic) -> Vec<Excerpt<'d>> {
    let labels = [(diagnostic.primary(), true)]
        .into_iter()
        .chain(diagnostic.secondary().iter().map(|label| (label, false)));
    let mut all: Vec<Excerpt<'d>> = labels
        .map(|(label, primary)| excerpt(lines, label, primary))
        .collect();
    merge_neighbours(lines, &mut all);
    all
}

/// The lines of one place.
fn excerpt<'d>(lines: &mut Lines<'_>, label: &'d Label, primary: bool) -> Excerpt<'d> {
    let text = lines.text;
    let (span_start, span_end) = on_characters(text, label.span);
    let line = lines.number_at(span_start);
    let (first, first_end) = lines.bounds(span_start);
    let mut end = span_end;
    let rows = text[span_start..end]
        .bytes()
        .filter(|&b| b == b'\n')
        .count();
    if rows >= TALL || end - first > WIDE {
        end = end.min(first_end);
    }
    let last_end = if end <= first_end {
        first_end
    } else {
        lines.bounds(end).1
    };
    if last_end - first <= WIDE {
        return Excerpt {
            text: text[first..last_end].to_owned(),
            line,
            places: vec![Place {
                start: span_start - first,
                end: end - first,
                primary,
                text: &label.text,
            }],
            cut: false,
        };
    }
    let end = floor(text, end.min(span_start + SHOWN)).max(span_start);
    let from = floor(text, span_start.saturating_sub(MARGIN).max(first));
    let to = floor(text, (end + MARGIN).min(first_end)).max(end);
    let before = if from > first { "…" } else { "" };
    let after = if to < first_end { "…" } else { "" };
    let start = before.len() + span_start - from;
    Excerpt {
        text: format!("{before}{}{after}", &text[from..to]),
        line,
        places: vec![Place {
            start,
            end: start + end - span_start,
            primary,
            text: &label.text,
        }],
        cut: true,
    }
}

/// Joins excerpts that are close together, so that a message shows its places in context.
fn merge_neighbours(lines: &Lines<'_>, all: &mut Vec<Excerpt<'_>>) {
    // Only whole lines can be joined: a cut line no longer knows its neighbours.
    if all.len() < 2 || all.iter().any(|excerpt| excerpt.cut) {
        return;
    }
    let first = all.iter().map(|e| e.line).min().unwrap_or(1);
    let last = all
        .iter()
        .map(|e| e.line + e.text.matches('\n').count())
        .max()
        .unwrap_or(1);
    if last - first > NEAR * all.len() {
        return;
    }
    let Some(start) = start_of_line(lines.text, first) else {
        return;
    };
    let mut text = String::new();
    let mut starts = Vec::new();
    for line in lines.text[start..].split('\n').take(last - first + 1) {
        if line.len() > WIDE {
            return;
        }
        starts.push(text.len());
        text.push_str(line);
        text.push('\n');
    }
    let mut places = Vec::new();
    for excerpt in all.drain(..) {
        let shift = starts.get(excerpt.line - first).copied().unwrap_or(0);
        places.extend(excerpt.places.into_iter().map(|place| Place {
            start: place.start + shift,
            end: place.end + shift,
            ..place
        }));
    }
    *all = vec![Excerpt {
        text,
        line: first,
        places,
        cut: false,
    }];
}

fn start_of_line(text: &str, line: usize) -> Option<usize> {
    if line <= 1 {
        return Some(0);
    }
    let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
    newlines.map(|(at, _)| at + 1).nth(line - 2)
}

/// The span, inside the text and on character boundaries.
fn on_characters(text: &str, span: Span) -> (usize, usize) {
    let start = floor(text, span.start as usize);
    (start, floor(text, span.end as usize).max(start))
}

fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagnostics;

    fn text_of(source: &Source, diagnostic: Diagnostic) -> String {
        let mut diagnostics = Diagnostics::default();
        diagnostics.report(|| diagnostic);
        diagnostics.render(source, Style::Plain)
    }

    #[test]
    fn a_huge_line_is_cut_around_the_place() {
        let mut line = "ä".repeat(1 << 20);
        line.push_str("HERE");
        line.push_str(&"b".repeat(1 << 20));
        let source = Source::new("wide.bp", line).unwrap();
        let text = text_of(
            &source,
            Diagnostic::error("no", Span::new(1 << 21, (1 << 21) + 4)),
        );
        assert!(text.len() < 2000, "{}", text.len());
        assert!(text.contains("wide.bp:1:1048577"), "{text}");
        assert!(text.contains("HERE") && text.contains("^^^^"), "{text}");
        assert!(!text.contains(":::"), "{text}");
    }

    #[test]
    fn line_ends_of_other_systems_are_not_shown() {
        let source = Source::new("x", "one\r\ntwo\r\nthree\r\n").unwrap();
        let diagnostic = Diagnostic::error("no", Span::new(5, 8)).note(Span::new(0, 3), "see");
        let text = text_of(&source, diagnostic);
        assert!(text.contains("2 | two"), "{text}");
        assert!(!text.contains(['\r', '␍']), "{text}");
    }

    #[test]
    fn excerpts_of_one_file_need_no_mark_in_colour_either() {
        let text = format!("first\n{}last\n", "\n".repeat(1000));
        let source = Source::new("x", text).unwrap();
        let mut diagnostics = Diagnostics::default();
        diagnostics
            .report(|| Diagnostic::error("no", Span::new(1006, 1010)).note(Span::new(0, 5), "see"));
        let text = diagnostics.render(&source, Style::Colour);
        assert!(text.contains('\x1b') && !text.contains(":::"), "{text}");
    }

    #[test]
    fn spans_outside_the_text_or_inside_a_character_are_harmless() {
        let source = Source::new("x", "aé").unwrap();
        for (start, end) in [(2, 2), (0, 99), (99, 99), (2, 1), (3, 3)] {
            let diagnostic = Diagnostic::error("no", Span::new(start, end)).note(Span::at(2), "é");
            assert!(text_of(&source, diagnostic).contains("error: no"));
        }
        let empty = Source::new("x", "").unwrap();
        assert!(text_of(&empty, Diagnostic::error("no", Span::at(0))).contains("error: no"));
    }

    #[test]
    fn places_far_apart_are_shown_apart() {
        let source = Source::new("x", format!("first\n{}last\n", "\n".repeat(1000))).unwrap();
        let diagnostic =
            Diagnostic::error("no", Span::new(1006, 1010)).note(Span::new(0, 5), "see");
        let text = text_of(&source, diagnostic);
        assert!(text.lines().count() < 14, "{text}");
        assert!(
            text.contains("1002 | last") && text.contains("   1 | first"),
            "{text}"
        );
    }
}
