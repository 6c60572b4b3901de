//! Limits, unknown names, and formulas and machines of unusual shapes.

mod common;

use std::ops::ControlFlow;

use common::{FOO, formula, machine};
use recurva_lang::rsm;
use recurva_model::Nsm;
use recurva_nested::{CheckError, Options, Reduction, check};
use recurva_syntax::Source;

fn go_on(_: &recurva_nested::Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn unknown_propositions_are_named() {
    let machine = machine(FOO);
    let options = Options::default();
    for (text, message) in [
        ("EF nothing", "there is no proposition `nothing`"),
        ("EF @v9", "there is no state `v9`"),
    ] {
        let formula = formula(text);
        let error = check(&machine, &formula, &options, go_on).expect_err("it is unknown");
        assert_eq!(error.to_string(), message);
        let CheckError::Unknown(unknown) = error else {
            panic!("another error");
        };
        let (_, place) = &formula.formulas().propositions()[unknown.id().0 as usize];
        assert_eq!(place.start, 3);
    }
    assert!(
        check(
            &machine,
            &formula("EF(call & !ret & !loc)"),
            &options,
            go_on
        )
        .is_ok()
    );
}

#[test]
fn limits_are_answers() {
    let machine = machine(FOO);
    let options = Options {
        max_functions: 2,
        ..Options::default()
    };
    let error = check(&machine, &formula("EF rd"), &options, go_on);
    assert!(matches!(error, Err(CheckError::TooLarge { .. })));
    // Enough work to be asked: many calls, each of a procedure of its own.
    let mut text = "local s\ninit s\n".to_owned();
    for index in 0..2_000 {
        text.push_str(&format!(
            "call c{index}\nlocal e{index}\nc{index} -call-> e{index}\n"
        ));
        text.push_str(&format!("s -> c{index}\n"));
    }
    let stopped = check(
        &common::machine(&text),
        &formula("AG loc | true & AG terminates"),
        &Options {
            reduction: Reduction::None,
            ..Options::default()
        },
        |_| ControlFlow::Break(()),
    );
    assert_eq!(stopped, Err(CheckError::Stopped));
}

#[test]
fn callers_share_what_they_call() {
    // A component that is called from a thousand boxes is looked at once.
    let mut text = "component B\n entry e\n exit x\n node n\n e -> n\n n -> x\n label n : here\n\
                    component A\n entry e\n exit x\n e -> b0.e\n"
        .to_owned();
    for index in 0..1_000 {
        text.push_str(&format!(" box b{index} : B\n"));
        let next = match index {
            999 => "x".to_owned(),
            _ => format!("b{}.e", index + 1),
        };
        text.push_str(&format!(
            " b{index}.x -> {next}\n label b{index}.x : r{}\n",
            index % 7
        ));
    }
    text.push_str("init A.e\n");
    let source = Source::new("many.rsm", text).expect("a short text");
    let nsm = Nsm::of_rsm(&rsm::parse(&source).rsm.expect("a right machine")).nsm;
    let options = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    let text =
        "AF @A.x & AF_l @A.x & AG(calls(B) -> AF here & !AF_l here) & AG(in(B) -> !EF in(A))";
    let outcome = check(&nsm, &formula(text), &options, go_on).expect("an answer");
    assert!(outcome.holds);
    assert_eq!(outcome.pairs, 2_002 + 3);
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let machine = machine(FOO);
    let depth = 20_000;
    let nest = |open: &str, inner: &str| format!("{}{inner}", open.repeat(depth));
    for (text, expected) in [
        (nest("<loc> ", "rd"), true),
        (nest("mu X. wr & <loc> X | nu X. ", "p1"), false),
        (nest("EF_l ", "end"), true),
    ] {
        let text = text.replace("p1", "wr & [loc] X");
        let outcome = check(&machine, &formula(&text), &Options::default(), go_on);
        assert_eq!(outcome.expect("an answer").holds, expected);
    }
    // Fixpoints of both kinds that all depend on each other.
    let depth = 60;
    let mut text = String::new();
    for index in 0..depth {
        text.push_str(&format!(
            "mu A{index}. nu B{index}. <loc> A{index} | [loc] B{index} & "
        ));
    }
    text.push_str("(wr | <call> A0 {B0})");
    let outcome = check(&machine, &formula(&text), &Options::default(), go_on);
    assert!(outcome.is_ok());
}
