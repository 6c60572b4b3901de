//! Labelled graphs on plain arrays.

use rustc_hash::FxHashMap;

use crate::meter::{Halt, Meter, heap, table};

/// No index on an edge.
pub const NO_INDEX: u32 = u32::MAX;

/// An edge of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Where it starts.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// Which of the graph's labels it has.
    pub label: u32,
    /// The index that a label such as `call_i` carries; [`NO_INDEX`] if none.
    pub index: u32,
}

/// What the nodes are called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    /// By their own numbers.
    Same,
    /// By other numbers, in ascending order.
    Numbers(Vec<u32>),
    /// By texts.
    Texts {
        list: Vec<Box<str>>,
        index: FxHashMap<Box<str>, u32>,
    },
}

/// A directed graph with labels on its edges. Nodes are numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    nodes: u32,
    labels: Vec<Box<str>>,
    edges: Vec<Edge>,
    names: Names,
}

/// Why arrays are no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAGraph {
    /// The first edge that does not fit.
    pub edge: usize,
}

impl std::fmt::Display for NotAGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let edge = self.edge;
        write!(f, "edge {edge} has a node or a label that does not exist")
    }
}

impl std::error::Error for NotAGraph {}

impl Graph {
    /// A graph of so many nodes.
    ///
    /// ```
    /// use recurva_reach::{Edge, Graph, NO_INDEX};
    ///
    /// let edge = Edge { from: 0, to: 1, label: 0, index: NO_INDEX };
    /// assert!(Graph::new(2, &["a"], vec![edge]).is_ok());
    /// assert!(Graph::new(1, &["a"], vec![edge]).is_err());
    /// ```
    pub fn new(nodes: u32, labels: &[&str], edges: Vec<Edge>) -> Result<Self, NotAGraph> {
        let fits = |e: &Edge| e.from.max(e.to) < nodes && (e.label as usize) < labels.len();
        match edges.iter().position(|edge| !fits(edge)) {
            Some(edge) => Err(NotAGraph { edge }),
            None => Ok(Graph {
                nodes,
                labels: labels.iter().map(|&label| label.into()).collect(),
                edges,
                names: Names::Same,
            }),
        }
    }

    /// A graph whose edges still name nodes by numbers of the user's, which may be far apart.
    pub(crate) fn of_numbers(
        labels: Vec<Box<str>>,
        mut edges: Vec<Edge>,
        alone: &[u32],
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut held = meter.hold(0)?;
        meter.work(edges.len() as u64)?;
        let ends = edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let highest = ends.chain(alone.iter().copied()).max();
        let places = highest.map_or(0, |highest| highest as usize + 1);
        // One table over all numbers, if that is not much more than the edges themselves.
        let numbers: Vec<u32> = if places <= 16 * (edges.len() + alone.len()) + 1024 {
            let mut seen = held.list(false, places)?;
            for edge in &edges {
                seen[edge.from as usize] = true;
                seen[edge.to as usize] = true;
            }
            for &node in alone {
                seen[node as usize] = true;
            }
            let mut numbers = Vec::new();
            for (number, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                held.room(&mut numbers)?;
                numbers.push(number as u32);
            }
            numbers
        } else {
            let ends = edges.iter().flat_map(|edge| [edge.from, edge.to]);
            let mut numbers: Vec<u32> = Vec::new();
            held.room_for(&mut numbers, 2 * edges.len() + alone.len())?;
            numbers.extend(ends.chain(alone.iter().copied()));
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        meter.work(edges.len() as u64)?;
        let nodes = numbers.len() as u32;
        if nodes as usize == places {
            return Ok(Graph {
                nodes,
                labels,
                edges,
                names: Names::Same,
            });
        }
        if places <= 16 * numbers.len() {
            let mut index = held.list(0, places)?;
            for (node, &number) in numbers.iter().enumerate() {
                index[number as usize] = node as u32;
            }
            for edge in &mut edges {
                (edge.from, edge.to) = (index[edge.from as usize], index[edge.to as usize]);
            }
        } else {
            held.add(table(numbers.len(), 8))?;
            let index: FxHashMap<u32, u32> = numbers.iter().copied().zip(0..).collect();
            for edge in &mut edges {
                (edge.from, edge.to) = (index[&edge.from], index[&edge.to]);
            }
        }
        meter.work(edges.len() as u64)?;
        Ok(Graph {
            nodes,
            labels,
            edges,
            names: Names::Numbers(numbers),
        })
    }

    /// A graph whose nodes have texts as names.
    pub(crate) fn of_texts(
        labels: Vec<Box<str>>,
        edges: Vec<Edge>,
        index: FxHashMap<Box<str>, u32>,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let texts = index.keys().map(|name| 16 + heap(name.len()));
        let _held = meter.hold(texts.sum())?;
        let mut list = vec![Box::<str>::default(); index.len()];
        for (name, &node) in &index {
            list[node as usize].clone_from(name);
        }
        meter.work(list.len() as u64)?;
        Ok(Graph {
            nodes: list.len() as u32,
            labels,
            edges,
            names: Names::Texts { list, index },
        })
    }

    /// The same nodes and labels with other edges between them.
    #[cfg(feature = "cluster")]
    pub(crate) fn with_edges(&self, edges: Vec<Edge>) -> Self {
        Graph {
            nodes: self.nodes,
            labels: self.labels.clone(),
            edges,
            names: self.names.clone(),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let text = |text: &str| size_of::<Box<str>>() + heap(text.len());
        let labels: usize = self.labels.iter().map(|label| text(label)).sum();
        let names = match &self.names {
            Names::Same => 0,
            Names::Numbers(numbers) => heap(4 * numbers.capacity()),
            Names::Texts { list, index } => {
                let texts: usize = list.iter().map(|name| text(name) + heap(name.len())).sum();
                texts + table(index.capacity(), size_of::<(Box<str>, u32)>())
            }
        };
        heap(self.edges.capacity() * size_of::<Edge>()) + labels + names
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The labels.
    pub fn labels(&self) -> &[Box<str>] {
        &self.labels
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What a node is called in the text that the graph was read from.
    pub fn name(&self, node: u32) -> String {
        match &self.names {
            Names::Same => node.to_string(),
            Names::Numbers(numbers) => numbers[node as usize].to_string(),
            Names::Texts { list, .. } => list[node as usize].to_string(),
        }
    }

    /// The node with a name.
    pub fn node(&self, name: &str) -> Option<u32> {
        match &self.names {
            Names::Same => name.parse().ok().filter(|&node| node < self.nodes),
            Names::Numbers(numbers) => {
                let position = numbers.binary_search(&name.parse().ok()?).ok()?;
                Some(position as u32)
            }
            Names::Texts { index, .. } => index.get(name).copied(),
        }
    }

    /// The label of an edge as text, with its index.
    pub fn label(&self, edge: &Edge) -> String {
        let label = &self.labels[edge.label as usize];
        match edge.index {
            NO_INDEX => label.to_string(),
            index => format!("{}_{index}", label.strip_suffix("_i").unwrap_or(label)),
        }
    }
}
