//! Formulas as text.

use recurva_certificate::{
    Builder, Formula,
    formula::{Arithmetic, BitOperator, Node, Scope, Values, When},
    text::{Names, PrintError, ProgramNames, parse, print},
};
use recurva_model::{NodeId, Origin, Parts, ProcId, Procedure, Program, Type, VarRef, Variable};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::random;

const MAIN: ProcId = ProcId(0);

fn program() -> Program {
    let int = Type::signed(32);
    let globals = vec![
        Variable::scalar("s", int),
        Variable::array("a", Type::unsigned(8), 4),
        Variable::scalar("p->next", int),
        Variable::scalar("x", int),
        Variable::array("flags", Type::Bool, 20),
    ];
    let locals = vec![
        Variable::scalar("n", int),
        Variable::scalar("b", Type::Bool),
        Variable::scalar("i", int),
        Variable::scalar("c", Type::Bool),
        Variable::scalar("x", Type::unsigned(64)),
        Variable::scalar("x", Type::unsigned(3)),
        Variable::scalar("uint8", int),
        Variable::scalar("odd`\nname", int),
        Variable::scalar("", int),
        Variable::scalar("q.y", int),
    ];
    let main = Procedure {
        name: "main".into(),
        locals,
        parameters: 2,
        results: vec![],
        nodes: vec![recurva_model::Node::default(); 2],
        edges: vec![],
        entry: NodeId(0),
        exit: NodeId(1),
        origin: Origin::default(),
    };
    Program::new(Parts {
        globals,
        procedures: vec![main],
        main: MAIN,
        labels: vec![],
        failures: vec![],
    })
    .expect("a program")
}

fn scope(program: &Program) -> Scope<'_> {
    Scope {
        program,
        procedure: MAIN,
    }
}

fn read(program: &Program, text: &str) -> Result<Formula, String> {
    let source = Source::new("formula", text).expect("a short text");
    parse(&source, scope(program), &ProgramNames::new(program)).map_err(|diagnostics| {
        let error = diagnostics.iter().next().expect("an error");
        let span = error.primary().span;
        format!("{}..{}: {}", span.start, span.end, error.message())
    })
}

fn written(program: &Program, formula: &Formula) -> String {
    print(
        formula,
        scope(program),
        &ProgramNames::new(program),
        1 << 20,
    )
    .expect("a text")
}

/// What is read is written as it was.
#[test]
fn as_people_write_them() {
    let program = program();
    for text in [
        "i <= n && s == 2 * i",
        "\\true",
        "!b",
        "b && c || !b && !c",
        "(b || c) && b",
        "b ==> c ==> \\old(b)",
        "(b ==> c) ==> b",
        "b <==> c",
        "!(b <==> c)",
        "a[i] != \\old(a)[i + 1]",
        "flags[a[0]]",
        "`p->next` >= -1",
        "q.y < 0",
        "s - (i + n) == s - i - n",
        "-s * i == -(s * i)",
        "(int32)(s + 1) > s",
        "(int32)s * 2 == 2 || \\false",
        "((uint8)s & 255) == 0",
        "(uint8)s << 1 < i",
        "((uint32)s & i ^ n) == (uint32)s << 3 >> 1",
        "(b ? i : n) == (c ? 1 : b ? 2 : 3)",
        "b ? c : i == 0",
        "s / i % n == s / (i % n)",
        "`x#2` <= 18446744073709551615 && `x#3` == 7 && x > 1",
        "`uint8` == _ && odd__name == 0",
        "i == -170141183460469231731687303715884105728",
    ] {
        let formula = read(&program, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = written(&program, &formula);
        if text.contains(" * 2") {
            assert_eq!(again, text.replace("(int32)s * 2", "2 * (int32)s"));
        } else {
            assert_eq!(again, text);
        }
    }
}

#[test]
fn parts_are_turned_for_people() {
    let program = program();
    let mut builder = Builder::default();
    let i = builder.variable(VarRef::Local(2), When::Now);
    let s = builder.variable(VarRef::Global(0), When::Now);
    let five = builder.int(5);
    let minus = builder.int(-3);
    let less = builder.intern(Node::Less(five, i));
    let sum = builder.intern(Node::Arithmetic(Arithmetic::Add, minus, i));
    let at_most = builder.intern(Node::LessEqual(five, sum));
    let difference = builder.intern(Node::Arithmetic(Arithmetic::Subtract, i, minus));
    let product = builder.intern(Node::Arithmetic(Arithmetic::Multiply, difference, five));
    let equal = builder.intern(Node::Equal(five, product));
    let not_less = builder.intern(Node::Less(i, s));
    let not_less = builder.intern(Node::Not(not_less));
    let bits = builder.bits(BitOperator::And, Type::unsigned(32), i, s);
    let bits = builder.intern(Node::LessEqual(bits, five));
    let nested = builder.intern(Node::And(equal, not_less));
    let nested = builder.intern(Node::And(at_most, nested));
    let nested = builder.intern(Node::And(less, nested));
    let root = builder.intern(Node::And(nested, bits));
    let formula = builder.finish(root);
    assert_eq!(
        written(&program, &formula),
        "i > 5 && i - 3 >= 5 && 5 * (i + 3) == 5 && i >= s && ((uint32)i & s) <= 5"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let program = program();
    for (text, error) in [
        ("", "0..0: expected an operand, found the end of the text"),
        (
            "i <",
            "3..3: expected an operand, found the end of the text",
        ),
        (
            "i",
            "0..1: this is an integer, where a truth value is needed",
        ),
        (
            "b + 1 == 2",
            "0..1: this is a truth value, where an integer is needed",
        ),
        ("b == 1", "2..4: these are a truth value and an integer"),
        ("k == 1", "0..1: there is no variable `k`"),
        (
            "\\old(i) == 1",
            "0..7: `i` has no value when the procedure is entered: only globals and parameters have",
        ),
        ("a == 1", "0..1: `a` is an array: an index is missing"),
        ("s[0] == 1", "0..1: `s` is no array"),
        ("(i == 1", "7..7: expected `)`, found the end of the text"),
        (
            "i == 1)",
            "6..7: expected an operator or the end, found `)`",
        ),
        (
            "i & 1 == 1",
            "4..10: this is a truth value, where an integer is needed",
        ),
        (
            "(i & 1) == 1",
            "3..4: the type of this operation is not known",
        ),
        ("(int65)i == 1", "1..6: there is no such type"),
        ("i == 1 $ 2", "7..8: `$` has no meaning here"),
        ("`i == 1", "0..1: there is no second backquote to this one"),
        ("i == 0x", "5..7: this is no number, or too large a one"),
        (
            "i == 170141183460469231731687303715884105728",
            "5..44: this is no number, or too large a one",
        ),
        ("b ? c", "5..5: expected `:`, found the end of the text"),
        ("\\old(a[0]) == 1", "6..7: expected `)`, found `[`"),
    ] {
        assert_eq!(read(&program, text).expect_err(text), error, "{text}");
    }
}

#[test]
fn long_texts_are_refused() {
    let program = program();
    let mut builder = Builder::default();
    let mut part = builder.variable(VarRef::Local(2), When::Now);
    for _ in 0..60 {
        part = builder.intern(Node::Arithmetic(Arithmetic::Add, part, part));
    }
    let zero = builder.int(0);
    let root = builder.equal(part, zero);
    let formula = builder.finish(root);
    let names = ProgramNames::new(&program);
    let outcome = print(&formula, scope(&program), &names, 1 << 20);
    assert_eq!(outcome, Err(PrintError::TooLong { limit: 1 << 20 }));
}

#[test]
fn nothing_is_nested_too_deeply() {
    let program = program();
    let deep = format!("{}b{}", "!(".repeat(100_000), ")".repeat(100_000));
    let formula = read(&program, &deep).expect("a formula");
    let names = ProgramNames::new(&program);
    let text = print(&formula, scope(&program), &names, 1 << 20).expect("a text");
    assert_eq!(text, "b");
    for open in ["(", "!", "-", "b ? ", "a[", "b ==> ", "(int8)", "\\old("] {
        assert!(read(&program, &open.repeat(50_000)).is_err());
    }
}

#[test]
fn names_are_told_apart() {
    let program = program();
    let names = ProgramNames::new(&program);
    for (variable, _) in scope(&program).variables() {
        let name = names.name(MAIN, variable).expect("a name");
        assert_eq!(names.find(MAIN, &name), Some(variable), "{name}");
    }
    assert_eq!(names.find(MAIN, "nobody"), None);
}

struct RandomValues<'p>(Scope<'p>, u64);

impl Values for RandomValues<'_> {
    fn value(&self, variable: VarRef, when: When, element: u64) -> Option<i128> {
        let declared = self.0.variable(variable)?;
        if element >= declared.slots() as u64 {
            return None;
        }
        let place = match variable {
            VarRef::Global(index) => u64::from(index),
            VarRef::Local(index) => 1_000 + u64::from(index),
        };
        let moment = if when == When::Now { 7 } else { 0 };
        let bits = Rng::new(self.1 ^ (place * 100 + element * 10 + moment)).bits();
        Some(declared.ty.to_number(declared.ty.wrap(bits >> (bits % 64))))
    }

    fn is_bool(&self, variable: VarRef) -> bool {
        let declared = self.0.variable(variable);
        declared.is_some_and(|it| it.ty == Type::Bool)
    }
}

#[test]
fn there_and_back() {
    let program = program();
    let mut rng = Rng::new(1);
    for round in 0..5_000 {
        let depth = 1 + round % 5;
        let formula = random::formula(&mut rng, scope(&program), depth);
        let text = written(&program, &formula);
        let again = read(&program, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(written(&program, &again), text, "{formula:?}");
        for seed in 0..4 {
            let values = RandomValues(scope(&program), seed);
            assert_eq!(again.holds(&values), formula.holds(&values), "{text}");
        }
    }
}

#[test]
fn damaged_texts_are_no_harm() {
    let program = program();
    let mut rng = Rng::new(2);
    let pieces = [
        "(", ")", "[", "]", "\\old(", "&&", "?", ":", "-", "!", "`", "é", "==", "<", "9", "(int8)",
        "&", "i", "b", "\\", ".", " ", "a[", "0x",
    ];
    let mut readable = 0;
    for _ in 0..5_000 {
        let formula = random::formula(&mut rng, scope(&program), 3);
        let mut text = written(&program, &formula);
        for _ in 0..=rng.below(3) {
            let all: Vec<usize> = text.char_indices().map(|it| it.0).collect();
            let at = all.get(rng.below(all.len().max(1))).copied().unwrap_or(0);
            match rng.below(3) {
                0 => text.insert_str(at, pieces[rng.below(pieces.len())]),
                1 => text.truncate(at),
                _ => {
                    if at < text.len() {
                        text.remove(at);
                    }
                }
            }
        }
        if let Ok(formula) = read(&program, &text) {
            readable += 1;
            let again = written(&program, &formula);
            let formula = read(&program, &again).expect("what was written");
            assert_eq!(written(&program, &formula), again, "{text}");
        }
    }
    assert!(readable > 200, "{readable}");
}
