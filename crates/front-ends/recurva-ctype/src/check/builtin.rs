//! Functions of the compiler: `__builtin_…`.

use recurva_c::ast::{ExprId as TreeId, Ident};
use recurva_syntax::Span;

use super::{Checker, Outcome, convert::Use};
use crate::{
    IntKind, Qualified, Type, TypeId,
    constant::Look,
    typed::{Binary, Builtin, Constant, ExprId, ExprKind},
};

impl<'u> Checker<'u> {
    /// A call of a function that the compiler knows.
    pub(super) fn builtin_call(
        &mut self,
        ident: Ident,
        name: &str,
        arguments: &'u [TreeId],
        span: Span,
    ) -> Outcome<ExprId> {
        let Some(plain) = name.strip_prefix("__builtin_") else {
            return self.atomic_call(name, arguments, span);
        };
        let int = self.known.int();
        let void = self.known.void;
        match (plain, arguments) {
            ("constant_p", &[argument]) => {
                let mark = self.mark();
                let id = self.rvalue(argument)?;
                let is_constant = self.out.evaluate(id, Look::Objects).is_some_and(|it| {
                    !matches!(it, crate::constant::Value::Address(base, _)
                        if !matches!(base, crate::constant::Base::Text(_)))
                });
                self.forget(mark);
                Ok(self.push_integer(span, int, i128::from(is_constant)))
            }
            ("expect" | "expect_with_probability", [argument, ..]) => {
                let id = self.rvalue(*argument)?;
                let long = self.known.integer(IntKind::Long);
                Ok(self.convert(id, long))
            }
            ("assume_aligned", [argument, ..]) => {
                let id = self.rvalue(*argument)?;
                let pointer = self.known.void_pointer;
                Ok(self.convert(id, pointer))
            }
            ("huge_val" | "huge_valf" | "huge_vall" | "inf" | "inff" | "infl", []) => {
                Ok(self.float_constant(plain, f64::INFINITY, span))
            }
            ("nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl", [_]) => {
                Ok(self.float_constant(plain, f64::NAN, span))
            }
            ("va_start" | "c23_va_start", [list, ..]) => {
                self.list_call(Builtin::VaStart, &[*list], span)
            }
            ("va_end", &[list]) => self.list_call(Builtin::VaEnd, &[list], span),
            ("va_copy", &[to, from]) => self.list_call(Builtin::VaCopy, &[to, from], span),
            ("alloca" | "alloca_with_align", [size, ..]) => {
                let id = self.rvalue(*size)?;
                let size = self.known.size;
                let id = self.assigned(id, size, Use::Argument(1))?;
                let ty = self.known.void_pointer;
                Ok(self.push_value(span, ty, ExprKind::Builtin(Builtin::Alloca, vec![id])))
            }
            ("unreachable", []) => {
                Ok(self.push_value(span, void, ExprKind::Builtin(Builtin::Unreachable, vec![])))
            }
            ("trap", []) => {
                Ok(self.push_value(span, void, ExprKind::Builtin(Builtin::Trap, vec![])))
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => {
                let pointer = self.rvalue(*pointer)?;
                let kind = self.rvalue(*kind)?;
                let ty = self.known.size;
                let kind = ExprKind::Builtin(Builtin::ObjectSize, vec![pointer, kind]);
                Ok(self.push_value(span, ty, kind))
            }
            ("frame_address" | "return_address", [level]) => {
                let level = self.rvalue(*level)?;
                let ty = self.known.void_pointer;
                let kind = ExprKind::Builtin(Builtin::FrameAddress, vec![level]);
                Ok(self.push_value(span, ty, kind))
            }
            ("extract_return_addr" | "frob_return_addr", &[pointer]) => self.rvalue(pointer),
            ("prefetch" | "clear_padding" | "__clear_cache", _) => {
                let mut values = Vec::new();
                for &argument in arguments {
                    values.push(self.rvalue(argument)?);
                }
                values.push(self.push_value(span, void, ExprKind::Builtin(Builtin::Fence, vec![])));
                Ok(self.push_value(span, void, ExprKind::Comma(values)))
            }
            ("classify_type", &[argument]) => self.classify(argument, span),
            (_, _) if plain.ends_with("_overflow") || plain.ends_with("_overflow_p") => {
                self.overflow_call(plain, arguments, span)
            }
            (_, &[left, right]) if quiet_comparison(plain).is_some() => {
                let operator = quiet_comparison(plain).unwrap_or(Binary::Equal);
                let left = self.rvalue(left)?;
                let right = self.rvalue(right)?;
                self.compute(operator, left, right, span, ident.span)
            }
            (_, &[argument]) => match self.bit_builtin(plain) {
                Some((builtin, kind)) => self.bit_call(builtin, kind, argument, span),
                None => self.library_call(plain, ident, arguments, span),
            },
            _ => self.library_call(plain, ident, arguments, span),
        }
    }

    fn bit_call(
        &mut self,
        builtin: Builtin,
        kind: IntKind,
        argument: TreeId,
        span: Span,
    ) -> Outcome<ExprId> {
        let id = self.rvalue(argument)?;
        let ty = self.known.integer(kind);
        let id = self.assigned(id, ty, Use::Argument(1))?;
        let result = match builtin {
            Builtin::SwapBytes => ty,
            _ => self.known.int(),
        };
        Ok(self.push_value(span, result, ExprKind::Builtin(builtin, vec![id])))
    }

    fn float_constant(&mut self, name: &str, value: f64, span: Span) -> ExprId {
        let is_plain = matches!(name, "huge_val" | "inf" | "nan" | "nans");
        let ty = match name.as_bytes().last() {
            _ if is_plain => self.known.double,
            Some(b'l') => self.known.long_double,
            _ => self.known.float,
        };
        self.push_value(span, ty, ExprKind::Constant(Constant::Float(value)))
    }

    fn list_call(&mut self, builtin: Builtin, lists: &[TreeId], span: Span) -> Outcome<ExprId> {
        let mut places = Vec::new();
        for &list in lists {
            places.push(self.list_place(list)?);
        }
        let void = self.known.void;
        Ok(self.push_value(span, void, ExprKind::Builtin(builtin, places)))
    }

    /// The class that `__builtin_classify_type` has for a value.
    fn classify(&mut self, argument: TreeId, span: Span) -> Outcome<ExprId> {
        let mark = self.mark();
        let id = self.rvalue(argument)?;
        let class = match self.ty(id) {
            Type::Void => 0,
            Type::Bool | Type::Int(_) | Type::Wide { .. } | Type::Enum(_) => 1,
            Type::Pointer(_) => 5,
            Type::Float(_) => 8,
            Type::Record(record) if self.out.types.record(*record).is_union => 13,
            Type::Record(_) | Type::VaList => 12,
            _ => -1,
        };
        self.forget(mark);
        let int = self.known.int();
        Ok(self.push_integer(span, int, class))
    }

    /// `__builtin_add_overflow` and its forms for given types.
    fn overflow_call(
        &mut self,
        plain: &str,
        arguments: &'u [TreeId],
        span: Span,
    ) -> Outcome<ExprId> {
        let bool = self.known.bool;
        let operation = plain.trim_end_matches("_p").trim_end_matches("_overflow");
        let (letters, word) = match operation.len() {
            4.. if operation.starts_with(['s', 'u']) && operation != "sub" => operation.split_at(1),
            _ => ("", operation),
        };
        let word = word.trim_end_matches('l');
        let builtin = match word {
            "add" => Builtin::AddOverflow,
            "sub" => Builtin::SubtractOverflow,
            "mu" | "mul" => Builtin::MultiplyOverflow,
            _ => return Ok(self.push_unsupported(span, bool, "this builtin function")),
        };
        let &[left, right, result] = arguments else {
            return Err(self.wrong(|_| "this function takes 3 arguments".to_string(), span));
        };
        let mut left = self.rvalue(left)?;
        let mut right = self.rvalue(right)?;
        let mut result = self.rvalue(result)?;
        if plain.ends_with("_p") {
            return Ok(self.push_unsupported(span, bool, "this builtin function"));
        }
        if !letters.is_empty() {
            let longs = operation.len() - operation.trim_end_matches('l').len();
            let longs = longs - usize::from(word == "mu" && longs > 0);
            let kind = match (letters, longs) {
                ("s", 0) => IntKind::Int,
                ("s", 1) => IntKind::Long,
                ("s", _) => IntKind::LongLong,
                (_, 0) => IntKind::UnsignedInt,
                (_, 1) => IntKind::UnsignedLong,
                _ => IntKind::UnsignedLongLong,
            };
            let ty = self.known.integer(kind);
            left = self.convert(left, ty);
            right = self.convert(right, ty);
            let pointer = self.pointer_to(Qualified::plain(ty));
            result = self.convert(result, pointer);
        }
        let target = self.pointee(self.ty_id(result)).map(|it| it.ty);
        let is_integer = |ty: TypeId| self.out.types.integer(ty).is_some();
        let all = [Some(self.ty_id(left)), Some(self.ty_id(right)), target];
        if !all.into_iter().all(|it| it.is_some_and(is_integer)) {
            if all
                .into_iter()
                .flatten()
                .any(|it| self.foreign(it).is_some())
            {
                return Ok(self.push_unsupported(span, bool, "integers of 128 bits"));
            }
            return Err(self.wrong(
                |_| "the arguments are two integers and a pointer to one".to_string(),
                span,
            ));
        }
        let kind = ExprKind::Builtin(builtin, vec![left, right, result]);
        Ok(self.push_value(span, bool, kind))
    }

    /// A function on the bits of a number, and the type it takes.
    fn bit_builtin(&self, name: &str) -> Option<(Builtin, IntKind)> {
        Some(match name {
            "bswap16" => (Builtin::SwapBytes, IntKind::UnsignedShort),
            "bswap32" => (Builtin::SwapBytes, IntKind::UnsignedInt),
            "bswap64" if self.out.target.pointer_bytes == 8 => {
                (Builtin::SwapBytes, IntKind::UnsignedLong)
            }
            "bswap64" => (Builtin::SwapBytes, IntKind::UnsignedLongLong),
            _ => {
                let word = name.trim_end_matches('l');
                let builtin = match word {
                    "clz" => Builtin::CountLeadingZeros,
                    "ctz" => Builtin::CountTrailingZeros,
                    "popcount" => Builtin::PopulationCount,
                    "parity" => Builtin::Parity,
                    "ffs" => Builtin::FindFirstSet,
                    _ => return None,
                };
                let is_signed = builtin == Builtin::FindFirstSet;
                let kind = match (name.len() - word.len(), is_signed) {
                    (0, true) => IntKind::Int,
                    (1, true) => IntKind::Long,
                    (_, true) => IntKind::LongLong,
                    (0, false) => IntKind::UnsignedInt,
                    (1, false) => IntKind::UnsignedLong,
                    (_, false) => IntKind::UnsignedLongLong,
                };
                (builtin, kind)
            }
        })
    }

    /// A call of the function of the library that a builtin one stands for.
    fn library_call(
        &mut self,
        plain: &str,
        ident: Ident,
        arguments: &'u [TreeId],
        span: Span,
    ) -> Outcome<ExprId> {
        // The checked forms have more arguments, which say what the compiler knows of sizes.
        let checked = plain
            .strip_prefix("__")
            .and_then(|it| it.strip_suffix("_chk"));
        let name = checked.unwrap_or(plain);
        let Some(function) = self.library_function(name, ident.span) else {
            for &argument in arguments {
                let mark = self.mark();
                self.rvalue(argument)?;
                self.forget(mark);
            }
            let int = self.known.int();
            return Ok(self.push_unsupported(span, int, "this builtin function"));
        };
        let dropped = match (checked.is_some(), name) {
            (false, _) => 0..0,
            (true, "sprintf" | "vsprintf") => 1..3,
            (true, "snprintf" | "vsnprintf") => 2..4,
            (true, "printf" | "vprintf") => 0..1,
            (true, "fprintf" | "vfprintf") => 1..2,
            (true, _) => arguments.len().saturating_sub(1)..arguments.len(),
        };
        let mut values = Vec::new();
        for (number, &argument) in arguments.iter().enumerate() {
            let value = self.rvalue(argument)?;
            if !dropped.contains(&number) {
                values.push(value);
            }
        }
        let ty = self.out.function(function).ty;
        let id = self.push(ident.span, ty, ExprKind::Function(function));
        let callee = self.function_pointer(id);
        let Type::Function(function) = self.out.types.get(ty.ty).clone() else {
            return Err(super::Wrong);
        };
        self.call_with(callee, &function, values, span)
    }
}

/// The comparison that a function makes which says nothing about what is no number.
fn quiet_comparison(name: &str) -> Option<Binary> {
    Some(match name {
        "isgreater" => Binary::Greater,
        "isgreaterequal" => Binary::GreaterEqual,
        "isless" => Binary::Less,
        "islessequal" => Binary::LessEqual,
        _ => return None,
    })
}
