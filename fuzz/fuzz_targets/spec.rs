//! Any text: reading it as a formula, as formulas, and as an automaton about a fixed program
//! ends, prints its messages, and gives properties if and only if there is no error.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use recurva_check::spec::{Reader, Spec, SpecFormat, Vocabulary};
use recurva_lang::bp;
use recurva_syntax::{Source, Style};

const MODEL: &str = "
decl g, h; decl int(4) n, a[3]; decl sint(8) k;
bool lock(int(4) id, b) begin decl {x==0}, v[2]; acquire: g := T; release: return b; end
void main() begin L: h := lock(n, g); acquire: skip; goto L; end";

fuzz_target!(|data: &[u8]| {
    static PROGRAM: OnceLock<recurva_model::Program> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let source = Source::new("model.bp", MODEL).expect("a short text");
        bp::parse(&source, &bp::Options::default()).program.expect("a right program")
    });
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return };
    let reader = Reader::new(program, Vocabulary::Program);
    let check = |spec: &Spec| {
        assert_eq!(spec.properties.is_none(), spec.diagnostics.has_errors());
        let text = spec.diagnostics.render(&source, Style::Plain);
        assert!(!text.contains("internal error"), "{text}");
    };
    check(&reader.formula(&source));
    check(&reader.read(&source, SpecFormat::Formulas));
    check(&reader.read(&source, SpecFormat::Automaton));
});
