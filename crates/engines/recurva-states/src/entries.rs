//! What is settled when a procedure is entered: values that are not left open there.

use std::collections::{BTreeMap, BTreeSet};

use recurva_explicit::program::{ProgramSystem, Words};
use recurva_model::{ProcId, Program, Type, VarRef};

/// A scalar: a variable, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) variable: VarRef,
    /// The index, of an element.
    pub(crate) element: Option<u32>,
    pub(crate) ty: Type,
}

/// All scalars of a procedure, as [`ProgramSystem::known`] lists them: the globals, then the locals.
pub(crate) fn scalars(program: &Program, procedure: ProcId) -> Vec<Scalar> {
    let globals = (0..).map(VarRef::Global).zip(program.globals());
    let locals = (0..)
        .map(VarRef::Local)
        .zip(&program.procedure(procedure).locals);
    globals
        .chain(locals)
        .flat_map(|(variable, declared)| {
            (0..declared.slots() as u32).map(move |element| Scalar {
                variable,
                element: declared.len.map(|_| element),
                ty: declared.ty,
            })
        })
        .collect()
}

/// How many of the scalars have a value when the procedure is entered: the globals and parameters, which
/// come first.
pub(crate) fn known_at_entry(program: &Program, scalars: &[Scalar], procedure: ProcId) -> usize {
    let parameters = program.procedure(procedure).parameters;
    scalars
        .iter()
        .take_while(|it| match it.variable {
            VarRef::Global(_) => true,
            VarRef::Local(index) => (index as usize) < parameters,
        })
        .count()
}

/// For procedures, the numbers of the scalars that are given values on entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settled {
    scalars: BTreeMap<ProcId, BTreeSet<usize>>,
}

impl Settled {
    pub(crate) fn add(&mut self, more: BTreeSet<(ProcId, usize)>) {
        for (procedure, number) in more {
            self.scalars.entry(procedure).or_default().insert(number);
        }
    }

    /// The entry states in which what is settled has values; `None` if there are more than `most`.
    pub(crate) fn complete<W: Words>(
        &self,
        system: &ProgramSystem<'_, W>,
        scalars: &[Scalar],
        entry: W,
        most: usize,
    ) -> Option<Vec<W>> {
        let procedure = system.point(&entry).procedure;
        let Some(settled) = self.scalars.get(&procedure) else {
            return Some(vec![entry]);
        };
        let known = system.known(&entry).concat();
        let mut entries = vec![entry];
        for &number in settled.iter().filter(|&&it| known[it].is_none()) {
            let largest = scalars[number].ty.mask();
            let count = u128::from(largest) + 1;
            if entries.len() as u128 * count > most as u128 {
                return None;
            }
            let mut more = Vec::with_capacity(entries.len() * count as usize);
            for entry in &entries {
                for value in 0..=largest {
                    let mut entry = entry.clone();
                    system.settle(&mut entry, number, value);
                    more.push(entry);
                }
            }
            entries = more;
        }
        Some(entries)
    }
}
