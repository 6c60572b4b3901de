//! The values of cells: which exits the player must be able to win from.

use std::collections::VecDeque;

use crate::{
    Limits, Meter, SolveError,
    arena::{Arena, Player},
    cells::{Cells, Step},
    functions::{Function, TooMany},
    plan::{Instruction, plan},
};

/// For each cell the sets of exits such that the player wins from it if winning at all these
/// exits. `seen` is told every value on the way.
pub(crate) fn saturate<A: Arena>(
    cells: &Cells<A>,
    limits: &Limits,
    meter: &mut Meter<'_>,
    seen: impl FnMut(u32, &Function),
) -> Result<Vec<Function>, SolveError> {
    let mut users = vec![Vec::new(); cells.len()];
    for cell in 0..cells.len() as u32 {
        for part in cells.parts(cell) {
            users[part as usize].push(cell);
        }
    }
    let mut work = Work {
        cells,
        users,
        values: vec![Function::constant(false); cells.len()],
        queued: vec![false; cells.len()],
        block_of: vec![0; cells.len()],
        blocks: 0,
        limit: limits.max_sets,
        meter,
        seen,
    };
    work.run(&plan(cells))?;
    Ok(work.values)
}

struct Work<'w, 'm, A: Arena, S> {
    cells: &'w Cells<A>,
    users: Vec<Vec<u32>>,
    values: Vec<Function>,
    /// The cells of the block at work that are to be evaluated again.
    queued: Vec<bool>,
    /// The last block that a cell was part of, by the number of blocks before it.
    block_of: Vec<u64>,
    blocks: u64,
    limit: usize,
    meter: &'w mut Meter<'m>,
    seen: S,
}

impl<A: Arena, S: FnMut(u32, &Function)> Work<'_, '_, A, S> {
    fn run(&mut self, plan: &[Instruction]) -> Result<(), SolveError> {
        let mut at = 0;
        while let Some(instruction) = plan.get(at) {
            at += 1;
            match instruction {
                Instruction::Once(cell) => {
                    self.update(*cell)?;
                }
                Instruction::Block(block, player) => self.block(block, *player)?,
                Instruction::Begin(top, player) => self.reset(top, *player),
                Instruction::Repeat(begin) => {
                    if let Some(Instruction::Begin(top, _)) = plan.get(*begin) {
                        let mut changed = false;
                        for &cell in top {
                            changed |= self.update(cell)?;
                        }
                        if changed {
                            at = begin + 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn reset(&mut self, cells: &[u32], player: Player) {
        for &cell in cells {
            self.values[cell as usize] = Function::constant(player == Player::Even);
        }
    }

    fn block(&mut self, block: &[u32], player: Player) -> Result<(), SolveError> {
        self.reset(block, player);
        let mut queue: VecDeque<u32> = block.iter().rev().copied().collect();
        self.blocks += 1;
        for &cell in block {
            self.queued[cell as usize] = true;
            self.block_of[cell as usize] = self.blocks;
        }
        while let Some(cell) = queue.pop_front() {
            self.queued[cell as usize] = false;
            if self.update(cell)? {
                for &user in &self.users[cell as usize] {
                    let user = user as usize;
                    if self.block_of[user] == self.blocks && !self.queued[user] {
                        self.queued[user] = true;
                        queue.push_back(user as u32);
                    }
                }
            }
        }
        Ok(())
    }

    /// Evaluates a cell; whether its value is another than before.
    fn update(&mut self, cell: u32) -> Result<bool, SolveError> {
        self.meter.evaluation()?;
        let value = self.evaluate(cell);
        let value = value.map_err(|TooMany| SolveError::TooManySets(self.limit))?;
        let changed = value != self.values[cell as usize];
        (self.seen)(cell, &value);
        self.values[cell as usize] = value;
        Ok(changed)
    }

    fn evaluate(&self, number: u32) -> Result<Function, TooMany> {
        let cell = &self.cells.list[number as usize];
        let even = cell.owner == Player::Even;
        let mut value = Function::constant(!even);
        for &step in &cell.steps {
            let made;
            let one = match step {
                Step::Stay(to) => &self.values[to as usize],
                Step::Pop(exit) => {
                    made = Function::variable(exit);
                    &made
                }
                Step::Push { entry, frame } => {
                    let exits = self.cells.exits(frame, cell.top);
                    let exit = |exit: u32| &self.values[exits[exit as usize] as usize];
                    made = self.values[entry as usize].substitute(exit, self.limit)?;
                    &made
                }
            };
            value = match even {
                true => value.or(one, self.limit)?,
                false => value.and(one, self.limit)?,
            };
        }
        Ok(value)
    }
}
