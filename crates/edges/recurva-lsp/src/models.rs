//! Which model a file of properties is about.

use std::path::{Path, PathBuf};

use lsp_types::Url;
use recurva_check::Format;

/// In how many lines at the top of a file its model may be named.
const TOP: usize = 10;

/// The model of a file of properties, in this order: the one that a comment in its first lines
/// names (`# model: lock.bp`), the one of the same name beside it, the only one beside it, the
/// only one that is open.
pub(crate) fn model_of(uri: &Url, text: &str, open: &[&Url]) -> Option<Url> {
    let open = open.iter().copied();
    let open: Vec<&Url> = open.filter(|it| is_model(Path::new(it.path()))).collect();
    let Ok(path) = uri.to_file_path() else {
        return only(open.iter().copied()).cloned();
    };
    let folder = path.parent()?;
    if let Some(name) = named(text) {
        return Url::from_file_path(folder.join(name)).ok();
    }
    let mut beside: Vec<PathBuf> = open
        .iter()
        .filter_map(|it| it.to_file_path().ok())
        .filter(|it| it.parent() == Some(folder))
        .collect();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    beside.extend(entries.map(|entry| entry.path()).filter(|it| is_model(it)));
    beside.sort();
    beside.dedup();
    let same_name = beside.iter().find(|it| it.file_stem() == path.file_stem());
    if let Some(found) = same_name.or_else(|| only(beside.iter())) {
        return Url::from_file_path(found).ok();
    }
    only(open.iter().copied()).cloned()
}

/// Whether properties of other files can be about it.
fn is_model(path: &Path) -> bool {
    Format::of(path).is_some_and(|format| format.takes_properties)
}

/// The path behind `model:` in a comment at the top.
fn named(text: &str) -> Option<&Path> {
    let line = text.lines().take(TOP).find_map(|line| {
        let line = line.trim_start();
        let mut signs = ["#", "//", "/*"].into_iter();
        let comment = signs.find_map(|sign| line.strip_prefix(sign))?;
        comment.trim_start().strip_prefix("model:")
    })?;
    let name = line.trim().trim_end_matches("*/").trim_end();
    (!name.is_empty()).then_some(Path::new(name))
}

fn only<T>(mut list: impl Iterator<Item = T>) -> Option<T> {
    let first = list.next()?;
    list.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| Url::from_file_path(folder.path().join(name)).unwrap();
        let create = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        let elsewhere = Url::parse("file:///elsewhere/z.bp").unwrap();
        let spec = file("lock.ltl");
        assert_eq!(model_of(&spec, "", &[]), None);
        assert_eq!(model_of(&spec, "", &[&elsewhere]), Some(elsewhere.clone()));
        create("a.bp");
        assert_eq!(model_of(&spec, "", &[&elsewhere]), Some(file("a.bp")));
        create("b.rem");
        assert_eq!(model_of(&spec, "", &[&elsewhere]), Some(elsewhere.clone()));
        assert_eq!(model_of(&spec, "", &[&elsewhere, &file("b.rem")]), None);
        create("lock.bp");
        assert_eq!(model_of(&spec, "", &[&elsewhere]), Some(file("lock.bp")));
        let text = "# about locks\n// model: b.rem\na: G 1";
        assert_eq!(model_of(&spec, text, &[]), Some(file("b.rem")));
    }
}
