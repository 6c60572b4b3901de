//! Which infinite runs of a program are asked about.

/// Which infinite runs are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stack {
    /// All of them (L).
    #[default]
    Any,
    /// Those whose stack stays bounded (L_b).
    Finite,
    /// Those whose stack diverges: more and more calls never return, and whatever the depth,
    /// the run is deeper from some time on (L_u). A run that reaches further and further up but
    /// comes back to the same depth again and again is not one of them.
    Diverging,
}

/// What becomes of a run that returns from the main procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It ends: it is no infinite run.
    #[default]
    Stops,
    /// It goes on for ever in its last state.
    Stutters,
}
