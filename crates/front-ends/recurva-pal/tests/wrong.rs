//! One small file per mistake: what the user is told.

use recurva_pal::lang::parse;
use recurva_syntax::{Source, Style};
use recurva_testkit::{test_folder, wrong::compare};

#[test]
fn wrong_monitors_get_a_clear_message() {
    compare(&test_folder!("wrong"), &["pal"], |source| {
        let parsed = parse(source);
        (parsed.monitor.is_some(), parsed.diagnostics)
    });
}

/// Nothing hangs, overflows or takes quadratic time.
#[test]
fn large_and_deep_texts_are_read() {
    let many = 200_000;
    for text in [
        "(".repeat(many) + &"]".repeat(many),
        format!("event {{ pattern {{ f({}", "(".repeat(many)),
        format!(
            "event {{ pattern {{ f(); }} action {{ x{} }} }}",
            "#".repeat(many)
        ),
        "event { pattern { f($1); } action { $1 = '' } }".repeat(many / 40),
        "pattern{f();}".repeat(many / 10),
        "global ".repeat(many),
        "before ".repeat(many),
        "''''".repeat(many),
    ] {
        let source = Source::new("large.pal", text).expect("a text that can be addressed");
        let parsed = parse(&source);
        assert_eq!(parsed.monitor.is_none(), parsed.diagnostics.has_errors());
        let text = parsed.diagnostics.render(&source, Style::Plain);
        assert!(text.len() < 200_000);
    }
}

/// Warnings do not stand in the way.
#[test]
fn strange_monitors_are_warned_of() {
    let text = "global int x, y;
event { pattern { $? = f($?); } local int z; action { y = 1; } }
event { pattern { $1 = f(0); } local int y = 2; action { y = $1; } }
event { pattern { g(); } guard { y = 1 } }
";
    let source = Source::new("strange.pal", text).expect("a short text");
    let parsed = parse(&source);
    assert!(parsed.monitor.is_some());
    insta::assert_snapshot!(parsed.diagnostics.render(&source, Style::Plain));
}
