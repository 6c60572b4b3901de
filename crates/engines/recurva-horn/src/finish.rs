//! From lemmas that are enough to a proof, and its check.

use recurva_certificate::{Builder, Formula, Proof, check::check, formula::When};
use recurva_encode::{Encoder, Numbers, back};
use recurva_model::{Patience, Point, ProcId, Stop};
use recurva_smt::Term;
use rustc_hash::FxHashMap;

use crate::{
    clause::Predicate,
    fill::fill,
    houdini::Lemmas,
    judge::Solvers,
    prove::{Ask, Attempt, Prover},
    reduced::holds,
};

/// Of a larger array it is not said that it stays as it is: element by element that would be too much.
const ELEMENTS: u32 = 64;

impl Prover<'_> {
    /// A proof of lemmas that are enough, if it is accepted.
    pub(crate) fn proved(&mut self, lemmas: &Lemmas, ask: Ask<'_>) -> Result<Attempt, Stop> {
        let mut known: FxHashMap<Point, (Predicate, Term)> = FxHashMap::default();
        for (predicate, lemmas) in self.bits.predicates.iter().zip(lemmas) {
            let term = self.terms.and(lemmas);
            known.insert(predicate.point, (predicate.clone(), term));
        }
        let mut proof = Proof::default();
        for index in 0..self.program.procedures().len() as u32 {
            let procedure = ProcId(index);
            let entry = Point {
                procedure,
                node: self.program.procedure(procedure).entry,
            };
            if !holds(&self.prepared.reduced.is_reached, entry) {
                continue;
            }
            let mut encoder = Encoder::new(&mut self.terms, Numbers::Bits);
            let filled = fill(
                &self.prepared,
                &mut encoder,
                procedure,
                &|point| known.get(&point).cloned(),
                &mut Patience::new(ask),
            )?;
            let frame = self.frame(procedure);
            for (point, term) in filled.formulas {
                let Some(formula) = back(&self.terms, term, &filled.meanings) else {
                    return Ok(Attempt::Failed(
                        "a part of the solution cannot be said".to_owned(),
                    ));
                };
                let formula = match point == entry {
                    true => formula,
                    false => both(&formula, &frame),
                };
                proof.formulas.insert(point, formula);
            }
        }
        let second = self.config.second.as_ref();
        let mut judge = Solvers::to_check(&self.config.solver, second, self.config.memory);
        match check(self.program, self.targets, &proof, &mut judge, ask) {
            Ok(_) => Ok(Attempt::Proved(proof)),
            Err(rejected) => Ok(Attempt::Failed(format!(
                "the proof is not accepted: {}: {}",
                rejected.obligation.describe(self.program),
                rejected.why
            ))),
        }
    }

    /// That a procedure does not change what it does not change.
    fn frame(&self, procedure: ProcId) -> Formula {
        let mut builder = Builder::default();
        let mut parts = Vec::new();
        for variable in self
            .prepared
            .scopes
            .unchanged(&self.prepared.reduced, procedure)
        {
            let mut same = |builder: &mut Builder, number: Option<u32>| {
                let mut read = |when| match number {
                    None => builder.variable(variable, when),
                    Some(number) => {
                        let number = builder.int(i128::from(number));
                        builder.element(variable, when, number)
                    }
                };
                let (now, entry) = (read(When::Now), read(When::Entry));
                parts.push(builder.equal(now, entry));
            };
            match self.program.variable(procedure, variable).len {
                None => same(&mut builder, None),
                Some(len) => {
                    for number in 0..len.min(ELEMENTS) {
                        same(&mut builder, Some(number));
                    }
                }
            }
        }
        let root = builder.and_all(parts);
        builder.finish(root)
    }
}

fn both(left: &Formula, right: &Formula) -> Formula {
    let mut builder = Builder::default();
    let (left, right) = (builder.copy(left), builder.copy(right));
    let root = builder.and(left, right);
    builder.finish(root)
}
