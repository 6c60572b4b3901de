//! Formula families with well-known sizes: never larger than what `spin -f` makes.

use std::{fs, path::Path};

use recurva_logic::{
    automaton::{Config, translate},
    ltl,
};
use recurva_syntax::{Source, Style};

use crate::{
    never::Claim,
    peers::{self, Opinion},
};

fn family(name: &str) -> Vec<ltl::Named> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let bytes = fs::read(path.join(name)).expect("a file of the project");
    let source = Source::from_bytes(name, bytes).expect("text");
    let parsed = ltl::parse_file(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.formulas.unwrap_or_else(|| panic!("{errors}"))
}

fn compare(file: &str, count: usize) {
    let list = family(file);
    assert_eq!(list.len(), count);
    let mut larger = Vec::new();
    for named in list {
        let config = Config::default();
        let automaton = translate(&named.formula, &config).expect("a small formula");
        let classical = automaton.degeneralise(&config).expect("a small automaton");
        assert!(
            automaton.states() <= classical.states(),
            "{}: {} > {}",
            named.name,
            automaton.states(),
            classical.states()
        );
        let next = named.formula.to_string().contains("X");
        // SPIN as Debian builds it has no `X`.
        if next {
            continue;
        }
        let text = match peers::spin(&named.formula) {
            Opinion::Text(text) => text,
            Opinion::None => continue,
            Opinion::Missing => {
                eprintln!("spin is not installed: {} is not compared", named.name);
                continue;
            }
        };
        let theirs = Claim::read(&text).states.len();
        if theirs > 0 && classical.states() > theirs {
            larger.push(format!("{}: {} > {theirs}", named.name, classical.states()));
        }
    }
    assert!(larger.is_empty(), "{larger:#?}");
}

#[test]
fn gastin_oddoux() {
    compare("gastin_oddoux.ltl", 11);
}

#[test]
fn etessami_holzmann() {
    compare("etessami_holzmann.ltl", 12);
}

#[test]
fn dwyer() {
    compare("dwyer.ltl", 55);
}

#[test]
fn fairness_needs_two_states_and_a_set_for_each_condition() {
    for (index, named) in family("gastin_oddoux.ltl")[..5].iter().enumerate() {
        let automaton = translate(&named.formula, &Config::default()).expect("a small formula");
        assert_eq!(automaton.states(), 2, "{}", named.name);
        assert_eq!(automaton.sets(), index as u32 + 1, "{}", named.name);
    }
}
