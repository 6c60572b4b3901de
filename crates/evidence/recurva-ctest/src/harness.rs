//! The texts of a test case.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use crate::instrument::{Fault, Goal, REACHED, defines, instrument, returning};

/// The exit code of a program that has come to the goal.
pub const FAILED: i32 = 87;

/// The exit code of a program that asked for another value than the run has next.
pub const STRAYED: i32 = 88;

/// How often the values of a run that never ends are repeated.
pub const ROUNDS: u32 = 1000;

/// The function of values that say whether there is memory: 0 where an allocation fails.
pub const MALLOC: &str = "malloc";

/// What allocates memory, with its parameters and how they are passed on.
const ALLOCATORS: [(&str, &str, &str); 3] = [
    (MALLOC, "unsigned long size", "size"),
    (
        "calloc",
        "unsigned long count, unsigned long size",
        "count, size",
    ),
    ("realloc", "void *old, unsigned long size", "old, size"),
];

/// A value that the run gives to the program: what a function without a body returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The function.
    pub function: String,
    /// The value.
    pub kind: ValueKind,
}

/// A value of some type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    /// An integer of at most 64 bits, extended by its sign; a pointer that is null.
    Int(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
}

/// A unit of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The name of its file.
    pub name: String,
    /// Its text after preprocessing.
    pub text: Vec<u8>,
    /// Options of the compiler.
    pub options: Vec<String>,
}

/// A run of a program that is to be executed.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The program.
    pub units: Vec<Unit>,
    /// The values it asks for, in order.
    pub values: Vec<Value>,
    /// Variables that are defined nowhere, with the bytes they begin with.
    pub variables: Vec<(String, Vec<u8>)>,
    /// Functions that are nowhere and that the run does not call: the linker wants them. Whoever
    /// executes the case finds out which.
    pub absent: Vec<String>,
    /// What it must come to.
    pub goal: Goal,
    /// How the run begins, if not with `main`.
    pub start: Option<Start>,
    /// What `main` is given, its own name first; nothing if that does not matter.
    pub arguments: Vec<Vec<u8>>,
    /// Further files that the units need: sources of C, and headers.
    pub support: Vec<(PathBuf, Vec<u8>)>,
}

/// How a run begins that does not begin with `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The function.
    pub function: String,
    /// Statements of C that call it. They stand in a function of their own at the end of its unit, so
    /// that they see its types.
    pub text: String,
}

/// The files of a test case: names and texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The units and the harness, in the order in which they are compiled, and headers, which are not.
    pub sources: Vec<(PathBuf, Vec<u8>)>,
    /// What compiles and runs them.
    pub makefile: String,
    /// Options of the compiler.
    pub options: Vec<String>,
}

impl TestCase {
    /// The files.
    pub fn files(&self) -> Files {
        let mut sources = Vec::new();
        let mut is_defined = false;
        for (number, unit) in self.units.iter().enumerate() {
            let text = instrument(&unit.text, &self.goal);
            is_defined |= text.is_some();
            let mut text = text.unwrap_or_else(|| unit.text.clone());
            returning(&mut text, &|name| self.gives(name));
            if let Some(start) = &self.start
                && defines(&unit.text, &start.function)
            {
                text.extend_from_slice(beginning(start).as_bytes());
            }
            sources.push((PathBuf::from(format!("unit{}.i", number + 1)), text));
        }
        let harness = self.harness(is_defined);
        sources.push((PathBuf::from("harness.c"), harness.into_bytes()));
        sources.extend(self.support.iter().cloned());
        let options = self.options();
        Files {
            makefile: makefile(&sources, &options, self),
            sources,
            options,
        }
    }

    /// Whether the harness has a function.
    fn gives(&self, name: &str) -> bool {
        self.values.iter().any(|it| it.function == name) || self.absent.iter().any(|it| it == name)
    }

    /// The options of the compiler that matter behind the preprocessor, and the sanitizers.
    fn options(&self) -> Vec<String> {
        let given = self.units.iter().flat_map(|unit| &unit.options);
        let machine = given.filter(|it| it.starts_with("-m") || it.starts_with("-std="));
        let mut options: Vec<String> = machine.cloned().collect();
        options.dedup();
        let fixed = ["-w", "-g", "-O0", "-fwrapv", "-fno-builtin"];
        options.extend(fixed.map(str::to_owned));
        if self.values.iter().any(|value| value.function == MALLOC) {
            options.extend(ALLOCATORS.map(|(name, ..)| format!("-Wl,--wrap={name}")));
        }
        if let Goal::Undefined(fault) = self.goal {
            if fault == Fault::Arithmetic {
                options.retain(|it| it != "-fwrapv");
            }
            options.push(format!("-fsanitize={}", fault.sanitizers()));
            options.push("-fno-sanitize-recover=all".to_owned());
        }
        options
    }

    /// The text of the harness. It includes nothing, so that nothing it declares can be at odds with
    /// the system's headers.
    fn harness(&self, is_defined: bool) -> String {
        let mut out = String::from(
            "/* Gives the program the values of one run, and tells by its exit code whether what that\n   \
             run shows is reached. */\n\
             extern void _exit(int);\n\
             extern long write(int, const void *, unsigned long);\n\n\
             static void say(const char *text) {\n  \
             unsigned long length = 0;\n  while (text[length]) length++;\n  write(2, text, length);\n}\n\n",
        );
        let _ = writeln!(
            out,
            "void {REACHED}(void) {{\n  say(\"recurva: reached\\n\");\n  _exit({FAILED});\n}}\n"
        );
        match &self.goal {
            Goal::Assertion => {
                let _ = writeln!(out, "void __assert_fail() {{ {REACHED}(); }}\n");
            }
            Goal::Abort => {
                let _ = writeln!(out, "void abort() {{ {REACHED}(); }}\n");
            }
            Goal::Guard {
                event,
                moment,
                place,
            } => out.push_str(&guard(event, &format!("{moment}\n{place}\n"))),
            Goal::Action { file, lines } => out.push_str(&action(file, *lines)),
            Goal::Call(name) if !is_defined => {
                let _ = writeln!(out, "void {name}() {{ {REACHED}(); }}\n");
            }
            Goal::End => {
                let _ = writeln!(
                    out,
                    "__attribute__((destructor)) static void at_the_end(void) {{ {REACHED}(); }}\n\
                     void abort() {{ {REACHED}(); }}\n"
                );
            }
            Goal::Never { turn, .. } if *turn == self.values.len() => out.push_str(&alarm()),
            _ => {}
        }
        self.values(&mut out);
        for (name, bytes) in &self.variables {
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let _ = writeln!(
                out,
                "__attribute__((aligned(16))) unsigned char {name}[] = {{ {} }};",
                bytes.join(", ")
            );
        }
        // The run begins before `main` would, but there must be one.
        if self.start.is_some() && !self.units.iter().any(|unit| defines(&unit.text, "main")) {
            out.push_str("int main(void) { return 0; }\n");
        }
        out
    }

    /// The functions that give values.
    ///
    /// Every integer is returned as the widest one: whoever expects less looks at its lower part.
    fn values(&self, out: &mut String) {
        let mut names: Vec<&str> = Vec::new();
        for value in &self.values {
            if !names.contains(&&*value.function) {
                names.push(&value.function);
            }
        }
        let _ = writeln!(
            out,
            "/* Which function is asked for which value, in the order of the run. */\n\
             struct value {{ int function; long long integer; double number; }};\n\
             static const struct value values[] = {{"
        );
        for value in &self.values {
            let number = names.iter().position(|it| **it == *value.function);
            let number = number.unwrap_or_default();
            let (integer, float) = match value.kind {
                ValueKind::Int(integer) => (integer, 0.0),
                ValueKind::Float(float) => (0, f64::from(float)),
                ValueKind::Double(float) => (0, float),
            };
            // The smallest number has no literal of its own.
            let integer = match integer {
                i64::MIN => "-9223372036854775807LL - 1".to_owned(),
                _ => format!("{integer}LL"),
            };
            let _ = writeln!(out, "  {{ {number}, {integer}, {} }},", literal(float));
        }
        let again = match self.goal {
            Goal::Never { turn, .. } if turn < self.values.len() => format!(
                "  static unsigned rounds;\n  if (values[next].function == -1) {{\n    \
                 if (++rounds == {ROUNDS}) {REACHED}();\n    next = {turn};\n  }}\n"
            ),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "  {{ -1, 0, 0 }}\n}};\nstatic unsigned long next;\n\n\
             static const struct value *take(int function) {{\n{again}  \
             if (values[next].function != function) {{\n    \
             say(\"recurva: another value is asked for than the run has\\n\");\n    _exit({STRAYED});\n  }}\n  \
             return &values[next++];\n}}\n"
        );
        for (number, name) in names.iter().enumerate() {
            let kind = self.values.iter().find(|it| it.function == **name);
            let (ty, field) = match kind.map(|it| it.kind) {
                Some(ValueKind::Float(_)) => ("float", "number"),
                Some(ValueKind::Double(_)) => ("double", "number"),
                _ => ("long long", "integer"),
            };
            if *name == MALLOC {
                allocators(out, number);
                continue;
            }
            let _ = writeln!(out, "{ty} {name}() {{ return take({number})->{field}; }}");
        }
        for name in &self.absent {
            // What is assumed holds in the run; all else that has no body is not called in it.
            let _ = match &**name {
                "__VERIFIER_assume" => {
                    writeln!(out, "void {name}(int holds) {{ if (!holds) take(-2); }}")
                }
                _ => writeln!(out, "void {name}() {{ take(-2); }}"),
            };
        }
    }
}

/// Allocations that fail where the run says so. The linker leads the program's calls to them.
fn allocators(out: &mut String, number: usize) {
    for (name, parameters, passed) in ALLOCATORS {
        let _ = writeln!(
            out,
            "extern void *__real_{name}({parameters});\nvoid *__wrap_{name}({parameters}) {{\n  \
             return take({number})->integer ? __real_{name}({passed}) : (void *)0;\n}}"
        );
    }
}

/// What ends a program that asks for nothing once it has run for a second. 14 is `SIGALRM`.
fn alarm() -> String {
    format!(
        "extern void (*signal(int, void (*)(int)))(int);\nextern unsigned alarm(unsigned);\n\
         static void is_running(int number) {{ (void)number; {REACHED}(); }}\n\
         __attribute__((constructor)) static void begin(void) {{ signal(14, is_running); alarm(1); }}\n\n"
    )
}

/// The declaration of what the run-time of monitors tells, and how texts are compared.
fn report() -> String {
    "struct recurva_pal_report { const char *site; const char *guard; };\n\n\
     static int begins(const char *text, const char *with) {\n  \
     while (*with && *text == *with) text++, with++;\n  return !*with;\n}\n\n"
        .to_owned()
}

/// What ends the program where another guard fails than the one of the run.
fn strayed() -> String {
    format!("  say(\"recurva: another guard does not hold\\n\");\n  _exit({STRAYED});\n}}\n\n")
}

/// What is told of every guard that does not hold.
fn guard(event: &str, guard: &str) -> String {
    let (event, guard) = (quoted(&format!("{event}\n")), quoted(guard));
    format!(
        "{}void recurva_pal_on_violation(const struct recurva_pal_report *report) {{\n  \
         if (begins(report->site, {event}) && begins(report->guard, {guard})) {REACHED}();\n{}",
        report(),
        strayed()
    )
}

/// What is called where an assertion fails.
fn action(file: &str, (first, last): (u32, u32)) -> String {
    let file = quoted(file);
    format!(
        "{}void recurva_pal_on_violation(const struct recurva_pal_report *report) {{\n{}\
         void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {{\n  \
         if (begins(file, {file}) && line >= {first} && line <= {last}) {REACHED}();\n{}\
         void abort() {{ {REACHED}(); }}\n\n",
        report(),
        strayed(),
        strayed()
    )
}

/// A text as C writes it in quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

/// A number as C writes it, exactly.
fn literal(value: f64) -> String {
    if value.is_nan() {
        return "__builtin_nan(\"\")".to_owned();
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}__builtin_inf()");
    }
    // Rust prints as many digits as are needed to read the same number again.
    format!("{value:?}")
}

/// A function at the end of a unit that is called before `main`, so that it does not matter whether
/// there is one.
fn beginning(start: &Start) -> String {
    let declared = "extern void exit(int);";
    let text = &start.text;
    format!(
        "\n__attribute__((constructor)) static void recurva_start(void) {{\n{text}  {{ {declared} exit(0); }}\n}}\n"
    )
}

/// A word for the shell that a makefile calls.
fn word(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let quoted = match bytes.iter().all(is_plain) {
        true => String::from_utf8_lossy(bytes).replace('\'', "'\\''"),
        false => {
            let octal: String = bytes.iter().map(|it| format!("\\{it:03o}")).collect();
            return format!("\"$$(printf '{octal}')\"");
        }
    };
    format!("'{}'", quoted.replace('$', "$$"))
}

/// Whether a file is a source: headers are only read.
pub(crate) fn is_compiled(name: &Path) -> bool {
    name.extension().is_none_or(|it| it != "h")
}

fn makefile(sources: &[(PathBuf, Vec<u8>)], options: &[String], case: &TestCase) -> String {
    let goal = &case.goal;
    let arguments: String = (case.arguments.iter().skip(1))
        .map(|it| format!(" {}", word(it)))
        .collect();
    let names: Vec<String> = (sources.iter())
        .filter(|(name, _)| is_compiled(name))
        .map(|(name, _)| name.display().to_string())
        .collect();
    let names = names.join(" ");
    let sanitizers = match goal {
        Goal::Undefined(_) => ["ASAN", "LSAN", "UBSAN"]
            .map(|it| format!("{it}_OPTIONS=exitcode={FAILED} "))
            .concat(),
        _ => String::new(),
    };
    // A stack that overflows is the end of a recursion without one: 139 is what a shell calls it.
    let (codes, test) = match goal {
        Goal::Never { diverges: true, .. } => (
            format!("{FAILED} or 139: the program goes on"),
            format!("code=$$?; test $$code -eq {FAILED} -o $$code -eq 139"),
        ),
        _ => (
            format!("{FAILED}: the program fails"),
            format!("test $$? -eq {FAILED}"),
        ),
    };
    format!(
        "# Exit code {codes} as the run shows.\n\
         CC ?= cc\nCFLAGS = {}\n\nrun: program\n\t{sanitizers}./program{arguments}; {test}\n\n\
         program: {names}\n\t$(CC) $(CFLAGS) -o program {names}\n\n\
         clean:\n\trm -f program\n\n.PHONY: run clean\n",
        options.join(" ")
    )
}
