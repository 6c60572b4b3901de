//! Strongly connected components.

use crate::{
    meter::{Meter, Stopped},
    saturate::NEVER,
};

/// For each vertex that the roots lead to the number of its strongly connected component, less
/// than the number of such vertices (Tarjan's algorithm, with a stack of its own).
///
/// `hop` gives where a vertex leads, by index from 0: `None` after the last, `Some(None)` for
/// a gap.
pub(crate) fn strong_components(
    vertices: usize,
    roots: &[u32],
    hop: impl Fn(u32, u32) -> Option<Option<u32>>,
    meter: &mut Meter<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut component = vec![NEVER; vertices];
    // When a vertex was entered, then the earliest open one it leads to.
    let mut low = vec![NEVER; vertices];
    let mut open: Vec<u32> = Vec::new();
    // Vertex, when it was entered, and the index of its next hop.
    let mut path: Vec<(u32, u32, u32)> = Vec::new();
    let (mut entered, mut closed) = (0, 0);
    for &root in roots {
        if low[root as usize] != NEVER {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(vertex) = enter.take() {
                low[vertex as usize] = entered;
                path.push((vertex, entered, 0));
                open.push(vertex);
                entered += 1;
            }
            let Some((vertex, number, next)) = path.last_mut() else {
                break;
            };
            let (here, number) = (*vertex as usize, *number);
            meter.add(1)?;
            if let Some(hop) = hop(*vertex, *next) {
                *next += 1;
                match hop {
                    Some(to) if low[to as usize] == NEVER => enter = Some(to),
                    Some(to) if component[to as usize] == NEVER => {
                        low[here] = low[here].min(low[to as usize]);
                    }
                    _ => {}
                }
                continue;
            }
            path.pop();
            if low[here] == number {
                while let Some(member) = open.pop() {
                    component[member as usize] = closed;
                    if member as usize == here {
                        break;
                    }
                }
                closed += 1;
            } else if let Some((parent, ..)) = path.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[here]);
            }
        }
    }
    Ok(component)
}
