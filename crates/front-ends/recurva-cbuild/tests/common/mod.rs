//! What the tests share: programs are preprocessed by the system's compiler, built, and run.
#![allow(dead_code)]

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use recurva_cbuild::{Arguments, BuildOptions, Built, Externals, Library, read};
use recurva_cir::{
    SourceText,
    interpret::{Machine, Native, Options, Outcome},
    validate,
};
use recurva_ctype::Target;

/// The folder of programs that are not part of the project, if it is there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench");
    let path = root.join(path);
    path.is_dir().then_some(path)
}

/// Options for programs that are run as the system's compiler runs them.
pub(crate) fn native() -> BuildOptions {
    BuildOptions {
        externals: Externals::Called,
        library: Library::Computing,
        arguments: Arguments::Fixed(vec!["program".into()]),
        ..BuildOptions::default()
    }
}

/// A text as it is after preprocessing.
pub(crate) fn text(name: &str, text: impl Into<Vec<u8>>) -> SourceText {
    SourceText {
        name: name.into(),
        text: text.into(),
        is_library: false,
    }
}

/// Preprocesses a file with options of the compiler.
pub(crate) fn preprocess_for(path: &Path, options: &[&str]) -> SourceText {
    let mut gcc = Command::new("gcc");
    let output = gcc
        .args(["-E", "-w"])
        .args(options)
        .arg(path)
        .output()
        .expect("gcc runs");
    text(&path.to_string_lossy(), output.stdout)
}

/// Preprocesses a text.
pub(crate) fn preprocess_text(name: &str, source: &str) -> SourceText {
    let mut child = Command::new("gcc")
        .args(["-E", "-w", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gcc runs");
    let mut stdin = child.stdin.take().expect("it was piped");
    stdin.write_all(source.as_bytes()).expect("gcc reads");
    drop(stdin);
    let output = child.wait_with_output().expect("gcc ends");
    text(name, output.stdout)
}

/// Builds a program for x86-64.
pub(crate) fn build(text: SourceText, options: &BuildOptions) -> Result<Built, String> {
    Model::Lp64.build(text, options)
}

/// What `long` and pointers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// 64 bits.
    Lp64,
    /// 32 bits.
    Ilp32,
}

impl Model {
    pub(crate) fn target(self) -> Target {
        match self {
            Model::Lp64 => Target::lp64(),
            Model::Ilp32 => Target::ilp32(),
        }
    }

    /// What the compiler is told. Numbers of 32-bit programs are computed as those of others.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Model::Lp64 => &["-m64"],
            Model::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        }
    }

    pub(crate) fn preprocess(self, path: &Path) -> SourceText {
        preprocess_for(path, self.flags())
    }

    /// Builds a program.
    pub(crate) fn build(self, text: SourceText, options: &BuildOptions) -> Result<Built, String> {
        let shown = String::from_utf8_lossy(&text.text).into_owned();
        let built = read(vec![text], self.target(), options);
        built.map_err(|errors| {
            let first = errors.iter().flat_map(|(_, list)| list.iter()).next();
            first.map_or("no message".into(), |error| {
                let start = error.primary().span.start as usize;
                let line = shown[..start.min(shown.len())].lines().count();
                format!("{} (line {line} of the text)", error.message())
            })
        })
    }

    /// Whether programs for it can be compiled here.
    pub(crate) fn has_compiler(self) -> bool {
        let program = Folder::new(&format!("probe-{self:?}"));
        let source = program.0.join("probe.c");
        fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }")
            .expect("it is written");
        self.passes_compiled(&source)
    }

    /// Whether the compiler's own program ends with 0.
    pub(crate) fn passes_compiled(self, source: &Path) -> bool {
        let folder = Folder::new(&format!("compiled-{self:?}"));
        let program = folder.0.join("program");
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O0"]).args(self.flags());
        gcc.arg(source).arg("-o").arg(&program).arg("-lm");
        let is_compiled = gcc.output().is_ok_and(|it| it.status.success());
        let run = || Command::new("timeout").arg("10").arg(&program).output();
        is_compiled && run().is_ok_and(|it| it.status.success())
    }
}

/// A folder for files, which goes when it is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("recurva-{}-{number}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is the system's to clean up.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a run ended, and what it printed.
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    pub(crate) output: Vec<u8>,
}

/// Runs a program like a compiled one.
pub(crate) fn run(built: &Built, steps: u64) -> Result<Run, String> {
    if let Err(malformed) = validate(&built.module) {
        return Err(format!("malformed: {malformed:?}"));
    }
    let mut world = Native::new();
    let options = Options {
        steps,
        ..Options::default()
    };
    let outcome = Machine::new(&built.module, &mut world, options).run();
    Ok(Run {
        outcome,
        output: world.output,
    })
}

/// What the compiler's program prints.
pub(crate) fn compiled(
    source: &Path,
    model: Model,
    flags: &[&str],
    seconds: &str,
) -> Result<Vec<u8>, String> {
    let program = source.with_extension("program");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv"]).args(model.flags());
    gcc.args(flags).arg(source).arg("-o").arg(&program);
    let output = gcc.output().map_err(|cause| cause.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut run = Command::new("timeout");
    let output = run.arg(seconds).arg(&program).output();
    let output = output.map_err(|cause| cause.to_string())?;
    match output.status.code() {
        Some(0) => Ok(output.stdout),
        code => Err(format!("the compiled program ends with {code:?}")),
    }
}

/// The first line in which two outputs differ.
pub(crate) fn difference(expected: &[u8], got: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let (expected, got) = (lines(expected), lines(got));
    let first = (0..).find(|&line| expected.get(line) != got.get(line));
    let line = first.unwrap_or(0);
    format!(
        "`{:?}` instead of `{:?}`",
        got.get(line),
        expected.get(line)
    )
}
