//! Which edges lead back.

/// For each edge whether it closes a cycle in a search from the roots, depth first, which takes
/// roots and edges in order. Without those edges there is no cycle. An edge from a node to
/// itself counts as leading back.
pub(super) fn back_edges(nodes: usize, edges: &[(u32, u32)], roots: &[u32]) -> Vec<bool> {
    let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    for (index, &(from, _)) in edges.iter().enumerate() {
        outgoing[from as usize].push(index as u32);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut seen = vec![Seen::Not; nodes];
    let mut back = vec![false; edges.len()];
    // The open nodes, each with how many of its edges have been looked at.
    let mut open: Vec<(u32, usize)> = Vec::new();
    for &root in roots {
        if seen[root as usize] != Seen::Not {
            continue;
        }
        seen[root as usize] = Seen::Open;
        open.push((root, 0));
        while let Some((node, next)) = open.last_mut() {
            let Some(&edge) = outgoing[*node as usize].get(*next) else {
                seen[*node as usize] = Seen::Done;
                open.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge as usize].1;
            match seen[to as usize] {
                Seen::Not => {
                    seen[to as usize] = Seen::Open;
                    open.push((to, 0));
                }
                Seen::Open => back[edge as usize] = true,
                Seen::Done => {}
            }
        }
    }
    back
}
