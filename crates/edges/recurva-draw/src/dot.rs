//! A drawing in the language of Graphviz.

use std::fmt::{self, Write};

use crate::graph::{Class, Direction, Drawing, Edge, Graph, Line, Node, Port, Shape};

/// The drawing as the text of a DOT file: one `digraph`, with a cluster for each graph that has a
/// name or a frame.
pub fn dot(drawing: &Drawing) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_dot(&mut out, drawing);
    out
}

fn write_dot(out: &mut String, drawing: &Drawing) -> fmt::Result {
    writeln!(out, "digraph {} {{", quoted(&drawing.title))?;
    let direction = drawing.graphs.first().map(|graph| graph.direction);
    if direction == Some(Direction::Right) {
        out.push_str("  rankdir=LR;\n");
    }
    out.push_str("  node [fontname=\"monospace\", fontsize=12];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=11];\n");
    let mut first = 0;
    for (index, graph) in drawing.graphs.iter().enumerate() {
        let cluster = graph.framed || !graph.name.is_empty();
        let indent = if cluster { "    " } else { "  " };
        if cluster {
            writeln!(out, "  subgraph cluster_{index} {{")?;
            writeln!(out, "    label={};", quoted(&graph.name))?;
            let style = if graph.framed { "rounded" } else { "invis" };
            writeln!(out, "    style={style};")?;
        }
        write_graph(out, graph, first, indent)?;
        if cluster {
            out.push_str("  }\n");
        }
        first += graph.nodes.len();
    }
    out.write_str("}\n")
}

fn write_graph(out: &mut String, graph: &Graph, first: usize, indent: &str) -> fmt::Result {
    for (index, node) in graph.nodes.iter().enumerate() {
        write!(out, "{indent}{} [", first + index)?;
        write_node(out, node)?;
        out.push_str("];\n");
    }
    for edge in &graph.edges {
        out.push_str(indent);
        write_edge(out, edge, first)?;
        out.push('\n');
    }
    Ok(())
}

fn write_node(out: &mut String, node: &Node) -> fmt::Result {
    let accepting = node.classes.contains(&Class::Accepting);
    if node.entries.is_empty() && node.exits.is_empty() {
        let (shape, style) = match node.shape {
            Shape::Circle if accepting => ("doublecircle", ""),
            Shape::Circle => ("circle", ""),
            Shape::Ellipse => ("ellipse", ""),
            Shape::Rounded => ("box", "rounded"),
            Shape::Box => ("box", ""),
            Shape::Point => ("point", ""),
            Shape::Plain => ("plaintext", ""),
        };
        write!(out, "shape={shape}")?;
        if !style.is_empty() {
            write!(out, ", style={style}")?;
        }
        if accepting && shape != "doublecircle" {
            out.push_str(", peripheries=2");
        }
        write!(out, ", label={}", quoted(&node.lines.join("\n")))?;
    } else {
        // Entries, the text, exits: beside each other from left to right, else below each other.
        let mut fields = Vec::new();
        if !node.entries.is_empty() {
            fields.push(ports(&node.entries, 'i'));
        }
        fields.push(field(&node.lines.join("\n")));
        if !node.exits.is_empty() {
            fields.push(ports(&node.exits, 'o'));
        }
        write!(out, "shape=record, label=\"{{{}}}\"", fields.join("|"))?;
    }
    if let Some(colour) = colour(&node.classes) {
        write!(out, ", color={colour}")?;
    }
    Ok(())
}

fn write_edge(out: &mut String, edge: &Edge, first: usize) -> fmt::Result {
    write!(out, "{}", first + edge.from as usize)?;
    if let Some(port) = edge.exit {
        write!(out, ":o{port}")?;
    }
    write!(out, " -> {}", first + edge.to as usize)?;
    if let Some(port) = edge.entry {
        write!(out, ":i{port}")?;
    }
    let mut attributes = Vec::new();
    if !edge.lines.is_empty() {
        attributes.push(format!("label={}", quoted(&edge.lines.join("\n"))));
    }
    if edge.line == Line::Dashed {
        attributes.push("style=dashed".to_owned());
    }
    if let Some(colour) = colour(&edge.classes) {
        attributes.push(format!("color={colour}"));
    }
    if edge.classes.contains(&Class::Accepting) {
        attributes.push("penwidth=2".to_owned());
    }
    match attributes.is_empty() {
        true => out.write_char(';'),
        false => write!(out, " [{}];", attributes.join(", ")),
    }
}

fn colour(classes: &[Class]) -> Option<&'static str> {
    let colour = |class: &Class| match class {
        Class::Error => Some("red"),
        Class::Current => Some("orange"),
        Class::Taken => Some("purple"),
        Class::Entry | Class::Call | Class::Initial => Some("blue"),
        Class::Exit | Class::Return => Some("darkgreen"),
        Class::Faint => Some("gray"),
        Class::Accepting => None,
    };
    // The last class that has a colour says most.
    classes.iter().rev().find_map(colour)
}

fn ports(ports: &[Port], letter: char) -> String {
    let port = |(index, port): (usize, &Port)| format!("<{letter}{index}> {}", field(&port.label));
    let fields: Vec<String> = ports.iter().enumerate().map(port).collect();
    format!("{{{}}}", fields.join("|"))
}

/// Graphviz before version 3 reads no text of more than 16,384 bytes: longer ones are cut, those
/// in a record earlier, because there are several.
const LONGEST: usize = 3_000;
const LONGEST_FIELD: usize = 400;

/// A text in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, &[], LONGEST))
}

/// A text as a field of a record.
fn field(text: &str) -> String {
    escaped(text, &['{', '}', '|', '<', '>', ' '], LONGEST_FIELD)
}

fn escaped(text: &str, special: &[char], longest: usize) -> String {
    let mut out = String::new();
    for (index, letter) in text.chars().enumerate() {
        if index == longest {
            out.push('…');
            break;
        }
        match letter {
            '\n' => out.push_str("\\n"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            // Graphviz reads the entities of HTML in every text.
            '&' => out.push_str("&amp;"),
            _ if letter.is_control() => out.push(' '),
            _ if special.contains(&letter) => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}
