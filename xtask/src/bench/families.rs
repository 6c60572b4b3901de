//! Programs that grow with a number, as source text.

use std::fmt::Write as _;

/// One procedure that calls itself `depth` times: a summary for each depth.
pub(crate) fn deep(depth: u64) -> String {
    format!(
        "decl seen;
void down(int(32) n) begin
  if (n != 0) then down(n - 1); else seen := T; fi
end
void main() begin
  seen := F;
  down({depth});
  assert(seen);
end
"
    )
}

/// `bits` booleans that are flipped one at a time: 2^bits valuations at every node.
pub(crate) fn wide(bits: u64) -> String {
    let each = |text: &dyn Fn(u64) -> String, separator: &str| {
        (0..bits).map(text).collect::<Vec<_>>().join(separator)
    };
    let names = each(&|bit| format!("b{bit}"), ", ");
    let zeros = each(&|_| "F".to_owned(), ", ");
    let labels = each(&|bit| format!("f{bit}"), ", ");
    let flips = each(
        &|bit| format!("    f{bit}: b{bit} := !b{bit}; goto next;\n"),
        "",
    );
    // The exclusive or of all bits is what the number of flips says: every bit is needed.
    let parity = each(&|bit| format!("b{bit}"), " ^ ");
    format!(
        "decl {names}, odd;
void main() begin
  odd, {names} := F, {zeros};
  while (*) do
    odd := !odd;
    goto {labels};
{flips}    next: skip;
  od
  assert(odd = ({parity}));
end
"
    )
}

/// A chain of procedures, each of which calls the next one twice with different arguments.
/// All of them negate theirs.
pub(crate) fn many(procedures: u64) -> String {
    let mut text = String::from("decl g;\n");
    for index in 0..procedures {
        let next = index + 1;
        let _ = write!(
            text,
            "bool p{index}(x) begin
  decl y, z;
  y := p{next}(x);
  z := p{next}(!x);
  return y ^ z ^ x;
end
"
        );
    }
    let _ = write!(
        text,
        "bool p{procedures}(x) begin
  g := x;
  return !x;
end
void main() begin
  decl r, s;
  r := p0(T);
  s := p0(F);
  assert(r != s);
end
"
    );
    text
}

/// Bebop's "levels": each level counts through three bits and calls the next one twice.
pub(crate) fn levels(procedures: u64, reachable: bool) -> String {
    let mut text = String::from("decl g;\n");
    let test = if reachable { "g" } else { "g & !g" };
    let _ = write!(text, "void main() begin\n  level1();\n  level1();\n");
    let _ = write!(text, "  if ({test}) then ERROR: skip; fi\nend\n");
    for index in 1..=procedures {
        let calls = if index < procedures {
            format!("level{0}();\n  level{0}();", index + 1)
        } else {
            "skip;".to_owned()
        };
        let _ = write!(
            text,
            "void level{index}() begin
  decl a, b, c;
  if (g) then
    a, b, c := F, F, F;
    while (!a | !b | !c) do
      if (!a) then a := T;
      elsif (!b) then a, b := F, T;
      else a, b, c := F, F, T; fi
    od
  else
    {calls}
  fi
  g := !g;
end
"
        );
    }
    text
}
