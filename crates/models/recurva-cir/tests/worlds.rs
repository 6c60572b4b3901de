//! Choices, limits, and watching a run.

mod build;

use build::*;
use recurva_cir::interpret::{
    ChoiceError, Event, Happened, Machine, Observer, Options, Outcome, Random, Replay, View,
};
use recurva_cir::*;

fn nondet(place: &Place) -> Operation {
    Operation::Havoc(place.clone(), Unknown::Nondet("any".into()))
}

fn choice(bytes: &[u8]) -> Choice {
    Choice {
        bytes: bytes.to_vec(),
    }
}

/// Two unknown numbers, what a function without a body returns, and a truth value; their sum.
fn unknowns() -> Module {
    let mut build = Build::new(8);
    let (int, byte) = (build.int(I32), build.int(U8));
    let truth = build.ty(Type::Bool);
    let outside = build.external("outside", Some(int));
    let mut body = Body::new("main");
    let sum = body.result(int);
    let (first, second) = (body.local("a", int), body.local("b", byte));
    let (third, fourth) = (body.local("c", int), body.local("d", truth));
    body.then(nondet(&first));
    body.then(nondet(&second));
    body.call(outside, vec![], Some(&third));
    body.call(outside, vec![], None);
    body.then(nondet(&fourth));
    let wide = |place: &Place| convert(load_int(place, U8), Scalar::Int(I32));
    let value = add(load_int(&first, I32), load_int(&third, I32));
    let value = add(value, add(wide(&second), wide(&fourth)));
    body.assign(&sum, value);
    build.module.entry = build.add(body.finish());
    validate(&build.module).unwrap();
    build.module
}

fn replay(module: &Module, choices: Vec<Choice>) -> (Outcome, usize) {
    let mut world = Replay::new(choices);
    let outcome = Machine::new(module, &mut world, Options::default()).run();
    (outcome, world.left())
}

#[test]
fn replays() {
    let module = unknowns();
    let all = vec![
        choice(&[1, 0, 0, 0]),
        choice(&[2]),
        choice(&[0xff, 0xff, 0xff, 0xff]),
        choice(&[5]),
    ];
    assert_eq!(replay(&module, all.clone()), (Outcome::Exited(3), 0));
    let (outcome, _) = replay(&module, all[..2].to_vec());
    assert!(matches!(outcome, Outcome::NoChoice(ChoiceError::RanOut, _)));
    let (outcome, _) = replay(&module, vec![choice(&[1, 0])]);
    assert!(matches!(
        outcome,
        Outcome::NoChoice(
            ChoiceError::Size {
                needed: 4,
                found: 2
            },
            _
        )
    ));
}

#[test]
fn random_runs_can_be_repeated() {
    let module = unknowns();
    let mut outcomes = Vec::new();
    for seed in 0..50 {
        let mut world = Random::new(seed);
        let outcome = Machine::new(&module, &mut world, Options::default()).run();
        assert_eq!(replay(&module, world.choices), (outcome.clone(), 0));
        outcomes.push(outcome);
    }
    outcomes.dedup();
    assert!(outcomes.len() > 20);
}

/// What is in a new object can be recorded, too.
#[test]
fn new_objects() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut body = Body::new("main");
    let (result, place) = (body.result(int), body.local("p", pointer));
    body.then(Operation::Allocate {
        result: place.clone(),
        size: num(4, U64),
        storage: Storage::Heap,
        is_zeroed: false,
    });
    body.assign(&result, load_int(&deref(load_pointer(&place), int), I32));
    build.module.entry = build.add(body.finish());
    let run = |world: &mut Replay| Machine::new(&build.module, world, Options::default()).run();
    assert_eq!(run(&mut Replay::default()), Outcome::Exited(0));
    let mut world = Replay::default().with_allocations(vec![choice(&[9, 0, 0, 0])]);
    assert_eq!(run(&mut world), Outcome::Exited(9));
    let mut random = Random::new(3);
    let outcome = Machine::new(&build.module, &mut random, Options::default()).run();
    let mut world = Replay::new(random.choices).with_allocations(random.allocations);
    assert_eq!(run(&mut world), outcome);
}

/// A loop without an end.
fn endless() -> Module {
    let mut build = Build::new(8);
    let mut body = Body::new("main");
    let (there, end) = (body.node(), body.node());
    body.edge(NodeId(0), there, Operation::Skip);
    body.edge(there, NodeId(0), Operation::Skip);
    body.go_to(end);
    build.module.entry = build.add(body.finish());
    build.module
}

#[test]
fn limits() {
    let module = endless();
    let mut world = Replay::default();
    let options = Options {
        steps: 1001,
        ..Options::default()
    };
    let mut machine = Machine::new(&module, &mut world, options);
    assert_eq!(machine.run(), Outcome::OutOfSteps);
    assert_eq!(machine.steps(), 1001);
    let mut world = Replay::default();
    let mut machine = Machine::new(&module, &mut world, Options::default());
    let mut asked = 0;
    let outcome = machine.run_while(100, &mut || {
        asked += 1;
        asked < 5
    });
    assert_eq!((outcome, machine.steps()), (Outcome::Interrupted, 500));
}

/// Each way in which a program ends by itself.
#[test]
fn ends() {
    let run = |operation: Operation| {
        let mut build = Build::new(8);
        let mut body = Body::new("main");
        body.then(operation);
        build.run(body)
    };
    assert_eq!(run(Operation::Exit(num(-3, I32))), Outcome::Exited(-3));
    assert!(matches!(run(Operation::Abort), Outcome::Aborted(_)));
    let blocked = Operation::Assume(Expr::constant(0, Scalar::Bool));
    assert!(matches!(run(blocked), Outcome::Blocked(at) if at.node == NodeId(0)));
    let unsupported = Operation::Unsupported("threads".into());
    assert!(matches!(run(unsupported), Outcome::Unsupported(text, _) if &*text == "threads"));
    let kind = ErrorKind::Call("reach_error".into());
    let outcome = run(Operation::Error(kind.clone()));
    assert!(matches!(outcome, Outcome::Failed(found, _) if found == kind));
    let check = Operation::Check(Check::Overflow, Expr::constant(0, Scalar::Bool));
    let outcome = run(check);
    assert!(matches!(outcome, Outcome::Undefined(Check::Overflow, at) if at.edge == Some(0)));
}

/// Notes every step.
#[derive(Default)]
struct Notes {
    lines: Vec<String>,
}

impl Observer for Notes {
    fn step(&mut self, event: &Event<'_>, view: &View<'_, '_>) {
        let module = view.module();
        let function = module.function(event.function);
        let what = match (event.happened, event.edge) {
            (Happened::Called(id), _) => format!("calls {}", module.function(id).name),
            (Happened::CalledOutside(id), _) => format!("uses {}", module.function(id).name),
            (Happened::Returned, _) => "returns".to_owned(),
            (Happened::Moved, Some(edge)) => {
                let operation = &function.edges[edge as usize].operation;
                module.operation_text(function, operation)
            }
            (Happened::Moved, None) => "?".to_owned(),
        };
        let mut line = format!("{}{}: {what}", "  ".repeat(event.depth), function.name);
        for change in event.changes {
            let shown = view.show_change(view.depth(), change);
            line.push_str(&format!(" [{} = {}]", shown.name, shown.value));
        }
        self.lines.push(line);
    }
}

#[test]
fn observed() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut inner = Body::new("twice");
    let parameter = inner.parameter("p", pointer);
    let result = inner.result(int);
    let target = deref(load_pointer(&parameter), int);
    let doubled = add(load_int(&target, I32), load_int(&target, I32));
    inner.assign(&result, doubled);
    inner.assign(&target, num(0, I32));
    let inner = build.add(inner.finish());
    let outside = build.external("outside", Some(int));
    let mut body = Body::new("main");
    let (place, sum) = (body.local("x", int), body.local("sum", int));
    body.assign(&place, num(21, I32));
    body.call(inner, vec![address(place.clone())], Some(&sum));
    let positive = binary(Binary::Greater, load_int(&sum, I32), num(0, I32));
    body.then(Operation::Assume(positive));
    body.call(outside, vec![], Some(&place));
    build.module.entry = build.add(body.finish());
    let mut world = Replay::new(vec![choice(&[7, 0, 0, 0])]);
    let mut notes = Notes::default();
    let machine = Machine::new(&build.module, &mut world, Options::default());
    let outcome = machine.observed(&mut notes).run();
    assert_eq!(outcome, Outcome::Exited(0));
    let expected = [
        "main: x = 21 [x = 21]",
        "main: calls twice",
        "  twice: result = (*p + *p) [result = 42]",
        "  twice: *p = 0 [main::x = 0]",
        "  twice: returns [sum = 42]",
        "main: assume (sum > 0)",
        "main: uses outside [x = 7]",
    ];
    assert_eq!(notes.lines, expected);
}
