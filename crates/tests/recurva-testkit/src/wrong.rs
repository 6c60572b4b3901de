//! One small file per mistake, with a snapshot of what the user is told beside it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use recurva_syntax::{Diagnostics, Source, Style};

/// Reads every file of a folder that has one of the extensions, and compares the messages with
/// the snapshot of that name in the same folder. `read` says whether anything came of a text,
/// with the messages. Snapshots that belong to no file are rejected.
///
/// # Panics
///
/// If a file has no error, if something came of it all the same, or if a message changed.
pub fn compare(folder: &Path, extensions: &[&str], read: impl Fn(&Source) -> (bool, Diagnostics)) {
    let mut files = BTreeMap::new();
    let mut snapshots = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        match name.split_once('.') {
            Some((stem, "snap")) => drop(snapshots.insert(stem.to_owned())),
            Some((stem, own)) if extensions.contains(&own) => {
                let other = files.insert(stem.to_owned(), name.clone().into_owned());
                assert_eq!(other, None, "two files called {stem} share a snapshot");
            }
            _ => {}
        }
    }
    assert!(!files.is_empty(), "{} has no files", folder.display());
    for (name, file) in &files {
        let bytes = fs::read(folder.join(file)).expect("a readable file");
        let source = Source::from_bytes(file.as_str(), bytes).expect("UTF-8");
        let (has_result, diagnostics) = read(&source);
        assert!(diagnostics.has_errors(), "{name} has no error");
        assert!(!has_result, "{name} has errors and a result");
        let text = diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::with_settings!({
            snapshot_path => folder,
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name.as_str(), text.join("\n"));
        });
        snapshots.remove(name);
    }
    assert!(
        snapshots.is_empty(),
        "snapshots without a file: {snapshots:?}"
    );
}

/// A folder of the tests of a crate, given the crate's `CARGO_MANIFEST_DIR`.
#[macro_export]
macro_rules! test_folder {
    ($name:literal) => {
        ::std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join($name)
    };
}
