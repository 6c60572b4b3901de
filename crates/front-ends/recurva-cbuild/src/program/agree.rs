//! Declarations of one name in several units: they must agree with the definition.

use recurva_cir::{Type, TypeId};
use recurva_ctype::{self as ctype, typed};
use recurva_syntax::{Diagnostic, Span};

use super::Program;

impl Program<'_> {
    /// A variable that a unit declares and another one defines.
    pub(super) fn check_object(
        &mut self,
        unit: usize,
        id: typed::ObjectId,
        there: usize,
        definition: typed::ObjectId,
    ) {
        let units = [unit, there].map(|index| self.units[index].clone());
        let (declared, defined) = (units[0].unit.object(id), units[1].unit.object(definition));
        if self.sources[there].is_library {
            return;
        }
        let types = [self.ty(unit, declared.ty.ty), self.ty(there, defined.ty.ty)];
        if !self.agree(types[0], types[1]) {
            let shown = [
                units[0].unit.types.describe_qualified(declared.ty),
                units[1].unit.types.describe_qualified(defined.ty),
            ];
            let places = [(unit, declared.span), (there, defined.span)];
            self.disagree(&declared.name, &shown, places);
        }
    }

    /// A function that a unit declares and another one defines. Without a prototype nothing is said
    /// of its parameters.
    pub(super) fn check_function(
        &mut self,
        unit: usize,
        id: typed::FunctionId,
        there: usize,
        definition: typed::FunctionId,
    ) {
        let units = [unit, there].map(|index| self.units[index].clone());
        let (declared, defined) = (
            units[0].unit.function(id),
            units[1].unit.function(definition),
        );
        if self.sources[there].is_library {
            return;
        }
        let (ctype::Type::Function(one), ctype::Type::Function(other)) = (
            units[0].unit.types.get(declared.ty.ty),
            units[1].unit.types.get(defined.ty.ty),
        ) else {
            return;
        };
        let mut pairs = vec![(one.result.ty, other.result.ty)];
        let has_prototypes = !one.is_old_style && !other.is_old_style;
        if has_prototypes {
            let parameters = one.parameters.iter().zip(&other.parameters);
            pairs.extend(parameters.map(|(one, other)| (one.ty, other.ty)));
        }
        let count_agrees = !has_prototypes
            || (one.parameters.len() == other.parameters.len()
                && one.is_variadic == other.is_variadic);
        let agree = count_agrees
            && pairs.into_iter().all(|(one, other)| {
                let (one, other) = (self.ty(unit, one), self.ty(there, other));
                self.agree(one, other)
            });
        if !agree {
            let shown = [
                units[0].unit.types.describe_qualified(declared.ty),
                units[1].unit.types.describe_qualified(defined.ty),
            ];
            let places = [(unit, declared.span), (there, defined.span)];
            self.disagree(&declared.name, &shown, places);
        }
    }

    /// Whether what is declared as one type may be defined as another: a number of the same bits and
    /// kind, whatever pointer, an array of the same or of unknown length.
    fn agree(&self, one: TypeId, other: TypeId) -> bool {
        let types = &self.types.types;
        let (mut one, mut other) = (one, other);
        loop {
            if one == other {
                return true;
            }
            match (types.get(one), types.get(other)) {
                (&Type::Array(first, length), &Type::Array(second, size)) => {
                    if length != size && length != 0 && size != 0 {
                        return false;
                    }
                    (one, other) = (first, second);
                }
                _ => {
                    let scalars = [one, other].map(|it| types.scalar(it));
                    return scalars[0].is_some() && scalars[0] == scalars[1];
                }
            }
        }
    }

    fn disagree(&mut self, name: &str, types: &[String; 2], places: [(usize, Span); 2]) {
        let [(unit, here), (there, place)] = places;
        let before = self.describe(there, place);
        let [declared, defined] = types;
        let message = format!("`{name}` is declared as `{declared}` and defined as `{defined}`");
        let diagnostic = Diagnostic::error(message, here).help(format!("it is defined {before}"));
        self.error(unit, diagnostic);
    }
}
