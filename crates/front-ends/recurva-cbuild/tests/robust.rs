//! No text makes a stage panic or a thread's stack overflow: programs with random mistakes, and texts
//! that are large or nested deeply.

mod common;

use std::{fs, path::Path};

use common::Model;
use recurva_cbuild::{BuildOptions, Scope, read};
use recurva_cir::validate;
use recurva_testkit::rng::Rng;

/// Whether a text is built; what is built is well formed.
fn is_built(text: impl Into<Vec<u8>>, options: &BuildOptions) -> bool {
    let text = common::text("text.c", text);
    match read(vec![text], Model::Lp64.target(), options) {
        Ok(built) => {
            validate(&built.module).expect("what is built is well formed");
            true
        }
        Err(errors) => {
            let count: usize = errors.iter().map(|(_, list)| list.iter().count()).sum();
            assert!(count > 0, "something is said");
            false
        }
    }
}

fn all() -> BuildOptions {
    BuildOptions {
        scope: Scope::All,
        ..BuildOptions::default()
    }
}

/// Words that may stand anywhere.
const WORDS: [&str; 48] = [
    "int",
    "char",
    "void",
    "struct",
    "union",
    "enum",
    "*",
    "&",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "+",
    "-",
    "++",
    "?",
    ":",
    "0",
    "1",
    "-1",
    "x",
    "return",
    "if",
    "else",
    "while",
    "for",
    "switch",
    "case 1:",
    "default:",
    "goto x;",
    "sizeof",
    "\"text\"",
    "'c'",
    "1.5",
    ".",
    "->",
    "static",
    "const",
    "__attribute__((packed))",
    "typeof",
    "0x7fffffffffffffff",
    "_Generic",
    "({",
];

fn mutate(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(text.len() + 1);
        let end = (at + rng.below(12)).min(text.len());
        let from = rng.below(text.len() + 1);
        let until = (from + rng.below(60)).min(text.len());
        match rng.below(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                let word = rng.pick(&WORDS).copied().unwrap_or("");
                let word = format!(" {word} ").into_bytes();
                text.splice(at..end, word);
            }
            2 => {
                let part = text[from..until].to_vec();
                text.splice(at..end, part);
            }
            3 if at < text.len() => text[at] = rng.below(256) as u8,
            _ => text.truncate(at.max(1)),
        }
    }
    text
}

#[test]
fn programs_with_mistakes_are_no_problem() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus/c");
    let entries = fs::read_dir(folder).expect("the corpus is there");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "c"));
    paths.sort();
    let mut texts: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).expect("it can be read");
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.collect::<Vec<_>>().join("\n").into_bytes()
        })
        .collect();
    texts.extend((0..20).map(|number| recurva_testkit::c::program(number).into_bytes()));
    let mut rng = Rng::new(7);
    let options = [all(), BuildOptions::default(), common::native()];
    let mut built = 0;
    let count = std::env::var("RECURVA_MUTATIONS").ok();
    let count = count.and_then(|it| it.parse().ok()).unwrap_or(1500);
    for _ in 0..count {
        let text = mutate(rng.pick(&texts).expect("there are some"), &mut rng);
        let options = rng.pick(&options).expect("there are some");
        built += usize::from(is_built(text, options));
    }
    assert!(built > 0, "some are still programs");
}

/// A text with something many times.
fn repeated(before: &str, middle: &str, count: usize, after: &str) -> String {
    let mut text = String::from(before);
    for _ in 0..count {
        text.push_str(middle);
    }
    text.push_str(after);
    text
}

#[test]
fn nesting_has_a_limit_and_no_other_end() {
    let million = 1_000_000;
    let texts = [
        repeated("int x = ", "(", million, "1;"),
        repeated("int main(void) ", "{", million, ""),
        repeated("int ", "*", million, "p; int main(void) { return !p; }"),
        repeated("int x", "[1]", million, ";"),
        repeated("int main(void) { return ", "-", million, "1; }"),
        repeated("int main(void) { int x = 0; return ", "x+", million, "x; }"),
        repeated("int main(void) { int x = 0; return ", "x,", million, "x; }"),
        repeated(
            "int main(void) { int x = 0; return ",
            "x&&",
            200_000,
            "x; }",
        ),
        repeated(
            "int main(void) { int x = 0; return ",
            "x?x:",
            200_000,
            "x; }",
        ),
        repeated("int main(void) { int x = 0; ", "x=", million, "x; }"),
        repeated("int main(void) { ", "if (1) ", million, "; }"),
        repeated("int main(void) { ", "; ", million, "}"),
        repeated("int main(void) { int x; ", "if (x) ; else ", million, "; }"),
        repeated("", "struct s { ", million, ""),
        repeated("int a[] = ", "{", million, ""),
        repeated("int f(int (*", "(*", million, ""),
    ];
    let mut labels = String::from("int main(int c, char **v) { switch (c) { ");
    for number in 0..300_000 {
        labels.push_str(&format!("l{number}: case {number}: "));
    }
    labels.push_str("; } }");
    for text in texts.into_iter().chain([labels]) {
        // Either is fine; neither may end the process.
        is_built(text, &all());
    }
}

#[test]
fn types_within_types_take_no_exponential_time() {
    // Empty, so that the sizes stay small: each has two of the one before.
    let mut text = String::from("struct s0 { };\n");
    for level in 1..60 {
        let below = level - 1;
        text.push_str(&format!("struct s{level} {{ struct s{below} a, b; }};\n"));
    }
    text.push_str("struct s59 all; int main(void) { return sizeof all; }");
    assert!(is_built(text, &all()));
}

#[test]
fn a_hundred_megabytes_are_built() {
    let line = "static int f(int x) { return x * 3 + 1; }\n";
    let mut text = String::new();
    // Mostly a comment-like tail of empty declarations: the size counts, not the number of functions.
    for number in 0..20_000 {
        text.push_str(&line.replace("f(", &format!("f{number}(")));
    }
    text.push_str(&"\n;".repeat(49_500_000));
    text.push_str("\nint main(void) { return f19999(1); }\n");
    assert!(text.len() > 95_000_000);
    assert!(is_built(text, &BuildOptions::default()));
}

#[test]
fn large_objects_are_no_problem() {
    let native = common::native();
    assert!(!is_built(
        "char a[1ul << 40]; int main(void) { return a[5]; }",
        &native
    ));
    // What nobody uses does not count.
    assert!(is_built(
        "char a[1ul << 40]; int main(void) { return 0; }",
        &native
    ));
    assert!(!is_built(
        "int a[] = { [1ul << 50] = 1 }; int main(void) { return a[5]; }",
        &native
    ));
    assert!(!is_built(
        "struct { int x; char c[]; } a = { 1, { [1ul << 45] = 1 } }; int main(void) { return a.x; }",
        &native
    ));
    let text = "int main(void) { char a[1ul << 40]; a[5] = 1; char b[a[5] << 20]; return b[0]; }";
    let text = common::text("text.c", text);
    let built = Model::Lp64.build(text, &native).expect("it is built");
    let outcome = common::run(&built, 1000)
        .expect("it is well formed")
        .outcome;
    assert!(matches!(
        outcome,
        recurva_cir::interpret::Outcome::OutOfMemory(_)
    ));
}
