//! The same question on differential dataflow: several workers, several processes, and edges that
//! come and go.
//!
//! The rules of the grammar, two symbols each, are joins inside of a loop. Every worker holds a
//! share of the facts; when edges change only what follows from them is worked out anew. A fact
//! takes far more memory than in one process with sets, so this is for graphs that do not fit
//! one machine, and for those that change.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use differential_dataflow::{
    AsCollection, VecCollection, input::Input, lattice::Lattice, operators::Iterate,
};
use timely::{dataflow::operators::Exchange, progress::Timestamp};

use recurva_syntax::Diagnostics;

use crate::{
    Count, Edge, Error, Grammar, Graph,
    bind::Bound,
    carry_on,
    grammar::normal::{Normal, Short},
    meter::{Account, Meter},
};

/// Who works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Threads in each process.
    pub threads: usize,
    /// A file with `host:port` of each process, one on a line, and which of them this one is;
    /// `None` if this is the only process.
    pub hosts: Option<(PathBuf, usize)>,
}

/// An edge that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The edge.
    pub edge: Edge,
    /// Whether it comes.
    pub added: bool,
}

/// Symbol, index, from, to.
type Fact = (u32, u32, u32, u32);

/// Counts the pairs of a graph, and again after each batch of changes. The first process has the
/// answer; the others have `None`.
pub fn count_on(
    workers: &Workers,
    graph: &Graph,
    grammar: &Grammar,
    batches: &[Vec<Change>],
) -> Result<Option<Vec<Count>>, String> {
    let mut words = vec!["-w".to_owned(), workers.threads.max(1).to_string()];
    let mut first = true;
    if let Some((path, process)) = &workers.hosts {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        let processes = text.lines().filter(|line| !line.trim().is_empty()).count();
        words.extend(["-n".to_owned(), processes.to_string()]);
        words.extend(["-p".to_owned(), process.to_string()]);
        words.extend(["-h".to_owned(), path.display().to_string()]);
        first = *process == 0;
    }
    let config = timely::Config::from_args(words.into_iter())?;
    let normal = Normal::new(grammar);
    // What comes and goes at each time: edges of the graph first, then the batches.
    let all = graph
        .edges()
        .iter()
        .map(|&edge| Change { edge, added: true });
    let mut times = vec![facts(graph, grammar, &all.collect::<Vec<_>>())?];
    for rule in &normal.rules {
        if let Short::Empty(symbol) = *rule {
            times[0].extend((0..graph.nodes()).map(|node| ((symbol, 0, node, node), 1)));
        }
    }
    for batch in batches {
        times.push(facts(graph, grammar, batch)?);
    }
    let epochs = times.len();
    // For each time, how the numbers of pairs and of nodes with themselves change.
    let sums: Arc<Mutex<BTreeMap<u64, (i64, i64)>>> = Arc::default();
    let shared = Arc::clone(&sums);
    let guards = timely::execute(config, move |worker| {
        let (index, peers) = (worker.index(), worker.peers());
        let probe = timely::dataflow::operators::probe::Handle::new();
        let (normal, sums) = (normal.clone(), Arc::clone(&shared));
        let mut input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, given) = scope.new_collection::<Fact, isize>();
            let start = normal.start;
            let pairs = derive(given, &normal).filter(move |fact| fact.0 == start);
            let pairs = pairs.map(|(_, _, from, to)| from == to).consolidate();
            pairs
                .inner
                .exchange(|_| 0)
                .as_collection()
                .inspect(move |&(own, time, change): &(bool, u64, isize)| {
                    let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                    let sum = sums.entry(time).or_default();
                    match own {
                        true => sum.1 += change as i64,
                        false => sum.0 += change as i64,
                    }
                })
                .probe_with(&probe);
            input
        });
        for (time, changes) in times.iter().enumerate() {
            let mine = changes.iter().skip(index).step_by(peers);
            for &(fact, change) in mine {
                input.update(fact, change);
            }
            input.advance_to(time as u64 + 1);
            input.flush();
            while probe.less_than(input.time()) {
                worker.step();
            }
        }
    })?;
    for guard in guards.join() {
        guard?;
    }
    let sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
    let mut total = (0, 0);
    let counts = (0..epochs as u64).map(|time| {
        let (pairs, diagonal) = sums.get(&time).copied().unwrap_or_default();
        total = (total.0 + pairs, total.1 + diagonal);
        Count {
            pairs: total.0 as u64,
            diagonal: total.1 as u64,
        }
    });
    let counts = counts.collect();
    Ok(first.then_some(counts))
}

/// The facts that some edges are.
fn facts(
    graph: &Graph,
    grammar: &Grammar,
    changes: &[Change],
) -> Result<Vec<(Fact, isize)>, String> {
    let mut list = Vec::new();
    let (account, mut tick) = (Account::new(u64::MAX), carry_on);
    let meter = &Meter::new(&account, &mut tick);
    for added in [true, false] {
        let edges = changes
            .iter()
            .filter(|it| it.added == added)
            .map(|it| it.edge);
        let part = graph.with_edges(edges.collect());
        let bound = Bound::new(grammar, &part, &mut Diagnostics::default(), meter)
            .map_err(|halt| Error::from(halt).to_string())?;
        let change = if added { 1 } else { -1 };
        for (symbol, links) in bound.links.iter().enumerate() {
            let fact = |link: &crate::bind::Link| (symbol as u32, link.index, link.from, link.to);
            list.extend(links.iter().map(|link| (fact(link), change)));
        }
    }
    Ok(list)
}

/// All facts that follow from those given.
fn derive<'scope, T: Timestamp + Lattice + Ord>(
    given: VecCollection<'scope, T, Fact>,
    grammar: &Normal,
) -> VecCollection<'scope, T, Fact> {
    given.clone().iterate(|scope, facts| {
        let mut all = given.enter(scope);
        for rule in &grammar.rules {
            let has_index = |symbol: u32| grammar.is_indexed(symbol);
            match *rule {
                Short::Empty(_) => {}
                Short::Unit(left, only) => {
                    let keep = has_index(left);
                    let same = facts.clone().filter(move |fact| fact.0 == only);
                    all = all.concat(same.map(move |(_, index, from, to)| {
                        (left, if keep { index } else { 0 }, from, to)
                    }));
                }
                Short::Pair(left, first, second) => {
                    let both = has_index(first) && has_index(second);
                    let keep = has_index(left);
                    // The node in the middle, and the index if both have one.
                    let key = move |node: u32, index: u32| (node, if both { index } else { 0 });
                    let one = facts.clone().filter(move |fact| fact.0 == first);
                    let one = one.map(move |(_, index, from, to)| (key(to, index), (from, index)));
                    let other = facts.clone().filter(move |fact| fact.0 == second);
                    let other =
                        other.map(move |(_, index, from, to)| (key(from, index), (to, index)));
                    // A symbol without an index has index 0.
                    all = all.concat(one.join_map(other, move |_, &(from, one), &(to, other)| {
                        (left, if keep { one.max(other) } else { 0 }, from, to)
                    }));
                }
            }
        }
        all.distinct()
    })
}
