//! Functions: their declarations, also those within functions.

use recurva_c::ast::{Attribute, FunctionDefinition, Ident, Storage};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome, scope::Symbol, specify::Followed};
use crate::{
    FunctionType, Qualified, Type, TypeId,
    typed::{Function, FunctionId, Linkage, StmtId, StmtKind, Unsupported},
};

/// What is known of a function beyond its declaration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// Nobody has declared it: the first declaration says what it is.
    pub(crate) is_implicit: bool,
    /// Some declaration is without `inline`, or with `extern`: its body is for all units.
    pub(crate) is_plain: bool,
    /// Its body is only for inlining: another one may follow.
    pub(crate) is_replaceable: bool,
}

/// A declaration of a function.
pub(crate) struct Declared<'u> {
    pub(crate) ident: Ident,
    pub(crate) ty: TypeId,
    pub(crate) storage: Storage,
    pub(crate) attributes: [&'u [Attribute]; 2],
    pub(crate) asm_name: Option<Span>,
    pub(crate) is_definition: bool,
}

impl<'u> Checker<'u> {
    fn has(&self, declared: &Declared<'_>, name: &str) -> bool {
        declared
            .attributes
            .iter()
            .any(|it| self.has_attribute(it, name))
    }

    /// A declaration of a function; its name is not declared in any scope yet.
    pub(super) fn declare_function(&mut self, declared: &Declared<'u>) -> Outcome<FunctionId> {
        let ident = declared.ident;
        let name = self.name(ident.name);
        let id = match self.linked.get(&ident.name) {
            Some(&Symbol::Function(id)) => {
                self.redeclare_function(id, declared)?;
                id
            }
            Some(_) => {
                return Err(self.wrong(
                    |_| format!("`{name}` is declared as something else elsewhere"),
                    ident.span,
                ));
            }
            None => self.add_declared(declared),
        };
        let is_gnu = self.has(declared, "gnu_inline");
        let is_noreturn = declared.storage.is_noreturn || self.has(declared, "noreturn");
        let is_constructor = self.has(declared, "constructor");
        let is_weak = self.has(declared, "weak");
        let link_name = match declared.asm_name {
            Some(span) => self.asm_text(span),
            None => (declared.attributes.iter()).find_map(|it| self.attribute_text(it, "alias")),
        };
        let known = &mut self.functions[id.0 as usize];
        known.is_implicit = false;
        let storage = declared.storage;
        known.is_plain |= match is_gnu {
            true => !(storage.is_inline && storage.is_extern),
            false => !storage.is_inline || storage.is_extern,
        };
        let is_plain = known.is_plain;
        if declared.is_definition {
            known.is_replaceable = is_gnu && storage.is_inline && storage.is_extern;
        }
        let function = &mut self.out.functions[id.0 as usize];
        function.is_noreturn |= is_noreturn;
        function.is_constructor |= is_constructor;
        function.is_weak |= is_weak;
        function.is_inline = !is_plain && function.linkage == Linkage::External;
        if let Some(link_name) = link_name {
            function.link_name = Some(link_name);
            function.is_alias = declared.asm_name.is_none();
        }
        Ok(id)
    }

    fn add_declared(&mut self, declared: &Declared<'_>) -> FunctionId {
        let id = FunctionId(self.out.functions.len() as u32);
        self.out.functions.push(Function {
            name: self.name(declared.ident.name).into(),
            link_name: None,
            is_alias: false,
            ty: Qualified::plain(declared.ty),
            linkage: match declared.storage.is_static {
                true => Linkage::Internal,
                false => Linkage::External,
            },
            is_inline: false,
            is_noreturn: false,
            is_constructor: false,
            is_weak: false,
            body: None,
            span: declared.ident.span,
        });
        self.functions.push(Known::default());
        self.linked
            .insert(declared.ident.name, Symbol::Function(id));
        id
    }

    /// Joins a declaration with what is known of the function.
    fn redeclare_function(&mut self, id: FunctionId, declared: &Declared<'_>) -> Outcome<()> {
        let ident = declared.ident;
        let name = self.name(ident.name);
        let function = self.out.function(id);
        let (before, first) = (function.ty.ty, function.span);
        let (linkage, has_body) = (function.linkage, function.body.is_some());
        let known = self.functions[id.0 as usize];
        if declared.is_definition && has_body && !known.is_replaceable {
            return Err(self.report(|_| {
                Diagnostic::error(format!("`{name}` is defined twice"), ident.span)
                    .note(first, "it is defined here first")
            }));
        }
        if declared.storage.is_static && linkage == Linkage::External && !known.is_implicit {
            return Err(self.report(|_| {
                let message = format!("`{name}` is `static` here and was not before");
                Diagnostic::error(message, ident.span).note(first, "it is declared here first")
            }));
        }
        let ty = match self.out.types.are_compatible(before, declared.ty) {
            true => self.out.types.composite(before, declared.ty),
            false if known.is_implicit || self.is_old_definition(before, declared) => declared.ty,
            false => {
                let other = declared.ty;
                return Err(self.report(|types| {
                    let (before, other) = (types.describe(before), types.describe(other));
                    let message = format!("`{name}` has another type here, `{other}`");
                    Diagnostic::error(message, ident.span)
                        .note(first, format!("it was declared with the type `{before}`"))
                }));
            }
        };
        let function = &mut self.out.functions[id.0 as usize];
        function.ty = Qualified::plain(ty);
        if known.is_implicit && declared.storage.is_static {
            function.linkage = Linkage::Internal;
        }
        if declared.is_definition || known.is_implicit {
            function.span = ident.span;
        }
        Ok(())
    }

    /// Whether a definition follows that only spells out what `f()` left open, which GCC accepts.
    fn is_old_definition(&self, before: TypeId, declared: &Declared<'_>) -> bool {
        let (Type::Function(before), Type::Function(now)) =
            (self.out.types.get(before), self.out.types.get(declared.ty))
        else {
            return false;
        };
        let result = |it: &FunctionType| it.result.ty;
        declared.is_definition
            && now.is_old_style
            && self.out.types.are_compatible(result(before), result(now))
    }

    /// A function within a function (GNU): its name is known, its body has no meaning here.
    pub(super) fn nested_function(
        &mut self,
        definition: &'u FunctionDefinition,
        out: &mut Vec<StmtId>,
    ) {
        let span = definition.span;
        if let Some(ident) = definition.declarator.name {
            let symbol = match self.nested_type(definition) {
                Ok(ty) => Symbol::Function(self.add_nested(ident, ty)),
                Err(_) => Symbol::Wrong,
            };
            self.scopes.ordinary.declare(ident, symbol);
        }
        let kind = StmtKind::Unsupported(Unsupported("functions within functions"));
        out.push(self.push_stmt(span, kind));
    }

    fn nested_type(&mut self, definition: &'u FunctionDefinition) -> Outcome<Qualified> {
        let specified = self.specify(&definition.specifiers, Followed::Yes)?;
        let base = specified.ty.ok_or(super::Wrong)?;
        self.declarator_type(base, &definition.declarator)
    }

    pub(super) fn add_nested(&mut self, ident: Ident, ty: Qualified) -> FunctionId {
        let id = FunctionId(self.out.functions.len() as u32);
        self.out.functions.push(Function {
            name: self.name(ident.name).into(),
            link_name: None,
            is_alias: false,
            ty,
            linkage: Linkage::None,
            is_inline: false,
            is_noreturn: false,
            is_constructor: false,
            is_weak: false,
            body: None,
            span: ident.span,
        });
        self.functions.push(Known::default());
        id
    }
}
