//! The machine that a program is for.

/// What a compiler decides and the language leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The bytes of a pointer: 4 (ILP32) or 8 (LP64). `long` has as many.
    pub pointer_bytes: u64,
    /// Whether `char` has a sign.
    pub is_char_signed: bool,
    /// The alignment of `long long` and `double` in a structure: 4 for i386, 8 otherwise.
    pub wide_align: u64,
    /// The bytes of `long double`: 12 for i386, 16 for x86-64.
    pub long_double_bytes: u64,
    /// Whether a bit-field that is wider than `int` is computed with in its own width, as by GCC, or
    /// in its declared type, as by Clang.
    pub keeps_bit_widths: bool,
}

impl Target {
    /// x86-64 with Linux and GCC: `long` and pointers have 64 bits.
    pub fn lp64() -> Self {
        Target {
            pointer_bytes: 8,
            is_char_signed: true,
            wide_align: 8,
            long_double_bytes: 16,
            keeps_bit_widths: true,
        }
    }

    /// i386 with Linux and GCC: `int`, `long` and pointers have 32 bits.
    pub fn ilp32() -> Self {
        Target {
            pointer_bytes: 4,
            is_char_signed: true,
            wide_align: 4,
            long_double_bytes: 12,
            keeps_bit_widths: true,
        }
    }

    /// The machine of a compiler, from the macros that it defines (`cc -dM -E`). What is not said
    /// is as on x86-64.
    pub fn of_macros(text: &str) -> Self {
        let mut target = Target::lp64();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            if words.next() != Some("#define") {
                continue;
            }
            let (Some(name), value) = (words.next(), words.next()) else {
                continue;
            };
            let number = value.and_then(|it| it.parse().ok());
            match (name, number) {
                ("__SIZEOF_POINTER__", Some(bytes)) => target.pointer_bytes = bytes,
                ("__SIZEOF_LONG_DOUBLE__", Some(bytes)) => target.long_double_bytes = bytes,
                ("__CHAR_UNSIGNED__", _) => target.is_char_signed = false,
                ("__clang__", _) => target.keeps_bit_widths = false,
                ("__i386__", _) => target.wide_align = 4,
                _ => {}
            }
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_known_by_their_macros() {
        let macros = "#define __SIZEOF_POINTER__ 4\n#define __SIZEOF_LONG_DOUBLE__ 12\n\
                      #define __i386__ 1\n#define __unix 1\n";
        assert_eq!(Target::of_macros(macros), Target::ilp32());
        assert_eq!(Target::of_macros(""), Target::lp64());
        let arm = Target::of_macros("#define __CHAR_UNSIGNED__ 1\n#define __aarch64__ 1\n");
        assert!(!arm.is_char_signed);
        assert!(!Target::of_macros("#define __clang__ 1\n").keeps_bit_widths);
    }
}
