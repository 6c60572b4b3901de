//! The checker of proofs accepts nothing wrong.

mod common;
mod growing;

use std::ops::ControlFlow;

use common::{FOO, formula, machine};
use growing::{Random, random_formula, random_machine};
use recurva_logic::ntmu::{Formula, Operator};
use recurva_model::nsm::{Nsm, NsmParts, PropositionId};
use recurva_nested::{
    Options,
    proof::{Claim, ClaimId, ColoursId, Proof, Reason},
    prove,
};

fn proof(machine: &Nsm, formula: &Formula) -> Option<Proof> {
    let go_on = |_: &_| ControlFlow::Continue(());
    let (outcome, proof) =
        prove(machine, formula, &Options::default(), go_on).expect("it is small");
    assert_eq!(outcome.holds, proof.is_some());
    proof
}

/// A claim that a fixpoint holds at a state because it holds there.
fn circle(text: &str) -> Result<(), String> {
    let machine = machine("local a\ninit a\na -> a");
    let formula = formula(text);
    let formulas = formula.formulas();
    let root = formula.root();
    let body = formulas.parts(root)[0];
    let variable = formulas.parts(body)[0];
    assert!(matches!(formulas.operator(variable), Operator::Variable(_)));
    let claim = |formula, next| Claim {
        formula,
        state: machine.init(),
        pending: None,
        colours: ColoursId(0),
        reason: Reason::Claims(vec![ClaimId(next)]),
    };
    let proof = Proof {
        claims: vec![claim(root, 1), claim(body, 2), claim(variable, 0)],
        colours: vec![Vec::new()],
    };
    let checked = proof.check(&machine, &formula);
    checked.map_err(|flaw| flaw.to_string())
}

#[test]
fn circles_are_sound_in_greatest_fixpoints_only() {
    assert_eq!(circle("nu X. <loc> X"), Ok(()));
    assert_eq!(circle("nu X. [loc] X"), Ok(()));
    let flaw = "claim 0 does not follow: it rests on itself in a least fixpoint";
    assert_eq!(circle("mu X. <loc> X"), Err(flaw.to_owned()));
    assert_eq!(circle("mu X. [loc] X"), Err(flaw.to_owned()));
}

#[test]
fn a_proof_does_not_survive_the_loss_of_a_piece() {
    let machine = machine(FOO);
    for text in [
        "AG(en -> [jump] ex)",
        "EF(en & EF_l rd)",
        "<jump> ex | EF tk",
        "AG_l (wr | en | tk | rd | end | ex)",
    ] {
        let formula = formula(text);
        let proof = proof(&machine, &formula).expect("it holds");
        proof.check(&machine, &formula).expect("it is a proof");
        for index in 0..proof.claims.len() {
            let mut broken = proof.clone();
            let reason = &mut broken.claims[index].reason;
            match reason {
                Reason::Seen => continue,
                Reason::Claims(list) => list.truncate(list.len() - 1),
                Reason::Returns(list) => list.clear(),
                Reason::Calls(list) => list.truncate(list.len() - 1),
            }
            // What is said of all moves may need nothing else where there are none.
            if broken.claims[index].reason.claims().is_empty()
                && matches!(broken.claims[index].reason, Reason::Returns(_))
            {
                continue;
            }
            let checked = broken.check(&machine, &formula);
            assert!(checked.is_err(), "{text}: claim {index}");
        }
        let mut nothing = proof.clone();
        nothing.claims.clear();
        assert!(nothing.check(&machine, &formula).is_err());
    }
}

/// The machine with one thing changed.
fn changed(machine: &Nsm, random: &mut Random) -> Nsm {
    let mut parts: NsmParts = machine.clone().into_parts();
    let lists = [
        parts.locals.len(),
        parts.calls.len(),
        parts.returns.len(),
        parts.states.len(),
    ];
    match random.below(4) {
        0 if lists[0] > 0 => {
            parts.locals.swap_remove(random.below(lists[0]));
        }
        1 if lists[1] > 0 => {
            parts.calls.swap_remove(random.below(lists[1]));
        }
        2 if lists[2] > 0 => {
            parts.returns.swap_remove(random.below(lists[2]));
        }
        _ => {
            let own = &mut parts.states[random.below(lists[3])].propositions;
            let which = PropositionId(random.below(2) as u32);
            match own.contains(&which) {
                true => own.retain(|&other| other != which),
                false => own.push(which),
            }
        }
    }
    Nsm::new(parts).expect("less of what fits")
}

#[test]
fn proofs_for_other_machines_are_refused() {
    let random = &mut Random(21);
    let (mut refused, mut good) = (0, 0);
    for _ in 0..40_000 {
        let machine = random_machine(random);
        let formula = random_formula(random);
        let mut other = changed(&machine, random);
        for _ in 0..random.below(4) {
            other = changed(&other, random);
        }
        let Some(proof) = proof(&machine, &formula) else {
            continue;
        };
        let go_on = |_: &_| ControlFlow::Continue(());
        let outcome = recurva_nested::check(&other, &formula, &Options::default(), go_on);
        let holds = outcome.expect("it is small").holds;
        match proof.check(&other, &formula) {
            Ok(()) => {
                assert!(holds, "{formula}");
                good += 1;
            }
            Err(_) => refused += usize::from(!holds),
        }
    }
    assert!(refused > 500 && good > 1_000, "{refused} {good}");
}
