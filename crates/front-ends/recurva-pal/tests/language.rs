//! Monitors that are right, and what is read of them.

use std::{fs, path::Path};

use recurva_pal::lang::{
    Arguments, Fragment, Hole, Monitor, OperandKind, PatternKind, PieceKind, Threads, parse,
};
use recurva_syntax::{Source, Style};

fn read(name: &str, text: &str) -> (Monitor, String) {
    let source = Source::new(name, text).expect("a short text");
    let parsed = parse(&source);
    let messages = parsed.diagnostics.render(&source, Style::Plain);
    let monitor = parsed.monitor.unwrap_or_else(|| panic!("{messages}"));
    (monitor, messages)
}

fn quiet(text: &str) -> Monitor {
    let (monitor, messages) = read("rule.pal", text);
    assert_eq!(messages, "");
    monitor
}

fn figure(name: &str) -> (Monitor, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures");
    let text = fs::read_to_string(folder.join(name)).expect("a file of the project");
    read(name, &text)
}

fn text(fragment: &Option<Fragment>) -> String {
    fragment.as_ref().expect("it is there").text()
}

#[test]
fn figure_5_3_as_the_thesis_prints_it() {
    let (monitor, messages) = figure("figure_5_3.pal");
    let globals: Vec<String> = monitor.globals.iter().map(|it| it.text.text()).collect();
    assert_eq!(globals, ["int infoo = 0", "int open = 0", "FILE * stream"]);
    let [open, close, foo] = &monitor.events[..] else {
        panic!("three events");
    };
    assert_eq!(
        text(&open.before.guard),
        "strcmp($2,\"dat\")\n  ||(open==0 && infoo==1)"
    );
    assert!(open.before.action.is_some() && open.after.is_empty());
    assert_eq!(
        text(&close.before.action),
        "if ($1 == stream)\n           open = 0;"
    );
    assert_eq!(foo.locals[0].text.text(), "int stored");
    assert_eq!(
        text(&foo.before.action),
        "stored = infoo;\n           infoo = 1;"
    );
    assert_eq!(text(&foo.after.guard), "open == 0");
    assert_eq!(text(&foo.after.action), "infoo = stored;");
    // The action of event 1 uses the stream before there is one: a slip of the thesis.
    insta::assert_snapshot!(messages);
}

#[test]
fn figure_5_5_as_the_thesis_prints_it() {
    let (monitor, messages) = figure("figure_5_5.pal");
    assert_eq!(messages, "");
    let [write, foo] = &monitor.events[..] else {
        panic!("two events");
    };
    assert_eq!(text(&write.before.guard), "infoo == 0");
    assert!(write.pattern.target.is_none());
    let PatternKind::Call { callee, arguments } = &foo.pattern.kind else {
        panic!("a call");
    };
    assert_eq!((&*callee.text, arguments), ("foo", &Arguments::Any));
    let target = foo.pattern.target.as_ref().expect("a target");
    assert_eq!(target.kind, OperandKind::Any);
    assert_eq!(foo.title(), "event 2");
}

#[test]
fn with_and_without_braces_is_the_same() {
    let with = "event { pattern { f($1); } guard { $1 } } \
                event { after pattern { x = $2; } action { g($2); } }";
    let without = "pattern { f($1); } guard { $1 } after pattern { x = $2; } action { g($2); }";
    let (with, without) = (quiet(with), quiet(without));
    let shape = |monitor: &Monitor| {
        let events = monitor.events.iter();
        let shape = events.map(|it| {
            let parts = [&it.before, &it.after].into_iter();
            let fragments = parts.map(|part| part.fragments().map(Fragment::text).collect());
            (it.number, fragments.collect::<Vec<Vec<String>>>())
        });
        shape.collect::<Vec<_>>()
    };
    assert_eq!(shape(&with), shape(&without));
    assert_eq!(
        shape(&with),
        [
            (1, vec![vec!["$1".to_owned()], vec![]]),
            (2, vec![vec![], vec!["g($2);".to_owned()]])
        ]
    );
}

#[test]
fn pieces_tell_variables_from_members_tags_and_keywords() {
    let monitor = quiet(
        "event { pattern { f($1); } action { if (open) s.open = $1->open + (struct open *) 0x1p-3 \
         + 'o' + L\"open\"; /* open */ } }",
    );
    let action = monitor.events[0].before.action.as_ref().expect("there");
    let names: Vec<&str> = action.names().map(|it| it.0).collect();
    assert_eq!(names, ["open", "s"]);
    let holes: Vec<Hole> = action.holes().map(|it| it.0).collect();
    assert_eq!(holes, [Hole::Variable(1)]);
    // The pieces are the text, without gaps.
    let mut at = action.span.start;
    for piece in &action.pieces {
        assert_eq!(piece.span.start, at);
        assert!(piece.kind != PieceKind::Text || !piece.text.is_empty());
        at = piece.span.end;
    }
    assert_eq!(at, action.span.end);
    assert!(action.text().ends_with("/* open */"));
}

#[test]
fn declarations_of_many_forms_declare_their_names() {
    let names = |text: &str| {
        let text = format!("#include <x.h>\nglobal {text}; event {{ pattern {{ f(); }} }}");
        let monitor = quiet(&text);
        let variables = monitor.globals[0].variables.iter();
        let shown = variables.map(|it| match &it.initialiser {
            Some(value) => format!("{}={}", it.name.text, value.text()),
            None => it.name.text.to_string(),
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("int a", "a"),
        ("int a = 1, *b, c[3] = {1, 2, 3}", "a=1 b c={1, 2, 3}"),
        ("unsigned long long n = f(1, 2)", "n=f(1, 2)"),
        ("FILE *stream", "stream"),
        ("struct pair { int x, y; } p = { 1, 2 }", "p={ 1, 2 }"),
        ("enum { IDLE, BUSY = 3 } state = IDLE", "state=IDLE"),
        ("int (*handler)(int, char)", "handler"),
        ("type_t (*handlers[4])(type_t x)", "handlers"),
        ("const char *const name = \"a,b;\"", "name=\"a,b;\""),
        ("__attribute__((aligned(8))) int a", "a"),
        ("struct open open", "open"),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn threads_and_names_of_events() {
    let monitor = quiet("monitor per thread; event opened { pattern { f(); } }");
    assert_eq!(monitor.threads, Threads::PerThread);
    assert_eq!(monitor.events[0].title(), "event 1 (opened)");
    let threads = |text: &str| quiet(&format!("{text} pattern {{ f(); }}")).threads;
    assert_eq!(threads("monitor locked;"), Threads::Locked);
    assert_eq!(threads("monitor per process;"), Threads::None);
    assert_eq!(threads(""), Threads::None);
}

#[test]
fn the_words_of_the_language_are_names_in_c() {
    let monitor = quiet(
        "global int event = 0, pattern; \
         event before { pattern { after = guard($1, $?); } action { event = pattern + $1; } }",
    );
    assert_eq!(monitor.globals[0].variables.len(), 2);
    assert_eq!(monitor.events[0].title(), "event 1 (before)");
}

#[test]
fn patterns() {
    let shown = |text: &str| {
        let monitor = quiet(&format!("event {{ pattern {{ {text} }} }}"));
        let pattern = &monitor.events[0].pattern;
        let operand = |it: &recurva_pal::lang::Operand| match &it.kind {
            OperandKind::Any => "any".to_owned(),
            OperandKind::Bind(number) => format!("bind {number}"),
            OperandKind::Expr(fragment) => format!("`{}`", fragment.text()),
        };
        let target = pattern.target.as_ref().map_or("no".to_owned(), operand);
        let kind = match &pattern.kind {
            PatternKind::Call { callee, arguments } => match arguments {
                Arguments::Any => format!("{} of any", callee.text),
                Arguments::List(list) => {
                    let list: Vec<String> = list.iter().map(operand).collect();
                    format!("{} of {}", callee.text, list.join(", "))
                }
            },
            PatternKind::Assign { value } => operand(value),
        };
        format!("{target} := {kind}")
    };
    assert_eq!(shown("f();"), "no := f of ");
    assert_eq!(shown("f($?)"), "no := f of any");
    assert_eq!(shown("$? = f($?, $?);"), "any := f of any, any");
    assert_eq!(
        shown("$1 = f(0, $2, a[$3]);"),
        "bind 1 := f of `0`, bind 2, `a[$3]`"
    );
    assert_eq!(shown("$? = $?;"), "any := any");
    assert_eq!(shown("$1->flag = 1;"), "`$1->flag` := `1`");
    assert_eq!(shown("x = f(1) + g(2);"), "`x` := `f(1) + g(2)`");
    assert_eq!(shown("x = a <= b;"), "`x` := `a <= b`");
    assert_eq!(shown("x = sizeof(y);"), "`x` := `sizeof(y)`");
}
