//! Two engines at one question: who answers, who gives up, and who is told.

use std::ops::ControlFlow;

use recurva_check::{
    Answer, Engine, Limit, Limits, Options, Progress, Property, Threads, Verdict, Watch, check,
};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::Source;

fn parse(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("no errors")
}

/// A proof for decision diagrams: far too many valuations to be enumerated.
fn much_data() -> Program {
    let names: Vec<String> = (0..24).map(|i| format!("a{i}, b{i}")).collect();
    let flips: String = (0..24)
        .map(|i| format!("if (*) then a{i}, b{i} := !a{i}, !b{i}; fi\n"))
        .collect();
    let equal: Vec<String> = (0..24).map(|i| format!("(a{i} = b{i})")).collect();
    parse(&format!(
        "decl {};
         void main() begin
           assume({equal});
           while (*) do {flips} od
           assert({equal});
         end",
        names.join(", "),
        equal = equal.join(" & "),
    ))
}

/// A proof for explicit states: few, but with products that decision diagrams cannot hold.
fn products() -> Program {
    parse(
        "decl int(32) x, y, n;
         void main() begin
           x, y, n := 48271, 16807, 0;
           while (n != 40000) do
             x := x * y + n;
             y := y * x + 1;
             n := n + 1;
           od
           assert(n = 40000);
         end",
    )
}

/// A long search for both.
fn endless() -> Program {
    parse(
        "decl int(32) x, y;
         void main() begin
           x, y := 1, 1;
           while (T) do
             x := x * 1664525 + 1013904223;
             y := y * (x | 1);
             assert(x != 5 | y != 6);
           od
         end",
    )
}

fn ask<'p>(program: &'p Program, options: &Options, watch: &mut dyn Watch) -> Answer<'p> {
    check(program, &Property::own(program), options, watch).expect("no fault of the checker")
}

fn both(threads: Threads) -> Options {
    Options {
        engine: Engine::Auto,
        threads,
        ..Options::default()
    }
}

/// Says stop at a call, and remembers who was heard of.
#[derive(Default)]
struct Listener {
    stop_at: Option<u64>,
    calls: u64,
    explicit: bool,
    symbolic: bool,
    at_once: bool,
}

impl Watch for Listener {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        self.calls += 1;
        self.explicit |= progress.explicit.is_some();
        self.symbolic |= progress.symbolic.is_some();
        self.at_once |= progress.explicit.is_some() && progress.symbolic.is_some();
        if self.stop_at.is_some_and(|at| self.calls >= at) {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn each_engine_answers_what_it_is_good_at() {
    for threads in [Threads::One, Threads::Two] {
        let (data, products) = (much_data(), products());
        let outcome = ask(&data, &both(threads), &mut ());
        assert!(matches!(outcome.verdict, Verdict::Holds));
        assert_eq!(outcome.engine, "symbolic");
        let outcome = ask(&products, &both(threads), &mut ());
        assert!(matches!(outcome.verdict, Verdict::Holds));
        assert_eq!(outcome.engine, "explicit");
    }
}

/// Turns are measured in work: nothing depends on how fast the machine is.
#[test]
fn with_one_thread_everything_is_as_before() {
    for program in [much_data(), products()] {
        let numbers = || {
            let outcome = ask(&program, &both(Threads::One), &mut ());
            let stats = outcome.stats;
            (outcome.engine, stats.states, stats.path_edges)
        };
        let first = numbers();
        assert_eq!(numbers(), first);
        assert_eq!(numbers(), first);
    }
}

#[test]
fn small_questions_are_left_to_explicit_states() {
    let program = parse("decl a; void main() begin a := *; assert(a | !a); end");
    let mut listener = Listener::default();
    let outcome = ask(&program, &both(Threads::Two), &mut listener);
    assert_eq!(outcome.engine, "explicit");
    assert!(!listener.symbolic);
}

#[test]
fn who_watches_hears_of_both_and_stops_both() {
    for threads in [Threads::One, Threads::Two] {
        let program = endless();
        let mut listener = Listener {
            stop_at: Some(200),
            ..Listener::default()
        };
        let outcome = ask(&program, &both(threads), &mut listener);
        assert!(matches!(
            outcome.verdict,
            Verdict::Unknown(Limit::Interrupted)
        ));
        assert_eq!(outcome.engine, "explicit and symbolic");
        assert!(listener.at_once);
    }
}

/// The one that needs more gives up, and leaves its room to the other.
#[test]
fn memory_is_one_budget() {
    let limited = |threads, memory| Options {
        limits: Limits {
            time: None,
            memory: Some(memory),
        },
        ..both(threads)
    };
    for threads in [Threads::One, Threads::Two] {
        let (data, endless) = (much_data(), endless());
        let outcome = ask(&data, &limited(threads, 16 << 20), &mut ());
        assert!(matches!(outcome.verdict, Verdict::Holds));
        assert_eq!(outcome.engine, "symbolic");
        let outcome = ask(&endless, &limited(threads, 4 << 20), &mut ());
        assert!(matches!(
            outcome.verdict,
            Verdict::Unknown(Limit::Memory(most)) if most == 4 << 20
        ));
    }
}
