//! Grammars with a rule on each line, as the data sets of CFL-reachability have them.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::Draft;

/// The parts of a file. Hints to other solvers are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Rules,
    Start,
    Hints,
}

pub(super) fn read(source: &Source, diagnostics: &mut Diagnostics) -> Draft {
    let mut draft = Draft::default();
    let mut section = Section::Rules;
    let mut offset = 0;
    for line in source.text().split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let mut words = words(line, start);
        let Some(first) = words.first().copied() else {
            continue;
        };
        match first.0 {
            "Production:" | "Productions:" => section = Section::Rules,
            "Count:" => section = Section::Start,
            "Insert:" | "Follow:" => section = Section::Hints,
            comment if comment.starts_with('#') => {}
            _ if section == Section::Hints => {}
            name if section == Section::Start => {
                if let Some((_, before)) = draft.start {
                    diagnostics.report(|| {
                        Diagnostic::error("there are two start symbols", first.1)
                            .note(before, "the first one")
                    });
                }
                let symbol = draft.symbol(name, false, first.1);
                draft.start = Some((symbol, first.1));
            }
            name => {
                let whole = first.1.to(words[words.len() - 1].1);
                let left = draft.symbol(name, false, first.1);
                let right = words.drain(1..);
                let right = right.map(|(name, span)| symbol(&mut draft, name, span));
                let right = right.collect();
                draft.rule(left, right, whole);
            }
        }
    }
    if draft.start.is_none() {
        diagnostics.report(|| {
            Diagnostic::error("there is no start symbol", source.end())
                .help("end the grammar with a line `Count:` and a line with the start symbol")
        });
    }
    draft
}

/// `^a` is `a` walked backwards.
fn symbol(draft: &mut Draft, name: &str, span: Span) -> u32 {
    match name.strip_prefix('^') {
        Some(rest) if !rest.is_empty() => draft.symbol(rest, true, span),
        _ => draft.symbol(name, false, span),
    }
}

fn words(line: &str, start: usize) -> Vec<(&str, Span)> {
    let place = |word: &str| {
        let begin = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        Span::new(begin as u32, (begin + word.len()) as u32)
    };
    line.split_whitespace()
        .map(|word| (word, place(word)))
        .collect()
}
