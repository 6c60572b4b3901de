//! A program in the making: units, what their names mean, and what is still to be lowered.

mod agree;
mod entry;
mod initial;
pub(crate) mod library;
mod names;
mod types;

use std::{collections::VecDeque, rc::Rc, sync::Arc};

use recurva_cir::{
    Function, FunctionId, Global, GlobalId, Local, LocalKind, Module, NodeId, Origin, SourceId,
    SourceText, Type, TypeId,
};
use recurva_ctype::{
    self as ctype, Target,
    typed::{self, Unit},
};
use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Assumed, Assumption, BuildOptions, Built, Scope, facts::Facts, lower, special::Special,
};
use names::{FunctionKey, Names, ObjectKey};
pub(crate) use types::TypeTable;

/// The bytes of a variable are kept one by one; of larger ones nothing could be said anyhow.
const MOST_BYTES: u64 = 1 << 30;

/// A unit, and what is known of it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) unit: Arc<Unit>,
    pub(crate) facts: Facts,
    pub(crate) source: SourceId,
}

/// A program in the making.
#[derive(Debug)]
pub(crate) struct Program<'o> {
    pub(crate) options: &'o BuildOptions,
    pub(crate) types: TypeTable,
    target: Target,
    sources: Vec<SourceText>,
    units: Vec<Rc<Loaded>>,
    names: Names,
    globals: Vec<Global>,
    global_numbers: FxHashMap<ObjectKey, GlobalId>,
    text_numbers: FxHashMap<(usize, typed::TextId), GlobalId>,
    functions: Vec<Function>,
    function_numbers: FxHashMap<FunctionKey, FunctionId>,
    /// What functions of units are, as far as somebody has asked.
    resolved: FxHashMap<(usize, typed::FunctionId), FunctionKey>,
    /// The numbers of the units' variables, as far as somebody has asked.
    resolved_objects: FxHashMap<(usize, typed::ObjectId), GlobalId>,
    /// Variables of which nobody knows the initial value.
    unknown: Vec<GlobalId>,
    pending_globals: VecDeque<(GlobalId, usize, typed::ObjectId)>,
    pending_functions: VecDeque<(FunctionId, Pending)>,
    assumed: Vec<Assumed>,
    assumed_already: FxHashSet<Assumption>,
    errors: Vec<(usize, Diagnostic)>,
    loaded_models: FxHashSet<&'static str>,
    /// The nodes of marked places that are known so far.
    marked: Vec<Option<(FunctionId, NodeId)>>,
}

/// A function that is still to be lowered.
#[derive(Debug)]
enum Pending {
    /// One of a unit.
    Body(usize, typed::FunctionId),
    /// One that we know the meaning of, called by a pointer.
    Special(usize, typed::FunctionId, Special),
}

impl<'o> Program<'o> {
    pub(crate) fn new(target: Target, options: &'o BuildOptions) -> Self {
        Program {
            options,
            types: TypeTable::new(target),
            target,
            sources: Vec::new(),
            units: Vec::new(),
            names: Names::default(),
            globals: Vec::new(),
            global_numbers: FxHashMap::default(),
            text_numbers: FxHashMap::default(),
            functions: Vec::new(),
            function_numbers: FxHashMap::default(),
            resolved: FxHashMap::default(),
            resolved_objects: FxHashMap::default(),
            unknown: Vec::new(),
            pending_globals: VecDeque::new(),
            pending_functions: VecDeque::new(),
            assumed: Vec::new(),
            assumed_already: FxHashSet::default(),
            errors: Vec::new(),
            loaded_models: FxHashSet::default(),
            marked: vec![None; options.marks.len()],
        }
    }

    /// Adds a unit with its text.
    pub(crate) fn add(&mut self, source: SourceText, unit: Arc<Unit>) {
        let index = self.units.len();
        let is_library = source.is_library;
        self.sources.push(source);
        let facts = Facts::new(&unit, self.options);
        self.types.add_unit(index, &unit);
        self.units.push(Rc::new(Loaded {
            unit,
            facts,
            source: SourceId(index as u32),
        }));
        let units = &self.units;
        let twice = self
            .names
            .add_unit(index, |unit| &*units[unit].unit, is_library);
        for twice in twice {
            let before = self.describe(twice.before.0, twice.before.1);
            self.errors.push((twice.here.0, twice.message(&before)));
        }
    }

    /// A place in words.
    fn describe(&self, source: usize, span: Span) -> String {
        let text = &self.sources[source];
        let tokens = recurva_c::tokens(&text.text);
        let place = recurva_c::Places::new(&text.text, &tokens).of(span.start);
        match place.file {
            b"" => format!("in {}, line {}", text.name, place.line),
            file => format!("in {}, line {}", String::from_utf8_lossy(file), place.line),
        }
    }

    /// Builds all that is asked for.
    pub(crate) fn build(mut self) -> Result<Built, Vec<(usize, Diagnostics)>> {
        if self.options.scope == Scope::All {
            self.request_all();
        }
        let start = self.find_start();
        self.drain();
        let entry = match start {
            Some(start) => self.make_entry(start),
            None => self.empty_function(),
        };
        self.drain();
        if !self.errors.is_empty() {
            return Err(self.into_errors());
        }
        Ok(Built {
            module: Module {
                sources: self.sources,
                types: self.types.types,
                globals: self.globals,
                functions: self.functions,
                entry,
            },
            assumed: self.assumed,
            marked: self.marked,
        })
    }

    fn into_errors(self) -> Vec<(usize, Diagnostics)> {
        let mut by_unit: Vec<(usize, Diagnostics)> = Vec::new();
        for (unit, error) in self.errors {
            let position = by_unit.iter().position(|(index, _)| *index == unit);
            let position = position.unwrap_or_else(|| {
                by_unit.push((unit, Diagnostics::default()));
                by_unit.len() - 1
            });
            by_unit[position].1.report(|| error);
        }
        by_unit
    }

    fn request_all(&mut self) {
        for index in 0..self.units.len() {
            let loaded = self.units[index].clone();
            for (id, function) in (0..).map(typed::FunctionId).zip(&loaded.unit.functions) {
                if function.body.is_some() {
                    self.function(index, id);
                }
            }
            for (id, object) in (0..).map(typed::ObjectId).zip(&loaded.unit.objects) {
                if object.definition != typed::Definition::Elsewhere {
                    self.global(index, id);
                }
            }
        }
    }

    /// Lowers what is waiting, and what that asks for.
    fn drain(&mut self) {
        loop {
            if let Some((id, unit, object)) = self.pending_globals.pop_front() {
                self.initialise(id, unit, object);
            } else if let Some((id, pending)) = self.pending_functions.pop_front() {
                let function = match pending {
                    Pending::Body(unit, function) => {
                        let loaded = self.units[unit].clone();
                        let (function, marks) = lower::function(self, &loaded, unit, function);
                        for (number, node) in marks {
                            self.marked[number] = Some((id, node));
                        }
                        function
                    }
                    Pending::Special(unit, function, special) => {
                        let loaded = self.units[unit].clone();
                        lower::special_function(self, &loaded, unit, function, special)
                    }
                };
                self.functions[id.0 as usize] = function;
            } else {
                return;
            }
        }
    }

    /// Reports what is wrong with a unit.
    pub(crate) fn error(&mut self, unit: usize, diagnostic: Diagnostic) {
        self.errors.push((unit, diagnostic));
    }

    /// Notes an assumption.
    pub(crate) fn assume(&mut self, what: Assumption, origin: Origin) {
        if self.assumed_already.insert(what.clone()) {
            self.assumed.push(Assumed { what, origin });
        }
    }

    /// The text of a unit between two places.
    pub(crate) fn text(&self, unit: usize, span: Span) -> String {
        let bytes = self.sources[unit].text.get(span.range()).unwrap_or(b"");
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// A type of a unit.
    pub(crate) fn ty(&mut self, unit: usize, id: ctype::TypeId) -> TypeId {
        self.types.of_unit(&self.units, unit, id)
    }

    /// A record of a unit.
    pub(crate) fn record(&mut self, unit: usize, id: ctype::RecordId) -> recurva_cir::RecordId {
        self.types.record(&self.units, unit, id)
    }

    /// What a place of a unit is in the program.
    pub(crate) fn origin(&self, unit: usize, span: Span) -> Origin {
        Origin {
            source: self.units[unit].source,
            start: span.start,
            end: span.end,
        }
    }

    /// What a function of a unit is, once the library had its say.
    fn resolve(&mut self, unit: usize, id: typed::FunctionId) -> FunctionKey {
        if let Some(key) = self.resolved.get(&(unit, id)) {
            return key.clone();
        }
        let loaded = self.units[unit].clone();
        let key = self.names.resolve_function(unit, &loaded.unit, id);
        let key = match &key {
            FunctionKey::External(name) if self.load_library(name) => {
                self.names.resolve_function(unit, &loaded.unit, id)
            }
            _ => key,
        };
        if let FunctionKey::Defined(there, definition) = key
            && there != unit
        {
            self.check_function(unit, id, there, definition);
        }
        self.resolved.insert((unit, id), key.clone());
        key
    }

    /// The name of a function that has no body and no model.
    pub(crate) fn external_name(&mut self, unit: usize, id: typed::FunctionId) -> Option<Box<str>> {
        match self.resolve(unit, id) {
            FunctionKey::External(name) => Some(name),
            FunctionKey::Defined(..) => None,
        }
    }

    /// A function of a unit; it is lowered later.
    pub(crate) fn function(&mut self, unit: usize, id: typed::FunctionId) -> FunctionId {
        let key = self.resolve(unit, id);
        if let Some(&known) = self.function_numbers.get(&key) {
            return known;
        }
        let number = FunctionId(self.functions.len() as u32);
        let (unit, id) = match key {
            FunctionKey::Defined(unit, id) => (unit, id),
            FunctionKey::External(_) => (unit, id),
        };
        let declared = self.declared(unit, id);
        self.functions.push(declared);
        match &key {
            FunctionKey::Defined(..) => {
                self.pending_functions
                    .push_back((number, Pending::Body(unit, id)));
                if self.sources[unit].is_library {
                    let name = self.units[unit].unit.function(id).name.clone();
                    let origin = self.functions[number.0 as usize].origin;
                    if !name.starts_with("__model") {
                        self.assume(Assumption::Model(name), origin);
                    }
                }
            }
            FunctionKey::External(name) => {
                if let Some(special) = Special::of(name, self.options) {
                    let pending = Pending::Special(unit, id, special);
                    self.pending_functions.push_back((number, pending));
                }
            }
        }
        self.function_numbers.insert(key, number);
        number
    }

    /// A function of a unit without its body.
    pub(crate) fn declared(&mut self, unit: usize, id: typed::FunctionId) -> Function {
        let loaded = self.units[unit].clone();
        let function = loaded.unit.function(id);
        let origin = self.origin(unit, function.span);
        let ctype::Type::Function(ty) = loaded.unit.types.get(function.ty.ty) else {
            unreachable!("a function has the type of one");
        };
        let is_void = matches!(loaded.unit.types.get(ty.result.ty), ctype::Type::Void);
        let mut locals = Vec::new();
        // A definition in the old style says only in its body what its parameters are.
        let parameters: Vec<ctype::TypeId> = match &function.body {
            Some(body) => {
                let parameters = body.locals.iter().take(body.parameters as usize);
                parameters.map(|local| local.ty.ty).collect()
            }
            None => ty.parameters.iter().map(|it| it.ty).collect(),
        };
        for (number, parameter) in parameters.into_iter().enumerate() {
            locals.push(Local {
                name: format!("argument {}", number + 1).into(),
                ty: self.ty(unit, parameter),
                kind: LocalKind::User,
                origin,
            });
        }
        Function {
            name: function.name.clone(),
            parameters: locals.len() as u32,
            locals,
            is_variadic: ty.is_variadic || (ty.is_old_style && function.body.is_none()),
            result: None,
            result_type: (!is_void).then(|| self.ty(unit, ty.result.ty)),
            nodes: Vec::new(),
            edges: Vec::new(),
            entry: NodeId(0),
            exit: NodeId(0),
            labels: Vec::new(),
            origin,
        }
    }

    /// A function of the program as it is so far: types and parameters are right.
    pub(crate) fn signature(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A variable of the program.
    pub(crate) fn global_type(&self, id: GlobalId) -> TypeId {
        self.globals[id.0 as usize].ty
    }

    /// A variable with static storage of a unit; its value is set later.
    pub(crate) fn global(&mut self, unit: usize, id: typed::ObjectId) -> GlobalId {
        if let Some(&known) = self.resolved_objects.get(&(unit, id)) {
            return known;
        }
        let number = self.resolve_global(unit, id);
        self.resolved_objects.insert((unit, id), number);
        number
    }

    fn resolve_global(&mut self, unit: usize, id: typed::ObjectId) -> GlobalId {
        let loaded = self.units[unit].clone();
        let mut key = self.names.resolve_object(unit, &loaded.unit, id);
        if let ObjectKey::External(name) = &key
            && self.load_library(name)
        {
            key = self.names.resolve_object(unit, &loaded.unit, id);
        }
        if let ObjectKey::Defined(there, definition) = key
            && there != unit
        {
            self.check_object(unit, id, there, definition);
        }
        if let Some(&known) = self.global_numbers.get(&key) {
            return known;
        }
        let number = GlobalId(self.globals.len() as u32);
        let (unit, id) = match key {
            ObjectKey::Defined(unit, id) => (unit, id),
            ObjectKey::External(_) => (unit, id),
        };
        let loaded = self.units[unit].clone();
        let object = loaded.unit.object(id);
        let name = match object.function {
            Some(function) if object.linkage == typed::Linkage::None => {
                format!("{}::{}", loaded.unit.function(function).name, object.name).into()
            }
            _ => object.name.clone(),
        };
        let ty = self.ty(unit, object.ty.ty);
        let origin = self.origin(unit, object.span);
        let size = self.types.types.size(ty);
        if size > MOST_BYTES {
            let text = format!("`{}` has {size} bytes: that is too large", object.name);
            let diagnostic = Diagnostic::error(text, object.span).help(format!(
                "variables of the program have at most {MOST_BYTES}"
            ));
            self.error(unit, diagnostic);
        }
        self.globals.push(Global {
            name,
            ty,
            bytes: vec![0; size.min(MOST_BYTES) as usize],
            addresses: Vec::new(),
            is_const: object.ty.is_const,
            origin,
        });
        match &key {
            ObjectKey::Defined(..) => self.pending_globals.push_back((number, unit, id)),
            ObjectKey::External(name) => {
                self.unknown.push(number);
                self.assume(Assumption::ExternalVariable(name.clone()), origin);
            }
        }
        self.global_numbers.insert(key, number);
        number
    }

    /// The array that a string literal is.
    pub(crate) fn text_global(&mut self, unit: usize, id: typed::TextId) -> GlobalId {
        if let Some(&known) = self.text_numbers.get(&(unit, id)) {
            return known;
        }
        let loaded = self.units[unit].clone();
        let text = &loaded.unit.texts[id.0 as usize];
        let ty = self.ty(unit, text.ty.ty);
        let number = self.hidden_global(ty, text.bytes.clone());
        self.text_numbers.insert((unit, id), number);
        number
    }

    /// A constant array without a name.
    pub(crate) fn hidden_global(&mut self, ty: TypeId, bytes: Vec<u8>) -> GlobalId {
        self.globals.push(Global {
            name: "".into(),
            ty,
            bytes,
            addresses: Vec::new(),
            is_const: true,
            origin: Origin::default(),
        });
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// The type of an array of a type.
    pub(crate) fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.types.number(Type::Array(element, length))
    }
}
