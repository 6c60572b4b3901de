//! `__attribute__((…))` and `[[…]]`.

use super::{state::Parser, stream::Lexeme};
use crate::{
    ast::{Attribute, ExprId, ExprKind, Ident, Name},
    error::Result,
    lex::Kind,
    word::Word,
};

impl<'t> Parser<'t> {
    /// Whether attributes begin here.
    pub(super) fn begins_attribute(&self) -> bool {
        is_attribute(self.word()) || self.is_bracket_attribute()
    }

    pub(super) fn is_bracket_attribute(&self) -> bool {
        self.is(Word::OpenBracket) && self.word_at(1) == Word::OpenBracket
    }

    /// Any number of attributes.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Result<()> {
        loop {
            match self.word() {
                Word::Attribute => {
                    self.next();
                    self.expect(Word::OpenParen)?;
                    self.expect(Word::OpenParen)?;
                    self.attribute_list(Word::CloseParen, into)?;
                    self.expect(Word::CloseParen)?;
                }
                Word::Declspec => {
                    self.next();
                    self.expect(Word::OpenParen)?;
                    self.attribute_list(Word::CloseParen, into)?;
                }
                // A qualifier of GNU C, which changes what pointers point to: so it is kept.
                Word::Segment => {
                    let Lexeme { name, span, .. } = self.next();
                    into.push(Attribute {
                        name: Ident { name, span },
                        arguments: Vec::new(),
                        span,
                    });
                }
                Word::OpenBracket if self.is_bracket_attribute() => {
                    self.next();
                    self.next();
                    self.attribute_list(Word::CloseBracket, into)?;
                    self.expect(Word::CloseBracket)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Up to and with a closing bracket.
    fn attribute_list(&mut self, close: Word, into: &mut Vec<Attribute>) -> Result<()> {
        while !self.eat(close) {
            if self.eat(Word::Comma) {
                continue;
            }
            let attribute = self.attribute()?;
            into.push(attribute);
            if !self.is(close) && !self.is(Word::Comma) && self.token().kind != Kind::Name {
                return Err(self.unexpected("`,` or the end of the attributes"));
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Result<Attribute> {
        let start = self.start();
        let name = self.attribute_name()?;
        let span = self.since(start);
        let mut arguments = Vec::new();
        if self.eat(Word::OpenParen) {
            self.nested(|parser| parser.attribute_arguments(&mut arguments))?;
        }
        Ok(Attribute {
            name: Ident { name, span },
            arguments,
            span: self.since(start),
        })
    }

    /// A name, keywords included, without the decoration that keeps it apart from macros.
    fn attribute_name(&mut self) -> Result<Name> {
        let first = self.attribute_word()?;
        let mut word = first.to_vec();
        if self.eat(Word::ColonColon) {
            let second = self.attribute_word()?;
            word = match first {
                b"gnu" => second.to_vec(),
                _ => [first, b"::", second].concat(),
            };
        }
        let name = self.stream.names.number(&word);
        name.ok_or_else(|| self.unexpected("the name of an attribute"))
    }

    fn attribute_word(&mut self) -> Result<&'t [u8]> {
        if self.token().kind != Kind::Name {
            return Err(self.unexpected("the name of an attribute"));
        }
        let word = &self.text[self.next().span.range()];
        let bare = word.strip_prefix(b"__");
        let bare = bare.and_then(|word| word.strip_suffix(b"__"));
        Ok(bare.filter(|word| !word.is_empty()).unwrap_or(word))
    }

    /// Up to and with the closing bracket.
    fn attribute_arguments(&mut self, into: &mut Vec<ExprId>) -> Result<()> {
        while !self.eat(Word::CloseParen) {
            let is_alone = matches!(self.word_at(1), Word::Comma | Word::CloseParen);
            if self.is_name_at(0) && is_alone {
                // Whatever the name means: modes and formats may be called as types are.
                let start = self.start();
                let name = self.name()?;
                into.push(self.add(start, ExprKind::Name(name), 0)?);
            } else if self.begins_type(0) || self.token().kind == Kind::Name && is_alone {
                self.skip_argument()?;
            } else {
                into.push(self.assignment()?);
            }
            if !self.is(Word::CloseParen) && !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(())
    }
}

/// Whether attributes begin with a keyword.
pub(super) fn is_attribute(word: Word) -> bool {
    matches!(word, Word::Attribute | Word::Declspec | Word::Segment)
}
