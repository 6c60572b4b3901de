//! The ranks that are tried at the cut of a loop: numbers that the loop changes or looks at, and what
//! they are compared with.

use std::collections::BTreeSet;

use recurva_model::{
    Action, Binary, EdgeId, Expr, Op, Place, ProcId, Program, Type, Unary, VarRef,
    semantics::Machine,
};

use crate::{
    build::shift,
    rank::{Cell, Rank, Sum},
    spines::{Ranked, Spines},
};

/// The most variables of which sums of two are tried.
const PAIRED: usize = 10;

/// The most variables of which sums of three are tried.
const TRIPLED: usize = 6;

/// The ranks that are tried at one cut, the plainer ones first.
#[derive(Clone, Debug)]
pub struct Pool {
    procedure: ProcId,
    ranks: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    rank: Rank,
    expression: Expr,
    ty: Type,
}

impl Pool {
    /// The ranks for the loop with that index.
    pub fn new(program: &Program, spines: &Spines<'_>, index: usize) -> Self {
        let procedure = spines.cuts()[index].point.procedure;
        let mut reader = Reader {
            program,
            procedure,
            differences: Vec::new(),
            cells: BTreeSet::new(),
            guards: Vec::new(),
        };
        for (inside, edge) in spines.edges_of(index) {
            reader.edge(inside, edge);
        }
        let list = reader.ranks();
        let ty = |variable: VarRef| program.variable(procedure, variable).ty;
        let fitting = list
            .into_iter()
            .filter(|it| it.check(program, procedure).is_ok());
        Pool {
            procedure,
            ranks: fitting
                .map(|rank| Entry {
                    expression: rank.expression(program.procedure(procedure), &ty),
                    ty: rank.ty(&ty),
                    rank,
                })
                .collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// One of them.
    pub fn rank(&self, index: usize) -> &Rank {
        &self.ranks[index].rank
    }

    /// The values of all of them, in a configuration whose top frame is in the spine.
    pub(crate) fn values(
        &self,
        ranked: &Ranked,
        machine: &Machine<'_>,
        globals: &[u64],
        locals: &[u64],
    ) -> Vec<i128> {
        let offset = ranked.offsets.get(&self.procedure).copied().unwrap_or(0);
        let read = |variable, _, element: u64| {
            let slot = machine.slot(ProcId(0), shift(variable, offset)) + element as usize;
            let values = match variable {
                VarRef::Global(_) => globals,
                VarRef::Local(_) => locals,
            };
            values.get(slot).copied()
        };
        let values = self.ranks.iter().map(|it| {
            let bits = it.expression.eval(&[], &read).unwrap_or_default();
            it.ty.to_number(bits)
        });
        values.collect()
    }
}

/// Reads what a loop changes and compares.
struct Reader<'a> {
    program: &'a Program,
    /// The procedure whose variables are meant.
    procedure: ProcId,
    differences: Vec<Sum>,
    cells: BTreeSet<Cell>,
    /// Edges whose guards are not all the same.
    guards: Vec<EdgeId>,
}

impl Reader<'_> {
    fn edge(&mut self, inside: ProcId, id: EdgeId) {
        let edge = self.program.edge(inside, id);
        if let Action::Call {
            callee, results, ..
        } = &edge.action
        {
            if *callee == self.procedure {
                let parameters = self.program.procedure(*callee).parameters as u32;
                (0..parameters).for_each(|index| self.cell(VarRef::Local(index), None));
            }
            if inside == self.procedure {
                let results = results.iter().flatten();
                results.for_each(|&variable| self.cell(variable, None));
            }
        }
        let is_own = inside == self.procedure;
        if is_own && !edge.guard.is_truth() {
            let known = self
                .guards
                .iter()
                .map(|&it| &self.program.edge(inside, it).guard);
            let negated = edge.guard.clone().negate();
            let is_known = known
                .into_iter()
                .any(|it| *it == edge.guard || *it == negated || it.clone().negate() == edge.guard);
            if !is_known {
                self.guards.push(id);
            }
        }
        for expr in edge.expressions() {
            self.compare(expr, is_own);
        }
        let Action::Assign { assigns, .. } = &edge.action else {
            return;
        };
        for (place, _) in assigns {
            match place {
                Place::Scalar(VarRef::Local(_)) | Place::Element(VarRef::Local(_), _)
                    if !is_own => {}
                Place::Scalar(variable) => self.cell(*variable, None),
                Place::Element(array, index) => {
                    if let [Op::Const(index, _)] = *index.ops() {
                        self.cell(*array, Some(index as u32));
                    }
                }
            }
        }
    }

    fn cell(&mut self, variable: VarRef, element: Option<u32>) {
        if self.program.variable(self.procedure, variable).ty != Type::Bool {
            self.cells.insert(Cell { variable, element });
        }
    }

    /// The differences of what an expression compares.
    fn compare(&mut self, expr: &Expr, is_own: bool) {
        let mut stack: Vec<Option<Sum>> = Vec::new();
        let is_seen = |variable: VarRef| is_own || matches!(variable, VarRef::Global(_));
        let number = |variable: VarRef| {
            is_seen(variable) && self.program.variable(self.procedure, variable).ty != Type::Bool
        };
        let mut found = Vec::new();
        for &op in expr.ops() {
            let mut pop = || stack.pop().flatten();
            let value = match op {
                Op::Const(value, ty) => i64::try_from(ty.to_number(value)).ok().map(Sum::number),
                Op::Read(variable) if number(variable) => Some(Sum::of(Cell {
                    variable,
                    element: None,
                })),
                Op::Index(array) => {
                    let index = pop().filter(|it| it.terms.is_empty());
                    let element = index.and_then(|it| u32::try_from(it.constant).ok());
                    let element = element.filter(|_| number(array));
                    element.map(|element| {
                        Sum::of(Cell {
                            variable: array,
                            element: Some(element),
                        })
                    })
                }
                Op::IndexNext(_) | Op::Faults | Op::UndefinedElement(_) => pop().and(None),
                Op::Unary(Unary::Negate, _) => pop().map(|it| it.times(-1)),
                Op::Unary(Unary::Not, _) => pop().and(None),
                Op::Convert(..) => pop(),
                Op::Binary(operator, ty) => {
                    let (right, left) = (pop(), pop());
                    match (left, right) {
                        (Some(left), Some(right)) => {
                            if operator.is_comparison() && ty != Type::Bool {
                                found.push(left.plus(-1, &right));
                            }
                            sum(operator, &left, &right)
                        }
                        _ => None,
                    }
                }
                Op::Read(_) | Op::ReadNext(_) | Op::Any(..) | Op::Undefined(_) => None,
            };
            stack.push(value);
        }
        for it in found.into_iter().filter(|it| !it.terms.is_empty()) {
            self.cells.extend(it.terms.iter().map(|term| term.1));
            if !self.differences.contains(&it) {
                self.differences.push(it);
            }
        }
    }

    /// All ranks, the plainer ones first.
    fn ranks(&self) -> Vec<Rank> {
        let mut sums: Vec<Sum> = Vec::new();
        let mut add = |sum: Sum| {
            for sum in [sum.clone(), sum.times(-1)] {
                let sum = Sum { constant: 0, ..sum };
                if !sum.terms.is_empty() && !sums.contains(&sum) {
                    sums.push(sum);
                }
            }
        };
        self.differences.iter().for_each(|it| add(it.clone()));
        let cells: Vec<Sum> = self.cells.iter().map(|&it| Sum::of(it)).collect();
        cells.iter().for_each(|it| add(it.clone()));
        if cells.len() <= PAIRED {
            // Where the loop changes first and looks then, it is one off.
            for cell in &cells {
                for constant in [1, -1] {
                    let moved = cell.plus(1, &Sum::number(constant));
                    sums.extend([moved.clone(), moved.times(-1)]);
                }
            }
        }
        let mut add = |sum: Sum| {
            for sum in [sum.clone(), sum.times(-1)] {
                if !sum.terms.is_empty() && !sums.contains(&sum) {
                    sums.push(sum);
                }
            }
        };
        if cells.len() <= PAIRED {
            for (index, left) in cells.iter().enumerate() {
                for right in &cells[index + 1..] {
                    add(left.plus(1, right));
                    add(left.plus(-1, right));
                }
            }
        }
        if cells.len() <= TRIPLED {
            for (first, one) in cells.iter().enumerate() {
                for (second, two) in cells.iter().enumerate().skip(first + 1) {
                    for three in &cells[second + 1..] {
                        add(one.plus(1, two).plus(1, three));
                    }
                }
            }
        }
        let mut signs: Vec<Sum> = Vec::new();
        for it in self.differences.iter().chain(&cells) {
            let opposite = it.times(-1).plus(-1, &Sum::number(1));
            for sum in [it.clone(), opposite] {
                if !signs.contains(&sum) {
                    signs.push(sum);
                }
            }
        }
        let guards = self
            .guards
            .iter()
            .flat_map(|&edge| [false, true].map(|is_negated| Rank::Guard { edge, is_negated }));
        let values = sums.into_iter().map(Rank::Value);
        let signs = signs.into_iter().map(Rank::Sign);
        values.chain(signs).chain(guards).collect()
    }
}

/// What an operator makes of two sums, if that is a sum.
fn sum(operator: Binary, left: &Sum, right: &Sum) -> Option<Sum> {
    match operator {
        Binary::Add => Some(left.plus(1, right)),
        Binary::Subtract => Some(left.plus(-1, right)),
        Binary::Multiply if right.terms.is_empty() => Some(left.times(right.constant)),
        Binary::Multiply if left.terms.is_empty() => Some(right.times(left.constant)),
        _ => None,
    }
}
