//! Random machines and automata: this crate, the search on the fly and the textbook agree on
//! L, L_b and L_u, and every lasso runs on a real stack.

mod common;

use common::{Random, Runner, STACKS, automaton, check_lasso, go_on, machine, textbook};
use recurva_explicit::{
    Config,
    fair::{self, FairAnswer, FairSystem, fair_cycle},
};
use recurva_flat::{
    Acceptance, Analysis, Bound, Choice, LetterAutomaton, Marks, Product, ProductVertex, Stack,
};
use recurva_model::{
    Move, Moves, RecursiveSystem, Site,
    rsm::{Rsm, VertexId},
};

/// A machine with an automaton beside it, for the search on the fly: a vertex, a state, and
/// the marks of the letter just read.
struct Beside<'a> {
    rsm: &'a Rsm,
    acceptance: &'a Acceptance,
    automaton: &'a LetterAutomaton,
}

type State = (VertexId, u32, u32);

impl Beside<'_> {
    fn reading_marks(&self) -> u32 {
        self.automaton.marks().max(1)
    }

    /// Calls and returns are those of the machine.
    fn pass_on(state: u32, out: &mut Moves<State>, push: impl FnOnce(&mut Moves<VertexId>)) {
        let mut inner = Moves::default();
        push(&mut inner);
        for item in inner.drain() {
            match item {
                Move::Step(to) | Move::Refine(to) => out.step((to, state, 0)),
                Move::Call { entry, site } => out.call((entry, state, 0), site),
            }
        }
    }
}

impl RecursiveSystem for Beside<'_> {
    type State = State;

    fn initial(&self, out: &mut Moves<State>) {
        for &entry in self.rsm.init() {
            for &state in self.automaton.initial() {
                out.step((entry, state, 0));
            }
        }
    }

    fn moves(&self, &(vertex, state, _): &State, out: &mut Moves<State>) {
        let edges = self.rsm.edges_from(vertex);
        if edges.is_empty() {
            Self::pass_on(state, out, |inner| self.rsm.moves(&vertex, inner));
        }
        for arc in edges {
            let Some(letter) = arc.letter else {
                out.step((arc.to, state, 0));
                continue;
            };
            for edge in self.automaton.edges() {
                if edge.from == state && edge.letters.contains(letter) {
                    let marks = if self.automaton.marks() == 0 {
                        1
                    } else {
                        edge.marks.0
                    };
                    out.step((arc.to, edge.to, marks));
                }
            }
        }
    }

    fn is_exit(&self, state: &State) -> bool {
        self.rsm.is_exit(&state.0)
    }

    fn resume(&self, caller: &State, site: Site, exit: &State, out: &mut Moves<State>) {
        Self::pass_on(exit.1, out, |inner| {
            self.rsm.resume(&caller.0, site, &exit.0, inner);
        });
    }
}

impl FairSystem for Beside<'_> {
    fn acceptance(&self) -> fair::Marks {
        fair::Marks::all(self.acceptance.count() + self.reading_marks())
    }

    fn marks(&self, &(vertex, _, reading): &State) -> fair::Marks {
        fair::Marks(self.acceptance.marks(vertex).0 | reading << self.acceptance.count())
    }
}

fn on_the_fly(system: &Beside<'_>, stack: Stack) -> bool {
    let stack = match stack {
        Stack::Any => fair::Stack::Any,
        Stack::Bounded => fair::Stack::Finite,
        Stack::Unbounded => fair::Stack::Diverging,
    };
    let finished = fair_cycle(system, stack, &Config::default(), |_| {
        std::ops::ControlFlow::Continue(())
    });
    match finished.answer {
        FairAnswer::Found(_) => true,
        FairAnswer::Empty => false,
        FairAnswer::Unfinished(why) | FairAnswer::Stopped(why) => {
            panic!("no limit was set: {why:?}")
        }
    }
}

/// The moves of the machine behind those of the product: a run of the machine that reads a
/// letter in every turn, with the same stacks.
fn check_projection(rsm: &Rsm, product: &Product<'_>, lasso: &recurva_flat::Lasso<'_, '_>) {
    let none = Acceptance::every_run();
    let ProductVertex::At { vertex, .. } = product.position(lasso.stem().start()) else {
        panic!("a run begins at a vertex")
    };
    let mut runner = Runner::new(rsm, vertex);
    let stem = lasso.stem().moves();
    for item in product.project(stem.chain(lasso.turn().moves())) {
        runner.make(&item, &none);
    }
    let (letters, height) = (runner.letters, runner.stack.len());
    runner.lowest = height;
    for item in product.project(lasso.turn().moves()) {
        runner.make(&item, &none);
    }
    assert!(runner.letters > letters, "a turn reads a letter");
    assert_eq!(runner.stack.len() > height, lasso.diverges());
}

#[test]
fn three_ways_agree_and_lassos_run() {
    let mut found = [[0; 2]; 3];
    for seed in 0..10_000 {
        let random = &mut Random(seed);
        let (rsm, automaton) = (machine(random), automaton(random));
        let own = Acceptance::of(&rsm);
        let product = Product::new(&rsm, &own, &automaton).expect("a product");
        let choice = match seed % 3 {
            0 => Choice::Smaller,
            1 => Choice::Always(Bound::Entry),
            _ => Choice::Always(Bound::Exit),
        };
        let acceptance = &product.acceptance;
        let analysis =
            Analysis::with_choice(&product.rsm, acceptance, choice, go_on).expect("not stopped");
        let expected = textbook::runs_of_rsm(&rsm, Some(&automaton));
        let system = Beside {
            rsm: &rsm,
            acceptance: &own,
            automaton: &automaton,
        };
        for (index, stack) in STACKS.into_iter().enumerate() {
            let lasso = analysis.run(stack, go_on).expect("not stopped");
            let context = || format!("seed {seed}, {stack:?}: {rsm:?} {automaton:?}");
            assert_eq!(lasso.is_some(), expected[index], "textbook: {}", context());
            assert_eq!(
                on_the_fly(&system, stack),
                expected[index],
                "search: {}",
                context()
            );
            if let Some(lasso) = lasso {
                check_lasso(&product.rsm, acceptance, stack, &lasso);
                check_projection(&rsm, &product, &lasso);
            }
            found[index][usize::from(expected[index])] += 1;
        }
    }
    // The machines are worth something: each answer occurs often for each kind of stack.
    assert!(
        found.iter().flatten().all(|&count| count > 1_000),
        "{found:?}"
    );
}

/// Machines alone, with several marks on vertices; reachability and the summaries too.
#[test]
fn choices_of_bounds_give_the_same_answers() {
    for seed in 0..4_000 {
        let random = &mut Random(1_000_000 + seed);
        let rsm = machine(random);
        let mut acceptance = Acceptance::new(random.below(4) as u32);
        for vertex in rsm.vertices() {
            if random.below(3) == 0 {
                acceptance.mark(vertex, Marks::one(random.below(3) as u32));
            }
        }
        let analyses = [
            Choice::Smaller,
            Choice::Always(Bound::Entry),
            Choice::Always(Bound::Exit),
        ]
        .map(|choice| {
            Analysis::with_choice(&rsm, &acceptance, choice, go_on).expect("not stopped")
        });
        let [first, others @ ..] = &analyses;
        for other in others {
            for (from, to) in rsm
                .vertices()
                .flat_map(|u| rsm.vertices().map(move |v| (u, v)))
            {
                assert_eq!(first.summary(from, to), other.summary(from, to));
            }
            assert!(first.reachable().eq(other.reachable()));
        }
        for stack in STACKS {
            let answers = analyses.each_ref().map(|analysis| {
                let lasso = analysis.run(stack, go_on).expect("not stopped");
                if let Some(lasso) = &lasso {
                    check_lasso(&rsm, &acceptance, stack, lasso);
                }
                lasso.is_some()
            });
            assert!(answers == [answers[0]; 3], "seed {seed}");
        }
        for target in first.reachable() {
            let path = first.path_to(|vertex| vertex == target).expect("reachable");
            let mut runner = Runner::new(&rsm, path.start());
            path.moves()
                .for_each(|item| runner.make(&item, &acceptance));
            assert_eq!(runner.at, target);
        }
    }
}
