//! Modules as text, and values in C's terms.

mod build;

use build::*;
use recurva_cir::interpret::{Machine, Options, Replay};
use recurva_cir::*;

#[test]
fn module_as_text() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let char = build.ty(Type::Char(I8));
    let id = RecordId(0);
    let node = build.ty(Type::Record(id));
    let pointer = build.pointer(node);
    build.record(
        "node",
        false,
        16,
        &[("value", int, 0), ("next", pointer, 8)],
    );
    let row = build.ty(Type::Array(int, 3));
    build.global("count", int, &[5]);
    let text = build.string("hi\n");
    let callee = build.external("puts", Some(int));
    let mut body = Body::new("main");
    let list = body.parameter("list", pointer);
    let result = body.result(int);
    let array = body.local("a", row);
    let temporary = body.local_of_kind("t1", char, LocalKind::Temporary);
    let head = load_pointer(&list);
    let value = field(&deref(head.clone(), node), id, 0, int);
    let next = field(&deref(head.clone(), node), id, 1, pointer);
    body.then(Operation::Check(Check::Null, not(equal(head, null()))));
    let second = element(&array, load_int(&value, I32), int);
    body.assign(&second, add(load_int(&value, I32), num(-1, I32)));
    body.assign(&list, load_pointer(&next));
    let after = deref(load_pointer(&list), node);
    body.assign(&list, offset(address(after), num(1, I64), 16));
    body.call(callee, vec![text], Some(&result));
    body.then(Operation::Havoc(temporary, Unknown::Nondet("any".into())));
    body.then(Operation::Free(load_pointer(&list)));
    body.then(Operation::Exit(convert(
        load_int(&result, I32),
        Scalar::Int(I32),
    )));
    build.module.entry = build.add(body.finish());
    validate(&build.module).unwrap();
    let expected = "\
global count: i32 = 05000000
global #1: [char; 4] = 68690a00

function puts(...): i32

function main(list: *struct node): i32 // entry
  local result: i32
  local a: [i32; 3]
  temporary t1: char
  0 -> 1: check null: !(list == NULL)
  1 -> 2: a[list->value] = (list->value + -1)
  2 -> 3: list = list->next
  3 -> 4: list = (&*list + 1 * 16)
  4 -> 5: result = call puts(&\"hi\\n\"[0])
  5 -> 6: havoc t1: nondet any
  6 -> 7: free list
  7 -> 8: exit (i32) result
  from 0 to 8
  returns result
";
    assert_eq!(build.module.to_string(), expected);
}

/// Runs a function to its last step, and shows all its variables.
fn locals(mut build: Build, body: Body) -> Vec<String> {
    build.module.entry = build.add(body.finish());
    validate(&build.module).unwrap();
    let mut world = Replay::default();
    let mut machine = Machine::new(&build.module, &mut world, Options::default());
    for _ in 0..build.module.function(build.module.entry).edges.len() {
        assert_eq!(machine.step(), None);
    }
    let shown = machine.view().locals(0);
    shown
        .into_iter()
        .map(|it| format!("{} = {}", it.name, it.value))
        .collect()
}

#[test]
fn scalars() {
    let mut build = Build::new(8);
    build.module.types.enums.push(Enumeration {
        name: "colour".into(),
        constants: vec![("RED".into(), 0), ("BLUE".into(), -2)],
    });
    let colour = build.ty(Type::Enum(I32, EnumId(0)));
    let char = build.ty(Type::Char(I8));
    let truth = build.ty(Type::Bool);
    let (int, word) = (build.int(I32), build.int(U64));
    let single = build.ty(Type::Float(Float::Single));
    let mut body = Body::new("main");
    let values = [
        ("i", int, num(-3, I32)),
        ("u", word, num(-1, U64)),
        ("red", colour, num(0, I32)),
        ("blue", colour, num(-2, I32)),
        ("other", colour, num(7, I32)),
        ("c", char, num(97, I8)),
        ("nul", char, num(0, I8)),
        ("newline", char, num(10, I8)),
        ("quote", char, num(39, I8)),
        ("high", char, num(-128, I8)),
        ("b", truth, num(1, U8)),
        (
            "f",
            single,
            expr(ExprKind::Float(0.1), Scalar::Float(Float::Single)),
        ),
    ];
    for (name, ty, value) in values {
        let place = body.local(name, ty);
        body.assign(&place, value);
    }
    body.local("none", int);
    let expected = [
        "i = -3",
        "u = 18446744073709551615",
        "red = RED",
        "blue = BLUE",
        "other = 7",
        "c = 'a' (97)",
        "nul = '\\0' (0)",
        "newline = '\\n' (10)",
        "quote = '\\'' (39)",
        "high = -128",
        "b = true",
        "f = 0.1",
        "none = 0 (uninitialised)",
    ];
    assert_eq!(locals(build, body), expected);
}

#[test]
fn pointers() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let char = build.ty(Type::Char(I8));
    let text_type = build.ty(Type::Array(char, 6));
    let to_char = build.pointer(char);
    let to_int = build.pointer(int);
    let row = build.ty(Type::Array(int, 10));
    let fields = [("x", int, 0), ("p", to_int, 8)];
    let (id, pair) = build.record("pair", false, 16, &fields);
    let to_pair = build.pointer(pair);
    let pairs = build.ty(Type::Array(pair, 2));
    let function = build.ty(Type::Function);
    let to_function = build.pointer(function);
    let text = build.string("hello");
    let rest = offset(text.clone(), num(2, I32), 1);
    let global = Place::whole(build.global("g", int, &[]), int);
    let mut body = Body::new("main");
    let array = body.local("a", row);
    let record = body.local("s", pair);
    let nested = body.local("list", pairs);
    let buffer = body.local("buffer", text_type);
    let heap = body.local("h", to_int);
    body.then(Operation::Zero(array.clone()));
    body.then(Operation::Zero(nested.clone()));
    body.then(Operation::CopyBytes {
        to: address(buffer.clone()),
        from: text.clone(),
        count: num(6, U64),
    });
    body.assign(&element(&array, num(1, I32), int), num(5, I32));
    body.assign(&field(&record, id, 0, int), num(1, I32));
    body.assign(
        &field(&record, id, 1, to_int),
        address(element(&array, num(3, I32), int)),
    );
    body.then(Operation::Allocate {
        result: heap.clone(),
        size: num(16, U64),
        storage: Storage::Heap,
        is_zeroed: true,
    });
    let second = element(&nested, num(1, I32), pair);
    let pointers = [
        ("null", to_int, null()),
        ("global", to_int, address(global.clone())),
        ("behind", to_int, offset(address(global), num(1, I32), 4)),
        ("end", to_int, address(element(&array, num(10, I32), int))),
        ("x", to_int, address(field(&second, id, 0, int))),
        ("whole", to_pair, address(second.clone())),
        ("p", to_pair, address(field(&second, id, 1, to_int))),
        ("text", to_char, text),
        ("rest", to_char, rest),
        (
            "inside",
            to_char,
            address(element(&buffer, num(2, I32), char)),
        ),
        ("heap", to_int, offset(load_pointer(&heap), num(2, I32), 4)),
        (
            "function",
            to_function,
            expr(ExprKind::Function(FunctionId(0)), Scalar::Pointer),
        ),
        ("number", to_int, Expr::constant(77, Scalar::Pointer)),
    ];
    for (name, ty, value) in pointers {
        let place = body.local(name, ty);
        body.assign(&place, value);
    }
    body.then(Operation::Free(load_pointer(&heap)));
    let expected = [
        "a = { 0, 5, 0, 0, 0, 0, 0, 0, ... 2 more }",
        "s = { .x = 1, .p = &a[3] }",
        "list = { { .x = 0, .p = NULL }, { .x = 0, .p = NULL } }",
        "buffer = \"hello\"",
        "h = freed malloc#1",
        "null = NULL",
        "global = &g",
        "behind = &g + 1",
        "end = &a[10]",
        "x = &list[1].x",
        "whole = &list[1]",
        "p = &list[1].p",
        "text = \"hello\"",
        "rest = \"llo\"",
        "inside = &buffer[2]",
        "heap = freed malloc#1 + 8",
        "function = &main",
        "number = 0x4d",
    ];
    assert_eq!(locals(build, body), expected);
}
