//! The solver for clauses, which can be interrupted.

use std::{
    cell::Cell,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::Unknown;

/// So long a search runs on the caller's thread, before it gets one of its own.
const FIRST: Duration = Duration::from_millis(4);

/// How often the one who waits is asked whether to go on.
const EVERY: Duration = Duration::from_millis(5);

/// The clock is read once in so many steps.
const STEPS: u32 = 16;

/// What clauses cost beside their literals: they are watched, and vectors have room to spare.
const CLAUSE_FACTOR: u64 = 3;

/// Bytes of a variable in all the tables of the solver.
const PER_VARIABLE: u64 = 160;

/// The solver's clauses are numbered with 32 bits, and it ends the program when they run out.
const MOST_CLAUSES: u64 = 8 << 30;

/// What the search asks now and then.
struct Watch {
    is_stopped: Arc<AtomicBool>,
    /// When the search on the caller's thread ends.
    until: Cell<Option<Instant>>,
    steps: Cell<u32>,
    is_over: Cell<bool>,
    /// Bytes of clauses.
    clauses: u64,
    most_clauses: u64,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.clauses += bytes(clause.len());
    }

    fn on_gc(&mut self, _: usize, new_size: usize) {
        self.clauses = new_size as u64;
    }

    fn stop(&self) -> bool {
        if self.is_stopped.load(Relaxed) || self.clauses > self.most_clauses {
            return true;
        }
        let Some(until) = self.until.get() else {
            return false;
        };
        self.steps.set(self.steps.get().wrapping_add(1));
        // The solver asks again when it was told to stop: it has to hear the same.
        let is_over =
            self.is_over.get() || self.steps.get().is_multiple_of(STEPS) && Instant::now() >= until;
        self.is_over.set(is_over);
        is_over
    }
}

fn bytes(literals: usize) -> u64 {
    (literals as u64 + 2) * 4
}

/// Clauses, and a search for what makes them true.
pub(super) struct Sat {
    solver: Solver<Watch>,
    is_stopped: Arc<AtomicBool>,
    memory: u64,
    buffer: Vec<Lit>,
    /// True in all models.
    truth: Lit,
}

impl Sat {
    pub(super) fn new(memory: u64) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let watch = Watch {
            is_stopped: Arc::clone(&is_stopped),
            until: Cell::new(None),
            steps: Cell::new(0),
            is_over: Cell::new(false),
            clauses: 0,
            most_clauses: 0,
        };
        let mut solver = Solver::new(SolverOpts::default(), watch);
        let truth = Lit::new(solver.new_var_default(), true);
        let mut sat = Sat {
            solver,
            is_stopped,
            memory,
            buffer: Vec::new(),
            truth,
        };
        sat.clause(&[truth]);
        sat
    }

    pub(super) fn truth(&self) -> Lit {
        self.truth
    }

    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn clause(&mut self, literals: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(literals);
        self.solver.cb_mut().clauses += bytes(literals.len());
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    /// About so many bytes are held.
    pub(super) fn held(&self) -> u64 {
        self.solver.cb().clauses * CLAUSE_FACTOR + u64::from(self.solver.num_vars()) * PER_VARIABLE
    }

    /// The value of a literal in the model that was found last. What was never decided is false.
    pub(super) fn value(&self, literal: Lit) -> bool {
        match self.solver.value_var(literal.var()) {
            it if it == lbool::TRUE => literal.sign(),
            _ => !literal.sign(),
        }
    }

    /// Whether an assumption was needed for the last answer "cannot be".
    pub(super) fn is_needed(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_lit(!assumption)
    }

    /// Whether all clauses can be true together with the assumptions.
    pub(super) fn solve(
        &mut self,
        assumptions: &[Lit],
        deadline: Option<Instant>,
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<bool, Unknown> {
        let tables = u64::from(self.solver.num_vars()) * PER_VARIABLE;
        let most = (self.memory.saturating_sub(tables) / CLAUSE_FACTOR).min(MOST_CLAUSES);
        self.is_stopped.store(false, Relaxed);
        let watch = self.solver.cb_mut();
        watch.most_clauses = most;
        watch.until.set(Some(Instant::now() + FIRST));
        watch.is_over.set(false);
        let mut found = self.solver.solve_limited(assumptions);
        let mut reason = Unknown::Stopped;
        if found == lbool::UNDEF && !self.is_full() {
            self.solver.cb_mut().until.set(None);
            (found, reason) = self.solve_beside(assumptions, deadline, ask)?;
        }
        match found {
            it if it == lbool::TRUE => Ok(true),
            it if it == lbool::FALSE => Ok(false),
            _ if self.is_full() => Err(Unknown::Memory),
            _ => Err(reason),
        }
    }

    fn is_full(&self) -> bool {
        self.solver.cb().clauses > self.solver.cb().most_clauses
    }

    /// Searches on another thread; this one asks whether to go on.
    fn solve_beside(
        &mut self,
        assumptions: &[Lit],
        deadline: Option<Instant>,
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(lbool, Unknown), Unknown> {
        let solver = &mut self.solver;
        let is_stopped = &self.is_stopped;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let search = move || {
                let found = solver.solve_limited(assumptions);
                // Nobody may wait any more.
                let _ = sender.send(());
                found
            };
            let worker = thread::Builder::new()
                .name("search".to_owned())
                .spawn_scoped(scope, search)
                .map_err(|error| Unknown::Solver(format!("no thread: {error}")))?;
            let mut reason = Unknown::Stopped;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(EVERY) {
                let is_late = deadline.is_some_and(|it| Instant::now() >= it);
                if is_late || ask().is_break() {
                    if is_late {
                        reason = Unknown::Time;
                    }
                    is_stopped.store(true, Relaxed);
                    break;
                }
            }
            match worker.join() {
                Ok(found) => Ok((found, reason)),
                Err(_) => Err(Unknown::Solver("the search failed".to_owned())),
            }
        })
    }
}
