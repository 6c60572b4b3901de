//! Infinite runs: is there one that an automaton accepts?

use std::ops::ControlFlow;

use recurva_evidence::Trace;
use recurva_model::{Automaton, Ending, Program, Stack};

use crate::{
    answer::{Config, FairAnswer, FairFinished, Progress},
    heads::{Graph, Heads},
    layout::Copy,
    observer::Observer,
    run::{prepare, search},
    search::Search,
    space::Res,
};

/// Decides whether an automaton accepts an infinite run of the program whose stack is of the
/// kind asked for.
///
/// Of runs with any stack it gives one whose stack stays finite if there is one: if the stack
/// of the run it gives diverges, that of every accepted run does.
///
/// `tick` is told a few dozen times a second how far the search is, between operations on
/// decision diagrams, and may stop it.
pub fn fair(
    program: &Program,
    automaton: &Automaton,
    stack: Stack,
    ending: Ending,
    config: &Config,
    mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> FairFinished {
    let observer = Observer::of_automaton(automaton);
    if observer.fair.is_empty() {
        return FairFinished {
            answer: FairAnswer::Empty,
            progress: Progress::default(),
            sizes: crate::Sizes::default(),
        };
    }
    let prepared = prepare(program, observer, config, ending, |_| false, &mut tick);
    let finish = |search: &Search<'_, '_>, _| find(search, stack, config.traces);
    let (result, progress, sizes) = search(prepared, &[], config, &mut tick, finish);
    let stopped = match progress.is_found {
        true => FairAnswer::Unfinished,
        false => FairAnswer::Stopped,
    };
    FairFinished {
        answer: result.unwrap_or_else(stopped),
        progress,
        sizes,
    }
}

/// Looks for an accepted run among the heads that a search has reached.
pub(crate) fn find(search: &Search<'_, '_>, stack: Stack, traces: bool) -> Res<FairAnswer> {
    let Some(found) = recurring(search, stack)? else {
        return Ok(FairAnswer::Empty);
    };
    search.setting.space.is_found.set(true);
    if !traces {
        return Ok(FairAnswer::Found(None));
    }
    let trace = match stack {
        Stack::Any => match recurring(search, Stack::Finite)? {
            Some(finite) => finite.lasso()?,
            None => match recurring(search, Stack::Diverging)? {
                Some(diverging) => diverging.lasso()?,
                None => None,
            },
        },
        Stack::Finite | Stack::Diverging => found.lasso()?,
    };
    Ok(FairAnswer::Found(trace.map(Box::new)))
}

/// A graph, and heads in it that come round or to which a way leads from one that does.
struct Recurring<'a, 's, 'p> {
    graph: Graph<'a, 's, 'p>,
    heads: Heads,
}

impl Recurring<'_, '_, '_> {
    fn lasso(self) -> Res<Option<Trace>> {
        self.graph.lasso(self.heads)
    }
}

/// Finds heads that come round, in one component of the program and the automaton.
fn recurring<'a, 's, 'p>(
    search: &'a Search<'s, 'p>,
    stack: Stack,
) -> Res<Option<Recurring<'a, 's, 'p>>> {
    let graph = Graph::new(search, stack)?;
    let setting = search.setting;
    let (observer, layout) = (&setting.prepared.observer, &setting.prepared.layout);
    for region in graph.regions() {
        for states in &observer.fair {
            let states = observer.any_of(&setting.space, layout, Copy::Now, states)?;
            let heads = graph.recurring(graph.reached(&region, &states)?)?;
            if !heads.is_empty() {
                return Ok(Some(Recurring { graph, heads }));
            }
        }
    }
    Ok(None)
}
