//! Operands that contain no operator of their own, and the forms that look like calls but take
//! types.

use super::{scope::Meaning, state::Parser};
use crate::{
    ast::{Association, BuiltinCall, ExprId, ExprKind, Ident, OffsetStep},
    error::Result,
    lex::Kind,
    word::Word,
};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<ExprId> {
        let token = self.token();
        let start = token.span.start;
        let kind = match token.kind {
            Kind::Number => {
                self.next();
                ExprKind::Number
            }
            Kind::Char => {
                self.next();
                ExprKind::Char
            }
            Kind::Text => {
                let mut literals = Vec::new();
                while self.token().kind == Kind::Text {
                    literals.push(self.next().span);
                }
                ExprKind::Text(literals)
            }
            Kind::Name if token.word == Word::Other => {
                if matches!(
                    self.scopes.meaning(token.name),
                    Meaning::Type | Meaning::ArrayType
                ) {
                    return Err(self.unexpected("an expression; this name is a type"));
                }
                ExprKind::Name(self.name()?)
            }
            Kind::Name => return self.form(start),
            Kind::Sign if token.word == Word::OpenParen => {
                self.next();
                return self.nested(|parser| parser.in_parentheses(start));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.add(start, kind, 0)
    }

    /// `(e)` or `({ … })`, behind the opening bracket.
    fn in_parentheses(&mut self, start: u32) -> Result<ExprId> {
        if self.is(Word::OpenBrace) {
            let (block, below) = self.measured(Self::block)?;
            self.expect(Word::CloseParen)?;
            return self.add(start, ExprKind::Block(block), below);
        }
        let inner = self.expression()?;
        self.expect(Word::CloseParen)?;
        self.add(start, ExprKind::Paren(inner), self.height_of(inner))
    }

    /// The name of a label, which may also be that of a type.
    pub(super) fn label(&mut self) -> Result<Ident> {
        if !self.is_name_at(0) {
            return Err(self.unexpected("the name of a label"));
        }
        self.name()
    }

    /// What begins with a keyword.
    fn form(&mut self, start: u32) -> Result<ExprId> {
        let word = self.word();
        let is_form = matches!(
            word,
            Word::VaArg | Word::Offsetof | Word::TypesCompatible | Word::ChooseExpr | Word::Generic
        );
        if !is_form {
            return Err(self.unexpected("an expression"));
        }
        self.next();
        self.expect(Word::OpenParen)?;
        let (kind, below) = self.measured(|parser| {
            parser.nested(|parser| {
                Ok(match word {
                    Word::VaArg => parser.va_arg()?,
                    Word::Offsetof => parser.offsetof()?,
                    Word::TypesCompatible => parser.types_compatible()?,
                    Word::ChooseExpr => parser.choose_expr()?,
                    _ => parser.generic()?,
                })
            })
        })?;
        self.expect(Word::CloseParen)?;
        self.add(start, kind, below)
    }

    fn va_arg(&mut self) -> Result<ExprKind> {
        let list = self.assignment()?;
        self.expect(Word::Comma)?;
        let ty = Box::new(self.type_name()?);
        Ok(ExprKind::Builtin(BuiltinCall::VaArg(list, ty)))
    }

    fn offsetof(&mut self) -> Result<ExprKind> {
        let ty = Box::new(self.type_name()?);
        self.expect(Word::Comma)?;
        let mut steps = vec![OffsetStep::Field(self.name()?)];
        loop {
            match self.word() {
                Word::Dot => {
                    self.next();
                    steps.push(OffsetStep::Field(self.name()?));
                }
                Word::OpenBracket => {
                    self.next();
                    steps.push(OffsetStep::Index(self.expression()?));
                    self.expect(Word::CloseBracket)?;
                }
                _ => return Ok(ExprKind::Builtin(BuiltinCall::Offsetof(ty, steps))),
            }
        }
    }

    fn types_compatible(&mut self) -> Result<ExprKind> {
        let one = Box::new(self.type_name()?);
        self.expect(Word::Comma)?;
        let other = Box::new(self.type_name()?);
        Ok(ExprKind::Builtin(BuiltinCall::TypesCompatible(one, other)))
    }

    fn choose_expr(&mut self) -> Result<ExprKind> {
        let condition = self.assignment()?;
        self.expect(Word::Comma)?;
        let then = self.assignment()?;
        self.expect(Word::Comma)?;
        let other = self.assignment()?;
        let call = BuiltinCall::ChooseExpr(condition, then, other);
        Ok(ExprKind::Builtin(call))
    }

    fn generic(&mut self) -> Result<ExprKind> {
        let control = self.assignment()?;
        let mut associations = Vec::new();
        while self.eat(Word::Comma) {
            let ty = match self.eat(Word::Default) {
                true => None,
                false => Some(self.type_name()?),
            };
            self.expect(Word::Colon)?;
            let value = self.assignment()?;
            associations.push(Association { ty, value });
        }
        Ok(ExprKind::Generic {
            control,
            associations,
        })
    }
}
