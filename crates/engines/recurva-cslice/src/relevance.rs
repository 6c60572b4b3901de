//! What matters for the targets: functions, nodes, variables.

use recurva_cir::{
    Argument, Edge, FunctionId, Local, LocalId, Module, Operation, Place, TypeId, Var,
};
use recurva_model::{Patience, Stop};

use crate::{
    Targets,
    calls::{Calls, ids},
    followed::{Followed, Vars},
    next::{Graph, Next},
    rewrite::{Known, is_deep},
};

/// What is known before anything is relevant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) module: &'a Module,
    pub(crate) targets: &'a Targets<'a>,
    pub(crate) followed: &'a Followed,
    pub(crate) calls: &'a Calls,
}

/// What matters.
#[derive(Debug)]
pub(crate) struct Relevant {
    pub(crate) vars: Vars,
    /// Functions that may come to a target or change a relevant variable of the program, or call one that may.
    pub(crate) effectful: Vec<bool>,
    /// Functions whose result matters.
    pub(crate) results: Vec<bool>,
    /// Of functions that are kept: which node comes next from each node, itself included.
    pub(crate) next: Vec<Vec<Next>>,
}

impl<'a> Scene<'a> {
    pub(crate) fn known(self, function: FunctionId) -> Known<'a> {
        Known {
            followed: self.followed,
            function,
        }
    }
}

impl Relevant {
    /// Lets what is relevant grow until it is closed.
    pub(crate) fn new(scene: Scene<'_>, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let count = scene.module.functions.len();
        let mut relevant = Relevant {
            vars: Vars::none(scene.module),
            effectful: vec![false; count],
            results: vec![false; count],
            next: vec![Vec::new(); count],
        };
        let graphs: Vec<Graph> = scene
            .module
            .functions
            .iter()
            .map(|function| {
                let edges = &function.edges;
                let calls = scene.calls;
                Graph::new(function, |edge| {
                    calls.goes_on(scene.module, &edges[edge].operation)
                })
            })
            .collect();
        loop {
            relevant.find_effectful(scene, patience)?;
            let mut is_closed = true;
            for (id, function) in ids(scene.module) {
                if !relevant.keeps(id) && scene.module.entry != id || !function.has_body() {
                    continue;
                }
                let mut kept = relevant.kept_nodes(scene, id, patience)?;
                let next = graphs[id.0 as usize].close(&mut kept, patience)?;
                relevant.next[id.0 as usize] = next;
                for edge in &function.edges {
                    if kept[edge.from.0 as usize] {
                        is_closed &= !relevant.read(scene, id, edge);
                    }
                }
            }
            if is_closed {
                return Ok(relevant);
            }
        }
    }

    /// Whether a function is part of the slice.
    pub(crate) fn keeps(&self, function: FunctionId) -> bool {
        self.effectful[function.0 as usize] || self.results[function.0 as usize]
    }

    /// Whether a call of it is kept for what the call does, not only for its result.
    pub(crate) fn is_effectful(&self, function: FunctionId) -> bool {
        self.effectful[function.0 as usize]
    }

    fn find_effectful(
        &mut self,
        scene: Scene<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<(), Stop> {
        for (id, function) in ids(scene.module) {
            let mut is_effectful = scene.targets.nodes(function).next().is_some();
            for edge in &function.edges {
                patience.step()?;
                is_effectful |= scene.targets.is_target(&edge.operation);
                let written = edge.operation.written();
                let written = written.and_then(|place| self.changed(scene, id, place));
                is_effectful |= matches!(written, Some(Var::Global(_)));
            }
            self.effectful[id.0 as usize] |= is_effectful && function.has_body();
        }
        scene.calls.with_callers(&mut self.effectful);
        Ok(())
    }

    /// The relevant variable that a write to a place changes.
    pub(crate) fn changed(
        &self,
        scene: Scene<'_>,
        function: FunctionId,
        place: &Place,
    ) -> Option<Var> {
        let var = scene.followed.of(function, place)?;
        self.vars.has(function, var).then_some(var)
    }

    /// The nodes that have to be kept because of what stands at them.
    fn kept_nodes(
        &self,
        scene: Scene<'_>,
        id: FunctionId,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<bool>, Stop> {
        let function = scene.module.function(id);
        let mut kept = vec![false; function.nodes.len()];
        kept[function.exit.0 as usize] = true;
        for node in scene.targets.nodes(function) {
            kept[node as usize] = true;
        }
        for edge in &function.edges {
            patience.step()?;
            let is_alone = || function.outgoing(edge.from).len() == 1;
            let is_kept = match &edge.operation {
                Operation::Assume(condition) => {
                    is_alone() && !is_deep(&edge.operation) && scene.known(id).is_exact(condition)
                }
                operation => self.matters(scene, id, operation),
            };
            kept[edge.from.0 as usize] |= is_kept;
        }
        Ok(kept)
    }

    /// Whether an operation that is no assumption has to be kept.
    pub(crate) fn matters(&self, scene: Scene<'_>, id: FunctionId, operation: &Operation) -> bool {
        if scene.targets.is_target(operation) || !scene.calls.goes_on(scene.module, operation) {
            return true;
        }
        if let Operation::Check(_, condition) = operation {
            return !is_deep(operation) && self.knows(scene, id, condition);
        }
        let written = operation.written();
        let is_written = written.is_some_and(|place| self.changed(scene, id, place).is_some());
        let callees = scene.calls.callees(scene.module, operation);
        is_written || callees.iter().any(|it| self.is_effectful(*it))
    }

    /// Whether an expression is made of relevant variables only.
    fn knows(&self, scene: Scene<'_>, id: FunctionId, expr: &recurva_cir::Expr) -> bool {
        let known = scene.known(id);
        let mut all = known.is_exact(expr);
        let mut any = false;
        known.reads(expr, &mut |var| {
            any = true;
            all &= self.vars.has(id, var);
        });
        all && any
    }

    /// Whether the result of a call comes from the function's body; otherwise it has any value.
    pub(crate) fn has_result(
        &self,
        scene: Scene<'_>,
        operation: &Operation,
        place: &Place,
        callees: &[FunctionId],
    ) -> bool {
        !callees.is_empty()
            && !scene.calls.may_leave(scene.module, operation)
            && place.bits.is_none()
            && callees.iter().all(|id| {
                let function = scene.module.function(*id);
                let is_followed = |local| scene.followed.has(*id, Var::Local(local));
                function.result.is_some_and(is_followed)
                    && function
                        .result_type
                        .is_some_and(|ty| is_same(scene, ty, place.ty))
            })
    }

    /// Makes relevant what a kept edge reads; whether anything is new.
    fn read(&mut self, scene: Scene<'_>, id: FunctionId, edge: &Edge) -> bool {
        let operation = &edge.operation;
        if is_deep(operation) {
            return false;
        }
        let known = scene.known(id);
        let mut found: Vec<(FunctionId, Var)> = Vec::new();
        let mut here = |var| found.push((id, var));
        match operation {
            Operation::Assume(condition) => known.reads(condition, &mut here),
            Operation::Check(..) if !scene.targets.is_target(operation) => {}
            Operation::Check(_, condition) => known.reads(condition, &mut here),
            _ => {
                let written = operation.written();
                let changed = written.filter(|it| self.changed(scene, id, it).is_some());
                if let Some(place) = changed {
                    if known.is_exact_place(place) {
                        known.reads_indices(place, &mut here);
                    }
                    match operation {
                        Operation::Assign(_, value) => known.reads(value, &mut here),
                        Operation::Copy(_, from) if known.is_exact_place(from) => {
                            known.reads_place(from, &mut here);
                        }
                        _ => {}
                    }
                }
                if let Operation::Call { arguments, .. } = operation {
                    self.read_call(scene, id, operation, arguments, changed, &mut found);
                }
            }
        }
        let mut is_new = false;
        for (function, var) in found {
            if scene.followed.has(function, var) {
                is_new |= self.vars.set(function, var, true);
            }
        }
        is_new
    }

    fn read_call(
        &mut self,
        scene: Scene<'_>,
        id: FunctionId,
        operation: &Operation,
        arguments: &[Argument],
        changed: Option<&Place>,
        found: &mut Vec<(FunctionId, Var)>,
    ) {
        let known = scene.known(id);
        let callees = scene.calls.callees(scene.module, operation);
        if changed.is_some_and(|place| self.has_result(scene, operation, place, &callees)) {
            for callee in &callees {
                let result = scene.module.function(*callee).result;
                self.results[callee.0 as usize] = true;
                found.extend(result.map(|local| (*callee, Var::Local(local))));
            }
        }
        for callee in callees.into_iter().filter(|it| self.keeps(*it)) {
            let parameters = scene.module.function(callee).parameters;
            for (number, argument) in (0..parameters).zip(arguments) {
                if !self.vars.has(callee, Var::Local(LocalId(number))) {
                    continue;
                }
                let mut here = |var| found.push((id, var));
                match argument {
                    Argument::Value(value) => known.reads(value, &mut here),
                    Argument::Record(place) if known.is_exact_place(place) => {
                        known.reads_place(place, &mut here);
                    }
                    Argument::Record(_) => {}
                }
            }
        }
    }
}

/// Whether two types are kept in the same way.
fn is_same(scene: Scene<'_>, left: TypeId, right: TypeId) -> bool {
    let types = &scene.module.types;
    left == right || types.scalar(left).is_some() && types.scalar(left) == types.scalar(right)
}

/// The parameters of a function.
pub(crate) fn parameters(module: &Module, id: FunctionId) -> &[Local] {
    let function = module.function(id);
    &function.locals[..function.parameters as usize]
}
