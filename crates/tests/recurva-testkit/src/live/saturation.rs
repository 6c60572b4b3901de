//! Heads that come back to themselves, by post*.
//!
//! The product is written as a pushdown system. A location holds the globals and the state of
//! the automaton, or all that a callee leaves behind when it returns; a symbol is a frame, a
//! frame that waits for a call, or the bottom of the stack. A head is a location with a symbol.
//!
//! A run is accepted if it reaches a head (p, γ), and from the stack γ alone (p, γ) comes back
//! on top of some stack γw after at least one step and with all marks passed (Theorem 1). With
//! an empty w the stack stays bounded (Theorem 2), else it diverges. So for each head that can
//! be reached all that follows it is worked out once more from that head alone, the marks
//! passed written into the locations.

use std::collections::{BTreeSet, HashMap, HashSet};

use recurva_model::{
    EdgeId, Program,
    semantics::{Configuration, Frame, Machine},
};

use super::{Accepted, Limits, Reads, Truth};
use crate::values;

/// Which infinite runs of a program an automaton accepts; `None` if a limit was hit.
pub fn by_saturation(program: &Program, automaton: &impl Reads, limits: &Limits) -> Option<Truth> {
    let ask = |stutters| {
        let mut pds = Pushdown {
            machine: Machine::new(program),
            automaton,
            limits: *limits,
            stutters,
            rules: HashMap::new(),
        };
        pds.accepted()
    };
    Some(Truth {
        stutter: ask(true)?,
        infinite: ask(false)?,
    })
}

/// A location of the pushdown system.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Location {
    Running {
        globals: Box<[u64]>,
        watch: u32,
    },
    /// A callee is gone; this was its frame, at its exit.
    Returned {
        globals: Box<[u64]>,
        watch: u32,
        callee: Invocation,
    },
}

/// A frame, with an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Invocation {
    procedure: u32,
    node: u32,
    locals: Box<[u64]>,
}

impl Invocation {
    fn of(frame: &Frame) -> Self {
        Invocation {
            procedure: frame.procedure.0,
            node: frame.node.0,
            locals: frame.locals.clone(),
        }
    }

    fn frame(&self, pending: Option<EdgeId>) -> Frame {
        Frame {
            procedure: recurva_model::ProcId(self.procedure),
            node: recurva_model::NodeId(self.node),
            pending,
            locals: self.locals.clone(),
        }
    }
}

/// A stack symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Symbol {
    Running(Invocation),
    /// Waits for the call along this edge, with what the automaton remembers.
    Waiting(Invocation, u32, u32),
    Bottom,
}

type Head = (Location, Symbol);

/// Marks passed; above them, whether there was a step.
type Seen = u64;
const STEP: Seen = 1 << 32;

/// What a rule puts in the place of its symbol.
#[derive(Clone, Debug)]
enum Word {
    Pop,
    Swap(Symbol),
    Push { top: Symbol, below: Symbol },
}

#[derive(Clone, Debug)]
struct Rule {
    to: Location,
    word: Word,
    seen: Seen,
}

/// A state of the automaton that accepts the configurations that can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Location(Location, Seen),
    /// Between the two symbols of the pushes that lead to this location and symbol.
    Middle(Location, Seen, Symbol),
    /// Above the bottom of the whole stack.
    Base,
    Final,
}

/// `None` reads nothing.
type Transition = (State, Option<Symbol>, State);

struct Pushdown<'p, A> {
    machine: Machine<'p>,
    automaton: &'p A,
    limits: Limits,
    stutters: bool,
    rules: HashMap<Head, Vec<Rule>>,
}

impl<A: Reads> Pushdown<'_, A> {
    fn accepted(&mut self) -> Option<Accepted> {
        let all = Seen::from(self.automaton.acceptance()) | STEP;
        let start = self.start()?;
        let heads: BTreeSet<Head> = self
            .post_star(start, 0)?
            .into_iter()
            .filter_map(|transition| match transition {
                (State::Location(location, _), Some(symbol), _) => Some((location, symbol)),
                _ => None,
            })
            .collect();
        if heads.len() > self.limits.heads {
            return None;
        }
        let mut truth = Accepted::default();
        for (location, symbol) in heads {
            let from = State::Location(location.clone(), 0);
            let start = vec![(from, Some(symbol.clone()), State::Final)];
            for (from, read, to) in self.post_star(start, all)? {
                let back = State::Location(location.clone(), all);
                if from == back && read.as_ref() == Some(&symbol) {
                    let bounded = to == State::Final;
                    truth.finite |= bounded;
                    truth.diverging |= !bounded;
                }
            }
        }
        Some(truth)
    }

    /// The automaton that accepts the initial configurations.
    fn start(&mut self) -> Option<Vec<Transition>> {
        let main = self.machine.program().main();
        let globals = self.machine.global_types().to_vec();
        let types = [&globals, self.machine.local_types(main)].concat();
        self.affordable(&types)?;
        let mut transitions = vec![(State::Base, Some(Symbol::Bottom), State::Final)];
        for values in values::all(&types) {
            let (globals, locals) = values.split_at(globals.len());
            let start = self.machine.start(globals, locals);
            let start = start.expect("values of the right types");
            for (_, location, symbol) in self.arrive(&start, Some(self.automaton.initial())) {
                let from = State::Location(location, 0);
                transitions.push((from, Some(symbol), State::Base));
            }
        }
        Some(transitions)
    }

    fn affordable(&self, types: &[recurva_model::Type]) -> Option<()> {
        values::count(types)
            .is_some_and(|n| n <= self.limits.choices)
            .then_some(())
    }

    /// Adds all that follows on the configurations accepted, until nothing is missing. Of what
    /// was seen on the way, what is in `kept` is remembered.
    fn post_star(&mut self, start: Vec<Transition>, kept: Seen) -> Option<HashSet<Transition>> {
        let mut known: HashSet<Transition> = HashSet::new();
        let mut silent: HashMap<State, Vec<State>> = HashMap::new();
        let mut leaving: HashMap<State, Vec<(Symbol, State)>> = HashMap::new();
        let mut open = start;
        while let Some(transition) = open.pop() {
            if !known.insert(transition.clone()) {
                continue;
            }
            if known.len() > self.limits.facts {
                return None;
            }
            let (from, symbol, to) = transition;
            let Some(symbol) = symbol else {
                // Reads whatever can be read further on.
                for (symbol, end) in leaving.get(&to).into_iter().flatten() {
                    open.push((from.clone(), Some(symbol.clone()), end.clone()));
                }
                silent.entry(to).or_default().push(from);
                continue;
            };
            let key = (symbol.clone(), to.clone());
            leaving.entry(from.clone()).or_default().push(key);
            for before in silent.get(&from).into_iter().flatten() {
                open.push((before.clone(), Some(symbol.clone()), to.clone()));
            }
            let State::Location(location, seen) = from else {
                continue;
            };
            for rule in self.rules(&(location, symbol))? {
                let seen = (seen | rule.seen) & kept;
                let next = State::Location(rule.to.clone(), seen);
                match rule.word {
                    Word::Pop => open.push((next, None, to.clone())),
                    Word::Swap(symbol) => open.push((next, Some(symbol), to.clone())),
                    Word::Push { top, below } => {
                        let middle = State::Middle(rule.to, seen, top.clone());
                        open.push((next, Some(top), middle.clone()));
                        open.push((middle, Some(below), to.clone()));
                    }
                }
            }
        }
        Some(known)
    }

    /// The rules of a head, worked out once.
    fn rules(&mut self, head: &Head) -> Option<Vec<Rule>> {
        if let Some(known) = self.rules.get(head) {
            return Some(known.clone());
        }
        let mut rules = Vec::new();
        match head {
            (Location::Running { globals, watch }, Symbol::Running(top)) => {
                let here = Configuration {
                    globals: globals.clone(),
                    stack: vec![top.frame(None)],
                };
                self.run(&here, *watch, &mut rules)?;
            }
            (
                Location::Returned {
                    globals,
                    watch,
                    callee,
                },
                Symbol::Waiting(caller, edge, call),
            ) => {
                let stack = vec![caller.frame(Some(EdgeId(*edge))), callee.frame(None)];
                let globals = globals.clone();
                let mut next = Configuration { globals, stack };
                let returned = self.machine.step_return(&mut next);
                returned.expect("a callee at its exit can return");
                let head = self.automaton.after_return(*watch, *call);
                for (seen, to, symbol) in self.arrive(&next, head) {
                    let word = Word::Swap(symbol);
                    rules.push(Rule { to, word, seen });
                }
            }
            (
                Location::Returned {
                    globals,
                    watch,
                    callee,
                },
                Symbol::Bottom,
            ) if self.stutters => {
                let last = Configuration {
                    globals: globals.clone(),
                    stack: vec![callee.frame(None)],
                };
                let head = self.automaton.after_step(*watch);
                let read = head.map(|head| self.automaton.read(&self.machine, head, &last));
                for (marks, watch) in read.unwrap_or_default() {
                    let (globals, callee) = (globals.clone(), callee.clone());
                    rules.push(Rule {
                        to: Location::Returned {
                            globals,
                            watch,
                            callee,
                        },
                        word: Word::Swap(Symbol::Bottom),
                        seen: Seen::from(marks) | STEP,
                    });
                }
            }
            _ => {}
        }
        self.rules.insert(head.clone(), rules.clone());
        Some(rules)
    }

    /// The rules of a frame that is running.
    fn run(&mut self, here: &Configuration, watch: u32, rules: &mut Vec<Rule>) -> Option<()> {
        let top = here.top();
        if self.machine.at_exit(here) {
            rules.push(Rule {
                to: Location::Returned {
                    globals: here.globals.clone(),
                    watch,
                    callee: Invocation::of(top),
                },
                word: Word::Pop,
                seen: 0,
            });
            return Some(());
        }
        for (edge, _) in self.machine.program().edges_from(top.point()) {
            let types = self.machine.choices(top.procedure, edge);
            self.affordable(&types)?;
            for choices in values::all(&types) {
                let mut next = here.clone();
                if self.machine.step(&mut next, edge, &choices).is_err() {
                    continue;
                }
                let is_call = next.stack.len() > 1;
                let head = match is_call {
                    true => self.automaton.after_call(watch),
                    false => self.automaton.after_step(watch),
                };
                for (seen, to, symbol) in self.arrive(&next, head) {
                    let word = if !is_call {
                        Word::Swap(symbol)
                    } else {
                        let remembered = self.automaton.remembered(watch);
                        let below = Symbol::Waiting(Invocation::of(top), edge.0, remembered);
                        Word::Push { top: symbol, below }
                    };
                    rules.push(Rule { to, word, seen });
                }
            }
        }
        Some(())
    }

    /// The heads of a configuration that has just been reached, after the automaton has read
    /// it from where it is, if it goes on at all.
    fn arrive(
        &self,
        configuration: &Configuration,
        from: Option<u32>,
    ) -> Vec<(Seen, Location, Symbol)> {
        let read = from.map(|from| self.automaton.read(&self.machine, from, configuration));
        let head = |(marks, watch): (u32, u32)| {
            let globals = configuration.globals.clone();
            let symbol = Symbol::Running(Invocation::of(configuration.top()));
            let seen = Seen::from(marks) | STEP;
            (seen, Location::Running { globals, watch }, symbol)
        };
        read.into_iter().flatten().map(head).collect()
    }
}
