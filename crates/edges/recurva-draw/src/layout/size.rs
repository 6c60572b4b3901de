//! How large nodes and labels are.

use crate::{
    graph::{Direction, Edge, Node, Shape},
    text::{FONT, LINE, SMALL_FONT, extent, fit, fit_lines, width},
};

/// The room that a node takes, and where its ports are, measured from its middle.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSize {
    /// Along a layer.
    pub(super) across: i32,
    /// From layer to layer.
    pub(super) along: i32,
    /// The entries, along a layer.
    pub(super) entries: Vec<i32>,
    /// The exits, along a layer.
    pub(super) exits: Vec<i32>,
    /// The text that is shown.
    pub(super) lines: Vec<String>,
}

/// The room that the text beside an edge takes.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSize {
    /// The width.
    pub(super) w: i32,
    /// The height.
    pub(super) h: i32,
    /// The text that is shown.
    pub(super) lines: Vec<String>,
}

/// The next even number: middles are whole then.
fn even(number: i32) -> i32 {
    (number + 1) / 2 * 2
}

/// How far the outline of a node is from its middle at a place beside the middle; `across` and
/// `along` are its sizes, and `at` is measured across.
pub(super) fn half(shape: Shape, across: i32, along: i32, at: i32) -> i32 {
    match shape {
        Shape::Circle | Shape::Ellipse | Shape::Point => {
            let share = f64::from(at) / f64::from(across / 2);
            let height = f64::from(along / 2) * (1.0 - share * share).max(0.0).sqrt();
            height.round() as i32
        }
        Shape::Rounded | Shape::Box | Shape::Plain => along / 2,
    }
}

pub(super) fn label(edge: &Edge) -> LabelSize {
    let lines = fit_lines(&edge.lines);
    let (w, h) = extent(&lines, SMALL_FONT);
    LabelSize {
        w: even(w),
        h: even(h),
        lines,
    }
}

pub(super) fn node(node: &Node, direction: Direction) -> NodeSize {
    let lines = fit_lines(&node.lines);
    let (w, h) = extent(&lines, FONT);
    let (w, h) = match node.shape {
        Shape::Point => (8, 8),
        Shape::Plain => (w + 4, h + 2),
        Shape::Circle => {
            let diameter = (w + 10).max(h + 8).max(26);
            (diameter, diameter)
        }
        Shape::Ellipse => (w * 5 / 4 + 14, h + 14),
        Shape::Rounded => ((w + 16).max(28), h + 10),
        Shape::Box => ((w + 20).max(36), h + 14),
    };
    if node.entries.is_empty() && node.exits.is_empty() {
        let (across, along) = match direction {
            Direction::Down => (even(w), even(h)),
            Direction::Right => (even(h), even(w)),
        };
        return NodeSize {
            across,
            along,
            lines,
            ..NodeSize::default()
        };
    }
    let (across, along, shift, pitches) = with_ports(node, direction, w, h);
    let offsets = |pitches: &[i32]| -> Vec<i32> {
        let mut at = shift - pitches.iter().sum::<i32>() / 2;
        let middle = |pitch: &i32| {
            at += pitch;
            at - pitch / 2
        };
        pitches.iter().map(middle).collect()
    };
    NodeSize {
        across: even(across),
        along: even(along),
        entries: offsets(&pitches.0),
        exits: offsets(&pitches.1),
        lines,
    }
}

/// The room that each port takes along its side.
type Pitches = (Vec<i32>, Vec<i32>);

/// The size of a box with ports, given the room its own text takes: across, along, how far the
/// middle of the ports is from that of the box, and the room of each port.
fn with_ports(node: &Node, direction: Direction, w: i32, h: i32) -> (i32, i32, i32, Pitches) {
    let widths = |ports: &[crate::graph::Port]| -> Vec<i32> {
        let text = |port: &crate::graph::Port| width(&fit(&port.label), SMALL_FONT);
        ports.iter().map(text).collect()
    };
    let (entries, exits) = (widths(&node.entries), widths(&node.exits));
    match direction {
        Direction::Down => {
            let pitch = |text: &i32| even(text + 14).max(24);
            let pitches: Pitches = (
                entries.iter().map(pitch).collect(),
                exits.iter().map(pitch).collect(),
            );
            let row = |texts: &[i32]| {
                if texts.iter().any(|&text| text > 0) {
                    LINE
                } else {
                    0
                }
            };
            let across = [w, pitches.0.iter().sum(), pitches.1.iter().sum()];
            let across = across.into_iter().max().unwrap_or(w);
            (across, h + row(&entries) + row(&exits), 0, pitches)
        }
        Direction::Right => {
            let pitch = |_: &i32| 20;
            let pitches: Pitches = (
                entries.iter().map(pitch).collect(),
                exits.iter().map(pitch).collect(),
            );
            let widest = |texts: &[i32]| texts.iter().copied().max().unwrap_or(0);
            let along = w.max(widest(&entries) + widest(&exits) + 40);
            let ports = 20 * entries.len().max(exits.len()) as i32;
            // The text is above the ports.
            let head = even(node.lines.len() as i32 * LINE);
            (head + ports + 12, along, head / 2, pitches)
        }
    }
}
