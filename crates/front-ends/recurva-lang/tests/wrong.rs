//! One small file per mistake: what the user is told.

use recurva_lang::{bp, rem};
use recurva_testkit::{test_folder, wrong::compare};

#[test]
fn wrong_programs_get_a_clear_message() {
    compare(&test_folder!("wrong"), &["bp"], |source| {
        let parsed = bp::parse(source, &bp::Options::default());
        (parsed.program.is_some(), parsed.diagnostics)
    });
}

#[test]
fn wrong_remopla_gets_a_clear_message() {
    compare(&test_folder!("wrong_remopla"), &["rem"], |source| {
        let parsed = rem::parse(source);
        (parsed.program.is_some(), parsed.diagnostics)
    });
}
