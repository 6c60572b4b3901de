//! Regular model checking: what each technique takes on each protocol, beside the figures known for
//! the public models, and the growth of a family with its alphabet.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use recurva_regular::{
    Dfa, Meter, Stop,
    columns::{self, Depth},
    engine::{self, Engine, Problem, Verdict, reach_by_actions},
    json, lang,
    system::System,
    widen,
};
use recurva_syntax::{Source, Style};

use super::Size;
use crate::run::{root, shared};

/// What a technique may use for one row.
const WORK: u64 = 10_000_000;

pub(crate) fn run(size: Size) -> Result<(), String> {
    verdicts()?;
    sets(size)?;
    growth(size)
}

fn load(path: &Path) -> Result<System, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let source =
        Source::new(path.display().to_string(), text).map_err(|error| error.to_string())?;
    let parsed = match path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        true => json::parse(&source),
        false => lang::parse(&source),
    };
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    parsed.value.ok_or_else(errors)
}

fn models(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    list.retain(|path| path.extension().is_some_and(|other| other == extension));
    list.sort();
    list
}

/// Forgets the largest memory so far, where the system can.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The largest memory since then.
fn peak() -> String {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.map_or("-".to_owned(), |kibibytes| {
        format!("{} MiB", kibibytes / 1024)
    })
}

/// All properties of the manifest and of the corpus, with the engines in turn.
fn verdicts() -> Result<(), String> {
    println!("verdicts, --engine auto");
    println!(
        "{:<44} {:>9} {:>12} {:>7} {:>8} {:>8}  known",
        "property", "answer", "by", "states", "s", "memory"
    );
    let manifest = fs::read_to_string(shared("rmc").join("MANIFEST.tsv")).unwrap_or_default();
    let known: Vec<Vec<&str>> = manifest
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    let mut paths = models(&shared("rmc").join("dodo-json"), "json");
    paths.extend(models(&root().join("corpus/rmc"), "rmc"));
    for path in paths {
        let system = load(&path)?;
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for bad in &system.bad {
            forget_peak();
            let started = Instant::now();
            let mut meter = Meter::new(u64::MAX);
            let problem =
                Problem::new(&system, &bad.words, &mut meter).map_err(|stop| stop.to_string())?;
            let outcome = engine::check(&problem, Engine::Auto, &mut meter)
                .map_err(|error| error.to_string())?;
            let seconds = started.elapsed().as_secs_f64();
            let (answer, states) = match &outcome.verdict {
                Verdict::Safe(invariant) => ("safe", invariant.words.states()),
                Verdict::Violated(run) => ("unsafe", run.words[0].len()),
                Verdict::Unknown(_) => ("unknown", 0),
            };
            let line = known.iter().find(|line| {
                line[0] == format!("dodo-json/{file}") && line.get(1) == Some(&&*bad.name)
            });
            if let Some(line) = line
                && line.get(2) != Some(&answer)
            {
                return Err(format!("{file}, {}: {answer}, which is not so", bad.name));
            }
            let note = line.and_then(|line| line.get(3)).copied().unwrap_or("");
            let note = note.split(" (").next().unwrap_or(note);
            println!(
                "{:<44} {answer:>9} {:>12} {states:>7} {seconds:>8.3} {:>8}  {note}",
                format!("{file} {}", bad.name),
                outcome.technique,
                peak(),
            );
        }
    }
    Ok(())
}

/// Gives the number of sets of columns, or 0, and an automaton.
type Technique<'t> = dyn FnMut(&mut Meter<'_>) -> Result<(usize, Dfa), Stop> + 't;

/// The exact sets and closures, technique by technique.
fn sets(size: Size) -> Result<(), String> {
    let mut paths = models(&shared("rmc").join("dodo-json"), "json");
    paths.extend(models(&root().join("corpus/rmc"), "rmc"));
    if size == Size::Quick {
        paths.truncate(4);
    }
    println!(
        "\nexact sets and closures: sets of columns → states, seconds ({WORK} steps of work at most)"
    );
    println!(
        "{:<36} {:>20} {:>20} {:>16} {:>16} {:>16}",
        "model", "R⁺ columns", "R*(I) columns", "R*(I) actions", "R*(I) widening", "R⁺ widening"
    );
    for path in paths {
        let system = load(&path)?;
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut free = Meter::new(u64::MAX);
        let relation = system
            .relation(&mut free)
            .map_err(|stop| stop.to_string())?;
        let timed = |run: &mut Technique<'_>| -> String {
            let started = Instant::now();
            match run(&mut Meter::new(WORK)) {
                Ok((0, dfa)) => format!("{} {:.3}", dfa.states(), started.elapsed().as_secs_f64()),
                Ok((subsets, dfa)) => {
                    let seconds = started.elapsed().as_secs_f64();
                    format!("{subsets} → {} {seconds:.3}", dfa.states())
                }
                Err(_) => "-".to_owned(),
            }
        };
        let constructed = |found: columns::Constructed| (found.subsets, found.dfa);
        println!(
            "{file:<36} {:>20} {:>20} {:>16} {:>16} {:>16}",
            timed(&mut |meter| columns::closure(&relation, Depth::Any, meter).map(constructed)),
            timed(&mut |meter| {
                columns::reach(&system.initial, &relation, Depth::Any, meter).map(constructed)
            }),
            timed(&mut |meter| Ok((0, reach_by_actions(&system.initial, &relation, meter)?))),
            timed(&mut |meter| {
                let actions = relation.actions(meter)?;
                let found = widen::reach(&system.initial, &actions, meter)?;
                exact(found)
            }),
            timed(&mut |meter| exact(widen::closure(&relation, meter)?)),
        );
    }
    Ok(())
}

/// Only what is exact counts here.
fn exact(found: widen::Widened) -> Result<(usize, Dfa), Stop> {
    match found.exact {
        true => Ok((0, found.set)),
        false => Err(Stop::Work(0)),
    }
}

/// A token ring whose processes have more and more data that the protocol copies.
fn growth(size: Size) -> Result<(), String> {
    println!("\ngrowth with the alphabet: a token, and data that is copied");
    println!(
        "{:>8} {:>8} {:>8} {:>12} {:>10} {:>12} {:>10}",
        "letters", "classes", "read s", "columns", "s", "abstraction", "s"
    );
    let largest = if size == Size::Quick { 32 } else { 256 };
    let mut letters = 4;
    while letters <= largest {
        let text = format!(
            "process {{ token : bool; data : 0..{} }}\ninitial token [!token]*\n\
             rule pass : when token right : !token -> token := true do token := false\n\
             bad two : .* token .* token .*\n",
            letters / 2 - 1
        );
        let started = Instant::now();
        let source = Source::new("family.rmc", text).map_err(|error| error.to_string())?;
        let system = lang::parse(&source).value.ok_or("the family has errors")?;
        let read = started.elapsed().as_secs_f64();
        let mut meter = Meter::new(u64::MAX);
        let problem = Problem::new(&system, &system.bad[0].words, &mut meter)
            .map_err(|stop| stop.to_string())?;
        let classes = problem.relation.dfa().classes().count();
        let mut row = format!("{letters:>8} {classes:>8} {read:>8.3}");
        for (engine, width) in [(Engine::Columns, 12), (Engine::Abstraction, 12)] {
            let started = Instant::now();
            let outcome = engine::check(&problem, engine, &mut Meter::new(u64::MAX))
                .map_err(|error| error.to_string())?;
            let Verdict::Safe(invariant) = outcome.verdict else {
                return Err("the family is safe".to_owned());
            };
            let (states, seconds) = (invariant.words.states(), started.elapsed().as_secs_f64());
            row += &format!(" {states:>width$} {seconds:>10.3}");
        }
        println!("{row}");
        letters *= 2;
    }
    Ok(())
}
