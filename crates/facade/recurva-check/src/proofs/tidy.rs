//! Formulas without what other parts of them say already: bounds that are not the tightest.

use std::collections::BTreeMap;

use recurva_certificate::{
    Builder, Formula, Proof,
    formula::{Node, Part},
};

/// A larger formula stays as it is: each of its conjuncts is looked at by itself, which takes too long.
pub(super) const LARGEST: usize = 5_000;

/// Between which numbers a term lies, and where the bounds stand.
#[derive(Default)]
struct Bounds {
    low: Option<(i128, usize)>,
    high: Option<(i128, usize)>,
    equal: Option<(i128, usize)>,
}

/// What a conjunct says of a term.
enum Says {
    AtLeast(i128),
    AtMost(i128),
    Equals(i128),
}

/// A proof that says the same in fewer words.
pub(super) fn tidied(proof: &Proof) -> Proof {
    let formulas = proof.formulas.iter();
    Proof {
        formulas: formulas.map(|(&point, it)| (point, tidy(it))).collect(),
    }
}

fn tidy(formula: &Formula) -> Formula {
    if formula.nodes().len() > LARGEST {
        return formula.clone();
    }
    let mut builder = Builder::default();
    let parts: Vec<Part> = formula
        .conjuncts()
        .iter()
        .map(|it| builder.copy(it))
        .collect();
    let mut bounds: BTreeMap<Part, Bounds> = BTreeMap::new();
    let mut is_bound = vec![false; parts.len()];
    for (place, &part) in parts.iter().enumerate() {
        let Some((term, says)) = bound(&builder, part) else {
            continue;
        };
        is_bound[place] = true;
        let known = bounds.entry(term).or_default();
        let tighter =
            |old: Option<(i128, usize)>, new: i128, is_tighter: fn(i128, i128) -> bool| match old {
                Some((number, _)) if !is_tighter(new, number) => old,
                _ => Some((new, place)),
            };
        match says {
            Says::AtLeast(number) => known.low = tighter(known.low, number, |new, old| new > old),
            Says::AtMost(number) => known.high = tighter(known.high, number, |new, old| new < old),
            Says::Equals(number) => {
                // Two of them contradict each other: both stay.
                if known.equal.is_some_and(|(old, _)| old != number) {
                    return formula.clone();
                }
                known.equal = Some((number, place));
            }
        }
    }
    let mut is_kept: Vec<bool> = is_bound.iter().map(|it| !it).collect();
    for known in bounds.values() {
        let fits = |number: i128| {
            known.low.is_none_or(|(low, _)| low <= number)
                && known.high.is_none_or(|(high, _)| number <= high)
        };
        let kept = match known.equal {
            Some((number, place)) if fits(number) => vec![place],
            Some((_, place)) => [known.low, known.high]
                .iter()
                .flatten()
                .map(|it| it.1)
                .chain([place])
                .collect(),
            None => [known.low, known.high]
                .iter()
                .flatten()
                .map(|it| it.1)
                .collect(),
        };
        for place in kept {
            is_kept[place] = true;
        }
    }
    let kept = parts.iter().zip(is_kept).filter(|it| it.1).map(|it| *it.0);
    let root = builder.and_all(kept.collect::<Vec<_>>());
    builder.finish(root)
}

/// The term that a conjunct bounds, and how.
fn bound(builder: &Builder, part: Part) -> Option<(Part, Says)> {
    let number = |part: Part| match builder.node(part) {
        Node::Int(number) => Some(number),
        _ => None,
    };
    let sides = |left: Part, right: Part| match (number(left), number(right)) {
        (None, Some(number)) => Some((left, number, true)),
        (Some(number), None) => Some((right, number, false)),
        _ => None,
    };
    match builder.node(part) {
        Node::Equal(left, right) => {
            let (term, number, _) = sides(left, right)?;
            Some((term, Says::Equals(number)))
        }
        Node::LessEqual(left, right) => {
            let (term, number, is_left) = sides(left, right)?;
            Some(match is_left {
                true => (term, Says::AtMost(number)),
                false => (term, Says::AtLeast(number)),
            })
        }
        Node::Less(left, right) => {
            let (term, number, is_left) = sides(left, right)?;
            Some(match is_left {
                true => (term, Says::AtMost(number.checked_sub(1)?)),
                false => (term, Says::AtLeast(number.checked_add(1)?)),
            })
        }
        Node::Not(inner) => {
            let (term, says) = match builder.node(inner) {
                Node::Less(..) | Node::LessEqual(..) => bound(builder, inner)?,
                _ => return None,
            };
            Some(match says {
                Says::AtMost(number) => (term, Says::AtLeast(number.checked_add(1)?)),
                Says::AtLeast(number) => (term, Says::AtMost(number.checked_sub(1)?)),
                Says::Equals(_) => return None,
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use recurva_certificate::formula::{Values, When};
    use recurva_model::VarRef;
    use recurva_testkit::rng::Rng;

    use super::*;

    struct Numbers([i128; 2]);

    impl Values for Numbers {
        fn value(&self, variable: VarRef, _: When, _: u64) -> Option<i128> {
            match variable {
                VarRef::Local(index) => Some(self.0[index as usize]),
                VarRef::Global(_) => None,
            }
        }

        fn is_bool(&self, _: VarRef) -> bool {
            false
        }
    }

    fn random(rng: &mut Rng) -> Formula {
        let mut builder = Builder::default();
        let mut parts = Vec::new();
        for _ in 0..rng.below(7) {
            let term = builder.variable(VarRef::Local(rng.below(2) as u32), When::Now);
            let number = builder.int(rng.below(7) as i128 - 3);
            let (left, right) = match rng.chance(50) {
                true => (term, number),
                false => (number, term),
            };
            let atom = match rng.below(3) {
                0 => builder.less(left, right),
                1 => builder.less_equal(left, right),
                _ => builder.equal(left, right),
            };
            parts.push(match rng.chance(30) {
                true => builder.not(atom),
                false => atom,
            });
        }
        let root = builder.and_all(parts);
        builder.finish(root)
    }

    #[test]
    fn the_same_is_said_in_fewer_words() {
        let mut rng = Rng::new(7);
        for _ in 0..5000 {
            let formula = random(&mut rng);
            let tidied = tidy(&formula);
            assert!(tidied.nodes().len() <= formula.nodes().len());
            for a in -5..=5 {
                for b in -5..=5 {
                    let values = Numbers([a, b]);
                    assert_eq!(tidied.holds(&values), formula.holds(&values));
                }
            }
        }
    }
}
