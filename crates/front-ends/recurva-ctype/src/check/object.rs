//! Variables with static storage.

use recurva_c::ast::{Ident, Init};
use recurva_syntax::Diagnostic;

use super::{Checker, Outcome, scope::Symbol, variable::Variable};
use crate::{
    Length, Qualified, Type,
    typed::{Definition, Linkage, Object, ObjectId},
};

impl<'u> Checker<'u> {
    /// Declares a variable that other functions, or other units, can see.
    pub(super) fn declare_linked(&mut self, variable: &Variable<'u>) -> Outcome<()> {
        let ident = variable.ident;
        let name = self.name(ident.name);
        let storage = variable.storage;
        let is_outermost = self.scopes.is_outermost();
        if let Some(entry) = self.scopes.ordinary.get_here(ident.name)
            && !matches!(entry.what, Symbol::Object(_) | Symbol::Wrong)
        {
            return Err(self.declared_otherwise(ident, entry.span()));
        }
        if !is_outermost && variable.init.is_some() {
            return Err(self.wrong(
                |_| format!("`{name}` is declared elsewhere and has its initial value there"),
                ident.span,
            ));
        }
        let is_elsewhere = storage.is_extern && variable.init.is_none();
        let definition = match (variable.init.is_some(), is_elsewhere) {
            (true, _) => Definition::Here,
            (false, true) => Definition::Elsewhere,
            (false, false) => Definition::Tentative,
        };
        let id = match self.linked.get(&ident.name) {
            Some(&Symbol::Object(id)) => {
                self.redeclare_object(id, variable, definition)?;
                id
            }
            Some(_) => return Err(self.declared_otherwise(ident, ident.span)),
            None => {
                let id = self.add_object(variable, definition);
                let linkage = match storage.is_static {
                    true => Linkage::Internal,
                    false => Linkage::External,
                };
                self.out.objects[id.0 as usize].linkage = linkage;
                self.linked.insert(ident.name, Symbol::Object(id));
                id
            }
        };
        self.scopes.ordinary.declare(ident, Symbol::Object(id));
        self.initialise_object(id, variable.init)
    }

    pub(super) fn declared_otherwise(
        &mut self,
        ident: Ident,
        first: recurva_syntax::Span,
    ) -> super::Wrong {
        let name = self.name(ident.name);
        self.report(|_| {
            let message = format!("`{name}` is declared as something else");
            Diagnostic::error(message, ident.span).note(first, "it is declared here first")
        })
    }

    /// Declares a variable of a function that lives as long as the program.
    pub(super) fn declare_static(&mut self, variable: &Variable<'u>) -> Outcome<()> {
        self.check_new(variable.ident)?;
        self.check_complete_for(variable.ty, variable.init, variable.ident.span)?;
        let id = self.add_object(variable, Definition::Here);
        self.scopes
            .ordinary
            .declare(variable.ident, Symbol::Object(id));
        self.initialise_object(id, variable.init)
    }

    fn add_object(&mut self, variable: &Variable<'u>, definition: Definition) -> ObjectId {
        let id = ObjectId(self.out.objects.len() as u32);
        let link_name = self.link_name(variable);
        let is_weak = self.is_weak(variable);
        self.out.objects.push(Object {
            name: self.name(variable.ident.name).into(),
            link_name,
            ty: variable.ty,
            align: variable.align,
            linkage: Linkage::None,
            definition,
            is_thread_local: variable.storage.is_thread_local,
            is_weak,
            function: self.body.as_ref().map(|it| it.function),
            init: None,
            span: variable.ident.span,
        });
        if self.out.objects[id.0 as usize].definition == Definition::Elsewhere {
            self.out.objects[id.0 as usize].function = None;
        }
        id
    }

    fn is_weak(&self, variable: &Variable<'u>) -> bool {
        let mut attributes = variable.attributes.iter();
        attributes.any(|it| self.has_attribute(it, "weak"))
    }

    fn link_name(&self, variable: &Variable<'u>) -> Option<Box<str>> {
        match variable.asm_name {
            Some(span) => self.asm_text(span),
            None => (variable.attributes.iter()).find_map(|it| self.attribute_text(it, "alias")),
        }
    }

    fn initialise_object(&mut self, id: ObjectId, init: Option<&'u Init>) -> Outcome<()> {
        let Some(init) = init else {
            return Ok(());
        };
        let object = self.out.object(id);
        let (ty, span) = (object.ty, object.span);
        self.check_complete_for(ty, Some(init), span)?;
        if self.is_variable(ty.ty) {
            return Err(self.wrong(
                |_| "an array of variable length has no initial value".to_string(),
                span,
            ));
        }
        let (ty, initial) = self.initial(ty, init, true)?;
        let object = &mut self.out.objects[id.0 as usize];
        object.ty = ty;
        object.init = Some(initial);
        Ok(())
    }

    /// Joins a declaration with what is known of the variable.
    fn redeclare_object(
        &mut self,
        id: ObjectId,
        variable: &Variable<'u>,
        definition: Definition,
    ) -> Outcome<()> {
        let ident = variable.ident;
        let name = self.name(ident.name);
        let object = self.out.object(id);
        let (before, first) = (object.ty, object.span);
        let (linkage, known) = (object.linkage, object.definition);
        let other = variable.ty;
        if !self.out.types.are_same(before, other) {
            return Err(self.report(|types| {
                let (before, other) = (
                    types.describe_qualified(before),
                    types.describe_qualified(other),
                );
                Diagnostic::error(
                    format!("`{name}` has another type here, `{other}`"),
                    ident.span,
                )
                .note(first, format!("it was declared with the type `{before}`"))
            }));
        }
        if known == Definition::Here && definition == Definition::Here {
            return Err(self.report(|_| {
                Diagnostic::error(format!("`{name}` is defined twice"), ident.span)
                    .note(first, "it is defined here first")
            }));
        }
        let is_static = variable.storage.is_static;
        let is_extern = variable.storage.is_extern;
        if (is_static || !is_extern) && is_static != (linkage == Linkage::Internal) {
            let (here, there) = match is_static {
                true => ("`static`", "not before"),
                false => ("not `static`", "so before"),
            };
            return Err(self.report(|_| {
                Diagnostic::error(format!("`{name}` is {here} here, and {there}"), ident.span)
                    .note(first, "it is declared here first")
            }));
        }
        let ty = self.out.types.composite(before.ty, other.ty);
        let link_name = self.link_name(variable);
        let is_weak = self.is_weak(variable);
        let object = &mut self.out.objects[id.0 as usize];
        object.ty = before.of(ty);
        object.align = object.align.max(variable.align);
        object.is_thread_local |= variable.storage.is_thread_local;
        object.is_weak |= is_weak;
        if link_name.is_some() {
            object.link_name = link_name;
        }
        let order = |it| match it {
            Definition::Elsewhere => 0,
            Definition::Tentative => 1,
            Definition::Here => 2,
        };
        if order(definition) > order(known) {
            object.definition = definition;
            object.span = ident.span;
        }
        Ok(())
    }

    /// At the end of the unit: arrays that were declared without a length have one element.
    pub(super) fn complete_tentative(&mut self) {
        for number in 0..self.out.objects.len() {
            let object = &self.out.objects[number];
            if object.definition != Definition::Tentative {
                continue;
            }
            let (ty, span) = (object.ty, object.span);
            match *self.out.types.get(ty.ty) {
                Type::Array(element, Length::Unknown) => {
                    let array = Type::Array(element, Length::Known(1));
                    let array = self.out.types.number(array);
                    self.out.objects[number].ty = ty.of(array);
                }
                Type::Record(record) if self.out.types.record(record).layout.is_none() => {
                    self.incomplete(ty, span);
                }
                _ => {}
            }
        }
    }

    /// Whether a name is free in the scope at hand.
    pub(super) fn check_new(&mut self, ident: Ident) -> Outcome<()> {
        match self.scopes.ordinary.get_here(ident.name) {
            None => Ok(()),
            Some(entry) if matches!(entry.what, Symbol::Wrong) => Ok(()),
            Some(entry) => {
                let name = self.name(ident.name);
                Err(self.report(|_| {
                    Diagnostic::error(format!("`{name}` is declared twice"), ident.span)
                        .note(entry.span(), "it is declared here first")
                }))
            }
        }
    }

    /// A type of a variable as it is kept: qualifiers of an array are its elements'.
    pub(super) fn kept(&mut self, ty: Qualified) -> Qualified {
        match self.out.types.get(ty.ty) {
            Type::Array(..) => self.qualify(Qualified::plain(ty.ty), ty),
            _ => ty,
        }
    }
}
