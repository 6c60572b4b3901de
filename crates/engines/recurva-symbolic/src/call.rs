//! Calls: what is handed over, what comes back, and the two ends of a procedure.
//!
//! Callers and callee meet in a space of their own. What a call hands over is a set over the
//! present values of globals, the observer's state and the arguments. A summary relates
//! these to the next values of globals, the observer's state and the results.

use std::collections::HashSet;

use recurva_model::{Action, Point, ProcId, VarRef};

use crate::{
    effect::Context,
    eval::{Values, Written},
    layout::{BitNo, Copy},
    marking::Marking,
    plan::Site,
    space::{Bdd, Res, VarNo},
    steps::{Steps, equate, rename},
};

/// A call, ready to be taken.
pub(crate) struct Call {
    /// Where the call is possible, and what its arguments are.
    pub(crate) relation: Bdd,
    /// The variables that the callee does not get to see, marks apart.
    hidden: Bdd,
    /// The same with marks, which begin anew with a procedure.
    hidden_marks: Bdd,
    /// The variables of the caller and of the callee's entry that are over when it returns.
    over: Bdd,
    /// The next values become the present ones, results go to their places.
    back: Steps,
    /// The same if the caller tells which marks it has seen.
    back_marked: Steps,
}

/// The two ends of a procedure.
pub(crate) struct Ends {
    /// From what is handed over to path edges at the entry, marks apart.
    pub(crate) enter: Steps,
    /// What is remembered of the entry, to forget it.
    pub(crate) remembered: Bdd,
    /// From path edges at the exit to a summary.
    pub(crate) leave: Steps,
}

impl Context<'_> {
    fn vars(&self, id: ProcId, variable: VarRef, copy: Copy) -> impl Iterator<Item = VarNo> {
        self.layout
            .bits(id, variable)
            .map(move |bit| self.layout.var(bit, copy))
    }

    fn observer(&self, copy: Copy) -> impl Iterator<Item = VarNo> {
        self.layout
            .observer()
            .map(move |bit| self.layout.var(bit, copy))
    }

    fn pairs(
        &self,
        id: ProcId,
        variable: VarRef,
        from: Copy,
        to: Copy,
    ) -> impl Iterator<Item = (VarNo, VarNo)> {
        self.vars(id, variable, from)
            .zip(self.vars(id, variable, to))
    }

    /// The copy in which a call hands a variable over.
    pub(crate) fn handed_copy(variable: VarRef) -> Copy {
        match variable {
            VarRef::Global(_) => Copy::Now,
            VarRef::Local(_) => Copy::Argument,
        }
    }

    /// The decision variables of all that is remembered of a procedure's entry.
    pub(crate) fn entry_vars(&self, id: ProcId) -> Vec<VarNo> {
        if self.marking != Marking::Called {
            // Where a turn is looked for it does not matter how a procedure was entered.
            return Vec::new();
        }
        let handed = self.scopes.handed_over(id);
        let remembered = handed.filter(|&variable| self.scopes.is_remembered(id, variable));
        let mut vars: Vec<VarNo> = remembered
            .flat_map(|variable| self.vars(id, variable, Copy::Entry))
            .collect();
        if self.scopes.is_called(id) {
            vars.extend(self.observer(Copy::Entry));
        }
        vars
    }

    /// The present values that are followed at a node, with the observer's state and the marks
    /// that are told.
    pub(crate) fn now_vars(&self, at: Point) -> Vec<VarNo> {
        let mut vars = self.value_vars(at);
        if self.is_marked(at.procedure) {
            vars.extend(self.marks(Copy::Now));
        }
        if let Marking::Turn(_) = self.marking {
            vars.extend(self.moved());
        }
        vars
    }

    /// The present values that are followed at a node, with the observer's state.
    pub(crate) fn value_vars(&self, at: Point) -> Vec<VarNo> {
        let tracked = self.scopes.tracked(at);
        tracked
            .flat_map(|variable| self.vars(at.procedure, variable, Copy::Now))
            .chain(self.observer(Copy::Now))
            .collect()
    }

    /// The decision variables of all that a call hands over, as callers see them.
    pub(crate) fn handed_vars(&self, id: ProcId) -> Vec<VarNo> {
        let handed = self.scopes.handed_over(id);
        handed
            .flat_map(|variable| self.vars(id, variable, Self::handed_copy(variable)))
            .chain(self.observer(Copy::Now))
            .collect()
    }

    /// The same values as the procedure remembers them.
    pub(crate) fn handed_vars_inside(&self, id: ProcId) -> Vec<VarNo> {
        let copy = |variable| match self.scopes.is_fixed(id, variable) {
            true => Copy::Now,
            false => Copy::Entry,
        };
        let handed = self.scopes.handed_over(id);
        handed
            .flat_map(|variable| self.vars(id, variable, copy(variable)))
            .chain(self.observer(Copy::Entry))
            .collect()
    }

    /// The decision variables of all that a procedure returns, as callers see them.
    pub(crate) fn returned_vars(&self, id: ProcId) -> Vec<VarNo> {
        self.returned(id, Copy::Next)
    }

    /// The same values at the procedure's exit.
    pub(crate) fn returned_vars_inside(&self, id: ProcId) -> Vec<VarNo> {
        self.returned(id, Copy::Now)
    }

    fn returned(&self, id: ProcId, copy: Copy) -> Vec<VarNo> {
        let tracked = self.scopes.tracked(self.exit(id));
        tracked
            .filter(|&variable| self.is_returned(id, variable))
            .flat_map(|variable| self.vars(id, variable, copy))
            .chain(self.observer(copy))
            .chain(self.marks(copy))
            .collect()
    }

    /// Whether the value that a variable has at a procedure's exit is handed back.
    fn is_returned(&self, id: ProcId, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(_) => self.is_changed_by(id, variable),
            VarRef::Local(local) => self.program.procedure(id).results.contains(&local),
        }
    }

    /// Whether a call of a procedure may change a variable of its caller, results apart.
    pub(crate) fn is_changed_by(&self, id: ProcId, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(global) => self.scopes.writes_global(id, global),
            VarRef::Local(_) => false,
        }
    }

    /// The bits of the arguments that the callee looks at, as functions of the caller's
    /// values and choices; and where the call is possible.
    pub(crate) fn arguments(&self, site: &Site) -> Res<(Bdd, Vec<(BitNo, Bdd)>)> {
        let id = site.from.procedure;
        let edge = self.program.edge(id, site.part.edge);
        let choices = self.choice_bits(&self.choice_vars(id, &site.part))?;
        let nothing = Written::default();
        let values = Values {
            now: &nothing,
            next: &nothing,
            choices: &choices,
        };
        let evaluator = self.evaluator(id);
        let mut open = evaluator.eval(&edge.guard, &values)?.holds(self.space)?;
        let mut bits = Vec::new();
        if let Action::Call { arguments, .. } = &edge.action {
            let handed: HashSet<VarRef> = self.scopes.handed_over(site.callee).collect();
            for (index, argument) in arguments.iter().enumerate() {
                let parameter = VarRef::Local(index as u32);
                if handed.contains(&parameter) || argument.can_fault() {
                    let value = evaluator.eval(argument, &values)?;
                    open = self.space.minus(&open, &value.fault)?;
                    if handed.contains(&parameter) {
                        let places = self.layout.bits(site.callee, parameter);
                        bits.extend(places.zip(value.bits));
                    }
                }
            }
        }
        Ok((open, bits))
    }

    /// Prepares a call.
    pub(crate) fn call(&self, site: &Site) -> Res<Call> {
        let (space, layout) = (self.space, self.layout);
        let (caller, callee) = (site.from.procedure, site.callee);
        let (open, arguments) = self.arguments(site)?;
        let mut relation = open;
        for (bit, value) in arguments.iter().rev() {
            let argument = space.var(layout.var(*bit, Copy::Argument))?;
            relation = space.and(&relation, &space.equiv(&argument, value)?)?;
        }
        let choices = self.choice_vars(caller, &site.part).concat();
        relation = space.exists(&relation, &space.cube(choices)?)?;

        let seen: HashSet<VarNo> = self.handed_vars(callee).into_iter().collect();
        let mut hidden = self.value_vars(site.from);
        hidden.retain(|var| !seen.contains(var));
        hidden.extend(self.entry_vars(caller));
        let with_marks = hidden.iter().copied().chain(self.marks(Copy::Now));
        let hidden_marks = space.cube(with_marks.collect())?;

        let (over, (back, next)) = self.returning(site)?;
        let marks: Vec<VarNo> = self.marks(Copy::Now).collect();
        let (told, room) = rename(
            space,
            &self
                .marks(Copy::Entry)
                .zip(marks.iter().copied())
                .collect::<Vec<_>>(),
        )?;
        let next_and_marks = space.and(&next, &space.cube(marks)?)?;
        let with_union = space.and(&back, &self.union()?)?;
        Ok(Call {
            relation,
            hidden: space.cube(hidden)?,
            hidden_marks,
            over,
            back: Steps::from(vec![(back, next)]),
            back_marked: Steps::from(vec![(with_union, next_and_marks), (told, room)]),
        })
    }

    /// The variables that are over after a call, and the way back of what it returns.
    fn returning(&self, site: &Site) -> Res<(Bdd, (Bdd, Bdd))> {
        let (space, scopes) = (self.space, self.scopes);
        let (caller, callee) = (site.from.procedure, site.callee);
        let to = Point {
            procedure: caller,
            node: site.to,
        };
        let edge = self.program.edge(caller, site.part.edge);
        let targets: &[Option<VarRef>] = match &edge.action {
            Action::Call { results, .. } => results,
            Action::Assign { .. } => &[],
        };
        let is_target = |variable| targets.contains(&Some(variable));
        let arguments = scopes.handed_over(callee);
        let arguments = arguments.filter(|variable| matches!(variable, VarRef::Local(_)));
        let mut over: Vec<VarNo> = arguments
            .flat_map(|variable| self.vars(callee, variable, Copy::Argument))
            .chain(self.observer(Copy::Now))
            .collect();
        for variable in scopes.tracked(site.from) {
            let is_kept = !is_target(variable)
                && !self.is_changed_by(callee, variable)
                && scopes.tracks(to, variable);
            if !is_kept {
                over.extend(self.vars(caller, variable, Copy::Now));
            }
        }

        let mut back: Vec<(VarNo, VarNo)> = self
            .observer(Copy::Next)
            .zip(self.observer(Copy::Now))
            .collect();
        for variable in scopes.tracked(self.exit(callee)) {
            let comes_back = self.is_changed_by(callee, variable)
                && !is_target(variable)
                && scopes.tracks(to, variable);
            if comes_back {
                back.extend(self.pairs(callee, variable, Copy::Next, Copy::Now));
            }
        }
        let results = &self.program.procedure(callee).results;
        for (target, &local) in targets.iter().zip(results) {
            if let Some(target) = *target
                && scopes.tracks(to, target)
            {
                let from = self.vars(callee, VarRef::Local(local), Copy::Next);
                back.extend(from.zip(self.vars(caller, target, Copy::Now)));
            }
        }
        let next = space.cube(self.returned_vars(callee))?;
        let back = (equate(space, &back)?, next);
        Ok((space.cube(over)?, back))
    }

    fn exit(&self, id: ProcId) -> Point {
        Point {
            procedure: id,
            node: self.program.procedure(id).exit,
        }
    }

    /// Prepares the entry and the exit of a procedure.
    pub(crate) fn ends(&self, id: ProcId) -> Res<Ends> {
        let (space, scopes) = (self.space, self.scopes);
        let (mut keep, mut taken) = (Vec::new(), Vec::new());
        // Two renamings on the way out: present values to next ones, then remembered values
        // to where callers hand them over.
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for variable in scopes.handed_over(id) {
            let handed = Self::handed_copy(variable);
            let is_fixed = scopes.is_fixed(id, variable);
            let inside = if is_fixed { Copy::Now } else { Copy::Entry };
            if handed == Copy::Argument {
                taken.extend(self.pairs(id, variable, Copy::Argument, Copy::Now));
            }
            if !is_fixed {
                keep.extend(self.pairs(id, variable, Copy::Entry, Copy::Now));
            }
            if inside != handed {
                second.extend(self.pairs(id, variable, inside, handed));
            }
        }
        let mut gone = Vec::new();
        for variable in scopes.tracked(self.exit(id)) {
            if self.is_returned(id, variable) {
                first.extend(self.pairs(id, variable, Copy::Now, Copy::Next));
            } else if !scopes.is_fixed(id, variable) {
                gone.extend(self.vars(id, variable, Copy::Now));
            }
        }
        if scopes.is_called(id) {
            keep.extend(self.observer(Copy::Entry).zip(self.observer(Copy::Now)));
            first.extend(self.observer(Copy::Now).zip(self.observer(Copy::Next)));
            second.extend(self.observer(Copy::Entry).zip(self.observer(Copy::Now)));
            first.extend(self.marks(Copy::Now).zip(self.marks(Copy::Next)));
        }
        let mut enter = Steps::default();
        let (relation, cube) = rename(space, &taken)?;
        enter.push(space, relation, cube);
        enter.push(space, equate(space, &keep)?, space.truth());
        let mut leave = Steps::default();
        leave.push(space, space.truth(), space.cube(gone)?);
        let (relation, cube) = rename(space, &first)?;
        leave.push(space, relation, cube);
        let (relation, cube) = rename(space, &second)?;
        leave.push(space, relation, cube);
        Ok(Ends {
            enter,
            remembered: space.cube(self.entry_vars(id))?,
            leave,
        })
    }

    /// What a call hands over, from path edges where it starts, joined with the call's
    /// relation. Within a turn that includes the marks.
    pub(crate) fn hand_over(&self, call: &Call, joined: &Bdd) -> Res<Bdd> {
        match self.marking {
            Marking::Called => self.space.exists(joined, &call.hidden_marks),
            Marking::Off | Marking::Turn(_) => self.space.exists(joined, &call.hidden),
        }
    }

    /// Path edges behind a call, from those where it starts, joined with the call's relation.
    pub(crate) fn come_back(
        &self,
        caller: ProcId,
        call: &Call,
        joined: &Bdd,
        summary: &Bdd,
    ) -> Res<Bdd> {
        let after = self.space.and_exists(joined, summary, &call.over)?;
        if self.is_marked(caller) {
            call.back_marked.apply(self.space, &after)
        } else {
            call.back.apply(self.space, &after)
        }
    }
}
