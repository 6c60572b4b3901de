//! The ways from a node of which something is guessed to the next such nodes, as terms.

use std::collections::{BTreeMap, BTreeSet};

use recurva_certificate::Formula;
use recurva_encode::{Encoder, Joints, Numbers, Step, Store};
use recurva_model::{Point, ProcId, Program};
use recurva_smt::{Embedded, EmbeddedLimits, Term, Terms};

use super::meaning::{Values, meaning};

/// A guess: a node and the number of a formula there.
pub(crate) type GuessId = (Point, usize);

/// What has to be shown at the end of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// What is guessed of a node.
    At(Point),
    /// That it is not reached.
    Never,
}

/// A way from a node of which something is guessed to the next.
pub(crate) struct Way {
    pub(crate) end: End,
    /// What is known: conditions of steps.
    pub(crate) conditions: Vec<Term>,
    /// What is known if guesses are right.
    pub(crate) guesses: Vec<(GuessId, Term)>,
    /// What is guessed of its end.
    pub(crate) goals: Vec<Option<Term>>,
    /// The guesses from which the goals that are left follow, when that was shown.
    pub(crate) shown: Option<BTreeSet<GuessId>>,
}

/// All ways from a node.
pub(crate) struct Block {
    pub(crate) terms: Terms,
    pub(crate) solver: Embedded,
    pub(crate) ways: Vec<Way>,
}

/// What is guessed of each node.
pub(crate) type Guesses = BTreeMap<Point, Vec<Formula>>;

/// What is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) program: &'a Program,
    pub(crate) joints: &'a Joints,
    pub(crate) targets: &'a BTreeSet<Point>,
    pub(crate) guesses: &'a Guesses,
}

/// A way that is being followed.
struct Open {
    point: Point,
    store: Store,
    conditions: Vec<Term>,
    guesses: Vec<(GuessId, Term)>,
}

impl Block {
    pub(crate) fn new(setting: Setting<'_>, point: Point, limits: EmbeddedLimits) -> Self {
        let mut terms = Terms::default();
        let program = setting.program;
        let procedure = point.procedure;
        let is_entry = point.node == program.procedure(procedure).entry;
        let mut encoder = Encoder::new(&mut terms, Numbers::Bits);
        let entry = encoder.any_store(program, procedure);
        let store = match is_entry {
            true => entry.clone(),
            false => encoder.any_store(program, procedure),
        };
        let mut block = Block {
            terms,
            solver: Embedded::new(limits),
            ways: Vec::new(),
        };
        let guesses = block.known(setting, point, &entry, &store);
        let mut open = vec![Open {
            point,
            store,
            conditions: Vec::new(),
            guesses,
        }];
        while let Some(here) = open.pop() {
            for (_, edge) in program.edges_from(here.point) {
                let next = Point {
                    procedure,
                    node: edge.to,
                };
                let mut encoder = Encoder::new(&mut block.terms, Numbers::Bits);
                let step = encoder.step(program, procedure, edge, &here.store);
                let mut conditions = here.conditions.clone();
                let mut guesses = here.guesses.clone();
                let store = match step {
                    Step::Internal(internal) => {
                        conditions.push(internal.condition);
                        internal.store
                    }
                    Step::Call(call) => {
                        conditions.push(call.condition);
                        let callee = program.procedure(call.callee);
                        let point_in = |node| Point {
                            procedure: call.callee,
                            node,
                        };
                        let (begin, exit) = (point_in(callee.entry), point_in(callee.exit));
                        let mut encoder = Encoder::new(&mut block.terms, Numbers::Bits);
                        let inner = encoder.entered(program, &call, &here.store);
                        let end = encoder.any_store(program, call.callee);
                        let after = encoder.returned(program, &call, &here.store, &end);
                        let known = (conditions.clone(), guesses.clone());
                        block.arrive(setting, begin, (&inner, &inner), known);
                        guesses.extend(block.known(setting, exit, &inner, &end));
                        after
                    }
                };
                if block.terms.node(conditions[conditions.len() - 1])
                    == &recurva_smt::Node::Bool(false)
                {
                    continue;
                }
                if setting.targets.contains(&next) || setting.joints.contains(next) {
                    block.arrive(setting, next, (&entry, &store), (conditions, guesses));
                } else {
                    open.push(Open {
                        point: next,
                        store,
                        conditions,
                        guesses,
                    });
                }
            }
        }
        block
    }

    /// What is guessed of a node, as terms.
    fn known(
        &mut self,
        setting: Setting<'_>,
        point: Point,
        entry: &Store,
        now: &Store,
    ) -> Vec<(GuessId, Term)> {
        let formulas = setting.guesses.get(&point).map_or(&[][..], |it| it);
        let values = values(setting, point.procedure, entry, now);
        let terms = &mut self.terms;
        let known = formulas.iter().enumerate().filter_map(|(number, formula)| {
            Some(((point, number), meaning(terms, formula, values)?))
        });
        known.collect()
    }

    fn arrive(
        &mut self,
        setting: Setting<'_>,
        point: Point,
        (entry, now): (&Store, &Store),
        (conditions, guesses): (Vec<Term>, Vec<(GuessId, Term)>),
    ) {
        let is_target = setting.targets.contains(&point);
        let goals = match is_target {
            true => Vec::new(),
            false => {
                let values = values(setting, point.procedure, entry, now);
                let formulas = setting.guesses.get(&point).map_or(&[][..], |it| it);
                let terms = &mut self.terms;
                let all = formulas.iter().map(|it| meaning(terms, it, values));
                all.collect()
            }
        };
        self.ways.push(Way {
            end: match is_target {
                true => End::Never,
                false => End::At(point),
            },
            conditions,
            guesses,
            goals,
            shown: None,
        });
    }
}

fn values<'a>(
    setting: Setting<'a>,
    procedure: ProcId,
    entry: &'a Store,
    now: &'a Store,
) -> Values<'a> {
    Values {
        program: setting.program,
        procedure,
        entry,
        now,
    }
}
