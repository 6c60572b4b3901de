//! Which types may stand for the same object, and the type that knows what both know.

use crate::{FunctionType, IntKind, Length, Qualified, Type, TypeId, Types};

impl Types {
    /// Whether two types are compatible, qualifiers of the types themselves aside.
    pub(crate) fn are_compatible(&self, left: TypeId, right: TypeId) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (Type::Pointer(left), Type::Pointer(right)) => self.are_same(*left, *right),
            (Type::Array(left, length), Type::Array(right, other)) => {
                let fit = match (length, other) {
                    (Length::Known(length), Length::Known(other)) => length == other,
                    _ => true,
                };
                fit && self.are_same(*left, *right)
            }
            (Type::Function(left), Type::Function(right)) => self.are_callable(left, right),
            (Type::Enum(id), other) | (other, Type::Enum(id)) => {
                let kind = self.enumeration(*id).kind.unwrap_or(IntKind::UnsignedInt);
                *other == Type::Int(kind)
            }
            _ => false,
        }
    }

    /// Whether two types are compatible and have the same qualifiers.
    pub(crate) fn are_same(&self, left: Qualified, right: Qualified) -> bool {
        (left.is_const, left.is_volatile) == (right.is_const, right.is_volatile)
            && self.are_compatible(left.ty, right.ty)
    }

    fn are_callable(&self, left: &FunctionType, right: &FunctionType) -> bool {
        if !self.are_compatible(left.result.ty, right.result.ty) {
            return false;
        }
        match (left.is_old_style, right.is_old_style) {
            (true, true) => true,
            (true, false) => self.is_old_style_callable(right),
            (false, true) => self.is_old_style_callable(left),
            (false, false) => {
                left.is_variadic == right.is_variadic
                    && left.parameters.len() == right.parameters.len()
                    && (left.parameters.iter().zip(&right.parameters))
                        .all(|(left, right)| self.are_compatible(left.ty, right.ty))
            }
        }
    }

    /// Whether a function can be called without its prototype: no parameter is changed by the
    /// promotions of arguments.
    fn is_old_style_callable(&self, function: &FunctionType) -> bool {
        !function.is_variadic
            && function.parameters.iter().all(|it| match self.get(it.ty) {
                Type::Float(kind) => *kind != crate::FloatKind::Float,
                Type::Bool => false,
                Type::Int(kind) => self.bits(*kind) >= 32,
                _ => true,
            })
    }

    /// The type that knows what two compatible types know.
    pub(crate) fn composite(&mut self, left: TypeId, right: TypeId) -> TypeId {
        if left == right {
            return left;
        }
        match (self.get(left).clone(), self.get(right).clone()) {
            (Type::Pointer(left), Type::Pointer(right)) => {
                let target = self.composite(left.ty, right.ty);
                self.number(Type::Pointer(left.of(target)))
            }
            (Type::Array(left, length), Type::Array(right, other)) => {
                let element = self.composite(left.ty, right.ty);
                let length = match (length, other) {
                    (Length::Known(_), _) | (Length::Variable(_), Length::Unknown) => length,
                    _ => other,
                };
                self.number(Type::Array(left.of(element), length))
            }
            (Type::Function(left), Type::Function(right)) => {
                let (mut all, other) = match left.is_old_style {
                    true => (right, left),
                    false => (left, right),
                };
                if !other.is_old_style {
                    for (parameter, also) in all.parameters.iter_mut().zip(&other.parameters) {
                        parameter.ty = self.composite(parameter.ty, also.ty);
                    }
                }
                all.result.ty = self.composite(all.result.ty, other.result.ty);
                self.number(Type::Function(all))
            }
            _ => left,
        }
    }
}
