//! Rules that need no stack can be written as monitors (`.mon`) too: random recursive programs of any
//! depth, checked both ways.

use std::path::Path;

use recurva_check::{
    Options, Property, Verdict, check,
    spec::{Reader, SpecFormat, Vocabulary},
};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_pal::{lang, weave::weave};
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;

fn parse(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn holds(program: &Program, property: &Property) -> bool {
    let outcome = check(program, property, &Options::default(), &mut ()).expect("an answer");
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        Verdict::Unknown(limit) => panic!("{limit:?}"),
    }
}

/// The verdict of a monitor that is an automaton.
fn by_automaton(program: &Program, text: &str) -> bool {
    let source = Source::new("rule.mon", text).expect("a short text");
    let spec = Reader::new(program, Vocabulary::Program).read(&source, SpecFormat::Monitors);
    let properties = spec.properties.expect("a right monitor");
    properties.iter().all(|it| holds(program, &it.property))
}

/// The verdict of a monitor that is woven in.
fn by_weaving(program: &Program, text: &str) -> bool {
    let source = Source::new("rule.pal", text).expect("a short text");
    let monitor = lang::parse(&source).monitor.expect("a right monitor");
    let weaving = weave(program, &monitor, &source, 1 << 20);
    let woven = weaving.woven.expect("a monitor that a model can have");
    woven.checks.into_iter().all(|check| {
        let property = Property::Unreachable {
            name: check.title,
            points: check.points,
        };
        holds(&woven.program, &property)
    })
}

fn block(rng: &mut Rng, depth: usize) -> String {
    let mut out = String::new();
    for _ in 0..1 + rng.below(3) {
        out += &match rng.below(9) {
            0 | 1 => "acquire(); ".to_owned(),
            2..=4 => "release(); ".to_owned(),
            5 | 6 if depth > 0 => {
                let (then, otherwise) = (block(rng, depth - 1), block(rng, depth - 1));
                format!("if (*) then {then}else {otherwise}fi ")
            }
            7 if depth > 0 => format!("while (*) do {}od ", block(rng, depth - 1)),
            _ => format!("if (*) then p{}(); else skip; fi ", rng.below(3)),
        };
    }
    out
}

#[test]
fn random_programs() {
    let automaton = "monitor double\n init idle\n target error\n idle -> held when @A\n \
                     held -> idle when @R\n held -> error when @A\n";
    let rule = "global _Bool held = 0;
        event { pattern { acquire(); } guard { !held } action { held = 1; } }
        event { pattern { release(); } action { held = 0; } }";
    let after = "global _Bool held = 0;
        event { pattern { acquire(); } after { guard { !held } action { held = 1; } } }
        event { pattern { release(); } after { action { held = 0; } } }";
    let mut violated = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let mut text =
            "void acquire() begin A: skip; end void release() begin R: skip; end ".to_owned();
        for index in 0..3 {
            text += &format!("void p{index}() begin {}end ", block(&mut rng, 2));
        }
        text += &format!("void main() begin {}end", block(&mut rng, 1));
        let program = parse(&text);
        let expected = by_automaton(&program, automaton);
        assert_eq!(by_weaving(&program, rule), expected, "{text}");
        assert_eq!(by_weaving(&program, after), expected, "{text}");
        violated += usize::from(!expected);
    }
    assert!((40..360).contains(&violated), "{violated}");
}

#[test]
fn the_drivers() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let read = |name: &str| std::fs::read_to_string(examples.join(name)).expect("an example");
    let automaton = read("double_lock.mon");
    let rule = "global _Bool held = 0;
        event { pattern { owner = 0; } action { held = 0; } }
        event { pattern { owner = $?; } guard { !held } action { held = 1; } }";
    for (model, expected) in [("driver_buggy.bp", false), ("driver_fixed.bp", true)] {
        let program = parse(&read(model));
        assert_eq!(by_automaton(&program, &automaton), expected, "{model}");
        assert_eq!(by_weaving(&program, rule), expected, "{model}");
    }
}
