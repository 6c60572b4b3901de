//! From heads that come round again and again to a run: where its turn starts, and one turn.

use std::collections::VecDeque;

use recurva_evidence::Trace;

use crate::{
    back::{Backward, Literals, Picked},
    explain::explain_lasso,
    heads::{Graph, Heads},
    layout::Copy,
    marking::Marking,
    plan::NodeNo,
    search::{Cause, Layer, Reached, Time},
    space::{Bdd, Res},
};

/// A head with concrete values.
struct Head {
    node: NodeNo,
    values: Literals,
}

impl Graph<'_, '_, '_> {
    /// A run that comes round, from heads to each of which a way leads from one that does.
    /// `None` would mean that there are none, or that the layers do not fit together.
    pub(crate) fn lasso(&self, mut heads: Heads) -> Res<Option<Trace>> {
        let space = &self.setting.space;
        let marking = Marking::Turn(self.moved());
        let bits = {
            let context = self.setting.context();
            let marks = context.marks(Copy::Now);
            space.cube(marks.chain(context.moved()).collect())?
        };
        while let Some(head) = self.earliest(&heads)? {
            let (nodes, came_round) = self.turn(&head, marking, &heads)?;
            if came_round {
                return self.explain(&head, &nodes, marking);
            }
            // No way round leads through this head, nor through any head behind it: that would
            // lead back to it. The ways to all others do not lead through those either.
            for (reached, node) in nodes.iter().zip(0..) {
                if let Some(left) = heads.get_mut(&node) {
                    *left = space.minus(left, &space.exists(&reached.all, &bits)?)?;
                    if space.is_false(left) {
                        heads.remove(&node);
                    }
                }
            }
        }
        Ok(None)
    }

    /// A head of the set that was found as early as any.
    fn earliest(&self, heads: &Heads) -> Res<Option<Head>> {
        let space = &self.setting.space;
        let mut best: Option<(Time, NodeNo, Bdd)> = None;
        for (&node, set) in heads {
            for layer in &self.search.nodes[node as usize].layers {
                if best.as_ref().is_some_and(|(time, ..)| *time <= layer.time) {
                    break;
                }
                let hit = space.and(&layer.set, set)?;
                if !space.is_false(&hit) {
                    best = Some((layer.time, node, hit));
                    break;
                }
            }
        }
        let Some((_, node, mut hit)) = best else {
            return Ok(None);
        };
        // With small numbers a turn is short, as a rule.
        let point = self.setting.prepared.plan.points[node as usize];
        let vars = self.setting.context().value_vars(point);
        for &var in vars.iter().rev() {
            let smaller = space.minus(&hit, &space.var(var)?)?;
            if !space.is_false(&smaller) {
                hit = smaller;
            }
        }
        Ok(space.pick(&hit).map(|values| Head {
            node,
            values: Picked::from(values).values(vars),
        }))
    }

    /// Goes from a head in all ways within a set until it comes round with all marks seen;
    /// tells what was reached, and whether it did.
    fn turn(&self, head: &Head, marking: Marking, within: &Heads) -> Res<(Vec<Reached>, bool)> {
        let space = &self.setting.space;
        let plan = &self.setting.prepared.plan;
        let start = self.unmoved(head)?;
        let goal = self.come_round(head)?;
        let mut time = self.search.time + 1;
        let nodes = plan.points.iter().map(|_| Reached::nothing(space));
        let mut nodes: Vec<Reached> = nodes.collect();
        let mut queue = VecDeque::from([head.node]);
        nodes[head.node as usize].add(space, &start)?;
        nodes[head.node as usize].queue();
        nodes[head.node as usize].layers.push(Layer {
            time,
            cause: Cause::Start,
            set: start,
        });
        while let Some(node) = queue.pop_front() {
            time += 1;
            space.iterations.set(space.iterations.get() + 1);
            let fresh = nodes[node as usize].take(space);
            let mut came_round = false;
            self.after(node, &fresh, marking, within, |to, cause, image| {
                let here = &mut nodes[to as usize];
                if let Some(set) = here.add(space, &image)? {
                    came_round |= to == head.node && !space.is_false(&space.and(&set, &goal)?);
                    here.layers.push(Layer { time, cause, set });
                    if here.queue() {
                        queue.push_back(to);
                    }
                }
                Ok(())
            })?;
            if came_round {
                return Ok((nodes, true));
            }
            space.tidy();
        }
        Ok((nodes, false))
    }

    /// A head at the start of a turn.
    fn unmoved(&self, head: &Head) -> Res<Bdd> {
        self.with_bits(head, false)
    }

    /// A head at the end of a turn.
    fn come_round(&self, head: &Head) -> Res<Bdd> {
        self.with_bits(head, true)
    }

    fn with_bits(&self, head: &Head, value: bool) -> Res<Bdd> {
        let context = self.setting.context();
        let bits = context.marks(Copy::Now).chain(context.moved());
        let bits = bits.map(|var| (var, value));
        let all = head.values.iter().copied().chain(bits);
        self.setting.space.literals(all.collect())
    }

    fn explain(&self, head: &Head, nodes: &[Reached], marking: Marking) -> Res<Option<Trace>> {
        let space = &self.setting.space;
        let stem = Backward::new(self.search);
        let turn = Backward::through(self.search, nodes, marking);
        let here = space.literals(head.values.clone())?;
        let begin = stem.first(head.node, Time::MAX, &here)?;
        let end = turn.first(head.node, Time::MAX, &self.come_round(head)?)?;
        let (Some((begin, _)), Some((end, _))) = (begin, end) else {
            return Ok(None);
        };
        explain_lasso((stem, begin), (turn, end))
    }
}
