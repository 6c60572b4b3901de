//! Linking: which definition a name of a unit means.

use recurva_ctype::typed::{Definition, Function, FunctionId, Linkage, ObjectId, Unit};
use recurva_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// What a function of a unit is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FunctionKey {
    /// One with a body: of that unit.
    Defined(usize, FunctionId),
    /// One without a body in any unit.
    External(Box<str>),
}

/// What a variable with static storage of a unit is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKey {
    /// One that is defined: in that unit.
    Defined(usize, ObjectId),
    /// One that is defined nowhere.
    External(Box<str>),
}

/// The names that all units see.
#[derive(Debug, Default)]
pub(crate) struct Names {
    functions: FxHashMap<Box<str>, (usize, FunctionId)>,
    objects: FxHashMap<Box<str>, (usize, ObjectId, Definition)>,
}

/// Something is defined twice: where, and where it was before.
#[derive(Debug)]
pub(crate) struct Twice {
    pub(crate) name: Box<str>,
    pub(crate) here: (usize, Span),
    pub(crate) before: (usize, Span),
}

impl Names {
    /// Adds the names that a unit defines for all. What a unit of the library defines gives way to
    /// what is there, and so does what is weak; that gives way to what comes, too.
    pub(crate) fn add_unit<'u>(
        &mut self,
        index: usize,
        unit_of: impl Fn(usize) -> &'u Unit,
        is_library: bool,
    ) -> Vec<Twice> {
        let unit = unit_of(index);
        let mut twice = Vec::new();
        for (id, function) in (0..).map(FunctionId).zip(&unit.functions) {
            let is_definition = function.body.is_some() && !function.is_inline;
            if function.linkage != Linkage::External || !is_definition {
                continue;
            }
            let name = function.link_name.as_ref().unwrap_or(&function.name);
            match self.functions.get(name) {
                None => {
                    self.functions.insert(name.clone(), (index, id));
                }
                Some(_) if is_library || function.is_weak => {}
                Some(&(other, before)) if unit_of(other).function(before).is_weak => {
                    self.functions.insert(name.clone(), (index, id));
                }
                Some(&(other, before)) => twice.push(Twice {
                    name: name.clone(),
                    here: (index, function.span),
                    before: (other, unit_of(other).function(before).span),
                }),
            }
        }
        self.add_aliases(index, unit);
        for (id, object) in (0..).map(ObjectId).zip(&unit.objects) {
            let is_elsewhere = object.definition == Definition::Elsewhere;
            if object.linkage != Linkage::External || is_elsewhere {
                continue;
            }
            let name = object.link_name.as_ref().unwrap_or(&object.name);
            let new = (index, id, object.definition);
            let Some(&(other, before, definition)) = self.objects.get(name) else {
                self.objects.insert(name.clone(), new);
                continue;
            };
            match (definition, object.definition) {
                _ if is_library || object.is_weak => {}
                _ if unit_of(other).object(before).is_weak => {
                    self.objects.insert(name.clone(), new);
                }
                (Definition::Here, Definition::Here) => twice.push(Twice {
                    name: name.clone(),
                    here: (index, object.span),
                    before: (other, unit_of(other).object(before).span),
                }),
                // Of two that are zero the larger one is the variable.
                (Definition::Tentative, Definition::Here) => {
                    self.objects.insert(name.clone(), new);
                }
                (Definition::Tentative, Definition::Tentative) => {
                    let size = |unit: &Unit, id: ObjectId| unit.types.size(unit.object(id).ty.ty);
                    if size(unit, id) > size(unit_of(other), before) {
                        self.objects.insert(name.clone(), new);
                    }
                }
                _ => {}
            }
        }
        twice
    }

    /// Adds further names of functions.
    fn add_aliases(&mut self, index: usize, unit: &Unit) {
        let aliases = unit.functions.iter().filter(|it| it.is_alias);
        for alias in aliases.filter(|it| it.linkage == Linkage::External) {
            let is_meant =
                |it: &Function| it.body.is_some() && Some(&it.name) == alias.link_name.as_ref();
            if let Some(position) = unit.functions.iter().position(is_meant) {
                let target = (index, FunctionId(position as u32));
                self.functions.entry(alias.name.clone()).or_insert(target);
            }
        }
    }

    /// Whether a unit defines a function with that name for all.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Whether a unit defines a variable with that name for all.
    pub(crate) fn has_object(&self, name: &str) -> bool {
        self.objects.contains_key(name)
    }

    /// A function that all units see.
    pub(crate) fn function(&self, name: &str) -> Option<FunctionKey> {
        let &(unit, id) = self.functions.get(name)?;
        Some(FunctionKey::Defined(unit, id))
    }

    /// What a function of a unit is.
    pub(crate) fn resolve_function(
        &self,
        index: usize,
        unit: &Unit,
        id: FunctionId,
    ) -> FunctionKey {
        let function = unit.function(id);
        let own = FunctionKey::Defined(index, id);
        if function.linkage != Linkage::External && function.body.is_some() {
            return own;
        }
        let name = function.link_name.as_ref().unwrap_or(&function.name);
        if let Some(found) = self.function(name) {
            return found;
        }
        if function.body.is_some() {
            return own;
        }
        // An alias of a function that only this unit sees.
        let is_it = |it: &recurva_ctype::typed::Function| it.name == *name && it.body.is_some();
        match unit.functions.iter().position(is_it) {
            Some(position) => FunctionKey::Defined(index, FunctionId(position as u32)),
            None => FunctionKey::External(name.clone()),
        }
    }

    /// What a variable of a unit is.
    pub(crate) fn resolve_object(&self, index: usize, unit: &Unit, id: ObjectId) -> ObjectKey {
        let object = unit.object(id);
        if object.linkage != Linkage::External {
            return ObjectKey::Defined(index, id);
        }
        let name = object.link_name.as_ref().unwrap_or(&object.name);
        match self.objects.get(name) {
            Some(&(unit, id, _)) => ObjectKey::Defined(unit, id),
            None => {
                let is_it = |it: &recurva_ctype::typed::Object| {
                    it.name == *name && it.definition != Definition::Elsewhere
                };
                match unit.objects.iter().position(is_it) {
                    Some(position) => ObjectKey::Defined(index, ObjectId(position as u32)),
                    None => ObjectKey::External(name.clone()),
                }
            }
        }
    }
}

impl Twice {
    /// What is said of it; `before` is the first place in words.
    pub(crate) fn message(&self, before: &str) -> Diagnostic {
        let text = format!("`{}` is defined more than once", self.name);
        Diagnostic::error(text, self.here.1).help(format!("it is also defined {before}"))
    }
}
