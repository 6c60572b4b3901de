//! Infinite runs: a turn is accepted if and only if it can be repeated for ever.

mod support;

use recurva_evidence::{Body, BodyId, Claim, Part, Reason, Replayed, Step, Trace, Via, replay};
use recurva_model::*;
use support::*;

/// A procedure that loops through its node 0: nothing may lead to an entry, so it has one more
/// node for that, and one more edge from there, the last one.
fn looping(name: &str, nodes: u32, mut edges: Vec<Edge>) -> Procedure {
    edges.push(skip(nodes, 0));
    let mut procedure = procedure(name, nodes as usize + 1, edges);
    procedure.entry = NodeId(nodes);
    procedure.exit = NodeId(nodes - 1);
    procedure
}

/// A loop that adds one to `x` and, if wanted, goes on only while `x` is small.
fn counting(guarded: bool) -> Program {
    let mut back = assign(1, 0, X, plus_one());
    if guarded {
        back.guard = Expr::read(X).join(Binary::Less, BYTE, &Expr::constant(200, BYTE));
    }
    let edges = vec![assign(0, 1, X, Expr::read(X)), back];
    let main = looping("main", 3, edges);
    program(vec![Variable::scalar("x", BYTE)], vec![main])
}

fn lasso(globals: &[u64], bodies: Vec<Body>, stem: Vec<Step>, turn: Vec<Step>) -> Trace {
    Trace {
        globals: globals.into(),
        locals: [].into(),
        bodies,
        stem,
        turn: Some(turn),
    }
}

fn replays<'p>(
    program: &'p Program,
    trace: Trace,
    observed: &[Guard],
) -> Result<Replayed<'p>, (Part, Reason)> {
    replay(program, trace, &Claim::Repeats(observed.to_vec()))
        .map_err(|mismatch| (mismatch.part, mismatch.reason))
}

fn at(node: u32) -> Guard {
    Guard::new([GuardOp::At([point(0, node)].into())])
}

/// Into the loop of [`counting`].
fn enter() -> Vec<Step> {
    vec![step(2, &[], Via::Internal)]
}

fn round() -> Vec<Step> {
    vec![step(0, &[], Via::Internal), step(1, &[], Via::Internal)]
}

#[test]
fn what_nobody_reads_may_change_from_turn_to_turn() {
    let program = counting(false);
    let trace = lasso(&[5], vec![], enter(), round());
    let replayed = replays(&program, trace, &[at(1)]).unwrap();
    assert_eq!(*replayed.end().globals, [6]);
    let lasso = replayed.lasso().unwrap();
    assert_eq!((lasso.frames(), lasso.depth(), lasso.length()), (0, 1, 2));
    let word = lasso.word();
    assert_eq!(word.stem(), [Item::Letter(0)]);
    assert_eq!(word.turn(), [Item::Letter(0), Item::Letter(1)]);
}

#[test]
fn what_decides_about_a_step_may_not() {
    let program = counting(true);
    let trace = lasso(&[5], vec![], enter(), round());
    let found = replays(&program, trace, &[]).map(|_| ()).unwrap_err();
    assert_eq!(found, (Part::Turn, Reason::NoTurn));
}

#[test]
fn what_is_observed_may_not() {
    let program = counting(false);
    let equal = Op::Binary(Binary::Equal, BYTE);
    let ops = [Op::Read(X), Op::Const(5, BYTE), equal].map(GuardOp::Plain);
    let trace = lasso(&[5], vec![], enter(), round());
    let found = replays(&program, trace, &[Guard::new(ops)]).map(|_| ());
    assert_eq!(found, Err((Part::Turn, Reason::NoTurn)));
}

#[test]
fn a_turn_has_to_come_back() {
    let program = counting(false);
    let half = lasso(&[0], vec![], enter(), vec![step(0, &[], Via::Internal)]);
    let found = replays(&program, half, &[]).map(|_| ());
    assert_eq!(found, Err((Part::Turn, Reason::NoTurn)));
    // A turn that begins in the middle is one, too.
    let mut stem = enter();
    stem.push(step(0, &[], Via::Internal));
    let turn = vec![step(1, &[], Via::Internal), step(0, &[], Via::Internal)];
    assert!(replays(&program, lasso(&[0], vec![], stem, turn), &[]).is_ok());
}

#[test]
fn a_turn_of_edges_that_are_not_there_is_refused() {
    let program = counting(false);
    let turn = vec![step(0, &[], Via::Internal), step(99, &[], Via::Internal)];
    let found = replays(&program, lasso(&[0], vec![], enter(), turn), &[]).map(|_| ());
    let elsewhere = Reason::Blocked(recurva_model::semantics::Blocked::Elsewhere);
    assert_eq!(found, Err((Part::Turn, elsewhere)));
}

#[test]
fn a_claim_and_its_trace_agree_on_being_infinite() {
    let program = counting(false);
    let finite = Trace {
        turn: None,
        ..lasso(&[0], vec![], enter(), vec![])
    };
    let found = replays(&program, finite, &[]).map(|_| ());
    assert_eq!(found, Err((Part::Stem, Reason::Claim)));
    let infinite = lasso(&[0], vec![], enter(), round());
    assert!(replay(&program, infinite, &Claim::Reaches(vec![point(0, 0)])).is_err());
}

#[test]
fn more_conditions_than_a_letter_has_bits_are_refused() {
    let program = counting(false);
    let trace = || lasso(&[5], vec![], enter(), round());
    assert!(replays(&program, trace(), &vec![at(1); 64]).is_ok());
    let found = replays(&program, trace(), &vec![at(1); 65]).map(|_| ());
    assert_eq!(found, Err((Part::Stem, Reason::Claim)));
}

#[test]
fn a_run_that_is_over_stays() {
    let main = procedure("main", 2, vec![assign(0, 1, X, plus_one())]);
    let program = program(vec![Variable::scalar("x", BYTE)], vec![main]);
    let stem = vec![step(0, &[], Via::Internal)];
    let replayed = replays(&program, lasso(&[0], vec![], stem, vec![]), &[at(1)]).unwrap();
    let word = replayed.lasso().unwrap().word();
    assert_eq!(word.stem(), [Item::Letter(0)]);
    assert_eq!(word.turn(), [Item::Letter(1)]);
    let early = lasso(&[0], vec![], vec![], vec![]);
    let found = replays(&program, early, &[]).map(|_| ());
    assert_eq!(found, Err((Part::Turn, Reason::NotOver)));
}

#[test]
fn a_stack_may_grow() {
    let main = procedure("main", 2, vec![call(0, 1, 0, vec![], false)]);
    let program = program(vec![], vec![main]);
    let turn = vec![step(0, &[], Via::Into)];
    let trace = lasso(&[], vec![], turn.clone(), turn);
    assert!(trace.diverges());
    let replayed = replays(&program, trace, &[]).unwrap();
    let lasso = replayed.lasso().unwrap();
    assert_eq!((lasso.depth(), lasso.frames()), (2, 1));
    // Calls that never return are told apart from steps.
    let called = [Item::Letter(0), Item::Into];
    assert_eq!(
        (lasso.word().stem(), lasso.word().turn()),
        (&called[..], &called[..])
    );
    assert_eq!(replayed.end().stack.len(), 3);
}

#[test]
fn the_end_of_a_called_main_is_not_the_end() {
    let main = procedure("main", 2, vec![call(0, 1, 0, vec![], false), skip(0, 1)]);
    let program = program(vec![], vec![main]);
    let stem = vec![step(0, &[], Via::Into), step(1, &[], Via::Internal)];
    let found = replays(&program, lasso(&[], vec![], stem, vec![]), &[]).map(|_| ());
    assert_eq!(found, Err((Part::Turn, Reason::NotOver)));
}

fn skip(from: u32, to: u32) -> Edge {
    Edge::skip(NodeId(from), NodeId(to), Origin::default())
}

/// Calls of calls, 2^40 steps a turn: observed in no time, and what the callee writes and reads
/// is followed through all of them.
#[test]
fn a_long_turn_of_shared_bodies() {
    let (inner, trace) = doubling(40);
    let mut parts = inner.parts().clone();
    // The outermost procedure goes round; `x` is written by the leaf and read by nobody.
    let mut edges = parts.procedures[0].edges.clone();
    edges.push(skip(2, 0));
    parts.procedures[0] = looping("main", 4, edges);
    let program = Program::new(parts).unwrap();
    let mut turn = trace.stem.clone();
    turn.push(step(2, &[], Via::Internal));
    let trace = Trace {
        stem: vec![step(3, &[], Via::Internal)],
        turn: Some(turn),
        ..trace
    };
    let leaf = Guard::new([GuardOp::In(ProcId(39))]);
    let replayed = replays(&program, trace, &[leaf]).unwrap();
    let lasso = replayed.lasso().unwrap();
    assert!(lasso.length() > 1 << 40);
    assert_eq!(lasso.word().lengths().1, lasso.length());
    let seen = lasso.word().letters(lasso.word().turn());
    assert!(seen.take(1000).any(|letter| letter == 1));
}

/// The callee counts `x` up, and the caller reads it only after it has set it itself.
#[test]
fn what_a_callee_leaves_behind_does_not_matter_if_it_is_overwritten() {
    let read = edge(
        2,
        0,
        Expr::read(X).join(Binary::Less, BYTE, &Expr::constant(9, BYTE)),
        Action::Assign {
            assigns: vec![],
            constraint: None,
        },
    );
    let set = assign(1, 2, X, Expr::constant(3, BYTE));
    let main = |edges| looping("main", 4, edges);
    let enter = || vec![step(3, &[], Via::Internal)];
    let leaf = || procedure("leaf", 2, vec![assign(0, 1, X, plus_one())]);
    let bodies = || {
        vec![Body {
            procedure: ProcId(1),
            steps: vec![step(0, &[], Via::Internal)],
        }]
    };
    let turn = || {
        vec![
            step(0, &[], Via::Through(BodyId(0))),
            step(1, &[], Via::Internal),
            step(2, &[], Via::Internal),
        ]
    };
    let calls = call(0, 1, 1, vec![], false);
    let globals = || vec![Variable::scalar("x", BYTE)];
    let good = program(
        globals(),
        vec![main(vec![calls.clone(), set, read.clone()]), leaf()],
    );
    assert!(replays(&good, lasso(&[0], bodies(), enter(), turn()), &[]).is_ok());
    // The same without the assignment: the counter decides.
    let bad = program(globals(), vec![main(vec![calls, skip(1, 2), read]), leaf()]);
    let found = replays(&bad, lasso(&[0], bodies(), enter(), turn()), &[]).map(|_| ());
    assert_eq!(found, Err((Part::Turn, Reason::NoTurn)));
}
