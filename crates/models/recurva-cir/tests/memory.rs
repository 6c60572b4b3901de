//! Memory: bytes under several types, pointers that are copied, and what must not be done.

mod build;

use build::*;
use recurva_cir::interpret::{Checks, Leaks, Machine, Native, Options, Outcome};
use recurva_cir::*;

fn undefined(outcome: &Outcome) -> Option<Check> {
    match outcome {
        Outcome::Undefined(check, _) => Some(*check),
        _ => None,
    }
}

fn allocate(result: &Place, size: i64, is_zeroed: bool) -> Operation {
    Operation::Allocate {
        result: result.clone(),
        size: num(size, U64),
        storage: Storage::Heap,
        is_zeroed,
    }
}

fn copy_bytes(to: Expr, from: Expr, count: i64) -> Operation {
    let count = num(count, U64);
    Operation::CopyBytes { to, from, count }
}

/// A union's bytes are seen through each of its fields.
#[test]
fn unions() {
    let mut build = Build::new(8);
    let (int, byte) = (build.int(I32), build.int(U8));
    let bytes = build.ty(Type::Array(byte, 4));
    let float = build.ty(Type::Float(Float::Single));
    let fields = [("i", int, 0), ("b", bytes, 0), ("f", float, 0)];
    let (id, union) = build.record("u", true, 4, &fields);
    let mut body = Body::new("main");
    let place = body.local("u", union);
    let [as_int, as_bytes, as_float] =
        [(0, int), (1, bytes), (2, float)].map(|(index, ty)| field(&place, id, index, ty));
    body.assign(
        &as_float,
        expr(ExprKind::Float(1.0), Scalar::Float(Float::Single)),
    );
    body.expect(equal(load_int(&as_int, I32), num(0x3f80_0000, I32)));
    let third = element(&as_bytes, num(2, I32), byte);
    body.expect(equal(load_int(&third, U8), num(0x80, U8)));
    body.assign(&element(&as_bytes, num(3, I32), byte), num(0xff, U8));
    body.expect(equal(load_int(&as_int, I32), num(0xff80_0000, I32)));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// A pointer survives being copied with its record, byte by byte, and through an integer.
#[test]
fn pointers_are_numbers() {
    for (pointer_bytes, word) in [(4, U32), (8, U64)] {
        let mut build = Build::new(pointer_bytes);
        let (int, number) = (build.int(I32), build.int(word));
        let pointer = build.pointer(int);
        let size = 2 * pointer_bytes;
        let fields = [("x", int, 0), ("p", pointer, pointer_bytes)];
        let (id, record) = build.record("s", false, size, &fields);
        let mut body = Body::new("main");
        let target = body.local("y", int);
        let (first, second) = (body.local("s", record), body.local("t", record));
        let through = body.local("n", number);
        body.assign(&target, num(5, I32));
        body.then(Operation::Zero(first.clone()));
        let inner = field(&first, id, 1, pointer);
        body.assign(&inner, address(target.clone()));
        for offset in 0..size {
            let at = |place: &Place| {
                let start = address(place.clone());
                build::offset(start, num(offset as i64, I32), 1)
            };
            body.then(copy_bytes(at(&second), at(&first), 1));
        }
        let copied = load_pointer(&field(&second, id, 1, pointer));
        body.expect(equal(copied.clone(), address(target.clone())));
        body.assign(&through, convert(copied, Scalar::Int(word)));
        let back = convert(load_int(&through, word), Scalar::Pointer);
        body.assign(&deref(back, int), num(6, I32));
        body.expect(equal(load_int(&target, I32), num(6, I32)));
        let third = body.local("u", record);
        body.then(Operation::Copy(third.clone(), second));
        let copied = load_pointer(&field(&third, id, 1, pointer));
        body.expect(equal(load_int(&deref(copied, int), I32), num(6, I32)));
        assert_eq!(build.run(body), Outcome::Exited(0));
    }
}

#[test]
fn heap() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut body = Body::new("main");
    let (first, second) = (body.local("p", pointer), body.local("q", pointer));
    body.then(allocate(&first, 8, true));
    body.then(allocate(&second, 8, false));
    let at = |place: &Place, index| offset(load_pointer(place), num(index, I32), 4);
    body.expect(equal(
        load_int(&deref(at(&first, 1), int), I32),
        num(0, I32),
    ));
    body.expect(is_valid(at(&first, 1), 4));
    body.expect(not(is_valid(at(&first, 1), 5)));
    body.expect(not(is_valid(at(&first, -1), 4)));
    body.expect(not(is_valid(at(&first, 2), 1)));
    body.expect(is_alive(at(&first, 2)));
    body.expect(not(is_alive(at(&first, 3))));
    body.expect(not(equal(at(&first, 2), load_pointer(&second))));
    body.expect(is_freeable(load_pointer(&first)));
    body.expect(not(is_freeable(at(&first, 1))));
    body.expect(is_freeable(null()));
    body.expect(not(is_freeable(address(first.clone()))));
    body.then(Operation::FillBytes {
        to: load_pointer(&second),
        value: num(0x1ff, I32),
        count: num(8, U64),
    });
    body.expect(equal(
        load_int(&deref(at(&second, 1), int), I32),
        num(-1, I32),
    ));
    // As if through a buffer.
    body.assign(&deref(at(&second, 0), int), num(0x0403_0201, I32));
    let one_on = offset(load_pointer(&second), num(1, I32), 1);
    body.then(copy_bytes(one_on, load_pointer(&second), 4));
    body.expect(equal(
        load_int(&deref(at(&second, 0), int), I32),
        num(0x0302_0101, I32),
    ));
    body.then(Operation::Free(load_pointer(&first)));
    body.expect(not(is_alive(load_pointer(&first))));
    body.expect(not(is_valid(load_pointer(&first), 1)));
    body.expect(not(is_freeable(load_pointer(&first))));
    body.then(Operation::Free(null()));
    // A new object is never where an old one was.
    let third = body.local("r", pointer);
    body.then(allocate(&third, 8, false));
    body.expect(not(equal(load_pointer(&third), load_pointer(&first))));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// What an offset leads to must be in the object that it started from, even if something else is
/// there.
#[test]
fn other_object() {
    let mut build = Build::new(4);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut body = Body::new("main");
    let (first, second) = (body.local("p", pointer), body.local("q", pointer));
    body.then(allocate(&first, 8, true));
    body.then(allocate(&second, 8, true));
    let distance = expr(
        ExprKind::Distance {
            left: Box::new(load_pointer(&second)),
            right: Box::new(load_pointer(&first)),
            size: 4,
        },
        Scalar::Int(I32),
    );
    let there = offset(load_pointer(&first), distance, 4);
    body.expect(equal(there.clone(), load_pointer(&second)));
    body.expect(is_valid(load_pointer(&second), 4));
    body.expect(not(is_valid(there.clone(), 4)));
    body.expect(not(is_alive(there)));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// Bad accesses without a check before them.
#[test]
fn bad_accesses() {
    type Make = fn(&mut Body, &Place, TypeId);
    let cases: [(Check, Make); 8] = [
        (Check::Null, |body, _, int| {
            body.assign(&deref(null(), int), num(1, I32));
        }),
        (Check::Null, |body, place, int| {
            body.assign(place, Expr::constant(8, Scalar::Pointer));
            body.assign(&deref(load_pointer(place), int), num(1, I32));
        }),
        (Check::Bounds, |body, place, int| {
            let behind = offset(load_pointer(place), num(1, I32), 4);
            body.assign(&deref(behind, int), num(1, I32));
        }),
        (Check::Bounds, |body, place, int| {
            let inside = offset(load_pointer(place), num(1, I32), 1);
            body.assign(&deref(inside, int), num(1, I32));
        }),
        (Check::Lifetime, |body, place, int| {
            body.then(Operation::Free(load_pointer(place)));
            body.assign(&deref(load_pointer(place), int), num(1, I32));
        }),
        (Check::Free, |body, place, _| {
            body.then(Operation::Free(load_pointer(place)));
            body.then(Operation::Free(load_pointer(place)));
        }),
        (Check::Free, |body, place, _| {
            let inside = offset(load_pointer(place), num(1, I32), 1);
            body.then(Operation::Free(inside));
        }),
        (Check::Free, |body, place, _| {
            body.then(Operation::Free(address(place.clone())));
        }),
    ];
    for (check, make) in cases {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let pointer = build.pointer(int);
        let mut body = Body::new("main");
        let place = body.local("p", pointer);
        body.then(allocate(&place, 4, true));
        make(&mut body, &place, int);
        let outcome = build.run(body);
        assert_eq!(undefined(&outcome), Some(check), "{outcome:?}");
    }
}

#[test]
fn arrays_end() {
    for index in [-1, 3, i64::from(i32::MAX)] {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let array = build.ty(Type::Array(int, 3));
        let mut body = Body::new("main");
        let place = body.local("a", array);
        body.assign(&element(&place, num(2, I32), int), num(1, I32));
        body.assign(&element(&place, num(index, I32), int), num(1, I32));
        assert_eq!(undefined(&build.run(body)), Some(Check::Bounds));
    }
}

#[test]
fn constants_stay() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let global = build.global("c", int, &[1, 0, 0, 0]);
    build.module.globals[0].is_const = true;
    let mut body = Body::new("main");
    let place = Place::whole(global, int);
    body.expect(equal(load_int(&place, I32), num(1, I32)));
    body.assign(&place, num(2, I32));
    assert_eq!(undefined(&build.run(body)), Some(Check::Bounds));
}

/// A pointer to a variable of a call that has returned.
#[test]
fn dangling() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut inner = Body::new("f");
    let result = inner.result(pointer);
    let local = inner.local("x", int);
    inner.assign(&local, num(1, I32));
    inner.assign(&result, address(local));
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let (first, second) = (body.local("p", pointer), body.local("q", pointer));
    body.call(inner, vec![], Some(&first));
    body.call(inner, vec![], Some(&second));
    body.expect(not(equal(load_pointer(&first), load_pointer(&second))));
    body.expect(not(is_alive(load_pointer(&first))));
    let operation = Operation::Check(Check::Lifetime, is_alive(load_pointer(&second)));
    body.then(operation);
    let options = Options {
        errors: Checks::NONE.with(Check::Lifetime),
        ..Options::default()
    };
    let (outcome, _) = build.run_with(body, options);
    assert!(matches!(
        outcome,
        Outcome::CheckFailed(Check::Lifetime, at) if at.function == build.module.entry
    ));
}

/// Whether bytes were given a value travels with them.
#[test]
fn initialised() {
    let mut build = Build::new(8);
    let (int, byte) = (build.int(I32), build.int(U8));
    let bytes = build.ty(Type::Array(byte, 4));
    let mut body = Body::new("main");
    let (first, second) = (body.local("a", bytes), body.local("b", bytes));
    let is_given = |place: &Place| {
        let kind = ExprKind::IsInitialised(Box::new(place.clone()));
        expr(kind, Scalar::Bool)
    };
    let at = |place: &Place, index| element(place, num(index, I32), byte);
    body.expect(not(is_given(&first)));
    body.assign(&at(&first, 1), num(1, U8));
    body.expect(is_given(&at(&first, 1)));
    body.expect(not(is_given(&first)));
    body.then(Operation::Copy(second.clone(), first.clone()));
    body.expect(is_given(&at(&second, 1)));
    body.expect(not(is_given(&at(&second, 2))));
    body.then(Operation::Zero(second.clone()));
    body.expect(is_given(&second));
    let why = Unknown::Uninitialised;
    body.then(Operation::Havoc(second.clone(), why));
    body.expect(not(is_given(&second)));
    body.then(Operation::Havoc(second.clone(), Unknown::Input));
    body.expect(is_given(&second));
    let pointer = build.pointer(int);
    let heap = body.local("p", pointer);
    body.then(allocate(&heap, 4, false));
    body.expect(not(is_given(&deref(load_pointer(&heap), int))));
    body.then(copy_bytes(load_pointer(&heap), address(at(&first, 0)), 4));
    body.expect(is_given(&at(&deref(load_pointer(&heap), bytes), 1)));
    body.expect(not(is_given(&at(&deref(load_pointer(&heap), bytes), 0))));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

#[test]
fn bit_fields() {
    let mut build = Build::new(8);
    let (int, unsigned) = (build.int(I32), build.int(U32));
    let (id, record) = build.record("b", false, 4, &[("a", int, 0), ("b", unsigned, 0)]);
    let widths = [
        Bits { start: 0, width: 3 },
        Bits {
            start: 3,
            width: 10,
        },
    ];
    let fields = &mut build.module.types.records[0].fields;
    fields[0].bits = Some(widths[0]);
    fields[1].bits = Some(widths[1]);
    let mut body = Body::new("main");
    let place = body.local("s", record);
    let mut first = field(&place, id, 0, int);
    first.bits = Some(widths[0]);
    let mut second = field(&place, id, 1, unsigned);
    second.bits = Some(widths[1]);
    body.assign(&first, num(5, I32));
    body.assign(&second, num(0x7ff, U32));
    body.expect(equal(load_int(&first, I32), num(-3, I32)));
    body.expect(equal(load_int(&second, U32), num(0x3ff, U32)));
    body.assign(&first, num(2, I32));
    body.expect(equal(load_int(&first, I32), num(2, I32)));
    body.expect(equal(load_int(&second, U32), num(0x3ff, U32)));
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// Globals may hold addresses of each other and of functions from the beginning.
#[test]
fn first_values() {
    for pointer_bytes in [4, 8] {
        let mut build = Build::new(pointer_bytes);
        let int = build.int(I32);
        let pointer = build.pointer(int);
        let array = build.ty(Type::Array(int, 2));
        let target = build.global("a", array, &[1, 0, 0, 0, 2, 0, 0, 0]);
        let holder = build.global("p", pointer, &[]);
        let address = (0, InitialValue::Global(GlobalId(0), 4));
        build.module.globals[1].addresses.push(address);
        let mut body = Body::new("main");
        let holder = Place::whole(holder, pointer);
        let second = load_int(&deref(load_pointer(&holder), int), I32);
        body.expect(equal(second, num(2, I32)));
        let there = element(&Place::whole(target, array), num(1, I32), int);
        body.expect(equal(load_pointer(&holder), build::address(there)));
        let local = body.local("x", int);
        let heap = body.local("h", pointer);
        body.then(allocate(&heap, 1, false));
        let less = |left, right| binary(Binary::Less, left, right);
        body.expect(less(load_pointer(&holder), load_pointer(&heap)));
        body.expect(less(load_pointer(&heap), build::address(local)));
        assert_eq!(build.run(body), Outcome::Exited(0));
    }
}

#[test]
fn leaks() {
    // Who holds the object at the end, and by which rule it is leaked.
    for (holder, rule, is_leaked) in [
        ("global", Leaks::NotFreed, true),
        ("global", Leaks::Unreachable, false),
        ("local", Leaks::Unreachable, true),
        ("inside", Leaks::Unreachable, false),
        ("freed", Leaks::NotFreed, false),
        ("freed", Leaks::Unreachable, false),
    ] {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let pointer = build.pointer(int);
        let global = Place::whole(build.global("g", pointer, &[]), pointer);
        let mut body = Body::new("main");
        let local = body.local("p", pointer);
        body.then(allocate(&local, 16, false));
        match holder {
            "global" => body.assign(&global, load_pointer(&local)),
            "inside" => {
                body.then(allocate(&global, 8, false));
                let inside = offset(load_pointer(&local), num(4, I32), 1);
                body.assign(&deref(load_pointer(&global), pointer), inside);
            }
            "freed" => body.then(Operation::Free(load_pointer(&local))),
            _ => {}
        }
        let options = Options {
            errors: Checks::NONE.with(Check::Leak),
            leaks: rule,
            ..Options::default()
        };
        let (outcome, _) = build.run_with(body, options);
        let found = matches!(outcome, Outcome::CheckFailed(Check::Leak, _));
        assert_eq!(found, is_leaked, "{holder} {rule:?}");
    }
}

/// Who made what is leaked.
#[test]
fn leaked_objects() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut body = Body::new("main");
    let place = body.local("p", pointer);
    body.then(allocate(&place, 16, false));
    body.then(allocate(&place, 24, false));
    build.module.entry = build.add(body.finish());
    let mut world = Native::new();
    let mut machine = Machine::new(&build.module, &mut world, Options::default());
    assert_eq!((machine.step(), machine.step()), (None, None));
    let numbers = |rule| {
        let leaks = machine.view().leaks(rule);
        let leaks = leaks.iter().map(|it| (it.number, it.size, it.made_by));
        leaks.collect::<Vec<_>>()
    };
    let main = build.module.entry;
    let (first, second) = ((1, 16, Some((main, 0))), (2, 24, Some((main, 1))));
    assert_eq!(numbers(Leaks::NotFreed), [first, second]);
    assert_eq!(numbers(Leaks::Unreachable), [first]);
}

/// Many objects come and go.
#[test]
fn many_objects() {
    for pointer_bytes in [4, 8] {
        let mut build = Build::new(pointer_bytes);
        let int = build.int(I32);
        let pointer = build.pointer(int);
        let mut body = Body::new("main");
        let (index, place) = (body.local("i", int), body.local("p", pointer));
        let kept = body.local("k", pointer);
        body.assign(&index, num(0, I32));
        body.then(allocate(&kept, 4, true));
        let head = body.here();
        let (inside, end) = (body.node(), body.node());
        let condition = binary(Binary::Less, load_int(&index, I32), num(300_000, I32));
        body.edge(head, inside, Operation::Assume(condition.clone()));
        body.edge(head, end, Operation::Assume(not(condition)));
        body.go_to(inside);
        body.then(allocate(&place, 8_000, false));
        body.then(Operation::Free(load_pointer(&place)));
        let from = body.here();
        let step = Operation::Assign(index.clone(), add(load_int(&index, I32), num(1, I32)));
        body.edge(from, head, step);
        body.go_to(end);
        body.assign(&deref(load_pointer(&kept), int), num(1, I32));
        assert_eq!(build.run(body), Outcome::Exited(0));
    }
}

#[test]
fn too_much() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let mut body = Body::new("main");
    let place = body.local("p", pointer);
    body.then(allocate(&place, 1 << 40, false));
    assert!(matches!(build.run(body), Outcome::OutOfMemory(_)));
}
