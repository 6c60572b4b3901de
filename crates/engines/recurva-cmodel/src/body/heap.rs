//! Objects that are made and freed while the program runs.

use recurva_cir::{Expr, Place as CPlace, Storage};
use recurva_model::{Binary, NodeId, Place, Type, VarRef, Variable};

use super::{Body, Write, cell::Cell, initialised::Given};
use crate::{
    LimitReason, NoteKind,
    lowered::{Chosen, ChosenPart},
    objects::ObjectId,
    plan::Form,
    value::Value,
};

/// So many values of an object are set when it is made, or forgotten when it is freed.
const FEW: u64 = 256;

impl Body<'_, '_> {
    /// For a recursive function: which slots of a site this frame has allocated.
    pub(super) fn own_flags(&mut self, site: ObjectId) -> Option<VarRef> {
        if !self.lowering.graph.is_recursive(self.function) {
            return None;
        }
        if let Some(&flags) = self.slots.get(&site) {
            return Some(flags);
        }
        let slots = self.lowering.plan.object(site).slots;
        let flags = VarRef::Local(self.locals.len() as u32);
        let variable = match slots {
            1 => Variable::scalar("$mine", Type::Bool),
            _ => Variable::array("$mine", Type::Bool, slots),
        };
        self.locals.push(Variable {
            hidden: true,
            ..variable
        });
        self.slots.insert(site, flags);
        Some(flags)
    }

    pub(super) fn allocate(
        &mut self,
        to: NodeId,
        result: &CPlace,
        size: &Expr,
        storage: Storage,
        is_zeroed: bool,
    ) {
        let site = self
            .scene()
            .objects
            .site(self.function, self.edge.unwrap_or(0));
        let size = self.evaluate_one(size);
        let most = self.lowering.plan.object(site).shape.size;
        if self.lowering.plan.object(site).has_size {
            let ty = size.ty();
            let wide = Type::unsigned(ty.bits());
            let size = size.clone().convert(wide);
            let large = size.binary(Binary::Greater, Value::constant(most, wide));
            self.limit(large.clone(), LimitReason::Bytes(most));
            let next = self.node();
            self.step(next, large.not(), Vec::new());
            self.cursor = next;
        }
        if self.lowering.plan.object(site).form == Form::Nothing {
            self.limit(
                Value::truth(),
                LimitReason::Elements(self.lowering.options.elements),
            );
            return;
        }
        let planned = self.lowering.plan.object(site).clone();
        let alive = self.lowering.alive_flags(site);
        let taken = match planned.is_reused {
            true => alive,
            false => self.lowering.taken_flags(site),
        };
        if planned.is_reused {
            self.note(NoteKind::Reused);
        }
        let mine = match storage {
            Storage::Stack => self.own_flags(site),
            Storage::Heap => None,
        };
        let pointer = self.lowering.plan.pointer;
        let made = self.temporary(pointer);
        let next = self.node();
        let mut full = Value::truth();
        for number in 0..planned.slots {
            let index = Value::constant(u64::from(number), Type::unsigned(32));
            let flag = |variable: VarRef, ty: Type| Cell {
                variable,
                ty,
                index: (planned.slots > 1).then(|| index.clone()),
            };
            let is_taken = flag(taken, Type::Bool).read();
            let guard = full.clone().and(is_taken.clone().not());
            full = full.and(is_taken);
            let address = planned.base.unwrap_or(0) + planned.stride * u64::from(number);
            let mut writes = vec![(Place::Scalar(made), Value::constant(address, pointer))];
            for variable in [Some(alive), Some(taken).filter(|it| *it != alive), mine] {
                writes.extend(variable.map(|it| flag(it, Type::Bool).write(Value::truth())));
            }
            if planned.has_size {
                let (variable, ty) = self.lowering.size_of(site);
                writes.push(flag(variable, ty).write(size.clone().convert(ty)));
            }
            self.choices = 0;
            let (contents, parts) = self.contents(site, &index, is_zeroed);
            match is_zeroed {
                true => writes.extend(self.with_flags(contents, &Given::Yes)),
                false => {
                    writes.extend(contents);
                    writes.extend(self.new_flags(site, &index));
                }
            }
            let chosen = match is_zeroed {
                true => Vec::new(),
                false => vec![Chosen {
                    is_allocation: true,
                    size: planned.shape.size,
                    parts,
                }],
            };
            self.plain_step(next, guard, writes, chosen);
        }
        self.limit(full, LimitReason::Objects(planned.slots));
        self.cursor = next;
        let value = Value::read(made, pointer);
        self.assign(to, result, &crate::cases::Cases::one(value));
    }

    /// What is in a new object.
    fn contents(
        &mut self,
        site: ObjectId,
        slot: &Value,
        is_zeroed: bool,
    ) -> (Vec<Write>, Vec<ChosenPart>) {
        let (mut writes, mut parts) = (Vec::new(), Vec::new());
        let pieces = self.lowering.pieces(site);
        if !is_zeroed && pieces.len() as u64 > FEW {
            return (writes, parts);
        }
        for piece in pieces {
            let element = Value::constant(piece.element, Type::unsigned(32));
            let cell = self.cell(site, piece.leaf, element, Some(slot));
            let value = match is_zeroed {
                true => Value::constant(0, piece.ty),
                false => {
                    let leaf = &self.lowering.plan.object(site).leaves[piece.leaf];
                    let (start, width) = (leaf.start_of(piece.element), leaf.width);
                    let is_pointer = leaf.kind == crate::uses::Kind::Pointer;
                    let (value, which, bits) = self.any_of(piece.ty, is_pointer);
                    parts.push(ChosenPart {
                        which,
                        start,
                        width: width.min(bits),
                        table: None,
                    });
                    value
                }
            };
            writes.push(cell.write(value));
        }
        (writes, parts)
    }

    /// Any value to be kept as that type. A pointer that nobody knows is null or no address.
    pub(super) fn any_of(&mut self, ty: Type, is_pointer: bool) -> (Value, u32, u32) {
        let which = self.choices;
        match is_pointer {
            true => {
                let few = Type::unsigned(2);
                (self.any(few).convert(ty), which, 2)
            }
            false => (self.any(ty), which, u32::from(ty.bits())),
        }
    }

    pub(super) fn free(&mut self, to: NodeId, pointer: &Expr) {
        let objects = self.heap_objects(pointer);
        let value = self.evaluate_one(pointer);
        let null = value.clone().equal(Value::constant(0, value.ty()));
        let mut other = null.clone().not();
        self.step(to, null, Vec::new());
        for object in objects {
            let planned = self.lowering.plan.object(object).clone();
            let guard = self
                .is_start(object, &value)
                .and(self.is_alive(object, &value));
            other = other.and(guard.clone().not());
            let alive = self.lowering.alive_flags(object);
            let base = Value::constant(planned.base.unwrap_or(0), value.ty());
            let (slot, ..) = self.slot_at(&planned, value.clone().subtract(base));
            let flag = Cell {
                variable: alive,
                ty: Type::Bool,
                index: slot.clone().filter(|_| planned.slots > 1),
            };
            let mut writes = vec![flag.write(Value::boolean(false))];
            // What was in it does not matter any more.
            self.choices = 0;
            let pieces = self.lowering.pieces(object);
            if pieces.len() as u64 <= FEW {
                for piece in pieces {
                    let element = Value::constant(piece.element, Type::unsigned(32));
                    let cell = self.cell(object, piece.leaf, element, slot.as_ref());
                    let any = self.any(piece.ty);
                    writes.push(cell.write(any));
                }
            }
            self.step(to, guard, writes);
        }
        self.limit(other, LimitReason::Pointer);
    }

    /// Whether something on the heap is alive.
    pub(super) fn is_leaking(&mut self) -> Value {
        let mut any = Value::boolean(false);
        let sites: Vec<ObjectId> = self
            .scene()
            .objects
            .ids()
            .filter(|object| {
                let what = self.scene().objects.what[object.index()];
                matches!(what, crate::objects::What::Site(function, _, Storage::Heap)
                    if self.scene().points_to.reachable[function.0 as usize])
            })
            .collect();
        for site in sites {
            let slots = self.lowering.plan.object(site).slots;
            let alive = self.lowering.alive_flags(site);
            for number in 0..slots {
                let index = Value::constant(u64::from(number), Type::unsigned(32));
                let flag = Cell {
                    variable: alive,
                    ty: Type::Bool,
                    index: (slots > 1).then_some(index),
                };
                any = any.or(flag.read());
            }
        }
        any
    }
}
