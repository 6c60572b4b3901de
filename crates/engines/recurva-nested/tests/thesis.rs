//! The examples and claims of chapter 3 of the thesis.

mod common;

use common::{FOO, figure_3_7, formula, holds, machine};
use recurva_logic::ntmu::{Formulas, Modality};
use recurva_model::Nsm;
use recurva_nested::bounded::{self, Summary};

/// Whether a formula holds at a state of the top-level invocation of foo.
fn at(state: &str, text: &str) -> bool {
    let text = format!("EF_l (@{state} & ({text}))");
    holds(&machine(FOO), &formula(&text))
}

#[test]
fn reachability_at_the_recursive_call() {
    // §3.3, node s of Fig. 3.5 is the call.
    assert!(at("v2", "EF_l rd"));
    assert!(at("v2", "EF wr"));
    assert!(!at("v2", "EF_l wr"));
    assert!(!at("v2", "AF_l rd"));
    assert!(at("v2", "E[!wr U_l rd]"));
    assert!(!at("v2", "E[!wr U rd]"));
    // The callee begins with a write, on all paths.
    assert!(at("v2", "AF wr"));
    assert!(!at("v2", "AF_l wr"));
    assert!(at("v2", "EG !tk") && at("v2", "EG_l !rd") && !at("v2", "AG_l !rd"));
    assert!(at("v1", "AG(wr -> EF end)"));
}

#[test]
fn paths_end_where_the_invocation_does() {
    assert!(at("v5", "EG end") && at("v5", "AG end") && at("v5", "E[end W rd]"));
    assert!(!at("v5", "AF rd") && !at("v5", "AF_l rd") && !at("v5", "E[end U rd]"));
    assert!(at("v4", "EG rd"));
    assert!(at("v3", "A[true W rd]") && !at("v3", "A[!end W rd]"));
    assert!(at("v3", "A[!end W end]") && !at("v3", "A[!end U end]"));
}

#[test]
fn very_busy_expressions() {
    // With global variables it is not very busy before the call: the callee writes.
    assert!(!at("v2", "very_busy(rd, wr)"));
    // In foo a read can always be left out.
    assert!(!at("v3", "very_busy(rd, wr)"));
    assert!(at("v4", "very_busy(rd, wr)"));
    // Without the way around the loop, and with a callee that returns, only a global variable
    // is spoilt by the callee.
    let read_behind = FOO
        .replace("w2 -> v5", "")
        .replace("v3 -> v4", "")
        .replace("v1 -> v2\n", "");
    let text = "local v0
        init v0
        v0 -> v2";
    let read_behind = read_behind.replace("init v1", text);
    let machine = machine(&read_behind);
    assert!(holds(&machine, &formula("very_busy_mixed(rd, false, wr)")));
    assert!(!holds(&machine, &formula("very_busy_mixed(rd, wr, false)")));
    assert!(!holds(&machine, &formula("very_busy(rd, wr)")));
}

#[test]
fn stack_inspection() {
    // main calls bar, which calls foo; and foo by itself if it is called `alone`.
    let text = |extra: &str| {
        format!(
            "local m
             call c : c_bar
             return r
             call d : c_foo
             return s
             local bar
             call e : c_foo, quiet
             return t
             local foo : act
             init m
             m -> c
             c -call-> bar
             bar -> e
             e -call-> foo
             (foo, e) -ret-> t
             (foo, d) -ret-> s
             (t, c) -ret-> r
             d -call-> foo
             {extra}"
        )
    };
    let under = machine(&text(""));
    let both = machine(&text("m -> d"));
    let after = machine(&text("r -> d"));
    let ask = |machine, text| holds(machine, &formula(text));
    assert!(!ask(&under, "never_under(c_bar, c_foo)"));
    assert!(ask(&under, "never_under(c_foo, c_bar)"));
    assert!(ask(&under, "only_under(c_bar, act)"));
    assert!(!ask(&both, "only_under(c_bar, act)"));
    assert!(!ask(&both, "all_callers(c_bar, act)"));
    assert!(ask(&both, "all_callers(c_bar | c_foo, act)"));
    // Once bar has been called, foo is not called by main: it is, after the return.
    assert!(ask(&both, "never_once_called(c_bar, c_foo & !quiet)"));
    assert!(!ask(&after, "never_once_called(c_bar, c_foo & !quiet)"));
    assert!(ask(&after, "never_under(c_bar, c_foo & !quiet)"));
    // Bounds on the stack.
    assert!(!ask(&under, "each_callee(no_calls)"));
    assert!(ask(&under, "each_callee(each_callee(no_calls))"));
    assert!(ask(&under, "all_calls_return"));
    // Inside foo itself an act is not forbidden to bar.
    assert!(ask(&under, "access_control(c_bar, false, act)"));
    assert!(!ask(&under, "access_control(c_foo, false, act)"));
    assert!(ask(&under, "access_control(c_foo, quiet, act)"));
}

#[test]
fn termination_and_conditions_behind_calls() {
    // The recursion may go on for ever, and so may the loop.
    assert!(!at("v2", "terminates"));
    assert!(!holds(&machine(FOO), &formula("all_calls_return")));
    assert!(at("v2", "<jump> ex") && at("v2", "[jump] ex") && !at("v2", "<jump> rd"));
    assert!(holds(
        &machine(FOO),
        &formula("partial_correctness(true, en, ex)")
    ));
    assert!(!holds(
        &machine(FOO),
        &formula("partial_correctness(true, en, EF_l wr)")
    ));
    assert!(!holds(
        &machine(FOO),
        &formula("total_correctness(true, en, ex)")
    ));
    let once = FOO
        .replace("v2 -call-> v1", "v2 -call-> v3")
        .replace("v4 -> v4", "");
    assert!(holds(
        &machine(&once),
        &formula("total_correctness(true, en, ex)")
    ));
    assert!(holds(&machine(&once), &formula("all_calls_return")));
}

#[test]
fn multiple_return_conditions() {
    let pattern = "written_then(wr, rd, true, EF rd)";
    // Not every path returns.
    assert!(!at("v2", pattern));
    // Without the loop and the recursion each does, read or not.
    let text = FOO.replace("v4 -> v4", "").replace("v1 -> v2", "");
    let text = text.replace("init v1", "local v0\ninit v0\nv0 -> v2");
    let finite = machine(&text);
    let ask = |text: &str| holds(&finite, &formula(&format!("EF (@v2 & {text})")));
    assert!(ask(pattern));
    assert!(!ask("written_then(wr, rd, true, EF wr)"));
    assert!(!ask("written_then(wr, rd, false, true)"));
    assert!(!ask("written_then(tk & rd, rd, true, true)"));
}

#[test]
fn bounded_summaries_of_the_computation() {
    // §3.4: S1 … S4 for mu Y. <ret> R1 | <loc> Y | <call> Y {Y}.
    let machine = machine(FOO);
    let state = |name: &str| {
        let found = machine.ids().find(|&state| machine.name(state) == name);
        found.expect("a state of the machine")
    };
    let set = |states: &[&str]| {
        let mut list: Vec<Summary> = states
            .iter()
            .map(|name| Summary {
                state: state(name),
                pending: Some(state("v2")),
                colours: vec![vec![state("w2")]],
            })
            .collect();
        list.sort();
        list
    };
    let mut formulas = Formulas::new();
    let back = formulas.ret(Modality::Some, 1);
    let mut stage = back;
    let mut stages = Vec::new();
    for _ in 0..6 {
        let found = bounded::summaries(&machine, &formulas, stage, 1);
        stages.push(found.expect("there are no propositions"));
        let local = formulas.local(Modality::Some, stage);
        let call = formulas.call(Modality::Some, stage, &[stage]);
        let moves = formulas.or(local, call);
        stage = formulas.or(back, moves);
    }
    assert_eq!(stages[0], set(&["v5"]));
    assert_eq!(stages[1], set(&["v5", "w2", "v3", "v4"]));
    assert_eq!(stages[2], set(&["v5", "w2", "v3", "v4", "v1"]));
    assert_eq!(stages[3], set(&["v5", "w2", "v3", "v4", "v1", "v2"]));
    assert_eq!(stages[4], stages[3]);
    assert_eq!(stages[5], stages[3]);
}

#[test]
fn two_return_conditions_say_more_than_one() {
    let (s, t) = (machine(&figure_3_7("s1 -> c")), machine(&figure_3_7("")));
    let two = formula("<call> (<loc> (<ret> R1 & <ret> R2)) {p, !p}");
    assert!(holds(&s, &two) && !holds(&t, &two));
    for text in [
        "<call> (<loc> <ret> R1) {p}",
        "<call> (<loc> [ret] R1) {!p}",
        "[call] ([loc] <ret> R1) {p}",
        "<call> (<loc> (<ret> R1 & [ret] R1)) {true}",
        "<call> ([loc] (<ret> R1 | [ret] R1)) {!p}",
        "[call] (<loc> true & [loc] [ret] R1) {p}",
    ] {
        assert_eq!(
            holds(&s, &formula(text)),
            holds(&t, &formula(text)),
            "{text}"
        );
    }
}

#[test]
fn bisimilar_states_satisfy_the_same_formulas() {
    // Fig. 3.4: s2 and s4 are bisimilar, so the two trees are.
    let tree = |returns: &[(&str, &str)]| {
        let mut text = "call c\nlocal a b\ninit c\nc -call-> a\na -> b\n".to_owned();
        for (name, label) in returns {
            text.push_str(&format!("return {name} {label}\n"));
        }
        for (at, (name, _)) in returns.iter().enumerate() {
            let from = ["a", "b", "a"][at];
            text.push_str(&format!("({from}, c) -ret-> {name}\n"));
        }
        machine(&text)
    };
    let s = tree(&[("r2", ": p"), ("r3", ""), ("r4", ": p")]);
    let t = tree(&[("r2", ": p"), ("r3", "")]);
    assert_eq!(
        s.quotient(|x| s.state(x).propositions.len() as u64)
            .nsm
            .states()
            .len(),
        5
    );
    for text in [
        "<call> (<ret> R1 & [ret] R1 & <loc> <ret> R2) {p, !p}",
        "<call> (<ret> R1 & [ret] R2) {p, !p}",
        "[jump] p",
    ] {
        assert_eq!(
            holds(&s, &formula(text)),
            holds(&t, &formula(text)),
            "{text}"
        );
    }
}

#[test]
fn summaries_of_bisimilar_trees() {
    // Fig. 3.4: with {r2, r4} and {r3} the root of S is as that of T with {r2} and {r3}, and not
    // as with {r3} and {r2}. The summaries are those where the callee begins.
    let text = |extra: &str| {
        format!(
            "call c\nlocal a b\nreturn r2 : p\nreturn r3\ninit c\nc -call-> a\na -> b\n
             (a, c) -ret-> r2\n(b, c) -ret-> r3\n{extra}"
        )
    };
    let (s, t) = (
        machine(&text("return r4 : p\n(a, c) -ret-> r4\n")),
        machine(&text("")),
    );
    let state = |machine: &Nsm, name: &str| {
        let found = machine.ids().find(|&state| machine.name(state) == name);
        found.expect("a state of the machine")
    };
    let summary = |machine: &Nsm, first: &[&str], second: &[&str]| {
        let set = |names: &[&str]| {
            let mut list: Vec<_> = names.iter().map(|name| state(machine, name)).collect();
            list.sort_unstable();
            list
        };
        Summary {
            state: state(machine, "a"),
            pending: Some(state(machine, "c")),
            colours: vec![set(first), set(second)],
        }
    };
    let closed = summary(&s, &["r2", "r4"], &["r3"]);
    let same = summary(&t, &["r2"], &["r3"]);
    let other = summary(&t, &["r3"], &["r2"]);
    // This one tells r2 from r4, and is told apart from all of T's.
    let split = summary(&s, &["r2"], &["r4"]);
    let mut formulas = Formulas::new();
    let mut marks = Vec::new();
    for marker in [1, 2] {
        for modality in [Modality::Some, Modality::All] {
            let here = formulas.ret(modality, marker);
            marks.extend([here, formulas.local(Modality::Some, here)]);
        }
    }
    let (mut differ, mut split_differs) = (0, 0);
    for &mark in &marks {
        let holds = |machine: &Nsm, wanted: &Summary| {
            let list = bounded::summaries(machine, &formulas, mark, 2);
            list.expect("there are no propositions").contains(wanted)
        };
        assert_eq!(
            holds(&s, &closed),
            holds(&t, &same),
            "{}",
            formulas.show(mark)
        );
        differ += usize::from(holds(&s, &closed) != holds(&t, &other));
        split_differs += usize::from(holds(&s, &split) != holds(&t, &same));
    }
    assert!(differ > 0 && split_differs > 0);
}

#[test]
fn return_conditions_cannot_be_negated() {
    // Fig. 3.3: they would not be monotone, and fixpoints need not exist.
    for text in [
        "<call> (<ret> !R1) {p}",
        "<call> (!<ret> R1) {p}",
        "mu X. <call> (<ret> R1) {!X}",
    ] {
        let source = recurva_syntax::Source::new("formula", text).expect("a short text");
        assert!(
            recurva_logic::ntmu::parse(&source).formula.is_none(),
            "{text}"
        );
    }
}

#[test]
fn negation_of_closed_formulas() {
    for text in [
        "EF rd",
        "AF_l end",
        "E[wr U tk]",
        "all_calls_return",
        "<jump> ex",
        "AG_l !en",
    ] {
        let positive = holds(&machine(FOO), &formula(text));
        assert_ne!(
            positive,
            holds(&machine(FOO), &formula(text).negation()),
            "{text}"
        );
    }
}
