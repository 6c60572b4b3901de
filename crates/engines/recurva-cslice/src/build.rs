//! The slice, once it is known what matters.

use recurva_cir::{
    Argument, Binary, Callee, Edge, Expr, ExprKind, Function, FunctionId, Int, Module, NodeId,
    Operation, Origin, Place, Scalar, Type, Unknown,
};
use recurva_model::{Patience, Stop};

use crate::{
    Figures, Kept, Slice,
    calls::ids,
    followed::is_plain,
    next::Next,
    relevance::{Relevant, Scene, parameters},
    rewrite::{Rewriter, is_deep, not},
};

/// Builds the slice.
pub(crate) fn build(
    scene: Scene<'_>,
    relevant: &Relevant,
    patience: &mut Patience<'_>,
) -> Result<Slice, Stop> {
    let mut module = Module {
        functions: Vec::with_capacity(scene.module.functions.len()),
        ..scene.module.clone()
    };
    let mut slice_edges = Vec::new();
    let mut figures = Figures::default();
    for (id, function) in ids(scene.module) {
        patience.step()?;
        figures.functions += usize::from(function.has_body());
        figures.edges += function.edges.len();
        let is_kept = relevant.keeps(id) || scene.module.entry == id;
        if !is_kept || !function.has_body() {
            module.functions.push(without_body(function));
            slice_edges.push(Vec::new());
            continue;
        }
        let known = scene.known(id);
        let mut making = Making {
            scene,
            relevant,
            id,
            rewriter: Rewriter::new(known, &mut module.types, scene.module),
            nodes: function.nodes.clone(),
            edges: Vec::new(),
            sink: None,
        };
        for node in 0..function.nodes.len() as u32 {
            patience.step()?;
            if making.is_kept(node) {
                making.node(NodeId(node));
            }
        }
        let entry = making.next(function.entry);
        let (function, edges) = making.finish(function, entry);
        figures.kept_functions += 1;
        figures.kept_edges += edges.len();
        module.functions.push(function);
        slice_edges.push(edges);
    }
    Ok(Slice {
        module,
        kept: Kept {
            figures,
            edges: slice_edges,
        },
    })
}

/// A function that is not called in the slice.
fn without_body(function: &Function) -> Function {
    Function {
        nodes: Vec::new(),
        edges: Vec::new(),
        labels: Vec::new(),
        result: None,
        entry: NodeId(0),
        exit: NodeId(0),
        ..function.clone()
    }
}

/// A function of the slice in the making.
struct Making<'a> {
    scene: Scene<'a>,
    relevant: &'a Relevant,
    id: FunctionId,
    rewriter: Rewriter<'a>,
    nodes: Vec<Origin>,
    edges: Vec<(Edge, Option<u32>)>,
    /// A node where nothing goes on.
    sink: Option<NodeId>,
}

/// What is done on the way from one node to another: with the edge of the program, if it is one.
type Work = Vec<(Operation, Option<u32>)>;

impl<'a> Making<'a> {
    fn function(&self) -> &'a Function {
        self.scene.module.function(self.id)
    }

    fn is_kept(&self, node: u32) -> bool {
        self.relevant.next[self.id.0 as usize][node as usize] == Next::One(node)
    }

    fn new_node(&mut self, origin: Origin) -> NodeId {
        self.nodes.push(origin);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The kept node that comes next from a node.
    fn next(&mut self, node: NodeId) -> NodeId {
        match self.relevant.next[self.id.0 as usize][node.0 as usize] {
            Next::One(node) => NodeId(node),
            Next::None | Next::Many => match self.sink {
                Some(sink) => sink,
                None => {
                    let sink = self.new_node(Origin::default());
                    self.sink = Some(sink);
                    sink
                }
            },
        }
    }

    /// Adds edges that do some work on the way from one node to another.
    fn chain(&mut self, from: NodeId, work: Work, to: NodeId, origin: Origin) {
        let last = work.len().saturating_sub(1);
        let mut from = from;
        for (number, (operation, old)) in work.into_iter().enumerate() {
            let target = match number == last {
                true => to,
                false => self.new_node(origin),
            };
            let edge = Edge {
                from,
                to: target,
                operation,
                origin,
            };
            self.edges.push((edge, old));
            from = target;
        }
    }

    /// What has to be done first, and an operation.
    fn after_choices(&mut self, operation: Operation, old: Option<u32>) -> Work {
        let before = std::mem::take(&mut self.rewriter.before);
        let mut work: Work = before.into_iter().map(|it| (it, None)).collect();
        work.push((operation, old));
        work
    }

    /// The edges of a kept node.
    fn node(&mut self, node: NodeId) {
        let function = self.function();
        let outgoing = function.outgoing(node);
        let edges = &function.edges[outgoing.clone()];
        let is_branch = |edge: &Edge| matches!(edge.operation, Operation::Assume(_));
        match edges {
            [] => {}
            [edge] if !is_branch(edge) => self.edge(edge, outgoing.start as u32),
            edges => self.branch(node, edges, outgoing.start as u32),
        }
    }

    /// A node with assumptions: each way is open that the kept part of its condition allows. If that is not
    /// all of the condition, which way is taken is chosen first, so that one is open in any case.
    fn branch(&mut self, node: NodeId, edges: &[Edge], first: u32) {
        self.rewriter.begin();
        let mut ways = Vec::new();
        for (old, edge) in (first..).zip(edges) {
            let condition = match &edge.operation {
                Operation::Assume(condition) if !is_deep(&edge.operation) => {
                    Some(self.rewriter.expr(condition))
                }
                _ => None,
            };
            ways.push((condition, old, edge));
        }
        let is_exact = self.rewriter.before.is_empty() && ways.iter().all(|it| it.0.is_some());
        let mut from = node;
        let mut selected = None;
        if !is_exact {
            let work = self.choice(edges.len());
            let origin = edges[0].origin;
            selected = Some(work.0);
            let target = self.new_node(origin);
            self.chain(from, work.1, target, origin);
            from = target;
        }
        let count = ways.len();
        for (number, (condition, old, edge)) in ways.into_iter().enumerate() {
            let chosen = selected.as_ref().map(|it| is_way(it, number, count));
            let condition = match (chosen, condition) {
                (Some(chosen), Some(condition)) => both(chosen, condition),
                (Some(condition), None) | (None, Some(condition)) => condition,
                (None, None) => continue,
            };
            let to = self.next(edge.to);
            let work = vec![(Operation::Assume(condition), Some(old))];
            self.chain(from, work, to, edge.origin);
        }
    }

    /// A number that says which of so many ways is taken, and what chooses it.
    fn choice(&mut self, count: usize) -> (Expr, Work) {
        let bits = match count {
            0..=256 => 8,
            _ => 32,
        };
        let int = Int {
            bits,
            is_signed: false,
        };
        let ty = self.rewriter.ty(Type::Int(int));
        let number = self.rewriter.any(Scalar::Int(int), Some(ty));
        let before = std::mem::take(&mut self.rewriter.before);
        let work = before.into_iter().map(|it| (it, None)).collect();
        (number, work)
    }

    /// An edge of a kept node that is no assumption.
    fn edge(&mut self, edge: &Edge, old: u32) {
        self.rewriter.begin();
        let to = self.next(edge.to);
        let (from, origin) = (edge.from, edge.origin);
        let operation = &edge.operation;
        if let Operation::Call { .. } = operation
            && self.scene.calls.goes_on(self.scene.module, operation) | self.calls_kept(operation)
        {
            return self.call(edge, old, to);
        }
        let work = match self.relevant.matters(self.scene, self.id, operation) {
            true => {
                let kept = self.operation(operation);
                self.after_choices(kept, Some(old))
            }
            false => vec![(Operation::Skip, Some(old))],
        };
        self.chain(from, work, to, origin);
    }

    fn calls_kept(&self, operation: &Operation) -> bool {
        let callees = self.scene.calls.callees(self.scene.module, operation);
        callees.iter().any(|it| self.relevant.is_effectful(*it))
    }

    /// What is kept of an operation that matters and is no call that comes back.
    fn operation(&mut self, operation: &Operation) -> Operation {
        let is_deep = is_deep(operation);
        let known = self.rewriter.known;
        match operation {
            Operation::Check(check, condition) => {
                let condition = match is_deep {
                    true => self.rewriter.any(Scalar::Bool, None),
                    false => self.rewriter.expr(condition),
                };
                Operation::Check(*check, condition)
            }
            Operation::Error(_) if !self.scene.targets.is_target(operation) => Operation::Abort,
            Operation::Error(_) | Operation::Unsupported(_) => operation.clone(),
            Operation::Exit(_) | Operation::Abort | Operation::Call { .. } => Operation::Abort,
            Operation::Assign(place, value) if !is_deep && known.is_exact_place(place) => {
                let is_kept = known.is_exact(value) || !matches!(value.kind, ExprKind::Load(_));
                match is_kept {
                    true => Operation::Assign(place.clone(), self.rewriter.expr(value)),
                    false => Operation::Havoc(place.clone(), Unknown::NotComputed),
                }
            }
            Operation::Copy(to, from)
                if !is_deep && known.is_exact_place(to) && known.is_exact_place(from) =>
            {
                operation.clone()
            }
            Operation::Zero(place) | Operation::Havoc(place, _)
                if !is_deep && known.is_exact_place(place) =>
            {
                operation.clone()
            }
            other => match other.written() {
                Some(place) if !is_deep && known.is_exact_place(place) => {
                    Operation::Havoc(place.clone(), Unknown::NotComputed)
                }
                Some(place) => self.any_of_variable(place),
                None => Operation::Skip,
            },
        }
    }

    /// Any value for all of the variable that a place is part of.
    fn any_of_variable(&self, place: &Place) -> Operation {
        let recurva_cir::Base::Var(var) = place.base else {
            return Operation::Skip;
        };
        let ty = match var {
            recurva_cir::Var::Global(id) => self.scene.module.global(id).ty,
            recurva_cir::Var::Local(id) => self.function().locals[id.0 as usize].ty,
        };
        Operation::Havoc(Place::whole(var, ty), Unknown::NotComputed)
    }

    /// A call that matters, for what it does or for its result.
    fn call(&mut self, edge: &Edge, old: u32, to: NodeId) {
        let Operation::Call {
            callee,
            arguments,
            result,
        } = &edge.operation
        else {
            return;
        };
        let (from, origin) = (edge.from, edge.origin);
        let (scene, relevant) = (self.scene, self.relevant);
        let callees = scene.calls.callees(scene.module, &edge.operation);
        let result = result.as_ref();
        let result = result.filter(|place| relevant.changed(scene, self.id, place).is_some());
        let is_deep = is_deep(&edge.operation);
        let from_body = result.filter(|place| {
            !is_deep
                && self.rewriter.known.is_exact_place(place)
                && relevant.has_result(scene, &edge.operation, place, &callees)
        });
        let kept: Vec<FunctionId> = match from_body {
            Some(_) => callees.clone(),
            None => (callees.iter().copied())
                .filter(|it| relevant.is_effectful(*it))
                .collect(),
        };
        // Without a body behind it, the result has any value.
        let any_result = match (result, from_body) {
            (Some(place), None) => match !is_deep && self.rewriter.known.is_exact_place(place) {
                true => Some(Operation::Havoc(place.clone(), Unknown::NotComputed)),
                false => Some(self.any_of_variable(place)),
            },
            _ => None,
        };
        let arguments = match is_deep {
            true => &[][..],
            false => &arguments[..],
        };
        let call = |making: &mut Self, callee: FunctionId| {
            let arguments = making.arguments(callee, arguments);
            let call = Operation::Call {
                callee: Callee::Function(callee),
                arguments,
                result: from_body.cloned(),
            };
            let mut work = making.after_choices(call, Some(old));
            work.extend(any_result.clone().map(|it| (it, None)));
            work
        };
        let may_leave = scene.calls.may_leave(scene.module, &edge.operation);
        let is_named = matches!(callee, Callee::Function(_));
        let is_one = is_named || !may_leave && kept.len() == 1 && callees.len() == 1;
        match kept[..] {
            [] => {
                let operation = any_result.clone().unwrap_or(Operation::Skip);
                self.chain(from, vec![(operation, Some(old))], to, origin);
            }
            [callee] if is_one => {
                let work = call(self, callee);
                self.chain(from, work, to, origin);
            }
            _ => {
                let is_other_open = may_leave || kept.len() < callees.len();
                let count = kept.len() + usize::from(is_other_open);
                let (number, work) = self.choice(count);
                let chosen = self.new_node(origin);
                self.chain(from, work, chosen, origin);
                for way in 0..count {
                    let mut work: Work =
                        vec![(Operation::Assume(is_way(&number, way, count)), None)];
                    match kept.get(way) {
                        Some(&callee) => work.extend(call(self, callee)),
                        None => {
                            work.push((any_result.clone().unwrap_or(Operation::Skip), Some(old)));
                        }
                    }
                    self.chain(chosen, work, to, origin);
                }
            }
        }
    }

    /// What a function of the slice is called with.
    fn arguments(&mut self, callee: FunctionId, arguments: &[Argument]) -> Vec<Argument> {
        let types = &self.scene.module.types;
        let mut made = Vec::new();
        for (number, parameter) in (0..).zip(parameters(self.scene.module, callee)) {
            let var = recurva_cir::Var::Local(recurva_cir::LocalId(number));
            let is_relevant = self.relevant.vars.has(callee, var);
            let given = arguments.get(number as usize);
            let scalar = types.scalar(parameter.ty);
            made.push(match (given, scalar) {
                (Some(Argument::Value(value)), Some(scalar)) if is_relevant => {
                    Argument::Value(match value.ty == scalar {
                        true => self.rewriter.expr(value),
                        false => self.rewriter.any(scalar, Some(parameter.ty)),
                    })
                }
                (None | Some(Argument::Record(_)), Some(scalar)) if is_relevant => {
                    Argument::Value(self.rewriter.any(scalar, Some(parameter.ty)))
                }
                (Some(Argument::Record(place)), None)
                    if is_relevant
                        && place.ty == parameter.ty
                        && self.rewriter.known.is_exact_place(place) =>
                {
                    Argument::Record(place.clone())
                }
                (_, Some(Scalar::Float(float))) => Argument::Value(Expr {
                    kind: ExprKind::Float(0.0),
                    ty: Scalar::Float(float),
                }),
                // Nobody looks at it.
                (_, Some(scalar)) => Argument::Value(Expr::constant(0, scalar)),
                (_, None) => {
                    let place = self.rewriter.variable(parameter.ty);
                    if is_plain(types, parameter.ty) {
                        let any = Operation::Havoc(place.clone(), Unknown::NotComputed);
                        self.rewriter.before.push(any);
                    }
                    Argument::Record(place)
                }
            });
        }
        made
    }

    fn finish(mut self, function: &Function, entry: NodeId) -> (Function, Vec<Option<u32>>) {
        self.edges.sort_by_key(|(edge, _)| edge.from);
        let (edges, old) = self.edges.into_iter().unzip();
        let made = Function {
            locals: self.rewriter.locals,
            nodes: self.nodes,
            edges,
            entry,
            ..function.clone()
        };
        (made, old)
    }
}

/// That a number stands for a way out of so many; the last has all numbers that are left.
fn is_way(number: &Expr, way: usize, count: usize) -> Expr {
    let compared = |operator, way: usize| Expr {
        kind: ExprKind::Binary(
            operator,
            Box::new(number.clone()),
            Box::new(Expr::constant(way as u64, number.ty)),
        ),
        ty: Scalar::Bool,
    };
    match way + 1 == count {
        true => not(compared(Binary::Less, way)),
        false => compared(Binary::Equal, way),
    }
}

fn both(left: Expr, right: Expr) -> Expr {
    Expr {
        kind: ExprKind::Binary(Binary::And, Box::new(left), Box::new(right)),
        ty: Scalar::Bool,
    }
}
