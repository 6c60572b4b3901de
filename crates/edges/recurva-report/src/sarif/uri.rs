//! Names of files as references of RFC 3986.

use std::fmt::Write;

/// The name of a file as a reference: relative if the name is, with `file://` before it if not. What
/// may not stand in a path is percent-encoded.
pub(crate) fn uri(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    if name.starts_with('/') {
        out.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            // Separators of another system, and a colon, which would end a scheme, are among these.
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn what_may_not_stand_in_a_path_is_encoded() {
        assert_eq!(uri("examples/a.bp"), "examples/a.bp");
        assert_eq!(uri("/tmp/a b.bp"), "file:///tmp/a%20b.bp");
        assert_eq!(uri("100%/ä:?#.bp"), "100%25/%C3%A4%3A%3F%23.bp");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
