//! In which order equations are solved.
//!
//! Cells that depend on each other form components, which are solved one after the other: what a
//! component depends on has its final value before. A component with fixpoints of one kind only
//! is solved by iteration from below or above. In one with both kinds the outermost fixpoints
//! are iterated, and what is left of the component without them falls into components again,
//! which are solved anew in each turn.

use std::ops::Range;

use recurva_logic::ntmu::Fixpoint;

use crate::cells::{Cell, Cells, fixpoint};

/// One thing to do.
#[derive(Debug)]
pub(crate) enum Step {
    /// A cell that does not depend on itself.
    Once(Cell),
    /// Cells that depend on each other, with fixpoints of one kind.
    Block {
        cells: Vec<Cell>,
        fixpoint: Fixpoint,
    },
    /// The outermost fixpoints of a component, and the steps of each turn.
    Nest {
        heads: Vec<Cell>,
        fixpoint: Fixpoint,
        turn: Vec<usize>,
    },
}

/// The steps, and those to begin with.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) first: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(cells: &Cells<'_>) -> Self {
        let mut plan = Plan {
            steps: Vec::new(),
            first: Vec::new(),
        };
        let mut search = Search::new(cells);
        let all = (0..cells.len() as u32).map(Cell).collect();
        // Sets of cells, each with the step that they are a turn of.
        let mut waiting: Vec<(Vec<Cell>, Option<usize>)> = vec![(all, None)];
        while let Some((set, parent)) = waiting.pop() {
            let mut list = Vec::new();
            for component in search.components(&set) {
                list.push(plan.steps.len());
                plan.steps.push(step(cells, component, |rest| {
                    waiting.push((rest, Some(plan.steps.len())));
                }));
            }
            match parent.map(|parent| &mut plan.steps[parent]) {
                Some(Step::Nest { turn, .. }) => *turn = list,
                _ => plan.first = list,
            }
        }
        plan
    }
}

/// The step for a component; `later` is told what is left of it to be taken apart.
fn step(cells: &Cells<'_>, component: Component, later: impl FnOnce(Vec<Cell>)) -> Step {
    let Component { cells: list, loops } = component;
    if let (&[cell], false) = (&list[..], loops) {
        return Step::Once(cell);
    }
    let levels = || list.iter().filter_map(|&cell| cells.level(cell));
    // Every cycle goes through a variable, so that there is a fixpoint.
    let outermost = levels().min().unwrap_or(0);
    if levels().all(|level| fixpoint(level) == fixpoint(outermost)) {
        return Step::Block {
            cells: list,
            fixpoint: fixpoint(outermost),
        };
    }
    let is_head = |&cell: &Cell| cells.level(cell) == Some(outermost);
    let (heads, rest) = list.into_iter().partition(is_head);
    later(rest);
    Step::Nest {
        heads,
        fixpoint: fixpoint(outermost),
        turn: Vec::new(),
    }
}

struct Component {
    cells: Vec<Cell>,
    /// Whether a cell on its own depends on itself.
    loops: bool,
}

/// Tarjan's search for strongly connected components, in parts of the graph of cells.
struct Search<'c> {
    cells: &'c Cells<'c>,
    /// The set that a cell was last in.
    set: Vec<u32>,
    sets: u32,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

const UNSEEN: u32 = u32::MAX;

impl<'c> Search<'c> {
    fn new(cells: &'c Cells<'c>) -> Self {
        let count = cells.len();
        Search {
            cells,
            set: vec![0; count],
            sets: 0,
            index: vec![UNSEEN; count],
            low: vec![0; count],
            on_stack: vec![false; count],
        }
    }

    /// The components of a set of cells, each behind those that it depends on.
    fn components(&mut self, set: &[Cell]) -> Vec<Component> {
        self.sets += 1;
        for cell in set {
            self.set[cell.index()] = self.sets;
            self.index[cell.index()] = UNSEEN;
        }
        let mut found = Vec::new();
        let mut next = 0;
        let mut stack = Vec::new();
        let mut path: Vec<(Cell, Range<usize>)> = Vec::new();
        for &root in set {
            if self.index[root.index()] != UNSEEN {
                continue;
            }
            self.enter(root, &mut next, &mut stack, &mut path);
            while let Some((cell, parts)) = path.last_mut() {
                let cell = *cell;
                if let Some(at) = parts.next() {
                    let part = self.cells.parts(cell)[at];
                    if self.set[part.index()] != self.sets {
                        continue;
                    }
                    if self.index[part.index()] == UNSEEN {
                        self.enter(part, &mut next, &mut stack, &mut path);
                    } else if self.on_stack[part.index()] {
                        let index = self.index[part.index()];
                        let low = &mut self.low[cell.index()];
                        *low = (*low).min(index);
                    }
                    continue;
                }
                path.pop();
                let low = self.low[cell.index()];
                if let Some((parent, _)) = path.last() {
                    let parent = &mut self.low[parent.index()];
                    *parent = (*parent).min(low);
                }
                if low == self.index[cell.index()] {
                    found.push(self.take(cell, &mut stack));
                }
            }
        }
        found
    }

    fn enter(
        &mut self,
        cell: Cell,
        next: &mut u32,
        stack: &mut Vec<Cell>,
        path: &mut Vec<(Cell, Range<usize>)>,
    ) {
        self.index[cell.index()] = *next;
        self.low[cell.index()] = *next;
        *next += 1;
        self.on_stack[cell.index()] = true;
        stack.push(cell);
        path.push((cell, 0..self.cells.parts(cell).len()));
    }

    fn take(&mut self, root: Cell, stack: &mut Vec<Cell>) -> Component {
        let start = stack.iter().rposition(|&cell| cell == root).unwrap_or(0);
        // What was entered last is furthest down and comes first.
        let cells: Vec<Cell> = stack.drain(start..).rev().collect();
        for cell in &cells {
            self.on_stack[cell.index()] = false;
        }
        let loops = cells.len() > 1 || self.cells.parts(root).contains(&root);
        Component { cells, loops }
    }
}
