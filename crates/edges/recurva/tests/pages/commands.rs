//! Every command that a page shows is one that the command line takes.

use super::page::{Page, book, everything, project};

/// Blocks of commands are of one of two kinds: `console`, which `tests/book.rs` runs, and `sh`,
/// for what cannot be run everywhere, whose commands are parsed here. Those of `sh gcc` are run
/// where there is a compiler; those of `sh cluster` need the feature of that name.
#[test]
fn commands_in_blocks_are_run_or_parsed() {
    for page in &book() {
        for block in &page.blocks {
            let lines: Vec<&str> = block.text.lines().map(unprompted).collect();
            let kind = block.info.as_str();
            let commands = lines.iter().any(|line| line.starts_with("recurva "));
            assert!(
                !commands || ["console", "sh", "sh gcc", "sh cluster"].contains(&kind),
                "{}: commands stand in blocks of the kind `console` or `sh`",
                page.at(block.line),
            );
            assert!(
                !kind.is_empty(),
                "{}: a block of no kind would be run: write `text`",
                page.at(block.line),
            );
            let is_shell = kind == "sh" || kind.starts_with("sh ");
            if is_shell && (kind != "sh cluster" || cfg!(feature = "cluster")) {
                for (number, line) in (block.line..).zip(&lines) {
                    parse_line(&page.at(number), line);
                }
            }
        }
    }
}

/// The README's commands go through cargo.
#[test]
fn the_commands_of_the_readme_are_parsed() {
    let page = Page::read(&project().join("README.md"));
    let mut seen = 0;
    for block in &page.blocks {
        for (number, line) in (block.line..).zip(block.text.lines()) {
            if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
                parse_line(&page.at(number), &format!("recurva {rest}"));
                seen += 1;
            }
        }
    }
    assert!(seen > 8);
}

/// In the text, too: `recurva …` in code is a command that is complete, or just the name of one.
#[test]
fn commands_in_the_text_are_parsed() {
    for page in &everything() {
        for (number, line) in &page.lines {
            let spans = line.split('`').skip(1).step_by(2);
            for span in spans.filter(|span| span.starts_with("recurva ")) {
                let words = shlex::split(span).expect("words");
                if !is_name(&words) && !span.contains('…') {
                    parse(&page.at(*number), &words);
                }
            }
        }
    }
}

/// Whether these are the words of a command without any argument.
fn is_name(words: &[String]) -> bool {
    let mut command = &recurva::command();
    words[1..].iter().all(|word| {
        let found = command.find_subcommand(word);
        command = found.unwrap_or(command);
        found.is_some()
    })
}

fn unprompted(line: &str) -> &str {
    line.strip_prefix("$ ").unwrap_or(line)
}

/// A line of a shell: a command of ours, or one of another program that has ours as an argument,
/// as in `make CC='recurva pal cc …'`.
fn parse_line(at: &str, line: &str) {
    let mut words = shlex::split(line).unwrap_or_else(|| panic!("{at}: a quote is open"));
    if let Some(end) = words.iter().position(|word| word == ">") {
        words.truncate(end);
    }
    if words.first().is_some_and(|word| word == "recurva") {
        return parse(at, &words);
    }
    for word in &words {
        if let Some(start) = word.find("recurva ") {
            parse(at, &shlex::split(&word[start..]).expect("words"));
        }
    }
}

fn parse(at: &str, words: &[String]) {
    if let Err(error) = recurva::command().try_get_matches_from(words) {
        panic!("{at}: {}: {error}", words.join(" "));
    }
}

/// A block may quote a file, which its first line names: `text examples/flip.bp`.
#[test]
fn quotations_are_in_the_files() {
    let mut seen = 0;
    for page in &book() {
        for block in &page.blocks {
            let Some((_, file)) = block.info.split_once(' ') else {
                continue;
            };
            if file.contains('/') {
                let path = project().join(file);
                let whole = std::fs::read_to_string(&path);
                let whole = whole.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let at = page.at(block.line);
                assert!(
                    whole.contains(&block.text),
                    "{at}: {file} says it otherwise"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 5);
}
