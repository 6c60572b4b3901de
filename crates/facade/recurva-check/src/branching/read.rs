//! Formulas out of texts, and what their propositions mean in a model.

use recurva_logic::{
    ltl::{Atoms, Resolver},
    ntmu::{self, Formula, Operator},
};
use recurva_model::{Guard, GuardOp, Nsm, Point, ProcId, Program, nsm::StateId};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};

use super::{Starts, Subject};

/// A formula with what its propositions mean.
#[derive(Clone, Debug)]
pub struct Ntmu {
    /// How the user named it, for reports.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// What its propositions mean, in their order; those of a machine mean what the machine
    /// says.
    pub meanings: Vec<Meaning>,
}

/// What a proposition means in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// What the nested state machine says.
    OfMachine,
    /// A condition.
    Condition(Guard),
    /// A call of this procedure is made here.
    Calls(ProcId),
    /// This procedure is running, or a call made in it is pending.
    OnStack(ProcId),
    /// Nothing can follow, though the procedure is not at its end.
    Blocked,
}

/// A formula with the name it has in its text.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The formula.
    pub property: Ntmu,
    /// Where it is declared.
    pub place: Span,
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Read {
    /// The formulas; `None` if and only if there were errors.
    pub properties: Option<Vec<Named>>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// A name is cut where it would be too long to be read.
const LONG: usize = 300;

/// Reads formulas about a model.
#[derive(Debug)]
pub struct Reader<'a> {
    subject: Subject<'a>,
    resolver: Option<Resolver<'a>>,
}

impl<'a> Reader<'a> {
    /// A reader for formulas about this.
    pub fn new(subject: Subject<'a>) -> Self {
        let resolver = match subject {
            Subject::Program(program, Starts::Here) => Some(Resolver::new(program, Atoms::Program)),
            Subject::Program(program, Starts::Behind) => Some(Resolver::new(program, Atoms::C)),
            Subject::Machine { .. } => None,
        };
        Reader { subject, resolver }
    }

    /// Reads the formula that a whole text is.
    pub fn formula(&self, source: &Source) -> Read {
        let parsed = ntmu::parse(source);
        let mut diagnostics = parsed.diagnostics;
        let name = source.text().trim().to_owned();
        let property = parsed.formula.and_then(|formula| {
            let property = self.property(name.clone(), formula, &mut diagnostics)?;
            Some(vec![Named {
                name,
                property,
                place: source_span(source),
            }])
        });
        diagnostics.sort();
        Read {
            properties: property,
            diagnostics,
        }
    }

    /// Reads the formulas of a file.
    pub fn file(&self, source: &Source) -> Read {
        let parsed = ntmu::parse_file(source);
        let mut diagnostics = parsed.diagnostics;
        let mut properties = Vec::new();
        for named in parsed.formulas.into_iter().flatten() {
            let shown = named.formula.formulas().show_written(named.formula.root());
            let name = format!("{}: {}", named.name, shown.clipped(LONG));
            if let Some(property) = self.property(name, named.formula, &mut diagnostics) {
                properties.push(Named {
                    name: named.name.into(),
                    property,
                    place: named.place,
                });
            }
        }
        diagnostics.sort();
        Read {
            properties: (!diagnostics.has_errors()).then_some(properties),
            diagnostics,
        }
    }

    fn property(
        &self,
        name: String,
        formula: Formula,
        diagnostics: &mut Diagnostics,
    ) -> Option<Ntmu> {
        let formulas = formula.formulas();
        let mut used = vec![false; formulas.propositions().len()];
        for id in formulas.subformulas(formula.root()) {
            if let Operator::Proposition(p) | Operator::NotProposition(p) = formulas.operator(id) {
                used[p.0 as usize] = true;
            }
        }
        let all = formulas.propositions().iter().zip(used);
        // Not `collect` at once: every proposition that is wrong is reported. Definitions may
        // have left some behind that the formula does not have.
        let meanings: Vec<Option<Meaning>> = all
            .map(|((text, place), used)| match used {
                true => self.meaning(text, *place, diagnostics),
                false => Some(Meaning::OfMachine),
            })
            .collect();
        Some(Ntmu {
            name,
            meanings: meanings.into_iter().collect::<Option<_>>()?,
            formula,
        })
    }

    /// What a proposition means, if there is such a one.
    pub fn meaning(
        &self,
        text: &str,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Meaning> {
        match self.subject {
            Subject::Machine { nsm, .. } => of_machine(nsm, text, place, diagnostics),
            Subject::Program(program, _) => self.of_program(program, text, place, diagnostics),
        }
    }

    fn of_program(
        &self,
        program: &Program,
        text: &str,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Meaning> {
        let is_global = program.globals().iter().any(|global| *global.name == *text);
        match text {
            _ if is_global => {}
            "call" | "ret" | "loc" => return Some(Meaning::OfMachine),
            "blocked" => return Some(Meaning::Blocked),
            "failed" => {
                let points = program.failures().iter().map(|failure| failure.point);
                let mut points: Vec<Point> = points.collect();
                points.sort_unstable();
                return Some(Meaning::Condition(Guard::new([GuardOp::At(points.into())])));
            }
            _ => {}
        }
        for (word, meaning) in [
            ("calls", Meaning::Calls as fn(ProcId) -> Meaning),
            ("on_stack", Meaning::OnStack),
        ] {
            let inside = text
                .strip_prefix(word)
                .and_then(|rest| rest.strip_prefix('('));
            if let Some(name) = inside.and_then(|rest| rest.strip_suffix(')')) {
                let name = name.trim();
                let found = program.find_procedure(name);
                if found.is_none() {
                    let all = program
                        .procedures()
                        .iter()
                        .map(|procedure| &*procedure.name);
                    diagnostics.report(|| {
                        Diagnostic::error(format!("there is no procedure `{name}`"), place)
                            .help_if(did_you_mean(name, all))
                    });
                }
                return found.map(meaning);
            }
        }
        // The text is read by itself: it may stand in a definition that is used here.
        let source = Source::new("proposition", text).ok()?;
        let mut found = Diagnostics::default();
        let guard = self
            .resolver
            .as_ref()?
            .atom(&source, source_span(&source), text, &mut found);
        if guard.is_none() {
            diagnostics.report(|| moved(&found, place));
        }
        guard.map(Meaning::Condition)
    }
}

fn source_span(source: &Source) -> Span {
    Span::new(0, source.end().end)
}

/// What is wrong with a proposition, said at its place in the formula.
fn moved(found: &Diagnostics, place: Span) -> Diagnostic {
    let first = found.iter().next();
    let message = first.map_or("this is no condition", Diagnostic::message);
    let help = first.and_then(|first| first.helps().first().cloned());
    Diagnostic::error(message, place).help_if(help)
}

/// Looks a proposition of a machine up.
fn of_machine(
    nsm: &Nsm,
    text: &str,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Meaning> {
    let known = nsm.proposition(text).is_some()
        || matches!(text, "call" | "ret" | "loc")
        || text
            .strip_prefix('@')
            .is_some_and(|name| state(nsm, name).is_some())
        || caller(text).is_some_and(|within| nsm.proposition(&within).is_some());
    if known {
        return Some(Meaning::OfMachine);
    }
    diagnostics.report(|| {
        if let Some(name) = text.strip_prefix('@') {
            let all = nsm.states().iter().map(|state| &*state.name);
            return Diagnostic::error(format!("there is no state `{name}`"), place)
                .help_if(did_you_mean(name, all));
        }
        let all = nsm.propositions().iter().map(|name| &**name);
        let near = did_you_mean(text, all);
        let help = near.or_else(|| {
            state(nsm, text).map(|_| format!("for the state of that name write `@{text}`"))
        });
        Diagnostic::error(format!("the machine has no proposition `{text}`"), place).help_if(help)
    });
    None
}

fn state(nsm: &Nsm, name: &str) -> Option<StateId> {
    nsm.ids().find(|&state| nsm.name(state) == name)
}

/// The proposition that holds in the procedure of `on_stack(procedure)`.
fn caller(text: &str) -> Option<String> {
    text.strip_prefix("on_stack")
        .map(|rest| format!("in{rest}"))
}

/// The propositions of a machine that ask what is on the stack, with the states that they are
/// about.
pub(super) fn on_stack<'t>(
    nsm: &Nsm,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<(&'t str, Vec<bool>)> {
    let marks = texts.filter_map(|text| {
        if nsm.proposition(text).is_some() {
            return None;
        }
        let within = nsm.proposition(&caller(text)?)?;
        let list = nsm.ids().map(|state| nsm.holds(state, within));
        Some((text, list.collect()))
    });
    marks.collect()
}

impl Ntmu {
    /// The propositions of the formula, as they are written.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> + Clone {
        let all = self.formula.formulas().propositions().iter();
        all.map(|(text, _)| &**text)
    }
}
