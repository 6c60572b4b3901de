//! What is drawn: graphs of nodes and edges, before anybody knows where they go.

use serde::Serialize;

/// Several graphs in one picture, side by side: one for each component of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// What the picture is called.
    pub title: String,
    /// What it shows, for those who cannot see it.
    pub description: String,
    /// The graphs.
    pub graphs: Vec<Graph>,
}

/// A graph. Its edges stay inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its name, written above it; may be empty.
    pub name: String,
    /// Whether there is a frame around it.
    pub framed: bool,
    /// Where most edges lead to.
    pub direction: Direction,
    /// The nodes; edges refer to them by index.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// For a run the lane of each node, the depth of its call: the nodes, which have no ports
    /// then, stand below each other. Empty for other graphs.
    pub lanes: Vec<u32>,
}

impl Graph {
    /// Adds a node and says its index.
    pub fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Adds an edge.
    pub fn connect(&mut self, edge: Edge) {
        self.edges.push(edge);
    }
}

/// Where most edges of a graph lead to. Entries of boxes are on the side where edges come from,
/// exits on the opposite one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom: for long labels.
    #[default]
    Down,
    /// From left to right: for short labels.
    Right,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A circle, for a short text.
    Circle,
    /// An ellipse.
    Ellipse,
    /// A box with round corners.
    #[default]
    Rounded,
    /// A box: with ports an invocation.
    Box,
    /// A dot without a text, from which an arrow to the first state comes.
    Point,
    /// A text without an outline.
    Plain,
}

/// What a node, a port or an edge is, as far as that decides its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Where an invocation begins.
    Entry,
    /// Where an invocation ends.
    Exit,
    /// Where runs begin.
    Initial,
    /// Accepting: drawn with a second outline.
    Accepting,
    /// An error.
    Error,
    /// Where a run is now.
    Current,
    /// Passed by a run.
    Taken,
    /// A call.
    Call,
    /// A return.
    Return,
    /// Of less interest.
    Faint,
}

impl Class {
    /// The name of it, as in the drawing's data.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Entry => "entry",
            Class::Exit => "exit",
            Class::Initial => "initial",
            Class::Accepting => "accepting",
            Class::Error => "error",
            Class::Current => "current",
            Class::Taken => "taken",
            Class::Call => "call",
            Class::Return => "return",
            Class::Faint => "faint",
        }
    }
}

/// The border of a graph that a node sits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Where edges come from; only for a node that no other node's edge leads to.
    Start,
    /// Where edges lead to; only for a node that no edge to another node leaves.
    End,
}

/// A port of a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// The text beside it; may be empty.
    pub label: String,
    /// What it is.
    pub classes: Vec<Class>,
}

impl Port {
    /// A port with a text.
    pub fn new(label: impl Into<String>) -> Self {
        Port {
            label: label.into(),
            classes: Vec::new(),
        }
    }
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What the caller knows it by; unique in the graph, or empty.
    pub key: String,
    /// The text in it, line by line.
    pub lines: Vec<String>,
    /// More about it, shown on demand; may be empty.
    pub hint: String,
    /// The outline.
    pub shape: Shape,
    /// What it is.
    pub classes: Vec<Class>,
    /// The border it sits on, if it can.
    pub border: Option<Border>,
    /// Ports where edges arrive.
    pub entries: Vec<Port>,
    /// Ports where edges leave.
    pub exits: Vec<Port>,
}

impl Node {
    /// A node with a text of one line.
    pub fn new(shape: Shape, label: impl Into<String>) -> Self {
        Node {
            lines: vec![label.into()],
            shape,
            ..Node::default()
        }
    }

    /// The same with a class more.
    #[must_use]
    pub fn with(mut self, class: Class) -> Self {
        self.classes.push(class);
        self
    }

    /// The same with another key.
    #[must_use]
    pub fn keyed(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// The same on a border.
    #[must_use]
    pub fn on(mut self, border: Border) -> Self {
        self.border = Some(border);
        self
    }
}

/// How an edge is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// Through.
    #[default]
    Solid,
    /// In dashes.
    Dashed,
}

/// An edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// What the caller knows it by; may be empty.
    pub key: String,
    /// The node it leaves.
    pub from: u32,
    /// Which of that node's exits it leaves by.
    pub exit: Option<u32>,
    /// The node it leads to.
    pub to: u32,
    /// Which of that node's entries it arrives at.
    pub entry: Option<u32>,
    /// The text beside it, line by line; may be empty.
    pub lines: Vec<String>,
    /// More about it, shown on demand; may be empty.
    pub hint: String,
    /// How it is drawn.
    pub line: Line,
    /// What it is.
    pub classes: Vec<Class>,
}

impl Edge {
    /// An edge between two nodes, without a text.
    pub fn new(from: u32, to: u32) -> Self {
        Edge {
            from,
            to,
            ..Edge::default()
        }
    }

    /// The same with a text of one line, unless it is empty.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        let label = label.into();
        if !label.is_empty() {
            self.lines.push(label);
        }
        self
    }

    /// The same with another key.
    #[must_use]
    pub fn keyed(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// The same with a class more.
    #[must_use]
    pub fn with(mut self, class: Class) -> Self {
        self.classes.push(class);
        self
    }

    /// The same in dashes.
    #[must_use]
    pub fn dashed(mut self) -> Self {
        self.line = Line::Dashed;
        self
    }

    /// The same leaving by an exit of its node.
    #[must_use]
    pub fn by(mut self, exit: u32) -> Self {
        self.exit = Some(exit);
        self
    }

    /// The same arriving at an entry of its node.
    #[must_use]
    pub fn at(mut self, entry: u32) -> Self {
        self.entry = Some(entry);
        self
    }
}
