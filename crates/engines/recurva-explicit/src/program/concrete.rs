//! From states with unknown values back to concrete ones.
//!
//! The search leaves values open until they are read, and forgets dead ones. A trace has to
//! say which value every free choice gets. Going *backwards* along the path that was found,
//! each choice is settled by what is read of it later: a value that is still unknown where
//! it is needed last may be anything, and is 0.

use recurva_model::{
    Action, EdgeId, Expr, Move, Op, Patience, Place, ProcId, RecursiveSystem, Site, Stop, VarRef,
};

use super::{
    ProgramSystem, TRIES, Words,
    attempt::Attempt,
    choices::Choices,
    compile::{CompiledAction, CompiledEdge, Value},
    layout::SlotId,
};

/// Values for everything in scope: globals, then the current procedure's locals, in the
/// order of [`recurva_model::semantics`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Values {
    /// The globals.
    pub globals: Box<[u64]>,
    /// The locals of the running procedure.
    pub locals: Box<[u64]>,
}

/// An edge taken, and the values before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backward {
    /// The edge.
    pub edge: EdgeId,
    /// The values of its free choices, as the semantics asks for them.
    pub choices: Box<[u64]>,
    /// The values before the step.
    pub before: Values,
}

impl<W: Words> ProgramSystem<'_, W> {
    /// Values for a state about which no more is asked.
    pub fn complete(&self, state: &W) -> Values {
        self.values(state, |_| 0)
    }

    /// The values of the globals and of the running procedure's locals, as far as the state
    /// says them.
    pub fn known(&self, state: &W) -> [Vec<Option<u64>>; 2] {
        let layout = &self.compiled.layout;
        let value = |slot: SlotId| layout.slot(slot).get(state.as_slice());
        let procedure = self.point(state).procedure;
        [
            layout.global_slots().map(value).collect(),
            layout.local_slots(procedure).map(value).collect(),
        ]
    }

    /// Gives a value to what a state leaves open: the number is that among all of [`Self::known`], the
    /// globals first.
    pub fn settle(&self, state: &mut W, number: usize, value: u64) {
        let layout = &self.compiled.layout;
        let globals = layout.global_slots().len();
        let slot = match number.checked_sub(globals) {
            None => number as SlotId,
            Some(local) => layout.local_slots(self.point(state).procedure).start + local as SlotId,
        };
        layout.slot(slot).set(state.as_mut_slice(), Some(value));
    }

    /// The slots of a state that are unknown, with the values `values` has for them.
    pub fn open_values(&self, state: &W, values: &Values) -> Box<[u64]> {
        let procedure = self.point(state).procedure;
        let layout = &self.compiled.layout;
        let slots = layout.global_slots().chain(layout.local_slots(procedure));
        let all = values.globals.iter().chain(&values.locals);
        slots
            .zip(all)
            .filter(|&(slot, _)| layout.slot(slot).get(state.as_slice()).is_none())
            .map(|(_, &value)| value)
            .collect()
    }

    /// The values in a final state from which the run stutters on with these values.
    pub fn back_stutter(&self, from: &W, after: &Values) -> Values {
        let procedure = self.point(from).procedure;
        self.values(from, |slot| self.pick(after, procedure, slot))
    }

    /// The step from one state to another that ends with these values.
    ///
    /// # Errors
    ///
    /// If patience ends before it is found.
    pub fn back_step(
        &self,
        from: &W,
        to: &W,
        after: &Values,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Backward>, Stop> {
        let arrives = |taken: &Move<W>, _: &mut Patience<'_>| {
            Ok(matches!(taken, Move::Step(state) if state == to))
        };
        let found = self.find(from, arrives, patience)?;
        Ok(found.and_then(|(edge, attempt)| self.before_step(from, edge, &attempt, after)))
    }

    /// An edge taken as it was found, and the values before it.
    fn before_step(
        &self,
        from: &W,
        edge: &CompiledEdge,
        attempt: &Found<W>,
        after: &Values,
    ) -> Option<Backward> {
        let CompiledAction::Assign { writes, .. } = &edge.action else {
            return None;
        };
        let procedure = self.point(from).procedure;
        // The attempt's writes are those of the edge, with the elements worked out.
        let moved = |slot: SlotId| {
            writes
                .iter()
                .zip(&attempt.writes)
                .find_map(|((_, value), (target, _))| match value {
                    Value::Moved(source) if *source == slot => Some(*target),
                    _ => None,
                })
        };
        // What a slot is after the step: what the constraint took it to be (even if it was
        // forgotten then), else what is asked of it later.
        let settled = |slot: SlotId| {
            let next = self.compiled.layout.slot(slot).get(attempt.next.as_slice());
            next.unwrap_or_else(|| self.pick(after, procedure, slot))
        };
        let before = self.values(&attempt.now, |slot| match moved(slot) {
            Some(target) => settled(target),
            None if attempt.writes.iter().any(|(written, _)| *written == slot) => 0,
            None => settled(slot),
        });
        let mut choices = self.chosen(procedure, edge.id, &attempt.any);
        let Action::Assign { assigns, .. } = &self.program.edge(procedure, edge.id).action else {
            return None;
        };
        for (place, value) in assigns {
            let [Op::Any(_, which)] = *value.ops() else {
                continue;
            };
            let first = self.compiled.layout.slot_of(procedure, place.variable());
            let element = match place {
                Place::Scalar(_) => 0,
                Place::Element(_, index) => {
                    self.eval(procedure, index, &choices, &before).unwrap_or(0) as SlotId
                }
            };
            choices[which as usize] = settled(first + element);
        }
        Some(Backward {
            edge: edge.id,
            choices: choices.into(),
            before,
        })
    }

    /// The site of a call that goes on in state `to`, and the values at its exit when these
    /// are the values there.
    ///
    /// # Errors
    ///
    /// If patience ends before it is found.
    pub fn back_return(
        &self,
        caller: &W,
        entry: &W,
        exit: &W,
        to: &W,
        after: &Values,
        patience: &mut Patience<'_>,
    ) -> Result<Option<(Site, Values)>, Stop> {
        let returns = |taken: &Move<W>, patience: &mut Patience<'_>| match taken {
            Move::Call { entry: found, site } if found == entry => {
                self.resumes(caller, *site, exit, to, patience)
            }
            _ => Ok(false),
        };
        let Some((edge, _)) = self.find(caller, returns, patience)? else {
            return Ok(None);
        };
        let CompiledAction::Call(number) = edge.action else {
            return Ok(None);
        };
        let call = &self.compiled.calls[number as usize];
        let procedure = self.point(caller).procedure;
        let globals = self.compiled.layout.global_slots();
        let values = self.values(exit, |slot| {
            let result = call.results.iter().find(|(from, _)| *from == slot);
            if let Some(&(_, target)) = result {
                self.pick(after, procedure, target)
            } else if globals.contains(&slot) && !call.results.iter().any(|(_, to)| *to == slot) {
                self.pick(after, procedure, slot)
            } else {
                0
            }
        });
        Ok(Some((Site(number), values)))
    }

    /// The call from one state to an entry state with these values; `returned` has the values
    /// after its return, if it does return, and its site.
    ///
    /// # Errors
    ///
    /// If patience ends before it is found.
    pub fn back_call(
        &self,
        from: &W,
        entry: &W,
        at_entry: &Values,
        returned: Option<(Site, &Values)>,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Backward>, Stop> {
        let calls = |taken: &Move<W>, _: &mut Patience<'_>| match taken {
            Move::Call { entry: found, site } => {
                Ok(found == entry && returned.is_none_or(|(wanted, _)| wanted == *site))
            }
            _ => Ok(false),
        };
        let found = self.find(from, calls, patience)?;
        Ok(found
            .and_then(|(edge, attempt)| self.before_call(from, edge, &attempt, at_entry, returned)))
    }

    /// A call made as it was found, and the values before it.
    fn before_call(
        &self,
        from: &W,
        edge: &CompiledEdge,
        attempt: &Found<W>,
        at_entry: &Values,
        returned: Option<(Site, &Values)>,
    ) -> Option<Backward> {
        let CompiledAction::Call(number) = edge.action else {
            return None;
        };
        let call = &self.compiled.calls[number as usize];
        let procedure = self.point(from).procedure;
        let globals = self.compiled.layout.global_slots();
        let moved = |slot: SlotId| {
            call.arguments
                .iter()
                .find_map(|(target, value)| match value {
                    Value::Moved(source) if *source == slot => Some(*target),
                    _ => None,
                })
        };
        let before = self.values(&attempt.now, |slot| {
            if let Some(parameter) = moved(slot) {
                self.pick(at_entry, call.callee, parameter)
            } else if globals.contains(&slot) {
                self.pick(at_entry, procedure, slot)
            } else if call.results.iter().any(|(_, result)| *result == slot) {
                0
            } else {
                returned.map_or(0, |(_, after)| self.pick(after, procedure, slot))
            }
        });
        let Action::Call { arguments, .. } = &self.program.edge(procedure, edge.id).action else {
            return None;
        };
        let mut choices = self.chosen(procedure, edge.id, &attempt.any);
        for (argument, &value) in arguments.iter().zip(&at_entry.locals) {
            if let [Op::Any(_, which)] = *argument.ops() {
                choices[which as usize] = value;
            }
        }
        choices.extend_from_slice(&at_entry.locals[arguments.len()..]);
        Some(Backward {
            edge: edge.id,
            choices: choices.into(),
            before,
        })
    }

    /// The edge and the attempt at it whose outcome is wanted. As in the search each edge gets a
    /// share of the tries in turn, so what the search found soon is found soon here.
    fn find(
        &self,
        from: &W,
        wanted: impl Fn(&Move<W>, &mut Patience<'_>) -> Result<bool, Stop>,
        patience: &mut Patience<'_>,
    ) -> Result<Option<(&CompiledEdge, Found<W>)>, Stop> {
        let edges = self.compiled.points[self.point_id(from) as usize]
            .edges
            .clone();
        let edges = &self.compiled.edges[edges.start as usize..edges.end as usize];
        let mut left: Vec<(&CompiledEdge, Choices)> = edges
            .iter()
            .map(|edge| (edge, Choices::default()))
            .collect();
        while !left.is_empty() {
            let mut index = 0;
            while let Some((edge, choices)) = left.get_mut(index) {
                let (mut tries, mut more) = (0, true);
                while more && tries < TRIES {
                    patience.step()?;
                    let mut attempt = Attempt::new(self, from, choices);
                    let is_wanted = match attempt.take(edge) {
                        Some(taken) => wanted(&taken, patience)?,
                        None => false,
                    };
                    if is_wanted {
                        let Attempt {
                            now,
                            next,
                            writes,
                            any,
                            ..
                        } = attempt;
                        let found = Found {
                            now,
                            next,
                            writes: writes.into_vec(),
                            any: any.into_vec(),
                        };
                        return Ok(Some((edge, found)));
                    }
                    more = choices.advance();
                    tries += 1;
                }
                if more {
                    index += 1;
                } else {
                    left.remove(index);
                }
            }
        }
        Ok(None)
    }

    fn resumes(
        &self,
        caller: &W,
        site: Site,
        exit: &W,
        to: &W,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let mut out = recurva_model::Moves::default();
        loop {
            patience.step()?;
            self.resume(caller, site, exit, &mut out);
            if out
                .drain()
                .any(|taken| matches!(taken, Move::Step(state) if state == *to))
            {
                return Ok(true);
            }
            if out.cursor().is_empty() {
                return Ok(false);
            }
        }
    }

    /// The values of a state, with `open` for what is unknown.
    fn values(&self, state: &W, open: impl Fn(SlotId) -> u64) -> Values {
        let layout = &self.compiled.layout;
        let value = |slot: SlotId| {
            layout
                .slot(slot)
                .get(state.as_slice())
                .unwrap_or_else(|| open(slot))
        };
        let procedure = self.point(state).procedure;
        Values {
            globals: layout.global_slots().map(value).collect(),
            locals: layout.local_slots(procedure).map(value).collect(),
        }
    }

    fn pick(&self, values: &Values, procedure: ProcId, slot: SlotId) -> u64 {
        let layout = &self.compiled.layout;
        if layout.global_slots().contains(&slot) {
            values.globals[slot as usize]
        } else {
            values.locals[(slot - layout.local_slots(procedure).start) as usize]
        }
    }

    /// The choices made on an edge, 0 for those that were not needed.
    fn chosen(&self, procedure: ProcId, edge: EdgeId, any: &[Option<u64>]) -> Vec<u64> {
        let edge = self.program.edge(procedure, edge);
        let made = |which| any.get(which).copied().flatten().unwrap_or(0);
        let mut choices: Vec<u64> = (0..edge.choices().len()).map(made).collect();
        // A guard that is nothing but `*` was taken to be true without asking.
        if let [Op::Any(_, which)] = *edge.guard.ops() {
            choices[which as usize] = 1;
        }
        choices
    }

    fn eval(
        &self,
        procedure: ProcId,
        expr: &Expr,
        choices: &[u64],
        values: &Values,
    ) -> Option<u64> {
        expr.eval(choices, &|variable: VarRef, _, element| {
            let len = self.program.variable(procedure, variable).slots() as u64;
            let first = self.compiled.layout.slot_of(procedure, variable);
            (element < len).then(|| self.pick(values, procedure, first + element as SlotId))
        })
    }
}

/// What is left of a successful attempt.
struct Found<W> {
    /// The state before the step, with what was chosen.
    now: W,
    /// The state after the step, before dead variables were forgotten.
    next: W,
    writes: Vec<(SlotId, Option<u64>)>,
    any: Vec<Option<u64>>,
}
