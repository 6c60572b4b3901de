//! Random programs: a proof that no unreachable node is reached, whenever it is so, and the checker
//! accepts it; and none of anything that is reached.

use std::{collections::BTreeSet, ops::ControlFlow, ops::Range};

use recurva_certificate::check::{EmbeddedJudge, check};
use recurva_lang::bp;
use recurva_model::{NodeId, Point, ProcId, Program};
use recurva_states::{Config, Limit, Outcome, prove};
use recurva_syntax::Source;
use recurva_testkit::{
    generate::{self, generate},
    oracle,
};

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("a well-formed program")
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn nodes(program: &Program) -> BTreeSet<Point> {
    let procedures = (0..).map(ProcId).zip(program.procedures());
    procedures
        .flat_map(|(procedure, it)| {
            let nodes = (0..it.nodes.len() as u32).map(NodeId);
            nodes.map(move |node| Point { procedure, node })
        })
        .collect()
}

/// Proves of all nodes that are not reached that they are not; how many proofs have more than `true` to
/// say at some node.
fn compare(seeds: Range<u64>, config: &generate::Config) -> usize {
    let mut telling = 0;
    for seed in seeds {
        let text = generate(seed, config);
        let program = parse(&text);
        let facts = oracle::reachable(&program, &oracle::Limits::default()).expect("small");
        let unreached: Vec<Point> = nodes(&program).difference(&facts.nodes).copied().collect();
        let outcome = prove(&program, &unreached, &Config::default(), &mut go_on);
        let proof = match outcome {
            Outcome::Proof(proof) => proof,
            // It has so many states.
            Outcome::TooLarge(Limit::PathEdges) if facts.path_edges > 5_000 => continue,
            outcome => panic!("{outcome:?}, {} path edges\n{text}", facts.path_edges),
        };
        let mut judge = EmbeddedJudge::default();
        let checked = check(&program, &unreached, &proof, &mut judge, &mut go_on);
        if let Err(rejected) = checked {
            panic!(
                "{}\n{rejected:?}\n{text}",
                rejected.obligation.describe(&program)
            );
        }
        let says = |it: &recurva_certificate::Formula| !it.is_truth() && !it.is_falsity();
        telling += usize::from(proof.formulas.values().any(says));
        // Each node that is reached is in the way of a proof.
        for &point in facts.nodes.iter().step_by(5) {
            let outcome = prove(&program, &[point], &Config::default(), &mut go_on);
            assert_eq!(outcome, Outcome::Reachable, "{point:?}\n{text}");
        }
    }
    telling
}

fn in_parallel(seeds: u64, config: &generate::Config) -> usize {
    std::thread::scope(|scope| {
        let half = seeds / 2;
        let parts = [0..half, half..seeds].map(|it| scope.spawn(|| compare(it, config)));
        parts
            .into_iter()
            .map(|it| it.join().expect("no panic"))
            .sum()
    })
}

#[test]
fn what_is_not_reached_is_proved_not_to_be() {
    let telling = in_parallel(1000, &generate::Config::default());
    assert!(telling > 300, "{telling}");
}

#[test]
fn with_arrays_and_more_data() {
    let config = generate::Config {
        bits: 4,
        procedures: 3,
        globals: 3,
        integers: 60,
        arrays: 60,
        statements: 5,
        ..generate::Config::default()
    };
    let telling = in_parallel(400, &config);
    assert!(telling > 150, "{telling}");
}
