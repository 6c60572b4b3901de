//! What control comes to a node with: kept of an unrolling that came to an end, for a proof.

use std::rc::Rc;

use recurva_encode::Store;
use recurva_smt::Term;

/// The values of variables at two moments.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    /// When the running invocation began.
    pub(crate) entry: Rc<Store>,
    /// Now.
    pub(crate) now: Store,
}

/// All runs that come to one place of the unrolled program.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// When control comes there.
    pub(crate) condition: Term,
    /// With these values.
    pub(crate) values: Moments,
}
