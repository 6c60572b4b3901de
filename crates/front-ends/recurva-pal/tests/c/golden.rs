//! Eleven programs that BLAST instrumented with specifications of its own: ours make the same
//! steps with the same monitor states on the same random inputs.

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use crate::build::{Workshop, has_compiler, read};

/// Specification, program, and what BLAST made of them.
const PAIRS: [(&str, &str, &str); 11] = [
    (
        "ssh-simplified/monitor_1.spc",
        "s3_srvr.cil.c",
        "monitor_1.c",
    ),
    (
        "ssh-simplified/monitor_2.spc",
        "s3_srvr.cil.c",
        "monitor_2.c",
    ),
    (
        "ssh-simplified/monitor_3.spc",
        "s3_srvr.cil.c",
        "monitor_3.c",
    ),
    (
        "ssh-simplified/monitor_4.spc",
        "s3_srvr.cil.c",
        "monitor_4.c",
    ),
    (
        "ssh-simplified/monitor_5.spc",
        "s3_srvr.cil.c",
        "monitor_5.c",
    ),
    (
        "ssh-simplified/monitor_6.spc",
        "s3_srvr.cil.c",
        "monitor_6.c",
    ),
    (
        "ssh-simplified/monitor_8.spc",
        "s3_srvr.cil.c",
        "monitor_8.c",
    ),
    (
        "ssh-simplified/monitor_clnt_1.spc",
        "s3_clnt.cil.c",
        "monitor_clnt_1.c",
    ),
    ("token_ring/monitor.spc", "token_ring.02.cil.c", "monitor.c"),
    (
        "token_ring/monitor_3.spc",
        "token_ring.03.cil.c",
        "monitor_3.c",
    ),
    (
        "token_ring/monitor_4.spc",
        "token_ring.04.cil.c",
        "monitor_4.c",
    ),
];

/// Seeds for each pair.
const RUNS: u32 = 60;

/// Variables without a value are zero in both programs.
const OPTIONS: [&str; 5] = [
    "-w",
    "-O0",
    "-std=gnu89",
    "-ftrivial-auto-var-init=zero",
    "-c",
];

#[test]
fn same_steps_as_blast() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/pal");
    if !folder.is_dir() {
        eprintln!("{} is missing: not compared with BLAST", folder.display());
        return;
    }
    if !has_compiler() {
        return;
    }
    for (spec, program, blast) in PAIRS {
        compare(&folder.join(spec), program, blast);
    }
}

fn compare(spec: &Path, program: &str, blast: &str) {
    let workshop = Workshop::new();
    let folder = spec.parent().expect("a file in a folder");
    let copy = |name: &str| -> PathBuf {
        let text = fs::read(folder.join(name)).expect("a file of the folder");
        // An endless loop stands for an error: say so and end.
        let text = String::from_utf8_lossy(&text).replace("goto ERROR;", "harness_error();");
        workshop.write(name, &with_inputs(&text))
    };
    copy("include.h");
    let spec = copy(spec.file_name().and_then(|it| it.to_str()).expect("a name"));
    let (_, monitor) = read(&spec);
    let globals = monitor.globals.iter().flat_map(|it| &it.variables);
    let globals: Vec<_> = globals.map(|it| it.name.text.to_string()).collect();

    copy(blast);
    let program = copy(program).to_string_lossy().into_owned();
    let numbers = numbers(&fs::read_to_string(&program).expect("our copy"));
    let object = workshop.path("ours.o").to_string_lossy().into_owned();
    let mut arguments = OPTIONS.to_vec();
    arguments.extend([&*program, "-o", &object]);
    let matched = workshop.monitored(&spec, &arguments).expect("it compiles");
    let mut arguments = OPTIONS.to_vec();
    arguments.extend([blast, "-o", "blast.o"]);
    workshop.command("gcc", &arguments);

    workshop.write(
        "ours_harness.c",
        &harness(&workshop, "ours.o", "recurva_pal_v_", &globals, &numbers),
    );
    workshop.write(
        "blast_harness.c",
        &harness(&workshop, "blast.o", "", &globals, &numbers),
    );
    let run_time = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/recurva_pal.c");
    let run_time = run_time.to_string_lossy();
    workshop.command(
        "gcc",
        &["-w", "ours.o", "ours_harness.c", &run_time, "-o", "ours"],
    );
    workshop.command("gcc", &["-w", "blast.o", "blast_harness.c", "-o", "blast"]);
    let mut seen = BTreeSet::new();
    for seed in 0..RUNS {
        let seed = seed.to_string();
        let ours = workshop.run("ours", &[&seed], "abort");
        let theirs = workshop.run("blast", &[&seed], "abort");
        assert_eq!(ours, theirs, "{} with seed {seed}", spec.display());
        seen.extend(ours.out.lines().map(str::to_owned));
    }
    // Functions with monitor states: the inputs must lead somewhere.
    assert!(seen.len() > 5, "{}: {seen:?}", spec.display());
    assert!(matched.iter().all(|count| *count > 0), "{matched:?}");
}

/// Functions that the program calls and does not define, each of which says its name and what
/// the monitor's variables are, and returns a random number.
fn harness(
    workshop: &Workshop,
    object: &str,
    prefix: &str,
    globals: &[String],
    numbers: &str,
) -> String {
    let names = workshop.command("nm", &["-u", object]).out;
    let names = names.split_whitespace().filter(|name| *name != "U");
    let ours = [
        "printf",
        "harness_error",
        "harness_input",
        "exit",
        "_GLOBAL_OFFSET_TABLE_",
    ];
    let names = names.filter(|name| !ours.contains(name) && !name.starts_with("recurva_pal"));
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n");
    for global in globals {
        let _ = writeln!(text, "extern int {prefix}{global};");
    }
    let _ = writeln!(text, "static const int values[] = {{ {numbers} }};");
    text.push_str("static unsigned state;\nstatic int fuel = 400;\n");
    text.push_str("static void show(const char *name) {\n  printf(\"%s\", name);\n");
    for global in globals {
        let _ = writeln!(text, "  printf(\" %d\", {prefix}{global});");
    }
    text.push_str(
        "  printf(\"\\n\");\n}\n\
         static int pick(unsigned x) { return values[(x >> 16) % (sizeof values / sizeof *values)]; }\n\
         static int step(const char *name) {\n\
         \x20 show(name);\n  if (--fuel == 0) exit(0);\n\
         \x20 state = state * 1103515245u + 12345u;\n\
         \x20 return pick(state);\n}\n\
         int harness_input(const char *name) {\n  unsigned x = state;\n\
         \x20 while (*name) x = (x ^ *name++) * 16777619u;\n  return pick(x);\n}\n\
         void harness_error(void) { show(\"error\"); exit(1); }\n",
    );
    for name in names {
        let _ = writeln!(text, "int {name}() {{ return step(\"{name}\"); }}");
    }
    text.push_str(
        "int entry(void);\n\
         int main(int argc, char **argv) {\n  state = atoi(argv[1]);\n  entry();\n  show(\"end\");\n  return 0;\n}\n",
    );
    text
}

/// Variables that get no value are inputs: they get one that depends on their name.
fn with_inputs(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let declaration = line.trim_start_matches(['{', ' ']);
        let name = ["int ", "unsigned long ", "long "]
            .iter()
            .find_map(|ty| declaration.strip_prefix(ty)?.strip_suffix(" ;"));
        match name {
            Some(name) if line.starts_with([' ', '{']) && !name.contains([' ', '=']) => {
                let before = line.strip_suffix(" ;").unwrap_or(line);
                format!("{before} = harness_input(\"{name}\");\n")
            }
            _ => format!("{line}\n"),
        }
    });
    lines.collect()
}

/// The numbers of a program, and some small ones more often.
fn numbers(text: &str) -> String {
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    let numbers = words.filter(|word| word.parse::<i32>().is_ok());
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.extend(["-1", "0", "1", "0", "1", "2"]);
    // The client goes on only if `s__version - 65280 == 768`.
    numbers.extend(["66048"; 12]);
    numbers.join(", ")
}
