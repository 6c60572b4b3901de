//! From recursive state machines to programs.

use crate::{
    Action, Binary, Edge, Expr, Label, Node, NodeId, Origin, Parts, Point, ProcId, Procedure,
    Program, Type, VarRef, Variable,
    program::Place as Target,
    rsm::{Component, ComponentId, Letter, Place, Role, Rsm, Vertex, VertexId},
};

/// A program made from a machine.
#[derive(Clone, Debug)]
pub struct ProgramOfRsm {
    /// The program.
    pub program: Program,
    /// The number of each component's first vertex, and the number of all vertices.
    first: Vec<u32>,
    /// The nodes that stand for letters, if there are such.
    pub letters: Vec<(Letter, Point)>,
}

/// What becomes of the letters of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// They are dropped.
    Dropped,
    /// An edge with a letter becomes two steps, with a node in between that stands for it.
    Nodes,
}

impl ProgramOfRsm {
    /// The node that stands for a vertex.
    pub fn point(&self, vertex: VertexId) -> Point {
        let component = self.first.partition_point(|&first| first <= vertex.0) - 1;
        Point {
            procedure: ProcId(component as u32),
            node: NodeId(vertex.0 - self.first[component]),
        }
    }

    /// The vertex that a node stands for; `None` for a node that the translation made up.
    pub fn vertex(&self, point: Point) -> Option<VertexId> {
        let index = point.procedure.index();
        let (first, next) = (self.first.get(index)?, self.first.get(index + 1)?);
        let vertex = first.checked_add(point.node.0)?;
        (vertex < *next).then_some(VertexId(vertex))
    }
}

/// The label of accepting vertices.
const ACCEPT: &str = "accept";

impl Rsm {
    /// The machine as a program: a procedure for each component and a node for each vertex,
    /// so that every engine for programs works on machines too.
    ///
    /// Which entry is taken is a hidden parameter, which exit a hidden result, and the nodes
    /// that read and set them are the only ones besides the vertices; a component with one
    /// entry (or exit) needs neither. A vertex is labelled with its name `component.node` or
    /// `component.box.node`, with its propositions, and with `accept` if it is accepting.
    /// Runs begin in the component whose entries are just the initial ones, if there is one,
    /// else in one more procedure, `init`, that calls.
    ///
    /// A vertex is reachable if and only if its node is, and the way there takes the same
    /// vertices.
    pub fn to_program(&self, letters: Letters) -> ProgramOfRsm {
        let widest = |role| {
            let counts = self.components().iter().map(|c| c.with_role(role).count());
            counts.max().unwrap_or(1)
        };
        let translation = Translation {
            rsm: self,
            entry_type: index_type(widest(Role::Entry)),
            exit_type: index_type(widest(Role::Exit)),
            letters,
        };
        let mut letters = Vec::new();
        let mut procedures: Vec<Procedure> = (0..self.components().len() as u32)
            .map(|index| translation.procedure(ComponentId(index), &mut letters))
            .collect();
        let main = match self.initial_component() {
            Some(component) => ProcId(component.0),
            None => {
                procedures.push(translation.start());
                ProcId(procedures.len() as u32 - 1)
            }
        };
        let program = Program::new(Parts {
            globals: Vec::new(),
            procedures,
            main,
            labels: self.program_labels(),
            failures: Vec::new(),
        });
        ProgramOfRsm {
            program: program.expect("a component's vertices and edges make a procedure"),
            first: self.first.clone(),
            letters,
        }
    }

    /// The component whose entries are the initial vertices, all of them and no others.
    fn initial_component(&self) -> Option<ComponentId> {
        let component = self.place(*self.init().first()?).component;
        let entries = self.components()[component.index()].with_role(Role::Entry);
        let first = self.first[component.index()];
        let entries = entries.map(|node| VertexId(first + node));
        entries.eq(self.init().iter().copied()).then_some(component)
    }

    fn program_labels(&self) -> Vec<Label> {
        let mut labels: Vec<(VertexId, Label)> = Vec::with_capacity(self.len());
        let mut push = |vertex: VertexId, name: Box<str>, origin| {
            let component = self.place(vertex).component;
            let point = Point {
                procedure: ProcId(component.0),
                node: NodeId(vertex.0 - self.first[component.index()]),
            };
            let label = Label {
                name,
                point,
                origin,
            };
            labels.push((vertex, label));
        };
        for vertex in self.vertices() {
            let origin = self.origin(vertex);
            push(vertex, self.name(vertex).into(), origin);
        }
        for (vertex, label) in self.labels() {
            push(vertex, label.name.clone(), label.origin);
        }
        for &vertex in self.accept() {
            push(vertex, ACCEPT.into(), self.origin(vertex));
        }
        // The name of a vertex stays its first label: reports show that one.
        labels.sort_by_key(|&(vertex, _)| vertex);
        labels.into_iter().map(|(_, label)| label).collect()
    }

    /// Where a vertex is declared: the node, or the box of a port.
    fn origin(&self, vertex: VertexId) -> Origin {
        let place = self.place(vertex);
        let component = &self.components()[place.component.index()];
        match place.vertex {
            Vertex::Node(node) => component.nodes[node as usize].origin,
            Vertex::Port { in_box, .. } => component.boxes[in_box as usize].origin,
        }
    }
}

/// The smallest type for so many values.
fn index_type(count: usize) -> Type {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    Type::unsigned(bits.clamp(1, 64) as u8)
}

struct Translation<'a> {
    rsm: &'a Rsm,
    entry_type: Type,
    exit_type: Type,
    letters: Letters,
}

/// What a procedure has besides its vertices.
struct Extra {
    /// The parameter that says which entry is taken.
    entry: Option<VarRef>,
    /// Holds the result of a call just made, and at the exit the own one.
    exit: VarRef,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Extra {
    fn node(&mut self, origin: Origin) -> NodeId {
        self.nodes.push(Node { origin });
        NodeId(self.nodes.len() as u32 - 1)
    }
}

impl Translation<'_> {
    fn component(&self, id: ComponentId) -> &Component {
        &self.rsm.components()[id.index()]
    }

    /// The only node of a role, if there is just one.
    fn only(&self, id: ComponentId, role: Role) -> Option<u32> {
        let mut nodes = self.component(id).with_role(role);
        nodes.next().filter(|_| nodes.next().is_none())
    }

    /// Whether a component says by a result which exit it took.
    fn has_result(&self, id: ComponentId) -> bool {
        self.component(id).with_role(Role::Exit).nth(1).is_some()
    }

    /// What a call passes to begin at that entry.
    fn arguments(&self, callee: ComponentId, entry: u32) -> Vec<Expr> {
        match self.only(callee, Role::Entry) {
            Some(_) => Vec::new(),
            None => {
                let rank = u64::from(self.rsm.rank(callee, entry));
                vec![Expr::constant(rank, self.entry_type)]
            }
        }
    }

    fn procedure(&self, id: ComponentId, letters: &mut Vec<(Letter, Point)>) -> Procedure {
        let component = self.component(id);
        let vertices = self.rsm.vertices_of(id).map(VertexId);
        let nodes = vertices.map(|vertex| Node {
            origin: self.rsm.origin(vertex),
        });
        let mut locals = Vec::new();
        let mut local = |name: &str, ty| {
            locals.push(Variable {
                hidden: true,
                ..Variable::scalar(name, ty)
            });
            VarRef::Local(locals.len() as u32 - 1)
        };
        let entry = match self.only(id, Role::Entry) {
            Some(_) => None,
            None => Some(local("entry", self.entry_type)),
        };
        let exit = local("exit", self.exit_type);
        let mut extra = Extra {
            entry,
            exit,
            nodes: nodes.collect(),
            edges: Vec::with_capacity(component.edges.len()),
        };
        let entry_node = self.entry(id, &mut extra);
        let exit_node = self.exit(id, &mut extra);
        self.inside(id, &mut extra, letters);
        let results = match self.has_result(id) {
            true => vec![u32::from(entry.is_some())],
            false => Vec::new(),
        };
        Procedure {
            name: component.name.clone(),
            locals,
            parameters: usize::from(entry.is_some()),
            results,
            nodes: extra.nodes,
            edges: extra.edges,
            entry: entry_node,
            exit: exit_node,
            origin: component.origin,
        }
    }

    /// The node where the procedure begins; with several entries it chooses one.
    fn entry(&self, id: ComponentId, extra: &mut Extra) -> NodeId {
        if let (None, Some(only)) = (extra.entry, self.only(id, Role::Entry)) {
            return NodeId(only);
        }
        let component = self.component(id);
        let hub = extra.node(component.origin);
        for node in component.with_role(Role::Entry) {
            let origin = component.nodes[node as usize].origin;
            let mut edge = Edge::skip(hub, NodeId(node), origin);
            if let Some(entry) = extra.entry {
                edge.guard = equals(entry, self.rsm.rank(id, node), self.entry_type);
            }
            extra.edges.push(edge);
        }
        hub
    }

    /// The node where the procedure ends; with several exits they meet there.
    fn exit(&self, id: ComponentId, extra: &mut Extra) -> NodeId {
        if let Some(only) = self.only(id, Role::Exit) {
            return NodeId(only);
        }
        let component = self.component(id);
        let hub = extra.node(component.origin);
        for node in component.with_role(Role::Exit) {
            let origin = component.nodes[node as usize].origin;
            let rank = Expr::constant(u64::from(self.rsm.rank(id, node)), self.exit_type);
            extra.edges.push(Edge {
                action: Action::Assign {
                    assigns: vec![(Target::Scalar(extra.exit), rank)],
                    constraint: None,
                },
                ..Edge::skip(NodeId(node), hub, origin)
            });
        }
        hub
    }

    /// Edges, calls and returns.
    fn inside(&self, id: ComponentId, extra: &mut Extra, letters: &mut Vec<(Letter, Point)>) {
        let range = self.rsm.vertices_of(id);
        let node_of = |vertex: VertexId| NodeId(vertex.0 - range.start);
        // Where calls come back that nothing follows.
        let mut dead = None;
        // Where the calls of each box come back.
        let mut back: Vec<Option<NodeId>> = vec![None; self.component(id).boxes.len()];
        for vertex in range.clone().map(VertexId) {
            for edge in self.rsm.edges_from(vertex) {
                let (mut from, to, mut origin) =
                    (node_of(edge.from), node_of(edge.to), edge.origin);
                if let (Some(letter), Letters::Nodes) = (edge.letter, self.letters) {
                    let read = extra.node(edge.origin);
                    letters.push((
                        letter,
                        Point {
                            procedure: ProcId(id.0),
                            node: read,
                        },
                    ));
                    extra.edges.push(Edge::skip(from, read, edge.origin));
                    // The rest of the edge is nothing to be shown again.
                    (from, origin) = (read, Origin::default());
                }
                extra.edges.push(Edge::skip(from, to, origin));
            }
            let place = self.rsm.place(vertex);
            let Vertex::Port { in_box, node } = place.vertex else {
                continue;
            };
            if self.rsm.node(place).role != Role::Entry {
                continue;
            }
            let declared = &self.component(id).boxes[in_box as usize];
            let callee = declared.component;
            let to = match back[in_box as usize] {
                Some(to) => to,
                None => {
                    let port = self.only(callee, Role::Exit).map(|exit| {
                        self.rsm.vertex(Place {
                            component: id,
                            vertex: Vertex::Port { in_box, node: exit },
                        })
                    });
                    let to = match port.flatten() {
                        Some(port) => node_of(port),
                        None if self.has_result(callee) => self.returns(id, in_box, extra),
                        None => *dead.get_or_insert_with(|| extra.node(Origin::default())),
                    };
                    back[in_box as usize] = Some(to);
                    to
                }
            };
            let results = match self.has_result(callee) {
                true => vec![Some(extra.exit)],
                false => Vec::new(),
            };
            extra.edges.push(Edge {
                action: Action::Call {
                    callee: ProcId(callee.0),
                    arguments: self.arguments(callee, node),
                    results,
                },
                ..Edge::skip(node_of(vertex), to, declared.origin)
            });
        }
    }

    /// A node that goes on at the port of the exit that was taken.
    fn returns(&self, id: ComponentId, in_box: u32, extra: &mut Extra) -> NodeId {
        let declared = &self.component(id).boxes[in_box as usize];
        let first = self.rsm.vertices_of(id).start;
        let hub = extra.node(declared.origin);
        for exit in self.component(declared.component).with_role(Role::Exit) {
            let port = self.rsm.vertex(Place {
                component: id,
                vertex: Vertex::Port { in_box, node: exit },
            });
            if let Some(port) = port {
                let rank = self.rsm.rank(declared.component, exit);
                extra.edges.push(Edge {
                    guard: equals(extra.exit, rank, self.exit_type),
                    ..Edge::skip(hub, NodeId(port.0 - first), Origin::default())
                });
            }
        }
        hub
    }

    /// The procedure that calls the initial entries.
    fn start(&self) -> Procedure {
        let calls = self.rsm.init().iter().filter_map(|&vertex| {
            let place = self.rsm.place(vertex);
            let Vertex::Node(entry) = place.vertex else {
                return None;
            };
            let results = vec![None; usize::from(self.has_result(place.component))];
            Some(Edge {
                action: Action::Call {
                    callee: ProcId(place.component.0),
                    arguments: self.arguments(place.component, entry),
                    results,
                },
                ..Edge::skip(NodeId(0), NodeId(1), self.rsm.origin(vertex))
            })
        });
        Procedure {
            name: "init".into(),
            locals: Vec::new(),
            parameters: 0,
            results: Vec::new(),
            nodes: vec![Node::default(); 2],
            edges: calls.collect(),
            entry: NodeId(0),
            exit: NodeId(1),
            origin: Origin::default(),
        }
    }
}

fn equals(variable: VarRef, value: u32, ty: Type) -> Expr {
    let value = Expr::constant(u64::from(value), ty);
    Expr::read(variable).join(Binary::Equal, ty, &value)
}
