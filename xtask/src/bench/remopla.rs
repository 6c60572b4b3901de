//! The families on which Moped 2's figures are known, in Moped 2's language.

use std::fmt::Write as _;

/// Bebop's "levels"; the label is `error`.
pub(crate) fn levels(procedures: u64, reachable: bool) -> String {
    let mut text = String::from("bool g;\n");
    for index in 1..=procedures {
        let _ = writeln!(text, "module void level{index}();");
    }
    let test = if reachable { "g" } else { "g && !g" };
    let _ = write!(
        text,
        "init main;
module void main() {{
  level1();
  level1();
  if
    :: {test} -> error: skip;
    :: else -> skip;
  fi;
  return;
}}
"
    );
    for index in 1..=procedures {
        let calls = if index < procedures {
            format!("level{0}(); level{0}();", index + 1)
        } else {
            "skip;".to_owned()
        };
        let _ = write!(
            text,
            "module void level{index}() {{
  bool a;
  bool b;
  bool c;
  if
    :: g ->
      a = false, b = false, c = false;
      do
        :: a && b && c -> break;
        :: !a -> a = true;
        :: a && !b -> a = false, b = true;
        :: a && b && !c -> a = false, b = false, c = true;
      od;
    :: else -> {calls}
  fi;
  g = !g;
  return;
}}
"
        );
    }
    text
}

/// `k` pairs of locals without a value, each pair equal; the label is `error`.
pub(crate) fn pairwise(k: u64) -> String {
    let each = |text: &dyn Fn(u64) -> String, separator: &str| -> String {
        (0..k).map(text).collect::<Vec<_>>().join(separator)
    };
    let declarations = |letter: &str| each(&|i| format!("  bool {letter}{i};\n"), "");
    format!(
        "bool dummy;
init main;
module void main() {{
{}{}  if
    :: {} -> skip;
    :: else -> return;
  fi;
  if
    :: {} -> skip;
    :: else -> error: skip;
  fi;
  return;
}}
",
        declarations("a"),
        declarations("b"),
        each(&|i| format!("(a{i} == b{i})"), " && "),
        each(&|i| format!("(!a{i} || b{i})"), " && "),
    )
}

/// Quicksort of two arbitrary inputs of so many bits; the label is `done`.
pub(crate) fn quicksort(bits: u64) -> String {
    format!(
        "define DEFAULT_INT_BITS {bits}
module void quicksort(int left, int right);
init main;
module void main() {{
  int first;
  int last;
  first = undef, last = undef;
  quicksort(first, last);
done: skip;
  return;
}}
module void quicksort(int left, int right) {{
  int lo;
  int hi;
  if
    :: left >= right -> return;
    :: else -> skip;
  fi;
  lo = left, hi = right;
  do
    :: lo >= hi -> break;
    :: lo < hi -> lo = lo + 1;
    :: lo < hi -> hi = hi - 1;
  od;
  quicksort(left, hi);
  if
    :: lo < right -> quicksort(lo + 1, right);
    :: else -> skip;
  fi;
  return;
}}
"
    )
}
