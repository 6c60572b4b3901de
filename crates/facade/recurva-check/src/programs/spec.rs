//! Properties out of texts.

use std::path::Path;

use recurva_lang::guard::{self, Language};
use recurva_logic::{
    automaton::Config,
    caret, hoa,
    ltl::{self, Atoms, Formula, MachineAtoms, Resolver},
    monitor,
};
use recurva_model::{Guard, GuardOp, Monitor, Point, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{Ltl, Never, Property};

/// The format of a text with properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecFormat {
    /// Monitors, `.mon`.
    Monitors,
    /// Named formulas, `.ltl`.
    Formulas,
    /// Named formulas of CaRet, `.caret`.
    Caret,
    /// An automaton of what must not happen, `.hoa`.
    Automaton,
}

impl SpecFormat {
    /// The format of a file, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "mon" => Some(SpecFormat::Monitors),
            "ltl" => Some(SpecFormat::Formulas),
            "caret" => Some(SpecFormat::Caret),
            "hoa" => Some(SpecFormat::Automaton),
            _ => None,
        }
    }
}

/// A property with the name it has in its text.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The property.
    pub property: Property,
    /// Where it is declared.
    pub place: Span,
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The properties; `None` if and only if there were errors.
    pub properties: Option<Vec<Named>>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// What properties of infinite runs speak about.
#[derive(Clone, Copy, Debug, Default)]
pub enum Vocabulary<'a> {
    /// The configurations of a program.
    #[default]
    Program,
    /// The same of a program that was made from C, in the language of C.
    C,
    /// The positions of a flat machine's runs.
    Machine {
        /// The nodes that are positions.
        positions: &'a [Point],
        /// The nodes that are positions for formulas about calls, if the machine makes calls.
        nested: Option<&'a [Point]>,
        /// What atoms mean besides the labels of its program.
        atoms: MachineAtoms<'a>,
    },
    /// The letters that a flat machine reads, each with the nodes that stand for it.
    Letters(&'a [(Box<str>, Vec<Point>)]),
}

impl Vocabulary<'_> {
    /// Which positions of a run count, if not all do.
    fn positions(self, program: &Program) -> Option<Guard> {
        match self {
            Vocabulary::Program => None,
            Vocabulary::C => Some(guard::started(program)),
            Vocabulary::Machine { positions, .. } => Some(one_of(positions.to_vec())),
            Vocabulary::Letters(letters) => {
                let points = letters.iter().flat_map(|(_, points)| points);
                Some(one_of(points.copied().collect()))
            }
        }
    }

    /// The same for formulas about calls.
    fn nested_positions(self, program: &Program) -> Result<Option<Guard>, NoCalls> {
        match self {
            Vocabulary::Program => Ok(None),
            Vocabulary::C => Ok(Some(guard::started(program))),
            Vocabulary::Machine {
                nested: Some(nested),
                ..
            } => Ok(Some(one_of(nested.to_vec()))),
            Vocabulary::Machine { nested: None, .. } => Err(NoCalls {
                message: "a formula of CaRet is about calls, and a pushdown system has none",
                help: "give the system as a program or as a recursive state machine",
            }),
            Vocabulary::Letters(_) => Err(NoCalls {
                message: "a formula of CaRet is about positions, not about letters",
                help: "leave out --letters",
            }),
        }
    }
}

/// Why there is no formula about calls.
struct NoCalls {
    message: &'static str,
    help: &'static str,
}

/// That control is at one of these points.
fn one_of(mut points: Vec<Point>) -> Guard {
    points.sort_unstable();
    Guard::new([GuardOp::At(points.into())])
}

/// What a formula is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logic {
    Ltl,
    Caret,
}

/// Reads properties of a program.
#[derive(Debug)]
pub struct Reader<'a> {
    program: &'a Program,
    vocabulary: Vocabulary<'a>,
    resolver: Resolver<'a>,
}

impl<'a> Reader<'a> {
    /// A reader for a program.
    pub fn new(program: &'a Program, vocabulary: Vocabulary<'a>) -> Self {
        let atoms = match vocabulary {
            Vocabulary::Program => Atoms::Program,
            Vocabulary::C => Atoms::C,
            Vocabulary::Machine { atoms, .. } => Atoms::Machine(atoms),
            Vocabulary::Letters(letters) => Atoms::Letters(letters),
        };
        Reader {
            program,
            vocabulary,
            resolver: Resolver::new(program, atoms),
        }
    }

    /// Reads all properties of a text.
    pub fn read(&self, source: &Source, format: SpecFormat) -> Spec {
        let mut diagnostics = Diagnostics::default();
        let properties = match format {
            SpecFormat::Monitors => self.monitors(source, &mut diagnostics),
            SpecFormat::Formulas => self.formulas(source, Logic::Ltl, &mut diagnostics),
            SpecFormat::Caret => self.formulas(source, Logic::Caret, &mut diagnostics),
            SpecFormat::Automaton => self.automaton(source, &mut diagnostics),
        };
        diagnostics.sort();
        Spec {
            properties,
            diagnostics,
        }
    }

    /// Reads the formula that a whole text is.
    pub fn formula(&self, source: &Source) -> Spec {
        self.whole(source, Logic::Ltl)
    }

    /// Reads the formula of CaRet that a whole text is.
    pub fn caret(&self, source: &Source) -> Spec {
        self.whole(source, Logic::Caret)
    }

    fn whole(&self, source: &Source, logic: Logic) -> Spec {
        let parsed = match logic {
            Logic::Ltl => ltl::parse(source),
            Logic::Caret => caret::parse(source),
        };
        let mut diagnostics = parsed.diagnostics;
        let name = source.text().trim().to_owned();
        let property = parsed.formula.and_then(|formula| {
            let property =
                self.property(name.clone(), (formula, logic), source, &mut diagnostics)?;
            let place = Span::new(0, source.text().trim_end().len() as u32);
            Some(vec![Named {
                name,
                property,
                place,
            }])
        });
        diagnostics.sort();
        Spec {
            properties: property,
            diagnostics,
        }
    }

    fn monitors(&self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Vec<Named>> {
        let language = match self.vocabulary {
            Vocabulary::C => Language::C,
            _ => Language::Ours,
        };
        let parsed = monitor::parse_in(source, self.program, language);
        diagnostics.append(parsed.diagnostics);
        let mut properties = Vec::new();
        for monitor in parsed.monitors? {
            properties.extend(of_monitor(monitor, source, diagnostics));
        }
        (!diagnostics.has_errors()).then_some(properties)
    }

    fn formulas(
        &self,
        source: &Source,
        logic: Logic,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Named>> {
        let parsed = match logic {
            Logic::Ltl => ltl::parse_file(source),
            Logic::Caret => caret::parse_file(source),
        };
        diagnostics.append(parsed.diagnostics);
        let mut properties = Vec::new();
        for named in parsed.formulas? {
            let name = format!("{}: {}", named.name, named.formula);
            let formula = (named.formula, logic);
            if let Some(property) = self.property(name, formula, source, diagnostics) {
                properties.push(Named {
                    name: named.name.into(),
                    property,
                    place: named.place,
                });
            }
        }
        (!diagnostics.has_errors()).then_some(properties)
    }

    fn property(
        &self,
        name: String,
        (formula, logic): (Formula, Logic),
        source: &Source,
        diagnostics: &mut Diagnostics,
    ) -> Option<Property> {
        let positions = match logic {
            Logic::Ltl => self.vocabulary.positions(self.program),
            Logic::Caret => match self.vocabulary.nested_positions(self.program) {
                Ok(positions) => positions,
                Err(NoCalls { message, help }) => {
                    let whole = Span::new(0, source.text().trim_end().len() as u32);
                    diagnostics.report(|| Diagnostic::error(message, whole).help(help));
                    return None;
                }
            },
        };
        let guards = self.resolver.all(&formula.formulas, source, diagnostics)?;
        let property = Ltl {
            name,
            formula,
            guards,
            positions,
        };
        Some(match logic {
            Logic::Ltl => Property::Ltl(property),
            Logic::Caret => Property::Caret(property),
        })
    }

    fn automaton(&self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Vec<Named>> {
        let parsed = hoa::parse(source);
        diagnostics.append(parsed.diagnostics);
        let automaton = parsed.automaton?;
        let atoms = automaton.atoms().iter().zip(&parsed.atoms);
        let guards: Vec<Option<Guard>> = atoms
            .map(|(text, &place)| self.resolver.atom(source, place, text, diagnostics))
            .collect();
        let guards: Vec<Guard> = guards.into_iter().collect::<Option<_>>()?;
        // One that is too large to be made smaller is taken as it is.
        let automaton = automaton.reduce(&Config::default()).unwrap_or(automaton);
        let name = parsed.name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| source.name().to_owned());
        let property = Property::Never(Never {
            name: format!("no infinite run is accepted by {name}"),
            automaton,
            guards,
            positions: self.vocabulary.positions(self.program),
        });
        let place = Span::new(0, source.text().trim_end().len() as u32);
        Some(vec![Named {
            name,
            property,
            place,
        }])
    }
}

/// What a monitor warns of: its target states, its repeating states, or both.
fn of_monitor(monitor: Monitor, source: &Source, diagnostics: &mut Diagnostics) -> Vec<Named> {
    let name = monitor.name().to_owned();
    let declared = source.text().find(&name).map_or(0, |at| at as u32);
    let place = Span::new(declared, declared + name.len() as u32);
    let mut properties = Vec::new();
    if monitor.states().iter().any(|state| state.repeating) {
        match Property::repeating(&monitor) {
            Ok(property) => properties.push(property),
            Err(cause) => diagnostics.report(|| Diagnostic::error(cause.to_string(), place)),
        }
    }
    if monitor.states().iter().any(|state| state.target) {
        properties.insert(0, Property::Monitor(monitor));
    }
    if properties.is_empty() {
        diagnostics.report(|| {
            let message = format!("monitor `{name}` has neither a target nor a repeating state");
            Diagnostic::error(message, place)
                .help("give it a `target` line, or a `repeating` line for what must not recur")
        });
    }
    let named = properties.into_iter().map(|property| Named {
        name: name.clone(),
        property,
        place,
    });
    named.collect()
}
