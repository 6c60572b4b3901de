//! Any text: reading it as an automaton on nested trees ends, prints its messages, and gives an
//! automaton if and only if there is no error. What is printed of it is read back, and so is its
//! complement.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_logic::nta::{self, Automaton};
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return };
    let parsed = nta::parse(&source);
    assert_eq!(parsed.automaton.is_none(), parsed.diagnostics.has_errors());
    let _ = parsed.diagnostics.render(&source, Style::Plain);
    let Some(automaton) = parsed.automaton else { return };
    let again = |text: String| {
        let source = Source::new("again", text.clone()).expect("a short text");
        let automaton = nta::parse(&source).automaton;
        assert_eq!(automaton.map(|automaton| automaton.to_string()), Some(text));
    };
    if let Automaton::Alternating(automaton) = &automaton {
        again(automaton.complement().to_string());
    }
    again(automaton.to_string());
});
