//! Thousands of random edits: the server's text is that of a plain reference.

mod client;

use client::{Client, example, uri};
use lsp_types::Url;
use recurva_testkit::rng::Rng;
use serde_json::json;

/// A reference text: lines are found and columns counted anew for each edit.
struct Reference(String);

impl Reference {
    /// All places where an edit may begin or end: between characters, with their positions.
    fn places(&self) -> Vec<(usize, [u32; 2])> {
        let (mut line, mut column) = (0, 0);
        let mut places = vec![(0, [0, 0])];
        let text = &self.0;
        for (at, character) in text.char_indices() {
            let behind = at + character.len_utf8();
            let newline =
                character == '\n' || (character == '\r' && !text[behind..].starts_with('\n'));
            if newline {
                (line, column) = (line + 1, 0);
            } else {
                column += character.len_utf16() as u32;
            }
            // No position lies between the two characters of a line's end.
            if character != '\r' || newline {
                places.push((behind, [line, column]));
            }
        }
        places
    }

    /// A random edit of what stands near some place.
    fn edit(&mut self, rng: &mut Rng, pieces: &[&str]) -> ([[u32; 2]; 2], String) {
        let places = self.places();
        let first = rng.below(places.len());
        let last = (first + rng.below(12)).min(places.len() - 1);
        let piece = (*rng.pick(pieces).unwrap()).to_owned();
        let ((start, from), (end, to)) = (places[first], places[last]);
        self.0.replace_range(start..end, &piece);
        ([from, to], piece)
    }
}

const PIECES: &[&str] = &[
    "",
    "x",
    "\n",
    "\r\n",
    "\r",
    "ä",
    "𝄞",
    "// ö\n",
    "decl",
    ";",
    ":=",
    "begin",
    "end",
    "(",
    ")",
    "if (*) then",
    "fi",
    "goto L;",
    "L:",
    " ",
    "\"",
    "{",
    "}",
    "/*",
    "*/",
    "module",
    "G",
    "->",
    "event",
    "1..3",
    "@",
    "::",
    "\u{feff}",
    "\0",
];

fn run(uri: &Url, text: &str, seed: u64, edits: usize) {
    let mut rng = Rng::new(seed);
    let mut reference = Reference(text.to_owned());
    let mut client = Client::new();
    let mut version = client.open(uri, text);
    for turn in 0..edits {
        let (range, piece) = reference.edit(&mut rng, PIECES);
        version = client.edit(uri, range, &piece);
        if turn % 50 == 49 {
            // A place that may or may not be there.
            let place = [rng.below(40) as u32, rng.below(40) as u32];
            client.hover(uri, place);
            client.at("textDocument/completion", uri, place);
            client.about("textDocument/documentSymbol", uri);
            client.about("textDocument/codeLens", uri);
        }
    }
    let after_edits = client.diagnostics(uri, version);
    let outline = client.about("textDocument/documentSymbol", uri);
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    let version = client.open(uri, &reference.0);
    // The text is the same: so is all that is said of it.
    assert_eq!(after_edits, client.diagnostics(uri, version));
    assert_eq!(outline, client.about("textDocument/documentSymbol", uri));
    client.leave();
}

#[test]
fn programs() {
    for (name, seed) in [("quicksort.bp", 1), ("even_odd.bp", 2), ("accounts.rem", 3)] {
        let (_, text) = example(name);
        run(&uri(name), &text, seed, 1500);
    }
}

#[test]
fn other_languages() {
    let system = "process { s : a, b }\ninitial a*\nrule r : when a do s := b\nbad x : b+\n";
    for (name, text) in [
        ("x.rmc", system),
        (
            "x.pal",
            "global int n = 0;\nevent { pattern { f($1); } guard { n == $1 } }\n",
        ),
        ("x.ltl", "a: G(p -> F q)\nb: X \"x = 1\"\n"),
        ("x.ntmu", "def p(x) = EF x\na: AG(q -> [call] <ret> R1)\n"),
        ("x.mon", "monitor m\n init a\n target b\n a -> b when @L\n"),
    ] {
        run(&uri(name), text, 5, 600);
    }
}
