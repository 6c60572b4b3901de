//! Files in, models and monitors out.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
};

use recurva_check::{flat::FlatMachine, nested::Starts, spec::Vocabulary};
use recurva_lang::{
    bp,
    model::{self, Format, Machine},
    provenance::Provenance,
};
use recurva_model::{Nsm, Point, Program, rsm::Letters};
use recurva_syntax::{Diagnostics, Source};

use crate::{
    args::{Dialect, Extra, QuestionArguments},
    exit::Exit,
    output,
};

/// Model formats, by extension, for messages.
const MODELS: &str = ".bp (boolean programs), .rem (Remopla), .rsm (recursive state machines), \
                      .nsm (nested ones) and .pds (pushdown systems)";

/// A model that has been read.
pub(crate) struct Model {
    pub(crate) source: Source,
    pub(crate) program: Program,
    /// The text of a monitor that is part of the program.
    pub(crate) monitor: Option<Source>,
    /// Where its statements came from, if it was made from C.
    pub(crate) places: Provenance,
    /// What a flat machine has besides.
    machine: Option<Machine>,
}

impl Model {
    /// The same model with a monitor in its program.
    pub(crate) fn with_monitor(&self, program: Program, monitor: Source) -> Self {
        Model {
            source: self.source.clone(),
            program,
            monitor: Some(monitor),
            places: self.places.clone(),
            machine: None,
        }
    }

    /// What properties of infinite runs speak about.
    pub(crate) fn vocabulary(&self, arguments: &QuestionArguments) -> Vocabulary<'_> {
        match &self.machine {
            None => Vocabulary::Program,
            Some(Machine { letters, .. }) if arguments.letters => Vocabulary::Letters(letters),
            Some(machine) => Vocabulary::Machine {
                positions: &machine.positions,
                vertices: machine.has_procedures.then_some(&machine.points),
            },
        }
    }

    /// The flat machine itself, for the engine that works on it as a whole.
    pub(crate) fn flat<'a>(
        &'a self,
        arguments: &QuestionArguments,
        letters: &'a [Point],
    ) -> Option<FlatMachine<'a>> {
        let Machine { rsm, points, .. } = self.machine.as_ref()?;
        Some(FlatMachine {
            rsm,
            points,
            letters: arguments.letters.then_some(letters),
        })
    }

    /// A flat machine as a nested state machine, and where its runs begin.
    pub(crate) fn nested(&self) -> Option<(Cow<'_, Nsm>, Starts)> {
        let machine = self.machine.as_ref()?;
        Some((machine.nested(), starts(machine)))
    }

    /// A node for each letter of a flat machine.
    pub(crate) fn letter_nodes(&self) -> Vec<Point> {
        let letters = self.machine.iter().flat_map(|machine| &machine.letters);
        letters
            .filter_map(|(_, points)| points.first().copied())
            .collect()
    }

    /// Whether it is a flat machine.
    pub(crate) fn is_machine(&self) -> bool {
        self.machine.is_some()
    }
}

/// A machine with several initial states gets one before them.
pub(crate) fn starts(machine: &Machine) -> Starts {
    match machine.rsm.init().len() {
        1 => Starts::Here,
        _ => Starts::Behind,
    }
}

/// Reads the model. On an error everything has been said.
pub(crate) fn model(arguments: &QuestionArguments) -> Result<Model, Exit> {
    let path = &arguments.model;
    let (source, format) = if path.as_os_str() == "-" {
        (source("<stdin>", read(io::stdin().lock()))?, Format::Bp)
    } else {
        let format = Format::of(path);
        if format.is_none() && !path.is_dir() {
            let name = path.display();
            output::error(&format!("{name}: this is no model format recurva knows"));
            output::help(&format!("models are {MODELS}"));
            return Err(Exit::BadInput);
        }
        (open(path)?, format.ok_or(Exit::BadInput)?)
    };
    if arguments.letters && !format.is_machine() {
        output::error("--letters is for flat machines (.rsm and .pds): this model has no letters");
        return Err(Exit::BadInput);
    }
    let options = model::Options {
        dialect: match arguments.dialect {
            Dialect::Boppo => bp::Dialect::Boppo,
            Dialect::Moped => bp::Dialect::Moped,
        },
        letters: match arguments.letters {
            true => Letters::Nodes,
            false => Letters::Dropped,
        },
    };
    let parsed = model::parse(&source, format, &options);
    report(&source, &parsed.diagnostics, arguments);
    let model = parsed.model.ok_or(Exit::BadInput)?;
    let program = match arguments.check.contains(&Extra::Arithmetic) {
        true => model.program.with_arithmetic_checks(),
        false => model.program,
    };
    Ok(Model {
        places: Provenance::of(&source),
        source,
        program,
        monitor: None,
        machine: model.machine,
    })
}

/// Opens a file. On an error everything has been said.
pub(crate) fn open(path: &Path) -> Result<Source, Exit> {
    let name = path.display().to_string();
    if path.is_dir() {
        output::error(&format!("{name}: this is a folder, not a file"));
        return Err(Exit::BadInput);
    }
    source(&name, File::open(path).and_then(read))
}

fn read(mut file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn source(name: &str, bytes: io::Result<Vec<u8>>) -> Result<Source, Exit> {
    let bytes = bytes.map_err(|cause| {
        let reason = match cause.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "no permission to read this file".to_owned(),
            _ => cause.to_string(),
        };
        output::error(&format!("{name}: {reason}"));
        Exit::BadInput
    })?;
    Source::from_bytes(name, bytes).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })
}

/// Shows what is wrong with a source: errors, and warnings unless the user wants to be left
/// alone.
pub(crate) fn report(source: &Source, diagnostics: &Diagnostics, arguments: &QuestionArguments) {
    if diagnostics.has_errors() || (!diagnostics.is_empty() && !arguments.quiet) {
        output::diagnostics(source, diagnostics);
    }
}
