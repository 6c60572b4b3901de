//! Models of every format as programs, for those who only want to check them.

use std::{borrow::Cow, collections::HashSet, path::Path};

use recurva_model::{
    Nsm, Pds, Point, Program,
    rsm::{Letters, ProgramOfRsm, Role, Rsm, Vertex, VertexId},
};
use recurva_syntax::{Diagnostics, Index, Source};

use crate::{bp, nsm, pds, rem, rsm};

/// A format of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Boolean programs, `.bp`.
    Bp,
    /// Remopla, `.rem`.
    Rem,
    /// Recursive state machines, `.rsm`.
    Rsm,
    /// Pushdown systems, `.pds`.
    Pds,
    /// Nested state machines, `.nsm`.
    Nsm,
}

impl Format {
    /// The format of a file, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "bp" => Some(Format::Bp),
            "rem" => Some(Format::Rem),
            "rsm" => Some(Format::Rsm),
            "pds" => Some(Format::Pds),
            "nsm" => Some(Format::Nsm),
            _ => None,
        }
    }

    /// Whether it is a format of flat machines, which have no variables.
    pub fn is_machine(self) -> bool {
        matches!(self, Format::Rsm | Format::Pds | Format::Nsm)
    }
}

/// How to read a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How `=` and `!=` bind in a boolean program.
    pub dialect: bp::Dialect,
    /// What becomes of the letters of a flat machine.
    pub letters: Letters,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: bp::Dialect::default(),
            letters: Letters::Dropped,
        }
    }
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The model; `None` if and only if there were errors.
    pub model: Option<Model>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// A model as a program.
#[derive(Clone, Debug)]
pub struct Model {
    /// The program.
    pub program: Program,
    /// What it has besides if it is a flat machine.
    pub machine: Option<Machine>,
}

/// Which nodes of a program stand for what in the flat machine that it was made from.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Those that are positions of the machine's own runs: not those of ports, nor those that
    /// the translation made up.
    pub positions: Vec<Point>,
    /// The letters, each with the nodes that stand for it.
    pub letters: Vec<(Box<str>, Vec<Point>)>,
    /// The machine itself; a pushdown system or a nested state machine as the machine made from
    /// it.
    pub rsm: Rsm,
    /// The machine itself if it is a nested state machine.
    nsm: Option<Nsm>,
    /// The node of each vertex of the machine, in their order.
    pub points: Vec<Point>,
    /// Names of the machine that no node is labelled with, such as a stack symbol that never comes
    /// to the top.
    pub unseen: Vec<Box<str>>,
    /// The nodes that are positions for formulas about calls. A recursive state machine calls at a
    /// port and returns to one, so they are all nodes of vertices; a nested state machine at a
    /// state. A pushdown system has none: what is called in the machine made from it, the system
    /// only pushes.
    pub nested_positions: Option<Vec<Point>>,
}

/// Reads a model. For what becomes of flat machines see
/// [`Rsm::to_program`](recurva_model::Rsm::to_program),
/// [`Pds::to_program`](recurva_model::Pds::to_program) and
/// [`Nsm::to_rsm`](recurva_model::Nsm::to_rsm).
pub fn parse(source: &Source, format: Format, options: &Options) -> Parsed {
    let Options { dialect, letters } = *options;
    let (model, diagnostics) = match format {
        Format::Bp => {
            let parsed = bp::parse(source, &bp::Options { dialect });
            (parsed.program.map(Model::program), parsed.diagnostics)
        }
        Format::Rem => {
            let parsed = rem::parse(source);
            (parsed.program.map(Model::program), parsed.diagnostics)
        }
        Format::Rsm => {
            let parsed = rsm::parse(source);
            let model = parsed.rsm.map(|rsm| {
                let translated = rsm.to_program(letters);
                Model {
                    machine: Some(Machine::new(rsm, &translated, |_| true)),
                    program: translated.program,
                }
            });
            (model, parsed.diagnostics)
        }
        Format::Pds => {
            let parsed = pds::parse(source);
            let model = parsed.pds.map(|pds| {
                let translated = pds.to_program(letters);
                // Entries and exits stand for moments of the configurations of inner nodes.
                let (rsm, points) = (translated.machine.rsm, &translated.points);
                let unseen = unseen(&pds, &translated.program);
                let machine = Machine::new(rsm, points, |role| role == Role::Inner);
                Model {
                    machine: Some(Machine { unseen, ..machine }),
                    program: translated.program,
                }
            });
            (model, parsed.diagnostics)
        }
        Format::Nsm => {
            let parsed = nsm::parse(source);
            let model = parsed.nsm.map(|nsm| {
                let rsm = nsm.to_rsm();
                let translated = rsm.to_program(letters);
                let machine = Machine::new(rsm, &translated, |role| role == Role::Inner);
                Model {
                    machine: Some(Machine {
                        nsm: Some(nsm),
                        nested_positions: Some(machine.positions.clone()),
                        ..machine
                    }),
                    program: translated.program,
                }
            });
            (model, parsed.diagnostics)
        }
    };
    Parsed { model, diagnostics }
}

/// The locations, symbols, heads and propositions of a system that no node is labelled with.
fn unseen(pds: &Pds, program: &Program) -> Vec<Box<str>> {
    let seen: HashSet<&str> = program.labels().iter().map(|label| &*label.name).collect();
    let parts = pds.parts();
    let heads = (parts.controls.iter()).flat_map(|control| {
        parts
            .symbols
            .iter()
            .map(move |it| format!("{control}.{it}"))
    });
    let single = parts.controls.iter().chain(&parts.symbols);
    let propositions = parts.labels.iter().map(|label| &label.name);
    let mut names: Vec<Box<str>> = single.chain(propositions).cloned().collect();
    // Of very many heads most are never asked about.
    names.extend(heads.take(100_000).map(String::into_boxed_str));
    names.retain(|name| !seen.contains(&**name));
    names
}

/// Where the names of a model are declared and used, as far as the text can be read; empty for
/// flat machines.
pub fn index(source: &Source, format: Format, options: &Options) -> Index {
    let dialect = options.dialect;
    match format {
        Format::Bp => bp::index(source, &bp::Options { dialect }),
        Format::Rem => rem::index(source),
        Format::Rsm | Format::Pds | Format::Nsm => Index::default(),
    }
}

impl Model {
    fn program(program: Program) -> Self {
        Model {
            program,
            machine: None,
        }
    }
}

impl Machine {
    fn new(rsm: Rsm, translated: &ProgramOfRsm, counts: impl Fn(Role) -> bool) -> Self {
        let is_position = |&vertex: &VertexId| {
            let place = rsm.place(vertex);
            matches!(place.vertex, Vertex::Node(_)) && counts(rsm.node(place).role)
        };
        let positions = rsm.vertices().filter(is_position);
        let positions: Vec<Point> = positions.map(|vertex| translated.point(vertex)).collect();
        let alphabet = rsm.parts().alphabet.iter();
        let mut letters: Vec<(Box<str>, Vec<Point>)> =
            alphabet.map(|name| (name.clone(), Vec::new())).collect();
        for &(letter, point) in &translated.letters {
            letters[letter.index()].1.push(point);
        }
        let points: Vec<Point> = (rsm.vertices())
            .map(|vertex| translated.point(vertex))
            .collect();
        Machine {
            positions,
            letters,
            nested_positions: counts(Role::Entry).then(|| points.clone()),
            points,
            unseen: Vec::new(),
            rsm,
            nsm: None,
        }
    }

    /// The machine as a nested state machine.
    pub fn nested(&self) -> Cow<'_, Nsm> {
        match &self.nsm {
            Some(nsm) => Cow::Borrowed(nsm),
            None => Cow::Owned(Nsm::of_rsm(&self.rsm).nsm),
        }
    }
}
