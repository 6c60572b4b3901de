//! Structures and unions.

use recurva_c::ast::{
    DeclaratorPart, FieldDeclaration, FieldDeclarator, Ident, Member, RecordKind, RecordSpecifier,
    TypeSpecifier,
};
use recurva_syntax::{Diagnostic, Span};

use super::{
    Checker, Outcome, Wrong,
    scope::Tag,
    specify::{Followed, Specified},
};
use crate::{
    Length, Qualified, Record, RecordId, Type, TypeId,
    layout::{Draft, Shape, lay_out},
};

/// What is said of all fields of a record.
#[derive(Clone, Copy)]
struct Whole {
    record: RecordId,
    is_packed: bool,
}

impl<'u> Checker<'u> {
    /// The type that `struct …` says.
    pub(super) fn record_specifier(
        &mut self,
        specifier: &'u RecordSpecifier,
        followed: Followed,
    ) -> Outcome<TypeId> {
        let id = self.tagged_record(specifier, followed)?;
        if let Some(members) = &specifier.members {
            self.complete_record(id, specifier, members)?;
        }
        Ok(self.out.types.number(Type::Record(id)))
    }

    /// The record that a tag names here, or a new one.
    fn tagged_record(
        &mut self,
        specifier: &'u RecordSpecifier,
        followed: Followed,
    ) -> Outcome<RecordId> {
        let Some(tag) = specifier.tag else {
            return Ok(self.add_record(specifier, None));
        };
        let is_defined = specifier.members.is_some();
        let known = match is_defined || followed == Followed::No {
            true => self.scopes.tags.get_here(tag.name),
            false => self.scopes.tags.get(tag.name),
        };
        let is_union = specifier.kind == RecordKind::Union;
        if let Some(entry) = known {
            let name = self.name(tag.name);
            let Tag::Record(id) = entry.what else {
                return Err(self.wrong_tag(tag, entry.span()));
            };
            let record = self.out.types.record(id);
            if record.is_union != is_union {
                return Err(self.wrong_tag(tag, entry.span()));
            }
            if is_defined && record.layout.is_some() {
                return Err(self.report(|_| {
                    Diagnostic::error(format!("`{name}` is defined twice"), tag.span)
                        .note(entry.span(), "it is defined here first")
                }));
            }
            return Ok(id);
        }
        let id = self.add_record(specifier, Some(tag));
        self.scopes.tags.declare(tag, Tag::Record(id));
        Ok(id)
    }

    pub(super) fn wrong_tag(&mut self, tag: Ident, first: Span) -> Wrong {
        let name = self.name(tag.name);
        self.report(|_| {
            Diagnostic::error(format!("the tag `{name}` is one of another kind"), tag.span)
                .note(first, "it is declared here")
        })
    }

    fn add_record(&mut self, specifier: &RecordSpecifier, tag: Option<Ident>) -> RecordId {
        let name = tag.map(|it| self.name(it.name).into());
        self.out.types.add_record(Record {
            name,
            is_union: specifier.kind == RecordKind::Union,
            span: tag.map_or(specifier.span, |it| it.span),
            layout: None,
        })
    }

    fn complete_record(
        &mut self,
        id: RecordId,
        specifier: &'u RecordSpecifier,
        members: &'u [Member],
    ) -> Outcome<()> {
        let whole = Whole {
            record: id,
            is_packed: self.has_attribute(&specifier.attributes, "packed"),
        };
        if self.has_attribute(&specifier.attributes, "transparent_union") {
            self.transparent.insert(id);
        }
        let mut drafts = Vec::new();
        let mut result = Ok(());
        for member in members {
            let outcome = match member {
                Member::Field(fields) => self.fields(fields, whole, &mut drafts),
                Member::StaticAssert(claim) => self.static_assert(claim),
            };
            result = result.and(outcome);
        }
        let align = self.aligned(&specifier.attributes)?;
        self.check_flexible(&drafts)?;
        let shape = Shape {
            is_union: specifier.kind == RecordKind::Union,
            align,
            pack: u64::from(specifier.pack),
        };
        let target = self.out.target;
        let layout = lay_out(shape, drafts, target);
        let Some(layout) = layout else {
            return Err(self.wrong(
                |_| "the structure is larger than memory".to_string(),
                specifier.span,
            ));
        };
        // One with a wrong field is complete all the same: its uses are not wrong for that.
        self.out.types.record_mut(id).layout = Some(layout);
        result
    }

    /// Only the last field may be an array without a length.
    fn check_flexible(&mut self, drafts: &[Draft]) -> Outcome<()> {
        let Some((_, but_last)) = drafts.split_last() else {
            return Ok(());
        };
        for draft in but_last {
            if let Type::Array(_, Length::Unknown) = self.out.types.get(draft.ty.ty) {
                return Err(self.wrong(
                    |_| "an array without a length can only be the last field".to_string(),
                    draft.span,
                ));
            }
        }
        Ok(())
    }

    fn fields(
        &mut self,
        declaration: &'u FieldDeclaration,
        whole: Whole,
        drafts: &mut Vec<Draft>,
    ) -> Outcome<()> {
        let followed = match declaration.declarators.is_empty() {
            true => Followed::No,
            false => Followed::Yes,
        };
        let specified = self.specify(&declaration.specifiers, followed)?;
        let Some(base) = specified.ty else {
            return Err(self.wrong(
                |_| "a field has no value to take a type from".to_string(),
                declaration.span,
            ));
        };
        if declaration.declarators.is_empty() {
            return self.unnamed_field(declaration, base, whole, drafts);
        }
        let mut result = Ok(());
        for field in &declaration.declarators {
            let outcome = self.field(field, declaration, specified, whole, drafts);
            result = result.and(outcome);
        }
        result
    }

    /// A record without a name among the fields, whose fields are those of the outer one.
    fn unnamed_field(
        &mut self,
        declaration: &'u FieldDeclaration,
        base: Qualified,
        whole: Whole,
        drafts: &mut Vec<Draft>,
    ) -> Outcome<()> {
        let TypeSpecifier::Record(specifier) = &declaration.specifiers.ty else {
            // A declaration of a tag.
            return Ok(());
        };
        if specifier.tag.is_some() {
            return Ok(());
        }
        let Type::Record(inner) = *self.out.types.get(base.ty) else {
            return Ok(());
        };
        let place = field_number(drafts);
        let names: Vec<(recurva_c::ast::Name, Span)> = {
            let unit = self.unit;
            let layout = self.out.types.record(inner).layout.as_ref();
            let mut names = Vec::new();
            for field in layout.map_or(&[][..], |it| &it.fields) {
                if let Some(name) = field.name.as_deref().and_then(|it| unit.find_name(it)) {
                    names.push((name, field.span));
                }
            }
            names
        };
        let mut all = names;
        // Fields of records without a name in the one without a name.
        all.extend(self.nested_names(inner));
        for (name, span) in all {
            self.name_member(whole.record, Ident { name, span }, place)?;
        }
        let asked = self.aligned(&declaration.specifiers.attributes)?;
        let alignas = self.alignas(&declaration.specifiers.alignments)?;
        drafts.push(Draft {
            name: None,
            ty: base,
            span: declaration.span,
            size: self.out.types.size(base.ty).unwrap_or(0),
            align: self.out.types.align(base.ty),
            asked: asked.max(alignas),
            is_packed: whole.is_packed,
            width: None,
        });
        Ok(())
    }

    fn nested_names(&self, record: RecordId) -> Vec<(recurva_c::ast::Name, Span)> {
        let mut names = Vec::new();
        let mut open = vec![record];
        while let Some(record) = open.pop() {
            let Some(layout) = &self.out.types.record(record).layout else {
                continue;
            };
            for field in layout.fields.iter().filter(|it| it.name.is_none()) {
                let Type::Record(inner) = *self.out.types.get(field.ty.ty) else {
                    continue;
                };
                open.push(inner);
                let Some(layout) = &self.out.types.record(inner).layout else {
                    continue;
                };
                for field in &layout.fields {
                    let name = field.name.as_deref();
                    if let Some(name) = name.and_then(|it| self.unit.find_name(it)) {
                        names.push((name, field.span));
                    }
                }
            }
        }
        names
    }

    fn name_member(&mut self, record: RecordId, ident: Ident, place: u32) -> Outcome<()> {
        if self.members.insert((record, ident.name), place).is_none() {
            return Ok(());
        }
        let name = self.name(ident.name);
        Err(self.wrong(|_| format!("there are two fields `{name}`"), ident.span))
    }

    fn field(
        &mut self,
        field: &'u FieldDeclarator,
        declaration: &'u FieldDeclaration,
        specified: Specified,
        whole: Whole,
        drafts: &mut Vec<Draft>,
    ) -> Outcome<()> {
        let declarator = &field.declarator;
        let Some(base) = specified.ty else {
            return Err(Wrong);
        };
        let ty = self.declarator_type(base, declarator)?;
        let span = declarator.name.map_or(declarator.span, |it| it.span);
        self.check_field_type(ty, whole.record, span)?;
        let width = match field.width {
            None => None,
            Some(width) => Some(self.bit_field_width(width, ty, declarator.name.is_some())?),
        };
        if let Some(ident) = declarator.name {
            self.name_member(whole.record, ident, field_number(drafts))?;
        }
        // The alignment of a named type is that of arrays of it too.
        let is_bare = declarator
            .parts
            .iter()
            .all(|it| matches!(it, DeclaratorPart::Array { .. }));
        let own = specified.align.filter(|_| is_bare);
        let asked = self.aligned(&declaration.specifiers.attributes)?;
        let asked = asked.max(self.aligned(&declarator.attributes)?);
        let asked = asked.max(self.alignas(&declaration.specifiers.alignments)?);
        let is_packed = whole.is_packed
            || self.has_attribute(&declaration.specifiers.attributes, "packed")
            || self.has_attribute(&declarator.attributes, "packed");
        drafts.push(Draft {
            name: declarator.name.map(|it| self.name(it.name).into()),
            ty,
            span,
            size: self.out.types.size(ty.ty).unwrap_or(0),
            align: own.unwrap_or_else(|| self.out.types.align(ty.ty)),
            asked,
            is_packed,
            width,
        });
        Ok(())
    }

    fn check_field_type(&mut self, ty: Qualified, whole: RecordId, span: Span) -> Outcome<()> {
        let is_fine = match self.out.types.get(ty.ty) {
            Type::Function(_) | Type::Void => false,
            Type::Record(id) => self.out.types.record(*id).layout.is_some(),
            Type::Array(_, Length::Variable(_)) => {
                // A structure whose size is known when it is reached (GNU).
                self.variable_records.insert(whole);
                true
            }
            _ => true,
        };
        if is_fine {
            return Ok(());
        }
        Err(self.wrong(
            |types| {
                format!(
                    "a field cannot have the type `{}`",
                    types.describe_qualified(ty)
                )
            },
            span,
        ))
    }

    fn bit_field_width(
        &mut self,
        width: recurva_c::ast::ExprId,
        ty: Qualified,
        is_named: bool,
    ) -> Outcome<u32> {
        let (value, span) = self.constant(width)?;
        let bits = match self.out.types.get(ty.ty) {
            Type::Bool => 1,
            _ => match self.out.types.integer(ty.ty) {
                Some((bits, _)) => bits,
                None => {
                    return Err(self.wrong(
                        |types| {
                            let ty = types.describe_qualified(ty);
                            format!("a bit-field is an integer, not `{ty}`")
                        },
                        span,
                    ));
                }
            },
        };
        match u32::try_from(value) {
            Ok(0) if is_named => Err(self.wrong(
                |_| "a bit-field with a name has at least one bit".to_string(),
                span,
            )),
            Ok(width) if width <= bits => Ok(width),
            _ => Err(self.wrong(
                |types| {
                    let ty = types.describe_qualified(ty);
                    format!("a bit-field of type `{ty}` has at most {bits} bits, not {value}")
                },
                span,
            )),
        }
    }
}

/// The number that the next field will have: bit-fields without a name have none.
fn field_number(drafts: &[Draft]) -> u32 {
    let is_field = |it: &&Draft| it.name.is_some() || it.width.is_none();
    drafts.iter().filter(is_field).count() as u32
}
