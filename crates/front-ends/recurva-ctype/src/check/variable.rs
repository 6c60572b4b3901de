//! Declarations, at the outermost level and in blocks.

use recurva_c::ast::{
    Attribute, Declaration, Ident, Init, InitDeclarator, Specifiers, Storage, TypeSpecifier,
};
use recurva_syntax::{Diagnostic, Span};

use super::{
    Checker, Outcome, Wrong,
    function::Declared,
    scope::Symbol,
    specify::{Followed, Specified},
};
use crate::{
    Qualified, Type,
    typed::{Local, LocalId, StmtId, StmtKind, Unsupported},
};

/// A declaration of a variable.
pub(crate) struct Variable<'u> {
    pub(crate) ident: Ident,
    pub(crate) ty: Qualified,
    pub(crate) align: Option<u64>,
    pub(crate) storage: Storage,
    pub(crate) attributes: [&'u [Attribute]; 2],
    pub(crate) asm_name: Option<Span>,
    pub(crate) init: Option<&'u Init>,
}

impl<'u> Checker<'u> {
    /// A declaration. What it does when it is reached goes into the list.
    pub(super) fn declaration(
        &mut self,
        declaration: &'u Declaration,
        out: &mut Vec<StmtId>,
    ) -> Outcome<()> {
        let followed = match declaration.declarators.is_empty() {
            true => Followed::No,
            false => Followed::Yes,
        };
        let specified = self.specify(&declaration.specifiers, followed);
        self.flush_lengths(out);
        let mut result = specified.map(|_| ());
        for declared in &declaration.declarators {
            let outcome = match specified {
                Ok(specified) => self.declared(&declaration.specifiers, specified, declared, out),
                Err(wrong) => Err(wrong),
            };
            if outcome.is_err()
                && let Some(ident) = declared.declarator.name
                && self.scopes.ordinary.get_here(ident.name).is_none()
            {
                // What is said of it later is not wrong for that.
                self.scopes.ordinary.declare(ident, Symbol::Wrong);
            }
            result = result.and(outcome);
        }
        result
    }

    /// Puts the computation of lengths of arrays before what follows.
    fn flush_lengths(&mut self, out: &mut Vec<StmtId>) {
        if let Some(body) = &mut self.body {
            out.append(&mut body.lengths);
        }
    }

    fn declared(
        &mut self,
        specifiers: &'u Specifiers,
        specified: Specified,
        declared: &'u InitDeclarator,
        out: &mut Vec<StmtId>,
    ) -> Outcome<()> {
        let declarator = &declared.declarator;
        let Some(ident) = declarator.name else {
            return Ok(());
        };
        let Some(base) = specified.ty else {
            return self.declare_auto(specifiers, declared, ident, out);
        };
        let ty = self.declarator_type(base, declarator)?;
        let ty = self.kept(ty);
        self.flush_lengths(out);
        let asked = self.aligned(&specifiers.attributes)?;
        let asked = asked.max(self.aligned(&declarator.attributes)?);
        let asked = asked.max(self.alignas(&specifiers.alignments)?);
        let own = specified.align.filter(|_| declarator.parts.is_empty());
        let storage = specifiers.storage;
        let attributes = [
            specifiers.attributes.as_slice(),
            declarator.attributes.as_slice(),
        ];
        if storage.is_typedef {
            if let Type::Record(record) = *self.out.types.get(ty.ty)
                && (attributes.iter()).any(|it| self.has_attribute(it, "transparent_union"))
            {
                self.transparent.insert(record);
            }
            return self.declare_typedef(ident, ty, asked.or(own), specifiers);
        }
        if let Type::Function(_) = self.out.types.get(ty.ty) {
            let declared = Declared {
                ident,
                ty: ty.ty,
                storage,
                attributes,
                asm_name: declared.asm_name,
                is_definition: false,
            };
            return self.declare_function_here(&declared);
        }
        let variable = Variable {
            ident,
            ty,
            align: asked
                .max(own)
                .filter(|&it| it > self.out.types.align(ty.ty)),
            storage,
            attributes,
            asm_name: declared.asm_name,
            init: declared.init.as_ref(),
        };
        self.declare_variable(&variable, out)
    }

    fn declare_variable(&mut self, variable: &Variable<'u>, out: &mut Vec<StmtId>) -> Outcome<()> {
        if self.scopes.is_outermost() || variable.storage.is_extern {
            return self.declare_linked(variable);
        }
        if variable.storage.is_static || variable.storage.is_thread_local {
            return self.declare_static(variable);
        }
        self.declare_local(variable, out)
    }

    fn declare_local(&mut self, variable: &Variable<'u>, out: &mut Vec<StmtId>) -> Outcome<()> {
        let ident = variable.ident;
        self.check_new(ident)?;
        self.check_complete_for(variable.ty, variable.init, ident.span)?;
        let local = self.add_variable(ident, variable.ty, variable.align)?;
        self.scopes.ordinary.declare(ident, Symbol::Local(local));
        let initial = match variable.init {
            None => None,
            Some(_) if self.is_variable(variable.ty.ty) => {
                return Err(self.wrong(
                    |_| "an array of variable length has no initial value".to_string(),
                    ident.span,
                ));
            }
            Some(init) => {
                let (ty, initial) = self.initial(variable.ty, init, false)?;
                if let Some(body) = &mut self.body {
                    body.locals[local.0 as usize].ty = ty;
                }
                Some(Box::new(initial))
            }
        };
        self.flush_lengths(out);
        if let Some(what) = self.unsupported_variable(variable) {
            let kind = StmtKind::Unsupported(Unsupported(what));
            out.push(self.push_stmt(ident.span, kind));
        }
        out.push(self.push_stmt(ident.span, StmtKind::Declare(local, initial)));
        Ok(())
    }

    /// Why a variable has no meaning here, if it has none.
    fn unsupported_variable(&self, variable: &Variable<'u>) -> Option<&'static str> {
        if (variable.attributes.iter()).any(|it| self.has_attribute(it, "cleanup")) {
            return Some("the attribute `cleanup`");
        }
        match self.out.types.get(variable.ty.ty) {
            Type::Record(record) if self.variable_records.contains(record) => {
                Some("structures of variable size")
            }
            _ => None,
        }
    }

    fn add_variable(
        &mut self,
        ident: Ident,
        ty: Qualified,
        align: Option<u64>,
    ) -> Outcome<LocalId> {
        let name = Some(self.name(ident.name).into());
        match &mut self.body {
            Some(body) => Ok(body.add_local(Local {
                name,
                ty,
                align,
                span: ident.span,
            })),
            None => Err(Wrong),
        }
    }

    /// `__auto_type x = e;`
    fn declare_auto(
        &mut self,
        specifiers: &'u Specifiers,
        declared: &'u InitDeclarator,
        ident: Ident,
        out: &mut Vec<StmtId>,
    ) -> Outcome<()> {
        let Some(Init::Expr(expr)) = declared.init else {
            return Err(self.wrong(
                |_| "`__auto_type` needs a value to take its type from".to_string(),
                ident.span,
            ));
        };
        let mark = self.mark();
        let id = self.rvalue(expr)?;
        let ty = self.expr(id).ty;
        self.forget(mark);
        let ty = Qualified {
            ty: ty.ty,
            is_const: specifiers.qualifiers.is_const,
            is_volatile: specifiers.qualifiers.is_volatile,
        };
        let variable = Variable {
            ident,
            ty,
            align: None,
            storage: specifiers.storage,
            attributes: [&specifiers.attributes, &declared.declarator.attributes],
            asm_name: None,
            init: declared.init.as_ref(),
        };
        self.declare_variable(&variable, out)
    }

    fn declare_function_here(&mut self, declared: &Declared<'u>) -> Outcome<()> {
        let ident = declared.ident;
        if let Some(entry) = self.scopes.ordinary.get_here(ident.name)
            && !matches!(entry.what, Symbol::Function(_) | Symbol::Wrong)
        {
            return Err(self.declared_otherwise(ident, entry.span()));
        }
        let id = match declared.storage.is_auto {
            // A function within a function whose definition follows (GNU).
            true => self.add_nested(ident, Qualified::plain(declared.ty)),
            false => self.declare_function(declared)?,
        };
        self.scopes.ordinary.declare(ident, Symbol::Function(id));
        Ok(())
    }

    fn declare_typedef(
        &mut self,
        ident: Ident,
        ty: Qualified,
        align: Option<u64>,
        specifiers: &Specifiers,
    ) -> Outcome<()> {
        let name = self.name(ident.name);
        if let Some(entry) = self.scopes.ordinary.get_here(ident.name) {
            match entry.what {
                Symbol::Wrong => {}
                Symbol::Typedef(before, _) if self.out.types.are_same(before, ty) => {}
                Symbol::Typedef(before, _) => {
                    return Err(self.report(|types| {
                        let before = types.describe_qualified(before);
                        let ty = types.describe_qualified(ty);
                        Diagnostic::error(
                            format!("`{name}` is another type here, `{ty}`"),
                            ident.span,
                        )
                        .note(entry.span(), format!("it was the type `{before}`"))
                    }));
                }
                _ => return Err(self.declared_otherwise(ident, entry.span())),
            }
        }
        self.name_unnamed(ty, name, specifiers);
        self.scopes
            .ordinary
            .declare(ident, Symbol::Typedef(ty, align));
        if self.scopes.is_outermost() {
            self.out.typedefs.push((name.into(), ty));
        }
        Ok(())
    }

    /// Gives a record or an enumeration without a tag the name of its first `typedef`.
    fn name_unnamed(&mut self, ty: Qualified, name: &str, specifiers: &Specifiers) {
        if !matches!(
            specifiers.ty,
            TypeSpecifier::Record(_) | TypeSpecifier::Enum(_)
        ) {
            return;
        }
        match *self.out.types.get(ty.ty) {
            Type::Record(id) => {
                let record = self.out.types.record_mut(id);
                record.name.get_or_insert_with(|| name.into());
            }
            Type::Enum(id) => {
                let enumeration = self.out.types.enumeration_mut(id);
                enumeration.name.get_or_insert_with(|| name.into());
            }
            _ => {}
        }
    }
}
