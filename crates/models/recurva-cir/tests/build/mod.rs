//! A tiny builder of modules.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "each test uses a part of it"
)]

use recurva_cir::interpret::{Machine, Native, Options, Outcome};
use recurva_cir::*;

pub const I8: Int = int(8, true);
pub const I16: Int = int(16, true);
pub const I32: Int = int(32, true);
pub const I64: Int = int(64, true);
pub const U8: Int = int(8, false);
pub const U16: Int = int(16, false);
pub const U32: Int = int(32, false);
pub const U64: Int = int(64, false);

pub const fn int(bits: u8, is_signed: bool) -> Int {
    Int { bits, is_signed }
}

pub struct Build {
    pub module: Module,
}

pub struct Body {
    pub function: Function,
    at: u32,
}

impl Build {
    pub fn new(pointer_bytes: u64) -> Self {
        Build {
            module: Module {
                sources: Vec::new(),
                types: Types {
                    pointer_bytes,
                    extended_bytes: 16,
                    ..Types::default()
                },
                globals: Vec::new(),
                functions: Vec::new(),
                entry: FunctionId(0),
            },
        }
    }

    pub fn ty(&mut self, ty: Type) -> TypeId {
        let list = &mut self.module.types.list;
        let index = list.iter().position(|it| *it == ty);
        let index = index.unwrap_or_else(|| {
            list.push(ty);
            list.len() - 1
        });
        TypeId(index as u32)
    }

    pub fn int(&mut self, int: Int) -> TypeId {
        self.ty(Type::Int(int))
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.ty(Type::Pointer(to))
    }

    /// A structure or a union: names, types and offsets.
    pub fn record(
        &mut self,
        name: &str,
        is_union: bool,
        size: u64,
        fields: &[(&str, TypeId, u64)],
    ) -> (RecordId, TypeId) {
        let fields = fields.iter().map(|&(name, ty, offset)| Field {
            name: name.into(),
            ty,
            offset,
            bits: None,
        });
        let id = RecordId(self.module.types.records.len() as u32);
        self.module.types.records.push(Record {
            name: name.into(),
            is_union,
            size,
            align: 8,
            fields: fields.collect(),
        });
        (id, self.ty(Type::Record(id)))
    }

    pub fn global(&mut self, name: &str, ty: TypeId, bytes: &[u8]) -> Var {
        let mut bytes = bytes.to_vec();
        let size = self.module.types.size(ty) as usize;
        bytes.resize(size.max(bytes.len()), 0);
        self.module.globals.push(Global {
            name: name.into(),
            ty,
            bytes,
            addresses: Vec::new(),
            is_const: false,
            origin: Origin::default(),
        });
        Var::Global(GlobalId(self.module.globals.len() as u32 - 1))
    }

    /// A string literal.
    pub fn string(&mut self, text: &str) -> Expr {
        let char = self.ty(Type::Char(I8));
        let ty = self.ty(Type::Array(char, text.len() as u64 + 1));
        let var = self.global("", ty, text.as_bytes());
        let index = Step::Index(Box::new(num(0, I32)));
        address(Place {
            base: Base::Var(var),
            path: vec![index],
            ty: char,
            bits: None,
        })
    }

    /// A function without a body.
    pub fn external(&mut self, name: &str, result: Option<TypeId>) -> FunctionId {
        let mut body = Body::new(name);
        body.function.result_type = result;
        body.function.nodes.clear();
        body.function.is_variadic = true;
        self.add(body.function)
    }

    pub fn add(&mut self, function: Function) -> FunctionId {
        self.module.functions.push(function);
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    /// Makes a function the entry, runs it, and tells how that ended.
    pub fn run(&mut self, body: Body) -> Outcome {
        self.run_with(body, Options::default()).0
    }

    pub fn run_with(&mut self, body: Body, options: Options) -> (Outcome, String) {
        self.module.entry = self.add(body.finish());
        validate(&self.module).unwrap();
        let mut world = Native::new();
        let outcome = Machine::new(&self.module, &mut world, options).run();
        (outcome, String::from_utf8(world.output).unwrap())
    }
}

impl Body {
    pub fn new(name: &str) -> Self {
        Body {
            function: Function {
                name: name.into(),
                locals: Vec::new(),
                parameters: 0,
                is_variadic: false,
                result: None,
                result_type: None,
                nodes: vec![Origin::default()],
                edges: Vec::new(),
                entry: NodeId(0),
                exit: NodeId(0),
                labels: Vec::new(),
                origin: Origin::default(),
            },
            at: 0,
        }
    }

    pub fn local(&mut self, name: &str, ty: TypeId) -> Place {
        self.local_of_kind(name, ty, LocalKind::User)
    }

    pub fn local_of_kind(&mut self, name: &str, ty: TypeId, kind: LocalKind) -> Place {
        self.function.locals.push(Local {
            name: name.into(),
            ty,
            kind,
            origin: Origin::default(),
        });
        let id = LocalId(self.function.locals.len() as u32 - 1);
        Place::whole(Var::Local(id), ty)
    }

    /// All parameters come before other variables.
    pub fn parameter(&mut self, name: &str, ty: TypeId) -> Place {
        self.function.parameters += 1;
        self.local(name, ty)
    }

    /// The variable of the result.
    pub fn result(&mut self, ty: TypeId) -> Place {
        let place = self.local("result", ty);
        self.function.result = Some(LocalId(self.function.locals.len() as u32 - 1));
        self.function.result_type = Some(ty);
        place
    }

    pub fn node(&mut self) -> NodeId {
        self.function.nodes.push(Origin::default());
        NodeId(self.function.nodes.len() as u32 - 1)
    }

    pub fn here(&self) -> NodeId {
        NodeId(self.at)
    }

    pub fn go_to(&mut self, node: NodeId) {
        self.at = node.0;
    }

    pub fn edge(&mut self, from: NodeId, to: NodeId, operation: Operation) {
        self.function.edges.push(Edge {
            from,
            to,
            operation,
            origin: Origin::default(),
        });
    }

    pub fn then(&mut self, operation: Operation) {
        let to = self.node();
        self.edge(NodeId(self.at), to, operation);
        self.at = to.0;
    }

    pub fn assign(&mut self, place: &Place, value: Expr) {
        self.then(Operation::Assign(place.clone(), value));
    }

    pub fn call(&mut self, callee: FunctionId, arguments: Vec<Expr>, result: Option<&Place>) {
        self.then(Operation::Call {
            callee: Callee::Function(callee),
            arguments: arguments.into_iter().map(Argument::Value).collect(),
            result: result.cloned(),
        });
    }

    /// Fails if a condition does not hold.
    pub fn expect(&mut self, condition: Expr) {
        let (bad, good) = (self.node(), self.node());
        let from = self.here();
        self.edge(from, good, Operation::Assume(condition.clone()));
        self.edge(from, bad, Operation::Assume(not(condition)));
        let text = format!("expectation {}", self.function.edges.len() / 3);
        let kind = ErrorKind::Assertion(text.into());
        self.edge(bad, good, Operation::Error(kind));
        self.go_to(good);
    }

    pub fn finish(mut self) -> Function {
        self.function.exit = NodeId(self.at);
        self.function.edges.sort_by_key(|edge| edge.from);
        self.function
    }
}

pub fn expr(kind: ExprKind, ty: Scalar) -> Expr {
    Expr { kind, ty }
}

pub fn num(value: i64, int: Int) -> Expr {
    let mask = u64::MAX >> (64 - int.bits);
    Expr::constant(value as u64 & mask, Scalar::Int(int))
}

pub fn null() -> Expr {
    Expr::constant(0, Scalar::Pointer)
}

/// The value of a place that holds a scalar, whose type is given.
pub fn load(place: &Place, ty: Scalar) -> Expr {
    expr(ExprKind::Load(Box::new(place.clone())), ty)
}

pub fn load_int(place: &Place, int: Int) -> Expr {
    load(place, Scalar::Int(int))
}

pub fn load_pointer(place: &Place) -> Expr {
    load(place, Scalar::Pointer)
}

pub fn address(place: Place) -> Expr {
    expr(ExprKind::Address(Box::new(place)), Scalar::Pointer)
}

pub fn deref(pointer: Expr, ty: TypeId) -> Place {
    Place {
        base: Base::Deref(Box::new(pointer), ty),
        path: Vec::new(),
        ty,
        bits: None,
    }
}

pub fn field(place: &Place, record: RecordId, index: u32, ty: TypeId) -> Place {
    let mut place = place.clone();
    place.path.push(Step::Field(record, index));
    place.ty = ty;
    place
}

pub fn element(place: &Place, index: Expr, ty: TypeId) -> Place {
    let mut place = place.clone();
    place.path.push(Step::Index(Box::new(index)));
    place.ty = ty;
    place
}

pub fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let ty = match operator {
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => Scalar::Bool,
        _ => left.ty,
    };
    expr(
        ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        ty,
    )
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(Binary::Equal, left, right)
}

pub fn add(left: Expr, right: Expr) -> Expr {
    binary(Binary::Add, left, right)
}

pub fn not(condition: Expr) -> Expr {
    expr(
        ExprKind::Unary(Unary::Not, Box::new(condition)),
        Scalar::Bool,
    )
}

pub fn convert(value: Expr, ty: Scalar) -> Expr {
    expr(ExprKind::Convert(Box::new(value)), ty)
}

pub fn is_valid(pointer: Expr, count: u64) -> Expr {
    expr(ExprKind::IsValid(Box::new(pointer), count), Scalar::Bool)
}

pub fn is_alive(pointer: Expr) -> Expr {
    expr(ExprKind::IsAlive(Box::new(pointer)), Scalar::Bool)
}

pub fn is_freeable(pointer: Expr) -> Expr {
    expr(ExprKind::IsFreeable(Box::new(pointer)), Scalar::Bool)
}

pub fn offset(pointer: Expr, index: Expr, size: u64) -> Expr {
    let (pointer, index) = (Box::new(pointer), Box::new(index));
    let kind = ExprKind::Offset {
        pointer,
        index,
        size,
    };
    expr(kind, Scalar::Pointer)
}
