//! The semantics by the book: configurations with a real stack, one step at a time (Vera
//! paper, §2). Slow and plain; only tests and the replay of evidence run it.

use crate::{
    Action, EdgeId, Expr, Moment, NodeId, Place, Point, ProcId, Procedure, Program, Type, VarRef,
    Variable,
};

/// An invocation of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The procedure.
    pub procedure: ProcId,
    /// Where control is. In a frame below the top: where the pending call started.
    pub node: NodeId,
    /// The pending call, in a frame below the top.
    pub pending: Option<EdgeId>,
    /// The values of the locals, an array's elements one after the other.
    pub locals: Box<[u64]>,
}

impl Frame {
    /// The frame's procedure and node.
    pub fn point(&self) -> Point {
        Point {
            procedure: self.procedure,
            node: self.node,
        }
    }
}

/// A configuration: the values of the globals and a stack of frames, never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// The values of the globals, an array's elements one after the other.
    pub globals: Box<[u64]>,
    /// The invocations, the running one last.
    pub stack: Vec<Frame>,
}

impl Configuration {
    /// The running invocation.
    pub fn top(&self) -> &Frame {
        self.stack.last().expect("a configuration has a frame")
    }
}

/// Why a step is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The edge does not start at the current node.
    Elsewhere,
    /// The guard or the constraint does not hold.
    Guard,
    /// A division by zero or an index out of range.
    Fault,
    /// A list of values has the wrong length.
    Choices,
    /// There is no caller to return to.
    EmptyStack,
}

/// Writes values to their slots, from left to right.
fn write(writes: &[(VarRef, usize, u64)], globals: &mut [u64], locals: &mut [u64]) {
    for &(variable, slot, value) in writes {
        match variable {
            VarRef::Global(_) => globals[slot] = value,
            VarRef::Local(_) => locals[slot] = value,
        }
    }
}

/// A program with the layout of its variables worked out, ready to be run.
#[derive(Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    globals: Slots,
    locals: Vec<Slots>,
    /// For each procedure and edge, the types of the `*` on it.
    choices: Vec<Vec<Box<[Type]>>>,
}

/// Where each variable's values begin in a flat list.
#[derive(Debug)]
struct Slots {
    starts: Vec<usize>,
    /// The type of every slot.
    types: Vec<Type>,
}

impl Slots {
    fn new(variables: &[Variable]) -> Self {
        let mut slots = Slots {
            starts: Vec::new(),
            types: Vec::new(),
        };
        for variable in variables {
            slots.starts.push(slots.types.len());
            slots
                .types
                .extend(std::iter::repeat_n(variable.ty, variable.slots()));
        }
        slots
    }
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    pub fn new(program: &'p Program) -> Self {
        Machine {
            program,
            globals: Slots::new(program.globals()),
            locals: program
                .procedures()
                .iter()
                .map(|p| Slots::new(&p.locals))
                .collect(),
            choices: program
                .procedures()
                .iter()
                .map(|p| p.edges.iter().map(|edge| edge.choices().into()).collect())
                .collect(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The types of the globals' values.
    pub fn global_types(&self) -> &[Type] {
        &self.globals.types
    }

    /// The types of the values of a procedure's locals; parameters come first.
    pub fn local_types(&self, procedure: ProcId) -> &[Type] {
        &self.locals[procedure.index()].types
    }

    /// Where the values of a variable stand: in the globals or in the frame's locals.
    pub fn slot(&self, procedure: ProcId, variable: VarRef) -> usize {
        match variable {
            VarRef::Global(index) => self.globals.starts[index as usize],
            VarRef::Local(index) => self.locals[procedure.index()].starts[index as usize],
        }
    }

    /// The types of the values that a step along an edge may choose freely: one for each `*`
    /// on it, then, for a call, one for each local of the callee that is not a parameter.
    pub fn choices(&self, procedure: ProcId, edge: EdgeId) -> Vec<Type> {
        let (here, entry) = self.choice_types(procedure, edge);
        [here, entry].concat()
    }

    /// The two parts of [`Self::choices`]: for the edge, and for the callee's entry.
    fn choice_types(&self, procedure: ProcId, edge: EdgeId) -> (&[Type], &[Type]) {
        let here = &*self.choices[procedure.index()][edge.index()];
        let entry = match &self.program.edge(procedure, edge).action {
            Action::Call {
                callee, arguments, ..
            } => &self.local_types(*callee)[arguments.len()..],
            Action::Assign { .. } => &[],
        };
        (here, entry)
    }

    /// The configuration in which a run begins, from values for all globals and for all
    /// locals of the main procedure.
    pub fn start(&self, globals: &[u64], locals: &[u64]) -> Result<Configuration, Blocked> {
        let main = self.program.main();
        let fits = |values: &[u64], types: &[Type]| {
            values.len() == types.len() && values.iter().zip(types).all(|(&v, t)| t.wrap(v) == v)
        };
        if !fits(globals, &self.globals.types) || !fits(locals, self.local_types(main)) {
            return Err(Blocked::Choices);
        }
        let node = self.program.procedure(main).entry;
        let frame = Frame {
            procedure: main,
            node,
            pending: None,
            locals: locals.into(),
        };
        Ok(Configuration {
            globals: globals.into(),
            stack: vec![frame],
        })
    }

    /// Takes an edge from the current node: an internal step or the beginning of a call.
    /// `choices` are the values [`Self::choices`] asks for. On an error nothing changes.
    pub fn step(
        &self,
        configuration: &mut Configuration,
        edge_id: EdgeId,
        choices: &[u64],
    ) -> Result<(), Blocked> {
        let frame = configuration.top();
        let id = frame.procedure;
        let procedure = self.program.procedure(id);
        let edge = procedure
            .edges
            .get(edge_id.index())
            .ok_or(Blocked::Elsewhere)?;
        if edge.from != frame.node {
            return Err(Blocked::Elsewhere);
        }
        let (here, entry) = self.choice_types(id, edge_id);
        let mut types = here.iter().chain(entry);
        if choices.len() != here.len() + entry.len()
            || choices
                .iter()
                .any(|&v| types.next().is_none_or(|t| t.wrap(v) != v))
        {
            return Err(Blocked::Choices);
        }
        let now = (&*configuration.globals, &*frame.locals);
        let eval = |expr| self.eval(id, expr, choices, now, now).ok_or(Blocked::Fault);
        if eval(&edge.guard)? == 0 {
            return Err(Blocked::Guard);
        }
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                let mut writes = Vec::with_capacity(assigns.len());
                for (place, value) in assigns {
                    let element = match place {
                        Place::Scalar(_) => 0,
                        Place::Element(array, index) => {
                            let index = eval(index)?;
                            let len = self.program.variable(id, *array).slots() as u64;
                            if index >= len {
                                return Err(Blocked::Fault);
                            }
                            index as usize
                        }
                    };
                    let slot = self.slot(id, place.variable()) + element;
                    writes.push((place.variable(), slot, eval(value)?));
                }
                if let Some(constraint) = constraint {
                    // Only here are the values before and after the step needed at once.
                    let (mut globals, mut locals) =
                        (configuration.globals.clone(), frame.locals.clone());
                    write(&writes, &mut globals, &mut locals);
                    let holds = self.eval(id, constraint, choices, now, (&globals, &locals));
                    if holds.ok_or(Blocked::Fault)? == 0 {
                        return Err(Blocked::Guard);
                    }
                }
                let Configuration { globals, stack } = configuration;
                let frame = stack.last_mut().expect("a configuration has a frame");
                write(&writes, globals, &mut frame.locals);
                frame.node = edge.to;
            }
            Action::Call {
                callee, arguments, ..
            } => {
                let mut locals = Vec::with_capacity(self.local_types(*callee).len());
                for argument in arguments {
                    locals.push(eval(argument)?);
                }
                locals.extend_from_slice(&choices[here.len()..]);
                let node = self.program.procedure(*callee).entry;
                if let Some(caller) = configuration.stack.last_mut() {
                    caller.pending = Some(edge_id);
                }
                configuration.stack.push(Frame {
                    procedure: *callee,
                    node,
                    pending: None,
                    locals: locals.into(),
                });
            }
        }
        Ok(())
    }

    /// Returns from the current procedure, whose exit must have been reached, to its caller.
    pub fn step_return(&self, configuration: &mut Configuration) -> Result<(), Blocked> {
        let [.., caller, callee] = &mut configuration.stack[..] else {
            return Err(Blocked::EmptyStack);
        };
        let procedure = self.program.procedure(callee.procedure);
        let edge = caller
            .pending
            .map(|edge| self.program.edge(caller.procedure, edge));
        let (Some(edge), true) = (edge, callee.node == procedure.exit) else {
            return Err(Blocked::Elsewhere);
        };
        let Action::Call { results, .. } = &edge.action else {
            return Err(Blocked::Elsewhere);
        };
        for (result, &local) in results.iter().zip(&procedure.results) {
            let Some(variable) = *result else { continue };
            let value = callee.locals[self.slot(callee.procedure, VarRef::Local(local))];
            let slot = self.slot(caller.procedure, variable);
            match variable {
                VarRef::Global(_) => configuration.globals[slot] = value,
                VarRef::Local(_) => caller.locals[slot] = value,
            }
        }
        caller.node = edge.to;
        caller.pending = None;
        configuration.stack.pop();
        Ok(())
    }

    /// Whether the running procedure is at its exit.
    pub fn at_exit(&self, configuration: &Configuration) -> bool {
        let frame = configuration.top();
        self.procedure_of(frame).exit == frame.node
    }

    /// Evaluates an expression without choices in the current frame; `None` is a fault.
    pub fn observe(&self, configuration: &Configuration, expr: &Expr) -> Option<u64> {
        let frame = configuration.top();
        let now = (&*configuration.globals, &*frame.locals);
        self.eval(frame.procedure, expr, &[], now, now)
    }

    fn procedure_of(&self, frame: &Frame) -> &'p Procedure {
        self.program.procedure(frame.procedure)
    }

    fn eval(
        &self,
        procedure: ProcId,
        expr: &Expr,
        choices: &[u64],
        now: (&[u64], &[u64]),
        next: (&[u64], &[u64]),
    ) -> Option<u64> {
        expr.eval(choices, &|variable, moment, element| {
            if element >= self.program.variable(procedure, variable).slots() as u64 {
                return None;
            }
            let slot = self.slot(procedure, variable) + element as usize;
            let (globals, locals) = if moment == Moment::Now { now } else { next };
            Some(match variable {
                VarRef::Global(_) => globals[slot],
                VarRef::Local(_) => locals[slot],
            })
        })
    }
}
