//! Strings and rows of bytes.

use std::cmp::Ordering;

use super::super::world::{MemoryAccess, Reply};
use super::{Arguments, Done, Native};
use crate::Check;

impl Native {
    pub(super) fn call_strings(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        let whole = |index| arguments.whole(index);
        let (first, second, count) = (whole(0), whole(1), whole(2));
        Ok(Some(Reply::Integer(match name {
            "strlen" => memory.read_string(first)?.len() as u64,
            "strnlen" => limited(first, second, memory)?.len() as u64,
            "strcpy" | "stpcpy" => {
                let text = with_zero(memory.read_string(second)?);
                memory.write(first, &text)?;
                match name {
                    "strcpy" => first,
                    _ => first + text.len() as u64 - 1,
                }
            }
            "strncpy" => {
                if count > 0 {
                    memory.read(first, count)?;
                    let mut text = limited(second, count, memory)?.to_vec();
                    text.resize(count as usize, 0);
                    memory.write(first, &text)?;
                }
                first
            }
            "strcat" | "strncat" => {
                let end = first + memory.read_string(first)?.len() as u64;
                let text = match name {
                    "strcat" => with_zero(memory.read_string(second)?),
                    _ => with_zero(limited(second, count, memory)?),
                };
                memory.write(end, &text)?;
                first
            }
            "strdup" | "strndup" => {
                let text = match name {
                    "strdup" => with_zero(memory.read_string(first)?),
                    _ => with_zero(limited(first, second, memory)?),
                };
                match memory.allocate(text.len() as u64, false) {
                    Some(address) => {
                        memory.write(address, &text)?;
                        address
                    }
                    None => 0,
                }
            }
            "strcmp" | "strcoll" => order(memory.read_string(first)?, memory.read_string(second)?),
            "strcasecmp" => {
                let lower = |text: &[u8]| text.to_ascii_lowercase();
                let left = lower(memory.read_string(first)?);
                order(&left, &lower(memory.read_string(second)?))
            }
            "strncmp" => order(
                limited(first, count, memory)?,
                limited(second, count, memory)?,
            ),
            "strncasecmp" => order(
                &limited(first, count, memory)?.to_ascii_lowercase(),
                &limited(second, count, memory)?.to_ascii_lowercase(),
            ),
            "strchr" | "index" | "strrchr" | "rindex" => {
                let text = with_zero(memory.read_string(first)?);
                let is_wanted = |&byte: &u8| byte == second as u8;
                at(
                    first,
                    match name {
                        "strchr" | "index" => text.iter().position(is_wanted),
                        _ => text.iter().rposition(is_wanted),
                    },
                )
            }
            "strstr" => {
                let (text, part) = (memory.read_string(first)?, memory.read_string(second)?);
                at(first, find(text, part))
            }
            "strspn" | "strcspn" | "strpbrk" => {
                let (text, set) = (memory.read_string(first)?, memory.read_string(second)?);
                let wants_in = name != "strspn";
                let end = text.iter().position(|it| set.contains(it) == wants_in);
                match name {
                    "strpbrk" => at(first, end),
                    _ => end.unwrap_or(text.len()) as u64,
                }
            }
            "strtok" => self.token(first, second, memory)?,
            "memcpy" | "memmove" | "mempcpy" => {
                if count > 0 {
                    memory.copy(first, second, count)?;
                }
                match name {
                    "mempcpy" => first + count,
                    _ => first,
                }
            }
            "bcopy" => {
                memory.copy(second, first, count)?;
                0
            }
            "memset" => {
                if count > 0 {
                    memory.read(first, count)?;
                    memory.write(first, &vec![second as u8; count as usize])?;
                }
                first
            }
            "bzero" => {
                memory.read(first, second)?;
                memory.write(first, &vec![0; second as usize])?;
                0
            }
            "memcmp" | "bcmp" if count > 0 => {
                order(memory.read(first, count)?, memory.read(second, count)?)
            }
            "memcmp" | "bcmp" => 0,
            "memchr" => {
                // It looks no further than what it finds.
                let bytes = memory.rest(first)?;
                let found = bytes.iter().take(count as usize);
                let found = found.clone().position(|&byte| byte == second as u8);
                if found.is_none() && count > bytes.len() as u64 {
                    return Err(Check::Bounds);
                }
                at(first, found)
            }
            _ => return Ok(None),
        })))
    }

    fn token(
        &mut self,
        text: u64,
        separators: u64,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Result<u64, Check> {
        let start = if text == 0 { self.token } else { text };
        if start == 0 {
            return Ok(0);
        }
        let set = memory.read_string(separators)?;
        let text = memory.read_string(start)?;
        let is_separator = |byte: &u8| set.contains(byte);
        let Some(from) = text.iter().position(|it| !is_separator(it)) else {
            self.token = 0;
            return Ok(0);
        };
        let length = text[from..].iter().position(is_separator);
        let begin = start + from as u64;
        match length {
            Some(length) => {
                let end = begin + length as u64;
                memory.write(end, &[0])?;
                self.token = end + 1;
            }
            None => self.token = 0,
        }
        Ok(begin)
    }
}

fn with_zero(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    text.push(0);
    text
}

/// A string of at most so many bytes: there need be no zero behind these.
fn limited<'a>(
    address: u64,
    most: u64,
    memory: &'a MemoryAccess<'_, '_>,
) -> Result<&'a [u8], Check> {
    if most == 0 {
        return Ok(&[]);
    }
    let bytes = memory.rest(address)?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    match bytes.iter().take(most).position(|&byte| byte == 0) {
        Some(end) => Ok(&bytes[..end]),
        None if most <= bytes.len() => Ok(&bytes[..most]),
        None => Err(Check::Bounds),
    }
}

fn order(left: &[u8], right: &[u8]) -> u64 {
    match left.cmp(right) {
        Ordering::Less => u64::MAX,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

fn at(start: u64, offset: Option<usize>) -> u64 {
    offset.map_or(0, |offset| start + offset as u64)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}
