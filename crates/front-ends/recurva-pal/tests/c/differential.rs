//! Random programs with calls in odd places, run plain, with a monitor that traces every call,
//! and with gcc's own `-finstrument-functions`: same output, same trace.

use std::fmt::Write;

use recurva_testkit::rng::Rng;

use crate::build::{Workshop, has_compiler};

/// Programs in one unit.
const BATCH: u32 = 25;

/// How many programs, unless RECURVA_PAL_PROGRAMS says otherwise.
const PROGRAMS: u32 = 75;

/// Functions of each program.
const FUNCTIONS: u32 = 5;

#[test]
fn traces_are_those_of_the_compiler() {
    if !has_compiler() {
        return;
    }
    let programs = std::env::var("RECURVA_PAL_PROGRAMS");
    let programs = programs.map_or(PROGRAMS, |text| text.parse().expect("a number"));
    let mut calls = 0;
    for batch in 0..programs.div_ceil(BATCH) {
        let level = ["-O0", "-O1", "-O2", "-O3"][batch as usize % 4];
        calls += compare(u64::from(batch), level);
    }
    assert!(calls > programs as usize * 10, "{calls} calls only");
}

/// How many calls were traced.
fn compare(seed: u64, level: &str) -> usize {
    let mut rng = Rng::new(seed);
    let mut text = String::from(HEAD);
    let mut rule = String::from("#include <stdio.h>\n");
    let mut main = String::new();
    let mut table = String::new();
    for program in 0..BATCH {
        let mut generator = Generator {
            rng: &mut rng,
            program,
            label: 0,
            own: Vec::new(),
        };
        text.push_str(&generator.program());
        for function in 0..FUNCTIONS {
            let name = format!("p{program}f{function}");
            let _ = writeln!(
                rule,
                "event {{ pattern {{ $? = {name}($?); }} \
                 before {{ action {{ trace(\"<{name}\"); }} }} \
                 after {{ action {{ trace(\"{name}>\"); }} }} }}"
            );
            let _ = writeln!(table, "  {{ (void *)p{program}f{function}, \"{name}\" }},");
        }
        let _ = writeln!(
            main,
            "  begin({program}); show(p{program}f0(3, {program}));"
        );
    }
    let _ = write!(
        text,
        "struct entry {{ void *address; const char *name; }};\n\
         const struct entry entries[] = {{\n{table}  {{ 0, 0 }}\n}};\n\
         HIDDEN int main(void)\n{{\n{main}  return end();\n}}\n"
    );
    let workshop = Workshop::new();
    workshop.write("program.c", &text);
    workshop.write("trace.c", TRACE);
    let rule = workshop.write("trace.pal", &rule);
    let options = ["-w", level, "program.c", "trace.c", "-o"];
    let with = |more: &[&str]| {
        let mut all = options.to_vec();
        all.extend(more);
        workshop.command("gcc", &all);
    };
    with(&["plain"]);
    with(&["compiler", "-finstrument-functions"]);
    let source = workshop.path("program.c").to_string_lossy().into_owned();
    let helper = workshop.path("trace.c").to_string_lossy().into_owned();
    let out = workshop.path("monitored").to_string_lossy().into_owned();
    workshop
        .monitored(&rule, &["-w", level, &source, &helper, "-o", &out])
        .unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    let plain = workshop.run("plain", &[], "abort");
    let monitored = workshop.run("monitored", &[], "abort");
    let compiler = workshop.run("compiler", &[], "abort");
    assert_eq!(plain.status, Some(0), "{plain:?}");
    let kept = std::env::temp_dir().join(format!("recurva-pal-differs-{seed}.c"));
    let same = plain.out == monitored.out && monitored.err == compiler.err;
    if !same {
        std::fs::write(&kept, &text).expect("a file for the program that differs");
        let first = |one: &str, two: &str| {
            let mut pairs = one.lines().zip(two.lines());
            let differs = pairs.find(|(one, two)| one != two);
            differs.map(|(one, two)| {
                let alike = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b);
                let from = alike.count().saturating_sub(60);
                let part = |text: &str| text.chars().skip(from).take(120).collect::<String>();
                let name: String = one.chars().take(10).collect();
                format!("{name}…\n{}\n{}", part(one), part(two))
            })
        };
        panic!(
            "seed {seed} {level}: {}\noutput: {}\ntrace: {}",
            kept.display(),
            first(&plain.out, &monitored.out).unwrap_or_default(),
            first(&monitored.err, &compiler.err).unwrap_or_default(),
        );
    }
    monitored.err.split_whitespace().count() / 2
}

/// What every unit begins with.
const HEAD: &str = "
#include <stdio.h>
#define HIDDEN __attribute__((no_instrument_function))
#define TWICE(x) ((x) + (x))
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
extern void trace(const char *);
extern void begin(int);
extern int end(void);
extern int fuel, total;
struct pair { int a, b : 7; };
extern int pure(int);
HIDDEN static void show(int value) { printf(\"%d\\n\", value); }
";

/// Collects the trace; the hooks are those of `-finstrument-functions`.
const TRACE: &str = "
#include <stdio.h>
#define HIDDEN __attribute__((no_instrument_function))
extern const struct entry { void *address; const char *name; } entries[];
int fuel, total;
HIDDEN void trace(const char *text) { fprintf(stderr, \" %s\", text); }
HIDDEN void begin(int program) { fuel = 40; total = 0; fprintf(stderr, \"\\n%d:\", program); }
HIDDEN int end(void) { fprintf(stderr, \"\\n\"); return 0; }
HIDDEN int pure(int x) { return x ^ 5; }
static HIDDEN const char *name(void *address)
{
    for (int i = 0; entries[i].address; i++)
        if (entries[i].address == address) return entries[i].name;
    return \"?\";
}
HIDDEN void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    fprintf(stderr, \" <%s\", name(function));
}
HIDDEN void __cyg_profile_func_exit(void *function, void *site)
{
    (void)site;
    fprintf(stderr, \" %s>\", name(function));
}
";

struct Generator<'r> {
    rng: &'r mut Rng,
    program: u32,
    label: u32,
    /// Declarations of variables that one expression assigns to and nothing else touches: what
    /// C leaves undefined, compilers treat differently from one time to the next.
    own: Vec<String>,
}

impl Generator<'_> {
    fn program(&mut self) -> String {
        let mut text = String::new();
        for function in 0..FUNCTIONS {
            let _ = writeln!(text, "{};", self.head(function));
        }
        for function in 0..FUNCTIONS {
            let head = self.head(function);
            let _ = write!(
                text,
                "{head}\n{{\n  int x = a, y = b, i, m[4] = {{ a, b }};\n  struct pair s = {{ a, b }};\n  \
                 int *q = m;\n"
            );
            let begins = text.len();
            text.push_str("  if (--fuel < 0) return a;\n  total = total * 31 + a;\n");
            for _ in 0..2 + self.rng.below(4) {
                text.push_str(&self.statement(2));
            }
            let value = self.expr(3);
            let _ = writeln!(text, "  return {value};\n}}");
            let own: String = self.own.drain(..).collect();
            text.insert_str(begins, &own);
        }
        text
    }

    fn head(&self, function: u32) -> String {
        format!("int p{}f{function}(int a, int b)", self.program)
    }

    fn call(&mut self, depth: u32) -> String {
        let function = self.rng.below(FUNCTIONS as usize);
        let (a, b) = (self.expr(depth), self.expr(depth));
        let name = format!("p{}f{function}", self.program);
        match self.rng.below(8) {
            0 => format!("({name})({a}, {b})"),
            1 => format!("(*{name})({a}, {b})"),
            _ => format!("{name}({a}, {b})"),
        }
    }

    /// Something that can be assigned to.
    fn target(&mut self, depth: u32) -> String {
        match self.rng.below(9) {
            0 => "x".into(),
            1 => "y".into(),
            2 => "s.a".into(),
            3 => "s.b".into(),
            4 => "(&s)->a".into(),
            5 => format!("m[({}) & 3]", self.expr(depth)),
            6 => format!("*(q + (({}) & 1))", self.expr(depth)),
            7 => "total".into(),
            _ => "(x)".into(),
        }
    }

    /// Something that only this expression assigns to.
    fn own_target(&mut self, depth: u32) -> String {
        let kind = self.rng.below(6);
        let index = match kind {
            3 | 5 => self.expr(depth),
            _ => String::new(),
        };
        let name = format!("w{}", self.own.len());
        let (ty, target) = match kind {
            0 => ("int", name.clone()),
            1 => ("struct pair", format!("{name}.a")),
            2 => ("struct pair", format!("(&{name})->b")),
            3 => ("int", format!("*(&{name} + (({index}) & 0))")),
            4 => ("long", name.clone()),
            _ => ("int", format!("(&{name})[({index}) & 0]")),
        };
        self.own.push(format!("  {ty} {name} = {{ 0 }};\n"));
        target
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(9) {
                0 => "a".into(),
                1 => "b".into(),
                2 => "x".into(),
                3 => "total % 100".into(),
                4 => "s.b".into(),
                5 => "m[1]".into(),
                6 => "(int)sizeof(pure(a))".into(),
                7 => "y".into(),
                _ => self.rng.below(10).to_string(),
            };
        }
        let depth = depth - 1;
        match self.rng.below(20) {
            0..=4 => self.call(depth),
            5 => {
                let sign = ["+", "-", "*", "&", "|", "^", "<", "=="][self.rng.below(8)];
                format!("({} {sign} {})", self.expr(depth), self.expr(depth))
            }
            6 => format!("({} && {})", self.expr(depth), self.expr(depth)),
            7 => format!("({} || {})", self.expr(depth), self.expr(depth)),
            8 => {
                let (c, t, e) = (self.expr(depth), self.expr(depth), self.expr(depth));
                format!("({c} ? {t} : {e})")
            }
            9 => format!("({} ?: {})", self.expr(depth), self.expr(depth)),
            10 => format!("({}, {})", self.expr(depth), self.expr(depth)),
            11 => format!("({} = {})", self.own_target(depth), self.expr(depth)),
            12 => format!("({} += {})", self.own_target(depth), self.expr(depth)),
            13 => format!("m[({}) & 3]", self.expr(depth)),
            14 => format!("TWICE({})", self.expr(depth)),
            15 => format!(
                "({{ int z = {}; z - {}; }})",
                self.expr(depth),
                self.expr(depth)
            ),
            16 => format!("((struct pair){{ {}, 1 }}).a", self.expr(depth)),
            17 => format!("pure({})", self.expr(depth)),
            18 => format!("-(char)({})", self.expr(depth)),
            _ => {
                let target = self.own_target(0);
                [format!("({target})++"), format!("--({target})")][self.rng.below(2)].clone()
            }
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let e = |it: &mut Self| it.expr(2);
        let inner = |it: &mut Self| match depth {
            0 => format!("  x ^= {};\n", it.expr(1)),
            _ => it.statement(depth - 1),
        };
        match self.rng.below(15) {
            0 => format!("  {};\n", self.call(2)),
            1 => format!("  (void){};\n", self.call(1)),
            2 => format!("  {} = {};\n", self.target(1), e(self)),
            3 => format!(
                "  if ({}) {{\n{}  }} else {{\n{}  }}\n",
                e(self),
                inner(self),
                inner(self)
            ),
            4 => format!("  if ({})\n  {}", e(self), inner(self)),
            5 => format!(
                "  for (i = ({}) & 1; i < 2 && ({}, fuel > 0); i += 1 + (({}) & 1)) {{\n{}  }}\n",
                e(self),
                e(self),
                e(self),
                inner(self)
            ),
            6 => format!(
                "  for (int j = {}; fuel > 0 && j > {}; j = 0) break;\n",
                e(self),
                e(self)
            ),
            7 => format!(
                "  while (fuel-- > 30 && {}) {{\n{}  }}\n",
                e(self),
                inner(self)
            ),
            8 => format!(
                "  do {{\n{}  }} while (fuel-- > 30 && {});\n",
                inner(self),
                e(self)
            ),
            9 => format!(
                "  switch (({}) & 3) {{\n  case 0: {}; break;\n  case 1:\n{}  default: {};\n  }}\n",
                e(self),
                e(self),
                inner(self),
                e(self)
            ),
            10 => format!(
                "  {{ int n = {}, w[2] = {{ {}, n }}; x += w[n & 1]; }}\n",
                e(self),
                e(self)
            ),
            11 => format!(
                "  {{ int v[1 + (({}) & 3)]; v[0] = {}; y = v[0]; }}\n",
                e(self),
                e(self)
            ),
            12 => {
                self.label += 1;
                let label = self.label;
                format!(
                    "  if ({}) goto out{label};\n{}  out{label}: ;\n",
                    e(self),
                    inner(self)
                )
            }
            13 => format!("  SWAP(x, y); *q++ = {}; q = m;\n", e(self)),
            _ => format!("  if (({}) == 77) return {};\n", e(self), e(self)),
        }
    }
}
