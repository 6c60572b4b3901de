//! Hashes of texts.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The first two examples of FIPS 180-4.
    #[test]
    fn the_hashes_are_those_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b""), empty);
        assert_eq!(sha256(b"abc"), abc);
    }
}
