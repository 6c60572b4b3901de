//! The plan: how each object is kept, where, and at which addresses.

use recurva_cir::{FunctionId, Storage};
use recurva_model::Type;

use crate::{
    LowerOptions, Memory,
    callgraph::CallGraph,
    layout::{Dim, Shape},
    objects::{ObjectId, What},
    pointers::Scene,
    uses::{Kind, ObjectUse, Uses},
};

/// The size in bytes of the largest variable that is kept although it never changes, where somebody
/// looks at variables.
const LARGEST_WATCHED: u64 = 64;

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In the frame of its function.
    Frame,
    /// Outside all frames, and there is one.
    Static,
    /// Outside all frames, and there are several: a slot each.
    Slots,
}

/// How the bytes of an object are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A variable for each part that is used.
    Parts,
    /// An array of bytes.
    Bytes,
    /// Not at all: too large.
    Nothing,
}

/// Part of an object that is one variable: a scalar, or an array for all arrays around it.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The first bit; in arrays that of the first element.
    pub(crate) start: u64,
    pub(crate) width: u32,
    pub(crate) kind: Kind,
    /// The arrays around it. That of slots is not among them.
    pub(crate) dims: Vec<Dim>,
    /// The type of the variable.
    pub(crate) ty: Type,
}

impl Leaf {
    /// The first bit of an element.
    pub(crate) fn start_of(&self, element: u64) -> u64 {
        let mut rest = element;
        let mut start = self.start;
        for dim in self.dims.iter().rev() {
            start += rest % dim.count * dim.stride * 8;
            rest /= dim.count;
        }
        start
    }

    /// How many there are in one object.
    pub(crate) fn count(&self) -> u64 {
        let counts = self.dims.iter().map(|dim| dim.count);
        counts.fold(1, u64::saturating_mul)
    }
}

/// How one object is kept.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) home: Home,
    pub(crate) form: Form,
    pub(crate) shape: Shape,
    pub(crate) leaves: Vec<Leaf>,
    /// How many slots there are.
    pub(crate) slots: u32,
    /// The bytes from one slot to the next.
    pub(crate) stride: u64,
    /// Its address, that of the first slot, if it has one.
    pub(crate) base: Option<u64>,
    /// Whether it can be gone while there are pointers to it.
    pub(crate) can_die: bool,
    /// Whether a slot can be used again.
    pub(crate) is_reused: bool,
    /// Whether each object has a size of its own.
    pub(crate) has_size: bool,
    /// Whether it never changes.
    pub(crate) is_constant: bool,
}

/// How all objects are kept.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) objects: Vec<Planned>,
    /// The type of pointers.
    pub(crate) pointer: Type,
    /// No object lies at a lower address.
    pub(crate) lowest: u64,
}

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aims {
    /// Whether it matters whether what a pointer points to is alive.
    pub(crate) lifetime: bool,
}

impl Plan {
    pub(crate) fn new(
        scene: Scene<'_>,
        uses: &Uses,
        graph: &CallGraph,
        options: &LowerOptions,
        aims: Aims,
    ) -> Self {
        let mut objects: Vec<Planned> = (scene.objects.ids())
            .map(|id| planned(scene, uses, graph, options, aims, id))
            .collect();
        let is_addressed = |id: ObjectId| match scene.objects.what[id.index()] {
            What::Site(..) => true,
            What::Global(_) | What::Local(..) if options.memory != Memory::Fields => true,
            _ => uses.objects[id.index()].is_addressed,
        };
        let addressed: Vec<ObjectId> = scene.objects.ids().filter(|&id| is_addressed(id)).collect();
        let is_function =
            |id: ObjectId| matches!(scene.objects.what[id.index()], What::Function(_));
        let largest = addressed
            .iter()
            .filter(|&&id| !is_function(id))
            .map(|id| objects[id.index()].shape.size)
            .max();
        // Small numbers are no addresses: null, what is near it, and unknown pointers.
        let largest = largest.unwrap_or(0);
        let lowest = (largest + 8).min(1 << 20).next_multiple_of(8);
        let mut next = lowest;
        for id in addressed {
            let object = &mut objects[id.index()];
            object.base = Some(next);
            let step = match is_function(id) {
                true => 1,
                false => (object.stride * u64::from(object.slots) + 1).next_multiple_of(8),
            };
            next = next.saturating_add(step);
        }
        // A pointer just behind an object, or before it by as much as its size, is still a number.
        let top = next.saturating_add(largest);
        let bits = (64 - top.leading_zeros()).max(3) as u8;
        let most = scene.module.types.pointer_bytes as u8 * 8;
        let pointer = Type::unsigned(bits.min(most));
        for leaf in objects.iter_mut().flat_map(|it| &mut it.leaves) {
            if leaf.kind == Kind::Pointer {
                leaf.ty = pointer;
            }
        }
        Plan {
            objects,
            pointer,
            lowest,
        }
    }

    pub(crate) fn object(&self, id: ObjectId) -> &Planned {
        &self.objects[id.index()]
    }
}

fn planned(
    scene: Scene<'_>,
    uses: &Uses,
    graph: &CallGraph,
    options: &LowerOptions,
    aims: Aims,
    id: ObjectId,
) -> Planned {
    let used = &uses.objects[id.index()];
    let shape = scene.objects.shapes[id.index()];
    let what = scene.objects.what[id.index()];
    let is_addressed = used.is_addressed || options.memory != Memory::Fields;
    let home = match what {
        What::Global(_) | What::Function(_) => Home::Static,
        What::Local(..) if !is_addressed => Home::Frame,
        What::Local(function, _) if !graph.is_recursive(function) => Home::Static,
        What::Local(..) | What::Site(..) => Home::Slots,
    };
    let slots = match home {
        Home::Slots => options.objects.max(1),
        Home::Static | Home::Frame => 1,
    };
    let escapes = escapes(scene, what, id);
    let is_heap = matches!(what, What::Site(..));
    let can_die = match what {
        What::Site(..) => true,
        What::Local(..) => home == Home::Slots || home == Home::Static && escapes,
        What::Global(_) | What::Function(_) => false,
    };
    // Where somebody asks whether something is alive, what is gone must not come back.
    let is_reused = !(aims.lifetime && (is_heap || escapes));
    let is_global = matches!(what, What::Global(_));
    // Nobody asks about the bytes of a large table.
    let is_replaced = options.constants || shape.size > LARGEST_WATCHED;
    let mut planned = Planned {
        home,
        form: Form::Parts,
        shape,
        leaves: leaves(scene, used, &shape),
        slots,
        stride: match slots {
            1 => shape.size,
            _ => (shape.size + 1).next_multiple_of(8),
        },
        base: None,
        can_die,
        is_reused,
        has_size: is_heap && has_own_size(scene, what),
        is_constant: is_global && !used.is_written && is_replaced,
    };
    let as_bytes = used.is_bytes || options.memory == Memory::Bytes;
    if as_bytes && !matches!(what, What::Function(_)) {
        planned.form = Form::Bytes;
        planned.leaves = vec![Leaf {
            start: 0,
            width: 8,
            kind: Kind::Unsigned,
            dims: vec![Dim {
                count: shape.size.max(1),
                stride: 1,
            }],
            ty: Type::unsigned(8),
        }];
    }
    let most = planned.leaves.iter().map(Leaf::count).max().unwrap_or(0);
    if !planned.is_constant && most.saturating_mul(u64::from(slots)) > options.elements {
        planned.form = Form::Nothing;
        planned.leaves.clear();
    }
    planned
}

fn has_own_size(scene: Scene<'_>, what: What) -> bool {
    let What::Site(function, edge, _) = what else {
        return false;
    };
    let edge = &scene.module.function(function).edges[edge as usize];
    match &edge.operation {
        recurva_cir::Operation::Allocate { size, .. } => {
            !matches!(size.kind, recurva_cir::ExprKind::Const(_))
        }
        _ => false,
    }
}

/// Whether a pointer to an object may be somewhere when its function has returned.
fn escapes(scene: Scene<'_>, what: What, id: ObjectId) -> bool {
    let owner: Option<FunctionId> = match what {
        What::Local(function, _) | What::Site(function, _, Storage::Stack) => Some(function),
        _ => None,
    };
    let Some(owner) = owner else {
        return true;
    };
    scene.points_to.cells().any(|(&(holder, _), targets)| {
        let is_held = targets.iter().any(|&(object, _)| object == id);
        is_held
            && match scene.objects.what[holder.index()] {
                What::Local(function, local) => {
                    let result = scene.module.function(function).result;
                    let is_result = result == Some(local);
                    // A callee's variables are gone before; a caller's may stay.
                    is_result || function != owner && !calls(scene, owner, function)
                }
                _ => true,
            }
    })
}

/// Whether one function calls another, and is not called by it in turn.
fn calls(scene: Scene<'_>, from: FunctionId, to: FunctionId) -> bool {
    let mut seen = vec![false; scene.module.functions.len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        for &callee in &scene.points_to.calls[at.0 as usize] {
            if callee == to {
                return true;
            }
            if !std::mem::replace(&mut seen[callee.0 as usize], true) {
                work.push(callee);
            }
        }
    }
    false
}

fn leaves(scene: Scene<'_>, used: &ObjectUse, shape: &Shape) -> Vec<Leaf> {
    let types = &scene.module.types;
    let leaf = |(&start, &(width, kind)): (&u64, &(u32, Kind))| {
        let ty = match kind {
            Kind::Truth => Type::unsigned(1),
            Kind::Signed => Type::signed(width as u8),
            Kind::Unsigned | Kind::Pointer => Type::unsigned(width as u8),
        };
        Leaf {
            start,
            width,
            kind,
            dims: shape.spot(types, start / 8).dims,
            ty,
        }
    };
    used.parts.iter().map(leaf).collect()
}
