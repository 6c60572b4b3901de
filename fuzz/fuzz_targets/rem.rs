//! Any bytes: reading them as a Remopla program ends, prints its messages, and gives a program
//! if and only if there is no error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_lang::rem;
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.rem", data.to_vec()) else {
        return;
    };
    let parsed = rem::parse(&source);
    assert_eq!(parsed.program.is_none(), parsed.diagnostics.has_errors());
    let text = parsed.diagnostics.render(&source, Style::Plain);
    assert!(!text.contains("internal error"), "{text}");
    assert_eq!(text.is_empty(), parsed.diagnostics.is_empty());
});
