//! What programs become: the edges of small programs, written out.

use std::fmt::Write;

use recurva_lang::bp;
use recurva_model::{
    Action, Binary, Edge, Expr, Op, Place, ProcId, Procedure, Program, Unary, VarRef,
};
use recurva_syntax::{Diagnostic, Source, Style};

fn program(text: &str, dialect: bp::Dialect) -> Program {
    let source = Source::new("test.bp", text).expect("short");
    let parsed = bp::parse(&source, &bp::Options { dialect });
    parsed
        .program
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics.render(&source, Style::Plain)))
}

/// A program in a few lines: procedures, edges `from -> to: [guard] action`, labels, failures.
struct Dump<'p>(&'p Program, ProcId);

impl Dump<'_> {
    fn all(program: &Program) -> String {
        let mut out = String::new();
        for (index, procedure) in program.procedures().iter().enumerate() {
            let id = ProcId(index as u32);
            Dump(program, id).procedure(procedure, &mut out);
        }
        for label in program.labels() {
            let procedure = &program.procedure(label.point.procedure).name;
            let _ = writeln!(
                out,
                "label {} = {procedure}.{}",
                label.name, label.point.node.0
            );
        }
        for failure in program.failures() {
            let procedure = &program.procedure(failure.point.procedure).name;
            let _ = writeln!(
                out,
                "{:?} = {procedure}.{}",
                failure.kind, failure.point.node.0
            );
        }
        out
    }

    fn procedure(&self, procedure: &Procedure, out: &mut String) {
        let _ = writeln!(
            out,
            "{}: {} nodes, {} -> {}",
            procedure.name,
            procedure.nodes.len(),
            procedure.entry.0,
            procedure.exit.0
        );
        for edge in &procedure.edges {
            let _ = writeln!(
                out,
                "  {} -> {}: {}",
                edge.from.0,
                edge.to.0,
                self.edge(edge)
            );
        }
    }

    fn edge(&self, edge: &Edge) -> String {
        let guard = match edge.guard.is_truth() {
            true => String::new(),
            false => format!("[{}] ", self.expr(&edge.guard)),
        };
        let list = |exprs: &mut dyn Iterator<Item = String>| exprs.collect::<Vec<_>>().join(", ");
        let action = match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                let writes = list(&mut assigns.iter().map(|(place, value)| {
                    format!("{} := {}", self.place(place), self.expr(value))
                }));
                match constraint {
                    None if writes.is_empty() => "skip".to_owned(),
                    None => writes,
                    Some(constraint) => format!("{writes} constrain {}", self.expr(constraint)),
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let results = list(&mut results.iter().map(|r| match r {
                    Some(variable) => self.name(*variable),
                    None => "_".to_owned(),
                }));
                let arguments = list(&mut arguments.iter().map(|a| self.expr(a)));
                format!(
                    "{results} := {}({arguments})",
                    self.0.procedure(*callee).name
                )
            }
        };
        format!("{guard}{action}")
    }

    fn name(&self, variable: VarRef) -> String {
        self.0.variable(self.1, variable).name.to_string()
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Scalar(variable) => self.name(*variable),
            Place::Element(array, index) => format!("{}[{}]", self.name(*array), self.expr(index)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let mut stack: Vec<String> = Vec::new();
        for op in expr.ops() {
            let mut pop = || stack.pop().expect("checked by the model");
            let text = match *op {
                Op::Const(value, ty) => ty.show(value),
                Op::Read(variable) => self.name(variable),
                Op::ReadNext(variable) => format!("'{}", self.name(variable)),
                Op::Index(array) => format!("{}[{}]", self.name(array), pop()),
                Op::IndexNext(array) => format!("'{}[{}]", self.name(array), pop()),
                Op::Any(ty, which) => format!("*{which}:{ty}"),
                Op::Unary(Unary::Not, _) => format!("!{}", pop()),
                Op::Unary(Unary::Negate, _) => format!("-{}", pop()),
                Op::Convert(_, to) => format!("{to}({})", pop()),
                Op::Binary(operator, _) => {
                    let (right, left) = (pop(), pop());
                    format!("({left} {} {right})", symbol(operator))
                }
                Op::Faults | Op::Undefined(_) | Op::UndefinedElement(_) => "?".to_owned(),
            };
            stack.push(text);
        }
        stack.pop().expect("checked by the model")
    }
}

fn symbol(operator: Binary) -> &'static str {
    use Binary::*;
    match operator {
        And => "&",
        Or => "|",
        Xor => "^",
        Implies => "=>",
        Equal => "=",
        NotEqual => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        Add => "+",
        Subtract => "-",
        Multiply => "*",
        Divide => "/",
        Remainder => "%",
        ShiftLeft => "<<",
        ShiftRight => ">>",
    }
}

fn dump(text: &str) -> String {
    Dump::all(&program(text, bp::Dialect::Boppo))
}

#[test]
fn the_example_of_the_documentation() {
    let text = "decl g; decl int(8) n, a[4]; decl sint(16) k;
        int(8), bool next(int(8) x, b) begin
          decl int(8) y;
          y := x + 1;
          if (y > 9 & b) then y := *; fi
          a[y % 4] := y;
          return y, !b;
        end
        void main() begin
          n, g := next(n, g);
          L: assert(n != 0);
        end";
    insta::assert_snapshot!(dump(text));
}

#[test]
fn branches_loops_and_jumps() {
    let text = "decl a, b, c;
        void main() begin
          while a do
            if b then skip; elsif c then L: goto L, M; else fi
            M:
          od
          if * then else a := T; fi;
          while T do od
          abortif a; assume(b); constrain(c); print(a, 3); dead a, b;
        end
        void empty() begin end
        void calls() begin empty(); end";
    insta::assert_snapshot!(dump(text));
}

#[test]
fn assignments_calls_and_choices() {
    let text = "decl a, b, {x==0}; decl int(4) v[3], n;
        int(4), bool f(int(4) x) begin return x, *; end
        void main() begin
          decl sint(4) i;
          a, b := *, schoose[a, b] constrain 'a != 'b;
          _, {x==0} := a, 1;
          v[i], v[n] := *, 2;
          v[n + 1], _ := f(3);
          v[i], a := f(v[*]);
          _, _ := f(*);
          f(n << i);
          i := -8; i := sint(4)(n) >> i;
        end";
    insta::assert_snapshot!(dump(text));
}

#[test]
fn enforce_is_part_of_every_guard() {
    let text = "decl a, b;
        void f() begin
          enforce a | *; enforce T;
          assert(b);
          b := *;
        end
        void main() begin f(); end";
    insta::assert_snapshot!(dump(text));
}

#[test]
fn the_entry_is_kept_free_of_edges() {
    insta::assert_snapshot!(dump("void main() begin L: goto L; end"));
}

#[test]
fn dialects_and_types_decide_how_comparisons_group() {
    let guard = |text: &str, dialect| {
        let program = program(
            &format!("decl a, b, c; decl int(4) n, m; void main() begin assume({text}); end"),
            dialect,
        );
        Dump(&program, ProcId(0)).expr(&program.procedures()[0].edges[0].guard)
    };
    for (text, boppo, moped) in [
        ("a & b = c", "((a & b) = c)", "(a & (b = c))"),
        ("a = b | c", "(a = (b | c))", "((a = b) | c)"),
        ("a = b => c", "(a = (b => c))", "((a = b) => c)"),
        ("a => b = c", "(a => (b = c))", "(a => (b = c))"),
        (
            "a ^ b | c & a",
            "(a ^ (b | (c & a)))",
            "(a ^ (b | (c & a)))",
        ),
        ("a = b != c", "(a = (b != c))", "(a = (b != c))"),
        ("!a = b", "(!a = b)", "(!a = b)"),
        // Only one reading has types.
        (
            "n = 3 & m != 4",
            "((n = 3) & (m != 4))",
            "((n = 3) & (m != 4))",
        ),
        ("n & m = 4", "((n & m) = 4)", "((n & m) = 4)"),
        (
            "n + 1 < m * 2 && a || b",
            "((((n + 1) < (m * 2)) & a) | b)",
            "((((n + 1) < (m * 2)) & a) | b)",
        ),
        (
            "n - m - 1 = -n >> 1",
            "(((n - m) - 1) = (-n >> 1))",
            "(((n - m) - 1) = (-n >> 1))",
        ),
    ] {
        assert_eq!(guard(text, bp::Dialect::Boppo), boppo, "{text}");
        assert_eq!(guard(text, bp::Dialect::Moped), moped, "{text}");
    }
}

#[test]
fn only_two_readings_with_types_are_worth_a_warning() {
    for dialect in [bp::Dialect::Boppo, bp::Dialect::Moped] {
        for (text, warned) in [
            ("a & b = c", true),
            ("a & n = 3", false),
            ("n & m = 4", false),
        ] {
            let text =
                format!("decl a, b, c; decl int(4) n, m; void main() begin assume({text}); end");
            let source = Source::new("model.bp", text.as_str()).expect("a short text");
            let parsed = bp::parse(&source, &bp::Options { dialect });
            let messages = parsed.diagnostics.render(&source, Style::Plain);
            assert_eq!(messages.contains("tools disagree"), warned, "{messages}");
        }
    }
}

#[test]
fn the_model_points_back_to_the_text() {
    let text = "decl g; void main() begin L: g := T; if g then M: N: skip; fi end";
    let program = program(text, bp::Dialect::Boppo);
    let main = &program.procedures()[0];
    let edges: Vec<&str> = main.edges.iter().map(|e| &text[e.origin.range()]).collect();
    assert_eq!(edges, ["g := T", "if g", "if g", "skip"]);
    let labels: Vec<&str> = program
        .labels()
        .iter()
        .map(|l| &text[l.origin.range()])
        .collect();
    assert_eq!(labels, ["L", "M", "N"]);
    assert_eq!(&text[main.origin.range()], "void main()");
    assert_eq!(&text[program.globals()[0].origin.range()], "g");
    assert_eq!(&text[main.nodes[main.exit.index()].origin.range()], "end");
}

#[test]
fn warnings_leave_a_program() {
    let text = "decl g, h;
        bool f(g) begin while g do g := g & h = g; od end
        void main() begin h := f(g); end";
    let source = Source::new("test.bp", text).expect("short");
    let parsed = bp::parse(
        &source,
        &bp::Options {
            dialect: bp::Dialect::Moped,
        },
    );
    assert!(parsed.program.is_some());
    let messages: Vec<&str> = parsed.diagnostics.iter().map(Diagnostic::message).collect();
    assert_eq!(
        messages,
        [
            "`g` hides a global variable",
            "tools disagree on how this expression groups",
            "`f` can end without a `return`",
        ]
    );
    let text = parsed.diagnostics.render(&source, Style::Plain);
    assert!(
        text.contains("read as `g & (h = g)`; Boppo and SATABS read `(g & h) = g`"),
        "{text}"
    );
}

#[test]
fn all_forms_of_the_language_are_read() {
    program(
        "decl a, b; // bools
         decl int(8) n, v[4]; decl sint(16) k, bool c;
         dfs bool<2> f(x, int(8) y) begin
           decl p; enforce T; decl q;
           p, q := x, y > 0x0F constrain 'p | ('v[1] = v[1]);
           return p, ~q
         end;
         void main() begin
           A: B: if (a) then skip; elsif b then ; else end_of_it: fi;
           while ? do abortif a && b || c; od;
           a, _ := f(T, *); f(0, 1);
           n := int(8)(k) * 2 / 3 % 5 - 1 << n >> 2; k := -k; v[n] := ~n & n | n ^ n;
           a := 1 = 0 != T; a := n <= 3 & n >= 2 == b;
           goto A, B, end_of_it;
           C:
         end",
        bp::Dialect::Boppo,
    );
}
