//! `struct`, `union` and `enum`.

use super::{scope::Meaning, state::Parser};
use crate::{
    ast::{
        EnumSpecifier, Enumerator, FieldDeclaration, FieldDeclarator, Ident, Member, RecordKind,
        RecordSpecifier,
    },
    error::Result,
    word::Word,
};

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Result<RecordSpecifier> {
        let first = self.next();
        let kind = match first.word {
            Word::Struct => RecordKind::Struct,
            _ => RecordKind::Union,
        };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut members = None;
        let mut pack = 0;
        if self.eat(Word::OpenBrace) {
            members = Some(self.nested_type(Self::members)?);
            pack = self.stream.packs.at(self.start());
            self.expect(Word::CloseBrace)?;
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(RecordSpecifier {
            kind,
            span: self.since(first.span.start),
            tag,
            members,
            attributes,
            pack,
        })
    }

    /// A tag may be called as a type is.
    fn tag(&mut self) -> Result<Option<Ident>> {
        match self.is_name_at(0) {
            true => self.name().map(Some),
            false => Ok(None),
        }
    }

    /// Up to the closing brace.
    fn members(&mut self) -> Result<Vec<Member>> {
        let mut members = Vec::new();
        while !self.is(Word::CloseBrace) {
            match self.word() {
                Word::Semicolon | Word::Extension => {
                    self.next();
                }
                Word::StaticAssert => members.push(Member::StaticAssert(self.static_assert()?)),
                _ => members.push(Member::Field(self.fields()?)),
            }
        }
        Ok(members)
    }

    fn fields(&mut self) -> Result<FieldDeclaration> {
        let start = self.start();
        let specifiers = self.specifiers(Vec::new())?;
        if specifiers.span.is_empty() {
            return Err(self.unexpected("the type of a member, or `}`"));
        }
        let mut declarators = Vec::new();
        while !self.eat(Word::Semicolon) {
            if !declarators.is_empty() && !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `;`"));
            }
            declarators.push(self.field()?);
            // The last semicolon may be missing, as compilers allow it.
            if self.is(Word::CloseBrace) {
                break;
            }
        }
        Ok(FieldDeclaration {
            span: self.since(start),
            specifiers,
            declarators,
        })
    }

    fn field(&mut self) -> Result<FieldDeclarator> {
        let mut declarator = self.declarator()?;
        let width = match self.eat(Word::Colon) {
            true => Some(self.conditional()?),
            false => None,
        };
        if declarator.name.is_none() && width.is_none() {
            return Err(self.unexpected("the name of a member"));
        }
        self.attributes(&mut declarator.attributes)?;
        Ok(FieldDeclarator { declarator, width })
    }

    pub(super) fn enumeration(&mut self) -> Result<EnumSpecifier> {
        let start = self.next().span.start;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut underlying = None;
        if self.is(Word::Colon) && self.begins_type(1) {
            self.next();
            underlying = Some(Box::new(self.nested_type(|it| it.specifiers(Vec::new()))?));
        }
        let mut enumerators = None;
        if self.eat(Word::OpenBrace) {
            enumerators = Some(self.nested_type(Self::enumerators)?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(EnumSpecifier {
            span: self.since(start),
            tag,
            underlying,
            enumerators,
            attributes,
        })
    }

    /// Up to and with the closing brace.
    fn enumerators(&mut self) -> Result<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        while !self.eat(Word::CloseBrace) {
            let name = self.name()?;
            self.attributes(&mut Vec::new())?;
            let value = match self.eat(Word::Assign) {
                true => Some(self.conditional()?),
                false => None,
            };
            self.scopes.declare(name.name, Meaning::Value);
            enumerators.push(Enumerator { name, value });
            if !self.is(Word::CloseBrace) && !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        Ok(enumerators)
    }
}
