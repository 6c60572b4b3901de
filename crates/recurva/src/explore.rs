//! The `explore` command: an answer as a page.

use std::{
    ops::ControlFlow,
    path::Path,
    process::{Command, Stdio},
};

use recurva_check::{Progress, Watch};
use recurva_explorer::{
    Answer, Document, Evidence, Exploration, FreeError, Live, Question, Server, SourceText, Stored,
    automata, automaton, file, finite_words, infinite_words, nested_drawing,
};
use recurva_regular::{
    engine::Verdict as SystemVerdict, express::Alphabet, live::LiveVerdict, system::System,
};
use recurva_syntax::Source;

use crate::{
    args::{Engine, ExploreArguments, QuestionArguments},
    check,
    exit::Exit,
    files::Output,
    interrupt,
    load::{self, Model},
    nested, output,
    progress::{Line, Wanted},
    questions, regular, regular_trace, replay,
    systems::{self, Answered},
    trees, woven,
};

/// Asks the question and shows what came out as a page. The exit code is that of the worst
/// verdict.
pub(crate) fn run(arguments: &ExploreArguments) -> Exit {
    let question = &arguments.question;
    let done = match (&arguments.trace, systems::is_system(&question.model)) {
        (Some(trace), is_system) => explore_trace(arguments, trace, is_system),
        (None, true) => explore_system(arguments),
        (None, false) => explore_program(arguments),
    };
    match done {
        Ok(exit) | Err(exit) => exit,
    }
}

fn explore_program(arguments: &ExploreArguments) -> Result<Exit, Exit> {
    let question = &arguments.question;
    if question.spec.as_deref().is_some_and(trees::is_automaton) {
        output::error("automata on nested trees give no evidence to look at");
        output::help("use recurva check, or write the property as a formula, --ntmu");
        return Err(Exit::BadInput);
    }
    check::property_of_file(question)?;
    if question.engine == Engine::Flat {
        output::error("--engine flat has no evidence of its own to look at");
        output::help("leave it out, or use recurva check");
        return Err(Exit::BadInput);
    }
    let read = load::model(question)?;
    let asked = questions::properties(question, &read)?;
    let mut properties: Vec<_> = asked.into_iter().map(|asked| asked.property).collect();
    let formulas = nested::Questions::new(question, &read)?;
    let woven = woven::questions(question, &read)?;
    let model = match &woven {
        Some((model, of_monitor)) if properties.is_empty() => {
            properties.extend(of_monitor.iter().map(|asked| asked.property.clone()));
            model
        }
        Some(_) => {
            output::error("a monitor of PAL changes the model: other questions are not about that");
            output::help("ask them without --spec, or only that one");
            return Err(Exit::BadInput);
        }
        None => &read,
    };
    let options = check::options(question, model, &properties)?;
    interrupt::listen();
    let mut session = Session::start(arguments, properties.len() + formulas.len())?;
    let mut answers = Vec::new();
    let mut worst = Exit::Holds;
    for property in properties {
        session.ask(answers.len(), &property.name());
        let outcome = session.watched(question, |watch| {
            recurva_check::check(&model.program, &property, &options, watch)
        });
        let outcome = outcome.map_err(|error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        })?;
        worst = worst.max(Exit::of(&outcome.verdict));
        answers.push(Answer::Runs(property, outcome));
        if worst == Exit::Interrupted {
            break;
        }
    }
    for property in formulas.properties() {
        if worst == Exit::Interrupted {
            break;
        }
        session.ask(answers.len(), &property.name);
        let options = nested::options(question, &options);
        let outcome = session.watched(question, |watch| {
            formulas.ask(&read, property, &options, watch)
        })?;
        worst = worst.max(Exit::of_nested(&outcome.verdict));
        answers.push(Answer::Branching(property.clone(), outcome));
    }
    show_program(&session, model, &answers)?;
    Ok(worst)
}

fn explore_system(arguments: &ExploreArguments) -> Result<Exit, Exit> {
    let question = &arguments.question;
    systems::only_own(question)?;
    let engine = systems::engine(question.engine)?;
    let (source, system) = systems::read(&question.model, question.quiet)?;
    let properties = systems::properties(&system, question.property.as_deref())?;
    interrupt::listen();
    let mut session = Session::start(arguments, properties.len())?;
    let mut document = system_document(&source, &system);
    let mut worst = Exit::Holds;
    for property in properties {
        session.ask(document.questions.len(), property.name());
        let live = session.live.clone();
        let look = |progress: &recurva_regular::Progress| {
            live.say(progress.to_string());
            match live.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let answered = systems::answer(&system, property, engine, question.timeout, look)?;
        let (shown, exit) = system_question(&mut document, &system, property.name(), &answered);
        document.questions.push(shown);
        worst = worst.max(exit);
        if exit == Exit::Interrupted {
            break;
        }
    }
    session.show(&document, |_| Err(FreeError::Start(String::new())))?;
    Ok(worst)
}

/// Opens a run from a trace file, replayed on the model as it is now.
fn explore_trace(arguments: &ExploreArguments, path: &Path, is_system: bool) -> Result<Exit, Exit> {
    let question = &arguments.question;
    let file = replay::open(path)?;
    let mut asking = replay::asking(&question.model, question.spec.as_deref(), &file)?;
    asking.question.quiet = question.quiet;
    let refused = |why: &str| {
        output::error(&format!("{}: {why}", path.display()));
        output::help(
            "recurva replay says more; recurva explore without --trace looks for another run",
        );
        Exit::Unknown
    };
    match (&file.run, is_system) {
        (recurva_trace::Run::Words(words), true) => {
            let (source, system) = systems::read(&question.model, question.quiet)?;
            if !question.quiet {
                replay::note_changes(&file.model, &source);
            }
            let property = regular_trace::fitting(&system, &asking.question, words)?;
            let answered = regular_trace::confirm(&system, property, words);
            let answered = answered.map_err(|why| refused(&why))?;
            interrupt::listen();
            let session = Session::start(arguments, 1)?;
            let mut document = system_document(&source, &system);
            let (shown, exit) = system_question(&mut document, &system, property.name(), &answered);
            document.questions.push(shown);
            session.show(&document, |_| Err(FreeError::Start(String::new())))?;
            Ok(exit)
        }
        (recurva_trace::Run::Trace(recording), false) => {
            let reopened = replay::Reopened::new(&asking.question, &file)?;
            let outcome = reopened.confirm(recording);
            let outcome =
                outcome.map_err(|refusal| refused(refusal.text(&reopened.question()).trim()))?;
            interrupt::listen();
            let session = Session::start(arguments, 1)?;
            let answers = [Answer::Runs(reopened.asked.property.clone(), outcome)];
            show_program(&session, &reopened.model, &answers)?;
            Ok(Exit::Violated)
        }
        _ => {
            let path = path.display();
            output::error(&format!("{path}: this is a run of a model of another kind"));
            Err(Exit::BadInput)
        }
    }
}

/// Shows what is known of a program.
fn show_program<'a>(
    session: &Session,
    model: &'a Model,
    answers: &[Answer<'a>],
) -> Result<(), Exit> {
    let exploration = Exploration {
        source: &model.source,
        monitor: model.monitor.as_ref(),
        program: &model.program,
    };
    let mut document = exploration.document(&command(), answers, session.stored());
    if let Some((nsm, _)) = model.nested() {
        document.drawings.extend(nested_drawing(&nsm));
    }
    exploration.with_free(answers, |free| {
        session.show(&document, |picks| free.state(picks))
    })
}

fn system_document(source: &Source, system: &System) -> Document {
    Document {
        sources: vec![SourceText {
            name: source.name().to_owned(),
            text: source.text().to_owned(),
        }],
        drawings: automata(system),
        ..Document::empty(source.name(), &command())
    }
}

fn system_question(
    document: &mut Document,
    system: &System,
    name: &str,
    answered: &Answered,
) -> (Question, Exit) {
    let told = regular::tell(system, answered);
    let (evidence, engine, work) = match answered {
        Answered::Safe(outcome) => {
            let evidence = match &outcome.verdict {
                SystemVerdict::Violated(run) => Some(finite_words(system, run)),
                SystemVerdict::Safe(invariant) => {
                    let title = format!("invariant for {name}");
                    let letters = Alphabet::Letters(&system.letters);
                    let drawn = automaton(&title, &invariant.words, letters);
                    document.drawings.extend(drawn);
                    None
                }
                SystemVerdict::Unknown(_) => None,
            };
            (evidence, outcome.technique, outcome.work)
        }
        Answered::Live(outcome) => {
            let evidence = match &outcome.verdict {
                LiveVerdict::Violated(lasso) => Some(infinite_words(system, lasso)),
                LiveVerdict::Holds(_) | LiveVerdict::Unknown(_) => None,
            };
            (evidence, outcome.technique, outcome.work)
        }
    };
    // A run is shown as such: only what is said before it is kept.
    let lines = told.text.lines().map(str::trim);
    let message: Vec<&str> = match evidence {
        Some(_) => lines.take(1).collect(),
        None => lines.collect(),
    };
    let question = Question {
        property: name.to_owned(),
        verdict: match told.exit {
            Exit::Holds => "holds",
            Exit::Violated => "violated",
            _ => "unknown",
        },
        message: message.join(" "),
        engine: engine.to_owned(),
        stats: vec![("work", work.to_string())],
        evidence: evidence.map(Evidence::Words),
    };
    (question, told.exit)
}

/// Where the answers go: to a file, or to those who look at the page.
struct Session {
    html: Option<Output>,
    live: Live,
    server: Option<Server>,
}

impl Session {
    fn start(arguments: &ExploreArguments, questions: usize) -> Result<Self, Exit> {
        let live = Live::new(questions);
        let mut session = Session {
            html: html(arguments)?,
            live: live.clone(),
            server: None,
        };
        if session.html.is_some() {
            return Ok(session);
        }
        let server = Server::start(arguments.port, live).map_err(|cause| {
            output::error(&format!("the page cannot be served: {cause}"));
            output::help("choose another --port, or write the page to a file: --html FILE");
            Exit::BadInput
        })?;
        let url = server.url();
        output::stdout(format!("The explorer is at {url}\nCtrl-C ends it.\n").as_bytes());
        if arguments.open {
            open_browser(&url);
        }
        session.server = Some(server);
        Ok(session)
    }

    /// Without a server the page has to bring what can be explored.
    fn stored(&self) -> Stored {
        match &self.html {
            Some(_) => Stored::Near,
            None => Stored::No,
        }
    }

    fn ask(&mut self, question: usize, property: &str) {
        self.live.ask(question, property);
    }

    /// Checks something while the page and the terminal tell how far it is.
    fn watched<T>(
        &mut self,
        question: &QuestionArguments,
        check: impl FnOnce(&mut dyn Watch) -> T,
    ) -> T {
        let wanted = match question.quiet {
            true => Wanted::No,
            false => Wanted::Yes,
        };
        check(&mut Both {
            line: Line::new(wanted),
            live: &mut self.live,
        })
    }

    /// Writes the file, or serves the page until Ctrl-C.
    fn show(
        &self,
        document: &Document,
        free: impl FnMut(&str) -> Result<recurva_explorer::FreeState, FreeError>,
    ) -> Result<(), Exit> {
        let internal = |error: serde_json::Error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        };
        if let Some(out) = &self.html {
            let text = file(document).map_err(internal)?;
            return out.write(text.as_bytes());
        }
        if let Some(server) = &self.server {
            server.publish(document).map_err(internal)?;
            self.live.end();
            server.serve(free, interrupt::requested);
        }
        Ok(())
    }
}

/// Where the page is to be written, if it is not served.
fn html(arguments: &ExploreArguments) -> Result<Option<Output>, Exit> {
    let mut inputs = arguments.question.inputs();
    inputs.extend(arguments.trace.as_deref());
    let html = arguments.html.as_deref();
    html.map(|path| Output::open(path, &inputs)).transpose()
}

/// Tells the terminal and the page.
struct Both<'l> {
    line: Line,
    live: &'l mut Live,
}

impl Watch for Both<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.live.progress(progress)?;
        self.line.progress(progress)
    }
}

/// The command that asks the same with a server.
fn command() -> String {
    let mut words = vec!["recurva".to_owned()];
    let arguments = std::env::args_os().skip(1);
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        if argument == "--html" {
            arguments.next();
        } else if !argument.starts_with("--html=") {
            words.push(quoted(&argument));
        }
    }
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Whoever has no browser has read the address.
fn open_browser(url: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let opened = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if opened.is_err() {
        output::note("no browser was found: open the address yourself");
    }
}
