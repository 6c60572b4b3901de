//! Flat machines of either format as programs, for those who only want to check them.

use std::path::Path;

use recurva_syntax::Source;

pub use crate::parsed::Parsed;
use crate::{pds, rsm};

/// A format of flat machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Recursive state machines.
    Rsm,
    /// Pushdown systems.
    Pds,
}

impl Format {
    /// The format of a file, by its extension; `None` if it is no flat machine.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rsm" => Some(Format::Rsm),
            "pds" => Some(Format::Pds),
            _ => None,
        }
    }
}

/// Reads a flat machine and translates it: see
/// [`Rsm::to_program`](recurva_model::Rsm::to_program) and
/// [`Pds::to_program`](recurva_model::Pds::to_program).
pub fn parse(source: &Source, format: Format) -> Parsed {
    match format {
        Format::Rsm => {
            let parsed = rsm::parse(source);
            Parsed {
                program: parsed.rsm.map(|rsm| rsm.to_program().program),
                diagnostics: parsed.diagnostics,
            }
        }
        Format::Pds => {
            let parsed = pds::parse(source);
            Parsed {
                program: parsed.pds.map(|pds| pds.to_program().program),
                diagnostics: parsed.diagnostics,
            }
        }
    }
}
