//! The steps between the places of a spine.

use std::collections::BTreeMap;

use recurva_model::{
    Action, Binary, Edge, Expr, NodeId, Op, Origin, Place as Target, ProcId, Type, VarRef,
};
use rustc_hash::FxHashMap;

use super::{
    Builder, Call, Draft, ELEMENTS, Heads, MARKS, SEEN, assign,
    shift::{edge_shifted, shifted},
};
use crate::{
    loops::{Fair, JUMPS},
    product::{Does, Move, PlaceId},
    spines::Unbuilt,
};

/// Writes the moves of the spine.
pub(super) struct Writer<'w, 's, 'a> {
    pub(super) builder: &'w Builder<'s, 'a>,
    pub(super) draft: Draft,
    pub(super) nodes: &'w [NodeId],
    pub(super) cuts: &'w FxHashMap<PlaceId, Heads<'w>>,
    pub(super) offsets: &'w BTreeMap<ProcId, u32>,
}

impl Writer<'_, '_, '_> {
    pub(super) fn write(&mut self, from: PlaceId, it: &Move) -> Result<(), Unbuilt> {
        let builder = self.builder;
        let spines = builder.spines;
        let fair = spines.fair();
        let counts = fair.counts(it);
        let to = match self.cuts.get(&it.to) {
            Some(heads) if counts && heads.members.contains(from) => heads.check,
            Some(heads) => heads.enter,
            None => self.nodes[it.to],
        };
        let procedure = spines.graph.places[from].point.procedure;
        let offset = self.offsets[&procedure];
        let from = (from, self.nodes[from]);
        let then = self.passed(from.0, it, &fair);
        let origin = Origin::default();
        match &it.does {
            Does::Read(says) => {
                let guard = shifted(&says.guard(), offset);
                self.draft.edge(from.1, to, guard, then, origin);
            }
            Does::Stay => self.draft.edge(from.1, to, Expr::truth(), then, origin),
            &Does::Step(edge) => {
                let edge = builder.program.edge(procedure, edge);
                let mut moved = edge_shifted(edge, offset);
                moved.from = from.1;
                moved.to = to;
                if let Action::Assign { assigns, .. } = &mut moved.action {
                    assigns.extend(then);
                }
                self.draft.edges.push(moved);
            }
            &Does::Call { edge, head, end } => builder.call(
                &mut self.draft,
                Call {
                    edge: builder.program.edge(procedure, edge),
                    offset,
                    from: from.1,
                    to,
                    head,
                    end,
                    is_spine: true,
                    then,
                },
            ),
            &Does::Jump { edge, callee } => {
                let edge = builder.program.edge(procedure, edge);
                let mut assigns = self.arrival(edge, offset, callee)?;
                assigns.extend(then);
                let guard = shifted(&edge.guard, offset);
                self.draft.edge(from.1, to, guard, assigns, edge.origin);
            }
        }
        Ok(())
    }

    /// What a move notes for the loops that it is in or comes to: the marks that it passes, and that the loop
    /// begins.
    pub(super) fn passed(&self, from: PlaceId, it: &Move, fair: &Fair<'_>) -> Vec<(Target, Expr)> {
        let surely = fair.surely(it);
        let perhaps = fair.perhaps(it) & !surely;
        let mut found = Vec::new();
        let mut heads: Vec<&Heads<'_>> = self.cuts.values().collect();
        heads.sort_by_key(|it| it.enter);
        for heads in heads {
            if !heads.members.contains(it.to) {
                continue;
            }
            if !(heads.members.contains(from) && fair.counts(it)) {
                found.extend(heads.fresh.map(|it| assign(it, Expr::truth())));
                continue;
            }
            let (Some(seen), true) = (heads.seen, surely | perhaps != 0) else {
                continue;
            };
            let mut value = Expr::read(seen);
            if surely & heads.tracked != 0 {
                let surely = Expr::constant(surely & heads.tracked, SEEN);
                value = value.join(Binary::Or, SEEN, &surely);
            }
            let perhaps = perhaps & heads.tracked & !JUMPS;
            if let (Some(marks), true) = (self.builder.marks, perhaps != 0) {
                let passed = Expr::read(marks).then(Op::Convert(MARKS, SEEN)).join(
                    Binary::And,
                    SEEN,
                    &Expr::constant(perhaps, SEEN),
                );
                value = value.join(Binary::Or, SEEN, &passed);
            }
            found.push(assign(seen, value));
        }
        found
    }

    /// The locals of a procedure that is jumped to: its parameters get the arguments, all others any
    /// value.
    pub(super) fn arrival(
        &self,
        edge: &Edge,
        offset: u32,
        callee: ProcId,
    ) -> Result<Vec<(Target, Expr)>, Unbuilt> {
        let Action::Call { arguments, .. } = &edge.action else {
            return Ok(Vec::new());
        };
        let procedure = self.builder.program.procedure(callee);
        let Some(&there) = self.offsets.get(&callee) else {
            return Ok(Vec::new());
        };
        let mut assigns = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = VarRef::Local(there + index as u32);
            assigns.push(assign(parameter, shifted(argument, offset)));
        }
        let mut choice = edge.choices().len() as u32;
        let mut elements = 0;
        for (index, local) in procedure.locals.iter().enumerate().skip(arguments.len()) {
            let variable = VarRef::Local(there + index as u32);
            elements += local.len.unwrap_or(0) as usize;
            if elements > ELEMENTS {
                return Err(Unbuilt::Arrays(procedure.name.to_string()));
            }
            for element in 0..local.slots() as u64 {
                let value = Expr::new([Op::Any(local.ty, choice)]);
                choice += 1;
                let target = match local.len {
                    None => Target::Scalar(variable),
                    Some(_) => {
                        Target::Element(variable, Expr::constant(element, Type::unsigned(32)))
                    }
                };
                assigns.push((target, value));
            }
        }
        Ok(assigns)
    }
}
