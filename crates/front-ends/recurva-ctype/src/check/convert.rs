//! Conversions: from places to values, between numbers, to the type of what is assigned to.

use recurva_syntax::Span;

use super::{Checker, Outcome};
use crate::{
    FloatKind, IntKind, Qualified, Type, TypeId,
    typed::{Binary, ExprId, ExprKind},
};

/// What a value is used for, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Assigned,
    Initial,
    /// An argument, counted from one.
    Argument(usize),
    Returned,
}

impl std::fmt::Display for Use {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Use::Assigned => f.write_str("what is assigned to"),
            Use::Initial => f.write_str("what is initialised"),
            Use::Argument(number) => write!(f, "parameter {number}"),
            Use::Returned => f.write_str("the function's result"),
        }
    }
}

impl Checker<'_> {
    /// Whether an expression names a place.
    pub(super) fn is_place(&self, id: ExprId) -> bool {
        let mut id = id;
        loop {
            match self.expr(id).kind {
                ExprKind::Object(_)
                | ExprKind::Local(_)
                | ExprKind::Text(_)
                | ExprKind::Compound(..)
                | ExprKind::Deref(_) => return true,
                ExprKind::Member(base, ..) => id = base,
                _ => return false,
            }
        }
    }

    /// The value of an expression: what a place holds, a pointer for an array or a function.
    pub(super) fn value(&mut self, id: ExprId) -> Outcome<ExprId> {
        let expr = self.expr(id);
        let (span, ty) = (expr.span, expr.ty);
        match *self.out.types.get(ty.ty) {
            Type::Array(element, _) => {
                let pointer = self.pointer_to(element);
                Ok(self.push_value(span, pointer, ExprKind::Decay(id)))
            }
            Type::Function(_) => Ok(self.function_pointer(id)),
            Type::Void => match expr.kind {
                // A place of no type has no value; only how to get there is computed.
                ExprKind::Deref(pointer) => Ok(self.push_value(
                    span,
                    ty.ty,
                    ExprKind::Convert {
                        operand: pointer,
                        is_cast: false,
                    },
                )),
                _ => Ok(id),
            },
            Type::Record(record) if self.out.types.record(record).layout.is_none() => {
                Err(self.incomplete(ty, span))
            }
            _ if self.is_place(id) => Ok(self.push_value(span, ty.ty, ExprKind::Load(id))),
            _ => Ok(id),
        }
    }

    /// A pointer to the function that an expression names.
    pub(super) fn function_pointer(&mut self, id: ExprId) -> ExprId {
        let expr = self.expr(id);
        let (span, ty) = (expr.span, expr.ty);
        if let ExprKind::Deref(pointer) = expr.kind {
            return pointer;
        }
        let pointer = self.pointer_to(Qualified::plain(ty.ty));
        self.push_value(span, pointer, ExprKind::Address(id))
    }

    pub(super) fn incomplete(&mut self, ty: Qualified, span: Span) -> super::Wrong {
        self.wrong(
            |types| {
                let ty = types.describe_qualified(ty);
                format!("the type `{ty}` is not complete here")
            },
            span,
        )
    }

    /// The width of the bit-field that an expression is, or whose value it is.
    pub(super) fn bit_width(&self, id: ExprId) -> Option<u32> {
        let mut id = id;
        loop {
            match &self.expr(id).kind {
                ExprKind::Member(_, record, field) => {
                    let layout = self.out.types.record(*record).layout.as_ref()?;
                    return Some(layout.fields.get(*field as usize)?.bits?.width);
                }
                ExprKind::Load(place)
                | ExprKind::Assign(place, _)
                | ExprKind::AssignOperator { place, .. }
                | ExprKind::Step { place, .. } => id = *place,
                ExprKind::Comma(list) => id = *list.last()?,
                ExprKind::Block(_, value) => id = (*value)?,
                _ => return None,
            }
        }
    }

    /// The type that a number has in arithmetic by itself.
    pub(super) fn promoted(&self, ty: TypeId) -> TypeId {
        match *self.out.types.get(ty) {
            Type::Bool => self.known.int(),
            Type::Int(kind) => self.promoted_kind(kind),
            Type::Enum(id) => {
                let kind = self.out.types.enumeration(id).kind;
                self.promoted_kind(kind.unwrap_or(IntKind::UnsignedInt))
            }
            _ => ty,
        }
    }

    fn promoted_kind(&self, kind: IntKind) -> TypeId {
        match self.out.types.bits(kind) < 32 {
            true => self.known.int(),
            false => self.known.integer(kind),
        }
    }

    /// The promoted type of a number, or of what a place holds. A bit-field is `int` if that holds
    /// all its values. A wider one has its declared type for Clang, and its own width for GCC.
    pub(super) fn promoted_value(&mut self, id: ExprId) -> TypeId {
        let ty = self.ty_id(id);
        match (self.bit_width(id), self.out.types.integer(ty)) {
            (Some(width), Some((_, is_signed))) if width < 32 || width == 32 && is_signed => {
                self.known.int()
            }
            (Some(32), Some(_)) => self.known.integer(IntKind::UnsignedInt),
            (Some(bits), Some((declared, is_signed)))
                if bits < declared && self.out.target.keeps_bit_widths =>
            {
                self.out.types.number(Type::Wide { bits, is_signed })
            }
            _ => self.promoted(ty),
        }
    }

    /// A number as its promoted type.
    pub(super) fn promote(&mut self, id: ExprId) -> ExprId {
        let promoted = self.promoted_value(id);
        self.convert(id, promoted)
    }

    /// The type in which two promoted numbers are computed.
    pub(super) fn common(&self, left: TypeId, right: TypeId) -> TypeId {
        let types = &self.out.types;
        match (types.get(left), types.get(right)) {
            (Type::Foreign(_), _) => left,
            (_, Type::Foreign(_)) => right,
            (Type::Float(kind), Type::Float(other)) => match kind.max(other) {
                FloatKind::Float => self.known.float,
                FloatKind::Double => self.known.double,
                FloatKind::LongDouble => self.known.long_double,
            },
            (Type::Float(_), _) => left,
            (_, Type::Float(_)) => right,
            (Type::Int(kind), Type::Int(other)) => self.common_integer(*kind, *other),
            (Type::Wide { .. }, _) | (_, Type::Wide { .. }) => self.wider(left, right),
            _ => left,
        }
    }

    /// The integer with more bits, of two alike the one without a sign.
    fn wider(&self, left: TypeId, right: TypeId) -> TypeId {
        let rank = |ty| {
            let (bits, is_signed) = self.out.types.integer(ty).unwrap_or((0, true));
            (bits, !is_signed)
        };
        match rank(left) >= rank(right) {
            true => left,
            false => right,
        }
    }

    fn common_integer(&self, left: IntKind, right: IntKind) -> TypeId {
        let types = &self.out.types;
        // Kinds are in the order of their ranks, each signed one before its unsigned one.
        let (low, high) = (left.min(right), left.max(right));
        if types.is_signed(low) == types.is_signed(high) || !types.is_signed(high) {
            return self.known.integer(high);
        }
        if types.bits(high) > types.bits(low) {
            return self.known.integer(high);
        }
        self.known.integer(match high {
            IntKind::Int => IntKind::UnsignedInt,
            IntKind::Long => IntKind::UnsignedLong,
            _ => IntKind::UnsignedLongLong,
        })
    }

    /// Two numbers as the type in which they are computed.
    pub(super) fn balance(&mut self, left: ExprId, right: ExprId) -> (ExprId, ExprId, TypeId) {
        let left = self.promote(left);
        let right = self.promote(right);
        let ty = self.common(self.ty_id(left), self.ty_id(right));
        (self.convert(left, ty), self.convert(right, ty), ty)
    }

    /// A value as another type, without asking whether that makes sense.
    pub(super) fn convert(&mut self, id: ExprId, ty: TypeId) -> ExprId {
        self.converted(id, ty, false)
    }

    /// A value as the type of a cast.
    pub(super) fn cast(&mut self, id: ExprId, ty: TypeId) -> ExprId {
        self.converted(id, ty, true)
    }

    fn converted(&mut self, id: ExprId, ty: TypeId, is_cast: bool) -> ExprId {
        let from = self.ty_id(id);
        if from == ty && (!is_cast || self.bit_width(id).is_none()) {
            return id;
        }
        let span = self.span(id);
        if ty != self.known.void
            && from != ty
            && let Some(what) = self.foreign(from).or_else(|| self.foreign(ty))
        {
            return self.push_unsupported(span, ty, what);
        }
        let kind = ExprKind::Convert {
            operand: id,
            is_cast,
        };
        self.push_value(span, ty, kind)
    }

    /// What a type without a meaning is called.
    pub(super) fn foreign(&self, ty: TypeId) -> Option<&'static str> {
        use crate::Foreign;
        match self.out.types.get(ty) {
            Type::Foreign(foreign) => Some(match foreign {
                Foreign::Int128 { .. } => "integers of 128 bits",
                Foreign::Complex => "complex numbers",
                Foreign::Decimal => "decimal numbers",
                Foreign::Float128 | Foreign::Float16 => "floating-point numbers of this size",
                Foreign::Vector { .. } => "vectors",
            }),
            _ => None,
        }
    }

    /// Whether values of a type are numbers.
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        matches!(
            self.out.types.get(ty),
            Type::Bool
                | Type::Int(_)
                | Type::Wide { .. }
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Foreign(_)
        )
    }

    /// Whether values of a type are integers.
    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(
            self.out.types.get(ty),
            Type::Bool | Type::Int(_) | Type::Wide { .. } | Type::Enum(_) | Type::Foreign(_)
        )
    }

    /// A value that is true or false: a number or a pointer.
    pub(super) fn condition(&mut self, id: ExprId) -> Outcome<ExprId> {
        let id = self.value(id)?;
        let ty = self.ty_id(id);
        let span = self.span(id);
        if let Some(what) = self.foreign(ty) {
            let int = self.known.int();
            return Ok(self.push_unsupported(span, int, what));
        }
        if self.is_number(ty) || self.pointee(ty).is_some() {
            return Ok(id);
        }
        Err(self.wrong(
            |types| {
                let ty = types.describe(ty);
                format!("a number or a pointer is needed here, and this is `{ty}`")
            },
            span,
        ))
    }

    /// Whether an expression is a null pointer as the language defines it: the constant zero, or
    /// that as `void *`.
    pub(super) fn is_null(&self, id: ExprId) -> bool {
        let expr = self.expr(id);
        match &expr.kind {
            _ if self.out.types.integer(expr.ty.ty).is_some() => {
                self.out.integer_constant(id) == Some(0)
            }
            ExprKind::Convert {
                operand,
                is_cast: true,
            } if expr.ty.ty == self.known.void_pointer => {
                self.out.integer_constant(*operand) == Some(0)
            }
            _ => false,
        }
    }

    /// A value as it is assigned to a type: by `=`, as an argument, by `return`.
    pub(super) fn assigned(&mut self, id: ExprId, ty: TypeId, what: Use) -> Outcome<ExprId> {
        let from = self.ty_id(id);
        if from == ty {
            return Ok(id);
        }
        let span = self.span(id);
        let (to_pointer, from_pointer) = (self.pointee(ty), self.pointee(from));
        let is_fine = match (to_pointer, from_pointer) {
            (Some(to), Some(target)) => {
                self.check_pointers(to, target, id, what);
                true
            }
            (Some(_), None) if self.out.types.integer(from).is_some() => {
                if !self.is_null(id) {
                    self.warn_conversion(from, ty, what, span);
                }
                true
            }
            (None, Some(_)) if *self.out.types.get(ty) == Type::Bool => true,
            (None, Some(_)) if self.out.types.integer(ty).is_some() => {
                self.warn_conversion(from, ty, what, span);
                true
            }
            (None, None) => {
                self.is_number(ty) && self.is_number(from) || self.foreign(ty).is_some()
            }
            _ => false,
        };
        if is_fine {
            return Ok(self.convert(id, ty));
        }
        if let Some(union) = self.transparent_argument(id, ty) {
            return union;
        }
        Err(self.wrong(
            |types| {
                let (from, ty) = (types.describe(from), types.describe(ty));
                match from.as_str() {
                    "void" => format!("{what} needs a value of type `{ty}`, and this has none"),
                    _ => format!("{what} has type `{ty}`, and this is `{from}`"),
                }
            },
            span,
        ))
    }

    fn warn_conversion(&mut self, from: TypeId, ty: TypeId, what: Use, span: Span) {
        self.warn(
            |types| {
                let (from, ty) = (types.describe(from), types.describe(ty));
                format!("{what} has type `{ty}`, and this is `{from}` without a cast")
            },
            span,
        );
    }

    /// Warns of a pointer that is assigned to one of another type.
    fn check_pointers(&mut self, to: Qualified, from: Qualified, id: ExprId, what: Use) {
        let types = &self.out.types;
        let is_void = |ty: TypeId| *types.get(ty) == Type::Void;
        let same_sign = match (types.integer(to.ty), types.integer(from.ty)) {
            (Some((bits, _)), Some((other, _))) => bits == other,
            _ => false,
        };
        if is_void(to.ty)
            || is_void(from.ty)
            || same_sign
            || types.are_compatible(to.ty, from.ty)
            || self.is_null(id)
        {
            return;
        }
        let (from, to) = (self.ty_id(id), to);
        let span = self.span(id);
        let ty = self.pointer_to(to);
        self.warn_conversion(from, ty, what, span);
    }

    /// Whether an operator compares.
    pub(super) fn is_comparison(operator: Binary) -> bool {
        matches!(
            operator,
            Binary::Equal
                | Binary::NotEqual
                | Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
        )
    }
}
