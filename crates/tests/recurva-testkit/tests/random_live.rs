//! The two references for infinite runs agree on random programs and automata.

use recurva_lang::bp;
use recurva_model::{ProcId, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    generate::{self, Config, generate},
    live::{self, Accepted, Limits},
};

/// A small program. In every other one the runs begin in the first procedure, which may call
/// itself and has parameters.
fn program(seed: u64) -> (String, Program) {
    let config = Config {
        bits: 1 + seed as usize / 2 % 2,
        statements: 3,
        faults: 10,
        ..Config::default()
    };
    let text = generate(seed, &config);
    let source = Source::new("random.bp", text.clone()).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"));
    let mut parts = program.into_parts();
    if seed % 2 == 1 {
        parts.main = ProcId(0);
    }
    (text, Program::new(parts).expect("all parts fit"))
}

#[test]
fn erase_agrees_with_saturation() {
    let limits = Limits {
        heads: 90,
        facts: 1_500,
        ..Limits::default()
    };
    let (mut compared, mut kinds) = (0, [0; 6]);
    for seed in 0..1_000 {
        let (text, program) = program(seed);
        let automaton = generate::automaton(seed, &program).expect("it fits the program");
        let Some(by_saturation) = live::by_saturation(&program, &automaton, &limits) else {
            continue;
        };
        let by_erase = live::accepted(&program, &automaton, &Limits::default());
        let by_erase = by_erase.expect("small");
        let main = &program.procedure(program.main()).name;
        assert_eq!(
            by_erase, by_saturation,
            "{text}\nmain is {main}\n{automaton:?}"
        );
        compared += 1;
        let Accepted { finite, diverging } = by_erase.infinite;
        let only = by_erase.stutter.any() && !by_erase.infinite.any();
        let each = [
            finite,
            diverging,
            finite && diverging,
            diverging && !finite,
            only,
            !by_erase.stutter.any(),
        ];
        for (count, holds) in kinds.iter_mut().zip(each) {
            *count += usize::from(holds);
        }
    }
    // Finite, diverging, both, only diverging, only stuttering, none.
    assert!(
        compared >= 500 && kinds.iter().all(|&count| count >= 10),
        "{compared} {kinds:?}"
    );
}
