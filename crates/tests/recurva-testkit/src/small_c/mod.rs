//! Small C programs with loops and recursion of any depth, whose variables have few values; and by
//! brute force whether a check in one fails.
//!
//! All numbers are kept below [`VALUES`]. A program has infinitely many runs and no bound on its stack,
//! and yet the brute force is exact: what a call does is a finite relation.

mod oracle;
mod text;

pub use oracle::Truth;

use crate::rng::Rng;

/// How many values a variable has.
pub const VALUES: u8 = 4;

/// A program. Its last function is `main`; each can call all the others, and itself.
#[derive(Clone, Debug)]
pub struct SmallProgram {
    /// How many global variables there are. They begin as 0.
    globals: usize,
    functions: Vec<Function>,
}

/// A function. Its first local variable is its parameter, `main` apart, whose is 0.
#[derive(Clone, Debug)]
struct Function {
    locals: usize,
    body: Vec<Statement>,
    result: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Global(usize),
    Local(usize),
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(u8),
    Of(Variable),
}

/// What can be assigned. All arithmetic is modulo [`VALUES`].
#[derive(Clone, Copy, Debug)]
enum Value {
    Plain(Operand),
    Sum(Variable, Operand),
    Difference(Variable, Operand),
    Product(Variable, Operand),
    /// An unknown number, masked.
    Unknown(u8),
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    /// An unknown one.
    Unknown,
    Less(Variable, Operand),
    Equal(Variable, Operand),
    Differs(Variable, Operand),
}

#[derive(Clone, Debug)]
enum Statement {
    Assign(Variable, Value),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    /// A call of a function, with its argument and where its result goes.
    Call(usize, Value, Variable),
    /// What must be so, unless there is an error.
    Check(Condition),
}

impl SmallProgram {
    /// The program of a number.
    pub fn new(number: u64) -> Self {
        let mut rng = Rng::new(number);
        let globals = rng.below(3);
        let functions = 1 + rng.below(3);
        let mut writer = Writer {
            rng,
            globals,
            functions,
            locals: 0,
        };
        let mut functions: Vec<Function> = (0..functions).map(|_| writer.function()).collect();
        // Most programs call something, and check something at their end.
        if let Some(main) = functions.last_mut() {
            if writer.functions > 1 {
                main.body
                    .insert(writer.rng.below(main.body.len()), writer.call());
            }
            main.body.push(writer.check());
        }
        SmallProgram { globals, functions }
    }

    /// The same program with one thing about it changed.
    #[must_use]
    pub fn changed(&self, number: u64) -> Self {
        let mut changed = self.clone();
        let mut rng = Rng::new(number);
        let index = rng.below(self.functions.len());
        let function = &mut changed.functions[index];
        let mut writer = Writer {
            rng,
            globals: self.globals,
            functions: self.functions.len(),
            locals: function.locals,
        };
        match writer.rng.below(function.body.len() + 1) {
            place if place == function.body.len() => function.result = writer.value(),
            place => function.body[place] = writer.statement(1),
        }
        changed
    }
}

/// A program in the making.
struct Writer {
    rng: Rng,
    globals: usize,
    functions: usize,
    /// How many local variables the function at hand has.
    locals: usize,
}

impl Writer {
    fn function(&mut self) -> Function {
        self.locals = 1 + self.rng.below(2);
        let body = self.block(3, 2);
        Function {
            locals: self.locals,
            body,
            result: self.value(),
        }
    }

    fn block(&mut self, most: usize, depth: usize) -> Vec<Statement> {
        let length = 1 + self.rng.below(most);
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.rng.below(10) {
            0 | 1 if depth > 0 => {
                let condition = self.condition();
                Statement::While(condition, self.block(2, depth - 1))
            }
            2 | 3 if depth > 0 => {
                let condition = self.condition();
                let then = self.block(2, depth - 1);
                let otherwise = match self.rng.chance(50) {
                    true => self.block(2, depth - 1),
                    false => Vec::new(),
                };
                Statement::If(condition, then, otherwise)
            }
            4 | 5 if self.functions > 1 => self.call(),
            6 => self.check(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Statement {
        let value = self.value();
        Statement::Assign(self.variable(), value)
    }

    /// A call of any function but `main`, which nobody calls.
    fn call(&mut self) -> Statement {
        let function = self.rng.below(self.functions - 1);
        let argument = self.value();
        Statement::Call(function, argument, self.variable())
    }

    fn check(&mut self) -> Statement {
        Statement::Check(match self.condition() {
            Condition::Unknown => Condition::Less(self.variable(), Operand::Constant(VALUES - 1)),
            known => known,
        })
    }

    fn variable(&mut self) -> Variable {
        let number = self.rng.below(self.globals + self.locals);
        match number.checked_sub(self.globals) {
            Some(local) => Variable::Local(local),
            None => Variable::Global(number),
        }
    }

    fn operand(&mut self) -> Operand {
        match self.rng.chance(60) {
            true => Operand::Constant(self.rng.below(usize::from(VALUES)) as u8),
            false => Operand::Of(self.variable()),
        }
    }

    fn value(&mut self) -> Value {
        match self.rng.below(8) {
            0..=2 => Value::Plain(self.operand()),
            3 | 4 => Value::Sum(self.variable(), self.operand()),
            5 => Value::Difference(self.variable(), self.operand()),
            6 => Value::Product(self.variable(), self.operand()),
            _ => Value::Unknown([1, VALUES - 1][self.rng.below(2)]),
        }
    }

    fn condition(&mut self) -> Condition {
        match self.rng.below(7) {
            0 => Condition::Unknown,
            1 | 2 => Condition::Less(self.variable(), self.operand()),
            3 => Condition::Equal(self.variable(), self.operand()),
            _ => Condition::Differs(self.variable(), self.operand()),
        }
    }
}
