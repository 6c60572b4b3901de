//! What is told of a modular check.

use std::ops::ControlFlow;

use recurva_certificate::{Proof, check::Judge};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

use super::{
    Annotated, ClaimKind, Claimed,
    modular::{How, Modular, NotShown, Unsaid, check},
};
use crate::{
    Refused, Said,
    c::{lowered::CProgram, places::Files},
};

/// What came of checking what a C program's annotations say.
#[derive(Debug)]
pub struct Contracts {
    /// What is said, in the order of the text.
    pub clauses: Vec<ContractClause>,
    /// What is wrong with annotations, or left out.
    pub said: Vec<Said>,
    /// For each clause that was not shown a message at its place.
    pub not_shown: Vec<Said>,
    /// Whether all clauses hold, and it follows that the program has no error, as far as the model goes.
    pub excludes_errors: bool,
    /// Formulas at nodes of the lowered program, for those who look for a proof.
    pub(crate) candidate: Proof,
}

/// A clause of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractClause {
    /// What kind of clause it is.
    pub kind: ClaimKind,
    /// What it says.
    pub text: String,
    /// Its file and line.
    pub place: Option<(String, u32)>,
    /// Whether it was shown.
    pub is_shown: bool,
}

impl Contracts {
    /// Formulas that a prover of the same program may begin with; it finds those of the other nodes.
    pub fn candidate(&self) -> &Proof {
        &self.candidate
    }
}

/// Checks all that is said about a program.
pub(in crate::c) fn contracts(
    annotated: Annotated,
    program: &CProgram,
    files: &Files,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Contracts, Refused> {
    let lowered = &program.lowered;
    let targets = [lowered.error_points(), lowered.limit_points()].concat();
    let claims = annotated.claims;
    let modular = check(&program.program, &claims, &targets, judge, ask);
    let Modular {
        candidate,
        failed,
        excludes_targets,
    } = modular.map_err(|cause| Refused::Internal(cause.to_string()))?;
    let mut wrong: Vec<Diagnostics> = files.all().iter().map(|_| Diagnostics::default()).collect();
    for (claim, failed) in claims.iter().zip(&failed) {
        if claim.kind == ClaimKind::Hint {
            continue;
        }
        for reason in failed {
            if let Some((file, diagnostic)) = message(claim, reason, files) {
                let is_known = wrong[file].iter().any(|it| same(it, &diagnostic));
                if !is_known {
                    wrong[file].report(|| diagnostic);
                }
            }
        }
    }
    let mut not_shown = Vec::new();
    for (file, mut list) in wrong.into_iter().enumerate() {
        if !list.is_empty() {
            list.sort();
            not_shown.push(Said::Text(files.source(file).clone(), list));
        }
    }
    let clauses = claims.into_iter().zip(&failed).map(|(claim, failed)| {
        let place = files.line_column(claim.place);
        ContractClause {
            kind: claim.kind,
            place: place.map(|(file, line, _)| (file.to_owned(), line)),
            is_shown: failed.is_empty(),
            text: claim.text,
        }
    });
    Ok(Contracts {
        clauses: clauses.collect(),
        said: annotated.said,
        not_shown,
        excludes_errors: excludes_targets,
        candidate,
    })
}

/// Whether two messages differ in nothing but the values that they give.
fn same(left: &Diagnostic, right: &Diagnostic) -> bool {
    let notes = |it: &Diagnostic| it.secondary().iter().map(|it| it.span).collect::<Vec<_>>();
    left.message() == right.message()
        && left.primary().span == right.primary().span
        && notes(left) == notes(right)
}

/// Why a clause was not shown, and in which file that is told.
fn message(claim: &Claimed, reason: &NotShown, files: &Files) -> Option<(usize, Diagnostic)> {
    let (clause_file, clause) = files.in_file(claim.place)?;
    let step = files.in_file(reason.place);
    let (file, span, other) = match (reason.how, step) {
        // A call is at fault, not who is called.
        (How::Call, Some((file, span))) => (file, span, Some((clause_file, clause))),
        _ => (clause_file, clause, step),
    };
    let text = match reason.how {
        How::Call => "this call does not establish what the function requires",
        How::End => "the function does not establish what it ensures",
        How::Established => "the invariant does not hold when the loop is reached",
        How::Kept => "the loop does not keep its invariant",
        How::Implied => "the assertion is not implied",
    };
    let mut diagnostic = match reason.is_refuted {
        true => Diagnostic::error(text, span),
        false => Diagnostic::error(format!("it is not known whether it holds: {text}"), span),
    };
    if let Some((_, at)) = other.filter(|&(own, at): &(usize, Span)| own == file && at != span) {
        let label = match reason.how {
            How::Call => "this is required",
            _ => "on the way that ends here",
        };
        diagnostic = diagnostic.note(at, label);
    }
    diagnostic = match (reason.is_refuted, &*reason.why) {
        (_, "") => diagnostic,
        (true, values) => diagnostic.help(format!("it is wrong where {values}")),
        (false, why) => diagnostic.help(why.to_owned()),
    };
    for unsaid in &reason.unsaid {
        let text = match unsaid {
            Unsaid::Function(name) => {
                format!("nothing is said of `{name}`: what it ensures may help")
            }
            Unsaid::Loop(place) => match files.line_column(*place) {
                Some((_, line, _)) => {
                    format!("nothing is said of the loop in line {line}: an invariant may help")
                }
                None => continue,
            },
        };
        diagnostic = diagnostic.help(text);
    }
    Some((file, diagnostic))
}
