//! Proofs made of what is reached, and programs to make them of.

use std::collections::BTreeSet;

use recurva_certificate::{
    Builder, Formula, Proof,
    formula::{Part, When},
};
use recurva_lang::bp;
use recurva_model::{Point, ProcId, Program, Type, VarRef};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    generate::{Config, generate},
    rng::Rng,
};

use crate::{
    reach::Reached,
    states::{State, World},
};

/// A random program whose variables have few values.
pub(crate) fn program(seed: u64) -> (String, Program) {
    let config = Config {
        bits: 2 + usize::from(seed.is_multiple_of(16)),
        integers: 60,
        arrays: 25,
        statements: 3,
        ..Config::default()
    };
    let text = generate(seed, &config);
    let source = Source::new("random.bp", text.clone()).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    match parsed.program {
        Some(program) => (text, program),
        None => panic!("{}", parsed.diagnostics.render(&source, Style::Plain)),
    }
}

/// Nodes, and whether they are reached.
pub(crate) fn targets(program: &Program, reached: &Reached, rng: &mut Rng) -> Vec<Point> {
    let all = (0..).map(ProcId).zip(program.procedures());
    let all = all.flat_map(|(procedure, it)| {
        let nodes = (0..it.nodes.len() as u32).map(recurva_model::NodeId);
        nodes.map(move |node| Point { procedure, node })
    });
    let (reached, unreached): (Vec<Point>, Vec<Point>) =
        all.partition(|it| reached.get(it).is_some_and(|it| !it.is_empty()));
    let mut targets: BTreeSet<Point> = BTreeSet::new();
    for _ in 0..rng.below(4) {
        targets.extend(rng.pick(&unreached));
    }
    if rng.chance(10) {
        targets.extend(rng.pick(&reached));
    }
    targets.into_iter().collect()
}

/// A formula for each node that is reached or that needs one: the states there, one after the other.
pub(crate) fn proof(world: &World<'_>, reached: &Reached, rng: &mut Rng) -> Proof {
    let mut proof = Proof::default();
    let nothing = BTreeSet::new();
    for (index, procedure) in world.program.procedures().iter().enumerate() {
        let id = ProcId(index as u32);
        for node in 0..procedure.nodes.len() as u32 {
            let node = recurva_model::NodeId(node);
            let point = Point {
                procedure: id,
                node,
            };
            let states = reached.get(&point).unwrap_or(&nothing);
            let into = procedure.edges.iter().filter(|it| it.to == node).count();
            let is_end = node == procedure.entry || node == procedure.exit;
            let is_needed = into >= 2 || (is_end && !states.is_empty());
            if is_needed || rng.chance(15) {
                let formula = formula_of(world, id, states, rng);
                proof.formulas.insert(point, formula);
            }
        }
    }
    proof
}

fn formula_of(
    world: &World<'_>,
    procedure: ProcId,
    states: &BTreeSet<State>,
    rng: &mut Rng,
) -> Formula {
    let mut builder = Builder::default();
    let mut disjuncts = Vec::new();
    for state in states {
        let mut conjuncts = Vec::new();
        for (when, variable, element, value) in values(world, procedure, state) {
            conjuncts.push(equality(
                &mut builder,
                world,
                procedure,
                (variable, when, element),
                value,
            ));
        }
        disjuncts.push(builder.and_all(conjuncts));
    }
    let root = builder.or_all(disjuncts);
    // Now and then the same as a conjunction of what is not.
    let root = match rng.chance(10) {
        true => {
            let not = builder.not(root);
            let truth = builder.bool(true);
            let never = builder.implies(truth, not);
            builder.not(never)
        }
        false => root,
    };
    builder.finish(root)
}

type Value = (When, VarRef, Option<u64>, u64);

fn values(world: &World<'_>, procedure: ProcId, state: &State) -> Vec<Value> {
    let declared = world.program.procedure(procedure);
    let mut found = Vec::new();
    for (when, data) in [(When::Entry, &state.entry), (When::Now, &state.now)] {
        let globals = (0..).map(VarRef::Global).zip(world.program.globals());
        let count = match when {
            When::Entry => declared.parameters,
            When::Now => declared.locals.len(),
        };
        let locals = (0..).map(VarRef::Local).zip(&declared.locals[..count]);
        for (variable, it) in globals.chain(locals) {
            let slot = world.machine.slot(procedure, variable);
            let list = match variable {
                VarRef::Global(_) => &data.globals,
                VarRef::Local(_) => &data.locals,
            };
            for element in 0..it.slots() {
                let place = it.len.map(|_| element as u64);
                found.push((when, variable, place, list[slot + element]));
            }
        }
    }
    found
}

fn equality(
    builder: &mut Builder,
    world: &World<'_>,
    procedure: ProcId,
    (variable, when, element): (VarRef, When, Option<u64>),
    value: u64,
) -> Part {
    let ty = world.program.variable(procedure, variable).ty;
    let read = match element {
        None => builder.variable(variable, when),
        Some(element) => {
            let index = builder.int(i128::from(element));
            builder.element(variable, when, index)
        }
    };
    let constant = match ty {
        Type::Bool => builder.bool(value != 0),
        Type::Int { .. } => builder.int(ty.to_number(value)),
    };
    builder.equal(read, constant)
}
