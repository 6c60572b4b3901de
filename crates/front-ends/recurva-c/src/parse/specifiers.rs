//! What stands before declarators, and where declarations and types begin.

use recurva_syntax::Span;

use super::{attribute::is_attribute, basic::Keywords, scope::Meaning, state::Parser};
use crate::{
    ast::{
        Alignment, Attribute, Basic, Ident, Qualifiers, Specifiers, Storage, TypeName,
        TypeSpecifier,
    },
    error::Result,
    word::Word,
};

/// Types that are there without a declaration, unless something else is called so.
pub(super) const BUILTIN_TYPES: [&str; 4] =
    ["__builtin_va_list", "__int128_t", "__uint128_t", "bool"];

impl Parser<'_> {
    /// The name of a type, as in a cast.
    pub(super) fn type_name(&mut self) -> Result<TypeName> {
        let start = self.start();
        if !self.begins_type_name(0) {
            return Err(self.unexpected("a type"));
        }
        let specifiers = self.specifiers(Vec::new())?;
        let declarator = self.declarator()?;
        if let Some(name) = declarator.name {
            return Err(crate::Unreadable {
                span: name.span,
                expected: "a type without a name",
            });
        }
        Ok(TypeName {
            span: self.since(start),
            specifiers,
            declarator,
        })
    }

    /// Whether a type begins at a token, with a keyword or the name of a type.
    pub(super) fn begins_type(&self, ahead: usize) -> bool {
        let token = self.stream.token(ahead);
        match token.word {
            Word::Other => {
                self.is_name_at(ahead) && self.scopes.meaning(token.name) != Meaning::Value
            }
            Word::Extension => ahead < 2 && self.begins_type(ahead + 1),
            word => is_type_word(word) || is_qualifier(word),
        }
    }

    /// Whether the name of a type begins at a token.
    pub(super) fn begins_type_name(&self, ahead: usize) -> bool {
        self.begins_type(ahead)
            || is_attribute(self.word_at(ahead))
            || self.word_at(ahead) == Word::Alignas
    }

    /// Whether a declaration begins here, attributes apart. A name of a type may also be a label.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.word() {
            Word::Other => self.begins_type(0) && self.word_at(1) != Word::Colon,
            // It may also stand before an expression.
            Word::Extension => self.begins_type_name(1) || is_storage(self.word_at(1)),
            Word::StaticAssert => true,
            word => is_type_word(word) || is_qualifier(word) || is_storage(word),
        }
    }

    /// All specifiers, in any order, with the attributes that were read before them.
    pub(super) fn specifiers(&mut self, attributes: Vec<Attribute>) -> Result<Specifiers> {
        let start = attributes.first().map_or(self.start(), |it| it.span.start);
        let mut reading = Reading {
            specifiers: Specifiers {
                span: Span::at(start),
                storage: Storage::default(),
                qualifiers: Qualifiers::default(),
                alignments: Vec::new(),
                attributes,
                ty: TypeSpecifier::Implicit,
            },
            keywords: Keywords::default(),
            has_type: false,
        };
        let mut is_empty = reading.specifiers.attributes.is_empty();
        while self.specifier(&mut reading)? {
            is_empty = false;
        }
        let mut specifiers = reading.specifiers;
        if !reading.keywords.is_empty() {
            let Some(basic) = reading.keywords.basic() else {
                return Err(crate::Unreadable {
                    span: self.since(start),
                    expected: "a type: these keywords do not go together",
                });
            };
            specifiers.ty = TypeSpecifier::Basic(basic);
        }
        if !is_empty {
            specifiers.span = self.since(start);
        }
        Ok(specifiers)
    }

    /// One specifier, if there is one.
    fn specifier(&mut self, reading: &mut Reading) -> Result<bool> {
        let word = self.word();
        let Reading {
            specifiers,
            has_type,
            ..
        } = reading;
        if storage(word, &mut specifiers.storage) || qualifier(word, &mut specifiers.qualifiers) {
            // `_Atomic` alone is a qualifier.
            if word != Word::Atomic || self.word_at(1) != Word::OpenParen {
                self.next();
                return Ok(true);
            }
            specifiers.qualifiers.is_atomic = false;
        }
        if let Some(more) = reading.keywords.with(word) {
            let is_other_type = *has_type && reading.keywords.is_empty();
            reading.keywords = match more {
                Ok(more) if !is_other_type => more,
                _ => return Err(self.unexpected("a name: the type is complete before this")),
            };
            *has_type = true;
            self.next();
            return Ok(true);
        }
        match word {
            Word::Extension | Word::Nullability => {
                self.next();
            }
            word if is_attribute(word) => self.attributes(&mut specifiers.attributes)?,
            Word::OpenBracket if self.is_bracket_attribute() => {
                self.attributes(&mut specifiers.attributes)?;
            }
            Word::Alignas => {
                let alignment = self.alignment()?;
                specifiers.alignments.push(alignment);
            }
            _ if *has_type && is_type_word(word) => {
                return Err(self.unexpected("a name: the type is complete before this"));
            }
            _ if *has_type => return Ok(false),
            _ => match self.type_specifier()? {
                Some(ty) => {
                    specifiers.ty = ty;
                    *has_type = true;
                }
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// A type that is no keyword alone.
    fn type_specifier(&mut self) -> Result<Option<TypeSpecifier>> {
        let token = self.token();
        Ok(Some(match token.word {
            Word::Struct | Word::Union => TypeSpecifier::Record(Box::new(self.record()?)),
            Word::Enum => TypeSpecifier::Enum(Box::new(self.enumeration()?)),
            Word::Typeof => self.type_of()?,
            Word::Atomic => {
                self.next();
                let (ty, _) = self.type_in_brackets()?;
                TypeSpecifier::Atomic(ty)
            }
            Word::AutoType => {
                self.next();
                TypeSpecifier::Auto
            }
            Word::Other if self.is_name_at(0) => {
                let meaning = self.scopes.meaning(token.name);
                let ident = Ident {
                    name: token.name,
                    span: token.span,
                };
                let ty = match meaning {
                    Meaning::Value => return Ok(None),
                    Meaning::Type => TypeSpecifier::Named(ident),
                    Meaning::ArrayType => {
                        self.unit.array_types.push(token.span.start);
                        TypeSpecifier::Named(ident)
                    }
                    Meaning::Builtin => match &self.text[token.span.range()] {
                        b"__int128_t" => TypeSpecifier::Basic(Basic::Int128),
                        b"__uint128_t" => TypeSpecifier::Basic(Basic::UnsignedInt128),
                        b"bool" => TypeSpecifier::Basic(Basic::Bool),
                        _ => TypeSpecifier::VaList,
                    },
                };
                self.next();
                ty
            }
            _ => return Ok(None),
        }))
    }

    /// `typeof(…)`
    fn type_of(&mut self) -> Result<TypeSpecifier> {
        self.next();
        self.expect(Word::OpenParen)?;
        let ty = self.nested_type(|parser| {
            Ok(match parser.begins_type_name(0) {
                true => TypeSpecifier::TypeofType(Box::new(parser.type_name()?)),
                false => TypeSpecifier::TypeofExpr(parser.expression()?),
            })
        })?;
        self.expect(Word::CloseParen)?;
        Ok(ty)
    }

    /// `_Alignas(…)`
    fn alignment(&mut self) -> Result<Alignment> {
        self.next();
        self.expect(Word::OpenParen)?;
        let alignment = self.nested_type(|parser| {
            Ok(match parser.begins_type_name(0) {
                true => Alignment::Type(Box::new(parser.type_name()?)),
                false => Alignment::Expr(parser.conditional()?),
            })
        })?;
        self.expect(Word::CloseParen)?;
        Ok(alignment)
    }

    /// Qualifiers as they stand behind a star or in the brackets of an array.
    pub(super) fn qualifiers(&mut self) -> Qualifiers {
        let mut qualifiers = Qualifiers::default();
        while qualifier(self.word(), &mut qualifiers) || self.is(Word::Nullability) {
            self.next();
        }
        qualifiers
    }
}

struct Reading {
    specifiers: Specifiers,
    keywords: Keywords,
    has_type: bool,
}

/// Notes a storage class or a specifier of a function.
fn storage(word: Word, storage: &mut Storage) -> bool {
    match word {
        Word::Typedef => storage.is_typedef = true,
        Word::Extern => storage.is_extern = true,
        Word::Static => storage.is_static = true,
        Word::Auto => storage.is_auto = true,
        Word::Register => storage.is_register = true,
        Word::ThreadLocal => storage.is_thread_local = true,
        Word::Inline => storage.is_inline = true,
        Word::Noreturn => storage.is_noreturn = true,
        _ => return false,
    }
    true
}

/// Notes a qualifier.
fn qualifier(word: Word, qualifiers: &mut Qualifiers) -> bool {
    match word {
        // A constant of C23 cannot be changed either.
        Word::Const | Word::Constexpr => qualifiers.is_const = true,
        Word::Volatile => qualifiers.is_volatile = true,
        Word::Restrict => qualifiers.is_restrict = true,
        Word::Atomic => qualifiers.is_atomic = true,
        _ => return false,
    }
    true
}

fn is_storage(word: Word) -> bool {
    word == Word::Alignas || storage(word, &mut Storage::default())
}

fn is_qualifier(word: Word) -> bool {
    word == Word::Nullability || qualifier(word, &mut Qualifiers::default())
}

fn is_type_word(word: Word) -> bool {
    matches!(
        word,
        Word::Struct | Word::Union | Word::Enum | Word::Typeof | Word::AutoType
    ) || Keywords::default().with(word).is_some()
}
