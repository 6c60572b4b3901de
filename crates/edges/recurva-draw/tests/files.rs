//! SVG that every reader of XML takes, and DOT that Graphviz takes.

mod common;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use common::graphs;
use recurva_draw::{Border, Class, Drawing, Edge, Graph, Node, Port, Shape, dot, place, svg};

/// Names that are hard on writers of files.
fn hard_names() -> Vec<String> {
    let mut names: Vec<String> = [
        "",
        "\"quoted\"",
        "<b>&amp;</b>",
        "]]>",
        "a\\",
        "\\N \\G",
        "{a|b}",
        "<i0>",
        "naïve 漢字 🦀",
        "tab\tnew\nline",
        "\u{0}\u{1}\u{1b}\u{fffe}",
        "-- ; } digraph",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("x".repeat(10_000));
    names
}

/// One drawing with every name in every place.
fn hard() -> Drawing {
    let names = hard_names();
    let mut graphs = Vec::new();
    for name in &names {
        let mut graph = Graph {
            name: name.clone(),
            framed: true,
            ..Graph::default()
        };
        let first = Node {
            hint: name.clone(),
            ..Node::new(Shape::Circle, name)
                .keyed(name.clone())
                .on(Border::Start)
        };
        let from = graph.add(first.with(Class::Accepting));
        let to = graph.add(Node {
            entries: vec![Port::new(name), Port::new("")],
            exits: vec![Port::new(name)],
            ..Node::new(Shape::Box, name)
        });
        graph.connect(
            Edge::new(from, to)
                .at(0)
                .labelled(name.clone())
                .keyed(name.clone()),
        );
        graph.connect(Edge::new(to, to).by(0).at(1).labelled(name.clone()));
        graph.connect(Edge::new(from, from).labelled(name.clone()).dashed());
        graphs.push(graph);
    }
    Drawing {
        title: names.join(" "),
        description: names.join(" "),
        graphs,
    }
}

fn check_svg(drawing: &Drawing) {
    let placed = place(drawing).expect("small");
    let text = svg(&placed);
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let children = |name: &str| {
        root.children()
            .filter(move |child| child.has_tag_name(name))
            .count()
    };
    let svg = "http://www.w3.org/2000/svg";
    assert_eq!(root.tag_name().namespace(), Some(svg));
    let count = |name: &'static str| {
        root.children()
            .filter(move |c| c.has_tag_name((svg, name)))
            .count()
    };
    assert_eq!((count("title"), count("desc"), count("style")), (1, 1, 1));
    assert_eq!(children("script"), 0);
    let class = |child: &roxmltree::Node<'_, '_>, kind: &str| {
        let class = child.attribute("class").unwrap_or_default();
        class.split(' ').next() == Some(kind)
    };
    let nodes = root.children().filter(|child| class(child, "node")).count();
    let edges = root.children().filter(|child| class(child, "edge")).count();
    assert_eq!((nodes, edges), (placed.nodes.len(), placed.edges.len()));
    assert!(
        !text.contains("http://") || text.matches("http").count() == 1,
        "no other address"
    );
}

#[test]
fn svg_is_well_formed_whatever_the_names_are() {
    check_svg(&hard());
    check_svg(&Drawing::default());
    for (_, graph) in graphs(300) {
        check_svg(&Drawing {
            graphs: vec![graph],
            ..Drawing::default()
        });
    }
}

#[test]
fn names_come_out_as_they_went_in() {
    let placed = place(&hard()).expect("small");
    let text = svg(&placed);
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    let keys: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("data-key"))
        .collect();
    for name in ["\"quoted\"", "<b>&amp;</b>", "]]>", "naïve 漢字 🦀"] {
        assert!(keys.contains(&name), "{name}");
    }
}

/// What Graphviz says of a text; `None` if it is not installed.
fn graphviz(text: &str) -> Option<(bool, String)> {
    let mut child = Command::new("dot")
        .args(["-Tcanon"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((output.status.success(), complaints))
}

#[test]
// Whoever reads the output of the test should know.
#[allow(clippy::print_stderr)]
fn graphviz_takes_the_dot_files() {
    let mut drawings = vec![hard(), Drawing::default()];
    drawings.extend(graphs(60).map(|(seed, graph)| Drawing {
        title: format!("graph {seed}"),
        graphs: vec![graph],
        ..Drawing::default()
    }));
    for drawing in drawings {
        let text = dot(&drawing);
        let Some((fine, complaints)) = graphviz(&text) else {
            eprintln!("Graphviz is not installed: its part of this test is left out");
            return;
        };
        assert!(fine && complaints.is_empty(), "{complaints}\n{text}");
    }
}
