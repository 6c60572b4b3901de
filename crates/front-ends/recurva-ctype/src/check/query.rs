//! Questions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic`.

use recurva_c::ast::{Association, ExprId as TreeId, OffsetStep, Operand, TypeName};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome};
use crate::{
    Length, Qualified, Type, TypeId,
    typed::{Binary, ExprId, ExprKind, StmtId, StmtKind},
};

impl<'u> Checker<'u> {
    /// How many lengths of arrays wait to be computed.
    pub(super) fn length_mark(&self) -> usize {
        self.body.as_ref().map_or(0, |it| it.lengths.len())
    }

    /// The lengths that have been added since.
    pub(super) fn take_lengths(&mut self, mark: usize) -> Vec<StmtId> {
        match &mut self.body {
            Some(body) => body.lengths.split_off(mark),
            None => Vec::new(),
        }
    }

    /// An expression that needs lengths to be computed before it.
    pub(super) fn after_lengths(&mut self, lengths: Vec<StmtId>, id: ExprId, span: Span) -> ExprId {
        if lengths.is_empty() {
            return id;
        }
        let id = self.value(id).unwrap_or(id);
        let ty = self.ty_id(id);
        let block = self.push_stmt(span, StmtKind::Block(lengths));
        self.push_value(span, ty, ExprKind::Block(block, Some(id)))
    }

    pub(super) fn sizeof(&mut self, operand: &'u Operand, span: Span) -> Outcome<ExprId> {
        let before = self.length_mark();
        match operand {
            Operand::Type(name) => {
                let ty = self.type_name(name)?;
                let lengths = self.take_lengths(before);
                let size = self.size_of(ty, span)?;
                Ok(self.after_lengths(lengths, size, span))
            }
            Operand::Expr(expr) => {
                let mark = self.mark();
                let id = self.expression(*expr)?;
                let ty = self.expr(id).ty;
                if self.is_place(id) && self.bit_width(id).is_some() {
                    return Err(self.wrong(|_| "a bit-field has no size".to_string(), span));
                }
                self.forget(mark);
                self.size_of(ty, span)
            }
        }
    }

    /// The size of a type: a number, or an expression if it has a variable length.
    pub(super) fn size_of(&mut self, ty: Qualified, span: Span) -> Outcome<ExprId> {
        let size = self.known.size;
        if self.is_variable(ty.ty) {
            return Ok(self.push_value(span, size, ExprKind::SizeofVariable(ty.ty)));
        }
        if let Type::Record(record) = self.out.types.get(ty.ty)
            && self.variable_records.contains(record)
        {
            return Ok(self.push_unsupported(span, size, "structures of variable size"));
        }
        match self.out.types.size(ty.ty) {
            Some(bytes) => Ok(self.push_integer(span, size, i128::from(bytes))),
            None => Err(self.incomplete(ty, span)),
        }
    }

    /// Whether a type is an array some of whose lengths are variable.
    pub(super) fn is_variable(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        while let Type::Array(element, length) = self.out.types.get(ty) {
            if let Length::Variable(_) = length {
                return true;
            }
            ty = element.ty;
        }
        false
    }

    pub(super) fn alignof(&mut self, operand: &'u Operand, span: Span) -> Outcome<ExprId> {
        let mark = self.mark();
        let (ty, asked) = match operand {
            Operand::Type(name) => {
                let before = self.length_mark();
                let found = self.type_name_aligned(name)?;
                self.take_lengths(before);
                found
            }
            Operand::Expr(expr) => {
                let id = self.expression(*expr)?;
                (self.expr(id).ty, self.place_align(id))
            }
        };
        self.forget(mark);
        if let Type::Record(id) = self.out.types.get(ty.ty)
            && self.out.types.record(*id).layout.is_none()
        {
            return Err(self.incomplete(ty, span));
        }
        // GNU's word asks for what the machine likes best, the language's for what it needs.
        let is_gnu = self.slice(span).starts_with(b"__");
        let is_wide = self.out.types.size(ty.ty) == Some(8)
            && !matches!(self.out.types.get(ty.ty), Type::Record(_) | Type::Array(..));
        let align = match asked {
            Some(align) => align,
            None if is_gnu && is_wide => 8,
            None => self.out.types.align(ty.ty),
        };
        let size = self.known.size;
        Ok(self.push_integer(span, size, i128::from(align)))
    }

    /// The alignment that the declaration of a place asks for.
    fn place_align(&self, id: ExprId) -> Option<u64> {
        match self.expr(id).kind {
            ExprKind::Object(object) => self.out.object(object).align,
            ExprKind::Local(local) => self.body.as_ref()?.locals[local.0 as usize].align,
            _ => None,
        }
    }

    pub(super) fn offsetof(
        &mut self,
        name: &'u TypeName,
        steps: &'u [OffsetStep],
        span: Span,
    ) -> Outcome<ExprId> {
        let mut ty = self.type_name(name)?.ty;
        let size = self.known.size;
        let mut offset: i128 = 0;
        // What is not known before the program runs, if anything.
        let mut more: Option<ExprId> = None;
        for step in steps {
            match *step {
                OffsetStep::Field(ident) => loop {
                    let Type::Record(record) = *self.out.types.get(ty) else {
                        let text = self.name(ident.name);
                        return Err(self.wrong(
                            |types| format!("`{}` has no field `{text}`", types.describe(ty)),
                            ident.span,
                        ));
                    };
                    if self.out.types.record(record).layout.is_none() {
                        return Err(self.incomplete(Qualified::plain(ty), span));
                    }
                    let Some(&number) = self.members.get(&(record, ident.name)) else {
                        return Err(self.no_such_field(record, ident));
                    };
                    let Some(layout) = &self.out.types.record(record).layout else {
                        return Err(super::Wrong);
                    };
                    let field = &layout.fields[number as usize];
                    if field.bits.is_some() {
                        return Err(
                            self.wrong(|_| "a bit-field has no offset".to_string(), ident.span)
                        );
                    }
                    offset += i128::from(field.offset);
                    ty = field.ty.ty;
                    if field.name.is_some() {
                        break;
                    }
                },
                OffsetStep::Index(index) => {
                    let Type::Array(element, _) = *self.out.types.get(ty) else {
                        let span = self.unit.expr(index).span;
                        return Err(self.wrong(
                            |types| format!("`{}` is no array", types.describe(ty)),
                            span,
                        ));
                    };
                    ty = element.ty;
                    let bytes = self.out.types.size(ty).unwrap_or(0);
                    let id = self.rvalue(index)?;
                    match self.out.integer_constant(id) {
                        Some(index) => offset += index * i128::from(bytes),
                        None => more = Some(self.scaled(more, id, bytes, span)),
                    }
                }
            }
        }
        let start = self.push_integer(span, size, offset);
        Ok(match more {
            None => start,
            Some(more) => self.push_value(span, size, ExprKind::Binary(Binary::Add, start, more)),
        })
    }

    /// `before + index * bytes`
    fn scaled(&mut self, before: Option<ExprId>, index: ExprId, bytes: u64, span: Span) -> ExprId {
        let size = self.known.size;
        let index = self.convert(index, size);
        let bytes = self.push_integer(span, size, i128::from(bytes));
        let product = ExprKind::Binary(Binary::Multiply, index, bytes);
        let product = self.push_value(span, size, product);
        match before {
            None => product,
            Some(before) => {
                self.push_value(span, size, ExprKind::Binary(Binary::Add, before, product))
            }
        }
    }

    pub(super) fn generic(
        &mut self,
        control: TreeId,
        associations: &'u [Association],
        span: Span,
    ) -> Outcome<ExprId> {
        let mark = self.mark();
        let id = self.rvalue(control)?;
        let ty = self.ty_id(id);
        self.forget(mark);
        let mut chosen = None;
        let mut default = None;
        for association in associations {
            match &association.ty {
                None => default = Some(association.value),
                Some(name) => {
                    let other = self.type_name(name)?;
                    let is_same = !other.is_const
                        && !other.is_volatile
                        && self.out.types.are_compatible(ty, other.ty);
                    if is_same && chosen.is_none() {
                        chosen = Some(association.value);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(value) => self.expression(value),
            None => Err(self.report(|types| {
                let ty = types.describe(ty);
                Diagnostic::error(format!("no choice is for the type `{ty}`"), span)
                    .help("add a `default:`")
            })),
        }
    }
}
