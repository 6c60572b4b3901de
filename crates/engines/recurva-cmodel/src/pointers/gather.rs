//! From operations to who feeds whom, for the functions that may run.

use recurva_cir::{
    Argument, Base, Callee, Expr, ExprKind, FunctionId, InitialValue, Module, Operation, Part,
    Place, Scalar, Unary,
};
use recurva_model::{Patience, Stop};
use rustc_hash::FxHashSet;

use super::{
    PointsTo, Shift,
    query::{makes_numbers, may_point, step_shift},
    shift_of,
    solver::{Node, Solver, Use},
};
use crate::objects::Objects;

/// A call: what it passes, and where its result goes.
struct Call {
    caller: FunctionId,
    arguments: Vec<Passed>,
    result: Option<Node>,
    is_record: bool,
}

#[derive(Clone, Copy)]
enum Passed {
    /// A value, if it may be a pointer.
    Value(Option<Node>),
    /// A record: where it is.
    Record(Node),
}

struct Gather<'a> {
    module: &'a Module,
    solver: Solver<'a>,
    follows_integers: bool,
    calls: Vec<Call>,
    linked: FxHashSet<(u32, FunctionId)>,
    reachable: Vec<bool>,
    /// Functions that turned out to be reachable, not looked at yet.
    work: Vec<FunctionId>,
}

impl PointsTo {
    /// Analyses a module.
    pub(crate) fn new(
        module: &Module,
        objects: &Objects,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let mut gather = Gather {
            module,
            solver: Solver::new(objects, &module.types),
            follows_integers: makes_pointers_numbers(module),
            calls: Vec::new(),
            linked: FxHashSet::default(),
            reachable: vec![false; module.functions.len()],
            work: Vec::new(),
        };
        gather.globals();
        gather.reach(module.entry);
        loop {
            while let Some(function) = gather.work.pop() {
                gather.function(function, patience)?;
            }
            gather.solver.close(patience)?;
            let called = std::mem::take(&mut gather.solver.called);
            if called.is_empty() {
                break;
            }
            for (call, function) in called {
                gather.link(call, function);
            }
        }
        let mut calls = vec![Vec::new(); module.functions.len()];
        for &(call, function) in &gather.linked {
            let caller = gather.calls[call as usize].caller;
            calls[caller.0 as usize].push(function);
        }
        for list in &mut calls {
            list.sort_unstable();
            list.dedup();
        }
        Ok(PointsTo {
            reachable: gather.reachable,
            calls,
            cells: gather.solver.into_cells(),
        })
    }
}

/// Whether a pointer is made a number somewhere.
fn makes_pointers_numbers(module: &Module) -> bool {
    let mut found = false;
    let edges = module.functions.iter().flat_map(|it| &it.edges);
    for edge in edges {
        edge.operation.visit(&mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Convert(inner) = &expr.kind
            {
                found |= inner.ty == Scalar::Pointer && matches!(expr.ty, Scalar::Int(_));
            }
        });
    }
    found
}

impl Gather<'_> {
    fn globals(&mut self) {
        let objects = self.solver.objects;
        for (index, global) in self.module.globals.iter().enumerate() {
            let object = objects.global(recurva_cir::GlobalId(index as u32));
            let shape = objects.shapes[object.index()];
            for &(offset, value) in &global.addresses {
                let spot = shape.spot(&self.module.types, offset).offset;
                let cell = self.solver.cell((object, spot));
                let target = match value {
                    InitialValue::Function(function) => (objects.function(function), 0),
                    InitialValue::Global(global, bytes) => {
                        let start = (objects.global(global), 0);
                        let shift = Shift::Bytes(bytes);
                        super::solver::shifted(objects, &self.module.types, start, shift)
                    }
                };
                self.solver.add(cell, target);
            }
        }
    }

    fn reach(&mut self, function: FunctionId) {
        if !std::mem::replace(&mut self.reachable[function.0 as usize], true) {
            self.work.push(function);
        }
    }

    fn function(&mut self, id: FunctionId, patience: &mut Patience<'_>) -> Result<(), Stop> {
        for (index, edge) in self.module.function(id).edges.iter().enumerate() {
            patience.step()?;
            self.operation(id, index as u32, &edge.operation);
        }
        Ok(())
    }

    fn operation(&mut self, id: FunctionId, index: u32, operation: &Operation) {
        match operation {
            Operation::Assign(place, value) => {
                if let Some(value) = self.value(id, value) {
                    self.store(id, place, value);
                }
            }
            Operation::Copy(to, from) => {
                let (to, from) = (self.address(id, to), self.address(id, from));
                self.copy(to, from);
            }
            Operation::CopyBytes { to, from, .. } => {
                let (to, from) = (self.value(id, to), self.value(id, from));
                if let (Some(to), Some(from)) = (to, from) {
                    self.copy(to, from);
                }
            }
            Operation::Allocate { result, .. } => {
                let node = self.solver.node();
                let object = self.solver.objects.site(id, index);
                self.solver.add(node, (object, 0));
                self.store(id, result, node);
            }
            Operation::Call {
                callee,
                arguments,
                result,
            } => self.call(id, callee, arguments, result.as_ref()),
            _ => {}
        }
    }

    fn call(
        &mut self,
        id: FunctionId,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Place>,
    ) {
        let arguments = arguments.iter().map(|argument| match argument {
            Argument::Value(value) => Passed::Value(self.value(id, value)),
            Argument::Record(place) => Passed::Record(self.address(id, place)),
        });
        let arguments = arguments.collect();
        let types = &self.module.types;
        let is_record = result.is_some_and(|place| types.scalar(place.ty).is_none());
        let number = self.calls.len() as u32;
        let result = result.map(|place| self.address(id, place));
        self.calls.push(Call {
            caller: id,
            arguments,
            result,
            is_record,
        });
        match callee {
            Callee::Function(function) => self.link(number, *function),
            Callee::Pointer(pointer) => {
                if let Some(pointer) = self.value(id, pointer) {
                    self.solver.feed(pointer, Use::Call(number));
                }
            }
        }
    }

    /// A call turns out to call a function.
    fn link(&mut self, call: u32, function: FunctionId) {
        if !self.linked.insert((call, function)) {
            return;
        }
        self.reach(function);
        let callee = self.module.function(function);
        let objects = self.solver.objects;
        let passed = self.calls[call as usize].arguments.clone();
        for (index, argument) in passed.iter().enumerate().take(callee.parameters as usize) {
            let parameter = objects.local(function, recurva_cir::LocalId(index as u32));
            match *argument {
                Passed::Value(None) => {}
                Passed::Value(Some(value)) => {
                    let cell = self.solver.cell((parameter, 0));
                    self.solver.feed(value, Use::Copy(cell));
                }
                Passed::Record(from) => {
                    let to = self.solver.node();
                    self.solver.add(to, (parameter, 0));
                    self.copy(to, from);
                }
            }
        }
        let Call {
            result, is_record, ..
        } = self.calls[call as usize];
        if let (Some(to), Some(local)) = (result, callee.result) {
            let from = (objects.local(function, local), 0);
            if is_record {
                let node = self.solver.node();
                self.solver.add(node, from);
                self.copy(to, node);
            } else {
                let cell = self.solver.cell(from);
                self.solver.feed(to, Use::Store(cell));
            }
        }
    }

    fn copy(&mut self, to: Node, from: Node) {
        self.solver.feed(to, Use::CopyFrom(from));
        self.solver.feed(from, Use::CopyTo(to));
    }

    fn store(&mut self, id: FunctionId, place: &Place, value: Node) {
        let address = self.address(id, place);
        self.solver.feed(address, Use::Store(value));
    }

    /// The address of a place.
    fn address(&mut self, id: FunctionId, place: &Place) -> Node {
        let (mut node, ty) = match &place.base {
            Base::Var(var) => {
                let object = self.solver.objects.variable(id, *var);
                let node = self.solver.node();
                self.solver.add(node, (object, 0));
                (node, self.solver.objects.shapes[object.index()].ty)
            }
            Base::Deref(pointer, ty) => {
                let node = self.value(id, pointer);
                (node.unwrap_or_else(|| self.solver.node()), Some(*ty))
            }
        };
        let Some(mut at) = ty else {
            return node;
        };
        for step in &place.path {
            let (shift, next) = step_shift(self.module, at, step);
            node = self.shift(node, shift);
            at = next;
        }
        node
    }

    fn shift(&mut self, node: Node, shift: Shift) -> Node {
        if shift == Shift::Bytes(0) {
            return node;
        }
        let to = self.solver.node();
        self.solver.feed(node, Use::Shift(shift, to));
        to
    }

    /// Where a value may point to; `None` if nowhere.
    fn value(&mut self, id: FunctionId, expr: &Expr) -> Option<Node> {
        if !may_point(
            expr.ty,
            self.follows_integers,
            self.module.types.pointer_bytes,
        ) {
            return None;
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let address = self.address(id, place);
                let node = self.solver.node();
                self.solver.feed(address, Use::Load(node));
                Some(node)
            }
            ExprKind::Address(place) => Some(self.address(id, place)),
            ExprKind::Function(function) => {
                let node = self.solver.node();
                let object = self.solver.objects.function(*function);
                self.solver.add(node, (object, 0));
                Some(node)
            }
            ExprKind::Convert(inner) => self.value(id, inner),
            ExprKind::Unary(Unary::Negate | Unary::Not, inner) => {
                let node = self.value(id, inner)?;
                Some(self.shift(node, Shift::Anywhere))
            }
            ExprKind::Binary(operator, left, right) if makes_numbers(*operator) => {
                let node = self.both(id, left, right)?;
                Some(self.shift(node, Shift::Anywhere))
            }
            ExprKind::Offset {
                pointer,
                index,
                size,
            } => {
                let node = self.value(id, pointer)?;
                Some(self.shift(node, shift_of(index, *size)))
            }
            ExprKind::If(_, left, right) => self.both(id, left, right),
            _ => None,
        }
    }

    fn both(&mut self, id: FunctionId, left: &Expr, right: &Expr) -> Option<Node> {
        let nodes = [self.value(id, left), self.value(id, right)];
        let node = self.solver.node();
        let mut is_any = false;
        for from in nodes.into_iter().flatten() {
            self.solver.feed(from, Use::Copy(node));
            is_any = true;
        }
        is_any.then_some(node)
    }
}
