//! The programs of `corpus/ntmu`: `NAME.bp` satisfies all formulas of `NAME.ntmu`, and
//! `NAME_wrong.bp` all but those that its comment names.

use std::{fs, path::Path};

use recurva_check::{
    Options,
    branching::{Reader, Starts, Subject},
};
use recurva_syntax::{Source, Style};

use crate::{holds, program};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}

/// The formulas that fail on a program.
fn failing(path: &Path, spec: &Path, options: &Options) -> Vec<String> {
    let program = program(&read(path));
    let subject = Subject::Program(&program, Starts::Here);
    let source = Source::new(spec.display().to_string(), read(spec)).expect("a short text");
    let found = Reader::new(subject).file(&source);
    let errors = found.diagnostics.render(&source, Style::Plain);
    let list = found.properties.unwrap_or_else(|| panic!("{errors}"));
    let failing = list
        .iter()
        .filter(|named| !holds(subject, &named.property, options));
    failing.map(|named| named.name.clone()).collect()
}

#[test]
fn the_examples_are_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus/ntmu");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let spec = entry.expect("it can be read").path();
        if spec.extension().is_none_or(|extension| extension != "ntmu") {
            continue;
        }
        count += 1;
        let right = spec.with_extension("bp");
        let stem = spec
            .file_stem()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let wrong = spec.with_file_name(format!("{stem}_wrong.bp"));
        let text = read(&wrong);
        let said = text
            .lines()
            .find_map(|line| line.strip_prefix("// fails: "));
        let said = said.expect("the comment says what fails").split(", ");
        let said: Vec<String> = said.map(str::to_owned).collect();
        for merge in [true, false] {
            let options = Options {
                merge,
                ..Options::default()
            };
            assert_eq!(
                failing(&right, &spec, &options),
                Vec::<String>::new(),
                "{stem}"
            );
            assert_eq!(failing(&wrong, &spec, &options), said, "{stem}");
        }
    }
    assert_eq!(count, 12);
}
