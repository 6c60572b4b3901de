//! Any text: reading it as a formula of NT-µ and as a file of them, about a fixed program, ends,
//! prints its messages, and gives formulas if and only if there is no error. What is printed of
//! a formula is read back.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use recurva_check::branching::{Read, Reader, Starts, Subject};
use recurva_lang::bp;
use recurva_logic::ntmu;
use recurva_syntax::{Source, Style};

const MODEL: &str = "
decl g, h; decl int(4) n, a[3];
bool lock(int(4) id, b) begin acquire: g := T; release: return b; end
void main() begin L: h := lock(n, g); acquire: skip; goto L; end";

fuzz_target!(|data: &[u8]| {
    static PROGRAM: OnceLock<recurva_model::Program> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let source = Source::new("model.bp", MODEL).expect("a short text");
        bp::parse(&source, &bp::Options::default()).program.expect("a right program")
    });
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return };
    let reader = Reader::new(Subject::Program(program, Starts::Here));
    let check = |read: &Read| {
        assert_eq!(read.properties.is_none(), read.diagnostics.has_errors());
        let text = read.diagnostics.render(&source, Style::Plain);
        assert!(!text.contains("internal error"), "{text}");
        for named in read.properties.iter().flatten() {
            let formulas = named.property.formula.formulas();
            let text = formulas.show(named.property.formula.root()).clipped(20_000);
            if text.ends_with('…') {
                continue;
            }
            let again = Source::new("again", text.clone()).expect("a short text");
            assert!(ntmu::parse(&again).formula.is_some(), "{text}");
        }
    };
    check(&reader.formula(&source));
    check(&reader.file(&source));
});
