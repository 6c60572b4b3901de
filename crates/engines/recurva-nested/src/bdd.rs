//! Monotone Boolean functions as reduced, ordered binary decision diagrams.
//!
//! This is a small module of its own rather than a general BDD package for three reasons. The
//! functions here are monotone, so conjunction, disjunction and simultaneous substitution are
//! all that is needed. Substitution has to be by arbitrary functions for all variables at once.
//! And nothing may recurse as deep as there are variables: a machine can have thousands of
//! returns.
//!
//! Every function is stored once, so that two are equal if their ids are. A larger variable is
//! further from the root.

use rustc_hash::FxHashMap;

/// A function of a [`Bdd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Function(u32);

impl Function {
    pub(crate) const FALSE: Function = Function(0);
    pub(crate) const TRUE: Function = Function(1);

    pub(crate) const fn constant(value: bool) -> Function {
        match value {
            true => Function::TRUE,
            false => Function::FALSE,
        }
    }

    const fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// There are more functions than were allowed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    /// The value if the variable is false; at most that of `high`.
    low: Function,
    high: Function,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
}

/// A store of functions.
#[derive(Debug)]
pub(crate) struct Bdd {
    nodes: Vec<Node>,
    table: FxHashMap<Node, Function>,
    results: FxHashMap<(Operation, Function, Function), Function>,
    limit: usize,
}

/// What is left to do of an operation on two functions.
#[derive(Clone, Copy)]
enum Task {
    Apply(Function, Function),
    /// The results for the low and the high side are on the stack.
    Join(u32, Function, Function),
}

impl Bdd {
    /// A store of at most so many functions.
    pub(crate) fn new(limit: usize) -> Self {
        let leaf = Node {
            variable: u32::MAX,
            low: Function::FALSE,
            high: Function::FALSE,
        };
        Bdd {
            nodes: vec![leaf; 2],
            table: FxHashMap::default(),
            results: FxHashMap::default(),
            limit: limit.min(u32::MAX as usize - 1),
        }
    }

    /// How many functions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, function: Function) -> Node {
        self.nodes[function.0 as usize]
    }

    fn make(&mut self, variable: u32, low: Function, high: Function) -> Result<Function, Full> {
        if low == high {
            return Ok(low);
        }
        let node = Node {
            variable,
            low,
            high,
        };
        if let Some(&known) = self.table.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= self.limit {
            return Err(Full);
        }
        let function = Function(self.nodes.len() as u32);
        self.nodes.push(node);
        self.table.insert(node, function);
        Ok(function)
    }

    /// The value if just these variables are true.
    pub(crate) fn value(&self, function: Function, is_true: impl Fn(u32) -> bool) -> bool {
        let mut at = function;
        while !at.is_constant() {
            let node = self.node(at);
            at = if is_true(node.variable) {
                node.high
            } else {
                node.low
            };
        }
        at == Function::TRUE
    }

    /// Some of these variables that make a function true on their own, none of which can be
    /// left out; `None` if they do not make it true.
    pub(crate) fn enough(
        &self,
        function: Function,
        is_true: impl Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        if !self.value(function, &is_true) {
            return None;
        }
        let mut needed = Vec::new();
        let mut at = function;
        while !at.is_constant() {
            let node = self.node(at);
            // A variable that is given up stays false in all that follows: the diagram is
            // ordered.
            at = if self.value(node.low, &is_true) {
                node.low
            } else {
                needed.push(node.variable);
                node.high
            };
        }
        Some(needed)
    }

    /// The function that is true if a variable is.
    pub(crate) fn variable(&mut self, variable: u32) -> Result<Function, Full> {
        self.make(variable, Function::FALSE, Function::TRUE)
    }

    /// `a & b`
    pub(crate) fn and(&mut self, a: Function, b: Function) -> Result<Function, Full> {
        self.apply(Operation::And, a, b)
    }

    /// `a | b`
    pub(crate) fn or(&mut self, a: Function, b: Function) -> Result<Function, Full> {
        self.apply(Operation::Or, a, b)
    }

    /// The result if it can be had without looking inside.
    fn simple(&self, operation: Operation, a: Function, b: Function) -> Option<Function> {
        let (neutral, dominant) = match operation {
            Operation::And => (Function::TRUE, Function::FALSE),
            Operation::Or => (Function::FALSE, Function::TRUE),
        };
        if a == b || b == neutral {
            Some(a)
        } else if a == neutral {
            Some(b)
        } else if a == dominant || b == dominant {
            Some(dominant)
        } else {
            let key = (operation, a.min(b), a.max(b));
            self.results.get(&key).copied()
        }
    }

    fn apply(&mut self, operation: Operation, a: Function, b: Function) -> Result<Function, Full> {
        if let Some(known) = self.simple(operation, a, b) {
            return Ok(known);
        }
        let mut tasks = vec![Task::Apply(a, b)];
        let mut done: Vec<Function> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Apply(a, b) => match self.simple(operation, a, b) {
                    Some(known) => done.push(known),
                    None => {
                        let (at_a, at_b) = (self.node(a), self.node(b));
                        let variable = at_a.variable.min(at_b.variable);
                        let sides = |function: Function, node: Node| match node.variable {
                            at if at == variable => (node.low, node.high),
                            _ => (function, function),
                        };
                        let ((a_low, a_high), (b_low, b_high)) = (sides(a, at_a), sides(b, at_b));
                        tasks.push(Task::Join(variable, a.min(b), a.max(b)));
                        tasks.push(Task::Apply(a_high, b_high));
                        tasks.push(Task::Apply(a_low, b_low));
                    }
                },
                Task::Join(variable, a, b) => {
                    let (high, low) = (pop(&mut done), pop(&mut done));
                    let result = self.make(variable, low, high)?;
                    self.results.insert((operation, a, b), result);
                    done.push(result);
                }
            }
        }
        Ok(pop(&mut done))
    }

    /// The function with all variables replaced at once; `replace` is asked once for each
    /// variable that matters.
    pub(crate) fn substitute(
        &mut self,
        function: Function,
        mut replace: impl FnMut(u32) -> Function,
    ) -> Result<Function, Full> {
        let mut results: FxHashMap<Function, Function> = FxHashMap::default();
        let mut values: FxHashMap<u32, Function> = FxHashMap::default();
        let mut stack = vec![function];
        let known = |results: &FxHashMap<Function, Function>, function: Function| match function
            .is_constant()
        {
            true => Some(function),
            false => results.get(&function).copied(),
        };
        while let Some(&top) = stack.last() {
            if known(&results, top).is_some() {
                stack.pop();
                continue;
            }
            let Node {
                variable,
                low,
                high,
            } = self.node(top);
            match (known(&results, low), known(&results, high)) {
                (Some(low), Some(high)) => {
                    let value = *values.entry(variable).or_insert_with(|| replace(variable));
                    // The function is monotone: it is its low side or the variable and the
                    // high side.
                    let both = self.and(value, high)?;
                    let result = self.or(low, both)?;
                    results.insert(top, result);
                    stack.pop();
                }
                (low_known, high_known) => {
                    stack.extend(high_known.is_none().then_some(high));
                    stack.extend(low_known.is_none().then_some(low));
                }
            }
        }
        Ok(known(&results, function).unwrap_or(Function::FALSE))
    }
}

/// Operands are pushed before they are popped.
fn pop(stack: &mut Vec<Function>) -> Function {
    stack.pop().unwrap_or(Function::FALSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_is_simultaneous() {
        let mut bdd = Bdd::new(1000);
        let [a, b, c] = [0, 1, 2].map(|v| bdd.variable(v).unwrap());
        let ab = bdd.and(a, b).unwrap();
        let f = bdd.or(ab, c).unwrap();
        // a and b change places, c becomes a & b: a & b | a & b.
        let swapped = bdd.substitute(f, |v| [b, a, ab][v as usize]).unwrap();
        assert_eq!(swapped, ab);
        let constant = bdd.substitute(f, |_| Function::TRUE).unwrap();
        assert_eq!(constant, Function::TRUE);
        let only = |wanted: u32| move |v: u32| Function::constant(v == wanted);
        assert_eq!(bdd.substitute(f, only(2)), Ok(Function::TRUE));
        assert_eq!(bdd.substitute(f, only(1)), Ok(Function::FALSE));
    }

    #[test]
    fn many_variables_need_no_deep_stack() {
        let mut bdd = Bdd::new(1_000_000);
        let mut all = Function::TRUE;
        for variable in (0..200_000).rev() {
            let v = bdd.variable(variable).unwrap();
            all = bdd.and(v, all).unwrap();
        }
        let same = bdd.substitute(all, |_| Function::TRUE).unwrap();
        assert_eq!(same, Function::TRUE);
        let b = bdd.variable(200_001).unwrap();
        let or = bdd.or(all, b).unwrap();
        assert_eq!(bdd.and(or, all), Ok(all));
    }

    #[test]
    fn running_out_of_room_is_an_answer() {
        let mut bdd = Bdd::new(4);
        let (a, b) = (bdd.variable(0).unwrap(), bdd.variable(1).unwrap());
        assert_eq!(bdd.and(a, b), Err(Full));
    }
}
