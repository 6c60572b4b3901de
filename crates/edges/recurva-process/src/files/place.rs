//! Where a name leads to.

use std::{
    fs::{self, Metadata},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::Error;

/// So many symbolic links are followed, as by the system itself.
const MOST_LINKS: usize = 40;

/// Where to write, and how.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The standard output, as it is.
    Stdout,
    /// Something that is there and stays: a device, a pipe, an open file.
    Open {
        path: PathBuf,
        /// Whether it has a content that is to go.
        truncate: bool,
    },
    /// A file, or none yet. No symbolic link is left in the last part of the name.
    Replace(PathBuf),
}

impl Place {
    /// Follows the links of a name.
    pub(super) fn find(path: &Path) -> Result<Place, Error> {
        if path.as_os_str() == "-" {
            return Ok(Place::Stdout);
        }
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Some(place) = open_file(&path)? {
                return Ok(place);
            }
            let found = match fs::symlink_metadata(&path) {
                Ok(found) => found,
                Err(cause) if cause.kind() == ErrorKind::NotFound => return missing(path),
                Err(cause) => return Err(cause.into()),
            };
            if !found.is_symlink() {
                return Place::of(path, &found);
            }
            let target = fs::read_link(&path)?;
            // An absolute target takes the place of all that stands before it.
            path = path.parent().unwrap_or(Path::new("")).join(target);
        }
        Err(Error::Loop)
    }

    fn of(path: PathBuf, found: &Metadata) -> Result<Place, Error> {
        if found.is_dir() {
            return Err(Error::Folder);
        }
        if is_socket(found) {
            return Err(Error::Socket);
        }
        Ok(match found.is_file() {
            true => Place::Replace(path),
            false => Place::Open {
                path,
                truncate: false,
            },
        })
    }
}

fn missing(path: PathBuf) -> Result<Place, Error> {
    // The library takes `x/` for `x`.
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    match path.file_name() {
        Some(_) if !is_folder => Ok(Place::Replace(path)),
        Some(_) => Err(Error::Folder),
        None => Err(std::io::Error::from(ErrorKind::NotFound).into()),
    }
}

/// A file that this or another process has open, by its number: what the link shows may be
/// somewhere else by now, so it is not followed.
fn open_file(path: &Path) -> Result<Option<Place>, Error> {
    let (Some(folder), Some(number)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    // Most names need no more than this look.
    let is_number = |byte: &u8| byte.is_ascii_digit();
    if !number.as_encoded_bytes().iter().all(is_number) {
        return Ok(None);
    }
    let Ok(folder) = fs::canonicalize(folder) else {
        return Ok(None);
    };
    let own = [
        Path::new("/dev/fd").to_owned(),
        PathBuf::from(format!("/proc/{}/fd", std::process::id())),
    ];
    let is_own = own.contains(&folder);
    let is_other = folder.starts_with("/proc") && folder.ends_with("fd");
    if !is_own && !is_other {
        return Ok(None);
    }
    if is_own && number == "1" {
        return Ok(Some(Place::Stdout));
    }
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(Error::Folder);
    }
    if is_socket(&found) {
        return Err(Error::Socket);
    }
    Ok(Some(Place::Open {
        path: path.to_owned(),
        truncate: found.is_file(),
    }))
}

#[cfg(unix)]
fn is_socket(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

/// Whether two names are those of one file.
#[cfg(unix)]
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path| fs::canonicalize(path);
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}
