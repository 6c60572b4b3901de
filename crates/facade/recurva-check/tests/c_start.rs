//! Properties of C programs see its variables from their initial values on, and nothing before.

use recurva_check::{Asked, Limits, Model, Options, ReadOptions, Verdict};
use recurva_syntax::Source;

const PROGRAM: &str = "
_Bool ready = 1;
int count = 3;
static void step(void) { count = count == 3 ? 4 : 3; }
int main(void) { while (ready) step(); return 0; }
";

fn verdict(asked: &Asked) -> Verdict {
    let source = Source::new("start.i", PROGRAM).unwrap();
    let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).unwrap();
    let questions = model.questions(asked).unwrap();
    assert_eq!(questions.list.len(), 1, "{:?}", questions.said);
    let answer = questions.list[0].answer(&Options::default(), &mut ());
    answer.unwrap().verdict
}

fn formula(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

fn file(name: &str, text: &str) -> Asked {
    Asked {
        spec: Some(Source::new(name, text).unwrap()),
        ..Asked::default()
    }
}

#[test]
fn formulas() {
    for (text, expected) in [
        ("ready & count == 3", Verdict::Holds),
        ("G (ready & (count == 3 | count == 4))", Verdict::Holds),
        ("G count == 3", Verdict::Violated),
        ("!ready", Verdict::Violated),
    ] {
        let ltl = Asked {
            ltl: formula(text),
            ..Asked::default()
        };
        assert_eq!(verdict(&ltl), expected, "{text}");
        let caret = Asked {
            caret: formula(text),
            ..Asked::default()
        };
        assert_eq!(verdict(&caret), expected, "CaRet: {text}");
    }
}

#[test]
fn branching() {
    for (text, expected) in [
        ("ready", Verdict::Holds),
        ("AG ready", Verdict::Holds),
        ("!ready", Verdict::Violated),
        ("EF !ready", Verdict::Violated),
    ] {
        let asked = Asked {
            ntmu: formula(text),
            ..Asked::default()
        };
        assert_eq!(verdict(&asked), expected, "{text}");
    }
}

#[test]
fn monitors_and_automata() {
    let monitor = |guard: &str| {
        let text = format!("monitor m\n  init a\n  target b\n  a -> b when {guard}\n");
        verdict(&file("m.mon", &text))
    };
    assert_eq!(monitor("!ready"), Verdict::Holds);
    assert_eq!(monitor("count == 7"), Verdict::Holds);
    assert_eq!(monitor("count == 4"), Verdict::Violated);
    let automaton = |atom: &str| {
        let text = format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"{atom}\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
             State: 0\n[0] 1\n[!0] 0\nState: 1 {{0}}\n[t] 1\n--END--\n"
        );
        verdict(&file("a.hoa", &text))
    };
    assert_eq!(automaton("!ready"), Verdict::Holds);
    assert_eq!(automaton("count == 4"), Verdict::Violated);
}
