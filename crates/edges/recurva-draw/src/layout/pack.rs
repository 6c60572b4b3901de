//! Rectangles side by side, in rows.

/// The upper left corners of rectangles in rows, in their order, and the size of them all. Rows
/// are about as wide as makes everything a little wider than high.
pub(super) fn shelves(sizes: &[(i32, i32)], gap: i32) -> (Vec<(i32, i32)>, (i32, i32)) {
    let area: f64 = sizes
        .iter()
        .map(|&(w, h)| f64::from(w + gap) * f64::from(h + gap))
        .sum();
    let widest = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let wanted = ((area * 1.6).sqrt() as i32).max(widest);
    let mut corners = Vec::with_capacity(sizes.len());
    let (mut x, mut y, mut row) = (0, 0, 0);
    let mut total = (0, 0);
    for &(w, h) in sizes {
        if x > 0 && x + w > wanted {
            (x, y, row) = (0, y + row + gap, 0);
        }
        corners.push((x, y));
        total = (total.0.max(x + w), total.1.max(y + h));
        row = row.max(h);
        x += w + gap;
    }
    (corners, total)
}
