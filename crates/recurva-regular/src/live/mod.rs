//! Liveness: formulas of linear-time temporal logic over the word or over one process, under
//! fairness for every process.
//!
//! A run that violates a formula of a system with words of one length ends in a loop. The question
//! whether there is a fair loop, whatever the length, becomes a question about reachable words:
//! the private module `product` says how.

mod guard;
mod lasso;
mod product;

use recurva_logic::{
    automaton::{self, Config, Tgba},
    ltl::{self, Formula, Formulas},
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

pub use lasso::{Lasso, check_lasso};
pub use product::{LiveOutcome, LiveVerdict, Proof, check};

use crate::{Dfa, Meter, Nfa, Stop};

/// What a formula is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole word.
    Word,
    /// Each process, under this name.
    Process(String),
}

/// What an atom of a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomKind {
    /// The letter of the process.
    Letter,
    /// The whole word.
    Word,
}

/// What an atom means.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The process has one of these letters: a set of words of length one.
    Letter(Dfa),
    /// The word is one of these.
    Word(Dfa),
}

/// A formula that all fair runs must satisfy.
#[derive(Clone, Debug)]
pub struct Property {
    formula: Formula,
    /// What violates it.
    negation: Tgba,
    /// In the order of the automaton's atoms.
    atoms: Vec<Atom>,
    /// In the order of the formula's atoms.
    of_formula: Vec<Atom>,
}

/// A named formula.
#[derive(Clone, Debug)]
pub struct Live {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub scope: Scope,
    /// The formula.
    pub formula: Property,
}

/// What must happen again and again for each process.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// Its letter is in a set.
    Holds(Vec<bool>),
    /// One of these actions is taken by it, or it can take none of them.
    Rule(Vec<usize>),
}

/// A fairness requirement for each process.
#[derive(Clone, Debug)]
pub struct Fair {
    /// What must happen again and again.
    pub requirement: Requirement,
}

/// Reads the meaning of an atom's text.
pub(crate) type Resolve<'r> = dyn FnMut(&str, Span, &mut Diagnostics, AtomKind, &mut Meter<'_>) -> Result<Option<Nfa>, Stop>
    + 'r;

/// Reads the formula at a place.
pub(crate) fn read_formula(
    source: &Source,
    place: Span,
    scope: &Scope,
    resolve: &mut Resolve<'_>,
    diagnostics: &mut Diagnostics,
    meter: &mut Meter<'_>,
) -> Result<Option<Property>, Stop> {
    let mut formulas = Formulas::new();
    let Some(root) = ltl::parse_into(&mut formulas, source, place, diagnostics) else {
        return Ok(None);
    };
    let mut meaning = |text: &str, span: Span, diagnostics: &mut Diagnostics| {
        if let Scope::Process(name) = scope {
            let index = format!("[{name}]");
            if text.contains(&index) {
                let text = text.replace(&index, "");
                let nfa = resolve(&text, span, diagnostics, AtomKind::Letter, meter)?;
                let set = nfa.map(|nfa| nfa.determinise(meter)).transpose()?;
                return Ok(set.map(Atom::Letter));
            }
        }
        // A set of words is quoted; anything else without an index is a slip.
        let before = Span::new(span.start.saturating_sub(1), span.start);
        if source.slice(before) != "\"" {
            let message = format!("`{text}` says nothing about which process");
            let help = match scope {
                Scope::Process(name) => format!("write `{text}[{name}]`"),
                Scope::Word => {
                    "write `forall i :` before the formula and an index behind the atom, \
                                or a regular expression in quotes"
                        .to_owned()
                }
            };
            diagnostics.report(|| Diagnostic::error(message, span).help(help));
            return Ok(None);
        }
        let nfa = resolve(text, span, diagnostics, AtomKind::Word, meter)?;
        let set = nfa.map(|nfa| nfa.determinise(meter)).transpose()?;
        Ok(set.map(Atom::Word))
    };
    let written: Vec<(String, Span)> = formulas
        .atoms()
        .iter()
        .map(|atom| (atom.text.to_string(), atom.span))
        .collect();
    let mut known: Vec<(String, Atom)> = Vec::new();
    for (text, span) in written {
        match meaning(&text, span, diagnostics)? {
            Some(atom) => known.push((text, atom)),
            None => return Ok(None),
        }
    }
    let mut formula = Formula { formulas, root };
    let negated = formula.formulas.simplify_negation(root);
    let negation = Formula {
        root: negated,
        formulas: formula.formulas.clone(),
    };
    let negation = match automaton::translate(&negation, &Config::default()) {
        Ok(automaton) => automaton,
        Err(error) => {
            diagnostics
                .report(|| Diagnostic::error(format!("the formula is too large: {error}"), place));
            return Ok(None);
        }
    };
    let find = |text: &str| {
        known
            .iter()
            .find(|(other, _)| other == text)
            .map(|(_, atom)| atom.clone())
    };
    let atoms: Option<Vec<Atom>> = negation.atoms().iter().map(|text| find(text)).collect();
    Ok(atoms.map(|atoms| Property {
        formula,
        atoms,
        negation,
        of_formula: known.into_iter().map(|(_, atom)| atom).collect(),
    }))
}
