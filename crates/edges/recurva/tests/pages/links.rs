//! Links between pages, and from pages to files, lead somewhere.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use super::page::{Page, everything, project};

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for page in &everything() {
        for (line, target) in links(page) {
            if target.contains("://") {
                continue;
            }
            seen += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = page.path.parent().expect("a folder");
            let path = match file {
                "" => page.path.clone(),
                file => folder.join(file),
            };
            let at = page.at(line);
            assert!(path.exists(), "{at}: there is no {target}");
            if !anchor.is_empty() {
                let anchors = anchors(&Page::read(&path));
                assert!(anchors.contains(anchor), "{at}: no anchor {target}");
            }
            assert!(
                !is_in_book(&page.path) || !is_page(&path) || is_in_book(&path),
                "{at}: mdBook would look for {target} in the book: link to its folder",
            );
        }
    }
    assert!(seen > 100);
}

/// The folder that a crate is in.
fn stage(name: &str) -> PathBuf {
    let stages = std::fs::read_dir(project().join("crates")).expect("the crates");
    let mut stages = stages.map(|stage| stage.expect("a stage").path());
    let found = stages.find(|stage| stage.join(name).is_dir());
    found.unwrap_or_else(|| project().join("crates"))
}

/// Files that are named in the text, such as `recurva-flat/src/saturate.rs`, are there.
#[test]
fn files_in_the_text_are_there() {
    let mut seen = 0;
    for page in &everything() {
        for (line, text) in &page.lines {
            for span in text.split('`').skip(1).step_by(2) {
                let folder = match span.split_once('/') {
                    _ if span.contains([' ', '…', '*']) => continue,
                    Some((name, _)) if name.starts_with("recurva-") => stage(name),
                    Some(("examples" | "corpus" | "crates" | "docs" | "xtask", _)) => project(),
                    _ => continue,
                };
                let path = folder.join(span);
                let at = page.at(*line);
                assert!(path.exists(), "{at}: there is no {}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 100);
}

/// Every page of the book has a place in it.
#[test]
fn the_summary_lists_all_pages() {
    let folder = project().join("docs/src");
    let summary = Page::read(&folder.join("SUMMARY.md"));
    let listed: HashSet<_> = links(&summary)
        .into_iter()
        .map(|(_, it)| folder.join(it))
        .collect();
    for page in super::page::book() {
        let is_listed = listed.contains(&page.path) || page.path == summary.path;
        assert!(is_listed, "SUMMARY.md lacks {}", page.path.display());
    }
}

fn is_in_book(path: &Path) -> bool {
    let path = path.canonicalize().expect("a file that exists");
    path.starts_with(project().join("docs/src"))
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "md")
}

/// The targets of links and pictures, `[…](target)`, outside of code.
fn links(page: &Page) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in &page.lines {
        let text: String = line.split('`').step_by(2).collect();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            found.push((*number, target.to_owned()));
        }
    }
    found
}

/// What headings can be linked by: their letters and digits, with `-` for blanks.
fn anchors(page: &Page) -> HashSet<String> {
    let headings = page.lines.iter().filter(|(_, line)| line.starts_with('#'));
    let slug = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter if letter.is_alphanumeric() || "-_".contains(letter) => Some(letter),
            _ => None,
        });
        kept.collect()
    };
    headings.map(|(_, line)| slug(line)).collect()
}
