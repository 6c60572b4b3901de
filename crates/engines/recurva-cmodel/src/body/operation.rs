//! What edges do.

use recurva_cir::{
    Check, Edge, ErrorKind, Expr, Operation, Place as CPlace, Scalar, Type, Unknown,
};
use recurva_model::{NodeId, Place, Point};

use super::{
    Body, Write, bounds,
    cell::Cell,
    initialised::Given,
    memory::{Access, flat_index},
    place::Spot,
};
use crate::{
    Failed, Failure, LimitReason, NoteKind,
    cases::Cases,
    layout::Dim,
    lowered::{Chosen, ChosenPart},
    plan::Form,
    uses::Kind,
    value::Value,
};

/// One value in part of an object.
pub(super) struct Within {
    /// How many bits behind the start of the part.
    pub(super) start: u64,
    pub(super) width: u32,
    pub(super) kind: Kind,
    pub(super) cell: Cell,
}

impl Body<'_, '_> {
    /// Lowers one edge.
    pub(crate) fn lower_edge(&mut self, index: usize, edge: &Edge) {
        self.origin = edge.origin;
        self.edge = Some(index as u32);
        self.cursor = NodeId(edge.from.0);
        self.choices = 0;
        self.free_temporaries();
        self.checked = self.checks_before(edge.from);
        let to = NodeId(edge.to.0);
        match &edge.operation {
            Operation::Skip => self.step(to, Value::truth(), Vec::new()),
            Operation::Assume(condition) => self.assume(to, condition),
            Operation::Check(check, condition) => self.check(to, *check, condition),
            Operation::Error(kind) => self.error(kind),
            Operation::Assign(place, value) => {
                let value = self.evaluate_few(value);
                self.assign(to, place, &value);
            }
            Operation::Copy(target, source) => self.copy(to, target, source),
            Operation::Zero(place) => self.zero(to, place),
            Operation::Havoc(place, why) => self.havoc(to, place, why),
            Operation::Call {
                callee,
                arguments,
                result,
            } => self.call(to, callee, arguments, result.as_ref()),
            Operation::Allocate {
                result,
                size,
                storage,
                is_zeroed,
            } => self.allocate(to, result, size, *storage, *is_zeroed),
            Operation::Free(pointer) => self.free(to, pointer),
            Operation::CopyBytes {
                to: target,
                from,
                count,
            } => self.copy_bytes(to, target, from, count),
            Operation::FillBytes {
                to: target,
                value,
                count,
            } => self.fill_bytes(to, target, value, count),
            Operation::VaStart(_) | Operation::VaArg { .. } | Operation::VaCopy { .. } => {
                self.limit(Value::truth(), LimitReason::Variadic);
            }
            Operation::Exit(_) => self.leave(),
            Operation::Abort => {}
            Operation::Unsupported(what) => {
                self.limit(Value::truth(), LimitReason::Unsupported(what.clone()));
            }
        }
    }

    /// The checks that every run has just passed when it comes to a node.
    fn checks_before(&self, node: recurva_cir::NodeId) -> Vec<Expr> {
        let function = self.scene().module.function(self.function);
        let mut checks = Vec::new();
        let mut at = node;
        for _ in 0..16 {
            let [edge] = self.lowering.incoming[at.0 as usize][..] else {
                break;
            };
            let edge = &function.edges[edge as usize];
            match &edge.operation {
                Operation::Check(check, condition) => {
                    if bounds(*check) {
                        checks.push(condition.clone());
                    }
                }
                Operation::Skip => {}
                _ => break,
            }
            at = edge.from;
        }
        checks
    }

    fn assume(&mut self, to: NodeId, condition: &Expr) {
        let cases = self.evaluate(condition);
        for (guard, value) in self.without_limits(cases) {
            self.step(to, guard.and(value), Vec::new());
        }
    }

    fn check(&mut self, to: NodeId, check: Check, condition: &Expr) {
        let is_wanted = self.lowering.wanted.has(check);
        if check == Check::Uninitialised && !is_wanted {
            return self.step(to, Value::truth(), Vec::new());
        }
        let cases = self.evaluate(condition);
        let mut failed = Value::boolean(false);
        for (guard, value) in self.without_limits(cases) {
            self.step(to, guard.clone().and(value.clone()), Vec::new());
            failed = failed.or(guard.and(value.not()));
        }
        if is_wanted && !failed.is_false() {
            let node = self.failure(Failure::Check(check));
            self.step(node, failed, Vec::new());
        }
    }

    /// A node that is an error.
    pub(super) fn failure(&mut self, kind: Failure) -> NodeId {
        let node = self.node();
        self.lowering.errors.push(Failed {
            point: Point {
                procedure: self.procedure,
                node,
            },
            kind,
            origin: self.origin,
        });
        node
    }

    fn error(&mut self, kind: &ErrorKind) {
        if self.lowering.wanted.errors {
            let node = self.failure(Failure::Error(kind.clone()));
            self.step(node, Value::truth(), Vec::new());
        }
    }

    /// The program ends here.
    pub(crate) fn leave(&mut self) {
        if !self.lowering.wanted.has(Check::Leak) {
            return;
        }
        let leaking = self.is_leaking();
        if !leaking.is_false() {
            let node = self.failure(Failure::Check(Check::Leak));
            self.step(node, leaking, Vec::new());
        }
    }

    /// Gives a scalar place a value.
    pub(super) fn assign(&mut self, to: NodeId, place: &CPlace, value: &Cases<Value>) {
        let Some(access) = self.access(place.ty, place.bits) else {
            return self.limit(Value::truth(), LimitReason::Variadic);
        };
        let spots = self.resolve(place);
        let writes = spots
            .with(value)
            .then(|(spot, value)| Cases::always(self.store(&spot, access, value)));
        for (guard, writes) in self.without_limits(writes) {
            self.step(to, guard, writes);
        }
    }

    fn havoc(&mut self, to: NodeId, place: &CPlace, why: &Unknown) {
        let size = self.scene().module.types.size(place.ty);
        let spots = self.resolve(place);
        if *self.scene().module.types.get(place.ty) == Type::VaList {
            return self.step(to, Value::truth(), Vec::new());
        }
        for (guard, spot) in self.without_limits(spots) {
            self.choices = 0;
            match self.any_at(&spot, place, size, *why == Unknown::Uninitialised) {
                Ok((writes, parts)) => {
                    let chosen = Chosen {
                        is_allocation: false,
                        size,
                        parts,
                    };
                    let writes = self.with_flags(writes, &Given::by(why));
                    self.plain_step(to, guard, writes, vec![chosen]);
                }
                Err(reason) => self.limit(guard, reason),
            }
        }
    }

    pub(super) fn any_at(
        &mut self,
        spot: &Spot,
        place: &CPlace,
        size: u64,
        is_uninitialised: bool,
    ) -> Result<(Vec<Write>, Vec<ChosenPart>), LimitReason> {
        let (mut writes, mut parts) = (Vec::new(), Vec::new());
        if let Some(access) = self.access(place.ty, place.bits) {
            let is_pointer = access.scalar == Scalar::Pointer;
            let is_truth = *self.scene().module.types.get(place.ty) == Type::Bool;
            let mut ty = recurva_model::Type::unsigned(access.width as u8);
            if is_truth {
                ty = recurva_model::Type::unsigned(1);
            }
            if is_pointer && !is_uninitialised {
                self.note(NoteKind::UnknownPointer);
            }
            let kept = match is_pointer {
                true => self.lowering.plan.pointer,
                false => ty,
            };
            // What nobody looks at is not kept.
            if !self.is_kept(spot, access) {
                return Ok((writes, parts));
            }
            if let Some(cell_type) = self.cell_type(spot, access)
                && !is_pointer
                && !is_truth
            {
                ty = cell_type;
            } else if is_pointer {
                ty = kept;
            }
            let (value, which, width) = self.any_of(ty, is_pointer);
            parts.push(ChosenPart {
                which,
                start: 0,
                width,
                table: None,
            });
            writes = self.store(spot, access, value)?;
            return Ok((writes, parts));
        }
        for within in self.within(spot, size)? {
            let is_pointer = within.kind == Kind::Pointer;
            let (value, which, width) = self.any_of(within.cell.ty, is_pointer);
            parts.push(ChosenPart {
                which,
                start: within.start,
                width: width.min(within.width),
                table: None,
            });
            writes.push(within.cell.write(value));
        }
        Ok((writes, parts))
    }

    /// The type in which some bits are kept as they are.
    fn cell_type(&self, spot: &Spot, access: Access) -> Option<recurva_model::Type> {
        let planned = self.lowering.plan.object(spot.object);
        let start = spot.offset * 8 + access.start;
        if planned.form != Form::Parts {
            return None;
        }
        let leaf = planned.leaves.iter().find(|leaf| leaf.start == start)?;
        (leaf.width == access.width && u32::from(leaf.ty.bits()) == leaf.width).then_some(leaf.ty)
    }

    /// Whether somebody looks at some bits.
    fn is_kept(&self, spot: &Spot, access: Access) -> bool {
        let planned = self.lowering.plan.object(spot.object);
        let start = spot.offset * 8 + access.start;
        planned.form != Form::Parts || planned.leaves.iter().any(|leaf| leaf.start == start)
    }

    fn zero(&mut self, to: NodeId, place: &CPlace) {
        let size = self.scene().module.types.size(place.ty);
        let spots = self.resolve(place);
        for (guard, spot) in self.without_limits(spots) {
            match self.within(&spot, size) {
                Ok(all) => {
                    let zero = |it: Within| {
                        let ty = it.cell.ty;
                        it.cell.write(Value::constant(0, ty))
                    };
                    let writes = all.into_iter().map(zero).collect();
                    self.step(to, guard, writes);
                }
                Err(reason) => self.limit(guard, reason),
            }
        }
    }

    fn copy(&mut self, to: NodeId, target: &CPlace, source: &CPlace) {
        let size = self.scene().module.types.size(target.ty);
        let (targets, sources) = (self.resolve(target), self.resolve(source));
        let pairs = targets.with(&sources);
        for (guard, (target, source)) in self.without_limits(pairs) {
            self.copy_spots(to, &guard, &target, &source, size);
        }
    }

    /// Copies so many bytes in one step.
    pub(super) fn copy_spots(
        &mut self,
        to: NodeId,
        guard: &Value,
        target: &Spot,
        source: &Spot,
        size: u64,
    ) {
        let all = match self.within(target, size) {
            Ok(all) => all,
            Err(reason) => return self.limit(guard.clone(), reason),
        };
        if self.lowering.plan.object(target.object).is_constant {
            return self.limit(guard.clone(), LimitReason::Constant);
        }
        let mut writes = Cases::one(Vec::new());
        let mut given = Vec::new();
        for within in all {
            let access = within_access(&within);
            let from = self.behind(source, within.start / 8);
            let value = self.load(
                &from,
                Access {
                    start: within.start % 8,
                    ..access
                },
            );
            if self.lowering.follows_values() {
                let start = within.start % 8;
                let flag = self.is_given(&from, Access { start, ..access });
                given.push(flag.unwrap_or_else(|_| Value::truth()));
            }
            let (cell, ty) = (within.cell.clone(), within.cell.ty);
            writes = writes
                .with(&value)
                .map(|(mut writes, value): (Vec<Write>, Value)| {
                    writes.push(cell.clone().write(value.convert(ty)));
                    writes
                });
        }
        let given = Given::Each(given);
        for (inner, writes) in self.without_limits(writes.under(guard)) {
            let writes = self.with_flags(writes, &given);
            self.plain_step(to, inner, writes, Vec::new());
        }
    }

    /// A spot so many bytes further on in the same part.
    pub(super) fn behind(&self, spot: &Spot, bytes: u64) -> Spot {
        let planned = self.lowering.plan.object(spot.object);
        if planned.form != Form::Parts {
            return Spot {
                offset: spot.offset + bytes,
                ..spot.clone()
            };
        }
        let types = &self.scene().module.types;
        let (position, indices) = planned
            .shape
            .locate(types, spot.offset + bytes, |_, _| false);
        let mut moved = spot.clone();
        moved.offset = position.offset;
        for (number, dim) in position.dims.iter().enumerate() {
            if number >= moved.indices.len() {
                let index = Value::constant(indices[number], super::place::BYTES);
                moved.indices.push((*dim, index));
            }
        }
        moved
    }

    /// All values that are kept of so many bytes behind a spot.
    pub(super) fn within(&mut self, spot: &Spot, size: u64) -> Result<Vec<Within>, LimitReason> {
        let planned = self.lowering.plan.object(spot.object).clone();
        match planned.form {
            Form::Nothing => {
                return Err(LimitReason::Elements(self.lowering.options.elements));
            }
            Form::Bytes => {
                let bytes = size.min(planned.shape.size);
                let within = |number: u64| Within {
                    start: number * 8,
                    width: 8,
                    kind: Kind::Unsigned,
                    cell: self.byte(spot, number),
                };
                return Ok((0..bytes).map(within).collect());
            }
            Form::Parts => {}
        }
        let range = spot.offset * 8..(spot.offset + size) * 8;
        let mut all = Vec::new();
        for (number, leaf) in planned.leaves.iter().enumerate() {
            if !range.contains(&leaf.start) {
                continue;
            }
            let outer = spot.indices.len();
            let is_inside = leaf.dims.len() >= outer
                && (leaf.dims.iter().zip(&spot.indices)).all(|(dim, (known, _))| dim == known);
            if !is_inside {
                return Err(LimitReason::Pointer);
            }
            let inner = &leaf.dims[outer..];
            let count: u64 = inner.iter().map(|dim| dim.count).product();
            for element in 0..count {
                let (mut indices, mut bytes) = (Vec::new(), 0);
                let mut rest = element;
                for dim in inner.iter().rev() {
                    let index = rest % dim.count;
                    indices.push((*dim, Value::constant(index, super::place::BYTES)));
                    bytes += index * dim.stride;
                    rest /= dim.count;
                }
                let start = leaf.start - range.start + bytes * 8;
                if start + u64::from(leaf.width) > size * 8 {
                    // Of an array only the first elements are meant.
                    continue;
                }
                indices.reverse();
                let mut path: Vec<(Dim, Value)> = spot.indices.clone();
                path.extend(indices);
                let cell = self.cell(spot.object, number, flat_index(&path), spot.slot.as_ref());
                all.push(Within {
                    start,
                    width: leaf.width,
                    kind: leaf.kind,
                    cell,
                });
            }
        }
        Ok(all)
    }
}

/// How a value that is kept somewhere is read elsewhere.
pub(super) fn within_access(within: &Within) -> Access {
    let scalar = match within.kind {
        Kind::Pointer => Scalar::Pointer,
        Kind::Signed => Scalar::Int(recurva_cir::Int {
            bits: within.width as u8,
            is_signed: true,
        }),
        Kind::Unsigned | Kind::Truth => Scalar::Int(recurva_cir::Int {
            bits: within.width as u8,
            is_signed: false,
        }),
    };
    Access {
        start: within.start,
        width: within.width,
        scalar,
    }
}

/// A place of the model for a scalar variable.
pub(super) fn scalar(variable: recurva_model::VarRef) -> Place {
    Place::Scalar(variable)
}
