//! Any text: reading it as a system of any size, or as one with explicit transducers, ends, prints
//! its messages, and gives a system if and only if there is no error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_regular::{json, lang};
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.rmc", data.to_vec()) else { return };
    for parsed in [lang::parse(&source), json::parse(&source)] {
        assert_eq!(parsed.value.is_none(), parsed.diagnostics.has_errors());
        let text = parsed.diagnostics.render(&source, Style::Plain);
        assert!(!text.contains("internal error"), "{text}");
    }
});
