//! Calls: recursion, pointers to functions, further arguments, records.

mod build;

use build::*;
use recurva_cir::interpret::{Options, Outcome};
use recurva_cir::*;

/// `int f(int n) { if (n <= 0) return 0; int *p = &n; return f(*p - 1) + 1; }`
fn recursive(build: &mut Build, depth: i64, takes_address: bool) -> Body {
    let int = build.int(I32);
    let id = FunctionId(build.module.functions.len() as u32);
    let mut inner = Body::new("f");
    let parameter = inner.parameter("n", int);
    let result = inner.result(int);
    let (more, done) = (inner.node(), inner.node());
    let condition = binary(Binary::Greater, load_int(&parameter, I32), num(0, I32));
    let head = inner.here();
    inner.edge(head, more, Operation::Assume(condition.clone()));
    let zero = inner.node();
    inner.edge(head, zero, Operation::Assume(not(condition)));
    inner.edge(zero, done, Operation::Assign(result.clone(), num(0, I32)));
    inner.go_to(more);
    let source = match takes_address {
        true => deref(address(parameter.clone()), int),
        false => parameter,
    };
    let less = binary(Binary::Subtract, load_int(&source, I32), num(1, I32));
    inner.call(id, vec![less], Some(&result));
    let from = inner.here();
    let sum = add(load_int(&result, I32), num(1, I32));
    inner.edge(from, done, Operation::Assign(result, sum));
    inner.go_to(done);
    build.add(inner.finish());
    let mut body = Body::new("main");
    let result = body.result(int);
    body.call(id, vec![num(depth, I32)], Some(&result));
    body
}

#[test]
fn deep_recursion() {
    for takes_address in [false, true] {
        let mut build = Build::new(8);
        let body = recursive(&mut build, 1_000_000, takes_address);
        assert_eq!(build.run(body), Outcome::Exited(1_000_000));
    }
}

/// At 32 bits the addresses of frames are used again when all are used up.
#[test]
fn addresses_run_out() {
    let mut build = Build::new(4);
    let int = build.int(I32);
    let row = build.ty(Type::Array(int, 100_000));
    let mut inner = Body::new("f");
    let local = inner.local("a", row);
    inner.assign(
        &deref(address(element(&local, num(99_999, I32), int)), int),
        num(1, I32),
    );
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let index = body.local("i", int);
    body.assign(&index, num(0, I32));
    let head = body.here();
    let (inside, end) = (body.node(), body.node());
    let condition = binary(Binary::Less, load_int(&index, I32), num(5_000, I32));
    body.edge(head, inside, Operation::Assume(condition.clone()));
    body.edge(head, end, Operation::Assume(not(condition)));
    body.go_to(inside);
    body.call(inner, vec![], None);
    let from = body.here();
    let step = Operation::Assign(index.clone(), add(load_int(&index, I32), num(1, I32)));
    body.edge(from, head, step);
    body.go_to(end);
    assert_eq!(build.run(body), Outcome::Exited(0));
}

#[test]
fn endless_recursion() {
    let mut build = Build::new(8);
    let body = recursive(&mut build, 1_000_000, false);
    let options = Options {
        frames: 1000,
        ..Options::default()
    };
    let (outcome, _) = build.run_with(body, options);
    assert!(matches!(outcome, Outcome::OutOfMemory(_)));
}

fn call_pointer(pointer: Expr, arguments: Vec<Expr>, result: Option<&Place>) -> Operation {
    Operation::Call {
        callee: Callee::Pointer(pointer),
        arguments: arguments.into_iter().map(Argument::Value).collect(),
        result: result.cloned(),
    }
}

#[test]
fn pointers_to_functions() {
    let mut build = Build::new(8);
    let (int, long) = (build.int(I32), build.int(I64));
    let function = build.ty(Type::Function);
    let pointer = build.pointer(function);
    let mut ids = Vec::new();
    for (name, operator) in [("plus", Binary::Add), ("minus", Binary::Subtract)] {
        let mut inner = Body::new(name);
        let (left, right) = (inner.parameter("a", int), inner.parameter("b", int));
        let result = inner.result(int);
        let value = binary(operator, load_int(&left, I32), load_int(&right, I32));
        inner.assign(&result, value);
        ids.push(build.add(inner.finish()));
    }
    let table = build.ty(Type::Array(pointer, 2));
    let global = build.global("table", table, &[]);
    build.module.globals[0].addresses = vec![
        (0, InitialValue::Function(ids[0])),
        (8, InitialValue::Function(ids[1])),
    ];
    let table = Place::whole(global, table);
    let make = |change: fn(&mut Vec<Expr>, &mut Expr)| {
        let mut body = Body::new("main");
        let result = body.result(int);
        let mut callee = load_pointer(&element(&table, num(1, I32), pointer));
        let is_function = ExprKind::IsFunction(Box::new(callee.clone()));
        body.expect(expr(is_function, Scalar::Bool));
        let mut arguments = vec![num(50, I32), num(8, I32)];
        change(&mut arguments, &mut callee);
        body.then(call_pointer(callee, arguments, Some(&result)));
        body
    };
    assert_eq!(build.run(make(|_, _| ())), Outcome::Exited(42));
    type Change = fn(&mut Vec<Expr>, &mut Expr);
    let wrong: [Change; 5] = [
        |arguments, _| drop(arguments.pop()),
        |arguments, _| arguments.push(num(1, I32)),
        |arguments, _| arguments[0] = num(1, I64),
        |_, callee| *callee = null(),
        |_, callee| *callee = offset(callee.clone(), num(1, I32), 1),
    ];
    for change in wrong {
        let outcome = build.run(make(change));
        assert!(matches!(outcome, Outcome::Undefined(Check::Call, _)));
    }
    let mut body = Body::new("main");
    let result = body.local("l", long);
    let callee = expr(ExprKind::Function(ids[0]), Scalar::Pointer);
    let arguments = vec![num(1, I32), num(2, I32)];
    body.then(call_pointer(callee, arguments, Some(&result)));
    let outcome = build.run(body);
    assert!(matches!(outcome, Outcome::Undefined(Check::Call, _)));
}

/// Records are copied into parameters and out of results.
#[test]
fn records_by_value() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let (id, record) = build.record("s", false, 8, &[("x", int, 0), ("y", int, 4)]);
    let mut inner = Body::new("swap");
    let parameter = inner.parameter("s", record);
    let result = inner.result(record);
    let part = |place: &Place, index| field(place, id, index, int);
    inner.assign(&part(&result, 0), load_int(&part(&parameter, 1), I32));
    inner.assign(&part(&result, 1), load_int(&part(&parameter, 0), I32));
    inner.assign(&part(&parameter, 0), num(99, I32));
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let (first, second) = (body.local("s", record), body.local("t", record));
    body.assign(&part(&first, 0), num(1, I32));
    body.assign(&part(&first, 1), num(2, I32));
    body.then(Operation::Call {
        callee: Callee::Function(inner),
        arguments: vec![Argument::Record(first.clone())],
        result: Some(second.clone()),
    });
    body.expect(equal(load_int(&part(&first, 0), I32), num(1, I32)));
    body.expect(equal(load_int(&part(&second, 0), I32), num(2, I32)));
    body.expect(equal(load_int(&part(&second, 1), I32), num(1, I32)));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// A function that takes `int, double, struct, int *` behind its parameter; each argument is taken
/// with a type from a list.
fn variadic(build: &mut Build, types: &[TypeId], record: TypeId) -> Body {
    let int = build.int(I32);
    let list_type = build.ty(Type::VaList);
    let mut inner = Body::new("f");
    inner.function.is_variadic = true;
    inner.parameter("n", int);
    let (list, copy) = (
        inner.local("list", list_type),
        inner.local("copy", list_type),
    );
    inner.then(Operation::VaStart(list.clone()));
    for (index, &ty) in types.iter().enumerate() {
        let result = inner.local(&format!("x{index}"), ty);
        if index == 1 {
            inner.then(Operation::VaCopy {
                to: copy.clone(),
                from: list.clone(),
            });
        }
        inner.then(Operation::VaArg {
            list: list.clone(),
            result: result.clone(),
        });
        match index {
            0 if ty == int => inner.expect(equal(load_int(&result, I32), num(-7, I32))),
            1 => {
                let ty = Scalar::Float(Float::Double);
                let again = inner.local("again", types[1]);
                inner.then(Operation::VaArg {
                    list: copy.clone(),
                    result: again.clone(),
                });
                inner.expect(equal(load(&again, ty), expr(ExprKind::Float(2.5), ty)));
            }
            2 if ty == record => {
                let field = field(&result, RecordId(0), 1, int);
                inner.expect(equal(load_int(&field, I32), num(3, I32)));
            }
            3 => inner.assign(&deref(load_pointer(&result), int), num(4, I32)),
            _ => {}
        }
    }
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let result = body.result(int);
    let place = body.local("s", record);
    body.then(Operation::Zero(place.clone()));
    body.assign(&field(&place, RecordId(0), 1, int), num(3, I32));
    body.then(Operation::Call {
        callee: Callee::Function(inner),
        arguments: vec![
            Argument::Value(num(4, I32)),
            Argument::Value(num(-7, I32)),
            Argument::Value(expr(ExprKind::Float(2.5), Scalar::Float(Float::Double))),
            Argument::Record(place),
            Argument::Value(address(result)),
        ],
        result: None,
    });
    body
}

#[test]
fn further_arguments() {
    for pointer_bytes in [4, 8] {
        let mut build = Build::new(pointer_bytes);
        let int = build.int(I32);
        let fields = [("x", int, 0), ("y", int, 4), ("z", int, 8)];
        let (_, record) = build.record("s", false, 12, &fields);
        let double = build.ty(Type::Float(Float::Double));
        let pointer = build.pointer(int);
        let right = [int, double, record, pointer];
        let body = variadic(&mut build, &right, record);
        assert_eq!(build.run(body), Outcome::Exited(4));
        let wrong = [
            vec![int, double, record, pointer, int],
            vec![int, double, double],
            vec![double],
        ];
        for types in wrong {
            let body = variadic(&mut build, &types, record);
            let outcome = build.run(body);
            assert!(
                matches!(outcome, Outcome::Undefined(Check::Call, _)),
                "{outcome:?}"
            );
        }
    }
}

/// What lives on the stack of a call is gone with it.
#[test]
fn alloca() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut inner = Body::new("f");
    let result = inner.result(pointer);
    let size = inner.local("n", int);
    inner.assign(&size, num(40, I32));
    inner.then(Operation::Allocate {
        result: result.clone(),
        size: load_int(&size, I32),
        storage: Storage::Stack,
        is_zeroed: false,
    });
    inner.expect(is_valid(load_pointer(&result), 40));
    inner.expect(not(is_valid(load_pointer(&result), 41)));
    inner.expect(not(is_freeable(load_pointer(&result))));
    inner.assign(
        &deref(offset(load_pointer(&result), num(9, I32), 4), int),
        num(1, I32),
    );
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let place = body.local("p", pointer);
    body.call(inner, vec![], Some(&place));
    body.expect(not(is_alive(load_pointer(&place))));
    assert_eq!(build.run(body), Outcome::Exited(0));
}
