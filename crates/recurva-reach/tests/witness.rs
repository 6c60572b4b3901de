//! Witnesses are paths, their labels are words of the language, and none is shorter.

mod common;

use std::collections::BTreeMap;

use common::{PLAIN, Rules, derives, grammar, pairs, random_graph, rules, solved};
use recurva_reach::{Algorithm, Graph, Options, Witness, carry_on};
use recurva_testkit::rng::Rng;

/// A symbol, its index, and two nodes.
type Fact = (String, Option<u32>, u32, u32);

/// The length of a shortest path for each fact, by going round until nothing changes.
fn shortest(rules: &Rules, graph: &Graph) -> BTreeMap<Fact, u64> {
    let mut table: BTreeMap<Fact, u64> = BTreeMap::new();
    let all: Vec<&String> = rules.values().flatten().flatten().collect();
    for edge in graph.edges() {
        let label = &graph.labels()[edge.label as usize];
        let index = label.ends_with("_i").then_some(edge.index);
        for symbol in &all {
            if **symbol == **label {
                table.insert(((*symbol).clone(), index, edge.from, edge.to), 1);
            } else if symbol.strip_prefix('^') == Some(label) {
                table.insert(((*symbol).clone(), index, edge.to, edge.from), 1);
            }
        }
    }
    loop {
        let mut changed = false;
        for (left, alternatives) in rules {
            for right in alternatives {
                for from in 0..graph.nodes() {
                    let mut open = vec![(from, None, 0)];
                    for symbol in right {
                        let mut next = Vec::new();
                        for &(at, index, length) in &open {
                            for ((name, own, start, to), more) in &table {
                                let differ = index.is_some() && own.is_some() && index != *own;
                                if name == symbol && *start == at && !differ {
                                    next.push((*to, index.or(*own), length + more));
                                }
                            }
                        }
                        next.sort_unstable();
                        next.dedup_by_key(|it| (it.0, it.1));
                        open = next;
                    }
                    for (to, index, length) in open {
                        let index = index.filter(|_| left.ends_with("_i"));
                        let fact = (left.clone(), index, from, to);
                        let known = table.entry(fact).or_insert(u64::MAX);
                        if length < *known {
                            *known = length;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return table;
        }
    }
}

/// The word of a witness, after checking that it is a path of the graph.
fn replay(witness: &Witness, graph: &Graph, from: u32, to: u32) -> Vec<String> {
    let mut at = from;
    let mut word = Vec::new();
    for hop in witness.hops() {
        assert_eq!(hop.from, at);
        let label = &witness.labels()[hop.label as usize];
        let (start, end, name) = match label.strip_prefix('^') {
            Some(name) => (hop.to, hop.from, name),
            None => (hop.from, hop.to, label.as_str()),
        };
        let mut edges = graph.edges().iter();
        let exists =
            edges.any(|edge| (edge.from, edge.to) == (start, end) && graph.label(edge) == name);
        assert!(exists, "there is no edge {start} {end} {name}");
        word.push(label.clone());
        at = hop.to;
    }
    assert_eq!(at, to);
    assert_eq!(Some(word.len() as u64), witness.length());
    word
}

#[test]
fn witnesses_are_shortest_words_of_the_language() {
    let algorithms = [Algorithm::Auto, Algorithm::Summaries, Algorithm::Worklist];
    let mut longest = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let graph = random_graph(&mut rng);
        let text = PLAIN[rng.below(PLAIN.len())];
        let (grammar, rules) = (grammar(text), rules(text));
        let lengths = shortest(&rules, &graph);
        let options = Options {
            algorithm: algorithms[seed as usize % algorithms.len()],
            ..Options::default()
        };
        let solution = solved(&graph, &grammar, &options).unwrap();
        for (from, to) in pairs(&solution) {
            let witness = solution.witness(from, to, &mut carry_on).unwrap().unwrap();
            let word = replay(&witness, &graph, from, to);
            let fact = (grammar.start().to_owned(), None, from, to);
            assert_eq!(
                lengths[&fact],
                word.len() as u64,
                "seed {seed}: {text} {from} {to}"
            );
            if word.len() <= 14 {
                assert!(
                    derives(&rules, grammar.start(), &word),
                    "seed {seed}: {text} {word:?}"
                );
            }
            longest = longest.max(word.len());
        }
        let nodes = graph.nodes();
        assert_eq!(solution.witness(0, nodes, &mut carry_on), Ok(None));
    }
    assert!(longest > 14, "only short witnesses: {longest}");
}

/// Each level doubles the path: 2^40 edges in a few parts, and more than can be counted.
#[test]
fn a_long_witness_is_shared() {
    let cases = [
        (40, Some(1 << 40), 1000),
        (63, Some(1 << 63), 2000),
        (64, None, 2000),
    ];
    for (levels, length, most) in cases {
        let mut text = String::new();
        for level in 0..levels {
            text.push_str(&format!("L{level} = L{} L{};", level + 1, level + 1));
        }
        text.push_str(&format!("L{levels} = a | x_i L{levels} y_i;"));
        let graph = {
            let edge = |from, to, label| recurva_reach::Edge {
                from,
                to,
                label,
                index: recurva_reach::NO_INDEX,
            };
            Graph::new(1, &["a"], vec![edge(0, 0, 0)]).unwrap()
        };
        let solution = solved(&graph, &grammar(&text), &Options::default()).unwrap();
        let witness = solution.witness(0, 0, &mut carry_on).unwrap().unwrap();
        assert_eq!(witness.length(), length);
        let steps = witness.parts().iter().map(Vec::len).sum::<usize>();
        assert!(steps < most, "{levels} levels: {steps} steps");
        assert_eq!(witness.hops().take(1000).count(), 1000);
    }
}
