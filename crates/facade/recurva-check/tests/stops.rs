//! Checks that are stopped, whenever that is: what was known is said, and nothing is wrong.

use std::ops::ControlFlow;

use recurva_check::{
    Answer, Engine, Limit, Ltl, Options, Progress, Property, Stack, Threads, Verdict, Watch, check,
    spec,
};
use recurva_evidence::{Claim, Trace, replay_with_patience};
use recurva_lang::bp;
use recurva_logic::ltl::WordEvaluation;
use recurva_model::{Patience, Program};
use recurva_slice::{Observed, Slice};
use recurva_syntax::Source;

fn parse(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("no errors")
}

fn formula(program: &Program, text: &str) -> Property {
    let source = Source::new("formula", text).expect("a short text");
    let read = spec::Reader::new(program, spec::Vocabulary::Program).formula(&source);
    let mut named = read.properties.expect("no errors");
    named.remove(0).property
}

/// When to say stop.
#[derive(Clone, Copy)]
enum When {
    Never,
    /// From that call on.
    From(u64),
    /// At that call, and not again.
    Once(u64),
}

struct Watcher {
    when: When,
    calls: u64,
}

impl Watch for Watcher {
    fn progress(&mut self, _: &Progress) -> ControlFlow<Limit> {
        self.calls += 1;
        let stops = match self.when {
            When::Never => false,
            When::From(call) => self.calls >= call,
            When::Once(call) => self.calls == call,
        };
        match stops {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The outcome, and how often it was asked whether to go on.
fn ask<'p>(
    program: &'p Program,
    property: &Property,
    options: &Options,
    when: When,
) -> (Answer<'p>, u64) {
    let mut watcher = Watcher { when, calls: 0 };
    let outcome = check(program, property, options, &mut watcher).expect("no fault");
    (outcome, watcher.calls)
}

/// How far a verdict goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    Violated,
    Trace,
}

fn known(answer: &Answer<'_>) -> Known {
    match (answer.verdict, answer.unfinished) {
        (Verdict::Unknown(Limit::Interrupted), _) => Known::Nothing,
        (Verdict::Violated, Some(Limit::Interrupted)) => Known::Violated,
        (Verdict::Violated, None) => Known::Trace,
        other => panic!("{other:?}"),
    }
}

/// Stops a check everywhere. The engines must do the same each time.
fn stop_everywhere(program: &Program, property: &Property, options: &Options) {
    let told = || format!("{} {options:?}", property.name());
    let (outcome, calls) = ask(program, property, options, When::Never);
    let holds = matches!(outcome.verdict, Verdict::Holds);
    assert!(calls > 0, "{}", told());
    let mut before = Known::Nothing;
    let mut unfinished = 0;
    for call in 1..=calls {
        let (stopped, asked) = ask(program, property, options, When::From(call));
        assert!(asked >= call, "{}", told());
        if holds {
            assert!(
                matches!(stopped.verdict, Verdict::Unknown(Limit::Interrupted)),
                "{call} of {calls}: {:?}\n{}",
                stopped.verdict,
                told()
            );
        } else {
            // The later it is stopped the more is known.
            let now = known(&stopped);
            assert!(now >= before && now < Known::Trace, "{}", told());
            unfinished += u64::from(now == Known::Violated);
            before = now;
        }
        // Whoever is told to go on after all may know more, but nothing else.
        let (once, _) = ask(program, property, options, When::Once(call));
        match once.verdict {
            Verdict::Holds => assert!(holds, "{}", told()),
            Verdict::Unknown(limit) => assert_eq!(limit, Limit::Interrupted),
            Verdict::Violated => {
                assert!(!holds, "{}", told());
                assert!(matches!(once.unfinished, None | Some(Limit::Interrupted)));
            }
        }
    }
    assert!(holds || unfinished > 0, "{calls}: {}", told());
}

const FLIP: &str = "decl g;
    void flip() begin
      if (*) then flip(); flip(); fi
      g := !g;
    end
    void main() begin
      g := F;
      while (T) do
        flip(); flip();
        assert(!g);
        if (*) then reach: skip; fi
      od
    end";

const WRONG: &str = "decl int(4) g;
    int(4) up(int(4) n) begin
      decl int(4) r;
      if (n = 0) then return g; fi
      g := g + 1;
      r := up(n - 1);
      return r;
    end
    void main() begin
      decl int(4) x, y;
      g := 0;
      x := up(y);
      assert(x != 11);
    end";

#[test]
fn wherever_it_is_stopped_the_answer_fits() {
    let flip = parse(FLIP);
    let wrong = parse(WRONG);
    let all = [Stack::Any, Stack::Finite, Stack::Diverging];
    let engines = [
        (Engine::Explicit, Threads::One),
        (Engine::Auto, Threads::One),
    ];
    for (engine, threads) in engines {
        for slice in [false, true] {
            let options = Options {
                engine,
                threads,
                slice,
                ..Options::default()
            };
            for program in [&flip, &wrong] {
                stop_everywhere(program, &Property::own(program), &options);
            }
            for text in ["G F @reach", "F G !g", "G F (@reach | g)"] {
                let property = formula(&flip, text);
                for stack in all {
                    stop_everywhere(&flip, &property, &Options { stack, ..options });
                }
            }
        }
    }
}

/// Decision diagrams are asked after so much time: what they say when is not the same each time.
#[test]
fn diagrams_that_are_stopped_are_not_wrong() {
    let flip = parse(FLIP);
    let wrong = parse(WRONG);
    let cases = [
        (&flip, Property::own(&flip), false),
        (&flip, formula(&flip, "G F @reach"), true),
        (&wrong, Property::own(&wrong), true),
    ];
    let options = Options {
        engine: Engine::Symbolic,
        ..Options::default()
    };
    for (program, property, violated) in &cases {
        for call in 1..20 {
            let (outcome, _) = ask(program, property, &options, When::From(call));
            match outcome.verdict {
                Verdict::Unknown(limit) => assert_eq!(limit, Limit::Interrupted),
                Verdict::Holds => assert!(!violated),
                Verdict::Violated => {
                    assert!(violated);
                    assert!(matches!(
                        outcome.unfinished,
                        None | Some(Limit::Interrupted)
                    ));
                }
            }
        }
    }
}

/// The resource-constrained paper's flip with its bound: a trace of many bodies.
fn flip(n: u64) -> Program {
    parse(&format!(
        "decl g;
         void flip(int(20) n) begin
           if (n > 0) then flip(n - 1); flip(n - 1); fi
           g := !g;
         end
         void main() begin
           while (T) do
             flip({n}); flip({n});
             if (!g) then reach: skip; fi
           od
         end"
    ))
}

fn steps(trace: &Trace) -> u64 {
    let bodies = trace.bodies.iter().map(|body| body.steps.len());
    let ends = trace.stem.len() + trace.turn_steps().len();
    (bodies.sum::<usize>() + ends) as u64
}

/// Does work, and tells how often it was asked whether to go on.
fn asked<T, E: std::fmt::Debug>(work: impl FnOnce(&mut Patience<'_>) -> Result<T, E>) -> (T, u64) {
    let mut calls = 0;
    let mut ask = || {
        calls += 1;
        ControlFlow::Continue(())
    };
    let done = work(&mut Patience::new(&mut ask)).expect("nobody said stop");
    (done, calls)
}

/// So many steps may be worked out between two questions.
const SELDOM: u64 = 1 << 11;

#[test]
fn all_that_comes_after_the_search_asks() {
    let program = flip(4096);
    let property = formula(&program, "G F @reach");
    let Property::Ltl(Ltl {
        formula, guards, ..
    }) = &property
    else {
        panic!("a formula of linear time");
    };
    let options = Options {
        engine: Engine::Explicit,
        stack: Stack::Finite,
        ..Options::default()
    };
    let (outcome, calls) = ask(&program, &property, &options, When::Never);
    let trace = outcome.run().expect("it is violated").trace();
    let often = steps(trace) / SELDOM;
    assert!(often > 10, "a trace of {} steps", steps(trace));

    let observed = Observed::Conditions(guards.iter().collect());
    let slice = Slice::new(&program, &observed);
    let whole = slice.dropped().edges.dropped == 0;
    assert!(whole, "a run of the program is one of the slice");
    let (back, calls_of_slice) = asked(|patience| slice.trace(trace.clone(), patience));
    assert_eq!(back, *trace);
    let claim = Claim::Repeats(guards.clone());
    let (replayed, calls_of_replay) =
        asked(|patience| replay_with_patience(&program, back, &claim, patience));
    let word = replayed.lasso().expect("an infinite run").word();
    let (evaluation, calls_of_word) = asked(|patience| {
        WordEvaluation::with_patience(&formula.formulas, formula.root, word, patience)
    });
    assert!(!evaluation.holds());
    for calls in [calls_of_slice, calls_of_replay, calls_of_word] {
        assert!(calls >= often, "{calls} calls, {often} are wanted");
    }

    // The search itself ends where a stop no longer leaves everything open: found by bisection.
    let (mut open, mut found) = (0, calls);
    while found - open > 1 {
        let call = open.midpoint(found);
        let (stopped, _) = ask(&program, &property, &options, When::From(call));
        match known(&stopped) {
            Known::Nothing => open = call,
            Known::Violated | Known::Trace => found = call,
        }
    }
    let later = calls_of_slice + calls_of_replay + calls_of_word;
    let spelling = (calls - open).saturating_sub(later);
    assert!(spelling >= often, "{spelling} calls, {often} are wanted");
}
