//! One small file per mistake in a graph or a grammar: what the user is told.

use std::{collections::BTreeSet, fs, path::Path};

use recurva_reach::{
    Edge, Grammar, Graph, Layout, NO_INDEX, Notation, Options, carry_on, read, solve,
};
use recurva_syntax::{Diagnostics, Source, Style};

#[test]
fn wrong_graphs_and_grammars_get_a_clear_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let names = fs::read_dir(&folder).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let (snapshots, files): (Vec<_>, Vec<_>) = names.partition(|name| name.ends_with(".snap"));
    let mut snapshots: BTreeSet<String> = snapshots.into_iter().collect();
    assert!(files.len() >= 30);
    for name in &files {
        let bytes = fs::read(folder.join(name)).unwrap();
        let source = Source::from_bytes(name.as_str(), bytes).unwrap();
        let path = Path::new(name.as_str());
        let (good, diagnostics) = match path.extension().unwrap().to_str().unwrap() {
            "cfg" | "ebnf" => {
                let parsed = Grammar::read(&source, Notation::of(path));
                (parsed.grammar.is_some(), parsed.diagnostics)
            }
            _ => {
                let parsed = read(&source, Layout::of(path), u64::MAX, &mut carry_on).unwrap();
                (parsed.graph.is_some(), parsed.diagnostics)
            }
        };
        assert!(!diagnostics.is_empty(), "{name} is fine");
        assert_eq!(good, !diagnostics.has_errors(), "{name}");
        let text = diagnostics.render(&source, Style::Plain);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        let stem = path.file_stem().unwrap().to_string_lossy();
        insta::with_settings!({
            snapshot_path => "wrong",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(&*stem, text.join("\n"));
        });
        snapshots.remove(&format!("{stem}.snap"));
    }
    assert!(
        snapshots.is_empty(),
        "snapshots without a file: {snapshots:?}"
    );
}

/// Texts that are cut off or garbled anywhere are read to the end.
#[test]
fn no_text_is_too_odd() {
    let texts = [
        "digraph g { a -> b -> c [label=\"x\", color=red]; d [shape=box]; /* c */ // e\n }",
        "0 1 a\n1 2 call_i 3\n\u{e4} \u{f6} \u{fc}\n# x\n",
        "S = (a | ^b_i S 'c d' e_i)* | ; T_i = x_i+ y? ; # end\n",
        "S\ta\tT\nT\tb\n\nCount:\nS\n",
    ];
    for text in texts {
        for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            for odd in [&text[..cut], &text[cut..]] {
                let source = Source::new("odd", odd).unwrap();
                for layout in [Layout::EdgeList, Layout::Csv, Layout::Dot] {
                    let parsed = read(&source, layout, u64::MAX, &mut carry_on).unwrap();
                    assert_eq!(parsed.graph.is_some(), !parsed.diagnostics.has_errors());
                }
                for notation in [Notation::Lines, Notation::Ebnf] {
                    let parsed = Grammar::read(&source, notation);
                    assert_eq!(parsed.grammar.is_some(), !parsed.diagnostics.has_errors());
                }
            }
        }
    }
}

/// Deep nesting needs no deep stack.
#[test]
fn no_group_is_too_deep() {
    let depth = 100_000;
    let text = format!("S = {}a{};", "(".repeat(depth), ")".repeat(depth));
    let source = Source::new("deep", text).unwrap();
    let grammar = Grammar::read(&source, Notation::Ebnf).grammar.unwrap();
    let edge = Edge {
        from: 0,
        to: 1,
        label: 0,
        index: NO_INDEX,
    };
    let graph = Graph::new(2, &["a"], vec![edge]).unwrap();
    let solution = solve(
        &graph,
        &grammar,
        &Options::default(),
        &mut Diagnostics::default(),
        &mut carry_on,
    );
    assert_eq!(solution.unwrap().count(&mut carry_on).unwrap().pairs, 1);
}
