//! The command line of a C compiler, as far as it has to be changed to compile instrumented
//! units: what is compiled, where dependencies go, and what is linked.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Options of gcc and clang that take the next argument as their value.
const WITH_VALUE: [&str; 41] = [
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-MF",
    "-MT",
    "-MQ",
    "-T",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-u",
    "-z",
    "-A",
    "-B",
    "-e",
    "-h",
    "-arch",
    "-framework",
    "--param",
    "-aux-info",
    "-dumpdir",
    "-dumpbase",
    "-dumpbase-ext",
    "--sysroot",
    "-wrapper",
    "-target",
];

/// A command line of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerCommand {
    compiler: OsString,
    /// All arguments, in order.
    args: Vec<Arg>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Arg {
    /// An option, with its value if that is an argument of its own.
    Option(OsString, Option<OsString>),
    /// A file, and the language that `-x` gives it.
    Input(OsString, Option<OsString>),
}

/// What a command does, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It only preprocesses, or asks the compiler something: it is run as it is.
    Other,
    /// It compiles or assembles, without linking.
    Compile,
    /// It links, after compiling what is not compiled yet.
    Link,
}

/// Why a command cannot be instrumented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// There is no compiler.
    Empty,
    /// The standard input, without a language.
    Stdin,
    /// A unit in another language than C.
    Language(PathBuf),
    /// Arguments in a file.
    Response(PathBuf),
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CommandError::Empty => f.write_str("there is no compiler behind `--`"),
            CommandError::Stdin => {
                f.write_str("the standard input has no name that says what language it is in")
            }
            CommandError::Language(file) => {
                write!(f, "{}: only C can be monitored", file.display())
            }
            CommandError::Response(file) => {
                let file = file.display();
                write!(f, "{file}: arguments in a file are not supported")
            }
        }
    }
}

impl std::error::Error for CommandError {}

impl CompilerCommand {
    /// Reads a command: the compiler and its arguments.
    pub fn new(words: &[OsString]) -> Result<Self, CommandError> {
        let (compiler, rest) = words.split_first().ok_or(CommandError::Empty)?;
        let mut args = Vec::new();
        let mut language: Option<OsString> = None;
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            let bytes = word.as_bytes();
            if WITH_VALUE.iter().any(|option| *word == **option) {
                let value = rest.next().cloned();
                if word == "-x" {
                    language = value.clone().filter(|it| it != "none");
                }
                args.push(Arg::Option(word.clone(), value));
            } else if let Some(value) = bytes.strip_prefix(b"-x") {
                let value = OsStr::from_bytes(value).to_owned();
                language = Some(value.clone()).filter(|it| it != "none");
                args.push(Arg::Option("-x".into(), Some(value)));
            } else if bytes.starts_with(b"@") {
                let file = OsStr::from_bytes(&bytes[1..]);
                return Err(CommandError::Response(file.into()));
            } else if bytes.starts_with(b"-") && bytes != b"-" {
                args.push(Arg::Option(word.clone(), None));
            } else {
                args.push(Arg::Input(word.clone(), language.clone()));
            }
        }
        Ok(CompilerCommand {
            compiler: compiler.clone(),
            args,
        })
    }

    /// The compiler.
    pub fn compiler(&self) -> &OsStr {
        &self.compiler
    }

    fn has(&self, test: impl Fn(&[u8]) -> bool) -> bool {
        self.args.iter().any(|arg| match arg {
            Arg::Option(option, _) => test(option.as_bytes()),
            Arg::Input(..) => false,
        })
    }

    /// What the command does.
    pub fn stage(&self) -> Stage {
        let is_question = self.has(|option| {
            matches!(
                option,
                b"-E" | b"-M" | b"-MM" | b"--version" | b"--help" | b"-###"
            ) || option.starts_with(b"-print-")
                || option.starts_with(b"--print-")
                || matches!(
                    option,
                    b"-dumpversion" | b"-dumpfullversion" | b"-dumpmachine" | b"-dumpspecs"
                )
                || option.starts_with(b"--target-help")
        });
        // A header by itself is precompiled.
        let is_header = |file: &OsStr| Path::new(file).extension().is_some_and(|it| it == "h");
        let has_input = self.args.iter().any(|arg| match arg {
            Arg::Input(file, _) => !is_header(file),
            Arg::Option(..) => false,
        });
        if is_question || !has_input {
            Stage::Other
        } else if self.has(|option| matches!(option, b"-c" | b"-S" | b"-fsyntax-only")) {
            Stage::Compile
        } else {
            Stage::Link
        }
    }

    /// The units in C that it compiles.
    pub fn units(&self) -> Result<Vec<PathBuf>, CommandError> {
        let mut units = Vec::new();
        for arg in &self.args {
            let Arg::Input(file, language) = arg else {
                continue;
            };
            let path = PathBuf::from(file);
            if is_stdin(&path) && language.is_none() {
                return Err(CommandError::Stdin);
            }
            let extension = path.extension().and_then(OsStr::to_str);
            match (language.as_deref().and_then(OsStr::to_str), extension) {
                (Some("c" | "cpp-output"), _) | (None, Some("c" | "i")) => units.push(path),
                (Some(language), _)
                    if language.contains("++") || language.contains("objective") =>
                {
                    return Err(CommandError::Language(path));
                }
                (
                    None,
                    Some("cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" | "m" | "mm"),
                ) => {
                    return Err(CommandError::Language(path));
                }
                _ => {}
            }
        }
        Ok(units)
    }

    /// The files that it names, besides options.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Input(file, _) => Some(Path::new(file)),
            Arg::Option(..) => None,
        })
    }

    /// Arguments that preprocess a text as one of its units is: all options but those for
    /// outputs, dependencies and linking.
    pub fn preprocess(&self, input: &Path, output: &Path) -> Vec<OsString> {
        let mut words = self.options(|option| !is_output(option) && !is_dependency(option));
        words.extend(["-E".into(), "-o".into(), output.into()]);
        words.extend(["-x".into(), "c".into(), input.into()]);
        words
    }

    /// As [`CompilerCommand::preprocess`], for one of its own units: writes the dependencies that
    /// the command asks for, too.
    pub fn preprocess_unit(&self, unit: &Path, output: &Path) -> Vec<OsString> {
        let mut words = self.options(|option| !is_output(option));
        let object = match self.value_of("-o") {
            Some(object) if self.stage() == Stage::Compile => PathBuf::from(object),
            _ => Path::new(unit.file_name().unwrap_or_default()).with_extension("o"),
        };
        if self.has(|option| matches!(option, b"-MD" | b"-MMD")) {
            if !self.has(|option| option.starts_with(b"-MF")) {
                words.extend(["-MF".into(), object.with_extension("d").into()]);
            }
            if !self.has(|option| option.starts_with(b"-MT") || option.starts_with(b"-MQ")) {
                words.extend(["-MT".into(), object.into()]);
            }
        }
        words.extend(["-E".into(), "-o".into(), output.into()]);
        let language = if is_preprocessed(unit) {
            "cpp-output"
        } else {
            "c"
        };
        words.extend(["-x".into(), language.into(), unit.into()]);
        words
    }

    /// The arguments of the command itself with other files for some of its units, and more to
    /// be linked.
    pub fn compile(&self, replaced: &[(PathBuf, PathBuf)], linked: &[PathBuf]) -> Vec<OsString> {
        let mut words = Vec::new();
        let mut is_other_language = false;
        // Whether the language is the one that we set for a unit before.
        let mut is_overridden = false;
        // Dependencies are written, and characters converted, when a unit is preprocessed.
        let is_done = !replaced.is_empty() && replaced.len() == self.count_units();
        for arg in &self.args {
            match arg {
                Arg::Option(option, value) => {
                    let is_for_text = is_dependency(option.as_bytes())
                        || option.as_bytes().starts_with(b"-finput-charset");
                    if is_for_text && is_done {
                        continue;
                    }
                    words.push(option.clone());
                    words.extend(value.clone());
                }
                Arg::Input(file, language) => {
                    let other = replaced.iter().find(|(unit, _)| unit.as_os_str() == file);
                    match other {
                        Some((_, other)) => {
                            words.extend(["-x".into(), "cpp-output".into(), other.into()]);
                            is_overridden = true;
                        }
                        None => {
                            if is_overridden {
                                let back = language.clone().unwrap_or_else(|| "none".into());
                                words.extend(["-x".into(), back]);
                                is_overridden = false;
                            }
                            words.push(file.clone());
                        }
                    }
                    is_other_language = language.is_some() || is_overridden;
                }
            }
        }
        if !linked.is_empty() && is_other_language {
            words.extend(["-x".into(), "none".into()]);
        }
        words.extend(linked.iter().map(Into::into));
        words
    }

    fn count_units(&self) -> usize {
        self.units().map_or(0, |units| units.len())
    }

    /// Arguments that compile the run-time for the same machine.
    pub fn compile_run_time(&self, source: &Path, output: &Path) -> Vec<OsString> {
        let mut words = self.options(|option| {
            option.starts_with(b"-m")
                || option.starts_with(b"--sysroot")
                || option.starts_with(b"-isysroot")
                || option.starts_with(b"--target")
                || option.starts_with(b"-fsanitize")
        });
        words.extend(["-O2", "-fPIC", "-w", "-c", "-o"].map(OsString::from));
        words.extend([output.into(), source.into()]);
        words
    }

    fn options(&self, keeps: impl Fn(&[u8]) -> bool) -> Vec<OsString> {
        let mut words = Vec::new();
        for arg in &self.args {
            if let Arg::Option(option, value) = arg
                && keeps(option.as_bytes())
                && option != "-x"
            {
                words.push(option.clone());
                words.extend(value.clone());
            }
        }
        words
    }

    fn value_of(&self, name: &str) -> Option<&OsStr> {
        self.args.iter().find_map(|arg| match arg {
            Arg::Option(option, Some(value)) if option == name => Some(&**value),
            Arg::Option(option, None) => {
                let value = option.as_bytes().strip_prefix(name.as_bytes())?;
                Some(OsStr::from_bytes(value))
            }
            _ => None,
        })
    }
}

/// Whether a unit is the standard input.
pub(crate) fn is_stdin(unit: &Path) -> bool {
    unit == Path::new("-")
}

/// Whether a unit has been preprocessed by the user.
pub fn is_preprocessed(unit: &Path) -> bool {
    unit.extension().is_some_and(|it| it == "i")
}

/// Options that say what is written, or that only matter for linking.
fn is_output(option: &[u8]) -> bool {
    matches!(
        option,
        b"-c"
            | b"-S"
            | b"-fsyntax-only"
            | b"-pipe"
            | b"-save-temps"
            | b"-l"
            | b"-L"
            | b"-Xlinker"
            | b"-T"
            | b"-shared"
            | b"-static"
            | b"-pie"
            | b"-rdynamic"
            | b"-s"
    ) || option.starts_with(b"-o")
        || option.starts_with(b"-Wl,")
        || option.starts_with(b"-l")
        || option.starts_with(b"-L")
}

fn is_dependency(option: &[u8]) -> bool {
    matches!(option, b"-MD" | b"-MMD" | b"-MP" | b"-MG" | b"-M" | b"-MM")
        || [&b"-MF"[..], b"-MT", b"-MQ"]
            .iter()
            .any(|it| option.starts_with(it))
        || option.starts_with(b"-Wp,-M")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> CompilerCommand {
        let words: Vec<OsString> = text.split_whitespace().map(Into::into).collect();
        CompilerCommand::new(&words).unwrap()
    }

    fn joined(words: &[OsString]) -> String {
        let words: Vec<_> = words.iter().map(|it| it.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn what_a_command_does() {
        assert_eq!(command("gcc -E a.c").stage(), Stage::Other);
        assert_eq!(command("gcc --version").stage(), Stage::Other);
        assert_eq!(command("gcc -v").stage(), Stage::Other);
        assert_eq!(command("gcc -O2 -c a.c").stage(), Stage::Compile);
        assert_eq!(command("gcc a.o -o a").stage(), Stage::Link);
        assert_eq!(command("gcc a.c b.o -lm").units(), Ok(vec!["a.c".into()]));
        assert_eq!(command("gcc -x c a.txt").units(), Ok(vec!["a.txt".into()]));
        assert_eq!(command("gcc -I a.c b.S").units(), Ok(vec![]));
    }

    #[test]
    fn what_cannot_be_monitored() {
        assert_eq!(
            command("g++ a.cc").units(),
            Err(CommandError::Language("a.cc".into()))
        );
        assert_eq!(command("gcc -").units(), Err(CommandError::Stdin));
        assert_eq!(command("gcc -xc -").units(), Ok(vec!["-".into()]));
        let words = ["gcc".into(), "@args".into()];
        let error = CompilerCommand::new(&words).unwrap_err();
        assert_eq!(error, CommandError::Response("args".into()));
        assert_eq!(CompilerCommand::new(&[]), Err(CommandError::Empty));
    }

    #[test]
    fn dependencies_are_those_of_the_object() {
        let gcc = command("gcc -DX -MD -O2 -c src/a.c -o out/a.o -lm");
        let words = gcc.preprocess_unit(Path::new("src/a.c"), Path::new("t.i"));
        assert_eq!(
            joined(&words),
            "-DX -MD -O2 -MF out/a.d -MT out/a.o -E -o t.i -x c src/a.c"
        );
        let words = gcc.preprocess(Path::new("r.c"), Path::new("r.i"));
        assert_eq!(joined(&words), "-DX -O2 -E -o r.i -x c r.c");
        let words = gcc.compile(&[("src/a.c".into(), "t.i".into())], &[]);
        assert_eq!(
            joined(&words),
            "-DX -O2 -c -x cpp-output t.i -o out/a.o -lm"
        );
    }

    #[test]
    fn the_run_time_is_linked() {
        let gcc = command("gcc -m32 a.o -o a");
        let words = gcc.compile(&[], &["rt.o".into()]);
        assert_eq!(joined(&words), "-m32 a.o -o a rt.o");
        let words = gcc.compile_run_time(Path::new("rt.c"), Path::new("rt.o"));
        assert_eq!(joined(&words), "-m32 -O2 -fPIC -w -c -o rt.o rt.c");
    }
}
