//! Reports of real checks.

use recurva_check::{
    Answer, Context, Limit, Note, Options, Property, RunContext, Stats, Verdict, check,
};
use recurva_lang::bp;
use recurva_model::{Origin, Program};
use recurva_report::{Detail, Layout, json, text};
use recurva_syntax::Source;

fn program(source: &Source) -> Program {
    bp::parse(source, &bp::Options::default())
        .program
        .expect("a correct model")
}

/// The report on a model's own property, without the figures that differ from run to run.
fn report(model: &str, layout: Layout) -> String {
    let source = Source::new("model.bp", model).expect("short enough");
    let program = program(&source);
    let property = Property::own(&program);
    let mut answer = check(&program, &property, &Options::default(), &mut ()).expect("a verdict");
    answer.stats = Stats::default();
    let context = Context::from(RunContext::new(&source, &program, &property));
    text(&context, &answer, layout)
}

const NESTED: &str = "\
decl int(4) total, log[3];
int(4) double(int(4) x) begin
  log[0] := x;
  return x + x;
end
int(4) quadruple(int(4) x) begin
  x := double(x);
  x := double(x);
  return x;
end
void main() begin
  decl int(4) y;
  total := 1;
  log[0], log[1], log[2] := 0, 0, 0;
  y := quadruple(3);
  total := total + y;
  assert(total != 13);
end
";

#[test]
fn calls_are_nested_and_only_changes_are_shown() {
    insta::assert_snapshot!(report(NESTED, Layout::default()));
}

#[test]
fn the_calls_alone() {
    insta::assert_snapshot!(report(NESTED, Layout::with_detail(Detail::Calls)));
}

#[test]
fn calls_that_do_not_fit_are_folded() {
    let layout = Layout {
        lines: 6,
        ..Layout::default()
    };
    insta::assert_snapshot!(report(NESTED, layout));
}

#[test]
fn a_full_trace_says_what_was_cut() {
    let layout = Layout {
        full_lines: 6,
        ..Layout::with_detail(Detail::Full)
    };
    insta::assert_snapshot!(report(NESTED, layout));
}

/// Recursion of that depth, either returning or failing at the bottom.
fn deep(bottom: &str) -> String {
    format!(
        "decl int(16) n;
        void f() begin
          if (n < 50000) then n := n + 1; f(); else {bottom} fi
        end
        void main() begin n := 0; f(); assert(F); end"
    )
}

#[test]
fn long_and_deep_traces_stay_short() {
    for detail in [Detail::Folded, Detail::Calls, Detail::None] {
        for bottom in ["skip;", "assert(F);"] {
            let text = report(&deep(bottom), Layout::with_detail(detail));
            assert!(text.lines().count() < 260, "{}", text.lines().count());
            assert!(text.lines().all(|line| line.len() < 200), "{text}");
        }
    }
    let text = report(&deep("assert(F);"), Layout::with_detail(Detail::Full));
    assert!(text.lines().count() < 25_000);
    assert!(text.contains("(cut: "));
}

#[test]
fn a_deep_stack_is_folded_in_the_middle() {
    let layout = Layout {
        lines: 24,
        ..Layout::default()
    };
    insta::assert_snapshot!(report(&deep("assert(F);"), layout));
}

#[test]
fn the_other_verdicts() {
    let source = Source::new("model.bp", "void main() begin skip; end").expect("short enough");
    let program = program(&source);
    let property = Property::own(&program);
    let context = Context::from(RunContext::new(&source, &program, &property));
    let limits = [
        Limit::Time(std::time::Duration::from_secs(60)),
        Limit::Memory(4 << 30),
        Limit::PathEdges,
        Limit::Interrupted,
    ];
    let place = Origin { start: 18, end: 22 };
    let note = Note::new("there is nothing to violate").help("ask something");
    let mut answers = vec![
        Answer::new(Verdict::Holds, "explicit"),
        Answer {
            notes: vec![note, Note::new("nothing here").at(place)],
            ..Answer::new(Verdict::Holds, "explicit")
        },
        Answer {
            unfinished: Some(Limit::Time(std::time::Duration::from_millis(1500))),
            ..Answer::new(Verdict::Violated, "explicit")
        },
    ];
    answers.extend(limits.map(|limit| Answer::new(Verdict::Unknown(limit), "explicit")));
    let mut all = String::new();
    for mut answer in answers {
        answer.stats = Stats {
            states: 1,
            path_edges: 1_234_567,
            summaries: 89,
            seconds: 12.34,
            peak_bytes: 5 << 20,
            ..Stats::default()
        };
        all += &text(&context, &answer, Layout::default());
        let mut bytes = Vec::new();
        json(&mut bytes, &context, &answer, Layout::default()).expect("a vector can be written to");
        all += &String::from_utf8(bytes).expect("JSON is UTF-8");
        all += "\n";
    }
    insta::assert_snapshot!(all);
}

#[test]
fn all_labels_of_the_last_node_are_named() {
    let model = "void main() begin ONE: ERROR: skip; end";
    let text = report(model, Layout::default());
    assert!(
        text.starts_with("violated: label ERROR can be reached"),
        "{text}"
    );
    let expected = "! label `ONE` is reached, which is also `ERROR`";
    assert!(text.contains(expected), "{text}");
}
