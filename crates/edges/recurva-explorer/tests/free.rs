//! Free exploration: names lead where they say, every successor is listed, calls can be stepped
//! over, and a file holds what a server would answer.

mod common;

use std::collections::{BTreeSet, VecDeque};

use common::{answers, explicit, questions};
use recurva_check::{Asked, Model};
use recurva_explorer::{Exploration, FreeEntry, FreeState, Stored};
use recurva_testkit::{brute, generate};

fn read(text: &str) -> Model {
    common::read("model.bp", text)
}

const CALLS: &str = "
decl g;
bool pick(x) begin
  if (*) then g := x; return !x; fi
  return x;
end
void main() begin
  decl a;
  a := T;
  a := pick(a);
  assume(a | g);
end";

#[test]
fn a_state_is_named_by_the_way_there() {
    let model = read(CALLS);
    let exploration = Exploration::new(&model, &[]);
    let free = exploration.free();
    let go = |picks: &str| free.state(picks);
    let start = go("i").unwrap();
    assert_eq!(start.stack.len(), 1);
    let [step] = &start.choices[..] else {
        panic!("{:?}", start.choices)
    };
    assert_eq!(
        (step.kind, &*step.text, &*step.note),
        ("step", "a := T", "a=T")
    );
    let call = go(&format!("i/{}", step.pick)).unwrap();
    let kinds: Vec<&str> = call.choices.iter().map(|choice| choice.kind).collect();
    assert_eq!(kinds, ["into", "over", "over"]);
    let outcomes: Vec<&str> = call.choices[1..].iter().map(|it| &*it.note).collect();
    assert_eq!(outcomes, ["returns T", "returns F; g=T, a=F"]);
    let inside = go(&format!("{}/{}", call.picks, call.choices[0].pick)).unwrap();
    assert_eq!(inside.stack.len(), 2);
    assert_eq!(inside.stack[1].locals[0], "T");
    let over = go(&format!("{}/{}", call.picks, call.choices[2].pick)).unwrap();
    assert_eq!((&*over.globals[0], &*over.stack[0].locals[0]), ("T", "F"));
}

#[test]
fn what_a_call_changes_is_told_of_the_frame_that_made_it() {
    let model = read(
        "int(4) inc(int(4) x) begin return x + 1; end
         void f(int(4) a, int(4) b) begin b := inc(a); end
         void main() begin decl int(4) p, q; p := 3; q := 5; f(q, p); end",
    );
    let exploration = Exploration::new(&model, &[]);
    let state = exploration.free().state("i/e0/e1/e2").unwrap();
    assert_eq!(state.stack.len(), 2);
    let over = state.choices.iter().find(|it| it.kind == "over").unwrap();
    assert_eq!(over.note, "returns 6; b=6");
}

#[test]
fn a_failure_is_told_from_a_blocked_run() {
    let model = read("void main() begin assert(F); end");
    let asked = questions(&model, &Asked::default());
    let answers = answers(&asked, &explicit());
    let exploration = Exploration::new(&model, &answers);
    let free = exploration.free();
    let end = free.state("@0:1").unwrap();
    assert!(end.note.contains("fails here"), "{}", end.note);
    assert!(free.state("@0:18446744073709551615").is_err());
}

#[test]
fn wrong_names_are_refused_with_a_reason() {
    let model = read(CALLS);
    let exploration = Exploration::new(&model, &[]);
    let free = exploration.free();
    let say = |picks: &str| free.state(picks).unwrap_err().to_string();
    for start in [
        "",
        "x",
        "@0:1",
        "@",
        "@9999999999999999999999:0",
        "i:",
        "i:7,7",
        "i:2,0,0",
        "i1",
        "i1:0,0",
        "i-1",
        "i18446744073709551616",
    ] {
        assert!(say(start).contains("no place to begin"), "{start}");
    }
    for pick in [
        "",
        "e",
        "o",
        "q",
        "ex",
        "e0:x",
        "e0~1",
        "e-1",
        "e0:99999999999999999999999",
    ] {
        assert!(say(&format!("i/{pick}")).contains("no way to go"), "{pick}");
    }
    for pick in ["r", "e7", "e4294967295", "o0", "e0:1,2,3", "o0~5"] {
        assert!(say(&format!("i/{pick}")).contains("not possible"), "{pick}");
    }
}

/// All states within a few steps, over the names alone.
fn points(exploration: &Exploration<'_>, start: &str) -> BTreeSet<(u32, u32)> {
    let free = exploration.free();
    let mut seen = BTreeSet::new();
    let mut known = BTreeSet::new();
    let mut queue = VecDeque::from([start.to_owned()]);
    while let Some(picks) = queue.pop_front() {
        let state = free.state(&picks).expect("a listed way");
        let frame = state.stack.last().unwrap();
        seen.insert((frame.procedure, frame.node));
        let what = format!("{:?} {:?}", state.globals, state.stack);
        if known.len() > 12 || state.stack.len() > 3 || !known.insert(what) {
            continue;
        }
        for choice in &state.choices {
            let next = format!("{picks}/{}", choice.pick);
            let there = free.state(&next).expect("a listed choice");
            let top = there.stack.last().unwrap();
            assert_eq!([top.procedure, top.node], choice.to, "{next}");
            queue.push_back(next);
        }
    }
    seen
}

#[test]
fn nothing_is_reached_that_brute_force_does_not_reach() {
    let mut compared = 0;
    for seed in 0..24 {
        let text = generate::generate(seed, &generate::Config::default());
        let model = read(&text);
        let program = model.program().expect("a program");
        let found = brute::reachable(program, &brute::Limits::default());
        let all: BTreeSet<(u32, u32)> = found
            .nodes
            .iter()
            .map(|point| (point.procedure.0, point.node.0))
            .collect();
        let here = points(&Exploration::new(&model, &[]), "i");
        assert!(here.is_subset(&all), "seed {seed}\n{text}");
        compared += here.len();
    }
    assert!(compared > 60, "only {compared} nodes were compared");
}

#[test]
fn a_file_holds_what_a_server_would_answer() {
    let model = read(&CALLS.replace("assume(a | g)", "assert(a)"));
    let asked = questions(&model, &Asked::default());
    let answers = answers(&asked, &explicit());
    let exploration = Exploration::new(&model, &answers);
    let free = exploration.free();
    let document = exploration.document("recurva explore", Stored::Near);
    let table = document.free.expect("stored states");
    let same = |left: &FreeState, right: &FreeState| {
        serde_json::to_string(left).unwrap() == serde_json::to_string(right).unwrap()
    };
    assert!(table.contains_key("i") && table.contains_key("@0:0"));
    let mut aliases = 0;
    for (picks, entry) in &table {
        let asked = free.state(picks).unwrap();
        match entry {
            FreeEntry::State(state) => assert!(same(state, &asked), "{picks}"),
            FreeEntry::Same(other) => {
                aliases += 1;
                let Some(FreeEntry::State(state)) = table.get(other) else {
                    panic!("{picks} is stored as {other}, which is not")
                };
                assert_eq!(state.globals, asked.globals, "{picks}");
                assert_eq!(state.stack.len(), asked.stack.len(), "{picks}");
            }
        }
    }
    assert!(aliases > 0);
    // Every position of the run is a place to begin.
    for position in ["@0:0", "@0:1", "@0:1.0", "@0:2"] {
        assert!(free.state(position).is_ok(), "{position}");
    }
    assert!(free.state("@0:0.0").is_err());
    assert!(free.state("@0:99").is_err());
}

#[test]
fn endless_calls_are_given_up() {
    let model = read("void f() begin f(); end void main() begin f(); end");
    let exploration = Exploration::new(&model, &[]);
    let state = exploration.free().state("i").unwrap();
    let kinds: Vec<&str> = state.choices.iter().map(|choice| choice.kind).collect();
    assert_eq!(kinds, ["into"]);
    assert!(state.note.contains("Not all ways"), "{}", state.note);
}
