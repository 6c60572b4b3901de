//! Bytes, each with a flag that says whether it was given a value.

use super::number;
use crate::Bits;

/// A row of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes {
    data: Vec<u8>,
    known: Vec<bool>,
}

impl Bytes {
    /// So many zeros.
    pub(crate) fn zeros(count: usize, is_known: bool) -> Self {
        Bytes {
            data: vec![0; count],
            known: vec![is_known; count],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// Makes it longer, by zeros that count as not given, or shorter.
    pub(crate) fn resize(&mut self, count: usize) {
        self.data.resize(count, 0);
        self.known.resize(count, false);
    }

    pub(crate) fn data(&self, start: usize, count: usize) -> &[u8] {
        &self.data[start..start + count]
    }

    pub(crate) fn data_mut(&mut self, start: usize, count: usize) -> &mut [u8] {
        &mut self.data[start..start + count]
    }

    pub(crate) fn known(&self, start: usize, count: usize) -> &[bool] {
        &self.known[start..start + count]
    }

    pub(crate) fn set_known(&mut self, start: usize, count: usize, is_known: bool) {
        self.known[start..start + count].fill(is_known);
    }

    /// A number of up to eight bytes, the lowest first.
    pub(crate) fn number(&self, start: usize, count: usize) -> u64 {
        let bytes = &self.data[start..start + count];
        match bytes.len() {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => {
                let mut word = [0; 8];
                word[..count].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }
        }
    }

    pub(crate) fn set_number(&mut self, start: usize, count: usize, value: u64) {
        let word = value.to_le_bytes();
        let (data, known) = (
            &mut self.data[start..start + count],
            &mut self.known[start..start + count],
        );
        match count {
            4 => {
                data.copy_from_slice(&word[..4]);
                known.copy_from_slice(&[true; 4]);
            }
            8 => {
                data.copy_from_slice(&word);
                known.copy_from_slice(&[true; 8]);
            }
            _ => {
                data.copy_from_slice(&word[..count]);
                known.fill(true);
            }
        }
    }

    /// The bits of a bit-field in the bytes it touches, of which there are up to nine.
    pub(crate) fn bit_field(&self, start: usize, bits: Bits) -> u64 {
        number::cut((self.word(start, bits) >> bits.start) as u64, bits.width)
    }

    pub(crate) fn set_bit_field(&mut self, start: usize, bits: Bits, value: u64) {
        let mask = u128::from(number::cut(u64::MAX, bits.width)) << bits.start;
        let word = self.word(start, bits) & !mask | u128::from(value) << bits.start & mask;
        let count = bits.bytes() as usize;
        self.data[start..start + count].copy_from_slice(&word.to_le_bytes()[..count]);
        self.set_known(start, count, true);
    }

    fn word(&self, start: usize, bits: Bits) -> u128 {
        let count = bits.bytes() as usize;
        let mut word = [0; 16];
        word[..count].copy_from_slice(self.data(start, count));
        u128::from_le_bytes(word)
    }

    pub(crate) fn copy_within(&mut self, from: usize, to: usize, count: usize) {
        self.data.copy_within(from..from + count, to);
        self.known.copy_within(from..from + count, to);
    }

    pub(crate) fn copy_from(&mut self, to: usize, other: &Bytes, from: usize, count: usize) {
        self.data[to..to + count].copy_from_slice(other.data(from, count));
        self.known[to..to + count].copy_from_slice(other.known(from, count));
    }
}
