//! Functions whose calls have a meaning of their own.

use crate::BuildOptions;

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Any value of the result's type: `__VERIFIER_nondet_…`.
    Nondet,
    /// The run goes on only if the argument is not zero: `__VERIFIER_assume`.
    Assume,
    /// An error: `reach_error`.
    Error,
    /// A failed assertion, of which the first argument is the text: `__assert_fail`.
    AssertFail,
    /// An assertion: `assert` where no header defines it.
    Assert,
    /// `abort`
    Abort,
    /// `exit`
    Exit,
    /// `malloc`
    Malloc,
    /// `calloc`
    Calloc,
    /// `realloc`
    Realloc,
    /// `free`
    Free,
    /// `alloca`
    Alloca,
    /// `memcpy`, `memmove`: the result is the first argument.
    Copy,
    /// `mempcpy`: the result is what follows the copy.
    CopyToEnd,
    /// `memset`
    Fill,
    /// `signal`: to ignore a signal, or to have it do what it does, makes no difference to a run in
    /// which none comes; a function that may be called at any time does.
    Signal,
    /// Nothing: what only matters to several threads.
    Nothing,
    /// Something that cannot be told in this language.
    Unsupported(&'static str),
}

impl Special {
    /// What a function means that is an error whatever its body is.
    pub(crate) fn always(name: &str, options: &BuildOptions) -> Option<Self> {
        let is_asked = options.error_functions.iter().any(|it| it == name);
        (is_asked || matches!(name, "reach_error" | "__VERIFIER_error")).then_some(Special::Error)
    }

    /// What a function without a body means.
    pub(crate) fn of(name: &str, options: &BuildOptions) -> Option<Self> {
        if let Some(special) = Self::always(name, options) {
            return Some(special);
        }
        Some(match name.strip_prefix("__builtin_").unwrap_or(name) {
            "__VERIFIER_assume" => Special::Assume,
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" | "__assert13" => {
                Special::AssertFail
            }
            "assert" | "__VERIFIER_assert" => Special::Assert,
            "abort" | "trap" => Special::Abort,
            "exit" | "_exit" | "_Exit" | "quick_exit" => Special::Exit,
            "malloc" | "valloc" => Special::Malloc,
            "calloc" => Special::Calloc,
            "realloc" => Special::Realloc,
            "free" | "cfree" => Special::Free,
            "alloca" => Special::Alloca,
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => Special::Copy,
            "mempcpy" => Special::CopyToEnd,
            "memset" | "__memset_chk" => Special::Fill,
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Special::Nothing,
            "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => Special::Unsupported("setjmp"),
            "longjmp" | "_longjmp" | "siglongjmp" => Special::Unsupported("longjmp"),
            "pthread_create" | "thrd_create" => Special::Unsupported("threads"),
            "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" => Special::Signal,
            "sigaction" | "raise" => Special::Unsupported("signals"),
            "fork" | "vfork" => Special::Unsupported("fork"),
            _ if name.starts_with("__VERIFIER_nondet_") => Special::Nondet,
            _ => return None,
        })
    }
}
