//! What Remopla programs mean: small programs, one for each construct, whose labels are decided
//! by the search and, where the data is narrow, by the slow fixpoint of the test kit. A label
//! that begins with `yes` can be reached, one that begins with `no` cannot.

use std::{fs, path::Path};

use recurva_check::{Options, Property, check};
use recurva_lang::{guard::Observer, rem};
use recurva_model::Program;
use recurva_syntax::{Diagnostics, Source, Span, Style};
use recurva_testkit::oracle;

fn program(text: &str) -> (Program, String) {
    let source = Source::new("test.rem", text).expect("short");
    let parsed = rem::parse(&source);
    let messages = parsed.diagnostics.render(&source, Style::Plain);
    let program = parsed.program.unwrap_or_else(|| panic!("{messages}"));
    (program, messages)
}

/// Decides all labels, and gives back what was warned of.
fn decide(text: &str) -> String {
    let (program, messages) = program(text);
    let limits = oracle::Limits {
        path_edges: 20_000,
        choices: 1 << 12,
    };
    let facts = oracle::reachable(&program, &limits);
    let mut asked = 0;
    for label in program.labels() {
        let wanted = label.name.starts_with("yes");
        if !wanted && !label.name.starts_with("no") {
            continue;
        }
        asked += 1;
        let property = Property::label(&program, &label.name).expect("a label");
        let outcome = check(&program, &property, &Options::default(), &mut ());
        let found = outcome.expect("a trace that replays").is_violated();
        assert_eq!(found, wanted, "{} in\n{text}", label.name);
        if let Some(facts) = &facts {
            let found = facts.nodes.contains(&label.point);
            assert_eq!(found, wanted, "{} by the fixpoint in\n{text}", label.name);
        }
    }
    assert!(asked > 0, "nothing is asked of\n{text}");
    messages
}

/// As [`decide`], of the body of `main`; nothing is warned of.
fn in_main(globals: &str, body: &str) {
    let text = format!("{globals} init main; module void main() {{ {body} }}");
    assert_eq!(decide(&text), "");
}

/// Two labels that tell whether a condition holds where it stands, in all runs or in some.
fn holds(condition: &str) -> String {
    format!("if :: {condition} -> yes: skip; :: !({condition}) -> no: skip; fi;")
}

fn fails(condition: &str) -> String {
    holds(&format!("!({condition})"))
}

#[test]
fn constants_stand_for_numbers_everywhere() {
    in_main(
        "define N 3 define M (N - 1) * 2 define DEFAULT_INT_BITS M / 2
         int x; int y(N); int a[N + 1](M);",
        "x = 3, y = 7, a[N] = 15;
         if :: x == N && y == 7 && a[3] == 15 && (E i (0,N) a[i] == 5 * N) -> yes1: skip;
            :: else -> no1: skip; fi;
         x = y - N; no2: skip;",
    );
}

#[test]
fn several_variables_are_declared_at_once() {
    in_main(
        "int x(2), a[3](1), y(3); bool b, c[2];",
        "int l(1), m(2); bool n;
         x = 3, y = 7, a[2] = 1, b = true, c[1] = b, l = 1, m = 2, n = false; yes: skip;",
    );
}

#[test]
fn variables_are_arbitrary_at_first() {
    in_main(
        "int g(2);",
        "int l(2); if :: g == 3 && l == 0 -> yes1: skip; :: g == 0 && l == 3 -> yes2: skip; fi;",
    );
}

#[test]
fn undef_is_any_value() {
    in_main(
        "int x(2); bool b; int a[2](1); struct S { int f(2); bool g[2]; }; struct S s;",
        "x = 0, b = true, s.f = 1, A i (0,1) s.g[i] = true, A i (0,1) a[i] = 1;
         x = undef, b = undef, a = undef, s = undef;
         if :: x == 3 && !b && a[0] == 0 && a[1] == 1 && s.f == 2 && !s.g[0] && s.g[1] -> yes: skip;
            :: else -> skip; fi;",
    );
}

#[test]
fn assignments_in_one_statement_happen_together() {
    in_main(
        "int x(2), y(2);",
        &format!("x = 1, y = 2; x = y, y = x; {}", holds("x == 2 && y == 1")),
    );
}

#[test]
fn a_value_that_does_not_fit_blocks() {
    in_main(
        "int x(2), y(4), a[2](1);",
        "y = 3; x = y; yes1: y = 4;
         if :: true -> x = y; no1: skip;
            :: true -> y = x - 3; y = y - 1; no2: skip;
            :: true -> a[0] = y - 2; no3: skip;
            :: true -> x = y - 1; yes2: skip;
            :: true -> y = 15; yes3: y = y + 1; no4: skip; fi;",
    );
}

#[test]
fn expressions_are_computed_with_numbers_not_with_bits() {
    in_main(
        "int x(2), y(2), z(8);",
        &format!(
            "x = 3, y = 2; {}",
            holds("x + y == 5 && x * y > 5 && y - x < 0 && y - x + 1 == 0 && -x == 0 - 3")
        ),
    );
    in_main(
        "int x(2), z(8);",
        &format!(
            "x = 3, z = 200; {}",
            holds(
                "x << 3 == 24 && z >> 3 == 25 && z / x == 66 && z % x == 2 && (x & 6) == 2 \
                 && (x | 4) == 7 && (x ^ 5) == 6 && z > x && x <= z && x != z && 4 > x && x < 4"
            )
        ),
    );
}

#[test]
fn operators_bind_as_in_moped() {
    for condition in [
        "true || true && false",
        "!false && true",
        "2 + 3 * 4 == 14",
        "1 << 1 + 1 == 4",
        "7 - 2 - 1 == 4",
        "!1 == 2",
        "!(1 == 1) == false",
        "!b == false",
        "1 | 2 ^ 3 & 2",
    ]
    .map(|text| match text.ends_with("& 2") {
        true => format!("({text}) == 1"),
        false => text.to_owned(),
    }) {
        in_main("bool b;", &format!("b = true; {}", holds(&condition)));
    }
    in_main("", &fails("false && false || false"));
}

#[test]
fn faults_block() {
    in_main(
        "int x(2), a[3](2);",
        "x = 0;
         if :: true -> skip; if :: 1 / x == 1 -> no1: skip; :: else -> no2: skip; fi;
            :: true -> x = 1 % x; no3: skip;
            :: true -> x = 3; a[x] = 1; no4: skip;
            :: true -> x = 3; x = a[x]; no5: skip;
            :: true -> if :: x != 0 && 1 / x == 1 -> no6: skip; :: else -> yes1: skip; fi;
            :: true -> a[x - 1] = 1; no7: skip; fi;",
    );
}

#[test]
fn if_chooses_among_the_guards_that_hold() {
    in_main(
        "int x(2);",
        "x = 1;
         if :: x == 1 -> yes1: skip; :: x > 0 -> yes2: skip; :: x > 1 -> no1: skip;
            :: else -> no2: skip; fi;
         if :: x == 0 -> no3: skip; :: else -> yes3: skip; fi;
         if :: else -> yes4: skip; fi;
         if :: x == 0 -> skip; :: x == 2 -> skip; fi;
         no4: skip;",
    );
}

#[test]
fn do_repeats_until_break() {
    in_main(
        "int x(3), y(2);",
        "x = 0, y = 0;
         do :: x < 5 -> x = x + 1;
                if :: x == 4 -> do :: y < 2 -> y = y + 1; :: else -> break; od :: else -> skip; fi
            :: x == 3 -> yes1: skip; break;
            :: else -> yes2: break; od;
         if :: x == 3 && y == 0 -> yes3: skip; :: x == 5 && y == 2 -> yes4: skip;
            :: else -> no1: skip; fi;
         do :: x == 7 -> skip; od; no2: skip;",
    );
}

#[test]
fn skip_may_have_a_condition() {
    in_main(
        "int x(1);",
        "skip (x == 1); yes1: skip(x == 1); yes2: skip (x == 0); no: skip;",
    );
}

#[test]
fn goto_and_labels() {
    in_main(
        "int x(2);",
        "x = 0;
         again: x = x + 1;
         if :: x < 3 -> goto again; :: else -> goto out; fi;
         no1: skip;
         out: yes1: skip; goto end; no2: skip; end:",
    );
}

#[test]
fn quantifiers_are_written_out() {
    let all = "a[0] = 1, a[1] = 2, a[2] = 3, b[0] = true, b[1] = false, b[2] = true;";
    for condition in [
        "(E i (0,2) a[i] == 3)",
        "!(E i (0,1) a[i] == 3)",
        "(A i (0,2) a[i] == i + 1)",
        "!(A i (0,2) b[i])",
        "(A i (0,2) (E j (0,2) a[j] == i + 1))",
        "E i (0,2) b[i] && !b[1]",
        "(E i (1,1) !b[i])",
        "(A i (0,2) (i != 1 || !b[i])) && (A i (0,2) i < 3) && true",
        "(A i (0,2) (i == 1) == !b[i])",
        "(A i (0,1) (E i (2,2) a[i] == 3))",
        "E i (0,2) A j (0,2) a[i] >= a[j]",
    ] {
        // Behind a quantifier, a comparison of booleans needs its parentheses.
        let condition = condition.replace("(i == 1) == !b[i]", "((i == 1) == !b[i])");
        in_main(
            "int a[3](2); bool b[3];",
            &format!("{all} {}", holds(&condition)),
        );
    }
}

#[test]
fn a_quantifier_may_stand_before_an_assignment() {
    in_main(
        "int a[3](4), b[4](4);",
        &format!(
            "A i (0,2) a[i] = i * i, A i (0,1) A j (0,1) b[2 * i + j] = 4 * i + j; {}",
            holds("a[0] + a[1] + a[2] == 5 && b[0] == 0 && b[1] == 1 && b[2] == 4 && b[3] == 5")
        ),
    );
}

#[test]
fn structs_are_copied_field_by_field() {
    in_main(
        "struct S { int a(2); bool b; }; struct S s, t; struct S list[2];
         struct T { int v[2](2); } p, q;",
        &format!(
            "s.a = 3, s.b = true; t = s; list[0].a = 1, list[0].b = false; list[1] = t;
             s = list[0]; p.v[0] = 1, p.v[1] = 2; q = p; {}",
            holds(
                "t.a == 3 && t.b && list[1].a == 3 && list[1].b && s.a == 1 && !s.b \
                 && q.v[0] == 1 && q.v[1] == 2"
            )
        ),
    );
}

#[test]
fn arrays_are_copied_element_by_element() {
    in_main(
        "int a[2](2), b[2](2); struct S { bool f; }; struct S s[2], t[2];",
        &format!(
            "b[0] = 1, b[1] = 3, t[0].f = true, t[1].f = false; a = b, s = t; {}",
            holds("a[0] == 1 && a[1] == 3 && s[0].f && !s[1].f")
        ),
    );
}

#[test]
fn calls_pass_values_and_results() {
    let text = "
        int x(4), a[2](4); bool b; struct S { int n(2); bool z; }; struct S s;
        module int(2) add(int u(2), int v(2));
        module bool zero(int n(3));
        init main;
        module void main() {
          int w(2); int narrow(1);
          w = add(1, 2);
          x = add(w, 0); a[add_index()] = 0;
          b = zero(x - 3);
          if :: w == 3 && x == 3 && b -> yes1: skip; :: else -> no1: skip; fi;
          w = 0; a[w + 1] = add(w, 2);
          if :: a[1] == 2 -> yes2: skip; :: else -> no2: skip; fi;
          s = make(3); if :: s.n == 3 && !s.z -> yes3: skip; :: else -> no3: skip; fi;
          w = size(s); if :: w == 3 -> yes4: skip; :: else -> no4: skip; fi;
          w = size(undef); if :: w == 1 -> yes5: skip; :: else -> skip; fi;
          add(1, 1); yes6: skip;
          if :: true -> narrow = add(1, 1); no5: skip;
             :: true -> narrow = add(1, 0); yes7: skip;
             :: true -> add(4, 0); no6: skip;
             :: true -> add(w + 4, 0); no7: skip;
             :: true -> w = add(3, 3); no8: skip; fi;
        }
        module int(2) add(int u(2), int v(2)) { return u + v; }
        module bool zero(int n(3)) { return n == 0; }
        module struct S make(int n(2)) { struct S r; r.n = n, r.z = n == 0; return r; }
        module int(2) size(struct S q) { return q.n; }";
    let text = text.replace(" a[add_index()] = 0;", "");
    let messages = decide(&text);
    // 4 never fits in two bits.
    let never = messages.matches("never fits in int(2)").count();
    assert_eq!(
        (never, messages.matches("warning:").count()),
        (2, 2),
        "{messages}"
    );
}

#[test]
fn recursion_has_no_bound() {
    let text = "
        define DEFAULT_INT_BITS 2
        bool deep;
        init main;
        module void main() { int r; deep = false; r = down(3); if
          :: r == 3 && deep -> yes1: skip; :: r == 3 && !deep -> yes2: skip; :: else -> no: skip; fi; }
        module int down(int n) {
          int r;
          if :: n == 0 -> return 0; :: true -> deep = true; r = down(n); return r; :: n > 0 -> skip; fi
          r = down(n - 1);
          return r + 1;
        }";
    assert_eq!(decide(text), "");
}

#[test]
fn runs_begin_where_init_says() {
    let text = "int x(1); module void main() { no: skip; } module int(1) other(int p(1)) {
        if :: p == 0 -> yes1: skip; :: p == 1 -> yes2: skip; fi; return p; } init other;";
    assert_eq!(decide(text), "");
}

#[test]
fn warnings_leave_a_program() {
    let text = "int x(2), a[2](2); init main;
        module void main() { bool x; a[2] = 1; no: a[0] = 4; no2: skip; }
        module int(2) f() { if :: a[0] == 1 -> return 1; :: else -> skip; fi; }";
    let messages = decide(text);
    for part in [
        "`x` hides a global variable",
        "this index is always out of range",
        "this value never fits in int(2)",
        "`f` can end without a `return`",
    ] {
        assert!(messages.contains(part), "{messages}");
    }
}

#[test]
fn words_of_other_languages_are_names() {
    in_main(
        "int begin(1), A(1), E(1), T(1);",
        "A = 1, E = A, T = E, begin = 0; assert: yes: skip; // a comment
         /* another */ while: skip;",
    );
}

#[test]
fn guards_of_monitors_name_fields_in_braces() {
    let (program, _) = program(
        "struct S { int f(2); }; struct S s, t[2]; init main;
         module void main() { struct S l; L: l = s; }",
    );
    let text = "@L && {s.f} == 1 && {t.f}[0] > 2 && main::{l.f} < 3";
    let source = Source::new("guard", text).expect("short");
    let mut diagnostics = Diagnostics::default();
    let place = Span::new(0, text.len() as u32);
    let guard = Observer::new(&program).parse(&source, place, &mut diagnostics);
    let messages = diagnostics.render(&source, Style::Plain);
    assert!(guard.is_some(), "{messages}");
}

#[test]
fn the_model_points_back_to_the_text() {
    let text = "int x(2); init main;
        module void main() { L: x = 1; if :: x == 1 -> M: skip; :: else -> skip; fi; }";
    let (program, _) = program(text);
    let main = &program.procedures()[0];
    let edges: Vec<&str> = main.edges.iter().map(|e| &text[e.origin.range()]).collect();
    assert_eq!(edges, ["x = 1", "x == 1", "else", "skip", "skip"]);
    assert_eq!(&text[main.origin.range()], "module void main()");
    assert_eq!(&text[program.globals()[0].origin.range()], "x");
    assert_eq!(&text[main.nodes[main.exit.index()].origin.range()], "}");
}

#[test]
#[allow(clippy::print_stderr, reason = "says why nothing was tested")]
fn the_public_example_is_read() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/rem/quicksort.rem");
    let Ok(text) = fs::read_to_string(file) else {
        eprintln!("skipped: the public example is not here");
        return;
    };
    assert_eq!(decide(&text.replace("fin:", "yes_fin:")), "");
}
