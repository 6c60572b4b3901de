//! A control-flow graph in the making.

use recurva_cir::{
    Base, Edge, Expr, ExprKind, Label, Local, LocalId, LocalKind, NodeId, Operation, Origin, Part,
    Place, Scalar, TypeId, Var,
};

/// Nodes and edges of a function, and the node that is built on.
///
/// Code that cannot be reached is built like any other, at a node that nothing leads to, and left
/// out in the end.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Origin>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) locals: Vec<Local>,
    pub(crate) labels: Vec<Label>,
    /// Nodes that somebody says something about, with the number of their mark.
    pub(crate) marks: Vec<(usize, NodeId)>,
    cursor: NodeId,
    temporaries: u32,
}

/// A graph that is done.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) locals: Vec<Local>,
    pub(crate) nodes: Vec<Origin>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) labels: Vec<Label>,
    pub(crate) marks: Vec<(usize, NodeId)>,
    pub(crate) entry: NodeId,
    pub(crate) exit: NodeId,
}

impl Graph {
    /// A graph with one node.
    pub(crate) fn new(origin: Origin) -> Self {
        Graph {
            nodes: vec![origin],
            edges: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            marks: Vec::new(),
            cursor: NodeId(0),
            temporaries: 0,
        }
    }

    /// A new node that nothing leads to yet.
    pub(crate) fn node(&mut self, origin: Origin) -> NodeId {
        self.nodes.push(origin);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The node that is built on.
    pub(crate) fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// Goes on at a node.
    pub(crate) fn continue_at(&mut self, node: NodeId) {
        self.cursor = node;
    }

    /// An edge between two nodes.
    pub(crate) fn edge(&mut self, from: NodeId, to: NodeId, operation: Operation, origin: Origin) {
        self.edges.push(Edge {
            from,
            to,
            operation,
            origin,
        });
    }

    /// Does something and goes on behind it.
    pub(crate) fn emit(&mut self, operation: Operation, origin: Origin) {
        let to = self.node(origin);
        self.edge(self.cursor, to, operation, origin);
        self.continue_at(to);
    }

    /// Does something after which nothing follows.
    pub(crate) fn end(&mut self, operation: Operation, origin: Origin) {
        self.emit(operation, origin);
        let nowhere = self.node(origin);
        self.continue_at(nowhere);
    }

    /// Goes to a node; what is built next is not reached from here.
    pub(crate) fn jump(&mut self, to: NodeId, origin: Origin) {
        self.edge(self.cursor, to, Operation::Skip, origin);
        let nowhere = self.node(origin);
        self.continue_at(nowhere);
    }

    /// Goes to one of two nodes by a `Bool`.
    pub(crate) fn split(&mut self, condition: Expr, yes: NodeId, no: NodeId, origin: Origin) {
        let from = self.cursor;
        match condition.kind {
            ExprKind::Const(value) => {
                let to = if value == 0 { no } else { yes };
                self.edge(from, to, Operation::Skip, origin);
            }
            _ => {
                let negated = crate::exprs::negate(condition.clone());
                self.edge(from, yes, Operation::Assume(condition), origin);
                self.edge(from, no, Operation::Assume(negated), origin);
            }
        }
        let nowhere = self.node(origin);
        self.continue_at(nowhere);
    }

    /// A new variable that nobody sees.
    pub(crate) fn temporary(&mut self, ty: TypeId, origin: Origin) -> Place {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries).into();
        self.local(name, ty, LocalKind::Temporary, origin)
    }

    /// A new variable.
    pub(crate) fn local(
        &mut self,
        name: Box<str>,
        ty: TypeId,
        kind: LocalKind,
        origin: Origin,
    ) -> Place {
        self.locals.push(Local {
            name,
            ty,
            kind,
            origin,
        });
        let id = LocalId(self.locals.len() as u32 - 1);
        Place::whole(Var::Local(id), ty)
    }

    /// Whether a variable is one of ours.
    pub(crate) fn is_temporary(&self, local: LocalId) -> bool {
        self.locals[local.0 as usize].kind == LocalKind::Temporary
    }

    /// Without nodes that only lead on, and without what cannot be reached; edges sorted.
    pub(crate) fn finish(self, entry: NodeId, exit: NodeId) -> Finished {
        let Graph {
            nodes,
            mut edges,
            mut labels,
            mut locals,
            marks,
            ..
        } = self;
        let of_labels = labels.iter().map(|label| label.node);
        let kept = of_labels.chain(marks.iter().map(|(_, node)| *node));
        let forward = forwards(&nodes, &edges, kept);
        edges.retain(|edge| forward[edge.from.0 as usize] == edge.from);
        for edge in &mut edges {
            edge.to = forward[edge.to.0 as usize];
        }
        let entry = forward[entry.0 as usize];
        let numbers = reached(nodes.len(), &edges, entry, exit);
        let number = |node: NodeId| numbers[node.0 as usize];
        edges.retain_mut(|edge| match (number(edge.from), number(edge.to)) {
            (Some(from), Some(to)) => {
                (edge.from, edge.to) = (from, to);
                true
            }
            _ => false,
        });
        edges.sort_by_key(|edge| edge.from);
        labels.retain_mut(|label| match number(forward[label.node.0 as usize]) {
            Some(node) => {
                label.node = node;
                true
            }
            None => false,
        });
        let marks = marks.into_iter();
        let marks = marks.filter_map(|(mark, node)| Some((mark, number(node)?)));
        let marks = marks.collect();
        let mut kept = vec![Origin::default(); numbers.iter().flatten().count()];
        for (old, new) in numbers.iter().enumerate() {
            if let Some(new) = new {
                kept[new.0 as usize] = nodes[old];
            }
        }
        show_addressed(&mut locals, &edges);
        Finished {
            locals,
            nodes: kept,
            edges,
            labels,
            marks,
            entry: number(entry).unwrap_or(NodeId(0)),
            exit: number(exit).unwrap_or(NodeId(0)),
        }
    }
}

/// Makes variables of ours whose address is taken ordinary ones: parts of records that functions
/// return, as arrays.
fn show_addressed(locals: &mut [Local], edges: &[Edge]) {
    for edge in edges {
        edge.operation.visit(&mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Address(place) = &expr.kind
                && let Base::Var(Var::Local(local)) = place.base
            {
                locals[local.0 as usize].kind = LocalKind::User;
            }
        });
    }
}

/// For each node the one that stands for it: where `Skip`s lead that are alone. A loop of `Skip`s
/// keeps one node. Labels and marks keep theirs: a run that comes to what follows one need not come to it.
fn forwards(nodes: &[Origin], edges: &[Edge], kept: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut only: Vec<Option<NodeId>> = vec![None; nodes.len()];
    let mut outgoing = vec![0_u32; nodes.len()];
    for edge in edges {
        let from = edge.from.0 as usize;
        outgoing[from] += 1;
        only[from] = match edge.operation {
            Operation::Skip if outgoing[from] == 1 => Some(edge.to),
            _ => None,
        };
    }
    for node in kept {
        only[node.0 as usize] = None;
    }
    let mut forward: Vec<Option<NodeId>> = vec![None; nodes.len()];
    let mut seen_from: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut path = Vec::new();
    for start in 0..nodes.len() {
        let mut at = NodeId(start as u32);
        let target = loop {
            if let Some(known) = forward[at.0 as usize] {
                break known;
            }
            if seen_from[at.0 as usize].replace(start) == Some(start) {
                break at;
            }
            path.push(at);
            match only[at.0 as usize] {
                Some(next) => at = next,
                None => break at,
            }
        };
        for node in path.drain(..) {
            forward[node.0 as usize] = Some(target);
        }
    }
    let own = |(index, target): (usize, Option<NodeId>)| target.unwrap_or(NodeId(index as u32));
    forward.into_iter().enumerate().map(own).collect()
}

/// New numbers of the nodes that can be reached, in the order in which they are from the entry, and
/// of the exit, which is the last.
fn reached(nodes: usize, edges: &[Edge], entry: NodeId, exit: NodeId) -> Vec<Option<NodeId>> {
    // The edges by where they start: those of a node lie side by side.
    let mut starts = vec![0_u32; nodes + 1];
    for edge in edges {
        starts[edge.from.0 as usize + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut targets = vec![entry; edges.len()];
    for edge in edges {
        let slot = &mut next[edge.from.0 as usize];
        targets[*slot as usize] = edge.to;
        *slot += 1;
    }
    let mut numbers = vec![None; nodes];
    let mut count = 0;
    let mut open = vec![entry];
    while let Some(node) = open.pop() {
        let index = node.0 as usize;
        if node == exit || numbers[index].is_some() {
            continue;
        }
        numbers[index] = Some(NodeId(count));
        count += 1;
        let own = starts[index] as usize..starts[index + 1] as usize;
        open.extend(targets[own].iter().rev());
    }
    numbers[exit.0 as usize] = Some(NodeId(count));
    numbers
}

/// The value of a variable or a part of one.
pub(crate) fn load(place: Place, ty: Scalar) -> Expr {
    Expr {
        kind: ExprKind::Load(Box::new(place)),
        ty,
    }
}
