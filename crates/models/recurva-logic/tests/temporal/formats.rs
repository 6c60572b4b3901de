//! Reading and writing automata.

use recurva_logic::{
    automaton::{Config, translate},
    hoa, ltl,
};
use recurva_syntax::{Source, Style};

fn read(text: &str) -> hoa::Parsed {
    hoa::parse(&Source::new("x.hoa", text).expect("a short text"))
}

fn errors(text: &str) -> String {
    let source = Source::new("x.hoa", text).expect("a short text");
    let parsed = hoa::parse(&source);
    assert!(parsed.automaton.is_none(), "{text}");
    parsed.diagnostics.render(&source, Style::Plain)
}

/// GF a, with marks on states, labels on states, and an implicit and an aliased form.
const RECURRENCES: [&str; 4] = [
    "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
     State: 0 [0] 1 [!0] 0 State: 1 \"seen\" {0} [0] 1 [!0] 0 --END--",
    "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" acc-name: Buchi Acceptance: 1 Inf(0)
     properties: implicit-labels --BODY-- State: 0 0 0 {0} --END--",
    "HOA: v1 /* a /* nested */ comment */ Start: 0 AP: 1 \"a\" Alias: @a 0 Alias: @n !@a
     Acceptance: 3 (Inf(2)&Inf(2)) some-remark: 1 \"x\" --BODY--
     State: 0 [@a & t] 0 {1 2} [(@n | f) & !@a] 0 {0 1} --END--",
    "HOA: v1 States: 4 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
     State: [0] 0 {0} 0 1 State: [!0] 1 0 1 State: 2 State: 3 [t] 3 --END--",
];

#[test]
fn all_forms_of_automata_are_read() {
    for text in RECURRENCES {
        let parsed = read(text);
        let automaton = parsed
            .automaton
            .unwrap_or_else(|| panic!("{}", errors(text)));
        assert!(automaton.accepts(&[0], &[0, 1]), "{text}");
        assert!(automaton.accepts(&[], &[1]), "{text}");
        assert!(!automaton.accepts(&[1, 1], &[0]), "{text}");
        let small = automaton.reduce(&Config::default()).expect("small");
        // Two initial states become a third.
        let fewest = if text.contains("Start: 1") { 2 } else { 1 };
        assert_eq!((small.states(), small.sets()), (fewest, 1), "{text}");
    }
}

#[test]
fn labels_may_have_many_cubes() {
    let atoms: Vec<String> = (0..30).map(|i| format!("\"a{i}\"")).collect();
    let pairs: Vec<String> = (0..15)
        .map(|i| format!("{}&{}", 2 * i, 2 * i + 1))
        .collect();
    let text = format!(
        "HOA: v1 States: 1 Start: 0 AP: 30 {} Acceptance: 0 t --BODY-- State: 0 [{}] 0 --END--",
        atoms.join(" "),
        pairs.join(" | ")
    );
    let automaton = read(&text).automaton.expect("a small label");
    assert_eq!(automaton.edges_from(0)[0].label.cubes().len(), 15);
    assert!(automaton.accepts(&[], &[3]) && !automaton.accepts(&[], &[5]));
}

#[test]
fn what_is_written_is_plain() {
    let source = Source::new("f", "G(a -> F \"b > 1\")").expect("a short text");
    let formula = ltl::parse(&source).formula.expect("a formula");
    let automaton = translate(&formula, &Config::default()).expect("small");
    let mut text = String::new();
    hoa::write(&mut text, &automaton, &formula.to_string()).expect("a string");
    let text = text.replace(env!("CARGO_PKG_VERSION"), "0.1.0");
    insta::assert_snapshot!(text, @r#"
HOA: v1
name: "G(a -> F \"b > 1\")"
tool: "recurva" "0.1.0"
States: 2
Start: 0
AP: 2 "a" "b > 1"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[!0 | 1] 0 {0}
[0&!1] 1
State: 1
[1] 0 {0}
[!1] 1
--END--
"#);
    let classical = automaton.degeneralise(&Config::default()).expect("small");
    let mut text = String::new();
    classical
        .write_never(&mut text, &formula.to_string())
        .expect("a string");
    insta::assert_snapshot!(text, @r#"
never { /* G(a -> F "b > 1") */
accept_init:
  if
  :: (!(a) || (b > 1)) -> goto accept_init
  :: ((a) && !(b > 1)) -> goto T0_S1
  fi;
T0_S1:
  if
  :: ((b > 1)) -> goto accept_init
  :: (!(b > 1)) -> goto T0_S1
  fi;
}
"#);
}

#[test]
fn wrong_automata_get_a_clear_message() {
    let start = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\"";
    let cases = [
        ("", "expected `HOA: v1`"),
        ("HOA: v2", "only version 1"),
        ("HOA: v1 --BODY-- --END--", "no `Acceptance:`"),
        (
            &format!("{start} Acceptance: 1 Fin(0) --BODY-- --END--"),
            "only Büchi",
        ),
        (
            &format!("{start} Acceptance: 2 Inf(0)|Inf(1) --BODY-- --END--"),
            "only Büchi",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(!0) --BODY-- --END--"),
            "only Büchi",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(3) --BODY-- --END--"),
            "no acceptance set 3",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [4] 0 --END--"),
            "no atom 4",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [@x] 0 --END--"),
            "no alias",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 7 --END--"),
            "no state 7",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [0 0 --END--"),
            "expected `]`",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 0 --END--"),
            "2 edges without",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&0 --END--"),
            "alternating",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 {{1}} --END--"),
            "no acceptance set 1",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- State: 0 State: 0 --END--"),
            "given twice",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- --ABORT--"),
            "given up",
        ),
        (
            &format!("{start} Acceptance: 1 Inf(0) --BODY-- --END-- HOA:"),
            "one automaton",
        ),
        (
            &format!("{start} Acceptnce: 1 Inf(0) --BODY-- --END--"),
            "did you mean `Acceptance:`",
        ),
        (
            &format!("{start} Start: 4000000000 Acceptance: 0 t --BODY-- --END--"),
            "no state 4000000000",
        ),
        (
            "HOA: v1 States: 4294967295 Start: 4294967290 Acceptance: 0 t --BODY-- --END--",
            "no state",
        ),
        (
            "HOA: v1 AP: 2 \"a\" Acceptance: 0 t --BODY-- --END--",
            "2 atoms are announced",
        ),
        ("HOA: v1 /* x", "does not end"),
        ("HOA: v1 \u{1}", "has no meaning"),
    ];
    for (text, wanted) in cases {
        let message = errors(text);
        assert!(message.contains(wanted), "{text}\n{message}");
    }
}
