//! What a procedure leaves as it found it.

use recurva_model::{Action, ProcId, Program, VarRef, Variable};

/// Arrays with more elements count as changed: a proof would name each element.
const MOST_ELEMENTS: u32 = 16;

/// For each procedure the globals and parameters that no run through it changes.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    globals: Vec<Vec<bool>>,
    locals: Vec<Vec<bool>>,
}

impl Fixed {
    pub(crate) fn new(program: &Program) -> Self {
        let few = |it: &Variable| it.len.is_none_or(|it| it <= MOST_ELEMENTS);
        let globals: Vec<bool> = program.globals().iter().map(few).collect();
        let mut fixed = Fixed {
            globals: vec![globals; program.procedures().len()],
            locals: Vec::new(),
        };
        for (index, procedure) in program.procedures().iter().enumerate() {
            let own = procedure.locals.iter().enumerate();
            let own = own.map(|(at, it)| at < procedure.parameters && few(it));
            fixed.locals.push(own.collect());
            for edge in &procedure.edges {
                let written: Vec<VarRef> = match &edge.action {
                    Action::Assign { assigns, .. } => {
                        assigns.iter().map(|(place, _)| place.variable()).collect()
                    }
                    Action::Call { results, .. } => results.iter().flatten().copied().collect(),
                };
                for variable in written {
                    match variable {
                        VarRef::Global(global) => fixed.globals[index][global as usize] = false,
                        VarRef::Local(local) => fixed.locals[index][local as usize] = false,
                    }
                }
            }
        }
        fixed.follow_calls(program);
        fixed
    }

    /// Who calls a procedure that changes something changes it.
    fn follow_calls(&mut self, program: &Program) {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.procedures().len()];
        for (index, procedure) in program.procedures().iter().enumerate() {
            for edge in &procedure.edges {
                if let Action::Call { callee, .. } = edge.action {
                    callers[callee.index()].push(index);
                }
            }
        }
        let mut open: Vec<usize> = (0..callers.len()).collect();
        while let Some(callee) = open.pop() {
            for &caller in &callers[callee] {
                let mut is_new = false;
                for global in 0..self.globals[callee].len() {
                    if !self.globals[callee][global] && self.globals[caller][global] {
                        self.globals[caller][global] = false;
                        is_new = true;
                    }
                }
                if is_new {
                    open.push(caller);
                }
            }
        }
    }

    /// Whether a variable has the value now that it had at the entry of the procedure.
    pub(crate) fn contains(&self, procedure: ProcId, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(index) => self.globals[procedure.index()][index as usize],
            VarRef::Local(index) => self.locals[procedure.index()][index as usize],
        }
    }
}
