//! The Erase relation and the R-graph of a pushdown system: *Resource-Constrained Model
//! Checking of Recursive Programs* (Basu, Kumar, Pokorny, Ramakrishnan), §2–3.
//!
//! This is the other paper's way to the same three answers, on heads instead of vertices. It
//! is here as data, to be looked at and drawn, and as a second opinion: a system has O(n²)
//! edges in its R-graph, so use [`Analysis`](crate::Analysis) for large ones.
//!
//! A head is *good* if it is accepting; if the system has no accepting heads, all are. (The
//! paper's good heads are those with a good control location.)

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    ops::ControlFlow,
};

use recurva_model::pds::{Control, Head, Pds, StackSymbol, Word};

use crate::{Stack, meter::Meter, strong::strong_components};

/// One tuple (p, γ, g, p') of the relation: from ⟨p, γ⟩ a run pops γ and gets to p', and `good`
/// says whether it passes a good head before that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Erasure {
    /// Where the run starts.
    pub from: Head,
    /// Whether a head on the way is good.
    pub good: bool,
    /// Where control is when the symbol is gone.
    pub to: Control,
}

/// The Erase relation of Proposition 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erase {
    tuples: BTreeSet<Erasure>,
}

impl Erase {
    /// Works out the relation. A symbol that can be erased both ways has a tuple of either
    /// kind.
    pub fn new(pds: &Pds) -> Self {
        let mut search = Search::new(pds);
        for rule in pds.rules() {
            if rule.word == Word::Pop {
                search.add(rule.from, is_good(pds, rule.from), rule.to);
            }
        }
        while let Some(erasure) = search.queue.pop_front() {
            search.apply(erasure);
        }
        Erase {
            tuples: search.found.into_iter().collect(),
        }
    }

    /// The tuples, by head.
    pub fn tuples(&self) -> impl Iterator<Item = Erasure> + '_ {
        self.tuples.iter().copied()
    }

    /// Where a head can get to by erasing its symbol, and whether past a good head.
    pub fn from(&self, head: Head) -> impl Iterator<Item = Erasure> + '_ {
        let first = Erasure {
            from: head,
            good: false,
            to: Control(0),
        };
        let tuples = self.tuples.range(first..);
        tuples.copied().take_while(move |tuple| tuple.from == head)
    }
}

fn is_good(pds: &Pds, head: Head) -> bool {
    pds.parts().accept.is_empty() || pds.is_accepting(head)
}

/// A head that gets, past a good head or not, to where the rest must be erased.
type Waiting = (Head, bool);

struct Search<'p> {
    pds: &'p Pds,
    /// For each head the rules that write it on top.
    writing: HashMap<Head, Vec<usize>>,
    /// What waits for a head to be erased.
    waiting: HashMap<Head, HashSet<Waiting>>,
    by_head: HashMap<Head, Vec<Erasure>>,
    found: HashSet<Erasure>,
    queue: VecDeque<Erasure>,
}

impl<'p> Search<'p> {
    fn new(pds: &'p Pds) -> Self {
        let mut writing: HashMap<Head, Vec<usize>> = HashMap::new();
        for (index, rule) in pds.rules().iter().enumerate() {
            if let Word::Swap(symbol) | Word::Push { top: symbol, .. } = rule.word {
                let control = rule.to;
                let top = Head { control, symbol };
                writing.entry(top).or_default().push(index);
            }
        }
        Search {
            pds,
            writing,
            waiting: HashMap::new(),
            by_head: HashMap::new(),
            found: HashSet::new(),
            queue: VecDeque::new(),
        }
    }

    fn add(&mut self, from: Head, good: bool, to: Control) {
        let erasure = Erasure { from, good, to };
        if self.found.insert(erasure) {
            self.by_head.entry(from).or_default().push(erasure);
            self.queue.push_back(erasure);
        }
    }

    fn apply(&mut self, erasure: Erasure) {
        for index in self.writing.get(&erasure.from).cloned().unwrap_or_default() {
            let rule = self.pds.rules()[index];
            let good = is_good(self.pds, rule.from) || erasure.good;
            match rule.word {
                Word::Push { below, .. } => self.wait(rule.from, good, erasure.to, below),
                _ => self.add(rule.from, good, erasure.to),
            }
        }
        let waiting = self.waiting.get(&erasure.from).cloned();
        for (from, good) in waiting.unwrap_or_default() {
            self.add(from, good || erasure.good, erasure.to);
        }
    }

    fn wait(&mut self, from: Head, good: bool, control: Control, symbol: StackSymbol) {
        let rest = Head { control, symbol };
        if !self.waiting.entry(rest).or_default().insert((from, good)) {
            return;
        }
        for erasure in self.by_head.get(&rest).cloned().unwrap_or_default() {
            self.add(from, good || erasure.good, erasure.to);
        }
    }
}

/// What an edge of the R-graph does to the stack: the paper's resource label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resource {
    /// It is as high as before (0).
    Level,
    /// It has one symbol more (1).
    Grows,
}

/// An edge of the R-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RGraphEdge {
    /// Where it starts.
    pub from: Head,
    /// Where it leads.
    pub to: Head,
    /// The goodness label: whether `from` or a head inside is good.
    pub good: bool,
    /// The resource label.
    pub resource: Resource,
}

/// The R-graph of Definition 4, over all heads, reachable or not.
///
/// Where the paper gives an edge the label 0 if it has both, here there are two edges, so that
/// the graph also tells runs with a growing stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RGraph {
    edges: Vec<RGraphEdge>,
    initial: Head,
}

impl RGraph {
    /// The graph of a system, given its Erase relation.
    pub fn new(pds: &Pds, erase: &Erase) -> Self {
        let mut edges = BTreeSet::new();
        for rule in pds.rules() {
            let good = is_good(pds, rule.from);
            let mut edge = |control, symbol, good, resource| {
                edges.insert(RGraphEdge {
                    from: rule.from,
                    to: Head { control, symbol },
                    good,
                    resource,
                });
            };
            match rule.word {
                Word::Pop => {}
                Word::Swap(symbol) => edge(rule.to, symbol, good, Resource::Level),
                Word::Push { top, below } => {
                    edge(rule.to, top, good, Resource::Grows);
                    let head = Head {
                        control: rule.to,
                        symbol: top,
                    };
                    for erasure in erase.from(head) {
                        edge(erasure.to, below, good || erasure.good, Resource::Level);
                    }
                }
            }
        }
        RGraph {
            edges: edges.into_iter().collect(),
            initial: pds.initial(),
        }
    }

    /// The edges, by where they start.
    pub fn edges(&self) -> &[RGraphEdge] {
        &self.edges
    }

    /// The edges that start in a head.
    pub fn edges_from(&self, head: Head) -> &[RGraphEdge] {
        let start = self.edges.partition_point(|edge| edge.from < head);
        let rest = &self.edges[start..];
        &rest[..rest.partition_point(|edge| edge.from == head)]
    }

    /// Whether there is an accepting run (Theorem 1), one with a finite stack (Proposition 4),
    /// or one with a diverging stack.
    pub fn has_run(&self, stack: Stack) -> bool {
        let mut numbers = HashMap::from([(self.initial, 0)]);
        let mut heads = vec![self.initial];
        let mut next = 0;
        while let Some(&head) = heads.get(next) {
            next += 1;
            for edge in self.edges_from(head) {
                numbers.entry(edge.to).or_insert_with(|| {
                    heads.push(edge.to);
                    heads.len() as u32 - 1
                });
            }
        }
        let counts =
            |edge: &RGraphEdge| stack != Stack::Bounded || edge.resource == Resource::Level;
        let hop = |head: u32, index: u32| {
            let edge = self.edges_from(heads[head as usize]).get(index as usize)?;
            Some(counts(edge).then(|| numbers[&edge.to]))
        };
        let roots: Vec<u32> = (0..heads.len() as u32).collect();
        let mut tick = |_: &_| ControlFlow::Continue(());
        let meter = &mut Meter::new(&mut tick);
        let Ok(component) = strong_components(heads.len(), &roots, hop, meter) else {
            return false;
        };
        let mut sums = vec![(false, false); heads.len()];
        for (number, &head) in heads.iter().enumerate() {
            for edge in self.edges_from(head).iter().filter(|edge| counts(edge)) {
                let here = component[number];
                if component[numbers[&edge.to] as usize] == here {
                    let sum = &mut sums[here as usize];
                    sum.0 |= edge.good;
                    sum.1 |= edge.resource == Resource::Grows;
                }
            }
        }
        sums.iter()
            .any(|&(good, grows)| good && (grows || stack != Stack::Unbounded))
    }
}
