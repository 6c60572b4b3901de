//! The crate's own small graphs and grammars, by every algorithm that applies.

mod common;

use std::{fs, path::Path};

use common::solved;
use recurva_reach::{Algorithm, Grammar, Layout, Notation, Options, read};
use recurva_syntax::Source;

#[test]
fn small_graphs_have_their_counts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let source = |name: &str| Source::new(name, fs::read_to_string(folder.join(name)).unwrap());
    let cases = fs::read_to_string(folder.join("cases.txt")).unwrap();
    let mut seen = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [graph, grammar, pairs, all, picked] = words[..] else {
            panic!("{line}")
        };
        let graph = read(&source(graph).unwrap(), Layout::of(Path::new(graph)));
        let notation = Notation::of(Path::new(grammar));
        let grammar = Grammar::read(&source(grammar).unwrap(), notation);
        let (graph, grammar) = (graph.graph.unwrap(), grammar.grammar.unwrap());
        for (name, algorithm) in Algorithm::ALL {
            let options = Options {
                algorithm,
                ..Options::default()
            };
            let Some(solution) = solved(&graph, &grammar, &options) else {
                continue;
            };
            let count = solution.count();
            assert_eq!(count.pairs.to_string(), pairs, "{line}: {name}");
            assert_eq!(count.with_diagonal().to_string(), all, "{line}: {name}");
            if algorithm == Algorithm::Auto {
                assert_eq!(solution.algorithm().name(), picked, "{line}");
            }
        }
        seen += 1;
    }
    assert!(seen >= 8);
}
