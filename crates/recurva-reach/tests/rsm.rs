//! Recursive state machines: every algorithm against the thesis' definition, and against the
//! same question as CFL-reachability (thesis, §6.1).

mod common;

use std::collections::BTreeSet;

use common::{grammar, pairs, solved};
use recurva_model::{
    Origin,
    rsm::{
        Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts, Vertex,
        VertexId,
    },
};
use recurva_reach::{Algorithm, Context, Edge, Graph, NO_INDEX, Options, replay_rsm, solve_rsm};
use recurva_testkit::rng::Rng;

/// A machine; in an ordered one boxes stand for later components only.
fn random_machine(rng: &mut Rng, ordered: bool) -> Rsm {
    let origin = Origin::default();
    let count = 1 + rng.below(4);
    let sizes: Vec<(usize, usize, usize)> = (0..count)
        .map(|_| (1 + rng.below(2), rng.below(3), rng.below(4)))
        .collect();
    let components = (0..count).map(|index| {
        let (entries, exits, inner) = sizes[index];
        let nodes = entries + exits + inner;
        let node = |number: usize| RsmNode {
            name: format!("n{number}").into(),
            role: match number {
                number if number < entries => Role::Entry,
                number if number < entries + exits => Role::Exit,
                _ => Role::Inner,
            },
            origin,
        };
        let boxes = match ordered && index + 1 == count {
            true => 0,
            false => rng.below(3),
        };
        let first = if ordered { index + 1 } else { 0 };
        let boxes: Vec<RsmBox> = (0..boxes)
            .map(|number| RsmBox {
                name: format!("b{number}").into(),
                component: ComponentId((first + rng.below(count - first)) as u32),
                origin,
            })
            .collect();
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        for number in 0..nodes {
            match node(number).role {
                Role::Entry => sources.push(Vertex::Node(number as u32)),
                Role::Exit => targets.push(Vertex::Node(number as u32)),
                Role::Inner => {
                    sources.push(Vertex::Node(number as u32));
                    targets.push(Vertex::Node(number as u32));
                }
            }
        }
        for (in_box, it) in boxes.iter().enumerate() {
            let (entries, exits, _) = sizes[it.component.index()];
            let port = |node: usize| Vertex::Port {
                in_box: in_box as u32,
                node: node as u32,
            };
            targets.extend((0..entries).map(port));
            sources.extend((entries..entries + exits).map(port));
        }
        let mut edges = Vec::new();
        if !sources.is_empty() && !targets.is_empty() {
            for _ in 0..rng.below(2 * (sources.len() + targets.len())) {
                edges.push(RsmEdge {
                    from: sources[rng.below(sources.len())],
                    to: targets[rng.below(targets.len())],
                    letter: None,
                    origin,
                });
            }
        }
        Component {
            name: format!("A{index}").into(),
            nodes: (0..nodes).map(node).collect(),
            boxes,
            edges,
            labels: Vec::new(),
            origin,
        }
    });
    Rsm::new(RsmParts {
        components: components.collect(),
        alphabet: Vec::new(),
        init: vec![Place {
            component: ComponentId(0),
            vertex: Vertex::Node(0),
        }],
        accept: Vec::new(),
    })
    .unwrap()
}

/// The entry or exit behind a port, with the number of its box.
fn port(rsm: &Rsm, vertex: VertexId) -> Option<(VertexId, Role, (u32, u32))> {
    let place = rsm.place(vertex);
    let Vertex::Port { in_box, node } = place.vertex else {
        return None;
    };
    let callee = rsm.components()[place.component.index()].boxes[in_box as usize].component;
    let inside = rsm.vertex(Place {
        component: callee,
        vertex: Vertex::Node(node),
    })?;
    Some((inside, rsm.node(place).role, (place.component.0, in_box)))
}

/// The relations H^s and H* by their definition.
fn by_definition(rsm: &Rsm) -> [BTreeSet<(u32, u32)>; 2] {
    let mut same: BTreeSet<(u32, u32)> = rsm.vertices().map(|it| (it.0, it.0)).collect();
    same.extend(rsm.edges().iter().map(|edge| (edge.from.0, edge.to.0)));
    let close = |relation: &mut BTreeSet<(u32, u32)>| loop {
        let new: Vec<(u32, u32)> = relation
            .iter()
            .flat_map(|&(u, v)| {
                let behind = relation.range((v, 0)..=(v, u32::MAX));
                behind.map(move |&(_, w)| (u, w))
            })
            .filter(|pair| !relation.contains(pair))
            .collect();
        if new.is_empty() {
            break;
        }
        relation.extend(new);
    };
    loop {
        close(&mut same);
        let mut new = Vec::new();
        for call in rsm.vertices() {
            for back in rsm.vertices() {
                if let (Some((entry, Role::Entry, one)), Some((exit, Role::Exit, other))) =
                    (port(rsm, call), port(rsm, back))
                    && one == other
                    && same.contains(&(entry.0, exit.0))
                    && !same.contains(&(call.0, back.0))
                {
                    new.push((call.0, back.0));
                }
            }
        }
        if new.is_empty() {
            break;
        }
        same.extend(new);
    }
    let mut all = same.clone();
    for call in rsm.vertices() {
        if let Some((entry, Role::Entry, _)) = port(rsm, call) {
            all.insert((call.0, entry.0));
        }
    }
    close(&mut all);
    [same, all]
}

/// The graph of the thesis: `a` for edges, `call_i` and `ret_i` for box `i`.
fn as_graph(rsm: &Rsm) -> Graph {
    let mut edges: Vec<Edge> = rsm
        .edges()
        .iter()
        .map(|edge| Edge {
            from: edge.from.0,
            to: edge.to.0,
            label: 0,
            index: NO_INDEX,
        })
        .collect();
    for vertex in rsm.vertices() {
        if let Some((inside, role, (component, in_box))) = port(rsm, vertex) {
            let (from, to, label) = match role {
                Role::Entry => (vertex.0, inside.0, 1),
                _ => (inside.0, vertex.0, 2),
            };
            edges.push(Edge {
                from,
                to,
                label,
                index: component * 100 + in_box,
            });
        }
    }
    Graph::new(rsm.len() as u32, &["a", "call_i", "ret_i"], edges).unwrap()
}

#[test]
fn machines_and_grammars_agree_with_the_definition() {
    let same_grammar = grammar("S = (a | call_i S ret_i)*;");
    let any_grammar = grammar("R = (S | call_i)*; S = S S | call_i S ret_i | a | ;");
    let machine_algorithms = [
        Algorithm::Auto,
        Algorithm::Rounds,
        Algorithm::Facts,
        Algorithm::Bounded,
        Algorithm::Hierarchical,
    ];
    let (mut bounded, mut hierarchical, mut bounded_only) = (0, 0, 0);
    for seed in 0..2500 {
        let mut rng = Rng::new(seed);
        let rsm = random_machine(&mut rng, seed % 3 == 0);
        let [same, all] = by_definition(&rsm);
        let mut applied = Vec::new();
        for algorithm in machine_algorithms {
            let options = Options {
                algorithm,
                ..Options::default()
            };
            for (context, expected) in [(Context::Same, &same), (Context::Any, &all)] {
                if let Ok(solution) = solve_rsm(&rsm, context, &options) {
                    let name = algorithm.name();
                    assert_eq!(
                        &pairs(&solution),
                        expected,
                        "seed {seed}, {name} {context:?}"
                    );
                    applied.push(algorithm);
                    witnesses(&solution, &rsm, (context, expected), seed);
                }
            }
        }
        bounded += usize::from(applied.contains(&Algorithm::Bounded));
        hierarchical += usize::from(applied.contains(&Algorithm::Hierarchical));
        bounded_only += usize::from(
            applied.contains(&Algorithm::Bounded) && !applied.contains(&Algorithm::Hierarchical),
        );
        assert!(
            seed % 3 != 0 || applied.contains(&Algorithm::Hierarchical),
            "seed {seed}"
        );
        assert!(
            applied.contains(&Algorithm::Bounded) == is_bounded(&rsm, &all),
            "seed {seed}: bounded"
        );
        let graph = as_graph(&rsm);
        for (grammar, expected) in [(&same_grammar, &same), (&any_grammar, &all)] {
            let solution = solved(&graph, grammar, &Options::default()).unwrap();
            assert_eq!(&pairs(&solution), expected, "seed {seed}: as a graph");
        }
    }
    assert!(bounded > 500 && hierarchical > 500 && bounded_only > 20);
}

/// The thesis' definition: no call is reachable from its own entry.
fn is_bounded(rsm: &Rsm, all: &BTreeSet<(u32, u32)>) -> bool {
    rsm.vertices().all(|call| match port(rsm, call) {
        Some((entry, Role::Entry, _)) => !all.contains(&(entry.0, call.0)),
        _ => true,
    })
}

/// A witness is a run: edges, calls, and returns to the box that was called last.
fn witnesses(
    solution: &recurva_reach::Solution,
    rsm: &Rsm,
    (context, expected): (Context, &BTreeSet<(u32, u32)>),
    seed: u64,
) {
    for &(from, to) in expected.iter().step_by(7) {
        let witness = solution.witness(from, to).unwrap();
        let mut at = from;
        let mut stack = Vec::new();
        for hop in witness.hops() {
            assert_eq!(hop.from, at);
            at = hop.to;
            match witness.labels()[hop.label as usize].as_str() {
                "step" => {
                    let edges = rsm.edges_from(VertexId(hop.from));
                    assert!(edges.iter().any(|edge| edge.to.0 == hop.to));
                }
                "call" => {
                    let (entry, role, name) = port(rsm, VertexId(hop.from)).unwrap();
                    assert_eq!((entry.0, role), (hop.to, Role::Entry));
                    stack.push(name);
                }
                _ => {
                    let (exit, role, name) = port(rsm, VertexId(hop.to)).unwrap();
                    assert_eq!((exit.0, role), (hop.from, Role::Exit));
                    assert_eq!(stack.pop(), Some(name), "seed {seed}");
                }
            }
        }
        assert_eq!(at, to);
        let replayed = replay_rsm(&witness, rsm, context, (from, to));
        assert!(replayed.is_ok(), "seed {seed}: {replayed:?}");
        // With a pending call it is no run that ends with the stack it began with.
        let same = replay_rsm(&witness, rsm, Context::Same, (from, to));
        assert_eq!(same.is_ok(), stack.is_empty(), "seed {seed}");
    }
}
