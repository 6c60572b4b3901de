//! Answers of every kind: what their first line says, and that all reports say it.

use std::path::Path;

use recurva_check::{
    Answer, Asked, Context, Evidence, Limit, Limits, Model, Options, Picture, ReadOptions,
    Rejected, Stats, Threads, Verdict, open,
};
use recurva_report::{
    Detail, Layout, draw_evidence, draw_model, ending, figures, json, message, rejected_json,
    rejected_text, sarif::Log, summary, text,
};
use recurva_syntax::Source;
use serde_json::Value;

fn model(name: &str, text: &str) -> Model {
    let source = Source::new(name, text).unwrap();
    Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).unwrap()
}

/// A model of the repository, by a short name.
fn file(path: &str) -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let source = open(&root.join(path)).unwrap();
    let name = path.rsplit('/').next().unwrap_or(path);
    model(name, source.text())
}

fn options() -> Options {
    Options {
        threads: Threads::One,
        ..Options::default()
    }
}

/// Shows the answers to all that is asked.
fn each(model: &Model, asked: &Asked, mut show: impl FnMut(&Context<'_>, &Answer<'_>)) {
    for question in model.questions(asked).unwrap().list {
        let answer = question.answer(&options(), &mut ()).unwrap();
        show(&question.context(), &answer);
    }
}

fn json_of(context: &Context<'_>, answer: &Answer<'_>, detail: Detail) -> Value {
    let mut bytes = Vec::new();
    json(&mut bytes, context, answer, Layout::with_detail(detail)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The first lines of the answers; every report has to begin with them.
fn summaries(model: &Model, asked: &Asked) -> Vec<String> {
    let mut list = Vec::new();
    each(model, asked, |context, answer| {
        let first = summary(context, answer);
        assert!(!first.contains('\n'), "{first}");
        let text = text(context, answer, Layout::default());
        assert_eq!(text.lines().next(), Some(first.as_str()));
        assert_eq!(json_of(context, answer, Detail::Folded)["summary"], first);
        let mut log = Log::new("0.1.0");
        log.add(context, answer, Layout::default());
        let log = log.finish(0);
        let message = log["runs"][0]["results"][0]["message"]["text"].as_str();
        assert_eq!(message.and_then(|text| text.lines().next()), Some(&*first));
        assert!(!ending(context, answer).what.is_empty());
        if let Some(evidence) = &answer.evidence {
            let drawing = draw_evidence(context, answer, Layout::default());
            assert_eq!(drawing.is_some(), evidence.uses().drawn, "{first}");
            if let Some(drawing) = drawing {
                recurva_draw::place(&drawing).unwrap();
            }
        }
        list.push(first);
    });
    list
}

const PROGRAM: &str = "\
decl g;
void main() begin
  g := F;
  while (T) do
    L: g := !g;
    if (g) then HIT: skip; fi
    if (F) then DEAD: skip; fi
  od
end
";

fn list(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn spec(name: &str, text: &str) -> Asked {
    Asked {
        spec: Some(Source::new(name, text).unwrap()),
        ..Asked::default()
    }
}

#[test]
fn what_was_found_comes_first() {
    let program = model("f.bp", PROGRAM);
    let asked = Asked {
        reach: list(&["HIT", "DEAD"]),
        repeat: list(&["L", "DEAD"]),
        ltl: list(&["G F @HIT", "G !@HIT"]),
        caret: list(&["F_a @DEAD"]),
        ntmu: list(&["AG !@DEAD", "AG !@HIT", "AF @DEAD"]),
        ..Asked::default()
    };
    insta::assert_snapshot!(summaries(&program, &asked).join("\n"));
}

#[test]
fn the_models_own_properties() {
    let mut all = Vec::new();
    for text in [
        "void main() begin decl b; assert(b); end",
        "void main() begin assert(T); end",
        "void main() begin ERROR: skip; end",
        "void main() begin assert(T); if (F) then ERROR: skip; fi end",
    ] {
        all.extend(summaries(&model("f.bp", text), &Asked::default()));
    }
    let one = Asked {
        assertion: Some(0),
        ..Asked::default()
    };
    all.extend(summaries(
        &model("f.bp", "void main() begin\nassert(T); end"),
        &one,
    ));
    all.extend(summaries(&file("examples/rsm_fig1.rsm"), &Asked::default()));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn properties_of_files() {
    let program = model("f.bp", PROGRAM);
    let monitor = "monitor hits\n  init idle\n  target seen\n  idle -> seen when @HIT\n";
    let mut all = Vec::new();
    for asked in [
        spec("m.mon", monitor),
        spec("p.ltl", "often: G F @HIT\nnever: G !@HIT\n"),
        spec("p.ntmu", "never: AG !@HIT\n"),
        spec(
            "a.hoa",
            "HOA: v1\nname: \"hits\"\nStates: 1\nStart: 0\nAP: 1 \"@HIT\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n--END--\n",
        ),
    ] {
        all.extend(summaries(&program, &asked));
    }
    insta::assert_snapshot!(all.join("\n"));
}

const TOKEN: &str = "\
system token
process { state : n, t }
initial    t n*
transition pass : n* t/n n/t n*
transition keep : n n* t n/t n*
bad two    : .* t .* t .*
bad none   : n*
";

#[test]
fn systems_of_any_size() {
    let mut all = summaries(&model("token.rmc", TOKEN), &Asked::default());
    all.extend(summaries(
        &file("corpus/rmc/token_array.rmc"),
        &Asked::default(),
    ));
    let unfair = Asked {
        property: Some("served".to_owned()),
        ..Asked::default()
    };
    all.extend(summaries(&file("corpus/rmc/bakery_unfair.rmc"), &unfair));
    insta::assert_snapshot!(all.join("\n"));
}

/// The whole text without the figures that differ from run to run.
fn texts(model: &Model, asked: &Asked, layout: Layout) -> String {
    let mut all = String::new();
    for question in model.questions(asked).unwrap().list {
        let mut answer = question.answer(&options(), &mut ()).unwrap();
        answer.stats = Stats::default();
        all += &text(&question.context(), &answer, layout);
        all += "\n";
    }
    all
}

#[test]
fn a_run_of_words() {
    let two = Asked {
        property: Some("two".to_owned()),
        ..Asked::default()
    };
    let token = model("token.rmc", TOKEN);
    insta::assert_snapshot!(texts(&token, &two, Layout::default()));
    let short = Layout {
        lines: 2,
        ..Layout::default()
    };
    let text = texts(&token, &two, short);
    assert!(text.contains("… 1 word\n"), "{text}");
    let none = texts(&token, &two, Layout::with_detail(Detail::None));
    assert_eq!(none.lines().count(), 4, "{none}");
    let served = Asked {
        property: Some("served".to_owned()),
        ..Asked::default()
    };
    let bakery = file("corpus/rmc/bakery_unfair.rmc");
    insta::assert_snapshot!(texts(&bakery, &served, Layout::default()));
}

#[test]
fn proofs_for_every_size() {
    let token = file("corpus/rmc/token_array.rmc");
    insta::assert_snapshot!(texts(&token, &Asked::default(), Layout::default()));
}

#[test]
fn trees() {
    let machine = file("examples/gap.nsm");
    let automaton =
        "alternating\ninit start\nstate start 0 = zero & [call] inner\nstate inner 0 = zero\n";
    let rejects = spec("x.nta", automaton);
    insta::assert_snapshot!(texts(&machine, &rejects, Layout::default()));
    let accepts = spec("y.nta", "alternating\ninit start\nstate start 0 = zero\n");
    let mut all = summaries(&machine, &rejects);
    all.extend(summaries(&machine, &accepts));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn guards_of_a_monitor_in_the_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/pal");
    let asked = |name: &str| {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        spec(name, &text)
    };
    let mut all = summaries(&file("examples/pal/fcron_leak.bp"), &asked("stream.pal"));
    all.extend(summaries(
        &file("examples/pal/fcron_closed.bp"),
        &asked("stream.pal"),
    ));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn strategies_are_told_and_drawn() {
    let asked = Asked {
        ntmu: list(&["AF @DEAD"]),
        ..Asked::default()
    };
    each(&model("f.bp", PROGRAM), &asked, |context, answer| {
        assert!(matches!(answer.evidence, Some(Evidence::Strategy(_))));
        let said = message(context, answer);
        assert!(said.starts_with("A strategy of "), "{said}");
        let value = json_of(context, answer, Detail::Folded);
        assert_eq!(value["evidence"]["kind"], "strategy");
        assert!(value["stats"]["merged"].is_u64(), "{value}");
        let names: Vec<&str> = figures(answer).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"merged") && !names.contains(&"path edges"));
        let count = value["evidence"]["positions"].as_array().unwrap().len();
        assert!(count > 2, "{value}");
        let whole = draw_evidence(context, answer, Layout::default()).unwrap();
        assert_eq!(whole.graphs[0].nodes.len(), count);
        let few = Layout {
            lines: 2,
            ..Layout::default()
        };
        let cut = draw_evidence(context, answer, few).unwrap();
        assert!(cut.description.contains("left out"), "{}", cut.description);
        recurva_draw::place(&cut).unwrap();
    });
}

/// A run that takes 3^50 steps when it is spelled out.
fn long(levels: usize) -> String {
    let mut text = String::from("decl g;\nvoid f0() begin g := !g; end\n");
    for level in 1..=levels {
        let below = level - 1;
        text += &format!("void f{level}() begin f{below}(); f{below}(); f{below}(); end\n");
    }
    text + &format!("void main() begin g := F; f{levels}(); assert(F); end\n")
}

#[test]
fn lengths_are_exact_or_said_not_to_be() {
    for (levels, exact) in [(2, true), (36, true), (50, false)] {
        let options = Options {
            slice: false,
            ..options()
        };
        let model = model("long.bp", &long(levels));
        let questions = model.questions(&Asked::default()).unwrap();
        let answer = questions.list[0].answer(&options, &mut ()).unwrap();
        let value = json_of(&questions.list[0].context(), &answer, Detail::Folded);
        let evidence = &value["evidence"];
        assert_eq!(evidence["exact"], exact, "{evidence}");
        let length: u64 = evidence["length"].as_str().unwrap().parse().unwrap();
        assert_eq!(length == u64::MAX, !exact);
        assert_eq!(length, answer.run().unwrap().length());
    }
}

#[test]
fn without_a_trace_no_steps_are_written() {
    let asked = Asked {
        reach: list(&["HIT"]),
        repeat: list(&["L"]),
        ..Asked::default()
    };
    each(&model("f.bp", PROGRAM), &asked, |context, answer| {
        let whole = json_of(context, answer, Detail::Folded);
        let none = json_of(context, answer, Detail::None);
        for field in ["bodies", "stem"] {
            assert!(whole["evidence"][field].is_array(), "{whole}");
            assert!(none["evidence"].get(field).is_none(), "{none}");
        }
        for field in ["kind", "length", "final", "globals"] {
            assert_eq!(whole["evidence"][field], none["evidence"][field]);
        }
        if whole["evidence"]["kind"] == "lasso" {
            assert!(whole["evidence"]["turn"]["steps"].is_array());
            assert!(none["evidence"]["turn"].get("steps").is_none());
            assert!(none["evidence"]["turn"]["length"].is_string());
        }
    });
}

#[test]
fn every_limit_has_its_words() {
    let limits = [
        (Limit::Nodes, "nodes"),
        (Limit::Bits, "bits"),
        (Limit::States(9), "states"),
        (Limit::Functions(9), "functions"),
        (Limit::Claims(9), "claims"),
        (Limit::Positions(9), "positions"),
        (Limit::Sets(9), "sets"),
        (Limit::Work(9), "work"),
        (Limit::Letters(9), "letters"),
        (Limit::NotModelled, "not_modelled"),
    ];
    let asked = Asked {
        ntmu: list(&["AG !@HIT"]),
        ..Asked::default()
    };
    let model = model("f.bp", PROGRAM);
    let question = &model.questions(&asked).unwrap().list[0];
    let context = question.context();
    for (limit, kind) in limits {
        let mut answer = Answer::new(Verdict::Unknown(limit), "nested");
        let first = summary(&context, &answer);
        assert_eq!(first, "unknown: whether the formula fails: AG !@HIT (f.bp)");
        let why = message(&context, &answer);
        assert!(
            why.ends_with('.') && why.matches(". ").count() >= 1,
            "{why}"
        );
        let value = json_of(&context, &answer, Detail::Folded);
        assert_eq!(value["limit"]["kind"], kind);
        answer.verdict = Verdict::Violated;
        answer.unfinished = Some(limit);
        let first = summary(&context, &answer);
        assert!(
            first.contains("; its strategy was not finished: "),
            "{first}"
        );
        let value = json_of(&context, &answer, Detail::Folded);
        assert_eq!(value["verdict"], "violated");
        assert_eq!(value["evidence"], Value::Null);
        assert_eq!(value["limit"]["kind"], kind);
    }
}

#[test]
fn notes_have_a_place_and_help() {
    let empty = model("f.bp", "void main() begin skip; end");
    each(&empty, &Asked::default(), |context, answer| {
        let text = text(context, answer, Layout::default());
        let note = "the model has neither assertions nor labels: there is nothing to violate";
        let line = format!("  note: {note} (help: ask a question with");
        assert!(text.contains(&line), "{text}");
        let value = json_of(context, answer, Detail::Folded);
        assert_eq!(value["notes"][0]["text"], note);
        assert!(value["notes"][0]["help"].is_string());
    });
}

#[test]
fn evidence_that_shows_nothing() {
    let token = model("token.rmc", TOKEN);
    let question = &token.questions(&Asked::default()).unwrap().list[0];
    let rejected = Rejected {
        why: "no run begins with n n".to_owned(),
        place: None,
    };
    let context = question.context();
    assert_eq!(
        rejected_text(&context, &rejected),
        "not confirmed: two (token.rmc)\n  token.rmc: the trace is not a run of token.rmc that \
         violates it: no run begins with n n\n"
    );
    let json = rejected_json(&context, &rejected, recurva_check::REPLAY);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["limit"]["kind"], "replay");
    assert_eq!(value["summary"], "not confirmed: two (token.rmc)");
    let program = model("f.bp", PROGRAM);
    let question = &program.questions(&Asked::default()).unwrap().list[0];
    let start = PROGRAM.find("g := F").unwrap() as u32;
    let rejected = Rejected {
        why: "it goes on elsewhere".to_owned(),
        place: Some(recurva_model::Origin {
            start,
            end: start + 6,
        }),
    };
    let text = rejected_text(&question.context(), &rejected);
    assert!(
        text.ends_with("\n  f.bp:3: it goes on elsewhere\n    g := F\n"),
        "{text}"
    );
}

#[test]
fn models_are_drawn() {
    for model in [
        model("f.bp", PROGRAM),
        model("token.rmc", TOKEN),
        file("examples/rsm_fig1.rsm"),
    ] {
        let drawing = draw_model(&model, Picture::Whole).unwrap();
        assert!(!drawing.graphs.is_empty());
        let resources = draw_model(&model, Picture::Resources);
        assert_eq!(resources.is_ok(), model.name().ends_with(".rsm"));
    }
}
