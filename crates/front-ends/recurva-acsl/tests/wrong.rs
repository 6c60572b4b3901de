//! One small file per mistake: what the user is told.

use recurva_acsl::{read, witness};
use recurva_syntax::{Source, Style};
use recurva_testkit::{test_folder, wrong::compare};

#[test]
fn wrong_annotations_get_a_clear_message() {
    compare(&test_folder!("wrong"), &["c"], |source| {
        let found = read(source);
        (!found.annotations.is_empty(), found.diagnostics)
    });
}

#[test]
fn wrong_witnesses_get_a_clear_message() {
    compare(&test_folder!("wrong_witness"), &["yml"], |source| {
        let found = witness(source);
        (!found.invariants.is_empty(), found.diagnostics)
    });
}

/// What is right and not supported is left out with a remark, and the rest is read.
#[test]
fn what_is_not_supported_is_said() {
    let text = "/*@ requires \\valid(p + (0 .. n - 1));
  @ requires n >= 0;
  @ assigns p[0 .. n - 1];
  @ ensures \\forall integer i; 0 <= i < n ==> p[i] == 0;
  @ ensures sorted(p, n);
  @ admit n < 10;
  @*/
void f(int *p, int n) {
  /*@null@*/ int *q;
  //@ ghost int k = 0;
  //@ assert (double) n >= 0.5;
  //@ assert \\at(n, L1) == (char *) n;
  //@ check \\separated(p, q);
  /*@ behavior b:
    assumes n > 0;
    ensures \\result == 1; */
  return;
}
";
    let source = Source::new("some.c", text).expect("a short text");
    let found = read(&source);
    let clauses = found.annotations.iter().flat_map(|it| &it.clauses);
    let words: Vec<&str> = clauses.map(|it| it.kind.words()).collect();
    assert_eq!(words, ["requires", "assigns"]);
    assert!(!found.diagnostics.has_errors());
    insta::assert_snapshot!(found.diagnostics.render(&source, Style::Plain));
}
