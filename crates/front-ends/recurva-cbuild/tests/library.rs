//! The models of the library do what the library does: on random inputs, compiled by the system's
//! compiler, and run by the interpreter.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use recurva_cir::interpret::Outcome;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The functions that are compared.
const NAMES: &str = "isdigit isupper islower isalpha isalnum isspace isblank iscntrl isprint isgraph \
     ispunct isxdigit toupper tolower memcmp memchr memrchr memccpy memmem bcopy bzero strlen strnlen \
     strcpy stpcpy strncpy stpncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr \
     strchrnul strrchr index rindex strstr strcasestr strspn strcspn strpbrk strtok strtok_r strsep \
     abs labs llabs div atoi atol atoll strtol strtoll strtoul strtoull ffs qsort bsearch strdup \
     strndup snprintf sprintf vsnprintf vsprintf __ctype_b_loc __ctype_toupper_loc __ctype_tolower_loc";

/// Functions of a model whose result is unknown.
const OUTPUT: &str = "printf fprintf dprintf vprintf vfprintf";

/// What has no meaning for a compiler.
const STUBS: &str = "
    int __VERIFIER_nondet_int(void) { return 1; }
    char __VERIFIER_nondet_char(void) { return 'x'; }
    void __VERIFIER_assume(int condition) { (void)condition; }
";

fn harness() -> PathBuf {
    Path::new(FOLDER).join("tests/library/harness.c")
}

/// A folder for what is compiled.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn compile(folder: &Path, arguments: &[String]) {
    let mut gcc = Command::new("gcc");
    let output = gcc
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("gcc runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

fn run(program: &Path) -> Vec<u8> {
    Command::new(program)
        .output()
        .expect("the program runs")
        .stdout
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|it| (*it).to_owned()).collect()
}

/// What the harness prints with the functions of the system.
fn expected(folder: &Path, options: &[&str]) -> Vec<u8> {
    let program = folder.join("system");
    let mut arguments = strings(&["-w", "-fno-builtin", "-o"]);
    arguments.push(program.to_string_lossy().into_owned());
    arguments.extend(strings(options));
    arguments.push(harness().to_string_lossy().into_owned());
    compile(folder, &arguments);
    run(&program)
}

/// The first line in which two texts differ.
fn first_difference(left: &[u8], right: &[u8]) -> Option<(String, String)> {
    let lines = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (left, right) = (lines(left), lines(right));
    let different = left.iter().zip(&right).find(|(left, right)| left != right);
    match different {
        Some((left, right)) => Some((left.clone(), right.clone())),
        None if left.len() != right.len() => {
            Some((left.len().to_string(), right.len().to_string()))
        }
        None => None,
    }
}

#[test]
fn compiled_models_are_the_library() {
    let folder = scratch("library-compiled");
    let options = ["-DROUNDS=3000", "-DPRINTING"];
    let expected = expected(&folder, &options);
    assert!(
        expected.len() > 1_000_000,
        "the harness prints what it does"
    );
    fs::write(folder.join("stubs.c"), STUBS).expect("a file can be written");
    let flags = strings(&["-w", "-std=gnu11", "-fno-builtin", "-c"]);
    let renamed = |names: &str| {
        let names = names.split_whitespace();
        names
            .map(|name| format!("-D{name}=model_{name}"))
            .collect::<Vec<_>>()
    };
    let own = [
        "ctype", "memory", "string", "search", "numbers", "sort", "allocate", "print",
    ];
    let mut models = flags.clone();
    models.extend(renamed(NAMES));
    models.extend(renamed(OUTPUT));
    models.extend(own.map(|name| format!("{FOLDER}/library/{name}.c")));
    models.push("stubs.c".into());
    compile(&folder, &models);
    // The harness prints with the system's functions.
    let mut calls = flags;
    calls.extend(strings(&options));
    calls.extend(renamed(NAMES));
    calls.push(harness().to_string_lossy().into_owned());
    compile(&folder, &calls);
    let mut link = strings(&["-o", "models", "harness.o", "stubs.o"]);
    link.extend(own.map(|name| format!("{name}.o")));
    compile(&folder, &link);
    assert_eq!(
        first_difference(&expected, &run(&folder.join("models"))),
        None
    );
}

#[test]
fn interpreted_models_are_the_library() {
    let folder = scratch("library-interpreted");
    let expected = expected(&folder, &["-DROUNDS=60"]);
    let source = fs::read_to_string(harness()).expect("the harness can be read");
    let source = format!("#define ROUNDS 60\n{source}");
    let text = common::preprocess_text("harness.c", &source);
    let built = common::build(text, &common::native()).expect("the harness can be built");
    let run = common::run(&built, 100_000_000).expect("the module is well formed");
    assert_eq!(first_difference(&expected, &run.output), None);
    assert_eq!(run.outcome, Outcome::Exited(0));
}
