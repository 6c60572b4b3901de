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
