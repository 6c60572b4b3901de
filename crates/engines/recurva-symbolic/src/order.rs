//! The order of the variables: those that occur together stand together.
//!
//! Every operator pulls the variables of its operands towards each other, every assignment
//! its target towards what it reads, every call parameters towards arguments and results
//! towards their places. Integers that are compared, added or copied form a group whose bits
//! alternate, since a relation between `a` and `b` is small only if the bits of the same
//! weight are neighbours. The groups are then strung into chains along the strongest pulls,
//! and the chains joined.

use std::cmp::Reverse;

use recurva_model::{
    Action, Binary, Edge, Expr, Op, Place, ProcId, Procedure, Program, Type, VarRef, Variable,
};
use rustc_hash::FxHashMap;

use crate::plan::{Choice, Part, Plan};

/// A variable, seen from the whole program, or a place in the pool of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Unit {
    /// A place in the pool of choices.
    Pool(u32),
    /// A global variable.
    Global(u32),
    /// A local variable of a procedure.
    Local(u32, u32),
}

/// The bits of at most this many integers alternate: each relation that the others have
/// nothing to do with doubles the size of a diagram.
pub(crate) const MAX_GROUP: u32 = 24;
/// Only so many variables of an operand are looked at.
const MAX_SUPPORT: usize = 4;

/// The units in a good order, in groups whose bits are to alternate.
pub(crate) fn arrange(program: &Program, plan: &Plan) -> Vec<Vec<Unit>> {
    let mut affinity = Affinity::new(program, plan);
    for block in &plan.blocks {
        for part in &block.parts {
            affinity.add_edge(block.from.procedure, part);
        }
    }
    for site in &plan.sites {
        affinity.add_edge(site.from.procedure, &site.part);
    }
    let members = affinity.groups();
    let chains = affinity.chains(&members);
    let order = chains.into_iter().flatten();
    let mut members = members;
    order
        .map(|group| std::mem::take(&mut members[group as usize]))
        .map(|group| {
            group
                .into_iter()
                .map(|unit| affinity.units[unit as usize])
                .collect()
        })
        .collect()
}

/// The position of a unit in [`Affinity::units`].
type UnitNo = u32;

struct Affinity<'p> {
    program: &'p Program,
    units: Vec<Unit>,
    numbers: FxHashMap<Unit, UnitNo>,
    /// For each unit, how many columns of bits it has; 0 if its bits do not alternate with
    /// those of others.
    columns: Vec<u32>,
    /// Groups as a forest: each unit's parent, itself at the root.
    parents: Vec<UnitNo>,
    pulls: FxHashMap<(UnitNo, UnitNo), u32>,
}

/// The variables of an operand, and whether it is a number made from them by copying,
/// adding and subtracting.
#[derive(Clone, Default)]
struct Operand {
    support: Vec<UnitNo>,
    linear: bool,
}

impl<'p> Affinity<'p> {
    fn new(program: &'p Program, plan: &Plan) -> Self {
        let mut units = Vec::new();
        let mut columns = Vec::new();
        for (index, &width) in plan.pool.iter().enumerate() {
            units.push(Unit::Pool(index as u32));
            columns.push(u32::from(width > 1));
        }
        let own = |variable: &Variable| {
            if variable.ty.bits() > 1 {
                variable.slots() as u32
            } else {
                0
            }
        };
        for (index, variable) in program.globals().iter().enumerate() {
            units.push(Unit::Global(index as u32));
            columns.push(own(variable));
        }
        for (id, procedure) in program.procedures().iter().enumerate() {
            for (index, variable) in procedure.locals.iter().enumerate() {
                units.push(Unit::Local(id as u32, index as u32));
                columns.push(own(variable));
            }
        }
        let numbers = units.iter().zip(0..).map(|(&unit, no)| (unit, no));
        Affinity {
            program,
            numbers: numbers.collect(),
            parents: (0..units.len() as u32).collect(),
            units,
            columns,
            pulls: FxHashMap::default(),
        }
    }

    fn unit(&self, procedure: ProcId, variable: VarRef) -> UnitNo {
        self.numbers[&match variable {
            VarRef::Global(index) => Unit::Global(index),
            VarRef::Local(index) => Unit::Local(procedure.0, index),
        }]
    }

    fn add_edge(&mut self, id: ProcId, part: &Part) {
        let edge: &Edge = self.program.edge(id, part.edge);
        self.add_expr(id, &edge.guard, &part.choices);
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                for (place, value) in assigns {
                    let value = self.add_expr(id, value, &part.choices);
                    let target = self.unit(id, place.variable());
                    self.relate_copy(target, &value);
                    if let Place::Element(_, index) = place {
                        let index = self.add_expr(id, index, &part.choices);
                        self.relate(&Operand::one(target), &index, 2);
                    }
                }
                if let Some(constraint) = constraint {
                    self.add_expr(id, constraint, &part.choices);
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let value = self.add_expr(id, argument, &part.choices);
                    let parameter = self.unit(*callee, VarRef::Local(index as u32));
                    self.relate_copy(parameter, &value);
                }
                let callee_procedure: &Procedure = self.program.procedure(*callee);
                for (place, &local) in results.iter().zip(&callee_procedure.results) {
                    if let Some(variable) = *place {
                        let result = self.unit(*callee, VarRef::Local(local));
                        let target = self.unit(id, variable);
                        self.relate_copy(target, &Operand::one(result));
                    }
                }
            }
        }
    }

    /// Relates the variables of an expression to each other; returns some of them.
    fn add_expr(&mut self, id: ProcId, expr: &Expr, choices: &[Choice]) -> Operand {
        let mut stack: Vec<Operand> = Vec::new();
        for &op in expr.ops() {
            let operand = match op {
                Op::Const(..) | Op::Undefined(_) => Operand {
                    support: Vec::new(),
                    linear: true,
                },
                Op::Read(variable) | Op::ReadNext(variable) => {
                    Operand::one(self.unit(id, variable))
                }
                Op::Any(_, which) => match choices[which as usize] {
                    Choice::Target(variable) => Operand::one(self.unit(id, variable)),
                    Choice::Pool(place) => Operand::one(self.numbers[&Unit::Pool(place as u32)]),
                },
                Op::Index(array) | Op::IndexNext(array) => {
                    let index = stack.pop().unwrap_or_default();
                    let array = Operand::one(self.unit(id, array));
                    self.relate(&array, &index, 2);
                    array
                }
                Op::Unary(..) | Op::Convert(..) | Op::Faults | Op::UndefinedElement(_) => {
                    stack.pop().unwrap_or_default()
                }
                Op::Binary(operator, ty) => {
                    let right = stack.pop().unwrap_or_default();
                    let left = stack.pop().unwrap_or_default();
                    self.add_binary(operator, ty, left, &right)
                }
            };
            stack.push(operand);
        }
        stack.pop().unwrap_or_default()
    }

    fn add_binary(&mut self, op: Binary, ty: Type, left: Operand, right: &Operand) -> Operand {
        let sums = matches!(op, Binary::Add | Binary::Subtract) || op.is_comparison();
        let linear = sums && left.linear && right.linear;
        if linear && ty != Type::Bool {
            for &a in &left.support {
                for &b in &right.support {
                    self.unite(a, b);
                }
            }
        }
        // Comparisons of booleans bind as tightly as those of numbers; what is merely said
        // in one breath binds loosely.
        let strength = if op.is_comparison() || op == Binary::Xor || ty != Type::Bool {
            8
        } else {
            2
        };
        self.relate(&left, right, strength);
        let mut support = left.support;
        support.extend(&right.support);
        let excess = support.len().saturating_sub(MAX_SUPPORT);
        support.drain(..excess);
        Operand {
            support,
            linear: linear && !op.is_comparison(),
        }
    }

    fn relate_copy(&mut self, target: UnitNo, value: &Operand) {
        if value.linear {
            for &unit in &value.support {
                self.unite(target, unit);
            }
        }
        self.relate(&Operand::one(target), value, 4);
    }

    fn relate(&mut self, left: &Operand, right: &Operand, strength: u32) {
        let pairs = (left.support.len() * right.support.len()) as u32;
        for &a in &left.support {
            for &b in &right.support {
                if a != b {
                    let pull = self.pulls.entry((a.min(b), a.max(b))).or_default();
                    *pull = pull.saturating_add((strength * 12) / pairs);
                }
            }
        }
    }

    /// Lets the bits of two units alternate, if the group does not get too large.
    fn unite(&mut self, a: UnitNo, b: UnitNo) {
        let (a, b) = (self.root(a), self.root(b));
        let (x, y) = (self.columns[a as usize], self.columns[b as usize]);
        if a != b && x > 0 && y > 0 && x + y <= MAX_GROUP {
            let (a, b) = (a.min(b), a.max(b));
            self.parents[b as usize] = a;
            self.columns[a as usize] = x + y;
        }
    }

    fn root(&mut self, mut unit: UnitNo) -> UnitNo {
        while self.parents[unit as usize] != unit {
            let parent = self.parents[unit as usize];
            self.parents[unit as usize] = self.parents[parent as usize];
            unit = parent;
        }
        unit
    }

    /// The members of each group, at the position of its root.
    fn groups(&mut self) -> Vec<Vec<UnitNo>> {
        let mut groups = vec![Vec::new(); self.units.len()];
        for unit in 0..self.units.len() as UnitNo {
            let root = self.root(unit);
            groups[root as usize].push(unit);
        }
        groups
    }

    /// Strings the groups into chains along the strongest pulls, then joins chains that
    /// still pull at each other.
    fn chains(&mut self, groups: &[Vec<UnitNo>]) -> Vec<Vec<UnitNo>> {
        let mut pulls: FxHashMap<(UnitNo, UnitNo), u32> = FxHashMap::default();
        for ((a, b), pull) in std::mem::take(&mut self.pulls) {
            let (a, b) = (self.root(a), self.root(b));
            if a != b {
                let sum = pulls.entry((a.min(b), a.max(b))).or_default();
                *sum = sum.saturating_add(pull);
            }
        }
        let mut pulls: Vec<_> = pulls.into_iter().collect();
        pulls.sort_unstable_by_key(|&(pair, pull)| (Reverse(pull), pair));
        let mut strings = Strings::new(groups.len());
        for &((a, b), _) in &pulls {
            strings.join_ends(a, b);
        }
        for &((a, b), _) in &pulls {
            strings.join_anyway(a, b);
        }
        let mut chains = strings.chains;
        chains.retain(|chain| !chain.is_empty());
        // Chains nobody pulls at stay in the order of declaration.
        chains.sort_by_key(|chain| chain.iter().copied().min());
        chains
    }
}

impl Operand {
    fn one(unit: UnitNo) -> Self {
        Operand {
            support: vec![unit],
            linear: true,
        }
    }
}

/// Groups in rows. Every group is in exactly one.
struct Strings {
    chains: Vec<Vec<UnitNo>>,
    chain_of: Vec<u32>,
}

impl Strings {
    fn new(count: usize) -> Self {
        Strings {
            chains: (0..count as u32).map(|group| vec![group]).collect(),
            chain_of: (0..count as u32).collect(),
        }
    }

    /// Makes two groups neighbours if each is at an end of its chain.
    fn join_ends(&mut self, a: UnitNo, b: UnitNo) {
        let (x, y) = (self.chain_of[a as usize], self.chain_of[b as usize]);
        let at_end =
            |chain: &[UnitNo], group| chain.first() == Some(&group) || chain.last() == Some(&group);
        if x == y || !at_end(&self.chains[x as usize], a) || !at_end(&self.chains[y as usize], b) {
            return;
        }
        if self.chains[x as usize].last() != Some(&a) {
            self.chains[x as usize].reverse();
        }
        if self.chains[y as usize].first() != Some(&b) {
            self.chains[y as usize].reverse();
        }
        self.append(x, y);
    }

    /// Puts the chains of two groups one behind the other.
    fn join_anyway(&mut self, a: UnitNo, b: UnitNo) {
        let (x, y) = (self.chain_of[a as usize], self.chain_of[b as usize]);
        if x != y {
            self.append(x, y);
        }
    }

    /// Appends chain `y` to chain `x`, moving the shorter of the two.
    fn append(&mut self, x: u32, y: u32) {
        let first = std::mem::take(&mut self.chains[x as usize]);
        let second = std::mem::take(&mut self.chains[y as usize]);
        let (into, moved) = if first.len() >= second.len() {
            (x, &second)
        } else {
            (y, &first)
        };
        for &group in moved {
            self.chain_of[group as usize] = into;
        }
        self.chains[into as usize] = [first, second].concat();
    }
}
