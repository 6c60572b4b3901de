//! Other programs, run within a time: what they print, and what they take.

use std::{
    fs,
    io::{self, Read},
    process::{Command, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How often it is asked whether a program has ended.
const POLL: Duration = Duration::from_millis(2);

/// How soon it is first asked what a program uses, and then how often. To ask costs a millisecond.
const FIRST_LOOK: Duration = Duration::from_millis(10);
const LOOK: Duration = Duration::from_millis(100);

/// So long a program may take to end that was asked to.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a program may run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// On the clock. Then it is ended at once.
    pub(crate) wall: Duration,
    /// Of all processors, if that is limited: where the machine has other work, the clock says little.
    /// Then it is asked to end, as by `kill`.
    pub(crate) cpu: Option<Duration>,
}

/// What became of a program.
#[derive(Debug)]
pub(crate) struct Measured {
    /// What it printed.
    pub(crate) stdout: String,
    /// What it said beside.
    pub(crate) stderr: String,
    /// Its exit code; `None` if something ended it.
    pub(crate) code: Option<i32>,
    /// Why it did not end by itself, if so.
    pub(crate) stopped: Option<Stop>,
    /// How long it took.
    pub(crate) wall: Duration,
    /// What it cost.
    pub(crate) cost: Cost,
}

/// Why a program was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its time on the clock was over.
    Wall,
    /// Its time of the processors was.
    Cpu,
}

/// What a program has used, with all that it has started.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Of all processors together, without what it did not wait for.
    pub(crate) cpu: Duration,
    /// The most memory that was seen. What was shorter than a look is not known.
    pub(crate) peak_bytes: u64,
}

/// Runs a program without input, and ends it after this time. With it ends what it has started.
pub(crate) fn run(command: &mut Command, time: Time) -> io::Result<Measured> {
    let started = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    system::alone(command);
    let mut child = command.spawn()?;
    let stdout = read(child.stdout.take());
    let stderr = read(child.stderr.take());
    let mut stopped = None;
    let mut end_at = started + time.wall;
    let mut look_at = started + FIRST_LOOK;
    let mut peak_bytes = 0;
    let (status, cpu) = loop {
        if let Some(ended) = system::ended(&mut child)? {
            break ended;
        }
        let now = Instant::now();
        if now >= end_at {
            stopped = stopped.or(Some(Stop::Wall));
            system::end(&mut child);
        }
        if now >= look_at {
            look_at = now + LOOK;
            let cost = system::so_far(&child);
            peak_bytes = peak_bytes.max(cost.peak_bytes);
            if stopped.is_none() && time.cpu.is_some_and(|cpu| cost.cpu > cpu) {
                stopped = Some(Stop::Cpu);
                end_at = now + PATIENCE;
                system::interrupt(&child);
            }
        }
        thread::sleep(POLL);
    };
    let wall = started.elapsed();
    // What it has left behind may hold its streams open.
    system::end(&mut child);
    Ok(Measured {
        stdout: text(stdout)?,
        stderr: text(stderr)?,
        code: status.code(),
        stopped,
        wall,
        cost: Cost { cpu, peak_bytes },
    })
}

/// A stream has to be read while the program runs, or it would wait for its reader.
fn read<R: Read + Send + 'static>(stream: Option<R>) -> JoinHandle<io::Result<Vec<u8>>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            stream.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    })
}

fn text(reader: JoinHandle<io::Result<Vec<u8>>>) -> io::Result<String> {
    let bytes = reader.join().map_err(|_| io::ErrorKind::BrokenPipe)??;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a process and those it has waited for have used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used {
    ticks: u64,
    pages: u64,
}

impl Used {
    /// Reads a file `stat` of `/proc`; `None` if the process is not of this group.
    fn read(stat: &str, group: u32) -> Option<Self> {
        // The name of the program may have blanks and brackets.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        if fields.get(2)?.parse() != Ok(group) {
            return None;
        }
        let ticks = fields.get(11..15)?.iter();
        Some(Used {
            ticks: ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum(),
            pages: fields.get(21)?.parse().ok()?,
        })
    }

    /// What all of a group have used, where the system says so while they run.
    fn by_group(group: u32) -> Self {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let files = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
        let used = files.filter_map(|stat| Used::read(&stat, group));
        used.fold(Used::default(), |sum, one| Used {
            ticks: sum.ticks + one.ticks,
            pages: sum.pages + one.pages,
        })
    }
}

#[cfg(unix)]
mod system {
    //! Groups of processes, and what the system says about those that have ended.

    use std::{
        io,
        os::unix::process::CommandExt,
        process::{Child, Command, ExitStatus},
        sync::{Mutex, PoisonError},
        time::Duration,
    };

    use nix::{
        sys::{
            resource::{UsageWho, getrusage},
            signal::{Signal, kill, killpg},
            time::TimeVal,
        },
        unistd::{Pid, SysconfVar, sysconf},
    };

    use super::{Cost, Used};

    /// A group of its own, which can be ended as a whole.
    pub(super) fn alone(command: &mut Command) {
        command.process_group(0);
    }

    fn id(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().map(Pid::from_raw)
    }

    /// Held while a program is waited for: the system only tells the sum for all programs that were.
    static WAITING: Mutex<()> = Mutex::new(());

    /// How the program has ended, and the time it took of the processors with all that it waited for.
    pub(super) fn ended(child: &mut Child) -> io::Result<Option<(ExitStatus, Duration)>> {
        let _waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let before = of_children()?;
        let status = child.try_wait()?;
        let used = of_children()?.saturating_sub(before);
        Ok(status.map(|status| (status, used)))
    }

    fn of_children() -> io::Result<Duration> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        Ok(duration(usage.user_time()) + duration(usage.system_time()))
    }

    fn duration(time: TimeVal) -> Duration {
        let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
        let micros = u64::try_from(time.tv_usec()).unwrap_or(0);
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    }

    /// Ends the program and all of its group that there still is.
    pub(super) fn end(child: &mut Child) {
        if let Some(id) = id(child) {
            // A group that is gone is no error here.
            let _ = killpg(id, Signal::SIGKILL);
        }
    }

    /// Asks the program to end.
    pub(super) fn interrupt(child: &Child) {
        if let Some(id) = id(child) {
            // Nor is a program.
            let _ = kill(id, Signal::SIGTERM);
        }
    }

    /// What the program and all of its group use, where the system tells.
    pub(super) fn so_far(child: &Child) -> Cost {
        let used = Used::by_group(child.id());
        let value = |of| {
            sysconf(of)
                .ok()
                .flatten()
                .and_then(|it| u64::try_from(it).ok())
        };
        let a_second = value(SysconfVar::CLK_TCK).unwrap_or(100).max(1);
        let page = value(SysconfVar::PAGE_SIZE).unwrap_or(4096);
        Cost {
            cpu: Duration::from_millis(used.ticks.saturating_mul(1000) / a_second),
            peak_bytes: used.pages.saturating_mul(page),
        }
    }
}

#[cfg(not(unix))]
mod system {
    //! What a program has cost is not known here.

    use std::{
        io,
        process::{Child, Command, ExitStatus},
        time::Duration,
    };

    use super::Cost;

    pub(super) fn alone(_: &mut Command) {}

    pub(super) fn ended(child: &mut Child) -> io::Result<Option<(ExitStatus, Duration)>> {
        let status = child.try_wait()?;
        Ok(status.map(|status| (status, Duration::ZERO)))
    }

    pub(super) fn so_far(_: &Child) -> Cost {
        Cost::default()
    }

    pub(super) fn interrupt(_: &Child) {}

    pub(super) fn end(child: &mut Child) {
        // It may have ended.
        let _ = child.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{io, process::Command, thread, time::Duration};

    use super::{Measured, Stop, Time, Used, run};

    fn shell(script: &str, time: Time) -> io::Result<Measured> {
        run(Command::new("sh").args(["-c", script]), time)
    }

    const MINUTE: Time = Time {
        wall: Duration::from_secs(60),
        cpu: None,
    };

    #[test]
    fn both_streams_and_the_code_are_told() -> io::Result<()> {
        let measured = shell("echo out; echo err >&2; exit 3", MINUTE)?;
        assert_eq!(measured.stdout, "out\n");
        assert_eq!(measured.stderr, "err\n");
        assert_eq!(measured.code, Some(3));
        assert_eq!(measured.stopped, None);
        Ok(())
    }

    #[test]
    fn the_cost_has_that_of_children() -> io::Result<()> {
        let count = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let script = format!("sh -c '{count}'; true");
        // Of two at a time, each has its own.
        let idle = thread::spawn(|| shell("sleep 0.3", MINUTE));
        let busy = shell(&script, MINUTE)?;
        let idle = idle.join().map_err(|_| io::ErrorKind::Other)??;
        assert!(busy.cost.cpu > idle.cost.cpu, "{busy:?} {idle:?}");
        #[cfg(target_os = "linux")]
        assert!(idle.cost.peak_bytes > 100_000, "{idle:?}");
        Ok(())
    }

    #[test]
    fn what_is_late_ends_with_its_children() -> io::Result<()> {
        let time = Time {
            wall: Duration::from_millis(50),
            cpu: None,
        };
        let measured = shell("sleep 600 & sleep 600", time)?;
        assert_eq!((measured.stopped, measured.code), (Some(Stop::Wall), None));
        Ok(())
    }

    #[test]
    fn the_time_of_a_process_is_read() {
        let stat = "12 (a) b (c) S 1 34 34 0 -1 4194560 1 2 3 4 100 20 3 4000 20 0 1 0 9 5000 77";
        let used = Used {
            ticks: 4123,
            pages: 77,
        };
        assert_eq!(Used::read(stat, 34), Some(used));
        assert_eq!(Used::read(stat, 3), None);
        assert_eq!(Used::read("12 (a) S 1 34 34", 34), None);
        assert_eq!(Used::read("", 34), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_uses_too_much_is_asked_to_end() -> io::Result<()> {
        let time = Time {
            wall: Duration::from_secs(600),
            cpu: Some(Duration::from_millis(50)),
        };
        // A child that works counts, too; the shell says that it was asked.
        let script = "trap 'echo asked; exit 3' TERM; sh -c 'while :; do :; done' & wait";
        let measured = shell(script, time)?;
        assert_eq!(measured.stdout, "asked\n");
        assert_eq!(
            (measured.stopped, measured.code),
            (Some(Stop::Cpu), Some(3))
        );
        Ok(())
    }

    #[test]
    fn what_is_left_behind_ends_too() -> io::Result<()> {
        // It would hold the streams open for ten minutes.
        let measured = shell("sleep 600 & echo done", MINUTE)?;
        assert_eq!(
            (measured.stdout.as_str(), measured.code),
            ("done\n", Some(0))
        );
        Ok(())
    }
}
