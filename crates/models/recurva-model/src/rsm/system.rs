//! What the runs of a recursive state machine are.

use crate::{
    Moves, RecursiveSystem, Site,
    rsm::{Place, Role, Rsm, Vertex, VertexId},
};

/// The states are the vertices. An entry port calls its entry, with the box as call site;
/// an exit returns to the port of the caller's box, if that port occurs anywhere. Letters
/// and labels do not show.
impl RecursiveSystem for Rsm {
    type State = VertexId;

    fn initial(&self, out: &mut Moves<VertexId>) {
        self.init.iter().for_each(|&entry| out.step(entry));
    }

    fn moves(&self, &vertex: &VertexId, out: &mut Moves<VertexId>) {
        let place = self.place(vertex);
        if let Vertex::Port { in_box, node } = place.vertex
            && self.node(place).role == Role::Entry
        {
            let callee =
                self.components()[place.component.index()].boxes[in_box as usize].component;
            let entry = self.vertex(Place {
                component: callee,
                vertex: Vertex::Node(node),
            });
            if let Some(entry) = entry {
                out.call(entry, Site(in_box));
            }
            return;
        }
        let edges = self.edges_from(vertex).iter();
        edges.for_each(|edge| out.step(edge.to));
    }

    fn is_exit(&self, &vertex: &VertexId) -> bool {
        let place = self.place(vertex);
        matches!(place.vertex, Vertex::Node(_)) && self.node(place).role == Role::Exit
    }

    fn resume(&self, caller: &VertexId, site: Site, exit: &VertexId, out: &mut Moves<VertexId>) {
        let Vertex::Node(node) = self.place(*exit).vertex else {
            return;
        };
        let port = self.vertex(Place {
            component: self.place(*caller).component,
            vertex: Vertex::Port {
                in_box: site.0,
                node,
            },
        });
        if let Some(port) = port {
            out.step(port);
        }
    }
}
