//! Numbers from texts, absolute values, random numbers.

use super::super::world::{MemoryAccess, Reply};
use super::{Arguments, Done, Native, floats};
use crate::Check;

impl Native {
    pub(super) fn call_numbers(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        let whole = |index| arguments.whole(index);
        let long = memory.pointer_bytes() as u32 * 8;
        Ok(Some(match name {
            "atoi" | "atol" | "atoll" => {
                let number = Parsed::new(memory.read_string(whole(0))?, 10);
                Reply::Integer(number.signed(64))
            }
            "strtol" | "strtoll" | "strtoimax" | "__isoc23_strtol" | "__isoc23_strtoll" => {
                let number = parse(arguments, memory)?;
                let bits = if name.ends_with("strtol") { long } else { 64 };
                Reply::Integer(number.signed(bits))
            }
            "strtoul" | "strtoull" | "strtoumax" | "__isoc23_strtoul" | "__isoc23_strtoull" => {
                let number = parse(arguments, memory)?;
                let bits = if name.ends_with("strtoul") { long } else { 64 };
                Reply::Integer(number.unsigned(bits))
            }
            "atof" => Reply::Float(floats::parse(memory.read_string(whole(0))?).0),
            "strtod" | "strtof" | "strtold" => {
                let (value, count) = floats::parse(memory.read_string(whole(0))?);
                store_end(arguments, count, memory)?;
                Reply::Float(value)
            }
            "abs" => Reply::Integer(i64::from(arguments.int(0).wrapping_abs()) as u64),
            "labs" | "llabs" | "imaxabs" => Reply::Integer((whole(0) as i64).wrapping_abs() as u64),
            "srand" | "srandom" => {
                self.random = Generator::new(whole(0) as u32);
                Reply::Integer(0)
            }
            "rand" | "random" => Reply::Integer(u64::from(self.random.next())),
            _ => return Ok(None),
        }))
    }
}

/// What a text says: a sign and a number, which may be too large.
struct Parsed {
    is_negative: bool,
    /// At most `u128::MAX`.
    magnitude: u128,
    /// How many bytes were read; 0 if there is no number.
    count: usize,
}

impl Parsed {
    fn new(text: &[u8], base: u32) -> Self {
        let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0x0b;
        let mut at = text.iter().take_while(is_blank).count();
        let is_negative = text.get(at) == Some(&b'-');
        if let Some(b'+' | b'-') = text.get(at) {
            at += 1;
        }
        let digit = |at: usize, base| (*text.get(at)? as char).to_digit(base);
        let is_hexadecimal = text.get(at) == Some(&b'0')
            && matches!(text.get(at + 1), Some(b'x' | b'X'))
            && digit(at + 2, 16).is_some();
        let base = match base {
            0 if is_hexadecimal => 16,
            0 if text.get(at) == Some(&b'0') => 8,
            0 => 10,
            base => base.clamp(2, 36),
        };
        if base == 16 && is_hexadecimal {
            at += 2;
        }
        let start = at;
        let mut magnitude = 0u128;
        while let Some(digit) = digit(at, base) {
            magnitude = magnitude.saturating_mul(u128::from(base));
            magnitude = magnitude.saturating_add(u128::from(digit));
            at += 1;
        }
        Parsed {
            is_negative,
            magnitude,
            count: if at == start { 0 } else { at },
        }
    }

    /// The nearest number of so many bits with a sign.
    fn signed(&self, bits: u32) -> u64 {
        let half = 1u128 << (bits - 1);
        match self.is_negative {
            true => (self.magnitude.min(half) as u64).wrapping_neg(),
            false => self.magnitude.min(half - 1) as u64,
        }
    }

    /// The number of so many bits without a sign, or the largest; a minus negates it.
    fn unsigned(&self, bits: u32) -> u64 {
        let most = u128::from(u64::MAX >> (64 - bits));
        match self.magnitude {
            large if large > most => most as u64,
            fitting if self.is_negative => (fitting as u64).wrapping_neg(),
            fitting => fitting as u64,
        }
    }
}

/// What `strtol` and its relatives read: a text, where to store its end, a base.
fn parse(arguments: Arguments<'_>, memory: &mut MemoryAccess<'_, '_>) -> Result<Parsed, Check> {
    let text = memory.read_string(arguments.whole(0))?;
    let number = Parsed::new(text, arguments.whole(2) as u32);
    store_end(arguments, number.count, memory)?;
    Ok(number)
}

fn store_end(
    arguments: Arguments<'_>,
    count: usize,
    memory: &mut MemoryAccess<'_, '_>,
) -> Result<(), Check> {
    let end = arguments.whole(1);
    if end != 0 {
        let address = arguments.whole(0) + count as u64;
        memory.write_number(end, address, memory.pointer_bytes())?;
    }
    Ok(())
}

/// The random numbers of glibc: additive feedback, as in its `TYPE_3`.
#[derive(Debug)]
pub(super) struct Generator {
    /// The last 31 numbers, in a ring.
    state: [u32; 31],
    next: usize,
}

impl Default for Generator {
    fn default() -> Self {
        Generator::new(1)
    }
}

impl Generator {
    fn new(seed: u32) -> Self {
        let mut state = [0; 31];
        state[0] = seed.max(1);
        for index in 1..31 {
            let product = 16807 * i64::from(state[index - 1] as i32) % 2_147_483_647;
            state[index] = match product {
                negative if negative < 0 => (negative + 2_147_483_647) as u32,
                product => product as u32,
            };
        }
        // The ring holds numbers 3 to 33 of the sequence, where 31 to 33 repeat the first three.
        let mut ring = [0; 31];
        for (index, slot) in ring.iter_mut().enumerate() {
            *slot = state[(index + 3) % 31];
        }
        let mut generator = Generator {
            state: ring,
            next: 0,
        };
        for _ in 0..310 {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u32 {
        let oldest = self.state[self.next];
        let third = self.state[(self.next + 28) % 31];
        let number = oldest.wrapping_add(third);
        self.state[self.next] = number;
        self.next = (self.next + 1) % 31;
        number >> 1
    }
}
