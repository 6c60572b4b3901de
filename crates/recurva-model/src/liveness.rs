//! Live variables: whose values can still matter?
//!
//! A backward analysis over all procedures at once. A variable is *live* at a node if, on
//! some path from there, its value decides whether a step is possible, or flows into one
//! that does. A value that only flows into dead variables is dead too ("faint"), so a
//! counter that nobody tests is forgotten with all that feeds it.
//!
//! Globals are followed through calls: what is live at a procedure's exit is what is live
//! after some call of it, and what is live before a call is what is live at the callee's
//! entry. Locals of the caller that are live after the call stay live across it.

use crate::{
    Action, Edge, Expr, Guard, GuardOp, NodeId, Op, Place, Point, ProcId, Program, VarRef,
};

/// A set of the variables in scope at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarSet {
    words: Box<[u64]>,
    globals: u32,
}

impl VarSet {
    fn new(globals: usize, locals: usize) -> Self {
        let words = (globals + locals).div_ceil(64);
        VarSet {
            words: vec![0; words].into(),
            globals: globals as u32,
        }
    }

    fn index(&self, variable: VarRef) -> usize {
        match variable {
            VarRef::Global(index) => index as usize,
            VarRef::Local(index) => (self.globals + index) as usize,
        }
    }

    /// Whether a variable is in the set.
    pub fn contains(&self, variable: VarRef) -> bool {
        let index = self.index(variable);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    fn insert(&mut self, variable: VarRef) {
        let index = self.index(variable);
        self.words[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, variable: VarRef) {
        let index = self.index(variable);
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// Adds all of another set over the same scope; tells whether anything was new.
    fn unite(&mut self, other: &VarSet) -> bool {
        let mut grew = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// For each procedure, the live variables at each node.
    live: Vec<Vec<VarSet>>,
}

impl Liveness {
    /// Analyses a program. The variables that `observed` guards read are live wherever they
    /// are in scope.
    pub fn new<'g>(program: &Program, observed: impl IntoIterator<Item = &'g Guard>) -> Self {
        let mut analysis = Analysis::new(program);
        for op in observed.into_iter().flat_map(Guard::ops) {
            analysis.observe(op);
        }
        analysis.run();
        Liveness {
            live: analysis.live,
        }
    }

    /// The result if nothing is ever forgotten: every variable is live everywhere.
    pub fn everything(program: &Program) -> Self {
        let globals = program.globals().len();
        let all = |procedure: &crate::Procedure| {
            let mut set = VarSet::new(globals, procedure.locals.len());
            set.words.fill(u64::MAX);
            vec![set; procedure.nodes.len()]
        };
        Liveness {
            live: program.procedures().iter().map(all).collect(),
        }
    }

    /// The live variables at a node.
    pub fn at(&self, point: Point) -> &VarSet {
        &self.live[point.procedure.index()][point.node.index()]
    }

    /// Whether an assignment on an internal edge can be left out: its target is dead after
    /// the step and not looked at by the constraint, and it cannot fault.
    pub fn is_idle(&self, procedure: ProcId, edge: &Edge, place: &Place, value: &Expr) -> bool {
        let after = self.at(Point {
            procedure,
            node: edge.to,
        });
        is_idle(after, edge, place, value)
    }
}

fn is_idle(after: &VarSet, edge: &Edge, place: &Place, value: &Expr) -> bool {
    let Place::Scalar(target) = *place else {
        return false;
    };
    let constrained = match &edge.action {
        Action::Assign {
            constraint: Some(constraint),
            ..
        } => constraint.ops().contains(&Op::ReadNext(target)),
        _ => false,
    };
    !after.contains(target) && !constrained && !value.can_fault()
}

struct Analysis<'p> {
    program: &'p Program,
    live: Vec<Vec<VarSet>>,
    /// For each procedure and node, the nodes with an edge to it.
    predecessors: Vec<Vec<Vec<NodeId>>>,
    /// For each procedure, the call edges that call it.
    callers: Vec<Vec<(ProcId, &'p Edge)>>,
    /// Nodes whose set may have to grow.
    work: Vec<Point>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program) -> Self {
        let globals = program.globals().len();
        let procedures = program.procedures();
        let mut callers = vec![Vec::new(); procedures.len()];
        let mut predecessors = Vec::with_capacity(procedures.len());
        let mut live = Vec::with_capacity(procedures.len());
        let mut work = Vec::new();
        for (index, procedure) in procedures.iter().enumerate() {
            let id = ProcId(index as u32);
            let mut into = vec![Vec::new(); procedure.nodes.len()];
            for edge in &procedure.edges {
                into[edge.to.index()].push(edge.from);
                if let Action::Call { callee, .. } = edge.action {
                    callers[callee.index()].push((id, edge));
                }
            }
            predecessors.push(into);
            live.push(vec![
                VarSet::new(globals, procedure.locals.len());
                procedure.nodes.len()
            ]);
            let nodes = 0..procedure.nodes.len() as u32;
            work.extend(nodes.map(|node| Point {
                procedure: id,
                node: NodeId(node),
            }));
        }
        Analysis {
            program,
            live,
            predecessors,
            callers,
            work,
        }
    }

    fn observe(&mut self, op: &GuardOp) {
        match *op {
            GuardOp::Plain(Op::Read(variable) | Op::Index(variable)) => {
                self.live
                    .iter_mut()
                    .flatten()
                    .for_each(|set| set.insert(variable));
            }
            GuardOp::Local(procedure, local, _) | GuardOp::LocalIndex(procedure, local, _) => {
                let sets = self.live[procedure.index()].iter_mut();
                sets.for_each(|set| set.insert(VarRef::Local(local)));
            }
            GuardOp::Plain(_) | GuardOp::At(_) | GuardOp::In(_) => {}
        }
    }

    fn run(&mut self) {
        while let Some(point) = self.work.pop() {
            let set = self.before(point);
            if self.live[point.procedure.index()][point.node.index()].unite(&set) {
                self.wake_dependents(point);
            }
        }
    }

    /// What must be live at a node for the sake of its edges, or of its callers.
    fn before(&self, point: Point) -> VarSet {
        let procedure = self.program.procedure(point.procedure);
        let mut set = VarSet::new(self.program.globals().len(), procedure.locals.len());
        if point.node == procedure.exit {
            for (caller, edge) in &self.callers[point.procedure.index()] {
                self.add_return(*caller, edge, procedure, &mut set);
            }
        }
        for (_, edge) in self.program.edges_from(point) {
            self.add_edge(point.procedure, edge, &mut set);
        }
        set
    }

    /// At an exit: the globals that are live behind a call, and the results it uses.
    fn add_return(&self, caller: ProcId, edge: &Edge, callee: &crate::Procedure, set: &mut VarSet) {
        let Action::Call { results, .. } = &edge.action else {
            return;
        };
        let after = &self.live[caller.index()][edge.to.index()];
        for global in (0..self.program.globals().len() as u32).map(VarRef::Global) {
            if after.contains(global) && !results.contains(&Some(global)) {
                set.insert(global);
            }
        }
        for (result, &local) in results.iter().zip(&callee.results) {
            if result.is_some_and(|variable| after.contains(variable)) {
                set.insert(VarRef::Local(local));
            }
        }
    }

    fn add_edge(&self, procedure: ProcId, edge: &Edge, set: &mut VarSet) {
        let after = &self.live[procedure.index()][edge.to.index()];
        add_reads(&edge.guard, set);
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                let mut passed = after.clone();
                if let Some(constraint) = constraint {
                    add_reads(constraint, set);
                    for op in constraint.ops() {
                        if let Op::ReadNext(variable) | Op::IndexNext(variable) = *op {
                            passed.insert(variable);
                        }
                    }
                }
                for (place, _) in assigns {
                    if let Place::Scalar(variable) = *place {
                        passed.remove(variable);
                    }
                }
                for (place, value) in assigns {
                    if let Place::Element(_, index) = place {
                        add_reads(index, set);
                    }
                    if !is_idle(after, edge, place, value) {
                        add_reads(value, set);
                    }
                }
                set.unite(&passed);
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let target = self.program.procedure(*callee);
                let entry = &self.live[callee.index()][target.entry.index()];
                for (index, argument) in arguments.iter().enumerate() {
                    if entry.contains(VarRef::Local(index as u32)) || argument.can_fault() {
                        add_reads(argument, set);
                    }
                }
                for global in (0..self.program.globals().len() as u32).map(VarRef::Global) {
                    if entry.contains(global) {
                        set.insert(global);
                    }
                }
                let locals = self.program.procedure(procedure).locals.len() as u32;
                for local in (0..locals).map(VarRef::Local) {
                    if after.contains(local) && !results.contains(&Some(local)) {
                        set.insert(local);
                    }
                }
            }
        }
    }

    /// A node's set grew: whoever looked at it has to look again.
    fn wake_dependents(&mut self, point: Point) {
        let Point {
            procedure: id,
            node,
        } = point;
        let procedure = self.program.procedure(id);
        for &from in &self.predecessors[id.index()][node.index()] {
            self.work.push(Point {
                procedure: id,
                node: from,
            });
            for (_, edge) in self.program.edges_from(Point {
                procedure: id,
                node: from,
            }) {
                if let (Action::Call { callee, .. }, true) = (&edge.action, edge.to == node) {
                    let exit = self.program.procedure(*callee).exit;
                    self.work.push(Point {
                        procedure: *callee,
                        node: exit,
                    });
                }
            }
        }
        if node == procedure.entry {
            for (caller, edge) in &self.callers[id.index()] {
                self.work.push(Point {
                    procedure: *caller,
                    node: edge.from,
                });
            }
        }
    }
}

/// Adds the variables whose present value an expression reads.
fn add_reads(expr: &Expr, set: &mut VarSet) {
    for op in expr.ops() {
        if let Op::Read(variable) | Op::Index(variable) = *op {
            set.insert(variable);
        }
    }
}
