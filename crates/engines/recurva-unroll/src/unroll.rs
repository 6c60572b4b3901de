//! One attempt: the program unrolled up to a depth.
//!
//! The depth of a run is how often it went round loops and into recursive calls within one another,
//! where it might as well not have: what cannot be otherwise is followed at no price.

use std::{collections::BTreeMap, ops::ControlFlow, rc::Rc};

use recurva_encode::{Encoder, Held, Joints, Numbers, Step, Store};
use recurva_model::{Action, EdgeId, NodeId, Point, ProcId, Program, VarRef};
use recurva_smt::{Node, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{
    join::joined,
    order::{Key, Order},
    place::{FrameId, PlaceId, Places},
    record::{Instance, Moments},
    relevant::{After, Relevant},
};

/// It is asked no more often than that whether a call always returns.
const RETURNS: u64 = 200;

/// Values that control comes to a place with.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) condition: Term,
    pub(crate) store: Store,
    pub(crate) depth: u32,
}

/// How far an attempt goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest depth.
    pub(crate) depth: u32,
    /// The largest number of places.
    pub(crate) places: u64,
}

/// What an attempt found.
#[derive(Debug, Default)]
pub(crate) struct Unrolled {
    /// When targets are reached.
    pub(crate) targets: Vec<Term>,
    /// When there are runs that were not followed further.
    pub(crate) frontier: Vec<Term>,
    /// How many places there are.
    pub(crate) places: u64,
    /// How often it was asked whether a call always returns.
    pub(crate) returns: u64,
    /// The edges that were taken from a place, and what decides for each of them besides what it needs.
    pub(crate) edges: FxHashMap<PlaceId, Vec<(EdgeId, Term)>>,
    /// What control comes to each joint with, if that is recorded.
    pub(crate) instances: BTreeMap<Point, Vec<Instance>>,
}

/// A step from a place.
struct Way {
    edge: EdgeId,
    /// What decides for it where several are possible.
    chosen: Term,
    /// When it is possible and decided for.
    condition: Term,
    step: Step,
}

/// Whether a condition can be true.
pub(crate) trait Judge {
    /// Whether it may, or it costs too much to find out. An error ends the attempt.
    fn is_possible(
        &mut self,
        terms: &mut Terms,
        found: &Unrolled,
        condition: Term,
    ) -> Result<bool, Ended>;

    /// Whether it can, whatever it costs to find out.
    fn is_possible_at_all(&mut self, terms: &mut Terms, condition: Term) -> Result<bool, Ended>;

    /// Asked now and then whether to go on.
    fn tick(&mut self, terms: &Terms, found: &Unrolled) -> ControlFlow<Ended>;
}

/// An attempt has come to no end of its own; whoever ended it knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended;

/// A program with all that is worked out once.
#[derive(Debug)]
pub(crate) struct Setting<'p> {
    pub(crate) program: &'p Program,
    pub(crate) orders: Vec<Order>,
    pub(crate) relevant: Relevant,
}

impl<'p> Setting<'p> {
    pub(crate) fn new(program: &'p Program, relevant: Relevant) -> Self {
        Setting {
            program,
            orders: program.procedures().iter().map(Order::new).collect(),
            relevant,
        }
    }

    pub(crate) fn order(&self, procedure: ProcId) -> &Order {
        &self.orders[procedure.index()]
    }
}

/// An invocation that is being unrolled.
struct Frame {
    id: FrameId,
    procedure: ProcId,
    waiting: BTreeMap<Key, Vec<State>>,
    /// What came to the head of each loop in its last round; by the place of its first round.
    heads: FxHashMap<Key, (Term, Store)>,
    /// The condition under which it began.
    began: Term,
    after: After,
    back: Option<Back>,
    /// The values at its beginning.
    entry: Rc<Store>,
}

/// Where an invocation returns to.
struct Back {
    /// The number of the caller among the frames.
    caller: usize,
    key: Key,
    /// The caller's locals.
    locals: Vec<Held>,
    results: Vec<Option<VarRef>>,
    depth: u32,
}

pub(crate) struct Attempt<'a, 'p> {
    pub(crate) setting: &'a Setting<'p>,
    pub(crate) places: &'a mut Places,
    pub(crate) terms: &'a mut Terms,
    pub(crate) bounds: Bounds,
    pub(crate) judge: &'a mut dyn Judge,
    /// Where to record what control comes there with. Then values that are given to a call, or that it
    /// gives back, get names, so that what is said in a procedure is about its own values.
    pub(crate) joints: Option<&'a Joints>,
    pub(crate) found: Unrolled,
}

impl Attempt<'_, '_> {
    /// Unrolls the program.
    pub(crate) fn run(mut self) -> Result<Unrolled, Ended> {
        let program = self.setting.program;
        let main = program.main();
        let mut encoder = Encoder::new(self.terms, Numbers::Bits);
        let globals = self.places.globals(&mut encoder, program).to_vec();
        let locals = self
            .places
            .locals(&mut encoder, program, Places::MAIN, (main, 0));
        let store = Store {
            globals,
            locals: locals.to_vec(),
        };
        let condition = self.terms.truth();
        let state = State {
            condition,
            store,
            depth: 0,
        };
        let frame = self.frame(Places::MAIN, main, state, After::Irrelevant, None);
        let mut frames = vec![frame];
        while let Some(frame) = frames.last_mut() {
            let Some((key, states)) = frame.waiting.pop_first() else {
                frames.pop();
                continue;
            };
            self.found.places += 1;
            if self.found.places.is_multiple_of(64)
                && self.judge.tick(self.terms, &self.found).is_break()
            {
                return Err(Ended);
            }
            self.place(&mut frames, &key, states)?;
        }
        Ok(self.found)
    }

    fn frame(
        &self,
        id: FrameId,
        procedure: ProcId,
        state: State,
        after: After,
        back: Option<Back>,
    ) -> Frame {
        let node = self.setting.program.procedure(procedure).entry;
        let began = state.condition;
        let entry = Rc::new(state.store.clone());
        let mut waiting = BTreeMap::new();
        if self.setting.relevant.is_relevant(procedure, node, after) {
            waiting.insert(self.setting.order(procedure).start(node), vec![state]);
        }
        Frame {
            id,
            procedure,
            waiting,
            heads: FxHashMap::default(),
            began,
            after,
            back,
            entry,
        }
    }

    /// All runs that come to a place of the last frame go on from there.
    fn place(
        &mut self,
        frames: &mut Vec<Frame>,
        key: &Key,
        states: Vec<State>,
    ) -> Result<(), Ended> {
        let top = frames.len() - 1;
        let (id, procedure) = (frames[top].id, frames[top].procedure);
        let order = self.setting.order(procedure);
        let node = order.node(key);
        let point = Point { procedure, node };
        let Some(mut state) = joined(self.terms, states) else {
            return Ok(());
        };
        if self.setting.relevant.is_target(point) {
            self.found.targets.push(state.condition);
            return Ok(());
        }
        if let Some(round) = order.round(key) {
            let mut first = key.clone();
            let len = first.len();
            first[len - 2] = 0;
            let here = (state.condition, state.store.clone());
            let last = frames[top].heads.insert(first, here);
            if let Some((condition, store)) = last
                && round > 0
            {
                // The same runs with the same values: all that they can do has been seen.
                if condition == state.condition && store == state.store {
                    return Ok(());
                }
                if !self.goes_on(condition, &mut state)? {
                    return Ok(());
                }
            }
        }
        if self.joints.is_some_and(|it| it.contains(point)) {
            let instance = Instance {
                condition: state.condition,
                values: Moments {
                    entry: Rc::clone(&frames[top].entry),
                    now: state.store.clone(),
                },
            };
            self.found
                .instances
                .entry(point)
                .or_default()
                .push(instance);
        }
        if node == self.setting.program.procedure(procedure).exit {
            return self.end(frames, state);
        }
        let place = self.places.place(id, key);
        let ways = self.ways(place, point, frames[top].after, &state.store);
        let mut calls = Vec::new();
        for way in ways {
            let condition = self.terms.and(&[state.condition, way.condition]);
            if self.is_false(condition) {
                continue;
            }
            let edge_id = way.edge;
            let taken = self.found.edges.entry(place).or_default();
            taken.push((edge_id, way.chosen));
            let edge = self.setting.program.edge(procedure, edge_id);
            let next = order.next(key, edge.to);
            match way.step {
                Step::Internal(internal) => {
                    let state = State {
                        condition,
                        store: internal.store,
                        depth: state.depth,
                    };
                    frames[top].waiting.entry(next).or_default().push(state);
                }
                Step::Call(call) => {
                    let frame = self.places.frame(place, edge_id);
                    let callee = self.setting.program.procedure(call.callee);
                    let mut locals = call.arguments;
                    let mut encoder = Encoder::new(self.terms, Numbers::Bits);
                    let from = (call.callee, callee.parameters);
                    let others =
                        self.places
                            .locals(&mut encoder, self.setting.program, frame, from);
                    locals.extend(others.iter().cloned());
                    let mut store = Store {
                        globals: state.store.globals.clone(),
                        locals,
                    };
                    if self.joints.is_some() {
                        self.places.name_all(self.terms, &mut store.globals);
                        self.places.name_all(self.terms, &mut store.locals);
                    }
                    let mut inner = State {
                        condition,
                        store,
                        depth: state.depth,
                    };
                    let is_recursive = self.setting.relevant.is_recursive(call.callee);
                    let mut earlier = frames.iter().rev().filter(|it| it.procedure == call.callee);
                    if let Some(earlier) = earlier.next()
                        && is_recursive
                        && !self.goes_on(earlier.began, &mut inner)?
                    {
                        continue;
                    }
                    let after = self.after(procedure, edge.to, frames[top].after);
                    let back = Back {
                        caller: top,
                        key: next,
                        locals: state.store.locals.clone(),
                        results: call.results,
                        depth: state.depth,
                    };
                    calls.push(self.frame(frame, call.callee, inner, after, Some(back)));
                }
            }
        }
        frames.extend(calls);
        Ok(())
    }

    fn after(&self, procedure: ProcId, node: NodeId, after: After) -> After {
        match self.setting.relevant.is_relevant(procedure, node, after) {
            true => After::Relevant,
            false => After::Irrelevant,
        }
    }

    /// Whether to follow runs that go round once more, after having done so under a condition. Where
    /// all of them did, they are no deeper.
    fn goes_on(&mut self, before: Term, state: &mut State) -> Result<bool, Ended> {
        if before == state.condition {
            let goes_on = self.found.places <= self.bounds.places;
            if !goes_on {
                self.found.frontier.push(state.condition);
            }
            return Ok(goes_on);
        }
        state.depth += 1;
        if self.found.places > self.bounds.places || state.depth > self.bounds.depth {
            self.found.frontier.push(state.condition);
            return Ok(false);
        }
        let condition = self.places.expanded(self.terms, state.condition);
        self.judge.is_possible(self.terms, &self.found, condition)
    }

    /// The last frame returns.
    fn end(&mut self, frames: &mut [Frame], mut state: State) -> Result<(), Ended> {
        let Some((frame, callers)) = frames.split_last_mut() else {
            return Ok(());
        };
        let Some(back) = &mut frame.back else {
            return Ok(());
        };
        // Where every call returns, that it has returned is not worth telling.
        if self.joints.is_some() && self.is_no_less(frame.began, state.condition)? {
            state.condition = frame.began;
        }
        let caller = &mut callers[back.caller];
        let callee = self.setting.program.procedure(frame.procedure);
        let results = callee.results.iter();
        let mut results: Vec<Held> = results
            .map(|&it| state.store.locals[it as usize].clone())
            .collect();
        let mut globals = state.store.globals;
        if self.joints.is_some() {
            self.places.name_all(self.terms, &mut globals);
            self.places.name_all(self.terms, &mut results);
        }
        let locals = std::mem::take(&mut back.locals);
        let mut store = Store { globals, locals };
        for (variable, result) in back.results.iter().zip(results) {
            if let Some(variable) = *variable {
                store.set(variable, result);
            }
        }
        let order = self.setting.order(caller.procedure);
        let node = order.node(&back.key);
        if self.after(caller.procedure, node, caller.after) == After::Irrelevant {
            return Ok(());
        }
        let state = State {
            condition: state.condition,
            store,
            depth: back.depth,
        };
        let waiting = caller.waiting.entry(back.key.clone());
        waiting.or_default().push(state);
        Ok(())
    }

    /// Whether a condition follows from another one.
    fn is_no_less(&mut self, given: Term, condition: Term) -> Result<bool, Ended> {
        if given == condition {
            return Ok(true);
        }
        self.found.returns += 1;
        if self.found.returns > RETURNS {
            return Ok(false);
        }
        let denied = self.terms.not(condition);
        let both = self.terms.and(&[given, denied]);
        let both = self.places.expanded(self.terms, both);
        Ok(!self.judge.is_possible_at_all(self.terms, both)?)
    }

    /// The steps from a place that may lead to a target, each with the condition under which it is
    /// taken: never two at once.
    fn ways(&mut self, place: PlaceId, point: Point, after: After, store: &Store) -> Vec<Way> {
        let program = self.setting.program;
        let truth = self.terms.truth();
        let mut ways: Vec<Way> = Vec::new();
        for (edge_id, edge) in program.edges_from(point) {
            if !self.may_matter(point.procedure, edge.to, &edge.action, after) {
                continue;
            }
            let mut encoder = Encoder::new(self.terms, Numbers::Bits);
            let types = edge.choices();
            let choices = self.places.choices(&mut encoder, place, edge_id, &types);
            let step = encoder.step_choosing(program, point.procedure, edge, store, choices);
            let condition = match &step {
                Step::Internal(internal) => internal.condition,
                Step::Call(call) => call.condition,
            };
            if !self.is_false(condition) {
                ways.push(Way {
                    edge: edge_id,
                    chosen: truth,
                    condition,
                    step,
                });
            }
        }
        if ways.len() > 1 && !self.are_exclusive(&ways) {
            let mut others = Vec::new();
            let last = ways.len() - 1;
            for (number, way) in ways.iter_mut().enumerate() {
                let mut encoder = Encoder::new(self.terms, Numbers::Bits);
                let here = self.places.selector(&mut encoder, place, number as u32);
                let mut all = others.clone();
                if number != last {
                    all.push(here);
                }
                way.chosen = self.terms.and(&all);
                way.condition = self.terms.and(&[way.chosen, way.condition]);
                others.push(self.terms.not(here));
            }
        }
        ways
    }

    fn may_matter(&self, procedure: ProcId, to: NodeId, action: &Action, after: After) -> bool {
        let inner = match *action {
            Action::Call { callee, .. } => {
                let entry = self.setting.program.procedure(callee).entry;
                let back = self.after(procedure, to, after);
                return self.setting.relevant.is_relevant(callee, entry, back);
            }
            Action::Assign { .. } => to,
        };
        self.setting.relevant.is_relevant(procedure, inner, after)
    }

    fn are_exclusive(&mut self, ways: &[Way]) -> bool {
        for (number, left) in ways.iter().enumerate() {
            for right in &ways[number + 1..] {
                let both = self.terms.and(&[left.condition, right.condition]);
                if !self.is_false(both) {
                    return false;
                }
            }
        }
        true
    }

    fn is_false(&self, term: Term) -> bool {
        *self.terms.node(term) == Node::Bool(false)
    }
}
