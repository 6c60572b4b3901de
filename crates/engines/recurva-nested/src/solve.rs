//! Solves the equations by iteration.

use std::collections::VecDeque;

use recurva_logic::ntmu::Fixpoint;

use crate::{
    CheckError, Meter,
    bdd::{Bdd, Function},
    cells::{Cell, Cells},
    history::History,
    plan::{Plan, Step},
};

/// The values of all cells.
pub(crate) struct Solver<'s, 'm> {
    cells: &'s Cells<'s>,
    bdd: &'s mut Bdd,
    meter: &'s mut Meter<'m>,
    values: Vec<Function>,
    /// The cells that depend on each.
    dependents: Vec<Vec<Cell>>,
    /// Whether a cell is to be looked at again, and whether it is in the current block.
    queued: Vec<bool>,
    in_block: Vec<bool>,
    /// What has happened, if that is to be known afterwards.
    history: Option<History>,
}

/// Where the work is: in a nest or, at the bottom, outside of all.
struct Frame<'p> {
    /// The step that is the nest.
    step: Option<usize>,
    heads: &'p [Cell],
    fixpoint: Option<Fixpoint>,
    turn: &'p [usize],
    next: usize,
    /// Nothing in the nest has a value yet that can be used to begin with.
    fresh: bool,
}

impl<'s, 'm> Solver<'s, 'm> {
    pub(crate) fn new(cells: &'s Cells<'s>, bdd: &'s mut Bdd, meter: &'s mut Meter<'m>) -> Self {
        let mut dependents = vec![Vec::new(); cells.len()];
        for cell in (0..cells.len() as u32).map(Cell) {
            for part in cells.parts(cell) {
                dependents[part.index()].push(cell);
            }
        }
        Solver {
            cells,
            bdd,
            meter,
            values: vec![Function::FALSE; cells.len()],
            dependents,
            queued: vec![false; cells.len()],
            in_block: vec![false; cells.len()],
            history: None,
        }
    }

    /// The value of the formula at the initial pair, and how the values came about.
    pub(crate) fn solve_with_history(
        mut self,
        plan: &Plan,
    ) -> Result<(Function, History), CheckError> {
        self.history = Some(History::new(plan, self.cells.len()));
        let value = self.run(plan)?;
        let none = || History::new(plan, 0);
        Ok((value, self.history.take().unwrap_or_else(none)))
    }

    /// The value of the formula at the initial pair.
    pub(crate) fn solve(mut self, plan: &Plan) -> Result<Function, CheckError> {
        self.run(plan)
    }

    fn run(&mut self, plan: &Plan) -> Result<Function, CheckError> {
        let mut frames = vec![Frame {
            step: None,
            heads: &[],
            fixpoint: None,
            turn: &plan.first,
            next: 0,
            fresh: true,
        }];
        while let Some(frame) = frames.last_mut() {
            let Some(&step) = frame.turn.get(frame.next) else {
                let heads = frame.heads;
                if self.update(heads)? {
                    frame.next = 0;
                    frame.fresh = false;
                } else {
                    if let (Some(history), Some(step)) = (&mut self.history, frame.step) {
                        history.end(step);
                    }
                    frames.pop();
                }
                continue;
            };
            frame.next += 1;
            // While the nest goes up, what else goes up goes on from where it is: it cannot
            // come out smaller than it did.
            let again = |kind: Fixpoint| frame.fresh || frame.fixpoint != Some(kind);
            match &plan.steps[step] {
                &Step::Once(cell) => {
                    let value = self.evaluate(cell)?;
                    self.values[cell.index()] = value;
                    // Even if it is what it was: what it was computed from may have changed.
                    if let Some(history) = &mut self.history {
                        history.write(cell, value);
                    }
                }
                Step::Block { cells, fixpoint } => {
                    if again(*fixpoint) {
                        self.reset(step, cells, *fixpoint);
                    }
                    if let Some(history) = &mut self.history {
                        history.begin(step);
                    }
                    self.block(cells)?;
                    if let Some(history) = &mut self.history {
                        history.end(step);
                    }
                }
                Step::Nest {
                    heads,
                    fixpoint,
                    turn,
                } => {
                    let fresh = again(*fixpoint);
                    if fresh {
                        self.reset(step, heads, *fixpoint);
                    }
                    if let Some(history) = &mut self.history {
                        history.begin(step);
                    }
                    frames.push(Frame {
                        step: Some(step),
                        heads,
                        fixpoint: Some(*fixpoint),
                        turn,
                        next: 0,
                        fresh,
                    });
                }
            }
        }
        Ok(self.values[0])
    }

    fn evaluate(&mut self, cell: Cell) -> Result<Function, CheckError> {
        self.meter.evaluation(self.bdd.len())?;
        let value = self.cells.evaluate(cell, &self.values, self.bdd);
        value.map_err(|_| CheckError::TooLarge {
            functions: self.bdd.len(),
        })
    }

    /// Gives a cell a value; whether that is another than before.
    fn write(&mut self, cell: Cell, value: Function) -> bool {
        let changed = std::mem::replace(&mut self.values[cell.index()], value) != value;
        if let (true, Some(history)) = (changed, &mut self.history) {
            history.write(cell, value);
        }
        changed
    }

    fn reset(&mut self, step: usize, cells: &[Cell], fixpoint: Fixpoint) {
        let value = Function::constant(fixpoint == Fixpoint::Greatest);
        if let Some(history) = &mut self.history {
            history.reset(step, cells, value);
        }
        for cell in cells {
            self.values[cell.index()] = value;
        }
    }

    /// Evaluates cells once more; whether a value has changed.
    fn update(&mut self, cells: &[Cell]) -> Result<bool, CheckError> {
        let mut changed = false;
        for &cell in cells {
            let value = self.evaluate(cell)?;
            changed |= self.write(cell, value);
        }
        Ok(changed)
    }

    /// Evaluates cells until none of them changes.
    fn block(&mut self, cells: &[Cell]) -> Result<(), CheckError> {
        let mut queue: VecDeque<Cell> = cells.iter().copied().collect();
        for cell in cells {
            self.queued[cell.index()] = true;
            self.in_block[cell.index()] = true;
        }
        while let Some(cell) = queue.pop_front() {
            self.queued[cell.index()] = false;
            let value = self.evaluate(cell)?;
            if !self.write(cell, value) {
                continue;
            }
            for &dependent in &self.dependents[cell.index()] {
                let index = dependent.index();
                if self.in_block[index] && !std::mem::replace(&mut self.queued[index], true) {
                    queue.push_back(dependent);
                }
            }
        }
        for cell in cells {
            self.in_block[cell.index()] = false;
        }
        Ok(())
    }
}
