//! One small file per mistake: what the user is told.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_pal::lang::parse;
use recurva_syntax::{Source, Style};

#[test]
fn wrong_monitors_get_a_clear_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut files = BTreeSet::new();
    let mut snapshots = BTreeSet::new();
    for entry in fs::read_dir(&folder).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        let stem = path.file_stem().expect("a name").to_string_lossy();
        match path.extension().and_then(|it| it.to_str()) {
            Some("pal") => files.insert(stem.into_owned()),
            Some("snap") => snapshots.insert(stem.into_owned()),
            _ => false,
        };
    }
    for name in &files {
        let file = format!("{name}.pal");
        let bytes = fs::read(folder.join(&file)).expect("a readable file");
        let source = Source::from_bytes(file, bytes).expect("UTF-8");
        let parsed = parse(&source);
        assert!(parsed.diagnostics.has_errors(), "{name} has no error");
        assert!(parsed.monitor.is_none(), "{name} has errors and a monitor");
        let text = parsed.diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::with_settings!({
            snapshot_path => "wrong",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name.as_str(), text.join("\n"));
        });
    }
    let unused: Vec<_> = snapshots.difference(&files).collect();
    assert!(unused.is_empty(), "snapshots without a file: {unused:?}");
}

/// Nothing hangs, overflows or takes quadratic time.
#[test]
fn large_and_deep_texts_are_read() {
    let many = 200_000;
    for text in [
        "(".repeat(many) + &"]".repeat(many),
        format!("event {{ pattern {{ f({}", "(".repeat(many)),
        format!(
            "event {{ pattern {{ f(); }} action {{ x{} }} }}",
            "#".repeat(many)
        ),
        "event { pattern { f($1); } action { $1 = '' } }".repeat(many / 40),
        "pattern{f();}".repeat(many / 10),
        "global ".repeat(many),
        "before ".repeat(many),
        "''''".repeat(many),
    ] {
        let source = Source::new("large.pal", text).expect("a text that can be addressed");
        let parsed = parse(&source);
        assert_eq!(parsed.monitor.is_none(), parsed.diagnostics.has_errors());
        let text = parsed.diagnostics.render(&source, Style::Plain);
        assert!(text.len() < 200_000);
    }
}

/// Warnings do not stand in the way.
#[test]
fn strange_monitors_are_warned_of() {
    let text = "global int x, y;
event { pattern { $? = f($?); } local int z; action { y = 1; } }
event { pattern { $1 = f(0); } local int y = 2; action { y = $1; } }
event { pattern { g(); } guard { y = 1 } }
";
    let source = Source::new("strange.pal", text).expect("a short text");
    let parsed = parse(&source);
    assert!(parsed.monitor.is_some());
    insta::assert_snapshot!(parsed.diagnostics.render(&source, Style::Plain));
}
