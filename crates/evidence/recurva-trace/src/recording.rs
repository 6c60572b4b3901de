//! Traces apart from the program that they are runs of.

use std::collections::HashMap;

use recurva_evidence::Trace;
use recurva_model::{ProcId, Program};

/// A trace in which procedures are known by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The procedures of the bodies: the trace refers to them by their index here.
    pub(crate) procedures: Vec<Name>,
    /// The trace.
    pub(crate) trace: Trace,
}

/// What a procedure is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// Its name.
    Name(Box<str>),
    /// Its number: others have the same name.
    Number(u32),
}

/// A program does not have a procedure that a trace runs through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no procedure `{name}`")]
pub struct UnknownProcedure {
    /// The name; a number if it was not the only one of that name.
    pub name: String,
}

impl Recording {
    /// A trace of a program.
    ///
    /// # Panics
    ///
    /// If a body is of a procedure that the program does not have: of no trace that replays.
    pub fn of(program: &Program, mut trace: Trace) -> Self {
        let mut known: HashMap<&str, usize> = HashMap::new();
        for procedure in program.procedures() {
            *known.entry(&procedure.name).or_default() += 1;
        }
        let mut numbers: Vec<Option<u32>> = vec![None; program.procedures().len()];
        let mut procedures = Vec::new();
        for body in &mut trace.bodies {
            let id = body.procedure;
            let number = *numbers[id.index()].get_or_insert_with(|| {
                let name = &program.procedure(id).name;
                procedures.push(match known[&**name] {
                    1 => Name::Name(name.clone()),
                    _ => Name::Number(id.0),
                });
                procedures.len() as u32 - 1
            });
            body.procedure = ProcId(number);
        }
        Recording { procedures, trace }
    }

    /// The trace as it reads for a program. It may be another program than the one it was
    /// recorded on: only [`recurva_evidence::replay`] tells whether it is a run of it.
    ///
    /// # Errors
    ///
    /// If the program does not have all procedures.
    pub fn on(&self, program: &Program) -> Result<Trace, UnknownProcedure> {
        let all = (0u32..).zip(program.procedures());
        let known: HashMap<&str, u32> = all.map(|(number, it)| (&*it.name, number)).collect();
        let find = |name: &Name| {
            let found = match name {
                Name::Name(name) => known.get(&**name).copied(),
                Name::Number(number) => {
                    Some(*number).filter(|&it| (it as usize) < program.procedures().len())
                }
            };
            found.ok_or_else(|| UnknownProcedure {
                name: match name {
                    Name::Name(name) => name.to_string(),
                    Name::Number(number) => number.to_string(),
                },
            })
        };
        let numbers: Vec<u32> = self.procedures.iter().map(find).collect::<Result<_, _>>()?;
        let mut trace = self.trace.clone();
        for body in &mut trace.bodies {
            body.procedure = ProcId(numbers[body.procedure.index()]);
        }
        Ok(trace)
    }

    /// Whether the run is infinite.
    pub fn is_infinite(&self) -> bool {
        self.trace.turn.is_some()
    }

    /// The number of steps of the stem when all calls are spelled out; saturating.
    pub fn length(&self) -> u64 {
        self.trace.length()
    }
}
