//! Where in a packed state each value stands.
//!
//! A state holds the number of its control point, the monitor's state, and for every scalar
//! in scope (every element of an array is one) its bits and one bit that says "unknown: any
//! value". Values never straddle words. The locals of different procedures share the same
//! bits.

use recurva_model::{ProcId, Program, Type, VarRef, Variable};

/// A range of bits within one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u8,
    width: u8,
}

impl Field {
    fn mask(self) -> u64 {
        if self.width == 0 {
            0
        } else {
            u64::MAX >> (64 - self.width)
        }
    }

    pub(crate) fn get(self, words: &[u64]) -> u64 {
        words[self.word as usize] >> self.shift & self.mask()
    }

    pub(crate) fn set(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask() << self.shift) | value << self.shift;
    }

    pub(crate) fn mark(self, words: &mut [u64]) {
        words[self.word as usize] |= self.mask() << self.shift;
    }
}

/// One scalar value: its bits, and the bit that says it is unknown (the value bits are then
/// zero, so that equal knowledge has equal bits).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    value: Field,
    unknown: Field,
    /// The largest value, by its bits.
    max: u64,
}

impl Slot {
    /// The value, unless it is unknown.
    pub(crate) fn get(self, words: &[u64]) -> Option<u64> {
        (self.unknown.get(words) == 0).then(|| self.value.get(words))
    }

    /// Gives it a value, or makes it unknown.
    pub(crate) fn set(self, words: &mut [u64], value: Option<u64>) {
        self.unknown.set(words, u64::from(value.is_none()));
        self.value.set(words, value.unwrap_or(0));
    }

    pub(crate) fn max(self) -> u64 {
        self.max
    }

    /// Sets all bits that belong to the slot, to build a mask.
    pub(crate) fn mark(self, mask: &mut [u64]) {
        self.value.mark(mask);
        self.unknown.mark(mask);
    }
}

/// Index into [`Layout::slots`].
pub(crate) type SlotId = u32;

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) words: usize,
    pub(crate) point: Field,
    pub(crate) monitor: Field,
    /// Every scalar: first the globals, then each procedure's locals.
    pub(crate) slots: Vec<Slot>,
    globals: Vec<SlotId>,
    locals: Vec<Vec<SlotId>>,
    /// How many of the slots are the globals'.
    global_count: SlotId,
    /// For each procedure, the slots of its locals.
    local_ranges: Vec<std::ops::Range<SlotId>>,
}

impl Layout {
    pub(crate) fn new(program: &Program, points: usize, monitor_states: usize) -> Self {
        let mut used = Allocator::default();
        let point = used.allocate(bits_for(points));
        let monitor = used.allocate(bits_for(monitor_states));
        let mut slots = Vec::new();
        let globals = place(program.globals(), &mut slots, &mut used);
        let mut words = used.free.len();
        let mut locals = Vec::new();
        let global_count = slots.len() as SlotId;
        let mut local_ranges = Vec::new();
        for procedure in program.procedures() {
            let start = slots.len() as SlotId;
            let mut used = used.clone();
            locals.push(place(&procedure.locals, &mut slots, &mut used));
            local_ranges.push(start..slots.len() as SlotId);
            words = words.max(used.free.len());
        }
        Layout {
            words,
            point,
            monitor,
            slots,
            globals,
            locals,
            global_count,
            local_ranges,
        }
    }

    /// The first slot of a variable; an array's elements follow each other.
    pub(crate) fn slot_of(&self, procedure: ProcId, variable: VarRef) -> SlotId {
        match variable {
            VarRef::Global(index) => self.globals[index as usize],
            VarRef::Local(index) => self.locals[procedure.index()][index as usize],
        }
    }

    /// The slots of all globals.
    pub(crate) fn global_slots(&self) -> std::ops::Range<SlotId> {
        0..self.global_count
    }

    /// The slots of a procedure's locals.
    pub(crate) fn local_slots(&self, procedure: ProcId) -> std::ops::Range<SlotId> {
        self.local_ranges[procedure.index()].clone()
    }

    pub(crate) fn slot(&self, id: SlotId) -> Slot {
        self.slots[id as usize]
    }
}

/// Gives each variable its slots, wide values first so that they leave few gaps.
fn place(variables: &[Variable], slots: &mut Vec<Slot>, used: &mut Allocator) -> Vec<SlotId> {
    let mut starts = Vec::with_capacity(variables.len());
    let mut next = slots.len();
    let mut wanted: Vec<(Type, usize)> = Vec::new();
    for variable in variables {
        starts.push(next as SlotId);
        wanted.extend((next..next + variable.slots()).map(|slot| (variable.ty, slot)));
        next += variable.slots();
    }
    let nothing = Field {
        word: 0,
        shift: 0,
        width: 0,
    };
    slots.resize(
        next,
        Slot {
            value: nothing,
            unknown: nothing,
            max: 0,
        },
    );
    wanted.sort_by_key(|(ty, _)| std::cmp::Reverse(ty.bits()));
    for (ty, slot) in wanted {
        let value = used.allocate(ty.bits());
        let unknown = used.allocate(1);
        slots[slot] = Slot {
            value,
            unknown,
            max: ty.mask(),
        };
    }
    starts
}

/// How many bits tell that many things apart.
fn bits_for(count: usize) -> u8 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()) as u8
}

/// First-fit allocation of bits.
#[derive(Clone, Debug, Default)]
struct Allocator {
    /// For each word, how many of its high bits are free.
    free: Vec<u8>,
    /// All words before this one are full.
    full: usize,
}

impl Allocator {
    fn allocate(&mut self, width: u8) -> Field {
        while self.free.get(self.full) == Some(&0) {
            self.full += 1;
        }
        let fits = self.free[self.full..]
            .iter()
            .position(|&free| free >= width);
        let word = fits.map_or(self.free.len(), |offset| self.full + offset);
        if word == self.free.len() {
            self.free.push(64);
        }
        let shift = 64 - self.free[word];
        self.free[word] -= width;
        // A field without bits may come to stand behind a full word: any shift will do.
        Field {
            word: word as u32,
            shift: shift & 63,
            width,
        }
    }
}
