//! From machines to text.

use std::fmt::Write;

use recurva_model::{
    PlainNames, Rsm,
    rsm::{Component, Place, Role, Vertex},
};

use crate::flat::{plain, quoted};

/// The machine as the text of a `.rsm` file. Names that the format cannot hold are replaced
/// by similar ones.
pub fn write(rsm: &Rsm) -> String {
    let writer = Writer::new(rsm);
    let mut out = String::new();
    for (index, component) in rsm.components().iter().enumerate() {
        writer.component(&mut out, index, component);
    }
    for (word, places) in [("init", &rsm.parts().init), ("accept", &rsm.parts().accept)] {
        for place in places {
            let component = &writer.components[place.component.index()];
            let vertex = writer.vertex(rsm.components(), *place);
            let _ = writeln!(out, "{word} {component}.{vertex}");
        }
    }
    out
}

struct Writer<'r> {
    rsm: &'r Rsm,
    components: Vec<String>,
    /// The names of each component's nodes, and of its boxes.
    names: Vec<(Vec<String>, Vec<String>)>,
}

impl<'r> Writer<'r> {
    fn new(rsm: &'r Rsm) -> Self {
        let mut names = PlainNames::default();
        let components = rsm.components().iter();
        let components = components.map(|c| names.give(&c.name)).collect();
        let inside = rsm.components().iter().map(|component| {
            let mut names = PlainNames::default();
            let nodes = component.nodes.iter().map(|n| names.give(&n.name));
            let nodes = nodes.collect();
            let boxes = component.boxes.iter().map(|b| names.give(&b.name));
            (nodes, boxes.collect())
        });
        Writer {
            rsm,
            components,
            names: inside.collect(),
        }
    }

    fn vertex(&self, components: &[Component], place: Place) -> String {
        let index = place.component.index();
        match place.vertex {
            Vertex::Node(node) => self.names[index].0[node as usize].clone(),
            Vertex::Port { in_box, node } => {
                let callee = components[index].boxes[in_box as usize].component.index();
                let port = &self.names[callee].0[node as usize];
                format!("{}.{port}", self.names[index].1[in_box as usize])
            }
        }
    }

    fn component(&self, out: &mut String, index: usize, component: &Component) {
        let (nodes, boxes) = &self.names[index];
        let _ = writeln!(out, "component {}", self.components[index]);
        for (word, role) in [
            ("entry", Role::Entry),
            ("exit", Role::Exit),
            ("node", Role::Inner),
        ] {
            for node in component.with_role(role) {
                let _ = writeln!(out, "  {word} {}", nodes[node as usize]);
            }
        }
        for (name, declared) in boxes.iter().zip(&component.boxes) {
            let callee = &self.components[declared.component.index()];
            let _ = writeln!(out, "  box {name} : {callee}");
        }
        let place = |vertex| Place {
            component: recurva_model::rsm::ComponentId(index as u32),
            vertex,
        };
        let vertex = |v| self.vertex(self.rsm.components(), place(v));
        for edge in &component.edges {
            let _ = write!(out, "  {} -> {}", vertex(edge.from), vertex(edge.to));
            if let Some(letter) = edge.letter {
                let _ = write!(out, " : {}", word(self.rsm.letter(letter)));
            }
            out.push('\n');
        }
        for label in &component.labels {
            let _ = writeln!(
                out,
                "  label {} : {}",
                vertex(label.vertex),
                word(&label.name)
            );
        }
    }
}

/// A letter or proposition.
fn word(text: &str) -> String {
    if plain(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}
