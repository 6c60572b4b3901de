//! Where solvers are.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Tool, ToolKind, ToolLimits, run};

/// A solver has so long to say its version.
const LONGEST: Duration = Duration::from_secs(20);

/// Where to look.
struct Places {
    /// The program that the user has chosen.
    chosen: Option<PathBuf>,
    /// Folders of programs.
    path: Vec<PathBuf>,
    /// Where Python packages may be installed.
    environments: Vec<PathBuf>,
}

impl ToolKind {
    /// The name of the variable that chooses the program.
    pub fn variable(self) -> &'static str {
        match self {
            ToolKind::Z3 => "RECURVA_Z3",
            ToolKind::Cvc5 => "RECURVA_CVC5",
        }
    }

    fn program(self) -> &'static str {
        match self {
            ToolKind::Z3 => "z3",
            ToolKind::Cvc5 => "cvc5",
        }
    }

    /// How the names of the folders begin in which pip notes what it has installed.
    fn package(self) -> &'static str {
        match self {
            ToolKind::Z3 => "z3_solver-",
            ToolKind::Cvc5 => "cvc5-",
        }
    }
}

impl Tool {
    /// The solver that the user has chosen by a variable, or else the one in the path, or else the one
    /// in a Python environment. `None` if there is none that runs.
    pub fn find(kind: ToolKind) -> Option<Self> {
        let value = |name: &str| env::var_os(name).filter(|it| !it.is_empty());
        let path = value("PATH").unwrap_or_default();
        let path: Vec<PathBuf> = env::split_paths(&path).collect();
        let own = ["VIRTUAL_ENV", "CONDA_PREFIX"]
            .into_iter()
            .filter_map(value);
        let local = value("HOME").map(|it| Path::new(&it).join(".local"));
        let beside = path.iter().filter_map(|it| it.parent());
        let places = Places {
            chosen: value(kind.variable()).map(PathBuf::from),
            environments: own
                .map(PathBuf::from)
                .chain(local)
                .chain(beside.map(Path::to_owned))
                .collect(),
            path,
        };
        places.find(kind).find_map(|it| Tool::of(kind, &it))
    }

    /// A solver by the path of its program; `None` if it cannot be run, or is another program.
    pub fn of(kind: ToolKind, program: &Path) -> Option<Self> {
        let limits = ToolLimits {
            memory: None,
            time: Some(LONGEST),
            output: 1 << 16,
        };
        let arguments = [OsString::from("--version")];
        let mut ask = || ControlFlow::Continue(());
        let said = run(program, &arguments, b"", &limits, &mut ask).ok()?;
        // "Z3 version 4.8.12 - 64 bit", "This is cvc5 version 1.0.3"
        let mut words = said.output.split_whitespace();
        let name = words.by_ref().take_while(|it| *it != "version").last()?;
        let version = words.next()?;
        name.eq_ignore_ascii_case(kind.program()).then(|| Tool {
            kind,
            program: program.to_owned(),
            version: version.to_owned(),
        })
    }
}

impl Places {
    /// Programs that may be the solver, the best first.
    fn find(&self, kind: ToolKind) -> impl Iterator<Item = PathBuf> {
        let name = format!("{}{}", kind.program(), env::consts::EXE_SUFFIX);
        let in_path = self.path.iter().map(move |it| it.join(&name));
        let in_environments = self
            .environments
            .iter()
            .flat_map(move |it| installed(kind, it));
        let chosen = self.chosen.clone();
        let all = in_path.chain(in_environments).filter(|it| it.is_file());
        chosen.into_iter().chain(all)
    }
}

/// Programs that pip has installed in an environment, as its notes say.
fn installed(kind: ToolKind, environment: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for version in folders(&environment.join("lib"), "python3") {
        for packages in ["site-packages", "dist-packages"] {
            let packages = version.join(packages);
            for notes in folders(&packages, kind.package()) {
                let Ok(record) = fs::read_to_string(notes.join("RECORD")) else {
                    continue;
                };
                let files = record.lines().filter_map(|it| it.split(',').next());
                let is_program = |file: &&str| {
                    Path::new(file).file_stem() == Some(OsStr::new(kind.program()))
                        && file.contains("bin/")
                };
                found.extend(files.filter(is_program).map(|it| packages.join(it)));
            }
        }
    }
    found
}

/// The folders in a folder whose names begin so, in order.
fn folders(folder: &Path, begins: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|it| it.file_name().to_string_lossy().starts_with(begins))
        .map(|it| it.path())
        .collect();
    found.sort();
    found
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program that says a version.
    fn program(path: &Path, says: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_chosen_one_then_the_path_then_a_wheel() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        program(&at("mine/solver"), "Z3 version 1.0 - 64 bit");
        program(&at("bin/z3"), "Z3 version 2.0 - 64 bit");
        program(&at("bin/cvc5"), "This is cvc5 version 1.0.3 [git]");
        program(&at("venv/bin/z3"), "Z3 version 3.0 - 64 bit");
        let packages = at("venv/lib/python3.11/site-packages");
        let notes = packages.join("z3_solver-3.0.dist-info");
        fs::create_dir_all(&notes).unwrap();
        let record = "../../../bin/z3,sha256=abc,123\nz3/z3.py,sha256=def,4\n";
        fs::write(notes.join("RECORD"), record).unwrap();
        let mut places = Places {
            chosen: Some(at("mine/solver")),
            path: vec![at("nowhere"), at("bin")],
            environments: vec![at("empty"), at("venv")],
        };
        let versions = |places: &Places, kind| -> Vec<String> {
            places
                .find(kind)
                .filter_map(|it| Some(Tool::of(kind, &it)?.version))
                .collect()
        };
        assert_eq!(versions(&places, ToolKind::Z3), ["1.0", "2.0", "3.0"]);
        places.chosen = None;
        assert_eq!(versions(&places, ToolKind::Z3), ["2.0", "3.0"]);
        assert_eq!(versions(&places, ToolKind::Cvc5), ["1.0.3"]);
        // Another program under that name is none.
        program(&at("bin/z3"), "Hello");
        assert_eq!(versions(&places, ToolKind::Z3), ["3.0"]);
    }
}
