//! Tasks of the software verification competition: what a `.prp` file asks, and which program a
//! `.yml` file is about.

use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use super::DataModel;

/// What a line of a `.prp` file asks of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TaskProperty {
    /// This function is never called.
    NoCall(String),
    /// No signed result overflows.
    NoOverflow,
    /// Everything that is freed can be freed.
    ValidFree,
    /// Every pointer that is used points to something.
    ValidDeref,
    /// Nothing that is not freed is lost.
    ValidMemtrack,
    /// All memory is freed at the end.
    ValidMemcleanup,
    /// Every run ends.
    Termination,
    /// Every run satisfies this formula.
    Formula(String),
}

/// The properties of a `.prp` file, or the line that is none.
pub(super) fn properties(text: &str) -> Result<Vec<TaskProperty>, String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines
        .map(|line| property(line).ok_or_else(|| line.to_owned()))
        .collect()
}

/// `CHECK( init(main()), LTL(…) )`
fn property(line: &str) -> Option<TaskProperty> {
    let inner = line.strip_prefix("CHECK(")?.trim_end().strip_suffix(')')?;
    let (init, formula) = inner.split_once(',')?;
    init.trim().strip_prefix("init(")?.strip_suffix(')')?;
    let formula = formula
        .trim()
        .strip_prefix("LTL(")?
        .strip_suffix(')')?
        .trim();
    let words: String = formula.split_whitespace().collect();
    if let Some(call) = words
        .strip_prefix("G!call(")
        .and_then(|it| it.strip_suffix("())"))
    {
        return Some(TaskProperty::NoCall(call.to_owned()));
    }
    Some(match &*words {
        "G!overflow" => TaskProperty::NoOverflow,
        "Gvalid-free" => TaskProperty::ValidFree,
        "Gvalid-deref" => TaskProperty::ValidDeref,
        "Gvalid-memtrack" => TaskProperty::ValidMemtrack,
        "Gvalid-memcleanup" => TaskProperty::ValidMemcleanup,
        "Fend" => TaskProperty::Termination,
        // Defined behaviour as a whole, data races: nothing that is decided here.
        "Gdef-behavior" | "G!data-race" => return None,
        _ => TaskProperty::Formula(formula.to_owned()),
    })
}

/// What a `.yml` file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The units of the program.
    pub(super) inputs: Vec<PathBuf>,
    /// The files of its properties.
    pub(super) properties: Vec<PathBuf>,
    /// How wide its types are.
    pub(super) machine: DataModel,
}

/// Reads a task; paths in it are relative to its folder.
pub(super) fn task(text: &str, folder: &Path) -> Result<Task, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|cause| cause.to_string())?;
    let task = documents.first().ok_or("the file is empty")?;
    let names = |value: &Yaml| -> Vec<PathBuf> {
        let one = value.as_str().into_iter();
        let list = value
            .as_vec()
            .into_iter()
            .flatten()
            .filter_map(Yaml::as_str);
        one.chain(list).map(|name| folder.join(name)).collect()
    };
    let inputs = names(&task["input_files"]);
    if inputs.is_empty() {
        return Err("`input_files` names no file".to_owned());
    }
    let properties = task["properties"].as_vec().into_iter().flatten();
    let properties = properties.flat_map(|it| names(&it["property_file"]));
    Ok(Task {
        inputs,
        properties: properties.collect(),
        // What a task does not say is as it was when there was nothing to say.
        machine: match task["options"]["data_model"].as_str() {
            Some("LP64") => DataModel::Lp64,
            _ => DataModel::Ilp32,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_properties() {
        let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n\
                    CHECK( init(main()), LTL(G ! overflow) )\n\
                    CHECK( init(main()), LTL(F end) )\n\
                    CHECK( init(main()), LTL( G(!\"a > (b / 2)\" || F \"c\") ) )\n";
        assert_eq!(
            properties(text).unwrap(),
            [
                TaskProperty::NoCall("reach_error".to_owned()),
                TaskProperty::NoOverflow,
                TaskProperty::Termination,
                TaskProperty::Formula("G(!\"a > (b / 2)\" || F \"c\")".to_owned()),
            ]
        );
        let cover = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        assert_eq!(properties(cover), Err(cover.to_owned()));
        assert_eq!(property("CHECK( init(main()), LTL(G valid-free"), None);
    }

    #[test]
    fn files_of_tasks() {
        let text = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  \
                    - property_file: ../p/x.prp\n    expected_verdict: true\n\
                    options:\n  language: C\n  data_model: LP64\n";
        let found = task(text, Path::new("set")).unwrap();
        assert_eq!(found.inputs, [Path::new("set/a.c")]);
        assert_eq!(found.properties, [Path::new("set/../p/x.prp")]);
        assert_eq!(found.machine, DataModel::Lp64);
        let several = task("input_files: [a.c, b.c]\n", Path::new("")).unwrap();
        assert_eq!(several.inputs.len(), 2);
        assert_eq!(several.machine, DataModel::Ilp32);
        assert!(task("", Path::new("")).is_err());
        assert!(task("input_files: 3", Path::new("")).is_err());
        assert!(task("a: [", Path::new("")).is_err());
    }
}
