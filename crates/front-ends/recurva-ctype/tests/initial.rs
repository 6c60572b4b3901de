//! Initial values put the bytes where GCC puts them.

mod support;

use std::fmt::Write;

use recurva_ctype::{Target, typed::ExprKind};
use support::{
    checked,
    image::{MARK, compare, has_gcc},
    random::Random,
};

const TYPES: &str = r#"
typedef struct { int x, y; } P;
typedef struct { P p; char name[4]; short tail[3]; } Q;
typedef union { int i; char c[8]; P p; } U;
typedef struct { int a; struct { int b; union { char c; long d; }; }; int e; } N;
typedef struct { unsigned f : 3; int : 0; int g : 7; unsigned h : 17; } B;
typedef struct { int n; short more[]; } F;
typedef struct { U u; Q q[2]; int last; } R;
"#;

const OBJECTS: &[(&str, &str)] = &[
    ("int # ", "5"),
    ("int # ", "{ 5 }"),
    ("int # ", "{ { 5 } }"),
    ("int #[3] ", "{ 1, 2 }"),
    ("int #[] ", "{ 1, 2, 3, }"),
    ("int #[] ", "{ [5] = 1, 2, [0] = 3, 4 }"),
    ("int #[] ", "{ [2 ... 5] = 7, 8 }"),
    ("int #[2][3] ", "{ 1, 2, 3, 4 }"),
    ("int #[2][3] ", "{ { 1 }, { 2, 3 } }"),
    ("int #[][3] ", "{ { 1 }, { 2, 3 }, 4, 5 }"),
    ("int #[][2] ", "{ [1][1] = 3, 4, [0] = { 9 } }"),
    ("int #[3][2] ", "{ [0 ... 2] = { 1, 2 } }"),
    ("int #[3][2] ", "{ [0 ... 2][1] = 5 }"),
    ("char #[] ", "\"abc\""),
    ("char #[3] ", "\"abc\""),
    ("char #[6] ", "\"abc\""),
    ("char #[] ", "{ \"abc\" }"),
    ("char #[] ", "(\"abc\" \"\\x41\\0z\")"),
    ("char #[2][4] ", "{ \"ab\", \"cd\" }"),
    ("char #[][4] ", "{ \"ab\", { 'c' }, \"ef\" }"),
    ("unsigned char #[] ", "\"\\377\\n\""),
    ("__WCHAR_TYPE__ #[] ", "L\"a\\u00e4\""),
    ("unsigned short #[] ", "u\"hi\""),
    ("P # ", "{ 1, 2 }"),
    ("P # ", "{ .y = 2 }"),
    ("P # ", "{ .y = 2, .x = 1 }"),
    ("P # ", "{ y: 3, x: 4 }"),
    ("P # ", "(P){ 7, 8 }"),
    ("P #[] ", "{ 1, 2, 3 }"),
    ("P #[] ", "{ { 1 }, (P){ 2, 3 }, 4 }"),
    ("P #[2] ", "{ [0].y = 1, [1].x = 2, 3 }"),
    ("P #[2] ", "{ [0] = { 1, 2 }, [0].y = 5 }"),
    ("P #[2] ", "{ [0].y = 5, [0] = { 1 } }"),
    ("Q # ", "{ 1, 2, \"abc\", 3, 4 }"),
    ("Q # ", "{ { 1, 2 }, { 'a', 'b' }, { 3 } }"),
    ("Q # ", "{ .name = \"xy\", 5, 6, 7 }"),
    ("Q # ", "{ .p.y = 9, \"q\" }"),
    ("Q # ", "{ .tail[1] = 9, }"),
    ("Q #[2] ", "{ 1, 2, \"ab\", 3, 4, 5, 6, 7, \"cd\" }"),
    ("U # ", "{ 5 }"),
    ("U # ", "{ .c = \"abcdefg\" }"),
    ("U # ", "{ .p = { 1, 2 } }"),
    ("U # ", "{ .p.y = 2 }"),
    ("U #[2] ", "{ 1, 2 }"),
    ("U #[2] ", "{ { .c = { 1, 2, 3 } }, { 9 } }"),
    ("N # ", "{ 1, 2, 3, 4 }"),
    ("N # ", "{ 1, { 2, { 3 } }, 4 }"),
    ("N # ", "{ .b = 2, .e = 5 }"),
    ("N # ", "{ .d = 2, 5 }"),
    ("N # ", "{ .c = 2, .a = 5 }"),
    ("B # ", "{ 1, 2, 3 }"),
    ("B # ", "{ -1, -1, -1 }"),
    ("B # ", "{ .h = 70000, .f = 9 }"),
    ("F # ", "{ 1, { 2, 3, 4 } }"),
    ("F # ", "{ 1 }"),
    (
        "R # ",
        "{ 1, 2, 3, \"ab\", 4, 5, 6, 7, 8, \"x\", 9, 10, 11, 12 }",
    ),
    ("R # ", "{ .q[1].name[2] = 'z', 'w', 5, .u.c[3] = 1 }"),
    ("struct { char a[2][2], b; } # ", "{ \"a\", \"b\", 3 }"),
    ("struct { int a[0]; int b; } # ", "{ .b = 3 }"),
    ("_Bool #[] ", "{ 2, 0.5, 0, \"x\" != 0 }"),
    ("float #[] ", "{ 1, 2.5, 'a' }"),
    ("unsigned char #[] ", "{ 300, -1, 3.7 }"),
    ("enum { X, Y = 5, Z } #[] ", "{ X, Y, Z }"),
    ("long # ", "(long)&((N *)0)->e"),
    ("int # ", "&((P *)8)->y - (int *)0"),
    ("int # ", "1 ? 2 : 1 / 0"),
    ("int # ", "sizeof((int[]){ 1, 2, 3 })"),
    ("int # ", "{ }"),
    ("P # ", "{ }"),
    ("int #[2] ", "{ }"),
];

fn compare_objects(target: Target) {
    if !has_gcc() {
        return;
    }
    let mut text = TYPES.to_string();
    for (number, (declaration, value)) in OBJECTS.iter().enumerate() {
        // GCC 12 has no empty value for a number.
        if *value == "{ }" && declaration.starts_with("int # ") {
            continue;
        }
        let wide = if target == Target::ilp32() {
            "long"
        } else {
            "int"
        };
        let declaration = declaration
            .replace('#', &format!("t_{number}"))
            .replace("__WCHAR_TYPE__", wide);
        let _ = writeln!(text, "{declaration} {MARK} = {value};");
    }
    compare(&text, target);
}

#[test]
fn objects_on_64_bits() {
    compare_objects(Target::lp64());
}

#[test]
fn objects_on_32_bits() {
    compare_objects(Target::ilp32());
}

/// A random list for a type, with braces left out and parts designated at random.
fn value(random: &mut Random, ty: &str, depth: u32) -> String {
    let number = random.below(100);
    match ty {
        "P" => {
            let (x, y) = (value(random, "int", depth), value(random, "int", depth));
            match random.below(4) {
                0 => format!("{{ .y = {y}, .x = {x} }}"),
                1 => format!("{{ .y = {y} }}"),
                2 if depth > 0 => format!("{x}, {y}"),
                _ => format!("{{ {x}, {y} }}"),
            }
        }
        "Q" => {
            let p = value(random, "P", 1);
            let (a, b) = (random.below(9), random.below(9));
            match random.below(4) {
                0 => format!("{{ {p}, \"ab\", {a}, {b} }}"),
                1 => format!("{{ .tail = {{ {a} }}, .p = {{ {b} }}, \"xyz\" }}"),
                2 => format!("{{ .name[1] = {a}, {b}, 3, {a} }}"),
                _ => format!("{{ {{ {a} }}, {{ \"n\" }}, [0 ... 1].x = 1 }}")
                    .replace(", [0 ... 1].x = 1", ", { [0 ... 1] = 4 }"),
            }
        }
        "U" => match random.below(3) {
            0 => format!("{{ .c = {{ [2 ... 4] = {number} }} }}"),
            1 => format!("{{ .p = {{ 3, {number} }} }}"),
            _ => format!("{{ {number} }}"),
        },
        "R" => {
            let (u, q) = (value(random, "U", 0), value(random, "Q", 0));
            let other = value(random, "Q", 0);
            match random.below(3) {
                0 => format!("{{ {u}, {{ {q}, {other} }}, {number} }}"),
                1 => format!("{{ .q[1] = {q}, {number}, .u = {u} }}"),
                _ => format!("{{ .q = {{ [1] = {other}, [0] = {q} }}, .u = {u} }}"),
            }
        }
        _ => number.to_string(),
    }
}

#[test]
fn random_lists() {
    if !has_gcc() {
        return;
    }
    let mut random = Random::new(3);
    let mut text = TYPES.to_string();
    for number in 0..400 {
        let ty = random.of(&["P", "Q", "U", "R"]);
        let one = value(&mut random, ty, 0);
        let _ = writeln!(text, "{ty} t_{number} {MARK} = {one};");
        let two = value(&mut random, ty, 0);
        let _ = writeln!(
            text,
            "{ty} t_a{number} [] {MARK} = {{ {one}, [3] = {two}, {one} }};"
        );
    }
    compare(&text, Target::lp64());
    compare(&text, Target::ilp32());
}

#[test]
fn long_lists_are_fast() {
    let mut text = String::from("int table[] = {");
    for number in 0..1_000_000 {
        let _ = write!(text, "{number},");
    }
    text.push_str("};\nint zero[1000000] = { [0 ... 999999] = 1 };\n");
    let start = std::time::Instant::now();
    let checked = checked(text.as_bytes(), Target::lp64()).expect("the text can be read");
    let unit = checked.unit.expect("nothing is wrong");
    assert_eq!(
        unit.objects[0].init.as_ref().map(|it| it.parts.len()),
        Some(1_000_000)
    );
    assert_eq!(
        unit.objects[1].init.as_ref().map(|it| it.parts.len()),
        Some(1_000_000)
    );
    assert!(
        start.elapsed().as_secs() < 20,
        "it takes {:?}",
        start.elapsed()
    );
}

#[test]
fn addresses_are_trees_of_constants() {
    let text =
        b"int a[9]; struct { int x, y[3]; } s; int *p = &a[1 + 2], *q = s.y + 1, *r = 1 ? a : 0;\n\
        const char *t = \"abc\" + 1; void f(void); void (*g)(void) = f; long l = (long)&s.y[2];";
    let checked = checked(text, Target::lp64()).expect("the text can be read");
    let unit = checked.unit.expect("nothing is wrong");
    for object in &unit.objects {
        for part in object.init.iter().flat_map(|it| &it.parts) {
            let mut open = vec![part.value];
            while let Some(id) = open.pop() {
                match &unit.expr(id).kind {
                    ExprKind::Constant(_)
                    | ExprKind::Object(_)
                    | ExprKind::Function(_)
                    | ExprKind::Text(_) => {}
                    ExprKind::Address(inner) | ExprKind::Decay(inner) | ExprKind::Deref(inner) => {
                        open.push(*inner);
                    }
                    ExprKind::Convert { operand, .. } => open.push(*operand),
                    ExprKind::Member(inner, ..) => open.push(*inner),
                    ExprKind::PointerAdd(pointer, index) => {
                        assert!(matches!(unit.expr(*index).kind, ExprKind::Constant(_)));
                        open.push(*pointer);
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
