//! What becomes of files in every kind of place.

use std::{
    cell::Cell,
    fs,
    io::Read,
    path::PathBuf,
    sync::{PoisonError, RwLock},
    thread,
};

use tempfile::TempDir;

use super::*;

/// The list of unfinished files is one for all: who removes them must be alone.
static UNFINISHED: RwLock<()> = RwLock::new(());

/// A folder, and the names in it.
fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = names
        .map(|entry| entry.expect("an entry").file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn put(path: &Path, text: &str) -> Result<(), Error> {
    let _others = UNFINISHED.read().unwrap_or_else(PoisonError::into_inner);
    Output::new(path, &[])?.try_write_with(|out| out.write_all(text.as_bytes()))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

#[test]
fn a_file_is_written_and_replaced() {
    let folder = folder();
    let path = folder.path().join("x");
    put(&path, "one").unwrap();
    assert_eq!(text(&path), "one");
    put(&path, "2").unwrap();
    assert_eq!(text(&path), "2");
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn a_file_that_is_not_finished_leaves_nothing_behind() {
    let folder = folder();
    let path = folder.path().join("x");
    let fails = |path: &Path| {
        let out = Output::new(path, &[]).unwrap();
        out.try_write_with(|out| {
            out.write_all(&[b'a'; 1 << 17])?;
            Err(io::Error::other("broken"))
        })
    };
    assert!(fails(&path).is_err());
    assert!(names(folder.path()).is_empty());
    put(&path, "old").unwrap();
    assert!(fails(&path).is_err());
    assert_eq!(text(&path), "old");
    let panics = std::panic::catch_unwind(|| {
        let out = Output::new(&path, &[]).unwrap();
        let _ = out.try_write_with(|_| std::panic::resume_unwind(Box::new(())));
    });
    assert!(panics.is_err());
    assert_eq!(text(&path), "old");
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn an_emergency_removes_what_is_not_whole() {
    let folder = folder();
    let path = folder.path().join("x");
    put(&path, "old").unwrap();
    let seen = Cell::new(0);
    let alone = UNFINISHED.write().unwrap_or_else(PoisonError::into_inner);
    let out = Output::new(&path, &[]).unwrap();
    let result = out.try_write_with(|out| {
        out.write_all(b"new")?;
        seen.set(names(folder.path()).len());
        remove_unfinished();
        assert_eq!(names(folder.path()), ["x"]);
        Ok(())
    });
    drop(alone);
    assert_eq!(seen.get(), 2);
    assert!(result.is_err(), "there is nothing left to be put there");
    assert_eq!(text(&path), "old");
}

#[test]
fn folders_are_refused() {
    let folder = folder();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    for name in ["inner", "inner/", "inner/.", "new/"] {
        let refused = put(&folder.path().join(name), "").unwrap_err();
        assert!(matches!(refused, Error::Folder), "{name}: {refused}");
    }
    let refused = put(&folder.path().join("no/x"), "").unwrap_err();
    let shown = folder.path().join("no").display().to_string();
    assert_eq!(refused.to_string(), format!("there is no folder {shown}"));
    assert!(put(Path::new(""), "").is_err());
    assert_eq!(names(folder.path()), ["inner"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = folder();
    let input = folder.path().join("input");
    put(&input, "old").unwrap();
    fs::create_dir(folder.path().join("inner")).unwrap();
    let mut names = vec!["input", "./input", "inner/../input"];
    fs::hard_link(&input, folder.path().join("hard")).unwrap();
    names.push("hard");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("input", folder.path().join("soft")).unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("around")).unwrap();
        names.extend(["soft", "around/input", "around/soft"]);
    }
    for name in names {
        let name = folder.path().join(name);
        for (target, given) in [(&name, &input), (&input, &name)] {
            let refused = Output::new(target, &[Path::new("/"), given]).unwrap_err();
            assert!(matches!(&refused, Error::Input(input) if input == given));
        }
    }
    assert!(Output::new(&folder.path().join("other"), &[&input]).is_ok());
    assert!(Output::new(Path::new("-"), &[Path::new("-")]).is_ok());
}

#[test]
fn of_two_writers_one_is_there_as_a_whole() {
    let folder = folder();
    let path = folder.path().join("x");
    let texts = ["a".repeat(100_000), "b".repeat(70_000)];
    put(&path, &texts[0]).unwrap();
    thread::scope(|scope| {
        for text in &texts {
            scope.spawn(|| (0..50).for_each(|_| put(&path, text).unwrap()));
        }
        for _ in 0..200 {
            assert!(texts.contains(&text(&path)));
        }
    });
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn the_standard_output_has_a_name() {
    assert!(Output::new(Path::new("-"), &[]).unwrap().is_stdout());
    assert!(!Output::new(Path::new("./-"), &[]).unwrap().is_stdout());
}

#[cfg(unix)]
mod unix {
    use std::{
        os::unix::{
            fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink},
            net::UnixListener,
        },
        process::Command,
    };

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").mode() & 0o7777
    }

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn modes_are_kept() {
        let folder = folder();
        let path = folder.path().join("x");
        put(&path, "one").unwrap();
        // What the user's mask makes of a new file.
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&path), mode(&plain));
        for wanted in [0o600, 0o640, 0o755, 0o666, 0o606] {
            chmod(&path, wanted);
            put(&path, "two").unwrap();
            assert_eq!(mode(&path), wanted, "{wanted:o}");
        }
    }

    #[test]
    fn owners_are_kept_where_that_is_allowed() {
        let folder = folder();
        let path = folder.path().join("x");
        put(&path, "one").unwrap();
        // Only root may give files away.
        if std::os::unix::fs::chown(&path, Some(12345), Some(54321)).is_err() {
            return;
        }
        chmod(&path, 0o664);
        put(&path, "two").unwrap();
        let found = fs::metadata(&path).unwrap();
        assert_eq!((found.uid(), found.gid()), (12345, 54321));
        assert_eq!(mode(&path), 0o664);
    }

    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        put(&at("inner/x"), "old").unwrap();
        chmod(&at("inner/x"), 0o640);
        symlink("inner/x", at("one")).unwrap();
        symlink(at("one"), at("two")).unwrap();
        put(&at("two"), "new").unwrap();
        assert_eq!(text(&at("inner/x")), "new");
        assert_eq!(mode(&at("inner/x")), 0o640);
        assert_eq!(fs::read_link(at("one")).unwrap(), Path::new("inner/x"));
        assert_eq!(fs::read_link(at("two")).unwrap(), at("one"));
        assert_eq!(names(&at("inner")), ["x"]);
        symlink("inner/y", at("dangling")).unwrap();
        put(&at("dangling"), "made").unwrap();
        assert_eq!(text(&at("inner/y")), "made");
        assert!(at("dangling").is_symlink());
        symlink("nowhere/y", at("lost")).unwrap();
        assert!(matches!(put(&at("lost"), ""), Err(Error::NoFolder(_))));
        symlink("inner", at("folder")).unwrap();
        assert!(matches!(put(&at("folder"), ""), Err(Error::Folder)));
        symlink("right", at("left")).unwrap();
        symlink("left", at("right")).unwrap();
        assert!(matches!(put(&at("left"), ""), Err(Error::Loop)));
    }

    #[test]
    fn a_name_that_was_foreseen_is_not_followed() {
        let folder = folder();
        let victim = folder.path().join("victim");
        put(&victim, "old").unwrap();
        // The name that unfinished files had once.
        let trap = folder.path().join(format!(".x.{}.tmp", std::process::id()));
        symlink(&victim, &trap).unwrap();
        put(&folder.path().join("x"), "new").unwrap();
        assert_eq!(text(&victim), "old");
        assert!(trap.is_symlink());
    }

    #[test]
    fn devices_are_written_to_and_stay() {
        // Root might do harm: so look before anything is written.
        let place = Place::find(Path::new("/dev/null")).unwrap();
        assert!(
            matches!(
                place,
                Place::Open {
                    truncate: false,
                    ..
                }
            ),
            "{place:?}"
        );
        put(Path::new("/dev/null"), "gone").unwrap();
        let found = fs::symlink_metadata("/dev/null").unwrap();
        assert!(found.file_type().is_char_device());
        let folder = folder();
        let link = folder.path().join("link");
        symlink("/dev/null", &link).unwrap();
        assert_eq!(Place::find(&link).unwrap(), place);
        put(&link, "gone").unwrap();
        assert!(link.is_symlink());
        assert_eq!(names(folder.path()), ["link"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let full = put(Path::new("/dev/full"), "much").unwrap_err();
        let Error::System(cause) = full else {
            panic!("{full}")
        };
        assert_eq!(cause.kind(), ErrorKind::StorageFull);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_have_numbers() {
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            assert!(Output::new(Path::new(name), &[]).unwrap().is_stdout());
        }
        let folder = folder();
        let path = folder.path().join("x");
        put(&path, "something long").unwrap();
        let open = File::open(&path).unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&open);
        let inode = fs::metadata(&path).unwrap().ino();
        put(&PathBuf::from(format!("/dev/fd/{number}")), "new").unwrap();
        assert_eq!(text(&path), "new");
        assert_eq!(
            fs::metadata(&path).unwrap().ino(),
            inode,
            "it is the same file"
        );
        assert!(put(Path::new("/dev/fd/123456"), "").is_err());
        // A file whose name is a number is a file.
        put(&folder.path().join("1"), "plain").unwrap();
        assert_eq!(names(folder.path()), ["1", "x"]);
    }

    #[test]
    fn pipes_are_written_to_and_sockets_are_not() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || text(&pipe)
        });
        put(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        // A reader that has seen enough is no error.
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || File::open(pipe).unwrap().read_exact(&mut [0; 1]).unwrap()
        });
        put(&pipe, &"x".repeat(1 << 20)).unwrap();
        reader.join().unwrap();
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(matches!(put(&socket, ""), Err(Error::Socket)));
    }

    #[test]
    fn what_may_not_be_written_is_not_replaced() {
        let folder = folder();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let path = inner.join("x");
        put(&path, "old").unwrap();
        // Root may do anything.
        chmod(&path, 0o444);
        let is_root = OpenOptions::new().write(true).open(&path).is_ok();
        if is_root {
            return;
        }
        let refused = put(&path, "new").unwrap_err();
        assert_eq!(refused.to_string(), "no permission to write this file");
        chmod(&path, 0o644);
        chmod(&inner, 0o555);
        let refused = put(&path, "new").unwrap_err();
        assert!(matches!(refused, Error::ClosedFolder(_)), "{refused}");
        assert_eq!(text(&path), "old");
        chmod(&inner, 0o755);
        assert_eq!(names(&inner), ["x"]);
    }
}
