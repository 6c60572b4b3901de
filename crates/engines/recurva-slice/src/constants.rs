//! Forward: which nodes control can come to, and which variables have one value there.
//!
//! Variables start with any value, so constants come from assignments. At each node a variable
//! has a set of values (see [`Domain`]); sets grow along edges, into calls and back from them,
//! for all callers of a procedure together. An edge whose guard is never true passes nothing
//! on: conditions that are constant and the code behind them are found in one go.

use std::collections::VecDeque;

use recurva_model::{Action, Edge, Expr, Patience, Place, Point, ProcId, Program, Stop, VarRef};

use crate::{
    domains::{Domain, Domains},
    fold::{known, never_holds},
    numbers::{Numbers, entry, exit, procedures},
};

/// The result of the analysis.
#[derive(Debug)]
pub(crate) struct Constants<'a> {
    program: &'a Program,
    numbers: &'a Numbers,
    domains: Domains,
    /// For each node, where its row begins.
    starts: Vec<usize>,
    rows: Vec<u64>,
    reached: Vec<bool>,
}

impl<'a> Constants<'a> {
    pub(crate) fn new(
        program: &'a Program,
        numbers: &'a Numbers,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let domains = Domains::new(program, numbers, patience)?;
        let mut starts = Vec::with_capacity(numbers.nodes());
        let mut total = 0;
        for (procedure, words) in program.procedures().iter().zip(&domains.words) {
            for _ in &procedure.nodes {
                starts.push(total);
                total += words;
            }
        }
        let mut constants = Constants {
            program,
            numbers,
            domains,
            starts,
            rows: vec![0; total],
            reached: vec![false; numbers.nodes()],
        };
        Analysis::new(&mut constants).run(patience)?;
        Ok(constants)
    }

    /// Whether control can come to a node.
    pub(crate) fn is_reached(&self, point: Point) -> bool {
        self.reached[self.numbers.node(point)]
    }

    /// The value of a variable at a node, if it is always the same.
    pub(crate) fn value(&self, point: Point, variable: VarRef) -> Option<u64> {
        let number = self.numbers.variable(point.procedure, variable);
        self.domains.of(number).only(self.row(point))
    }

    /// Whether an edge can be taken at all.
    pub(crate) fn is_open(&self, procedure: ProcId, edge: &Edge) -> bool {
        let node = edge.from;
        let point = Point { procedure, node };
        self.is_reached(point) && !never_holds(&edge.guard, &|v| self.value(point, v))
    }

    /// Whether a call of a procedure can return.
    pub(crate) fn returns(&self, procedure: ProcId) -> bool {
        self.is_reached(exit(self.program, procedure))
    }

    fn row(&self, point: Point) -> &[u64] {
        let start = self.starts[self.numbers.node(point)];
        &self.rows[start..start + self.domains.words[point.procedure.index()]]
    }

    /// Adds to what is possible at a node; tells whether it grew.
    fn unite(&mut self, point: Point, more: &[u64]) -> bool {
        let number = self.numbers.node(point);
        let start = self.starts[number];
        let mut grew = !std::mem::replace(&mut self.reached[number], true);
        for (word, &more) in self.rows[start..start + more.len()].iter_mut().zip(more) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }

    fn domain(&self, procedure: ProcId, variable: VarRef) -> &Domain {
        self.domains.of(self.numbers.variable(procedure, variable))
    }
}

struct Analysis<'c, 'a> {
    constants: &'c mut Constants<'a>,
    /// The nodes from which each procedure is called.
    callers: Vec<Vec<Point>>,
    work: VecDeque<Point>,
    waiting: Vec<bool>,
}

impl<'c, 'a> Analysis<'c, 'a> {
    fn new(constants: &'c mut Constants<'a>) -> Self {
        let program = constants.program;
        let mut callers: Vec<Vec<Point>> = vec![Vec::new(); program.procedures().len()];
        for procedure in procedures(program) {
            for edge in &program.procedure(procedure).edges {
                if let Action::Call { callee, .. } = edge.action {
                    let node = edge.from;
                    callers[callee.index()].push(Point { procedure, node });
                }
            }
        }
        let waiting = vec![false; constants.numbers.nodes()];
        Analysis {
            constants,
            callers,
            work: VecDeque::new(),
            waiting,
        }
    }

    fn run(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let program = self.constants.program;
        let main = program.main();
        let anything = vec![u64::MAX; self.constants.domains.words[main.index()]];
        self.pass(entry(program, main), &anything);
        let mut row = Vec::new();
        while let Some(point) = self.work.pop_front() {
            self.waiting[self.constants.numbers.node(point)] = false;
            if point == exit(program, point.procedure) {
                for index in 0..self.callers[point.procedure.index()].len() {
                    let caller = self.callers[point.procedure.index()][index];
                    patience.work(1)?;
                    if self.constants.is_reached(caller) {
                        self.wake(caller);
                    }
                }
            }
            for (_, edge) in program.edges_from(point) {
                patience.work(16 + row.len() as u64)?;
                self.follow(point, edge, &mut row);
            }
        }
        Ok(())
    }

    fn wake(&mut self, point: Point) {
        let waiting = &mut self.waiting[self.constants.numbers.node(point)];
        if !std::mem::replace(waiting, true) {
            self.work.push_back(point);
        }
    }

    fn pass(&mut self, point: Point, row: &[u64]) {
        if self.constants.unite(point, row) {
            self.wake(point);
        }
    }

    /// Passes on what is possible at a node along one of its edges.
    fn follow(&mut self, point: Point, edge: &Edge, row: &mut Vec<u64>) {
        let constants = &*self.constants;
        let procedure = point.procedure;
        let to = Point {
            procedure,
            node: edge.to,
        };
        let value = |expr: &Expr| known(expr, &|v| constants.value(point, v));
        if !constants.is_open(procedure, edge) {
            return;
        }
        row.clear();
        row.extend_from_slice(constants.row(point));
        match &edge.action {
            Action::Assign { assigns, .. } => {
                for (place, expr) in assigns {
                    if let Place::Scalar(target) = *place {
                        let domain = constants.domain(procedure, target);
                        if domain.is_followed() {
                            domain.assign(row, value(expr));
                        }
                    }
                }
                self.pass(to, row);
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let words = constants.domains.global_words;
                let returned = constants.returns(*callee).then(|| {
                    let at_exit = exit(constants.program, *callee);
                    let exit_row = constants.row(at_exit);
                    let mut after = row.clone();
                    after[..words].copy_from_slice(&exit_row[..words]);
                    let from = &constants.program.procedure(*callee).results;
                    for (result, &local) in results.iter().zip(from) {
                        if let Some(target) = *result {
                            let value = constants.value(at_exit, VarRef::Local(local));
                            constants
                                .domain(procedure, target)
                                .assign(&mut after, value);
                        }
                    }
                    after
                });
                row.truncate(words);
                row.resize(constants.domains.words[callee.index()], u64::MAX);
                for (index, argument) in arguments.iter().enumerate() {
                    let parameter = VarRef::Local(index as u32);
                    let domain = constants.domain(*callee, parameter);
                    if domain.is_followed() {
                        domain.assign(row, value(argument));
                    }
                }
                self.pass(entry(constants.program, *callee), row);
                if let Some(after) = returned {
                    self.pass(to, &after);
                }
            }
        }
    }
}
