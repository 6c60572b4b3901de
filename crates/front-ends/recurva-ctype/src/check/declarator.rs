//! Declarators: pointers, arrays and functions around a type.

use recurva_c::ast::{ArraySize, Declarator, DeclaratorPart, Parameter, Parameters, TypeSpecifier};
use recurva_syntax::Span;

use super::{
    Checker, Outcome,
    scope::Symbol,
    specify::{Followed, qualifiers},
};
use crate::{
    FunctionType, Length, Qualified, Type, TypeId,
    typed::{ExprId, Local, LocalId, StmtKind},
};

impl<'u> Checker<'u> {
    /// The type that a declarator makes of the specified one.
    pub(super) fn declarator_type(
        &mut self,
        base: Qualified,
        declarator: &'u Declarator,
    ) -> Outcome<Qualified> {
        let base = self.attributed(base, &declarator.attributes)?;
        self.parts(base, &declarator.parts, declarator.span)
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub(super) fn parameter_type(
        &mut self,
        base: Qualified,
        declarator: &'u Declarator,
    ) -> Outcome<Qualified> {
        let base = self.attributed(base, &declarator.attributes)?;
        if let [
            DeclaratorPart::Array {
                qualifiers: given,
                size,
                ..
            },
            outer @ ..,
        ] = declarator.parts.as_slice()
        {
            let element = self.parts(base, outer, declarator.span)?;
            self.check_element(element, declarator.span)?;
            self.parameter_length(*size)?;
            let pointer = self.pointer_to(element);
            return Ok(qualifiers(pointer, *given));
        }
        let ty = self.parts(base, &declarator.parts, declarator.span)?;
        Ok(self.adjusted(ty))
    }

    /// Arrays and functions as the pointers that parameters of them are.
    pub(super) fn adjusted(&mut self, ty: Qualified) -> Qualified {
        match *self.out.types.get(ty.ty) {
            Type::Array(element, _) => Qualified::plain(self.pointer_to(element)),
            Type::Function(_) => Qualified::plain(self.pointer_to(Qualified::plain(ty.ty))),
            _ => ty,
        }
    }

    /// Applies parts of a declarator, of which the last is nearest to the base.
    pub(super) fn parts(
        &mut self,
        base: Qualified,
        parts: &'u [DeclaratorPart],
        span: Span,
    ) -> Outcome<Qualified> {
        let mut ty = base;
        for part in parts.iter().rev() {
            ty = match part {
                DeclaratorPart::Pointer(given) => {
                    let pointer = self.pointer_to(ty);
                    qualifiers(pointer, *given)
                }
                DeclaratorPart::Array { size, .. } => {
                    self.check_element(ty, span)?;
                    let length = self.array_length(*size, span)?;
                    if let Length::Known(length) = length {
                        self.check_array_size(ty.ty, length, span)?;
                    }
                    Qualified::plain(self.out.types.number(Type::Array(ty, length)))
                }
                DeclaratorPart::Function(parameters) => {
                    self.check_result(ty, span)?;
                    Qualified::plain(self.function_type(ty, parameters)?)
                }
            };
        }
        Ok(ty)
    }

    fn check_element(&mut self, element: Qualified, span: Span) -> Outcome<()> {
        let is_fine = match self.out.types.get(element.ty) {
            Type::Void | Type::Function(_) => false,
            Type::Array(_, length) => *length != Length::Unknown || self.is_prototype(),
            Type::Record(id) => self.out.types.record(*id).layout.is_some(),
            _ => true,
        };
        if is_fine {
            return Ok(());
        }
        Err(self.wrong(
            |types| {
                let element = types.describe_qualified(element);
                format!("an array cannot have elements of type `{element}`")
            },
            span,
        ))
    }

    fn check_array_size(&mut self, element: TypeId, length: u64, span: Span) -> Outcome<()> {
        let most = (1u64 << (8 * self.out.target.pointer_bytes - 1)) - 1;
        let size = self.out.types.size(element).unwrap_or(0);
        if size.checked_mul(length).is_some_and(|it| it <= most) {
            return Ok(());
        }
        Err(self.wrong(|_| "the array is larger than memory".to_string(), span))
    }

    pub(super) fn check_result(&mut self, result: Qualified, span: Span) -> Outcome<()> {
        if matches!(
            self.out.types.get(result.ty),
            Type::Array(..) | Type::Function(_)
        ) {
            return Err(self.wrong(
                |types| {
                    let result = types.describe_qualified(result);
                    format!("a function cannot return the type `{result}`")
                },
                span,
            ));
        }
        Ok(())
    }

    /// Whether this is in the parameters of a function without a body.
    fn is_prototype(&self) -> bool {
        self.prototypes > 0
    }

    /// The length of a parameter that is written as an array says nothing, but what it does besides
    /// is done when the function is called.
    fn parameter_length(&mut self, size: ArraySize) -> Outcome<()> {
        let ArraySize::Expr(expr) = size else {
            return Ok(());
        };
        let mark = self.mark();
        let id = self.length_value(expr)?;
        if self.is_prototype() || !self.has_effects_since(mark) {
            self.forget(mark);
            return Ok(());
        }
        let stmt = self.push_stmt(self.span(id), StmtKind::Expr(id));
        if let Some(body) = &mut self.body {
            body.lengths.push(stmt);
        }
        Ok(())
    }

    fn length_value(&mut self, expr: recurva_c::ast::ExprId) -> Outcome<ExprId> {
        let id = self.expression(expr)?;
        let id = self.value(id)?;
        let ty = self.ty_id(id);
        if self.out.types.integer(ty).is_none() {
            return Err(self.wrong(
                |types| {
                    format!(
                        "the length of an array is an integer, not `{}`",
                        types.describe(ty)
                    )
                },
                self.span(id),
            ));
        }
        Ok(id)
    }

    fn array_length(&mut self, size: ArraySize, span: Span) -> Outcome<Length> {
        let ArraySize::Expr(expr) = size else {
            return Ok(Length::Unknown);
        };
        let mark = self.mark();
        let id = self.length_value(expr)?;
        let place = self.span(id);
        if let Some(value) = self.out.integer_constant(id) {
            self.forget(mark);
            return match u64::try_from(value) {
                Ok(length) => Ok(Length::Known(length)),
                Err(_) => Err(self.wrong(
                    |_| "an array cannot have a negative length".to_string(),
                    place,
                )),
            };
        }
        if self.is_prototype() {
            self.forget(mark);
            return Ok(Length::Unknown);
        }
        let size = self.known.size;
        let id = self.convert(id, size);
        let Some(body) = &mut self.body else {
            return Err(self.wrong(
                |_| "the length of an array outside of functions must be a constant".to_string(),
                place,
            ));
        };
        let local = LocalId(body.locals.len() as u32);
        body.locals.push(Local {
            name: None,
            ty: Qualified::plain(size),
            align: None,
            span,
        });
        let stmt = self.push_stmt(place, StmtKind::ArrayLength(local, id));
        if let Some(body) = &mut self.body {
            body.lengths.push(stmt);
        }
        Ok(Length::Variable(local.0))
    }

    /// The type of a function that is declared, not defined.
    pub(super) fn function_type(
        &mut self,
        result: Qualified,
        parameters: &'u Parameters,
    ) -> Outcome<TypeId> {
        let function = match parameters {
            Parameters::Names(_) => FunctionType {
                result,
                parameters: Vec::new(),
                is_variadic: false,
                is_old_style: true,
            },
            Parameters::Prototype { list, is_variadic } => {
                let list = match self.is_void(list)? {
                    true => &[],
                    false => list.as_slice(),
                };
                self.scopes.enter();
                self.prototypes += 1;
                let types: Outcome<Vec<Qualified>> =
                    list.iter().map(|it| self.prototype_parameter(it)).collect();
                self.prototypes -= 1;
                self.scopes.leave();
                FunctionType {
                    result,
                    parameters: types?,
                    is_variadic: *is_variadic,
                    is_old_style: false,
                }
            }
        };
        Ok(self.out.types.number(Type::Function(function)))
    }

    /// Whether parameters are `(void)`, by whatever name of that type.
    pub(super) fn is_void(&mut self, list: &'u [Parameter]) -> Outcome<bool> {
        let [parameter] = list else {
            return Ok(false);
        };
        if parameter.declarator.name.is_some()
            || !parameter.declarator.parts.is_empty()
            || !matches!(
                parameter.specifiers.ty,
                TypeSpecifier::Named(_) | TypeSpecifier::Basic(_)
            )
        {
            return Ok(false);
        }
        Ok(self.parameter_base(parameter)?.ty == self.known.void)
    }

    fn prototype_parameter(&mut self, parameter: &'u Parameter) -> Outcome<Qualified> {
        let ty = self.parameter_base(parameter)?;
        let ty = self.parameter_type(ty, &parameter.declarator)?;
        if let Some(ident) = parameter.declarator.name {
            self.scopes.ordinary.declare(ident, Symbol::Parameter(ty));
        }
        Ok(Qualified::plain(ty.ty))
    }

    /// The type that the specifiers of a parameter say.
    pub(super) fn parameter_base(&mut self, parameter: &'u Parameter) -> Outcome<Qualified> {
        let specified = self.specify(&parameter.specifiers, Followed::Yes)?;
        specified.ty.ok_or_else(|| {
            self.wrong(
                |_| "a parameter has no value to take a type from".to_string(),
                parameter.span,
            )
        })
    }

    /// A type in which no length is computed in a function: what others may know of it.
    pub(super) fn without_lengths(&mut self, ty: TypeId) -> TypeId {
        match self.out.types.get(ty).clone() {
            Type::Pointer(target) => {
                let other = self.without_lengths(target.ty);
                match other == target.ty {
                    true => ty,
                    false => self.pointer_to(target.of(other)),
                }
            }
            Type::Array(element, length) => {
                let other = element.of(self.without_lengths(element.ty));
                let length = match length {
                    Length::Variable(_) => Length::Unknown,
                    length => length,
                };
                self.out.types.number(Type::Array(other, length))
            }
            _ => ty,
        }
    }
}
