//! Strongly connected components.

use crate::rank::order_of_leaving;

/// The strongly connected components of a graph in which something goes round: those with an
/// edge inside. (Kosaraju's algorithm, without recursion.)
pub(crate) fn cyclic_components(next: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let count = next.len() as u32;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); next.len()];
    for (from, targets) in (0..).zip(next) {
        for &to in targets {
            before[to as usize].push(from);
        }
    }
    let left = order_of_leaving(0..count, next.len(), |node| &next[node as usize]);
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by_key(|&node| std::cmp::Reverse(left[node as usize]));
    let mut seen = vec![false; next.len()];
    let mut components = Vec::new();
    for root in order {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        let mut members = vec![root];
        let mut done = 0;
        while let Some(&node) = members.get(done) {
            done += 1;
            for &from in &before[node as usize] {
                if !std::mem::replace(&mut seen[from as usize], true) {
                    members.push(from);
                }
            }
        }
        if members.len() > 1 || next[root as usize].contains(&root) {
            components.push(members);
        }
    }
    components
}
