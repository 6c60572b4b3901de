//! All that is fixed while a program is searched: its plan, the places of its variables, and
//! the compiled form of its edges, made when first asked for.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use recurva_model::{Ending, Patience, Point, ProcId, Program, Stop, liveness::Liveness};
use rustc_hash::FxHashMap;

use crate::{
    answer::{Config, Stopped},
    call::{Call, Ends},
    effect::Context,
    eval::Known,
    layout::{Copy, Layout},
    marking::Marking,
    observer::{Look, Observer, watched_vars},
    plan::{NodeNo, Plan},
    scope::Scopes,
    search::Cause,
    space::{Bdd, Res, Space},
    steps::{Steps, rename},
};

/// What an observer does at a node, or at some that are passed.
pub(crate) struct Reading {
    /// The relation between values, state before and state after.
    pub(crate) relation: Bdd,
    /// The image under it.
    pub(crate) steps: Steps,
}

/// What an observer does; `None` where it stays.
type Seen = Option<Rc<Reading>>;

/// What an observer does, for each node or block, once without and once with marks.
type Readings = [Vec<OnceCell<Seen>>; 2];

/// A program prepared for being searched, before there are any diagrams.
pub(crate) struct Prepared<'p> {
    pub(crate) program: &'p Program,
    pub(crate) observer: Observer<'p>,
    pub(crate) plan: Plan,
    pub(crate) scopes: Scopes<'p>,
    pub(crate) layout: Layout,
}

/// A prepared program, and the compiled form of its edges.
pub(crate) struct Setting<'s, 'p> {
    pub(crate) prepared: &'s Prepared<'p>,
    pub(crate) space: Space,
    blocks: Vec<OnceCell<Steps>>,
    calls: Vec<OnceCell<Call>>,
    ends: Vec<OnceCell<Ends>>,
    readings: Readings,
    crossings: Readings,
    /// The same for all that look the same.
    looks: RefCell<FxHashMap<(Look, bool), Seen>>,
    /// Edges are compiled for all values, as a rule.
    nothing_known: Known,
}

impl<'p> Prepared<'p> {
    /// Prepares a program. The search is to stop at the nodes for which `asked` is true.
    pub(crate) fn new(
        program: &'p Program,
        observer: Observer<'p>,
        config: &Config,
        ending: Ending,
        asked: impl Fn(Point) -> bool,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stopped> {
        let asked_to = |Stop| Stopped::Asked;
        patience.step().map_err(asked_to)?;
        let plan = Plan::new(program, ending, |point| {
            !config.merging || asked(point) || !observer.passes(point)
        });
        let guards = &observer.conditions;
        let liveness = if config.liveness {
            Liveness::new(program, guards.iter().copied(), patience).map_err(asked_to)?
        } else {
            Liveness::everything(program)
        };
        let scopes = Scopes::new(program, liveness, guards);
        let layout = Layout::new(program, &plan, &observer).map_err(|_| Stopped::Bits)?;
        Ok(Prepared {
            program,
            observer,
            plan,
            scopes,
            layout,
        })
    }
}

impl<'s, 'p> Setting<'s, 'p> {
    /// A prepared program of which nothing is compiled yet.
    pub(crate) fn new(prepared: &'s Prepared<'p>, space: Space) -> Self {
        Setting {
            blocks: cells(prepared.plan.blocks.len()),
            calls: cells(prepared.plan.sites.len()),
            ends: cells(prepared.program.procedures().len()),
            readings: [(); 2].map(|()| cells(prepared.plan.points.len())),
            crossings: [(); 2].map(|()| cells(prepared.plan.blocks.len())),
            looks: RefCell::default(),
            prepared,
            space,
            nothing_known: Known::default(),
        }
    }

    /// What is needed to compile edges.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            program: self.prepared.program,
            space: &self.space,
            layout: &self.prepared.layout,
            scopes: &self.prepared.scopes,
            known: &self.nothing_known,
            marking: Marking::Called,
        }
    }

    /// The image of path edges under a block. Circuits that are large in general may be
    /// simple where some values are known: those are made for each set anew.
    pub(crate) fn image(&self, number: u32, set: &Bdd) -> Res<Bdd> {
        let block = &self.prepared.plan.blocks[number as usize];
        if block.is_heavy {
            let known = &self.context().known_in(block.from, set)?;
            if !known.is_empty() {
                let context = Context {
                    known,
                    ..self.context()
                };
                return context.steps(block)?.apply(&self.space, set);
            }
        }
        self.block(number)?.apply(&self.space, set)
    }

    fn block(&self, number: u32) -> Res<&Steps> {
        made(&self.blocks[number as usize], || {
            self.context()
                .steps(&self.prepared.plan.blocks[number as usize])
        })
    }

    /// A call, ready to be taken.
    pub(crate) fn call(&self, site: u32) -> Res<&Call> {
        made(&self.calls[site as usize], || {
            self.context()
                .call(&self.prepared.plan.sites[site as usize])
        })
    }

    /// The two ends of a procedure.
    pub(crate) fn ends(&self, id: ProcId) -> Res<&Ends> {
        made(&self.ends[id.index()], || self.context().ends(id))
    }

    /// What the observer does at a node; `None` if it stays.
    pub(crate) fn reading(&self, node: NodeNo, marked: bool) -> Res<Option<&Reading>> {
        let reading = made(&self.readings[usize::from(marked)][node as usize], || {
            let point = self.prepared.plan.points[node as usize];
            self.look(self.prepared.observer.look(point), marked)
        })?;
        Ok(reading.as_deref())
    }

    /// What the observer does at the nodes that a block passes; `None` if it stays.
    pub(crate) fn crossing(&self, number: u32, marked: bool) -> Res<Option<&Reading>> {
        let crossing = made(
            &self.crossings[usize::from(marked)][number as usize],
            || {
                let block = &self.prepared.plan.blocks[number as usize];
                let passed = block.passed(self.prepared.program);
                match self.prepared.observer.crossing(passed) {
                    Some(look) => self.look(look, marked),
                    None => Ok(None),
                }
            },
        )?;
        Ok(crossing.as_deref())
    }

    /// Lets the observer read what has arrived at a node.
    pub(crate) fn read(&self, marking: Marking, to: NodeNo, cause: Cause, set: &Bdd) -> Res<Bdd> {
        if cause == Cause::End {
            // It has been read at the exit.
            return Ok(set.clone());
        }
        let context = Context {
            marking,
            ..self.context()
        };
        let marked = context.is_marked(self.prepared.plan.points[to as usize].procedure);
        let crossing = match cause {
            Cause::Block(number) => self.crossing(number, marked)?,
            _ => None,
        };
        let readings = [crossing, self.reading(to, marked)?];
        let mut readings = readings.into_iter().flatten();
        readings.try_fold(set.clone(), |set, reading| {
            reading.steps.apply(&self.space, &set)
        })
    }

    fn look(&self, look: Look, marked: bool) -> Res<Seen> {
        let key = (look, marked);
        if let Some(reading) = self.looks.borrow().get(&key) {
            return Ok(reading.clone());
        }
        let Prepared {
            observer, layout, ..
        } = self.prepared;
        let space = &self.space;
        let reading = match observer.relation(space, layout, &key.0, marked)? {
            None => None,
            Some(relation) => {
                let now = watched_vars(layout, Copy::Now, marked);
                let next = watched_vars(layout, Copy::Next, marked);
                let back = next.into_iter().zip(now.iter().copied());
                let back = rename(space, &back.collect::<Vec<_>>())?;
                let steps = Steps::from(vec![(relation.clone(), space.cube(now)?), back]);
                Some(Rc::new(Reading { relation, steps }))
            }
        };
        self.looks.borrow_mut().insert(key, reading.clone());
        Ok(reading)
    }
}

fn cells<T>(count: usize) -> Vec<OnceCell<T>> {
    (0..count).map(|_| OnceCell::new()).collect()
}

/// The content of a cell, made if there is none.
fn made<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Res<T>) -> Res<&T> {
    if cell.get().is_none() {
        let value = make()?;
        return Ok(cell.get_or_init(|| value));
    }
    Ok(cell.get().expect("it has just been looked at"))
}
