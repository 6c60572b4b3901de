//! Enumerations.

use recurva_c::ast::{EnumSpecifier, Enumerator};
use recurva_syntax::Diagnostic;

use super::{
    Checker, Outcome,
    scope::{Symbol, Tag},
};
use crate::{Enum, EnumId, IntKind, Type, TypeId, constant::Width};

impl<'u> Checker<'u> {
    /// The type that `enum …` says.
    pub(super) fn enum_specifier(&mut self, specifier: &'u EnumSpecifier) -> Outcome<TypeId> {
        let id = self.tagged_enum(specifier)?;
        if let Some(enumerators) = &specifier.enumerators {
            self.complete_enum(id, specifier, enumerators)?;
        }
        Ok(self.out.types.number(Type::Enum(id)))
    }

    fn tagged_enum(&mut self, specifier: &'u EnumSpecifier) -> Outcome<EnumId> {
        let is_defined = specifier.enumerators.is_some();
        if let Some(tag) = specifier.tag {
            let known = match is_defined {
                true => self.scopes.tags.get_here(tag.name),
                false => self.scopes.tags.get(tag.name),
            };
            if let Some(entry) = known {
                let Tag::Enum(id) = entry.what else {
                    return Err(self.wrong_tag(tag, entry.span()));
                };
                if is_defined && self.out.types.enumeration(id).kind.is_some() {
                    let name = self.name(tag.name);
                    return Err(self.report(|_| {
                        Diagnostic::error(format!("`{name}` is defined twice"), tag.span)
                            .note(entry.span(), "it is defined here first")
                    }));
                }
                return Ok(id);
            }
        }
        let name = specifier.tag.map(|it| self.name(it.name).into());
        let id = self.out.types.add_enum(Enum {
            name,
            kind: None,
            constants: Vec::new(),
            span: specifier.tag.map_or(specifier.span, |it| it.span),
        });
        if let Some(tag) = specifier.tag {
            self.scopes.tags.declare(tag, Tag::Enum(id));
        }
        Ok(id)
    }

    fn complete_enum(
        &mut self,
        id: EnumId,
        specifier: &'u EnumSpecifier,
        enumerators: &'u [Enumerator],
    ) -> Outcome<()> {
        let int = Width {
            bits: 32,
            is_signed: true,
        };
        let mut next: i128 = 0;
        let mut constants = Vec::with_capacity(enumerators.len());
        let mut result = Ok(());
        for enumerator in enumerators {
            if let Some(value) = enumerator.value {
                match self.constant(value) {
                    Ok((value, _)) => next = value,
                    Err(wrong) => result = Err(wrong),
                }
            }
            let ident = enumerator.name;
            if let Some(entry) = self.scopes.ordinary.get_here(ident.name) {
                let name = self.name(ident.name);
                result = Err(self.report(|_| {
                    Diagnostic::error(format!("`{name}` is declared twice"), ident.span)
                        .note(entry.span(), "it is declared here first")
                }));
            }
            // Until the type is known, a constant beyond `int` has the first type that holds it.
            let ty = match (int.holds(next), self.integer_for(next, next)) {
                (true, _) => self.known.int(),
                (false, kind) => self.known.integer(kind),
            };
            let symbol = Symbol::Enumerator(next, ty);
            self.scopes.ordinary.declare(ident, symbol);
            constants.push((Box::from(self.name(ident.name)), next));
            next += 1;
        }
        let least = constants.iter().map(|it| it.1).min().unwrap_or(0);
        let most = constants.iter().map(|it| it.1).max().unwrap_or(0);
        let kind = match self.has_attribute(&specifier.attributes, "packed") {
            true => packed(least, most).unwrap_or_else(|| self.integer_for(least, most)),
            false => self.integer_for(least, most),
        };
        for (enumerator, &(_, value)) in enumerators.iter().zip(&constants) {
            if !int.holds(value) {
                let ty = self.out.types.number(Type::Enum(id));
                let symbol = Symbol::Enumerator(value, ty);
                self.scopes.ordinary.declare(enumerator.name, symbol);
            }
        }
        let enumeration = self.out.types.enumeration_mut(id);
        enumeration.kind = Some(kind);
        enumeration.constants = constants;
        result
    }

    /// The integer for values in a range, as GCC takes it: `unsigned int` if none is negative.
    fn integer_for(&self, least: i128, most: i128) -> IntKind {
        let (signed, unsigned) = match self.out.target.pointer_bytes {
            4 => (IntKind::LongLong, IntKind::UnsignedLongLong),
            _ => (IntKind::Long, IntKind::UnsignedLong),
        };
        match least < 0 {
            true if least >= i128::from(i32::MIN) && most <= i128::from(i32::MAX) => IntKind::Int,
            true => signed,
            false if most <= i128::from(u32::MAX) => IntKind::UnsignedInt,
            false => unsigned,
        }
    }
}

/// The smallest integer for values in a range, if it is smaller than `int`.
fn packed(least: i128, most: i128) -> Option<IntKind> {
    let candidates = [
        (8, false, IntKind::UnsignedChar),
        (8, true, IntKind::SignedChar),
        (16, false, IntKind::UnsignedShort),
        (16, true, IntKind::Short),
    ];
    for (bits, is_signed, kind) in candidates {
        let width = Width { bits, is_signed };
        if width.holds(least) && width.holds(most) {
            return Some(kind);
        }
    }
    None
}
