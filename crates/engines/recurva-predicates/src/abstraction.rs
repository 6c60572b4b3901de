//! The abstract system: a cut, and which of its predicates hold.

use std::{cell::RefCell, ops::ControlFlow, rc::Rc};

use recurva_model::{Action, Expr, Moves, Program, RecursiveSystem, Site, VarRef};
use recurva_smt::Unknown;
use rustc_hash::FxHashMap;

use crate::{
    cuts::{CutId, Cuts, End, SegmentId},
    expression::reads,
    fixed::Fixed,
    post::{Given, Post, Way},
    valuation::{ValuationId, Valuations},
};

/// A state: what holds at a cut, and what held at the entry of its procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) cut: CutId,
    pub(crate) entry: ValuationId,
    pub(crate) here: ValuationId,
}

/// What a question to a [`Post`] depends on: the valuations before, and those of the callee.
type Question = [Option<ValuationId>; 4];

/// A solver with its answers.
struct Cached {
    post: Post,
    answers: FxHashMap<Question, Rc<[ValuationId]>>,
    /// How many predicates there were at the cuts it is about, when it answered.
    counts: [usize; 5],
}

/// A question with many answers: which predicates differ between them.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) segment: SegmentId,
    pub(crate) way: Way,
    pub(crate) differ: Vec<usize>,
}

/// Answers to one question that are many.
const MANY: usize = 4;

/// What changes while the abstraction is explored.
struct Inner<'a> {
    valuations: Valuations,
    cached: FxHashMap<(SegmentId, Way), Cached>,
    failed: Option<Unknown>,
    /// Questions with many answers since this was last asked, and how many answers there were.
    wide: Vec<Wide>,
    width: usize,
    /// So many answers are too many.
    widest: usize,
    ask: &'a mut dyn FnMut() -> ControlFlow<()>,
    calls: u64,
}

impl Inner<'_> {
    /// Whether nothing more is explored.
    fn is_over(&self) -> bool {
        self.failed.is_some() || self.width > self.widest
    }
}

/// A program as its predicates see it.
pub(crate) struct Abstraction<'a> {
    pub(crate) program: &'a Program,
    pub(crate) fixed: Fixed,
    pub(crate) cuts: Cuts,
    pub(crate) predicates: Vec<Vec<Expr>>,
    memory: u64,
    inner: RefCell<Inner<'a>>,
}

/// Solvers are thrown away when their terms take more than this part of the memory.
const SOLVERS_SHARE: u64 = 2;

/// About what a term costs in a solver.
const PER_TERM: u64 = 2000;

impl<'a> Abstraction<'a> {
    pub(crate) fn new(
        program: &'a Program,
        cuts: Cuts,
        memory: u64,
        ask: &'a mut dyn FnMut() -> ControlFlow<()>,
    ) -> Self {
        Abstraction {
            program,
            fixed: Fixed::new(program),
            predicates: vec![Vec::new(); cuts.points.len()],
            cuts,
            memory,
            inner: RefCell::new(Inner {
                valuations: Valuations::default(),
                cached: FxHashMap::default(),
                failed: None,
                wide: Vec::new(),
                width: 0,
                widest: usize::MAX,
                ask,
                calls: 0,
            }),
        }
    }

    /// Asks whether to go on.
    pub(crate) fn ask(&self) -> ControlFlow<()> {
        let mut inner = self.inner.borrow_mut();
        if inner.is_over() {
            return ControlFlow::Break(());
        }
        let answer = (inner.ask)();
        if answer.is_break() {
            inner.failed = Some(Unknown::Stopped);
        }
        answer
    }

    /// Why the last exploration is not to be believed.
    pub(crate) fn failed(&self) -> Option<Unknown> {
        self.inner.borrow().failed.clone()
    }

    /// From now on exploration ends when questions with many answers had more than so many.
    pub(crate) fn limit_width(&self, widest: usize) {
        let mut inner = self.inner.borrow_mut();
        inner.wide.clear();
        inner.width = 0;
        inner.widest = widest;
    }

    /// The questions with many answers, if there were too many.
    pub(crate) fn too_wide(&self) -> Option<Vec<Wide>> {
        let inner = self.inner.borrow();
        (inner.width > inner.widest).then(|| inner.wide.clone())
    }

    /// The cut that the valuations of a question are about.
    pub(crate) fn asked_about(&self, segment: SegmentId, way: Way) -> CutId {
        let segment = &self.cuts.segments[segment.index()];
        let procedure = self.cuts.procedure(segment.from);
        match segment.end {
            End::Cut(cut) => cut,
            End::Call(edge) => match (way, &self.program.edge(procedure, edge).action) {
                (Way::Forward, Action::Call { callee, .. }) => {
                    self.cuts.entry(self.program, *callee)
                }
                _ => self.cuts.after(self.program, segment.from, edge),
            },
        }
    }

    /// Whether a predicate means something at a cut. Only parameters and globals have a value at the entry.
    pub(crate) fn can_know(&self, cut: CutId, predicate: &Expr) -> bool {
        let procedure = self.cuts.procedure(cut);
        let parameters = self.program.procedure(procedure).parameters as u32;
        let is_entry = self.cuts.entry(self.program, procedure) == cut;
        reads(predicate).all(|(variable, at_entry)| match variable {
            VarRef::Local(index) if index >= parameters => !is_entry && !at_entry,
            _ => !(is_entry && at_entry),
        })
    }

    /// How often solvers were asked.
    pub(crate) fn calls(&self) -> u64 {
        self.inner.borrow().calls
    }

    /// The truth values of a valuation.
    pub(crate) fn valuation(&self, number: ValuationId) -> Box<[bool]> {
        self.inner.borrow().valuations.get(number).into()
    }

    fn cut(&self, segment: SegmentId) -> CutId {
        self.cuts.segments[segment.index()].from
    }

    /// The valuations that a segment leads to. None are found any more after a failure.
    pub(crate) fn after(
        &self,
        segment: SegmentId,
        state: &State,
        exit: Option<&State>,
    ) -> Rc<[ValuationId]> {
        let inner = &mut *self.inner.borrow_mut();
        if inner.is_over() {
            return Rc::new([]);
        }
        let way = match exit {
            Some(_) => Way::Through,
            None => Way::Forward,
        };
        let question = [
            Some(state.entry),
            Some(state.here),
            exit.map(|it| it.entry),
            exit.map(|it| it.here),
        ];
        let counts = self.counts(segment, way);
        self.make_room(inner);
        let cached = inner.cached.entry((segment, way)).or_insert_with(|| {
            let segment = &self.cuts.segments[segment.index()];
            let (program, fixed, cuts) = (self.program, &self.fixed, &self.cuts);
            Cached {
                post: Post::new(program, fixed, cuts, segment, way, self.memory),
                answers: FxHashMap::default(),
                counts,
            }
        });
        if cached.counts != counts {
            cached.answers.clear();
            cached.counts = counts;
        }
        if let Some(known) = cached.answers.get(&question) {
            return Rc::clone(known);
        }
        let valuations = &inner.valuations;
        let given = Given {
            entry: valuations.get(state.entry),
            here: valuations.get(state.here),
            callee: exit.map(|it| [valuations.get(it.entry), valuations.get(it.here)]),
        };
        let post = &mut cached.post;
        let found = post.all(
            self.program,
            &self.predicates,
            given,
            &mut inner.calls,
            &mut *inner.ask,
        );
        match found {
            Ok(found) => {
                let numbers = found.iter().map(|it| inner.valuations.number(it));
                let numbers: Rc<[ValuationId]> = numbers.collect();
                if found.len() >= MANY {
                    inner.width += found.len();
                    inner.wide.push(Wide {
                        segment,
                        way,
                        differ: (0..found[0].len())
                            .filter(|&at| found.iter().any(|it| it[at] != found[0][at]))
                            .collect(),
                    });
                }
                cached.answers.insert(question, Rc::clone(&numbers));
                numbers
            }
            Err(why) => {
                inner.failed = Some(why);
                Rc::new([])
            }
        }
    }

    /// How many predicates there are where a question is about.
    fn counts(&self, segment: SegmentId, way: Way) -> [usize; 5] {
        let segment = &self.cuts.segments[segment.index()];
        let procedure = self.cuts.procedure(segment.from);
        let at = |cut: CutId| self.predicates[cut.index()].len();
        let mut counts = [0; 5];
        counts[0] = at(self.cuts.entry(self.program, procedure));
        counts[1] = at(segment.from);
        match segment.end {
            End::Cut(to) => counts[2] = at(to),
            End::Call(edge) => {
                if let Action::Call { callee, .. } = self.program.edge(procedure, edge).action {
                    counts[2] = at(self.cuts.entry(self.program, callee));
                    if way == Way::Through {
                        counts[3] = at(self.cuts.exit(self.program, callee));
                        counts[4] = at(self.cuts.after(self.program, segment.from, edge));
                    }
                }
            }
        }
        counts
    }

    /// Throws all solvers away when they are too large.
    fn make_room(&self, inner: &mut Inner<'_>) {
        if !inner.calls.is_multiple_of(64) {
            return;
        }
        let terms = inner.cached.values().map(|it| it.post.terms.count() as u64);
        if terms.sum::<u64>() * PER_TERM > self.memory / SOLVERS_SHARE {
            inner.cached.clear();
        }
    }

    /// A state in which a run begins, for each valuation there can be.
    fn beginnings(&self) -> Vec<State> {
        let main = self.cuts.entry(self.program, self.program.main());
        let empty = self.inner.borrow_mut().valuations.number(&[]);
        let state = State {
            cut: main,
            entry: empty,
            here: empty,
        };
        // What is possible at the beginning is what can be the case anywhere.
        let count = self.predicates[main.index()].len();
        if count == 0 {
            return vec![state];
        }
        let inner = &mut *self.inner.borrow_mut();
        let (program, fixed, cuts) = (self.program, &self.fixed, &self.cuts);
        let mut post = Post::anywhere(program, fixed, cuts, main);
        let given = Given {
            entry: &[],
            here: &[],
            callee: None,
        };
        let ask = &mut *inner.ask;
        match post.all(program, &self.predicates, given, &mut inner.calls, ask) {
            Ok(found) => found
                .iter()
                .map(|it| {
                    let here = inner.valuations.number(it);
                    State {
                        cut: main,
                        entry: here,
                        here,
                    }
                })
                .collect(),
            Err(why) => {
                inner.failed = Some(why);
                Vec::new()
            }
        }
    }

    /// The states that a segment that ends at a cut leads to, or the states at the entry of the callee.
    pub(crate) fn successors(&self, state: &State, segment: SegmentId) -> Vec<State> {
        let after = self.after(segment, state, None);
        let from = &self.cuts.segments[segment.index()];
        match from.end {
            End::Cut(cut) => after
                .iter()
                .map(|&here| State {
                    cut,
                    here,
                    ..*state
                })
                .collect(),
            End::Call(edge) => {
                let procedure = self.cuts.procedure(from.from);
                let Action::Call { callee, .. } = self.program.edge(procedure, edge).action else {
                    return Vec::new();
                };
                let cut = self.cuts.entry(self.program, callee);
                after
                    .iter()
                    .map(|&entry| State {
                        cut,
                        entry,
                        here: entry,
                    })
                    .collect()
            }
        }
    }

    /// The states that a call at the end of a segment returns to.
    pub(crate) fn returned(&self, caller: &State, segment: SegmentId, exit: &State) -> Vec<State> {
        let End::Call(edge) = self.cuts.segments[segment.index()].end else {
            return Vec::new();
        };
        let cut = self.cuts.after(self.program, self.cut(segment), edge);
        let after = self.after(segment, caller, Some(exit));
        after
            .iter()
            .map(|&here| State {
                cut,
                here,
                ..*caller
            })
            .collect()
    }
}

impl RecursiveSystem for Abstraction<'_> {
    type State = State;

    fn initial(&self, out: &mut Moves<State>) {
        self.beginnings().into_iter().for_each(|it| out.step(it));
    }

    fn moves(&self, state: &State, out: &mut Moves<State>) {
        for &segment in &self.cuts.starting[state.cut.index()] {
            let is_call = matches!(self.cuts.segments[segment.index()].end, End::Call(_));
            for next in self.successors(state, segment) {
                match is_call {
                    true => out.call(next, Site(segment.0)),
                    false => out.step(next),
                }
            }
        }
    }

    fn is_exit(&self, state: &State) -> bool {
        let point = self.cuts.points[state.cut.index()];
        self.program.procedure(point.procedure).exit == point.node
    }

    fn resume(&self, caller: &State, site: Site, exit: &State, out: &mut Moves<State>) {
        for next in self.returned(caller, SegmentId(site.0), exit) {
            out.step(next);
        }
    }
}
