//! Small random C programs with few inputs.
//!
//! Inputs are restricted as soon as they are read, so that an oracle can try all of them: a `uchar` is
//! below 4, an `int` lies between -2 and 2. A `long` is not restricted, but only copied and compared
//! with constants. Memory has a value before it is read, unless that is what is checked.

#[path = "statements.rs"]
mod statements;

use std::fmt::Write;

/// A source of random numbers (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below another.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// What the programs may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// Whether variables and new objects may be without a value.
    pub(crate) uninitialised: bool,
    /// Whether numbers at the ends of their types, large shifts and divisions are common.
    pub(crate) extremes: bool,
    /// Whether the heap is used.
    pub(crate) heap: bool,
    /// Whether memory is looked at as another type.
    pub(crate) bytes: bool,
    /// Whether inputs may have many bits: only classes and decision diagrams are up to that.
    pub(crate) wide: bool,
}

const HEAD: &str = "
void reach_error(void);
void abort(void);
void exit(int);
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int);
void *malloc(unsigned);
void *calloc(unsigned, unsigned);
void free(void *);
void *memcpy(void *, const void *, unsigned);
void *memset(void *, int, unsigned);
struct s { int a; short b; unsigned char c[2]; struct s *n; };
union u { int i; unsigned char b[4]; short h[2]; struct { short lo; signed char x; } p; };
struct b { unsigned x : 3; int y : 4; _Bool z : 1; };
int g0, g1 = 1;
unsigned char gc = 3;
int ga[3] = {1, 2};
struct s gs, gt[2];
union u gu;
struct b gb;
int *gp;
struct s *gq = &gs;
int (*gf)(int);
long e0 = 1, e1 = 7, e2 = -1;
";

/// What can be named where a statement stands.
#[derive(Clone, Default)]
struct Scope {
    /// Places of type `int`.
    ints: Vec<String>,
    /// Places of other arithmetic types.
    numbers: Vec<String>,
    /// Places of type `struct s`.
    records: Vec<String>,
    /// Places of type `int *`.
    pointers: Vec<String>,
    /// Places of type `struct s *`.
    links: Vec<String>,
    /// Arrays of `int` with three elements.
    arrays: Vec<String>,
    /// Unrestricted inputs: places of type `long`.
    classes: Vec<String>,
}

/// A program being written.
pub(crate) struct Generator {
    dice: Dice,
    features: Features,
    text: String,
    scope: Scope,
    /// The functions that can be called with one `int`.
    callable: Vec<&'static str>,
    names: usize,
    depth: usize,
    in_loop: bool,
}

/// A program.
pub(crate) fn program(seed: u64, features: Features) -> String {
    let mut generator = Generator {
        dice: Dice::new(seed),
        features,
        text: HEAD.to_owned(),
        scope: Scope::default(),
        callable: Vec::new(),
        names: 0,
        depth: 0,
        in_loop: false,
    };
    generator.whole();
    generator.text
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

impl Generator {
    fn whole(&mut self) {
        let globals = Scope {
            ints: owned(&["g0", "g1"]),
            numbers: owned(&["gc", "gb.x", "gb.y", "gb.z"]),
            records: owned(&["gs", "gt[0]", "gt[1]"]),
            pointers: owned(&["gp"]),
            links: owned(&["gq"]),
            arrays: owned(&["ga"]),
            classes: Vec::new(),
        };
        let mut globals = globals;
        if self.features.bytes {
            globals.ints.push("gu.i".into());
            globals
                .numbers
                .extend(owned(&["gu.b[1]", "gu.h[0]", "gu.h[1]", "gu.p.x"]));
        }
        let shapes: [(&str, &str); 3] = [
            ("f", "int f(int n) {\n"),
            ("rec", "int rec(int n, int *p) {\n"),
            ("mk", "struct s mk(int n, struct s v) {\n"),
        ];
        for (name, head) in shapes {
            if self.dice.one_in(3) {
                continue;
            }
            self.scope = globals.clone();
            self.scope.ints.push("n".into());
            self.text.push_str(head);
            match name {
                "f" => self.plain_function(),
                "rec" => self.recursive_function(),
                _ => self.record_function(),
            }
            self.text.push_str("}\n");
            self.callable.push(name);
        }
        self.scope = globals;
        self.text.push_str("int main(void) {\n");
        self.locals();
        let count = 3 + self.dice.below(6);
        for _ in 0..count {
            self.statement();
        }
        if self.features.heap && self.dice.one_in(2) {
            self.text.push_str("free(gp);\n");
        }
        self.text.push_str("return 0;\n}\n");
    }

    fn plain_function(&mut self) {
        self.locals();
        for _ in 0..1 + self.dice.below(3) {
            self.statement();
        }
        let result = self.number(1);
        let _ = writeln!(self.text, "return {result};");
    }

    fn recursive_function(&mut self) {
        self.scope.pointers.push("p".into());
        self.locals();
        self.text.push_str("int r = 0;\nint x = n;\n");
        self.scope.ints.push("x".into());
        self.scope.ints.push("r".into());
        for _ in 0..self.dice.below(2) {
            self.statement();
        }
        let to = self
            .dice
            .pick(&["&x", "p", "n & 1 ? &x : p", "&ga[1]", "&r"]);
        let _ = writeln!(self.text, "if (n > 0 && n < 4) r = rec(n - 1, {to});");
        for _ in 0..1 + self.dice.below(2) {
            self.statement();
        }
        let result = self
            .dice
            .pick(&["r + x", "*p", "x - *p", "r", "(*p = x) + r"]);
        let _ = writeln!(self.text, "return {result};");
    }

    fn record_function(&mut self) {
        self.scope.records.push("v".into());
        self.text.push_str("v.a = n;\n");
        for _ in 0..self.dice.below(3) {
            self.statement();
        }
        let result = self.record();
        let _ = writeln!(self.text, "return {result};");
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn locals(&mut self) {
        for _ in 0..1 + self.dice.below(3) {
            self.local();
        }
    }

    fn local(&mut self) {
        let has_value = !(self.features.uninitialised && self.dice.one_in(2));
        match self.dice.below(8) {
            0..=2 => {
                let name = self.fresh("i");
                let value = self.dice.below(4);
                let _ = match has_value {
                    true => writeln!(self.text, "int {name} = {value};"),
                    false => writeln!(self.text, "int {name};"),
                };
                self.scope.ints.push(name);
            }
            3 => {
                let name = self.fresh("c");
                let ty = *self
                    .dice
                    .pick(&["char", "unsigned", "short", "_Bool", "long long"]);
                let _ = match has_value {
                    true => writeln!(self.text, "{ty} {name} = 1;"),
                    false => writeln!(self.text, "{ty} {name};"),
                };
                self.scope.numbers.push(name);
            }
            4 => {
                let name = self.fresh("a");
                let _ = match has_value {
                    true => writeln!(self.text, "int {name}[3] = {{2, 0, 1}};"),
                    false => writeln!(self.text, "int {name}[3];"),
                };
                self.scope.arrays.push(name);
            }
            5 => {
                let name = self.fresh("s");
                let _ = match has_value {
                    true => writeln!(self.text, "struct s {name} = {{1, 2, {{3, 4}}, &gs}};"),
                    false => writeln!(self.text, "struct s {name};"),
                };
                self.scope.records.push(name);
            }
            6 => {
                let name = self.fresh("p");
                let value = self.pointer(1);
                let _ = writeln!(self.text, "int *{name} = {value};");
                self.scope.pointers.push(name);
            }
            _ if !self.features.wide => self.local(),
            _ => {
                let name = self.fresh("k");
                let _ = writeln!(self.text, "long {name} = __VERIFIER_nondet_long();");
                self.scope.classes.push(name);
            }
        }
    }

    /// A place of type `int`.
    fn int_place(&mut self) -> String {
        match self.dice.below(9) {
            0..=3 => self.dice.pick(&self.scope.ints).clone(),
            4 => {
                let array = self.dice.pick(&self.scope.arrays).clone();
                let index = self.index();
                format!("{array}[{index}]")
            }
            5 => {
                let pointer = self.pointer(1);
                format!("*({pointer})")
            }
            6 => {
                let pointer = self.dice.pick(&self.scope.pointers).clone();
                let index = self.dice.below(2);
                format!("{pointer}[{index}]")
            }
            7 => {
                let record = self.dice.pick(&self.scope.records).clone();
                format!("{record}.a")
            }
            _ => {
                let link = self.link(1);
                format!("({link})->a")
            }
        }
    }

    fn index(&mut self) -> String {
        match self.dice.below(5) {
            0 | 1 => self.dice.below(3).to_string(),
            2 => format!("({}) & 1", self.number(1)),
            3 => format!("({}) % 3", self.number(1)),
            _ => self.dice.pick(&self.scope.ints).clone(),
        }
    }

    /// A place of any arithmetic type.
    fn place(&mut self) -> String {
        match self.dice.below(8) {
            0..=3 => self.int_place(),
            4 => self.dice.pick(&self.scope.numbers).clone(),
            5 => {
                let record = self.dice.pick(&self.scope.records).clone();
                let field = *self.dice.pick(&["b", "c[0]", "c[g0 & 1]"]);
                format!("{record}.{field}")
            }
            6 => {
                let link = self.link(1);
                let field = *self.dice.pick(&["b", "c[1]", "c[gc & 1]"]);
                format!("({link})->{field}")
            }
            _ if self.features.bytes => {
                let place = self.dice.pick(&self.scope.ints).clone();
                match self.dice.one_in(2) {
                    true => format!("((unsigned char *)&{place})[{}]", self.dice.below(4)),
                    false => format!("*(short *)&{place}"),
                }
            }
            _ => self.dice.pick(&self.scope.numbers).clone(),
        }
    }

    /// An expression of type `int *`.
    fn pointer(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 5 } else { 8 }) {
            0 | 1 => self.dice.pick(&self.scope.pointers).clone(),
            2 => format!("&{}", self.dice.pick(&self.scope.ints).clone()),
            3 => {
                let array = self.dice.pick(&self.scope.arrays).clone();
                format!("{array} + {}", self.dice.below(3))
            }
            4 => {
                let record = self.dice.pick(&self.scope.records).clone();
                format!("&{record}.a")
            }
            5 => {
                let condition = self.condition(0);
                let (left, right) = (self.pointer(depth - 1), self.pointer(depth - 1));
                format!("({condition}) ? {left} : {right}")
            }
            6 => {
                let link = self.link(depth - 1);
                format!("&({link})->a")
            }
            _ if self.dice.one_in(3) => "(int *)0".into(),
            _ => {
                let pointer = self.dice.pick(&self.scope.pointers).clone();
                let step = *self.dice.pick(&["+ 1", "- 1", "+ (g0 & 1)"]);
                format!("{pointer} {step}")
            }
        }
    }

    /// An expression of type `struct s *`.
    fn link(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 3 } else { 6 }) {
            0 | 1 => self.dice.pick(&self.scope.links).clone(),
            2 => format!("&{}", self.dice.pick(&self.scope.records).clone()),
            3 => format!("({})->n", self.link(depth - 1)),
            4 => format!("gt + {}", self.dice.below(2)),
            _ => {
                let record = self.dice.pick(&self.scope.records).clone();
                format!("{record}.n")
            }
        }
    }

    /// An expression of type `struct s`.
    fn record(&mut self) -> String {
        match self.dice.below(4) {
            0 => format!("*({})", self.link(1)),
            1 if self.callable.contains(&"mk") => {
                let (number, record) = (self.number(1), self.dice.pick(&self.scope.records));
                format!("mk({number}, {record})")
            }
            _ => self.dice.pick(&self.scope.records).clone(),
        }
    }

    fn constant(&mut self) -> String {
        if self.features.extremes && self.dice.one_in(4) {
            let list = [
                "2147483647",
                "(-2147483647 - 1)",
                "31",
                "32",
                "-1",
                "0",
                "65535",
                "0x80000000u",
            ];
            return (*self.dice.pick(&list)).to_owned();
        }
        (self.dice.below(7) as i64 - 2).to_string()
    }

    /// A number without side effects beyond those of calls.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.dice.one_in(3) {
                true => self.constant(),
                false => self.place(),
            };
        }
        match self.dice.below(12) {
            0..=2 => self.number(0),
            3..=6 => {
                let list: &[&str] = match self.features.extremes {
                    true => &["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"],
                    false => &["+", "-", "*", "&", "|", "^"],
                };
                let operator = *self.dice.pick(list);
                let (left, right) = (self.number(depth - 1), self.number(depth - 1));
                format!("({left}) {operator} ({right})")
            }
            7 => {
                let operator = *self
                    .dice
                    .pick(&["-", "~", "!", "(char)", "(unsigned short)"]);
                format!("{operator}({})", self.number(depth - 1))
            }
            8 => format!("({})", self.condition(depth - 1)),
            9 => {
                let condition = self.condition(depth - 1);
                let (left, right) = (self.number(depth - 1), self.number(depth - 1));
                format!("(({condition}) ? ({left}) : ({right}))")
            }
            _ => self.call(depth),
        }
    }

    fn call(&mut self, depth: usize) -> String {
        // No calls in loops: there would be too many runs.
        if self.callable.is_empty() || self.in_loop {
            return self.number(0);
        }
        let argument = self.number(depth - 1);
        match *self.dice.pick(&self.callable) {
            "rec" => {
                let pointer = self.pointer(1);
                format!("rec({argument}, {pointer})")
            }
            "mk" => {
                let record = self.dice.pick(&self.scope.records);
                format!("mk({argument}, {record}).a")
            }
            _ => match self.dice.one_in(3) {
                true => format!("(gf = f, gf({argument}))"),
                false => format!("f({argument})"),
            },
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let compared = ["==", "!=", "<", "<=", ">", ">="];
        if self.dice.one_in(8) {
            // Variables that are constants in any case, with each other or with an input.
            let mut names = owned(&["e0", "e1", "e2"]);
            names.extend(self.scope.classes.iter().cloned());
            let (left, right) = (self.dice.pick(&names).clone(), self.dice.below(3));
            let operator = *self.dice.pick(&["==", "!="]);
            return format!("{left} {operator} e{right}");
        }
        if !self.scope.classes.is_empty() && self.dice.one_in(3) {
            let class = self.dice.pick(&self.scope.classes).clone();
            let constant = self.dice.below(17) as i64 - 4;
            return format!("{class} {} {constant}", self.dice.pick(&compared));
        }
        match self.dice.below(8) {
            0..=3 => {
                let (left, right) = (self.number(depth), self.number(0));
                format!("({left}) {} ({right})", self.dice.pick(&compared))
            }
            4 => {
                let pointer = self.pointer(1);
                format!("({pointer}) != 0")
            }
            5 => {
                let (left, right) = (self.pointer(0), self.pointer(0));
                format!("({left}) == ({right})")
            }
            6 if depth > 0 => {
                let operator = *self.dice.pick(&["&&", "||"]);
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({left}) {operator} ({right})")
            }
            _ => self.number(depth),
        }
    }
}
