//! Whether a module is what later stages rely on: indices are in range, types fit, the edges of a
//! node exclude each other by their kinds. It does not recurse.

mod expressions;
mod operations;
mod types;

use std::fmt;

use crate::{Edge, Function, FunctionId, InitialValue, Module, NodeId, Operation};

/// Why a module is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// In which function, if in one.
    pub function: Option<FunctionId>,
    /// At which of its edges, if at one.
    pub edge: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// The function and the edge as text.
    at: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.at, self.message)
    }
}

impl std::error::Error for Malformed {}

/// What is wrong with a part.
type Checked = Result<(), String>;

/// Fails with a message unless something holds.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Checked {
    match holds {
        true => Ok(()),
        false => Err(message()),
    }
}

/// Checks that a module is well formed.
pub fn validate(module: &Module) -> Result<(), Malformed> {
    let of_module = |message| Malformed {
        function: None,
        edge: None,
        message,
        at: String::new(),
    };
    types::check(&module.types).map_err(of_module)?;
    for global in &module.globals {
        check_global(module, global)
            .map_err(|message| of_module(format!("global `{}`: {message}", global.name)))?;
    }
    let entry = module.functions.get(module.entry.0 as usize);
    ensure(entry.is_some_and(Function::has_body), || {
        "there is no entry function with a body".to_owned()
    })
    .map_err(of_module)?;
    // Calls look at the parameters of other functions, so these come first.
    for (id, function) in (0..).zip(&module.functions) {
        check_variables(module, function).map_err(|message| Malformed {
            function: Some(FunctionId(id)),
            edge: None,
            message,
            at: format!("function `{}`: ", function.name),
        })?;
    }
    for (id, function) in (0..).zip(&module.functions) {
        check_function(module, FunctionId(id), function)?;
    }
    Ok(())
}

fn check_global(module: &Module, global: &crate::Global) -> Checked {
    let types = &module.types;
    types::in_range(types, global.ty)?;
    let count = global.bytes.len() as u64;
    ensure(count >= types.size(global.ty), || {
        format!(
            "it has {count} bytes, and its type {}",
            types.size(global.ty)
        )
    })?;
    for (offset, value) in &global.addresses {
        let end = offset.checked_add(types.pointer_bytes);
        ensure(end.is_some_and(|end| end <= count), || {
            format!("an address at {offset} lies outside")
        })?;
        let is_in_range = match value {
            InitialValue::Global(id, _) => (id.0 as usize) < module.globals.len(),
            InitialValue::Function(id) => (id.0 as usize) < module.functions.len(),
        };
        ensure(is_in_range, || {
            format!("the address at {offset} is of nothing")
        })?;
    }
    Ok(())
}

fn check_variables(module: &Module, function: &Function) -> Checked {
    for local in &function.locals {
        types::in_range(&module.types, local.ty)?;
    }
    ensure(
        function.parameters as usize <= function.locals.len(),
        || "it has more parameters than variables".to_owned(),
    )?;
    if let Some(ty) = function.result_type {
        types::in_range(&module.types, ty)?;
    }
    if let Some(result) = function.result {
        let local = function.locals.get(result.0 as usize);
        let fits = match (local, function.result_type) {
            (Some(local), Some(ty)) => types::same(&module.types, local.ty, ty),
            _ => false,
        };
        ensure(fits, || {
            "the variable of the result has another type".to_owned()
        })?;
    }
    Ok(())
}

fn check_function(module: &Module, id: FunctionId, function: &Function) -> Result<(), Malformed> {
    let of_function = |message| Malformed {
        function: Some(id),
        edge: None,
        message,
        at: format!("function `{}`: ", function.name),
    };
    check_graph(function).map_err(of_function)?;
    for (index, edge) in (0..).zip(&function.edges) {
        operations::check(module, function, &edge.operation).map_err(|message| Malformed {
            function: Some(id),
            edge: Some(index),
            message,
            at: format!(
                "function `{}`, edge {} -> {} ({}): ",
                function.name,
                edge.from.0,
                edge.to.0,
                module.operation_text(function, &edge.operation)
            ),
        })?;
    }
    Ok(())
}

fn check_graph(function: &Function) -> Checked {
    let is_node = |node: NodeId| (node.0 as usize) < function.nodes.len();
    if !function.has_body() {
        return ensure(function.edges.is_empty(), || {
            "it has edges and no nodes".to_owned()
        });
    }
    ensure(is_node(function.entry) && is_node(function.exit), || {
        "its entry or its exit is no node".to_owned()
    })?;
    for label in &function.labels {
        ensure(is_node(label.node), || {
            format!("label `{}` is at no node", label.name)
        })?;
    }
    let is_assume = |edge: &Edge| matches!(edge.operation, Operation::Assume(_));
    for edge in &function.edges {
        let (from, to) = (edge.from, edge.to);
        ensure(is_node(from) && is_node(to), || {
            format!("edge {} -> {} has an end at no node", from.0, to.0)
        })?;
        ensure(from != function.exit, || {
            format!("edge {} -> {} leaves the exit", from.0, to.0)
        })?;
    }
    for pair in function.edges.windows(2) {
        let [first, second] = pair else { continue };
        ensure(first.from <= second.from, || {
            format!("its edges are not sorted at node {}", second.from.0)
        })?;
        let fits = first.from != second.from || is_assume(first) && is_assume(second);
        ensure(fits, || {
            let node = first.from.0;
            format!("node {node} has several edges, and not all are assumptions")
        })?;
    }
    Ok(())
}
