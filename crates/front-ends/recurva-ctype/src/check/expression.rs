//! Expressions: which kind is checked where.

use recurva_c::ast::{
    BuiltinCall, ExprId as TreeId, ExprKind as Tree, Ident, Init, StmtId as TreeStmt,
    StmtKind as TreeStmtKind, TypeName, UnaryOperator,
};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome, scope::Symbol};
use crate::{
    Length, Qualified, Type,
    constant::{Look, Value},
    literal::{self, Encoding, Number},
    typed::{
        Constant, Definition, ExprId, ExprKind, Linkage, Local, Object, ObjectId, StmtKind, Text,
        TextId, Unary,
    },
};

impl<'u> Checker<'u> {
    /// Checks an expression: the result is a place or a value.
    pub(super) fn expression(&mut self, id: TreeId) -> Outcome<ExprId> {
        let expr = self.unit.expr(id);
        let span = expr.span;
        match &expr.kind {
            Tree::Paren(inner) => self.expression(*inner),
            Tree::Name(ident) => self.named(*ident),
            Tree::Number => self.number(span),
            Tree::Char => self.character(span),
            Tree::Text(spans) => self.text(spans, span),
            Tree::Index { base, index } => self.index(*base, *index, span),
            Tree::Call { callee, arguments } => self.call(*callee, arguments, span),
            Tree::Member {
                base,
                name,
                is_arrow,
            } => self.member(*base, *name, *is_arrow, span),
            Tree::Step(operator, operand) => self.step(*operator, *operand, span),
            Tree::Unary(operator, operand) => self.unary(*operator, *operand, span),
            Tree::Binary {
                operator,
                operator_span,
                left,
                right,
            } => self.binary(*operator, *left, *right, span, *operator_span),
            Tree::Conditional {
                condition,
                then,
                other,
            } => self.conditional(*condition, *then, *other, span),
            Tree::Assign {
                operator,
                operator_span,
                target,
                value,
            } => self.assign(*operator, *target, *value, span, *operator_span),
            Tree::Comma(list) => self.comma(list, span),
            Tree::Cast(name, operand) => self.cast_to(name, *operand, span),
            Tree::Compound(name, init) => self.compound(name, init, span),
            Tree::Block(block) => self.block_expression(*block, span),
            Tree::Sizeof(operand) => self.sizeof(operand, span),
            Tree::Alignof(operand) => self.alignof(operand, span),
            Tree::Generic {
                control,
                associations,
            } => self.generic(*control, associations, span),
            Tree::LabelAddress(ident) => self.label_address(*ident, span),
            Tree::Builtin(builtin) => match builtin {
                BuiltinCall::VaArg(list, name) => self.va_arg(*list, name, span),
                BuiltinCall::Offsetof(name, steps) => self.offsetof(name, steps, span),
                BuiltinCall::TypesCompatible(left, right) => {
                    let left = self.type_name(left)?;
                    let right = self.type_name(right)?;
                    let (left, right) = (self.unqualified(left.ty), self.unqualified(right.ty));
                    let same = self.out.types.are_compatible(left, right);
                    let int = self.known.int();
                    Ok(self.push_integer(span, int, i128::from(same)))
                }
                BuiltinCall::ChooseExpr(condition, then, other) => {
                    let (value, _) = self.constant(*condition)?;
                    self.expression(if value != 0 { *then } else { *other })
                }
            },
        }
    }

    /// Checks an expression whose value is needed.
    pub(super) fn rvalue(&mut self, id: TreeId) -> Outcome<ExprId> {
        let id = self.expression(id)?;
        self.value(id)
    }

    /// The value of an expression that must be an integer constant, and its place.
    pub(super) fn constant(&mut self, tree: TreeId) -> Outcome<(i128, Span)> {
        let mark = self.mark();
        let id = self.rvalue(tree)?;
        let span = self.unit.expr(tree).span;
        let ty = self.ty_id(id);
        if self.out.types.integer(ty).is_none() {
            return Err(self.wrong(
                |types| {
                    format!(
                        "an integer is needed here, and this is `{}`",
                        types.describe(ty)
                    )
                },
                span,
            ));
        }
        let value = self.out.integer_constant(id);
        self.forget(mark);
        match value {
            Some(value) => Ok((value, span)),
            None => Err(self.wrong(
                |_| {
                    "this must be a constant that is known when the program is compiled".to_string()
                },
                span,
            )),
        }
    }

    fn number(&mut self, span: Span) -> Outcome<ExprId> {
        match literal::number(self.slice(span), self.out.target) {
            Ok(Number::Int(value, kind)) => {
                let ty = self.known.integer(kind);
                Ok(self.push_integer(span, ty, i128::from(value)))
            }
            Ok(Number::Float(value, kind)) => {
                let ty = self.out.types.number(Type::Float(kind));
                let kind = ExprKind::Constant(Constant::Float(value));
                Ok(self.push_value(span, ty, kind))
            }
            Ok(Number::Foreign(foreign)) => {
                let ty = self.out.types.number(Type::Foreign(foreign));
                let what = self.foreign(ty).unwrap_or("such numbers");
                Ok(self.push_unsupported(span, ty, what))
            }
            Err(why) => Err(self.wrong(|_| format!("this number cannot be read: {why}"), span)),
        }
    }

    fn character(&mut self, span: Span) -> Outcome<ExprId> {
        match literal::character(self.slice(span), self.out.target) {
            Ok((value, kind)) => {
                let ty = self.known.integer(kind);
                Ok(self.push_integer(span, ty, value))
            }
            Err(why) => Err(self.wrong(|_| format!("this character cannot be read: {why}"), span)),
        }
    }

    /// A string literal.
    pub(super) fn text(&mut self, spans: &[Span], span: Span) -> Outcome<ExprId> {
        let encoding = spans
            .iter()
            .map(|&it| literal::quoted(self.slice(it)).0)
            .find(|&it| it != Encoding::Narrow)
            .unwrap_or(Encoding::Narrow);
        let mut units = Vec::new();
        for &piece in spans {
            let (_, body) = literal::quoted(self.slice(piece));
            if let Err(why) = literal::units(body, encoding, &mut units) {
                return Err(self.wrong(|_| format!("this string cannot be read: {why}"), piece));
            }
        }
        units.push(0);
        let bytes = match encoding.bytes() {
            1 => units.iter().map(|&it| it as u8).collect(),
            2 => units
                .iter()
                .flat_map(|&it| (it as u16).to_le_bytes())
                .collect(),
            _ => units.iter().flat_map(|&it| it.to_le_bytes()).collect(),
        };
        let element = self.known.integer(encoding.unit(self.out.target));
        Ok(self.push_text(bytes, Qualified::plain(element), units.len() as u64, span))
    }

    pub(super) fn push_text(
        &mut self,
        bytes: Vec<u8>,
        element: Qualified,
        length: u64,
        span: Span,
    ) -> ExprId {
        let array = Type::Array(element, Length::Known(length));
        let ty = Qualified::plain(self.out.types.number(array));
        let text = TextId(self.out.texts.len() as u32);
        self.out.texts.push(Text { bytes, ty });
        self.push(span, ty, ExprKind::Text(text))
    }

    fn comma(&mut self, list: &'u [TreeId], span: Span) -> Outcome<ExprId> {
        let mut ids = Vec::with_capacity(list.len());
        for &expr in list {
            ids.push(self.rvalue(expr)?);
        }
        let ty = match ids.last() {
            Some(&last) => self.ty_id(last),
            None => self.known.void,
        };
        Ok(self.push_value(span, ty, ExprKind::Comma(ids)))
    }

    fn unary(&mut self, operator: UnaryOperator, operand: TreeId, span: Span) -> Outcome<ExprId> {
        match operator {
            UnaryOperator::Extension => self.expression(operand),
            UnaryOperator::Address => self.address_of(operand, span),
            UnaryOperator::Deref => {
                let pointer = self.rvalue(operand)?;
                self.deref(pointer, span)
            }
            UnaryOperator::Not => {
                let id = self.expression(operand)?;
                let id = self.condition(id)?;
                let int = self.known.int();
                Ok(self.push_value(span, int, ExprKind::Unary(Unary::Not, id)))
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let id = self.rvalue(operand)?;
                self.arithmetic_unary(operator, id, span)
            }
            UnaryOperator::Real | UnaryOperator::Imaginary => {
                let id = self.rvalue(operand)?;
                let ty = self.ty_id(id);
                if self.foreign(ty).is_some() {
                    let double = self.known.double;
                    return Ok(self.push_unsupported(span, double, "complex numbers"));
                }
                match operator {
                    UnaryOperator::Real => Ok(id),
                    _ => {
                        let zero = self.push_integer(span, self.known.int(), 0);
                        let zero = self.convert(zero, ty);
                        Ok(self.push_value(span, ty, ExprKind::Comma(vec![id, zero])))
                    }
                }
            }
        }
    }

    fn cast_to(&mut self, name: &'u TypeName, operand: TreeId, span: Span) -> Outcome<ExprId> {
        let before = self.length_mark();
        let ty = self.type_name(name)?;
        let lengths = self.take_lengths(before);
        let id = self.rvalue(operand)?;
        let id = self.cast_value(id, ty, span)?;
        Ok(self.after_lengths(lengths, id, span))
    }

    fn cast_value(&mut self, id: ExprId, ty: Qualified, span: Span) -> Outcome<ExprId> {
        let from = self.ty_id(id);
        let to = ty.ty;
        if to == self.known.void {
            let kind = ExprKind::Convert {
                operand: id,
                is_cast: true,
            };
            return Ok(self.push_value(span, to, kind));
        }
        let is_scalar = |it: &Self, ty| it.is_number(ty) || it.pointee(ty).is_some();
        if is_scalar(self, from) && is_scalar(self, to) {
            let is_float = |it: &Self, ty| matches!(it.out.types.get(ty), Type::Float(_));
            let is_mixed = is_float(self, from) && self.pointee(to).is_some()
                || is_float(self, to) && self.pointee(from).is_some();
            if !is_mixed {
                let id = self.cast(id, to);
                self.out.exprs[id.0 as usize].span = span;
                return Ok(id);
            }
        }
        if from == to {
            return Ok(id);
        }
        if let Some(what) = self.foreign(from).or_else(|| self.foreign(to)) {
            return Ok(self.push_unsupported(span, to, what));
        }
        if let Type::Record(record) = *self.out.types.get(to)
            && self.out.types.record(record).is_union
            && let Some(union) = self.union_of(id, to, span)
        {
            return union;
        }
        Err(self.wrong(
            |types| {
                let (from, to) = (types.describe(from), types.describe(to));
                format!("a value of type `{from}` cannot be cast to `{to}`")
            },
            span,
        ))
    }

    /// `(T){ … }`: a variable of the function, or one with static storage outside of functions.
    fn compound(&mut self, name: &'u TypeName, init: &'u Init, span: Span) -> Outcome<ExprId> {
        let before = self.length_mark();
        let ty = self.type_name(name)?;
        let lengths = self.take_lengths(before);
        self.check_complete_for(ty, Some(init), span)?;
        if self.body.is_none() || self.scopes.is_outermost() {
            let (ty, initial) = self.initial(ty, init, true)?;
            let object = ObjectId(self.out.objects.len() as u32);
            self.out.objects.push(Object {
                name: "".into(),
                link_name: None,
                ty,
                align: None,
                linkage: Linkage::None,
                definition: Definition::Here,
                is_thread_local: false,
                is_weak: false,
                function: None,
                init: Some(initial),
                span,
            });
            return Ok(self.push(span, ty, ExprKind::Object(object)));
        }
        let (ty, initial) = self.initial(ty, init, false)?;
        let Some(body) = &mut self.body else {
            return Err(super::Wrong);
        };
        let local = body.add_local(Local {
            name: None,
            ty,
            align: None,
            span,
        });
        let id = self.push(span, ty, ExprKind::Compound(local, Box::new(initial)));
        Ok(self.after_lengths(lengths, id, span))
    }

    /// `({ … })`
    fn block_expression(&mut self, block: TreeStmt, span: Span) -> Outcome<ExprId> {
        let TreeStmtKind::Block(items) = &self.unit.stmt(block).kind else {
            return Err(super::Wrong);
        };
        if self.body.is_none() {
            return Err(self.wrong(
                |_| "statements in an expression stand in a function".to_string(),
                span,
            ));
        }
        self.scopes.enter();
        let mut list = Vec::new();
        let value = self.items_with_value(items, &mut list);
        self.scopes.leave();
        let value = value?;
        let block = self.push_stmt(span, StmtKind::Block(list));
        let ty = value.map_or(self.known.void, |it| self.ty_id(it));
        Ok(self.push_value(span, ty, ExprKind::Block(block, value)))
    }

    fn label_address(&mut self, ident: Ident, span: Span) -> Outcome<ExprId> {
        let text = self.name(ident.name);
        let Some(body) = &mut self.body else {
            return Err(self.wrong(|_| "a label stands in a function".to_string(), span));
        };
        let label = body.label(ident, text).id;
        let ty = self.known.void_pointer;
        Ok(self.push_value(span, ty, ExprKind::LabelAddress(label)))
    }

    /// What `_Static_assert` claims.
    pub(super) fn static_assert(&mut self, claim: &'u recurva_c::ast::StaticAssert) -> Outcome<()> {
        let mark = self.mark();
        let id = self.rvalue(claim.condition)?;
        let value = self.out.evaluate(id, Look::Expression);
        let span = self.span(id);
        self.forget(mark);
        match value {
            Some(Value::Int(0)) => Err(self.report(|_| {
                Diagnostic::error("this assertion does not hold", claim.span).label("it is zero")
            })),
            Some(_) => Ok(()),
            None => Err(self.wrong(
                |_| {
                    "this must be a constant that is known when the program is compiled".to_string()
                },
                span,
            )),
        }
    }

    /// What an ordinary name means.
    pub(super) fn named(&mut self, ident: Ident) -> Outcome<ExprId> {
        let span = ident.span;
        match self.scopes.ordinary.get(ident.name).map(|it| it.what) {
            Some(Symbol::Object(object)) => {
                let ty = self.out.object(object).ty;
                Ok(self.push(span, ty, ExprKind::Object(object)))
            }
            Some(Symbol::Local(local)) => {
                let ty = match &self.body {
                    Some(body) => body.locals[local.0 as usize].ty,
                    None => return Err(super::Wrong),
                };
                Ok(self.push(span, ty, ExprKind::Local(local)))
            }
            Some(Symbol::Parameter(ty)) => {
                let id = self.push_unsupported(span, ty.ty, "the value of a parameter here");
                Ok(id)
            }
            Some(Symbol::Function(function)) => {
                let ty = self.out.function(function).ty;
                Ok(self.push(span, ty, ExprKind::Function(function)))
            }
            Some(Symbol::Enumerator(value, ty)) => Ok(self.push_integer(span, ty, value)),
            Some(Symbol::Typedef(..)) => {
                let name = self.name(ident.name);
                Err(self.wrong(|_| format!("`{name}` is a type, not a value"), span))
            }
            Some(Symbol::Wrong) => Err(super::Wrong),
            None => self.undeclared(ident),
        }
    }
}
