//! Tokens of boolean programs, of guards over them, and of Remopla.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Keyword(Keyword),
    Symbol(Symbol),
    End,
}

/// The languages, which differ in their words and in a few symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Boolean programs, and guards: `{x==0}` is a name.
    Bp,
    /// Remopla: braces are symbols.
    Remopla,
}

/// Words with a meaning, and how they are written: those of both languages, then those of
/// one of them.
macro_rules! words {
    (
        both { $($both:ident $both_text:literal)* }
        bp { $($bp:ident $bp_text:literal)* }
        remopla { $($rem:ident $rem_text:literal)* }
    ) => {
        /// Words with a meaning of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($both,)* $($bp,)* $($rem),* }

        impl Keyword {
            fn find(word: &str, language: Language) -> Option<Keyword> {
                match (language, word) {
                    $((_, $both_text) => Some(Keyword::$both),)*
                    $((Language::Bp, $bp_text) => Some(Keyword::$bp),)*
                    $((Language::Remopla, $rem_text) => Some(Keyword::$rem),)*
                    _ => None,
                }
            }

            fn describe(self) -> &'static str {
                match self {
                    $(Keyword::$both => concat!("`", $both_text, "`"),)*
                    $(Keyword::$bp => concat!("`", $bp_text, "`"),)*
                    $(Keyword::$rem => concat!("`", $rem_text, "`"),)*
                }
            }
        }
    };
}

words! {
    both {
        Bool "bool" Do "do" Else "else" Fi "fi" Goto "goto" If "if" Int "int" Od "od"
        Return "return" Skip "skip" Void "void"
    }
    bp {
        AbortIf "abortif" Assert "assert" Assume "assume" AtomicBegin "atomic_begin"
        AtomicEnd "atomic_end" Begin "begin" Constrain "constrain" Dead "dead" Decl "decl"
        Dfs "dfs" Elsif "elsif" End "end" EndThread "end_thread" Enforce "enforce" False "F"
        Print "print" Schoose "schoose" Sint "sint" StartThread "start_thread" Sync "sync"
        Then "then" True "T" While "while"
    }
    remopla {
        Break "break" Define "define" Enum "enum" Fork "fork" Init "init" Module "module"
        No "false" Shared "shared" Struct "struct" Undef "undef" Yes "true"
    }
}

/// Symbols with the text that stands for them; longer ones first, as the lexer tries them in
/// this order.
macro_rules! symbols {
    ($($name:ident $text:literal)*) => {
        /// Operators and punctuation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Symbol { $($name),* }

        impl Symbol {
            const ALL: &[(&'static str, Symbol)] = &[$(($text, Symbol::$name)),*];

            fn describe(self) -> &'static str {
                match self { $(Symbol::$name => concat!("`", $text, "`")),* }
            }
        }
    };
}

symbols! {
    Assign ":=" Scope "::" Arrow "->" Implies "=>" EqualEqual "==" NotEqual "!=" LessEqual "<="
    GreaterEqual ">=" ShiftLeft "<<" ShiftRight ">>" OrOr "||" AndAnd "&&"
    Equal "=" Less "<" Greater ">" Or "|" And "&" Xor "^" Not "!" Tilde "~" Plus "+" Minus "-"
    Star "*" Slash "/" Percent "%" Question "?" Tick "'" Open "(" Close ")" OpenIndex "["
    CloseIndex "]" Comma "," Semicolon ";" Colon ":" At "@" OpenBlock "{" CloseBlock "}" Dot "."
}

impl Symbol {
    /// Whether a language has it.
    fn is_in(self, language: Language) -> bool {
        use Symbol::{Arrow, CloseBlock, Dot, OpenBlock};
        language == Language::Remopla || !matches!(self, Arrow | OpenBlock | CloseBlock | Dot)
    }
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Name => "a name",
            Kind::Number => "a number",
            Kind::Keyword(keyword) => keyword.describe(),
            Kind::Symbol(symbol) => symbol.describe(),
            Kind::End => "the end of the text",
        }
    }
}

/// Splits a source, or a part of one, into tokens.
#[derive(Debug)]
pub(crate) struct Words<'s> {
    text: &'s str,
    at: usize,
    end: usize,
    language: Language,
    /// Up to here there is no `}`: a line of many `{` is searched once.
    unclosed: usize,
}

impl<'s> Words<'s> {
    /// The tokens of a boolean program or guard.
    pub(crate) fn new(source: &'s Source, part: Span) -> Self {
        Words::of(source, part, Language::Bp)
    }

    /// The tokens of a text in a language.
    pub(crate) fn of(source: &'s Source, part: Span, language: Language) -> Self {
        let text = source.text();
        let floor = |mut offset: usize| {
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let end = floor((part.end as usize).min(text.len()));
        Words {
            text,
            at: floor((part.start as usize).min(end)),
            end,
            language,
            unclosed: 0,
        }
    }

    fn rest(&self) -> &'s [u8] {
        &self.text.as_bytes()[self.at..self.end]
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token<Kind> {
        let start = self.at as u32;
        self.at += length;
        Token {
            kind,
            span: Span::new(start, self.at as u32),
        }
    }

    /// Passes blanks and comments.
    fn skip_blanks(&mut self, diagnostics: &mut Diagnostics) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r' | b'\n' | 0x0c, ..] => self.at += 1,
                [b'/', b'/', rest @ ..] => {
                    let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    self.at += 2 + length;
                }
                [b'/', b'*', rest @ ..] => match rest.windows(2).position(|pair| pair == b"*/") {
                    Some(length) => self.at += 4 + length,
                    None => {
                        let opener = Span::new(self.at as u32, self.at as u32 + 2);
                        diagnostics.report(|| {
                            Diagnostic::error("this comment does not end", opener)
                                .help("close it with `*/`")
                        });
                        self.at = self.end;
                    }
                },
                _ => return,
            }
        }
    }

    fn braced_name(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = self.rest();
        let stop = match self.unclosed.checked_sub(self.at) {
            Some(known) if known > 0 => known,
            _ => rest
                .iter()
                .position(|b| matches!(b, b'}' | b'\n'))
                .unwrap_or(rest.len()),
        };
        let close = rest.get(stop).filter(|&&b| b == b'}').map(|_| stop);
        match close {
            Some(length) => self.token(Kind::Name, length + 1),
            None => {
                let brace = Span::new(self.at as u32, self.at as u32 + 1);
                let alone = rest[1..stop].iter().all(u8::is_ascii_whitespace);
                diagnostics.report(|| {
                    Diagnostic::error("this `{` has no `}` on its line", brace).help(if alone {
                        "blocks begin with `begin`, `then` or `do`, not with a brace"
                    } else {
                        "a name in braces such as `{x==0}` ends on the line it begins"
                    })
                });
                self.unclosed = self.at + stop;
                // What was meant as the name ends at the latest here.
                let end = rest[..stop].iter().position(|b| matches!(b, b';' | b','));
                self.token(Kind::Name, end.unwrap_or(stop))
            }
        }
    }

    /// A name with letters that names do not have.
    fn foreign_name(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = &self.text[self.at..self.end];
        let in_word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
        let length = rest.chars().take_while(in_word).map(char::len_utf8).sum();
        let text = &rest[..length];
        let token = self.token(Kind::Name, length);
        let braces = (self.language == Language::Bp)
            .then(|| "in braces a name may hold any text, as in `{x==0}`".to_owned());
        if !text.is_ascii() {
            diagnostics.report(|| {
                let message = format!(
                    "`{}` is not a name: only the letters a to z are allowed",
                    clip(text)
                );
                Diagnostic::error(message, token.span).help_if(braces)
            });
        }
        token
    }

    fn number(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let length = self.rest().iter().take_while(|&&b| is_word(b)).count();
        let token = self.token(Kind::Number, length);
        let text = &self.text[token.span.range()];
        match number_value(text) {
            Some(_) => {}
            None if text.bytes().all(|b| b.is_ascii_digit()) || is_hexadecimal(text) => {
                diagnostics.report(|| {
                    Diagnostic::error("this number is too large", token.span)
                        .help(format!("the largest number is {}", u64::MAX))
                });
            }
            None => diagnostics.report(|| {
                Diagnostic::error(format!("`{}` is neither a name nor a number", clip(text)), token.span)
                    .help("names begin with a letter or `_`; numbers are decimal or `0x` and hexadecimal digits")
            }),
        }
        token
    }

    fn unknown(&mut self, diagnostics: &mut Diagnostics) {
        let start = self.at;
        let strange = |c: char| {
            !c.is_ascii()
                || matches!(c, '#' | '$' | '"' | '\\' | '`' | '.' | '}')
                || (c.is_ascii_control() && !c.is_ascii_whitespace())
        };
        let length = self.text[start..self.end]
            .chars()
            .take_while(|&c| strange(c))
            .map(char::len_utf8)
            .sum::<usize>();
        // Anything else that is no token is a single character.
        let length = match length {
            0 => self.text[start..self.end]
                .chars()
                .next()
                .map_or(1, char::len_utf8),
            length => length,
        };
        self.at += length;
        let span = Span::new(start as u32, self.at as u32);
        let text = &self.text[span.range()];
        diagnostics.report(|| {
            let message = format!(
                "`{}` has no meaning here",
                clip(&text.escape_debug().to_string())
            );
            Diagnostic::error(message, span)
                .help_if((text == "}").then(|| "blocks end with `end`, `fi` or `od`".to_owned()))
        });
    }
}

impl Lexer for Words<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            self.skip_blanks(diagnostics);
            let rest = self.rest();
            match rest {
                [] => return self.token(Kind::End, 0),
                [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                    let length = rest.iter().take_while(|&&b| is_word(b)).count();
                    let word = &self.text[self.at..self.at + length];
                    if rest.get(length).is_some_and(|b| !b.is_ascii()) {
                        return self.foreign_name(diagnostics);
                    }
                    let kind = Keyword::find(word, self.language).map_or(Kind::Name, Kind::Keyword);
                    return self.token(kind, length);
                }
                [b'0'..=b'9', ..] => return self.number(diagnostics),
                [b'{', ..] if self.language == Language::Bp => {
                    return self.braced_name(diagnostics);
                }
                _ if self.text[self.at..].starts_with(char::is_alphabetic) => {
                    return self.foreign_name(diagnostics);
                }
                _ => {
                    let symbol = Symbol::ALL
                        .iter()
                        .filter(|(_, symbol)| symbol.is_in(self.language))
                        .find(|(text, _)| rest.starts_with(text.as_bytes()));
                    match symbol {
                        Some(&(text, symbol)) => {
                            return self.token(Kind::Symbol(symbol), text.len());
                        }
                        None => self.unknown(diagnostics),
                    }
                }
            }
        }
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The value of a number token, if it has one.
pub(crate) fn number_value(text: &str) -> Option<u64> {
    if is_hexadecimal(text) {
        u64::from_str_radix(&text[2..], 16).ok()
    } else if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// A text short enough for a message.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> (Vec<String>, usize) {
        let source = Source::new("x", text).unwrap();
        let mut words = Words::new(&source, Span::new(0, text.len() as u32));
        let mut diagnostics = Diagnostics::default();
        let mut list = Vec::new();
        loop {
            let token = words.next_token(&mut diagnostics);
            if token.kind == Kind::End {
                return (list, diagnostics.errors());
            }
            list.push(source.slice(token.span).to_owned());
        }
    }

    #[test]
    fn the_longest_symbol_wins() {
        let (list, errors) = tokens("a:=!b!=c==>d=>'e /*x*/ // y\n{x == 0}<<0x1F");
        assert_eq!(errors, 0);
        let expected = [
            "a", ":=", "!", "b", "!=", "c", "==", ">", "d", "=>", "'", "e", "{x == 0}", "<<",
            "0x1F",
        ];
        assert_eq!(list, expected);
    }

    #[test]
    fn text_that_is_no_token_is_reported_once_and_passed() {
        assert_eq!(tokens("a €$ b"), (vec!["a".into(), "b".into()], 1));
        assert_eq!(
            tokens("größe ärger§"),
            (vec!["größe".into(), "ärger".into()], 3)
        );
        assert_eq!(tokens("a“ b"), (vec!["a".into(), "b".into()], 1));
        assert_eq!(tokens("12ab 99999999999999999999 {x\n /* y").1, 4);
    }
}
