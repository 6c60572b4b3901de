//! In which order nodes are taken from the work list.
//!
//! Procedures come after those that they call, nodes after those that lead to them, as far
//! as recursion and loops allow.

use recurva_model::{Point, Program};

use crate::plan::Plan;

/// The rank of each node: the smaller it is, the earlier the node's turn comes.
pub(crate) fn ranks(program: &Program, plan: &Plan) -> Vec<u64> {
    let count = program.procedures().len();
    let mut called: Vec<Vec<u32>> = vec![Vec::new(); count];
    for site in &plan.sites {
        called[site.from.procedure.index()].push(site.callee.0);
    }
    // A procedure is left after all those it calls, so the order of leaving is right as it is.
    let procedure_ranks = order_of_leaving([program.main().0], count, |id| &called[id as usize]);

    let nodes = plan.points.len();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    let number = |point: Point, node| plan.number(Point { node, ..point });
    for block in &plan.blocks {
        next[plan.number(block.from) as usize].push(number(block.from, block.to));
    }
    for site in &plan.sites {
        next[plan.number(site.from) as usize].push(number(site.from, site.to));
    }
    let mut ranks = vec![0; nodes];
    for (index, procedure) in program.procedures().iter().enumerate() {
        let entry = plan.number(Point {
            procedure: recurva_model::ProcId(index as u32),
            node: procedure.entry,
        });
        let first = entry - procedure.entry.0;
        let size = procedure.nodes.len();
        let local: Vec<Vec<u32>> = next[first as usize..first as usize + size]
            .iter()
            .map(|targets| targets.iter().map(|to| to - first).collect())
            .collect();
        let left = order_of_leaving([procedure.entry.0], size, |node| &local[node as usize]);
        for (node, left) in left.into_iter().enumerate() {
            let backwards = size as u32 - left.min(size as u32);
            let rank = u64::from(procedure_ranks[index]) << 32 | u64::from(backwards);
            ranks[first as usize + node] = rank;
        }
    }
    ranks
}

/// Walks a graph depth first, from some nodes one after the other; for each node, how many
/// others were left before it. Nodes that are not reached get the largest number.
pub(crate) fn order_of_leaving<'a>(
    starts: impl IntoIterator<Item = u32>,
    count: usize,
    next: impl Fn(u32) -> &'a [u32],
) -> Vec<u32> {
    let mut order = vec![count as u32; count];
    let mut seen = vec![false; count];
    let mut stack = Vec::new();
    let mut left = 0;
    for start in starts {
        if !std::mem::replace(&mut seen[start as usize], true) {
            stack.push((start, 0));
        }
        while let Some((node, position)) = stack.last_mut() {
            let node = *node;
            if let Some(&to) = next(node).get(*position) {
                *position += 1;
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    stack.push((to, 0));
                }
            } else {
                order[node as usize] = left;
                left += 1;
                stack.pop();
            }
        }
    }
    order
}
