//! Times, sizes and numbers of threads: as users write them, and what the machine has.

use std::time::Duration;

/// A time such as `60s`, `1.5h`, `200ms` or `90`, which is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let scale = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: use ms, s, m or h")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a time such as 60s".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "that time is too long".to_owned())
}

/// A number of bytes such as `4GiB`, `500MB` or `1000000`.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let scale: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => {
            return Err(format!(
                "`{unit}` is no unit of memory: use KiB, MiB, GiB or TiB"
            ));
        }
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a size such as 4GiB".to_owned())?;
    let bytes = number * scale;
    if (0.0..u64::MAX as f64).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err("that size is out of range".to_owned())
    }
}

/// The number and the unit behind it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// How many threads can work at a time, where the system says so.
pub fn cores() -> Option<u16> {
    let cores = std::thread::available_parallelism().ok()?;
    u16::try_from(cores.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse_duration("1.5 m"), Ok(Duration::from_secs(90)));
        for wrong in [
            "",
            "s",
            "-1s",
            "1y",
            "1e5",
            "1.2.3",
            "99999999999999999999999h",
        ] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(parse_bytes("4GiB"), Ok(4 << 30));
        assert_eq!(parse_bytes("1.5k"), Ok(1536));
        assert_eq!(parse_bytes("500MB"), Ok(500_000_000));
        assert_eq!(parse_bytes("12"), Ok(12));
        for wrong in ["", "GiB", "-1", "4XB", "9999999999TiB"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
