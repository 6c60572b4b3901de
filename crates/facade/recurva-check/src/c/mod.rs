//! C programs behind the façade.
//!
//! A program is read with the user's compiler, built as `cir`, and lowered to a program that the
//! engines search, anew for each kind of question. What they find is not believed: a run is executed by
//! the interpreter of `cir` with the values it needs, and then, as a test case, by the machine. That
//! nothing was found counts only if no run leaves what the model covers.

mod annotations;
mod ask;
mod assumed;
mod confirm;
mod contents;
mod decide;
mod entries;
mod flow;
mod infinite;
mod lowered;
mod offers;
mod options;
mod places;
mod plain;
mod project;
mod properties;
mod prove;
mod ranked;
mod read;
mod rule;
mod run;
mod stages;
mod start;
mod steer;
mod task;
mod test_case;

pub use annotations::{ClaimKind, ContractClause, Contracts};
pub use entries::{CEntries, WhichEntries};
pub use flow::{CFlow, CFlowKind, CFlowRow};
pub(crate) use offers::functions;
pub use options::{CCheck, COptions, DataModel};
pub use properties::TERMINATION;
pub(crate) use read::{read, read_project, read_task};
pub use run::{
    CChange, CEnd, CFolding, CFrame, CInput, CKind, COwner, CRun, CShown, CStep, CValue,
};

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use recurva_cbuild::Scope;
use recurva_cc::Compiler;
use recurva_certificate::check::EmbeddedJudge;
use recurva_cir::SourceText;
use recurva_cmodel::Wanted;
use recurva_ctype::{Target, typed::Unit};
use recurva_draw::Drawing;
use recurva_model::{Origin, Patience, Program};
use recurva_syntax::{Source, Span};

use crate::{
    Asked, Format, Limits, Model, Options, Property, Question, QuestionKind, Refused, Said, Watch,
    asked::Sort,
    content::{Content, Converted, Offer, Picture},
    programs::{ProgramContent, RunQuestion, Woven},
    watch::Clock,
};
use annotations::{Claims, annotated, contracts};
use ask::CQuestion;
use flow::Finder;
use lowered::{CProgram, Extent, Purpose};
use places::Files;
use properties::OfFiles;
use rule::{Rule, Watched};
use stages::{Counted, InStages};

/// A C program.
#[derive(Debug)]
pub(crate) struct CContent {
    units: Units,
    files: Mutex<Files>,
    /// The program for its own property.
    own: Lowering,
    /// All of the program, if [`Self::own`] is a slice of it and somebody wants to see the rest.
    whole: OnceLock<Option<Lowering>>,
    /// The program for properties that look at its variables, once one is asked about.
    watched: OnceLock<Lowering>,
    /// What its annotations say, checked, once somebody has asked.
    contracts: OnceLock<Option<Contracts>>,
    /// The files with the properties of a task.
    task: Vec<Source>,
}

/// The units of a program, ready to be built.
#[derive(Clone, Debug)]
struct Units {
    /// Their texts after preprocessing.
    texts: Arc<Vec<SourceText>>,
    /// For each of them the number of the user's file that it is, if it is one as it is.
    whole: Vec<Option<usize>>,
    /// The options of the compiler for each of them.
    given: Vec<Vec<String>>,
    target: Target,
    options: COptions,
    /// The compiler that preprocessed them, and will execute what is found.
    compiler: Option<Compiler>,
    /// The monitor that is in their texts, if there is one.
    rule: Option<Rule>,
    /// The units with their types, once somebody has asked.
    typed: Arc<OnceLock<Typed>>,
}

/// Units with their types, or what is wrong with them.
type Typed = Result<Vec<Arc<Unit>>, recurva_cbuild::Errors>;

impl Units {
    /// The units with their types, or what is wrong with them.
    fn typed(&self) -> Result<&[Arc<Unit>], &recurva_cbuild::Errors> {
        let typed = self
            .typed
            .get_or_init(|| recurva_cbuild::read_units(&self.texts, self.target));
        typed.as_deref()
    }
}

/// A program of ours that stands for the C program.
#[derive(Debug)]
struct Lowering {
    program: Arc<CProgram>,
    content: ProgramContent,
}

impl Lowering {
    fn new(program: CProgram) -> Self {
        let (lowered, more) = (program.program.clone(), program.more.clone());
        let content = ProgramContent::of_program(lowered, more, program.places.clone());
        Lowering {
            program: Arc::new(program),
            content,
        }
    }
}

impl CContent {
    /// A place of the C program in the user's files.
    fn place(&self, origin: recurva_cir::Origin) -> Origin {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = self.units.preprocessed();
        match texts.get(origin.source.0 as usize) {
            Some(text) => files.origin(text, Span::new(origin.start, origin.end)),
            None => Origin::default(),
        }
    }

    /// The program for a purpose.
    fn lower(&self, purpose: &Purpose, clock: &mut Clock<'_>) -> Result<CProgram, Refused> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tick = || clock.tick(&read::progress("building the program"));
        let mut patience = Patience::new(&mut tick);
        let program = CProgram::new(&self.units, purpose, &mut files, &mut patience);
        program.map_err(|refused| read::stopped(refused, clock))
    }

    fn watched(&self, clock: &mut Clock<'_>) -> Result<&Lowering, Refused> {
        if let Some(known) = self.watched.get() {
            return Ok(known);
        }
        let purpose = Purpose {
            is_watched: true,
            ..Purpose::own(&self.units.options)
        };
        let lowering = Lowering::new(self.lower(&purpose, clock)?);
        Ok(self.watched.get_or_init(|| lowering))
    }

    /// All of the program, for those who show it or write it in another form.
    fn whole(&self) -> &Lowering {
        if self.own.program.cut.is_none() {
            return &self.own;
        }
        let whole = self.whole.get_or_init(|| {
            let purpose = Purpose {
                extent: Extent::Whole,
                ..Purpose::own(&self.units.options)
            };
            let mut watch = ();
            let mut clock = Clock::new(Limits::default(), &mut watch);
            self.lower(&purpose, &mut clock).ok().map(Lowering::new)
        });
        whole.as_ref().unwrap_or(&self.own)
    }

    /// Checks what annotations say, and a witness if there is one.
    fn checked_contracts(
        &self,
        witness: Option<&Source>,
        clock: &mut Clock<'_>,
    ) -> Result<Contracts, Refused> {
        let witness = witness.or(self.units.options.assume_invariants.as_ref());
        let claims = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            Claims::find(&self.units, &mut files, witness)
        };
        let purpose = Purpose {
            is_watched: true,
            marks: claims.marks().to_vec(),
            ..Purpose::own(&self.units.options)
        };
        let program = self.lower(&purpose, clock)?;
        let mut found = annotated(&claims, &program);
        found.said.splice(0..0, claims.said().iter().cloned());
        let mut ask = || clock.tick(&read::progress("checking contracts"));
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut judge = EmbeddedJudge::default();
        contracts(found, &program, &files, &mut judge, &mut ask)
    }

    /// What its annotations and a witness say, checked; `None` if there are none.
    pub(super) fn contracts_of_sources(
        &self,
        clock: &mut Clock<'_>,
    ) -> Result<Option<&Contracts>, Refused> {
        if let Some(known) = self.contracts.get() {
            return Ok(known.as_ref());
        }
        let is_annotated = {
            let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            let all = files.all();
            all.iter()
                .any(|it| recurva_acsl::has_annotations(it.text()))
        };
        let found = match is_annotated || self.units.options.assume_invariants.is_some() {
            true => Some(self.checked_contracts(None, clock)?),
            false => None,
        };
        Ok(self.contracts.get_or_init(|| found).as_ref())
    }

    /// Says what is wrong with annotations, and which of them do not hold.
    fn say_contracts(&self, said: &mut Vec<Said>, clock: &mut Clock<'_>) -> Result<(), Refused> {
        let Some(contracts) = self.contracts_of_sources(clock)? else {
            return Ok(());
        };
        said.extend(contracts.said.iter().cloned());
        said.extend(contracts.not_shown.iter().cloned());
        let own = contracts
            .clauses
            .iter()
            .filter(|it| it.kind != ClaimKind::Hint);
        let all = own.clone().count();
        let shown = own.filter(|it| it.is_shown).count();
        if all > 0 {
            said.push(Said::note(format!(
                "{shown} of {all} clauses of annotations hold"
            )));
        }
        Ok(())
    }

    /// That a label or a function is not reached.
    fn reach<'m>(
        &'m self,
        model: &'m Model,
        name: &str,
        clock: &mut Clock<'_>,
    ) -> Result<Question<'m>, Refused> {
        let module = self.own.program.executed();
        let (function, label) = match name.split_once("::") {
            Some((function, label)) => (Some(function), label),
            None => (None, name),
        };
        let functions = module.functions.iter();
        let mut inside = functions.filter(|it| function.is_none_or(|name| *it.name == *name));
        let is_label = inside.any(|it| it.labels.iter().any(|it| *it.name == *label));
        let mut wanted = Wanted::default();
        let property = match (is_label, function) {
            (true, _) => {
                wanted.labels.push(label.into());
                format!("label {name} is unreachable")
            }
            (false, None) if module.functions.iter().any(|it| *it.name == *name) => {
                wanted.functions.push(name.into());
                format!("function {name} is never called")
            }
            _ => {
                let labels = module.functions.iter().flat_map(|it| &it.labels);
                let names = labels.map(|it| &*it.name);
                let names = names.chain(module.functions.iter().map(|it| &*it.name));
                return Err(Refused::error(
                    format!("there is no label or function `{name}` in the program"),
                    crate::words::suggestion(name, names, "labels and functions"),
                ));
            }
        };
        let purpose = Purpose {
            wanted,
            ..Purpose::own(&self.units.options)
        };
        let program = Arc::new(self.lower(&purpose, clock)?);
        let counted = Counted::Reached {
            name: property,
            function: function.map(str::to_owned),
        };
        let asked = recurva_trace::Question::Reach {
            label: name.to_owned(),
        };
        let kind = QuestionKind::Reach;
        Ok(self.counting(model, program, counted, kind, asked))
    }

    /// That no error that counts is reached: of a large program, in stages.
    fn counting<'m>(
        &'m self,
        model: &'m Model,
        program: Arc<CProgram>,
        counted: Counted,
        kind: QuestionKind,
        asked: recurva_trace::Question,
    ) -> Question<'m> {
        match program.cut {
            Some(_) => InStages::question(self, model, program, counted, kind, asked),
            None => {
                let property = counted.property(&program);
                self.about(model, program, property, kind, asked)
            }
        }
    }

    /// A property of the program for some purpose.
    fn about<'m>(
        &'m self,
        model: &'m Model,
        program: Arc<CProgram>,
        property: Property,
        kind: QuestionKind,
        asked: recurva_trace::Question,
    ) -> Question<'m> {
        let name = property.name();
        let woven = Woven {
            program: program.program.clone(),
            more: program.more.clone(),
            silent: Vec::new(),
        };
        let inner = RunQuestion::woven(&self.own.content, model, Arc::new(woven), property);
        let inner = Question {
            model,
            name,
            kind,
            asked,
            declared: None,
            ask: Box::new(inner),
        };
        CQuestion::around(inner, Watched::Not(self), program)
    }
}

impl Content for CContent {
    fn sort(&self) -> Sort {
        Sort::C
    }

    fn questions<'m>(
        &'m self,
        model: &'m Model,
        asked: &Asked,
        said: &mut Vec<Said>,
        clock: &mut Clock<'_>,
    ) -> Result<Vec<Question<'m>>, Refused> {
        self.say_contracts(said, clock)?;
        let mut list = Vec::new();
        for name in &asked.reach {
            list.push(self.reach(model, name, clock)?);
        }
        let rest = Asked {
            reach: Vec::new(),
            ..asked.clone()
        };
        let is_own = rest.kinds() == [QuestionKind::Own];
        if is_own && !asked.reach.is_empty() {
            return Ok(list);
        }
        let given = asked.spec.as_ref();
        let given = given.filter(|it| QuestionKind::of_file(it.name()) == Some(QuestionKind::Task));
        let of_task = self
            .task
            .iter()
            .filter(|_| is_own && asked.assertion.is_none());
        let files: Vec<&Source> = given.into_iter().chain(of_task).collect();
        if !files.is_empty() {
            let wanted = asked.property.as_deref();
            let mut reading = OfFiles {
                content: self,
                model,
                list: &mut list,
                said,
                clock,
            };
            reading.add(&files, wanted)?;
            return Ok(list);
        }
        let mut rest = rest;
        if let Some(source) = &asked.spec
            && QuestionKind::of_file(source.name()) == Some(QuestionKind::Pal)
        {
            list.extend(self.monitored(model, source, asked, said, clock)?);
            rest.spec = None;
            rest.property = None;
            if rest.kinds() == [QuestionKind::Own] {
                return Ok(list);
            }
        }
        let checks = &self.units.options.checks;
        if is_own && asked.assertion.is_none() && checks.contains(&CCheck::Termination) {
            let kind = QuestionKind::Own;
            let asked = recurva_trace::Question::Own { arithmetic: false };
            list.push(self.termination(model, kind, asked, clock)?);
            if checks.len() == 1 {
                return Ok(list);
            }
        }
        if is_own && asked.assertion.is_none() && self.own.program.cut.is_some() {
            let program = Arc::clone(&self.own.program);
            let asked = recurva_trace::Question::Own { arithmetic: false };
            list.push(self.counting(model, program, Counted::Own, QuestionKind::Own, asked));
            return Ok(list);
        }
        let lowering = match is_own {
            true => &self.own,
            false => self.watched(clock)?,
        };
        let questions = lowering.content.questions(model, &rest, said, clock)?;
        list.extend(questions.into_iter().map(|question| {
            let program = Arc::clone(&lowering.program);
            CQuestion::around(question, Watched::Not(self), program)
        }));
        Ok(list)
    }

    fn offers(&self, model: &Model) -> Vec<Offer> {
        let mut offers = self.own.content.offers(model);
        // The procedure with which the lowered program begins is none of the user's.
        offers.retain(|it| !it.place.is_empty());
        offers
    }

    fn flow(&self, kind: CFlowKind) -> Option<Result<CFlow, Refused>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = self.units.preprocessed();
        let called = self.own.program.executed();
        let all = match kind {
            CFlowKind::Uncalled => {
                match lowered::build(&self.units, &[], &[], Scope::All, &mut files) {
                    Ok(all) => Some(all.module),
                    Err(refused) => return Some(Err(refused)),
                }
            }
            CFlowKind::Uninitialised | CFlowKind::Live => None,
        };
        let mut finder = Finder {
            module: all.as_ref().unwrap_or(called),
            texts: &texts,
            files: &mut files,
        };
        Some(Ok(match kind {
            CFlowKind::Uninitialised => finder.uninitialised(),
            CFlowKind::Live => finder.live(),
            CFlowKind::Uncalled => finder.uncalled(called),
        }))
    }

    fn contracts(
        &self,
        witness: Option<&Source>,
        clock: &mut Clock<'_>,
    ) -> Option<Result<Contracts, Refused>> {
        Some(self.checked_contracts(witness, clock))
    }

    fn unshown_clauses(&self) -> usize {
        let contracts = self.contracts.get().and_then(Option::as_ref);
        let clauses = contracts.into_iter().flat_map(|it| &it.clauses);
        clauses
            .filter(|it| !it.is_shown && it.kind != ClaimKind::Hint)
            .count()
    }

    fn program(&self) -> Option<&Program> {
        Some(&self.whole().program.program)
    }

    fn more(&self) -> &[Source] {
        &self.own.program.more
    }

    fn drawing(&self, model: &Model, picture: Picture) -> Result<Option<Drawing>, Refused> {
        self.whole().content.drawing(model, picture)
    }

    fn converted(
        &self,
        model: &Model,
        to: &Format,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Option<Converted> {
        self.whole().content.converted(model, to, options, watch)
    }
}
