//! Copying and filling bytes.

use recurva_cir::{Expr, Scalar};
use recurva_model::{Binary, NodeId, Type};

use super::{
    Body,
    place::{Spot, Wanted},
};
use crate::{LimitReason, plan::Form, value::Value};

impl Body<'_, '_> {
    /// The numbers of bytes that are possible: one, or each up to a bound, with its condition.
    fn counts(&mut self, count: &Expr) -> Vec<(Value, u64)> {
        let count = self.evaluate_one(count);
        if let Some(count) = count.as_const() {
            return vec![(Value::truth(), count)];
        }
        let ty = Type::unsigned(count.ty().bits());
        let count = count.convert(ty);
        let most = self.lowering.options.bytes;
        let large = (count.clone()).binary(Binary::Greater, Value::constant(most, ty));
        self.limit(large, LimitReason::Bytes(most));
        (0..=most)
            .map(|number| (count.clone().equal(Value::constant(number, ty)), number))
            .collect()
    }

    pub(super) fn copy_bytes(&mut self, to: NodeId, target: &Expr, from: &Expr, count: &Expr) {
        let target_value = self.plain(target);
        let source_value = self.plain(from);
        for (guard, count) in self.counts(count) {
            if count == 0 {
                self.step(to, guard, Vec::new());
                continue;
            }
            let start = self.cursor;
            let targets = self.pointees(&target_value, Wanted::Region(count));
            let sources = self.pointees(&source_value, Wanted::Region(count));
            let pairs = targets.with(&sources).under(&guard);
            for (guard, (target, source)) in self.without_limits(pairs) {
                let fits = self.covers(&target, count) && self.covers(&source, count);
                match fits {
                    true => self.copy_spots(to, &guard, &target, &source, count),
                    false => self.limit(guard, LimitReason::Pointer),
                }
            }
            self.cursor = start;
        }
    }

    pub(super) fn fill_bytes(&mut self, to: NodeId, target: &Expr, value: &Expr, count: &Expr) {
        let target = self.plain(target);
        let value = self.evaluate_one(value);
        for (guard, count) in self.counts(count) {
            if count == 0 {
                self.step(to, guard, Vec::new());
                continue;
            }
            let start = self.cursor;
            let targets = self.pointees(&target, Wanted::Region(count)).under(&guard);
            for (guard, spot) in self.without_limits(targets) {
                self.fill(to, guard, &spot, &value, count);
            }
            self.cursor = start;
        }
    }

    fn fill(&mut self, to: NodeId, guard: Value, spot: &Spot, value: &Value, count: u64) {
        if !self.covers(spot, count) || self.lowering.plan.object(spot.object).is_constant {
            return self.limit(guard, LimitReason::Pointer);
        }
        let all = match self.within(spot, count) {
            Ok(all) => all,
            Err(reason) => return self.limit(guard, reason),
        };
        let byte = value.clone().convert(Type::unsigned(8));
        let mut writes = Vec::new();
        for within in all {
            let ty = within.cell.ty;
            let is_byte = within.width == 8 && within.start % 8 == 0 && ty.bits() == 8;
            let filled = match byte.as_const() {
                Some(0) => Value::constant(0, ty),
                Some(byte) => Value::constant(byte.wrapping_mul(0x0101_0101_0101_0101), ty),
                None if is_byte => byte.clone().convert(ty),
                None => {
                    let wide = Type::unsigned(64);
                    let all = Value::constant(0x0101_0101_0101_0101, wide);
                    let spread = byte.clone().convert(wide).binary(Binary::Multiply, all);
                    spread.convert(ty)
                }
            };
            // A pointer made of bytes is no pointer, and a truth is one bit.
            let is_plain = byte.as_const() == Some(0)
                || u32::from(ty.bits()) == within.width && within.start % 8 == 0;
            if !is_plain {
                return self.limit(guard, LimitReason::Pointer);
            }
            writes.push(within.cell.write(filled));
        }
        self.step(to, guard, writes);
    }

    /// Whether so many bytes behind a spot are those of whole values in one object. Bytes that
    /// are not kept do not matter.
    fn covers(&self, spot: &Spot, count: u64) -> bool {
        let planned = self.lowering.plan.object(spot.object);
        if planned.form == Form::Bytes {
            return true;
        }
        let range = spot.offset * 8..(spot.offset + count) * 8;
        let depth = spot.indices.len();
        // From one element of an array on, only what is in that element can be told.
        let room = spot
            .indices
            .last()
            .map_or(planned.shape.size, |(dim, _)| dim.stride);
        let is_in_element = depth == 0 || count <= room;
        let is_whole = planned.leaves.iter().all(|leaf| {
            let elements = leaf.dims.get(depth..).unwrap_or(&[]);
            let length: u64 = elements
                .first()
                .map_or(u64::from(leaf.width), |dim| dim.count * dim.stride * 8);
            let end = leaf.start + length;
            let is_outside = end <= range.start || leaf.start >= range.end;
            let is_inside = leaf.start >= range.start && end <= range.end;
            let stride = elements.last().map_or(1, |dim| dim.stride);
            let cuts_elements = elements.len() == 1 && count.is_multiple_of(stride.max(1));
            is_outside || is_inside || cuts_elements && leaf.start >= range.start
        });
        is_in_element && is_whole && spot.offset + count <= planned.shape.size
    }

    /// A pointer whose value can be used again: in a variable if it takes steps to compute it.
    fn plain(&self, pointer: &Expr) -> Expr {
        match &pointer.kind {
            recurva_cir::ExprKind::Convert(inner) if inner.ty == Scalar::Pointer => {
                self.plain(inner)
            }
            _ => pointer.clone(),
        }
    }
}
