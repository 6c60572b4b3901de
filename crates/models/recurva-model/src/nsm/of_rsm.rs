//! Nested state machines from recursive ones.

use super::{Kind, Nsm, NsmBuilder, StateId};
use crate::rsm::{ComponentId, Place, Role, Rsm, Vertex, VertexId};

/// A nested state machine made from a recursive state machine.
#[derive(Clone, Debug)]
pub struct NsmOfRsm {
    /// The machine.
    pub nsm: Nsm,
    /// How many states stand for vertices: state `i` for vertex `i`. If the machine has several
    /// initial entries there is one more state, from which local transitions lead to them.
    vertices: u32,
}

impl NsmOfRsm {
    /// The state that stands for a vertex.
    pub fn state(&self, vertex: VertexId) -> StateId {
        StateId(vertex.0)
    }

    /// The vertex that a state stands for; none for the state before several initial entries.
    pub fn vertex(&self, state: StateId) -> Option<VertexId> {
        (state.0 < self.vertices).then_some(VertexId(state.0))
    }
}

impl Nsm {
    /// The machine with a state for each vertex. Nodes are local states, the entry ports of
    /// boxes call states, their exit ports return states; a box is entered by a call, and an
    /// exit returns to the port of the box that was entered, if that port is a vertex. Letters
    /// are dropped.
    ///
    /// States have the names of the vertices (`A1.u3`, `A1.b1.v1`) and their labels as
    /// propositions, and besides: `in(A)` in component `A`, `calls(A)` at the entry ports of
    /// boxes that stand for `A`, and `accept` at accepting vertices.
    pub fn of_rsm(rsm: &Rsm) -> NsmOfRsm {
        let mut builder = NsmBuilder::default();
        for vertex in rsm.vertices() {
            add_state(&mut builder, rsm, vertex);
        }
        for (vertex, label) in rsm.labels() {
            builder.label(StateId(vertex.0), &label.name);
        }
        for vertex in rsm.accept() {
            builder.label(StateId(vertex.0), "accept");
        }
        for arc in rsm.edges() {
            builder.local(StateId(arc.from.0), StateId(arc.to.0));
        }
        for vertex in rsm.vertices() {
            add_call(&mut builder, rsm, vertex);
        }
        let init = match *rsm.init() {
            [init] => StateId(init.0),
            ref several => {
                // No vertex has this name: those of vertices have a dot in them.
                let start = builder.state("start", Kind::Local, &[]);
                for entry in several {
                    builder.local(start, StateId(entry.0));
                }
                start
            }
        };
        NsmOfRsm {
            nsm: builder
                .finish(init)
                .expect("edges of a recursive state machine join what they may join"),
            vertices: rsm.len() as u32,
        }
    }
}

fn add_state(builder: &mut NsmBuilder, rsm: &Rsm, vertex: VertexId) {
    let place = rsm.place(vertex);
    let component = &rsm.components()[place.component.index()];
    let within = format!("in({})", component.name);
    let node = rsm.node(place);
    let state = match (callee(rsm, place), node.role) {
        (None, _) => builder.state_at(&rsm.name(vertex), Kind::Local, &[&within], node.origin),
        (Some(callee), Role::Entry) => {
            let calls = format!("calls({})", rsm.components()[callee.index()].name);
            builder.state(&rsm.name(vertex), Kind::Call, &[&within, &calls])
        }
        (Some(_), _) => builder.state(&rsm.name(vertex), Kind::Return, &[&within]),
    };
    debug_assert_eq!(state.0, vertex.0);
}

/// The component that is invoked at a port.
fn callee(rsm: &Rsm, place: Place) -> Option<ComponentId> {
    let component = &rsm.components()[place.component.index()];
    match place.vertex {
        Vertex::Node(_) => None,
        Vertex::Port { in_box, .. } => Some(component.boxes[in_box as usize].component),
    }
}

/// The call at an entry port, and the returns from it.
fn add_call(builder: &mut NsmBuilder, rsm: &Rsm, vertex: VertexId) {
    let place = rsm.place(vertex);
    let (Some(callee), Role::Entry) = (callee(rsm, place), rsm.node(place).role) else {
        return;
    };
    let Vertex::Port { in_box, node } = place.vertex else {
        return;
    };
    let inside = |node| Place {
        component: callee,
        vertex: Vertex::Node(node),
    };
    let call = StateId(vertex.0);
    if let Some(entry) = rsm.vertex(inside(node)) {
        builder.call(call, StateId(entry.0));
    }
    for exit in rsm.components()[callee.index()].with_role(Role::Exit) {
        let port = rsm.vertex(Place {
            component: place.component,
            vertex: Vertex::Port { in_box, node: exit },
        });
        if let (Some(from), Some(port)) = (rsm.vertex(inside(exit)), port) {
            builder.ret(StateId(from.0), call, StateId(port.0));
        }
    }
}
