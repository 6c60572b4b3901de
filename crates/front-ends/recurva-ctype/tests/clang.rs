//! The types of expressions are those that clang gives them, on files that are not part of the
//! repository.

#![allow(clippy::print_stderr, reason = "tests say what they skip")]

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use recurva_ctype::Target;
use support::checked;

/// The types of all that stands between two places: an expression and what it is converted to.
type Types = BTreeMap<(u32, u32), BTreeSet<String>>;

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|it| it == "c" || it == "i") {
            out.push(path);
        }
    }
    out.sort();
}

/// A type without qualifiers; all pointers, arrays and functions are one kind each.
fn kind(ty: &str) -> String {
    if ty.contains("(*") || (ty.contains('*') && !ty.contains('(') && !ty.contains('[')) {
        return "pointer".into();
    }
    if ty.contains('(') {
        return "function".into();
    }
    if ty.contains('[') {
        return "array".into();
    }
    let words = ty.split_whitespace();
    let words = words.filter(|it| !matches!(*it, "const" | "volatile" | "restrict"));
    match words.collect::<Vec<_>>().join(" ").as_str() {
        "unsigned" => "unsigned int".into(),
        it if it.starts_with("struct") || it.starts_with("union") => "record".into(),
        // Of a record without a tag clang says what it is called.
        it if it.starts_with(|first: char| first.is_ascii_uppercase()) => "record".into(),
        it if it.starts_with("enum") => "enum".into(),
        it => it.into(),
    }
}

/// What clang says of the expressions of a file: its dump has one key on each line, and of each node
/// the kind, the place and the type, in this order.
fn of_clang(file: &Path, machine: &str) -> Option<Types> {
    let output = Command::new("clang")
        .args([
            "-Xclang",
            "-ast-dump=json",
            "-fsyntax-only",
            "-w",
            machine,
            "-x",
            "c",
        ])
        .arg(file)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut types = Types::new();
    let mut is_expression = false;
    let mut in_range = false;
    let mut numbers: Vec<u32> = Vec::new();
    let mut desugared = None;
    for line in text.lines() {
        let Some((key, value)) = line.trim().split_once(": ") else {
            continue;
        };
        let value = value.trim_end_matches(',');
        let word = || value.trim_matches('"').to_owned();
        match key {
            "\"kind\"" => {
                let ends = ["Expr\"", "Operator\"", "Literal\""];
                is_expression = ends.iter().any(|end| value.ends_with(end));
                in_range = false;
                numbers.clear();
                desugared = None;
            }
            "\"range\"" => {
                in_range = true;
                numbers.clear();
            }
            "\"offset\"" | "\"tokLen\"" if in_range => numbers.extend(value.parse::<u32>()),
            "\"desugaredQualType\"" if is_expression => desugared = Some(word()),
            "\"qualType\"" if is_expression => {
                // The offsets and lengths of the first and the last token.
                if let [start, _, last, length] = numbers[..] {
                    let ty = desugared.take().unwrap_or_else(word);
                    let set = types.entry((start, last + length)).or_default();
                    set.insert(kind(&ty));
                }
                is_expression = false;
            }
            _ => {}
        }
    }
    Some(types)
}

#[test]
fn types_are_those_of_clang() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/c");
    let mut all = Vec::new();
    files(&folder, &mut all);
    // The dumps of the largest files are too large for a test.
    all.retain(|it| fs::metadata(it).is_ok_and(|data| data.len() < 40_000));
    if all.is_empty() || Command::new("clang").arg("--version").output().is_err() {
        eprintln!("there is no clang, or there are no files: nothing is compared");
        return;
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    let as_clang = |target| Target {
        keeps_bit_widths: false,
        ..target
    };
    let machines = [
        ("-m64", as_clang(Target::lp64())),
        ("-m32", as_clang(Target::ilp32())),
    ];
    for (file, (option, target)) in all
        .iter()
        .flat_map(|it| machines.map(|machine| (it, machine)))
    {
        let text = fs::read(file).expect("the file can be read");
        let Ok(Some(unit)) = checked(&text, target).map(|it| it.unit) else {
            continue;
        };
        let Some(types) = of_clang(file, option) else {
            continue;
        };
        let mut ours = Types::new();
        for expr in &unit.exprs {
            let set = ours.entry((expr.span.start, expr.span.end)).or_default();
            set.insert(kind(&unit.types.describe(expr.ty.ty)));
        }
        for (&(start, end), ours) in &ours {
            let Some(expected) = types.get(&(start, end)) else {
                continue;
            };
            compared += 1;
            // Ours has a node for each conversion and each address that is computed on the way.
            if !ours.is_superset(expected) {
                let source = String::from_utf8_lossy(&text[start as usize..end as usize]);
                wrong.push(format!(
                    "{} {option}: `{source}` is {ours:?}, and {expected:?} for clang",
                    file.display()
                ));
            }
        }
    }
    eprintln!(
        "{compared} expressions of {} files compared, {} differ",
        all.len(),
        wrong.len()
    );
    wrong.truncate(20);
    assert!(compared > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}
