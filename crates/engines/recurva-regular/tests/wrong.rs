//! Files that look right and are not: each is refused at the place that is wrong.

use recurva_regular::{lang, live::Requirement};
use recurva_syntax::{Source, Style};

/// The text, what is said about it, and where.
type Wrong = (&'static str, &'static str, &'static str);

fn refused(list: &[Wrong]) {
    for (text, message, place) in list {
        let source = Source::new("wrong.rmc", *text).expect("it is short");
        let parsed = lang::parse(&source);
        let shown = parsed.diagnostics.render(&source, Style::Plain);
        assert!(parsed.value.is_none(), "{text}");
        assert!(shown.contains(message), "{text}{shown}");
        assert!(shown.contains(&format!("wrong.rmc:{place}\n")), "{shown}");
    }
}

#[test]
fn declarations_after_what_uses_them() {
    refused(&[
        (
            "process { s : i, t }\ninitial t i*\nrule r : when t  right : i  do s := i\ntopology ring\n",
            "it is too late for this declaration",
            "4:1",
        ),
        (
            "process { s : i, t }\ntopology ring\ntopology line\ninitial t i*\nrule r : do s := i\n",
            "`topology` is there twice",
            "3:1",
        ),
    ]);
}

#[test]
fn values_that_a_variable_cannot_hold() {
    refused(&[
        (
            "process { x : 0..1 ; y : 1..2 }\ninitial .*\nrule r : do x := y\n",
            "`2` is no value of `x`",
            "3:18",
        ),
        (
            "process { x : 0..1 ; y : bool }\ninitial .*\nrule r : do x := y\n",
            "`x` cannot hold each value of `y`",
            "3:18",
        ),
    ]);
}

#[test]
fn parts_of_a_rule_that_are_there_twice() {
    refused(&[
        (
            "process { s : a, b }\ninitial a b*\nrule r : when a  right : a  right : b  do s := b\n",
            "there are two parts for `right`",
            "3:29",
        ),
        (
            "process { s : a, b }\ninitial a b*\nrule r : left : a  both : b  do s := b\n",
            "there are two parts for `left`",
            "3:20",
        ),
        (
            "process { s : a, b }\ninitial a b*\nrule r : both : a  right : b  do s := b\n",
            "there are two parts for `right`",
            "3:20",
        ),
        (
            "process { s : a, b ; f : bool }\ninitial .*\nrule r : do s := b  do f := true\n",
            "separate assignments by commas",
            "3:21",
        ),
        (
            "process { s : a, b }\ninitial .*\nrule r : when a  when b  do s := b\n",
            "there are two parts for `when`",
            "3:18",
        ),
        (
            "control { s : a, b }\ncounter n\ninitial a\nrule r : when b  when a  do n := n + 1\n",
            "join conditions by `&`",
            "4:18",
        ),
        (
            "control { s : a, b }\ncounter n\ninitial a\nrule r : do s := b  do n := n + 1\n",
            "there are two parts for `do`",
            "4:21",
        ),
        (
            "control { s : a, b }\ncounter n\ninitial a\nrule r : do s := b\nbad x : when a  when b\n",
            "there are two parts for `when`",
            "5:17",
        ),
    ]);
}

#[test]
fn variables_that_are_assigned_twice() {
    refused(&[
        (
            "process { s : a, b }\ninitial a*\nrule r : do s := a, s := b\n",
            "`s` is assigned twice",
            "3:21",
        ),
        (
            "process { s : a, b }\ninitial a*\nrule r : right : a -> s := b, s := *\n",
            "`s` is assigned twice",
            "3:31",
        ),
        (
            "process { s : a, b }\ninitial a*\ntransition a/[s := b, s := a] a*\n",
            "`s` is assigned twice",
            "3:23",
        ),
        (
            "control { s : a, b }\ncounter n\ninitial a\nrule r : do n := 1, n := 2, s := b\n",
            "`n` is assigned twice",
            "4:21",
        ),
        (
            "control { s : a, b }\ncounter n\ninitial a\nrule r : do s := b, n := 1, s := a\n",
            "`s` is assigned twice",
            "4:29",
        ),
    ]);
}

#[test]
fn rules_after_the_fairness_that_names_them() {
    refused(&[
        (
            "process { s : a, b }\ninitial a*\nrule go : when a do s := b\nfair i : go\n\
             rule go : when b do s := a\n",
            "it is too late for a rule `go`",
            "5:6",
        ),
        (
            "process { s : a, b }\ninitial a*\nfair i : a\nrule a : when a do s := b\n",
            "it is too late for a rule `a`",
            "4:6",
        ),
    ]);
}

#[test]
fn names_with_two_meanings() {
    refused(&[
        (
            "process { s : a, b }\ninitial a*\nrule a : when a do s := b\nfair i : a\n",
            "`a` is a rule and a condition",
            "4:10",
        ),
        (
            "process { f : bool }\ninitial f*\nrule f : do f := false\nfair i : f\n",
            "write `(f)` for the condition",
            "4:10",
        ),
        (
            "process { s : a, b ; a : bool }\ninitial [s = a]*\nrule r : when a do s := b\n",
            "`a` is a variable and a value",
            "1:22",
        ),
    ]);
}

#[test]
fn parentheses_make_a_condition_of_a_name() {
    let text = "process { s : a, b }\ninitial a*\nrule a : when a do s := b\n\
                rule z : when b\nfair i : (a)\nfair i : a, z\n";
    let source = Source::new("right.rmc", text).expect("it is short");
    let system = lang::parse(&source).value.expect("no errors");
    let [first, second] = &system.fair[..] else {
        panic!("two requirements");
    };
    assert!(matches!(&first.requirement, Requirement::Holds(set) if *set == [true, false]));
    assert!(matches!(&second.requirement, Requirement::Rule(rules) if *rules == [0, 1]));
}
