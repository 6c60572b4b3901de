//! Random records lie in memory as GCC lays them out.

mod support;

use std::fmt::Write;

use recurva_ctype::Target;
use support::{
    image::{MARK, compare, has_gcc},
    random::Random,
};

const PLAIN: &[&str] = &[
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
    "char *",
    "_Bool",
    "enum e",
    "T1",
    "T16",
];

const BITS: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum e", 32),
];

/// A record that is made up.
struct Made {
    text: String,
    /// What can be asked for its offset.
    fields: Vec<String>,
    bit_fields: Vec<String>,
}

fn attribute(random: &mut Random) -> &'static str {
    match random.below(14) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(2)))",
        2 => " __attribute__((aligned(8)))",
        3 => " __attribute__((packed, aligned(4)))",
        4 => " __attribute__((aligned))",
        _ => "",
    }
}

/// The fields of a record; nested ones without a name have fields of their own.
fn fields(random: &mut Random, number: usize, depth: u32, made: &mut Made, count: &mut u32) {
    for _ in 0..1 + random.below(6) {
        *count += 1;
        let name = format!("f{count}");
        match random.below(12) {
            0..5 => {
                let (ty, most) = BITS[random.below(BITS.len() as u64) as usize];
                let width = 1 + random.below(most);
                let attribute = if random.once_in(3) {
                    attribute(random)
                } else {
                    ""
                };
                let _ = write!(made.text, "{ty} {name} : {width}{attribute}; ");
                made.bit_fields.push(name);
            }
            5 => {
                let (ty, most) = BITS[random.below(BITS.len() as u64) as usize];
                let width = if random.once_in(2) {
                    0
                } else {
                    random.below(most + 1)
                };
                let _ = write!(made.text, "{ty} : {width}; ");
            }
            6 if depth < 2 => {
                let keyword = random.of(&["struct", "union"]);
                let _ = write!(made.text, "{keyword} {{ ");
                fields(random, number, depth + 1, made, count);
                let attribute = attribute(random);
                let _ = write!(made.text, "}}{attribute}; ");
            }
            7 => {
                let ty = random.of(PLAIN);
                // Elements with more alignment than size are no elements.
                let ty = if ty == "T16" { "int" } else { ty };
                let length = random.below(4);
                let _ = write!(made.text, "{ty} {name}[{length}]; ");
                made.fields.push(name);
            }
            8 if number > 0 => {
                let other = random.below(number as u64);
                let _ = write!(made.text, "struct s{other} {name}; ");
                made.fields.push(name);
            }
            _ => {
                let ty = random.of(PLAIN);
                let attribute = if random.once_in(2) {
                    attribute(random)
                } else {
                    ""
                };
                let _ = write!(made.text, "{ty} {name}{attribute}; ");
                made.fields.push(name);
            }
        }
    }
}

fn records(seed: u64, how_many: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "enum e { A, B };\ntypedef int T1 __attribute__((aligned(1)));\n\
         typedef short T16 __attribute__((aligned(16)));\n",
    );
    let mut sizes = String::new();
    for number in 0..how_many {
        let mut made = Made {
            text: String::new(),
            fields: Vec::new(),
            bit_fields: Vec::new(),
        };
        fields(&mut random, number, 0, &mut made, &mut 0);
        let flexible = match random.once_in(8) && !made.fields.is_empty() {
            true => "short last[];",
            false => "",
        };
        let pack = match random.below(6) {
            0 => Some(1 << random.below(4)),
            _ => None,
        };
        if let Some(pack) = pack {
            let _ = writeln!(text, "#pragma pack(push, {pack})");
        }
        let attribute = attribute(&mut random);
        let _ = writeln!(
            text,
            "struct s{number} {{ {}{flexible}}}{attribute};",
            made.text
        );
        if pack.is_some() {
            let _ = writeln!(text, "#pragma pack(pop)");
        }
        let _ = write!(
            text,
            "unsigned t_{number} [] {MARK} = {{ sizeof(struct s{number}), _Alignof(struct s{number})"
        );
        for field in &made.fields {
            let _ = write!(text, ", __builtin_offsetof(struct s{number}, {field})");
        }
        let _ = writeln!(text, " }};");
        for field in &made.bit_fields {
            let _ = writeln!(
                sizes,
                "struct s{number} t_{number}_{field} {MARK} = {{ .{field} = -1 }};"
            );
        }
    }
    text + &sizes
}

fn check_records(target: Target) {
    if !has_gcc() {
        return;
    }
    for seed in 0..12 {
        compare(&records(seed, 50), target);
    }
}

#[test]
fn records_on_64_bits() {
    check_records(Target::lp64());
}

#[test]
fn records_on_32_bits() {
    check_records(Target::ilp32());
}
