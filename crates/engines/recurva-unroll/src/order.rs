//! The order in which the nodes of a procedure are unrolled: each after all that may lead to it within
//! the same rounds of the loops around it.
//!
//! Loops are nested: a loop is a strongly connected part, entered at its head; without the head it
//! falls apart again. An edge leads forward in this order, or back to the head of a loop around it.

use recurva_model::{NodeId, Procedure};

/// A place in an unrolled procedure: for each loop around the node the number of its head and that of
/// the round, then the number of the node. What is smaller comes first.
pub(crate) type Key = Box<[u32]>;

/// The order of a procedure's nodes.
#[derive(Debug)]
pub(crate) struct Order {
    /// The place of each node in the order.
    numbers: Vec<u32>,
    /// The node at each place.
    nodes: Vec<NodeId>,
    /// The numbers of the heads of the loops around each node, its own included, outer ones first.
    heads: Vec<Box<[u32]>>,
}

impl Order {
    pub(crate) fn new(procedure: &Procedure) -> Self {
        let count = procedure.nodes.len();
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); count];
        for edge in &procedure.edges {
            successors[edge.from.index()].push(edge.to.0);
        }
        let mut order = Order {
            numbers: vec![0; count],
            nodes: Vec::with_capacity(count),
            heads: vec![Box::from([]); count],
        };
        let all: Vec<u32> = (0..count as u32).collect();
        let mut stack = vec![(Part::Several(all, procedure.entry.0), Vec::new())];
        let mut inside = vec![0u32; count];
        let mut stamp = 0;
        while let Some((part, heads)) = stack.pop() {
            match part {
                Part::One(node) => order.add(node, &heads),
                Part::Several(nodes, first) => {
                    stamp += 1;
                    for &node in &nodes {
                        inside[node as usize] = stamp;
                    }
                    let is_inside = |node: u32| inside[node as usize] == stamp;
                    let components = components(&successors, &nodes, first, is_inside);
                    // The last ones come first.
                    for component in components {
                        let [head, ..] = component[..] else { continue };
                        let loops =
                            component.len() > 1 || successors[head as usize].contains(&head);
                        stack.push((
                            match loops {
                                true => Part::Loop(component),
                                false => Part::One(head),
                            },
                            heads.clone(),
                        ));
                    }
                }
                Part::Loop(nodes) => {
                    let head = nodes[0];
                    let mut heads = heads;
                    heads.push(order.nodes.len() as u32);
                    order.add(head, &heads);
                    let rest: Vec<u32> = nodes[1..].to_vec();
                    if let Some(&first) = rest.first() {
                        stack.push((Part::Several(rest, first), heads));
                    }
                }
            }
        }
        order
    }

    fn add(&mut self, node: u32, heads: &[u32]) {
        self.numbers[node as usize] = self.nodes.len() as u32;
        self.nodes.push(NodeId(node));
        self.heads[node as usize] = heads.into();
    }

    /// Where a run of the procedure begins.
    pub(crate) fn start(&self, entry: NodeId) -> Key {
        self.key(entry, &[], &[])
    }

    /// The node of a place.
    pub(crate) fn node(&self, key: &Key) -> NodeId {
        self.nodes[key[key.len() - 1] as usize]
    }

    /// Whether a place is the head of a loop, and in which round.
    pub(crate) fn round(&self, key: &Key) -> Option<u32> {
        let [.., head, round, number] = key[..] else {
            return None;
        };
        (head == number).then_some(round)
    }

    /// The place that an edge from a place to a node leads to.
    pub(crate) fn next(&self, key: &Key, to: NodeId) -> Key {
        let from = self.node(key);
        let around = &self.heads[from.index()];
        self.key(to, around, key)
    }

    fn key(&self, to: NodeId, around: &[u32], from: &[u32]) -> Key {
        let heads = &self.heads[to.index()];
        let number = self.numbers[to.index()];
        let mut key = Vec::with_capacity(2 * heads.len() + 1);
        let mut is_common = true;
        for (level, &head) in heads.iter().enumerate() {
            is_common &= around.get(level) == Some(&head);
            let round = match is_common {
                true => from[2 * level + 1] + u32::from(head == number),
                false => 0,
            };
            key.extend([head, round]);
        }
        key.push(number);
        key.into()
    }
}

/// What has to be put in order.
enum Part {
    One(u32),
    /// A loop, its head first.
    Loop(Vec<u32>),
    /// Nodes, and the one that the search begins with.
    Several(Vec<u32>, u32),
}

/// The strongly connected parts among some nodes, each before those that lead to it, and in each the
/// node first that was found first.
fn components(
    successors: &[Vec<u32>],
    nodes: &[u32],
    first: u32,
    is_inside: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; successors.len()];
    let mut low = vec![NEW; successors.len()];
    let mut open = vec![false; successors.len()];
    let mut pending: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for start in [first].into_iter().chain(nodes.iter().copied()) {
        if index[start as usize] != NEW {
            continue;
        }
        let mut stack = vec![(start, 0usize)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if *next == 0 {
                index[node as usize] = count;
                low[node as usize] = count;
                count += 1;
                pending.push(node);
                open[node as usize] = true;
            }
            let to = successors[node as usize].get(*next).copied();
            *next += 1;
            match to {
                Some(to) if !is_inside(to) => {}
                Some(to) if index[to as usize] == NEW => stack.push((to, 0)),
                Some(to) if open[to as usize] => {
                    low[node as usize] = low[node as usize].min(index[to as usize]);
                }
                Some(_) => {}
                None => {
                    stack.pop();
                    if let Some(&(below, _)) = stack.last() {
                        low[below as usize] = low[below as usize].min(low[node as usize]);
                    }
                    if low[node as usize] == index[node as usize] {
                        let start = pending.iter().rposition(|&it| it == node).unwrap_or(0);
                        let component = pending.split_off(start);
                        component.iter().for_each(|&it| open[it as usize] = false);
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use recurva_model::{Edge, Node, Origin};
    use recurva_testkit::rng::Rng;

    /// Edges lead forward, or back to the head of a loop in its next round.
    #[test]
    fn edges_lead_to_later_places() {
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed);
            let count = 2 + rng.below(9);
            let edges = (0..rng.below(2 * count))
                .map(|_| {
                    let from = NodeId(rng.below(count) as u32);
                    let to = NodeId(1 + rng.below(count - 1) as u32);
                    Edge::skip(from, to, Origin::default())
                })
                .collect();
            let procedure = Procedure {
                name: "f".into(),
                locals: vec![],
                parameters: 0,
                results: vec![],
                nodes: vec![Node::default(); count],
                edges,
                entry: NodeId(0),
                exit: NodeId(1),
                origin: Origin::default(),
            };
            let order = Order::new(&procedure);
            let mut key = order.start(NodeId(0));
            for _ in 0..30 {
                let node = order.node(&key);
                let out: Vec<&Edge> = procedure
                    .edges
                    .iter()
                    .filter(|it| it.from == node)
                    .collect();
                let Some(edge) = rng.pick(&out) else { break };
                let next = order.next(&key, edge.to);
                assert_eq!(order.node(&next), edge.to);
                assert!(key < next, "{key:?} {next:?}");
                key = next;
            }
        }
    }
}
