//! From recursive state machines to pushdown systems.

use crate::{
    Origin, PlainNames,
    pds::{Control, Head, HeadSet, Pds, PdsLabel, PdsParts, Rule, StackSymbol, Word},
    rsm::{ComponentId, Place, Role, Rsm, Vertex, VertexId},
};

/// A pushdown system made from a machine.
#[derive(Clone, Debug)]
pub struct PdsOfRsm {
    /// The system.
    pub pds: Pds,
    /// For each vertex the head that stands for it.
    heads: Vec<Head>,
}

impl PdsOfRsm {
    /// The head that stands for a vertex. The stack below it holds the boxes that are open.
    pub fn head(&self, vertex: VertexId) -> Head {
        self.heads[vertex.index()]
    }
}

impl Rsm {
    /// The machine as a pushdown system of linear size (the paper's §4).
    ///
    /// The stack symbols are the vertices and the boxes; there are as many control locations
    /// as the component with the most exits has exits, and at least one. The state
    /// ⟨b₁…bₙ, v⟩ is the configuration ⟨q₀, v bₙ…b₁⟩. An edge `u -> v` is the rule
    /// ⟨q₀, u⟩ ↪ ⟨q₀, v⟩ with the same letter; a call ⟨q₀, b.e⟩ ↪ ⟨q₀, e b⟩; the i-th exit
    /// of its component leaves by ⟨q₀, x⟩ ↪ ⟨qᵢ, ε⟩ and comes back by
    /// ⟨qᵢ, b⟩ ↪ ⟨q₀, b.x⟩, all silent. So a run of the one is a run of the other with one
    /// more step for each return; words, stacks (but for the running vertex on top),
    /// accepting positions and propositions are the same.
    ///
    /// Where several entries are initial, one more stack symbol chooses among them.
    pub fn to_pds(&self) -> PdsOfRsm {
        let exits = |index: usize| self.components()[index].with_role(Role::Exit).count();
        let controls = (0..self.components().len()).map(exits).max().unwrap_or(0);
        let mut names = PlainNames::default();
        let mut parts = PdsParts {
            controls: (0..controls.max(1))
                .map(|number| format!("q{number}").into())
                .collect(),
            symbols: self
                .vertices()
                .map(|vertex| names.give(&self.name(vertex)).into())
                .collect(),
            alphabet: self.parts.alphabet.clone(),
            rules: Vec::with_capacity(self.edges().len() + self.len()),
            initial: head(0),
            accept: Vec::with_capacity(self.accept().len()),
            labels: Vec::new(),
        };
        let heads: Vec<Head> = self.vertices().map(|v| head(v.0)).collect();
        for edge in self.edges() {
            parts.rules.push(Rule {
                letter: edge.letter,
                ..silent(
                    heads[edge.from.index()],
                    heads[edge.to.index()],
                    edge.origin,
                )
            });
        }
        self.calls_and_returns(&heads, &mut names, &mut parts);
        parts.initial = match *self.init() {
            [only] => heads[only.index()],
            _ => {
                let start = head(parts.symbols.len() as u32);
                parts.symbols.push(names.give("init").into());
                for &entry in self.init() {
                    let rule = silent(start, heads[entry.index()], Origin::default());
                    parts.rules.push(rule);
                }
                start
            }
        };
        let one = |vertex: VertexId| HeadSet::from(heads[vertex.index()]);
        parts.accept.extend(self.accept().iter().copied().map(one));
        parts
            .labels
            .extend(self.labels().map(|(vertex, label)| PdsLabel {
                heads: one(vertex),
                name: label.name.clone(),
                origin: label.origin,
            }));
        let pds = Pds::new(parts).expect("vertices and boxes are numbered in order");
        PdsOfRsm { pds, heads }
    }

    fn calls_and_returns(&self, heads: &[Head], names: &mut PlainNames, parts: &mut PdsParts) {
        for (index, component) in self.components().iter().enumerate() {
            let id = ComponentId(index as u32);
            let first_box = parts.symbols.len() as u32;
            for in_box in &component.boxes {
                let name = format!("{}.{}", component.name, in_box.name);
                parts.symbols.push(names.give(&name).into());
            }
            for vertex in self.vertices_of(id).map(VertexId) {
                let place = self.place(vertex);
                let node = self.node(place);
                let here = heads[vertex.index()];
                match place.vertex {
                    Vertex::Node(inner) if node.role == Role::Exit => {
                        parts.rules.push(Rule {
                            to: Control(self.rank(id, inner)),
                            word: Word::Pop,
                            ..silent(here, here, node.origin)
                        });
                    }
                    Vertex::Node(_) => {}
                    Vertex::Port {
                        in_box,
                        node: inner,
                    } => {
                        let declared = &component.boxes[in_box as usize];
                        let below = StackSymbol(first_box + in_box);
                        let callee = Place {
                            component: declared.component,
                            vertex: Vertex::Node(inner),
                        };
                        let rule = match (node.role, self.vertex(callee)) {
                            (Role::Entry, Some(entry)) => Rule {
                                word: Word::Push {
                                    top: heads[entry.index()].symbol,
                                    below,
                                },
                                ..silent(here, here, declared.origin)
                            },
                            _ => {
                                let control = Control(self.rank(declared.component, inner));
                                let from = Head {
                                    control,
                                    symbol: below,
                                };
                                silent(from, here, declared.origin)
                            }
                        };
                        parts.rules.push(rule);
                    }
                }
            }
        }
    }
}

fn head(symbol: u32) -> Head {
    Head {
        control: Control(0),
        symbol: StackSymbol(symbol),
    }
}

fn silent(from: Head, to: Head, origin: Origin) -> Rule {
    Rule {
        from,
        to: to.control,
        word: Word::Swap(to.symbol),
        letter: None,
        origin,
    }
}
