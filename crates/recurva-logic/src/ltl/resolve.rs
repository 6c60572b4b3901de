//! Atoms as conditions on a program.

use recurva_lang::guard::Observer;
use recurva_model::{Guard, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{AtomId, Formulas};

/// Atoms that only engines for nested words can read.
const KINDS: [(&str, &str); 3] = [
    ("call", "whether a position is a call"),
    ("ret", "whether a position is a return"),
    ("loc", "whether a position is neither a call nor a return"),
];

/// Reads every atom of an arena as a condition on a program. The atoms are `@label`,
/// `in(procedure)` and boolean expressions over globals and `procedure::local`; what is wrong
/// with them is reported at its place. The guards come in the order of the atoms.
///
/// `source` is the one that the formulas were read from.
pub fn resolve(
    formulas: &Formulas,
    source: &Source,
    program: &Program,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Guard>> {
    let observer = Observer::new(program);
    let mut guards = Vec::with_capacity(formulas.atoms().len());
    for (index, atom) in formulas.atoms().iter().enumerate() {
        let text = &*atom.text;
        let variable = program.globals().iter().any(|global| *global.name == *text);
        let kind = KINDS.iter().find(|(name, _)| *name == text);
        if let Some(&(name, what)) = kind.filter(|_| !variable) {
            diagnostics.report(|| {
                let message = format!("the atom `{name}` is not supported yet by this engine");
                Diagnostic::error(message, atom.span).label(format!("asks {what}"))
            });
            continue;
        }
        if text.starts_with("on_stack(") {
            diagnostics.report(|| {
                let message = "the atom `on_stack(…)` is not supported yet by this engine";
                Diagnostic::error(message, atom.span)
                    .help("`in(procedure)` asks which procedure is running")
            });
            continue;
        }
        let mut found = diagnostics.attempt();
        let guard = observer.parse(source, atom.span, &mut found);
        if guard.is_none()
            && let Some(whole) = split_word(source, atom.span)
            && let Some(global) = program.globals().iter().find(|g| *g.name == *whole)
        {
            let name = &global.name;
            diagnostics.report(|| {
                Diagnostic::error(format!("there is no global variable `{text}`"), atom.span)
                    .help(format!("as in Spot, `{name}` is an operator and a name; write `\"{name}\"` for the variable"))
            });
            continue;
        }
        diagnostics.append(found);
        guards.extend(guard.map(|guard| (AtomId(index as u32), guard)));
    }
    (guards.len() == formulas.atoms().len())
        .then(|| guards.into_iter().map(|(_, guard)| guard).collect())
}

/// The word that the letters `F`, `G` and `X` before a name make with it.
fn split_word(source: &Source, place: Span) -> Option<&str> {
    let before = source.text().get(..place.start as usize)?;
    let letters = before.len() - before.trim_end_matches(['F', 'G', 'X']).len();
    let start = place.start - letters as u32;
    (letters > 0).then(|| source.slice(Span::new(start, place.end)))
}
