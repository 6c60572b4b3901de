//! All that is known of one version of a document.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use lsp_types::Url;
use recurva_check::{
    nested,
    spec::{self, SpecFormat},
};
use recurva_lang::model::{self, Model};
use recurva_logic::{automaton, caret, ltl, nta, ntmu};
use recurva_model::{FailureKind, Origin};
use recurva_pal::{lang as pal, weave};
use recurva_syntax::{Diagnostics, Index, Source, Span, Symbol, SymbolId, SymbolKind};

use crate::{
    ask::Ask,
    language::Language,
    loaded::{Branching, Loaded, Text, name, vocabulary},
};

/// A version of a document to be read, and the model it is about.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) uri: Url,
    pub(crate) language: Language,
    /// Numbers the jobs of a document: an answer to an older one is of no use.
    pub(crate) revision: u64,
    /// The version as the client counts.
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) model: Option<(Url, Content)>,
}

/// Where a text is.
#[derive(Debug)]
pub(crate) enum Content {
    /// In the editor.
    Open(String),
    /// On the disk.
    File(PathBuf),
}

impl Content {
    /// The text, or why there is none.
    pub(crate) fn read(self) -> Result<String, String> {
        let path = match self {
            Content::Open(text) => return Ok(text),
            Content::File(path) => path,
        };
        let shown = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|cause| format!("{shown}: {cause}"))?;
        let source = Source::from_bytes(shown, bytes).map_err(|cause| cause.to_string())?;
        Ok(source.text().to_owned())
    }
}

/// Something that can be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lens {
    pub(crate) place: Span,
    pub(crate) title: &'static str,
    pub(crate) model: Url,
    pub(crate) ask: Ask,
}

/// What came of a job.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) version: i32,
    pub(crate) language: Language,
    pub(crate) text: Text,
    pub(crate) diagnostics: Diagnostics,
    /// What is no mistake but should be known.
    pub(crate) notes: Vec<String>,
    pub(crate) index: Index,
    /// More about some symbols.
    pub(crate) remarks: HashMap<SymbolId, String>,
    pub(crate) lenses: Vec<Lens>,
    /// The model that it is about.
    pub(crate) model: Option<Arc<Loaded>>,
}

/// Reads documents, and remembers the model that was read last.
#[derive(Debug, Default)]
pub(crate) struct Analyser {
    last: Option<(String, Arc<Loaded>)>,
}

impl Analyser {
    /// Reads a version of a document, or says why it cannot be read at all.
    pub(crate) fn analyse(&mut self, job: Job) -> Result<Analysis, String> {
        let mut analysis = Analysis {
            version: job.version,
            language: job.language,
            text: Text::new(job.uri, job.text)?,
            diagnostics: Diagnostics::default(),
            notes: Vec::new(),
            index: Index::default(),
            remarks: HashMap::new(),
            lenses: Vec::new(),
            model: None,
        };
        if job.language.is_about_model() {
            match job.model.map(|(uri, content)| self.load(uri, content)) {
                Some(Ok(loaded)) => {
                    if loaded.model.is_none() {
                        let name = loaded.text.source.name();
                        let note = format!("{name} has errors: names are not looked up in it");
                        analysis.notes.push(note);
                    }
                    analysis.model = Some(loaded);
                }
                Some(Err(cause)) => analysis.notes.push(cause),
                None => analysis.notes.push(
                    "no model is known for this file: only its form is checked\n\
                     help: put it beside its model, or name the model in a comment at the top, \
                     as in `model: lock.bp`"
                        .to_owned(),
                ),
            }
        }
        analysis.read();
        Ok(analysis)
    }

    fn load(&mut self, uri: Url, content: Content) -> Result<Arc<Loaded>, String> {
        let text = content.read()?;
        if let Some((known, loaded)) = &self.last
            && loaded.text.uri == uri
            && *known == text
        {
            return Ok(Arc::clone(loaded));
        }
        let Some(Language::Model(format)) = Language::of(&uri) else {
            return Err(format!("{} is no model", name(&uri)));
        };
        let loaded = Arc::new(Loaded::new(Text::new(uri, text.clone())?, format));
        self.last = Some((text, Arc::clone(&loaded)));
        Ok(loaded)
    }
}

impl Analysis {
    fn read(&mut self) {
        match self.language {
            Language::Model(format) => {
                let options = model::Options::default();
                let parsed = model::parse(&self.text.source, format, &options);
                self.diagnostics = parsed.diagnostics;
                self.index = model::index(&self.text.source, format, &options);
                if let Some(model) = &parsed.model {
                    self.model_lenses(model);
                    self.model_remarks(model);
                }
            }
            Language::Regular => self.regular(),
            Language::Nta => self.diagnostics = nta::parse(&self.text.source).diagnostics,
            Language::Ltl | Language::Caret => self.formulas(),
            Language::Ntmu => self.branching(),
            Language::Monitors => self.monitors(),
            Language::Pal => self.pal(),
        }
    }

    fn model_lenses(&mut self, model: &Model) {
        let program = &model.program;
        let mut push = |place: Origin, title, ask| {
            self.lenses.push(Lens {
                place: Span::new(place.start, place.end),
                title,
                model: self.text.uri.clone(),
                ask,
            });
        };
        let main = program.procedure(program.main());
        push(main.origin, "check this program", Ask::default());
        let failures = program.failures().iter().enumerate();
        for (number, failure) in failures.filter(|(_, it)| it.kind == FailureKind::Assertion) {
            let ask = Ask {
                assertion: Some(number),
                ..Ask::default()
            };
            push(failure.origin, "check this assertion", ask);
        }
        // A machine's labels are propositions of its nodes.
        let labels = program.labels().iter().filter(|_| model.machine.is_none());
        for label in labels.filter(|it| matches!(&*it.name, "ERROR" | "SLIC_ERROR")) {
            let procedure = &program.procedure(label.point.procedure).name;
            let ask = Ask {
                label: Some(format!("{procedure}::{}", label.name)),
                ..Ask::default()
            };
            push(label.origin, "check that this label is not reached", ask);
        }
    }

    fn model_remarks(&mut self, model: &Model) {
        let procedures = model.program.procedures().iter();
        let nodes: HashMap<&str, usize> =
            procedures.map(|it| (&*it.name, it.nodes.len())).collect();
        for (id, symbol) in self.index.symbols() {
            let remark = match symbol.kind {
                SymbolKind::Procedure => {
                    let nodes = nodes.get(&*symbol.name);
                    nodes.map(|nodes| format!("{nodes} nodes in the model"))
                }
                SymbolKind::Label => {
                    let parent = symbol.parent.and_then(|it| self.index.symbol(it));
                    parent.map(|parent| {
                        format!(
                            "to check that it is not reached: `recurva check {} --reach {}::{}`",
                            self.text.source.name(),
                            parent.name,
                            symbol.name
                        )
                    })
                }
                _ => None,
            };
            self.remarks.extend(remark.map(|remark| (id, remark)));
        }
    }

    fn regular(&mut self) {
        let parsed = recurva_regular::lang::parse(&self.text.source);
        self.index = recurva_regular::lang::index(&self.text.source);
        self.diagnostics = parsed.diagnostics;
        let Some(system) = parsed.value else { return };
        for (id, symbol) in self.index.symbols() {
            if symbol.kind != SymbolKind::Property {
                continue;
            }
            self.lenses.push(Lens {
                place: symbol.place,
                title: "check this property",
                model: self.text.uri.clone(),
                ask: Ask {
                    property: Some(symbol.name.clone()),
                    ..Ask::default()
                },
            });
            if let Some(bad) = system.bad.iter().find(|bad| bad.name == symbol.name) {
                let remark = format!("an automaton with {} states", bad.words.states());
                self.remarks.insert(id, remark);
            }
        }
    }

    /// A property of this file as a symbol, with a lens if the model is known.
    fn property(&mut self, name: &str, place: Span, detail: String, title: &'static str) {
        let symbol = Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Property,
            place,
            extent: place,
            detail,
            parent: None,
        };
        self.index.declare(symbol);
        self.lens(name, place, title);
    }

    fn lens(&mut self, name: &str, place: Span, title: &'static str) {
        let Some(loaded) = self.model.as_ref().filter(|it| it.model.is_some()) else {
            return;
        };
        self.lenses.push(Lens {
            place,
            title,
            model: loaded.text.uri.clone(),
            ask: Ask {
                spec: Some(self.text.uri.clone()),
                property: Some(name.to_owned()),
                ..Ask::default()
            },
        });
    }

    fn formulas(&mut self) {
        let (format, parsed) = match self.language {
            Language::Caret => (SpecFormat::Caret, caret::parse_file(&self.text.source)),
            _ => (SpecFormat::Formulas, ltl::parse_file(&self.text.source)),
        };
        self.diagnostics = parsed.diagnostics;
        self.look_up(format);
        for named in parsed.formulas.into_iter().flatten() {
            let mut detail = format!("{}: {}", named.name, named.formula);
            if format == SpecFormat::Formulas
                && let Some(states) = automaton_states(named.formula)
            {
                detail += &format!("\n\nan automaton of what violates it has {states} states");
            }
            self.property(&named.name, named.place, detail, "check this property");
        }
        self.no_lens_on_mistakes();
        self.index = std::mem::take(&mut self.index).finish();
    }

    /// Reads the properties once more, with the names of the model.
    fn look_up(&mut self, format: SpecFormat) {
        let loaded = self.model.clone();
        let Some(model) = loaded.as_ref().and_then(|it| it.model.as_ref()) else {
            return;
        };
        let reader = spec::Reader::new(&model.program, vocabulary(model));
        self.diagnostics = reader.read(&self.text.source, format).diagnostics;
    }

    fn branching(&mut self) {
        let parsed = ntmu::parse_file(&self.text.source);
        self.diagnostics = parsed.diagnostics;
        let loaded = self.model.clone();
        if let Some(model) = loaded.as_ref().and_then(|it| it.model.as_ref()) {
            let branching = Branching::of(model);
            let reader = nested::Reader::new(branching.model());
            self.diagnostics = reader.file(&self.text.source).diagnostics;
        }
        for named in parsed.formulas.into_iter().flatten() {
            let formulas = named.formula.formulas();
            let shown = formulas.show_written(named.formula.root()).clipped(400);
            let detail = format!("{}: {shown}", named.name);
            self.property(&named.name, named.place, detail, "check this property");
        }
        self.no_lens_on_mistakes();
        self.index = std::mem::take(&mut self.index).finish();
    }

    fn monitors(&mut self) {
        self.look_up(SpecFormat::Monitors);
        for place in monitor_names(&self.text.source) {
            let name = self.text.source.slice(place).to_owned();
            let detail = format!("monitor {name}");
            self.property(&name, place, detail, "check this monitor");
        }
        self.no_lens_on_mistakes();
        self.index = std::mem::take(&mut self.index).finish();
    }

    /// What is wrong cannot be checked.
    fn no_lens_on_mistakes(&mut self) {
        if self.diagnostics.has_errors() {
            self.lenses.clear();
        }
    }

    fn pal(&mut self) {
        let parsed = pal::parse(&self.text.source);
        self.diagnostics = parsed.diagnostics;
        let Some(monitor) = parsed.monitor else {
            return;
        };
        self.index = crate::pal::index(&monitor);
        let loaded = self.model.clone();
        let Some((loaded, model)) = loaded
            .as_ref()
            .and_then(|it| Some((it, it.model.as_ref()?)))
        else {
            return;
        };
        let base = loaded.text.source.end().end;
        let weaving = weave::weave(&model.program, &monitor, &self.text.source, base);
        self.diagnostics.append(weaving.diagnostics);
        self.diagnostics.sort();
        let Some(woven) = weaving.woven else { return };
        for check in woven.checks.iter().chain(&woven.range) {
            self.lens(&check.name, check.place, "check this guard");
        }
    }
}

/// The names behind the word `monitor`.
pub(crate) fn monitor_names(source: &Source) -> Vec<Span> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in source.text().split_inclusive('\n') {
        let mut words = line.split_whitespace();
        if let (Some("monitor"), Some(name)) = (words.next(), words.next())
            && name != "->"
        {
            let behind = line.find("monitor").map_or(0, |at| at + "monitor".len());
            let at = start + behind + line[behind..].find(name).unwrap_or(0);
            found.push(Span::new(at as u32, (at + name.len()) as u32));
        }
        start += line.len();
    }
    found
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
