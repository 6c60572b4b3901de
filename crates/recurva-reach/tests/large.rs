//! Graphs with more entries than go through at once.

mod common;

use common::{grammar, pairs, solved};
use recurva_reach::{Algorithm, Edge, Graph, NO_INDEX, Options, carry_on};
use recurva_testkit::rng::Rng;

/// Sparse graphs of calls, returns and plain edges.
fn random_calls(rng: &mut Rng, nodes: u32) -> Graph {
    let mut edges = Vec::new();
    let mut edge = |from, to, label, index| {
        edges.push(Edge {
            from,
            to,
            label,
            index,
        });
    };
    for node in 0..nodes {
        let near = |rng: &mut Rng| (node + 1 + rng.below(40) as u32) % nodes;
        if rng.chance(80) {
            edge(node, near(rng), 0, NO_INDEX);
        }
        if rng.chance(60) {
            // A call to some entry, and a return from near there to near here.
            let entry = rng.below(nodes as usize) as u32;
            edge(node, entry, 1, node);
            edge((entry + rng.below(4) as u32) % nodes, near(rng), 2, node);
        }
    }
    Graph::new(nodes, &["a", "call_i", "ret_i"], edges).unwrap()
}

#[test]
fn many_entries_in_many_teams() {
    let grammars = [
        grammar("A = (a | call_i A ret_i)*;"),
        grammar("R = (A | call_i)*; A = (a | call_i A ret_i)*;"),
        grammar("A = a | call_i A ret_i;"),
    ];
    for seed in 0..6 {
        let graph = random_calls(&mut Rng::new(seed), 1500);
        let grammar = &grammars[seed as usize % grammars.len()];
        let solve = |algorithm, threads| {
            let options = Options {
                algorithm,
                threads,
                ..Options::default()
            };
            solved(&graph, grammar, &options).unwrap()
        };
        let expected = pairs(&solve(Algorithm::Worklist, 1));
        assert!(expected.len() > 1500 / 2);
        for (algorithm, threads) in [
            (Algorithm::Auto, 2),
            (Algorithm::Rounds, 1),
            (Algorithm::Rounds, 3),
            (Algorithm::Facts, 1),
        ] {
            let solution = solve(algorithm, threads);
            assert_eq!(
                pairs(&solution),
                expected,
                "seed {seed}, {}",
                algorithm.name()
            );
            assert_eq!(
                solution.count(&mut carry_on).unwrap().with_diagonal(),
                expected.len() as u64
            );
        }
    }
}

#[test]
fn the_limit_on_memory_is_an_answer() {
    let graph = random_calls(&mut Rng::new(1), 1500);
    let grammar = grammar("A = (a | call_i A ret_i)*;");
    for (name, algorithm) in Algorithm::ALL {
        let options = Options {
            algorithm,
            memory: 10_000,
            ..Options::default()
        };
        assert!(solved(&graph, &grammar, &options).is_none(), "{name}");
    }
}
