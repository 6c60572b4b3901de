//! What the work may use: memory that is counted, and somebody who is asked whether to go on.
//!
//! Whatever may become large is asked for before it is made. [`Held`] is what has been asked for;
//! it is given back when it goes. Small things that grow one by one are summed up by a [`Tally`].

use std::{
    cell::{Cell, RefCell},
    fmt,
    hash::Hash,
    ops::ControlFlow,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use rustc_hash::{FxHashMap, FxHashSet};

/// How far the work has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Edges followed and facts looked at so far.
    pub work: u64,
    /// Facts or summaries found so far by the algorithm at work.
    pub facts: u64,
    /// Bytes held, the graph included.
    pub bytes: u64,
    /// The most bytes held so far.
    pub peak_bytes: u64,
}

/// Who is asked whether to go on, some hundred times a second.
pub type Tick<'t> = dyn FnMut(&Progress) -> ControlFlow<()> + 't;

/// A [`Tick`] that never stops anything.
pub fn carry_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The limit on memory was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// What it would have taken at that point, in bytes.
    pub needed: u64,
    /// The limit.
    pub limit: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (needed, limit) = (self.needed, self.limit);
        write!(
            f,
            "out of memory: {needed} bytes are needed so far, the limit is {limit}"
        )
    }
}

impl std::error::Error for OutOfMemory {}

/// Why work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Memory(OutOfMemory),
    /// The tick said so.
    Stopped,
}

/// The memory of a solution and of the questions about it.
#[derive(Debug)]
pub(crate) struct Account {
    limit: u64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl Account {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Account {
            limit,
            held: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        })
    }

    /// The most bytes that were held at a time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), Halt> {
        let needed = self.held.fetch_add(bytes, Relaxed) + bytes;
        if needed > self.limit {
            self.held.fetch_sub(bytes, Relaxed);
            let limit = self.limit;
            return Err(Halt::Memory(OutOfMemory { needed, limit }));
        }
        self.peak.fetch_max(needed, Relaxed);
        Ok(())
    }
}

/// Bytes that are in use for as long as this is there.
#[derive(Debug)]
pub(crate) struct Held {
    account: Arc<Account>,
    bytes: u64,
}

impl Held {
    pub(crate) fn nothing(account: &Arc<Account>) -> Self {
        Held {
            account: Arc::clone(account),
            bytes: 0,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes as usize
    }

    /// Asks for more.
    pub(crate) fn add(&mut self, bytes: usize) -> Result<(), Halt> {
        self.account.take(bytes as u64)?;
        self.bytes += bytes as u64;
        Ok(())
    }

    /// Holds so much from now on.
    pub(crate) fn set(&mut self, bytes: usize) -> Result<(), Halt> {
        let bytes = bytes as u64;
        if bytes > self.bytes {
            self.account.take(bytes - self.bytes)?;
        } else {
            self.account.held.fetch_sub(self.bytes - bytes, Relaxed);
        }
        self.bytes = bytes;
        Ok(())
    }

    /// A list of so many equal elements.
    pub(crate) fn list<T: Clone>(&mut self, value: T, len: usize) -> Result<Vec<T>, Halt> {
        self.add(heap(len * size_of::<T>()))?;
        Ok(vec![value; len])
    }

    /// Makes sure that one more element fits into a list, all of whose memory is held by this.
    #[inline]
    pub(crate) fn room<T>(&mut self, list: &mut Vec<T>) -> Result<(), Halt> {
        match list.len() < list.capacity() {
            true => Ok(()),
            false => self.grow(list, 1),
        }
    }

    /// Makes sure that some more elements fit.
    #[inline]
    pub(crate) fn room_for<T>(&mut self, list: &mut Vec<T>, more: usize) -> Result<(), Halt> {
        match list.capacity() - list.len() >= more {
            true => Ok(()),
            false => self.grow(list, more),
        }
    }

    #[cold]
    fn grow<T>(&mut self, list: &mut Vec<T>, more: usize) -> Result<(), Halt> {
        let more = more.max(list.capacity()).max(16);
        let (old, new) = (list.capacity(), list.len() + more);
        self.add(heap(new * size_of::<T>()) - heap(old * size_of::<T>()))?;
        list.reserve_exact(more);
        Ok(())
    }

    /// Makes sure that one more entry fits into a hash table, all of whose memory is held by this.
    #[inline]
    pub(crate) fn room_in_map<K: Eq + Hash, V>(
        &mut self,
        map: &mut FxHashMap<K, V>,
    ) -> Result<(), Halt> {
        if map.len() < map.capacity() {
            return Ok(());
        }
        let old = self.grow_table(map.capacity(), size_of::<(K, V)>())?;
        map.reserve(1);
        self.set(self.bytes() - old)
    }

    /// The same for a set.
    #[inline]
    pub(crate) fn room_in_set<K: Eq + Hash>(&mut self, set: &mut FxHashSet<K>) -> Result<(), Halt> {
        if set.len() < set.capacity() {
            return Ok(());
        }
        let old = self.grow_table(set.capacity(), size_of::<K>())?;
        set.reserve(1);
        self.set(self.bytes() - old)
    }

    /// Asks for the next size of a table. While it grows, the old one is still there: its bytes.
    #[cold]
    fn grow_table(&mut self, capacity: usize, entry: usize) -> Result<usize, Halt> {
        self.add((2 * buckets(capacity)).max(4) * (entry + 1))?;
        Ok(table(capacity, entry))
    }
}

impl Clone for Held {
    /// A copy is made whatever the limit is.
    fn clone(&self) -> Self {
        let held = self.account.held.fetch_add(self.bytes, Relaxed) + self.bytes;
        self.account.peak.fetch_max(held, Relaxed);
        Held {
            account: Arc::clone(&self.account),
            bytes: self.bytes,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.held.fetch_sub(self.bytes, Relaxed);
    }
}

/// What so many bytes take on the heap, as usual allocators have it.
#[inline]
pub(crate) fn heap(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        _ => (bytes + 8).next_multiple_of(16).max(32),
    }
}

/// What a hash table takes: entries of that size, and a byte for each.
pub(crate) fn table(capacity: usize, entry: usize) -> usize {
    buckets(capacity) * (entry + 1)
}

/// How many places a hash table has for so many entries.
fn buckets(capacity: usize) -> usize {
    match capacity {
        0 => 0,
        1..=3 => 4,
        _ => (capacity * 8 / 7).next_power_of_two(),
    }
}

/// Adds to a list whose memory is part of a sum.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, value: T, bytes: &mut usize) {
    if list.len() < list.capacity() {
        list.push(value);
        return;
    }
    *bytes -= heap(list.capacity() * size_of::<T>());
    list.push(value);
    *bytes += heap(list.capacity() * size_of::<T>());
}

/// The bytes of many small things. The account is told when they have become more by a bit.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) bytes: usize,
    held: Held,
}

impl Tally {
    /// What may be in use before the account is told.
    const BIT: usize = 1 << 16;

    pub(crate) fn new(meter: &Meter<'_>) -> Self {
        Tally {
            bytes: 0,
            held: Held::nothing(&meter.account),
        }
    }

    #[inline]
    pub(crate) fn tell(&mut self) -> Result<(), Halt> {
        match self.bytes < self.held.bytes as usize + Tally::BIT {
            true => Ok(()),
            false => self.held.set(self.bytes),
        }
    }
}

/// What all threads that work on one question share.
#[derive(Debug, Default)]
struct Run {
    work: AtomicU64,
    facts: AtomicU64,
    halt: OnceLock<Halt>,
}

/// Counts the work of one thread on a question.
pub(crate) struct Meter<'t> {
    account: Arc<Account>,
    run: Arc<Run>,
    /// Only the thread that was asked has it.
    tick: Option<RefCell<&'t mut Tick<'t>>>,
    /// Work since the last look.
    done: Cell<u64>,
    /// Facts since then.
    found: Cell<u64>,
}

/// Work between two looks at the tick: about a millisecond.
const LOOK: u64 = 1 << 16;

impl<'t> Meter<'t> {
    pub(crate) fn new(account: &Arc<Account>, tick: &'t mut Tick<'t>) -> Self {
        Meter {
            account: Arc::clone(account),
            run: Arc::default(),
            tick: Some(RefCell::new(tick)),
            done: Cell::new(0),
            found: Cell::new(0),
        }
    }

    /// Asks at once: however small a question is, whoever has no more time is heard.
    pub(crate) fn begin(account: &Arc<Account>, tick: &'t mut Tick<'t>) -> Result<Self, Halt> {
        let meter = Meter::new(account, tick);
        meter.look()?;
        Ok(meter)
    }

    /// What another thread makes a meter of.
    pub(crate) fn shared(&self) -> Shared {
        Shared {
            account: Arc::clone(&self.account),
            run: Arc::clone(&self.run),
        }
    }

    /// Asks for memory.
    pub(crate) fn hold(&self, bytes: usize) -> Result<Held, Halt> {
        let mut held = Held::nothing(&self.account);
        held.add(bytes)?;
        Ok(held)
    }

    /// Takes some work.
    #[inline]
    pub(crate) fn work(&self, amount: u64) -> Result<(), Halt> {
        let done = self.done.get() + amount;
        self.done.set(done);
        match done < LOOK {
            true => Ok(()),
            false => self.look(),
        }
    }

    /// Says how many facts there are more.
    #[inline]
    pub(crate) fn found(&self, facts: u64) {
        self.found.set(self.found.get() + facts);
    }

    /// Asks whether to go on.
    #[cold]
    pub(crate) fn look(&self) -> Result<(), Halt> {
        self.run.work.fetch_add(self.done.replace(0), Relaxed);
        self.run.facts.fetch_add(self.found.replace(0), Relaxed);
        if let Some(&halt) = self.run.halt.get() {
            return Err(halt);
        }
        let Some(tick) = &self.tick else {
            return Ok(());
        };
        let progress = Progress {
            work: self.run.work.load(Relaxed),
            facts: self.run.facts.load(Relaxed),
            bytes: self.account.held.load(Relaxed),
            peak_bytes: self.account.peak(),
        };
        match (tick.borrow_mut())(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(self.halt(Halt::Stopped)),
        }
    }

    /// Makes all threads end; why the first of them did.
    pub(crate) fn halt(&self, halt: Halt) -> Halt {
        *self.run.halt.get_or_init(|| halt)
    }
}

/// The part of a meter that threads share.
#[derive(Clone)]
pub(crate) struct Shared {
    account: Arc<Account>,
    run: Arc<Run>,
}

impl Shared {
    pub(crate) fn meter(self) -> Meter<'static> {
        Meter {
            account: self.account,
            run: self.run,
            tick: None,
            done: Cell::new(0),
            found: Cell::new(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_given_back_and_the_most_of_it_is_known() {
        let account = Account::new(1000);
        let tick = &mut carry_on;
        let meter = Meter::new(&account, tick);
        let mut one = meter.hold(600).unwrap();
        let out = OutOfMemory {
            needed: 1100,
            limit: 1000,
        };
        assert_eq!(meter.hold(500).unwrap_err(), Halt::Memory(out));
        one.set(100).unwrap();
        let copy = one.clone();
        drop(meter.hold(700).unwrap());
        drop((one, copy));
        assert_eq!(account.held.load(Relaxed), 0);
        assert_eq!(account.peak(), 900);
    }

    #[test]
    fn lists_and_tables_are_asked_for_before_they_grow() {
        let account = Account::new(10_000);
        let tick = &mut carry_on;
        let meter = Meter::new(&account, tick);
        let mut held = meter.hold(0).unwrap();
        let mut list: Vec<u64> = Vec::new();
        while held.room(&mut list).is_ok() {
            list.push(7);
        }
        assert_eq!(list.len(), list.capacity());
        assert_eq!(held.bytes as usize, heap(8 * list.capacity()));
        assert!(list.len() >= 512, "{}", list.len());
        drop(held);
        let mut held = meter.hold(0).unwrap();
        let mut set: FxHashSet<u64> = FxHashSet::default();
        for value in 0..100 {
            held.room_in_set(&mut set).unwrap();
            held.room_in_set(&mut set).unwrap();
            set.insert(value);
            assert_eq!(held.bytes(), table(set.capacity(), 8));
        }
        let mut tally = Tally::new(&meter);
        let mut small = Vec::new();
        for value in 0..100u32 {
            push(&mut small, value, &mut tally.bytes);
        }
        assert_eq!(tally.bytes, heap(4 * small.capacity()));
    }

    #[test]
    fn all_threads_end_for_the_first_reason() {
        let account = Account::new(u64::MAX);
        let mut calls = 0;
        let tick = &mut |progress: &Progress| {
            calls += 1;
            match progress.work < 3 * LOOK {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let meter = Meter::new(&account, tick);
        let helper = meter.shared().meter();
        for _ in 0..3 {
            assert_eq!(helper.work(LOOK), Ok(()));
        }
        assert_eq!(meter.work(LOOK), Err(Halt::Stopped));
        assert_eq!(helper.work(LOOK), Err(Halt::Stopped));
        assert_eq!(calls, 1);
    }
}
