//! The `check` command.

use recurva_check::{
    Engine, Limits, Options, Order, Outcome, Property, Reductions, Runs, Stack, Threads, Verdict,
};
use recurva_report::{Detail, Layout, Question};

use crate::{
    args::{self, CheckArguments, QuestionArguments, ReportFormat, Trace},
    exit::Exit,
    files, flat, interrupt, limits,
    load::{self, Model},
    nested, output,
    outputs::Outputs,
    progress::{Line, Wanted},
    questions::{self, Asked},
    regular, systems, trees, woven,
};

/// Checks every property asked for; the exit code is that of the worst verdict.
pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    let outputs = Outputs::new(arguments);
    let exit = run_all(arguments, &outputs);
    outputs.finish(exit)
}

fn run_all(arguments: &CheckArguments, outputs: &Outputs<'_>) -> Exit {
    // Nobody wants to learn this after a long search.
    for path in arguments.outputs() {
        if let Err(exit) = files::Output::open(path, &arguments.inputs()) {
            return exit;
        }
    }
    if systems::is_system(&arguments.question.model) {
        return regular::check(arguments, outputs);
    }
    if let Err(exit) = property_of_file(&arguments.question) {
        return exit;
    }
    if let Some(spec) = arguments
        .question
        .spec
        .as_deref()
        .filter(|path| trees::is_automaton(path))
    {
        return trees::check(arguments, spec, outputs);
    }
    let model = match load::model(&arguments.question) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    let properties = match questions::properties(&arguments.question, &model) {
        Ok(properties) => properties,
        Err(exit) => return exit,
    };
    let formulas = match nested::Questions::new(&arguments.question, &model) {
        Ok(formulas) => formulas,
        Err(exit) => return exit,
    };
    let woven = match woven::questions(&arguments.question, &model) {
        Ok(woven) => woven,
        Err(exit) => return exit,
    };
    let runs = [
        (arguments.save_trace.is_some(), "--save-trace"),
        (arguments.witness.is_some(), "--witness"),
    ];
    if let Some((_, option)) = runs.iter().find(|(given, _)| *given)
        && nested::is_asked(&arguments.question)
    {
        output::error(&format!(
            "{option} is for runs: a formula of NT-µ is refuted by a strategy"
        ));
        output::help(&format!(
            "leave out {option}; --format json has the whole strategy"
        ));
        return Exit::BadInput;
    }
    if let Err(exit) = outputs.witnesses.prepare(arguments, &model) {
        return exit;
    }
    // Not earlier: there is nothing to tell while a model is read.
    interrupt::listen();
    let asked: Vec<Property> = properties.iter().map(|it| it.property.clone()).collect();
    let options = match options(&arguments.question, &model, &asked) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mut worst = Exit::Holds;
    let own = properties.iter().map(|asked| (&model, asked));
    let of_monitor = woven.iter().flat_map(|(model, properties)| {
        let properties = properties.iter();
        properties.map(move |asked| (model, asked))
    });
    for (index, (model, asked)) in own.chain(of_monitor).enumerate() {
        let text = arguments.format == ReportFormat::Text && !arguments.question.quiet;
        if index > 0 && text {
            output::stdout(b"\n");
        }
        let exit = check_one(arguments, model, asked, &options, outputs);
        worst = worst.max(exit);
        if matches!(exit, Exit::Interrupted | Exit::Internal) {
            return worst;
        }
    }
    worst.max(formulas.check(outputs, &model, &options, !properties.is_empty()))
}

/// Refuses the name of a property where there is no file with properties. On an error everything
/// has been said.
pub(crate) fn property_of_file(question: &QuestionArguments) -> Result<(), Exit> {
    if question.property.is_some() && question.spec.is_none() {
        output::error("--property picks a property of a --spec file or of a system of any size");
        output::help("add --spec FILE");
        return Err(Exit::BadInput);
    }
    Ok(())
}

/// How a check is carried out. On an error everything has been said.
pub(crate) fn options(
    arguments: &QuestionArguments,
    model: &Model,
    properties: &[Property],
) -> Result<Options, Exit> {
    let caret = properties.iter().any(|it| matches!(it, Property::Caret(_)));
    if arguments.engine == args::Engine::Symbolic && caret {
        output::error("the symbolic engine does not know CaRet");
        output::help("leave out --engine symbolic");
        return Err(Exit::BadInput);
    }
    Ok(Options {
        engine: match arguments.engine {
            args::Engine::Auto => Engine::Auto,
            args::Engine::Explicit | args::Engine::Flat => Engine::Explicit,
            args::Engine::Symbolic => Engine::Symbolic,
            _ => {
                output::error("this engine is for systems of any size (.rmc and .json)");
                output::help("use auto, explicit, symbolic or flat");
                return Err(Exit::BadInput);
            }
        },
        threads: match arguments.threads.or_else(limits::cores) {
            Some(1) => Threads::One,
            _ => Threads::Two,
        },
        order: match arguments.order {
            args::Order::Dfs => Order::DepthFirst,
            args::Order::Bfs => Order::ShortestFirst,
        },
        slice: !arguments.no_slice,
        reductions: Reductions {
            liveness: !arguments.no_liveness,
            laziness: !arguments.no_lazy,
        },
        stack: match arguments.stack {
            args::Stack::Any => Stack::Any,
            args::Stack::Finite => Stack::Finite,
            args::Stack::Diverging => Stack::Diverging,
        },
        runs: match arguments.runs {
            Some(args::Runs::Stutter) if model.is_machine() => {
                output::error("the runs of a machine do not stutter: only infinite ones count");
                output::help("leave out --runs");
                return Err(Exit::BadInput);
            }
            Some(args::Runs::Infinite) => Runs::Infinite,
            _ if model.is_machine() => Runs::Infinite,
            _ => Runs::Stutter,
        },
        limits: Limits {
            time: arguments.timeout,
            memory: arguments.memory.or_else(limits::default_memory),
        },
    })
}

fn check_one(
    arguments: &CheckArguments,
    model: &Model,
    asked: &Asked,
    options: &Options,
    outputs: &Outputs<'_>,
) -> Exit {
    let property = &asked.property;
    let Model {
        source,
        program,
        monitor,
        places,
        ..
    } = model;
    let wanted = if arguments.question.quiet {
        Wanted::No
    } else {
        Wanted::Yes
    };
    let mut line = Line::new(wanted);
    let decided = match arguments.question.engine {
        args::Engine::Flat => flat::holds(&arguments.question, model, property, options, &mut line),
        _ => Ok(flat::Decided::Not),
    };
    let result = match decided {
        Ok(flat::Decided::Holds(outcome)) => Ok(*outcome),
        Ok(other) => match recurva_check::check(program, property, options, &mut line) {
            Ok(outcome) if other.contradicts(&outcome) => {
                drop(line);
                output::internal_error("two engines disagree about this machine");
                return Exit::Internal;
            }
            result => result,
        },
        Err(exit) => return exit,
    };
    drop(line);
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => {
            output::internal_error(&error.to_string());
            return Exit::Internal;
        }
    };
    let question = Question {
        monitor: monitor.as_ref(),
        places: Some(places),
        ..Question::new(source, program, property)
    };
    if !arguments.question.quiet {
        print(outputs, &question, &outcome);
    }
    if let Verdict::Violated(violation) = &outcome.verdict {
        let replayed = &violation.replayed;
        let saved = outputs
            .saver
            .save_run(&question, &asked.question, replayed)
            .and_then(|()| outputs.witnesses.save(arguments, &question, replayed));
        if let Err(exit) = saved {
            return exit;
        }
    }
    Exit::of(&outcome.verdict)
}

/// Shows an outcome, or puts it into the log.
pub(crate) fn print(outputs: &Outputs<'_>, question: &Question<'_>, outcome: &Outcome<'_>) {
    let arguments = outputs.arguments;
    match arguments.format {
        ReportFormat::Sarif => {
            let mut log = outputs.log.borrow_mut();
            log.add(question, outcome, layout(arguments));
        }
        ReportFormat::Json => {
            output::stdout_with(|out| recurva_report::json(out, question, outcome));
        }
        ReportFormat::Text => {
            let text = recurva_report::text(question, outcome, layout(arguments));
            output::stdout(text.as_bytes());
        }
    }
}

/// How reports are laid out.
pub(crate) fn layout(arguments: &CheckArguments) -> Layout {
    Layout {
        subformulas: arguments.subformulas,
        dropped: arguments.question.verbose,
        ..Layout::with_detail(match arguments.trace {
            Trace::Full => Detail::Full,
            Trace::Folded => Detail::Folded,
            Trace::Calls => Detail::Calls,
            Trace::None => Detail::None,
        })
    }
}
