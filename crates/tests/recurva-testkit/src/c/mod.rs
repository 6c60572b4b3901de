//! Random C programs without undefined behaviour: what a compiler's program prints is what any other
//! way of running it must print.
//!
//! A program is a function `run_N` that computes a checksum over everything it does; a [`batch`] is a
//! file of many with a `main` that prints one line for each, so that one compilation serves many
//! programs. Signed arithmetic may wrap: compile with `-fwrapv`.
//!
//! Where C leaves an order open, nothing depends on it: of operands that are not sequenced, at most
//! one changes something or calls a function, and the others read only what never changes. Loops and
//! calls are paid for with fuel, so every program ends soon.

mod declare;
mod expression;
mod function;
mod shape;
mod statement;

use std::{fmt::Write as _, ops::Range};

use crate::rng::Rng;
use shape::{Record, Variable};

/// A file with the programs of some numbers.
pub fn batch(numbers: Range<u64>) -> String {
    let mut text = String::from("int printf(const char *, ...);\n");
    for number in numbers.clone() {
        text.push_str(&program(number));
    }
    text.push_str("int main(void) {\n");
    for number in numbers {
        // Nothing can fail: texts grow.
        let _ = writeln!(text, "    printf(\"{number} %llx\\n\", run_{number}());");
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// The program of a number: `static unsigned long long run_N(void)` and all that it needs. All names
/// of the outermost level end in the number.
pub fn program(number: u64) -> String {
    let mut writer = Writer::new(number);
    writer.prelude();
    writer.records();
    writer.globals();
    writer.functions();
    writer.run();
    writer.text
}

/// What an expression may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Read what never changes.
    Frozen,
    /// Read anything.
    Read,
    /// Change things and call functions, too.
    Any,
}

/// A function that can be called.
#[derive(Clone, Debug)]
struct Callable {
    name: String,
    parameters: Vec<&'static str>,
    /// The record that it returns, if it returns one.
    record: Option<usize>,
}

/// A program that is being written.
struct Writer {
    rng: Rng,
    number: u64,
    text: String,
    indent: usize,
    /// How many names there are.
    names: usize,
    records: Vec<Record>,
    /// What can be named: the program's variables, and those of the function at hand.
    variables: Vec<Variable>,
    callables: Vec<Callable>,
    /// Functions that are called through a table.
    has_table: bool,
    /// Variables that an assignment around the expression at hand changes.
    busy: Vec<String>,
    /// How many statements may still be written in the function at hand.
    statements: usize,
    /// How many loops are around the statement at hand.
    loops: usize,
    /// Whether a function is being written.
    is_local: bool,
}

impl Writer {
    fn new(number: u64) -> Self {
        Writer {
            rng: Rng::new(number.wrapping_mul(0x51_7c_c1_b7_27_22_0a_95)),
            number,
            text: String::new(),
            indent: 0,
            names: 0,
            records: Vec::new(),
            variables: Vec::new(),
            callables: Vec::new(),
            has_table: false,
            busy: Vec::new(),
            statements: 0,
            loops: 0,
            is_local: false,
        }
    }

    /// A name that nothing has yet.
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}_{}", self.names, self.number)
    }

    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.indent += 1;
    }

    fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.line(&format!("}}{line}"));
    }

    /// One of several texts.
    fn of(&mut self, list: &[&'static str]) -> &'static str {
        self.rng.pick(list).copied().unwrap_or("")
    }

    /// What every program has: fuel, the checksum, an enumeration, functions with more arguments.
    fn prelude(&mut self) {
        let text = "\
enum small_N { first_N = -3, second_N, third_N = 70000, fourth_N = third_N * 2 };
enum large_N { fifth_N, sixth_N = 4000000000u };
static int fuel_N = 300;
static unsigned long long sum_N = 14695981039346656037ull;
static void mix_N(unsigned long long value) {
    sum_N = (sum_N ^ value) * 1099511628211ull;
    sum_N ^= sum_N >> 31;
}
static void mix_float_N(double value) {
    union { double value; unsigned long long bits; } both;
    both.value = value == 0 ? 0 : value;
    mix_N(both.bits);
}
static long long total_N(int count, ...) {
    __builtin_va_list list, copy;
    long long total = count;
    __builtin_va_start(list, count);
    __builtin_va_copy(copy, list);
    for (int i = 0; i < count; i++) total = total * 31 + __builtin_va_arg(list, int);
    for (int i = 0; i < count; i++) total ^= (long long)__builtin_va_arg(copy, int) << i;
    __builtin_va_end(copy);
    __builtin_va_end(list);
    return total;
}
static long long mixed_N(const char *kinds, ...) {
    __builtin_va_list list;
    long long total = 0;
    __builtin_va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += __builtin_va_arg(list, int); break;
        case 'l': total ^= __builtin_va_arg(list, long); break;
        case 'q': total -= __builtin_va_arg(list, long long); break;
        case 'd': total += (long long)(__builtin_va_arg(list, double) * 8); break;
        }
    }
    __builtin_va_end(list);
    return total;
}
";
        self.text
            .push_str(&text.replace("_N", &format!("_{}", self.number)));
    }

    /// The function that is called from outside.
    fn run(&mut self) {
        let number = self.number;
        self.function_body(&format!("static unsigned long long run_{number}(void)"), 14);
        let globals: Vec<Variable> = self.variables.clone();
        for variable in &globals {
            self.mix_variable(variable);
        }
        self.line(&format!("return sum_{number};"));
        self.close("");
        self.is_local = false;
    }
}
