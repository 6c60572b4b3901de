//! How much room the diagrams get, and the thread they are worked on.
//!
//! A manager's tables have a fixed size. The first attempt is a small one, made in no time;
//! a search that outgrows its tables is begun again in a better order of the variables or with
//! larger tables, up to the limits. The sizes grow so fast that all earlier attempts together
//! cost a fraction of the last one.

use std::{
    ops::ControlFlow,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use oxidd::{HasWorkers, WorkerPool, bcdd::BCDDManagerRef};

use crate::{
    answer::{Config, Progress, Stopped},
    space::{CACHE_BYTES, COPY_BYTES, NODE_BYTES},
};

/// The size of a manager's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Nodes.
    pub(crate) nodes: usize,
    /// Results of operations that are remembered.
    pub(crate) cache: usize,
    /// So many nodes may be in use after a collection of garbage; with more it is full.
    pub(crate) full: usize,
    /// So many nodes may be copied to look for a better order of the variables.
    pub(crate) copied: usize,
    /// Of the nodes copied, the share, in eighths, that a better order may need for the search
    /// to be begun again in the same room.
    pub(crate) share: usize,
}

/// The size of the first attempt at a small program, and by how much each attempt is larger
/// than the one before.
const FIRST_NODES: u64 = 1 << 16;
const GROWTH: u64 = 16;
/// So many nodes are expected for each node of the program.
const NODES_PER_POINT: u64 = 16;
/// So many nodes are allowed if nothing else is said.
const DEFAULT_NODES: u64 = 1 << 27;
/// Nodes are numbered with fewer than 32 bits.
const MOST_NODES: u64 = 1 << 30;
/// Nodes for each remembered result.
const NODES_PER_RESULT: u64 = 4;

/// With more nodes a search for a better order would take too long.
const MOST_COPIED: u64 = 1 << 20;

/// The stack of the thread that works on diagrams, unless the environment says otherwise, and room
/// for those of two others: both as the manager has them.
const STACK_BYTES: usize = 1 << 30;
const OTHER_STACKS: usize = 8 << 20;

fn stack_bytes() -> usize {
    let wanted = std::env::var("OXIDD_STACK_SIZE").ok();
    let wanted = wanted.and_then(|bytes| bytes.parse().ok());
    wanted.unwrap_or(STACK_BYTES)
}

/// The callback is called this often.
const TICK: Duration = Duration::from_millis(20);

impl Room {
    fn of(nodes: u64) -> Self {
        Room {
            nodes: nodes as usize,
            cache: (nodes / NODES_PER_RESULT).max(1).next_power_of_two() as usize,
            full: nodes as usize / 4 * 3,
            copied: 0,
            share: 7,
        }
    }

    /// A room that is not the largest one: there is no need to stay until next to nothing is
    /// gained by collecting garbage again and again.
    fn that_is_left_early(self) -> Self {
        Room {
            full: self.nodes / 2,
            share: 4,
            ..self
        }
    }

    fn bytes(self) -> u64 {
        self.nodes as u64 * NODE_BYTES + self.cache as u64 * CACHE_BYTES
    }

    /// Whether the machine has that much to give, with the stacks of the manager's threads. A
    /// manager takes it without asking, and panics if it is not there.
    ///
    /// The question is put as a thread with such a stack: that takes no memory, and unlike a
    /// request to the allocator it may fail without anybody else taking notice.
    pub(crate) fn is_there(self) -> bool {
        let bytes = usize::try_from(self.bytes()).unwrap_or(usize::MAX);
        let all = bytes.saturating_add(stack_bytes() + OTHER_STACKS);
        let probe = thread::Builder::new().stack_size(all).spawn(|| ());
        probe.is_ok_and(|probe| probe.join().is_ok())
    }

    /// The rooms for all attempts at a program with so many nodes, the last one as large as
    /// the limits allow.
    pub(crate) fn all(config: &Config, points: usize) -> Vec<Room> {
        let most = config.max_nodes.unwrap_or(DEFAULT_NODES).min(MOST_NODES);
        let fits = |room: Room| config.max_bytes.is_none_or(|bytes| room.bytes() <= bytes);
        let mut largest = Room::of(most);
        while !fits(largest) && largest.nodes > 0 {
            largest = Room::of(largest.nodes as u64 / 8 * 7);
        }
        let mut rooms = Vec::new();
        let expected = (points as u64 * NODES_PER_POINT).next_power_of_two();
        let mut nodes = FIRST_NODES.max(expected);
        while nodes < largest.nodes as u64 {
            rooms.push(Room::of(nodes).that_is_left_early());
            nodes *= GROWTH;
        }
        rooms.push(largest);
        if config.reordering {
            let most = config.max_bytes.unwrap_or(u64::MAX);
            for room in &mut rooms {
                let nodes = most.saturating_sub(room.bytes()) / COPY_BYTES;
                room.copied = nodes.min(MOST_COPIED) as usize;
            }
        }
        rooms
    }
}

impl Config {
    /// What it means that the largest room is full.
    pub(crate) fn when_full(&self) -> Stopped {
        let nodes = self.max_nodes.unwrap_or(DEFAULT_NODES).min(MOST_NODES);
        match self.max_bytes {
            Some(bytes) if Room::of(nodes).bytes() > bytes => Stopped::Memory,
            _ => Stopped::Nodes,
        }
    }
}

/// A manager's own thread, which collects garbage, sleeps until it is told to end. If it is
/// told before it has fallen asleep it never ends, and keeps all the tables: so a manager
/// that is younger than this is kept for that long.
const YOUTH: Duration = Duration::from_millis(50);

/// Lets go of a manager that was made at that time.
pub(crate) fn retire(manager: BCDDManagerRef, born: Instant) {
    if born.elapsed() < YOUTH {
        // Without a thread it is let go at once, and its memory may be lost: so be it.
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(YOUTH);
            drop(manager);
        });
    }
}

/// Tells the caller now and then how far the search is.
pub(crate) struct Ticker {
    /// So many operations come between two reports, if time does not decide.
    after: Option<u64>,
    operations: u64,
    last: Instant,
    report: mpsc::Sender<Progress>,
    replies: mpsc::Receiver<ControlFlow<()>>,
}

impl Ticker {
    /// Counts an operation. Whether it is time to tell again.
    pub(crate) fn is_due(&mut self) -> bool {
        self.operations += 1;
        match self.after {
            Some(after) => self.operations > after,
            None => self.last.elapsed() >= TICK,
        }
    }

    /// Tells the caller, whose answer says whether to go on.
    pub(crate) fn ask(&mut self, progress: Progress) -> ControlFlow<()> {
        self.last = Instant::now();
        self.operations = 0;
        // Nobody answers only if the other side has panicked.
        if self.report.send(progress).is_err() {
            return ControlFlow::Break(());
        }
        self.replies.recv().unwrap_or(ControlFlow::Break(()))
    }
}

/// Does the work on a thread of the manager's, whose stack is large enough for operations on
/// diagrams over very many variables. The callback stays on the caller's thread. `None` if there
/// is no memory for a thread.
pub(crate) fn work<T: Send>(
    manager: &BCDDManagerRef,
    tick_after: Option<u64>,
    tick: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    work: impl FnOnce(Ticker) -> T + Send,
) -> Option<T> {
    let (report, reports) = mpsc::channel();
    let (reply, replies) = mpsc::channel();
    let ticker = Ticker {
        after: tick_after,
        operations: 0,
        last: Instant::now(),
        report,
        replies,
    };
    thread::scope(|scope| {
        let work = || manager.workers().install(move || work(ticker));
        let worker = thread::Builder::new().spawn_scoped(scope, work).ok()?;
        while let Ok(progress) = reports.recv() {
            if reply.send(tick(&progress)).is_err() {
                break;
            }
        }
        let result = worker.join();
        Some(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
