//! The check behind [`Rsm::new`], and the numbering of vertices.

use std::collections::HashSet;

use crate::{
    Malformed,
    rsm::{Arc, Component, ComponentId, Place, Role, Rsm, RsmParts, Vertex, VertexId},
};

pub(super) fn build(parts: RsmParts) -> Result<Rsm, Malformed> {
    check(&parts).map_err(|(place, reason)| Malformed::new(&place, reason))?;
    let ports = ports(&parts);
    let mut first = Vec::with_capacity(parts.components.len() + 1);
    let mut vertices = 0;
    for (component, ports) in parts.components.iter().zip(&ports) {
        first.push(vertices);
        vertices += (component.nodes.len() + ports.len()) as u32;
    }
    first.push(vertices);
    let ranks = parts.components.iter().map(ranks).collect();
    let mut rsm = Rsm {
        parts,
        ports,
        first,
        edges: Vec::new(),
        outgoing: Vec::new(),
        init: Vec::new(),
        accept: Vec::new(),
        ranks,
    };
    let mut edges = arcs(&rsm);
    edges.sort_by_key(|arc| arc.from);
    let mut start = 0;
    for vertex in 0..vertices {
        let here = edges[start..].iter().take_while(|arc| arc.from.0 == vertex);
        let end = start + here.count();
        rsm.outgoing.push(start as u32..end as u32);
        start = end;
    }
    rsm.edges = edges;
    rsm.init = numbers(&rsm, &rsm.parts.init);
    rsm.accept = numbers(&rsm, &rsm.parts.accept);
    Ok(rsm)
}

fn arcs(rsm: &Rsm) -> Vec<Arc> {
    let count = rsm.components().iter().map(|c| c.edges.len()).sum();
    let mut arcs = Vec::with_capacity(count);
    for (index, component) in rsm.components().iter().enumerate() {
        let number = |vertex| {
            rsm.vertex(Place {
                component: ComponentId(index as u32),
                vertex,
            })
        };
        for edge in &component.edges {
            if let (Some(from), Some(to)) = (number(edge.from), number(edge.to)) {
                arcs.push(Arc {
                    from,
                    to,
                    letter: edge.letter,
                    origin: edge.origin,
                });
            }
        }
    }
    arcs
}

fn numbers(rsm: &Rsm, places: &[Place]) -> Vec<VertexId> {
    let mut list: Vec<VertexId> = places.iter().filter_map(|&p| rsm.vertex(p)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// For each component the ports that occur in it, sorted.
fn ports(parts: &RsmParts) -> Vec<Vec<(u32, u32)>> {
    let mut ports: Vec<Vec<(u32, u32)>> = Vec::with_capacity(parts.components.len());
    for component in &parts.components {
        let ends = component.edges.iter().flat_map(|e| [e.from, e.to]);
        let labels = component.labels.iter().map(|label| label.vertex);
        ports.push(ends.chain(labels).filter_map(port).collect());
    }
    for place in &parts.accept {
        if let (Some(list), Some(port)) =
            (ports.get_mut(place.component.index()), port(place.vertex))
        {
            list.push(port);
        }
    }
    for list in &mut ports {
        list.sort_unstable();
        list.dedup();
    }
    ports
}

fn port(vertex: Vertex) -> Option<(u32, u32)> {
    match vertex {
        Vertex::Node(_) => None,
        Vertex::Port { in_box, node } => Some((in_box, node)),
    }
}

fn ranks(component: &Component) -> Vec<u32> {
    let (mut entries, mut exits) = (0, 0);
    let mut rank = |role| {
        let counter = match role {
            Role::Entry => &mut entries,
            Role::Exit => &mut exits,
            Role::Inner => return 0,
        };
        *counter += 1;
        *counter - 1
    };
    component.nodes.iter().map(|n| rank(n.role)).collect()
}

/// A broken rule, and where.
type Check = Result<(), (String, &'static str)>;

fn check(parts: &RsmParts) -> Check {
    let size = |c: &Component| c.nodes.len() + 2 * c.edges.len() + c.labels.len();
    let vertices: usize = parts.components.iter().map(size).sum();
    let small = u32::try_from(vertices + parts.accept.len()).is_ok();
    require(small, "machine", "too many vertices")?;
    unique(
        "alphabet",
        "a letter occurs twice",
        parts.alphabet.iter().map(|letter| &**letter),
    )?;
    let names = parts.components.iter().map(|component| &*component.name);
    unique("components", "two have the same name", names)?;
    for component in &parts.components {
        check_component(parts, component)?;
    }
    require(!parts.init.is_empty(), "init", "there is no initial entry")?;
    for &place in &parts.init {
        let is_entry = role(parts, place) == Some((Role::Entry, false));
        require(is_entry, "init", "not an entry")?;
    }
    for &place in &parts.accept {
        require(role(parts, place).is_some(), "accept", "no such vertex")?;
    }
    Ok(())
}

fn check_component(parts: &RsmParts, component: &Component) -> Check {
    let name = &component.name;
    let nodes = component.nodes.iter().map(|node| &*node.name);
    let boxes = component.boxes.iter().map(|in_box| &*in_box.name);
    unique(name, "two nodes or boxes share a name", nodes.chain(boxes))?;
    let has_entry = component.with_role(Role::Entry).next().is_some();
    require(has_entry, name, "there is no entry")?;
    for in_box in &component.boxes {
        let exists = in_box.component.index() < parts.components.len();
        require(exists, name, "a box of a component that does not exist")?;
    }
    for edge in &component.edges {
        let source = role_in(parts, component, edge.from);
        let fits = matches!(
            source,
            Some((Role::Entry | Role::Inner, false) | (Role::Exit, true))
        );
        require(fits, name, "an edge starts where none can start")?;
        let target = role_in(parts, component, edge.to);
        let fits = matches!(
            target,
            Some((Role::Exit | Role::Inner, false) | (Role::Entry, true))
        );
        require(fits, name, "an edge leads where none can lead")?;
        let known = edge
            .letter
            .is_none_or(|letter| letter.index() < parts.alphabet.len());
        require(known, name, "a letter that does not exist")?;
    }
    for label in &component.labels {
        let exists = role_in(parts, component, label.vertex).is_some();
        require(exists, name, "a label at a vertex that does not exist")?;
    }
    Ok(())
}

/// The role of the node behind a vertex and whether the vertex is a port, if it exists.
fn role(parts: &RsmParts, place: Place) -> Option<(Role, bool)> {
    let component = parts.components.get(place.component.index())?;
    role_in(parts, component, place.vertex)
}

fn role_in(parts: &RsmParts, component: &Component, vertex: Vertex) -> Option<(Role, bool)> {
    match vertex {
        Vertex::Node(node) => Some((component.nodes.get(node as usize)?.role, false)),
        Vertex::Port { in_box, node } => {
            let callee = component.boxes.get(in_box as usize)?.component;
            let callee = parts.components.get(callee.index())?;
            let role = callee.nodes.get(node as usize)?.role;
            (role != Role::Inner).then_some((role, true))
        }
    }
}

fn require(condition: bool, place: &str, reason: &'static str) -> Check {
    if condition {
        Ok(())
    } else {
        Err((place.to_owned(), reason))
    }
}

fn unique<'n>(place: &str, reason: &'static str, names: impl Iterator<Item = &'n str>) -> Check {
    let mut seen = HashSet::new();
    for name in names {
        require(seen.insert(name), place, reason)?;
    }
    Ok(())
}
