//! A C program as one that the engines search.

use std::mem;

use recurva_cbuild::{Allocation, BuildOptions, Built, Entry, Mark, Scope};
use recurva_cir::{Check, ErrorKind, Module};
use recurva_cmodel::{Failure as Failed, LowerOptions, Lowered, Precision, ShownAs, Wanted};
use recurva_cslice::{Kept, Slice, Targets};
use recurva_lang::provenance::{Place, Provenance};
use recurva_model::{Failure, FailureKind, Origin, Patience, Program, VarRef};
use recurva_syntax::{Source, Span};

use super::{
    COptions, Units,
    places::{Files, Preprocessed},
    rule::{Rule, rename},
};
use crate::{Limit, Refused, Said};

/// What a program is lowered for.
#[derive(Clone, Debug)]
pub(super) struct Purpose {
    /// What is an error.
    pub(super) wanted: Wanted,
    /// Whether somebody looks at its variables: then none of them may be left out.
    pub(super) is_watched: bool,
    /// Whether values that nothing tells apart are one value.
    pub(super) has_classes: bool,
    /// Places that have to have nodes, as something is said about them.
    pub(super) marks: Vec<Mark>,
    /// How much of a large program.
    pub(super) extent: Extent,
}

/// How much of a program is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it, or a slice if it is large.
    Fitting,
    /// All of it.
    Whole,
}

impl Purpose {
    /// The program's own property.
    pub(super) fn own(options: &COptions) -> Self {
        let checks = options.checks.iter().flat_map(|it| it.checks());
        Purpose {
            wanted: Wanted {
                checks: checks.copied().collect(),
                ..Wanted::errors()
            },
            is_watched: false,
            has_classes: true,
            marks: Vec::new(),
            extent: Extent::Fitting,
        }
    }

    /// Whether it is the program's own property with no more errors than that.
    pub(super) fn is_own(&self, options: &COptions) -> bool {
        let own = Purpose::own(options).wanted;
        let wanted = &self.wanted;
        wanted.labels.is_empty()
            && wanted.functions.is_empty()
            && wanted.checks.iter().all(|it| own.checks.contains(it))
    }
}

/// A C program, and the program of ours that stands for it.
#[derive(Debug)]
pub(super) struct CProgram {
    pub(super) built: Built,
    pub(super) lowered: Lowered,
    /// The lowered program, with places in the user's files.
    pub(super) program: Program,
    /// The user's files besides the model's own text.
    pub(super) more: Vec<Source>,
    pub(super) checks: Vec<Check>,
    /// What it was lowered for.
    pub(super) purpose: Purpose,
    /// Where its statements are, by file, line and column.
    pub(super) places: Provenance,
    /// The whole program, if this is a slice of it.
    pub(super) cut: Option<Cut>,
}

/// What a slice was cut from.
#[derive(Debug)]
pub(super) struct Cut {
    /// The whole program: what is found counts once it has been executed on it.
    pub(super) whole: Module,
    /// What was kept of it.
    pub(super) kept: Kept,
}

impl CProgram {
    pub(super) fn new(
        units: &Units,
        purpose: &Purpose,
        files: &mut Files,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Refused> {
        let checks = purpose.wanted.checks.clone();
        let mut built = build(units, &checks, &purpose.marks, Scope::Reachable, files)?;
        let cut = match purpose.extent {
            Extent::Fitting
                if !purpose.is_watched && edges(&built.module) > units.options.large =>
            {
                cut(&mut built.module, &purpose.wanted, patience)?
            }
            Extent::Fitting | Extent::Whole => None,
        };
        let options = LowerOptions {
            objects: units.options.objects,
            classes: purpose.has_classes && !purpose.is_watched,
            constants: !purpose.is_watched,
            ..LowerOptions::default()
        };
        let lowered = recurva_cmodel::lower(&built.module, &purpose.wanted, &options, patience);
        let lowered = lowered.map_err(|refused| match refused {
            recurva_cmodel::Refused::Wrong(cause) => Refused::Internal(cause.to_string()),
            recurva_cmodel::Refused::Stopped => Refused::Limit(Limit::Interrupted),
            other => Refused::Said(vec![Said::error_if(other.to_string(), None)]),
        })?;
        let program = in_files(units, &lowered, files)?;
        let places = provenance(&program, files);
        Ok(CProgram {
            places,
            built,
            lowered,
            program,
            more: files.more(),
            checks,
            purpose: purpose.clone(),
            cut,
        })
    }

    /// The program that runs are executed on.
    pub(super) fn executed(&self) -> &Module {
        match &self.cut {
            Some(cut) => &cut.whole,
            None => &self.built.module,
        }
    }

    /// How the runs of what is searched compare with the program's. A slice has more.
    pub(super) fn precision(&self) -> Precision {
        match (self.lowered.precision(), &self.cut) {
            (precision, None) => precision,
            (Precision::Exact | Precision::Over, Some(_)) => Precision::Over,
            (Precision::Under | Precision::Neither, Some(_)) => Precision::Neither,
        }
    }
}

/// How many edges a program has.
pub(super) fn edges(module: &Module) -> usize {
    module.functions.iter().map(|it| it.edges.len()).sum()
}

/// Makes a program a slice of it, if there is one for what is wanted.
fn cut(
    module: &mut Module,
    wanted: &Wanted,
    patience: &mut Patience<'_>,
) -> Result<Option<Cut>, Refused> {
    let targets = Targets {
        errors: wanted.errors,
        checks: &wanted.checks,
        labels: &wanted.labels,
        functions: &wanted.functions,
    };
    let slice = Slice::new(module, &targets, patience);
    let slice = slice.map_err(|_| Refused::Limit(Limit::Interrupted))?;
    Ok(slice.map(|slice| Cut {
        whole: mem::replace(module, slice.module),
        kept: slice.kept,
    }))
}

/// Builds the program from its units.
pub(super) fn build(
    units: &Units,
    checks: &[Check],
    marks: &[Mark],
    scope: Scope,
    files: &mut Files,
) -> Result<Built, Refused> {
    let options = BuildOptions {
        entry: match &units.options.entry {
            Some(name) => Entry::Function(name.clone()),
            None => Entry::Main,
        },
        checks: checks.to_vec(),
        marks: marks.to_vec(),
        scope,
        allocation: match units.options.malloc_may_fail {
            true => Allocation::MayFail,
            false => Allocation::Succeeds,
        },
        error_functions: units.rule.as_ref().map(Rule::functions).unwrap_or_default(),
        ..BuildOptions::default()
    };
    let typed = units.typed();
    let typed = typed.map_err(|wrong| super::read::wrong(units, wrong.clone(), files))?;
    let with_texts = units.texts.iter().cloned().zip(typed.iter().cloned());
    let mut built = recurva_cbuild::build(with_texts.collect(), &options)
        .map_err(|wrong| super::read::wrong(units, wrong, files))?;
    if units.rule.is_some() {
        rename(&mut built);
    }
    Ok(built)
}

/// The lowered program with all places in the user's files, and its errors as failures.
fn in_files(units: &Units, lowered: &Lowered, files: &mut Files) -> Result<Program, Refused> {
    let texts: Vec<Preprocessed<'_>> = units.preprocessed();
    let mut place = |origin: &mut Origin| {
        if origin.is_none() {
            return;
        }
        let there = lowered.origin(*origin);
        *origin = match texts.get(there.source.0 as usize) {
            Some(text) => files.origin(text, Span::new(there.start, there.end)),
            // In a model of the library.
            None => Origin::default(),
        };
    };
    let mut parts = (*lowered.program).clone().into_parts();
    // What is on the heap has no name that a user would know.
    for shown in &lowered.shown {
        if let (ShownAs::Heap(..), VarRef::Global(index)) = (&shown.what, shown.variable) {
            parts.globals[index as usize].hidden = true;
        }
    }
    parts
        .globals
        .iter_mut()
        .for_each(|it| place(&mut it.origin));
    for procedure in &mut parts.procedures {
        place(&mut procedure.origin);
        procedure
            .locals
            .iter_mut()
            .for_each(|it| place(&mut it.origin));
        procedure
            .nodes
            .iter_mut()
            .for_each(|it| place(&mut it.origin));
        procedure
            .edges
            .iter_mut()
            .for_each(|it| place(&mut it.origin));
    }
    parts.labels.iter_mut().for_each(|it| place(&mut it.origin));
    parts
        .failures
        .iter_mut()
        .for_each(|it| place(&mut it.origin));
    let failures = lowered.errors.iter().filter_map(|failed| {
        let rule = units.rule.as_ref();
        if let Some((kind, origin)) = rule.and_then(|it| it.failure(&failed.kind, files)) {
            return Some(Failure {
                kind,
                point: failed.point,
                origin,
            });
        }
        let kind = failure_kind(&failed.kind)?;
        let texts = texts.get(failed.origin.source.0 as usize);
        let span = Span::new(failed.origin.start, failed.origin.end);
        let origin = texts.map(|text| files.origin(text, span));
        Some(Failure {
            kind,
            point: failed.point,
            origin: origin.unwrap_or_default(),
        })
    });
    parts.failures = failures.collect();
    let program = Program::new(parts).map_err(|cause| Refused::Internal(cause.to_string()))?;
    Ok(program.with_constants(lowered.program.constants().to_vec()))
}

/// Where the statements of a program are, by file, line and column.
fn provenance(program: &Program, files: &Files) -> Provenance {
    let procedures = program.procedures().iter();
    let edges = procedures.flat_map(|procedure| {
        let edges = procedure.edges.iter().map(|edge| edge.origin);
        let nodes = procedure.nodes.iter().map(|node| node.origin);
        edges.chain(nodes).map(|origin| (origin, &procedure.name))
    });
    let failures = program.failures().iter().map(|failure| {
        let procedure = program.procedure(failure.point.procedure);
        (failure.origin, &procedure.name)
    });
    Provenance::of_places(edges.chain(failures).filter_map(|(origin, function)| {
        let (file, line, column) = files.line_column(origin)?;
        let place = Place {
            file: file.into(),
            line,
            column: Some(column),
            function: Some(function.clone()),
        };
        Some((origin.start..origin.end, place))
    }))
}

/// What kind of failure an error is; a label that was asked for is none.
pub(super) fn failure_kind(failed: &Failed) -> Option<FailureKind> {
    Some(match failed {
        Failed::Error(ErrorKind::Assertion(_)) => FailureKind::Assertion,
        Failed::Error(ErrorKind::Call(_)) => FailureKind::ErrorCall,
        Failed::Error(ErrorKind::Abort) => FailureKind::Abort,
        Failed::Check(check) => match check {
            Check::Overflow => FailureKind::Overflow,
            Check::Division => FailureKind::Division,
            Check::Shift => FailureKind::Shift,
            Check::Bounds => FailureKind::Bounds,
            Check::Null => FailureKind::Null,
            Check::Lifetime => FailureKind::Lifetime,
            Check::Free => FailureKind::Free,
            Check::Leak => FailureKind::Leak,
            Check::Uninitialised => FailureKind::Uninitialised,
            Check::Call => FailureKind::Call,
            Check::Conversion => FailureKind::Conversion,
        },
        Failed::Label(_) | Failed::Function(_) => return None,
    })
}
