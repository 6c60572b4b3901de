//! Any text: reading it as a monitor of PAL ends, prints its messages, and gives a monitor if and
//! only if there is no error. The pieces of its C fragments follow each other without gaps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_pal::lang::{self, Fragment};
use recurva_syntax::{Source, Style};

fn check(fragment: &Fragment) {
    let mut at = fragment.span.start;
    for piece in &fragment.pieces {
        assert_eq!(piece.span.start, at);
        at = piece.span.end;
    }
    assert_eq!(at, fragment.span.end);
}

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return };
    let parsed = lang::parse(&source);
    assert_eq!(parsed.monitor.is_none(), parsed.diagnostics.has_errors());
    let _ = parsed.diagnostics.render(&source, Style::Plain);
    let Some(monitor) = parsed.monitor else { return };
    for event in &monitor.events {
        event.before.fragments().for_each(check);
        event.after.fragments().for_each(check);
        event.locals.iter().for_each(|decl| check(&decl.text));
    }
    monitor.globals.iter().for_each(|decl| check(&decl.text));
});
