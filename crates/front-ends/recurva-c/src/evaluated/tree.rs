//! What is known of a translation unit.

use recurva_syntax::Span;

/// An expression of a [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// Its place among all expressions of the unit.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function with a body, and the functions of a unit.
#[derive(Debug)]
pub struct Unit {
    pub(crate) functions: Vec<Function>,
    pub(crate) exprs: Vec<Expr>,
}

/// A function with a body.
#[derive(Debug)]
pub struct Function {
    pub(crate) name: Span,
    pub(crate) start: u32,
    pub(crate) body: Span,
    pub(crate) roots: Vec<Root>,
}

/// An expression that belongs to no other one: of a statement, an initialiser, a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The expression.
    pub expr: ExprId,
    /// What becomes of its value.
    pub usage: Use,
}

/// What becomes of the value of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing: it is a statement of its own, or a part of a `for` that only has effects.
    Discarded,
    /// Something is done with it.
    Wanted,
    /// It is the initial value of the variable named here, whose type is known without it.
    Initial {
        /// The name, where it is declared.
        name: Span,
    },
    /// It is in a list of parameters, where no statement may stand.
    Parameter,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is, as far as evaluation is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A name of a variable, a function or an enumerator.
    Name,
    /// A number or a character.
    Constant,
    /// One or more string literals.
    Text,
    /// A call.
    Call {
        /// What is called.
        callee: ExprId,
        /// With these arguments.
        args: Vec<ExprId>,
    },
    /// An assignment.
    Assign {
        /// The operator: `=`, `+=`, …
        operator: Span,
        /// What is assigned to.
        target: ExprId,
        /// The right side.
        value: ExprId,
    },
    /// `base.name` or `base->name`.
    Member {
        /// The left side.
        base: ExprId,
        /// The right side.
        name: Span,
        /// Whether it is `->`.
        is_arrow: bool,
    },
    /// `base[index]`.
    Index {
        /// What stands before the bracket.
        base: ExprId,
        /// What stands in it.
        index: ExprId,
    },
    /// `*e`.
    Deref(ExprId),
    /// `&e`.
    Address(ExprId),
    /// `++` or `--`, before or behind.
    Step(ExprId),
    /// `a, b`: all values but the last one are discarded.
    Comma(Vec<ExprId>),
    /// Any other operator whose operands are evaluated: all of them, or as `&&`, `||` and `?:`
    /// choose.
    Operator(Vec<ExprId>),
    /// `(T)e`.
    Cast(ExprId),
    /// `(e)`.
    Paren(ExprId),
    /// `(T){ … }` and lists in braces: the values inside.
    List {
        /// The values in it.
        values: Vec<ExprId>,
        /// Whether it is a compound literal of an array type as it is written.
        is_array: bool,
    },
    /// `({ … })`: the expressions of its statements, in the order of the text.
    Block(Vec<Root>),
    /// It is not evaluated, or only one part of it is, or it must be constant: hands off.
    Closed {
        /// The keyword it begins with.
        keyword: Span,
        /// The operands that may be evaluated after all, as those of `_Generic`.
        perhaps: Vec<ExprId>,
    },
}

impl Unit {
    /// Its functions with a body, in the order of the text.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// All expressions, inner ones before those around them.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        (0..).map(ExprId).zip(&self.exprs)
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The expression that has the value of this one, behind parentheses and commas, and what is
    /// evaluated before it: the other operands of the commas.
    pub fn last(&self, mut id: ExprId) -> (Vec<ExprId>, ExprId) {
        let mut before = Vec::new();
        loop {
            match &self.expr(id).kind {
                ExprKind::Paren(inner) => id = *inner,
                ExprKind::Comma(all) => {
                    let Some((last, others)) = all.split_last() else {
                        return (before, id);
                    };
                    before.extend(others);
                    id = *last;
                }
                _ => return (before, id),
            }
        }
    }

    /// The expression without the parentheses around it.
    pub fn bare(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.expr(id).kind {
            id = inner;
        }
        id
    }
}

impl Function {
    /// Its name.
    pub fn name<'t>(&self, text: &'t [u8]) -> &'t str {
        std::str::from_utf8(&text[self.name.range()]).unwrap_or("?")
    }

    /// Where its definition begins.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Where its body is, with the braces.
    pub fn body(&self) -> Span {
        self.body
    }

    /// The expressions of its body, in the order of the text.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }
}

impl ExprKind {
    /// The expressions that are evaluated directly inside, in the order of the text; not those
    /// of a [`ExprKind::Block`], nor what is [`ExprKind::Closed`].
    pub fn operands(&self) -> Vec<ExprId> {
        let mut all = Vec::new();
        self.each_operand(|id| all.push(id));
        all
    }

    /// Shows each of its operands.
    pub(crate) fn each_operand(&self, mut show: impl FnMut(ExprId)) {
        match self {
            ExprKind::Name | ExprKind::Constant | ExprKind::Text => {}
            ExprKind::Block(_) | ExprKind::Closed { .. } => {}
            ExprKind::Call { callee, args } => {
                show(*callee);
                args.iter().copied().for_each(show);
            }
            ExprKind::Assign {
                target: one,
                value: other,
                ..
            }
            | ExprKind::Index {
                base: one,
                index: other,
            } => {
                show(*one);
                show(*other);
            }
            ExprKind::Member { base: inner, .. }
            | ExprKind::Deref(inner)
            | ExprKind::Address(inner)
            | ExprKind::Step(inner)
            | ExprKind::Cast(inner)
            | ExprKind::Paren(inner) => show(*inner),
            ExprKind::Comma(values)
            | ExprKind::Operator(values)
            | ExprKind::List { values, .. } => values.iter().copied().for_each(show),
        }
    }
}
