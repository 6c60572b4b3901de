//! Strategies in trace files: they are written, read and checked again; on another model, or
//! damaged, they show nothing that is not true.

use std::path::Path;

use recurva_check::{
    Answer, Asked, AskedAgain, End, Evidence, Limits, Model, Options, Question, QuestionKind,
    ReadOptions, Reductions, SavedRun, TraceFile,
};
use recurva_corpus::{self as corpus, Case, Opened};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;
use recurva_trace::{StrategyClaim, StrategyReason, StrategyRecording};

/// The cases about branching with a verdict.
fn cases(verdict: corpus::Verdict) -> Vec<(Case, Opened)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let cases = corpus::load(&folder)
        .expect("a readable corpus")
        .into_iter();
    let cases = cases.filter(|case| case.verdict == verdict);
    let opened = cases.map(|case| {
        let opened = case.open();
        let opened = opened.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        (case, opened)
    });
    let about_branching = |(_, opened): &(Case, Opened)| {
        let kinds = opened.asked.kinds();
        kinds == [QuestionKind::Ntmu] || kinds == [QuestionKind::Tree]
    };
    opened.filter(about_branching).collect()
}

fn question(opened: &Opened) -> Question<'_> {
    let mut questions = opened.questions().expect("the case is right");
    questions.pop().expect("one question")
}

/// What is written of an answer, read again.
fn saved(question: &Question<'_>, options: &Options) -> TraceFile {
    let answer = question.answer(options, &mut ()).expect("no fault");
    assert!(answer.is_violated(), "{}", question.name());
    assert_eq!(
        answer.evidence.as_ref().map(Evidence::name),
        Some("strategy")
    );
    let file = question.saved(&answer, options, End::default());
    let file = file.expect("a strategy can be kept");
    let mut bytes = Vec::new();
    file.write(&mut bytes).expect("it can be written");
    let read = TraceFile::read(&bytes).expect("it was written well");
    assert_eq!(read, file);
    read
}

fn recording(file: &TraceFile) -> &StrategyRecording {
    match &file.run {
        SavedRun::Strategy(recording) => recording,
        other => panic!("{other:?}"),
    }
}

fn assert_refuted(answer: &Answer<'_>, name: &str) {
    assert!(answer.is_violated(), "{name}");
    let Some(Evidence::Strategy(refutation)) = &answer.evidence else {
        panic!("{name}: no strategy");
    };
    let checked = refutation
        .proof
        .check(&refutation.nsm, &refutation.negation);
    checked.unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
}

/// What is said of states is about the program as the user wrote it, whatever was dropped.
fn assert_noted(answer: &Answer<'_>, model: &Model) {
    let Some(Evidence::Strategy(refutation)) = &answer.evidence else {
        return;
    };
    for (state, note) in &refutation.notes {
        let (Some(point), Some(program)) = (note.point, model.program()) else {
            continue;
        };
        let procedure = program.procedure(point.procedure);
        assert_eq!(procedure.name, note.procedure);
        let origin = refutation.nsm.state(*state).origin;
        assert_eq!(procedure.nodes[point.node.index()].origin, origin);
    }
}

#[test]
fn strategies_of_the_corpus_are_written_and_replayed() {
    let mut replayed = 0;
    for (case, opened) in cases(corpus::Verdict::Violated) {
        let question = question(&opened);
        let file = saved(&question, &opened.options);
        // Asked again as the file says, of the model as it is.
        let again = AskedAgain::of(&file, opened.asked.spec.as_ref()).expect("it says all");
        let source = opened.model.source().clone();
        let model = Model::read(source, &again.read, Limits::default(), &mut ());
        let model = model.expect("it was read before");
        let questions = model.questions(&again.asked).expect("it was asked before");
        let [asked] = &questions.list[..] else {
            panic!("{}: one question", case.name);
        };
        let answer = asked.replay(&file.run, &again.options);
        let answer = answer.unwrap_or_else(|why| panic!("{}: {why:?}", case.name));
        assert_refuted(&answer, &case.name);
        assert_noted(&answer, &model);
        replayed += 1;
    }
    assert!(replayed >= 20, "{replayed}");
}

/// What was dropped before the search is not in the file, and need not be.
#[test]
fn strategies_are_replayed_however_they_were_found() {
    for (case, opened) in cases(corpus::Verdict::Violated) {
        let question = question(&opened);
        for (slice, liveness, merge) in [
            (false, true, true),
            (true, false, true),
            (false, false, false),
        ] {
            let options = Options {
                slice,
                reductions: Reductions {
                    liveness,
                    ..Reductions::default()
                },
                merge,
                ..opened.options
            };
            let file = saved(&question, &options);
            let answer = question.replay(&file.run, &opened.options);
            let answer = answer.unwrap_or_else(|why| panic!("{}: {why:?}", case.name));
            assert_refuted(&answer, &case.name);
        }
    }
}

/// Changes something in a strategy; what it was is told.
fn damage(recording: &mut StrategyRecording, rng: &mut Rng) -> &'static str {
    let claims = recording.claims.len();
    let count = claims as u32 + 2;
    let states = recording.states.len();
    let at = rng.below(claims);
    let other = rng.below(claims);
    let number = rng.below(count as usize) as u32;
    match rng.below(14) {
        0 => {
            recording.claims[at].formula = rng.below(60) as u32;
            "another formula"
        }
        1 => {
            let formula = recording.claims[at].formula;
            recording.claims[at].formula = recording.claims[other].formula;
            recording.claims[other].formula = formula;
            "formulas exchanged"
        }
        2 => {
            recording.claims[at].state = rng.below(states + 1) as u32;
            "another state"
        }
        3 => {
            recording.claims[at].pending = match recording.claims[at].pending {
                Some(_) if rng.chance(50) => None,
                _ => Some(rng.below(states + 1) as u32),
            };
            "another pending call"
        }
        4 => {
            recording.claims[at].colours = rng.below(recording.colours.len() + 1) as u32;
            "other colours"
        }
        5 => {
            recording.claims[at].reason = StrategyReason::Seen;
            "it is seen"
        }
        6 => {
            let list = (0..rng.below(3)).map(|_| rng.below(count as usize) as u32);
            recording.claims[at].reason = StrategyReason::Claims(list.collect());
            "other claims"
        }
        7 => {
            let list = (0..rng.below(3)).map(|_| rng.below(states + 1) as u32);
            recording.claims[at].reason = StrategyReason::Returns(list.collect());
            "other returns"
        }
        8 => {
            let returns = vec![(rng.below(3) as u32, number)];
            recording.claims[at].reason = StrategyReason::Calls(vec![(number, returns)]);
            "other calls"
        }
        9 => {
            recording.states.swap(rng.below(states), rng.below(states));
            "names exchanged"
        }
        10 => {
            recording.states[rng.below(states)].push('x');
            "another name"
        }
        11 => {
            recording.claims.swap(at, other);
            "claims exchanged"
        }
        12 => {
            let list = &mut recording.claims[at].reason;
            match list {
                StrategyReason::Claims(list) | StrategyReason::Returns(list) => {
                    list.pop();
                }
                StrategyReason::Calls(list) => {
                    list.pop();
                }
                StrategyReason::Seen => {}
            }
            "a reason less"
        }
        _ => {
            let set = rng.below(recording.colours.len());
            match rng.chance(50) {
                true => {
                    recording.colours[set].pop();
                }
                false => {
                    let state = rng.below(states + 1) as u32;
                    recording.colours[set].push((rng.below(4) as u32, state));
                }
            }
            "other members of a colour"
        }
    }
}

#[test]
fn damaged_strategies_are_rejected_or_harmless() {
    let (mut rejected, mut harmless) = (0, 0);
    for (case, opened) in cases(corpus::Verdict::Violated) {
        let question = question(&opened);
        let file = saved(&question, &opened.options);
        let rng = &mut Rng::new(case.name.len() as u64);
        for _ in 0..60 {
            let mut damaged = recording(&file).clone();
            for _ in 0..=rng.below(2) {
                damage(&mut damaged, rng);
            }
            match question.replay(&SavedRun::Strategy(damaged), &opened.options) {
                Ok(answer) => {
                    assert_refuted(&answer, &case.name);
                    harmless += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(rejected > 900 && harmless > 10, "{rejected} {harmless}");
}

/// Numbers of formulas that are no parts of the negation, or of none at all.
#[test]
fn claims_about_any_formula_are_rejected_or_harmless() {
    // A definition may drop what is given to it: then the program need not have it.
    let spec = "def first(x, y) = x\nasked: first(AG(@A -> !g), EF !@ELSEWHERE)\n";
    let text = "decl g; void main() begin g := T; A: skip; end";
    let source = |name: &str, text: &str| Source::new(name, text).expect("a short text");
    let model = Model::read(
        source("model.bp", text),
        &ReadOptions::default(),
        Limits::default(),
        &mut (),
    );
    let model = model.expect("it is right");
    let asked = Asked {
        spec: Some(source("asked.ntmu", spec)),
        ..Asked::default()
    };
    let questions = model.questions(&asked).expect("it is right");
    let question = &questions.list[0];
    let options = Options::default();
    let file = saved(question, &options);
    let claims = &recording(&file).claims;
    let (mut rejected, mut harmless) = (0, 0);
    for formula in 0..60 {
        // One more that nothing rests on, or it would not come to that.
        let more = StrategyClaim {
            formula,
            state: 0,
            pending: None,
            colours: 0,
            reason: StrategyReason::Seen,
        };
        for at in 0..=claims.len() {
            let mut damaged = recording(&file).clone();
            match damaged.claims.get_mut(at) {
                Some(claim) => claim.formula = formula,
                None => damaged.claims.push(more.clone()),
            }
            match question.replay(&SavedRun::Strategy(damaged), &options) {
                Ok(answer) => {
                    assert_refuted(&answer, "any formula");
                    harmless += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(rejected > 100 && harmless > 0, "{rejected} {harmless}");
}

/// A formula that holds cannot be refuted, however much a strategy against it on another model is
/// bent.
#[test]
fn nothing_refutes_what_holds() {
    let violated = cases(corpus::Verdict::Violated);
    let holds = cases(corpus::Verdict::Holds);
    let mut tried = 0;
    for (case, opened) in &violated {
        let right = holds.iter().find(|(right, _)| {
            case.name == format!("{}-wrong", right.name) && case.spec == right.spec
        });
        let Some((_, right)) = right else { continue };
        let file = saved(&question(opened), &opened.options);
        let asked = question(right);
        let refused = asked.replay(&file.run, &right.options);
        assert!(refused.is_err(), "{}", case.name);
        let names = machine_names(right);
        let rng = &mut Rng::new(tried);
        for _ in 0..60 {
            let mut bent = recording(&file).clone();
            // Names that the other model has, or there would be no more to look at: where they
            // are the same they stay, if not all are taken at random.
            let random = rng.chance(30);
            for name in &mut bent.states {
                if random || !names.contains(name) {
                    name.clone_from(&names[rng.below(names.len())]);
                }
            }
            for _ in 0..rng.below(3) {
                damage(&mut bent, rng);
            }
            let refused = asked.replay(&SavedRun::Strategy(bent), &right.options);
            assert!(refused.is_err(), "{}", case.name);
            tried += 1;
        }
    }
    assert!(tried > 500, "{tried}");
}

/// The states of the machine that a question is about, by way of a formula with the same
/// propositions that is violated on any.
fn machine_names(opened: &Opened) -> Vec<String> {
    let name = question(opened).name().to_owned();
    let (_, formula) = name.split_once(": ").expect("a named formula");
    // Among the definitions that it may use.
    let spec = opened.asked.spec.as_ref().expect("a file").text();
    let text = format!("{spec}\nwith_false: ({formula}) & EF false\n");
    let asked = Asked {
        spec: Some(Source::new("with_false.ntmu", text).expect("a short text")),
        property: Some("with_false".to_owned()),
        ..Asked::default()
    };
    let questions = opened.model.questions(&asked);
    let questions = questions.unwrap_or_else(|refused| panic!("{formula}: {refused:?}"));
    let answer = questions.list[0].answer(&opened.options, &mut ());
    let answer = answer.expect("no fault");
    let Some(Evidence::Strategy(refutation)) = &answer.evidence else {
        panic!("nothing reaches false");
    };
    let names = refutation.nsm.states().iter();
    names.map(|state| state.name.to_string()).collect()
}

#[test]
fn a_changed_model_is_looked_at_anew() {
    let ask = |text: &str, formula: &str| -> (Model, Asked) {
        let source = Source::new("model.bp", text).expect("a short text");
        let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ());
        let asked = Asked {
            ntmu: vec![formula.to_owned()],
            ..Asked::default()
        };
        (model.expect("it is right"), asked)
    };
    let text = "decl g; void f() begin g := !g; end
        void main() begin g := F; f(); A: skip; if (g) then B: skip; fi end";
    let formula = "AG(@A -> !g)";
    let (model, asked) = ask(text, formula);
    let questions = model.questions(&asked).expect("it is right");
    let options = Options::default();
    let file = saved(&questions.list[0], &options);
    let on = |text: &str, formula: &str| {
        let (model, asked) = ask(text, formula);
        let questions = model.questions(&asked).expect("it is right");
        let replayed = questions.list[0].replay(&file.run, &options);
        replayed.map(|answer| assert_refuted(&answer, text)).is_ok()
    };
    assert!(on(text, formula));
    // More blanks, and a procedure that is not called, change nothing of what is reached.
    assert!(on(&text.replace(' ', "  "), formula));
    // Now the property holds, or the way there is another, or it is another property.
    assert!(!on(&text.replace("g := !g;", "skip;"), formula));
    assert!(!on(&text.replace("A: skip", "f(); A: skip"), formula));
    assert!(!on(&text.replace("A: skip", "skip; A: skip"), formula));
    assert!(!on(text, "AG(@A -> g)"));
    assert!(!on(text, "AG !@B | EF @B"));
}
