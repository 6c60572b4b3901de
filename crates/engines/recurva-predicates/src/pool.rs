//! Predicates that a program suggests: the conditions in it, and variables compared with constants that
//! flow to them.

use recurva_model::{Action, Binary, Expr, Op, ProcId, Program, Type, VarRef, Variable};
use rustc_hash::FxHashMap;

use crate::expression::{atoms, positive, read, simplified};

/// Elements of larger arrays are not compared one by one.
const MOST_ELEMENTS: u32 = 16;

/// Constants of a class that are used.
const MOST_CONSTANTS: usize = 40;

/// See [the module](self).
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// The conditions of each procedure.
    conditions: Vec<Vec<Expr>>,
    /// By variable, comparisons with constants.
    comparisons: FxHashMap<(Option<ProcId>, VarRef), Vec<Expr>>,
}

/// A variable of the program: a local with its procedure.
type Key = (Option<ProcId>, VarRef);

fn key(procedure: ProcId, variable: VarRef) -> Key {
    match variable {
        VarRef::Global(_) => (None, variable),
        VarRef::Local(_) => (Some(procedure), variable),
    }
}

/// Variables between which values flow, and the constants that come there.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Key, usize>,
    parents: Vec<usize>,
    constants: Vec<Vec<(Binary, i128)>>,
}

impl Classes {
    fn number(&mut self, key: Key) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.constants.push(Vec::new());
        }
        number
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn join(&mut self, left: Key, right: Key) {
        let (left, right) = (self.number(left), self.number(right));
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            let moved = std::mem::take(&mut self.constants[right]);
            self.constants[left].extend(moved);
            self.parents[right] = left;
        }
    }

    fn add(&mut self, variable: Key, comparison: (Binary, i128)) {
        let number = self.number(variable);
        let root = self.root(number);
        if !self.constants[root].contains(&comparison) {
            self.constants[root].push(comparison);
        }
    }

    /// A value flows to a variable.
    fn flow(&mut self, procedure: ProcId, value: &Expr, to: Key) {
        match plain(value) {
            [Op::Read(from)] | [.., Op::Index(from)] => self.join(to, key(procedure, *from)),
            &[Op::Const(constant, ty)] => {
                self.add(to, (Binary::Equal, ty.to_number(constant)));
            }
            _ => {}
        }
    }

    fn condition(&mut self, procedure: ProcId, atom: &Expr) {
        match *atom.ops() {
            [Op::Read(x), Op::Const(value, _), Op::Binary(operator, ty)]
            | [
                ..,
                Op::Index(x),
                Op::Const(value, _),
                Op::Binary(operator, ty),
            ] => {
                self.add(key(procedure, x), (operator, ty.to_number(value)));
            }
            [
                Op::Const(value, _),
                Op::Read(x),
                Op::Binary(Binary::Less, ty),
            ] => {
                self.add(key(procedure, x), (Binary::Greater, ty.to_number(value)));
            }
            [Op::Read(x), Op::Read(y), Op::Binary(Binary::Equal, _)] => {
                self.join(key(procedure, x), key(procedure, y));
            }
            _ => {}
        }
    }
}

/// An expression without conversions around it.
fn plain(expression: &Expr) -> &[Op] {
    let mut ops = expression.ops();
    while let [rest @ .., Op::Convert(..)] = ops {
        ops = rest;
    }
    ops
}

/// How many elements a variable has.
pub(crate) fn length(program: &Program, procedure: ProcId) -> impl Fn(VarRef) -> u32 + '_ {
    move |variable| program.variable(procedure, variable).slots() as u32
}

impl Pool {
    pub(crate) fn new(program: &Program) -> Self {
        let mut conditions = Vec::new();
        let mut classes = Classes::default();
        for (index, procedure) in program.procedures().iter().enumerate() {
            let id = ProcId(index as u32);
            let mut here = Vec::new();
            for edge in &procedure.edges {
                atoms(&edge.guard, length(program, id), &mut here);
                match &edge.action {
                    Action::Assign { assigns, .. } => {
                        for (place, value) in assigns {
                            let to = key(id, place.variable());
                            classes.flow(id, value, to);
                            let ty = program.variable(id, place.variable()).ty;
                            if ty == Type::Bool {
                                atoms(value, length(program, id), &mut here);
                            }
                        }
                    }
                    Action::Call {
                        callee,
                        arguments,
                        results,
                    } => {
                        for (parameter, value) in arguments.iter().enumerate() {
                            let to = key(*callee, VarRef::Local(parameter as u32));
                            classes.flow(id, value, to);
                        }
                        let locals = &program.procedure(*callee).results;
                        for (result, &local) in results.iter().zip(locals) {
                            if let Some(result) = *result {
                                let from = key(*callee, VarRef::Local(local));
                                classes.join(key(id, result), from);
                            }
                        }
                    }
                }
            }
            here.iter().for_each(|it| classes.condition(id, it));
            conditions.push(here);
        }
        let mut comparisons = FxHashMap::default();
        for (&(procedure, variable), &number) in &classes.numbers {
            let declared = program.variable(procedure.unwrap_or(ProcId(0)), variable);
            let constants = &classes.constants[classes.root(number)];
            let mut found = Vec::new();
            for cell in cells(declared, variable) {
                for &(operator, constant) in constants.iter().take(MOST_CONSTANTS) {
                    found.extend(comparison(declared, &cell, operator, constant));
                }
            }
            found.dedup();
            comparisons.insert((procedure, variable), found);
        }
        Pool {
            conditions,
            comparisons,
        }
    }

    /// The conditions of a procedure.
    pub(crate) fn conditions(&self, procedure: ProcId) -> &[Expr] {
        &self.conditions[procedure.index()]
    }

    /// Comparisons of a variable with constants.
    pub(crate) fn comparisons(&self, procedure: ProcId, variable: VarRef) -> &[Expr] {
        let found = self.comparisons.get(&key(procedure, variable));
        found.map(|it| &it[..]).unwrap_or_default()
    }
}

/// What reads a variable, or each element of a small array.
pub(crate) fn cells(declared: &Variable, variable: VarRef) -> Vec<Vec<Op>> {
    match declared.len {
        None => vec![vec![Op::Read(variable)]],
        Some(len) if len <= MOST_ELEMENTS => {
            let elements = 0..u64::from(len);
            elements.map(|at| read(Op::Index(variable), at)).collect()
        }
        Some(_) => Vec::new(),
    }
}

/// A comparison of a variable, or an element, with a constant, if that is a value of its type.
pub(crate) fn comparison(
    declared: &Variable,
    cell: &[Op],
    operator: Binary,
    constant: i128,
) -> Option<Expr> {
    let ty = declared.ty;
    let value = ty.from_number(constant)?;
    let whole = Expr::new(cell).join(operator, ty, &Expr::constant(value, ty));
    let whole = simplified(&whole, |_| declared.slots() as u32).map(positive)?;
    match whole.ops() {
        [Op::Const(..)] => None,
        _ => Some(whole),
    }
}
