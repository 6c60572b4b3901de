//! Texts with one item a line.

use recurva_syntax::{Source, Span};

/// A line without its comment.
#[derive(Debug)]
pub(crate) struct Line<'s> {
    /// From the first word to the last.
    pub(crate) span: Span,
    /// The words between blanks; `->` is one even without blanks around it.
    pub(crate) words: Vec<(&'s str, Span)>,
}

/// The lines that have words.
pub(crate) fn lines(source: &Source) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    source.text().split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        split(&line[..comment(line)], at)
    })
}

/// Where the comment of a line begins. A name in braces may hold anything.
fn comment(line: &str) -> usize {
    let mut braced = false;
    let bytes = line.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => braced = true,
            b'}' => braced = false,
            b'#' if !braced => return at,
            b'/' if !braced && bytes.get(at + 1) == Some(&b'/') => return at,
            _ => {}
        }
    }
    line.len()
}

fn split(line: &str, offset: usize) -> Option<Line<'_>> {
    let mut words = Vec::new();
    let mut push = |from: usize, to: usize| {
        if from < to {
            let span = Span::new((offset + from) as u32, (offset + to) as u32);
            words.push((&line[from..to], span));
        }
    };
    let mut from = 0;
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character.is_whitespace() {
            push(from, at);
            from = at + character.len_utf8();
        } else if character == '-' && characters.next_if(|&(_, next)| next == '>').is_some() {
            push(from, at);
            push(at, at + 2);
            from = at + 2;
        }
    }
    push(from, line.len());
    let (first, last) = (words.first()?.1, words.last()?.1);
    Some(Line {
        span: first.to(last),
        words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_comments_and_arrows() {
        let source = Source::new("x", "a->b  # c\n\n {x # 0} // d\n").unwrap();
        let found: Vec<Vec<&str>> = lines(&source)
            .map(|line| line.words.iter().map(|w| w.0).collect())
            .collect();
        assert_eq!(found, [vec!["a", "->", "b"], vec!["{x", "#", "0}"]]);
        assert_eq!(lines(&source).nth(1).unwrap().span, Span::new(12, 19));
    }
}
