//! Machines with many entries and exits, with runs of exponential length, and with many
//! vertices; and work that is stopped.

mod common;

use std::ops::ControlFlow;

use common::{Random, Runner, STACKS, check_lasso, go_on};
use recurva_explicit::{
    Config,
    fair::{self, FairAnswer, FairSystem, fair_cycle},
};
use recurva_flat::{Acceptance, Analysis, Bound, Choice, Marks, Stack, Stopped};
use recurva_model::{
    Moves, Origin, RecursiveSystem, Site,
    rsm::{
        Component, ComponentId, Place, Role, Rsm, RsmBox, RsmEdge, RsmNode, RsmParts, Vertex,
        VertexId,
    },
};

const ORIGIN: Origin = Origin { start: 0, end: 0 };

fn component(name: usize, roles: &[Role], boxes: &[u32], edges: &[(Vertex, Vertex)]) -> Component {
    Component {
        name: format!("A{name}").into(),
        nodes: (roles.iter().enumerate())
            .map(|(number, &role)| RsmNode {
                name: format!("n{number}").into(),
                role,
                origin: ORIGIN,
            })
            .collect(),
        boxes: (boxes.iter().enumerate())
            .map(|(number, &callee)| RsmBox {
                name: format!("b{number}").into(),
                component: ComponentId(callee),
                origin: ORIGIN,
            })
            .collect(),
        edges: (edges.iter())
            .map(|&(from, to)| RsmEdge {
                from,
                to,
                letter: None,
                origin: ORIGIN,
            })
            .collect(),
        labels: Vec::new(),
        origin: ORIGIN,
    }
}

fn machine(components: Vec<Component>) -> Rsm {
    let init = vec![Place {
        component: ComponentId(0),
        vertex: Vertex::Node(0),
    }];
    Rsm::new(RsmParts {
        components,
        init,
        ..RsmParts::default()
    })
    .expect("a machine")
}

fn port(in_box: u32, node: u32) -> Vertex {
    Vertex::Port { in_box, node }
}

/// Components that each call the next one twice; the last one goes straight through. The
/// first goes round.
fn levels(count: usize) -> Rsm {
    let roles = [Role::Entry, Role::Exit, Role::Inner];
    let [entry, exit, inner] = [0, 1, 2].map(Vertex::Node);
    let components = (0..count).map(|level| {
        if level + 1 == count {
            return component(level, &roles, &[], &[(entry, inner), (inner, exit)]);
        }
        let next = level as u32 + 1;
        let mut edges = vec![
            (entry, inner),
            (inner, port(0, 0)),
            (port(0, 1), port(1, 0)),
            (port(1, 1), exit),
        ];
        if level == 0 {
            edges.push((port(1, 1), inner));
        }
        component(level, &roles, &[next, next], &edges)
    });
    machine(components.collect())
}

#[test]
fn runs_of_exponential_length_are_spelled_out_lazily() {
    // The mark is at the bottom: to pass it once the turn goes all the way down.
    let marked = |rsm: &Rsm, level: u32| {
        let mut acceptance = Acceptance::new(1);
        let first = rsm.vertices_of(ComponentId(level)).start;
        acceptance.mark(VertexId(first + 2), Marks::one(0));
        acceptance
    };
    for depth in [2, 3, 10] {
        let rsm = levels(depth);
        let acceptance = marked(&rsm, depth as u32 - 1);
        let analysis = Analysis::new(&rsm, &acceptance, go_on).expect("not stopped");
        let lasso = analysis.run(Stack::Any, go_on).expect("not stopped");
        let lasso = lasso.expect("the first component goes round");
        check_lasso(&rsm, &acceptance, Stack::Any, &lasso);
        // Moves inside an invocation at the bottom: 2; above: 4 steps and two calls with
        // their returns. The turn has 3 steps, two calls and two returns, and at its end one
        // more step instead of two.
        let mut body = 2;
        for _ in 0..depth - 2 {
            body = 4 + 2 * (body + 2);
        }
        assert_eq!(lasso.turn().moves().count(), 3 + 2 * (body + 2));
    }
    let rsm = levels(4_000);
    let acceptance = marked(&rsm, 3_999);
    let analysis = Analysis::new(&rsm, &acceptance, go_on).expect("not stopped");
    let lasso = analysis.run(Stack::Bounded, go_on).expect("not stopped");
    let lasso = lasso.expect("the first component goes round");
    assert!(lasso.turn().outline().count() < 10);
    let mut runner = Runner::new(&rsm, lasso.stem().start());
    let moves = lasso.stem().moves().chain(lasso.turn().moves());
    for item in moves.take(100_000) {
        runner.make(&item, &acceptance);
    }
    assert!(runner.seen.contains(Marks::one(0)));
}

/// The shortest way through a component leads through a call of itself: its body must be the
/// longer way.
#[test]
fn a_body_does_not_use_itself() {
    let [entry, exit, first, second, third] = [0, 1, 2, 3, 4].map(Vertex::Node);
    let roles = [
        Role::Entry,
        Role::Exit,
        Role::Inner,
        Role::Inner,
        Role::Inner,
    ];
    let recursive = component(
        1,
        &roles,
        &[1],
        &[
            (entry, port(0, 0)),
            (port(0, 1), exit),
            (entry, first),
            (first, second),
            (second, third),
            (third, exit),
        ],
    );
    let main = component(
        0,
        &[Role::Entry, Role::Exit],
        &[1],
        &[(entry, port(0, 0)), (port(0, 1), exit)],
    );
    let rsm = machine(vec![main, recursive]);
    for acceptance in [Acceptance::every_run(), Acceptance::new(1)] {
        let mut acceptance = acceptance;
        let inner = rsm.vertices_of(ComponentId(1)).start + 2;
        acceptance.mark(VertexId(inner), Marks::one(0));
        let analysis = Analysis::new(&rsm, &acceptance, go_on).expect("not stopped");
        let path = analysis.path_to(|vertex| vertex == VertexId(1));
        let path = path.expect("the exit of main is reachable");
        // To the port, the call, four steps, the return, and a step.
        assert_eq!(path.moves().take(1_000).count(), 8);
    }
}

/// A machine whose components have so many entries and exits that a row needs several words.
fn wide(random: &mut Random) -> Rsm {
    let count = 1 + random.below(3);
    let sizes: Vec<(usize, usize)> = (0..count)
        .map(|_| (1 + random.below(150), random.below(150)))
        .collect();
    let components = (0..count).map(|index| {
        let (entries, exits) = sizes[index];
        let inner = 1 + random.below(4);
        let mut roles = vec![Role::Entry; entries];
        roles.extend(vec![Role::Exit; exits]);
        roles.extend(vec![Role::Inner; inner]);
        let boxes: Vec<u32> = (0..random.below(4))
            .map(|_| random.below(count) as u32)
            .collect();
        let pick = |random: &mut Random, from: usize, number: usize| {
            Vertex::Node((from + random.below(number)) as u32)
        };
        let mut edges = Vec::new();
        let most = 2 * (entries + exits);
        for _ in 0..most / 2 + random.below(most) {
            let out = boxes.get(random.below(boxes.len() + 1));
            let from = match out {
                Some(&callee) if sizes[callee as usize].1 > 0 => {
                    let (entries, exits) = sizes[callee as usize];
                    let in_box = boxes.iter().position(|&b| b == callee).unwrap_or(0) as u32;
                    port(in_box, (entries + random.below(exits)) as u32)
                }
                _ if random.below(3) == 0 => pick(random, entries + exits, inner),
                _ => pick(random, 0, entries),
            };
            let number = random.below(boxes.len() + 1);
            let to = match boxes.get(number) {
                Some(&callee) => {
                    let entries = sizes[callee as usize].0;
                    port(number as u32, random.below(entries) as u32)
                }
                _ if exits > 0 && random.below(3) > 0 => pick(random, entries, exits),
                _ => pick(random, entries + exits, inner),
            };
            edges.push((from, to));
        }
        component(index, &roles, &boxes, &edges)
    });
    machine(components.collect())
}

/// A machine with marks, for the search on the fly.
struct Marked<'a>(&'a Rsm, &'a Acceptance);

impl RecursiveSystem for Marked<'_> {
    type State = VertexId;

    fn initial(&self, out: &mut Moves<VertexId>) {
        self.0.initial(out);
    }

    fn moves(&self, vertex: &VertexId, out: &mut Moves<VertexId>) {
        self.0.moves(vertex, out);
    }

    fn is_exit(&self, vertex: &VertexId) -> bool {
        self.0.is_exit(vertex)
    }

    fn resume(&self, caller: &VertexId, site: Site, exit: &VertexId, out: &mut Moves<VertexId>) {
        self.0.resume(caller, site, exit, out);
    }
}

impl FairSystem for Marked<'_> {
    fn acceptance(&self) -> fair::Marks {
        fair::Marks(self.1.all().0)
    }

    fn marks(&self, vertex: &VertexId) -> fair::Marks {
        fair::Marks(self.1.marks(*vertex).0)
    }
}

#[test]
fn rows_of_several_words() {
    let mut found = [0; 2];
    for seed in 0..150 {
        let random = &mut Random(seed);
        let rsm = wide(random);
        let mut acceptance = Acceptance::new(random.below(3) as u32);
        for vertex in rsm.vertices() {
            if random.below(20) == 0 {
                acceptance.mark(vertex, Marks::one(random.below(2) as u32));
            }
        }
        let choices = [
            Choice::Smaller,
            Choice::Always(Bound::Entry),
            Choice::Always(Bound::Exit),
        ];
        for (stack, fair_stack) in STACKS.into_iter().zip([
            fair::Stack::Any,
            fair::Stack::Finite,
            fair::Stack::Diverging,
        ]) {
            let finished = fair_cycle(
                &Marked(&rsm, &acceptance),
                fair_stack,
                &Config::default(),
                |_| ControlFlow::Continue(()),
            );
            let expected = matches!(finished.answer, FairAnswer::Found(_));
            found[usize::from(expected)] += 1;
            for choice in choices {
                let analysis =
                    Analysis::with_choice(&rsm, &acceptance, choice, go_on).expect("not stopped");
                let lasso = analysis.run(stack, go_on).expect("not stopped");
                assert_eq!(
                    lasso.is_some(),
                    expected,
                    "seed {seed}, {stack:?}, {choice:?}"
                );
                if let Some(lasso) = lasso {
                    check_lasso(&rsm, &acceptance, stack, &lasso);
                }
            }
        }
    }
    assert!(found.iter().all(|&count| count > 50), "{found:?}");
}

#[test]
fn work_can_be_stopped() {
    let rsm = levels(20_000);
    let acceptance = Acceptance::every_run();
    let stop = |_: &_| ControlFlow::Break(());
    assert_eq!(Analysis::new(&rsm, &acceptance, stop).err(), Some(Stopped));
    let mut last = 0;
    let analysis = Analysis::new(&rsm, &acceptance, |progress| {
        assert!(progress.work > last);
        last = progress.work;
        ControlFlow::Continue(())
    })
    .expect("not stopped");
    assert!(last > 0);
    assert_eq!(analysis.run(Stack::Bounded, stop).err(), Some(Stopped));
}

/// The work grows with the size of a machine, not with its square, however it is chained.
#[test]
fn work_is_linear_for_one_entry_and_one_exit() {
    let work = |count| {
        let rsm = levels(count);
        let analysis = Analysis::new(&rsm, &Acceptance::every_run(), go_on);
        analysis.expect("not stopped").progress().work as f64
    };
    let ratio = work(40_000) / work(20_000);
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
}
