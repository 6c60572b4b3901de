//! The spines of a program's accepted runs as a program of their own, in which ranks that do not fall
//! are an error.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use recurva_model::{
    Action, Binary, Edge, EdgeId, Ending, Expr, Malformed, Node, NodeId, Op, Origin, Parts,
    Patience, Place as Target, Point, ProcId, Procedure, Program, Stack, Stop, Type, VarRef,
    Variable,
};
use rustc_hash::FxHashMap;

use crate::{
    loops::{Fair, JUMPS, Loop, Wanted},
    product::{Does, Graph, Move, Place, PlaceId, Product, Stage, Summaries},
    rank::{Rank, Ranks, fallen},
    watcher::Watcher,
};

/// What is asked: whether a program has an infinite run that is accepted.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// What accepts runs.
    pub watcher: &'a Watcher,
    /// What becomes of runs that end.
    pub ending: Ending,
    /// Which infinite runs count.
    pub stack: Stack,
    /// Nodes where the program does not say how a run goes on: none may be reached.
    pub limits: &'a [Point],
}

/// Why there is no program of spines.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unbuilt {
    /// The caller said stop.
    #[error("it was told to stop")]
    Stopped,
    /// A procedure that may be jumped to has large arrays.
    #[error("the local arrays of {0} are too large")]
    Arrays(String),
    /// Ranks that do not fit.
    #[error("the ranks do not fit the loops of the program")]
    Ranks,
    /// It is no program.
    #[error("{0}")]
    Malformed(#[from] Malformed),
}

impl From<Stop> for Unbuilt {
    fn from(Stop: Stop) -> Self {
        Unbuilt::Stopped
    }
}

/// An array of more elements than all of these is not given arbitrary values one by one.
const ELEMENTS: usize = 256;

/// The spines of a program's runs, with the loops that an accepted run may stay in.
#[derive(Debug)]
pub struct Spines<'a> {
    asked: Asked<'a>,
    graph: Graph,
    summaries: Summaries,
    bodies: BTreeMap<(ProcId, u32), Graph>,
    loops: Vec<Loop>,
    /// The places from which a loop or a limit can be reached.
    is_kept: Vec<bool>,
}

/// Where a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node of the program.
    pub point: Point,
    /// Whether a way round may leave calls behind that never return.
    pub may_grow: bool,
    /// Whether the run is over, and stays where it is.
    pub is_end: bool,
}

/// A program whose targets are unreachable only if no run is accepted.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The program.
    pub program: Program,
    /// All nodes that must not be reached.
    pub targets: Vec<Point>,
    /// For each loop its nodes.
    pub rounds: Vec<Round>,
    /// For each loop the locals of the spines' procedure, which is the first one, that keep its ranks.
    pub kept: Vec<Range<u32>>,
    /// For each procedure of the original program where its locals begin among those of the
    /// spines' procedure, if they are there.
    pub(crate) offsets: BTreeMap<ProcId, u32>,
}

/// The nodes of a loop in a [`Ranked`] program.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Where the loop begins anew, and its ranks are kept.
    pub enter: Point,
    /// Where they are compared with those that were kept.
    pub check: Point,
    /// Where they have not fallen.
    pub fail: Point,
    /// The variable with the marks that were passed and its value when ranks are compared, if they are
    /// not compared each time.
    pub(crate) due: Option<(VarRef, u64)>,
    /// The variable that says that no ranks were kept since the loop was entered, if that may be.
    pub(crate) fresh: Option<VarRef>,
}

impl<'a> Spines<'a> {
    /// Finds the loops in which an accepted run might stay.
    ///
    /// # Errors
    ///
    /// If patience ends.
    pub fn new(asked: Asked<'a>, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let product = Product {
            program: asked.program,
            watcher: asked.watcher,
            ending: asked.ending,
        };
        let summaries = product.summaries(patience)?;
        let graph = product.spine(&summaries, patience)?;
        let fair = Fair::new(&graph, asked.watcher.acceptance, asked.stack);
        let loops = fair.loops(patience)?;
        let mut bodies = BTreeMap::new();
        for &context in summaries.keys() {
            bodies.insert(context, product.body(context, &summaries, patience)?);
        }
        let limits: BTreeSet<Point> = asked.limits.iter().copied().collect();
        let is_kept = kept(&graph, &loops, &limits);
        Ok(Spines {
            asked,
            graph,
            summaries,
            bodies,
            loops,
            is_kept,
        })
    }

    /// Where the loops are cut, in order.
    pub fn cuts(&self) -> Vec<Cut> {
        let cuts = self.loops.iter().map(|it| Cut {
            point: self.graph.places[it.head].point,
            may_grow: it.members.iter().any(|&place| {
                let mut moves = self.graph.moves[place].iter();
                moves.any(|to| matches!(to.does, Does::Jump { .. }) && it.contains(to.to))
            }),
            is_end: it.members.iter().any(|&place| {
                let mut moves = self.graph.moves[place].iter();
                moves.any(|to| matches!(to.does, Does::Stay))
            }),
        });
        cuts.collect()
    }

    /// The original program's edges that a loop consists of, by procedure.
    pub(crate) fn edges_of(&self, index: usize) -> BTreeSet<(ProcId, EdgeId)> {
        let Some(it) = self.loops.get(index) else {
            return BTreeSet::new();
        };
        let mut found = BTreeSet::new();
        for &place in &it.members {
            let procedure = self.graph.places[place].point.procedure;
            for to in &self.graph.moves[place] {
                let edge = match to.does {
                    Does::Step(edge) | Does::Call { edge, .. } | Does::Jump { edge, .. } => edge,
                    Does::Read(_) | Does::Stay => continue,
                };
                if it.contains(to.to) {
                    found.insert((procedure, edge));
                }
            }
        }
        found
    }

    /// Whether a path may come into a loop at a place that is not its head.
    fn is_entered_elsewhere(&self, it: &Loop) -> bool {
        let fair = self.fair();
        let moves = self.graph.moves.iter().enumerate();
        let mut moves = moves.flat_map(|(from, moves)| moves.iter().map(move |to| (from, to)));
        // The first place is where runs begin.
        it.head != 0 && it.contains(0)
            || moves.any(|(from, to)| {
                let stays = it.contains(from) && fair.counts(to);
                to.to != it.head && it.contains(to.to) && !stays
            })
    }

    fn fair(&self) -> Fair<'_> {
        Fair::new(&self.graph, self.asked.watcher.acceptance, self.asked.stack)
    }

    /// The procedures whose calls return on the way to a loop or a limit.
    fn called(&self) -> BTreeSet<ProcId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<(ProcId, u32)> = Vec::new();
        let mut seen: BTreeSet<(ProcId, u32)> = BTreeSet::new();
        let note = |graph: &Graph, is_kept: &dyn Fn(PlaceId) -> bool, open: &mut Vec<_>| {
            let moves = graph.moves.iter().enumerate();
            for (from, moves) in moves.filter(|(from, _)| is_kept(*from)) {
                let procedure = graph.places[from].point.procedure;
                for it in moves.iter().filter(|it| is_kept(it.to)) {
                    if let Does::Call { edge, head, .. } = it.does
                        && let Action::Call { callee, .. } =
                            self.asked.program.edge(procedure, edge).action
                    {
                        open.push((callee, head));
                    }
                }
            }
        };
        note(&self.graph, &|place| self.is_kept[place], &mut open);
        while let Some(context) = open.pop() {
            if !seen.insert(context) {
                continue;
            }
            found.insert(context.0);
            if let Some(graph) = self.bodies.get(&context) {
                note(graph, &|_| true, &mut open);
            }
        }
        found
    }

    /// The program that fails where ranks do not fall; there are some for each loop.
    ///
    /// # Errors
    ///
    /// If the ranks do not fit, or there is no such program.
    pub fn with_ranks(&self, ranks: &[Ranks]) -> Result<Ranked, Unbuilt> {
        let all: Vec<Option<&Ranks>> = ranks.iter().map(Some).collect();
        self.build(&all)
    }

    /// The same for one loop alone: others may go round as they like. It has the same nodes and edges, and
    /// the same variables but for those that keep ranks ([`Ranked::kept`]).
    ///
    /// # Errors
    ///
    /// If the ranks do not fit, or there is no such program.
    pub fn with_ranks_of(&self, index: usize, ranks: &Ranks) -> Result<Ranked, Unbuilt> {
        let mut all = vec![None; self.loops.len()];
        if let Some(own) = all.get_mut(index) {
            *own = Some(ranks);
        }
        self.build(&all)
    }

    fn build(&self, ranks: &[Option<&Ranks>]) -> Result<Ranked, Unbuilt> {
        if ranks.len() != self.loops.len() {
            return Err(Unbuilt::Ranks);
        }
        for (ranks, cut) in ranks.iter().zip(self.cuts()) {
            for rank in ranks.iter().copied().flatten() {
                let fits = rank.check(self.asked.program, cut.point.procedure);
                fits.map_err(|_| Unbuilt::Ranks)?;
            }
        }
        Builder::new(self).build(ranks)
    }
}

/// The places from which loops or limits can be reached.
fn kept(graph: &Graph, loops: &[Loop], limits: &BTreeSet<Point>) -> Vec<bool> {
    let mut before: Vec<Vec<PlaceId>> = vec![Vec::new(); graph.places.len()];
    for (place, moves) in graph.moves.iter().enumerate() {
        moves.iter().for_each(|it| before[it.to].push(place));
    }
    let mut is_kept = vec![false; graph.places.len()];
    let places = graph.places.iter().enumerate();
    let limited = places.filter(|(_, it)| limits.contains(&it.point));
    let mut open: Vec<PlaceId> = limited.map(|(place, _)| place).collect();
    open.extend(loops.iter().flat_map(|it| it.members.iter().copied()));
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut is_kept[place], true) {
            open.extend(&before[place]);
        }
    }
    is_kept
}

/// Puts the program together.
struct Builder<'s, 'a> {
    spines: &'s Spines<'a>,
    program: &'a Program,
    globals: Vec<Variable>,
    /// The state in which a callee begins or ends, if there is more than one.
    state: Option<VarRef>,
    /// The marks that calls pass, if they matter.
    marks: Option<VarRef>,
    procedures: Vec<Procedure>,
    /// The copy of each procedure for calls that return.
    copies: BTreeMap<ProcId, ProcId>,
}

/// A procedure that is being put together.
#[derive(Default)]
struct Draft {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Draft {
    fn node(&mut self, origin: Origin) -> NodeId {
        self.nodes.push(Node { origin });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        guard: Expr,
        assigns: Vec<(Target, Expr)>,
        origin: Origin,
    ) {
        self.edges.push(Edge {
            from,
            to,
            guard,
            action: Action::Assign {
                assigns,
                constraint: None,
            },
            origin,
        });
    }
}

const STATE: Type = Type::unsigned(32);
const MARKS: Type = Type::unsigned(32);
const SEEN: Type = Type::unsigned(64);

fn assign(variable: VarRef, value: Expr) -> (Target, Expr) {
    (Target::Scalar(variable), value)
}

fn equals(variable: VarRef, value: u64, ty: Type) -> Expr {
    Expr::read(variable).join(Binary::Equal, ty, &Expr::constant(value, ty))
}

impl<'s, 'a> Builder<'s, 'a> {
    fn new(spines: &'s Spines<'a>) -> Self {
        let program = spines.asked.program;
        let mut globals = program.globals().to_vec();
        let mut add = |name: &str, ty: Type| {
            globals.push(Variable {
                hidden: true,
                ..Variable::scalar(name, ty)
            });
            VarRef::Global(globals.len() as u32 - 1)
        };
        let is_trivial = spines.asked.watcher.is_trivial();
        let state = (!is_trivial).then(|| add("automaton state", STATE));
        let has_marks = spines.summaries.values().any(|it| it.marks != 0);
        let marks = has_marks.then(|| add("automaton marks", MARKS));
        Builder {
            spines,
            program,
            globals,
            state,
            marks,
            procedures: Vec::new(),
            copies: BTreeMap::new(),
        }
    }

    fn build(mut self, ranks: &[Option<&Ranks>]) -> Result<Ranked, Unbuilt> {
        // The procedure of the spines comes first; the copies get the numbers behind it.
        let called = self.spines.called().into_iter().zip(1..);
        self.copies = called.map(|(it, number)| (it, ProcId(number))).collect();
        let (spine, made) = self.spine(ranks)?;
        self.procedures.push(spine);
        for procedure in self.copies.keys().copied().collect::<Vec<_>>() {
            let copy = self.copy(procedure);
            self.procedures.push(copy);
        }
        let program = Program::new(Parts {
            globals: self.globals,
            procedures: self.procedures,
            main: ProcId(0),
            labels: Vec::new(),
            failures: Vec::new(),
        })?;
        Ok(Ranked { program, ..made })
    }

    fn origin(&self, point: Point) -> Origin {
        let nodes = &self.program.procedure(point.procedure).nodes;
        nodes[point.node.index()].origin
    }

    /// A call that returns, from one node to where the watcher is about to read. The callee begins in
    /// `head`, and the call counts only if it ends in `end`.
    fn call(&self, draft: &mut Draft, call: Call<'_>) {
        let origin = call.edge.origin;
        let Action::Call {
            callee,
            arguments,
            results,
        } = &call.edge.action
        else {
            return;
        };
        let Some(&copy) = self.copies.get(callee) else {
            return;
        };
        let action = Action::Call {
            callee: copy,
            arguments: arguments
                .iter()
                .map(|it| shifted(it, call.offset))
                .collect(),
            results: results
                .iter()
                .map(|it| it.map(|variable| shift(variable, call.offset)))
                .collect(),
        };
        let guard = shifted(&call.edge.guard, call.offset);
        let Some(state) = self.state else {
            let mut to = call.to;
            if !call.then.is_empty() {
                to = draft.node(origin);
                draft.edge(to, call.to, Expr::truth(), call.then, origin);
            }
            draft.edges.push(Edge {
                from: call.from,
                to,
                guard,
                action,
                origin,
            });
            return;
        };
        let before = draft.node(origin);
        let after = draft.node(origin);
        let mut first = vec![assign(state, Expr::constant(u64::from(call.head), STATE))];
        if let (true, Some(marks)) = (call.is_spine, self.marks) {
            first.push(assign(marks, Expr::constant(0, MARKS)));
        }
        draft.edge(call.from, before, Expr::truth(), first, origin);
        draft.edges.push(Edge {
            from: before,
            to: after,
            guard,
            action,
            origin,
        });
        let ended = equals(state, u64::from(call.end), STATE);
        draft.edge(after, call.to, ended, call.then, origin);
    }

    /// The copy of a procedure for calls that return, with the watcher in it.
    fn copy(&self, id: ProcId) -> Procedure {
        let original = self.program.procedure(id);
        let mut draft = Draft::default();
        let entry = draft.node(Origin::default());
        let exit = draft.node(original.nodes[original.exit.index()].origin);
        let mut nodes: FxHashMap<Place, NodeId> = FxHashMap::default();
        let contexts = self.spines.bodies.range((id, 0)..=(id, u32::MAX));
        for (&(_, head), graph) in contexts {
            let mut ids = Vec::with_capacity(graph.places.len());
            let mut is_new = Vec::with_capacity(graph.places.len());
            for &place in &graph.places {
                let count = nodes.len();
                let node = *nodes
                    .entry(place)
                    .or_insert_with(|| draft.node(self.origin(place.point)));
                ids.push(node);
                is_new.push(nodes.len() > count);
            }
            let guard = match self.state {
                Some(state) => equals(state, u64::from(head), STATE),
                None => Expr::truth(),
            };
            draft.edge(entry, ids[0], guard, Vec::new(), Origin::default());
            for (index, place) in graph.places.iter().enumerate() {
                // What leaves a place does not depend on where the invocation began.
                if !is_new[index] {
                    continue;
                }
                if let Stage::State(state) = place.stage
                    && place.point.node == original.exit
                {
                    let ends = self
                        .state
                        .map(|variable| assign(variable, Expr::constant(u64::from(state), STATE)));
                    let ends = ends.into_iter().collect();
                    draft.edge(ids[index], exit, Expr::truth(), ends, Origin::default());
                }
                for it in &graph.moves[index] {
                    self.step(&mut draft, id, it, (ids[index], ids[it.to]));
                }
            }
        }
        Procedure {
            locals: original.locals.clone(),
            nodes: draft.nodes,
            edges: draft.edges,
            entry,
            exit,
            ..original.clone()
        }
    }

    /// A move within the copy of a procedure.
    fn step(&self, draft: &mut Draft, id: ProcId, it: &Move, (from, to): (NodeId, NodeId)) {
        match &it.does {
            Does::Read(says) => {
                let marks = self.marks.filter(|_| it.marks != 0);
                let assigns = marks.map(|marks| {
                    let passed = Expr::constant(u64::from(it.marks), MARKS);
                    assign(marks, Expr::read(marks).join(Binary::Or, MARKS, &passed))
                });
                let assigns = assigns.into_iter().collect();
                draft.edge(from, to, says.guard(), assigns, Origin::default());
            }
            &Does::Step(edge) => {
                let edge = self.program.edge(id, edge).clone();
                draft.edges.push(Edge { from, to, ..edge });
            }
            &Does::Call { edge, head, end } => self.call(
                draft,
                Call {
                    edge: self.program.edge(id, edge),
                    offset: 0,
                    from,
                    to,
                    head,
                    end,
                    is_spine: false,
                    then: Vec::new(),
                },
            ),
            // There are none in the body of a call that returns.
            Does::Jump { .. } | Does::Stay => {}
        }
    }

    /// The procedure whose runs are the spines, with the ranks of loops in it.
    fn spine(&self, ranks: &[Option<&Ranks>]) -> Result<(Procedure, Ranked), Unbuilt> {
        let Spines {
            graph,
            loops,
            is_kept,
            asked,
            ..
        } = self.spines;
        let mut locals = Vec::new();
        let mut offsets = BTreeMap::new();
        let is_there = graph.places.iter().zip(is_kept).filter(|it| *it.1);
        let mut procedures: Vec<ProcId> = is_there.map(|it| it.0.point.procedure).collect();
        procedures.push(self.program.main());
        procedures.sort_unstable();
        procedures.dedup();
        for procedure in procedures {
            offsets.insert(procedure, locals.len() as u32);
            locals.extend(self.program.procedure(procedure).locals.iter().cloned());
        }
        let mut draft = Draft::default();
        let entry = draft.node(Origin::default());
        let exit = draft.node(Origin::default());
        let nodes: Vec<NodeId> = graph
            .places
            .iter()
            .zip(is_kept)
            .map(|(place, &is_kept)| match is_kept {
                true => draft.node(self.origin(place.point)),
                false => exit,
            })
            .collect();
        let mut cuts: FxHashMap<PlaceId, Heads<'_>> = FxHashMap::default();
        let mut rounds = Vec::new();
        let mut kept = Vec::new();
        for (index, it) in loops.iter().enumerate() {
            let first = locals.len() as u32;
            let procedure = graph.places[it.head].point.procedure;
            let offset = offsets[&procedure];
            let heads = self.heads(&mut draft, &mut locals, offset, it, ranks[index], index);
            kept.push(first..locals.len() as u32);
            rounds.push(heads.round(&mut draft, nodes[it.head]));
            cuts.insert(it.head, heads);
        }
        if is_kept[0] {
            let to = cuts.get(&0).map_or(nodes[0], |it| it.enter);
            let entered = cuts.values().filter(|it| it.members.contains(0));
            let fresh = entered.filter_map(|it| it.fresh);
            let mut fresh: Vec<_> = fresh.map(|it| assign(it, Expr::truth())).collect();
            fresh.sort_by_key(|(target, _)| target.variable());
            draft.edge(entry, to, Expr::truth(), fresh, Origin::default());
        }
        let mut writer = Writer {
            builder: self,
            draft,
            nodes: &nodes,
            cuts: &cuts,
            offsets: &offsets,
        };
        for from in (0..graph.places.len()).filter(|&it| is_kept[it]) {
            for it in graph.moves[from].iter().filter(|it| is_kept[it.to]) {
                writer.write(from, it)?;
            }
        }
        let draft = writer.draft;
        let limits: BTreeSet<Point> = asked.limits.iter().copied().collect();
        let written = graph.places.iter().zip(&nodes).zip(is_kept);
        let limited = written.filter(|((place, _), is_kept)| {
            let is_limit = limits.contains(&place.point);
            **is_kept && is_limit
        });
        let mut targets: Vec<Point> = limited.map(|((_, &node), _)| spine_point(node)).collect();
        targets.extend(rounds.iter().map(|it: &Round| it.fail));
        targets.sort_unstable();
        let procedure = Procedure {
            name: "spine".into(),
            locals,
            parameters: 0,
            results: Vec::new(),
            nodes: draft.nodes,
            edges: draft.edges,
            entry,
            exit,
            origin: Origin::default(),
        };
        let made = Ranked {
            program: self.program.clone(),
            targets,
            rounds,
            kept,
            offsets,
        };
        Ok((procedure, made))
    }

    /// Where a loop begins anew and where it is checked.
    fn heads<'l>(
        &self,
        draft: &mut Draft,
        locals: &mut Vec<Variable>,
        offset: u32,
        it: &'l Loop,
        ranks: Option<&Ranks>,
        index: usize,
    ) -> Heads<'l> {
        let origin = self.origin(self.spines.graph.places[it.head].point);
        let mut add = |name: String, ty: Type| {
            locals.push(Variable {
                hidden: true,
                ..Variable::scalar(name, ty)
            });
            VarRef::Local(locals.len() as u32 - 1)
        };
        let procedure = self.spines.graph.places[it.head].point.procedure;
        let ty = |variable: VarRef| self.program.variable(procedure, variable).ty;
        let is_checked = ranks.is_some();
        let ranks = ranks.map_or(&[][..], |it| &it[..]);
        let types: Vec<Type> = ranks.iter().map(|it: &Rank| it.ty(&ty)).collect();
        let kept = types.iter().enumerate().map(|(place, &ty)| {
            let name = format!("rank {}.{}", index + 1, place + 1);
            add(name, ty)
        });
        let kept: Vec<VarRef> = kept.collect();
        let is_entered = is_checked && self.spines.is_entered_elsewhere(it);
        let fresh = is_entered.then(|| add(format!("fresh {}", index + 1), Type::Bool));
        let is_tracked = is_checked && it.tracked != 0;
        let seen = is_tracked.then(|| add(format!("seen {}", index + 1), SEEN));
        let now = ranks
            .iter()
            .map(|it| {
                shifted(
                    &it.expression(self.program.procedure(procedure), &ty),
                    offset,
                )
            })
            .collect();
        Heads {
            enter: draft.node(origin),
            check: draft.node(origin),
            members: it,
            is_checked,
            tracked: it.tracked,
            seen,
            fresh,
            kept,
            types,
            now,
            origin,
        }
    }
}

fn spine_point(node: NodeId) -> Point {
    Point {
        procedure: ProcId(0),
        node,
    }
}

/// A call that returns.
struct Call<'e> {
    edge: &'e Edge,
    /// Where the caller's locals begin.
    offset: u32,
    from: NodeId,
    to: NodeId,
    head: u32,
    end: u32,
    is_spine: bool,
    /// What is assigned after it.
    then: Vec<(Target, Expr)>,
}

/// The head of a loop.
struct Heads<'l> {
    enter: NodeId,
    check: NodeId,
    members: &'l Loop,
    /// Whether it has ranks.
    is_checked: bool,
    tracked: Wanted,
    /// The marks that were passed since ranks were kept, if that has to be known.
    seen: Option<VarRef>,
    /// Whether the loop was entered elsewhere and has not been here since, if that may be.
    fresh: Option<VarRef>,
    kept: Vec<VarRef>,
    types: Vec<Type>,
    now: Vec<Expr>,
    origin: Origin,
}

impl Heads<'_> {
    /// What happens at the head, before the place itself.
    fn round(&self, draft: &mut Draft, head: NodeId) -> Round {
        let fail = draft.node(self.origin);
        let keep = || {
            let kept = self.kept.iter().zip(&self.now);
            let kept = kept.map(|(&variable, now)| assign(variable, now.clone()));
            let none = self.seen.map(|it| assign(it, Expr::constant(0, SEEN)));
            let begun = self.fresh.map(|it| assign(it, Expr::truth().negate()));
            kept.chain(none).chain(begun).collect::<Vec<_>>()
        };
        draft.edge(self.enter, head, Expr::truth(), keep(), self.origin);
        let before: Vec<Expr> = self.kept.iter().map(|&it| Expr::read(it)).collect();
        let fell = fallen(&self.now, &before, &self.types);
        if !self.is_checked {
            draft.edge(self.check, head, Expr::truth(), Vec::new(), self.origin);
            return self.nodes(fail);
        }
        let has_begun = match self.fresh {
            Some(fresh) => Expr::read(fresh).negate(),
            None => Expr::truth(),
        };
        if let Some(fresh) = self.fresh {
            draft.edge(self.check, head, Expr::read(fresh), keep(), self.origin);
        }
        let mut is_due = has_begun.clone();
        if let Some(seen) = self.seen {
            let has_all = equals(seen, self.tracked, SEEN);
            let not_yet = has_begun.and(has_all.clone().negate());
            draft.edge(self.check, head, not_yet, Vec::new(), self.origin);
            is_due = is_due.and(has_all);
        }
        if !self.kept.is_empty() {
            let is_good = is_due.clone().and(fell.clone());
            draft.edge(self.check, head, is_good, keep(), self.origin);
        }
        let is_bad = match self.kept.is_empty() {
            true => is_due,
            false => is_due.and(fell.negate()),
        };
        draft.edge(self.check, fail, is_bad, Vec::new(), self.origin);
        self.nodes(fail)
    }

    fn nodes(&self, fail: NodeId) -> Round {
        Round {
            enter: spine_point(self.enter),
            check: spine_point(self.check),
            fail: spine_point(fail),
            due: self.seen.map(|it| (it, self.tracked)),
            fresh: self.fresh,
        }
    }
}

/// Writes the moves of the spine.
struct Writer<'w, 's, 'a> {
    builder: &'w Builder<'s, 'a>,
    draft: Draft,
    nodes: &'w [NodeId],
    cuts: &'w FxHashMap<PlaceId, Heads<'w>>,
    offsets: &'w BTreeMap<ProcId, u32>,
}

impl Writer<'_, '_, '_> {
    fn write(&mut self, from: PlaceId, it: &Move) -> Result<(), Unbuilt> {
        let builder = self.builder;
        let spines = builder.spines;
        let fair = spines.fair();
        let counts = fair.counts(it);
        let to = match self.cuts.get(&it.to) {
            Some(heads) if counts && heads.members.contains(from) => heads.check,
            Some(heads) => heads.enter,
            None => self.nodes[it.to],
        };
        let procedure = spines.graph.places[from].point.procedure;
        let offset = self.offsets[&procedure];
        let from = (from, self.nodes[from]);
        let then = self.passed(from.0, it, &fair);
        let origin = Origin::default();
        match &it.does {
            Does::Read(says) => {
                let guard = shifted(&says.guard(), offset);
                self.draft.edge(from.1, to, guard, then, origin);
            }
            Does::Stay => self.draft.edge(from.1, to, Expr::truth(), then, origin),
            &Does::Step(edge) => {
                let edge = builder.program.edge(procedure, edge);
                let mut moved = edge_shifted(edge, offset);
                moved.from = from.1;
                moved.to = to;
                if let Action::Assign { assigns, .. } = &mut moved.action {
                    assigns.extend(then);
                }
                self.draft.edges.push(moved);
            }
            &Does::Call { edge, head, end } => builder.call(
                &mut self.draft,
                Call {
                    edge: builder.program.edge(procedure, edge),
                    offset,
                    from: from.1,
                    to,
                    head,
                    end,
                    is_spine: true,
                    then,
                },
            ),
            &Does::Jump { edge, callee } => {
                let edge = builder.program.edge(procedure, edge);
                let mut assigns = self.arrival(edge, offset, callee)?;
                assigns.extend(then);
                let guard = shifted(&edge.guard, offset);
                self.draft.edge(from.1, to, guard, assigns, edge.origin);
            }
        }
        Ok(())
    }

    /// What a move notes for the loops that it is in or comes to: the marks that it passes, and that the loop
    /// begins.
    fn passed(&self, from: PlaceId, it: &Move, fair: &Fair<'_>) -> Vec<(Target, Expr)> {
        let surely = fair.surely(it);
        let perhaps = fair.perhaps(it) & !surely;
        let mut found = Vec::new();
        let mut heads: Vec<&Heads<'_>> = self.cuts.values().collect();
        heads.sort_by_key(|it| it.enter);
        for heads in heads {
            if !heads.members.contains(it.to) {
                continue;
            }
            if !(heads.members.contains(from) && fair.counts(it)) {
                found.extend(heads.fresh.map(|it| assign(it, Expr::truth())));
                continue;
            }
            let (Some(seen), true) = (heads.seen, surely | perhaps != 0) else {
                continue;
            };
            let mut value = Expr::read(seen);
            if surely & heads.tracked != 0 {
                let surely = Expr::constant(surely & heads.tracked, SEEN);
                value = value.join(Binary::Or, SEEN, &surely);
            }
            let perhaps = perhaps & heads.tracked & !JUMPS;
            if let (Some(marks), true) = (self.builder.marks, perhaps != 0) {
                let passed = Expr::read(marks).then(Op::Convert(MARKS, SEEN)).join(
                    Binary::And,
                    SEEN,
                    &Expr::constant(perhaps, SEEN),
                );
                value = value.join(Binary::Or, SEEN, &passed);
            }
            found.push(assign(seen, value));
        }
        found
    }

    /// The locals of a procedure that is jumped to: its parameters get the arguments, all others any
    /// value.
    fn arrival(
        &self,
        edge: &Edge,
        offset: u32,
        callee: ProcId,
    ) -> Result<Vec<(Target, Expr)>, Unbuilt> {
        let Action::Call { arguments, .. } = &edge.action else {
            return Ok(Vec::new());
        };
        let procedure = self.builder.program.procedure(callee);
        let Some(&there) = self.offsets.get(&callee) else {
            return Ok(Vec::new());
        };
        let mut assigns = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = VarRef::Local(there + index as u32);
            assigns.push(assign(parameter, shifted(argument, offset)));
        }
        let mut choice = edge.choices().len() as u32;
        let mut elements = 0;
        for (index, local) in procedure.locals.iter().enumerate().skip(arguments.len()) {
            let variable = VarRef::Local(there + index as u32);
            elements += local.len.unwrap_or(0) as usize;
            if elements > ELEMENTS {
                return Err(Unbuilt::Arrays(procedure.name.to_string()));
            }
            for element in 0..local.slots() as u64 {
                let value = Expr::new([Op::Any(local.ty, choice)]);
                choice += 1;
                let target = match local.len {
                    None => Target::Scalar(variable),
                    Some(_) => {
                        Target::Element(variable, Expr::constant(element, Type::unsigned(32)))
                    }
                };
                assigns.push((target, value));
            }
        }
        Ok(assigns)
    }
}

/// A variable whose procedure's locals begin elsewhere.
pub(crate) fn shift(variable: VarRef, offset: u32) -> VarRef {
    match variable {
        VarRef::Global(_) => variable,
        VarRef::Local(index) => VarRef::Local(index + offset),
    }
}

/// An expression of a procedure whose locals begin elsewhere.
fn shifted(expr: &Expr, offset: u32) -> Expr {
    let ops = expr.ops().iter().map(|&op| match op {
        Op::Read(variable) => Op::Read(shift(variable, offset)),
        Op::ReadNext(variable) => Op::ReadNext(shift(variable, offset)),
        Op::Index(variable) => Op::Index(shift(variable, offset)),
        Op::IndexNext(variable) => Op::IndexNext(shift(variable, offset)),
        other => other,
    });
    Expr::new(ops.collect::<Vec<_>>())
}

fn edge_shifted(edge: &Edge, offset: u32) -> Edge {
    let action = match &edge.action {
        Action::Assign {
            assigns,
            constraint,
        } => Action::Assign {
            assigns: assigns
                .iter()
                .map(|(target, value)| {
                    let target = match target {
                        Target::Scalar(variable) => Target::Scalar(shift(*variable, offset)),
                        Target::Element(array, index) => {
                            Target::Element(shift(*array, offset), shifted(index, offset))
                        }
                    };
                    (target, shifted(value, offset))
                })
                .collect(),
            constraint: constraint.as_ref().map(|it| shifted(it, offset)),
        },
        Action::Call { .. } => edge.action.clone(),
    };
    Edge {
        guard: shifted(&edge.guard, offset),
        action,
        ..edge.clone()
    }
}
