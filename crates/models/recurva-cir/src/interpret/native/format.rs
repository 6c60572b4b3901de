//! The language of `printf`: what a format says.

use super::super::world::{MemoryAccess, Value};
use super::print::{self, Flags};
use crate::Check;

/// Where arguments come from.
pub(super) enum Source<'a> {
    Values(&'a [Value]),
    /// A list, by the address of its next argument.
    List(u64),
}

impl Source<'_> {
    fn next(&mut self, memory: &MemoryAccess<'_, '_>) -> Result<Value, Check> {
        match self {
            Source::Values(values) => {
                let (first, rest) = values.split_first().ok_or(Check::Call)?;
                *values = rest;
                Ok(first.clone())
            }
            Source::List(address) => memory.next_argument(address).ok_or(Check::Call),
        }
    }
}

/// Wider fields than this are cut: nobody reads them.
const WIDEST: usize = 1 << 20;

/// A conversion: what stands between `%` and its letter.
struct Conversion {
    flags: Flags,
    /// The bits of an integer.
    bits: u32,
    letter: u8,
}

/// The text that a format and its arguments make.
pub(super) fn format(
    format: &[u8],
    source: &mut Source<'_>,
    memory: &mut MemoryAccess<'_, '_>,
) -> Result<Vec<u8>, Check> {
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let conversion = read(&mut rest, source, memory)?;
        write(&mut text, &conversion, source, memory)?;
    }
    Ok(text)
}

fn read(
    rest: &mut &[u8],
    source: &mut Source<'_>,
    memory: &MemoryAccess<'_, '_>,
) -> Result<Conversion, Check> {
    let mut flags = Flags::default();
    while let Some((&byte, behind)) = rest.split_first() {
        match byte {
            b'-' => flags.is_left = true,
            b'+' => flags.has_plus = true,
            b' ' => flags.has_space = true,
            b'#' => flags.is_alternate = true,
            b'0' => flags.has_zeros = true,
            _ => break,
        }
        *rest = behind;
    }
    if let Some(width) = amount(rest, source, memory)? {
        flags.is_left |= width < 0;
        flags.width = (width.unsigned_abs() as usize).min(WIDEST);
    }
    if let Some(behind) = rest.strip_prefix(b".") {
        *rest = behind;
        let precision = amount(rest, source, memory)?.unwrap_or(0);
        flags.precision = usize::try_from(precision).ok().map(|it| it.min(WIDEST));
    }
    let long = memory.pointer_bytes() as u32 * 8;
    let sizes: [(&[u8], u32); 9] = [
        (b"hh", 8),
        (b"h", 16),
        (b"ll", 64),
        (b"l", long),
        (b"q", 64),
        (b"j", 64),
        (b"z", long),
        (b"t", long),
        (b"L", 64),
    ];
    let mut bits = 32;
    for (name, size) in sizes {
        if let Some(behind) = rest.strip_prefix(name) {
            (*rest, bits) = (behind, size);
            break;
        }
    }
    let (&letter, behind) = rest.split_first().unwrap_or((&b'%', &[]));
    *rest = behind;
    Ok(Conversion {
        flags,
        bits,
        letter,
    })
}

/// A width or a precision: digits, or `*` for the next argument.
fn amount(
    rest: &mut &[u8],
    source: &mut Source<'_>,
    memory: &MemoryAccess<'_, '_>,
) -> Result<Option<i32>, Check> {
    if let Some(behind) = rest.strip_prefix(b"*") {
        *rest = behind;
        return Ok(Some(source.next(memory)?.whole() as i32));
    }
    let mut number = None;
    while let Some((digit @ b'0'..=b'9', behind)) = rest.split_first() {
        let digit = i32::from(digit - b'0');
        number = Some(i32::saturating_add(
            number.unwrap_or(0i32).saturating_mul(10),
            digit,
        ));
        *rest = behind;
    }
    Ok(number)
}

fn write(
    text: &mut Vec<u8>,
    conversion: &Conversion,
    source: &mut Source<'_>,
    memory: &mut MemoryAccess<'_, '_>,
) -> Result<(), Check> {
    let Conversion {
        ref flags,
        bits,
        letter,
    } = *conversion;
    match letter {
        b'%' => text.push(b'%'),
        b'd' | b'i' => {
            let value = source.next(memory)?.whole();
            print::signed(text, super::super::number::extend(value, bits), flags);
        }
        b'u' | b'x' | b'X' | b'o' => {
            let value = source.next(memory)?.whole();
            let value = super::super::number::cut(value, bits);
            print::unsigned(text, value, letter, flags);
        }
        b'c' => {
            let byte = source.next(memory)?.whole() as u8;
            print::padded(text, &[byte], flags);
        }
        b's' => {
            let address = source.next(memory)?.whole();
            let shown = string(address, flags.precision, memory)?;
            print::padded(text, &shown, flags);
        }
        b'p' => {
            let address = source.next(memory)?.whole();
            let shown = match address {
                0 => "(nil)".to_owned(),
                address => format!("{address:#x}"),
            };
            print::padded(text, shown.as_bytes(), flags);
        }
        b'n' => {
            let address = source.next(memory)?.whole();
            memory.write_number(address, text.len() as u64, (bits / 8) as usize)?;
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let value = source.next(memory)?.float();
            print::float(text, value, letter, flags);
        }
        other => {
            // An unknown conversion is printed as it stands, like glibc does.
            text.push(b'%');
            text.push(other);
        }
    }
    Ok(())
}

/// A string's bytes, at most so many: there need be no zero behind these.
fn string(
    address: u64,
    most: Option<usize>,
    memory: &MemoryAccess<'_, '_>,
) -> Result<Vec<u8>, Check> {
    if address == 0 {
        return Ok(match most {
            Some(0..6) => Vec::new(),
            _ => b"(null)".to_vec(),
        });
    }
    let Some(most) = most else {
        return Ok(memory.read_string(address)?.to_vec());
    };
    let bytes = memory.rest(address)?;
    let end = bytes.iter().take(most).position(|&byte| byte == 0);
    match end {
        Some(end) => Ok(bytes[..end].to_vec()),
        None if most <= bytes.len() => Ok(bytes[..most].to_vec()),
        None => Err(Check::Bounds),
    }
}
