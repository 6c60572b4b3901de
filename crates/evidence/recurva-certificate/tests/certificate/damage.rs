//! Ways to damage a proof.

use recurva_certificate::{
    Builder, Formula, Proof,
    formula::{Node, Part, Scope, When},
};
use recurva_model::{Point, Program, VarRef};
use recurva_testkit::rng::Rng;

use crate::random;

/// A proof with something else about it.
pub(crate) fn damaged(program: &Program, proof: &Proof, rng: &mut Rng) -> Proof {
    let mut out = proof.clone();
    let points: Vec<Point> = proof.formulas.keys().copied().collect();
    let Some(&point) = rng.pick(&points) else {
        return out;
    };
    let formula = &proof.formulas[&point];
    let scope = Scope {
        program,
        procedure: point.procedure,
    };
    let new = match rng.below(9) {
        0 => {
            out.formulas.remove(&point);
            return out;
        }
        1 => {
            // Two formulas of one procedure in each other's place, if there are two.
            let others: Vec<Point> = points
                .iter()
                .copied()
                .filter(|it| it.procedure == point.procedure && *it != point)
                .collect();
            match rng.pick(&others) {
                Some(other) => {
                    let theirs = proof.formulas[other].clone();
                    out.formulas.insert(*other, formula.clone());
                    theirs
                }
                None => Formula::truth(),
            }
        }
        2 => random::formula(rng, scope, 3),
        3 => {
            // Weaker or stronger by something random.
            let depth = 1 + rng.below(2);
            let other = random::formula(rng, scope, depth);
            let mut builder = Builder::default();
            let (left, right) = (builder.copy(formula), builder.copy(&other));
            let root = match rng.chance(50) {
                true => builder.or(left, right),
                false => builder.and(left, right),
            };
            builder.finish(root)
        }
        4 if rng.chance(30) => Formula::truth(),
        _ => node_changed(program, point, formula, rng),
    };
    out.formulas.insert(point, new);
    out
}

/// A formula in which one node is another: an operand dropped, a number or an operator changed.
fn node_changed(program: &Program, point: Point, formula: &Formula, rng: &mut Rng) -> Formula {
    let scope = Scope {
        program,
        procedure: point.procedure,
    };
    let chosen = rng.below(formula.nodes().len());
    let mut place = 0;
    let mut builder = Builder::default();
    let root = builder.rewrite(formula, |builder, node| {
        place += 1;
        match place == chosen + 1 {
            true => changed(builder, node, scope, rng),
            false => builder.intern(node),
        }
    });
    builder.finish(root)
}

fn changed(builder: &mut Builder, node: Node, scope: Scope<'_>, rng: &mut Rng) -> Part {
    let one = |rng: &mut Rng, left: Part, right: Part| if rng.chance(50) { left } else { right };
    let new = match node {
        Node::Bool(value) => Node::Bool(!value),
        Node::Int(value) => Node::Int(value + if rng.chance(50) { 1 } else { -1 }),
        Node::Variable(variable, when) => match rng.chance(50) {
            true => Node::Variable(variable, other_time(variable, when, scope)),
            false => Node::Variable(like(variable, when, scope, rng), when),
        },
        Node::Element(array, when, index) => {
            Node::Element(array, other_time(array, when, scope), index)
        }
        Node::Not(inner) => return inner,
        Node::And(left, right) => match rng.below(3) {
            0 => Node::Or(left, right),
            _ => return one(rng, left, right),
        },
        Node::Or(left, right) => match rng.below(3) {
            0 => Node::And(left, right),
            _ => return one(rng, left, right),
        },
        Node::Implies(left, right) => Node::And(left, right),
        Node::Equal(left, right) => {
            let equal = builder.intern(Node::Equal(left, right));
            let is_number = !matches!(builder.node(right), Node::Bool(_));
            match is_number && rng.chance(50) && numbers(builder, left, scope) {
                true => Node::LessEqual(left, right),
                false => Node::Not(equal),
            }
        }
        Node::Less(left, right) => Node::LessEqual(left, right),
        Node::LessEqual(left, right) => Node::Less(left, right),
        Node::If(condition, then, otherwise) => Node::If(condition, otherwise, then),
        Node::Arithmetic(_, left, right) => {
            let operator = *rng.pick(&random::ARITHMETIC).expect("some");
            Node::Arithmetic(operator, left, right)
        }
        Node::Wrap(_, inner) => Node::Wrap(random::ty(rng), inner),
        Node::Bits(_, ty, left, right) => {
            let operator = *rng.pick(&random::BITS).expect("some");
            Node::Bits(operator, ty, left, right)
        }
    };
    builder.intern(new)
}

/// Whether a part that is a variable or an element is a number.
fn numbers(builder: &Builder, part: Part, scope: Scope<'_>) -> bool {
    match builder.node(part) {
        Node::Variable(variable, _) | Node::Element(variable, ..) => {
            let found = scope.variable(variable);
            found.is_some_and(|it| it.ty != recurva_model::Type::Bool)
        }
        _ => false,
    }
}

fn other_time(variable: VarRef, when: When, scope: Scope<'_>) -> When {
    match when {
        When::Entry => When::Now,
        When::Now if scope.is_known_at_entry(variable) => When::Entry,
        When::Now => When::Now,
    }
}

/// A variable that can be read in its place.
fn like(variable: VarRef, when: When, scope: Scope<'_>, rng: &mut Rng) -> VarRef {
    let Some(own) = scope.variable(variable) else {
        return variable;
    };
    let is_bool = |ty| ty == recurva_model::Type::Bool;
    let others: Vec<VarRef> = scope
        .variables()
        .filter(|(_, it)| is_bool(it.ty) == is_bool(own.ty) && it.len == own.len)
        .map(|(it, _)| it)
        .filter(|it| when == When::Now || scope.is_known_at_entry(*it))
        .collect();
    rng.pick(&others).copied().unwrap_or(variable)
}
