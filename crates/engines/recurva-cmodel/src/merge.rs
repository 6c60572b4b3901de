//! Straight-line code as one step.

use recurva_model::Parts;

use crate::lowered::EdgeInfo;

/// Joins steps where that is cheap.
pub(crate) fn merge(_parts: &mut Parts, _edges: &mut [Vec<EdgeInfo>]) {}
