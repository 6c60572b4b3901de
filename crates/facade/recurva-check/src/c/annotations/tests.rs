//! Annotations of small programs.

use std::ops::ControlFlow;

use recurva_certificate::check::EmbeddedJudge;
use recurva_cir::SourceText;
use recurva_ctype::Target;
use recurva_model::Patience;
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;

use super::{Annotated, ClaimKind, Claims, Contracts, annotated, contracts, modular};
use crate::{
    COptions, Said,
    c::{
        Units,
        lowered::{CProgram, Purpose},
        places::Files,
    },
};

/// A program with what is said about it.
struct Read {
    program: CProgram,
    annotated: Annotated,
    files: Files,
    said: String,
}

/// Reads a program that needs no preprocessor.
fn read(text: &str, witness: Option<&str>) -> Read {
    let source = Source::new("a.c", text).expect("a short text");
    let witness = witness.map(|text| Source::new("w.yml", text).expect("a short text"));
    let mut files = Files::new(&source);
    let units = Units {
        texts: vec![SourceText {
            name: "a.c".into(),
            text: text.as_bytes().to_vec(),
            is_library: false,
        }]
        .into(),
        typed: std::sync::Arc::default(),
        whole: vec![Some(0)],
        given: vec![Vec::new()],
        target: Target::lp64(),
        options: COptions::default(),
        compiler: None,
        rule: None,
    };
    let claims = Claims::find(&units, &mut files, witness.as_ref());
    let purpose = Purpose {
        marks: claims.marks().to_vec(),
        is_watched: true,
        ..Purpose::own(&units.options)
    };
    let mut go_on = || ControlFlow::Continue(());
    let mut patience = Patience::new(&mut go_on);
    let program = CProgram::new(&units, &purpose, &mut files, &mut patience);
    let program = match program {
        Ok(program) => program,
        Err(refused) => panic!("{refused:?}"),
    };
    let annotated = annotated(&claims, &program);
    let said = shown(claims.said()) + &shown(&annotated.said);
    Read {
        program,
        annotated,
        files,
        said,
    }
}

fn shown(said: &[Said]) -> String {
    let texts = said.iter().map(|it| match it {
        Said::Text(source, diagnostics) => diagnostics.render(source, Style::Plain),
        other => format!("{other:?}\n"),
    });
    texts.collect()
}

const CONTRACT: &str = "
struct pair { int left, right; };
enum color { red, green = 5 };
int calls, unused; static const int most = 100;
int table[3][4];
struct pair pairs[2];
/*@ requires 0 <= n <= most && n != green;
  @ ensures \\result == n * (n + 1) / 2;
  @ ensures calls == \\old(calls) + 1;
  @*/
int sum(int n) {
  int i = 0, s = 0;
  static int last;
  calls++;
  //@ loop invariant 0 <= i <= n && s == i * (i + 1) / 2 && n == \\at(n, Pre);
  while (i < n) {
    long i2 = i;
    i++;
    s += i;
    //@ assert s > 0 && i == i2 + 1;
  }
  {
    unsigned char i = 3;
    //@ assert i == 3;
  }
  last = s - most + most;
  //@ assert unused == 0;
  pairs[1].right = table[2][n % 4] + last;
  //@ assert pairs[1].right == table[2][n % 4] + last;
  return s;
  //@ assert s == 0;
}
//@ ensures \\result == 0;
int main(void) {
  for (int k = 0; k < 3; k++) //@ assert k < 3;
    table[1][k] = sum(k);
  return 0;
}
";

#[test]
fn names_and_places_are_those_of_c() {
    let read = read(CONTRACT, None);
    insta::assert_snapshot!(read.said);
    let claims: Vec<String> = read
        .annotated
        .claims
        .iter()
        .map(|it| {
            let procedure = read.program.program.procedure(it.point.procedure);
            let place = &CONTRACT[it.place.range()];
            let node = match it.point.node {
                node if node == procedure.entry => "entry".to_owned(),
                node if node == procedure.exit => "exit".to_owned(),
                _ => "inside".to_owned(),
            };
            format!("{:?} of {} at {node}: {place}", it.kind, procedure.name)
        })
        .collect();
    insta::assert_snapshot!(claims.join("\n"));
    assert_eq!(read.annotated.claims[0].kind, ClaimKind::Requires);
}

/// Checks what is said.
fn checked(text: &str, witness: Option<&str>) -> (Contracts, String) {
    let read = read(text, witness);
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    let found = contracts(
        read.annotated,
        &read.program,
        &read.files,
        &mut judge,
        &mut ask,
    );
    let found = found.expect("the program is well formed");
    let text = read.said + &shown(&found.not_shown);
    (found, text)
}

const RECURSIVE: &str = "
int calls;
void reach_error(void);
/*@ requires 0 <= n <= 100;
  @ ensures \\result == 2 * n;
  @ ensures calls > \\old(calls) || n == 0;
  @*/
int twice(int n) {
  if (n == 0) return 0;
  if (calls >= 100000) calls = 0;
  return twice(n - 1) + 2;
}
int main(void) {
  int s = 0;
  //@ loop invariant 0 <= i <= 10;
  //@ loop invariant s == 2 * i;
  for (int i = 0; i < 10; i++) {
    if (i % 2) s += 1; else s++;
    s++;
  }
  int t = twice(s);
  //@ assert t == 40;
  if (t != 40) reach_error();
  return 0;
}
";

#[test]
fn right_contracts_are_accepted_and_wrong_ones_told_at_their_lines() {
    let right = RECURSIVE.replace("  @ ensures calls > \\old(calls) || n == 0;\n", "  @\n");
    let (found, said) = checked(&right, None);
    assert_eq!(said, "");
    assert!(found.excludes_errors);
    assert!(found.clauses.iter().all(|it| it.is_shown));
    assert!(!found.candidate().formulas.is_empty());
    let (found, said) = checked(RECURSIVE, None);
    assert!(said.contains("a.c:6:"), "{said}");
    assert_eq!(found.clauses.iter().filter(|it| !it.is_shown).count(), 1);
    for (from, to, line, words) in [
        ("n <= 100", "n <= 10", 21, "this call does not establish"),
        ("0 <= n", "1 <= n", 11, "this call does not establish"),
        ("2 * n;", "2 * n + 1;", 5, "the function does not establish"),
        ("i <= 10", "i <= 9", 15, "the loop does not keep"),
        ("2 * i", "3 * i", 16, "the loop does not keep"),
        ("2 * i", "2 * i + 1", 16, "the invariant does not hold when"),
        ("t == 40;", "t == 41;", 22, "the assertion is not implied"),
    ] {
        let (found, said) = checked(&right.replacen(from, to, 1), None);
        let place = format!("a.c:{line}:");
        assert!(
            said.contains(&place) && said.contains(words),
            "{from}: {said}"
        );
        assert!(!found.excludes_errors, "{from}");
    }
}

const POINTERS: &str = "
struct node { int value; struct node *next; };
struct node first, second;
int numbers[4];
/*@ requires 0 <= *p < 100;
  @ ensures *p == \\old(*p) + 1;
  @*/
void increment(int *p) { (*p)++; }
/*@ requires n != \\null && n->next == \\null;
  @ ensures n->value == v;
  @*/
void set(struct node *n, int v) { n->value = v; }
int main(void) {
  int own = 3;
  increment(&own);
  //@ assert own == 4;
  numbers[2] = 7;
  increment(numbers + 2);
  //@ assert numbers[2] == 8;
  first.next = &second;
  second.next = 0;
  set(first.next, 5);
  //@ assert second.value == 5 && first.next->value == 5;
  return 0;
}
";

#[test]
fn what_pointers_point_to() {
    let (found, said) = checked(POINTERS, None);
    assert_eq!(said, "");
    assert!(found.clauses.iter().all(|it| it.is_shown));
    for (from, to, line) in [
        ("+ 1;", "+ 2;", 6),
        ("*p < 100", "*p < 5", 18),
        ("->value == v", "->value > v", 10),
        ("n->next == ", "n->next != ", 22),
        ("own == 4", "own == 5", 16),
    ] {
        let (_, said) = checked(&POINTERS.replacen(from, to, 1), None);
        assert!(said.contains(&format!("a.c:{line}:")), "{from}: {said}");
    }
}

/// What others believe helps if it is right, and does no harm if it is not.
#[test]
fn witnesses_help() {
    let plain: String = RECURSIVE
        .lines()
        .map(|line| {
            match line.contains("loop invariant")
                || line.contains("@ assert")
                || line.contains("ensures calls")
            {
                true => "\n".to_owned(),
                false => format!("{line}\n"),
            }
        })
        .collect();
    let (found, _) = checked(&plain, None);
    assert!(!found.excludes_errors);
    let invariant = |value: &str| {
        format!(
            "  - invariant:\n      type: loop_invariant\n      location: {{file_name: x/a.c, line: 17, \
             column: 3, function: main}}\n      value: '{value}'\n      format: c_expression\n"
        )
    };
    let right = invariant("s == 2 * i && 0 <= i && i <= 10");
    let witness = format!("- entry_type: invariant_set\n  content:\n{right}");
    let (found, said) = checked(&plain, Some(&witness));
    assert_eq!(said, "");
    assert!(found.excludes_errors);
    let wrong = invariant("s == 3 * i") + &invariant("s == 2 * j");
    let (found, said) = checked(&plain, Some(&(witness + &wrong)));
    assert!(found.excludes_errors);
    assert!(
        said.contains("there is no `j` here: this is left out"),
        "{said}"
    );
}

/// An expression of C about the variables of [`CHOSEN`].
fn expression(rng: &mut Rng, depth: usize, small: &[&str], operators: &[&str]) -> String {
    if depth == 0 || rng.chance(15) {
        return match rng.chance(70) {
            true => small[rng.below(small.len())].to_owned(),
            false => rng.below(9).to_string(),
        };
    }
    let operator = operators[rng.below(operators.len())];
    let mut inner = || expression(rng, depth - 1, small, operators);
    match operator {
        "?" => format!("({} ? {} : {})", inner(), inner(), inner()),
        "!" | "~" | "(unsigned char) " | "(short) " | "(unsigned) " => {
            format!("({operator}{})", inner())
        }
        "<<" | ">>" => format!("({} {operator} 3)", inner()),
        _ => format!("({} {operator} {})", inner(), inner()),
    }
}

const CHOSEN: &str = "
struct s { signed char c; unsigned b : 3; } v;
int main(void) {
  int a = ANY;
  unsigned u = ANY;
  unsigned short h[2]; h[0] = ANY; h[1] = ANY;
  long l = ANY;
  v.c = ANY; v.b = ANY;
  int r = (EXPRESSION) != 0;
  SAID
  return r;
}
";

/// The program with values, an expression, and what is said.
fn chosen(rng: &mut Rng, own: &str, said: &str) -> String {
    let edges = [
        0,
        1,
        -1,
        7,
        127,
        -128,
        255,
        32767,
        65535,
        65536,
        2_147_483_647,
        -2_147_483_647,
    ];
    let mut text = CHOSEN.replace("EXPRESSION", own).replace("SAID", said);
    while text.contains("ANY") {
        let value = match rng.chance(50) {
            true => edges[rng.below(edges.len())],
            false => rng.below(1 << 20) as i64 - (1 << 19),
        };
        text = text.replacen("ANY", &value.to_string(), 1);
    }
    text
}

/// Whether what is said holds.
fn holds(text: &str, witness: Option<&str>) -> bool {
    let mut read = read(text, witness);
    assert_eq!(read.said, "", "{text}");
    // All that is said has to hold.
    for claim in &mut read.annotated.claims {
        claim.kind = ClaimKind::Assertion;
    }
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    let claims = &read.annotated.claims;
    assert_eq!(claims.len(), 1, "{text}");
    let found = modular::check(&read.program.program, claims, &[], &mut judge, &mut ask);
    found.expect("well formed").failed[0].is_empty()
}

/// Expressions mean what the lowered program makes of the same text.
#[test]
fn expressions_mean_what_the_program_means() {
    let mut rng = Rng::new(3);
    let c = [
        "+",
        "-",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        "?",
        "!",
        "~",
        "(unsigned char) ",
        "(short) ",
        "(unsigned) ",
    ];
    let variables = ["a", "u", "h[0]", "h[1]", "l", "v.c", "v.b", "h[v.b & 1]"];
    for _ in 0..300 {
        let own = expression(&mut rng, 3, &variables, &c);
        let text = chosen(&mut rng, &own, "");
        let line = text
            .lines()
            .position(|it| it.contains("return"))
            .unwrap_or(0)
            + 1;
        let witness = |value: &str| {
            format!(
                "- entry_type: invariant_set\n  content:\n  - invariant:\n      type: \
                 location_invariant\n      location: {{file_name: a.c, line: {line}, column: 3}}\n      \
                 value: \"{value}\"\n      format: c_expression\n"
            )
        };
        assert!(
            holds(
                &text,
                Some(&witness(&format!("(r == 1) == (({own}) != 0)")))
            ),
            "{own}"
        );
        assert!(
            !holds(
                &text,
                Some(&witness(&format!("(r == 1) != (({own}) != 0)")))
            ),
            "{own}"
        );
    }
    // Where nothing is larger than its type, integers without bound are the same.
    let comparisons = ["<", "<=", ">", ">=", "==", "!="];
    for _ in 0..300 {
        let mut sides = || expression(&mut rng, 2, &["v.c", "v.b", "h[1]"], &["+", "-"]);
        let (left, right, third) = (sides(), sides(), sides());
        let first = comparisons[rng.below(6)];
        let second = comparisons[rng.below(6)];
        let own = format!("!({left} {first} {right}) || ({right} {second} {third})");
        let acsl = format!("({left} {first} {right}) ==> ({right} {second} {third})");
        let said = format!("//@ assert r == 1 <==> ({acsl});");
        let text = chosen(&mut rng, &own, &said);
        assert!(holds(&text, None), "{own}");
    }
}

/// Whatever is written in annotations, nothing panics.
#[test]
fn damaged_annotations_are_read() {
    let mut rng = Rng::new(5);
    let starts: Vec<usize> = CONTRACT.match_indices('@').map(|(at, _)| at).collect();
    let pieces = [
        "n", "i", "pairs", "[1]", ".left", "(", ")", "-", "*", "\\old", "<<", "red", "table", "&",
    ];
    for _ in 0..400 {
        let mut text = CONTRACT.to_owned();
        let at = starts[rng.below(starts.len())] + 1;
        let line = CONTRACT[at..].find('\n').unwrap_or(0);
        let place = at + rng.below(line.max(1));
        // Never the end of a comment.
        if !text[at..at + line].contains("*/") && text.is_char_boundary(place) {
            match rng.chance(50) {
                true => text.insert_str(place, pieces[rng.below(pieces.len())]),
                false if &text[place..=place] != "\n" => drop(text.remove(place)),
                false => {}
            }
        }
        if text.matches("*/").count() == CONTRACT.matches("*/").count() {
            read(&text, None);
        }
    }
}
