//! Witnesses are paths, their labels are words of the language, and none is shorter.

mod common;

use std::collections::BTreeMap;

use common::{PLAIN, Rules, derives, grammar, pairs, random_grammar, random_graph, rules, solved};
use recurva_reach::{Algorithm, Edge, Graph, NO_INDEX, Options, Witness, replay};
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
fn word_of(witness: &Witness, graph: &Graph, from: u32, to: u32) -> Vec<String> {
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
            let witness = solution.witness(from, to).unwrap();
            let word = word_of(&witness, &graph, from, to);
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
        assert_eq!(solution.witness(0, nodes), None);
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
            let edge = |from, to, label| Edge {
                from,
                to,
                label,
                index: NO_INDEX,
            };
            Graph::new(1, &["a"], vec![edge(0, 0, 0)]).unwrap()
        };
        let grammar = grammar(&text);
        let solution = solved(&graph, &grammar, &Options::default()).unwrap();
        let witness = solution.witness(0, 0).unwrap();
        assert_eq!(witness.length(), length);
        let replayed = replay(&witness, &graph, &grammar, (0, 0)).unwrap();
        assert!(!replayed.is_derived());
        let steps = witness.parts().iter().map(Vec::len).sum::<usize>();
        assert!(steps < most, "{levels} levels: {steps} steps");
        assert_eq!(witness.hops().take(1000).count(), 1000);
    }
}

/// Indices that nothing has to match, alone and beside calls that others are in.
const LOOSE: [&str; 8] = [
    "S = x_i T; T = S*;",
    "S = x_i S y_i | p_i S | S q_i | a;",
    "S = T x_i; T = (S | a)*;",
    "S = x_i | x_i S a | ^x_i S ^q_i;",
    "S = A_i; A_i = x_i S | a A_i b | y_i;",
    "S = T U; T = p_i U q_i | x_i; U = ^p_i T? | ^y_i*;",
    "S = x_3 S x_i | x_i | 'x--4' S y_i | a;",
    "S = S S | x_i T ^y_i | ; T = S b | x_i;",
];

#[test]
fn every_witness_replays() {
    let (mut all, mut derived, mut odd) = (0, 0, 0);
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let graph = numbered(&mut rng);
        let text = match rng.below(3) {
            0 => random_grammar(&mut rng),
            _ => LOOSE[rng.below(LOOSE.len())].to_owned(),
        };
        let grammar = grammar(&text);
        let (_, algorithm) = Algorithm::ALL[rng.below(Algorithm::ALL.len())];
        let options = Options {
            algorithm,
            ..Options::default()
        };
        let Some(solution) = solved(&graph, &grammar, &options) else {
            continue;
        };
        for (from, to) in pairs(&solution) {
            let Some(witness) = solution.witness(from, to) else {
                continue;
            };
            let replayed = replay(&witness, &graph, &grammar, (from, to));
            let replayed = replayed.unwrap_or_else(|error| panic!("seed {seed}: {text} {error}"));
            // What is shown are edges, word for word.
            word_of(replayed.witness(), &graph, from, to);
            all += 1;
            derived += usize::from(replayed.is_derived());
            odd += usize::from(replayed.witness().labels() != witness.labels());
        }
    }
    assert!(all > 10_000 && derived > all * 9 / 10, "{derived} of {all}");
    assert!(odd > 500, "{odd}");
}

/// A random graph in which some labels have their index in them.
fn numbered(rng: &mut Rng) -> Graph {
    let graph = random_graph(rng);
    let mut labels: Vec<&str> = graph.labels().iter().map(|label| &**label).collect();
    let first = labels.len();
    labels.extend(["x_3", "x--4", "p_1", "y--01", "x_2"]);
    let mut edges = graph.edges().to_vec();
    for edge in &mut edges {
        if rng.chance(25) {
            edge.label = (first + rng.below(labels.len() - first)) as u32;
            edge.index = NO_INDEX;
        }
    }
    Graph::new(graph.nodes(), &labels, edges).unwrap()
}
