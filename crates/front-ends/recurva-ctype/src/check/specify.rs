//! Types as they are specified: what stands before a declarator, and the names of types.

use recurva_c::ast::{Basic, Qualifiers, Specifiers, TypeName, TypeSpecifier};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome, scope::Symbol};
use crate::{Foreign, IntKind, Qualified, Type, TypeId};

/// What specifiers say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specified {
    /// The type; of `__auto_type`, nothing yet.
    pub(crate) ty: Option<Qualified>,
    /// The alignment that a named type has by its declaration.
    pub(crate) align: Option<u64>,
}

/// Whether declarators follow: without them, `struct s;` is a declaration of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    Yes,
    No,
}

impl<'u> Checker<'u> {
    /// The type that specifiers say.
    pub(super) fn specify(
        &mut self,
        specifiers: &'u Specifiers,
        followed: Followed,
    ) -> Outcome<Specified> {
        let mut align = None;
        let ty = match &specifiers.ty {
            TypeSpecifier::Implicit => Qualified::plain(self.known.int()),
            TypeSpecifier::Basic(basic) => Qualified::plain(self.basic(*basic)),
            TypeSpecifier::Record(record) => {
                Qualified::plain(self.record_specifier(record, followed)?)
            }
            TypeSpecifier::Enum(enumeration) => Qualified::plain(self.enum_specifier(enumeration)?),
            TypeSpecifier::Named(ident) => match self.scopes.ordinary.get(ident.name) {
                Some(entry) => match entry.what {
                    Symbol::Typedef(ty, asked) => {
                        align = asked;
                        ty
                    }
                    Symbol::Wrong => return Err(super::Wrong),
                    _ => {
                        let name = self.name(ident.name);
                        return Err(self.wrong(|_| format!("`{name}` is no type"), ident.span));
                    }
                },
                None => return Err(self.unknown_type(ident.name, ident.span)),
            },
            TypeSpecifier::TypeofExpr(expr) => {
                let mark = self.mark();
                let id = self.expression(*expr)?;
                let ty = self.expr(id).ty;
                if self.is_place(id) && self.bit_width(id).is_some() {
                    let span = self.span(id);
                    return Err(self.wrong(|_| "a bit-field has no `typeof`".to_string(), span));
                }
                self.forget(mark);
                ty
            }
            TypeSpecifier::TypeofType(name) | TypeSpecifier::Atomic(name) => {
                let (ty, asked) = self.type_name_aligned(name)?;
                align = asked;
                ty
            }
            TypeSpecifier::VaList => Qualified::plain(self.known.va_list),
            TypeSpecifier::Auto => {
                return Ok(Specified {
                    ty: None,
                    align: None,
                });
            }
        };
        let ty = self.attributed(ty, &specifiers.attributes)?;
        let ty = self.qualify(ty, qualifiers(ty.ty, specifiers.qualifiers));
        Ok(Specified {
            ty: Some(ty),
            align,
        })
    }

    fn unknown_type(&mut self, name: recurva_c::ast::Name, span: Span) -> super::Wrong {
        let text = self.name(name);
        let unit = self.unit;
        let near = recurva_syntax::did_you_mean(
            text,
            self.scopes
                .ordinary
                .names()
                .filter(|it| matches!(it.what, Symbol::Typedef(..)))
                .map(|it| unit.name(it.ident.name)),
        );
        self.report(|_| Diagnostic::error(format!("there is no type `{text}`"), span).help_if(near))
    }

    /// A type that is a keyword.
    fn basic(&mut self, basic: Basic) -> TypeId {
        let foreign = match basic {
            Basic::Void => return self.known.void,
            Basic::Bool => return self.known.bool,
            Basic::Char => return self.known.integer(IntKind::Char),
            Basic::SignedChar => return self.known.integer(IntKind::SignedChar),
            Basic::UnsignedChar => return self.known.integer(IntKind::UnsignedChar),
            Basic::Short => return self.known.integer(IntKind::Short),
            Basic::UnsignedShort => return self.known.integer(IntKind::UnsignedShort),
            Basic::Int => return self.known.integer(IntKind::Int),
            Basic::UnsignedInt => return self.known.integer(IntKind::UnsignedInt),
            Basic::Long => return self.known.integer(IntKind::Long),
            Basic::UnsignedLong => return self.known.integer(IntKind::UnsignedLong),
            Basic::LongLong => return self.known.integer(IntKind::LongLong),
            Basic::UnsignedLongLong => return self.known.integer(IntKind::UnsignedLongLong),
            Basic::Float => return self.known.float,
            Basic::Double => return self.known.double,
            Basic::LongDouble => return self.known.long_double,
            Basic::Int128 => Foreign::Int128 { is_signed: true },
            Basic::UnsignedInt128 => Foreign::Int128 { is_signed: false },
            Basic::Float128 => Foreign::Float128,
            Basic::Float16 => Foreign::Float16,
            Basic::Complex => Foreign::Complex,
            Basic::Decimal => Foreign::Decimal,
        };
        self.out.types.number(Type::Foreign(foreign))
    }

    /// The type that a name of a type says.
    pub(super) fn type_name(&mut self, name: &'u TypeName) -> Outcome<Qualified> {
        self.type_name_aligned(name).map(|(ty, _)| ty)
    }

    /// The type that a name of a type says, with the alignment that it has by its declaration.
    pub(super) fn type_name_aligned(
        &mut self,
        name: &'u TypeName,
    ) -> Outcome<(Qualified, Option<u64>)> {
        let specified = self.specify(&name.specifiers, Followed::Yes)?;
        let Some(base) = specified.ty else {
            return Err(self.wrong(
                |_| "`__auto_type` needs a value to take its type from".to_string(),
                name.span,
            ));
        };
        let ty = self.declarator_type(base, &name.declarator)?;
        let align = match name.declarator.parts.is_empty() {
            true => specified.align,
            false => None,
        };
        Ok((ty, align))
    }
}

/// Qualifiers as those of a type.
pub(super) fn qualifiers(ty: TypeId, qualifiers: Qualifiers) -> Qualified {
    Qualified {
        ty,
        is_const: qualifiers.is_const,
        is_volatile: qualifiers.is_volatile,
    }
}
