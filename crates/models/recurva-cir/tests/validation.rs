//! Modules that are refused, and what is said of them.

mod build;

use build::*;
use recurva_cir::*;

/// A change to a module, to be refused with a message.
type Damage = fn(&mut Module);

/// A module with a bit of everything.
fn sound() -> Module {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let pointer = build.pointer(int);
    let (_, record) = build.record("s", false, 8, &[("x", int, 0), ("y", int, 4)]);
    build.global("g", int, &[]);
    let mut inner = Body::new("f");
    let parameter = inner.parameter("n", int);
    let result = inner.result(int);
    inner.assign(&result, load_int(&parameter, I32));
    let inner = build.add(inner.finish());
    let mut body = Body::new("main");
    let (place, address_of) = (body.local("x", int), body.local("p", pointer));
    body.local("s", record);
    body.local_of_kind("t", int, LocalKind::Temporary);
    body.assign(&place, num(1, I32));
    body.assign(&address_of, address(place.clone()));
    body.call(inner, vec![num(1, I32)], Some(&place));
    body.expect(equal(load_int(&place, I32), num(1, I32)));
    build.module.entry = build.add(body.finish());
    build.module
}

fn main_of(module: &mut Module) -> &mut Function {
    &mut module.functions[1]
}

fn first(module: &mut Module) -> &mut Operation {
    &mut main_of(module).edges[0].operation
}

fn local(index: u32, ty: u32) -> Place {
    Place::whole(Var::Local(LocalId(index)), TypeId(ty))
}

#[test]
fn damaged() {
    validate(&sound()).unwrap();
    let cases: Vec<(&str, Damage)> = vec![
        ("pointers have 3 bytes", |it| it.types.pointer_bytes = 3),
        ("there is no type 77", |it| it.globals[0].ty = TypeId(77)),
        ("is an array of itself", |it| {
            let id = TypeId(it.types.list.len() as u32);
            it.types.list.push(Type::Array(id, 2));
        }),
        ("field `y` lies outside", |it| it.types.records[0].size = 7),
        ("it has 0 bytes", |it| it.globals[0].bytes.clear()),
        ("the address at 0 is of nothing", |it| {
            it.globals[0].bytes = vec![0; 8];
            let value = InitialValue::Function(FunctionId(9));
            it.globals[0].addresses.push((0, value));
        }),
        ("no entry function", |it| it.entry = FunctionId(5)),
        ("more parameters than", |it| it.functions[0].parameters = 9),
        ("of the result has another type", |it| {
            it.functions[0].result_type = Some(TypeId(1));
        }),
        ("has an end at no node", |it| {
            main_of(it).edges[0].to = NodeId(99);
        }),
        ("leaves the exit", |it| {
            let exit = main_of(it).exit;
            main_of(it).edges[0].from = exit;
        }),
        ("are not sorted", |it| main_of(it).edges.reverse()),
        ("not all are assumptions", |it| {
            let copy = main_of(it).edges[0].clone();
            main_of(it).edges.insert(0, copy);
        }),
        ("than the place", |it| {
            *first(it) = Operation::Assign(local(0, 0), num(1, I64));
        }),
        ("has to fit its type", |it| {
            let large = Expr::constant(1 << 32, Scalar::Int(I32));
            *first(it) = Operation::Assign(local(0, 0), large);
        }),
        ("there is no variable 44", |it| {
            *first(it) = Operation::Zero(local(44, 0));
        }),
        ("it has another type", |it| {
            *first(it) = Operation::Zero(local(0, 1));
        }),
        ("a step does not fit", |it| {
            let place = field(&local(0, 0), RecordId(0), 0, TypeId(0));
            *first(it) = Operation::Zero(place);
        }),
        ("there is no field 5", |it| {
            let place = field(&local(2, 2), RecordId(0), 5, TypeId(0));
            *first(it) = Operation::Zero(place);
        }),
        ("a temporary has no address", |it| {
            *first(it) = Operation::Assign(local(1, 1), address(local(3, 0)));
        }),
        ("operands' types do not fit", |it| {
            let sum = add(num(1, I32), num(1, U32));
            *first(it) = Operation::Assign(local(0, 0), sum);
        }),
        ("has the wrong type", |it| {
            *first(it) = Operation::Assume(num(1, I32));
        }),
        ("takes 1 arguments, not 0", |it| {
            let arguments = Vec::new();
            *first(it) = Operation::Call {
                callee: Callee::Function(FunctionId(0)),
                arguments,
                result: None,
            };
        }),
        ("argument 1 of `f`", |it| {
            let arguments = vec![Argument::Value(null())];
            *first(it) = Operation::Call {
                callee: Callee::Function(FunctionId(0)),
                arguments,
                result: None,
            };
        }),
        ("there is no function 9", |it| {
            *first(it) = Operation::Call {
                callee: Callee::Function(FunctionId(9)),
                arguments: Vec::new(),
                result: None,
            };
        }),
        ("is no list of arguments", |it| {
            *first(it) = Operation::VaStart(local(0, 0));
        }),
        ("different types", |it| {
            *first(it) = Operation::Copy(local(0, 0), local(2, 2));
        }),
    ];
    for (message, damage) in cases {
        let mut module = sound();
        damage(&mut module);
        let found = validate(&module).expect_err(message).to_string();
        assert!(found.contains(message), "{message}: {found}");
    }
}

/// A message names the function and the edge.
#[test]
fn message() {
    let mut module = sound();
    *first(&mut module) = Operation::Free(num(1, I32));
    let error = validate(&module).unwrap_err();
    assert_eq!(
        error.to_string(),
        "function `main`, edge 0 -> 1 (free 1): `1` has the wrong type"
    );
    assert_eq!((error.function, error.edge), (Some(FunctionId(1)), Some(0)));
}
