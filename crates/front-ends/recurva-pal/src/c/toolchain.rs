//! Compilers at work: units are preprocessed by the user's own compiler with the user's own
//! options, so that the text that is woven is the one that would have been compiled.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use recurva_syntax::Source;

use super::{
    CommandError, CompilerCommand, Order, Policy, Prepared, Purpose, Refused, Stage, Weaving,
    Woven, coverage, header_beside, is_preprocessed, request, run_time,
};
use crate::{
    c::command::is_stdin,
    lang::{Monitor, PatternKind},
};

/// Why a unit did not become an instrumented one.
#[derive(Debug)]
pub enum Failure {
    /// The compiler cannot be run.
    Compiler(OsString, io::Error),
    /// The compiler found an error, and has said so.
    Said,
    /// The command cannot be run with a monitor.
    Command(CommandError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The unit has places that cannot be monitored.
    Refused(Vec<Refused>),
    /// The C of the monitor does not survive preprocessing behind this unit.
    Unprepared(PathBuf),
}

/// A compiler with the options of one command, and a monitor to put in.
#[derive(Debug)]
pub struct Toolchain<'a> {
    /// The command.
    pub command: &'a CompilerCommand,
    /// The monitor.
    pub monitor: &'a Monitor,
    /// Its text.
    pub source: &'a Source,
    /// The folder in which its own headers are looked for first.
    pub folder: &'a Path,
    /// A folder for intermediate files.
    pub scratch: &'a Path,
}

/// A unit that was preprocessed, with the monitor in it.
#[derive(Debug)]
pub struct Preprocessed {
    /// What the preprocessor made of it.
    pub text: Vec<u8>,
    /// What the preprocessor had to say.
    pub said: Vec<u8>,
    /// What became of the text.
    pub woven: Woven,
}

/// A command that was run.
#[derive(Debug, PartialEq, Eq)]
pub struct Built {
    /// What it did.
    pub stage: Stage,
    /// For each event, how many calls and assignments it matched in the units of the command
    /// and, if it linked, in the objects.
    pub matched: Vec<usize>,
}

impl Toolchain<'_> {
    /// Runs the command, with the monitor in every unit that it compiles and the run-time in
    /// what it links.
    pub fn build(&self, policy: Policy) -> Result<Built, Failure> {
        let stage = self.command.stage();
        let mut matched = vec![0; self.monitor.events.len()];
        if stage == Stage::Other {
            self.run(self.command.compile(&[], &[]))?;
            return Ok(Built { stage, matched });
        }
        let units = self.command.units().map_err(Failure::Command)?;
        let mut replaced = Vec::new();
        let mut order = None;
        for (index, unit) in units.iter().enumerate() {
            let order = match order {
                Some(order) => order,
                None => *order.insert(self.order()?),
            };
            let is_stdin = is_stdin(unit);
            let preprocessed = match is_stdin {
                true => self.unit(&self.standard_input()?, order)?,
                false => self.unit(unit, order)?,
            };
            add(&mut matched, &preprocessed.woven.matched);
            let text = match preprocessed.woven.text {
                Some(text) => text,
                // What was read from the standard input is not there any more.
                None if is_stdin => preprocessed.text,
                // Without anything to change the compiler gets what it would have got.
                None => continue,
            };
            self.say(&preprocessed.said);
            // A folder for each, since the compiler derives names from that of the file.
            let folder = self.scratch.join(index.to_string());
            fs::create_dir(&folder).map_err(|cause| Failure::File(folder.clone(), cause))?;
            let name = Path::new(unit.file_name().unwrap_or_default());
            let file = folder.join(name.with_extension("i"));
            write(&file, &text)?;
            replaced.push((unit.clone(), file));
        }
        let mut linked = Vec::new();
        if stage == Stage::Link {
            linked.push(self.run_time(policy)?);
            for input in self.command.inputs() {
                // What cannot be read, the linker will complain about.
                let counts = fs::read(input).ok().and_then(|bytes| coverage(&bytes));
                add(&mut matched, &counts.unwrap_or_default());
            }
        }
        self.run(self.command.compile(&replaced, &linked))?;
        Ok(Built { stage, matched })
    }

    /// A file with what is on the standard input, which messages call as compilers do.
    fn standard_input(&self) -> Result<PathBuf, Failure> {
        let path = self.scratch.join("stdin.c");
        let failed = |cause| Failure::File("-".into(), cause);
        let mut text = b"# 1 \"<stdin>\"\n".to_vec();
        io::stdin().lock().read_to_end(&mut text).map_err(failed)?;
        write(&path, &text)?;
        Ok(path)
    }

    /// Compilers look for the headers of the standard input where they are run.
    fn more_options(&self, unit: &Path) -> Vec<OsString> {
        match unit.starts_with(self.scratch) {
            true => vec!["-iquote".into(), ".".into()],
            false => Vec::new(),
        }
    }

    /// Passes on what the preprocessor said, as the compiler would have.
    fn say(&self, said: &[u8]) {
        // Nobody is left to be told that the standard error cannot be written to.
        let _ = io::stderr().lock().write_all(said);
    }

    /// Preprocesses a unit of the command and weaves the monitor into it.
    pub fn unit(&self, unit: &Path, order: Order) -> Result<Preprocessed, Failure> {
        let (text, said) = self.preprocess(unit)?;
        if !self.may_match(&text) {
            let matched = vec![0; self.monitor.events.len()];
            let woven = Woven {
                text: None,
                matched,
            };
            return Ok(Preprocessed { text, said, woven });
        }
        let prepared = self.prepare(unit)?;
        let weaving = Weaving {
            monitor: self.monitor,
            source: self.source,
            prepared: &prepared,
            order,
            purpose: Purpose::Run,
        };
        let woven = weaving.weave(&text).map_err(Failure::Refused)?;
        Ok(Preprocessed { text, said, woven })
    }

    /// What the preprocessor makes of a unit, and what it says.
    fn preprocess(&self, unit: &Path) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        if is_preprocessed(unit) {
            return Ok((read(unit)?, Vec::new()));
        }
        let output = self.scratch.join("unit.i");
        let compiler = self.command.compiler();
        let run = Command::new(compiler)
            .args(self.command.preprocess_unit(unit, &output))
            .args(self.more_options(unit))
            .stderr(Stdio::piped())
            .output();
        let run = run.map_err(|cause| Failure::Compiler(compiler.into(), cause))?;
        let said = run.stderr;
        if !run.status.success() {
            self.say(&said);
            return Err(Failure::Said);
        }
        Ok((read(&output)?, said))
    }

    /// Whether a unit mentions anything that has to be changed.
    fn may_match(&self, text: &[u8]) -> bool {
        let mentions = |name: &str| {
            let mut windows = text.windows(name.len());
            windows.any(|it| it == name.as_bytes())
        };
        mentions("setjmp")
            || self
                .monitor
                .events
                .iter()
                .any(|event| match &event.pattern.kind {
                    PatternKind::Call { callee, .. } => mentions(&callee.text),
                    PatternKind::Assign { .. } => true,
                })
    }

    fn prepare(&self, unit: &Path) -> Result<Prepared, Failure> {
        let absolute = fs::canonicalize(unit).map_err(|cause| Failure::File(unit.into(), cause))?;
        let absolute = absolute.to_string_lossy();
        let included = (!is_preprocessed(unit)).then_some(&*absolute);
        let text = request(self.monitor, self.source, included, |header| {
            header_beside(self.folder, header)
        });
        let input = self.scratch.join("monitor.c");
        let output = self.scratch.join("monitor.i");
        write(&input, text.as_bytes())?;
        let mut words = self.command.preprocess(&input, &output);
        // What it has to say about the unit has been said.
        words.push("-w".into());
        words.extend(self.more_options(unit));
        self.run(words)?;
        let text = read(&output)?;
        Prepared::new(self.monitor, &text).ok_or_else(|| Failure::Unprepared(unit.into()))
    }

    /// How the compiler evaluates arguments.
    pub fn order(&self) -> Result<Order, Failure> {
        let compiler = self.command.compiler();
        let output = Command::new(compiler)
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let output = output.map_err(|cause| Failure::Compiler(compiler.into(), cause))?;
        let is_clang = String::from_utf8_lossy(&output.stdout).contains("clang");
        Ok(match is_clang {
            true => Order::FirstFirst,
            false => Order::LastFirst,
        })
    }

    /// Compiles the run-time for what the command links.
    fn run_time(&self, policy: Policy) -> Result<PathBuf, Failure> {
        let source = self.scratch.join("recurva_pal.c");
        write(
            &self.scratch.join("recurva_pal.h"),
            run_time::HEADER.as_bytes(),
        )?;
        write(&source, run_time::SOURCE.as_bytes())?;
        let object = self.scratch.join("recurva_pal.o");
        let mut words = self.command.compile_run_time(&source, &object);
        words.push(policy.define().into());
        self.run(words)?;
        Ok(object)
    }

    fn run(&self, words: Vec<OsString>) -> Result<(), Failure> {
        let compiler = self.command.compiler();
        let status = Command::new(compiler).args(words).status();
        let status = status.map_err(|cause| Failure::Compiler(compiler.into(), cause))?;
        status.success().then_some(()).ok_or(Failure::Said)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|cause| Failure::File(path.into(), cause))
}

/// Writes a file for the compiler.
fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    fs::write(path, text).map_err(|cause| Failure::File(path.into(), cause))
}

fn add(total: &mut [usize], counts: &[usize]) {
    for (sum, count) in total.iter_mut().zip(counts) {
        *sum += count;
    }
}
