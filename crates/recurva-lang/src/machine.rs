//! Flat machines of either format as programs, for those who only want to check them.

use std::path::Path;

use recurva_model::{
    Point, Program,
    rsm::{Letters, ProgramOfRsm, Role, Rsm, Vertex, VertexId},
};
use recurva_syntax::{Diagnostics, Source};

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

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The machine; `None` if and only if there were errors.
    pub machine: Option<Machine>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// A flat machine as a program.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The program.
    pub program: Program,
    /// The nodes that are positions of the machine's own runs: not those of ports, nor those
    /// that the translation made up.
    pub positions: Vec<Point>,
    /// The letters, each with the nodes that stand for it.
    pub letters: Vec<(Box<str>, Vec<Point>)>,
}

/// Reads a flat machine and translates it: see
/// [`Rsm::to_program`](recurva_model::Rsm::to_program) and
/// [`Pds::to_program`](recurva_model::Pds::to_program).
pub fn parse(source: &Source, format: Format, letters: Letters) -> Parsed {
    match format {
        Format::Rsm => {
            let parsed = rsm::parse(source);
            let machine = parsed.rsm.map(|rsm| {
                let translated = rsm.to_program(letters);
                let program = translated.program.clone();
                Machine::new(&rsm, &translated, program, |_| true)
            });
            Parsed {
                machine,
                diagnostics: parsed.diagnostics,
            }
        }
        Format::Pds => {
            let parsed = pds::parse(source);
            let machine = parsed.pds.map(|pds| {
                let translated = pds.to_program(letters);
                // Entries and exits stand for moments of the configurations of inner nodes.
                let (rsm, points) = (&translated.machine.rsm, &translated.points);
                Machine::new(rsm, points, translated.program, |role| role == Role::Inner)
            });
            Parsed {
                machine,
                diagnostics: parsed.diagnostics,
            }
        }
    }
}

impl Machine {
    fn new(
        rsm: &Rsm,
        translated: &ProgramOfRsm,
        program: Program,
        counts: impl Fn(Role) -> bool,
    ) -> Self {
        let is_position = |&vertex: &VertexId| {
            let place = rsm.place(vertex);
            matches!(place.vertex, Vertex::Node(_)) && counts(rsm.node(place).role)
        };
        let positions = rsm.vertices().filter(is_position);
        let positions = positions.map(|vertex| translated.point(vertex)).collect();
        let alphabet = rsm.parts().alphabet.iter();
        let mut letters: Vec<(Box<str>, Vec<Point>)> =
            alphabet.map(|name| (name.clone(), Vec::new())).collect();
        for &(letter, point) in &translated.letters {
            letters[letter.index()].1.push(point);
        }
        Machine {
            program,
            positions,
            letters,
        }
    }
}
