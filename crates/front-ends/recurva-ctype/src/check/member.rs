//! Fields of records.

use recurva_c::ast::{ExprId as TreeId, Ident, Name};
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{Checker, Outcome, Wrong};
use crate::{
    Qualified, RecordId, Type, TypeId,
    typed::{ExprId, ExprKind, InitStep, Initial, InitialPart, Local},
};

impl Checker<'_> {
    /// `base.name` and `base->name`
    pub(super) fn member(
        &mut self,
        base: TreeId,
        name: Ident,
        is_arrow: bool,
        span: Span,
    ) -> Outcome<ExprId> {
        let mut id = self.expression(base)?;
        if is_arrow {
            id = self.value(id)?;
            let ty = self.ty_id(id);
            if self.pointee(ty).is_none() {
                return Err(self.wrong_base(ty, name, is_arrow));
            }
            let place = self.span(id);
            id = self.deref(id, place)?;
        }
        let ty = self.ty_id(id);
        let Type::Record(record) = *self.out.types.get(ty) else {
            return Err(self.wrong_base(ty, name, is_arrow));
        };
        if self.out.types.record(record).layout.is_none() {
            let ty = self.expr(id).ty;
            return Err(self.incomplete(ty, self.unit.expr(base).span));
        }
        self.member_of(id, record, name, span)
    }

    /// A field of what an expression names, through records without a name.
    fn member_of(
        &mut self,
        id: ExprId,
        record: RecordId,
        name: Ident,
        span: Span,
    ) -> Outcome<ExprId> {
        let (mut id, mut record) = (id, record);
        loop {
            let Some(&number) = self.members.get(&(record, name.name)) else {
                return Err(self.no_such_field(record, name));
            };
            let Some((is_unnamed, field)) = self.field_at(record, number) else {
                return Err(Wrong);
            };
            let own = self.expr(id).ty;
            let ty = self.qualify(field, own.of(field.ty));
            let is_value = !self.is_place(id);
            let ty = match is_value {
                true => Qualified::plain(ty.ty),
                false => ty,
            };
            id = self.push(span, ty, ExprKind::Member(id, record, number));
            match *self.out.types.get(field.ty) {
                Type::Record(inner) if is_unnamed => record = inner,
                _ => return Ok(id),
            }
        }
    }

    /// Whether a field has no name, and its type.
    pub(super) fn field_at(&self, record: RecordId, number: u32) -> Option<(bool, Qualified)> {
        let layout = self.out.types.record(record).layout.as_ref()?;
        let field = layout.fields.get(number as usize)?;
        Some((field.name.is_none(), field.ty))
    }

    fn wrong_base(&mut self, ty: TypeId, name: Ident, is_arrow: bool) -> Wrong {
        let name_text = self.name(name.name);
        let other = match is_arrow {
            true => Some(ty),
            false => self.pointee(ty).map(|it| it.ty),
        };
        let is_record = other.is_some_and(|it| matches!(self.out.types.get(it), Type::Record(_)));
        let help = match (is_record, is_arrow) {
            (true, true) => Some(format!("write `.{name_text}`: this is no pointer")),
            (true, false) => Some(format!("write `->{name_text}`: this is a pointer")),
            (false, _) => None,
        };
        self.report(|types| {
            let ty = types.describe(ty);
            let message = format!("a value of type `{ty}` has no field `{name_text}`");
            Diagnostic::error(message, name.span).help_if(help)
        })
    }

    pub(super) fn no_such_field(&mut self, record: RecordId, name: Ident) -> Wrong {
        let text = self.name(name.name);
        let ty = self.out.types.number(Type::Record(record));
        let unit = self.unit;
        let names: Vec<Name> = self
            .members
            .keys()
            .filter(|it| it.0 == record)
            .map(|it| it.1)
            .collect();
        self.report(|types| {
            let mut names: Vec<&str> = names.iter().map(|&it| unit.name(it)).collect();
            names.sort_unstable();
            let message = format!("`{}` has no field `{text}`", types.describe(ty));
            Diagnostic::error(message, name.span).help_if(did_you_mean(text, names))
        })
    }

    /// A union one of whose fields has this value (GNU): `(union u) value`.
    pub(super) fn union_of(
        &mut self,
        id: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Option<Outcome<ExprId>> {
        let Type::Record(record) = *self.out.types.get(ty) else {
            return None;
        };
        let from = self.ty_id(id);
        let layout = self.out.types.record(record).layout.as_ref()?;
        let is_pointer = self.pointee(from).is_some();
        let fits = |field: TypeId| self.out.types.are_compatible(field, from);
        let near = |field: TypeId| is_pointer && self.pointee(field).is_some();
        let number = (layout.fields.iter().position(|it| fits(it.ty.ty)))
            .or_else(|| layout.fields.iter().position(|it| near(it.ty.ty)))?;
        let field = layout.fields[number].ty;
        let value = self.convert(id, field.ty);
        let body = self.body.as_mut()?;
        let local = body.add_local(Local {
            name: None,
            ty: Qualified::plain(ty),
            align: None,
            span,
        });
        let initial = Initial {
            parts: vec![InitialPart {
                path: Box::new([InitStep::Field(record, number as u32)]),
                ty: field,
                value,
            }],
            is_whole: false,
        };
        let kind = ExprKind::Compound(local, Box::new(initial));
        let place = self.push(span, Qualified::plain(ty), kind);
        Some(self.value(place))
    }

    /// An argument for a parameter that is a transparent union, if it is one.
    pub(super) fn transparent_argument(
        &mut self,
        id: ExprId,
        ty: TypeId,
    ) -> Option<Outcome<ExprId>> {
        match *self.out.types.get(ty) {
            Type::Record(record) if self.transparent.contains(&record) => {
                if self.is_null(id) {
                    let pointer = self.known.void_pointer;
                    let null = self.convert(id, pointer);
                    let span = self.span(null);
                    return self.union_of(null, ty, span);
                }
                let span = self.span(id);
                self.union_of(id, ty, span)
            }
            _ => None,
        }
    }
}
