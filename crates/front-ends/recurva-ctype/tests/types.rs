//! Expressions have the types that GCC gives them, and constants its values.

mod support;

use std::fmt::Write;

use recurva_ctype::Target;
use support::{
    image::{MARK, compare, has_gcc},
    random::Random,
};

const PRELUDE: &str = r#"
enum e { E0, E1 }; enum neg { N0 = -1 }; enum big { B0 = 1, B1 = 0x100000000 };
enum small { S0 } __attribute__((packed));
struct s { int x; unsigned b3 : 3; unsigned b32 : 32; signed s5 : 5; _Bool flag : 1; int a[4];
  const int ci; struct { short inner; }; enum e be : 4; unsigned long ul20 : 20; };
union u { int i; float f; };
struct incomplete;
char c; signed char sc; unsigned char uc; short sh; unsigned short us; int i; unsigned ui;
long l; unsigned long ul; long long ll; unsigned long long ull; _Bool b;
float f; double d; long double ld; enum e en; enum neg neg; enum big big; enum small small;
int *ip; const int *cip; volatile int *vip; char *cp; const char *ccp; void *vp; const void *cvp;
int **ipp; int arr[10]; int arr2[3][4]; char text[5]; const char ctext[5];
struct s st, *sp; const struct s *csp; union u un; struct incomplete *inc;
int fn(int, char *); void vfn(void); int (*fp)(int, char *); double (*afp[3])(void); char *(*cfp)(void);
const int ci; volatile unsigned vu; int *const icp; int (*rowp)[4]; struct s sfn(void);
"#;

const TYPES: &[&str] = &[
    "void",
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "int *",
    "const int *",
    "volatile int *",
    "const volatile int *",
    "char *",
    "const char *",
    "void *",
    "const void *",
    "int **",
    "int[10]",
    "int[4]",
    "int[3][4]",
    "int (*)[4]",
    "int (*)[10]",
    "struct s",
    "struct s *",
    "const struct s *",
    "union u",
    "int(int, char *)",
    "int (*)(int, char *)",
    "void (*)(void)",
    "double (*)(void)",
    "double (**)(void)",
    "char[4]",
    "char[6]",
    "char (*)[6]",
    "enum e",
    "enum neg",
    "enum big",
    "enum small",
    "struct incomplete *",
    "unsigned *",
    "short *",
    "int (**)(int, char *)",
];

const EXPRESSIONS: &[&str] = &[
    // Literals.
    "1",
    "1u",
    "1l",
    "1ul",
    "1ll",
    "1ull",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0x100000000",
    "037777777777",
    "0x8000000000000000",
    "9223372036854775807",
    "1.0",
    "1.0f",
    "1.0l",
    "'a'",
    "L'a'",
    "u'a'",
    "U'a'",
    "'ab'",
    "\"abc\"",
    "\"hello\"",
    "&\"hello\"",
    "L\"abc\"",
    "u\"abc\"",
    "E1",
    "N0",
    "B0",
    "B1",
    "S0",
    // Promotions and arithmetic.
    "+c",
    "+sc",
    "+uc",
    "-sh",
    "~us",
    "+b",
    "-f",
    "!d",
    "!ip",
    "+en",
    "+neg",
    "+big",
    "+small",
    "c + c",
    "uc + uc",
    "us * us",
    "i + ui",
    "i + l",
    "ui + l",
    "ui + ll",
    "l + ul",
    "ul + ll",
    "l + ll",
    "ll + ull",
    "i + f",
    "ull + f",
    "f + d",
    "d + ld",
    "f * f",
    "i / d",
    "en + 1",
    "neg + 1",
    "big + 1",
    "b + b",
    "c << l",
    "l << c",
    "uc >> 1",
    "i % l",
    "ui & l",
    "us ^ sh",
    "i < l",
    "d == f",
    "ip == 0",
    "ip && l",
    "l || d",
    "-ui",
    "~b",
    "-b",
    "ui - ul",
    "sh << ull",
    // Bit-fields.
    "+st.b3",
    "+st.b32",
    "+st.s5",
    "+st.flag",
    "+st.be",
    "+st.ul20",
    "st.b3 + st.b3",
    "st.b32 + 1",
    "st.b3 - 5",
    "st.ul20 + 0",
    "(st.b3 = 1) + 0",
    "st.b3++ + 0",
    "(0, st.b3) + 0",
    "1 ? st.b3 : st.b3",
    "1 ? st.b3 : 1u",
    "-st.ul20",
    "~st.b32",
    "st.flag << 1",
    // Assignments.
    "c = 5",
    "c += 1.5",
    "us <<= 2",
    "f = i",
    "ip += 1",
    "ip = 0",
    "b = ip",
    "ci",
    "c++",
    "--us",
    "f++",
    "ip--",
    "en = E1",
    "un = un",
    "ccp = cp",
    "b++",
    // Pointers, arrays, members.
    "arr",
    "&arr",
    "&arr[1]",
    "arr + 1",
    "*arr",
    "arr2[1]",
    "&arr2[1]",
    "*arr2",
    "arr2 + 1",
    "1 + arr",
    "arr[2]",
    "2[arr]",
    "*ip",
    "&*ip",
    "&ip",
    "*ipp",
    "**ipp",
    "ip - ip",
    "cp - cp",
    "vp + 1",
    "vp - vp",
    "*rowp",
    "rowp[0][1]",
    "st.a",
    "st.x",
    "sp->a",
    "csp->x",
    "csp->a",
    "&csp->x",
    "&st.ci",
    "sp->inner",
    "&csp->inner",
    "csp->a + 0",
    "&csp->a",
    "*csp",
    "&*csp",
    "sfn().x",
    "sfn().a + 0",
    "text",
    "&text",
    "ctext + 0",
    "&ci",
    "&vu",
    "icp",
    "&icp",
    "vip",
    "*vip",
    "+*vip",
    "inc",
    // Functions.
    "fn",
    "&fn",
    "*fn",
    "**fp",
    "fp",
    "fn(1, cp)",
    "(*fp)(1, cp)",
    "vfn()",
    "afp[1]",
    "afp[1]()",
    "afp + 1",
    "cfp()",
    "&fp",
    "1 ? fn : fp",
    "sfn()",
    "fp == 0",
    // Conditionals.
    "1 ? i : l",
    "1 ? c : c",
    "1 ? us : sc",
    "1 ? ip : 0",
    "1 ? 0 : ip",
    "1 ? ip : cip",
    "1 ? ip : vp",
    "1 ? cip : vp",
    "1 ? ip : (void *)0",
    "1 ? cip : vip",
    "1 ? st : st",
    "1 ? vfn() : vfn()",
    "1 ? f : i",
    "1 ? arr : ip",
    "1 ? \"abc\" : 0",
    "i ?: l",
    "ip ?: 0",
    "1 ? cip : ip",
    "1 ? vp : cvp",
    "1 ? en : en",
    "1 ? b : b",
    "1 ? b : c",
    // Casts, sizes, others.
    "(char)1",
    "(const int)1",
    "(void)0",
    "(long)ip",
    "(int *)l",
    "sizeof(int)",
    "_Alignof(int)",
    "sizeof arr",
    "(i, l)",
    "(i, arr)",
    "(int[4]){1}",
    "(struct s){1}",
    "&(struct s){1}",
    "(const int){1}",
    "_Generic(i, int: 1.0f, default: 1)",
    "_Generic(ci, int: 1, default: 1.0)",
    "_Generic(arr, int *: 1L, default: 1)",
    "_Generic(\"a\", char *: 1u, default: 1)",
    "({ i; l; })",
    "({ arr; })",
    "({ int q = 3; q; })",
    "({ ; })",
    "__builtin_expect(i, 1)",
    "__builtin_offsetof(struct s, x)",
    "__builtin_choose_expr(1, f, d)",
    "__builtin_strlen(cp)",
    "__builtin_memcpy(vp, vp, 1)",
    "__builtin_abs(1)",
    "__builtin_fabsf(f)",
    "__builtin_inf()",
    "__builtin_clz(1)",
    "__builtin_bswap16(1)",
    "__builtin_bswap64(1)",
    "__builtin_alloca(1)",
    "__builtin_types_compatible_p(int, long)",
    "__builtin_constant_p(1)",
    "__real__ d",
];

fn compare_types(target: Target) {
    if !has_gcc() {
        return;
    }
    let mut text = String::from(PRELUDE);
    // Expressions stand in a function: not all of them may stand outside.
    let _ = writeln!(text, "void all(void) {{");
    for (number, expression) in EXPRESSIONS.iter().enumerate() {
        let _ = write!(text, "static char t_{number} [] {MARK} = {{");
        for ty in TYPES {
            let _ = write!(
                text,
                "__builtin_types_compatible_p(__typeof__({expression}), __typeof__({ty})), "
            );
        }
        let _ = writeln!(text, "}}; // {expression}");
    }
    let _ = writeln!(text, "}}");
    compare(&text, target);
}

#[test]
fn types_on_64_bits() {
    compare_types(Target::lp64());
}

#[test]
fn types_on_32_bits() {
    compare_types(Target::ilp32());
}

const ATOMS: &[&str] = &[
    "0",
    "1",
    "2",
    "7",
    "100",
    "255",
    "65535",
    "2147483647",
    "(-1)",
    "(-128)",
    "1u",
    "4294967295u",
    "0x80000000",
    "3l",
    "5ul",
    "0x123456789abcLL",
    "0xffffffffffffffffull",
    "'a'",
    "'\\377'",
    "(char)200",
    "(unsigned char)200",
    "(short)40000",
    "(_Bool)2",
    "E1",
    "N0",
    "B1",
    "sizeof(int)",
    "sizeof(struct s)",
    "(int)3.9",
    "(unsigned)2.5f",
    "(-2147483647 - 1)",
    "L'x'",
];

/// A random constant expression, of an integer type.
fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.once_in(6) {
        return random.of(ATOMS).to_string();
    }
    let mut part = || integer(random, depth - 1);
    let (left, right, third) = (part(), part(), part());
    match random.below(26) {
        0..3 => format!("({left} + {right})"),
        3..6 => format!("({left} - {right})"),
        6..8 => format!("({left} * {right})"),
        8 => format!("({left} / (({right} & 1023) + 1))"),
        9 => format!("({left} % (({right} & 1023) + 1))"),
        10 => format!("({left} << ({right} & 15))"),
        11 => format!("({left} >> ({right} & 15))"),
        12 => format!("({left} & {right})"),
        13 => format!("({left} | {right})"),
        14 => format!("({left} ^ {right})"),
        15 => format!("({left} < {right})"),
        16 => format!("({left} >= {right})"),
        17 => format!("({left} == {right})"),
        18 => format!("({left} ? {right} : {third})"),
        19 => format!("({left} && {right})"),
        20 => format!("(~{left})"),
        21 => format!("(-{left})"),
        22 => format!("(!{left})"),
        23 => {
            let ty = random.of(&[
                "char",
                "unsigned char",
                "short",
                "unsigned",
                "long",
                "_Bool",
            ]);
            format!("(({ty}){left})")
        }
        24 => format!("(int)(float)({left} & 0xffff)"),
        _ => format!("(({left} & 0xff) * 0.25 > {right})"),
    }
}

/// A random constant expression of a floating-point type, with values that stay small.
fn floating(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.once_in(6) {
        let atom = random.of(&[
            "1.5", "0.1", "0.1f", "3", "2.0f", "1e10", "0x1.8p3", "-7.25", "100u",
        ]);
        return atom.to_string();
    }
    let (left, right) = (floating(random, depth - 1), floating(random, depth - 1));
    match random.below(6) {
        0 => format!("({left} + {right})"),
        1 => format!("({left} - {right})"),
        2 => format!("({left} * {right})"),
        3 => format!("({left} / ({right} + 1000))"),
        4 => format!("(float){left}"),
        _ => format!("({left} < {right} ? {left} : {right})"),
    }
}

fn compare_constants(target: Target) {
    if !has_gcc() {
        return;
    }
    let mut random = Random::new(7);
    let mut text = String::from(PRELUDE);
    for number in 0..600 {
        let expression = integer(&mut random, 4);
        let _ = writeln!(
            text,
            "unsigned long long t_{number} [] {MARK} = {{ {expression}, sizeof({expression}), \
             ({expression}) / 2 < 0 }};"
        );
    }
    // The machine for 32 bits computes in more bits than it stores, constants too.
    if target == Target::lp64() {
        for number in 0..300 {
            let expression = floating(&mut random, 3);
            let _ = writeln!(text, "double t_f{number} {MARK} = {expression};");
            let _ = writeln!(text, "float t_g{number} {MARK} = {expression};");
            let _ = writeln!(text, "int t_h{number} {MARK} = {expression};");
        }
    }
    compare(&text, target);
}

#[test]
fn constants_on_64_bits() {
    compare_constants(Target::lp64());
}

#[test]
fn constants_on_32_bits() {
    compare_constants(Target::ilp32());
}
