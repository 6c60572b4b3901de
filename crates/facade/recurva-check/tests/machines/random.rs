//! Random small machines and pushdown systems.

use recurva_model::{
    Origin, Pds, Rsm,
    pds::{Control, Head, HeadSet, PdsParts, StackSymbol},
    rsm::{
        Component, ComponentId, Letter, Place, Role, RsmBox, RsmEdge, RsmLabel, RsmNode, RsmParts,
        Vertex,
    },
};
use recurva_testkit::rng::Rng;

pub(crate) fn machine(seed: u64) -> Rsm {
    let mut rng = Rng::new(seed);
    let count = 1 + rng.below(3);
    let mut components: Vec<Component> = (0..count).map(|i| nodes(&mut rng, i, count)).collect();
    for index in 0..count {
        let (sources, targets) = ends(&components, index);
        let edges = 6 + rng.below(8);
        for _ in 0..edges {
            let (Some(&from), Some(&to)) = (rng.pick(&sources), rng.pick(&targets)) else {
                continue;
            };
            let letter = rng.chance(40).then(|| Letter(rng.below(2) as u32));
            components[index].edges.push(RsmEdge {
                from,
                to,
                letter,
                origin: Origin::default(),
            });
        }
        if let (true, Some(&vertex)) = (rng.chance(50), rng.pick(&targets)) {
            components[index].labels.push(RsmLabel {
                vertex,
                name: "seen".into(),
                origin: Origin::default(),
            });
        }
    }
    let mut init = vec![place(0, Vertex::Node(0))];
    if rng.chance(30) {
        init.push(place(rng.below(count), Vertex::Node(0)));
    }
    let component = rng.below(count);
    let node = rng.below(components[component].nodes.len()) as u32;
    Rsm::new(RsmParts {
        components,
        alphabet: vec!["a".into(), "b".into()],
        init,
        accept: vec![place(component, Vertex::Node(node))],
    })
    .expect("a well-formed machine")
}

fn place(component: usize, vertex: Vertex) -> Place {
    Place {
        component: ComponentId(component as u32),
        vertex,
    }
}

fn nodes(rng: &mut Rng, index: usize, count: usize) -> Component {
    let roles = [
        (Role::Entry, 1 + rng.below(3)),
        (Role::Exit, rng.below(4)),
        (Role::Inner, rng.below(4)),
    ];
    let mut nodes = Vec::new();
    for (role, many) in roles {
        for _ in 0..many {
            nodes.push(RsmNode {
                name: format!("n{}", nodes.len()).into(),
                role,
                origin: Origin::default(),
            });
        }
    }
    let boxes = (0..rng.below(3)).map(|number| RsmBox {
        name: format!("b{number}").into(),
        component: ComponentId(rng.below(count) as u32),
        origin: Origin::default(),
    });
    Component {
        name: format!("A{index}").into(),
        nodes,
        boxes: boxes.collect(),
        edges: Vec::new(),
        labels: Vec::new(),
        origin: Origin::default(),
    }
}

/// Where edges of a component may start, and where they may lead.
fn ends(components: &[Component], index: usize) -> (Vec<Vertex>, Vec<Vertex>) {
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for (node, declared) in components[index].nodes.iter().enumerate() {
        let vertex = Vertex::Node(node as u32);
        if declared.role != Role::Exit {
            sources.push(vertex);
        }
        if declared.role != Role::Entry {
            targets.push(vertex);
        }
    }
    for (in_box, declared) in components[index].boxes.iter().enumerate() {
        let callee = &components[declared.component.index()];
        let port = |node| Vertex::Port {
            in_box: in_box as u32,
            node,
        };
        sources.extend(callee.with_role(Role::Exit).map(port));
        targets.extend(callee.with_role(Role::Entry).map(port));
    }
    (sources, targets)
}

pub(crate) fn system(seed: u64) -> Pds {
    let mut rng = Rng::new(seed);
    let (controls, symbols) = (3, 4);
    let name = |letter: char| move |i: u32| format!("{letter}{i}").into();
    let mut parts = PdsParts {
        controls: (0..controls).map(name('p')).collect(),
        symbols: (0..symbols).map(name('x')).collect(),
        alphabet: vec!["a".into()],
        rules: Vec::new(),
        initial: Head {
            control: Control(0),
            symbol: StackSymbol(0),
        },
        accept: vec![HeadSet {
            control: Some(Control(1)),
            symbol: rng.chance(50).then_some(StackSymbol(2)),
        }],
        labels: Vec::new(),
    };
    for _ in 0..4 + rng.below(6) {
        let mut symbol = || StackSymbol(rng.below(symbols as usize) as u32);
        let symbols = [symbol(), symbol(), symbol(), symbol()];
        let mut control = || Control(rng.below(controls as usize) as u32);
        let from = Head {
            control: control(),
            symbol: symbols[3],
        };
        let to = control();
        let length = rng.below(4);
        let letter = rng.chance(30).then_some(Letter(0));
        parts.add_rule(from, to, &symbols[..length], letter, Origin::default());
    }
    Pds::new(parts).expect("a well-formed system")
}
