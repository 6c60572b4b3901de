//! Programs, and flat machines as programs, behind the façade.

use std::sync::OnceLock;

use recurva_draw::{Drawing, machines};
use recurva_lang::{
    model::{self, Machine},
    nsm, pds,
    provenance::Provenance,
    rsm,
};
use recurva_logic::ltl::MachineAtoms;
use recurva_model::{FailureKind, Nsm, Origin, Point, Program};
use recurva_syntax::{Source, Span};

use super::{flat::FlatMachine, read, spec::Vocabulary};
use crate::{
    Asked, Format, Limit, Model, Options, Question, ReadOptions, Refused, Said, Watch,
    asked::Sort,
    branching::{self, Starts, Subject},
    content::{Content, Converted, Offer, Picture},
    watch::Clock,
};

/// A program, and what it has besides if it was a flat machine.
#[derive(Debug)]
pub(crate) struct ProgramContent {
    pub(super) program: Program,
    machine: Option<Flat>,
    /// Where its statements came from, if it was made from C.
    pub(super) places: Provenance,
    /// A node for each letter of a flat machine, if formulas are about letters.
    letters: Option<Vec<Point>>,
    /// Texts that it was made from besides the model's, whose places follow.
    pub(super) more: Vec<Source>,
    /// Whether it is a C program as the engines see it.
    is_c: bool,
}

/// What a flat machine has besides its program.
#[derive(Debug)]
struct Flat {
    machine: Machine,
    /// As formulas about branching see it, once one is asked about.
    nested: OnceLock<Nsm>,
}

impl Flat {
    fn nested(&self) -> &Nsm {
        self.nested
            .get_or_init(|| self.machine.nested().into_owned())
    }

    /// A machine with several initial states gets one before them.
    fn starts(&self) -> Starts {
        match self.machine.rsm.init().len() {
            1 => Starts::Here,
            _ => Starts::Behind,
        }
    }
}

/// A program with a monitor in it.
#[derive(Debug)]
pub(crate) struct Woven {
    pub(crate) program: Program,
    /// The texts whose places follow the model's: those the model has besides, then the monitor's.
    pub(crate) more: Vec<Source>,
    /// The events that match nothing in the program, with their places.
    pub(crate) silent: Vec<(String, Origin)>,
}

impl ProgramContent {
    pub(crate) fn new(source: &Source, model: model::Model, options: &ReadOptions) -> Self {
        let program = match options.arithmetic {
            true => model.program.with_arithmetic_checks(),
            false => model.program,
        };
        let machine = model.machine;
        let letters = machine.as_ref().filter(|_| options.letters);
        let letters = letters.map(|machine| {
            let nodes = machine.letters.iter();
            nodes
                .filter_map(|(_, points)| points.first().copied())
                .collect()
        });
        ProgramContent {
            program,
            machine: machine.map(|machine| Flat {
                machine,
                nested: OnceLock::new(),
            }),
            places: Provenance::of(source),
            letters,
            more: Vec::new(),
            is_c: false,
        }
    }

    /// A C program, which was made from several texts, the model's first.
    pub(crate) fn of_program(program: Program, more: Vec<Source>, places: Provenance) -> Self {
        ProgramContent {
            is_c: true,
            program,
            machine: None,
            places,
            letters: None,
            more,
        }
    }

    /// What properties of infinite runs speak about.
    pub(super) fn vocabulary(&self) -> Vocabulary<'_> {
        match &self.machine {
            None if self.is_c => Vocabulary::C,
            None => Vocabulary::Program,
            Some(flat) if self.letters.is_some() => Vocabulary::Letters(&flat.machine.letters),
            Some(flat) => Vocabulary::Machine {
                positions: &flat.machine.positions,
                nested: flat.machine.nested_positions.as_deref(),
                atoms: MachineAtoms {
                    unseen: &flat.machine.unseen,
                    nested: flat.machine.nested_positions.as_deref(),
                },
            },
        }
    }

    /// The flat machine itself, for the engine that works on it as a whole.
    pub(super) fn flat(&self) -> Option<FlatMachine<'_>> {
        let Machine { rsm, points, .. } = &self.machine.as_ref()?.machine;
        Some(FlatMachine {
            rsm,
            points,
            letters: self.letters.as_deref(),
        })
    }

    /// What formulas about branching are asked of.
    pub(crate) fn subject(&self) -> Subject<'_> {
        match &self.machine {
            // The first step of a C program gives its variables their initial values.
            None if self.is_c => Subject::Program(&self.program, Starts::Behind),
            None => Subject::Program(&self.program, Starts::Here),
            Some(flat) => Subject::Machine {
                nsm: flat.nested(),
                starts: flat.starts(),
            },
        }
    }

    /// Whether a machine has a name that nothing is labelled with.
    pub(super) fn is_unseen(&self, name: &str) -> bool {
        let flat = self.machine.iter();
        let mut unseen = flat.flat_map(|flat| &flat.machine.unseen);
        unseen.any(|unseen| **unseen == *name)
    }

    /// Whether it is a C program as the engines see it.
    pub(super) fn is_c(&self) -> bool {
        self.is_c
    }

    pub(super) fn is_machine(&self) -> bool {
        self.machine.is_some()
    }
}

impl Content for ProgramContent {
    fn sort(&self) -> Sort {
        match &self.machine {
            None => Sort::Program,
            Some(flat) if flat.machine.nested_positions.is_none() => Sort::Pushdown,
            Some(_) => Sort::Machine,
        }
    }

    fn questions<'m>(
        &'m self,
        model: &'m Model,
        asked: &Asked,
        said: &mut Vec<Said>,
        _: &mut Clock<'_>,
    ) -> Result<Vec<Question<'m>>, Refused> {
        read::questions(self, model, asked, said)
    }

    fn offers(&self, _: &Model) -> Vec<Offer> {
        let program = &self.program;
        let mut offers = Vec::new();
        let mut offer = |place: Origin, title, asked| {
            offers.push(Offer {
                place: Span::new(place.start, place.end),
                title,
                asked,
                name: None,
                detail: String::new(),
                entry: None,
            });
        };
        let main = program.procedure(program.main());
        offer(main.origin, "check this program", Asked::default());
        let failures = program.failures().iter().enumerate();
        for (number, failure) in failures.filter(|(_, it)| it.kind == FailureKind::Assertion) {
            let asked = Asked {
                assertion: Some(number),
                ..Asked::default()
            };
            offer(failure.origin, "check this assertion", asked);
        }
        // A machine's labels are propositions of its nodes.
        let labels = program.labels().iter().filter(|_| !self.is_machine());
        for label in labels.filter(|it| matches!(&*it.name, "ERROR" | "SLIC_ERROR")) {
            let procedure = &program.procedure(label.point.procedure).name;
            let asked = Asked {
                reach: vec![format!("{procedure}::{}", label.name)],
                ..Asked::default()
            };
            offer(label.origin, "check that this label is not reached", asked);
        }
        offers
    }

    fn program(&self) -> Option<&Program> {
        Some(&self.program)
    }

    fn more(&self) -> &[Source] {
        &self.more
    }

    fn drawing(&self, model: &Model, picture: Picture) -> Result<Option<Drawing>, Refused> {
        let title = model.name();
        let Some(flat) = &self.machine else {
            return match picture {
                Picture::Whole => Ok(None),
                Picture::Resources => Err(Refused::Said(vec![Said::error_if(
                    "--r-graph is for machines (.pds, .rsm and .nsm)",
                    None,
                )])),
            };
        };
        let rsm = &flat.machine.rsm;
        let system = match model.format().extension {
            "pds" => pds::parse(model.source()).pds,
            _ => None,
        };
        Ok(Some(match (picture, model.format().extension, system) {
            (Picture::Resources, _, Some(system)) => machines::resource(&system, title),
            (Picture::Resources, ..) => machines::resource(&rsm.to_pds().pds, title),
            (Picture::Whole, _, Some(system)) => machines::pds(&system, title),
            (Picture::Whole, "nsm", _) => machines::nsm(flat.nested(), title),
            (Picture::Whole, ..) => machines::rsm(rsm, title),
        }))
    }

    fn drawings(&self, model: &Model) -> Vec<Drawing> {
        match &self.machine {
            Some(flat) => vec![machines::nsm(flat.nested(), model.name())],
            None => Vec::new(),
        }
    }

    fn converted(
        &self,
        model: &Model,
        to: &Format,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Option<Converted> {
        let Some(flat) = &self.machine else {
            return (to.extension == "nsm").then(|| self.states(options, watch));
        };
        Some(Ok(match (model.format().extension, to.extension) {
            ("pds", "pds") => pds::write(&pds::parse(model.source()).pds?),
            (_, "pds") => pds::write(&flat.machine.rsm.to_pds().pds),
            (_, "rsm") => rsm::write(&flat.machine.rsm),
            (_, "nsm") => nsm::write(flat.nested()),
            _ => return None,
        }))
    }
}

impl ProgramContent {
    /// All states of a program as a nested state machine.
    fn states(&self, options: &Options, watch: &mut dyn Watch) -> Converted {
        match branching::export(&self.program, options, watch) {
            Ok(Ok(exported)) => Ok(nsm::write(&exported.nsm)),
            Ok(Err(Limit::States(_))) => Err(Refused::error(
                "the program has too many states to write them all down",
                "make the variables narrower",
            )),
            Ok(Err(limit)) => Err(Refused::Limit(limit)),
            Err(error) => Err(Refused::Internal(error.to_string())),
        }
    }
}
