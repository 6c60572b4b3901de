//! Atoms as conditions on a program.

use recurva_lang::guard::Observer;
use recurva_model::{Action, Guard, GuardOp, NodeId, Point, ProcId, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::Formulas;

/// What names without a mark in front are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Variables: labels are written `@label`.
    #[default]
    Variables,
    /// Labels, as far as there are such: for machines, which have no variables.
    Labels,
}

/// Reads every atom of an arena as a condition on a program. The atoms are `@label`,
/// `in(procedure)`, `call`, `ret`, `loc` and boolean expressions over globals and
/// `procedure::local`; what is wrong with them is reported at its place. The guards come in the
/// order of the atoms.
///
/// `source` is the one that the formulas were read from.
pub fn resolve(
    formulas: &Formulas,
    source: &Source,
    program: &Program,
    names: Names,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Guard>> {
    let resolver = Resolver {
        program,
        names,
        observer: Observer::new(program),
    };
    let mut guards = Vec::with_capacity(formulas.atoms().len());
    for atom in formulas.atoms() {
        guards.push(resolver.atom(source, &atom.text, atom.span, diagnostics));
    }
    guards.into_iter().collect()
}

/// Reads a text, such as an atomic proposition of an automaton, as a condition on a program.
/// `source` is that text.
pub fn resolve_text(
    source: &Source,
    program: &Program,
    names: Names,
    diagnostics: &mut Diagnostics,
) -> Option<Guard> {
    let resolver = Resolver {
        program,
        names,
        observer: Observer::new(program),
    };
    let whole = Span::new(0, source.end().end);
    resolver.atom(source, source.text(), whole, diagnostics)
}

struct Resolver<'p> {
    program: &'p Program,
    names: Names,
    observer: Observer<'p>,
}

impl Resolver<'_> {
    fn atom(
        &self,
        source: &Source,
        text: &str,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Guard> {
        let program = self.program;
        let is_global = |name: &str| program.globals().iter().any(|g| *g.name == *name);
        if !is_global(text) {
            if let Some(guard) = self.label(text).or_else(|| self.kind(text)) {
                return Some(guard);
            }
        }
        if text.starts_with("on_stack(") {
            diagnostics.report(|| {
                let message = "the atom `on_stack(…)` is not supported yet by this engine";
                Diagnostic::error(message, place)
                    .help("`in(procedure)` asks which procedure is running")
            });
            return None;
        }
        let mut found = diagnostics.attempt();
        let guard = self.observer.parse(source, place, &mut found);
        if guard.is_none()
            && let Some(whole) = split_word(source, place).filter(|whole| is_global(whole))
        {
            diagnostics.report(|| {
                Diagnostic::error(format!("there is no global variable `{text}`"), place)
                    .help(format!("as in Spot, `{whole}` is an operator and a name; write `\"{whole}\"` for the variable"))
            });
            return None;
        }
        diagnostics.append(found);
        guard
    }

    /// A label without a mark in front, if that is allowed.
    fn label(&self, text: &str) -> Option<Guard> {
        if self.names != Names::Labels {
            return None;
        }
        let labels = self.program.labels().iter();
        let points: Vec<Point> = labels
            .filter(|label| *label.name == *text)
            .map(|label| label.point)
            .collect();
        (!points.is_empty()).then(|| at(points))
    }

    /// The kind of a position: one where a call is made, one that a call returns to, or neither.
    fn kind(&self, text: &str) -> Option<Guard> {
        let (mut calls, mut returns, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (index, procedure) in self.program.procedures().iter().enumerate() {
            let point = |node| Point {
                procedure: ProcId(index as u32),
                node,
            };
            for edge in &procedure.edges {
                if matches!(edge.action, Action::Call { .. }) {
                    calls.push(point(edge.from));
                    returns.push(point(edge.to));
                }
            }
            all.extend((0..procedure.nodes.len() as u32).map(|node| point(NodeId(node))));
        }
        match text {
            "call" => Some(at(calls)),
            "ret" => Some(at(returns)),
            "loc" => {
                calls.extend(returns);
                calls.sort_unstable();
                all.retain(|point| calls.binary_search(point).is_err());
                Some(at(all))
            }
            _ => None,
        }
    }
}

/// That control is at one of these points.
fn at(mut points: Vec<Point>) -> Guard {
    points.sort_unstable();
    points.dedup();
    Guard::new([GuardOp::At(points.into())])
}

/// The word that the letters `F`, `G` and `X` before a name make with it.
fn split_word(source: &Source, place: Span) -> Option<&str> {
    let before = source.text().get(..place.start as usize)?;
    let letters = before.len() - before.trim_end_matches(['F', 'G', 'X']).len();
    let start = place.start - letters as u32;
    (letters > 0).then(|| source.slice(Span::new(start, place.end)))
}
