//! Any bytes: reading them as a boolean program ends, prints its messages, and gives a
//! program if and only if there is no error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_lang::bp;
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let source = match Source::from_bytes("fuzz.bp", data.to_vec()) {
        Ok(source) => source,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for dialect in [bp::Dialect::Boppo, bp::Dialect::Moped] {
        let parsed = bp::parse(&source, &bp::Options { dialect });
        assert_eq!(parsed.program.is_none(), parsed.diagnostics.has_errors());
        for style in [Style::Plain, Style::Colour] {
            let text = parsed.diagnostics.render(&source, style);
            assert!(!text.contains("internal error"), "{text}");
            assert_eq!(text.is_empty(), parsed.diagnostics.is_empty());
        }
    }
});
