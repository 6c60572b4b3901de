//! What others say about a C program, as formulas at nodes of the lowered program.
//!
//! - [`Claims::find`] reads the annotations of the program's sources, and a witness, and finds out what
//!   each is about. Its [`Claims::marks`] are places that need nodes: a program that is to be checked
//!   against them is built with these.
//! - [`annotated`] gives the formulas, once the program is lowered.
//! - [`contracts`] checks them, each function by itself, and says where they do not hold.
//!
//! A name means what it means in C at the place where it is used, and a part of a variable is read as the
//! lowered program keeps it.

mod automatic;
mod claims;
mod memory;
mod modular;
mod names;
mod report;
mod sites;
mod translate;
mod unfold;

#[cfg(test)]
mod tests;

use recurva_certificate::Formula;
use recurva_cir::FunctionId;
use recurva_model::{NodeId, Origin, Point, ProcId, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source};

use self::{
    claims::{At, Claim},
    memory::{Memory, Moment},
    names::{Known, Scope},
    translate::{Trouble, translate},
};
use super::lowered::CProgram;
use crate::Said;

pub use self::report::{ContractClause, Contracts};
pub(super) use self::{claims::Claims, report::contracts};

/// What kind of thing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// It has to hold when the function is called.
    Requires,
    /// It holds when the function ends.
    Ensures,
    /// It holds whenever control is at the loop's head.
    LoopInvariant,
    /// It holds whenever control is there.
    Assertion,
    /// Somebody else believes so: it may help, and nobody minds if it is wrong.
    Hint,
}

/// Something that is said, as a formula.
#[derive(Clone, Debug)]
pub(super) struct Claimed {
    pub(super) kind: ClaimKind,
    /// The node.
    pub(super) point: Point,
    /// What holds there.
    pub(super) formula: Formula,
    /// Where it is said, in the program's files; of a hint what it is about.
    pub(super) place: Origin,
    /// The same as it is written.
    pub(super) text: String,
}

/// All that is said about a lowered program.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    pub(super) claims: Vec<Claimed>,
    /// What is wrong, or not supported.
    pub(super) said: Vec<Said>,
}

/// The formulas for what is said about a program, which was built with the marks.
pub(super) fn annotated(claims: &Claims, program: &CProgram) -> Annotated {
    let mut out = Annotated::default();
    let mut wrong: Vec<(Source, Diagnostics)> = Vec::new();
    for claim in &claims.list {
        let mut diagnostics = Diagnostics::default();
        out.claims
            .extend(claimed(claims, claim, program, &mut diagnostics));
        let known = wrong
            .iter_mut()
            .find(|(own, _)| own.name() == claim.source.name());
        match known {
            Some((_, list)) => append_new(list, diagnostics),
            None => wrong.push((claim.source.clone(), diagnostics)),
        }
    }
    for (source, mut list) in wrong {
        if !list.is_empty() {
            list.sort();
            out.said.push(Said::Text(source, list));
        }
    }
    out
}

/// Adds messages that are not there yet: a header is read once for each unit.
fn append_new(list: &mut Diagnostics, more: Diagnostics) {
    if !more.iter().all(|it| list.iter().any(|own| own == it)) {
        list.append(more);
    }
}

/// One claim, unless it is left out.
fn claimed(
    claims: &Claims,
    claim: &Claim,
    program: &CProgram,
    diagnostics: &mut Diagnostics,
) -> Option<Claimed> {
    let sites = claims.units[claim.unit].as_ref()?;
    let module = &program.built.module;
    let lowered = &program.lowered;
    let mut leave_out = |text: String| {
        diagnostics.warn(|| Diagnostic::warning(text, claim.span));
        None
    };
    let (function, moment, known) = match &claim.at {
        At::Function(head, span) => {
            let moment = match claim.kind {
                ClaimKind::Ensures => Moment::Exit,
                _ => Moment::Entry,
            };
            let is_here = |id: FunctionId| {
                let origin = module.function(id).origin;
                let is_unit = origin.source.0 as usize == claim.unit;
                is_unit && span.start <= origin.start && origin.start < span.end
            };
            let ids = (0..module.functions.len() as u32).map(FunctionId);
            let mut named = ids.filter(|id| {
                let function = module.function(*id);
                function.name == head.name && function.has_body()
            });
            let own = named.clone().find(|id| is_here(*id));
            let Some(function) = own.or_else(|| named.next()) else {
                let name = &head.name;
                return leave_out(format!(
                    "`{name}` is not called, or has no body: its contract is not checked"
                ));
            };
            (function, moment, Known::Contract(&head.parameters))
        }
        At::Mark(mark, names) => match program.built.marked.get(*mark).copied().flatten() {
            Some((function, _)) => (function, Moment::Middle, Known::At(*names)),
            None => return leave_out("no run comes here: this is not checked".to_owned()),
        },
    };
    let position = lowered
        .functions
        .iter()
        .position(|it| *it == Some(function));
    let Some(procedure) = position.map(|it| ProcId(it as u32)) else {
        let name = &module.function(function).name;
        return leave_out(format!("`{name}` is never called: this is not checked"));
    };
    let point = Point {
        procedure,
        node: node(&program.program, procedure, claim, program),
    };
    let scope = Scope {
        module,
        sites,
        unit: claim.unit,
        function,
        known,
    };
    let memory = Memory {
        module,
        lowered,
        program: &program.program,
        function,
        procedure,
        moment,
    };
    let mut troubles = Vec::new();
    let formula = translate(&claim.expression, scope, memory, &mut troubles);
    for trouble in troubles {
        match trouble {
            // What others believe need not be right.
            Trouble::Error(wrong) if claim.kind != ClaimKind::Hint => {
                diagnostics.report(|| wrong);
            }
            Trouble::Error(it) | Trouble::Unsupported(it) => {
                let text = format!("{}: this is left out", it.message());
                let mut warning = Diagnostic::warning(text, it.primary().span);
                for help in it.helps() {
                    warning = warning.help(help.clone());
                }
                diagnostics.warn(|| warning);
            }
        }
    }
    Some(Claimed {
        kind: claim.kind,
        point,
        formula: formula?,
        place: claim.place,
        text: claim.source.slice(claim.expression.span()).to_owned(),
    })
}

/// The node of the lowered program that a claim is about.
fn node(lowered: &Program, procedure: ProcId, claim: &Claim, program: &CProgram) -> NodeId {
    let procedure = lowered.procedure(procedure);
    match (&claim.at, claim.kind) {
        (At::Mark(mark, _), _) => {
            let marked = program.built.marked.get(*mark).copied().flatten();
            // The nodes of a function keep their numbers when it is lowered.
            marked.map_or(procedure.entry, |(_, node)| NodeId(node.0))
        }
        (At::Function(..), ClaimKind::Ensures) => procedure.exit,
        (At::Function(..), _) => procedure.entry,
    }
}
