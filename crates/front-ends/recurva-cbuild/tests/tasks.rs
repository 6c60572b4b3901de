//! Tasks for model checkers: all are built, with every check, and are well formed; random runs of
//! those that cannot fail do not.

mod common;

use std::{fs, path::Path};

use recurva_cbuild::{BuildOptions, Built, Library, Scope, read};
use recurva_cir::{
    Check, Operation,
    interpret::{Machine, Options, Outcome, Random},
    validate,
};
use recurva_ctype::Target;

/// The files of the tasks with what is said of them: name, property, verdict.
fn tasks() -> Option<Vec<(String, String, bool)>> {
    let folder = common::shared("c")?;
    let manifest = fs::read_to_string(folder.join("MANIFEST.tsv")).ok()?;
    let mut tasks = Vec::new();
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if let [file, property, expected, ..] = columns[..] {
            tasks.push((file.to_owned(), property.to_owned(), expected == "true"));
        }
    }
    Some(tasks)
}

fn build(path: &Path, options: &BuildOptions) -> Result<Built, String> {
    let text = common::preprocess_for(path, &["-m32", "-x", "c"]);
    let built = read(vec![text], Target::ilp32(), options);
    built.map_err(|errors| {
        let all = errors.iter().flat_map(|(_, list)| list.iter());
        all.map(|error| error.message().to_owned())
            .take(1)
            .collect()
    })
}

fn all_checks() -> BuildOptions {
    BuildOptions {
        checks: vec![
            Check::Overflow,
            Check::Shift,
            Check::Uninitialised,
            Check::Conversion,
        ],
        ..BuildOptions::default()
    }
}

#[test]
#[allow(clippy::print_stderr)]
fn tasks_are_built() {
    let (Some(folder), Some(tasks)) = (common::shared("c"), tasks()) else {
        eprintln!("the tasks are not here: nothing is built");
        return;
    };
    let mut files: Vec<String> = tasks.into_iter().map(|(file, ..)| file).collect();
    files.sort();
    files.dedup();
    let (mut built, mut nodes, mut edges, mut temporaries) = (0, 0, 0, 0);
    let mut problems = Vec::new();
    for file in &files {
        let path = folder.join(file);
        for options in [
            BuildOptions::default(),
            all_checks(),
            BuildOptions {
                scope: Scope::All,
                ..BuildOptions::default()
            },
        ] {
            match build(&path, &options) {
                Err(error) => problems.push(format!("{file}: {error}")),
                Ok(program) => {
                    let functions = &program.module.functions;
                    if let Err(malformed) = validate(&program.module) {
                        problems.push(format!("{file}: {malformed:?}"));
                    }
                    let all = functions.iter().flat_map(|it| &it.edges);
                    for edge in all {
                        if let Operation::Unsupported(what) = &edge.operation {
                            problems.push(format!("{file}: unsupported: {what}"));
                        }
                    }
                    if options.checks.is_empty() && options.scope == Scope::Reachable {
                        built += 1;
                        nodes += functions.iter().map(|it| it.nodes.len()).sum::<usize>();
                        edges += functions.iter().map(|it| it.edges.len()).sum::<usize>();
                        let locals = functions.iter().flat_map(|it| &it.locals);
                        let kind = recurva_cir::LocalKind::Temporary;
                        temporaries += locals.filter(|it| it.kind == kind).count();
                    }
                }
            }
        }
    }
    eprintln!(
        "{built} of {} files: {nodes} nodes, {edges} edges, {temporaries} temporaries",
        files.len()
    );
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
#[allow(clippy::print_stderr)]
fn random_runs_do_not_fail() {
    let (Some(folder), Some(tasks)) = (common::shared("c"), tasks()) else {
        eprintln!("the tasks are not here: nothing is run");
        return;
    };
    let options = BuildOptions {
        library: Library::All,
        ..BuildOptions::default()
    };
    let (mut safe, mut found, mut unsafe_tasks) = (0, 0, 0);
    for (file, property, is_true) in tasks {
        if !property.contains("unreach") {
            continue;
        }
        let Ok(built) = build(&folder.join(&file), &options) else {
            continue;
        };
        let has_failed = (0..20).any(|seed| {
            let mut world = Random::new(seed);
            let limits = Options {
                steps: 20_000,
                ..Options::default()
            };
            let outcome = Machine::new(&built.module, &mut world, limits).run();
            matches!(outcome, Outcome::Failed(..))
        });
        match is_true {
            true => {
                safe += 1;
                assert!(!has_failed, "{file} cannot fail");
            }
            false => {
                unsafe_tasks += 1;
                found += usize::from(has_failed);
            }
        }
    }
    eprintln!("{safe} tasks that hold did not fail; {found} of {unsafe_tasks} others did");
}
