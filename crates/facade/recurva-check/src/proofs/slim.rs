//! Proofs without what they do not need: conjuncts are left out as long as what is left is a proof.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_certificate::{Builder, Formula, Proof, check::check};
use recurva_model::Point;

use super::{engines::Task, judges::Judges, tidy::LARGEST};
use crate::Work;

/// No longer than this.
const TIME: Duration = Duration::from_millis(1500);

/// A larger proof stays as it is: every step checks all of it.
const MOST_CONJUNCTS: usize = 300;

/// A proof that was accepted, with fewer conjuncts.
pub(super) fn slim(
    task: &Task<'_>,
    proof: Proof,
    tell: &mut dyn FnMut(Work) -> ControlFlow<()>,
) -> Proof {
    let size: usize = proof.formulas.values().map(|it| it.nodes().len()).sum();
    if size > LARGEST {
        return proof;
    }
    let mut parts: Vec<(Point, Formula)> = Vec::new();
    for (&point, formula) in &proof.formulas {
        parts.extend(formula.conjuncts().into_iter().map(|it| (point, it)));
    }
    if parts.len() > MOST_CONJUNCTS {
        return proof;
    }
    // What is longest is missed least.
    parts.sort_by_key(|(_, it)| std::cmp::Reverse(it.nodes().len()));
    let until = Instant::now() + TIME;
    let work = Work {
        what: "leaving out what the proof does not need",
        ..Work::default()
    };
    let mut ask = || match Instant::now() >= until {
        true => ControlFlow::Break(()),
        false => tell(work),
    };
    let mut kept = proof;
    // First as many at once as can be, then fewer.
    let mut size = parts.len().div_ceil(2);
    while size > 0 {
        let mut place = 0;
        while place < parts.len() {
            let end = (place + size).min(parts.len());
            let mut fewer = parts.clone();
            fewer.drain(place..end);
            let smaller = assembled(&kept, &fewer);
            let mut judges = Judges::embedded();
            match check(task.program, task.targets, &smaller, &mut judges, &mut ask) {
                Ok(_) => {
                    kept = smaller;
                    parts = fewer;
                }
                Err(_) if ask().is_break() => return kept,
                Err(_) => place = end,
            }
        }
        size = match size {
            1 => 0,
            size => size.div_ceil(2),
        };
    }
    kept
}

/// The proof with these conjuncts at the same nodes.
fn assembled(proof: &Proof, parts: &[(Point, Formula)]) -> Proof {
    let formulas = proof.formulas.keys().map(|&point| {
        let mut builder = Builder::default();
        let here = parts.iter().filter(|it| it.0 == point);
        let here: Vec<_> = here.map(|it| builder.copy(&it.1)).collect();
        let root = builder.and_all(here);
        (point, builder.finish(root))
    });
    Proof {
        formulas: formulas.collect(),
    }
}
