//! Expressions over bit vectors.
//!
//! An expression becomes a vector of diagrams and a diagram that says where its evaluation
//! faults. Where it does, the bits have no meaning.

use std::collections::BTreeMap;

use recurva_model::{Binary, Expr, Moment, Op, ProcId, Type, Unary, VarRef};
use rustc_hash::FxHashMap;

use crate::{
    bits::Bits,
    layout::{Copy, Layout},
    space::{Bdd, Res, Space, VarNo},
};

/// A value and where there is none.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) bits: Bits,
    pub(crate) fault: Bdd,
}

impl Value {
    /// Where a boolean value is there and true.
    pub(crate) fn holds(&self, space: &Space) -> Res<Bdd> {
        space.minus(&self.bits[0], &self.fault)
    }
}

/// What the variables of a procedure hold in the midst of a block, as functions of what they
/// held at its start. A variable that is not written holds what it held.
#[derive(Clone, Default)]
pub(crate) struct Written {
    /// The elements of each variable that was written.
    pub(crate) variables: BTreeMap<VarRef, Vec<Bits>>,
}

/// Where expressions are evaluated.
pub(crate) struct Evaluator<'a> {
    pub(crate) space: &'a Space,
    pub(crate) layout: &'a Layout,
    pub(crate) procedure: ProcId,
    /// Present values that are the same in all that is looked at.
    pub(crate) known: &'a Known,
}

/// Values of decision variables.
pub(crate) type Known = FxHashMap<VarNo, bool>;

/// The values an expression reads.
pub(crate) struct Values<'a> {
    pub(crate) now: &'a Written,
    pub(crate) next: &'a Written,
    pub(crate) choices: &'a [Bits],
}

impl Evaluator<'_> {
    /// What a variable's elements hold.
    pub(crate) fn elements(&self, written: &Written, variable: VarRef) -> Res<Vec<Bits>> {
        if let Some(elements) = written.variables.get(&variable) {
            return Ok(elements.clone());
        }
        let elements = self.layout.elements(self.procedure, variable);
        let now = |bit| {
            let var = self.layout.var(bit, Copy::Now);
            match self.known.get(&var) {
                Some(&value) => Ok(self.space.constant(value)),
                None => self.space.var(var),
            }
        };
        elements.map(|bits| bits.map(now).collect()).collect()
    }

    /// Evaluates an expression.
    pub(crate) fn eval(&self, expr: &Expr, values: &Values<'_>) -> Res<Value> {
        let mut stack: Vec<Value> = Vec::new();
        for &op in expr.ops() {
            let value = match op {
                Op::Const(value, ty) => self.sound(self.space.number(value, ty.bits())),
                Op::Read(variable) => self.read(values, variable, Moment::Now)?,
                Op::ReadNext(variable) => self.read(values, variable, Moment::Next)?,
                Op::Index(array) => {
                    let index = pop(&mut stack);
                    self.index(values, array, Moment::Now, &index)?
                }
                Op::IndexNext(array) => {
                    let index = pop(&mut stack);
                    self.index(values, array, Moment::Next, &index)?
                }
                Op::Any(_, which) => self.sound(values.choices[which as usize].clone()),
                Op::Unary(operator, _) => {
                    let Value { bits, fault } = pop(&mut stack);
                    let bits = match operator {
                        Unary::Not => self.space.complement(&bits)?,
                        Unary::Negate => self.space.negate(&bits)?,
                    };
                    Value { bits, fault }
                }
                Op::Convert(from, to) => {
                    let Value { bits, fault } = pop(&mut stack);
                    let bits = self.space.convert(&bits, from, to);
                    Value { bits, fault }
                }
                Op::Faults => self.sound(vec![pop(&mut stack).fault]),
                Op::Undefined(ty) => self.undefined(ty),
                Op::UndefinedElement(ty) => {
                    pop(&mut stack);
                    self.undefined(ty)
                }
                Op::Binary(operator, ty) => {
                    let (right, left) = (pop(&mut stack), pop(&mut stack));
                    self.binary(operator, ty, &left, &right)?
                }
            };
            stack.push(value);
        }
        Ok(pop(&mut stack))
    }

    fn sound(&self, bits: Bits) -> Value {
        Value {
            bits,
            fault: self.space.falsity(),
        }
    }

    fn undefined(&self, ty: Type) -> Value {
        Value {
            bits: self.space.number(0, ty.bits()),
            fault: self.space.truth(),
        }
    }

    fn read(&self, values: &Values<'_>, variable: VarRef, moment: Moment) -> Res<Value> {
        let mut elements = self.elements(values.at(moment), variable)?;
        Ok(self.sound(elements.swap_remove(0)))
    }

    fn index(
        &self,
        values: &Values<'_>,
        array: VarRef,
        moment: Moment,
        index: &Value,
    ) -> Res<Value> {
        let elements = self.elements(values.at(moment), array)?;
        let mut bits = self.space.number(0, elements[0].len() as u8);
        let mut in_range = self.space.falsity();
        for (position, element) in elements.iter().enumerate() {
            let here = self.space.is_number(&index.bits, position as u64)?;
            if !self.space.is_false(&here) {
                bits = self.space.select(&here, element, &bits)?;
                in_range = self.space.or(&in_range, &here)?;
            }
        }
        let outside = self.space.not(&in_range)?;
        let fault = self.space.or(&index.fault, &outside)?;
        Ok(Value { bits, fault })
    }

    fn binary(&self, operator: Binary, ty: Type, left: &Value, right: &Value) -> Res<Value> {
        let space = self.space;
        let (l, r) = (&left.bits[..], &right.bits[..]);
        let one = |bit: Bdd| vec![bit];
        let mut right_fault = right.fault.clone();
        if let Some((decides, _)) = operator.early(ty) {
            let open = if decides == 0 {
                l[0].clone()
            } else {
                space.not(&l[0])?
            };
            right_fault = space.and(&open, &right_fault)?;
        }
        let mut fault = space.or(&left.fault, &right_fault)?;
        let bits = match operator {
            Binary::And => space.bitwise(l, r, |a, b| space.and(a, b))?,
            Binary::Or => space.bitwise(l, r, |a, b| space.or(a, b))?,
            Binary::Xor => space.bitwise(l, r, |a, b| space.xor(a, b))?,
            Binary::Implies => space.bitwise(l, r, |a, b| space.or(&space.not(a)?, b))?,
            Binary::Equal => one(space.equal(l, r)?),
            Binary::NotEqual => one(space.not(&space.equal(l, r)?)?),
            Binary::Less => one(space.less_of(ty, l, r)?),
            Binary::Greater => one(space.less_of(ty, r, l)?),
            Binary::LessEqual => one(space.not(&space.less_of(ty, r, l)?)?),
            Binary::GreaterEqual => one(space.not(&space.less_of(ty, l, r)?)?),
            Binary::Add => space.add(l, r, false)?,
            Binary::Subtract => space.subtract(l, r)?,
            Binary::Multiply => space.multiply(l, r)?,
            Binary::Divide | Binary::Remainder => {
                fault = space.or(&fault, &space.is_number(r, 0)?)?;
                let (quotient, remainder) = if ty.is_signed() {
                    space.divide_signed(l, r)?
                } else {
                    space.divide(l, r)?
                };
                if operator == Binary::Divide {
                    quotient
                } else {
                    remainder
                }
            }
            Binary::ShiftLeft => space.shift_left(l, r)?,
            Binary::ShiftRight => {
                let fill = match l.last() {
                    Some(sign) if ty.is_signed() => sign.clone(),
                    _ => space.falsity(),
                };
                space.shift_right(l, r, &fill)?
            }
        };
        Ok(Value { bits, fault })
    }
}

impl Values<'_> {
    fn at(&self, moment: Moment) -> &Written {
        match moment {
            Moment::Now => self.now,
            Moment::Next => self.next,
        }
    }
}

fn pop(stack: &mut Vec<Value>) -> Value {
    stack.pop().expect("a well-typed expression")
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use oxidd::BooleanFunction;
    use recurva_model::{Edge, Ending, Node, NodeId, Origin, Parts, Procedure, Program, Variable};

    use super::*;
    use crate::{
        observer::Observer,
        plan::Plan,
        room::{Room, work},
    };

    const OPERATORS: [Binary; 17] = [
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Implies,
        Binary::Equal,
        Binary::NotEqual,
        Binary::Less,
        Binary::LessEqual,
        Binary::Greater,
        Binary::GreaterEqual,
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Remainder,
        Binary::ShiftLeft,
        Binary::ShiftRight,
    ];

    /// A program with these globals that does nothing.
    fn program(globals: &[Type]) -> Program {
        let globals = globals.iter().map(|&ty| Variable::scalar("x", ty));
        let main = Procedure {
            name: "main".into(),
            locals: vec![],
            parameters: 0,
            results: vec![],
            nodes: vec![Node::default(); 2],
            edges: vec![Edge::skip(NodeId(0), NodeId(1), Origin::default())],
            entry: NodeId(0),
            exit: NodeId(1),
            origin: Origin::default(),
        };
        Program::new(Parts {
            globals: globals.collect(),
            procedures: vec![main],
            main: ProcId(0),
            labels: vec![],
            failures: vec![],
        })
        .expect("a program")
    }

    /// Compares the values of expressions over globals with the definition, for all these
    /// values of the globals.
    fn compare(globals: &[Type], exprs: &[Expr], values: &[Vec<u64>]) {
        let program = program(globals);
        let plan = Plan::new(&program, Ending::Stops, |_| true);
        let layout = Layout::new(&program, &plan, &Observer::blind()).expect("a few bits");
        let room = Room {
            full: usize::MAX,
            nodes: 1 << 16,
            cache: 1 << 12,
            copied: 0,
            share: 0,
        };
        let manager = Space::manager(room).expect("enough memory");
        let mut tick = |_: &_| ControlFlow::Continue(());
        let done = work(&manager, None, &mut tick, |ticker| {
            let space = &Space::new(&manager, room, &layout, ticker);
            let evaluator = Evaluator {
                space,
                layout: &layout,
                procedure: ProcId(0),
                known: &Known::default(),
            };
            let nothing = &Written::default();
            for expr in exprs {
                let found = evaluator.eval(
                    expr,
                    &Values {
                        now: nothing,
                        next: nothing,
                        choices: &[],
                    },
                );
                let Ok(found) = found else {
                    panic!("{expr:?}: no room");
                };
                for values in values {
                    let args: Vec<(VarNo, bool)> = values
                        .iter()
                        .zip(0..)
                        .flat_map(|(&value, global)| {
                            let bits = layout.bits(ProcId(0), VarRef::Global(global));
                            let vars = bits.map(|bit| layout.var(bit, Copy::Now));
                            let bits = (0..).map(move |bit: u32| value >> bit & 1 == 1);
                            vars.zip(bits)
                        })
                        .collect();
                    let is = |f: &Bdd| f.eval(args.iter().copied());
                    let bits = found.bits.iter().enumerate();
                    let number = bits.fold(0, |sum, (bit, f)| sum | u64::from(is(f)) << bit);
                    let found = (!is(&found.fault)).then_some(number);
                    let wanted = expr.eval(&[], &|variable, _, _| match variable {
                        VarRef::Global(global) => Some(values[global as usize]),
                        VarRef::Local(_) => None,
                    });
                    assert_eq!(found, wanted, "{expr:?} of {values:?}");
                }
            }
        });
        done.expect("enough memory");
    }

    fn types(bits: u8) -> Vec<Type> {
        let mut types = vec![Type::unsigned(bits), Type::signed(bits)];
        if bits == 1 {
            types.push(Type::Bool);
        }
        types
    }

    fn binary(operator: Binary, ty: Type) -> Expr {
        let right = Expr::read(VarRef::Global(1));
        Expr::read(VarRef::Global(0)).join(operator, ty, &right)
    }

    #[test]
    fn operators_on_all_small_values() {
        for bits in 1..=4u8 {
            let all: Vec<Vec<u64>> = (0..1u64 << (2 * bits))
                .map(|pair| vec![pair >> bits, pair & ((1 << bits) - 1)])
                .collect();
            for ty in types(bits) {
                let mut exprs: Vec<Expr> = OPERATORS
                    .iter()
                    .map(|&operator| binary(operator, ty))
                    .collect();
                for operator in [Unary::Not, Unary::Negate] {
                    exprs.push(Expr::read(VarRef::Global(0)).then(Op::Unary(operator, ty)));
                }
                for to in (1..=6).flat_map(types) {
                    exprs.push(Expr::read(VarRef::Global(0)).then(Op::Convert(ty, to)));
                }
                compare(&[ty, ty], &exprs, &all);
            }
        }
    }

    #[test]
    fn operators_on_wide_constants() {
        let samples = [
            0,
            1,
            2,
            3,
            7,
            63,
            64,
            1 << 31,
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
        ];
        for bits in [5, 8, 31, 32, 33, 63, 64] {
            for ty in types(bits) {
                let mut exprs = Vec::new();
                for left in samples {
                    for right in samples {
                        let right = Expr::constant(right, ty);
                        exprs.extend(
                            OPERATORS.iter().map(|&operator| {
                                Expr::constant(left, ty).join(operator, ty, &right)
                            }),
                        );
                    }
                }
                compare(&[], &exprs, &[vec![]]);
            }
        }
    }

    #[test]
    fn faults_on_the_right_count_only_where_it_is_looked_at() {
        let ty = Type::unsigned(2);
        let quotient = binary(Binary::Divide, ty);
        let faulty = quotient.join(Binary::Equal, ty, &Expr::constant(1, ty));
        let left = Expr::read(VarRef::Global(2));
        let exprs = [Binary::And, Binary::Or, Binary::Implies, Binary::Xor]
            .into_iter()
            .flat_map(|operator| {
                let joined = left.clone().join(operator, Type::Bool, &faulty);
                let turned = faulty.clone().join(operator, Type::Bool, &left);
                let asked = joined.clone().then(Op::Faults);
                [joined, turned, asked]
            });
        let all: Vec<Vec<u64>> = (0..32)
            .map(|number| vec![number & 3, number >> 2 & 3, number >> 4])
            .collect();
        compare(&[ty, ty, Type::Bool], &exprs.collect::<Vec<_>>(), &all);
    }
}
