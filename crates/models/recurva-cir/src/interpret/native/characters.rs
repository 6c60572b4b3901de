//! Classes of characters, as functions and as the tables that glibc's headers use.

use super::super::world::{MemoryAccess, Reply};
use super::{Arguments, Done, Native};

/// The addresses of glibc's tables, once they are there.
#[derive(Debug, Default)]
pub(super) struct Tables {
    classes: Option<u64>,
    lower: Option<u64>,
    upper: Option<u64>,
}

/// A table has entries from -128 to 255.
const BEFORE: i32 = 128;
const AFTER: i32 = 256;

impl Native {
    pub(super) fn call_characters(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        let code = arguments.int(0);
        Ok(Some(Reply::Integer(match name {
            "toupper" => map(code, |it| it.to_ascii_uppercase()) as u64,
            "tolower" => map(code, |it| it.to_ascii_lowercase()) as u64,
            "toascii" => code as u64 & 0x7f,
            "__ctype_b_loc" => {
                let tables = &mut self.tables.classes;
                table(tables, memory, |code| classes(code).to_le_bytes().to_vec())
            }
            "__ctype_tolower_loc" => table(&mut self.tables.lower, memory, |code| {
                map(code, |it| it.to_ascii_lowercase())
                    .to_le_bytes()
                    .to_vec()
            }),
            "__ctype_toupper_loc" => table(&mut self.tables.upper, memory, |code| {
                map(code, |it| it.to_ascii_uppercase())
                    .to_le_bytes()
                    .to_vec()
            }),
            name => match is_of_class(name, code) {
                Some(is) => u64::from(is),
                None => return Ok(None),
            },
        })))
    }
}

fn map(code: i32, change: impl Fn(u8) -> u8) -> i32 {
    match u8::try_from(code) {
        Ok(byte) => i32::from(change(byte)),
        Err(_) => code,
    }
}

/// Whether a character is in a class; `None` if there is no such function.
fn is_of_class(name: &str, code: i32) -> Option<bool> {
    let byte = u8::try_from(code).unwrap_or(0xff);
    Some(match name {
        "isalpha" => byte.is_ascii_alphabetic(),
        "isdigit" => byte.is_ascii_digit(),
        "isalnum" => byte.is_ascii_alphanumeric(),
        "isspace" => byte.is_ascii_whitespace() || byte == 0x0b,
        "isupper" => byte.is_ascii_uppercase(),
        "islower" => byte.is_ascii_lowercase(),
        "ispunct" => byte.is_ascii_punctuation(),
        "isprint" => byte.is_ascii_graphic() || byte == b' ',
        "isgraph" => byte.is_ascii_graphic(),
        "iscntrl" => byte.is_ascii_control(),
        "isxdigit" => byte.is_ascii_hexdigit(),
        "isblank" => byte == b' ' || byte == b'\t',
        "isascii" => byte.is_ascii(),
        _ => return None,
    })
}

/// The bits of glibc's table, in the order of its headers on a little-endian machine.
fn classes(code: i32) -> u16 {
    let bits = [
        ("isupper", 8),
        ("islower", 9),
        ("isalpha", 10),
        ("isdigit", 11),
        ("isxdigit", 12),
        ("isspace", 13),
        ("isprint", 14),
        ("isgraph", 15),
        ("isblank", 0),
        ("iscntrl", 1),
        ("ispunct", 2),
        ("isalnum", 3),
    ];
    let set = bits
        .iter()
        .filter(|(name, _)| is_of_class(name, code) == Some(true));
    set.fold(0, |all, (_, bit)| all | 1 << bit)
}

/// The address of a pointer to a table's entry for 0; the table is made when it is first asked for.
fn table(
    known: &mut Option<u64>,
    memory: &mut MemoryAccess<'_, '_>,
    entry: impl Fn(i32) -> Vec<u8>,
) -> u64 {
    if known.is_none() {
        let entries: Vec<u8> = (-BEFORE..AFTER).flat_map(&entry).collect();
        let before = entry(0).len() as u64 * BEFORE as u64;
        let pointer_bytes = memory.pointer_bytes();
        *known = memory.allocate_static(&entries).and_then(|address| {
            let pointer = (address + before).to_le_bytes();
            memory.allocate_static(&pointer[..pointer_bytes])
        });
    }
    known.unwrap_or(0)
}
