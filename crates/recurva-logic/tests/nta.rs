//! Automata on nested trees as text.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_logic::nta::{self, Automaton};
use recurva_syntax::{Source, Style};

fn read(text: &str) -> Automaton {
    let source = Source::new("automaton.nta", text).expect("a short text");
    let parsed = nta::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.automaton.unwrap_or_else(|| panic!("{errors}"))
}

#[test]
fn wrong_automata_get_a_clear_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong_nta");
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
            Some("nta") => files.insert(stem),
            Some("snap") => snapshots.insert(stem),
            _ => false,
        };
    }
    assert!(files.len() >= 15);
    for name in &files {
        let file = format!("{name}.nta");
        let bytes = fs::read(folder.join(&file)).expect("a readable file");
        let source = Source::from_bytes(file, bytes).expect("UTF-8");
        let parsed = nta::parse(&source);
        assert!(parsed.diagnostics.has_errors(), "{name} has no error");
        assert!(
            parsed.automaton.is_none(),
            "{name} has errors and an automaton"
        );
        let text = parsed.diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::with_settings!({
            snapshot_path => "wrong_nta",
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
fn what_is_written_reads_back() {
    for text in [
        "alternating\ninit q\nstate q 0 =\n  true\n",
        "alternating stairs\ninit b\nstate a 1 =\n  p & (!q | \"two words\") & @A.u | go b\n\
         state b 2 =\n  <loc> a & [loc] b | <call> a & [call] b\n",
        "alternating\ninit q\nstate q 3 =\n  <ret> q | [ret, q] q | <ret, q> q & (p | q & (p | q))\n",
        "nondeterministic\ninit q\nstate q 0\nstate 7 12\nq -> q, -\n\
         q (p, !\"x y\") -> (q, 7), 7\n7 -> -, -\n",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
}

#[test]
fn abbreviations_are_written_out() {
    let text = "alternating\ninit q\nstate q 0 = (p & !r -> <> q) & !(p | !q) # end\n";
    assert_eq!(
        read(text).to_string(),
        "alternating\ninit q\nstate q 0 =\n  (!p | r | (<loc> q | <call> q | <ret> q)) & (!p & q)\n"
    );
}

#[test]
fn deep_terms_need_no_stack() {
    let depth = 200_000;
    let text = format!(
        "alternating\ninit q\nstate q 0 = {}p{}\nstate r 0 = {}p",
        "(".repeat(depth),
        ")".repeat(depth),
        "(p & <loc> q | ".repeat(depth) + "p" + &")".repeat(depth) + " | "
    );
    let Automaton::Alternating(automaton) = read(&text) else {
        panic!("another kind")
    };
    let complement = automaton.complement().complement();
    assert_eq!(complement.to_string().len(), {
        let priorities = automaton.to_string().replace("state q 0", "state q 2");
        priorities.replace("state r 0", "state r 2").len()
    });
}
