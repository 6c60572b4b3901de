//! From a program to its slice and back.

use recurva_evidence::{Body, Step, Trace, Via};
use recurva_model::{
    Action, Edge, EdgeId, Guard, GuardOp, NodeId, Op, Patience, Point, ProcId, Program, Stop, Type,
    VarRef, Variable,
};

use crate::numbers::Numbers;

/// Which part of a slice is which part of the whole program.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The procedures of the whole program in the slice.
    pub(crate) procedures: Vec<Option<ProcId>>,
    /// The nodes of the whole program in the slice, by number.
    pub(crate) nodes: Vec<Option<NodeId>>,
    /// The variables of the whole program in the slice, by number.
    pub(crate) variables: Vec<Option<u32>>,
    /// The procedures of the slice in the whole program.
    pub(crate) originals: Vec<ProcId>,
    /// The edges of the slice in the whole program, by procedure of the slice.
    pub(crate) edges: Vec<Vec<EdgeId>>,
    pub(crate) numbers: Numbers,
}

impl Map {
    /// A node in the slice.
    pub(crate) fn point(&self, point: Point) -> Option<Point> {
        Some(Point {
            procedure: self.procedures[point.procedure.index()]?,
            node: self.nodes[self.numbers.node(point)]?,
        })
    }

    /// The index of a variable in the slice.
    pub(crate) fn variable(&self, procedure: ProcId, variable: VarRef) -> Option<u32> {
        self.variables[self.numbers.variable(procedure, variable)]
    }

    /// A condition as it reads in the slice. All its variables must be there, except those of
    /// procedures that are never called.
    pub(crate) fn guard(&self, guard: &Guard) -> Guard {
        let global = |variable: VarRef| {
            let index = self.variable(ProcId(0), variable);
            VarRef::Global(index.expect("what is observed matters"))
        };
        let local = |procedure: ProcId, local: u32| {
            let sliced = self.procedures[procedure.index()]?;
            Some((sliced, self.variable(procedure, VarRef::Local(local))?))
        };
        let ops = guard.ops().iter().map(|op| match *op {
            GuardOp::Plain(Op::Read(variable)) => GuardOp::Plain(Op::Read(global(variable))),
            GuardOp::Plain(Op::Index(variable)) => GuardOp::Plain(Op::Index(global(variable))),
            GuardOp::Plain(op) => GuardOp::Plain(op),
            // The order of procedures and nodes is the same, so the points stay sorted.
            GuardOp::At(ref points) => {
                GuardOp::At(points.iter().filter_map(|&p| self.point(p)).collect())
            }
            GuardOp::In(procedure) => match self.procedures[procedure.index()] {
                Some(procedure) => GuardOp::In(procedure),
                None => GuardOp::Plain(Op::Const(0, Type::Bool)),
            },
            GuardOp::Local(procedure, index, ty) => match local(procedure, index) {
                Some((procedure, index)) => GuardOp::Local(procedure, index, ty),
                None => GuardOp::Plain(Op::Undefined(ty)),
            },
            GuardOp::LocalIndex(procedure, index, ty) => match local(procedure, index) {
                Some((procedure, index)) => GuardOp::LocalIndex(procedure, index, ty),
                None => GuardOp::Plain(Op::UndefinedElement(ty)),
            },
        });
        Guard::new(ops.collect::<Vec<GuardOp>>())
    }

    /// A run of the slice as a run of the whole program: the same steps. What the slice does
    /// not have is 0 wherever it is chosen.
    pub(crate) fn trace(
        &self,
        whole: &Program,
        slice: &Program,
        trace: Trace,
        patience: &mut Patience<'_>,
    ) -> Result<Trace, Stop> {
        patience.step()?;
        let back = Back {
            map: self,
            whole,
            slice,
        };
        let main = slice.main();
        let globals = back.spread(
            &trace.globals,
            whole.main(),
            whole.globals(),
            VarRef::Global,
        );
        let locals = back.locals(main, &trace.locals);
        let mut bodies = trace.bodies;
        for Body { procedure, steps } in &mut bodies {
            back.steps(*procedure, steps, patience)?;
            *procedure = self.originals[procedure.index()];
        }
        let (mut stem, mut turn) = (trace.stem, trace.turn);
        let procedure = back.steps(main, &mut stem, patience)?;
        if let Some(turn) = &mut turn {
            back.steps(procedure, turn, patience)?;
        }
        Ok(Trace {
            globals,
            locals,
            bodies,
            stem,
            turn,
        })
    }
}

struct Back<'a> {
    map: &'a Map,
    whole: &'a Program,
    slice: &'a Program,
}

impl Back<'_> {
    /// Turns steps back that begin in a procedure of the slice; gives the one in which they end.
    fn steps(
        &self,
        first: ProcId,
        steps: &mut [Step],
        patience: &mut Patience<'_>,
    ) -> Result<ProcId, Stop> {
        let mut procedure = first;
        for step in steps {
            patience.step()?;
            let sliced = self.slice.edge(procedure, step.edge);
            self.step(procedure, sliced, step);
            if let (Via::Into, Action::Call { callee, .. }) = (step.via, &sliced.action) {
                procedure = *callee;
            }
        }
        Ok(procedure)
    }

    /// Turns a step back along an edge of a procedure of the slice.
    fn step(&self, procedure: ProcId, sliced: &Edge, step: &mut Step) {
        let edge = self.map.edges[procedure.index()][step.edge.index()];
        let whole = self.whole.edge(self.map.originals[procedure.index()], edge);
        step.edge = edge;
        // The choices on the edge keep their numbers; the last ones may be gone.
        let here = sliced.choices().len();
        let mut choices = step.choices[..here].to_vec();
        choices.resize(whole.choices().len(), 0);
        if let (Action::Call { callee, .. }, Action::Call { arguments, .. }) =
            (&sliced.action, &whole.action)
        {
            let parameters = self.slice.procedure(*callee).parameters;
            let mut locals = vec![0; parameters];
            locals.extend_from_slice(&step.choices[here..]);
            choices.extend_from_slice(&self.locals(*callee, &locals)[arguments.len()..]);
        }
        step.choices = choices.into();
    }

    /// Values for all locals of a procedure of the slice.
    fn locals(&self, procedure: ProcId, values: &[u64]) -> Box<[u64]> {
        let original = self.map.originals[procedure.index()];
        let locals = &self.whole.procedure(original).locals;
        self.spread(values, original, locals, VarRef::Local)
    }

    /// Values for all variables from those for the variables that the slice has.
    fn spread(
        &self,
        mut values: &[u64],
        procedure: ProcId,
        variables: &[Variable],
        reference: impl Fn(u32) -> VarRef,
    ) -> Box<[u64]> {
        let mut all = Vec::new();
        for (index, variable) in variables.iter().enumerate() {
            let slots = variable.slots();
            let stays = self.map.variable(procedure, reference(index as u32));
            if stays.is_some() {
                let (own, rest) = values.split_at(slots);
                values = rest;
                all.extend_from_slice(own);
            } else {
                all.resize(all.len() + slots, 0);
            }
        }
        all.into()
    }
}
