//! Which nodes the search stops at, and the blocks between them.
//!
//! A node with one way in and one way out, at which nothing is asked, is passed over: the
//! edges before and behind it become one block, whose effect is computed once. Only calls,
//! branches, joins and nodes that somebody asks about remain.

use std::collections::HashSet;

use recurva_model::{
    Action, Binary, Edge, EdgeId, Ending, Expr, NodeId, Op, Place, Point, ProcId, Program, VarRef,
};

/// A block has at most this many edges.
const MAX_EDGES: usize = 16;
/// A block has at most this many operators in all its expressions.
const MAX_OPERATORS: usize = 96;
/// A block has at most this many choices besides those that are assigned as they are.
const MAX_CHOICES: usize = 4;

/// Where the bits of a choice (`*`) live while a step is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// In the next value of the variable that it is assigned to.
    Target(VarRef),
    /// In this place of the pool of choices.
    Pool(usize),
}

/// An edge and the places of its choices.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) edge: EdgeId,
    pub(crate) choices: Vec<Choice>,
}

/// Internal edges in a row, taken as one step.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) from: Point,
    pub(crate) to: NodeId,
    pub(crate) parts: Vec<Part>,
    /// Whether its relation may be large though what it does to known values is simple.
    pub(crate) is_heavy: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) from: Point,
    pub(crate) to: NodeId,
    pub(crate) callee: ProcId,
    pub(crate) part: Part,
}

impl Block {
    /// The nodes that are passed over.
    pub(crate) fn passed(&self, program: &Program) -> impl Iterator<Item = Point> {
        let procedure = self.from.procedure;
        let inner = &self.parts[..self.parts.len() - 1];
        inner.iter().map(move |part| Point {
            procedure,
            node: program.edge(procedure, part.edge).to,
        })
    }
}

/// The number of a node, all nodes of a program numbered through.
pub(crate) type NodeNo = u32;

/// The blocks and calls of a program.
pub(crate) struct Plan {
    /// The number of each procedure's first node.
    first: Vec<NodeNo>,
    pub(crate) points: Vec<Point>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) sites: Vec<Site>,
    /// For each node, its blocks and its calls.
    pub(crate) blocks_from: Vec<Vec<u32>>,
    pub(crate) sites_from: Vec<Vec<u32>>,
    /// For each procedure, the calls of it.
    pub(crate) sites_of: Vec<Vec<u32>>,
    /// The widths of the places in the pool of choices.
    pub(crate) pool: Vec<u8>,
    /// Where runs stay for ever that have returned from the main procedure, if they do: a
    /// node of its own, at the same point as the exit.
    pub(crate) end: Option<NodeNo>,
}

impl Plan {
    /// Plans a program. The search stops at the nodes for which `asked` is true.
    pub(crate) fn new(program: &Program, ending: Ending, asked: impl Fn(Point) -> bool) -> Self {
        let mut plan = Plan {
            first: Vec::new(),
            points: Vec::new(),
            blocks: Vec::new(),
            sites: Vec::new(),
            blocks_from: Vec::new(),
            sites_from: Vec::new(),
            sites_of: vec![Vec::new(); program.procedures().len()],
            pool: Vec::new(),
            end: None,
        };
        for (index, procedure) in program.procedures().iter().enumerate() {
            plan.first.push(plan.points.len() as NodeNo);
            let nodes = 0..procedure.nodes.len() as u32;
            plan.points.extend(nodes.map(|node| Point {
                procedure: ProcId(index as u32),
                node: NodeId(node),
            }));
        }
        if ending == Ending::Stutters {
            plan.end = Some(plan.points.len() as NodeNo);
            plan.points.push(Point {
                procedure: program.main(),
                node: program.procedure(program.main()).exit,
            });
        }
        plan.blocks_from = vec![Vec::new(); plan.points.len()];
        plan.sites_from = vec![Vec::new(); plan.points.len()];
        for (index, procedure) in program.procedures().iter().enumerate() {
            let id = ProcId(index as u32);
            let mut incoming = vec![0u32; procedure.nodes.len()];
            for edge in &procedure.edges {
                incoming[edge.to.index()] += 1;
            }
            let passes = |point: Point| {
                incoming[point.node.index()] == 1
                    && point.node != procedure.entry
                    && point.node != procedure.exit
                    && program.edges_from(point).count() == 1
                    && !asked(point)
            };
            plan.cut(program, id, passes);
        }
        plan
    }

    /// The number of a node.
    pub(crate) fn number(&self, point: Point) -> NodeNo {
        self.first[point.procedure.index()] + point.node.0
    }

    /// Cuts a procedure into blocks, starting at its entry and where blocks end.
    fn cut(&mut self, program: &Program, id: ProcId, passes: impl Fn(Point) -> bool) {
        let mut open = vec![program.procedure(id).entry];
        let mut seen: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            let from = Point {
                procedure: id,
                node,
            };
            for (edge_id, edge) in program.edges_from(from) {
                let to = if let Action::Call { callee, .. } = edge.action {
                    self.add_site(from, edge_id, edge, callee);
                    edge.to
                } else {
                    self.add_block(program, from, (edge_id, edge), &passes)
                };
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
    }

    fn add_site(&mut self, from: Point, id: EdgeId, edge: &Edge, callee: ProcId) {
        let number = self.sites.len() as u32;
        let mut room = Room::default();
        room.add(edge);
        let part = room.part(id, edge, &mut self.pool);
        let start = self.number(from) as usize;
        self.sites_from[start].push(number);
        self.sites_of[callee.index()].push(number);
        self.sites.push(Site {
            from,
            to: edge.to,
            callee,
            part,
        });
    }

    /// Adds the block that starts with an edge; returns the node where it ends.
    fn add_block(
        &mut self,
        program: &Program,
        from: Point,
        (mut id, mut edge): (EdgeId, &Edge),
        passes: &impl Fn(Point) -> bool,
    ) -> NodeId {
        let mut room = Room::default();
        let mut parts = Vec::new();
        room.add(edge);
        loop {
            parts.push(room.part(id, edge, &mut self.pool));
            let here = Point {
                procedure: from.procedure,
                node: edge.to,
            };
            if !passes(here) || parts.len() == MAX_EDGES {
                break;
            }
            let Some((next_id, next)) = program.edges_from(here).next() else {
                break;
            };
            if matches!(next.action, Action::Call { .. }) || !room.add(next) {
                break;
            }
            (id, edge) = (next_id, next);
        }
        let number = self.blocks.len() as u32;
        let start = self.number(from) as usize;
        self.blocks_from[start].push(number);
        let edges = parts
            .iter()
            .map(|part| program.edge(from.procedure, part.edge));
        let is_heavy = edges.flat_map(Edge::expressions).any(is_heavy);
        self.blocks.push(Block {
            from,
            to: edge.to,
            parts,
            is_heavy,
        });
        edge.to
    }
}

/// What a block has room for.
#[derive(Default)]
struct Room {
    operators: usize,
    /// Places of the pool used by the edges before the last one, and by all.
    pool_before: usize,
    pool: usize,
    /// Variables whose next value holds a choice.
    chosen: HashSet<VarRef>,
}

impl Room {
    /// Adds an edge, the first one in any case; false if there is no room for it.
    fn add(&mut self, edge: &Edge) -> bool {
        let is_first = self.operators == 0;
        let mut operators = 1;
        for op in edge.expressions().flat_map(Expr::ops) {
            // Circuits that grow fast do not share a block with others.
            operators += match op {
                Op::Binary(Binary::Multiply | Binary::Divide | Binary::Remainder, _) => {
                    MAX_OPERATORS
                }
                Op::Index(_) | Op::IndexNext(_) => MAX_OPERATORS / 4,
                _ => 1,
            };
        }
        let pooled = lone_choices(edge)
            .iter()
            .filter(|lone| lone.is_none())
            .count();
        let conflict = writes(edge).any(|variable| self.chosen.contains(&variable));
        let fits = self.operators + operators <= MAX_OPERATORS
            && self.pool + pooled <= MAX_CHOICES
            && !conflict;
        if !is_first && !fits {
            return false;
        }
        self.operators += operators;
        self.pool_before = self.pool;
        self.pool += pooled;
        self.chosen.extend(lone_choices(edge).into_iter().flatten());
        true
    }

    /// The edge added last, with places for its choices.
    fn part(&self, id: EdgeId, edge: &Edge, widths: &mut Vec<u8>) -> Part {
        let mut place = self.pool_before;
        let lone = lone_choices(edge);
        let choices = lone.into_iter().zip(edge.choices()).map(|(lone, ty)| {
            if let Some(target) = lone {
                return Choice::Target(target);
            }
            widths.resize(widths.len().max(place + 1), 1);
            widths[place] = widths[place].max(ty.bits());
            place += 1;
            Choice::Pool(place - 1)
        });
        Part {
            edge: id,
            choices: choices.collect(),
        }
    }
}

/// Whether an expression has operators whose circuits are large.
fn is_heavy(expr: &Expr) -> bool {
    expr.ops().iter().any(|op| match op {
        Op::Binary(operator, _) => matches!(
            operator,
            Binary::Multiply
                | Binary::Divide
                | Binary::Remainder
                | Binary::ShiftLeft
                | Binary::ShiftRight
        ),
        _ => false,
    })
}

/// The variables an edge writes.
fn writes(edge: &Edge) -> impl Iterator<Item = VarRef> {
    let assigns = match &edge.action {
        Action::Assign { assigns, .. } => &assigns[..],
        Action::Call { .. } => &[],
    };
    assigns.iter().map(|(place, _)| place.variable())
}

/// For each choice of an edge, the scalar variable that it is assigned to just as it is, if
/// nothing else is assigned to that variable.
fn lone_choices(edge: &Edge) -> Vec<Option<VarRef>> {
    let mut lone = vec![None; edge.choices().len()];
    if let Action::Assign { assigns, .. } = &edge.action {
        for (place, value) in assigns {
            if let (Place::Scalar(variable), [Op::Any(_, which)]) = (place, value.ops())
                && writes(edge).filter(|other| other == variable).count() == 1
            {
                lone[*which as usize] = Some(*variable);
            }
        }
    }
    lone
}
