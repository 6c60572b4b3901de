//! Proofs about infinite runs of random C programs with small numbers, compared with a search through all their
//! states; and that damaged ranks are not accepted.

use std::time::Duration;

use recurva_check::{
    Answer, Asked, CCheck, COptions, Engine, Evidence, Limits, Model, Options, ProofFile, Question,
    ReadOptions, Stack, Verdict,
};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;
use serde_json::{Value, json};

fn model(text: String) -> Model {
    let source = Source::new("random.i", text).unwrap();
    let options = ReadOptions {
        c: COptions {
            checks: vec![CCheck::Termination],
            ..COptions::default()
        },
        ..ReadOptions::default()
    };
    Model::read(source, &options, Limits::default(), &mut ()).unwrap()
}

/// A statement; `depth` is how deep it may nest.
fn statement(rng: &mut Rng, depth: usize) -> String {
    let names = ["a", "b"];
    let (one, two) = (names[rng.below(2)], names[rng.below(2)]);
    match rng.below(if depth == 0 { 5 } else { 8 }) {
        0 => format!("{one} = ({one} - 1) & 7;"),
        1 => format!("{one} = ({two} + 1) & 7;"),
        2 => format!("if ({one} > 0) {one}--;"),
        3 => format!("{one} = some() & 7;"),
        4 => format!("f({one});"),
        5 => format!(
            "if ({}) {{ {} }}",
            condition(rng),
            statement(rng, depth - 1)
        ),
        6 => format!(
            "while ({}) {{ {} }}",
            condition(rng),
            statement(rng, depth - 1)
        ),
        _ => format!(
            "{} {}",
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

fn condition(rng: &mut Rng) -> String {
    let conditions = ["a > 0", "b > 0", "a < b", "a != b", "b < 5", "some()"];
    conditions[rng.below(conditions.len())].to_owned()
}

fn program(rng: &mut Rng) -> String {
    let calls = [
        "if (x > 0) f(x - 1);",
        "if (x > 2) f(x - 2); if (x == 1) f(0);",
        "if (x != 3) f((x + 1) & 7);",
        "if (x < a) { f(x + 1); b = 0; }",
        "b = x;",
    ];
    let call = calls[rng.below(calls.len())];
    let (first, second) = (statement(rng, 2), statement(rng, 2));
    format!(
        "extern _Bool __VERIFIER_nondet_bool(void);\n\
         unsigned char a = 3, b = 5;\n\
         static _Bool some(void) {{ return __VERIFIER_nondet_bool(); }}\n\
         static void f(unsigned char x) {{ {call} }}\n\
         int main(void) {{ {first} {second} if (some()) f(a); b = a; return 0; }}\n"
    )
}

fn answer<'q>(question: &'q Question<'_>, engine: Engine, stack: Stack) -> Answer<'q> {
    let options = Options {
        engine,
        stack,
        limits: Limits {
            time: Some(Duration::from_secs(4)),
            ..Limits::default()
        },
        ..Options::default()
    };
    question.answer(&options, &mut ()).unwrap()
}

#[test]
fn what_is_proved_holds() {
    let formulas = ["", "G(a == 3 -> F b == 0)", "F G a < 3", "G F a == 0"];
    let with_calls = [
        "G(in(f) -> F_a b == 0)",
        "F G !in(f)",
        "G(a == 3 -> F_a b == 5)",
    ];
    let stacks = [Stack::Any, Stack::Finite, Stack::Diverging];
    let mut rng = Rng::new(11);
    let (mut proved, mut violated, mut not_proved) = (0, 0, 0);
    for _ in 0..60 {
        let text = program(&mut rng);
        let model = model(text.clone());
        let mut asked = Asked::default();
        let formula = match rng.chance(30) {
            true => {
                let formula = with_calls[rng.below(with_calls.len())];
                asked.caret.push(formula.to_owned());
                formula
            }
            false => formulas[rng.below(formulas.len())],
        };
        if asked.caret.is_empty() && !formula.is_empty() {
            asked.ltl.push(formula.to_owned());
        }
        let stack = stacks[rng.below(stacks.len())];
        let questions = model.questions(&asked).unwrap().list;
        let question = &questions[0];
        let searched = answer(question, Engine::Explicit, stack).verdict;
        let found = answer(question, Engine::Predicates, stack);
        match (searched, found.verdict) {
            (Verdict::Holds, Verdict::Holds) => {
                let options = Options {
                    stack,
                    ..Options::default()
                };
                let file = question.proof_file(&found, &options, "0", &|_| None);
                let file = ProofFile::read(file.unwrap().unwrap().to_json().as_bytes()).unwrap();
                let verified = question.verify(&file, &options, &mut ());
                assert!(
                    verified.is_ok(),
                    "{verified:?}: {formula}, {stack:?}:\n{text}"
                );
                proved += 1;
            }
            (Verdict::Violated, Verdict::Unknown(_)) => violated += 1,
            (Verdict::Holds, Verdict::Unknown(_)) => not_proved += 1,
            (Verdict::Unknown(_), _) => {}
            other => panic!("{other:?}: {formula}, {stack:?}:\n{text}"),
        }
    }
    let tally = format!("{proved} proved, {violated} violated, {not_proved} not proved");
    assert!(proved > 10 && violated > 10, "{tally}");
}

const TWO_LOOPS: &str = "
extern int __VERIFIER_nondet_int(void);
static void down(int n) { if (n > 0) down(n - 1); }
int main(void) {
  for (int i = __VERIFIER_nondet_int(); i > 0; i--) down(i);
  return 0;
}
";

/// A proof as it is in a file, with other ranks.
fn damaged(file: &ProofFile, damage: impl FnOnce(&mut Value)) -> ProofFile {
    let mut value: Value = serde_json::from_str(&file.to_json()).unwrap();
    damage(&mut value["asked"]["ranks"]);
    ProofFile::read(value.to_string().as_bytes()).unwrap()
}

#[test]
fn damaged_ranks_are_not_accepted() {
    let model = model(TWO_LOOPS.to_owned());
    let questions = model.questions(&Asked::default()).unwrap().list;
    assert_eq!(questions.len(), 1);
    let question = &questions[0];
    let options = Options {
        engine: Engine::Predicates,
        ..Options::default()
    };
    let found = question.answer(&options, &mut ()).unwrap();
    assert_eq!(found.verdict, Verdict::Holds);
    let Some(Evidence::Proof(certified)) = &found.evidence else {
        panic!("there is no proof");
    };
    assert_eq!(certified.ranks.as_ref().map(Vec::len), Some(2));
    let file = question.proof_file(&found, &options, "0", &|_| None);
    let file = file.unwrap().unwrap();
    let verify = |file: &ProofFile| question.verify(file, &Options::default(), &mut ());
    assert!(verify(&file).is_ok());
    for index in 0..2 {
        // What falls does not rise; without ranks the loop would not come round.
        let opposite = damaged(&file, |ranks| {
            let factor = &mut ranks[index][0]["value"][0][0];
            *factor = json!(-factor.as_i64().unwrap());
        });
        assert!(verify(&opposite).is_err());
        assert!(verify(&damaged(&file, |ranks| ranks[index] = json!([]))).is_err());
        let fewer = damaged(&file, |ranks| {
            ranks.as_array_mut().unwrap().remove(index);
        });
        assert!(verify(&fewer).is_err());
    }
    let unknown = damaged(&file, |ranks| ranks[0][0]["value"][0][1] = json!("nobody"));
    assert!(verify(&unknown).is_err());
    assert!(verify(&damaged(&file, |ranks| *ranks = Value::Null)).is_err());
}
