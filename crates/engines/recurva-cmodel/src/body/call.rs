//! Calls.

use recurva_cir::{Argument, Callee, FunctionId, Place as CPlace};
use recurva_model::{Action, NodeId, VarRef};

use super::{
    Body,
    frame::Piece,
    memory::Access,
    operation::{scalar, within_access},
    place::Spot,
};
use crate::{
    Failure, LimitReason, NoteKind, cases::Cases, lowered::Chosen, objects::What, value::Value,
};

impl Body<'_, '_> {
    pub(super) fn call(
        &mut self,
        to: NodeId,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&CPlace>,
    ) {
        match callee {
            Callee::Function(function) => {
                self.call_function(to, *function, Value::truth(), arguments, result);
            }
            Callee::Pointer(pointer) => {
                let targets = self.scene().targets(self.function, pointer);
                let value = self.evaluate_one(pointer);
                let start = self.cursor;
                let mut other = Value::truth();
                for (object, _) in targets {
                    let What::Function(function) = self.scene().objects.what[object.index()] else {
                        continue;
                    };
                    let Some(base) = self.lowering.plan.object(object).base else {
                        continue;
                    };
                    let base = Value::constant(base, value.ty());
                    let guard = value.clone().equal(base);
                    other = other.and(guard.clone().not());
                    self.cursor = start;
                    self.call_function(to, function, guard, arguments, result);
                }
                self.cursor = start;
                self.limit(other, LimitReason::Pointer);
            }
        }
    }

    /// Calls one function, under a condition.
    fn call_function(
        &mut self,
        to: NodeId,
        function: FunctionId,
        guard: Value,
        arguments: &[Argument],
        result: Option<&CPlace>,
    ) {
        let declared = self.scene().module.function(function);
        let is_wanted = self.lowering.wanted.functions.contains(&declared.name);
        let Some(callee) = self.lowering.procedure(function) else {
            if is_wanted {
                let node = self.failure(Failure::Function(declared.name.clone()));
                return self.step(node, guard, Vec::new());
            }
            return self.call_unknown(to, guard, result);
        };
        let count = declared.parameters as usize;
        let is_fitting = match declared.is_variadic {
            true => arguments.len() >= count,
            false => arguments.len() == count,
        };
        if !is_fitting {
            return self.limit(guard, LimitReason::Arguments);
        }
        if self.passes_records(function) {
            return self.limit(guard, LimitReason::Initialised);
        }
        let guard = self.entered(guard, arguments);
        let signature = self.lowering.signature(function);
        let mut values = Vec::new();
        for (argument, pieces) in arguments.iter().zip(&signature.parameters) {
            match self.argument(argument, pieces) {
                Ok(passed) => values.extend(passed),
                Err(reason) => return self.limit(guard, reason),
            }
        }
        // Results go to variables of their own first, unless they belong to a plain variable.
        let direct = self.direct_result(&signature.results, result);
        let results: Vec<Option<VarRef>> = match (direct, result) {
            (Some(variable), _) => vec![Some(variable)],
            (None, None) => vec![None; signature.results.len()],
            (None, Some(_)) => signature
                .results
                .iter()
                .map(|piece| Some(self.temporary(piece.ty)))
                .collect(),
        };
        let is_stored = direct.is_none() && result.is_some() && !results.is_empty();
        let back = if is_stored { self.node() } else { to };
        let action = Action::Call {
            callee,
            arguments: values.into_iter().map(Value::into_expr).collect(),
            results: results.clone(),
        };
        self.push_edge(back, guard, action, Vec::new());
        if let (true, Some(place)) = (is_stored, result) {
            self.cursor = back;
            self.checked.clear();
            self.store_results(to, place, &signature.results, &results);
        }
    }

    /// If arguments take steps of their own, the condition is tested before.
    fn entered(&mut self, guard: Value, arguments: &[Argument]) -> Value {
        let is_simple = |argument: &Argument| match argument {
            Argument::Value(expr) => !has_pointers(expr),
            Argument::Record(_) => false,
        };
        if guard.is_true() || arguments.iter().all(is_simple) {
            return guard;
        }
        let next = self.node();
        self.step(next, guard, Vec::new());
        self.cursor = next;
        Value::truth()
    }

    fn argument(
        &mut self,
        argument: &Argument,
        pieces: &[Piece],
    ) -> Result<Vec<Value>, LimitReason> {
        match argument {
            Argument::Value(expr) => {
                let value = self.evaluate_one(expr);
                match pieces {
                    [] => Ok(Vec::new()),
                    [piece] => {
                        let is_pointer = self.kept_as(piece.object, piece.leaf).1;
                        let cases = self.recast(value, piece.ty, is_pointer);
                        Ok(vec![self.settled(cases, piece.ty)])
                    }
                    // A scalar that the callee looks at byte by byte.
                    pieces => {
                        let spread = |piece: &Piece| {
                            let amount = Value::constant(
                                piece.element * 8,
                                recurva_model::Type::unsigned(7),
                            );
                            let wide = recurva_model::Type::unsigned(64);
                            value
                                .clone()
                                .convert(recurva_model::Type::unsigned(value.ty().bits()))
                                .convert(wide)
                                .binary(recurva_model::Binary::ShiftRight, amount)
                                .convert(piece.ty)
                        };
                        Ok(pieces.iter().map(spread).collect())
                    }
                }
            }
            Argument::Record(place) => {
                let spots = self.resolve(place);
                let mut values = Vec::new();
                let mut single = None;
                if let Some(spot) = spots.single() {
                    single = Some(spot.clone());
                }
                for piece in pieces {
                    let leaf = &self.lowering.plan.object(piece.object).leaves[piece.leaf];
                    let start = leaf.start_of(piece.element);
                    let access = access_of(leaf.kind, leaf.width, start);
                    let cases = match &single {
                        Some(spot) => self.load_behind(spot, access),
                        None => spots.clone().then(|spot| self.load_behind(&spot, access)),
                    };
                    let cases = cases.map(|value| value.convert(piece.ty));
                    values.push(self.settled(cases, piece.ty));
                }
                Ok(values)
            }
        }
    }

    /// Reads bits that may be anywhere behind a spot.
    fn load_behind(&mut self, spot: &Spot, access: Access) -> Cases<Value> {
        let moved = self.behind(spot, access.start / 8);
        let access = Access {
            start: access.start % 8,
            ..access
        };
        self.load(&moved, access)
    }

    /// The variable that a result goes to, if it is one that takes it as it is.
    fn direct_result(&mut self, pieces: &[Piece], result: Option<&CPlace>) -> Option<VarRef> {
        let ([piece], Some(place)) = (pieces, result) else {
            return None;
        };
        if self.lowering.follows_values() {
            return None;
        }
        let recurva_cir::Base::Var(_) = place.base else {
            return None;
        };
        if place.bits.is_some() || !place.path.is_empty() {
            return None;
        }
        self.access(place.ty, None)?;
        let spots = self.resolve(place);
        let spot = spots.single()?.clone();
        let planned = self.lowering.plan.object(spot.object);
        if planned.form != crate::plan::Form::Parts || planned.leaves.len() != 1 {
            return None;
        }
        let cell = self.cell(
            spot.object,
            0,
            Value::constant(0, super::place::BYTES),
            spot.slot.as_ref(),
        );
        (cell.index.is_none() && cell.ty == piece.ty).then_some(cell.variable)
    }

    fn store_results(
        &mut self,
        to: NodeId,
        place: &CPlace,
        pieces: &[Piece],
        results: &[Option<VarRef>],
    ) {
        let returned: Vec<(Piece, Value)> = pieces
            .iter()
            .zip(results)
            .filter_map(|(piece, result)| Some((*piece, Value::read((*result)?, piece.ty))))
            .collect();
        if let Some(access) = self.access(place.ty, place.bits) {
            let value = match &returned[..] {
                [(piece, value)]
                    if self.lowering.plan.object(piece.object).form == crate::plan::Form::Parts =>
                {
                    let repr = self.repr(access.scalar);
                    self.recast(
                        value.clone(),
                        repr,
                        access.scalar == recurva_cir::Scalar::Pointer,
                    )
                }
                all => {
                    let wide = recurva_model::Type::unsigned(64);
                    let mut sum = Value::constant(0, wide);
                    for (piece, value) in all {
                        let amount =
                            Value::constant(piece.element * 8, recurva_model::Type::unsigned(7));
                        let byte = value.clone().convert(wide);
                        sum = byte
                            .binary(recurva_model::Binary::ShiftLeft, amount)
                            .or(sum);
                    }
                    let repr = self.repr(access.scalar);
                    self.recast(sum, repr, access.scalar == recurva_cir::Scalar::Pointer)
                }
            };
            return self.assign(to, place, &value);
        }
        let size = self.scene().module.types.size(place.ty);
        let spots = self.resolve(place);
        for (guard, spot) in self.without_limits(spots) {
            let all = match self.within(&spot, size) {
                Ok(all) => all,
                Err(reason) => {
                    self.limit(guard, reason);
                    continue;
                }
            };
            let mut writes = Vec::new();
            let mut missing = false;
            for within in all {
                let found = returned.iter().find(|(piece, _)| {
                    let leaf = &self.lowering.plan.object(piece.object).leaves[piece.leaf];
                    leaf.start_of(piece.element) == within.start && leaf.width == within.width
                });
                match found {
                    Some((_, value)) => {
                        let ty = within.cell.ty;
                        writes.push(within.cell.write(value.clone().convert(ty)));
                    }
                    None => missing = true,
                }
            }
            match missing {
                true => self.limit(guard, LimitReason::Pointer),
                false => self.step(to, guard, writes),
            }
        }
    }

    /// Calls a function that nobody knows: its result has any value.
    fn call_unknown(&mut self, to: NodeId, guard: Value, result: Option<&CPlace>) {
        self.note(NoteKind::External);
        let Some(place) = result else {
            return self.step(to, guard, Vec::new());
        };
        let size = self.scene().module.types.size(place.ty);
        let spots = self.resolve(place).under(&guard);
        for (guard, spot) in self.without_limits(spots) {
            self.choices = 0;
            match self.any_at(&spot, place, size, false) {
                Ok((writes, parts)) => {
                    let chosen = Chosen {
                        is_allocation: false,
                        size,
                        parts,
                    };
                    self.choosing_step(to, guard, writes, vec![chosen]);
                }
                Err(reason) => self.limit(guard, reason),
            }
        }
    }

    /// What the procedure does with which runs begin: values for the entry's parameters, the call,
    /// and what is checked at the end.
    pub(crate) fn begin(&mut self) -> (NodeId, NodeId) {
        let entry = self.scene().module.entry;
        let declared = self.scene().module.function(entry);
        self.origin = declared.origin;
        let [start, ready, back, exit] = [0; 4].map(|_| self.node());
        let signature = self.lowering.signature(entry);
        let (mut writes, mut chosen, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        for (index, pieces) in signature.parameters.iter().enumerate() {
            let mut parts = Vec::new();
            for piece in pieces {
                let variable = self.temporary(piece.ty);
                let (_, is_pointer) = self.kept_as(piece.object, piece.leaf);
                if is_pointer {
                    self.note(NoteKind::UnknownPointer);
                }
                let (value, which, bits) = self.any_of(piece.ty, is_pointer);
                let leaf = &self.lowering.plan.object(piece.object).leaves[piece.leaf];
                parts.push(crate::lowered::ChosenPart {
                    which,
                    start: leaf.start_of(piece.element),
                    width: bits.min(leaf.width),
                    table: None,
                });
                writes.push((scalar(variable), value));
                arguments.push(Value::read(variable, piece.ty).into_expr());
            }
            chosen.push(Chosen {
                is_allocation: false,
                size: self.scene().module.types.size(declared.locals[index].ty),
                parts,
            });
        }
        self.cursor = start;
        self.choosing_step(ready, Value::truth(), writes, chosen);
        self.cursor = ready;
        if let Some(callee) = self.lowering.procedure(entry) {
            let results = vec![None; signature.results.len()];
            let action = Action::Call {
                callee,
                arguments,
                results,
            };
            self.push_edge(back, Value::truth(), action, Vec::new());
        }
        self.cursor = back;
        self.leave();
        self.step(exit, Value::truth(), Vec::new());
        (start, exit)
    }
}

fn access_of(kind: crate::uses::Kind, width: u32, start: u64) -> Access {
    let within = super::operation::Within {
        start,
        width,
        kind,
        cell: super::cell::Cell {
            variable: VarRef::Global(0),
            ty: recurva_model::Type::Bool,
            index: None,
        },
    };
    within_access(&within)
}

/// Whether an expression may have cases: it reads through pointers, or makes some.
fn has_pointers(expr: &recurva_cir::Expr) -> bool {
    super::any_within(expr, &mut |part| {
        matches!(
            part.kind,
            recurva_cir::ExprKind::Load(_)
                | recurva_cir::ExprKind::Offset { .. }
                | recurva_cir::ExprKind::If(..)
        )
    })
}
