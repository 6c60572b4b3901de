//! Declarations and functions.

use super::{scope::Meaning, state::Parser};
use crate::{
    ast::{
        Attribute, Declaration, Declarator, DeclaratorPart, FunctionDefinition, Ident,
        InitDeclarator, Item, Parameters, Specifiers, StaticAssert, TypeSpecifier,
    },
    error::Result,
    lex::Kind,
    word::Word,
};

/// What a declaration turned out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDefinition>),
}

impl Parser<'_> {
    /// One declaration or function outside functions.
    pub(super) fn external_declaration(&mut self) -> Result<()> {
        let item = match self.word() {
            Word::Semicolon => {
                self.next();
                return Ok(());
            }
            // A declaration follows.
            Word::Extension => {
                self.next();
                return Ok(());
            }
            Word::Asm => self.assembler_item()?,
            Word::StaticAssert => Item::StaticAssert(self.static_assert()?),
            _ => match self.declaration(Vec::new())? {
                Declared::Declaration(declaration) => Item::Declaration(declaration),
                Declared::Function(function) => Item::Function(function),
            },
        };
        self.unit.items.push(item);
        Ok(())
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Result<StaticAssert> {
        let start = self.next().span.start;
        self.expect(Word::OpenParen)?;
        let condition = self.nested(Self::conditional)?;
        if self.eat(Word::Comma) {
            if self.token().kind != Kind::Text {
                return Err(self.unexpected("a message in quotes"));
            }
            while self.token().kind == Kind::Text {
                self.next();
            }
        }
        self.expect(Word::CloseParen)?;
        self.expect(Word::Semicolon)?;
        Ok(StaticAssert {
            span: self.since(start),
            condition,
        })
    }

    /// Specifiers, declarators, and a body if it is a function. The attributes were read before.
    pub(super) fn declaration(&mut self, attributes: Vec<Attribute>) -> Result<Declared> {
        let start = attributes.first().map_or(self.start(), |it| it.span.start);
        let specifiers = self.specifiers(attributes)?;
        if specifiers.span.is_empty() {
            self.check_implicit()?;
        }
        let mut declarators = Vec::new();
        while !self.eat(Word::Semicolon) {
            if !declarators.is_empty() && !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `;`"));
            }
            let mut declarator = self.declarator()?;
            let Some(name) = declarator.name else {
                return Err(self.unexpected("a name that is declared"));
            };
            let meaning = match specifiers.storage.is_typedef {
                false => Meaning::Value,
                true if self.is_array(&specifiers.ty, &declarator) => Meaning::ArrayType,
                true => Meaning::Type,
            };
            self.scopes.declare(name.name, meaning);
            let asm_name = self.asm_name(&mut declarator.attributes)?;
            if self.begins_body(&declarator) {
                return self.function(start, specifiers, declarator);
            }
            let init = match self.eat(Word::Assign) {
                true => Some(self.initialiser()?),
                false => None,
            };
            declarators.push(InitDeclarator {
                declarator,
                asm_name,
                init,
            });
        }
        Ok(Declared::Declaration(Declaration {
            span: self.since(start),
            specifiers,
            declarators,
        }))
    }

    /// Without a type, `int` is meant only where it cannot be a wrong name.
    fn check_implicit(&self) -> Result<()> {
        if self.is_name_at(0) && (self.is_name_at(1) || self.word_at(1) == Word::Star) {
            return Err(self.unexpected("a type; this name is none"));
        }
        let is_declarator =
            self.is_name_at(0) || matches!(self.word(), Word::Star | Word::OpenParen);
        match is_declarator {
            true => Ok(()),
            false => Err(self.unexpected("a declaration")),
        }
    }

    fn begins_body(&self, declarator: &Declarator) -> bool {
        let is_function = matches!(declarator.parts.first(), Some(DeclaratorPart::Function(_)));
        is_function && (self.is(Word::OpenBrace) || self.begins_declaration())
    }

    fn function(
        &mut self,
        start: u32,
        specifiers: Specifiers,
        declarator: Declarator,
    ) -> Result<Declared> {
        self.scoped(|parser| {
            parser.declare_parameters(&declarator);
            let old_style = parser.old_style()?;
            let body = parser.nested_type(Self::block)?;
            Ok(Declared::Function(Box::new(FunctionDefinition {
                span: parser.since(start),
                specifiers,
                declarator,
                old_style,
                body,
            })))
        })
    }

    /// What the list of parameters declares is there in the body, too.
    fn declare_parameters(&mut self, declarator: &Declarator) {
        let Some(DeclaratorPart::Function(parameters)) = declarator.parts.first() else {
            return;
        };
        let mut declare = |ident: Ident| self.scopes.declare(ident.name, Meaning::Value);
        match parameters {
            Parameters::Names(names) => names.iter().copied().for_each(declare),
            Parameters::Prototype { list, .. } => {
                for parameter in list {
                    if let TypeSpecifier::Enum(it) = &parameter.specifiers.ty {
                        let all = it.enumerators.iter().flatten();
                        all.for_each(|it| declare(it.name));
                    }
                    parameter.declarator.name.map(&mut declare);
                }
            }
        }
    }

    /// The declarations of parameters before the body, as in the first C.
    fn old_style(&mut self) -> Result<Vec<Declaration>> {
        let mut all = Vec::new();
        while !self.is(Word::OpenBrace) {
            if !self.begins_declaration() && !self.begins_attribute() {
                return Err(self.unexpected("a declaration of a parameter, or `{`"));
            }
            match self.nested_type(|parser| parser.declaration(Vec::new()))? {
                Declared::Declaration(declaration) => all.push(declaration),
                Declared::Function(_) => return Err(self.unexpected("`{`")),
            }
        }
        Ok(all)
    }
}
