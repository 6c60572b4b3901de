//! Expressions.

use recurva_syntax::Span;

use crate::{
    declare::is_attribute,
    error::Result,
    lex::Kind,
    parser::Parser,
    tree::{ExprId, ExprKind},
};

/// What looks like a call but takes types or does not evaluate its operands.
const CLOSED: [&[u8]; 9] = [
    b"__builtin_offsetof",
    b"__builtin_types_compatible_p",
    b"__builtin_choose_expr",
    b"__builtin_constant_p",
    b"__builtin_object_size",
    b"__builtin_dynamic_object_size",
    b"__builtin_classify_type",
    b"__builtin_has_attribute",
    b"_Generic",
];

impl Parser<'_> {
    /// `a, b`.
    pub(crate) fn expression(&mut self) -> Result<ExprId> {
        let first = self.assignment()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat(",") {
            all.push(self.assignment()?);
        }
        Ok(self.add(self.span_of(first).start, ExprKind::Comma(all)))
    }

    /// `a = b`, and all that binds tighter.
    pub(crate) fn assignment(&mut self) -> Result<ExprId> {
        self.nested(|parser| {
            let target = parser.conditional()?;
            let is_assignment = matches!(
                parser.word(0),
                b"=" | b"*="
                    | b"/="
                    | b"%="
                    | b"+="
                    | b"-="
                    | b"<<="
                    | b">>="
                    | b"&="
                    | b"^="
                    | b"|="
            );
            if !is_assignment {
                return Ok(target);
            }
            let operator = parser.next().span;
            let value = parser.assignment()?;
            let kind = ExprKind::Assign {
                operator,
                target,
                value,
            };
            Ok(parser.add(parser.span_of(target).start, kind))
        })
    }

    pub(crate) fn conditional(&mut self) -> Result<ExprId> {
        let condition = self.binary()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let mut all = vec![condition];
        loop {
            // GNU C: `a ?: b`.
            if !self.is(":") {
                all.push(self.nested(Self::expression)?);
            }
            self.expect(":")?;
            all.push(self.binary()?);
            if !self.eat("?") {
                break;
            }
        }
        Ok(self.add(self.span_of(condition).start, ExprKind::Operator(all)))
    }

    /// Operands with binary operators between them. How they bind does not matter: all of them
    /// are evaluated where they stand.
    fn binary(&mut self) -> Result<ExprId> {
        let first = self.unary()?;
        if !self.is_binary() {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.is_binary() {
            self.next();
            all.push(self.unary()?);
        }
        Ok(self.add(self.span_of(first).start, ExprKind::Operator(all)))
    }

    fn is_binary(&self) -> bool {
        matches!(
            self.word(0),
            b"*" | b"/"
                | b"%"
                | b"+"
                | b"-"
                | b"<<"
                | b">>"
                | b"<"
                | b">"
                | b"<="
                | b">="
                | b"=="
                | b"!="
                | b"&"
                | b"^"
                | b"|"
                | b"&&"
                | b"||"
        )
    }

    fn unary(&mut self) -> Result<ExprId> {
        self.nested(Self::unary_inside)
    }

    fn unary_inside(&mut self) -> Result<ExprId> {
        let token = self.token(0);
        let start = token.span.start;
        let kind = match self.word(0) {
            b"(" if self.begins_type(1) || is_attribute(self.word(1)) => {
                return self.cast_or_literal();
            }
            b"&&" => {
                self.next();
                self.next();
                ExprKind::Constant
            }
            b"&" => {
                self.next();
                ExprKind::Address(self.unary()?)
            }
            b"*" => {
                self.next();
                ExprKind::Deref(self.unary()?)
            }
            b"++" | b"--" => {
                self.next();
                ExprKind::Step(self.unary()?)
            }
            b"+" | b"-" | b"~" | b"!" | b"__real__" | b"__imag__" | b"__real" | b"__imag" => {
                self.next();
                ExprKind::Operator(vec![self.unary()?])
            }
            b"__extension__" => {
                self.next();
                ExprKind::Paren(self.unary()?)
            }
            b"sizeof" | b"_Alignof" | b"__alignof__" | b"__alignof" | b"alignof" => {
                self.next();
                self.unevaluated(|parser| {
                    if parser.is("(") && parser.begins_type(1) {
                        parser.next();
                        parser.type_name()?;
                        parser.expect(")")?;
                        if parser.is("{") {
                            parser.list()?;
                        }
                        return Ok(());
                    }
                    parser.unary().map(drop)
                })?;
                ExprKind::Closed {
                    keyword: token.span,
                    perhaps: Vec::new(),
                }
            }
            _ => return self.postfix(),
        };
        Ok(self.add(start, kind))
    }

    /// `(T)e` or `(T){ … }`, at the bracket.
    fn cast_or_literal(&mut self) -> Result<ExprId> {
        let start = self.expect("(")?.span.start;
        let before = self.roots.len();
        let is_array = self.type_name()?;
        // Sizes of arrays in the type are evaluated with the cast.
        let sizes = self.roots.drain(before..).map(|root| root.expr);
        let mut sizes: Vec<ExprId> = sizes.collect();
        self.expect(")")?;
        if !self.is("{") {
            let inner = self.unary()?;
            if sizes.is_empty() {
                return Ok(self.add(start, ExprKind::Cast(inner)));
            }
            sizes.push(inner);
            return Ok(self.add(start, ExprKind::Operator(sizes)));
        }
        let values = self.list()?;
        let literal = self.add(start, ExprKind::List { values, is_array });
        self.postfix_of(literal)
    }

    fn postfix(&mut self) -> Result<ExprId> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    fn postfix_of(&mut self, mut left: ExprId) -> Result<ExprId> {
        let start = self.span_of(left).start;
        loop {
            let kind = match self.word(0) {
                b"[" => {
                    self.next();
                    let index = self.expression()?;
                    self.expect("]")?;
                    ExprKind::Index { base: left, index }
                }
                b"(" => {
                    self.next();
                    let args = self.arguments()?;
                    ExprKind::Call { callee: left, args }
                }
                sign @ (b"." | b"->") => {
                    self.next();
                    let name = self.name()?;
                    ExprKind::Member {
                        base: left,
                        name,
                        is_arrow: sign == b"->",
                    }
                }
                b"++" | b"--" => {
                    self.next();
                    ExprKind::Step(left)
                }
                _ => return Ok(left),
            };
            left = self.add(start, kind);
        }
    }

    /// Behind the opening bracket, up to and with the closing one.
    fn arguments(&mut self) -> Result<Vec<ExprId>> {
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if self.eat(")") {
                return Ok(args);
            }
            self.expect(",")?;
        }
    }

    pub(crate) fn name(&mut self) -> Result<Span> {
        let token = self.token(0);
        if token.kind != Kind::Name {
            return Err(self.unexpected("a name"));
        }
        Ok(self.next().span)
    }

    fn primary(&mut self) -> Result<ExprId> {
        let token = self.token(0);
        let start = token.span.start;
        let kind = match token.kind {
            Kind::Number | Kind::Char => {
                self.next();
                ExprKind::Constant
            }
            Kind::Text => {
                while self.token(0).kind == Kind::Text {
                    self.next();
                }
                ExprKind::Text
            }
            Kind::Name => match self.word(0) {
                b"__builtin_va_arg" => {
                    self.next();
                    self.expect("(")?;
                    let list = self.assignment()?;
                    self.expect(",")?;
                    self.type_name()?;
                    self.expect(")")?;
                    ExprKind::Operator(vec![list])
                }
                word if CLOSED.contains(&word) => return self.closed(),
                word if is_keyword(word) => return Err(self.unexpected("an expression")),
                _ => {
                    self.next();
                    ExprKind::Name
                }
            },
            Kind::Sign if self.is("(") => {
                self.next();
                if self.is("{") {
                    let outside = std::mem::take(&mut self.roots);
                    let block = self.scoped(Self::block);
                    let roots = std::mem::replace(&mut self.roots, outside);
                    block?;
                    self.expect(")")?;
                    ExprKind::Block(roots)
                } else {
                    let inner = self.expression()?;
                    self.expect(")")?;
                    ExprKind::Paren(inner)
                }
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(self.add(start, kind))
    }

    /// A form whose operands are types and expressions, most of which are not evaluated.
    fn closed(&mut self) -> Result<ExprId> {
        let keyword = self.next().span;
        self.expect("(")?;
        let mut perhaps = Vec::new();
        let is_generic = self.text_of(keyword) == b"_Generic";
        let may_evaluate = is_generic || self.text_of(keyword) == b"__builtin_choose_expr";
        if self.text_of(keyword) == b"__builtin_offsetof" {
            self.unevaluated(Self::type_name)?;
            self.expect(",")?;
            self.unevaluated(Self::conditional)?;
        } else {
            let mut is_first = true;
            loop {
                if is_generic && (self.eat("default") || self.begins_type(0)) {
                    if !self.is(":") {
                        self.unevaluated(Self::type_name)?;
                    }
                    self.expect(":")?;
                }
                if self.begins_type(0) {
                    self.unevaluated(Self::type_name)?;
                } else {
                    let is_selector = is_generic && is_first;
                    let operand = self.assignment()?;
                    if may_evaluate && !is_selector {
                        perhaps.push(operand);
                    }
                }
                is_first = false;
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect(")")?;
        Ok(self.add(keyword.start, ExprKind::Closed { keyword, perhaps }))
    }

    /// `{ a, .b = c, [1 ... 2] = d }`: the values, and the indices that are computed.
    pub(crate) fn list(&mut self) -> Result<Vec<ExprId>> {
        self.nested(|parser| {
            parser.expect("{")?;
            let mut values = Vec::new();
            while !parser.eat("}") {
                parser.designators()?;
                let value = parser.initialiser()?;
                values.push(value);
                if !parser.is("}") {
                    parser.expect(",")?;
                }
            }
            Ok(values)
        })
    }

    /// `a` or, in GNU C, `a ... b`: constants in a label or a designator.
    pub(crate) fn constant_range(&mut self) -> Result<()> {
        self.unevaluated(|parser| {
            parser.conditional()?;
            if parser.eat("...") {
                parser.conditional()?;
            }
            Ok(())
        })
    }

    fn designators(&mut self) -> Result<()> {
        // The old way of GNU C: `name: value`.
        if self.token(0).kind == Kind::Name && self.word(1) == b":" {
            self.next();
            self.next();
            return Ok(());
        }
        let mut is_designated = false;
        loop {
            match self.word(0) {
                b"." => {
                    self.next();
                    self.name()?;
                }
                b"[" => {
                    self.next();
                    self.constant_range()?;
                    self.expect("]")?;
                }
                _ => break,
            }
            is_designated = true;
        }
        if is_designated {
            self.eat("=");
        }
        Ok(())
    }

    /// A value or a list of values.
    pub(crate) fn initialiser(&mut self) -> Result<ExprId> {
        if !self.is("{") {
            return self.assignment();
        }
        let start = self.token(0).span.start;
        let values = self.list()?;
        let is_array = false;
        Ok(self.add(start, ExprKind::List { values, is_array }))
    }
}

/// Words that are never the name of a variable or a function.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"case"
            | b"default"
            | b"return"
            | b"goto"
            | b"break"
            | b"continue"
            | b"sizeof"
            | b"struct"
            | b"union"
            | b"enum"
            | b"typedef"
            | b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"const"
            | b"volatile"
            | b"int"
            | b"char"
            | b"void"
            | b"long"
            | b"short"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"_Bool"
            | b"_Static_assert"
            | b"__attribute__"
            | b"__attribute"
            | b"_Alignof"
            | b"__alignof__"
            | b"asm"
            | b"__asm__"
            | b"__asm"
    )
}
