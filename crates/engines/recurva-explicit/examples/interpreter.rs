//! An interpreter for a tiny language, checked on all inputs by the search itself.
//!
//! The language has integers without bounds, recursive functions of one argument, and
//! assertions. The interpreter's states are plain Rust data: a map from variables to
//! integers, and a place in the code. The input is any natural number: infinitely many
//! initial states, which the search asks for one at a time (see "Laziness" in
//! [`RecursiveSystem`]).
//!
//! The program claims that no sum 1 + 2 + … + n is 5050.
//!
//! Run it: `cargo run -p recurva-explicit --example interpreter`

use std::{collections::BTreeMap, ops::ControlFlow};

use recurva_explicit::{Answer, Config, History, reach};
use recurva_model::{Moves, RecursiveSystem, Site};

/// An expression of the tiny language.
enum Expr {
    Number(i128),
    Variable(&'static str),
    Sum(Box<Expr>, Box<Expr>),
    Difference(Box<Expr>, Box<Expr>),
}

/// A statement of the tiny language.
enum Statement {
    Let(&'static str, Expr),
    Call {
        result: &'static str,
        function: usize,
        argument: Expr,
    },
    /// Jumps when the expression is zero.
    IfZero(Expr, usize),
    AssertNonZero(Expr),
    Return(Expr),
}

type Environment = BTreeMap<&'static str, i128>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Running {
        function: usize,
        line: usize,
        variables: Environment,
    },
    Returned(i128),
    AssertionFailed(Environment),
}

/// An interpreter with a program: functions of one argument, called `n`.
struct Interpreter {
    functions: Vec<Vec<Statement>>,
}

fn eval(expr: &Expr, variables: &Environment) -> i128 {
    match expr {
        Expr::Number(number) => *number,
        Expr::Variable(name) => variables.get(name).copied().unwrap_or(0),
        Expr::Sum(left, right) => eval(left, variables) + eval(right, variables),
        Expr::Difference(left, right) => eval(left, variables) - eval(right, variables),
    }
}

fn enter(function: usize, argument: i128) -> State {
    State::Running {
        function,
        line: 0,
        variables: BTreeMap::from([("n", argument)]),
    }
}

impl RecursiveSystem for Interpreter {
    type State = State;

    fn initial(&self, out: &mut Moves<State>) {
        // One input at a time: when this one has been searched, the next is asked for.
        let input = out.take_cursor().first().copied().unwrap_or(0);
        out.step(enter(0, i128::from(input)));
        out.pause(&[input + 1]);
    }

    fn moves(&self, state: &State, out: &mut Moves<State>) {
        let State::Running {
            function,
            line,
            variables,
        } = state
        else {
            return;
        };
        let go_to = |line| State::Running {
            function: *function,
            line,
            variables: variables.clone(),
        };
        match &self.functions[*function][*line] {
            Statement::Let(name, value) => {
                let mut variables = variables.clone();
                variables.insert(name, eval(value, &variables));
                out.step(State::Running {
                    function: *function,
                    line: line + 1,
                    variables,
                });
            }
            Statement::Call {
                function, argument, ..
            } => {
                out.call(enter(*function, eval(argument, variables)), Site(0));
            }
            Statement::IfZero(value, target) => {
                let zero = eval(value, variables) == 0;
                out.step(go_to(if zero { *target } else { line + 1 }));
            }
            Statement::AssertNonZero(value) => out.step(if eval(value, variables) == 0 {
                State::AssertionFailed(variables.clone())
            } else {
                go_to(line + 1)
            }),
            Statement::Return(value) => out.step(State::Returned(eval(value, variables))),
        }
    }

    fn is_exit(&self, state: &State) -> bool {
        matches!(state, State::Returned(_))
    }

    fn resume(&self, caller: &State, _: Site, exit: &State, out: &mut Moves<State>) {
        let (
            State::Running {
                function,
                line,
                variables,
            },
            State::Returned(value),
        ) = (caller, exit)
        else {
            return;
        };
        let Statement::Call { result, .. } = &self.functions[*function][*line] else {
            return;
        };
        let mut variables = variables.clone();
        variables.insert(result, *value);
        out.step(State::Running {
            function: *function,
            line: line + 1,
            variables,
        });
    }
}

/// The number for which the claim fails, and how many events the run has.
pub(crate) fn find_bug() -> Option<(i128, usize)> {
    use Expr::{Difference, Number, Sum, Variable};
    let boxed = |name| Box::new(Variable(name));
    // main(n): s = triangle(n); assert s - 5050 != 0
    let main = vec![
        Statement::Call {
            result: "s",
            function: 1,
            argument: Variable("n"),
        },
        Statement::Let("d", Difference(boxed("s"), Box::new(Number(5050)))),
        Statement::AssertNonZero(Variable("d")),
        Statement::Return(Variable("s")),
    ];
    // triangle(n): if n == 0 return 0 else return n + triangle(n - 1)
    let triangle = vec![
        Statement::IfZero(Variable("n"), 3),
        Statement::Call {
            result: "r",
            function: 1,
            argument: Difference(boxed("n"), Box::new(Number(1))),
        },
        Statement::Return(Sum(boxed("n"), boxed("r"))),
        Statement::Return(Number(0)),
    ];
    let interpreter = Interpreter {
        functions: vec![main, triangle],
    };
    let failed = |state: &State| matches!(state, State::AssertionFailed(_));
    let finished = reach(&interpreter, &Config::default(), failed, |_| {
        ControlFlow::Continue(())
    });
    let Answer::Reached(witness) = finished.answer else {
        return None;
    };
    match witness.state(witness.target()) {
        State::AssertionFailed(variables) => Some((*variables.get("n")?, witness.events().count())),
        _ => None,
    }
}

#[allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks; a test includes this file"
)]
fn main() {
    match find_bug() {
        Some((n, events)) => println!("the claim fails for n = {n}, after {events} events"),
        None => println!("the claim holds"),
    }
}
