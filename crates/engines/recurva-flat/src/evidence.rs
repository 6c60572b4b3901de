//! Runs as evidence: paths and lassos whose calls are spelled out only when somebody looks.

use std::collections::{HashMap, VecDeque};

use recurva_model::rsm::{Arc, VertexId};

use crate::{Analysis, Marks, layout::Kind};

/// Which infinite runs are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stack {
    /// All of them (the language L).
    #[default]
    Any,
    /// Those whose stack stays bounded (L_b).
    Bounded,
    /// Those whose stack grows beyond every bound (L_u).
    Unbounded,
}

/// One move of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Along an edge of the machine.
    Step(Arc),
    /// From an entry port of a box to the entry: the box is put on the stack.
    Call {
        /// The port.
        from: VertexId,
        /// The entry.
        to: VertexId,
    },
    /// From an exit to the exit port of the box on top of the stack, which is taken off.
    Return {
        /// The exit.
        from: VertexId,
        /// The port.
        to: VertexId,
    },
}

impl Move {
    /// Where it starts.
    pub fn from(&self) -> VertexId {
        match *self {
            Move::Step(Arc { from, .. }) | Move::Call { from, .. } | Move::Return { from, .. } => {
                from
            }
        }
    }

    /// Where it leads.
    pub fn to(&self) -> VertexId {
        match *self {
            Move::Step(Arc { to, .. }) | Move::Call { to, .. } | Move::Return { to, .. } => to,
        }
    }
}

/// No mark.
const PLAIN: u32 = u32::MAX;

/// An edge of the graph H; where it starts is known from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) to: u32,
    /// For a summary the mark that it must pass, or [`PLAIN`].
    mark: u32,
}

impl Hop {
    pub(crate) fn plain(to: u32) -> Self {
        Hop { to, mark: PLAIN }
    }

    pub(crate) fn with_mark(to: u32, mark: u32) -> Self {
        Hop { to, mark }
    }

    pub(crate) fn marks(self) -> Marks {
        match self.mark {
            PLAIN => Marks::default(),
            mark => Marks::one(mark),
        }
    }
}

/// A finite run.
#[derive(Clone, Debug)]
pub struct Path<'a, 'm> {
    analysis: &'a Analysis<'m>,
    start: u32,
    hops: Vec<Hop>,
}

impl<'a, 'm> Path<'a, 'm> {
    pub(crate) fn new(analysis: &'a Analysis<'m>, start: u32, hops: Vec<Hop>) -> Self {
        Path {
            analysis,
            start,
            hops,
        }
    }

    /// Where it starts.
    pub fn start(&self) -> VertexId {
        VertexId(self.start)
    }

    /// Where it ends.
    pub fn end(&self) -> VertexId {
        VertexId(self.hops.last().map_or(self.start, |hop| hop.to))
    }

    /// The vertices that it passes without those inside calls that return: always a list of
    /// modest length, both ends included.
    pub fn outline(&self) -> impl Iterator<Item = VertexId> + '_ {
        let hops = self.hops.iter().map(|hop| hop.to);
        std::iter::once(self.start).chain(hops).map(VertexId)
    }

    /// All its moves. There may be exponentially many; each is made when it is asked for.
    pub fn moves(&self) -> Moves<'a, 'm> {
        Moves {
            analysis: self.analysis,
            at: self.start,
            open: vec![Open {
                next: 0,
                end: self.hops.len(),
                back: None,
            }],
            hops: self.hops.clone(),
            bodies: HashMap::new(),
        }
    }
}

/// An accepting infinite run: the stem once, then the turn again and again.
#[derive(Clone, Debug)]
pub struct Lasso<'a, 'm> {
    stem: Path<'a, 'm>,
    turn: Path<'a, 'm>,
    diverges: bool,
}

impl<'a, 'm> Lasso<'a, 'm> {
    pub(crate) fn new(stem: Path<'a, 'm>, turn: Path<'a, 'm>, diverges: bool) -> Self {
        Lasso {
            stem,
            turn,
            diverges,
        }
    }

    /// From an initial vertex to where the turn starts.
    pub fn stem(&self) -> &Path<'a, 'm> {
        &self.stem
    }

    /// From a vertex back to it. It has a move, passes all marks, and leaves alone what is on
    /// the stack when it starts.
    pub fn turn(&self) -> &Path<'a, 'm> {
        &self.turn
    }

    /// Whether each turn leaves boxes on the stack, so that it grows beyond every bound.
    pub fn diverges(&self) -> bool {
        self.diverges
    }
}

/// The moves of a [`Path`].
///
/// Each body of a call is worked out when it is first needed, and kept: memory grows with the
/// number of different calls, however often they are made.
#[derive(Debug)]
pub struct Moves<'a, 'm> {
    analysis: &'a Analysis<'m>,
    at: u32,
    open: Vec<Open>,
    /// The path, then the bodies.
    hops: Vec<Hop>,
    /// Where the body is of a summary that passes a mark or does not care.
    bodies: HashMap<(usize, u32), (usize, usize)>,
}

/// A path that is being followed.
#[derive(Debug)]
struct Open {
    next: usize,
    end: usize,
    /// The port to which the call comes back whose body it is.
    back: Option<u32>,
}

impl Iterator for Moves<'_, '_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let open = self.open.last_mut()?;
        let from = self.at;
        if open.next == open.end {
            let back = open.back?;
            self.open.pop();
            self.at = back;
            return Some(Move::Return {
                from: VertexId(from),
                to: VertexId(back),
            });
        }
        let hop = self.hops[open.next];
        open.next += 1;
        if self.analysis.is_summary(from, hop.to) {
            let summary = self.analysis.layout().across(from, hop.to);
            let entry = self.analysis.layout().behind(from);
            let exit = self.analysis.layout().behind(hop.to);
            let (next, end) = self.body(summary, hop.mark, entry, exit);
            self.open.push(Open {
                next,
                end,
                back: Some(hop.to),
            });
            self.at = entry;
        } else {
            self.at = hop.to;
        }
        let (from, to) = (VertexId(from), VertexId(self.at));
        if self.analysis.layout().kind(from.0) == Kind::EntryPort {
            return Some(Move::Call { from, to });
        }
        let mut edges = self.analysis.rsm().edges_from(from).iter();
        edges.find(|edge| edge.to == to).copied().map(Move::Step)
    }
}

impl Moves<'_, '_> {
    fn body(&mut self, summary: usize, mark: u32, entry: u32, exit: u32) -> (usize, usize) {
        if let Some(&body) = self.bodies.get(&(summary, mark)) {
            return body;
        }
        let start = self.hops.len();
        let search = Body {
            analysis: self.analysis,
            mark,
            bound: match mark {
                PLAIN => self.analysis.paths().stamps[summary],
                mark => self.analysis.marked(mark).stamps[summary],
            },
        };
        search.find(entry, exit, &mut self.hops);
        let body = (start, self.hops.len());
        self.bodies.insert((summary, mark), body);
        body
    }
}

/// The search for the body of a summary: a path through its component that uses only
/// summaries that were found earlier, so that spelling out comes to an end.
struct Body<'a, 'm> {
    analysis: &'a Analysis<'m>,
    mark: u32,
    /// When the summary was found.
    bound: u32,
}

/// A vertex, and whether the mark has been passed.
type At = (u32, bool);

impl Body<'_, '_> {
    fn find(&self, entry: u32, exit: u32, out: &mut Vec<Hop>) {
        let start = (entry, self.sees(entry));
        let goal = (exit, true);
        let mut before: HashMap<At, (At, Hop)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if at == goal {
                break;
            }
            self.hops(at, |to, hop| {
                if to != start && !before.contains_key(&to) {
                    before.insert(to, (at, hop));
                    queue.push_back(to);
                }
            });
        }
        let first = out.len();
        let mut at = goal;
        while at != start
            && let Some(&(previous, hop)) = before.get(&at)
        {
            out.push(hop);
            at = previous;
        }
        out[first..].reverse();
    }

    /// Whether the mark, if there is one to pass, is at the vertex.
    fn sees(&self, vertex: u32) -> bool {
        self.mark == PLAIN || self.analysis.marks(vertex).contains(Marks::one(self.mark))
    }

    fn hops(&self, (vertex, seen): At, mut each: impl FnMut(At, Hop)) {
        for to in self.analysis.hops(vertex) {
            let after = seen || self.sees(to);
            if self.analysis.is_call(vertex, to) {
                continue;
            }
            if !self.analysis.is_summary(vertex, to) {
                each((to, after), Hop::plain(to));
                continue;
            }
            let summary = self.analysis.layout().across(vertex, to);
            if self.mark == PLAIN {
                if self.analysis.paths().stamps[summary] < self.bound {
                    each((to, after), Hop::plain(to));
                }
                continue;
            }
            // Calls that need not pass the mark have been found before all that must.
            each((to, after), Hop::plain(to));
            if !after && self.analysis.marked(self.mark).stamps[summary] < self.bound {
                each((to, true), Hop::with_mark(to, self.mark));
            }
        }
    }
}
