//! Ways to damage a file.

use recurva_testkit::rng::Rng;
use serde_json::Value;

/// Damages some bytes: flips, cuts, doubles or exchanges them.
pub(crate) fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(out.len());
        match rng.below(6) {
            0 => out[at] ^= 1 << rng.below(8),
            1 => out[at] = b"0123456789{}[],:\"tfn-.e "[rng.below(24)],
            2 => out.truncate(at.max(1)),
            3 => {
                let end = (at + rng.below(20)).min(out.len());
                let piece: Vec<u8> = out[at..end].to_vec();
                out.splice(at..at, piece);
            }
            4 => {
                let end = (at + 1 + rng.below(20)).min(out.len());
                if end - at < out.len() {
                    out.drain(at..end);
                }
            }
            _ => {
                // Another number where one was.
                let digits = |byte: &u8| byte.is_ascii_digit();
                if let Some(digit) = out[at..].iter().position(digits) {
                    let number = rng.bits() >> rng.below(64);
                    out.splice(at + digit..=at + digit, number.to_string().bytes());
                }
            }
        }
    }
    out
}

/// Some part of a document.
pub(crate) fn somewhere(mut value: Value, rng: &mut Rng) -> Value {
    place(&mut value, rng).take()
}

pub(crate) fn place<'v>(value: &'v mut Value, rng: &mut Rng) -> &'v mut Value {
    let mut at = value;
    loop {
        let empty = match &*at {
            Value::Object(map) => map.is_empty(),
            Value::Array(list) => list.is_empty(),
            _ => true,
        };
        if empty || rng.chance(15) {
            return at;
        }
        at = match at {
            Value::Object(map) => {
                let index = rng.below(map.len());
                map.values_mut().nth(index).unwrap()
            }
            Value::Array(list) => {
                let index = rng.below(list.len());
                &mut list[index]
            }
            _ => unreachable!("only these have parts"),
        };
    }
}
