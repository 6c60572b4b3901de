//! Random programs and monitors.
//!
//! Programs always end, up to loops that go on as long as an unknown value says so, and no expression
//! depends on the order in which its parts are evaluated.

use recurva_testkit::rng::Rng;

/// What every program begins with.
const BEGIN: &str = "\
#include <stddef.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct box { unsigned char flag; };
static unsigned char g0, g1;
static struct box b0, b1;
static int f0(int d, int x);
static int f1(int d, int x);
";

/// A program.
pub(crate) fn program(rng: &mut Rng) -> String {
    let mut text = BEGIN.to_owned();
    let mut act = |head: &str, rng: &mut Rng| {
        let mut body = Body { rng, calls: false };
        let inside = body.block(1, 1);
        let result = body.value();
        text.push_str(&format!("{head} {{ int v = 1; {inside} "));
        match head.starts_with("static void") {
            true => text.push_str("}\n"),
            false => text.push_str(&format!("return {result}; }}\n")),
        }
    };
    act("static int act0(int x)", rng);
    act("static int act1(const char *name, int x)", rng);
    text.push_str("static void act2(struct box *box) { box->flag = (box->flag + 1) & 3; }\n");
    for name in ["f0", "f1"] {
        let mut body = Body { rng, calls: true };
        let inside = body.block(2, 3);
        let result = body.value();
        text.push_str(&format!(
            "static int {name}(int d, int x) {{\n  int v = 0;\n{inside}  return {result};\n}}\n"
        ));
    }
    let mut body = Body { rng, calls: true };
    let inside = body.block(2, 6);
    text.push_str(&format!(
        "int main(void) {{\n  int d = 2, x = __VERIFIER_nondet_bool(), v = 0;\n{inside}  return 0;\n}}\n"
    ));
    text
}

struct Body<'r> {
    rng: &'r mut Rng,
    /// Whether it calls functions.
    calls: bool,
}

impl Body<'_> {
    fn pick(&mut self, all: &[&str]) -> String {
        self.rng.pick(all).copied().unwrap_or("0").to_owned()
    }

    /// An expression without effects, from 0 to 3.
    fn value(&mut self) -> String {
        match self.rng.below(7) {
            0 | 1 => self.pick(&["0", "1", "2", "3"]),
            2 => self.pick(&["b0.flag", "b1.flag", "g0", "g1"]),
            3 => {
                let (one, other) = (self.leaf(), self.leaf());
                format!("(({one} + {other}) & 3)")
            }
            _ => self.leaf(),
        }
    }

    fn leaf(&mut self) -> String {
        self.pick(&["(x & 3)", "(v & 3)", "g0", "g1", "1", "2"])
    }

    fn call(&mut self) -> String {
        let value = self.value();
        match self.rng.below(6) {
            0 | 1 => format!("act0({value})"),
            2 => format!("act1(\"a\", {value})"),
            3 => format!("act1(\"b\", {value})"),
            4 => format!("act0(act1(\"b\", {value}))"),
            _ => format!("(d > 0 ? f{}(d - 1, {value}) : 0)", self.rng.below(2)),
        }
    }

    fn condition(&mut self) -> String {
        match self.rng.below(5) {
            0 | 1 => "__VERIFIER_nondet_bool()".to_owned(),
            2 if self.calls => format!("{} > 1", self.call()),
            3 => format!("{} == {}", self.value(), self.leaf()),
            _ => format!("{} < {}", self.value(), self.leaf()),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let value = self.value();
        match self.rng.below(if depth > 0 { 12 } else { 9 }) {
            0 => format!("g0 = {value};"),
            1 => format!("{} = {value};", self.pick(&["g1", "b0.flag", "v"])),
            2 => self.pick(&["v++;", "v += 2;", "--v;"]),
            3 | 4 if self.calls => format!("{};", self.call()),
            5 | 6 if self.calls => format!("v = {};", self.call()),
            7 if self.calls => self.pick(&["act2(&b0);", "act2(&b1);"]),
            8 if self.calls => format!("{{ int w = {}; v = w & 3; }}", self.call()),
            9 => format!(
                "while (__VERIFIER_nondet_bool()) {{ {} }}",
                self.block(depth - 1, 2)
            ),
            10 | 11 => {
                let condition = self.condition();
                let then = self.block(depth - 1, 2);
                let other = self.block(depth - 1, 1);
                format!("if ({condition}) {{ {then} }} else {{ {other} }}")
            }
            _ => format!("v = {value};"),
        }
    }

    fn block(&mut self, depth: usize, most: usize) -> String {
        let count = most.div_ceil(2) + self.rng.below(most);
        let statements = (0..count).map(|_| format!("  {}\n", self.statement(depth)));
        statements.collect()
    }
}

/// What a pattern binds: numbers, a name, a pointer.
struct Pattern {
    text: &'static str,
    /// Numbers that are known before.
    numbers: &'static [&'static str],
    /// The result, known after.
    result: bool,
    name: Option<&'static str>,
    pointer: Option<&'static str>,
}

const PATTERNS: [Pattern; 9] = [
    pattern("$1 = act0($2)", &["$2"], true, None, None),
    pattern("act0($1)", &["$1"], false, None, None),
    pattern("$? = act1($1, $2)", &["$2"], false, Some("$1"), None),
    pattern("act1(\"a\", $2)", &["$2"], false, None, None),
    pattern("act2($1)", &[], false, None, Some("$1")),
    pattern("$? = f0($1, $2)", &["$1", "$2"], false, None, None),
    pattern("$? = f1($?)", &[], false, None, None),
    pattern("g0 = $1", &["$1"], false, None, None),
    pattern("v = $1", &["$1"], false, None, None),
];

const fn pattern(
    text: &'static str,
    numbers: &'static [&'static str],
    result: bool,
    name: Option<&'static str>,
    pointer: Option<&'static str>,
) -> Pattern {
    Pattern {
        text,
        numbers,
        result,
        name,
        pointer,
    }
}

/// A monitor; each guard and each assertion is on a line of its own.
pub(crate) fn monitor(rng: &mut Rng) -> String {
    let mut text = String::from(
        "#include <assert.h>\n#include <stddef.h>\n#include <string.h>\n\
         global int m0 = 0, m1 = 1;\nglobal const char *last = NULL;\nglobal struct box *seen;\n",
    );
    for _ in 0..2 + rng.below(2) {
        let Some(pattern) = rng.pick(&PATTERNS) else {
            continue;
        };
        text.push_str(&format!("event {{\n  pattern {{ {}; }}\n", pattern.text));
        let keeps = rng.chance(40);
        if keeps {
            text.push_str("  local int kept = 0;\n");
        }
        for is_after in [false, true] {
            let guard = rng.chance(45).then(|| guard(pattern, is_after, rng));
            let action = match (keeps, is_after) {
                (true, false) => Some("kept = m0; m0 = 2;".to_owned()),
                (true, true) => Some("m0 = kept;".to_owned()),
                _ => rng.chance(70).then(|| action(pattern, is_after, rng)),
            };
            text.push_str(if is_after {
                "  after {\n"
            } else {
                "  before {\n"
            });
            text.extend(guard.map(|it| format!("    guard {{ {it} }}\n")));
            text.extend(action.map(|it| format!("    action {{\n      {it}\n    }}\n")));
            text.push_str("  }\n");
        }
        text.push_str("}\n");
    }
    text
}

fn number(pattern: &Pattern, is_after: bool, rng: &mut Rng) -> String {
    let mut known = pattern.numbers.to_vec();
    if pattern.result && is_after {
        known.push("$1");
    }
    known.push("m1");
    rng.pick(&known).copied().unwrap_or("m1").to_owned()
}

fn guard(pattern: &Pattern, is_after: bool, rng: &mut Rng) -> String {
    let number = number(pattern, is_after, rng);
    if let (Some(name), true) = (pattern.name, rng.chance(50)) {
        return format!("strcmp({name}, \"b\") != 0 || m0 == 0");
    }
    if let (Some(pointer), true) = (pattern.pointer, rng.chance(60)) {
        return match rng.below(2) {
            0 => format!("seen != {pointer} || m1 == 1"),
            _ => format!("{pointer}->flag < 2"),
        };
    }
    match rng.below(6) {
        0 => "m0 != 2".to_owned(),
        1 => "m0 < m1".to_owned(),
        2 => "last == NULL || last[0] == 'a' || m0 > 0".to_owned(),
        3 => "m0 >= 0".to_owned(),
        4 => format!("{number} != m0"),
        _ => format!("{number} < 2"),
    }
}

fn action(pattern: &Pattern, is_after: bool, rng: &mut Rng) -> String {
    let number = number(pattern, is_after, rng);
    if let (Some(name), true) = (pattern.name, rng.chance(60)) {
        return match rng.below(2) {
            0 => format!("last = {name};"),
            _ => format!("if (!strcmp({name}, \"b\")) m0 = 3; else m1 = 1;"),
        };
    }
    if let (Some(pointer), true) = (pattern.pointer, rng.chance(70)) {
        return match rng.below(2) {
            0 => format!("seen = {pointer}; m1 = 2;"),
            _ => format!("{pointer}->flag = 0;"),
        };
    }
    match rng.below(6) {
        0 => "m0 = (m0 + 1) & 3;".to_owned(),
        1 => format!("m1 = {number} & 3;"),
        2 => format!("if ({number} > 1) m0 = 1; else m1 = 2;"),
        3 => "for (int i = 0; i < 2; i++) m1 = (m1 + i) & 3;".to_owned(),
        4 => "m0 = 0;".to_owned(),
        _ => format!("assert({number} != 3);"),
    }
}
