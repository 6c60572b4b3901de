//! The control flow of one procedure while it is built: nodes, edges, labels and jumps.
//!
//! The node of a statement is the point before it. The node that control goes to behind the
//! last statement is the exit; its number is known only at the end, so until then edges lead
//! to [`EXIT`] instead. Jumps are filled in at the end as well, when all labels have nodes.

use recurva_model::{
    Action, Edge, Expr, Failure, Label, Node, NodeId, Point, ProcId, Procedure, Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Span, did_you_mean};

use crate::{
    names::{Name, Names, Table, twice},
    token::clip,
    variables::origin,
};

/// Stands for the exit node until its number is known.
pub(crate) const EXIT: NodeId = NodeId(u32::MAX);

/// What procedures add to, and tables that each of them fills anew.
pub(crate) struct Lists {
    pub(crate) labels: Vec<Label>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) local_table: Table,
    label_table: Table,
}

impl Lists {
    pub(crate) fn new(names: &Names<'_>) -> Self {
        Lists {
            labels: Vec::new(),
            failures: Vec::new(),
            local_table: Table::new(names),
            label_table: Table::new(names),
        }
    }
}

/// A label of the procedure.
struct Target {
    span: Span,
    node: Option<NodeId>,
}

/// Where the parts of a procedure stand that have no statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The declaration's head.
    pub(crate) head: Span,
    /// What ends the body.
    pub(crate) end: Span,
}

/// The control flow of a procedure under construction.
pub(crate) struct Flow {
    id: ProcId,
    targets: Vec<Target>,
    nodes: Vec<Span>,
    edges: Vec<Edge>,
    /// Edges that lead to a label.
    jumps: Vec<(usize, usize)>,
    /// Edges to the exit that are no `return`.
    falls: Vec<usize>,
}

impl Flow {
    pub(crate) fn new(id: ProcId, lists: &mut Lists) -> Self {
        lists.label_table.clear();
        Flow {
            id,
            targets: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            jumps: Vec::new(),
            falls: Vec::new(),
        }
    }

    /// Enters the labels of a statement.
    pub(crate) fn declare(
        &mut self,
        labels: &[Name],
        lists: &mut Lists,
        names: &Names<'_>,
        diagnostics: &mut Diagnostics,
    ) {
        for &label in labels {
            let index = self.targets.len();
            match lists.label_table.insert(label.id, index as u32) {
                Ok(()) => self.targets.push(Target {
                    span: label.span,
                    node: None,
                }),
                Err(first) => {
                    let first = self.targets[first as usize].span;
                    // Some generators put a label twice before one statement.
                    if first.start < labels[0].span.start {
                        twice(diagnostics, names, "label", label, first);
                    }
                }
            }
        }
    }

    /// Gives a node the labels of its statement.
    pub(crate) fn name_node(
        &mut self,
        labels: &[Name],
        node: NodeId,
        lists: &mut Lists,
        names: &Names<'_>,
    ) {
        for label in labels {
            let target = lists.label_table.get(label.id);
            let Some(target) = target.and_then(|index| self.targets.get_mut(index as usize)) else {
                continue;
            };
            if target.node.is_none() {
                target.node = Some(node);
                lists.labels.push(Label {
                    name: names.text(label.id).into(),
                    point: self.point(node),
                    origin: origin(label.span),
                });
            }
        }
    }

    /// Lets the next edge lead to a label; whether there is such a label.
    pub(crate) fn jump(&mut self, label: Name, lists: &Lists) -> bool {
        let target = lists.label_table.get(label.id);
        if let Some(target) = target {
            self.jumps.push((self.edges.len(), target as usize));
        }
        target.is_some()
    }

    /// Reports a jump to a label that is not there.
    pub(crate) fn no_label(
        label: Name,
        lists: &Lists,
        names: &Names<'_>,
        within: &str,
        diagnostics: &mut Diagnostics,
    ) {
        let text = names.text(label.id);
        diagnostics.report(|| {
            let labels = lists.label_table.names().iter().map(|&id| names.text(id));
            Diagnostic::error(
                format!("there is no label `{}` in this {within}", clip(text)),
                label.span,
            )
            .help_if(did_you_mean(text, labels))
        });
    }

    /// A point of the procedure.
    pub(crate) fn point(&self, node: NodeId) -> Point {
        Point {
            procedure: self.id,
            node,
        }
    }

    /// A new node.
    pub(crate) fn node(&mut self, place: Span) -> NodeId {
        self.nodes.push(place);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Notes that the next edge, if it leads to the exit, is not a `return`.
    pub(crate) fn fall(&mut self, to: NodeId) {
        if to == EXIT {
            self.falls.push(self.edges.len());
        }
    }

    /// Adds an edge.
    pub(crate) fn edge(
        &mut self,
        (from, to): (NodeId, NodeId),
        guard: Expr,
        action: Action,
        place: Span,
    ) {
        self.edges.push(Edge {
            from,
            to,
            guard,
            action,
            origin: origin(place),
        });
    }

    /// Puts jumps, entry and exit in their places. `guard` is that of a step that does
    /// nothing.
    pub(crate) fn finish(mut self, head: NodeId, frame: Frame, guard: Expr) -> Graph {
        for &(edge, target) in &self.jumps {
            let node = self.targets.get(target).and_then(|target| target.node);
            if let (Some(edge), Some(node)) = (self.edges.get_mut(edge), node) {
                edge.to = node;
            }
        }
        // Nothing may lead to the entry.
        let entry = if self.edges.iter().any(|edge| edge.to == head) {
            let entry = self.node(frame.head);
            self.edge((entry, head), guard, Action::skip(), frame.head);
            entry
        } else {
            head
        };
        let exit = self.node(frame.end);
        for edge in &mut self.edges {
            if edge.to == EXIT {
                edge.to = exit;
            }
        }
        let falls = self.falls_through(entry);
        Graph {
            nodes: self.nodes,
            edges: self.edges,
            entry,
            exit,
            falls,
        }
    }

    /// Whether control can come to the exit without a `return`.
    fn falls_through(&self, entry: NodeId) -> bool {
        let jumps = &self.jumps;
        let jumps = |edge: &usize| jumps.binary_search_by_key(edge, |&(jump, _)| jump).is_ok();
        let mut falls = self.falls.iter().filter(|edge| !jumps(edge)).peekable();
        if falls.peek().is_none() {
            return false;
        }
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            outgoing[edge.from.index()].push(edge.to);
        }
        let mut reached = vec![false; self.nodes.len()];
        let mut work = vec![entry];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                work.extend(&outgoing[node.index()]);
            }
        }
        let mut edges = falls.filter_map(|&edge| self.edges.get(edge));
        edges.any(|edge| reached[edge.from.index()])
    }
}

/// The body of a procedure as a graph.
pub(crate) struct Graph {
    nodes: Vec<Span>,
    edges: Vec<Edge>,
    entry: NodeId,
    exit: NodeId,
    /// Whether control can come to the exit without a `return`.
    pub(crate) falls: bool,
}

impl Graph {
    /// The procedure that has this body.
    pub(crate) fn procedure(
        self,
        name: &str,
        (locals, parameters): (Vec<Variable>, usize),
        results: Vec<u32>,
        head: Span,
    ) -> Procedure {
        let node = |place| Node {
            origin: origin(place),
        };
        Procedure {
            name: name.into(),
            locals,
            parameters,
            results,
            nodes: self.nodes.into_iter().map(node).collect(),
            edges: self.edges,
            entry: self.entry,
            exit: self.exit,
            origin: origin(head),
        }
    }
}

/// Warns that a procedure with results can end without a `return`.
pub(crate) fn warn_of_missing_return(
    name: &str,
    end: Span,
    results: Span,
    diagnostics: &mut Diagnostics,
) {
    diagnostics.warn(|| {
        let name = clip(name);
        Diagnostic::warning(format!("`{name}` can end without a `return`"), end)
            .label("its results are arbitrary then")
            .note(results, "the results are declared here")
    });
}
