//! Nodes and variables of all procedures, numbered through.

use recurva_model::{Point, ProcId, Program, VarRef};

/// Where the numbers of each procedure begin.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    first_nodes: Vec<usize>,
    first_locals: Vec<usize>,
    nodes: usize,
    variables: usize,
}

impl Numbers {
    pub(crate) fn new(program: &Program) -> Self {
        let mut numbers = Numbers {
            first_nodes: Vec::with_capacity(program.procedures().len()),
            first_locals: Vec::with_capacity(program.procedures().len()),
            nodes: 0,
            variables: program.globals().len(),
        };
        for procedure in program.procedures() {
            numbers.first_nodes.push(numbers.nodes);
            numbers.first_locals.push(numbers.variables);
            numbers.nodes += procedure.nodes.len();
            numbers.variables += procedure.locals.len();
        }
        numbers
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many variables there are: the globals, then the locals of each procedure.
    pub(crate) fn variables(&self) -> usize {
        self.variables
    }

    pub(crate) fn node(&self, point: Point) -> usize {
        self.first_nodes[point.procedure.index()] + point.node.index()
    }

    pub(crate) fn variable(&self, procedure: ProcId, variable: VarRef) -> usize {
        match variable {
            VarRef::Global(index) => index as usize,
            VarRef::Local(index) => self.first_locals[procedure.index()] + index as usize,
        }
    }
}

/// The entry of a procedure.
pub(crate) fn entry(program: &Program, procedure: ProcId) -> Point {
    let node = program.procedure(procedure).entry;
    Point { procedure, node }
}

/// The exit of a procedure.
pub(crate) fn exit(program: &Program, procedure: ProcId) -> Point {
    let node = program.procedure(procedure).exit;
    Point { procedure, node }
}

/// The procedures of a program.
pub(crate) fn procedures(program: &Program) -> impl Iterator<Item = ProcId> + use<> {
    (0..program.procedures().len() as u32).map(ProcId)
}
