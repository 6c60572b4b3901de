//! The façade: a question in, an answer out.

use std::{collections::BTreeSet, ops::ControlFlow, time::Instant};

use recurva_model::{Ending, Monitor, Point, Program};

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

/// A search is begun so many times in the same room, each time in an order of the variables
/// that promises to need half of it.
const MOST_REORDERINGS: u32 = 4;

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
    let prepared = Prepared::new(program, observer, config, Ending::Stops, |point| {
        asked.contains(&point)
    });
    let finish = |search: &Search<'_, '_>, found: Option<Found>| {
        Ok(match found {
            None => Answer::Unreachable,
            Some(found) if config.traces => Answer::Reached(explain(search, found)?.map(Box::new)),
            Some(_) => Answer::Reached(None),
        })
    };
    let (result, progress, sizes) = search(prepared, targets, config, &mut tick, finish);
    Finished {
        answer: result.unwrap_or_else(Answer::Stopped),
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
    let prepared = Prepared::new(program, observer, config, Ending::Stops, |_| true);
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
    let mut reorderings = 0;
    for room in Room::all(config, prepared.plan.points.len()) {
        if !room.is_there() {
            return (Err(Stopped::Memory), progress, sizes);
        }
        for again in (0..MOST_REORDERINGS).rev() {
            let born = Instant::now();
            let manager = Space::manager(room);
            let mut better = None;
            let result = work(&manager, config.tick_after, tick, |ticker| {
                let mut space = Space::new(&manager, room, &prepared.layout, ticker);
                space.reorderings.set(reorderings);
                if config.reordering {
                    space = space.that_reorders(&prepared.layout);
                }
                let setting = Setting::new(&prepared, space);
                let result =
                    Search::new(&setting, targets, config.traces).and_then(|mut search| {
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
                Ok(result) => return (Ok(result), progress, sizes),
                Err(Halt::Asked) => return (Err(Stopped::Asked), progress, sizes),
                Err(Halt::Full) => {}
            }
            let Some(better) = better else { break };
            prepared.layout.reorder(&better.order);
            reorderings += 1;
            progress.reorderings = reorderings;
            if again == 0 || better.after > better.before / 2 {
                break;
            }
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
