//! Edge lists and CSV.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{Word, index_of, nodes::Builder};
use crate::{
    Edge, Graph, NO_INDEX,
    meter::{Halt, Meter},
};

/// What stands between the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Blanks,
    Commas,
}

pub(super) fn read(
    source: &Source,
    diagnostics: &mut Diagnostics,
    columns: Columns,
    meter: &Meter<'_>,
) -> Result<Graph, Halt> {
    let mut builder = Builder::new(meter)?;
    let mut start = 0;
    let mut first = true;
    let text = source.text();
    while start < text.len() {
        builder.fits(meter)?;
        if columns == Columns::Blanks
            && let Some(length) = plain(&text[start..], &mut builder)
        {
            start += length;
            continue;
        }
        let rest = &text.as_bytes()[start..];
        let length = rest.iter().position(|&byte| byte == b'\n');
        let line = &text[start..start + length.map_or(rest.len(), |newline| newline + 1)];
        let content = line.trim_end_matches(['\n', '\r']);
        let offset = start;
        start += line.len();
        let trimmed = content.trim_start();
        if trimmed.is_empty() || trimmed.starts_with(['#', '%']) {
            continue;
        }
        // Four words are all that a line can have; a fifth is there to be complained about.
        let mut words: [Word<'_>; 5] = [("", Span::default()); 5];
        let count = match columns {
            Columns::Blanks => blanks(content, offset, &mut words),
            Columns::Commas => commas(content, offset, &mut words),
        };
        let heading = first && columns == Columns::Commas && is_heading(words[0].0);
        first = false;
        if !heading {
            let whole = Span::new(offset as u32, (offset + content.len()) as u32);
            edge(&words[..count], whole, &mut builder, diagnostics);
        }
    }
    builder.finish(meter)
}

/// The usual line, `1 2 label` or `1 2 label_i 3`, at the beginning of a text: adds the edge and
/// gives the length of the line. Whatever is not quite so is left to the careful way.
fn plain(text: &str, builder: &mut Builder) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let digits = |at: &mut usize| {
        let begin = *at;
        let mut number = 0u32;
        while let Some(digit) = bytes.get(*at).filter(|byte| byte.is_ascii_digit()) {
            // Nine digits are below 2^32.
            if *at - begin == 9 {
                return None;
            }
            number = number * 10 + u32::from(digit - b'0');
            *at += 1;
        }
        (*at > begin).then_some(number)
    };
    let blank = |at: &mut usize| {
        let is_blank = matches!(bytes.get(*at), Some(b' ' | b'\t'));
        *at += 1;
        is_blank.then_some(())
    };
    if !builder.all_numbers() {
        return None;
    }
    let from = digits(&mut at)?;
    blank(&mut at)?;
    let to = digits(&mut at)?;
    blank(&mut at)?;
    let begin = at;
    while bytes
        .get(at)
        .is_some_and(|byte| !byte.is_ascii_whitespace())
    {
        at += 1;
    }
    let word = &text[begin..at];
    let mut index = NO_INDEX;
    if word.ends_with("_i") {
        blank(&mut at)?;
        index = digits(&mut at)?;
    }
    if word.is_empty() || bytes.get(at) != Some(&b'\n') {
        return None;
    }
    let label = builder.label(word);
    builder.edge(Edge {
        from,
        to,
        label,
        index,
    });
    Some(at + 1)
}

fn is_heading(word: &str) -> bool {
    let known = ["from", "source", "src", "u"];
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn blanks<'t>(line: &'t str, offset: usize, words: &mut [Word<'t>; 5]) -> usize {
    let bytes = line.as_bytes();
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let (mut at, mut count) = (0, 0);
    while count < words.len() {
        while at < bytes.len() && is_blank(bytes[at]) {
            at += 1;
        }
        let begin = at;
        while at < bytes.len() && !is_blank(bytes[at]) {
            at += 1;
        }
        if begin == at {
            break;
        }
        words[count] = (&line[begin..at], span(offset, begin, at));
        count += 1;
    }
    count
}

/// Columns between commas; quotes around a column are left out.
fn commas<'t>(line: &'t str, offset: usize, words: &mut [Word<'t>; 5]) -> usize {
    let (mut at, mut count) = (0, 0);
    while count < words.len() && at <= line.len() {
        let rest = &line[at..];
        let blank = rest.len() - rest.trim_start().len();
        let (begin, end, next) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => {
                let begin = at + blank + 1;
                let end = begin + quoted.find('"').unwrap_or(quoted.len());
                let tail = &line[(end + 1).min(line.len())..];
                let comma = tail.find(',').map_or(line.len(), |comma| end + 1 + comma);
                (begin, end, comma + 1)
            }
            None => {
                let comma = rest.find(',').map_or(line.len(), |comma| at + comma);
                let word = line[at..comma].trim();
                (
                    at + blank.min(comma - at),
                    at + blank.min(comma - at) + word.len(),
                    comma + 1,
                )
            }
        };
        words[count] = (&line[begin..end], span(offset, begin, end));
        count += 1;
        at = next;
    }
    count
}

fn span(offset: usize, begin: usize, end: usize) -> Span {
    Span::new((offset + begin) as u32, (offset + end) as u32)
}

fn edge(
    words: &[Word<'_>],
    whole: Span,
    builder: &mut Builder,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    if words.len() < 3 || words.len() > 4 || words[..3].iter().any(|word| word.0.is_empty()) {
        diagnostics.report(|| {
            Diagnostic::error("this line is no edge", whole)
                .label("expected: from to label, and an index for a label that ends in `_i`")
        });
        return None;
    }
    let written = words.get(3).copied().filter(|word| !word.0.is_empty());
    let index = index_of(words[2], written, "is followed by a number", diagnostics)?;
    let label = words[2].0;
    let mut from = builder.node(words[0].0, words[0].1, diagnostics)?;
    let numbers = builder.all_numbers();
    let to = builder.node(words[1].0, words[1].1, diagnostics)?;
    if numbers && !builder.all_numbers() {
        // The second node is the first that is no number: the first one has a new number.
        from = builder.node(words[0].0, words[0].1, diagnostics)?;
    }
    let label = builder.label(label);
    builder.edge(Edge {
        from,
        to,
        label,
        index,
    });
    Some(())
}
