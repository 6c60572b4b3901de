//! The first programs.

mod build;

use build::*;
use recurva_cir::interpret::{Options, Outcome};
use recurva_cir::*;

#[test]
fn hello() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let printf = build.external("printf", Some(int));
    let text = build.string("hello, %s: %5d|%-6.3f|%x\n");
    let name = build.string("world");
    let mut body = Body::new("main");
    let result = body.result(int);
    let arguments = vec![
        text,
        name,
        num(-42, I32),
        expr(ExprKind::Float(1.5), Scalar::Float(Float::Double)),
        num(255, U32),
    ];
    body.call(printf, arguments, Some(&result));
    let (outcome, output) = build.run_with(body, Options::default());
    assert_eq!(output, "hello, world:   -42|1.500 |ff\n");
    assert_eq!(outcome, Outcome::Exited(30));
}

/// `for (i = 0; i < n; i++) sum += i;`
pub fn sum(build: &mut Build, limit: i64) -> Body {
    let int = build.int(I32);
    let mut body = Body::new("main");
    let sum = body.result(int);
    let index = body.local("i", int);
    body.assign(&sum, num(0, I32));
    body.assign(&index, num(0, I32));
    let head = body.here();
    let (inside, end) = (body.node(), body.node());
    let condition = binary(Binary::Less, load_int(&index, I32), num(limit, I32));
    body.edge(head, inside, Operation::Assume(condition.clone()));
    body.edge(head, end, Operation::Assume(not(condition)));
    body.go_to(inside);
    body.assign(&sum, add(load_int(&sum, I32), load_int(&index, I32)));
    let step = Operation::Assign(index.clone(), add(load_int(&index, I32), num(1, I32)));
    let from = body.here();
    body.edge(from, head, step);
    body.go_to(end);
    body
}

#[test]
fn loops() {
    let mut build = Build::new(4);
    let body = sum(&mut build, 1000);
    assert_eq!(build.run(body), Outcome::Exited(499_500));
}

/// Deep expressions have a value, and those that are too deep are refused.
#[test]
fn nesting() {
    for (depth, is_refused) in [(2000, false), (6000, true)] {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let mut body = Body::new("main");
        let result = body.result(int);
        let mut value = num(0, I32);
        for index in 0..depth {
            value = match index % 2 {
                0 => add(value, num(1, I32)),
                _ => add(num(1, I32), value),
            };
        }
        body.assign(&result, value);
        match build.run(body) {
            Outcome::Unsupported(..) => assert!(is_refused),
            outcome => assert_eq!(outcome, Outcome::Exited(depth)),
        }
    }
}
