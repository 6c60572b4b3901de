//! Declarations: which names are types, where functions begin, and what initial values and array
//! sizes compute.

use recurva_syntax::Span;

use crate::{
    error::Result,
    expression::is_keyword,
    lex::Kind,
    parser::{Meaning, Parser},
    tree::{Function, Use},
};

/// What stands before the declarators.
#[derive(Clone, Copy, Default)]
pub(crate) struct Specifiers {
    is_typedef: bool,
    /// Whether the object lives as long as the program, so that its initial value is constant.
    is_static: bool,
    /// Whether the type is that of the initial value.
    is_inferred: bool,
    /// Whether it names a type of arrays.
    is_array: bool,
}

/// A declarator.
#[derive(Default)]
pub(crate) struct Declarator {
    pub(crate) name: Option<Span>,
    /// Whether it declares a function, and not a pointer to one.
    pub(crate) is_function: bool,
    /// The names of the parameters of the function.
    params: Vec<Span>,
    /// Whether it has an array size, or none in brackets.
    is_array: bool,
    /// Whether it has a star.
    is_pointer: bool,
    /// Whether nothing stands around the name.
    is_bare: bool,
}

impl Parser<'_> {
    /// One declaration or function outside functions.
    pub(crate) fn external_declaration(&mut self) -> Result<()> {
        match self.word(0) {
            b";" | b"__extension__" => {
                self.next();
                return Ok(());
            }
            b"asm" | b"__asm__" | b"__asm" => {
                while !self.is("(") && !self.is_end() {
                    self.next();
                }
                self.skip_brackets()?;
                return self.expect(";").map(drop);
            }
            _ => {}
        }
        self.declaration(Level::File)
    }

    /// Specifiers, declarators, and a body if it is a function.
    pub(crate) fn declaration(&mut self, level: Level) -> Result<()> {
        if matches!(self.word(0), b"_Static_assert" | b"static_assert") {
            self.next();
            self.skip_brackets()?;
            return self.expect(";").map(drop);
        }
        let start = self.token(0).span.start;
        let specifiers = self.specifiers()?;
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let declarator = self.declarator(match level {
                Level::File => Use::Parameter,
                Level::Block => Use::Wanted,
            })?;
            let Some(name) = declarator.name else {
                return Err(self.unexpected("a name that is declared"));
            };
            let is_array = declarator.is_array || (specifiers.is_array && !declarator.is_pointer);
            self.declare(
                name,
                match (specifiers.is_typedef, is_array) {
                    (false, _) => Meaning::Value,
                    (true, false) => Meaning::Type,
                    (true, true) => Meaning::ArrayType,
                },
            );
            self.labels_and_attributes()?;
            if declarator.is_function && (self.is("{") || self.begins_declaration()) {
                return self.function(start, name, &declarator, level);
            }
            if self.eat("=") {
                self.initial_value(&declarator, specifiers, level)?;
            }
            if self.eat(";") {
                break;
            }
            self.expect(",")?;
            self.attributes()?;
        }
        if level == Level::File {
            self.roots.clear();
        }
        Ok(())
    }

    fn initial_value(
        &mut self,
        declarator: &Declarator,
        specifiers: Specifiers,
        level: Level,
    ) -> Result<()> {
        if level == Level::File || specifiers.is_static {
            return self.unevaluated(|parser| parser.initialiser().map(drop));
        }
        let is_array = declarator.is_array || (specifiers.is_array && !declarator.is_pointer);
        let is_one_value = !self.is("{") && !is_array && !specifiers.is_inferred;
        let value = self.initialiser()?;
        let usage = match declarator.name {
            Some(name) if is_one_value => Use::Initial { name },
            _ => Use::Wanted,
        };
        self.root(value, usage);
        Ok(())
    }

    fn function(
        &mut self,
        start: u32,
        name: Span,
        declarator: &Declarator,
        level: Level,
    ) -> Result<()> {
        self.scoped(|parser| {
            for param in &declarator.params {
                parser.declare(*param, Meaning::Value);
            }
            // The declarations of parameters before the body, as in the first C.
            while !parser.is("{") && !parser.is_end() {
                parser.unevaluated(|parser| parser.declaration(Level::Block))?;
            }
            let open = parser.token(0).span.start;
            parser.block()?;
            // A function in a function is a part of it.
            if level == Level::File {
                let roots = std::mem::take(&mut parser.roots);
                let body = Span::new(open, parser.behind());
                parser.unit.functions.push(Function {
                    name,
                    start,
                    body,
                    roots,
                });
            }
            Ok(())
        })
    }

    /// A type in brackets, without them: whether it is a type of arrays.
    pub(crate) fn type_name(&mut self) -> Result<bool> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(Use::Wanted)?;
        Ok(declarator.is_array || (specifiers.is_array && !declarator.is_pointer))
    }

    /// Whether a type begins at a token.
    pub(crate) fn begins_type(&self, ahead: usize) -> bool {
        let word = self.word(ahead);
        self.token(ahead).kind == Kind::Name
            && (is_type_word(word)
                || is_qualifier(word)
                || self.is_type_name(word)
                || (word == b"__extension__" && self.begins_type(ahead + 1)))
    }

    /// Whether a declaration begins here. A name of a type may also be a label.
    pub(crate) fn begins_declaration(&self) -> bool {
        let word = self.word(0);
        let is_label = self.word(1) == b":" && !is_type_word(word);
        if is_label {
            return false;
        }
        self.begins_type(0)
            || is_storage(word)
            || matches!(word, b"_Static_assert" | b"static_assert" | b"__label__")
            || (is_attribute(word) && self.attribute_begins_declaration())
    }

    /// Whether a declaration follows the attributes here, or is it a statement?
    fn attribute_begins_declaration(&self) -> bool {
        let mut ahead = 0;
        while is_attribute(self.word(ahead)) {
            ahead += 1;
            let mut open = 0u32;
            loop {
                match self.word(ahead) {
                    b"(" => open += 1,
                    b")" => open = open.saturating_sub(1),
                    _ if self.token(ahead).kind == Kind::End => return false,
                    _ => {}
                }
                ahead += 1;
                if open == 0 {
                    break;
                }
            }
        }
        self.begins_type(ahead) || is_storage(self.word(ahead))
    }

    /// What stands before the declarators, in any order.
    fn specifiers(&mut self) -> Result<Specifiers> {
        let mut specifiers = Specifiers::default();
        let mut has_type = false;
        loop {
            let word = self.word(0);
            match word {
                b"typedef" => specifiers.is_typedef = true,
                b"static" | b"extern" | b"__thread" | b"_Thread_local" | b"thread_local"
                | b"constexpr" => specifiers.is_static = true,
                b"struct" | b"union" | b"enum" => {
                    has_type = true;
                    self.structure()?;
                    continue;
                }
                b"typeof" | b"__typeof__" | b"__typeof" | b"typeof_unqual" => {
                    has_type = true;
                    self.next();
                    self.skip_brackets()?;
                    continue;
                }
                b"_Atomic" | b"_Alignas" | b"alignas" | b"_BitInt" => {
                    has_type |= word == b"_BitInt" || (word == b"_Atomic" && self.word(1) == b"(");
                    self.next();
                    if self.is("(") {
                        self.skip_brackets()?;
                    }
                    continue;
                }
                _ if is_attribute(word) || self.is_bracket_attribute() => {
                    self.attributes()?;
                    continue;
                }
                _ if is_qualifier(word) || is_storage(word) => {}
                _ if is_type_word(word) => {
                    has_type = true;
                    specifiers.is_inferred |= word == b"__auto_type";
                }
                _ if !has_type && self.is_type_name(word) => {
                    has_type = true;
                    specifiers.is_array = self.meaning(word) == Meaning::ArrayType;
                }
                _ => return Ok(specifiers),
            }
            self.next();
        }
    }

    /// `struct name { … }`, with what is in the braces skipped.
    fn structure(&mut self) -> Result<()> {
        self.next();
        self.attributes()?;
        if self.token(0).kind == Kind::Name {
            self.next();
        }
        // `enum name : type { … }`.
        if self.is(":") && self.begins_type(1) {
            self.next();
            self.specifiers()?;
        }
        if self.is("{") {
            self.skip_brackets()?;
        }
        self.attributes()
    }

    /// A declarator with or without a name. Sizes of arrays are roots, used as given.
    fn declarator(&mut self, sizes: Use) -> Result<Declarator> {
        self.nested(|parser| parser.declarator_inside(sizes))
    }

    fn declarator_inside(&mut self, sizes: Use) -> Result<Declarator> {
        let mut declarator = Declarator::default();
        let mut has_pointer = false;
        loop {
            let word = self.word(0);
            if is_attribute(word) || self.is_bracket_attribute() {
                self.attributes()?;
            } else if matches!(word, b"*" | b"^") || is_qualifier(word) {
                has_pointer |= word == b"*" || word == b"^";
                self.next();
            } else {
                break;
            }
        }
        let mut binds_next = false;
        if self.token(0).kind == Kind::Name && !is_keyword(self.word(0)) {
            declarator.name = Some(self.next().span);
            binds_next = true;
        } else if self.is("(") && self.is_group() {
            self.next();
            declarator = self.declarator(sizes)?;
            self.expect(")")?;
            binds_next = declarator.is_bare;
        }
        declarator.is_bare = binds_next && !has_pointer;
        declarator.is_pointer |= has_pointer;
        loop {
            if self.is("(") {
                let params = self.parameters()?;
                if binds_next {
                    declarator.is_function = declarator.name.is_some();
                    declarator.params = params;
                }
            } else if self.is("[") && !self.is_bracket_attribute() {
                self.next();
                self.array_size(sizes)?;
                declarator.is_array |= !has_pointer;
            } else {
                break;
            }
            binds_next = false;
            declarator.is_bare = false;
        }
        Ok(declarator)
    }

    /// Whether the bracket here groups a declarator; otherwise it holds parameters.
    fn is_group(&self) -> bool {
        let word = self.word(1);
        match word {
            b"*" | b"(" | b"[" | b"^" => true,
            b")" => false,
            _ if is_attribute(word) => true,
            _ => self.token(1).kind == Kind::Name && !self.begins_type(1) && !is_storage(word),
        }
    }

    fn array_size(&mut self, sizes: Use) -> Result<()> {
        while is_qualifier(self.word(0)) || self.is("static") {
            self.next();
        }
        if self.is("*") && self.word(1) == b"]" {
            self.next();
        }
        if !self.is("]") {
            let size = self.assignment()?;
            self.root(size, sizes);
        }
        self.expect("]").map(drop)
    }

    /// `( … )` behind the name of a function: the names of the parameters.
    fn parameters(&mut self) -> Result<Vec<Span>> {
        self.expect("(")?;
        let mut names = Vec::new();
        self.scoped(|parser| {
            while !parser.eat(")") {
                if !parser.eat("...") {
                    parser.attributes()?;
                    let is_old = parser.token(0).kind == Kind::Name
                        && !parser.begins_type(0)
                        && !is_storage(parser.word(0));
                    let declarator = if is_old {
                        parser.declarator(Use::Parameter)?
                    } else {
                        parser.specifiers()?;
                        parser.declarator(Use::Parameter)?
                    };
                    parser.attributes()?;
                    if let Some(name) = declarator.name {
                        parser.declare(name, Meaning::Value);
                        names.push(name);
                    }
                }
                if !parser.is(")") {
                    parser.expect(",")?;
                }
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// `asm("name")` and attributes behind a declarator.
    fn labels_and_attributes(&mut self) -> Result<()> {
        loop {
            if matches!(self.word(0), b"asm" | b"__asm__" | b"__asm") {
                self.next();
                self.skip_brackets()?;
            } else if is_attribute(self.word(0)) || self.is_bracket_attribute() {
                self.attributes()?;
            } else {
                return Ok(());
            }
        }
    }

    /// `__attribute__((…))` and `[[…]]`, any number of them.
    pub(crate) fn attributes(&mut self) -> Result<()> {
        loop {
            if is_attribute(self.word(0)) {
                self.next();
                self.skip_brackets()?;
            } else if self.is_bracket_attribute() {
                self.skip_brackets()?;
            } else {
                return Ok(());
            }
        }
    }

    pub(crate) fn is_bracket_attribute(&self) -> bool {
        self.is("[") && self.word(1) == b"["
    }
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    File,
    Block,
}

pub(crate) fn is_attribute(word: &[u8]) -> bool {
    matches!(word, b"__attribute__" | b"__attribute" | b"__declspec")
}

pub(crate) fn is_storage(word: &[u8]) -> bool {
    matches!(
        word,
        b"typedef"
            | b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"_Noreturn"
            | b"__thread"
            | b"_Thread_local"
            | b"thread_local"
            | b"_Alignas"
            | b"alignas"
            | b"__extension__"
            | b"constexpr"
    )
}

fn is_qualifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"volatile"
            | b"restrict"
            | b"__const"
            | b"__const__"
            | b"__volatile"
            | b"__volatile__"
            | b"__restrict"
            | b"__restrict__"
            | b"_Atomic"
            | b"_Nonnull"
            | b"_Nullable"
    )
}

fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"_Bool"
            | b"bool"
            | b"_Complex"
            | b"__complex__"
            | b"_Imaginary"
            | b"__signed__"
            | b"__signed"
            | b"__int128"
            | b"__int128_t"
            | b"__uint128_t"
            | b"_Float16"
            | b"_Float32"
            | b"_Float64"
            | b"_Float128"
            | b"_Float32x"
            | b"_Float64x"
            | b"__float128"
            | b"__float80"
            | b"__bf16"
            | b"_Decimal32"
            | b"_Decimal64"
            | b"_Decimal128"
            | b"struct"
            | b"union"
            | b"enum"
            | b"typeof"
            | b"__typeof__"
            | b"__typeof"
            | b"typeof_unqual"
            | b"__auto_type"
            | b"_BitInt"
    )
}
