//! Statements.

use crate::{
    declare::{Level, is_attribute, is_storage},
    error::Result,
    lex::Kind,
    parser::Parser,
    tree::Use,
};

impl Parser<'_> {
    /// `{ … }`.
    pub(crate) fn block(&mut self) -> Result<()> {
        self.nested(|parser| {
            parser.expect("{")?;
            parser.scoped(|parser| {
                while !parser.eat("}") {
                    parser.block_item()?;
                }
                Ok(())
            })
        })
    }

    fn block_item(&mut self) -> Result<()> {
        if self.is("__label__") {
            while !self.eat(";") {
                if self.is_end() {
                    return Err(self.unexpected(";"));
                }
                self.next();
            }
            return Ok(());
        }
        // It may stand before a declaration or an expression.
        if self.is("__extension__") && !self.begins_declaration_behind_extension() {
            return self.statement();
        }
        if self.begins_declaration() {
            return self.declaration(Level::Block);
        }
        self.statement()
    }

    fn begins_declaration_behind_extension(&self) -> bool {
        self.begins_type(1) || is_storage(self.word(1))
    }

    fn statement(&mut self) -> Result<()> {
        self.nested(Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Result<()> {
        self.skip_labels()?;
        match self.word(0) {
            b"{" => self.block(),
            b";" => {
                self.next();
                Ok(())
            }
            // A label at the end of a block.
            b"}" => Ok(()),
            b"if" => loop {
                self.next();
                self.condition()?;
                self.statement()?;
                if !self.eat("else") {
                    return Ok(());
                }
                if !self.is("if") {
                    return self.statement();
                }
            },
            b"while" | b"switch" => {
                self.next();
                self.condition()?;
                self.statement()
            }
            b"do" => {
                self.next();
                self.statement()?;
                self.expect("while")?;
                self.condition()?;
                self.expect(";").map(drop)
            }
            b"for" => self.scoped(Self::for_loop),
            b"goto" => {
                self.next();
                if self.eat("*") {
                    return self.rest(Use::Wanted);
                }
                self.name()?;
                self.expect(";").map(drop)
            }
            b"break" | b"continue" => {
                self.next();
                self.expect(";").map(drop)
            }
            b"return" => {
                self.next();
                if self.eat(";") {
                    return Ok(());
                }
                self.rest(Use::Wanted)
            }
            b"asm" | b"__asm__" | b"__asm" => self.assembly(),
            // Behind a label, newer compilers allow one.
            _ if self.begins_declaration() && !self.is("__extension__") => {
                self.declaration(Level::Block)
            }
            _ => self.rest(Use::Discarded),
        }
    }

    /// An expression and the semicolon behind it.
    fn rest(&mut self, usage: Use) -> Result<()> {
        let value = self.expression()?;
        self.root(value, usage);
        self.expect(";").map(drop)
    }

    fn condition(&mut self) -> Result<()> {
        self.expect("(")?;
        let value = self.expression()?;
        self.root(value, Use::Wanted);
        self.expect(")").map(drop)
    }

    fn for_loop(&mut self) -> Result<()> {
        self.expect("for")?;
        self.expect("(")?;
        if self.begins_declaration() {
            self.declaration(Level::Block)?;
        } else if !self.eat(";") {
            self.rest(Use::Discarded)?;
        }
        if !self.eat(";") {
            self.rest(Use::Wanted)?;
        }
        if !self.is(")") {
            let step = self.expression()?;
            self.root(step, Use::Discarded);
        }
        self.expect(")")?;
        self.statement()
    }

    fn skip_labels(&mut self) -> Result<()> {
        loop {
            match self.word(0) {
                b"case" => {
                    self.next();
                    self.constant_range()?;
                    self.expect(":")?;
                }
                b"default" => {
                    self.next();
                    self.expect(":")?;
                }
                word if is_attribute(word) && !self.begins_declaration() => self.attributes()?,
                b"[" if self.is_bracket_attribute() => self.attributes()?,
                _ if self.token(0).kind == Kind::Name && self.word(1) == b":" => {
                    self.next();
                    self.next();
                }
                _ => return Ok(()),
            }
        }
    }

    /// `asm volatile ("…" : outputs : inputs : clobbers)`. Operands are expressions in brackets.
    fn assembly(&mut self) -> Result<()> {
        self.next();
        while matches!(
            self.word(0),
            b"volatile" | b"__volatile__" | b"__volatile" | b"goto" | b"inline" | b"__inline__"
        ) {
            self.next();
        }
        self.expect("(")?;
        while !self.eat(")") {
            match self.word(0) {
                b"(" => {
                    self.next();
                    let operand = self.expression()?;
                    self.root(operand, Use::Wanted);
                    self.expect(")")?;
                }
                b"[" => self.skip_brackets()?,
                _ if self.is_end() => return Err(self.unexpected(")")),
                _ => {
                    self.next();
                }
            }
        }
        self.expect(";").map(drop)
    }
}
