//! The graph in which infinite runs go round, and the heads from which they come round again
//! and again.
//!
//! A *head* is a node with the values that are followed there and the observer's state: a path
//! edge without its entry. An infinite run is a path through heads, made of blocks, of calls
//! with all that happens until they return (the summaries that the search has found), and of
//! calls that are never returned from. It is accepted if every mark is seen again and again, on
//! the way or within summaries; what it does to the stack is told by the calls on its way.
//!
//! Heads that are reached again and again, and every mark between, are found as a greatest
//! fixpoint (Emerson and Lei), in the direction in which the search runs: of a set of heads
//! those stay to which a way leads, within the set, from behind an edge with the mark; for each
//! mark in turn, until all stay. Ways that go round stay within a strongly connected component
//! of the program's nodes, and within one of the automaton, so each pair is looked at by itself.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use recurva_model::{Point, Stack};

use crate::{
    effect::Context,
    layout::Copy,
    marking::{Marking, Moved},
    plan::NodeNo,
    search::{Cause, Reached, Search},
    setting::Setting,
    space::{Bdd, Res, Space, VarNo},
    strong::cyclic_components,
};

/// Sets of heads, by node. Nodes without heads are not in it.
pub(crate) type Heads = BTreeMap<NodeNo, Bdd>;

/// What has to be seen again and again.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    /// This mark.
    Mark(VarNo),
    /// An edge that makes a turn move.
    Move,
}

/// The graph of heads that a complete search has reached.
pub(crate) struct Graph<'a, 's, 'p> {
    pub(crate) search: &'a Search<'s, 'p>,
    pub(crate) setting: &'s Setting<'s, 'p>,
    /// Which edges there are, and what a turn must do.
    stack: Stack,
    /// The summaries of procedures, without marks.
    plain: Vec<Bdd>,
}

impl<'a, 's, 'p> Graph<'a, 's, 'p> {
    /// The graph of a search that is over, for runs with stacks of a kind.
    pub(crate) fn new(search: &'a Search<'s, 'p>, stack: Stack) -> Res<Self> {
        let setting = search.setting;
        let space = &setting.space;
        let marks = space.cube(setting.context().marks(Copy::Next).collect())?;
        let plain = search.summaries.iter();
        let plain = plain.map(|summary| space.exists(&summary.all, &marks));
        Ok(Graph {
            search,
            setting,
            stack,
            plain: plain.collect::<Res<_>>()?,
        })
    }

    /// What makes a turn move.
    pub(crate) fn moved(&self) -> Moved {
        match self.stack {
            Stack::Any | Stack::Finite => Moved::ByStep,
            Stack::Diverging => Moved::ByCall,
        }
    }

    /// The nodes of the program, as far as they are reached, that are on a way round; those that
    /// lead to each other together.
    pub(crate) fn regions(&self) -> Vec<Vec<NodeNo>> {
        let plan = &self.setting.prepared.plan;
        let space = &self.setting.space;
        let mut next: Vec<Vec<NodeNo>> = vec![Vec::new(); plan.points.len()];
        let is_reached = |node: NodeNo| !space.is_false(&self.search.nodes[node as usize].all);
        for (node, next) in (0..).zip(&mut next) {
            if !is_reached(node) {
                continue;
            }
            let here = plan.points[node as usize];
            for &block in &plan.blocks_from[node as usize] {
                next.push(self.node_in(here, plan.blocks[block as usize].to));
            }
            for &number in &plan.sites_from[node as usize] {
                let site = &plan.sites[number as usize];
                if !space.is_false(&self.plain[site.callee.index()]) {
                    next.push(self.node_in(here, site.to));
                }
                if self.stack != Stack::Finite {
                    next.push(self.entry(number));
                }
            }
            if plan.end == Some(node) {
                next.push(node);
            }
            next.retain(|&to| is_reached(to));
        }
        let mut regions = cyclic_components(&next);
        regions.sort_unstable();
        if self.stack == Stack::Diverging {
            regions.retain(|region| {
                let mut sites = region.iter().flat_map(|&n| &plan.sites_from[n as usize]);
                sites.any(|&site| region.contains(&self.entry(site)))
            });
        }
        regions
    }

    fn node_in(&self, here: Point, node: recurva_model::NodeId) -> NodeNo {
        self.setting.prepared.plan.number(Point { node, ..here })
    }

    /// The node where a call leads.
    fn entry(&self, site: u32) -> NodeNo {
        let prepared = self.setting.prepared;
        let procedure = prepared.plan.sites[site as usize].callee;
        prepared.plan.number(Point {
            procedure,
            node: prepared.program.procedure(procedure).entry,
        })
    }

    /// The reached heads of a region in which the observer's state is one of `states`.
    pub(crate) fn reached(&self, region: &[NodeNo], states: &Bdd) -> Res<Heads> {
        let space = &self.setting.space;
        let context = self.setting.context();
        let mut heads = Heads::new();
        for &node in region {
            let procedure = self.setting.prepared.plan.points[node as usize].procedure;
            let gone = context.entry_vars(procedure).into_iter();
            let gone = space.cube(gone.chain(context.marks(Copy::Now)).collect())?;
            let path_edges = &self.search.nodes[node as usize].all;
            let here = space.and_exists(path_edges, states, &gone)?;
            if !space.is_false(&here) {
                heads.insert(node, here);
            }
        }
        Ok(heads)
    }

    /// The heads, of those given, to which a way round leads that sees all marks and does to the
    /// stack what is asked for; or to which a way leads from such a one.
    pub(crate) fn recurring(&self, mut heads: Heads) -> Res<Heads> {
        let context = self.setting.context();
        let mut wanted: Vec<Wanted> = context.marks(Copy::Now).map(Wanted::Mark).collect();
        if wanted.is_empty() || self.stack == Stack::Diverging {
            wanted.push(Wanted::Move);
        }
        let mut unchanged = 0;
        for &wanted_now in wanted.iter().cycle() {
            if heads.is_empty() || unchanged == wanted.len() {
                break;
            }
            let behind = self.behind(&heads, wanted_now)?;
            let smaller = self.closure(&behind, &heads)?;
            unchanged = if smaller == heads { unchanged + 1 } else { 0 };
            heads = smaller;
        }
        Ok(heads)
    }

    /// The heads behind an edge as wanted, within a set.
    fn behind(&self, heads: &Heads, wanted: Wanted) -> Res<Heads> {
        let space = &self.setting.space;
        let context = self.setting.context();
        let mut behind = Heads::new();
        let (marking, unseen, mark) = match wanted {
            Wanted::Mark(mark) => {
                let marking = Marking::Turn(Moved::ByCall);
                (marking, context.unseen()?, space.var(mark)?)
            }
            Wanted::Move => (Marking::Off, space.truth(), space.truth()),
        };
        let mut bits: Vec<VarNo> = context.marks(Copy::Now).collect();
        bits.extend(context.moved());
        let bits = space.cube(bits)?;
        for (&node, set) in heads {
            let start = space.and(set, &unseen)?;
            self.after(node, &start, marking, heads, |to, cause, image| {
                if matches!(wanted, Wanted::Move) && !self.moved().is_by(cause) {
                    return Ok(());
                }
                let image = space.and_exists(&image, &mark, &bits)?;
                if !space.is_false(&image) {
                    let all = behind.entry(to).or_insert_with(|| space.falsity());
                    *all = space.or(all, &image)?;
                }
                Ok(())
            })?;
            space.tidy();
        }
        Ok(behind)
    }

    /// All heads to which a way leads, within a set, from some of them.
    fn closure(&self, start: &Heads, within: &Heads) -> Res<Heads> {
        let space = &self.setting.space;
        let mut spread = Spread {
            space,
            ranks: &self.search.ranks,
            reached: BTreeMap::new(),
            queue: BinaryHeap::new(),
        };
        for (&node, set) in start {
            spread.add(node, set)?;
        }
        while let Some((node, fresh)) = spread.next() {
            space.iterations.set(space.iterations.get() + 1);
            self.after(node, &fresh, Marking::Off, within, |to, _, image| {
                spread.add(to, &image)
            })?;
            space.tidy();
        }
        let all = spread.reached.into_iter();
        Ok(all.map(|(node, here)| (node, here.all)).collect())
    }

    /// Takes all edges from heads of a node to heads within a set.
    pub(crate) fn after(
        &self,
        node: NodeNo,
        set: &Bdd,
        marking: Marking,
        within: &Heads,
        mut arrive: impl FnMut(NodeNo, Cause, Bdd) -> Res<()>,
    ) -> Res<()> {
        let setting = self.setting;
        let space = &setting.space;
        let plan = &setting.prepared.plan;
        let here = plan.points[node as usize];
        let context = Context {
            marking,
            ..setting.context()
        };
        let moved = space.cube(context.moved().collect())?;
        let mut add = |to: NodeNo, cause: Cause, image: Bdd| {
            let Some(allowed) = within.get(&to) else {
                return Ok(());
            };
            let mut read = setting.read(marking, to, cause, &image)?;
            read = space.and(&read, allowed)?;
            if space.is_false(&read) {
                return Ok(());
            }
            if let Marking::Turn(by) = marking
                && by.is_by(cause)
            {
                read = space.and(&space.exists(&read, &moved)?, &moved)?;
            }
            arrive(to, cause, read)
        };
        if plan.end == Some(node) {
            return add(node, Cause::Stutter, set.clone());
        }
        for &block in &plan.blocks_from[node as usize] {
            let to = self.node_in(here, plan.blocks[block as usize].to);
            if within.contains_key(&to) {
                add(to, Cause::Block(block), setting.image(block, set)?)?;
            }
        }
        for &number in &plan.sites_from[node as usize] {
            let site = &plan.sites[number as usize];
            let (to, into) = (self.node_in(here, site.to), self.entry(number));
            let summary = match context.is_marked(here.procedure) {
                true => &self.search.summaries[site.callee.index()].all,
                false => &self.plain[site.callee.index()],
            };
            let returns = within.contains_key(&to) && !space.is_false(summary);
            let stays = within.contains_key(&into) && self.stack != Stack::Finite;
            if !returns && !stays {
                continue;
            }
            let call = setting.call(number)?;
            let joined = space.and(set, &call.relation)?;
            if returns {
                let back = context.come_back(here.procedure, call, &joined, summary)?;
                add(to, Cause::Return(number), back)?;
            }
            if stays {
                let ends = setting.ends(site.callee)?;
                let handed = context.hand_over(call, &joined)?;
                let entered = ends.enter.apply(space, &handed)?;
                let entered = space.exists(&entered, &ends.remembered)?;
                add(into, Cause::Call(number), entered)?;
            }
        }
        Ok(())
    }
}

/// Heads that spread over nodes.
struct Spread<'a> {
    space: &'a Space,
    ranks: &'a [u64],
    reached: BTreeMap<NodeNo, Reached>,
    queue: BinaryHeap<Reverse<(u64, NodeNo)>>,
}

impl Spread<'_> {
    /// Adds heads to a node.
    fn add(&mut self, node: NodeNo, set: &Bdd) -> Res<()> {
        let here = self.reached.entry(node);
        let here = here.or_insert_with(|| Reached::nothing(self.space));
        if here.add(self.space, set)?.is_some() && here.queue() {
            self.queue.push(Reverse((self.ranks[node as usize], node)));
        }
        Ok(())
    }

    /// A node where there is something new, and what.
    fn next(&mut self) -> Option<(NodeNo, Bdd)> {
        let Reverse((_, node)) = self.queue.pop()?;
        let here = self.reached.get_mut(&node)?;
        Some((node, here.take(self.space)))
    }
}
