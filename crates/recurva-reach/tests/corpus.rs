//! The crate's own small graphs and grammars, by every algorithm that applies.

mod common;

use std::{collections::BTreeSet, fs, path::Path};

use common::{grammar, pairs, solved};
use recurva_reach::{Algorithm, Grammar, Layout, Notation, Options, carry_on, read};
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
        let graph = read(
            &source(graph).unwrap(),
            Layout::of(Path::new(graph)),
            u64::MAX,
            &mut carry_on,
        )
        .unwrap();
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
            let count = solution.count(&mut carry_on).unwrap();
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

/// Which edges a terminal is, by every algorithm. They share the step that finds those edges, so
/// the pairs are worked out by hand.
#[test]
fn a_label_with_its_index_is_also_the_indexed_label() {
    type Pairs = &'static [(u32, u32)];
    let calls = "0 1 call_3\n1 2 ret_3\n0 1 call_7\n1 3 ret_7\n";
    let cases: [(&str, &str, Pairs); 6] = [
        (calls, "S = call_i ret_i;", &[(0, 2), (0, 3)]),
        (calls, "S = call_7;", &[(0, 1)]),
        (
            calls,
            "S = call_i ret_i | call_7;",
            &[(0, 1), (0, 2), (0, 3)],
        ),
        (calls, "S = call_7 ret_i;", &[(0, 2), (0, 3)]),
        (
            calls,
            "S = ^ret_i ^call_i | ^ret_7;",
            &[(2, 0), (3, 0), (3, 1)],
        ),
        (
            "0 1 op--3\n1 2 op--4\n",
            "S = op_i ^op_i | 'op--3' op_i;",
            &[(0, 0), (0, 2), (1, 1)],
        ),
    ];
    for (text, rules, expected) in cases {
        let source = Source::new("calls.g", text).unwrap();
        let graph = read(&source, Layout::EdgeList, u64::MAX, &mut carry_on)
            .unwrap()
            .graph
            .unwrap();
        let expected: BTreeSet<(u32, u32)> = expected.iter().copied().collect();
        for (name, algorithm) in Algorithm::ALL {
            let options = Options {
                algorithm,
                ..Options::default()
            };
            if let Some(solution) = solved(&graph, &grammar(rules), &options) {
                assert_eq!(pairs(&solution), expected, "{rules} {name}");
            } else {
                assert_ne!(algorithm, Algorithm::Auto, "{rules}");
            }
        }
    }
}

#[test]
fn an_index_may_be_an_attribute() {
    let text = "a -> b -> c [label=\"call_i\", index=3]; c -> d [label=ret_3, color=red]";
    let graph = read(
        &Source::new("calls.dot", text).unwrap(),
        Layout::Dot,
        u64::MAX,
        &mut carry_on,
    )
    .unwrap();
    let graph = graph.graph.unwrap();
    let labels: Vec<String> = graph.edges().iter().map(|it| graph.label(it)).collect();
    assert_eq!(labels, ["call_3", "call_3", "ret_3"]);
    let found = solved(&graph, &grammar("S = call_i ret_i;"), &Options::default()).unwrap();
    assert_eq!(pairs(&found), BTreeSet::from([(1, 3)]));
}
