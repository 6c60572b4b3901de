//! The library of rules: for each a program that breaks it, and the same one repaired.

use std::{
    fs,
    path::{Path, PathBuf},
};

use recurva_check::{Asked, COptions, Certify, Verdict};
use recurva_pal::library::{RULES, Rule};

use crate::{
    cases::{is_proved, is_violated},
    workshop::{Said, answers, has_compiler},
};

/// Folders with a `bad.c` and a `good.c` for each rule.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../rules/examples")
}

fn asked(rule: &Rule, program: &Path, certify: Certify) -> Vec<Said> {
    let asked = Asked {
        spec: Some(rule.source().expect("a text")),
        matched_only: true,
        ..Asked::default()
    };
    answers(program, &asked, COptions::default(), certify)
}

/// Mistakes in `rules/programs/shop.c`: the rule, the number of the mistake, and the guard that fails.
const IN_THE_SHOP: [(&str, u32, &str); 9] = [
    ("double-lock", 1, "guard of event 1 (taking)"),
    ("double-lock", 2, "guard of event 2 (giving)"),
    ("double-lock", 3, "guard of event 2 (giving)"),
    ("missing-unlock", 11, "guard of event 8 (poll)"),
    ("missing-unlock", 12, "guard of event 3 (exit)"),
    ("missing-unlock", 13, "guard of event 8 (poll)"),
    ("no-blocking-under-lock", 21, "guard of event 10 (connect)"),
    ("no-blocking-under-lock", 22, "guard of event 3 (sleep)"),
    ("no-blocking-under-lock", 23, "guard of event 10 (connect)"),
];

#[test]
fn mistakes_in_a_longer_program_are_found() {
    if !has_compiler() {
        return;
    }
    let shop = examples().join("../programs/shop.c");
    let ask = |rule: &str, mistake: u32, guard: &str| {
        let asked = Asked {
            spec: Some(Rule::named(rule).expect(rule).source().expect("a text")),
            property: Some(guard.to_owned()),
            ..Asked::default()
        };
        let options = COptions {
            compiler: vec![format!("-DBUG={mistake}")],
            ..COptions::default()
        };
        let said = answers(&shop, &asked, options, Certify::Never);
        said.into_iter().next().expect(guard)
    };
    for (rule, mistake, guard) in IN_THE_SHOP {
        let said = ask(rule, mistake, guard);
        let verdict = said.verdict;
        assert_eq!(
            verdict,
            Verdict::Violated,
            "{rule} {mistake}: {}",
            said.notes
        );
    }
}

#[test]
fn every_rule_is_broken_and_kept() {
    if !has_compiler() {
        return;
    }
    for rule in &RULES {
        let folder = examples().join(rule.name);
        let said = asked(rule, &folder.join("bad.c"), Certify::Never);
        let mut broken = (said.iter()).filter(|it| it.verdict == Verdict::Violated);
        is_violated(broken.next().expect(rule.name));
        assert!(broken.next().is_none(), "{}: twice", rule.name);
        let said = asked(rule, &folder.join("good.c"), Certify::Always);
        // Where every result is used, no call is left that this rule looks at.
        assert_eq!(
            said.is_empty(),
            rule.name == "unchecked-return",
            "{}",
            rule.name
        );
        said.iter().for_each(is_proved);
    }
}

#[test]
fn a_rule_says_nothing_of_programs_that_it_is_not_about() {
    if !has_compiler() {
        return;
    }
    let rule = Rule::named("double-lock").expect("a rule");
    let program = examples().join("double-free/bad.c");
    assert!(asked(rule, &program, Certify::Never).is_empty());
}

#[test]
fn there_are_examples_of_rules_only() {
    let folders = fs::read_dir(examples()).expect("a folder");
    let mut names: Vec<String> = folders
        .map(|it| {
            it.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let rules: Vec<&str> = RULES.iter().map(|it| it.name).collect();
    assert_eq!(names, rules);
}
