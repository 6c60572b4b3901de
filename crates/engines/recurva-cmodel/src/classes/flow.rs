//! Which variables values are copied between, and what is asked of the values.

use recurva_model::{
    Action, Binary, Edge, Expr, Op, Parts, Patience, Place, Point, ProcId, Program, Stop, Type,
    VarRef, liveness::Liveness,
};
use rustc_hash::FxHashMap;

use super::Classes;
use crate::value::flipped;

/// A comparison of a number with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) operator: Binary,
    /// The right operand.
    pub(super) constant: u64,
    pub(super) ty: Type,
}

impl Comparison {
    /// Whether it holds for a number.
    pub(super) fn holds(self, number: u64) -> bool {
        self.operator.apply(self.ty, number, self.constant) == Some(1)
    }
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// The value of a variable, of an array's element, or of a choice, perhaps with another sign.
    Copy(u32),
    Constant(u64),
    /// Computed.
    Other,
}

/// Variables and choices, numbered.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The number of each procedure's first local.
    locals: Vec<u32>,
    choices: FxHashMap<(usize, usize, u32), u32>,
    count: u32,
}

impl Numbering {
    fn new(parts: &Parts) -> Self {
        let mut numbering = Numbering {
            locals: Vec::with_capacity(parts.procedures.len()),
            choices: FxHashMap::default(),
            count: parts.globals.len() as u32,
        };
        for procedure in &parts.procedures {
            numbering.locals.push(numbering.count);
            numbering.count += procedure.locals.len() as u32;
        }
        for (number, procedure) in parts.procedures.iter().enumerate() {
            for (index, edge) in procedure.edges.iter().enumerate() {
                for which in 0..edge.choices().len() as u32 {
                    let key = (number, index, which);
                    numbering.choices.insert(key, numbering.count);
                    numbering.count += 1;
                }
            }
        }
        numbering
    }

    pub(super) fn variable(&self, procedure: usize, variable: VarRef) -> u32 {
        match variable {
            VarRef::Global(index) => index,
            VarRef::Local(index) => self.locals[procedure] + index,
        }
    }

    fn choice(&self, procedure: usize, edge: usize, which: u32) -> u32 {
        self.choices[&(procedure, edge, which)]
    }

    /// The number of a choice, if its edge makes it.
    pub(super) fn known_choice(&self, procedure: usize, edge: usize, which: u32) -> Option<u32> {
        self.choices.get(&(procedure, edge, which)).copied()
    }
}

/// Variables and choices that values are copied between.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) bits: u8,
    pub(super) comparisons: Vec<Comparison>,
    /// The constants that are assigned.
    pub(super) constants: Vec<u64>,
    /// Whether its values are compared with each other: then each constant is a class.
    pub(super) is_paired: bool,
    /// Whether something else is done with the values than to copy and compare them.
    is_spoiled: bool,
}

/// The groups found so far.
pub(super) struct Flow {
    numbering: Numbering,
    /// Leads to the group's representative.
    parents: Vec<u32>,
    groups: Vec<Group>,
    /// What values are copied to, and from where.
    copies: Vec<(u32, u32)>,
    /// What is compared with each other.
    pairs: Vec<(u32, u32)>,
}

/// The classes of each variable and choice that has some.
pub(super) struct Groups {
    pub(super) numbering: Numbering,
    of: Vec<u32>,
    classes: Vec<Option<Classes>>,
}

impl Groups {
    pub(super) fn classes(&self, number: u32) -> Option<&Classes> {
        self.classes[self.of[number as usize] as usize].as_ref()
    }
}

/// Follows an expression's operators. `taken` is told of each that has operands, with the two of them
/// or, if there is one, the right one, and says what the result is.
fn operands(
    ops: &[Op],
    number: impl Fn(&Op) -> Option<u32>,
    mut taken: impl FnMut(usize, Operand, Operand) -> Operand,
) -> Operand {
    let mut stack: Vec<Operand> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let mut pop = || stack.pop().unwrap_or(Operand::Other);
        let result = match *op {
            Op::Const(value, _) => Operand::Constant(value),
            Op::Read(_) | Op::Any(..) => number(op).map_or(Operand::Other, Operand::Copy),
            Op::ReadNext(_) | Op::Undefined(_) => taken(at, Operand::Other, Operand::Other),
            Op::Index(_) => {
                let index = pop();
                taken(at, Operand::Other, index);
                number(op).map_or(Operand::Other, Operand::Copy)
            }
            Op::IndexNext(_)
            | Op::Unary(..)
            | Op::Convert(..)
            | Op::Faults
            | Op::UndefinedElement(_) => {
                let operand = pop();
                taken(at, Operand::Other, operand)
            }
            Op::Binary(..) => {
                let right = pop();
                let left = pop();
                taken(at, left, right)
            }
        };
        stack.push(result);
    }
    stack.pop().unwrap_or(Operand::Other)
}

/// A comparison of a copy with a constant, of an operator's operands.
pub(super) fn comparison(op: &Op, left: Operand, right: Operand) -> Option<(u32, Comparison)> {
    let Op::Binary(operator, ty) = *op else {
        return None;
    };
    let make = |operator, constant| Comparison {
        operator,
        constant,
        ty,
    };
    match (left, right) {
        _ if !operator.is_comparison() => None,
        (Operand::Copy(number), Operand::Constant(constant)) => {
            Some((number, make(operator, constant)))
        }
        (Operand::Constant(constant), Operand::Copy(number)) => {
            Some((number, make(flipped(operator), constant)))
        }
        _ => None,
    }
}

/// The two values that an operator asks whether they are the same.
pub(super) fn pair(op: &Op, left: Operand, right: Operand) -> Option<(u32, u32)> {
    match (op, left, right) {
        (
            Op::Binary(Binary::Equal | Binary::NotEqual, _),
            Operand::Copy(left),
            Operand::Copy(right),
        ) => Some((left, right)),
        _ => None,
    }
}

/// Whether an operator gives the bits of its operand another sign.
pub(super) fn is_change_of_sign(op: &Op) -> bool {
    let is_number = |ty: Type| ty != Type::Bool;
    matches!(*op, Op::Convert(from, to)
        if from.bits() == to.bits() && is_number(from) && is_number(to))
}

impl Flow {
    pub(super) fn new(parts: &Parts, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let numbering = Numbering::new(parts);
        let count = numbering.count as usize;
        let mut flow = Flow {
            parents: (0..numbering.count).collect(),
            groups: vec![Group::default(); count],
            copies: Vec::new(),
            pairs: Vec::new(),
            numbering,
        };
        flow.measure(parts);
        for (number, procedure) in parts.procedures.iter().enumerate() {
            for (index, edge) in procedure.edges.iter().enumerate() {
                patience.step()?;
                flow.edge(parts, (number, index), edge);
            }
        }
        flow.spoil_unknown_pairs(parts, patience)?;
        Ok(flow)
    }

    /// Of two values that are compared, one must be a constant in any case, or there would have to be
    /// a class for each number.
    fn spoil_unknown_pairs(
        &mut self,
        parts: &Parts,
        patience: &mut Patience<'_>,
    ) -> Result<(), Stop> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let mut is_unknown = vec![false; self.numbering.count as usize];
        let mut work: Vec<u32> = self.numbering.choices.values().copied().collect();
        work.extend(self.without_values(parts, patience)?);
        let mut copied: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(to, from) in &self.copies {
            copied.entry(from).or_default().push(to);
        }
        while let Some(number) = work.pop() {
            patience.work(1)?;
            if !std::mem::replace(&mut is_unknown[number as usize], true)
                && let Some(targets) = copied.get(&number)
            {
                work.extend(targets);
            }
        }
        for (left, right) in std::mem::take(&mut self.pairs) {
            let both = is_unknown[left as usize] && is_unknown[right as usize];
            let group = self.group(left);
            group.is_spoiled |= both;
            group.is_paired = true;
        }
        Ok(())
    }

    /// The variables that may be read before they are given a value.
    fn without_values(&self, parts: &Parts, patience: &mut Patience<'_>) -> Result<Vec<u32>, Stop> {
        // What is wrong with the parts is said by who makes the program of them.
        let Ok(program) = Program::new(parts.clone()) else {
            return Ok((0..self.numbering.count).collect());
        };
        let liveness = Liveness::new(&program, [], patience)?;
        let mut found = Vec::new();
        for (number, procedure) in parts.procedures.iter().enumerate() {
            let entry = Point {
                procedure: ProcId(number as u32),
                node: procedure.entry,
            };
            let live = liveness.at(entry);
            let is_main = number == parts.main.index();
            let first = if is_main { 0 } else { procedure.parameters };
            let locals = (first as u32..procedure.locals.len() as u32).map(VarRef::Local);
            let globals = (0..parts.globals.len() as u32).map(VarRef::Global);
            let globals = globals.filter(|_| is_main);
            let early = locals.chain(globals).filter(|&it| live.contains(it));
            found.extend(early.map(|it| self.numbering.variable(number, it)));
        }
        // Of an array nobody can tell which elements have values.
        let arrays = parts.globals.iter().enumerate();
        found.extend(arrays.filter(|it| it.1.len.is_some()).map(|it| it.0 as u32));
        for (number, procedure) in parts.procedures.iter().enumerate() {
            let arrays = procedure.locals.iter().enumerate();
            let arrays = arrays.filter(|it| it.1.len.is_some());
            found.extend(arrays.map(|it| self.numbering.locals[number] + it.0 as u32));
        }
        Ok(found)
    }

    /// The width of each variable and choice.
    fn measure(&mut self, parts: &Parts) {
        let mut set = |number: u32, ty: Type| {
            let group = &mut self.groups[number as usize];
            group.bits = ty.bits();
            group.is_spoiled = ty == Type::Bool;
        };
        for (number, procedure) in parts.procedures.iter().enumerate() {
            for (index, local) in procedure.locals.iter().enumerate() {
                set(self.numbering.locals[number] + index as u32, local.ty);
            }
            for (index, edge) in procedure.edges.iter().enumerate() {
                for (which, ty) in edge.choices().into_iter().enumerate() {
                    set(self.numbering.choice(number, index, which as u32), ty);
                }
            }
        }
        for (index, global) in parts.globals.iter().enumerate() {
            set(index as u32, global.ty);
        }
        // What a run begins with is a choice of the run, which no table tells about.
        let main = parts.main.index();
        for index in 0..parts.procedures[main].parameters {
            let number = self.numbering.locals[main] + index as u32;
            self.groups[number as usize].is_spoiled = true;
        }
    }

    fn find(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let parent = self.parents[number as usize];
            self.parents[number as usize] = self.parents[parent as usize];
            number = parent;
        }
        number
    }

    fn group(&mut self, number: u32) -> &mut Group {
        let root = self.find(number);
        &mut self.groups[root as usize]
    }

    fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return;
        }
        let from = std::mem::take(&mut self.groups[right as usize]);
        self.parents[right as usize] = left;
        let to = &mut self.groups[left as usize];
        to.is_spoiled |= from.is_spoiled || to.bits != from.bits;
        to.is_paired |= from.is_paired;
        to.constants.extend(from.constants);
        to.comparisons.extend(from.comparisons);
    }

    /// A value is used as a number.
    fn spoil(&mut self, operand: Operand) {
        if let Operand::Copy(number) = operand {
            self.group(number).is_spoiled = true;
        }
    }

    fn edge(&mut self, parts: &Parts, at: (usize, usize), edge: &Edge) {
        let own = |numbering: &Numbering, variable| numbering.variable(at.0, variable);
        let guard = self.expr(at, &edge.guard);
        self.spoil(guard);
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                for (place, value) in assigns {
                    if let Place::Element(_, index) = place {
                        let index = self.expr(at, index);
                        self.spoil(index);
                    }
                    let value = self.expr(at, value);
                    let target = own(&self.numbering, place.variable());
                    self.assigned(target, value);
                }
                if let Some(constraint) = constraint {
                    let constraint = self.expr(at, constraint);
                    self.spoil(constraint);
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let first = self.numbering.locals[callee.index()];
                for (index, argument) in arguments.iter().enumerate() {
                    let value = self.expr(at, argument);
                    self.assigned(first + index as u32, value);
                }
                let returned = &parts.procedures[callee.index()].results;
                for (&local, result) in returned.iter().zip(results) {
                    if let Some(variable) = *result {
                        let target = own(&self.numbering, variable);
                        self.assigned(target, Operand::Copy(first + local));
                    }
                }
            }
        }
    }

    fn assigned(&mut self, target: u32, value: Operand) {
        match value {
            Operand::Copy(source) => {
                self.copies.push((target, source));
                self.join(target, source);
            }
            Operand::Constant(value) => {
                let constants = &mut self.group(target).constants;
                if !constants.contains(&value) {
                    constants.push(value);
                }
            }
            Operand::Other => self.group(target).is_spoiled = true,
        }
    }

    fn expr(&mut self, (procedure, edge): (usize, usize), expr: &Expr) -> Operand {
        let ops = expr.ops();
        let mut seen: Vec<(usize, Operand, Operand)> = Vec::new();
        let numbering = &self.numbering;
        let result = operands(
            ops,
            |op| number_of(numbering, procedure, edge, op),
            |at, left, right| {
                seen.push((at, left, right));
                match is_change_of_sign(&ops[at]) && matches!(right, Operand::Copy(_)) {
                    true => right,
                    false => Operand::Other,
                }
            },
        );
        for (at, left, right) in seen {
            match ops[at] {
                Op::ReadNext(variable) | Op::IndexNext(variable) => {
                    let number = self.numbering.variable(procedure, variable);
                    self.group(number).is_spoiled = true;
                    self.spoil(right);
                }
                // Whether there is a value, not which one.
                Op::Faults => {}
                _ if is_change_of_sign(&ops[at]) => {}
                _ => match comparison(&ops[at], left, right) {
                    Some((number, comparison)) => {
                        let group = self.group(number);
                        if !group.comparisons.contains(&comparison) {
                            group.comparisons.push(comparison);
                        }
                    }
                    None => match pair(&ops[at], left, right) {
                        Some((left, right)) => {
                            self.pairs.push((left, right));
                            self.join(left, right);
                        }
                        None => {
                            self.spoil(left);
                            self.spoil(right);
                        }
                    },
                },
            }
        }
        result
    }

    /// The groups that are not spoiled, with the classes that somebody makes of them.
    pub(super) fn into_groups(mut self, make: impl Fn(&Group) -> Option<Classes>) -> Groups {
        let of: Vec<u32> = (0..self.numbering.count).map(|it| self.find(it)).collect();
        let is_root = |number: usize| of[number] == number as u32;
        let classes = (self.groups.iter().enumerate())
            .map(
                |(number, group)| match is_root(number) && !group.is_spoiled {
                    true => make(group),
                    false => None,
                },
            )
            .collect();
        Groups {
            numbering: self.numbering,
            of,
            classes,
        }
    }
}

/// The number of what an operator reads.
pub(super) fn number_of(
    numbering: &Numbering,
    procedure: usize,
    edge: usize,
    op: &Op,
) -> Option<u32> {
    match *op {
        Op::Read(variable) | Op::Index(variable) => Some(numbering.variable(procedure, variable)),
        Op::Any(_, which) => Some(numbering.choice(procedure, edge, which)),
        _ => None,
    }
}
