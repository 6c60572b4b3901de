//! From pushdown systems to recursive state machines.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::{
    Origin, PlainNames,
    pds::{Control, Head, HeadSet, Pds, PdsLabel, StackSymbol, Word},
    rsm::{
        Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmLabel, RsmNode, RsmParts,
        Vertex, VertexId,
    },
};

/// Which heads become vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// Those that occur: initially, on the left of a rule, as the location and top on the
    /// right of one, or alone in an accepting set or a label. There are at most so many as
    /// the system is long. A run that pops down to any other head ends there, and its last
    /// position is the exit.
    Mentioned,
    /// Also those that a pop might uncover: every location a rule pops to, with every symbol
    /// that is pushed below another.
    Possible,
}

/// What a vertex stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// A configuration with this head.
    Head(Head),
    /// A configuration with this location, reached by a pop, whose top is about to be seen.
    Popped(Control),
}

impl Position {
    /// The sets of heads it belongs to: those of its location, if its top is not seen yet.
    fn sets(self) -> [Option<HeadSet>; 4] {
        let set = |control, symbol| Some(HeadSet { control, symbol });
        match self {
            Position::Head(Head { control, symbol }) => [
                set(Some(control), Some(symbol)),
                set(Some(control), None),
                set(None, Some(symbol)),
                set(None, None),
            ],
            Position::Popped(control) => [set(Some(control), None), set(None, None), None, None],
        }
    }
}

/// A machine made from a pushdown system.
#[derive(Clone, Debug)]
pub struct RsmOfPds {
    /// The machine: one component.
    pub rsm: Rsm,
    /// For each head its inner node.
    heads: HashMap<Head, u32>,
    /// For each node what it stands for.
    nodes: Vec<Position>,
    /// For each box the symbol that it keeps on the stack.
    boxes: Vec<StackSymbol>,
}

impl RsmOfPds {
    /// The inner node of a head, if the head is a vertex.
    pub fn vertex(&self, head: Head) -> Option<VertexId> {
        self.heads.get(&head).map(|&node| VertexId(node))
    }

    /// What a vertex stands for.
    pub fn position(&self, vertex: VertexId) -> Position {
        match self.rsm.place(vertex).vertex {
            Vertex::Node(node) => self.nodes[node as usize],
            Vertex::Port { in_box, node } => match self.nodes[node as usize] {
                head @ Position::Head(_) => head,
                Position::Popped(control) => Position::Head(Head {
                    control,
                    symbol: self.boxes[in_box as usize],
                }),
            },
        }
    }
}

impl Pds {
    /// The system as a recursive state machine with one component (the paper's §4), of
    /// linear size with [`Heads::Mentioned`].
    ///
    /// Each head ⟨p, γ⟩ is an inner node and, where it can be the top of a push or is
    /// initial, also an entry; each control location that a rule pops to is an exit, and
    /// each symbol δ that is pushed below another a box. ⟨p, γ⟩ ↪ ⟨q, γ'⟩ is an edge between
    /// the nodes; ⟨p, γ⟩ ↪ ⟨q, ε⟩ leads to the exit q; ⟨p, γ⟩ ↪ ⟨q, γ' δ⟩ to the entry
    /// ⟨q, γ'⟩ of the box δ, from whose exit r a silent edge goes on to ⟨r, δ⟩. The boxes
    /// that are open spell out the stack below the top, so words and the boundedness of
    /// stacks are preserved.
    ///
    /// The entry, the entry port and the exit port of a head stand for the same
    /// configuration as its node ([`RsmOfPds::position`]) and have the same propositions; an
    /// exit stands for the moment before the top is seen and has those of its location only.
    pub fn to_rsm(&self, heads: Heads) -> RsmOfPds {
        let mut builder = Builder::new(self, heads);
        builder.rules();
        builder.returns();
        builder.finish()
    }
}

struct Builder<'p> {
    pds: &'p Pds,
    names: PlainNames,
    component: Component,
    heads: HashMap<Head, u32>,
    entries: HashMap<Head, u32>,
    exits: HashMap<Control, u32>,
    boxes: HashMap<StackSymbol, u32>,
    nodes: Vec<Position>,
    kept: Vec<StackSymbol>,
    /// The ports from which control comes back.
    ports: Vec<Vertex>,
}

impl<'p> Builder<'p> {
    fn new(pds: &'p Pds, which: Heads) -> Self {
        let mut builder = Builder {
            pds,
            names: PlainNames::default(),
            component: Component {
                name: "pds".into(),
                nodes: Vec::new(),
                boxes: Vec::new(),
                edges: Vec::with_capacity(pds.rules().len()),
                labels: Vec::new(),
                origin: Origin::default(),
            },
            heads: HashMap::new(),
            entries: HashMap::new(),
            exits: HashMap::new(),
            boxes: HashMap::new(),
            nodes: Vec::new(),
            kept: Vec::new(),
            ports: Vec::new(),
        };
        builder.head(pds.initial(), Origin::default());
        for rule in pds.rules() {
            builder.head(rule.from, rule.origin);
            match rule.word {
                Word::Pop => {}
                Word::Swap(symbol) | Word::Push { top: symbol, .. } => {
                    let control = rule.to;
                    builder.head(Head { control, symbol }, rule.origin);
                }
            }
        }
        let parts = pds.parts();
        let labelled = parts.labels.iter().map(|label| label.heads);
        for set in parts.accept.iter().copied().chain(labelled) {
            if let Some(head) = set.single() {
                builder.head(head, Origin::default());
            }
        }
        if which == Heads::Possible {
            builder.uncovered();
        }
        builder.entry(pds.initial());
        builder
    }

    /// Adds the heads that a pop might uncover.
    fn uncovered(&mut self) {
        let rules = self.pds.rules();
        let popped: BTreeSet<Control> = rules
            .iter()
            .filter(|rule| rule.word == Word::Pop)
            .map(|rule| rule.to)
            .collect();
        let below: BTreeSet<StackSymbol> = rules
            .iter()
            .filter_map(|rule| match rule.word {
                Word::Push { below, .. } => Some(below),
                _ => None,
            })
            .collect();
        for &symbol in &below {
            for &control in &popped {
                self.head(Head { control, symbol }, Origin::default());
            }
        }
    }

    fn node(&mut self, name: &str, role: Role, stands_for: Position, origin: Origin) -> u32 {
        self.component.nodes.push(RsmNode {
            name: self.names.give(name).into(),
            role,
            origin,
        });
        self.nodes.push(stands_for);
        self.nodes.len() as u32 - 1
    }

    fn name(&self, head: Head) -> String {
        let (control, symbol) = (head.control, head.symbol);
        format!("{}.{}", self.pds.control(control), self.pds.symbol(symbol))
    }

    fn head(&mut self, head: Head, origin: Origin) -> u32 {
        if let Some(&node) = self.heads.get(&head) {
            return node;
        }
        let node = self.node(&self.name(head), Role::Inner, Position::Head(head), origin);
        self.heads.insert(head, node);
        node
    }

    /// The entry of a head, with its edge to the head's node.
    fn entry(&mut self, head: Head) -> u32 {
        if let Some(&entry) = self.entries.get(&head) {
            return entry;
        }
        let to = self.head(head, Origin::default());
        let name = format!("in.{}", self.name(head));
        // Without an origin: a report says where a rule leads, not how it is encoded.
        let position = Position::Head(head);
        let entry = self.node(&name, Role::Entry, position, Origin::default());
        self.entries.insert(head, entry);
        self.edge(
            Vertex::Node(entry),
            Vertex::Node(to),
            None,
            Origin::default(),
        );
        entry
    }

    fn exit(&mut self, control: Control) -> u32 {
        if let Some(&exit) = self.exits.get(&control) {
            return exit;
        }
        let name = format!("out.{}", self.pds.control(control));
        let position = Position::Popped(control);
        let exit = self.node(&name, Role::Exit, position, Origin::default());
        self.exits.insert(control, exit);
        exit
    }

    fn keep(&mut self, symbol: StackSymbol) -> u32 {
        if let Some(&number) = self.boxes.get(&symbol) {
            return number;
        }
        let name = format!("box.{}", self.pds.symbol(symbol));
        self.component.boxes.push(RsmBox {
            name: self.names.give(&name).into(),
            component: ComponentId(0),
            origin: Origin::default(),
        });
        self.kept.push(symbol);
        let number = self.kept.len() as u32 - 1;
        self.boxes.insert(symbol, number);
        number
    }

    fn edge(
        &mut self,
        from: Vertex,
        to: Vertex,
        letter: Option<crate::rsm::Letter>,
        origin: Origin,
    ) {
        self.component.edges.push(RsmEdge {
            from,
            to,
            letter,
            origin,
        });
    }

    fn rules(&mut self) {
        let pds = self.pds;
        for rule in pds.rules() {
            let from = Vertex::Node(self.head(rule.from, rule.origin));
            let control = rule.to;
            let to = match rule.word {
                Word::Pop => Vertex::Node(self.exit(control)),
                Word::Swap(symbol) => {
                    Vertex::Node(self.head(Head { control, symbol }, rule.origin))
                }
                Word::Push { top: symbol, below } => {
                    let node = self.entry(Head { control, symbol });
                    let in_box = self.keep(below);
                    Vertex::Port { in_box, node }
                }
            };
            self.edge(from, to, rule.letter, rule.origin);
        }
    }

    /// From the exits of boxes on to the heads that they uncover.
    fn returns(&mut self) {
        let mut heads: Vec<(Head, u32)> = self.heads.iter().map(|(&h, &n)| (h, n)).collect();
        heads.sort_unstable();
        for (head, to) in heads {
            let (Some(&in_box), Some(&node)) =
                (self.boxes.get(&head.symbol), self.exits.get(&head.control))
            else {
                continue;
            };
            let port = Vertex::Port { in_box, node };
            self.edge(port, Vertex::Node(to), None, Origin::default());
            self.ports.push(port);
        }
    }

    fn finish(mut self) -> RsmOfPds {
        let pds = self.pds;
        let initial = self.entry(pds.initial());
        let calls = self.component.edges.iter().map(|edge| edge.to);
        let calls = calls.filter(|to| matches!(to, Vertex::Port { .. }));
        let mut ports: Vec<Vertex> = calls.chain(self.ports.iter().copied()).collect();
        ports.sort_unstable();
        ports.dedup();
        let mut vertices: Vec<Vertex> = (0..self.nodes.len() as u32).map(Vertex::Node).collect();
        vertices.append(&mut ports);
        let accepting: HashSet<HeadSet> = pds.parts().accept.iter().copied().collect();
        let mut labels: HashMap<HeadSet, Vec<&PdsLabel>> = HashMap::new();
        for label in &pds.parts().labels {
            labels.entry(label.heads).or_default().push(label);
        }
        let mut accept = Vec::new();
        for vertex in vertices {
            let position = self.position(vertex);
            let sets = position.sets();
            if sets.iter().flatten().any(|set| accepting.contains(set)) {
                accept.push(Place {
                    component: ComponentId(0),
                    vertex,
                });
            }
            let found = sets.iter().flatten().filter_map(|set| labels.get(set));
            for label in found.flatten() {
                self.component.labels.push(RsmLabel {
                    vertex,
                    name: label.name.clone(),
                    origin: label.origin,
                });
            }
        }
        let rsm = Rsm::new(RsmParts {
            components: vec![self.component],
            alphabet: pds.parts().alphabet.clone(),
            init: vec![Place {
                component: ComponentId(0),
                vertex: Vertex::Node(initial),
            }],
            accept,
        });
        RsmOfPds {
            rsm: rsm.expect("heads, exits and boxes make a component"),
            heads: self.heads,
            nodes: self.nodes,
            boxes: self.kept,
        }
    }

    fn position(&self, vertex: Vertex) -> Position {
        match vertex {
            Vertex::Node(node) => self.nodes[node as usize],
            Vertex::Port { in_box, node } => match self.nodes[node as usize] {
                head @ Position::Head(_) => head,
                Position::Popped(control) => Position::Head(Head {
                    control,
                    symbol: self.kept[in_box as usize],
                }),
            },
        }
    }
}
