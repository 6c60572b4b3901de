//! Who calls whom, and which calls never come back.

use recurva_cir::{
    Callee, Expr, ExprKind, Function, FunctionId, InitialValue, Module, Operation, Part,
};
use recurva_model::{Patience, Stop};

/// Facts about calls.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The functions with a body whose address is taken.
    addressed: Vec<FunctionId>,
    /// Whether a pointer may point to a function without a body.
    points_outside: bool,
    /// For each function those that may call it.
    callers: Vec<Vec<FunctionId>>,
    /// Whether a call may come back.
    returns: Vec<bool>,
}

impl Calls {
    pub(crate) fn new(module: &Module, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let count = module.functions.len();
        let (addressed, points_outside) = addressed(module, patience)?;
        let mut calls = Calls {
            addressed,
            points_outside,
            callers: vec![Vec::new(); count],
            // What has no body returns.
            returns: module.functions.iter().map(|it| !it.has_body()).collect(),
        };
        for (id, function) in ids(module) {
            for edge in &function.edges {
                patience.step()?;
                for callee in calls.callees(module, &edge.operation) {
                    let callers = &mut calls.callers[callee.0 as usize];
                    if callers.last() != Some(&id) {
                        callers.push(id);
                    }
                }
            }
        }
        let mut waiting: Vec<FunctionId> = ids(module).map(|(id, _)| id).collect();
        while let Some(id) = waiting.pop() {
            patience.step()?;
            if !calls.returns[id.0 as usize] && calls.may_return(module, id, patience)? {
                calls.returns[id.0 as usize] = true;
                waiting.extend(&calls.callers[id.0 as usize]);
            }
        }
        Ok(calls)
    }

    /// The functions with a body that an operation may call.
    pub(crate) fn callees(&self, module: &Module, operation: &Operation) -> Vec<FunctionId> {
        let Operation::Call {
            callee, arguments, ..
        } = operation
        else {
            return Vec::new();
        };
        match callee {
            Callee::Function(id) if module.function(*id).has_body() => vec![*id],
            Callee::Function(_) => Vec::new(),
            Callee::Pointer(_) => {
                let all = self.addressed.iter().copied();
                all.filter(|id| takes(module.function(*id), arguments.len()))
                    .collect()
            }
        }
    }

    /// Whether an operation may call a function without a body, which does nothing and returns any value.
    pub(crate) fn may_leave(&self, module: &Module, operation: &Operation) -> bool {
        let Operation::Call { callee, .. } = operation else {
            return false;
        };
        match callee {
            Callee::Function(id) => !module.function(*id).has_body(),
            Callee::Pointer(_) => self.points_outside,
        }
    }

    /// Whether control may go on behind an operation.
    pub(crate) fn goes_on(&self, module: &Module, operation: &Operation) -> bool {
        match operation {
            Operation::Exit(_) | Operation::Abort | Operation::Error(_) => false,
            Operation::Call { .. } => {
                let callees = self.callees(module, operation);
                callees.is_empty()
                    || self.may_leave(module, operation)
                    || callees.iter().any(|id| self.returns[id.0 as usize])
            }
            _ => true,
        }
    }

    /// The functions of a set and all that may call one of them, directly or not.
    pub(crate) fn with_callers(&self, set: &mut [bool]) {
        let mut waiting: Vec<usize> = (0..set.len()).filter(|&it| set[it]).collect();
        while let Some(id) = waiting.pop() {
            for caller in &self.callers[id] {
                let caller = caller.0 as usize;
                if !std::mem::replace(&mut set[caller], true) {
                    waiting.push(caller);
                }
            }
        }
    }

    fn may_return(
        &self,
        module: &Module,
        id: FunctionId,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let function = module.function(id);
        let mut seen = vec![false; function.nodes.len()];
        let mut waiting = vec![function.entry];
        while let Some(node) = waiting.pop() {
            patience.step()?;
            if node == function.exit {
                return Ok(true);
            }
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            for edge in &function.edges[function.outgoing(node)] {
                if self.goes_on(module, &edge.operation) {
                    waiting.push(edge.to);
                }
            }
        }
        Ok(false)
    }
}

/// The functions of a module with their numbers.
pub(crate) fn ids(module: &Module) -> impl Iterator<Item = (FunctionId, &Function)> {
    (0..).map(FunctionId).zip(&module.functions)
}

fn takes(function: &Function, arguments: usize) -> bool {
    let parameters = function.parameters as usize;
    match function.is_variadic {
        true => arguments >= parameters,
        false => arguments == parameters,
    }
}

/// The functions with a body whose address is taken somewhere, and whether there are any without one.
fn addressed(
    module: &Module,
    patience: &mut Patience<'_>,
) -> Result<(Vec<FunctionId>, bool), Stop> {
    let mut is_addressed = vec![false; module.functions.len()];
    for (_, value) in module.globals.iter().flat_map(|it| &it.addresses) {
        if let InitialValue::Function(id) = value {
            is_addressed[id.0 as usize] = true;
        }
    }
    for edge in module.functions.iter().flat_map(|it| &it.edges) {
        patience.step()?;
        edge.operation.visit(&mut |part| {
            if let Part::Expr(Expr {
                kind: ExprKind::Function(id),
                ..
            }) = part
            {
                is_addressed[id.0 as usize] = true;
            }
        });
    }
    let all = ids(module).filter(|(id, _)| is_addressed[id.0 as usize]);
    let (inside, outside): (Vec<_>, Vec<_>) = all.partition(|(_, it)| it.has_body());
    let inside = inside.into_iter().map(|(id, _)| id).collect();
    Ok((inside, !outside.is_empty()))
}
