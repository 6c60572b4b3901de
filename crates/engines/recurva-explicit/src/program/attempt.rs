//! One attempt at an edge, under one record of choices.

use recurva_model::{Move, Site};
use smallvec::SmallVec;

use super::{
    ProgramSystem, Words,
    choices::Choices,
    code::{Code, Reader},
    compile::{Call, CompiledAction, CompiledEdge, PointId, Target, Value},
    layout::SlotId,
    watcher::Watcher,
};

/// The state of an attempt. Reading an unknown variable makes a choice and records it in
/// the state, so that it is read the same from then on.
pub(crate) struct Attempt<'a, 'p, W> {
    system: &'a ProgramSystem<'p, W>,
    choices: &'a mut Choices,
    original: &'a W,
    /// The state before the step, with what was chosen since.
    pub(crate) now: W,
    /// The state after the step, once it is being built.
    pub(crate) next: W,
    /// The slots the step writes, and what (`None` is unknown).
    pub(crate) writes: SmallVec<[(SlotId, Option<u64>); 4]>,
    /// The values of the edge's `*`s, as far as they were needed.
    pub(crate) any: SmallVec<[Option<u64>; 2]>,
}

impl<'a, 'p, W: Words> Attempt<'a, 'p, W> {
    pub(crate) fn new(
        system: &'a ProgramSystem<'p, W>,
        state: &'a W,
        choices: &'a mut Choices,
    ) -> Self {
        Attempt {
            system,
            choices,
            original: state,
            now: state.clone(),
            next: state.clone(),
            writes: SmallVec::new(),
            any: SmallVec::new(),
        }
    }

    /// Takes an edge, if these choices allow it.
    pub(crate) fn take(&mut self, edge: &CompiledEdge) -> Option<Move<W>> {
        if let Some(guard) = &edge.guard
            && self.run(guard)? == 0
        {
            return None;
        }
        match &edge.action {
            CompiledAction::Assign { writes, constraint } => {
                self.assign(writes)?;
                if let Some(constraint) = constraint
                    && self.run(constraint)? == 0
                {
                    return None;
                }
                let mut next = self.next.clone();
                self.system
                    .lead(&mut next, &self.now, Watcher::after_step)?;
                Some(Move::Step(self.system.arrive(
                    next,
                    edge.to,
                    self.choices,
                )?))
            }
            CompiledAction::Call(number) => {
                let call = &self.system.compiled.calls[*number as usize];
                let entry = self.call(call)?;
                if self.kept_changed(call) {
                    // The caller has to remember what was chosen: first refine its state.
                    return Some(Move::Refine(self.now.clone()));
                }
                Some(Move::Call {
                    entry: self.system.arrive(entry, call.entry, self.choices)?,
                    site: Site(*number),
                })
            }
        }
    }

    fn assign(&mut self, writes: &[(Target, Value)]) -> Option<()> {
        for (target, value) in writes {
            let slot = match target {
                Target::Slot(slot) => *slot,
                Target::Element { first, len, index } => {
                    let index = self.run(index)?;
                    if index >= u64::from(*len) {
                        return None;
                    }
                    first + index as SlotId
                }
            };
            let value = self.value(value)?;
            self.writes.push((slot, value));
        }
        self.next.clone_from(&self.now);
        for &(slot, value) in &self.writes {
            self.system
                .compiled
                .layout
                .slot(slot)
                .set(self.next.as_mut_slice(), value);
        }
        Some(())
    }

    /// The state in which the callee begins, before it arrives there.
    fn call(&mut self, call: &Call) -> Option<W> {
        for (slot, value) in &call.arguments {
            let value = self.value(value)?;
            self.writes.push((*slot, value));
        }
        let compiled = &self.system.compiled;
        let mut entry = W::zeros(compiled.layout.words);
        let words = entry.as_mut_slice().iter_mut();
        let blank = &compiled.blank[call.callee.index()];
        for ((word, now), (mask, blank)) in words
            .zip(self.now.as_slice())
            .zip(compiled.globals.iter().zip(blank))
        {
            *word = now & mask | blank;
        }
        for &(slot, value) in &self.writes {
            compiled.layout.slot(slot).set(entry.as_mut_slice(), value);
        }
        self.system
            .lead(&mut entry, &self.now, Watcher::after_call)?;
        Some(entry)
    }

    fn kept_changed(&self, call: &Call) -> bool {
        let words = self.original.as_slice().iter().zip(self.now.as_slice());
        words
            .zip(&call.kept)
            .any(|((original, now), kept)| (original ^ now) & kept != 0)
    }

    /// The value for an assignment; the inner `None` is unknown.
    #[expect(
        clippy::option_option,
        reason = "a fault, an unknown value and a value"
    )]
    fn value(&mut self, value: &Value) -> Option<Option<u64>> {
        match value {
            Value::Any => Some(None),
            Value::Moved(slot) => Some(
                self.system
                    .compiled
                    .layout
                    .slot(*slot)
                    .get(self.now.as_slice()),
            ),
            Value::Computed(code) => self.run(code).map(Some),
        }
    }

    fn run(&mut self, code: &Code) -> Option<u64> {
        let system = self.system;
        system.compiled.codes.run(code, self)
    }
}

impl<W: Words> Reader for Attempt<'_, '_, W> {
    fn now(&mut self, id: SlotId) -> u64 {
        let slot = self.system.compiled.layout.slot(id);
        slot.get(self.now.as_slice()).unwrap_or_else(|| {
            let value = self.choices.choose(slot.max());
            slot.set(self.now.as_mut_slice(), Some(value));
            // Read by the constraint: what the step does not write is the same after it.
            if !self.writes.iter().any(|(written, _)| *written == id) {
                slot.set(self.next.as_mut_slice(), Some(value));
            }
            value
        })
    }

    fn next(&mut self, id: SlotId) -> u64 {
        let slot = self.system.compiled.layout.slot(id);
        slot.get(self.next.as_slice()).unwrap_or_else(|| {
            let value = self.choices.choose(slot.max());
            slot.set(self.next.as_mut_slice(), Some(value));
            if !self.writes.iter().any(|(written, _)| *written == id) {
                slot.set(self.now.as_mut_slice(), Some(value));
            }
            value
        })
    }

    fn any(&mut self, which: u32, max: u64) -> u64 {
        let which = which as usize;
        if self.any.len() <= which {
            self.any.resize(which + 1, None);
        }
        *self.any[which].get_or_insert_with(|| self.choices.choose(max))
    }
}

impl<W: Words> ProgramSystem<'_, W> {
    /// A state in which runs begin, if who watches allows these choices.
    pub(crate) fn begin(&self, choices: &mut Choices) -> Option<W> {
        let compiled = &self.compiled;
        let main = self.program.main();
        let mut state = W::zeros(compiled.layout.words);
        let words = state.as_mut_slice();
        words[..compiled.layout.words].copy_from_slice(&compiled.blank[main.index()]);
        for slot in compiled.layout.global_slots() {
            compiled.layout.slot(slot).set(words, None);
        }
        let initial = self.watcher.as_ref().map_or(0, |watcher| watcher.initial);
        compiled.layout.monitor.set(words, u64::from(initial));
        let entry = compiled.outermost + self.program.procedure(main).entry.0;
        self.arrive(state, entry, choices)
    }

    /// The state in which a caller goes on.
    pub(crate) fn return_to(
        &self,
        caller: &W,
        site: Site,
        exit: &W,
        choices: &mut Choices,
    ) -> Option<W> {
        let compiled = &self.compiled;
        let call = &compiled.calls[site.0 as usize];
        let mut next = W::zeros(compiled.layout.words);
        let from = caller.as_slice().iter().zip(exit.as_slice());
        let masks = call.kept.iter().zip(&compiled.globals);
        for ((word, (caller, exit)), (kept, globals)) in
            next.as_mut_slice().iter_mut().zip(from).zip(masks)
        {
            *word = caller & kept | exit & globals;
        }
        for &(from, to) in &call.results {
            let value = compiled.layout.slot(from).get(exit.as_slice());
            compiled.layout.slot(to).set(next.as_mut_slice(), value);
        }
        self.lead(&mut next, exit, |watcher, exit| {
            watcher.after_return(exit, self.monitor_state(caller))
        })?;
        self.arrive(next, call.to, choices)
    }

    /// The state in which a run that is over goes on.
    pub(crate) fn stutter(&self, last: &W, point: PointId, choices: &mut Choices) -> Option<W> {
        let mut next = last.clone();
        self.lead(&mut next, last, Watcher::after_step)?;
        self.arrive(next, point, choices)
    }

    /// Leads who watches from its state in `from` to where it reads the state `next`. `None` if
    /// it expected another step.
    fn lead(
        &self,
        next: &mut W,
        from: &W,
        head: impl Fn(&Watcher, u32) -> Option<u32>,
    ) -> Option<()> {
        if let Some(watcher) = &self.watcher {
            let head = head(watcher, self.monitor_state(from))?;
            let field = self.compiled.layout.monitor;
            field.set(next.as_mut_slice(), u64::from(head));
        }
        Some(())
    }

    /// Brings a state to a control point, who watches being at a head: it is watched, dead variables are forgotten, and
    /// without laziness the unknown ones are chosen. `None` if who watches cannot go on.
    pub(crate) fn arrive(&self, mut state: W, point: PointId, choices: &mut Choices) -> Option<W> {
        let compiled = &self.compiled;
        compiled
            .layout
            .point
            .set(state.as_mut_slice(), u64::from(point));
        if let Some(watcher) = &self.watcher {
            self.watch(watcher, &mut state, point, choices)?;
        }
        let start = point as usize * compiled.layout.words;
        let masks = compiled.live[start..].iter().zip(&compiled.dead[start..]);
        let words = state.as_mut_slice()[..compiled.layout.words].iter_mut();
        for (word, (live, dead)) in words.zip(masks) {
            *word = *word & live | dead;
        }
        if !self.reductions.laziness {
            self.choose_all(&mut state, point, choices);
        }
        Some(state)
    }

    /// Gives every unknown variable that is live a value.
    fn choose_all(&self, state: &mut W, point: PointId, choices: &mut Choices) {
        let compiled = &self.compiled;
        let layout = &compiled.layout;
        let dead = &compiled.dead[point as usize * layout.words..];
        let procedure = compiled.points[point as usize].point.procedure;
        for id in layout.global_slots().chain(layout.local_slots(procedure)) {
            let slot = layout.slot(id);
            if slot.get(state.as_slice()).is_none() && slot.get(dead).is_some() {
                let value = choices.choose(slot.max());
                slot.set(state.as_mut_slice(), Some(value));
            }
        }
    }
}
