//! Runs of C programs in C's terms, in every report. The programs are preprocessed already, so that no
//! compiler is needed, and what is found is not executed, so that none is asked.

use recurva_check::{
    Answer, Asked, CCheck, COptions, Context, Limits, Model, Options, ReadOptions, Stats,
};
use recurva_report::{Detail, Layout, json, sarif::Log, steps, text, witness};
use recurva_syntax::Source;

/// Asks the model's own question, and has a look at the answer.
fn asked<T>(text: &str, c: COptions, look: impl Fn(&Context<'_>, &Answer<'_>) -> T) -> T {
    let source = Source::new("model.i", text).unwrap();
    let options = ReadOptions {
        c: COptions {
            execute: false,
            ..c
        },
        ..ReadOptions::default()
    };
    let model = Model::read(source, &options, Limits::default(), &mut ()).unwrap();
    let questions = model.questions(&Asked::default()).unwrap();
    let question = &questions.list[0];
    let mut answer = question.answer(&Options::default(), &mut ()).unwrap();
    answer.stats = Stats::default();
    look(&question.context(), &answer)
}

fn report(model: &str, layout: Layout) -> String {
    asked(model, COptions::default(), |context, answer| {
        text(context, answer, layout)
    })
}

const LIST: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum color { RED, GREEN, BLUE };
struct node {
  int value;
  enum color color;
  struct node *next;
  char name[8];
};
struct node first = { 1, RED, 0, \"one\" };
int total;
static int sum(struct node *list) {
  if (list == 0)
    return 0;
  return list->value + sum(list->next);
}
int main(void) {
  struct node second = { 2, GREEN, &first, \"two\" };
  int numbers[4] = { 0 };
  int *p = &numbers[2];
  const char *text = \"hello\";
  int x = __VERIFIER_nondet_int();
  *p = x;
  second.color = BLUE;
  total = sum(&second);
  if (x == 7 && !(total != 3))
    reach_error();
  return text[0];
}
";

#[test]
fn structs_pointers_strings_enums_and_recursion() {
    insta::assert_snapshot!(report(LIST, Layout::default()));
}

#[test]
fn the_calls_alone() {
    insta::assert_snapshot!(report(LIST, Layout::with_detail(Detail::Calls)));
}

#[test]
fn the_same_as_json() {
    let data = asked(LIST, COptions::default(), |context, answer| {
        let mut out = Vec::new();
        json(&mut out, context, answer, Layout::default()).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        value["evidence"].clone()
    });
    insta::assert_snapshot!(serde_json::to_string_pretty(&data).unwrap());
}

#[test]
fn the_same_for_editors_and_code_scanning() {
    let listed = asked(LIST, COptions::default(), |context, answer| {
        let listed = steps(context, answer);
        listed.into_iter().map(|step| step.text).collect::<Vec<_>>()
    });
    insta::assert_snapshot!(listed.join("\n"));
    let log = asked(LIST, COptions::default(), |context, answer| {
        let mut log = Log::new("0");
        log.add(context, answer, Layout::default());
        log.finish(1)
    });
    let result = &log["runs"][0]["results"][0];
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    let branches = flow.as_array().unwrap().iter();
    let kinds: Vec<String> = branches.map(|step| step["kinds"].to_string()).collect();
    assert!(kinds.iter().any(|it| it.contains("branch")), "{kinds:?}");
    assert_eq!(
        result.get("relatedLocations"),
        None,
        "the model is the C program"
    );
    let frames = result["stacks"][0]["frames"].as_array().unwrap();
    assert_eq!(frames[0]["location"]["message"]["text"], "main()");
}

#[test]
fn a_long_run_is_folded() {
    let text = "extern void reach_error(void);\nint f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }\n\
                int main(void) { int i, s = 0; for (i = 0; i < 30; i++) s += f(200); if (s == 597000) reach_error(); return 0; }\n";
    let short = Layout {
        lines: 30,
        ..Layout::default()
    };
    let found = report(text, short);
    assert!(found.lines().count() < 60, "{found}");
    assert!(found.contains("folded"), "{found}");
    insta::assert_snapshot!(found);
}

#[test]
fn a_deep_stack_is_cut() {
    let text = "extern void reach_error(void);\nvoid f(int n) { if (n == 0) reach_error(); f(n - 1); }\n\
                int main(void) { f(100); return 0; }\n";
    let short = Layout {
        lines: 12,
        ..Layout::default()
    };
    insta::assert_snapshot!(report(text, short));
}

#[test]
fn what_is_allocated_has_the_fields_it_is_used_with() {
    let text = "extern void *malloc(unsigned long);\nextern void free(void *);\n\
                struct node { int value; struct node *next; };\n\
                int main(void) {\n  struct node *p = malloc(sizeof *p);\n  if (!p) return 1;\n\
                  p->value = 3;\n  p->next = 0;\n  free(p);\n  free(p);\n  return 0;\n}\n";
    let options = COptions {
        checks: vec![CCheck::Free],
        ..COptions::default()
    };
    let found = asked(text, options, |context, answer| {
        recurva_report::text(context, answer, Layout::default())
    });
    insta::assert_snapshot!(found);
}

#[test]
fn a_witness_for_validators() {
    let found = asked(LIST, COptions::default(), |context, answer| {
        let recurva_check::About::Runs(run) = context.about else {
            panic!("it is about runs");
        };
        let files = [witness::CFile {
            named: "model.i".into(),
            path: "model.i".into(),
            sha256: "0".repeat(64),
        }];
        let task = witness::Task {
            files: &files,
            specification: &witness::specification("main", None),
            data_model: witness::DataModel::Lp64,
            creation_time: &witness::utc(0),
            version: "0",
        };
        witness::witness(&run, answer.run().unwrap(), answer.c_run.as_ref(), &task).unwrap()
    });
    insta::assert_snapshot!(found);
}
