//! The examples and claims of chapter 4 of the thesis.

mod common;

use std::ops::ControlFlow;

use common::{alternating, formula, holds, machine, member, nondeterministic};
use recurva_automata::{Limits, SIDES, empty};
use recurva_logic::nta::{
    self, Nondeterministic,
    modal::{Ctl, Modal},
};
use recurva_model::Nsm;

fn go_on(_: &recurva_automata::Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A machine whose tree an automaton accepts.
fn witness(automaton: &Nondeterministic) -> Option<Nsm> {
    let found = empty(automaton, &Limits::default(), go_on).expect("it is small");
    if let Some(machine) = &found {
        let marked = automaton.to_alternating(SIDES);
        assert!(member(machine, &marked), "{automaton}");
    }
    found
}

/// A structure of Fig. 4.2-(a): a stem of calls with the letters `stem`, then `end`, then
/// branches of returns with the letters `branches`, the first letter for the innermost call.
fn gap_structure(stem: &str, branches: &[&str]) -> String {
    let mut text = String::new();
    let letter = |c: char| if c == '0' { "zero" } else { "one" };
    for (at, c) in stem.chars().enumerate() {
        text.push_str(&format!("call a{at} : {}\n", letter(c)));
    }
    text.push_str("init a0\nlocal e : end\n");
    let depth = stem.len();
    for at in 0..depth {
        let next = if at + 1 < depth {
            format!("a{}", at + 1)
        } else {
            "e".to_owned()
        };
        text.push_str(&format!("a{at} -call-> {next}\n"));
    }
    for (k, branch) in branches.iter().enumerate() {
        let mut from = "e".to_owned();
        for (at, c) in branch.chars().enumerate() {
            text.push_str(&format!("return b{k}_{at} : {}\n", letter(c)));
            text.push_str(&format!("({from}, a{}) -ret-> b{k}_{at}\n", depth - 1 - at));
            from = format!("b{k}_{at}");
        }
    }
    text
}

/// Unord(L_gap): for each letter of the stem some branch has the same letter at its return.
const GAP: &str = "
alternating
init stem
# At every letter one copy goes on, and one remembers the letter in its state and looks for a
# branch with the same one.
state stem 0 = end | (zero & go zero_here | one & go one_here) & [call] stem
state zero_here 1 = <call> down
state one_here 1 = <call> down
state down 1 = end & go up | <call> down
state up 1 = <ret, zero_here> is_zero | <ret, one_here> is_one | <ret, down> up
state is_zero 0 = zero
state is_one 0 = one
";

#[test]
fn alternation_tells_gaps() {
    let automaton = alternating(GAP);
    let ask = |stem: &str, branches: &[&str]| {
        let text = gap_structure(stem, branches) + "local other : zero, one, end\n";
        let machine = machine(&text);
        let found = member(&machine, &automaton);
        // Theorem 13, and back by Theorem 12.
        let formula = nta::to_formula(&automaton, 100_000).expect("it is small");
        assert_eq!(holds(&machine, &formula), found);
        assert_eq!(member(&machine, &nta::of_formula(&formula)), found);
        // Theorem 8: the complement.
        assert_ne!(member(&machine, &automaton.complement()), found);
        // The definition of the language.
        let expected = stem.char_indices().all(|(at, c)| {
            let place = stem.len() - 1 - at;
            branches
                .iter()
                .any(|branch| branch.chars().nth(place) == Some(c))
        });
        assert_eq!(found, expected, "{stem} {branches:?}");
        found
    };
    assert!(ask("0", &["0"]));
    assert!(!ask("0", &["1"]));
    // Each letter has its own branch.
    assert!(ask("001", &["111", "000"]));
    assert!(ask("000", &["011", "101", "110"]));
    assert!(!ask("000", &["011", "111", "110"]));
    for stem in ["01", "10", "11"] {
        for one in ["00", "01", "10", "11"] {
            for other in ["00", "01", "10", "11"] {
                ask(stem, &[one, other]);
            }
        }
    }
}

#[test]
fn the_run_of_figure_4_1() {
    // The transitions that the figure shows: (q1, σ, ((q0, q2), ⊥)) and (q0, σ, (q1, q2)).
    let text = "nondeterministic
        init q0
        state q0 0
        state q1 0
        state q2 0
        q0 (sigma) -> q1, q2
        q1 (sigma) -> (q0, q2), -
        q2 (sigma) -> -, -";
    let automaton = nondeterministic(text);
    assert_eq!(automaton.transitions().len(), 3);
    let machine = witness(&automaton).expect("there is such a tree");
    // The root calls; its left child returns to where the tree ends.
    assert!(machine.states().len() >= 4);
    // Returns that find another state than the one that was pushed are none.
    let wrong = text.replace("(q0, q2), -", "(q1, q2), -");
    assert!(witness(&nondeterministic(&wrong)).is_none());
}

#[test]
fn emptiness_looks_at_priorities_and_at_the_stack() {
    // For ever down the left side: calls or local nodes.
    let for_ever = "nondeterministic\ninit q\nstate q 0\nq -> q, -";
    assert!(witness(&nondeterministic(for_ever)).is_some());
    assert!(witness(&nondeterministic(&for_ever.replace("q 0", "q 1"))).is_none());
    // A call has to return for the tree to end.
    let text = "nondeterministic
        init main
        state main 1
        state callee 1
        state done 0
        main (a) -> callee, -
        callee -> callee, -
        callee -> (main, done), -
        done -> -, -";
    let machine = witness(&nondeterministic(text)).expect("it calls and returns");
    assert!(holds(&machine, &formula("<call> (EF_l <ret> R1) {true}")));
    assert!(witness(&nondeterministic(&text.replace("main (a)", "done (a)"))).is_none());
    // Nothing returns from the root.
    let text = "nondeterministic\ninit q\nstate q 0\nq -> (q, q), -";
    assert!(witness(&nondeterministic(text)).is_none());
    // Calls inside calls, as many as returns: the letters tell the level.
    let text = "nondeterministic
        init a
        state a 1
        state b 1
        state back 1
        state last 0
        a (x) -> b, -
        b (!x) -> b, -
        b -> (b, back), -
        back -> (b, back), -
        back -> (a, last), -
        last -> -, -";
    assert!(witness(&nondeterministic(text)).is_some());
}

#[test]
fn modal_formulas_do_not_see_what_returns_belong_to() {
    let foo = machine(
        "local v1 : wr\ncall v2 : en\nreturn w2 : ex\nlocal v3 : tk\nlocal v4 : rd\nlocal v5 : end
         init v1\nv1 -> v2\nv1 -> v3\nw2 -> v4\nw2 -> v5\nv3 -> v4\nv3 -> v5\nv4 -> v4\nv4 -> v5
         v2 -call-> v1\n(v5, v2) -ret-> w2",
    );
    let p = |text: &str| Ctl::literal(text, true);
    let not = |text: &str| Ctl::literal(text, false);
    let holds_in = |formula: &Ctl| {
        let automaton = Modal::ctl(formula);
        let found = member(&foo, &automaton);
        let ntmu = nta::to_formula(&automaton, 100_000).expect("it is small");
        assert_eq!(holds(&foo, &ntmu), found, "{formula:?}");
        found
    };
    let ef = |goal: Ctl| Ctl::exists_until(Ctl::True, goal);
    assert!(holds_in(&ef(p("ex"))));
    // In the callee's last position the caller's return is ahead: NT-µ's EF stops there.
    assert!(holds_in(&ef(Ctl::and(p("end"), ef(p("ex"))))));
    assert!(!holds(&foo, &formula("EF (end & EF ex)")));
    assert!(!holds_in(&Ctl::all_until(Ctl::True, p("ex"))));
    assert!(holds_in(&Ctl::all_globally(Ctl::or(
        not("en"),
        ef(p("wr"))
    ))));
    assert!(holds_in(&Ctl::exists_globally(not("tk"))));
    assert!(!holds_in(&Ctl::all_globally(not("rd"))));
}
