//! Systems of any size: `check X.rmc`, `check X.json`, and `draw`.

use std::{
    fmt::Write as _,
    io::{IsTerminal, stderr},
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use recurva_regular::{
    Letter, Meter, Parsed, Progress, Stop,
    engine::{self, Direction, Outcome, Problem, Verdict},
    express::{Alphabet, dot, expression},
    json, lang,
    live::{self, Lasso, Live, LiveOutcome, LiveVerdict},
    system::{Bad, System},
};
use recurva_report::sarif::Rule;
use recurva_syntax::{Source, did_you_mean};
use recurva_trace::Words;
use serde_json::{Value, json};

use crate::{
    args::{CheckArguments, DrawArguments, Engine, ReportFormat},
    convert::store,
    exit::Exit,
    interrupt, load, output,
    outputs::Outputs,
    regular_trace::words,
};

/// Whether a file has a system of any size.
pub(crate) fn is_system(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rmc" | "json"))
}

/// Reads a system, and gives its text too. On an error everything has been said.
pub(crate) fn read(path: &Path, quiet: bool) -> Result<(Source, System), Exit> {
    let source = load::open(path)?;
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    let Parsed { value, diagnostics } = match is_json {
        true => json::parse(&source),
        false => lang::parse(&source),
    };
    if diagnostics.has_errors() || (!diagnostics.is_empty() && !quiet) {
        output::diagnostics(&source, &diagnostics);
    }
    let system = value.ok_or(Exit::BadInput)?;
    Ok((source, system))
}

/// One of the properties of a system.
#[derive(Clone, Copy)]
pub(crate) enum Property<'s> {
    Safe(&'s Bad),
    Live(&'s Live),
}

impl Property<'_> {
    /// The kind of finding that a violation is.
    pub(crate) fn rule(&self) -> Rule {
        match self {
            Property::Safe(_) => Rule::Safety,
            Property::Live(_) => Rule::Liveness,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Property::Safe(bad) => &bad.name,
            Property::Live(live) => &live.name,
        }
    }
}

/// Checks the properties of a system; the exit code is that of the worst verdict.
pub(crate) fn check(arguments: &CheckArguments, outputs: &Outputs<'_>) -> Exit {
    match ask(arguments, outputs) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn ask(arguments: &CheckArguments, outputs: &Outputs<'_>) -> Result<Exit, Exit> {
    let foreign = [
        (!arguments.reach.is_empty(), "--reach"),
        (!arguments.ltl.is_empty(), "--ltl"),
        (!arguments.caret.is_empty(), "--caret"),
        (!arguments.ntmu.is_empty(), "--ntmu"),
        (!arguments.repeat.is_empty(), "--repeat"),
        (arguments.spec.is_some(), "--spec"),
    ];
    if let Some((_, option)) = foreign.iter().find(|(given, _)| *given) {
        output::error(&format!(
            "{option} is not for systems of any size (.rmc and .json)"
        ));
        output::help("their properties are in the file: `bad …` and `live …`");
        return Err(Exit::BadInput);
    }
    if arguments.witness.is_some() {
        output::error("--witness is for models that were made from C");
        return Err(Exit::BadInput);
    }
    let engine = engine(arguments.engine)?;
    let (source, system) = read(&arguments.model, arguments.quiet)?;
    let properties = properties(&system, arguments.property.as_deref())?;
    interrupt::listen();
    let mut worst = Exit::Holds;
    for (index, property) in properties.iter().enumerate() {
        if index > 0 && arguments.format == ReportFormat::Text && !arguments.quiet {
            output::stdout(b"\n");
        }
        let (exit, words) = one(outputs, &system, *property, engine)?;
        worst = worst.max(exit);
        if let Some(words) = words {
            let saver = &outputs.saver;
            saver.save_words(source.text(), property.name(), words)?;
        }
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(worst)
}

fn engine(engine: Engine) -> Result<engine::Engine, Exit> {
    Ok(match engine {
        Engine::Auto => engine::Engine::Auto,
        Engine::Finite => engine::Engine::Finite,
        Engine::Columns => engine::Engine::Columns,
        Engine::Actions => engine::Engine::Actions,
        Engine::Bounded => engine::Engine::Bounded,
        Engine::Widening => engine::Engine::Widening,
        Engine::Abstraction => engine::Engine::Abstraction,
        Engine::Explicit | Engine::Symbolic | Engine::Flat => {
            output::error("this engine is not for systems of any size (.rmc and .json)");
            output::help(
                "their engines are finite, columns, actions, bounded, widening and abstraction",
            );
            return Err(Exit::BadInput);
        }
    })
}

pub(crate) fn properties<'s>(
    system: &'s System,
    wanted: Option<&str>,
) -> Result<Vec<Property<'s>>, Exit> {
    let bad = system.bad.iter().map(Property::Safe);
    let all: Vec<Property<'s>> = bad.chain(system.live.iter().map(Property::Live)).collect();
    let Some(wanted) = wanted else {
        if all.is_empty() {
            output::error("the system has no property");
            output::help("add one to the file: `bad …` or `live …`");
            return Err(Exit::BadInput);
        }
        return Ok(all);
    };
    let found: Vec<Property<'s>> = all.iter().copied().filter(|p| p.name() == wanted).collect();
    if found.is_empty() {
        output::error(&format!("there is no property `{wanted}`"));
        let near = did_you_mean(wanted, all.iter().map(Property::name));
        let names: Vec<&str> = all.iter().map(Property::name).collect();
        output::help(&near.unwrap_or_else(|| format!("there are: {}", names.join(", "))));
        return Err(Exit::BadInput);
    }
    Ok(found)
}

/// A report in both forms, and how the command ends.
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) json: Value,
    pub(crate) exit: Exit,
}

fn one(
    outputs: &Outputs<'_>,
    system: &System,
    property: Property<'_>,
    engine: engine::Engine,
) -> Result<(Exit, Option<Words>), Exit> {
    let arguments = outputs.arguments;
    let started = Instant::now();
    let mut line = Line::new(!arguments.quiet);
    let mut watch = |progress: &Progress| {
        line.show(progress);
        let late = arguments
            .timeout
            .is_some_and(|limit| started.elapsed() > limit);
        match late || interrupt::requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let mut meter = Meter::watched(&mut watch);
    let internal = |error: &dyn std::fmt::Display| {
        output::internal_error(&error.to_string());
        Exit::Internal
    };
    let (told, words) = match property {
        Property::Safe(bad) => {
            let outcome = match Problem::new(system, &bad.words, &mut meter) {
                Ok(problem) => engine::check(&problem, engine, &mut meter),
                Err(stop) => Ok(Outcome {
                    verdict: Verdict::Unknown(stop),
                    technique: "none",
                    searched: 0,
                    work: meter.used(),
                }),
            };
            let outcome = outcome.map_err(|error| internal(&error))?;
            if let (Some(path), Verdict::Safe(invariant)) = (&arguments.dot, &outcome.verdict) {
                let graph = dot(
                    &invariant.words,
                    Alphabet::Letters(&system.letters),
                    &bad.name,
                );
                save(path, &graph)?;
            }
            let words = match &outcome.verdict {
                Verdict::Violated(run) => Some(words(system, &run.words, None)),
                _ => None,
            };
            (safety(system, &outcome), words)
        }
        Property::Live(live) => {
            let outcome = live::check(system, live, engine, &mut meter);
            let outcome = outcome.map_err(|error| internal(&error))?;
            let mut run = None;
            if let LiveVerdict::Violated(lasso) = &outcome.verdict {
                live::check_lasso(system, live, lasso).map_err(|error| internal(&error))?;
                run = Some(Words {
                    process: lasso.process.map(|process| process as u32 + 1),
                    ..words(system, &lasso.stem, Some(&lasso.turn))
                });
            }
            (liveness(system, &outcome), run)
        }
    };
    line.wipe();
    if !arguments.quiet {
        print(outputs, &property, &told, Some(started.elapsed()));
    }
    Ok((told.exit, words))
}

/// Shows a report.
pub(crate) fn print(
    outputs: &Outputs<'_>,
    property: &Property<'_>,
    told: &Told,
    time: Option<Duration>,
) {
    let arguments = outputs.arguments;
    let name = property.name();
    let verdict = match told.exit {
        Exit::Holds => "holds",
        Exit::Violated => "violated",
        _ => "unknown",
    };
    if arguments.format == ReportFormat::Text {
        let text = format!("{verdict}: {name}\n{}", told.text);
        return output::stdout(text.as_bytes());
    }
    if arguments.format == ReportFormat::Sarif {
        return outputs.log_plain(property.rule(), name, told.exit, &told.text);
    }
    let mut value = json!({
        "verdict": verdict,
        "property": name,
        "model": arguments.model.display().to_string(),
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, &told.json) {
        value.extend(more.clone());
        if let (Some(time), Some(Value::Object(stats))) = (time, value.get_mut("stats")) {
            stats.insert("seconds".to_owned(), time.as_secs_f64().into());
        }
    }
    output::stdout(format!("{value}\n").as_bytes());
}

/// How the command ends when no technique had an answer, and why it has none.
fn unknown(stop: Stop, searched: usize) -> (String, Exit) {
    let why = match stop {
        Stop::Watch if interrupt::requested() => "interrupted".to_owned(),
        Stop::Watch => "the time limit was reached".to_owned(),
        Stop::Work(work) => format!("every technique used up its {work} steps of work"),
        Stop::Letters(most) => format!("the proof would need more than {most} letters"),
    };
    let known = match searched.checked_sub(1) {
        Some(largest) => format!("It holds up to size {largest}: all those runs were searched."),
        None => "No size was searched to the end.".to_owned(),
    };
    let exit = match stop {
        Stop::Watch if interrupt::requested() => Exit::Interrupted,
        _ => Exit::Unknown,
    };
    (format!("  {why}.\n  {known}\n"), exit)
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn safety(system: &System, outcome: &Outcome) -> Told {
    let stats = json!({ "work": outcome.work, "searched": outcome.searched });
    let mut text = String::new();
    let (evidence, exit) = match &outcome.verdict {
        Verdict::Safe(invariant) => {
            let shown = expression(&invariant.words, Alphabet::Letters(&system.letters));
            let states = invariant.words.states();
            let (kind, direction) = match (invariant.direction, invariant.exact) {
                (Direction::Forward, true) => ("exactly what can be reached", "forward"),
                (Direction::Forward, false) => ("an inductive invariant", "forward"),
                (Direction::Backward, true) => ("all that cannot reach a bad word", "backward"),
                (Direction::Backward, false) => ("an inductive invariant", "backward"),
            };
            let _ = writeln!(
                text,
                "  For every size, by {}. The invariant has {} and was checked; it is {kind}.",
                outcome.technique,
                counted(states, "state"),
            );
            if let Some(shown) = shown.as_ref().filter(|shown| shown.chars().count() <= 400) {
                let _ = writeln!(text, "  {shown}");
            }
            let evidence = json!({
                "kind": "invariant",
                "states": states,
                "edges": invariant.words.edge_count(),
                "exact": invariant.exact,
                "direction": direction,
                "expression": shown,
                "dot": dot(&invariant.words, Alphabet::Letters(&system.letters), &system.name),
            });
            (evidence, Exit::Holds)
        }
        Verdict::Violated(run) => {
            let size = run.words.first().map_or(0, Vec::len);
            let _ = writeln!(
                text,
                "  A bad word is reached in {}.{}",
                counted(run.actions.len(), "step"),
                smallest(outcome.technique, size),
            );
            let names: Vec<&str> = run
                .actions
                .iter()
                .map(|&at| system.actions[at].name.as_str())
                .collect();
            write_words(&mut text, system, &run.words, &names);
            let words: Vec<Vec<&str>> =
                run.words.iter().map(|word| spelled(system, word)).collect();
            let evidence = json!({ "kind": "run", "size": size, "words": words, "actions": names });
            (evidence, Exit::Violated)
        }
        Verdict::Unknown(stop) => {
            let (why, exit) = unknown(*stop, outcome.searched);
            text = why;
            (Value::Null, exit)
        }
    };
    let json = json!({ "engine": outcome.technique, "stats": stats, "evidence": evidence });
    Told { text, json, exit }
}

/// A search begins with the smallest size; a replay says nothing about others.
fn smallest(technique: &str, size: usize) -> String {
    match technique {
        recurva_check::REPLAY => String::new(),
        _ => format!(" No smaller size than {size} has such a run."),
    }
}

fn spelled<'s>(system: &'s System, word: &[Letter]) -> Vec<&'s str> {
    word.iter().map(|&letter| system.letter(letter)).collect()
}

/// Words below each other, with the action that leads to each.
fn write_words(text: &mut String, system: &System, words: &[Vec<Letter>], actions: &[&str]) {
    for (at, word) in words.iter().enumerate() {
        let action = at
            .checked_sub(1)
            .and_then(|at| actions.get(at))
            .copied()
            .unwrap_or("");
        let line = format!("{at:>6}  {:<40}  {action}", system.show(word));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

pub(crate) fn liveness(system: &System, outcome: &LiveOutcome) -> Told {
    let stats = json!({ "work": outcome.work, "searched": outcome.searched });
    let mut text = String::new();
    let (evidence, exit) = match &outcome.verdict {
        LiveVerdict::Holds(proof) => {
            let (reached, loops) = (proof.reachable.states(), proof.loops.states());
            let _ = writeln!(
                text,
                "  For every size, by {}: no fair run violates it. The proof was checked: {} for \
                 what can be\n  reached, {} for what may become a loop.",
                outcome.technique,
                counted(reached, "state"),
                counted(loops, "state"),
            );
            let evidence = json!({ "kind": "no fair loop", "reachable": reached, "loops": loops });
            (evidence, Exit::Holds)
        }
        LiveVerdict::Violated(lasso) => {
            let evidence = write_lasso(&mut text, system, lasso, outcome.technique);
            (evidence, Exit::Violated)
        }
        LiveVerdict::Unknown(stop) => {
            let (why, exit) = unknown(*stop, outcome.searched);
            text = why;
            (Value::Null, exit)
        }
    };
    let json = json!({ "engine": outcome.technique, "stats": stats, "evidence": evidence });
    Told { text, json, exit }
}

fn write_lasso(text: &mut String, system: &System, lasso: &Lasso, technique: &str) -> Value {
    let size = lasso.turn.first().map_or(0, Vec::len);
    let about = match lasso.process {
        Some(process) => format!(" of process {}", process + 1),
        None => String::new(),
    };
    let smallest = smallest(technique, size);
    let _ = writeln!(text, "  A fair run{about} violates it.{smallest}");
    write_words(text, system, &lasso.stem, &[]);
    text.push_str("  for ever:\n");
    write_words(text, system, &lasso.turn, &[]);
    let spell = |words: &[Vec<Letter>]| -> Vec<Vec<String>> {
        let word = |word: &Vec<Letter>| {
            spelled(system, word)
                .into_iter()
                .map(str::to_owned)
                .collect()
        };
        words.iter().map(word).collect()
    };
    json!({
        "kind": "lasso",
        "size": size,
        "process": lasso.process.map(|process| process + 1),
        "stem": spell(&lasso.stem),
        "turn": spell(&lasso.turn),
    })
}

/// Writes a file. On an error everything has been said.
fn save(path: &Path, text: &str) -> Result<(), Exit> {
    store(path, text.as_bytes()).map_err(|cause| {
        output::error(&format!("{}: {cause}", path.display()));
        Exit::BadInput
    })
}

/// Prints the automata of a system, as graphs or as expressions.
pub(crate) fn draw(arguments: &DrawArguments) -> Exit {
    let run = || -> Result<(), Exit> {
        if !is_system(&arguments.model) {
            output::error("draw is for systems of any size (.rmc and .json)");
            return Err(Exit::BadInput);
        }
        let (_, system) = read(&arguments.model, false)?;
        let words = Alphabet::Letters(&system.letters);
        let pairs = Alphabet::Pairs(&system.letters);
        let mut parts = vec![("initial".to_owned(), &system.initial, words)];
        for action in &system.actions {
            let name = if action.name.is_empty() {
                "steps"
            } else {
                &action.name
            };
            parts.push((name.to_owned(), action.relation.dfa(), pairs));
        }
        parts.extend(
            system
                .bad
                .iter()
                .map(|bad| (bad.name.clone(), &bad.words, words)),
        );
        let mut text = String::new();
        for (name, dfa, alphabet) in parts {
            if arguments.only.as_ref().is_some_and(|only| *only != name) {
                continue;
            }
            match arguments.text {
                true => {
                    let shown = expression(dfa, alphabet);
                    let shown = shown.unwrap_or_else(|| counted(dfa.states(), "state"));
                    let _ = writeln!(text, "{name}: {shown}");
                }
                false => text += &dot(dfa, alphabet, &name),
            }
        }
        if text.is_empty() {
            output::error("there is no such part");
            output::help("parts are `initial`, the names of actions and the names of properties");
            return Err(Exit::BadInput);
        }
        match &arguments.output {
            Some(path) => save(path, &text),
            None => {
                output::stdout(text.as_bytes());
                Ok(())
            }
        }
    };
    match run() {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

/// The progress line: which technique is at work, and how large its automata are.
struct Line {
    terminal: bool,
    shown: bool,
    due: Instant,
}

impl Line {
    fn new(wanted: bool) -> Line {
        Line {
            terminal: wanted && stderr().is_terminal(),
            shown: false,
            due: Instant::now() + Duration::from_millis(400),
        }
    }

    fn show(&mut self, progress: &Progress) {
        let now = Instant::now();
        if !self.terminal || now < self.due {
            return;
        }
        let line = match progress.technique {
            "finite" => format!("size {}: {} words", progress.round, progress.states),
            name => format!(
                "{name}, round {}: {} states",
                progress.round, progress.states
            ),
        };
        output::stderr(&format!("\r\x1b[K{line}"));
        self.shown = true;
        self.due = now + Duration::from_millis(100);
    }

    fn wipe(&mut self) {
        if self.shown {
            output::stderr("\r\x1b[K");
        }
    }
}
