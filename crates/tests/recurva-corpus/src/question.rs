//! From a case to what an engine is asked.

use std::path::Path;

use recurva_check::{
    Options, Property,
    spec::{Reader, SpecFormat, Vocabulary},
};
use recurva_lang::{
    bp,
    model::{self, Format, Machine},
};
use recurva_model::{Program, rsm::Letters};
use recurva_pal::{lang, weave::weave};
use recurva_syntax::{Source, Style};

use crate::case::{Case, Dialect, Runs, Stack};

/// A model with what is asked of it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The model.
    pub program: Program,
    /// The properties; several if a file has several, and then the answer is for each of them.
    pub properties: Vec<Property>,
    /// Which runs are asked about; all else is the default.
    pub options: Options,
}

impl Question {
    /// Reads the files of a case.
    ///
    /// # Errors
    ///
    /// What is wrong with them, as a user would see it.
    pub fn of(case: &Case) -> Result<Self, String> {
        let source = read(&case.model)?;
        let format = Format::of(&case.model).ok_or("this is no model format")?;
        let options = model::Options {
            dialect: match case.dialect {
                Dialect::Boppo => bp::Dialect::Boppo,
                Dialect::Moped => bp::Dialect::Moped,
            },
            letters: match case.letters {
                true => Letters::Nodes,
                false => Letters::Dropped,
            },
        };
        let parsed = model::parse(&source, format, &options);
        let errors = || parsed.diagnostics.render(&source, Style::Plain);
        let model = parsed.model.ok_or_else(errors)?;
        let program = match case.check_arithmetic {
            true => model.program.with_arithmetic_checks(),
            false => model.program,
        };
        let vocabulary = match &model.machine {
            None => Vocabulary::Program,
            Some(Machine { letters, .. }) if case.letters => Vocabulary::Letters(letters),
            Some(machine) => Vocabulary::Machine {
                positions: &machine.positions,
                nested: machine.nested_positions.as_deref(),
            },
        };
        let runs = match case.runs {
            Runs::Stutter if !format.is_machine() => recurva_check::Runs::Stutter,
            Runs::Stutter | Runs::Infinite => recurva_check::Runs::Infinite,
        };
        let monitor = case.spec.as_deref().filter(|path| is_monitor(path));
        let (program, properties) = match monitor {
            Some(path) => woven(&source, &program, path)?,
            None => {
                let properties = properties(case, &program, vocabulary)?;
                (program, properties)
            }
        };
        Ok(Question {
            properties,
            program,
            options: Options {
                runs,
                stack: match case.stack {
                    Stack::Any => recurva_check::Stack::Any,
                    Stack::Finite => recurva_check::Stack::Finite,
                    Stack::Diverging => recurva_check::Stack::Diverging,
                },
                ..Options::default()
            },
        })
    }
}

/// Whether a file is a monitor that becomes part of the model.
fn is_monitor(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pal")
}

/// A program with a monitor in it, and what the monitor asks for.
fn woven(
    model: &Source,
    program: &Program,
    path: &Path,
) -> Result<(Program, Vec<Property>), String> {
    let source = read(path)?;
    let parsed = lang::parse(&source);
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    let monitor = parsed.monitor.as_ref().ok_or_else(errors)?;
    let weaving = weave(program, monitor, &source, model.end().end);
    let errors = || weaving.diagnostics.render(&source, Style::Plain);
    let woven = weaving.woven.ok_or_else(errors)?;
    // Which guard fails is for other tests; that values stay in range is a question of its own.
    let points = woven.checks.into_iter().flat_map(|check| check.points);
    let property = Property::Unreachable {
        name: format!("the guards of {}", source.name()),
        points: points.collect(),
    };
    Ok((woven.program, vec![property]))
}

fn properties(
    case: &Case,
    program: &Program,
    vocabulary: Vocabulary<'_>,
) -> Result<Vec<Property>, String> {
    if let Some(label) = &case.reach {
        return Ok(vec![
            Property::label(program, label).map_err(|e| e.to_string())?,
        ]);
    }
    if let Some(label) = &case.repeat {
        return Ok(vec![
            Property::repeat(program, label).map_err(|e| e.to_string())?,
        ]);
    }
    if let Some(name) = &case.property {
        return Err(format!("named properties are not known yet: {name}"));
    }
    let reader = Reader::new(program, vocabulary);
    let text = |text: &str| Source::new("formula", text).map_err(|e| e.to_string());
    let (source, spec) = match (&case.ltl, &case.caret, &case.spec) {
        (Some(formula), ..) => {
            let source = text(formula)?;
            let spec = reader.formula(&source);
            (source, spec)
        }
        (_, Some(formula), _) => {
            let source = text(formula)?;
            let spec = reader.caret(&source);
            (source, spec)
        }
        (.., Some(path)) => {
            let source = read(path)?;
            let format = SpecFormat::of(path).ok_or("this is no property format")?;
            let spec = reader.read(&source, format);
            (source, spec)
        }
        _ => return Ok(vec![Property::own(program)]),
    };
    let errors = || spec.diagnostics.render(&source, Style::Plain);
    let named = spec.properties.ok_or_else(errors)?;
    Ok(named.into_iter().map(|named| named.property).collect())
}

/// Reads a file.
///
/// # Errors
///
/// Why it cannot be read.
pub fn read(path: &Path) -> Result<Source, String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Source::from_bytes(name, bytes).map_err(|error| error.to_string())
}
