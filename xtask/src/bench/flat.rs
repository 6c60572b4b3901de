//! Flat machines: time against the size n and against θ, the number of entries or exits.
//!
//! *Analysis of Recursive State Machines* promises O(n·θ²): a column "growth" of about 1 for
//! the time per edge when n doubles, and of at most 4 for the time when θ doubles.

use std::{ops::ControlFlow, time::Instant};

use recurva_flat::{Acceptance, Analysis, Bound, Choice, Marks, Stack};
use recurva_model::{
    Origin,
    rsm::{Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts, Vertex},
};

use super::Size;

pub(crate) fn run(size: Size) -> Result<(), String> {
    by_size(size, "calls of neighbours", 100)?;
    by_size(size, "calls all over the machine", usize::MAX)?;
    by_theta(size)?;
    by_bound(size)
}

/// What a machine of the family looks like. All its components are alike but for their edges.
#[derive(Clone, Copy)]
struct Family {
    components: usize,
    entries: usize,
    exits: usize,
    inner: usize,
    boxes: usize,
    /// Edges from each vertex where an edge can start.
    degree: usize,
    /// Boxes stand for one of so many components that follow, round about.
    within: usize,
}

/// A generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

impl Family {
    fn machine(&self) -> Result<Rsm, String> {
        let random = &mut Random(self.components as u64);
        let components = (0..self.components).map(|index| self.component(random, index));
        let parts = RsmParts {
            components: components.collect(),
            alphabet: Vec::new(),
            init: vec![Place {
                component: ComponentId(0),
                vertex: Vertex::Node(0),
            }],
            accept: Vec::new(),
        };
        Rsm::new(parts).map_err(|error| error.to_string())
    }

    fn callee(&self, random: &mut Random, index: usize) -> u32 {
        let distance = 1 + random.below(self.within.min(self.components));
        ((index + distance) % self.components) as u32
    }

    /// Nodes are the entries, then the exits, then the inner ones.
    fn component(&self, random: &mut Random, index: usize) -> Component {
        let origin = Origin::default();
        let (first_exit, first_inner) = (self.entries, self.entries + self.exits);
        let nodes = first_inner + self.inner;
        let node = |node: usize| Vertex::Node(node as u32);
        let port = |in_box: usize, node: usize| Vertex::Port {
            in_box: in_box as u32,
            node: node as u32,
        };
        let mut sources: Vec<Vertex> = (0..first_exit).map(node).collect();
        sources.extend((first_inner..nodes).map(node));
        let mut targets: Vec<Vertex> = (first_inner..nodes).map(node).collect();
        for in_box in 0..self.boxes {
            sources.extend((first_exit..first_inner).map(|exit| port(in_box, exit)));
            targets.extend((0..self.entries).map(|entry| port(in_box, entry)));
        }
        targets.extend((first_exit..first_inner).map(node));
        let mut edges = Vec::with_capacity(sources.len() * self.degree);
        for (number, &from) in sources.iter().enumerate() {
            for copy in 0..self.degree {
                // The first edges lead from the entries past all boxes to the exits.
                let to = match copy {
                    0 => targets[number % targets.len()],
                    _ => targets[random.below(targets.len())],
                };
                edges.push(RsmEdge {
                    from,
                    to,
                    letter: None,
                    origin,
                });
            }
        }
        let role = |node: usize| match node {
            node if node < first_exit => Role::Entry,
            node if node < first_inner => Role::Exit,
            _ => Role::Inner,
        };
        Component {
            name: format!("A{index}").into(),
            nodes: (0..nodes)
                .map(|node| RsmNode {
                    name: format!("n{node}").into(),
                    role: role(node),
                    origin,
                })
                .collect(),
            boxes: (0..self.boxes)
                .map(|number| RsmBox {
                    name: format!("b{number}").into(),
                    component: ComponentId(self.callee(random, index)),
                    origin,
                })
                .collect(),
            edges,
            labels: Vec::new(),
            origin,
        }
    }
}

/// What was measured.
struct Measured {
    seconds: f64,
    work: u64,
    summaries: u64,
    reachable: usize,
    bytes: usize,
}

/// The fastest of three, as other work on the computer can only slow it down.
fn measure(rsm: &Rsm, choice: Choice) -> Result<Measured, String> {
    let mut best = measure_once(rsm, choice)?;
    for _ in 1..3 {
        best.seconds = best.seconds.min(measure_once(rsm, choice)?.seconds);
    }
    Ok(best)
}

/// Summaries for one mark, at some vertices, and both questions about stacks.
fn measure_once(rsm: &Rsm, choice: Choice) -> Result<Measured, String> {
    let mut acceptance = Acceptance::new(1);
    for vertex in rsm.vertices().step_by(97) {
        acceptance.mark(vertex, Marks::one(0));
    }
    let go_on = |_: &_| ControlFlow::Continue(());
    let started = Instant::now();
    let analysis =
        Analysis::with_choice(rsm, &acceptance, choice, go_on).map_err(|e| e.to_string())?;
    for stack in [Stack::Bounded, Stack::Unbounded] {
        analysis.run(stack, go_on).map_err(|e| e.to_string())?;
    }
    Ok(Measured {
        seconds: started.elapsed().as_secs_f64(),
        work: analysis.progress().work,
        summaries: analysis.progress().summaries,
        reachable: analysis.reachable().count(),
        bytes: analysis.bytes(),
    })
}

fn ratio(before: Option<f64>, now: f64) -> String {
    before.map_or("-".to_owned(), |before| format!("{:.2}", now / before))
}

/// The size doubles, θ is 1. "work" is the number of rule instances and edges followed, for
/// each edge of the machine; "growth" is that of the time per edge, which also shows when the
/// machine outgrows the caches.
fn by_size(size: Size, title: &str, within: usize) -> Result<(), String> {
    println!("\nflat machines: one entry and one exit for each component, {title}, n grows");
    println!(
        "{:>9} {:>10} {:>10} {:>10} {:>8} {:>9} {:>8} {:>11} {:>10} {:>7}",
        "nodes",
        "vertices",
        "edges",
        "reachable",
        "make s",
        "solve s",
        "ns/edge",
        "bytes/edge",
        "work/edge",
        "growth"
    );
    let doublings = if size == Size::Quick { 2 } else { 4 };
    let mut before = None;
    for doubling in 0..=doublings {
        let family = Family {
            components: 6_250 << doubling,
            entries: 1,
            exits: 1,
            inner: 8,
            boxes: 2,
            degree: 2,
            within,
        };
        let started = Instant::now();
        let rsm = family.machine()?;
        let making = started.elapsed().as_secs_f64();
        let measured = measure(&rsm, Choice::Smaller)?;
        let edges = rsm.edges().len() as f64;
        let per_edge = measured.seconds / edges;
        println!(
            "{:>9} {:>10} {:>10} {:>10} {making:>8.2} {:>9.3} {:>8.0} {:>11.1} {:>10.3} {:>7}",
            family.components * 10,
            rsm.len(),
            rsm.edges().len(),
            measured.reachable,
            measured.seconds,
            per_edge * 1e9,
            measured.bytes as f64 / edges,
            measured.work as f64 / edges,
            ratio(before, per_edge)
        );
        before = Some(per_edge);
    }
    Ok(())
}

/// The size is the same, θ doubles. "growth" is that of the time, "work" that of the rule
/// instances, up to 64 of which fire at once.
fn by_theta(size: Size) -> Result<(), String> {
    println!("\nflat machines: θ entries and θ exits for each component, n fixed");
    println!(
        "{:>9} {:>10} {:>10} {:>10} {:>11} {:>9} {:>7} {:>7}",
        "theta", "vertices", "edges", "summaries", "work", "solve s", "work", "growth"
    );
    let edges = if size == Size::Quick { 20_000 } else { 400_000 };
    let (mut before, mut work_before) = (None, None);
    for theta in [1, 2, 4, 8, 16, 32, 64] {
        // A component has 6·θ places where edges start, two each.
        let family = Family {
            components: edges / (12 * theta),
            entries: theta,
            exits: theta,
            inner: 2 * theta,
            boxes: 3,
            degree: 2,
            within: usize::MAX,
        };
        let rsm = family.machine()?;
        let measured = measure(&rsm, Choice::Smaller)?;
        let work = measured.work as f64;
        println!(
            "{theta:>9} {:>10} {:>10} {:>10} {:>11} {:>9.3} {:>7} {:>7}",
            rsm.len(),
            rsm.edges().len(),
            measured.summaries,
            measured.work,
            measured.seconds,
            ratio(work_before, work),
            ratio(before, measured.seconds)
        );
        (before, work_before) = (Some(measured.seconds), Some(work));
    }
    Ok(())
}

/// Many entries and one exit, and the other way round: seconds and millions of rule instances
/// for the smaller side, for entries and for exits. "saved" is the ratio of the work.
fn by_bound(size: Size) -> Result<(), String> {
    println!("\nflat machines: lopsided components, pairs with entries or with exits");
    println!(
        "{:>8} {:>6} {:>9} {:>9} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>6}",
        "entries",
        "exits",
        "vertices",
        "edges",
        "smaller s",
        "entries s",
        "exits s",
        "smaller M",
        "entries M",
        "exits M",
        "saved"
    );
    let edges = if size == Size::Quick { 20_000 } else { 400_000 };
    for (entries, exits) in [(16, 1), (256, 1), (1024, 1), (1, 16), (1, 256), (1, 1024)] {
        let family = Family {
            components: edges / (2 * (entries + entries.max(exits) + 3 * exits)),
            entries,
            exits,
            inner: entries.max(exits),
            boxes: 3,
            degree: 2,
            within: usize::MAX,
        };
        let rsm = family.machine()?;
        let smaller = measure(&rsm, Choice::Smaller)?;
        let by_entry = measure(&rsm, Choice::Always(Bound::Entry))?;
        let by_exit = measure(&rsm, Choice::Always(Bound::Exit))?;
        let millions = |measured: &Measured| measured.work as f64 / 1e6;
        println!(
            "{entries:>8} {exits:>6} {:>9} {:>9} {:>10.3} {:>10.3} {:>10.3} {:>9.2} {:>9.2} {:>9.2} {:>6.1}",
            rsm.len(),
            rsm.edges().len(),
            smaller.seconds,
            by_entry.seconds,
            by_exit.seconds,
            millions(&smaller),
            millions(&by_entry),
            millions(&by_exit),
            millions(&by_entry).max(millions(&by_exit)) / millions(&smaller)
        );
    }
    Ok(())
}
