//! All algorithms against the reference, on thousands of random graphs and grammars.

mod common;

use common::{grammar, pairs, random_grammar, random_graph, solved};
use recurva_reach::{Algorithm, Options, carry_on};
use recurva_testkit::rng::Rng;

fn options(algorithm: Algorithm, seed: u64) -> Options {
    Options {
        algorithm,
        threads: 1 + (seed % 2) as usize,
        ..Options::default()
    }
}

#[test]
fn all_algorithms_agree_with_the_reference() {
    let mut applied = [0; Algorithm::ALL.len()];
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let graph = random_graph(&mut rng);
        let text = random_grammar(&mut rng);
        let grammar = grammar(&text);
        let reference = solved(&graph, &grammar, &options(Algorithm::Naive, seed)).unwrap();
        let expected = pairs(&reference);
        for (number, (name, algorithm)) in Algorithm::ALL.into_iter().enumerate() {
            let Some(solution) = solved(&graph, &grammar, &options(algorithm, seed)) else {
                let always = [Algorithm::Auto, Algorithm::Naive, Algorithm::Worklist];
                assert!(!always.contains(&algorithm), "{name} always applies");
                continue;
            };
            applied[number] += 1;
            let say = || format!("seed {seed}, {name}\n{text}\n{:?}", graph.edges());
            assert_eq!(pairs(&solution), expected, "{}", say());
            let count = solution.count(&mut carry_on).unwrap();
            let diagonal = expected.iter().filter(|(from, to)| from == to).count() as u64;
            assert_eq!(count.diagonal, diagonal, "{}", say());
            assert_eq!(count.with_diagonal(), expected.len() as u64, "{}", say());
            if seed % 8 == 0 {
                questions(&solution, &expected, graph.nodes(), &say);
            }
        }
    }
    for ((name, _), count) in Algorithm::ALL.into_iter().zip(applied) {
        assert!(count >= 200, "{name} applied to {count} only");
    }
}

/// Single sources, single targets, single pairs.
fn questions(
    solution: &recurva_reach::Solution,
    expected: &std::collections::BTreeSet<(u32, u32)>,
    nodes: u32,
    say: &dyn Fn() -> String,
) {
    for node in 0..nodes {
        let targets: Vec<u32> = (0..nodes)
            .filter(|&to| expected.contains(&(node, to)))
            .collect();
        assert_eq!(solution.targets_of(node), targets, "{}", say());
        let sources: Vec<u32> = (0..nodes)
            .filter(|&it| expected.contains(&(it, node)))
            .collect();
        assert_eq!(solution.sources_of(node), sources, "{}", say());
        for to in 0..nodes {
            assert_eq!(
                solution.contains(node, to),
                expected.contains(&(node, to)),
                "{}",
                say()
            );
        }
    }
}
