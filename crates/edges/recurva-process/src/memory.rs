//! How much memory there is, and how much is used.
//!
//! Two figures are kept apart. `held` and [`peak`] are what the process has asked for: they are
//! exact and cheap, and made for reports. Decision diagrams ask for large tables that they fill
//! bit by bit, so for decisions it is `resident` that counts: what is really used.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

pub(crate) use crate::raw::{exhausted, held};
pub use crate::raw::{peak, reset_peak};

/// More than any machine has: how old control groups write that there is no limit.
const ABSURD: u64 = 1 << 60;

/// Four fifths of what this process may use, where the system says how much that is: better to
/// stop with an answer than to be killed without one.
pub fn default_limit() -> Option<u64> {
    limit(Path::new("/"))
}

/// Bytes of memory that are really used, where the system says so.
///
/// Nothing is allocated: the watchdog asks this often, and an allocator gives each thread that
/// allocates an area of its own, which is much where address space is short.
pub(crate) fn resident() -> Option<u64> {
    let mut buffer = [0; 4096];
    let mut file = File::open("/proc/self/status").ok()?;
    let mut length = 0;
    loop {
        match file.read(&mut buffer[length..]).ok()? {
            0 => break,
            more => length += more,
        }
    }
    let status = std::str::from_utf8(&buffer[..length]).ok()?;
    kibibytes(status, "VmRSS:")
}

/// Four fifths of the least limit that a system with this root folder sets.
fn limit(root: &Path) -> Option<u64> {
    let limits = [machine(root), control_groups(root), process(root)];
    let least = limits.into_iter().flatten().min()?;
    Some(least / 5 * 4)
}

/// The memory of the machine.
fn machine(root: &Path) -> Option<u64> {
    kibibytes(&read(root, "proc/meminfo")?, "MemTotal:")
}

/// The least limit of the control groups that the process is in, of both versions.
fn control_groups(root: &Path) -> Option<u64> {
    let groups = read(root, "proc/self/cgroup")?;
    let limits = groups.lines().filter_map(|line| {
        // A number, the controllers, and the group: `0::/user/x` or `4:cpu,memory:/x`.
        let mut parts = line.splitn(3, ':');
        let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            let one = along(root, "sys/fs/cgroup", group, "memory.max");
            let both = along(root, "sys/fs/cgroup/unified", group, "memory.max");
            one.into_iter().chain(both).min()
        } else if controllers.split(',').any(|it| it == "memory") {
            along(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
        } else {
            None
        }
    });
    limits.min()
}

/// The least limit of a group and those around it. In a container the group may have another name
/// than here: what is not there sets no limit, and the outermost one is always looked at.
fn along(root: &Path, mounted: &str, group: &str, file: &str) -> Option<u64> {
    let mounted = root.join(mounted);
    let group = Path::new(group.trim_start_matches('/'));
    let groups = group.ancestors();
    let limits = groups.filter_map(|group| {
        let text = fs::read_to_string(mounted.join(group).join(file)).ok()?;
        let bytes: u64 = text.trim().parse().ok()?;
        (bytes < ABSURD).then_some(bytes)
    });
    limits.min()
}

/// What the process may still map, and so use, besides what it has.
fn process(root: &Path) -> Option<u64> {
    let limits = read(root, "proc/self/limits")?;
    let status = read(root, "proc/self/status")?;
    let left = |limit: &str, used: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        // The soft limit comes first, `unlimited` if there is none.
        let most: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(kibibytes(&status, used)?))
    };
    let address_space = left("Max address space", "VmSize:");
    let data = left("Max data size", "VmData:");
    address_space.into_iter().chain(data).min()
}

fn read(root: &Path, file: &str) -> Option<String> {
    fs::read_to_string(root.join(file)).ok()
}

/// A line such as `VmRSS:      1234 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const MEBIBYTE: u64 = 1 << 20;
    const MEMORY: &str = "MemTotal:        1048576 kB\nMemFree:  5 kB\n";
    const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max data size             unlimited            unlimited            bytes
Max address space         314572800            unlimited            bytes
";
    const STATUS: &str =
        "Name:\trecurva\nVmSize:\t  102400 kB\nVmRSS:\t 5000 kB\nVmData:\t 51200 kB\n";

    /// A folder with these files.
    fn system(files: &[(&str, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn mebibytes(files: &[(&str, &str)]) -> Option<u64> {
        let root = system(files);
        // Back from four fifths.
        limit(root.path()).map(|bytes| (bytes / 4 * 5).div_ceil(MEBIBYTE))
    }

    #[test]
    fn without_files_there_is_no_limit() {
        assert_eq!(mebibytes(&[]), None);
        assert_eq!(mebibytes(&[("proc/meminfo", "MemTotal: many kB\n")]), None);
        assert_eq!(mebibytes(&[("proc/meminfo", "")]), None);
    }

    #[test]
    fn the_machine_is_a_limit() {
        assert_eq!(mebibytes(&[("proc/meminfo", MEMORY)]), Some(1024));
    }

    #[test]
    fn the_groups_around_are_limits() {
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let inner = "sys/fs/cgroup/a/b/memory.max";
        let outer = "sys/fs/cgroup/a/memory.max";
        let mounted = "sys/fs/cgroup/memory.max";
        let memory = ("proc/meminfo", MEMORY);
        for (files, expected) in [
            (&[(inner, "max\n"), (outer, "max\n")][..], 1024),
            (&[(inner, "104857600\n"), (outer, "max\n")], 100),
            (&[(inner, "max\n"), (outer, "209715200\n")], 200),
            (&[(inner, "104857600\n"), (outer, "52428800\n")], 50),
            (&[(mounted, "31457280\n")], 30),
            (&[(inner, "9223372036854771712\n")], 1024),
            (&[(inner, "nonsense")], 1024),
        ] {
            let files: Vec<_> = files.iter().copied().chain([group, memory]).collect();
            assert_eq!(mebibytes(&files), Some(expected), "{files:?}");
        }
    }

    #[test]
    fn older_groups_are_limits() {
        let groups = "12:pids:/x\n4:cpu,memory:/docker/abc\n0::/\n";
        let group = ("proc/self/cgroup", groups);
        let here = "sys/fs/cgroup/memory/memory.limit_in_bytes";
        let inner = "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes";
        let hybrid = "sys/fs/cgroup/unified/memory.max";
        for (file, text, expected) in [
            (here, "104857600\n", Some(100)),
            (inner, "52428800\n", Some(50)),
            (hybrid, "52428800\n", Some(50)),
            (here, "9223372036854771712\n", None),
        ] {
            assert_eq!(mebibytes(&[group, (file, text)]), expected, "{file}");
        }
    }

    #[test]
    fn what_the_process_may_map_is_a_limit() {
        let status = ("proc/self/status", STATUS);
        let memory = ("proc/meminfo", MEMORY);
        let with = |limits: &str| mebibytes(&[("proc/self/limits", limits), status, memory]);
        assert_eq!(with(LIMITS), Some(200));
        let data = LIMITS.replacen(
            "unlimited            unlimited            bytes",
            "62914560 unlimited bytes",
            1,
        );
        assert_eq!(with(&data), Some(10));
        assert_eq!(with(&LIMITS.replace("314572800", "1000")), Some(0));
        assert_eq!(with(&LIMITS.replace("314572800", "unlimited")), Some(1024));
        assert_eq!(with("nonsense"), Some(1024));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_memory() {
        assert!(resident().is_some_and(|bytes| bytes > MEBIBYTE / 4));
        assert!(default_limit().is_some_and(|bytes| bytes > MEBIBYTE));
    }
}
