//! Files that a command writes.
//!
//! A file is written beside its place and put there when it is whole, so that whatever goes
//! wrong, what was there before stays. What is no file (a device, a pipe) is written to as it
//! is. An input of the command is never written to.

mod place;
#[cfg(test)]
mod tests;
mod unfinished;

use std::{
    fmt,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

pub(crate) use unfinished::remove_unfinished;

use crate::{exit::Exit, output};
use place::Place;
use unfinished::Unfinished;

/// How the names of unfinished files begin; the rest is random.
const PREFIX: &str = ".recurva-";

/// Where a command writes to.
#[derive(Debug)]
pub struct Output {
    /// The name as the user wrote it.
    name: PathBuf,
    place: Place,
}

/// Why nothing can be written.
#[derive(Debug)]
enum Error {
    /// The name is that of a folder.
    Folder,
    /// The name is that of a socket.
    Socket,
    /// The name leads to an input of the command.
    Input(PathBuf),
    /// Symbolic links lead to each other.
    Loop,
    /// The folder that the file would be in is missing.
    NoFolder(PathBuf),
    /// No file can be made in the folder.
    ClosedFolder(PathBuf),
    /// The system says no.
    System(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Folder => f.write_str("this is a folder, not a file"),
            Error::Socket => f.write_str("this is a socket, not a file"),
            Error::Input(input) => write!(
                f,
                "this is the same file as {}, an input of this command",
                input.display()
            ),
            Error::Loop => f.write_str("the symbolic links lead nowhere"),
            Error::NoFolder(folder) => write!(f, "there is no folder {}", folder.display()),
            Error::ClosedFolder(folder) => {
                write!(f, "no permission to make files in {}", folder.display())
            }
            Error::System(cause) if cause.kind() == ErrorKind::PermissionDenied => {
                f.write_str("no permission to write this file")
            }
            Error::System(cause) => cause.fmt(f),
        }
    }
}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Self {
        Error::System(cause)
    }
}

impl Output {
    fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Error> {
        let place = Place::find(path)?;
        if let Place::Replace(target) = &place
            && let Some(input) = inputs.iter().find(|input| place::is_same(target, input))
        {
            return Err(Error::Input(input.to_path_buf()));
        }
        Ok(Output {
            name: path.to_owned(),
            place,
        })
    }

    /// Looks where a file is to be written; `-` is the standard output. Nothing is opened and
    /// nothing changed. The place must not be one of the `inputs` by any name. On an error everything
    /// has been said.
    pub fn open(path: &Path, inputs: &[&Path]) -> Result<Self, Exit> {
        Output::new(path, inputs).map_err(|error| said(path, &error))
    }

    /// Whether this is the standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// Writes everything, or nothing if that fails and the place is a file. On an error
    /// everything has been said.
    pub fn write_with(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Exit> {
        self.try_write_with(write)
            .map_err(|error| said(&self.name, &error))
    }

    /// Like [`Output::write_with`], for what is in memory.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Exit> {
        self.write_with(|out| out.write_all(bytes))
    }

    fn try_write_with(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        match &self.place {
            Place::Stdout => {
                output::stdout_with(write);
                Ok(())
            }
            Place::Open { path, truncate } => in_place(path, *truncate, write),
            Place::Replace(path) => replace(path, write),
        }
    }
}

/// Writes a file. On an error everything has been said.
pub fn store(path: &Path, inputs: &[&Path], bytes: &[u8]) -> Result<(), Exit> {
    Output::open(path, inputs)?.write(bytes)
}

fn said(path: &Path, error: &Error) -> Exit {
    output::error(&format!("{}: cannot write: {error}", path.display()));
    Exit::BadInput
}

/// Writes to what is there.
fn in_place(
    path: &Path,
    truncate: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let file = OpenOptions::new()
        .write(true)
        .truncate(truncate)
        .open(path)?;
    match fill(&file, write) {
        // As for the standard output: the reader of a pipe has seen enough.
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Puts a new file in the place of an old one, if there is one.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let old = match fs::symlink_metadata(path) {
        Ok(old) => {
            // Whoever may not write to the file may not replace it either.
            OpenOptions::new().write(true).open(path)?;
            Some(old)
        }
        Err(cause) if cause.kind() == ErrorKind::NotFound => None,
        Err(cause) => return Err(cause.into()),
    };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let new = beside(folder, old.as_ref()).map_err(|cause| match cause.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::NoFolder(folder.to_owned()),
        ErrorKind::PermissionDenied => Error::ClosedFolder(folder.to_owned()),
        _ => Error::System(cause),
    })?;
    let unfinished = Unfinished::new(new.path());
    if let Some(old) = &old {
        keep_rights(new.as_file(), old)?;
    }
    fill(new.as_file(), write)?;
    new.as_file().sync_all()?;
    new.persist(path).map_err(|failed| failed.error)?;
    drop(unfinished);
    Ok(())
}

/// A new file with a name that nobody can foresee. Until it has the rights of the old file only
/// its owner may read it; if there is no old one the user's mask decides.
fn beside(folder: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(12);
    #[cfg(unix)]
    if old.is_none() {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = old;
    builder.tempfile_in(folder)
}

/// Gives a new file the owner and the mode of the old one, as far as that is allowed.
#[cfg(unix)]
fn keep_rights(new: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let made = new.metadata()?;
    let mut mode = old.mode() & 0o7777;
    let owner = (old.uid() != made.uid()).then_some(old.uid());
    let group = (old.gid() != made.gid()).then_some(old.gid());
    let group_kept = group.is_none() || fchown(new, None, group).is_ok();
    let owner_kept = owner.is_none() || fchown(new, owner, None).is_ok();
    if !group_kept {
        // Another group gets no more than everybody has.
        mode = (mode & !0o070) | ((mode & 0o007) << 3);
    }
    if !(group_kept && owner_kept) {
        // To run as somebody was meant for the old owner or group.
        mode &= !0o6000;
    }
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_rights(new: &File, old: &Metadata) -> io::Result<()> {
    new.set_permissions(old.permissions())
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush()
}
