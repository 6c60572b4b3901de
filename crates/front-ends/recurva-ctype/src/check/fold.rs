//! Initial values of what has static storage: numbers, and addresses with an offset.

use super::{Checker, Outcome};
use crate::{
    Type,
    constant::{Look, Value, truth},
    typed::{Constant, ExprId, ExprKind, Unsupported},
};

impl Checker<'_> {
    /// Makes a value that the linker can compute of an expression, in its place.
    pub(super) fn fold(&mut self, id: ExprId) -> Outcome<()> {
        match self.out.evaluate(id, Look::Objects) {
            Some(Value::Int(value)) => {
                self.out.exprs[id.0 as usize].kind = ExprKind::Constant(Constant::Int(value));
                Ok(())
            }
            Some(Value::Float(value)) => {
                self.out.exprs[id.0 as usize].kind = ExprKind::Constant(Constant::Float(value));
                Ok(())
            }
            Some(Value::Address(..)) => {
                self.fold_address(id);
                Ok(())
            }
            None if self.is_exempt(id) => Ok(()),
            None => {
                let span = self.span(id);
                Err(self.wrong(
                    |_| "this must be a constant: it is there before the program runs".to_string(),
                    span,
                ))
            }
        }
    }

    /// Makes numbers of the parts of an address that are not one.
    fn fold_address(&mut self, id: ExprId) {
        match self.expr(id).kind {
            ExprKind::Convert { operand, .. } => self.fold_address(operand),
            ExprKind::Address(place) | ExprKind::Decay(place) => self.fold_place(place),
            ExprKind::PointerAdd(left, right)
            | ExprKind::PointerSubtract(left, right)
            | ExprKind::Binary(_, left, right) => {
                // What is not an address is a number, and that can be folded.
                for part in [left, right] {
                    let _ = self.fold(part);
                }
            }
            ExprKind::Conditional(condition, then, other) => {
                let value = self.out.evaluate(condition, Look::Objects);
                let chosen = match (value.is_some_and(truth), then) {
                    (true, Some(then)) => then,
                    (true, None) => condition,
                    (false, _) => other,
                };
                self.replace(id, chosen);
                self.fold_address(id);
            }
            ExprKind::Load(place) => {
                if let ExprKind::Object(object) = self.expr(place).kind {
                    let init = self.out.object(object).init.as_ref();
                    if let Some(part) = init.and_then(|it| it.parts.first()) {
                        // The value of a constant object, which has been folded.
                        let operand = part.value;
                        self.out.exprs[id.0 as usize].kind = ExprKind::Convert {
                            operand,
                            is_cast: false,
                        };
                    }
                }
            }
            _ => {}
        }
    }

    fn fold_place(&mut self, place: ExprId) {
        match self.expr(place).kind {
            ExprKind::Deref(pointer) => {
                let _ = self.fold(pointer);
            }
            ExprKind::Member(base, ..) => self.fold_place(base),
            _ => {}
        }
    }

    /// Puts an operand in the place of the expression around it.
    fn replace(&mut self, id: ExprId, operand: ExprId) {
        let nothing = ExprKind::Unsupported(Unsupported("an expression that was moved"));
        let kind = std::mem::replace(&mut self.out.exprs[operand.0 as usize].kind, nothing);
        self.out.exprs[id.0 as usize].kind = kind;
    }

    /// Whether an expression is no constant because it has no meaning here, which is an error only
    /// where it is used.
    fn is_exempt(&self, id: ExprId) -> bool {
        if let Type::Foreign(_) = self.ty(id) {
            return true;
        }
        match self.expr(id).kind {
            ExprKind::Unsupported(_) | ExprKind::LabelAddress(_) => true,
            ExprKind::Convert { operand, .. } | ExprKind::Unary(_, operand) => {
                self.is_exempt(operand)
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd(left, right)
            | ExprKind::PointerSubtract(left, right)
            | ExprKind::PointerDifference(left, right)
            | ExprKind::Conditional(_, Some(left), right) => {
                self.is_exempt(left) || self.is_exempt(right)
            }
            _ => false,
        }
    }
}
