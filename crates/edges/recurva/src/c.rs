//! What the command line says about C programs.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use recurva_check::{CCheck, COptions, Refused, WhichEntries, open};
use recurva_syntax::Source;

/// How C is read, and what counts as an error in it.
#[derive(Args, Debug)]
pub(crate) struct CArguments {
    /// Of a C program: its other units (.c, .i).
    #[arg(value_name = "UNIT")]
    pub(crate) units: Vec<PathBuf>,

    /// Of C programs: take the options of each unit from this compile_commands.json. To check all its
    /// units as one program, give it as the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) compile_commands: Option<PathBuf>,

    /// Of a C program: a C file that says what functions do which the program calls and does not
    /// define. It comes before our own models of the library. May be given several times.
    #[arg(long = "model", value_name = "FILE")]
    pub(crate) models: Vec<PathBuf>,

    /// Of a C program: begin at this function, which is called with any arguments. For check it may be given
    /// several times: each has an answer of its own.
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) entry: Vec<String>,

    /// Of a C program, for check: begin at each of these functions, each with an answer of its own.
    #[arg(long, value_enum, value_name = "WHICH", conflicts_with = "entry")]
    pub(crate) entries: Option<Entries>,

    /// Of a C program, and for --witness: how wide `long` and pointers are. By default as the
    /// compiler has them.
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL")]
    pub(crate) data_model: Option<DataModel>,

    /// Of a C program: how many objects that one place allocates can be there at a time. Where there
    /// may be more, the answer is unknown.
    #[arg(long, value_name = "NUMBER", default_value_t = 4)]
    pub(crate) objects: u32,

    /// Of a C program: malloc, calloc and realloc may return NULL. Without this they never do.
    #[arg(long)]
    pub(crate) malloc_may_fail: bool,

    /// Of a C program: do not compile and execute what was found.
    #[arg(long)]
    pub(crate) no_execute: bool,

    /// Of a C program: a correctness witness (SV-COMP format 2.0, YAML) whose invariants may help.
    /// None of them is believed.
    #[arg(long, value_name = "FILE")]
    pub(crate) assume_invariants: Option<PathBuf>,

    /// Of a C program: options of the compiler, such as -Iinclude and -DX.
    #[arg(last = true, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) compiler: Vec<String>,
}

/// How wide `long` and pointers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "UPPER")]
pub(crate) enum DataModel {
    /// 32 bits.
    Ilp32,
    /// 64 bits.
    Lp64,
}

/// Functions at which runs begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Entries {
    /// Every function with a body that other units can call.
    External,
}

/// What else is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extra {
    /// Division by zero, and an index out of range.
    Arithmetic,
    /// In C: a signed result that does not fit its type.
    Overflow,
    /// In C: a division by zero.
    Division,
    /// In C: a shift by too much.
    Shift,
    /// In C: an index or a pointer outside its object.
    Bounds,
    /// In C: the use of a null pointer.
    Null,
    /// In C: the use of an object that is gone, and wrong calls of free.
    Free,
    /// In C: memory that is not freed.
    Leak,
    /// In C: the use of a value that was never given.
    Uninitialised,
    /// In C: all of these.
    All,
    /// In C: a run without an end, of a loop or of a recursion. By itself nothing else is checked.
    Termination,
}

impl Extra {
    /// What it is in C.
    fn in_c(self) -> Vec<CCheck> {
        vec![match self {
            // The façade knows what that is in C.
            Extra::Arithmetic => return Vec::new(),
            // A program may be meant to run for ever.
            Extra::All => {
                let errors = CCheck::ALL.into_iter();
                return errors.filter(|it| *it != CCheck::Termination).collect();
            }
            Extra::Termination => CCheck::Termination,
            Extra::Overflow => CCheck::Overflow,
            Extra::Division => CCheck::Division,
            Extra::Shift => CCheck::Shift,
            Extra::Bounds => CCheck::Bounds,
            Extra::Null => CCheck::Null,
            Extra::Free => CCheck::Free,
            Extra::Leak => CCheck::Leak,
            Extra::Uninitialised => CCheck::Uninitialised,
        }]
    }
}

impl CArguments {
    /// The files that are read besides the model.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let files = self.units.iter().chain(&self.models);
        let files = files.chain(&self.compile_commands);
        files.chain(&self.assume_invariants).map(PathBuf::as_path)
    }

    /// At which functions runs begin, if there is an answer for each.
    pub(crate) fn which(&self) -> Option<WhichEntries> {
        match (self.entries, &*self.entry) {
            (Some(Entries::External), _) => Some(WhichEntries::External),
            (None, [] | [_]) => None,
            (None, several) => Some(WhichEntries::Named(several.to_vec())),
        }
    }

    /// How C is read.
    pub(crate) fn options(&self, extra: &[Extra]) -> Result<COptions, Refused> {
        let all = |paths: &[PathBuf]| -> Result<Vec<Source>, Refused> {
            paths.iter().map(|path| open(path)).collect()
        };
        let mut checks: Vec<CCheck> = Vec::new();
        for check in extra.iter().flat_map(|it| it.in_c()) {
            if !checks.contains(&check) {
                checks.push(check);
            }
        }
        Ok(COptions {
            units: all(&self.units)?,
            models: all(&self.models)?,
            compile_commands: self.compile_commands.as_deref().map(open).transpose()?,
            compiler: self.compiler.clone(),
            machine: self.data_model.map(|model| match model {
                DataModel::Ilp32 => recurva_check::DataModel::Ilp32,
                DataModel::Lp64 => recurva_check::DataModel::Lp64,
            }),
            entry: self
                .entry
                .first()
                .filter(|_| self.which().is_none())
                .cloned(),
            checks,
            objects: self.objects,
            malloc_may_fail: self.malloc_may_fail,
            execute: !self.no_execute,
            assume_invariants: self.assume_invariants.as_deref().map(open).transpose()?,
            ..COptions::default()
        })
    }
}
