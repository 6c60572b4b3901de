//! How each object is used: at which bits, as what, and whether its address gets about.

use std::collections::BTreeMap;

use recurva_cir::{
    Argument, Base, Bits, Expr, ExprKind, FunctionId, InitialValue, Module, Operation, Place,
    Scalar, Step, Type, TypeId, Types,
};
use recurva_model::{Patience, Stop};

use crate::{
    layout::{Shape, scalar_bits, scalars},
    objects::{ObjectId, What},
    pointers::{ANYWHERE, Scene, Target},
};

/// What the bits of a part are used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers without a sign, or more than one of the others.
    Unsigned,
    /// Numbers with a sign, or with and without.
    Signed,
    Pointer,
    /// 0 or 1.
    Truth,
}

/// Parts of an object that are used as one: by their first bit, how many there are and as what.
pub(crate) type Parts = BTreeMap<u64, (u32, Kind)>;

/// How an object is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectUse {
    pub(crate) parts: Parts,
    /// Its bytes are looked at in more than one way.
    pub(crate) is_bytes: bool,
    pub(crate) is_written: bool,
    pub(crate) is_addressed: bool,
}

/// How all objects are used.
#[derive(Debug)]
pub(crate) struct Uses {
    pub(crate) objects: Vec<ObjectUse>,
}

/// Memory that is copied.
struct Copied {
    to: Vec<Target>,
    from: Vec<Target>,
    /// How many bytes; `None` if that is not known.
    size: Option<u64>,
}

struct Gather<'a> {
    scene: Scene<'a>,
    objects: Vec<ObjectUse>,
    copies: Vec<Copied>,
}

impl Uses {
    pub(crate) fn new(scene: Scene<'_>, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let mut gather = Gather {
            scene,
            objects: vec![ObjectUse::default(); scene.objects.len()],
            copies: Vec::new(),
        };
        for (index, function) in scene.module.functions.iter().enumerate() {
            if !scene.points_to.reachable[index] {
                continue;
            }
            let id = FunctionId(index as u32);
            for edge in &function.edges {
                patience.step()?;
                gather.operation(id, &edge.operation);
            }
            if let Some(result) = function.result {
                gather.whole(scene.objects.local(id, result));
            }
            gather.objects_of_calls(id);
        }
        gather.initial_addresses();
        gather.settle(patience)?;
        Ok(Uses {
            objects: gather.objects,
        })
    }
}

impl Gather<'_> {
    fn types(&self) -> &Types {
        &self.scene.module.types
    }

    /// A scalar variable is used as a whole.
    fn whole(&mut self, object: ObjectId) {
        if let Some(ty) = self.scene.objects.shapes[object.index()].ty {
            self.touch((object, 0), ty, None);
        }
    }

    /// Parameters are written by calls.
    fn objects_of_calls(&mut self, id: FunctionId) {
        for index in 0..self.scene.module.function(id).parameters {
            let object = self.scene.objects.local(id, recurva_cir::LocalId(index));
            self.objects[object.index()].is_written = true;
        }
    }

    fn operation(&mut self, id: FunctionId, operation: &Operation) {
        match operation {
            Operation::Skip
            | Operation::Error(_)
            | Operation::Abort
            | Operation::Unsupported(_) => {}
            Operation::Assume(expr)
            | Operation::Check(_, expr)
            | Operation::Free(expr)
            | Operation::Exit(expr) => self.expr(id, expr),
            Operation::Assign(place, expr) => {
                self.written(id, place);
                self.expr(id, expr);
            }
            Operation::Zero(place) | Operation::Havoc(place, _) | Operation::VaStart(place) => {
                self.written(id, place);
            }
            Operation::Copy(to, from) => self.copy(id, to, from),
            Operation::VaArg { list, result } => {
                self.written(id, list);
                self.written(id, result);
            }
            Operation::VaCopy { to, from } => {
                self.written(id, to);
                self.place(id, from);
            }
            Operation::Call {
                callee,
                arguments,
                result,
            } => {
                if let recurva_cir::Callee::Pointer(pointer) = callee {
                    self.expr(id, pointer);
                }
                self.arguments(id, callee, arguments);
                if let Some(result) = result {
                    self.result(id, callee, result);
                }
            }
            Operation::Allocate { result, size, .. } => {
                self.written(id, result);
                self.expr(id, size);
            }
            Operation::CopyBytes { to, from, count } => {
                self.expr(id, to);
                self.expr(id, from);
                self.expr(id, count);
                let size = match count.kind {
                    ExprKind::Const(count) => Some(count),
                    _ => None,
                };
                let (to, from) = (self.scene.targets(id, to), self.scene.targets(id, from));
                for &(object, _) in &to {
                    self.objects[object.index()].is_written = true;
                }
                self.copies.push(Copied { to, from, size });
            }
            Operation::FillBytes { to, value, count } => {
                self.expr(id, to);
                self.expr(id, value);
                self.expr(id, count);
                for (object, spot) in self.scene.targets(id, to) {
                    let size = self.scene.objects.shapes[object.index()].size;
                    let is_all =
                        spot == 0 && matches!(count.kind, ExprKind::Const(it) if it >= size);
                    let used = &mut self.objects[object.index()];
                    used.is_written = true;
                    used.is_bytes |= !is_all;
                }
            }
        }
    }

    fn callees(&self, id: FunctionId, callee: &recurva_cir::Callee) -> Vec<FunctionId> {
        match callee {
            recurva_cir::Callee::Function(function) => vec![*function],
            recurva_cir::Callee::Pointer(pointer) => {
                let targets = self.scene.targets(id, pointer).into_iter();
                let function = |(object, _): Target| match self.scene.objects.what[object.index()] {
                    What::Function(function) => Some(function),
                    _ => None,
                };
                targets.filter_map(function).collect()
            }
        }
    }

    fn arguments(&mut self, id: FunctionId, callee: &recurva_cir::Callee, passed: &[Argument]) {
        for (index, argument) in passed.iter().enumerate() {
            let place = match argument {
                Argument::Value(expr) => {
                    self.expr(id, expr);
                    continue;
                }
                Argument::Record(place) => place,
            };
            self.place(id, place);
            let from = self.scene.places(id, place);
            let parameters = self.callees(id, callee).into_iter().filter_map(|function| {
                let count = self.scene.module.function(function).parameters;
                let local = recurva_cir::LocalId(index as u32);
                (local.0 < count).then(|| (self.scene.objects.local(function, local), 0))
            });
            let to = parameters.collect();
            let size = Some(self.types().size(place.ty));
            self.copies.push(Copied { to, from, size });
        }
    }

    fn result(&mut self, id: FunctionId, callee: &recurva_cir::Callee, result: &Place) {
        self.written(id, result);
        if self.types().scalar(result.ty).is_some() {
            return;
        }
        let to = self.scene.places(id, result);
        let locals = self.callees(id, callee).into_iter().filter_map(|function| {
            let local = self.scene.module.function(function).result?;
            Some((self.scene.objects.local(function, local), 0))
        });
        let from = locals.collect();
        let size = Some(self.types().size(result.ty));
        self.copies.push(Copied { to, from, size });
    }

    fn copy(&mut self, id: FunctionId, to: &Place, from: &Place) {
        self.written(id, to);
        self.place(id, from);
        let size = Some(self.types().size(to.ty));
        let (to, from) = (self.scene.places(id, to), self.scene.places(id, from));
        self.copies.push(Copied { to, from, size });
    }

    /// A place is written; a scalar one as a whole.
    fn written(&mut self, id: FunctionId, place: &Place) {
        self.place(id, place);
        let is_scalar = self.types().scalar(place.ty).is_some();
        for target in self.scene.places(id, place) {
            self.objects[target.0.index()].is_written = true;
            if is_scalar {
                self.touch(target, place.ty, place.bits);
            }
        }
    }

    /// What it takes to know where a place is.
    fn place(&mut self, id: FunctionId, place: &Place) {
        if let Base::Deref(pointer, _) = &place.base {
            self.expr(id, pointer);
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.expr(id, index);
            }
        }
    }

    fn expr(&mut self, id: FunctionId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Float(_) => {}
            ExprKind::Function(function) => {
                let object = self.scene.objects.function(*function);
                self.objects[object.index()].is_addressed = true;
            }
            ExprKind::Load(place) => {
                self.place(id, place);
                for target in self.scene.places(id, place) {
                    self.touch(target, place.ty, place.bits);
                }
            }
            ExprKind::Address(place) => {
                self.place(id, place);
                if let Base::Var(var) = place.base {
                    let object = self.scene.objects.variable(id, var);
                    self.objects[object.index()].is_addressed = true;
                }
            }
            ExprKind::IsInitialised(place) => self.place(id, place),
            // What a predicate asks of a variable can be told without its address.
            ExprKind::IsValid(inner, _) | ExprKind::IsAlive(inner) => self.asked(id, inner),
            ExprKind::Unary(_, inner)
            | ExprKind::Convert(inner)
            | ExprKind::OutOfRange(inner, _)
            | ExprKind::IsFreeable(inner)
            | ExprKind::IsFunction(inner) => self.expr(id, inner),
            ExprKind::Binary(_, left, right)
            | ExprKind::Overflows(_, left, right)
            | ExprKind::Distance { left, right, .. } => {
                self.expr(id, left);
                self.expr(id, right);
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.expr(id, pointer);
                self.expr(id, index);
            }
            ExprKind::If(condition, left, right) => {
                self.expr(id, condition);
                self.expr(id, left);
                self.expr(id, right);
            }
        }
    }

    /// A pointer that a predicate asks about.
    fn asked(&mut self, id: FunctionId, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::Offset { pointer, index, .. } => {
                self.asked(id, pointer);
                self.expr(id, index);
            }
            ExprKind::Address(place) if matches!(place.base, Base::Var(_)) => self.place(id, place),
            _ => self.expr(id, pointer),
        }
    }

    /// A scalar of that type is read or written at a spot.
    fn touch(&mut self, target: Target, ty: TypeId, bits: Option<Bits>) {
        let types = &self.scene.module.types;
        let Some(all) = scalar_bits(types, ty) else {
            return;
        };
        let (object, spot) = target;
        let shape = &self.scene.objects.shapes[object.index()];
        let kind = match (types.get(ty), types.scalar(ty)) {
            (Type::Bool, _) if bits.is_none() => Kind::Truth,
            (_, Some(Scalar::Pointer)) => Kind::Pointer,
            (_, Some(Scalar::Int(int))) if int.is_signed => Kind::Signed,
            _ => Kind::Unsigned,
        };
        let used = &mut self.objects[object.index()];
        if spot == ANYWHERE {
            anywhere(types, shape, used, all, kind);
            return;
        }
        let (start, width) = match bits {
            None => (0, all),
            Some(bits) => (u64::from(bits.start), bits.width),
        };
        let position = shape.spot(types, spot);
        let room = position.dims.last().map_or(shape.size, |dim| dim.stride);
        let fits = start + u64::from(width) <= room * 8 && shape.ty.is_some();
        add_part(used, position.offset * 8 + start, width, kind, fits);
    }

    /// Addresses in the initial values of globals.
    fn initial_addresses(&mut self) {
        let module: &Module = self.scene.module;
        for value in module.globals.iter().flat_map(|global| &global.addresses) {
            let object = match value.1 {
                InitialValue::Global(global, _) => self.scene.objects.global(global),
                InitialValue::Function(function) => self.scene.objects.function(function),
            };
            self.objects[object.index()].is_addressed = true;
        }
    }

    /// What is copied has the same parts at both ends; parts that overlap are bytes.
    fn settle(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let copies = std::mem::take(&mut self.copies);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for copied in &copies {
                for &to in &copied.to {
                    for &from in &copied.from {
                        patience.step()?;
                        is_changed |= self.share(to, from, copied.size);
                        is_changed |= self.share(from, to, copied.size);
                    }
                }
            }
        }
        for used in &mut self.objects {
            let ends = used
                .parts
                .iter()
                .map(|(&start, &(width, _))| start + u64::from(width));
            let overlap = ends
                .zip(used.parts.keys().skip(1))
                .any(|(end, &next)| end > next);
            used.is_bytes |= overlap;
        }
        Ok(())
    }

    /// The parts behind one spot come to another. Whether there were new ones.
    fn share(&mut self, from: Target, to: Target, size: Option<u64>) -> bool {
        if from == to {
            return false;
        }
        let types = &self.scene.module.types;
        let end = match size {
            _ if from.1 == ANYWHERE || to.1 == ANYWHERE => return self.bytes(from, to),
            None => return self.bytes(from, to),
            Some(size) => from.1 + size,
        };
        let parts: Vec<_> = self.objects[from.0.index()]
            .parts
            .range(from.1 * 8..end * 8)
            .map(|(&start, &part)| (start - from.1 * 8, part))
            .collect();
        let shape = &self.scene.objects.shapes[to.0.index()];
        let used = &mut self.objects[to.0.index()];
        let before = (used.parts.len(), used.is_bytes);
        for (start, (width, kind)) in parts {
            let start = to.1 * 8 + start;
            let fits = start + u64::from(width) <= shape.size * 8 && shape.ty.is_some();
            let spot = shape.spot(types, start / 8).offset;
            add_part(used, spot * 8 + start % 8, width, kind, fits);
        }
        before != (used.parts.len(), used.is_bytes)
    }

    fn bytes(&mut self, from: Target, to: Target) -> bool {
        let mut is_changed = false;
        for (object, _) in [from, to] {
            let used = &mut self.objects[object.index()];
            is_changed |= !std::mem::replace(&mut used.is_bytes, true);
        }
        is_changed
    }
}

/// Something with so many bits is used that may be anywhere in an object.
fn anywhere(types: &Types, shape: &Shape, used: &mut ObjectUse, width: u32, kind: Kind) {
    let Some(ty) = shape.ty.filter(|&ty| !has_union(types, ty)) else {
        used.is_bytes = true;
        return;
    };
    let (mut found, mut others) = (false, false);
    for scalar in scalars(types, ty) {
        others |= scalar.width != width;
        if scalar.width == width {
            found = true;
            add_part(used, scalar.start, width, kind, true);
        }
    }
    // Who goes through an object byte by byte looks at bytes of everything in it.
    used.is_bytes |= !found || width == 8 && others;
}

fn has_union(types: &Types, ty: TypeId) -> bool {
    let mut work = vec![ty];
    while let Some(at) = work.pop() {
        match *types.get(at) {
            Type::Array(element, _) => work.push(element),
            Type::Record(record) => {
                let record = types.record(record);
                if record.is_union {
                    return true;
                }
                work.extend(record.fields.iter().map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

fn add_part(used: &mut ObjectUse, start: u64, width: u32, kind: Kind, fits: bool) {
    used.is_bytes |= !fits;
    let known = used.parts.entry(start).or_insert((width, kind));
    if known.0 != width {
        used.is_bytes = true;
    } else if known.1 != kind {
        known.1 = match (known.1, kind) {
            (Kind::Signed | Kind::Unsigned, Kind::Signed | Kind::Unsigned) => Kind::Signed,
            _ => Kind::Unsigned,
        };
    }
}
