//! From tokens to the syntax of a file: declarations and procedures.

use recurva_model::Type;
use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};

use super::{
    ast::{Declaration, File, Procedure},
    statement::begins_statement,
};
use crate::{
    expr::{Dialect, Expr, Grammar, ParseExpr, type_name},
    names::{Name, Names},
    parsing::{self, array_length, keyword, symbol},
    token::{Keyword, Kind, Symbol, Words, number_value},
};

/// The largest n of `bool<n>`.
const MOST_RESULTS: u64 = 1 << 12;

pub(crate) struct Parser<'s> {
    pub(crate) cursor: Cursor<'s, Words<'s>>,
    pub(crate) names: Names<'s>,
    pub(crate) dialect: Dialect,
    /// How many blocks are open.
    pub(crate) depth: usize,
    /// A statement of the current procedure could not be read.
    pub(crate) incomplete: bool,
    /// A declaration could not be read: its names would be blamed on their users.
    names_missing: bool,
}

/// Reads a file. What could not be read has been reported and is left out.
pub(crate) fn parse(source: &Source, dialect: Dialect) -> (File, Names<'_>, Diagnostics) {
    let words = Words::new(source, Span::new(0, source.end().end));
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        names: Names::default(),
        dialect,
        depth: 0,
        incomplete: false,
        names_missing: false,
    };
    let mut file = parser.file();
    file.incomplete |= parser.names_missing;
    (file, parser.names, parser.cursor.into_diagnostics())
}

/// Whether a token begins a type.
fn begins_type(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Keyword(Keyword::Bool | Keyword::Int | Keyword::Sint)
    )
}

/// Whether a token begins a procedure.
pub(crate) fn begins_procedure(kind: Kind) -> bool {
    begins_type(kind) || matches!(kind, Kind::Keyword(Keyword::Void | Keyword::Dfs))
}

impl<'s> Parser<'s> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::End => return file,
                Kind::Keyword(Keyword::Decl) => {
                    if self.declarations(&mut file.globals).is_none() {
                        file.incomplete = true;
                        self.recover_in_file();
                    }
                }
                kind if begins_procedure(kind) => match self.procedure() {
                    Some(procedure) => file.procedures.push(procedure),
                    None => {
                        file.incomplete = true;
                        self.recover_in_file();
                    }
                },
                Kind::Symbol(Symbol::Semicolon) if !file.procedures.is_empty() => {
                    self.cursor.bump();
                }
                _ => {
                    file.incomplete = true;
                    let text = self.cursor.text(token.span);
                    self.cursor.unexpected("a declaration or a procedure", |diagnostic| {
                        let words = ["decl", "void", "bool", "int", "sint"];
                        diagnostic.help_if(did_you_mean(text, words)).help(
                            "a file has `decl` lines and procedures such as `void main() begin … end`",
                        )
                    });
                    self.cursor.bump();
                    self.recover_in_file();
                }
            }
        }
    }

    /// Goes on at the next declaration or procedure. The body of a procedure whose head is
    /// broken is read for its errors.
    fn recover_in_file(&mut self) {
        self.cursor.skip_until(|kind| {
            begins_procedure(kind)
                || matches!(kind, Kind::Keyword(Keyword::Decl | Keyword::Begin))
                || kind == symbol(Symbol::Semicolon)
        });
        self.cursor.eat(symbol(Symbol::Semicolon));
        if let Some(begin) = self.cursor.eat(keyword(Keyword::Begin)) {
            let mut ignored = Body::default();
            self.body(begin.span, &mut ignored);
        }
    }

    /// `decl [type] x, a[n], …;`
    fn declarations(&mut self, list: &mut Vec<Declaration>) -> Option<()> {
        self.cursor.bump();
        let mut ty = Type::Bool;
        loop {
            if begins_type(self.cursor.peek().kind) {
                ty = type_name(&mut self.cursor)?.0;
            }
            let name = self.expect_name("the name of a variable")?;
            let len = self.length()?;
            list.push(Declaration { name, ty, len });
            if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                break;
            }
        }
        if let Kind::Symbol(Symbol::Assign | Symbol::Equal) = self.cursor.peek().kind {
            let span = self.cursor.peek().span;
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a declaration gives no value", span)
                    .help("a variable is arbitrary at first; assign to it in a statement")
            });
            self.cursor
                .skip_until(|kind| kind == symbol(Symbol::Semicolon));
        }
        self.expect_semicolon();
        Some(())
    }

    /// `[n]` behind the name of an array.
    fn length(&mut self) -> Option<Option<u32>> {
        let Some(bracket) = self.cursor.eat(symbol(Symbol::OpenIndex)) else {
            return Some(None);
        };
        let number = self.cursor.expect(Kind::Number)?;
        self.cursor
            .expect_closing(symbol(Symbol::CloseIndex), bracket.span)?;
        let value = number_value(self.cursor.text(number.span)).unwrap_or(u64::MAX);
        let length = array_length(value, number.span, self.cursor.diagnostics());
        Some(Some(length))
    }

    fn procedure(&mut self) -> Option<Procedure> {
        let start = self.cursor.peek().span;
        self.cursor.eat(keyword(Keyword::Dfs));
        let (results, results_span) = self.results()?;
        let name = self.expect_name("the name of a procedure")?;
        let parameters = self.parameters()?;
        let head = start.to(self.cursor.previous());
        let begin = match self.cursor.expect(keyword(Keyword::Begin)) {
            Some(begin) => begin.span,
            // The body is there all the same.
            None if begins_statement(self.cursor.peek().kind) => name.span,
            None => return None,
        };
        let mut body = Body::default();
        self.incomplete = false;
        let end = self.body(begin, &mut body);
        Some(Procedure {
            name,
            head,
            results,
            results_span,
            parameters,
            locals: body.locals,
            enforce: body.enforce,
            body: body.statements,
            end,
            incomplete: self.incomplete,
        })
    }

    /// `void`, `bool<n>`, or types with commas.
    fn results(&mut self) -> Option<(Vec<Type>, Span)> {
        let start = self.cursor.peek();
        if self.cursor.eat(keyword(Keyword::Void)).is_some() {
            return Some((Vec::new(), start.span));
        }
        let mut types = Vec::new();
        loop {
            if !begins_type(self.cursor.peek().kind) {
                self.cursor.unexpected("a type", |diagnostic| {
                    diagnostic.help("the types are `bool`, `int(n)` and `sint(n)`")
                });
                return None;
            }
            let (ty, _) = type_name(&mut self.cursor)?;
            types.push(ty);
            if ty == Type::Bool && self.cursor.eat(symbol(Symbol::Less)).is_some() {
                let number = self.cursor.expect(Kind::Number)?;
                self.cursor.expect(symbol(Symbol::Greater))?;
                let count = number_value(self.cursor.text(number.span)).unwrap_or(u64::MAX);
                if !(1..=MOST_RESULTS).contains(&count) {
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error("the number of results is out of range", number.span)
                            .help(format!("`bool<n>` is for 1 to {MOST_RESULTS} results; without results it is `void`"))
                    });
                }
                let more = count.clamp(1, MOST_RESULTS) as usize - 1;
                types.extend(std::iter::repeat_n(Type::Bool, more));
            }
            if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                return Some((types, start.span.to(self.cursor.previous())));
            }
        }
    }

    fn parameters(&mut self) -> Option<Vec<Declaration>> {
        let bracket = self.cursor.expect(symbol(Symbol::Open))?;
        let mut list = Vec::new();
        if self.cursor.eat(symbol(Symbol::Close)).is_some() {
            return Some(list);
        }
        loop {
            let ty = match begins_type(self.cursor.peek().kind) {
                true => type_name(&mut self.cursor)?.0,
                false => Type::Bool,
            };
            let name = self.expect_name("the name of a parameter")?;
            if self.cursor.at(symbol(Symbol::OpenIndex)) {
                let span = self.cursor.peek().span;
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("a parameter cannot be an array", span)
                        .help("pass single elements, or use a global array")
                });
                self.length()?;
            }
            list.push(Declaration {
                name,
                ty,
                len: None,
            });
            if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                break;
            }
        }
        self.cursor
            .expect_closing(symbol(Symbol::Close), bracket.span)?;
        Some(list)
    }

    /// Declarations, `enforce`, statements and `end`; the place of `end`.
    fn body(&mut self, begin: Span, body: &mut Body) -> Span {
        loop {
            match self.cursor.peek().kind {
                Kind::Keyword(Keyword::Decl) => {
                    if self.declarations(&mut body.locals).is_none() {
                        self.names_missing = true;
                        self.recover();
                    }
                }
                Kind::Keyword(Keyword::Enforce) => {
                    self.cursor.bump();
                    match self.expression() {
                        Some(expr) => {
                            body.enforce.push(expr);
                            self.expect_semicolon();
                        }
                        None => self.recover(),
                    }
                }
                _ => break,
            }
        }
        loop {
            self.block(&mut body.statements);
            let token = self.cursor.peek();
            match token.kind {
                Kind::Keyword(Keyword::End) => {
                    self.cursor.bump();
                    self.cursor.eat(symbol(Symbol::Semicolon));
                    return token.span;
                }
                Kind::Keyword(Keyword::Decl) => {
                    let allowed = "declarations stand before the first statement";
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error(allowed, token.span)
                            .note(begin, "move it up behind this `begin`")
                    });
                    if self.declarations(&mut body.locals).is_none() {
                        self.names_missing = true;
                        self.recover();
                    }
                }
                Kind::Keyword(Keyword::Enforce) => {
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error("`enforce` stands before the first statement", token.span)
                            .note(begin, "move it up behind this `begin`")
                    });
                    self.cursor.bump();
                    self.recover();
                }
                Kind::Keyword(Keyword::Fi | Keyword::Od | Keyword::Else | Keyword::Elsif) => {
                    let text = self.cursor.text(token.span);
                    let opener = if text == "od" { "while" } else { "if" };
                    // Its opener may be what could not be read.
                    if !self.incomplete {
                        self.cursor.diagnostics().report(|| {
                            Diagnostic::error(format!("`{text}` without `{opener}`"), token.span)
                        });
                    }
                    self.cursor.bump();
                    self.recover();
                }
                _ => {
                    self.incomplete = true;
                    self.cursor.expect_closing(keyword(Keyword::End), begin);
                    return token.span;
                }
            }
        }
    }

    pub(crate) fn expression(&mut self) -> Option<Expr> {
        ParseExpr {
            cursor: &mut self.cursor,
            names: &mut self.names,
            dialect: self.dialect,
            grammar: Grammar::Program,
        }
        .parse()
    }

    /// One or more expressions with commas between them.
    pub(crate) fn expressions(&mut self) -> Option<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.cursor.eat(symbol(Symbol::Comma)).is_some() {
            list.push(self.expression()?);
        }
        Some(list)
    }

    pub(crate) fn expect_name(&mut self, expected: &str) -> Option<Name> {
        parsing::expect_name(&mut self.cursor, &mut self.names, expected)
    }

    /// The name in front.
    pub(crate) fn name(&mut self) -> Name {
        parsing::name(&mut self.cursor, &mut self.names)
    }

    pub(crate) fn expect_semicolon(&mut self) {
        parsing::expect_semicolon(&mut self.cursor);
    }

    /// Goes on behind the next semicolon or at the end of the block.
    pub(crate) fn recover(&mut self) {
        self.incomplete = true;
        self.cursor.skip_until(|kind| {
            kind == symbol(Symbol::Semicolon) || ends_block(kind) || begins_procedure(kind)
        });
        self.cursor.eat(symbol(Symbol::Semicolon));
    }
}

/// Whether a token ends a block of statements.
pub(crate) fn ends_block(kind: Kind) -> bool {
    use Keyword::{Else, Elsif, End, Fi, Od};
    matches!(
        kind,
        Kind::Keyword(End | Fi | Od | Else | Elsif) | Kind::End
    )
}

#[derive(Default)]
struct Body {
    locals: Vec<Declaration>,
    enforce: Vec<Expr>,
    statements: Vec<super::ast::Statement>,
}
