//! Which functions may be running more than once at a time, or at all more than once.

use recurva_cir::{Callee, FunctionId, Module, Operation};

use crate::pointers::PointsTo;

/// Facts about calls.
#[derive(Debug)]
pub(crate) struct CallGraph {
    recursive: Vec<bool>,
    once: Vec<bool>,
}

impl CallGraph {
    pub(crate) fn new(module: &Module, points_to: &PointsTo) -> Self {
        let count = module.functions.len();
        let recursive = (0..count as u32)
            .map(|id| reaches(points_to, FunctionId(id), FunctionId(id)))
            .collect();
        let mut graph = CallGraph {
            recursive,
            once: vec![false; count],
        };
        let is_called = points_to
            .calls
            .iter()
            .any(|list| list.contains(&module.entry));
        graph.once[module.entry.0 as usize] = !is_called;
        // From callers to callees: a function called by one edge, in no loop, of one that runs once.
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for id in (0..count as u32).map(FunctionId) {
                if graph.once[id.0 as usize] || !points_to.reachable[id.0 as usize] {
                    continue;
                }
                if graph.is_called_once(module, points_to, id) {
                    graph.once[id.0 as usize] = true;
                    is_changed = true;
                }
            }
        }
        graph
    }

    /// Whether a function may be called while it runs.
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.0 as usize]
    }

    /// Whether a function is called at most once in a run.
    pub(crate) fn runs_once(&self, function: FunctionId) -> bool {
        self.once[function.0 as usize]
    }

    fn is_called_once(&self, module: &Module, points_to: &PointsTo, callee: FunctionId) -> bool {
        let mut sites = Vec::new();
        for caller in (0..module.functions.len() as u32).map(FunctionId) {
            if !points_to.reachable[caller.0 as usize]
                || !points_to.calls[caller.0 as usize].contains(&callee)
            {
                continue;
            }
            for (index, edge) in module.function(caller).edges.iter().enumerate() {
                if let Operation::Call { callee: called, .. } = &edge.operation {
                    match called {
                        Callee::Function(function) if *function != callee => {}
                        Callee::Function(_) => sites.push((caller, index)),
                        Callee::Pointer(_) => return false,
                    }
                }
            }
        }
        match sites[..] {
            [(caller, edge)] => {
                self.runs_once(caller) && !is_in_loop(module.function(caller), edge)
            }
            _ => false,
        }
    }
}

fn reaches(points_to: &PointsTo, from: FunctionId, to: FunctionId) -> bool {
    let mut seen = vec![false; points_to.calls.len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        for &callee in &points_to.calls[at.0 as usize] {
            if callee == to {
                return true;
            }
            if !std::mem::replace(&mut seen[callee.0 as usize], true) {
                work.push(callee);
            }
        }
    }
    false
}

/// Whether an edge can be taken twice in one call of its function.
fn is_in_loop(function: &recurva_cir::Function, edge: usize) -> bool {
    let edge = &function.edges[edge];
    let mut seen = vec![false; function.nodes.len()];
    let mut work = vec![edge.to];
    while let Some(node) = work.pop() {
        if node == edge.from {
            return true;
        }
        if std::mem::replace(&mut seen[node.0 as usize], true) {
            continue;
        }
        work.extend(
            function
                .outgoing(node)
                .map(|index| function.edges[index].to),
        );
    }
    false
}
