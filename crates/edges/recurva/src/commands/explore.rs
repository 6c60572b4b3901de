//! The `explore` command: answers as a page.

use std::{
    ops::ControlFlow,
    path::Path,
    process::{Command, Stdio},
};

use recurva_check::{Answer, Context, Limit, Limits, Model, Progress, Question, Verdict, Watch};
use recurva_explorer::{Exploration, Live, Server, Stored, file};
use recurva_process::{Exit, Line, files, interrupt, output, watchdog};

use crate::{asking, commands::replay::Again, options::ExploreArguments};

/// Asks the questions and shows what came out as a page. The exit code is that of the worst
/// verdict.
pub(crate) fn run(arguments: &ExploreArguments) -> Exit {
    let done = match &arguments.trace {
        Some(trace) => explore_trace(arguments, trace),
        None => explore(arguments),
    };
    done.unwrap_or_else(|exit| exit)
}

fn explore(arguments: &ExploreArguments) -> Result<Exit, Exit> {
    let question = &arguments.question;
    let options = question.options();
    let model = question.read()?;
    let asked = question.asked()?;
    let questions = asking::questions(&model, &asked, &options, question.loudness())?.list;
    let mut session = Session::start(arguments, questions.len())?;
    let mut answers = Vec::new();
    let mut worst = Exit::Holds;
    for question in &questions {
        session.live.ask(answers.len(), question.name());
        let mut watch = Both {
            line: Line::new(arguments.question.quiet),
            live: &mut session.live,
        };
        let answer = question.answer(&options, &mut watch);
        drop(watch);
        let answer = answer.map_err(|error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        })?;
        worst = worst.max(Exit::of(answer.verdict));
        let interrupted = answer.verdict == Verdict::Unknown(Limit::Interrupted);
        answers.push((question.context(), answer));
        if interrupted {
            break;
        }
    }
    session.show(&model, &answers)?;
    Ok(worst)
}

/// Opens what a trace file shows, checked on the model as it is now.
fn explore_trace(arguments: &ExploreArguments, path: &Path) -> Result<Exit, Exit> {
    let asking = &arguments.question;
    let again = Again::open(path, asking.spec.as_deref(), asking.quiet)?;
    let model = again.model(&asking.model, asking.limits)?;
    let question: Question<'_> = again.question(&model, asking.limits)?;
    let answer = question.replay(&again.file.run, &again.options);
    let answer = answer.map_err(|rejected| {
        let why = recurva_report::rejected_text(&question.context(), &rejected);
        output::error(&format!("{}: {}", path.display(), why.trim()));
        output::help(
            "recurva replay says more; recurva explore without --trace looks for another run",
        );
        Exit::Unknown
    })?;
    let session = Session::start(arguments, 1)?;
    session.show(&model, &[(question.context(), answer)])?;
    Ok(Exit::Violated)
}

/// Where the answers go: to a file, or to those who look at the page.
struct Session<'a> {
    arguments: &'a ExploreArguments,
    live: Live,
    server: Option<Server>,
}

impl<'a> Session<'a> {
    fn start(arguments: &'a ExploreArguments, questions: usize) -> Result<Self, Exit> {
        let live = Live::new(questions);
        let mut session = Session {
            arguments,
            live: live.clone(),
            server: None,
        };
        if arguments.html.is_some() {
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

    /// Writes the file, or serves the page until Ctrl-C.
    fn show(&self, model: &Model, answers: &[(Context<'_>, Answer<'_>)]) -> Result<(), Exit> {
        let internal = |error: serde_json::Error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        };
        let exploration = Exploration::new(model, answers);
        if let Some(path) = &self.arguments.html {
            // Without a server the page has to bring what can be explored.
            let document = exploration.document(&command(), Stored::Near);
            let text = file(&document).map_err(internal)?;
            return files::store(path, &self.arguments.question.inputs(), text.as_bytes());
        }
        if let Some(server) = &self.server {
            let document = exploration.document(&command(), Stored::No);
            server.publish(&document).map_err(internal)?;
            self.live.end();
            // The page is there until its readers have seen enough.
            watchdog::start(Limits::default());
            server.serve(&exploration.free(), interrupt::requested);
        }
        Ok(())
    }
}

/// Tells the terminal and the page.
struct Both<'l> {
    line: Line,
    live: &'l mut Live,
}

impl Watch for Both<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
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
