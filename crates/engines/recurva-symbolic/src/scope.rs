//! What is known about the variables of each procedure: which globals it touches, what has
//! to be remembered of its entry, and what is followed at each node.

use recurva_model::{
    Action, Edge, Expr, Guard, GuardOp, Op, Place, Point, ProcId, Procedure, Program, VarRef,
    liveness::Liveness,
};

/// The variables of one procedure.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// The globals that it, or a procedure it may call, reads or writes.
    touched: Vec<bool>,
    /// The globals that it, or a procedure it may call, writes.
    written: Vec<bool>,
    /// The locals that it writes.
    assigned: Vec<bool>,
    /// Whether there is a call of it. If not, nobody asks where its runs began.
    called: bool,
}

/// The variables of all procedures.
pub(crate) struct Scopes<'p> {
    program: &'p Program,
    liveness: Liveness,
    procedures: Vec<Scope>,
}

impl<'p> Scopes<'p> {
    /// Analyses a program of which `observed` guards are read at every node.
    pub(crate) fn new(program: &'p Program, liveness: Liveness, observed: &[&Guard]) -> Self {
        let globals = program.globals().len();
        let mut procedures: Vec<Scope> = program
            .procedures()
            .iter()
            .map(|procedure| Scope::of(procedure, globals))
            .collect();
        for op in observed.iter().flat_map(|guard| guard.ops()) {
            if let GuardOp::Plain(Op::Read(VarRef::Global(g)) | Op::Index(VarRef::Global(g))) = op {
                for scope in &mut procedures {
                    scope.touched[*g as usize] = true;
                }
            }
        }
        close(program, &mut procedures);
        Scopes {
            program,
            liveness,
            procedures,
        }
    }

    /// Whether there is a call of a procedure.
    pub(crate) fn is_called(&self, id: ProcId) -> bool {
        self.procedures[id.index()].called
    }

    /// Whether an assignment on an internal edge can be left out.
    pub(crate) fn is_idle(&self, id: ProcId, edge: &Edge, place: &Place, value: &Expr) -> bool {
        self.liveness.is_idle(id, edge, place, value)
    }

    /// Whether a procedure, or one that it may call, writes a global.
    pub(crate) fn writes_global(&self, id: ProcId, global: u32) -> bool {
        self.procedures[id.index()].written[global as usize]
    }

    /// Whether the value of a variable is followed at a node.
    pub(crate) fn tracks(&self, point: Point, variable: VarRef) -> bool {
        let scope = &self.procedures[point.procedure.index()];
        let in_scope = match variable {
            VarRef::Global(global) => scope.touched[global as usize],
            VarRef::Local(_) => true,
        };
        in_scope
            && (self.liveness.at(point).contains(variable)
                || self.is_fixed(point.procedure, variable))
    }

    /// The variables followed at a node.
    pub(crate) fn tracked(&self, point: Point) -> impl Iterator<Item = VarRef> {
        self.variables(point.procedure)
            .filter(move |&variable| self.tracks(point, variable))
    }

    /// Whether a variable's value at the entry is its value everywhere in the procedure, and
    /// a part of what a call hands over.
    pub(crate) fn is_fixed(&self, id: ProcId, variable: VarRef) -> bool {
        self.is_handed_over(id, variable) && !self.may_change(id, variable)
    }

    /// Whether a variable's value at the entry is handed over by a call and has to be
    /// remembered, since the variable may change.
    pub(crate) fn is_remembered(&self, id: ProcId, variable: VarRef) -> bool {
        self.is_handed_over(id, variable) && self.may_change(id, variable)
    }

    /// The variables whose values a call of a procedure hands over, as the procedure sees
    /// them: globals and parameters that matter to it.
    pub(crate) fn handed_over(&self, id: ProcId) -> impl Iterator<Item = VarRef> {
        self.variables(id)
            .filter(move |&variable| self.is_handed_over(id, variable))
    }

    fn is_handed_over(&self, id: ProcId, variable: VarRef) -> bool {
        let scope = &self.procedures[id.index()];
        let procedure = self.program.procedure(id);
        let comes_from_outside = match variable {
            VarRef::Global(global) => scope.touched[global as usize],
            VarRef::Local(local) => (local as usize) < procedure.parameters,
        };
        let entry = Point {
            procedure: id,
            node: procedure.entry,
        };
        scope.called && comes_from_outside && self.liveness.at(entry).contains(variable)
    }

    fn may_change(&self, id: ProcId, variable: VarRef) -> bool {
        let scope = &self.procedures[id.index()];
        match variable {
            VarRef::Global(global) => scope.written[global as usize],
            // A result leaves under its own name: it must not be the parameter as well.
            VarRef::Local(local) => {
                scope.assigned[local as usize]
                    || self.program.procedure(id).results.contains(&local)
            }
        }
    }

    /// The globals that a procedure touches, and its locals.
    fn variables(&self, id: ProcId) -> impl Iterator<Item = VarRef> {
        let scope = &self.procedures[id.index()];
        let globals = scope.touched.iter().enumerate();
        let globals =
            globals.filter_map(|(index, touched)| touched.then_some(VarRef::Global(index as u32)));
        globals.chain((0..scope.assigned.len() as u32).map(VarRef::Local))
    }
}

impl Scope {
    /// What the procedure does by itself.
    fn of(procedure: &Procedure, globals: usize) -> Self {
        let mut scope = Scope {
            touched: vec![false; globals],
            written: vec![false; globals],
            assigned: vec![false; procedure.locals.len()],
            called: false,
        };
        for edge in &procedure.edges {
            for op in edge.expressions().flat_map(recurva_model::Expr::ops) {
                if let Op::Read(VarRef::Global(global))
                | Op::ReadNext(VarRef::Global(global))
                | Op::Index(VarRef::Global(global))
                | Op::IndexNext(VarRef::Global(global)) = *op
                {
                    scope.touched[global as usize] = true;
                }
            }
            match &edge.action {
                Action::Assign { assigns, .. } => {
                    let places = assigns.iter().map(|(place, _)| place.variable());
                    places.for_each(|variable| scope.write(variable));
                }
                Action::Call { results, .. } => {
                    let places = results.iter().flatten();
                    places.for_each(|&variable| scope.write(variable));
                }
            }
        }
        scope
    }

    fn write(&mut self, variable: VarRef) {
        match variable {
            VarRef::Global(global) => {
                self.touched[global as usize] = true;
                self.written[global as usize] = true;
            }
            VarRef::Local(local) => self.assigned[local as usize] = true,
        }
    }

    /// Adds what another procedure does to the globals; tells whether anything was new.
    fn absorb(&mut self, callee: &Scope) -> bool {
        let mut grew = false;
        let own = self.touched.iter_mut().chain(&mut self.written);
        for (own, &more) in own.zip(callee.touched.iter().chain(&callee.written)) {
            grew |= more && !*own;
            *own |= more;
        }
        grew
    }
}

/// Adds to each procedure what those do that it may call.
fn close(program: &Program, scopes: &mut [Scope]) {
    let mut callers = vec![Vec::new(); scopes.len()];
    for (caller, procedure) in program.procedures().iter().enumerate() {
        for edge in &procedure.edges {
            if let Action::Call { callee, .. } = edge.action {
                scopes[callee.index()].called = true;
                callers[callee.index()].push(caller);
            }
        }
    }
    for list in &mut callers {
        list.dedup();
    }
    let mut open: Vec<usize> = (0..scopes.len()).collect();
    while let Some(callee) = open.pop() {
        let effect = scopes[callee].clone();
        for &caller in &callers[callee] {
            if caller != callee && scopes[caller].absorb(&effect) {
                open.push(caller);
            }
        }
    }
}
