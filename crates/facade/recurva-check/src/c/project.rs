//! Projects: what a `compile_commands.json` says about units and how they are compiled.

use std::{
    env,
    path::{Component, Path, PathBuf},
};

use recurva_syntax::Source;
use serde_json::Value;

/// A unit of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProjectUnit {
    /// Its file, relative to where we are if it is below.
    pub(super) file: PathBuf,
    /// The options that matter for what its text means, with paths that are good from here.
    pub(super) options: Vec<String>,
}

/// Options with a file or folder behind them that the preprocessor reads.
const PATHS: [&str; 7] = [
    "-I",
    "-iquote",
    "-isystem",
    "-idirafter",
    "-include",
    "-imacros",
    "--sysroot",
];

/// Options with a word behind them that says nothing about the program.
const DROPPED: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];

/// The units of a project, each once and in their order; or what is wrong with the file.
pub(super) fn units(source: &Source) -> Result<Vec<ProjectUnit>, String> {
    let folder = Path::new(source.name()).parent().unwrap_or(Path::new(""));
    let value: Value = serde_json::from_str(source.text()).map_err(|cause| cause.to_string())?;
    let list = value.as_array().ok_or("it is no list of commands")?;
    let mut units: Vec<ProjectUnit> = Vec::new();
    for command in list {
        let unit = unit(command, folder)?;
        // A file that is compiled in several ways is taken as it is compiled first.
        if !units.iter().any(|known| known.file == unit.file) {
            units.push(unit);
        }
    }
    Ok(units)
}

fn unit(command: &Value, folder: &Path) -> Result<ProjectUnit, String> {
    let text = |name: &str| command[name].as_str();
    let file = text("file").ok_or("a command has no `file`")?;
    let directory = folder.join(text("directory").unwrap_or(""));
    let words: Vec<String> = match (command["arguments"].as_array(), text("command")) {
        (Some(list), _) => {
            let words = list.iter().map(|it| it.as_str().map(str::to_owned));
            let words: Option<Vec<String>> = words.collect();
            words.ok_or_else(|| format!("the arguments for {file} are no list of words"))?
        }
        (None, Some(line)) => words(line),
        (None, None) => return Err(format!("{file} has neither `arguments` nor `command`")),
    };
    // The first word is the compiler.
    let options = options(words.get(1..).unwrap_or_default(), file, &directory);
    Ok(ProjectUnit {
        file: from_here(&directory.join(file)),
        options,
    })
}

/// The options among the words behind the compiler.
fn options(words: &[String], file: &str, directory: &Path) -> Vec<String> {
    let there = |path: &str| {
        let path = from_here(&directory.join(path));
        path.to_string_lossy().into_owned()
    };
    let mut options = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if DROPPED.contains(&word) {
            words.next();
        } else if PATHS.contains(&word) {
            options.push(word.to_owned());
            options.extend(words.next().map(there));
        } else if let Some((option, path)) = joined(word) {
            options.push(format!("{option}{}", there(path)));
        } else if is_kept(word) && word != file {
            options.push(word.to_owned());
        }
    }
    options
}

/// An option with its path in the same word.
fn joined(word: &str) -> Option<(&str, &str)> {
    if let Some(path) = word.strip_prefix("--sysroot=") {
        return Some(("--sysroot=", path));
    }
    let option = PATHS.iter().find(|option| {
        let rest = word.strip_prefix(**option);
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('='))
    })?;
    Some(word.split_at(option.len()))
}

/// Whether an option says something about what the text means.
fn is_kept(word: &str) -> bool {
    let kept = [
        "-D",
        "-U",
        "-std=",
        "-ansi",
        "-m",
        "-f",
        "-pthread",
        "-nostdinc",
    ];
    kept.iter().any(|start| word.starts_with(start))
}

/// The words of a command line, as a shell takes them apart.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, Some(open)) if character == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The same path, relative to where we are if it is below.
fn from_here(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| {
        let parts = path.components();
        parts.filter(|part| *part != Component::CurDir).collect()
    });
    let here = env::current_dir().and_then(|here| here.canonicalize()).ok();
    let below = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    match below.unwrap_or(path) {
        empty if empty.as_os_str().is_empty() => PathBuf::from("."),
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ProjectUnit>, String> {
        units(&Source::new("build/compile_commands.json", text).unwrap())
    }

    #[test]
    fn arguments_and_commands() {
        let text = r#"[
          { "directory": ".", "file": "a.c",
            "arguments": ["gcc", "-O2", "-Iinclude", "-I", "/usr/x", "-DX=1", "-Wall", "-MF", "a.d",
                          "-c", "-o", "a.o", "a.c", "-std=c11", "-include", "config.h"] },
          { "directory": "/elsewhere", "file": "../b.c",
            "command": "cc -DTEXT='\"a b\"' -D\"Y=2\" -isystem./i -m32 -c ../b.c -o b\\ b.o" },
          { "directory": ".", "file": "a.c", "command": "cc -DOTHER -c a.c" } ]"#;
        let units = read(text).unwrap();
        assert_eq!(units.len(), 2);
        assert_eq!(units[0].file, Path::new("build/a.c"));
        let first = [
            "-Ibuild/include",
            "-I",
            "/usr/x",
            "-DX=1",
            "-std=c11",
            "-include",
            "build/config.h",
        ];
        assert_eq!(units[0].options, first);
        assert_eq!(units[1].file, Path::new("/elsewhere/../b.c"));
        let second = ["-DTEXT=\"a b\"", "-DY=2", "-isystem/elsewhere/i", "-m32"];
        assert_eq!(units[1].options, second);
    }

    #[test]
    fn what_is_wrong() {
        for (text, said) in [
            ("{", "EOF"),
            ("{}", "no list"),
            ("[{}]", "no `file`"),
            (r#"[{"file": "a.c"}]"#, "neither"),
            (r#"[{"file": "a.c", "arguments": [1]}]"#, "no list of words"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert_eq!(read("[]").unwrap(), []);
    }
}
