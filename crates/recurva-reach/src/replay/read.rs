//! What the edges of a graph are called.

use rustc_hash::FxHashMap;

use crate::{Edge, Graph, Hop, NO_INDEX, Step, Witness};

/// An edge that a step of a witness can be, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'g> {
    edge: &'g Edge,
    /// Whether it is walked backwards.
    pub(super) reversed: bool,
    /// The label, unless that is one of a family such as `call_i`.
    pub(super) exact: Option<&'g str>,
    /// The family and the index: `call` and 17 of `call_17`, `call--17`, and `call_i` with 17.
    pub(super) family: Option<(&'g str, u32)>,
}

impl<'g> Reading<'g> {
    fn new(graph: &'g Graph, edge: &'g Edge, reversed: bool) -> Self {
        let label = &*graph.labels()[edge.label as usize];
        let base = label.strip_suffix("_i").filter(|base| !base.is_empty());
        let (exact, family) = match base {
            // Without an index it counts as 0.
            Some(base) if edge.index == NO_INDEX => (None, Some((base, 0))),
            Some(base) => (None, Some((base, edge.index))),
            None => (Some(label), numbered(label)),
        };
        Reading {
            edge,
            reversed,
            exact,
            family,
        }
    }

    /// Whether a witness may call the edge so.
    fn is_called(&self, name: &str) -> bool {
        let own = |(base, index): (&str, u32)| {
            let rest = name.strip_prefix(base).and_then(|it| it.strip_prefix('_'));
            rest.is_some_and(|rest| rest == index.to_string())
        };
        self.exact == Some(name) || self.family.is_some_and(own)
    }

    /// The label as it is written in the graph.
    pub(super) fn written(&self, graph: &Graph) -> String {
        let label = graph.label(self.edge);
        match self.reversed {
            true => format!("^{label}"),
            false => label,
        }
    }
}

/// The family and the index of a label with a number in it.
fn numbered(label: &str) -> Option<(&str, u32)> {
    let end = label.rfind(|c: char| !c.is_ascii_digit())? + 1;
    let index: u32 = label.get(end..)?.parse().ok()?;
    let base = &label[..end];
    let base = base.strip_suffix("--").or_else(|| base.strip_suffix('_'))?;
    (!base.is_empty() && index != NO_INDEX).then_some((base, index))
}

/// For each edge of a witness all edges of the graph that it can be, by one look at every edge.
pub(super) fn readings<'g>(
    witness: &Witness,
    graph: &'g Graph,
) -> FxHashMap<Hop, Vec<Reading<'g>>> {
    let steps = witness.parts().iter().flatten();
    let mut found: FxHashMap<Hop, Vec<Reading<'g>>> = FxHashMap::default();
    let mut between: FxHashMap<(u32, u32), Vec<Hop>> = FxHashMap::default();
    for step in steps {
        if let &Step::Edge(hop) = step
            && !found.contains_key(&hop)
        {
            found.insert(hop, Vec::new());
            between.entry((hop.from, hop.to)).or_default().push(hop);
        }
    }
    for edge in graph.edges() {
        for (ends, reversed) in [((edge.from, edge.to), false), ((edge.to, edge.from), true)] {
            let Some(hops) = between.get(&ends) else {
                continue;
            };
            let reading = Reading::new(graph, edge, reversed);
            for hop in hops {
                let label = &*witness.labels()[hop.label as usize];
                let name = match reversed {
                    true => label.strip_prefix('^'),
                    false => Some(label),
                };
                if name.is_some_and(|name| reading.is_called(name)) {
                    found.entry(*hop).or_default().push(reading);
                }
            }
        }
    }
    found
}
