//! A placed drawing as SVG: one file without scripts that looks right on light and dark paper.

use std::fmt::{self, Display, Write};

use crate::{
    graph::{Class, Line, Shape},
    placed::{PORT, Placed, PlacedEdge, PlacedGraph, PlacedNode},
    text::LINE,
};

/// The colours and fonts. Every rule is about something inside a drawing, so that a page may
/// hold one.
const STYLE: &str = "\
.recurva-drawing { --paper: #ffffff; --ink: #1f2328; --quiet: #59636e; --outline: #6e7781;
  --fill: #f6f8fa; --frame: #d1d9e0; --blue: #0969da; --blue-fill: #ddf4ff; --red: #cf222e;
  --red-fill: #ffebe9; --yellow: #9a6700; --yellow-fill: #fff8c5; --green: #1a7f37;
  --green-fill: #dafbe1; --purple: #8250df; background: var(--paper); }
@media (prefers-color-scheme: dark) {
  .recurva-drawing { --paper: #0d1117; --ink: #f0f6fc; --quiet: #9198a1; --outline: #8b949e;
    --fill: #161b22; --frame: #3d444d; --blue: #58a6ff; --blue-fill: #0c2d6b; --red: #ff7b72;
    --red-fill: #4c1013; --yellow: #e3b341; --yellow-fill: #3b2300; --green: #56d364;
    --green-fill: #0f3d1c; --purple: #bc8cff; }
}
.recurva-drawing text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace;
  fill: var(--ink); text-anchor: middle; white-space: pre; }
.recurva-drawing .left { text-anchor: start; }
.recurva-drawing .name { font: bold 13px system-ui, sans-serif; text-anchor: start; }
.recurva-drawing .frame { fill: none; stroke: var(--frame); stroke-width: 1.5; }
.recurva-drawing .node .shape { fill: var(--fill); stroke: var(--outline); stroke-width: 1.2; }
.recurva-drawing .node .inner { fill: none; stroke: var(--outline); }
.recurva-drawing .node.point .shape { fill: var(--ink); stroke: none; }
.recurva-drawing .port { fill: var(--paper); stroke: var(--outline); stroke-width: 1.2; }
.recurva-drawing .small, .recurva-drawing .edge text { font-size: 11px; fill: var(--quiet); }
.recurva-drawing .edge path { fill: none; stroke: var(--outline); stroke-width: 1.2; }
.recurva-drawing .edge text { text-anchor: start; fill: var(--ink); stroke: var(--paper);
  stroke-width: 3px; stroke-linejoin: round; paint-order: stroke; }
.recurva-drawing .edge .head { fill: var(--outline); stroke: none; }
.recurva-drawing .edge.dashed .line { stroke-dasharray: 5 4; }
.recurva-drawing .entry .shape, .recurva-drawing .port.entry { stroke: var(--blue); }
.recurva-drawing .exit .shape, .recurva-drawing .port.exit { stroke: var(--green); }
.recurva-drawing .node.initial .shape { fill: var(--blue-fill); stroke-width: 2; }
.recurva-drawing .node.call .shape { fill: var(--paper); }
.recurva-drawing .node.error .shape { fill: var(--red-fill); stroke: var(--red); }
.recurva-drawing .node.taken .shape { stroke: var(--purple); stroke-width: 2; }
.recurva-drawing .node.current .shape { fill: var(--yellow-fill); stroke: var(--yellow);
  stroke-width: 2.5; }
.recurva-drawing .edge.call path { stroke: var(--blue); }
.recurva-drawing .edge.call .head { fill: var(--blue); }
.recurva-drawing .edge.return path { stroke: var(--green); }
.recurva-drawing .edge.return .head { fill: var(--green); }
.recurva-drawing .edge.accepting path { stroke-width: 2; }
.recurva-drawing .edge.taken path { stroke: var(--purple); stroke-width: 2; }
.recurva-drawing .edge.taken .head { fill: var(--purple); }
.recurva-drawing .edge.error path { stroke: var(--red); }
.recurva-drawing .edge.error .head { fill: var(--red); }
.recurva-drawing .faint { opacity: 0.55; }
";

/// How long an arrow's head is, and half of how wide.
const HEAD: (f64, f64) = (8.0, 3.6);

/// The drawing as the text of an SVG file.
pub fn svg(placed: &Placed) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_svg(&mut out, placed);
    out
}

fn write_svg(out: &mut String, placed: &Placed) -> fmt::Result {
    let (w, h) = (placed.width, placed.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"recurva-drawing\" role=\"img\" \
         aria-labelledby=\"recurva-title recurva-description\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\">"
    )?;
    writeln!(
        out,
        "<title id=\"recurva-title\">{}</title>",
        Escaped(&placed.title)
    )?;
    let description = Escaped(&placed.description);
    writeln!(out, "<desc id=\"recurva-description\">{description}</desc>")?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    for graph in &placed.graphs {
        write_frame(out, graph)?;
    }
    for edge in &placed.edges {
        write_edge(out, edge)?;
    }
    for node in &placed.nodes {
        write_node(out, node)?;
    }
    out.write_str("</svg>\n")
}

fn write_frame(out: &mut String, graph: &PlacedGraph) -> fmt::Result {
    if graph.framed {
        let PlacedGraph { x, y, w, h, .. } = graph;
        writeln!(
            out,
            "<rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>"
        )?;
    }
    if !graph.name.is_empty() {
        let (x, y, name) = (graph.name_x, graph.name_y, Escaped(&graph.name));
        writeln!(
            out,
            "<text class=\"name\" x=\"{x}\" y=\"{y}\">{name}</text>"
        )?;
    }
    Ok(())
}

fn write_group(
    out: &mut String,
    kind: &str,
    classes: &[Class],
    key: &str,
    hint: &str,
) -> fmt::Result {
    write!(out, "<g class=\"{kind}")?;
    for class in classes {
        write!(out, " {}", class.name())?;
    }
    out.push('"');
    if !key.is_empty() {
        write!(out, " data-key=\"{}\"", Escaped(key))?;
    }
    out.push('>');
    if !hint.is_empty() {
        write!(out, "<title>{}</title>", Escaped(hint))?;
    }
    Ok(())
}

fn write_node(out: &mut String, node: &PlacedNode) -> fmt::Result {
    let kind = if node.shape == Shape::Point {
        "node point"
    } else {
        "node"
    };
    write_group(out, kind, &node.classes, &node.key, &node.hint)?;
    write_outline(out, node, "shape", 0)?;
    if node.classes.contains(&Class::Accepting) {
        write_outline(out, node, "inner", 3)?;
    }
    let (x, class) = match node.left {
        true => (node.x + 9, " class=\"left\""),
        false => (node.x + node.w / 2, ""),
    };
    let lines = node.lines.len() as i32;
    let mut top = node.y + (node.h - lines * LINE) / 2;
    // Ports beside each other need the lower part of a box.
    if let Some(highest) = node.ports.iter().map(|port| port.y).min()
        && highest > node.y
    {
        top = node.y + 6;
    }
    for (index, line) in node.lines.iter().enumerate() {
        let y = top + index as i32 * LINE + 12;
        write!(
            out,
            "<text{class} x=\"{x}\" y=\"{y}\">{}</text>",
            Escaped(line)
        )?;
    }
    for port in &node.ports {
        out.push_str("<circle class=\"port");
        for class in &port.classes {
            write!(out, " {}", class.name())?;
        }
        let (x, y) = (port.x, port.y);
        write!(out, "\" cx=\"{x}\" cy=\"{y}\" r=\"{PORT}\"/>")?;
        if !port.label.is_empty() {
            let (x, y, label) = (port.label_x, port.label_y + 4, Escaped(&port.label));
            write!(
                out,
                "<text class=\"small\" x=\"{x}\" y=\"{y}\">{label}</text>"
            )?;
        }
    }
    out.write_str("</g>\n")
}

/// The outline of a node, that much smaller on each side.
fn write_outline(out: &mut String, node: &PlacedNode, class: &str, inset: i32) -> fmt::Result {
    let (x, y) = (node.x + inset, node.y + inset);
    let (w, h) = ((node.w - 2 * inset).max(1), (node.h - 2 * inset).max(1));
    match node.shape {
        Shape::Plain => Ok(()),
        Shape::Circle | Shape::Ellipse | Shape::Point => {
            let (cx, cy) = (node.x + node.w / 2, node.y + node.h / 2);
            let (rx, ry) = (f64::from(w) / 2.0, f64::from(h) / 2.0);
            write!(
                out,
                "<ellipse class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\"/>"
            )
        }
        Shape::Rounded | Shape::Box => {
            let round = if node.shape == Shape::Rounded { 9 } else { 2 };
            let round = (round - inset).max(0);
            write!(
                out,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
                 rx=\"{round}\"/>"
            )
        }
    }
}

fn write_edge(out: &mut String, edge: &PlacedEdge) -> fmt::Result {
    let kind = if edge.line == Line::Dashed {
        "edge dashed"
    } else {
        "edge"
    };
    write_group(out, kind, &edge.classes, &edge.key, &edge.hint)?;
    if let Some([x, y]) = edge.points.first() {
        write!(out, "<path class=\"line\" d=\"M{x} {y}")?;
        let mut start = [*x, *y];
        for curve in edge.points[1..].chunks_exact(3) {
            let end = curve[2];
            // A line is shorter as one.
            if curve[0] == start && curve[1] == end {
                write!(out, "L{} {}", end[0], end[1])?;
            } else {
                let [[a, b], [c, d]] = [curve[0], curve[1]];
                write!(out, "C{a} {b} {c} {d} {} {}", end[0], end[1])?;
            }
            start = end;
        }
        out.push_str("\"/>");
    }
    write_head(out, edge)?;
    if let Some(label) = &edge.label {
        for (index, line) in label.lines.iter().enumerate() {
            let (x, y) = (label.x, label.y + index as i32 * LINE + 12);
            write!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", Escaped(line))?;
        }
    }
    out.write_str("</g>\n")
}

/// The head of the arrow, in the direction in which the edge arrives.
fn write_head(out: &mut String, edge: &PlacedEdge) -> fmt::Result {
    let Some(&end) = edge.points.last() else {
        return Ok(());
    };
    let Some(&before) = edge.points.iter().rev().find(|point| **point != end) else {
        return Ok(());
    };
    let (x, y) = (f64::from(end[0]), f64::from(end[1]));
    let (dx, dy) = (x - f64::from(before[0]), y - f64::from(before[1]));
    let length = (dx * dx + dy * dy).sqrt();
    let (dx, dy) = (dx / length, dy / length);
    let (long, half) = HEAD;
    let (bx, by) = (x - dx * long, y - dy * long);
    write!(
        out,
        "<path class=\"head\" d=\"M{x} {y}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        bx - dy * half,
        by + dx * half,
        bx + dy * half,
        by - dx * half,
    )
}

/// A text as it may stand anywhere in XML. What XML cannot hold becomes a replacement
/// character.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => f.write_char(letter)?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ if letter.is_control() => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
