//! What the parsers of structured programs share.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Span};

use crate::{
    names::{Name, Names},
    token::{Keyword, Kind, Symbol, Words},
};

/// Tokens of a program.
pub(crate) type Tokens<'s> = Cursor<'s, Words<'s>>;

/// How deep blocks may be nested.
pub(crate) const DEEPEST: usize = 256;

/// The longest array. Larger ones are more likely a slip than a model somebody can check.
const LONGEST_ARRAY: u64 = 1 << 20;

/// The token of a word.
pub(crate) const fn keyword(keyword: Keyword) -> Kind {
    Kind::Keyword(keyword)
}

/// The token of a symbol.
pub(crate) const fn symbol(symbol: Symbol) -> Kind {
    Kind::Symbol(symbol)
}

/// Passes a name, or reports that it is missing.
pub(crate) fn expect_name<'s>(
    cursor: &mut Tokens<'s>,
    names: &mut Names<'s>,
    expected: &str,
) -> Option<Name> {
    if cursor.at(Kind::Name) {
        return Some(name(cursor, names));
    }
    let reserved = matches!(cursor.peek().kind, Kind::Keyword(_));
    cursor.unexpected(expected, |diagnostic| {
        diagnostic.help_if(reserved.then(|| "this word is reserved".to_owned()))
    });
    None
}

/// The name in front.
pub(crate) fn name<'s>(cursor: &mut Tokens<'s>, names: &mut Names<'s>) -> Name {
    let token = cursor.bump();
    Name {
        id: names.id(cursor.text(token.span)),
        span: token.span,
    }
}

/// Passes a semicolon or reports, behind the last token, that it is missing.
pub(crate) fn expect_semicolon(cursor: &mut Tokens<'_>) {
    if cursor.eat(symbol(Symbol::Semicolon)).is_some() {
        return;
    }
    let (place, found) = (cursor.previous().behind(), cursor.found());
    cursor.diagnostics().report(|| {
        Diagnostic::error(format!("expected `;`, found {found}"), place)
            .label("a `;` is missing here")
    });
}

/// The length of an array; one that is out of range is reported and brought into it.
pub(crate) fn array_length(value: u64, place: Span, diagnostics: &mut Diagnostics) -> u32 {
    if value == 0 {
        diagnostics.report(|| Diagnostic::error("an array needs at least one element", place));
    } else if value > LONGEST_ARRAY {
        diagnostics.report(|| {
            Diagnostic::error("this array is too long", place)
                .help(format!("an array has at most {LONGEST_ARRAY} elements"))
        });
    }
    value.clamp(1, LONGEST_ARRAY) as u32
}

/// Reports that the block in front is nested too deep.
pub(crate) fn too_deep(cursor: &mut Tokens<'_>, unit: &str) {
    let token = cursor.peek();
    cursor.diagnostics().report(|| {
        Diagnostic::error(
            format!("blocks are nested more than {DEEPEST} deep"),
            token.span,
        )
        .help(format!("move the inner blocks to a {unit} of their own"))
    });
}
