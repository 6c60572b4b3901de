//! Monitors that are right.

use recurva_lang::bp;
use recurva_logic::monitor;
use recurva_model::{GuardOp, Monitor, Op, Program, Type};
use recurva_syntax::{Source, Style};

const MODEL: &str = "
decl g; decl int(4) n, a[3];
void lock(int(4) id) begin decl {x==0}; acquire: g := T; release: skip; end
void main() begin acquire: lock(n); end";

fn program() -> Program {
    let source = Source::new("model.bp", MODEL).expect("a short text");
    bp::parse(&source, &bp::Options::default())
        .program
        .expect("a right program")
}

fn monitors(text: &str) -> (Vec<Monitor>, String) {
    let source = Source::new("test.mon", text).expect("a short text");
    let parsed = monitor::parse(&source, &program());
    let text = parsed.diagnostics.render(&source, Style::Plain);
    (parsed.monitors.unwrap_or_else(|| panic!("{text}")), text)
}

#[test]
fn the_example_of_the_documentation() {
    let (monitors, messages) = monitors(
        "monitor double_lock            # several monitors may share a file
           init idle
           target error                 # one or more names
           idle -> held  when @acquire
           held -> idle  when @release
           held -> error when @acquire & lock::id = 3
         // another one
         monitor again
           repeating busy idle
           init idle
           idle->busy",
    );
    assert_eq!(messages, "");
    let [first, second] = &monitors[..] else {
        panic!("two monitors")
    };
    assert_eq!(first.name(), "double_lock");
    let names: Vec<&str> = first.states().iter().map(|state| &*state.name).collect();
    assert_eq!(names, ["idle", "held", "error"]);
    assert_eq!(first.initial(), 0);
    assert_eq!(
        first.states().iter().map(|s| s.target).collect::<Vec<_>>(),
        [false, false, true]
    );
    assert_eq!(first.edges_from(1).len(), 2);
    assert!(second.states().iter().all(|state| state.repeating));
    assert_eq!(
        *second.edges()[0].guard.ops(),
        [GuardOp::Plain(Op::Const(1, Type::Bool))]
    );
}

#[test]
fn a_label_without_its_procedure_means_all_of_that_name() {
    let (monitors, _) = monitors(
        "monitor m
           init s
           target s
           s -> s when @acquire
           s -> s when @lock::acquire
           s -> s when in(lock) & !lock::{x==0} & a[2] > n",
    );
    let points = |edge: usize| match monitors[0].edges()[edge].guard.ops() {
        [GuardOp::At(points)] => points.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(points(0), 2);
    assert_eq!(points(1), 1);
}

#[test]
fn words_of_the_format_may_be_states() {
    let (monitors, _) = monitors("monitor monitor\ninit init\ntarget target\ninit -> target");
    assert_eq!(monitors[0].states().len(), 2);
}
