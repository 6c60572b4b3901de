//! Expressions compiled to a short code for a stack machine.
//!
//! From the postfix form it differs in two ways: operators that decide early jump over their
//! right operand (so an unknown variable there is not read, and not split), and variables
//! are slots of the packed state.

use std::ops::Range;

use recurva_model::{Binary, Expr, Op, ProcId, Program, Type, Unary, VarRef, convert};
use smallvec::SmallVec;

use super::layout::{Layout, SlotId};

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Push(u64),
    Load(SlotId),
    LoadNext(SlotId),
    /// Pops an index below the length, pushes that element of the array from this slot on.
    Index(SlotId, u32),
    IndexNext(SlotId, u32),
    Any(u64, u32),
    Unary(Unary, Type),
    Binary(Binary, Type),
    Convert(Type, Type),
    /// If the top is the first value, replaces it by the second and skips so many
    /// instructions; else drops it.
    Decide(bool, bool, u32),
    /// A fault before the matching [`Instruction::Caught`] pushes 1 and goes on behind it, so
    /// many instructions on.
    Catch(u32),
    /// Replaces the top by 0: no fault.
    Caught,
    Fault,
}

/// A stretch of a [`Codes`].
pub(crate) type Code = Range<u32>;

/// The instructions of all expressions of a program.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    instructions: Vec<Instruction>,
}

/// What running a code needs to know of a state.
pub(crate) trait Reader {
    /// The value of a slot before the step.
    fn now(&mut self, slot: SlotId) -> u64;
    /// The value of a slot after the step.
    fn next(&mut self, slot: SlotId) -> u64;
    /// The value of the edge's choice of that number.
    fn any(&mut self, which: u32, max: u64) -> u64;
}

impl Codes {
    /// Compiles an expression read in a procedure.
    pub(crate) fn compile(
        &mut self,
        program: &Program,
        layout: &Layout,
        procedure: ProcId,
        expr: &Expr,
    ) -> Code {
        let shape = Shape::of(expr);
        let start = self.instructions.len();
        // Jumps to be filled in once the operator they skip to has been emitted.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut catches = shape.catches.into_iter().peekable();
        for (position, &op) in expr.ops().iter().enumerate() {
            if let Some(Some((operator, decides, result))) = shape.decisions.get(position) {
                open.push((*operator, self.instructions.len()));
                self.emit(Instruction::Decide(*decides, *result, 0));
            }
            while let Some((_, operator)) = catches.next_if(|(start, _)| *start == position) {
                open.push((operator, self.instructions.len()));
                self.emit(Instruction::Catch(0));
            }
            let slot = |variable: VarRef| layout.slot_of(procedure, variable);
            let len = |variable: VarRef| program.variable(procedure, variable).slots() as u32;
            match op {
                Op::Const(value, _) => self.emit(Instruction::Push(value)),
                Op::Read(variable) => self.emit(Instruction::Load(slot(variable))),
                Op::ReadNext(variable) => self.emit(Instruction::LoadNext(slot(variable))),
                Op::Index(array) => self.emit(Instruction::Index(slot(array), len(array))),
                Op::IndexNext(array) => self.emit(Instruction::IndexNext(slot(array), len(array))),
                Op::Any(ty, which) => self.emit(Instruction::Any(ty.mask(), which)),
                Op::Unary(operator, ty) => self.emit(Instruction::Unary(operator, ty)),
                Op::Binary(operator, ty) if operator.early(ty).is_some() => {}
                Op::Binary(operator, ty) => self.emit(Instruction::Binary(operator, ty)),
                Op::Convert(from, to) => self.emit(Instruction::Convert(from, to)),
                Op::Faults => self.emit(Instruction::Caught),
                Op::Undefined(_) | Op::UndefinedElement(_) => self.emit(Instruction::Fault),
            }
            while let Some(&(operator, at)) = open.last()
                && operator == position
            {
                open.pop();
                let here = self.instructions.len();
                if let Instruction::Decide(_, _, skip) | Instruction::Catch(skip) =
                    &mut self.instructions[at]
                {
                    *skip = (here - at - 1) as u32;
                }
            }
        }
        start as u32..self.instructions.len() as u32
    }

    fn emit(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// Runs a code; `None` is a fault.
    pub(crate) fn run(&self, code: &Code, reader: &mut impl Reader) -> Option<u64> {
        let instructions = &self.instructions[code.start as usize..code.end as usize];
        let mut stack: SmallVec<[u64; 16]> = SmallVec::new();
        let mut catches: SmallVec<[(usize, usize); 2]> = SmallVec::new();
        let mut at = 0;
        while let Some(&instruction) = instructions.get(at) {
            at += 1;
            let value = match instruction {
                Instruction::Push(value) => Some(value),
                Instruction::Load(slot) => Some(reader.now(slot)),
                Instruction::LoadNext(slot) => Some(reader.next(slot)),
                Instruction::Index(slot, len) => {
                    let index = stack.pop()?;
                    (index < u64::from(len)).then(|| reader.now(slot + index as u32))
                }
                Instruction::IndexNext(slot, len) => {
                    let index = stack.pop()?;
                    (index < u64::from(len)).then(|| reader.next(slot + index as u32))
                }
                Instruction::Any(max, which) => Some(reader.any(which, max)),
                Instruction::Unary(operator, ty) => Some(operator.apply(ty, stack.pop()?)),
                Instruction::Binary(operator, ty) => {
                    let right = stack.pop()?;
                    operator.apply(ty, stack.pop()?, right)
                }
                Instruction::Convert(from, to) => Some(convert(from, to, stack.pop()?)),
                Instruction::Decide(decides, result, skip) => {
                    if stack.pop()? != u64::from(decides) {
                        continue;
                    }
                    at += skip as usize;
                    Some(u64::from(result))
                }
                Instruction::Catch(skip) => {
                    catches.push((at + skip as usize, stack.len()));
                    continue;
                }
                Instruction::Caught => {
                    catches.pop();
                    stack.pop();
                    Some(0)
                }
                Instruction::Fault => None,
            };
            match value {
                Some(value) => stack.push(value),
                None => {
                    let (target, height) = catches.pop()?;
                    stack.truncate(height);
                    stack.push(1);
                    at = target;
                }
            }
        }
        stack.pop()
    }
}

/// Where the operands of an expression's operators begin.
struct Shape {
    /// By the first position of a right operand that may be skipped: its operator's position,
    /// the left operand that decides, and the result then.
    decisions: Vec<Option<(usize, bool, bool)>>,
    /// The first position of each operand whose faults are caught with the position of its
    /// operator; sorted, outer ones first.
    catches: Vec<(usize, usize)>,
}

impl Shape {
    fn of(expr: &Expr) -> Self {
        let ops = expr.ops();
        let mut starts: Vec<usize> = Vec::new();
        let mut decisions = Vec::new();
        let mut catches = Vec::new();
        for (position, &op) in ops.iter().enumerate() {
            match op {
                Op::Const(..) | Op::Read(_) | Op::ReadNext(_) | Op::Any(..) | Op::Undefined(_) => {
                    starts.push(position);
                }
                Op::Binary(operator, ty) => {
                    // Validated: both operands are there.
                    let right = starts.pop().unwrap_or(0);
                    if let Some((decides, result)) = operator.early(ty) {
                        decisions.resize(decisions.len().max(right + 1), None);
                        decisions[right] = Some((position, decides == 1, result == 1));
                    }
                }
                Op::Faults => catches.push((starts.last().copied().unwrap_or(0), position)),
                Op::Index(_)
                | Op::IndexNext(_)
                | Op::Unary(..)
                | Op::Convert(..)
                | Op::UndefinedElement(_) => {}
            }
        }
        catches.sort_by_key(|&(start, operator)| (start, std::cmp::Reverse(operator)));
        Shape { decisions, catches }
    }
}
