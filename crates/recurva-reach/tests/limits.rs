//! Every algorithm and every question can be stopped, and keeps within its memory.

mod common;

use std::ops::ControlFlow;

use common::{grammar, solved};
use recurva_lang::{bp, rsm};
use recurva_model::{Program, Rsm};
use recurva_reach::{
    Algorithm, Context, Edge, Error, Flow, Grammar, Graph, Ifds, Layout, NO_INDEX, Options,
    Progress, Solution, Via, carry_on, live_variables, read, solve, solve_ifds, solve_rsm,
    unassigned,
};
use recurva_syntax::{Diagnostics, Source};
use recurva_testkit::rng::Rng;

fn edge(from: u32, to: u32, label: u32, index: u32) -> Edge {
    Edge {
        from,
        to,
        label,
        index,
    }
}

/// A random graph of `a` and `b`.
fn random(nodes: u32) -> Graph {
    let mut rng = Rng::new(7);
    let mut below = |bound: u32| rng.below(bound as usize) as u32;
    let edges = (0..4 * nodes).map(|_| edge(below(nodes), below(nodes), below(2), NO_INDEX));
    let edges = edges.collect();
    Graph::new(nodes, &["a", "b"], edges).unwrap()
}

/// A random graph without cycles.
fn layers(nodes: u32) -> Graph {
    let mut rng = Rng::new(5);
    let mut below = |bound: u32| rng.below(bound as usize) as u32;
    let edges = (0..4 * nodes).map(|_| {
        let from = below(nodes - 1);
        edge(from, from + 1 + below(nodes - 1 - from), below(2), NO_INDEX)
    });
    let edges = edges.collect();
    Graph::new(nodes, &["a", "b"], edges).unwrap()
}

/// Levels of calls without recursion.
fn levels(count: u32) -> Graph {
    let mut edges = Vec::new();
    for level in 0..count {
        let node = |place: u32| level * 8 + place;
        for place in 0..7 {
            edges.push(edge(node(place), node(place + 1), 0, NO_INDEX));
            if level + 1 < count {
                let index = node(place);
                edges.push(edge(node(place), (level + 1) * 8, 1, index));
                edges.push(edge((level + 1) * 8 + 7, node(place + 1), 2, index));
            }
        }
    }
    Graph::new(count * 8, &["a", "call_i", "ret_i"], edges).unwrap()
}

/// Brackets and their reverses.
fn brackets(nodes: u32) -> Graph {
    let mut rng = Rng::new(3);
    let edges = (0..2 * nodes).map(|_| {
        let (from, to) = (rng.below(nodes as usize), rng.below(nodes as usize));
        edge(from as u32, to as u32, 0, rng.below(9) as u32)
    });
    Graph::new(nodes, &["op_i"], edges.collect()).unwrap()
}

/// A graph and a grammar that an algorithm has much to do with.
fn questions(nodes: u32) -> Vec<(Algorithm, Graph, Grammar)> {
    use Algorithm::{
        Auto, Bounded, Closure, Dyck, Facts, Hierarchical, Naive, Rounds, Summaries, Worklist,
    };
    let mut list = Vec::new();
    for algorithm in [Auto, Naive, Worklist, Summaries, Rounds, Facts] {
        list.push((algorithm, random(nodes), grammar("S = a S b | a b | S S;")));
    }
    let calls = "R = (S | call_i)*; S = (a | call_i S ret_i)*;";
    for algorithm in [Bounded, Hierarchical] {
        list.push((algorithm, levels(4 * nodes), grammar(calls)));
    }
    list.push((Closure, random(40 * nodes), grammar("S = (a | b)+;")));
    list.push((Dyck, brackets(40 * nodes), grammar("S = (op_i S ^op_i)*;")));
    list
}

fn options(algorithm: Algorithm, memory: u64) -> Options {
    Options {
        algorithm,
        threads: 2,
        memory,
    }
}

/// Says stop at a call.
fn at(stop: u64) -> impl FnMut(&Progress) -> ControlFlow<()> {
    let mut calls = 0;
    move |_| {
        calls += 1;
        match calls >= stop {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// How often a question ticks at least; the first time is before anything is done.
const TICKS: u64 = 3;

#[test]
fn every_algorithm_can_be_stopped() {
    for (algorithm, graph, grammar) in questions(1500) {
        for stop in 1..=TICKS {
            let (options, warnings) = (options(algorithm, u64::MAX), &mut Diagnostics::default());
            let stopped = solve(&graph, &grammar, &options, warnings, &mut at(stop));
            let stopped = stopped.err();
            assert_eq!(stopped, Some(Error::Stopped), "{} {stop}", algorithm.name());
        }
    }
}

#[test]
fn every_algorithm_keeps_within_its_memory() {
    for (algorithm, graph, grammar) in questions(1500) {
        let name = algorithm.name();
        let limit = graph.bytes() as u64 + 1_500_000;
        let mut most = 0;
        let mut tick = |progress: &Progress| {
            most = most.max(progress.peak_bytes);
            ControlFlow::Continue(())
        };
        let options = options(algorithm, limit);
        let stopped = solve(
            &graph,
            &grammar,
            &options,
            &mut Diagnostics::default(),
            &mut tick,
        );
        let Some(Error::OutOfMemory(out)) = stopped.err() else {
            panic!("{name} takes more");
        };
        assert_eq!(out.limit, limit, "{name}");
        assert!(out.needed > limit, "{name}");
        assert!(most <= limit, "{name}: {most}");
    }
}

#[test]
fn what_is_enough_is_enough() {
    for (algorithm, graph, grammar) in questions(150) {
        let name = algorithm.name();
        let free = solved(&graph, &grammar, &options(algorithm, u64::MAX)).unwrap();
        let count = free.count(&mut carry_on).unwrap();
        let peak = free.peak_bytes();
        assert!(peak > graph.bytes() as u64, "{name}");
        // Threads do not always hold the same at the same time.
        let tight = solved(&graph, &grammar, &options(algorithm, peak + peak / 4)).unwrap();
        assert_eq!(tight.count(&mut carry_on), Ok(count), "{name}");
    }
}

fn machine() -> Rsm {
    let mut text = String::new();
    for component in 0..2000 {
        let callee = (component * 7 + 1) % 2000;
        text.push_str(&format!(
            "component C{component}\n entry e\n exit x\n node n\n box b : C{callee}\n \
             e -> b.e\n b.x -> n\n n -> x\n e -> x\n"
        ));
    }
    text.push_str("init C0.e\n");
    let source = Source::new("limits.rsm", text).unwrap();
    let parsed = rsm::parse(&source);
    parsed.rsm.unwrap_or_else(|| {
        let problems = parsed
            .diagnostics
            .render(&source, recurva_syntax::Style::Plain);
        panic!("{problems}")
    })
}

#[test]
fn machines_can_be_stopped() {
    let rsm = machine();
    for algorithm in [Algorithm::Auto, Algorithm::Rounds, Algorithm::Facts] {
        let free = options(algorithm, u64::MAX);
        let stopped = solve_rsm(&rsm, Context::Any, &free, &mut at(2));
        assert_eq!(stopped.err(), Some(Error::Stopped), "{}", algorithm.name());
        let little = options(algorithm, 200_000);
        let stopped = solve_rsm(&rsm, Context::Any, &little, &mut carry_on);
        assert!(matches!(stopped, Err(Error::OutOfMemory(_))));
    }
}

fn solution() -> Solution {
    let (graph, grammar) = (layers(20_000), grammar("S = (a | b)+;"));
    solved(&graph, &grammar, &options(Algorithm::Auto, u64::MAX)).unwrap()
}

#[test]
fn questions_can_be_stopped_and_asked_again() {
    let solution = solution();
    assert_eq!(solution.count(&mut at(2)), Err(Error::Stopped));
    let count = solution.count(&mut carry_on).unwrap();
    let mut rows = 0;
    let mut all = 0u64;
    let give = |_: u32, list: &[u32]| -> Result<(), ()> {
        rows += 1;
        all += list.len() as u64;
        if rows < 3000 { Ok(()) } else { Err(()) }
    };
    assert_eq!(solution.rows(give, &mut carry_on), Ok(Err(())));
    assert!(all > 0 && all < count.with_diagonal());
    let give = |_: u32, _: &[u32]| -> Result<(), ()> { Ok(()) };
    assert_eq!(solution.rows(give, &mut at(3)), Err(Error::Stopped));
    let to = *solution.targets_of(0).last().unwrap();
    assert_eq!(solution.witness(0, to, &mut at(2)), Err(Error::Stopped));
    assert!(solution.witness(0, to, &mut carry_on).unwrap().is_some());
}

#[test]
fn questions_keep_within_the_memory_of_the_solution() {
    let graph = random(60_000);
    let grammar = grammar("S = (a | b)+;");
    let free = solved(&graph, &grammar, &options(Algorithm::Auto, u64::MAX)).unwrap();
    // Counting takes a row for each component and thread.
    let limit = free.peak_bytes() + 10_000;
    let solution = solved(&graph, &grammar, &options(Algorithm::Auto, limit)).unwrap();
    let to = *solution.targets_of(0).last().unwrap();
    let witness = solution.witness(0, to, &mut carry_on);
    assert!(matches!(witness, Err(Error::OutOfMemory(_))), "{witness:?}");
    assert!(solution.peak_bytes() <= limit);
}

/// A long procedure with some facts.
struct Long;

impl Ifds for Long {
    fn procedures(&self) -> u32 {
        1
    }
    fn main(&self) -> u32 {
        0
    }
    fn points(&self, _: u32) -> u32 {
        40_000
    }
    fn entry(&self, _: u32) -> u32 {
        0
    }
    fn exits(&self, _: u32) -> Vec<u32> {
        vec![39_999]
    }
    fn facts(&self, _: u32) -> u32 {
        4
    }
    fn edges(&self, _: u32) -> Vec<Flow> {
        let edge = |from| Flow {
            from,
            to: from + 1,
            callee: None,
        };
        (0..39_999).map(edge).collect()
    }
    fn at_start(&self) -> Vec<u32> {
        vec![0]
    }
    fn flow(&self, _: u32, _: u32, _: Via, fact: Option<u32>) -> Vec<u32> {
        fact.into_iter().collect()
    }
}

fn program(procedures: u32) -> Program {
    let mut text = "decl g, h;\n".to_owned();
    for number in 0..procedures {
        let call = match number + 1 < procedures {
            true => format!("    y := p{}(x);\n", number + 1),
            false => String::new(),
        };
        text.push_str(&format!(
            "bool p{number}(a) begin\n  decl x, y;\n  x := a & g;\n  y := !x;\n  if (y) then\n\
             {call}    h := y;\n  fi\n  return x;\nend\n"
        ));
    }
    text.push_str("void main() begin\n  decl z;\n  z := p0(g);\n  h := z;\nend\n");
    let source = Source::new("limits.bp", text).unwrap();
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("no errors")
}

#[test]
fn data_flow_can_be_stopped() {
    let stopped = solve_ifds(&Long, u64::MAX, &mut at(2));
    assert_eq!(stopped.err(), Some(Error::Stopped));
    let out = solve_ifds(&Long, 1_000_000, &mut carry_on);
    assert!(matches!(out, Err(Error::OutOfMemory(_))));
    assert!(
        solve_ifds(&Long, u64::MAX, &mut carry_on)
            .unwrap()
            .holds(0, 39_999, 0)
    );

    let program = program(2000);
    let stopped = live_variables(&program, u64::MAX, &mut at(2));
    assert_eq!(stopped.err(), Some(Error::Stopped));
    let out = live_variables(&program, 1_000_000, &mut carry_on);
    assert!(matches!(out, Err(Error::OutOfMemory(_))));
    let stopped = unassigned(&program, u64::MAX, &mut at(2));
    assert_eq!(stopped.err(), Some(Error::Stopped));
    let out = unassigned(&program, 1_000_000, &mut carry_on);
    assert!(matches!(out, Err(Error::OutOfMemory(_))));
}

#[test]
fn live_variables_take_work_in_proportion_to_the_procedures() {
    let work = |procedures: u32| {
        let program = program(procedures);
        let mut work = 0;
        let mut tick = |progress: &Progress| {
            work = progress.work;
            ControlFlow::Continue(())
        };
        let live = live_variables(&program, u64::MAX, &mut tick).unwrap();
        (work as f64, live.peak_bytes() as f64)
    };
    let (few, many) = (work(1500), work(6000));
    assert!(few.0 > 0.0);
    assert!(many.0 < 4.6 * few.0, "{few:?} {many:?}");
    assert!(many.1 < 4.6 * few.1, "{few:?} {many:?}");
}

#[test]
fn reading_can_be_stopped() {
    let mut text = String::new();
    for number in 0..70_000 {
        text.push_str(&format!("n{number} n{} label{number}\n", number / 2));
    }
    let lists = Source::new("limits.g", text.clone()).unwrap();
    let dots = text
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            format!("{} -> {} [label={}];\n", words[0], words[1], words[2])
        })
        .collect::<String>();
    let dots = Source::new("limits.dot", dots).unwrap();
    for (source, layout) in [(&lists, Layout::EdgeList), (&dots, Layout::Dot)] {
        let stopped = read(source, layout, u64::MAX, &mut at(2));
        assert_eq!(stopped.err(), Some(Error::Stopped));
        let out = read(source, layout, 6_000_000, &mut carry_on);
        assert!(matches!(out, Err(Error::OutOfMemory(_))));
        let parsed = read(source, layout, u64::MAX, &mut carry_on).unwrap();
        let graph = parsed.graph.unwrap();
        assert_eq!(graph.nodes(), 70_000);
        let least = graph.bytes() + source.text().len();
        assert!(parsed.peak_bytes >= least as u64);
    }
}
