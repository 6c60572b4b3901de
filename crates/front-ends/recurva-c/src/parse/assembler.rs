//! Assembler: names of things in it, and statements.

use recurva_syntax::Span;

use super::state::Parser;
use crate::{
    ast::{Asm, Attribute, ExprId, Item},
    error::Result,
    lex::Kind,
    word::Word,
};

impl Parser<'_> {
    /// `asm("…");` outside functions.
    pub(super) fn assembler_item(&mut self) -> Result<Item> {
        let span = self.assembler()?.span;
        Ok(Item::Assembler(span))
    }

    /// `asm("name")` and attributes behind a declarator: where the name is, with its quotes.
    pub(super) fn asm_name(&mut self, attributes: &mut Vec<Attribute>) -> Result<Option<Span>> {
        let mut name = None;
        loop {
            if self.eat(Word::Asm) {
                self.expect(Word::OpenParen)?;
                name = Some(self.literals()?);
                self.expect(Word::CloseParen)?;
            } else if self.begins_attribute() {
                self.attributes(attributes)?;
            } else {
                return Ok(name);
            }
        }
    }

    /// One or more string literals.
    fn literals(&mut self) -> Result<Span> {
        if self.token().kind != Kind::Text {
            return Err(self.unexpected("text in quotes"));
        }
        let start = self.start();
        while self.token().kind == Kind::Text {
            self.next();
        }
        Ok(self.since(start))
    }

    /// `asm volatile goto ("…" : outputs : inputs : clobbers : labels);`
    pub(super) fn assembler(&mut self) -> Result<Asm> {
        let start = self.next().span.start;
        let mut may_jump = false;
        while matches!(self.word(), Word::Volatile | Word::Goto | Word::Inline) {
            may_jump |= self.next().word == Word::Goto;
        }
        self.expect(Word::OpenParen)?;
        let code = self.literals()?;
        let is_empty = has_no_code(&self.text[code.range()]);
        let mut asm = Asm {
            span: code,
            is_empty,
            outputs: Vec::new(),
            inputs: Vec::new(),
            // Without operands, nothing is known of what it does.
            has_effects: may_jump || (self.is(Word::CloseParen) && !is_empty),
        };
        let mut section = 0;
        while !self.eat(Word::CloseParen) {
            match self.word() {
                Word::Colon => section += 1,
                Word::ColonColon => section += 2,
                _ => return Err(self.unexpected("`:` or `)`")),
            }
            self.next();
            match section {
                1 => self.asm_operands(&mut asm.outputs)?,
                2 => self.asm_operands(&mut asm.inputs)?,
                3 => asm.has_effects |= self.clobbers()?,
                _ => self.asm_labels()?,
            }
        }
        self.expect(Word::Semicolon)?;
        asm.span = self.since(start);
        Ok(asm)
    }

    /// `[name] "constraint" (expression), …`
    fn asm_operands(&mut self, into: &mut Vec<ExprId>) -> Result<()> {
        while self.is(Word::OpenBracket) || self.token().kind == Kind::Text {
            if self.eat(Word::OpenBracket) {
                self.name()?;
                self.expect(Word::CloseBracket)?;
            }
            self.literals()?;
            self.expect(Word::OpenParen)?;
            let operand = self.nested(Self::expression)?;
            into.push(operand);
            self.expect(Word::CloseParen)?;
            if !self.eat(Word::Comma) {
                break;
            }
        }
        Ok(())
    }

    /// `"memory", "cc"`: whether memory is among them.
    fn clobbers(&mut self) -> Result<bool> {
        let mut has_memory = false;
        while self.token().kind == Kind::Text {
            let clobber = self.literals()?;
            has_memory |= &self.text[clobber.range()] == b"\"memory\"";
            if !self.eat(Word::Comma) {
                break;
            }
        }
        Ok(has_memory)
    }

    fn asm_labels(&mut self) -> Result<()> {
        while self.is_name_at(0) {
            self.next();
            if !self.eat(Word::Comma) {
                break;
            }
        }
        Ok(())
    }
}

/// Whether string literals hold only space, written as such or as an escape.
fn has_no_code(literals: &[u8]) -> bool {
    let mut bytes = literals.iter();
    while let Some(byte) = bytes.next() {
        let is_space = match byte {
            b'"' | b';' => true,
            b'\\' => matches!(bytes.next(), Some(b'n' | b't' | b'r' | b'v' | b'f')),
            byte => byte.is_ascii_whitespace(),
        };
        if !is_space {
            return false;
        }
    }
    true
}
