//! NT-µ over nested state machines: time against the number of states, and against the number
//! of colours where procedures have twelve exits.

use std::{ops::ControlFlow, time::Instant};

use recurva_logic::ntmu::{self, Formula};
use recurva_model::nsm::{Kind, Nsm, NsmBuilder, StateId};
use recurva_nested::{Options, Outcome, Reduction, check};
use recurva_syntax::{Source, Style};

use super::Size;

pub(crate) fn run(size: Size) -> Result<(), String> {
    by_states(size)?;
    by_colours(size)
}

/// Patterns with their answers on [`procedures`].
pub(super) const PATTERNS: [(&str, bool); 6] = [
    ("AG !bad", true),
    ("EF_l done", true),
    ("AG(busy -> EF_l done)", true),
    ("partial_correctness(locked, site, locked)", true),
    ("never_under(trusted, secret)", false),
    ("all_calls_return", false),
];

pub(super) fn formula(text: &str) -> Result<Formula, String> {
    let source = Source::new("formula", text).map_err(|error| error.to_string())?;
    let parsed = ntmu::parse(&source);
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    parsed.formula.ok_or_else(errors)
}

/// Procedures of ten states, each of which works in a loop, calls the one behind it or itself,
/// and returns. The labels differ, so that the quotient cannot merge all of them.
pub(super) fn procedures(states: usize) -> Result<Nsm, String> {
    let count = states.div_ceil(10);
    let mut builder = NsmBuilder::default();
    let names = [
        "entry", "work", "turn", "call", "back", "again", "more", "rest", "exit", "done",
    ];
    let id = |procedure: usize, state: usize| StateId((procedure * 10 + state) as u32);
    for procedure in 0..count {
        for (state, name) in names.iter().enumerate() {
            let kind = match state {
                3 | 5 => Kind::Call,
                4 | 6 => Kind::Return,
                _ => Kind::Local,
            };
            let state = builder.state(&format!("p{procedure}.{name}"), kind, &[]);
            if state.0 % 10 != 0 {
                builder.label(state, "locked");
            }
        }
        let own = |state| id(procedure, state);
        builder
            .label(own(1), "busy")
            .label(own(3), "site")
            .label(own(8), "done");
        if (procedure * 7919) % 13 < 5 {
            builder.label(own(3), "trusted").label(own(7), "odd");
        }
        if procedure + 1 == count {
            builder.label(own(7), "secret");
        }
        for (from, to) in [
            (0, 1),
            (1, 2),
            (2, 1),
            (2, 3),
            (4, 5),
            (4, 7),
            (6, 7),
            (7, 8),
            (8, 9),
        ] {
            builder.local(own(from), own(to));
        }
        builder.local(own(2), own(7));
        let next = (procedure + 1) % count;
        for (call, callee, back) in [(3, next, 4), (5, procedure, 6)] {
            builder.call(own(call), id(callee, 0));
            builder.ret(id(callee, 9), own(call), own(back));
        }
    }
    // A state that is never reached.
    builder.state("bad", Kind::Local, &["bad"]);
    builder.finish(id(0, 0)).map_err(|error| error.to_string())
}

/// A check and how long it took, the fastest of three.
fn measure(nsm: &Nsm, formula: &Formula, reduction: Reduction) -> Result<(Outcome, f64), String> {
    let options = Options {
        reduction,
        ..Options::default()
    };
    let mut best: Option<(Outcome, f64)> = None;
    for _ in 0..3 {
        let started = Instant::now();
        let outcome = check(nsm, formula, &options, |_| ControlFlow::Continue(()));
        let outcome = outcome.map_err(|error| error.to_string())?;
        let seconds = started.elapsed().as_secs_f64();
        if best.is_none_or(|(_, least)| seconds < least) {
            best = Some((outcome, seconds));
        }
        if seconds > 2.0 {
            break;
        }
    }
    best.ok_or_else(|| "nothing was measured".to_owned())
}

fn by_states(size: Size) -> Result<(), String> {
    let doublings = if size == Size::Quick { 4 } else { 12 };
    for (text, expected) in PATTERNS {
        let formula = formula(text)?;
        println!("\nNT-µ: {text}");
        println!(
            "{:>8} {:>8} {:>9} {:>12} {:>10} {:>8} {:>9} {:>11}",
            "states",
            "pairs",
            "cells",
            "evaluations",
            "functions",
            "solve s",
            "growth",
            "quotient s"
        );
        let mut before = None;
        for doubling in 0..=doublings {
            let states = 10 << doubling;
            let nsm = procedures(states)?;
            let (outcome, seconds) = measure(&nsm, &formula, Reduction::None)?;
            let (reduced, with_quotient) = measure(&nsm, &formula, Reduction::Bisimulation)?;
            // With one procedure nothing is called by another.
            if states > 300 && (outcome.holds != expected || reduced.holds != expected) {
                return Err(format!("{text}: a wrong answer for {states} states"));
            }
            let growth = before.map_or("-".to_owned(), |before| format!("{:.2}", seconds / before));
            println!(
                "{states:>8} {:>8} {:>9} {:>12} {:>10} {seconds:>8.4} {growth:>9} {with_quotient:>11.4}",
                outcome.pairs, outcome.cells, outcome.work.evaluations, outcome.work.functions
            );
            before = Some(seconds);
        }
    }
    Ok(())
}

/// A recursive procedure with twelve exits: what the inner call returns through one is returned
/// through another.
fn twelve_exits(colours: usize) -> Result<Nsm, String> {
    let mut builder = NsmBuilder::default();
    let main = builder.state("main", Kind::Call, &[]);
    let entry = builder.state("entry", Kind::Local, &[]);
    let inner = builder.state("inner", Kind::Call, &[]);
    builder
        .call(main, entry)
        .call(inner, entry)
        .local(entry, inner);
    let mut exits = Vec::new();
    for index in 0..12 {
        let label = format!("p{}", 1 + index % colours);
        let exit = builder.state(&format!("x{index}"), Kind::Local, &[]);
        let outer = builder.state(&format!("r{index}"), Kind::Return, &[&label]);
        let back = builder.state(&format!("s{index}"), Kind::Return, &[]);
        builder
            .local(entry, exit)
            .ret(exit, main, outer)
            .ret(exit, inner, back);
        exits.push((exit, back));
    }
    for (index, &(_, back)) in exits.iter().enumerate() {
        for step in [5, 7] {
            builder.local(back, exits[(index * step + 1) % 12].0);
        }
    }
    builder.finish(main).map_err(|error| error.to_string())
}

/// Every colour can be returned with, and whatever the inner call is told to return with one
/// colour is returned with that colour or the next.
fn colourful(colours: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String, between: &str| {
        let items: Vec<String> = (1..=colours).map(item).collect();
        items.join(between)
    };
    let some = |colour: usize| format!("(EF_l <ret> R{colour})");
    let out = |colour: usize| format!("<ret> R{colour}");
    let reachable = list(&some, " & ");
    let conditions = list(
        &|colour| format!("({} | {})", some(colour), some(colour % colours + 1)),
        ", ",
    );
    let all = list(&out, " | ");
    let labels = list(&|colour| format!("p{colour}"), ", ");
    format!(
        "<call> ({reachable} & nu Y. ({all} | <loc> true | <call> true {{}}) & [loc] Y & [call] \
         ({reachable} & Y) {{{conditions}}}) {{{labels}}}"
    )
}

fn by_colours(size: Size) -> Result<(), String> {
    println!(
        "\nNT-µ: k colours, a procedure with 12 exits, 2^(12k) sets of colours for each state"
    );
    println!(
        "{:>3} {:>8} {:>9} {:>12} {:>10} {:>8}",
        "k", "pairs", "cells", "evaluations", "functions", "solve s"
    );
    let most = if size == Size::Quick { 3 } else { 6 };
    for colours in 1..=most {
        let nsm = twelve_exits(colours)?;
        let formula = formula(&colourful(colours))?;
        let (outcome, seconds) = measure(&nsm, &formula, Reduction::None)?;
        if !outcome.holds {
            return Err(format!("{colours} colours: a wrong answer"));
        }
        println!(
            "{colours:>3} {:>8} {:>9} {:>12} {:>10} {seconds:>8.4}",
            outcome.pairs, outcome.cells, outcome.work.evaluations, outcome.work.functions
        );
    }
    Ok(())
}
