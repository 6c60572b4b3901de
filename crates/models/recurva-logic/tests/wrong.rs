//! One small file per mistake: what the user is told.

use recurva_lang::bp;
use recurva_logic::monitor;
use recurva_syntax::Source;
use recurva_testkit::{test_folder, wrong::compare};

const MODEL: &str = "
decl g, h; decl int(4) n, a[3];
bool lock(int(4) id, b) begin decl v[2]; acquire: g := T; release: return b; end
void main() begin L: h := lock(n, g); goto L; end";

#[test]
fn wrong_monitors_get_a_clear_message() {
    let model = Source::new("model.bp", MODEL).expect("a short text");
    let program = bp::parse(&model, &bp::Options::default())
        .program
        .expect("a right program");
    compare(&test_folder!("wrong"), &["mon"], |source| {
        let parsed = monitor::parse(source, &program);
        (parsed.monitors.is_some(), parsed.diagnostics)
    });
}
