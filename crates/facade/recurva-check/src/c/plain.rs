//! The program that proofs are about: as the one that is searched, but every value is itself.

use std::sync::OnceLock;

use recurva_cir::{Origin, Scalar};
use recurva_cmodel::{Failure, ShownAs};
use recurva_evidence::Trace;
use recurva_model::{Point, ProcId, VarRef};
use recurva_syntax::Source;
use rustc_hash::FxHashSet;

use super::{CContent, lowered::CProgram, lowered::Purpose};
use crate::{Property, Refused, RunContext, watch::Clock};

/// A C program for proofs.
///
/// What is searched has classes of values instead of values: formulas about those would say nothing to
/// anybody who knows C.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) program: CProgram,
    /// The errors that were asked about.
    pub(super) errors: Vec<Point>,
    /// These, and the nodes where the model ends: all must be unreachable.
    pub(super) targets: Vec<Point>,
}

impl Plain {
    /// The program that proofs about some errors of `searched` are about.
    pub(super) fn new(
        content: &CContent,
        searched: &CProgram,
        points: &[Point],
        clock: &mut Clock<'_>,
    ) -> Result<Self, Refused> {
        let purpose = Purpose {
            has_classes: false,
            ..searched.purpose.clone()
        };
        let program = content.lower(&purpose, clock)?;
        let wanted: Vec<(&Failure, Origin)> = searched
            .lowered
            .errors
            .iter()
            .filter(|it| points.contains(&it.point))
            .map(|it| (&it.kind, it.origin))
            .collect();
        let errors = program.lowered.errors.iter();
        let errors = errors.filter(|it| wanted.contains(&(&it.kind, it.origin)));
        let errors: Vec<Point> = errors.map(|it| it.point).collect();
        let mut targets = errors.clone();
        targets.extend(program.lowered.limit_points());
        targets.sort_unstable();
        targets.dedup();
        Ok(Plain {
            program,
            errors,
            targets,
        })
    }
}

impl Plain {
    /// Whether a variable is an integer of C as it stands.
    pub(super) fn is_integer(&self) -> impl Fn(ProcId, VarRef) -> bool + use<> {
        let integers = self.integers();
        move |procedure, variable| {
            let whose = match variable {
                VarRef::Global(_) => None,
                VarRef::Local(_) => Some(procedure),
            };
            integers.contains(&(whose, variable))
        }
    }

    /// The variables that are integers of C as they stand: their numbers are those of C, which those of
    /// pointers are not.
    fn integers(&self) -> FxHashSet<(Option<ProcId>, VarRef)> {
        let module = &self.program.built.module;
        let shown = self.program.lowered.shown.iter();
        let integers = shown.filter(|it| {
            let ty = match it.what {
                ShownAs::Global(id, 0, _) => module.global(id).ty,
                ShownAs::Local(function, id, 0, _) => {
                    module.function(function).locals[id.0 as usize].ty
                }
                _ => return false,
            };
            let procedure = it.procedure.unwrap_or(ProcId(0));
            let kept = self.program.program.variable(procedure, it.variable).ty;
            match module.types.scalar(ty) {
                Some(Scalar::Int(int)) => kept.bits() == int.bits,
                _ => false,
            }
        });
        integers.map(|it| (it.procedure, it.variable)).collect()
    }
}

/// A plain program, a run of which comes to an error.
#[derive(Debug)]
pub(super) struct Refuted {
    pub(super) plain: Plain,
    /// That the errors are not reached.
    pub(super) property: Property,
    /// The run, and what found it, once it has been executed.
    pub(super) found: OnceLock<(Trace, &'static str)>,
}

impl Refuted {
    /// A violated property of a plain program; `name` is what the property is called.
    pub(super) fn new(plain: Plain, name: String) -> Self {
        let property = Property::Unreachable {
            name,
            points: plain.errors.clone(),
        };
        Refuted {
            plain,
            property,
            found: OnceLock::new(),
        }
    }

    /// What reports of the run are told.
    pub(super) fn context<'a>(&'a self, searched: RunContext<'a>) -> RunContext<'a> {
        let more: &'a [Source] = &self.plain.program.more;
        RunContext {
            more,
            program: &self.plain.program.program,
            property: &self.property,
            places: Some(&self.plain.program.places),
            ..searched
        }
    }
}
