//! What has to hold at joints between cuts.

use recurva_certificate::{
    Builder, Formula,
    formula::{Node, Part, When},
};
use recurva_model::{Action, Expr, NodeId, Op, Place, Point, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{formula::part, proof::Maker};

/// As many conditions on choices are followed in both ways.
const MOST_CHOICES: usize = 8;

/// Formulas with more parts are not given out.
const MOST_PARTS: usize = 200_000;

/// What is held by a variable while code is followed.
#[derive(Clone, PartialEq)]
enum Cell {
    Scalar(Part),
    /// An array as it was, with some elements written one after the other.
    Array(Vec<(Part, Part)>),
}

/// The values of variables, those left out being as they were.
#[derive(Clone)]
struct Store(FxHashMap<VarRef, Cell>);

impl Maker<'_, '_> {
    /// What has to hold at a joint so that all that follows leads to what holds at the next cuts.
    pub(crate) fn between(&mut self, joint: Point) -> Option<Formula> {
        let program = self.abstraction.program;
        let mut arriving: FxHashMap<NodeId, Vec<(Part, Store)>> = FxHashMap::default();
        let truth = self.builder.bool(true);
        arriving.insert(joint.node, vec![(truth, Store(FxHashMap::default()))]);
        let mut all = Vec::new();
        for node in self.abstraction.cuts.order(program, joint) {
            let Some(ways) = arriving.remove(&node) else {
                continue;
            };
            let (before, store) = self.merged(ways);
            for (_, edge) in program.edges_from(Point { node, ..joint }) {
                let offset = self.choices;
                self.choices += edge.choices().len() as u32;
                let guard = self.value(&edge.guard, &store, offset)?;
                let condition = self.builder.and(before, guard);
                if self.builder.node(condition) == Node::Bool(false) {
                    continue;
                }
                let Action::Assign {
                    assigns,
                    constraint: None,
                } = &edge.action
                else {
                    return None;
                };
                let mut after = store.clone();
                for (place, value) in assigns {
                    let value = self.value(value, &store, offset)?;
                    match place {
                        Place::Scalar(variable) => {
                            after.0.insert(*variable, Cell::Scalar(value));
                        }
                        Place::Element(array, index) => {
                            let index = self.value(index, &store, offset)?;
                            let cell = after.0.entry(*array);
                            if let Cell::Array(writes) = cell.or_insert(Cell::Array(Vec::new())) {
                                writes.push((index, value));
                            }
                        }
                    }
                }
                let to = Point {
                    node: edge.to,
                    ..joint
                };
                match self.abstraction.cuts.at(to) {
                    None => arriving
                        .entry(edge.to)
                        .or_default()
                        .push((condition, after)),
                    Some(cut) => {
                        let there = self.at_cuts[&cut];
                        let there = self.moved(there, &after);
                        all.push(self.builder.implies(condition, there));
                    }
                }
            }
        }
        let whole = self.builder.and_all(all);
        let whole = self.without_choices(whole)?;
        let formula = self.builder.finish(whole);
        (formula.nodes().len() <= MOST_PARTS).then_some(formula)
    }

    fn merged(&mut self, mut ways: Vec<(Part, Store)>) -> (Part, Store) {
        let conditions: Vec<Part> = ways.iter().map(|it| it.0).collect();
        let mut store = ways.pop().map_or(Store(FxHashMap::default()), |it| it.1);
        while let Some((condition, other)) = ways.pop() {
            let written: FxHashSet<VarRef> =
                store.0.keys().chain(other.0.keys()).copied().collect();
            for variable in written {
                let cells = [&other, &store].map(|it| it.0.get(&variable).cloned());
                let merged = match cells {
                    [Some(Cell::Array(here)), Some(Cell::Array(there))] if here == there => {
                        Cell::Array(here)
                    }
                    [Some(Cell::Array(_)), _] | [_, Some(Cell::Array(_))] => {
                        self.merged_arrays(condition, variable, &other, &store)
                    }
                    _ => {
                        let [here, there] =
                            [&other, &store].map(|it| scalar(&mut self.builder, it, variable));
                        Cell::Scalar(self.builder.if_then_else(condition, here, there))
                    }
                };
                store.0.insert(variable, merged);
            }
        }
        (self.builder.or_all(conditions), store)
    }

    /// An array that was written in one of two ways: what was written under either condition.
    fn merged_arrays(
        &mut self,
        condition: Part,
        array: VarRef,
        here: &Store,
        there: &Store,
    ) -> Cell {
        let mut writes = Vec::new();
        let not = self.builder.not(condition);
        for (store, guard) in [(here, condition), (there, not)] {
            let Some(Cell::Array(own)) = store.0.get(&array) else {
                continue;
            };
            for &(index, value) in own {
                // Under the other condition an element that is not there is written.
                let nowhere = self.builder.int(-1);
                let index = self.builder.if_then_else(guard, index, nowhere);
                writes.push((index, value));
            }
        }
        Cell::Array(writes)
    }

    /// The value of an expression of the program. What it chooses is a local behind all others.
    fn value(&mut self, expression: &Expr, store: &Store, offset: u32) -> Option<Part> {
        let (program, procedure) = (self.abstraction.program, self.procedure);
        let locals = program.procedure(procedure).locals.len() as u32;
        let ty = |variable| program.variable(procedure, variable).ty;
        part(&mut self.builder, expression, |builder, op, index| {
            Some(match (op, index) {
                (Op::Read(variable), _) => (ty(variable), scalar(builder, store, variable)),
                (Op::Index(array), Some(index)) => {
                    (ty(array), element(builder, store, array, index))
                }
                (Op::Any(ty, which), _) => {
                    let choice = VarRef::Local(locals + offset + which);
                    (ty, builder.variable(choice, When::Now))
                }
                _ => return None,
            })
        })
    }

    /// What holds at a cut, said of the values from which a store got there.
    fn moved(&mut self, there: Part, store: &Store) -> Part {
        let formula = self.builder.finish(there);
        self.builder.rewrite(&formula, |builder, node| match node {
            Node::Variable(variable, When::Now) => scalar(builder, store, variable),
            Node::Element(array, When::Now, index) => element(builder, store, array, index),
            other => simplified(builder, other),
        })
    }

    /// A formula that holds for all choices: each condition on one is taken to go both ways.
    fn without_choices(&mut self, part: Part) -> Option<Part> {
        let locals = self.program().procedure(self.procedure).locals.len() as u32;
        let mut part = part;
        for _ in 0..=MOST_CHOICES {
            let formula = self.builder.finish(part);
            if formula.nodes().len() > MOST_PARTS {
                return None;
            }
            let Some(at) = condition_on_choice(&formula, locals) else {
                return Some(part);
            };
            let both = [false, true].map(|value| {
                let mut place = 0;
                self.builder.rewrite(&formula, |builder, node| {
                    place += 1;
                    match place - 1 == at {
                        true => builder.bool(value),
                        false => simplified(builder, node),
                    }
                })
            });
            part = self.builder.and(both[0], both[1]);
        }
        None
    }
}

/// The place of a truth value that depends on a choice, and on no other such truth value.
fn condition_on_choice(formula: &Formula, locals: u32) -> Option<usize> {
    let mut depends = vec![false; formula.nodes().len()];
    for (at, node) in formula.nodes().iter().enumerate() {
        depends[at] = match *node {
            Node::Variable(VarRef::Local(local), _) => local >= locals,
            _ => node.operands().any(|it| depends[it.index()]),
        };
        let is_atom = matches!(node, Node::Equal(..) | Node::Less(..) | Node::LessEqual(..));
        if depends[at] && is_atom {
            return Some(at);
        }
    }
    // A choice that is a truth value, and is used as one.
    formula.nodes().iter().enumerate().position(|(at, node)| {
        matches!(node, Node::Variable(VarRef::Local(local), _) if *local >= locals) && depends[at]
    })
}

/// The value of a scalar variable.
fn scalar(builder: &mut Builder, store: &Store, variable: VarRef) -> Part {
    match store.0.get(&variable) {
        Some(&Cell::Scalar(value)) => value,
        _ => builder.variable(variable, When::Now),
    }
}

/// The value of an element.
fn element(builder: &mut Builder, store: &Store, array: VarRef, index: Part) -> Part {
    let mut value = builder.element(array, When::Now, index);
    if let Some(Cell::Array(writes)) = store.0.get(&array) {
        for &(at, written) in writes {
            let is_it = builder.equal(index, at);
            value = builder.if_then_else(is_it, written, value);
        }
    }
    value
}

/// A part with that node, simplified.
fn simplified(builder: &mut Builder, node: Node) -> Part {
    match node {
        Node::Not(one) => builder.not(one),
        Node::And(left, right) => builder.and(left, right),
        Node::Or(left, right) => builder.or(left, right),
        Node::Implies(left, right) => builder.implies(left, right),
        Node::Equal(left, right) => builder.equal(left, right),
        Node::Less(left, right) => builder.less(left, right),
        Node::LessEqual(left, right) => builder.less_equal(left, right),
        Node::If(condition, then, otherwise) => builder.if_then_else(condition, then, otherwise),
        Node::Arithmetic(operator, left, right) => builder.arithmetic(operator, left, right),
        Node::Wrap(ty, one) => builder.wrap(ty, one),
        other => builder.intern(other),
    }
}
