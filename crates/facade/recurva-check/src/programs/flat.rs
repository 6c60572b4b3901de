//! Questions about flat machines, answered on the machine as a whole (`recurva_flat`) instead of
//! on the program made from it.
//!
//! A flat machine has no variables, so what a formula or an automaton observes depends on the
//! vertex alone. Each edge gets, as its letter, what is observed where it starts; the automaton
//! then reads letters.

use std::{collections::HashMap, ops::ControlFlow};

use recurva_flat::{
    Acceptance, Analysis, LetterAutomaton, LetterEdge, Letters, Marks, Product, Progress,
};
use recurva_logic::{
    automaton::{Config, Tgba, translate},
    ltl::{Formula, Operator},
};
use recurva_model::{
    Guard, Letter as Observation, Point,
    rsm::{ComponentId, Letter, Place, Rsm, Vertex, VertexId},
};

use super::{Ltl, Never, Property};
use crate::{Limit, Stack};

/// A flat machine with the nodes of the program that was made from it.
#[derive(Clone, Copy, Debug)]
pub struct FlatMachine<'a> {
    /// The machine.
    pub rsm: &'a Rsm,
    /// The node of each vertex, in the order of vertices.
    pub points: &'a [Point],
    /// For each letter of the machine a node that stands for it, if formulas and automata are
    /// about letters.
    pub letters: Option<&'a [Point]>,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatAnswer {
    /// Whether the property is violated.
    pub violated: bool,
    /// How many vertices the machine had that was solved: with an automaton, the product.
    pub vertices: u64,
    /// Rule instances tried and edges followed.
    pub work: u64,
    /// Bytes held.
    pub bytes: u64,
}

/// Whether a flat machine violates a property. `None` if this engine cannot tell: it knows
/// neither monitors nor CaRet.
///
/// # Errors
///
/// The limit that was hit: the automaton is too large, or `tick` said stop.
pub fn decide(
    machine: &FlatMachine<'_>,
    property: &Property,
    stack: Stack,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<FlatAnswer>, Limit> {
    let stop = |_: recurva_flat::Stopped| Limit::Interrupted;
    match property {
        Property::Monitor(_) | Property::Caret(_) => Ok(None),
        Property::Unreachable { points, .. } => {
            let every = Acceptance::every_run();
            let analysis = Analysis::new(machine.rsm, &every, |_| tick()).map_err(stop)?;
            let wanted = |vertex: VertexId| points.contains(&machine.points[vertex.index()]);
            let violated = analysis.reachable().any(wanted);
            Ok(Some(FlatAnswer::new(&analysis, violated)))
        }
        Property::Ltl(Ltl {
            formula,
            guards,
            positions: None,
            ..
        }) => {
            let [label] = &guards[..] else {
                return Ok(None);
            };
            if !is_repetition(formula) {
                return Ok(None);
            }
            let mut acceptance = Acceptance::new(1);
            for vertex in machine.rsm.vertices() {
                if holds(label, machine.points[vertex.index()]) {
                    acceptance.mark(vertex, Marks::one(0));
                }
            }
            solve(machine.rsm, &acceptance, stack, tick).map(Some)
        }
        Property::Ltl(Ltl {
            formula,
            guards,
            positions: Some(positions),
            ..
        }) => {
            let mut formulas = formula.formulas.clone();
            let root = formulas.unary(Operator::Not, formula.root);
            let automaton = translate(&Formula { formulas, root }, &Config::default());
            let automaton = automaton.map_err(Limit::Automaton)?;
            machine
                .accepted(&automaton, guards, positions, stack, tick)
                .map(Some)
        }
        Property::Never(Never {
            automaton,
            guards,
            positions: Some(positions),
            ..
        }) => machine
            .accepted(automaton, guards, positions, stack, tick)
            .map(Some),
        Property::Never(_) => Ok(None),
    }
}

impl FlatAnswer {
    fn new(analysis: &Analysis<'_>, violated: bool) -> Self {
        FlatAnswer {
            violated,
            vertices: analysis.rsm().len() as u64,
            work: analysis.progress().work,
            bytes: analysis.bytes() as u64,
        }
    }
}

impl FlatMachine<'_> {
    /// Whether the automaton accepts what is observed on some infinite run.
    fn accepted(
        &self,
        automaton: &Tgba,
        guards: &[Guard],
        positions: &Guard,
        stack: Stack,
        tick: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<FlatAnswer, Limit> {
        let observe = |point: Point| {
            let bits = guards.iter().enumerate();
            bits.map(|(bit, guard)| Observation::from(holds(guard, point)) << bit)
                .sum()
        };
        let relabelled;
        let (rsm, observed) = match self.letters {
            Some(nodes) => (
                self.rsm,
                nodes.iter().map(|&node| observe(node)).collect::<Vec<_>>(),
            ),
            None => {
                let (rsm, observed) = self.relabelled(|vertex| {
                    let point = self.points[vertex.index()];
                    holds(positions, point).then(|| observe(point))
                });
                relabelled = rsm;
                (&relabelled, observed)
            }
        };
        let mut edges = Vec::new();
        for from in 0..automaton.states() as u32 {
            for edge in automaton.edges_from(from) {
                let open = (0..).zip(&observed).filter(|(_, o)| edge.label.holds(**o));
                edges.push(LetterEdge {
                    from,
                    letters: Letters::Only(open.map(|(index, _)| Letter(index)).collect()),
                    to: edge.target,
                    marks: Marks(edge.marks),
                });
            }
        }
        let states = automaton.states() as u32;
        let initial = vec![automaton.initial()];
        let reader = LetterAutomaton::new(states, initial, edges, automaton.sets());
        let product =
            reader.and_then(|reader| Product::new(rsm, &Acceptance::every_run(), &reader));
        match product {
            Ok(product) => solve(&product.rsm, &product.acceptance, stack, tick),
            Err(_) => Err(Limit::PathEdges),
        }
    }

    /// The machine with what is observed at a vertex as the letter of the edges that leave it,
    /// and what each letter stands for. An edge that leaves the port of an exit stands for
    /// leaving that exit, too.
    fn relabelled(
        &self,
        observe: impl Fn(VertexId) -> Option<Observation>,
    ) -> (Rsm, Vec<Observation>) {
        let mut parts = self.rsm.parts().clone();
        let mut numbers: HashMap<Observation, Letter> = HashMap::new();
        let mut observed = Vec::new();
        for (index, component) in parts.components.iter_mut().enumerate() {
            for edge in &mut component.edges {
                let place = match edge.from {
                    Vertex::Node(_) => Place {
                        component: ComponentId(index as u32),
                        vertex: edge.from,
                    },
                    Vertex::Port { in_box, node } => Place {
                        component: component.boxes[in_box as usize].component,
                        vertex: Vertex::Node(node),
                    },
                };
                let seen = self.rsm.vertex(place).and_then(&observe);
                edge.letter = seen.map(|seen| {
                    *numbers.entry(seen).or_insert_with(|| {
                        observed.push(seen);
                        Letter(observed.len() as u32 - 1)
                    })
                });
            }
        }
        parts.alphabet = observed
            .iter()
            .map(|seen| seen.to_string().into())
            .collect();
        let rsm = Rsm::new(parts).expect("only letters have changed");
        (rsm, observed)
    }
}

/// Whether there is an accepted run.
fn solve(
    rsm: &Rsm,
    acceptance: &Acceptance,
    stack: Stack,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<FlatAnswer, Limit> {
    let stack = match stack {
        Stack::Any => recurva_flat::Stack::Any,
        Stack::Finite => recurva_flat::Stack::Bounded,
        Stack::Diverging => recurva_flat::Stack::Unbounded,
    };
    let mut go_on = |_: &Progress| tick();
    let stop = |_| Limit::Interrupted;
    let analysis = Analysis::new(rsm, acceptance, &mut go_on).map_err(stop)?;
    let run = analysis.run(stack, &mut go_on).map_err(stop)?;
    Ok(FlatAnswer::new(&analysis, run.is_some()))
}

/// Whether a condition holds at a node of a machine's program. It reads no variable.
fn holds(guard: &Guard, point: Point) -> bool {
    guard.at(point).eval(&[], &|_, _, _| None) == Some(1)
}

/// Whether a formula says that its only atom does not come again and again.
fn is_repetition(formula: &Formula) -> bool {
    let mut at = formula.root;
    for wanted in [Operator::Finally, Operator::Globally, Operator::Not] {
        if formula.formulas.operator(at) != wanted {
            return false;
        }
        at = formula.formulas.parts(at)[0];
    }
    matches!(formula.formulas.operator(at), Operator::Atom(_))
}
