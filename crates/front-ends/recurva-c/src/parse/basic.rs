//! Types that are written as several keywords, in any order.

use crate::{ast::Basic, word::Word};

const VOID: u32 = 1 << 0;
const BOOL: u32 = 1 << 1;
const CHAR: u32 = 1 << 2;
const SHORT: u32 = 1 << 3;
const INT: u32 = 1 << 4;
const LONG: u32 = 1 << 5;
const LONG_LONG: u32 = 1 << 6;
const SIGNED: u32 = 1 << 7;
const UNSIGNED: u32 = 1 << 8;
const FLOAT: u32 = 1 << 9;
const DOUBLE: u32 = 1 << 10;
const LONG_DOUBLE: u32 = 1 << 11;
const INT128: u32 = 1 << 12;
const FLOAT16: u32 = 1 << 13;
const FLOAT128: u32 = 1 << 14;
const DECIMAL: u32 = 1 << 15;
const COMPLEX: u32 = 1 << 16;

/// The keywords of a type so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Keywords(u32);

impl Keywords {
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With one more keyword, if it is one; `Err` if it cannot be there twice.
    pub(super) fn with(self, word: Word) -> Option<Result<Keywords, ()>> {
        let bit = match word {
            Word::Void => VOID,
            Word::Bool => BOOL,
            Word::Char => CHAR,
            Word::Short => SHORT,
            Word::Int => INT,
            Word::Long if self.0 & LONG_LONG != 0 => return Some(Err(())),
            Word::Long if self.0 & LONG != 0 => {
                return Some(Ok(Keywords(self.0 & !LONG | LONG_LONG)));
            }
            Word::Long => LONG,
            Word::Signed => SIGNED,
            Word::Unsigned => UNSIGNED,
            Word::Float | Word::Float32 => FLOAT,
            Word::Double | Word::Float64 => DOUBLE,
            Word::Float64x => LONG_DOUBLE,
            Word::Int128 => INT128,
            Word::Float16 => FLOAT16,
            Word::Float128 => FLOAT128,
            Word::Decimal => DECIMAL,
            Word::Complex => COMPLEX,
            _ => return None,
        };
        Some(match self.0 & bit {
            0 => Ok(Keywords(self.0 | bit)),
            _ => Err(()),
        })
    }

    /// The type they make up, if they go together.
    pub(super) fn basic(self) -> Option<Basic> {
        if self.0 & COMPLEX != 0 {
            let part = Keywords(self.0 & !COMPLEX);
            let is_known = part.is_empty() || part.basic().is_some();
            return is_known.then_some(Basic::Complex);
        }
        let is_unsigned = self.0 & UNSIGNED != 0;
        if is_unsigned && self.0 & SIGNED != 0 {
            return None;
        }
        let either = |signed: Basic, unsigned: Basic| match is_unsigned {
            true => unsigned,
            false => signed,
        };
        let has_sign = self.0 & (SIGNED | UNSIGNED) != 0;
        Some(match self.0 & !(SIGNED | UNSIGNED) {
            0 | INT => either(Basic::Int, Basic::UnsignedInt),
            CHAR if has_sign => either(Basic::SignedChar, Basic::UnsignedChar),
            CHAR => Basic::Char,
            rest if rest & !INT == SHORT => either(Basic::Short, Basic::UnsignedShort),
            rest if rest & !INT == LONG => either(Basic::Long, Basic::UnsignedLong),
            rest if rest & !INT == LONG_LONG => either(Basic::LongLong, Basic::UnsignedLongLong),
            INT128 => either(Basic::Int128, Basic::UnsignedInt128),
            _ if has_sign => return None,
            VOID => Basic::Void,
            BOOL => Basic::Bool,
            FLOAT => Basic::Float,
            DOUBLE => Basic::Double,
            LONG_DOUBLE => Basic::LongDouble,
            rest if rest == LONG | DOUBLE => Basic::LongDouble,
            FLOAT16 => Basic::Float16,
            FLOAT128 => Basic::Float128,
            DECIMAL => Basic::Decimal,
            _ => return None,
        })
    }
}
