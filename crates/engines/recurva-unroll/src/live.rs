//! Which variables matter where.

use recurva_model::{Action, Expr, Op, Place, Point, ProcId, Program, VarRef};

/// Which variables matter where.
pub(crate) struct Live {
    /// For each procedure and node, the locals that may still be read.
    live: Vec<Vec<Vec<bool>>>,
    /// Globals that are read anywhere.
    read: Vec<bool>,
    /// For each procedure, the globals that it or what it calls may write.
    written: Vec<Vec<bool>>,
}

impl Live {
    pub(crate) fn new(program: &Program) -> Self {
        let globals = program.globals().len();
        let mut live = Live {
            live: Vec::new(),
            read: vec![false; globals],
            written: vec![vec![false; globals]; program.procedures().len()],
        };
        for (index, procedure) in program.procedures().iter().enumerate() {
            for edge in &procedure.edges {
                for variable in edge.expressions().flat_map(reads) {
                    if let VarRef::Global(global) = variable {
                        live.read[global as usize] = true;
                    }
                }
                for variable in writes(&edge.action) {
                    if let VarRef::Global(global) = variable {
                        live.written[index][global as usize] = true;
                    }
                }
            }
            live.live.push(locals(program, ProcId(index as u32)));
        }
        live.close(program);
        live
    }

    /// What a callee writes, its callers write.
    fn close(&mut self, program: &Program) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (index, procedure) in program.procedures().iter().enumerate() {
                for edge in &procedure.edges {
                    let Action::Call { callee, .. } = edge.action else {
                        continue;
                    };
                    for global in 0..self.read.len() {
                        if self.written[callee.index()][global] && !self.written[index][global] {
                            self.written[index][global] = true;
                            has_changed = true;
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn is_read(&self, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(global) => self.read[global as usize],
            VarRef::Local(_) => true,
        }
    }

    pub(crate) fn is_written_in(&self, procedure: ProcId, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(global) => self.written[procedure.index()][global as usize],
            VarRef::Local(_) => true,
        }
    }

    pub(crate) fn is_live(&self, point: Point, local: usize) -> bool {
        self.live[point.procedure.index()][point.node.index()][local]
    }
}

fn reads(expression: &Expr) -> impl Iterator<Item = VarRef> + '_ {
    expression.ops().iter().filter_map(|op| match *op {
        Op::Read(it) | Op::ReadNext(it) | Op::Index(it) | Op::IndexNext(it) => Some(it),
        _ => None,
    })
}

fn writes(action: &Action) -> Vec<VarRef> {
    match action {
        Action::Assign { assigns, .. } => assigns.iter().map(|it| it.0.variable()).collect(),
        Action::Call { results, .. } => results.iter().copied().flatten().collect(),
    }
}

fn locals(program: &Program, procedure: ProcId) -> Vec<Vec<bool>> {
    let procedure = program.procedure(procedure);
    let count = procedure.locals.len();
    let mut live = vec![vec![false; count]; procedure.nodes.len()];
    for &result in &procedure.results {
        live[procedure.exit.index()][result as usize] = true;
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for edge in procedure.edges.iter().rev() {
            let mut here = live[edge.to.index()].clone();
            let scalars: Vec<VarRef> = match &edge.action {
                Action::Assign { assigns, .. } => {
                    let scalars = assigns.iter().filter(|it| matches!(it.0, Place::Scalar(_)));
                    scalars.map(|it| it.0.variable()).collect()
                }
                Action::Call { results, .. } => results.iter().copied().flatten().collect(),
            };
            for variable in scalars {
                if let VarRef::Local(local) = variable {
                    here[local as usize] = false;
                }
            }
            for variable in edge.expressions().flat_map(reads) {
                if let VarRef::Local(local) = variable {
                    here[local as usize] = true;
                }
            }
            let from = &mut live[edge.from.index()];
            for (from, here) in from.iter_mut().zip(here) {
                has_changed |= here && !*from;
                *from |= here;
            }
        }
    }
    live
}
