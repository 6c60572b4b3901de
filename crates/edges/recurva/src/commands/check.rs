//! The `check` command.

use std::io::{self, BufRead, Write};

use recurva_check::{
    Answer, Asked, Certify, Evidence, Limits, Model, Options, Question, QuestionKind, Refused,
    Sort, WhichEntries, open,
};
use recurva_process::{
    Exit, Line, files,
    output::{self, Loudness},
    watchdog,
};
use recurva_report::{
    Walk,
    sarif::{Baseline, State},
};

use crate::{
    asking,
    cache::{Cache, REUSED},
    certificates::Certificates,
    kept::Kept,
    known,
    options::CheckArguments,
    reports::{Besides, Reports},
    rules,
    test_cases::TestCases,
    witness::Witnesses,
};

/// Where there are answers for many functions, the command is ended after so many times the limit on one.
const PATIENCE: u32 = 4;

/// Checks every property asked for; the exit code is that of the worst verdict.
pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    known::begin(arguments);
    let mut reports = Reports::new(&arguments.report(), arguments.question.quiet);
    let baseline = match baseline(arguments) {
        Ok(baseline) => baseline,
        Err(exit) => return exit,
    };
    reports = reports.compared(baseline);
    let mut checking = Checking {
        arguments,
        options: options(arguments),
        reports,
        kept: Kept::new(arguments),
        test_cases: TestCases::new(arguments),
        certificates: Certificates::new(arguments),
        cache: arguments.cache.as_deref().map(Cache::new),
        worst: Exit::Holds,
    };
    let exit = match arguments.question.c.which() {
        None => checking.program(),
        Some(which) => checking.entries(&which),
    };
    let exit = exit.map_or_else(|exit| exit, |()| checking.worst);
    let _telling = watchdog::telling();
    checking.kept.finish(exit);
    checking.reports.finish(exit);
    known::finished(exit);
    exit
}

/// How questions are answered.
fn options(arguments: &CheckArguments) -> Options {
    Options {
        certify: match (&arguments.certificate, arguments.question.c.which()) {
            (Some(_), _) => Certify::Always,
            (None, None) => Certify::Briefly,
            // Of many answers nobody reads the proofs.
            (None, Some(_)) => Certify::Never,
        },
        ..arguments.question.options()
    }
}

/// The log to compare with. On an error everything has been said.
fn baseline(arguments: &CheckArguments) -> Result<Option<Baseline>, Exit> {
    let Some(path) = &arguments.baseline else {
        return Ok(None);
    };
    let loudness = arguments.question.loudness();
    let source = open(path).map_err(|refused| output::refused(&refused, loudness))?;
    Baseline::read(source.text()).map(Some).map_err(|cause| {
        output::error(&format!("{}: {cause}", path.display()));
        output::help("a baseline is written by recurva check --format sarif");
        Exit::BadInput
    })
}

/// One command.
struct Checking<'a> {
    arguments: &'a CheckArguments,
    options: Options,
    reports: Reports,
    kept: Kept<'a>,
    test_cases: TestCases<'a>,
    certificates: Certificates<'a>,
    cache: Option<Cache>,
    worst: Exit,
}

impl Checking<'_> {
    /// Checks a program, or whatever the model is.
    fn program(&mut self) -> Result<(), Exit> {
        let model = self.arguments.question.read()?;
        if self.arguments.test_case.is_some() && model.sort() != Sort::C {
            output::error("--test-case is for C programs: only they can be compiled");
            output::help("--save-trace keeps the run of any model");
            return Err(Exit::BadInput);
        }
        self.model(&model, None)
    }

    /// Checks a C program whose runs begin at many functions, each by itself.
    fn entries(&mut self, which: &WhichEntries) -> Result<(), Exit> {
        let arguments = self.arguments;
        let one = [
            (arguments.witness.is_some(), "--witness"),
            (arguments.dot.is_some(), "--dot"),
        ];
        if let Some((_, option)) = one.iter().find(|(is_given, _)| *is_given) {
            output::error(&format!("{option} is for runs that begin at one function"));
            output::help("give --entry FUNCTION once");
            return Err(Exit::BadInput);
        }
        // The time is for each function. What takes too long ends one answer, not the command; whatever
        // does not listen ends that.
        let limits = arguments.question.limits.limits();
        watchdog::start(Limits {
            time: None,
            ..limits
        });
        let program = arguments.question.read_entries(which)?;
        watchdog::start(Limits {
            time: limits.time.map(|time| time * PATIENCE),
            ..limits
        });
        for entry in program.names() {
            known::asking(arguments, entry);
            let mut line = Line::new(arguments.question.quiet);
            let model = program.model(entry, limits, &mut line);
            drop(line);
            match model {
                Ok(model) => self.model(&model, Some(entry))?,
                Err(Refused::Limit(limit)) => {
                    let why = recurva_report::limit(limit);
                    self.unread(entry, program.name(), &why, Exit::of_limit(limit));
                }
                Err(refused @ Refused::Said(_)) => {
                    let why = refused.first();
                    self.unread(entry, program.name(), &why, Exit::Unknown);
                }
                Err(refused @ Refused::Internal(_)) => {
                    return Err(output::refused(&refused, arguments.question.loudness()));
                }
            }
            if self.worst == Exit::Interrupted {
                break;
            }
        }
        Ok(())
    }

    /// There is no program that begins at a function.
    fn unread(&mut self, entry: &str, model: &str, why: &str, exit: Exit) {
        self.reports.add_unread(entry, model, why);
        self.worst = self.worst.max(exit);
    }

    /// Answers all that is asked of a model.
    fn model(&mut self, model: &Model, entry: Option<&str>) -> Result<(), Exit> {
        let arguments = self.arguments;
        let options = self.options;
        let asked = asked(arguments, model)?;
        let loudness = match entry {
            // What is to be said about a question stands with its answer.
            Some(_) => Loudness {
                quiet: true,
                ..arguments.question.loudness()
            },
            None => arguments.question.loudness(),
        };
        let questions = asking::questions_of_all(model, &asked, &options, loudness)?;
        if questions.unshown_clauses > 0 {
            self.worst = self.worst.max(Exit::Unknown);
        }
        let questions = questions.list;
        let mut witnesses = Witnesses::new(arguments, &questions)?;
        for (index, question) in questions.iter().enumerate() {
            known::asking(arguments, question.name());
            let recalled = self
                .cache
                .as_ref()
                .and_then(|it| it.recall(question, &options));
            let is_recalled = recalled.is_some();
            let answer = match recalled {
                Some(answer) => answer,
                None => answer(question, &options, arguments.question.quiet)?,
            };
            if let Some(cache) = self.cache.as_ref().filter(|_| !is_recalled) {
                cache.keep(question, &answer, &options);
            }
            let context = question.context();
            let state = self.reports.state(&context, &answer);
            let exit = match state {
                Some(State::Unchanged) => Exit::Holds,
                Some(State::New) | None => Exit::of(answer.verdict),
            };
            known::found(arguments, exit, question.name());
            let telling = watchdog::telling();
            let mark = match state {
                Some(state @ State::Unchanged) => Some(state.word()),
                _ => is_recalled.then_some(REUSED).filter(|_| entry.is_some()),
            };
            self.reports
                .add_besides(&context, &answer, Besides { entry, mark });
            known::answered(arguments, exit, questions.len() - index - 1);
            drop(telling);
            self.kept.keep(question, &answer, &options)?;
            witnesses.write(question, &answer)?;
            self.test_cases.keep(&answer)?;
            self.certificates.keep(question, &answer, &options)?;
            draw(arguments, question, &answer)?;
            if let (true, Some(Evidence::Strategy(refutation))) = (arguments.walk, &answer.evidence)
            {
                walk(Walk::new(model.source(), refutation));
            }
            self.worst = self.worst.max(exit);
            if exit == Exit::Interrupted {
                break;
            }
        }
        Ok(())
    }
}

/// All that is asked: the question of every command, and the rules of the library. On an error
/// everything has been said.
fn asked(arguments: &CheckArguments, model: &Model) -> Result<Vec<Asked>, Exit> {
    let question = &arguments.question;
    let own = question.asked()?;
    if arguments.rule.is_empty() {
        return Ok(vec![own]);
    }
    if model.sort() != Sort::C {
        output::error("--rule is for C programs: rules are about functions of the C library");
        output::help("write a monitor for this model: --spec FILE.pal");
        return Err(Exit::BadInput);
    }
    let by_rules = rules::asked(&arguments.rule, question.property.as_deref());
    let by_rules = by_rules.map_err(|refused| output::refused(&refused, question.loudness()))?;
    let is_more_asked = own.kinds() != [QuestionKind::Own];
    Ok(is_more_asked
        .then_some(own)
        .into_iter()
        .chain(by_rules)
        .collect())
}

/// Answers a question while the terminal shows how far it is. On an error everything has been
/// said.
pub(crate) fn answer<'q>(
    question: &'q Question<'_>,
    options: &Options,
    quiet: bool,
) -> Result<Answer<'q>, Exit> {
    let mut line = Line::new(quiet);
    let answer = question.answer(options, &mut line);
    drop(line);
    answer.map_err(|error| {
        output::internal_error(&error.to_string());
        Exit::Internal
    })
}

/// Writes what shows the answer as a graph, if that is wanted and there is something.
fn draw(
    arguments: &CheckArguments,
    question: &Question<'_>,
    answer: &Answer<'_>,
) -> Result<(), Exit> {
    let Some(path) = &arguments.dot else {
        return Ok(());
    };
    let layout = arguments.report().layout;
    let drawing = recurva_report::draw_evidence(&question.context(), answer, layout);
    let Some(drawing) = drawing else {
        return Ok(());
    };
    let text = recurva_draw::dot(&drawing);
    files::store(path, &arguments.question.inputs(), text.as_bytes())
}

/// Lets the user walk through a strategy until the input ends.
fn walk(mut walk: Walk<'_>) {
    const HELP: &str = "a number takes a way, Enter the first, b goes back, q ends the walk\n";
    output::stdout(format!("\n{HELP}\n{}", walk.text()).as_bytes());
    let mut input = io::stdin().lock();
    loop {
        output::stdout(b"> ");
        // What cannot be written here cannot be written anywhere.
        let _ = io::stdout().flush();
        let mut command = String::new();
        match input.read_line(&mut command) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let moved = match command.trim() {
            "q" | "quit" => break,
            "b" | "back" => walk.back(),
            "" => walk.take(1),
            text => text.parse().is_ok_and(|number| walk.take(number)),
        };
        match moved {
            true => output::stdout(walk.text().as_bytes()),
            false => output::stdout(HELP.as_bytes()),
        }
    }
    output::stdout(b"\n");
}
