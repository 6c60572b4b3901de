//! Variables of programs that may be read before they are assigned, and variables that are
//! live.
//!
//! Both ask for paths of a program on which a variable is not assigned. A path may take any
//! edge, as guards are not evaluated, but each return goes back to its own call. An assignment
//! to an element leaves the array as it is.

use recurva_model::{Action, Edge, NodeId, Op, Place, Point, ProcId, Program, VarRef};
use rustc_hash::FxHashSet;

use crate::{
    Error, Flow, Ifds, Tick, Via,
    closure::Arrows,
    ifds::{explode, solve_ifds, spread},
    meter::{Account, Meter},
    summaries::{self, Way},
};

/// A variable that may be read before it is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// The procedure that reads it.
    pub procedure: ProcId,
    /// The variable.
    pub variable: VarRef,
    /// The edge that reads it, the first of the statement's; `None` if it is a result that the
    /// procedure returns.
    pub edge: Option<recurva_model::EdgeId>,
}

/// The facts about a program: for each procedure its globals, then its locals.
struct Variables<'p> {
    program: &'p Program,
}

fn fact(program: &Program, variable: VarRef) -> u32 {
    match variable {
        VarRef::Global(index) => index,
        VarRef::Local(index) => program.globals().len() as u32 + index,
    }
}

fn variable(program: &Program, fact: u32) -> VarRef {
    let globals = program.globals().len() as u32;
    match fact.checked_sub(globals) {
        None => VarRef::Global(fact),
        Some(local) => VarRef::Local(local),
    }
}

/// Whether an edge of a procedure assigns a whole variable.
fn assigns(edge: &Edge, variable: VarRef) -> bool {
    match &edge.action {
        Action::Assign { assigns, .. } => assigns
            .iter()
            .any(|(place, _)| matches!(place, Place::Scalar(it) if *it == variable)),
        Action::Call { results, .. } => results.contains(&Some(variable)),
    }
}

/// The variables whose values before an edge it reads.
fn reads(edge: &Edge) -> impl Iterator<Item = VarRef> {
    let ops = edge.expressions().flat_map(recurva_model::Expr::ops);
    ops.filter_map(|op| match *op {
        Op::Read(variable) | Op::Index(variable) => Some(variable),
        _ => None,
    })
}

impl Ifds for Variables<'_> {
    fn procedures(&self) -> u32 {
        self.program.procedures().len() as u32
    }

    fn main(&self) -> u32 {
        self.program.main().0
    }

    fn points(&self, procedure: u32) -> u32 {
        self.program.procedure(ProcId(procedure)).nodes.len() as u32
    }

    fn entry(&self, procedure: u32) -> u32 {
        self.program.procedure(ProcId(procedure)).entry.0
    }

    fn exits(&self, procedure: u32) -> Vec<u32> {
        vec![self.program.procedure(ProcId(procedure)).exit.0]
    }

    fn facts(&self, procedure: u32) -> u32 {
        let locals = self.program.procedure(ProcId(procedure)).locals.len();
        (self.program.globals().len() + locals) as u32
    }

    fn edges(&self, procedure: u32) -> Vec<Flow> {
        let edges = self.program.procedure(ProcId(procedure)).edges.iter();
        let flow = |edge: &Edge| Flow {
            from: edge.from.0,
            to: edge.to.0,
            callee: match edge.action {
                Action::Call { callee, .. } => Some(callee.0),
                Action::Assign { .. } => None,
            },
        };
        edges.map(flow).collect()
    }

    /// All globals, and what the first procedure declares.
    fn at_start(&self) -> Vec<u32> {
        let main = self.program.procedure(self.program.main());
        let globals = self.program.globals().len();
        let locals = globals + main.parameters..globals + main.locals.len();
        (0..globals).chain(locals).map(|fact| fact as u32).collect()
    }

    fn flow(&self, procedure: u32, edge: u32, via: Via, before: Option<u32>) -> Vec<u32> {
        let edge = &self.program.procedure(ProcId(procedure)).edges[edge as usize];
        let globals = self.program.globals().len() as u32;
        let stays = |&fact: &u32| !assigns(edge, variable(self.program, fact));
        match (via, &edge.action) {
            (Via::Past, Action::Assign { .. }) => before.filter(stays).into_iter().collect(),
            // Locals stay with the caller, globals go along.
            (Via::Past, Action::Call { .. }) => {
                let own = before.filter(|&fact| fact >= globals);
                own.filter(stays).into_iter().collect()
            }
            (Via::Into, &Action::Call { callee, .. }) => match before {
                Some(fact) => Some(fact)
                    .filter(|&fact| fact < globals)
                    .into_iter()
                    .collect(),
                // Locals that are no parameters begin without a value.
                None => {
                    let callee = self.program.procedure(callee);
                    let locals = callee.parameters..callee.locals.len();
                    locals.map(|local| globals + local as u32).collect()
                }
            },
            (Via::Back, _) => {
                let global = before.filter(|&fact| fact < globals);
                global.filter(stays).into_iter().collect()
            }
            (Via::Into, Action::Assign { .. }) => Vec::new(),
        }
    }
}

/// The places where a variable may be read that was never assigned, in the order of procedures
/// and edges. What a translation made up is left out, and of several edges at the same place in the
/// text, such as the branches of a statement, the first stands for all. At most `memory` bytes are
/// held at a time.
pub fn unassigned(
    program: &Program,
    memory: u64,
    tick: &mut Tick<'_>,
) -> Result<Vec<Unassigned>, Error> {
    let solution = solve_ifds(&Variables { program }, memory, tick)?;
    let mut found = Vec::new();
    for (index, procedure) in program.procedures().iter().enumerate() {
        let id = ProcId(index as u32);
        let at = |node: NodeId, variable: VarRef| {
            solution.holds(id.0, node.0, fact(program, variable))
                && !program.variable(id, variable).hidden
        };
        let mut seen = FxHashSet::default();
        for (number, edge) in procedure.edges.iter().enumerate() {
            let mut variables: Vec<VarRef> = reads(edge).collect();
            variables.sort_unstable();
            variables.dedup();
            for variable in variables.into_iter().filter(|&it| at(edge.from, it)) {
                let origin = edge.origin;
                if !origin.is_none() && !seen.insert((origin.start, origin.end, variable)) {
                    continue;
                }
                found.push(Unassigned {
                    procedure: id,
                    variable,
                    edge: Some(recurva_model::EdgeId(number as u32)),
                });
            }
        }
        for &result in &procedure.results {
            let variable = VarRef::Local(result);
            if at(procedure.exit, variable) {
                found.push(Unassigned {
                    procedure: id,
                    variable,
                    edge: None,
                });
            }
        }
    }
    Ok(found)
}

/// The variables that are live at each point: some path leads from there to a place that reads
/// them, without an assignment on the way.
#[derive(Clone, Debug)]
pub struct LiveVariables<'p> {
    program: &'p Program,
    layout: crate::ifds::Layout,
    live: Vec<bool>,
    peak_bytes: u64,
}

impl LiveVariables<'_> {
    /// The most bytes that were held at a time. What the program itself takes is not counted.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// The live variables at a point: globals, then locals.
    pub fn at(&self, point: Point) -> Vec<VarRef> {
        let procedure = self.program.procedure(point.procedure);
        let facts = self.program.globals().len() + procedure.locals.len();
        let node = |fact| {
            self.layout
                .node(point.procedure.0, point.node.0, Some(fact))
        };
        (0..facts as u32)
            .filter(|&fact| self.live[node(fact) as usize])
            .map(|fact| variable(self.program, fact))
            .collect()
    }
}

/// Finds the live variables of a program. At most `memory` bytes are held at a time.
pub fn live_variables<'p>(
    program: &'p Program,
    memory: u64,
    tick: &mut Tick<'_>,
) -> Result<LiveVariables<'p>, Error> {
    let account = Account::new(memory);
    let meter = &Meter::begin(&account, tick)?;
    let (machine, layout) = explode(&Variables { program }, meter)?;
    let summaries = summaries::summaries(&machine, Way::Both, 1, meter)?;
    // A path returns as often as it likes and then calls as often as it likes: a copy of the
    // nodes for each half. All edges are turned round, as we come from the reads.
    let nodes = machine.nodes;
    let doubled = nodes.checked_mul(2).ok_or(Error::TooLarge)?;
    let inside = machine.with(&summaries.list, meter)?;
    let back = Arrows::new(doubled, meter, |add| {
        for from in 0..nodes {
            for &to in inside.from(from) {
                add(to, from);
                add(nodes + to, nodes + from);
            }
            add(nodes + from, from);
        }
        for it in &machine.returns {
            add(it.site, it.exit);
        }
        machine.call_edges(|from, entry| add(nodes + entry, nodes + from));
    })?;
    let mut open: Vec<u32> = Vec::new();
    for (index, procedure) in program.procedures().iter().enumerate() {
        for edge in &procedure.edges {
            let reads = reads(edge).map(|variable| fact(program, variable));
            open.extend(
                reads.map(|fact| nodes + layout.node(index as u32, edge.from.0, Some(fact))),
            );
        }
        // Results are read by the return.
        let results = procedure.results.iter();
        open.extend(results.map(|&result| {
            let fact = fact(program, VarRef::Local(result));
            nodes + layout.node(index as u32, procedure.exit.0, Some(fact))
        }));
    }
    let (mut live, _held) = spread(&back, open, meter)?;
    live.truncate(nodes as usize);
    live.shrink_to_fit();
    Ok(LiveVariables {
        program,
        layout,
        live,
        peak_bytes: account.peak(),
    })
}
