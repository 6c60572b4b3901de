//! What the page shows of a run is what the replay did: the changes of the document, applied step
//! by step as the page applies them, give the values of every configuration on the way.

mod common;

use common::{answers, explicit, questions};
use recurva_check::{
    Answer, Asked, Evidence as Found, Limits, Model, Options, Order, Question, ReadOptions, Runs,
    Sort,
};
use recurva_corpus::{self as corpus, Case};
use recurva_evidence::Replayed;
use recurva_explorer::{Change, Document, Evidence, Exploration, Run, Step, Stored};
use recurva_model::{Program, Type};
use recurva_testkit::generate;

/// Longer runs are compared up to here.
const STEPS: usize = 3_000;

/// A frame as the page knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    procedure: u32,
    locals: Vec<String>,
}

/// What the page knows at a position.
struct Page<'r> {
    run: &'r Run,
    globals: Vec<String>,
    frames: Vec<Frame>,
    /// The lists that are open, and the index of the next step in each.
    open: Vec<(&'r [Step], usize)>,
    /// The globals before each call that is open.
    before: Vec<Vec<String>>,
}

fn apply(values: &mut [String], changes: &[Change]) {
    for (slot, value) in changes {
        assert_ne!(values[*slot], *value, "nothing that stays is a change");
        values[*slot].clone_from(value);
    }
}

impl<'r> Page<'r> {
    fn new(run: &'r Run, main: u32) -> Self {
        let frame = Frame {
            procedure: main,
            locals: run.locals.clone(),
        };
        Page {
            run,
            globals: run.globals.clone(),
            frames: vec![frame],
            open: vec![(&run.steps, 0)],
            before: Vec::new(),
        }
    }

    /// One step in, as the page takes it; whether there was one. `None` if that is not stored.
    fn step_in(&mut self, program: &Program) -> Option<bool> {
        let (steps, next) = *self.open.last().unwrap();
        let Some(step) = steps.get(next) else {
            if self.open.len() == 1 {
                return Some(false);
            }
            self.open.pop();
            self.frames.pop();
            let (steps, next) = self.open.last_mut().unwrap();
            let call = &steps[*next];
            *next += 1;
            // A call's own changes are those from before it to after its return.
            self.globals = self.before.pop().unwrap();
            apply(&mut self.globals, &call.globals);
            apply(&mut self.frames.last_mut().unwrap().locals, &call.locals);
            return Some(true);
        };
        let frame = self.frames.last_mut().unwrap();
        let procedure = &program.procedures()[frame.procedure as usize];
        if let Some(call) = &step.call {
            let segment = &self.run.segments[call.segment?];
            self.frames.push(Frame {
                procedure: segment.procedure,
                locals: segment.locals.clone(),
            });
            self.open.push((&segment.steps, 0));
            self.before.push(self.globals.clone());
            return Some(true);
        }
        if step.gap.is_some() {
            return None;
        }
        self.open.last_mut().unwrap().1 += 1;
        if let Some(enter) = &step.enter {
            let action = &procedure.edges[step.edge as usize].action;
            let recurva_model::Action::Call { callee, .. } = action else {
                panic!("a call that is none");
            };
            self.frames.push(Frame {
                procedure: callee.0,
                locals: enter.locals.clone(),
            });
            return Some(true);
        }
        apply(&mut frame.locals, &step.locals);
        apply(&mut self.globals, &step.globals);
        Some(true)
    }
}

fn show(values: &[u64], types: &[Type]) -> Vec<String> {
    let pairs = values.iter().zip(types);
    pairs.map(|(&value, ty)| ty.show(value)).collect()
}

/// Walks along both; how many steps were compared.
fn compare(run: &Run, replayed: &Replayed<'_>, what: &str) -> usize {
    let program = replayed.program();
    let machine = replayed.machine();
    let mut walk = replayed.walk();
    let mut page = Page::new(run, program.main().0);
    let mut turns = 0;
    for step in 0..STEPS {
        let now = walk.configuration();
        assert_eq!(
            page.globals,
            show(&now.globals, machine.global_types()),
            "{what}: globals after {step} steps"
        );
        let frames: Vec<Frame> = now
            .stack
            .iter()
            .map(|frame| Frame {
                procedure: frame.procedure.0,
                locals: show(&frame.locals, machine.local_types(frame.procedure)),
            })
            .collect();
        assert_eq!(page.frames, frames, "{what}: stack after {step} steps");
        let mut moved = walk.step_in();
        if !moved && turns == 0 {
            turns = 1;
            moved = walk.turn_again() && walk.step_in();
        }
        match page.step_in(program) {
            Some(there) => assert_eq!(there, moved, "{what}: the end, after {step} steps"),
            None => return step,
        }
        if !moved {
            return step;
        }
    }
    STEPS
}

/// The document of questions if one of them is violated, with every run in it compared.
fn explore(
    model: &Model,
    questions: &[Question<'_>],
    options: &Options,
    what: &str,
) -> Option<Document> {
    let answers = answers(questions, options);
    if !answers.iter().any(|(_, answer)| answer.is_violated()) {
        return None;
    }
    let exploration = Exploration::new(model, &answers);
    let document = exploration.document("recurva explore", Stored::No);
    let mut shown = document.questions.iter();
    for (context, answer) in &answers {
        let question = shown.next().expect("a question for each answer");
        assert_eq!(question.property, context.name, "{what}");
        assert!(!question.summary.is_empty(), "{what}");
        assert!(!question.summary.contains('\n'), "{what}");
        check_run(&document, question, answer, what);
        // A strategy may come with a run, which is a question of its own.
        if let Some(Found::Strategy(refutation)) = &answer.evidence
            && let Some((_, answer)) = refutation.run.as_deref()
        {
            let question = shown.next().expect("the run");
            check_run(&document, question, answer, what);
        }
    }
    assert!(
        shown.next().is_none(),
        "{what}: a question that nobody asked"
    );
    Some(document)
}

/// Compares the run that an answer has with the one that is shown.
fn check_run(
    document: &Document,
    question: &recurva_explorer::Question,
    answer: &Answer<'_>,
    what: &str,
) {
    let Some(replayed) = answer.run() else {
        return;
    };
    let Some(Evidence::Run(run)) = &question.evidence else {
        panic!("{what}: no run")
    };
    let machine = &document.machines[question.machine.expect("a program")];
    assert_eq!(machine.main, replayed.program().main().0, "{what}");
    let procedures = replayed.program().procedures();
    assert_eq!(machine.procedures.len(), procedures.len(), "{what}");
    compare(run, replayed, what);
    check_table(run, what);
}

/// Every row of a table leads to a position that there is.
fn check_table(run: &Run, what: &str) {
    for row in run.table.iter().flat_map(|table| &table.rows) {
        let mut steps = &run.steps[..];
        for (depth, &index) in row.at.iter().enumerate() {
            assert!(index <= steps.len(), "{what}: {:?}", row.at);
            if depth + 1 < row.at.len() {
                let call = steps[index].call.as_ref().expect("an open call");
                steps = &run.segments[call.segment.expect("stored")].steps;
            }
        }
        assert_eq!(row.holds.len(), run.table.as_ref().unwrap().formulas.len());
    }
}

/// A case of the corpus as a user asks it.
fn open(case: &Case) -> (Model, Asked, Options) {
    let read = ReadOptions {
        dialect: match case.dialect {
            corpus::Dialect::Boppo => recurva_check::Dialect::Boppo,
            corpus::Dialect::Moped => recurva_check::Dialect::Moped,
        },
        letters: case.letters,
        arithmetic: case.check_arithmetic,
        ..ReadOptions::default()
    };
    let source = recurva_check::open(&case.model).expect("a model");
    let model = Model::read(source, &read, Limits::default(), &mut ()).expect("a right model");
    let spec = case.spec.as_deref();
    let asked = Asked {
        reach: case.reach.iter().cloned().collect(),
        repeat: case.repeat.iter().cloned().collect(),
        ltl: case.ltl.iter().cloned().collect(),
        caret: case.caret.iter().cloned().collect(),
        spec: spec.map(|spec| recurva_check::open(spec).expect("a property")),
        property: case.property.clone(),
        ..Asked::default()
    };
    let options = Options {
        stack: match case.stack {
            corpus::Stack::Any => recurva_check::Stack::Any,
            corpus::Stack::Finite => recurva_check::Stack::Finite,
            corpus::Stack::Diverging => recurva_check::Stack::Diverging,
        },
        runs: match case.runs {
            corpus::Runs::Stutter => Runs::Usual,
            corpus::Runs::Infinite => Runs::Infinite,
        },
        limits: Limits {
            time: None,
            memory: Some(64 << 20),
        },
        ..explicit()
    };
    (model, asked, options)
}

#[test]
fn runs_of_the_corpus_are_shown_as_they_were_replayed() {
    let cases = corpus::load(&common::path("corpus")).expect("a readable corpus");
    let mut violated = 0;
    // Runs of C programs are shown as those of C.
    let is_c = |case: &&Case| case.model.extension().is_some_and(|it| it == "c");
    for case in cases.iter().filter(|case| !is_c(case)) {
        let (model, asked, options) = open(case);
        if model.sort() == Sort::System {
            continue;
        }
        let shown = explore(&model, &questions(&model, &asked), &options, &case.name);
        violated += usize::from(shown.is_some());
    }
    assert!(violated > 100, "only {violated} runs were compared");
}

#[test]
fn runs_of_random_programs_are_shown_as_they_were_replayed() {
    let mut violated = 0;
    for seed in 0..600 {
        let text = generate::generate(seed, &generate::Config::default());
        let model = common::read("random.bp", &text);
        let labels = model.program().expect("a program").labels();
        for (index, label) in labels.iter().enumerate() {
            let options = Options {
                order: match (seed + index as u64) % 2 {
                    0 => Order::DepthFirst,
                    _ => Order::ShortestFirst,
                },
                ..explicit()
            };
            let asked = Asked {
                reach: vec![label.name.to_string()],
                ..Asked::default()
            };
            let what = format!("seed {seed}, {}", label.name);
            let shown = explore(&model, &questions(&model, &asked), &options, &what);
            violated += usize::from(shown.is_some());
        }
    }
    assert!(violated > 300, "only {violated} runs were compared");
}

#[test]
fn a_long_run_is_cut_in_the_middle() {
    let text = "void down(int(20) n) begin if (n = 0) then L: skip; else down(n - 1); fi end
                void main() begin decl int(20) n; n := 100000; down(n); end";
    let model = common::read("deep.bp", text);
    let asked = Asked {
        reach: vec!["L".to_owned()],
        ..Asked::default()
    };
    let asked = questions(&model, &asked);
    let document = explore(&model, &asked, &explicit(), "deep").unwrap();
    let Some(Evidence::Run(run)) = &document.questions[0].evidence else {
        panic!("no run")
    };
    let gaps: Vec<&Step> = run.steps.iter().filter(|step| step.gap.is_some()).collect();
    let [step] = gaps[..] else {
        panic!("{} gaps", gaps.len())
    };
    let gap = step.gap.as_ref().unwrap();
    assert!(gap.hidden > 1_000 && gap.frames.len() == 200);
    // Behind the gap the run goes on to its end.
    let entered = run.steps.iter().filter(|step| step.enter.is_some()).count();
    assert_eq!(entered + gap.hidden + gap.frames.len(), 100_001);
}
