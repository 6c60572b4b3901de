//! Random numbers that are the same on every machine.

/// The splitmix64 generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed. Neighbouring seeds give unrelated numbers.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias is far below what a test could notice.
        (self.bits() % bound as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < usize::from(percent)
    }

    /// One of several things; `None` if there are none.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        if things.is_empty() {
            None
        } else {
            things.get(self.below(things.len()))
        }
    }
}
