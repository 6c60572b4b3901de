//! Systems of any size: `check X.rmc` and `check X.json`.

use std::{
    fmt::Write as _,
    io::{IsTerminal, stderr},
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use recurva_draw::{Drawing, machines};
use recurva_regular::{
    Letter, Progress, Stop,
    engine::{self, Direction, Invariant, Outcome, Verdict},
    express::{Alphabet, expression},
    live::{Lasso, LiveOutcome, LiveVerdict},
    system::System,
};
use recurva_trace::Words;
use serde_json::{Value, json};

use crate::{
    args::{CheckArguments, ReportFormat},
    convert::store,
    exit::Exit,
    interrupt, output,
    outputs::Outputs,
    regular_trace::words,
    systems::{Answered, Property, answer, engine, only_own, properties, read},
};

/// Checks the properties of a system; the exit code is that of the worst verdict.
pub(crate) fn check(arguments: &CheckArguments, outputs: &Outputs<'_>) -> Exit {
    match ask(arguments, outputs) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn ask(arguments: &CheckArguments, outputs: &Outputs<'_>) -> Result<Exit, Exit> {
    only_own(&arguments.question)?;
    if arguments.witness.is_some() {
        output::error("--witness is for models that were made from C");
        return Err(Exit::BadInput);
    }
    let engine = engine(arguments.question.engine)?;
    let (source, system) = read(&arguments.question.model, arguments.question.quiet)?;
    let properties = properties(&system, arguments.question.property.as_deref())?;
    interrupt::listen();
    let mut worst = Exit::Holds;
    for (index, property) in properties.iter().enumerate() {
        if index > 0 && arguments.format == ReportFormat::Text && !arguments.question.quiet {
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

/// A report in both forms, and how the command ends.
pub(crate) struct Told {
    pub(crate) text: String,
    json: Value,
    pub(crate) exit: Exit,
}

/// What is said of an answer.
pub(crate) fn tell(system: &System, answered: &Answered) -> Told {
    match answered {
        Answered::Safe(outcome) => safety(system, outcome),
        Answered::Live(outcome) => liveness(system, outcome),
    }
}

fn one(
    outputs: &Outputs<'_>,
    system: &System,
    property: Property<'_>,
    engine: engine::Engine,
) -> Result<(Exit, Option<Words>), Exit> {
    let arguments = outputs.arguments;
    let started = Instant::now();
    let mut line = Line::new(!arguments.question.quiet);
    let look = |progress: &Progress| {
        line.show(progress);
        ControlFlow::Continue(())
    };
    let answered = answer(system, property, engine, arguments.question.timeout, look)?;
    if let (Some(path), Answered::Safe(outcome)) = (&arguments.dot, &answered)
        && let Verdict::Safe(invariant) = &outcome.verdict
    {
        save(path, &invariant_dot(system, invariant, property.name()))?;
    }
    let told = tell(system, &answered);
    line.wipe();
    if !arguments.question.quiet {
        print(outputs, &property, &told, Some(started.elapsed()));
    }
    Ok((told.exit, run_of(system, &answered)))
}

/// The run that violates a property, if one was found.
fn run_of(system: &System, answered: &Answered) -> Option<Words> {
    match answered {
        Answered::Safe(outcome) => match &outcome.verdict {
            Verdict::Violated(run) => Some(words(system, &run.words, None)),
            _ => None,
        },
        Answered::Live(outcome) => match &outcome.verdict {
            LiveVerdict::Violated(lasso) => Some(Words {
                process: lasso.process.map(|process| process as u32 + 1),
                ..words(system, &lasso.stem, Some(&lasso.turn))
            }),
            _ => None,
        },
    }
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
        "model": arguments.question.model.display().to_string(),
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
        Stop::Memory(most) => format!("the limit of {most} bytes of memory was reached"),
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
                "dot": invariant_dot(system, invariant, &system.name),
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

/// An invariant in the language of Graphviz.
fn invariant_dot(system: &System, invariant: &Invariant, title: &str) -> String {
    let letters = Alphabet::Letters(&system.letters);
    recurva_draw::dot(&Drawing {
        title: title.to_owned(),
        graphs: vec![machines::words(&invariant.words, letters, "")],
        ..Drawing::default()
    })
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
pub(crate) fn save(path: &Path, text: &str) -> Result<(), Exit> {
    store(path, text.as_bytes()).map_err(|cause| {
        output::error(&format!("{}: {cause}", path.display()));
        Exit::BadInput
    })
}

/// The automata of a system as expressions.
pub(crate) fn expressions(system: &System, only: Option<&str>) -> String {
    let mut text = String::new();
    for (name, dfa, alphabet) in machines::parts(system) {
        if only.is_none_or(|only| *only == name) {
            let shown = expression(dfa, alphabet);
            let shown = shown.unwrap_or_else(|| counted(dfa.states(), "state"));
            let _ = writeln!(text, "{name}: {shown}");
        }
    }
    text
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
        output::stderr(&format!("\r\x1b[K{progress}"));
        self.shown = true;
        self.due = now + Duration::from_millis(100);
    }

    fn wipe(&mut self) {
        if self.shown {
            output::stderr("\r\x1b[K");
        }
    }
}
