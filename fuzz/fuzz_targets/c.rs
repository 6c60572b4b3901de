//! Any bytes: reading them as preprocessed C ends, and every expression lies in the text, with
//! those inside it inside its bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(unit) = recurva_c::parse(data) else { return };
    for (_, expr) in unit.exprs() {
        assert!(expr.span.end as usize <= data.len());
        for operand in expr.kind.operands() {
            let inner = unit.expr(operand).span;
            assert!(expr.span.start <= inner.start && inner.end <= expr.span.end);
        }
    }
});
