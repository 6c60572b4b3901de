//! Operations on automata and relations against enumeration of short words.

mod support;

use recurva_regular::{Dfa, Letter, Nfa, Relation, pair, zip};
use recurva_testkit::rng::Rng;
use support::{free, random, random_relation, words};

const CASES: u64 = 1500;
const LENGTH: usize = 4;

fn all_words(letters: u32) -> Vec<Vec<Letter>> {
    (0..=LENGTH)
        .flat_map(|length| words(letters, length))
        .collect()
}

#[test]
fn sets_are_as_enumeration_says() {
    let list = all_words(3);
    for seed in 0..CASES {
        let mut rng = Rng::new(seed);
        let (n, m) = (1 + rng.below(4), 1 + rng.below(4));
        let a = random(&mut rng, &[0, 1, 2], n, 2 * n);
        let b = random(&mut rng, &[0, 1, 2], m, 2 * m);
        let meter = &mut free();
        let (da, db) = (a.determinise(meter).unwrap(), b.determinise(meter).unwrap());
        let union = a.union(&b).determinise(meter).unwrap();
        assert_eq!(union, da.union(&db, meter).unwrap(), "seed {seed}");
        let both = a.intersect(&b, meter).unwrap().determinise(meter).unwrap();
        assert_eq!(both, da.intersect(&db, meter).unwrap(), "seed {seed}");
        let minus = da.minus(&db, meter).unwrap();
        let not = da.complement(3, meter).unwrap();
        let mirror = da.reversed(meter).unwrap();
        let concat = a.concat(&b);
        let (star, plus) = (a.star(), a.plus());
        assert_eq!(plus.states(), a.states(), "seed {seed}");
        for word in &list {
            let (x, y) = (a.accepts(word), b.accepts(word));
            assert_eq!(da.accepts(word), x, "seed {seed}: {word:?}");
            assert_eq!(union.accepts(word), x || y, "seed {seed}: {word:?}");
            assert_eq!(both.accepts(word), x && y, "seed {seed}: {word:?}");
            assert_eq!(minus.accepts(word), x && !y, "seed {seed}: {word:?}");
            assert_eq!(not.accepts(word), !x, "seed {seed}: {word:?}");
            let back: Vec<Letter> = word.iter().rev().copied().collect();
            assert_eq!(mirror.accepts(&back), x, "seed {seed}: {word:?}");
            let splits =
                (0..=word.len()).any(|at| a.accepts(&word[..at]) && b.accepts(&word[at..]));
            assert_eq!(concat.accepts(word), splits, "seed {seed}: {word:?}");
            let many = in_star(&a, word);
            assert_eq!(star.accepts(word), many, "seed {seed}: {word:?}");
            let some = if word.is_empty() { x } else { many };
            assert_eq!(plus.accepts(word), some, "seed {seed}: {word:?}");
        }
        // Inclusion by antichains, with a word that shows it where it fails.
        match a.word_outside(&b, meter).unwrap() {
            None => assert!(minus.is_empty(), "seed {seed}"),
            Some(word) => assert!(
                a.accepts(&word) && !b.accepts(&word),
                "seed {seed}: {word:?}"
            ),
        }
        let shortest = da.shortest();
        let first = list.iter().find(|word| a.accepts(word));
        assert!(first.is_none() || shortest.as_ref() == first, "seed {seed}");
        for length in 0..=LENGTH {
            let found = da.words(length, meter).unwrap();
            let wanted = words(3, length).into_iter().filter(|word| a.accepts(word));
            assert_eq!(found, wanted.collect::<Vec<_>>(), "seed {seed}");
        }
    }
}

fn in_star(a: &Nfa, word: &[Letter]) -> bool {
    let mut ends = vec![false; word.len() + 1];
    ends[0] = true;
    for end in 1..=word.len() {
        ends[end] = (0..end).any(|start| ends[start] && a.accepts(&word[start..end]));
    }
    ends[word.len()]
}

/// No two states of a minimal automaton accept the same words, and all of them matter.
#[test]
fn minimal_automata_are_minimal() {
    for seed in 0..CASES {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(6);
        let a = random(&mut rng, &[0, 1, 2, 3], n, 2 * n);
        let dfa = a.determinise(&mut free()).unwrap();
        let again = dfa
            .reversed(&mut free())
            .unwrap()
            .reversed(&mut free())
            .unwrap();
        assert_eq!(dfa, again, "seed {seed}: one form only");
        // Brzozowski's way to the minimal automaton has as many states.
        let twice = a
            .reversed()
            .determinise(&mut free())
            .unwrap()
            .nfa()
            .reversed();
        assert_eq!(twice.determinise(&mut free()).unwrap(), dfa, "seed {seed}");
    }
}

#[test]
fn relations_are_as_enumeration_says() {
    for seed in 0..CASES {
        let mut rng = Rng::new(seed);
        let (r, s) = (random_relation(&mut rng, 2), random_relation(&mut rng, 2));
        let set = random(&mut rng, &[0, 1], 3, 5)
            .determinise(&mut free())
            .unwrap();
        let meter = &mut free();
        let (inverse, then) = (r.inverse(meter).unwrap(), r.then(&s, meter).unwrap());
        let (domain, range) = (r.domain(meter).unwrap(), r.range(meter).unwrap());
        let image = r.image(&set, meter).unwrap();
        let from = r.from_set(&set, meter).unwrap();
        let other = r.without_identity(meter).unwrap();
        let identity = Relation::identity(&set, meter).unwrap();
        let cross = Relation::cross(&set, &image, meter).unwrap();
        let actions = r.actions(meter).unwrap();
        for length in 0..=3 {
            let list = words(2, length);
            for u in &list {
                let ends = list.iter().filter(|v| r.dfa().accepts(&zip(u, v))).count();
                assert_eq!(domain.accepts(u), ends > 0, "seed {seed}");
                let starts = || list.iter().filter(|v| r.dfa().accepts(&zip(v, u)));
                assert_eq!(range.accepts(u), starts().count() > 0, "seed {seed}");
                assert_eq!(
                    image.accepts(u),
                    starts().any(|v| set.accepts(v)),
                    "seed {seed}"
                );
                for v in &list {
                    let (here, back) = (zip(u, v), zip(v, u));
                    let holds = r.dfa().accepts(&here);
                    assert_eq!(inverse.dfa().accepts(&back), holds, "seed {seed}");
                    let via = |w: &Vec<Letter>| {
                        r.dfa().accepts(&zip(u, w)) && s.dfa().accepts(&zip(w, v))
                    };
                    assert_eq!(
                        then.dfa().accepts(&here),
                        list.iter().any(via),
                        "seed {seed}"
                    );
                    assert_eq!(
                        from.dfa().accepts(&here),
                        holds && set.accepts(u),
                        "seed {seed}"
                    );
                    assert_eq!(other.dfa().accepts(&here), holds && u != v, "seed {seed}");
                    assert_eq!(identity.dfa().accepts(&here), u == v && set.accepts(u));
                    let both = set.accepts(u) && image.accepts(v);
                    assert_eq!(cross.dfa().accepts(&here), both, "seed {seed}");
                    let split = actions.iter().any(|action| action.dfa().accepts(&here));
                    assert_eq!(split, holds && u != v, "seed {seed}: {u:?} {v:?}");
                }
            }
        }
    }
}

#[test]
fn a_limit_on_work_is_an_answer() {
    // The fourth letter from the end: sixteen states.
    let any = Nfa::letter(&[0, 1]).star();
    let mut nfa = any.concat(&Nfa::letter(&[1]));
    for _ in 0..16 {
        nfa = nfa.concat(&Nfa::letter(&[0, 1]));
    }
    let mut meter = recurva_regular::Meter::new(1000);
    assert!(nfa.determinise(&mut meter).is_err());
    assert!(Dfa::all(2).accepts(&[0, 1, 1]) && !Dfa::empty().accepts(&[]));
    assert_eq!(recurva_regular::parts(pair(7, 9)), (7, 9));
}
