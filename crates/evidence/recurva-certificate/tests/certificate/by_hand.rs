//! The example of the README, and solvers that do not help.

use std::ops::ControlFlow;

use recurva_certificate::{
    Formula, Proof,
    check::{Both, Counterexample, EmbeddedJudge, Judge, Why, check, failing},
    file::ProofFile,
    formula::Scope,
    text::{ProgramNames, parse},
};
use recurva_lang::bp;
use recurva_model::{NodeId, Point, ProcId, Program};
use recurva_smt::{Answer, Model, Term, Terms, Unknown};
use recurva_syntax::Source;

fn block(language: &str) -> &'static str {
    let readme = include_str!("../../README.md");
    let start = format!("```{language}\n");
    let text = readme.split(&*start).nth(1).expect("the block");
    text.split("```").next().expect("its end")
}

fn program() -> Program {
    let source = Source::new("readme.bp", block("text")).expect("a short one");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("a program")
}

fn targets(program: &Program) -> Vec<Point> {
    program.failures().iter().map(|it| it.point).collect()
}

fn proof(program: &Program) -> Proof {
    let file = ProofFile::read(block("json").as_bytes()).expect("a file");
    file.on(program, &ProgramNames::new(program))
        .expect("a proof")
}

fn point(procedure: u32, node: u32) -> Point {
    Point {
        procedure: ProcId(procedure),
        node: NodeId(node),
    }
}

fn formula(program: &Program, at: Point, text: &str) -> Formula {
    let source = Source::new("formula", text).expect("a short one");
    let scope = Scope {
        program,
        procedure: at.procedure,
    };
    parse(&source, scope, &ProgramNames::new(program)).expect("a formula")
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_example_is_a_proof() {
    let program = program();
    let proof = proof(&program);
    let mut judge = EmbeddedJudge::default();
    let checked = check(&program, &targets(&program), &proof, &mut judge, &mut go_on);
    assert_eq!(checked.expect("a proof").obligations, 9);
    // As it is written, so it stands in the file.
    let file = ProofFile::read(block("json").as_bytes()).expect("a file");
    assert_eq!(file.to_json(), block("json"));
    let names = ProgramNames::new(&program);
    let line = |it: Point| {
        let of_node = file.procedures[it.procedure.index()].formulas.iter();
        of_node.clone().find(|said| said.node == it.node.0)?.line
    };
    let again = ProofFile::of(file.header.clone(), &program, &proof, &names, &line);
    assert_eq!(again.expect("a file"), file);
}

/// What is not enough, and what is said of it.
#[test]
fn what_is_missing_is_told() {
    let program = program();
    let targets = targets(&program);
    let whole = proof(&program);
    for (at, text, said) in [
        (
            point(1, 2),
            "i >= 0 && i <= n && s == 2 * i",
            "the loop at node 2 of `main` keeps its invariant",
        ),
        (
            point(1, 2),
            "n <= 1000 && i >= 0 && i <= n",
            "node 6 of `main` is not reached, from node 2 of `main`",
        ),
        (
            point(1, 2),
            "n <= 1000 && i >= 1 && i <= n && s == 2 * i",
            "the invariant of the loop at node 2 of `main` holds when it is reached, from node 0 of `main`",
        ),
        (
            point(0, 0),
            "n <= 999",
            "the call of `twice` is as its entry says, from node 2 of `main`",
        ),
        (
            point(0, 0),
            "\\true",
            "what is said of the end of `twice` holds there, from node 0 of `twice`",
        ),
        (
            point(0, 4),
            "\\false",
            "what is said of the end of `twice` holds there, from node 0 of `twice`",
        ),
        (
            point(1, 0),
            "n == 4",
            "what is said of the entry of `main` holds at the start",
        ),
        (point(1, 8), "i == 3", "node 8 of `main` is not reached"),
    ] {
        let mut proof = whole.clone();
        proof.formulas.insert(at, formula(&program, at, text));
        let mut judge = EmbeddedJudge::default();
        let failed = failing(&program, &targets, &proof, &mut judge, &mut go_on);
        let found: Vec<String> = failed
            .iter()
            .map(|it| it.obligation.describe(&program))
            .collect();
        assert!(found.iter().any(|it| it == said), "{found:?}");
        for failed in failed {
            let Why::Refuted(counterexample) = failed.why else {
                panic!("{:?}", failed.why);
            };
            let scope = Scope {
                program: &program,
                procedure: failed.obligation.to.procedure,
            };
            assert!(Counterexample::describe(&counterexample.to, scope).contains("n = "));
        }
    }
    for (at, said, why) in [
        (
            point(1, 2),
            "there is a formula that fits node 2 of `main`",
            Some(Why::Missing),
        ),
        (
            point(1, 0),
            "there is a formula that fits node 0 of `main`",
            Some(Why::Missing),
        ),
        (
            point(0, 4),
            "`twice` does not come to its end, from node 0 of `twice`",
            None,
        ),
        (
            point(0, 0),
            "the call of `twice` is as its entry says, from node 2 of `main`",
            None,
        ),
    ] {
        let mut proof = whole.clone();
        proof.formulas.remove(&at);
        let mut judge = EmbeddedJudge::default();
        let rejected = check(&program, &targets, &proof, &mut judge, &mut go_on);
        let rejected = rejected.expect_err("no proof");
        assert_eq!(rejected.obligation.describe(&program), said);
        assert!(
            why.is_none_or(|it| it == rejected.why),
            "{:?}",
            rejected.why
        );
    }
}

#[test]
fn formulas_that_fit_nowhere_are_refused() {
    let program = program();
    let targets = targets(&program);
    let whole = proof(&program);
    let mut judge = EmbeddedJudge::default();
    let mut outcome = |proof: &Proof, targets: &[Point]| {
        let rejected = check(&program, targets, proof, &mut judge, &mut go_on);
        rejected.expect_err("no proof").why
    };
    let mut proof = whole.clone();
    proof.formulas.insert(point(1, 99), Formula::truth());
    assert_eq!(outcome(&proof, &targets), Why::NoNode);
    assert_eq!(outcome(&whole, &[point(7, 0)]), Why::NoNode);
    // A local variable of the other procedure: there is no fourth one here.
    let mut proof = whole.clone();
    let mut builder = recurva_certificate::Builder::default();
    let read = builder.variable(
        recurva_model::VarRef::Local(9),
        recurva_certificate::formula::When::Now,
    );
    let one = builder.int(1);
    let root = builder.equal(read, one);
    proof.formulas.insert(point(1, 3), builder.finish(root));
    assert!(matches!(outcome(&proof, &targets), Why::IllFormed(_)));
    // A number of 3 * 64 bits.
    let mut proof = whole;
    let at = point(1, 3);
    let large = "1000000000 * n * (1000000000 * n) * (1000000000 * n) * n != 5";
    proof.formulas.insert(at, formula(&program, at, large));
    assert_eq!(outcome(&proof, &targets), Why::TooLarge);
}

struct Liar(fn() -> Answer);

impl Judge for Liar {
    fn judge(
        &mut self,
        _: &mut Terms,
        _: &[Term],
        _: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        (self.0)()
    }
}

#[test]
fn solvers_that_do_not_help() {
    let program = program();
    let targets = targets(&program);
    let good = proof(&program);
    let mut bad = good.clone();
    bad.formulas.insert(point(1, 2), Formula::truth());
    let satisfiable = || Answer::Satisfiable(Model::default());
    let unknown = || Answer::Unknown(Unknown::Time);
    // Values that are none are not told.
    let outcome = check(
        &program,
        &targets,
        &good,
        &mut Liar(satisfiable),
        &mut go_on,
    );
    assert!(matches!(
        outcome.expect_err("no values").why,
        Why::Unknown(Unknown::Solver(_))
    ));
    let outcome = check(&program, &targets, &good, &mut Liar(unknown), &mut go_on);
    assert_eq!(
        outcome.expect_err("no answer").why,
        Why::Unknown(Unknown::Time)
    );
    // One of two is enough to reject, and not enough to accept.
    let unsatisfiable = || Answer::Unsatisfiable(Vec::new());
    let mut both = Both(Liar(unsatisfiable), EmbeddedJudge::default());
    assert!(check(&program, &targets, &bad, &mut both, &mut go_on).is_err());
    assert!(check(&program, &targets, &good, &mut both, &mut go_on).is_ok());
    let mut both = Both(EmbeddedJudge::default(), Liar(unsatisfiable));
    assert!(check(&program, &targets, &bad, &mut both, &mut go_on).is_err());
    let mut both = Both(Liar(unknown), EmbeddedJudge::default());
    assert!(check(&program, &targets, &good, &mut both, &mut go_on).is_err());
    let mut both = Both(Liar(satisfiable), EmbeddedJudge::default());
    assert!(check(&program, &targets, &good, &mut both, &mut go_on).is_err());
}

#[test]
fn it_can_be_stopped() {
    let program = program();
    let (targets, proof) = (targets(&program), proof(&program));
    let mut judge = EmbeddedJudge::default();
    let mut stop = || ControlFlow::Break(());
    let outcome = check(&program, &targets, &proof, &mut judge, &mut stop);
    let stopped = Why::Unknown(Unknown::Stopped);
    assert_eq!(outcome.expect_err("stopped").why, stopped);
    let failed = failing(&program, &targets, &proof, &mut judge, &mut stop);
    assert_eq!(failed.last().map(|it| &it.why), Some(&stopped));
    assert_eq!(failed.len(), 1);
}
