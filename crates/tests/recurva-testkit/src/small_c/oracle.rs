//! Whether a check fails in a small program: what each call does, computed until nothing new appears.

use std::collections::{BTreeMap, BTreeSet};

use super::{Condition, Function, Operand, SmallProgram, Statement, VALUES, Value, Variable};

/// What brute force says about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Whether a check fails in some run.
    pub fails: bool,
    /// Whether one fails if nothing is known at the beginning of a function, at the head of a loop and
    /// behind a call, but whether the call returns.
    pub fails_without_invariants: bool,
    /// Whether any check is come to.
    pub checks: bool,
}

impl SmallProgram {
    /// What is true of it.
    pub fn truth(&self) -> Truth {
        let exact = self.explored(false);
        let vague = self.explored(true);
        Truth {
            fails: exact.fails,
            fails_without_invariants: vague.fails,
            checks: exact.checks,
        }
    }

    fn explored(&self, forgets: bool) -> Exploration {
        let code = self.functions.iter().map(flattened).collect();
        let mut exploration = Exploration {
            globals: self.globals,
            code,
            forgets,
            calls: BTreeMap::new(),
            fails: false,
            checks: false,
        };
        let main = self.functions.len() - 1;
        let start = vec![0; self.globals + 1];
        exploration.calls.insert((main, start), BTreeSet::new());
        while exploration.round() {}
        exploration
    }
}

/// A step of a function.
#[derive(Clone, Copy, Debug)]
enum Step {
    Assign(Variable, Value),
    /// Goes on if the condition is so, and to the given place if not.
    Unless(Condition, usize),
    Jump(usize),
    Head,
    Call(usize, Value, Variable),
    Check(Condition),
    Return(Value),
}

struct Code {
    locals: usize,
    steps: Vec<Step>,
}

fn flattened(function: &Function) -> Code {
    let mut steps = Vec::new();
    flatten(&function.body, &mut steps);
    steps.push(Step::Return(function.result));
    Code {
        locals: function.locals,
        steps,
    }
}

fn flatten(body: &[Statement], steps: &mut Vec<Step>) {
    for statement in body {
        match statement {
            Statement::Assign(variable, value) => steps.push(Step::Assign(*variable, *value)),
            Statement::Call(function, argument, result) => {
                steps.push(Step::Call(*function, *argument, *result));
            }
            Statement::Check(condition) => steps.push(Step::Check(*condition)),
            Statement::If(condition, then, otherwise) => {
                let test = steps.len();
                steps.push(Step::Jump(0));
                flatten(then, steps);
                let over = steps.len();
                steps.push(Step::Jump(0));
                steps[test] = Step::Unless(*condition, steps.len());
                flatten(otherwise, steps);
                steps[over] = Step::Jump(steps.len());
            }
            Statement::While(condition, body) => {
                let head = steps.len();
                steps.push(Step::Head);
                steps.push(Step::Jump(0));
                flatten(body, steps);
                steps.push(Step::Jump(head));
                steps[head + 1] = Step::Unless(*condition, steps.len());
            }
        }
    }
}

/// The values of the global variables, and behind them others.
type Values = Vec<u8>;

struct Exploration {
    globals: usize,
    code: Vec<Code>,
    /// Whether nothing is known where an invariant could say something.
    forgets: bool,
    /// The calls that occur: the function, the global variables and the argument; and how they return:
    /// the global variables and the result.
    calls: BTreeMap<(usize, Values), BTreeSet<Values>>,
    fails: bool,
    checks: bool,
}

impl Exploration {
    /// Follows all known calls with what is known of those they make; whether anything is new.
    fn round(&mut self) -> bool {
        let known: Vec<(usize, Values)> = self.calls.keys().cloned().collect();
        let before = self.size();
        for (function, start) in known {
            self.follow(function, &start);
        }
        self.size() != before
    }

    fn size(&self) -> (usize, usize) {
        let returns = self.calls.values().map(BTreeSet::len).sum();
        (self.calls.len(), returns)
    }

    fn follow(&mut self, function: usize, start: &Values) {
        let mut values = start.clone();
        values.resize(self.globals + self.code[function].locals, 0);
        let mut open = vec![(0, values)];
        let mut seen: BTreeSet<(usize, Values)> = open.iter().cloned().collect();
        while let Some((place, values)) = open.pop() {
            for next in self.next(function, start, place, &values) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }

    fn next(
        &mut self,
        function: usize,
        start: &Values,
        place: usize,
        values: &Values,
    ) -> Vec<(usize, Values)> {
        let on = place + 1;
        match self.code[function].steps[place] {
            Step::Jump(target) => vec![(target, values.clone())],
            Step::Head if self.forgets => all(values.len()).map(|it| (on, it)).collect(),
            Step::Head => vec![(on, values.clone())],
            Step::Assign(variable, value) => self
                .possible(value, values)
                .into_iter()
                .map(|it| (on, self.with(values, variable, it)))
                .collect(),
            Step::Unless(condition, target) => {
                let holds = self.holds(condition, values);
                let then = (holds != Some(false)).then(|| (on, values.clone()));
                let otherwise = (holds != Some(true)).then(|| (target, values.clone()));
                then.into_iter().chain(otherwise).collect()
            }
            Step::Check(condition) => {
                self.checks = true;
                let is_passed = self.holds(condition, values) != Some(false);
                self.fails |= !is_passed;
                is_passed
                    .then(|| (on, values.clone()))
                    .into_iter()
                    .collect()
            }
            Step::Call(callee, argument, result) => self
                .call(callee, argument, result, values)
                .into_iter()
                .map(|it| (on, it))
                .collect(),
            Step::Return(value) => {
                for result in self.possible(value, values) {
                    let mut returned = values[..self.globals].to_vec();
                    returned.push(result);
                    let key = (function, start.clone());
                    self.calls.entry(key).or_default().insert(returned);
                }
                Vec::new()
            }
        }
    }

    /// The values behind a call.
    fn call(
        &mut self,
        callee: usize,
        argument: Value,
        result: Variable,
        values: &Values,
    ) -> Vec<Values> {
        let mut returned = BTreeSet::new();
        if self.forgets {
            let mut returns = false;
            for start in all(self.globals + 1) {
                let known = self.calls.entry((callee, start)).or_default();
                returns |= !known.is_empty();
            }
            if returns {
                returned.extend(all(self.globals + 1));
            }
        } else {
            for argument in self.possible(argument, values) {
                let mut start = values[..self.globals].to_vec();
                start.push(argument);
                let known = self.calls.entry((callee, start)).or_default();
                returned.extend(known.iter().cloned());
            }
        }
        returned
            .into_iter()
            .map(|returned| {
                let mut behind = values.clone();
                behind[..self.globals].copy_from_slice(&returned[..self.globals]);
                self.with(&behind, result, returned[self.globals])
            })
            .collect()
    }

    fn read(&self, variable: Variable, values: &[u8]) -> u8 {
        match variable {
            Variable::Global(index) => values[index],
            Variable::Local(index) => values[self.globals + index],
        }
    }

    fn with(&self, values: &Values, variable: Variable, value: u8) -> Values {
        let mut values = values.clone();
        match variable {
            Variable::Global(index) => values[index] = value,
            Variable::Local(index) => values[self.globals + index] = value,
        }
        values
    }

    fn operand(&self, operand: Operand, values: &[u8]) -> u8 {
        match operand {
            Operand::Constant(number) => number,
            Operand::Of(variable) => self.read(variable, values),
        }
    }

    fn possible(&self, value: Value, values: &[u8]) -> Vec<u8> {
        let both = |left, right| (self.read(left, values), self.operand(right, values));
        let result = match value {
            Value::Unknown(mask) => return (0..=mask).collect(),
            Value::Plain(operand) => self.operand(operand, values),
            Value::Sum(left, right) => {
                let (left, right) = both(left, right);
                left + right
            }
            Value::Difference(left, right) => {
                let (left, right) = both(left, right);
                left + VALUES - right
            }
            Value::Product(left, right) => {
                let (left, right) = both(left, right);
                left * right
            }
        };
        vec![result % VALUES]
    }

    /// Whether a condition is so, if that is known.
    fn holds(&self, condition: Condition, values: &[u8]) -> Option<bool> {
        let both = |left, right| (self.read(left, values), self.operand(right, values));
        let (is_so, (left, right)): (fn(&u8, &u8) -> bool, _) = match condition {
            Condition::Unknown => return None,
            Condition::Less(left, right) => (u8::lt, both(left, right)),
            Condition::Equal(left, right) => (u8::eq, both(left, right)),
            Condition::Differs(left, right) => (u8::ne, both(left, right)),
        };
        Some(is_so(&left, &right))
    }
}

/// All values of so many variables.
fn all(variables: usize) -> impl Iterator<Item = Values> {
    let values = u32::from(VALUES);
    (0..values.pow(variables as u32)).map(move |number| {
        let digit = |place| (number / values.pow(place as u32) % values) as u8;
        (0..variables).map(digit).collect()
    })
}
