//! The run-time that instrumented programs are linked with.

/// The header, for programs that handle violations themselves.
pub const HEADER: &str = include_str!("../../runtime/recurva_pal.h");

/// The source, a file of C99.
pub const SOURCE: &str = include_str!("../../runtime/recurva_pal.c");

/// What a program does when a guard does not hold, unless the environment says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Report and abort.
    #[default]
    Abort,
    /// Report and exit with status 86.
    Exit,
    /// Report and go on.
    Log,
    /// Go on, and say how many there were at the end.
    Count,
}

impl Policy {
    /// The option that compiles the run-time with it.
    pub fn define(self) -> &'static str {
        match self {
            Policy::Abort => "-DRECURVA_PAL_POLICY=RECURVA_PAL_ABORT",
            Policy::Exit => "-DRECURVA_PAL_POLICY=RECURVA_PAL_EXIT",
            Policy::Log => "-DRECURVA_PAL_POLICY=RECURVA_PAL_LOG",
            Policy::Count => "-DRECURVA_PAL_POLICY=RECURVA_PAL_COUNT",
        }
    }
}
