//! What is known while a proof is looked for: lemmas over bits, and what was said of integers.

use recurva_encode::{Meaning, Numbers};
use recurva_model::{Patience, Point, ProcId, Stop};
use recurva_smt::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::{
    affine::{self, Equation},
    clause::{Predicate, System, conjuncts},
    exact::{Variables, exact, modular},
    houdini::{self, Lemmas},
    judge::Solvers,
    linear::readable,
    make::Ranges,
    prove::{Ask, Prover},
};

impl Prover<'_> {
    /// Adds what a solution says to lemmas over bits.
    pub(crate) fn add_lemmas(
        &mut self,
        system: &System,
        solution: &[Option<Term>],
        numbers: Numbers,
        lemmas: &mut Lemmas,
    ) {
        let places = self.bits.predicates.iter().enumerate();
        let places: FxHashMap<Point, usize> = places.map(|(id, it)| (it.point, id)).collect();
        for (predicate, term) in system.predicates.iter().zip(solution) {
            let (Some(term), Some(&id)) = (*term, places.get(&predicate.point)) else {
                continue;
            };
            let parameters = self.bits.predicates[id].parameters.clone();
            let new = match numbers {
                Numbers::Bits => {
                    let with = predicate
                        .parameters
                        .iter()
                        .copied()
                        .zip(parameters)
                        .collect();
                    let term = self.terms.replace(term, &with);
                    conjuncts(&self.terms, term)
                }
                Numbers::Wrapping | Numbers::Ideal => {
                    self.said_of_integers(predicate, &parameters, term)
                }
            };
            for lemma in new {
                if !lemmas[id].contains(&lemma) {
                    lemmas[id].push(lemma);
                }
            }
        }
    }

    fn said_of_integers(&mut self, predicate: &Predicate, bits: &[Term], term: Term) -> Vec<Term> {
        let mut variables = Variables::default();
        for (&parameter, &bits) in predicate.parameters.iter().zip(bits) {
            if let Some(meaning) = predicate.meanings.get(&parameter) {
                variables.insert(parameter, (bits, meaning.ty()));
            }
        }
        let term = readable(&mut self.terms, term);
        let mut found = Vec::new();
        for conjunct in conjuncts(&self.terms, term) {
            if let Some(lemma) = exact(&mut self.terms, conjunct, &variables) {
                let origin = (predicate.parameters.clone(), conjunct);
                self.origins.insert((predicate.point, lemma), origin);
                found.push(lemma);
            }
            found.extend(modular(&mut self.terms, conjunct, &variables));
        }
        found
    }

    /// Looks for linear equations that hold, so that nobody else has to.
    pub(crate) fn affine(&mut self, ask: Ask<'_>) -> Result<(), Stop> {
        let system = self.system(Numbers::Ideal, Ranges::Left, ask)?;
        let mut lemmas = self.kept.clone();
        let mut solution: Vec<Option<Term>> = vec![None; system.predicates.len()];
        for index in 0..self.program.procedures().len() as u32 {
            let procedure = ProcId(index);
            let cuts = system.predicates.iter().map(|it| it.point);
            let cuts: Vec<Point> = cuts.filter(|it| it.procedure == procedure).collect();
            let patience = &mut Patience::new(ask);
            let found = affine::equations(&self.prepared, procedure, &cuts, patience)?;
            for (point, equations) in found {
                let number = system.predicates.iter().position(|it| it.point == point);
                let Some(number) = number else {
                    continue;
                };
                let predicate = &system.predicates[number];
                let equations = equations.iter();
                let terms = equations.map(|it| said(&mut self.terms, predicate, it));
                let terms: Vec<Term> = terms.collect();
                solution[number] = Some(self.terms.and(&terms));
                let all = terms
                    .into_iter()
                    .map(|it| (predicate.parameters.clone(), it));
                self.facts.insert(point, all.collect());
            }
        }
        self.add_lemmas(&system, &solution, Numbers::Ideal, &mut lemmas);
        let mut judge = Solvers::to_find(&self.config.solver, self.config.memory);
        let bits = std::mem::take(&mut self.bits);
        let left = houdini::inductive(&mut self.terms, &bits, lemmas, &mut judge, ask);
        self.bits = bits;
        self.kept = left?;
        Ok(())
    }

    /// Lemmas that follow from each other are known from now on.
    pub(crate) fn keep(&mut self, lemmas: Lemmas) {
        for (predicate, lemmas) in self.bits.predicates.iter().zip(&lemmas) {
            let facts = self.facts.entry(predicate.point).or_default();
            for lemma in lemmas {
                if let Some(origin) = self.origins.get(&(predicate.point, *lemma))
                    && !facts.contains(origin)
                {
                    facts.push(origin.clone());
                }
            }
        }
        self.kept = lemmas;
    }

    /// Adds what is known of predicates to the clauses that they are in.
    pub(crate) fn add_facts(&mut self, system: &mut System, numbers: Numbers) {
        for clause in &mut system.clauses {
            let mut all = vec![clause.condition];
            for application in &clause.body {
                let point = system.predicates[application.predicate].point;
                let facts: Vec<(Vec<Term>, Term)> = match numbers {
                    Numbers::Bits => {
                        let place = self.bits.predicates.iter().position(|it| it.point == point);
                        let Some(place) = place else {
                            continue;
                        };
                        let parameters = &self.bits.predicates[place].parameters;
                        let lemmas = self.kept[place].iter();
                        lemmas.map(|&it| (parameters.clone(), it)).collect()
                    }
                    Numbers::Wrapping | Numbers::Ideal => {
                        self.facts.get(&point).cloned().unwrap_or_default()
                    }
                };
                for (parameters, fact) in facts {
                    let arguments = application.arguments.iter().copied();
                    let with = parameters.into_iter().zip(arguments).collect();
                    all.push(self.terms.replace(fact, &with));
                }
            }
            clause.condition = self.terms.and(&all);
        }
    }
}

/// An equation about the parameters of a predicate.
fn said(terms: &mut Terms, predicate: &Predicate, equation: &Equation) -> Term {
    let mut sum = terms.int(0);
    for (slot, factor) in &equation.factors {
        let place = predicate.meanings.iter().find(|(_, meaning)| {
            matches!(meaning, Meaning::Value(variable, when, _)
                if (*variable, *when) == (slot.variable, slot.when))
        });
        let Some((&value, _)) = place else {
            return terms.truth();
        };
        let factor = terms.int(*factor);
        let product = terms.multiply(value, factor);
        sum = terms.add(sum, product);
    }
    let number = terms.int(equation.number);
    terms.equal(sum, number)
}
