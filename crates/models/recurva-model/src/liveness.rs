//! Live variables: whose values can still matter?
//!
//! A backward analysis over all procedures at once. A variable is *live* at a node if, on
//! some path from there, its value decides whether a step is possible, or flows into one
//! that does. A value that only flows into dead variables is dead too ("faint"), so a
//! counter that nobody tests is forgotten with all that feeds it.
//!
//! Globals are followed through calls: what is live at a procedure's exit is what is live
//! after some call of it, and what is live before a call is what is live at the callee's
//! entry. Locals of the caller that are live after the call stay live across it.

use std::ops::Range;

use crate::{
    Action, Edge, Expr, Guard, GuardOp, NodeId, Op, Patience, Place, Point, ProcId, Program, Stop,
    VarRef,
};

/// A set of the variables in scope at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarSet<'s> {
    words: &'s [u64],
    globals: u32,
}

impl VarSet<'_> {
    /// Whether a variable is in the set.
    pub fn contains(self, variable: VarRef) -> bool {
        let bit = bit_of(self.globals, variable);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Which bits of a word are for globals. They come first, so they are the same ones at all
    /// nodes.
    fn global_bits(self, word: usize) -> u64 {
        let globals = (self.globals as usize).saturating_sub(word * 64);
        if globals < 64 {
            (1 << globals) - 1
        } else {
            u64::MAX
        }
    }
}

/// The bits of a word that stand for variables that get results.
fn bits_of(globals: u32, results: &[Option<VarRef>], word: usize) -> u64 {
    let bits = results.iter().flatten().map(|&it| bit_of(globals, it));
    bits.filter(|bit| bit / 64 == word)
        .fold(0, |bits, bit| bits | 1 << (bit % 64))
}

fn bit_of(globals: u32, variable: VarRef) -> usize {
    match variable {
        VarRef::Global(index) => index as usize,
        VarRef::Local(index) => (globals + index) as usize,
    }
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Liveness {
    sets: Sets,
}

/// A set of variables for every node of a program, all in one piece of memory.
#[derive(Clone, Debug)]
struct Sets {
    words: Vec<u64>,
    /// For each procedure, where its first set starts and how many words each set takes.
    rows: Vec<(usize, usize)>,
    globals: u32,
}

impl Sets {
    /// Empty sets for all nodes.
    fn new(program: &Program) -> Self {
        let globals = program.globals().len();
        let mut rows = Vec::with_capacity(program.procedures().len());
        let mut total = 0;
        for procedure in program.procedures() {
            let width = (globals + procedure.locals.len()).div_ceil(64);
            rows.push((total, width));
            total += width * procedure.nodes.len();
        }
        Sets {
            words: vec![0; total],
            rows,
            globals: globals as u32,
        }
    }

    fn range(&self, point: Point) -> Range<usize> {
        let (start, width) = self.rows[point.procedure.index()];
        let start = start + width * point.node.index();
        start..start + width
    }

    fn at(&self, point: Point) -> VarSet<'_> {
        VarSet {
            words: &self.words[self.range(point)],
            globals: self.globals,
        }
    }

    fn insert(&mut self, point: Point, variable: VarRef) {
        let range = self.range(point);
        insert(&mut self.words[range], self.globals, variable);
    }

    /// Adds variables to a node's set; tells whether any was new.
    fn unite(&mut self, point: Point, more: &[u64]) -> bool {
        let range = self.range(point);
        let mut grew = false;
        for (word, &more) in self.words[range].iter_mut().zip(more) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }
}

fn insert(words: &mut [u64], globals: u32, variable: VarRef) {
    let bit = bit_of(globals, variable);
    words[bit / 64] |= 1 << (bit % 64);
}

impl Liveness {
    /// Analyses a program. The variables that `observed` guards read are live wherever they
    /// are in scope.
    ///
    /// # Errors
    ///
    /// If patience ends before the analysis does.
    pub fn new<'g>(
        program: &Program,
        observed: impl IntoIterator<Item = &'g Guard>,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        patience.work(1)?;
        let mut analysis = Analysis::new(program);
        for op in observed.into_iter().flat_map(Guard::ops) {
            patience.work(analysis.work.len() as u64)?;
            analysis.observe(op);
        }
        analysis.run(patience)?;
        Ok(Liveness {
            sets: analysis.live,
        })
    }

    /// The result if nothing is ever forgotten: every variable is live everywhere.
    pub fn everything(program: &Program) -> Self {
        let mut sets = Sets::new(program);
        sets.words.fill(u64::MAX);
        Liveness { sets }
    }

    /// The live variables at a node.
    pub fn at(&self, point: Point) -> VarSet<'_> {
        self.sets.at(point)
    }

    /// Whether an assignment on an internal edge can be left out: its target is dead after
    /// the step and not looked at by the constraint, and it cannot fault.
    pub fn is_idle(&self, procedure: ProcId, edge: &Edge, place: &Place, value: &Expr) -> bool {
        let after = self.at(Point {
            procedure,
            node: edge.to,
        });
        is_idle(after, edge, place, value)
    }
}

fn is_idle(after: VarSet<'_>, edge: &Edge, place: &Place, value: &Expr) -> bool {
    let Place::Scalar(target) = *place else {
        return false;
    };
    let constrained = match &edge.action {
        Action::Assign {
            constraint: Some(constraint),
            ..
        } => constraint.ops().contains(&Op::ReadNext(target)),
        _ => false,
    };
    !after.contains(target) && !constrained && !value.can_fault()
}

struct Analysis<'p> {
    program: &'p Program,
    live: Sets,
    /// The number of each procedure's first node, all nodes numbered through.
    first_nodes: Vec<usize>,
    /// For each node, the range of `predecessors` that holds the nodes with an edge to it.
    predecessor_ranges: Vec<usize>,
    predecessors: Vec<NodeId>,
    /// For each procedure, the call edges that call it.
    callers: Vec<Vec<(ProcId, &'p Edge)>>,
    /// Nodes whose set may have to grow, each at most once.
    work: Vec<Point>,
    /// Which nodes wait there, by their numbers.
    waits: Vec<bool>,
    /// Nodes whose set grew, which those who looked at it do not know yet.
    grown: Vec<Point>,
    /// The set of the node at hand, while it is being worked out.
    scratch: Vec<u64>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program) -> Self {
        let procedures = program.procedures();
        let mut callers = vec![Vec::new(); procedures.len()];
        let mut first_nodes = Vec::with_capacity(procedures.len());
        let mut work = Vec::new();
        for (index, procedure) in procedures.iter().enumerate() {
            let id = ProcId(index as u32);
            first_nodes.push(work.len());
            let nodes = 0..procedure.nodes.len() as u32;
            work.extend(nodes.map(|node| Point {
                procedure: id,
                node: NodeId(node),
            }));
            for edge in &procedure.edges {
                if let Action::Call { callee, .. } = edge.action {
                    callers[callee.index()].push((id, edge));
                }
            }
        }
        let edges = || {
            let numbered = procedures.iter().zip(&first_nodes);
            numbered.flat_map(|(procedure, first)| procedure.edges.iter().map(move |e| (e, first)))
        };
        // Edges sorted by their target, by counting: first how many lead to each node, then
        // where those of each node end, then every edge to its place.
        let mut ranges = vec![0; work.len() + 1];
        edges().for_each(|(edge, first)| ranges[first + edge.to.index()] += 1);
        let mut sum = 0;
        for count in &mut ranges {
            sum += *count;
            *count = sum;
        }
        let mut predecessors = vec![NodeId(0); sum];
        for (edge, first) in edges() {
            let end = &mut ranges[first + edge.to.index()];
            *end -= 1;
            predecessors[*end] = edge.from;
        }
        Analysis {
            program,
            live: Sets::new(program),
            first_nodes,
            predecessor_ranges: ranges,
            predecessors,
            callers,
            waits: vec![true; work.len()],
            work,
            grown: Vec::new(),
            scratch: Vec::new(),
        }
    }

    fn observe(&mut self, op: &GuardOp) {
        let (procedure, variable) = match *op {
            GuardOp::Plain(Op::Read(variable) | Op::Index(variable)) => (None, variable),
            GuardOp::Local(procedure, local, _) | GuardOp::LocalIndex(procedure, local, _) => {
                (Some(procedure), VarRef::Local(local))
            }
            GuardOp::Plain(_) | GuardOp::At(_) | GuardOp::In(_) => return,
        };
        for &point in &self.work {
            if procedure.is_none_or(|wanted| wanted == point.procedure) {
                self.live.insert(point, variable);
            }
        }
    }

    fn run(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        // What is observed is live behind calls from the start.
        for id in (0..self.callers.len()).map(|index| ProcId(index as u32)) {
            for index in 0..self.callers[id.index()].len() {
                let (caller, edge) = self.callers[id.index()][index];
                patience.work(self.units(id))?;
                self.hand_to_exit(caller, edge);
            }
        }
        loop {
            while let Some(point) = self.grown.pop() {
                self.wake_dependents(point, patience)?;
            }
            let Some(point) = self.work.pop() else {
                return Ok(());
            };
            patience.work(self.units(point.procedure))?;
            let number = self.number(point);
            self.waits[number] = false;
            let mut set = std::mem::take(&mut self.scratch);
            self.before(point, &mut set);
            self.grow(point, &set);
            self.scratch = set;
        }
    }

    /// How much work a set of variables of a procedure is.
    fn units(&self, procedure: ProcId) -> u64 {
        16 + self.live.rows[procedure.index()].1 as u64
    }

    fn number(&self, point: Point) -> usize {
        self.first_nodes[point.procedure.index()] + point.node.index()
    }

    /// Adds variables to a node's set.
    fn grow(&mut self, point: Point, more: &[u64]) {
        if self.live.unite(point, more) {
            self.grown.push(point);
        }
    }

    fn wake(&mut self, point: Point) {
        let number = self.number(point);
        if !std::mem::replace(&mut self.waits[number], true) {
            self.work.push(point);
        }
    }

    /// Works out what must be live at a node for the sake of its edges.
    fn before(&self, point: Point, set: &mut Vec<u64>) {
        set.clear();
        set.resize(self.live.rows[point.procedure.index()].1, 0);
        for (_, edge) in self.program.edges_from(point) {
            self.add_edge(point.procedure, edge, set);
        }
    }

    /// What is live behind a call is live at the callee's exit: the globals, and the results
    /// that are used. One call at a time, since a procedure may have very many.
    fn hand_to_exit(&mut self, caller: ProcId, edge: &Edge) {
        let Action::Call {
            callee, results, ..
        } = &edge.action
        else {
            return;
        };
        let target = self.program.procedure(*callee);
        let mut set = std::mem::take(&mut self.scratch);
        set.clear();
        set.resize(self.live.rows[callee.index()].1, 0);
        let after = self.live.at(Point {
            procedure: caller,
            node: edge.to,
        });
        let globals = after.words.iter().enumerate();
        for (to, (index, &from)) in set.iter_mut().zip(globals) {
            *to = from & after.global_bits(index) & !bits_of(after.globals, results, index);
        }
        for (result, &local) in results.iter().zip(&target.results) {
            if result.is_some_and(|variable| after.contains(variable)) {
                insert(&mut set, self.live.globals, VarRef::Local(local));
            }
        }
        let exit = Point {
            procedure: *callee,
            node: target.exit,
        };
        self.grow(exit, &set);
        self.scratch = set;
    }

    fn add_edge(&self, procedure: ProcId, edge: &Edge, set: &mut [u64]) {
        let after = self.live.at(Point {
            procedure,
            node: edge.to,
        });
        self.add_reads(&edge.guard, set);
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                self.add_assign(edge, assigns, constraint.as_ref(), after, set);
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let target = self.program.procedure(*callee);
                let entry = self.live.at(Point {
                    procedure: *callee,
                    node: target.entry,
                });
                for (index, argument) in arguments.iter().enumerate() {
                    if entry.contains(VarRef::Local(index as u32)) || argument.can_fault() {
                        self.add_reads(argument, set);
                    }
                }
                for (index, (to, &from)) in set.iter_mut().zip(entry.words).enumerate() {
                    *to |= from & entry.global_bits(index);
                }
                for (index, (to, &from)) in set.iter_mut().zip(after.words).enumerate() {
                    let results = bits_of(after.globals, results, index);
                    *to |= from & !after.global_bits(index) & !results;
                }
            }
        }
    }

    fn add_assign(
        &self,
        edge: &Edge,
        assigns: &[(Place, Expr)],
        constraint: Option<&Expr>,
        after: VarSet<'_>,
        set: &mut [u64],
    ) {
        // What is not overwritten is passed on.
        let passes = |variable| {
            !assigns
                .iter()
                .any(|(place, _)| *place == Place::Scalar(variable))
        };
        for (index, (word, &more)) in set.iter_mut().zip(after.words).enumerate() {
            let kept = assigns.iter().fold(more, |kept, (place, _)| match place {
                Place::Scalar(variable) => {
                    let bit = bit_of(after.globals, *variable);
                    if bit / 64 == index {
                        kept & !(1 << (bit % 64))
                    } else {
                        kept
                    }
                }
                Place::Element(..) => kept,
            });
            *word |= kept;
        }
        if let Some(constraint) = constraint {
            self.add_reads(constraint, set);
            for op in constraint.ops() {
                if let Op::ReadNext(variable) | Op::IndexNext(variable) = *op
                    && passes(variable)
                {
                    insert(set, self.live.globals, variable);
                }
            }
        }
        for (place, value) in assigns {
            if let Place::Element(_, index) = place {
                self.add_reads(index, set);
            }
            if !is_idle(after, edge, place, value) {
                self.add_reads(value, set);
            }
        }
    }

    /// Adds the variables whose present value an expression reads.
    fn add_reads(&self, expr: &Expr, set: &mut [u64]) {
        for op in expr.ops() {
            if let Op::Read(variable) | Op::Index(variable) = *op {
                insert(set, self.live.globals, variable);
            }
        }
    }

    /// A node's set grew: whoever looked at it has to look again.
    fn wake_dependents(&mut self, point: Point, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let Point {
            procedure: id,
            node,
        } = point;
        let program = self.program;
        let number = self.number(point);
        for index in self.predecessor_ranges[number]..self.predecessor_ranges[number + 1] {
            let from = Point {
                procedure: id,
                node: self.predecessors[index],
            };
            patience.work(self.units(id))?;
            self.wake(from);
            for (_, edge) in program.edges_from(from) {
                if edge.to == node {
                    self.hand_to_exit(id, edge);
                }
            }
        }
        if node == program.procedure(id).entry {
            for index in 0..self.callers[id.index()].len() {
                let (caller, edge) = self.callers[id.index()][index];
                patience.work(1)?;
                self.wake(Point {
                    procedure: caller,
                    node: edge.from,
                });
            }
        }
        Ok(())
    }
}
