//! NT-µ: what is read, what is written, and what the user is told.

use std::{fs, path::Path};

use recurva_logic::ntmu::{self, Formula, Operator};
use recurva_syntax::{Source, Style};
use recurva_testkit::{test_folder, wrong::compare};

fn read(text: &str) -> Formula {
    let source = Source::new("formula", text).expect("a short text");
    let parsed = ntmu::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.formula.unwrap_or_else(|| panic!("{errors}"))
}

#[test]
fn wrong_formulas_get_a_clear_message() {
    compare(&test_folder!("wrong_ntmu"), &["ntmu"], |source| {
        let parsed = ntmu::parse_file(source);
        (parsed.formulas.is_some(), parsed.diagnostics)
    });
}

#[test]
fn what_is_written_reads_back() {
    for text in [
        "EF p",
        "AG(p -> [jump] q)",
        "A[p W_l E[q U r]]",
        "<call> <call> <ret> R1 {<ret> R1} {<loc> true, \"two words\"}",
        "mu X. nu Y. (p | <loc> X) & [loc] Y & mu X. @A1.u | <call> X {X}",
        "!(EG_l terminates & in(A) | !calls(B))",
        "\"X\" & mu X. \"Y\" | <loc> X",
        "written_then(w, r, true, EF r)",
        "never_once_called(a, x)",
    ] {
        let first = read(text).to_string();
        let second = read(&first).to_string();
        assert_eq!(read(&second).to_string().len(), second.len(), "{text}");
        let twice = read(text).negation().negation();
        assert_eq!(twice.to_string(), first);
        let back = read(&read(text).negation().to_string()).negation();
        assert_eq!(
            back.formulas().arity(back.root()),
            twice.formulas().arity(twice.root())
        );
    }
}

#[test]
fn the_formulas_of_the_thesis_are_what_is_written_out() {
    let texts = [
        "EF p",
        "EF_l p",
        "AF p",
        "AG p",
        "E[p W_l q]",
        "A[p U q]",
        "<jump> p",
        "terminates",
    ];
    let shown = texts.map(|text| format!("{text}\n    {}\n", read(text)));
    insta::assert_snapshot!(shown.concat());
}

#[test]
fn definitions_are_used_by_name() {
    let text = "
        def both(p, q) = p & q          # two lines
        def swap(p, q) = both(q, p)
        def under(p) = mu X. p | <loc> X
        first: swap(a, b)
        second: first | nu X. under(both(X, c))";
    let source = Source::new("file.ntmu", text).expect("a short text");
    let parsed = ntmu::parse_file(&source);
    let formulas = parsed.formulas.expect("no errors");
    let shown: Vec<String> = formulas
        .iter()
        .map(|named| named.formula.to_string())
        .collect();
    assert_eq!(shown, ["b & a", "b & a | (nu X. mu X2. X & c | <loc> X2)"]);
    assert_eq!(&*formulas[1].name, "second");
}

#[test]
fn every_pattern_can_be_used() {
    let source = Source::new("patterns.ntmu", ntmu::PATTERNS).expect("a short text");
    let mut uses = String::new();
    for line in ntmu::PATTERNS
        .lines()
        .filter_map(|line| line.strip_prefix("def "))
    {
        let head = line.split('=').next().expect("a head").trim();
        let name = head.split('(').next().expect("a name");
        uses.push_str(&format!("use_of_{name}: {head}\n"));
    }
    assert!(uses.lines().count() >= 12);
    let both = Source::new("both.ntmu", format!("{}\n{uses}", source.text())).expect("short");
    let parsed = ntmu::parse_file(&both);
    let errors = parsed.diagnostics.render(&both, Style::Plain);
    assert!(parsed.formulas.is_some(), "{errors}");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/src/reference/ntmu.md");
    let docs = fs::read_to_string(docs).expect("the page is part of the project");
    for line in uses.lines() {
        let (_, head) = line.split_once(": ").expect("a use");
        assert!(
            docs.contains(head),
            "docs/src/reference/ntmu.md lacks `{head}`"
        );
    }
    // They are there without being defined, too.
    let own = Source::new("own.ntmu", uses).expect("a short text");
    assert!(ntmu::parse_file(&own).formulas.is_some());
}

#[test]
fn nothing_is_nested_too_deeply() {
    let depth = 100_000;
    let chain = |open: &str, close: &str| format!("{}p{}", open.repeat(depth), close.repeat(depth));
    for text in [
        chain("(", ")"),
        chain("<loc> ", ""),
        chain("!", ""),
        chain("mu X. X | ", ""),
        chain("<call> ", " {q}"),
        chain("E[", " U q]"),
        chain("EF_l ", ""),
        chain("A[q W ", "]"),
        chain("p & ", ""),
    ] {
        let formula = read(&text);
        assert!(formula.formulas().len() < 50 * depth);
    }
    assert!(read(&chain("mu X. X | ", "")).to_string().len() > depth);
    // Definitions that double: what is shared is stored once.
    let mut text = "def d0(p) = <loc> p & <call> p {p}\n".to_owned();
    for index in 1..60 {
        let last = index - 1;
        text.push_str(&format!(
            "def d{index}(p) = d{last}(d{last}(p)) | d{last}(p)\n"
        ));
    }
    let source = Source::new("file.ntmu", text).expect("a short text");
    let parsed = ntmu::parse_file(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    assert!(errors.contains("too large when definitions are written out"));
}

#[test]
fn no_text_makes_a_reader_panic() {
    let pieces = [
        "p",
        "X",
        "mu X.",
        "nu X.",
        "<call>",
        "[call]",
        "{",
        "}",
        ",",
        "(",
        ")",
        "<ret>",
        "R1",
        "R2",
        "EF",
        "AG_l",
        "E[",
        "A[",
        "U",
        "W_l",
        "]",
        "!",
        "&",
        "|",
        "->",
        "def",
        "f:",
        "=",
        "\n",
        "\"",
        "ä",
        "<jump>",
        "<",
        "[",
        "@a.",
        "never_under(",
        "terminates",
        "#",
        ".",
    ];
    let mut bits = 7u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(bits >> 33) as usize % pieces.len()]);
            text.push(' ');
        }
        let source = Source::new("x", text).expect("a short text");
        let parsed = ntmu::parse(&source);
        assert_eq!(parsed.formula.is_none(), parsed.diagnostics.has_errors());
        if let Some(formula) = parsed.formula {
            let (formulas, root) = (formula.formulas().clone(), formula.root());
            assert!(Formula::new(formulas, root).is_ok(), "{}", source.text());
            read(&formula.to_string());
        }
        let parsed = ntmu::parse_file(&source);
        assert_eq!(parsed.formulas.is_none(), parsed.diagnostics.has_errors());
    }
}

#[test]
fn formulas_made_by_hand_are_checked() {
    let mut formulas = ntmu::Formulas::new();
    let (p, x) = (formulas.proposition("p"), formulas.new_variable("X"));
    let variable = formulas.variable(x);
    let body = formulas.or(p, variable);
    assert!(Formula::new(formulas.clone(), body).is_err());
    let least = formulas.fixpoint(ntmu::Fixpoint::Least, x, body);
    assert!(Formula::new(formulas.clone(), least).is_ok());
    let back = formulas.ret(ntmu::Modality::Some, 1);
    assert!(Formula::new(formulas.clone(), back).is_err());
    let call = formulas.call(ntmu::Modality::All, back, &[p]);
    assert!(Formula::new(formulas.clone(), call).is_ok());
    let bare = formulas.call(ntmu::Modality::All, back, &[]);
    assert!(Formula::new(formulas.clone(), bare).is_err());
    let again = formulas.fixpoint(ntmu::Fixpoint::Greatest, x, body);
    assert!(Formula::new(formulas.clone(), again).is_err());
    assert!(matches!(formulas.operator(call), Operator::Call(_)));
}
