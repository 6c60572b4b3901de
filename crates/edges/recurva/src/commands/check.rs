//! The `check` command.

use std::io::{self, BufRead, Write};

use recurva_check::{
    Answer, Asked, Certify, Evidence, Model, Options, Question, QuestionKind, Sort,
};
use recurva_process::{Exit, Line, files, output, watchdog};
use recurva_report::Walk;

use crate::{
    asking, certificates::Certificates, kept::Kept, known, options::CheckArguments,
    reports::Reports, rules, test_cases::TestCases, witness::Witnesses,
};

/// Checks every property asked for; the exit code is that of the worst verdict.
pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    known::begin(arguments);
    let mut reports = Reports::new(&arguments.report(), arguments.question.quiet);
    let mut kept = Kept::new(arguments);
    let exit = answer_all(arguments, &mut reports, &mut kept);
    let exit = exit.unwrap_or_else(|exit| exit);
    let _telling = watchdog::telling();
    kept.finish(exit);
    reports.finish(exit);
    known::finished(exit);
    exit
}

fn answer_all(
    arguments: &CheckArguments,
    reports: &mut Reports,
    kept: &mut Kept<'_>,
) -> Result<Exit, Exit> {
    let question = &arguments.question;
    let options = Options {
        certify: match arguments.certificate {
            Some(_) => Certify::Always,
            None => Certify::Briefly,
        },
        ..question.options()
    };
    let model = question.read()?;
    if arguments.test_case.is_some() && model.sort() != Sort::C {
        output::error("--test-case is for C programs: only they can be compiled");
        output::help("--save-trace keeps the run of any model");
        return Err(Exit::BadInput);
    }
    let questions = asking::questions_of_all(
        &model,
        &asked(arguments, &model)?,
        &options,
        question.loudness(),
    )?;
    let mut test_cases = TestCases::new(arguments);
    let mut certificates = Certificates::new(arguments);
    let mut worst = match questions.unshown_clauses {
        0 => Exit::Holds,
        _ => Exit::Unknown,
    };
    let questions = questions.list;
    let mut witnesses = Witnesses::new(arguments, &questions)?;
    for (index, question) in questions.iter().enumerate() {
        known::asking(arguments, question.name());
        let answer = answer(question, &options, arguments.question.quiet)?;
        let exit = Exit::of(answer.verdict);
        known::found(arguments, exit, question.name());
        let telling = watchdog::telling();
        reports.add(&question.context(), &answer);
        known::answered(arguments, exit, questions.len() - index - 1);
        drop(telling);
        kept.keep(question, &answer, &options)?;
        witnesses.write(question, &answer)?;
        test_cases.keep(&answer)?;
        certificates.keep(question, &answer, &options)?;
        draw(arguments, question, &answer)?;
        if let (true, Some(Evidence::Strategy(refutation))) = (arguments.walk, &answer.evidence) {
            walk(Walk::new(model.source(), refutation));
        }
        worst = worst.max(exit);
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(worst)
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
