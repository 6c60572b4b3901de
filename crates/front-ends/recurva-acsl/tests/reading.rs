//! What is read, shown with all brackets.

use recurva_acsl::{
    BinaryOperator, CastType, ClauseKind, Expression, Invariant, InvariantKind, Label, Term,
    TermKind, UnaryOperator, has_annotations, read, witness,
};
use recurva_syntax::{Diagnostic, Source};
use recurva_testkit::rng::Rng;

fn shown(expression: &Expression) -> String {
    let mut texts: Vec<String> = Vec::new();
    for Term { kind, .. } in expression.terms() {
        let text = match kind {
            TermKind::Number(number) => number.value.to_string(),
            TermKind::Truth(truth) => truth.to_string(),
            TermKind::Null => "null".to_owned(),
            TermKind::Name(name) => name.to_string(),
            TermKind::Result => "result".to_owned(),
            TermKind::At(it, label) => match label {
                Label::Old => format!("old({})", texts[it.index()]),
                label => format!("at({}, {label:?})", texts[it.index()]),
            },
            TermKind::Unary(operator, it) => {
                let sign = match operator {
                    UnaryOperator::Not => "!",
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Plus => "+",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Dereference => "*",
                    UnaryOperator::Address => "&",
                };
                format!("{sign}{}", texts[it.index()])
            }
            TermKind::Binary(operator, left, right) => format!(
                "({} {} {})",
                texts[left.index()],
                sign(*operator),
                texts[right.index()]
            ),
            TermKind::Conditional(condition, yes, no) => format!(
                "({} ? {} : {})",
                texts[condition.index()],
                texts[yes.index()],
                texts[no.index()]
            ),
            TermKind::Index(array, index) => {
                format!("{}[{}]", texts[array.index()], texts[index.index()])
            }
            TermKind::Field(record, name) => format!("{}.{name}", texts[record.index()]),
            TermKind::Arrow(pointer, name) => format!("{}->{name}", texts[pointer.index()]),
            TermKind::Cast(ty, it) => match ty {
                CastType::Integer => format!("integer({})", texts[it.index()]),
                CastType::Bool => format!("bool({})", texts[it.index()]),
                CastType::Int { kind, signed } => {
                    let sign = match signed {
                        Some(true) => "s",
                        Some(false) => "u",
                        None => "",
                    };
                    format!("{sign}{kind:?}({})", texts[it.index()])
                }
            },
        };
        texts.push(text);
    }
    texts.pop().expect("an expression has parts")
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Equivalent => "<==>",
        BinaryOperator::Implies => "==>",
        BinaryOperator::Or => "||",
        BinaryOperator::Xor => "^^",
        BinaryOperator::And => "&&",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
    }
}

fn acsl(text: &str) -> String {
    let text = format!("//@ assert {text};\n;");
    let source = Source::new("a.c", text).expect("short");
    let found = read(&source);
    let messages: Vec<&str> = found.diagnostics.iter().map(Diagnostic::message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    let clause = &found.annotations[0].clauses[0];
    shown(clause.expression.as_ref().expect("it says something"))
}

fn c(text: &str) -> String {
    let witness = of_value(&format!("\"{text}\""));
    shown(&witness.expression)
}

fn of_value(value: &str) -> Invariant {
    let text = format!(
        "- entry_type: invariant_set\n  metadata: {{format_version: \"2.0\"}}\n  content:\n  \
         - invariant:\n      type: loop_invariant\n      location:\n        file_name: \"a/b.c\"\n        \
         line: 7\n        column: 3\n        function: main\n      value: {value}\n      \
         format: c_expression\n"
    );
    let source = Source::new("w.yml", text).expect("short");
    let found = witness(&source);
    let messages: Vec<&str> = found.diagnostics.iter().map(Diagnostic::message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    found.invariants.into_iter().next().expect("there is one")
}

#[test]
fn operators_bind_as_in_acsl() {
    for (text, wanted) in [
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        (
            "a <==> b ==> c || d && e",
            "(a <==> (b ==> (c || (d && e))))",
        ),
        ("a ^^ b && c || d", "((a ^^ (b && c)) || d)"),
        ("0 <= i < n", "((0 <= i) && (i < n))"),
        ("0 <= i < n == m", "(((0 <= i) && (i < n)) && (n == m))"),
        (
            "n > i >= 0 && a == b == c",
            "(((n > i) && (i >= 0)) && ((a == b) && (b == c)))",
        ),
        ("(a < b) == (c < d)", "((a < b) == (c < d))"),
        ("!a == b", "(!a == b)"),
        ("-a[i + 1].f * *p->q[2]", "(-a[(i + 1)].f * *p->q[2])"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("\\old(x + 1) <= \\result", "(old((x + 1)) <= result)"),
        (
            "\\at(a[i], Pre) == \\at(x, Here)",
            "(at(a[i], Pre) == at(x, Here))",
        ),
        ("small: x < 1 && large: y > 2", "((x < 1) && (y > 2))"),
        (
            "(unsigned char) x + (long long int) y",
            "(uChar(x) + sLongLong(y))",
        ),
        ("(integer) x - (size_t) -1", "(integer(x) - uSize(-1))"),
        (
            "(char) c == 'a' || c == '\\n'",
            "((Char(c) == 97) || (c == 10))",
        ),
        ("0x1F + 017 + 10ul", "((31 + 15) + 10)"),
        ("a - b - c << 2", "(((a - b) - c) << 2)"),
        ("a & b == c | d ^ e", "((a & (b == c)) | (d ^ e))"),
        ("p == \\null ==> \\true", "((p == null) ==> true)"),
        ("((x))", "x"),
        ("x /* y */ + 1", "(x + 1)"),
    ] {
        assert_eq!(acsl(text), wanted);
    }
}

#[test]
fn operators_bind_as_in_c() {
    for (text, wanted) in [
        ("0 <= i < n", "((0 <= i) < n)"),
        ("a == b < c", "(a == (b < c))"),
        ("a & 1 == 0 && !b", "((a & (1 == 0)) && !b)"),
        ("(int) x % 2u", "(sInt(x) % 2)"),
        ("x ? y : z", "(x ? y : z)"),
    ] {
        assert_eq!(c(text), wanted);
    }
    let folded = of_value(">-\n        x\n        == 1");
    assert_eq!(shown(&folded.expression), "(x == 1)");
    assert_eq!(shown(&of_value("'x <= ''a'''").expression), "(x <= 97)");
    let plain = of_value("x >= 1");
    assert_eq!(plain.kind, InvariantKind::Loop);
    assert_eq!(
        (&*plain.file, plain.line, plain.column),
        ("a/b.c", 7, Some(3))
    );
    assert_eq!(plain.function.as_deref(), Some("main"));
}

#[test]
fn clauses_and_what_they_are_about() {
    let text = "/*@ requires n >= 0;
  @ assigns \\nothing;
  @ ensures \\result >= n;
  @*/
int f(int n) {
  /*@ loop invariant 0 <= n;
      loop assigns n;
      loop variant n; */
  while (n) n--;
  //@ assert n == 0; check n <= 0;
  //@ check n == 1 - 1;
  return n;
}
";
    assert!(has_annotations(text));
    let source = Source::new("a.c", text).expect("short");
    let found = read(&source);
    assert!(found.diagnostics.is_empty());
    let all: Vec<(&str, &str)> = found
        .annotations
        .iter()
        .flat_map(|it| {
            let target = text[it.target as usize..].lines().next().unwrap_or("");
            let clauses = it.clauses.iter();
            clauses.map(move |clause| (clause.kind.words(), target))
        })
        .collect();
    assert_eq!(
        all,
        [
            ("requires", "int f(int n) {"),
            ("assigns", "int f(int n) {"),
            ("ensures", "int f(int n) {"),
            ("loop invariant", "while (n) n--;"),
            ("loop assigns", "while (n) n--;"),
            ("loop variant", "while (n) n--;"),
            ("assert", "return n;"),
            ("assert", "return n;"),
            ("assert", "return n;"),
        ]
    );
    let first = &found.annotations[0].clauses[0];
    assert_eq!(first.kind, ClauseKind::Requires);
    assert_eq!(source.slice(first.span), "requires n >= 0;");
    let span = first.expression.as_ref().expect("it says something").span();
    assert_eq!(source.slice(span), "n >= 0");
}

/// Texts that are damaged anywhere are read without panic, and what is read has places in them.
#[test]
fn damaged_texts_are_read() {
    let acsl = "int f(int n);\n/*@ requires p->a[i].b <= \\old(n) < 0x10u ? (int) x : -'c';\n  @ \
                assigns \\nothing; ensures \\result == \\at(n, Pre) <==> !(a ==> b || c && d); */\n\
                //@ loop invariant 0 <= i <= n; loop variant n - i;\n//@ assert \"s\" + é;\n";
    let yaml = "- entry_type: invariant_set\n  content:\n  - invariant:\n      type: loop_invariant\n      \
                location: {file_name: a.c, line: 3, column: 1, function: f}\n      \
                value: \"(x <= 1 && y) == 'a'\"\n      format: c_expression\n";
    let pieces = [
        "\\", "(", ")", "[", "\"", "'", "@", "*/", "/*@", "//@", ";", "?", ":", "\n", "é", "- ",
        "&a", "*a", "{", "}",
    ];
    let mut rng = Rng::new(17);
    for round in 0..20_000 {
        let mut text = match round % 2 {
            0 => acsl.to_owned(),
            _ => yaml.to_owned(),
        };
        for _ in 0..=rng.below(6) {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let Some(&at) = rng.pick(&starts) else { break };
            match rng.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert_str(at, pieces[rng.below(pieces.len())]),
                _ => text.truncate(at),
            }
        }
        let source = Source::new("damaged", text).expect("short");
        let end = source.end().end;
        for annotation in read(&source).annotations {
            assert!(annotation.span.end <= end && annotation.target <= end);
            for clause in annotation.clauses {
                assert!(clause.span.end <= end);
                clause.expression.map(|it| shown(&it));
            }
        }
        for invariant in witness(&source).invariants {
            assert!(invariant.span.end <= end);
            shown(&invariant.expression);
        }
    }
}

/// Nothing hangs, overflows or takes quadratic time.
#[test]
fn large_and_deep_texts_are_read() {
    let many = 100_000;
    for text in [
        format!("//@ assert {}x;", "(".repeat(many)),
        format!("//@ assert {}x{};", "(".repeat(many), ")".repeat(many)),
        format!("//@ assert {}x;", "!".repeat(many)),
        format!("//@ assert x{};", "[x".repeat(many)),
        format!("//@ assert x{};", " < x".repeat(many)),
        format!("//@ assert x{};", "?x:x".repeat(many)),
        format!("/*@ {}", "assert ".repeat(many)),
        "/*@ assert x;*/".repeat(many),
        "//@".repeat(many),
        "\"".repeat(many),
        "[".repeat(many),
        "- ".repeat(many),
        "- a: ".repeat(1000),
    ] {
        let source = Source::new("large", text).expect("a text that can be addressed");
        let found = read(&source);
        assert!(found.annotations.len() <= many);
        assert!(witness(&source).invariants.is_empty());
    }
}
