//! Calls.

use recurva_cir::{
    Argument, Callee, Check, Expr, ExprKind as Cir, FunctionId, Operation, Origin, Place, Scalar,
    TypeId, Unknown,
};
use recurva_ctype::typed::{ExprId, ExprKind, FunctionId as TypedFunction};

use super::Lower;
use crate::{Assumption, Externals, exprs, special::Special};

impl Lower<'_, '_, '_> {
    /// A call; its result goes to a plain place of the call's type.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        arguments: &[ExprId],
        into: Option<&Place>,
    ) {
        let origin = self.origin_of(id);
        let Some(function) = self.known_callee(callee) else {
            self.call_pointer(callee, arguments, into, origin);
            return;
        };
        if let Some(special) = self.special_of(function) {
            self.call_special(function, special, arguments, into, origin);
            return;
        }
        let arguments = self.arguments(arguments);
        match self.program.external_name(self.index, function) {
            Some(name) if self.program.options.externals == Externals::Unknown => {
                self.call_unknown(function, name, into, origin);
            }
            name => {
                let is_stop = name.is_some() && self.unit.function(function).is_noreturn;
                let number = self.program.function(self.index, function);
                self.call_function(number, arguments, into, origin);
                if is_stop {
                    self.graph.end(Operation::Abort, origin);
                }
            }
        }
    }

    /// The function that a callee is.
    fn known_callee(&self, callee: ExprId) -> Option<TypedFunction> {
        match self.unit.expr(callee).kind {
            ExprKind::Function(function) => Some(function),
            ExprKind::Address(inner) | ExprKind::Deref(inner) => self.known_callee(inner),
            _ => None,
        }
    }

    /// What a call of a function means if not just a call.
    fn special_of(&mut self, function: TypedFunction) -> Option<Special> {
        let options = self.program.options;
        let name = &self.unit.function(function).name;
        if let Some(special) = Special::always(name, options) {
            return Some(special);
        }
        let name = self.program.external_name(self.index, function)?;
        Special::of(&name, options)
    }

    fn call_special(
        &mut self,
        function: TypedFunction,
        special: Special,
        arguments: &[ExprId],
        into: Option<&Place>,
        origin: Origin,
    ) {
        let name = &self.unit.function(function).name;
        let first = arguments.first().copied();
        let text = match (special, first) {
            (Special::AssertFail, Some(first)) => self.literal(first).unwrap_or_default(),
            (Special::Assert, Some(first)) => {
                self.program.text(self.index, self.unit.expr(first).span)
            }
            _ => name.to_string(),
        };
        let arguments = self.arguments(arguments);
        self.special_call(&text, special, arguments, into.cloned(), origin);
    }

    /// The text of a string literal.
    fn literal(&self, id: ExprId) -> Option<String> {
        match self.unit.expr(id).kind {
            ExprKind::Text(text) => {
                let bytes = &self.unit.texts[text.0 as usize].bytes;
                let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                Some(String::from_utf8_lossy(bytes).into_owned())
            }
            ExprKind::Decay(inner)
            | ExprKind::Load(inner)
            | ExprKind::Convert { operand: inner, .. } => self.literal(inner),
            _ => None,
        }
    }

    /// A function without a body returns anything.
    fn call_unknown(
        &mut self,
        function: TypedFunction,
        name: Box<str>,
        into: Option<&Place>,
        origin: Origin,
    ) {
        if self.unit.function(function).is_noreturn {
            self.program.assume(Assumption::ExternalStops(name), origin);
            self.graph.end(Operation::Abort, origin);
            return;
        }
        if let Some(place) = into {
            let unknown = Unknown::External(name.clone());
            self.graph
                .emit(Operation::Havoc(place.clone(), unknown), origin);
        }
        self.program
            .assume(Assumption::ExternalFunction(name), origin);
    }

    /// A call of a function of the program.
    pub(super) fn call_function(
        &mut self,
        function: FunctionId,
        arguments: Vec<Argument>,
        into: Option<&Place>,
        origin: Origin,
    ) {
        let arguments = self.fit_arguments(function, arguments, origin);
        let result_type = self.program.signature(function).result_type;
        let callee = Callee::Function(function);
        let Some(into) = into else {
            self.emit_call(callee, arguments, None, origin);
            return;
        };
        match result_type {
            Some(ty) if ty == into.ty => {
                self.emit_call(callee, arguments, Some(into.clone()), origin);
            }
            Some(ty) if self.is_scalar(ty) && self.is_scalar(into.ty) => {
                let place = self.graph.temporary(ty, origin);
                self.emit_call(callee, arguments, Some(place.clone()), origin);
                let value = self.load(place);
                self.deliver(value, into, origin);
            }
            _ => {
                self.emit_call(callee, arguments, None, origin);
                let unknown = Unknown::Uninitialised;
                self.graph
                    .emit(Operation::Havoc(into.clone(), unknown), origin);
            }
        }
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        self.program.types.types.scalar(ty).is_some()
    }

    /// Stores a value that may have another type.
    pub(super) fn deliver(&mut self, value: Expr, into: &Place, origin: Origin) {
        if let Some(ty) = self.program.types.types.scalar(into.ty) {
            let value = self.convert_scalar(value, ty, origin);
            self.store(into, value, origin);
        }
    }

    fn emit_call(
        &mut self,
        callee: Callee,
        arguments: Vec<Argument>,
        result: Option<Place>,
        origin: Origin,
    ) {
        let operation = Operation::Call {
            callee,
            arguments,
            result,
        };
        self.graph.emit(operation, origin);
    }

    fn call_pointer(
        &mut self,
        callee: ExprId,
        arguments: &[ExprId],
        into: Option<&Place>,
        origin: Origin,
    ) {
        let pointer = self.value(callee);
        let pointer = self.keep(pointer, arguments, origin);
        let arguments = self.arguments(arguments);
        if let Cir::Function(function) = pointer.kind {
            self.call_function(function, arguments, into, origin);
            return;
        }
        let kind = Cir::IsFunction(Box::new(pointer.clone()));
        self.check(Check::Call, exprs::predicate(kind), origin);
        self.emit_call(Callee::Pointer(pointer), arguments, into.cloned(), origin);
    }

    /// The arguments, from the last to the first: so does the compiler.
    pub(super) fn arguments(&mut self, list: &[ExprId]) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (number, &id) in list.iter().enumerate().rev() {
            let later = &list[..number];
            let origin = self.origin_of(id);
            let argument = match self.is_record(self.unit.expr(id).ty.ty) {
                true => {
                    let mut place = self.record(id);
                    if self.is_content_changed(&place, later) {
                        let copy = self.graph.temporary(place.ty, origin);
                        self.copy(&copy, place, origin);
                        place = copy;
                    }
                    Argument::Record(place)
                }
                false => {
                    let value = self.value(id);
                    Argument::Value(self.keep(value, later, origin))
                }
            };
            arguments.push(argument);
        }
        arguments.reverse();
        arguments
    }

    /// What a parameter has, as an argument.
    pub(super) fn argument_of(&self, place: Place) -> Argument {
        match self.is_scalar(place.ty) {
            true => Argument::Value(self.load(place)),
            false => Argument::Record(place),
        }
    }

    /// Arguments that do not fit the parameters, as without a prototype: numbers are converted,
    /// missing ones are anything, further ones are dropped.
    fn fit_arguments(
        &mut self,
        function: FunctionId,
        arguments: Vec<Argument>,
        origin: Origin,
    ) -> Vec<Argument> {
        let signature = self.program.signature(function);
        let count = signature.parameters as usize;
        let is_variadic = signature.is_variadic;
        let types: Vec<TypeId> = signature
            .locals
            .iter()
            .take(count)
            .map(|it| it.ty)
            .collect();
        let mut arguments = arguments.into_iter();
        let mut fitting = Vec::new();
        for ty in types {
            let scalar = self.program.types.types.scalar(ty);
            fitting.push(match (arguments.next(), scalar) {
                (Some(Argument::Value(value)), Some(scalar)) => {
                    Argument::Value(self.fit(value, scalar, origin))
                }
                (Some(Argument::Record(place)), None) => Argument::Record(place),
                _ => {
                    let place = self.graph.temporary(ty, origin);
                    let unknown = Unknown::Uninitialised;
                    self.graph
                        .emit(Operation::Havoc(place.clone(), unknown), origin);
                    self.argument_of(place)
                }
            });
        }
        if is_variadic {
            fitting.extend(arguments);
        }
        fitting
    }

    fn fit(&mut self, value: Expr, scalar: Scalar, origin: Origin) -> Expr {
        match value.ty == scalar {
            true => value,
            false => self.convert_scalar(value, scalar, origin),
        }
    }
}
