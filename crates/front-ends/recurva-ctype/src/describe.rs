//! Types as C writes them, for messages.

use crate::{FloatKind, Foreign, IntKind, Length, Qualified, Type, TypeId, Types};

impl Types {
    /// A type as C writes it: `char (*)[3]`.
    pub fn describe(&self, ty: TypeId) -> String {
        self.describe_qualified(Qualified::plain(ty))
    }

    /// A type with its qualifiers as C writes it: `const char *`.
    pub fn describe_qualified(&self, ty: Qualified) -> String {
        self.declare(ty, String::new())
    }

    /// The declaration of something of a type, from the inside out: `what` is what has been
    /// written around the place of the name so far.
    fn declare(&self, ty: Qualified, what: String) -> String {
        let mut ty = ty;
        let mut what = what;
        loop {
            match self.get(ty.ty) {
                Type::Pointer(target) => {
                    let space = match (what.is_empty(), what.starts_with(['*', '('])) {
                        (false, false) if !qualifiers(ty).is_empty() => " ",
                        _ => "",
                    };
                    what = format!("*{}{space}{what}", qualifiers(ty).trim_end());
                    if matches!(self.get(target.ty), Type::Array(..) | Type::Function(_)) {
                        what = format!("({what})");
                    }
                    ty = *target;
                }
                Type::Array(element, length) => {
                    let length = match length {
                        Length::Known(length) => length.to_string(),
                        Length::Unknown => String::new(),
                        Length::Variable(_) => "*".to_string(),
                    };
                    what = format!("{what}[{length}]");
                    ty = element.and(ty);
                }
                Type::Function(function) => {
                    let mut parameters: Vec<String> = function
                        .parameters
                        .iter()
                        .map(|&it| self.describe_qualified(it))
                        .collect();
                    if function.is_variadic {
                        parameters.push("...".to_string());
                    } else if parameters.is_empty() && !function.is_old_style {
                        parameters.push("void".to_string());
                    }
                    what = format!("{what}({})", parameters.join(", "));
                    ty = function.result;
                }
                _ => {
                    let space = if what.is_empty() { "" } else { " " };
                    return format!("{}{}{space}{what}", qualifiers(ty), self.simple(ty.ty));
                }
            }
        }
    }

    /// A type that is no pointer, array or function.
    fn simple(&self, ty: TypeId) -> String {
        match self.get(ty) {
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => integer(*kind).to_string(),
            Type::Wide { bits, is_signed } => match is_signed {
                true => format!("long long:{bits}"),
                false => format!("unsigned long long:{bits}"),
            },
            Type::Float(FloatKind::Float) => "float".to_string(),
            Type::Float(FloatKind::Double) => "double".to_string(),
            Type::Float(FloatKind::LongDouble) => "long double".to_string(),
            Type::Record(id) => {
                let record = self.record(*id);
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}", record.name.as_deref().unwrap_or("{...}"))
            }
            Type::Enum(id) => {
                let name = self.enumeration(*id).name.as_deref();
                format!("enum {}", name.unwrap_or("{...}"))
            }
            Type::VaList => "__builtin_va_list".to_string(),
            Type::Foreign(foreign) => match *foreign {
                Foreign::Int128 { is_signed: true } => "__int128".to_string(),
                Foreign::Int128 { is_signed: false } => "unsigned __int128".to_string(),
                Foreign::Complex => "_Complex".to_string(),
                Foreign::Decimal => "_Decimal64".to_string(),
                Foreign::Float128 => "__float128".to_string(),
                Foreign::Float16 => "_Float16".to_string(),
                Foreign::Vector { bytes } => format!("vector of {bytes} bytes"),
            },
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => String::new(),
        }
    }
}

/// Qualifiers, each with a space behind it.
fn qualifiers(ty: Qualified) -> &'static str {
    match (ty.is_const, ty.is_volatile) {
        (false, false) => "",
        (true, false) => "const ",
        (false, true) => "volatile ",
        (true, true) => "const volatile ",
    }
}

fn integer(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FunctionType, Target};

    #[test]
    fn declarators_are_written_inside_out() {
        let mut types = Types::new(Target::lp64());
        let int = Qualified::plain(types.number(Type::Int(IntKind::Int)));
        let char = Qualified::plain(types.number(Type::Int(IntKind::Char)));
        let constant = Qualified {
            is_const: true,
            ..char
        };
        let text = Qualified::plain(types.number(Type::Pointer(constant)));
        assert_eq!(types.describe_qualified(text), "const char *");
        let fixed = Qualified {
            is_const: true,
            ..text
        };
        assert_eq!(types.describe_qualified(fixed), "const char *const");
        let row = Qualified::plain(types.number(Type::Array(char, Length::Known(3))));
        let pointer = Qualified::plain(types.number(Type::Pointer(row)));
        assert_eq!(types.describe_qualified(pointer), "char (*)[3]");
        let function = Qualified::plain(types.number(Type::Function(FunctionType {
            result: int,
            parameters: vec![text, pointer],
            is_variadic: true,
            is_old_style: false,
        })));
        let pointer = Qualified::plain(types.number(Type::Pointer(function)));
        let many = types.number(Type::Array(pointer, Length::Unknown));
        assert_eq!(
            types.describe(many),
            "int (*[])(const char *, char (*)[3], ...)"
        );
        let twice = types.number(Type::Pointer(text));
        assert_eq!(types.describe(twice), "const char **");
    }
}
