//! Proofs about one loop each as one proof about all of them.
//!
//! The programs that they are about have the same nodes and edges, and differ in the variables that keep
//! ranks. What one proof says of a node says nothing of the others' variables, so all of it together is a
//! proof; the checker has the last word.

use std::collections::BTreeMap;

use recurva_certificate::{Builder, Formula, Proof, formula::Node};
use recurva_model::{Action, Point, ProcId, Program, VarRef};
use recurva_rank::Ranked;

/// A proof about the ranks of one loop.
pub(super) struct LoopProof {
    /// The program that it is about.
    pub(super) ranked: Ranked,
    /// The proof.
    pub(super) proof: Proof,
}

/// What the proofs say together of the program with the ranks of all loops; one for each loop, in order.
pub(super) fn joined(all: &Ranked, parts: &[LoopProof]) -> Proof {
    let needed = needed(&all.program);
    let mut proof = Proof::default();
    for point in needed.into_iter().filter(|it| !all.targets.contains(it)) {
        if parts
            .iter()
            .all(|it| !it.proof.formulas.contains_key(&point))
        {
            continue;
        }
        let mut builder = Builder::default();
        let mut whole = builder.bool(true);
        for (index, part) in parts.iter().enumerate() {
            // What a proof does not speak of is not reached.
            let said = match part.proof.formulas.get(&point) {
                None => builder.bool(false),
                Some(formula) => {
                    let moved = moved(index, all, part, point.procedure);
                    renamed(&mut builder, formula, &moved)
                }
            };
            whole = builder.and(whole, said);
        }
        proof.formulas.insert(point, builder.finish(whole));
    }
    proof
}

/// The nodes of which a proof has to say something: others follow.
fn needed(program: &Program) -> Vec<Point> {
    let mut found: BTreeMap<Point, usize> = BTreeMap::new();
    for (index, procedure) in program.procedures().iter().enumerate() {
        let id = ProcId(index as u32);
        let at = |node| Point {
            procedure: id,
            node,
        };
        for node in [procedure.entry, procedure.exit] {
            found.insert(at(node), 2);
        }
        for edge in &procedure.edges {
            *found.entry(at(edge.to)).or_default() += 1;
            if let Action::Call { callee, .. } = edge.action {
                let exit = program.procedure(callee).exit;
                let exit = Point {
                    procedure: callee,
                    node: exit,
                };
                found.insert(exit, 2);
            }
        }
    }
    let several = found.into_iter().filter(|it| it.1 > 1);
    several.map(|it| it.0).collect()
}

/// Where the variables of a part are in the program of all.
fn moved(
    index: usize,
    all: &Ranked,
    part: &LoopProof,
    procedure: ProcId,
) -> impl Fn(VarRef) -> VarRef + use<> {
    let from = part.ranked.kept.get(index).cloned().unwrap_or_default();
    let to = all.kept.get(index).cloned().unwrap_or_default();
    move |variable| match variable {
        VarRef::Local(local) if procedure == ProcId(0) && from.contains(&local) => {
            VarRef::Local(local - from.start + to.start)
        }
        other => other,
    }
}

fn renamed(
    builder: &mut Builder,
    formula: &Formula,
    moved: &dyn Fn(VarRef) -> VarRef,
) -> recurva_certificate::formula::Part {
    builder.rewrite(formula, |builder, node| {
        builder.intern(match node {
            Node::Variable(variable, when) => Node::Variable(moved(variable), when),
            Node::Element(array, when, index) => Node::Element(moved(array), when, index),
            other => other,
        })
    })
}
