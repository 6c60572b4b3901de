//! What sanitizers report, without what is different each time.

use std::fmt;

/// What a sanitizer reports, or how else a program shows what it was to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What happened: `AddressSanitizer: double-free`.
    pub what: String,
    /// The line of the user's file, if it says one.
    pub line: Option<u32>,
}

/// How the sanitizers begin what they say, and what they are called.
const MARKS: [(&str, &str); 3] = [
    ("runtime error: ", "UndefinedBehaviorSanitizer"),
    ("ERROR: AddressSanitizer: ", "AddressSanitizer"),
    ("ERROR: LeakSanitizer: ", "LeakSanitizer"),
];

impl Report {
    /// The first report in what a program has said.
    pub(crate) fn of(said: &str) -> Option<Report> {
        let mut lines = said.lines();
        while let Some(line) = lines.next() {
            let found = MARKS.iter().find_map(|(mark, name)| {
                let (before, text) = line.split_once(mark)?;
                Some((before, text, name))
            });
            let Some((before, text, name)) = found else {
                continue;
            };
            let what = format!("{name}: {}", meaning(text));
            // `file.c:23:5: runtime error: …`, or a stack below.
            let line = line_of(before.trim_end_matches([' ', ':']));
            let line = line.or_else(|| lines.find_map(frame));
            return Some(Report { what, line });
        }
        None
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.line {
            Some(line) if self.what.contains("leak") => write!(f, " of what line {line} allocates"),
            Some(line) => write!(f, " at line {line}"),
            None => Ok(()),
        }
    }
}

/// A message without addresses and threads.
fn meaning(text: &str) -> &str {
    let text = text.strip_prefix("attempting ").unwrap_or(text);
    let ends = [
        " on address",
        " on unknown address",
        " on 0x",
        ": 0x",
        " 0x",
        " (pc ",
    ];
    // Of an address that is part of the sentence, what stands before it says enough.
    let end = ends.iter().filter_map(|end| {
        let at = text.find(end)?;
        (*end != " on address" || text[at + end.len()..].starts_with(" 0x")).then_some(at)
    });
    let end = end.min().unwrap_or(text.len());
    text[..end].trim_end_matches([' ', ':'])
}

/// The line of `file.c:23:5` or `file.c:23`.
fn line_of(place: &str) -> Option<u32> {
    let (rest, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match rest.rsplit_once(':').map(|(_, line)| line.parse::<u32>()) {
        Some(Ok(line)) => Some(line),
        _ => Some(last),
    }
}

/// The line of a frame of the user's program: `    #1 0x… in main a.c:23`.
fn frame(line: &str) -> Option<u32> {
    let line = line.trim_start().strip_prefix('#')?;
    let place = line.rsplit(' ').next()?;
    let is_ours = place.contains("libsanitizer") || place.ends_with(')');
    line_of(place).filter(|_| !is_ours && !place.contains("harness.c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(said: &str) -> String {
        Report::of(said).unwrap().to_string()
    }

    #[test]
    fn reports_are_cut_to_their_meaning() {
        let stack = "    #0 0x7f in __interceptor_free ../../../../src/libsanitizer/asan/a.cpp:52\n    \
                     #1 0x56 in main corpus/c/double_free.c:23\n    #2 0x7f in f (/lib/libc.so+0x2)\n";
        let said = "==1==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:\n";
        let found = shown(&format!("=====\n{said}{stack}"));
        assert_eq!(found, "AddressSanitizer: double-free at line 23");
        let said =
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x5 bp 0x7\n";
        let found = shown(&format!("{said}READ of size 1 at 0x6 thread T0\n{stack}"));
        assert_eq!(found, "AddressSanitizer: heap-use-after-free at line 23");
        let said = "a.c:7:12: runtime error: signed integer overflow: 1 + 2 cannot be represented in type 'int'";
        let expected = "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2 cannot be represented \
                        in type 'int' at line 7";
        assert_eq!(shown(said), expected);
        let said =
            "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5 bp";
        assert_eq!(shown(said), "AddressSanitizer: SEGV");
        let said = "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x7 in";
        let expected = "AddressSanitizer: free on address which was not malloc()-ed";
        assert_eq!(shown(said), expected);
        let said =
            "==1==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 4 byte(s) in 1\n";
        let found = shown(&format!("{said}{stack}"));
        assert_eq!(
            found,
            "LeakSanitizer: detected memory leaks of what line 23 allocates"
        );
        assert_eq!(Report::of("nothing"), None);
    }
}
