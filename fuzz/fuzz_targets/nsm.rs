//! Any text: reading it as a nested state machine ends, prints its messages, and gives a machine
//! if and only if there is no error. A machine is written and read back as the same one, and
//! can be turned into a recursive one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_lang::nsm;
use recurva_syntax::{Source, Style};

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return };
    let parsed = nsm::parse(&source);
    assert_eq!(parsed.nsm.is_none(), parsed.diagnostics.has_errors());
    let text = parsed.diagnostics.render(&source, Style::Plain);
    assert!(!text.contains("internal error"), "{text}");
    let Some(machine) = parsed.nsm else { return };
    let again = Source::new("again", nsm::write(&machine)).expect("it is not longer than it may be");
    let again = nsm::parse(&again).nsm.expect("what is written is right");
    assert_eq!(nsm::write(&again), nsm::write(&machine));
    assert!(!machine.to_rsm().is_empty());
});
