//! What a proof is, by enumeration: over all values of all variables, along all paths. Shares nothing with
//! the checker but what a formula and a step mean.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use recurva_certificate::{Formula, Proof};
use recurva_model::{Action, Point, ProcId, Program};

use crate::states::{Data, Moved, State, World};

/// Remembers which states formulas hold in, as proofs that differ little share most of them.
pub(crate) struct Oracle<'p> {
    pub(crate) world: World<'p>,
    tables: HashMap<(ProcId, Formula), Rc<BTreeSet<State>>>,
}

/// What is said of a node.
enum Said<'a> {
    Formula(&'a Formula),
    Never,
    Nothing,
    TooLittle,
}

/// Why it is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// It is no proof.
    Proof,
    /// A number is too large for the definition of what a formula means.
    TooLarge,
}

impl<'p> Oracle<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Oracle {
            world: World::new(program),
            tables: HashMap::new(),
        }
    }

    /// Whether it shows that no target is reached.
    pub(crate) fn accepts(&mut self, targets: &[Point], proof: &Proof) -> Result<bool, No> {
        match self.examine(targets, proof) {
            Ok(()) => Ok(true),
            Err(No::Proof) => Ok(false),
            Err(No::TooLarge) => Err(No::TooLarge),
        }
    }

    fn said<'a>(&self, targets: &[Point], proof: &'a Proof, at: Point) -> Said<'a> {
        let program = self.world.program;
        let procedure = program.procedure(at.procedure);
        let is_called = |callee: ProcId| {
            let mut edges = program.procedures().iter().flat_map(|it| &it.edges);
            edges.any(|it| matches!(it.action, Action::Call { callee: it, .. } if it == callee))
        };
        let into = procedure.edges.iter().filter(|it| it.to == at.node).count();
        match proof.formulas.get(&at) {
            Some(formula) => Said::Formula(formula),
            None if targets.contains(&at) => Said::Never,
            None if at == self.world.entry(program.main()) => Said::TooLittle,
            None if at.node == procedure.entry => Said::Never,
            None if at.node == procedure.exit && is_called(at.procedure) => Said::Never,
            None if at.node == procedure.exit => Said::Nothing,
            None if into >= 2 => Said::TooLittle,
            None => Said::Nothing,
        }
    }

    /// The states in which a formula holds.
    fn table(&mut self, at: Point, formula: &Formula) -> Result<Rc<BTreeSet<State>>, No> {
        let procedure = at.procedure;
        let key = (procedure, formula.clone());
        if let Some(known) = self.tables.get(&key) {
            return Ok(known.clone());
        }
        let mut states = BTreeSet::new();
        for entry in self.world.all_entry(procedure) {
            for now in self.world.all_now(procedure) {
                let entry = entry.clone();
                let state = State { entry, now };
                let readable = self.world.reading(procedure, &state);
                if formula.holds(&readable).ok_or(No::TooLarge)? {
                    states.insert(state);
                }
            }
        }
        let table = Rc::new(states);
        self.tables.insert(key, table.clone());
        Ok(table)
    }

    fn check(&mut self, said: &Said<'_>, at: Point, states: &BTreeSet<State>) -> Result<(), No> {
        let is_fine = match said {
            Said::Formula(formula) => {
                let table = self.table(at, formula)?;
                states.is_subset(&table)
            }
            Said::Never => states.is_empty(),
            Said::Nothing => true,
            Said::TooLittle => false,
        };
        if is_fine { Ok(()) } else { Err(No::Proof) }
    }

    fn examine(&mut self, targets: &[Point], proof: &Proof) -> Result<(), No> {
        let main = self.world.program.main();
        let start = self.world.entry(main);
        let all = self.world.all_now(main).into_iter();
        let all: BTreeSet<State> = all.map(|it| self.world.entered(main, it)).collect();
        self.check(&self.said(targets, proof, start), start, &all)?;
        for &target in targets {
            if let Some(formula) = proof.formulas.get(&target) {
                let table = self.table(target, formula)?;
                let reached = |it: &State| {
                    target != self.world.entry(target.procedure)
                        || *it == self.world.entered(target.procedure, it.now.clone())
                };
                if table.iter().any(reached) {
                    return Err(No::Proof);
                }
            }
        }
        for (&point, formula) in &proof.formulas {
            let mut states: BTreeSet<State> = (*self.table(point, formula)?).clone();
            if point == self.world.entry(point.procedure) {
                states.retain(|it| *it == self.world.entered(point.procedure, it.now.clone()));
            }
            self.follow(targets, proof, point, &states)?;
        }
        Ok(())
    }

    /// All paths from a node on which control may be in some states.
    fn follow(
        &mut self,
        targets: &[Point],
        proof: &Proof,
        from: Point,
        states: &BTreeSet<State>,
    ) -> Result<(), No> {
        let mut open = vec![(from, states.clone())];
        while let Some((at, states)) = open.pop() {
            let edges: Vec<_> = self
                .world
                .program
                .edges_from(at)
                .map(|(id, edge)| {
                    (
                        id,
                        Point {
                            node: edge.to,
                            ..at
                        },
                    )
                })
                .collect();
            for (edge, to) in edges {
                let mut next: BTreeSet<State> = BTreeSet::new();
                let mut entered: BTreeSet<State> = BTreeSet::new();
                let callee = self.world.calls(at.procedure, edge);
                let ends = callee.map(|it| self.world.exit(it));
                let ends = ends.map(|it| (it, self.said(targets, proof, it)));
                let mut by_entry: HashMap<Data, Vec<Data>> = HashMap::new();
                if let Some((exit, Said::Formula(formula))) = ends {
                    for State { entry, now } in self.table(exit, formula)?.iter().cloned() {
                        by_entry.entry(entry).or_default().push(now);
                    }
                }
                for state in &states {
                    for moved in self.world.moves(at, edge, &state.now) {
                        let data: Vec<Data> = match moved {
                            Moved::Step(data) => vec![data],
                            Moved::Call(callee, data) => {
                                let inner = self.world.entered(callee, data);
                                let ends = by_entry.get(&inner.entry).into_iter().flatten();
                                let after = ends
                                    .map(|it| self.world.returned(at, edge, &state.now, it))
                                    .collect();
                                entered.insert(inner);
                                after
                            }
                        };
                        for now in data {
                            let entry = state.entry.clone();
                            next.insert(State { entry, now });
                        }
                    }
                }
                if let Some(callee) = callee {
                    let entry = self.world.entry(callee);
                    let said = self.said(targets, proof, entry);
                    self.check(&said, entry, &entered)?;
                    let exit = self.said(targets, proof, self.world.exit(callee));
                    // Nothing is there to come back from.
                    if matches!(said, Said::Never) || matches!(exit, Said::Never) {
                        continue;
                    }
                }
                let said = self.said(targets, proof, to);
                self.check(&said, to, &next)?;
                if let Said::Nothing = said {
                    open.push((to, next));
                }
            }
        }
        Ok(())
    }
}
