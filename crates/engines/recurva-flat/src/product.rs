//! The product of a machine and an automaton that reads its letters (§3.3).
//!
//! The marks of the automaton are on its edges, those of a machine on its vertices. So where
//! the automaton passes a mark the product has a vertex of its own between the two ends of
//! the edge ([`ProductVertex::Reading`]).
//!
//! A silent edge leaves the automaton where it is. The paper gives each state a second,
//! non-accepting copy for the time after a silent edge, so that a run which reads only
//! finitely many letters is not accepted. Here no copy is needed: marks are passed only where
//! a letter is read. An automaton without marks gets one on all its edges.

use std::collections::{HashMap, HashSet, VecDeque};

use recurva_model::{
    Origin,
    rsm::{
        Arc, Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts, Vertex,
        VertexId,
    },
};

use crate::{Acceptance, LetterAutomaton, Marks, Move, Unfit};

/// What a vertex of a product stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductVertex {
    /// A vertex of the machine with a state of the automaton.
    At {
        /// The vertex of the machine.
        vertex: VertexId,
        /// The state of the automaton.
        state: u32,
    },
    /// The middle of an edge of the machine whose letter is read with a mark.
    Reading {
        /// The index of the edge in [`Rsm::edges`].
        edge: u32,
        /// The state in which the automaton read it.
        from: u32,
        /// The state that it went to.
        to: u32,
    },
}

/// The product of a machine and an automaton: a machine again.
#[derive(Clone, Debug)]
pub struct Product<'m> {
    /// The product.
    pub rsm: Rsm,
    /// Its marks: those of the machine, then those of the automaton, or one for "a letter was
    /// read" if the automaton has none.
    pub acceptance: Acceptance,
    machine: &'m Rsm,
    /// What the nodes of each component stand for.
    nodes: Vec<Vec<ProductVertex>>,
}

impl<'m> Product<'m> {
    /// The product of a machine with some acceptance condition of its own
    /// ([`Acceptance::every_run`] if none) and an automaton. Only pairs of a vertex and a
    /// state are made that may be reachable.
    ///
    /// Its runs that are accepted are those runs of the machine that read an infinite word,
    /// are accepted by the machine, and whose word the automaton accepts; with the same stacks.
    pub fn new(
        machine: &'m Rsm,
        acceptance: &Acceptance,
        automaton: &LetterAutomaton,
    ) -> Result<Self, Unfit> {
        let reading = automaton.marks().max(1);
        let count = acceptance.count() + reading;
        if count > Marks::MOST {
            return Err(Unfit::TooManyMarks(count));
        }
        let mut builder = Builder {
            machine,
            automaton,
            first_mark: acceptance.count(),
            numbers: HashMap::new(),
            nodes: vec![Vec::new(); machine.components().len()],
            marks: HashMap::new(),
            edges: vec![Vec::new(); machine.components().len()],
            queue: VecDeque::new(),
            callers: HashMap::new(),
        };
        builder.run();
        let (parts, marks) = builder.finish();
        let nodes = marks.nodes;
        let rsm = Rsm::new(parts).map_err(|_| Unfit::TooLarge)?;
        let mut product = Product {
            rsm,
            acceptance: Acceptance::new(count),
            machine,
            nodes,
        };
        for vertex in product.rsm.vertices() {
            let here = match product.position(vertex) {
                ProductVertex::At { vertex, .. } => acceptance.marks(vertex),
                ProductVertex::Reading { .. } => marks.reading[&product.rsm.place(vertex)],
            };
            product.acceptance.mark(vertex, here);
        }
        Ok(product)
    }

    /// What a vertex of the product stands for.
    pub fn position(&self, vertex: VertexId) -> ProductVertex {
        let place = self.rsm.place(vertex);
        match place.vertex {
            Vertex::Node(node) => self.nodes[place.component.index()][node as usize],
            Vertex::Port { in_box, node } => {
                let component = &self.rsm.components()[place.component.index()];
                let callee = component.boxes[in_box as usize].component;
                let behind = self.nodes[callee.index()][node as usize];
                match behind {
                    ProductVertex::At { vertex, state } => {
                        let node = self.machine.place(vertex).vertex;
                        let port = match node {
                            Vertex::Node(node) => self.machine.vertex(Place {
                                component: place.component,
                                vertex: Vertex::Port { in_box, node },
                            }),
                            Vertex::Port { .. } => None,
                        };
                        ProductVertex::At {
                            vertex: port.unwrap_or(vertex),
                            state,
                        }
                    }
                    reading @ ProductVertex::Reading { .. } => reading,
                }
            }
        }
    }

    /// The moves of the machine behind moves of the product: the first half of an edge that is
    /// read with a mark disappears, and the second half becomes the edge.
    pub fn project<'i>(
        &'i self,
        moves: impl Iterator<Item = Move> + 'i,
    ) -> impl Iterator<Item = Move> + 'i {
        moves.filter_map(|item| {
            let to = match self.position(item.to()) {
                ProductVertex::At { vertex, .. } => vertex,
                ProductVertex::Reading { .. } => return None,
            };
            let from = match self.position(item.from()) {
                ProductVertex::At { vertex, .. } => vertex,
                ProductVertex::Reading { edge, .. } => {
                    return Some(Move::Step(self.machine.edges()[edge as usize]));
                }
            };
            Some(match item {
                Move::Step(arc) => {
                    let same = |edge: &&Arc| edge.to == to && edge.letter == arc.letter;
                    Move::Step(*self.machine.edges_from(from).iter().find(same)?)
                }
                Move::Call { .. } => Move::Call { from, to },
                Move::Return { .. } => Move::Return { from, to },
            })
        })
    }
}

/// A vertex of the machine with a state of the automaton.
type Pair = (VertexId, u32);

struct Builder<'m, 'a> {
    machine: &'m Rsm,
    automaton: &'a LetterAutomaton,
    /// The number of the automaton's first mark.
    first_mark: u32,
    /// For each pair of a node and a state its node.
    numbers: HashMap<Pair, u32>,
    nodes: Vec<Vec<ProductVertex>>,
    /// The marks of the nodes in the middle of edges.
    marks: HashMap<Place, Marks>,
    edges: Vec<Vec<RsmEdge>>,
    /// Pairs whose moves are still to be made.
    queue: VecDeque<Pair>,
    /// For each exit the ports where it comes back.
    callers: HashMap<VertexId, Vec<VertexId>>,
}

struct Finished {
    nodes: Vec<Vec<ProductVertex>>,
    reading: HashMap<Place, Marks>,
}

impl Builder<'_, '_> {
    fn run(&mut self) {
        for port in self.machine.vertices() {
            let place = self.machine.place(port);
            let is_exit = self.machine.node(place).role == Role::Exit;
            if let (true, Some(exit)) = (is_exit, self.behind(place)) {
                self.callers.entry(exit).or_default().push(port);
            }
        }
        let mut seen: HashSet<Pair> = HashSet::new();
        for &entry in self.machine.init() {
            for &state in self.automaton.initial() {
                self.queue.push_back((entry, state));
            }
        }
        // A component must have an entry.
        for index in 0..self.machine.components().len() {
            let component = ComponentId(index as u32);
            let entry = self.machine.components()[index]
                .with_role(Role::Entry)
                .next();
            let first = self.machine.vertices_of(component).start;
            if let Some(entry) = entry {
                self.node((VertexId(first + entry), 0));
            }
        }
        while let Some(pair) = self.queue.pop_front() {
            if seen.insert(pair) {
                self.moves(pair);
            }
        }
    }

    /// The entry or exit behind a port.
    fn behind(&self, place: Place) -> Option<VertexId> {
        let Vertex::Port { in_box, node } = place.vertex else {
            return None;
        };
        let boxes = &self.machine.components()[place.component.index()].boxes;
        let component = boxes[in_box as usize].component;
        let vertex = Vertex::Node(node);
        self.machine.vertex(Place { component, vertex })
    }

    fn moves(&mut self, (vertex, state): Pair) {
        let place = self.machine.place(vertex);
        // Initial nodes, and those that only a call leads to, are made here.
        let from = self.vertex((vertex, state));
        if let Some(behind) = self.behind(place) {
            if self.machine.node(place).role == Role::Entry {
                self.queue.push_back((behind, state));
                return;
            }
        } else if self.machine.node(place).role == Role::Exit {
            let ports = self.callers.get(&vertex).into_iter().flatten();
            self.queue.extend(ports.map(|&port| (port, state)));
            return;
        }
        let component = place.component.index();
        let first = self.machine.edges().partition_point(|e| e.from < vertex);
        for (offset, arc) in self.machine.edges_from(vertex).iter().enumerate() {
            let Some(letter) = arc.letter else {
                self.edge(component, from, (arc.to, state), arc);
                continue;
            };
            let automaton = self.automaton;
            for edge in automaton.edges_from(state) {
                if !edge.letters.contains(letter) {
                    continue;
                }
                let marks = match automaton.marks() {
                    0 => Marks::one(0),
                    _ => edge.marks,
                };
                let target = (arc.to, edge.to);
                if marks.is_empty() {
                    self.edge(component, from, target, arc);
                    continue;
                }
                let middle = self.middle(
                    place.component,
                    ProductVertex::Reading {
                        edge: (first + offset) as u32,
                        from: state,
                        to: edge.to,
                    },
                    Marks(marks.0 << self.first_mark),
                );
                self.edges[component].push(RsmEdge {
                    from,
                    to: middle,
                    letter: arc.letter,
                    origin: arc.origin,
                });
                let silent = Arc {
                    letter: None,
                    ..*arc
                };
                self.edge(component, middle, target, &silent);
            }
        }
    }

    fn edge(&mut self, component: usize, from: Vertex, to: Pair, arc: &Arc) {
        let target = self.vertex(to);
        self.queue.push_back(to);
        self.edges[component].push(RsmEdge {
            from,
            to: target,
            letter: arc.letter,
            origin: arc.origin,
        });
    }

    /// A pair as a vertex of its component.
    fn vertex(&mut self, (vertex, state): Pair) -> Vertex {
        let place = self.machine.place(vertex);
        match (place.vertex, self.behind(place)) {
            (Vertex::Port { in_box, .. }, Some(behind)) => Vertex::Port {
                in_box,
                node: self.node((behind, state)),
            },
            _ => Vertex::Node(self.node((vertex, state))),
        }
    }

    fn node(&mut self, pair: Pair) -> u32 {
        if let Some(&node) = self.numbers.get(&pair) {
            return node;
        }
        let (vertex, state) = pair;
        let component = self.machine.place(vertex).component;
        let node = self.add(component, ProductVertex::At { vertex, state });
        self.numbers.insert(pair, node);
        node
    }

    fn middle(&mut self, component: ComponentId, at: ProductVertex, marks: Marks) -> Vertex {
        let vertex = Vertex::Node(self.add(component, at));
        self.marks.insert(Place { component, vertex }, marks);
        vertex
    }

    fn add(&mut self, component: ComponentId, at: ProductVertex) -> u32 {
        let nodes = &mut self.nodes[component.index()];
        nodes.push(at);
        nodes.len() as u32 - 1
    }

    fn finish(self) -> (RsmParts, Finished) {
        let mut edges = self.edges;
        let components = self.machine.components().iter().enumerate();
        let components = components.map(|(index, component)| Component {
            name: component.name.clone(),
            nodes: (self.nodes[index].iter().enumerate())
                .map(|(number, &at)| node(self.machine, number, at))
                .collect(),
            boxes: component.boxes.iter().map(renamed).collect(),
            edges: std::mem::take(&mut edges[index]),
            labels: Vec::new(),
            origin: component.origin,
        });
        let components = components.collect();
        let entries = self.machine.init().iter();
        let states = self.automaton.initial();
        let pairs = entries.flat_map(|&entry| states.iter().map(move |&state| (entry, state)));
        let mut init: Vec<Place> = pairs
            .map(|(entry, state)| Place {
                component: self.machine.place(entry).component,
                vertex: Vertex::Node(self.numbers[&(entry, state)]),
            })
            .collect();
        let mut nodes = self.nodes;
        let mut parts = RsmParts {
            components,
            alphabet: self.machine.parts().alphabet.clone(),
            init: Vec::new(),
            accept: Vec::new(),
        };
        // An automaton without an initial state has no run: begin where nothing follows.
        if init.is_empty() {
            parts.components = vec![nowhere()];
            nodes = vec![vec![ProductVertex::At {
                vertex: self.machine.init()[0],
                state: 0,
            }]];
            init.push(Place {
                component: ComponentId(0),
                vertex: Vertex::Node(0),
            });
        }
        parts.init = init;
        let reading = self.marks;
        (parts, Finished { nodes, reading })
    }
}

fn node(machine: &Rsm, number: usize, at: ProductVertex) -> RsmNode {
    match at {
        ProductVertex::At { vertex, state } => {
            let behind = machine.node(machine.place(vertex));
            RsmNode {
                name: format!("{}|{state}", behind.name).into(),
                role: behind.role,
                origin: behind.origin,
            }
        }
        ProductVertex::Reading { .. } => RsmNode {
            // No name in a text holds a `|`, and no state is written `-`.
            name: format!("{number}|-").into(),
            role: Role::Inner,
            origin: Origin::default(),
        },
    }
}

/// A box under a name that no node of the product has.
fn renamed(original: &RsmBox) -> RsmBox {
    RsmBox {
        name: format!("{}|box", original.name).into(),
        ..original.clone()
    }
}

fn nowhere() -> Component {
    Component {
        name: "nowhere".into(),
        nodes: vec![RsmNode {
            name: "start".into(),
            role: Role::Entry,
            origin: Origin::default(),
        }],
        boxes: Vec::new(),
        edges: Vec::new(),
        labels: Vec::new(),
        origin: Origin::default(),
    }
}
