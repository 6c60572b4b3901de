//! Names, and the parts of what they name.

use recurva_acsl::{Label, TermId};
use recurva_certificate::formula::{Arithmetic, Node, Part, When};
use recurva_cir::{Scalar, Type as CType, TypeId, Var};
use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{Found, Translation, Value, types::INT};
use crate::c::annotations::{
    memory::{Lvalue, Moment, Read, Root},
    names::{Known, Named},
};

impl Translation<'_, '_> {
    pub(super) fn name(&mut self, name: &str, span: Span, label: Option<Label>) -> Found<Value> {
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
    pub(super) fn pointee(&mut self, pointer: TermId, label: Option<Label>) -> Found<Lvalue> {
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

    pub(super) fn result(&mut self, span: Span) -> Found<Value> {
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
    pub(super) fn loaded(&mut self, value: Value, span: Span) -> Found<Value> {
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

    pub(super) fn index(
        &mut self,
        array: TermId,
        index: TermId,
        label: Option<Label>,
    ) -> Found<Value> {
        let (index, _) = self.number_of(index)?;
        Some(Value::Place(self.element(array, index, label)?))
    }

    /// A field of a record.
    pub(super) fn field(&mut self, mut place: Lvalue, name: &str, span: Span) -> Found<Value> {
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
}
