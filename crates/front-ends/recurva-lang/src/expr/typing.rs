//! The types of operands, in one pass from left to right.
//!
//! The pass keeps, for each operand on the stack, either its type or the fact that it is
//! still open: made of numbers and `*` only. An open operand that meets a type gives it to
//! all of these. Each of them is given a type once, so the work is linear.

use recurva_model::{Binary, Type};
use recurva_syntax::{Diagnostics, Source, Span};

use super::{
    Item, Leaf, What,
    check::{Scope, Want},
};

/// What is known of an operand.
#[derive(Clone, Copy)]
pub(super) enum Known {
    /// Its type.
    Type(Type),
    /// Nothing yet: it is made of numbers and choices.
    Open(Open),
    /// It is wrong, and that has been reported.
    Wrong,
}

/// What an open operand asks of its type.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    /// What makes it an integer.
    pub(super) integer: Option<Span>,
    /// It has a `*`, which should not range over more values than needed.
    choice: bool,
    /// It has a minus sign.
    negative: bool,
}

impl Open {
    fn join(self, other: Open) -> Open {
        Open {
            integer: self.integer.or(other.integer),
            choice: self.choice || other.choice,
            negative: self.negative || other.negative,
        }
    }

    /// The type of an operand that nothing else decides.
    fn widest(self) -> Type {
        Type::Int {
            bits: 64,
            signed: self.negative,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) known: Known,
    /// Where its numbers and choices begin among those without a type.
    open_from: usize,
    pub(super) span: Span,
}

pub(super) struct Typing<'t, S: Scope> {
    pub(super) source: &'t Source,
    scope: &'t S,
    pub(super) diagnostics: &'t mut Diagnostics,
    items: &'t [Item],
    /// The types of numbers and choices.
    types: Vec<Option<Type>>,
    /// Numbers and choices that have no type yet.
    open: Vec<usize>,
    /// What the names stand for, in the order of the items.
    leaves: Vec<(S::Op, Type)>,
    stack: Vec<Operand>,
}

/// The types of numbers and choices by their items, and what the names stand for.
pub(super) type Typed<O> = (Vec<Option<Type>>, Vec<(O, Type)>);

impl<'t, S: Scope> Typing<'t, S> {
    pub(super) fn new(
        source: &'t Source,
        scope: &'t S,
        diagnostics: &'t mut Diagnostics,
        items: &'t [Item],
    ) -> Self {
        Typing {
            source,
            scope,
            diagnostics,
            items,
            types: vec![None; items.len()],
            open: Vec::new(),
            leaves: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Goes through all items; `None` if something is wrong, which has been reported.
    pub(super) fn run(mut self, want: Want<'_>) -> Option<Typed<S::Op>> {
        for index in 0..self.items.len() {
            let operand = self.item(index);
            self.stack.push(operand);
        }
        let whole = self.stack.pop()?;
        self.finish(whole, want)?;
        Some((self.types, self.leaves))
    }

    fn pop(&mut self) -> Operand {
        let none = Operand {
            known: Known::Wrong,
            open_from: self.open.len(),
            span: Span::default(),
        };
        self.stack.pop().unwrap_or(none)
    }

    fn item(&mut self, index: usize) -> Operand {
        let item = self.items[index];
        let open_from = self.open.len();
        let leaf = |known| Operand {
            known,
            open_from,
            span: item.span,
        };
        match item.what {
            What::Number(value) => {
                let integer = (value > 1).then_some(item.span);
                self.open.push(index);
                leaf(Known::Open(Open {
                    integer,
                    ..Open::default()
                }))
            }
            What::Any if self.scope.refuse_choice(item.span, self.diagnostics) => {
                leaf(Known::Wrong)
            }
            What::Any => {
                self.open.push(index);
                leaf(Known::Open(Open {
                    choice: true,
                    ..Open::default()
                }))
            }
            What::Truth(_) => leaf(Known::Type(Type::Bool)),
            What::Leaf(name) => leaf(self.name(name, item.span, None)),
            What::Element(name) => {
                let operand = self.pop();
                let known = self.name(name, item.span, Some(operand));
                // The closing bracket is not an item.
                let span = item.span.to(Span::at(operand.span.end + 1));
                Operand {
                    known,
                    open_from: operand.open_from,
                    span,
                }
            }
            What::Not | What::Negate => {
                let operand = self.pop();
                let known = match (item.what, operand.known) {
                    (What::Negate, Known::Type(Type::Bool)) => self.not_integer(item.span, operand),
                    (What::Negate, Known::Open(open)) => Known::Open(open.join(Open {
                        integer: Some(item.span),
                        negative: true,
                        choice: false,
                    })),
                    (_, known) => known,
                };
                Operand {
                    known,
                    open_from: operand.open_from,
                    span: item.span.to(operand.span),
                }
            }
            What::Convert(to) => {
                let operand = self.pop();
                let known = match operand.known {
                    Known::Type(_) => Known::Type(to),
                    Known::Open(_) => self.settle(operand, to),
                    Known::Wrong => Known::Wrong,
                };
                let span = item.span.to(Span::at(operand.span.end + 1));
                Operand {
                    known,
                    open_from: operand.open_from,
                    span,
                }
            }
            What::Schoose => {
                let (right, left) = (self.pop(), self.pop());
                let refused = self.scope.refuse_choice(item.span, self.diagnostics);
                let right_known = self.boolean(right, "`schoose`");
                let left_known = self.boolean(left, "`schoose`");
                let wrong = refused
                    || matches!(left_known, Known::Wrong)
                    || matches!(right_known, Known::Wrong);
                let known = if wrong {
                    Known::Wrong
                } else {
                    Known::Type(Type::Bool)
                };
                let span = item.span.to(Span::at(right.span.end + 1));
                Operand {
                    known,
                    open_from: left.open_from,
                    span,
                }
            }
            What::Binary(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let known = self.binary(operator, item.span, left, right);
                let span = left.span.to(right.span);
                Operand {
                    known,
                    open_from: left.open_from,
                    span,
                }
            }
            What::Parenthesis => leaf(Known::Wrong),
        }
    }

    /// A name, with the operand that is its index if it has one.
    fn name(&mut self, leaf: Leaf, span: Span, index: Option<Operand>) -> Known {
        let Some(found) = self.scope.find(leaf, span, self.diagnostics) else {
            return Known::Wrong;
        };
        match (found.len, index) {
            (None, None) => {}
            (Some(len), Some(operand)) => {
                if let Known::Wrong = self.index(operand, len) {
                    return Known::Wrong;
                }
            }
            (Some(_), None) => return self.an_array(&found, span),
            (None, Some(_)) => return self.not_an_array(&found, span),
        }
        self.leaves.push((found.op, found.ty));
        Known::Type(found.ty)
    }

    fn index(&mut self, operand: Operand, len: u32) -> Known {
        match operand.known {
            Known::Type(Type::Bool) => self.index_is_bool(operand),
            Known::Open(open) if open.choice => {
                let bits = (u32::BITS - (len - 1).leading_zeros()).max(1) as u8;
                self.settle(operand, Type::unsigned(bits))
            }
            Known::Open(open) => self.settle(operand, open.widest()),
            known => known,
        }
    }

    fn binary(&mut self, operator: Binary, span: Span, left: Operand, right: Operand) -> Known {
        use Binary::*;
        if is_shift(operator) {
            return self.shift(span, left, right);
        }
        if operator == Implies {
            let text = "`=>`";
            let known = (self.boolean(right, text), self.boolean(left, text));
            return match known {
                (Known::Type(_), Known::Type(_)) => Known::Type(Type::Bool),
                _ => Known::Wrong,
            };
        }
        let integers = !matches!(operator, And | Or | Xor | Equal | NotEqual);
        let known = match (left.known, right.known) {
            (Known::Wrong, _) | (_, Known::Wrong) => Known::Wrong,
            (Known::Type(l), Known::Type(r)) if l == r => Known::Type(l),
            (Known::Type(l), Known::Type(r)) => self.mismatch(span, (left, l), (right, r)),
            (Known::Type(Type::Bool), Known::Open(_)) if integers => self.not_integer(span, left),
            (Known::Open(_), Known::Type(Type::Bool)) if integers => self.not_integer(span, right),
            (Known::Type(ty), Known::Open(_)) => self.settle(right, ty),
            (Known::Open(_), Known::Type(ty)) => self.settle(left, ty),
            (Known::Open(l), Known::Open(r)) => {
                let mut open = l.join(r);
                if integers {
                    open.integer = open.integer.or(Some(span));
                }
                Known::Open(open)
            }
        };
        let known = match known {
            Known::Type(Type::Bool) if integers => self.not_integer(span, left),
            known => known,
        };
        if !operator.is_comparison() {
            return known;
        }
        // A comparison is a boolean; its operands must be settled now.
        let both = Operand {
            open_from: left.open_from,
            known,
            span: left.span.to(right.span),
        };
        match self.settle_alone(both) {
            Known::Wrong => Known::Wrong,
            _ => Known::Type(Type::Bool),
        }
    }

    fn shift(&mut self, span: Span, left: Operand, right: Operand) -> Known {
        let amount = match (right.known, left.known) {
            (Known::Type(Type::Bool), _) => self.not_integer(span, right),
            (Known::Open(open), Known::Type(ty @ Type::Int { .. })) if open.choice => {
                self.settle(right, ty)
            }
            (Known::Open(open), _) if open.choice => self.no_type(right),
            (Known::Open(open), _) => self.settle(right, open.widest()),
            (known, _) => known,
        };
        match (left.known, amount) {
            (_, Known::Wrong) => Known::Wrong,
            (Known::Type(Type::Bool), _) => self.not_integer(span, left),
            (Known::Open(open), _) => Known::Open(Open {
                integer: open.integer.or(Some(span)),
                ..open
            }),
            (known, _) => known,
        }
    }

    /// Settles an operand that gets no type from anywhere else.
    fn settle_alone(&mut self, operand: Operand) -> Known {
        match operand.known {
            Known::Open(Open { integer: None, .. }) => self.settle(operand, Type::Bool),
            Known::Open(open) if open.choice => self.no_type(operand),
            Known::Open(open) => self.settle(operand, open.widest()),
            known => known,
        }
    }

    /// Gives an open operand its type. Operands to its right have theirs already, so what is
    /// open from its first number or choice on is all its own.
    pub(super) fn settle(&mut self, operand: Operand, ty: Type) -> Known {
        if let (
            Known::Open(Open {
                integer: Some(span),
                ..
            }),
            Type::Bool,
        ) = (operand.known, ty)
        {
            return self.not_boolean(operand, span);
        }
        let mut known = Known::Type(ty);
        let from = operand.open_from.min(self.open.len());
        for index in self.open.split_off(from) {
            let item = self.items[index];
            self.types[index] = Some(ty);
            let What::Number(value) = item.what else {
                continue;
            };
            let next = self.items.get(index + 1).map(|next| next.what);
            let number = i128::from(value);
            // −128 is an 8-bit number although 128 is not.
            let fits = ty.from_number(number).is_some()
                || (next == Some(What::Negate) && ty.from_number(-number).is_some());
            if !fits {
                self.too_large(item.span, ty);
                known = Known::Wrong;
            }
        }
        known
    }

    /// Checks the whole expression against what is wanted.
    fn finish(&mut self, whole: Operand, want: Want<'_>) -> Option<()> {
        let ty = match want {
            Want::Free => {
                return matches!(self.settle_alone(whole), Known::Type(_)).then_some(());
            }
            Want::Index(len) => {
                return matches!(self.index(whole, len), Known::Type(_)).then_some(());
            }
            Want::Condition => Type::Bool,
            Want::Value { ty, .. } => ty,
        };
        match whole.known {
            Known::Wrong => None,
            Known::Open(_) => matches!(self.settle(whole, ty), Known::Type(_)).then_some(()),
            Known::Type(found) if found == ty => Some(()),
            Known::Type(found) => {
                self.unfit(whole, found, ty, want);
                None
            }
        }
    }
}

pub(super) const fn is_shift(operator: Binary) -> bool {
    matches!(operator, Binary::ShiftLeft | Binary::ShiftRight)
}
