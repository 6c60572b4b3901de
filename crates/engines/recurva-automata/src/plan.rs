//! In which order cells are evaluated.
//!
//! The components of the dependencies between cells are solved one after the other. In a
//! component the cells with the largest priorities of one parity are iterated, from below if
//! they are odd and from above if they are even. Without them the component falls apart, and
//! its parts are solved anew in each turn.

use recurva_logic::automaton::components;

use crate::{
    arena::{Arena, Player},
    cells::Cells,
};

/// One thing to do.
#[derive(Debug)]
pub(crate) enum Instruction {
    /// Evaluate a cell that does not depend on itself.
    Once(u32),
    /// Solve cells of one parity that depend on each other.
    Block(Vec<u32>, Player),
    /// Begin to iterate these cells; the instructions up to the matching `Repeat` come in
    /// between.
    Begin(Vec<u32>, Player),
    /// Evaluate the cells of the matching `Begin`, and go back behind it if they changed.
    Repeat(usize),
}

enum Task {
    Region(Vec<u32>),
    Component(Vec<u32>),
    End(usize),
}

/// The instructions that give every cell its value.
pub(crate) fn plan<A: Arena>(cells: &Cells<A>) -> Vec<Instruction> {
    let mut plan = Vec::new();
    // The place of a cell in the region at work.
    let mut place = vec![u32::MAX; cells.len()];
    let mut tasks = vec![Task::Region((0..cells.len() as u32).collect())];
    while let Some(task) = tasks.pop() {
        match task {
            Task::End(begin) => plan.push(Instruction::Repeat(begin)),
            Task::Region(region) => {
                let parts = split(cells, &region, &mut place);
                tasks.extend(parts.into_iter().rev().map(Task::Component));
            }
            Task::Component(component) => {
                if let &[one] = &component[..]
                    && !cells.parts(one).any(|part| part == one)
                {
                    plan.push(Instruction::Once(one));
                    continue;
                }
                let priority = |&cell: &u32| cells.list[cell as usize].priority;
                let most = component.iter().map(priority).max().unwrap_or(0);
                let player = Player::of(most);
                let others = component.iter().map(priority);
                let limit = others.filter(|&p| Player::of(p) != player).max();
                let (top, rest): (Vec<u32>, Vec<u32>) = component
                    .into_iter()
                    .partition(|cell| limit.is_none_or(|limit| priority(cell) > limit));
                if rest.is_empty() {
                    plan.push(Instruction::Block(top, player));
                } else {
                    tasks.push(Task::End(plan.len()));
                    plan.push(Instruction::Begin(top, player));
                    tasks.push(Task::Region(rest));
                }
            }
        }
    }
    plan
}

/// The components of a region, those first that others depend on.
fn split<A: Arena>(cells: &Cells<A>, region: &[u32], place: &mut [u32]) -> Vec<Vec<u32>> {
    for (at, &cell) in region.iter().enumerate() {
        place[cell as usize] = at as u32;
    }
    let found = {
        let place = &*place;
        let successors = |at: u32| {
            let parts = cells.parts(region[at as usize]);
            let inside = parts.map(|part| place[part as usize]);
            inside.filter(|&part| part != u32::MAX)
        };
        components(region.len(), 0..region.len() as u32, successors)
    };
    let count = found.iter().max().map_or(0, |&last| last as usize + 1);
    let mut list = vec![Vec::new(); count];
    for (at, &cell) in region.iter().enumerate() {
        list[found[at] as usize].push(cell);
        place[cell as usize] = u32::MAX;
    }
    list
}
