//! From one model format to another.

use std::path::Path;

use recurva_lang::{model::Format, pds, rsm};
use recurva_model::pds::Heads;

use crate::{convert::store, exit::Exit, load, output};

/// Converts a flat machine, `.rsm` or `.pds`, to the format of `to`. `None` if one of the two
/// is no flat machine: then this conversion is somebody else's. Nothing is written unless
/// the input is right.
///
/// The same format on both sides rewrites the machine in its plainest form.
pub(crate) fn convert(from: &Path, to: &Path) -> Option<Exit> {
    let (input, target) = (Format::of(from)?, Format::of(to)?);
    if !input.is_machine() || !target.is_machine() {
        return None;
    }
    let source = match load::open(from) {
        Ok(source) => source,
        Err(exit) => return Some(exit),
    };
    let to_pds = target == Format::Pds;
    let (text, diagnostics) = match input {
        Format::Rsm => {
            let parsed = rsm::parse(&source);
            let text = parsed.rsm.map(|machine| match to_pds {
                false => rsm::write(&machine),
                true => pds::write(&machine.to_pds().pds),
            });
            (text, parsed.diagnostics)
        }
        _ => {
            let parsed = pds::parse(&source);
            let text = parsed.pds.map(|system| match to_pds {
                false => rsm::write(&system.to_rsm(Heads::Mentioned).rsm),
                true => pds::write(&system),
            });
            (text, parsed.diagnostics)
        }
    };
    if !diagnostics.is_empty() {
        output::stderr(&diagnostics.render(&source, output::style()));
    }
    let Some(text) = text else {
        return Some(Exit::BadInput);
    };
    Some(match store(to, text.as_bytes()) {
        Ok(()) => Exit::Holds,
        Err(cause) => {
            output::error(&format!("{}: cannot write: {cause}", to.display()));
            Exit::BadInput
        }
    })
}
