//! Numbers that are only compared with constants, as the class they are in.

use recurva_model::{Parts, Patience, Stop};

use crate::lowered::EdgeInfo;

/// Replaces such numbers.
pub(crate) fn classify(
    _parts: &mut Parts,
    _edges: &mut [Vec<EdgeInfo>],
    _patience: &mut Patience<'_>,
) -> Result<(), Stop> {
    Ok(())
}
