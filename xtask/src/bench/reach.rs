//! All-pairs reachability: time and memory on the graphs of `shared/bench/cfl`, and growth on
//! families that force many facts.
//!
//! Each row of the first table is a process of its own, so that its peak memory is its own.
//! "bound" is the time that writing one bit for each pair takes, 64 to a word; "ratio" is how
//! often that goes into the time from the first byte read to the count.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use recurva_reach::{
    Algorithm, Edge, Grammar, Graph, Layout, NO_INDEX, Notation, Options, carry_on, read, solve,
};
use recurva_syntax::{Diagnostics, Source};

use super::Size;
use crate::run::shared;

/// What others needed, in seconds, on a quiet machine: the best of five solvers, and a
/// prototype for two grammars that counts.
struct Peer {
    best: &'static str,
    prototype: &'static str,
}

const NONE: Peer = Peer {
    best: "-",
    prototype: "-",
};

pub(crate) fn run(size: Size) -> Result<(), String> {
    graphs(size)?;
    growth(size)
}

fn folder() -> PathBuf {
    shared("cfl")
}

const DYCK: &str = "S = (op_i S ^op_i)*;";

fn graphs(size: Size) -> Result<(), String> {
    println!("\nall-pairs reachability on real graphs (two threads)");
    if !folder().is_dir() {
        println!("skipped: there is no folder shared/bench/cfl");
        return Ok(());
    }
    println!(
        "{:<28} {:<12} {:>12} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>8} {:>9}",
        "graph",
        "algorithm",
        "pairs",
        "read s",
        "solve s",
        "all s",
        "pairs/s",
        "B/pair",
        "MB",
        "ratio",
        "others s"
    );
    let pocr = |best, prototype| Peer { best, prototype };
    let rows = [
        ("pocr/gzip.vfg", "pocr/vf.cfg", pocr("0.11", "0.02")),
        ("pocr/namd.vfg", "pocr/vf.cfg", pocr("1.1", "0.085")),
        ("pocr/i3.vfg", "pocr/vf.cfg", NONE),
        ("pocr/gzip.peg", "pocr/aa.cfg", NONE),
        ("pocr/namd.peg", "pocr/aa.cfg", NONE),
        ("pocr/i3.peg", "pocr/aa.cfg", pocr("9.1", "0.34")),
        ("pocr/gzip.vfg", "pocr/vf_reach.cfg", pocr("-", "0.02")),
        ("pocr/namd.vfg", "pocr/vf_reach.cfg", pocr("-", "0.09")),
        ("pocr/i3.vfg", "pocr/vf_reach.cfg", NONE),
        ("rdf/wine.g", "rdf/gpperf1.cnf", NONE),
        ("rdf/pizza.g", "rdf/gpperf1.cnf", NONE),
        ("alias-c/gzip.g", "alias-c/aa_nofield.cnf", NONE),
        (
            "worstcase/worstcase_2048.g",
            "worstcase/brackets.cnf",
            pocr("-", "0.12"),
        ),
        ("dyck/antlr.dot", "", NONE),
        ("dyck/xml.dot", "", NONE),
    ];
    let algorithms = ["auto", "rounds", "facts", "worklist", "naive"];
    for (graph, grammar, peer) in rows {
        let names: &[&str] = match size {
            Size::Quick => &algorithms[..1],
            Size::Full => &algorithms,
        };
        for name in names {
            if size == Size::Quick && graph.contains("i3") {
                continue;
            }
            // Those that keep all facts of all symbols are for the smaller graphs.
            let large = ["i3", "namd.vfg"].iter().any(|it| graph.contains(it));
            let reach = grammar.contains("reach");
            if (large || reach) && ["worklist", "naive"].contains(name) {
                continue;
            }
            // One summary a round: a million rounds.
            if graph.contains("worstcase") && *name == "rounds" {
                continue;
            }
            let exe = std::env::current_exe().map_err(|error| error.to_string())?;
            let child = Command::new(exe)
                .args(["bench", "reach", "--one", graph, grammar, name])
                .output()
                .map_err(|error| error.to_string())?;
            if !child.status.success() {
                println!("{graph:<28} {name:<12} does not apply");
                continue;
            }
            print!("{}", String::from_utf8_lossy(&child.stdout).trim_end());
            match *name {
                "auto" => println!(" {:>9}", format!("{}/{}", peer.best, peer.prototype)),
                _ => println!(),
            }
        }
    }
    Ok(())
}

fn source(path: &Path) -> Result<Source, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Source::from_bytes(path.display().to_string(), bytes).map_err(|error| error.to_string())
}

/// The peak of this process's memory.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kibibytes.unwrap_or(0u64) * 1024
}

/// One row of the table, for a process of its own.
pub(crate) fn one(graph_name: &str, grammar_name: &str, algorithm: &str) -> Result<(), String> {
    let started = Instant::now();
    let path = folder().join(graph_name);
    let graph = read(&source(&path)?, Layout::of(&path), u64::MAX, &mut carry_on);
    let graph = graph.map_err(|error| error.to_string())?.graph;
    let graph = graph.ok_or("the graph has errors")?;
    let grammar = if grammar_name.is_empty() {
        parse(DYCK)?
    } else {
        let path = folder().join(grammar_name);
        let parsed = Grammar::read(&source(&path)?, Notation::of(&path));
        parsed.grammar.ok_or("the grammar has errors")?
    };
    let reading = started.elapsed().as_secs_f64();
    let entry = Algorithm::ALL.iter().find(|entry| entry.0 == algorithm);
    let (_, algorithm) = *entry.ok_or("there is no such algorithm")?;
    let options = Options {
        algorithm,
        memory: 8 << 30,
        ..Options::default()
    };
    let diagnostics = &mut Diagnostics::default();
    let solution = solve(&graph, &grammar, &options, diagnostics, &mut carry_on);
    let solution = solution.map_err(|error| error.to_string())?;
    let solving = started.elapsed().as_secs_f64() - reading;
    let count = solution.count(&mut carry_on);
    let count = count.map_err(|error| error.to_string())?;
    let all = started.elapsed().as_secs_f64();
    let pairs = count.with_diagonal().max(1) as f64;
    let peak = peak();
    let used = match algorithm {
        Algorithm::Auto => format!("auto={}", solution.algorithm().name()),
        other => other.name().to_owned(),
    };
    let name = match grammar_name.contains("reach") {
        true => format!("{graph_name} pending"),
        false => graph_name.to_owned(),
    };
    println!(
        "{name:<28} {used:<14} {:>10} {reading:>8.3} {solving:>8.3} {all:>8.3} {:>9.1e} {:>9.1} {:>7.0} {:>8.0}",
        count.pairs,
        pairs / all,
        peak as f64 / pairs,
        peak as f64 / 1e6,
        all / bound(pairs),
    );
    Ok(())
}

/// How long it takes to write one bit for each pair, once.
fn bound(pairs: f64) -> f64 {
    let words = (pairs / 64.0).ceil() as usize;
    let mut buffer = vec![0u64; words];
    let started = Instant::now();
    for (place, word) in buffer.iter_mut().enumerate() {
        *word = std::hint::black_box(place as u64);
    }
    std::hint::black_box(&buffer);
    started.elapsed().as_secs_f64().max(1e-9)
}

fn parse(text: &str) -> Result<Grammar, String> {
    let source = Source::new("bench.ebnf", text).map_err(|error| error.to_string())?;
    let parsed = Grammar::read(&source, Notation::Ebnf);
    parsed
        .grammar
        .ok_or_else(|| "the grammar has errors".to_owned())
}

/// A graph that grows, a grammar, and the algorithms to be compared; the first is the baseline.
struct Family {
    name: &'static str,
    grammar: &'static str,
    graph: fn(u32) -> Graph,
    algorithms: &'static [Algorithm],
}

const FAMILIES: [Family; 4] = [
    Family {
        name: "two cycles: a^n b^n, one fact after the other",
        grammar: "S = a S b | a b;",
        graph: cycles,
        algorithms: &[Algorithm::Naive, Algorithm::Worklist, Algorithm::Facts],
    },
    Family {
        name: "a chain: S = S S | a",
        grammar: "S = S S | a;",
        graph: chain,
        algorithms: &[Algorithm::Naive, Algorithm::Worklist, Algorithm::Closure],
    },
    Family {
        name: "a dense machine: layers of random edges and calls, same context",
        grammar: "S = (a | call_i S ret_i)*;",
        graph: dense,
        algorithms: &[
            Algorithm::Naive,
            Algorithm::Worklist,
            Algorithm::Rounds,
            Algorithm::Facts,
        ],
    },
    Family {
        name: "a deep hierarchy: each level calls the next one twice, calls may be pending",
        grammar: "R = (S | call_i)*; S = (a | call_i S ret_i)*;",
        graph: hierarchy,
        algorithms: &[
            Algorithm::Naive,
            Algorithm::Rounds,
            Algorithm::Facts,
            Algorithm::Bounded,
            Algorithm::Hierarchical,
        ],
    },
];

/// The baseline is left out where it would take longer than this.
const PATIENCE: f64 = 40.0;

fn growth(size: Size) -> Result<(), String> {
    let sizes: Vec<u32> = match size {
        Size::Quick => vec![256, 512],
        Size::Full => (10..=14).map(|doubling| 1 << doubling).collect(),
    };
    for family in FAMILIES {
        println!("\n{}", family.name);
        print!("{:<14}", "seconds, n =");
        sizes.iter().for_each(|n| print!(" {n:>9}"));
        println!(" {:>9} {:>12}", "exponent", "baseline at 8K");
        let grammar = parse(family.grammar)?;
        let graphs: Vec<Graph> = sizes.iter().map(|&n| (family.graph)(n)).collect();
        let mut pairs: Vec<Option<u64>> = vec![None; sizes.len()];
        let mut baseline: Option<f64> = None;
        for &algorithm in family.algorithms {
            print!("{:<14}", algorithm.name());
            let mut points: Vec<(f64, f64)> = Vec::new();
            for (place, graph) in graphs.iter().enumerate() {
                let n = f64::from(sizes[place]);
                let expected = expect(&points, n);
                if expected > PATIENCE {
                    print!(" {:>9}", format!("~{expected:.0}"));
                    continue;
                }
                let options = Options {
                    algorithm,
                    memory: 8 << 30,
                    ..Options::default()
                };
                let started = Instant::now();
                let diagnostics = &mut Diagnostics::default();
                let solution = solve(graph, &grammar, &options, diagnostics, &mut carry_on);
                let count = solution.and_then(|it| it.count(&mut carry_on));
                let Ok(count) = count else {
                    print!(" {:>9}", "limit");
                    continue;
                };
                let count = count.with_diagonal();
                let seconds = started.elapsed().as_secs_f64();
                if *pairs[place].get_or_insert(count) != count {
                    return Err(format!(
                        "{}: {} counts {count}",
                        family.name,
                        algorithm.name()
                    ));
                }
                points.push((n, seconds));
                print!(" {seconds:>9.3}");
            }
            let at_8k = points.iter().find(|point| point.0 == 8192.0);
            let at_8k = at_8k.map_or_else(|| expect(&points, 8192.0), |point| point.1);
            let baseline = *baseline.get_or_insert(at_8k);
            println!(" {:>9.2} {:>12.1}x", exponent(&points), baseline / at_8k);
        }
        print!("{:<14}", "pairs");
        let shown = |count: &Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
        pairs
            .iter()
            .for_each(|count| print!(" {:>9}", shown(count)));
        println!();
    }
    Ok(())
}

/// What to expect for a size, from those before it.
fn expect(points: &[(f64, f64)], n: f64) -> f64 {
    match points {
        [] => 0.0,
        [(before, seconds)] => seconds * (n / before).powi(3),
        [.., (before, seconds)] => seconds * (n / before).powf(exponent(points)),
    }
}

/// The slope of time against size, both as logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(n, s)| (n.ln(), s.max(1e-6).ln()))
        .collect();
    let count = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |sum, log| (sum.0 + log.0, sum.1 + log.1));
    let (x, y) = (x / count, y / count);
    let covariance: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let variance: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    covariance / variance
}

fn graph(nodes: u32, labels: &[&str], edges: Vec<Edge>) -> Graph {
    Graph::new(nodes, labels, edges).unwrap_or_else(|error| unreachable!("{error}"))
}

fn edge(from: u32, to: u32, label: u32, index: u32) -> Edge {
    Edge {
        from,
        to,
        label,
        index,
    }
}

/// Two cycles through node 0: one of n/2 `a`, one of n/2 + 1 `b`.
fn cycles(n: u32) -> Graph {
    let half = n / 2;
    let a = (0..half).map(|node| edge(node, (node + 1) % half, 0, NO_INDEX));
    let b = (0..=half).map(|step| {
        let node = |step: u32| if step == 0 { 0 } else { half + step - 1 };
        edge(node(step), node((step + 1) % (half + 1)), 1, NO_INDEX)
    });
    graph(n, &["a", "b"], a.chain(b).collect())
}

fn chain(n: u32) -> Graph {
    let edges = (0..n - 1).map(|node| edge(node, node + 1, 0, NO_INDEX));
    graph(n, &["a"], edges.collect())
}

/// Nodes in order; edges and calls go forwards, returns come back from entries a bit later.
fn dense(n: u32) -> Graph {
    let mut state = u64::from(n);
    let mut below = |bound: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 33) % u64::from(bound)) as u32
    };
    let mut edges = Vec::new();
    for node in 0..n - 1 {
        for _ in 0..4 {
            edges.push(edge(node, node + 1 + below(n - 1 - node), 0, NO_INDEX));
        }
        let entry = below(n);
        edges.push(edge(node, entry, 1, node));
        edges.push(edge(
            entry + below(n - entry),
            node + 1 + below(n - 1 - node),
            2,
            node,
        ));
    }
    graph(n, &["a", "call_i", "ret_i"], edges)
}

/// Levels of 16 nodes: a ladder with two calls of the next level.
fn hierarchy(n: u32) -> Graph {
    let mut edges = Vec::new();
    let levels = n / 16;
    for level in 0..levels {
        let node = |place: u32| level * 16 + place;
        for place in 0..15 {
            // Where a call stands, the way leads through what it calls.
            if level + 1 == levels || (place != 4 && place != 10) {
                edges.push(edge(node(place), node(place + 1), 0, NO_INDEX));
            }
            edges.push(edge(node(place), node(15.min(place + 6)), 0, NO_INDEX));
        }
        if level + 1 < levels {
            for place in [4, 10] {
                edges.push(edge(node(place), (level + 1) * 16, 1, node(place)));
                edges.push(edge((level + 1) * 16 + 15, node(place + 1), 2, node(place)));
            }
        }
    }
    graph(levels * 16, &["a", "call_i", "ret_i"], edges)
}
