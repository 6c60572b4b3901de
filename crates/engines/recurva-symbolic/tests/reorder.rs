//! A better order of the variables is looked for when there is no more room: the answers stay
//! the same, and there are more of them.

use std::{collections::BTreeSet, fmt::Write as _, ops::ControlFlow};

use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{Ending, Point, Program, Stack};
use recurva_symbolic::{
    Answer, Config, Explored, FairAnswer, Finished, Progress, Stopped, explore, fair, reach,
};
use recurva_syntax::{Source, Style};
use recurva_testkit::generate;

fn parse(text: &str) -> Program {
    let source = Source::new("reorder.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Smaller and smaller rooms for a search that took so many nodes.
fn rooms(progress: &Progress) -> impl Iterator<Item = Config> {
    let peak = progress.peak_nodes;
    [7, 6, 5, 4, 3].into_iter().map(move |part| Config {
        max_nodes: Some(peak * part / 8),
        ..Config::default()
    })
}

fn programs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, String)> {
    let config = generate::Config {
        globals: 4,
        locals: 3,
        ..generate::Config::default()
    };
    seeds.map(move |seed| (seed, generate::generate(seed, &config)))
}

/// The room is too small for the search in its first order. Where it is enough in another one
/// the same nodes are reached, and each trace replays.
#[test]
fn reached_nodes_are_the_same_in_every_order() {
    let mut reordered = 0;
    for (_, text) in programs(4_000_000..4_000_800) {
        let program = parse(&text);
        let everything: Explored = explore(&program, None, &Config::default(), go_on);
        let truth: BTreeSet<Point> = everything.reached.iter().map(|&(point, _)| point).collect();
        for config in rooms(&everything.progress) {
            let explored = explore(&program, None, &config, go_on);
            match explored.stopped {
                None => assert_eq!(explored.reached, everything.reached, "{text}"),
                Some(stopped) => assert_eq!(stopped, Stopped::Nodes),
            }
            if explored.progress.reorderings == 0 || explored.stopped.is_some() {
                continue;
            }
            reordered += 1;
            for label in program.labels() {
                let targets = [label.point];
                let finished: Finished = reach(&program, None, &targets, &config, go_on);
                match finished.answer {
                    Answer::Unreachable => assert!(!truth.contains(&label.point), "{text}"),
                    Answer::Reached(trace) => {
                        let trace = *trace.expect("a trace");
                        let claim = Claim::Reaches(targets.to_vec());
                        if let Err(mismatch) = replay(&program, trace, &claim) {
                            panic!("{mismatch}\n{text}");
                        }
                    }
                    Answer::Unfinished(stopped) => {
                        assert!(truth.contains(&label.point), "{text}");
                        assert_eq!(stopped, Stopped::Nodes);
                    }
                    Answer::Stopped(stopped) => assert_eq!(stopped, Stopped::Nodes),
                }
            }
        }
    }
    assert!(reordered > 20, "{reordered}");
}

#[test]
fn infinite_runs_are_the_same_in_every_order() {
    let mut reordered = 0;
    for (seed, text) in programs(5_000_000..5_000_250) {
        let program = parse(&text);
        let automaton = &generate::automaton(seed, &program).expect("it fits the program");
        for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
            let ask =
                |config: &Config| fair(&program, automaton, stack, Ending::Stops, config, go_on);
            let truth = ask(&Config::default());
            let is_there = matches!(truth.answer, FairAnswer::Found(_));
            for config in rooms(&truth.progress) {
                let finished = ask(&config);
                match finished.answer {
                    FairAnswer::Unfinished(stopped) => {
                        assert!(is_there, "{text}");
                        assert_eq!(stopped, Stopped::Nodes);
                        continue;
                    }
                    FairAnswer::Stopped(stopped) => {
                        assert_eq!(stopped, Stopped::Nodes);
                        continue;
                    }
                    FairAnswer::Empty => assert!(!is_there, "{text}"),
                    FairAnswer::Found(trace) => {
                        assert!(is_there, "{text}");
                        let trace = *trace.expect("a trace");
                        let claim = Claim::Repeats(automaton.conditions().to_vec());
                        if let Err(mismatch) = replay(&program, trace, &claim) {
                            panic!("{mismatch}\n{text}");
                        }
                    }
                }
                reordered += u32::from(finished.progress.reorderings > 0);
            }
        }
    }
    assert!(reordered > 20, "{reordered}");
}

fn list(count: u32, separator: &str, text: impl Fn(u32) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(separator)
}

/// Pairs of variables that are equal, which nothing says in one place: the one gets its value
/// from the other by a call, and they are compared in another one.
fn pairs(count: u32, ty: &str, wrong: Option<u32>) -> String {
    let names = |letter: &str| list(count, ", ", |i| format!("{letter}{i}"));
    let mut text = format!("decl {ty} {}, {};\n", names("a"), names("b"));
    let returned = if ty.is_empty() { "bool" } else { ty };
    let _ = write!(
        text,
        "{returned} id({ty} x) begin return x; end
         bool same({ty} x, {ty} y) begin return x = y; end
         void main() begin
           decl r;\n"
    );
    for i in 0..count {
        let source = if wrong == Some(i) { 0 } else { i };
        let _ = writeln!(text, "b{i} := id(a{source});");
    }
    for i in 0..count {
        let _ = writeln!(text, "r := same(a{i}, b{i}); assert(r);");
    }
    text + "end\n"
}

/// The same with the elements of two arrays.
fn arrays(count: u32) -> String {
    format!(
        "decl a[{count}], b[{count}]; decl int(6) i;
         void main() begin
           i := 0;
           while (i < {count}) do b[i] := a[i]; i := i + 1; od
           i := 0;
           while (i < {count}) do assert(a[i] = b[i]); i := i + 1; od
         end"
    )
}

fn decide(text: &str, reordering: bool) -> Finished {
    let program = parse(text);
    let targets: Vec<Point> = program.failures().iter().map(|f| f.point).collect();
    let config = Config {
        reordering,
        max_nodes: Some(1 << 16),
        ..Config::default()
    };
    let finished = reach(&program, None, &targets, &config, go_on);
    if let Answer::Reached(Some(trace)) = &finished.answer {
        let claim = Claim::Reaches(targets);
        replay(&program, trace.as_ref().clone(), &claim).expect("it replays");
    }
    finished
}

#[test]
fn an_order_that_the_program_does_not_suggest() {
    for text in [pairs(18, "", None), pairs(12, "int(4)", None), arrays(10)] {
        let as_suggested = decide(&text, false);
        let stopped = matches!(as_suggested.answer, Answer::Stopped(Stopped::Nodes));
        assert!(stopped, "{:?}\n{text}", as_suggested.answer);
        assert_eq!(as_suggested.progress.reorderings, 0);
        let finished = decide(&text, true);
        let holds = matches!(finished.answer, Answer::Unreachable);
        assert!(holds, "{:?}\n{text}", finished.answer);
        assert!(finished.progress.reorderings > 0);
    }
}

#[test]
fn a_trace_in_an_order_that_the_program_does_not_suggest() {
    let finished = decide(&pairs(18, "", Some(17)), true);
    assert!(matches!(finished.answer, Answer::Reached(Some(_))));
    assert!(finished.progress.reorderings > 0);
}

/// Nothing is looked for as long as there is room.
#[test]
fn small_searches_keep_their_order() {
    let finished = decide(&pairs(10, "", None), true);
    assert!(matches!(finished.answer, Answer::Unreachable));
    assert_eq!(finished.progress.reorderings, 0);
}
