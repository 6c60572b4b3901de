//! What a unit with a monitor in it declares once.

use std::fmt::Write;

use super::{
    Weaving,
    guard::{GuardSite, Purpose},
};
use crate::{
    c::prepare::{quoted, variable},
    lang::Threads,
};

/// The declarations of the run-time, as in a header of the system: no option of the user's
/// makes the compiler complain about them.
const RUN_TIME: &str = "
# 1 \"recurva_pal.h\" 3
extern __thread struct recurva_pal_frame *recurva_pal_top;
extern int recurva_pal_violated(const char *, const char *);
extern void recurva_pal_value(const char *, int, int, int, long long, const void *, double);
extern void recurva_pal_report(void);
extern void recurva_pal_lock(void);
extern void recurva_pal_unlock(void);
";

/// The frame of a pending call, unless the program includes our header.
const FRAME: &str = "
# 1 \"recurva_pal.h\" 3
struct recurva_pal_frame { const char *site; struct recurva_pal_frame *outer; };
";

/// The text to stand before the first function that is watched.
pub(crate) fn prelude(weaving: Weaving<'_>, unit: &[u8], matched: &[usize]) -> Vec<u8> {
    let mut out = match weaving.purpose {
        Purpose::Run => run_time(unit),
        Purpose::Check => failures(weaving),
    };
    if matched.iter().all(|count| *count == 0) {
        return out;
    }
    out.extend_from_slice(&weaving.prepared.headers);
    globals(weaving, &mut out);
    if weaving.purpose == Purpose::Run {
        out.extend_from_slice(own(weaving, matched).as_bytes());
    }
    out
}

/// The declarations of the functions that are called where something does not hold.
fn failures(weaving: Weaving<'_>) -> Vec<u8> {
    let mut out = String::from("\n# 1 \"recurva_pal.h\" 3\n");
    for number in 0..GuardSite::all(weaving.monitor).len() {
        let _ = writeln!(out, "extern void {}();", GuardSite::function(number));
    }
    out.into_bytes()
}

/// The declarations of the run-time.
fn run_time(unit: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if !contains(unit, b"struct recurva_pal_frame {") {
        out.extend_from_slice(FRAME.as_bytes());
    }
    out.extend_from_slice(RUN_TIME.as_bytes());
    out
}

/// The monitor's variables, which all units share.
fn globals(weaving: Weaving<'_>, out: &mut Vec<u8>) {
    let thread = match weaving.monitor.threads {
        Threads::PerThread => "__thread ",
        Threads::None | Threads::Locked => "",
    };
    for global in &weaving.prepared.globals {
        out.extend_from_slice(b"\n__attribute__((weak, visibility(\"default\"))) ");
        out.extend_from_slice(thread.as_bytes());
        out.extend_from_slice(global);
        out.extend_from_slice(b"\n;");
    }
    out.push(b'\n');
}

/// The function that reports the values of all variables, and the record of how often each event
/// matched.
fn own(weaving: Weaving<'_>, matched: &[usize]) -> String {
    let mut own = String::from("# 1 \"recurva_pal.h\" 3\n");
    own.push_str("extern void recurva_pal_show(void);\n");
    own.push_str("__attribute__((weak, visibility(\"default\"))) void recurva_pal_show(void) { ");
    let globals = weaving.monitor.globals.iter();
    for declared in globals.flat_map(|global| &global.variables) {
        own.push_str(&value(&declared.name.text, &variable(&declared.name.text)));
    }
    own.push_str("}\n");
    let counts: Vec<_> = matched.iter().map(ToString::to_string).collect();
    let record = format!("{COVERAGE}{}\n", counts.join(" "));
    let _ = writeln!(
        own,
        "__attribute__((used, section(\"recurva_pal\"))) static const char recurva_pal_coverage[] = {};",
        quoted(&record)
    );
    own
}

/// Begins the record of how often each event matched in a unit, which stays in the program.
pub(crate) const COVERAGE: &str = "recurva-pal-coverage ";

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|it| it == word)
}

/// A statement that reports the value of an expression of any type.
pub(crate) fn value(name: &str, expr: &str) -> String {
    const CLASS: &str = "__builtin_classify_type(recurva_pal_x)";
    const NUMBER: &str = "__builtin_choose_expr(__builtin_classify_type(recurva_pal_x) >= 1 && \
                          __builtin_classify_type(recurva_pal_x) <= 4, recurva_pal_x, 0)";
    let choose = |class: u32, otherwise: &str| {
        format!("__builtin_choose_expr({CLASS} == {class}, recurva_pal_x, {otherwise})")
    };
    let is = |ty: &str| format!("__builtin_types_compatible_p(__typeof__(recurva_pal_x), {ty})");
    // The conditional makes pointers of arrays and numbers of bit-fields.
    format!(
        "{{ __auto_type recurva_pal_x = 1 ? ({expr}) : ({expr}); recurva_pal_value({}, {CLASS}, \
         (__typeof__({NUMBER} + 0))-1 > 0, {} || {}, (long long)({NUMBER}), \
         (const void *)({}), (double)({})); }} ",
        quoted(name),
        is("char *"),
        is("const char *"),
        choose(5, "(void *)0"),
        choose(8, "0.0"),
    )
}
