//! One small file per mistake in a flat machine: what the user is told.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_lang::{pds, rsm};
use recurva_model::rsm::Letters;
use recurva_syntax::{Source, Style};

#[test]
fn wrong_machines_get_a_clear_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong_machines");
    let mut files = BTreeSet::new();
    let mut snapshots = BTreeSet::new();
    for entry in fs::read_dir(&folder).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        match name.split_once('.') {
            Some((stem, "rsm" | "pds")) => files.insert((stem.to_owned(), name.into_owned())),
            Some((stem, "snap")) => snapshots.insert(stem.to_owned()),
            _ => false,
        };
    }
    assert!(files.len() >= 25);
    for (name, file) in &files {
        let bytes = fs::read(folder.join(file)).expect("a readable file");
        let source = Source::from_bytes(file.as_str(), bytes).expect("UTF-8");
        let (good, diagnostics) = if file.ends_with("rsm") {
            let parsed = rsm::parse(&source);
            (parsed.rsm.is_some(), parsed.diagnostics)
        } else {
            let parsed = pds::parse(&source);
            (parsed.pds.is_some(), parsed.diagnostics)
        };
        assert!(diagnostics.has_errors(), "{name} has no error");
        assert!(!good, "{name} has errors and a machine");
        let text = diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::with_settings!({
            snapshot_path => "wrong_machines",
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

#[test]
fn no_text_makes_a_reader_panic() {
    let pieces = [
        "component",
        "A",
        "entry",
        "exit",
        "box",
        "b",
        ":",
        "->",
        "-->",
        "<",
        ">",
        "(",
        ")",
        ".",
        ",",
        "\n",
        "init",
        "accept",
        "label",
        "\"",
        "ä",
        "#",
        "-",
        "p",
    ];
    let mut bits = 1u64;
    for _ in 0..4_000 {
        let mut text = String::new();
        for _ in 0..24 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(bits >> 33) as usize % pieces.len()]);
            if bits >> 60 != 0 {
                text.push(' ');
            }
        }
        let source = Source::new("x", text).expect("a short text");
        let parsed = rsm::parse(&source);
        assert_eq!(parsed.rsm.is_none(), parsed.diagnostics.has_errors());
        let parsed = pds::parse(&source);
        assert_eq!(parsed.pds.is_none(), parsed.diagnostics.has_errors());
    }
}

#[test]
fn large_machines_are_read_in_one_go() {
    let mut text = String::from("component A\n entry e\n");
    for index in 0..200_000 {
        text.push_str(&format!(
            " node n{index}\n e -> n{index} : l{}\n",
            index % 7
        ));
    }
    text.push_str("init A.e\n");
    let source = Source::new("large.rsm", text).expect("less than 4 GiB");
    let machine = rsm::parse(&source).rsm.expect("a right machine");
    assert_eq!(machine.len(), 200_001);
    let points = machine.to_program(Letters::Dropped);
    assert_eq!(points.program.labels().len(), 200_001);
}
