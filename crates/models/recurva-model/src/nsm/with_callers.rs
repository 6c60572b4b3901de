//! What is on the stack, as propositions.

use std::collections::{HashMap, HashSet};

use super::{Kind, Nsm, NsmParts, NsmState, PropositionId, StateId};
use crate::Malformed;

/// A machine whose states know something of the stack.
#[derive(Clone, Debug)]
pub struct NsmWithCallers {
    /// The machine.
    pub nsm: Nsm,
    /// For each state the one of the first machine that it stands for.
    originals: Vec<StateId>,
}

impl NsmWithCallers {
    /// The state of the first machine that a state stands for.
    pub fn original(&self, state: StateId) -> StateId {
        self.originals[state.index()]
    }
}

/// A state, and which marks some pending call below it has.
type Marked = (StateId, u64);

impl Nsm {
    /// The machine with a new proposition for each mark. It is true where the mark is, and while
    /// a call from there is pending, be it the last one or one further down. A mark is given by
    /// the name of its proposition and, for each state, whether it is there.
    ///
    /// # Errors
    ///
    /// If there are more than 64 marks, or a proposition of that name.
    pub fn with_callers(&self, marks: &[(&str, Vec<bool>)]) -> Result<NsmWithCallers, Malformed> {
        if marks.len() > 64 {
            return Err(Malformed::new("marks", "there are more than 64"));
        }
        let own = |state: StateId| {
            let bits = marks.iter().enumerate();
            bits.fold(0, |bits, (at, (_, list))| {
                bits | u64::from(list[state.index()]) << at
            })
        };
        let mut product = Product {
            nsm: self,
            own: self.ids().map(own).collect(),
            numbers: HashMap::new(),
            found: Vec::new(),
            calls: HashMap::new(),
            exits: HashMap::new(),
            locals: Vec::new(),
            callees: Vec::new(),
            returns: Vec::new(),
        };
        let init = product.number((self.init(), 0));
        let mut next = 0;
        while let Some(&marked) = product.found.get(next) {
            product.expand(StateId(next as u32), marked);
            next += 1;
        }
        let names = marks.iter().map(|&(name, _)| name);
        product.finish(init, names)
    }
}

struct Product<'m> {
    nsm: &'m Nsm,
    /// The marks of each state itself.
    own: Vec<u64>,
    numbers: HashMap<Marked, StateId>,
    found: Vec<Marked>,
    /// Known call states with the marks that their callees have, and known states that return.
    calls: HashMap<Marked, Vec<StateId>>,
    exits: HashMap<Marked, Vec<StateId>>,
    locals: Vec<(StateId, StateId)>,
    callees: Vec<(StateId, StateId)>,
    returns: Vec<(StateId, StateId, StateId)>,
}

impl Product<'_> {
    fn number(&mut self, marked: Marked) -> StateId {
        let next = StateId(self.found.len() as u32);
        let number = *self.numbers.entry(marked).or_insert(next);
        if number == next {
            self.found.push(marked);
        }
        number
    }

    fn expand(&mut self, number: StateId, (state, bits): Marked) {
        let nsm = self.nsm;
        for &to in nsm.locals(state) {
            let to = self.number((to, bits));
            self.locals.push((number, to));
        }
        let below = bits | self.own[state.index()];
        for &to in nsm.calls(state) {
            let to = self.number((to, below));
            self.callees.push((number, to));
        }
        if nsm.kind(state) == Kind::Call {
            let known = self.calls.entry((state, below)).or_default();
            known.push(number);
            // Exits are looked up by the call they return to.
            for exit in self.exits.get(&(state, below)).cloned().unwrap_or_default() {
                self.come_back(exit, number);
            }
        }
        let mut pending: Vec<StateId> = nsm.returns(state).iter().map(|&(call, _)| call).collect();
        pending.dedup();
        for call in pending {
            self.exits.entry((call, bits)).or_default().push(number);
            for caller in self.calls.get(&(call, bits)).cloned().unwrap_or_default() {
                self.come_back(number, caller);
            }
        }
    }

    fn come_back(&mut self, exit: StateId, caller: StateId) {
        let ((from, _), (call, bits)) = (self.found[exit.index()], self.found[caller.index()]);
        for to in self.nsm.returns_to(from, call) {
            let to = self.number((to, bits));
            self.returns.push((exit, caller, to));
        }
    }

    fn finish<'n>(
        self,
        init: StateId,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<NsmWithCallers, Malformed> {
        let mut propositions = self.nsm.propositions().to_vec();
        let first = propositions.len() as u32;
        propositions.extend(names.map(Into::into));
        let mut used: HashSet<Box<str>> = self
            .nsm
            .ids()
            .map(|state| self.nsm.name(state).into())
            .collect();
        let mut states = Vec::with_capacity(self.found.len());
        let mut given = vec![false; self.nsm.states().len()];
        for &(original, bits) in &self.found {
            let state = self.nsm.state(original);
            let mut name = state.name.clone();
            // The first keeps its name.
            while std::mem::replace(&mut given[original.index()], true)
                && !used.insert(name.clone())
            {
                name = format!("{name}~{bits:x}").into();
            }
            let bits = bits | self.own[original.index()];
            let marks = (0..64).filter(|at| bits >> at & 1 == 1);
            let marks = marks.map(|at| PropositionId(first + at));
            states.push(NsmState {
                name,
                kind: state.kind,
                propositions: state.propositions.iter().copied().chain(marks).collect(),
                origin: state.origin,
            });
        }
        let nsm = Nsm::new(NsmParts {
            states,
            propositions,
            init,
            locals: self.locals,
            calls: self.callees,
            returns: self.returns,
        })?;
        Ok(NsmWithCallers {
            nsm,
            originals: self.found.into_iter().map(|(state, _)| state).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::NsmBuilder;
    use super::*;

    #[test]
    fn callees_inherit_what_is_on_the_stack() {
        // main calls work directly, or through a.
        let mut builder = NsmBuilder::default();
        let main = builder.state("main", Kind::Local, &[]);
        let to_a = builder.state("to_a", Kind::Call, &[]);
        let to_work = builder.state("to_work", Kind::Call, &[]);
        let in_a = builder.state("in_a", Kind::Call, &["a"]);
        let back = builder.state("back", Kind::Return, &["a"]);
        let work = builder.state("work", Kind::Local, &[]);
        let done = builder.state("done", Kind::Return, &[]);
        builder.local(main, to_a).local(main, to_work);
        builder
            .call(to_a, in_a)
            .call(in_a, work)
            .call(to_work, work);
        builder
            .ret(work, in_a, back)
            .ret(back, to_a, done)
            .ret(work, to_work, done);
        let machine = builder.finish(main).expect("it fits");
        let a = machine.proposition("a").expect("it is there");
        let marks = machine.ids().map(|state| machine.holds(state, a)).collect();
        let with = machine
            .with_callers(&[("on_stack(a)", marks)])
            .expect("one mark");
        let on_stack = with.nsm.proposition("on_stack(a)").expect("it is there");
        let mut seen: Vec<(&str, bool)> = with
            .nsm
            .ids()
            .map(|state| {
                let original = machine.name(with.original(state));
                (original, with.nsm.holds(state, on_stack))
            })
            .collect();
        seen.sort_unstable();
        assert_eq!(
            seen,
            [
                ("back", true),
                ("done", false),
                ("in_a", true),
                ("main", false),
                ("to_a", false),
                ("to_work", false),
                ("work", false),
                ("work", true),
            ]
        );
        // Each work returns to its own call only.
        let returns = with.nsm.ids().map(|state| with.nsm.returns(state).len());
        assert_eq!(returns.sum::<usize>(), 3);
    }
}
