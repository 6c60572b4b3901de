//! A machine as flat arrays: what the rules look up in constant time.

use std::ops::Range;

use recurva_model::rsm::{ComponentId, Role, Rsm, Vertex, VertexId};

/// What a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Inner,
    Entry,
    Exit,
    /// A box with one of its entries: a call.
    EntryPort,
    /// A box with one of its exits: where a call comes back.
    ExitPort,
}

/// Which pairs are worked out for a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Pairs of an entry and a vertex it leads to: no more entries than exits.
    Entry,
    /// Pairs of a vertex and an exit that it leads to: fewer exits than entries.
    Exit,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) kind: Kind,
    pub(crate) component: u32,
    /// Of an entry or exit its number among those of its component; of a port that of the
    /// node behind it.
    pub(crate) rank: u32,
    /// Of a port its box, numbered throughout the machine.
    pub(crate) in_box: u32,
    /// Of a port the entry or exit behind it.
    behind: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) bound: Bound,
    /// The first vertex.
    first: u32,
    /// Where its entries and exits are in [`Layout::nodes`].
    entries: Range<u32>,
    exits: Range<u32>,
    /// How many words the row of a vertex has: one bit for each entry or for each exit.
    pub(crate) words: usize,
    /// Where its rows begin.
    cells: usize,
    /// Where its summaries begin.
    summaries: usize,
}

#[derive(Clone, Debug)]
struct BoxSite {
    callee: u32,
    /// How many exits the callee has, and where its summaries begin.
    width: u32,
    summaries: usize,
    /// Where its ports are in [`Layout::ports`]: entries, then exits.
    entries: Range<u32>,
    exits: Range<u32>,
}

/// Lists of numbers, one behind the other.
#[derive(Debug)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs of a list and an item; `pairs` is run through twice.
    fn new<I: Iterator<Item = (u32, u32)>>(lists: usize, pairs: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; lists + 1];
        for (list, _) in pairs() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut items = vec![0; starts[lists] as usize];
        let mut place = starts.clone();
        for (list, item) in pairs() {
            let at = &mut place[list as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        Lists { starts, items }
    }

    fn get(&self, list: u32) -> &[u32] {
        let (start, end) = (self.starts[list as usize], self.starts[list as usize + 1]);
        &self.items[start as usize..end as usize]
    }
}

pub(crate) struct Layout<'m> {
    pub(crate) rsm: &'m Rsm,
    pub(crate) sites: Vec<Site>,
    pub(crate) shapes: Vec<Shape>,
    boxes: Vec<BoxSite>,
    /// The ports of all boxes, by box; entries by rank, then exits by rank.
    ports: Vec<u32>,
    /// The entries and exits of all components.
    nodes: Vec<u32>,
    /// For each exit of an entry-bound component, and each entry of an exit-bound one, its
    /// ports in the whole machine.
    callers: Lists,
    /// For each vertex where its edges lead.
    after: Lists,
    /// For each vertex of an exit-bound component where edges to it start.
    before: Lists,
    /// How many words all rows have together.
    pub(crate) cells: usize,
    /// How many pairs of an entry and an exit there are.
    pub(crate) summaries: usize,
}

impl<'m> Layout<'m> {
    pub(crate) fn new(rsm: &'m Rsm, choose: impl Fn(usize, usize) -> Bound) -> Self {
        let mut layout = Layout {
            rsm,
            sites: Vec::with_capacity(rsm.len()),
            shapes: Vec::with_capacity(rsm.components().len()),
            boxes: Vec::new(),
            ports: Vec::new(),
            nodes: Vec::new(),
            callers: Lists::new(0, std::iter::empty),
            after: Lists::new(rsm.len(), || {
                rsm.edges().iter().map(|arc| (arc.from.0, arc.to.0))
            }),
            before: Lists::new(0, std::iter::empty),
            cells: 0,
            summaries: 0,
        };
        for index in 0..rsm.components().len() {
            layout.component(index as u32, &choose);
        }
        for index in 0..rsm.components().len() {
            layout.ports(index as u32);
        }
        layout.callers = Lists::new(rsm.len(), || {
            let ports = layout.ports.iter().copied();
            ports.filter_map(|port| Some((layout.called_by(port)?, port)))
        });
        layout.before = Lists::new(rsm.len(), || {
            let edges = rsm.edges().iter();
            let edges = edges.filter(|arc| layout.shape(arc.from.0).bound == Bound::Exit);
            edges.map(|arc| (arc.to.0, arc.from.0))
        });
        layout
    }

    /// The nodes of a component.
    fn component(&mut self, index: u32, choose: impl Fn(usize, usize) -> Bound) {
        let component = &self.rsm.components()[index as usize];
        let range = self.rsm.vertices_of(ComponentId(index));
        let mut counts = [0; 2];
        for node in &component.nodes {
            let (kind, rank) = match node.role {
                Role::Inner => (Kind::Inner, 0),
                Role::Entry => {
                    counts[0] += 1;
                    (Kind::Entry, counts[0] - 1)
                }
                Role::Exit => {
                    counts[1] += 1;
                    (Kind::Exit, counts[1] - 1)
                }
            };
            self.sites.push(Site {
                kind,
                component: index,
                rank,
                in_box: 0,
                behind: 0,
            });
        }
        let mut list = |role| {
            let start = self.nodes.len() as u32;
            let nodes = component.with_role(role);
            self.nodes.extend(nodes.map(|node| range.start + node));
            start..self.nodes.len() as u32
        };
        let (entries, exits) = (list(Role::Entry), list(Role::Exit));
        let bound = choose(entries.len(), exits.len());
        let width = match bound {
            Bound::Entry => entries.len(),
            Bound::Exit => exits.len(),
        };
        let words = width.div_ceil(64);
        self.shapes.push(Shape {
            bound,
            first: range.start,
            words,
            cells: self.cells,
            summaries: self.summaries,
            entries: entries.clone(),
            exits: exits.clone(),
        });
        self.cells += words * range.len();
        self.summaries += entries.len() * exits.len();
        let inner = Site {
            kind: Kind::Inner,
            component: index,
            rank: 0,
            in_box: 0,
            behind: 0,
        };
        self.sites.resize(range.end as usize, inner);
    }

    /// The ports of a component's boxes.
    fn ports(&mut self, index: u32) {
        let component = &self.rsm.components()[index as usize];
        let range = self.rsm.vertices_of(ComponentId(index));
        let mut next = range.start + component.nodes.len() as u32;
        let mut exits = Vec::new();
        for (number, declared) in component.boxes.iter().enumerate() {
            let callee = declared.component;
            let first = self.rsm.vertices_of(callee).start;
            let start = self.ports.len() as u32;
            // Ports are numbered by box and by node.
            while next < range.end
                && let Vertex::Port { in_box, node } = self.rsm.place(VertexId(next)).vertex
                && in_box == number as u32
            {
                let behind = self.sites[(first + node) as usize];
                let kind = match behind.kind {
                    Kind::Exit => {
                        exits.push(next);
                        Kind::ExitPort
                    }
                    _ => {
                        self.ports.push(next);
                        Kind::EntryPort
                    }
                };
                self.sites[next as usize] = Site {
                    kind,
                    component: index,
                    rank: behind.rank,
                    in_box: self.boxes.len() as u32,
                    behind: first + node,
                };
                next += 1;
            }
            let split = self.ports.len() as u32;
            self.ports.append(&mut exits);
            let shape = &self.shapes[callee.index()];
            self.boxes.push(BoxSite {
                callee: callee.0,
                width: shape.exits.len() as u32,
                summaries: shape.summaries,
                entries: start..split,
                exits: split..self.ports.len() as u32,
            });
        }
    }

    /// The node behind a port, if new summaries look for callers there.
    fn called_by(&self, port: u32) -> Option<u32> {
        let callee = &self.shapes[self.callee(port) as usize];
        match (self.sites[port as usize].kind, callee.bound) {
            (Kind::EntryPort, Bound::Exit) | (Kind::ExitPort, Bound::Entry) => {
                Some(self.behind(port))
            }
            _ => None,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.callers, &self.after, &self.before];
        let lists = lists.map(|list| list.starts.len() + list.items.len());
        let numbers = lists.iter().sum::<usize>() + self.ports.len() + self.nodes.len();
        self.sites.len() * size_of::<Site>()
            + self.shapes.len() * size_of::<Shape>()
            + self.boxes.len() * size_of::<BoxSite>()
            + numbers * size_of::<u32>()
    }

    pub(crate) fn shape(&self, vertex: u32) -> &Shape {
        &self.shapes[self.sites[vertex as usize].component as usize]
    }

    pub(crate) fn kind(&self, vertex: u32) -> Kind {
        self.sites[vertex as usize].kind
    }

    /// Where the row of a vertex begins.
    pub(crate) fn row(&self, vertex: u32) -> usize {
        let shape = self.shape(vertex);
        shape.cells + (vertex - shape.first) as usize * shape.words
    }

    pub(crate) fn entries(&self, component: u32) -> &[u32] {
        let range = &self.shapes[component as usize].entries;
        &self.nodes[range.start as usize..range.end as usize]
    }

    pub(crate) fn exits(&self, component: u32) -> &[u32] {
        let range = &self.shapes[component as usize].exits;
        &self.nodes[range.start as usize..range.end as usize]
    }

    fn box_of(&self, port: u32) -> &BoxSite {
        &self.boxes[self.sites[port as usize].in_box as usize]
    }

    /// The component behind a port.
    pub(crate) fn callee(&self, port: u32) -> u32 {
        self.box_of(port).callee
    }

    /// The entry or exit behind a port.
    pub(crate) fn behind(&self, port: u32) -> u32 {
        self.sites[port as usize].behind
    }

    /// The entry ports of a port's box, by rank.
    pub(crate) fn entry_ports(&self, port: u32) -> &[u32] {
        let range = &self.box_of(port).entries;
        &self.ports[range.start as usize..range.end as usize]
    }

    /// The exit ports of a port's box, by rank.
    pub(crate) fn exit_ports(&self, port: u32) -> &[u32] {
        let range = &self.box_of(port).exits;
        &self.ports[range.start as usize..range.end as usize]
    }

    /// The one with that rank among the ports of one kind of a box.
    pub(crate) fn with_rank(&self, ports: &[u32], rank: u32) -> Option<u32> {
        let rank_of = |port: &u32| self.sites[*port as usize].rank;
        // At once where the box has all its ports, or all up to this one.
        if let Some(port) = ports.get(rank as usize)
            && rank_of(port) == rank
        {
            return Some(*port);
        }
        let found = ports.binary_search_by_key(&rank, rank_of).ok()?;
        Some(ports[found])
    }

    /// The ports of an entry or exit, in the whole machine; see [`Layout::callers`].
    pub(crate) fn callers(&self, node: u32) -> &[u32] {
        self.callers.get(node)
    }

    /// Where the edges of a vertex lead, in the order of [`Rsm::edges_from`].
    pub(crate) fn after(&self, vertex: u32) -> &[u32] {
        self.after.get(vertex)
    }

    /// Where edges to a vertex of an exit-bound component start.
    pub(crate) fn before(&self, vertex: u32) -> &[u32] {
        self.before.get(vertex)
    }

    /// The number of the pair of an entry and an exit, by their ranks.
    pub(crate) fn summary(&self, component: u32, entry: u32, exit: u32) -> usize {
        let shape = &self.shapes[component as usize];
        shape.summaries + entry as usize * shape.exits.len() + exit as usize
    }

    /// The summary that leads from an entry port to an exit port of the same box.
    pub(crate) fn across(&self, entry_port: u32, exit_port: u32) -> usize {
        let rank = |port: u32| self.sites[port as usize].rank;
        let through = self.box_of(entry_port);
        let row = rank(entry_port) as usize * through.width as usize;
        through.summaries + row + rank(exit_port) as usize
    }
}
