//! Calls.

use recurva_c::ast::{ExprId as TreeId, ExprKind as Tree, Ident, TypeName};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome, Wrong, convert::Use, scope::Symbol};
use crate::{
    FunctionType, IntKind, Qualified, Type, TypeId,
    typed::{ExprId, ExprKind},
};

impl<'u> Checker<'u> {
    pub(super) fn call(
        &mut self,
        callee: TreeId,
        arguments: &'u [TreeId],
        span: Span,
    ) -> Outcome<ExprId> {
        if let Tree::Name(ident) = self.unit.expr(callee).kind
            && self.scopes.ordinary.get(ident.name).is_none()
        {
            let name = self.name(ident.name);
            if name.starts_with("__builtin_")
                || name.starts_with("__sync_")
                || name.starts_with("__atomic_")
            {
                return self.builtin_call(ident, name, arguments, span);
            }
            self.declare_implicitly(ident);
        }
        let callee_span = self.unit.expr(callee).span;
        let callee = self.rvalue(callee)?;
        self.call_value(callee, arguments, span, callee_span)
    }

    /// A call of a pointer to a function.
    pub(super) fn call_value(
        &mut self,
        callee: ExprId,
        arguments: &'u [TreeId],
        span: Span,
        callee_span: Span,
    ) -> Outcome<ExprId> {
        let ty = self.ty_id(callee);
        let target = self.pointee(ty).map(|it| self.out.types.get(it.ty));
        let Some(Type::Function(function)) = target else {
            if let ExprKind::Unsupported(what) = self.expr(callee).kind {
                let int = self.known.int();
                return Ok(self.push_unsupported(span, int, what.0));
            }
            return Err(self.wrong(
                |types| format!("a value of type `{}` cannot be called", types.describe(ty)),
                callee_span,
            ));
        };
        let function = function.clone();
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.rvalue(argument)?);
        }
        self.call_with(callee, &function, values, span)
    }

    /// A call with values that are not converted yet.
    pub(super) fn call_with(
        &mut self,
        callee: ExprId,
        function: &FunctionType,
        mut values: Vec<ExprId>,
        span: Span,
    ) -> Outcome<ExprId> {
        self.check_count(callee, function, values.len(), span)?;
        for (number, value) in values.iter_mut().enumerate() {
            *value = match function.parameters.get(number) {
                Some(parameter) => {
                    self.assigned(*value, parameter.ty, Use::Argument(number + 1))?
                }
                None => self.promote_argument(*value)?,
            };
        }
        let result = function.result;
        if let Type::Record(record) = self.out.types.get(result.ty)
            && self.out.types.record(*record).layout.is_none()
        {
            return Err(self.incomplete(result, span));
        }
        Ok(self.push_value(span, result.ty, ExprKind::Call(callee, values)))
    }

    fn check_count(
        &mut self,
        callee: ExprId,
        function: &FunctionType,
        given: usize,
        span: Span,
    ) -> Outcome<()> {
        let wanted = function.parameters.len();
        let is_fine = match (function.is_old_style, function.is_variadic) {
            (true, _) => true,
            (false, true) => given >= wanted,
            (false, false) => given == wanted,
        };
        if is_fine {
            return Ok(());
        }
        let declared = self.declared_at(callee);
        let least = if function.is_variadic {
            "at least "
        } else {
            ""
        };
        let plural = if wanted == 1 { "" } else { "s" };
        Err(self.report(|_| {
            let message = format!(
                "the function takes {least}{wanted} argument{plural}, and there are {given}"
            );
            let diagnostic = Diagnostic::error(message, span);
            match declared {
                Some(declared) => diagnostic.note(declared, "it is declared here"),
                None => diagnostic,
            }
        }))
    }

    /// Where the function that a callee names is declared.
    fn declared_at(&self, callee: ExprId) -> Option<Span> {
        let ExprKind::Address(function) = self.expr(callee).kind else {
            return None;
        };
        match self.expr(function).kind {
            ExprKind::Function(id) => Some(self.out.function(id).span),
            _ => None,
        }
    }

    /// An argument for which no parameter is known.
    pub(super) fn promote_argument(&mut self, id: ExprId) -> Outcome<ExprId> {
        let ty = self.ty_id(id);
        if ty == self.known.float {
            let double = self.known.double;
            return Ok(self.convert(id, double));
        }
        if ty == self.known.void {
            let span = self.span(id);
            return Err(self.wrong(|_| "this has no value".to_string(), span));
        }
        match self.out.types.integer(ty) {
            Some(_) => Ok(self.promote_integer_argument(id)),
            None => Ok(id),
        }
    }

    /// An integer for which no parameter is known. One whose width no type has is passed as one
    /// that has room for it, which is how the function will ask for it.
    fn promote_integer_argument(&mut self, id: ExprId) -> ExprId {
        let id = self.promote(id);
        let kind = match *self.ty(id) {
            Type::Wide {
                is_signed: true, ..
            } => IntKind::LongLong,
            Type::Wide { .. } => IntKind::UnsignedLongLong,
            _ => return id,
        };
        let ty = self.known.integer(kind);
        self.convert(id, ty)
    }

    /// A function that is called without a declaration: `int f()`, or as the library has it.
    fn declare_implicitly(&mut self, ident: Ident) {
        let name = self.name(ident.name);
        self.warn(
            |_| format!("the function `{name}` is called and not declared"),
            ident.span,
        );
        let function = match self.linked.get(&ident.name) {
            Some(&symbol) => symbol,
            None => {
                let ty = match self.library_type(name) {
                    Some(ty) => ty,
                    None => self.unknown_function(),
                };
                Symbol::Function(self.add_implicit(ident, ty))
            }
        };
        self.scopes.ordinary.declare(ident, function);
    }

    /// `int ()`
    pub(super) fn unknown_function(&mut self) -> TypeId {
        let result = Qualified::plain(self.known.int());
        self.out.types.number(Type::Function(FunctionType {
            result,
            parameters: Vec::new(),
            is_variadic: false,
            is_old_style: true,
        }))
    }

    /// `va_arg(list, T)`
    pub(super) fn va_arg(
        &mut self,
        list: TreeId,
        name: &'u TypeName,
        span: Span,
    ) -> Outcome<ExprId> {
        let place = self.list_place(list)?;
        let ty = self.type_name(name)?;
        let id = self.push_value(span, ty.ty, ExprKind::VaArg(place));
        if let Some(what) = self.foreign(ty.ty) {
            return Ok(self.push_unsupported(span, ty.ty, what));
        }
        Ok(id)
    }

    /// A `va_list`: a place, or what a pointer to one points to.
    pub(super) fn list_place(&mut self, list: TreeId) -> Outcome<ExprId> {
        let id = self.expression(list)?;
        let span = self.unit.expr(list).span;
        if *self.ty(id) == Type::VaList {
            return Ok(id);
        }
        let ty = self.ty_id(id);
        Err::<ExprId, Wrong>(self.wrong(
            |types| {
                format!(
                    "this must be a `va_list`, and it is `{}`",
                    types.describe(ty)
                )
            },
            span,
        ))
    }
}
