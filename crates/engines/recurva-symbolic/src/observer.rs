//! What watches a run: a finite automaton whose state is one more variable.
//!
//! The observer reads every configuration once. Its state goes along like a global that
//! every procedure changes: a procedure's summary relates the state before its entry is read
//! to the state after its exit is read. The edges of a Büchi automaton carry marks besides,
//! and a path edge may tell which of them were seen since the procedure was entered.

use std::collections::HashMap;

use recurva_model::{Automaton, Cube, Expr, Guard, Monitor, Op, Point, ProcId, VarRef};

use crate::{
    eval::{Evaluator, Known, Values, Written},
    guess::known,
    layout::{Copy, Layout},
    space::{Bdd, Res, Space, VarNo},
    strong::cyclic_components,
};

/// A finite automaton that reads every configuration of a run.
pub(crate) struct Observer<'p> {
    /// The states before the first configuration is read.
    pub(crate) initial: Vec<u32>,
    /// The states that are asked for.
    pub(crate) targets: Vec<u32>,
    /// How many marks there are.
    pub(crate) marks: u32,
    /// Sets of states in which it can go round and see all marks.
    pub(crate) fair: Vec<Vec<u32>>,
    /// What it reads.
    pub(crate) conditions: Vec<&'p Guard>,
    /// For each state the edges that leave it.
    edges: Vec<Vec<Edge>>,
    /// Whether it stays where it is if no edge is open. If not, the run is not followed.
    stays: bool,
}

struct Edge {
    to: u32,
    marks: u32,
    /// It is open where one of these holds: conditions, and whether they must hold.
    label: Vec<Vec<(usize, bool)>>,
}

/// For each state what may come of it: the next state, and the marks seen on the way.
type Table = Vec<Vec<(u32, u32)>>;

/// Tables that stand for several readings in a row are made for so many states at most.
const MAX_STATES: u32 = 64;

/// How an observer reads the configurations at a node. What looks the same is the same.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Look {
    /// Whatever the values, this happens.
    Fixed(Table),
    /// It depends on these conditions, as far as they are not known; and on the procedure if
    /// they read its locals.
    Open(Vec<Result<bool, Expr>>, Option<ProcId>),
}

impl<'p> Observer<'p> {
    /// A monitor as an observer.
    pub(crate) fn of_monitor(monitor: &'p Monitor) -> Self {
        let mut numbers: HashMap<&Guard, usize> = HashMap::new();
        let mut conditions = Vec::new();
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        edges.resize_with(monitor.states().len(), Vec::new);
        for edge in monitor.edges() {
            let number = *numbers.entry(&edge.guard).or_insert_with(|| {
                conditions.push(&edge.guard);
                conditions.len() - 1
            });
            edges[edge.from as usize].push(Edge {
                to: edge.to,
                marks: 0,
                label: vec![vec![(number, true)]],
            });
        }
        let targets = monitor.states().iter().zip(0..);
        Observer {
            initial: vec![monitor.initial()],
            targets: targets
                .filter_map(|(state, number)| state.target.then_some(number))
                .collect(),
            marks: 0,
            fair: Vec::new(),
            conditions,
            edges,
            stays: true,
        }
    }

    /// A Büchi automaton as an observer. Edges from which no accepting run goes on are left out,
    /// and so are marks on edges that no accepting run takes again and again.
    pub(crate) fn of_automaton(automaton: &'p Automaton) -> Self {
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        edges.resize_with(automaton.states() as usize, Vec::new);
        let wanted: Vec<u32> = (0..u32::BITS)
            .filter(|mark| automaton.acceptance() >> mark & 1 == 1)
            .collect();
        for edge in automaton.edges() {
            // A cube may contradict itself: no letter is as it says.
            let cubes = edge.cubes.iter();
            let cubes = cubes.filter(|cube| cube.positive & cube.negative == 0);
            let label: Vec<_> = cubes.map(literals).collect();
            let marks = wanted.iter().zip(0..);
            let marks = marks.map(|(&mark, place)| (edge.marks >> mark & 1) << place);
            if !label.is_empty() {
                edges[edge.from as usize].push(Edge {
                    to: edge.to,
                    marks: marks.sum(),
                    label,
                });
            }
        }
        let fair = fair_components(&mut edges, (0..wanted.len()).map(|mark| 1 << mark).sum());
        leave_out_dead_ends(&mut edges, &fair);
        Observer {
            initial: vec![automaton.initial()],
            targets: Vec::new(),
            marks: wanted.len() as u32,
            fair,
            conditions: automaton.conditions().iter().collect(),
            edges,
            stays: false,
        }
    }

    /// The observer of nothing: one state and no way out of it.
    pub(crate) fn blind() -> Self {
        Observer {
            initial: vec![0],
            targets: Vec::new(),
            marks: 0,
            fair: Vec::new(),
            conditions: Vec::new(),
            edges: vec![Vec::new()],
            stays: true,
        }
    }

    /// The number of states.
    pub(crate) fn states(&self) -> u32 {
        self.edges.len() as u32
    }

    /// How many bits hold its state.
    pub(crate) fn bits(&self) -> u8 {
        (u32::BITS - (self.states().saturating_sub(1)).leading_zeros()) as u8
    }

    /// Whether what it does at a node can be told without any values, so that the node may be
    /// passed over.
    pub(crate) fn passes(&self, point: Point) -> bool {
        match self.look(point) {
            Look::Fixed(table) => self.states() <= MAX_STATES || is_idle(&table),
            Look::Open(..) => false,
        }
    }

    /// How it reads the configurations at a node.
    pub(crate) fn look(&self, point: Point) -> Look {
        let conditions = self.conditions.iter().map(|guard| guard.at(point));
        let letter: Vec<Result<bool, Expr>> = conditions
            .map(|condition| known(&condition).ok_or(condition))
            .collect();
        match self.table(&letter) {
            Some(table) => Look::Fixed(table),
            None => {
                let mut open = letter
                    .iter()
                    .filter_map(|condition| condition.as_ref().err());
                let procedure = open.any(reads_local).then_some(point.procedure);
                Look::Open(letter, procedure)
            }
        }
    }

    /// What happens at nodes passed one after the other; `None` if nothing does.
    pub(crate) fn crossing(&self, points: impl Iterator<Item = Point>) -> Option<Look> {
        let mut all: Option<Table> = None;
        for point in points {
            if let Look::Fixed(table) = self.look(point)
                && !is_idle(&table)
            {
                all = Some(match all {
                    None => table,
                    Some(before) => compose(&before, &table),
                });
            }
        }
        all.map(Look::Fixed)
    }

    /// What may come of each state, if it does not depend on conditions that are open.
    fn table(&self, letter: &[Result<bool, Expr>]) -> Option<Table> {
        let mut table = Vec::with_capacity(self.edges.len());
        for (state, edges) in (0..).zip(&self.edges) {
            let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
            for edge in edges {
                match edge.is_open(letter) {
                    Some(true) => sure.push((edge.to, edge.marks)),
                    Some(false) => {}
                    None => perhaps.push((edge.to, edge.marks)),
                }
            }
            if self.stays && sure.is_empty() {
                sure.push((state, 0));
            }
            if perhaps.iter().any(|edge| !sure.contains(edge)) {
                return None;
            }
            sure.sort_unstable();
            sure.dedup();
            table.push(sure);
        }
        Some(table)
    }

    /// The valuations in which a copy of its state is one of these.
    pub(crate) fn any_of(
        &self,
        space: &Space,
        layout: &Layout,
        copy: Copy,
        states: &[u32],
    ) -> Res<Bdd> {
        let mut any = space.falsity();
        for &state in states {
            let values = layout.observer().enumerate();
            let values = values.map(|(bit, no)| (layout.var(no, copy), state >> bit & 1 == 1));
            any = space.or(&any, &space.literals(values.collect())?)?;
        }
        Ok(any)
    }

    /// What it does when it reads a configuration: the relation between the values there, its
    /// state before and its state after (the next copy); and between the marks seen before and
    /// after, if they are `marked`. `None` if it stays.
    pub(crate) fn relation(
        &self,
        space: &Space,
        layout: &Layout,
        look: &Look,
        marked: bool,
    ) -> Res<Option<Bdd>> {
        let mut relation = space.falsity();
        match look {
            Look::Fixed(table) if is_idle(table) => return Ok(None),
            Look::Fixed(table) => {
                for (state, arrows) in (0..).zip(table) {
                    let mut moves = space.falsity();
                    for &arrow in arrows {
                        moves = space.or(&moves, &self.arrow(space, layout, arrow, marked)?)?;
                    }
                    let here = self.any_of(space, layout, Copy::Now, &[state])?;
                    relation = space.or(&relation, &space.and(&here, &moves)?)?;
                }
            }
            Look::Open(letter, procedure) => {
                let conditions = conditions(space, layout, letter, *procedure)?;
                for (state, edges) in (0..).zip(&self.edges) {
                    let mut moves = space.falsity();
                    let mut stays = space.constant(self.stays);
                    for edge in edges {
                        let open = edge.opening(space, &conditions)?;
                        let arrow = (edge.to, edge.marks);
                        let arrow = self.arrow(space, layout, arrow, marked)?;
                        moves = space.or(&moves, &space.and(&open, &arrow)?)?;
                        stays = space.minus(&stays, &open)?;
                    }
                    let here = self.any_of(space, layout, Copy::Now, &[state])?;
                    let same = self.arrow(space, layout, (state, 0), marked)?;
                    moves = space.or(&moves, &space.and(&stays, &same)?)?;
                    relation = space.or(&relation, &space.and(&here, &moves)?)?;
                }
            }
        }
        Ok(Some(relation))
    }

    /// The next state is this one, and these marks are seen besides those seen before.
    fn arrow(
        &self,
        space: &Space,
        layout: &Layout,
        (to, marks): (u32, u32),
        marked: bool,
    ) -> Res<Bdd> {
        let mut arrow = self.any_of(space, layout, Copy::Next, &[to])?;
        if marked {
            for (mark, bit) in layout.marks().enumerate() {
                let next = space.var(layout.var(bit, Copy::Next))?;
                let after = if marks >> mark & 1 == 1 {
                    next
                } else {
                    space.equiv(&next, &space.var(layout.var(bit, Copy::Now))?)?
                };
                arrow = space.and(&arrow, &after)?;
            }
        }
        Ok(arrow)
    }
}

impl Edge {
    /// Whether it is open, if that is known.
    fn is_open(&self, letter: &[Result<bool, Expr>]) -> Option<bool> {
        let mut open = Some(false);
        for cube in &self.label {
            let mut holds = Some(true);
            for &(condition, wanted) in cube {
                match &letter[condition] {
                    Ok(value) if *value == wanted => {}
                    Ok(_) => holds = Some(false),
                    Err(_) => holds = holds.and_then(|holds| (!holds).then_some(false)),
                }
            }
            match holds {
                Some(true) => return Some(true),
                Some(false) => {}
                None => open = None,
            }
        }
        open
    }

    /// Where it is open.
    fn opening(&self, space: &Space, conditions: &[Bdd]) -> Res<Bdd> {
        let mut open = space.falsity();
        for cube in &self.label {
            let mut holds = space.truth();
            for &(condition, wanted) in cube {
                let condition = &conditions[condition];
                holds = if wanted {
                    space.and(&holds, condition)?
                } else {
                    space.minus(&holds, condition)?
                };
            }
            open = space.or(&open, &holds)?;
        }
        Ok(open)
    }
}

/// Where each condition holds.
fn conditions(
    space: &Space,
    layout: &Layout,
    letter: &[Result<bool, Expr>],
    procedure: Option<ProcId>,
) -> Res<Vec<Bdd>> {
    let evaluator = Evaluator {
        space,
        layout,
        // Without locals it does not matter which procedure it is.
        procedure: procedure.unwrap_or(ProcId(0)),
        known: &Known::default(),
    };
    let nothing = Written::default();
    let values = Values {
        now: &nothing,
        next: &nothing,
        choices: &[],
    };
    let conditions = letter.iter().map(|condition| match condition {
        Ok(value) => Ok(space.constant(*value)),
        Err(expr) => evaluator.eval(expr, &values)?.holds(space),
    });
    conditions.collect()
}

fn reads_local(expr: &Expr) -> bool {
    let local = |op: &Op| matches!(op, Op::Read(VarRef::Local(_)) | Op::Index(VarRef::Local(_)));
    expr.ops().iter().any(local)
}

/// Whether nothing happens.
fn is_idle(table: &Table) -> bool {
    (0..)
        .zip(table)
        .all(|(state, arrows)| arrows[..] == [(state, 0)])
}

/// First the one, then the other.
fn compose(first: &Table, second: &Table) -> Table {
    let after = |&(middle, seen): &(u32, u32)| {
        let arrows = second[middle as usize].iter();
        arrows.map(move |&(to, marks)| (to, seen | marks))
    };
    let rows = first.iter().map(|arrows| {
        let mut row: Vec<(u32, u32)> = arrows.iter().flat_map(after).collect();
        row.sort_unstable();
        row.dedup();
        row
    });
    rows.collect()
}

/// The components of an automaton in which a run can stay and see all marks. Marks that are of
/// no use, since their edges are in none of them, are taken away.
fn fair_components(edges: &mut [Vec<Edge>], all: u32) -> Vec<Vec<u32>> {
    let next: Vec<Vec<u32>> = edges
        .iter()
        .map(|edges| edges.iter().map(|edge| edge.to).collect())
        .collect();
    let mut fair = cyclic_components(&next);
    let mut component = vec![None; edges.len()];
    for (number, members) in fair.iter().enumerate() {
        for &state in members {
            component[state as usize] = Some(number);
        }
    }
    let mut seen = vec![0; fair.len()];
    for (state, edges) in edges.iter().enumerate() {
        for edge in edges {
            if let Some(number) = component[state]
                && component[edge.to as usize] == Some(number)
            {
                seen[number] |= edge.marks;
            }
        }
    }
    for number in &mut component {
        *number = number.filter(|&number| seen[number] == all);
    }
    fair.retain(|members| component[members[0] as usize].is_some());
    for (state, edges) in edges.iter_mut().enumerate() {
        for edge in edges {
            if component[state].is_none() || component[state] != component[edge.to as usize] {
                edge.marks = 0;
            }
        }
    }
    fair
}

/// Leaves out edges to states from which no component of these is reached.
fn leave_out_dead_ends(edges: &mut [Vec<Edge>], fair: &[Vec<u32>]) {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (from, edges) in (0..).zip(&*edges) {
        edges
            .iter()
            .for_each(|edge| before[edge.to as usize].push(from));
    }
    let mut alive = vec![false; edges.len()];
    let mut open: Vec<u32> = fair.iter().flatten().copied().collect();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut alive[state as usize], true) {
            open.extend(&before[state as usize]);
        }
    }
    for edges in edges {
        edges.retain(|edge| alive[edge.to as usize]);
    }
}

fn literals(cube: &Cube) -> Vec<(usize, bool)> {
    let bits = 0..u64::BITS;
    let wanted = |bit: u32| match (cube.positive >> bit & 1, cube.negative >> bit & 1) {
        (0, 0) => None,
        (positive, _) => Some((bit as usize, positive == 1)),
    };
    bits.filter_map(wanted).collect()
}

/// The decision variables of a copy of the observer's state, and of the marks seen.
pub(crate) fn watched_vars(layout: &Layout, copy: Copy, marked: bool) -> Vec<VarNo> {
    let marks = layout.marks().filter(|_| marked);
    let bits = layout.observer().chain(marks);
    bits.map(|bit| layout.var(bit, copy)).collect()
}
