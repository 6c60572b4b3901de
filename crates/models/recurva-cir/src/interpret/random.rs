//! A world that makes choices up.

use super::world::{ChoiceError, World};
use crate::{Choice, Module, Type, TypeId, Unknown};

/// Random numbers from a seed (SplitMix64).
#[derive(Clone, Copy, Debug)]
pub struct RandomNumbers {
    state: u64,
}

impl RandomNumbers {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        RandomNumbers { state: seed }
    }

    /// The next one.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// A world with random values from a seed. It records what it chose, so that [`super::Replay`] can
/// repeat it.
#[derive(Clone, Debug)]
pub struct Random {
    numbers: RandomNumbers,
    /// The unknown values, in order.
    pub choices: Vec<Choice>,
    /// What new objects had in them, in order; of large ones only the beginning.
    pub allocations: Vec<Choice>,
}

/// So many bytes of a new object are made up; the others are zero.
const MADE_UP: usize = 4096;

impl Random {
    /// The same seed gives the same values.
    pub fn new(seed: u64) -> Self {
        Random {
            numbers: RandomNumbers::new(seed),
            choices: Vec::new(),
            allocations: Vec::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.numbers.number()
    }

    /// A number that programs tend to care about: small ones and those at the ends of a type.
    fn interesting(&mut self, bits: u32) -> u64 {
        let random = self.number();
        match random % 8 {
            0..4 => random >> 8 & 0xf,
            4 => (random >> 8 & 0xf).wrapping_neg(),
            5 => (1u64 << (bits - 1)).wrapping_sub(random >> 8 & 3),
            6 => random >> 8 & 0xfff,
            _ => self.number(),
        }
    }

    fn fill(&mut self, ty: TypeId, module: &Module, bytes: &mut [u8]) {
        let types = &module.types;
        let value = match *types.get(ty) {
            Type::Bool => self.number() & 1,
            Type::Int(int) | Type::Enum(int, _) | Type::Char(int) => {
                self.interesting(u32::from(int.bits))
            }
            Type::Float(crate::Float::Single) => {
                u64::from((self.interesting(32) as i32 as f32 / 4.0).to_bits())
            }
            Type::Float(_) => (self.interesting(64) as i64 as f64 / 4.0).to_bits(),
            // An unknown address points to nothing.
            Type::Pointer(_) => 0,
            Type::Array(element, _) => {
                let size = types.size(element).max(1) as usize;
                for element_bytes in bytes.chunks_exact_mut(size) {
                    self.fill(element, module, element_bytes);
                }
                return;
            }
            Type::Record(record) => {
                bytes.fill_with(|| self.number() as u8);
                for field in &types.record(record).fields {
                    if field.bits.is_none() {
                        let start = field.offset as usize;
                        let end = start + types.size(field.ty) as usize;
                        self.fill(field.ty, module, &mut bytes[start..end]);
                    }
                }
                return;
            }
            Type::Void | Type::Function | Type::VaList => return,
        };
        let count = bytes.len().min(8);
        bytes[..count].copy_from_slice(&value.to_le_bytes()[..count]);
    }
}

impl World for Random {
    fn choose(
        &mut self,
        _: &Unknown,
        ty: TypeId,
        module: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        self.fill(ty, module, bytes);
        self.choices.push(Choice {
            bytes: bytes.to_vec(),
        });
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        let count = bytes.len().min(MADE_UP);
        bytes[..count].fill_with(|| self.number() as u8);
        self.allocations.push(Choice {
            bytes: bytes[..count].to_vec(),
        });
    }
}
