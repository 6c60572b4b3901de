//! The decision diagrams: one manager, and the few operations the engine needs.
//!
//! Running out of nodes is a value ([`Halt::Full`]) everywhere. Before that, garbage is
//! collected and the operation tried once more. Between operations the caller is told how
//! far the search is, and may stop it ([`Halt::Asked`]).

use std::{
    cell::{Cell, RefCell},
    ops::Range,
    panic::catch_unwind,
};

use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Edge, Function, HasLevel, InnerNode,
    Manager, ManagerRef, Node, NodeID,
    bcdd::{BCDDFunction, BCDDManagerRef, new_manager},
    util::AllocResult,
};
use oxidd_core::LevelView;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    answer::Progress,
    layout::Layout,
    room::{Room, Ticker},
    sift::sift,
    swap::{Diagrams, Link, TRUTH},
};

/// A set of valuations, or a relation between them.
pub(crate) type Bdd = BCDDFunction;

/// The number of a decision variable; also its level: a better order is for the
/// next manager.
pub(crate) type VarNo = u32;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// There is no room for another node.
    Full,
    /// The caller said stop.
    Asked,
}

/// What an operation on diagrams gives.
pub(crate) type Res<T> = Result<T, Halt>;

/// Bytes for a node: the node itself and its share of the unique table.
pub(crate) const NODE_BYTES: u64 = 28;
/// Bytes for an entry of the cache of results.
pub(crate) const CACHE_BYTES: u64 = 28;

/// Garbage is not worth collecting below this many nodes.
const MIN_GARBAGE: usize = 1 << 14;

/// Bytes for a node of a copy, in which a better order is looked for.
pub(crate) const COPY_BYTES: u64 = 64;

/// A manager of decision diagrams over a fixed list of variables.
pub(crate) struct Space {
    manager: BCDDManagerRef,
    truth: Bdd,
    falsity: Bdd,
    room: Room,
    ticker: RefCell<Ticker>,
    /// Nodes of the program taken from the work list so far.
    pub(crate) iterations: Cell<u64>,
    /// Sets of path edges found so far.
    pub(crate) layers: Cell<u64>,
    /// Whether there is a run as asked for.
    pub(crate) is_found: Cell<bool>,
    /// How many nodes there were after the last collection of garbage.
    kept: Cell<usize>,
    peak: Cell<usize>,
    /// How often a better order was found before.
    reorderings: Cell<u64>,
    /// Nodes copied to look for a better order.
    copied: Cell<usize>,
    /// Variables that stay together when a better order is looked for.
    groups: Vec<Range<VarNo>>,
    better: RefCell<Option<Better>>,
}

/// A better order of the groups of variables.
#[derive(Clone, Debug)]
pub(crate) struct Better {
    /// The groups from the top down.
    pub(crate) order: Vec<usize>,
    /// How many nodes there were.
    pub(crate) before: usize,
    /// How many there are in this order.
    pub(crate) after: usize,
}

impl Space {
    /// A manager with tables of that size. `None` if there is no memory for its threads: somebody
    /// else may have taken it since [`Room::is_there`] was asked.
    pub(crate) fn manager(room: Room) -> Option<BCDDManagerRef> {
        catch_unwind(|| new_manager(room.nodes, room.cache, 1)).ok()
    }

    /// Diagrams over the variables of a layout, in a manager that is new.
    pub(crate) fn new(
        manager: &BCDDManagerRef,
        room: Room,
        layout: &Layout,
        ticker: Ticker,
    ) -> Self {
        let manager = manager.clone();
        let (truth, falsity) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(layout.variables);
            (Bdd::t(manager), Bdd::f(manager))
        });
        Space {
            manager,
            truth,
            falsity,
            room,
            ticker: RefCell::new(ticker),
            iterations: Cell::new(0),
            layers: Cell::new(0),
            is_found: Cell::new(false),
            kept: Cell::new(0),
            peak: Cell::new(0),
            reorderings: Cell::new(0),
            copied: Cell::new(0),
            groups: layout.groups.clone(),
            better: RefCell::new(None),
        }
    }

    /// Counts on from an earlier attempt.
    pub(crate) fn follow(&self, earlier: &Progress) {
        self.reorderings.set(earlier.reorderings);
        self.peak.set(earlier.peak_nodes as usize);
        self.is_found.set(earlier.is_found);
    }

    /// The better order that was found before there was no more room.
    pub(crate) fn better(&self) -> Option<Better> {
        self.better.take()
    }

    /// All valuations.
    pub(crate) fn truth(&self) -> Bdd {
        self.truth.clone()
    }

    /// No valuation.
    pub(crate) fn falsity(&self) -> Bdd {
        self.falsity.clone()
    }

    /// One of the two constants.
    pub(crate) fn constant(&self, value: bool) -> Bdd {
        if value { self.truth() } else { self.falsity() }
    }

    pub(crate) fn is_false(&self, f: &Bdd) -> bool {
        *f == self.falsity
    }

    pub(crate) fn is_true(&self, f: &Bdd) -> bool {
        *f == self.truth
    }

    /// The valuations in which a variable is true.
    pub(crate) fn var(&self, var: VarNo) -> Res<Bdd> {
        self.attempt(|| self.manager.with_manager_shared(|m| Bdd::var(m, var)))
    }

    pub(crate) fn not(&self, f: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.not())
    }

    pub(crate) fn and(&self, f: &Bdd, g: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.and(g))
    }

    pub(crate) fn or(&self, f: &Bdd, g: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.or(g))
    }

    pub(crate) fn xor(&self, f: &Bdd, g: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.xor(g))
    }

    pub(crate) fn equiv(&self, f: &Bdd, g: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.equiv(g))
    }

    /// What is in `f` and not in `g`.
    pub(crate) fn minus(&self, f: &Bdd, g: &Bdd) -> Res<Bdd> {
        self.attempt(|| g.imp_strict(f))
    }

    pub(crate) fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Res<Bdd> {
        self.attempt(|| condition.ite(then, otherwise))
    }

    /// Some value of the variables of `cube` makes `f` true.
    pub(crate) fn exists(&self, f: &Bdd, cube: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.exists(cube))
    }

    /// Some value of the variables of `cube` makes both `f` and `g` true.
    pub(crate) fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Res<Bdd> {
        self.attempt(|| f.apply_exists(BooleanOperator::And, g, cube))
    }

    /// The conjunction of variables, the form in which a set of them is given.
    pub(crate) fn cube(&self, mut vars: Vec<VarNo>) -> Res<Bdd> {
        vars.sort_unstable();
        vars.dedup();
        // From the bottom up, each step makes one node.
        vars.iter()
            .rev()
            .try_fold(self.truth(), |cube, &var| self.and(&self.var(var)?, &cube))
    }

    /// The valuations with these values.
    pub(crate) fn literals(&self, mut values: Vec<(VarNo, bool)>) -> Res<Bdd> {
        values.sort_unstable();
        values
            .iter()
            .rev()
            .try_fold(self.truth(), |cube, &(var, value)| {
                let var = self.var(var)?;
                let literal = if value { var } else { self.not(&var)? };
                self.and(&literal, &cube)
            })
    }

    /// The variables that decide on a valuation of `f`, with their values: zeros where there
    /// is a choice. Variables left out may have any value. `None` if there is no valuation.
    pub(crate) fn pick(&self, f: &Bdd) -> Option<Vec<(VarNo, bool)>> {
        if self.is_false(f) {
            return None;
        }
        let mut values = Vec::new();
        let mut here = f.clone();
        while let Some((var, high, low)) = self.split(&here) {
            let value = self.is_false(&low);
            values.push((var, value));
            here = if value { high } else { low };
        }
        Some(values)
    }

    /// The variables that `f` depends on, in order.
    pub(crate) fn support(&self, f: &Bdd) -> Vec<VarNo> {
        let mut vars = f.with_manager_shared(|manager, edge| {
            let mut vars = FxHashSet::default();
            let mut seen = FxHashSet::default();
            let mut open = vec![edge.borrowed()];
            while let Some(next) = open.pop() {
                if let Node::Inner(node) = manager.get_node(&next)
                    && seen.insert(next.node_id())
                {
                    vars.insert(node.level());
                    open.extend(node.children());
                }
            }
            Vec::from_iter(vars)
        });
        vars.sort_unstable();
        vars
    }

    /// The topmost variable and the two halves, unless it is a constant.
    fn split(&self, f: &Bdd) -> Option<(VarNo, Bdd, Bdd)> {
        let var = f.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(node.level()),
            Node::Terminal(_) => None,
        })?;
        let (high, low) = f.cofactors()?;
        Some((var, high, low))
    }

    /// The number of nodes of one diagram.
    pub(crate) fn size(&self, f: &Bdd) -> usize {
        f.node_count()
    }

    /// Collects garbage if there may be much of it. To be called between larger pieces of
    /// work.
    pub(crate) fn tidy(&self) {
        let nodes = self.nodes();
        // To collect takes time that depends on the size of the room, too.
        let least = MIN_GARBAGE.max(self.room.nodes / 16);
        if nodes > least && nodes > 2 * self.kept.get() {
            self.collect();
        }
    }

    /// The number of nodes, dead ones included.
    pub(crate) fn nodes(&self) -> usize {
        let nodes = self
            .manager
            .with_manager_shared(|manager| manager.approx_num_inner_nodes());
        self.peak.set(self.peak.get().max(nodes));
        nodes
    }

    /// Counts the nodes exactly, which takes longer the more variables there are. In between
    /// the worker's own share of new nodes is not seen.
    pub(crate) fn measure(&self) {
        let nodes = self
            .manager
            .with_manager_shared(|manager| manager.num_inner_nodes());
        self.peak.set(self.peak.get().max(nodes));
    }

    /// How far the search is.
    pub(crate) fn progress(&self) -> Progress {
        let nodes = self.nodes() as u64;
        let peak_nodes = self.peak.get() as u64;
        Progress {
            iterations: self.iterations.get(),
            layers: self.layers.get(),
            reorderings: self.reorderings.get(),
            nodes,
            peak_nodes,
            peak_bytes: peak_nodes * NODE_BYTES
                + self.room.cache as u64 * CACHE_BYTES
                + self.copied.get() as u64 * COPY_BYTES,
            is_found: self.is_found.get(),
        }
    }

    fn collect(&self) {
        self.measure();
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            self.kept.set(manager.num_inner_nodes());
        });
    }

    /// Asks whether to go on, if it is time to.
    pub(crate) fn go_on(&self) -> Res<()> {
        self.ask(&mut self.ticker.borrow_mut())
    }

    fn ask(&self, ticker: &mut Ticker) -> Res<()> {
        if ticker.is_due() && ticker.ask(self.progress()).is_break() {
            return Err(Halt::Asked);
        }
        Ok(())
    }

    fn attempt(&self, operation: impl Fn() -> AllocResult<Bdd>) -> Res<Bdd> {
        let mut ticker = self.ticker.borrow_mut();
        self.ask(&mut ticker)?;
        operation().or_else(|_| {
            self.peak.set(self.room.nodes);
            self.collect();
            // With next to nothing gained the end would only be put off.
            if self.kept.get() <= self.room.full
                && let Ok(result) = operation()
            {
                return Ok(result);
            }
            // What the operation was about is still there, and counts.
            self.look_for_order(&mut ticker)?;
            Err(Halt::Full)
        })
    }

    /// Looks for a better order for the diagrams there are.
    fn look_for_order(&self, ticker: &mut Ticker) -> Res<()> {
        let Some(mut diagrams) = self.copy() else {
            return Ok(());
        };
        let before = diagrams.size();
        self.copied.set(before);
        let progress = self.progress();
        let order = sift(&mut diagrams, &self.groups, &mut || {
            if ticker.is_due() && ticker.ask(progress).is_break() {
                return Err(Halt::Asked);
            }
            Ok(())
        })?;
        let after = diagrams.size();
        if after < before {
            *self.better.borrow_mut() = Some(Better {
                order,
                before,
                after,
            });
        }
        Ok(())
    }

    /// A copy of all diagrams, unless they are too large to be moved about.
    fn copy(&self) -> Option<Diagrams> {
        if self.room.copied == 0 {
            return None;
        }
        self.manager.with_manager_exclusive(|manager| {
            manager.gc();
            if manager.num_inner_nodes() > self.room.copied {
                return None;
            }
            let mut diagrams = Diagrams::new(manager.num_levels());
            let mut links: FxHashMap<NodeID, Link> = FxHashMap::default();
            let manager = &*manager;
            for level in manager.levels().rev() {
                for edge in level.iter() {
                    let Node::Inner(node) = manager.get_node(edge) else {
                        continue;
                    };
                    let mut children = node.children().map(|child| {
                        let negated = u32::from(child.tag() != Default::default());
                        links.get(&child.node_id()).copied().unwrap_or(TRUTH) + negated
                    });
                    let (Some(high), Some(low)) = (children.next(), children.next()) else {
                        continue;
                    };
                    let references = node.ref_count() as u32;
                    let link = diagrams.copy(level.level_no(), high, low, references);
                    links.insert(edge.node_id(), link);
                }
            }
            Some(diagrams)
        })
    }
}
