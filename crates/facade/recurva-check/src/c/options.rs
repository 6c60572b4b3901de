//! How C is read.

use std::path::Path;

use recurva_cir::Check;
use recurva_syntax::Source;
use recurva_trace::CReading;

use crate::{Refused, open, words::suggestion};

/// How a C program is read and what counts as an error in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct COptions {
    /// Further units, by which the program is whole.
    pub units: Vec<Source>,
    /// Units that say what functions do which the program calls and does not define. They stand for
    /// our own models of the library, too.
    pub models: Vec<Source>,
    /// A `compile_commands.json`, which says how each unit is compiled.
    pub compile_commands: Option<Source>,
    /// Options of the compiler for all units: `-Iinclude`, `-DX`.
    pub compiler: Vec<String>,
    /// The widths of `long` and of pointers, if they are not the compiler's own.
    pub machine: Option<DataModel>,
    /// The function where runs begin; `main` if none is given.
    pub entry: Option<String>,
    /// What else must not happen.
    pub checks: Vec<CCheck>,
    /// How many objects that one place allocates may be there at a time. What has more is not
    /// decided.
    pub objects: u32,
    /// Whether `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// Whether a violation is compiled and executed.
    pub execute: bool,
    /// A correctness witness, whose invariants may help.
    pub assume_invariants: Option<Source>,
    /// A program of more steps than this is large: before all of it, a slice is searched.
    pub large: usize,
}

/// A program of more steps than this is large, unless something else is said.
const LARGE: usize = 800;

impl Default for COptions {
    fn default() -> Self {
        COptions {
            units: Vec::new(),
            models: Vec::new(),
            compile_commands: None,
            compiler: Vec::new(),
            machine: None,
            entry: None,
            checks: Vec::new(),
            objects: 4,
            malloc_may_fail: false,
            execute: true,
            assume_invariants: None,
            large: LARGE,
        }
    }
}

impl COptions {
    /// An option that says something about C programs only, as users write it.
    pub(crate) fn given(&self) -> Option<String> {
        let usual = COptions::default();
        let checks = self.checks.first();
        let given = [
            (!self.units.is_empty(), "a further unit"),
            (!self.models.is_empty(), "--model"),
            (self.compile_commands.is_some(), "--compile-commands"),
            (!self.compiler.is_empty(), "an option behind --"),
            (self.entry.is_some(), "--entry"),
            (self.objects != usual.objects, "--objects"),
            (self.malloc_may_fail, "--malloc-may-fail"),
            (self.execute != usual.execute, "--no-execute"),
            (self.assume_invariants.is_some(), "--assume-invariants"),
        ];
        let check = checks.map(|check| format!("--check {}", check.name()));
        let first = given.iter().find(|(given, _)| *given);
        first.map(|(_, name)| (*name).to_owned()).or(check)
    }

    /// The options for a trace file.
    pub(crate) fn saved(&self) -> CReading {
        let names = |list: &[Source]| list.iter().map(|it| it.name().to_owned()).collect();
        CReading {
            units: names(&self.units),
            models: names(&self.models),
            compile_commands: (self.compile_commands.as_ref()).map(|it| it.name().to_owned()),
            compiler: self.compiler.clone(),
            data_model: self.machine.map(|machine| match machine {
                DataModel::Ilp32 => recurva_trace::DataModel::Ilp32,
                DataModel::Lp64 => recurva_trace::DataModel::Lp64,
            }),
            entry: self.entry.clone(),
            checks: self.checks.iter().map(|it| it.name().to_owned()).collect(),
            objects: self.objects,
            malloc_may_fail: self.malloc_may_fail,
        }
    }

    /// The options of a trace file, with the files as they are now.
    pub(crate) fn again(saved: &CReading) -> Result<Self, Refused> {
        let all = |names: &[String]| -> Result<Vec<Source>, Refused> {
            names.iter().map(|name| open(Path::new(name))).collect()
        };
        let commands = saved.compile_commands.as_deref();
        let mut checks = Vec::new();
        for name in &saved.checks {
            let known = CCheck::ALL.into_iter().find(|it| it.name() == name);
            checks.push(known.ok_or_else(|| {
                let names = CCheck::ALL.iter().map(|it| it.name());
                let near = suggestion(name, names, "checks");
                Refused::error(format!("there is no check `{name}`"), near)
            })?);
        }
        Ok(COptions {
            units: all(&saved.units)?,
            models: all(&saved.models)?,
            compile_commands: commands.map(|name| open(Path::new(name))).transpose()?,
            compiler: saved.compiler.clone(),
            machine: saved.data_model.map(|machine| match machine {
                recurva_trace::DataModel::Ilp32 => DataModel::Ilp32,
                recurva_trace::DataModel::Lp64 => DataModel::Lp64,
            }),
            entry: saved.entry.clone(),
            checks,
            objects: saved.objects,
            malloc_may_fail: saved.malloc_may_fail,
            execute: true,
            ..COptions::default()
        })
    }
}

/// The widths of `long` and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 32 bits.
    Ilp32,
    /// 64 bits.
    Lp64,
}

impl DataModel {
    /// The option of the compiler that chooses it.
    pub(super) fn option(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}

/// What must not happen in a C program, if that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CCheck {
    /// A signed result that does not fit its type.
    Overflow,
    /// A division by zero.
    Division,
    /// A shift by too much.
    Shift,
    /// An index or a pointer outside its object.
    Bounds,
    /// The use of a null pointer.
    Null,
    /// The use of an object that is gone, and wrong calls of `free`.
    Free,
    /// Memory that is not freed.
    Leak,
    /// The use of a value that was never given.
    Uninitialised,
    /// A run without an end: a question of its own.
    Termination,
}

impl CCheck {
    /// All of them.
    pub const ALL: [CCheck; 9] = [
        CCheck::Overflow,
        CCheck::Division,
        CCheck::Shift,
        CCheck::Bounds,
        CCheck::Null,
        CCheck::Free,
        CCheck::Leak,
        CCheck::Uninitialised,
        CCheck::Termination,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            CCheck::Overflow => "overflow",
            CCheck::Division => "division",
            CCheck::Shift => "shift",
            CCheck::Bounds => "bounds",
            CCheck::Null => "null",
            CCheck::Free => "free",
            CCheck::Leak => "leak",
            CCheck::Uninitialised => "uninitialised",
            CCheck::Termination => "termination",
        }
    }

    /// The checks of the program that it stands for.
    pub(super) fn checks(self) -> &'static [Check] {
        match self {
            CCheck::Overflow => &[Check::Overflow],
            CCheck::Division => &[Check::Division],
            CCheck::Shift => &[Check::Shift],
            CCheck::Bounds => &[Check::Bounds],
            CCheck::Null => &[Check::Null],
            CCheck::Free => &[Check::Free, Check::Lifetime],
            CCheck::Leak => &[Check::Leak],
            CCheck::Uninitialised => &[Check::Uninitialised],
            CCheck::Termination => &[],
        }
    }
}
