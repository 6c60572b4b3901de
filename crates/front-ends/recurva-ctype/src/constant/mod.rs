//! The values of constant expressions.

mod arithmetic;

use crate::{
    FloatKind, Type, TypeId,
    typed::{
        Binary, Builtin, Constant, ExprId, ExprKind, FunctionId, InitStep, LabelId, ObjectId,
        TextId, Unary, Unit,
    },
};

pub(crate) use arithmetic::Width;

/// What a constant expression is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i128),
    Float(f64),
    /// So many bytes from the beginning of something.
    Address(Base, i128),
}

/// What the linker gives an address to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Object(ObjectId),
    Function(FunctionId),
    Text(TextId),
    Label(LabelId),
}

/// What may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Only the expression.
    Expression,
    /// Values of constant objects too: GCC allows it in initialisers.
    Objects,
}

impl Unit {
    /// The width of an integer.
    pub(crate) fn width(&self, ty: TypeId) -> Option<Width> {
        let (bits, is_signed) = self.types.integer(ty)?;
        Some(Width { bits, is_signed })
    }

    /// The value of an expression, if it is a constant.
    pub(crate) fn evaluate(&self, id: ExprId, look: Look) -> Option<Value> {
        let expr = self.expr(id);
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Some(Value::Int(*value)),
            ExprKind::Constant(Constant::Float(value)) => Some(Value::Float(*value)),
            ExprKind::Convert { operand, .. } => {
                let value = self.evaluate(*operand, look)?;
                self.converted(value, ty)
            }
            ExprKind::Unary(operator, operand) => {
                let value = self.evaluate(*operand, look)?;
                self.unary(*operator, value, ty)
            }
            ExprKind::Binary(operator, left, right) => {
                let operands = self.expr(*left).ty.ty;
                let left = self.evaluate(*left, look)?;
                let right = self.evaluate(*right, look)?;
                self.binary(*operator, left, right, operands)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let is_or = matches!(expr.kind, ExprKind::Or(..));
                if truth(self.evaluate(*left, look)?) == is_or {
                    return Some(Value::Int(i128::from(is_or)));
                }
                let right = truth(self.evaluate(*right, look)?);
                Some(Value::Int(i128::from(right)))
            }
            ExprKind::Conditional(condition, then, other) => {
                let value = self.evaluate(*condition, look)?;
                match (truth(value), then) {
                    (true, Some(then)) => self.evaluate(*then, look),
                    (true, None) => self.converted(value, ty),
                    (false, _) => self.evaluate(*other, look),
                }
            }
            ExprKind::PointerAdd(pointer, index) | ExprKind::PointerSubtract(pointer, index) => {
                let Value::Int(mut index) = self.evaluate(*index, look)? else {
                    return None;
                };
                if matches!(expr.kind, ExprKind::PointerSubtract(..)) {
                    index = -index;
                }
                let Type::Pointer(element) = self.types.get(ty) else {
                    return None;
                };
                let step = index.checked_mul(i128::from(self.types.size(element.ty)?))?;
                match self.evaluate(*pointer, look)? {
                    Value::Int(address) => Some(Value::Int(self.address(address + step))),
                    Value::Address(base, offset) => Some(Value::Address(base, offset + step)),
                    Value::Float(_) => None,
                }
            }
            ExprKind::PointerDifference(left, right) => {
                let Type::Pointer(element) = self.types.get(self.expr(*left).ty.ty) else {
                    return None;
                };
                let size = i128::from(self.types.size(element.ty)?);
                let bytes = match (self.evaluate(*left, look)?, self.evaluate(*right, look)?) {
                    (Value::Int(left), Value::Int(right)) => left - right,
                    (Value::Address(base, left), Value::Address(other, right)) if base == other => {
                        left - right
                    }
                    _ => return None,
                };
                let elements = bytes.checked_div(size)?;
                Some(Value::Int(self.width(ty)?.wrap(elements)))
            }
            ExprKind::Address(place) | ExprKind::Decay(place) => self.place(*place, look),
            ExprKind::LabelAddress(label) => Some(Value::Address(Base::Label(*label), 0)),
            ExprKind::Load(place) => self.load(*place, look),
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, look),
            _ => None,
        }
    }

    /// The value of an integer constant expression.
    pub(crate) fn integer_constant(&self, id: ExprId) -> Option<i128> {
        self.types.integer(self.expr(id).ty.ty)?;
        match self.evaluate(id, Look::Expression)? {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// An address that is a number.
    fn address(&self, value: i128) -> i128 {
        let bits = 8 * self.target.pointer_bytes as u32;
        Width {
            bits,
            is_signed: false,
        }
        .wrap(value)
    }

    /// A value as another type.
    pub(crate) fn converted(&self, value: Value, ty: TypeId) -> Option<Value> {
        Some(match (self.types.get(ty), value) {
            (Type::Bool, value) => Value::Int(i128::from(truth(value))),
            (Type::Int(_) | Type::Enum(_) | Type::Wide { .. }, Value::Int(value)) => {
                Value::Int(self.width(ty)?.wrap(value))
            }
            (Type::Int(_) | Type::Enum(_) | Type::Wide { .. }, Value::Float(value)) => {
                Value::Int(self.width(ty)?.cut(value))
            }
            // An address is still one in an integer of its size, and nothing in others.
            (Type::Int(_) | Type::Enum(_), value) => {
                let fits = self.types.size(ty) == Some(self.target.pointer_bytes);
                return fits.then_some(value);
            }
            (Type::Float(kind), value) => {
                let value = match value {
                    Value::Int(value) if *kind == FloatKind::Float => f64::from(value as f32),
                    Value::Int(value) => value as f64,
                    Value::Float(value) => value,
                    Value::Address(..) => return None,
                };
                Value::Float(arithmetic::round(value, *kind == FloatKind::Float))
            }
            (Type::Pointer(_), Value::Int(value)) => Value::Int(self.address(value)),
            (Type::Pointer(_), Value::Address(..)) => value,
            _ => return None,
        })
    }

    fn unary(&self, operator: Unary, value: Value, ty: TypeId) -> Option<Value> {
        Some(match (operator, value) {
            (Unary::Negate, Value::Int(value)) => Value::Int(self.width(ty)?.wrap(-value)),
            (Unary::Negate, Value::Float(value)) => Value::Float(-value),
            (Unary::Complement, Value::Int(value)) => Value::Int(self.width(ty)?.wrap(!value)),
            (Unary::Not, value) => Value::Int(i128::from(!truth(value))),
            _ => return None,
        })
    }

    fn binary(&self, operator: Binary, left: Value, right: Value, ty: TypeId) -> Option<Value> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => {
                let width = match self.types.get(ty) {
                    Type::Pointer(_) => Width {
                        bits: 64,
                        is_signed: false,
                    },
                    _ => self.width(ty)?,
                };
                arithmetic::integers(operator, left, right, width).map(Value::Int)
            }
            (Value::Float(left), Value::Float(right)) => {
                let is_single = *self.types.get(ty) == Type::Float(FloatKind::Float);
                if let Some(value) = arithmetic::compare(operator, left.partial_cmp(&right)) {
                    return Some(Value::Int(value));
                }
                arithmetic::floats(operator, left, right, is_single).map(Value::Float)
            }
            (Value::Address(base, left), Value::Address(other, right)) if base == other => {
                if operator == Binary::Subtract {
                    return Some(Value::Int(self.width(ty)?.wrap(left - right)));
                }
                arithmetic::compare(operator, Some(left.cmp(&right))).map(Value::Int)
            }
            (Value::Address(left, 0), Value::Address(right, 0)) if left != right => {
                match operator {
                    Binary::Equal => Some(Value::Int(0)),
                    Binary::NotEqual => Some(Value::Int(1)),
                    _ => None,
                }
            }
            // Nothing lies at the address zero; and an address in an integer may be moved.
            (Value::Address(base, offset), Value::Int(number)) => match operator {
                Binary::Add => Some(Value::Address(base, offset + number)),
                Binary::Subtract => Some(Value::Address(base, offset - number)),
                Binary::Equal if number == 0 => Some(Value::Int(0)),
                Binary::NotEqual if number == 0 => Some(Value::Int(1)),
                _ => None,
            },
            (Value::Int(number), Value::Address(base, offset)) => match operator {
                Binary::Add => Some(Value::Address(base, offset + number)),
                Binary::Equal if number == 0 => Some(Value::Int(0)),
                Binary::NotEqual if number == 0 => Some(Value::Int(1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The address of a place.
    fn place(&self, id: ExprId, look: Look) -> Option<Value> {
        match self.expr(id).kind {
            ExprKind::Object(object) if self.object(object).is_thread_local => None,
            ExprKind::Object(object) => Some(Value::Address(Base::Object(object), 0)),
            ExprKind::Function(function) => Some(Value::Address(Base::Function(function), 0)),
            ExprKind::Text(text) => Some(Value::Address(Base::Text(text), 0)),
            ExprKind::Deref(pointer) => self.evaluate(pointer, look),
            ExprKind::Member(base, record, field) => {
                let layout = self.types.record(record).layout.as_ref()?;
                let offset = i128::from(layout.fields.get(field as usize)?.offset);
                match self.place(base, look)? {
                    Value::Int(address) => Some(Value::Int(self.address(address + offset))),
                    Value::Address(base, start) => Some(Value::Address(base, start + offset)),
                    Value::Float(_) => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a constant object, and of a character of a string.
    fn load(&self, id: ExprId, look: Look) -> Option<Value> {
        if look != Look::Objects {
            return None;
        }
        let place = self.expr(id);
        match place.kind {
            ExprKind::Object(object) if place.ty.is_const && !place.ty.is_volatile => {
                let init = self.object(object).init.as_ref()?;
                let [part] = init.parts.as_slice() else {
                    return None;
                };
                match part.path.as_ref() as &[InitStep] {
                    [] => self.evaluate(part.value, look),
                    _ => None,
                }
            }
            ExprKind::Deref(pointer) => match self.evaluate(pointer, look)? {
                Value::Address(Base::Text(text), offset)
                    if self.types.size(place.ty.ty) == Some(1) =>
                {
                    let text = &self.texts[text.0 as usize];
                    let byte = text.bytes.get(usize::try_from(offset).ok()?)?;
                    Some(Value::Int(self.width(place.ty.ty)?.wrap(i128::from(*byte))))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn builtin(&self, builtin: Builtin, arguments: &[ExprId], look: Look) -> Option<Value> {
        let &[argument] = arguments else {
            return None;
        };
        let Value::Int(value) = self.evaluate(argument, look)? else {
            return None;
        };
        let bits = self.width(self.expr(argument).ty.ty)?.bits;
        let value = Width {
            bits,
            is_signed: false,
        }
        .wrap(value) as u64;
        let count = match builtin {
            Builtin::CountLeadingZeros if value != 0 => value.leading_zeros() - (64 - bits),
            Builtin::CountTrailingZeros if value != 0 => value.trailing_zeros(),
            Builtin::PopulationCount => value.count_ones(),
            Builtin::Parity => value.count_ones() % 2,
            Builtin::FindFirstSet if value == 0 => 0,
            Builtin::FindFirstSet => value.trailing_zeros() + 1,
            Builtin::SwapBytes => {
                let swapped = value.swap_bytes() >> (64 - bits);
                return Some(Value::Int(i128::from(swapped)));
            }
            _ => return None,
        };
        Some(Value::Int(i128::from(count)))
    }
}

/// Whether a value is not zero.
pub(crate) fn truth(value: Value) -> bool {
    match value {
        Value::Int(value) => value != 0,
        Value::Float(value) => value != 0.0,
        Value::Address(..) => true,
    }
}
