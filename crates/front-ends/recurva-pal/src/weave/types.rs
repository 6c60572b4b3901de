//! Which values a monitor variable can have on a model.
//!
//! Booleans and the narrow types of C (`char`, `short` and their like) are exact: what does not
//! fit wraps around, as C says (and as compilers do where C leaves it to them). Of the wide types
//! only so many bits are kept as the constants of the monitor and the variables of the model
//! need, at least [`LEAST`]; a value that does not fit is never cut, but an outcome of its own.

use recurva_model::{Program, Type};
use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token};

use crate::lang::{Bracket, CTokens, Decl, Fragment, Kind, Monitor};

use super::syntax::number;

/// Wide types have at least so many bits.
const LEAST: u8 = 8;

/// The type of monitor variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CType {
    /// The values that are kept.
    pub(super) ty: Type,
    pub(super) fit: Fit,
    /// `unsigned int`: arithmetic with it is modulo 2^32.
    pub(super) unsigned: bool,
}

/// What becomes of a value that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is cut. Of a boolean: anything but 0 is 1.
    Cut,
    /// It is a failure.
    Fail,
}

/// How many bits of wide types are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width(u8);

impl Width {
    /// Enough for the constants of a monitor and the variables of a program.
    pub(super) fn of(monitor: &Monitor, program: &Program, source: &Source) -> Self {
        let procedures = program.procedures().iter();
        let locals = procedures.flat_map(|procedure| &procedure.locals);
        let variables = locals.chain(program.globals()).filter(|it| !it.hidden);
        let types = variables.map(|it| it.ty.bits() + u8::from(!it.ty.is_signed()));
        let constants = fragments(monitor).flat_map(|fragment| tokens(source, fragment.span));
        let constants =
            constants.filter(|token| matches!(token.kind, Kind::Number | Kind::Literal));
        let constants = constants.filter_map(|token| number(source.slice(token.span)));
        let bits = constants.map(|value| (128 - value.leading_zeros()) as u8 + 1);
        Width(types.chain(bits).max().unwrap_or(0).clamp(LEAST, 32))
    }

    /// The range of `int`, in words.
    pub(super) fn describe(self) -> String {
        let most = (1_i64 << (self.0 - 1)) - 1;
        format!("{} to {most}", -most - 1)
    }

    fn wide(self, signed: bool) -> CType {
        CType {
            ty: match signed {
                true => Type::signed(self.0),
                false => Type::unsigned(self.0),
            },
            fit: Fit::Fail,
            unsigned: !signed,
        }
    }
}

/// All C of a monitor.
fn fragments(monitor: &Monitor) -> impl Iterator<Item = &Fragment> {
    let events = monitor.events.iter();
    let of_events = events.flat_map(|event| {
        let locals = event.locals.iter().map(|decl| &decl.text);
        let parts = event.before.fragments().chain(event.after.fragments());
        locals.chain(parts)
    });
    let globals = monitor.globals.iter().map(|decl| &decl.text);
    globals.chain(of_events)
}

/// The tokens of a place, which were read without errors before.
pub(super) fn tokens(source: &Source, place: Span) -> Vec<Token<Kind>> {
    let mut lexer = CTokens::new(source, place);
    let mut ignored = Diagnostics::default();
    let next = || {
        let token = lexer.next_token(&mut ignored);
        (token.kind != Kind::End).then_some(token)
    };
    std::iter::from_fn(next).collect()
}

/// What a declaration says about its variables.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) ty: CType,
    /// Constants that it declares, if its type is an enumeration: their names, and the tokens of
    /// their values as far as they are given.
    pub(super) constants: Vec<(Span, Vec<Token<Kind>>)>,
}

/// The type of the variables of a declaration. What is no type of a model is reported.
pub(super) fn declared(
    source: &Source,
    decl: &Decl,
    width: Width,
    diagnostics: &mut Diagnostics,
) -> Option<Declared> {
    let tokens = tokens(source, decl.text.span);
    let first = decl.variables.first()?.name.span;
    let names: Vec<Span> = decl.variables.iter().map(|it| it.name.span).collect();
    let mut constants = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut rest = tokens.iter().copied().peekable();
    let mut place = decl.text.span;
    while let Some(token) = rest.next_if(|token| token.span != first) {
        place = token.span;
        match source.slice(token.span) {
            "const" | "volatile" => {}
            "enum" => {
                words.push("enum");
                if rest
                    .peek()
                    .is_some_and(|it| it.kind == Kind::Word && it.span != first)
                {
                    rest.next();
                }
                if rest
                    .peek()
                    .is_some_and(|it| it.kind == Kind::Open(Bracket::Curly))
                {
                    rest.next();
                    let inner: Vec<Token<Kind>> = rest
                        .by_ref()
                        .take_while(|it| it.kind != Kind::Close(Bracket::Curly))
                        .collect();
                    constants = enumerators(&inner);
                }
            }
            _ if token.kind != Kind::Word => return no_type(token.span, diagnostics),
            word => words.push(word),
        }
    }
    // Behind each name there may be an initial value, and nothing else.
    let mut depth = 0_usize;
    let mut in_value = false;
    for token in rest {
        match token.kind {
            Kind::Comma if depth == 0 => in_value = false,
            Kind::Assign if depth == 0 => in_value = true,
            _ if in_value => match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            },
            _ if names.contains(&token.span) => {}
            _ => return no_type(token.span, diagnostics),
        }
    }
    words.sort_unstable();
    let exact = |bits, signed| CType {
        ty: match signed {
            true => Type::signed(bits),
            false => Type::unsigned(bits),
        },
        fit: Fit::Cut,
        unsigned: false,
    };
    let ty = match words[..] {
        ["_Bool" | "bool"] => CType {
            ty: Type::Bool,
            ..exact(1, false)
        },
        ["char" | "int8_t"] | ["char", "signed"] => exact(8, true),
        ["uint8_t"] | ["char", "unsigned"] => exact(8, false),
        ["short" | "int16_t"]
        | ["short", "signed"]
        | ["int", "short"]
        | ["int", "short", "signed"] => exact(16, true),
        ["uint16_t"] | ["short", "unsigned"] | ["int", "short", "unsigned"] => exact(16, false),
        ["int" | "int32_t" | "enum" | "signed"] | ["int", "signed"] => width.wide(true),
        ["unsigned" | "uint32_t"] | ["int", "unsigned"] => width.wide(false),
        _ => return no_type(place, diagnostics),
    };
    Some(Declared { ty, constants })
}

fn no_type<T>(place: Span, diagnostics: &mut Diagnostics) -> Option<T> {
    diagnostics.report(|| {
        Diagnostic::error("a model has no variables of this type", place).help(
            "variables of a monitor that is checked on a model are booleans, `char`, `short`, \
             `int`, `unsigned` or enumerations, and no pointers nor arrays",
        )
    });
    None
}

/// The names between the braces of an enumeration, and the tokens of their values.
fn enumerators(tokens: &[Token<Kind>]) -> Vec<(Span, Vec<Token<Kind>>)> {
    let parts = tokens.split(|token| token.kind == Kind::Comma);
    let named = parts.filter_map(|part| {
        let (name, rest) = part.split_first()?;
        let value = rest.split_first().map_or(&[][..], |(_, value)| value);
        Some((name.span, value.to_vec()))
    });
    named.collect()
}
