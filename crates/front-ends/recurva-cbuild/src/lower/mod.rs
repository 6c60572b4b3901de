//! Lowering: the body of a function becomes a control-flow graph.
//!
//! Expressions come out pure; all that they do besides is emitted as edges on the way, in the order
//! in which the compiler does it. What has been computed and would be changed by an operand that
//! comes later is kept in a temporary.
//!
//! - [`expression`]: values; [`condition`]: truth and branches; [`place`]: what can be assigned to;
//!   [`assign`]: `=`, `+=`, `++`, and values that go straight to where they are stored.
//! - [`statement`], [`switch`], [`declare`]: statements; [`mark`]: nodes for places that were marked.
//! - [`call`], [`special`], [`builtin`]: calls, of what has a meaning of its own too.
//! - [`arithmetic`], [`access`]: operators and what is checked before them; [`order`]: what an
//!   operand may change.

mod access;
mod arithmetic;
mod assign;
mod builtin;
mod call;
mod condition;
mod declare;
mod expression;
mod mark;
mod memory;
mod order;
mod place;
mod special;
mod statement;
mod switch;

use recurva_cir::{
    Base, Expr, ExprKind, Function, GlobalId, Int, Label, LocalId, LocalKind, NodeId, Operation,
    Origin, Place, Scalar, Type, TypeId, Unknown, Var,
};
use recurva_ctype::{
    self as ctype,
    typed::{self, ExprId, Unit},
};
use recurva_syntax::Span;

use crate::{
    facts::Facts,
    graph::{Graph, load},
    program::{Loaded, Program},
    special::Special,
};
use mark::Waiting;

/// A function that is being lowered.
pub(crate) struct Lower<'p, 'o, 'u> {
    program: &'p mut Program<'o>,
    unit: &'u Unit,
    facts: &'u Facts,
    /// Which unit it is.
    index: usize,
    graph: Graph,
    /// The nodes of labels.
    labels: Vec<NodeId>,
    /// Labels whose address is taken.
    addressed: Vec<typed::LabelId>,
    /// Where `break` leads.
    breaks: Vec<NodeId>,
    /// Where `continue` leads.
    continues: Vec<NodeId>,
    exit: NodeId,
    result: Option<Place>,
    /// Variables that may be changed by other names: their address is taken.
    exposed: Vec<bool>,
    /// Variables that are arrays of variable length.
    variable_lengths: Vec<bool>,
    /// The types of the source's variables.
    local_types: Vec<ctype::TypeId>,
    /// Marked places of the function that have no node yet.
    marks: Vec<Waiting>,
}

/// The function as a graph, with the nodes of the places in it that are marked.
pub(crate) fn function(
    program: &mut Program<'_>,
    loaded: &Loaded,
    index: usize,
    id: typed::FunctionId,
) -> (Function, Vec<(usize, NodeId)>) {
    let mut function = program.declared(index, id);
    let definition = loaded.unit.function(id);
    let Some(body) = &definition.body else {
        return (function, Vec::new());
    };
    let start = program.origin(index, definition.span);
    let marks = mark::within(program.options, index, body.span);
    let mut lower = Lower::new(program, loaded, index, start);
    lower.marks = marks;
    let (exposed, addressed) = order::addresses(lower.unit, lower.facts, id, body);
    (lower.exposed, lower.addressed) = (exposed, addressed);
    for (number, local) in body.locals.iter().enumerate() {
        lower.declare_local(number, local);
    }
    for label in &body.labels {
        let node = lower.graph.node(lower.origin(label.span));
        lower.labels.push(node);
    }
    let has_label_name =
        |label: &typed::Label| !label.name.contains(' ') && *label.name != *"default";
    for (number, label) in body.labels.iter().enumerate() {
        if has_label_name(label) {
            let label = Label {
                name: label.name.clone(),
                node: lower.labels[number],
                origin: lower.origin(label.span),
            };
            lower.graph.labels.push(label);
        }
    }
    lower.begin(function.result_type, start);
    lower.statement(body.block);
    let end = lower.origin(body.end);
    let is_main =
        *definition.name == *"main" && lower.result_scalar() == Some(Scalar::Int(Int::INT));
    lower.fall_off(is_main, end);
    function.parameters = body.parameters;
    lower.finish(function)
}

/// A function with a meaning of its own, as a graph: for those who call it by a pointer.
pub(crate) fn special_function(
    program: &mut Program<'_>,
    loaded: &Loaded,
    index: usize,
    id: typed::FunctionId,
    special: Special,
) -> Function {
    let function = program.declared(index, id);
    let origin = function.origin;
    let mut lower = Lower::new(program, loaded, index, origin);
    let mut arguments = Vec::new();
    for (number, local) in function.locals.iter().enumerate() {
        let name = format!("argument {}", number + 1).into();
        let place = lower.graph.local(name, local.ty, LocalKind::User, origin);
        arguments.push(place);
    }
    lower.exposed = vec![false; arguments.len()];
    lower.begin(function.result_type, origin);
    let arguments = arguments
        .into_iter()
        .map(|place| lower.argument_of(place))
        .collect();
    let result = lower.result.clone();
    lower.special_call(&function.name, special, arguments, result, origin);
    let exit = lower.exit;
    lower.graph.jump(exit, origin);
    lower.finish(function).0
}

impl<'p, 'o, 'u> Lower<'p, 'o, 'u> {
    fn new(program: &'p mut Program<'o>, loaded: &'u Loaded, index: usize, start: Origin) -> Self {
        Lower {
            program,
            unit: &loaded.unit,
            facts: &loaded.facts,
            index,
            graph: Graph::new(start),
            labels: Vec::new(),
            addressed: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            exit: NodeId(0),
            result: None,
            exposed: Vec::new(),
            variable_lengths: Vec::new(),
            local_types: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// A variable of the source. Arrays of variable length are pointers to what is allocated.
    fn declare_local(&mut self, number: usize, local: &typed::Local) {
        let mut ty = self.ty(local.ty.ty);
        let is_variable = self.is_variable(local.ty.ty);
        self.variable_lengths.push(is_variable);
        self.local_types.push(local.ty.ty);
        if is_variable {
            ty = self.program.types.number(Type::Pointer(ty));
        }
        let name = match &local.name {
            Some(name) => name.clone(),
            None => format!("#{number}").into(),
        };
        let origin = self.origin(local.span);
        self.graph.local(name, ty, LocalKind::User, origin);
    }

    /// The entry, the exit and the result.
    fn begin(&mut self, result: Option<TypeId>, origin: Origin) {
        self.exit = self.graph.node(origin);
        if let Some(ty) = result {
            let kind = LocalKind::Temporary;
            self.result = Some(self.graph.local("result".into(), ty, kind, origin));
        }
    }

    fn result_scalar(&self) -> Option<Scalar> {
        let place = self.result.as_ref()?;
        self.program.types.types.scalar(place.ty)
    }

    /// Control reaches the closing brace.
    fn fall_off(&mut self, is_main: bool, origin: Origin) {
        self.graph.nodes[self.exit.0 as usize] = origin;
        if let Some(place) = self.result.clone() {
            let operation = match is_main {
                true => Operation::Assign(place, Expr::constant(0, Scalar::Int(Int::INT))),
                false => Operation::Havoc(place, Unknown::Uninitialised),
            };
            self.graph.emit(operation, origin);
        }
        let exit = self.exit;
        self.graph.jump(exit, origin);
    }

    fn finish(self, mut function: Function) -> (Function, Vec<(usize, NodeId)>) {
        function.result = self.result.as_ref().and_then(|place| match place.base {
            Base::Var(Var::Local(local)) => Some(local),
            _ => None,
        });
        let finished = self.graph.finish(NodeId(0), self.exit);
        function.locals = finished.locals;
        function.nodes = finished.nodes;
        function.edges = finished.edges;
        function.labels = finished.labels;
        function.entry = finished.entry;
        function.exit = finished.exit;
        (function, finished.marks)
    }

    /// A place of the text.
    fn origin(&self, span: Span) -> Origin {
        self.program.origin(self.index, span)
    }

    /// Where an expression stands.
    fn origin_of(&self, id: ExprId) -> Origin {
        self.origin(self.unit.expr(id).span)
    }

    /// A type of the unit.
    fn ty(&mut self, id: ctype::TypeId) -> TypeId {
        self.program.ty(self.index, id)
    }

    /// The type of an expression.
    fn type_of(&mut self, id: ExprId) -> TypeId {
        self.ty(self.unit.expr(id).ty.ty)
    }

    /// What values of a type of the unit are.
    fn scalar(&mut self, id: ctype::TypeId) -> Option<Scalar> {
        let ty = self.ty(id);
        self.program.types.types.scalar(ty)
    }

    /// What the value of an expression is; a number of no importance if it is none.
    fn scalar_of(&mut self, id: ExprId) -> Scalar {
        self.scalar(self.unit.expr(id).ty.ty)
            .unwrap_or(Scalar::Int(Int::INT))
    }

    /// The bytes of a type.
    fn size(&self, ty: TypeId) -> u64 {
        self.program.types.types.size(ty)
    }

    fn is_void(&self, id: ctype::TypeId) -> bool {
        matches!(self.unit.types.get(id), ctype::Type::Void)
    }

    /// Whether a type's size is computed when the program runs.
    fn is_variable(&self, id: ctype::TypeId) -> bool {
        match self.unit.types.get(id) {
            ctype::Type::Array(_, ctype::Length::Variable(_)) => true,
            ctype::Type::Array(element, _) => self.is_variable(element.ty),
            _ => false,
        }
    }

    /// A variable of the function.
    fn local_place(&self, local: LocalId) -> Place {
        let ty = self.graph.locals[local.0 as usize].ty;
        Place::whole(Var::Local(local), ty)
    }

    /// A variable of the program.
    fn global_place(&self, global: GlobalId) -> Place {
        Place::whole(Var::Global(global), self.program.global_type(global))
    }

    /// What a place has in it.
    fn load(&self, place: Place) -> Expr {
        let scalar = self.program.types.types.scalar(place.ty);
        load(place, scalar.unwrap_or(Scalar::Int(Int::INT)))
    }

    /// Keeps a value as it is now.
    fn save(&mut self, value: Expr, origin: Origin) -> Expr {
        if let ExprKind::Load(place) = &value.kind
            && let Base::Var(Var::Local(local)) = place.base
            && self.graph.is_temporary(local)
        {
            return value;
        }
        let ty = self.program.types.of_scalar(value.ty);
        let place = self.graph.temporary(ty, origin);
        let ty = value.ty;
        let value = match ty {
            Scalar::Bool => crate::exprs::convert(value, Scalar::Int(Int::BYTE)),
            _ => value,
        };
        self.graph
            .emit(Operation::Assign(place.clone(), value), origin);
        match ty {
            Scalar::Bool => crate::exprs::convert(self.load(place), Scalar::Bool),
            _ => self.load(place),
        }
    }

    /// Something that has no meaning here.
    fn unsupported(&mut self, what: &str, origin: Origin) {
        self.graph.emit(Operation::Unsupported(what.into()), origin);
    }
}
