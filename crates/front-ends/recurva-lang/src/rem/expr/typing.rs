//! Types of operands, and how their numbers are kept.
//!
//! Remopla computes with numbers, not with bits: operands of any widths may meet, and a result
//! has no width. So integers are widened to 64 bits with a sign before they are computed with.
//! Where two variables or a variable and a number are only compared, the wider of the two
//! types is enough.

use recurva_model::{Binary, Type, VarRef};
use recurva_syntax::{Diagnostics, Span};
use rustc_hash::FxHashMap;

use super::{Item, Quantifier, Reference, What, range::Range};
use crate::{
    names::NameId,
    rem::scope::{Found, Scope},
};

/// The type that integers are computed in.
pub(super) const WIDE: Type = Type::signed(64);

/// How the number of an operand is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// As an unsigned number of so many bits.
    Bits(u8),
    /// It is a constant, which fits where it must.
    Constant(i64),
    /// In [`WIDE`].
    Wide,
}

/// What is known of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    Bool,
    Int(Kept, Range),
    /// It is wrong, and that has been reported.
    Wrong,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) known: Known,
    /// The item that gives it.
    last: usize,
    pub(super) span: Span,
}

/// What is known of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    /// The variable that is read.
    pub(super) variable: Option<VarRef>,
    /// The number that it is.
    pub(super) constant: Option<i64>,
    /// The quantifier whose variable it is, by its position among the expression's.
    pub(super) bound: Option<u32>,
    /// The type of a constant, or of the operands of an operator.
    pub(super) ty: Type,
    /// A conversion behind it.
    pub(super) convert: Option<(Type, Type)>,
}

pub(super) struct Typing<'t, 'a> {
    pub(super) scope: &'t Scope<'a>,
    pub(super) diagnostics: &'t mut Diagnostics,
    items: &'t [Item],
    notes: Vec<Note>,
    stack: Vec<Operand>,
    /// The quantifiers whose bodies are open, each with its position.
    open: Vec<(Quantifier, u32)>,
    /// For each variable of a quantifier, where it is among the open ones.
    bound: FxHashMap<NameId, Vec<usize>>,
    quantifiers: u32,
}

impl<'t, 'a> Typing<'t, 'a> {
    pub(super) fn new(
        scope: &'t Scope<'a>,
        diagnostics: &'t mut Diagnostics,
        items: &'t [Item],
    ) -> Self {
        let none = Note {
            variable: None,
            constant: None,
            bound: None,
            ty: WIDE,
            convert: None,
        };
        Typing {
            scope,
            diagnostics,
            items,
            notes: vec![none; items.len()],
            stack: Vec::new(),
            open: Vec::new(),
            bound: FxHashMap::default(),
            quantifiers: 0,
        }
    }

    /// Goes through all items; what the whole is, and what is known of the items.
    pub(super) fn run(&mut self) -> (Operand, Vec<Note>) {
        for (index, &item) in self.items.iter().enumerate() {
            if let What::Bind(quantifier) = item.what {
                self.bind(quantifier);
                continue;
            }
            let (known, span) = self.item(index, item);
            self.stack.push(Operand {
                known,
                last: index,
                span,
            });
        }
        (self.pop(), std::mem::take(&mut self.notes))
    }

    fn pop(&mut self) -> Operand {
        self.stack.pop().unwrap_or(Operand {
            known: Known::Wrong,
            last: 0,
            span: Span::default(),
        })
    }

    fn bind(&mut self, quantifier: Quantifier) {
        let shadowed = self.bound.entry(quantifier.name).or_default();
        shadowed.push(self.open.len());
        self.open.push((quantifier, self.quantifiers));
        self.quantifiers += 1;
    }

    fn item(&mut self, index: usize, item: Item) -> (Known, Span) {
        match item.what {
            What::Number(value) => (self.constant(index, value), item.span),
            What::Truth(_) => (Known::Bool, item.span),
            What::Leaf(reference) => (self.leaf(index, reference, item.span), item.span),
            What::Element(reference) => {
                let operand = self.pop();
                (
                    self.element(index, reference, item.span, operand),
                    item.span,
                )
            }
            What::Not => {
                let operand = self.pop();
                let known = self.boolean(item.span, operand);
                (known, item.span.to(operand.span))
            }
            What::Negate => {
                let operand = self.pop();
                let known = match self.integer(item.span, operand) {
                    Some(range) => {
                        self.widen(operand);
                        Known::Int(Kept::Wide, range.negate())
                    }
                    None => Known::Wrong,
                };
                (known, item.span.to(operand.span))
            }
            What::Quantify => {
                let operand = self.pop();
                if let Some((quantifier, _)) = self.open.pop()
                    && let Some(shadowed) = self.bound.get_mut(&quantifier.name)
                {
                    shadowed.pop();
                }
                let known = self.boolean(item.span, operand);
                (known, item.span.to(operand.span))
            }
            What::Binary(operator) | What::Logical(operator) | What::Doubtful(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let known = self.binary(index, item, operator, left, right);
                (known, left.span.to(right.span))
            }
            What::Bind(_) | What::Parenthesis => (Known::Wrong, item.span),
        }
    }

    fn constant(&mut self, index: usize, value: i64) -> Known {
        self.notes[index].constant = Some(value);
        Known::Int(Kept::Constant(value), Range::new(value, value))
    }

    fn leaf(&mut self, index: usize, reference: Reference, span: Span) -> Known {
        let bound = self
            .bound
            .get(&reference.base.id)
            .and_then(|list| list.last());
        let bound = bound.and_then(|&position| self.open.get(position));
        if let (Some(&(quantifier, position)), None) = (bound, reference.field) {
            self.notes[index].bound = Some(position);
            return Known::Int(Kept::Wide, Range::new(quantifier.low, quantifier.high));
        }
        if let (Some(value), None) = (self.scope.fixed(reference.base.id), reference.field) {
            return self.constant(index, value);
        }
        if self.bound.contains_key(&reference.base.id) && !self.scope.has(reference.base.id) {
            return self.out_of_reach(span);
        }
        match self.scope.find(reference, self.diagnostics) {
            None => Known::Wrong,
            Some(Found::Variable {
                variable,
                ty,
                len: None,
                ..
            }) => self.read(index, variable, ty),
            Some(found) => self.not_scalar(found, span),
        }
    }

    fn element(
        &mut self,
        index: usize,
        reference: Reference,
        span: Span,
        operand: Operand,
    ) -> Known {
        match self.scope.find(reference, self.diagnostics) {
            None => Known::Wrong,
            Some(Found::Variable {
                variable,
                ty,
                len: Some(len),
                declared,
            }) => {
                if !self.index(operand, (len, declared)) {
                    return Known::Wrong;
                }
                self.read(index, variable, ty)
            }
            Some(Found::Variable { ty, declared, .. }) => {
                self.not_an_array(reference.base.span, ty, declared)
            }
            Some(found) => self.not_scalar(found, span),
        }
    }

    /// Checks an index; whether it is one.
    pub(super) fn index(&mut self, operand: Operand, array: (u32, Span)) -> bool {
        let range = match operand.known {
            Known::Wrong => return false,
            Known::Bool => return self.index_is_bool(operand),
            Known::Int(_, range) => range,
        };
        if range.misses(Range::new(0, i64::from(array.0) - 1)) {
            self.never_inside(operand, array);
        }
        true
    }

    fn read(&mut self, index: usize, variable: VarRef, ty: Type) -> Known {
        self.notes[index].variable = Some(variable);
        match ty {
            Type::Bool => Known::Bool,
            Type::Int { bits, .. } => Known::Int(Kept::Bits(bits), Range::bits(bits)),
        }
    }

    fn binary(
        &mut self,
        index: usize,
        item: Item,
        operator: Binary,
        left: Operand,
        right: Operand,
    ) -> Known {
        use Binary::{And, Equal, NotEqual, Or, Xor};
        let on_bools = matches!(operator, And | Or | Xor | Equal | NotEqual);
        let logical = matches!(item.what, What::Logical(_));
        match (left.known, right.known) {
            (Known::Wrong, _) | (_, Known::Wrong) => Known::Wrong,
            (Known::Bool, Known::Bool) if on_bools => {
                if let What::Doubtful(_) = item.what {
                    return self.doubtful(item.span, left, right);
                }
                self.notes[index].ty = Type::Bool;
                Known::Bool
            }
            (Known::Int(kept_left, range_left), Known::Int(kept_right, range_right))
                if !logical =>
            {
                if operator.is_comparison() {
                    self.notes[index].ty = self.common((left, kept_left), (right, kept_right));
                    return Known::Bool;
                }
                self.widen(left);
                self.widen(right);
                Known::Int(Kept::Wide, Range::apply(operator, range_left, range_right))
            }
            _ if logical => {
                let known = (
                    self.boolean(item.span, left),
                    self.boolean(item.span, right),
                );
                match known {
                    (Known::Bool, Known::Bool) => Known::Bool,
                    _ => Known::Wrong,
                }
            }
            (Known::Bool, Known::Int(..)) | (Known::Int(..), Known::Bool) if on_bools => {
                self.mixed(item.span, left, right)
            }
            _ => {
                self.integer(item.span, left);
                self.integer(item.span, right);
                Known::Wrong
            }
        }
    }

    /// The type in which two numbers are compared.
    fn common(&mut self, left: (Operand, Kept), right: (Operand, Kept)) -> Type {
        let fits = |value: i64, bits| Range::new(value, value).within(Range::bits(bits));
        let bits = match (left.1, right.1) {
            (Kept::Bits(l), Kept::Bits(r)) => Some(l.max(r)),
            (Kept::Bits(bits), Kept::Constant(value))
            | (Kept::Constant(value), Kept::Bits(bits)) => fits(value, bits).then_some(bits),
            _ => None,
        };
        let Some(bits) = bits else {
            self.widen(left.0);
            self.widen(right.0);
            return WIDE;
        };
        let ty = Type::unsigned(bits);
        for (operand, kept) in [left, right] {
            match kept {
                Kept::Bits(own) if own != bits => {
                    self.notes[operand.last].convert = Some((Type::unsigned(own), ty));
                }
                Kept::Constant(_) => self.notes[operand.last].ty = ty,
                _ => {}
            }
        }
        ty
    }

    fn widen(&mut self, operand: Operand) {
        if let Known::Int(Kept::Bits(bits), _) = operand.known {
            self.notes[operand.last].convert = Some((Type::unsigned(bits), WIDE));
        }
    }
}
