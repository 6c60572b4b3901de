//! What variables are called in formulas.

use std::{borrow::Cow, collections::HashMap};

use recurva_model::{ProcId, Program, VarRef, Variable};

/// The names of a program's variables.
///
/// In one procedure no two variables may have one name. A name is not empty and has no backquotes and no
/// control characters.
pub trait Names {
    /// The name of a variable.
    fn name(&self, procedure: ProcId, variable: VarRef) -> Option<Cow<'_, str>>;

    /// The variable of that name.
    fn find(&self, procedure: ProcId, name: &str) -> Option<VarRef>;
}

/// The names that variables have in their program; with a number where that would not do.
///
/// Globals are called the same everywhere. A variable whose name another one has already is called
/// `name#2`, `name#3` and so on.
#[derive(Clone, Debug)]
pub struct ProgramNames {
    globals: Table,
    locals: Vec<Table>,
}

#[derive(Clone, Debug, Default)]
struct Table {
    names: Vec<String>,
    places: HashMap<String, u32>,
}

impl Table {
    fn new(variables: &[Variable], outer: Option<&Table>) -> Self {
        let mut table = Table::default();
        // Where to go on with numbers: many variables may share a name.
        let mut next: HashMap<String, usize> = HashMap::new();
        for (index, variable) in variables.iter().enumerate() {
            let wanted = harmless(&variable.name);
            let taken = |name: &str| {
                table.places.contains_key(name)
                    || outer.is_some_and(|it| it.places.contains_key(name))
            };
            let mut name = wanted.clone();
            if taken(&name) {
                let number = next.entry(wanted.clone()).or_insert(2);
                while taken(&name) {
                    name = format!("{wanted}#{number}");
                    *number += 1;
                }
            }
            table.places.insert(name.clone(), index as u32);
            table.names.push(name);
        }
        table
    }
}

impl ProgramNames {
    /// The names of a program's variables.
    pub fn new(program: &Program) -> Self {
        let globals = Table::new(program.globals(), None);
        let locals = program
            .procedures()
            .iter()
            .map(|it| Table::new(&it.locals, Some(&globals)))
            .collect();
        ProgramNames { globals, locals }
    }
}

impl Names for ProgramNames {
    fn name(&self, procedure: ProcId, variable: VarRef) -> Option<Cow<'_, str>> {
        let name = match variable {
            VarRef::Global(index) => self.globals.names.get(index as usize),
            VarRef::Local(index) => {
                let table = self.locals.get(procedure.index())?;
                table.names.get(index as usize)
            }
        };
        name.map(|it| Cow::Borrowed(&**it))
    }

    fn find(&self, procedure: ProcId, name: &str) -> Option<VarRef> {
        let local = self.locals.get(procedure.index());
        let local = local.and_then(|it| it.places.get(name));
        let global = || self.globals.places.get(name).copied();
        match local {
            Some(&index) => Some(VarRef::Local(index)),
            None => global().map(VarRef::Global),
        }
    }
}

fn harmless(name: &str) -> String {
    match name {
        "" => "_".to_owned(),
        _ => name
            .chars()
            .map(|it| if is_allowed(it) { it } else { '_' })
            .collect(),
    }
}

fn is_allowed(character: char) -> bool {
    character != '`' && !character.is_control()
}

/// Whether a name can be written down at all.
pub(super) fn is_possible(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_allowed)
}
