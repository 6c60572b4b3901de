//! Declarators: a name and what stands around it.

use super::{attribute::is_attribute, scope::Meaning, state::Parser};
use crate::{
    ast::{
        ArraySize, Attribute, Declarator, DeclaratorPart, Ident, Parameter, Parameters, Qualifiers,
        TypeSpecifier,
    },
    error::Result,
    word::Word,
};

/// A type may be so many steps away from its name.
const PARTS: usize = 1_000;

/// A declarator that is being read.
#[derive(Default)]
struct Reading {
    name: Option<Ident>,
    parts: Vec<DeclaratorPart>,
    attributes: Vec<Attribute>,
}

impl Parser<'_> {
    /// A declarator, with or without a name.
    pub(super) fn declarator(&mut self) -> Result<Declarator> {
        let start = self.start();
        let mut reading = Reading::default();
        self.declarator_into(&mut reading)?;
        Ok(Declarator {
            span: self.since(start),
            name: reading.name,
            parts: reading.parts,
            attributes: reading.attributes,
        })
    }

    fn declarator_into(&mut self, reading: &mut Reading) -> Result<()> {
        let mut pointers = Vec::new();
        loop {
            self.attributes(&mut reading.attributes)?;
            if !self.eat(Word::Star) {
                break;
            }
            pointers.push(self.qualifiers_and_attributes(&mut reading.attributes)?);
        }
        if self.is_name_at(0) {
            reading.name = Some(self.name()?);
        } else if self.is(Word::OpenParen) && self.is_group() {
            self.next();
            self.nested_type(|parser| parser.declarator_into(reading))?;
            self.expect(Word::CloseParen)?;
        }
        loop {
            let part = match self.word() {
                Word::OpenParen => DeclaratorPart::Function(self.nested_type(Self::parameters)?),
                Word::OpenBracket if !self.is_bracket_attribute() => self.array()?,
                Word::OpenBracket => {
                    self.attributes(&mut reading.attributes)?;
                    continue;
                }
                _ => break,
            };
            reading.parts.push(part);
        }
        let pointers = pointers.into_iter().rev();
        reading.parts.extend(pointers.map(DeclaratorPart::Pointer));
        if reading.parts.len() > PARTS {
            return Err(self.unexpected("a simpler type: this one has too many parts"));
        }
        Ok(())
    }

    fn qualifiers_and_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Result<Qualifiers> {
        let mut qualifiers = self.qualifiers();
        while self.begins_attribute() {
            self.attributes(attributes)?;
            let more = self.qualifiers();
            qualifiers.is_const |= more.is_const;
            qualifiers.is_volatile |= more.is_volatile;
            qualifiers.is_restrict |= more.is_restrict;
            qualifiers.is_atomic |= more.is_atomic;
        }
        Ok(qualifiers)
    }

    /// Whether the bracket here groups a declarator; otherwise it holds parameters.
    fn is_group(&self) -> bool {
        match self.word_at(1) {
            Word::Star | Word::OpenParen | Word::OpenBracket => true,
            word if is_attribute(word) => true,
            _ => self.is_name_at(1) && !self.begins_type(1),
        }
    }

    /// `[…]`
    fn array(&mut self) -> Result<DeclaratorPart> {
        self.expect(Word::OpenBracket)?;
        let mut qualifiers = self.qualifiers();
        if self.eat(Word::Static) {
            let more = self.qualifiers();
            qualifiers.is_const |= more.is_const;
            qualifiers.is_volatile |= more.is_volatile;
            qualifiers.is_restrict |= more.is_restrict;
        }
        let size = if self.is(Word::CloseBracket) {
            ArraySize::None
        } else if self.is(Word::Star) && self.word_at(1) == Word::CloseBracket {
            self.next();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.nested(Self::assignment)?)
        };
        self.expect(Word::CloseBracket)?;
        Ok(DeclaratorPart::Array { size, qualifiers })
    }

    /// `( … )` behind what is a function.
    fn parameters(&mut self) -> Result<Parameters> {
        self.expect(Word::OpenParen)?;
        if self.eat(Word::CloseParen) {
            return Ok(Parameters::Names(Vec::new()));
        }
        if self.is(Word::Void) && self.word_at(1) == Word::CloseParen {
            self.next();
            self.next();
            let list = Vec::new();
            return Ok(Parameters::Prototype {
                list,
                is_variadic: false,
            });
        }
        if self.is_name_at(0) && !self.begins_type(0) {
            return self.old_parameters();
        }
        self.scoped(Self::prototype)
    }

    /// `a, b)`
    fn old_parameters(&mut self) -> Result<Parameters> {
        let is_name_next = self.is_name_at(1) || self.word_at(1) == Word::Star;
        if is_name_next {
            return Err(self.unexpected("a type; this name is none"));
        }
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            if self.eat(Word::CloseParen) {
                return Ok(Parameters::Names(names));
            }
            if !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    /// `int a, char *b, ...)`
    fn prototype(&mut self) -> Result<Parameters> {
        let mut list = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.eat(Word::Dots) {
                is_variadic = true;
                self.expect(Word::CloseParen)?;
                break;
            }
            list.push(self.parameter()?);
            if self.eat(Word::CloseParen) {
                break;
            }
            if !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(Parameters::Prototype { list, is_variadic })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let start = self.start();
        let specifiers = self.specifiers(Vec::new())?;
        if specifiers.span.is_empty() {
            return Err(self.unexpected(match self.is_name_at(0) {
                true => "a type; this name is none",
                false => "a parameter",
            }));
        }
        let mut declarator = self.declarator()?;
        self.attributes(&mut declarator.attributes)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.name, Meaning::Value);
        }
        Ok(Parameter {
            span: self.since(start),
            specifiers,
            declarator,
        })
    }

    /// Whether what is declared is an array, by itself or by the name of its type.
    pub(super) fn is_array(&self, ty: &TypeSpecifier, declarator: &Declarator) -> bool {
        match (declarator.parts.first(), ty) {
            (Some(part), _) => matches!(part, DeclaratorPart::Array { .. }),
            (None, TypeSpecifier::Named(ident)) => {
                self.scopes.meaning(ident.name) == Meaning::ArrayType
            }
            _ => false,
        }
    }
}
