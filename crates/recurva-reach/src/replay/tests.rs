//! Witnesses that are wrong in one place are refused.

use recurva_syntax::{Diagnostics, Source};

use super::*;
use crate::{Edge, NO_INDEX, Notation, Options, solve};

fn grammar(text: &str) -> Grammar {
    let source = Source::new("test.ebnf", text).expect("a short text");
    let parsed = Grammar::read(&source, Notation::Ebnf);
    parsed.grammar.expect("no errors")
}

/// `0 -c_7-> 1 -a-> 2 -r_7-> 3`, and a second call of the same.
fn example() -> (Graph, Grammar) {
    let edge = |from, to, label, index| Edge {
        from,
        to,
        label,
        index,
    };
    let edges = vec![
        edge(0, 1, 0, 7),
        edge(1, 2, 1, NO_INDEX),
        edge(2, 3, 2, 7),
        edge(2, 3, 2, 8),
        edge(3, 4, 3, NO_INDEX),
    ];
    let graph = Graph::new(5, &["c_i", "a", "r_i", "c--9"], edges).expect("it fits");
    (graph, grammar("S = c_i A r_i c_9?; A = a; "))
}

/// Two nodes and a label each.
type Hops = [(u32, u32, u32)];

fn witness(labels: &[&str], hops: &Hops) -> Witness {
    let edge = |&(from, to, label)| Step::Edge(Hop { from, to, label });
    let parts = vec![hops.iter().map(edge).collect()];
    let labels = labels.iter().map(|&label| label.to_owned()).collect();
    Witness::of(labels, parts, hops.len() as u64)
}

#[test]
fn what_is_not_there_is_refused() {
    let (graph, grammar) = example();
    let labels = ["c_7", "a", "r_7", "r_8", "c_0", "^a"];
    let right = [(0, 1, 0), (1, 2, 1), (2, 3, 2)];
    let replayed = replay(&witness(&labels, &right), &graph, &grammar, (0, 3));
    assert!(replayed.expect("it is a witness").is_derived());
    let message = |hops: &Hops, ends| {
        let wrong = replay(&witness(&labels, hops), &graph, &grammar, ends);
        wrong.expect_err("it is none").to_string()
    };
    let wrong: [(&Hops, (u32, u32), &str); 7] = [
        (&right, (0, 4), "does not lead from"),
        (&right[..2], (0, 2), "no word of the language"),
        (&[right[0], right[2]], (0, 3), "does not begin where"),
        (
            &[(0, 1, 4), right[1], right[2]],
            (0, 3),
            "no edge 0 -c_0-> 1",
        ),
        (
            &[right[0], right[1], (2, 3, 3)],
            (0, 3),
            "no word of the language",
        ),
        (
            &[right[0], (1, 2, 5), right[2]],
            (0, 3),
            "no edge 1 -^a-> 2",
        ),
        (
            &[right[0], right[1], (2, 3, 9)],
            (0, 3),
            "an edge has no label",
        ),
    ];
    for (hops, ends, expected) in wrong {
        let message = message(hops, ends);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn parts_are_walked_once_and_end() {
    let (graph, _) = example();
    let grammar = grammar("S = a*;");
    let edge = |from, to| Step::Edge(Hop { from, to, label: 0 });
    let of = |parts: Vec<Vec<Step>>, length| {
        let witness = Witness::of(vec!["a".to_owned()], parts, length);
        replay(&witness, &graph, &grammar, (1, 2))
    };
    assert!(of(vec![vec![Step::Part(1)], vec![edge(1, 2)]], 1).is_ok());
    for (parts, length) in [
        (vec![vec![Step::Part(1)], vec![edge(1, 2)]], 2),
        (
            vec![vec![Step::Part(1)], vec![Step::Part(0), edge(1, 2)]],
            1,
        ),
        (vec![vec![Step::Part(0), edge(1, 2)]], 1),
        (vec![vec![Step::Part(7), edge(1, 2)]], 1),
        (vec![], 0),
    ] {
        assert!(of(parts.clone(), length).is_err(), "{parts:?}");
    }
}

#[test]
fn labels_are_those_of_the_graph() {
    let edge = |from, to, label| Edge {
        from,
        to,
        label,
        index: NO_INDEX,
    };
    let edges = vec![edge(0, 1, 0), edge(1, 2, 1), edge(2, 3, 2), edge(4, 3, 0)];
    let graph = Graph::new(5, &["op--3", "op_03", "^x"], edges).expect("it fits");
    let grammar = grammar("S = op_i op_i '^x' ^op_i;");
    let solution = solve(
        &graph,
        &grammar,
        &Options::default(),
        &mut Diagnostics::default(),
    );
    // Three symbols with one index are no pair: there is a witness to be read, but none is found.
    assert_eq!(solution.expect("it is small").witness(0, 4), None);
    let found = witness(
        &["op_3", "^x", "^op_3"],
        &[(0, 1, 0), (1, 2, 0), (2, 3, 1), (3, 4, 2)],
    );
    let replayed = replay(&found, &graph, &grammar, (0, 4)).expect("it is a witness");
    let labels = replayed.witness().labels();
    assert_eq!(labels, ["op--3", "op_03", "^x", "^op--3"]);
    assert!(replayed.is_derived());
}
