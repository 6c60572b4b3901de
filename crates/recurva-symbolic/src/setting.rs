//! All that is fixed while a program is searched: its plan, the places of its variables, and
//! the compiled form of its edges, made when first asked for.

use std::cell::OnceCell;

use recurva_model::{Guard, Point, ProcId, Program, liveness::Liveness};

use crate::{
    answer::{Config, Stopped},
    call::{Call, Ends},
    effect::Context,
    eval::Known,
    layout::Layout,
    observer::Observer,
    plan::{NodeNo, Plan},
    scope::Scopes,
    space::{Bdd, Res, Space},
    steps::Steps,
};

/// What an observer does at a node.
pub(crate) struct Reading {
    /// The relation between values, state before and state after.
    pub(crate) relation: Bdd,
    /// The image under it.
    pub(crate) steps: Steps,
}

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
    readings: Vec<OnceCell<Option<Reading>>>,
    /// Edges are compiled for all values, as a rule.
    nothing_known: Known,
}

impl<'p> Prepared<'p> {
    /// Prepares a program. The search is to stop at the nodes for which `asked` is true.
    pub(crate) fn new(
        program: &'p Program,
        observer: Observer<'p>,
        config: &Config,
        asked: impl Fn(Point) -> bool,
    ) -> Result<Self, Stopped> {
        let plan = Plan::new(program, |point| {
            !config.merging || asked(point) || observer.may_move(point)
        });
        let guards: Vec<&Guard> = observer.guards();
        let liveness = if config.liveness {
            Liveness::new(program, guards.iter().copied())
        } else {
            Liveness::everything(program)
        };
        let scopes = Scopes::new(program, liveness, &guards);
        let layout = Layout::new(program, &plan, observer.bits()).map_err(|_| Stopped::Bits)?;
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
            readings: cells(prepared.plan.points.len()),
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
    pub(crate) fn reading(&self, node: NodeNo) -> Res<Option<&Reading>> {
        let reading = made(&self.readings[node as usize], || {
            let point = self.prepared.plan.points[node as usize];
            let Prepared {
                observer, layout, ..
            } = self.prepared;
            let relation = observer.relation(&self.space, layout, point)?;
            let Some(relation) = relation else {
                return Ok(None);
            };
            let steps = Observer::steps(&self.space, layout, &relation)?;
            Ok(Some(Reading { relation, steps }))
        })?;
        Ok(reading.as_ref())
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
