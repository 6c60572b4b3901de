//! The slice as a program: what stays, renumbered.

use recurva_model::{
    Action, Binary, Edge, EdgeId, Expr, Failure, Label, NodeId, Op, Parts, Patience, Place, Point,
    ProcId, Procedure, Program, Stop, Type, VarRef, Variable,
};

use crate::{
    Dropped,
    map::Map,
    numbers::{Numbers, exit, procedures},
};

/// An edge that stays, with known variables replaced, and its number in the whole program.
pub(crate) type KeptEdge = (EdgeId, Edge);

/// What stays of a program.
pub(crate) struct Kept<'a> {
    pub(crate) program: &'a Program,
    pub(crate) numbers: &'a Numbers,
    /// The edges, by procedure; `None` for a procedure that goes.
    pub(crate) edges: Vec<Option<Vec<KeptEdge>>>,
    /// The variables that matter, by number.
    pub(crate) relevant: Vec<bool>,
}

impl Kept<'_> {
    /// The smaller program, the way back, and what is not in it.
    pub(crate) fn build(
        self,
        patience: &mut Patience<'_>,
    ) -> Result<(Program, Map, Dropped), Stop> {
        let map = self.map(patience)?;
        let mut builder = Builder {
            kept: &self,
            map: &map,
            dropped: Dropped::default(),
        };
        let parts = builder.parts(patience)?;
        let dropped = builder.dropped;
        let program = Program::new(parts).expect("a part of a well-formed program is one");
        Ok((program, map, dropped))
    }

    fn map(&self, patience: &mut Patience<'_>) -> Result<Map, Stop> {
        let Kept {
            program, numbers, ..
        } = *self;
        let mut map = Map {
            procedures: Vec::with_capacity(self.edges.len()),
            nodes: vec![None; numbers.nodes()],
            variables: vec![None; numbers.variables()],
            originals: Vec::new(),
            edges: Vec::new(),
            numbers: numbers.clone(),
        };
        let renumber = |map: &mut Map, procedure, variables: &mut dyn Iterator<Item = VarRef>| {
            let mut next = 0;
            for variable in variables {
                let number = numbers.variable(procedure, variable);
                if self.relevant[number] {
                    map.variables[number] = Some(next);
                    next += 1;
                }
            }
        };
        let mut globals = (0..program.globals().len() as u32).map(VarRef::Global);
        renumber(&mut map, program.main(), &mut globals);
        for id in procedures(program) {
            let Some(edges) = &self.edges[id.index()] else {
                map.procedures.push(None);
                continue;
            };
            map.procedures
                .push(Some(ProcId(map.originals.len() as u32)));
            map.originals.push(id);
            map.edges.push(edges.iter().map(|&(id, _)| id).collect());
            let procedure = program.procedure(id);
            let mut locals = (0..procedure.locals.len() as u32).map(VarRef::Local);
            renumber(&mut map, id, &mut locals);
            let mut stays = vec![false; procedure.nodes.len()];
            stays[procedure.entry.index()] = true;
            stays[procedure.exit.index()] = true;
            for (_, edge) in edges {
                patience.work(4)?;
                stays[edge.from.index()] = true;
                stays[edge.to.index()] = true;
            }
            let nodes = (0..stays.len()).filter(|&node| stays[node]);
            for (next, node) in nodes.enumerate() {
                let number = numbers.node(Point {
                    procedure: id,
                    node: NodeId(node as u32),
                });
                map.nodes[number] = Some(NodeId(next as u32));
            }
        }
        Ok(map)
    }
}

struct Builder<'k> {
    kept: &'k Kept<'k>,
    map: &'k Map,
    dropped: Dropped,
}

impl Builder<'_> {
    fn parts(&mut self, patience: &mut Patience<'_>) -> Result<Parts, Stop> {
        let program = self.kept.program;
        let globals = self.variables(program.main(), None);
        let mut slices = Vec::with_capacity(self.map.originals.len());
        for id in procedures(program) {
            slices.extend(self.procedure(id, patience)?);
        }
        let labels = program.labels().iter().filter_map(|label| {
            let point = self.map.point(label.point)?;
            let label = label.clone();
            Some(Label { point, ..label })
        });
        let failures = program.failures().iter().filter_map(|failure| {
            let point = self.map.point(failure.point)?;
            let failure = failure.clone();
            Some(Failure { point, ..failure })
        });
        let main = self.map.point(exit(program, program.main()));
        Ok(Parts {
            globals,
            procedures: slices,
            main: main.map_or(ProcId(0), |point| point.procedure),
            labels: labels.collect(),
            failures: failures.collect(),
        })
    }

    /// The variables that stay: the globals, or the locals of a procedure.
    fn variables(&mut self, id: ProcId, owner: Option<&Procedure>) -> Vec<Variable> {
        let declared = match owner {
            Some(procedure) => &procedure.locals[..],
            None => self.kept.program.globals(),
        };
        let mut variables = Vec::new();
        for (index, variable) in declared.iter().enumerate() {
            let index = index as u32;
            let stays = self.relevant(
                id,
                match owner {
                    Some(_) => VarRef::Local(index),
                    None => VarRef::Global(index),
                },
            );
            self.dropped.variables.add(stays);
            if stays {
                variables.push(variable.clone());
            } else if !variable.hidden {
                let name = match owner {
                    Some(procedure) => format!("{}::{}", procedure.name, variable.name).into(),
                    None => variable.name.clone(),
                };
                self.dropped.variable_names.push(name);
            }
        }
        variables
    }

    fn procedure(
        &mut self,
        id: ProcId,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Procedure>, Stop> {
        patience.step()?;
        let whole = self.kept.program.procedure(id);
        let kept = self.kept.edges[id.index()].as_ref();
        self.dropped.procedures.add(kept.is_some());
        let numbers = whole.nodes.iter().enumerate();
        let nodes: Vec<_> = numbers
            .filter_map(|(node, data)| {
                let node = NodeId(node as u32);
                let point = Point {
                    procedure: id,
                    node,
                };
                let stays = self.map.point(point).is_some();
                self.dropped.nodes.add(stays);
                stays.then(|| data.clone())
            })
            .collect();
        self.dropped.edges.of += whole.edges.len();
        self.dropped.edges.dropped += whole.edges.len() - kept.map_or(0, Vec::len);
        let Some(kept) = kept else {
            self.dropped.procedure_names.push(whole.name.clone());
            return Ok(None);
        };
        let locals = self.variables(id, Some(whole));
        let parameters = (0..whole.parameters as u32).map(VarRef::Local);
        let results = whole.results.iter();
        let mut edges = Vec::with_capacity(kept.len());
        for (number, edge) in kept {
            patience.step()?;
            edges.push(self.edge(id, edge, &whole.edges[number.index()]));
        }
        Ok(Some(Procedure {
            name: whole.name.clone(),
            locals,
            parameters: parameters.filter(|&p| self.relevant(id, p)).count(),
            results: results
                .filter_map(|&local| self.map.variable(id, VarRef::Local(local)))
                .collect(),
            nodes,
            edges,
            entry: self.node(id, whole.entry),
            exit: self.node(id, whole.exit),
            origin: whole.origin,
        }))
    }

    /// An edge without what does not matter. Where that could block the step, the guard says so.
    fn edge(&mut self, id: ProcId, edge: &Edge, whole: &Edge) -> Edge {
        let mut guard = edge.guard.clone();
        if !whole.guard.is_truth() {
            self.dropped.guards.add(!guard.is_truth());
        }
        let action = match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                let mut kept = Vec::with_capacity(assigns.len());
                for (place, value) in assigns {
                    let stays = self.relevant(id, place.variable());
                    self.dropped.assignments.add(stays);
                    if stays {
                        kept.push((self.place(id, place), self.expr(id, value)));
                        continue;
                    }
                    if let Place::Element(array, index) = place {
                        guard = guard.and(self.is_inside(id, *array, index));
                    }
                    guard = guard.and(does_not_fault(value));
                }
                Action::Assign {
                    assigns: kept,
                    constraint: constraint.as_ref().map(|c| self.expr(id, c)),
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let mut kept = Vec::with_capacity(arguments.len());
                for (index, argument) in arguments.iter().enumerate() {
                    if self.relevant(*callee, VarRef::Local(index as u32)) {
                        kept.push(self.expr(id, argument));
                    } else {
                        guard = guard.and(does_not_fault(argument));
                    }
                }
                let from = &self.kept.program.procedure(*callee).results;
                let results = results.iter().zip(from);
                let results =
                    results.filter(|&(_, &local)| self.relevant(*callee, VarRef::Local(local)));
                Action::Call {
                    callee: self.map.procedures[callee.index()].expect("who is called stays"),
                    arguments: kept,
                    results: results
                        .map(|(target, _)| target.and_then(|v| self.rename(id, v)))
                        .collect(),
                }
            }
        };
        Edge {
            from: self.node(id, edge.from),
            to: self.node(id, edge.to),
            guard: self.expr(id, &guard),
            action,
            origin: edge.origin,
        }
    }

    /// That an index is inside an array.
    fn is_inside(&self, id: ProcId, array: VarRef, index: &Expr) -> Expr {
        let variable = |v| self.kept.program.variable(id, v);
        let len = variable(array).slots() as u64;
        let ty = index.type_with(|v| variable(v).ty);
        let always = match *index.ops() {
            [Op::Const(value, _)] => value < len,
            _ => ty.mask() < len && !index.can_fault(),
        };
        if always {
            return Expr::truth();
        }
        // The bits of the index count, whether or not its type has a sign.
        let (bits, wide) = (Type::unsigned(ty.bits()), Type::unsigned(64));
        let plain = index.clone().then(Op::Convert(ty, bits));
        let plain = plain.then(Op::Convert(bits, wide));
        plain.join(Binary::Less, wide, &Expr::constant(len, wide))
    }

    fn place(&self, id: ProcId, place: &Place) -> Place {
        let variable = self.rename(id, place.variable()).expect("it matters");
        match place {
            Place::Scalar(_) => Place::Scalar(variable),
            Place::Element(_, index) => Place::Element(variable, self.expr(id, index)),
        }
    }

    fn expr(&self, id: ProcId, expr: &Expr) -> Expr {
        let rename = |v| self.rename(id, v).expect("what is read matters");
        let ops = expr.ops().iter().map(|&op| match op {
            Op::Read(v) => Op::Read(rename(v)),
            Op::ReadNext(v) => Op::ReadNext(rename(v)),
            Op::Index(v) => Op::Index(rename(v)),
            Op::IndexNext(v) => Op::IndexNext(rename(v)),
            _ => op,
        });
        Expr::new(ops.collect::<Vec<Op>>())
    }

    fn rename(&self, id: ProcId, variable: VarRef) -> Option<VarRef> {
        let index = self.map.variable(id, variable)?;
        Some(match variable {
            VarRef::Global(_) => VarRef::Global(index),
            VarRef::Local(_) => VarRef::Local(index),
        })
    }

    fn relevant(&self, id: ProcId, variable: VarRef) -> bool {
        self.kept.relevant[self.kept.numbers.variable(id, variable)]
    }

    fn node(&self, procedure: ProcId, node: NodeId) -> NodeId {
        let point = self.map.point(Point { procedure, node });
        point.expect("the ends of what stays do").node
    }
}

/// That an expression does not fault.
fn does_not_fault(expr: &Expr) -> Expr {
    if expr.can_fault() {
        expr.clone().then(Op::Faults).negate()
    } else {
        Expr::truth()
    }
}
