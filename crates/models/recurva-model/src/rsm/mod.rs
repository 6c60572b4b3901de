//! Flat recursive state machines (*Analysis of Recursive State Machines*, §2).
//!
//! An [`Rsm`] has components; a component has nodes, some of them entries and exits, and
//! boxes, each of which stands for an invocation of a component. Edges lead from entries,
//! inner nodes and the exits of boxes to inner nodes, exits and the entries of boxes, and
//! carry a letter or are silent. There are no variables.
//!
//! As the paper assumes in its §3, no edge leads to an entry and none starts at an exit.
//!
//! # Vertices and runs
//!
//! The *vertices* are all nodes, and the ports of boxes (a box with an entry or an exit of
//! its component) that occur in an edge, a label or the accepting set. A run of the paper
//! goes from `u` straight to the entry `e` when it takes the edge `u -> b.e`, and from an
//! exit `x` straight to `v` when it takes `b.x -> v`. Here the ports are positions of their
//! own: the run is `u, b.e, e` and `x, b.x, v`, with one more silent step on either side of
//! an invocation. Leaving the ports out gives back the paper's run, with the same word and
//! the same stacks.
//!
//! What runs do is defined by [`RecursiveSystem`](crate::RecursiveSystem), which `Rsm`
//! implements with vertices as states. [`Rsm::to_program`] and [`Rsm::to_pds`] translate.

mod build;
mod pushdown;
mod system;
mod to_program;

use std::ops::Range;

use crate::{Malformed, Origin};

pub use pushdown::PdsOfRsm;
pub use to_program::{Letters, ProgramOfRsm};

/// Index of a component in [`Rsm::components`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

impl ComponentId {
    /// The position in [`Rsm::components`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A letter: index in the alphabet of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(pub u32);

impl Letter {
    /// The position in the alphabet.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Number of a vertex in the whole machine: component by component, in each the nodes in
/// order and then the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VertexId(pub u32);

impl VertexId {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A vertex as seen from its component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vertex {
    /// A node of the component, by its index.
    Node(u32),
    /// A port of a box.
    Port {
        /// Index of the box in the component.
        in_box: u32,
        /// Index of the entry or exit among the nodes of the box's component.
        node: u32,
    },
}

/// What a node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Where an invocation may begin.
    Entry,
    /// Where an invocation may end.
    Exit,
    /// Neither.
    Inner,
}

/// A node of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RsmNode {
    /// Unique among the nodes and boxes of the component.
    pub name: Box<str>,
    /// What it is for.
    pub role: Role,
    /// The declaration.
    pub origin: Origin,
}

/// A box: an invocation of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RsmBox {
    /// Unique among the nodes and boxes of the component.
    pub name: Box<str>,
    /// What it stands for.
    pub component: ComponentId,
    /// The declaration.
    pub origin: Origin,
}

/// An edge inside a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RsmEdge {
    /// An entry, an inner node, or an exit port of a box.
    pub from: Vertex,
    /// An inner node, an exit, or an entry port of a box.
    pub to: Vertex,
    /// The letter it reads; `None` is a silent edge.
    pub letter: Option<Letter>,
    /// The text it came from.
    pub origin: Origin,
}

/// A proposition that is true at a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RsmLabel {
    /// The vertex.
    pub vertex: Vertex,
    /// The proposition.
    pub name: Box<str>,
    /// Where it is said.
    pub origin: Origin,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Unique in the machine.
    pub name: Box<str>,
    /// The nodes; at least one is an entry.
    pub nodes: Vec<RsmNode>,
    /// The boxes.
    pub boxes: Vec<RsmBox>,
    /// The edges.
    pub edges: Vec<RsmEdge>,
    /// The propositions.
    pub labels: Vec<RsmLabel>,
    /// The declaration.
    pub origin: Origin,
}

impl Component {
    /// The indices of the nodes with that role, in order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = u32> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(move |(_, node)| node.role == role)
            .map(|(index, _)| index as u32)
    }
}

/// A vertex of some component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The component.
    pub component: ComponentId,
    /// The vertex in it.
    pub vertex: Vertex,
}

/// The parts of an [`Rsm`], as a front end assembles them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RsmParts {
    /// The components.
    pub components: Vec<Component>,
    /// The letters.
    pub alphabet: Vec<Box<str>>,
    /// The entries in which runs begin, at least one.
    pub init: Vec<Place>,
    /// The accepting (repeating) vertices. None at all means that the set is not given: the
    /// paper then takes every vertex.
    pub accept: Vec<Place>,
}

/// A checked recursive state machine. See [the module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rsm {
    parts: RsmParts,
    /// The ports that are vertices, by component in order.
    ports: Vec<Vec<(u32, u32)>>,
    /// The number of each component's first vertex, and the number of all vertices.
    first: Vec<u32>,
    /// All edges by source: target, letter, component and index in it.
    edges: Vec<Arc>,
    /// For each vertex, where its edges are.
    outgoing: Vec<Range<u32>>,
    init: Vec<VertexId>,
    accept: Vec<VertexId>,
    /// For each component, which node is its how-manieth entry or exit.
    ranks: Vec<Vec<u32>>,
}

/// An edge between numbered vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Where it starts.
    pub from: VertexId,
    /// Where it leads.
    pub to: VertexId,
    /// The letter; `None` is a silent edge.
    pub letter: Option<Letter>,
    /// The text it came from.
    pub origin: Origin,
}

impl Rsm {
    /// Checks that all parts fit together and numbers the vertices. Every later stage relies
    /// on this and does not check again.
    pub fn new(parts: RsmParts) -> Result<Self, Malformed> {
        build::build(parts)
    }

    /// The parts back, to change them and build another machine.
    pub fn into_parts(self) -> RsmParts {
        self.parts
    }

    /// The parts, to look at.
    pub fn parts(&self) -> &RsmParts {
        &self.parts
    }

    /// The components.
    pub fn components(&self) -> &[Component] {
        &self.parts.components
    }

    /// The name of a letter.
    pub fn letter(&self, letter: Letter) -> &str {
        &self.parts.alphabet[letter.index()]
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.outgoing.len()
    }

    /// Whether there is no vertex; never so, as there is an initial one.
    pub fn is_empty(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// All vertices in order.
    pub fn vertices(&self) -> impl Iterator<Item = VertexId> + use<> {
        (0..self.outgoing.len() as u32).map(VertexId)
    }

    /// The component of a vertex and the vertex as seen from there.
    pub fn place(&self, vertex: VertexId) -> Place {
        let component = self.first.partition_point(|&first| first <= vertex.0) - 1;
        let local = vertex.0 - self.first[component];
        let nodes = self.parts.components[component].nodes.len() as u32;
        Place {
            component: ComponentId(component as u32),
            vertex: match local.checked_sub(nodes) {
                None => Vertex::Node(local),
                Some(port) => {
                    let (in_box, node) = self.ports[component][port as usize];
                    Vertex::Port { in_box, node }
                }
            },
        }
    }

    /// The number of a vertex; `None` for a port that occurs nowhere.
    pub fn vertex(&self, place: Place) -> Option<VertexId> {
        let component = self.parts.components.get(place.component.index())?;
        let first = self.first[place.component.index()];
        let nodes = component.nodes.len() as u32;
        match place.vertex {
            Vertex::Node(node) => (node < nodes).then_some(VertexId(first + node)),
            Vertex::Port { in_box, node } => {
                let ports = &self.ports[place.component.index()];
                let port = ports.binary_search(&(in_box, node)).ok()?;
                Some(VertexId(first + nodes + port as u32))
            }
        }
    }

    /// The vertices of a component, as a range of numbers.
    pub fn vertices_of(&self, component: ComponentId) -> Range<u32> {
        self.first[component.index()]..self.first[component.index() + 1]
    }

    /// The node behind a vertex: the node itself, or the entry or exit of a port.
    pub fn node(&self, place: Place) -> &RsmNode {
        let component = &self.parts.components[place.component.index()];
        match place.vertex {
            Vertex::Node(node) => &component.nodes[node as usize],
            Vertex::Port { in_box, node } => {
                let callee = component.boxes[in_box as usize].component;
                &self.parts.components[callee.index()].nodes[node as usize]
            }
        }
    }

    /// The name of a vertex, `component.node` or `component.box.node`.
    pub fn name(&self, vertex: VertexId) -> String {
        let place = self.place(vertex);
        let component = &self.parts.components[place.component.index()];
        let node = &self.node(place).name;
        match place.vertex {
            Vertex::Node(_) => format!("{}.{node}", component.name),
            Vertex::Port { in_box, .. } => {
                let in_box = &component.boxes[in_box as usize].name;
                format!("{}.{in_box}.{node}", component.name)
            }
        }
    }

    /// The edges that start at a vertex.
    pub fn edges_from(&self, vertex: VertexId) -> &[Arc] {
        let range = self.outgoing[vertex.index()].clone();
        &self.edges[range.start as usize..range.end as usize]
    }

    /// All edges, by the vertex they start at.
    pub fn edges(&self) -> &[Arc] {
        &self.edges
    }

    /// The entries in which runs begin, in order, each once.
    pub fn init(&self) -> &[VertexId] {
        &self.init
    }

    /// The accepting vertices, in order, each once; see [`RsmParts::accept`].
    pub fn accept(&self) -> &[VertexId] {
        &self.accept
    }

    /// The propositions with the vertices where they are true.
    pub fn labels(&self) -> impl Iterator<Item = (VertexId, &RsmLabel)> {
        self.parts
            .components
            .iter()
            .enumerate()
            .flat_map(move |(index, component)| {
                let component_id = ComponentId(index as u32);
                component.labels.iter().filter_map(move |label| {
                    let place = Place {
                        component: component_id,
                        vertex: label.vertex,
                    };
                    Some((self.vertex(place)?, label))
                })
            })
    }

    /// The larger of the numbers of entries and exits, minimised per component: the paper's
    /// measure θ of how hard a machine is.
    pub fn theta(&self) -> usize {
        let bound = |component: &Component| {
            let count = |role| component.with_role(role).count();
            count(Role::Entry).min(count(Role::Exit))
        };
        self.parts
            .components
            .iter()
            .map(bound)
            .max()
            .unwrap_or_default()
    }

    /// Of an entry (or exit) how many entries (or exits) of the component stand before it.
    fn rank(&self, component: ComponentId, node: u32) -> u32 {
        self.ranks[component.index()][node as usize]
    }
}
