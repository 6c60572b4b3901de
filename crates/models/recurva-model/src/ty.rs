//! Types of scalar values, and how values are kept as bits.
//!
//! Every value is a `u64` that holds the type's bits and zeros above them: `true` is 1, an
//! `int(8)` is 0…255, a `sint(8)` of −1 is 255. One representation serves the concrete
//! semantics, the packed states of the engines and the evidence.

use std::fmt;

/// The type of a scalar variable or expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// An unsigned (`int(n)`) or two's-complement (`sint(n)`) integer.
    Int {
        /// Number of bits, from 1 to 64.
        bits: u8,
        /// Whether the highest bit is a sign.
        signed: bool,
    },
}

impl Type {
    /// The unsigned type of that many bits.
    pub const fn unsigned(bits: u8) -> Self {
        Type::Int {
            bits,
            signed: false,
        }
    }

    /// The two's-complement type of that many bits.
    pub const fn signed(bits: u8) -> Self {
        Type::Int { bits, signed: true }
    }

    /// How many bits a value occupies.
    pub const fn bits(self) -> u8 {
        match self {
            Type::Bool => 1,
            Type::Int { bits, .. } => bits,
        }
    }

    /// Whether comparison, division and right shift respect a sign bit.
    pub const fn is_signed(self) -> bool {
        matches!(self, Type::Int { signed: true, .. })
    }

    /// Ones in all the bits a value may use; also the largest representation.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits() as u32)
    }

    /// The representation's bits above the type's width cut off: arithmetic modulo 2^n.
    pub const fn wrap(self, raw: u64) -> u64 {
        raw & self.mask()
    }

    /// The value as a signed number (only meaningful for signed types).
    pub const fn sign_extend(self, value: u64) -> i64 {
        let shift = 64 - self.bits() as u32;
        ((value << shift) as i64) >> shift
    }

    /// The value as the number a user would write.
    pub const fn to_number(self, value: u64) -> i128 {
        if self.is_signed() {
            self.sign_extend(value) as i128
        } else {
            value as i128
        }
    }

    /// The representation of a number, if the type can hold it.
    pub fn from_number(self, number: i128) -> Option<u64> {
        let value = self.wrap(number as u64);
        (self.to_number(value) == number).then_some(value)
    }

    /// A value as a user would write it.
    pub fn show(self, value: u64) -> String {
        match self {
            Type::Bool => if value != 0 { "T" } else { "F" }.to_owned(),
            Type::Int { .. } => self.to_number(value).to_string(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::Bool => f.write_str("bool"),
            Type::Int {
                bits,
                signed: false,
            } => write!(f, "int({bits})"),
            Type::Int { bits, signed: true } => write!(f, "sint({bits})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_at_the_edges_of_each_width() {
        for bits in 1..=64 {
            let unsigned = Type::unsigned(bits);
            let signed = Type::signed(bits);
            let top = (1i128 << bits) - 1;
            assert_eq!(
                unsigned.from_number(top).map(|v| unsigned.to_number(v)),
                Some(top)
            );
            assert_eq!(unsigned.from_number(top + 1), None);
            assert_eq!(unsigned.from_number(-1), None);
            let low = -(1i128 << (bits - 1));
            assert_eq!(
                signed.from_number(low).map(|v| signed.to_number(v)),
                Some(low)
            );
            assert_eq!(signed.from_number(low - 1), None);
            assert_eq!(signed.from_number(-low), None);
        }
    }
}
