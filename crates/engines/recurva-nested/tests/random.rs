//! Random machines and formulas: all ways to the answer agree.

mod common;
mod growing;

use common::holds;
use growing::{Grower, Random, random_formula, random_machine};
use recurva_logic::ntmu::{Formula, Formulas};
use recurva_model::nsm::StateId;
use recurva_nested::bounded::{self, Summary};

#[test]
fn the_engines_agree_with_and_without_the_quotient() {
    let random = &mut Random(11);
    let (mut true_ones, mut smaller) = (0, 0);
    for _ in 0..20_000 {
        let machine = random_machine(random);
        let formula = random_formula(random);
        true_ones += usize::from(holds(&machine, &formula));
        let labels = |state: StateId| machine.state(state).propositions.len() as u64;
        smaller +=
            usize::from(machine.quotient(labels).nsm.states().len() < machine.states().len());
    }
    // Neither is the answer always the same nor the quotient always the machine.
    assert!((5_000..15_000).contains(&true_ones), "{true_ones}");
    assert!(smaller > 500, "{smaller}");
}

#[test]
fn negations_and_what_is_printed_agree() {
    let random = &mut Random(12);
    for _ in 0..1_000 {
        let machine = random_machine(random);
        let formula = random_formula(random);
        let holds_here = holds(&machine, &formula);
        let printed = common::formula(&formula.to_string());
        assert_eq!(holds(&machine, &printed), holds_here, "{formula}");
        assert_ne!(
            holds(&machine, &formula.clone().negation()),
            holds_here,
            "{formula}"
        );
    }
}

#[test]
fn no_random_formula_with_one_colour_tells_the_trees_apart() {
    let (s, t) = (
        common::machine(&common::figure_3_7("s1 -> c")),
        common::machine(&common::figure_3_7("")),
    );
    let random = &mut Random(13);
    for _ in 0..5_000 {
        let mut grower = Grower {
            random,
            formulas: Formulas::new(),
            bound: Vec::new(),
            kinds: Vec::new(),
            arity: 1,
        };
        // A call first: nothing else can be seen at the root.
        let size = 3 + grower.random.below(8);
        let (body, back) = (grower.grow(size, 1), grower.grow(1, 0));
        let modality = grower.random.modality();
        let root = grower.formulas.call(modality, body, &[back]);
        let formula = Formula::new(grower.formulas, root).expect("it is closed");
        assert_eq!(holds(&s, &formula), holds(&t, &formula), "{formula}");
    }
}

/// Proposition 2: a summary that satisfies a formula still does if a colour is given to more
/// return states.
#[test]
fn more_colours_do_no_harm() {
    let random = &mut Random(14);
    let mut grown = 0;
    for _ in 0..1_000 {
        let machine = random_machine(random);
        let mut grower = Grower {
            random,
            formulas: Formulas::new(),
            bound: Vec::new(),
            kinds: Vec::new(),
            arity: 1,
        };
        let size = 2 + grower.random.below(8);
        let open = grower.grow(size, 1);
        let mut formulas = grower.formulas;
        let truth = formulas.constant(true);
        let satisfying = |id| {
            let found = bounded::summaries(&machine, &formulas, id, 1);
            found.expect("all propositions are known")
        };
        let (all, found) = (satisfying(truth), satisfying(open));
        for summary in &found {
            let alike =
                |other: &&Summary| (other.state, other.pending) == (summary.state, summary.pending);
            for other in all.iter().filter(alike) {
                let less = &summary.colours[0];
                if less.iter().all(|exit| other.colours[0].contains(exit)) {
                    assert!(found.contains(other), "{}", formulas.show(open));
                    grown += usize::from(other != summary);
                }
            }
        }
    }
    assert!(grown > 1_000, "{grown}");
}
