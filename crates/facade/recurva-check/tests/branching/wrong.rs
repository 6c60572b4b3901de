//! Wrong formulas are reported at their place, and limits are answers.

use std::{ops::ControlFlow, time::Duration};

use recurva_check::{
    Limit, Limits, Options, Progress, Verdict, Watch,
    branching::{Reader, Starts, Subject, check, export},
};
use recurva_lang::nsm;
use recurva_syntax::{Source, Style};

use crate::{formula, program};

const MODEL: &str = "
    decl locked; decl int(4) n;
    void update() begin WORK: n := n + 1; end
    void main() begin decl b; update(); END: skip; end";

fn wrong(text: &str) -> String {
    let program = program(MODEL);
    let source = Source::new("formula", text).expect("a short text");
    let read = Reader::new(Subject::Program(&program, Starts::Here)).formula(&source);
    assert!(
        read.properties.is_none() && read.diagnostics.has_errors(),
        "{text}"
    );
    read.diagnostics.render(&source, Style::Plain)
}

#[test]
fn wrong_propositions_of_programs() {
    let shown: Vec<String> = [
        "AG !@WROK",
        "AG(calls(updat) -> locked)",
        "EF lokced & EF on_stack(man)",
        "EF \"n + locked > 2\"",
        "EF n",
        "EF WORK",
        "partial_correctness(true, calls(update), lock)",
        "EF main::c",
    ]
    .into_iter()
    .map(wrong)
    .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn wrong_propositions_of_machines() {
    let text = "local v1 : wr\ncall v2 : \"in(foo)\"\ninit v1\nv1 -> v2\n";
    let source = Source::new("m.nsm", text).expect("a short text");
    let machine = nsm::parse(&source).nsm.expect("it is right");
    let subject = Subject::Machine {
        nsm: &machine,
        starts: Starts::Here,
    };
    let shown: Vec<String> = [
        "EF wrr",
        "EF @v3",
        "EF v1",
        "EF on_stack(bar)",
        "EF blocked",
    ]
    .into_iter()
    .map(|text| {
        let source = Source::new("formula", text).expect("a short text");
        let read = Reader::new(subject).formula(&source);
        assert!(read.properties.is_none(), "{text}");
        read.diagnostics.render(&source, Style::Plain)
    })
    .collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert!(
        Reader::new(subject)
            .formula(&Source::new("formula", "EF on_stack(foo)").expect("a short text"))
            .properties
            .is_some()
    );
}

struct Stop;

impl Watch for Stop {
    fn progress(&mut self, _: &Progress) -> ControlFlow<Limit> {
        ControlFlow::Break(Limit::Interrupted)
    }
}

fn limit(options: &Options, watch: &mut dyn Watch) -> Limit {
    let program = program(
        "
        decl int(8) a, b;
        void main() begin
          while (*) do a := a + 1; if (*) then b := b + a; fi od
          END: skip;
        end",
    );
    let subject = Subject::Program(&program, Starts::Here);
    let property = formula(subject, "EF \"a = 7 & b = 9\"");
    let outcome = check(&subject, &property, options, watch).expect("no fault");
    match outcome.verdict {
        Verdict::Unknown(limit) => limit,
        other => panic!("{other:?}"),
    }
}

#[test]
fn limits_are_answers() {
    let few = Options {
        max_states: 1_000,
        ..Options::default()
    };
    assert_eq!(limit(&few, &mut ()), Limit::States(1_000));
    let limited = |limits| Options {
        limits,
        ..Options::default()
    };
    let time = Duration::from_nanos(1);
    let short = limited(Limits {
        time: Some(time),
        memory: None,
    });
    assert_eq!(limit(&short, &mut ()), Limit::Time(time));
    let small = limited(Limits {
        time: None,
        memory: Some(10_000),
    });
    assert_eq!(limit(&small, &mut ()), Limit::Memory(10_000));
    assert_eq!(limit(&Options::default(), &mut Stop), Limit::Interrupted);
}

#[test]
fn a_program_is_written_as_a_machine_that_answers_the_same() {
    let program = program(MODEL);
    let exported = export(&program, &Options::default(), &mut ());
    let exported = exported.expect("no fault").expect("it is small");
    let text = nsm::write(&exported.nsm);
    let source = Source::new("model.nsm", text).expect("a short text");
    let machine = nsm::parse(&source).nsm.expect("it is written well");
    let subject = Subject::Machine {
        nsm: &machine,
        starts: exported.starts,
    };
    for (text, expected) in [
        ("AF @END", true),
        ("AG(calls(update) -> [jump] @END)", true),
        ("AG(in(update) -> locked)", false),
        ("AG(locked -> AG locked)", true),
        ("EF locked", false),
        ("EF on_stack(update)", true),
    ] {
        let property = formula(subject, text);
        let found = crate::holds(subject, &property, &Options::default());
        assert_eq!(found, expected, "{text}");
    }
}
