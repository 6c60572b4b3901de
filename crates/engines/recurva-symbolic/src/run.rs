//! The façade: a question in, an answer out.

use std::{collections::BTreeSet, ops::ControlFlow, time::Instant};

use recurva_model::{Ending, Monitor, Patience, Point, Program};

use crate::{
    answer::{Answer, Config, Explored, Finished, Progress, Sizes, Stopped},
    explain::explain,
    layout::Copy,
    observer::Observer,
    room::{Room, retire, work},
    search::{Found, Search},
    setting::{Prepared, Setting},
    space::{Halt, Res, Space},
};

/// A search is begun again so many times in the same room, each time in a better order of the
/// variables.
const MOST_STAYS: u32 = 3;

/// Decides whether a run of the program reaches one of the `targets`, or leads the monitor
/// into a target state.
///
/// `tick` is told a few dozen times a second (or as [`Config::tick_after`] says) how far the
/// search is, between operations on decision diagrams, and may stop it.
pub fn reach(
    program: &Program,
    monitor: Option<&Monitor>,
    targets: &[Point],
    config: &Config,
    mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Finished {
    let observer = monitor.map_or_else(Observer::blind, Observer::of_monitor);
    let asked: BTreeSet<Point> = targets.iter().copied().collect();
    let is_asked = |point: Point| asked.contains(&point);
    let prepared = prepare(
        program,
        observer,
        config,
        Ending::Stops,
        is_asked,
        &mut tick,
    );
    let finish = |search: &Search<'_, '_>, found: Option<Found>| {
        let Some(found) = found else {
            return Ok(Answer::Unreachable);
        };
        search.setting.space.is_found.set(true);
        let trace = if config.traces {
            explain(search, found)?
        } else {
            None
        };
        Ok(Answer::Reached(trace.map(Box::new)))
    };
    let (result, progress, sizes) = search(prepared, targets, config, &mut tick, finish);
    let stopped = match progress.is_found {
        true => Answer::Unfinished,
        false => Answer::Stopped,
    };
    Finished {
        answer: result.unwrap_or_else(stopped),
        progress,
        sizes,
    }
}

/// Finds all nodes that runs of the program reach, each with the states that the monitor can
/// be in there.
pub fn explore(
    program: &Program,
    monitor: Option<&Monitor>,
    config: &Config,
    mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Explored {
    let mut observer = monitor.map_or_else(Observer::blind, Observer::of_monitor);
    observer.targets.clear();
    let prepared = prepare(
        program,
        observer,
        config,
        Ending::Stops,
        |_| true,
        &mut tick,
    );
    let finish = |search: &Search<'_, '_>, _| pairs(search);
    let config = Config {
        traces: false,
        ..*config
    };
    let (result, progress, sizes) = search(prepared, &[], &config, &mut tick, finish);
    let stopped = result.as_ref().err().copied();
    Explored {
        reached: result.unwrap_or_default(),
        stopped,
        progress,
        sizes,
    }
}

/// Prepares a program, as [`Prepared::new`] does, unless it is told to stop.
pub(crate) fn prepare<'p>(
    program: &'p Program,
    observer: Observer<'p>,
    config: &Config,
    ending: Ending,
    asked: impl Fn(Point) -> bool,
    tick: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Prepared<'p>, Stopped> {
    let mut ask = || tick(&Progress::default());
    let patience = &mut Patience::new(&mut ask);
    Prepared::new(program, observer, config, ending, asked, patience)
}

/// Searches, with more and more room, and makes something of the end of the search.
pub(crate) fn search<T: Send>(
    prepared: Result<Prepared<'_>, Stopped>,
    targets: &[Point],
    config: &Config,
    tick: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    finish: impl Fn(&Search<'_, '_>, Option<Found>) -> Res<T> + Sync,
) -> (Result<T, Stopped>, Progress, Sizes) {
    let (mut progress, mut sizes) = (Progress::default(), Sizes::default());
    let mut prepared = match prepared {
        Ok(prepared) => prepared,
        Err(stopped) => return (Err(stopped), progress, sizes),
    };
    let mut rooms = Room::all(config, prepared.plan.points.len()).into_iter();
    let mut next = rooms.next();
    let mut stays = 0;
    while let Some(room) = next {
        if !room.is_there() {
            return (Err(Stopped::Memory), progress, sizes);
        }
        let earlier = progress;
        let mut better = None;
        let born = Instant::now();
        let Some(manager) = Space::manager(room) else {
            return (Err(Stopped::Memory), progress, sizes);
        };
        let result = work(&manager, config.tick_after, tick, |ticker| {
            let space = Space::new(&manager, room, &prepared.layout, ticker);
            space.follow(&earlier);
            let setting = Setting::new(&prepared, space);
            let result = Search::new(&setting, targets, config.traces).and_then(|mut search| {
                let result = search.run().and_then(|found| finish(&search, found));
                sizes = search.sizes();
                result
            });
            setting.space.measure();
            progress = setting.space.progress();
            better = setting.space.better();
            result
        });
        retire(manager, born);
        match result {
            Some(Ok(result)) => return (Ok(result), progress, sizes),
            Some(Err(Halt::Asked)) => return (Err(Stopped::Asked), progress, sizes),
            Some(Err(Halt::Full)) => {}
            None => return (Err(Stopped::Memory), progress, sizes),
        }
        let mut stay = false;
        if let Some(better) = better {
            prepared.layout.reorder(&better.order);
            progress.reorderings += 1;
            stay = stays < MOST_STAYS && better.after <= better.before / 8 * room.share;
        }
        if stay {
            stays += 1;
        } else {
            (next, stays) = (rooms.next(), 0);
        }
    }
    (Err(config.when_full()), progress, sizes)
}

/// The nodes that were reached, with the observer's states.
fn pairs(search: &Search<'_, '_>) -> Res<BTreeSet<(Point, u32)>> {
    let setting = search.setting;
    let (space, observer) = (&setting.space, &setting.prepared.observer);
    let mut pairs = BTreeSet::new();
    for state in 0..observer.states() {
        let here = observer.any_of(space, &setting.prepared.layout, Copy::Now, &[state])?;
        for (reached, &point) in search.nodes.iter().zip(&setting.prepared.plan.points) {
            if !space.is_false(&space.and(&reached.all, &here)?) {
                pairs.insert((point, state));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use recurva_evidence::{Claim, Trace, replay};
    use recurva_lang::bp;
    use recurva_model::Stack;
    use recurva_syntax::Source;
    use recurva_testkit::{generate, rng::Rng};

    use super::*;
    use crate::{FairAnswer, fair, fair::find};

    /// A prepared program with its bits in an arbitrary order.
    fn shuffled<'p>(
        seed: u64,
        program: &'p Program,
        observer: Observer<'p>,
        asked: impl Fn(Point) -> bool,
    ) -> Result<Prepared<'p>, Stopped> {
        let config = &Config::default();
        let mut prepared = prepare(program, observer, config, Ending::Stops, asked, &mut go_on)?;
        let rng = &mut Rng::new(seed);
        let mut order: Vec<usize> = (0..prepared.layout.groups.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last + 1));
        }
        prepared.layout.reorder(&order);
        Ok(prepared)
    }

    fn go_on(_: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn replays(program: &Program, trace: Option<Trace>, claim: &Claim) {
        let replayed = replay(program, trace.expect("a trace"), claim);
        replayed.expect("it replays");
    }

    /// Nodes, traces and infinite runs of random programs, whatever the order of the bits.
    #[test]
    fn every_order_gives_the_same_answers() {
        let config = &Config::default();
        for seed in 6_000_000..6_000_400 {
            let text = generate::generate(seed, &generate::Config::default());
            let source = Source::new("order.bp", text).expect("a short text");
            let parsed = bp::parse(&source, &bp::Options::default());
            let program = &parsed.program.expect("a program");

            let truth = explore(program, None, config, go_on).reached;
            let prepared = shuffled(seed, program, Observer::blind(), |_| true);
            let (found, ..) = search(prepared, &[], config, &mut go_on, |search, _| pairs(search));
            assert_eq!(found, Ok(truth.clone()), "{seed}");

            for label in program.labels() {
                let targets = [label.point];
                let prepared = shuffled(seed, program, Observer::blind(), |p| p == label.point);
                let (found, ..) =
                    search(prepared, &targets, config, &mut go_on, |search, found| {
                        found.map(|found| explain(search, found)).transpose()
                    });
                let trace = found.expect("no limit");
                assert_eq!(trace.is_some(), truth.contains(&(label.point, 0)), "{seed}");
                if let Some(trace) = trace {
                    replays(program, trace, &Claim::Reaches(targets.to_vec()));
                }
            }

            let automaton = &generate::automaton(seed, program).expect("it fits the program");
            let observer = Observer::of_automaton(automaton);
            if observer.fair.is_empty() {
                continue;
            }
            for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
                let truth = fair(program, automaton, stack, Ending::Stops, config, go_on).answer;
                let observer = Observer::of_automaton(automaton);
                let prepared = shuffled(seed, program, observer, |_| false);
                let (found, ..) = search(prepared, &[], config, &mut go_on, |search, _| {
                    find(search, stack, true)
                });
                match found.expect("no limit") {
                    FairAnswer::Found(trace) => {
                        assert!(matches!(truth, FairAnswer::Found(_)), "{seed}");
                        let claim = Claim::Repeats(automaton.conditions().to_vec());
                        replays(program, trace.map(|trace| *trace), &claim);
                    }
                    other => assert_eq!(format!("{other:?}"), format!("{truth:?}"), "{seed}"),
                }
            }
        }
    }
}
