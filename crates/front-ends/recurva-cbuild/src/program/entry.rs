//! Where runs begin: `main`, or a function that prepares what the one that was asked for needs.
//!
//! If `main` takes nothing and nothing has to be done before it, it is the entry. Otherwise a
//! function is made up that gives variables that are defined nowhere any value, calls constructors,
//! and then the function that was asked for:
//!
//! - `main(argc, argv)` gets what [`Arguments`] says; `argv[argc]` is null, and the environment is
//!   empty.
//! - Any other function gets unknown numbers. A pointer is null, or points to one object of its own
//!   with unknown contents; one to characters points to a text of up to [`TEXT`] of them, one to
//!   `void` to [`TEXT`] unknown bytes. Pointers in such an object are the same again, [`DEPTH`] times;
//!   then they are null.

use recurva_cir::{
    Argument, Binary, Callee, Expr, ExprKind, Function, FunctionId, Int, LocalKind, NodeId,
    Operation, Origin, Place, Scalar, Step, Type, TypeId, Unknown, Var,
};
use recurva_ctype::typed;
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::Program;
use crate::{
    Arguments, Assumption, Entry, Scope, exprs,
    graph::{Graph, load},
};

/// The characters of an unknown text.
const TEXT: u64 = 8;
/// How often a pointer of an unknown object is followed.
const DEPTH: u32 = 2;
/// Arrays up to this length have their pointers followed.
const LENGTH: u64 = 16;

/// A function that runs begin at.
#[derive(Debug)]
pub(super) struct Start {
    function: FunctionId,
    is_main: bool,
    constructors: Vec<FunctionId>,
}

/// A function that is made up.
struct Maker<'p, 'o> {
    program: &'p mut Program<'o>,
    graph: Graph,
    origin: Origin,
}

impl Program<'_> {
    /// Finds where runs begin, and asks for what they call first.
    pub(super) fn find_start(&mut self) -> Option<Start> {
        let (name, is_main) = match &self.options.entry {
            Entry::Main => ("main", true),
            Entry::Function(name) => (&**name, name == "main"),
        };
        let mut found = None;
        let mut constructors = Vec::new();
        for index in 0..self.units.len() {
            let loaded = self.units[index].clone();
            for (id, function) in (0..).map(typed::FunctionId).zip(&loaded.unit.functions) {
                if function.body.is_none() {
                    continue;
                }
                if *function.name == *name && found.is_none() {
                    found = Some((index, id));
                }
                if function.is_constructor {
                    constructors.push(self.function(index, id));
                }
            }
        }
        let Some((unit, id)) = found else {
            if self.options.scope == Scope::Reachable {
                let text = format!("the program has no function `{name}`");
                let units = self.units.iter();
                let functions = units.flat_map(|it| &it.unit.functions);
                let with_body = functions.filter(|it| it.body.is_some());
                let near = did_you_mean(name, with_body.map(|it| &*it.name));
                let help =
                    near.unwrap_or_else(|| "--entry names a function to begin at".to_owned());
                self.error(0, Diagnostic::error(text, Span::at(0)).help(help));
            }
            return None;
        };
        let function = self.function(unit, id);
        Some(Start {
            function,
            is_main,
            constructors,
        })
    }

    /// The function where runs begin.
    pub(super) fn make_entry(&mut self, start: Start) -> FunctionId {
        let callee = self.signature(start.function);
        let needs_nothing = callee.parameters == 0 && start.constructors.is_empty();
        if needs_nothing && self.unknown.is_empty() {
            return start.function;
        }
        let origin = callee.origin;
        let name = callee.name.clone();
        let result_type = callee.result_type;
        let unknown = self.unknown.clone();
        let mut maker = Maker {
            graph: Graph::new(origin),
            origin,
            program: self,
        };
        let exit = maker.graph.node(origin);
        let result = result_type.map(|ty| {
            let kind = LocalKind::Temporary;
            maker.graph.local("result".into(), ty, kind, origin)
        });
        for global in unknown {
            let place = Place::whole(Var::Global(global), maker.program.global_type(global));
            let name = maker.program.globals[global.0 as usize].name.clone();
            maker.emit(Operation::Havoc(place, Unknown::External(name)));
        }
        for constructor in start.constructors {
            maker.call(constructor, Vec::new(), None);
        }
        let arguments = match start.is_main {
            true => maker.main_arguments(start.function),
            false => maker.unknown_arguments(start.function, &name),
        };
        maker.call(start.function, arguments, result.clone());
        maker.graph.jump(exit, origin);
        let Maker { graph, .. } = maker;
        let function = made(
            graph,
            exit,
            format!("start of {name}").into(),
            result,
            origin,
        );
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// A function that does nothing.
    pub(super) fn empty_function(&mut self) -> FunctionId {
        let origin = Origin::default();
        let function = made(
            Graph::new(origin),
            NodeId(0),
            "nothing".into(),
            None,
            origin,
        );
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }
}

fn made(
    graph: Graph,
    exit: NodeId,
    name: Box<str>,
    result: Option<Place>,
    origin: Origin,
) -> Function {
    let finished = graph.finish(NodeId(0), exit);
    Function {
        name,
        locals: finished.locals,
        parameters: 0,
        is_variadic: false,
        result_type: result.as_ref().map(|place| place.ty),
        result: result.and_then(|place| match place.base {
            recurva_cir::Base::Var(Var::Local(local)) => Some(local),
            _ => None,
        }),
        nodes: finished.nodes,
        edges: finished.edges,
        entry: finished.entry,
        exit: finished.exit,
        labels: finished.labels,
        origin,
    }
}

impl Maker<'_, '_> {
    fn emit(&mut self, operation: Operation) {
        self.graph.emit(operation, self.origin);
    }

    fn call(&mut self, function: FunctionId, arguments: Vec<Argument>, result: Option<Place>) {
        self.emit(Operation::Call {
            callee: Callee::Function(function),
            arguments,
            result,
        });
    }

    fn local(&mut self, name: &str, ty: TypeId) -> Place {
        self.graph
            .local(name.into(), ty, LocalKind::User, self.origin)
    }

    fn havoc(&mut self, place: &Place) {
        self.emit(Operation::Havoc(place.clone(), Unknown::Input));
    }

    fn store(&mut self, place: &Place, value: Expr) {
        self.emit(Operation::Assign(place.clone(), value));
    }

    fn load(&self, place: &Place) -> Option<Expr> {
        let scalar = self.program.types.types.scalar(place.ty)?;
        Some(load(place.clone(), scalar))
    }

    /// The types of a function's parameters.
    fn parameters(&self, function: FunctionId) -> Vec<TypeId> {
        let signature = self.program.signature(function);
        let parameters = signature.locals.iter().take(signature.parameters as usize);
        parameters.map(|local| local.ty).collect()
    }

    fn main_arguments(&mut self, function: FunctionId) -> Vec<Argument> {
        let types = self.parameters(function);
        let mut arguments = Vec::new();
        let (count, list) = match self.program.options.arguments.clone() {
            Arguments::Unknown { count, length } => self.unknown_texts(count, length),
            Arguments::Fixed(texts) => self.fixed_texts(&texts),
        };
        for (number, ty) in types.into_iter().enumerate() {
            let value = match number {
                0 => count.clone(),
                1 => list.clone(),
                _ => self.empty_environment(),
            };
            let Some(scalar) = self.program.types.types.scalar(ty) else {
                continue;
            };
            arguments.push(Argument::Value(exprs::convert(value, scalar)));
        }
        arguments
    }

    fn character_pointer(&mut self) -> (TypeId, TypeId) {
        let is_signed = self.program.target.is_char_signed;
        let character = Type::Char(Int { bits: 8, is_signed });
        let character = self.program.types.number(character);
        let pointer = self.program.types.number(Type::Pointer(character));
        (character, pointer)
    }

    fn unknown_texts(&mut self, count: u32, length: u32) -> (Expr, Expr) {
        self.program
            .assume(Assumption::Arguments { count, length }, self.origin);
        let (character, pointer) = self.character_pointer();
        let int = self.program.types.int(Int::INT);
        let text = self.program.array(character, u64::from(length) + 1);
        let texts = self.program.array(text, u64::from(count.max(1)));
        let list = self.program.array(pointer, u64::from(count) + 1);
        let argc = self.local("argc", int);
        let texts = self.local("texts", texts);
        let argv = self.local("argv", list);
        self.havoc(&argc);
        let number = load(argc, Scalar::Int(Int::INT));
        let [low, high] = [0, i128::from(count)].map(|bound| exprs::int(bound, Int::INT));
        let above = exprs::binary(Binary::GreaterEqual, number.clone(), low);
        let below = exprs::binary(Binary::LessEqual, number.clone(), high);
        self.emit(Operation::Assume(exprs::and(above, below)));
        self.havoc(&texts);
        for position in 0..count {
            let text = element(&texts, i128::from(position), text);
            let last = element(&text, i128::from(length), character);
            let zero = self
                .program
                .types
                .types
                .scalar(character)
                .map(|ty| Expr::constant(0, ty));
            zero.into_iter().for_each(|zero| self.store(&last, zero));
            let here = exprs::int(i128::from(position), Int::INT);
            let is_given = exprs::binary(Binary::Greater, number.clone(), here);
            let address = exprs::address(element(&text, 0, character));
            let kind = ExprKind::If(
                Box::new(is_given),
                Box::new(address),
                Box::new(exprs::null()),
            );
            let value = Expr {
                kind,
                ty: Scalar::Pointer,
            };
            self.store(&element(&argv, i128::from(position), pointer), value);
        }
        self.store(&element(&argv, i128::from(count), pointer), exprs::null());
        (number, exprs::address(element(&argv, 0, pointer)))
    }

    fn fixed_texts(&mut self, texts: &[String]) -> (Expr, Expr) {
        let (character, pointer) = self.character_pointer();
        let list = self.program.array(pointer, texts.len() as u64 + 1);
        let argv = self.local("argv", list);
        for (position, text) in texts.iter().enumerate() {
            let mut bytes = text.as_bytes().to_vec();
            bytes.push(0);
            let ty = self.program.array(character, bytes.len() as u64);
            let global = self.program.hidden_global(ty, bytes);
            let address = exprs::address(Place::whole(Var::Global(global), ty));
            self.store(&element(&argv, position as i128, pointer), address);
        }
        self.store(&element(&argv, texts.len() as i128, pointer), exprs::null());
        let count = exprs::int(texts.len() as i128, Int::INT);
        (count, exprs::address(element(&argv, 0, pointer)))
    }

    fn empty_environment(&mut self) -> Expr {
        let (_, pointer) = self.character_pointer();
        let list = self.program.array(pointer, 1);
        let place = self.local("environment", list);
        self.store(&element(&place, 0, pointer), exprs::null());
        exprs::address(element(&place, 0, pointer))
    }

    fn unknown_arguments(&mut self, function: FunctionId, name: &str) -> Vec<Argument> {
        let types = self.parameters(function);
        if !types.is_empty() {
            self.program
                .assume(Assumption::Inputs(name.into()), self.origin);
        }
        let mut arguments = Vec::new();
        for (number, ty) in types.into_iter().enumerate() {
            let place = self.local(&format!("argument {}", number + 1), ty);
            self.unknown(&place, DEPTH);
            arguments.push(match self.load(&place) {
                Some(value) => Argument::Value(value),
                None => Argument::Record(place),
            });
        }
        arguments
    }

    /// Gives a place an unknown value that a caller could give it.
    fn unknown(&mut self, place: &Place, depth: u32) {
        match *self.program.types.types.get(place.ty) {
            Type::Pointer(to) => self.unknown_pointer(place, to, depth),
            _ => {
                self.havoc(place);
                self.unknown_inside(place, depth);
            }
        }
    }

    /// The pointers in a place whose other contents are unknown already.
    fn unknown_inside(&mut self, place: &Place, depth: u32) {
        match *self.program.types.types.get(place.ty) {
            Type::Pointer(to) => self.unknown_pointer(place, to, depth),
            Type::Array(of, length) if self.has_pointer(of) => match length <= LENGTH {
                true => {
                    for index in 0..length {
                        let part = element(place, i128::from(index), of);
                        self.unknown_inside(&part, depth);
                    }
                }
                false => self.emit(Operation::Zero(place.clone())),
            },
            Type::Record(record) if self.has_pointer(place.ty) => {
                let fields = self.program.types.types.record(record).fields.clone();
                for (number, field) in (0..).zip(fields) {
                    let mut part = place.clone();
                    part.path.push(Step::Field(record, number));
                    part.ty = field.ty;
                    self.unknown_inside(&part, depth);
                }
            }
            _ => {}
        }
    }

    fn has_pointer(&self, ty: TypeId) -> bool {
        let types = &self.program.types.types;
        match *types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointer(element),
            Type::Record(record) => {
                let fields = types.record(record).fields.iter();
                fields.into_iter().any(|field| self.has_pointer(field.ty))
            }
            _ => false,
        }
    }

    fn unknown_pointer(&mut self, place: &Place, to: TypeId, depth: u32) {
        let object = match *self.program.types.types.get(to) {
            Type::Function => None,
            _ if depth == 0 => None,
            Type::Char(_) => Some(self.program.array(to, TEXT)),
            Type::Void => {
                let byte = self.program.types.int(Int::BYTE);
                Some(self.program.array(byte, TEXT))
            }
            _ if self.program.types.types.size(to) == 0 => None,
            _ => Some(to),
        };
        let Some(ty) = object else {
            self.store(place, exprs::null());
            return;
        };
        let inputs = self.graph.locals.iter();
        let number = inputs.filter(|it| it.name.starts_with("input")).count() + 1;
        let object = self.local(&format!("input{number}"), ty);
        self.unknown(&object, depth - 1);
        if let (Type::Char(_), Some(scalar)) = (
            self.program.types.types.get(to).clone(),
            self.program.types.types.scalar(to),
        ) {
            let last = element(&object, i128::from(TEXT) - 1, to);
            self.store(&last, Expr::constant(0, scalar));
        }
        let choice = self.program.types.number(Type::Bool);
        let choice = self.local("is null", choice);
        self.havoc(&choice);
        let is_null = exprs::convert(load(choice, Scalar::Int(Int::BYTE)), Scalar::Bool);
        let address = exprs::address(object);
        let kind = ExprKind::If(
            Box::new(is_null),
            Box::new(exprs::null()),
            Box::new(address),
        );
        let value = Expr {
            kind,
            ty: Scalar::Pointer,
        };
        self.store(place, value);
    }
}

/// An element of an array.
fn element(array: &Place, index: i128, ty: TypeId) -> Place {
    let mut place = array.clone();
    let index = exprs::int(index, Int::INT);
    place.path.push(Step::Index(Box::new(index)));
    place.ty = ty;
    place
}
