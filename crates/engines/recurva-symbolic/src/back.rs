//! Steps backwards: from concrete values behind a step to concrete values before it.

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

use recurva_model::{Action, Point, ProcId, VarRef};

use crate::{
    earliest::Earliest,
    effect::{Context, Effect},
    layout::{BitNo, Copy},
    marking::Marking,
    observer::watched_vars,
    plan::{NodeNo, Part},
    search::{Cause, Reached, Search, Summary, Time},
    setting::Setting,
    space::{Bdd, Res, VarNo},
    steps::rename,
};

/// Concrete values of decision variables, in the order in which they were asked for.
pub(crate) type Literals = Vec<(VarNo, bool)>;

/// Values that satisfy some diagram; those not mentioned there are false.
pub(crate) struct Picked(Literals);

impl Picked {
    fn get(&self, var: VarNo) -> bool {
        let position = self.0.binary_search_by_key(&var, |&(var, _)| var);
        position.is_ok_and(|position| self.0[position].1)
    }

    /// The values of these variables.
    pub(crate) fn values(&self, vars: impl IntoIterator<Item = VarNo>) -> Literals {
        let vars = vars.into_iter();
        vars.map(|var| (var, self.get(var))).collect()
    }

    /// The number whose bits these variables hold.
    fn number(&self, vars: &[VarNo]) -> u64 {
        let bits = vars.iter().enumerate();
        bits.fold(0, |number, (bit, &var)| {
            number | u64::from(self.get(var)) << bit
        })
    }

    /// The values of an edge's choices.
    pub(crate) fn choices(
        &self,
        context: &Context<'_>,
        procedure: ProcId,
        part: &Part,
    ) -> Vec<u64> {
        let choices = context.choice_vars(procedure, part);
        choices.iter().map(|vars| self.number(vars)).collect()
    }

    /// The present values of a variable's elements.
    pub(crate) fn elements(&self, context: &Context<'_>, id: ProcId, variable: VarRef) -> Vec<u64> {
        let elements = context.layout.elements(id, variable);
        elements
            .map(|bits| {
                let vars: Vec<VarNo> = bits.map(|bit| context.layout.var(bit, Copy::Now)).collect();
                self.number(&vars)
            })
            .collect()
    }
}

impl From<Literals> for Picked {
    fn from(mut values: Literals) -> Self {
        values.sort_unstable();
        Picked(values)
    }
}

/// A path edge with concrete values, and the layer in which it was found.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) node: NodeNo,
    pub(crate) layer: usize,
    /// What is remembered of the entry.
    pub(crate) entry: Literals,
    /// The present values.
    pub(crate) now: Literals,
}

/// A call that came back, undone.
pub(crate) struct Undone {
    /// Where the call started.
    pub(crate) before: Place,
    /// The values of the choices made there.
    pub(crate) choices: Vec<u64>,
    /// What was handed over.
    pub(crate) handed: Literals,
    /// What came back.
    pub(crate) returned: Literals,
}

/// Steps backwards through the layers of a search.
pub(crate) struct Backward<'a, 's, 'p> {
    pub(crate) setting: &'s Setting<'s, 'p>,
    /// What was found at each node.
    pub(crate) nodes: &'a [Reached],
    summaries: &'a [Summary],
    marking: Marking,
    effects: HashMap<u32, Effect>,
    arguments: HashMap<u32, Arguments>,
    /// The step from the observer's present states to the same as next ones, without and with
    /// marks.
    shifts: [OnceCell<(Bdd, Bdd)>; 2],
    /// The layers of nodes, and of the summaries of procedures, for looking up.
    node_layers: RefCell<HashMap<NodeNo, Rc<Earliest>>>,
    summary_layers: RefCell<HashMap<ProcId, Rc<Earliest>>>,
}

/// Where a call is possible, and the bits of its arguments.
type Arguments = (Bdd, Vec<(BitNo, Bdd)>);

impl<'a, 's, 'p> Backward<'a, 's, 'p> {
    /// Steps backwards through path edges.
    pub(crate) fn new(search: &'a Search<'s, 'p>) -> Self {
        Self::through(search, &search.nodes, Marking::Called)
    }

    /// Steps backwards through what was found after a search, with its summaries.
    pub(crate) fn through(
        search: &'a Search<'s, 'p>,
        nodes: &'a [Reached],
        marking: Marking,
    ) -> Self {
        Backward {
            setting: search.setting,
            nodes,
            summaries: &search.summaries,
            marking,
            effects: HashMap::new(),
            arguments: HashMap::new(),
            shifts: [OnceCell::new(), OnceCell::new()],
            node_layers: RefCell::default(),
            summary_layers: RefCell::default(),
        }
    }

    pub(crate) fn context(&self) -> Context<'s> {
        Context {
            marking: self.marking,
            ..self.setting.context()
        }
    }

    pub(crate) fn point(&self, node: NodeNo) -> Point {
        self.setting.prepared.plan.points[node as usize]
    }

    /// The first path edge of a node, of those found before a time, that is in a set; with
    /// all values of the set that go with it.
    pub(crate) fn first(
        &self,
        node: NodeNo,
        before: Time,
        set: &Bdd,
    ) -> Res<Option<(Place, Picked)>> {
        let space = &self.setting.space;
        let layers = self.node_layers.borrow().get(&node).cloned();
        let layers = match layers {
            Some(layers) => layers,
            None => {
                let sets = self.nodes[node as usize].layers.iter();
                let layers = Rc::new(Earliest::new(space, sets.map(|layer| &layer.set))?);
                self.node_layers.borrow_mut().insert(node, layers.clone());
                layers
            }
        };
        match layers.first(space, self.layers_before(node, before), set)? {
            Some(layer) => self.in_layer(node, layer, set),
            None => Ok(None),
        }
    }

    /// The parts of the summary of a procedure.
    fn parts_of(&self, id: ProcId) -> Res<Rc<Earliest>> {
        if let Some(parts) = self.summary_layers.borrow().get(&id) {
            return Ok(parts.clone());
        }
        let sets = self.summaries[id.index()].layers.iter();
        let parts = Rc::new(Earliest::new(
            &self.setting.space,
            sets.map(|(_, set)| set),
        )?);
        self.summary_layers.borrow_mut().insert(id, parts.clone());
        Ok(parts)
    }

    /// How many layers of a node were found before a time.
    fn layers_before(&self, node: NodeNo, time: Time) -> usize {
        let layers = &self.nodes[node as usize].layers;
        layers.partition_point(|layer| layer.time < time)
    }

    /// A path edge of a layer that is in a set.
    fn in_layer(&self, node: NodeNo, layer: usize, set: &Bdd) -> Res<Option<(Place, Picked)>> {
        let space = &self.setting.space;
        let found = &self.nodes[node as usize].layers[layer];
        let hit = space.and(set, &found.set)?;
        let Some(values) = space.pick(&hit) else {
            return Ok(None);
        };
        let picked = Picked(values);
        let point = self.point(node);
        let context = self.context();
        let place = Place {
            node,
            layer,
            entry: picked.values(context.entry_vars(point.procedure)),
            now: picked.values(context.now_vars(point)),
        };
        Ok(Some((place, picked)))
    }

    fn time(&self, place: &Place) -> Time {
        self.nodes[place.node as usize].layers[place.layer].time
    }

    /// The states of the observer (the present copy) before it read the configuration at a
    /// place, with the marks seen, if they are told.
    fn before_reading(&self, place: &Place) -> Res<Bdd> {
        let setting = self.setting;
        let space = &setting.space;
        let layout = &setting.prepared.layout;
        let marked = self.is_marked(place.node);
        let now = watched_vars(layout, Copy::Now, marked);
        let (state, values): (Literals, Literals) =
            place.now.iter().partition(|(var, _)| now.contains(var));
        let Some(reading) = setting.reading(place.node, marked)? else {
            return space.literals(state);
        };
        let state: Picked = state.into();
        let next = watched_vars(layout, Copy::Next, marked);
        let known = now.iter().zip(next);
        let known = known.map(|(&now, next)| (next, state.get(now)));
        let known: Literals = known.chain(values).collect();
        let cube = space.cube(known.iter().map(|&(var, _)| var).collect())?;
        space.and_exists(&reading.relation, &space.literals(known)?, &cube)
    }

    /// The same before the nodes were read that a block passes.
    fn before_crossing(&self, number: u32, after: &Place) -> Res<Bdd> {
        let setting = self.setting;
        let space = &setting.space;
        let before = self.before_reading(after)?;
        let marked = self.is_marked(after.node);
        let Some(crossing) = setting.crossing(number, marked)? else {
            return Ok(before);
        };
        let next = watched_vars(&setting.prepared.layout, Copy::Next, marked);
        let shift = self.shift(marked)?;
        let next_states = space.and_exists(&before, &shift.0, &shift.1)?;
        space.and_exists(&next_states, &crossing.relation, &space.cube(next)?)
    }

    fn is_marked(&self, node: NodeNo) -> bool {
        self.context().is_marked(self.point(node).procedure)
    }

    fn shift(&self, marked: bool) -> Res<&(Bdd, Bdd)> {
        let cell = &self.shifts[usize::from(marked)];
        if let Some(shift) = cell.get() {
            return Ok(shift);
        }
        let layout = &self.setting.prepared.layout;
        let now = watched_vars(layout, Copy::Now, marked);
        let next = watched_vars(layout, Copy::Next, marked);
        let pairs: Vec<_> = now.into_iter().zip(next).collect();
        let shift = rename(&self.setting.space, &pairs)?;
        Ok(cell.get_or_init(|| shift))
    }

    /// The values at a place that a step did not decide on its own: all but the observer's state
    /// and the marks; whether the turn had moved only if this step does not decide that.
    fn values(&self, place: &Place, cause: Cause) -> Literals {
        let context = self.context();
        let marked = self.is_marked(place.node);
        let mut own = watched_vars(context.layout, Copy::Now, marked);
        if let Marking::Turn(moved) = self.marking
            && moved.is_by(cause)
        {
            own.extend(context.moved());
        }
        let values = place.now.iter().filter(|(var, _)| !own.contains(var));
        values.copied().collect()
    }

    /// Undoes what is no step: the run has just ended, or stays where it is.
    pub(crate) fn undo_pause(&self, after: &Place, cause: Cause) -> Res<Option<Place>> {
        let space = &self.setting.space;
        let (from, known) = if cause == Cause::End {
            let exit = self.setting.prepared.plan.number(self.point(after.node));
            (exit, space.literals(after.now.clone())?)
        } else {
            let known = space.literals(self.values(after, cause))?;
            (after.node, space.and(&known, &self.before_reading(after)?)?)
        };
        let set = space.and(&known, &space.literals(after.entry.clone())?)?;
        let hit = self.first(from, self.time(after), &set)?;
        Ok(hit.map(|(place, _)| place))
    }

    /// Undoes a block: a path edge before it, and the values of the choices on each edge.
    pub(crate) fn undo_block(
        &mut self,
        number: u32,
        after: &Place,
    ) -> Res<Option<(Place, Vec<Vec<u64>>)>> {
        let context = self.context();
        let block = &self.setting.prepared.plan.blocks[number as usize];
        let from = self.setting.prepared.plan.number(block.from);
        let time = self.time(after);
        let mut hit = None;
        if block.is_heavy {
            // As in the search, what is known in a layer makes the block simple.
            for layer in 0..self.layers_before(from, time) {
                let set = &self.nodes[from as usize].layers[layer].set;
                let known = &context.known_in(block.from, set)?;
                let effect = Context { known, ..context }.effect(block)?;
                let set = self.before_effect(number, &effect, after)?;
                hit = self.in_layer(from, layer, &set)?;
                if hit.is_some() {
                    break;
                }
            }
        } else {
            if let Entry::Vacant(entry) = self.effects.entry(number) {
                entry.insert(context.effect(block)?);
            }
            let set = self.before_effect(number, &self.effects[&number], after)?;
            hit = self.first(from, time, &set)?;
        }
        let Some((place, picked)) = hit else {
            return Ok(None);
        };
        let parts = block.parts.iter();
        let choices = parts.map(|part| picked.choices(&context, block.from.procedure, part));
        Ok(Some((place, choices.collect())))
    }

    /// The values and choices from which a block leads to a place.
    fn before_effect(&self, number: u32, effect: &Effect, after: &Place) -> Res<Bdd> {
        let Context { space, layout, .. } = self.context();
        let values = self.values(after, Cause::Block(number));
        let mut left: HashMap<VarNo, bool> = values.into_iter().collect();
        let mut changed = Vec::with_capacity(effect.changes.len());
        for (bit, value) in &effect.changes {
            if let Some(wanted) = left.remove(&layout.var(*bit, Copy::Now)) {
                changed.push((value, wanted));
            }
        }
        let same = left.into_iter().chain(after.entry.iter().copied());
        let mut set = space.literals(same.collect())?;
        set = space.and(&set, &self.before_crossing(number, after)?)?;
        set = space.and(&set, &effect.open)?;
        for (value, wanted) in changed {
            set = if wanted {
                space.and(&set, value)?
            } else {
                space.minus(&set, value)?
            };
        }
        Ok(set)
    }

    /// Where a call is possible with these arguments.
    fn called_with(&mut self, number: u32, known: &Bdd) -> Res<Bdd> {
        let context = self.context();
        let space = context.space;
        let (open, bits) = match self.arguments.entry(number) {
            Entry::Occupied(entry) => &*entry.into_mut(),
            Entry::Vacant(entry) => {
                let site = &self.setting.prepared.plan.sites[number as usize];
                &*entry.insert(context.arguments(site)?)
            }
        };
        let mut set = space.and(known, open)?;
        for (bit, value) in bits {
            let argument = space.var(context.layout.var(*bit, Copy::Argument))?;
            set = space.and(&set, &space.equiv(&argument, value)?)?;
        }
        Ok(set)
    }

    /// Undoes the beginning of a call: a path edge of the caller, and the values of the
    /// choices made there.
    pub(crate) fn undo_call(
        &mut self,
        number: u32,
        after: &Place,
    ) -> Res<Option<(Place, Vec<u64>)>> {
        let context = self.context();
        let site = &self.setting.prepared.plan.sites[number as usize];
        let known = self.handed(site.callee, number, after)?;
        let set = self.called_with(number, &known)?;
        let from = self.setting.prepared.plan.number(site.from);
        let Some((place, picked)) = self.first(from, self.time(after), &set)? else {
            return Ok(None);
        };
        let choices = picked.choices(&context, site.from.procedure, &site.part);
        Ok(Some((place, choices)))
    }

    /// What was handed over to a procedure, as its callers see it, from the place where it
    /// begins: with the values that are there now.
    fn handed(&self, id: ProcId, number: u32, place: &Place) -> Res<Bdd> {
        let context = self.context();
        let space = context.space;
        let now: Picked = place.now.clone().into();
        let handed = context.scopes.handed_over(id);
        let mut known: Literals = Vec::new();
        for variable in handed {
            for bit in context.layout.bits(id, variable) {
                let value = now.get(context.layout.var(bit, Copy::Now));
                let copy = Context::handed_copy(variable);
                known.push((context.layout.var(bit, copy), value));
            }
        }
        let mut watched = self.before_reading(place)?;
        if let Marking::Turn(moved) = self.marking {
            if !moved.is_by(Cause::Call(number)) {
                known.extend(now.values(context.moved()));
            }
        } else {
            // The marks of a procedure begin anew.
            let marks = space.cube(context.marks(Copy::Now).collect())?;
            watched = space.exists(&watched, &marks)?;
        }
        space.and(&space.literals(known)?, &watched)
    }

    /// Undoes a call that came back.
    pub(crate) fn undo_return(&mut self, number: u32, after: &Place) -> Res<Option<Undone>> {
        let context = self.context();
        let space = context.space;
        let site = &self.setting.prepared.plan.sites[number as usize];
        let time = self.time(after);
        let (same, returned) = self.split_return(number, after);
        let mut known = space.literals(returned)?;
        let marked = self.is_marked(after.node);
        let shift = self.shift(false)?;
        let mut watched = space.and_exists(&self.before_reading(after)?, &shift.0, &shift.1)?;
        if marked {
            // What the caller had seen and what was seen in the call are not known apart.
            let pairs: Vec<_> = context
                .marks(Copy::Now)
                .zip(context.marks(Copy::Entry))
                .collect();
            let (told, now) = rename(space, &pairs)?;
            watched = space.and_exists(&watched, &told, &now)?;
            let room = space.cube(context.marks(Copy::Entry).collect())?;
            watched = space.and_exists(&watched, &context.union()?, &room)?;
        }
        known = space.and(&known, &watched)?;
        let same = same.into_iter().chain(after.entry.iter().copied());
        let same = space.literals(same.collect())?;
        let called = self.called_with(number, &same)?;
        let from = self.setting.prepared.plan.number(site.from);
        let summary = &self.summaries[site.callee.index()].layers;
        let count = summary.partition_point(|(found, _)| *found < time);
        let parts = self.parts_of(site.callee)?;
        let known = space.and(&known, &called)?;
        let set = space.and(&parts.union(space, count)?, &known)?;
        let Some((before, _)) = self.first(from, time, &set)? else {
            return Ok(None);
        };
        // For the caller as it was, the part of the summary that was found first.
        let caller = [&before.entry[..], &before.now[..]].concat();
        let known = space.and(&known, &space.literals(caller)?)?;
        let Some(part) = parts.first(space, count, &known)? else {
            return Ok(None);
        };
        let whole = space.and(&known, &summary[part].1)?;
        Ok(space.pick(&whole).map(|values| {
            let picked = Picked(values);
            Undone {
                choices: picked.choices(&context, site.from.procedure, &site.part),
                handed: picked.values(context.handed_vars(site.callee)),
                returned: picked.values(context.returned_vars(site.callee)),
                before,
            }
        }))
    }

    /// The values behind a call: those that the caller had before, and those that came back.
    fn split_return(&self, number: u32, after: &Place) -> (Literals, Literals) {
        let context = self.context();
        let site = &self.setting.prepared.plan.sites[number as usize];
        let caller = site.from.procedure;
        let edge = context.program.edge(caller, site.part.edge);
        let targets: &[Option<VarRef>] = match &edge.action {
            Action::Call { results, .. } => results,
            Action::Assign { .. } => &[],
        };
        let known: Picked = after.now.clone().into();
        let (mut same, mut returned) = (Vec::new(), Vec::new());
        if let Marking::Turn(moved) = self.marking
            && !moved.is_by(Cause::Return(number))
        {
            same.extend(known.values(context.moved()));
        }
        for variable in context.scopes.tracked(self.point(after.node)) {
            let result = targets.iter().position(|&target| target == Some(variable));
            let bits = context.layout.bits(caller, variable);
            let value = bits.map(|bit| (bit, known.get(context.layout.var(bit, Copy::Now))));
            if let Some(result) = result {
                let local = context.program.procedure(site.callee).results[result];
                let places = context.layout.bits(site.callee, VarRef::Local(local));
                let places = places.map(|bit| context.layout.var(bit, Copy::Next));
                returned.extend(places.zip(value.map(|(_, value)| value)));
            } else if context.is_changed_by(site.callee, variable) {
                returned.extend(value.map(|(bit, v)| (context.layout.var(bit, Copy::Next), v)));
            } else {
                same.extend(value.map(|(bit, v)| (context.layout.var(bit, Copy::Now), v)));
            }
        }
        (same, returned)
    }

    /// A path edge at a procedure's exit that gives this summary.
    pub(crate) fn exit_of(
        &self,
        id: ProcId,
        handed: &Literals,
        returned: &Literals,
    ) -> Res<Option<Place>> {
        let context = self.context();
        let values = |literals: &Literals| literals.iter().map(|&(_, v)| v).collect::<Vec<_>>();
        let entry = context.handed_vars_inside(id).into_iter();
        let exit = context.returned_vars_inside(id).into_iter();
        let known = entry
            .zip(values(handed))
            .chain(exit.zip(values(returned)))
            .collect();
        let set = context.space.literals(known)?;
        let exit = Point {
            procedure: id,
            node: context.program.procedure(id).exit,
        };
        let exit = self.setting.prepared.plan.number(exit);
        Ok(self.first(exit, Time::MAX, &set)?.map(|(place, _)| place))
    }
}
