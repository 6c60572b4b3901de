//! Runs of systems of any size as text: words below each other.

use std::fmt::Write;

use recurva_check::{Words, spelled};

use crate::{Detail, Layout, numbers::counted};

/// Appends the words of a run, with the action that leads to each.
pub(crate) fn write_words(out: &mut String, words: &Words, layout: Layout) {
    let most = match layout.detail {
        Detail::None => return,
        Detail::Full => layout.full_lines,
        Detail::Folded | Detail::Calls => layout.lines,
    };
    write_list(out, &words.stem, &words.actions, most);
    if let Some(turn) = &words.turn {
        out.push_str("  for ever:\n");
        write_list(out, turn, &[], most);
    }
}

fn write_list(out: &mut String, words: &[Vec<String>], actions: &[String], most: usize) {
    let hidden = folded(words.len(), most);
    for (at, word) in words.iter().enumerate() {
        if hidden.contains(&at) {
            if at == hidden.start {
                let _ = writeln!(out, "        … {}", counted(hidden.len() as u64, "word"));
            }
            continue;
        }
        let action = at.checked_sub(1).and_then(|at| actions.get(at));
        let action = action.map_or("", String::as_str);
        let line = format!("{at:>6}  {:<40}  {action}", spelled(word));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Which of so many are left out if most of them may be shown: some in the middle, more of those
/// before the end than behind the beginning.
pub(crate) fn folded(count: usize, most: usize) -> std::ops::Range<usize> {
    if count <= most {
        return count..count;
    }
    let head = most / 4;
    head..count - (most - head)
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(folded(10, 10), 10..10);
        assert_eq!(folded(10, 8), 2..4);
        assert_eq!(folded(10, 0), 0..10);
    }
}
