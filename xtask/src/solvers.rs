//! Solvers that some tests need: installed where they are missing and can be.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output},
};

use crate::run::spawn;

/// A program that decides formulas.
struct Solver {
    /// Its name, and that of Debian's package.
    name: &'static str,
    /// What names another one.
    variable: &'static str,
    /// The package for Python that has the program, and not only a library.
    wheel: Option<&'static str>,
}

const SOLVERS: [Solver; 2] = [
    Solver {
        name: "z3",
        variable: "RECURVA_Z3",
        wheel: Some("z3-solver"),
    },
    Solver {
        name: "cvc5",
        variable: "RECURVA_CVC5",
        wheel: None,
    },
];

/// Installs the solvers that are missing: Debian's packages as root, else what Python has. Where
/// neither can be it says so and goes on; the tests say that they are skipped.
pub(crate) fn install() {
    let missing: Vec<&Solver> = SOLVERS.iter().filter(|solver| !solver.is_there()).collect();
    // Who names a program does not want another one.
    let wanted = missing.iter().filter(|solver| solver.named().is_none());
    let mut has_lists = false;
    for solver in wanted {
        if is_root() && Path::new("/usr/bin/apt-get").exists() {
            println!("{} is missing: installing Debian's package", solver.name);
            has_lists = has_lists || apt(&["update", "-q"]);
            let options = ["install", "-y", "-q", "--no-install-recommends"];
            if has_lists && apt(&[&options[..], &[solver.name]].concat()) {
                continue;
            }
        }
        if let Some(wheel) = solver.wheel
            && python(&["-m", "pip", "--version"]).is_some()
        {
            println!("{} is missing: installing {wheel} by pip", solver.name);
            spawn(Command::new("python3").args(["-m", "pip", "install", "-q", wheel]));
        }
    }
    for solver in missing.iter().filter(|solver| !solver.is_there()) {
        println!("{}", solver.advice());
    }
}

impl Solver {
    fn is_there(&self) -> bool {
        let runs = |program: &Path| output(Command::new(program).arg("--version")).is_some();
        match self.named() {
            Some(program) => runs(&program),
            None => {
                runs(Path::new(self.name))
                    || self.wheel.is_some() && scripts().is_some_and(|it| runs(&it.join(self.name)))
            }
        }
    }

    fn named(&self) -> Option<PathBuf> {
        let named = std::env::var_os(self.variable)?;
        (!named.is_empty()).then(|| named.into())
    }

    fn advice(&self) -> String {
        let Solver { name, variable, .. } = self;
        if let Some(program) = self.named() {
            let program = program.display();
            return format!("{variable} is {program}, which does not run: tests skip {name}");
        }
        let elsewhere = self
            .wheel
            .map(|wheel| format!("; elsewhere: pip install {wheel}"));
        format!(
            "there is no {name}: tests that need it are skipped. Install it (Debian: apt-get install \
             {name}{}), or set {variable} to its path",
            elsewhere.unwrap_or_default()
        )
    }
}

/// Where Python puts the programs of its packages. That need not be on the path.
fn scripts() -> Option<PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_path('scripts'))";
    let output = python(&["-c", script])?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().into())
}

fn python(arguments: &[&str]) -> Option<Output> {
    output(Command::new("python3").args(arguments))
}

/// What a command prints that succeeds.
fn output(command: &mut Command) -> Option<Output> {
    let output = command.output().ok()?;
    output.status.success().then_some(output)
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_some_and(|output| output.stdout.trim_ascii() == b"0")
}

fn apt(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    spawn(&mut command) == ExitCode::SUCCESS
}
