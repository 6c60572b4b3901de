//! Random automata: games, formulas and Boolean operations agree.

mod common;

use std::ops::ControlFlow;

use common::{
    automaton, cases,
    growing::{Random, random_machine},
    holds, member,
    random_automata::random_alternating,
};
use recurva_automata::{
    Acceptance, Limits,
    arena::{AllCount, Arena, Dual, Move, Player},
    confirm,
    parity::ParityGame,
};
use recurva_logic::{
    nta::{self, Alternating, Automaton, Counting},
    ntmu::Formula,
};
use recurva_model::Nsm;
use rustc_hash::FxHashMap;

fn random_counting(random: &mut Random) -> Counting {
    random.pick(&[Counting::All, Counting::Stairs])
}

/// Whether one of the players is shown to win by a finite game.
fn confirmed(machine: &Nsm, automaton: &Alternating, player: Player) -> bool {
    fn ask<A: Arena>(game: A, player: Player) -> bool {
        let go_on = |_: &_| ControlFlow::Continue(());
        let limits = Limits::default();
        match player {
            Player::Even => confirm(&game, &limits, go_on),
            Player::Odd => confirm(&Dual(game), &limits, go_on),
        }
        .expect("it is small")
    }
    let game = Acceptance::new(machine, automaton).expect("all propositions are known");
    match automaton.counting() {
        Counting::Stairs => ask(game, player),
        Counting::All => ask(AllCount(game), player),
    }
}

#[test]
fn games_are_confirmed_by_finite_ones_for_both_players() {
    let random = &mut Random(31);
    let count = cases(3_000);
    let mut accepted = 0;
    for _ in 0..count {
        let machine = random_machine(random);
        let counting = random_counting(random);
        let automaton = random_alternating(random, counting, 4, 4);
        let expected = member(&machine, &automaton);
        assert_eq!(
            confirmed(&machine, &automaton, Player::Even),
            expected,
            "{automaton}"
        );
        assert_eq!(
            confirmed(&machine, &automaton, Player::Odd),
            !expected,
            "{automaton}"
        );
        accepted += usize::from(expected);
    }
    assert!((count / 4..count * 3 / 4).contains(&accepted), "{accepted}");
}

#[test]
fn automata_and_their_formulas_agree() {
    let random = &mut Random(32);
    let count = cases(3_000);
    let (mut largest, mut skipped) = (0, 0);
    for _ in 0..count {
        let machine = random_machine(random);
        let counting = random_counting(random);
        let automaton = random_alternating(random, counting, 3, 3);
        let Some(formula) = nta::to_formula(&automaton, 1_000) else {
            skipped += 1;
            continue;
        };
        Formula::new(formula.formulas().clone(), formula.root()).expect("it is closed");
        largest = largest.max(formula.formulas().subformulas(formula.root()).len());
        assert_eq!(
            holds(&machine, &formula),
            member(&machine, &automaton),
            "{automaton}"
        );
        let stairs = automaton.to_stairs();
        assert_eq!(
            member(&machine, &stairs),
            member(&machine, &automaton),
            "{automaton}"
        );
        if formula.formulas().subformulas(formula.root()).len() < 100 {
            let back = nta::of_formula(&formula);
            assert_eq!(
                member(&machine, &back),
                member(&machine, &automaton),
                "{automaton}"
            );
        }
    }
    assert!(largest > 200, "{largest}");
    assert!(skipped < count / 5, "{skipped}");
}

#[test]
fn complements_unions_and_intersections() {
    let random = &mut Random(33);
    for _ in 0..cases(2_000) {
        let machine = random_machine(random);
        let [one, other] = [0, 1].map(|_| {
            let counting = random_counting(random);
            random_alternating(random, counting, 3, 3)
        });
        let (in_one, in_other) = (member(&machine, &one), member(&machine, &other));
        assert_ne!(member(&machine, &one.complement()), in_one, "{one}");
        assert_eq!(
            member(&machine, &one.union(&other)),
            in_one || in_other,
            "{one}\n{other}"
        );
        let both = member(&machine, &one.intersection(&other));
        assert_eq!(both, in_one && in_other, "{one}\n{other}");
    }
}

#[test]
fn what_is_printed_reads_back() {
    let random = &mut Random(34);
    for _ in 0..cases(1_000) {
        let counting = random_counting(random);
        let first = random_alternating(random, counting, 4, 4);
        let text = first.to_string();
        let again = automaton(&text);
        assert_eq!(again.to_string(), text);
        let Automaton::Alternating(again) = again else {
            panic!("another kind: {text}")
        };
        let machine = random_machine(random);
        assert_eq!(member(&machine, &again), member(&machine, &first), "{text}");
        let np = common::random_automata::random_nondeterministic(random, 4, 4);
        let text = np.to_string();
        assert_eq!(automaton(&text).to_string(), text);
    }
}

/// The game with its stacks spelled out, if none is higher than some bound; all priorities
/// count. A reference that knows no summaries.
fn spelled_out<A: Arena>(arena: &A) -> Option<Player> {
    type Full<A> = (<A as Arena>::Control, Vec<<A as Arena>::Frame>);
    let mut game = ParityGame::default();
    let mut list: Vec<Full<A>> = vec![(arena.start(), Vec::new())];
    let mut numbers: FxHashMap<Full<A>, u32> = FxHashMap::default();
    game.add(arena.owner(list[0].0), arena.priority(list[0].0));
    numbers.insert(list[0].clone(), 0);
    let mut next = 0;
    while let Some((control, stack)) = list.get(next).cloned() {
        let mut moves = Vec::new();
        arena.moves(control, stack.last().copied(), &mut moves);
        for step in moves {
            let mut stack = stack.clone();
            let to = match step {
                Move::Stay(to) => to,
                Move::Push(to, frame) => {
                    stack.push(frame);
                    to
                }
                Move::Pop(to) => {
                    stack.pop();
                    to
                }
            };
            if stack.len() > 5 || list.len() > 5_000 {
                return None;
            }
            let key = (to, stack);
            let number = *numbers.entry(key.clone()).or_insert_with(|| {
                list.push(key);
                game.add(arena.owner(to), arena.priority(to))
            });
            game.add_move(next as u32, number);
        }
        next += 1;
    }
    Some(game.solve().winners[0])
}

#[test]
fn games_with_bounded_stacks_agree_with_the_game_spelled_out() {
    let random = &mut Random(35);
    let (mut bounded, mut deep) = (0, 0);
    for _ in 0..cases(20_000) {
        let machine = random_machine(random);
        let automaton = random_alternating(random, Counting::All, 4, 4);
        let game = Acceptance::new(&machine, &automaton).expect("all propositions are known");
        let Some(winner) = spelled_out(&game) else {
            deep += 1;
            continue;
        };
        bounded += 1;
        assert_eq!(
            winner == Player::Even,
            member(&machine, &automaton),
            "{automaton}"
        );
    }
    assert!(bounded > deep / 10, "{bounded} of {}", bounded + deep);
}
