//! Recursive state machines from nested ones.

use std::collections::BTreeSet;

use super::{Kind, Nsm, StateId};
use crate::{
    Origin, PlainNames,
    rsm::{
        Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmLabel, RsmNode, RsmParts,
        Vertex,
    },
};

/// The component in which runs begin, and the one that every call enters.
const TOP: ComponentId = ComponentId(0);
const CALLED: ComponentId = ComponentId(1);

impl Nsm {
    /// The machine as a recursive state machine with two components, `top` for what happens
    /// while no call is pending and `called` for the rest. In each every state is an inner node,
    /// labelled with its name and its propositions, and every call state has a box. Callees are
    /// entered by an entry of their own, and where a state can return there is an exit. Leaving
    /// out entries, exits and ports gives back the machine's runs, with the same stacks.
    pub fn to_rsm(&self) -> Rsm {
        let callees: BTreeSet<StateId> = self
            .ids()
            .flat_map(|state| self.calls(state).iter().copied())
            .collect();
        let exits = self.ids().filter(|&state| !self.returns(state).is_empty());
        let shared = Shared {
            nsm: self,
            entries: callees.into_iter().collect(),
            exits: exits.collect(),
        };
        let mut components = vec![shared.component("top", &[self.init()], &[])];
        if !shared.entries.is_empty() {
            components.push(shared.component("called", &shared.entries, &shared.exits));
        }
        let accept = |component: ComponentId| {
            let accept = self.proposition("accept");
            let states = self
                .ids()
                .filter(move |&state| accept.is_some_and(|accept| self.holds(state, accept)));
            states.map(move |state| Place {
                component,
                vertex: Vertex::Node(state.0),
            })
        };
        let accept = (0..components.len() as u32).flat_map(|index| accept(ComponentId(index)));
        let rsm = Rsm::new(RsmParts {
            accept: accept.collect(),
            alphabet: Vec::new(),
            init: vec![Place {
                component: TOP,
                vertex: shared.entry(0),
            }],
            components,
        });
        rsm.expect("states, boxes, entries and exits make components")
    }
}

/// What is the same for both components.
struct Shared<'m> {
    nsm: &'m Nsm,
    /// The callees, each an entry of the component for calls.
    entries: Vec<StateId>,
    /// Where calls can return, each an exit of it.
    exits: Vec<StateId>,
}

impl Shared<'_> {
    /// An entry of a component: those stand behind the states.
    fn entry(&self, index: usize) -> Vertex {
        Vertex::Node((self.nsm.states().len() + index) as u32)
    }

    /// An exit of the component for calls.
    fn exit(&self, index: usize) -> u32 {
        (self.nsm.states().len() + self.entries.len() + index) as u32
    }

    fn component(&self, name: &str, entries: &[StateId], exits: &[StateId]) -> Component {
        let nsm = self.nsm;
        let mut names = PlainNames::default();
        let mut component = Component {
            name: name.into(),
            nodes: Vec::new(),
            boxes: Vec::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            origin: Origin::default(),
        };
        let mut node = |prefix: &str, state: StateId, role| {
            let name = format!("{prefix}{}", nsm.name(state));
            component.nodes.push(RsmNode {
                name: names.give(&name).into(),
                role,
                origin: nsm.state(state).origin,
            });
        };
        nsm.ids().for_each(|state| node("", state, Role::Inner));
        let mut ends = |prefix, list: &[StateId], role| {
            list.iter().for_each(|&state| node(prefix, state, role));
        };
        ends("in_", entries, Role::Entry);
        ends("out_", exits, Role::Exit);
        for state in nsm.ids() {
            let vertex = Vertex::Node(state.0);
            let own = nsm.state(state);
            let propositions = own.propositions.iter();
            let propositions = propositions.map(|p| &*nsm.propositions()[p.index()]);
            let all = std::iter::once(&*own.name).chain(propositions);
            component.labels.extend(all.map(|name| RsmLabel {
                vertex,
                name: name.into(),
                origin: own.origin,
            }));
        }
        let mut edges = Vec::new();
        let mut edge = |from, to| {
            edges.push(RsmEdge {
                from,
                to,
                letter: None,
                origin: Origin::default(),
            });
        };
        for (index, &state) in entries.iter().enumerate() {
            edge(self.entry(index), Vertex::Node(state.0));
        }
        for (index, &state) in exits.iter().enumerate() {
            edge(Vertex::Node(state.0), Vertex::Node(self.exit(index)));
        }
        let mut boxes = vec![None; nsm.states().len()];
        for state in nsm.ids() {
            for &to in nsm.locals(state) {
                edge(Vertex::Node(state.0), Vertex::Node(to.0));
            }
            if nsm.kind(state) != Kind::Call || nsm.calls(state).is_empty() {
                continue;
            }
            let in_box = component.boxes.len() as u32;
            boxes[state.index()] = Some(in_box);
            component.boxes.push(RsmBox {
                name: names.give(&format!("box_{}", nsm.name(state))).into(),
                component: CALLED,
                origin: Origin::default(),
            });
            for callee in nsm.calls(state) {
                let index = self.entries.partition_point(|entry| entry < callee);
                let Vertex::Node(node) = self.entry(index) else {
                    continue;
                };
                edge(Vertex::Node(state.0), Vertex::Port { in_box, node });
            }
        }
        for (index, &state) in self.exits.iter().enumerate() {
            for &(pending, to) in nsm.returns(state) {
                if let Some(in_box) = boxes[pending.index()] {
                    let node = self.exit(index);
                    edge(Vertex::Port { in_box, node }, Vertex::Node(to.0));
                }
            }
        }
        component.edges = edges;
        component
    }
}
