//! From one model format to another.

use std::path::Path;

use recurva_check::{
    Limits, Options,
    nested::{NestedLimit, NestedOptions, export},
};
use recurva_lang::{
    model::{self, Format},
    nsm, pds, rsm,
};
use recurva_model::{Nsm, Pds, Program, Rsm, pds::Heads};
use recurva_syntax::{Diagnostics, Source};

use crate::{
    exit::Exit,
    files, interrupt, limits, load, output,
    progress::{Line, Wanted},
};

/// Converts a model to the format of `to`: flat machines to each other, and anything to a nested
/// state machine. `None` if there is no such conversion: then it is somebody else's. Nothing is
/// written unless the input is right.
///
/// The same format on both sides rewrites the machine in its plainest form.
pub(crate) fn convert(from: &Path, to: &Path) -> Option<Exit> {
    let (input, target) = (Format::of(from)?, Format::of(to)?);
    if !target.is_machine() || !(input.is_machine() || target == Format::Nsm) {
        return None;
    }
    Some(match run(from, input, to, target) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    })
}

fn run(from: &Path, input: Format, to: &Path, target: Format) -> Result<(), Exit> {
    let source = load::open(from)?;
    let text = match input {
        Format::Rsm => {
            let parsed = rsm::parse(&source);
            let machine = checked(&source, &parsed.diagnostics, parsed.rsm)?;
            match target {
                Format::Rsm => rsm::write(&machine),
                Format::Pds => pds::write(&machine.to_pds().pds),
                _ => nested(&machine),
            }
        }
        Format::Pds => {
            let parsed = pds::parse(&source);
            let system = checked(&source, &parsed.diagnostics, parsed.pds)?;
            let machine = |system: &Pds| system.to_rsm(Heads::Mentioned).rsm;
            match target {
                Format::Pds => pds::write(&system),
                Format::Rsm => rsm::write(&machine(&system)),
                _ => nested(&machine(&system)),
            }
        }
        Format::Nsm => {
            let parsed = nsm::parse(&source);
            let machine = checked(&source, &parsed.diagnostics, parsed.nsm)?;
            match target {
                Format::Rsm => rsm::write(&machine.to_rsm()),
                Format::Pds => pds::write(&machine.to_rsm().to_pds().pds),
                _ => nsm::write(&machine),
            }
        }
        Format::Bp | Format::Rem => {
            let parsed = model::parse(&source, input, &model::Options::default());
            let model = checked(&source, &parsed.diagnostics, parsed.model)?;
            states(&model.program)?
        }
    };
    files::store(to, &[from], text.as_bytes())
}

/// What was read, if nothing was wrong; else that has been said.
pub(crate) fn checked<T>(
    source: &Source,
    diagnostics: &Diagnostics,
    read: Option<T>,
) -> Result<T, Exit> {
    if !diagnostics.is_empty() {
        output::diagnostics(source, diagnostics);
    }
    read.ok_or(Exit::BadInput)
}

fn nested(machine: &Rsm) -> String {
    nsm::write(&Nsm::of_rsm(machine).nsm)
}

/// All states of a program.
fn states(program: &Program) -> Result<String, Exit> {
    interrupt::listen();
    let options = NestedOptions {
        options: Options {
            limits: Limits {
                time: None,
                memory: limits::default_memory(),
            },
            ..Options::default()
        },
        ..NestedOptions::default()
    };
    let mut line = Line::new(Wanted::Yes);
    let result = export(program, &options, &mut line);
    drop(line);
    match result {
        Ok(Ok(exported)) => Ok(nsm::write(&exported.nsm)),
        Ok(Err(NestedLimit::Interrupted)) => Err(Exit::Interrupted),
        Ok(Err(_)) => {
            output::error("the program has too many states to write them all down");
            output::help("make the variables narrower");
            Err(Exit::Unknown)
        }
        Err(error) => {
            output::internal_error(&error.to_string());
            Err(Exit::Internal)
        }
    }
}
