//! Names without a declaration.

use recurva_c::ast::Ident;
use recurva_syntax::{Diagnostic, did_you_mean};

use super::{Checker, Outcome, Wrong, scope::Symbol};
use crate::{IntKind, Qualified, typed::ExprId};

impl Checker<'_> {
    /// A name that is not declared: one that the compiler declares, or an error.
    pub(super) fn undeclared(&mut self, ident: Ident) -> Outcome<ExprId> {
        let name = self.name(ident.name);
        if let "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" = name {
            return Ok(self.function_name(ident));
        }
        if let Some(plain) = name.strip_prefix("__builtin_")
            && let Some(function) = self.library_function(plain, ident.span)
        {
            let ty = self.out.function(function).ty;
            return Ok(self.push(ident.span, ty, crate::typed::ExprKind::Function(function)));
        }
        // Reported once: later uses mean the same.
        self.scopes.ordinary.declare(ident, Symbol::Wrong);
        Err(self.no_such_name(ident))
    }

    fn no_such_name(&mut self, ident: Ident) -> Wrong {
        let name = self.name(ident.name);
        let (unit, scopes) = (self.unit, &self.scopes);
        self.diagnostics.report(|| {
            let near = did_you_mean(
                name,
                scopes
                    .ordinary
                    .names()
                    .filter(|it| !matches!(it.what, Symbol::Typedef(..) | Symbol::Wrong))
                    .map(|it| unit.name(it.ident.name)),
            );
            Diagnostic::error(format!("`{name}` is not declared"), ident.span).help_if(near)
        });
        Wrong
    }

    /// `__func__`: a constant array with the name of the function.
    fn function_name(&mut self, ident: Ident) -> ExprId {
        let name = match &self.body {
            Some(body) => self.name(body.name),
            None => "top level",
        };
        let mut bytes = name.as_bytes().to_vec();
        bytes.push(0);
        let length = bytes.len() as u64;
        let element = Qualified {
            ty: self.known.integer(IntKind::Char),
            is_const: true,
            is_volatile: false,
        };
        self.push_text(bytes, element, length, ident.span)
    }
}
