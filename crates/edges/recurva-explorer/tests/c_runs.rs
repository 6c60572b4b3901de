//! What the page shows of a run of a C program is what its interpreter came to: the changes of the
//! document, applied one after the other, give the values at the end.

use std::{fs, path::Path, time::Duration};

use recurva_check::{Asked, CCheck, COptions, CRun, CValue, Limits, Model, Options, ReadOptions};
use recurva_explorer::{Change, Document, Evidence, Exploration, Slot, Step, Stored};
use recurva_syntax::Source;

/// The document of the program's own question and the run that it shows; `None` if there is none.
fn shown(source: Source, checks: &[CCheck]) -> Option<(Document, CRun)> {
    let limits = Limits {
        time: Some(Duration::from_secs(20)),
        memory: None,
    };
    let options = ReadOptions {
        c: COptions {
            execute: false,
            checks: checks.to_vec(),
            ..COptions::default()
        },
        ..ReadOptions::default()
    };
    let model = Model::read(source, &options, limits, &mut ()).ok()?;
    let questions = model.questions(&Asked::default()).unwrap();
    let options = Options {
        limits,
        ..Options::default()
    };
    let question = questions.list.first()?;
    let answer = question.answer(&options, &mut ()).unwrap();
    let run = answer.c_run.clone()?;
    let answers = [(question.context(), answer)];
    let document = Exploration::new(&model, &answers).document("", Stored::No);
    Some((document, run))
}

fn apply(values: &mut [String], changes: &[Change]) {
    for (slot, value) in changes {
        values[*slot].clone_from(value);
    }
}

/// Whether values are those of the interpreter. That an object was freed meanwhile changes the name
/// of what points to it.
fn assert_same(slots: &[Slot], found: &[String], expected: &[CValue], about: &str) {
    for value in expected {
        let slot = slots.iter().position(|it| it.name == value.name).unwrap();
        let expected = value.value.replace("freed ", "");
        // What was never given a value does not change.
        if !found[slot].is_empty() && !expected.contains("uninitialised") {
            assert_eq!(
                found[slot].replace("freed ", ""),
                expected,
                "{about}: {}",
                value.name
            );
        }
    }
}

fn assert_shown(document: &Document, run: &CRun, about: &str) {
    let question = &document.questions[0];
    let Some(Evidence::Run(page)) = &question.evidence else {
        panic!("{about} has a run");
    };
    let machine = &document.machines[question.machine.unwrap()];
    let mut globals = page.globals.clone();
    let mut frames = vec![(machine.main as usize, page.locals.clone())];
    let step = |step: &Step, globals: &mut Vec<String>, frames: &mut Vec<(usize, Vec<String>)>| {
        let (function, locals) = frames.last_mut().unwrap();
        let edge = &machine.procedures[*function].edges[step.edge as usize];
        apply(globals, &step.globals);
        apply(locals, &step.locals);
        if let Some(enter) = &step.enter {
            frames.push((edge.callee.unwrap() as usize, enter.locals.clone()));
        }
    };
    for taken in &page.steps {
        step(taken, &mut globals, &mut frames);
    }
    assert_eq!(frames.len(), run.end.stack.len(), "{about}");
    let top = run.end.stack.last().unwrap();
    let (function, locals) = frames.last().unwrap();
    let procedure = &machine.procedures[*function];
    assert_eq!(procedure.name, *top.function, "{about}");
    assert_same(&procedure.locals, locals, &top.locals, about);
    assert_same(&machine.globals, &globals, &run.end.globals, about);
    // Every statement has its place, and calls that return lead to where they say.
    for segment in &page.segments {
        assert!((segment.procedure as usize) < machine.procedures.len());
        assert_eq!(
            segment.locals.len(),
            machine.procedures[segment.procedure as usize].locals.len()
        );
    }
    for edge in machine.procedures.iter().flat_map(|it| &it.edges) {
        assert!(edge.place.is_some() && !edge.text.is_empty(), "{about}");
    }
}

#[test]
fn calls_and_values_of_a_small_program() {
    let text = "extern void reach_error(void);\nstruct pair { int x; int y; } pair;\n\
                int twice(int *p) { *p = *p + 1; return *p * 2; }\n\
                void last(int n) { int m = n; pair.y = m; if (pair.x == 4) reach_error(); }\n\
                int main(void) { int a = 1; pair.x = twice(&a); last(a); return 0; }\n";
    let source = Source::new("a.i", text).unwrap();
    let (document, run) = shown(source, &[]).unwrap();
    assert_shown(&document, &run, "a.i");
    let Some(Evidence::Run(page)) = &document.questions[0].evidence else {
        panic!("it has a run");
    };
    let call = page.steps.iter().find_map(|it| it.call.as_ref()).unwrap();
    assert_eq!(call.invocation, "twice(p=&main::a)");
    assert_eq!(call.results, "4");
    let enter = page.steps.iter().find_map(|it| it.enter.as_ref()).unwrap();
    assert_eq!(enter.invocation, "last(n=2)");
}

#[test]
fn the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus/c");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if !name.ends_with(".c") || name.ends_with("_fixed.c") {
            continue;
        }
        let source = Source::from_bytes(&name, fs::read(&path).unwrap()).unwrap();
        if let Some((document, run)) = shown(source, &[CCheck::Free, CCheck::Null]) {
            assert_shown(&document, &run, &name);
            count += 1;
        }
    }
    // Without a C compiler none can be read.
    assert!(count > 10 || count == 0, "{count}");
}
