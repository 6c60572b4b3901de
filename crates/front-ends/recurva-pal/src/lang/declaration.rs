//! Declarations of monitor variables.

use recurva_syntax::{Diagnostic, Span, Token};

use super::{
    ast::{Decl, Declared, Name},
    fragment::{Tokens, balanced, begins_tag, fragment, is_keyword, span_of, split},
    token::{Bracket, Kind},
};

/// Words that say how a variable is stored, which is not for the user to say.
const STORAGE: [&str; 8] = [
    "extern",
    "static",
    "auto",
    "register",
    "typedef",
    "_Thread_local",
    "__thread",
    "thread_local",
];

/// Reads a declaration behind `global` or `local`, which stands at `word`. What is wrong is
/// reported.
pub(super) fn declaration(cursor: &mut Tokens<'_>, word: Span) -> Option<Decl> {
    let stop = |kind| matches!(kind, Kind::Semicolon | Kind::Close(Bracket::Curly));
    let tokens = balanced(cursor, stop);
    let place = span_of(&tokens, word.behind());
    if cursor.eat(Kind::Semicolon).is_none() {
        let (place, found) = (cursor.previous().behind(), cursor.found());
        cursor.diagnostics().report(|| {
            Diagnostic::error(format!("expected `;`, found {found}"), place)
                .label("a `;` is missing here")
        });
        return None;
    }
    if let Some(storage) = tokens
        .iter()
        .find(|token| STORAGE.contains(&cursor.text(token.span)))
    {
        let shown = cursor.text(storage.span);
        cursor.diagnostics().report(|| {
            let help = match shown {
                "typedef" | "extern" => "put it in a header, and `#include` that",
                "_Thread_local" | "__thread" | "thread_local" => {
                    "leave it out, and write `monitor per thread;`"
                }
                _ => "leave it out",
            };
            Diagnostic::error(
                format!("`{shown}` cannot be said of a monitor variable"),
                storage.span,
            )
            .help(help)
        });
        return None;
    }
    let source = cursor.source();
    let mut variables = Vec::new();
    for (index, part) in split(&tokens, Kind::Comma).into_iter().enumerate() {
        let sides = split(part, Kind::Assign);
        let name = match name(cursor, sides[0]) {
            Ok(at) if index > 0 || at > 0 => sides[0][at].span,
            found => {
                let place = span_of(part, place);
                let help = match found {
                    Ok(_) => "a variable needs a type: `int x`",
                    Err(NoName::Function) => "put functions in a header, and `#include` that",
                    Err(NoName::Missing) => "a declaration is written `int x = 0;`",
                };
                cursor
                    .diagnostics()
                    .report(|| Diagnostic::error("this declares no variable", place).help(help));
                return None;
            }
        };
        let initialiser = match sides.get(1) {
            None => None,
            Some([]) => {
                let place = sides[0].last().map_or(place, |token| token.span).behind();
                cursor
                    .diagnostics()
                    .report(|| Diagnostic::error("the initial value is missing", place));
                return None;
            }
            Some(value) => Some(fragment(source, value, span_of(value, place))),
        };
        variables.push(Declared {
            name: Name {
                text: source.slice(name).into(),
                span: name,
            },
            initialiser,
        });
    }
    Some(Decl {
        text: fragment(source, &tokens, place),
        variables,
    })
}

/// Why there is no name.
enum NoName {
    Missing,
    Function,
}

/// Which token of a declarator, with or without the type before it, is the declared name.
fn name(cursor: &Tokens<'_>, tokens: &[Token<Kind>]) -> Result<usize, NoName> {
    let mut found = None;
    let mut depth = 0_usize;
    let mut previous = "";
    for (at, token) in tokens.iter().enumerate() {
        let text = cursor.text(token.span);
        match token.kind {
            Kind::Open(Bracket::Round) if depth == 0 && !is_keyword(previous) => {
                // `(*name)(…)`, or a function.
                let inner = tokens[at + 1..].iter();
                let mut inner = inner.skip_while(|token| token.kind == Kind::Open(Bracket::Round));
                let pointer = inner
                    .next()
                    .is_some_and(|token| cursor.text(token.span) == "*");
                return match pointer {
                    true => inside(cursor, tokens, at + 1),
                    false => Err(NoName::Function),
                };
            }
            // `int (*f)(void)`: the bracket behind a keyword is a declarator's too.
            Kind::Open(Bracket::Round)
                if depth == 0
                    && tokens
                        .get(at + 1)
                        .is_some_and(|token| cursor.text(token.span) == "*") =>
            {
                return inside(cursor, tokens, at + 1);
            }
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Word if depth == 0 && !is_keyword(text) && !begins_tag(previous) => {
                found = Some(at);
            }
            _ if depth == 0 && text == "*" => found = None,
            _ => {}
        }
        previous = text;
    }
    found.ok_or(NoName::Missing)
}

/// The first name from a token on.
fn inside(cursor: &Tokens<'_>, tokens: &[Token<Kind>], from: usize) -> Result<usize, NoName> {
    let mut rest = tokens.iter().enumerate().skip(from);
    let found =
        rest.find(|(_, token)| token.kind == Kind::Word && !is_keyword(cursor.text(token.span)));
    found.map(|(at, _)| at).ok_or(NoName::Missing)
}
