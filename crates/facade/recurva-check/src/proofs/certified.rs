//! A proof that has been checked, as evidence.

use std::{ops::ControlFlow, sync::Arc};

use recurva_certificate::{
    Formula, Proof,
    check::{Rejected, check},
    formula::Scope,
    text::{LONGEST as TEXT, Names, ProgramNames, print},
};
use recurva_encode::Joints;
use recurva_model::{Origin, Point, ProcId, Program, VarRef};

use super::{
    c_expression::c_expression,
    engines::Task,
    judges::{Judges, SolverMark},
    slim::slim,
    tidy::tidied,
};
use crate::Work;

/// Longer formulas are not shown.
const LONGEST: usize = 2000;

/// A proof that a program never comes to some nodes. It has been checked.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The program that it is about.
    pub program: Arc<Program>,
    /// The proof.
    pub proof: Proof,
    /// The nodes that are never reached.
    pub targets: Vec<Point>,
    /// How many obligations it consists of.
    pub obligations: usize,
    /// What confirmed that each of them holds.
    pub solvers: Vec<SolverMark>,
    /// The engine that found it.
    pub found_by: &'static str,
    /// What it says about functions and loops, for people.
    pub statements: Vec<Statement>,
    /// If it is about infinite runs: what falls in the loops of the program.
    pub ranks: Option<Vec<LoopRanks>>,
}

/// A number that falls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number in words.
    pub text: String,
    /// If it is the truth of a condition, where that stands.
    pub condition: Option<Origin>,
}

/// What a run goes round in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// A loop.
    Loop,
    /// Calls that do not return, and perhaps loops.
    Recursion,
    /// It has ended, and stays where it is.
    End,
}

/// What falls each time round a loop, so that it comes to an end; if nothing does, the loop does not
/// come round at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopRanks {
    /// The function.
    pub function: String,
    /// Where the loop begins anew.
    pub place: Origin,
    /// What it is.
    pub kind: LoopKind,
    /// The numbers, the first of which that changes falls.
    pub numbers: Vec<Number>,
    /// The same, to be read again.
    pub saved: serde_json::Value,
}

/// What a proof says about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is about.
    pub kind: StatementKind,
    /// The function.
    pub function: String,
    /// The place.
    pub place: Origin,
    /// The node.
    pub point: Point,
    /// What holds there, as in ACSL.
    pub formula: String,
    /// Of a loop: what of that can be said as an expression of C, if anything.
    pub c_expression: Option<String>,
}

/// What a [`Statement`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatementKind {
    /// What holds when a function is called.
    Requires,
    /// What holds when it returns.
    Ensures,
    /// What holds each time a loop begins anew.
    Invariant,
    /// What holds elsewhere.
    Holds,
}

/// What variables are called, and what they are.
pub(crate) struct Named<'a> {
    /// What they are called.
    pub(crate) names: ProgramNames,
    /// Whether one is an integer of C as it stands.
    pub(crate) is_integer: &'a dyn Fn(ProcId, VarRef) -> bool,
}

impl Certified {
    /// Whether it can be written down.
    pub(super) fn has_text(&self) -> bool {
        let names = ProgramNames::new(&self.program);
        self.proof.formulas.iter().all(|(point, formula)| {
            let scope = Scope {
                program: &self.program,
                procedure: point.procedure,
            };
            print(formula, scope, &names, TEXT).is_ok()
        })
    }
}

/// What a proof says about functions and loops, in the order of the program.
pub(crate) fn statements(program: &Program, proof: &Proof, named: &Named<'_>) -> Vec<Statement> {
    let joints = Joints::new(program);
    let mut list = Vec::new();
    for (&point, formula) in &proof.formulas {
        let procedure = program.procedure(point.procedure);
        let kind = match point.node {
            node if node == procedure.entry => StatementKind::Requires,
            node if node == procedure.exit => StatementKind::Ensures,
            _ if joints.is_loop_head(point) => StatementKind::Invariant,
            _ => StatementKind::Holds,
        };
        let place = match kind {
            StatementKind::Requires | StatementKind::Ensures => procedure.origin,
            _ => procedure.nodes[point.node.index()].origin,
        };
        let is_loop = kind == StatementKind::Invariant;
        list.push(Statement {
            kind,
            function: procedure.name.to_string(),
            place,
            point,
            formula: shown(
                formula,
                Scope {
                    program,
                    procedure: point.procedure,
                },
                &named.names,
            ),
            c_expression: is_loop
                .then(|| c_expression(program, point.procedure, formula, named))
                .flatten(),
        });
    }
    list.sort_by_key(|it| (it.point.procedure, it.kind));
    list
}

fn shown(formula: &Formula, scope: Scope<'_>, names: &dyn Names) -> String {
    match print(formula, scope, names, LONGEST) {
        Ok(text) => text,
        Err(_) => "…".to_owned(),
    }
}

/// A proof as evidence, if the embedded solver accepts it; else why not.
pub(super) fn certify(
    task: &Task<'_>,
    proof: &Proof,
    found_by: &'static str,
    tell: &mut dyn FnMut(Work) -> ControlFlow<()>,
) -> Result<Certified, Box<Rejected>> {
    let named = Named {
        names: ProgramNames::new(task.program),
        is_integer: task.is_integer,
    };
    let mut judges = Judges::embedded();
    let first = certified(task, tidied(proof), found_by, &mut judges, &named, tell)?;
    let slim = slim(task, first.proof.clone(), tell);
    // What was left out was not needed, which is checked once more.
    Ok(certified(task, slim, found_by, &mut judges, &named, tell).unwrap_or(first))
}

/// A proof as evidence, if some solvers accept it; else why not.
pub(super) fn certified(
    task: &Task<'_>,
    proof: Proof,
    found_by: &'static str,
    judges: &mut Judges,
    named: &Named<'_>,
    tell: &mut dyn FnMut(Work) -> ControlFlow<()>,
) -> Result<Certified, Box<Rejected>> {
    let work = Work {
        what: "checking the proof",
        ..Work::default()
    };
    let mut ask = || tell(work);
    let checked = check(task.program, task.targets, &proof, judges, &mut ask)?;
    Ok(Certified {
        program: Arc::new(task.program.clone()),
        statements: statements(task.program, &proof, named),
        proof,
        targets: task.targets.to_vec(),
        obligations: checked.obligations,
        solvers: judges.marks(),
        found_by,
        ranks: None,
    })
}
