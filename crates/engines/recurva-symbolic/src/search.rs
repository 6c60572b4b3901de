//! The search: path edges per node as relations, grown by a work list until nothing is new
//! or a target is found.
//!
//! Each node of the program has the relation of its path edges: the values at the entry of
//! the procedure and the values here. When a node is taken from the list, the images of what
//! is new there are added to its successors. What is handed over by a call becomes path
//! edges at the callee's entry, each set of values once; what arrives at the exit becomes a
//! summary, which is applied to all calls. Procedures that are called come before those that
//! call them, so that summaries are complete, as far as they can be, when they are used.

use std::{cmp::Reverse, collections::BinaryHeap};

use recurva_model::{Point, ProcId};

use crate::{
    answer::Sizes,
    back::{Backward, Place},
    layout::Copy,
    marking::Marking,
    plan::NodeNo,
    rank::ranks,
    setting::{Prepared, Setting},
    space::{Bdd, Res, Space},
};

/// Counts the steps of the search.
pub(crate) type Time = u64;

/// How a layer of path edges came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A run begins.
    Start,
    /// This block was taken.
    Block(u32),
    /// This call was made.
    Call(u32),
    /// This call came back.
    Return(u32),
    /// The main procedure was left for good.
    End,
    /// The run is over and stays where it is.
    Stutter,
}

/// Path edges found at one time in one way. They come from path edges found earlier.
pub(crate) struct Layer {
    pub(crate) time: Time,
    pub(crate) cause: Cause,
    pub(crate) set: Bdd,
}

/// The path edges of a node.
pub(crate) struct Reached {
    pub(crate) all: Bdd,
    /// What has not been looked at since it was found.
    fresh: Bdd,
    pub(crate) layers: Vec<Layer>,
    is_queued: bool,
}

impl Reached {
    /// Nothing.
    pub(crate) fn nothing(space: &Space) -> Self {
        Reached {
            all: space.falsity(),
            fresh: space.falsity(),
            layers: Vec::new(),
            is_queued: false,
        }
    }

    /// Adds what is new of a set, and gives it; `None` if nothing is.
    pub(crate) fn add(&mut self, space: &Space, set: &Bdd) -> Res<Option<Bdd>> {
        let more = space.minus(set, &self.all)?;
        if space.is_false(&more) {
            return Ok(None);
        }
        self.all = space.or(&self.all, &more)?;
        self.fresh = space.or(&self.fresh, &more)?;
        space.layers.set(space.layers.get() + 1);
        Ok(Some(more))
    }

    /// Notes that there is something to be looked at; whether that was not known.
    pub(crate) fn queue(&mut self) -> bool {
        !std::mem::replace(&mut self.is_queued, true)
    }

    /// What is to be looked at.
    pub(crate) fn take(&mut self, space: &Space) -> Bdd {
        self.is_queued = false;
        std::mem::replace(&mut self.fresh, space.falsity())
    }
}

/// The summary of a procedure.
pub(crate) struct Summary {
    /// What calls have handed over.
    handed: Bdd,
    pub(crate) all: Bdd,
    /// The parts of the summary, with the time when each was found.
    pub(crate) layers: Vec<(Time, Bdd)>,
}

/// Where a target was found: a node, and the layer of its path edges that has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) node: NodeNo,
    pub(crate) layer: usize,
}

pub(crate) struct Search<'s, 'p> {
    pub(crate) setting: &'s Setting<'s, 'p>,
    is_target: Vec<bool>,
    /// Where the observer is in a state that is asked for.
    alarm: Bdd,
    keeps_layers: bool,
    pub(crate) nodes: Vec<Reached>,
    pub(crate) summaries: Vec<Summary>,
    /// For each call, the parts of the callee's summary not yet applied to it.
    fresh_summaries: Vec<Bdd>,
    pub(crate) ranks: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, NodeNo)>>,
    /// The time of the last step.
    pub(crate) time: Time,
    found: Option<Found>,
}

impl<'s, 'p> Search<'s, 'p> {
    /// A search that has not begun. It will stop at a target.
    pub(crate) fn new(
        setting: &'s Setting<'s, 'p>,
        targets: &[Point],
        keeps_layers: bool,
    ) -> Res<Self> {
        let space = &setting.space;
        let Prepared {
            program,
            observer,
            plan,
            layout,
            ..
        } = setting.prepared;
        let mut is_target = vec![false; plan.points.len()];
        for &target in targets {
            is_target[plan.number(target) as usize] = true;
        }
        let nothing = || space.falsity();
        let nodes = plan.points.iter().map(|_| Reached::nothing(space));
        let summaries = program.procedures().iter().map(|_| Summary {
            handed: nothing(),
            all: nothing(),
            layers: Vec::new(),
        });
        Ok(Search {
            setting,
            is_target,
            alarm: observer.any_of(space, layout, Copy::Now, &observer.targets)?,
            keeps_layers,
            nodes: nodes.collect(),
            summaries: summaries.collect(),
            fresh_summaries: vec![nothing(); plan.sites.len()],
            ranks: ranks(program, plan),
            queue: BinaryHeap::new(),
            time: 0,
            found: None,
        })
    }

    /// Searches until a target is found or nothing is new.
    pub(crate) fn run(&mut self) -> Res<Option<Found>> {
        self.start()?;
        while self.found.is_none()
            && let Some(Reverse((_, node))) = self.queue.pop()
        {
            self.time += 1;
            self.setting.space.iterations.set(self.time);
            self.process(node)?;
            self.setting.space.tidy();
        }
        Ok(self.found)
    }

    /// Concrete values for a target that was found.
    pub(crate) fn target(
        &self,
        backward: &Backward<'_, '_, '_>,
        found: Found,
    ) -> Res<Option<Place>> {
        let space = &self.setting.space;
        let Some(layer) = self.nodes[found.node as usize].layers.get(found.layer) else {
            return Ok(None);
        };
        let set = if self.is_target[found.node as usize] {
            layer.set.clone()
        } else {
            space.and(&layer.set, &self.alarm)?
        };
        let place = backward.first(found.node, layer.time + 1, &set)?;
        Ok(place.map(|(place, _)| place))
    }

    /// How large the relations are; if nobody waits any more, as far as that is known.
    pub(crate) fn sizes(&self) -> Sizes {
        let space = &self.setting.space;
        let mut sizes = Sizes {
            variables: self.setting.prepared.layout.variables.into(),
            ..Sizes::default()
        };
        for node in self.nodes.iter().filter(|node| !space.is_false(&node.all)) {
            if space.go_on().is_err() {
                return sizes;
            }
            let size = space.size(&node.all) as u64;
            sizes.reached += 1;
            sizes.path_edges += size;
            sizes.largest = sizes.largest.max(size);
        }
        let summaries = self.summaries.iter().map(|summary| &summary.all);
        sizes.summaries = summaries.map(|all| space.size(all) as u64).sum();
        sizes
    }

    fn start(&mut self) -> Res<()> {
        let Setting {
            space, prepared, ..
        } = self.setting;
        let Prepared {
            layout,
            observer,
            program,
            ..
        } = prepared;
        let initial = observer.any_of(space, layout, Copy::Now, &observer.initial)?;
        self.enter(program.main(), &initial, Cause::Start)
    }

    /// Takes all steps from what is new at a node.
    fn process(&mut self, node: NodeNo) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        let fresh = self.nodes[node as usize].take(space);
        let point = setting.prepared.plan.points[node as usize];
        if setting.prepared.plan.end == Some(node) {
            return self.arrive(node, &fresh, Cause::Stutter);
        }
        if !space.is_false(&fresh) {
            for &block in &setting.prepared.plan.blocks_from[node as usize] {
                let image = setting.image(block, &fresh)?;
                let to = Point {
                    node: setting.prepared.plan.blocks[block as usize].to,
                    ..point
                };
                self.arrive(
                    setting.prepared.plan.number(to),
                    &image,
                    Cause::Block(block),
                )?;
            }
        }
        for &site in &setting.prepared.plan.sites_from[node as usize] {
            self.process_call(node, site, &fresh)?;
        }
        if point.node == setting.prepared.program.procedure(point.procedure).exit
            && setting.prepared.scopes.is_called(point.procedure)
        {
            self.leave(point.procedure, &fresh)?;
        }
        if let Some(end) = setting.prepared.plan.end
            && point == setting.prepared.plan.points[end as usize]
        {
            let outermost = space.and(&fresh, &self.outermost()?)?;
            self.arrive(end, &outermost, Cause::End)?;
        }
        Ok(())
    }

    /// The path edges of the main procedure with which a run may have begun. If there are
    /// calls of it, the state in which the observer was tells.
    fn outermost(&self) -> Res<Bdd> {
        let Prepared {
            program,
            observer,
            scopes,
            layout,
            ..
        } = self.setting.prepared;
        let space = &self.setting.space;
        if scopes.is_called(program.main()) {
            observer.any_of(space, layout, Copy::Entry, &observer.initial)
        } else {
            Ok(space.truth())
        }
    }

    /// Makes a call from what is new where it starts, and lets what was known there before
    /// come back with the new parts of the summary.
    fn process_call(&mut self, node: NodeNo, number: u32, fresh: &Bdd) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        let context = setting.context();
        let site = &setting.prepared.plan.sites[number as usize];
        let call = setting.call(number)?;
        let to = setting.prepared.plan.number(Point {
            node: site.to,
            ..site.from
        });
        let more = &mut self.fresh_summaries[number as usize];
        let more = std::mem::replace(more, space.falsity());
        let joined = space.and(fresh, &call.relation)?;
        if !space.is_false(&joined) {
            let handed = context.hand_over(call, &joined)?;
            self.enter(site.callee, &handed, Cause::Call(number))?;
            let summary = &self.summaries[site.callee.index()].all;
            if !space.is_false(summary) {
                let back = context.come_back(site.from.procedure, call, &joined, summary)?;
                self.arrive(to, &back, Cause::Return(number))?;
            }
        }
        if !space.is_false(&more) {
            let old = space.minus(&self.nodes[node as usize].all, fresh)?;
            let joined = space.and(&old, &call.relation)?;
            let back = context.come_back(site.from.procedure, call, &joined, &more)?;
            self.arrive(to, &back, Cause::Return(number))?;
        }
        Ok(())
    }

    /// Begins a procedure with all that is handed over for the first time.
    fn enter(&mut self, id: ProcId, handed: &Bdd, cause: Cause) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        let summary = &mut self.summaries[id.index()];
        let fresh = space.minus(handed, &summary.handed)?;
        if space.is_false(&fresh) {
            return Ok(());
        }
        summary.handed = space.or(&summary.handed, &fresh)?;
        let mut path_edges = setting.ends(id)?.enter.apply(space, &fresh)?;
        if setting.context().is_marked(id) {
            path_edges = space.and(&path_edges, &setting.context().unseen()?)?;
        }
        let entry = Point {
            procedure: id,
            node: setting.prepared.program.procedure(id).entry,
        };
        self.arrive(setting.prepared.plan.number(entry), &path_edges, cause)
    }

    /// Makes a summary of what is new at an exit, for all callers.
    fn leave(&mut self, id: ProcId, fresh: &Bdd) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        let leaving = setting.ends(id)?.leave.apply(space, fresh)?;
        let summary = &mut self.summaries[id.index()];
        let more = space.minus(&leaving, &summary.all)?;
        if space.is_false(&more) {
            return Ok(());
        }
        summary.all = space.or(&summary.all, &more)?;
        if self.keeps_layers {
            summary.layers.push((self.time, more.clone()));
        }
        for &site in &setting.prepared.plan.sites_of[id.index()] {
            let from = setting
                .prepared
                .plan
                .number(setting.prepared.plan.sites[site as usize].from);
            // A call that has not been reached will see the whole summary.
            if !space.is_false(&self.nodes[from as usize].all) {
                let waiting = &mut self.fresh_summaries[site as usize];
                *waiting = space.or(waiting, &more)?;
                self.enqueue(from);
            }
        }
        Ok(())
    }

    /// Adds path edges to a node, once the observer has read what is there.
    fn arrive(&mut self, to: NodeNo, path_edges: &Bdd, cause: Cause) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        if space.is_false(path_edges) {
            return Ok(());
        }
        let read = &setting.read(Marking::Called, to, cause, path_edges)?;
        let reached = &mut self.nodes[to as usize];
        let Some(more) = reached.add(space, read)? else {
            return Ok(());
        };
        let is_hit =
            self.is_target[to as usize] || !space.is_false(&space.and(&more, &self.alarm)?);
        if self.keeps_layers {
            reached.layers.push(Layer {
                time: self.time,
                cause,
                set: more,
            });
        }
        if is_hit && self.found.is_none() {
            let layer = reached.layers.len().saturating_sub(1);
            self.found = Some(Found { node: to, layer });
        }
        self.enqueue(to);
        Ok(())
    }

    fn enqueue(&mut self, node: NodeNo) {
        if self.nodes[node as usize].queue() {
            self.queue.push(Reverse((self.ranks[node as usize], node)));
        }
    }
}
