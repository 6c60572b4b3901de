//! Every kind of model and of evidence becomes a page: systems of any size, strategies, trees,
//! monitors that become part of a program, and what is said besides.

mod common;

use std::ops::ControlFlow;

use common::{answers, explicit, model, questions, read, source};
use recurva_check::{Asked, Options, Progress, Watch, Work};
use recurva_explorer::{Document, Evidence, Exploration, Live, Stored};
use recurva_syntax::Source;

/// The document of a model and what is asked of it.
fn document(name: &str, asked: &Asked, options: &Options) -> Document {
    let model = model(name);
    let questions = questions(&model, asked);
    let answers = answers(&questions, options);
    Exploration::new(&model, &answers).document("recurva explore", Stored::Near)
}

fn spec(name: &str) -> Asked {
    Asked {
        spec: Some(source(name)),
        ..Asked::default()
    }
}

#[test]
fn a_run_of_a_system_is_a_list_of_words() {
    let options = Options::default();
    let document = document("corpus/rmc/token_buggy.rmc", &Asked::default(), &options);
    assert!(document.machines.is_empty() && document.free.is_none());
    let names: Vec<&str> = document.drawings.iter().map(|it| &*it.name).collect();
    assert!(names.contains(&"initial"), "{names:?}");
    let about = &document.drawings[0].about;
    assert_eq!(about, "t n*");
    let question = &document.questions[0];
    assert_eq!((question.verdict, question.machine), ("violated", None));
    let Some(Evidence::Words(words)) = &question.evidence else {
        panic!("no words")
    };
    assert_eq!(words.words.len(), words.actions.len() + 1);
    assert_eq!((words.turn, words.process), (None, None));
}

#[test]
fn an_infinite_run_of_a_system_has_a_turn() {
    let options = Options::default();
    let name = "corpus/rmc/token_ring_unfair.rmc";
    let document = document(name, &Asked::default(), &options);
    let found = document.questions.iter().find_map(|it| match &it.evidence {
        Some(Evidence::Words(words)) if words.turn.is_some() => Some(words),
        _ => None,
    });
    let words = found.expect("an infinite run");
    assert!(words.turn.expect("a turn") < words.words.len());
    let size = words.words[0].len();
    assert!(words.words.iter().all(|word| word.len() == size));
    assert!(words.process.is_none_or(|process| process < size));
}

#[test]
fn an_invariant_is_drawn() {
    let options = Options::default();
    let document = document("corpus/rmc/token.rmc", &Asked::default(), &options);
    let proved = document.questions.iter().find(|it| it.drawing.is_some());
    let proved = proved.expect("a proof");
    assert_eq!(proved.verdict, "holds");
    let drawing = &document.drawings[proved.drawing.expect("a drawing")];
    assert_eq!(drawing.name, format!("invariant for {}", proved.property));
    assert!(!drawing.drawing.nodes.is_empty());
}

#[test]
fn a_strategy_on_a_machine_comes_with_the_machine() {
    let asked = Asked {
        ntmu: vec!["all_calls_return".to_owned()],
        ..Asked::default()
    };
    let name = "examples/thesis_fig2_1.nsm";
    let document = document(name, &asked, &Options::default());
    assert_eq!(document.drawings[0].name, "machine");
    let Some(Evidence::Strategy(strategy)) = &document.questions[0].evidence else {
        panic!("no strategy")
    };
    let first = &strategy.positions[0];
    assert!(first.place.is_some() && first.formula == Some(0));
    let nodes = &document.drawings[0].drawing.nodes;
    assert!(nodes.iter().any(|node| node.lines.contains(&first.state)));
}

const DEEP: &str = "decl g;
void f() begin if (*) then f(); fi BAD: g := T; end
void main() begin g := F; f(); end";

#[test]
fn a_strategy_on_a_program_comes_with_a_run() {
    let model = read("deep.bp", DEEP);
    let asked = Asked {
        ntmu: vec!["AG !@BAD".to_owned()],
        ..Asked::default()
    };
    let questions = questions(&model, &asked);
    let answers = answers(&questions, &explicit());
    let exploration = Exploration::new(&model, &answers);
    let document = exploration.document("recurva explore", Stored::Near);
    let [formula, run] = &document.questions[..] else {
        panic!("not a formula and its run")
    };
    let Some(Evidence::Strategy(strategy)) = &formula.evidence else {
        panic!("no strategy")
    };
    let positions = strategy.positions.iter();
    let last = positions.last().expect("positions");
    assert!(last.point.is_some() && last.place.is_some());
    assert!(matches!(&run.evidence, Some(Evidence::Run(_))));
    assert_eq!((formula.machine, run.machine), (Some(0), Some(0)));
    let free = document.free.expect("stored states");
    assert!(free.contains_key("i") && free.contains_key("@1:0"));
    assert!(exploration.free().state("@0:0").is_err());
}

#[test]
fn a_tree_that_is_rejected_has_a_strategy() {
    let model = read("deep.bp", DEEP);
    let automaton = "alternating\ninit running\nstate running 0 = !@BAD & [] running\n";
    let asked = Asked {
        spec: Some(Source::new("never.nta", automaton).unwrap()),
        ..Asked::default()
    };
    let questions = questions(&model, &asked);
    let answers = answers(&questions, &Options::default());
    let exploration = Exploration::new(&model, &answers);
    let document = exploration.document("recurva explore", Stored::No);
    let [question] = &document.questions[..] else {
        panic!("not one question")
    };
    assert_eq!(question.verdict, "violated");
    let Some(Evidence::Strategy(strategy)) = &question.evidence else {
        panic!("no strategy")
    };
    assert!(strategy.formula.len() > 1 && strategy.positions.len() > 1);
}

#[test]
fn a_monitor_becomes_part_of_the_program_that_is_shown() {
    let asked = spec("examples/pal/stream.pal");
    let document = document("examples/pal/fcron_leak.bp", &asked, &explicit());
    let [_, monitor] = &document.sources[..] else {
        panic!("not two texts")
    };
    assert!(monitor.name.ends_with("stream.pal"));
    let [machine] = &document.machines[..] else {
        panic!("not one program")
    };
    let edges = machine.procedures.iter().flat_map(|it| &it.edges);
    let places = edges.filter_map(|edge| edge.place);
    let of_monitor = places.filter(|place| place[0] == 1);
    let lines = monitor.text.lines().count() as u32;
    let of_monitor: Vec<u32> = of_monitor.map(|place| place[3]).collect();
    assert!(!of_monitor.is_empty() && of_monitor.iter().all(|&line| line <= lines));
    let violated = document.questions.iter();
    let violated = violated.filter(|question| question.verdict == "violated");
    for question in violated {
        let Some(Evidence::Run(run)) = &question.evidence else {
            panic!("no run")
        };
        assert_eq!(run.end.place.expect("a place")[0], 1);
    }
}

#[test]
fn a_program_with_and_without_a_monitor_are_two() {
    let model = read(
        "twice.bp",
        "void f() begin skip; end void main() begin f(); f(); HIT: skip; end",
    );
    let monitor = "global int n = 0;\nevent { pattern { f(); } before { guard { n == 0 } action { n = 1; } } }";
    let asked = Asked {
        reach: vec!["HIT".to_owned()],
        spec: Some(Source::new("once.pal", monitor).unwrap()),
        ..Asked::default()
    };
    let questions = questions(&model, &asked);
    let answers = answers(&questions, &explicit());
    let exploration = Exploration::new(&model, &answers);
    let document = exploration.document("recurva explore", Stored::Near);
    let machines: Vec<Option<usize>> = document.questions.iter().map(|it| it.machine).collect();
    assert_eq!(machines[..2], [Some(0), Some(1)]);
    assert_eq!(document.machines.len(), 2);
    let names = |machine: usize| {
        let globals = document.machines[machine].globals.iter();
        globals.map(|slot| &*slot.name).collect::<Vec<_>>()
    };
    assert!(names(0).is_empty() && !names(1).is_empty());
    let free = exploration.free();
    for (picks, machine) in [("i", 0), ("i0", 0), ("i1", 1), ("@0:0", 0), ("@1:0", 1)] {
        let state = free.state(picks).unwrap();
        assert_eq!(state.machine, machine, "{picks}");
        assert_eq!(state.globals.len(), names(machine).len(), "{picks}");
    }
    let stored = document.free.as_ref().expect("stored states");
    assert!(stored.contains_key("i") && stored.contains_key("i1"));
}

#[test]
fn remarks_are_on_the_page() {
    let model = read("empty.bp", "void main() begin skip; end");
    let questions = questions(&model, &Asked::default());
    let answers = answers(&questions, &explicit());
    let document = Exploration::new(&model, &answers).document("", Stored::No);
    let [question] = &document.questions[..] else {
        panic!("not one question")
    };
    assert!(question.summary.starts_with("holds"));
    let [note] = &question.notes[..] else {
        panic!("{:?}", question.notes)
    };
    assert!(note.text.contains("nothing to violate"));
    assert!(
        note.help
            .as_deref()
            .is_some_and(|help| help.contains("--reach"))
    );
}

#[test]
fn work_of_any_kind_is_told_while_it_goes_on() {
    let mut live = Live::new(2);
    live.ask(1, "mutex");
    let work = Work {
        what: "forward",
        round: 3,
        number: 40,
        unit: "states",
        bytes: 2048,
    };
    let progress = Progress::from(work);
    assert_eq!(live.progress(&progress), ControlFlow::Continue(()));
    let told = live.status().work.expect("work");
    assert_eq!((told.what, told.round, told.number), ("forward", 3, 40));
    live.stop();
    let stopped = live.progress(&progress);
    assert_eq!(
        stopped,
        ControlFlow::Break(recurva_check::Limit::Interrupted)
    );
    live.ask(0, "other");
    assert_eq!(live.status().work, None);
}
