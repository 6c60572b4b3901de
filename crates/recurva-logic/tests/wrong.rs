//! One small file per mistake: what the user is told.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_lang::bp;
use recurva_logic::monitor;
use recurva_syntax::{Source, Style};

const MODEL: &str = "
decl g, h; decl int(4) n, a[3];
bool lock(int(4) id, b) begin decl v[2]; acquire: g := T; release: return b; end
void main() begin L: h := lock(n, g); goto L; end";

#[test]
fn wrong_monitors_get_a_clear_message() {
    let model = Source::new("model.bp", MODEL).expect("a short text");
    let program = bp::parse(&model, &bp::Options::default())
        .program
        .expect("a right program");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut files = BTreeSet::new();
    let mut snapshots = BTreeSet::new();
    for entry in fs::read_dir(&folder).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        let stem = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        match path.extension().and_then(|e| e.to_str()) {
            Some("mon") => files.insert(stem),
            Some("snap") => snapshots.insert(stem),
            _ => false,
        };
    }
    for name in &files {
        let file = format!("{name}.mon");
        let bytes = fs::read(folder.join(&file)).expect("a readable file");
        let source = Source::from_bytes(file, bytes).expect("UTF-8");
        let parsed = monitor::parse(&source, &program);
        assert!(parsed.diagnostics.has_errors(), "{name} has no error");
        assert!(parsed.monitors.is_none(), "{name} has errors and monitors");
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
