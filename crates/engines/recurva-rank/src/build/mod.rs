//! The spines of a program's accepted runs as a program of their own, in which ranks that do not fall
//! are an error.

mod heads;
mod shift;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use recurva_model::{
    Action, Binary, Edge, Expr, Node, NodeId, Origin, Parts, Place as Target, Point, ProcId,
    Procedure, Program, Type, VarRef, Variable,
};
use rustc_hash::FxHashMap;

use self::{heads::Heads, shift::shifted, writer::Writer};
use crate::{
    loops::Loop,
    product::{Does, Move, Place, PlaceId, Stage},
    rank::{Rank, Ranks},
    spines::{Ranked, Round, Spines, Unbuilt},
};

pub(crate) use shift::shift;

/// An array of more elements than all of these is not given arbitrary values one by one.
const ELEMENTS: usize = 256;

/// Puts the program together.
pub(crate) struct Builder<'s, 'a> {
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
    pub(crate) fn new(spines: &'s Spines<'a>) -> Self {
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

    pub(crate) fn build(mut self, ranks: &[Option<&Ranks>]) -> Result<Ranked, Unbuilt> {
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
