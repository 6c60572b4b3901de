//! How programs fail.

/// Why reaching a node is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// An `assert` does not hold.
    Assertion,
    /// A function is called that stands for an error.
    ErrorCall,
    /// The program aborts.
    Abort,
    /// A division by zero or an index out of range.
    Arithmetic,
    /// A signed result does not fit its type.
    Overflow,
    /// A divisor is zero.
    Division,
    /// An amount of shift is out of range.
    Shift,
    /// An index or a pointer is outside its object.
    Bounds,
    /// A null pointer is used.
    Null,
    /// An object is used that is not alive.
    Lifetime,
    /// Something is freed that cannot be freed.
    Free,
    /// Something allocated is never freed.
    Leak,
    /// A value is used that was never given.
    Uninitialised,
    /// A pointer is called that points to no function.
    Call,
    /// A floating-point number does not fit the integer that it becomes.
    Conversion,
    /// A guard or an assertion of a monitor that is part of the program does not hold.
    Guard,
    /// A variable of such a monitor leaves its range, or its value cannot be computed.
    Range,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [FailureKind; 17] = [
        FailureKind::Assertion,
        FailureKind::ErrorCall,
        FailureKind::Abort,
        FailureKind::Arithmetic,
        FailureKind::Overflow,
        FailureKind::Division,
        FailureKind::Shift,
        FailureKind::Bounds,
        FailureKind::Null,
        FailureKind::Lifetime,
        FailureKind::Free,
        FailureKind::Leak,
        FailureKind::Uninitialised,
        FailureKind::Call,
        FailureKind::Conversion,
        FailureKind::Guard,
        FailureKind::Range,
    ];

    /// What happens, in words: "an assertion fails" without the article.
    pub const fn what(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion fails",
            FailureKind::ErrorCall => "error function is called",
            FailureKind::Abort => "the program aborts",
            FailureKind::Arithmetic => "division by zero or index out of range",
            FailureKind::Overflow => "signed overflow",
            FailureKind::Division => "division by zero",
            FailureKind::Shift => "shift out of range",
            FailureKind::Bounds => "access out of bounds",
            FailureKind::Null => "null pointer is used",
            FailureKind::Lifetime => "object is used that is no longer there",
            FailureKind::Free => "pointer is freed that cannot be freed",
            FailureKind::Leak => "memory is never freed",
            FailureKind::Uninitialised => "uninitialised value is used",
            FailureKind::Call => "pointer is called that points to no function",
            FailureKind::Conversion => "number does not fit the integer it becomes",
            FailureKind::Guard => "guard fails",
            FailureKind::Range => "a value is out of the monitor's range",
        }
    }

    /// That it never happens and that it does, as a property and its opposite.
    pub const fn property(self) -> [&'static str; 2] {
        match self {
            FailureKind::Assertion => ["no assertion fails", "an assertion fails"],
            FailureKind::ErrorCall => {
                ["no error function is called", "an error function is called"]
            }
            FailureKind::Abort => ["no call of abort", "abort is called"],
            FailureKind::Arithmetic => [
                "no division by zero or index out of range",
                "there is a division by zero or an index out of range",
            ],
            FailureKind::Overflow => ["no signed overflow", "there is a signed overflow"],
            FailureKind::Division => ["no division by zero", "there is a division by zero"],
            FailureKind::Shift => ["no shift out of range", "there is a shift out of range"],
            FailureKind::Bounds => [
                "no access out of bounds",
                "there is an access out of bounds",
            ],
            FailureKind::Null => ["no null pointer is used", "a null pointer is used"],
            FailureKind::Lifetime => [
                "no object is used that is gone",
                "an object is used that is gone",
            ],
            FailureKind::Free => ["no wrong free", "something is freed that cannot be freed"],
            FailureKind::Leak => ["no memory leak", "memory is never freed"],
            FailureKind::Uninitialised => [
                "no uninitialised value is used",
                "an uninitialised value is used",
            ],
            FailureKind::Call => [
                "no call of what is no function",
                "a pointer is called that points to no function",
            ],
            FailureKind::Conversion => [
                "no number is too large for the integer it becomes",
                "a number is too large for the integer it becomes",
            ],
            FailureKind::Guard => ["no guard fails", "a guard fails"],
            FailureKind::Range => [
                "monitor variables stay in range",
                "a monitor variable is out of range",
            ],
        }
    }
}
