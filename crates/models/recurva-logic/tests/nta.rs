//! Automata on nested trees as text.

use recurva_logic::nta::{self, Automaton};
use recurva_syntax::{Source, Style};
use recurva_testkit::{test_folder, wrong::compare};

fn read(text: &str) -> Automaton {
    let source = Source::new("automaton.nta", text).expect("a short text");
    let parsed = nta::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.automaton.unwrap_or_else(|| panic!("{errors}"))
}

#[test]
fn wrong_automata_get_a_clear_message() {
    compare(&test_folder!("wrong_nta"), &["nta"], |source| {
        let parsed = nta::parse(source);
        (parsed.automaton.is_some(), parsed.diagnostics)
    });
}

#[test]
fn what_is_written_reads_back() {
    for text in [
        "alternating\ninit q\nstate q 0 =\n  true\n",
        "alternating stairs\ninit b\nstate a 1 =\n  p & (!q | \"two words\") & @A.u | go b\n\
         state b 2 =\n  <loc> a & [loc] b | <call> a & [call] b\n",
        "alternating\ninit q\nstate q 3 =\n  <ret> q | [ret, q] q | <ret, q> q & (p | q & (p | q))\n",
        "nondeterministic\ninit q\nstate q 0\nstate 7 12\nq -> q, -\n\
         q (p, !\"x y\") -> (q, 7), 7\n7 -> -, -\n",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
}

#[test]
fn abbreviations_are_written_out() {
    let text = "alternating\ninit q\nstate q 0 = (p & !r -> <> q) & !(p | !q) # end\n";
    assert_eq!(
        read(text).to_string(),
        "alternating\ninit q\nstate q 0 =\n  (!p | r | (<loc> q | <call> q | <ret> q)) & (!p & q)\n"
    );
}

#[test]
fn deep_terms_need_no_stack() {
    let depth = 200_000;
    let text = format!(
        "alternating\ninit q\nstate q 0 = {}p{}\nstate r 0 = {}p",
        "(".repeat(depth),
        ")".repeat(depth),
        "(p & <loc> q | ".repeat(depth) + "p" + &")".repeat(depth) + " | "
    );
    let Automaton::Alternating(automaton) = read(&text) else {
        panic!("another kind")
    };
    let complement = automaton.complement().complement();
    assert_eq!(complement.to_string().len(), {
        let priorities = automaton.to_string().replace("state q 0", "state q 2");
        priorities.replace("state r 0", "state r 2").len()
    });
}
