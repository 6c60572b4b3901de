//! Nodes for places of the text that somebody says something about.

use recurva_cir::NodeId;
use recurva_ctype::typed::StmtId;
use recurva_syntax::Span;

use super::Lower;
use crate::{BuildOptions, MarkKind};

/// A marked place that has no node yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// The number of the mark.
    number: usize,
    offset: u32,
    kind: MarkKind,
}

/// The marks in a function of a unit.
pub(super) fn within(options: &BuildOptions, unit: usize, span: Span) -> Vec<Waiting> {
    let marks = (0..).zip(&options.marks);
    let marks = marks
        .filter(|(_, mark)| mark.text == unit && span.range().contains(&(mark.offset as usize)));
    marks
        .map(|(number, mark)| Waiting {
            number,
            offset: mark.offset,
            kind: mark.kind,
        })
        .collect()
}

impl Lower<'_, '_, '_> {
    /// The statements of a block, and the places between them.
    pub(super) fn block(&mut self, list: &[StmtId], span: Span) {
        let mut from = span.start;
        for &id in list {
            let inner = self.unit.stmt(id).span;
            self.mark_between(from, inner.start);
            self.statement(id);
            from = from.max(inner.end);
        }
        self.mark_between(from, span.end.saturating_sub(1));
    }

    /// Gives the marks between two offsets the node here, both included.
    pub(super) fn mark_between(&mut self, from: u32, to: u32) {
        let is_here = |mark: &Waiting| {
            mark.kind == MarkKind::Between && from <= mark.offset && mark.offset <= to
        };
        if !self.marks.iter().any(is_here) {
            return;
        }
        let origin = self.graph.nodes[self.graph.cursor().0 as usize];
        let node = self.graph.node(origin);
        self.graph.jump(node, origin);
        self.graph.continue_at(node);
        self.place_marks(node, is_here);
    }

    /// Gives the marks of a loop's head that node.
    pub(super) fn mark_head(&mut self, start: u32, head: NodeId) {
        self.place_marks(head, |mark| {
            mark.kind == MarkKind::LoopHead && mark.offset == start
        });
    }

    fn place_marks(&mut self, node: NodeId, is_here: impl Fn(&Waiting) -> bool) {
        let graph = &mut self.graph;
        self.marks.retain(|mark| {
            let here = is_here(mark);
            if here {
                graph.marks.push((mark.number, node));
            }
            !here
        });
    }
}
