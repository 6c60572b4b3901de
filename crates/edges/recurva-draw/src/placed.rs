//! A drawing whose parts have places: plain data for whoever draws it.
//!
//! All lengths are whole pixels; y grows downward. The index of a node or an edge is the one it
//! had in its graph, behind those of the graphs before. In JSON, fields that say nothing (no
//! text, no classes, a solid line) are left out.

use serde::Serialize;

use crate::graph::{Class, Line, Shape};

/// A drawing whose parts have places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// What the picture is called.
    pub title: String,
    /// What it shows, for those who cannot see it.
    pub description: String,
    /// The width of everything.
    pub width: i32,
    /// The height of everything.
    pub height: i32,
    /// The graphs, in their order.
    pub graphs: Vec<PlacedGraph>,
    /// The nodes of all graphs.
    pub nodes: Vec<PlacedNode>,
    /// The edges of all graphs.
    pub edges: Vec<PlacedEdge>,
}

/// A graph and its frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacedGraph {
    /// Its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where the name begins.
    pub name_x: i32,
    /// The line that the letters of the name stand on.
    pub name_y: i32,
    /// Whether its outline is drawn.
    pub framed: bool,
    /// The left side.
    pub x: i32,
    /// The upper side.
    pub y: i32,
    /// The width.
    pub w: i32,
    /// The height.
    pub h: i32,
    /// The index of its first node.
    pub first_node: u32,
    /// The index of its first edge.
    pub first_edge: u32,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacedNode {
    /// What the caller knows it by.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The left side.
    pub x: i32,
    /// The upper side.
    pub y: i32,
    /// The width.
    pub w: i32,
    /// The height.
    pub h: i32,
    /// The outline.
    pub shape: Shape,
    /// The text, line by line, cut to what fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Whether the text begins at the left side; else it is in the middle.
    #[serde(skip_serializing_if = "is_false")]
    pub left: bool,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// What it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
    /// The entries, then the exits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PlacedPort>,
}

/// The radius of a port.
pub const PORT: i32 = 4;

/// A port: a small circle on the outline of its box.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacedPort {
    /// Its centre.
    pub x: i32,
    /// Its centre.
    pub y: i32,
    /// The text beside it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The middle of the text.
    pub label_x: i32,
    /// The middle of the text.
    pub label_y: i32,
    /// What it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
}

/// An edge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacedEdge {
    /// What the caller knows it by.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The node it leaves.
    pub from: u32,
    /// The node it leads to.
    pub to: u32,
    /// Its way, from one node's outline to the other's: where it starts, and then three points
    /// for each cubic Bézier curve, two for control and the end.
    pub points: Vec<[i32; 2]>,
    /// The text beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<PlacedLabel>,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// How it is drawn.
    #[serde(skip_serializing_if = "is_solid")]
    pub line: Line,
    /// What it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
    /// Whether it leads against the graph's direction.
    #[serde(skip_serializing_if = "is_false")]
    pub back: bool,
}

fn is_solid(line: &Line) -> bool {
    *line == Line::Solid
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

/// A text beside an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacedLabel {
    /// The left side.
    pub x: i32,
    /// The upper side.
    pub y: i32,
    /// The width.
    pub w: i32,
    /// The height.
    pub h: i32,
    /// The text, line by line, cut to what fits.
    pub lines: Vec<String>,
}
