//! Any bytes as preprocessed C: the check of types ends, for both data models. There is a unit if and
//! only if there is no error, all messages point into the text and can be printed, and each expression
//! comes behind those it is made of.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_ctype::{Target, check};
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let Ok(unit) = recurva_c::ast::parse(data) else { return };
    for target in [Target::lp64(), Target::ilp32()] {
        let checked = check(&unit, data, target);
        assert_eq!(checked.unit.is_none(), checked.diagnostics.has_errors());
        for diagnostic in checked.diagnostics.iter() {
            assert!(diagnostic.primary().span.end as usize <= data.len());
        }
        if let Ok(text) = std::str::from_utf8(data)
            && let Ok(source) = Source::new("fuzz.c", text)
        {
            drop(checked.diagnostics.render(&source, Style::Plain));
        }
        for expr in checked.unit.iter().flat_map(|unit| &unit.exprs) {
            assert!(expr.span.end as usize <= data.len());
        }
    }
});
