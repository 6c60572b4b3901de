//! What names mean where something is said.

use recurva_cir::{FunctionId, Global, GlobalId, LocalId, LocalKind, Module, Origin};
use recurva_syntax::{Span, did_you_mean};

use super::sites::Sites;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Local(LocalId),
    Global(GlobalId),
    Constant(i64),
}

/// Which names are known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known<'a> {
    /// In a contract: the parameters, as they are called there, and what is outside all functions.
    Contract(&'a [Option<Box<str>>]),
    /// At an offset of the unit's text.
    At(u32),
}

/// Names where something is said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) module: &'a Module,
    pub(super) sites: &'a Sites,
    pub(super) unit: usize,
    pub(super) function: FunctionId,
    pub(super) known: Known<'a>,
}

impl Scope<'_> {
    /// What a name means, or the name that may have been meant.
    pub(super) fn find(&self, name: &str) -> Result<Named, Option<String>> {
        if let Some(inner) = self.inner(name) {
            return Ok(inner);
        }
        let globals = || (0..).map(GlobalId).zip(&self.module.globals);
        let named = || globals().filter(|(_, it)| *it.name == *name);
        let own = named().find(|(_, it)| self.is_own(it.origin));
        if let Some((id, _)) = own.or_else(|| named().next()) {
            return Ok(Named::Global(id));
        }
        let constants = self.module.types.enums.iter().flat_map(|it| &it.constants);
        if let Some((_, value)) = constants.clone().find(|(constant, _)| **constant == *name) {
            return Ok(Named::Constant(*value));
        }
        let outer = self.module.globals.iter().map(|it| &*it.name);
        let outer = outer.filter(|it| !it.contains("::") && !it.is_empty());
        let constants = constants.map(|(constant, _)| &**constant);
        let inner = self.all_inner();
        Err(did_you_mean(
            name,
            inner.into_iter().chain(outer).chain(constants),
        ))
    }

    fn is_own(&self, origin: Origin) -> bool {
        origin.source.0 as usize == self.unit
    }

    /// A variable of the function, or one that is static in it.
    fn inner(&self, name: &str) -> Option<Named> {
        match self.known {
            Known::Contract(parameters) => {
                let position = parameters
                    .iter()
                    .position(|it| it.as_deref() == Some(name))?;
                let function = self.module.function(self.function);
                let is_there = (position as u32) < function.parameters;
                is_there.then_some(Named::Local(LocalId(position as u32)))
            }
            Known::At(offset) => {
                let locals = self.visible_locals(offset);
                let locals = locals.filter(|(_, own, _)| *own == name);
                let locals = locals.map(|(begins, _, id)| (begins, Named::Local(id)));
                let statics = self.visible_statics(offset);
                let statics = statics.filter(|(_, own, _)| *own == name);
                let statics = statics.map(|(begins, _, id)| (begins, Named::Global(id)));
                let found = locals.chain(statics).max_by_key(|(begins, _)| *begins);
                found.map(|(_, named)| named)
            }
        }
    }

    /// All names of [`Self::inner`].
    fn all_inner(&self) -> Vec<&str> {
        match self.known {
            Known::Contract(parameters) => parameters.iter().filter_map(Option::as_deref).collect(),
            Known::At(offset) => {
                let locals = self.visible_locals(offset).map(|(_, name, _)| name);
                let statics = self.visible_statics(offset).map(|(_, name, _)| name);
                locals.chain(statics).collect()
            }
        }
    }

    /// The variables that are known at an offset, with where their scope begins.
    fn visible_locals(&self, offset: u32) -> impl Iterator<Item = (u32, &str, LocalId)> {
        let function = self.module.function(self.function);
        let locals = (0..).map(LocalId).zip(&function.locals);
        locals.filter_map(move |(id, local)| {
            let begins = match id.0 < function.parameters {
                true => 0,
                false => self.visible(local.origin, offset)?,
            };
            (local.kind == LocalKind::User).then_some((begins, &*local.name, id))
        })
    }

    fn visible_statics(&self, offset: u32) -> impl Iterator<Item = (u32, &str, GlobalId)> {
        let function = &self.module.function(self.function).name;
        let globals = (0..).map(GlobalId).zip(&self.module.globals);
        globals.filter_map(move |(id, global): (GlobalId, &Global)| {
            let name = global.name.strip_prefix(&**function)?.strip_prefix("::")?;
            Some((self.visible(global.origin, offset)?, name, id))
        })
    }

    /// Where the scope begins of what is declared somewhere, if an offset is in it and behind.
    fn visible(&self, declared: Origin, offset: u32) -> Option<u32> {
        let is_before = self.is_own(declared) && declared.start < offset;
        let scope: Span = self.sites.scope(declared.start).filter(|_| is_before)?;
        (scope.start <= offset && offset < scope.end).then_some(scope.start)
    }
}
