//! Which values matter at which node: what the predicate of a node is about.

use recurva_certificate::formula::When;
use recurva_model::{
    Action, Patience, Place, Point, ProcId, Program, Stop, VarRef,
    liveness::{Liveness, VarSet},
};

use crate::reduced::{Reduced, holds};

/// A value that a predicate is about. Of a variable that its procedure never changes, the value of now is
/// that of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) variable: VarRef,
    pub(crate) when: When,
}

/// What is known of a procedure as a whole.
#[derive(Clone, Debug, Default)]
struct Effects {
    /// Globals that it or what it calls may change.
    changes: Vec<bool>,
    /// Globals that it or what it calls looks at or changes.
    uses: Vec<bool>,
    /// Parameters that it changes.
    changed_parameters: Vec<bool>,
}

/// Which values matter where.
#[derive(Debug)]
pub(crate) struct Scopes {
    liveness: Liveness,
    effects: Vec<Effects>,
}

impl Scopes {
    pub(crate) fn new(reduced: &Reduced, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        Ok(Scopes {
            liveness: Liveness::new(&reduced.program, [], patience)?,
            effects: effects(&reduced.program),
        })
    }

    pub(crate) fn live(&self, point: Point) -> VarSet<'_> {
        self.liveness.at(point)
    }

    /// Whether a procedure, or what it calls, may change a variable.
    pub(crate) fn changes(&self, procedure: ProcId, variable: VarRef) -> bool {
        let effects = &self.effects[procedure.index()];
        match variable {
            VarRef::Global(index) => effects.changes[index as usize],
            VarRef::Local(index) => {
                let changed = effects.changed_parameters.get(index as usize);
                changed.copied().unwrap_or(true)
            }
        }
    }

    /// Globals that are never looked at while a procedure runs.
    fn is_foreign(&self, procedure: ProcId, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(index) => !self.effects[procedure.index()].uses[index as usize],
            VarRef::Local(_) => false,
        }
    }

    /// The variables whose values at the entry matter for the summary.
    pub(crate) fn at_entry(&self, reduced: &Reduced, procedure: ProcId) -> Vec<VarRef> {
        if !reduced.is_summarised[procedure.index()] {
            return Vec::new();
        }
        let target = reduced.program.procedure(procedure);
        let live = self.live(Point {
            procedure,
            node: target.entry,
        });
        let globals = (0..reduced.program.globals().len() as u32).map(VarRef::Global);
        let parameters = (0..target.parameters as u32).map(VarRef::Local);
        globals
            .chain(parameters)
            .filter(|&it| live.contains(it) && !self.is_foreign(procedure, it))
            .collect()
    }

    /// What the predicate of a node is about.
    pub(crate) fn slots(&self, reduced: &Reduced, point: Point) -> Vec<Slot> {
        let program = &reduced.program;
        let procedure = program.procedure(point.procedure);
        let at_entry = self.at_entry(reduced, point.procedure);
        let is_at_entry = point.node == procedure.entry;
        let live = self.live(point);
        let globals = (0..program.globals().len() as u32).map(VarRef::Global);
        let locals = (0..procedure.locals.len() as u32).map(VarRef::Local);
        let mut slots = Vec::new();
        for variable in globals.chain(locals) {
            let changes = self.changes(point.procedure, variable);
            let is_kept = at_entry.contains(&variable);
            if is_kept && changes && !is_at_entry {
                slots.push(Slot {
                    variable,
                    when: When::Entry,
                });
            }
            let is_live = live.contains(variable) && !self.is_foreign(point.procedure, variable);
            if is_live || is_kept && (!changes || is_at_entry) {
                slots.push(Slot {
                    variable,
                    when: When::Now,
                });
            }
        }
        slots
    }

    /// The variables that a procedure never changes, as far as the rest of the program may want to know it.
    pub(crate) fn unchanged(&self, reduced: &Reduced, procedure: ProcId) -> Vec<VarRef> {
        if !reduced.is_summarised[procedure.index()] {
            return Vec::new();
        }
        let target = reduced.program.procedure(procedure);
        let exit = Point {
            procedure,
            node: target.exit,
        };
        let at_entry = self.at_entry(reduced, procedure);
        let live = self.live(exit);
        let globals = (0..reduced.program.globals().len() as u32).map(VarRef::Global);
        let parameters = (0..target.parameters as u32).map(VarRef::Local);
        globals
            .filter(|&it| live.contains(it) || at_entry.contains(&it))
            .chain(parameters.filter(|it| at_entry.contains(it)))
            .filter(|&it| !self.changes(procedure, it))
            .collect()
    }

    /// Whether anything is wanted at a node.
    pub(crate) fn is_wanted(reduced: &Reduced, point: Point) -> bool {
        holds(&reduced.is_relevant, point) && !holds(&reduced.is_target, point)
    }
}

/// The effects of all procedures, of those that they call too.
fn effects(program: &Program) -> Vec<Effects> {
    let globals = program.globals().len();
    let mut all: Vec<Effects> = Vec::new();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.procedures().len()];
    for (index, procedure) in program.procedures().iter().enumerate() {
        let mut effects = Effects {
            changes: vec![false; globals],
            uses: vec![false; globals],
            changed_parameters: vec![false; procedure.parameters],
        };
        let change = |effects: &mut Effects, variable: VarRef| match variable {
            VarRef::Global(index) => {
                effects.changes[index as usize] = true;
                effects.uses[index as usize] = true;
            }
            VarRef::Local(index) => {
                if let Some(changed) = effects.changed_parameters.get_mut(index as usize) {
                    *changed = true;
                }
            }
        };
        for edge in &procedure.edges {
            for op in edge.expressions().flat_map(recurva_model::Expr::ops) {
                use recurva_model::Op::{Index, IndexNext, Read, ReadNext};
                if let Read(VarRef::Global(index))
                | ReadNext(VarRef::Global(index))
                | Index(VarRef::Global(index))
                | IndexNext(VarRef::Global(index)) = *op
                {
                    effects.uses[index as usize] = true;
                }
            }
            match &edge.action {
                Action::Assign { assigns, .. } => {
                    let places = assigns.iter().map(|it| Place::variable(&it.0));
                    places.for_each(|it| change(&mut effects, it));
                }
                Action::Call {
                    callee, results, ..
                } => {
                    callers[callee.index()].push(index);
                    let places = results.iter().flatten();
                    places.for_each(|&it| change(&mut effects, it));
                }
            }
        }
        all.push(effects);
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(callee) = work.pop() {
        let known = all[callee].clone();
        for &caller in &callers[callee] {
            let mut grew = false;
            let unite = |to: &mut [bool], from: &[bool]| {
                let mut grew = false;
                for (to, &from) in to.iter_mut().zip(from) {
                    grew |= from && !*to;
                    *to |= from;
                }
                grew
            };
            grew |= unite(&mut all[caller].changes, &known.changes);
            grew |= unite(&mut all[caller].uses, &known.uses);
            if grew {
                work.push(caller);
            }
        }
    }
    all
}
