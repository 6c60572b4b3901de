//! From the syntax of a file to the machine: what names mean, and which edges there may be.

use recurva_model::{
    Rsm,
    rsm::{
        Component, ComponentId, Place, Role, RsmBox, RsmEdge, RsmLabel, RsmNode, RsmParts, Vertex,
    },
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::ast::{self, File, Path};
use crate::{
    flat::{Alphabet, Name},
    token::clip,
};

/// The machine, or `None` if there was an error.
pub(crate) fn resolve(
    source: &Source,
    file: &File<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Rsm> {
    let mut resolver = Resolver::new(file, diagnostics);
    if file.incomplete {
        return None;
    }
    let mut alphabet = Alphabet::default();
    let components = (0..file.components.len())
        .map(|index| resolver.component(index, &mut alphabet))
        .collect();
    let init = resolver.places(&file.init);
    for (place, path) in init.iter().zip(&file.init) {
        resolver.check_initial(*place, path);
    }
    let accept = resolver.places(&file.accept);
    if file.components.is_empty() {
        resolver.diagnostics.report(|| {
            Diagnostic::error("there is no component", source.end())
                .help("a machine begins with a line `component NAME`")
        });
    } else if file.init.is_empty() && !file.init_broken {
        let hint = resolver.some_entry();
        resolver.diagnostics.report(|| {
            Diagnostic::error("no run can begin: there is no `init` line", source.end())
                .help(format!("add `init {hint}`"))
        });
    }
    if diagnostics.has_errors() {
        return None;
    }
    let parts = RsmParts {
        components,
        alphabet: alphabet.into_list(),
        init: init.into_iter().flatten().collect(),
        accept: accept.into_iter().flatten().collect(),
    };
    match Rsm::new(parts) {
        Ok(rsm) => Some(rsm),
        Err(error) => {
            diagnostics.report(|| {
                Diagnostic::error(format!("internal error: {error}"), Span::at(0))
                    .help("this is a mistake in Recurva; please report it with this file")
            });
            None
        }
    }
}

/// What a name in a component is.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Node(u32),
    Box(u32),
}

struct Resolver<'f, 's, 'd> {
    file: &'f File<'s>,
    components: FxHashMap<&'s str, u32>,
    names: Vec<FxHashMap<&'s str, Meaning>>,
    /// For each component those of its boxes.
    callees: Vec<Vec<Option<u32>>>,
    diagnostics: &'d mut Diagnostics,
}

impl<'f, 's, 'd> Resolver<'f, 's, 'd> {
    fn new(file: &'f File<'s>, diagnostics: &'d mut Diagnostics) -> Self {
        let mut resolver = Resolver {
            file,
            components: FxHashMap::default(),
            names: Vec::with_capacity(file.components.len()),
            callees: Vec::with_capacity(file.components.len()),
            diagnostics,
        };
        for (index, component) in file.components.iter().enumerate() {
            let name = component.name;
            let first = *resolver.components.entry(name.text).or_insert(index as u32) as usize;
            if first != index {
                resolver.twice("component", name, file.components[first].name.span);
            }
        }
        for component in &file.components {
            let names = resolver.declare(component);
            resolver.names.push(names);
            let callees = component.boxes.iter().map(|&(_, callee)| {
                let found = resolver.components.get(callee.text).copied();
                if found.is_none() && !file.incomplete {
                    let all = file.components.iter().map(|c| c.name.text);
                    resolver.diagnostics.report(|| {
                        let text = clip(callee.text);
                        Diagnostic::error(format!("there is no component `{text}`"), callee.span)
                            .help_if(did_you_mean(callee.text, all))
                    });
                }
                found
            });
            let callees = callees.collect();
            resolver.callees.push(callees);
        }
        resolver
    }

    fn declare(&mut self, component: &ast::Component<'s>) -> FxHashMap<&'s str, Meaning> {
        let mut names: FxHashMap<&'s str, Meaning> = FxHashMap::default();
        let nodes = component.nodes.iter().enumerate();
        let nodes = nodes.map(|(i, &(name, _))| (name, Meaning::Node(i as u32)));
        let boxes = component.boxes.iter().enumerate();
        let boxes = boxes.map(|(i, &(name, _))| (name, Meaning::Box(i as u32)));
        for (name, meaning) in nodes.chain(boxes) {
            match names.get(name.text) {
                None => {
                    names.insert(name.text, meaning);
                }
                Some(Meaning::Node(first)) => {
                    let (first, first_role) = component.nodes[*first as usize];
                    let roles = match meaning {
                        Meaning::Node(again) => {
                            Some((first_role, component.nodes[again as usize].1))
                        }
                        Meaning::Box(_) => None,
                    };
                    match roles {
                        Some((Role::Entry, Role::Exit) | (Role::Exit, Role::Entry)) => {
                            self.diagnostics.report(|| {
                                let message = "a node cannot be both entry and exit";
                                Diagnostic::error(message, name.span)
                                    .note(first.span, "first declared here")
                                    .help("declare two nodes and an edge between them")
                            });
                        }
                        _ => self.twice("node", name, first.span),
                    }
                }
                Some(Meaning::Box(first)) => {
                    let first = component.boxes[*first as usize].0.span;
                    self.twice("box", name, first);
                }
            }
        }
        if !component.nodes.iter().any(|n| n.1 == Role::Entry) && !self.file.incomplete {
            let name = component.name;
            self.diagnostics.report(|| {
                let text = clip(name.text);
                Diagnostic::error(format!("component `{text}` has no entry"), name.span)
                    .help("add a line `entry NAME`: an invocation has to begin somewhere")
            });
        }
        names
    }

    fn twice(&mut self, what: &str, name: Name<'_>, first: Span) {
        self.diagnostics.report(|| {
            let text = clip(name.text);
            Diagnostic::error(format!("{what} `{text}` is declared twice"), name.span)
                .label("declared again here")
                .note(first, "first declared here")
        });
    }

    fn component(&mut self, index: usize, alphabet: &mut Alphabet<'s>) -> Component {
        let syntax = &self.file.components[index];
        let nodes = syntax.nodes.iter().map(|&(name, role)| RsmNode {
            name: name.text.into(),
            role,
            origin: name.origin(),
        });
        let boxes = syntax.boxes.iter().zip(&self.callees[index]);
        let boxes = boxes.map(|(&(name, _), callee)| RsmBox {
            name: name.text.into(),
            component: ComponentId(callee.unwrap_or(u32::MAX)),
            origin: name.origin(),
        });
        let (nodes, boxes) = (nodes.collect(), boxes.collect());
        let mut edges = Vec::with_capacity(syntax.edges.len());
        for edge in &syntax.edges {
            let from = self.vertex(index, &edge.from.names, edge.from.span);
            let to = self.vertex(index, &edge.to.names, edge.to.span);
            if let Some(from) = from {
                self.check_source(index, from, &edge.from);
            }
            if let Some(to) = to {
                self.check_target(index, to, &edge.to);
            }
            if let (Some(from), Some(to)) = (from, to) {
                edges.push(RsmEdge {
                    from,
                    to,
                    letter: edge.letter.and_then(|name| alphabet.letter(name.text)),
                    origin: edge.origin,
                });
            }
        }
        let mut labels = Vec::new();
        for (path, names) in &syntax.labels {
            let Some(vertex) = self.vertex(index, &path.names, path.span) else {
                continue;
            };
            labels.extend(names.iter().map(|name| RsmLabel {
                vertex,
                name: name.text.into(),
                origin: name.origin(),
            }));
        }
        Component {
            name: syntax.name.text.into(),
            nodes,
            boxes,
            edges,
            labels,
            origin: syntax.name.origin(),
        }
    }

    /// What `u` or `b.u` means in a component.
    fn vertex(&mut self, index: usize, names: &[Name<'s>], span: Span) -> Option<Vertex> {
        let syntax = &self.file.components[index];
        let component = clip(syntax.name.text);
        let (&first, port) = names.split_first()?;
        let meaning = self.names[index].get(first.text).copied();
        match (meaning, port) {
            (Some(Meaning::Node(node)), []) => Some(Vertex::Node(node)),
            (Some(Meaning::Box(in_box)), &[port]) => self.port(index, in_box, port),
            (Some(Meaning::Box(in_box)), []) => {
                let callee = self.callees[index][in_box as usize];
                let ports = callee
                    .map(|callee| self.ports_of(callee))
                    .unwrap_or_default();
                let (text, port) = (clip(first.text), ports.first().copied().unwrap_or("x"));
                self.diagnostics.report(|| {
                    Diagnostic::error(format!("`{text}` is a box, not a vertex"), span)
                        .help(format!("name one of its ports, as in `{text}.{port}`"))
                });
                None
            }
            (Some(Meaning::Node(_)), _) => {
                let text = clip(first.text);
                self.diagnostics.report(|| {
                    Diagnostic::error(format!("node `{text}` has no ports"), span).help(format!(
                        "only boxes have; inside component `{component}` a node is just `{text}`"
                    ))
                });
                None
            }
            (Some(Meaning::Box(_)), _) => {
                self.diagnostics.report(|| {
                    Diagnostic::error("a port has no parts", span)
                        .help("inside a component a port is `box.node`")
                });
                None
            }
            (None, _) => {
                let all = syntax.nodes.iter().map(|n| n.0.text);
                let all = all.chain(syntax.boxes.iter().map(|b| b.0.text));
                let own = first.text == syntax.name.text && !port.is_empty();
                let text = clip(first.text);
                self.diagnostics.report(|| {
                    let what = match port {
                        [] => "node",
                        _ => "box",
                    };
                    let message = format!("there is no {what} `{text}` in component `{component}`");
                    let error = Diagnostic::error(message, first.span);
                    match own {
                        true => error.help("inside its component a vertex has no `component.`"),
                        false => error.help_if(did_you_mean(first.text, all)),
                    }
                });
                None
            }
        }
    }

    fn ports_of(&self, component: u32) -> Vec<&'s str> {
        let nodes = &self.file.components[component as usize].nodes;
        let ports = nodes.iter().filter(|n| n.1 != Role::Inner);
        ports.map(|n| n.0.text).collect()
    }

    fn port(&mut self, index: usize, in_box: u32, port: Name<'s>) -> Option<Vertex> {
        // An unknown component has been reported where the box is declared.
        let callee = self.callees[index][in_box as usize]?;
        let component = clip(self.file.components[callee as usize].name.text);
        let text = clip(port.text);
        let found = self.names[callee as usize].get(port.text).copied();
        if let Some(Meaning::Node(node)) = found {
            let (declared, role) = self.file.components[callee as usize].nodes[node as usize];
            if role != Role::Inner {
                return Some(Vertex::Port { in_box, node });
            }
            self.diagnostics.report(|| {
                let message = format!("`{text}` is neither an entry nor an exit of `{component}`");
                Diagnostic::error(message, port.span).note(declared.span, "an inner node")
            });
            return None;
        }
        let all = self.ports_of(callee);
        self.diagnostics.report(|| {
            let message = format!("component `{component}` has no entry or exit `{text}`");
            let near = did_you_mean(port.text, all.iter().copied());
            let list = format!("its entries and exits are {}", all.join(", "));
            let few = all.len() <= 12;
            let error = Diagnostic::error(message, port.span);
            match near {
                Some(near) => error.help(near),
                None => error.help_if(few.then_some(list)),
            }
        });
        None
    }

    /// The role behind a vertex, and whether it is a port.
    fn role(&self, index: usize, vertex: Vertex) -> (Role, bool) {
        let component = |index: usize| &self.file.components[index];
        match vertex {
            Vertex::Node(node) => (component(index).nodes[node as usize].1, false),
            Vertex::Port { in_box, node } => {
                let callee = self.callees[index][in_box as usize].map_or(index, |c| c as usize);
                (component(callee).nodes[node as usize].1, true)
            }
        }
    }

    fn check_source(&mut self, index: usize, vertex: Vertex, path: &Path<'_>) {
        let (message, help) = match self.role(index, vertex) {
            (Role::Exit, false) => (
                "no edge starts at an exit",
                "an exit returns to the box that was entered; its edges start at the box, \
                 as in `b.x -> v`",
            ),
            (Role::Entry, true) => (
                "no edge starts at the entry of a box",
                "control comes back at the box's exits",
            ),
            _ => return,
        };
        self.diagnostics
            .report(|| Diagnostic::error(message, path.span).help(help));
    }

    fn check_target(&mut self, index: usize, vertex: Vertex, path: &Path<'_>) {
        let (message, help) = match self.role(index, vertex) {
            (Role::Entry, false) => (
                "no edge leads to an entry",
                "go through an inner node: an edge from the entry to it, and this one to it too",
            ),
            (Role::Exit, true) => (
                "no edge leads to the exit of a box",
                "a box is entered at its entries",
            ),
            _ => return,
        };
        self.diagnostics
            .report(|| Diagnostic::error(message, path.span).help(help));
    }

    /// The vertices of an `init` or `accept` line.
    fn places(&mut self, paths: &[Path<'s>]) -> Vec<Option<Place>> {
        paths.iter().map(|path| self.place(path)).collect()
    }

    fn place(&mut self, path: &Path<'s>) -> Option<Place> {
        let (&first, rest) = path.names.split_first()?;
        let Some(&component) = self.components.get(first.text) else {
            let all = self.file.components.iter().map(|c| c.name.text);
            let holder = self.file.components.iter().zip(&self.names);
            let holder = holder
                .filter(|(_, names)| names.contains_key(first.text))
                .map(|(c, _)| c.name.text)
                .next();
            let text = clip(first.text);
            self.diagnostics.report(|| {
                let error =
                    Diagnostic::error(format!("there is no component `{text}`"), first.span);
                match holder {
                    Some(holder) => error.help(format!(
                        "with its component it is `{holder}.{}`",
                        path.names
                            .iter()
                            .map(|n| n.text)
                            .collect::<Vec<_>>()
                            .join(".")
                    )),
                    None => error.help_if(did_you_mean(first.text, all)),
                }
            });
            return None;
        };
        if rest.is_empty() {
            let text = clip(first.text);
            self.diagnostics.report(|| {
                Diagnostic::error(format!("`{text}` is a component, not a vertex"), path.span)
                    .help(format!("name a vertex in it, as in `{text}.u`"))
            });
            return None;
        }
        let vertex = self.vertex(component as usize, rest, path.span)?;
        Some(Place {
            component: ComponentId(component),
            vertex,
        })
    }

    fn check_initial(&mut self, place: Option<Place>, path: &Path<'_>) {
        let Some(place) = place else { return };
        if self.role(place.component.index(), place.vertex) == (Role::Entry, false) {
            return;
        }
        let component = &self.file.components[place.component.index()];
        let entries = component.nodes.iter().filter(|n| n.1 == Role::Entry);
        let entry = entries.map(|n| n.0.text).next().unwrap_or("e");
        let name = clip(component.name.text);
        self.diagnostics.report(|| {
            Diagnostic::error("runs begin at an entry", path.span)
                .help(format!("an entry of `{name}` is `{name}.{entry}`"))
        });
    }

    /// Some entry, for a suggestion.
    fn some_entry(&self) -> String {
        let all = self.file.components.iter().flat_map(|component| {
            let entries = component.nodes.iter().filter(|n| n.1 == Role::Entry);
            entries.map(|n| format!("{}.{}", component.name.text, n.0.text))
        });
        all.take(1).next().unwrap_or_else(|| "A.e".to_owned())
    }
}
