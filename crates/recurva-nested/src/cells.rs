//! The equations to solve: one cell for each subformula at each pair where it matters.

use std::ops::Range;

use recurva_logic::ntmu::{Fixpoint, Formula, FormulaId, Modality, Operator};

use crate::{
    bdd::{Bdd, Full, Function},
    contexts::{Contexts, PairId},
    propositions::Propositions,
};

/// A subformula at a pair, by number. Cell 0 is the formula at the initial pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell(pub(crate) u32);

impl Cell {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the value of a cell follows from those of others.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// It does not depend on any.
    Known(Function),
    /// All of them.
    All,
    /// One of them.
    Some,
    /// The first `callees` of them with their variables replaced: the others are the values of
    /// the return conditions, exit by exit, for the exits that are taken.
    Call {
        modality: Modality,
        pair: PairId,
        callees: u32,
    },
}

/// All cells that the formula at the initial pair depends on.
#[derive(Debug)]
pub(crate) struct Cells<'c> {
    contexts: &'c Contexts,
    rules: Vec<Rule>,
    /// What each cell depends on.
    parts: Vec<Cell>,
    ranges: Vec<Range<u32>>,
    /// For cells of fixpoints which one, and how deep in alternations: of two that depend on
    /// each other the one with the smaller level is the outer one. Even levels are least
    /// fixpoints.
    levels: Vec<Option<u32>>,
    /// The largest number of return conditions, and at least 1.
    arity: u32,
    /// The positions of formulas among the subformulas, and the cell of each subformula at each
    /// pair, if there is one.
    position: Vec<u32>,
    numbers: Vec<u32>,
}

/// The fixpoint of a level.
pub(crate) const fn fixpoint(level: u32) -> Fixpoint {
    match level % 2 {
        0 => Fixpoint::Least,
        _ => Fixpoint::Greatest,
    }
}

/// What is needed while cells are found.
struct Finder<'c> {
    formula: &'c Formula,
    contexts: &'c Contexts,
    /// The positions of formulas among the subformulas.
    position: Vec<u32>,
    /// The cell of each subformula at each pair, if it has been found.
    numbers: Vec<u32>,
    found: Vec<(FormulaId, PairId)>,
}

const MISSING: u32 = u32::MAX;

impl Finder<'_> {
    fn cell(&mut self, id: FormulaId, pair: PairId) -> Cell {
        let row = self.position[id.index()] as usize * self.contexts.pairs.len();
        let number = &mut self.numbers[row + pair.index()];
        if *number == MISSING {
            *number = self.found.len() as u32;
            self.found.push((id, pair));
        }
        Cell(*number)
    }
}

impl<'c> Cells<'c> {
    pub(crate) fn new(
        formula: &Formula,
        contexts: &'c Contexts,
        propositions: &Propositions,
        bdd: &mut Bdd,
    ) -> Result<Self, Full> {
        let formulas = formula.formulas();
        let subformulas = formulas.subformulas(formula.root());
        let mut position = vec![0; formulas.len()];
        for (index, id) in subformulas.iter().enumerate() {
            position[id.index()] = index as u32;
        }
        let mut finder = Finder {
            formula,
            contexts,
            position,
            numbers: vec![MISSING; subformulas.len() * contexts.pairs.len()],
            found: Vec::new(),
        };
        let fixpoint_levels = levels(formula, &subformulas);
        let mut cells = Cells {
            contexts,
            rules: Vec::new(),
            parts: Vec::new(),
            ranges: Vec::new(),
            levels: Vec::new(),
            arity: formulas.arity(formula.root()).max(1) as u32,
            position: Vec::new(),
            numbers: Vec::new(),
        };
        finder.cell(formula.root(), PairId(0));
        let mut next = 0;
        while let Some(&(id, pair)) = finder.found.get(next) {
            next += 1;
            let start = cells.parts.len() as u32;
            let rule = cells.rule(&mut finder, propositions, bdd, id, pair)?;
            cells.rules.push(rule);
            cells.ranges.push(start..cells.parts.len() as u32);
            let level = match formulas.operator(id) {
                Operator::Fixpoint(..) => Some(fixpoint_levels[id.index()]),
                _ => None,
            };
            cells.levels.push(level);
        }
        cells.position = finder.position;
        cells.numbers = finder.numbers;
        Ok(cells)
    }

    /// The rule for a cell; its parts are put on the list.
    fn rule(
        &mut self,
        finder: &mut Finder<'_>,
        propositions: &Propositions,
        bdd: &mut Bdd,
        id: FormulaId,
        pair: PairId,
    ) -> Result<Rule, Full> {
        let formulas = finder.formula.formulas();
        let contexts = self.contexts;
        let state = contexts.pairs[pair.index()].0;
        let parts = formulas.parts(id);
        let of = |modality| match modality {
            Modality::Some => Rule::Some,
            Modality::All => Rule::All,
        };
        Ok(match formulas.operator(id) {
            Operator::True => Rule::Known(Function::TRUE),
            Operator::False => Rule::Known(Function::FALSE),
            Operator::Proposition(p) => {
                Rule::Known(Function::constant(propositions.holds(p, state)))
            }
            Operator::NotProposition(p) => {
                Rule::Known(Function::constant(!propositions.holds(p, state)))
            }
            Operator::Return(modality, marker) => {
                let mut value = Function::constant(modality == Modality::All);
                for &exit in contexts.returns[pair.index()].iter().rev() {
                    let here = bdd.variable(self.variable(exit, marker))?;
                    value = match modality {
                        Modality::Some => bdd.or(here, value)?,
                        Modality::All => bdd.and(here, value)?,
                    };
                }
                Rule::Known(value)
            }
            operator @ (Operator::MayReturn | Operator::NoReturn) => {
                let may = !contexts.returns[pair.index()].is_empty();
                Rule::Known(Function::constant(may == (operator == Operator::MayReturn)))
            }
            Operator::Variable(variable) => {
                // In a closed formula every variable is bound.
                let binder = formulas.binder(variable).unwrap_or(id);
                self.parts.push(finder.cell(binder, pair));
                Rule::All
            }
            operator @ (Operator::And | Operator::Or | Operator::Fixpoint(..)) => {
                self.parts
                    .extend(parts.iter().map(|&part| finder.cell(part, pair)));
                match operator {
                    Operator::Or => Rule::Some,
                    _ => Rule::All,
                }
            }
            Operator::Local(modality) => {
                let targets = contexts.locals[pair.index()].iter();
                let targets = targets.map(|&to| finder.cell(parts[0], to));
                self.parts.extend(targets);
                of(modality)
            }
            Operator::Call(modality) => {
                let call = &contexts.calls[pair.index()];
                let callees = call.callees.iter();
                self.parts
                    .extend(callees.map(|&to| finder.cell(parts[0], to)));
                for to in call.exits.iter().flatten() {
                    let conditions = parts[1..].iter();
                    self.parts
                        .extend(conditions.map(|&condition| finder.cell(condition, *to)));
                }
                Rule::Call {
                    modality,
                    pair,
                    callees: call.callees.len() as u32,
                }
            }
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The cell of a subformula at a pair, if the formula depends on it.
    pub(crate) fn find(&self, id: FormulaId, pair: PairId) -> Option<Cell> {
        let row = self.position[id.index()] as usize * self.contexts.pairs.len();
        let number = self.numbers[row + pair.index()];
        (number != MISSING).then_some(Cell(number))
    }

    /// The variable that says that an exit has a colour, from 1.
    pub(crate) fn variable(&self, exit: u32, colour: u32) -> u32 {
        exit * self.arity + colour - 1
    }

    /// The exit and the colour, from 1, that a variable is about.
    pub(crate) fn meaning(&self, variable: u32) -> (u32, u32) {
        (variable / self.arity, variable % self.arity + 1)
    }

    pub(crate) fn contexts(&self) -> &'c Contexts {
        self.contexts
    }

    /// What a cell depends on.
    pub(crate) fn parts(&self, cell: Cell) -> &[Cell] {
        let range = self.ranges[cell.index()].clone();
        &self.parts[range.start as usize..range.end as usize]
    }

    /// The level of a fixpoint's cell; none for others.
    pub(crate) fn level(&self, cell: Cell) -> Option<u32> {
        self.levels[cell.index()]
    }

    /// The value of a cell, from those of others.
    pub(crate) fn evaluate(
        &self,
        cell: Cell,
        values: &[Function],
        bdd: &mut Bdd,
    ) -> Result<Function, Full> {
        let parts = self.parts(cell);
        match self.rules[cell.index()] {
            Rule::Known(value) => Ok(value),
            Rule::All => join(parts, values, Modality::All, bdd),
            Rule::Some => join(parts, values, Modality::Some, bdd),
            Rule::Call {
                modality,
                pair,
                callees,
            } => {
                let callees = callees as usize;
                let inside = join(&parts[..callees], values, modality, bdd)?;
                let exits = &self.contexts.calls[pair.index()].exits;
                let taken = exits.iter().flatten().count();
                let conditions = &parts[callees..];
                let count = conditions.len().checked_div(taken).unwrap_or(0);
                bdd.substitute(inside, |variable| {
                    let (exit, colour) = self.meaning(variable);
                    let (exit, colour) = (exit as usize, colour as usize - 1);
                    if colour >= count || exits[exit].is_none() {
                        return Function::FALSE;
                    }
                    let rank = exits[..exit].iter().flatten().count();
                    values[conditions[rank * count + colour].index()]
                })
            }
        }
    }
}

/// All or some of the values of cells. Replacing variables commutes with both.
fn join(
    cells: &[Cell],
    values: &[Function],
    modality: Modality,
    bdd: &mut Bdd,
) -> Result<Function, Full> {
    let mut value = Function::constant(modality == Modality::All);
    for cell in cells {
        let part = values[cell.index()];
        value = match modality {
            Modality::Some => bdd.or(value, part)?,
            Modality::All => bdd.and(value, part)?,
        };
    }
    Ok(value)
}

/// The levels of the fixpoints among the subformulas: one inside another that depends on it is
/// not further out, and further in if it is of the other kind.
fn levels(formula: &Formula, subformulas: &[FormulaId]) -> Vec<u32> {
    let formulas = formula.formulas();
    let mut free: Vec<Vec<FormulaId>> = vec![Vec::new(); formulas.len()];
    for &id in subformulas {
        let mut list: Vec<FormulaId> = match formulas.operator(id) {
            Operator::Variable(variable) => formulas.binder(variable).into_iter().collect(),
            _ => {
                let parts = formulas.parts(id).iter();
                parts
                    .flat_map(|part| free[part.index()].iter().copied())
                    .collect()
            }
        };
        list.sort_unstable();
        list.dedup();
        list.retain(|&binder| binder != id);
        free[id.index()] = list;
    }
    let mut levels = vec![0; formulas.len()];
    // The fixpoints around a formula have larger ids.
    for &id in subformulas.iter().rev() {
        if let Operator::Fixpoint(kind, _) = formulas.operator(id) {
            let outer = free[id.index()].iter().map(|binder| levels[binder.index()]);
            let outer = outer.max().unwrap_or(0);
            levels[id.index()] = outer + u32::from(fixpoint(outer) != kind);
        }
    }
    levels
}
