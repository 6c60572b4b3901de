//! There and back between machines and pushdown systems: L, L_b and L_u stay empty or not.
//! The R-graph of the resource-constrained paper is asked as well.

mod common;

use common::{Random, STACKS, machine, pushdown, runs, textbook};
use recurva_flat::{
    Acceptance,
    resource::{Erase, RGraph},
};
use recurva_model::pds::{Heads, Pds};

fn by_r_graph(pds: &Pds) -> [bool; 3] {
    let graph = RGraph::new(pds, &Erase::new(pds));
    STACKS.map(|stack| graph.has_run(stack))
}

#[test]
fn from_machines() {
    let mut found = [[0; 2]; 3];
    for seed in 0..5_000 {
        let rsm = machine(&mut Random(seed));
        let expected = runs(&rsm, &Acceptance::of(&rsm));
        let pds = rsm.to_pds().pds;
        assert_eq!(by_r_graph(&pds), expected, "seed {seed}: {rsm:?}");
        assert_eq!(textbook::runs(&pds, None), expected, "seed {seed}: {rsm:?}");
        for heads in [Heads::Mentioned, Heads::Possible] {
            let back = pds.to_rsm(heads).rsm;
            let answers = runs(&back, &Acceptance::of(&back));
            assert_eq!(answers, expected, "seed {seed}: {rsm:?}");
        }
        (0..3).for_each(|stack| found[stack][usize::from(expected[stack])] += 1);
    }
    let often = found.iter().flatten().all(|&count| count > 500);
    assert!(often, "{found:?}");
}

#[test]
fn from_pushdown_systems() {
    let mut found = [[0; 2]; 3];
    for seed in 0..10_000 {
        let pds = pushdown(&mut Random(seed));
        let expected = textbook::runs(&pds, None);
        assert_eq!(by_r_graph(&pds), expected, "seed {seed}: {pds:?}");
        for heads in [Heads::Mentioned, Heads::Possible] {
            let rsm = pds.to_rsm(heads).rsm;
            let answers = runs(&rsm, &Acceptance::of(&rsm));
            assert_eq!(answers, expected, "seed {seed}: {pds:?}");
            let back = rsm.to_pds().pds;
            assert_eq!(by_r_graph(&back), expected, "seed {seed}: {pds:?}");
        }
        (0..3).for_each(|stack| found[stack][usize::from(expected[stack])] += 1);
    }
    let often = found.iter().flatten().all(|&count| count > 500);
    assert!(often, "{found:?}");
}
