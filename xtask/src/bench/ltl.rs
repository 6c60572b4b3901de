//! Sizes of automata for well-known formulas, beside those that `spin -f` and `lbt` make.

use std::{
    io::{Read, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use recurva_logic::{
    automaton::{Config, translate},
    ltl::{self, Formula, FormulaId, Formulas, Operator},
};
use recurva_syntax::{Source, Style};

/// How long another tool may take for one formula.
const PATIENCE: Duration = Duration::from_secs(10);

const FAMILIES: [(&str, &str); 3] = [
    ("Gastin and Oddoux, CAV 2001", "gastin_oddoux.ltl"),
    (
        "Etessami and Holzmann, CONCUR 2000",
        "etessami_holzmann.ltl",
    ),
    ("Dwyer, Avrunin and Corbett, FMSP 1998", "dwyer.ltl"),
];

/// Prints the tables. It is an error if an automaton is larger than SPIN's.
pub(crate) fn run() -> Result<(), String> {
    let mut larger = Vec::new();
    for (title, file) in FAMILIES {
        println!("\nLTL to automata: {title}");
        println!("states/edges: gen = generalised, on transitions; classical = one set, on states");
        println!(
            "{:<34} {:>5} {:>4} {:>10} {:>11} {:>10} {:>10} {:>9}",
            "formula", "size", "sets", "gen", "classical", "spin -f", "lbt", "ms"
        );
        let mut sums = [0, 0, 0];
        for named in family(file)? {
            let formula = &named.formula;
            let started = Instant::now();
            let config = Config::default();
            let small = translate(formula, &config).map_err(|e| e.to_string())?;
            let classical = small.degeneralise(&config).map_err(|e| e.to_string())?;
            let millis = started.elapsed().as_secs_f64() * 1e3;
            let (spin, lbt) = (spin(formula), lbt(formula));
            if let Answer::Size(states, _) = spin {
                sums[0] += classical.states();
                sums[1] += states;
                sums[2] += 1;
                if classical.states() > states {
                    larger.push(named.name.to_string());
                }
            }
            println!(
                "{:<34} {:>5} {:>4} {:>10} {:>11} {:>10} {:>10} {millis:>9.2}",
                named.name,
                formula.formulas.size(formula.root),
                small.sets(),
                format!("{}/{}", small.states(), small.edge_count()),
                format!("{}/{}", classical.states(), classical.edge_count()),
                spin.show(),
                lbt.show(),
            );
        }
        let [ours, theirs, count] = sums;
        println!("sum over the {count} formulas that spin answers: {ours} states, spin {theirs}");
    }
    if larger.is_empty() {
        println!("\nno automaton is larger than that of spin -f");
        Ok(())
    } else {
        Err(format!("larger than spin -f: {}", larger.join(", ")))
    }
}

fn family(file: &str) -> Result<Vec<ltl::Named>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../crates/models/recurva-logic/tests/families")
        .join(file);
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let source = Source::from_bytes(file, bytes).map_err(|error| error.to_string())?;
    let parsed = ltl::parse_file(&source);
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    parsed.formulas.ok_or_else(errors)
}

/// What another tool makes of a formula.
enum Answer {
    /// It is not installed.
    Missing,
    /// It does not know an operator.
    Unable,
    /// It takes too long.
    Slow,
    /// States and edges.
    Size(usize, usize),
}

impl Answer {
    fn show(&self) -> String {
        match self {
            Answer::Missing => "missing".to_owned(),
            Answer::Unable => "no X".to_owned(),
            Answer::Slow => format!("> {} s", PATIENCE.as_secs()),
            Answer::Size(states, edges) => format!("{states}/{edges}"),
        }
    }
}

fn spin(formula: &Formula) -> Answer {
    let has_next = |id: &FormulaId| formula.formulas.operator(*id) == Operator::Next;
    if formula
        .formulas
        .subformulas(formula.root)
        .iter()
        .any(has_next)
    {
        return Answer::Unable;
    }
    let mut command = Command::new("spin");
    let text = spell(&formula.formulas, formula.root, Spelling::Spin);
    command
        .arg("-f")
        .arg(text)
        .current_dir(std::env::temp_dir());
    match ask(command, "") {
        Err(answer) => answer,
        // `T0_init:` may be a second name of `accept_init:`.
        Ok(text) => {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let label = |line: &str| line.ends_with(':');
            let states = lines
                .windows(2)
                .filter(|pair| label(pair[0]) && !label(pair[1]))
                .count();
            let edges = lines.iter().filter(|line| line.starts_with("::")).count();
            Answer::Size(states, edges)
        }
    }
}

fn lbt(formula: &Formula) -> Answer {
    let text = spell(&formula.formulas, formula.root, Spelling::Lbt);
    match ask(Command::new("lbt"), &format!("{text}\n")) {
        Err(answer) => answer,
        Ok(text) => {
            let states = text.split_whitespace().next().and_then(|n| n.parse().ok());
            let ends = text.lines().filter(|line| line.trim() == "-1").count();
            let edges = text.lines().count().saturating_sub(1 + 2 * ends);
            states.map_or(Answer::Unable, |states| Answer::Size(states, edges))
        }
    }
}

fn ask(mut command: Command, input: &str) -> Result<String, Answer> {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.map_err(|_| Answer::Missing)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A tool that does not read its input says so by its answer.
        let _ = stdin.write_all(input.as_bytes());
    }
    let mut stdout = child.stdout.take().ok_or(Answer::Missing)?;
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let started = Instant::now();
    while let Ok(None) = child.try_wait() {
        if started.elapsed() > PATIENCE {
            // It is gone either way.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Answer::Slow);
        }
        thread::sleep(Duration::from_millis(1));
    }
    let text = reader.join().ok().and_then(Result::ok);
    text.ok_or(Answer::Missing)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Spin,
    Lbt,
}

/// A formula as another tool reads it. Neither has `W` and `M`.
fn spell(formulas: &Formulas, id: FormulaId, spelling: Spelling) -> String {
    use Operator::*;
    let parts: Vec<String> = formulas
        .parts(id)
        .iter()
        .map(|&part| spell(formulas, part, spelling))
        .collect();
    let two = |infix: &str, prefix: &str, left: &str, right: &str| match spelling {
        Spelling::Spin => format!("(({left}) {infix} ({right}))"),
        Spelling::Lbt => format!("{prefix} {left} {right}"),
    };
    let all = |infix: &str, prefix: &str| {
        let (last, others) = parts.split_last().map_or(("", &[][..]), |(l, o)| (&**l, o));
        let start = last.to_owned();
        let others = others.iter().rev();
        others.fold(start, |made, part| two(infix, prefix, part, &made))
    };
    let one = |spin: &str, lbt: &str| match spelling {
        Spelling::Spin => format!("{spin}({})", parts[0]),
        Spelling::Lbt => format!("{lbt} {}", parts[0]),
    };
    match formulas.operator(id) {
        True | False => {
            let value = formulas.operator(id) == True;
            let word = if value { "true" } else { "false" };
            match spelling {
                Spelling::Spin => word.to_owned(),
                Spelling::Lbt => word[..1].to_owned(),
            }
        }
        Atom(atom) => match spelling {
            Spelling::Spin => formulas.atoms()[atom.0 as usize].text.to_string(),
            Spelling::Lbt => format!("p{}", atom.0),
        },
        Not => one("!", "!"),
        And => all("&&", "&"),
        Or => all("||", "|"),
        Implies => all("->", "i"),
        Equivalent => all("<->", "e"),
        Xor => {
            let same = all("<->", "e");
            match spelling {
                Spelling::Spin => format!("!({same})"),
                Spelling::Lbt => format!("! {same}"),
            }
        }
        Next => one("X", "X"),
        Finally => one("<>", "F"),
        Globally => one("[]", "G"),
        Until => all("U", "U"),
        Release => all("V", "V"),
        WeakUntil => {
            let either = two("||", "|", &parts[0], &parts[1]);
            two("V", "V", &parts[1], &either)
        }
        StrongRelease => {
            let both = two("&&", "&", &parts[0], &parts[1]);
            two("U", "U", &parts[1], &both)
        }
        Along(..) => unreachable!("an operator of CaRet"),
    }
}
