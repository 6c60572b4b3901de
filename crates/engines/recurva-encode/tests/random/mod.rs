//! Random programs of one edge, with types of any width and operators of all kinds.

use recurva_model::{
    Action, Binary, Edge, Expr, Node, NodeId, Op, Origin, Parts, Place, ProcId, Procedure, Program,
    Type, Unary, VarRef, Variable,
};
use recurva_testkit::rng::Rng;

/// What programs are made of.
pub(crate) struct Setting {
    /// The widest type.
    bits: usize,
    /// Whether operators may look at single bits.
    looks_at_bits: bool,
}

impl Setting {
    pub(crate) fn any() -> Self {
        Setting {
            bits: 64,
            looks_at_bits: true,
        }
    }

    /// What integers can express exactly, with products that fit 128 bits.
    pub(crate) fn exact_on_integers() -> Self {
        Setting {
            bits: 60,
            looks_at_bits: false,
        }
    }
}

pub(crate) struct Random(Rng);

/// What an expression may read.
struct Scope {
    variables: Vec<(VarRef, Type, Option<u32>)>,
    may_read_next: bool,
    choices: Vec<Type>,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Rng::new(seed))
    }

    /// A value of each type, often one that matters.
    pub(crate) fn values(&mut self, types: &[Type]) -> Vec<u64> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    fn value(&mut self, ty: Type) -> u64 {
        let top = 1u64 << (ty.bits() - 1);
        ty.wrap(match self.0.below(8) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => top,
            4 => top.wrapping_sub(1),
            5 => self.0.bits(),
            _ => self.0.bits() % 6,
        })
    }

    fn ty(&mut self, setting: &Setting) -> Type {
        let bits = match self.0.below(6) {
            0 => return Type::Bool,
            1 => 1 + self.0.below(setting.bits),
            2 => *self.0.pick(&[8, 16, 32]).unwrap_or(&8),
            _ => 1 + self.0.below(4),
        };
        match self.0.chance(50) {
            true => Type::signed(bits as u8),
            false => Type::unsigned(bits as u8),
        }
    }

    fn variables(&mut self, setting: &Setting, count: usize, arrays: u8) -> Vec<Variable> {
        let variable = |number| {
            let ty = self.ty(setting);
            let name = format!("v{number}");
            match self.0.chance(arrays) {
                true => Variable::array(name, ty, 1 + self.0.below(24) as u32),
                false => Variable::scalar(name, ty),
            }
        };
        (0..count).map(variable).collect()
    }

    /// A main procedure with an edge, and a procedure that can be called.
    pub(crate) fn program(&mut self, setting: &Setting) -> Program {
        let globals = self.variables(setting, 3, 40);
        let locals = self.variables(setting, 3, 40);
        let mut inner = self.variables(setting, 2, 0);
        inner.extend(self.variables(setting, 1, 40));
        let references = |variables: &[Variable], of: fn(u32) -> VarRef| {
            let all = variables.iter().enumerate();
            all.map(|(index, it)| (of(index as u32), it.ty, it.len))
                .collect::<Vec<_>>()
        };
        let mut scope = Scope {
            variables: references(&globals, VarRef::Global),
            may_read_next: false,
            choices: Vec::new(),
        };
        scope.variables.extend(references(&locals, VarRef::Local));
        let guard = match self.0.chance(50) {
            true => Expr::truth(),
            false => self.expression(setting, &mut scope, Type::Bool),
        };
        let action = match self.0.chance(25) {
            true => self.call(setting, &mut scope, &inner),
            false => self.assign(setting, &mut scope),
        };
        let main = procedure("main", locals, (0, vec![]), vec![edge(guard, action)]);
        let skip = edge(Expr::truth(), Action::skip());
        let callee = procedure("f", inner, (1, vec![1, 0]), vec![skip]);
        let parts = Parts {
            globals,
            procedures: vec![main, callee],
            main: ProcId(0),
            labels: vec![],
            failures: vec![],
        };
        Program::new(parts).expect("a program")
    }

    fn assign(&mut self, setting: &Setting, scope: &mut Scope) -> Action {
        let mut assigns = Vec::new();
        for _ in 0..self.0.below(4) {
            let Some(&(variable, ty, len)) = self.0.pick(&scope.variables) else {
                break;
            };
            let place = match len {
                None => Place::Scalar(variable),
                Some(len) => Place::Element(variable, self.index(setting, scope, len)),
            };
            assigns.push((place, self.expression(setting, scope, ty)));
        }
        let constraint = self.0.chance(30).then(|| {
            scope.may_read_next = true;
            self.expression(setting, scope, Type::Bool)
        });
        Action::Assign {
            assigns,
            constraint,
        }
    }

    fn call(&mut self, setting: &Setting, scope: &mut Scope, inner: &[Variable]) -> Action {
        let argument = self.expression(setting, scope, inner[0].ty);
        let mut free = scope.variables.clone();
        let results = [1, 0].map(|result: usize| {
            let fits =
                |it: &(VarRef, Type, Option<u32>)| it.1 == inner[result].ty && it.2.is_none();
            let found = free.iter().position(fits)?;
            Some(free.remove(found).0)
        });
        Action::Call {
            callee: ProcId(1),
            arguments: vec![argument],
            results: results.to_vec(),
        }
    }

    fn index(&mut self, setting: &Setting, scope: &mut Scope, len: u32) -> Expr {
        let ty = self.ty(setting);
        let mut expression = self.expression(setting, scope, ty);
        if self.0.chance(40) && ty != Type::Bool {
            let len = Expr::constant(u64::from(len).min(ty.mask()).max(1), ty);
            expression = expression.join(Binary::Remainder, ty, &len);
        }
        expression
    }

    fn expression(&mut self, setting: &Setting, scope: &mut Scope, ty: Type) -> Expr {
        let mut budget = 1 + self.0.below(8);
        let mut ops = Vec::new();
        self.add(setting, scope, ty, &mut budget, &mut ops);
        Expr::new(ops)
    }

    fn leaf(&mut self, scope: &mut Scope, ty: Type, ops: &mut Vec<Op>) {
        let fitting = scope.variables.iter();
        let fitting: Vec<VarRef> = fitting
            .filter(|it| it.1 == ty && it.2.is_none())
            .map(|it| it.0)
            .collect();
        let all = scope.variables.iter().filter(|it| it.2.is_none());
        let all: Vec<(VarRef, Type)> = all.map(|it| (it.0, it.1)).collect();
        match (self.0.below(5), self.0.pick(&fitting), self.0.pick(&all)) {
            (0, ..) => {
                scope.choices.push(ty);
                ops.push(Op::Any(ty, scope.choices.len() as u32 - 1));
            }
            (1, Some(&variable), _) if scope.may_read_next => ops.push(Op::ReadNext(variable)),
            (1 | 2, Some(&variable), _) => ops.push(Op::Read(variable)),
            (1..=3, _, Some(&(variable, from))) => {
                ops.extend([Op::Read(variable), Op::Convert(from, ty)]);
            }
            _ => ops.push(Op::Const(self.value(ty), ty)),
        }
    }

    fn add(
        &mut self,
        setting: &Setting,
        scope: &mut Scope,
        ty: Type,
        budget: &mut usize,
        ops: &mut Vec<Op>,
    ) {
        if *budget == 0 {
            return self.leaf(scope, ty, ops);
        }
        *budget -= 1;
        match self.0.below(10) {
            0 => self.leaf(scope, ty, ops),
            1 => {
                let from = self.ty(setting);
                self.add(setting, scope, from, budget, ops);
                ops.push(Op::Convert(from, ty));
            }
            2 => {
                self.add(setting, scope, ty, budget, ops);
                let unary = [Unary::Not, Unary::Negate][self.0.below(2)];
                ops.push(Op::Unary(unary, ty));
            }
            3 => self.element(setting, scope, ty, budget, ops),
            4 if ty == Type::Bool => {
                let of = self.ty(setting);
                self.add(setting, scope, of, budget, ops);
                ops.push(Op::Faults);
            }
            5 if self.0.chance(10) => ops.push(Op::Undefined(ty)),
            6 | 7 if ty == Type::Bool => {
                use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
                let of = self.ty(setting);
                self.add(setting, scope, of, budget, ops);
                self.add(setting, scope, of, budget, ops);
                let all = [Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual];
                ops.push(Op::Binary(all[self.0.below(6)], of));
            }
            _ => self.binary(setting, scope, ty, budget, ops),
        }
    }

    fn element(
        &mut self,
        setting: &Setting,
        scope: &mut Scope,
        ty: Type,
        budget: &mut usize,
        ops: &mut Vec<Op>,
    ) {
        let arrays = scope.variables.iter().filter(|it| it.2.is_some());
        let arrays: Vec<_> = arrays.copied().collect();
        let Some(&(array, from, len)) = self.0.pick(&arrays) else {
            return self.leaf(scope, ty, ops);
        };
        let index = self.ty(setting);
        self.add(setting, scope, index, budget, ops);
        if self.0.chance(60) && index != Type::Bool {
            let len = u64::from(len.unwrap_or(1)).min(index.mask()).max(1);
            ops.extend([Op::Const(len, index), Op::Binary(Binary::Remainder, index)]);
        }
        ops.push(match scope.may_read_next && self.0.chance(50) {
            true => Op::IndexNext(array),
            false => Op::Index(array),
        });
        ops.push(Op::Convert(from, ty));
    }

    fn binary(
        &mut self,
        setting: &Setting,
        scope: &mut Scope,
        ty: Type,
        budget: &mut usize,
        ops: &mut Vec<Op>,
    ) {
        use Binary::{
            Add, And, Divide, Implies, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
            Xor,
        };
        let logical = ty == Type::Bool;
        let mut all = vec![
            Add, Subtract, Multiply, Divide, Remainder, ShiftLeft, ShiftRight,
        ];
        if logical {
            all = vec![And, Or, Xor, Implies];
        } else if setting.looks_at_bits {
            all.extend([And, Or, Xor]);
        } else {
            all.push(And);
        }
        let operator = all[self.0.below(all.len())];
        self.add(setting, scope, ty, budget, ops);
        match operator {
            ShiftLeft | ShiftRight if setting.looks_at_bits => {
                let amount = self.ty(setting);
                self.add(setting, scope, amount, budget, ops);
            }
            ShiftLeft | ShiftRight => {
                let amount = self.0.below(usize::from(ty.bits())) as u64;
                ops.push(Op::Const(amount, Type::unsigned(8)));
            }
            And if !logical && !setting.looks_at_bits => {
                let mask = (1u64 << self.0.below(usize::from(ty.bits()))) - 1;
                ops.push(Op::Const(mask, ty));
            }
            _ => self.add(setting, scope, ty, budget, ops),
        }
        ops.push(Op::Binary(operator, ty));
    }
}

fn edge(guard: Expr, action: Action) -> Edge {
    Edge {
        from: NodeId(0),
        to: NodeId(1),
        guard,
        action,
        origin: Origin::default(),
    }
}

fn procedure(
    name: &str,
    locals: Vec<Variable>,
    (parameters, results): (usize, Vec<u32>),
    edges: Vec<Edge>,
) -> Procedure {
    Procedure {
        name: name.into(),
        locals,
        parameters,
        results,
        nodes: vec![Node::default(); 2],
        edges,
        entry: NodeId(0),
        exit: NodeId(1),
        origin: Origin::default(),
    }
}
