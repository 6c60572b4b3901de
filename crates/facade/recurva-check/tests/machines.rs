//! Flat machines: the same vertices are reachable whichever way a machine is searched.
//!
//! On thousands of random machines and pushdown systems these agree: the search on the
//! machine itself, checks of the program made from it (every counterexample replayed), a
//! textbook saturation of the pushdown system made from it, and all of that again after a
//! round trip.

#[path = "machines/random.rs"]
mod random;
#[path = "machines/saturation.rs"]
mod saturation;

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_check::{Options, Property, Verdict, check};
use recurva_explicit::{Answer, Config, reach};
use recurva_lang::{pds, rsm};
use recurva_model::{
    Pds, Program, Rsm,
    pds::{Head, Heads, Position, RsmOfPds},
    rsm::{Letters, VertexId},
};
use recurva_syntax::Source;
use saturation::post_star;

/// The vertices reached by the search on the machine itself.
fn searched(rsm: &Rsm) -> BTreeSet<VertexId> {
    let mut found = BTreeSet::new();
    let note = |&vertex: &VertexId| {
        found.insert(vertex);
        false
    };
    let finished = reach(rsm, &Config::default(), note, |_| ControlFlow::Continue(()));
    assert!(matches!(finished.answer, Answer::Unreachable));
    found
}

/// The heads that the reached vertices of a translated system stand for.
fn searched_heads(machine: &RsmOfPds) -> BTreeSet<Head> {
    let reached = searched(&machine.rsm);
    let heads = reached.iter().filter_map(|&v| match machine.position(v) {
        Position::Head(head) => Some(head),
        Position::Popped(_) => None,
    });
    let heads: BTreeSet<Head> = heads.collect();
    // All positions of a head stand for the same configuration, and the node is the last.
    for &head in &heads {
        let node = machine.vertex(head).expect("a vertex has a head's node");
        assert!(reached.contains(&node));
    }
    heads
}

fn is_reachable(program: &Program, label: &str) -> bool {
    let property = Property::label(program, label).expect("every vertex has its label");
    let outcome = check(program, &property, &Options::default(), &mut ()).expect("it replays");
    match outcome.verdict {
        Verdict::Holds => false,
        Verdict::Violated => true,
        Verdict::Unknown(limit) => panic!("no limit was set: {limit:?}"),
    }
}

#[test]
fn machines_programs_and_pushdown_systems_reach_the_same_vertices() {
    let (mut reached_some, mut recursive) = (0, 0);
    for seed in 0..2_000 {
        let machine = random::machine(seed);
        let truth = searched(&machine);
        reached_some += usize::from(truth.len() > 3);
        recursive += usize::from(
            truth
                .iter()
                .any(|&v| machine.name(v).matches('.').count() == 2),
        );

        let translated = machine.to_program(Letters::Dropped);
        for vertex in machine.vertices() {
            assert_eq!(translated.vertex(translated.point(vertex)), Some(vertex));
            let name = machine.name(vertex);
            let found = is_reachable(&translated.program, &name);
            assert_eq!(found, truth.contains(&vertex), "seed {seed}: {name}");
        }
        let accepting = Property::accepting(&translated.program);
        let outcome = check(
            &translated.program,
            &accepting,
            &Options::default(),
            &mut (),
        );
        let violated = outcome.expect("it replays").is_violated();
        let expected = machine.accept().iter().any(|v| truth.contains(v));
        assert_eq!(violated, expected, "seed {seed}");

        let system = machine.to_pds();
        let saturated = post_star(&system.pds);
        for vertex in machine.vertices() {
            let found = saturated.heads.contains(&system.head(vertex));
            assert_eq!(found, truth.contains(&vertex), "seed {seed}");
        }
        round_trip(&system.pds, seed);
        same_text(&machine, seed);
    }
    assert!(
        reached_some > 1_000 && recursive > 700,
        "{reached_some}, {recursive}"
    );
}

#[test]
fn pushdown_systems_and_machines_reach_the_same_heads() {
    let mut uncovered = 0;
    for seed in 0..2_000 {
        let system = random::system(seed);
        round_trip(&system, seed);
        let saturated = post_star(&system);
        let translated = system.to_program(Letters::Dropped);
        for &control in &[0, 1, 2].map(recurva_model::pds::Control) {
            let name = system.control(control);
            let expected = saturated.controls.contains(&control);
            let exists = translated.program.labels().iter().any(|l| &*l.name == name);
            let found = exists && is_reachable(&translated.program, name);
            assert_eq!(found, expected, "seed {seed}: location {name}");
        }
        for &head in &saturated.heads {
            let name = format!(
                "{}.{}",
                system.control(head.control),
                system.symbol(head.symbol)
            );
            assert!(
                is_reachable(&translated.program, &name),
                "seed {seed}: {name}"
            );
            let mentioned = system.to_rsm(Heads::Mentioned).vertex(head).is_some();
            uncovered += usize::from(!mentioned);
        }
    }
    assert!(uncovered > 30, "{uncovered}");
}

/// From a system to a machine and back.
fn round_trip(system: &Pds, seed: u64) {
    let truth = post_star(system).heads;
    let machine = system.to_rsm(Heads::Possible);
    assert_eq!(searched_heads(&machine), truth, "seed {seed}");
    let again = machine.rsm.to_pds();
    let saturated = post_star(&again.pds).heads;
    for &head in &truth {
        let vertex = machine.vertex(head).expect("all heads are vertices");
        assert!(saturated.contains(&again.head(vertex)), "seed {seed}");
    }
    for vertex in machine.rsm.vertices() {
        if let Position::Head(head) = machine.position(vertex)
            && saturated.contains(&again.head(vertex))
        {
            assert!(truth.contains(&head), "seed {seed}");
        }
    }
    // With mentioned heads only, those are right, and the size is linear.
    let machine = system.to_rsm(Heads::Mentioned);
    let heads = searched_heads(&machine);
    let mentioned = truth.iter().filter(|&&head| machine.vertex(head).is_some());
    assert_eq!(heads, mentioned.copied().collect(), "seed {seed}");
    let size = machine.rsm.len() + machine.rsm.edges().len();
    let rules = system.rules().len() + system.parts().accept.len() + 1;
    assert!(size <= 12 * rules, "{size} for {rules} rules");
    let accepting = |&head: &Head| system.is_accepting(head);
    let found = machine
        .rsm
        .accept()
        .iter()
        .filter(|v| matches!(machine.position(**v), Position::Head(h) if accepting(&h)));
    let controls = machine.rsm.accept().len() - found.count();
    assert!(controls <= system.parts().controls.len());
}

/// A machine survives being written and read.
fn same_text(machine: &Rsm, seed: u64) {
    let text = rsm::write(machine);
    let source = Source::new("random.rsm", &*text).expect("a short text");
    let again = rsm::parse(&source).rsm.expect("it is written well");
    assert_eq!(rsm::write(&again), text, "seed {seed}");
    assert_eq!(searched(&again).len(), searched(machine).len());
    let system = machine.to_pds().pds;
    let text = pds::write(&system);
    let source = Source::new("random.pds", &*text).expect("a short text");
    let again = pds::parse(&source).pds.expect("it is written well");
    assert_eq!(again.rules().len(), system.rules().len());
    assert_eq!(pds::write(&again), text, "seed {seed}");
}
