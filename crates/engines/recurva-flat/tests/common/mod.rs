//! Random machines and automata, and runs on a real stack.
#![allow(dead_code)] // Each test uses a part.

pub(crate) mod textbook;

use std::ops::ControlFlow;

use recurva_flat::{
    Acceptance, Analysis, Lasso, LetterAutomaton, LetterEdge, Letters, Marks, Move, Progress, Stack,
};
use recurva_model::{
    Origin,
    pds::{Control, Head, HeadSet, Pds, PdsParts, Rule, StackSymbol, Word},
    rsm::{
        Component, ComponentId, Letter, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts,
        Vertex, VertexId,
    },
};

pub(crate) const STACKS: [Stack; 3] = [Stack::Any, Stack::Bounded, Stack::Unbounded];

pub(crate) fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A generator of random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        match list.len() {
            0 => None,
            count => Some(list[self.below(count)]),
        }
    }
}

const LETTERS: usize = 2;

/// A small machine: up to three components with up to three entries, exits and boxes.
pub(crate) fn machine(random: &mut Random) -> Rsm {
    let count = 1 + random.below(3);
    let roles: Vec<Vec<Role>> = (0..count)
        .map(|_| {
            let mut roles = vec![Role::Entry; 1 + random.below(3)];
            roles.extend(vec![Role::Exit; random.below(3)]);
            roles.extend(vec![Role::Inner; random.below(3)]);
            // In any order.
            for index in (1..roles.len()).rev() {
                roles.swap(index, random.below(index + 1));
            }
            roles
        })
        .collect();
    let components = (0..count).map(|index| component(random, &roles, index));
    let components = components.collect();
    let vertices = |role: Role| {
        let places = roles.iter().enumerate().flat_map(move |(index, roles)| {
            let nodes = roles.iter().enumerate().filter(move |(_, r)| **r == role);
            nodes.map(move |(node, _)| Place {
                component: ComponentId(index as u32),
                vertex: Vertex::Node(node as u32),
            })
        });
        places.collect::<Vec<_>>()
    };
    let entries = vertices(Role::Entry);
    let init = (0..1 + random.below(2)).filter_map(|_| random.pick(&entries));
    let mut parts = RsmParts {
        components,
        alphabet: (0..LETTERS).map(|l| format!("l{l}").into()).collect(),
        init: init.collect(),
        accept: Vec::new(),
    };
    let plain = Rsm::new(parts.clone()).expect("a machine");
    if random.below(3) > 0 {
        let all: Vec<VertexId> = plain.vertices().collect();
        let chosen = (0..1 + random.below(8)).filter_map(|_| random.pick(&all));
        parts.accept = chosen.map(|vertex| plain.place(vertex)).collect();
    }
    Rsm::new(parts).expect("a machine")
}

fn component(random: &mut Random, roles: &[Vec<Role>], index: usize) -> Component {
    let boxes: Vec<usize> = (0..random.below(4))
        .map(|_| random.below(roles.len()))
        .collect();
    let mut sources = Vec::new();
    let mut targets = Vec::new();
    for (node, role) in roles[index].iter().enumerate() {
        let vertex = Vertex::Node(node as u32);
        if *role != Role::Exit {
            sources.push(vertex);
        }
        if *role != Role::Entry {
            targets.push(vertex);
        }
    }
    for (in_box, &callee) in boxes.iter().enumerate() {
        for (node, role) in roles[callee].iter().enumerate() {
            let (in_box, node) = (in_box as u32, node as u32);
            match role {
                Role::Entry => targets.push(Vertex::Port { in_box, node }),
                Role::Exit => sources.push(Vertex::Port { in_box, node }),
                Role::Inner => {}
            }
        }
    }
    let count = sources.len() + random.below(sources.len() + 4);
    let edges = (0..count).filter_map(|_| {
        let letter = match random.below(2 * LETTERS) {
            letter if letter < LETTERS => Some(Letter(letter as u32)),
            _ => None,
        };
        Some(RsmEdge {
            from: random.pick(&sources)?,
            to: random.pick(&targets)?,
            letter,
            origin: Origin::default(),
        })
    });
    Component {
        name: format!("A{index}").into(),
        edges: edges.collect(),
        nodes: (roles[index].iter().enumerate())
            .map(|(node, &role)| RsmNode {
                name: format!("n{node}").into(),
                role,
                origin: Origin::default(),
            })
            .collect(),
        boxes: (boxes.iter().enumerate())
            .map(|(number, &callee)| RsmBox {
                name: format!("b{number}").into(),
                component: ComponentId(callee as u32),
                origin: Origin::default(),
            })
            .collect(),
        labels: Vec::new(),
        origin: Origin::default(),
    }
}

/// A small automaton with up to three states and two marks.
pub(crate) fn automaton(random: &mut Random) -> LetterAutomaton {
    let states = 1 + random.below(3);
    let marks = random.below(3) as u32;
    let edges = (0..2 * states + random.below(4)).map(|_| LetterEdge {
        from: random.below(states) as u32,
        letters: match random.below(LETTERS + 1) {
            letter if letter < LETTERS => Letter(letter as u32).into(),
            _ => Letters::All,
        },
        to: random.below(states) as u32,
        marks: Marks((random.below(1 << marks) | random.below(1 << marks)) as u32),
    });
    let edges = edges.collect();
    let initial = (0..1 + random.below(2)).map(|_| random.below(states) as u32);
    LetterAutomaton::new(states as u32, initial.collect(), edges, marks).expect("an automaton")
}

/// A small pushdown system.
pub(crate) fn pushdown(random: &mut Random) -> Pds {
    let (controls, symbols) = (1 + random.below(3), 1 + random.below(4));
    let head = |random: &mut Random| Head {
        control: Control(random.below(controls) as u32),
        symbol: StackSymbol(random.below(symbols) as u32),
    };
    let rules = (0..2 + random.below(8)).map(|_| {
        let (from, to) = (head(random), head(random));
        let word = match random.below(5) {
            0 | 1 => Word::Pop,
            2 => Word::Swap(to.symbol),
            _ => Word::Push {
                top: to.symbol,
                below: StackSymbol(random.below(symbols) as u32),
            },
        };
        Rule {
            from,
            to: to.control,
            word,
            letter: None,
            origin: Origin::default(),
        }
    });
    let rules: Vec<Rule> = rules.collect();
    let initial = head(random);
    // Heads, or locations that occur, as in a text.
    let accept = (0..random.below(4)).map(|_| match random.below(2) {
        0 => HeadSet::from(head(random)),
        _ => HeadSet {
            control: Some(rules[random.below(rules.len())].to),
            symbol: None,
        },
    });
    let accept = accept.collect();
    Pds::new(PdsParts {
        controls: (0..controls).map(|n| format!("p{n}").into()).collect(),
        symbols: (0..symbols).map(|n| format!("s{n}").into()).collect(),
        alphabet: Vec::new(),
        rules,
        initial,
        accept,
        labels: Vec::new(),
    })
    .expect("a system")
}

/// Whether there are runs, for each kind of stack.
pub(crate) fn runs(rsm: &Rsm, acceptance: &Acceptance) -> [bool; 3] {
    let analysis = Analysis::new(rsm, acceptance, go_on).expect("not stopped");
    STACKS.map(|stack| {
        let lasso = analysis.run(stack, go_on).expect("not stopped");
        if let Some(lasso) = &lasso {
            check_lasso(rsm, acceptance, stack, lasso);
        }
        lasso.is_some()
    })
}

/// Makes moves on a real stack of boxes; panics at one that the machine does not have.
pub(crate) struct Runner<'m> {
    rsm: &'m Rsm,
    pub(crate) at: VertexId,
    pub(crate) stack: Vec<(ComponentId, u32)>,
    /// The lowest the stack has been.
    pub(crate) lowest: usize,
    pub(crate) seen: Marks,
    pub(crate) letters: usize,
}

impl<'m> Runner<'m> {
    pub(crate) fn new(rsm: &'m Rsm, at: VertexId) -> Self {
        assert!(rsm.init().contains(&at), "runs begin in an initial entry");
        Runner {
            rsm,
            at,
            stack: Vec::new(),
            lowest: 0,
            seen: Marks::default(),
            letters: 0,
        }
    }

    pub(crate) fn make(&mut self, item: &Move, acceptance: &Acceptance) {
        assert_eq!(item.from(), self.at);
        let (from, to) = (self.rsm.place(item.from()), self.rsm.place(item.to()));
        let role = |place| self.rsm.node(place).role;
        match item {
            Move::Step(arc) => {
                assert!(self.rsm.edges_from(arc.from).contains(arc));
                self.letters += usize::from(arc.letter.is_some());
            }
            Move::Call { .. } => {
                let Vertex::Port { in_box, node } = from.vertex else {
                    panic!("a call starts at a port")
                };
                assert_eq!(role(from), Role::Entry);
                let boxes = &self.rsm.components()[from.component.index()].boxes;
                assert_eq!(to.component, boxes[in_box as usize].component);
                assert_eq!(to.vertex, Vertex::Node(node));
                self.stack.push((from.component, in_box));
            }
            Move::Return { .. } => {
                let (component, in_box) = self.stack.pop().expect("a box is open");
                let Vertex::Node(node) = from.vertex else {
                    panic!("a return starts at a node")
                };
                assert_eq!(role(from), Role::Exit);
                assert_eq!(to.component, component);
                assert_eq!(to.vertex, Vertex::Port { in_box, node });
            }
        }
        self.at = item.to();
        self.lowest = self.lowest.min(self.stack.len());
        self.seen = self.seen.union(acceptance.marks(self.at));
    }
}

/// Runs the stem and two turns.
pub(crate) fn check_lasso(rsm: &Rsm, acceptance: &Acceptance, stack: Stack, lasso: &Lasso<'_, '_>) {
    let mut runner = Runner::new(rsm, lasso.stem().start());
    for item in lasso.stem().moves() {
        runner.make(&item, acceptance);
    }
    let start = lasso.turn().start();
    assert_eq!(runner.at, start);
    for _ in 0..2 {
        let height = runner.stack.len();
        (runner.lowest, runner.seen) = (height, Marks::default());
        assert!(lasso.turn().moves().next().is_some(), "a turn has a move");
        for item in lasso.turn().moves() {
            runner.make(&item, acceptance);
        }
        assert_eq!(runner.at, start, "a turn ends where it starts");
        assert!(runner.seen.contains(acceptance.all()), "all marks are seen");
        assert_eq!(runner.lowest, height, "what is below stays");
        assert_eq!(runner.stack.len() > height, lasso.diverges());
    }
    assert!(stack != Stack::Bounded || !lasso.diverges());
    assert!(stack != Stack::Unbounded || lasso.diverges());
}
