//! How much room a text takes, without a font at hand.
//!
//! Drawings use fonts in which all letters are equally wide; only wide letters of East Asian
//! scripts take two places, and marks that combine with a letter none.

/// The height of a line.
pub const LINE: i32 = 16;

/// The size of the font.
pub const FONT: i32 = 12;

/// The size of the font beside edges and ports.
pub const SMALL_FONT: i32 = 11;

/// No line of a text has more places than this.
const PLACES: usize = 56;

/// No text has more lines than this.
const LINES: usize = 8;

/// How many places a letter takes.
fn places(letter: char) -> usize {
    match letter as u32 {
        0x0300..=0x036f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The width of a line in a font of that size.
pub(crate) fn width(line: &str, font: i32) -> i32 {
    let places: usize = line.chars().map(places).sum();
    // Letters of the usual fonts are 0.6 of the font's size wide.
    (places as i32 * font * 62 + 99) / 100
}

/// A line cut to what fits, with control characters made visible.
pub(crate) fn fit(line: &str) -> String {
    let mut out = String::new();
    let mut taken = 0;
    for letter in line.chars() {
        let letter = if letter.is_control() { ' ' } else { letter };
        // Marks that take no place still take memory.
        if taken + places(letter) > PLACES || out.len() > 8 * PLACES {
            while taken >= PLACES
                && let Some(last) = out.pop()
            {
                taken -= places(last);
            }
            out.push('…');
            break;
        }
        taken += places(letter);
        out.push(letter);
    }
    out
}

/// A text cut to what fits.
pub(crate) fn fit_lines(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = lines.iter().take(LINES).map(|line| fit(line)).collect();
    if lines.len() > LINES
        && let Some(last) = out.last_mut()
    {
        *last = format!("… {} more", lines.len() - LINES + 1);
    }
    out
}

/// The width and the height of a text.
pub(crate) fn extent(lines: &[String], font: i32) -> (i32, i32) {
    let widest = lines.iter().map(|line| width(line, font)).max();
    (widest.unwrap_or(0), lines.len() as i32 * LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_wide_letters_count_twice() {
        assert_eq!(fit("short"), "short");
        let long = fit(&"x".repeat(10_000));
        assert_eq!(long.chars().count(), PLACES);
        assert!(long.ends_with('…'));
        assert_eq!(fit(&"漢".repeat(100)).chars().count(), PLACES / 2);
        assert_eq!(width("漢", 100), width("ab", 100));
        assert!(fit(&"\u{301}".repeat(10_000)).len() < 1_000);
        assert_eq!(fit("a\nb\u{0}"), "a b ");
    }

    #[test]
    fn many_lines_are_cut() {
        let lines: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let cut = fit_lines(&lines);
        assert_eq!(cut.len(), LINES);
        assert_eq!(cut[LINES - 1], "… 93 more");
    }
}
