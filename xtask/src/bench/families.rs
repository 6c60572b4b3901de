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

/// `k` globals and `k` locals without a value, shuffled about, around a lock that is always
/// taken and released in turn.
pub(crate) fn uninitialised(k: u64) -> String {
    let names = |letter: &str| -> String {
        let names: Vec<String> = (0..k).map(|i| format!("{letter}{i}")).collect();
        names.join(", ")
    };
    let mut shuffles = String::new();
    for i in 0..k {
        let j = (i + 1) % k;
        let _ = writeln!(
            shuffles,
            "    if (l{i} ^ g{j}) then g{i} := l{j}; else l{i}, l{j} := g{i}, !l{i}; fi"
        );
    }
    format!(
        "decl lock, {};
void acquire() begin assert(!lock); lock := T; end
void release() begin assert(lock); lock := F; end
void main() begin
  decl {};
  lock := F;
  while (*) do
{shuffles}    if (g0) then acquire(); l0 := g0; else l0 := F; fi
    if (l0) then release(); fi
  od
end
",
        names("g"),
        names("l")
    )
}

/// An error that a few steps lead to, beside products of arbitrary integers.
pub(crate) fn shallow(bits: u64) -> String {
    format!(
        "decl int({bits}) a, b, c, d;
int({bits}) mix(int({bits}) x, int({bits}) y) begin
  return (x * y + c) % (b | 1);
end
void main() begin
  if (*) then c := mix(a, b); fi
  assert(c != d);
  d := mix(c, a);
end
"
    )
}

/// A counter of so many bits that recursion counts up, and back down.
pub(crate) fn counter(bits: u64) -> String {
    let top = (1u64 << bits) - 1;
    format!(
        "decl int({bits}) n;
void up() begin
  if (n != {top}) then n := n + 1; up(); n := n - 1; fi
end
void main() begin
  decl int({bits}) start;
  n := start;
  up();
  assert(n = start | n = {top});
end
"
    )
}

/// A driver of about so many lines, as an abstraction of C gives it: routines with a few
/// predicates each that call each other down the list, a lock, and an outcome.
pub(crate) fn driver(lines: u64, buggy: bool) -> String {
    const LINES_EACH: u64 = 20;
    let routines = (lines / LINES_EACH).max(2);
    let mut text = String::from(
        "decl locked, irp, status;
void acquire() begin assert(!locked); locked := T; end
void release() begin assert(locked); locked := F; end
",
    );
    for i in 0..routines {
        // Spread over the list, so that the depth of calls grows slowly.
        let (left, right) = (2 * i + 1, 2 * i + 2);
        let call = |callee: u64, place: &str, argument: &str| {
            if callee < routines {
                format!("{place} := routine{callee}({argument});")
            } else {
                format!("{place} := *;")
            }
        };
        let forgets = if buggy && i == routines - 1 {
            "skip"
        } else {
            "release()"
        };
        let _ = write!(
            text,
            "bool routine{i}(request) begin
  decl ok, busy, held, retry, pending;
  busy := *;
  retry := F;
  if (request & !busy) then
    acquire();
    pending := irp;
    ok := request != irp;
    irp := pending | ok;
    release();
  else
    {}
    {}
  fi
  while (busy) do
    held := ok = retry;
    if (held) then acquire(); fi
    busy := *;
    if (retry & !ok) then status := F; fi
    if (held) then {forgets}; fi
    retry := !busy;
  od
  if (ok = status) then status := irp; fi
  return ok ^ request;
end
",
            call(left, "ok", "!request"),
            call(right, "pending", "ok"),
        );
    }
    text.push_str(
        "void main() begin
  decl result, first;
  locked := F;
  result := routine0(first);
  if (result) then result := routine0(!first); fi
  assert(!locked);
end
",
    );
    text
}
