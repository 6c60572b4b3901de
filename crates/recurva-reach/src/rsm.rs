//! Recursive state machines as machines to be solved (thesis, §6.1).

use recurva_model::rsm::{ComponentId, Place, Role, Rsm, Vertex};

use crate::{
    Machine,
    closure::Arrows,
    machine::{Arcs, CallArc, ReturnArc},
    meter::{Halt, Meter},
};

/// The machine of an [`Rsm`]: its vertices, and a key for each box.
pub(crate) fn machine(rsm: &Rsm, meter: &Meter<'_>) -> Result<Machine, Halt> {
    let edges = Arrows::new(rsm.len() as u32, meter, |add| {
        for edge in rsm.edges() {
            add(edge.from.0, edge.to.0);
        }
    })?;
    let mut first_box = Vec::with_capacity(rsm.components().len());
    let mut boxes = 0;
    for component in rsm.components() {
        first_box.push(boxes);
        boxes += component.boxes.len() as u32;
    }
    let mut arcs = Arcs::new(meter)?;
    for vertex in rsm.vertices() {
        let place = rsm.place(vertex);
        let Vertex::Port { in_box, node } = place.vertex else {
            continue;
        };
        let callee: ComponentId =
            rsm.components()[place.component.index()].boxes[in_box as usize].component;
        let inside = rsm.vertex(Place {
            component: callee,
            vertex: Vertex::Node(node),
        });
        let Some(inside) = inside else {
            continue;
        };
        let key = first_box[place.component.index()] + in_box;
        match rsm.node(place).role {
            Role::Entry => arcs.call(CallArc {
                entry: inside.0,
                key,
                site: vertex.0,
            })?,
            Role::Exit => arcs.back(ReturnArc {
                exit: inside.0,
                key,
                site: vertex.0,
            })?,
            Role::Inner => {}
        }
    }
    Machine::new(
        edges,
        arcs,
        vec![0; boxes as usize],
        vec![vec![(0, 0)]],
        meter,
    )
}
