//! One small file per mistake: what the user is told.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_lang::{
    bp::{self, Parsed},
    rem,
};
use recurva_syntax::{Source, Style};

/// Reads every file of a folder and compares the messages with the snapshot beside it.
fn compare(folder: &str, extension: &str, parse: impl Fn(&Source) -> Parsed) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let mut files = BTreeSet::new();
    let mut snapshots = BTreeSet::new();
    for entry in fs::read_dir(&path).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        let stem = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        match path.extension().and_then(|e| e.to_str()) {
            Some("snap") => snapshots.insert(stem),
            Some(own) if own == extension => files.insert(stem),
            _ => false,
        };
    }
    assert!(files.len() >= 40);
    for name in &files {
        let file = format!("{name}.{extension}");
        let bytes = fs::read(path.join(&file)).expect("a readable file");
        let source = Source::from_bytes(file, bytes).expect("UTF-8");
        let parsed = parse(&source);
        assert!(parsed.diagnostics.has_errors(), "{name} has no error");
        assert!(parsed.program.is_none(), "{name} has errors and a program");
        let text = parsed.diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::with_settings!({
            snapshot_path => folder,
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name.as_str(), text.join("\n"));
        });
    }
    let unused: Vec<_> = snapshots.difference(&files).collect();
    assert!(unused.is_empty(), "snapshots without a file: {unused:?}");
}

#[test]
fn wrong_programs_get_a_clear_message() {
    compare("wrong", "bp", |source| {
        bp::parse(source, &bp::Options::default())
    });
}

#[test]
fn wrong_remopla_gets_a_clear_message() {
    compare("wrong_remopla", "rem", rem::parse);
}
