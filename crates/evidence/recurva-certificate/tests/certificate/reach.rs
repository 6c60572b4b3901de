//! What is reached: for each node the states in which control can be there, with the values when the
//! procedure was entered.

use std::collections::{BTreeMap, BTreeSet};

use recurva_model::{EdgeId, Point, ProcId, Program};

use crate::states::{Data, Moved, State, World};

pub(crate) type Reached = BTreeMap<Point, BTreeSet<State>>;

/// A call that was made: from where, and with what values there.
type Caller = (Point, EdgeId, State);

/// All reachable states; `None` if there are too many.
pub(crate) fn reached(program: &Program, limit: usize) -> Option<Reached> {
    let mut search = Search {
        world: World::new(program),
        reached: BTreeMap::new(),
        open: Vec::new(),
        callers: BTreeMap::new(),
        ends: BTreeMap::new(),
    };
    let main = program.main();
    for now in search.world.all_now(main) {
        let state = search.world.entered(main, now);
        search.add(search.world.entry(main), state);
    }
    let mut count = 0;
    while let Some((at, state)) = search.open.pop() {
        count += 1;
        if count > limit {
            return None;
        }
        search.expand(at, &state);
    }
    Some(search.reached)
}

struct Search<'p> {
    world: World<'p>,
    reached: Reached,
    open: Vec<(Point, State)>,
    /// Who called a procedure with which values.
    callers: BTreeMap<(ProcId, Data), BTreeSet<Caller>>,
    /// How calls with which values end.
    ends: BTreeMap<(ProcId, Data), BTreeSet<Data>>,
}

impl Search<'_> {
    fn add(&mut self, at: Point, state: State) {
        let new = self.reached.entry(at).or_default().insert(state.clone());
        if new {
            self.open.push((at, state));
        }
    }

    fn resume(&mut self, (at, edge, state): &Caller, end: &Data) {
        let now = self.world.returned(*at, *edge, &state.now, end);
        let node = self.world.program.edge(at.procedure, *edge).to;
        let entry = state.entry.clone();
        self.add(Point { node, ..*at }, State { entry, now });
    }

    fn expand(&mut self, at: Point, state: &State) {
        if at == self.world.exit(at.procedure) {
            let key = (at.procedure, state.entry.clone());
            let ends = self.ends.entry(key.clone()).or_default();
            if ends.insert(state.now.clone()) {
                for caller in self.callers.get(&key).cloned().unwrap_or_default() {
                    self.resume(&caller, &state.now);
                }
            }
            return;
        }
        let edges: Vec<(EdgeId, Point)> = self
            .world
            .program
            .edges_from(at)
            .map(|(id, edge)| {
                (
                    id,
                    Point {
                        node: edge.to,
                        ..at
                    },
                )
            })
            .collect();
        for (edge, to) in edges {
            for moved in self.world.moves(at, edge, &state.now) {
                match moved {
                    Moved::Step(now) => {
                        let entry = state.entry.clone();
                        self.add(to, State { entry, now });
                    }
                    Moved::Call(callee, now) => {
                        let entered = self.world.entered(callee, now);
                        let key = (callee, entered.entry.clone());
                        self.add(self.world.entry(callee), entered);
                        let caller = (at, edge, state.clone());
                        let callers = self.callers.entry(key.clone()).or_default();
                        if callers.insert(caller.clone()) {
                            for end in self.ends.get(&key).cloned().unwrap_or_default() {
                                self.resume(&caller, &end);
                            }
                        }
                    }
                }
            }
        }
    }
}
