//! From tokens to declarations: variables, structs and the heads of modules.

use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    ast::{Declaration, Head, Shape, Struct},
    expr::constant,
    parse::Parser,
};
use crate::{
    names::twice,
    parsing::{array_length, symbol},
    token::{Keyword, Kind, Symbol, clip},
};

/// The widest integer. Moped computes with C's `int`, so it can have no wider ones.
const WIDEST: u8 = 32;

/// The number of bits of integers that do not give it.
#[derive(Debug, Default)]
pub(crate) struct Widths {
    pub(crate) default: Option<u8>,
    /// That none is given has been reported.
    reported: bool,
}

/// A type whose number of bits may still come behind the name.
#[derive(Clone, Copy)]
enum Base {
    Bool,
    Int,
    Struct(u32),
}

impl Parser<'_> {
    /// `int x, a[4](2);` and the like.
    pub(crate) fn declarations(&mut self, list: &mut Vec<Declaration>) -> Option<()> {
        let Some(base) = self.base()? else {
            // A struct that was only defined.
            self.expect_semicolon();
            return Some(());
        };
        loop {
            list.push(self.declarator(base, "the name of a variable")?);
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

    /// The word or words before the names; `None` inside for `struct S { … }` alone.
    fn base(&mut self) -> Option<Option<Base>> {
        let word = self.cursor.bump();
        match word.kind {
            Kind::Keyword(Keyword::Bool) => Some(Some(Base::Bool)),
            Kind::Keyword(Keyword::Int) => Some(Some(Base::Int)),
            Kind::Keyword(Keyword::Struct) => self.structure(),
            Kind::Keyword(Keyword::Enum) => {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("enumerations are not supported", word.span)
                        .help("give the values names with `define`, and use an `int`")
                });
                None
            }
            _ => {
                self.cursor.diagnostics().report(|| {
                    let message =
                        "threads are not supported: only sequential programs can be checked";
                    Diagnostic::error(message, word.span)
                });
                None
            }
        }
    }

    /// `S` or `S { … }` behind `struct`.
    fn structure(&mut self) -> Option<Option<Base>> {
        let name = self.expect_name("the name of a struct")?;
        let Some(open) = self.cursor.eat(symbol(Symbol::OpenBlock)) else {
            if let Some(&id) = self.structs.get(&name.id) {
                return Some(Some(Base::Struct(id)));
            }
            let text = self.cursor.text(name.span);
            let (names, structs) = (&self.names, &self.file.structs);
            self.cursor.diagnostics().report(|| {
                let known = structs.iter().map(|entry| names.text(entry.name.id));
                Diagnostic::error(format!("there is no struct `{}`", clip(text)), name.span)
                    .help_if(did_you_mean(text, known))
            });
            return None;
        };
        let mut fields = Vec::new();
        if self.fields(&mut fields).is_none() {
            self.pass_braces();
            return None;
        }
        self.cursor
            .expect_closing(symbol(Symbol::CloseBlock), open.span)?;
        if fields.is_empty() {
            self.cursor
                .diagnostics()
                .report(|| Diagnostic::error("a struct needs at least one field", name.span));
        }
        let id = self.file.structs.len() as u32;
        if let Some(&first) = self.structs.get(&name.id) {
            let first = self.file.structs[first as usize].name.span;
            twice(
                self.cursor.diagnostics(),
                &self.names,
                "struct",
                name,
                first,
            );
        }
        self.structs.insert(name.id, id);
        self.file.structs.push(Struct { name, fields });
        Some((!self.cursor.at(symbol(Symbol::Semicolon))).then_some(Base::Struct(id)))
    }

    fn fields(&mut self, fields: &mut Vec<Declaration>) -> Option<()> {
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Symbol(Symbol::CloseBlock) | Kind::End => return Some(()),
                Kind::Keyword(Keyword::Bool | Keyword::Int) => self.declarations(fields)?,
                Kind::Keyword(Keyword::Struct) => {
                    self.cursor.diagnostics().report(|| {
                        Diagnostic::error("a struct cannot be inside a struct", token.span)
                    });
                    return None;
                }
                _ => {
                    self.cursor
                        .unexpected("`bool`, `int` or `}`", |diagnostic| diagnostic);
                    return None;
                }
            }
        }
    }

    /// A name with its dimension and its number of bits.
    fn declarator(&mut self, base: Base, expected: &str) -> Option<Declaration> {
        let name = self.expect_new_name(expected)?;
        let len = self.length()?;
        let shape = self.shape(base, name.span)?;
        if let (Some(_), Shape::Struct(id)) = (len, shape) {
            let array = self.file.structs[id as usize].fields.iter();
            if let Some(field) = array.clone().find(|field| field.len.is_some()) {
                let place = field.name.span;
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("an array of structs cannot have arrays in them", name.span)
                        .note(place, "this field is an array")
                });
            }
        }
        Some(Declaration { name, shape, len })
    }

    /// `[n]` behind the name of an array.
    fn length(&mut self) -> Option<Option<u32>> {
        let Some(bracket) = self.cursor.eat(symbol(Symbol::OpenIndex)) else {
            return Some(None);
        };
        let (value, place) = constant(&mut self.cursor, &mut self.names, &self.constants)?;
        if self.cursor.at(symbol(Symbol::Comma)) {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("arrays are counted from 0", place)
                    .help("write the number of elements, and take the first index off")
            });
            return None;
        }
        self.cursor
            .expect_closing(symbol(Symbol::CloseIndex), bracket.span)?;
        super::expr::one_index(&mut self.cursor)?;
        let value = u64::try_from(value).unwrap_or_default();
        Some(Some(array_length(value, place, self.cursor.diagnostics())))
    }

    /// The type, with the number of bits that may stand here.
    fn shape(&mut self, base: Base, name: Span) -> Option<Shape> {
        let given = match self.cursor.eat(symbol(Symbol::Open)) {
            None => None,
            Some(bracket) => {
                let bits = constant(&mut self.cursor, &mut self.names, &self.constants)?;
                self.cursor
                    .expect_closing(symbol(Symbol::Close), bracket.span)?;
                Some(bits)
            }
        };
        let bits = match (base, given) {
            (Base::Int, Some(given)) => self.bits(given),
            (Base::Int, None) => self.default_bits(name),
            (_, Some((_, place))) => {
                self.cursor
                    .diagnostics()
                    .report(|| Diagnostic::error("only integers have a number of bits", place));
                1
            }
            (_, None) => 1,
        };
        Some(match base {
            Base::Bool => Shape::Scalar(Type::Bool),
            Base::Int => Shape::Scalar(Type::unsigned(bits)),
            Base::Struct(id) => Shape::Struct(id),
        })
    }

    /// A number of bits; one that is out of range is reported.
    pub(crate) fn bits(&mut self, (value, place): (i64, Span)) -> u8 {
        let bits = u8::try_from(value).ok();
        if let Some(bits) = bits.filter(|bits| (1..=WIDEST).contains(bits)) {
            return bits;
        }
        self.cursor.diagnostics().report(|| {
            Diagnostic::error(format!("there is no integer of {value} bits"), place)
                .help(format!("an integer has 1 to {WIDEST} bits"))
        });
        // The rest is checked as if the width were right.
        WIDEST
    }

    fn default_bits(&mut self, name: Span) -> u8 {
        if let Some(bits) = self.widths.default {
            return bits;
        }
        let text = clip(self.cursor.text(name));
        // Once is enough: one line mends them all.
        if !std::mem::replace(&mut self.widths.reported, true) {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("the number of bits of this integer is not given", name)
                    .help(format!("write it behind the name, as in `int {text}(8)`"))
                    .help("or give all of them a width: `define DEFAULT_INT_BITS 8`")
            });
        }
        WIDEST
    }

    pub(crate) fn no_signs(&mut self, place: Span) {
        self.cursor.diagnostics().report(|| {
            Diagnostic::error("there are no signed integers", place)
                .help("Moped knows the word but refuses it too")
        });
    }

    /// `module int(2) f(int x, bool b)`
    pub(crate) fn head(&mut self) -> Option<Head> {
        let start = self.cursor.bump().span;
        let result_start = self.cursor.peek().span;
        let result = self.result()?;
        let result_span = result_start.to(self.cursor.previous());
        let name = self.expect_new_name("the name of a module")?;
        let parameters = self.parameters()?;
        Some(Head {
            name,
            result,
            result_span,
            parameters,
            span: start.to(self.cursor.previous()),
        })
    }

    fn result(&mut self) -> Option<Option<Shape>> {
        let word = self.cursor.peek();
        match word.kind {
            Kind::Keyword(Keyword::Void) => {
                self.cursor.bump();
                Some(None)
            }
            Kind::Keyword(Keyword::Bool | Keyword::Int | Keyword::Struct) => {
                let base = self.base()?;
                self.no_array("a module cannot return an array")?;
                let shape = self.shape(base?, word.span)?;
                self.scalars_only(shape, word.span);
                Some(Some(shape))
            }
            _ => {
                self.cursor.unexpected("the type of the result", |d| {
                    d.help("a module without a result is `module void f()`")
                });
                None
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
            let word = self.cursor.peek();
            if !matches!(
                word.kind,
                Kind::Keyword(Keyword::Bool | Keyword::Int | Keyword::Struct)
            ) {
                self.cursor.unexpected("the type of a parameter", |d| {
                    d.help("the types are `bool`, `int` and `struct S`")
                });
                return None;
            }
            let base = self.base()??;
            let parameter = self.declarator(base, "the name of a parameter")?;
            if parameter.len.is_some() {
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error("a parameter cannot be an array", parameter.name.span)
                        .help("pass single elements, or use a global array")
                });
            }
            self.scalars_only(parameter.shape, parameter.name.span);
            list.push(Declaration {
                len: None,
                ..parameter
            });
            if self.cursor.eat(symbol(Symbol::Comma)).is_none() {
                break;
            }
        }
        self.cursor
            .expect_closing(symbol(Symbol::Close), bracket.span)?;
        Some(list)
    }

    fn no_array(&mut self, message: &str) -> Option<()> {
        if !self.cursor.at(symbol(Symbol::OpenIndex)) {
            return Some(());
        }
        let place = self.cursor.peek().span;
        self.cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, place).help("use a global array"));
        None
    }

    /// Reports a struct with arrays where only scalars can be passed.
    fn scalars_only(&mut self, shape: Shape, place: Span) {
        let Shape::Struct(id) = shape else { return };
        let fields = &self.file.structs[id as usize].fields;
        if let Some(field) = fields.iter().find(|field| field.len.is_some()) {
            let array = field.name.span;
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a struct with an array in it cannot be passed", place)
                    .note(array, "this field is an array")
                    .help("use a global variable")
            });
        }
    }
}
