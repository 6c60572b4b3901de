//! What a program is, as a text that is the same for programs that do the same in the same way.
//!
//! Two programs with the same text have the same runs, so what was found out about one is true of the other. Places
//! in sources, names of variables, and functions and variables that the entry does not lead to are no part
//! of it. Everything that edges speak of is numbered in the order in which it is met.

use std::fmt::Write;

use recurva_cir::{Function, Module, Type};
use rustc_hash::FxHashMap;

/// The kinds of numbers, as they stand in the text of an edge.
const KINDS: [&str; 5] = [
    "FunctionId(",
    "GlobalId(",
    "TypeId(",
    "RecordId(",
    "EnumId(",
];

/// The text of a program.
pub(super) fn contents(module: &Module) -> String {
    let mut text = Text {
        out: String::new(),
        numbers: FxHashMap::default(),
        waiting: Vec::new(),
    };
    let types = &module.types;
    text.add(&format!(
        "pointers {} {}, begin {:?}",
        types.pointer_bytes, types.extended_bytes, module.entry
    ));
    let mut next = 0;
    while let Some(&(kind, number)) = text.waiting.get(next) {
        next += 1;
        let number = number as usize;
        // A name may look like a number of something that is not there.
        let described = match kind {
            0 => module.functions.get(number).map(function),
            1 => module.globals.get(number).map(|it| {
                format!(
                    "{:?} {:?} {:?} {}",
                    it.ty, it.bytes, it.addresses, it.is_const
                )
            }),
            2 => types.list.get(number).map(|it| match it {
                // What a pointer points to is said where it is used.
                Type::Pointer(_) => "pointer".to_owned(),
                other => format!("{other:?}"),
            }),
            3 => types.records.get(number).map(|it| {
                let fields = it.fields.iter();
                let fields: Vec<String> = fields
                    .map(|it| format!("{:?} {} {:?}", it.ty, it.offset, it.bits))
                    .collect();
                let fields = fields.join(", ");
                format!("{} {} {} {fields}", it.is_union, it.size, it.align)
            }),
            _ => Some(String::new()),
        };
        text.add(&described.unwrap_or_default());
    }
    text.out
}

fn function(function: &Function) -> String {
    let mut text = format!(
        "{:?} {} {} {:?} {:?} {:?} {:?} {}",
        function.name,
        function.parameters,
        function.is_variadic,
        function.result,
        function.result_type,
        function.entry,
        function.exit,
        function.nodes.len()
    );
    // Writing to a string cannot fail.
    for local in &function.locals {
        let _ = write!(text, "\n{:?} {:?}", local.ty, local.kind);
    }
    for label in &function.labels {
        let _ = write!(text, "\n{:?} {:?}", label.name, label.node);
    }
    for edge in &function.edges {
        let _ = write!(text, "\n{} {} {:?}", edge.from.0, edge.to.0, edge.operation);
    }
    text
}

/// A text in the making.
struct Text {
    out: String,
    /// The numbers that things have in the text, by their kind and their number in the program.
    numbers: FxHashMap<(usize, u32), usize>,
    /// What was met and has to be described, in that order.
    waiting: Vec<(usize, u32)>,
}

impl Text {
    /// Adds a description, with other numbers for what it speaks of.
    fn add(&mut self, described: &str) {
        let mut rest = described;
        while let Some((start, kind)) = first(rest) {
            let (before, behind) = rest.split_at(start + KINDS[kind].len());
            self.out.push_str(before);
            let end = behind.find(')').unwrap_or(behind.len());
            let (number, after) = behind.split_at(end);
            match number.parse::<u32>() {
                Ok(number) => {
                    let next = self.numbers.len();
                    let waiting = &mut self.waiting;
                    let known = self.numbers.entry((kind, number)).or_insert_with(|| {
                        waiting.push((kind, number));
                        next
                    });
                    let _ = write!(self.out, "{known}");
                }
                Err(_) => self.out.push_str(number),
            }
            rest = after;
        }
        self.out.push_str(rest);
        self.out.push('\n');
    }
}

/// The first number in a text that is not of something in a function itself, such as a variable or a node: where, and of what kind.
fn first(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let end = from + text[from..].find("Id(")? + 3;
        let kind = KINDS.iter().position(|kind| text[..end].ends_with(kind));
        match kind {
            Some(kind) => return Some((end - KINDS[kind].len(), kind)),
            None => from = end,
        }
    }
}

#[cfg(test)]
mod tests {
    use recurva_cbuild::{BuildOptions, read};
    use recurva_cir::SourceText;
    use recurva_ctype::Target;

    use super::*;

    fn text(code: &str) -> String {
        let source = SourceText {
            name: "x.c".into(),
            text: code.into(),
            is_library: false,
        };
        let built = read(vec![source], Target::lp64(), &BuildOptions::default());
        contents(&built.expect("it is right").module)
    }

    const CODE: &str = "int x = 3; struct s { int a; char b; } v; static int f(int n) { v.a = n; return n + x; }\n\
        int main(void) { return f(2) + \"abc\"[1]; }";

    #[test]
    fn places_names_and_what_is_not_called_do_not_matter() {
        let moved = format!("\n\nint other(int a) {{ return a; }}\n{CODE}");
        assert_eq!(text(CODE), text(&moved));
        assert_eq!(
            text(CODE),
            text(
                &CODE
                    .replace("(int n)", "(int k)")
                    .replace("= n", "= k")
                    .replace("n + x", "k + x")
                    .replace("returk", "return")
            )
        );
    }

    #[test]
    fn what_a_program_does_matters() {
        for (from, to) in [
            ("int x = 3", "int x = 4"),
            ("f(2)", "f(3)"),
            ("char b", "long b"),
            ("v.a = n", "v.b = n"),
            ("abc", "abd"),
            ("n + x", "n - x"),
            ("int x", "long x"),
            ("int x = 3", "const int x = 3"),
        ] {
            assert_ne!(text(CODE), text(&CODE.replace(from, to)), "{from}");
        }
    }
}
