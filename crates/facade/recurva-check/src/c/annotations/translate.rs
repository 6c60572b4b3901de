//! From an expression of ACSL or C to a formula.

use recurva_acsl::{
    BinaryOperator, CastType, Expression, IntKind, Label, Notation, Number, Term, TermId, TermKind,
    UnaryOperator,
};
use recurva_certificate::{
    Builder, Formula,
    formula::{Arithmetic, BitOperator, Node, Part, When},
};
use recurva_cir::{Scalar, Type as CType, TypeId, Var};
use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    memory::{Lvalue, Memory, Moment, Read, Root},
    names::{Known, Named, Scope},
};

/// Why an expression is not a formula.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// It is wrong.
    Error(Diagnostic),
    /// It is right, and cannot be said.
    Unsupported(Diagnostic),
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
enum Value {
    /// A truth value.
    Truth(Part),
    /// A number; of a type of C, if it is known to be of one.
    Number(Part, Option<Type>),
    /// A pointer: a number of the model, and what it points to.
    Pointer(Part, TypeId),
    /// Null.
    Null,
    /// A part of a variable, an array or a record.
    Place(Lvalue),
}

/// Where a value is needed, there is one or a trouble has been noted.
type Found<T> = Option<T>;

/// The formula of an expression.
pub(super) fn translate(
    expression: &Expression,
    scope: Scope<'_>,
    memory: Memory<'_>,
    troubles: &mut Vec<Trouble>,
) -> Option<Formula> {
    let mut translation = Translation {
        expression,
        scope,
        memory,
        builder: Builder::default(),
        values: Vec::with_capacity(expression.terms().len()),
        troubles,
    };
    let when = moments(expression);
    for (term, when) in expression.terms().iter().zip(when) {
        let value = translation.term(term, when);
        let value = value.and_then(|value| translation.loaded(value, term.span));
        translation.values.push(value);
    }
    let root = translation.truth_of(expression.root())?;
    Some(translation.builder.finish(root))
}

/// The label under which each part is evaluated; none where there is no other than that of the whole.
fn moments(expression: &Expression) -> Vec<Option<Label>> {
    let mut when: Vec<Option<Label>> = vec![None; expression.terms().len()];
    for (number, term) in expression.terms().iter().enumerate().rev() {
        let own = match term.kind {
            TermKind::At(_, label) => Some(label),
            _ => when[number],
        };
        let mut set = |id: TermId| when[id.index()] = own;
        match term.kind {
            TermKind::At(it, _)
            | TermKind::Unary(_, it)
            | TermKind::Field(it, _)
            | TermKind::Arrow(it, _)
            | TermKind::Cast(_, it) => set(it),
            TermKind::Binary(_, left, right) | TermKind::Index(left, right) => {
                set(left);
                set(right);
            }
            TermKind::Conditional(condition, yes, no) => {
                set(condition);
                set(yes);
                set(no);
            }
            TermKind::Number(_)
            | TermKind::Truth(_)
            | TermKind::Null
            | TermKind::Name(_)
            | TermKind::Result => {}
        }
    }
    when
}

struct Translation<'a, 'b> {
    expression: &'a Expression,
    scope: Scope<'a>,
    memory: Memory<'a>,
    builder: Builder,
    /// The values of the parts so far; none for what is wrong.
    values: Vec<Option<Value>>,
    troubles: &'b mut Vec<Trouble>,
}

impl Translation<'_, '_> {
    fn error<T>(&mut self, text: impl Into<String>, span: Span) -> Found<T> {
        self.wrong(Diagnostic::error(text, span))
    }

    fn wrong<T>(&mut self, wrong: Diagnostic) -> Found<T> {
        self.troubles.push(Trouble::Error(wrong));
        None
    }

    fn unsupported<T>(&mut self, text: impl Into<String>, span: Span) -> Found<T> {
        let wrong = Diagnostic::error(text, span);
        self.troubles.push(Trouble::Unsupported(wrong));
        None
    }

    fn is_c(&self) -> bool {
        self.expression.notation == Notation::C
    }

    fn span(&self, id: TermId) -> Span {
        self.expression.term(id).span
    }

    /// The value of a part, once; a part is used once.
    fn value(&mut self, id: TermId) -> Found<Value> {
        self.values[id.index()].clone()
    }

    fn int(&mut self, value: i128) -> Part {
        self.builder.int(value)
    }

    fn term(&mut self, term: &Term, label: Option<Label>) -> Found<Value> {
        let span = term.span;
        match &term.kind {
            TermKind::Number(number) => {
                let ty = number_type(*number, self.long());
                Some(Value::Number(self.int(number.value), Some(ty)))
            }
            TermKind::Truth(truth) => Some(Value::Truth(self.builder.bool(*truth))),
            TermKind::Null => Some(Value::Null),
            TermKind::Name(name) => self.name(name, span, label),
            TermKind::Result => self.result(span),
            TermKind::At(inner, label) => {
                if *label == Label::Post && self.memory.moment != Moment::Exit {
                    return self.error("`Post` has no meaning but in `ensures`", span);
                }
                self.value(*inner)
            }
            TermKind::Unary(UnaryOperator::Dereference, operand) => {
                Some(Value::Place(self.pointee(*operand, label)?))
            }
            TermKind::Unary(operator, operand) => self.unary(*operator, *operand, span),
            TermKind::Binary(operator, left, right) => self.binary(*operator, *left, *right, span),
            TermKind::Conditional(condition, yes, no) => self.conditional(*condition, *yes, *no),
            TermKind::Index(array, index) => self.index(*array, *index, label),
            TermKind::Field(record, name) => match self.value(*record)? {
                Value::Place(place) => self.field(place, name, span),
                _ => self.error("this is no structure", self.span(*record)),
            },
            TermKind::Arrow(pointer, name) => {
                let place = self.pointee(*pointer, label)?;
                self.field(place, name, span)
            }
            TermKind::Cast(ty, operand) => self.cast(*ty, *operand, span),
        }
    }

    /// The bits of `long`.
    fn long(&self) -> u8 {
        self.scope.module.types.pointer_bytes as u8 * 8
    }

    fn name(&mut self, name: &str, span: Span, label: Option<Label>) -> Found<Value> {
        let (root, ty) = match self.scope.find(name) {
            Ok(Named::Constant(value)) => {
                let ty = match i32::try_from(value) {
                    Ok(_) => INT,
                    Err(_) => Type::signed(64),
                };
                return Some(Value::Number(self.int(i128::from(value)), Some(ty)));
            }
            Ok(Named::Local(id)) => {
                let function = self.scope.module.function(self.scope.function);
                (Var::Local(id), function.locals[id.0 as usize].ty)
            }
            Ok(Named::Global(id)) => (Var::Global(id), self.scope.module.global(id).ty),
            Err(_) if name == "NULL" => return Some(Value::Null),
            Err(_) if self.scope.sites.variables.contains(name) => {
                let text = format!("the program does not use `{name}`");
                return self.unsupported(text, span);
            }
            Err(near) => {
                let wrong = Diagnostic::error(format!("there is no `{name}` here"), span);
                return self.wrong(wrong.help_if(near));
            }
        };
        let is_pre = matches!(label, Some(Label::Pre | Label::Old));
        let is_parameter = match root {
            Var::Local(id) => id.0 < self.scope.module.function(self.scope.function).parameters,
            Var::Global(_) => false,
        };
        if is_pre && matches!(root, Var::Local(_)) && !is_parameter {
            let text = format!("`{name}` has no value when the function is entered");
            return self.error(text, span);
        }
        // In a postcondition a parameter is what the caller has given.
        let is_given = is_parameter
            && self.memory.moment == Moment::Exit
            && matches!(self.scope.known, Known::Contract(_));
        let when = match is_pre || is_given {
            true => When::Entry,
            false => When::Now,
        };
        Some(Value::Place(Lvalue {
            root: Root::Variable(root),
            ty,
            bits: None,
            start: 0,
            indices: Vec::new(),
            when,
        }))
    }

    /// What a pointer points to.
    fn pointee(&mut self, pointer: TermId, label: Option<Label>) -> Found<Lvalue> {
        let zero = self.int(0);
        self.element(pointer, zero, label)
    }

    /// An element of an array, or one behind a pointer.
    fn element(&mut self, array: TermId, index: Part, label: Option<Label>) -> Found<Lvalue> {
        let types = &self.scope.module.types;
        match self.value(array)? {
            Value::Place(mut place) => {
                let CType::Array(element, count) = *types.get(place.ty) else {
                    return self.error("this is no array", self.span(array));
                };
                place.ty = element;
                match place.root {
                    Root::Variable(_) => place.indices.push((count, index)),
                    Root::Address(address) => {
                        place.root = Root::Address(self.moved(address, index, element));
                    }
                }
                Some(place)
            }
            Value::Pointer(address, to) => {
                let when = match label {
                    Some(Label::Pre | Label::Old) => When::Entry,
                    _ => When::Now,
                };
                Some(Lvalue {
                    root: Root::Address(self.moved(address, index, to)),
                    ty: to,
                    bits: None,
                    start: 0,
                    indices: Vec::new(),
                    when,
                })
            }
            _ => self.error("this is no array and no pointer", self.span(array)),
        }
    }

    /// An address so many elements further on.
    fn moved(&mut self, address: Part, index: Part, element: TypeId) -> Part {
        let size = self.int(i128::from(self.scope.module.types.size(element)));
        let distance = match self.builder.node(index) {
            Node::Int(0) => return address,
            _ => self.builder.arithmetic(Arithmetic::Multiply, index, size),
        };
        self.builder.arithmetic(Arithmetic::Add, address, distance)
    }

    fn result(&mut self, span: Span) -> Found<Value> {
        if self.memory.moment != Moment::Exit {
            return self.error("`\\result` has no meaning but in `ensures`", span);
        }
        let function = self.scope.module.function(self.scope.function);
        let (Some(local), Some(ty)) = (function.result, function.result_type) else {
            return self.error(format!("`{}` has no result", function.name), span);
        };
        let procedure = self.memory.program.procedure(self.memory.procedure);
        // A scalar is in the local that the procedure says; a record is in several.
        if let (Some(scalar), &[result]) = (self.scope.module.types.scalar(ty), &*procedure.results)
        {
            let variable = recurva_model::VarRef::Local(result);
            let declared = &procedure.locals[result as usize];
            let part = self.builder.variable(variable, When::Now);
            return self.scalar(part, declared.ty, scalar, ty, span);
        }
        Some(Value::Place(Lvalue {
            root: Root::Variable(Var::Local(local)),
            ty,
            bits: None,
            start: 0,
            indices: Vec::new(),
            when: When::Now,
        }))
    }

    /// The value of a scalar; arrays and records stay places.
    fn loaded(&mut self, value: Value, span: Span) -> Found<Value> {
        let Value::Place(place) = value else {
            return Some(value);
        };
        let Some(scalar) = self.scope.module.types.scalar(place.ty) else {
            return Some(Value::Place(place));
        };
        // A bit-field is computed with as a number of so many bits.
        let scalar = match (scalar, place.bits) {
            (Scalar::Int(int), Some(bits)) => Scalar::Int(recurva_cir::Int {
                bits: u8::try_from(bits.width).unwrap_or(int.bits),
                ..int
            }),
            _ => scalar,
        };
        match self.memory.read(&place, &mut self.builder) {
            Read::Part(part, kept) => self.scalar(part, kept, scalar, place.ty, span),
            Read::Nowhere(why) => self.unsupported(format!("this is {why}"), span),
        }
    }

    /// What the model keeps, as a value of a type of C.
    fn scalar(
        &mut self,
        part: Part,
        kept: Type,
        scalar: Scalar,
        ty: TypeId,
        span: Span,
    ) -> Found<Value> {
        let part = match kept {
            Type::Bool => {
                let (one, zero) = (self.int(1), self.int(0));
                self.builder.if_then_else(part, one, zero)
            }
            _ => part,
        };
        match scalar {
            Scalar::Pointer => match *self.scope.module.types.get(ty) {
                CType::Pointer(to) => Some(Value::Pointer(part, to)),
                _ => self.unsupported("pointers of this kind are not supported", span),
            },
            Scalar::Float(_) => self.unsupported("floating-point numbers are not supported", span),
            Scalar::Bool => Some(Value::Number(part, Some(Type::unsigned(8)))),
            Scalar::Int(int) => {
                let ty = Type::Int {
                    bits: int.bits,
                    signed: int.is_signed,
                };
                // Bits that the program uses as numbers with and without a sign.
                let fits = kept == ty || kept.bits() < ty.bits() && !kept.is_signed();
                let part = if fits {
                    part
                } else {
                    self.builder.wrap(ty, part)
                };
                Some(Value::Number(part, Some(ty)))
            }
        }
    }

    fn truth_of(&mut self, id: TermId) -> Found<Part> {
        let value = self.value(id)?;
        let zero = self.int(0);
        let is_zero = match value {
            Value::Truth(part) => return Some(part),
            Value::Null => return Some(self.builder.bool(false)),
            Value::Number(part, _) | Value::Pointer(part, _) => self.builder.equal(part, zero),
            Value::Place(_) => return self.error("this is neither true nor false", self.span(id)),
        };
        Some(self.builder.not(is_zero))
    }

    /// A number, and its type of C if it has one.
    fn number_of(&mut self, id: TermId) -> Found<(Part, Option<Type>)> {
        match self.value(id)? {
            Value::Number(part, ty) => Some((part, ty)),
            Value::Truth(truth) if self.is_c() => {
                let (one, zero) = (self.int(1), self.int(0));
                let part = self.builder.if_then_else(truth, one, zero);
                Some((part, Some(INT)))
            }
            Value::Truth(_) => self.error(
                "a number is needed here, and this is true or false",
                self.span(id),
            ),
            Value::Null | Value::Pointer(..) => {
                self.unsupported("computing with pointers is not supported", self.span(id))
            }
            Value::Place(_) => self.error("a number is needed here", self.span(id)),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: TermId, span: Span) -> Found<Value> {
        match operator {
            UnaryOperator::Not => {
                let truth = self.truth_of(operand)?;
                Some(Value::Truth(self.builder.not(truth)))
            }
            UnaryOperator::Plus => {
                let (part, ty) = self.number_of(operand)?;
                Some(Value::Number(part, ty))
            }
            UnaryOperator::Negate => {
                let zero = self.int(0);
                let (part, ty) = self.number_of(operand)?;
                let part = self.builder.arithmetic(Arithmetic::Subtract, zero, part);
                Some(self.computed(part, ty.map(promoted)))
            }
            UnaryOperator::Complement => {
                let minus = self.int(-1);
                let (part, ty) = self.number_of(operand)?;
                let part = self.builder.arithmetic(Arithmetic::Subtract, minus, part);
                Some(self.computed(part, ty.map(promoted)))
            }
            UnaryOperator::Dereference | UnaryOperator::Address => {
                self.unsupported("addresses are not supported", span)
            }
        }
    }

    /// The result of a computation: in C it has a type, in ACSL it has no bound.
    fn computed(&mut self, part: Part, ty: Option<Type>) -> Value {
        match ty.filter(|_| self.is_c()) {
            Some(ty) => Value::Number(self.builder.wrap(ty, part), Some(ty)),
            None => Value::Number(part, None),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        span: Span,
    ) -> Found<Value> {
        use BinaryOperator as B;
        if let B::Equivalent | B::Implies | B::Or | B::Xor | B::And = operator {
            let (left, right) = (self.truth_of(left), self.truth_of(right));
            let (left, right) = (left?, right?);
            let builder = &mut self.builder;
            return Some(Value::Truth(match operator {
                B::Equivalent => builder.equal(left, right),
                B::Implies => builder.implies(left, right),
                B::Or => builder.or(left, right),
                B::Xor => {
                    let same = builder.equal(left, right);
                    builder.not(same)
                }
                _ => builder.and(left, right),
            }));
        }
        if operator.is_comparison()
            && let Some(compared) = self.special_comparison(operator, left, right)
        {
            return Some(Value::Truth(compared));
        }
        let (a, b) = (self.number_of(left), self.number_of(right));
        let ((mut a, first), (mut b, second)) = (a?, b?);
        let is_shift = matches!(operator, B::ShiftLeft | B::ShiftRight);
        let mut ty = first
            .zip(second)
            .map(|(first, second)| common(first, second));
        if let (true, Some(own), false) = (self.is_c(), ty, is_shift) {
            a = self.converted(a, first, own);
            b = self.converted(b, second, own);
        }
        if is_shift {
            ty = first.map(promoted);
        }
        let builder = &mut self.builder;
        let compared = match operator {
            B::Equal => builder.equal(a, b),
            B::NotEqual => {
                let same = builder.equal(a, b);
                builder.not(same)
            }
            B::Less => builder.less(a, b),
            B::LessEqual => builder.less_equal(a, b),
            B::Greater => builder.less(b, a),
            B::GreaterEqual => builder.less_equal(b, a),
            _ => return self.arithmetic(operator, (a, first), (b, second), ty, span),
        };
        Some(Value::Truth(compared))
    }

    /// A comparison with a pointer, or of two truth values.
    fn special_comparison(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
    ) -> Found<Part> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        let zero = self.int(0);
        let is_pointer = |value: &Value| matches!(value, Value::Pointer(..) | Value::Null);
        let number = |value: &Value| match value {
            Value::Pointer(part, _) | Value::Number(part, _) => Some(*part),
            Value::Null => Some(zero),
            _ => None,
        };
        let is_null = |value: &Value| matches!(value, Value::Number(part, _) if *part == zero);
        let of_pointers = (is_pointer(&first) || is_null(&first))
            && (is_pointer(&second) || is_null(&second))
            && (is_pointer(&first) || is_pointer(&second));
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let same = match (&first, &second) {
            _ if !is_equality => return None,
            (Value::Truth(a), Value::Truth(b)) => self.builder.equal(*a, *b),
            // In ACSL a condition may be compared with a `_Bool`.
            (Value::Truth(_), Value::Number(..)) | (Value::Number(..), Value::Truth(_))
                if !self.is_c() =>
            {
                let (a, b) = (self.truth_of(left)?, self.truth_of(right)?);
                self.builder.equal(a, b)
            }
            _ if of_pointers => {
                let (a, b) = (number(&first)?, number(&second)?);
                self.builder.equal(a, b)
            }
            _ => return None,
        };
        Some(match operator {
            BinaryOperator::Equal => same,
            _ => self.builder.not(same),
        })
    }

    /// A number converted to a type of C.
    fn converted(&mut self, part: Part, from: Option<Type>, to: Type) -> Part {
        match from {
            Some(from) if fits(from, to) => part,
            _ => self.builder.wrap(to, part),
        }
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (a, first): (Part, Option<Type>),
        (b, second): (Part, Option<Type>),
        ty: Option<Type>,
        span: Span,
    ) -> Found<Value> {
        use BinaryOperator as B;
        let plain = match operator {
            B::Add => Some(Arithmetic::Add),
            B::Subtract => Some(Arithmetic::Subtract),
            B::Multiply => Some(Arithmetic::Multiply),
            B::Divide => Some(Arithmetic::Divide),
            B::Remainder => Some(Arithmetic::Remainder),
            _ => None,
        };
        if let Some(operator) = plain {
            let part = self.builder.arithmetic(operator, a, b);
            return Some(self.computed(part, ty));
        }
        let of_bits = match operator {
            B::BitAnd => BitOperator::And,
            B::BitOr => BitOperator::Or,
            B::BitXor => BitOperator::Xor,
            B::ShiftRight => BitOperator::ShiftRight,
            _ if self.is_c() => BitOperator::ShiftLeft,
            _ => return self.shifted(a, b, span),
        };
        let ty = match (self.is_c(), of_bits, first, second) {
            (true, ..) | (false, BitOperator::ShiftRight, ..) => ty,
            // Without bound, what is negative has all higher bits: both have to be of one type.
            (false, _, Some(first), Some(second)) => without_loss(first, second),
            _ => None,
        };
        let Some(ty) = ty else {
            let wrong = Diagnostic::error("these bits have no bound", span);
            let wrong = wrong.help("a cast gives a number a type: `(unsigned int) (x + y)`");
            self.troubles.push(Trouble::Unsupported(wrong));
            return None;
        };
        let part = self.builder.bits(of_bits, ty, a, b);
        Some(Value::Number(part, Some(ty)))
    }

    /// `x << n` without bound, by a known amount.
    fn shifted(&mut self, number: Part, amount: Part, span: Span) -> Found<Value> {
        let Node::Int(amount @ 0..=64) = self.builder.node(amount) else {
            return self.unsupported("a shift by an amount that is not known", span);
        };
        let factor = self.int(1 << amount);
        let part = self
            .builder
            .arithmetic(Arithmetic::Multiply, number, factor);
        Some(Value::Number(part, None))
    }

    fn conditional(&mut self, condition: TermId, yes: TermId, no: TermId) -> Found<Value> {
        let condition = self.truth_of(condition)?;
        let (first, second) = (self.value(yes)?, self.value(no)?);
        if let (Value::Truth(a), Value::Truth(b)) = (&first, &second) {
            // Truth values have no `if` of their own everywhere.
            let then = self.builder.implies(condition, *a);
            let otherwise = self.builder.or(condition, *b);
            return Some(Value::Truth(self.builder.and(then, otherwise)));
        }
        if let (Value::Pointer(a, to), Value::Pointer(b, _)) = (&first, &second) {
            let part = self.builder.if_then_else(condition, *a, *b);
            return Some(Value::Pointer(part, *to));
        }
        let (a, b) = (self.number_of(yes), self.number_of(no));
        let ((mut a, first), (mut b, second)) = (a?, b?);
        let ty = first
            .zip(second)
            .map(|(first, second)| common(first, second));
        if let (true, Some(own)) = (self.is_c(), ty) {
            a = self.converted(a, first, own);
            b = self.converted(b, second, own);
        }
        let ty = match self.is_c() {
            true => ty,
            false => first.zip(second).and_then(|(a, b)| without_loss(a, b)),
        };
        Some(Value::Number(
            self.builder.if_then_else(condition, a, b),
            ty,
        ))
    }

    fn index(&mut self, array: TermId, index: TermId, label: Option<Label>) -> Found<Value> {
        let (index, _) = self.number_of(index)?;
        Some(Value::Place(self.element(array, index, label)?))
    }

    /// A field of a record.
    fn field(&mut self, mut place: Lvalue, name: &str, span: Span) -> Found<Value> {
        let types = &self.scope.module.types;
        let CType::Record(id) = *types.get(place.ty) else {
            return self.error("this is no structure", span);
        };
        // Records without a name lend their fields to what is around them.
        let mut open = vec![(id, place.start, false)];
        let mut names: Vec<&str> = Vec::new();
        while let Some((id, start, in_union)) = open.pop() {
            let record = types.record(id);
            let in_union = in_union || record.is_union;
            for field in &record.fields {
                let first = start + field.offset * 8;
                if field.name.is_empty() {
                    if let CType::Record(inner) = *types.get(field.ty) {
                        open.push((inner, first, in_union));
                    }
                    continue;
                }
                names.push(&field.name);
                if *field.name != *name {
                    continue;
                }
                if in_union {
                    return self.unsupported("unions are not supported", span);
                }
                place.start = first + field.bits.map_or(0, |bits| u64::from(bits.start));
                (place.ty, place.bits) = (field.ty, field.bits);
                return Some(Value::Place(place));
            }
        }
        let wrong = Diagnostic::error(format!("there is no field `{name}`"), span);
        self.wrong(wrong.help_if(did_you_mean(name, names)))
    }

    fn cast(&mut self, ty: CastType, operand: TermId, span: Span) -> Found<Value> {
        let ty = match ty {
            CastType::Integer => {
                let (part, _) = self.number_of(operand)?;
                return Some(Value::Number(part, None));
            }
            CastType::Bool => {
                let truth = self.truth_of(operand)?;
                let (one, zero) = (self.int(1), self.int(0));
                let part = self.builder.if_then_else(truth, one, zero);
                return Some(Value::Number(part, Some(Type::unsigned(8))));
            }
            CastType::Int { kind, signed } => {
                let bits = match kind {
                    IntKind::Char => 8,
                    IntKind::Short => 16,
                    IntKind::Int => 32,
                    IntKind::Long | IntKind::Size => self.long(),
                    IntKind::LongLong => 64,
                    IntKind::Bits(bits) => bits,
                };
                let Some(signed) = signed.or_else(|| self.plain_char()) else {
                    return self.unsupported("whether `char` has a sign is not known", span);
                };
                Type::Int { bits, signed }
            }
        };
        let (part, from) = self.number_of(operand)?;
        Some(Value::Number(self.converted(part, from, ty), Some(ty)))
    }

    /// Whether a plain `char` has a sign, as far as the program has one.
    fn plain_char(&self) -> Option<bool> {
        let types = &self.scope.module.types;
        let chars = types.list.iter().filter_map(|it| match it {
            CType::Char(int) => Some(int.is_signed),
            _ => None,
        });
        let mut found: Vec<bool> = chars.collect();
        found.dedup();
        (found.len() == 1).then(|| found[0])
    }
}

const INT: Type = Type::signed(32);

/// The type of a number in C.
fn number_type(number: Number, long: u8) -> Type {
    let types = [(32, 0), (long, 1), (64, 2)];
    let mut candidates = Vec::new();
    for (bits, longs) in types {
        if longs >= number.longs {
            if !number.is_unsigned {
                candidates.push(Type::signed(bits));
            }
            if number.is_unsigned || number.is_bits {
                candidates.push(Type::unsigned(bits));
            }
        }
    }
    let holds = |ty: &Type| ty.to_number(ty.wrap(number.value as u64)) == number.value;
    candidates
        .into_iter()
        .find(holds)
        .unwrap_or(Type::unsigned(64))
}

/// What C computes with instead of a small type.
fn promoted(ty: Type) -> Type {
    if ty.bits() < 32 { INT } else { ty }
}

/// The type to which C converts two operands.
fn common(left: Type, right: Type) -> Type {
    let (left, right) = (promoted(left), promoted(right));
    match left.bits().cmp(&right.bits()) {
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Equal => match left.is_signed() {
            true => right,
            false => left,
        },
    }
}

/// Whether all values of a type are values of another.
fn fits(from: Type, to: Type) -> bool {
    match (from.is_signed(), to.is_signed()) {
        (true, false) => false,
        (false, true) => from.bits() < to.bits(),
        _ => from.bits() <= to.bits(),
    }
}

/// A type that has all values of two.
fn without_loss(left: Type, right: Type) -> Option<Type> {
    let candidates = [left, right, INT, Type::signed(64)];
    candidates
        .into_iter()
        .find(|it| fits(left, *it) && fits(right, *it))
}
