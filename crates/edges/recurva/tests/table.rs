//! Every format, asked every kind of question by every command: each cell of the table is run, and
//! the table in ARCHITECTURE.md is what came out. `RECURVA_UPDATE=1` writes it there.
//!
//! A cell is an answer, or a refusal with the reason that the façade's table of senseless questions
//! has. Nothing else.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use recurva_check::{FORMATS, Format, QuestionKind, Sort, senseless};

/// How a label is written for `--reach`, in formulas about runs, and in formulas about branching;
/// and a procedure that is called more than once.
struct Names {
    label: &'static str,
    runs: &'static str,
    branching: &'static str,
    called: &'static str,
}

fn names(format: &Format) -> Names {
    let [label, runs, branching, called] = match format.extension {
        "bp" | "rem" | "c" | "i" | "yml" | "compile_commands.json" => ["L", "@L", "@L", "f"],
        "pds" => ["L", "L", "L2", "pds"],
        "nsm" => ["L", "L", "L", "called"],
        _ => ["L", "L", "L", "f"],
    };
    Names {
        label,
        runs,
        branching,
        called,
    }
}

fn sort(format: &Format) -> Sort {
    match format.extension {
        "bp" | "rem" => Sort::Program,
        "c" | "i" | "yml" | "compile_commands.json" => Sort::C,
        "rsm" | "nsm" => Sort::Machine,
        "pds" => Sort::Pushdown,
        "rmc" | "json" => Sort::System,
        other => panic!("{other} is new: say here what it is, and add tests/table/model.{other}"),
    }
}

/// The arguments that ask a question, with files that are made for it.
fn question(kind: QuestionKind, format: &Format, folder: &Path) -> Vec<String> {
    let Names {
        label,
        runs,
        branching,
        called,
    } = names(format);
    let file = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        vec!["--spec".to_owned(), path.display().to_string()]
    };
    let option = |name: &str, value: String| vec![name.to_owned(), value];
    match kind {
        QuestionKind::Own => Vec::new(),
        QuestionKind::Reach => option("--reach", label.to_owned()),
        QuestionKind::Repeat => option("--repeat", label.to_owned()),
        QuestionKind::Ltl => option("--ltl", format!("G !({runs})")),
        QuestionKind::Caret => option("--caret", format!("G !({runs})")),
        QuestionKind::Ntmu => option("--ntmu", format!("AG !{branching}")),
        QuestionKind::Monitor => file(
            "x.mon",
            format!("monitor m\n  init a\n  target b\n  a -> b when @{label}\n"),
        ),
        QuestionKind::Automaton => file(
            "x.hoa",
            format!(
                "HOA: v1\nname: \"x\"\nStates: 1\nStart: 0\nAP: 1 \"{runs}\"\n\
                 Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {{0}}\n[!0] 0\n--END--\n"
            ),
        ),
        QuestionKind::Tree => file(
            "x.nta",
            format!(
                "alternating\ninit a\n\
                 state a 0 = !{branching} & [loc] a & [call] a & [ret] a\n"
            ),
        ),
        QuestionKind::Pal => file(
            "x.pal",
            format!(
                "global int calls = 0;\nevent {{ pattern {{ {called}($?); }} \
                 guard {{ calls < 1 }} action {{ calls++; }} }}\n"
            ),
        ),
        QuestionKind::Task => file(
            "x.prp",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n".to_owned(),
        ),
    }
}

/// The commands that ask questions.
const COMMANDS: [&str; 5] = [
    "check",
    "check --save-trace, replay",
    "explore",
    "draw",
    "sarif",
];

fn recurva(arguments: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recurva"));
    command.args(arguments).output().expect("recurva runs")
}

/// What came of one cell: a verdict, or the reason of a refusal.
fn cell(command: &str, model: &Path, asked: &[String], folder: &Path) -> Result<i32, String> {
    let model = model.display().to_string();
    let with = |words: &[&str]| {
        let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        all.push(model.clone());
        all.extend(asked.iter().cloned());
        all.extend(["--timeout".to_owned(), "60s".to_owned()]);
        all
    };
    let trace = folder.join("x.trace.json").display().to_string();
    let page = folder.join("x.html").display().to_string();
    let picture = folder.join("x.svg").display().to_string();
    let output = match command {
        "check" => recurva(&with(&["check"])),
        "sarif" => recurva(&with(&["check", "--format", "sarif"])),
        "explore" => recurva(&with(&["explore", "--html", &page])),
        "draw" => recurva(&with(&["draw", "--counterexample", "-o", &picture])),
        _ => {
            let _ = fs::remove_file(&trace);
            let saved = recurva(&with(&["check", "--save-trace", &trace]));
            match saved.status.code() {
                Some(1) => recurva(&["replay".to_owned(), model.clone(), trace.clone()]),
                _ => saved,
            }
        }
    };
    match output.status.code() {
        Some(2) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Some(code) => Ok(code),
        None => panic!("{command} {model} {asked:?} was killed"),
    }
}

#[test]
fn every_cell() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = String::from("| format |");
    for kind in QuestionKind::ALL {
        table += &format!(" {} |", kind.option());
    }
    table += "\n|---|";
    table += &"---|".repeat(QuestionKind::ALL.len());
    table += "\n";
    let mut reasons: Vec<&str> = Vec::new();
    for format in FORMATS {
        let extension = format.extension;
        let model = here.join(format!("tests/table/model.{extension}"));
        table += &format!("| `{}` |", format.ending());
        for kind in QuestionKind::ALL {
            let asked = question(kind, format, folder.path());
            let refusal = senseless(sort(format), kind);
            for command in COMMANDS {
                let at = format!("{command} .{extension} {}", kind.option());
                let wanted = if command == "draw" { 0 } else { 1 };
                match (cell(command, &model, &asked, folder.path()), refusal) {
                    (Ok(code), None) if code == wanted => {}
                    (Err(said), Some(refusal)) => {
                        assert!(said.contains(refusal.reason), "{at}: {said}");
                        assert!(said.contains(refusal.instead), "{at}: {said}");
                    }
                    (Err(said), None) => panic!("{at}: refused, and not by the table: {said}"),
                    (Ok(code), None) => panic!("{at}: exit code {code}"),
                    (Ok(code), Some(_)) => panic!("{at}: answered with {code}"),
                }
            }
            table += &match refusal {
                None => " ✓ |".to_owned(),
                Some(refusal) => {
                    let known = reasons.iter().position(|reason| *reason == refusal.reason);
                    let number = known.unwrap_or_else(|| {
                        reasons.push(refusal.reason);
                        reasons.len() - 1
                    });
                    format!(" {} |", number + 1)
                }
            };
        }
        table += "\n";
    }
    table += "\n✓: answered by `check`, `check --save-trace` with `replay`, `explore`, \
              `draw --counterexample` and in SARIF.\n";
    for (number, reason) in reasons.iter().enumerate() {
        table += &format!("{}: refused, as {reason}.\n", number + 1);
    }
    compare(&here.join("../../../ARCHITECTURE.md"), &table);
}

/// The table stands between two marks.
fn compare(page: &PathBuf, table: &str) {
    let (begin, end) = ("<!-- table -->\n", "<!-- end of table -->");
    let text = fs::read_to_string(page).expect("the page");
    let start = text.find(begin).expect("a mark") + begin.len();
    let stop = text.find(end).expect("a mark");
    if std::env::var_os("RECURVA_UPDATE").is_some() {
        let text = format!("{}{table}{}", &text[..start], &text[stop..]);
        fs::write(page, text).expect("the page is written");
        return;
    }
    assert_eq!(
        &text[start..stop],
        table,
        "the table of ARCHITECTURE.md is not what was found: run with RECURVA_UPDATE=1"
    );
}
