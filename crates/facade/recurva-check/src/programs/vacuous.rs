//! What a proof about runs says nothing about: it holds because nothing happens that it is about.
//!
//! Each remark rests on further searches, which are given up when they turn out not to be small.
//! Then nothing is said: a remark is never a guess.

use std::ops::ControlFlow;

use recurva_logic::ltl::{Formula, Formulas};
use recurva_model::{FailureKind, Guard, GuardOp, Monitor, MonitorState, Origin, Point, Program};

use super::{Ltl, Property, check};
use crate::{Engine, Limit, Note, Options, Progress, Verdict, Watch};

/// So many path edges are worth all remarks together.
const ENOUGH: u64 = 200_000;

/// So many looks at the progress are, which come at fixed amounts of work: a search may try billions
/// of values and come to few path edges.
const MOST_LOOKS: u32 = 100;

/// So many searches are.
const MOST_SEARCHES: usize = 32;

/// What should be known of a property that holds.
pub(super) fn notes(
    program: &Program,
    property: &Property,
    options: &Options,
    watch: &mut dyn Watch,
) -> Vec<Note> {
    let mut searching = Searching {
        program,
        options: Options {
            engine: Engine::Explicit,
            ..*options
        },
        watch,
        left: ENOUGH,
        looks: MOST_LOOKS,
    };
    match property {
        Property::Unreachable { points, name } if points.is_empty() => {
            vec![nothing(program, name)]
        }
        Property::Unreachable { points, .. } => searching.assertions(points),
        Property::Monitor(monitor) => searching.monitor(monitor),
        Property::Ltl(formula) | Property::Caret(formula) => {
            let positions = formula.positions.as_ref();
            match searching.no_infinite_run(positions) {
                Some(note) => vec![note],
                None => searching.atoms(formula),
            }
        }
        Property::Never(never) => {
            let positions = never.positions.as_ref();
            searching.no_infinite_run(positions).into_iter().collect()
        }
    }
}

fn nothing(program: &Program, name: &str) -> Note {
    if name.starts_with("label ") {
        return Note::new("nothing in the model has this label");
    }
    let what = match program.failures().is_empty() && program.labels().is_empty() {
        true => "the model has neither assertions nor labels: there is nothing to violate",
        false => "the model has nothing that is an error by itself: there is nothing to violate",
    };
    Note::new(what).help("ask a question with --reach LABEL, --ltl FORMULA or --spec FILE")
}

struct Searching<'a> {
    program: &'a Program,
    options: Options,
    watch: &'a mut dyn Watch,
    /// The path edges that may still be searched.
    left: u64,
    /// How often the progress may still be looked at.
    looks: u32,
}

impl Searching<'_> {
    /// The verdict on a property, if that is found soon, and where a run that violates it ends.
    fn ask(&mut self, property: &Property) -> Option<(Verdict, Option<Point>)> {
        let mut budget = Budget {
            watch: self.watch,
            left: self.left,
            looks: &mut self.looks,
        };
        let answer = check(self.program, property, &self.options, &mut budget).ok()?;
        self.left = self.left.saturating_sub(answer.stats.path_edges);
        let end = answer.run().map(|run| run.end().top().point());
        match answer.verdict {
            Verdict::Unknown(_) => None,
            verdict => Some((verdict, end)),
        }
    }

    fn is_unreachable(&mut self, points: Vec<Point>) -> bool {
        let property = Property::Unreachable {
            name: String::new(),
            points,
        };
        matches!(self.ask(&property), Some((Verdict::Holds, _)))
    }

    /// Assertions among these points that no run comes to.
    fn assertions(&mut self, points: &[Point]) -> Vec<Note> {
        let failures = self.program.failures().iter();
        let asserted =
            failures.filter(|it| it.kind == FailureKind::Assertion && points.contains(&it.point));
        let mut open: Vec<(Origin, Vec<Point>)> = asserted
            .map(|failure| (failure.origin, before(self.program, failure.point)))
            .collect();
        for _ in 0..MOST_SEARCHES {
            let all: Vec<Point> = open.iter().flat_map(|(_, points)| points.clone()).collect();
            if open.is_empty() {
                return Vec::new();
            }
            let property = Property::Unreachable {
                name: String::new(),
                points: all,
            };
            match self.ask(&property) {
                None => return Vec::new(),
                Some((Verdict::Holds, _)) => break,
                // Where the run ends an assertion is reached.
                Some((_, Some(end))) => open.retain(|(_, points)| !points.contains(&end)),
                Some((_, None)) => return Vec::new(),
            }
        }
        let note = |(place, _): (Origin, Vec<Point>)| {
            Note::new("this assertion is never reached, so it cannot fail").at(place)
        };
        match open.len() < MOST_SEARCHES {
            true => open.into_iter().map(note).collect(),
            false => vec![Note::new(format!(
                "{} assertions are never reached, so they cannot fail",
                open.len()
            ))],
        }
    }

    /// Whether a monitor never moves.
    fn monitor(&mut self, monitor: &Monitor) -> Vec<Note> {
        let initial = monitor.initial();
        let states = (0u32..).zip(monitor.states());
        let states = states.map(|(index, state)| MonitorState {
            target: index != initial,
            ..state.clone()
        });
        let moving = Monitor::new(
            self.program,
            monitor.name(),
            states.collect(),
            initial,
            monitor.edges().to_vec(),
        );
        let Ok(moving) = moving else {
            return Vec::new();
        };
        match self.ask(&Property::Monitor(moving)) {
            Some((Verdict::Holds, _)) => {
                let (name, state) = (monitor.name(), &monitor.states()[initial as usize].name);
                vec![Note::new(format!(
                    "monitor {name} never leaves its first state `{state}`: nothing that it \
                     watches for happens"
                ))]
            }
            _ => Vec::new(),
        }
    }

    /// Whether no run is infinite.
    fn no_infinite_run(&mut self, positions: Option<&Guard>) -> Option<Note> {
        let mut formulas = Formulas::new();
        let root = formulas.constant(false);
        let property = Property::Ltl(Ltl {
            name: String::new(),
            formula: Formula { formulas, root },
            guards: Vec::new(),
            positions: positions.cloned(),
        });
        let (verdict, _) = self.ask(&property)?;
        let main = self.program.procedure(self.program.main());
        (verdict == Verdict::Holds).then(|| {
            Note::new("no run of the model is infinite, so every formula holds")
                .help("is every run blocked, by an assumption or by a guard that is false?")
                .at(main.origin)
        })
    }

    /// Labels in a formula that no run comes to.
    fn atoms(&mut self, formula: &Ltl) -> Vec<Note> {
        let atoms = formula.formula.formulas.atoms().iter().zip(&formula.guards);
        let labels = atoms.filter_map(|(atom, guard)| match guard.ops() {
            [GuardOp::At(points)] => Some((atom.text.to_string(), points.to_vec())),
            _ => None,
        });
        let labels: Vec<(String, Vec<Point>)> = labels.take(MOST_SEARCHES).collect();
        let mut notes = Vec::new();
        for (text, points) in labels {
            let place = points.first().map(|point| {
                let procedure = self.program.procedure(point.procedure);
                procedure.nodes[point.node.index()].origin
            });
            if self.is_unreachable(points) {
                let text = format!("no run comes to `{text}`, which the formula speaks of");
                notes.push(Note::new(text).at(place.unwrap_or_default()));
            }
        }
        notes
    }
}

/// The nodes from which an edge leads to a node.
fn before(program: &Program, point: Point) -> Vec<Point> {
    let edges = program.procedure(point.procedure).edges.iter();
    let leading = edges.filter(|edge| edge.to == point.node);
    let mut list: Vec<Point> = leading
        .map(|edge| Point {
            procedure: point.procedure,
            node: edge.from,
        })
        .collect();
    list.dedup();
    list
}

/// Ends a search that is not small.
struct Budget<'w> {
    watch: &'w mut dyn Watch,
    left: u64,
    looks: &'w mut u32,
}

impl Watch for Budget<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        *self.looks = self.looks.saturating_sub(1);
        match progress.explicit {
            _ if *self.looks == 0 => ControlFlow::Break(Limit::Interrupted),
            Some(explicit) if explicit.path_edges > self.left => {
                ControlFlow::Break(Limit::Interrupted)
            }
            _ => self.watch.progress(progress),
        }
    }
}
