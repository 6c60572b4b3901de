//! What an editor wants to know of one text, be it a model or a file of properties.

use std::path::Path;

use recurva_logic::{automaton, caret, ltl, monitor, nta, ntmu};
use recurva_pal::{c::GuardSite, lang as pal, weave};
use recurva_syntax::{Diagnostics, Index, Source, Span, Symbol, SymbolId, SymbolKind};

use crate::{
    Asked, Format, Limits, Model, Offer, QuestionKind, ReadOptions, Refused, SPEC_FORMATS, Said,
    Sort, Watch,
};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A model.
    Model(&'static Format),
    /// Properties of a model in another file.
    Properties(QuestionKind),
}

impl Language {
    /// The language of a file, by the extension of its name.
    pub fn of(path: &Path) -> Option<Self> {
        if let Some(format) = Format::of(path) {
            return Some(Language::Model(format));
        }
        let extension = path.extension()?.to_str()?;
        let mut formats = SPEC_FORMATS.iter();
        let found = formats.find(|(known, ..)| *known == extension)?;
        Some(Language::Properties(found.1))
    }

    /// Words with a meaning of their own, for completion.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Language::Model(format) => format.keywords,
            Language::Properties(kind) => match kind {
                QuestionKind::Ltl | QuestionKind::Caret => &["in", "true", "false"],
                QuestionKind::Ntmu => &["def", "mu", "nu", "true", "false"],
                QuestionKind::Monitor => &["init", "monitor", "repeating", "target", "when"],
                QuestionKind::Pal => &[
                    "action", "after", "before", "event", "global", "guard", "local", "monitor",
                    "pattern",
                ],
                _ => &[],
            },
        }
    }
}

/// All that is known of one version of a text.
#[derive(Debug, Default)]
pub struct Document {
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
    /// What else is to be said: it has no place in the text.
    pub said: Vec<Said>,
    /// Where names are declared and used.
    pub index: Index,
    /// More about some symbols.
    pub remarks: Vec<(SymbolId, String)>,
    /// What can be asked, and where.
    pub offers: Vec<Offer>,
    /// The model, if the text is one without errors.
    pub model: Option<Model>,
}

impl Document {
    /// Reads a model, as far as it can be read.
    pub fn of_model(
        source: Source,
        format: &'static Format,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Self {
        let mut options = ReadOptions::default();
        let functions = match format.is_unit() {
            true => crate::c::functions(&source),
            false => Vec::new(),
        };
        // What has no `main` is read from one of its functions on.
        if functions.iter().all(|it| it.entry.is_some()) {
            options.c.entry = functions.first().and_then(|it| it.entry.clone());
        }
        let mut document = Document {
            index: format.index(&source, &options),
            ..Document::default()
        };
        match Model::read_as(source, format, &options, limits, watch) {
            Ok(model) => {
                document.hear(model.said().to_vec());
                document.offers = model.offers();
                document.remark(&model);
                document.model = Some(model);
            }
            Err(refused) => document.hear_refused(refused),
        }
        if !document.diagnostics.has_errors() {
            document.offers.extend(functions);
        }
        document
    }

    /// Reads properties. Without a model only their form is checked.
    pub fn of_properties(source: &Source, kind: QuestionKind, about: Option<&Model>) -> Self {
        let mut document = Document::default();
        document.read(source, kind);
        if let Some(model) = about {
            // Once more, with the names of the model.
            let asked = Asked {
                spec: Some(source.clone()),
                ..Asked::default()
            };
            match model.questions(&asked) {
                Ok(questions) => document.hear(questions.said),
                Err(refused) => document.hear_refused(refused),
            }
            if kind == QuestionKind::Pal {
                document.guards(source, model);
            }
        }
        // What is wrong cannot be checked, nor what is about no model.
        let is_wrong = document.diagnostics.has_errors();
        if about.is_none() || is_wrong || document.said.iter().any(Said::is_error) {
            document.offers.clear();
        }
        document.index = std::mem::take(&mut document.index).finish();
        document
    }

    /// Keeps what is said of the text, and what is said besides.
    fn hear(&mut self, list: Vec<Said>) {
        // Where the text was not even looked at, what is known of its form stays.
        let is_looked_at = list.iter().any(|it| matches!(it, Said::Text(..)));
        if is_looked_at || !list.iter().any(Said::is_error) {
            self.diagnostics = Diagnostics::default();
        }
        for said in list {
            match said {
                Said::Text(_, diagnostics) => self.diagnostics.append(diagnostics),
                other => self.said.push(other),
            }
        }
        self.diagnostics.sort();
    }

    fn hear_refused(&mut self, refused: Refused) {
        match refused {
            Refused::Said(list) => self.hear(list),
            // It is neither right nor wrong.
            Refused::Limit(_) => {
                let text = "a limit was hit while this was read: nothing is known of it";
                self.said.push(Said::note(text));
            }
            Refused::Internal(text) => {
                let text = format!("internal error: {text}");
                self.said.push(Said::error_if(text, None));
            }
        }
    }

    fn remark(&mut self, model: &Model) {
        for (id, symbol) in self.index.symbols() {
            let remark = match symbol.kind {
                SymbolKind::Procedure => model.program().and_then(|program| {
                    let procedure = program.find_procedure(&symbol.name)?;
                    let nodes = program.procedure(procedure).nodes.len();
                    Some(format!("{nodes} nodes in the model"))
                }),
                SymbolKind::Label => {
                    let parent = symbol.parent.and_then(|it| self.index.symbol(it));
                    parent.map(|parent| {
                        format!(
                            "to check that it is not reached: `recurva check {} --reach {}::{}`",
                            model.name(),
                            parent.name,
                            symbol.name
                        )
                    })
                }
                SymbolKind::Property => {
                    let mut offers = self.offers.iter();
                    let offer = offers.find(|it| it.name.as_ref() == Some(&symbol.name));
                    offer.map(|offer| offer.detail.clone())
                }
                _ => None,
            };
            self.remarks
                .extend(remark.filter(|it| !it.is_empty()).map(|it| (id, it)));
        }
    }

    /// What the text itself tells.
    fn read(&mut self, source: &Source, kind: QuestionKind) {
        match kind {
            QuestionKind::Ltl | QuestionKind::Caret => {
                let parsed = match kind {
                    QuestionKind::Caret => caret::parse_file(source),
                    _ => ltl::parse_file(source),
                };
                self.diagnostics = parsed.diagnostics;
                for named in parsed.formulas.into_iter().flatten() {
                    let mut detail = format!("{}: {}", named.name, named.formula);
                    if kind == QuestionKind::Ltl
                        && let Some(states) = automaton_states(named.formula)
                    {
                        detail +=
                            &format!("\n\nan automaton of what violates it has {states} states");
                    }
                    self.property(&named.name, named.place, detail, "check this property");
                }
            }
            QuestionKind::Ntmu => {
                let parsed = ntmu::parse_file(source);
                self.diagnostics = parsed.diagnostics;
                for named in parsed.formulas.into_iter().flatten() {
                    let formulas = named.formula.formulas();
                    let shown = formulas.show_written(named.formula.root()).clipped(400);
                    let detail = format!("{}: {shown}", named.name);
                    self.property(&named.name, named.place, detail, "check this property");
                }
            }
            QuestionKind::Monitor => {
                for place in monitor::names(source) {
                    let name = source.slice(place).to_owned();
                    let detail = format!("monitor {name}");
                    self.property(&name, place, detail, "check this monitor");
                }
            }
            QuestionKind::Tree => {
                self.diagnostics = nta::parse(source).diagnostics;
                self.automaton(source);
            }
            QuestionKind::Pal => {
                let parsed = pal::parse(source);
                self.diagnostics = parsed.diagnostics;
                if let Some(monitor) = parsed.monitor {
                    self.index = pal::index(&monitor);
                }
            }
            QuestionKind::Automaton => {
                self.diagnostics = recurva_logic::hoa::parse(source).diagnostics;
                self.automaton(source);
            }
            QuestionKind::Own | QuestionKind::Reach | QuestionKind::Repeat | QuestionKind::Task => {
            }
        }
    }

    /// The guards of a monitor that becomes part of the model.
    fn guards(&mut self, source: &Source, model: &Model) {
        let (Some(monitor), Some(program)) = (pal::parse(source).monitor, model.program()) else {
            return;
        };
        let title = "check this guard";
        if model.sort() == Sort::C {
            for guard in GuardSite::all(&monitor) {
                let detail = guard.title(&monitor, source);
                self.offer(Some(guard.name(&monitor)), guard.place, title, detail);
            }
            return;
        }
        let base = model.source().end().end;
        let Some(woven) = weave::weave(program, &monitor, source, base).woven else {
            return;
        };
        for check in woven.checks.into_iter().chain(woven.range) {
            self.offer(Some(check.name), check.place, title, check.title);
        }
    }

    /// An automaton, which is all of its file.
    fn automaton(&mut self, source: &Source) {
        let place = Span::new(0, source.text().find('\n').unwrap_or(0) as u32);
        self.offer(None, place, "check this automaton", String::new());
    }

    /// A property of the text, as a symbol and as something that can be asked.
    fn property(&mut self, name: &str, place: Span, detail: String, title: &'static str) {
        self.index.declare(Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Property,
            place,
            extent: place,
            detail: detail.clone(),
            parent: None,
        });
        self.offer(Some(name.to_owned()), place, title, detail);
    }

    fn offer(&mut self, name: Option<String>, place: Span, title: &'static str, detail: String) {
        self.offers.push(Offer {
            place,
            title,
            asked: Asked {
                property: name.clone(),
                ..Asked::default()
            },
            name,
            detail,
            entry: None,
        });
    }
}

/// How many states the automaton of a formula's negation has, if it is found in no time.
fn automaton_states(mut formula: ltl::Formula) -> Option<usize> {
    const STATES: usize = 2_000;
    let config = automaton::Config {
        states: STATES,
        edges: 10 * STATES,
        ..automaton::Config::default()
    };
    formula.root = formula.formulas.simplify_negation(formula.root);
    let automaton = automaton::translate(&formula, &config).ok()?;
    Some(automaton.states())
}
