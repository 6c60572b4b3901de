//! Every command, in every phase that may take long, under a time limit, a memory limit, signals,
//! a small address space, a closed pipe and a full disk: the right exit code, in time, and nothing
//! half written or left behind.
#![cfg(target_os = "linux")]

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A command that would go on for long.
struct Case {
    /// The command and the phase that takes long.
    name: &'static str,
    arguments: Vec<String>,
    /// What it would write; `None` if nothing.
    writes: Option<PathBuf>,
    /// What may come out before a limit is hit, besides the answer that one was.
    may_end: &'static [i32],
}

/// The limit on time.
const LIMIT: f64 = 0.4;

/// More processor time than twice the limit and a bit is not used.
const MOST: f64 = 2.0 * LIMIT + 0.2;

/// What came out.
struct Ended {
    code: Option<i32>,
    /// Processor time in seconds.
    used: f64,
    said: String,
}

/// Runs a command in a shell that keeps the time, in a folder of its own.
fn run(prefix: &str, arguments: &[String], suffix: &str) -> Ended {
    let script = format!("{prefix} TIMEFORMAT='%U %S'; time \"$@\" {suffix}");
    let output = Command::new("bash")
        .args(["-c", &script, "bash", env!("CARGO_BIN_EXE_recurva")])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let times = said.trim_end().lines().next_back().unwrap_or_default();
    let used = times.split(' ').filter_map(|it| it.parse::<f64>().ok());
    Ended {
        code: output.status.code(),
        used: used.sum(),
        said: format!("{}{said}", String::from_utf8_lossy(&output.stdout)),
    }
}

/// A program with much text.
fn long_program(statements: usize) -> String {
    let mut text = String::from("decl a, b, c, d;\n");
    for procedure in 0..statements / 1000 {
        let _ = writeln!(text, "void p{procedure}() begin decl x, y;");
        for _ in 0..250 {
            text +=
                "  if (a & x | b) then y := !x; else skip; fi\n  x, a := y, *;\n  c := a ^ d;\n";
        }
        text += "end\n";
    }
    text += "void main() begin\n";
    for procedure in 0..statements / 1000 {
        let _ = writeln!(text, "  p{procedure}();");
    }
    text + "  assert(!a | b);\nend\n"
}

/// The resource-constrained paper's flip: a violation with a long trace.
fn flip(n: u64) -> String {
    format!(
        "decl g;\nvoid flip(int(20) n) begin\n  if (n > 0) then flip(n - 1); flip(n - 1); fi\n  \
         g := !g;\nend\nvoid main() begin\n  while (T) do\n    flip({n}); flip({n});\n    \
         if (!g) then reach: skip; fi\n  od\nend\n"
    )
}

/// A graph with many paths.
fn graph(nodes: u64) -> String {
    let mut text = String::new();
    let mut state = 1u64;
    for _ in 0..nodes * 4 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (from, to) = ((state >> 33) % nodes, (state >> 13) % nodes);
        let label = if state >> 40 & 1 == 0 { "a" } else { "b" };
        let _ = writeln!(text, "{from} {to} {label}");
    }
    text
}

/// A C program with much text.
fn long_c(functions: usize) -> String {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nstatic int a, b, c;\n");
    for function in 0..functions {
        let _ = writeln!(text, "static int f{function}(int x) {{");
        for _ in 0..40 {
            text += "  if (x > a) { b = x; } else { c = a + 1; }\n  a = b ^ c;\n";
        }
        text += "  return a;\n}\n";
    }
    text += "int main(void) {\n";
    for function in 0..functions {
        let _ = writeln!(text, "  f{function}(__VERIFIER_nondet_int());");
    }
    text + "  return a;\n}\n"
}

/// A C program with many states.
const ENDLESS_C: &str = "int main(void) {\n  unsigned x = 1, y = 0;\n  for (;;) {\n    \
    x = x * 1664525u + 1013904223u;\n    y ^= x;\n    if (x == y && x == 12345u) { FOUND:; }\n  }\n}\n";

/// A C program whose violation is found at once, and takes long to execute.
const SLOW_C: &str = "#include <assert.h>\nstatic unsigned f(unsigned n) {\n  \
    if (n == 0) return 1;\n  return f(n - 1) + f(n - 1);\n}\n\
    int main(void) {\n  assert(f(21) == 0);\n}\n";

/// Counters whose words are long.
const COUNTERS: &str = "system counters\ncontrol { state : s }\ncounter a, b, c, d, e, f\n\
    initial s\nrule up : when s do a := a + 1, b := b + 1, c := c + 1, d := d + 1\n\
    rule down : when s if a > b do e := e + 1, f := f + 1\n\
    bad more : when s if a > b + 1\n";

/// Writes the inputs; all commands that may take long.
fn cases(folder: &Path) -> Vec<Case> {
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let long = file("long.bp", &long_program(120_000));
    let drawn = file("drawn.bp", &long_program(15_000));
    let endless = file(
        "endless.bp",
        &fs::read_to_string("tests/cmd/input/endless.bp").expect("the model"),
    );
    let flip = file("flip.bp", &flip(30_000));
    let counters = file("counters.rmc", COUNTERS);
    let long_c = file("long.c", &long_c(600));
    let endless_c = file("endless.c", ENDLESS_C);
    let slow_c = file("slow.c", SLOW_C);
    let graph = file("graph.g", &graph(4_000));
    let grammar = file("s.ebnf", "S = a S b | a b | S S;\n");
    let tree = file(
        "x.nta",
        "alternating\ninit a\nstate a 0 = [loc] a & [call] a & [ret] a\n",
    );
    let deep: String = (0..14)
        .map(|at| format!("(G F p{at} -> G F q{at}) & "))
        .collect();
    let words =
        |words: &[&str]| -> Vec<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    let out = |name: &str| folder.join("out").join(name).display().to_string();
    let case = |name, arguments: &[&str], may_end| Case {
        name,
        arguments: words(arguments),
        writes: None,
        may_end,
    };
    // The last argument is the file.
    let writing = |name, arguments: &[&str], file: &str| {
        let path = out(file);
        let mut arguments: Vec<String> = words(arguments);
        arguments.push(path.clone());
        Case {
            name,
            arguments,
            writes: Some(PathBuf::from(path)),
            may_end: &[0],
        }
    };
    let infinite = ["--ltl", "G F @reach", "--stack", "finite"];
    vec![
        case(
            "check, reading",
            &["check", &long, "--threads", "1"],
            &[0, 1],
        ),
        case("check, compiling a system", &["check", &counters], &[0, 1]),
        case(
            "check, searching",
            &["check", &endless, "--threads", "1"],
            &[],
        ),
        case(
            "check, decision diagrams",
            &["check", &endless, "--engine", "symbolic"],
            &[0, 1],
        ),
        case(
            "check, building a trace",
            &[&["check", flip.as_str(), "--threads", "1"][..], &infinite].concat(),
            &[1],
        ),
        case(
            "check, branching time",
            &["check", &endless, "--ntmu", "AG !failed", "--threads", "1"],
            &[],
        ),
        case("check, reading C", &["check", &long_c], &[0, 1]),
        case(
            "check, making C ready for a formula",
            &["check", &long_c, "--ltl", "G F a"],
            &[0, 1],
        ),
        case(
            "check, searching C",
            &["check", &endless_c, "--reach", "FOUND", "--threads", "1"],
            &[],
        ),
        case("check, executing C", &["check", &slow_c], &[1]),
        case("check, trees", &["check", &endless, "--spec", &tree], &[]),
        case(
            "reach, solving",
            &["reach", &graph, "--grammar", &grammar, "--threads", "1"],
            &[0],
        ),
        case("analyze", &["analyze", &long, "--live"], &[0]),
        writing(
            "explore, searching",
            &["explore", &endless, "--threads", "1", "--html"],
            "x.html",
        ),
        writing("draw, placing", &["draw", &drawn, "-o"], "x.svg"),
        writing("convert, all states", &["convert", &endless], "x.nsm"),
        writing(
            "convert, a formula",
            &["convert", &format!("ltl:{deep}p")],
            "x.hoa",
        ),
    ]
}

/// Nothing is left behind but whole files.
fn tidy(case: &Case, folder: &Path, ended: &Ended, how: &str) {
    let at = format!("{}, {how}: {}", case.name, ended.said);
    for word in ["panicked", "internal error", "memory allocation of"] {
        assert!(!ended.said.contains(word), "{at}");
    }
    let left = fs::read_dir(folder.join("out")).expect("the folder");
    for entry in left {
        let path = entry.expect("an entry").path();
        // A page that says which limit was hit is a whole one.
        let text = fs::read_to_string(&path).expect("a text");
        let is_page = text.trim_end().ends_with("</html>");
        let whole = Some(&path) == case.writes.as_ref() && (ended.code == Some(0) || is_page);
        assert!(whole, "{}, {how}: {} is left", case.name, path.display());
        fs::remove_file(path).expect("it can be removed");
    }
}

fn with(case: &Case, more: &[&str]) -> Vec<String> {
    let mut arguments = case.arguments.clone();
    arguments.extend(more.iter().map(|word| (*word).to_owned()));
    arguments
}

fn expect(case: &Case, ended: &Ended, wanted: &[i32], how: &str) {
    let fits = |code: i32| wanted.contains(&code) || case.may_end.contains(&code);
    assert!(
        ended.code.is_some_and(fits),
        "{}, {how}: exit code {:?}: {}",
        case.name,
        ended.code,
        ended.said
    );
}

fn in_folder(test: impl Fn(&Case, &Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("out")).expect("a folder");
    for case in cases(folder.path()) {
        test(&case, folder.path());
    }
}

#[test]
fn a_time_limit() {
    in_folder(|case, folder| {
        let limit = format!("{LIMIT}s");
        let ended = run("", &with(case, &["--timeout", &limit]), "");
        // A violation whose trace was not finished is one.
        let wanted: &[i32] = if case.may_end == [1] { &[1, 3] } else { &[3] };
        expect(case, &ended, wanted, "time");
        let (name, used) = (case.name, ended.used);
        assert!(used <= MOST, "{name} used {used} s: {}", ended.said);
        tidy(case, folder, &ended, "time");
    });
}

#[test]
fn a_memory_limit() {
    in_folder(|case, folder| {
        let limits = ["--memory", "24MiB", "--timeout", "20s"];
        let ended = run("", &with(case, &limits), "");
        expect(case, &ended, &[3], "memory");
        tidy(case, folder, &ended, "memory");
    });
}

#[test]
fn a_small_address_space() {
    in_folder(|case, folder| {
        let ended = run("ulimit -v 300000;", &with(case, &["--timeout", "3s"]), "");
        expect(case, &ended, &[3], "ulimit -v");
        tidy(case, folder, &ended, "ulimit -v");
    });
}

#[test]
fn signals() {
    in_folder(|case, folder| {
        for signal in ["-INT", "-TERM"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_recurva"));
            command.args(&case.arguments).stdin(Stdio::null());
            let child = command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let child = child.expect("recurva starts");
            thread::sleep(Duration::from_secs_f64(LIMIT));
            let id = child.id().to_string();
            // It may have ended already.
            let _ = Command::new("kill").args([signal, &id]).status();
            let output = child.wait_with_output().expect("it ends");
            let said = [output.stdout, output.stderr].concat();
            let ended = Ended {
                code: output.status.code(),
                used: 0.0,
                said: String::from_utf8_lossy(&said).into_owned(),
            };
            expect(case, &ended, &[130], signal);
            tidy(case, folder, &ended, signal);
        }
    });
}

/// A compiler that does not come to an end is ended, and nothing of it is left.
#[test]
fn a_compiler_that_takes_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let compiler = folder.path().join("cc");
    let mark = folder.path().join("pid");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 'cc 1.0'; exit 0; }}\n\
         echo $$ > {}\nexec sleep 100\n",
        mark.display()
    );
    fs::write(&compiler, script).expect("a file");
    let executable = Command::new("chmod").arg("+x").arg(&compiler).status();
    assert!(executable.expect("chmod runs").success());
    let model = folder.path().join("x.c");
    fs::write(&model, "int main(void) { return 0; }\n").expect("a file");
    let begin = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_recurva"))
        .arg("check")
        .arg(&model)
        .args(["--timeout", "400ms"])
        .env("RECURVA_CC", &compiler)
        .output()
        .expect("recurva runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{said}");
    let process = fs::read_to_string(mark).expect("the compiler was started");
    let left = Path::new("/proc").join(process.trim());
    assert!(!left.exists(), "the compiler is still there");
}

#[test]
fn a_closed_pipe_and_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("out")).expect("a folder");
    let model = "../../../examples/vera_fig1.bp";
    let trace = folder.path().join("x.trace.json").display().to_string();
    let saved = ["check", model, "--reach", "HIT", "--save-trace", &trace];
    let commands: [(&[&str], i32); 7] = [
        (&["check", model, "--reach", "HIT"], 1),
        (&saved, 1),
        (&["replay", model, &trace], 1),
        (&["draw", model], 0),
        (&["analyze", model, "--live"], 0),
        (&["convert", "ltl:G F a", "-"], 0),
        (&["explore", model, "--html", "-"], 0),
    ];
    for (command, code) in commands {
        let arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        let closed = run("", &arguments, "| true; exit ${PIPESTATUS[0]}");
        assert_eq!(closed.code, Some(code), "{command:?}: {}", closed.said);
        let full = run("", &arguments, "> /dev/full");
        assert_eq!(full.code, Some(2), "{command:?}: {}", full.said);
        assert!(!full.said.contains("panicked"), "{}", full.said);
    }
    for (command, option) in [
        (&["draw", model, "--format", "svg"][..], "-o"),
        (&["explore", model][..], "--html"),
        (&["check", model, "--reach", "HIT"][..], "--save-trace"),
    ] {
        let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend([option.to_owned(), "/dev/full".to_owned()]);
        let full = run("", &arguments, "");
        assert_eq!(full.code, Some(2), "{command:?}: {}", full.said);
    }
}
