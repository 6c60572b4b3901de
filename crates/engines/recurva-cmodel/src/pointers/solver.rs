//! The work list: sets of targets that grow along edges.

use recurva_cir::{FunctionId, Types};
use recurva_model::{Patience, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ANYWHERE, SOMEWHERE, Shift, Target};
use crate::objects::{ObjectId, Objects, What};

/// Index of a set.
pub(super) type Node = u32;

/// What a set feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    Copy(Node),
    Shift(Shift, Node),
    /// What is stored where it points to goes to a set.
    Load(Node),
    /// A set is stored where it points to.
    Store(Node),
    /// Functions in it are called: by that call.
    Call(u32),
    /// So many bytes where it points to get, or give, what is where another set points to.
    CopyFrom(Node),
    CopyTo(Node),
}

#[derive(Debug, Default)]
struct Set {
    targets: FxHashSet<Target>,
    uses: FxHashSet<Use>,
}

/// The sets and who feeds whom.
#[derive(Debug)]
pub(super) struct Solver<'a> {
    pub(super) objects: &'a Objects,
    types: &'a Types,
    sets: Vec<Set>,
    cells: FxHashMap<Target, Node>,
    /// Of each object: the spots with a cell.
    known: FxHashMap<ObjectId, Vec<u64>>,
    work: Vec<(Node, Target)>,
    /// Of each object: where bytes of it are copied to, and from where on.
    copied: FxHashMap<ObjectId, Vec<(Target, u64)>>,
    /// Spots that have been given a cell lately.
    fresh: Vec<Target>,
    /// Functions that a call turned out to call.
    pub(super) called: Vec<(u32, FunctionId)>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(objects: &'a Objects, types: &'a Types) -> Self {
        Solver {
            objects,
            types,
            sets: Vec::new(),
            cells: FxHashMap::default(),
            known: FxHashMap::default(),
            work: Vec::new(),
            copied: FxHashMap::default(),
            fresh: Vec::new(),
            called: Vec::new(),
        }
    }

    pub(super) fn node(&mut self) -> Node {
        self.sets.push(Set::default());
        self.sets.len() as Node - 1
    }

    /// What is stored at a spot. What is stored anywhere in an object comes to all its spots, and
    /// to what is [read](Self::read) from anywhere.
    pub(super) fn cell(&mut self, target: Target) -> Node {
        if let Some(&node) = self.cells.get(&target) {
            return node;
        }
        let node = self.node();
        self.cells.insert(target, node);
        let (object, spot) = target;
        if spot != SOMEWHERE {
            let somewhere = self.cell((object, SOMEWHERE));
            self.feed(node, Use::Copy(somewhere));
        }
        if spot != SOMEWHERE && spot != ANYWHERE {
            self.known.entry(object).or_default().push(spot);
            self.fresh.push(target);
            let anywhere = self.cell((object, ANYWHERE));
            self.feed(anywhere, Use::Copy(node));
        }
        node
    }

    /// What may be read from a spot.
    fn read(&mut self, target: Target) -> Node {
        match target {
            (object, ANYWHERE) => self.cell((object, SOMEWHERE)),
            target => self.cell(target),
        }
    }

    pub(super) fn add(&mut self, node: Node, target: Target) {
        if self.sets[node as usize].targets.insert(target) {
            self.work.push((node, target));
        }
    }

    pub(super) fn feed(&mut self, from: Node, by: Use) {
        if !self.sets[from as usize].uses.insert(by) {
            return;
        }
        let targets: Vec<Target> = self.sets[from as usize].targets.iter().copied().collect();
        for target in targets {
            self.apply(by, target);
        }
    }

    /// Lets the sets grow until they are closed.
    pub(super) fn close(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        loop {
            while let Some((node, target)) = self.work.pop() {
                patience.step()?;
                let uses: Vec<Use> = self.sets[node as usize].uses.iter().copied().collect();
                for by in uses {
                    self.apply(by, target);
                }
            }
            let Some(fresh) = self.fresh.pop() else {
                return Ok(());
            };
            for (to, start) in self.copied.get(&fresh.0).cloned().unwrap_or_default() {
                self.copy_spot(to, start, fresh);
            }
        }
    }

    fn apply(&mut self, by: Use, target: Target) {
        match by {
            Use::Copy(to) => self.add(to, target),
            Use::Shift(shift, to) => {
                let shifted = shifted(self.objects, self.types, target, shift);
                self.add(to, shifted);
            }
            Use::Load(to) => {
                let cell = self.read(target);
                self.feed(cell, Use::Copy(to));
            }
            Use::Store(from) => {
                let cell = self.cell(target);
                self.feed(from, Use::Copy(cell));
            }
            Use::Call(call) => {
                if let What::Function(function) = self.objects.what[target.0.index()] {
                    self.called.push((call, function));
                }
            }
            Use::CopyFrom(other) => {
                let sources: Vec<Target> = self.targets(other).collect();
                for source in sources {
                    self.copy(target, source);
                }
            }
            Use::CopyTo(other) => {
                let copies: Vec<Target> = self.targets(other).collect();
                for copy in copies {
                    self.copy(copy, target);
                }
            }
        }
    }

    /// Bytes of one object go to another: each spot behind the one to the spot as far behind the
    /// other.
    fn copy(&mut self, to: Target, from: Target) {
        if to.1 == ANYWHERE || from.1 == ANYWHERE {
            let source = self.read((from.0, ANYWHERE));
            let cell = self.cell((to.0, ANYWHERE));
            return self.feed(source, Use::Copy(cell));
        }
        let copies = self.copied.entry(from.0).or_default();
        if copies.contains(&(to, from.1)) {
            return;
        }
        copies.push((to, from.1));
        for spot in self.known.get(&from.0).cloned().unwrap_or_default() {
            self.copy_spot(to, from.1, (from.0, spot));
        }
        let source = self.cell((from.0, ANYWHERE));
        let cell = self.cell((to.0, ANYWHERE));
        self.feed(source, Use::Copy(cell));
    }

    fn copy_spot(&mut self, to: Target, start: u64, from: Target) {
        let Some(distance) = from.1.checked_sub(start) else {
            return;
        };
        let source = self.cell(from);
        let shift = Shift::Bytes(distance as i64);
        let target = shifted(self.objects, self.types, to, shift);
        let cell = self.cell(target);
        self.feed(source, Use::Copy(cell));
    }

    pub(super) fn targets(&self, node: Node) -> impl Iterator<Item = Target> + '_ {
        self.sets[node as usize].targets.iter().copied()
    }

    /// What is stored at each spot, sorted.
    pub(super) fn into_cells(self) -> FxHashMap<Target, Vec<Target>> {
        let sets = &self.sets;
        let sorted = |node: Node| {
            let mut targets: Vec<Target> = sets[node as usize].targets.iter().copied().collect();
            targets.sort_unstable();
            targets
        };
        self.cells
            .iter()
            .map(|(&cell, &node)| (cell, sorted(node)))
            .collect()
    }
}

/// Where a pointer points to when it was changed.
pub(super) fn shifted(objects: &Objects, types: &Types, target: Target, shift: Shift) -> Target {
    let (object, spot) = target;
    if spot == ANYWHERE {
        return target;
    }
    let shape = &objects.shapes[object.index()];
    let moved = match shift {
        Shift::Bytes(0) => spot,
        Shift::Anywhere => ANYWHERE,
        Shift::Bytes(bytes) => match spot.checked_add_signed(bytes) {
            Some(offset) if offset <= shape.size && shape.ty.is_some() => {
                shape.spot(types, offset).offset
            }
            _ => ANYWHERE,
        },
        Shift::Elements(size) => {
            let position = shape.spot(types, spot);
            let fits = |stride: u64| stride != 0 && size % stride == 0;
            let is_array = position.dims.iter().any(|dim| fits(dim.stride));
            let is_one = shape.ty.is_some() && is_whole(types, shape, spot, size);
            match is_array || is_one {
                true => spot,
                false => ANYWHERE,
            }
        }
    };
    (object, moved)
}

/// Whether something of that size begins at a spot: then it is an array of one.
fn is_whole(types: &Types, shape: &crate::layout::Shape, spot: u64, size: u64) -> bool {
    let mut found = false;
    let is_end = |ty: recurva_cir::TypeId, rest: u64| {
        found |= rest == 0 && types.size(ty) == size;
        found
    };
    shape.locate(types, spot, is_end);
    found
}
