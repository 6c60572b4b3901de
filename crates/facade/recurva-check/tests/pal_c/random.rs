//! Random programs and monitors: what the run-time sees is violated, and what holds it never sees.

use recurva_check::{COptions, Certify, Verdict};
use recurva_testkit::rng::Rng;

use crate::{
    programs::{monitor, program},
    workshop::{Workshop, asked, has_compiler, numbers},
};

/// How many programs are tried unless somebody asks for more.
const PROGRAMS: u64 = 40;

/// With how many inputs each is run.
const SEEDS: u64 = 12;

#[test]
fn what_is_said_is_what_the_run_time_sees() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let (mut violated, mut seen, mut held, mut unknown) = (0, 0, 0, 0);
    for number in numbers(PROGRAMS) {
        let rng = &mut Rng::new(number);
        let text = program(rng);
        let file = workshop.write("program.c", &text);
        let rule_text = monitor(rng);
        let rule = workshop.write("rule.pal", &rule_text);
        let both = || format!("program {number}:\n{text}\n{rule_text}");
        workshop.build(&file, &rule);
        let runs = (0..SEEDS).filter_map(|seed| workshop.run(&rule, seed));
        let mut lines: Vec<u32> = runs.collect();
        lines.sort_unstable();
        lines.dedup();
        for said in asked(&file, &rule, COptions::default(), Certify::Never) {
            let is_seen = lines.contains(&said.line());
            seen += u32::from(is_seen);
            match said.verdict {
                Verdict::Holds => {
                    assert!(!is_seen, "{} is said to hold: {}", said.name, both());
                    held += 1;
                }
                Verdict::Violated => {
                    let executed = said.notes.contains("executed: the ");
                    let only = said.notes.contains("not executed");
                    assert!(
                        executed && !only,
                        "{}: {}\n{}",
                        said.name,
                        said.notes,
                        both()
                    );
                    violated += 1;
                }
                Verdict::Unknown(_) => {
                    eprintln!("unknown: program {number}, {}: {}", said.name, said.notes);
                    unknown += 1;
                }
            }
        }
    }
    eprintln!(
        "{violated} violated, {seen} of them seen in {SEEDS} runs; {held} hold; {unknown} unknown"
    );
    assert!(violated > 0 && held > 0 && seen > 0);
    assert!(unknown * 20 <= violated + held, "{unknown} are unknown");
}
