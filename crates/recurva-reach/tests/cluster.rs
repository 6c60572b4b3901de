//! Differential dataflow against the other algorithms: several workers, changing edges.

#![cfg(feature = "cluster")]

mod common;

use common::{grammar, random_grammar, random_graph, solved};
use recurva_reach::{
    Algorithm, Edge, Graph, Options, carry_on,
    cluster::{Change, Workers, count_on},
};
use recurva_testkit::rng::Rng;

#[test]
fn counts_follow_the_edges() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let graph = random_graph(&mut rng);
        let text = random_grammar(&mut rng);
        let grammar = grammar(&text);
        let mut edges: Vec<Edge> = graph.edges().to_vec();
        let labels: Vec<&str> = graph.labels().iter().map(|label| &**label).collect();
        let expect = |edges: &[Edge]| {
            let graph = Graph::new(graph.nodes(), &labels, edges.to_vec()).unwrap();
            let options = Options {
                algorithm: Algorithm::Naive,
                ..Options::default()
            };
            solved(&graph, &grammar, &options)
                .unwrap()
                .count(&mut carry_on)
                .unwrap()
        };
        let mut expected = vec![expect(&edges)];
        let mut batches = Vec::new();
        for _ in 0..3 {
            let mut batch = Vec::new();
            for edge in random_graph(&mut rng).edges().iter().take(3) {
                if edge.from.max(edge.to) < graph.nodes() {
                    edges.push(*edge);
                    batch.push(Change {
                        edge: *edge,
                        added: true,
                    });
                }
            }
            if !edges.is_empty() {
                let edge = edges.swap_remove(rng.below(edges.len()));
                batch.push(Change { edge, added: false });
            }
            expected.push(expect(&edges));
            batches.push(batch);
        }
        let workers = Workers {
            threads: 1 + (seed % 2) as usize,
            hosts: None,
        };
        let counts = count_on(&workers, &graph, &grammar, &batches).unwrap();
        assert_eq!(counts, Some(expected), "seed {seed}\n{text}");
    }
}
