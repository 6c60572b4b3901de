//! Attributes that change what a declaration means.

use recurva_c::ast::{Alignment, Attribute, ExprKind as Tree};

use super::{Checker, Outcome};
use crate::{Foreign, IntKind, Qualified, Type, TypeId, literal};

/// The alignment of `aligned` without a number: the largest one that the machine has a use for.
const LARGEST: u64 = 16;

impl<'u> Checker<'u> {
    /// Whether there is an attribute of a name.
    pub(super) fn has_attribute(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes.iter().any(|it| self.name(it.name.name) == name)
    }

    /// The largest alignment that attributes ask for.
    pub(super) fn aligned(&mut self, attributes: &'u [Attribute]) -> Outcome<Option<u64>> {
        let mut align = None;
        for attribute in attributes {
            if self.name(attribute.name.name) != "aligned" {
                continue;
            }
            let asked = match attribute.arguments.first() {
                None => LARGEST,
                Some(&argument) => {
                    let (value, span) = self.constant(argument)?;
                    self.alignment(value, span)?
                }
            };
            align = align.max(Some(asked));
        }
        Ok(align)
    }

    /// The largest alignment of `_Alignas`; zero asks for nothing.
    pub(super) fn alignas(&mut self, alignments: &'u [Alignment]) -> Outcome<Option<u64>> {
        let mut align = None;
        for alignment in alignments {
            let asked = match alignment {
                Alignment::Type(name) => {
                    let (ty, asked) = self.type_name_aligned(name)?;
                    asked.unwrap_or_else(|| self.out.types.align(ty.ty))
                }
                Alignment::Expr(expr) => match self.constant(*expr)? {
                    (0, _) => continue,
                    (value, span) => self.alignment(value, span)?,
                },
            };
            align = align.max(Some(asked));
        }
        Ok(align)
    }

    fn alignment(&mut self, value: i128, span: recurva_syntax::Span) -> Outcome<u64> {
        match u64::try_from(value) {
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => Err(self.wrong(
                |_| format!("an alignment is a power of two, and {value} is none"),
                span,
            )),
        }
    }

    /// A type as `mode` and `vector_size` change it.
    pub(super) fn attributed(
        &mut self,
        ty: Qualified,
        attributes: &'u [Attribute],
    ) -> Outcome<Qualified> {
        let mut ty = ty;
        for attribute in attributes {
            let Some(&argument) = attribute.arguments.first() else {
                continue;
            };
            match self.name(attribute.name.name) {
                "mode" => {
                    if let Tree::Name(ident) = self.unit.expr(argument).kind {
                        let mode = self.name(ident.name).trim_matches('_');
                        if let Some(changed) = self.mode(mode, ty.ty) {
                            ty = ty.of(changed);
                        }
                    }
                }
                "vector_size" => {
                    let (value, _) = self.constant(argument)?;
                    let bytes = u64::try_from(value).unwrap_or(0);
                    let vector = Type::Foreign(Foreign::Vector { bytes });
                    ty = ty.of(self.out.types.number(vector));
                }
                _ => {}
            }
        }
        Ok(ty)
    }

    /// The type that `mode` makes of another one.
    fn mode(&mut self, mode: &str, ty: TypeId) -> Option<TypeId> {
        let is_signed = self.out.types.integer(ty).is_none_or(|(_, signed)| signed);
        let is_wide = self.out.target.pointer_bytes == 8;
        let (signed, unsigned) = match mode {
            "QI" | "byte" => (IntKind::SignedChar, IntKind::UnsignedChar),
            "HI" => (IntKind::Short, IntKind::UnsignedShort),
            "SI" => (IntKind::Int, IntKind::UnsignedInt),
            "DI" if is_wide => (IntKind::Long, IntKind::UnsignedLong),
            "DI" => (IntKind::LongLong, IntKind::UnsignedLongLong),
            "word" | "pointer" | "unwind_word" if is_wide => (IntKind::Long, IntKind::UnsignedLong),
            "word" | "pointer" | "unwind_word" => (IntKind::Int, IntKind::UnsignedInt),
            "TI" => {
                let wide = Type::Foreign(Foreign::Int128 { is_signed });
                return Some(self.out.types.number(wide));
            }
            "SF" => return Some(self.known.float),
            "DF" => return Some(self.known.double),
            "XF" => return Some(self.known.long_double),
            "TF" => return Some(self.out.types.number(Type::Foreign(Foreign::Float128))),
            "SC" | "DC" | "XC" => {
                return Some(self.out.types.number(Type::Foreign(Foreign::Complex)));
            }
            _ => return None,
        };
        Some(
            self.known
                .integer(if is_signed { signed } else { unsigned }),
        )
    }

    /// The text of a string that is an argument of an attribute.
    pub(super) fn attribute_text(&self, attributes: &[Attribute], name: &str) -> Option<Box<str>> {
        let attribute = attributes
            .iter()
            .find(|it| self.name(it.name.name) == name)?;
        let Tree::Text(spans) = &self.unit.expr(*attribute.arguments.first()?).kind else {
            return None;
        };
        let mut text = String::new();
        for &span in spans {
            text.push_str(&self.plain_text(self.slice(span))?);
        }
        Some(text.into())
    }

    /// The strings in `asm("…")`, behind each other.
    pub(super) fn asm_text(&self, span: recurva_syntax::Span) -> Option<Box<str>> {
        let mut name = String::new();
        let text = std::str::from_utf8(self.slice(span)).ok()?;
        for (at, piece) in text.split('"').enumerate() {
            if at % 2 == 1 {
                name.push_str(piece);
            }
        }
        Some(name.into())
    }

    fn plain_text(&self, quoted: &[u8]) -> Option<String> {
        let (encoding, body) = literal::quoted(quoted);
        let mut units = Vec::new();
        literal::units(body, encoding, &mut units).ok()?;
        units.into_iter().map(char::from_u32).collect()
    }
}
