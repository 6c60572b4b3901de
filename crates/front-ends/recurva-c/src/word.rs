//! Keywords and signs as numbers, so that the parser compares no text.

macro_rules! words {
    (
        keywords { $($keyword:ident $text:literal $(| $other:literal)*,)* }
        signs { $($sign:ident $sign_text:literal,)* }
    ) => {
        /// A keyword, in any of its spellings, or a sign.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word {
            $($keyword,)*
            $($sign,)*
            /// Any other token.
            Other,
        }

        impl Word {
            /// What to call it in a message.
            pub(crate) const fn text(self) -> &'static str {
                match self {
                    $(Word::$keyword => concat!("`", $text, "`"),)*
                    $(Word::$sign => concat!("`", $sign_text, "`"),)*
                    Word::Other => "something else",
                }
            }
        }

        /// All spellings of keywords.
        pub(crate) const KEYWORDS: &[(&str, Word)] = &[
            $(($text, Word::$keyword), $(($other, Word::$keyword),)*)*
        ];
    };
}

words! {
    keywords {
        If "if",
        Else "else",
        While "while",
        Do "do",
        For "for",
        Switch "switch",
        Case "case",
        Default "default",
        Break "break",
        Continue "continue",
        Return "return",
        Goto "goto",
        Sizeof "sizeof",
        Alignof "_Alignof" | "__alignof__" | "__alignof" | "alignof",
        Generic "_Generic",
        Real "__real__" | "__real",
        Imaginary "__imag__" | "__imag",
        Extension "__extension__",
        Label "__label__",
        Asm "asm" | "__asm__" | "__asm",
        Attribute "__attribute__" | "__attribute",
        Declspec "__declspec",
        Segment "__seg_gs" | "__seg_fs",
        StaticAssert "_Static_assert" | "static_assert",
        VaArg "__builtin_va_arg",
        Offsetof "__builtin_offsetof",
        TypesCompatible "__builtin_types_compatible_p",
        ChooseExpr "__builtin_choose_expr",
        Typedef "typedef",
        Extern "extern",
        Static "static",
        Auto "auto",
        Register "register",
        Inline "inline" | "__inline__" | "__inline",
        Noreturn "_Noreturn",
        ThreadLocal "_Thread_local" | "__thread" | "thread_local",
        Alignas "_Alignas" | "alignas",
        Constexpr "constexpr",
        Const "const" | "__const" | "__const__",
        Volatile "volatile" | "__volatile__" | "__volatile",
        Restrict "restrict" | "__restrict" | "__restrict__",
        Atomic "_Atomic",
        Nullability "_Nonnull" | "_Nullable",
        Void "void",
        Char "char",
        Short "short",
        Int "int",
        Long "long",
        Float "float",
        Double "double",
        Signed "signed" | "__signed__" | "__signed",
        Unsigned "unsigned",
        Bool "_Bool",
        Complex "_Complex" | "__complex__" | "__complex" | "_Imaginary",
        Int128 "__int128",
        Float16 "_Float16" | "__bf16",
        Float32 "_Float32",
        Float64 "_Float64" | "_Float32x",
        Float64x "_Float64x" | "__float80",
        Float128 "_Float128" | "__float128",
        Decimal "_Decimal32" | "_Decimal64" | "_Decimal128",
        Struct "struct",
        Union "union",
        Enum "enum",
        Typeof "typeof" | "__typeof__" | "__typeof" | "typeof_unqual",
        AutoType "__auto_type",
    }
    signs {
        OpenParen "(",
        CloseParen ")",
        OpenBracket "[",
        CloseBracket "]",
        OpenBrace "{",
        CloseBrace "}",
        Semicolon ";",
        Comma ",",
        Colon ":",
        ColonColon "::",
        Question "?",
        Dot ".",
        Dots "...",
        Arrow "->",
        Plus "+",
        PlusPlus "++",
        PlusAssign "+=",
        Minus "-",
        MinusMinus "--",
        MinusAssign "-=",
        Star "*",
        StarAssign "*=",
        Slash "/",
        SlashAssign "/=",
        Percent "%",
        PercentAssign "%=",
        Amp "&",
        AmpAmp "&&",
        AmpAssign "&=",
        Bar "|",
        BarBar "||",
        BarAssign "|=",
        Caret "^",
        CaretAssign "^=",
        Tilde "~",
        Not "!",
        NotEqual "!=",
        Assign "=",
        Equal "==",
        Less "<",
        LessEqual "<=",
        ShiftLeft "<<",
        ShiftLeftAssign "<<=",
        Greater ">",
        GreaterEqual ">=",
        ShiftRight ">>",
        ShiftRightAssign ">>=",
    }
}

impl Word {
    /// The longest sign a text begins with, and its length; brackets may be written `<:` and the
    /// like. `#` is a sign that the parser has no use for.
    pub(crate) fn sign(text: &[u8]) -> Option<(Word, usize)> {
        let at = |index: usize| text.get(index).copied().unwrap_or(0);
        // A sign that may be followed by `=`, or by itself.
        let or = |plain: Word, choices: &[(u8, Word)]| {
            let found = choices.iter().find(|(byte, _)| *byte == at(1));
            found.map_or((plain, 1), |(_, word)| (*word, 2))
        };
        Some(match at(0) {
            b'(' => (Word::OpenParen, 1),
            b')' => (Word::CloseParen, 1),
            b'[' => (Word::OpenBracket, 1),
            b']' => (Word::CloseBracket, 1),
            b'{' => (Word::OpenBrace, 1),
            b'}' => (Word::CloseBrace, 1),
            b';' => (Word::Semicolon, 1),
            b',' => (Word::Comma, 1),
            b'?' => (Word::Question, 1),
            b'~' => (Word::Tilde, 1),
            b':' => or(
                Word::Colon,
                &[(b':', Word::ColonColon), (b'>', Word::CloseBracket)],
            ),
            b'.' if at(1) == b'.' && at(2) == b'.' => (Word::Dots, 3),
            b'.' => (Word::Dot, 1),
            b'+' => or(
                Word::Plus,
                &[(b'+', Word::PlusPlus), (b'=', Word::PlusAssign)],
            ),
            b'-' => or(
                Word::Minus,
                &[
                    (b'>', Word::Arrow),
                    (b'-', Word::MinusMinus),
                    (b'=', Word::MinusAssign),
                ],
            ),
            b'*' => or(Word::Star, &[(b'=', Word::StarAssign)]),
            b'/' => or(Word::Slash, &[(b'=', Word::SlashAssign)]),
            b'%' => or(
                Word::Percent,
                &[(b'=', Word::PercentAssign), (b'>', Word::CloseBrace)],
            ),
            b'&' => or(Word::Amp, &[(b'&', Word::AmpAmp), (b'=', Word::AmpAssign)]),
            b'|' => or(Word::Bar, &[(b'|', Word::BarBar), (b'=', Word::BarAssign)]),
            b'^' => or(Word::Caret, &[(b'=', Word::CaretAssign)]),
            b'!' => or(Word::Not, &[(b'=', Word::NotEqual)]),
            b'=' => or(Word::Assign, &[(b'=', Word::Equal)]),
            b'<' if at(1) == b'<' && at(2) == b'=' => (Word::ShiftLeftAssign, 3),
            b'<' => or(
                Word::Less,
                &[
                    (b'<', Word::ShiftLeft),
                    (b'=', Word::LessEqual),
                    (b':', Word::OpenBracket),
                    (b'%', Word::OpenBrace),
                ],
            ),
            b'>' if at(1) == b'>' && at(2) == b'=' => (Word::ShiftRightAssign, 3),
            b'>' => or(
                Word::Greater,
                &[(b'>', Word::ShiftRight), (b'=', Word::GreaterEqual)],
            ),
            b'#' => (Word::Other, 1),
            _ => return None,
        })
    }
}
