//! The relation *Erase* and the R-graph.
//!
//! A *head* is all of a configuration but the frames below the top, with the state of the
//! automaton after reading it. (h, m, x) is in Erase if the top frame of h can get to its exit
//! in head x, and the automaton passes exactly the marks m on the way. The relation is the
//! least one with
//!
//! 1. (x, ∅, x), if x is at an exit;
//! 2. (h, m ∪ m′, x), if h has a step to h′ with marks m, and (h′, m′, x);
//! 3. (h, m ∪ m′ ∪ n ∪ n′, x), if h has a call to e with marks m, (e, m′, y), the return from
//!    y to h leads to h′ with marks n, and (h′, n′, x).
//!
//! A run returns from the outermost main procedure only once. Its frame is told apart from
//! frames of calls that main makes to itself.

use std::collections::{BTreeSet, HashMap};

use recurva_model::{
    Automaton, EdgeId, Point, Program, Type,
    semantics::{Configuration, Frame, Machine},
};

use super::{
    Accepted, Limits, Reads, Truth,
    cycles::{self, Edge, Kind},
};
use crate::values;

/// Which infinite runs of a program an automaton accepts; `None` if a limit was hit.
pub fn accepted(program: &Program, automaton: &Automaton, limits: &Limits) -> Option<Truth> {
    let mut product = Product {
        machine: Machine::new(program),
        automaton,
        limits: *limits,
        heads: Vec::new(),
        ids: HashMap::new(),
        moves: Vec::new(),
        erase: Vec::new(),
        returns: HashMap::new(),
    };
    product.start()?;
    while product.round()? {}
    Some(product.truth())
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Head {
    globals: Box<[u64]>,
    frame: Frame,
    outermost: bool,
    watch: u32,
}

/// A head's number.
type Id = usize;
type Marks = u32;

/// What a head can do by itself, with the marks of what the automaton does.
#[derive(Clone, Debug, Default)]
struct Moves {
    steps: Vec<(Marks, Id)>,
    /// The callee's first head, and the edge of the call.
    calls: Vec<(Marks, Id, EdgeId)>,
    stutters: Vec<(Marks, Id)>,
}

struct Product<'p> {
    machine: Machine<'p>,
    automaton: &'p Automaton,
    limits: Limits,
    heads: Vec<Head>,
    ids: HashMap<Head, Id>,
    /// For the first heads: those that have been looked at.
    moves: Vec<Moves>,
    /// For each head the marks and the exits.
    erase: Vec<BTreeSet<(Marks, Id)>>,
    /// Where a caller's head goes on when the call it made along an edge ends in a head.
    returns: HashMap<(Id, EdgeId, Id), Vec<(Marks, Id)>>,
}

impl Product<'_> {
    /// Every value of the globals and of main's locals; the automaton reads it.
    fn start(&mut self) -> Option<()> {
        let main = self.machine.program().main();
        let globals = self.machine.global_types().to_vec();
        let types = [&globals, self.machine.local_types(main)].concat();
        for values in self.affordable(&types)? {
            let (globals, locals) = values.split_at(globals.len());
            let start = self.machine.start(globals, locals);
            let start = start.expect("values of the right types");
            self.arrive(&start, self.automaton.initial(), true);
        }
        Some(())
    }

    /// Applies each rule to all that is known; whether anything was new.
    fn round(&mut self) -> Option<bool> {
        let size = |product: &Self| product.erase.iter().map(BTreeSet::len).sum::<usize>();
        let before = (self.heads.len(), size(self));
        while self.moves.len() < self.heads.len() {
            if self.heads.len() > self.limits.heads {
                return None;
            }
            let moves = self.moves_of(self.moves.len())?;
            self.moves.push(moves);
        }
        // Backwards, because heads are often found in the order in which they follow.
        for id in (0..self.moves.len()).rev() {
            let mut new = BTreeSet::new();
            if self.is_exit(id) {
                new.insert((0, id));
            }
            for &(marks, to) in &self.moves[id].steps {
                self.append(marks, to, &mut new);
            }
            for (marks, entry, edge) in self.moves[id].calls.clone() {
                for (inside, exit) in self.erase[entry].clone() {
                    for (after, to) in self.resume(id, edge, exit) {
                        self.append(marks | inside | after, to, &mut new);
                    }
                }
            }
            self.erase[id].extend(new);
            if self.erase[id].len() > self.limits.facts {
                return None;
            }
        }
        let after = (self.heads.len(), size(self));
        (after.1 <= self.limits.facts).then_some(before != after)
    }

    /// All of Erase for a head, after some marks.
    fn append(&self, marks: Marks, to: Id, out: &mut BTreeSet<(Marks, Id)>) {
        out.extend(
            self.erase[to]
                .iter()
                .map(|&(more, exit)| (marks | more, exit)),
        );
    }

    fn moves_of(&mut self, id: Id) -> Option<Moves> {
        let mut moves = Moves::default();
        let head = self.heads[id].clone();
        let here = Configuration {
            globals: head.globals,
            stack: vec![head.frame],
        };
        if self.machine.at_exit(&here) {
            if head.outermost {
                moves.stutters = self.arrive(&here, head.watch, true);
            }
            return Some(moves);
        }
        let Point { procedure, .. } = here.top().point();
        for (edge, _) in self.machine.program().edges_from(here.top().point()) {
            let types = self.machine.choices(procedure, edge);
            for choices in self.affordable(&types)? {
                let mut next = here.clone();
                if self.machine.step(&mut next, edge, &choices).is_err() {
                    continue;
                }
                if next.stack.len() == 1 {
                    let to = self.arrive(&next, head.watch, head.outermost);
                    moves.steps.extend(to);
                } else {
                    let to = self.arrive(&next, head.watch, false);
                    let to = to.into_iter().map(|(marks, entry)| (marks, entry, edge));
                    moves.calls.extend(to);
                }
            }
        }
        Some(moves)
    }

    fn resume(&mut self, caller: Id, edge: EdgeId, exit: Id) -> Vec<(Marks, Id)> {
        if let Some(known) = self.returns.get(&(caller, edge, exit)) {
            return known.clone();
        }
        let (below, top) = (self.heads[caller].clone(), self.heads[exit].clone());
        let pending = Frame {
            pending: Some(edge),
            ..below.frame
        };
        let mut next = Configuration {
            globals: top.globals,
            stack: vec![pending, top.frame],
        };
        let returned = self.machine.step_return(&mut next);
        returned.expect("a callee at its exit can return");
        let found = self.arrive(&next, top.watch, below.outermost);
        self.returns.insert((caller, edge, exit), found.clone());
        found
    }

    /// The heads of a configuration that has just been reached, after the automaton has read
    /// it.
    fn arrive(
        &mut self,
        configuration: &Configuration,
        watch: u32,
        outermost: bool,
    ) -> Vec<(Marks, Id)> {
        let mut found = Vec::new();
        for (marks, watch) in self.automaton.read(&self.machine, watch, configuration) {
            let head = Head {
                globals: configuration.globals.clone(),
                frame: configuration.top().clone(),
                outermost,
                watch,
            };
            let new = self.heads.len();
            let id = *self.ids.entry(head.clone()).or_insert(new);
            if id == new {
                self.heads.push(head);
                self.erase.push(BTreeSet::new());
            }
            found.push((marks, id));
        }
        found
    }

    fn affordable<'t>(
        &self,
        types: &'t [Type],
    ) -> Option<impl Iterator<Item = Vec<u64>> + use<'t>> {
        let number = values::count(types)?;
        (number <= self.limits.choices).then(|| values::all(types))
    }

    fn is_exit(&self, id: Id) -> bool {
        let Frame {
            procedure, node, ..
        } = self.heads[id].frame;
        self.machine.program().procedure(procedure).exit == node
    }

    /// The edges of the R-graph.
    fn edges(&mut self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for from in 0..self.heads.len() {
            let mut add = |to, marks, kind| {
                edges.push(Edge {
                    from,
                    to,
                    marks,
                    kind,
                });
            };
            let moves = self.moves[from].clone();
            for (marks, to) in moves.steps {
                add(to, marks, Kind::Level);
            }
            for (marks, to) in moves.stutters {
                add(to, marks, Kind::Stutter);
            }
            for (marks, entry, edge) in moves.calls {
                add(entry, marks, Kind::Call);
                for (inside, exit) in self.erase[entry].clone() {
                    for (after, to) in self.resume(from, edge, exit) {
                        add(to, marks | inside | after, Kind::Level);
                    }
                }
            }
        }
        edges
    }

    fn truth(mut self) -> Truth {
        let mut edges = self.edges();
        let ask = |edges: &[Edge]| -> Accepted {
            cycles::accepted(self.heads.len(), edges, self.automaton.acceptance())
        };
        let stutter = ask(&edges);
        // Nothing but stuttering follows on stuttering.
        edges.retain(|edge| edge.kind != Kind::Stutter);
        Truth {
            stutter,
            infinite: ask(&edges),
        }
    }
}
