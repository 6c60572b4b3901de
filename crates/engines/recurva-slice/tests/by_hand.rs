//! Small programs of which it is plain what can go, and what must not.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use recurva_lang::bp;
use recurva_model::{Guard, GuardOp, Op, Point, Program, VarRef};
use recurva_slice::{Observed, Slice};
use recurva_syntax::{Source, Style};

fn parse(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{errors}"))
}

/// The nodes with a label.
fn labelled(program: &Program, name: &str) -> Vec<Point> {
    let labels = program.labels().iter();
    let points = labels.filter(|label| &*label.name == name);
    points.map(|label| label.point).collect()
}

/// What the slice for label `L` drops: names of procedures, names of variables.
fn dropped(text: &str) -> (Vec<String>, Vec<String>) {
    let program = parse(text);
    let targets = labelled(&program, "L");
    let slice = Slice::new(&program, &Observed::Points(&targets));
    let names = |names: &[Box<str>]| names.iter().map(ToString::to_string).collect();
    let dropped = slice.dropped();
    (
        names(&dropped.procedure_names),
        names(&dropped.variable_names),
    )
}

#[test]
fn what_comes_after_the_last_target_goes() {
    let (procedures, variables) = dropped(
        "decl a, b;
         void before() begin assume(a); end
         void after() begin assume(b); end
         void main() begin before(); L: skip; after(); end",
    );
    assert_eq!(procedures, ["after"]);
    assert_eq!(variables, ["b"]);
}

#[test]
fn a_call_that_may_not_return_stays() {
    let (procedures, variables) = dropped(
        "decl a;
         void wait() begin while (a) do skip; od end
         void main() begin wait(); L: skip; end",
    );
    assert!(procedures.is_empty(), "{procedures:?}");
    assert!(variables.is_empty(), "{variables:?}");
}

#[test]
fn what_may_fault_stays_though_its_result_does_not_matter() {
    let (_, variables) = dropped(
        "void main() begin
           decl int(4) x, y, i, a[3];
           x := 1 / y;
           a[i] := y;
           L: skip;
         end",
    );
    assert_eq!(variables, ["main::x", "main::a"]);
}

#[test]
fn a_negative_index_is_outside() {
    let text = "void main() begin
           decl sint(3) i; decl a[6];
           a[i] := T;
           if (i = -1) then L: skip; fi
         end";
    let program = parse(text);
    let targets = labelled(&program, "L");
    let slice = Slice::new(&program, &Observed::Points(&targets));
    // The assignment is gone, its condition is not.
    assert_eq!(slice.dropped().assignments.dropped, 1);
    let edges = &slice.program().procedures()[0].edges;
    let is_first = |edge: &&recurva_model::Edge| edge.guard.ops().len() > 3;
    let guard = &edges.iter().find(is_first).expect("a condition").guard;
    let holds = |bits: u64| guard.eval(&[], &|_, _, _| Some(bits)) == Some(1);
    let inside: Vec<bool> = (0..8).map(holds).collect();
    assert_eq!(
        inside,
        [true, true, true, true, false, false, false, false],
        "{guard:?}"
    );
}

#[test]
fn constants_cross_calls_and_returns() {
    let (procedures, variables) = dropped(
        "decl int(8) mode;
         int(8) choose(int(8) x) begin return x; end
         void rare() begin skip; end
         void main() begin
           decl int(8) y;
           mode := 3;
           y := choose(mode);
           if (y != 3) then rare(); fi
           L: skip;
         end",
    );
    assert_eq!(procedures, ["rare"]);
    assert_eq!(variables, ["mode", "choose::x", "main::y"]);
}

#[test]
fn a_value_from_two_callers_is_not_constant() {
    let (procedures, _) = dropped(
        "bool same(x) begin return x; end
         void rare() begin skip; end
         void main() begin
           decl y;
           y := same(T);
           y := same(F);
           if (y) then rare(); fi
           L: skip;
         end",
    );
    assert!(procedures.is_empty(), "{procedures:?}");
}

#[test]
fn an_uninitialised_variable_is_not_constant() {
    let (procedures, _) = dropped(
        "decl g;
         void rare() begin skip; end
         void main() begin
           if (*) then g := F; fi
           if (g) then rare(); fi
           L: skip;
         end",
    );
    assert!(procedures.is_empty(), "{procedures:?}");
}

#[test]
fn observed_variables_and_all_positions_stay() {
    let program = parse(
        "decl g, h;
         void main() begin g := T; h := T; g := F; h := F; end",
    );
    let guard = Guard::new([GuardOp::Plain(Op::Read(VarRef::Global(0)))]);
    let slice = Slice::new(&program, &Observed::Conditions(vec![&guard]));
    assert_eq!(*slice.dropped().variable_names, ["h".into()]);
    assert_eq!(slice.dropped().nodes.dropped, 0);
    assert_eq!(slice.dropped().edges.dropped, 0);
    assert_eq!(slice.guard(&guard), guard);
}

#[test]
fn a_target_that_is_never_reached_leaves_nothing() {
    let program = parse("void main() begin while (T) do skip; od L: skip; end");
    let targets = labelled(&program, "L");
    let slice = Slice::new(&program, &Observed::Points(&targets));
    assert!(slice.program().procedures()[0].edges.is_empty());
    assert_eq!(slice.point(targets[0]), None);
}

#[test]
fn fifty_thousand_lines_take_well_under_a_second() {
    let mut text = String::from("decl lock, debug");
    (0..100).for_each(|index| {
        let _ = write!(text, ", g{index}");
    });
    text.push_str(";\n");
    for index in 0..5_000 {
        let global = index % 100;
        let _ = write!(
            text,
            "bool p{index}(x) begin
               decl y, z;
               y, z := x, *;
               g{global} := z;
               if (debug) then g{global} := !x; fi
               assert(!lock);
               lock := T;
               if (z) then y := p{}(T); fi
               lock := F;
               return y;
             end
",
            (index + 1) % 5_000
        );
    }
    text.push_str("void main() begin decl r; lock, debug := F, F; r := p0(*); end");
    let program = parse(&text);
    let targets: Vec<Point> = program.failures().iter().map(|f| f.point).collect();
    let started = Instant::now();
    let slice = Slice::new(&program, &Observed::Points(&targets));
    let taken = started.elapsed();
    assert!(slice.dropped().variables.dropped >= 101);
    assert!(taken < Duration::from_secs(1), "{taken:?}");
}
