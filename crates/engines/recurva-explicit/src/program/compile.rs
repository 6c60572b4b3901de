//! A program and perhaps who watches it, compiled once for the search.

use recurva_model::{
    Action, Edge, EdgeId, Expr, NodeId, Op, Patience, Place, Point, ProcId, Program, Stop, VarRef,
    liveness::Liveness,
};

use super::{
    Ending, Reductions,
    code::{Code, Codes},
    layout::{Layout, SlotId},
    watch::{Table, Tables},
    watcher::{Steps, Watcher},
};

/// A control point: all nodes of all procedures, numbered through.
pub(crate) type PointId = u32;

/// What an assignment or a parameter gets.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Any value: it becomes unknown.
    Any,
    /// The value of a slot that is not needed any more, known or not.
    Moved(SlotId),
    /// The value of an expression.
    Computed(Code),
}

/// Where an assignment writes.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Slot(SlotId),
    Element {
        first: SlotId,
        len: u32,
        index: Code,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum CompiledAction {
    Assign {
        writes: Vec<(Target, Value)>,
        constraint: Option<Code>,
    },
    /// Index into [`Compiled::calls`].
    Call(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledEdge {
    pub(crate) id: EdgeId,
    /// `None` is always open.
    pub(crate) guard: Option<Code>,
    pub(crate) action: CompiledAction,
    pub(crate) to: PointId,
}

/// A call site.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: ProcId,
    pub(crate) entry: PointId,
    /// A value for each parameter that is live at the entry.
    pub(crate) arguments: Vec<(SlotId, Value)>,
    /// Where control returns to.
    pub(crate) to: PointId,
    /// From the callee's slot to the caller's.
    pub(crate) results: Vec<(SlotId, SlotId)>,
    /// The bits of the caller's locals that it still needs after the call.
    pub(crate) kept: Box<[u64]>,
}

/// What is known about a control point.
#[derive(Clone, Debug)]
pub(crate) struct PointInfo {
    pub(crate) point: Point,
    pub(crate) is_exit: bool,
    /// The run is over here, and stutters.
    pub(crate) is_final: bool,
    /// The range of its edges in [`Compiled::edges`].
    pub(crate) edges: std::ops::Range<u32>,
    /// What the watcher may do on arrival: index into [`Compiled::tables`].
    pub(crate) table: u32,
}

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) layout: Layout,
    pub(crate) codes: Codes,
    pub(crate) points: Vec<PointInfo>,
    /// The number of each procedure's first node.
    pub(crate) first_points: Vec<PointId>,
    /// The number of the first node of the frame in which runs begin. If the main procedure is
    /// called too and its first frame ends differently, that frame has points of its own.
    pub(crate) outermost: PointId,
    pub(crate) tables: Vec<Table>,
    pub(crate) edges: Vec<CompiledEdge>,
    pub(crate) calls: Vec<Call>,
    /// The bits of all globals.
    pub(crate) globals: Box<[u64]>,
    /// For each procedure, the bits that make all its locals unknown.
    pub(crate) blank: Vec<Box<[u64]>>,
    /// For each point `layout.words` words: the bits of live variables and of the control.
    pub(crate) live: Vec<u64>,
    /// For each point `layout.words` words: the unknown bits of dead variables.
    pub(crate) dead: Vec<u64>,
}

struct Compiler<'a> {
    program: &'a Program,
    liveness: Liveness,
    codes: Codes,
    layout: Layout,
    first_points: Vec<PointId>,
}

impl Compiled {
    pub(crate) fn new(
        program: &Program,
        watcher: Option<&Watcher>,
        reductions: Reductions,
        ending: Ending,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let liveness = if reductions.liveness {
            let observed = watcher.iter().flat_map(|w| &w.conditions);
            Liveness::new(program, observed, patience)?
        } else {
            Liveness::everything(program)
        };
        let mut first_points = Vec::new();
        let mut count = 0;
        for procedure in program.procedures() {
            first_points.push(count as PointId);
            count += procedure.nodes.len();
        }
        let main = program.main();
        let stutters = ending == Ending::Stutters;
        let mut frames: Vec<(ProcId, PointId)> =
            (0..).map(ProcId).zip(first_points.clone()).collect();
        let mut outermost = first_points[main.index()];
        if stutters && calls(program, main) {
            outermost = count as PointId;
            frames.push((main, outermost));
            count += program.procedure(main).nodes.len();
        }
        let watching = watcher.map_or(1, |watcher| watcher.states.len().max(watcher.heads));
        let layout = Layout::new(program, count, watching);
        let mut compiler = Compiler {
            program,
            liveness,
            codes: Codes::default(),
            layout,
            first_points,
        };
        let mut tables = Tables::default();
        let mut points = Vec::with_capacity(count);
        let mut edges = Vec::new();
        let mut calls = Vec::new();
        let (mut live, mut dead) = (Vec::new(), Vec::new());
        for (id, first) in frames {
            let procedure = program.procedure(id);
            for node in 0..procedure.nodes.len() as u32 {
                let point = Point {
                    procedure: id,
                    node: NodeId(node),
                };
                let start = edges.len() as u32;
                patience.work(compiler.work(id))?;
                for (number, edge) in program.edges_from(point) {
                    patience.step()?;
                    edges.push(compiler.edge(id, first, number, edge, &mut calls));
                }
                let is_final = stutters && first == outermost && procedure.exit == point.node;
                let calls = |edge: &CompiledEdge| matches!(edge.action, CompiledAction::Call(_));
                let leaving = &edges[start as usize..];
                let steps = Steps {
                    internal: is_final || leaving.iter().any(|edge| !calls(edge)),
                    call: leaving.iter().any(calls),
                    back: procedure.exit == point.node,
                };
                let table = watcher.map_or(0, |watcher| {
                    let steps = watcher.distinguishes(steps);
                    tables.add(watcher, point, steps, |expr| compiler.code(id, expr))
                });
                points.push(PointInfo {
                    point,
                    is_exit: procedure.exit == point.node && !is_final,
                    is_final,
                    edges: start..edges.len() as u32,
                    table,
                });
                compiler.add_masks(point, &mut live, &mut dead);
            }
        }
        let Compiler {
            codes,
            layout,
            first_points,
            ..
        } = compiler;
        let mut globals = vec![0; layout.words].into_boxed_slice();
        for slot in layout.global_slots() {
            layout.slot(slot).mark(&mut globals);
        }
        let blank = (0..program.procedures().len() as u32)
            .map(|procedure| {
                let mut words = vec![0; layout.words].into_boxed_slice();
                for slot in layout.local_slots(ProcId(procedure)) {
                    layout.slot(slot).set(&mut words, None);
                }
                words
            })
            .collect();
        Ok(Compiled {
            layout,
            codes,
            points,
            first_points,
            outermost,
            tables: tables.tables,
            edges,
            calls,
            globals,
            blank,
            live,
            dead,
        })
    }

    pub(crate) fn point_id(&self, point: Point) -> PointId {
        self.first_points[point.procedure.index()] + point.node.0
    }
}

/// Whether some edge calls a procedure.
fn calls(program: &Program, wanted: ProcId) -> bool {
    let edges = program.procedures().iter().flat_map(|p| &p.edges);
    edges
        .map(|edge| &edge.action)
        .any(|action| matches!(action, Action::Call { callee, .. } if *callee == wanted))
}

impl Compiler<'_> {
    /// How much there is to do for a node: something for each variable in scope.
    fn work(&self, procedure: ProcId) -> u64 {
        let locals = self.program.procedure(procedure).locals.len();
        16 + (self.program.globals().len() + locals) as u64
    }

    fn point_id(&self, procedure: ProcId, node: NodeId) -> PointId {
        self.first_points[procedure.index()] + node.0
    }

    fn code(&mut self, procedure: ProcId, expr: &Expr) -> Code {
        self.codes
            .compile(self.program, &self.layout, procedure, expr)
    }

    /// Compiles an edge of a frame whose first node has the number `first`.
    fn edge(
        &mut self,
        procedure: ProcId,
        first: PointId,
        id: EdgeId,
        edge: &Edge,
        calls: &mut Vec<Call>,
    ) -> CompiledEdge {
        // A guard that is nothing but `*` can always come out true.
        let open = edge.guard.is_truth() || is_free(edge, &edge.guard);
        let guard = (!open).then(|| self.code(procedure, &edge.guard));
        let to = first + edge.to.0;
        let action = match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => self.assign(procedure, edge, assigns, constraint.as_ref()),
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let call = self.call(procedure, to, edge, *callee, arguments, results);
                calls.push(call);
                CompiledAction::Call(calls.len() as u32 - 1)
            }
        };
        CompiledEdge {
            id,
            guard,
            action,
            to,
        }
    }

    fn assign(
        &mut self,
        procedure: ProcId,
        edge: &Edge,
        assigns: &[(Place, Expr)],
        constraint: Option<&Expr>,
    ) -> CompiledAction {
        let after = Point {
            procedure,
            node: edge.to,
        };
        let busy: Vec<&(Place, Expr)> = assigns
            .iter()
            .filter(|(place, value)| !self.liveness.is_idle(procedure, edge, place, value))
            .collect();
        let overwritten = |variable| busy.iter().any(|(p, _)| *p == Place::Scalar(variable));
        // What the step does not write has the same value after it.
        let constraint_reads = |variable| {
            let ops = constraint.map_or(&[][..], Expr::ops);
            ops.contains(&Op::Read(variable))
                || !overwritten(variable) && ops.contains(&Op::ReadNext(variable))
        };
        let evaluated: Vec<&Expr> = busy
            .iter()
            .flat_map(|(place, value)| match place {
                Place::Scalar(_) => [Some(value), None],
                Place::Element(_, index) => [Some(value), Some(index)],
            })
            .flatten()
            .collect();
        // The old value may move if nobody looks at it again: neither the rest of the edge
        // nor anyone after it. A copy that stays behind would have to be the same value.
        let movable: Vec<bool> = busy
            .iter()
            .map(|(_, value)| {
                value.as_read().is_some_and(|variable| {
                    let gone = overwritten(variable) || !self.liveness.at(after).contains(variable);
                    gone && !constraint_reads(variable) && reads(&evaluated, variable) == 1
                })
            })
            .collect();
        let mut writes = Vec::with_capacity(busy.len());
        for ((place, value), movable) in busy.into_iter().zip(movable) {
            let target = match place {
                Place::Scalar(variable) => Target::Slot(self.layout.slot_of(procedure, *variable)),
                Place::Element(array, index) => Target::Element {
                    first: self.layout.slot_of(procedure, *array),
                    len: self.program.variable(procedure, *array).slots() as u32,
                    index: self.code(procedure, index),
                },
            };
            let value = self.value(procedure, edge, value, movable);
            writes.push((target, value));
        }
        let constraint = constraint.map(|constraint| self.code(procedure, constraint));
        CompiledAction::Assign { writes, constraint }
    }

    fn call(
        &mut self,
        procedure: ProcId,
        to: PointId,
        edge: &Edge,
        callee: ProcId,
        arguments: &[Expr],
        results: &[Option<VarRef>],
    ) -> Call {
        let target = self.program.procedure(callee);
        let entry = Point {
            procedure: callee,
            node: target.entry,
        };
        let after = Point {
            procedure,
            node: edge.to,
        };
        let parameter = |index: usize| VarRef::Local(index as u32);
        let busy: Vec<(usize, &Expr)> = arguments
            .iter()
            .enumerate()
            .filter(|(index, argument)| {
                self.liveness.at(entry).contains(parameter(*index)) || argument.can_fault()
            })
            .collect();
        let evaluated: Vec<&Expr> = busy.iter().map(|(_, argument)| *argument).collect();
        let mut compiled = Vec::with_capacity(busy.len());
        for &(index, argument) in &busy {
            let movable = argument.as_read().is_some_and(|variable| {
                let gone = match variable {
                    VarRef::Global(_) => !self.liveness.at(entry).contains(variable),
                    VarRef::Local(_) => {
                        results.contains(&Some(variable))
                            || !self.liveness.at(after).contains(variable)
                    }
                };
                gone && reads(&evaluated, variable) == 1
            });
            let slot = self.layout.slot_of(callee, parameter(index));
            compiled.push((slot, self.value(procedure, edge, argument, movable)));
        }
        let mut kept = vec![0; self.layout.words].into_boxed_slice();
        for index in 0..self.program.procedure(procedure).locals.len() {
            let local = VarRef::Local(index as u32);
            if self.liveness.at(after).contains(local) && !results.contains(&Some(local)) {
                self.mark(procedure, local, &mut kept);
            }
        }
        let results = results
            .iter()
            .zip(&target.results)
            .filter_map(|(result, &from)| {
                let to = self.layout.slot_of(procedure, (*result)?);
                Some((self.layout.slot_of(callee, VarRef::Local(from)), to))
            });
        Call {
            callee,
            entry: self.point_id(callee, target.entry),
            arguments: compiled,
            to,
            results: results.collect(),
            kept,
        }
    }

    fn value(&mut self, procedure: ProcId, edge: &Edge, expr: &Expr, movable: bool) -> Value {
        match expr.as_read() {
            _ if is_free(edge, expr) => Value::Any,
            Some(variable) if movable => Value::Moved(self.layout.slot_of(procedure, variable)),
            _ => Value::Computed(self.code(procedure, expr)),
        }
    }

    fn add_masks(&self, point: Point, live: &mut Vec<u64>, dead: &mut Vec<u64>) {
        let words = self.layout.words;
        let mut mask = vec![0; words];
        self.layout.point.mark(&mut mask);
        self.layout.monitor.mark(&mut mask);
        let mut unknown = vec![0; words];
        let globals = (0..self.program.globals().len() as u32).map(VarRef::Global);
        let locals = self.program.procedure(point.procedure).locals.len() as u32;
        for variable in globals.chain((0..locals).map(VarRef::Local)) {
            if self.liveness.at(point).contains(variable) {
                self.mark(point.procedure, variable, &mut mask);
            } else {
                for slot in self.slots(point.procedure, variable) {
                    self.layout.slot(slot).set(&mut unknown, None);
                }
            }
        }
        live.extend(mask);
        dead.extend(unknown);
    }

    fn slots(&self, procedure: ProcId, variable: VarRef) -> std::ops::Range<SlotId> {
        let first = self.layout.slot_of(procedure, variable);
        first..first + self.program.variable(procedure, variable).slots() as SlotId
    }

    fn mark(&self, procedure: ProcId, variable: VarRef, mask: &mut [u64]) {
        for slot in self.slots(procedure, variable) {
            self.layout.slot(slot).mark(mask);
        }
    }
}

/// Whether an expression of an edge is nothing but `*`, and nothing else on the edge depends
/// on what that choice is.
fn is_free(edge: &Edge, expr: &Expr) -> bool {
    let [Op::Any(_, which)] = *expr.ops() else {
        return false;
    };
    let same = |op: &&Op| matches!(op, Op::Any(_, other) if *other == which);
    edge.expressions().flat_map(Expr::ops).filter(same).count() == 1
}

/// How often a variable is read in these expressions.
fn reads(exprs: &[&Expr], variable: VarRef) -> usize {
    exprs
        .iter()
        .flat_map(|expr| expr.ops())
        .filter(|op| **op == Op::Read(variable))
        .count()
}

/// The value an expression has whatever the variables are, if that is plain to see.
pub(crate) fn constant(expr: &Expr) -> Option<u64> {
    let mut stack: Vec<Option<u64>> = Vec::new();
    for &op in expr.ops() {
        let known = match op {
            Op::Binary(operator, ty) => {
                let (right, left) = (stack.pop().flatten(), stack.pop().flatten());
                match (left, right, operator.early(ty)) {
                    (Some(left), _, Some((decides, result))) if left == decides => Some(result),
                    // The other way round only where no fault on the left can be hidden.
                    (_, Some(0), Some((0, 0))) if !expr.can_fault() => Some(0),
                    (Some(left), Some(right), _) => operator.apply(ty, left, right),
                    _ => None,
                }
            }
            Op::Const(value, _) => Some(value),
            Op::Unary(operator, ty) => stack.pop().flatten().map(|v| operator.apply(ty, v)),
            Op::Convert(from, to) => stack
                .pop()
                .flatten()
                .map(|v| recurva_model::convert(from, to, v)),
            Op::Index(_) | Op::IndexNext(_) | Op::UndefinedElement(_) | Op::Faults => {
                stack.pop();
                None
            }
            Op::Read(_) | Op::ReadNext(_) | Op::Any(..) | Op::Undefined(_) => None,
        };
        stack.push(known);
    }
    stack.pop().flatten()
}
