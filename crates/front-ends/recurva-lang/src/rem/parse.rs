//! From tokens to the syntax of a file: constants, declarations and modules.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    ast::{Body, File, Module},
    declaration::Widths,
    expr::{Constants, Expr, ParseExpr, constant},
};
use crate::{
    names::{Name, NameId, Names},
    parsing::{self, Tokens, keyword, symbol},
    token::{Keyword, Kind, Language, Symbol, Words, clip},
};

pub(crate) struct Parser<'s> {
    pub(crate) cursor: Tokens<'s>,
    pub(crate) names: Names<'s>,
    pub(crate) constants: Constants,
    pub(crate) widths: Widths,
    /// Structs by their names.
    pub(crate) structs: FxHashMap<NameId, u32>,
    pub(crate) file: File,
    /// How many blocks are open.
    pub(crate) depth: usize,
    /// A statement of the current module could not be read.
    pub(crate) incomplete: bool,
    /// How many of them are loops.
    pub(crate) loops: usize,
}

/// Reads a file. What could not be read has been reported and is left out.
pub(crate) fn parse(source: &Source) -> (File, Names<'_>, Diagnostics) {
    let part = Span::new(0, source.end().end);
    let words = Words::of(source, part, Language::Remopla);
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        names: Names::default(),
        constants: Constants::default(),
        widths: Widths::default(),
        structs: FxHashMap::default(),
        file: File::default(),
        depth: 0,
        incomplete: false,
        loops: 0,
    };
    parser.items();
    (parser.file, parser.names, parser.cursor.into_diagnostics())
}

/// Whether a token begins a declaration of variables.
pub(crate) fn begins_declaration(kind: Kind) -> bool {
    use Keyword::{Bool, Enum, Int, Shared, Struct};
    matches!(kind, Kind::Keyword(Bool | Int | Struct | Enum | Shared))
}

/// Whether a token begins something that stands only outside modules.
pub(crate) fn begins_item(kind: Kind) -> bool {
    use Keyword::{Define, Init, Module};
    matches!(kind, Kind::Keyword(Module | Init | Define))
}

impl<'s> Parser<'s> {
    fn items(&mut self) {
        loop {
            let token = self.cursor.peek();
            let module = token.kind == keyword(Keyword::Module);
            let read = match token.kind {
                Kind::End => return,
                Kind::Keyword(Keyword::Define) => self.definition(),
                Kind::Keyword(Keyword::Init) => self.init(),
                Kind::Keyword(Keyword::Module) => self.module(),
                Kind::Symbol(Symbol::Semicolon) => {
                    self.cursor.bump();
                    Some(())
                }
                kind if begins_declaration(kind) => {
                    let mut list = Vec::new();
                    let read = self.declarations(&mut list);
                    self.file.globals.append(&mut list);
                    read
                }
                _ => {
                    self.no_item(token.span);
                    None
                }
            };
            if read.is_none() {
                self.file.incomplete = true;
                self.recover_in_file(module);
            }
        }
    }

    fn no_item(&mut self, place: Span) {
        let text = self.cursor.text(place);
        self.cursor
            .unexpected("a declaration or a module", |diagnostic| {
                let words = ["define", "bool", "int", "struct", "module", "init"];
                diagnostic
                    .help_if(did_you_mean(text, words))
                    .help("statements stand in modules, as in `module void main() { … }`")
            });
        self.cursor.bump();
    }

    /// Goes on at the next declaration or module. The body of a module whose head is broken
    /// is read for its errors; other braces are passed.
    fn recover_in_file(&mut self, module: bool) {
        self.cursor.skip_until(|kind| {
            begins_item(kind)
                || begins_declaration(kind)
                || matches!(kind, Kind::Symbol(Symbol::Semicolon | Symbol::OpenBlock))
        });
        match self.cursor.eat(symbol(Symbol::OpenBlock)) {
            Some(open) if module => {
                self.body(open.span);
            }
            Some(_) => self.pass_braces(),
            None => {
                self.cursor.eat(symbol(Symbol::Semicolon));
            }
        }
    }

    /// Goes on behind the next closing brace.
    pub(crate) fn pass_braces(&mut self) {
        let close = symbol(Symbol::CloseBlock);
        self.cursor
            .skip_until(|kind| kind == close || begins_item(kind));
        self.cursor.eat(close);
    }

    /// `define N 3`
    fn definition(&mut self) -> Option<()> {
        self.cursor.bump();
        let name = self.expect_name("the name of a constant")?;
        let (value, place) = constant(&mut self.cursor, &mut self.names, &self.constants)?;
        self.cursor.eat(symbol(Symbol::Semicolon));
        match self.cursor.text(name.span) {
            "DEFAULT_INT_BITS" => {
                let bits = self.bits((value, place));
                self.widths.default = Some(bits);
            }
            "DEFAULT_SIGNED_INT_BITS" => self.no_signs(name.span),
            _ => {
                self.file.constants.push((name, value));
                if let Err(first) = self.constants.define(name.id, value, name.span) {
                    let (names, diagnostics) = (&self.names, self.cursor.diagnostics());
                    crate::names::twice(diagnostics, names, "constant", name, first);
                }
            }
        }
        Some(())
    }

    /// `init main;`
    fn init(&mut self) -> Option<()> {
        let word = self.cursor.bump();
        let name = self.expect_name("the name of a module")?;
        if let Some(first) = self.file.init {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a program has one `init` line", word.span)
                    .note(first.span, "the first one is here")
            });
        } else {
            self.file.init = Some(name);
        }
        if self.cursor.at(Kind::Name) {
            let place = self.cursor.peek().span;
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("runs begin in one module", place)
                    .help("let that module call the others")
            });
            self.cursor.skip_until(|kind| kind != Kind::Name);
        }
        self.expect_semicolon();
        Some(())
    }

    /// A prototype or a module with its body.
    fn module(&mut self) -> Option<()> {
        let head = self.head()?;
        if self.cursor.eat(symbol(Symbol::Semicolon)).is_some() {
            self.file.prototypes.push(head);
            return Some(());
        }
        let open = match self.cursor.eat(symbol(Symbol::OpenBlock)) {
            Some(open) => open.span,
            None => {
                self.cursor.unexpected("`{`", |diagnostic| {
                    diagnostic.help("a prototype ends with `;`, a module has a body in braces")
                });
                return None;
            }
        };
        let body = self.body(open);
        self.file.modules.push(Module { head, body });
        Some(())
    }

    /// Declarations, statements and the closing brace.
    fn body(&mut self, open: Span) -> Body {
        let mut body = Body::default();
        self.incomplete = false;
        self.loops = 0;
        self.locals(&mut body);
        loop {
            self.block(&mut body.statements);
            let token = self.cursor.peek();
            body.end = token.span;
            match token.kind {
                Kind::Symbol(Symbol::CloseBlock) => {
                    self.cursor.bump();
                    self.cursor.eat(symbol(Symbol::Semicolon));
                    break;
                }
                kind if begins_declaration(kind) => {
                    self.cursor.diagnostics().report(|| {
                        let message = "declarations stand before the first statement";
                        Diagnostic::error(message, token.span)
                            .note(open, "move it up behind this `{`")
                    });
                    self.locals(&mut body);
                }
                Kind::Keyword(Keyword::Fi | Keyword::Od) | Kind::Symbol(Symbol::Scope) => {
                    self.stray(token.span);
                }
                _ => {
                    self.incomplete = true;
                    self.cursor.expect_closing(symbol(Symbol::CloseBlock), open);
                    break;
                }
            }
        }
        body.incomplete = self.incomplete;
        body
    }

    fn locals(&mut self, body: &mut Body) {
        while begins_declaration(self.cursor.peek().kind) {
            if self.declarations(&mut body.locals).is_none() {
                // Its names would be blamed on their users.
                self.file.incomplete = true;
                self.recover();
            }
        }
    }

    /// `fi`, `od` or `::` that belongs to nothing.
    fn stray(&mut self, place: Span) {
        let text = self.cursor.text(place);
        let opener = match text {
            "fi" => "`if`",
            "od" => "`do`",
            _ => "`if` or `do`",
        };
        // Its opener may be what could not be read.
        if !self.incomplete {
            self.cursor
                .diagnostics()
                .report(|| Diagnostic::error(format!("`{text}` without {opener}"), place));
        }
        self.cursor.bump();
        self.recover();
    }

    pub(crate) fn expression(&mut self) -> Option<Expr> {
        ParseExpr {
            cursor: &mut self.cursor,
            names: &mut self.names,
            constants: &self.constants,
        }
        .parse()
    }

    pub(crate) fn expect_name(&mut self, expected: &str) -> Option<Name> {
        parsing::expect_name(&mut self.cursor, &mut self.names, expected)
    }

    /// A name that is declared here, which must not be that of a constant.
    pub(crate) fn expect_new_name(&mut self, expected: &str) -> Option<Name> {
        let name = self.expect_name(expected)?;
        if let Some((_, place)) = self.constants.get(name.id) {
            let text = self.cursor.text(name.span);
            self.cursor.diagnostics().report(|| {
                Diagnostic::error(format!("`{}` is a constant", clip(text)), name.span)
                    .label("the name is taken")
                    .note(place, "defined here")
            });
        }
        Some(name)
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
            kind == symbol(Symbol::Semicolon) || ends_block(kind) || begins_item(kind)
        });
        self.cursor.eat(symbol(Symbol::Semicolon));
    }
}

/// Whether a token ends a block of statements.
pub(crate) fn ends_block(kind: Kind) -> bool {
    kind == keyword(Keyword::Fi)
        || kind == keyword(Keyword::Od)
        || matches!(
            kind,
            Kind::Symbol(Symbol::CloseBlock | Symbol::Scope) | Kind::End
        )
}
