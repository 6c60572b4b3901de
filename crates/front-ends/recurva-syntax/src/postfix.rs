//! Operator precedence on an explicit stack.

/// How tightly an infix operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    level: u8,
    right: bool,
}

impl Power {
    /// Binds tighter than all lower levels; groups `a - b - c` as `(a - b) - c`.
    pub const fn left(level: u8) -> Self {
        Power {
            level,
            right: false,
        }
    }

    /// Binds tighter than all lower levels; groups `a => b => c` as `a => (b => c)`.
    pub const fn right(level: u8) -> Self {
        Power { level, right: true }
    }
}

/// Operator precedence without recursion: it is fed operands, operators and brackets in the
/// order of the text and gives them back operands first (Dijkstra's shunting yard).
///
/// Whether the text is well formed is the caller's business: it knows at each point whether
/// an operand or an operator is due and has the better words for what is wrong.
///
/// ```
/// use recurva_syntax::{Postfix, Power};
///
/// // 1 + (2 - 3) * -4
/// let (sum, product) = (Power::left(1), Power::left(2));
/// let mut postfix = Postfix::default();
/// postfix.operand("1");
/// postfix.infix("+", sum);
/// postfix.open("(");
/// postfix.operand("2");
/// postfix.infix("-", sum);
/// postfix.operand("3");
/// assert_eq!(postfix.close(), Some("("));
/// postfix.infix("*", product);
/// postfix.prefix("neg", 3);
/// postfix.operand("4");
/// assert_eq!(postfix.finish(), ["1", "2", "3", "-", "4", "neg", "*", "+"]);
/// ```
#[derive(Clone, Debug)]
pub struct Postfix<T> {
    output: Vec<T>,
    /// Operators that wait for their right operand, and open brackets.
    waiting: Vec<(T, Waiting)>,
}

#[derive(Clone, Copy, Debug)]
enum Waiting {
    Operator(u8),
    Bracket,
}

impl<T> Default for Postfix<T> {
    fn default() -> Self {
        Postfix {
            output: Vec::new(),
            waiting: Vec::new(),
        }
    }
}

impl<T> Postfix<T> {
    /// Adds an operand, or an operator that comes behind its operands.
    pub fn operand(&mut self, item: T) {
        self.output.push(item);
    }

    /// Adds an operator that stands before its operand.
    pub fn prefix(&mut self, item: T, level: u8) {
        self.waiting.push((item, Waiting::Operator(level)));
    }

    /// Adds an operator that stands between its operands.
    pub fn infix(&mut self, item: T, power: Power) {
        while let Some(&(_, Waiting::Operator(level))) = self.waiting.last() {
            if level < power.level || (level == power.level && power.right) {
                break;
            }
            self.release();
        }
        self.waiting.push((item, Waiting::Operator(power.level)));
    }

    /// Opens a bracket of any kind.
    pub fn open(&mut self, item: T) {
        self.waiting.push((item, Waiting::Bracket));
    }

    /// Ends an operand inside a bracket, as a comma does.
    pub fn separate(&mut self) {
        while let Some((_, Waiting::Operator(_))) = self.waiting.last() {
            self.release();
        }
    }

    /// Closes the innermost bracket and gives back what [`Self::open`] was given, or nothing
    /// if no bracket is open. Hand it to [`Self::operand`] if the bracket has a meaning of
    /// its own, as that of an index has.
    pub fn close(&mut self) -> Option<T> {
        self.separate();
        self.waiting.pop().map(|(item, _)| item)
    }

    /// All items, operands first. Brackets still open are left out.
    pub fn finish(mut self) -> Vec<T> {
        while let Some((item, kind)) = self.waiting.pop() {
            if let Waiting::Operator(_) = kind {
                self.output.push(item);
            }
        }
        self.output
    }

    fn release(&mut self) {
        if let Some((item, _)) = self.waiting.pop() {
            self.output.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_one_level_group_to_their_side() {
        let chain = |power: Power| {
            let mut postfix = Postfix::default();
            for (operand, operator) in [("a", "1"), ("b", "2")] {
                postfix.operand(operand);
                postfix.infix(operator, power);
            }
            postfix.operand("c");
            postfix.finish().concat()
        };
        assert_eq!(chain(Power::left(1)), "ab1c2");
        assert_eq!(chain(Power::right(1)), "abc21");
    }

    #[test]
    fn brackets_nest_and_separate() {
        let mut postfix = Postfix::default();
        assert_eq!(postfix.close(), None);
        postfix.open("f");
        postfix.prefix("!", 9);
        postfix.operand("a");
        postfix.separate();
        postfix.operand("b");
        let bracket = postfix.close().unwrap();
        postfix.operand(bracket);
        assert_eq!(postfix.finish(), ["a", "!", "b", "f"]);
    }
}
